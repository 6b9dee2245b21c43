//! What is said about a program's variables is true of them, also where simplification took writes away.

use crate::common::{Scratch, foldback, stderr, stdout};
use std::ffi::OsStr;

const DECLARATIONS: &str = "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\n";

/// In the last loop nothing rests on `i`, whose older value `n` has: what holds of that value is no invariant of `i`.
const PROGRAMS: [(&str, &str); 3] = [
    (
        "local",
        "int main(void) {
  int i = 0, k = 0, n;
  while (__VERIFIER_nondet_int() && i <= 1000) { i = i + 1; k = k + 1; }
  int j = 0;
  n = i;
  while (1) {
    if (k < 0) reach_error();
    k = k - 1; i = i - 1; j = j + 1;
    if (j >= n) break;
  }
  return 0;
}",
    ),
    (
        "global",
        "int i;
int main(void) {
  int k = 0, n;
  while (__VERIFIER_nondet_int() && i <= 1000) { i = i + 1; k = k + 1; }
  int j = 0;
  n = i;
  while (1) {
    if (k < 0) reach_error();
    k = k - 1; i = i - 1; j = j + 1;
    if (j >= n) break;
  }
  return 0;
}",
    ),
    (
        "sliced",
        "int main(void) {
  int i = 0, k = 0, n, other = 0;
  while (__VERIFIER_nondet_int() && i <= 1000) { i = i + 1; k = k + 1; }
  int j = 0;
  n = i;
  while (1) {
    if (k < 0) reach_error();
    if (i > 5) other = other + 1;
    k = k - 1; i = i - 1; j = j + 1;
    if (j >= n) break;
  }
  return other;
}",
    ),
];

#[test]
fn witnesses_and_invariants_speak_of_what_variables_hold() {
    let scratch = Scratch::new("stale");
    for (name, body) in PROGRAMS {
        let file = scratch.file(&format!("{name}.c"), format!("{DECLARATIONS}{body}\n"));
        let witness = scratch.path(&format!("{name}.yml"));
        let words = ["verify", "--property", "unreach-call", "--time-limit", "60s", "--witness"].map(OsStr::new);
        let output = foldback([&words[..], &[witness.as_os_str(), file.as_os_str()]].concat());
        let said = stdout(&output) + &stderr(&output);
        assert!(said.contains("RESULT: true"), "{name}: {said}");
        let words = ["check-witness", "--time-limit", "60s"].map(OsStr::new);
        let output = foldback([&words[..], &[witness.as_os_str(), file.as_os_str()]].concat());
        let checked = stdout(&output) + &stderr(&output);
        // What was proved after simplification only may not suffice before it, but it is true.
        let is_true = checked.contains("RESULT: confirmed") || checked.contains("RESULT: insufficient");
        assert!(is_true, "{name}: {said}{checked}");
        assert!(name != "local" || checked.contains("RESULT: confirmed"), "{name}: {said}{checked}");
        // The last loop takes `i` down below zero, one step more than `n` says.
        let shown = said.split("invariants:").nth(1).unwrap_or_default();
        let last = shown.split("loop at").last().unwrap_or_default().split("proved again").next().unwrap_or_default();
        assert!(!last.contains("i == n") && !last.contains("n == i"), "{name}: {said}");
    }
}
