//! Products with a factor that has few values: case by case they are sums.
//!
//! Containers of elements of any size compute `index * item_size`, and a harness says that `item_size` is at most 2 or 16. What
//! follows from such products is distributivity, for which solvers need minutes; with the size replaced by each of its values in turn every
//! product is a sum, and [`crate::linear`] or a solver over the integers refutes each case in a line.
//!
//! What is found here is a hint: whoever uses it shows that the factor has no other value.

use crate::limits::instances::MOST_VALUES;
use rustc_hash::FxHashMap;
use term::{Op, Store, Term};

/// A factor of a product of unknowns, or a divisor, that lies between constants by what the conjuncts say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SmallFactor {
    pub factor: Term,
    pub least: u128,
    pub most: u128,
}

/// The factor with the fewest values among those that have few.
pub fn small_factor(store: &Store, conjuncts: &[Term]) -> Option<SmallFactor> {
    let mut ranges: FxHashMap<Term, Range> = FxHashMap::default();
    for &conjunct in conjuncts {
        note(store, conjunct, &mut ranges);
    }
    ranges.retain(|_, range| range.most.is_some_and(|most| range.least <= most && most - range.least < MOST_VALUES));
    if ranges.is_empty() {
        return None;
    }
    let mut found: Option<SmallFactor> = None;
    for t in term::walk::postorder(store, conjuncts) {
        let args = store.args(t);
        if args.iter().any(|a| store.is_const(*a)) {
            continue;
        }
        let factors = match store.op(t) {
            Op::BvMul | Op::BvUmulo | Op::BvSmulo => args,
            Op::BvUdiv | Op::BvUrem => &args[1..],
            _ => continue,
        };
        for factor in factors {
            let inner = if let Op::ZeroExtend(_) = store.op(*factor) { store.arg(*factor, 0) } else { *factor };
            let Some(&Range { least, most: Some(most) }) = ranges.get(&inner) else { continue };
            if found.is_none_or(|old| most - least < old.most - old.least) {
                found = Some(SmallFactor { factor: inner, least, most });
            }
        }
    }
    found
}

#[derive(Clone, Copy, Default)]
struct Range {
    least: u128,
    most: Option<u128>,
}

/// What an unsigned comparison with a constant says.
fn note(store: &Store, conjunct: Term, ranges: &mut FxHashMap<Term, Range>) {
    let (holds, atom) = match store.op(conjunct) {
        Op::Not => (false, store.arg(conjunct, 0)),
        _ => (true, conjunct),
    };
    let op = store.op(atom);
    if !matches!(op, Op::BvUlt | Op::BvUle) {
        return;
    }
    let constant = |t: Term| store.as_bv_const(t).and_then(|bits| bits.to_u128());
    let [a, b] = [store.arg(atom, 0), store.arg(atom, 1)];
    // The atom, or its negation with the sides exchanged, is `low < high` or `low <= high`.
    let (low, high, is_strict) = if holds { (a, b, op == Op::BvUlt) } else { (b, a, op == Op::BvUle) };
    let strict = u128::from(is_strict);
    match (constant(low), constant(high)) {
        (None, Some(c)) if c >= strict => {
            let range = ranges.entry(low).or_default();
            range.most = Some(range.most.map_or(c - strict, |most| most.min(c - strict)));
        }
        (Some(c), None) => {
            let range = ranges.entry(high).or_default();
            range.least = range.least.max(c.saturating_add(strict));
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use term::Sort;

    #[test]
    fn bounds_of_factors_come_from_comparisons_of_all_kinds() {
        let mut s = Store::new();
        let [x, y] = ["x", "y"].map(|name| s.var(name, Sort::Bv(64)));
        let [two, five] = [2, 5].map(|n| s.bv(n, 64));
        let product = s.mul(x, y);
        let large = s.ult(five, product);
        let (below, beyond) = (s.ult(x, five), s.ule(x, two));
        let above = s.not(beyond);
        let found = SmallFactor { factor: x, least: 3, most: 4 };
        assert_eq!(small_factor(&s, &[large, below, above]), Some(found));
        // Without an upper bound, or without a product, there is none.
        assert_eq!(small_factor(&s, &[large, above]), None);
        assert_eq!(small_factor(&s, &[below, above]), None);
        let not_below = s.not(below);
        assert_eq!(small_factor(&s, &[large, not_below]), None);
    }

    #[test]
    fn divisors_are_factors_and_dividends_are_not() {
        let mut s = Store::new();
        let [x, y] = ["x", "y"].map(|name| s.var(name, Sort::Bv(64)));
        let two = s.bv(2, 64);
        let (x_small, y_small) = (s.ule(x, two), s.ule(y, two));
        let quotient = s.mk(Op::BvUdiv, &[y, x]);
        let large = s.ult(two, quotient);
        assert_eq!(small_factor(&s, &[large, x_small]).map(|found| found.factor), Some(x));
        assert_eq!(small_factor(&s, &[large, y_small]), None);
    }
}
