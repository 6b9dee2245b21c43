//! Exact phases: loops without inputs are followed to where they come back, and what is said of them is true.

use crate::common::{Said, Shape, ask, cx, exhaustive, random_program, task};
use base::cpu::Deadline;
use cfa::Loc;
use engine::{Engine, Evidence, Proof, Task, Verdict};
use engines::phases::Phases;
use flow::wto::Wto;
use std::collections::BTreeMap;
use std::time::Duration;
use term::Store;
use validate::recheck::{Claim, recheck};

#[test]
fn what_is_said_of_small_programs_is_true() {
    let (mut safe, mut violated) = (0, 0);
    for seed in 0..600 {
        let shape = Shape { locations: 5, loops: true, inputs: seed % 3 == 0, choices: false };
        let program = random_program(seed, shape);
        if !Wto::new(program.main()).is_reducible(program.main()) {
            continue;
        }
        let expected = if exhaustive(&program).is_some() { Said::Unsafe } else { Said::Safe };
        // Proofs are checked by `ask`.
        let said = ask(&mut Phases::default(), &program, 60);
        assert!(said == expected || said == Said::Unknown, "seed {seed}: {said:?}\n{}", cfa::print(&program));
        safe += u32::from(said == Said::Safe);
        violated += u32::from(said == Said::Unsafe);
    }
    assert!(safe > 5 && violated > 5, "{safe} safe, {violated} violated");
}

/// Three nodes on a ring, each with an identifier that is not negative; those of the first two differ as well as those of the last two,
/// and those of the first and the last as `distinct` says. Each keeps the largest that it has seen and passes it on. After three rounds
/// all have the same, which is the first's only if that is the largest. A counter of rounds is `wraps_to` after 255.
fn ring(distinct: &str, wraps_to: u32, claim: &str) -> Task {
    let positive = ["a", "b", "c"].map(|id| format!("(bvsle 0:8 {id})"));
    let facts = ["(= sent a)", "(not (= a b))", "(not (= b c))", distinct];
    let facts = facts.into_iter().chain(positive.iter().map(String::as_str));
    let assumed = facts.fold("true".to_owned(), |all, fact| format!("(and {fact} {all})"));
    task("a b c x y z sent round: bv8", "L9", &format!("  L0
    e0 -> L1 havoc (a) input \"a\"
  L1
    e1 -> L2 havoc (b) input \"b\"
  L2
    e2 -> L3 havoc (c) input \"c\"
  L3
    e3 -> L4 havoc (sent) input \"sent\"
  L4
    e4 -> L5 assume {assumed}
  L5
    e5 -> L6 assign x := sent, y := b, z := c, round := 0:8
  L6
    e6 -> L7 assign x := (ite (bvslt x z) z x), y := (ite (bvslt y x) x y), z := (ite (bvslt z y) y z), round := (ite (= round 255:8) {wraps_to}:8 (bvadd round 1:8))
  L7
    e7 -> L8 assume (not {claim})
    e8 -> L6 assume {claim}
  L8 error unreach-call \"the claim fails\"
  L9 end return
"
    ))
}

/// All have the same, and none of the identifiers is larger. (Of what nobody asks about after the start no function is known.)
const AGREE: &str = "(and (= x y) (and (= y z) (and (bvsle a x) (and (bvsle b x) (bvsle c x)))))";
const DIFFER: &str = "(not (= a c))";

#[test]
fn protocols_are_followed_until_they_come_back() {
    // Agreement, from the third round on; the counter never comes back to the first ones.
    let agree = format!("(or (bvult round 3:8) {AGREE})");
    assert_eq!(ask(&mut Phases::default(), &ring(DIFFER, 3, &agree).program, 300), Said::Safe);
    // The largest wins, and there is just one whose it is.
    assert_eq!(ask(&mut Phases::default(), &ring(DIFFER, 3, ONE).program, 300), Said::Safe);
    // Not where two may be the same, which nothing but the start says.
    assert_eq!(ask(&mut Phases::default(), &ring("true", 3, ONE).program, 300), Said::Unsafe);
    // Two rounds are not enough.
    let too_soon = format!("(or (bvult round 1:8) {AGREE})");
    assert_eq!(ask(&mut Phases::default(), &ring(DIFFER, 3, &too_soon).program, 300), Said::Unsafe);
}

const ONE: &str =
    "(or (bvult round 3:8) (= (bvadd (ite (= x a) 1:8 0:8) (bvadd (ite (= x b) 1:8 0:8) (ite (= x c) 1:8 0:8))) 1:8))";

#[test]
fn the_checker_refuses_phases_of_another_program() {
    let task = ring(DIFFER, 3, ONE);
    let mut cx = cx(&task, Duration::from_secs(300));
    let Verdict::Safe(Proof::Invariants { at, k: 1 }) = Phases::default().run(&task, &mut cx) else {
        panic!("a proof")
    };
    let texts: BTreeMap<Loc, String> = at.iter().map(|(at, t)| (*at, cfa::text::print_term(&cx.terms, *t))).collect();
    let check = |task: &Task, change: &dyn Fn(&str) -> String| {
        let mut terms = task.program.terms.clone();
        let parse = |terms: &mut Store, text: &str| cfa::text::parse_term(terms, text).expect("a term");
        let invariants = texts.iter().map(|(at, text)| (*at, parse(&mut terms, &change(text)))).collect();
        let mut solver = smt::open(&smt::SolverSettings::default()).expect("a solver");
        let claim = Claim::Inductive { invariants: &invariants, k: 1 };
        recheck(&task.program, &mut terms, claim, solver.as_mut(), Deadline::after(Duration::from_secs(60)))
    };
    let same = |text: &str| text.to_owned();
    assert_eq!(check(&task, &same), Ok(()));
    // The start allows more; the counter comes back to the first rounds; the identifiers swapped, one of the phases changed.
    assert!(check(&ring("true", 3, ONE), &same).is_err_and(|failure| failure.refutes()));
    assert!(check(&ring(DIFFER, 0, ONE), &same).is_err_and(|failure| failure.refutes()));
    assert!(check(&task, &|text| text.replace("(= x ", "(= y ")).is_err_and(|failure| failure.refutes()));
    assert!(
        check(&task, &|text| text.replace("(= round 1:8)", "(= round 9:8)")).is_err_and(|failure| failure.refutes())
    );
    assert!(texts.values().any(|text| text.contains("(= x ") && text.contains("(= round 1:8)")), "{texts:?}");
}

#[test]
fn an_error_behind_a_turn_of_the_counter_is_found() {
    // In the first rounds they do not agree. When the counter comes back to them, they do.
    let unless_early = format!("(or (bvule 2:8 round) (not {AGREE}))");
    let run = |task: &Task| {
        let mut cx = cx(task, Duration::from_secs(300));
        Phases::default().run(task, &mut cx)
    };
    assert!(matches!(run(&ring(DIFFER, 2, &unless_early)), Verdict::Safe(_)));
    let Verdict::Unsafe(Evidence::Trace(trace)) = run(&ring(DIFFER, 0, &unless_early)) else {
        panic!("the counter comes back to the first rounds")
    };
    assert_eq!(trace.inputs.len(), 4);
}
