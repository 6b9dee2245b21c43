//! `--log-smt` leaves scripts that any solver can replay.

use crate::common::{Scratch, foldback, root, stderr};
use std::ffi::OsString;

#[test]
fn questions_to_solvers_are_written_down() {
    let scratch = Scratch::new("log-smt");
    let log = scratch.path("log");
    let program = root().join("examples/abs_bug.c");
    let arguments: [OsString; 6] =
        ["verify".into(), program.into(), "--engine".into(), "bmc".into(), "--log-smt".into(), log.clone().into()];
    let output = foldback(arguments);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let scripts: Vec<String> =
        std::fs::read_dir(&log).unwrap().map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap()).collect();
    assert!(scripts.iter().any(|script| script.contains("(check-sat") && script.contains("(assert")), "{scripts:?}");
}
