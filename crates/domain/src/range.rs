//! Sets of machine integers: an unsigned interval, a signed interval and a congruence at once.
//!
//! A bit-vector of width `w <= 64` is seen as the unsigned number `u` and the signed number `s` it stands for. A
//! [`Range`] holds those with `ulo <= u <= uhi`, `slo <= s <= shi` and `u = rest (mod step)`. Each view corrects the
//! others ([`Range::reduce`]). Arithmetic is exact on unbounded integers (i128) and falls back when it may wrap: a view
//! that could wrap becomes the full one, and of a congruence only the powers of two survive.
//!
//! Every operation over-approximates: tests check all small widths exhaustively.

use crate::limits::range::MAX_STEP;
use std::fmt;

/// A non-empty set of bit-vectors of one width (at most 64).
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Range {
    pub width: u32,
    pub ulo: u64,
    pub uhi: u64,
    pub slo: i64,
    pub shi: i64,
    /// `u = rest (mod step)`, `rest < step`; a step of 0 means `u = rest`.
    pub step: u64,
    pub rest: u64,
}

impl fmt::Debug for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "u[{}, {}] s[{}, {}]", self.ulo, self.uhi, self.slo, self.shi)?;
        if self.step > 1 { write!(f, " = {} mod {}", self.rest, self.step) } else { Ok(()) }
    }
}

fn umax(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}

fn smin(width: u32) -> i64 {
    i64::MIN >> (64 - width)
}

fn smax(width: u32) -> i64 {
    i64::MAX >> (64 - width)
}

/// Whether a number is one of the signed numbers of the width.
pub fn fits_signed(value: i128, width: u32) -> bool {
    (i128::from(smin(width))..=i128::from(smax(width))).contains(&value)
}

/// The signed number that the low `width` bits of `u` stand for.
pub fn to_signed(u: u64, width: u32) -> i64 {
    ((u << (64 - width)) as i64) >> (64 - width)
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

impl Range {
    /// Every number of the width.
    pub fn full(width: u32) -> Range {
        assert!((1..=64).contains(&width), "ranges are of 1 to 64 bits");
        Range { width, ulo: 0, uhi: umax(width), slo: smin(width), shi: smax(width), step: 1, rest: 0 }
    }

    pub fn constant(value: u64, width: u32) -> Range {
        let u = value & umax(width);
        let s = to_signed(u, width);
        Range { ulo: u, uhi: u, slo: s, shi: s, step: 0, rest: u, ..Range::full(width) }
    }

    /// The unsigned numbers from `lo` to `hi`; empty if `lo > hi`.
    pub fn unsigned(lo: u64, hi: u64, width: u32) -> Option<Range> {
        Range { ulo: lo, uhi: hi.min(umax(width)), ..Range::full(width) }.reduce()
    }

    /// The signed numbers from `lo` to `hi`.
    pub fn signed(lo: i64, hi: i64, width: u32) -> Option<Range> {
        Range { slo: lo.max(smin(width)), shi: hi.min(smax(width)), ..Range::full(width) }.reduce()
    }

    /// Those congruent to `rest` modulo `step`, unsigned.
    pub fn congruent(rest: u64, step: u64, width: u32) -> Option<Range> {
        Range { step, rest: rest % step, ..Range::full(width) }.reduce()
    }

    pub fn is_full(&self) -> bool {
        *self == Range::full(self.width)
    }

    pub fn as_constant(&self) -> Option<u64> {
        (self.ulo == self.uhi).then_some(self.ulo)
    }

    pub fn contains(&self, value: u64) -> bool {
        let s = to_signed(value, self.width);
        (self.ulo..=self.uhi).contains(&value)
            && (self.slo..=self.shi).contains(&s)
            && modulo(value, self.step) == self.rest
    }

    /// Lets the three views correct each other; `None` if nothing is left.
    fn reduce(mut self) -> Option<Range> {
        // Two rounds reach a fixpoint of the bounds in practice; more would only tighten.
        for _ in 0..2 {
            if self.ulo > self.uhi || self.slo > self.shi {
                return None;
            }
            // All non-negative or all negative: the views are translations of each other.
            let (half, top) = (smax(self.width) as u64, umax(self.width));
            if self.uhi <= half || self.slo >= 0 {
                let lo = self.ulo.max(self.slo.max(0) as u64);
                let hi = self.uhi.min(half).min(if self.shi < 0 { return None } else { self.shi as u64 });
                (self.ulo, self.uhi) = (lo, hi);
                (self.slo, self.shi) = (lo as i64, hi as i64);
            } else if self.ulo > half || self.shi < 0 {
                let as_unsigned = |s: i64| (s as u64) & top;
                let lo = self.ulo.max(half + 1).max(if self.slo >= 0 { return None } else { as_unsigned(self.slo) });
                let hi = self.uhi.min(as_unsigned(self.shi.min(-1)));
                (self.ulo, self.uhi) = (lo, hi);
                (self.slo, self.shi) = (to_signed(lo, self.width), to_signed(hi, self.width));
            }
            if self.ulo > self.uhi {
                return None;
            }
            if self.step > 1 {
                let up = (self.rest + self.step - self.ulo % self.step) % self.step;
                let down = (self.uhi % self.step + self.step - self.rest) % self.step;
                self.ulo = self.ulo.checked_add(up)?;
                self.uhi = self.uhi.checked_sub(down)?;
                if self.ulo > self.uhi {
                    return None;
                }
            }
            if self.ulo == self.uhi {
                let constant = Range::constant(self.ulo, self.width);
                return (self.slo <= constant.slo && constant.slo <= self.shi).then_some(constant);
            }
        }
        Some(self)
    }

    /// The union, over-approximated.
    pub fn join(&self, other: &Range) -> Range {
        let step = gcd(gcd(self.step, other.step), self.rest.abs_diff(other.rest));
        Range {
            width: self.width,
            ulo: self.ulo.min(other.ulo),
            uhi: self.uhi.max(other.uhi),
            slo: self.slo.min(other.slo),
            shi: self.shi.max(other.shi),
            step,
            rest: modulo(self.rest, step),
        }
    }

    /// The intersection.
    pub fn meet(&self, other: &Range) -> Option<Range> {
        let (step, rest) = meet_congruence((self.step, self.rest), (other.step, other.rest))?;
        Range {
            width: self.width,
            ulo: self.ulo.max(other.ulo),
            uhi: self.uhi.min(other.uhi),
            slo: self.slo.max(other.slo),
            shi: self.shi.min(other.shi),
            step,
            rest,
        }
        .reduce()
    }

    /// `self`, known to include `old`, with unstable bounds pushed out to the next threshold. `thresholds` is sorted, as
    /// unsigned numbers of this width.
    pub fn widen(&self, old: &Range, thresholds: &[u64]) -> Range {
        let mut out = *self;
        if self.ulo < old.ulo {
            out.ulo = thresholds.iter().rev().copied().find(|t| *t <= self.ulo).unwrap_or(0);
        }
        if self.uhi > old.uhi {
            out.uhi = thresholds.iter().copied().find(|t| *t >= self.uhi).unwrap_or(umax(self.width));
        }
        let signed = |t: &u64| to_signed(*t, self.width);
        if self.slo < old.slo {
            let below = thresholds.iter().map(signed).filter(|t| *t <= self.slo).max();
            out.slo = below.unwrap_or(smin(self.width));
        }
        if self.shi > old.shi {
            let above = thresholds.iter().map(signed).filter(|t| *t >= self.shi).min();
            out.shi = above.unwrap_or(smax(self.width));
        }
        out
    }

    /// The result of an operation whose exact unsigned values lie in `[lo, hi]` and exact signed values in `[slo, shi]`,
    /// with exact congruence `(step, rest)`; each view is kept where it cannot wrap.
    fn of_exact(width: u32, u: (i128, i128), s: (i128, i128), congruence: (u64, i128)) -> Range {
        let mut out = Range::full(width);
        let exact_u = u.0 >= 0 && u.1 <= i128::from(umax(width));
        if exact_u {
            (out.ulo, out.uhi) = (u.0 as u64, u.1 as u64);
        }
        if s.0 >= i128::from(smin(width)) && s.1 <= i128::from(smax(width)) {
            (out.slo, out.shi) = (s.0 as i64, s.1 as i64);
        }
        let (step, rest) = congruence;
        // A wrapped value differs from the exact one by a multiple of 2^w: only common factors with it survive.
        let step = if exact_u && step != 0 { step } else { pow2_part(step).min(pow2_cap(width)) };
        out.step = step;
        out.rest = rest.rem_euclid(i128::from(step)) as u64;
        out.reduce().unwrap_or(out)
    }

    pub fn add(&self, other: &Range) -> Range {
        let u = (sum(self.ulo, other.ulo), sum(self.uhi, other.uhi));
        let s = (ssum(self.slo, other.slo), ssum(self.shi, other.shi));
        let congruence = (gcd(self.step, other.step), sum(self.rest, other.rest));
        Range::of_exact(self.width, u, s, congruence)
    }

    pub fn sub(&self, other: &Range) -> Range {
        let u = (i128::from(self.ulo) - i128::from(other.uhi), i128::from(self.uhi) - i128::from(other.ulo));
        let s = (i128::from(self.slo) - i128::from(other.shi), i128::from(self.shi) - i128::from(other.slo));
        let congruence = (gcd(self.step, other.step), i128::from(self.rest) - i128::from(other.rest));
        Range::of_exact(self.width, u, s, congruence)
    }

    pub fn neg(&self) -> Range {
        Range::constant(0, self.width).sub(self)
    }

    pub fn bvnot(&self) -> Range {
        Range::constant(umax(self.width), self.width).sub(self)
    }

    pub fn mul(&self, other: &Range) -> Range {
        let (Some(u_lo), Some(u_hi)) = (product(self.ulo, other.ulo), product(self.uhi, other.uhi)) else {
            return Range::full(self.width);
        };
        let corners = [
            i128::from(self.slo) * i128::from(other.slo),
            i128::from(self.slo) * i128::from(other.shi),
            i128::from(self.shi) * i128::from(other.slo),
            i128::from(self.shi) * i128::from(other.shi),
        ];
        let s = (corners.iter().copied().min().unwrap_or(0), corners.iter().copied().max().unwrap_or(0));
        // (r1 + a s1)(r2 + b s2) = r1 r2 (mod gcd(s1 s2, r1 s2, r2 s1))
        let part = |a: u64, b: u64| a.checked_mul(b).filter(|p| *p <= MAX_STEP);
        let congruence = match (part(self.step, other.step), part(self.rest, other.step), part(other.rest, self.step)) {
            (Some(a), Some(b), Some(c)) => (gcd(gcd(a, b), c), i128::from(self.rest) * i128::from(other.rest)),
            _ => (1, 0),
        };
        Range::of_exact(self.width, (u_lo, u_hi), s, congruence)
    }

    /// Division by zero gives all ones (SMT-LIB).
    pub fn udiv(&self, other: &Range) -> Range {
        let all_ones = Range::constant(umax(self.width), self.width);
        if other.uhi == 0 {
            return all_ones;
        }
        let quotient = Range::unsigned(self.ulo / other.uhi, self.uhi / other.ulo.max(1), self.width);
        let quotient = quotient.unwrap_or(Range::full(self.width));
        if other.ulo == 0 { quotient.join(&all_ones) } else { quotient }
    }

    /// The remainder of a division by zero is the dividend.
    pub fn urem(&self, other: &Range) -> Range {
        if other.uhi == 0 {
            return *self;
        }
        if other.ulo > self.uhi {
            return *self;
        }
        let hi = self.uhi.min(other.uhi - 1);
        let mut out = Range::unsigned(0, hi, self.width).unwrap_or(Range::full(self.width));
        if let Some(m) = other.as_constant() {
            let step = gcd(self.step, m);
            let congruent = Range::congruent(self.rest % step, step, self.width);
            out = congruent.and_then(|c| c.meet(&out)).unwrap_or(out);
        }
        if other.ulo == 0 { out.join(self) } else { out }
    }

    pub fn sdiv(&self, other: &Range) -> Range {
        if self.slo >= 0 && other.slo > 0 {
            return self.udiv(other);
        }
        if other.slo <= 0 && other.shi >= 0 {
            return Range::full(self.width);
        }
        let mut corners = Vec::new();
        for a in [self.slo, self.shi] {
            for b in [other.slo, other.shi] {
                corners.push(i128::from(a) / i128::from(b));
            }
        }
        let (lo, hi) = (corners.iter().min().copied().unwrap_or(0), corners.iter().max().copied().unwrap_or(0));
        if hi > i128::from(smax(self.width)) {
            return Range::full(self.width);
        }
        Range::signed(lo as i64, hi as i64, self.width).unwrap_or(Range::full(self.width))
    }

    /// Has the sign of the dividend.
    pub fn srem(&self, other: &Range) -> Range {
        if self.slo >= 0 && other.slo >= 0 {
            return self.urem(other);
        }
        if other.slo <= 0 && other.shi >= 0 {
            // A zero divisor gives the dividend.
            let lo = self.slo.min(0);
            let hi = self.shi.max(0);
            return Range::signed(lo, hi, self.width).unwrap_or(Range::full(self.width));
        }
        let magnitude = other.slo.unsigned_abs().max(other.shi.unsigned_abs()) - 1;
        let magnitude = magnitude.min(smax(self.width) as u64) as i64;
        let lo = if self.slo >= 0 { 0 } else { self.slo.max(-magnitude) };
        let hi = if self.shi <= 0 { 0 } else { self.shi.min(magnitude) };
        Range::signed(lo, hi, self.width).unwrap_or(Range::full(self.width))
    }

    pub fn shl(&self, other: &Range) -> Range {
        match other.as_constant() {
            Some(by) if by >= u64::from(self.width) => Range::constant(0, self.width),
            Some(by) => self.mul(&Range::constant(1 << by, self.width)),
            None => Range::full(self.width),
        }
    }

    pub fn lshr(&self, other: &Range) -> Range {
        let shift = |value: u64, by: u64| if by >= u64::from(self.width) { 0 } else { value >> by };
        Range::unsigned(shift(self.ulo, other.uhi), shift(self.uhi, other.ulo), self.width)
            .unwrap_or(Range::full(self.width))
    }

    pub fn ashr(&self, other: &Range) -> Range {
        let last = u64::from(self.width - 1);
        let shift = |value: i64, by: u64| value >> by.min(last);
        let lo = shift(self.slo, if self.slo < 0 { other.ulo } else { other.uhi });
        let hi = shift(self.shi, if self.shi < 0 { other.uhi } else { other.ulo });
        Range::signed(lo, hi, self.width).unwrap_or(Range::full(self.width))
    }

    pub fn bvand(&self, other: &Range) -> Range {
        let hi = self.uhi.min(other.uhi);
        let out = Range::unsigned(0, hi, self.width).unwrap_or(Range::full(self.width));
        // Masking with low bits is a remainder, masking them away rounds down.
        for (value, mask) in [(self, other), (other, self)] {
            if let Some(mask) = mask.as_constant() {
                if mask.wrapping_add(1).is_power_of_two() && mask < umax(self.width) {
                    return value.urem(&Range::constant(mask + 1, self.width));
                }
                let low = mask.trailing_zeros().min(self.width - 1);
                let congruent = Range::congruent(0, 1 << low.min(31), self.width);
                return congruent.and_then(|c| c.meet(&out)).unwrap_or(out);
            }
        }
        out
    }

    pub fn bvor(&self, other: &Range) -> Range {
        let lo = self.ulo.max(other.ulo);
        Range::unsigned(lo, ones_above(self.uhi | other.uhi), self.width).unwrap_or(Range::full(self.width))
    }

    pub fn bvxor(&self, other: &Range) -> Range {
        Range::unsigned(0, ones_above(self.uhi | other.uhi), self.width).unwrap_or(Range::full(self.width))
    }

    pub fn zero_extend(&self, width: u32) -> Range {
        if width == self.width {
            return *self;
        }
        Range { width, slo: self.ulo as i64, shi: self.uhi as i64, ..*self }.reduce().unwrap_or(Range::full(width))
    }

    pub fn sign_extend(&self, width: u32) -> Range {
        if let Some(value) = self.as_constant() {
            return Range::constant(to_signed(value, self.width) as u64, width);
        }
        if self.slo >= 0 || width == self.width {
            return self.zero_extend(width);
        }
        let mut out = Range { slo: self.slo, shi: self.shi, ..Range::full(width) };
        // Sign bits are multiples of 2^w: the low bits keep their congruence.
        out.step = pow2_part(self.step).min(pow2_cap(self.width));
        out.rest = self.rest % out.step;
        out.reduce().unwrap_or(out)
    }

    /// Bits `hi` to `lo`.
    pub fn extract(&self, hi: u32, lo: u32) -> Range {
        let width = hi - lo + 1;
        if let Some(value) = self.as_constant() {
            return Range::constant(value >> lo, width);
        }
        let shifted = self.lshr(&Range::constant(u64::from(lo), self.width));
        let shifted = if lo == 0 { *self } else { shifted };
        if shifted.uhi <= umax(width) {
            return Range { width, slo: smin(width), shi: smax(width), ..shifted }
                .reduce()
                .unwrap_or(Range::full(width));
        }
        let mut out = Range::full(width);
        if lo == 0 {
            if self.slo >= smin(width) && self.shi <= smax(width) {
                (out.slo, out.shi) = (self.slo, self.shi);
            }
            out.step = pow2_part(self.step).min(pow2_cap(width));
            out.rest = self.rest % out.step;
        }
        out.reduce().unwrap_or(Range::full(width))
    }

    /// `self` above `low`.
    pub fn concat(&self, low: &Range) -> Option<Range> {
        let width = self.width + low.width;
        if width > 64 {
            return None;
        }
        let high = self.zero_extend(width).shl(&Range::constant(u64::from(low.width), width));
        Some(high.add(&low.zero_extend(width)))
    }
}

fn sum(a: u64, b: u64) -> i128 {
    i128::from(a) + i128::from(b)
}

fn ssum(a: i64, b: i64) -> i128 {
    i128::from(a) + i128::from(b)
}

fn product(a: u64, b: u64) -> Option<i128> {
    i128::from(a).checked_mul(i128::from(b))
}

/// The largest power of two that divides `n`.
fn pow2_part(n: u64) -> u64 {
    if n == 0 { MAX_STEP } else { 1 << n.trailing_zeros() }
}

/// `a mod step`, where a step of 0 leaves `a` alone.
fn modulo(a: u64, step: u64) -> u64 {
    if step == 0 { a } else { a % step }
}

fn pow2_cap(width: u32) -> u64 {
    1 << width.min(32)
}

/// All bits below the highest one of `n`, and it.
fn ones_above(n: u64) -> u64 {
    if n == 0 { 0 } else { u64::MAX >> n.leading_zeros() }
}

/// Numbers with both congruences; only the cases where one step divides the other are combined exactly, otherwise the
/// finer one is kept.
fn meet_congruence(a: (u64, u64), b: (u64, u64)) -> Option<(u64, u64)> {
    let (fine, coarse) = if b.0 != 0 && (a.0 == 0 || a.0 >= b.0) { (a, b) } else { (b, a) };
    if coarse.0 == 0 {
        return (fine == coarse).then_some(fine);
    }
    if fine.0 % coarse.0 == 0 {
        return (fine.1 % coarse.0 == coarse.1).then_some(fine);
    }
    let common = gcd(fine.0, coarse.0);
    (fine.1 % common == coarse.1 % common).then_some(fine)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A small deterministic generator.
    struct Random(u64);

    impl Random {
        fn below(&mut self, n: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) % n
        }

        /// A range around some numbers of the width.
        fn range(&mut self, width: u32) -> Range {
            let size = 1 << width;
            let mut range = Range::constant(self.below(size), width);
            for _ in 0..self.below(3) {
                range = range.join(&Range::constant(self.below(size), width));
            }
            match self.below(4) {
                0 => range.meet(&Range::full(width)).unwrap_or(range),
                1 => Range::signed(range.slo, range.shi, width).unwrap_or(range),
                2 => Range::unsigned(range.ulo, range.uhi, width).unwrap_or(range),
                _ => range,
            }
        }
    }

    fn members(range: &Range) -> Vec<u64> {
        (0..1 << range.width).filter(|v| range.contains(*v)).collect()
    }

    type Binary = (&'static str, fn(&Range, &Range) -> Range, fn(u64, u64, u32) -> u64);

    /// SMT-LIB semantics at width `w`, results masked by the caller.
    const BINARY: &[Binary] = &[
        ("add", Range::add, |a, b, _| a.wrapping_add(b)),
        ("sub", Range::sub, |a, b, _| a.wrapping_sub(b)),
        ("mul", Range::mul, |a, b, _| a.wrapping_mul(b)),
        ("udiv", Range::udiv, |a, b, _| a.checked_div(b).unwrap_or(u64::MAX)),
        ("urem", Range::urem, |a, b, _| a.checked_rem(b).unwrap_or(a)),
        ("sdiv", Range::sdiv, |a, b, w| {
            let (x, y) = (to_signed(a, w), to_signed(b, w));
            if y == 0 { if x < 0 { 1 } else { u64::MAX } } else { x.wrapping_div(y) as u64 }
        }),
        ("srem", Range::srem, |a, b, w| {
            let (x, y) = (to_signed(a, w), to_signed(b, w));
            if y == 0 { a } else { x.wrapping_rem(y) as u64 }
        }),
        ("shl", Range::shl, |a, b, w| if b >= u64::from(w) { 0 } else { a << b }),
        ("lshr", Range::lshr, |a, b, w| if b >= u64::from(w) { 0 } else { a >> b }),
        ("ashr", Range::ashr, |a, b, w| (to_signed(a, w) >> b.min(u64::from(w) - 1)) as u64),
        ("and", Range::bvand, |a, b, _| a & b),
        ("or", Range::bvor, |a, b, _| a | b),
        ("xor", Range::bvxor, |a, b, _| a ^ b),
    ];

    /// 100,000 random pairs of ranges at 4 to 8 bits, each with one operation, all members of both tried.
    #[test]
    fn operations_over_approximate() {
        let mut random = Random(1);
        for round in 0..100_000 {
            let width = 4 + random.below(5) as u32;
            let (a, b) = (random.range(width), random.range(width));
            let (name, abstractly, concretely) = BINARY[round % BINARY.len()];
            let result = abstractly(&a, &b);
            let right = members(&b);
            for x in members(&a) {
                for &y in &right {
                    let z = concretely(x, y, width) & umax(width);
                    assert!(result.contains(z), "{name} at {width}: {x}, {y} -> {z} not in {result:?} of {a:?}, {b:?}");
                }
            }
        }
    }

    #[test]
    fn sets_and_widths_over_approximate() {
        let mut random = Random(2);
        for _ in 0..20_000 {
            let width = 1 + random.below(6) as u32;
            let (a, b) = (random.range(width), random.range(width));
            let (join, meet) = (a.join(&b), a.meet(&b));
            let wide = width + random.below(4) as u32;
            let (hi, lo) = (random.below(u64::from(width)) as u32, 0);
            let lo = lo + random.below(u64::from(hi) + 1) as u32;
            let mut thresholds: Vec<u64> = (0..3).map(|_| random.below(1 << width)).collect();
            thresholds.sort_unstable();
            let widened = join.widen(&a, &thresholds);
            for x in members(&a) {
                assert!(join.contains(x) && widened.contains(x));
                assert!(!b.contains(x) || meet.is_some_and(|m| m.contains(x)), "{x} in {a:?} and {b:?}, not {meet:?}");
                assert!(a.neg().contains(x.wrapping_neg() & umax(width)));
                assert!(a.bvnot().contains(!x & umax(width)));
                assert!(a.zero_extend(wide).contains(x), "{x} {a:?} {wide}");
                assert!(a.sign_extend(wide).contains(to_signed(x, width) as u64 & umax(wide)), "{x} {a:?} {wide}");
                assert!(a.extract(hi, lo).contains((x >> lo) & umax(hi - lo + 1)), "{x} {a:?} [{hi}:{lo}]");
                for y in members(&b) {
                    assert!(a.concat(&b).is_some_and(|c| c.contains(x << width | y)), "{a:?} . {b:?}");
                }
            }
            for y in members(&b) {
                assert!(widened.contains(y));
            }
        }
    }

    #[test]
    fn congruences_are_kept() {
        let counter = Range::constant(0, 32).join(&Range::constant(12, 32));
        assert_eq!((counter.step, counter.rest), (12, 0));
        let shifted = counter.add(&Range::constant(5, 32));
        assert_eq!((shifted.step, shifted.rest), (12, 5));
        let scaled = Range::unsigned(0, 9, 32).map(|i| i.mul(&Range::constant(12, 32)));
        assert_eq!(scaled.map(|s| (s.step, s.rest, s.uhi)), Some((12, 0, 108)));
    }
}
