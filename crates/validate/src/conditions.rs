//! The conditions that make a proof a proof, written down instead of asked: for those who trust no solver.
//!
//! They are the questions of [`crate::recheck`], made by the same code, each a formula that must have no model. Nothing is
//! left out because ranges or polynomials would settle it; only what the builder of terms made a constant is.

use crate::recheck::Failure;
use cfa::Loc;
use cfa::evidence::explored::Explored;
use term::Term;

/// How executions are cut into pieces; see [`crate::recheck`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Scheme {
    /// From the entry and from each loop head to the next heads and targets.
    Cuts,
    /// Base and step of induction over `k` visits of each head.
    Induction { k: u32 },
    /// Each head is visited at most so often.
    Exhausted { bound: u32 },
    /// Path by path, along the decisions of an exploration; see [`crate::explore`].
    Paths(Explored),
}

/// Where the executions that a condition is about begin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Start {
    Entry,
    /// At a loop head, in any state in which its invariant holds.
    Head(Loc),
    /// At the last visits of loops that were visited often.
    Anywhere,
    /// At the entry, along one path.
    Path,
}

/// One condition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Condition {
    pub start: Start,
    /// What would happen in a model of the formula.
    pub denies: Failure,
    /// Must have no model.
    pub bad: Term,
}

/// All conditions of a proof.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Collected {
    pub conditions: Vec<Condition>,
    /// How many more the builder of terms has made `false`.
    pub settled: u64,
}
