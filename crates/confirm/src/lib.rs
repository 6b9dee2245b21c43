//! Whether a witness holds.
//!
//! What the witness says has been put into the program ([`witness::inject`]), so that this is a question about a program:
//! [`correctness`] asks whether the invariants are true and whether the property follows from them and from nothing else
//! that somebody had to find; [`danger`] asks whether a danger invariant holds; [`violation`] asks for an execution that follows the waypoints and violates the property.

mod correctness;
mod danger;
mod steer;
mod vacuous;
mod violation;

use cfa::interp::Outcome;
use cfa::{LocKind, Program, Violation};
use engine::{Budget, Why};
use portfolio::{Answer, PORTFOLIO, Plan, Strategy};
use transform::pipeline::Prepared;

pub use correctness::correctness;
pub use danger::{DangerFinding, danger};
pub use steer::Steer;
pub use vacuous::is_vacuous;
pub use violation::{Steering, violation};

/// What became of a witness.
#[derive(Clone, Debug)]
pub enum Finding {
    /// It holds; how that was seen.
    Confirmed {
        how: String,
        run: Option<Run>,
    },
    /// It does not; where there is one, an execution shows it.
    Rejected {
        why: String,
        run: Option<Run>,
    },
    /// What it says is true, and does not suffice.
    Insufficient(String),
    Unknown(String),
}

/// An execution that the interpreter has made.
#[derive(Clone, Debug)]
pub struct Run {
    pub violation: Violation,
    pub outcome: Box<Outcome>,
}

/// Changes what the program's error locations are.
fn with_errors(program: &Program, mut change: impl FnMut(&Violation) -> Option<LocKind>) -> Program {
    let mut changed = program.clone();
    for function in changed.functions.values_mut() {
        for location in function.locs.values_mut() {
            if let LocKind::Error(violation) = &location.kind
                && let Some(kind) = change(violation)
            {
                location.kind = kind;
            }
        }
    }
    changed
}

/// What the engines say about a program.
fn decide(program: &Program, prepared: &Prepared, budget: &Budget) -> Answer {
    match Strategy::named(PORTFOLIO) {
        Ok(strategy) => portfolio::run(program, prepared, &Plan::new(strategy), budget, &mut |_| {}).answer,
        Err(why) => Answer::Unknown(Why::GaveUp(why)),
    }
}
