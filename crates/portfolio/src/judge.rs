//! No verdict leaves unchecked: proofs are proved again, counterexamples are run.

use crate::judge_danger::{CheckedDanger, judge_danger, judge_endless, judge_ranking};
use crate::until::Until;
use cfa::interp::{Limits, Outcome};
use cfa::{Loc, Program, Violation};
use engine::{Budget, Cx, DeepTrace, Evidence, Proof, Task, Trace, Verdict, Why};
use smt::{Backend, SolverSettings, Z3Settings};
use std::collections::BTreeMap;
use std::fmt;
use std::time::{Duration, Instant};
use term::{Store, Term};
use transform::pipeline::Prepared;
use validate::recheck::{Claim, Failure, recheck};
use validate::replay::{Replayed, expected, replay, replay_deep};

/// An answer that was checked.
#[derive(Clone, Debug)]
pub enum Answer {
    True {
        proof: Box<CheckedProof>,
        checked: Checked,
    },
    /// With the danger invariant that led there, if one did.
    False {
        violation: Violation,
        outcome: Box<Outcome>,
        trace: Trace,
        walked: Walked,
        danger: Option<Box<CheckedDanger>>,
    },
    /// As `False`, but nobody can run there: a danger invariant or a recurrence set, proved again.
    Danger {
        proof: Box<CheckedDanger>,
        checked: Checked,
    },
    Unknown(Why),
}

/// A proof on the prepared program, with the store that its terms live in.
#[derive(Clone, Debug)]
pub struct CheckedProof {
    pub proof: Proof,
    pub terms: Store,
    /// The author's name.
    pub engine: String,
}

/// Who has seen a violation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Walked {
    /// The interpreter ran there.
    Interpreted,
    /// Nobody yet: the run is too long for the interpreter. Whoever reports it has to run the compiled program first.
    Expected,
}

/// How a proof was confirmed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Checked {
    /// Proved again on the program as it was before simplification, by the named solver.
    Again(&'static str),
    /// Proved again, but on the program that simplification left: why not before.
    Simplified(&'static str, String),
    /// Could not be proved again within the budget: why. The engine's word stands alone.
    Not(String),
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Answer::True { .. } => f.write_str("true"),
            Answer::False { violation, .. } => write!(f, "false({})", violation.property.name()),
            Answer::Danger { proof, .. } => write!(f, "false({})", proof.violation.property.name()),
            Answer::Unknown(why) => write!(f, "unknown({why})"),
        }
    }
}

/// At most so long for checking a proof again, per program and solver: the other solver, then the engines' own.
pub(crate) const RECHECK_TIMES: [Duration; 2] = [Duration::from_secs(2), Duration::from_secs(8)];

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
        Verdict::Unsafe(Evidence::Deep(deep)) => judge_deep(lowered, task, deep, budget),
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
        other => judge_replayed(other, trace),
    }
}

const AFTER_UNDEFINED: &str = "the error is reached only after undefined behaviour";

/// Whether a counterexample was refused for undefined behaviour before its end: the program as it was given to engines is
/// not safe, but in C that says nothing.
pub fn is_after_undefined(why: &Why) -> bool {
    matches!(why, Why::GaveUp(text) if text.starts_with(AFTER_UNDEFINED))
}

fn judge_replayed(replayed: Replayed, trace: Trace) -> Answer {
    match replayed {
        Replayed::Confirmed { violation, outcome } => {
            Answer::False { violation, outcome, trace, walked: Walked::Interpreted, danger: None }
        }
        Replayed::Missed(how) => Answer::Unknown(Why::CheckFailed(format!("replay: {how}"))),
        Replayed::Undefined(what) => Answer::Unknown(Why::GaveUp(format!("{AFTER_UNDEFINED}: {what}"))),
        Replayed::TooLong => Answer::Unknown(Why::GaveUp("the counterexample is too long to be run".into())),
    }
}

/// Edges that the interpreter executes in about two seconds.
const INTERPRETED_STEPS: u64 = 100_000_000;

/// The interpreter first, where it can; the compiled program is some ten times as fast.
pub(crate) fn judge_deep(lowered: &Program, task: &Task, deep: DeepTrace, budget: &Budget) -> Answer {
    let deadline = Instant::now() + budget.left();
    let limits = Limits {
        deadline: Some(deadline),
        cancel: Some(budget.cancel_flag()),
        steps: INTERPRETED_STEPS,
        ..Limits::default()
    };
    let replayed = match deep.steps {
        0..INTERPRETED_STEPS => replay_deep(lowered, &task.program, &deep, &limits),
        _ => Replayed::TooLong,
    };
    if let (Replayed::TooLong, Some((violation, outcome))) = (&replayed, expected(lowered, &task.program, &deep)) {
        let outcome = Box::new(outcome);
        return Answer::False { violation, outcome, trace: deep.trace, walked: Walked::Expected, danger: None };
    }
    judge_replayed(replayed, deep.trace)
}

fn judge_proof(prepared: &Prepared, task: &Task, engine: &str, proof: Proof, cx: &mut Cx, budget: &Budget) -> Answer {
    let claim = |at| match &proof {
        Proof::Invariants { k, .. } => Claim::Inductive { invariants: at, k: *k },
        Proof::Ranking { .. } => unreachable!("judged apart"),
        Proof::Exhausted { bound, .. } => Claim::Exhausted { bound: u32::try_from(*bound).unwrap_or(u32::MAX) },
    };
    let checked = match &proof {
        Proof::Ranking { .. } => unreachable!("judged apart"),
        Proof::Exhausted { bound: 0, .. } => Checked::Not("paths were explored one by one".into()),
        Proof::Exhausted { .. } => {
            match prove_again(&task.program, &mut cx.terms.clone(), claim(&BTreeMap::new()), budget) {
                Ok(solver) => Checked::Simplified(solver, "loops were unwound there".into()),
                Err(failure) if failure.refutes() => return check_failed(&failure),
                Err(failure) => Checked::Not(failure.to_string()),
            }
        }
        Proof::Invariants { at, .. } => {
            // Where simplification has not been, its facts are part of the proof.
            let mut program = prepared.program.clone();
            program.terms = cx.terms.clone();
            let lifted = prepared.restore.lift(&mut program, at);
            match prove_again(&prepared.flat, &mut program.terms, claim(&lifted), budget) {
                Ok(solver) => Checked::Again(solver),
                Err(before) => match prove_again(&task.program, &mut cx.terms.clone(), claim(at), budget) {
                    Ok(solver) => Checked::Simplified(solver, before.to_string()),
                    Err(failure) if failure.refutes() => return check_failed(&failure),
                    Err(failure) => Checked::Not(failure.to_string()),
                },
            }
        }
    };
    let proof = CheckedProof { proof, terms: cx.terms.clone(), engine: engine.to_owned() };
    Answer::True { proof: Box::new(proof), checked }
}

fn check_failed(failure: &Failure) -> Answer {
    Answer::Unknown(Why::CheckFailed(format!("proof: {failure}")))
}

/// Whether `true` may be said of a program in which simplification left nothing to reach: proved on the program before it.
pub fn judge_simplified(prepared: &Prepared, budget: &Budget) -> Checked {
    let mut program = prepared.program.clone();
    let lifted = prepared.restore.lift(&mut program, &BTreeMap::new());
    let claim = Claim::Inductive { invariants: &lifted, k: 1 };
    match prove_again(&prepared.flat, &mut program.terms, claim, budget) {
        Ok(solver) => Checked::Again(solver),
        Err(failure) => Checked::Not(format!("simplification left nothing to prove; before it: {failure}")),
    }
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
        let limits = smt::Limits { time: None, cancel: Some(budget.cancel_flag()) };
        let mut solver = Until { inner, deadline, limits };
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
