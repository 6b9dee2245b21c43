//! Rankings as transition invariants: between an earlier visit of a loop's head and the present one, the tuple has become
//! smaller in lexicographic order.
//!
//! A tuple that decreases from each head to the next, whichever that is, has decreased between any two visits of one head.
//! Components that are the same number at every visit of the head (they order the loops) say nothing there.

use crate::Task;
use crate::correctness::{keyword, said_in_c};
use crate::files::Place;
use crate::metadata::location;
use crate::scope::is_nameable;
use crate::yaml::quoted;
use base::Span;
use cfa::{Loc, Location, Program};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use term::cprint::CName;
use term::subst::Substitution;
use term::{Bits, Op, Store, Term};

/// The items of an `invariant_set`, and whether something is left out. The terms are about a flat program that is not
/// simplified.
pub(crate) fn transition_invariants(
    task: &Task,
    flat: &Program,
    terms: &Store,
    ranking: &BTreeMap<Loc, Vec<Term>>,
) -> (String, bool) {
    let mut left_out = false;
    let mut loops: BTreeMap<Place, (String, Option<String>)> = BTreeMap::new();
    for (head, tuple) in ranking {
        let Some((span, at)) = keyword(&task.files, flat, *head) else {
            left_out = true;
            continue;
        };
        let frame = flat.main().locs[*head].frame;
        let text = decreases(flat, terms, *head, span, tuple);
        let function = flat.frames[frame].function.clone();
        let known = loops.entry(at).or_insert_with(|| (function, text.clone()));
        // Activations with other reasons to end.
        if known.1 != text {
            known.1 = None;
        }
    }
    let mut items = String::new();
    for (at, (function, text)) in loops {
        let Some(text) = text else {
            left_out = true;
            continue;
        };
        items += "    - invariant:\n        type: loop_transition_invariant\n";
        items += &location(&at, true, &function, 8);
        let _ = writeln!(items, "        value: {}", quoted(&text));
        items += "        format: ext_c_expression\n";
    }
    (items, left_out)
}

/// The ranking with zero for components that C cannot say at their loops. Whether it still decreases is to be seen.
pub fn sayable(
    task: &Task,
    flat: &Program,
    terms: &mut Store,
    ranking: &BTreeMap<Loc, Vec<Term>>,
) -> BTreeMap<Loc, Vec<Term>> {
    let zero = terms.bv(0, 1);
    let mut out = BTreeMap::new();
    for (head, tuple) in ranking {
        let can_say = |t: &Term| match keyword(&task.files, flat, *head) {
            Some((span, _)) => decreases(flat, terms, *head, span, &[*t]).is_some(),
            None => true,
        };
        out.insert(*head, tuple.iter().map(|t| if can_say(t) { *t } else { zero }).collect());
    }
    out
}

/// The present tuple is smaller than the earlier one.
fn decreases(flat: &Program, terms: &Store, head: Loc, keyword: Span, tuple: &[Term]) -> Option<String> {
    let mut terms = terms.clone();
    let mut earlier = BTreeMap::new();
    let mut substitution = Substitution::new();
    for symbol in term::walk::free_vars(&terms, tuple) {
        let before = terms.fresh("earlier", terms.sort(symbol));
        earlier.insert(before, symbol);
        substitution.insert(&terms, symbol, before);
    }
    // Where no component is left, the head is visited once.
    let mut smaller = terms.ff();
    for &now in tuple.iter().rev() {
        let before = substitution.apply(&mut terms, now);
        let (less, same) = (less(&mut terms, now, before), terms.eq(now, before));
        let later = terms.and(same, smaller);
        smaller = terms.or(less, later);
    }
    let Location { frame, stale, .. } = &flat.main().locs[head];
    let names = |store: &Store, t: Term| {
        let own = earlier.get(&t).copied().unwrap_or(t);
        let var = flat.var_of(own).filter(|v| !stale.contains(v) && is_nameable(flat, *v, *frame, keyword))?;
        let source = flat.source_of(var)?;
        let text = if own == t { source.name.clone() } else { format!("\\at({}, AnyPrev)", source.name) };
        Some(CName { text, signed: source.signed, width: store.sort(t).bv_width().unwrap_or(0) })
    };
    said_in_c(flat, &terms, smaller, &names)
}

/// `a < b` as unsigned numbers, as people say it: that `~x` decreases is that `x` grows, and numbers with their signs turned
/// round are signed ones.
fn less(terms: &mut Store, a: Term, b: Term) -> Term {
    let (x, y) = (face(terms, a), face(terms, b));
    if (x.signed, x.negated) != (y.signed, y.negated) {
        return terms.ult(a, b);
    }
    let (small, large) = if x.negated { (y.number, x.number) } else { (x.number, y.number) };
    if x.signed { terms.slt(small, large) } else { terms.ult(small, large) }
}

/// A number that is looked at with its sign, or upside down.
struct Face {
    number: Term,
    signed: bool,
    negated: bool,
}

/// `~x`, `x ^ 1000...`, `x ^ 0111...`
fn face(terms: &Store, t: Term) -> Face {
    let width = terms.width(t);
    match (terms.op(t), terms.args(t)) {
        (Op::BvNot, &[a]) => {
            let inner = face(terms, a);
            Face { negated: !inner.negated, ..inner }
        }
        (Op::BvXor, &[a, b]) if width <= 128 => {
            let sign = 1u128 << (width - 1);
            let (number, mask) = if terms.as_bv_const(a).is_some() { (b, a) } else { (a, b) };
            let is = |bits: u128| terms.as_bv_const(mask) == Some(&Bits::new(bits, width));
            let signed = is(sign) || is(sign - 1);
            Face { number: if signed { number } else { t }, signed, negated: is(sign - 1) }
        }
        _ => Face { number: t, signed: false, negated: false },
    }
}
