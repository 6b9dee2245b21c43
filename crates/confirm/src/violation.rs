//! Violation witnesses.
//!
//! With the waypoints put into the program, a violation counts only where all segments were passed ([`gated`]). First the
//! program is run with the inputs that the witness names; where that does not settle it, the engines look for any execution
//! that follows the witness. What is found is run once more in the program without the witness.

use crate::gate::{Closed, Target, gated};
use crate::limits::RUN_TIME;
use crate::steer::Steer;
use crate::{Finding, Run};
use base::cpu::Deadline;
use cfa::Program;
use engine::{Budget, Why};
use interpreter::{Ending, InOrder, Limit, Limits, Machine, Outcome};
use std::time::Duration;
use transform::Aim;
use transform::pipeline::{Settings, prepare};
use validate::environment::{Outside, run_with_memory};
use validate::{Answer, Violated};
use verifier::engines::ask;
use witness::inject::NamedInput;

/// How the witness steers the program.
#[derive(Clone, Debug)]
pub struct Steering {
    /// The number of segments.
    pub segments: usize,
    /// The inputs that it names.
    pub named: Vec<NamedInput>,
    pub target: Target,
}

/// Decides about `program`, where `steered` is the same with the waypoints put into it.
pub fn violation(program: &Program, steered: &Program, steering: &Steering, budget: &Budget) -> Finding {
    let gated = match gated(steered, steering) {
        Ok(gated) => gated,
        Err(Closed::NoCounter) => {
            return Finding::Unknown("what counts the segments may be overwritten by the program".into());
        }
        Err(Closed::NoCheck) => {
            let why = format!("nothing at the target, {}, can violate the property", steering.target.location.show());
            return Finding::Rejected { why, run: None };
        }
    };
    let mut undefined = None;
    if let Ok(machine) = Machine::new(&gated) {
        let (inputs, limits) = (Steer::new(&steering.named), within(budget.left().min(RUN_TIME), budget));
        let mut outcome = machine.run(&mut inputs.clone(), &limits);
        // Nobody has said what pointers are that nobody initialised: some may point to memory.
        if !outcome.undefined.is_empty()
            && let Some(defined) = run_with_memory(&gated, &machine, &inputs, &Outside::default(), &limits)
        {
            outcome = defined;
        }
        if matches!(outcome.ending, Ending::Error(_)) {
            match again(program, &outcome, budget) {
                Ok(run) => {
                    let how = "the inputs that the witness names lead to the violation".into();
                    return Finding::Confirmed { how, run: Some(run) };
                }
                Err(why) => undefined = Some(why),
            }
        }
    }
    let prepared = prepare(&gated, &Settings::new(Aim::Targets));
    if !prepared.program.main().locs.values().any(|location| location.kind.is_target()) {
        return rejected();
    }
    match ask(&gated, &prepared, budget) {
        Answer::True(_) => rejected(),
        Answer::Pending(pending) => Finding::Unknown(undefined.unwrap_or_else(|| pending.why().to_string())),
        Answer::Unknown(why) => Finding::Unknown(undefined.unwrap_or_else(|| why.to_string())),
        Answer::False(violated) => match violated.evidence() {
            Violated::Run(run) => match again(program, &run.outcome, budget) {
                Ok(run) => Finding::Confirmed { how: "an execution follows the witness".into(), run: Some(run) },
                Err(why) => Finding::Unknown(why),
            },
            Violated::Danger(_) => {
                Finding::Unknown("an execution follows the witness, but it is too long to be run".into())
            }
        },
    }
}

fn rejected() -> Finding {
    Finding::Rejected { why: "no execution that follows the witness violates the property".into(), run: None }
}

/// A run in the program itself.
fn again(program: &Program, seen: &Outcome, budget: &Budget) -> Result<Run, String> {
    let machine = Machine::new(program).map_err(|unsupported| unsupported.to_string())?;
    let mut outcome = machine.run(&mut InOrder::replay(seen), &within(budget.left(), budget).repeating(seen));
    // What others made of it needs no more memory than was used.
    outcome.environment.truncate(seen.environment.len());
    if let Some(first) = outcome.undefined.first() {
        let place = program.sources.place(program.functions[first.func].edges[first.edge].span);
        return Err(format!("the violation comes only after undefined behaviour: {} at {place}", first.message));
    }
    match outcome.ending.clone() {
        Ending::Error(violation) => Ok(Run { violation, outcome: Box::new(outcome) }),
        Ending::Limit(Limit::Time) => Err(Why::Timeout.to_string()),
        Ending::Limit(Limit::Cancelled) => Err(Why::Cancelled.to_string()),
        other => Err(format!("check failed: the run does not violate the property in the program itself: {other:?}")),
    }
}

/// So long, and until the budget is cancelled.
fn within(time: Duration, budget: &Budget) -> Limits {
    Limits { deadline: Some(Deadline::after(time)), cancel: Some(budget.cancel_flag()), ..Limits::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// That a run is too long says nothing against the witness.
    #[test]
    fn a_run_that_takes_too_long_is_a_time_limit() {
        let text = "machine lp64 32 32\nvar i bv64 global\nentry f0\nfunction f0 \"main\" params () entry L0 exit L2\n  L0\n    \
                    e0 -> L1 assign i := 0:64\n  L1\n    e1 -> L1 assign i := (bvadd i 1:64)\n  L2 end return\n";
        let endless = cfa::text::parse(text).expect("a program");
        let machine = Machine::new(&endless).expect("no memory");
        let seen = machine.run(&mut InOrder::default(), &Limits::steps(10));
        let again = |budget: &Budget| again(&endless, &seen, budget).expect_err("it never ends");
        assert_eq!(again(&Budget::new(Duration::from_millis(20), u64::MAX)), "time limit");
        let cancelled = Budget::new(Duration::from_secs(60), u64::MAX);
        cancelled.cancel_flag().store(true, std::sync::atomic::Ordering::SeqCst);
        assert_eq!(again(&cancelled), "cancelled");
    }
}
