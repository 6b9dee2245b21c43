//! Floats in C, where C has them: `float`, `double`, `long double`, rounding to nearest even, no library calls.

use num_bigint::BigInt;

use super::Printer;
use super::expr::{CInt, Expr, Level};
use crate::float::FloatValue;
use crate::op::Op;
use crate::sort::{Format, RoundingMode, Sort};
use crate::store::Term;

const NEAREST: RoundingMode = RoundingMode::NearestEven;

/// The C type of a format; on x86 `long double` is the x87 format.
fn type_name(format: Format) -> Option<&'static str> {
    match format {
        Format::F32 => Some("float"),
        Format::F64 => Some("double"),
        Format::X87 => Some("long double"),
        _ => None,
    }
}

/// Exact as a literal: shortest decimal for `float` and `double`, hexadecimal for `long double`.
fn literal(value: FloatValue) -> Option<Expr> {
    if value.is_nan() || value.is_infinite() {
        return None;
    }
    let text = match value.format() {
        Format::F32 => format!("{:?}f", value.to_f32()?),
        Format::F64 => format!("{:?}", value.to_f64()?),
        Format::X87 => format!("{value}L"),
        _ => return None,
    };
    let level = if value.is_negative() { Level::UNARY } else { Level::PRIMARY };
    Some(Expr::new(text, level, CInt::INT))
}

impl Printer<'_> {
    /// A float-valued expression. (Its integer type is of no meaning.)
    pub(super) fn float(&self, t: Term) -> Option<Expr> {
        let store = self.store;
        let format = store.format(t);
        let c_type = type_name(format)?;
        if let Some(name) = self.names.name_of(store, t) {
            return Some(Expr::new(name.text, Level::PRIMARY, CInt::INT));
        }
        let cast =
            |inner: Expr| Expr::new(format!("({c_type}){}", inner.at_least(Level::UNARY)), Level::UNARY, CInt::INT);
        let binary = |a: Term, op: &str, b: Term, level: Level| {
            Some(Expr::binary(&self.float(a)?, op, &self.float(b)?, level, CInt::INT))
        };
        match (store.op(t), store.args(t)) {
            (Op::FloatConst(_), _) => literal(store.as_float_const(t)?),
            (Op::FpNeg, &[a]) => {
                let a = self.float(a)?;
                Some(Expr::new(format!("-{}", a.at_least(Level::PRIMARY)), Level::UNARY, CInt::INT))
            }
            (Op::FpAdd(NEAREST), &[a, b]) => match (store.unary(a, Op::FpNeg), store.unary(b, Op::FpNeg)) {
                (_, Some(b)) => binary(a, "-", b, Level::ADD),
                (Some(a), None) => binary(b, "-", a, Level::ADD),
                (None, None) => binary(a, "+", b, Level::ADD),
            },
            (Op::FpMul(NEAREST), &[a, b]) => binary(a, "*", b, Level::MUL),
            (Op::FpDiv(NEAREST), &[a, b]) => binary(a, "/", b, Level::MUL),
            (Op::FpToFp(NEAREST, _), &[a]) => Some(cast(self.float(a)?)),
            (Op::FpFromSbv(NEAREST, _), &[a]) => Some(cast(self.signed(a)?)),
            (Op::FpFromUbv(NEAREST, _), &[a]) => Some(cast(self.unsigned(a)?)),
            (Op::Ite, &[c, a, b]) => Expr::choice(self.formula(c)?, self.float(a)?, self.float(b)?),
            _ => None,
        }
    }

    /// Comparisons and classes that C can say without a library.
    pub(super) fn float_test(&self, t: Term) -> Option<Expr> {
        let store = self.store;
        let args = store.args(t);
        if !args.iter().all(|&arg| matches!(store.sort(arg), Sort::Float(_))) {
            return None;
        }
        let compare = |op: &str, level: Level| {
            Some(Expr::binary(&self.float(args[0])?, op, &self.float(args[1])?, level, CInt::INT))
        };
        let x = || Some(self.float(*args.first()?)?.at_least(Level::UNARY));
        match store.op(t) {
            Op::FpEq => compare("==", Level::EQ),
            Op::FpLt => compare("<", Level::ORDER),
            Op::FpLe => compare("<=", Level::ORDER),
            Op::FpIsNan => Some(Expr::truth(format!("{0} != {0}", x()?), Level::EQ)),
            Op::FpIsInf => Some(Expr::truth(format!("{0} == {0} && {0} - {0} != {0} - {0}", x()?), Level::AND)),
            Op::FpIsZero => Some(Expr::truth(format!("{} == 0", x()?), Level::EQ)),
            _ => None,
        }
    }

    /// Identity of floats: with a literal that is neither zero nor NaN it is C's equality.
    pub(super) fn identical_floats(&self, a: Term, op: &str, b: Term) -> Option<Expr> {
        let literal = self.store.as_float_const(b).or_else(|| self.store.as_float_const(a))?;
        if literal.is_zero() || literal.is_nan() {
            return None;
        }
        Some(Expr::binary(&self.float(a)?, op, &self.float(b)?, Level::EQ, CInt::INT))
    }

    /// Truncation to an integer, guarded: out of range C leaves the behaviour undefined and the term any value.
    pub(super) fn float_to_integer(&self, t: Term) -> Option<Expr> {
        let store = self.store;
        let (signed, width) = match store.op(t) {
            Op::FpToSbv(RoundingMode::Zero, width) => (true, width),
            Op::FpToUbv(RoundingMode::Zero, width) => (false, width),
            _ => return None,
        };
        let ty = CInt::exactly(signed, width)?;
        let a = store.arg(t, 0);
        let format = store.format(a);
        let number = |value: &BigInt| {
            let float = FloatValue::from_integer(format, RoundingMode::NearestEven, value);
            (float.to_integer(RoundingMode::NearestEven).as_ref() == Some(value)).then(|| literal(float)).flatten()
        };
        let one = BigInt::from(1);
        let (least, past) =
            if signed { (-(&one << (width - 1)), &one << (width - 1)) } else { (BigInt::ZERO, &one << width) };
        // Truncation reaches `least` from anything above `least - 1`, where the format can say that.
        let text = self.float(a)?.at_least(Level::UNARY);
        let low = match number(&(&least - 1)) {
            Some(below) => format!("{text} > {}", below.text),
            None => format!("{text} >= {}", number(&least)?.text),
        };
        let guard = Expr::truth(format!("{low} && {text} < {}", number(&past)?.text), Level::AND);
        let truncated = Expr::new(format!("({}){text}", ty.name()), Level::UNARY, ty);
        Expr::choice(guard, truncated, Expr::number(&BigInt::ZERO)?)
    }
}
