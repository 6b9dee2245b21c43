//! Rules for floats. Few: rounding leaves little algebra.

use super::{Rule, rules};
use crate::op::Op;
use crate::sort::{Format, RoundingMode};
use crate::store::{Store, Term};

pub(super) fn rules_for(op: Op) -> &'static [Rule] {
    match op {
        Op::FpNeg => rules![fp_neg_neg],
        Op::FpAbs => rules![fp_abs_of_sign],
        Op::FpAdd(_) => rules![fp_nan_argument, fp_add_zero],
        Op::FpMul(_) => rules![fp_nan_argument, fp_mul_one, fp_mul_minus_one, fp_mul_signs],
        Op::FpDiv(_) => rules![fp_nan_argument, fp_div_one, fp_div_minus_one],
        Op::FpFma(_) | Op::FpRem => rules![fp_nan_argument],
        Op::FpMin | Op::FpMax => rules![fp_min_max_same, fp_min_max_nan],
        Op::FpRoundToIntegral(_) => rules![fp_round_integral],
        Op::FpEq => rules![fp_test_nan, fp_eq_same, fp_eq_neg_both, fp_eq_widened],
        Op::FpLt => rules![fp_test_nan, fp_lt_same, fp_lt_infinity, fp_order_neg_both, fp_order_widened],
        Op::FpLe => rules![fp_test_nan, fp_le_same, fp_order_neg_both, fp_order_widened],
        Op::FpIsNan => rules![fp_class_of_sign, fp_is_nan_from_integer, fp_is_nan_converted],
        Op::FpIsInf | Op::FpIsZero | Op::FpIsNormal | Op::FpIsSubnormal => rules![fp_class_of_sign],
        Op::FpIsNegative | Op::FpIsPositive => rules![fp_sign_of_abs],
        Op::FpToFp(..) => rules![fp_to_same, fp_to_fp_widened],
        Op::FpToSbv(..) | Op::FpToUbv(..) => rules![fp_to_bv_exact],
        _ => &[],
    }
}

/// --x  ==>  x
fn fp_neg_neg(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    t.unary(args[0], Op::FpNeg)
}

/// |-x|  ==>  |x|,  ||x||  ==>  |x|
fn fp_abs_of_sign(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    if t.op(args[0]) == Op::FpAbs {
        return Some(args[0]);
    }
    t.unary(args[0], Op::FpNeg).map(|x| t.fp_abs(x))
}

fn is_nan(t: &Store, a: Term) -> bool {
    t.as_float_const(a).is_some_and(|c| c.is_nan())
}

/// x op NaN  ==>  NaN
fn fp_nan_argument(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    args.iter().copied().find(|&arg| is_nan(t, arg))
}

/// x + -0  ==>  x      not rounding down;  x + +0  ==>  x      rounding down
fn fp_add_zero(t: &mut Store, op: Op, args: &[Term]) -> Option<Term> {
    let c = t.as_float_const(args[1])?;
    let neutral_is_negative = op.rounding_mode() != Some(RoundingMode::Down);
    (c.is_zero() && c.is_negative() == neutral_is_negative).then(|| args[0])
}

fn is_one(t: &Store, a: Term) -> bool {
    t.as_float_const(a).is_some_and(|c| c == crate::FloatValue::one(c.format()))
}

fn is_minus_one(t: &Store, a: Term) -> bool {
    t.as_float_const(a).is_some_and(|c| c.neg() == crate::FloatValue::one(c.format()))
}

/// x * 1  ==>  x
fn fp_mul_one(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    is_one(t, args[1]).then(|| args[0])
}

/// x * -1  ==>  -x
fn fp_mul_minus_one(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    is_minus_one(t, args[1]).then(|| t.fp_neg(args[0]))
}

/// -x * -y  ==>  x * y
fn fp_mul_signs(t: &mut Store, op: Op, args: &[Term]) -> Option<Term> {
    let (x, y) = (t.unary(args[0], Op::FpNeg)?, t.unary(args[1], Op::FpNeg)?);
    Some(t.mk(op, &[x, y]))
}

/// x / 1  ==>  x
fn fp_div_one(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    is_one(t, args[1]).then(|| args[0])
}

/// x / -1  ==>  -x
fn fp_div_minus_one(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    is_minus_one(t, args[1]).then(|| t.fp_neg(args[0]))
}

/// min(x, x)  ==>  x,  max(x, x)  ==>  x
fn fp_min_max_same(_: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    (args[0] == args[1]).then(|| args[0])
}

/// min(x, NaN)  ==>  x,  min(NaN, x)  ==>  x      likewise max
fn fp_min_max_nan(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    if is_nan(t, args[0]) {
        return Some(args[1]);
    }
    is_nan(t, args[1]).then(|| args[0])
}

/// round(x)  ==>  x      x is a rounded float already, or converted from an integer
fn fp_round_integral(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    matches!(t.op(args[0]), Op::FpRoundToIntegral(_) | Op::FpFromSbv(..) | Op::FpFromUbv(..)).then(|| args[0])
}

/// x op NaN  ==>  false      op a comparison
fn fp_test_nan(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    args.iter().any(|&arg| is_nan(t, arg)).then(|| t.ff())
}

fn not_nan(t: &mut Store, x: Term) -> Term {
    let nan = t.fp_is_nan(x);
    t.not(nan)
}

/// x == x  ==>  !isNaN(x)
fn fp_eq_same(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    (args[0] == args[1]).then(|| not_nan(t, args[0]))
}

/// -x == -y  ==>  x == y
fn fp_eq_neg_both(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    let (x, y) = (t.unary(args[0], Op::FpNeg)?, t.unary(args[1], Op::FpNeg)?);
    Some(t.fp_eq(x, y))
}

/// x < x  ==>  false
fn fp_lt_same(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    (args[0] == args[1]).then(|| t.ff())
}

/// x <= x  ==>  !isNaN(x)
fn fp_le_same(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    (args[0] == args[1]).then(|| not_nan(t, args[0]))
}

/// x < -oo  ==>  false,  +oo < x  ==>  false
fn fp_lt_infinity(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    let is =
        |a: Term, negative: bool| t.as_float_const(a).is_some_and(|c| c.is_infinite() && c.is_negative() == negative);
    (is(args[1], true) || is(args[0], false)).then(|| t.ff())
}

/// -x < -y  ==>  y < x      likewise <=
fn fp_order_neg_both(t: &mut Store, op: Op, args: &[Term]) -> Option<Term> {
    let (x, y) = (t.unary(args[0], Op::FpNeg)?, t.unary(args[1], Op::FpNeg)?);
    Some(t.mk(op, &[y, x]))
}

/// Does `wide` hold every value of `narrow`, subnormals included?
fn holds_all(wide: Format, narrow: Format) -> bool {
    wide.exp >= narrow.exp && wide.sig >= narrow.sig
}

/// A float converted to a format that holds it exactly.
fn widened(t: &Store, a: Term) -> Option<Term> {
    match t.op(a) {
        Op::FpToFp(_, format) if holds_all(format, t.format(t.arg(a, 0))) => Some(t.arg(a, 0)),
        _ => None,
    }
}

fn both_widened(t: &Store, args: &[Term]) -> Option<(Term, Term)> {
    let (x, y) = (widened(t, args[0])?, widened(t, args[1])?);
    (t.sort(x) == t.sort(y)).then_some((x, y))
}

/// wide(x) == wide(y)  ==>  x == y
fn fp_eq_widened(t: &mut Store, op: Op, args: &[Term]) -> Option<Term> {
    both_widened(t, args).map(|(x, y)| t.mk(op, &[x, y]))
}

/// wide(x) < wide(y)  ==>  x < y      likewise <=
fn fp_order_widened(t: &mut Store, op: Op, args: &[Term]) -> Option<Term> {
    both_widened(t, args).map(|(x, y)| t.mk(op, &[x, y]))
}

/// class(-x)  ==>  class(x),  class(|x|)  ==>  class(x)      class one of NaN, infinite, zero, normal, subnormal
fn fp_class_of_sign(t: &mut Store, op: Op, args: &[Term]) -> Option<Term> {
    matches!(t.op(args[0]), Op::FpNeg | Op::FpAbs).then(|| t.mk(op, &[t.arg(args[0], 0)]))
}

/// isNaN(float(i))  ==>  false      i an integer
fn fp_is_nan_from_integer(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    matches!(t.op(args[0]), Op::FpFromSbv(..) | Op::FpFromUbv(..)).then(|| t.ff())
}

/// isNaN(convert(x))  ==>  isNaN(x),  isNaN(round(x))  ==>  isNaN(x)
fn fp_is_nan_converted(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    matches!(t.op(args[0]), Op::FpToFp(..) | Op::FpRoundToIntegral(_)).then(|| t.fp_is_nan(t.arg(args[0], 0)))
}

/// isNegative(|x|)  ==>  false,  isPositive(|x|)  ==>  !isNaN(x)
fn fp_sign_of_abs(t: &mut Store, op: Op, args: &[Term]) -> Option<Term> {
    let x = t.unary(args[0], Op::FpAbs)?;
    Some(if op == Op::FpIsNegative { t.ff() } else { not_nan(t, x) })
}

/// convert(x)  ==>  x      to its own format
fn fp_to_same(t: &mut Store, op: Op, args: &[Term]) -> Option<Term> {
    match op {
        Op::FpToFp(_, format) if t.format(args[0]) == format => Some(args[0]),
        _ => None,
    }
}

/// convert(wide(x))  ==>  convert(x)
fn fp_to_fp_widened(t: &mut Store, op: Op, args: &[Term]) -> Option<Term> {
    widened(t, args[0]).map(|x| t.mk(op, &[x]))
}

/// integer(float(i))  ==>  i extended      the float holds i exactly, the integer is wide enough
fn fp_to_bv_exact(t: &mut Store, op: Op, args: &[Term]) -> Option<Term> {
    let (format, from_signed) = match t.op(args[0]) {
        Op::FpFromSbv(_, format) => (format, true),
        Op::FpFromUbv(_, format) => (format, false),
        _ => return None,
    };
    let (width, to_signed) = match op {
        Op::FpToSbv(_, width) => (width, true),
        Op::FpToUbv(_, width) => (width, false),
        _ => return None,
    };
    let i = t.arg(args[0], 0);
    let from = t.width(i);
    // Digits of the greatest magnitude; the least signed value is a power of two and needs the exponent range only.
    let digits = if from_signed { from - 1 } else { from };
    let exact = digits <= format.sig && (from as u64) < 1 << (format.exp - 1);
    let fits = match (from_signed, to_signed) {
        (true, true) | (false, false) => width >= from,
        (false, true) => width > from,
        // Negative values have no unsigned form.
        (true, false) => false,
    };
    (exact && fits).then(|| t.resize(i, width, from_signed))
}
