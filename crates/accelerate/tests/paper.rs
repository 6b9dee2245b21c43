//! The examples of Kroening et al. 2015: what an accelerator does in `n` steps is what the loop does in `n` iterations.
//!
//! The solver is asked for symbolic `n`: the accelerator with `n = 1` is the path, and with `n + 1` it is the accelerator with
//! `n` followed by the path. By induction it is the `n`-fold composition for every `n`, at the width of the program.

use accelerate::{Accelerated, Accelerator, COUNT, Settings, accelerate};
use cfa::{Edge, Op, Program, Var};
use encode::State;
use encode::post::step;
use engine::Budget;
use smt::{Answer, Solver, SolverSettings};
use std::time::Duration;
use term::{Op as TermOp, Store, Term, substitute};

/// A loop at L2 with the given variables and edges; `W` stands for the width.
fn accelerated(width: u32, vars: &str, edges: &str) -> Accelerated {
    let text = format!(
        "machine lp64 32 32
var $size [bv32 -> bv64] memory
var $live [bv32 -> bool] memory
{vars}
entry f0

function f0 \"main\" params () entry L0 exit L1
  L0
    e0 -> L2 skip
  L1 end return
{edges}
"
    );
    let program = cfa::text::parse(&text.replace('W', &width.to_string())).expect("a program");
    let budget = Budget::new(Duration::from_secs(60), u64::MAX);
    let settings = Settings { question: Duration::from_secs(20), time: Duration::from_secs(60), ..Settings::default() };
    let result = accelerate(&program, &settings, &SolverSettings::default(), &budget).expect("in time");
    assert!(
        cfa::verify(&result.program, cfa::Form::Flat).is_empty(),
        "{:?}",
        cfa::verify(&result.program, cfa::Form::Flat)
    );
    result
}

/// Edges executed one after the other.
struct Run {
    condition: Term,
    state: State,
    /// The symbols of havoc edges, in order.
    inputs: Vec<Term>,
}

fn run(program: &Program, terms: &mut Store, state: State, edges: &[Edge]) -> Run {
    let mut run = Run { condition: terms.bool(true), state, inputs: Vec::new() };
    for edge in edges {
        let step = step(program, terms, &run.state, &program.main().edges[*edge].op).expect("can be taken");
        run.condition = terms.and(run.condition, step.condition);
        run.inputs.extend(&step.inputs);
        run.state = step.state;
    }
    run
}

/// The edges of an accelerator.
fn chain(program: &Program, accelerator: &Accelerator) -> Vec<Edge> {
    let successors = program.main().successors();
    let mut edges = vec![accelerator.first];
    while *edges.last().expect("not empty") != accelerator.last {
        let to = program.main().edges[*edges.last().expect("not empty")].to;
        edges.push(successors[to][0]);
    }
    edges
}

fn is_valid(terms: &mut Store, claim: Term) -> bool {
    let mut solver = smt::open(&SolverSettings::default()).expect("a solver");
    let wrong = terms.not(claim);
    match terms.as_bool_const(wrong) {
        Some(known) => !known,
        None => solver.check(terms, &[wrong]).expect("an answer") == Answer::Unsat,
    }
}

/// Elements of the arrays that the accelerator defines: the array's symbol and its element at `index`.
fn elements(terms: &mut Store, condition: Term, index: Term) -> Vec<(Term, Term)> {
    let mut found = Vec::new();
    for part in term::normal::conjuncts(terms, condition) {
        if let Some((bound, body)) = terms.quantifier(part).map(|(b, body)| (b[0], body)) {
            let (a, b) = (terms.arg(body, 0), terms.arg(body, 1));
            let read = if terms.op(a) == TermOp::Select && terms.arg(a, 1) == bound { a } else { b };
            let element = if read == a { b } else { a };
            let array = terms.arg(read, 0);
            found.push((array, substitute(terms, element, &[(bound, index)])));
        }
    }
    found
}

/// Conditions without quantifiers.
fn plain(terms: &mut Store, condition: Term) -> Term {
    let parts: Vec<Term> =
        term::normal::conjuncts(terms, condition).into_iter().filter(|t| terms.quantifier(*t).is_none()).collect();
    terms.and_all(&parts)
}

/// Checks all accelerators of a program for the variables given, by induction over `n`.
fn check(result: &Accelerated, vars: &[&str]) {
    let program = &result.program;
    let mut terms = program.terms.clone();
    assert!(!result.accelerators.is_empty(), "skipped: {:?}", result.skipped);
    for accelerator in &result.accelerators {
        let fast = run(program, &mut terms, State::arbitrary(program), &chain(program, accelerator));
        let n = fast.inputs[0];
        let (one, last) = (terms.bv(1, COUNT), terms.bv_signed(-1, COUNT));
        let next = terms.add(n, one);
        // One more iteration, with the inputs that the accelerator gives to each.
        let slow = run(program, &mut terms, fast.state.clone(), &accelerator.path);
        let once = run(program, &mut terms, State::arbitrary(program), &accelerator.path);
        let same_inputs = |run: &Run| -> Vec<(Term, Term)> {
            run.inputs.iter().copied().zip(fast.inputs[1..].iter().copied()).collect()
        };
        let after_path = |terms: &mut Store, t: Term, run: &Run| substitute(terms, t, &same_inputs(run));
        let feasible = plain(&mut terms, fast.condition);
        let feasible_next = substitute(&mut terms, feasible, &[(n, next)]);
        let feasible_one = substitute(&mut terms, feasible, &[(n, one)]);
        let slow_condition = plain(&mut terms, slow.condition);
        let slow_condition = after_path(&mut terms, slow_condition, &slow);
        let once_condition = after_path(&mut terms, once.condition, &once);
        let zero = terms.bv(0, COUNT);
        let positive = terms.ne(n, zero);
        let more = terms.ne(n, last);
        let some = terms.and(positive, more);

        let base = terms.implies(feasible_one, once_condition);
        assert!(is_valid(&mut terms, base), "n = 1 is possible when the path is");
        let both = terms.and(feasible, slow_condition);
        let both = terms.implies(feasible_next, both);
        let both = terms.implies(some, both);
        assert!(is_valid(&mut terms, both), "n + 1 iterations are n and one more");
        let index_of = |terms: &mut Store, v: Var| match program.vars[v].sort {
            term::Sort::Array(sort) => Some(terms.fresh("k", sort.index.into())),
            _ => None,
        };
        for name in vars {
            let var = program.vars.ids().find(|v| program.name(*v) == *name).expect("a variable");
            let (claimed, reached) = match index_of(&mut terms, var) {
                None => {
                    let claimed = fast.state.term(&mut terms, var);
                    let claimed = substitute(&mut terms, claimed, &[(n, next)]);
                    let reached = slow.state.term(&mut terms, var);
                    (claimed, after_path(&mut terms, reached, &slow))
                }
                Some(k) => {
                    let defined = elements(&mut terms, fast.condition, k);
                    let [(array, element)] = defined[..] else { panic!("one array is defined") };
                    let claimed = substitute(&mut terms, element, &[(n, next)]);
                    // One more write over the array after n iterations.
                    let written = slow.state.term(&mut terms, var);
                    assert_eq!((terms.op(written), terms.arg(written, 0)), (TermOp::Store, array));
                    let (at, value) = (terms.arg(written, 1), terms.arg(written, 2));
                    let here = terms.eq(k, at);
                    (claimed, terms.ite(here, value, element))
                }
            };
            let equal = terms.eq(claimed, reached);
            let conditions = terms.and(some, feasible_next);
            let claim = terms.implies(conditions, equal);
            assert!(is_valid(&mut terms, claim), "{name} after n + 1 iterations");
        }
        // It stands for more than one iteration.
        let two = terms.bv(2, COUNT);
        let several = terms.ule(two, n);
        let question = terms.and(feasible, several);
        let mut solver = smt::open(&SolverSettings::default()).expect("a solver");
        assert_eq!(solver.check(&terms, &[question]), Ok(Answer::Sat));
    }
}

#[test]
fn example_1_and_2_a_buffer_is_filled_from_input() {
    for width in [8, 32] {
        let result = accelerated(
            width,
            "var i bvW global\nvar ch bv8 global\nvar len bvW global",
            "  L2
    e1 -> L3 assume (not (= i len))
    e2 -> L1 assume (= i len)
  L3
    e3 -> L4 havoc (ch) input \"getc\"
  L4
    e4 -> L5 assume (= ch 32:8)
    e5 -> L6 assume (not (= ch 32:8))
  L5
    e6 -> L2 assign i := (bvadd i 1:W)
  L6
    e7 -> L7 assume (bvult len i)
    e8 -> L2 assume (bvule i len)
  L7 error unreach-call \"overflow\"",
        );
        check(&result, &["i"]);
    }
}

#[test]
fn example_3_what_has_no_closed_form_is_undefined() {
    for width in [8, 32] {
        let result = accelerated(
            width,
            "var x bvW global\nvar y bvW global",
            "  L2
    e1 -> L3 assume (bvult x 10:W)
    e2 -> L4 assume (bvule 10:W x)
  L3
    e3 -> L2 assign x := (bvadd x 1:W), y := (bvmul y y)
  L4
    e4 -> L5 assume (= y 7:W)
    e5 -> L1 assume (not (= y 7:W))
  L5 error unreach-call \"y\"",
        );
        check(&result, &["x"]);
        let accelerator = &result.accelerators[0];
        let undefined = accelerator.undefined.expect("y has no closed form");
        let y = result.program.vars.ids().find(|v| result.program.name(*v) == "y").expect("y");
        assert!(matches!(&result.program.main().edges[undefined].op, Op::Havoc { vars, .. } if *vars == [y]));
    }
}

#[test]
fn example_3_a_condition_on_it_prevents_acceleration() {
    let result = accelerated(
        32,
        "var x bvW global\nvar y bvW global",
        "  L2
    e1 -> L3 assume (bvult y 10:W)
    e2 -> L1 assume (bvule 10:W y)
  L3
    e3 -> L2 assign x := (bvadd x 1:W), y := (bvmul y y)",
    );
    assert!(result.accelerators.is_empty());
    assert_eq!(result.skipped.len(), 1);
}

#[test]
fn example_4_an_array_is_filled() {
    for width in [8, 32] {
        let result = accelerated(
            width,
            "var x bvW global\nvar len bvW global\nvar a [bvW -> bvW] memory",
            "  L2
    e1 -> L3 assume (bvult x len)
    e2 -> L5 assume (bvule len x)
  L3
    e3 -> L4 assign a := (store a x x)
  L4
    e4 -> L2 assign x := (bvadd x 1:W)
  L5
    e5 -> L6 assume (= (select a len) len)
    e6 -> L1 assume (not (= (select a len) len))
  L6 error unreach-call \"a\"",
        );
        check(&result, &["x", "a"]);
    }
}

#[test]
fn sums_strides_and_symbolic_steps() {
    for width in [8, 32] {
        // A quadratic form, a symbolic step, and one that is fitted: x is moved by y, y by 3.
        let result = accelerated(
            width,
            "var i bvW global\nvar s bvW global\nvar x bvW global\nvar y bvW global\nvar d bvW global\nvar r bvW global",
            "  L2
    e1 -> L3 assume (bvslt i 100:W)
    e2 -> L4 assume (bvsle 100:W i)
  L3
    e3 -> L2 assign i := (bvadd i 2:W), s := (bvadd s i), x := (bvadd x y), y := (bvadd y 3:W), r := (bvadd r d)
  L4
    e4 -> L5 assume (= (bvadd (bvadd s x) (bvadd y r)) 0:W)
    e5 -> L1 assume (not (= (bvadd (bvadd s x) (bvadd y r)) 0:W))
  L5 error unreach-call \"sum\"",
        );
        assert!(result.accelerators[0].undefined.is_none(), "all have closed forms");
        // The squares of s and x are beyond what bit-blasting compares for symbolic n: their induction is done with the sum
        // below n as a symbol, when they are built.
        check(&result, &["i", "y"]);
    }
}
