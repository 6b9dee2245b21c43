//! C as gcc has it: what is supported gives gcc's values, what is not is unsupported by its name, and a property names the
//! shifts that C leaves undefined.

use cfa::{EndKind, Property};
use cfront::Input;
use cfront::types::DataModel;
use interpreter::{Ending, Limits, Machine, Random};

/// How the program ends, and what it prints.
fn run_with(text: &str, property: Property) -> (Ending, String) {
    let options = lower::Options {
        main_arguments: lower::MainArguments::None,
        properties: vec![property],
        ..lower::Options::default()
    };
    let input = Input::Text { name: "program.c".to_owned(), text: text.to_owned() };
    let unit = lower::library::load(&[input], &cfront::Options::new(DataModel::Lp64), "main")
        .unwrap_or_else(|f| panic!("{}", f.render()));
    let program = lower::lower(&unit, &options).unwrap();
    cfa::assert_sound(&program, cfa::Form::Function);
    let mut out = Vec::new();
    let outcome = Machine::new(&program).unwrap().run_with(&mut Random::new(7), &Limits::default(), &mut out, None);
    (outcome.ending, String::from_utf8(out).unwrap())
}

fn run(text: &str) -> (Ending, String) {
    run_with(text, Property::UnreachCall)
}

fn unsupported(text: &str) -> String {
    match run(text).0 {
        Ending::Unsupported(what) => what,
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_changes_the_program_and_is_not_modelled_is_named() {
    let main = "int main(void) { return 0; }";
    for (declaration, name) in [
        ("struct s { int a; } __attribute__((scalar_storage_order(\"big-endian\")));", "scalar_storage_order"),
        ("struct s { char a; int b : 3; } __attribute__((ms_struct));", "ms_struct"),
        ("int f(void) __attribute__((ifunc(\"g\")));", "ifunc"),
        ("void f(void); void (*p)(void) __attribute__((section(\".init_array\"))) = f; void f(void) {}", ".init_array"),
        (
            "void f(void); void (*p)(void) __attribute__((section(\".fini_array.5\"))) = f; void f(void) {}",
            ".fini_array",
        ),
    ] {
        let what = unsupported(&format!("{declaration} {main}"));
        assert!(what.contains(name), "{declaration}: {what}");
    }
}

#[test]
fn attributes_without_meaning_are_accepted() {
    let text = "static int f(int a) __attribute__((noinline, pure, nonnull, made_up_by_somebody(1, 2)));
        static int f(int a) { return a; } int main(void) { return f(0); }";
    assert!(matches!(run(text).0, Ending::End(EndKind::Return)));
}

#[test]
fn a_nested_function_of_a_recursive_one_is_named() {
    let text = "static int f(int n) { int g(void) { return n; } return n == 0 ? g() : f(n - 1); }
        int main(void) { return f(3); }";
    assert!(unsupported(text).contains("nested function in 'f'"));
}

#[test]
fn a_function_of_the_program_is_no_builtin() {
    let text = "int printf(const char *, ...);
        static int __atomic_add_unless(int *v, int a, int u) { if (*v == u) return 0; *v += a; return 1; }
        int main(void) { int x = 1; printf(\"%d %d\", __atomic_add_unless(&x, 5, 1), __atomic_add_unless(&x, 5, 7));
            printf(\" %d\\n\", x); return 0; }";
    // From right to left.
    assert_eq!(run(text).1, "1 1 11\n");
}

#[test]
fn words_of_c23() {
    let text = "int printf(const char *, ...);
        [[nodiscard]] static int twice([[maybe_unused]] int x) { return 2 * x; }
        int main(void) { bool t = true; constexpr int five = 5; int *p = nullptr; int z = {};
            printf(\"%d %d %d %d %d %d\\n\", t, false, five, p == nullptr, z, twice(1'000 + 0b11)); return 0; }";
    assert_eq!(run(text).1, "1 0 5 1 0 2006\n");
}

#[test]
fn names_of_c23_may_be_the_programs_own() {
    let text = "typedef unsigned char bool; enum { false, true }; int constexpr;
        int main(void) { bool b = true; constexpr = b; return constexpr - 1; }";
    assert!(matches!(run(text).0, Ending::End(EndKind::Return)));
}

#[test]
fn undefined_shifts_of_every_type() {
    for (shift, is_defined) in [
        ("1u << 31", true),
        ("a >> 31", true),
        ("a >> n", false),
        ("1u << n", false),
        ("a >> -1", false),
        ("1l << 63", true),
        ("1l << 64u", false),
    ] {
        let text = format!("int main(void) {{ int a = 5, n = 32; return ({shift}) == 3; }}");
        let ending = run_with(&text, Property::UndefinedShift).0;
        let found = matches!(&ending, Ending::Error(v) if v.property == Property::UndefinedShift);
        assert_eq!(!found, is_defined, "{shift}: {ending:?}");
    }
}
