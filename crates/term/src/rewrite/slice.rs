//! Rules for concatenation, extraction and extension. Concatenations lean to the right.

use super::arith::into_ite_literals;
use super::{Rule, rules};
use crate::bits::Bits;
use crate::op::Op;
use crate::store::{Store, Term};

pub(super) const CONCAT: &[Rule] =
    rules![concat_zero, concat_assoc, concat_literals, concat_slices, concat_slices_nested, concat_zext];
pub(super) const EXTRACT: &[Rule] = rules![
    extract_all,
    extract_extract,
    extract_concat,
    extract_zext,
    extract_sext,
    extract_bitwise,
    extract_low_arith,
    extract_ite_literals
];
pub(super) const ZERO_EXTEND: &[Rule] = rules![extend_by_none, zext_zext, extend_ite_literals];
pub(super) const SIGN_EXTEND: &[Rule] = rules![extend_by_none, sext_sext, sext_nonnegative, extend_ite_literals];

/// 0 ++ x  ==>  zext(x)
fn concat_zero(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    t.is_zero(args[0]).then(|| t.mk(Op::ZeroExtend(t.width(args[0])), &[args[1]]))
}

/// (x ++ y) ++ z  ==>  x ++ (y ++ z)
fn concat_assoc(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    let (x, y) = t.binary(args[0], Op::Concat)?;
    let low = t.concat(y, args[1]);
    Some(t.concat(x, low))
}

/// c ++ (d ++ x)  ==>  (c ++ d) ++ x      literals c, d
fn concat_literals(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    let (d, x) = t.binary(args[1], Op::Concat)?;
    let joined = t.as_bv_const(args[0])?.concat(t.as_bv_const(d)?);
    let joined = t.bv_bits(joined);
    Some(t.concat(joined, x))
}

/// Two slices of one term that lie next to each other, as one.
fn joined(t: &mut Store, high: Term, low: Term) -> Option<Term> {
    let ((x, hi, mid), (y, below, lo)) = (t.as_extract(high)?, t.as_extract(low)?);
    (x == y && mid == below + 1).then(|| t.extract(x, hi, lo))
}

/// x[i:j] ++ x[j-1:k]  ==>  x[i:k]
fn concat_slices(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    joined(t, args[0], args[1])
}

/// x[i:j] ++ (x[j-1:k] ++ y)  ==>  x[i:k] ++ y
fn concat_slices_nested(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    let (middle, y) = t.binary(args[1], Op::Concat)?;
    let high = joined(t, args[0], middle)?;
    Some(t.concat(high, y))
}

/// zext(x) ++ y  ==>  zext(x ++ y)
fn concat_zext(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    let (x, n) = t.as_zext(args[0])?;
    let joined = t.concat(x, args[1]);
    Some(t.mk(Op::ZeroExtend(n), &[joined]))
}

fn range(op: Op) -> (u32, u32) {
    match op {
        Op::Extract { hi, lo } => (hi, lo),
        _ => unreachable!("rules of extract"),
    }
}

/// x[w-1:0]  ==>  x
fn extract_all(t: &mut Store, op: Op, args: &[Term]) -> Option<Term> {
    (range(op) == (t.width(args[0]) - 1, 0)).then(|| args[0])
}

/// x[h:l][i:j]  ==>  x[l+i:l+j]
fn extract_extract(t: &mut Store, op: Op, args: &[Term]) -> Option<Term> {
    let (hi, lo) = range(op);
    let (x, _, below) = t.as_extract(args[0])?;
    Some(t.extract(x, below + hi, below + lo))
}

/// (x ++ y)[i:j]  ==>  the parts of x and y in that range
fn extract_concat(t: &mut Store, op: Op, args: &[Term]) -> Option<Term> {
    let (hi, lo) = range(op);
    let (x, y) = t.binary(args[0], Op::Concat)?;
    let split = t.width(y);
    if hi < split {
        return Some(t.extract(y, hi, lo));
    }
    if lo >= split {
        return Some(t.extract(x, hi - split, lo - split));
    }
    let high = t.extract(x, hi - split, 0);
    let low = t.extract(y, split - 1, lo);
    Some(t.concat(high, low))
}

/// zext(x)[i:j]  ==>  x[i:j], or 0 above x, or zext(x[w-1:j]) across
fn extract_zext(t: &mut Store, op: Op, args: &[Term]) -> Option<Term> {
    let (hi, lo) = range(op);
    let (x, _) = t.as_zext(args[0])?;
    let width = t.width(x);
    if hi < width {
        return Some(t.extract(x, hi, lo));
    }
    if lo >= width {
        return Some(t.bv(0, hi - lo + 1));
    }
    let part = t.extract(x, width - 1, lo);
    Some(t.zext_to(part, hi - lo + 1))
}

/// sext(x)[i:j]  ==>  x[i:j], or sext(x[w-1:min(j,w-1)])
fn extract_sext(t: &mut Store, op: Op, args: &[Term]) -> Option<Term> {
    let (hi, lo) = range(op);
    let (x, _) = t.as_sext(args[0])?;
    let width = t.width(x);
    if hi < width {
        return Some(t.extract(x, hi, lo));
    }
    let part = t.extract(x, width - 1, lo.min(width - 1));
    Some(t.sext_to(part, hi - lo + 1))
}

/// Does taking a slice of this term make it simpler?
fn is_sliceable(t: &Store, a: Term) -> bool {
    matches!(t.op(a), Op::BvConst(_) | Op::Concat | Op::ZeroExtend(_) | Op::SignExtend(_))
}

/// (x op y)[i:j]  ==>  x[i:j] op y[i:j]      op bitwise, some argument sliceable; likewise ~x
fn extract_bitwise(t: &mut Store, op: Op, args: &[Term]) -> Option<Term> {
    let (hi, lo) = range(op);
    let inner = t.op(args[0]);
    if !matches!(inner, Op::BvAnd | Op::BvOr | Op::BvXor | Op::BvNot) {
        return None;
    }
    if !t.args(args[0]).iter().any(|&arg| is_sliceable(t, arg)) {
        return None;
    }
    Some(slice_args(t, args[0], hi, lo))
}

/// (x op y)[i:0]  ==>  x[i:0] op y[i:0]      op one of + * -, all arguments sliceable
fn extract_low_arith(t: &mut Store, op: Op, args: &[Term]) -> Option<Term> {
    let (hi, lo) = range(op);
    let inner = t.op(args[0]);
    if lo != 0 || !matches!(inner, Op::BvAdd | Op::BvMul | Op::BvNeg) {
        return None;
    }
    if !t.args(args[0]).iter().all(|&arg| is_sliceable(t, arg) || is_sliceable_sum(t, arg)) {
        return None;
    }
    Some(slice_args(t, args[0], hi, lo))
}

/// One level more: sums are nested once their literal is outermost.
fn is_sliceable_sum(t: &Store, a: Term) -> bool {
    matches!(t.op(a), Op::BvAdd | Op::BvMul | Op::BvNeg) && t.args(a).iter().all(|&arg| is_sliceable(t, arg))
}

/// The operator of `a` applied to slices of its arguments.
fn slice_args(t: &mut Store, a: Term, hi: u32, lo: u32) -> Term {
    let args: Vec<Term> = t.args(a).to_vec();
    let slices: Vec<Term> = args.into_iter().map(|arg| t.extract(arg, hi, lo)).collect();
    t.mk(t.op(a), &slices)
}

/// ite(p, c, d)[i:j]  ==>  ite(p, c[i:j], d[i:j])
fn extract_ite_literals(t: &mut Store, op: Op, args: &[Term]) -> Option<Term> {
    into_ite_literals(t, op, args)
}

/// zext(x) by no bits  ==>  x,  sext(x) by no bits  ==>  x
fn extend_by_none(_: &mut Store, op: Op, args: &[Term]) -> Option<Term> {
    matches!(op, Op::ZeroExtend(0) | Op::SignExtend(0)).then(|| args[0])
}

fn by(op: Op) -> u32 {
    match op {
        Op::ZeroExtend(n) | Op::SignExtend(n) => n,
        _ => unreachable!("rules of extensions"),
    }
}

/// zext(zext(x))  ==>  zext(x)
fn zext_zext(t: &mut Store, op: Op, args: &[Term]) -> Option<Term> {
    let (x, n) = t.as_zext(args[0])?;
    Some(t.mk(Op::ZeroExtend(n + by(op)), &[x]))
}

/// sext(sext(x))  ==>  sext(x)
fn sext_sext(t: &mut Store, op: Op, args: &[Term]) -> Option<Term> {
    let (x, n) = t.as_sext(args[0])?;
    Some(t.mk(Op::SignExtend(n + by(op)), &[x]))
}

/// sext(x)  ==>  zext(x)      x visibly nonnegative
fn sext_nonnegative(t: &mut Store, op: Op, args: &[Term]) -> Option<Term> {
    t.is_nonnegative(args[0]).then(|| t.mk(Op::ZeroExtend(by(op)), args))
}

/// ext(ite(p, c, d))  ==>  ite(p, ext(c), ext(d))
fn extend_ite_literals(t: &mut Store, op: Op, args: &[Term]) -> Option<Term> {
    into_ite_literals(t, op, args)
}

/// All bits of the value above `low` bits are zero.
pub(super) fn fits_unsigned(c: &Bits, low: u32) -> bool {
    c.width() - c.leading_zeros() <= low
}
