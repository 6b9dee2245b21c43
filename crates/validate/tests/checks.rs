//! Checks told apart: one that fails, or is hard, keeps no other from being proved, and nothing wrong is believed.

use cfa::{LocKind, Program};
use engine::{Budget, Fact, FactKind};
use std::collections::BTreeSet;
use std::time::Duration;
use transform::Aim;
use transform::pipeline::{Prepared, Settings, prepare};
use validate::checks::checks;

/// `x = 0; while (x != n) x++;` where `n < 11`, with an error for `x > 10` and one for `x = 10`, and what `more` says.
fn prepared(more: &str) -> Prepared {
    let text = format!(
        "machine lp64 32 32\nvar $size [bv32 -> bv64] memory\nvar $live [bv32 -> bool] memory\n\
         var x bv32 global\nvar n bv32 global\nentry f0\n\n\
         function f0 \"main\" params () entry L0 exit L1
  L0
    e0 -> L2 havoc (n) input \"n\"
  L1 end return
  L2
    e1 -> L3 assume (bvult n 11:32)
  L3
    e2 -> L4 assign x := 0:32
  L4
    e3 -> L5 assume (not (= x n))
    e4 -> L6 assume (= x n)
  L5
    e5 -> L4 assign x := (bvadd x 1:32)
  L6
    e6 -> L7 assume (bvult 10:32 x)
    e7 -> L8 assume (not (bvult 10:32 x))
  L7 error unreach-call \"above\"
  L8
    e8 -> L9 assume (= x 10:32)
    e9 -> L10 assume (not (= x 10:32))
  L9 error unreach-call \"ten\"
  L10
{more}"
    );
    let program = cfa::text::parse(&text).expect("a program");
    prepare(&program, &Settings::new(Aim::Targets))
}

const END: &str = "    e10 -> L1 skip\n";

/// What is proved of each, by facts at all heads of loops.
fn told_apart(prepared: &Prepared, facts: &[&str]) -> Option<[BTreeSet<String>; 2]> {
    told_apart_within(prepared, facts, Duration::from_secs(20))
}

fn told_apart_within(prepared: &Prepared, facts: &[&str], time: Duration) -> Option<[BTreeSet<String>; 2]> {
    let program = &prepared.program;
    let wto = flow::wto::Wto::new(program.main());
    let automaton = engine::board::fingerprint(program);
    let facts = wto.heads().flat_map(|at| {
        facts.iter().map(move |formula| Fact {
            author: "test".to_owned(),
            automaton,
            kind: FactKind::Invariant { at, formula: (*formula).to_owned() },
        })
    });
    let facts: Vec<Fact> = facts.collect();
    let found = checks(prepared, &facts, &Budget::new(time, u64::MAX))?;
    let found = found.evidence();
    Some([&found.proved, &found.open].map(|locs| locs.iter().map(|loc| message(&prepared.flat, *loc)).collect()))
}

fn message(flat: &Program, loc: cfa::Loc) -> String {
    match &flat.main().locs[loc].kind {
        LocKind::Error(violation) => violation.message.clone(),
        other => panic!("{other:?} is no check"),
    }
}

fn set(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

#[test]
fn what_fails_keeps_nothing_else_from_being_proved() {
    let prepared = prepared(END);
    let found = told_apart(&prepared, &["(bvule x n)", "(bvult n #x0000000b)"]);
    assert_eq!(found, Some([set(&["above"]), set(&["ten"])]));
}

#[test]
fn facts_that_are_wrong_prove_nothing() {
    let prepared = prepared(END);
    for wrong in ["(bvult x #x00000005)", "false", "(not (= x n))", "(bvult n #x00000005)"] {
        let [proved, open] = told_apart(&prepared, &["(bvule x n)", "(bvult n #x0000000b)", wrong]).expect("an end");
        assert!(!proved.contains("ten"), "by {wrong}");
        assert!(open.contains("ten"), "by {wrong}");
    }
}

#[test]
fn beyond_what_is_not_modelled_nothing_is_proved() {
    let unsupported =
        "    e10 -> L11 assume (= x 3:32)\n    e11 -> L1 assume (not (= x 3:32))\n  L11 unsupported \"this\"\n";
    assert_eq!(told_apart(&prepared(unsupported), &["(bvule x n)", "(bvult n #x0000000b)"]), None);
}

/// What ranges settle without a solver is no reason to go on: lifting facts of a large program takes seconds.
#[test]
fn after_the_end_of_the_time_nothing_is_told() {
    let prepared = prepared(END);
    assert!(told_apart_within(&prepared, &["(bvule x #x0000000a)"], Duration::from_secs(20)).is_some());
    assert_eq!(told_apart_within(&prepared, &["(bvule x #x0000000a)"], Duration::ZERO), None);
}
