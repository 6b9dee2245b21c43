//! The benchmark tasks beside the repository go through the whole pipeline, and random executions of those labelled safe
//! never reach the error. Skipped, with a message, where the tasks are not there.

#![allow(clippy::print_stderr, reason = "a skipped test says so")]
#[allow(dead_code, reason = "each test uses a part of it")]
mod common;

use common::{foldback, root, stderr, stdout};
use std::ffi::OsString;

/// Tasks labelled safe that are not: two characters and a zero make `out` 2, and `outfile[2]` is past the end.
const WRONG_LABELS: [&str; 1] = ["programs/apps/sendmail/CVE-1999-0206/mime_fromqp/mime_fromqp_arr_ok.c"];

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
    let bad = |line: &&str| {
        line.starts_with("FAILED") || line.starts_with("WRONG") && !WRONG_LABELS.iter().any(|task| line.contains(task))
    };
    let problems: Vec<&str> = text.lines().filter(bad).collect();
    assert!(problems.is_empty() && text.contains(" tasks, "), "{}\n{}", problems.join("\n"), stderr(&output));
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
