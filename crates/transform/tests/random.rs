//! Every pass on random automata: same inputs, same targets; recorded facts hold; lost places are never visited.

use crate::common::{Random, assert_same, random_program, run};
use cfa::{Form, Program, assert_sound};
use term::{Evaluator, Value};
use transform::pipeline::{self, prepare};
use transform::simplify::{Settings, simplify};
use transform::slice::{LoopPolicy, slice};

use transform::{Aim, Fate, Restore, flatten, reducible};

/// What the pass says of the old program must be true in its executions.
fn assert_honest(before: &Program, after: &Program, restore: &Restore, what: &str) {
    for seed in 1..5u64 {
        run(before, seed * 77_777, 200, |l, state| {
            let unreachable = restore.fate(before.entry, l) == Fate::Unreachable;
            assert!(!unreachable, "{what}: {l} is reached\n{}", cfa::print(before));
            for fact in restore.facts.get(&(before.entry, l)).into_iter().flatten() {
                let holds = Evaluator::new(state).eval(&after.terms, *fact).expect("has a value");
                let text = cfa::text::print_term(&after.terms, *fact);
                assert_eq!(holds, Value::Bool(true), "{what}: {text} at {l}\n{}", cfa::print(before));
            }
        });
    }
}

/// Programs for each pass; more on demand.
fn rounds() -> u64 {
    std::env::var("FOLDBACK_ROUNDS").ok().and_then(|n| n.parse().ok()).unwrap_or(100)
}

fn check(rounds: u64, what: &str, pass: impl Fn(Program) -> (Program, Restore)) {
    for number in 1..=rounds {
        let before = random_program(&mut Random(number * 0x1234_5678_9abc + 1));
        assert_sound(&before, Form::Flat);
        let (after, restore) = pass(before.clone());
        assert_sound(&after, Form::Flat);
        let what = format!("{what}, program {number}");
        assert_same(&before, &after, 6, &what);
        assert_honest(&before, &after, &restore, &what);
    }
}

#[test]
fn simplification_keeps_targets() {
    for aim in [Aim::All, Aim::InfiniteRuns, Aim::Targets] {
        check(rounds(), &format!("simplify {aim:?}"), |p| simplify(p, &Settings::new(aim)));
    }
}

#[test]
fn slicing_keeps_targets() {
    check(rounds(), "slice", |p| slice(p, LoopPolicy::DropBounded));
    check(rounds(), "slice, all loops", |p| slice(p, LoopPolicy::Keep));
}

#[test]
fn slicing_after_simplification_keeps_targets() {
    check(rounds(), "simplify and slice", |p| {
        let (p, first) = simplify(p, &Settings::new(Aim::Targets));
        let (p, second) = slice(p, LoopPolicy::DropBounded);
        let (p, third) = simplify(p, &Settings::new(Aim::Targets));
        let restore = first.then(second, &p).then(third, &p);
        (p, restore)
    });
}

#[test]
fn reducible_programs_are_reducible() {
    check(rounds(), "reducible", |p| {
        let (p, restore) = reducible(p);
        assert!(flow::Loops::of(&flow::Graph::of(p.main())).is_reducible());
        (p, restore)
    });
}

#[test]
fn flat_programs_have_no_nested_loops() {
    check(rounds(), "flatten", |p| {
        let (p, restore) = flatten(p);
        let loops = flow::Loops::of(&flow::Graph::of(p.main()));
        assert!(loops.loops.values().all(|l| l.parent.is_none() && l.is_reducible()));
        (p, restore)
    });
}

#[test]
fn what_is_prepared_keeps_targets() {
    for number in 1..=4 * rounds() {
        let lowered = random_program(&mut Random(number * 0x1234_5678_9abc + 7));
        let prepared = prepare(&lowered, &pipeline::Settings::new(Aim::Targets));
        assert_sound(&prepared.program, Form::Flat);
        let what = format!("prepare, program {number}");
        assert_same(&prepared.flat, &prepared.program, 6, &what);
        assert_honest(&prepared.flat, &prepared.program, &prepared.restore, &what);
    }
}
