//! Small programs that are not C, and small ones that are (if barely): we agree with gcc about each, and say where.

#![allow(clippy::print_stderr)]

use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use cfront::types::DataModel;
use cfront::{Options, load_text};

/// Program, words of our message; the program is wrong on the line marked by `!` (the mark is removed).
const WRONG: &[(&str, &str)] = &[
    ("int f(void) { return\n! x; }", "'x' undeclared"),
    ("int f(void) {\n! return 1 }", "expected ';'"),
    ("int f(void) {\n! int a; int a; }", "redeclaration of 'a'"),
    ("!int f(void) { ", "never closed"),
    ("struct s { int a; } x;\n!int f(void) { return x.b; }", "no member named 'b'"),
    ("struct s;\n!int f(struct s *p) { return p->a; }", "incomplete"),
    ("!struct s x = {1};", "incomplete"),
    ("struct s { int a; } x;\n!int f(void) { return x + 1; }", "invalid operands to binary +"),
    ("struct s { int a; } x;\n!int f(void) { if (x) return 1; return 0; }", "scalar"),
    ("!int f(int a) { return *a; }", "needs a pointer"),
    ("!int f(int a) { return a(); }", "not a function"),
    ("!int f(int a) { return a[1]; }", "neither array nor pointer"),
    ("int g(int);\n!int f(void) { return g(1, 2); }", "too many arguments"),
    ("int g(int, int);\n!int f(void) { return g(1); }", "too few arguments"),
    ("void g(void);\n!int f(void) { int x = g(); return x; }", "void value"),
    ("!int f(void) { 1 = 2; return 0; }", "lvalue required"),
    ("!int f(const int a) { a = 2; return 0; }", "read-only"),
    ("!int f(void) { int a[3]; a = 0; return 0; }", "array type"),
    ("!int f(void) { break; }", "'break' outside"),
    ("!int f(void) { continue; }", "'continue' outside"),
    ("!int f(void) { case 1: return 0; }", "'case' outside"),
    ("!int f(int x) { switch (x) { case 1: case 1: return 0; } return 1; }", "duplicate case"),
    ("!int f(int x) { switch (x) { case 1 ... 5: case 3: return 0; } return 1; }", "duplicate case"),
    ("!int f(int x) { switch (x) { case x: return 0; } return 1; }", "integer constant"),
    ("!int f(void) { goto nowhere; }", "used but not defined"),
    ("!int f(void) { l: l: return 0; }", "duplicate label"),
    ("int f(void) { return 0; }\n!int f(void) { return 1; }", "redefinition of 'f'"),
    ("int x = 1;\n!int x = 2;", "redefinition of 'x'"),
    ("int x;\n!char *x;", "conflicting types"),
    ("int f(int);\n!int f(char *);", "conflicting types"),
    ("int x;\n!int x(void);", "different kind of symbol"),
    ("extern int x;\n!static int x;", "static declaration follows"),
    ("!int a[-1];", "negative"),
    ("int n;\n!int a[n];", "must be constant"),
    ("int n;\n!int x = n + 1;", "not constant"),
    ("!int a[2][];", "incomplete type"),
    ("!int f(void) { void v; }", "declared void"),
    ("!unsigned float f;", "invalid combination"),
    ("!int long char x;", "invalid combination"),
    ("!struct s { int a; int a; };", "duplicate member"),
    ("!struct s { int f(void); };", "member cannot have type"),
    ("!struct s { int b : 33; };", "does not fit"),
    ("!struct s { float b : 3; };", "integer type"),
    ("!struct s { int b : 0; };", "width zero"),
    ("struct s { int b : 3; } x;\n!int *f(void) { return &x.b; }", "address of a bit-field"),
    ("!int *f(void) { return &1; }", "lvalue required"),
    ("struct s { int a; };\n!struct s { int b; };", "redefinition"),
    ("struct s { int a; };\n!union s x;", "wrong kind of tag"),
    ("enum e { A };\n!enum f { A };", "redeclaration of 'A'"),
    ("!_Static_assert(1 == 2, \"no\");", "static assertion failed"),
    ("struct s { int a; } x;\n!int f(void) { return (int)x; }", "cast"),
    ("!char *f(double d) { return (char *)d; }", "pointers and floating"),
    ("struct s { int a; } x; struct t { int a; } y;\n!void f(void) { x = y; }", "incompatible types"),
    ("!int x = 08;", "invalid integer constant"),
    ("!int x = 1abc;", "invalid suffix"),
    ("!double x = 1e;", "malformed"),
    ("!int x = '';", "empty character"),
    ("!char *s = \"abc;", "unterminated string"),
    ("/* never\n closed", "unterminated comment"),
    ("!int f(int a, int a) { return a; }", "redefinition of parameter"),
    ("!int f(void) { int x; return x }", "expected ';'"),
    ("!int f(void) { return (1; }", "expected ')'"),
    ("!int x = ;", "expected an expression"),
    ("!typedef int t; typedef char *t;", "conflicting types"),
    ("!foo bar;", "no declaration"),
    ("!int f(void)[3];", "cannot return an array"),
    ("!int f(void) { int x = sizeof(struct nope); return x; }", "incomplete"),
    ("!int f(void) { struct { int a; } s; return s->a; }", "needs a pointer"),
    ("!int f(void) { void *p = 0; p->x = 1; return 0; }", "member"),
    ("!int f(void) { return _Generic(1.0, int: 1, char: 2); }", "_Generic"),
    ("!void f(int n) { int a[n] = {1}; }", "cannot be initialised"),
    ("!int a[3] = 5;", "list in braces"),
    ("!int a[2] = {[5] = 1};", "out of bounds"),
    ("struct s { int a; };\n!struct s x = {.b = 1};", "no member 'b'"),
    ("!int f(a) int b; { return a; }", "not a parameter"),
    ("!int x @ 3;", "unexpected '@'"),
    ("!auto int x;", "'auto'"),
    ("!register int x;", "'register'"),
    ("!int f(void) { ({ 1; })  2; }", "expected ';'"),
    ("!int f(void) { int (*p)(int) = 0; return p(1, 2); }", "too many arguments"),
    ("!int f(void) { else return 1; }", "expected an expression"),
    ("!int f(void) { if (1) int x; }", ""),
    ("!}", "expected a declaration"),
    ("!int *f(void) { register int r; return &r; }", "register variable"),
    ("struct i; struct i *p;\n!void f(void) { *p; }", "incomplete"),
    ("struct i; struct i g(void);\n!void f(void) { g(); }", "incomplete"),
    ("!struct s { int n[]; int m; };", "flexible"),
    ("!struct never x;", "size of 'x' is not known"),
];

/// Programs that gcc takes without complaint (warnings aside).
const RIGHT: &[&str] = &[
    "main() { return 0; }",
    "x; *y; f();",
    "int f(a, b) { return a + b; }",
    "int f(void) { int *p = 5; int x = p; char *q = p; return x == q; }",
    "void f(void) { return 1; } int g(void) { return; }",
    "int f(void) { undeclared(1, 2); return undeclared(3); }",
    "int f(void) { char *p = malloc(3); strcpy(p, \"x\"); return printf(\"%s\", p); }",
    "int f(int x) { switch (x) ; switch (x) case 1: return 2; return 0; }",
    "int f(int x) { l: ; goto l; }",
    "int f(int x) { if (x) ; else ; for (;;) ; }",
    "typedef int T; int f(T T) { return T; }",
    "typedef int T; struct s { T T; int U; }; int g(void) { struct s x; x.T = 1; return x.T; }",
    "struct s { struct s *next; } x = {&x};",
    "int f(void); int f(void) { int f(void); return f(); }",
    "static int f(void); extern int f(void); int f(void) { return 1; }",
    "extern int x; int x; int x; int x = 1; extern int x;",
    "int a[] = {1, 2, 3, }; enum { A, B, };",
    "int f(int n) { int a[n], b[n][3]; return sizeof a + sizeof(b[0]); }",
    "int f(struct s { int a; } *p) { return 1; }",
    "void f(void) { struct s { int x; } a; { struct s { char y; } b; b.y = 1; } a.x = 1; }",
    "int f(int c, ...) { return c; } int g(void) { return f(1, 2, \"x\", 3.0); }",
    "int (*f)(int, ...), *g(void), (*h[3])(void);",
    "const volatile int *const *restrict_; int *restrict p; void f(int a[const static 3]);",
    "int x = sizeof(int (*)[3]) + sizeof(int *[3]) + sizeof(struct { int a; });",
    "unsigned u = -1; char c = 300; int i = 1e20; float f = 1e50;",
    "int f(int *p, long q) { return p == q || p < (int *)q || !p; }",
    "int x = 1 ? 2 : (3, 4);",
    "int f(void) { return ({ ; }), 1; }",
    "struct { int a : 3, : 0, b : 2; unsigned : 5; } s; int f(void) { return s.a + s.b; }",
    "int f(int x) { return x ?: -1; } int *g(int *p) { return p ?: 0; }",
    "long f(void) { return (long)f + (long)&f + (long)*f; }",
    "char *s = __FILE__; int l = __LINE__; ",
    "int f(void) { extern int printf(const char *, ...); return printf(\"\"); }",
    "void f(void) { int x = x; (void)x; }",
    "int a[10], *p = a + 3, *q = &a[3], d = sizeof(a) / sizeof *a;",
    "int f(int i) { int a[2] = {}; return a[i] + i[a]; }",
    "_Noreturn void f(void); void f(void) { for (;;) ; }",
    "int i = 'abcd'; int j = L'x'; char k[] = u8\"x\"; ",
    "double d = 0x1.fp3 + 1.e2 + .5 + 1e-3f + 2.L; int h = 0XfFuL;",
    "inline int f(void) { return 1; } extern int f(void);",
    "struct s { int x; } f(void); int g(void) { return f().x; }",
    "void f(void) { int a = 1, b = (a++, a--); a = b = 3; a += b -= 1; a <<= 2; a = a > b ? a : b; }",
    "union u { int i; struct { short a, b; }; } x = {.a = 1}; int f(void) { return x.i + x.b; }",
    "void f(char (*p)[3]) { (*p)[0] = **p; } void g(void) { char a[3]; f(&a); }",
    "int f(void *p) { return *(int *)p + (int)(long)p; } void g(void) { (void)*(char *)0; }",
    "int f(x) register x; { return x; }",
    "%: define X 1\nint a<:2:> = <% X, 2 %>;",
    "int f(struct s { int a; enum { A = 3 } e; } *p) { struct s x = *p; return x.a + A; }",
    "struct {} a[] = {1, 2}; struct { struct {} e; int i; } b = {1, 2};",
    "asm(\"nop\"); int x; extern void text; void *p = &text;",
    "int f(void) { static int n; static const char *const s[] = {\"a\"}; return n++ + s[0][0]; }",
];

fn gcc_accepts(text: &str, flag: &str) -> Option<bool> {
    let run = |text: &str, flag: &str| {
        let mut child = Command::new("gcc")
            .args(["-std=gnu17", "-fsyntax-only", "-w", flag, "-x", "c", "-"])
            .stdin(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        child.stdin.take()?.write_all(text.as_bytes()).ok()?;
        Some(child.wait().ok()?.success())
    };
    static WORKS: OnceLock<[bool; 2]> = OnceLock::new();
    let works = WORKS.get_or_init(|| MODELS.map(|(_, flag)| run("int x;", flag) == Some(true)));
    if !works[usize::from(flag == "-m64")] {
        eprintln!("skipped: no gcc {flag} here");
        return None;
    }
    run(text, flag)
}

const MODELS: [(DataModel, &str); 2] = [(DataModel::Ilp32, "-m32"), (DataModel::Lp64, "-m64")];

#[test]
fn wrong_programs_are_rejected_at_the_right_line() {
    let mut complaints = Vec::new();
    for (marked, words) in WRONG {
        let line = marked.lines().position(|l| l.starts_with('!')).map_or(1, |i| i as u32 + 1);
        let text = marked.lines().map(|l| l.strip_prefix('!').unwrap_or(l)).collect::<Vec<_>>().join("\n");
        for (model, flag) in MODELS {
            match load_text(&text, &Options::new(model)) {
                Ok(_) => complaints.push(format!("accepted: {text}")),
                Err(failure) => {
                    let found = failure.render();
                    let place = failure.diagnostics[0].span.map(|s| s.line);
                    if place != Some(line) || !found.contains(words) {
                        complaints.push(format!("expected '{words}' at line {line}:\n{found}"));
                    }
                }
            }
            // One gcc is enough: nothing here depends on the data model.
            if model == DataModel::Lp64 && gcc_accepts(&text, flag) == Some(true) {
                complaints.push(format!("gcc accepts: {text}"));
            }
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn odd_programs_are_accepted() {
    let mut complaints = Vec::new();
    for text in RIGHT {
        for (model, flag) in MODELS {
            match load_text(text, &Options::new(model)) {
                Ok(unit) => {
                    let problems = cfront::verify::verify(&unit);
                    complaints.extend(problems.iter().map(|p| format!("{text}: {p}")));
                }
                Err(failure) => complaints.push(format!("rejected: {text}\n{}", failure.render())),
            }
            if model == DataModel::Lp64 && gcc_accepts(text, flag) == Some(false) {
                complaints.push(format!("gcc rejects: {text}"));
            }
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}
