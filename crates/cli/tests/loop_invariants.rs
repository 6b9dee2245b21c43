//! The user's loop invariants help whatever is asked for, and are an answer to nothing else than `assert`.

use crate::common::{Scratch, foldback, stderr, stdout};

fn verify(name: &str, program: &str, flags: &[&str]) -> (String, String) {
    let scratch = Scratch::new(name);
    let file = scratch.file("program.c", program);
    let words = ["verify", file.to_str().expect("a plain path"), "--time-limit", "20s"];
    let output = foldback(words.iter().chain(flags));
    let said = stdout(&output);
    let result = said.lines().last().and_then(|line| line.strip_prefix("RESULT: ")).unwrap_or_default().to_owned();
    (result, said + &stderr(&output))
}

/// By itself k-induction needs as many steps as the loop has iterations.
fn counting(invariant: &str) -> String {
    format!(
        "int main(void) {{\n  unsigned i = 0, j = 0;\n  int a[4];\n  while (i < 1000000) {invariant} {{ if (i & 1) j += 7; else j -= 3; \
         i++; }}\n  if (j != 2000000) a[9] = 1;\n  return 0;\n}}\n"
    )
}

#[test]
fn they_help_without_being_asked_for() {
    let good = counting("__CPROVER_loop_invariant(i <= 1000000 && j == i / 2 * 4 - i % 2 * 3)");
    for flags in [
        &["--property", "valid-deref", "--engine", "kind"][..],
        &["--property", "valid-deref", "--property", "no-overflow", "--engine", "kind"],
    ] {
        let (result, said) = verify("invariants-good", &good, flags);
        assert_eq!(result, "true", "{said}");
    }
}

#[test]
fn false_ones_are_no_answer() {
    let wrong = counting("__CPROVER_loop_invariant(i <= 3)");
    let (result, said) = verify("invariants-wrong", &wrong, &["--property", "valid-deref"]);
    assert!(result == "true" || result.starts_with("unknown"), "{said}");
    let (result, said) = verify("invariants-asked", &wrong, &["--property", "assert"]);
    assert_eq!(result, "false(assert)", "{said}");
    // Behind the place where it fails there is a bug.
    let bug = "int main(void) {\n  int i = 0, a[8];\n  while (i <= 8) __CPROVER_loop_invariant(i < 8) { a[i] = i; i++; }\n  return a[0];\n}\n";
    let (result, said) = verify("invariants-bug", bug, &["--property", "valid-deref"]);
    assert_eq!(result, "false(valid-deref)", "{said}");
    // An assertion that fails ends no execution that never ends.
    let endless = "int main(void) {\n  int i = 0;\n  while (i >= 0) __CPROVER_loop_invariant(i != 0) { i = 0; }\n  return 0;\n}\n";
    for flags in [&["--property", "termination"][..], &["--property", "termination", "--property", "no-overflow"]] {
        let (result, said) = verify("invariants-endless", endless, flags);
        assert!(result != "true" && !said.contains("termination: true"), "{said}");
    }
}
