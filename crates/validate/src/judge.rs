//! No verdict leaves unchecked: proofs are proved again, counterexamples are run.

pub mod danger;

use crate::answer::{Answer, Check, Checked, DeepRun, FoundProof, Pending, Run, Violated};
use crate::limits::{INTERPRETED_STEPS, RECHECK_TIMES};
use crate::recheck::{Claim, Failure, recheck};
use crate::replay::{Replayed, expected, replay, replay_deep};
use cfa::interp::Limits;
use cfa::{Loc, Program};
use danger::{judge_danger, judge_endless, judge_ranking};
use engine::{Budget, Cx, DeepTrace, Evidence, Proof, Task, Trace, Verdict, Why};
use smt::{Backend, Solver, SolverSettings, Z3Settings};
use std::collections::BTreeMap;
use std::time::Instant;
use term::{Store, Term};
use transform::pipeline::Prepared;

/// Checks a verdict of the named engine on the task's program.
pub fn judge(
    lowered: &Program,
    prepared: &Prepared,
    task: &Task,
    engine: &str,
    verdict: Verdict,
    cx: &mut Cx,
    budget: &Budget,
) -> Answer {
    match verdict {
        Verdict::Unknown(why) => Answer::Unknown(why),
        Verdict::Unsafe(Evidence::Trace(trace)) => judge_trace(lowered, task, trace, budget),
        Verdict::Unsafe(Evidence::Deep(deep)) => judge_deep(lowered, task, &deep, budget),
        Verdict::Unsafe(Evidence::Danger(danger)) => judge_danger(lowered, prepared, task, engine, danger, cx, budget),
        Verdict::Unsafe(Evidence::Endless(danger)) => judge_endless(prepared, task, engine, danger, cx, budget),
        Verdict::Safe(Proof::Ranking { at, ranking }) => {
            judge_ranking(prepared, task, engine, (at, ranking), cx, budget)
        }
        Verdict::Safe(proof) => judge_proof(prepared, task, engine, proof, cx, budget),
    }
}

fn judge_trace(lowered: &Program, task: &Task, trace: Trace, budget: &Budget) -> Answer {
    let deadline = Instant::now() + budget.left();
    let limits = Limits { deadline: Some(deadline), cancel: Some(budget.cancel_flag()), ..Limits::default() };
    match replay(lowered, &task.program, &trace, &limits) {
        Replayed::TooLong => Answer::Unknown(Why::Timeout),
        other => judge_replayed(other),
    }
}

fn judge_replayed(replayed: Replayed) -> Answer {
    match replayed {
        Replayed::Confirmed { violation, outcome } => {
            let run = Run { violation, outcome: *outcome, danger: None };
            Answer::False(Checked::new(Violated::Run(run), Check::Interpreted))
        }
        Replayed::Missed(how) => Answer::Unknown(Why::CheckFailed(format!("replay: {how}"))),
        Replayed::Undefined(what) => Answer::Unknown(Why::AfterUndefined(what)),
        Replayed::TooLong => Answer::Unknown(Why::TooLongToRun),
    }
}

/// The interpreter first, where it can; what is too long for it has to be run by the compiled program.
fn judge_deep(lowered: &Program, task: &Task, deep: &DeepTrace, budget: &Budget) -> Answer {
    let deadline = Instant::now() + budget.left();
    let limits = Limits {
        deadline: Some(deadline),
        cancel: Some(budget.cancel_flag()),
        steps: INTERPRETED_STEPS,
        ..Limits::default()
    };
    let replayed = match deep.steps {
        0..INTERPRETED_STEPS => replay_deep(lowered, &task.program, deep, &limits),
        _ => Replayed::TooLong,
    };
    if let (Replayed::TooLong, Some((violation, outcome))) = (&replayed, expected(lowered, &task.program, deep)) {
        return Answer::Pending(Pending::Run(DeepRun::new(Run { violation, outcome, danger: None })));
    }
    judge_replayed(replayed)
}

fn judge_proof(prepared: &Prepared, task: &Task, engine: &str, proof: Proof, cx: &mut Cx, budget: &Budget) -> Answer {
    let claim = |at| match &proof {
        Proof::Invariants { k, .. } => Claim::Inductive { invariants: at, k: *k },
        Proof::Ranking { .. } => unreachable!("judged apart"),
        Proof::Exhausted { bound, .. } => Claim::Exhausted { bound: u32::try_from(*bound).unwrap_or(u32::MAX) },
    };
    let checked = match &proof {
        Proof::Ranking { .. } => unreachable!("judged apart"),
        Proof::Exhausted { bound: 0, .. } => Err("paths were explored one by one".into()),
        Proof::Exhausted { .. } => {
            match prove_again(&task.program, &mut cx.terms.clone(), claim(&BTreeMap::new()), budget) {
                Ok(solver) => Ok(Check::Simplified(solver, "loops were unwound there".into())),
                Err(failure) if failure.refutes() => return check_failed(&failure),
                Err(failure) => Err(failure.to_string()),
            }
        }
        Proof::Invariants { at, .. } => {
            // Where simplification has not been, its facts are part of the proof.
            let mut program = prepared.program.clone();
            program.terms = cx.terms.clone();
            let lifted = prepared.restore.lift(&mut program, at);
            match prove_again(&prepared.flat, &mut program.terms, claim(&lifted), budget) {
                Ok(solver) => Ok(Check::Flat(solver)),
                Err(before) => match prove_again(&task.program, &mut cx.terms.clone(), claim(at), budget) {
                    Ok(solver) => Ok(Check::Simplified(solver, before.to_string())),
                    Err(failure) if failure.refutes() => return check_failed(&failure),
                    Err(failure) => Err(failure.to_string()),
                },
            }
        }
    };
    let proof = FoundProof { proof, terms: cx.terms.clone(), engine: engine.to_owned() };
    proved(proof, checked)
}

/// `true` if the check went through; otherwise a claim, and why it is no more.
fn proved(proof: FoundProof, checked: Result<Check, String>) -> Answer {
    match checked {
        Ok(by) => Answer::True(Checked::new(proof, by)),
        Err(why) => Answer::Pending(Pending::Proof { proof: Box::new(proof), why }),
    }
}

fn check_failed(failure: &Failure) -> Answer {
    Answer::Unknown(Why::CheckFailed(format!("proof: {failure}")))
}

/// Whether `true` may be said of a program in which simplification left nothing to reach: proved on the program before it.
pub fn judge_simplified(prepared: &Prepared, budget: &Budget) -> Answer {
    let mut program = prepared.program.clone();
    let lifted = prepared.restore.lift(&mut program, &BTreeMap::new());
    let claim = Claim::Inductive { invariants: &lifted, k: 1 };
    let checked = prove_again(&prepared.flat, &mut program.terms, claim, budget);
    let proof = Proof::Invariants { at: BTreeMap::new(), k: 1 };
    let found = FoundProof { proof, terms: program.terms, engine: "simplification".into() };
    proved(found, checked.map(Check::Flat).map_err(|failure| failure.to_string()))
}

/// By the other solver first, then by the engines' own.
fn prove_again(
    program: &Program,
    terms: &mut Store,
    claim: Claim<'_>,
    budget: &Budget,
) -> Result<&'static str, Failure> {
    // Without the layer that refutes by polynomial identities: the engines use it, and the checker has a ring of its own.
    let own = SolverSettings { algebra: false, ..SolverSettings::default() };
    let other = SolverSettings { backend: Backend::Z3(Z3Settings::default()), ..own.clone() };
    let solvers = [("z3", other), ("bitwuzla", own)];
    let mut last = Failure::NoAnswer("no solver".into());
    for ((name, settings), time) in solvers.into_iter().zip(RECHECK_TIMES) {
        let Ok(inner) = smt::open(&settings) else { continue };
        // A part of what is left, so that there is some for the next, and for saying so.
        let deadline = Instant::now() + time.min(budget.left() / 3);
        let mut solver = smt::layer::Deadline::over(inner, deadline);
        solver.limit(&smt::Limits { time: None, cancel: Some(budget.cancel_flag()) });
        match recheck(program, terms, claim, &mut solver, deadline) {
            Ok(()) => return Ok(name),
            Err(failure) if failure.refutes() => return Err(failure),
            Err(failure) => last = failure,
        }
    }
    Err(last)
}

/// The invariants of a proof, for people: by location.
pub fn invariants(proof: &Proof) -> BTreeMap<Loc, Term> {
    match proof {
        Proof::Invariants { at, .. } | Proof::Ranking { at, .. } => at.clone(),
        Proof::Exhausted { .. } => BTreeMap::new(),
    }
}
