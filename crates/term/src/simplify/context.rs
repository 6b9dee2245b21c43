//! Facts in context: in `a & b`, `b` only matters where `a` is true; dually, in `a | b`, where `a` is false.
//!
//! For each maximal conjunction, literals among its parts are replaced by true in the other parts, variables known to
//! equal a literal value by that value, and bounds on one term are merged. Disjunctions are the same with signs exchanged.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::bits::Bits;
use crate::normal;
use crate::op::Op;
use crate::store::{Store, Term};
use crate::subst::Substitution;
use crate::walk;

/// Connectives with more parts, or larger ones, are left as they are.
const MAX_PARTS: usize = 200;
const MAX_SIZE: usize = 20_000;
/// Terms visited in all, per term of the input.
const BUDGET: usize = 30;

pub(super) fn propagate(store: &mut Store, root: Term) -> Term {
    let order = walk::postorder(store, &[root]);
    let outermost = outermost_connectives(store, root, &order);
    let mut budget = order.len().saturating_mul(BUDGET);
    let mut rebuilt: FxHashMap<Term, Term> = FxHashMap::default();
    for t in order {
        let args: Vec<Term> = store.args(t).iter().map(|arg| rebuilt[arg]).collect();
        let mut result = if args == store.args(t) { t } else { store.mk(store.op(t), &args) };
        if outermost.contains(&t) && matches!(store.op(result), Op::And | Op::Or) {
            let size = walk::dag_size_within(store, result, MAX_SIZE.min(budget));
            budget -= size.unwrap_or(MAX_SIZE.min(budget));
            if size.is_some() {
                result = connective(store, result);
            }
        }
        rebuilt.insert(t, result);
    }
    rebuilt[&root]
}

/// Conjunctions with a use that is no conjunction, and likewise disjunctions.
fn outermost_connectives(store: &Store, root: Term, order: &[Term]) -> FxHashSet<Term> {
    let mut found = FxHashSet::default();
    let mut note = |t: Term, user: Option<Op>| {
        let op = store.op(t);
        if matches!(op, Op::And | Op::Or) && user != Some(op) {
            found.insert(t);
        }
    };
    note(root, None);
    for &t in order {
        for &arg in store.args(t) {
            note(arg, Some(store.op(t)));
        }
    }
    found
}

/// A conjunction or disjunction with its parts simplified by each other.
fn connective(store: &mut Store, t: Term) -> Term {
    let conjunction = store.op(t) == Op::And;
    let parts = if conjunction { normal::conjuncts(store, t) } else { normal::disjuncts(store, t) };
    if parts.len() > MAX_PARTS {
        return t;
    }
    // Work on a conjunction; a disjunction is the negation of the conjunction of its negated parts.
    let parts: Vec<Term> = if conjunction { parts } else { parts.into_iter().map(|part| store.not(part)).collect() };
    let parts = use_equalities(store, parts);
    let parts = use_literals(store, parts);
    let parts = merge_bounds(store, parts);
    if conjunction {
        return store.and_all(&parts);
    }
    let parts: Vec<Term> = parts.into_iter().map(|part| store.not(part)).collect();
    store.or_all(&parts)
}

/// `x = c` replaces `x` by `c` in the other parts.
fn use_equalities(store: &mut Store, mut parts: Vec<Term>) -> Vec<Term> {
    for i in 0..parts.len() {
        let Some((x, c)) = store.binary(parts[i], Op::Eq) else { continue };
        if !store.is_var(x) || !store.is_const(c) {
            continue;
        }
        let mut substitution = Substitution::new();
        substitution.insert(store, x, c);
        for j in (0..parts.len()).filter(|&j| j != i) {
            parts[j] = substitution.apply(store, parts[j]);
        }
    }
    parts
}

/// A part that is no connective is true in the others, its negation false.
fn use_literals(store: &mut Store, mut parts: Vec<Term>) -> Vec<Term> {
    let is_literal = |store: &Store, t: Term| {
        let atom = store.unary(t, Op::Not).unwrap_or(t);
        !matches!(store.op(atom), Op::And | Op::Or | Op::Ite | Op::True | Op::False | Op::Eq)
            || store.op(atom) == Op::Eq && !store.sort(store.arg(atom, 0)).is_bool()
    };
    let mut substitution = Substitution::new();
    for &part in &parts {
        if !is_literal(store, part) {
            continue;
        }
        let opposite = store.not(part);
        for (from, to) in [(part, store.tt()), (opposite, store.ff())] {
            // Replacing the atom settles both a literal and its negation.
            if store.op(from) != Op::Not {
                substitution.insert(store, from, to);
            }
        }
    }
    if substitution.is_empty() {
        return parts;
    }
    for part in &mut parts {
        if !is_literal(store, *part) {
            *part = substitution.apply(store, *part);
        }
    }
    parts
}

/// The strongest strict bounds on one term, in one order.
#[derive(Default)]
struct Bounds {
    above: Option<Bits>,
    below: Option<Bits>,
}

/// Keeps the strongest bounds on each term; a single value left becomes an equality.
fn merge_bounds(store: &mut Store, parts: Vec<Term>) -> Vec<Term> {
    let mut bounds: BTreeMap<(Term, bool), Bounds> = BTreeMap::new();
    let mut rest = Vec::new();
    for part in parts {
        let signed = store.op(part) == Op::BvSlt;
        if !signed && store.op(part) != Op::BvUlt {
            rest.push(part);
            continue;
        }
        let (a, b) = (store.arg(part, 0), store.arg(part, 1));
        let less = |c: &Bits, d: &Bits| if signed { c.slt(d) } else { c.ult(d) };
        if let Some(c) = store.as_bv_const(b) {
            let entry = &mut bounds.entry((a, signed)).or_default().below;
            if entry.as_ref().is_none_or(|known| less(c, known)) {
                *entry = Some(c.clone());
            }
        } else if let Some(c) = store.as_bv_const(a) {
            let entry = &mut bounds.entry((b, signed)).or_default().above;
            if entry.as_ref().is_none_or(|known| less(known, c)) {
                *entry = Some(c.clone());
            }
        } else {
            rest.push(part);
        }
    }
    for ((x, signed), Bounds { above, below }) in bounds {
        let op = if signed { Op::BvSlt } else { Op::BvUlt };
        let one = Bits::one(store.width(x));
        let less = |c: &Bits, d: &Bits| if signed { c.slt(d) } else { c.ult(d) };
        if let (Some(above), Some(below)) = (&above, &below)
            && less(above, below)
            && above.add(&one) == below.sub(&one)
        {
            // c - 1 < x < c + 1; since one bound is below the other, neither end wraps.
            let only = store.bv_bits(above.add(&one));
            rest.push(store.eq(x, only));
            continue;
        }
        let (above, below) = (above.map(|c| store.bv_bits(c)), below.map(|c| store.bv_bits(c)));
        let low = above.map_or(store.tt(), |c| store.mk(op, &[c, x]));
        let high = below.map_or(store.tt(), |c| store.mk(op, &[x, c]));
        rest.push(store.and(low, high));
    }
    rest
}
