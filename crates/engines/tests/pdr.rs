//! Property-directed reachability decides every program of few states, by bits and by words.

use crate::common::{Said, Shape, ask, exhaustive, random_program};
use engine::{Board, Budget, Cx, Engine, Evidence, Proof, Task, Verdict};
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
    let text = format!(
        "machine lp64 32 32
var $size [bv32 -> bv64] memory
var $live [bv32 -> bool] memory
var s bv32 global
var rounds bv32 global
var go bv32 global
entry f0

function f0 \"main\" params () entry L0 exit L8
  L0
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
    );
    Task::new(cfa::text::parse(&text).expect("a program"))
}

#[test]
fn machines_of_many_steps() {
    for literals in [Literals::Fitting, Literals::Words] {
        let run = |task: &Task| {
            let budget = Budget::new(Duration::from_secs(300), u64::MAX);
            let mut cx = Cx::new(task, budget, Board::new(), smt::SolverSettings::default());
            pdr(literals).run(task, &mut cx)
        };
        assert!(matches!(run(&ring(3, 7)), Verdict::Safe(Proof::Invariants { .. })), "{literals:?}");
        let Verdict::Unsafe(Evidence::Trace(trace)) = run(&ring(3, 8)) else { panic!("{literals:?}: eight rounds") };
        let steps =
            trace.inputs.iter().filter(|(_, values)| values[0] != term::Value::Bv(term::Bits::zero(32))).count();
        assert_eq!(steps, 32, "eight rounds of four steps");
    }
}
