//! Rules for bitwise operators and shifts. Shifts by literals become slices (right) or multiples (left).

use super::arith::into_ite_literals;
use super::{Rule, rules};
use crate::bits::Bits;
use crate::op::Op;
use crate::store::{Store, Term};

pub(super) const NOT: &[Rule] = rules![bvnot_not, bvnot_neg, bvnot_add_literal, bvnot_ite_literals];
pub(super) const AND: &[Rule] = rules![
    bvand_zero,
    bvand_ones,
    bvand_same,
    bvand_opposite,
    bvand_literals,
    bvand_absorb,
    bvand_low_mask,
    bvand_zext,
    bvand_ite_literals
];
pub(super) const OR: &[Rule] = rules![
    bvor_zero,
    bvor_ones,
    bvor_same,
    bvor_opposite,
    bvor_literals,
    bvor_absorb,
    bvor_disjoint,
    bvor_ite_literals
];
pub(super) const XOR: &[Rule] =
    rules![bvxor_zero, bvxor_ones, bvxor_same, bvxor_opposite, bvxor_literals, bvxor_not, bvxor_ite_literals];
pub(super) const SHL: &[Rule] = rules![shl_zero, shl_literal];
pub(super) const LSHR: &[Rule] = rules![lshr_zero, lshr_literal];
pub(super) const ASHR: &[Rule] = rules![ashr_zero, ashr_literal, ashr_nonnegative];

/// ~~x  ==>  x
fn bvnot_not(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    t.unary(args[0], Op::BvNot)
}

/// ~-x  ==>  x + -1
fn bvnot_neg(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    let x = t.unary(args[0], Op::BvNeg)?;
    let minus_one = t.bv_bits(Bits::ones(t.width(x)));
    Some(t.add(x, minus_one))
}

/// ~(x + c)  ==>  -x + ~c
fn bvnot_add_literal(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    let (x, c) = t.with_literal(args[0], Op::BvAdd)?;
    let c = c.not();
    let (x, c) = (t.neg(x), t.bv_bits(c));
    Some(t.add(x, c))
}

/// ~ite(p, c, d)  ==>  ite(p, ~c, ~d)
fn bvnot_ite_literals(t: &mut Store, op: Op, args: &[Term]) -> Option<Term> {
    into_ite_literals(t, op, args)
}

/// x & 0  ==>  0
fn bvand_zero(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    t.is_zero(args[1]).then(|| args[1])
}

/// x & -1  ==>  x
fn bvand_ones(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    t.is_ones(args[1]).then(|| args[0])
}

/// x & x  ==>  x
fn bvand_same(_: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    (args[0] == args[1]).then(|| args[0])
}

fn opposite(t: &Store, a: Term, b: Term) -> bool {
    t.unary(a, Op::BvNot) == Some(b) || t.unary(b, Op::BvNot) == Some(a)
}

/// x & ~x  ==>  0
fn bvand_opposite(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    opposite(t, args[0], args[1]).then(|| t.bv(0, t.width(args[0])))
}

/// (x & c) & d  ==>  x & (c & d)
fn bvand_literals(t: &mut Store, op: Op, args: &[Term]) -> Option<Term> {
    merge_literals(t, op, args)
}

/// (x op c) op d  ==>  x op (c op d),  (x op c) op y  ==>  (x op y) op c      op associative and commutative
fn merge_literals(t: &mut Store, op: Op, args: &[Term]) -> Option<Term> {
    for (nested, y) in [(args[0], args[1]), (args[1], args[0])] {
        if let Some((x, c)) = t.binary(nested, op)
            && t.is_const(c)
        {
            let (inner, outer) = if t.is_const(y) { (x, t.mk(op, &[c, y])) } else { (t.mk(op, &[x, y]), c) };
            return Some(t.mk(op, &[inner, outer]));
        }
    }
    None
}

/// x & (x & y)  ==>  x & y,  x & (x | y)  ==>  x
fn bvand_absorb(t: &mut Store, op: Op, args: &[Term]) -> Option<Term> {
    absorb(t, op, Op::BvOr, args)
}

fn absorb(t: &mut Store, op: Op, dual: Op, args: &[Term]) -> Option<Term> {
    for (x, nested) in [(args[0], args[1]), (args[1], args[0])] {
        let nested_op = t.op(nested);
        if (nested_op == op || nested_op == dual) && t.args(nested).contains(&x) {
            return Some(if nested_op == op { nested } else { x });
        }
    }
    None
}

/// x & 0…01…1  ==>  low bits of x
fn bvand_low_mask(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    let c = t.as_bv_const(args[1])?;
    let width = c.width();
    let ones = width - c.leading_zeros();
    if ones == 0 || *c != Bits::ones(ones).zero_extend(width - ones) {
        return None;
    }
    let low = t.extract(args[0], ones - 1, 0);
    Some(t.zext_to(low, width))
}

/// zext(x) & y  ==>  zext(x & low bits of y)      y a literal or equally extended
fn bvand_zext(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    let (x, n) = t.as_zext(args[0])?;
    if n == 0 || !(t.is_const(args[1]) || t.as_zext(args[1]).is_some_and(|(_, m)| m == n)) {
        return None;
    }
    let width = t.width(x);
    let low = t.extract(args[1], width - 1, 0);
    let and = t.bvand(x, low);
    Some(t.zext_to(and, width + n))
}

/// ite(p, c, d) & e  ==>  ite(p, c & e, d & e)
fn bvand_ite_literals(t: &mut Store, op: Op, args: &[Term]) -> Option<Term> {
    into_ite_literals(t, op, args)
}

/// x | 0  ==>  x
fn bvor_zero(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    t.is_zero(args[1]).then(|| args[0])
}

/// x | -1  ==>  -1
fn bvor_ones(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    t.is_ones(args[1]).then(|| args[1])
}

/// x | x  ==>  x
fn bvor_same(_: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    (args[0] == args[1]).then(|| args[0])
}

/// x | ~x  ==>  -1
fn bvor_opposite(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    opposite(t, args[0], args[1]).then(|| t.bv_bits(Bits::ones(t.width(args[0]))))
}

/// (x | c) | d  ==>  x | (c | d)
fn bvor_literals(t: &mut Store, op: Op, args: &[Term]) -> Option<Term> {
    merge_literals(t, op, args)
}

/// x | (x | y)  ==>  x | y,  x | (x & y)  ==>  x
fn bvor_absorb(t: &mut Store, op: Op, args: &[Term]) -> Option<Term> {
    absorb(t, op, Op::BvAnd, args)
}

/// (x ++ 0) | zext(y)  ==>  x ++ zext(y)      y within the zeros
fn bvor_disjoint(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    for (high, low) in [(args[0], args[1]), (args[1], args[0])] {
        if let Some((x, zeros)) = t.binary(high, Op::Concat)
            && t.is_zero(zeros)
            && t.unsigned_bits(low) <= t.width(zeros)
        {
            let low = t.extract(low, t.width(zeros) - 1, 0);
            return Some(t.concat(x, low));
        }
        // The same below a zero-extension: zext(x ++ 0) | zext(y).
        if let Some((inner, n)) = t.as_zext(high)
            && let Some((_, zeros)) = t.binary(inner, Op::Concat)
            && t.is_zero(zeros)
            && t.unsigned_bits(low) <= t.width(zeros)
        {
            let low = t.extract(low, t.width(inner) - 1, 0);
            let or = t.bvor(inner, low);
            return Some(t.mk(Op::ZeroExtend(n), &[or]));
        }
    }
    None
}

/// ite(p, c, d) | e  ==>  ite(p, c | e, d | e)
fn bvor_ite_literals(t: &mut Store, op: Op, args: &[Term]) -> Option<Term> {
    into_ite_literals(t, op, args)
}

/// x ^ 0  ==>  x
fn bvxor_zero(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    t.is_zero(args[1]).then(|| args[0])
}

/// x ^ -1  ==>  ~x
fn bvxor_ones(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    t.is_ones(args[1]).then(|| t.bvnot(args[0]))
}

/// x ^ x  ==>  0
fn bvxor_same(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    (args[0] == args[1]).then(|| t.bv(0, t.width(args[0])))
}

/// x ^ ~x  ==>  -1
fn bvxor_opposite(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    opposite(t, args[0], args[1]).then(|| t.bv_bits(Bits::ones(t.width(args[0]))))
}

/// (x ^ c) ^ d  ==>  x ^ (c ^ d)
fn bvxor_literals(t: &mut Store, op: Op, args: &[Term]) -> Option<Term> {
    merge_literals(t, op, args)
}

/// ~x ^ y  ==>  ~(x ^ y)
fn bvxor_not(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    for (negated, y) in [(args[0], args[1]), (args[1], args[0])] {
        if let Some(x) = t.unary(negated, Op::BvNot) {
            let xor = t.bvxor(x, y);
            return Some(t.bvnot(xor));
        }
    }
    None
}

/// ite(p, c, d) ^ e  ==>  ite(p, c ^ e, d ^ e)
fn bvxor_ite_literals(t: &mut Store, op: Op, args: &[Term]) -> Option<Term> {
    into_ite_literals(t, op, args)
}

/// 0 << x  ==>  0
fn shl_zero(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    t.is_zero(args[0]).then(|| args[0])
}

/// A literal shift distance, cut off at the width.
fn distance(t: &Store, by: Term) -> Option<u32> {
    let c = t.as_bv_const(by)?;
    Some(c.to_u128().map_or(c.width(), |n| n.min(c.width() as u128) as u32))
}

/// zext(x) << c  ==>  x ++ 0 extended,  x << c  ==>  x * 2^c
fn shl_literal(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    let c = distance(t, args[1])?;
    let width = t.width(args[0]);
    if c >= width {
        return Some(t.bv(0, width));
    }
    if c > 0 && matches!(t.op(args[0]), Op::ZeroExtend(_) | Op::Concat) {
        let kept = t.extract(args[0], width - c - 1, 0);
        let zeros = t.bv(0, c);
        return Some(t.concat(kept, zeros));
    }
    let power = t.bv_bits(Bits::one(width).shl_by(c));
    Some(t.mul(args[0], power))
}

/// 0 >>u x  ==>  0
fn lshr_zero(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    t.is_zero(args[0]).then(|| args[0])
}

/// x >>u c  ==>  zext(x[w-1:c])
fn lshr_literal(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    let c = distance(t, args[1])?;
    let width = t.width(args[0]);
    if c >= width {
        return Some(t.bv(0, width));
    }
    let high = t.extract(args[0], width - 1, c);
    Some(t.zext_to(high, width))
}

/// 0 >>s x  ==>  0,  -1 >>s x  ==>  -1
fn ashr_zero(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    (t.is_zero(args[0]) || t.is_ones(args[0])).then(|| args[0])
}

/// x >>s c  ==>  sext(x[w-1:c])
fn ashr_literal(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    let width = t.width(args[0]);
    let c = distance(t, args[1])?.min(width - 1);
    let high = t.extract(args[0], width - 1, c);
    Some(t.sext_to(high, width))
}

/// x >>s y  ==>  x >>u y      x visibly nonnegative
fn ashr_nonnegative(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    t.is_nonnegative(args[0]).then(|| t.lshr(args[0], args[1]))
}
