//! Evidence: why an error location cannot be reached, or can. Whoever finds it, checks it, writes it down or shows it speaks
//! of the same types.
//!
//! Evidence speaks of an automaton: locations, variables, values. Terms mention program variables only.

pub mod explored;
pub mod repeat;

pub use explored::Explored;
pub use repeat::{Repeat, write_out};

use crate::{Edge, Loc, Var};
use std::collections::BTreeMap;
use term::{Term, Value};

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
    /// Every execution ends (the answer to the question of termination): invariants at loop heads, and a tuple of unsigned
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

/// A danger invariant (David et al. 2016): proves an error without walking there. See `docs/engines/danger.md`.
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
