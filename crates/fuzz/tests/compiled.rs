//! The compiled program as an oracle: it finds the one input that reaches the error, and says when there is none.
#![allow(clippy::print_stderr, reason = "a skipped test says so")]

use fuzz::compiled::{Compiled, noted, run};
use fuzz::generate::{Line, Source, program};

fn source(lines: &[&str]) -> Source {
    Source { lines: lines.iter().map(|line| Line::Plain((*line).to_owned())).collect() }
}

#[test]
fn all_inputs_are_tried() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let run = |lines: &[&str]| run(&source(lines), folder.path());
    let input = "b = __VERIFIER_nondet_uchar();";
    if run(&["reach_error();"]) == Compiled::Unclear {
        eprintln!("skipped: no compiler for 32-bit programs");
        return;
    }
    assert_eq!(run(&[input, "if (b == 200) reach_error();"]), Compiled::Reaches("200".into()));
    assert_eq!(run(&[input, "if (b == 200) abort();", "if (b == 200) reach_error();"]), Compiled::Never);
    // Code outside may give back what it was given.
    assert_eq!(
        run(&["p = lend(&c);", "c = 1;", "*p = 5;", "if (c != 1) reach_error();"]),
        Compiled::Reaches("0".into())
    );
    // Whoever never ends is ended.
    assert_eq!(run(&["for (;;) c++;"]), Compiled::Unclear);
    // Globals are as at the start in each run.
    assert_eq!(run(&[input, "h++; big[1]++;", "if (h != 1 || big[1] != 1) reach_error();"]), Compiled::Never);
}

#[test]
fn checks_are_sharpened_by_what_a_run_computes() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut note = source(&["c = 40 + 2;"]);
    note.lines.push(Line::Note("c".to_owned()));
    if run(&source(&["reach_error();"]), folder.path()) == Compiled::Unclear {
        eprintln!("skipped: no compiler for 32-bit programs");
        return;
    }
    assert_eq!(noted(&note, folder.path(), 7), Some(42));
    assert!(note.sharpened(|note| noted(note, folder.path(), 7)).text().contains("== 42u) reach_error(); abort();"));
    // Many random programs compile.
    for seed in 0..40 {
        let source = program(seed).sharpened(|note| noted(note, folder.path(), seed));
        assert!(!source.text().contains("fuzz_note"), "{}", source.text());
    }
}
