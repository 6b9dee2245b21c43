//! IEEE-754 values of any binary format, computed exactly and rounded once.
//!
//! A finite value is unpacked to `±mant * 2^exp` with a big integer `mant`; each operation computes the exact result (or
//! enough leading bits of it and whether anything nonzero follows) and hands it to the one rounding function. This is
//! slower than fixed-format code but covers every format, all five rounding modes and square root with one short
//! argument for correctness; the tests compare it with the processor and with `rustc_apfloat`.
//! Values live packed, with a single NaN, so that structural equality is SMT-LIB's identity.

use std::cmp::Ordering;
use std::fmt;

use num_bigint::{BigInt, BigUint, Sign};
use num_integer::Integer;
use num_traits::{One, ToPrimitive, Zero};

use crate::bits::Bits;
use crate::sort::{Format, RoundingMode};

/// A float: sign, exponent, significand packed as IEEE prescribes; NaN is always the same pattern.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FloatValue {
    format: Format,
    bits: u128,
}

/// What the packed form means.
enum Unpacked {
    Nan,
    Inf {
        neg: bool,
    },
    /// `±mant * 2^exp`; zero has `mant = 0`.
    Finite {
        neg: bool,
        mant: BigUint,
        exp: i64,
    },
}

use Unpacked::{Finite, Inf, Nan};

impl Format {
    fn bias(self) -> i64 {
        (1 << (self.exp - 1)) - 1
    }

    /// Exponent of the last place of subnormals.
    fn min_exp(self) -> i64 {
        1 - self.bias() - (self.sig as i64 - 1)
    }

    fn max_biased(self) -> u128 {
        (1 << self.exp) - 1
    }

    /// Formats this module can pack: small enough for a `u128`, exponents small enough for exact alignment.
    pub fn is_supported(self) -> bool {
        (2..=18).contains(&self.exp) && self.sig >= 2 && self.width() <= 128
    }
}

// `neg` and `rem` are named like their siblings, which take a rounding mode and so cannot be operators.
#[allow(clippy::should_implement_trait)]
impl FloatValue {
    fn pack(format: Format, neg: bool, biased: u128, fraction: u128) -> FloatValue {
        let sign = (neg as u128) << (format.width() - 1);
        FloatValue { format, bits: sign | biased << (format.sig - 1) | fraction }
    }

    pub fn nan(format: Format) -> FloatValue {
        assert!(format.is_supported(), "unsupported float format {format:?}");
        FloatValue::pack(format, false, format.max_biased(), 1 << (format.sig - 2))
    }

    pub fn infinity(format: Format, neg: bool) -> FloatValue {
        FloatValue::pack(format, neg, format.max_biased(), 0)
    }

    pub fn zero(format: Format, neg: bool) -> FloatValue {
        FloatValue::pack(format, neg, 0, 0)
    }

    pub fn one(format: Format) -> FloatValue {
        FloatValue::pack(format, false, format.bias() as u128, 0)
    }

    /// The finite value of greatest magnitude.
    pub fn largest(format: Format, neg: bool) -> FloatValue {
        FloatValue::pack(format, neg, format.max_biased() - 1, (1 << (format.sig - 1)) - 1)
    }

    /// Reads the packed form; every NaN pattern gives the one NaN.
    pub fn from_bits(format: Format, bits: &Bits) -> FloatValue {
        assert!(format.is_supported(), "unsupported float format {format:?}");
        assert_eq!(bits.width(), format.width(), "packed {format:?}");
        let bits = bits.to_u128().expect("a supported format fits");
        let float = FloatValue { format, bits };
        if float.is_nan() { FloatValue::nan(format) } else { float }
    }

    /// The packed form (of NaN: the canonical quiet pattern).
    pub fn to_bits(self) -> Bits {
        Bits::new(self.bits, self.format.width())
    }

    pub fn from_f32(x: f32) -> FloatValue {
        FloatValue::from_bits(Format::F32, &Bits::new(x.to_bits() as u128, 32))
    }

    pub fn from_f64(x: f64) -> FloatValue {
        FloatValue::from_bits(Format::F64, &Bits::new(x.to_bits() as u128, 64))
    }

    /// The native value, when the format is single.
    pub fn to_f32(self) -> Option<f32> {
        (self.format == Format::F32).then(|| f32::from_bits(self.bits as u32))
    }

    /// The native value, when the format is double.
    pub fn to_f64(self) -> Option<f64> {
        (self.format == Format::F64).then(|| f64::from_bits(self.bits as u64))
    }

    pub fn format(self) -> Format {
        self.format
    }

    fn biased(self) -> u128 {
        self.bits >> (self.format.sig - 1) & self.format.max_biased()
    }

    fn fraction(self) -> u128 {
        self.bits & ((1 << (self.format.sig - 1)) - 1)
    }

    fn sign_bit(self) -> bool {
        self.bits >> (self.format.width() - 1) & 1 == 1
    }

    pub fn is_nan(self) -> bool {
        self.biased() == self.format.max_biased() && self.fraction() != 0
    }

    pub fn is_infinite(self) -> bool {
        self.biased() == self.format.max_biased() && self.fraction() == 0
    }

    pub fn is_zero(self) -> bool {
        self.biased() == 0 && self.fraction() == 0
    }

    pub fn is_normal(self) -> bool {
        self.biased() != 0 && self.biased() != self.format.max_biased()
    }

    pub fn is_subnormal(self) -> bool {
        self.biased() == 0 && self.fraction() != 0
    }

    /// Sign bit set, NaN excluded.
    pub fn is_negative(self) -> bool {
        self.sign_bit() && !self.is_nan()
    }

    /// Sign bit clear, NaN excluded.
    pub fn is_positive(self) -> bool {
        !self.sign_bit() && !self.is_nan()
    }

    fn unpack(self) -> Unpacked {
        let (biased, fraction, neg) = (self.biased(), self.fraction(), self.sign_bit());
        if biased == self.format.max_biased() {
            return if fraction == 0 { Inf { neg } } else { Nan };
        }
        let hidden = if biased == 0 { 0 } else { 1 << (self.format.sig - 1) };
        let exp = self.format.min_exp() + (biased as i64 - 1).max(0);
        Finite { neg, mant: BigUint::from(hidden | fraction), exp }
    }

    /// The float nearest to `±(mant + t) * 2^exp`, where `t` is 0, or strictly between 0 and 1 when `inexact`.
    ///
    /// With `inexact`, `mant` must have at least two bits more than the format, so that the cut lies above `t`.
    fn round(format: Format, mode: RoundingMode, neg: bool, mant: &BigUint, exp: i64, inexact: bool) -> FloatValue {
        if mant.is_zero() && !inexact {
            return FloatValue::zero(format, neg);
        }
        let precision = format.sig as i64;
        debug_assert!(!inexact || mant.bits() as i64 >= precision + 2);
        let top = exp + mant.bits() as i64 - 1;
        // Exponent of the last place kept.
        let mut last = (top - (precision - 1)).max(format.min_exp());
        let cut = last - exp;
        let mut kept = if cut <= 0 {
            mant << (-cut) as u64
        } else {
            let kept = mant >> cut as u64;
            let tail = mant - (&kept << cut as u64);
            let versus_half = match tail.cmp(&(BigUint::one() << (cut - 1) as u64)) {
                Ordering::Equal if inexact => Ordering::Greater,
                order => order,
            };
            let exact = tail.is_zero() && !inexact;
            let up = !exact && round_up(mode, neg, kept.is_odd(), versus_half);
            kept + up as u32
        };
        if kept.bits() as i64 > precision {
            kept >>= 1u32;
            last += 1;
        }
        if kept.is_zero() {
            return FloatValue::zero(format, neg);
        }
        let kept = kept.to_u128().expect("at most `sig` bits");
        if kept >> (precision - 1) == 0 {
            return FloatValue::pack(format, neg, 0, kept);
        }
        let biased = last - format.min_exp() + 1;
        if biased >= format.max_biased() as i64 {
            let to_infinity = match mode {
                RoundingMode::NearestEven | RoundingMode::NearestAway => true,
                RoundingMode::Up => !neg,
                RoundingMode::Down => neg,
                RoundingMode::Zero => false,
            };
            return if to_infinity { FloatValue::infinity(format, neg) } else { FloatValue::largest(format, neg) };
        }
        FloatValue::pack(format, neg, biased as u128, kept & ((1 << (precision - 1)) - 1))
    }

    pub fn neg(self) -> FloatValue {
        if self.is_nan() { self } else { FloatValue { bits: self.bits ^ 1 << (self.format.width() - 1), ..self } }
    }

    pub fn abs(self) -> FloatValue {
        if self.sign_bit() { self.neg() } else { self }
    }

    pub fn add(self, y: FloatValue, mode: RoundingMode) -> FloatValue {
        sum(self.format, mode, self.unpack(), y.unpack())
    }

    pub fn sub(self, y: FloatValue, mode: RoundingMode) -> FloatValue {
        self.add(y.neg(), mode)
    }

    pub fn mul(self, y: FloatValue, mode: RoundingMode) -> FloatValue {
        match product(self.unpack(), y.unpack()) {
            Nan => FloatValue::nan(self.format),
            Inf { neg } => FloatValue::infinity(self.format, neg),
            Finite { neg, mant, exp } => FloatValue::round(self.format, mode, neg, &mant, exp, false),
        }
    }

    /// `self * y + z`, rounded once.
    pub fn fma(self, y: FloatValue, z: FloatValue, mode: RoundingMode) -> FloatValue {
        sum(self.format, mode, product(self.unpack(), y.unpack()), z.unpack())
    }

    pub fn div(self, y: FloatValue, mode: RoundingMode) -> FloatValue {
        let format = self.format;
        match (self.unpack(), y.unpack()) {
            (Nan, _) | (_, Nan) | (Inf { .. }, Inf { .. }) => FloatValue::nan(format),
            (Inf { neg: a }, Finite { neg: b, .. }) => FloatValue::infinity(format, a != b),
            (Finite { neg: a, .. }, Inf { neg: b }) => FloatValue::zero(format, a != b),
            (Finite { neg: a, mant: m, exp: i }, Finite { neg: b, mant: n, exp: j }) => {
                match (m.is_zero(), n.is_zero()) {
                    (true, true) => FloatValue::nan(format),
                    (true, false) => FloatValue::zero(format, a != b),
                    (false, true) => FloatValue::infinity(format, a != b),
                    (false, false) => quotient(format, mode, a != b, &m, &n, i - j),
                }
            }
        }
    }

    pub fn sqrt(self, mode: RoundingMode) -> FloatValue {
        let format = self.format;
        match self.unpack() {
            Nan | Inf { neg: true } => FloatValue::nan(format),
            Inf { neg: false } => self,
            Finite { mant, .. } if mant.is_zero() => self,
            Finite { neg: true, .. } => FloatValue::nan(format),
            Finite { neg: false, mut mant, mut exp } => {
                if exp.is_odd() {
                    mant <<= 1u32;
                    exp -= 1;
                }
                // The root then has at least two bits more than the format.
                let pad = (format.sig as u64 + 3).saturating_sub(mant.bits() / 2);
                mant <<= 2 * pad;
                exp -= 2 * pad as i64;
                let root = mant.sqrt();
                let inexact = &root * &root != mant;
                FloatValue::round(format, mode, false, &root, exp / 2, inexact)
            }
        }
    }

    /// The IEEE remainder: `self - y * n` with `n` the integer nearest to `self / y`, ties to even. Always exact.
    pub fn rem(self, y: FloatValue) -> FloatValue {
        let format = self.format;
        match (self.unpack(), y.unpack()) {
            (Nan, _) | (_, Nan) | (Inf { .. }, _) => FloatValue::nan(format),
            (Finite { .. }, Inf { .. }) => self,
            (Finite { neg, mant: m, exp: i }, Finite { mant: n, exp: j, .. }) => {
                if n.is_zero() {
                    return FloatValue::nan(format);
                }
                let exp = i.min(j);
                let (m, n) = (m << (i - exp) as u64, n << (j - exp) as u64);
                let (count, rest) = m.div_rem(&n);
                let twice: BigUint = &rest << 1u32;
                let past = twice > n || twice == n && count.is_odd();
                let (neg, rest) = if past { (!neg, n - rest) } else { (neg, rest) };
                FloatValue::round(format, RoundingMode::NearestEven, neg, &rest, exp, false)
            }
        }
    }

    pub fn round_to_integral(self, mode: RoundingMode) -> FloatValue {
        match self.unpack() {
            Nan | Inf { .. } => self,
            Finite { neg, mant, exp } => {
                let whole = integral(mode, neg, &mant, exp);
                FloatValue::round(self.format, mode, neg, &whole, 0, false)
            }
        }
    }

    /// The value rounded to an integer; `None` for NaN and infinities.
    pub fn to_integer(self, mode: RoundingMode) -> Option<BigInt> {
        match self.unpack() {
            Nan | Inf { .. } => None,
            Finite { neg, mant, exp } => {
                let sign = if neg { Sign::Minus } else { Sign::Plus };
                Some(BigInt::from_biguint(sign, integral(mode, neg, &mant, exp)))
            }
        }
    }

    /// The rounded value as unsigned bits; `None` where SMT-LIB leaves the result unspecified.
    pub fn to_ubv(self, mode: RoundingMode, width: u32) -> Option<Bits> {
        let bits = Bits::from_biguint(&self.to_integer(mode)?.to_biguint()?, width);
        (BigInt::from(&bits) == self.to_integer(mode)?).then_some(bits)
    }

    /// The rounded value as two's complement bits; `None` where SMT-LIB leaves the result unspecified.
    pub fn to_sbv(self, mode: RoundingMode, width: u32) -> Option<Bits> {
        let integer = self.to_integer(mode)?;
        let bits = Bits::from_bigint(&integer, width);
        (bits.to_bigint() == integer).then_some(bits)
    }

    pub fn from_integer(format: Format, mode: RoundingMode, value: &BigInt) -> FloatValue {
        FloatValue::round(format, mode, value.sign() == Sign::Minus, value.magnitude(), 0, false)
    }

    /// The float nearest to `±numerator / denominator`; the denominator must not be zero.
    pub fn from_ratio(
        format: Format,
        mode: RoundingMode,
        neg: bool,
        numerator: &BigUint,
        denominator: &BigUint,
    ) -> FloatValue {
        if numerator.is_zero() {
            return FloatValue::zero(format, neg);
        }
        quotient(format, mode, neg, numerator, denominator, 0)
    }

    pub fn convert(self, format: Format, mode: RoundingMode) -> FloatValue {
        match self.unpack() {
            Nan => FloatValue::nan(format),
            Inf { neg } => FloatValue::infinity(format, neg),
            Finite { neg, mant, exp } => FloatValue::round(format, mode, neg, &mant, exp, false),
        }
    }

    /// Reads a decimal or hexadecimal floating literal as C writes them, without suffix: `1.5e-3`, `0x1.8p4`.
    pub fn parse(format: Format, mode: RoundingMode, text: &str) -> Option<FloatValue> {
        let (neg, text) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let hex = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
        let (body, radix, mark) = hex.map_or((text, 10, ['e', 'E']), |body| (body, 16, ['p', 'P']));
        let (digits, exponent) = match body.split_once(mark) {
            Some((digits, exponent)) => (digits, exponent.parse::<i64>().ok()?),
            None => (body, 0),
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let number = BigUint::parse_bytes(format!("{whole}{fraction}").as_bytes(), radix)?;
        // Far outside every format: keep the exact arithmetic below within reason.
        let exponent = exponent.clamp(-1_000_000, 1_000_000);
        let places = fraction.len() as i64;
        if radix == 16 {
            return Some(FloatValue::round(format, mode, neg, &number, exponent - 4 * places, false));
        }
        let scale = exponent - places;
        let power = BigUint::from(10u32).pow(scale.unsigned_abs() as u32);
        let (numerator, denominator) = if scale >= 0 { (number * power, BigUint::one()) } else { (number, power) };
        Some(FloatValue::from_ratio(format, mode, neg, &numerator, &denominator))
    }

    /// IEEE comparison; `None` when an argument is NaN.
    pub fn compare(self, y: FloatValue) -> Option<Ordering> {
        if self.is_nan() || y.is_nan() {
            return None;
        }
        if self.is_zero() && y.is_zero() {
            return Some(Ordering::Equal);
        }
        // Packed magnitudes are ordered like the values.
        let key = |x: FloatValue| {
            let magnitude = BigInt::from(x.abs().bits);
            if x.sign_bit() { -magnitude } else { magnitude }
        };
        Some(key(self).cmp(&key(y)))
    }

    /// IEEE equality.
    pub fn ieee_eq(self, y: FloatValue) -> bool {
        self.compare(y) == Some(Ordering::Equal)
    }

    pub fn lt(self, y: FloatValue) -> bool {
        self.compare(y) == Some(Ordering::Less)
    }

    pub fn le(self, y: FloatValue) -> bool {
        self.compare(y).is_some_and(Ordering::is_le)
    }

    /// The lesser; a NaN loses. `None` for zeros of different sign, which SMT-LIB leaves open.
    pub fn min(self, y: FloatValue) -> Option<FloatValue> {
        self.pick(y, Ordering::Less)
    }

    /// The greater; a NaN loses. `None` for zeros of different sign, which SMT-LIB leaves open.
    pub fn max(self, y: FloatValue) -> Option<FloatValue> {
        self.pick(y, Ordering::Greater)
    }

    fn pick(self, y: FloatValue, wanted: Ordering) -> Option<FloatValue> {
        match self.compare(y) {
            None => Some(if self.is_nan() { y } else { self }),
            Some(Ordering::Equal) => (self == y).then_some(self),
            Some(order) => Some(if order == wanted { self } else { y }),
        }
    }
}

/// The integer nearest to `±mant * 2^exp` by `mode`, as a magnitude.
fn integral(mode: RoundingMode, neg: bool, mant: &BigUint, exp: i64) -> BigUint {
    if exp >= 0 {
        return mant << exp as u64;
    }
    let cut = (-exp) as u64;
    let whole = mant >> cut;
    let tail = mant - (&whole << cut);
    if tail.is_zero() {
        return whole;
    }
    let versus_half = tail.cmp(&(BigUint::one() << (cut - 1)));
    let up = round_up(mode, neg, whole.is_odd(), versus_half);
    whole + up as u32
}

/// Does a nonzero tail round the magnitude up? `odd`: the last kept bit is one; `versus_half`: the tail against one half.
fn round_up(mode: RoundingMode, neg: bool, odd: bool, versus_half: Ordering) -> bool {
    match mode {
        RoundingMode::NearestEven => versus_half.is_gt() || versus_half.is_eq() && odd,
        RoundingMode::NearestAway => versus_half.is_ge(),
        RoundingMode::Up => !neg,
        RoundingMode::Down => neg,
        RoundingMode::Zero => false,
    }
}

/// `±m / n * 2^exp`, both nonzero, rounded.
fn quotient(format: Format, mode: RoundingMode, neg: bool, m: &BigUint, n: &BigUint, exp: i64) -> FloatValue {
    let pad = (format.sig as u64 + 3 + n.bits()).saturating_sub(m.bits());
    let (quotient, rest) = (m << pad).div_rem(n);
    FloatValue::round(format, mode, neg, &quotient, exp - pad as i64, !rest.is_zero())
}

/// The exact product.
fn product(x: Unpacked, y: Unpacked) -> Unpacked {
    match (x, y) {
        (Nan, _) | (_, Nan) => Nan,
        (Inf { neg: a }, Inf { neg: b }) => Inf { neg: a != b },
        (Inf { neg: a }, Finite { neg: b, mant, .. }) | (Finite { neg: a, mant, .. }, Inf { neg: b }) => {
            if mant.is_zero() { Nan } else { Inf { neg: a != b } }
        }
        (Finite { neg: a, mant: m, exp: i }, Finite { neg: b, mant: n, exp: j }) => {
            Finite { neg: a != b, mant: m * n, exp: i + j }
        }
    }
}

/// The rounded sum.
fn sum(format: Format, mode: RoundingMode, x: Unpacked, y: Unpacked) -> FloatValue {
    match (x, y) {
        (Nan, _) | (_, Nan) => FloatValue::nan(format),
        (Inf { neg: a }, Inf { neg: b }) => {
            if a == b {
                FloatValue::infinity(format, a)
            } else {
                FloatValue::nan(format)
            }
        }
        (Inf { neg }, Finite { .. }) | (Finite { .. }, Inf { neg }) => FloatValue::infinity(format, neg),
        (Finite { neg: a, mant: m, exp: i }, Finite { neg: b, mant: n, exp: j }) => {
            // An exact zero from opposite signs is +0, except when rounding down.
            let zero_sign = if a == b { a } else { mode == RoundingMode::Down };
            let (m_zero, n_zero) = (m.is_zero(), n.is_zero());
            let exp = match (m_zero, n_zero) {
                (true, true) => return FloatValue::zero(format, zero_sign),
                (true, false) => j,
                (false, true) => i,
                (false, false) => i.min(j),
            };
            let align = |mant: BigUint, zero: bool, from: i64, neg: bool| {
                let sign = if neg { Sign::Minus } else { Sign::Plus };
                BigInt::from_biguint(sign, if zero { mant } else { mant << (from - exp) as u64 })
            };
            let total = align(m, m_zero, i, a) + align(n, n_zero, j, b);
            if total.is_zero() {
                return FloatValue::zero(format, zero_sign);
            }
            FloatValue::round(format, mode, total.sign() == Sign::Minus, total.magnitude(), exp, false)
        }
    }
}

/// Exact, as a C hexadecimal literal; `nan`, `inf`, `-inf`.
impl fmt::Display for FloatValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.unpack() {
            Nan => write!(f, "nan"),
            Inf { neg } => write!(f, "{}inf", if neg { "-" } else { "" }),
            Finite { neg, mant, exp } => {
                let sign = if neg { "-" } else { "" };
                if mant.is_zero() {
                    return write!(f, "{sign}0x0p+0");
                }
                let zeros = mant.trailing_zeros().unwrap_or(0);
                let (mant, exp) = (mant >> zeros, exp + zeros as i64);
                write!(f, "{sign}0x{mant:x}p{exp:+}")
            }
        }
    }
}

impl fmt::Debug for FloatValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}:{:?}", self.format)
    }
}
