//! Counts checks by outcome and measures the time they take.

use std::time::{Duration, Instant};

use term::{Store, Term};

use crate::layer::Layer;
use crate::solver::{Answer, Solver, Stats, Why};

/// See the module.
pub struct Timing<S> {
    below: S,
    sat: u64,
    unsat: u64,
    unknown: u64,
    total: Duration,
    longest: Duration,
}

impl<S: Solver> Timing<S> {
    pub fn over(below: S) -> Timing<S> {
        Timing { below, sat: 0, unsat: 0, unknown: 0, total: Duration::ZERO, longest: Duration::ZERO }
    }
}

impl<S: Solver> Layer for Timing<S> {
    over!(S);

    fn check(&mut self, store: &Store, assumptions: &[Term]) -> Result<Answer, Why> {
        let start = Instant::now();
        let answer = self.below.check(store, assumptions);
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

    fn count(&self, into: &mut Stats) {
        into.add("checks.sat", self.sat);
        into.add("checks.unsat", self.unsat);
        into.add("checks.unknown", self.unknown);
        into.add("checks.microseconds", micros(self.total));
        into.add("checks.longest_microseconds", micros(self.longest));
    }
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}
