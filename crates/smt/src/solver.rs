//! The one question every engine asks: is this satisfiable, and how?
//!
//! A solver holds a stack of asserted facts. [`Solver::check`] answers for all of them together with some assumptions.
//! Its type makes a missing answer impossible to confuse with one: [`Answer`] has two values only, and everything else
//! (cancelled, out of time, unsupported, broken) is an `Err`, so that `solver.check(...)? == Answer::Unsat` is a proof.
//!
//! `push`, `pop` and `assert` cannot fail: back ends note them down and do the work in `check`, where failure has a
//! place to go. All terms given to one solver come from one store (or clones of it that only grew).

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use term::{Store, Term, Value};

use crate::model::Model;

/// A definite answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Answer {
    Sat,
    Unsat,
}

/// Why there is no answer (or no value, or no core).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    Cancelled,
    Timeout,
    /// The solver tried and gave up; its own words.
    GaveUp(String),
    /// The back end has no way to say this.
    Unsupported(String),
    /// The solver broke: it refused a call, threw, or its process died.
    Failed(String),
    /// A self-check caught the solver in a wrong answer. Never expected; must reach the user.
    Contradicted(String),
    /// A value was asked for without a preceding `Sat`, or a core without `Unsat`: a bug in the caller.
    NotAvailable,
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Why::Cancelled => write!(f, "cancelled"),
            Why::Timeout => write!(f, "solver time limit reached"),
            Why::GaveUp(reason) => write!(f, "solver gave up: {reason}"),
            Why::Unsupported(what) => write!(f, "not supported by the solver: {what}"),
            Why::Failed(how) => write!(f, "solver failed: {how}"),
            Why::Contradicted(how) => write!(f, "SOLVER ANSWER REFUTED: {how}"),
            Why::NotAvailable => write!(f, "no model or core: the last check did not end that way"),
        }
    }
}

impl std::error::Error for Why {}

/// What may end a check early.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// For each check: CPU time of the calling thread where the solver works in it, else of its process.
    pub time: Option<Duration>,
    /// Set to true by another thread to end the running check and all later ones.
    pub cancel: Option<Arc<AtomicBool>>,
}

impl Limits {
    pub fn is_cancelled(&self) -> bool {
        self.cancel.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
    }
}

/// Counters by name (`layer.what`), summed over everything that reports the same name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    counters: BTreeMap<&'static str, u64>,
}

impl Stats {
    pub fn add(&mut self, name: &'static str, count: u64) {
        *self.counters.entry(name).or_default() += count;
    }

    pub fn get(&self, name: &str) -> u64 {
        self.counters.get(name).copied().unwrap_or(0)
    }

    /// All counters, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, u64)> + '_ {
        self.counters.iter().map(|(name, count)| (*name, *count))
    }
}

/// A stack of facts and the questions about it.
pub trait Solver {
    fn push(&mut self);

    /// Forgets what was asserted since the matching `push`. Panics when there is none: a bug in the caller.
    fn pop(&mut self);

    /// Adds a boolean term to the current level.
    fn assert(&mut self, store: &Store, fact: Term);

    /// Are the asserted facts satisfiable together with the assumptions (any boolean terms)?
    fn check(&mut self, store: &Store, assumptions: &[Term]) -> Result<Answer, Why>;

    /// The value of a term in the model found by the last check, if that was `Sat` and nothing was asserted since.
    fn value(&mut self, store: &Store, term: Term) -> Result<Value, Why>;

    /// After `Unsat`: assumptions of the last check that already contradict the facts, in the order given there.
    fn core(&mut self) -> Result<Vec<Term>, Why>;

    /// Holds for all later checks.
    fn limit(&mut self, limits: &Limits);

    /// Adds this solver's counters, and those of what lies below it.
    fn stats(&self, into: &mut Stats);

    /// After `Sat`: values for everything that occurs in the given terms.
    fn model(&mut self, store: &Store, terms: &[Term]) -> Result<Model, Why> {
        Model::read(self, store, terms)
    }
}

/// Can start afresh while keeping the asserted facts: layer [`crate::layer::Renew`] uses it.
pub trait Renewable: Solver {
    /// Forgets learnt and cached state. Values and cores of the last check are gone.
    fn renew(&mut self);
}

/// Accepts quantified terms. Other solvers answer [`Why::Unsupported`].
pub trait Quantified: Solver {}
