//! Products with a factor that has few values, refuted value by value.
//!
//! Which factor that is, is a hint (`smt::small_factors`). That it has no other value is shown here, by the ranges of the checker, and
//! each value is put in its place by the checker, so that a wrong hint costs time and nothing else.

use crate::{bounds, read_over_write};
use smt::small_factors::{SmallFactor, small_factor};
use term::normal::conjuncts;
use term::subst::Substitution;
use term::{Store, Term};

/// Whether the facts contradict each other, whatever value the factor has. `ask` says whether a formula was refuted.
pub(crate) fn refuted(terms: &mut Store, facts: &[Term], ask: &mut dyn FnMut(&Store, Term) -> bool) -> bool {
    let facts: Vec<Term> = facts.iter().flat_map(|fact| conjuncts(terms, *fact)).collect();
    small_factor(terms, &facts).is_some_and(|hint| refuted_with(terms, &facts, hint, ask))
}

fn refuted_with(
    terms: &mut Store,
    facts: &[Term],
    hint: SmallFactor,
    ask: &mut dyn FnMut(&Store, Term) -> bool,
) -> bool {
    let SmallFactor { factor, least, most } = hint;
    let width = terms.width(factor);
    let (low, high) = (terms.bv(least, width), terms.bv(most, width));
    for elsewhere in [terms.ult(factor, low), terms.ult(high, factor)] {
        let other_value: Vec<Term> = facts.iter().copied().chain([elsewhere]).collect();
        if terms.as_bool_const(elsewhere) != Some(false) && !bounds::contradict(terms, &other_value) {
            return false;
        }
    }
    (least..=most).all(|value| {
        let value = terms.bv(value, width);
        let mut substitution = Substitution::new();
        substitution.insert(terms, factor, value);
        let mut case: Vec<Term> = facts.iter().map(|fact| substitution.apply(terms, *fact)).collect();
        case.push(terms.eq(factor, value));
        let case = terms.and_all(&case);
        if terms.as_bool_const(case) == Some(false) || bounds::contradict(terms, &conjuncts(terms, case)) {
            return true;
        }
        let case = read_over_write::looked_up(terms, case);
        ask(terms, case)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use smt::{Answer, SolverSettings};
    use term::Sort;

    fn ask(terms: &Store, case: Term) -> bool {
        let mut solver = smt::open(&SolverSettings::default()).expect("Bitwuzla");
        solver.check(terms, &[case]) == Ok(Answer::Unsat)
    }

    /// `x` between 1 and 2, `i < n`, and `x * i + x` beyond `x * n`: that cannot be where `x * n` does not overflow.
    fn elements(terms: &mut Store, no_overflow: bool) -> (Vec<Term>, Term) {
        let [x, i, n] = ["x", "i", "n"].map(|name| terms.var(name, Sort::Bv(16)));
        let [zero, three] = [0, 3].map(|c| terms.bv(c, 16));
        let (end, at) = (terms.mul(x, n), terms.mul(x, i));
        let behind = terms.add(at, x);
        let mut facts = vec![terms.ult(zero, x), terms.ult(x, three), terms.ult(i, n), terms.ult(end, behind)];
        let overflows = terms.umulo(x, n);
        facts.extend(no_overflow.then(|| terms.not(overflows)));
        (facts, x)
    }

    #[test]
    fn distributivity_is_shown_value_by_value() {
        let mut terms = Store::new();
        let (facts, _) = elements(&mut terms, true);
        assert!(refuted(&mut terms, &facts, &mut ask));
        let (facts, _) = elements(&mut terms, false);
        assert!(!refuted(&mut terms, &facts, &mut ask));
    }

    #[test]
    fn a_hint_that_leaves_values_out_is_not_believed() {
        let mut terms = Store::new();
        let (facts, factor) = elements(&mut terms, false);
        for (least, most) in [(1, 1), (2, 2)] {
            let hint = SmallFactor { factor, least, most };
            assert!(!refuted_with(&mut terms, &facts, hint, &mut |_, _| true), "{hint:?}");
        }
        let hint = SmallFactor { factor, least: 1, most: 2 };
        assert!(refuted_with(&mut terms, &facts, hint, &mut |_, _| true));
        assert!(!refuted_with(&mut terms, &facts, hint, &mut ask));
    }
}
