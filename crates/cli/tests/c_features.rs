//! The programs under tests/c print the same when run by foldback as when compiled by gcc, under both data models.

#![allow(clippy::print_stderr, reason = "a skipped test says so")]

use crate::common::{Scratch, foldback, root, stderr};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

fn programs() -> Vec<PathBuf> {
    let entries = |dir: &Path| -> Vec<PathBuf> {
        let read = std::fs::read_dir(dir).unwrap_or_else(|e| panic!("{}: {e}", dir.display()));
        read.map(|entry| entry.expect("a directory entry").path()).collect()
    };
    let topics = entries(&root().join("tests/c")).into_iter().filter(|path| path.is_dir());
    let mut programs: Vec<PathBuf> =
        topics.flat_map(|topic| entries(&topic)).filter(|path| path.extension().is_some_and(|e| e == "c")).collect();
    programs.sort();
    assert!(programs.len() >= 30, "the feature programs are missing");
    programs
}

/// What gcc's program prints and how it ends; `None` where gcc cannot build for the model.
fn compiled(program: &Path, flags: &[&str], scratch: &Scratch) -> Option<(Vec<u8>, i32)> {
    let binary = scratch.path("native");
    let mut gcc = Command::new("gcc");
    gcc.args(["-std=gnu17", "-w", "-O0", "-fwrapv", "-fno-strict-aliasing", "-ffp-contract=off"]).args(flags);
    let built = gcc.arg(program).arg("-o").arg(&binary).arg("-lm").output().ok()?;
    if !built.status.success() {
        return None;
    }
    let output = Command::new(&binary).output().expect("the compiled program runs");
    Some((output.stdout, output.status.code().expect("the compiled program ends by itself")))
}

fn compare(model: &str, flags: &[&str]) {
    let scratch = Scratch::new(&format!("features-{model}"));
    let probe = scratch.file("probe.c", "int main(void) { return 0; }\n");
    if compiled(&probe, flags, &scratch).is_none() {
        eprintln!("skipped: gcc {} does not work here", flags.join(" "));
        return;
    }
    let mut failures = Vec::new();
    for program in programs() {
        let name = program.strip_prefix(root()).unwrap_or(&program).display().to_string();
        let Some((expected, status)) = compiled(&program, flags, &scratch) else {
            panic!("gcc does not compile {name}");
        };
        let output = foldback([OsString::from("run"), "--data-model".into(), model.into(), program.into()]);
        let expected_status = format!("exit code {status}");
        if output.stdout != expected {
            let ours = String::from_utf8_lossy(&output.stdout).into_owned();
            let theirs = String::from_utf8_lossy(&expected).into_owned();
            let line = ours.lines().zip(theirs.lines()).position(|(a, b)| a != b).unwrap_or(ours.lines().count());
            failures.push(format!(
                "{name} line {}: gcc '{}', foldback '{}' {}",
                line + 1,
                theirs.lines().nth(line).unwrap_or("(end)"),
                ours.lines().nth(line).unwrap_or("(end)"),
                stderr(&output).lines().next().unwrap_or("")
            ));
        } else if output.status.code() != Some(status) || !stderr(&output).contains(&expected_status) {
            failures.push(format!("{name}: gcc ended with {expected_status}, foldback: {}", stderr(&output)));
        }
    }
    assert!(failures.is_empty(), "{} programs differ under {model}:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn lp64() {
    compare("lp64", &["-m64"]);
}

#[test]
fn ilp32() {
    compare("ilp32", &["-m32", "-msse2", "-mfpmath=sse"]);
}
