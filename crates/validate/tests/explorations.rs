//! Explorations that are walked again: right ones are accepted, all others refused; no tree proves what is not so.

use base::Id;
use cfa::{Loc, Program};
use engine::Explored;
use smt::{Answer, Limits, Solver, SolverSettings, Stats, Why};
use std::time::Duration;
use term::{Store, Term, Value};
use validate::explore::{Guide, walk};
use validate::recheck::Failure;

fn program(vars: &str, body: &str) -> Program {
    let text = format!(
        "machine lp64 32 32\nvar $size [bv32 -> bv64] memory\nvar $live [bv32 -> bool] memory\n{vars}entry f0\n\n\
         function f0 \"main\" params () entry L0 exit L1\n{body}"
    );
    cfa::text::parse(&text).expect("a program")
}

fn solver() -> Box<dyn Solver> {
    smt::open(&SolverSettings::default()).expect("a solver")
}

fn walked(program: &Program, guide: Guide<'_>) -> Result<(), Failure> {
    let deadline = base::cpu::Deadline::after(Duration::from_secs(60));
    walk(program, &mut program.terms.clone(), guide, solver().as_mut(), deadline)
}

fn along(program: &Program, decisions: &str, repeats: &[usize]) -> Result<(), Failure> {
    let repeats = repeats.iter().map(|l| Loc::new(*l)).collect();
    let tree = Explored { paths: 0, repeats, decisions: decisions.into() };
    walked(program, Guide::Tree(&tree))
}

fn alone(program: &Program) -> Result<(), Failure> {
    walked(program, Guide::Solver(solver().as_mut()))
}

/// `x = *; if (x > 5) y = x; else y = 9; if (y < bound) error;`
fn branches(bound: u32) -> Program {
    program(
        "var x bv8 global\nvar y bv8 global\n",
        &format!(
            "  L0
    e0 -> L2 havoc (x) input \"x\"
  L1 end return
  L2
    e1 -> L3 assume (bvult 5:8 x)
    e2 -> L4 assume (not (bvult 5:8 x))
  L3
    e3 -> L5 assign y := x
  L4
    e4 -> L5 assign y := 9:8
  L5
    e5 -> L6 assume (bvult y {bound}:8)
    e6 -> L1 assume (not (bvult y {bound}:8))
  L6 error unreach-call \"bad\"
"
        ),
    )
}

/// A machine fed by inputs: state 0 goes to 1, 1 to 0 or to `third`; 3 is an error, 2 goes to 0.
fn machine(third: u32) -> Program {
    program(
        "var s bv8 global\nvar x bv8 global\n",
        &format!(
            "  L0
    e0 -> L2 assign s := 0:8
  L1 end return
  L2
    e1 -> L3 havoc (x) input \"x\"
  L3
    e2 -> L4 assume (= s 0:8)
    e3 -> L5 assume (not (= s 0:8))
  L4
    e4 -> L2 assign s := 1:8
  L5
    e5 -> L6 assume (= s 1:8)
    e6 -> L7 assume (not (= s 1:8))
  L6
    e7 -> L2 assign s := (ite (bvult x 7:8) 0:8 {third}:8)
  L7
    e8 -> L8 assume (= s 3:8)
    e9 -> L2 assign s := 0:8
  L8 error unreach-call \"bad\"
"
        ),
    )
}

/// The same with an explicit branch on the input, so that states are constants.
fn server(third: u32) -> Program {
    program(
        "var s bv8 global\nvar x bv8 global\n",
        &format!(
            "  L0
    e0 -> L2 assign s := 0:8
  L1 end return
  L2
    e1 -> L3 havoc (x) input \"x\"
  L3
    e2 -> L4 assume (bvult x 7:8)
    e3 -> L5 assume (not (bvult x 7:8))
  L4
    e4 -> L2 assign s := (ite (= s 1:8) 0:8 1:8)
  L5
    e5 -> L6 assume (= s 3:8)
    e6 -> L7 assume (not (= s 3:8))
  L6 error unreach-call \"bad\"
  L7
    e7 -> L2 assign s := {third}:8
"
        ),
    )
}

/// `i = 0; while (i != n) i += step; if (i == wrong) error;`
fn counting(n: u32, step: u32, wrong: u32) -> Program {
    program(
        "var i bv32 global\n",
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
    e4 -> L5 assume (= i {wrong}:32)
    e5 -> L1 assume (not (= i {wrong}:32))
  L5 error unreach-call \"bad\"
"
        ),
    )
}

/// Whether accepted; whatever is not must not be a claim about the program where it is only about the tree.
fn accepts(program: &Program, decisions: &str, repeats: &[usize]) -> bool {
    along(program, decisions, repeats).is_ok()
}

#[test]
fn the_right_tree_is_accepted_and_every_mutant_refused() {
    let cases: [(Program, &str, &[usize]); 3] = [
        // Both sides; at L5 nothing is followed: the error is infeasible, the end is the end.
        (branches(6), "300", &[]),
        // States 0, 1, 2 by way of both inputs; x is dead at the head.
        (server(2), "33s23s2s2s", &[2]),
        (counting(10_000, 1, 3), "<4 10001>0", &[]),
    ];
    // A long stretch is no other: it is only not worth its mutants, each of which is run.
    assert_eq!(along(&counting(10_000_000, 1, 3), "<4 10000001>0", &[]), Ok(()));
    for (program, right, repeats) in &cases {
        assert_eq!(along(program, right, repeats), Ok(()), "{right}");
        for at in 0..right.len() {
            let removed = format!("{}{}", &right[..at], &right[at + 1..]);
            assert!(!accepts(program, &removed, repeats), "{removed} for {right}");
            assert!(!accepts(program, &right[..at], repeats), "{right} cut off at {at}");
            for letter in "0123s!".chars() {
                let changed = format!("{}{letter}{}", &right[..at], &right[at + 1..]);
                assert!(changed == *right || !accepts(program, &changed, repeats), "{changed} for {right}");
                let longer = format!("{}{letter}{}", &right[..at], &right[at..]);
                assert!(!accepts(program, &longer, repeats), "{longer} for {right}");
            }
        }
        assert!(!accepts(program, &format!("{right}0"), repeats));
    }
}

#[test]
fn no_tree_proves_what_is_not_so() {
    let wrong = [branches(10), server(3), machine(3), counting(3, 1, 3)];
    for program in &wrong {
        let letters = ["0", "1", "2", "3", "s", "!", "<4 4>", "<2 2>"];
        let mut trees = vec![String::new()];
        for _ in 0..5 {
            for tree in &trees {
                assert!(!accepts(program, tree, &[2]), "{tree}\n{}", cfa::print(program));
            }
            // Only what begins as a walk can go on as one: the rest is refused for the same reason.
            trees.retain(|tree| is_beginning(program, tree, &[2]));
            trees = trees.iter().flat_map(|t| letters.iter().map(move |l| format!("{t}{l}"))).collect();
        }
        assert!(matches!(alone(program), Err(Failure::TargetReachable(_))), "{:?}", alone(program));
    }
}

/// Whether the walk wants more decisions after these.
fn is_beginning(program: &Program, tree: &str, repeats: &[usize]) -> bool {
    matches!(along(program, tree, repeats), Err(Failure::NoAnswer(why)) if why.ends_with("one is missing"))
}

#[test]
fn walks_without_a_tree_decide_by_themselves() {
    for program in [branches(6), server(2), machine(2), counting(1_000_000, 1, 3), counting(7, 1 << 20, 7)] {
        assert_eq!(alone(&program), Ok(()), "{}", cfa::print(&program));
    }
}

/// A node below an infeasible branch is no witness for an equal state that is feasible: the tree follows the branch where `p`
/// contradicts itself, has everything there called infeasible, and says that the other branch comes to an equal state.
#[test]
fn an_infeasible_path_covers_nothing() {
    let program = program(
        "var p bv8 global\nvar s bv8 global\nvar x bv8 global\n",
        "  L0
    e0 -> L2 havoc (p) input \"p\"
  L1 end return
  L2
    e1 -> L3 assume (bvult p 5:8)
    e2 -> L8 assume (not (bvult p 5:8))
  L3
    e3 -> L4 assume (bvult 9:8 p)
    e4 -> L8 assume (not (bvult 9:8 p))
  L4
    e5 -> L8 assign s := 0:8
  L5
    e6 -> L6 havoc (x) input \"x\"
  L6
    e7 -> L8 assume (bvult x 200:8)
    e8 -> L7 assume (not (bvult x 200:8))
  L7 error unreach-call \"bad\"
  L8
    e9 -> L5 assign s := 0:8
",
    );
    let letters = ["0", "1", "2", "3", "s"];
    let mut trees = vec![String::new()];
    for _ in 0..6 {
        trees = trees.iter().flat_map(|t| letters.iter().map(move |l| format!("{t}{l}"))).collect();
        for tree in &trees {
            for repeats in [&[8][..], &[5], &[5, 8]] {
                assert!(!accepts(&program, tree, repeats), "{tree}");
            }
        }
        trees.retain(|tree| is_beginning(&program, tree, &[8]));
    }
}

/// An edge that is excluded because nothing comes there is not excluded on other paths: the tree follows the branch where `p`
/// contradicts itself first, and what is asked of `x` there is asked of it again.
#[test]
fn what_an_infeasible_path_excludes_is_excluded_there_only() {
    let program = program(
        "var p bv8 global\nvar x bv8 global\n",
        "  L0
    e0 -> L2 havoc (p x) input \"p\"
  L1 end return
  L2
    e1 -> L3 assume (bvult p 5:8)
    e2 -> L5 assume (not (bvult p 5:8))
  L3
    e3 -> L5 assume (bvult 9:8 p)
    e4 -> L1 assume (not (bvult 9:8 p))
  L4 error unreach-call \"bad\"
  L5
    e5 -> L1 assume (bvult x 200:8)
    e6 -> L4 assume (not (bvult x 200:8))
",
    );
    let letters = ["0", "1", "2", "3"];
    let mut trees = vec![String::new()];
    for _ in 0..5 {
        trees = trees.iter().flat_map(|t| letters.iter().map(move |l| format!("{t}{l}"))).collect();
        assert!(trees.iter().all(|tree| !accepts(&program, tree, &[])), "{trees:?}");
        trees.retain(|tree| is_beginning(&program, tree, &[]));
    }
    assert!(matches!(alone(&program), Err(Failure::TargetReachable(_))));
}

/// The inputs of one edge have names of their own each time.
#[test]
fn inputs_of_one_edge_are_not_the_same() {
    let program = |bad: &str| {
        program(
            "var i bv8 global\nvar kept bv8 global\nvar x bv8 global\n",
            &format!(
                "  L0
    e0 -> L2 assign i := 0:8, kept := 0:8
  L1 end return
  L2
    e1 -> L3 havoc (x) input \"x\"
  L3
    e2 -> L4 assume (= i 0:8)
    e3 -> L5 assume (not (= i 0:8))
  L4
    e4 -> L2 assign i := 1:8, kept := x
  L5
    e5 -> L6 assume {bad}
    e6 -> L1 assume (not {bad})
  L6 error unreach-call \"bad\"
"
            ),
        )
    };
    assert_eq!(along(&program("(and (bvult x kept) (bvult kept x))"), "120", &[]), Ok(()));
    assert!(!accepts(&program("(not (= x kept))"), "120", &[]));
    assert!(matches!(alone(&program("(not (= x kept))")), Err(Failure::TargetReachable(_))));
}

#[test]
fn trees_that_make_no_sense_are_refused() {
    let program = counting(3, 1, 9);
    for tree in ["x", "<", "<99 1>", "<4 x>", "(", "(8)", "(18446744073709551615)", "é", "<5 4>0", "<2 0>"] {
        assert!(!accepts(&program, tree, &[2]), "{tree}");
    }
    assert!(!accepts(&program, "", &[99]));
}

#[test]
fn stretches_end_where_they_do() {
    // The engine claims to have been at the end of the loop earlier than it was, or that the loop never ends.
    let program = counting(1000, 1, 7);
    assert_eq!(along(&program, "<4 1001>0", &[]), Ok(()));
    // Halfway, then on: the same stretch in two parts.
    assert_eq!(along(&program, "<2 400><4 602>0", &[]), Ok(()));
    for tree in
        ["!", "<3 1>0", "<1 1001>0", "<5 1001>", "<4 1001>1", "<4 1001>2", "<4 1001>3", "<4 1000>0", "<4 1002>0"]
    {
        assert!(!accepts(&program, tree, &[]), "{tree}");
    }
    // A loop that never ends reaches nothing: that is true of this one, and not of the others.
    assert_eq!(along(&counting(7, 1 << 20, 7), "!", &[]), Ok(()));
    assert!(!accepts(&counting(1 << 22, 1 << 20, 1 << 22), "!", &[]));
}

#[test]
fn a_lying_guide_is_caught() {
    for program in [branches(10), server(3), counting(3, 1, 3)] {
        for lie in [Answer::Unsat, Answer::Sat] {
            let verdict = walked(&program, Guide::Solver(&mut Liar(lie)));
            assert!(verdict.is_err(), "{lie:?}");
        }
    }
    // Calling everything feasible is no lie that matters: the walk is longer, and right.
    assert_eq!(walked(&branches(6), Guide::Solver(&mut Liar(Answer::Sat))), Ok(()));
}

/// A solver that always says the same, and has zeros for models.
struct Liar(Answer);

impl Solver for Liar {
    fn push(&mut self) {}

    fn pop(&mut self) {}

    fn assert(&mut self, _: &Store, _: Term) {}

    fn check(&mut self, _: &Store, _: &[Term]) -> Result<Answer, Why> {
        Ok(self.0)
    }

    fn value(&mut self, store: &Store, term: Term) -> Result<Value, Why> {
        Ok(Value::zero(store.sort(term)))
    }

    fn core(&mut self) -> Result<Vec<Term>, Why> {
        Err(Why::NotAvailable)
    }

    fn limit(&mut self, _: &Limits) {}

    fn stats(&self, _: &mut Stats) {}
}
