//! The language and the library as compilers have them: wrong answers that must not come back, and right ones that must stay.

use crate::common::{Scratch, check_answers, foldback, stderr, stdout};

const HEAD: &str = "#include <assert.h>\n#include <complex.h>\n#include <fenv.h>\n#include <math.h>\n#include <setjmp.h>\n\
    #include <stdint.h>\n#include <stdlib.h>\n\
    extern int __VERIFIER_nondet_int(void); extern double __VERIFIER_nondet_double(void);\n\
    extern void __VERIFIER_assume(int);\n";

/// Property, program, how the result begins; `!` what it must not be.
const ANSWERS: &[(&str, &str, &str)] = &[
    // The value of a bit-field stays one at the end of a statement expression; its type has just its bits.
    ("assert", "struct { unsigned b : 3; } x; int main() { x.b = 7; assert(({ x.b; }) - 9 < 0); }", "true"),
    ("assert", "struct { unsigned b : 3; } x; int main() { x.b = 7; assert(({ x.b; }) - 9 >= 0); }", "false(assert)"),
    ("assert", "struct { unsigned long d : 40; } x; int main() { x.d = -1; assert(({ x.d; }) + 1 != 0); }", "!true"),
    (
        "assert",
        "struct { unsigned b : 3; } x; int main() { __auto_type q = ({ x.b; }); q = 300; assert(q == 300); }",
        "!true",
    ),
    ("assert", "struct { unsigned b : 3; } x; int main() { typeof((0, x.b)) q = 300; assert(q == 300); }", "!true"),
    // An alias is another name, not another function.
    (
        "assert",
        "int f(void) { return 5; } int g(void) __attribute__((alias(\"f\"))); int main() { int (*p)(void) = f, (*q)(void) = g; assert(p == q && q() == 5); }",
        "true",
    ),
    (
        "assert",
        "int f(void) { return 5; } int g(void) __attribute__((alias(\"f\"))); int main() { int (*p)(void) = f, (*q)(void) = g; assert(p != q); }",
        "false(assert)",
    ),
    // Other files name globals that the program never takes the address of.
    ("assert", "int *ext(void); int x; int main() { int *q = ext(); x = 1; *q = 5; assert(x == 1); }", "!true"),
    ("assert", "int *g; int x; void ext(void); int main() { ext(); x = 1; *g = 5; assert(x == 1); }", "!true"),
    ("assert", "int *ext(void); static int x; int main() { int *q = ext(); x = 1; *q = 5; assert(x == 1); }", "true"),
    ("assert", "void ext(void); int x; int main() { ext(); x = 1; assert(x == 1); }", "true"),
    ("assert", "void ext(void); _Bool b; int main() { ext(); assert(b == 0 || b == 1); }", "true"),
    // The machine's NaN has a sign, ours has none.
    ("assert", "int main() { double x = copysign(NAN, -1.0); assert(signbit(x)); }", "!false"),
    ("assert", "int main() { double x = copysign(NAN, -1.0); assert(!signbit(x)); }", "!true"),
    ("assert", "int main() { volatile double x = -0.0; assert(signbit(x)); }", "true"),
    // A struct that is read for nothing is read.
    (
        "memsafety",
        "struct a { int x; }; struct d { struct a f; } *g; int main() { g->f; return 0; }",
        "false(valid-deref)",
    ),
    ("memsafety", "struct a { int x; } *g; int main() { *g; return 0; }", "false(valid-deref)"),
    ("memsafety", "struct a { int x[2]; } *g; int main() { g->x; return 0; }", "true"),
    // Functions lie where nothing else does.
    (
        "assert",
        "struct s { int i; } x; int n; void f(struct s a) { n = 1; } void g(struct s a) { n = 0; } \
         int main() { _Bool c = __VERIFIER_nondet_int(); void (*p)(struct s) = c ? f : g; p(x); assert(n == c); }",
        "true",
    ),
    // Parts of addresses are small numbers that nobody knows.
    ("assert", "int main() { char b[32]; unsigned v = (unsigned)(unsigned long)b; assert(v % 10 < 10); }", "true"),
    ("assert", "int main() { char b[32]; unsigned v = (unsigned)(unsigned long)b; assert(v != 3); }", "!false"),
    ("assert", "int main() { char b[32]; unsigned v = (unsigned)(unsigned long)b; assert(v % 2 == 0); }", "!true"),
    (
        "assert",
        "int main() { char b[64]; unsigned long v = ((unsigned long)b + 15) & ~15UL; char *p = (char *)v; \
         assert(p >= b && p < b + 16); }",
        "true",
    ),
    (
        "memsafety",
        "int main() { char b[64]; char *p = (char *)(((unsigned long)b + 15) & ~15UL); p[48] = 1; return 0; }",
        "true",
    ),
    (
        "memsafety",
        "int main() { char b[64]; char *p = (char *)(((unsigned long)b + 15) & ~15UL); p[49] = 1; return 0; }",
        "!true",
    ),
    (
        "assert",
        "int main() { char b[64]; unsigned long u = (unsigned long)b, v = (u + 15) & ~15UL; assert(v - u != 5 || v % 16); }",
        "!true",
    ),
    ("assert", "int main() { int a, b; assert((unsigned long)&a < (unsigned long)&b); }", "!true"),
    // Rounding.
    (
        "assert",
        "int main() { volatile double a = 1, b = 3; fesetround(FE_DOWNWARD); double d = a / b; fesetround(FE_UPWARD); \
         double u = a / b; assert(d < u && fegetround() == FE_UPWARD); }",
        "true",
    ),
    (
        "assert",
        "int main() { volatile double a = 1, b = 3; fesetround(FE_TOWARDZERO); double d = a / b; fesetround(FE_UPWARD); \
         double u = a / b; assert(d == u); }",
        "false(assert)",
    ),
    ("assert", "int main() { fesetround(FE_UPWARD); volatile double x = 2.5; assert(lrint(x) == 3); }", "true"),
    (
        "assert",
        "int main() { volatile double x = 2.5; assert(lrint(x) == 2 && fegetround() == FE_TONEAREST); }",
        "true",
    ),
    // Jumps.
    (
        "assert",
        "jmp_buf b; void g(void) { longjmp(b, 3); } void f(void) { g(); assert(0); } \
         int main() { int r = setjmp(b); if (!r) f(); assert(r == 3); }",
        "true",
    ),
    ("assert", "jmp_buf b; int main() { int r = setjmp(b); assert(r == 0); longjmp(b, 0); }", "false(assert)"),
    ("assert", "jmp_buf b; int main() { if (setjmp(b) == 0) longjmp(b, 0); else assert(0); }", "false(assert)"),
    (
        "assert",
        "jmp_buf b; int n; void f(void) { n++; if (n < 5) longjmp(b, n); } \
         int main() { int r = setjmp(b); assert(r == n); f(); assert(n == 5); }",
        "true",
    ),
    ("assert", "jmp_buf b; void f(void) { setjmp(b); } int main() { f(); longjmp(b, 1); }", "unknown(unsupported"),
    ("assert", "jmp_buf b; int main() { longjmp(b, 1); }", "unknown(unsupported"),
    (
        "memsafety",
        "jmp_buf b; int *p; void f(void) { int x; p = &x; longjmp(b, 1); } \
         int main() { if (!setjmp(b)) f(); return *p; }",
        "false(valid-deref)",
    ),
    // Complex numbers.
    (
        "assert",
        "int main() { volatile double a = 1, b = 2; double _Complex z = a + b * I; z = z / (a + a * I); \
         assert(__real__ z == 1.5 && __imag__ z == 0.5); }",
        "true",
    ),
    // Names and constants.
    ("assert", "int main() { int \\u00e4b = 3; assert(\u{e4}b == 3); }", "true"),
    ("assert", "int a[fpclassify(1.0) == FP_NORMAL ? 2 : -1]; int main() { assert(sizeof a == 8); }", "true"),
    ("assert", "_Static_assert(isinf(HUGE_VAL) && !isnan(1.0f), \"\"); int main() { assert(1); }", "true"),
    // Calls through pointers of another type are undefined, and told as such.
    (
        "assert",
        "int f(int a) { return a; } int main() { int (*p)(void) = (int (*)(void))f; p(); assert(1); }",
        "unknown(unsupported: a call through a pointer to no known function, or to one of another type ('f', say)",
    ),
    // Code outside of the program sets errno, and knows what global pointers point at.
    ("assert", "#include <errno.h>\nvoid ext(void); int main() { errno = 0; ext(); assert(errno == 0); }", "!true"),
    ("assert", "static int x; int *gp = &x; void ext(void); int main() { x = 1; ext(); assert(x == 1); }", "!true"),
    (
        "assert",
        "static int x; static int *sp = &x; int **gp = &sp; void ext(void); int main() { x = 1; ext(); assert(x == 1); }",
        "!true",
    ),
    (
        "assert",
        "static int x; static int *sp = &x; void ext(void); int main() { x = 1; ext(); assert(*sp == 1); }",
        "true",
    ),
    ("assert", "int x; int main() { int *q; x = 1; *q = 5; assert(x == 1); }", "!true"),
    // A list of arguments is spent once a function was given it.
    (
        "assert",
        "#include <stdarg.h>\nint g(va_list a) { return va_arg(a, int); } int f(int k, ...) { va_list a; va_start(a, k); \
         int x = g(a), y = va_arg(a, int); va_end(a); return x * 10 + y; } int main() { assert(f(0, 1, 2) == 12); }",
        "unknown(unsupported",
    ),
    (
        "assert",
        "#include <stdarg.h>\nint g(va_list a) { return va_arg(a, int); } int f(int k, ...) { va_list a; va_start(a, k); \
         int x = g(a); va_end(a); va_start(a, k); int y = g(a); va_end(a); return x * 10 + y; } \
         int main() { assert(f(0, 1, 2) == 11); }",
        "true",
    ),
    // What the library gives back of a literal is a literal.
    (
        "valid-deref",
        "#include <string.h>\nint main() { char *p = strchr(\"abc\", 'b'); *p = 'x'; return 0; }",
        "false(valid-deref)",
    ),
    ("valid-deref", "int main() { char *e; strtol(\"12x\", &e, 10); *e = 0; return 0; }", "false(valid-deref)"),
    (
        "valid-deref",
        "#include <string.h>\nint main() { char b[] = \"abc\"; char *p = strchr(b, 'b'); *p = 'x'; return 0; }",
        "true",
    ),
    // A stream ends with `fclose`, and what is pushed back is read again.
    (
        "memsafety",
        "#include <stdio.h>\nint main() { FILE *f = fopen(\"a\", \"r\"); if (f) { fclose(f); fclose(f); } return 0; }",
        "!true",
    ),
    (
        "memsafety",
        "#include <stdio.h>\nint main() { FILE *f = fopen(\"a\", \"r\"); if (f) { fgetc(f); fclose(f); } return 0; }",
        "true",
    ),
    ("assert", "#include <stdio.h>\nint main() { ungetc('a', stdin); assert(getchar() == 'a'); }", "!false"),
    // A format with too few arguments is undefined.
    ("memsafety", "#include <stdio.h>\nint main() { printf(\"%s\"); return 0; }", "unknown(unsupported"),
    // gcc forgets the whole where a part of it is initialised again.
    (
        "assert",
        "struct p { int x, y; }; struct q { struct p a; int z; }; int main() { struct p v = {1, 2}; \
         struct q q = {.a = v, .a.y = 7}; assert(q.a.x == 1); }",
        "unknown(unsupported",
    ),
    (
        "assert",
        "struct p { int x, y; }; struct q { struct p a; int z; }; int main() { \
         struct q q = {.a = {1, 2}, .a.y = 7}; assert(q.a.x == 1 && q.a.y == 7); }",
        "true",
    ),
    // Effects whose place C leaves open.
    (
        "assert",
        "int x = 1; int f(void) { x = 5; return 0; } int main() { int y = x + f(); assert(y == 1); }",
        "false(assert)",
    ),
    ("assert", "int x = 1; int f(void) { x = 5; return 0; } int main() { int y = x + f(); assert(y == 5); }", "!true"),
    (
        "assert",
        "int x = 1, z; int f(void) { z = 5; return 0; } int main() { int y = x + f(); assert(y == 1); }",
        "true",
    ),
    ("assert", "int main() { int i = 0; if (__builtin_expect(1, i++)) { } assert(i == 1); }", "!true"),
    ("assert", "int main() { char b[10]; assert(__builtin_object_size(b + 3, 1) == 7); }", "!true"),
    // Addresses as numbers, through unions and copies; the order of objects.
    (
        "assert",
        "union u { int *p; unsigned long l; }; int main() { int x; union u u; u.p = &x; assert(u.l > 0x100000000); }",
        "!true",
    ),
    (
        "assert",
        "union u { int *p; unsigned long l; }; int main() { int x; union u u; u.l = 7; assert(u.l % 4 == 3); }",
        "true",
    ),
    (
        "assert",
        "#include <string.h>\nint main() { int x, *p = &x; unsigned long u; memcpy(&u, &p, 8); assert((u & 0xff) != 0x10); }",
        "!true",
    ),
    (
        "assert",
        "int main() { int x, *p = &x; unsigned long u = *(unsigned long *)&p; assert((u & 0xff) != 0x10); }",
        "!true",
    ),
    ("assert", "int a, b; int main() { assert(&a < &b); }", "!true"),
    (
        "assert",
        "int a[4]; int main() { int *p = a; int n = 0; while (p < a + 4) { p++; n++; } assert(n == 4); }",
        "true",
    ),
    // An endless execution that overflows is none.
    // C23: an enumeration with its underlying type, which its constants have.
    (
        "assert",
        "typedef unsigned long U; enum E : unsigned char { A = 255, B = A - 1 }; enum F : U; enum F : U { X, Y = -1ul };\n\
         struct S { enum E e; enum E f : 3; enum G { P } : 5; }; int main() {\n\
         static_assert(sizeof(A) == 1 && sizeof(X) == 8 && sizeof(struct S) == 2); enum E e = A; e++;\n\
         { enum E : short { Q = -3 }; static_assert(sizeof(enum E) == 2); assert(Q < 0); }\n\
         assert(e == 0 && B == 254 && A + 1 == 256 && Y + 1 == 0); }",
        "true",
    ),
    (
        "assert",
        "enum E : unsigned char { A = 255 }; int main() { enum E e = A; e++; assert(e == 256); }",
        "false(assert)",
    ),
    (
        "termination",
        "int main() { int a = 0; while (1) a++; }",
        "unknown(gave up: the execution that was found never ends, but",
    ),
    ("termination", "int main() { unsigned a = 0; while (1) a++; }", "false(termination)"),
];

#[test]
fn answers_are_right() {
    check_answers("world-language", HEAD, ANSWERS);
}

/// C lets allocations fail where the user says so, whatever the machine does.
#[test]
fn failing_allocations_are_believed() {
    let scratch = Scratch::new("world-malloc");
    let programs = [
        (
            "unreach-call",
            "#include <stdlib.h>\nvoid reach_error(void);\nint main() { if (!malloc(4)) reach_error(); }\n",
        ),
        (
            "unreach-call",
            "#include <stdlib.h>\nvoid reach_error(void);\nint main() { if (!calloc(4, 4)) reach_error(); }\n",
        ),
        ("valid-deref", "#include <stdlib.h>\nint main() { int *p = malloc(4); *p = 1; free(p); return 0; }\n"),
    ];
    for (property, program) in programs {
        let file = scratch.file("program.c", program);
        let file = file.to_str().expect("a path in UTF-8");
        let output = foldback(["verify", file, "--property", property, "--time-limit", "20s", "--malloc-may-fail"]);
        let said = stdout(&output);
        assert!(said.contains(&format!("RESULT: false({property})")), "{program}\n{said}{}", stderr(&output));
        let output = foldback(["verify", file, "--property", property, "--time-limit", "20s"]);
        assert!(stdout(&output).ends_with("RESULT: true\n"), "{program}\n{}", stdout(&output));
    }
}

/// What a pragma does to layout or linkage is refused, and not left out.
#[test]
fn pragmas_that_change_layout_are_refused() {
    let scratch = Scratch::new("world-pragma");
    for pragma in ["scalar_storage_order big-endian", "ms_struct on", "redefine_extname f g"] {
        let file = scratch
            .file("program.c", format!("#pragma {pragma}\nstruct s {{ int a; }} s;\nint main() {{ return s.a; }}\n"));
        let output = foldback(["verify", file.to_str().expect("a path in UTF-8")]);
        assert_eq!(output.status.code(), Some(2), "{pragma}: {}", stdout(&output));
        assert!(stderr(&output).contains("#pragma"), "{}", stderr(&output));
    }
}

const NEWER: &[(&str, &str, &str)] = &[
    (
        "assert",
        "enum e : bool; enum e : bool { NO, YES }; enum e : _Bool; struct s { enum e m; };\n\
         int main() { enum e x = (enum e)256; assert(x == YES && sizeof(struct s) == 1 && _Generic(x, bool: 1, default: 0)); }",
        "true",
    ),
    ("assert", "enum e : bool { NO, YES }; int main() { enum e x = 4; assert(x != YES); }", "false"),
    (
        "assert",
        "static double complex z = CMPLX(1.0, -0.0); static float complex f = CMPLXF(2, 3);\n\
         int main() { assert(creal(z) == 1 && signbit(cimag(z)) && __imag__ f == 3); }",
        "true",
    ),
    // Types of their own.
    ("assert", "int main() { _Float64 x = 1; assert(_Generic(x, double: 1, default: 0)); }", "unknown"),
    ("assert", "int main() { assert(_Generic(1.0f64, double: 0, default: 1)); }", "unknown"),
    ("assert", "int main() { _Float64 x = 1.5f64; assert(x == 1.5 && sizeof(_Float32) == 4); }", "true"),
];

#[test]
fn newer_types() {
    check_answers("language-newer", HEAD, NEWER);
}

/// Wherever it stands, and also as another name.
const WEAK: &[(&str, &str, &str)] = &[
    (
        "assert",
        "#pragma weak foo\nextern int foo(void); int main(void) { assert(&foo != 0); }",
        "unknown(unsupported: the address of 'foo', which is weak",
    ),
    ("assert", "extern int foo(void);\n#pragma weak foo\nint main(void) { assert(foo != 0); }", "unknown"),
    (
        "assert",
        "int bar(void) { return 4; }\n#pragma weak foo = bar\nint foo(void); int main(void) { assert(foo() == 4); }",
        "true",
    ),
    ("assert", "#pragma weak v\nint v = 3; int main(void) { int foo = 1, v = 2; assert(foo == 1 && v == 2); }", "true"),
];

#[test]
fn pragmas_that_make_names_weak() {
    check_answers("language-weak", "#include <assert.h>\n", WEAK);
    let scratch = Scratch::new("language-weak-files");
    let weak = scratch.file("weak.c", "#pragma weak f\nint f(void) { return 1; }\nint g(void) { return f(); }\n");
    let strong = scratch.file(
        "strong.c",
        "#include <assert.h>\nint g(void); int f(void) { return 2; } int main(void) { assert(g() == 2); }\n",
    );
    for files in [[&weak, &strong], [&strong, &weak]] {
        let [one, other] = files.map(|file| file.to_str().expect("a path in UTF-8"));
        let output = foldback(["verify", one, other, "--property", "assert"]);
        assert!(stdout(&output).ends_with("RESULT: true\n"), "{}{}", stdout(&output), stderr(&output));
    }
}

/// Arrays of values end with the full expression, not with the operand or the argument that makes them.
const TEMPORARIES: &[(&str, &str, &str)] = &[
    (
        "memsafety",
        "struct s { int a[3]; }; static struct s f(int i) { return (struct s){{i, i + 1}}; }\
         int main() { int *p = 0, c = __VERIFIER_nondet_int(); return c && (p = f(3).a) && p[0] == 3; }",
        "true",
    ),
    (
        "memsafety",
        "struct s { int a[3]; }; static struct s f(int i) { return (struct s){{i, i + 1}}; }\
         int main() { int *p = 0, c = __VERIFIER_nondet_int(); if (c && (p = f(3).a)) return p[0]; return 0; }",
        "false(valid-deref)",
    ),
    (
        "memsafety",
        "struct s { int a[3]; }; static struct s f(int i) { return (struct s){{i, i + 1}}; } static int *id(int *p) { return p; }\
         int main() { int c = __VERIFIER_nondet_int(); return *id(c ? f(1).a : id(f(2).a)) > 0 ? 0 : 1; }",
        "true",
    ),
    (
        "memsafety",
        "struct s { int a[3]; }; static struct s f(int i) { return (struct s){{i, i + 1}}; } static int *id(int *p) { return p; }\
         int main() { int *p, c = __VERIFIER_nondet_int(); p = id(c ? f(1).a : f(2).a); return *p; }",
        "false(valid-deref)",
    ),
];

#[test]
fn arrays_of_values_last_as_long_as_their_full_expression() {
    check_answers("world-temporaries", HEAD, TEMPORARIES);
}
