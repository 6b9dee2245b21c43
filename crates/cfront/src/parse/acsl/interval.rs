//! Intervals of mathematical integers: where a number of an annotation lies, whatever the state. What does not fit into 128 bits is none.

use crate::types::IntKind;

/// All numbers from `low` to `high`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Interval {
    pub(super) low: i128,
    pub(super) high: i128,
}

impl Interval {
    pub(super) const ALL: Interval = Interval { low: i128::MIN, high: i128::MAX };

    pub(super) fn only(value: i128) -> Interval {
        Interval { low: value, high: value }
    }

    /// Those that an integer type so wide has; none if some need more than 128 bits with a sign.
    pub(super) fn of_type(width: u32, signed: bool) -> Option<Interval> {
        match (width, signed) {
            (128, true) => Some(Interval::ALL),
            (1..128, true) => Some(Interval { low: -(1 << (width - 1)), high: (1 << (width - 1)) - 1 }),
            (1..127, false) => Some(Interval { low: 0, high: (1 << width) - 1 }),
            (127, false) => Some(Interval { low: 0, high: i128::MAX }),
            _ => None,
        }
    }

    pub(super) fn constant(self) -> Option<i128> {
        (self.low == self.high).then_some(self.low)
    }

    pub(super) fn has(self, other: Interval) -> bool {
        self.low <= other.low && other.high <= self.high
    }

    pub(super) fn hull(self, other: Interval) -> Interval {
        Interval { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// What is in both; if that is nothing, some number (nobody asks for its value then).
    pub(super) fn meet(self, other: Interval) -> Interval {
        let (low, high) = (self.low.max(other.low), self.high.min(other.high));
        if low <= high { Interval { low, high } } else { Interval::only(low.min(self.high).max(self.low)) }
    }

    pub(super) fn add(self, other: Interval) -> Option<Interval> {
        Some(Interval { low: self.low.checked_add(other.low)?, high: self.high.checked_add(other.high)? })
    }

    pub(super) fn sub(self, other: Interval) -> Option<Interval> {
        Some(Interval { low: self.low.checked_sub(other.high)?, high: self.high.checked_sub(other.low)? })
    }

    pub(super) fn mul(self, other: Interval) -> Option<Interval> {
        self.corners(other, i128::checked_mul)
    }

    /// Truncated towards zero, as in C; the divisor is never zero.
    pub(super) fn div(self, other: Interval) -> Option<Interval> {
        // A divisor of one sign: quotients are monotone in both, up to the sign of the dividend.
        let quotients = self.corners(other, i128::checked_div)?;
        Some(if self.low <= 0 && self.high >= 0 { quotients.hull(Interval::only(0)) } else { quotients })
    }

    /// What is left has the sign of the dividend; the divisor is never zero.
    pub(super) fn rem(self, other: Interval) -> Option<Interval> {
        let most = other.low.checked_abs()?.max(other.high.checked_abs()?) - 1;
        let low = if self.low < 0 { (-most).max(self.low) } else { 0 };
        let high = if self.high > 0 { most.min(self.high) } else { 0 };
        Some(Interval { low, high })
    }

    /// Divided by a power of two, downwards.
    pub(super) fn shr(self, by: u32) -> Interval {
        Interval { low: self.low >> by, high: self.high >> by }
    }

    /// `&`, `|` and `^` of numbers with endlessly many digits.
    pub(super) fn bitwise(self, other: Interval) -> Interval {
        let both = self.hull(other);
        let digits = |n: i128| 128 - if n < 0 { (!n).leading_zeros() } else { n.leading_zeros() };
        let digits = digits(both.low).max(digits(both.high));
        let most = if digits >= 127 { i128::MAX } else { (1 << digits) - 1 };
        Interval { low: if both.low < 0 { -most - 1 } else { 0 }, high: most }
    }

    fn corners(self, other: Interval, op: fn(i128, i128) -> Option<i128>) -> Option<Interval> {
        let corner = |a, b| op(a, b).map(Interval::only);
        let first = corner(self.low, other.low)?.hull(corner(self.low, other.high)?);
        Some(first.hull(corner(self.high, other.low)?).hull(corner(self.high, other.high)?))
    }

    /// The narrowest type to compute in.
    pub(super) fn signed_kind(self) -> IntKind {
        [IntKind::Int, IntKind::LongLong].into_iter().find(|kind| self.fits(*kind)).unwrap_or(IntKind::Int128)
    }

    /// The narrowest type to keep it in.
    pub(super) fn kind(self) -> IntKind {
        let kinds = [IntKind::Int, IntKind::UInt, IntKind::LongLong, IntKind::ULongLong];
        kinds.into_iter().find(|kind| self.fits(*kind)).unwrap_or(IntKind::Int128)
    }

    fn fits(self, kind: IntKind) -> bool {
        let width = if matches!(kind, IntKind::Int | IntKind::UInt) { 32 } else { 64 };
        Interval::of_type(width, kind.signed()).is_some_and(|all| all.has(self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All operations on all intervals of small numbers, against all their elements.
    #[test]
    fn every_result_is_inside() {
        let small = -5..=5i128;
        let intervals: Vec<Interval> =
            small.clone().flat_map(|low| (low..=5).map(move |high| Interval { low, high })).collect();
        for &a in &intervals {
            for &b in &intervals {
                let inside = |what: &str, x: i128, y: i128, value: i128, of: Option<Interval>| {
                    let of = of.expect("small numbers fit");
                    assert!(of.has(Interval::only(value)), "{x} {what} {y} = {value} of {a:?}, {b:?} not in {of:?}");
                };
                for x in a.low..=a.high {
                    for y in b.low..=b.high {
                        inside("+", x, y, x + y, a.add(b));
                        inside("-", x, y, x - y, a.sub(b));
                        inside("*", x, y, x * y, a.mul(b));
                        for (what, value) in [("&", x & y), ("|", x | y), ("^", x ^ y)] {
                            inside(what, x, y, value, Some(a.bitwise(b)));
                        }
                        if b.low > 0 || b.high < 0 {
                            inside("/", x, y, x / y, a.div(b));
                            inside("%", x, y, x % y, a.rem(b));
                        }
                    }
                    inside(">>", x, 1, x >> 1, Some(a.shr(1)));
                }
            }
        }
    }

    #[test]
    fn what_needs_more_is_none() {
        let wide = Interval::of_type(64, false).expect("64 bits fit");
        assert_eq!(wide.mul(wide), None);
        assert_eq!(Interval::ALL.add(Interval::only(1)), None);
        assert_eq!(Interval::of_type(128, false), None);
        assert_eq!(wide.kind(), IntKind::ULongLong);
        assert_eq!(wide.signed_kind(), IntKind::Int128);
    }
}
