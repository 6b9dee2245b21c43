//! What plain `foldback verify FILE.c` checks, and what it says where there is nothing to check.

use crate::common::{Scratch, foldback, stdout};

/// What is printed, and the exit code.
fn verified(name: &str, program: &str, flags: &[&str]) -> (String, Option<i32>) {
    let scratch = Scratch::new(&format!("usual-{name}"));
    let file = scratch.file("p.c", program).to_string_lossy().into_owned();
    let output = foldback(["verify", "--time-limit", "30s", "--replay", "interpreter", &file].iter().chain(flags));
    (stdout(&output), output.status.code())
}

/// The lines at the end: of each property, and the result.
fn lines(text: &str) -> Vec<&str> {
    let all: Vec<&str> = text.lines().collect();
    all[all.len().saturating_sub(6)..].to_vec()
}

const NONDET: &str = "#include <assert.h>\n#include <stdlib.h>\nextern int __VERIFIER_nondet_int(void);\n";

#[test]
fn each_kind_of_mistake_is_found() {
    for (name, body, property, line) in [
        ("assert", "int x = __VERIFIER_nondet_int(); assert(x != 7);", "assert", "assert: false(assert)"),
        (
            "unreach",
            "if (__VERIFIER_nondet_int() == 7) reach_error();",
            "unreach-call",
            "unreach-call: false(unreach-call)",
        ),
        (
            "deref",
            "int a[3]; int i = __VERIFIER_nondet_int(); if (i >= 0 && i < 4) a[i] = 1;",
            "valid-deref",
            "memsafety: false(valid-deref)",
        ),
        ("leak", "int *p = malloc(4); *p = 1;", "valid-memtrack", "memsafety: false(valid-memtrack)"),
        ("overflow", "int x = __VERIFIER_nondet_int(); x = x + 1;", "no-overflow", "no-overflow: false(no-overflow)"),
        (
            "division",
            "unsigned x = __VERIFIER_nondet_int(); x = 5 / x;",
            "div-by-zero",
            "div-by-zero: false(div-by-zero)",
        ),
    ] {
        let program = format!("{NONDET}extern void reach_error(void);\nint main(void) {{ {body} return 0; }}\n");
        let (text, code) = verified(name, &program, &[]);
        assert_eq!(text.lines().last(), Some(&*format!("RESULT: false({property})")), "{text}");
        assert!(lines(&text).contains(&line), "{name}: {text}");
        assert!(!text.contains(": true"), "{name}: nothing else could be checked: {text}");
        assert_eq!(code, Some(1), "{name}");
    }
}

/// One violation does not hide the others, nor the proofs.
#[test]
fn a_line_and_a_verdict_each() {
    let program = format!(
        "{NONDET}int main(void) {{\n  int n = __VERIFIER_nondet_int(), s = 0;\n  int *a = malloc(40);\n\
         \x20 for (int i = 0; i < 10; i++) a[i] = i;\n  for (int i = 0; i < 10; i++) s += a[i];\n\
         \x20 assert(s == 45);\n  unsigned x = (unsigned)n / (unsigned)(n & 3);\n  s = n + 1;\n  free(a);\n  return (int)x;\n}}\n"
    );
    let (text, code) = verified("several", &program, &[]);
    assert_eq!(
        lines(&text),
        [
            "assert: true",
            "unreach-call: nothing to check (no call of reach_error or __VERIFIER_error)",
            "memsafety: true",
            "no-overflow: false(no-overflow)",
            "div-by-zero: false(div-by-zero)",
            "RESULT: false(no-overflow)",
        ],
        "{text}"
    );
    assert_eq!(code, Some(1));
    let places =
        ["-- no-overflow\n", "p.c:11:3: error: no-overflow: ", "-- div-by-zero\n", "p.c:10:3: error: div-by-zero: "];
    places.iter().for_each(|part| assert!(text.contains(part), "{part}: {text}"));
    assert_eq!(text.matches("an execution with these inputs").count(), 2, "each is told once: {text}");
}

#[test]
fn one_proof_of_all() {
    let program = format!(
        "{NONDET}int main(void) {{\n  int a[10], i = 0;\n  while (i < 10) {{ a[i] = i; i++; }}\n\
         \x20 assert(i == 10);\n  return a[3] / i;\n}}\n"
    );
    let (text, code) = verified("safe", &program, &[]);
    let lines = lines(&text);
    assert_eq!((lines[0], lines[2], lines[4]), ("assert: true", "memsafety: true", "div-by-zero: true"), "{text}");
    assert_eq!((lines[3], lines[5], code), ("no-overflow: true", "RESULT: true", Some(0)), "{text}");
    assert!(!text.contains("-- "), "one proof for all of them: {text}");
}

/// A program that states nothing is not verified by that.
#[test]
fn nothing_to_check_is_not_true() {
    for (name, program) in [
        ("empty", "int main(void) { return 0; }\n"),
        ("misspelt", "extern void reach_eror(void);\nint main(void) { reach_eror(); return 0; }\n"),
        ("elsewhere", "#include <assert.h>\nint main(void) { return 0; }\nvoid test(int x) { assert(x > 0); }\n"),
        ("ndebug", "#define NDEBUG\n#include <assert.h>\nint main(void) { assert(0); return 0; }\n"),
    ] {
        let (text, code) = verified(name, program, &[]);
        let last = text.lines().last().unwrap_or_default();
        assert!(last.starts_with("RESULT: unknown(nothing to check: no assertion, no call of reach_error"), "{text}");
        assert!(text.contains("assert: nothing to check (no assertion)\n"), "{text}");
        assert!(text.contains("what would help:\n  - Say what should hold: assert(condition)"), "{text}");
        assert!(!text.contains("true"), "{text}");
        assert_eq!(code, Some(3), "{name}");
    }
    // Who asks by name gets an answer, and is told.
    let (text, code) = verified("asked", "int main(void) { return 0; }\n", &["-p", "no-overflow"]);
    assert!(text.contains("note: nothing to check: no signed arithmetic in what main executes\n"), "{text}");
    assert_eq!((text.lines().last(), code), (Some("RESULT: true"), Some(0)), "{text}");
}

/// An assertion that surely holds, or is never come to, was checked all the same.
#[test]
fn what_cannot_fail_was_checked() {
    for (name, body) in [("constant", "assert(1 < 2);"), ("dead", "if (0) assert(0);")] {
        let (text, code) =
            verified(name, &format!("#include <assert.h>\nint main(void) {{ {body} return 0; }}\n"), &[]);
        assert_eq!((lines(&text)[0], code), ("assert: true", Some(0)), "{text}");
        assert!(text.contains("memsafety: nothing to check (no array or pointer, no heap)"), "{text}");
    }
}

/// What is not modelled may do anything: that nothing else is there to check is not the point.
#[test]
fn what_is_not_modelled_is_named() {
    let program = "#include <signal.h>\nextern void reach_error(void);\nvoid f(int n) { reach_error(); }\n\
                   int main(void) { signal(SIGINT, f); return 0; }\n";
    let (text, code) = verified("signal", program, &[]);
    assert!(text.contains("RESULT: unknown(unsupported: ") && code == Some(3), "{text}");
}

/// What was found before the time was up is the answer.
#[test]
fn a_violation_outlives_the_limit() {
    let program = "extern unsigned __VERIFIER_nondet_uint(void);\nextern void reach_error(void);\n\
        int main(void) { unsigned long long n = __VERIFIER_nondet_uint(), x = 0, y = 1, s = 0;\n\
        int i = (int)n;\n  i = i + 1;\n\
        while (x < n) { x++; y = y * 6364136223846793005ull + 1442695040888963407ull; s += (y >> 33) * (x ^ s); }\n\
        if (s == 123456789012345ull && n > 1000) reach_error(); return 0; }\n";
    let (text, code) = verified("limit", program, &["--wall-limit", "3s"]);
    assert!(text.contains("no-overflow: false(no-overflow)\n"), "{text}");
    assert!(text.contains("unreach-call: unknown(time limit)\n"), "{text}");
    assert!(text.ends_with("RESULT: false(no-overflow)\n") && code == Some(1), "{text}");
    assert_eq!(text.matches("error: no-overflow").count(), 1, "told once: {text}");
}
