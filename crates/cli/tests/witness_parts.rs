//! What witnesses have besides loop invariants: contracts of functions, ghost variables, relations between visits, and invariants
//! that C cannot say. True ones are confirmed, false ones rejected, weak ones neither.

use crate::common::{Scratch, foldback, stderr, stdout};
use std::path::Path;

const HEAD: &str = "extern void reach_error(void);\nextern unsigned __VERIFIER_nondet_uint(void);\n";
const REACH: &str = "CHECK( init(main()), LTL(G ! call(reach_error())) )";
const END: &str = "CHECK( init(main()), LTL(F end) )";

fn run(arguments: &[&str]) -> String {
    let output = foldback(arguments.iter().copied().chain(["--time-limit", "60s"]));
    stdout(&output) + &stderr(&output)
}

fn last(said: &str) -> &str {
    said.lines().rev().find(|line| line.starts_with("RESULT")).unwrap_or_default()
}

fn shown(path: &Path) -> &str {
    path.to_str().expect("a plain path")
}

/// What is said of a witness by somebody else: the items of its invariant_set, and further entries.
fn theirs(name: &str, program: &str, specification: &str, items: &str, more: &str) -> String {
    let scratch = Scratch::new(name);
    let file = scratch.file("p.c", format!("{HEAD}{program}"));
    let text = format!(
        "- entry_type: invariant_set\n  metadata:\n    format_version: \"2.1\"\n    producer: {{name: test}}\n    task:\n      specification: \"{specification}\"\n      data_model: LP64\n  content:\n{items}{more}"
    );
    let witness = scratch.file("w.yml", text.replace('\\', "\\\\"));
    run(&["check-witness", shown(&witness), shown(&file)])
}

/// Our own witness of a program that holds, and what is said of it.
fn ours(scratch: &Scratch, program: &str, property: &str) -> (String, String) {
    let file = scratch.file("p.c", format!("{HEAD}{program}"));
    let witness = scratch.path("own.yml");
    let said = run(&["verify", shown(&file), "--property", property, "--witness", shown(&witness)]);
    assert_eq!(last(&said), "RESULT: true", "{said}");
    let text = std::fs::read_to_string(&witness).expect("a witness");
    (text, run(&["check-witness", shown(&witness), shown(&file)]))
}

const SUM: &str = "unsigned sum(unsigned n) { if (n == 0) return 0; return n + sum(n - 1); }
int main(void) { unsigned n = __VERIFIER_nondet_uint(); if (2 * sum(n) != n * n + n) reach_error(); }
";

#[test]
fn contracts_of_recursive_functions() {
    let scratch = Scratch::new("contract-written");
    let (text, said) = ours(&scratch, SUM, "unreach-call");
    assert!(text.contains("type: function_contract") && text.contains("\\result"), "{text}");
    assert!(text.contains("format_version: \"2.1\""), "{text}");
    assert_eq!(last(&said), "RESULT: confirmed", "{said}");
    // The format 2.0 has none.
    let file = scratch.path("p.c");
    let old = scratch.path("old.yml");
    run(&["verify", shown(&file), "--property", "unreach-call", "--witness-format", "2.0", "--witness", shown(&old)]);
    assert!(!old.exists());
}

#[test]
fn contracts_of_others() {
    let item = |key: &str, place: &str, requires: &str, ensures: &str| {
        format!(
            "    - {key}: {{type: function_contract, requires: \"{requires}\", ensures: \"{ensures}\", format: ext_c_expression, location: {{file_name: p.c, {place}}}}}\n"
        )
    };
    let named = "line: 3, function: sum";
    for (key, place, requires, ensures, result) in [
        ("contract", "line: 3", "1", "2 * \\result == n * n + n", "confirmed"),
        ("invariant", named, "1", "2 * \\result == \\old(n) * \\at(n, Old) + n", "confirmed"),
        ("invariant", named, "1", "\\result == n", "rejected"),
        ("invariant", named, "n < 10", "1", "rejected"),
        ("invariant", "line: 3, function: sun", "1", "1", "rejected(there is no definition"),
    ] {
        let said = theirs("contract-theirs", SUM, REACH, &item(key, place, requires, ensures), "");
        assert!(last(&said).starts_with(&format!("RESULT: {result}")), "{requires} {ensures}: {said}");
    }
    let said = theirs("contract-theirs", SUM, REACH, &item("contract", named, "1", "\\result == unknown_name"), "");
    assert!(last(&said).is_empty() && said.contains("undeclared"), "{said}");
}

/// Values of the call are those that a postcondition speaks of, and memory and globals may be among them.
#[test]
fn contracts_speak_of_the_call() {
    let program = "unsigned g, a[4];
unsigned next(unsigned n, unsigned *p) { g += n; *p = n; n = 0; return g; }
int main(void) { unsigned x = __VERIFIER_nondet_uint(); next(x, &a[1]); if (a[1] != x) reach_error(); return 0; }
";
    let item = |ensures: &str| {
        format!(
            "    - contract: {{type: function_contract, requires: \"1\", ensures: \"{ensures}\", format: ext_c_expression, location: {{file_name: p.c, line: 4, function: next}}}}\n"
        )
    };
    for (ensures, result) in [
        ("\\result == \\old(g) + n && *p == n && g == \\result", "confirmed"),
        ("n == 0", "rejected"),
        ("\\result == \\old(g)", "rejected"),
        ("*p == \\old(*p)", "rejected"),
    ] {
        let said = theirs("contract-call", program, REACH, &item(ensures), "");
        assert!(last(&said).starts_with(&format!("RESULT: {result}")), "{ensures}: {said}");
    }
}

const TWICE: &str = "int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), i = 0, j = 0;
  while (i < n) {
    i = i + 1;
    j = j + 2;
  }
  if (i == 10 && j != 20) reach_error();
  return 0;
}
";

#[test]
fn ghost_variables_change_as_the_witness_says() {
    let invariant = |value: &str| {
        format!(
            "    - invariant: {{type: loop_invariant, value: \"{value}\", format: c_expression, location: {{file_name: p.c, line: 5}}}}\n"
        )
    };
    let ghosts = |name: &str, update: &str, line: u32| {
        format!(
            "- entry_type: ghost_instrumentation\n  content:\n    ghost_variables:\n      - {{name: {name}, scope: global, type: unsigned int, initial: {{value: \"0\", format: c_expression}}}}\n    ghost_updates:\n      - location: {{file_name: p.c, line: {line}}}\n        updates: [{{variable: {name}, value: \"{update}\", format: c_expression}}]\n"
        )
    };
    // Where the ghost has the name of a variable of the program, it is not that one, and changes nothing of it.
    for (name, value, update, line, result) in [
        ("g", "g == i && j == 2 * g", "g + 1", 6, "confirmed"),
        ("i", "j == 2 * i", "i + 1", 6, "insufficient"),
        ("i", "j == 2 * i", "i + 2", 6, "rejected(invariant 1"),
        ("i", "i == 0", "i + 1", 6, "rejected(invariant 1"),
        ("i", "1", "i + 1", 90, "rejected(there is no statement"),
    ] {
        let said = theirs("ghosts", TWICE, REACH, &invariant(value), &ghosts(name, update, line));
        assert!(last(&said).starts_with(&format!("RESULT: {result}")), "{value} {update}: {said}");
    }
}

#[test]
fn relations_to_the_last_visit_and_at_statements() {
    let down = "int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  while (n > 0) {
    n = n - 1;
  }
}
";
    let item = |kind: &str, line: u32, value: &str| {
        format!(
            "    - invariant: {{type: {kind}, value: \"{value}\", format: ext_c_expression, location: {{file_name: p.c, line: {line}, function: main}}}}\n"
        )
    };
    let (test, statement) = ("loop_transition_invariant", "location_transition_invariant");
    for (kind, line, value, result) in [
        (test, 5, "\\at(n, LastPrev) > n", "confirmed"),
        // True, and shows nothing.
        (test, 5, "\\at(n, LastPrev) == n + 1", "insufficient"),
        (test, 5, "\\at(n, LastPrev) == n + 2", "rejected"),
        (test, 5, "\\at(n, AnyPrev) > n && \\at(n, LastPrev) == n + 1", "confirmed"),
        (statement, 6, "\\at(n, AnyPrev) > n", "confirmed"),
        (statement, 6, "\\at(n, AnyPrev) >= n", "insufficient"),
        (statement, 6, "\\at(n, AnyPrev) < n", "rejected"),
    ] {
        let said = theirs("visits", down, END, &item(kind, line, value), "");
        assert!(last(&said).starts_with(&format!("RESULT: {result}")), "{value}: {said}");
    }
}

/// Every cell of an array: not in C, but in the entry of our own, which is needed and is checked.
#[test]
fn what_c_cannot_say_is_read_back() {
    let program = "int a[1000];
int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), k = __VERIFIER_nondet_uint();
  if (n > 1000) return 0;
  for (unsigned i = 0; i < n; i++) a[i] = 7;
  if (k < n && a[k] != 7) reach_error();
}
";
    let scratch = Scratch::new("extension");
    let (text, said) = ours(&scratch, program, "unreach-call");
    assert!(text.contains("entry_type: foldback_invariants") && text.contains("(forall"), "{text}");
    assert_eq!(last(&said), "RESULT: confirmed", "{said}");
    assert!(said.contains("SMT-LIB"), "{said}");
    let entry = text.find("- entry_type: foldback_invariants").expect("the entry");
    let wrong = text.replace("#x00000007", "#x00000006");
    assert_ne!(wrong, text);
    for other in [&text[..entry], &wrong] {
        let witness = scratch.file("other.yml", other);
        let said = run(&["check-witness", shown(&witness), shown(&scratch.path("p.c"))]);
        assert!(last(&said).starts_with("RESULT: insufficient"), "{said}");
    }
}

/// A ranking over memory, which no name in scope means.
#[test]
fn rankings_that_c_cannot_say_are_read_back() {
    let program = "void *malloc(unsigned long);
int main(void) {
  int *p = malloc(sizeof(int));
  *p = (int)__VERIFIER_nondet_uint();
  while (*p > 0) { *p = *p - 1; }
}
";
    let scratch = Scratch::new("extension-ranking");
    let (text, said) = ours(&scratch, program, "termination");
    assert_eq!(last(&said), "RESULT: confirmed", "{said}");
    // The ranking is dropped.
    let entry = text.find("        ranking:\n").unwrap_or_else(|| panic!("no ranking in {text}"));
    let end = text[entry..].find("        format:").expect("what follows") + entry;
    let witness = scratch.file("other.yml", format!("{}{}", &text[..entry], &text[end..]));
    let said = run(&["check-witness", shown(&witness), shown(&scratch.path("p.c"))]);
    assert!(last(&said).starts_with("RESULT: insufficient"), "{said}");
}
