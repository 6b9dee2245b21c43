//! Symbolic execution on small automata: concrete stretches, endless loops, and the proofs it gives.

use crate::common::{cx, task};
use engine::{Budget, Engine, Evidence, Proof, Task, Verdict, Why};
use std::time::Duration;

/// A loop that counts to `n` by `step` in 32 bits and is then asked whether `i` is `expected`.
fn counting(n: u32, step: u32, expected: u32) -> Task {
    task(
        "i: bv32",
        "L1",
        &format!(
            "  L0
    e0 -> L2 assign i := 0:32
  L1 end return
  L2
    e1 -> L3 assume (not (= i {n}:32))
    e2 -> L4 assume (= i {n}:32)
  L3
    e3 -> L2 assign i := (bvadd i {step}:32)
  L4
    e4 -> L5 assume (not (= i {expected}:32))
    e5 -> L1 assume (= i {expected}:32)
  L5 error unreach-call \"bad\"
"
        ),
    )
}

fn decide(task: &Task) -> Verdict {
    engines::se::SymbolicExecution::default().run(task, &mut cx(task, Duration::from_secs(60)))
}

#[test]
fn long_concrete_loops_are_run_by_the_interpreter() {
    let n = 10_000_000;
    assert!(matches!(decide(&counting(n, 1, n)), Verdict::Safe(Proof::Explored(_))));
    assert!(matches!(decide(&counting(n, 1, 0)), Verdict::Unsafe(Evidence::Trace(_))));
}

#[test]
fn an_endless_loop_reaches_nothing() {
    // An odd number is never reached by steps of two: i wraps around and comes back to zero.
    assert!(matches!(decide(&counting(7, 1 << 20, 0)), Verdict::Safe(_)));
}

#[test]
fn few_states_are_an_invariant() {
    let Verdict::Safe(Proof::Invariants { at, k: 1 }) = decide(&counting(5, 1, 5)) else {
        panic!("five states make an invariant");
    };
    assert_eq!(at.len(), 1);
}

#[test]
fn a_run_goes_on_where_the_last_one_stopped() {
    let task = counting(30_000_000, 1, 30_000_000);
    let mut cx = cx(&task, Duration::ZERO);
    let mut engine = engines::se::SymbolicExecution::default();
    let mut runs = 0;
    let verdict = loop {
        runs += 1;
        let verdict = engine.run(&task, &mut cx);
        if !matches!(verdict, Verdict::Unknown(Why::Timeout)) {
            break verdict;
        }
        assert!(runs < 100, "no progress between runs");
        cx.budget = Budget::new(Duration::from_millis(1), u64::MAX);
    };
    assert!(runs > 1);
    assert!(matches!(verdict, Verdict::Safe(_)));
}

#[test]
fn services_that_never_end_are_all_seen() {
    // A server: service 0 counts for ever, service 1 opens, service 2 fails when opened. Following the first path to its end
    // would never come to the others.
    let task = task(
        "open sum x: bv32",
        "L1",
        "  L0
    e0 -> L2 assign open := 0:32, sum := 0:32
  L1 end return
  L2
    e1 -> L3 havoc (x) input \"request\"
  L3
    e2 -> L4 assume (= x 1:32)
    e3 -> L5 assume (= x 2:32)
    e4 -> L7 assume (and (not (= x 1:32)) (not (= x 2:32)))
  L4
    e5 -> L2 assign open := 1:32
  L5
    e6 -> L6 assume (= open 1:32)
    e7 -> L2 assume (not (= open 1:32))
  L6 error unreach-call \"bad\"
  L7
    e8 -> L2 assign sum := (bvadd (bvmul sum 3:32) x)
",
    );
    assert!(matches!(decide(&task), Verdict::Unsafe(Evidence::Trace(_))));
}

#[test]
fn a_stretch_that_cannot_be_carried_back_is_not_half_taken() {
    // A loop fills more places than are carried back; then the counter alone would be at its end, the array at its start.
    let task = task(
        "a: [bv32 -> bv32], i: bv32",
        "L1",
        "  L0
    e0 -> L2 assign i := 0:32, a := (const bv32 0:32)
  L1 end return
  L2
    e1 -> L3 assume (not (= i 70000:32))
    e2 -> L4 assume (= i 70000:32)
  L3
    e3 -> L2 assign a := (store a i 7:32), i := (bvadd i 1:32)
  L4
    e4 -> L1 assume (not (= (select a 69999:32) 7:32))
    e5 -> L5 assume (= (select a 69999:32) 7:32)
  L5 error unreach-call \"bad\"
",
    );
    // Symbolically it takes long to get there: no answer is fine, `safe` is not.
    let mut se = engines::se::SymbolicExecution::default();
    assert!(!matches!(se.run(&task, &mut cx(&task, Duration::from_secs(5))), Verdict::Safe(_)));
}

#[test]
fn a_path_that_had_to_stop_at_a_head_goes_on_there() {
    // The solver needs longer than a moment for the branch at the head: the path waits there, and is not its own repetition.
    let task = task(
        "x y: bv64",
        "L1",
        "  L0
    e0 -> L2 havoc (x y) input \"numbers\"
  L1 end return
  L2
    e1 -> L2 assume (not (and (and (= (bvmul x y) 10403:64) (bvult 1:64 x)) (and (bvult x 256:64) (bvult y 256:64))))
    e2 -> L3 assume (and (and (= (bvmul x y) 10403:64) (bvult 1:64 x)) (and (bvult x 256:64) (bvult y 256:64)))
  L3 error unreach-call \"bad\"
",
    );
    let mut cx = cx(&task, Duration::from_micros(200));
    let mut engine = engines::se::SymbolicExecution::default();
    assert!(matches!(engine.run(&task, &mut cx), Verdict::Unknown(_)));
    cx.budget = Budget::new(Duration::from_secs(60), u64::MAX);
    assert!(matches!(engine.run(&task, &mut cx), Verdict::Unsafe(Evidence::Trace(_))));
}

/// Three inputs, of which the first and the second are compared, and the second and the third; the error wants something of
/// the first and the third.
fn compared(error: &str) -> Task {
    task(
        "a b c d: bv8",
        "L1",
        &format!(
            "  L0
    e0 -> L2 havoc (a b c d) input \"numbers\"
  L1 end return
  L2
    e1 -> L3 assume (bvult 7:8 d)
    e2 -> L1 assume (not (bvult 7:8 d))
  L3
    e3 -> L4 assume (and (bvult a b) (bvult b c))
    e4 -> L1 assume (not (and (bvult a b) (bvult b c)))
  L4
    e5 -> L5 assume (bvult d 20:8)
    e6 -> L1 assume (not (bvult d 20:8))
  L5
    e7 -> L6 assume {error}
    e8 -> L1 assume (not {error})
  L6 error unreach-call \"bad\"
"
        ),
    )
}

#[test]
fn conditions_have_to_do_with_each_other_by_way_of_others() {
    assert!(matches!(decide(&compared("(bvult c a)")), Verdict::Safe(_)));
    assert!(matches!(decide(&compared("(= c (bvadd a 1:8))")), Verdict::Safe(_)));
    let Verdict::Unsafe(Evidence::Trace(trace)) = decide(&compared("(= c (bvadd a 2:8))")) else {
        panic!("there are three numbers in a row");
    };
    // What was asked last is not about d: it keeps a value that fits what was asked before.
    let number = |value: &term::Value| match value {
        term::Value::Bv(bits) => bits.to_u64().expect("eight bits"),
        other => panic!("{other:?}"),
    };
    let values: Vec<u64> = trace.inputs[0].1.iter().map(number).collect();
    let [a, b, c, d] = values[..] else { panic!("{values:?}") };
    assert!(a < b && b < c && c == (a + 2) % 256 && 7 < d && d < 20, "{values:?}");
}

#[test]
fn inputs_of_one_edge_are_not_the_same() {
    // The first input is kept, and compared with the second.
    let program = |last: &str| {
        task(
            "i kept x: bv8",
            "L1",
            &format!(
                "  L0
    e0 -> L2 assign i := 0:8, kept := 0:8
  L1 end return
  L2
    e1 -> L3 havoc (x) input \"x\"
  L3
    e2 -> L2 assign i := 1:8, kept := x
    e3 -> L4 assume (= i 1:8)
  L4
    e4 -> L5 assume {last}
    e5 -> L1 assume (not {last})
  L5 error unreach-call \"bad\"
"
            ),
        )
    };
    assert!(matches!(decide(&program("(not (= x kept))")), Verdict::Unsafe(Evidence::Trace(_))));
    assert!(matches!(decide(&program("(and (bvult x kept) (bvult kept x))")), Verdict::Safe(_)));
}

/// Rounds that decide the same as the first one: no path is longer to ask about for that.
#[test]
fn what_is_decided_again_and_again_is_one_condition() {
    let task = task(
        "a b c x: bv8, r: bv32",
        "L1",
        "  L0
    e0 -> L2 havoc (a b c) input \"numbers\"
  L1 end return
  L2
    e1 -> L3 assign r := 0:32, x := a
  L3
    e2 -> L4 assume (bvult r 30000:32)
    e3 -> L9 assume (not (bvult r 30000:32))
  L4
    e4 -> L5 assume (bvult a b)
    e5 -> L6 assume (not (bvult a b))
  L5
    e6 -> L7 assign x := b
  L6
    e7 -> L7 assign x := a
  L7
    e8 -> L8 assume (bvult b c)
    e9 -> L10 assume (not (bvult b c))
  L8
    e10 -> L3 assign r := (bvadd r 1:32)
  L9
    e11 -> L11 assume (and (and (bvult x a) (bvult x b)) (bvult x c))
    e12 -> L1 assume (not (and (and (bvult x a) (bvult x b)) (bvult x c)))
  L10
    e13 -> L3 assign r := (bvadd r 1:32), x := c
  L11 error unreach-call \"bad\"
",
    );
    assert!(matches!(decide(&task), Verdict::Safe(Proof::Explored(_))));
}
