//! Each property on small programs without inputs: executing the automaton ends at the error location, or does not.

use cfa::{EndKind, Program, Property};
use cfront::Input;
use cfront::types::DataModel;
use interpreter::{Ending, Limits, Machine, Zero};
use lower::{Allocation, ExternEffects, Options, UninitGlobals};

const MEMORY: [Property; 3] = [Property::ValidDeref, Property::ValidFree, Property::ValidMemtrack];

fn lowered(text: &str, options: &Options, model: DataModel) -> Program {
    let input = Input::Text { name: "input.c".to_owned(), text: text.to_owned() };
    let unit = lower::library::load(&[input], &cfront::Options::new(model), &options.entry)
        .unwrap_or_else(|f| panic!("{}\n{text}", f.render()));
    let program = lower::lower(&unit, options).unwrap();
    cfa::assert_sound(&program, cfa::Form::Function);
    program
}

fn run(text: &str, options: &Options, model: DataModel) -> Ending {
    let program = lowered(text, options, model);
    let machine = Machine::new(&program).unwrap();
    machine.run(&mut Zero, &Limits::steps(100_000)).ending
}

fn checking(properties: &[Property]) -> Options {
    Options { properties: properties.to_vec(), ..Options::default() }
}

/// Runs `main` with that body under both data models; what comes before `|` stands outside of `main`.
fn body(code: &str, options: &Options) -> Ending {
    let (outside, inside) = code.split_once('|').unwrap_or(("", code));
    let text = format!(
        "typedef __typeof__(sizeof(0)) size_t; void *malloc(size_t); void *calloc(size_t, size_t);
        void *realloc(void *, size_t); void free(void *); void *memcpy(void *, const void *, size_t);
        void *memset(void *, int, size_t); char *strcpy(char *, const char *); void abort(void); void exit(int);
        void reach_error(void); int printf(const char *, ...);
        {outside}\nint main(void) {{ {inside} return 0; }}"
    );
    let endings = [DataModel::Lp64, DataModel::Ilp32].map(|model| run(&text, options, model));
    assert_eq!(endings[0], endings[1], "{code}");
    endings[0].clone()
}

#[track_caller]
fn violates(property: Property, message: &str, code: &str) {
    let options = if MEMORY.contains(&property) { checking(&MEMORY) } else { checking(&[property]) };
    match body(code, &options) {
        Ending::Error(v) => {
            assert_eq!(v.property, property, "{code}");
            assert!(v.message.contains(message), "{:?} does not say {message:?}: {code}", v.message);
        }
        other => panic!("{other:?}: {code}"),
    }
}

#[track_caller]
fn is_fine(properties: &[Property], code: &str) {
    assert_eq!(body(code, &checking(properties)), Ending::End(EndKind::Return), "{code}");
}

#[test]
fn accesses_out_of_bounds() {
    let deref = |message, code| violates(Property::ValidDeref, message, code);
    deref("a[i] is out of bounds", "int a[3]; int i = 3; a[i] = 0;");
    deref("a[i] is out of bounds", "int a[3]; int i = -1; a[i] = 0;");
    deref("a[3]", "int a[3]; a[3] = 0;");
    deref("a[i].y", "struct { int x, y; } a[2]; int i = 2; a[i].y = 1;");
    deref("a[i][j]", "int a[2][3]; int i = 1, j = 3; a[i][j] = 1;");
    deref("p[i]", "int a[3]; int *p = a + 1; int i = 2; p[i] = 1;");
    deref("*p", "int *p = 0; *p = 1;");
    deref("p->x", "struct s { int x; } *p = 0; p->x = 1;");
    deref("*p", "int *p; { int x; p = &x; } *p = 1;");
    deref("*f()", "int *f(void) { int x; int *p = &x; return p; } | *f() = 1;");
    deref("*p", "int *p = malloc(4); free(p); *p = 1;");
    deref("p[4]", "char *p = malloc(4); p[4] = 1;");
    // Nobody looks at the value.
    deref("p[n - 1]", "char a[3]; char *p = a; int n = 4; p[n - 1];");
    deref("p[n - 1]", "char a[3]; void *p = a; int n = 4; p[n - 1];");
    deref("*s", "char a[2] = {1, 1}; char *s = a; while (*s) s++;");
    deref("memcpy", "char a[4], b[3]; memcpy(a, b, 4);");
    deref("memset", "char a[4]; memset(a + 1, 0, 4);");
    deref("not valid", "char a[3]; strcpy(a, \"abc\");");
    deref("s", "struct s { int a[4]; } x, *s = 0; x = *s;");
    deref("not valid", "char a[2] = {1, 1}; printf(\"%s\", a);");
    deref("does not point to a function", "void (*f)(void) = 0; f();");
}

#[test]
fn an_index_whose_product_wraps_around_is_out_of_bounds() {
    let code = "int a[3]; int i = 1 << 30; a[i] = 0;";
    violates(Property::ValidDeref, "a[i]", code);
    violates(Property::ValidDeref, "p[i]", "int a[3], *p = a; int i = 1 << 30; p[i] = 0;");
}

#[test]
fn accesses_in_bounds() {
    is_fine(&MEMORY, "int a[3]; for (int i = 0; i < 3; i++) a[i] = i; int *p = a + 3; p[-1] = 5;");
    is_fine(&MEMORY, "int a[2][3]; for (int i = 0; i < 6; i++) a[i / 3][i % 3] = i;");
    is_fine(&MEMORY, "char *p = malloc(3); strcpy(p, \"ab\"); printf(\"%s %.3s\", p, p); free(p);");
    is_fine(&MEMORY, "char a[3]; void *p = a; int n = 3; p[n - 1];");
    is_fine(&MEMORY, "char *p = malloc(0); free(p); free(0);");
    is_fine(&MEMORY, "struct s { int n; int d[]; } *p = malloc(sizeof *p + 8); p->d[1] = 1; free(p);");
    is_fine(&MEMORY, "char a[4]; memset(a, 0, 4); memset(a + 4, 0, 0); memcpy(a, a + 2, 2);");
    is_fine(&MEMORY, "int n = 4; int v[n]; v[n - 1] = 1; for (int i = 0; i < 3; i++) { int w[i + 1]; w[i] = 1; }");
    is_fine(&MEMORY, "int *p = realloc(0, 4); *p = 7; p = realloc(p, 8); p[1] = p[0]; free(p);");
}

#[test]
fn frees() {
    let free = |code| violates(Property::ValidFree, "free(", code);
    free("int x; free(&x);");
    free("int *p = malloc(8); free(p + 1);");
    free("int *p = malloc(8); free(p); free(p);");
    free("static int x; free(&x);");
}

#[test]
fn leaks() {
    // `Zero` answers the choice of the watched object, too: ask for any other choice.
    let mut leaked = Vec::new();
    for code in ["int *p = malloc(4); *p = 1;", "int *g; | g = malloc(4);", "int *p = malloc(4); free(p);"] {
        let (outside, inside) = code.split_once('|').unwrap_or(("", code));
        let text =
            format!("void *malloc(unsigned); void free(void *); {outside} int main(void) {{ {inside} return 0; }}");
        for property in [Property::ValidMemtrack, Property::ValidMemcleanup] {
            let program = lowered(&text, &checking(&[property]), DataModel::Ilp32);
            let machine = Machine::new(&program).unwrap();
            let found = (0..40).any(|seed| {
                let outcome = machine.run(&mut interpreter::Random::new(seed), &Limits::steps(1000));
                matches!(outcome.ending, Ending::Error(v) if v.property == property)
            });
            leaked.push(found);
        }
    }
    assert_eq!(leaked, [true, true, false, true, false, false]);
}

#[test]
fn overflows() {
    let overflow = |message, code| violates(Property::NoOverflow, message, code);
    overflow("x + 1", "int x = 2147483647; x = x + 1;");
    overflow("x - y", "int x = -2147483647, y = 2; x = x - y;");
    overflow("x * x", "long long x = 1LL << 32; x = x * x;");
    overflow("-x", "int x = -2147483647 - 1; x = -x;");
    overflow("x++", "int x = 2147483647; x++;");
    overflow("--x", "int x = -2147483647 - 1; --x;");
    overflow("x += 5", "int x = 2147483647; x += 5;");
    overflow("x / y", "int x = -2147483647 - 1, y = -1; x = x / y;");
    overflow("x % y", "int x = -2147483647 - 1, y = -1; x = x % y;");
    overflow("x << 2", "int x = 1 << 30; x = x << 2;");
    overflow("x << 1", "int x = -2147483647; x = x << 1;");
    overflow("x << y", "int x = 1, y = 32; x = x << y;");
    overflow("s + 1", "int s = 2147483647; if (s && s + 1 > 0) s = 0;");
    is_fine(&[Property::NoOverflow], "unsigned x = -1; x++; x = x * 3 - 7; x = x << 31;");
    is_fine(
        &[Property::NoOverflow],
        "char c = 127; c++; short s = 32767; s += 1; c = 1000; unsigned char u = 255; ++u;",
    );
    is_fine(&[Property::NoOverflow], "int x = 1 << 30; x = x << 1; x = 255; x = x << 24;");
    is_fine(&[Property::NoOverflow], "int x = -8; x = x << 2; x = x >> 1; x = 2147483647; x--; x += 1;");
}

#[test]
fn divisions() {
    violates(Property::DivByZero, "x / y", "int x = 1, y = 0; x = x / y;");
    violates(Property::DivByZero, "x %= y", "unsigned x = 1, y = 0; x %= y;");
    is_fine(&[Property::DivByZero], "double x = 1, y = 0; x = x / y;");
    // Unchecked, nothing is known of what comes then: the machine traps, a compiler may leave the division out.
    for text in
        ["int x = 1, y = 0; x = x / y; reach_error();", "int x = -2147483647 - 1, y = -1; x = x / y; reach_error();"]
    {
        assert!(matches!(body(text, &checking(&[Property::UnreachCall])), Ending::BoundHit(_)), "{text}");
    }
}

#[test]
fn calls_and_assertions() {
    violates(Property::UnreachCall, "reach_error is called", "reach_error();");
    violates(Property::UnreachCall, "reach_error", "void reach_error(void) { abort(); } | reach_error();");
    let failing = "void __assert_fail(const char *, const char *, unsigned, const char *); |
        __assert_fail(\"x > 0\", \"f.c\", 1, \"main\");";
    violates(Property::Assert, "assertion fails: x > 0", failing);
    assert_eq!(body(failing, &checking(&[Property::UnreachCall])), Ending::End(EndKind::Abort));
    violates(Property::UnreachCall, "x == 0 true", "void _ABORT(int); | int x = 0; _ABORT(x == 0);");
    is_fine(&[Property::UnreachCall], "void _ABORT(int); | int x = 0; _ABORT(x == 1);");
    let blocked = "void __VERIFIER_assume(int); | __VERIFIER_assume(0); reach_error();";
    assert_eq!(body(blocked, &checking(&[Property::UnreachCall])), Ending::End(EndKind::Blocked));
    assert_eq!(body("exit(3);", &checking(&[])), Ending::End(EndKind::Exit));
    is_fine(&[Property::Termination], "reach_error();");
}

#[test]
fn environment() {
    let options = Options { allocation: Allocation::MayFail, ..checking(&MEMORY) };
    // `Zero` chooses failure.
    assert!(matches!(body("int *p = malloc(4); *p = 1;", &options), Ending::Error(_)));
    let arbitrary = Options { uninit_globals: UninitGlobals::Nondet, ..Options::default() };
    let program = lowered("int g, h = 1, a[3]; int main(void) { return g + h + a[0]; }", &arbitrary, DataModel::Lp64);
    let text = cfa::print(&program);
    assert!(text.contains("havoc (g)"), "{text}");
    assert!(!text.contains("havoc (h)"), "{text}");
    let effect = "void f(int *); int main(void) { int x = 5; f(&x); return x; }";
    for (effects, changed) in [(ExternEffects::Pure, false), (ExternEffects::Arguments, true)] {
        let options = Options { extern_effects: effects, ..Options::default() };
        let program = lowered(effect, &options, DataModel::Lp64);
        let machine = Machine::new(&program).unwrap();
        let outcome = machine.run(&mut Zero, &Limits::steps(1000));
        let five = term::Value::Bv(term::Bits::new(5, 32));
        assert_eq!(outcome.exit_code != Some(five), changed);
        assert!(program.notes.iter().any(|n| n.message.contains("no body for 'f'")));
    }
}

#[test]
fn lines_select_checks() {
    let text = "int a[3];\nint main(void) {\n  int i = 3;\n  a[i] = 0;\n  a[i + 1] = 0;\n  return 0;\n}\n";
    let only = |line| Options { only_lines: vec![("input.c".to_owned(), line)], ..checking(&MEMORY) };
    let message = |line| match run(text, &only(line), DataModel::Lp64) {
        Ending::Error(v) => v.message,
        other => format!("{other:?}"),
    };
    assert!(message(4).contains("a[i] is"), "{}", message(4));
    assert!(message(5).contains("a[i + 1] is"), "{}", message(5));
    assert_eq!(run(text, &only(6), DataModel::Lp64), Ending::End(EndKind::Return));
    // What comes after something undefined is not looked at, if that is asked for.
    let strict = |line| Options { unchecked: lower::Unchecked::Ends, ..only(line) };
    assert!(matches!(run(text, &strict(4), DataModel::Lp64), Ending::Error(_)));
    assert!(matches!(run(text, &strict(5), DataModel::Lp64), Ending::BoundHit(_)));
    let asserting = "void assert(int);\nint main(void) {\n  assert(0);\n  return 0;\n}\n";
    let only_assert = |line| Options { properties: vec![Property::Assert], ..only(line) };
    assert!(matches!(run(asserting, &only_assert(3), DataModel::Lp64), Ending::Error(_)));
    assert_eq!(run(asserting, &only_assert(4), DataModel::Lp64), Ending::End(EndKind::Abort));
    // A library function is checked as the line that calls it.
    let text = "char *strcpy(char *, const char *);\nchar a[2], b[2];\nint main(void) {\n  strcpy(a, \"abc\");\n  strcpy(b, \"abc\");\n}\n";
    assert!(matches!(run(text, &only(5), DataModel::Lp64), Ending::Error(_)));
    assert_eq!(run(text, &only(6), DataModel::Lp64), Ending::End(EndKind::Return));
}

#[test]
fn arguments_of_main() {
    let text = "void reach_error(void); int main(int argc, char **argv) { if (argc > 1) return argv[1][0]; return 0; }";
    let program = lowered(text, &Options::default(), DataModel::Lp64);
    assert!(cfa::print(&program).contains("argv"));
    let none = Options { main_arguments: lower::MainArguments::None, ..Options::default() };
    let text = "void reach_error(void); int main(int argc, char **argv) {
        if (argc == 1 && argv[0][0] == 'p' && argv[1] == 0) reach_error(); return 0; }";
    assert!(matches!(run(text, &none, DataModel::Ilp32), Ending::Error(_)));
}
