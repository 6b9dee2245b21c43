//! Asks two solvers and believes them only when they agree.
//!
//! The first one's answer, model and core are returned. Contradicting answers are [`Why::Contradicted`]. When the second
//! has no answer, the first one's stands and is counted as unconfirmed.

use term::{Store, Term};

use crate::layer::Layer;
use crate::solver::{Answer, Limits, Solver, Stats, Why};

/// See the module.
pub struct CrossCheck<A, B> {
    first: A,
    second: B,
    confirmed: u64,
    unconfirmed: u64,
}

impl<A: Solver, B: Solver> CrossCheck<A, B> {
    pub fn over(first: A, second: B) -> CrossCheck<A, B> {
        CrossCheck { first, second, confirmed: 0, unconfirmed: 0 }
    }
}

impl<A: Solver, B: Solver> Layer for CrossCheck<A, B> {
    type Below = A;

    fn below(&self) -> &A {
        &self.first
    }

    fn below_mut(&mut self) -> &mut A {
        &mut self.first
    }

    fn push(&mut self) {
        self.first.push();
        self.second.push();
    }

    fn pop(&mut self) {
        self.first.pop();
        self.second.pop();
    }

    fn assert(&mut self, store: &Store, fact: Term) {
        self.first.assert(store, fact);
        self.second.assert(store, fact);
    }

    fn check(&mut self, store: &Store, assumptions: &[Term]) -> Result<Answer, Why> {
        let answer = self.first.check(store, assumptions)?;
        match self.second.check(store, assumptions) {
            Ok(second) if second == answer => self.confirmed += 1,
            Ok(second) => {
                return Err(Why::Contradicted(format!("one solver says {answer:?}, the other {second:?}")));
            }
            Err(why @ (Why::Cancelled | Why::Contradicted(_))) => return Err(why),
            Err(_) => self.unconfirmed += 1,
        }
        Ok(answer)
    }

    fn limit(&mut self, limits: &Limits) {
        self.first.limit(limits);
        self.second.limit(limits);
    }

    fn count(&self, into: &mut Stats) {
        into.add("cross_check.confirmed", self.confirmed);
        into.add("cross_check.unconfirmed", self.unconfirmed);
        self.second.stats(into);
    }
}
