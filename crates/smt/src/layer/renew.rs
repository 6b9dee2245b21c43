//! Starts the back end afresh now and then.
//!
//! What is popped or was assumed leaves traces inside an incremental solver: one Bitwuzla that answers thousands of tiny
//! queries gets slower and slower. As a copying garbage collector does, we rebuild once there is more garbage than live
//! matter; counted in facts, not in seconds, so that runs repeat exactly.

use term::{Store, Term, Value};

use crate::frames::Frames;
use crate::solver::{Answer, Limits, Renewable, Solver, Stats, Why};

/// See the module.
pub struct Renew<S> {
    inner: S,
    frames: Frames,
    /// Renew no more often than after this much garbage.
    at_least: usize,
    /// Facts popped, assumptions made, checks done since the last renewal.
    garbage: usize,
    renewals: u64,
}

impl<S: Renewable> Renew<S> {
    pub fn over(inner: S, at_least: usize) -> Renew<S> {
        Renew { inner, frames: Frames::default(), at_least, garbage: 0, renewals: 0 }
    }
}

impl<S: Renewable> Solver for Renew<S> {
    fn push(&mut self) {
        self.frames.push();
        self.inner.push();
    }

    fn pop(&mut self) {
        let before = self.frames.facts().len();
        self.frames.pop();
        self.garbage += before - self.frames.facts().len();
        self.inner.pop();
    }

    fn assert(&mut self, store: &Store, fact: Term) {
        self.frames.assert(fact);
        self.inner.assert(store, fact);
    }

    fn check(&mut self, store: &Store, assumptions: &[Term]) -> Result<Answer, Why> {
        if self.garbage >= self.at_least.max(self.frames.facts().len()) {
            self.inner.renew();
            self.garbage = 0;
            self.renewals += 1;
        }
        self.garbage += assumptions.len() + 1;
        self.inner.check(store, assumptions)
    }

    fn value(&mut self, store: &Store, term: Term) -> Result<Value, Why> {
        self.inner.value(store, term)
    }

    fn core(&mut self) -> Result<Vec<Term>, Why> {
        self.inner.core()
    }

    fn limit(&mut self, limits: &Limits) {
        self.inner.limit(limits);
    }

    fn stats(&self, into: &mut Stats) {
        into.add("renew.renewals", self.renewals);
        self.inner.stats(into);
    }
}
