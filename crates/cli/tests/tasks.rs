//! The benchmark tasks beside the repository go through the whole pipeline, and random executions of those labelled safe
//! never reach the error. Skipped, with a message, where the tasks are not there.

#![allow(clippy::print_stderr, reason = "a skipped test says so")]
#[allow(dead_code, reason = "each test uses a part of it")]
mod common;

use common::{foldback, root, stderr, stdout};
use std::ffi::OsString;

fn survey(set: &str) {
    let path = root().join("../shared/tasks").join(set);
    if !path.exists() {
        eprintln!("skipped: no tasks at {}", path.display());
        return;
    }
    let flags = ["--runs", "3", "--jobs", "2"].map(OsString::from);
    let output = foldback([OsString::from("survey"), path.into()].into_iter().chain(flags));
    let text = stdout(&output);
    eprintln!("{set}: {}", text.lines().last().unwrap_or_default());
    assert!(output.status.success(), "{text}\n{}", stderr(&output));
}

#[test]
fn svcomp_loops() {
    survey("svcomp-loops");
}

#[test]
fn svcomp_mix() {
    survey("svcomp-mix");
}

#[test]
fn tracer() {
    survey("tracer");
}

#[test]
fn verisec() {
    survey("verisec");
}
