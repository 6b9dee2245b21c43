//! What each operator means on concrete values: the definition that folding, evaluation and the rule tests share.

use std::sync::Arc;

use num_bigint::BigInt;

use crate::bits::Bits;
use crate::float::FloatValue;
use crate::op::Op;
use crate::sort::ArraySort;
use crate::value::{ArrayValue, Value};

fn bv(value: &Value) -> &Bits {
    value.as_bits().expect("sort-checked")
}

fn fp(value: &Value) -> FloatValue {
    value.as_float().expect("sort-checked")
}

fn truth(value: &Value) -> bool {
    value.as_bool().expect("sort-checked")
}

/// `op` applied to values of fitting sorts. `None` where the result is not determined by them: conversions out of range,
/// minimum and maximum of zeros of different sign, and operators that are no functions on values (leaves, applications,
/// quantifiers).
pub fn apply(op: Op, args: &[Value]) -> Option<Value> {
    let value: Value = match (op, args) {
        (Op::True, []) => true.into(),
        (Op::False, []) => false.into(),
        (Op::BvConst(_) | Op::FloatConst(_) | Op::Var(_) | Op::Apply(_) | Op::Forall | Op::Exists, _) => return None,

        (Op::Not, [a]) => (!truth(a)).into(),
        (Op::And, [a, b]) => (truth(a) && truth(b)).into(),
        (Op::Or, [a, b]) => (truth(a) || truth(b)).into(),
        (Op::Xor, [a, b]) => (truth(a) != truth(b)).into(),
        (Op::Ite, [c, a, b]) => (if truth(c) { a } else { b }).clone(),
        (Op::Eq, [a, b]) => a.same(b).into(),

        (Op::BvNot, [a]) => bv(a).not().into(),
        (Op::BvNeg, [a]) => bv(a).neg().into(),
        (Op::BvAdd, [a, b]) => bv(a).add(bv(b)).into(),
        (Op::BvMul, [a, b]) => bv(a).mul(bv(b)).into(),
        (Op::BvUdiv, [a, b]) => bv(a).udiv(bv(b)).into(),
        (Op::BvUrem, [a, b]) => bv(a).urem(bv(b)).into(),
        (Op::BvSdiv, [a, b]) => bv(a).sdiv(bv(b)).into(),
        (Op::BvSrem, [a, b]) => bv(a).srem(bv(b)).into(),
        (Op::BvShl, [a, b]) => bv(a).shl(bv(b)).into(),
        (Op::BvLshr, [a, b]) => bv(a).lshr(bv(b)).into(),
        (Op::BvAshr, [a, b]) => bv(a).ashr(bv(b)).into(),
        (Op::BvAnd, [a, b]) => bv(a).and(bv(b)).into(),
        (Op::BvOr, [a, b]) => bv(a).or(bv(b)).into(),
        (Op::BvXor, [a, b]) => bv(a).xor(bv(b)).into(),
        (Op::Concat, [a, b]) => bv(a).concat(bv(b)).into(),
        (Op::Extract { hi, lo }, [a]) => bv(a).extract(hi, lo).into(),
        (Op::ZeroExtend(n), [a]) => bv(a).zero_extend(n).into(),
        (Op::SignExtend(n), [a]) => bv(a).sign_extend(n).into(),
        (Op::BvUlt, [a, b]) => bv(a).ult(bv(b)).into(),
        (Op::BvUle, [a, b]) => bv(a).ule(bv(b)).into(),
        (Op::BvSlt, [a, b]) => bv(a).slt(bv(b)).into(),
        (Op::BvSle, [a, b]) => bv(a).sle(bv(b)).into(),
        (Op::BvSaddo, [a, b]) => bv(a).saddo(bv(b)).into(),
        (Op::BvSsubo, [a, b]) => bv(a).ssubo(bv(b)).into(),
        (Op::BvUmulo, [a, b]) => bv(a).umulo(bv(b)).into(),
        (Op::BvSmulo, [a, b]) => bv(a).smulo(bv(b)).into(),

        (Op::FpNeg, [a]) => fp(a).neg().into(),
        (Op::FpAbs, [a]) => fp(a).abs().into(),
        (Op::FpAdd(mode), [a, b]) => fp(a).add(fp(b), mode).into(),
        (Op::FpMul(mode), [a, b]) => fp(a).mul(fp(b), mode).into(),
        (Op::FpDiv(mode), [a, b]) => fp(a).div(fp(b), mode).into(),
        (Op::FpFma(mode), [a, b, c]) => fp(a).fma(fp(b), fp(c), mode).into(),
        (Op::FpSqrt(mode), [a]) => fp(a).sqrt(mode).into(),
        (Op::FpRem, [a, b]) => fp(a).rem(fp(b)).into(),
        (Op::FpRoundToIntegral(mode), [a]) => fp(a).round_to_integral(mode).into(),
        (Op::FpMin, [a, b]) => fp(a).min(fp(b))?.into(),
        (Op::FpMax, [a, b]) => fp(a).max(fp(b))?.into(),
        (Op::FpEq, [a, b]) => fp(a).ieee_eq(fp(b)).into(),
        (Op::FpLt, [a, b]) => fp(a).lt(fp(b)).into(),
        (Op::FpLe, [a, b]) => fp(a).le(fp(b)).into(),
        (Op::FpIsNan, [a]) => fp(a).is_nan().into(),
        (Op::FpIsInf, [a]) => fp(a).is_infinite().into(),
        (Op::FpIsZero, [a]) => fp(a).is_zero().into(),
        (Op::FpIsNormal, [a]) => fp(a).is_normal().into(),
        (Op::FpIsSubnormal, [a]) => fp(a).is_subnormal().into(),
        (Op::FpIsNegative, [a]) => fp(a).is_negative().into(),
        (Op::FpIsPositive, [a]) => fp(a).is_positive().into(),
        (Op::FpToFp(mode, format), [a]) => fp(a).convert(format, mode).into(),
        (Op::FpFromSbv(mode, format), [a]) => FloatValue::from_integer(format, mode, &bv(a).to_bigint()).into(),
        (Op::FpFromUbv(mode, format), [a]) => FloatValue::from_integer(format, mode, &BigInt::from(bv(a))).into(),
        (Op::FpToUbv(mode, width), [a]) => fp(a).to_ubv(mode, width)?.into(),
        (Op::FpToSbv(mode, width), [a]) => fp(a).to_sbv(mode, width)?.into(),
        (Op::FpFromBits(format), [a]) => FloatValue::from_bits(format, bv(a)).into(),

        (Op::Select, [a, i]) => a.as_array().expect("sort-checked").get(i).clone(),
        (Op::Store, [a, i, e]) => {
            let mut array = a.as_array().expect("sort-checked").clone();
            array.set(i.clone(), e.clone());
            Value::Array(Arc::new(array))
        }
        (Op::ConstArray(index), [e]) => {
            let elem = e.sort().scalar().expect("sort-checked");
            Value::Array(Arc::new(ArrayValue::new(ArraySort { index, elem }, e.clone())))
        }
        (op, args) => panic!("{op:?} applied to {} values", args.len()),
    };
    Some(value)
}
