//! The check of what executions surely come to: danger invariants, recurrence sets, rankings.
//!
//! All of it is proved again, on the program before simplification if that goes through. A danger invariant is also
//! walked, as far as the interpreter gets within a few seconds: then there is a counterexample like any other.

use crate::judge::{Answer, Checked, CheckedProof, RECHECK_TIMES, judge_deep};
use cfa::interp::{Limits, frame_path};
use cfa::{Edge, Loc, LocKind, Op, Program, Property, Violation};
use engine::{Budget, Cx, Danger, Proof, Task, Why};
use smt::{Backend, SolverSettings, Z3Settings};
use std::collections::BTreeMap;
use std::time::Instant;
use term::{Store, Term};
use transform::Fate;
use transform::pipeline::Prepared;
use validate::danger::{Failure, Goal, check};
use validate::follow::{Followed, follow};

/// A danger invariant or a recurrence set on the prepared program, with the store that its terms live in.
#[derive(Clone, Debug)]
pub struct CheckedDanger {
    pub danger: Danger,
    pub terms: Store,
    /// The author's name.
    pub engine: String,
    /// What is violated.
    pub violation: Violation,
    /// Where, if it is at one place; of what never ends, the last loop.
    pub target: Option<Loc>,
}

/// Edges that are followed, in about two seconds.
const FOLLOWED_STEPS: u64 = 30_000_000;

/// A danger invariant: walked if it can be, believed when it is proved again.
pub(crate) fn judge_danger(
    lowered: &Program,
    prepared: &Prepared,
    task: &Task,
    engine: &str,
    danger: Danger,
    cx: &mut Cx,
    budget: &Budget,
) -> Answer {
    let checked = match prove_again(prepared, task, &danger, Goal::Error, cx, budget) {
        Ok(checked) => checked,
        Err(failure) => return refused("danger invariant", &failure),
    };
    let limits = Limits { cancel: Some(budget.cancel_flag()), ..Limits::steps(FOLLOWED_STEPS) };
    match follow(&task.program, &cx.terms, &danger, &limits) {
        Followed::Error(trace) => match judge_deep(lowered, task, *trace, budget) {
            Answer::Unknown(Why::CheckFailed(how)) => return Answer::Unknown(Why::CheckFailed(how)),
            // Too long for the program as it was written: the proof stands alone.
            Answer::Unknown(Why::Timeout) => {}
            Answer::Unknown(Why::GaveUp(why)) if why.contains("too long") => {}
            Answer::False { violation, outcome, trace, walked, .. } => {
                let target = Some(trace.target);
                let proof = checked_danger(danger, cx, engine, violation.clone(), target);
                return Answer::False { violation, outcome, trace, walked, danger: Some(proof) };
            }
            other => return other,
        },
        Followed::TooLong => {}
        Followed::Elsewhere(how) => {
            return Answer::Unknown(Why::CheckFailed(format!("the danger invariant is proved, but its run {how}")));
        }
    }
    if uses_memory(&task.program) {
        let why = "a danger invariant was found, but its run is too long to see whether it is defined throughout";
        return Answer::Unknown(Why::GaveUp(why.into()));
    }
    match the_violation(&task.program) {
        Some((violation, target)) => {
            Answer::Danger { proof: checked_danger(danger, cx, engine, violation, target), checked }
        }
        None => Answer::Unknown(Why::GaveUp("a danger invariant was found, but not which property it violates".into())),
    }
}

/// A recurrence set.
pub(crate) fn judge_endless(
    prepared: &Prepared,
    task: &Task,
    engine: &str,
    danger: Danger,
    cx: &mut Cx,
    budget: &Budget,
) -> Answer {
    match prove_again(prepared, task, &danger, Goal::Forever, cx, budget) {
        Ok(checked) => {
            let violation =
                Violation { property: Property::Termination, message: "an execution that never ends".into() };
            let head = danger.invariant.keys().next_back().copied();
            Answer::Danger { proof: checked_danger(danger, cx, engine, violation, head), checked }
        }
        Err(failure) => refused("recurrence set", &failure),
    }
}

/// A ranking of all executions.
pub(crate) fn judge_ranking(
    prepared: &Prepared,
    task: &Task,
    engine: &str,
    (at, ranking): (BTreeMap<Loc, Term>, BTreeMap<Loc, Vec<Term>>),
    cx: &mut Cx,
    budget: &Budget,
) -> Answer {
    let claim = Danger { invariant: at.clone(), ranking: ranking.clone(), ..Danger::default() };
    match prove_again(prepared, task, &claim, Goal::End, cx, budget) {
        Ok(checked) => {
            let proof = Proof::Ranking { at, ranking };
            let proof = CheckedProof { proof, terms: cx.terms.clone(), engine: engine.to_owned() };
            Answer::True { proof: Box::new(proof), checked }
        }
        Err(failure) => refused("ranking", &failure),
    }
}

/// Nothing of this is believed on the engine's word alone.
fn refused(what: &str, failure: &Failure) -> Answer {
    Answer::Unknown(match failure.refutes() {
        true => Why::CheckFailed(format!("{what}: {failure}")),
        false => Why::GaveUp(format!("a {what} was found but could not be proved again: {failure}")),
    })
}

fn checked_danger(
    danger: Danger,
    cx: &Cx,
    engine: &str,
    violation: Violation,
    target: Option<Loc>,
) -> Box<CheckedDanger> {
    Box::new(CheckedDanger { danger, terms: cx.terms.clone(), engine: engine.to_owned(), violation, target })
}

fn prove_again(
    prepared: &Prepared,
    task: &Task,
    danger: &Danger,
    goal: Goal,
    cx: &mut Cx,
    budget: &Budget,
) -> Result<Checked, Failure> {
    let mut program = prepared.program.clone();
    program.terms = cx.terms.clone();
    let before = match lifted(prepared, &mut program, danger) {
        Some(lifted) => match prove(&prepared.flat, &mut program.terms, &lifted, goal, budget) {
            Ok(solver) => return Ok(Checked::Again(solver)),
            Err(failure) => failure.to_string(),
        },
        None => "inputs cannot be found again there".to_owned(),
    };
    prove(&task.program, &mut cx.terms.clone(), danger, goal, budget).map(|solver| Checked::Simplified(solver, before))
}

/// Proves a claim about a flat program: by the other solver first, then by the engines' own, which is named.
pub fn prove(
    program: &Program,
    terms: &mut Store,
    danger: &Danger,
    goal: Goal,
    budget: &Budget,
) -> Result<&'static str, Failure> {
    let own = SolverSettings { algebra: false, ..SolverSettings::default() };
    let other = SolverSettings { backend: Backend::Z3(Z3Settings::default()), ..own.clone() };
    let mut last = Failure::NoAnswer("no solver".into());
    for ((name, settings), time) in [("z3", other), ("bitwuzla", own)].into_iter().zip(RECHECK_TIMES) {
        let Ok(mut solver) = smt::open(&settings) else { continue };
        let time = time.min(budget.left() / 2);
        solver.limit(&smt::Limits { time: Some(time), cancel: Some(budget.cancel_flag()) });
        match check(program, terms, danger, goal, solver.as_mut(), Instant::now() + time) {
            Ok(()) => return Ok(name),
            Err(failure) if failure.refutes() => return Err(failure),
            Err(failure) => last = failure,
        }
    }
    Err(last)
}

/// The claim about the program before simplification, in terms of `program`'s store (that of the prepared program, which
/// knows the claim's terms). `None` where an input is not found again.
pub fn lifted(prepared: &Prepared, program: &mut Program, danger: &Danger) -> Option<Danger> {
    let mut choice = BTreeMap::new();
    for (edge, chosen) in &danger.choice {
        choice.insert(same_input(program, &prepared.flat, *edge)?, chosen.clone());
    }
    let invariant = prepared.restore.lift(program, &danger.invariant);
    let mut ranking = BTreeMap::new();
    for (old, fate) in prepared.restore.fates[program.entry].iter() {
        if let Fate::Kept(new) = fate
            && let Some(tuple) = danger.ranking.get(new)
        {
            ranking.insert(old, tuple.clone());
        }
    }
    Some(Danger { initial: danger.initial.clone(), invariant, ranking, choice })
}

/// The one edge of `flat` that takes the same input in the same activation.
fn same_input(program: &Program, flat: &Program, edge: Edge) -> Option<Edge> {
    let main = program.main();
    let wanted = &main.edges[edge];
    let path = frame_path(program, main.locs[wanted.from].frame);
    let flat_main = flat.main();
    let same = |e: &cfa::EdgeInfo| {
        e.op == wanted.op
            && e.site == wanted.site
            && frame_path(flat, flat_main.locs[e.from].frame) == path
            && matches!(e.op, Op::Havoc { .. })
    };
    let mut found = flat_main.edges.iter().filter(|(_, e)| same(e)).map(|(id, _)| id);
    found.next().filter(|_| wanted.site.is_some() && found.next().is_none())
}

/// What is violated, if all error locations say the same.
fn the_violation(program: &Program) -> Option<(Violation, Option<Loc>)> {
    let errors: Vec<(Loc, &Violation)> = program
        .main()
        .locs
        .iter()
        .filter_map(|(loc, l)| if let LocKind::Error(violation) = &l.kind { Some((loc, violation)) } else { None })
        .collect();
    let (loc, first) = errors.first()?;
    let same_property = errors.iter().all(|(_, v)| v.property == first.property);
    same_property.then(|| ((*first).clone(), (errors.len() == 1).then_some(*loc)))
}

/// Whether anything is read or written through memory, where an access may be undefined.
pub fn uses_memory(program: &Program) -> bool {
    let written = program.main().edges.values().flat_map(|e| e.op.written());
    let is_array = |v: cfa::Var| matches!(program.vars[v].sort, term::Sort::Array(_));
    let terms: Vec<Term> = program.main().edges.values().flat_map(|e| e.op.terms()).collect();
    let selects = term::walk::postorder(&program.terms, &terms);
    written.into_iter().any(is_array) || selects.iter().any(|t| program.terms.op(*t) == term::Op::Select)
}
