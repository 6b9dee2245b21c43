//! Counts checks by outcome and measures the time they take.

use std::time::{Duration, Instant};

use term::{Store, Term, Value};

use crate::solver::{Answer, Limits, Solver, Stats, Why};

/// See the module.
pub struct Timing<S> {
    inner: S,
    sat: u64,
    unsat: u64,
    unknown: u64,
    total: Duration,
    longest: Duration,
}

impl<S: Solver> Timing<S> {
    pub fn over(inner: S) -> Timing<S> {
        Timing { inner, sat: 0, unsat: 0, unknown: 0, total: Duration::ZERO, longest: Duration::ZERO }
    }
}

impl<S: Solver> Solver for Timing<S> {
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
        let start = Instant::now();
        let answer = self.inner.check(store, assumptions);
        let time = start.elapsed();
        self.total += time;
        self.longest = self.longest.max(time);
        match &answer {
            Ok(Answer::Sat) => self.sat += 1,
            Ok(Answer::Unsat) => self.unsat += 1,
            Err(_) => self.unknown += 1,
        }
        answer
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
        into.add("checks.sat", self.sat);
        into.add("checks.unsat", self.unsat);
        into.add("checks.unknown", self.unknown);
        into.add("checks.microseconds", micros(self.total));
        into.add("checks.longest_microseconds", micros(self.longest));
        self.inner.stats(into);
    }
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}
