//! Rules for unsigned and signed orders. Against literals only strict orders remain.

use std::cmp::Ordering;

use super::arith::into_ite_literals;
use super::slice::fits_unsigned;
use super::{Rule, rules};
use crate::bits::Bits;
use crate::op::Op;
use crate::store::{Store, Term};

pub(super) const ULT: &[Rule] = rules![
    lt_same,
    lt_least_or_greatest,
    lt_single_value,
    lt_all_but_one,
    ult_zext_literal,
    ult_extend_both,
    ult_remainder,
    lt_ite_literals
];
pub(super) const SLT: &[Rule] = rules![
    lt_same,
    lt_least_or_greatest,
    lt_single_value,
    lt_all_but_one,
    slt_zext_literal,
    slt_sext_literal,
    slt_extend_both,
    slt_nonnegative,
    lt_ite_literals
];
pub(super) const ULE: &[Rule] = rules![le_same, le_literal, ule_extend_both, ule_remainder, le_ite_literals];
pub(super) const SLE: &[Rule] = rules![le_same, le_literal, sle_extend_both, sle_nonnegative, le_ite_literals];

fn is_signed(op: Op) -> bool {
    matches!(op, Op::BvSlt | Op::BvSle)
}

fn least(signed: bool, width: u32) -> Bits {
    if signed { Bits::min_signed(width) } else { Bits::zero(width) }
}

fn greatest(signed: bool, width: u32) -> Bits {
    if signed { Bits::max_signed(width) } else { Bits::ones(width) }
}

/// x < x  ==>  false
fn lt_same(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    (args[0] == args[1]).then(|| t.ff())
}

/// x < least  ==>  false,  greatest < x  ==>  false
fn lt_least_or_greatest(t: &mut Store, op: Op, args: &[Term]) -> Option<Term> {
    let is =
        |a: Term, bound: fn(bool, u32) -> Bits| t.as_bv_const(a).is_some_and(|c| *c == bound(is_signed(op), c.width()));
    (is(args[1], least) || is(args[0], greatest)).then(|| t.ff())
}

/// x < least + 1  ==>  x = least,  greatest - 1 < x  ==>  x = greatest
fn lt_single_value(t: &mut Store, op: Op, args: &[Term]) -> Option<Term> {
    let signed = is_signed(op);
    if let Some(c) = t.as_bv_const(args[1]) {
        let least = least(signed, c.width());
        if *c == least.add(&Bits::one(c.width())) {
            let least = t.bv_bits(least);
            return Some(t.eq(args[0], least));
        }
    }
    let c = t.as_bv_const(args[0])?;
    let greatest = greatest(signed, c.width());
    if *c != greatest.sub(&Bits::one(c.width())) {
        return None;
    }
    let greatest = t.bv_bits(greatest);
    Some(t.eq(args[1], greatest))
}

/// x < greatest  ==>  x != greatest,  least < x  ==>  x != least
fn lt_all_but_one(t: &mut Store, op: Op, args: &[Term]) -> Option<Term> {
    let is =
        |a: Term, bound: fn(bool, u32) -> Bits| t.as_bv_const(a).is_some_and(|c| *c == bound(is_signed(op), c.width()));
    (is(args[1], greatest) || is(args[0], least)).then(|| t.ne(args[0], args[1]))
}

/// zext(x) <u c  ==>  x <u c, or true when c does not fit;  c <u zext(x)  ==>  c <u x, or false
fn ult_zext_literal(t: &mut Store, op: Op, args: &[Term]) -> Option<Term> {
    let literal_left = t.is_const(args[0]);
    let (c, extended) = if literal_left { (args[0], args[1]) } else { (args[1], args[0]) };
    let (x, _) = t.as_zext(extended)?;
    let c = t.as_bv_const(c)?;
    if !fits_unsigned(c, t.width(x)) {
        return Some(t.bool(!literal_left));
    }
    let low = c.extract(t.width(x) - 1, 0);
    let low = t.bv_bits(low);
    let sides = if literal_left { [low, x] } else { [x, low] };
    Some(t.mk(op, &sides))
}

/// zext(x) <s c  ==>  zext(x) <u c, or false when c is negative;  c <s zext(x)  ==>  c <u zext(x), or true
fn slt_zext_literal(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    let literal_left = t.is_const(args[0]);
    let (c, extended) = if literal_left { (args[0], args[1]) } else { (args[1], args[0]) };
    let (_, n) = t.as_zext(extended)?;
    let c = t.as_bv_const(c)?;
    if n == 0 {
        return None;
    }
    if c.is_negative() {
        return Some(t.bool(literal_left));
    }
    Some(t.ult(args[0], args[1]))
}

/// sext(x) <s c  ==>  x <s c, or whether c is positive when it does not fit;  c <s sext(x) likewise
fn slt_sext_literal(t: &mut Store, op: Op, args: &[Term]) -> Option<Term> {
    let literal_left = t.is_const(args[0]);
    let (c, extended) = if literal_left { (args[0], args[1]) } else { (args[1], args[0]) };
    let (x, n) = t.as_sext(extended)?;
    let c = t.as_bv_const(c)?;
    let low = c.extract(t.width(x) - 1, 0);
    if low.sign_extend(n) != *c {
        return Some(t.bool(c.is_negative() == literal_left));
    }
    let low = t.bv_bits(low);
    let sides = if literal_left { [low, x] } else { [x, low] };
    Some(t.mk(op, &sides))
}

/// ext(x) <u ext(y)  ==>  x <u y      both zext or both sext, the narrower one extended
fn ult_extend_both(t: &mut Store, op: Op, args: &[Term]) -> Option<Term> {
    unsigned_extend_both(t, op, args)
}

/// ext(x) <=u ext(y)  ==>  x <=u y      both zext or both sext, the narrower one extended
fn ule_extend_both(t: &mut Store, op: Op, args: &[Term]) -> Option<Term> {
    unsigned_extend_both(t, op, args)
}

/// x urem y < y  ==>  y != 0,  y < x urem y  ==>  y = 0 and x != 0      solvers would divide
fn ult_remainder(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    if remainder_by(t, args[0], args[1]).is_some() {
        let divisor = is_zero(t, args[1]);
        return Some(t.not(divisor));
    }
    let x = remainder_by(t, args[1], args[0])?;
    let (divisor, dividend) = (is_zero(t, args[0]), is_zero(t, x));
    let other = t.not(dividend);
    Some(t.and(divisor, other))
}

/// x urem y <= y  ==>  y != 0 or x = 0,  y <= x urem y  ==>  y = 0
fn ule_remainder(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    if remainder_by(t, args[1], args[0]).is_some() {
        return Some(is_zero(t, args[0]));
    }
    let x = remainder_by(t, args[0], args[1])?;
    let (divisor, dividend) = (is_zero(t, args[1]), is_zero(t, x));
    let other = t.not(divisor);
    Some(t.or(other, dividend))
}

/// What is divided, where a term is the remainder of a division by another one.
fn remainder_by(t: &Store, a: Term, divisor: Term) -> Option<Term> {
    (t.op(a) == Op::BvUrem && t.arg(a, 1) == divisor).then(|| t.arg(a, 0))
}

fn is_zero(t: &mut Store, a: Term) -> Term {
    let zero = t.bv(0, t.width(a));
    t.eq(a, zero)
}

/// Extensions of one kind keep the unsigned order.
fn unsigned_extend_both(t: &mut Store, op: Op, args: &[Term]) -> Option<Term> {
    let signed = match (t.op(args[0]), t.op(args[1])) {
        (Op::ZeroExtend(_), Op::ZeroExtend(_)) => false,
        (Op::SignExtend(_), Op::SignExtend(_)) => true,
        _ => return None,
    };
    Some(narrowed(t, op, args, signed))
}

/// The comparison of the extended terms at the wider of their widths.
fn narrowed(t: &mut Store, op: Op, args: &[Term], signed: bool) -> Term {
    let (x, y) = (t.arg(args[0], 0), t.arg(args[1], 0));
    let width = t.width(x).max(t.width(y));
    let (x, y) = (t.resize(x, width, signed), t.resize(y, width, signed));
    t.mk(op, &[x, y])
}

/// sext(x) <s sext(y)  ==>  x <s y,  zext(x) <s zext(y)  ==>  x <u y      the narrower one extended
fn slt_extend_both(t: &mut Store, op: Op, args: &[Term]) -> Option<Term> {
    signed_extend_both(t, op, Op::BvUlt, args)
}

/// sext(x) <=s sext(y)  ==>  x <=s y,  zext(x) <=s zext(y)  ==>  x <=u y      the narrower one extended
fn sle_extend_both(t: &mut Store, op: Op, args: &[Term]) -> Option<Term> {
    signed_extend_both(t, op, Op::BvUle, args)
}

fn signed_extend_both(t: &mut Store, op: Op, unsigned: Op, args: &[Term]) -> Option<Term> {
    match (t.op(args[0]), t.op(args[1])) {
        (Op::SignExtend(_), Op::SignExtend(_)) => Some(narrowed(t, op, args, true)),
        (Op::ZeroExtend(n), Op::ZeroExtend(m)) if n > 0 && m > 0 => Some(narrowed(t, unsigned, args, false)),
        _ => None,
    }
}

/// x <s y  ==>  x <u y      both visibly nonnegative
fn slt_nonnegative(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    (t.is_nonnegative(args[0]) && t.is_nonnegative(args[1])).then(|| t.ult(args[0], args[1]))
}

/// x <=s y  ==>  x <=u y      both visibly nonnegative
fn sle_nonnegative(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    (t.is_nonnegative(args[0]) && t.is_nonnegative(args[1])).then(|| t.ule(args[0], args[1]))
}

/// ite(p, c, d) < e  ==>  ite(p, c < e, d < e)
fn lt_ite_literals(t: &mut Store, op: Op, args: &[Term]) -> Option<Term> {
    into_ite_literals(t, op, args)
}

/// ite(p, c, d) <= e  ==>  ite(p, c <= e, d <= e)
fn le_ite_literals(t: &mut Store, op: Op, args: &[Term]) -> Option<Term> {
    into_ite_literals(t, op, args)
}

/// x <= x  ==>  true
fn le_same(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    (args[0] == args[1]).then(|| t.tt())
}

/// x <= c  ==>  x < c + 1, or true;  c <= x  ==>  c - 1 < x, or true
fn le_literal(t: &mut Store, op: Op, args: &[Term]) -> Option<Term> {
    let signed = is_signed(op);
    let strict = if signed { Op::BvSlt } else { Op::BvUlt };
    let order = |c: &Bits, d: &Bits| if signed { c.scmp(d) } else { c.ucmp(d) };
    if let Some(c) = t.as_bv_const(args[1]) {
        if order(c, &greatest(signed, c.width())) == Ordering::Equal {
            return Some(t.tt());
        }
        let next = c.add(&Bits::one(c.width()));
        let next = t.bv_bits(next);
        return Some(t.mk(strict, &[args[0], next]));
    }
    let c = t.as_bv_const(args[0])?;
    if order(c, &least(signed, c.width())) == Ordering::Equal {
        return Some(t.tt());
    }
    let previous = c.sub(&Bits::one(c.width()));
    let previous = t.bv_bits(previous);
    Some(t.mk(strict, &[previous, args[1]]))
}
