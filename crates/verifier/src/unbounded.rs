//! Programs that make any number of objects: a proof of the program whose object numbers do not run out
//! (`transform::memory::with_unbounded_objects`).
//!
//! Engines see that program as any other, and so does the checker: its flat form, before simplification. Only proofs come from
//! it, so only an engine is asked that finds nothing else.

use crate::session::Session;
use cfa::Program;
use portfolio::{Plan, Strategy};
use report::Verdict;
use std::time::Duration;
use transform::pipeline::{Prepared, Settings, prepare_unbounded};
use validate::Answer;
use validate::judge::judge_simplified;

/// Who proves things of all objects.
const PROVER: &str = "houdini";

/// The program for proofs, if it has objects without bound and the strategy has that engine, or nothing is left to prove.
pub(crate) fn concerns(prepared: &Prepared, plan: &Plan, settings: &Settings) -> Option<Prepared> {
    let is_out = |location: &cfa::Location| transform::memory::is_out_of_numbers(&location.kind);
    if !prepared.program.main().locs.values().any(is_out) {
        return None;
    }
    let unbounded = prepare_unbounded(prepared, settings)?;
    (is_settled(&unbounded) || plan.strategy.has(PROVER)).then_some(unbounded)
}

/// Whether simplification has left nothing to reach: running out of numbers was all there was.
pub(crate) fn is_settled(unbounded: &Prepared) -> bool {
    !unbounded.program.main().locs.values().any(|location| location.kind.is_target())
}

/// A proof that the program is safe, whatever the number of its objects, within the time (of CPU, from the start).
pub(crate) fn prove(
    program: &Program,
    unbounded: &Prepared,
    plan: &Plan,
    time: Option<Duration>,
    session: &Session<'_>,
) -> Option<Verdict> {
    if is_settled(unbounded) {
        return match judge_simplified(unbounded, &session.budget(time)) {
            Answer::True(checked) => Some(Verdict::simplified(&checked)),
            _ => None,
        };
    }
    let strategy = Strategy::named(PROVER).expect("the name of an engine");
    let plan = Plan { strategy, ..plan.clone() };
    match session.ask(program, unbounded, &plan, &session.budget(time), " on any number of objects").answer {
        Answer::True(checked) => Some(Verdict::proved(&unbounded.program, &checked)),
        _ => None,
    }
}
