//! The programs under tests/properties violate what their first lines say, at the line they say, or nothing.

use crate::common::{Scratch, foldback, root, stderr, stdout};
use std::path::Path;

/// The text behind `// key: ` on the line with that number.
fn header<'t>(text: &'t str, line: usize, key: &str) -> &'t str {
    let prefix = format!("// {key}: ");
    text.lines()
        .nth(line)
        .and_then(|line| line.strip_prefix(&prefix))
        .unwrap_or_else(|| panic!("no line '{prefix}...'"))
}

/// What is wrong with the run, if anything. Leaks are looked for in one heap block chosen at random: hence the seeds.
fn problem(program: &Path, model: &str) -> Option<String> {
    let text = std::fs::read_to_string(program).expect("a program");
    let (property, expected) = (header(&text, 0, "property"), header(&text, 1, "expect"));
    let path = program.to_str().expect("a plain path");
    let mut last = String::new();
    for seed in 0..8 {
        let seed = seed.to_string();
        let output = foldback(["run", "--property", property, "--data-model", model, "--seed", &seed, path]);
        last = stderr(&output);
        let is_seen = last.contains(": error: ");
        let is_right = match expected {
            // Exit codes tell how a run ended: an assumption that does not hold is no violation.
            "ok" => !is_seen,
            "unknown" if output.status.code() == Some(0) => continue,
            "unknown" => output.status.code() == Some(125),
            _ if !is_seen => continue,
            _ => output.status.code() == Some(134),
        };
        if !is_right {
            return Some(format!("{path} ({model}): expected {expected}, got {:?}: {last}", output.status.code()));
        }
        if expected == "unknown" {
            return None;
        }
        if expected != "ok" {
            let words: Vec<&str> = expected.split(' ').collect();
            let [_, part, _, line] = words[..] else {
                return Some(format!("{path}: strange expectation '{expected}'"));
            };
            let first = last.lines().find(|line| line.contains(": error: ")).unwrap_or_default();
            let right = first.contains(&format!(".c:{line}:")) && first.contains(&format!(": error: {part}: "));
            return (!right).then(|| format!("{path} ({model}): expected {expected}, got {first}"));
        }
    }
    (expected != "ok").then(|| format!("{path} ({model}): expected {expected}, got {last}"))
}

#[test]
fn single_executions() {
    let read = std::fs::read_dir(root().join("tests/properties")).expect("the programs");
    let mut programs: Vec<_> = read.map(|entry| entry.expect("a directory entry").path()).collect();
    programs.retain(|path| path.extension().is_some_and(|e| e == "c"));
    programs.sort();
    assert!(programs.len() > 30, "the programs are missing");
    let problems: Vec<String> =
        programs.iter().flat_map(|program| ["lp64", "ilp32"].map(|model| problem(program, model))).flatten().collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// What C defines but programmers seldom mean, each beside the same with a guard; and pointers that only leave their object.
const DEFINED: &str = r#"
unsigned __VERIFIER_nondet_uint(void);
int __VERIFIER_nondet_int(void);
double __VERIFIER_nondet_double(void);
int wraps(void) { unsigned a = __VERIFIER_nondet_uint(); return a + 1u > 0; }
int stays(void) { unsigned a = __VERIFIER_nondet_uint(); return a > 10 ? 0 : a + 1u > 0; }
int negates(void) { unsigned a = __VERIFIER_nondet_uint(); return -a > 3; }
int narrows(void) { int a = __VERIFIER_nondet_int(); unsigned char c = a; return c; }
int fits(void) { int a = __VERIFIER_nondet_int(); if (a < 0 || a > 255) return 0; unsigned char c = a; return c; }
int counts(void) { unsigned char c = __VERIFIER_nondet_uint() & 255; c++; return c; }
int counted(void) { unsigned char c = __VERIFIER_nondet_uint() & 127; c++; return c; }
int truncates(void) { double a = __VERIFIER_nondet_double(); if (!(a > -3e9 && a < 3e9)) return 0; int i = a; return i; }
int truncated(void) { double a = __VERIFIER_nondet_double(); if (!(a > -2147483649.0 && a < 2147483648.0)) return 0; int i = a; return i; }
int guarded(void) { int a = __VERIFIER_nondet_int(); return a >= 0 && (unsigned)a < 5; }
int chosen(void) { unsigned a = __VERIFIER_nondet_uint(); return a == 0 ? 0 : a - 1u > 7; }
int divides(void) { double a = __VERIFIER_nondet_double(); if (!(a >= 0 && a <= 1)) return 0; return 1.0 / a > 2; }
int divided(void) { double a = __VERIFIER_nondet_double(); if (!(a >= 0.5 && a <= 1)) return 0; return 1.0 / a > 2; }
int nothing(void) { double a = __VERIFIER_nondet_double(), b = a - a; return b == 0; }
int leaves(void) { int x[4]; int i = __VERIFIER_nondet_int(); if (i < 0 || i > 5) return 0; int *p = x + i; return p != x; }
int ends(void) { int x[4]; int i = __VERIFIER_nondet_int(); if (i < 0 || i > 4) return 0; int *p = x + i; return p != x; }
int walks(void) { char x[4], *p = x; p--; return p != x; }
int null(void) { char *p = 0; int i = __VERIFIER_nondet_int(); if (i != 0) return 0; p = p + i; return p == 0; }
"#;

#[test]
fn what_c_defines_can_be_asked_for() {
    let scratch = Scratch::new("defined");
    let path = scratch.file("defined.c", DEFINED);
    let file = path.to_str().expect("a plain path");
    let cases = [
        ("wraps", "unsigned-overflow", false),
        ("stays", "unsigned-overflow", true),
        ("negates", "unsigned-overflow", false),
        ("chosen", "unsigned-overflow", true),
        ("wraps", "no-overflow", true),
        ("narrows", "conversion", false),
        ("fits", "conversion", true),
        ("counts", "conversion", false),
        ("counted", "conversion", true),
        ("truncates", "conversion", false),
        ("truncated", "conversion", true),
        ("guarded", "conversion", true),
        ("divides", "float", false),
        ("divided", "float", true),
        ("nothing", "float", false),
        ("leaves", "pointer-overflow", false),
        ("ends", "pointer-overflow", true),
        ("walks", "pointer-overflow", false),
        ("null", "pointer-overflow", true),
    ];
    for (entry, property, is_true) in cases {
        let output = foldback(["verify", "--time-limit", "60s", "--entry", entry, "--property", property, file]);
        let expected = if is_true { "RESULT: true".to_owned() } else { format!("RESULT: false({property})") };
        assert_eq!(stdout(&output).lines().last(), Some(&*expected), "{entry}, {property}: {}", stdout(&output));
    }
}

#[test]
fn all_is_everything_that_is_undefined_or_an_error() {
    let scratch = Scratch::new("all");
    let text = "#include <assert.h>\nint __VERIFIER_nondet_int(void);\nint main(void) { int a[4], i = __VERIFIER_nondet_int();\n\
                if (i < 0 || i > 4) return 0; a[i] = 1; assert(i < 5); while (i == 3) ; return 100 / (i + 1); }\n";
    let path = scratch.file("all.c", text);
    let file = path.to_str().expect("a plain path");
    let output = foldback(["verify", "--time-limit", "60s", "--property", "all", file]);
    let printed = stdout(&output);
    for line in
        ["assert: true", "memsafety: false(valid-deref)", "div-by-zero: true", "termination: false(termination)"]
    {
        assert!(printed.lines().any(|printed| printed == line), "{line}: {printed}");
    }
    assert_eq!(output.status.code(), Some(1));
}
