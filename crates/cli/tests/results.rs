//! Results and witnesses as files: what `explain` shows is what `verify` showed.

#[allow(dead_code, reason = "each test uses a part of it")]
mod common;

use common::{Scratch, foldback, root, stderr, stdout};
use std::ffi::OsString;

fn verified(example: &str, verdict: &str, entry_type: &str) -> String {
    let scratch = Scratch::new(&format!("results-{example}"));
    let (json, witness) = (scratch.path("result.json"), scratch.path("witness.yml"));
    let arguments: [OsString; 8] = [
        "verify".into(),
        root().join("examples").join(example).into(),
        "--json".into(),
        json.clone().into(),
        "--witness".into(),
        witness.clone().into(),
        "--replay".into(),
        "interpreter".into(),
    ];
    let output = foldback(arguments);
    let shown = stdout(&output);
    assert!(shown.ends_with(&format!("RESULT: {verdict}\n")), "{shown}{}", stderr(&output));
    let again = foldback([OsString::from("explain"), json.into()]);
    assert_eq!(again.status.code(), Some(0), "{}", stderr(&again));
    assert_eq!(stdout(&again), shown);
    let written = std::fs::read_to_string(&witness).expect("a witness");
    assert!(written.starts_with(&format!("- entry_type: {entry_type}\n")), "{written}");
    written
}

#[test]
fn a_proof() {
    verified("count.c", "true", "invariant_set");
}

#[test]
fn a_counterexample() {
    let witness = verified("abs_bug.c", "false(assert)", "violation_sequence");
    assert!(witness.contains("type: target"), "{witness}");
}

#[test]
fn other_files_are_no_results() {
    let scratch = Scratch::new("no-result");
    let output = foldback([OsString::from("explain"), scratch.file("x.json", "[]").into()]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("not a result"), "{}", stderr(&output));
}
