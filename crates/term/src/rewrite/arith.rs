//! Rules for sums, products and divisions. Sums lean to the form `x + y + c` with the literal outermost.

use super::{Rule, rules};
use crate::bits::Bits;
use crate::op::Op;
use crate::store::{Store, Term};

pub(super) const NEG: &[Rule] = rules![neg_neg, neg_add_literal, neg_mul_literal, neg_not, neg_ite_literals];
pub(super) const ADD: &[Rule] = rules![
    add_zero,
    add_literals,
    add_literal_outward,
    add_inverse,
    add_not,
    add_not_one,
    add_cancel,
    add_same,
    add_multiples,
    add_ite_literals
];
pub(super) const MUL: &[Rule] =
    rules![mul_zero, mul_one, mul_minus_one, mul_literals, mul_neg_literal, mul_neg, mul_add_literal, mul_ite_literals];
pub(super) const UDIV: &[Rule] = rules![udiv_one, udiv_zero, udiv_power_of_two, udiv_udiv];
pub(super) const UREM: &[Rule] = rules![urem_trivial, urem_zero, urem_same, urem_power_of_two];
pub(super) const SDIV: &[Rule] = rules![sdiv_one, sdiv_minus_one, sdiv_nonnegative, sdiv_sdiv];
pub(super) const SREM: &[Rule] = rules![srem_trivial, srem_zero, srem_same, srem_nonnegative];

/// --x  ==>  x
fn neg_neg(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    t.unary(args[0], Op::BvNeg)
}

/// -(x + c)  ==>  -x + -c
fn neg_add_literal(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    let (x, c) = t.with_literal(args[0], Op::BvAdd)?;
    let c = c.neg();
    let (x, c) = (t.neg(x), t.bv_bits(c));
    Some(t.add(x, c))
}

/// -(c * x)  ==>  -c * x
fn neg_mul_literal(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    let (x, c) = t.with_literal(args[0], Op::BvMul)?;
    let c = c.neg();
    let c = t.bv_bits(c);
    Some(t.mul(x, c))
}

/// -~x  ==>  x + 1
fn neg_not(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    let x = t.unary(args[0], Op::BvNot)?;
    let one = t.bv(1, t.width(x));
    Some(t.add(x, one))
}

/// -ite(p, c, d)  ==>  ite(p, -c, -d)
fn neg_ite_literals(t: &mut Store, op: Op, args: &[Term]) -> Option<Term> {
    into_ite_literals(t, op, args)
}

/// An operator applied to a choice between two literals, other arguments literals: apply it inside.
pub(super) fn into_ite_literals(t: &mut Store, op: Op, args: &[Term]) -> Option<Term> {
    let position = args.iter().position(|&arg| t.op(arg) == Op::Ite)?;
    if args.iter().enumerate().any(|(i, &arg)| i != position && !t.is_const(arg)) {
        return None;
    }
    let (p, a, b) = t.as_ite(args[position])?;
    if !t.is_const(a) || !t.is_const(b) {
        return None;
    }
    let mut inside = args.to_vec();
    inside[position] = a;
    let a = t.mk(op, &inside);
    inside[position] = b;
    let b = t.mk(op, &inside);
    Some(t.ite(p, a, b))
}

/// x + 0  ==>  x
fn add_zero(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    t.is_zero(args[1]).then(|| args[0])
}

/// (x + c) + d  ==>  x + (c + d)
fn add_literals(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    let (x, c) = t.with_literal(args[0], Op::BvAdd)?;
    let sum = c.add(t.as_bv_const(args[1])?);
    let sum = t.bv_bits(sum);
    Some(t.add(x, sum))
}

/// (x + c) + y  ==>  (x + y) + c
fn add_literal_outward(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    if t.is_const(args[1]) {
        return None;
    }
    for (sum, y) in [(args[0], args[1]), (args[1], args[0])] {
        if let Some((x, c)) = t.binary(sum, Op::BvAdd)
            && t.is_const(c)
        {
            let inner = t.add(x, y);
            return Some(t.add(inner, c));
        }
    }
    None
}

/// x + -x  ==>  0
fn add_inverse(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    let inverse = t.unary(args[0], Op::BvNeg) == Some(args[1]) || t.unary(args[1], Op::BvNeg) == Some(args[0]);
    inverse.then(|| t.bv(0, t.width(args[0])))
}

/// x + ~x  ==>  -1
fn add_not(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    let inverse = t.unary(args[0], Op::BvNot) == Some(args[1]) || t.unary(args[1], Op::BvNot) == Some(args[0]);
    inverse.then(|| t.bv_bits(Bits::ones(t.width(args[0]))))
}

/// ~x + 1  ==>  -x
fn add_not_one(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    let x = t.unary(args[0], Op::BvNot)?;
    t.is_one(args[1]).then(|| t.neg(x))
}

/// (x + y) + -x  ==>  y,  (-x + y) + x  ==>  y
fn add_cancel(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    let inverse = |t: &Store, a: Term, b: Term| t.unary(a, Op::BvNeg) == Some(b) || t.unary(b, Op::BvNeg) == Some(a);
    for (sum, z) in [(args[0], args[1]), (args[1], args[0])] {
        if let Some((x, y)) = t.binary(sum, Op::BvAdd) {
            if inverse(t, x, z) {
                return Some(y);
            }
            if inverse(t, y, z) {
                return Some(x);
            }
        }
    }
    None
}

/// x + x  ==>  2 * x
fn add_same(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    if args[0] != args[1] {
        return None;
    }
    let two = t.bv(2, t.width(args[0]));
    Some(t.mul(args[0], two))
}

/// c * x + d * x  ==>  (c + d) * x      also for x = 1 * x, -x = -1 * x
fn add_multiples(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    let product = |a: Term| t.op(a) == Op::BvMul;
    if !product(args[0]) && !product(args[1]) {
        return None;
    }
    let ((x, c), (y, d)) = (multiple(t, args[0]), multiple(t, args[1]));
    if x != y {
        return None;
    }
    let factor = t.bv_bits(c.add(&d));
    Some(t.mul(x, factor))
}

/// A term as a literal multiple of another.
fn multiple(t: &Store, a: Term) -> (Term, Bits) {
    let width = t.width(a);
    match t.op(a) {
        Op::BvMul => match t.with_literal(a, Op::BvMul) {
            Some((x, c)) => (x, c.clone()),
            None => (a, Bits::one(width)),
        },
        Op::BvNeg => (t.arg(a, 0), Bits::ones(width)),
        _ => (a, Bits::one(width)),
    }
}

/// ite(p, c, d) + e  ==>  ite(p, c + e, d + e)
fn add_ite_literals(t: &mut Store, op: Op, args: &[Term]) -> Option<Term> {
    into_ite_literals(t, op, args)
}

/// x * 0  ==>  0
fn mul_zero(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    t.is_zero(args[1]).then(|| args[1])
}

/// x * 1  ==>  x
fn mul_one(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    t.is_one(args[1]).then(|| args[0])
}

/// x * -1  ==>  -x
fn mul_minus_one(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    t.is_ones(args[1]).then(|| t.neg(args[0]))
}

/// (x * c) * d  ==>  x * (c * d),  (x * c) * y  ==>  (x * y) * c
fn mul_literals(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    for (product, y) in [(args[0], args[1]), (args[1], args[0])] {
        if let Some((x, c)) = t.binary(product, Op::BvMul)
            && t.is_const(c)
        {
            let (inner, outer) = if t.is_const(y) { (x, t.mul(c, y)) } else { (t.mul(x, y), c) };
            return Some(t.mul(inner, outer));
        }
    }
    None
}

/// -x * c  ==>  x * -c
fn mul_neg_literal(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    let x = t.unary(args[0], Op::BvNeg)?;
    let c = t.as_bv_const(args[1])?.neg();
    let c = t.bv_bits(c);
    Some(t.mul(x, c))
}

/// -x * y  ==>  -(x * y)
fn mul_neg(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    for (negated, y) in [(args[0], args[1]), (args[1], args[0])] {
        if let Some(x) = t.unary(negated, Op::BvNeg)
            && !t.is_const(y)
        {
            let product = t.mul(x, y);
            return Some(t.neg(product));
        }
    }
    None
}

/// (x + c) * d  ==>  x * d + c * d
fn mul_add_literal(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    let (x, c) = t.binary(args[0], Op::BvAdd)?;
    if !t.is_const(c) || !t.is_const(args[1]) {
        return None;
    }
    let (x, c) = (t.mul(x, args[1]), t.mul(c, args[1]));
    Some(t.add(x, c))
}

/// ite(p, c, d) * e  ==>  ite(p, c * e, d * e)
fn mul_ite_literals(t: &mut Store, op: Op, args: &[Term]) -> Option<Term> {
    into_ite_literals(t, op, args)
}

/// x /u 1  ==>  x
fn udiv_one(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    t.is_one(args[1]).then(|| args[0])
}

/// x /u 0  ==>  -1
fn udiv_zero(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    t.is_zero(args[1]).then(|| t.bv_bits(Bits::ones(t.width(args[0]))))
}

/// x /u 2^k  ==>  x >> k      k > 0
fn udiv_power_of_two(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    let k = t.as_bv_const(args[1])?.power_of_two()?;
    let width = t.width(args[0]);
    if k == 0 {
        return None;
    }
    let high = t.extract(args[0], width - 1, k);
    Some(t.zext_to(high, width))
}

/// (x /u c) /u d  ==>  x /u (c * d), or 0 when that does not fit      c, d > 0
fn udiv_udiv(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    let (x, c) = t.with_literal(args[0], Op::BvUdiv)?;
    let d = t.as_bv_const(args[1])?;
    if c.is_zero() || d.is_zero() {
        return None;
    }
    if c.umulo(d) {
        return Some(t.bv(0, t.width(x)));
    }
    let product = c.mul(d);
    let product = t.bv_bits(product);
    Some(t.udiv(x, product))
}

/// x %u 0  ==>  x,  x %u 1  ==>  0
fn urem_trivial(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    if t.is_zero(args[1]) {
        return Some(args[0]);
    }
    t.is_one(args[1]).then(|| t.bv(0, t.width(args[0])))
}

/// 0 %u x  ==>  0
fn urem_zero(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    t.is_zero(args[0]).then(|| args[0])
}

/// x %u x  ==>  0
fn urem_same(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    (args[0] == args[1]).then(|| t.bv(0, t.width(args[0])))
}

/// x %u 2^k  ==>  low k bits of x      k > 0
fn urem_power_of_two(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    let k = t.as_bv_const(args[1])?.power_of_two()?;
    let width = t.width(args[0]);
    if k == 0 {
        return None;
    }
    let low = t.extract(args[0], k - 1, 0);
    Some(t.zext_to(low, width))
}

/// x /s 1  ==>  x      at least two bits wide
fn sdiv_one(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    (t.is_one(args[1]) && t.width(args[0]) > 1).then(|| args[0])
}

/// x /s -1  ==>  -x
fn sdiv_minus_one(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    t.is_ones(args[1]).then(|| t.neg(args[0]))
}

/// x /s y  ==>  x /u y      both visibly nonnegative
fn sdiv_nonnegative(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    (t.is_nonnegative(args[0]) && t.is_nonnegative(args[1])).then(|| t.udiv(args[0], args[1]))
}

/// (x /s c) /s d  ==>  x /s (c * d)      c, d > 0, and the product fits
fn sdiv_sdiv(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    let (x, c) = t.with_literal(args[0], Op::BvSdiv)?;
    let d = t.as_bv_const(args[1])?;
    let is_positive = |c: &Bits| !c.is_zero() && !c.is_negative();
    if !is_positive(c) || !is_positive(d) || c.smulo(d) {
        return None;
    }
    let product = c.mul(d);
    let product = t.bv_bits(product);
    Some(t.sdiv(x, product))
}

/// x %s 0  ==>  x,  x %s 1  ==>  0,  x %s -1  ==>  0
fn srem_trivial(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    if t.is_zero(args[1]) {
        return Some(args[0]);
    }
    (t.is_one(args[1]) || t.is_ones(args[1])).then(|| t.bv(0, t.width(args[0])))
}

/// 0 %s x  ==>  0
fn srem_zero(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    t.is_zero(args[0]).then(|| args[0])
}

/// x %s x  ==>  0
fn srem_same(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    (args[0] == args[1]).then(|| t.bv(0, t.width(args[0])))
}

/// x %s y  ==>  x %u y      both visibly nonnegative
fn srem_nonnegative(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    (t.is_nonnegative(args[0]) && t.is_nonnegative(args[1])).then(|| t.urem(args[0], args[1]))
}
