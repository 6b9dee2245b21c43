//! A solver that shares one deadline among all its checks, so that many questions together take no longer than one may.

use smt::{Answer, Limits, Solver, Stats, Why};
use std::time::Instant;
use term::{Store, Term, Value};

pub(crate) struct Deadline {
    pub(crate) inner: Box<dyn Solver>,
    pub(crate) deadline: Instant,
    pub(crate) limits: Limits,
}

impl Solver for Deadline {
    fn push(&mut self) {
        self.inner.push();
    }

    fn pop(&mut self) {
        self.inner.pop();
    }

    fn assert(&mut self, store: &Store, fact: Term) {
        self.inner.assert(store, fact);
    }

    fn check(&mut self, store: &Store, assumptions: &[Term]) -> Result<Answer, Why> {
        let left = self.deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(Why::Timeout);
        }
        self.inner.limit(&Limits { time: Some(left), ..self.limits.clone() });
        self.inner.check(store, assumptions)
    }

    fn value(&mut self, store: &Store, term: Term) -> Result<Value, Why> {
        self.inner.value(store, term)
    }

    fn core(&mut self) -> Result<Vec<Term>, Why> {
        self.inner.core()
    }

    fn limit(&mut self, limits: &Limits) {
        self.limits = limits.clone();
    }

    fn stats(&self, into: &mut Stats) {
        self.inner.stats(into);
    }
}
