//! Danger invariants from files, and termination, as the user sees them.

#[allow(dead_code, reason = "each test uses a part of it")]
mod common;

use common::{Scratch, foldback, root, stderr, stdout};
use std::ffi::OsString;

/// What is said about the example with the given danger invariant.
fn crackaddr(scratch: &Scratch, yaml: &str) -> String {
    let file = scratch.file("danger.yml", yaml);
    let arguments: [OsString; 4] =
        ["verify".into(), root().join("examples/crackaddr.c").into(), "--danger-invariant".into(), file.into()];
    let output = foldback(arguments);
    stdout(&output) + &stderr(&output)
}

#[test]
fn written_danger_invariants_are_checked() {
    let scratch = Scratch::new("danger");
    let right = std::fs::read_to_string(root().join("examples/crackaddr.danger.yml")).expect("the example");
    let said = crackaddr(&scratch, &right);
    assert!(said.contains("RESULT: false(unreach-call)"), "{said}");
    let mutants = [
        ("in <= 200", "in <= 100", "is reached outside its invariant"),
        ("200 - in", "in", "ranking does not decrease"),
        ("? '(' : ')'", "? ')' : '('", "is reached outside its invariant"),
        ("out == in", "out == in + 1", "first reached outside its invariant"),
        ("in <= 200 &&", "in <= 1000000 &&", "ends without a violation"),
        ("upperlimit == 190 + in / 2", "upperlimit >= 190", "is reached outside its invariant"),
    ];
    for (from, to, reason) in mutants {
        assert!(right.contains(from), "{from}");
        let said = crackaddr(&scratch, &right.replace(from, to));
        assert!(
            said.contains("RESULT: unknown(the danger invariant does not hold") && said.contains(reason),
            "{to}: {said}"
        );
    }
    let said = crackaddr(&scratch, &right.replace("line: 15", "line: 3"));
    assert!(said.contains("there is no loop"), "{said}");
}

fn terminates(scratch: &Scratch, source: &str) -> String {
    let file = scratch.file("program.c", source);
    let arguments: [OsString; 6] =
        ["verify".into(), file.into(), "--property".into(), "termination".into(), "--time-limit".into(), "30s".into()];
    let output = foldback(arguments);
    stdout(&output).lines().last().unwrap_or_default().to_owned()
}

#[test]
fn termination_is_decided() {
    let scratch = Scratch::new("termination");
    let input = "extern int __VERIFIER_nondet_int(void);\n";
    let loops = format!("{input}int main() {{ int n = __VERIFIER_nondet_int(); while (n > 0) n--; return 0; }}");
    assert_eq!(terminates(&scratch, &loops), "RESULT: true");
    let endless = format!(
        "{input}int main() {{ int n = __VERIFIER_nondet_int(); while (n > 0) {{ if (n > 5) n--; }} return 0; }}"
    );
    assert_eq!(terminates(&scratch, &endless), "RESULT: false(termination)");
    assert_eq!(terminates(&scratch, "int main() { while (1) ; }"), "RESULT: false(termination)");
    // Recursion beyond the bound of the model is neither.
    let recursion = terminates(&scratch, "void f(void) { f(); } int main() { f(); return 0; }");
    assert!(recursion.starts_with("RESULT: unknown"), "{recursion}");
    // Only overflow makes this one infinite.
    let wraps = terminates(&scratch, "int main() { int x = 1; while (x != 0) { x = x + 2; } return 0; }");
    assert!(wraps.starts_with("RESULT: unknown"), "{wraps}");
}
