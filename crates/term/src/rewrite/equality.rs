//! Rules for equality.

use super::{Rule, rules};
use crate::op::Op;
use crate::store::{Store, Term};

pub(super) const EQ: &[Rule] = rules![
    eq_same,
    eq_distinct,
    eq_bool_literal,
    eq_negations,
    eq_one_bit_zero,
    eq_ite_literal,
    eq_ite_same_branch,
    eq_add_literal,
    eq_add_cancel,
    eq_neg,
    eq_not,
    eq_xor_literal,
    eq_mul_odd_literal,
    eq_udiv_zero,
    eq_sdiv_zero,
    eq_extend_literal,
    eq_extend_both,
    eq_concat_literal,
    eq_concat_both,
    eq_subtraction
];

/// a = a  ==>  true
fn eq_same(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    (args[0] == args[1]).then(|| t.tt())
}

/// x + c = x + d  ==>  false      c != d; also literals
fn eq_distinct(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    if t.are_distinct(args[0], args[1]) || t.unary(args[0], Op::BvNot) == Some(args[1]) {
        return Some(t.ff());
    }
    if t.sort(args[0]).is_bool() && t.are_opposite(args[0], args[1]) || t.unary(args[1], Op::BvNot) == Some(args[0]) {
        return Some(t.ff());
    }
    None
}

/// a = true  ==>  a,  a = false  ==>  !a
fn eq_bool_literal(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    t.as_bool_const(args[1]).map(|b| if b { args[0] } else { t.not(args[0]) })
}

/// (!a = b)  ==>  !(a = b)
fn eq_negations(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    if let Some(a) = t.unary(args[0], Op::Not) {
        return Some(t.ne(a, args[1]));
    }
    t.unary(args[1], Op::Not).map(|b| t.ne(args[0], b))
}

/// x = 0  ==>  !(x = 1)      one bit wide
fn eq_one_bit_zero(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    if !t.is_zero(args[1]) || t.width(args[0]) != 1 {
        return None;
    }
    let one = t.bv(1, 1);
    Some(t.ne(args[0], one))
}

/// ite(p, c, x) = c  ==>  p | x = c,  ite(p, c, x) = d  ==>  !p & x = d      literals c != d; likewise the other branch
fn eq_ite_literal(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    let d = args[1];
    if !t.is_const(d) {
        return None;
    }
    let (p, a, b) = t.as_ite(args[0])?;
    if t.is_const(a) {
        let rest = t.eq(b, d);
        if a == d {
            return Some(t.or(p, rest));
        }
        let not_p = t.not(p);
        return Some(t.and(not_p, rest));
    }
    if t.is_const(b) {
        let rest = t.eq(a, d);
        return Some(if b == d { t.implies(p, rest) } else { t.and(p, rest) });
    }
    None
}

/// ite(p, x, y) = x  ==>  p | y = x,  ite(p, x, y) = y  ==>  !p | x = y
fn eq_ite_same_branch(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    for (ite, other) in [(args[0], args[1]), (args[1], args[0])] {
        let Some((p, a, b)) = t.as_ite(ite) else { continue };
        if a == other {
            let rest = t.eq(b, other);
            return Some(t.or(p, rest));
        }
        if b == other {
            let rest = t.eq(a, other);
            return Some(t.implies(p, rest));
        }
    }
    None
}

/// x + c = d  ==>  x = d - c,  x + c = y + d  ==>  x + (c - d) = y
fn eq_add_literal(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    t.sort(args[0]).bv_width()?;
    if t.op(args[0]) != Op::BvAdd {
        return None;
    }
    let (x, c) = t.with_literal(args[0], Op::BvAdd).map(|(x, c)| (x, c.clone()))?;
    if let Some(d) = t.as_bv_const(args[1]) {
        let rest = d.sub(&c);
        let rest = t.bv_bits(rest);
        return Some(t.eq(x, rest));
    }
    let (y, d) = t.with_literal(args[1], Op::BvAdd).map(|(y, d)| (y, d.clone()))?;
    // The literal goes to the side of the greater id, so that the two spellings meet.
    let (low, high, shift) = if x < y { (x, y, d.sub(&c)) } else { (y, x, c.sub(&d)) };
    let shift = t.bv_bits(shift);
    let high = t.add(high, shift);
    Some(t.eq(low, high))
}

/// x + y = x  ==>  y = 0,  x + y = x + z  ==>  y = z
fn eq_add_cancel(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    for (sum, other) in [(args[0], args[1]), (args[1], args[0])] {
        let Some((a, b)) = t.binary(sum, Op::BvAdd) else { continue };
        for (a, b) in [(a, b), (b, a)] {
            if a == other {
                let zero = t.bv(0, t.width(b));
                return Some(t.eq(b, zero));
            }
            if let Some((c, d)) = t.binary(other, Op::BvAdd) {
                if a == c {
                    return Some(t.eq(b, d));
                }
                if a == d {
                    return Some(t.eq(b, c));
                }
            }
        }
    }
    None
}

/// -x = c  ==>  x = -c,  -x = -y  ==>  x = y
fn eq_neg(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    let x = t.unary(args[0], Op::BvNeg)?;
    let y = match (t.as_bv_const(args[1]), t.unary(args[1], Op::BvNeg)) {
        (Some(c), _) => {
            let c = c.neg();
            t.bv_bits(c)
        }
        (_, Some(y)) => y,
        _ => return None,
    };
    Some(t.eq(x, y))
}

/// ~x = c  ==>  x = ~c,  ~x = ~y  ==>  x = y
fn eq_not(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    let x = t.unary(args[0], Op::BvNot)?;
    let y = match (t.as_bv_const(args[1]), t.unary(args[1], Op::BvNot)) {
        (Some(c), _) => {
            let c = c.not();
            t.bv_bits(c)
        }
        (_, Some(y)) => y,
        _ => return None,
    };
    Some(t.eq(x, y))
}

/// x ^ c = d  ==>  x = c ^ d
fn eq_xor_literal(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    let (x, c) = t.with_literal(args[0], Op::BvXor)?;
    let rest = c.xor(t.as_bv_const(args[1])?);
    let rest = t.bv_bits(rest);
    Some(t.eq(x, rest))
}

/// c * x = d  ==>  x = d / c modulo 2^w      c odd
fn eq_mul_odd_literal(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    let (x, c) = t.with_literal(args[0], Op::BvMul)?;
    let d = t.as_bv_const(args[1])?;
    let rest = d.mul(&c.inverse()?);
    let rest = t.bv_bits(rest);
    Some(t.eq(x, rest))
}

/// x /u c = 0  ==>  x <u c      c > 0
fn eq_udiv_zero(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    let (x, c) = t.binary(args[0], Op::BvUdiv)?;
    let is_positive = t.as_bv_const(c).is_some_and(|c| !c.is_zero());
    (is_positive && t.is_zero(args[1])).then(|| t.ult(x, c))
}

/// x /s c = 0  ==>  -c <s x & x <s c      c > 0
fn eq_sdiv_zero(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    let (x, c) = t.binary(args[0], Op::BvSdiv)?;
    let is_positive = t.as_bv_const(c).is_some_and(|c| !c.is_zero() && !c.is_negative());
    if !is_positive || !t.is_zero(args[1]) {
        return None;
    }
    let least = t.neg(c);
    let (above, below) = (t.slt(least, x), t.slt(x, c));
    Some(t.and(above, below))
}

/// zext(x) = c  ==>  x = low bits of c, or false when c does not fit; likewise sext
fn eq_extend_literal(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    let c = t.as_bv_const(args[1])?;
    let (x, low) = match t.op(args[0]) {
        Op::ZeroExtend(n) | Op::SignExtend(n) => (t.arg(args[0], 0), c.extract(c.width() - n - 1, 0)),
        _ => return None,
    };
    let fits = match t.op(args[0]) {
        Op::ZeroExtend(n) => low.zero_extend(n) == *c,
        Op::SignExtend(n) => low.sign_extend(n) == *c,
        _ => return None,
    };
    if !fits {
        return Some(t.ff());
    }
    let low = t.bv_bits(low);
    Some(t.eq(x, low))
}

/// zext(x) = zext(y)  ==>  x = y, the narrower one extended; likewise sext
fn eq_extend_both(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    let (x, y) = (args[0], args[1]);
    match (t.op(x), t.op(y)) {
        (Op::ZeroExtend(_), Op::ZeroExtend(_)) | (Op::SignExtend(_), Op::SignExtend(_)) => {
            let (a, b) = (t.arg(x, 0), t.arg(y, 0));
            let width = t.width(a).max(t.width(b));
            let signed = matches!(t.op(x), Op::SignExtend(_));
            let (a, b) = (t.resize(a, width, signed), t.resize(b, width, signed));
            Some(t.eq(a, b))
        }
        _ => None,
    }
}

/// a ++ b = c  ==>  a = high bits of c & b = low bits of c
fn eq_concat_literal(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    let (a, b) = t.binary(args[0], Op::Concat)?;
    let c = t.as_bv_const(args[1])?;
    let split = t.width(b);
    let (high, low) = (c.extract(c.width() - 1, split), c.extract(split - 1, 0));
    let (high, low) = (t.bv_bits(high), t.bv_bits(low));
    let (a, b) = (t.eq(a, high), t.eq(b, low));
    Some(t.and(a, b))
}

/// a ++ b = c ++ d  ==>  a = c & b = d      same split
fn eq_concat_both(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    let ((a, b), (c, d)) = (t.binary(args[0], Op::Concat)?, t.binary(args[1], Op::Concat)?);
    if t.width(b) != t.width(d) {
        return None;
    }
    let (high, low) = (t.eq(a, c), t.eq(b, d));
    Some(t.and(high, low))
}

/// x + -y = 0  ==>  x = y
fn eq_subtraction(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    if !t.is_zero(args[1]) {
        return None;
    }
    let (x, y) = t.binary(args[0], Op::BvAdd)?;
    if let Some(y) = t.unary(y, Op::BvNeg) {
        return Some(t.eq(x, y));
    }
    t.unary(x, Op::BvNeg).map(|x| t.eq(y, x))
}
