//! Shares one deadline among all checks, so that many questions together take no longer than one may.

use base::cpu;
use term::{Store, Term};

use crate::layer::Layer;
use crate::solver::{Answer, Limits, Solver, Why};

/// See the module.
pub struct Deadline<S> {
    below: S,
    deadline: cpu::Deadline,
    limits: Limits,
}

impl<S: Solver> Deadline<S> {
    pub fn over(below: S, deadline: cpu::Deadline) -> Deadline<S> {
        Deadline { below, deadline, limits: Limits::default() }
    }
}

impl<S: Solver> Layer for Deadline<S> {
    over!(S);

    fn check(&mut self, store: &Store, assumptions: &[Term]) -> Result<Answer, Why> {
        let left = self.deadline.left();
        if left.is_zero() {
            return Err(Why::Timeout);
        }
        let time = self.limits.time.map_or(left, |time| time.min(left));
        self.below.limit(&Limits { time: Some(time), ..self.limits.clone() });
        self.below.check(store, assumptions)
    }

    fn limit(&mut self, limits: &Limits) {
        self.limits = limits.clone();
    }
}
