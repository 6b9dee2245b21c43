//! Questions with products are first tried by [`algebra`]: what it refutes need not be bit-blasted.

use rustc_hash::FxHashMap;
use term::{Store, Term, Value};

use crate::algebra;
use crate::frames::Frames;
use crate::solver::{Answer, Limits, Solver, Stats, Why};

/// See the module.
pub struct Products<S> {
    inner: S,
    frames: Frames,
    /// Whether a term contains a product of two unknowns.
    nonlinear: FxHashMap<Term, bool>,
    /// The assumptions of the last check, if it was refuted here.
    refuted: Option<Vec<Term>>,
    asked: u64,
    settled: u64,
}

impl<S: Solver> Products<S> {
    pub fn over(inner: S) -> Products<S> {
        let nonlinear = FxHashMap::default();
        Products { inner, frames: Frames::default(), nonlinear, refuted: None, asked: 0, settled: 0 }
    }

    fn is_nonlinear(&mut self, store: &Store, root: Term) -> bool {
        let mut stack = vec![root];
        while let Some(&t) = stack.last() {
            if self.nonlinear.contains_key(&t) {
                stack.pop();
                continue;
            }
            let args = store.args(t);
            let open = stack.len();
            stack.extend(args.iter().filter(|a| !self.nonlinear.contains_key(a)));
            if stack.len() > open {
                continue;
            }
            let found = algebra::is_product(store, t) || args.iter().any(|a| self.nonlinear[a]);
            self.nonlinear.insert(t, found);
            stack.pop();
        }
        self.nonlinear[&root]
    }
}

impl<S: Solver> Solver for Products<S> {
    fn push(&mut self) {
        self.frames.push();
        self.inner.push();
    }

    fn pop(&mut self) {
        self.frames.pop();
        self.inner.pop();
    }

    fn assert(&mut self, store: &Store, fact: Term) {
        self.refuted = None;
        self.frames.assert(fact);
        self.inner.assert(store, fact);
    }

    fn check(&mut self, store: &Store, assumptions: &[Term]) -> Result<Answer, Why> {
        self.refuted = None;
        let facts: Vec<Term> = self.frames.facts().iter().chain(assumptions).copied().collect();
        if facts.iter().any(|&fact| self.is_nonlinear(store, fact)) {
            self.asked += 1;
            if algebra::refutes(store, &facts) {
                self.settled += 1;
                self.refuted = Some(assumptions.to_vec());
                return Ok(Answer::Unsat);
            }
        }
        self.inner.check(store, assumptions)
    }

    fn value(&mut self, store: &Store, term: Term) -> Result<Value, Why> {
        if self.refuted.is_some() { Err(Why::NotAvailable) } else { self.inner.value(store, term) }
    }

    fn core(&mut self) -> Result<Vec<Term>, Why> {
        match &self.refuted {
            Some(assumptions) => Ok(assumptions.clone()),
            None => self.inner.core(),
        }
    }

    fn limit(&mut self, limits: &Limits) {
        self.inner.limit(limits);
    }

    fn stats(&self, into: &mut Stats) {
        into.add("products.asked", self.asked);
        into.add("products.settled", self.settled);
        self.inner.stats(into);
    }
}
