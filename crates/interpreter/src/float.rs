//! Native arithmetic on singles and doubles that stand in words: exactly IEEE, rounding to nearest even.

use super::code::{Conversion, FloatOp};
use super::value::{mask, signed};

macro_rules! float_ops {
    ($name:ident, $float:ty, $bits:ty) => {
        /// The operation on words that hold floats; tests give 0 or 1.
        #[inline]
        pub(super) fn $name(op: FloatOp, a: u64, b: u64) -> u64 {
            let (x, y) = (<$float>::from_bits(a as $bits), <$float>::from_bits(b as $bits));
            let result: $float = match op {
                FloatOp::Add => x + y,
                FloatOp::Mul => x * y,
                FloatOp::Div => x / y,
                FloatOp::Sqrt => x.sqrt(),
                // Negation and absolute value leave NaN alone, whose sign has no meaning.
                FloatOp::Neg => -x,
                FloatOp::Abs => x.abs(),
                FloatOp::RoundEven => x.round_ties_even(),
                FloatOp::RoundAway => x.round(),
                FloatOp::RoundUp => x.ceil(),
                FloatOp::RoundDown => x.floor(),
                FloatOp::RoundZero => x.trunc(),
                test => {
                    return match test {
                        FloatOp::Eq => x == y,
                        FloatOp::Lt => x < y,
                        FloatOp::Le => x <= y,
                        FloatOp::Same => a == b || x.is_nan() && y.is_nan(),
                        FloatOp::IsNan => x.is_nan(),
                        FloatOp::IsInf => x.is_infinite(),
                        FloatOp::IsZero => x == 0.0,
                        FloatOp::IsNormal => x.is_normal(),
                        FloatOp::IsSubnormal => x.is_subnormal(),
                        FloatOp::IsNegative => x.is_sign_negative() && !x.is_nan(),
                        _ => x.is_sign_positive() && !x.is_nan(),
                    } as u64;
                }
            };
            result.to_bits() as u64
        }
    };
}

float_ops!(double, f64, u64);
float_ops!(single, f32, u32);

/// Converts a word; integers have `width` bits.
pub(super) fn convert(conversion: Conversion, width: u8, word: u64) -> u64 {
    let single = f32::from_bits(word as u32);
    let double = f64::from_bits(word);
    match conversion {
        Conversion::F32ToF64 => (single as f64).to_bits(),
        Conversion::F64ToF32 => (double as f32).to_bits() as u64,
        Conversion::SignedToF64 => (signed(word, width) as f64).to_bits(),
        Conversion::UnsignedToF64 => (word as f64).to_bits(),
        Conversion::SignedToF32 => (signed(word, width) as f32).to_bits() as u64,
        Conversion::UnsignedToF32 => (word as f32).to_bits() as u64,
        // A single is a double, exactly.
        Conversion::F64ToSigned => to_signed(double, width),
        Conversion::F32ToSigned => to_signed(single as f64, width),
        Conversion::F64ToUnsigned => to_unsigned(double, width),
        Conversion::F32ToUnsigned => to_unsigned(single as f64, width),
    }
}

/// `2^n`, exactly.
fn power(n: u8) -> f64 {
    (1u128 << n) as f64
}

/// Toward zero; out of range (where the result is unspecified) what x86 gives: the least number.
fn to_signed(x: f64, width: u8) -> u64 {
    let (x, half) = (x.trunc(), power(width - 1));
    if -half <= x && x < half { x as i64 as u64 & mask(width) } else { 1 << (width - 1) }
}

fn to_unsigned(x: f64, width: u8) -> u64 {
    let x = x.trunc();
    if 0.0 <= x && x < power(width) { x as u64 } else { 1 << (width - 1) }
}
