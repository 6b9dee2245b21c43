//! Bit-vector values of any width with every SMT-LIB operation on them.
//!
//! Widths up to 128 live in one `u128` (the fast path); wider values fall back to big integers. The value is always kept
//! reduced modulo `2^width`, so structural equality is equality of values. Division follows SMT-LIB: `x / 0` is all ones,
//! `x % 0` is `x`, and the signed forms follow from those by cases on signs.

use std::cmp::Ordering;
use std::fmt;

use num_bigint::{BigInt, BigUint, Sign};
use num_integer::Integer;
use num_traits::{One, ToPrimitive, Zero};

/// A bit-vector value: an unsigned integer below `2^width`.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Bits {
    width: u32,
    repr: Repr,
}

/// `Small` exactly when the width is at most 128.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Repr {
    Small(u128),
    Big(Box<BigUint>),
}

/// The `width` lowest bits set.
#[inline]
fn mask(width: u32) -> u128 {
    if width >= 128 { u128::MAX } else { (1 << width) - 1 }
}

/// The small value `x` of `width <= 128` bits, sign-extended to an `i128`.
#[inline]
fn signed(x: u128, width: u32) -> i128 {
    let shift = 128 - width;
    ((x << shift) as i128) >> shift
}

/// The inverse of an odd number modulo `2^128`, and so modulo every smaller power of two, by Newton's iteration: an odd
/// number is its own inverse to three bits, and each step doubles the number of correct ones.
pub fn inverse_of_odd(odd: u128) -> u128 {
    debug_assert!(odd & 1 == 1, "even numbers have no inverse");
    (0..6).fold(odd, |x, _| x.wrapping_mul(2u128.wrapping_sub(odd.wrapping_mul(x))))
}

impl Bits {
    /// `value mod 2^width`; bits of wider vectors above bit 127 are zero.
    #[inline]
    pub fn new(value: u128, width: u32) -> Bits {
        assert!(width > 0, "a bit-vector has at least one bit");
        if width <= 128 {
            Bits { width, repr: Repr::Small(value & mask(width)) }
        } else {
            Bits { width, repr: Repr::Big(Box::new(BigUint::from(value))) }
        }
    }

    /// `value mod 2^width` in two's complement.
    #[inline]
    pub fn from_i128(value: i128, width: u32) -> Bits {
        if width <= 128 { Bits::new(value as u128, width) } else { Bits::from_bigint(&BigInt::from(value), width) }
    }

    /// `value mod 2^width`.
    pub fn from_biguint(value: &BigUint, width: u32) -> Bits {
        assert!(width > 0, "a bit-vector has at least one bit");
        let value = if value.bits() > width as u64 { value & &big_mask(width) } else { value.clone() };
        if width <= 128 {
            let small = value.to_u128().expect("reduced below 2^128");
            Bits { width, repr: Repr::Small(small) }
        } else {
            Bits { width, repr: Repr::Big(Box::new(value)) }
        }
    }

    /// `value mod 2^width` in two's complement.
    pub fn from_bigint(value: &BigInt, width: u32) -> Bits {
        let modulus = BigInt::from(BigUint::one() << width);
        let reduced = value.mod_floor(&modulus);
        Bits::from_biguint(reduced.magnitude(), width)
    }

    /// Reads digits of base 2, 10 or 16; `None` on a stray character or when the value does not fit.
    pub fn parse(digits: &str, radix: u32, width: u32) -> Option<Bits> {
        let value = BigUint::parse_bytes(digits.as_bytes(), radix)?;
        (value.bits() <= width as u64).then(|| Bits::from_biguint(&value, width))
    }

    pub fn zero(width: u32) -> Bits {
        Bits::new(0, width)
    }

    pub fn one(width: u32) -> Bits {
        Bits::new(1, width)
    }

    /// All ones: the greatest unsigned value and the signed -1.
    pub fn ones(width: u32) -> Bits {
        if width <= 128 { Bits::new(u128::MAX, width) } else { Bits::from_biguint(&big_mask(width), width) }
    }

    /// `100…0`: the least signed value.
    pub fn min_signed(width: u32) -> Bits {
        Bits::one(width).shl_by(width - 1)
    }

    /// `011…1`: the greatest signed value.
    pub fn max_signed(width: u32) -> Bits {
        Bits::min_signed(width).not()
    }

    /// The 32 lowest bits.
    #[inline]
    pub(crate) fn low_word(&self) -> u32 {
        match &self.repr {
            Repr::Small(value) => *value as u32,
            Repr::Big(value) => value.iter_u32_digits().next().unwrap_or(0),
        }
    }

    #[inline]
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The unsigned value when it fits in 128 bits (always, for widths up to 128).
    #[inline]
    pub fn to_u128(&self) -> Option<u128> {
        match &self.repr {
            Repr::Small(x) => Some(*x),
            Repr::Big(x) => x.to_u128(),
        }
    }

    /// The unsigned value when it fits in 64 bits.
    pub fn to_u64(&self) -> Option<u64> {
        self.to_u128().and_then(|x| u64::try_from(x).ok())
    }

    /// The two's complement value when it fits in 128 bits (always, for widths up to 128).
    pub fn to_i128(&self) -> Option<i128> {
        match &self.repr {
            Repr::Small(x) => Some(signed(*x, self.width)),
            Repr::Big(_) => self.to_bigint().to_i128(),
        }
    }

    pub fn to_biguint(&self) -> BigUint {
        match &self.repr {
            Repr::Small(x) => BigUint::from(*x),
            Repr::Big(x) => (**x).clone(),
        }
    }

    /// The two's complement value.
    pub fn to_bigint(&self) -> BigInt {
        let magnitude = BigInt::from(self.to_biguint());
        if self.is_negative() { magnitude - BigInt::from(BigUint::one() << self.width) } else { magnitude }
    }

    pub fn bit(&self, index: u32) -> bool {
        debug_assert!(index < self.width);
        match &self.repr {
            Repr::Small(x) => x >> index & 1 == 1,
            Repr::Big(x) => x.bit(index as u64),
        }
    }

    /// The top bit, read as a two's complement sign.
    #[inline]
    pub fn is_negative(&self) -> bool {
        self.bit(self.width - 1)
    }

    #[inline]
    pub fn is_zero(&self) -> bool {
        match &self.repr {
            Repr::Small(x) => *x == 0,
            Repr::Big(x) => x.is_zero(),
        }
    }

    #[inline]
    pub fn is_one(&self) -> bool {
        match &self.repr {
            Repr::Small(x) => *x == 1,
            Repr::Big(x) => x.is_one(),
        }
    }

    #[inline]
    pub fn is_ones(&self) -> bool {
        match &self.repr {
            Repr::Small(x) => *x == mask(self.width),
            Repr::Big(_) => *self == Bits::ones(self.width),
        }
    }

    pub fn is_min_signed(&self) -> bool {
        *self == Bits::min_signed(self.width)
    }

    /// `Some(k)` when the value is `2^k`.
    pub fn power_of_two(&self) -> Option<u32> {
        match &self.repr {
            Repr::Small(x) => x.is_power_of_two().then(|| x.trailing_zeros()),
            Repr::Big(x) => (x.count_ones() == 1).then(|| x.trailing_zeros().unwrap_or(0) as u32),
        }
    }

    pub fn trailing_zeros(&self) -> u32 {
        match &self.repr {
            Repr::Small(x) => x.trailing_zeros().min(self.width),
            Repr::Big(x) => x.trailing_zeros().map_or(self.width, |n| n as u32),
        }
    }

    pub fn leading_zeros(&self) -> u32 {
        match &self.repr {
            Repr::Small(x) => self.width - (128 - x.leading_zeros()),
            Repr::Big(x) => self.width - x.bits() as u32,
        }
    }

    /// Applies the small operation when both fit in 128 bits, the big one otherwise; reduces the result.
    #[inline]
    fn zip(&self, y: &Bits, small: impl Fn(u128, u128) -> u128, big: impl Fn(BigUint, BigUint) -> BigUint) -> Bits {
        debug_assert_eq!(self.width, y.width, "bit-vector widths differ");
        match (&self.repr, &y.repr) {
            (Repr::Small(a), Repr::Small(b)) => Bits::new(small(*a, *b), self.width),
            _ => Bits::from_biguint(&big(self.to_biguint(), y.to_biguint()), self.width),
        }
    }

    pub fn not(&self) -> Bits {
        match &self.repr {
            Repr::Small(x) => Bits::new(!x, self.width),
            Repr::Big(x) => Bits::from_biguint(&(big_mask(self.width) ^ &**x), self.width),
        }
    }

    pub fn neg(&self) -> Bits {
        match &self.repr {
            Repr::Small(x) => Bits::new(x.wrapping_neg(), self.width),
            Repr::Big(_) => Bits::from_bigint(&-BigInt::from(self.to_biguint()), self.width),
        }
    }

    pub fn add(&self, y: &Bits) -> Bits {
        self.zip(y, u128::wrapping_add, |a, b| a + b)
    }

    pub fn sub(&self, y: &Bits) -> Bits {
        self.add(&y.neg())
    }

    pub fn mul(&self, y: &Bits) -> Bits {
        self.zip(y, u128::wrapping_mul, |a, b| a * b)
    }

    /// What gives 1 when multiplied with this number: there is one for odd numbers. `None` for even ones, and beyond 128
    /// bits.
    pub fn inverse(&self) -> Option<Bits> {
        let odd = self.to_u128().filter(|_| self.width <= 128 && self.bit(0))?;
        Some(Bits::new(inverse_of_odd(odd), self.width))
    }

    /// Unsigned quotient; all ones when `y` is zero.
    pub fn udiv(&self, y: &Bits) -> Bits {
        if y.is_zero() { Bits::ones(self.width) } else { self.zip(y, |a, b| a / b, |a, b| a / b) }
    }

    /// Unsigned remainder; `self` when `y` is zero.
    pub fn urem(&self, y: &Bits) -> Bits {
        if y.is_zero() { self.clone() } else { self.zip(y, |a, b| a % b, |a, b| a % b) }
    }

    /// The absolute value as an unsigned number (`min_signed` stays itself).
    fn magnitude(&self) -> Bits {
        if self.is_negative() { self.neg() } else { self.clone() }
    }

    /// Signed quotient, truncated; by zero: 1 for negative `self`, else -1.
    pub fn sdiv(&self, y: &Bits) -> Bits {
        let quotient = self.magnitude().udiv(&y.magnitude());
        if self.is_negative() != y.is_negative() { quotient.neg() } else { quotient }
    }

    /// Signed remainder with the sign of the dividend; `self` when `y` is zero.
    pub fn srem(&self, y: &Bits) -> Bits {
        let remainder = self.magnitude().urem(&y.magnitude());
        if self.is_negative() { remainder.neg() } else { remainder }
    }

    /// Signed remainder with the sign of the divisor; `self` when `y` is zero.
    pub fn smod(&self, y: &Bits) -> Bits {
        let remainder = self.magnitude().urem(&y.magnitude());
        if remainder.is_zero() {
            return remainder;
        }
        match (self.is_negative(), y.is_negative()) {
            (false, false) => remainder,
            (true, false) => remainder.neg().add(y),
            (false, true) => remainder.add(y),
            (true, true) => remainder.neg(),
        }
    }

    pub fn and(&self, y: &Bits) -> Bits {
        self.zip(y, |a, b| a & b, |a, b| a & b)
    }

    pub fn or(&self, y: &Bits) -> Bits {
        self.zip(y, |a, b| a | b, |a, b| a | b)
    }

    pub fn xor(&self, y: &Bits) -> Bits {
        self.zip(y, |a, b| a ^ b, |a, b| a ^ b)
    }

    /// The shift distance when it is below the width.
    fn shift_amount(&self, y: &Bits) -> Option<u32> {
        y.to_u128().filter(|&n| n < self.width as u128).map(|n| n as u32)
    }

    pub fn shl_by(&self, n: u32) -> Bits {
        if n >= self.width {
            return Bits::zero(self.width);
        }
        match &self.repr {
            Repr::Small(x) => Bits::new(x << n, self.width),
            Repr::Big(x) => Bits::from_biguint(&(&**x << n), self.width),
        }
    }

    pub fn lshr_by(&self, n: u32) -> Bits {
        if n >= self.width {
            return Bits::zero(self.width);
        }
        match &self.repr {
            Repr::Small(x) => Bits::new(x >> n, self.width),
            Repr::Big(x) => Bits::from_biguint(&(&**x >> n), self.width),
        }
    }

    pub fn ashr_by(&self, n: u32) -> Bits {
        let n = n.min(self.width - 1);
        match &self.repr {
            Repr::Small(x) => Bits::new((signed(*x, self.width) >> n) as u128, self.width),
            Repr::Big(_) => Bits::from_bigint(&(self.to_bigint() >> n), self.width),
        }
    }

    /// Left shift; distances of the width or more give zero.
    pub fn shl(&self, y: &Bits) -> Bits {
        self.shl_by(self.shift_amount(y).unwrap_or(self.width))
    }

    /// Logical right shift; distances of the width or more give zero.
    pub fn lshr(&self, y: &Bits) -> Bits {
        self.lshr_by(self.shift_amount(y).unwrap_or(self.width))
    }

    /// Arithmetic right shift; distances of the width or more give the sign everywhere.
    pub fn ashr(&self, y: &Bits) -> Bits {
        self.ashr_by(self.shift_amount(y).unwrap_or(self.width))
    }

    /// `self` becomes the high part.
    pub fn concat(&self, low: &Bits) -> Bits {
        let width = self.width + low.width;
        match (&self.repr, &low.repr) {
            (Repr::Small(a), Repr::Small(b)) if width <= 128 => Bits::new(a << low.width | b, width),
            _ => Bits::from_biguint(&(self.to_biguint() << low.width | low.to_biguint()), width),
        }
    }

    /// Bits `hi` down to `lo`, both included.
    pub fn extract(&self, hi: u32, lo: u32) -> Bits {
        assert!(lo <= hi && hi < self.width, "extract [{hi}:{lo}] of {} bits", self.width);
        match &self.repr {
            Repr::Small(x) => Bits::new(x >> lo, hi - lo + 1),
            Repr::Big(x) => Bits::from_biguint(&(&**x >> lo), hi - lo + 1),
        }
    }

    /// Widens by `n` zero bits.
    pub fn zero_extend(&self, n: u32) -> Bits {
        match &self.repr {
            Repr::Small(x) => Bits::new(*x, self.width + n),
            Repr::Big(x) => Bits { width: self.width + n, repr: Repr::Big(x.clone()) },
        }
    }

    /// Widens by `n` copies of the sign.
    pub fn sign_extend(&self, n: u32) -> Bits {
        match &self.repr {
            Repr::Small(x) => Bits::from_i128(signed(*x, self.width), self.width + n),
            Repr::Big(_) => Bits::from_bigint(&self.to_bigint(), self.width + n),
        }
    }

    pub fn ucmp(&self, y: &Bits) -> Ordering {
        debug_assert_eq!(self.width, y.width, "bit-vector widths differ");
        match (&self.repr, &y.repr) {
            (Repr::Small(a), Repr::Small(b)) => a.cmp(b),
            _ => self.to_biguint().cmp(&y.to_biguint()),
        }
    }

    pub fn scmp(&self, y: &Bits) -> Ordering {
        match y.is_negative().cmp(&self.is_negative()) {
            Ordering::Equal => self.ucmp(y),
            signs_differ => signs_differ,
        }
    }

    pub fn ult(&self, y: &Bits) -> bool {
        self.ucmp(y).is_lt()
    }

    pub fn ule(&self, y: &Bits) -> bool {
        self.ucmp(y).is_le()
    }

    pub fn slt(&self, y: &Bits) -> bool {
        self.scmp(y).is_lt()
    }

    pub fn sle(&self, y: &Bits) -> bool {
        self.scmp(y).is_le()
    }

    /// Does `self + y` leave the unsigned range?
    pub fn uaddo(&self, y: &Bits) -> bool {
        self.add(y).ult(self)
    }

    /// Does `self + y` leave the signed range?
    pub fn saddo(&self, y: &Bits) -> bool {
        let sum = self.add(y);
        self.is_negative() == y.is_negative() && sum.is_negative() != self.is_negative()
    }

    /// Does `self - y` leave the signed range?
    pub fn ssubo(&self, y: &Bits) -> bool {
        let difference = self.sub(y);
        self.is_negative() != y.is_negative() && difference.is_negative() != self.is_negative()
    }

    /// Does `self * y` leave the unsigned range?
    pub fn umulo(&self, y: &Bits) -> bool {
        if let (Repr::Small(a), Repr::Small(b)) = (&self.repr, &y.repr) {
            return a.checked_mul(*b).is_none_or(|product| product > mask(self.width));
        }
        (self.to_biguint() * y.to_biguint()).bits() > self.width as u64
    }

    /// Does `self * y` leave the signed range?
    pub fn smulo(&self, y: &Bits) -> bool {
        if let (Repr::Small(a), Repr::Small(b)) = (&self.repr, &y.repr) {
            let product = signed(*a, self.width).checked_mul(signed(*b, self.width));
            return product.is_none_or(|p| signed(p as u128 & mask(self.width), self.width) != p);
        }
        let product = self.to_bigint() * y.to_bigint();
        self.mul(y).to_bigint() != product
    }
}

fn big_mask(width: u32) -> BigUint {
    (BigUint::one() << width) - 1u32
}

/// By width, then by unsigned value.
impl Ord for Bits {
    fn cmp(&self, y: &Bits) -> Ordering {
        self.width.cmp(&y.width).then_with(|| self.ucmp(y))
    }
}

impl PartialOrd for Bits {
    fn partial_cmp(&self, y: &Bits) -> Option<Ordering> {
        Some(self.cmp(y))
    }
}

/// The unsigned value in decimal.
impl fmt::Display for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.repr {
            Repr::Small(x) => write!(f, "{x}"),
            Repr::Big(x) => write!(f, "{x}"),
        }
    }
}

impl fmt::Debug for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}:{}", self.width)
    }
}

impl From<&Bits> for BigInt {
    /// The unsigned value.
    fn from(bits: &Bits) -> BigInt {
        BigInt::from_biguint(Sign::Plus, bits.to_biguint())
    }
}
