//! What each iteration of a loop wants that counts by one up to an end, said of its *last* iteration: what `a[k + i]` wants for
//! `i < n` becomes something about `k + n - 1`, that is, about variables that the loop leaves alone, and so it can hold all along. For it to
//! be about those between as well, sums must not wrap: `k + first ≤ k + n - 1`.

use super::Candidates;
use cfa::{Loc, Var};
use std::collections::BTreeSet;
use term::{Op, Store, Term, walk};

impl Candidates<'_> {
    /// Of formulas that are wanted at the head, those that speak of a counter and of nothing else that the loop changes.
    pub(super) fn of_the_last(
        &self,
        head: Loc,
        formulas: &[Term],
        changed: &BTreeSet<Var>,
        terms: &mut Store,
    ) -> Vec<Term> {
        let mut found = Vec::new();
        for formula in formulas.iter().copied() {
            let free = walk::free_vars(terms, &[formula]);
            let mut own = free.iter().filter_map(|t| self.program.var_of(*t)).filter(|var| changed.contains(var));
            let (Some(counter), None) = (own.next(), own.next()) else { continue };
            let is_quantified = walk::postorder(terms, &[formula]).into_iter().any(|t| terms.op(t).is_quantifier());
            if is_quantified || !self.counts_by_one(head, counter, terms) {
                continue;
            }
            let Some(first) = self.first_value(head, counter, changed, terms) else { continue };
            let at = self.program.term(counter);
            let one = terms.bv(1, terms.width(at));
            let (ends, sums) = compared(terms, formula, at);
            for end in ends {
                let last = terms.sub(end, one);
                let none = terms.ule(end, first);
                let wanted = term::substitute(terms, formula, &[(at, last)]);
                found.push(terms.or(none, wanted));
                for sum in &sums {
                    let from = term::substitute(terms, *sum, &[(at, first)]);
                    let to = term::substitute(terms, *sum, &[(at, last)]);
                    let in_order = terms.ule(from, to);
                    found.push(terms.or(none, in_order));
                }
            }
        }
        found
    }
}

/// What the counter is compared with, other than constants; and sums with the counter that are compared with something.
fn compared(terms: &Store, formula: Term, counter: Term) -> (Vec<Term>, Vec<Term>) {
    let is_comparison = |op: Op| matches!(op, Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle | Op::Eq);
    let (mut ends, mut sums) = (BTreeSet::new(), BTreeSet::new());
    for t in walk::postorder(terms, &[formula]).into_iter().filter(|t| is_comparison(terms.op(*t))) {
        let sides = [terms.arg(t, 0), terms.arg(t, 1)];
        let (moving, fixed): (Vec<Term>, Vec<Term>) =
            sides.into_iter().partition(|side| walk::mentions(terms, *side, counter));
        match (&moving[..], &fixed[..]) {
            ([side], [end]) if *side == counter && !terms.is_const(*end) => {
                ends.insert(*end);
            }
            ([sum], [_]) if terms.op(*sum) == Op::BvAdd => {
                sums.insert(*sum);
            }
            _ => {}
        }
    }
    (ends.into_iter().collect(), sums.into_iter().collect())
}
