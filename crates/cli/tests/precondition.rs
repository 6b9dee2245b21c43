//! What a function relies on that is the entry and has no contract: guessed, proved, shown with the answer.

use crate::common::{Scratch, foldback, stderr, stdout};

const PROGRAM: &str = "#include <stddef.h>
int sum(const int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i] & 1; return s; }
void copy(char *to, const char *from, size_t n) { for (size_t i = 0; i < n; i++) to[i] = from[i]; }
int at(const int *a, int i, int n) { return a[i]; }
size_t len(const char *s) { size_t n = 0; while (s[n]) n++; return n; }
int past(const int *a) { return a[1]; }
int safe(const int *p) { return p ? *p : 0; }
int ratio(int a, int b) { return a / b; }
int both(const int *p, const int *q) { return q ? *p == *q : 0; }
";

/// With time to spare: what is found must not depend on how busy the machine is.
fn verify(name: &str, program: &str, flags: &[&str]) -> (String, String) {
    let scratch = Scratch::new(name);
    let file = scratch.file("program.c", program);
    let words = ["verify", file.to_str().expect("a plain path"), "--time-limit", "600s"];
    let output = foldback(words.iter().chain(flags));
    let said = stdout(&output) + &stderr(&output);
    let result = stdout(&output).lines().last().unwrap_or_default().to_owned();
    (result, said)
}

/// The clauses that are shown.
fn clauses(said: &str) -> Vec<&str> {
    said.lines().filter_map(|line| line.trim().strip_prefix("__CPROVER_requires(")?.strip_suffix(')')).collect()
}

#[test]
fn the_weakest_is_shown_and_proves_the_function() {
    let expected = [
        ("sum", &["n >= 0", "__CPROVER_is_fresh(a, n * sizeof(*a))"][..]),
        ("copy", &["__CPROVER_is_fresh(to, n * sizeof(*to))", "__CPROVER_is_fresh(from, n * sizeof(*from))"]),
        ("at", &["i >= 0", "n >= 0", "i < n", "__CPROVER_is_fresh(a, n * sizeof(*a))"]),
        ("len", &["__CPROVER_is_fresh(s, 16) && s[15] == 0"]),
        ("ratio", &["a >= 0", "b != 0"]),
        ("both", &["__CPROVER_is_fresh(p, sizeof(*p))", "q == 0 || __CPROVER_is_fresh(q, sizeof(*q))"]),
    ];
    for (function, expected) in expected {
        let (result, said) = verify(&format!("precondition-{function}"), PROGRAM, &["--entry", function]);
        assert!(result.starts_with("RESULT: false("), "{said}");
        assert_eq!(clauses(&said), expected, "{function}: {said}");
        // As a contract of the program, with the frame that it has.
        let written: Vec<String> = expected.iter().map(|clause| format!("__CPROVER_requires({clause})")).collect();
        let frame = if function == "copy" { "__CPROVER_assigns(__CPROVER_object_whole(to))" } else { "" };
        let line = PROGRAM.lines().find(|line| line.contains(&format!(" {function}("))).expect("it is there");
        let with = line.replacen(") {", &format!(") {} {frame} {{", written.join(" ")), 1);
        let program = PROGRAM.replace(line, &with);
        let (result, said) = verify(&format!("written-{function}"), &program, &["--check-contract", function]);
        assert_eq!(result, "RESULT: true", "{function}: {said}");
    }
}

#[test]
fn what_no_caller_excuses_is_said_to_be_so() {
    let (result, said) = verify("precondition-past", PROGRAM, &["--entry", "past"]);
    assert_eq!(result, "RESULT: false(valid-deref)");
    assert!(said.contains("no simple precondition of 'past' excuses this") && clauses(&said).is_empty(), "{said}");
}

#[test]
fn what_was_not_guessed_is_not_said() {
    let program = "char first(void *p) { return *(char *)p; }\n\
        int twice(int (*f)(int), int n) { return f(n); }\n";
    let (result, said) = verify("precondition-first", program, &["--entry", "first"]);
    assert_eq!(result, "RESULT: false(valid-deref)");
    assert_eq!(clauses(&said), ["__CPROVER_is_fresh(p, 1)"], "{said}");
    let (result, said) = verify("precondition-twice", program, &["--entry", "twice"]);
    assert_eq!(result, "RESULT: false(valid-deref)");
    assert!(said.contains("If callers guarantee") && said.contains("--check-contract twice"), "{said}");
}

#[test]
fn where_all_is_well_or_somebody_said_nothing_is_guessed() {
    let (result, said) = verify("precondition-safe", PROGRAM, &["--entry", "safe"]);
    assert!(result == "RESULT: true" && !said.contains("callers") && clauses(&said).is_empty(), "{said}");
    // A recursive function is not replaced by a guess.
    let recursive = "int down(int *p, int n) { if (n == 0) return *p; p[0] = 1; return down(p + 1, n - 1); }\n";
    let (result, said) = verify("precondition-down", recursive, &["--entry", "down", "--property", "valid-deref"]);
    assert_eq!(result, "RESULT: false(valid-deref)", "{said}");
    for clause in clauses(&said) {
        assert!(!clause.contains("sizeof(*p))") || clause.contains("n * "), "one object is not enough: {said}");
    }
}
