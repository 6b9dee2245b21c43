//! k-induction and its bidirectional form on the programs of Gadelha et al. 2018, with iterations counted.

use crate::common::{cx, lowered};
use cfa::Program;
use engine::{Engine, Event, Evidence, Proof, Task, Verdict};
use engines::kind::{KInduction, Raise, Settings};
use interpreter::Limits;
use smt::SolverSettings;
use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;
use transform::Aim;
use transform::pipeline::{self, Prepared, prepare};
use validate::recheck::{Claim, recheck};
use validate::replay::{Replayed, replay};

fn compile(text: &str) -> (Program, Prepared) {
    let program = lowered(text, cfront::types::DataModel::Ilp32);
    let prepared = prepare(&program, &pipeline::Settings::new(Aim::Targets));
    (program, prepared)
}

/// The verdict and the number of iterations it took. Proofs are proved again, counterexamples run.
fn run(text: &str, settings: Settings) -> (Verdict, u32) {
    let (program, prepared) = compile(text);
    let task = Task::new(prepared.program.clone());
    let mut cx = cx(&task, Duration::from_secs(60));
    let rounds = Rc::new(Cell::new(1));
    let counter = rounds.clone();
    cx.listen(move |event| {
        if let Event::Bound(_) = event {
            counter.set(counter.get() + 1);
        }
    });
    let verdict = KInduction::new(settings).run(&task, &mut cx);
    match &verdict {
        Verdict::Safe(Proof::Invariants { at, k }) => {
            let mut solver = smt::open(&SolverSettings::default()).expect("a solver");
            let claim = Claim::Inductive { invariants: at, k: *k };
            let deadline = base::cpu::Deadline::after(Duration::from_secs(120));
            recheck(&task.program, &mut cx.terms, claim, solver.as_mut(), deadline).expect("a proof");
        }
        Verdict::Unsafe(Evidence::Trace(trace)) => {
            let replayed = replay(&program, &task.program, trace, &Limits::default());
            assert!(matches!(replayed, Replayed::Confirmed { .. }), "{replayed:?}");
        }
        _ => {}
    }
    (verdict, rounds.get())
}

/// Fig. 1 of the paper with a chain of `length` states: an error needs `length` visits of the loop's head.
fn chain(length: u32, violated: &str) -> String {
    let mut text = String::from(
        "extern void reach_error(void); extern unsigned int __VERIFIER_nondet_uint(void);\n\
         unsigned int s = 1;\nint main() {\n  while (1) {\n    unsigned int input = __VERIFIER_nondet_uint();\n",
    );
    text += &format!("    if (input > {length}) {{\n      return 0;\n    }}");
    for i in 1..length {
        text += &format!(" else if (input == {i} && s == {i}) {{\n      s = {};\n    }}", i + 1);
    }
    text +=
        &format!(" else if (input == {length} && s {violated} {length}) {{\n      reach_error();\n    }}\n  }}\n}}\n");
    text
}

fn by_one(settings: Settings) -> Settings {
    Settings { raise: Raise::ByOne, ..settings }
}

#[test]
fn the_safe_chain_is_proved_with_two_unwindings() {
    for settings in [Settings::kind(), Settings::bkind()] {
        let (verdict, iterations) = run(&chain(5, ">"), settings);
        let Verdict::Safe(Proof::Invariants { k, .. }) = verdict else { panic!("{verdict:?}") };
        assert!(k <= 2 && iterations <= 2, "k = {k} in {iterations} iterations");
    }
}

#[test]
fn without_invariants_the_safe_chain_stays_open() {
    let naive = Settings { invariants: false, max_k: 6, ..by_one(Settings::kind()) };
    let (verdict, iterations) = run(&chain(5, ">"), naive);
    assert!(matches!(verdict, Verdict::Unknown(_)), "{verdict:?}");
    assert_eq!(iterations, 7, "six iterations and none decided");
}

#[test]
fn the_unsafe_chain_is_refuted_in_half_the_iterations() {
    for length in [5, 11, 24] {
        let (verdict, iterations) = run(&chain(length, ">="), by_one(Settings::kind()));
        assert!(matches!(verdict, Verdict::Unsafe(_)), "{verdict:?}");
        assert_eq!(iterations, length, "kind");
        let (verdict, iterations) = run(&chain(length, ">="), by_one(Settings::bkind()));
        assert!(matches!(verdict, Verdict::Unsafe(_)), "{verdict:?}");
        assert_eq!(iterations, length / 2 + 1, "bkind");
    }
}

/// Executions go on past checks with products, but not past what else stands on the same edge: `x >= n` leaves the loop.
#[test]
fn a_loop_is_left_beside_a_check_with_products() {
    let text = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);\n\
        int main() {\n  int n = __VERIFIER_nondet_int(), x = 0;\n  if (n < 0 || n > 5) return 0;\n\
        while (1) {\n    if (x * n > n * n) reach_error();\n    if (x >= n) break;\n    x++;\n  }\n}\n";
    let naive = Settings { invariants: false, ..Settings::kind() };
    let (verdict, _) = run(text, naive);
    assert!(matches!(verdict, Verdict::Safe(_)), "{verdict:?}");
}

/// The searches meet in the contents of an array: a state that differs only there is no target.
#[test]
fn halves_join_only_if_arrays_agree() {
    let program = |start: u32, goal: u32| {
        format!(
            "extern void reach_error(void); extern unsigned int __VERIFIER_nondet_uint(void);\n\
             unsigned int a[4];\nint main() {{\n  a[0] = {start};\n  while (1) {{\n\
             unsigned int i = __VERIFIER_nondet_uint() % 4;\n    if (a[i] == i + 1 && i < 3) a[i + 1] = a[i] + 1;\n\
             if (a[3] == {goal} && a[1] == 2) reach_error();\n  }}\n}}\n"
        )
    };
    let (verdict, _) = run(&program(1, 4), Settings::bkind());
    assert!(matches!(verdict, Verdict::Unsafe(_)), "{verdict:?}");
    let bounded = Settings { max_k: 8, ..Settings::bkind() };
    let (verdict, _) = run(&program(2, 4), bounded);
    assert!(!matches!(verdict, Verdict::Unsafe(_)), "{verdict:?}");
}

/// Early exits, `goto`, nesting, loops in functions: each with a property that needs the loops' invariants.
#[test]
fn loops_of_all_shapes() {
    let head = "extern void reach_error(void); extern unsigned int __VERIFIER_nondet_uint(void); extern int \
                __VERIFIER_nondet_int(void);\n";
    let safe = [
        "int main() { unsigned x = 0; while (__VERIFIER_nondet_int()) { if (x == 7) break; x++; } if (x > 7) reach_error(); }",
        "int main() { unsigned x = 0; again: if (x < 100) { x += 2; goto again; } if (x % 2) reach_error(); }",
        "int main() { unsigned x = 0; while (x < 10) { unsigned y = 0; while (y < 10) y++; x++; if (y != 10) reach_error(); } \
         if (x != 10) reach_error(); }",
        "unsigned up(unsigned n) { unsigned i = 0; while (i < n) i++; return i; } int main() { unsigned n = \
         __VERIFIER_nondet_uint(); if (up(n) != n) reach_error(); if (up(7) != 7) reach_error(); }",
        "int main() { int x = 0, y = 0, n = __VERIFIER_nondet_int(); while (x < n) { x++; y++; } if (x != y) reach_error(); }",
        "int x, *p = &x; int main() { while (__VERIFIER_nondet_int()) { if (*p < 5) ++*p; } if (x > 5) reach_error(); }",
    ];
    for text in safe {
        let (verdict, _) = run(&format!("{head}{text}\n"), Settings::kind());
        assert!(matches!(verdict, Verdict::Safe(_)), "{text}: {verdict:?}");
    }
    let unsafe_ = [
        "int main() { unsigned x = 0; while (__VERIFIER_nondet_int()) { if (x == 7) break; x++; } if (x > 6) reach_error(); }",
        "int main() { unsigned x = 0; while (x < 6) { unsigned y = 0; while (y < x) y++; x++; if (y == 5) reach_error(); } }",
        "int x, *p = &x; int main() { while (__VERIFIER_nondet_int()) { if (*p < 5) ++*p; } if (x > 4) reach_error(); }",
    ];
    for text in unsafe_ {
        for settings in [Settings::kind(), Settings::bkind()] {
            let (verdict, _) = run(&format!("{head}{text}\n"), settings);
            assert!(matches!(verdict, Verdict::Unsafe(_)), "{text}: {verdict:?}");
        }
    }
}

/// A loop that is entered beside its head has no window to begin with: its deep error is not argued away.
#[test]
fn loops_entered_beside_their_head() {
    let text = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);\n\
                int main() { unsigned x = __VERIFIER_nondet_int() & 1, y = 0; if (x) goto inside;\n\
                while (y < 50) { y++; inside: x = y; if (x == 12) reach_error(); } }\n";
    let (verdict, _) = run(text, Settings::kind());
    assert!(matches!(verdict, Verdict::Unsafe(_)), "{verdict:?}");
}
