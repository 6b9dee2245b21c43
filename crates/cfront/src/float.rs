//! Floating constants, computed exactly in the format of their type (round to nearest, ties to even).
//! Values travel as bits; this file is the only one that knows the software floats behind them.

use std::cmp::Ordering;

use rustc_apfloat::ieee::{Double, Quad, Single, X87DoubleExtended};
use rustc_apfloat::{Float, FloatConvert, Round};

use crate::hir::BinaryOp;
use crate::types::FloatKind;

const ROUND: Round = Round::NearestTiesToEven;

/// Runs `$body` with `$F` bound to the software float of `$kind`.
macro_rules! in_format {
    ($kind:expr, $F:ident => $body:expr) => {
        match $kind {
            FloatKind::Float => {
                type $F = Single;
                $body
            }
            FloatKind::Double => {
                type $F = Double;
                $body
            }
            FloatKind::LongDouble => {
                type $F = X87DoubleExtended;
                $body
            }
            FloatKind::Float128 => {
                type $F = Quad;
                $body
            }
        }
    };
}

/// The value of a decimal or hexadecimal literal without suffix.
pub(crate) fn parse(text: &str, kind: FloatKind) -> Option<u128> {
    let text = normal_exponent(text)?;
    in_format!(kind, F => F::from_str_r(&text, ROUND).ok().map(|v| v.value.to_bits()))
}

/// The same literal in a form the float library is sure to take: with digits, and an exponent it does not overflow on.
fn normal_exponent(text: &str) -> Option<String> {
    let lower = text.to_ascii_lowercase();
    let hex = lower.starts_with("0x");
    let (mark, mantissa, exponent) = match lower.rfind(if hex { 'p' } else { 'e' }) {
        Some(at) => (if hex { 'p' } else { 'e' }, &lower[..at], &lower[at + 1..]),
        None if hex => return None,
        None => ('e', lower.as_str(), "0"),
    };
    let digits = exponent.trim_start_matches(['+', '-']);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) || exponent.len() > digits.len() + 1 {
        return None;
    }
    let body = if hex { &mantissa[2..] } else { mantissa };
    let valid = |b: u8| b == b'.' || if hex { b.is_ascii_hexdigit() } else { b.is_ascii_digit() };
    if !body.bytes().all(valid) || body.matches('.').count() > 1 || !body.bytes().any(|b| b != b'.') {
        return None;
    }
    if body.bytes().all(|b| b == b'.' || b == b'0') {
        return Some("0.0".to_owned());
    }
    let magnitude = digits.parse::<i64>().unwrap_or(i64::MAX).min(1_000_000);
    let sign = if exponent.starts_with('-') { "-" } else { "" };
    let body = if body.starts_with('.') { format!("0{body}") } else { body.to_owned() };
    Some(format!("{}{body}{mark}{sign}{magnitude}", if hex { "0x" } else { "" }))
}

/// `a op b` for the four arithmetic operators.
pub(crate) fn arithmetic(op: BinaryOp, kind: FloatKind, a: u128, b: u128) -> Option<u128> {
    in_format!(kind, F => {
        let (a, b) = (F::from_bits(a), F::from_bits(b));
        let result = match op {
            BinaryOp::Add => a.add_r(b, ROUND),
            BinaryOp::Sub => a.sub_r(b, ROUND),
            BinaryOp::Mul => a.mul_r(b, ROUND),
            BinaryOp::Div => a.div_r(b, ROUND),
            _ => return None,
        };
        Some(result.value.to_bits())
    })
}

/// IEEE comparison: None when unordered.
pub(crate) fn compare(kind: FloatKind, a: u128, b: u128) -> Option<Ordering> {
    in_format!(kind, F => F::from_bits(a).partial_cmp(&F::from_bits(b)))
}

pub(crate) fn negate(kind: FloatKind, a: u128) -> u128 {
    in_format!(kind, F => (-F::from_bits(a)).to_bits())
}

pub(crate) fn is_zero(kind: FloatKind, a: u128) -> bool {
    in_format!(kind, F => F::from_bits(a).is_zero())
}

/// What kind of number it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Class {
    Nan,
    Infinite,
    Normal,
    Subnormal,
    Zero,
}

pub(crate) fn class(kind: FloatKind, a: u128) -> Class {
    in_format!(kind, F => match F::from_bits(a) {
        x if x.is_nan() => Class::Nan,
        x if x.is_infinite() => Class::Infinite,
        x if x.is_zero() => Class::Zero,
        x if x.is_denormal() => Class::Subnormal,
        _ => Class::Normal,
    })
}

pub(crate) fn is_negative(kind: FloatKind, a: u128) -> bool {
    in_format!(kind, F => F::from_bits(a).is_negative())
}

pub(crate) fn infinity(kind: FloatKind) -> u128 {
    in_format!(kind, F => F::INFINITY.to_bits())
}

pub(crate) fn nan(kind: FloatKind) -> u128 {
    in_format!(kind, F => F::qnan(None).to_bits())
}

pub(crate) fn from_int(kind: FloatKind, value: i128) -> u128 {
    in_format!(kind, F => F::from_i128_r(value, ROUND).value.to_bits())
}

pub(crate) fn from_unsigned(kind: FloatKind, value: u128) -> u128 {
    in_format!(kind, F => F::from_u128_r(value, ROUND).value.to_bits())
}

/// Truncation toward zero; None when the value does not fit (undefined in C).
pub(crate) fn to_int(kind: FloatKind, a: u128, width: u32, signed: bool) -> Option<u128> {
    let mut exact = false;
    in_format!(kind, F => {
        let value = F::from_bits(a);
        let status = if signed {
            let result = value.to_i128_r(width as usize, Round::TowardZero, &mut exact);
            (result.status, result.value as u128)
        } else {
            let result = value.to_u128_r(width as usize, Round::TowardZero, &mut exact);
            (result.status, result.value)
        };
        (!status.0.contains(rustc_apfloat::Status::INVALID_OP)).then_some(status.1)
    })
}

pub(crate) fn convert(from: FloatKind, to: FloatKind, bits: u128) -> u128 {
    if from == to {
        return bits;
    }
    let mut loses = false;
    in_format!(from, F => {
        let value = F::from_bits(bits);
        match to {
            FloatKind::Float => FloatConvert::<Single>::convert_r(value, ROUND, &mut loses).value.to_bits(),
            FloatKind::Double => FloatConvert::<Double>::convert_r(value, ROUND, &mut loses).value.to_bits(),
            FloatKind::LongDouble => {
                FloatConvert::<X87DoubleExtended>::convert_r(value, ROUND, &mut loses).value.to_bits()
            }
            FloatKind::Float128 => FloatConvert::<Quad>::convert_r(value, ROUND, &mut loses).value.to_bits(),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_round_in_their_own_format() {
        assert_eq!(parse("0.1", FloatKind::Double), Some(u128::from(0.1f64.to_bits())));
        assert_eq!(parse("0.1", FloatKind::Float), Some(u128::from(0.1f32.to_bits())));
        assert_eq!(parse("0x1.8p1", FloatKind::Double), Some(u128::from(3.0f64.to_bits())));
        assert_eq!(parse("1e999999999999", FloatKind::Double), Some(u128::from(f64::INFINITY.to_bits())));
        assert_eq!(parse("1.", FloatKind::Double), Some(u128::from(1.0f64.to_bits())));
        assert_eq!(parse(".5e-1", FloatKind::Double), Some(u128::from(0.05f64.to_bits())));
        assert_eq!(parse("1e", FloatKind::Double), None);
        // 1.0L: sign and exponent 0x3fff, explicit leading one.
        assert_eq!(parse("1.0", FloatKind::LongDouble), Some(0x3fff_8000_0000_0000_0000));
    }

    #[test]
    fn conversion_to_integers_knows_what_fits() {
        let bits = |v: f64| u128::from(v.to_bits());
        assert_eq!(to_int(FloatKind::Double, bits(-1.5), 32, true), Some((-1i128) as u128));
        assert_eq!(to_int(FloatKind::Double, bits(3e9), 32, true), None);
        assert_eq!(to_int(FloatKind::Double, bits(3e9), 32, false), Some(3_000_000_000));
    }
}
