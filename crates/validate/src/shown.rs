//! What a check has shown already, for its next try.
//!
//! Tries have limits of time, and each asks the questions of the one before, in the same store of terms: what was refuted is not asked again.
//! For questions to be the same, the free values that they are about have to be the same variables, so these come from here, in the order in which
//! a try asks for them. A question stands for itself, so it does not matter which others its variables are part of.

use rustc_hash::{FxHashMap, FxHashSet};
use term::{Sort, Store, Term};

/// Questions that have no model, and variables for free values; of one store.
#[derive(Default)]
pub(crate) struct Shown {
    refuted: FxHashSet<Term>,
    free: FxHashMap<(&'static str, Sort), Vec<Term>>,
    /// How many of them the try has already.
    taken: FxHashMap<(&'static str, Sort), usize>,
}

impl Shown {
    /// Another try.
    pub(crate) fn begin(&mut self) {
        self.taken.clear();
    }

    /// A variable that the try does not have yet.
    pub(crate) fn fresh(&mut self, terms: &mut Store, name: &'static str, sort: Sort) -> Term {
        let (all, taken) = (self.free.entry((name, sort)).or_default(), self.taken.entry((name, sort)).or_default());
        if *taken == all.len() {
            all.push(terms.fresh(name, sort));
        }
        *taken += 1;
        all[*taken - 1]
    }

    pub(crate) fn refuted(&mut self, question: Term) {
        self.refuted.insert(question);
    }

    pub(crate) fn is_refuted(&self, question: Term) -> bool {
        self.refuted.contains(&question)
    }
}

/// A store, and what was shown of its terms.
pub(crate) struct Known {
    pub(crate) terms: Store,
    pub(crate) shown: Shown,
}

impl Known {
    pub(crate) fn of(terms: Store) -> Known {
        Known { terms, shown: Shown::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recheck::{Claim, Failure, recheck_again};
    use base::Id;
    use base::cpu::Deadline;
    use smt::{Answer, Limits, Solver, SolverSettings, Stats, Why};
    use std::collections::BTreeMap;
    use std::time::Duration;
    use term::Value;

    /// Answers nothing.
    struct Silent;

    impl Solver for Silent {
        fn push(&mut self) {}

        fn pop(&mut self) {}

        fn assert(&mut self, _: &Store, _: Term) {}

        fn check(&mut self, _: &Store, _: &[Term]) -> Result<Answer, Why> {
            Err(Why::Timeout)
        }

        fn value(&mut self, _: &Store, _: Term) -> Result<Value, Why> {
            Err(Why::NotAvailable)
        }

        fn core(&mut self) -> Result<Vec<Term>, Why> {
            Err(Why::NotAvailable)
        }

        fn limit(&mut self, _: &Limits) {}

        fn stats(&self, _: &mut Stats) {}
    }

    /// A loop that takes an input `x` apart by another one, over and over: inputs are variables of their own in each question.
    const PROGRAM: &str = "machine lp64 32 32
var $size [bv32 -> bv64] memory
var $live [bv32 -> bool] memory
var x bv8 global
var w bv8 global
var y bv8 global
var z bv8 global
entry f0

function f0 \"main\" params () entry L0 exit L1
  L0
    e0 -> L2 assign x := 0:8, y := 0:8, z := 0:8
  L1 end return
  L2
    e1 -> L3 assume (= x (bvadd y z))
    e2 -> L4 assume (not (= x (bvadd y z)))
  L3
    e3 -> L5 havoc (x w) input \"x\"
  L4 error unreach-call \"bad\"
  L5
    e4 -> L2 assign y := (bvand x w), z := (bvand x (bvnot w))
";

    #[test]
    fn what_one_try_has_refuted_the_next_one_does_not_ask() {
        let program = cfa::text::parse(PROGRAM).expect("a program");
        let mut known = Known::of(program.terms.clone());
        let text = "(= x (bvadd y z))";
        let invariant = term::smtlib::parse_term(&mut known.terms, text).expect("a term");
        let invariants = BTreeMap::from([(cfa::Loc::new(2), invariant)]);
        let check = |known: &mut Known, solver: &mut dyn Solver| {
            let deadline = Deadline::after(Duration::from_secs(20));
            let claim = Claim::Inductive { invariants: &invariants, k: 1 };
            recheck_again(&program, &mut known.terms, &mut known.shown, claim, solver, deadline)
        };
        let fresh = |known: &Known| Known::of(known.terms.clone());
        assert!(matches!(check(&mut fresh(&known), &mut Silent), Err(Failure::NoAnswer(_))));
        let mut solver = smt::open(&SolverSettings::default()).expect("a solver");
        assert_eq!(check(&mut known, solver.as_mut()), Ok(()));
        assert_eq!(check(&mut known, &mut Silent), Ok(()));
        // Of another proof nothing was shown.
        assert!(matches!(check(&mut fresh(&known), &mut Silent), Err(Failure::NoAnswer(_))));
    }

    #[test]
    fn every_try_has_the_same_variables_and_each_of_them_once() {
        let (mut terms, mut shown) = (Store::new(), Shown::default());
        let mut try_again = |terms: &mut Store| {
            shown.begin();
            let sorts = [Sort::Bool, Sort::Bv(8), Sort::Bool];
            sorts.map(|sort| shown.fresh(terms, "any", sort))
        };
        let (first, second) = (try_again(&mut terms), try_again(&mut terms));
        assert_eq!(first, second);
        assert_ne!(first[0], first[2]);
    }
}
