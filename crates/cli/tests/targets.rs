//! Targets of violation witnesses: the violation must be there, and of that property.

use crate::common::{Scratch, foldback, stderr, stdout};

/// What `check-witness` says to a witness with only a target.
fn targeted(name: &str, program: &str, property: &str, location: &str) -> String {
    let scratch = Scratch::new(name);
    let file = scratch.file("program.c", program);
    let witness = scratch.file(
        "witness.yml",
        format!(
            "- entry_type: violation_sequence\n  metadata:\n    format_version: \"2.0\"\n    task:\n      \
             specification: \"CHECK( init(main()), LTL({property}) )\"\n      data_model: LP64\n  content:\n    - segment:\n        \
             - waypoint: {{type: target, action: follow, location: {{file_name: \"program.c\", {location}}}}}\n"
        ),
    );
    let [witness, file] = [&witness, &file].map(|path| path.to_str().expect("a plain path"));
    let output = foldback(["check-witness", "--replay", "interpreter", "--time-limit", "60s", witness, file]);
    let said = stdout(&output);
    said.lines().last().unwrap_or_default().to_owned() + &stderr(&output)
}

/// The program, its property, and locations with how the answer begins.
fn check(name: &str, program: &str, property: &str, answers: &[(&str, &str)]) {
    for (number, (location, expected)) in answers.iter().enumerate() {
        let said = targeted(&format!("target-{name}-{number}"), program, property, location);
        assert!(said.starts_with(&format!("RESULT: {expected}")), "{name}: {location}: {said}");
    }
}

const NOTHING_THERE: &str = "rejected(nothing at the target";

#[test]
fn a_target_is_where_the_check_is() {
    let program = "extern int __VERIFIER_nondet_int(void);
int half(int x) { int one = 1; return x / one; }
int main(void) {
  int n = __VERIFIER_nondet_int(); int m = half(n);
  while (m > 0 && m < 100)
    m = m - 2;
  if (n + 1 > 2)
    return half(n)
      + n;
  return 0;
}
";
    let answers = [
        ("line: 7, column: 3, function: main", "confirmed"),
        ("line: 7, column: 7, function: main", "confirmed"),
        ("line: 7", "confirmed"),
        ("line: 8, column: 5, function: main", "confirmed"),
        ("line: 7, column: 30, function: main", NOTHING_THERE),
        ("line: 7, column: 3, function: half", NOTHING_THERE),
        ("line: 4, column: 3, function: main", NOTHING_THERE),
        ("line: 400, column: 3, function: main", NOTHING_THERE),
        ("line: 10, column: 3, function: main", NOTHING_THERE),
        // A check that no execution violates, and a loop that only has another statement's check.
        ("line: 6, column: 5, function: main", "rejected(no execution"),
        ("line: 5, column: 3, function: main", NOTHING_THERE),
    ];
    check("overflow", program, "G ! overflow", &answers);
    check("division", program, "G ! call(reach_error())", &[("line: 7, column: 3", NOTHING_THERE)]);
}

#[test]
fn errors_are_at_their_calls() {
    let program = "extern void abort(void);
void reach_error(void) { abort(); }
extern int __VERIFIER_nondet_int(void);
static void check(int c) { if (!c) { ERROR: { reach_error(); abort(); } } }
int main(void) { int n = __VERIFIER_nondet_int();
  check(n != 3);
  return n; }
";
    let answers = [
        ("line: 4, column: 47, function: check", "confirmed"),
        ("line: 4, function: check", "confirmed"),
        ("line: 7, column: 3, function: main", NOTHING_THERE),
        ("line: 5, column: 18, function: main", NOTHING_THERE),
    ];
    check("reach", program, "G ! call(reach_error())", &answers);
}

#[test]
fn what_the_library_finds_is_at_the_call() {
    let program = "#include <string.h>
int main(void) {
  char a[4], b[8];
  strcpy(b, \"four\");
  strcpy(a, \"three\");
  strcpy(a, b);
  return a[0];
}
";
    let answers = [
        ("line: 5, column: 3, function: main", "confirmed"),
        // That one is behind the first violation.
        ("line: 4, column: 3, function: main", "rejected(no execution"),
        ("line: 3, column: 3, function: main", NOTHING_THERE),
    ];
    check("library", program, "G valid-deref", &answers);
}

/// Nobody wrote the place where a leak shows: the last statement stands for it.
#[test]
fn leaks_are_at_the_end() {
    let program = "#include <stdlib.h>
int main(void) {
  char *p = malloc(4);
  p = NULL;
  return 0;
}
";
    let answers = [
        ("line: 5, column: 3, function: main", "confirmed"),
        ("line: 6", "confirmed"),
        ("line: 4, column: 3, function: main", NOTHING_THERE),
        ("line: 3, column: 3, function: main", NOTHING_THERE),
    ];
    check("memtrack", program, "G valid-memtrack", &answers);
    check("memcleanup", program, "G valid-memcleanup", &answers);
}
