//! Chalupa and Strejček 2021, theorems 1 and 2: backward symbolic execution and k-induction on paths decide the same automata, as
//! exhaustive execution does.

use crate::common::{Said, Shape, ask, cx, exhaustive, random_program};
use engine::Task;
use engines::bse::kind_path::{PathInduction, kind_path};
use engines::bse::{BackwardExecution, Settings};
use engines::bself::LoopFolding;
use std::time::Duration;

const LOOP_FREE: Shape = Shape { locations: 6, loops: false, inputs: true, choices: false };
const LOOPING: Shape = Shape { locations: 5, loops: true, inputs: true, choices: true };

/// The algorithm as the paper has it: nothing is subsumed, nothing known.
fn plain(max_length: u32) -> BackwardExecution {
    BackwardExecution { settings: Settings { subsume: false, invariants: false, max_length, ..Settings::default() } }
}

fn induction(program: &cfa::Program, max_k: u32) -> PathInduction {
    let task = Task::new(program.clone());
    let mut cx = cx(&task, Duration::from_secs(60));
    kind_path(program, &mut cx, max_k).expect("within the budget")
}

#[test]
fn loop_free_automata_are_decided_as_exhaustive_execution_does() {
    for seed in 0..150 {
        let program = random_program(seed, LOOP_FREE);
        let truth = exhaustive(&program);
        let expected = if truth.is_some() { Said::Unsafe } else { Said::Safe };
        assert_eq!(ask(&mut plain(u32::MAX), &program, 60), expected, "{}", cfa::print(&program));
        assert_eq!(ask(&mut BackwardExecution::default(), &program, 60), expected, "{}", cfa::print(&program));
    }
}

#[test]
fn with_loops_it_decides_what_k_induction_on_paths_decides() {
    const MAX_K: u32 = 2;
    let (mut safe, mut unsafe_, mut open) = (0, 0, 0);
    for seed in 0..120 {
        let program = random_program(seed, LOOPING);
        let truth = exhaustive(&program);
        let shown = || format!("seed {seed}\n{}", cfa::print(&program));
        match induction(&program, MAX_K) {
            PathInduction::Correct { k } => {
                safe += 1;
                assert_eq!(truth, None, "{}", shown());
                assert_eq!(ask(&mut plain(k + 1), &program, 60), Said::Safe, "{}", shown());
            }
            PathInduction::Witness(_) => {
                unsafe_ += 1;
                // Minimal witnesses, both of the same length.
                let length = truth.expect("reachable");
                assert!(length <= MAX_K);
                assert_eq!(ask(&mut plain(length), &program, 60), Said::Unsafe, "{}", shown());
                assert_eq!(ask(&mut plain(length - 1), &program, 60), Said::Unknown, "{}", shown());
            }
            PathInduction::Open => {
                open += 1;
                assert!(truth.is_none_or(|length| length > MAX_K), "{}", shown());
                assert_eq!(ask(&mut plain(MAX_K), &program, 60), Said::Unknown, "{}", shown());
            }
        }
    }
    assert!(safe >= 20 && unsafe_ >= 20 && open >= 1, "{safe} safe, {unsafe_} unsafe, {open} open");
}

#[test]
fn subsumption_invariants_and_folding_never_lie() {
    let mut decided = [0; 2];
    for seed in 1000..1080 {
        let program = random_program(seed, Shape { locations: 8, ..LOOPING });
        let truth = if exhaustive(&program).is_some() { Said::Unsafe } else { Said::Safe };
        let answers =
            [ask(&mut BackwardExecution::default(), &program, 2), ask(&mut LoopFolding::default(), &program, 2)];
        for (count, answer) in decided.iter_mut().zip(answers) {
            assert!(answer == truth || answer == Said::Unknown, "seed {seed}: {answer:?}\n{}", cfa::print(&program));
            *count += u32::from(answer == truth);
        }
    }
    // Three-bit programs have few states: subsumption makes both end almost always.
    assert!(decided.iter().all(|n| *n >= 70), "{decided:?} of 80");
}
