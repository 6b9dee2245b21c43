//! Universal invariants of arrays: found, proved again with their quantifiers, and not found where there is an error.

#![allow(clippy::print_stderr)]

use crate::common::{compiled, cx};
use cfa::Program;
use engine::{Engine, Event, Proof, Task, Verdict};
use engines::cells::Cells;
use smt::{Backend, SolverSettings, Z3Settings};
use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;
use validate::recheck::{Claim, recheck};

fn compile(body: &str) -> Program {
    let text = format!(
        "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);\n\
         int main() {{ int a[1000], b[1000]; int i, x;\n{body}\n}}\n"
    );
    compiled(text, cfront::types::DataModel::Ilp32)
}

/// The verdict; proofs are proved again by Z3, where there is one.
fn run(body: &str) -> Verdict {
    let task = Task::new(compile(body));
    let mut cx = cx(&task, Duration::from_secs(60));
    let verdict = Cells.run(&task, &mut cx);
    if let Verdict::Safe(Proof::Invariants { at, k }) = &verdict {
        let z3 = SolverSettings { backend: Backend::Z3(Z3Settings::default()), ..SolverSettings::default() };
        match smt::open(&z3) {
            Ok(mut solver) => {
                let claim = Claim::Inductive { invariants: at, k: *k };
                let deadline = base::cpu::Deadline::after(Duration::from_secs(120));
                recheck(&task.program, &mut cx.terms, claim, solver.as_mut(), deadline).expect("a proof");
            }
            Err(_) => eprintln!("skipped: no Z3 to prove it again"),
        }
    }
    verdict
}

const FILL: &str = "for (i = 0; i < 1000; i++) a[i] = __VERIFIER_nondet_int();";

#[test]
fn what_loops_leave_in_every_cell() {
    for (name, body) in [
        (
            "initialised",
            "for (i = 0; i < 1000; i++) a[i] = 42; for (x = 0; x < 1000; x++) if (a[x] != 42) reach_error();",
        ),
        (
            "copied",
            &format!(
                "{FILL} for (i = 0; i < 1000; i++) b[i] = a[i]; for (x = 0; x < 1000; x++) if (a[x] != b[x]) reach_error();"
            ),
        ),
        (
            "the least",
            &format!(
                "{FILL} int min = 0; for (i = 0; i < 1000; i++) if (a[i] < min) min = a[i];\n\
                 for (x = 0; x < 1000; x++) if (a[x] < min) reach_error();"
            ),
        ),
        (
            "the greatest, from the first on",
            &format!(
                "{FILL} int max = a[0]; for (i = 1; i < 1000; i++) if (a[i] > max) max = a[i];\n\
                 for (x = 0; x < 1000; x++) if (a[x] > max) reach_error();"
            ),
        ),
        (
            "a flag that says it",
            &format!(
                "{FILL} int same = 1; for (i = 0; i < 1000; i++) {{ b[i] = __VERIFIER_nondet_int(); if (a[i] != b[i]) same = 0; }}\n\
                 if (same) for (x = 0; x < 1000; x++) if (a[x] != b[x]) reach_error();"
            ),
        ),
        (
            "a part of every row",
            "int j, y; int m[20][30]; for (i = 0; i < 20; i++) for (j = 0; j < 10; j++) m[i][j] = 42;\n\
             for (x = 0; x < 20; x++) for (y = 0; y < 10; y++) if (m[x][y] != 42) reach_error();",
        ),
        (
            "its index",
            "for (i = 0; i < 1000; i++) a[i] = 2 * i; for (x = 0; x < 1000; x++) if (a[x] != 2 * x) reach_error();",
        ),
        (
            "a second counter that runs along",
            &format!(
                "{FILL} int j = 0; for (i = 1; i < 1000; i += 2, j++) b[j] = a[i];\n\
                 for (i = 1, j = 0; i < 1000; i += 2, j++) if (b[j] != a[2 * j + 1]) reach_error();"
            ),
        ),
    ] {
        let verdict = run(body);
        assert!(matches!(verdict, Verdict::Safe(_)), "{name}: {verdict:?}");
    }
}

/// What the error demands is drawn back over every copy, of every array that it may come from: no runs are needed.
#[test]
fn a_chain_of_copies_follows_from_what_the_error_demands() {
    let mut body = FILL.replace("a[", "c0[");
    for i in 0..9 {
        body += &format!("for (i = 0; i < 1000; i++) c{}[i] = c{i}[i];", i + 1);
    }
    body += "for (x = 0; x < 1000; x++) if (c0[x] != c9[x]) reach_error();";
    let arrays: Vec<String> = (0..10).map(|i| format!("int c{i}[1000];")).collect();
    let task = Task::new(compile(&(arrays.concat() + &body)));
    let mut cx = cx(&task, Duration::from_secs(60));
    let attempts = Rc::new(Cell::new(0));
    let counted = Rc::clone(&attempts);
    cx.listen(move |event| {
        if let Event::Note(text) = event
            && text.contains("are inductive")
        {
            counted.set(counted.get() + 1);
        }
    });
    assert!(matches!(Cells.run(&task, &mut cx), Verdict::Safe(_)));
    assert_eq!(attempts.get(), 1);
}

#[test]
fn a_row_that_is_left_out_is_seen() {
    let verdict =
        run("int j, y; int m[20][30]; for (i = 0; i < 20; i++) for (j = 0; j < 10; j++) if (i != 7) m[i][j] = 42;\n\
         for (x = 0; x < 20; x++) for (y = 0; y < 10; y++) if (m[x][y] != 42) reach_error();");
    assert!(!matches!(verdict, Verdict::Safe(_)), "{verdict:?}");
}

#[test]
fn a_cell_that_is_left_out_is_seen() {
    for body in [
        "for (i = 1; i < 1000; i++) a[i] = 42; for (x = 0; x < 1000; x++) if (a[x] != 42) reach_error();",
        "for (i = 0; i < 999; i++) a[i] = 42; for (x = 0; x < 1000; x++) if (a[x] != 42) reach_error();",
        "for (i = 0; i < 1000; i++) a[i] = 42; a[7] = 41; for (x = 0; x < 1000; x++) if (a[x] != 42) reach_error();",
        "for (i = 0; i < 1000; i++) a[i] = i; for (x = 0; x < 1000; x++) if (a[x] > 998) reach_error();",
        &format!(
            "{FILL} int j = 0; for (i = 1; i < 998; i += 2, j++) b[j] = a[i];\n\
             for (i = 1, j = 0; i < 1000; i += 2, j++) if (b[j] != a[2 * j + 1]) reach_error();"
        ),
    ] {
        let verdict = run(body);
        assert!(matches!(verdict, Verdict::Unknown(_)), "{verdict:?}");
    }
}
