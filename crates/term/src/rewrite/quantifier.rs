//! Rules for quantifiers.

use super::{Rule, rules};
use crate::op::Op;
use crate::store::{Store, Term};
use crate::walk;

pub(super) const QUANTIFIER: &[Rule] = rules![drop_unused, merge_nested];

/// Q x, y. p  ==>  Q x. p      y not in p; without variables the body
fn drop_unused(t: &mut Store, op: Op, args: &[Term]) -> Option<Term> {
    let (&body, bound) = args.split_last()?;
    let mut used: Vec<Term> = bound.iter().copied().filter(|var| walk::mentions(t, body, *var)).collect();
    used.sort_unstable();
    used.dedup();
    if used == bound {
        return None;
    }
    if used.is_empty() {
        return Some(body);
    }
    used.push(body);
    Some(t.mk(op, &used))
}

/// Q x. Q y. p  ==>  Q x, y. p
fn merge_nested(t: &mut Store, op: Op, args: &[Term]) -> Option<Term> {
    let (&body, bound) = args.split_last()?;
    if t.op(body) != op {
        return None;
    }
    let (inner, inner_body) = t.quantifier(body)?;
    // An outer variable bound again inside is not used there.
    let mut all: Vec<Term> = bound.iter().chain(inner).copied().collect();
    all.sort_unstable();
    all.dedup();
    all.push(inner_body);
    Some(t.mk(op, &all))
}
