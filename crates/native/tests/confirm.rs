//! Programs that violate a property, run as compiled programs: what counts, and what does not.

#![allow(clippy::print_stderr)]

use cfa::{DataModel, Program, Property};
use interpreter::{Ending, Inputs, Limits, Machine, Outcome, Random};
use native::{Build, Native, confirm};
use sandbox::Wall;
use std::path::PathBuf;
use std::time::Duration;

/// A program in a folder of its own.
struct Case {
    _folder: sandbox::Folder,
    file: PathBuf,
    program: Program,
}

fn is_library(name: &str) -> bool {
    name == "printf" || name.starts_with("__foldback_") || lower::library::is_approximated(name)
}

impl Case {
    fn new(text: &str, properties: &[Property]) -> Case {
        let folder = sandbox::Folder::new().expect("a folder");
        let file = folder.path().join("program.c");
        std::fs::write(&file, text).expect("a file");
        let options = cfront::Options::new(cfront::types::DataModel::Lp64);
        let inputs = [cfront::Input::Path(file.clone())];
        let unit = lower::library::load(&inputs, &options, "main").unwrap_or_else(|f| panic!("{}", f.render()));
        let options = lower::Options { properties: properties.to_vec(), ..lower::Options::default() };
        let program = lower::lower(&unit, &options).unwrap_or_else(|_| panic!("it is not lowered: {text}"));
        Case { _folder: folder, file, program }
    }

    fn build(&self) -> Build {
        Build {
            files: vec![self.file.clone()],
            entry: "main".into(),
            changed: Vec::new(),
            includes: Vec::new(),
            defines: Vec::new(),
            front: cfront::Options::new(cfront::types::DataModel::Lp64),
            flags: Vec::new(),
            data_model: DataModel::Lp64,
            error_functions: lower::Options::default().error_functions,
            library: is_library,
            is_given: |_| true,
            wall: Wall::Confined,
        }
    }

    /// A run that violates something.
    fn violating(&self) -> (Outcome, Property) {
        let machine = Machine::new(&self.program).expect("it can be executed");
        for seed in 0..3000 {
            let mut inputs: Box<dyn Inputs> = Box::new(Random::new(seed));
            let outcome = machine.run(inputs.as_mut(), &Limits::steps(100_000));
            if let Ending::Error(violation) = &outcome.ending {
                let property = violation.property;
                return (outcome, property);
            }
        }
        panic!("nothing is violated")
    }

    fn confirm(&self) -> Native {
        let (outcome, property) = self.violating();
        confirm(&self.program, &outcome, property, &self.build(), Duration::from_secs(60))
    }
}

fn confined() -> bool {
    match sandbox::protection().suffices() {
        Ok(()) => true,
        Err(why) => {
            eprintln!("skipped: compiled programs cannot be shut in here: {why}");
            false
        }
    }
}

const REACH: &[Property] = &[Property::UnreachCall, Property::Assert];
const MEMORY: &[Property] =
    &[Property::ValidDeref, Property::ValidFree, Property::ValidMemtrack, Property::ValidMemcleanup];

#[test]
fn checks_that_are_confirmed() {
    if !confined() {
        return;
    }
    let cases = [
        "#include <assert.h>\nint __VERIFIER_nondet_int(void);\nint main(void) {\n  int x = __VERIFIER_nondet_int();\n  assert(x != 3 && x < 100);\n  return 0;\n}\n",
        // Own error functions: defined, static, old-style, without body, by a pointer.
        "void reach_error(void) { }\nint main(void) { reach_error(); return 0; }\n",
        "static void reach_error(void) { }\nint main(void) { reach_error(); return 0; }\n",
        "void reach_error(x) int x; { }\nint main(void) { reach_error(1); return 0; }\n",
        "extern void reach_error(void);\nint main(void) { reach_error(); return 0; }\n",
        "extern void reach_error(void);\nint main(void) { void (*f)(void) = reach_error; f(); return 0; }\n",
        // Checks without body.
        "void __VERIFIER_assert(int c);\nint __VERIFIER_nondet_int(void);\nint main(void) { int x = __VERIFIER_nondet_int(); __VERIFIER_assert(x > 5); return 0; }\n",
        "void assert(long c);\nint main(void) { assert(0); return 0; }\n",
        // Undeclared, with an argument that goes elsewhere than an integer.
        "int main(void) { double x = 0.0; assert(x); return 0; }\n",
        // The user's functions without body.
        "#include <assert.h>\nvoid start(int level);\nshort sensor(void);\nvoid *handle(void);\nint main(void) { start(1); short s = sensor(); if (handle() == 0) s = 0; assert(s < 0); return 0; }\n",
        // A macro that we define and the compiler does not.
        "#include <assert.h>\nint main(void) {\n#ifndef __FOLDBACK__\n  return 0;\n#endif\n  assert(0);\n  return 0; }\n",
        // Functions of the library that the program declares itself; the library has one of them for each kind of processor.
        "extern void *memmove(void *, const void *, unsigned long);\nextern unsigned long strlen(const char *);\n\
         extern void reach_error(void);\nint main(void) { char t[8] = \"abc\"; memmove(t + 1, t, 4);\n  \
         if (strlen(t) == 4 && t[3] == 'c') reach_error();\n  return 0; }\n",
        // A line that says it is another one.
        "#include <assert.h>\nint main(void) {\n#line 500 \"/nowhere/other.c\"\n  assert(0); return 0; }\n",
    ];
    for text in cases {
        assert_eq!(Case::new(text, REACH).confirm(), Native::Confirmed, "{text}");
    }
}

/// As CBMC writes them, which no compiler reads. Each is exact: where one value more or less is asked for, the run goes elsewhere.
#[test]
fn quantifiers_are_run() {
    if !confined() {
        return;
    }
    let holds = "int a[4] = {1, 2, 3, 4}; unsigned n = 4;";
    let truths = [
        "__CPROVER_forall { int i; (i >= 0 && i < n) ==> a[i] == i + 1 }",
        "__CPROVER_forall { signed char i; (i < 0 || i >= 4) || a[i] > 0 }",
        "__CPROVER_forall { unsigned char i; i < 4 ==> i > 0 ==> a[i] > a[i - 1] }",
        "__CPROVER_forall { signed char i; i < 0 ==> i + 1 <= 0 }",
        "__CPROVER_forall { unsigned i; i < n ==> __CPROVER_exists { unsigned j; j < n && a[j] == i + 1 } }",
        "__CPROVER_exists { int i; i >= 0 && i <= 3 && a[i] == 4 }",
        "__CPROVER_exists { signed char i; i == -128 }",
        "__CPROVER_exists { unsigned char i; i == 255 }",
        "!__CPROVER_exists { int i; i >= 0 && i < n && a[i] == 5 }",
        "!__CPROVER_forall { int i; i >= 0 && i <= 3 ==> a[i] != 4 }",
    ];
    for truth in truths {
        // Which value there is would have to be guessed, where some is assumed.
        let assumed = if truth.starts_with("__CPROVER_exists") { "1" } else { truth };
        let text = format!(
            "int main(void) {{\n  {holds}\n  __CPROVER_assume({assumed});\n  __CPROVER_assert(!({truth}), \"not\");\n  return 0;\n}}\n"
        );
        assert_eq!(Case::new(&text, REACH).confirm(), Native::Confirmed, "{text}");
    }
}

/// What the program does by itself is no confirmation: the run is changed so that its check does not fail natively.
#[test]
fn exit_codes_and_signals_mean_nothing() {
    if !confined() {
        return;
    }
    for ending in ["return 77", "abort()", "__builtin_trap()", "*(volatile int *)0 = 1", "missing()", "exit(1)"] {
        let text = format!(
            "#include <assert.h>\n#include <stdlib.h>\nextern struct s {{ int i[9]; }} missing(void);\n\
             int __VERIFIER_nondet_int(void);\nint main(void) {{\n  int x = __VERIFIER_nondet_int();\n  if (x == 0) {{ {ending}; }}\n  assert(x == 0);\n  return 77;\n}}\n"
        );
        let case = Case::new(&text, REACH);
        let (mut outcome, property) = case.violating();
        // All inputs are zero then.
        outcome.inputs.clear();
        let native = confirm(&case.program, &outcome, property, &case.build(), Duration::from_secs(60));
        assert!(matches!(native, Native::Missed(_)), "{ending}: {native:?}");
    }
}

#[test]
fn another_check_is_not_ours() {
    if !confined() {
        return;
    }
    let text = "#include <assert.h>\nint __VERIFIER_nondet_int(void);\nint main(void) {\n  int x = __VERIFIER_nondet_int(); if (x == 0) assert(0 && \"a\"); assert(x == 0);\n  return 0;\n}\n";
    let case = Case::new(text, REACH);
    let (mut outcome, property) = case.violating();
    assert_eq!(confirm(&case.program, &outcome, property, &case.build(), Duration::from_secs(60)), Native::Confirmed);
    outcome.inputs.clear();
    match confirm(&case.program, &outcome, property, &case.build(), Duration::from_secs(60)) {
        Native::Missed(how) => assert!(how.contains("another check fails") && how.contains("program.c:4"), "{how}"),
        other => panic!("{other:?}"),
    }
}

/// The library's own functions are never ours.
/// Long runs are optimised; the optimiser must not make one call of two, nor a jump of a call.
#[test]
fn optimised_checks_are_told_apart() {
    if !confined() {
        return;
    }
    let head = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);\n";
    let last_calls = "void check(int c) { if (!c) reach_error(); }\n\
         int main(void) { int x = __VERIFIER_nondet_int() & 7; check(x != 3); return 0; }";
    let two_calls = "int main(void) { int k = __VERIFIER_nondet_int() & 3;\n\
         if (k == 1)\n  reach_error();\n else if (k == 2)\n  reach_error();\n return 0; }";
    let alike = "static void a(void) { reach_error(); }\n static void b(void) {\n  reach_error(); }\n\
         int main(void) { int k = __VERIFIER_nondet_int() & 3; if (k == 1) a(); else if (k == 2) b(); return 0; }";
    let own = "void reach_error(void) { }\n int main(void) { int k = __VERIFIER_nondet_int() & 3;\n\
         if (k == 1)\n  reach_error();\n return 0; }";
    for text in [last_calls, two_calls, alike].map(|text| format!("{head}{text}")).into_iter().chain([
        own.replace("void reach_error(void) { }", "int __VERIFIER_nondet_int(void); void reach_error(void) { }"),
        own.replace(
            "void reach_error(void) { }",
            "int __VERIFIER_nondet_int(void); static inline void (reach_error)() { }",
        ),
    ]) {
        let case = Case::new(&text, &[Property::UnreachCall]);
        let (outcome, property) = case.violating();
        let long = Outcome { steps: u64::MAX, ..outcome };
        let found = confirm(&case.program, &long, property, &case.build(), Duration::from_secs(60));
        assert_eq!(found, Native::Confirmed, "{text}");
    }
}

#[test]
fn the_library_stays_the_library() {
    if !confined() {
        return;
    }
    // The interpreter has some value for `hypot`, the library has the right one.
    let text = "#include <assert.h>\nextern double hypot(double, double);\nint main(void) { assert(hypot(3, 4) == 5); return 77; }\n";
    let case = Case::new(text, REACH);
    let machine = Machine::new(&case.program).expect("it can be executed");
    let outcome = machine.run(&mut Random::new(1), &Limits::steps(10_000));
    if let Ending::Error(violation) = &outcome.ending {
        let native = confirm(&case.program, &outcome, violation.property, &case.build(), Duration::from_secs(60));
        assert!(matches!(native, Native::NotTheLibrary(_)), "{native:?}");
    }
}

#[test]
fn sanitizers_name_place_and_kind() {
    if !confined() {
        return;
    }
    let memory = [
        "int main(void) {\n  int a[4];\n  int *p = a + 4;\n  return *p;\n}\n",
        "#include <stdlib.h>\nint main(void) {\n  int *p = malloc(4);\n  if (!p) return 0;\n  free(p);\n  return *p;\n}\n",
        "#include <stdlib.h>\nint main(void) {\n  int *p = malloc(4);\n  if (!p) return 0;\n  free(p);\n  free(p);\n  return 0;\n}\n",
        "int main(void) {\n  int *p = 0;\n  *p = 1;\n  return 0;\n}\n",
        "#include <string.h>\nint main(void) {\n  char a[4], b[8];\n  memset(b, 1, 8);\n  memcpy(a, b, 8);\n  return 0;\n}\n",
    ];
    for text in memory {
        assert_eq!(Case::new(text, MEMORY).confirm(), Native::Confirmed, "{text}");
    }
    let leak = "#include <stdlib.h>\nstatic void f(void) { int *p = malloc(4); p = 0; }\nint main(void) {\n  f();\n  return 0;\n}\n";
    assert_eq!(Case::new(leak, MEMORY).confirm(), Native::Confirmed, "{leak}");
    let arithmetic = [
        (
            "#include <limits.h>\nint main(void) {\n  int x = INT_MAX;\n  x = x + 1;\n  return 0;\n}\n",
            Property::NoOverflow,
        ),
        ("int main(void) {\n  int x = 0;\n  return 1 / x;\n}\n", Property::DivByZero),
    ];
    for (text, property) in arithmetic {
        assert_eq!(Case::new(text, &[property]).confirm(), Native::Confirmed, "{text}");
    }
}
