//! Quantifier elimination where it is easy: `∃v. φ` without `v`, equivalent to it.
//!
//! Four rules, tried in turn until none applies to any of the symbols:
//!
//! - *substitution*: a conjunct determines `v` (`v + t = u`), so its value is put in;
//! - *unconstrained term*: `v` occurs in one place, and what stands there can take every value whatever the rest of it is
//!   (`v + t`), so it is a new `v`; a comparison with `v` can be true and false except at the end of the range;
//! - *truth value*: `φ[true] ∨ φ[false]`;
//! - *bounds*: all conjuncts with `v` bound it from below or above, so every lower bound must be under every upper one.

use crate::limits::eliminate::{MAX_BOUND_PAIRS, MAX_CASES_SIZE};
use term::normal::conjuncts;
use term::{Bits, Op, Sort, Store, Term, substitute, walk};

/// A formula equivalent to `∃ symbols. formula`, with as few of the symbols left as the rules allow.
pub fn eliminate(terms: &mut Store, formula: Term, symbols: &[Term]) -> Term {
    let mut formula = formula;
    let mut left: Vec<Term> = symbols.to_vec();
    loop {
        let free = walk::free_vars(terms, &[formula]);
        left.retain(|v| free.binary_search(v).is_ok());
        let step = left.iter().find_map(|&v| Some((v, eliminate_one(terms, formula, v)?)));
        let Some((gone, (smaller, new))) = step else { return formula };
        formula = smaller;
        left.retain(|v| *v != gone);
        left.extend(new);
    }
}

/// One step of getting rid of `v`; a symbol that takes its place, if any.
fn eliminate_one(terms: &mut Store, formula: Term, v: Term) -> Option<(Term, Option<Term>)> {
    if let Some(without) = by_value(terms, formula, v) {
        return Some((without, None));
    }
    if let Some(found) = by_freedom(terms, formula, v) {
        return Some(found);
    }
    if terms.sort(v).is_bool() && walk::dag_size_within(terms, formula, MAX_CASES_SIZE).is_some() {
        let (yes, no) = (terms.tt(), terms.ff());
        let (yes, no) = (substitute(terms, formula, &[(v, yes)]), substitute(terms, formula, &[(v, no)]));
        return Some((terms.or(yes, no), None));
    }
    Some((by_bounds(terms, formula, v)?, None))
}

/// A conjunct determines the value of `v`.
fn by_value(terms: &mut Store, formula: Term, v: Term) -> Option<Term> {
    for part in conjuncts(terms, formula) {
        let value = if part == v {
            Some((terms.tt(), terms.tt()))
        } else if terms.op(part) == Op::Not && terms.arg(part, 0) == v {
            Some((terms.ff(), terms.tt()))
        } else if terms.op(part) == Op::Eq {
            let (a, b) = (terms.arg(part, 0), terms.arg(part, 1));
            isolate(terms, a, b, v).or_else(|| isolate(terms, b, a, v))
        } else {
            None
        };
        if let Some((value, condition)) = value {
            let without = substitute(terms, formula, &[(v, value)]);
            return Some(terms.and(condition, without));
        }
    }
    None
}

/// Solves `side = other` for `v`, where `v` is in `side` and not in `other`: its value, and the condition that there is one.
fn isolate(terms: &mut Store, side: Term, other: Term, v: Term) -> Option<(Term, Term)> {
    if mentions(terms, other, v) {
        return None;
    }
    let (mut side, mut value, mut condition) = (side, other, terms.tt());
    while side != v {
        let args = terms.args(side).to_vec();
        let inside: Vec<usize> = (0..args.len()).filter(|i| mentions(terms, args[*i], v)).collect();
        let [at] = inside[..] else { return None };
        value = match terms.op(side) {
            Op::BvAdd => terms.sub(value, args[1 - at]),
            Op::BvXor => terms.bvxor(value, args[1 - at]),
            Op::BvNeg => terms.neg(value),
            Op::BvNot => terms.bvnot(value),
            Op::BvMul => {
                let inverse = terms.as_bv_const(args[1 - at])?.inverse()?;
                let inverse = terms.bv_bits(inverse);
                terms.mul(value, inverse)
            }
            op @ (Op::ZeroExtend(_) | Op::SignExtend(_)) => {
                let narrow = terms.extract(value, terms.width(args[0]) - 1, 0);
                let wide = terms.mk(op, &[narrow]);
                let fits = terms.eq(wide, value);
                condition = terms.and(condition, fits);
                narrow
            }
            _ => return None,
        };
        side = args[at];
    }
    Some((value, condition))
}

/// The one place where `v` occurs can take any value.
fn by_freedom(terms: &mut Store, formula: Term, v: Term) -> Option<(Term, Option<Term>)> {
    let mut parents: Vec<Term> = Vec::new();
    for t in walk::postorder(terms, &[formula]) {
        let uses = terms.args(t).iter().filter(|a| **a == v).count();
        parents.extend(std::iter::repeat_n(t, uses));
    }
    let [place] = parents[..] else { return None };
    let args = terms.args(place).to_vec();
    let at = args.iter().position(|a| *a == v)?;
    let truth = |terms: &mut Store| {
        let b = terms.fresh("either", Sort::Bool);
        (b, Some(b))
    };
    let (replacement, new) = match terms.op(place) {
        Op::Not | Op::Xor | Op::BvAdd | Op::BvXor | Op::BvNeg | Op::BvNot => {
            let any = terms.fresh("any", terms.sort(place));
            (any, Some(any))
        }
        Op::BvMul if terms.as_bv_const(args[1 - at]).is_some_and(|c| c.bit(0)) => {
            let any = terms.fresh("any", terms.sort(place));
            (any, Some(any))
        }
        Op::Extract { .. } | Op::Select if at == 0 => {
            let any = terms.fresh("any", terms.sort(place));
            (any, Some(any))
        }
        // Both equal and different values exist.
        Op::Eq if !matches!(terms.sort(v), Sort::Array(_)) => truth(terms),
        op @ (Op::BvUlt | Op::BvSlt | Op::BvUle | Op::BvSle) => {
            let other = args[1 - at];
            let width = terms.width(v);
            let signed = matches!(op, Op::BvSlt | Op::BvSle);
            let strict = matches!(op, Op::BvUlt | Op::BvSlt);
            let least = if signed { Bits::min_signed(width) } else { Bits::zero(width) };
            let greatest = if signed { Bits::max_signed(width) } else { Bits::ones(width) };
            // `v < other` is never true, and `v <= other` always, at one end of the range; in any other case both are possible.
            let end = terms.bv_bits(if strict == (at == 0) { least } else { greatest });
            let at_end = terms.eq(other, end);
            let (b, new) = truth(terms);
            let not_at_end = terms.not(at_end);
            (if strict { terms.and(b, not_at_end) } else { terms.or(b, at_end) }, new)
        }
        _ => return None,
    };
    Some((substitute(terms, formula, &[(place, replacement)]), new))
}

/// All conjuncts with `v` are bounds in one order.
fn by_bounds(terms: &mut Store, formula: Term, v: Term) -> Option<Term> {
    let Sort::Bv(width) = terms.sort(v) else { return None };
    // (bound, whether strict)
    let (mut lower, mut upper) = (Vec::<(Term, bool)>::new(), Vec::<(Term, bool)>::new());
    let (mut rest, mut signs) = (Vec::new(), Vec::new());
    for part in conjuncts(terms, formula) {
        if !mentions(terms, part, v) {
            rest.push(part);
            continue;
        }
        let negated = terms.op(part) == Op::Not;
        let atom = if negated { terms.arg(part, 0) } else { part };
        let op = terms.op(atom);
        if !matches!(op, Op::BvUlt | Op::BvSlt | Op::BvUle | Op::BvSle) {
            return None;
        }
        let (a, b) = (terms.arg(atom, 0), terms.arg(atom, 1));
        let other = if a == v { b } else { a };
        if (a != v && b != v) || mentions(terms, other, v) {
            return None;
        }
        signs.push(matches!(op, Op::BvSlt | Op::BvSle));
        let strict = matches!(op, Op::BvUlt | Op::BvSlt) != negated;
        // `v < other` bounds from above; negation turns it round.
        if (a == v) != negated { upper.push((other, strict)) } else { lower.push((other, strict)) }
    }
    let signed = *signs.first()?;
    if signs.iter().any(|s| *s != signed) || lower.len().max(1) * upper.len().max(1) > MAX_BOUND_PAIRS {
        return None;
    }
    let least = if signed { Bits::min_signed(width) } else { Bits::zero(width) };
    let greatest = if signed { Bits::max_signed(width) } else { Bits::ones(width) };
    let one = terms.bv(1, width);
    let less = |terms: &mut Store, a: Term, b: Term| if signed { terms.slt(a, b) } else { terms.ult(a, b) };
    for &(l, _) in lower.iter().filter(|(_, strict)| *strict) {
        let end = terms.bv_bits(greatest.clone());
        rest.push(terms.ne(l, end));
    }
    for &(u, _) in upper.iter().filter(|(_, strict)| *strict) {
        let end = terms.bv_bits(least.clone());
        rest.push(terms.ne(u, end));
    }
    for &(l, l_strict) in &lower {
        for &(u, u_strict) in &upper {
            match (l_strict, u_strict) {
                (false, false) => {
                    let above = less(terms, u, l);
                    rest.push(terms.not(above));
                }
                (true, true) => {
                    let next = terms.add(l, one);
                    let (below, room) = (less(terms, l, u), less(terms, next, u));
                    rest.extend([below, room]);
                }
                _ => {
                    let below = less(terms, l, u);
                    rest.push(below);
                }
            }
        }
    }
    Some(terms.and_all(&rest))
}

fn mentions(terms: &Store, t: Term, v: Term) -> bool {
    walk::free_vars(terms, &[t]).binary_search(&v).is_ok()
}

/// The formula with each conjunct that mentions one of `symbols` left out: implied by `∃ symbols. formula`.
pub fn without(terms: &mut Store, formula: Term, symbols: &[Term]) -> Term {
    let mut kept = conjuncts(terms, formula);
    kept.retain(|part| walk::free_vars(terms, &[*part]).iter().all(|v| !symbols.contains(v)));
    terms.and_all(&kept)
}
