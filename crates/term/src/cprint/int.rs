//! Bit-vectors as C integers: the three faces (see the module above).

use num_bigint::BigInt;
use num_traits::{Signed, Zero};

use super::Printer;
use super::expr::{CInt, Expr, Level};
use crate::op::Op;
use crate::store::Term;

impl Printer<'_> {
    /// The face that needs no conversion: signed or unsigned by the names inside.
    pub(super) fn natural(&self, t: Term) -> Option<Expr> {
        if self.likes(t).signed { self.signed(t) } else { self.unsigned(t) }
    }

    /// Which faces the term has without a cast around it.
    fn likes(&self, t: Term) -> Likes {
        let store = self.store;
        if let Some(name) = self.names.name_of(store, t) {
            return Likes { signed: name.signed, unsigned: !name.signed };
        }
        let both = |likes: Likes, other: Likes| Likes {
            signed: likes.signed && other.signed,
            unsigned: likes.unsigned && other.unsigned,
        };
        match (store.op(t), store.args(t)) {
            (Op::BvConst(_), _) => Likes { signed: true, unsigned: true },
            (Op::ZeroExtend(n), &[a]) => Likes { signed: n > 0 || self.likes(a).unsigned, unsigned: true },
            (Op::SignExtend(_), &[a]) => {
                Likes { signed: true, unsigned: self.likes(a).unsigned && store.is_nonnegative(a) }
            }
            (Op::Ite, &[_, a, b]) => both(self.likes(a), self.likes(b)),
            (Op::BvSdiv | Op::BvSrem | Op::BvAshr, _) => Likes { signed: true, unsigned: false },
            (Op::BvAdd | Op::BvMul | Op::BvNeg, _) if self.is_exact(t) => Likes { signed: true, unsigned: false },
            _ => Likes { signed: false, unsigned: true },
        }
    }

    /// Does the signed result of this sum, product or negation always fit?
    fn is_exact(&self, t: Term) -> bool {
        let store = self.store;
        let width = store.width(t);
        let bits = |a: Term| store.signed_bits(a);
        match (store.op(t), store.args(t)) {
            (Op::BvAdd, &[a, b]) => bits(a).max(bits(b)) < width,
            (Op::BvMul, &[a, b]) => bits(a) + bits(b) <= width,
            (Op::BvNeg, &[a]) => bits(a) < width,
            _ => false,
        }
    }

    /// An expression whose value is the term's signed value.
    pub(super) fn signed(&self, t: Term) -> Option<Expr> {
        let store = self.store;
        let width = store.width(t);
        if let Some(name) = self.named(t)? {
            return as_signed(&name, width);
        }
        match (store.op(t), store.args(t)) {
            (Op::BvConst(_), _) => Expr::number(&store.as_bv_const(t)?.to_bigint()),
            (Op::SignExtend(_), &[a]) => self.signed(a),
            (Op::ZeroExtend(n), &[a]) if n > 0 => self.unsigned(a),
            (Op::Ite, &[c, a, b]) => {
                let (a, b) = signed_pair(self.signed(a)?, self.signed(b)?)?;
                self.choice(c, a, b)
            }
            (Op::BvAdd | Op::BvMul | Op::BvNeg, _) if self.is_exact(t) => self.exact(t),
            (Op::BvSdiv | Op::BvSrem, &[a, b]) => self.signed_division(t, a, b),
            (Op::BvAshr, &[a, b]) => {
                let last = Expr::number(&BigInt::from(width - 1))?;
                let distance = self.limited_distance(b, width, last)?;
                let a = self.signed(a)?;
                let wide = a.ty.promoted().width >= width;
                let a = if wide { a } else { a.cast(CInt::at_least(true, width)?) };
                Some(Expr::binary(&a, ">>", &distance, Level::SHIFT, a.ty.promoted()))
            }
            (Op::BvUdiv | Op::BvUrem | Op::BvLshr | Op::ZeroExtend(_), _) => as_signed(&self.unsigned(t)?, width),
            _ => as_signed(&self.modular(t)?, width),
        }
    }

    /// An expression whose value is the term's unsigned value.
    pub(super) fn unsigned(&self, t: Term) -> Option<Expr> {
        let store = self.store;
        let width = store.width(t);
        if let Some(name) = self.named(t)? {
            return as_unsigned(&name, width);
        }
        match (store.op(t), store.args(t)) {
            (Op::BvConst(_), _) => Expr::number(&BigInt::from(store.as_bv_const(t)?)),
            (Op::ZeroExtend(_), &[a]) => self.unsigned(a),
            (Op::Ite, &[c, a, b]) => self.choice(c, self.unsigned(a)?, self.unsigned(b)?),
            (Op::BvUdiv, &[a, b]) => {
                let all_ones = Expr::number(&((BigInt::from(1) << width) - 1))?;
                self.unsigned_division(a, "/", b, all_ones)
            }
            (Op::BvUrem, &[a, b]) => self.unsigned_division(a, "%", b, self.unsigned(a)?),
            (Op::BvLshr, &[a, b]) => self.shift(self.unsigned(a)?.wide_unsigned(width)?, ">>", b, width),
            (Op::Extract { hi, lo }, &[a]) if hi + 1 == store.width(a) => {
                let a = self.unsigned(a)?.wide_unsigned(hi + 1)?;
                let by = Expr::number(&BigInt::from(lo))?;
                Some(Expr::binary(&a, ">>", &by, Level::SHIFT, a.ty))
            }
            (Op::BvSdiv | Op::BvSrem | Op::BvAshr, _) => as_unsigned(&self.signed(t)?, width),
            _ => as_unsigned(&self.modular(t)?, width),
        }
    }

    /// An expression congruent to the term modulo `2^width`.
    fn modular(&self, t: Term) -> Option<Expr> {
        let store = self.store;
        let width = store.width(t);
        if let Some(name) = self.named(t)? {
            return Some(name);
        }
        match (store.op(t), store.args(t)) {
            (Op::SignExtend(_), &[a]) => self.signed(a),
            (Op::Extract { lo: 0, .. }, &[a]) => self.modular(a),
            (Op::Extract { lo, .. }, &[a]) => {
                let a = self.modular(a)?.wide_unsigned(store.width(a))?;
                let by = Expr::number(&BigInt::from(lo))?;
                Some(Expr::binary(&a, ">>", &by, Level::SHIFT, a.ty))
            }
            (Op::Concat, &[a, b]) => {
                let low = store.width(b);
                let high = self.modular(a)?.wide_unsigned(width)?;
                let by = Expr::number(&BigInt::from(low))?;
                let high = Expr::binary(&high, "<<", &by, Level::SHIFT, high.ty);
                if store.is_zero(b) {
                    return Some(high);
                }
                let low = self.unsigned(b)?;
                let ty = high.ty.common(low.ty);
                Some(Expr::binary(&high, "|", &low, Level::BIT_OR, ty))
            }
            (Op::BvAdd | Op::BvMul | Op::BvNeg, _) if self.is_exact(t) => self.exact(t),
            (Op::BvAdd, &[a, b]) => self.wrapping_sum(a, b, width),
            (Op::BvMul, &[a, b]) => {
                let (a, b) = wrapping_pair(self.modular(a)?, self.modular(b)?, width)?;
                let ty = a.ty.common(b.ty);
                Some(Expr::binary(&a, "*", &b, Level::MUL, ty))
            }
            (Op::BvNeg, &[a]) => {
                let a = self.modular(a)?.wide_unsigned(width)?;
                Some(Expr::new(format!("-{}", a.at_least(Level::PRIMARY)), Level::UNARY, a.ty))
            }
            (Op::BvNot, &[a]) => {
                let a = self.modular(a)?.wide_enough(width)?;
                Some(Expr::new(format!("~{}", a.at_least(Level::UNARY)), Level::UNARY, a.ty.promoted()))
            }
            (Op::BvAnd, &[a, b]) => self.bitwise(a, "&", b, Level::BIT_AND),
            (Op::BvOr, &[a, b]) => self.bitwise(a, "|", b, Level::BIT_OR),
            (Op::BvXor, &[a, b]) => self.bitwise(a, "^", b, Level::BIT_XOR),
            (Op::BvShl, &[a, b]) => self.shift(self.modular(a)?.wide_unsigned(width)?, "<<", b, width),
            (Op::Ite, &[c, a, b]) => {
                let (a, b) = wrapping_pair(self.modular(a)?, self.modular(b)?, width)?;
                self.choice(c, a, b)
            }
            (Op::BvSdiv | Op::BvSrem | Op::BvAshr, _) => self.signed(t),
            (Op::BvConst(_) | Op::ZeroExtend(_) | Op::BvUdiv | Op::BvUrem | Op::BvLshr, _) => self.unsigned(t),
            (Op::FpToSbv(..) | Op::FpToUbv(..), _) => self.float_to_integer(t),
            _ => None,
        }
    }

    /// The name of a term, if it has one; `None` inside `None` when its C type does not fit the term.
    fn named(&self, t: Term) -> Option<Option<Expr>> {
        match self.names.name_of(self.store, t) {
            None => Some(None),
            Some(name) if name.width == self.store.width(t) => {
                let ty = CInt::exactly(name.signed, name.width)?;
                Some(Some(Expr::new(name.text, Level::PRIMARY, ty)))
            }
            Some(_) => None,
        }
    }

    fn choice(&self, cond: Term, a: Expr, b: Expr) -> Option<Expr> {
        let is = |expr: &Expr, n: u32| expr.literal.as_ref().is_some_and(|value| *value == BigInt::from(n));
        let cond = self.formula(cond)?;
        if is(&a, 1) && is(&b, 0) {
            return Some(cond); // 0 or 1 already
        }
        Expr::choice(cond, a, b)
    }

    /// A sum, product or negation of signed values that is known to fit: only the C type must be wide enough.
    fn exact(&self, t: Term) -> Option<Expr> {
        let store = self.store;
        let args = store.args(t);
        let bits = |a: Term| store.signed_bits(a);
        let needed = match store.op(t) {
            Op::BvAdd => bits(args[0]).max(bits(args[1])) + 1,
            Op::BvMul => bits(args[0]) + bits(args[1]),
            _ => bits(args[0]) + 1,
        };
        // Values of unsigned C types may be too large for the signed type of their width: go wider.
        let needed = CInt::at_least(true, needed)?;
        let prepare = |expr: Expr| {
            let ty = expr.ty.promoted();
            if ty.signed && ty.width >= needed.width { expr } else { expr.cast(needed.max(ty)) }
        };
        if let &[a] = args {
            let a = prepare(self.signed(a)?);
            return Some(Expr::new(format!("-{}", a.at_least(Level::PRIMARY)), Level::UNARY, a.ty.promoted()));
        }
        let (op, level) = if store.op(t) == Op::BvAdd { ("+", Level::ADD) } else { ("*", Level::MUL) };
        let (subtract, b) = match (op, self.subtrahend(args[1])) {
            ("+", Some(b)) => (true, b),
            _ => (false, self.signed(args[1])?),
        };
        let a = prepare(self.signed(args[0])?);
        let b = if b.ty.promoted().signed { b } else { prepare(b) };
        let ty = a.ty.common(b.ty);
        Some(Expr::binary(&a, if subtract { "-" } else { op }, &b, level, ty))
    }

    /// `b` when the term is `-b` with a negative literal: `x + -3` is written `x - 3`.
    fn subtrahend(&self, t: Term) -> Option<Expr> {
        let value = self.store.as_bv_const(t)?.to_bigint();
        if value.is_negative() { Expr::number(&-value) } else { None }
    }

    /// `a + b` modulo `2^width`, written as a difference where `b` is negated.
    fn wrapping_sum(&self, a: Term, b: Term, width: u32) -> Option<Expr> {
        let store = self.store;
        let negated = |t: Term| store.unary(t, Op::BvNeg).filter(|_| self.names.name_of(store, t).is_none());
        let (op, left, right) = if let Some(literal) = self.subtrahend(b) {
            ("-", self.modular(a)?, literal)
        } else if let Some(b) = negated(b) {
            ("-", self.modular(a)?, self.modular(b)?)
        } else if let Some(a) = negated(a) {
            ("-", self.modular(b)?, self.modular(a)?)
        } else {
            ("+", self.modular(a)?, self.modular(b)?)
        };
        let (left, right) = wrapping_pair(left, right, width)?;
        let ty = left.ty.common(right.ty);
        Some(Expr::binary(&left, op, &right, Level::ADD, ty))
    }

    /// Bits of the common type agree with the term's if that type is wide enough, signed or not.
    fn bitwise(&self, a: Term, op: &str, b: Term, level: Level) -> Option<Expr> {
        let width = self.store.width(a);
        let (mut a, b) = (self.modular(a)?, self.modular(b)?);
        if a.ty.common(b.ty).width < width {
            a = a.wide_unsigned(width)?;
        }
        let ty = a.ty.common(b.ty);
        Some(Expr::binary(&a, op, &b, level, ty))
    }

    /// `a / b` or `a % b` on unsigned values, with `by_zero` for a zero divisor.
    fn unsigned_division(&self, a: Term, op: &str, b: Term, by_zero: Expr) -> Option<Expr> {
        let (left, right) = (self.unsigned(a)?, self.unsigned(b)?);
        let divided = Expr::binary(&left, op, &right, Level::MUL, left.ty.common(right.ty));
        if self.store.as_bv_const(b).is_some_and(|c| !c.is_zero()) {
            return Some(divided);
        }
        let is_zero = Expr::truth(format!("{} == 0", right.at_least(Level::ORDER)), Level::EQ);
        Expr::choice(is_zero, by_zero, divided)
    }

    /// Signed division or remainder: zero and -1 as divisors are told apart, since C leaves them undefined.
    fn signed_division(&self, t: Term, a: Term, b: Term) -> Option<Expr> {
        let store = self.store;
        let divide = store.op(t) == Op::BvSdiv;
        let width = store.width(t);
        let (left, right) = (self.signed(a)?, self.signed(b)?);
        let op = if divide { "/" } else { "%" };
        // Signed values in unsigned C types (they are nonnegative) must not drag the other side along.
        let ty = left.ty.common(right.ty);
        let (l, r) = if ty.signed {
            (left.clone(), right.clone())
        } else {
            let wide = CInt::at_least(true, ty.width + 1)?;
            (left.cast(wide), right.clone())
        };
        let ty = l.ty.common(r.ty);
        if !ty.signed {
            return None;
        }
        let divided = Expr::binary(&l, op, &r, Level::MUL, ty);
        if store.as_bv_const(b).is_some_and(|c| !c.is_zero() && !c.is_ones()) {
            return Some(divided);
        }
        let equals = |n: i32| Expr::truth(format!("{} == {n}", right.at_least(Level::ORDER)), Level::EQ);
        let int = |n: i32| Expr::number(&BigInt::from(n));
        let (by_zero, by_minus_one) = if divide {
            let negative = Expr::truth(format!("{} < 0", left.at_least(Level::SHIFT)), Level::ORDER);
            let negated = self.modular(a)?.wide_unsigned(width)?;
            let negated = Expr::new(format!("-{}", negated.at_least(Level::PRIMARY)), Level::UNARY, negated.ty);
            (Expr::choice(negative, int(1)?, int(-1)?)?, as_signed(&negated, width)?)
        } else {
            (left.clone(), int(0)?)
        };
        let rest = Expr::choice(equals(-1), by_minus_one, divided)?;
        let whole = Expr::choice(equals(0), by_zero, rest)?;
        whole.ty.signed.then_some(whole)
    }

    /// `a << b` or `a >> b` in an unsigned type, zero when the distance reaches the width.
    fn shift(&self, a: Expr, op: &str, b: Term, width: u32) -> Option<Expr> {
        let distance = self.unsigned(b)?;
        let shifted = Expr::binary(&a, op, &distance, Level::SHIFT, a.ty);
        if let Some(c) = self.store.as_bv_const(b) {
            let within = c.to_u128().is_some_and(|n| n < width as u128);
            return if within { Some(shifted) } else { Expr::number(&BigInt::zero()) };
        }
        let within = Expr::truth(format!("{} < {width}", distance.at_least(Level::SHIFT)), Level::ORDER);
        Expr::choice(within, shifted, Expr::number(&BigInt::zero())?)
    }

    /// The shift distance, or `last` when it reaches the width.
    fn limited_distance(&self, b: Term, width: u32, last: Expr) -> Option<Expr> {
        let distance = self.unsigned(b)?;
        if let Some(c) = self.store.as_bv_const(b) {
            let within = c.to_u128().is_some_and(|n| n < width as u128);
            return Some(if within { distance } else { last });
        }
        let within = Expr::truth(format!("{} < {width}", distance.at_least(Level::SHIFT)), Level::ORDER);
        Expr::choice(within, distance, last)
    }

    pub(super) fn equal_bits(&self, a: Term, op: &str, b: Term) -> Option<Expr> {
        let (x, y) = (self.likes(a), self.likes(b));
        if x.signed && y.signed {
            return compare(self.signed(a)?, op, self.signed(b)?, Level::EQ, true);
        }
        let (mut left, mut right) = (self.unsigned(a)?, self.unsigned(b)?);
        // Where one side is unsigned at full width, C converts a signed other side as we would.
        let full = |expr: &Expr| !expr.ty.signed && expr.ty.width == self.store.width(a) && expr.ty.width >= 32;
        let fits = |expr: &Expr| expr.ty.promoted().width <= self.store.width(a);
        if full(&right) && x.signed && !y.signed {
            left = self.signed(a).filter(fits).unwrap_or(left);
        } else if full(&left) && y.signed && !x.signed {
            right = self.signed(b).filter(fits).unwrap_or(right);
        }
        compare(left, op, right, Level::EQ, false)
    }

    pub(super) fn order(&self, a: Term, op: &str, b: Term, signed: bool) -> Option<Expr> {
        let face = |t: Term| if signed { self.signed(t) } else { self.unsigned(t) };
        let (left, right) = (face(a)?, face(b)?);
        // Literals read better on the right, and `x >= 0` better than `x > -1`.
        let is = |expr: &Expr, n: i32| expr.literal.as_ref().is_some_and(|value| *value == BigInt::from(n));
        let zero = || Expr::number(&BigInt::zero());
        if op == "<" && is(&left, -1) {
            return compare(right, ">=", zero()?, Level::ORDER, signed);
        }
        if op == "<" && is(&right, 1) {
            return compare(left, "<=", zero()?, Level::ORDER, signed);
        }
        if left.literal.is_some() {
            let mirrored = if op == "<" { ">" } else { ">=" };
            return compare(right, mirrored, left, Level::ORDER, signed);
        }
        compare(left, op, right, Level::ORDER, signed)
    }

    /// Overflow: the exact result, computed in a type that holds it, against the limits.
    pub(super) fn overflow(&self, t: Term) -> Option<Expr> {
        let store = self.store;
        let (a, b) = (store.arg(t, 0), store.arg(t, 1));
        let width = store.width(a);
        let (op, level, bits, signed) = match store.op(t) {
            Op::BvSaddo => ("+", Level::ADD, width + 1, true),
            Op::BvSsubo => ("-", Level::ADD, width + 1, true),
            Op::BvSmulo => ("*", Level::MUL, 2 * width, true),
            _ => ("*", Level::MUL, 2 * width, false),
        };
        let ty = CInt::at_least(signed, bits)?;
        let (left, right) =
            if signed { (self.signed(a)?, self.signed(b)?) } else { (self.unsigned(a)?, self.unsigned(b)?) };
        let right = if right.ty.signed || !signed { right } else { right.cast(ty) };
        let exact = Expr::binary(&left.cast(ty), op, &right, level, ty);
        let one = BigInt::from(1);
        let limit = |bound: BigInt| Expr::number(&bound);
        if !signed {
            return compare(exact, ">", limit((&one << width) - 1)?, Level::ORDER, false);
        }
        let high = compare(exact.clone(), ">", limit((&one << (width - 1)) - 1)?, Level::ORDER, true)?;
        let low = compare(exact, "<", limit(-(&one << (width - 1)))?, Level::ORDER, true)?;
        Some(Expr::truth(format!("{} || {}", high.text, low.text), Level::OR))
    }
}

/// Faces available without a cast.
#[derive(Clone, Copy)]
struct Likes {
    signed: bool,
    unsigned: bool,
}

impl CInt {
    fn max(self, other: CInt) -> CInt {
        CInt { signed: self.signed, width: self.width.max(if other.signed { other.width } else { other.width + 1 }) }
            .rounded()
    }

    fn rounded(self) -> CInt {
        let width = [32, 64, 128].into_iter().find(|&width| width >= self.width).unwrap_or(128);
        CInt { width, ..self }
    }
}

impl Expr {
    /// In an unsigned type of at least `width` bits in which C computes: wrapping, congruent.
    fn wide_unsigned(self, width: u32) -> Option<Expr> {
        if !self.ty.signed && self.ty.width >= width.max(32) {
            return Some(self);
        }
        Some(self.cast(CInt::at_least(false, width.max(self.ty.width))?))
    }

    /// In a type, signed or not, of at least `width` bits.
    fn wide_enough(self, width: u32) -> Option<Expr> {
        if self.ty.promoted().width >= width { Some(self) } else { self.wide_unsigned(width) }
    }
}

/// Two operands such that C combines them in an unsigned type of at least `width` bits.
fn wrapping_pair(a: Expr, b: Expr, width: u32) -> Option<(Expr, Expr)> {
    let common = a.ty.common(b.ty);
    if !common.signed && common.width >= width {
        return Some((a, b));
    }
    let ty = CInt::at_least(false, width.max(common.width))?;
    // A suffix on a literal reads better than a cast.
    if b.literal.is_some() { Some((a, b.cast(ty))) } else { Some((a.cast(ty), b)) }
}

/// The unsigned value of a `width`-bit vector from an expression congruent to it.
fn as_unsigned(expr: &Expr, width: u32) -> Option<Expr> {
    if !expr.ty.signed && expr.ty.width == width {
        return Some(expr.clone());
    }
    if let Some(ty) = CInt::exactly(false, width) {
        return Some(expr.cast(ty));
    }
    let mask = Expr::number(&((BigInt::from(1) << width) - 1))?;
    // A negative value must meet the mask in a type at least as wide as the mask.
    let expr = expr.clone().wide_enough(width)?;
    Some(Expr::binary(&expr, "&", &mask, Level::BIT_AND, expr.ty.common(mask.ty)))
}

/// The signed value of a `width`-bit vector from an expression congruent to it.
fn as_signed(expr: &Expr, width: u32) -> Option<Expr> {
    if let Some(ty) = CInt::exactly(true, width) {
        return Some(expr.cast(ty));
    }
    // Flip the sign bit and take it away again.
    let sign = Expr::number(&(BigInt::from(1) << (width - 1)))?;
    let flipped = Expr::binary(&as_unsigned(expr, width)?, "^", &sign, Level::BIT_XOR, CInt::INT);
    let ty = CInt::at_least(true, width + 1)?;
    let flipped = Expr::new(format!("({})({})", ty.name(), flipped.text), Level::UNARY, ty);
    Some(Expr::binary(&flipped, "-", &sign, Level::ADD, ty))
}

/// Operands that may be negative must not meet in an unsigned type: the unsigned one goes to a wider signed type.
fn signed_pair(a: Expr, b: Expr) -> Option<(Expr, Expr)> {
    let may_be_negative =
        |expr: &Expr| expr.ty.promoted().signed && expr.literal.as_ref().is_none_or(|value| value.is_negative());
    if a.ty.common(b.ty).signed || !may_be_negative(&a) && !may_be_negative(&b) {
        return Some((a, b));
    }
    let widen = |expr: Expr| {
        let ty = expr.ty.promoted();
        if ty.signed { Some(expr) } else { Some(expr.cast(CInt::at_least(true, ty.width + 1)?)) }
    };
    Some((widen(a)?, widen(b)?))
}

/// A comparison of two values of the same face. Unsigned values are nonnegative, so that C's conversions keep them.
fn compare(left: Expr, op: &str, right: Expr, level: Level, signed: bool) -> Option<Expr> {
    let (left, right) = if signed { signed_pair(left, right)? } else { (left, right) };
    Some(Expr::binary(&left, op, &right, level, CInt::INT))
}
