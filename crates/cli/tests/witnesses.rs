//! Witnesses: those we write are confirmed; what is false in one is found, and what is missing in one is said.

use crate::common::{Scratch, foldback, root, stderr, stdout};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

fn program(name: &str) -> PathBuf {
    root().join("tests/witness").join(name)
}

fn run(arguments: &[&str], files: &[&Path]) -> (String, Option<i32>) {
    let all = arguments.iter().map(OsString::from).chain(files.iter().map(|f| f.as_os_str().to_owned()));
    let limits = ["--time-limit", "30s"].map(OsString::from);
    let output = foldback(all.chain(limits));
    (stdout(&output) + &stderr(&output), output.status.code())
}

/// A correctness witness with these invariants: type, line, column, expression.
fn correctness(file: &Path, invariants: &[(&str, u32, Option<u32>, &str)]) -> String {
    let mut text = "- entry_type: invariant_set\n  metadata:\n    format_version: \"2.0\"\n    producer: {name: test}\n    task:\n      specification: \"CHECK( init(main()), LTL(G ! call(reach_error())) )\"\n      data_model: LP64\n  content:\n".to_owned();
    for (kind, line, column, value) in invariants {
        let column = column.map(|c| format!(", column: {c}")).unwrap_or_default();
        text += &format!(
            "    - invariant: {{type: {kind}, format: c_expression, value: \"{value}\", location: {{file_name: \"{}\", line: {line}{column}}}}}\n",
            file.display()
        );
    }
    text
}

fn check(name: &str, program_name: &str, text: &str) -> (String, Option<i32>) {
    let scratch = Scratch::new(name);
    let witness = scratch.file("witness.yml", text);
    run(&["check-witness", "--replay", "interpreter"], &[&witness, &program(program_name)])
}

fn last(output: &str) -> &str {
    output.lines().rev().find(|line| line.starts_with("RESULT")).unwrap_or_default()
}

#[test]
fn true_invariants_are_confirmed() {
    let file = program("parity.c");
    let parity = ("loop_invariant", 7, Some(3), "i % 2 == 0");
    let (said, code) = check("true-invariant", "parity.c", &correctness(&file, &[parity]));
    assert_eq!((last(&said), code), ("RESULT: confirmed", Some(0)), "{said}");
    // Without a column, and with another one that is true but not inductive by itself.
    let extra = [("loop_invariant", 7, None, "i % 2 == 0"), ("location_invariant", 12, Some(3), "i != 1001")];
    let (said, code) = check("more-invariants", "parity.c", &correctness(&file, &extra));
    assert_eq!((last(&said), code), ("RESULT: confirmed", Some(0)), "{said}");
}

#[test]
fn false_invariants_are_rejected() {
    let file = program("parity.c");
    for (index, bad) in ["i % 4 == 0", "steps == 0", "i == 0"].into_iter().enumerate() {
        let invariants = [("loop_invariant", 7, Some(3), "i % 2 == 0"), ("loop_invariant", 7, Some(3), bad)];
        let (said, code) = check(&format!("false-invariant-{index}"), "parity.c", &correctness(&file, &invariants));
        assert_eq!((last(&said), code), ("RESULT: rejected(invariant 2 does not hold)", Some(1)), "{said}");
        assert!(said.contains(&format!("this invariant is false: {bad}")), "{said}");
        assert!(!said.contains("violates the property"), "{said}");
    }
}

#[test]
fn true_invariants_may_not_suffice() {
    let file = program("parity.c");
    let (said, code) = check("insufficient", "parity.c", &correctness(&file, &[("loop_invariant", 7, None, "i >= 0")]));
    assert!(last(&said).starts_with("RESULT: insufficient("), "{said}");
    assert_eq!(code, Some(3));
}

#[test]
fn invariants_speak_of_memory_and_of_scopes() {
    let file = program("pointer.c");
    let good = [
        ("loop_invariant", 8, Some(3), "0 <= i && i <= n && (i == 0 || p[i - 1] == value)"),
        ("loop_invariant", 16, Some(3), "cells[3] == 7 && cells[7] == 7 && n <= 100 && rounds <= n && 0 <= rounds"),
        ("location_invariant", 17, Some(5), "n <= 100"),
    ];
    let (said, code) = check("memory", "pointer.c", &correctness(&file, &good));
    assert_eq!((last(&said), code), ("RESULT: confirmed", Some(0)), "{said}");
    let (said, _) = check("no-scope", "pointer.c", &correctness(&file, &[("loop_invariant", 16, Some(3), "i >= 0")]));
    assert!(said.contains("'i' undeclared"), "{said}");
}

#[test]
fn members_and_cells_are_in_our_witnesses() {
    let scratch = Scratch::new("members");
    let text = "extern void reach_error(void); extern unsigned __VERIFIER_nondet_uint(void);
struct p { unsigned x, y; };
int main(void) {
  struct p s = {0, 0};
  int a[2] = {0, 0};
  while (__VERIFIER_nondet_uint()) {
    if (s.x < 1000) { s.x += 2; s.y += 1; }
    if (a[0] < 5) { a[0]++; a[1] += 3; }
  }
  if (s.x != 2 * s.y || a[1] != 3 * a[0]) reach_error();
}
";
    let (file, witness) = (scratch.file("members.c", text), scratch.path("witness.yml"));
    let (said, _) = run(&["verify", "--witness", witness.to_str().expect("a plain path")], &[&file]);
    assert_eq!(last(&said), "RESULT: true", "{said}");
    let written = std::fs::read_to_string(&witness).expect("a witness");
    assert!(
        ["s.x", "s.y", "a[0]", "a[1]"].iter().all(|part| said.contains(part) && written.contains(part)),
        "{said}{written}"
    );
    let (said, code) = run(&["check-witness", "--replay", "interpreter"], &[&witness, &file]);
    assert_eq!((last(&said), code), ("RESULT: confirmed", Some(0)), "{said}");
}

#[test]
fn bad_witnesses_are_bad_input() {
    let file = program("parity.c");
    for (index, (text, part)) in [
        ("nonsense".to_owned(), "list of entries"),
        (correctness(&file, &[("loop_invariant", 7, None, "i = 2")]), "assigns"),
        (correctness(&file, &[("loop_invariant", 7, None, "i <")]), "expected an expression"),
        (correctness(Path::new("other.c"), &[("loop_invariant", 7, None, "1")]), "other.c"),
    ]
    .into_iter()
    .enumerate()
    {
        let (said, code) = check(&format!("bad-witness-{index}"), "parity.c", &text);
        assert_eq!(code, Some(2), "{said}");
        assert!(said.contains(part), "{said}");
    }
    let (said, code) = check("no-loop", "parity.c", &correctness(&file, &[("loop_invariant", 8, None, "1")]));
    assert_eq!(code, Some(1), "{said}");
    assert!(last(&said).contains("no loop"), "{said}");
}

#[test]
fn a_violation_is_replayed() {
    let scratch = Scratch::new("violation");
    let witness = scratch.path("witness.yml");
    let file = program("sum.c");
    let (said, _) =
        run(&["verify", "--replay", "interpreter", "--witness", witness.to_str().expect("a plain path")], &[&file]);
    assert_eq!(last(&said), "RESULT: false(unreach-call)", "{said}");
    let text = std::fs::read_to_string(&witness).expect("a witness");
    assert!(text.contains("\\\\result == 4"), "{text}");
    let (said, code) = check("violation-own", "sum.c", &text);
    assert_eq!((last(&said), code), ("RESULT: confirmed", Some(0)), "{said}");
    let (said, code) = check("violation-changed", "sum.c", &text.replace("\\\\result == 4", "\\\\result == 6"));
    let rejected = "RESULT: rejected(no execution that follows the witness violates the property)";
    assert_eq!((last(&said), code), (rejected, Some(1)), "{said}");
    let (said, code) = check("violation-weaker", "sum.c", &text.replace("\\\\result == 4", "\\\\result > 1"));
    assert_eq!((last(&said), code), ("RESULT: confirmed", Some(0)), "{said}");
}

/// A witness cannot say what memory holds at first: a pointer in it may point to memory, in the check as in the answer.
#[test]
fn pointers_that_nobody_initialised_may_point_to_memory() {
    let scratch = Scratch::new("no-pointer");
    let witness = scratch.path("witness.yml");
    let text = "#include <stdlib.h>\nextern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\n\
                struct node { int *value; int number; };\nint main(void) {\n  struct node *node = malloc(sizeof *node);\n  \
                node->number = __VERIFIER_nondet_int();\n  \
                if (node->number == 1234 && *node->value != 3) reach_error();\n  return 0;\n}\n";
    let file = scratch.file("pointer.c", text);
    let unreach = ["-p", "unreach-call", "--replay", "interpreter"];
    let keep = ["verify", "--witness", witness.to_str().expect("a plain path")];
    let (said, _) = run(&[&keep[..], &unreach].concat(), &[&file]);
    assert_eq!(last(&said), "RESULT: false(unreach-call)", "{said}");
    let (said, code) = run(&["check-witness", "--replay", "interpreter"], &[&witness, &file]);
    assert_eq!((last(&said), code), ("RESULT: confirmed", Some(0)), "{said}");
    assert!(said.contains("the inputs that the witness names lead to the violation"), "{said}");
    // The number is what matters.
    let other = std::fs::read_to_string(&witness).expect("a witness").replace("== 1234", "== 1235");
    let other = scratch.file("other.yml", other);
    let (said, code) = run(&["check-witness", "--replay", "interpreter"], &[&other, &file]);
    assert_eq!(code, Some(1), "{said}");
}

/// Of several properties in one run, the witness is of the violated one, or of all.
#[test]
fn witnesses_name_what_was_checked() {
    let scratch = Scratch::new("specification");
    let witness = scratch.path("witness.yml");
    let verify = ["verify", "--replay", "interpreter", "--witness", witness.to_str().expect("a plain path")];
    let verify = [&verify[..], &["-p", "unreach-call+assert"]].concat();
    let bug = root().join("examples/abs_bug.c");
    run(&verify, &[&bug]);
    let (said, code) = run(&["check-witness", "--replay", "interpreter"], &[&witness, &bug]);
    assert_eq!((last(&said), code), ("RESULT: confirmed", Some(0)), "{said}");
    run(&verify, &[&program("parity.c")]);
    let text = std::fs::read_to_string(&witness).expect("a witness");
    assert!(text.contains("LTL(G ! call(reach_error()))") && text.contains("LTL(G assert)"), "{text}");
}

#[test]
fn waypoints_steer() {
    let file = program("sum.c");
    let head = "- entry_type: violation_sequence\n  metadata:\n    format_version: \"2.1\"\n  content:\n";
    let point = |kind: &str, action: &str, line: u32, column: u32, value: &str| {
        let constraint = if value.is_empty() { String::new() } else { format!("constraint: {{value: '{value}'}}, ") };
        format!(
            "{{type: {kind}, action: {action}, {constraint}location: {{file_name: \"{}\", line: {line}, column: {column}}}}}",
            file.display()
        )
    };
    let segment = |points: &[String]| {
        let points: Vec<String> = points.iter().map(|p| format!("        - waypoint: {p}\n")).collect();
        format!("    - segment:\n{}", points.concat())
    };
    let target = segment(&[point("target", "follow", 17, 3, "")]);
    let good = segment(&[point("assumption", "follow", 13, 5, "x == 3 && i == 0")])
        + &segment(&[point("branching", "avoid", 13, 5, "true"), point("function_enter", "follow", 13, 23, "")])
        + &segment(&[point("function_return", "follow", 12, 35, "\\result == 5")]);
    let (said, code) = check("steered", "sum.c", &format!("{head}{good}{target}"));
    assert_eq!((last(&said), code), ("RESULT: confirmed", Some(0)), "{said}");
    let avoids = segment(&[point("assumption", "avoid", 15, 5, "x == 4"), point("target", "follow", 17, 3, "")]);
    let (said, code) = check("avoiding", "sum.c", &format!("{head}{avoids}"));
    assert_eq!(code, Some(1), "{said}");
}

#[test]
fn counterexamples_run_again() {
    let scratch = Scratch::new("replay");
    let (witness, json) = (scratch.path("witness.yml"), scratch.path("result.json"));
    let file = program("sum.c");
    let keep = ["--witness", witness.to_str().expect("a plain path"), "--json", json.to_str().expect("a plain path")];
    run(&[&["verify", "--replay", "interpreter"], &keep[..]].concat(), &[&file]);
    for evidence in [&witness, &json] {
        let all = ["replay".into(), "--replay".into(), "interpreter".into(), evidence.clone().into_os_string()];
        let output = foldback(all.into_iter().chain([file.clone().into_os_string()]));
        let said = stdout(&output);
        assert_eq!((last(&said), output.status.code()), ("RESULT: reproduced(unreach-call)", Some(1)), "{said}");
    }
    let text = std::fs::read_to_string(&json).expect("a result");
    let other = scratch.file("other.json", text.replace("\"value\": \"4\"", "\"value\": \"6\""));
    let output = foldback([OsString::from("replay"), other.into(), file.into()]);
    assert_eq!(output.status.code(), Some(3), "{}", stdout(&output));
    assert!(last(&stdout(&output)).starts_with("RESULT: missed("), "{}", stdout(&output));
}

/// What `replay` says to the result and to the witness that `verify` keeps: in the last line.
fn replayed(name: &str, property: &str, text: &str) -> [String; 2] {
    let scratch = Scratch::new(name);
    let file = scratch.file("program.c", text);
    let kept = ["result.json", "witness.yml"].map(|kept| scratch.path(kept));
    let [json, witness] = [0, 1].map(|i| kept[i].to_str().expect("a plain path"));
    let flags = ["verify", "--property", property, "--replay", "interpreter", "--json", json, "--witness", witness];
    let (said, code) = run(&flags, &[&file]);
    assert_eq!(code, Some(1), "{said}");
    kept.map(|kept| {
        let output = foldback(["replay".as_ref(), kept.as_os_str(), file.as_os_str()]);
        last(&stdout(&output)).to_owned()
    })
}

/// Evidence does not say which block the model watched.
#[test]
fn leaks_run_again() {
    let leak = "#include <stdlib.h>\nint __VERIFIER_nondet_int(void);\nint main(void) {\n  char *first = malloc(3);\n\
                  char *p = malloc(10);\n  if (!p || !first) return 0;\n  free(first);\n\
                  if (__VERIFIER_nondet_int() == 5) p = NULL;\n  free(p);\n  return 0;\n}\n";
    for (property, name) in [("valid-memtrack", "valid-memtrack"), ("memcleanup", "valid-memcleanup")] {
        let expected = format!("RESULT: reproduced({name})");
        assert_eq!(replayed(&format!("replay-{name}"), property, leak), [expected.clone(), expected]);
    }
}

/// Nobody sees by running it that an execution does not end.
#[test]
fn endless_runs_are_not_missed() {
    let endless = "int __VERIFIER_nondet_int(void);\nint main(void) {\n  int n = __VERIFIER_nondet_int();\n\
                   while (n > 5) {\n    if (n == 100) n = 99;\n    else n = 100;\n  }\n  return 0;\n}\n";
    for said in replayed("replay-endless", "termination", endless) {
        assert!(said.starts_with("RESULT: unknown("), "{said}");
    }
}

#[test]
fn what_an_answer_rests_on_is_said() {
    let scratch = Scratch::new("trust");
    let head = "extern void abort(void);\nextern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\n";
    let main = |body: &str| format!("{head}int main(void) {{ int x = __VERIFIER_nondet_int(); {body} return 0; }}\n");
    for (name, body, part, is_there) in [
        (
            "empty.c",
            "if (x < 3) abort(); if (x > 2) abort(); if (x == 5) reach_error();",
            "no execution gets to the end",
            true,
        ),
        ("full.c", "if (x < 3) abort(); if (x == 2) reach_error();", "no execution gets to the end", false),
        ("float.c", "float f = 0.5f; if (f > 1) reach_error();", "IEEE 754", true),
        ("plain.c", "if (x != x) reach_error();", "IEEE 754", false),
        (
            "misspelt.c",
            "extern void reach_eror(void); if (x) reach_eror();",
            "nothing to check: no call of reach_error or __VERIFIER_error in what main executes",
            true,
        ),
        ("spelt.c", "if (x == 3) { if (x != 3) reach_error(); }", "nothing to check", false),
    ] {
        let (said, _) = run(&["verify", "-p", "unreach-call"], &[&scratch.file(name, main(body))]);
        assert_eq!(last(&said), "RESULT: true", "{name}: {said}");
        assert_eq!(said.contains(part), is_there, "{name}: {said}");
    }
}
