//! What is wrong with clauses or a proof.

use std::fmt;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Error {
    /// The clauses cannot be read: where, by byte, and what is wrong there.
    Dimacs { at: usize, what: &'static str },
    /// The proof cannot be read: where, by byte, and what is wrong there.
    Format { at: usize, what: &'static str },
    /// The step with this number does not follow.
    Step { id: u64, why: Why },
    /// The steps are fine, but none of them is the empty clause.
    NoEmptyClause,
}

/// Why a step does not follow.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Why {
    /// Numbers of steps rise, beyond those of the given clauses.
    NumberNotNew,
    /// The literal's variable does not occur in the given clauses.
    UnknownVariable(i32),
    /// The clause has a literal and its negation.
    Tautology,
    /// There is no such clause, or it was deleted.
    NoSuchClause(u64),
    /// The clause that is hinted at has more than one literal left, or one that is true already.
    HintNotUnit(u64),
    /// All hints were followed, and no clause was left without literals.
    NoConflict,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Dimacs { at, what } => write!(f, "the clauses cannot be read: byte {at}: {what}"),
            Error::Format { at, what } => write!(f, "the proof cannot be read: byte {at}: {what}"),
            Error::Step { id, why } => write!(f, "step {id} of the proof: {why}"),
            Error::NoEmptyClause => f.write_str("the proof does not come to the empty clause"),
        }
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Why::NumberNotNew => f.write_str("its number is not above those before it"),
            Why::UnknownVariable(literal) => write!(f, "{literal} is not in the given clauses"),
            Why::Tautology => f.write_str("it has a literal and its negation"),
            Why::NoSuchClause(id) => write!(f, "there is no clause {id}"),
            Why::HintNotUnit(id) => write!(f, "clause {id} does not have exactly one literal left"),
            Why::NoConflict => f.write_str("the hints lead to no contradiction"),
        }
    }
}

impl std::error::Error for Error {}
