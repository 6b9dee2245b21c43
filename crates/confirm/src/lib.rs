//! Whether a witness holds.
//!
//! [`check`] puts what the witness says into the program ([`witness::inject`]), so that this is a question about a program:
//! [`correctness`] asks whether the invariants are true and whether the property follows from them and from nothing else
//! that somebody had to find; [`fn@termination`] asks the same of transition invariants; [`danger`] asks whether a danger
//! invariant holds; [`violation`] asks for an execution that follows the waypoints and violates the property, [`endless`] for
//! one that goes round for ever.

pub mod check;
mod correctness;
mod danger;
mod danger_invariant;
mod endless;
mod gate;
mod limits;
mod steer;
pub mod termination;
mod violation;

use cfa::{LocKind, Program, Violation};
use interpreter::Outcome;
use validate::Violated;

pub use correctness::{Stated, correctness};
pub use danger::{DangerFinding, danger};
pub use danger_invariant::decide;
pub use endless::{Rounds, endless};
pub use gate::Target;
pub use steer::Steer;
pub use termination::termination;
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

impl Run {
    /// The execution of a violation that was checked; nothing where nobody can run there.
    fn of(violated: &Violated) -> Option<Run> {
        match violated {
            Violated::Run(run) => {
                Some(Run { violation: run.violation.clone(), outcome: Box::new(run.outcome.clone()) })
            }
            Violated::Danger(_) => None,
        }
    }
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
