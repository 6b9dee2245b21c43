//! The base and the step of an induction, and exhaustion: unwinding along the loops, with so many visits of each head.

use super::{Arrival, Asked, Checker, Failure, Values};
use crate::conditions::Start;
use crate::limits::recheck::MAX_VISITS;
use cfa::Loc;
use std::collections::BTreeMap;
use term::Term;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// Nothing is forgotten, everything is asked; what goes beyond the bound is left out.
    Base,
    /// As `Base`, and nothing may go beyond the bound.
    Exhaustive,
    /// Loops may forget what they change when they are entered; asked on executions on which one did.
    Step,
}

/// Visits of heads around a location, then the location's position: ordered so that predecessors come first.
pub(super) type Key = Vec<u32>;

impl Checker<'_> {
    /// Unwinds with at most `visits` visits of each head (per entry of its loop) and asks what `mode` says.
    pub(super) fn run(&mut self, mode: Mode, visits: u32) -> Result<(), Failure> {
        self.start = if mode == Mode::Step { Start::Anywhere } else { Start::Entry };
        if let Asked::Solver(questions) = &mut self.asked {
            questions.forget();
        }
        let everything = self.terms.bool(true);
        let full = self.terms.bool(mode != Mode::Step);
        let start = Arrival { guard: everything, full, values: Values::default() };
        let entry = self.program.main().entry;
        let mut pending: BTreeMap<Key, Vec<Arrival>> = BTreeMap::from([(self.key(None, entry), vec![start])]);
        let mut count = 0;
        while let Some((key, arrivals)) = pending.pop_first() {
            count += 1;
            if count > MAX_VISITS {
                return Err(Failure::TooLarge);
            }
            if self.deadline.is_over() {
                return Err(Failure::NoAnswer("time limit".into()));
            }
            let loc = self.wto.loc_at(*key.last().expect("a key is not empty"));
            let mut here = self.merge(arrivals);
            if self.program.main().locs[loc].kind.is_target() {
                let reached = self.terms.and(here.guard, here.full);
                self.refute(reached, Failure::TargetReachable(loc))?;
                continue;
            }
            self.at_invariant(mode, visits, loc, &key, &mut here)?;
            for (edge, mut arrival) in self.leave(loc, &here, |_| true) {
                let info = &self.program.main().edges[edge];
                let next = self.key(Some((loc, &key)), info.to);
                if mode == Mode::Step {
                    let left = |depth: usize| {
                        self.wto.heads_around(info.to).get(depth) != Some(&self.wto.heads_around(loc)[depth])
                    };
                    let depths: Vec<usize> = (0..key.len() / 2).filter(|d| left(*d)).collect();
                    let ended = self.windows_ended(visits, &key, &depths);
                    arrival.guard = self.terms.and(arrival.guard, ended);
                }
                if self.terms.as_bool_const(arrival.guard) == Some(false) {
                    continue;
                }
                let beyond = next.iter().skip(1).step_by(2).take(next.len() / 2).any(|n| *n >= visits);
                match (beyond, mode) {
                    (false, _) => pending.entry(next).or_default().push(arrival),
                    (true, Mode::Exhaustive) => self.refute(arrival.guard, Failure::NotExhausted(info.to))?,
                    // The windows of the base and the step end here.
                    (true, Mode::Base | Mode::Step) => {}
                }
            }
        }
        self.settle()
    }

    /// The invariant is asked, then assumed; in the step, a loop that is entered forgets what it changes in between.
    fn at_invariant(
        &mut self,
        mode: Mode,
        visits: u32,
        loc: Loc,
        key: &Key,
        here: &mut Arrival,
    ) -> Result<(), Failure> {
        let visit = self.wto.is_head(loc).then(|| key[key.len() - 2]);
        let invariant = self.invariant(loc, &here.values);
        let violated = self.terms.not(invariant);
        // A loop that is just entered has no window yet.
        let around: Vec<usize> = (0..key.len() / 2 - usize::from(visit == Some(0))).collect();
        let ended = if mode == Mode::Step { self.windows_ended(visits, key, &around) } else { self.terms.bool(true) };
        if mode == Mode::Step && visit.is_some_and(|visit| visit > 0 && visit + 1 == visits) {
            let forgot = self.forgot[&entry_key(key, key.len() / 2 - 1)];
            here.guard = self.terms.and(here.guard, forgot);
        }
        let asked = self.terms.and_all(&[here.guard, here.full, ended, violated]);
        self.refute(asked, Failure::InvariantViolated(loc))?;
        if mode == Mode::Step && visit == Some(0) {
            let forgets = self.shown.fresh(self.terms, "forgets", term::Sort::Bool);
            self.forgot.insert(key.clone(), forgets);
            for var in self.changes[&loc].clone() {
                let anything = self.shown.fresh(self.terms, "any", self.program.vars[var].sort);
                let old = here.values.get(&var).copied().unwrap_or(self.program.term(var));
                let value = self.terms.ite(forgets, anything, old);
                here.values.insert(var, value);
            }
            here.full = self.terms.or(here.full, forgets);
        }
        let invariant = self.invariant(loc, &here.values);
        here.guard = self.terms.and(here.guard, invariant);
        Ok(())
    }

    /// Whether the loops at `depths` around the instance are at their last visits, as far as they forgot.
    fn windows_ended(&mut self, visits: u32, key: &Key, depths: &[usize]) -> Term {
        let mut condition = self.terms.bool(true);
        for &depth in depths {
            if key[2 * depth + 1] + 1 < visits {
                let short = self.terms.not(self.forgot[&entry_key(key, depth)]);
                condition = self.terms.and(condition, short);
            }
        }
        condition
    }

    fn key(&self, from: Option<(Loc, &Key)>, to: Loc) -> Key {
        let mut key = Key::new();
        for (depth, head) in self.wto.heads_around(to).iter().enumerate() {
            let visit = match from {
                Some((loc, old)) if self.wto.heads_around(loc).get(depth) == Some(head) => {
                    old[2 * depth + 1] + u32::from(to == *head)
                }
                _ => 0,
            };
            key.extend([self.wto.position(*head), visit]);
        }
        key.push(self.wto.position(to));
        key
    }
}

/// The key of the first visit of the head of the loop at `depth` around an instance.
fn entry_key(key: &Key, depth: usize) -> Key {
    let mut entry: Key = key[..=2 * depth].to_vec();
    entry.extend([0, key[2 * depth]]);
    entry
}
