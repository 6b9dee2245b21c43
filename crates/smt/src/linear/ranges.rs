//! Inequations over integers with a range for each variable: what one inequation says about the range of a variable, given
//! the ranges of the others, rounded to integers.

use super::Sum;
use super::simplex;
use crate::limits::linear::{MAX_ROWS, PASSES};

/// `low <= sum of parts <= high`; either may be missing. The first factor is positive, and all have no common divisor.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Row {
    pub(super) parts: Vec<(usize, i128)>,
    pub(super) low: Option<i128>,
    pub(super) high: Option<i128>,
}

impl Row {
    /// The sum is at most zero.
    pub(super) fn at_most_zero(sum: &Sum) -> Option<Row> {
        Row { parts: sum.parts.clone(), low: None, high: Some(sum.constant.checked_neg()?) }.normal()
    }

    pub(super) fn zero(sum: &Sum) -> Option<Row> {
        let value = Some(sum.constant.checked_neg()?);
        Row { parts: sum.parts.clone(), low: value, high: value }.normal()
    }

    fn normal(mut self) -> Option<Row> {
        let divisor = self.parts.iter().fold(0, |a, (_, b)| gcd(a, *b));
        if divisor == 0 {
            return Some(self);
        }
        let sign = if self.parts[0].1 < 0 { -1 } else { 1 };
        for (_, factor) in &mut self.parts {
            *factor = *factor / divisor * sign;
        }
        if sign < 0 {
            let negated = |bound: Option<i128>| match bound {
                Some(bound) => Some(Some(bound.checked_neg()?)),
                None => Some(None),
            };
            (self.low, self.high) = (negated(self.high)?, negated(self.low)?);
        }
        // Sums of multiples of the divisor are multiples of it.
        self.low = self.low.map(|low| -(-low).div_euclid(divisor));
        self.high = self.high.map(|high| high.div_euclid(divisor));
        Some(self)
    }
}

pub(super) fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    // No factor is so large.
    a as i128
}

#[derive(Clone, Default, Debug)]
pub(super) struct System {
    pub(super) ranges: Vec<(i128, i128)>,
    pub(super) rows: Vec<Row>,
    /// Since the simplex last found a solution.
    changed: bool,
}

impl System {
    pub(super) fn count(&self) -> usize {
        self.ranges.len()
    }

    /// A variable from zero to `last`.
    pub(super) fn introduce(&mut self, last: i128) {
        self.ranges.push((0, last));
    }

    /// The least and the greatest value that the ranges allow.
    pub(super) fn extent(&self, sum: &Sum) -> Option<(i128, i128)> {
        let (low, high) = extent(&sum.parts, &self.ranges)?;
        Some((low.checked_add(sum.constant)?, high.checked_add(sum.constant)?))
    }

    /// Adds an inequation; `false` if the ranges become empty.
    pub(super) fn add(&mut self, row: Row) -> Option<bool> {
        if row.parts.is_empty() {
            return Some(row.low.is_none_or(|low| low <= 0) && row.high.is_none_or(|high| high >= 0));
        }
        if let [(variable, 1)] = row.parts[..] {
            let (low, high) = self.ranges[variable];
            let range = (row.low.map_or(low, |new| new.max(low)), row.high.map_or(high, |new| new.min(high)));
            if range == (low, high) {
                return Some(true);
            }
            self.ranges[variable] = range;
            self.changed = true;
            return Some(range.0 <= range.1 && self.propagate()?);
        }
        match self.rows.iter().position(|known| known.parts == row.parts) {
            Some(at) => {
                let known = &mut self.rows[at];
                let before = (known.low, known.high);
                known.low = known.low.max(row.low);
                known.high = match (known.high, row.high) {
                    (Some(a), Some(b)) => Some(a.min(b)),
                    (a, b) => a.or(b),
                };
                if before == (known.low, known.high) {
                    return Some(true);
                }
            }
            None if self.rows.len() >= MAX_ROWS => return None,
            None => self.rows.push(row),
        }
        self.changed = true;
        self.propagate()
    }

    /// Shrinks the ranges; `false` if one becomes empty.
    fn propagate(&mut self) -> Option<bool> {
        for _ in 0..PASSES {
            let mut shrunk = false;
            for row in &self.rows {
                let (low, high) = extent(&row.parts, &self.ranges)?;
                if row.high.is_some_and(|most| low > most) || row.low.is_some_and(|least| high < least) {
                    return Some(false);
                }
                for &(variable, factor) in &row.parts {
                    let (from, to) = self.ranges[variable];
                    let own = (factor.checked_mul(from)?, factor.checked_mul(to)?);
                    // What the other parts come to at least and at most.
                    let rest = (low.checked_sub(own.0.min(own.1))?, high.checked_sub(own.0.max(own.1))?);
                    let (mut new_from, mut new_to) = (from, to);
                    if let Some(most) = row.high {
                        let most = most.checked_sub(rest.0)?;
                        if factor > 0 {
                            new_to = new_to.min(most.div_euclid(factor));
                        } else {
                            new_from = new_from.max(ceiling(most, factor));
                        }
                    }
                    if let Some(least) = row.low {
                        let least = least.checked_sub(rest.1)?;
                        if factor > 0 {
                            new_from = new_from.max(ceiling(least, factor));
                        } else {
                            new_to = new_to.min(floor(least, factor));
                        }
                    }
                    if (new_from, new_to) != (from, to) {
                        if new_from > new_to {
                            return Some(false);
                        }
                        self.ranges[variable] = (new_from, new_to);
                        shrunk = true;
                        // Extents of this row are those of the old, larger ranges: still right.
                    }
                }
            }
            if !shrunk {
                break;
            }
        }
        Some(true)
    }

    /// Whether no rational numbers solve it all.
    pub(super) fn is_infeasible(&mut self, pivots: &mut u32) -> Option<bool> {
        if !std::mem::take(&mut self.changed) || self.rows.is_empty() {
            return Some(false);
        }
        simplex::is_infeasible(&self.ranges, &self.rows, pivots)
    }
}

/// `a / b` rounded down, and up.
fn floor(a: i128, b: i128) -> i128 {
    let quotient = a / b;
    if a % b != 0 && (a < 0) != (b < 0) { quotient - 1 } else { quotient }
}

fn ceiling(a: i128, b: i128) -> i128 {
    let quotient = a / b;
    if a % b != 0 && (a < 0) == (b < 0) { quotient + 1 } else { quotient }
}

/// The least and the greatest value of the parts.
pub(super) fn extent(parts: &[(usize, i128)], ranges: &[(i128, i128)]) -> Option<(i128, i128)> {
    let (mut low, mut high) = (0_i128, 0_i128);
    for &(variable, factor) in parts {
        let (from, to) = ranges[variable];
        let (a, b) = (factor.checked_mul(from)?, factor.checked_mul(to)?);
        low = low.checked_add(a.min(b))?;
        high = high.checked_add(a.max(b))?;
    }
    Some((low, high))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding() {
        for a in -7..=7 {
            for b in [-3, -2, -1, 1, 2, 3] {
                let exact = a as f64 / b as f64;
                assert_eq!(floor(a, b) as f64, exact.floor(), "{a} / {b}");
                assert_eq!(ceiling(a, b) as f64, exact.ceil(), "{a} / {b}");
            }
        }
    }

    #[test]
    fn rows_are_normal() {
        let sum = Sum { parts: vec![(0, -4), (1, 6)], constant: 3 };
        let row = Row::at_most_zero(&sum).expect("small numbers");
        // -4x + 6y + 3 <= 0, that is 2x - 3y >= 3/2, at least 2.
        assert_eq!(row, Row { parts: vec![(0, 2), (1, -3)], low: Some(2), high: None });
    }
}
