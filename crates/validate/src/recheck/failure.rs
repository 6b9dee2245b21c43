//! What can be wrong with a proof, or keep it from being proved again.

use cfa::Loc;
use std::fmt;

/// What went wrong with a proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Failure {
    /// The invariant at the location is violated by an execution that the proof says cannot be.
    InvariantViolated(Loc),
    /// The location (error, unsupported, bound hit) is reached by an execution that the proof says cannot be.
    TargetReachable(Loc),
    /// A proof by exhaustion, but the loop with this head goes on.
    NotExhausted(Loc),
    /// An execution goes to the location, which an exploration left out.
    Unexplored(Loc),
    /// The invariant mentions something that is not a program variable.
    ForeignSymbol { at: Loc, name: String },
    /// Loops could not be found reliably: a bug in `flow`.
    BadOrder(Loc),
    /// The solver did not answer: neither proved nor refuted.
    NoAnswer(String),
    /// Too large to prove again.
    TooLarge,
}

impl Failure {
    /// Whether the proof is wrong, not just hard to check.
    pub fn refutes(&self) -> bool {
        !matches!(self, Failure::NoAnswer(_) | Failure::TooLarge)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::InvariantViolated(loc) => write!(f, "the invariant at {loc} is not kept"),
            Failure::TargetReachable(loc) => write!(f, "{loc} can still be reached"),
            Failure::NotExhausted(loc) => write!(f, "the loop at {loc} goes on beyond the explored part"),
            Failure::Unexplored(loc) => write!(f, "an execution goes to {loc}, which was not explored"),
            Failure::ForeignSymbol { at, name } => write!(f, "the invariant at {at} mentions {name}"),
            Failure::BadOrder(loc) => write!(f, "an edge to {loc} goes backwards but not to a loop head"),
            Failure::NoAnswer(why) => write!(f, "{why}"),
            Failure::TooLarge => f.write_str("too large to prove again"),
        }
    }
}
