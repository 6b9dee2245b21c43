//! What an engine answers, always with evidence that others can check.
//!
//! Evidence speaks of the task's automaton: locations, variables, values. Terms belong to the store of the [`crate::Cx`]
//! that the engine ran with, and mention program variables only.

use crate::explored::Explored;
use cfa::interp::Repeat;
use cfa::{Edge, Loc, Var};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use term::{Term, Value};

/// An engine's answer. There is no bare "safe".
#[derive(Clone, Debug)]
pub enum Verdict {
    Safe(Proof),
    Unsafe(Evidence),
    Unknown(Why),
}

/// Why no error, unsupported or bound-hit location is reachable.
#[derive(Clone, PartialEq, Debug)]
pub enum Proof {
    /// Invariants at cut points (every cycle passes one): together *k*-inductive, and no target is reachable between them.
    /// `k = 1` is plain induction. A location that is missing has the invariant `true`.
    Invariants { at: BTreeMap<Loc, Term>, k: u32 },
    /// All executions end within the explored part: every loop was unwound completely.
    Exhausted {
        /// The most iterations of any loop.
        bound: u64,
        /// Paths (symbolic execution) or unwound locations (BMC): for people.
        explored: u64,
    },
    /// All paths were explored: which, and why each of them ends.
    Explored(Explored),
    /// Every execution ends (the answer to [`crate::Question::AlwaysEnds`]): invariants at loop heads, and a tuple of unsigned
    /// numbers at each that decreases in lexicographic order from one head to the next.
    Ranking { at: BTreeMap<Loc, Term>, ranking: BTreeMap<Loc, Vec<Term>> },
}

/// Why an error location is reachable.
#[derive(Clone, Debug)]
pub enum Evidence {
    Trace(Trace),
    /// A trace that is too long to be written down.
    Deep(DeepTrace),
    Danger(Danger),
    /// A recurrence set: with these choices the execution never ends. Its ranking is not used.
    Endless(Danger),
}

/// A trace in which parts of the inputs are given many times over.
#[derive(Clone, PartialEq, Debug)]
pub struct DeepTrace {
    /// With each repeated part once.
    pub trace: Trace,
    /// Outer repetitions before those inside them; inputs in none of them are given once.
    pub repeats: Vec<Repeat>,
    /// About how many edges an execution takes.
    pub steps: u64,
}

/// An execution from the entry to an error location, given by its inputs: apart from havoc a program is deterministic,
/// so running it on them walks the trace, however long it is.
#[derive(Clone, PartialEq, Debug)]
pub struct Trace {
    /// The error location that is reached.
    pub target: Loc,
    /// The havoc edges on the way, in order, each with the values of its variables in the edge's order.
    pub inputs: Vec<(Edge, Vec<Value>)>,
    /// Values of variables that are read before they are assigned, where they matter.
    pub initial: BTreeMap<Var, Value>,
}

/// A danger invariant (paper 004): proves an error without walking there. See `docs/engines/danger.md`.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Danger {
    /// Values of variables at the entry; any value will do for the others.
    pub initial: BTreeMap<Var, Value>,
    /// At each loop head that is passed: the invariant, and the ranking tuple (unsigned numbers, most significant first).
    pub invariant: BTreeMap<Loc, Term>,
    pub ranking: BTreeMap<Loc, Vec<Term>>,
    /// For havoc edges: the values as functions of the state before; where there are none any value will do.
    pub choice: BTreeMap<Edge, Vec<Term>>,
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
    /// A bound of the model can be exceeded: which and where.
    BoundHit(String),
    /// The method has nothing more to try.
    GaveUp(String),
    /// The solver answered unknown or failed where an answer was needed.
    Solver(String),
    /// The error is reached only after undefined behaviour, which says nothing in C: what is undefined, and where.
    AfterUndefined(String),
    /// A counterexample was found that is too long to be run.
    TooLongToRun,
    /// A counterexample was found that the compiled program does not show, and need not: it rests on what something outside
    /// of the program may do.
    NotConfirmed(String),
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

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Why::Timeout => f.write_str("time limit"),
            Why::OutOfMemory => f.write_str("memory limit"),
            Why::Cancelled => f.write_str("cancelled"),
            Why::Unsupported(what) => write!(f, "unsupported: {what}"),
            Why::BoundHit(what) => write!(f, "bound hit: {what}"),
            Why::GaveUp(what) => write!(f, "gave up: {what}"),
            Why::Solver(what) => write!(f, "solver: {what}"),
            Why::AfterUndefined(what) => write!(f, "the error is reached only after undefined behaviour: {what}"),
            Why::TooLongToRun => f.write_str("the counterexample is too long to be run"),
            Why::NotConfirmed(what) => f.write_str(what),
            Why::NotChecked { engine, why } => write!(f, "found true by {engine}, not checked: {why}"),
            Why::CheckFailed(what) => write!(f, "check failed: {what}"),
            Why::Crashed(what) => write!(f, "crashed: {what}"),
        }
    }
}
