//! Layers: each is a solver over a solver and does one thing.
//!
//! A layer says what it changes; everything else goes to the solver below (the defaults of [`Layer`]).

/// For a layer with a field `below` of this type.
macro_rules! over {
    ($below:ty) => {
        type Below = $below;

        fn below(&self) -> &$below {
            &self.below
        }

        fn below_mut(&mut self) -> &mut $below {
            &mut self.below
        }
    };
}

mod cache;
mod check_model;
mod cross_check;
mod deadline;
mod log;
mod refute;
mod renew;
mod timing;

pub use cache::Cache;
pub use check_model::CheckModel;
pub use cross_check::CrossCheck;
pub use deadline::Deadline;
pub use log::Log;
pub use refute::{Arguments, Refute};
pub use renew::Renew;
pub use timing::Timing;

use term::{Store, Term, Value};

use crate::solver::{Answer, Limits, Solver, Stats, Why};

/// A solver over a solver. The methods are those of [`Solver`], with the one below as the default.
pub trait Layer {
    type Below: Solver + ?Sized;

    fn below(&self) -> &Self::Below;

    fn below_mut(&mut self) -> &mut Self::Below;

    fn push(&mut self) {
        self.below_mut().push();
    }

    fn pop(&mut self) {
        self.below_mut().pop();
    }

    fn assert(&mut self, store: &Store, fact: Term) {
        self.below_mut().assert(store, fact);
    }

    fn check(&mut self, store: &Store, assumptions: &[Term]) -> Result<Answer, Why> {
        self.below_mut().check(store, assumptions)
    }

    fn value(&mut self, store: &Store, term: Term) -> Result<Value, Why> {
        self.below_mut().value(store, term)
    }

    fn core(&mut self) -> Result<Vec<Term>, Why> {
        self.below_mut().core()
    }

    fn limit(&mut self, limits: &Limits) {
        self.below_mut().limit(limits);
    }

    /// Adds the layer's own counters.
    fn count(&self, _into: &mut Stats) {}
}

impl<L: Layer + ?Sized> Solver for L {
    fn push(&mut self) {
        Layer::push(self);
    }

    fn pop(&mut self) {
        Layer::pop(self);
    }

    fn assert(&mut self, store: &Store, fact: Term) {
        Layer::assert(self, store, fact);
    }

    fn check(&mut self, store: &Store, assumptions: &[Term]) -> Result<Answer, Why> {
        Layer::check(self, store, assumptions)
    }

    fn value(&mut self, store: &Store, term: Term) -> Result<Value, Why> {
        Layer::value(self, store, term)
    }

    fn core(&mut self) -> Result<Vec<Term>, Why> {
        Layer::core(self)
    }

    fn limit(&mut self, limits: &Limits) {
        Layer::limit(self, limits);
    }

    fn stats(&self, into: &mut Stats) {
        self.count(into);
        self.below().stats(into);
    }
}

/// A box is a layer that changes nothing.
impl<S: Solver + ?Sized> Layer for Box<S> {
    type Below = S;

    fn below(&self) -> &S {
        self
    }

    fn below_mut(&mut self) -> &mut S {
        self
    }
}
