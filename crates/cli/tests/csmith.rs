//! Sixteen random programs with fixed seeds: `foldback run` prints gcc's checksum. `fuzz/csmith` runs more of them.

#![allow(clippy::print_stderr, reason = "a skipped test says so")]

use crate::common::{root, stderr, stdout};
use std::process::Command;

#[test]
fn random_programs() {
    if Command::new("csmith").arg("--version").output().is_err() {
        eprintln!("skipped: csmith is not installed");
        return;
    }
    let mut script = Command::new(root().join("fuzz/csmith"));
    let output = script.args(["16", "1000", "2"]).env("FOLDBACK", env!("CARGO_BIN_EXE_foldback")).output();
    let output = output.expect("the script runs");
    assert!(output.status.success(), "{}\n{}", stdout(&output), stderr(&output));
}
