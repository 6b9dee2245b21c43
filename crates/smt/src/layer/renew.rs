//! Starts the back end afresh now and then.
//!
//! What is popped or was assumed leaves traces inside an incremental solver: one Bitwuzla that answers thousands of tiny
//! queries gets slower and slower. As a copying garbage collector does, we rebuild once there is more garbage than live
//! matter; counted in facts, not in seconds, so that runs repeat exactly.

use term::{Store, Term};

use crate::frames::Frames;
use crate::layer::Layer;
use crate::solver::{Answer, Renewable, Stats, Why};

/// See the module.
pub struct Renew<S> {
    below: S,
    frames: Frames,
    /// Renew no more often than after this much garbage.
    at_least: usize,
    /// Facts popped and checks done since the last renewal: a check's assumptions are one fact.
    garbage: usize,
    renewals: u64,
}

impl<S: Renewable> Renew<S> {
    pub fn over(below: S, at_least: usize) -> Renew<S> {
        Renew { below, frames: Frames::default(), at_least, garbage: 0, renewals: 0 }
    }
}

impl<S: Renewable> Layer for Renew<S> {
    over!(S);

    fn push(&mut self) {
        self.frames.push();
        self.below.push();
    }

    fn pop(&mut self) {
        let before = self.frames.facts().len();
        self.frames.pop();
        self.garbage += before - self.frames.facts().len();
        self.below.pop();
    }

    fn assert(&mut self, store: &Store, fact: Term) {
        self.frames.assert(fact);
        self.below.assert(store, fact);
    }

    fn check(&mut self, store: &Store, assumptions: &[Term]) -> Result<Answer, Why> {
        if self.garbage >= self.at_least.max(self.frames.facts().len()) {
            self.below.renew();
            self.garbage = 0;
            self.renewals += 1;
        }
        self.garbage += 1;
        self.below.check(store, assumptions)
    }

    fn count(&self, into: &mut Stats) {
        into.add("renew.renewals", self.renewals);
    }
}
