//! The check of what executions surely come to: danger invariants, recurrence sets, rankings.
//!
//! All of it is proved again, on the program before simplification if that goes through. A danger invariant is also
//! walked, as far as the interpreter gets within a few seconds: then there is a counterexample like any other.

use super::{Definedness, Said, judge_deep, proved};
use crate::answer::{Answer, Check, Checked, DeepRun, FoundDanger, FoundProof, Pending, Run, Violated};
use crate::danger::{Failure, Goal, check};
use crate::follow::{Followed, follow};
use crate::limits::judge::{FOLLOWED_STEPS, RECHECK_TIME, SHOWN_STEPS};
use crate::opinions::Opinions;
use crate::recheck::{Claim, recheck};
use crate::replay::{Replayed, replay_deep};
use base::cpu::Deadline;
use cfa::evidence::{Danger, Proof};
use cfa::{Edge, Loc, LocKind, Op, Program, Property, Violation};
use engine::{Budget, Cx, Why};
use interpreter::{Limits, frame_path};
use std::collections::BTreeMap;
use term::{Store, Term};
use transform::Fate;
use transform::pipeline::Prepared;

/// A danger invariant: walked if it can be, believed when it is proved again.
pub(crate) fn judge_danger(lowered: &Program, said: Said<'_>, danger: Danger, cx: &mut Cx) -> Answer {
    let Said { task, engine, budget, definedness, .. } = said;
    let is_open = may_be_undefined(lowered, &task.program);
    let has_to_be_seen = is_open && definedness == Definedness::Followed;
    let steps = if has_to_be_seen { FOLLOWED_STEPS } else { SHOWN_STEPS };
    let limits = Limits { cancel: Some(budget.cancel_flag()), ..Limits::steps(steps) };
    let followed = follow(&task.program, &cx.terms, &danger, &limits);
    // The proof decides nothing then, and what is proved where everything is defined is checked there.
    if let (true, Followed::TooLong) = (is_open, &followed) {
        return Answer::Unknown(Why::MayBeUndefined);
    }
    let checked = match said.prove_again(&danger, Goal::Error, cx) {
        Ok(checked) => checked,
        Err(failure) => return refused("danger invariant", &failure),
    };
    match followed {
        Followed::Error(trace) => {
            let with_proof = |run: Run, danger: Danger| {
                let found = found_danger(danger, cx, engine, run.violation.clone(), Some(trace.trace.target));
                Run { danger: Some(Box::new(found)), ..run }
            };
            match judge_deep(lowered, task, &trace, budget) {
                Answer::False(seen) => match seen.into_parts() {
                    (Violated::Run(run), by) => {
                        return Answer::False(Checked::new(Violated::Run(with_proof(run, danger)), by));
                    }
                    (violated @ Violated::Danger(_), by) => return Answer::False(Checked::new(violated, by)),
                },
                Answer::Pending(Pending::Run(deep)) => {
                    let run = with_proof(deep.expected().clone(), danger);
                    return Answer::Pending(Pending::Run(DeepRun::new(run)));
                }
                // Too long for the program as it was written: the proof stands alone.
                Answer::Unknown(Why::Timeout | Why::TooLongToRun) => {}
                other => return other,
            }
        }
        Followed::TooLong => {}
        Followed::Elsewhere(how) => {
            return Answer::Unknown(Why::CheckFailed(format!("the danger invariant is proved, but its run {how}")));
        }
    }
    if is_open {
        return Answer::Unknown(Why::MayBeUndefined);
    }
    match the_violation(&task.program) {
        Some((violation, target)) => {
            let found = found_danger(danger, cx, engine, violation, target);
            Answer::False(Checked::new(Violated::Danger(found), checked))
        }
        None => Answer::Unknown(Why::GaveUp("a danger invariant was found, but not which property it violates".into())),
    }
}

/// Why a danger invariant that somebody wrote is not believed.
#[derive(Clone, Debug)]
pub enum Refused {
    /// One of its conditions does not hold, or could not be decided.
    Condition(Failure),
    Other(Why),
}

/// A danger invariant that somebody wrote about a flat program that is not simplified: what it proves, and in how many steps
/// the interpreter comes to the violation, unless that is too far.
pub fn judge_written(
    lowered: &Program,
    program: &Program,
    mut terms: Store,
    danger: Danger,
    budget: &Budget,
) -> Result<(Checked<Violated>, Option<u64>), Refused> {
    let solver = prove(program, &mut terms, &danger, Goal::Error, budget).map_err(Refused::Condition)?;
    let refuse = |why: Why| Err(Refused::Other(why));
    let limits = Limits { cancel: Some(budget.cancel_flag()), ..Limits::steps(FOLLOWED_STEPS) };
    let (steps, target) = match follow(program, &terms, &danger, &limits) {
        Followed::Error(trace) => match replay_deep(lowered, program, &trace, &limits) {
            Replayed::Confirmed { outcome, .. } => (Some(outcome.steps), Some(trace.trace.target)),
            Replayed::TooLong => (None, None),
            Replayed::Missed(how) => return refuse(Why::CheckFailed(format!("replay: {how}"))),
            Replayed::Astray(how) => return refuse(super::outside(&how)),
            Replayed::Displaced(how) => return refuse(Why::assumes_places(&how)),
            Replayed::Undefined(what) => return refuse(Why::AfterUndefined(what)),
        },
        Followed::TooLong => (None, None),
        Followed::Elsewhere(how) => {
            return refuse(Why::CheckFailed(format!("the invariant is proved, but its run {how}")));
        }
    };
    if steps.is_none() && may_be_undefined(lowered, program) {
        let why = "it holds, but its run is too long to see whether it is defined throughout";
        return refuse(Why::NotConfirmed(why.into()));
    }
    let violation = |loc: Loc| match &program.main().locs[loc].kind {
        LocKind::Error(violation) => Some((violation.clone(), Some(loc))),
        _ => None,
    };
    match target.and_then(violation).or_else(|| the_violation(program)) {
        Some((violation, target)) => {
            let found = FoundDanger { danger, terms, engine: "the user".into(), violation, target };
            Ok((Checked::new(Violated::Danger(found), Check::Flat(solver)), steps))
        }
        None => refuse(Why::NotConfirmed("it holds, but not for one property".into())),
    }
}

/// A recurrence set.
pub(crate) fn judge_endless(said: Said<'_>, danger: Danger, cx: &mut Cx) -> Answer {
    match said.prove_again(&danger, Goal::Forever, cx) {
        Ok(checked) => {
            let violation =
                Violation { property: Property::Termination, message: "an execution that never ends".into() };
            let head = danger.invariant.keys().next_back().copied();
            let found = found_danger(danger, cx, said.engine, violation, head);
            Answer::False(Checked::new(Violated::Danger(found), checked))
        }
        Err(failure) => refused("recurrence set", &failure),
    }
}

/// That every execution ends. What says that no error is reached says nothing about that.
pub(crate) fn judge_ending(said: Said<'_>, proof: Proof, cx: &mut Cx) -> Answer {
    match proof {
        Proof::Ranking { at, ranking } => judge_ranking(said, (at, ranking), cx),
        Proof::Exhausted { bound: bound @ 1.., explored } => judge_unwound(said, bound, explored, cx),
        Proof::Exhausted { .. } | Proof::Explored(_) | Proof::Invariants { .. } => {
            Answer::Unknown(Why::CheckFailed("the evidence does not say that executions end".into()))
        }
    }
}

/// That every loop was unwound completely: errors are ends like others.
fn judge_unwound(said: Said<'_>, bound: u64, explored: u64, cx: &Cx) -> Answer {
    let Said { prepared, task, budget, .. } = said;
    let again = |program: &Program, mut terms: Store| {
        let deadline = Deadline::after((budget.left() / 2).min(RECHECK_TIME));
        let mut solver = Opinions::until(deadline, budget.cancel_flag()).map_err(|why| why.to_string())?;
        let claim = Claim::Exhausted { bound: u32::try_from(bound).unwrap_or(u32::MAX) };
        recheck(&program.with_errors_as_ends(), &mut terms, claim, &mut solver, deadline)
            .map(|()| solver.names())
            .map_err(|failure| failure.to_string())
    };
    // A loop may have more iterations before simplification, so what fails there may hold afterwards.
    let checked = again(&prepared.flat, prepared.flat.terms.clone()).map(Check::Flat).or_else(|before| {
        again(&task.program, task.program.terms.clone()).map(|solver| Check::Simplified(solver, before))
    });
    let proof = Proof::Exhausted { bound, explored };
    proved(FoundProof { proof, terms: cx.terms.clone(), engine: said.engine.to_owned() }, checked)
}

/// A ranking of all executions.
fn judge_ranking(
    said: Said<'_>,
    (at, ranking): (BTreeMap<Loc, Term>, BTreeMap<Loc, Vec<Term>>),
    cx: &mut Cx,
) -> Answer {
    let claim = Danger { invariant: at.clone(), ranking: ranking.clone(), ..Danger::default() };
    let checked = match said.prove_again(&claim, Goal::End, cx) {
        Err(failure) if failure.refutes() => return refused("ranking", &failure),
        checked => checked.map_err(|failure| failure.to_string()),
    };
    let proof = Proof::Ranking { at, ranking };
    proved(FoundProof { proof, terms: cx.terms.clone(), engine: said.engine.to_owned() }, checked)
}

/// Nothing of this is believed on the engine's word alone.
fn refused(what: &str, failure: &Failure) -> Answer {
    Answer::Unknown(match failure.refutes() {
        true => Why::CheckFailed(format!("{what}: {failure}")),
        false => Why::GaveUp(format!("a {what} was found but could not be proved again: {failure}")),
    })
}

fn found_danger(danger: Danger, cx: &Cx, engine: &str, violation: Violation, target: Option<Loc>) -> FoundDanger {
    FoundDanger { danger, terms: cx.terms.clone(), engine: engine.to_owned(), violation, target }
}

impl Said<'_> {
    fn prove_again(self, danger: &Danger, goal: Goal, cx: &mut Cx) -> Result<Check, Failure> {
        let Said { prepared, task, budget, .. } = self;
        let mut program = prepared.program.clone();
        program.terms = cx.terms.clone();
        let before = match lifted(prepared, &mut program, danger) {
            Some(lifted) => match prove(&prepared.flat, &mut program.terms, &lifted, goal, budget) {
                Ok(solver) => return Ok(Check::Flat(solver)),
                Err(failure) => failure.to_string(),
            },
            None => "inputs cannot be found again there".to_owned(),
        };
        prove(&task.program, &mut cx.terms.clone(), danger, goal, budget)
            .map(|solver| Check::Simplified(solver, before))
    }
}

/// Proves a claim about a flat program; says by which solvers.
fn prove(
    program: &Program,
    terms: &mut Store,
    danger: &Danger,
    goal: Goal,
    budget: &Budget,
) -> Result<&'static str, Failure> {
    let deadline = Deadline::after((budget.left() / 2).min(RECHECK_TIME));
    let solver = Opinions::until(deadline, budget.cancel_flag());
    let mut solver = solver.map_err(|why| Failure::NoAnswer(why.to_string()))?;
    check(program, terms, danger, goal, &mut solver, deadline)?;
    Ok(solver.names())
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
            let before: Option<Vec<Term>> =
                tuple.iter().map(|t| prepared.restore.as_before(program, old, *t)).collect();
            ranking.extend(before.map(|tuple| (old, tuple)));
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

/// Whether executions may do something undefined with memory, which nothing in the program as it was written ends before. What
/// simplification left of the program does not tell: accesses that do not matter are gone there.
pub fn may_be_undefined(lowered: &Program, flat: &Program) -> bool {
    let is_any = |is_such: fn(&Op) -> bool| {
        lowered.functions.values().flat_map(|function| function.edges.values()).any(|edge| is_such(&edge.op))
    };
    let meets_outside = is_any(|op| matches!(op, Op::Escape { .. } | Op::Disturb { .. }));
    let is_checked = lowered.ends_at_undefined && !meets_outside && !transform::memory::asks_outside(flat);
    !is_checked
        && is_any(|op| match op {
            Op::Assume(_) | Op::Assign(_) | Op::Havoc { .. } | Op::Call { .. } => false,
            // Objects are made, and end with their scopes, where nothing can be wrong with it.
            Op::Alloc { .. } | Op::Dead { .. } => false,
            Op::Load { .. } | Op::Store { .. } | Op::Copy { .. } | Op::Fill { .. } | Op::Free { .. } => true,
            Op::Print { .. } | Op::Escape { .. } | Op::Disturb { .. } => true,
        })
}
