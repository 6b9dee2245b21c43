//! Sums as linear forms: `c1 * x1 + … + cn * xn + c` with distinct `xi` in id order, no `ci` zero.
//!
//! A sum is flattened where it is used by something that is no sum, up to a limit, so that long chains of shared sums
//! stay linear work.

use std::collections::BTreeMap;

use crate::bits::Bits;
use crate::op::Op;
use crate::store::{Store, Term};
use crate::subst::rebuild_with;

/// Sums with more parts are left as they are.
const MAX_PARTS: usize = 32;

#[derive(Clone, PartialEq, Eq, Debug)]
struct Form {
    parts: BTreeMap<Term, Bits>,
    constant: Bits,
}

/// The term with all its sums, and equalities between sums, in canonical form.
pub(super) fn normalise(store: &mut Store, root: Term) -> Term {
    rebuild_with(store, root, |store, op, args| {
        let is_sum = |store: &Store, t: Term| matches!(store.op(t), Op::BvAdd | Op::BvNeg | Op::BvMul);
        match op {
            // Sums inside sums are handled once, from the outside.
            Op::BvAdd | Op::BvNeg | Op::BvMul => store.mk(op, args),
            Op::Eq if store.sort(args[0]).bv_width().is_some() && args.iter().any(|&arg| is_sum(store, arg)) => {
                equality(store, args[0], args[1]).unwrap_or_else(|| store.mk(op, args))
            }
            _ if args.iter().any(|&arg| is_sum(store, arg)) => {
                let args: Vec<Term> = args
                    .iter()
                    .map(|&arg| if is_sum(store, arg) { canonical(store, arg).unwrap_or(arg) } else { arg })
                    .collect();
                store.mk(op, &args)
            }
            _ => store.mk(op, args),
        }
    })
}

fn canonical(store: &mut Store, t: Term) -> Option<Term> {
    let form = Form::of(store, t)?;
    Some(form.build(store))
}

/// `a = b` as an equality of sums without common parts: positive coefficients to the left, negative ones to the right.
fn equality(store: &mut Store, a: Term, b: Term) -> Option<Term> {
    let difference = Form::of(store, a)?.minus(&Form::of(store, b)?);
    let zero = Bits::zero(difference.constant.width());
    let (mut left, mut right) = (Form::constant(zero.clone()), Form::constant(difference.constant.neg()));
    for (part, factor) in difference.parts {
        if factor.is_negative() && !factor.is_min_signed() {
            right.parts.insert(part, factor.neg());
        } else {
            left.parts.insert(part, factor);
        }
    }
    if left.parts.is_empty() {
        // Only negated parts: exchange the sides.
        std::mem::swap(&mut left, &mut right);
        right.constant = right.constant.sub(&left.constant);
        left.constant = zero;
    }
    let (left, right) = (left.build(store), right.build(store));
    Some(store.eq(left, right))
}

impl Form {
    fn constant(constant: Bits) -> Form {
        Form { parts: BTreeMap::new(), constant }
    }

    /// The form of a term; `None` when it has too many parts.
    fn of(store: &Store, t: Term) -> Option<Form> {
        let width = store.width(t);
        let mut form = Form::constant(Bits::zero(width));
        let mut stack = vec![(t, Bits::one(width))];
        let mut visited = 0;
        while let Some((t, factor)) = stack.pop() {
            visited += 1;
            if visited > 4 * MAX_PARTS {
                return None;
            }
            match (store.op(t), store.args(t)) {
                (Op::BvConst(_), _) => {
                    let value = store.as_bv_const(t).expect("a literal");
                    form.constant = form.constant.add(&value.mul(&factor));
                }
                (Op::BvAdd, &[a, b]) => stack.extend([(a, factor.clone()), (b, factor)]),
                (Op::BvNeg, &[a]) => stack.push((a, factor.neg())),
                (Op::BvNot, &[a]) => {
                    // ~a = -a - 1
                    form.constant = form.constant.sub(&factor);
                    stack.push((a, factor.neg()));
                }
                (Op::BvMul, &[a, b]) => match store.as_bv_const(b) {
                    Some(c) => stack.push((a, c.mul(&factor))),
                    None => form.add(t, &factor),
                },
                _ => form.add(t, &factor),
            }
        }
        (form.parts.len() <= MAX_PARTS).then_some(form)
    }

    fn add(&mut self, part: Term, factor: &Bits) {
        let zero = Bits::zero(factor.width());
        let total = self.parts.get(&part).unwrap_or(&zero).add(factor);
        if total.is_zero() {
            self.parts.remove(&part);
        } else {
            self.parts.insert(part, total);
        }
    }

    fn minus(mut self, other: &Form) -> Form {
        for (&part, factor) in &other.parts {
            self.add(part, &factor.neg());
        }
        self.constant = self.constant.sub(&other.constant);
        self
    }

    fn build(&self, store: &mut Store) -> Term {
        let mut sum = None;
        for (&part, factor) in &self.parts {
            let factor = store.bv_bits(factor.clone());
            let multiple = store.mul(part, factor);
            sum = Some(match sum {
                None => multiple,
                Some(sum) => store.add(sum, multiple),
            });
        }
        let constant = store.bv_bits(self.constant.clone());
        match sum {
            None => constant,
            Some(sum) => store.add(sum, constant),
        }
    }
}
