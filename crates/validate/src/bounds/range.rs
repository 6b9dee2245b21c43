//! What a number of so many bits lies between, read without a sign and with one.

/// A set of numbers of some width: those between `lo` and `hi` that, read as signed, are between `signed_lo` and
/// `signed_hi`. Never empty.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Range {
    pub(super) width: u32,
    pub(super) lo: i128,
    pub(super) hi: i128,
    pub(super) signed_lo: i128,
    pub(super) signed_hi: i128,
}

impl Range {
    pub(super) fn full(width: u32) -> Range {
        let half = 1i128 << (width - 1);
        Range { width, lo: 0, hi: 2 * half - 1, signed_lo: -half, signed_hi: half - 1 }
    }

    /// Both readings brought in line; `None` where nothing is left.
    pub(super) fn tight(mut self) -> Option<Range> {
        let half = 1i128 << (self.width - 1);
        // Twice: what is learned from one reading may settle the sign in the other.
        for _ in 0..2 {
            if self.lo > self.hi || self.signed_lo > self.signed_hi {
                return None;
            }
            let wrap = if self.hi < half {
                Some(0)
            } else if self.lo >= half {
                Some(2 * half)
            } else {
                None
            };
            if let Some(wrap) = wrap {
                self.signed_lo = self.signed_lo.max(self.lo - wrap);
                self.signed_hi = self.signed_hi.min(self.hi - wrap);
            }
            let wrap = if self.signed_lo >= 0 {
                Some(0)
            } else if self.signed_hi < 0 {
                Some(2 * half)
            } else {
                None
            };
            if let Some(wrap) = wrap {
                self.lo = self.lo.max(self.signed_lo + wrap);
                self.hi = self.hi.min(self.signed_hi + wrap);
            }
        }
        (self.lo <= self.hi && self.signed_lo <= self.signed_hi).then_some(self)
    }

    /// The numbers between two unsigned bounds, wrapped around together; all where they do not fit.
    pub(super) fn unsigned(width: u32, lo: i128, hi: i128) -> Range {
        let full = Range::full(width);
        let size = full.hi + 1;
        let (lo, hi) = (lo - lo.div_euclid(size) * size, hi - lo.div_euclid(size) * size);
        let range = if hi < size { Range { lo, hi, ..full } } else { full };
        range.tight().unwrap_or(full)
    }

    pub(super) fn signed(width: u32, lo: i128, hi: i128) -> Range {
        let full = Range::full(width);
        if lo < full.signed_lo || hi > full.signed_hi {
            return full;
        }
        Range { signed_lo: lo, signed_hi: hi, ..full }.tight().unwrap_or(full)
    }

    pub(super) fn meet(self, other: Range) -> Option<Range> {
        Range {
            width: self.width,
            lo: self.lo.max(other.lo),
            hi: self.hi.min(other.hi),
            signed_lo: self.signed_lo.max(other.signed_lo),
            signed_hi: self.signed_hi.min(other.signed_hi),
        }
        .tight()
    }

    /// Both hold of the same number: one of them if the other says nothing more than that they do not fit.
    pub(super) fn and(self, other: Range) -> Range {
        self.meet(other).unwrap_or(self)
    }

    pub(super) fn join(self, other: Range) -> Range {
        Range {
            width: self.width,
            lo: self.lo.min(other.lo),
            hi: self.hi.max(other.hi),
            signed_lo: self.signed_lo.min(other.signed_lo),
            signed_hi: self.signed_hi.max(other.signed_hi),
        }
    }

    /// The sums of a number of each, in machine arithmetic.
    pub(super) fn plus(self, other: Range) -> Range {
        let signed = (self.signed_lo + other.signed_lo, self.signed_hi + other.signed_hi);
        Range::unsigned(self.width, self.lo + other.lo, self.hi + other.hi)
            .and(Range::signed(self.width, signed.0, signed.1))
    }

    /// Less than zero by as much.
    pub(super) fn negated(self) -> Range {
        Range::unsigned(self.width, -self.hi, -self.lo).and(Range::signed(self.width, -self.signed_hi, -self.signed_lo))
    }

    pub(super) fn is_one(self) -> bool {
        self.lo == self.hi
    }

    /// Whether a number of one is the number of the other: always, never, or not known.
    pub(super) fn equals(self, other: Range) -> Option<bool> {
        if self.is_one() && other.is_one() && self.lo == other.lo {
            return Some(true);
        }
        self.meet(other).is_none().then_some(false)
    }

    /// Without the one number `n` where it is at an end; what is left may be empty.
    pub(super) fn without(self, n: Range) -> Range {
        let mut cut = self;
        cut.lo += i128::from(n.lo == self.lo);
        cut.hi -= i128::from(n.lo == self.hi);
        cut.signed_lo += i128::from(n.signed_lo == self.signed_lo);
        cut.signed_hi -= i128::from(n.signed_lo == self.signed_hi);
        cut
    }
}
