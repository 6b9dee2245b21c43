//! Property-directed reachability decides every program of few states, by bits and by words.

use crate::common::{Said, Shape, ask, cx, exhaustive, random_program, task};
use engine::{Engine, Evidence, Proof, Task, Verdict};
use engines::pdr::{Literals, Pdr, Settings};
use flow::wto::Wto;
use std::time::Duration;

fn pdr(literals: Literals) -> Pdr {
    Pdr { settings: Settings { literals, ..Settings::default() } }
}

#[test]
fn small_programs_are_decided() {
    let mut safe = 0;
    for seed in 0..300 {
        let shape = Shape { locations: 6, loops: true, inputs: seed % 2 == 0, choices: seed % 3 == 0 };
        let program = random_program(seed, shape);
        // What is entered beside its head is made reducible before engines see it.
        if !Wto::new(program.main()).is_reducible(program.main()) {
            continue;
        }
        let expected = if exhaustive(&program).is_some() { Said::Unsafe } else { Said::Safe };
        safe += usize::from(expected == Said::Safe);
        for literals in [Literals::Bits, Literals::Words] {
            let said = ask(&mut pdr(literals), &program, 120);
            assert_eq!(said, expected, "{literals:?}, seed {seed}:\n{}", cfa::print(&program));
        }
    }
    assert!(safe > 50, "only {safe} are safe");
}

/// A machine of `n` states in a ring, with a counter of rounds that wraps around at 7 and an error when it is above.
fn ring(n: u32, wraps_at: u32) -> Task {
    task(
        "s rounds go: bv32",
        "L8",
        &format!(
            "  L0
    e0 -> L1 assign s := 0:32, rounds := 0:32
  L1
    e1 -> L2 havoc (go) input \"go\"
  L2
    e2 -> L1 assume (= go 0:32)
    e3 -> L3 assume (not (= go 0:32))
  L3
    e4 -> L4 assume (= s {n}:32)
    e5 -> L5 assume (not (= s {n}:32))
  L4
    e6 -> L6 assign s := 0:32, rounds := (ite (= rounds {wraps_at}:32) 0:32 (bvadd rounds 1:32))
  L5
    e7 -> L6 assign s := (bvadd s 1:32)
  L6
    e8 -> L7 assume (bvult 7:32 rounds)
    e9 -> L1 assume (not (bvult 7:32 rounds))
  L7 error unreach-call \"too many rounds\"
  L8 end return
"
        ),
    )
}

fn run(literals: Literals, task: &Task) -> Verdict {
    let mut cx = cx(task, Duration::from_secs(300));
    pdr(literals).run(task, &mut cx)
}

/// Three nodes in a ring send their numbers around, and take from it what is less than their own. Who gets its own number back is elected.
/// Rounds are counted up to 255 and then from `rounds` on: from there on, exactly one is elected.
fn election(rounds: u32) -> Task {
    task("a b c p q r elected n: bv8", "L8", &format!("  L0
    e0 -> L1 havoc (a) input \"a\"
  L1
    e1 -> L2 havoc (b) input \"b\"
  L2
    e2 -> L3 havoc (c) input \"c\"
  L3
    e3 -> L4 assume (not (or (or (= a b) (= a c)) (or (= b c) (or (= a 0:8) (or (= b 0:8) (= c 0:8))))))
  L4
    e4 -> L5 assign p := a, q := b, r := c, elected := 0:8, n := 0:8
  L5
    e5 -> L6 assign elected := (ite (= a r) 1:8 (ite (= b p) 2:8 (ite (= c q) 4:8 elected))), n := (ite (= n 255:8) {rounds}:8 (bvadd n 1:8)), p := (ite (bvult a r) r 0:8), q := (ite (bvult b p) p 0:8), r := (ite (bvult c q) q 0:8)
  L6
    e6 -> L7 assume (and (bvule {rounds}:8 n) (= elected 0:8))
    e7 -> L5 assume (not (and (bvule {rounds}:8 n) (= elected 0:8)))
  L7 error unreach-call \"none is elected\"
  L8 end return
"
    ))
}

/// The lemmas compare what was passed on, and count: there are too many single numbers.
#[test]
fn numbers_that_are_passed_on() {
    assert!(matches!(run(Literals::Bits, &election(3)), Verdict::Safe(Proof::Invariants { .. })));
    assert!(matches!(run(Literals::Bits, &election(2)), Verdict::Unsafe(Evidence::Trace(_))));
}

#[test]
fn machines_of_many_steps() {
    for literals in [Literals::Fitting, Literals::Words] {
        let run = |task: &Task| run(literals, task);
        assert!(matches!(run(&ring(3, 7)), Verdict::Safe(Proof::Invariants { .. })), "{literals:?}");
        let Verdict::Unsafe(Evidence::Trace(trace)) = run(&ring(3, 8)) else { panic!("{literals:?}: eight rounds") };
        let steps =
            trace.inputs.iter().filter(|(_, values)| values[0] != term::Value::Bv(term::Bits::zero(32))).count();
        assert_eq!(steps, 32, "eight rounds of four steps");
    }
}
