//! `--annotate`: a copy of the program with the invariants that were found, which others can prove again.

#![allow(clippy::print_stderr, reason = "a skipped test says so")]

use crate::common::{Scratch, foldback, stderr, stdout};
use std::path::Path;
use std::process::Command;

const PROGRAM: &str = "#include <assert.h>
unsigned __VERIFIER_nondet_uint(void);

static unsigned walk(const unsigned char *from, unsigned char *to, unsigned n)
{
    unsigned i = 0;
    while (i < n) { // up to n (
        to[i] = from[i];
        i++;
    }
    return i;
}

int main(void)
{
    static unsigned char a[16], b[16];
    unsigned n = __VERIFIER_nondet_uint(), s = 0;
    if (n > 16) return 0;
    assert(walk(a, b, n) == n);
    for (unsigned k = 0; k < n; k++) s += 2;
    assert(s == 2 * n);
    return 0;
}
";

const CLAUSE: &str = "__CPROVER_loop_invariant(";

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_default()
}

/// Without the clauses, and however lines are broken.
fn without_clauses(text: &str) -> String {
    let others = text.lines().filter(|line| !line.trim_start().starts_with(CLAUSE));
    others.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
}

fn result(output: &std::process::Output) -> String {
    stdout(output).lines().last().unwrap_or_default().to_owned()
}

#[test]
fn the_copy_is_the_program_with_invariants_that_hold() {
    let scratch = Scratch::new("annotate");
    let program = scratch.file("program.c", PROGRAM);
    let copy = scratch.path("copy.c");
    let output = foldback(["verify".as_ref(), program.as_os_str(), "--annotate".as_ref(), copy.as_os_str()]);
    assert_eq!(result(&output), "RESULT: true", "{}", stderr(&output));
    let written = text(&copy);
    assert_eq!(without_clauses(&written), without_clauses(PROGRAM));
    // Behind the head of each loop, and no more than a proof needs.
    let clauses = written.matches(CLAUSE).count();
    assert!((3..=10).contains(&clauses), "{written}");
    assert!(written.contains("while (i < n)\n        __CPROVER_loop_invariant("), "{written}");
    assert!(written.contains("s == k * 2") || written.contains("s == 2 * k"), "{written}");
    // What is asserted of the copy holds.
    let output = foldback(["verify".as_ref(), copy.as_os_str()]);
    assert_eq!(result(&output), "RESULT: true", "{}{written}", stdout(&output));
    // One that is shifted does not.
    let shifted =
        scratch.file("shifted.c", written.replace("== k * 2", "== k * 2 + 1").replace("== 2 * k", "== 2 * k + 1"));
    let output = foldback(["verify".as_ref(), shifted.as_os_str()]);
    assert_eq!(result(&output), "RESULT: false(assert)", "{}", stdout(&output));
}

#[test]
fn nothing_is_written_over() {
    let scratch = Scratch::new("annotate-over");
    let program = scratch.file("program.c", PROGRAM);
    let output = foldback(["verify".as_ref(), program.as_os_str(), "--annotate".as_ref(), program.as_os_str()]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("exists"), "{}", stderr(&output));
    assert_eq!(text(&program), PROGRAM);
}

#[test]
fn several_files_become_a_folder() {
    let scratch = Scratch::new("annotate-several");
    let (head, tail) = PROGRAM.split_once("int main").expect("there is a main");
    let first = scratch.file("walk.c", head.replace("static unsigned walk", "unsigned walk"));
    let main = "#include <assert.h>\nunsigned __VERIFIER_nondet_uint(void);\nunsigned walk(const unsigned char *, unsigned char *, unsigned);\nint main";
    let second = scratch.file("main.c", format!("{main}{tail}"));
    let folder = scratch.path("copies");
    let words = ["verify".as_ref(), first.as_os_str(), second.as_os_str(), "--annotate".as_ref(), folder.as_os_str()];
    let output = foldback(words);
    assert_eq!(result(&output), "RESULT: true", "{}", stderr(&output));
    let copies = [folder.join("walk.c"), folder.join("main.c")];
    for (copy, from) in copies.iter().zip([&first, &second]) {
        assert!(text(copy).contains(CLAUSE), "{}", text(copy));
        assert_eq!(without_clauses(&text(copy)), without_clauses(&text(from)));
    }
    let output = foldback(["verify".as_ref(), copies[0].as_os_str(), copies[1].as_os_str()]);
    assert_eq!(result(&output), "RESULT: true", "{}", stdout(&output));
}

#[test]
fn without_a_proof_there_is_no_copy() {
    let scratch = Scratch::new("annotate-none");
    let program = scratch.file("program.c", PROGRAM.replace("s == 2 * n", "s == 2 * n + 1"));
    let copy = scratch.path("copy.c");
    let output = foldback(["verify".as_ref(), program.as_os_str(), "--annotate".as_ref(), copy.as_os_str()]);
    assert_eq!(result(&output), "RESULT: false(assert)");
    assert!(stderr(&output).contains("is not written: there is no proof"), "{}", stderr(&output));
    assert!(!copy.exists());
}

/// What we write is CBMC's language: where it is installed, it proves the program from our invariants.
#[test]
fn cbmc_takes_what_is_written() {
    if Command::new("goto-instrument").arg("--version").output().is_err() {
        eprintln!("skipped: CBMC is not installed");
        return;
    }
    let scratch = Scratch::new("annotate-cbmc");
    let program = scratch.file("program.c", PROGRAM);
    let copy = scratch.path("copy.c");
    foldback(["verify".as_ref(), program.as_os_str(), "--annotate".as_ref(), copy.as_os_str()]);
    let run = |words: &[&str]| {
        let output = Command::new(words[0]).args(&words[1..]).current_dir(scratch.path(".")).output();
        let output = output.unwrap_or_else(|error| panic!("{}: {error}", words[0]));
        assert!(output.status.success(), "{words:?}: {}{}", stdout(&output), stderr(&output));
        stdout(&output)
    };
    run(&["goto-cc", "copy.c", "-o", "copy.goto"]);
    run(&["goto-instrument", "--apply-loop-contracts", "copy.goto", "applied.goto"]);
    assert!(run(&["cbmc", "applied.goto", "--bounds-check"]).contains("VERIFICATION SUCCESSFUL"));
}
