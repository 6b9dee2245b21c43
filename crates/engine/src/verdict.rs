//! What an engine answers, always with evidence that others can check ([`cfa::evidence`]). Terms in it belong to the store of
//! the [`crate::Cx`] that the engine ran with.

use cfa::evidence::{Evidence, Proof};
use serde::{Deserialize, Serialize};
use std::fmt;

/// An engine's answer. There is no bare "safe".
#[derive(Clone, Debug)]
pub enum Verdict {
    Safe(Proof),
    Unsafe(Evidence),
    Unknown(Why),
}

/// Why there is no answer, and what would help.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Why {
    /// CPU or wall time ran out.
    Timeout,
    OutOfMemory,
    /// Another engine was faster, or the user interrupted.
    Cancelled,
    /// Something that is not modelled can be reached: what and where.
    Unsupported(String),
    /// The same where structs are seen taken apart at their arrays, and an index leads out of one.
    LeavesArray(String),
    /// A bound of the model can be exceeded: which and where.
    BoundHit(String),
    /// The method has nothing more to try.
    GaveUp(String),
    /// Loops of which it is open whether they end: which, and whether everything was tried.
    MayNotEnd {
        loops: String,
        is_all_tried: bool,
    },
    /// The solver answered unknown or failed where an answer was needed.
    Solver(String),
    /// The error is reached only after undefined behaviour, which says nothing in C: what is undefined, and where.
    AfterUndefined(String),
    /// There is an error, and its run is too long to see whether it is defined throughout.
    MayBeUndefined,
    /// A counterexample was found that is too long to be run.
    TooLongToRun,
    /// A counterexample was found that the compiled program does not show, and need not: it rests on what something outside
    /// of the program may do.
    NotConfirmed(String),
    /// The same where it rests on where objects lie in memory.
    AssumesPlaces(String),
    /// The same where it rests on what the contract of this function leaves open of its own recursive calls.
    WeakContract(String),
    /// A proof was found and could not be proved again: by whom, and why.
    NotChecked {
        engine: String,
        why: String,
    },
    /// A verdict failed its check. Always a bug of ours, and loud.
    CheckFailed(String),
    /// An engine crashed.
    Crashed(String),
}

impl Why {
    /// Some execution leaves what is modelled.
    pub fn leaves_model(&self) -> bool {
        matches!(self, Why::Unsupported(_) | Why::LeavesArray(_) | Why::BoundHit(_))
    }

    /// A counterexample that rests on where objects lie, and what a run came to instead.
    pub fn assumes_places(how: &str) -> Why {
        Why::AssumesPlaces(format!("{how}; the counterexample assumes where objects lie, which is not modelled"))
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Why::Timeout => f.write_str("time limit"),
            Why::OutOfMemory => f.write_str("memory limit"),
            Why::Cancelled => f.write_str("cancelled"),
            Why::Unsupported(what) | Why::LeavesArray(what) => write!(f, "unsupported: {what}"),
            Why::BoundHit(what) => write!(f, "bound hit: {what}"),
            Why::GaveUp(what) => write!(f, "gave up: {what}"),
            Why::MayNotEnd { loops, is_all_tried } => {
                let in_time = if *is_all_tried { "" } else { " in time" };
                write!(f, "{loops} may not end: no ranking function was found{in_time}")
            }
            Why::Solver(what) => write!(f, "solver: {what}"),
            Why::AfterUndefined(what) => write!(f, "the error is reached only after undefined behaviour: {what}"),
            Why::MayBeUndefined => f.write_str(
                "gave up: a danger invariant was found, but its run is too long to see whether it is defined throughout",
            ),
            Why::TooLongToRun => f.write_str("the counterexample is too long to be run"),
            Why::NotConfirmed(what) | Why::AssumesPlaces(what) => f.write_str(what),
            Why::WeakContract(function) => write!(
                f,
                "the contract of {function} is too weak for its own recursion: a counterexample was found where it stands for \
                 a recursive call, and none without"
            ),
            Why::NotChecked { engine, why } => write!(f, "found true by {engine}, not checked: {why}"),
            Why::CheckFailed(what) => write!(f, "check failed: {what}"),
            Why::Crashed(what) => write!(f, "crashed: {what}"),
        }
    }
}
