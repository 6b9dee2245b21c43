//! Whether inequations have a rational solution: the simplex of Dutertre and de Moura (CAV 2006), without its increments.
//!
//! Each inequation has a variable of its own, the sum of its parts; ranges of variables are all there is then, and equations
//! `d·basic = Σ factor·other`, kept in integers. Others are at one end of their range. A basic variable that is outside of
//! its range changes places with one that has room; where none has, the equation contradicts the ranges. That is not
//! believed: its sums are put in for their variables once more, and must come to nothing.

use super::ranges::{Row, gcd};
use crate::limits::linear::{MAX_PIVOTS, PIVOTS};

pub(super) type Parts = Vec<(usize, i128)>;

struct Equation {
    basic: usize,
    /// Positive.
    divisor: i128,
    /// By ascending number; none is basic.
    parts: Parts,
}

/// Sums and equations between them. Ranges may change from question to question: the equations stay as the last one left them.
pub(super) struct Tableau {
    /// Of all variables: the given ones, then one for each row.
    pub(super) low: Vec<Option<i128>>,
    pub(super) high: Vec<Option<i128>>,
    /// Of those that are not basic.
    at_high: Vec<bool>,
    equations: Vec<Equation>,
    /// What variables of rows stand for.
    rows: Vec<Parts>,
    /// The given variables.
    count: usize,
}

/// What ranges allow.
pub(super) enum Solved {
    /// Values that all variables may have at once: numerators and (positive) denominators of those that are no integers.
    Possible(Vec<(usize, i128, i128)>),
    /// These ends of ranges contradict each other: of each the variable, and whether it is the lower end.
    Impossible(Vec<(usize, bool)>),
}

/// `None`: it takes too long, or numbers become too large.
pub(super) fn is_infeasible(ranges: &[(i128, i128)], rows: &[Row], pivots: &mut u32) -> Option<bool> {
    let mut tableau = Tableau::new(ranges.len(), rows.iter().map(|row| row.parts.clone()).collect());
    tableau.low = ranges.iter().map(|range| Some(range.0)).chain(rows.iter().map(|row| row.low)).collect();
    tableau.high = ranges.iter().map(|range| Some(range.1)).chain(rows.iter().map(|row| row.high)).collect();
    let mut left = PIVOTS.min(MAX_PIVOTS.saturating_sub(*pivots));
    let before = left;
    let solved = tableau.solve(&mut left);
    *pivots += before - left;
    Some(matches!(solved?, Solved::Impossible(_)))
}

impl Tableau {
    /// Without any ranges.
    pub(super) fn new(count: usize, rows: Vec<Parts>) -> Tableau {
        let all = count + rows.len();
        let basic =
            |(index, parts): (usize, &Parts)| Equation { basic: count + index, divisor: 1, parts: parts.clone() };
        let equations = rows.iter().enumerate().map(basic).collect();
        Tableau { low: vec![None; all], high: vec![None; all], at_high: vec![false; all], equations, rows, count }
    }

    /// `None`: no pivots are left, or numbers become too large.
    pub(super) fn solve(&mut self, pivots: &mut u32) -> Option<Solved> {
        loop {
            *pivots = pivots.checked_sub(1)?;
            let Some((equation, too_low)) = self.violated()? else { return Some(Solved::Possible(self.fractions()?)) };
            let Some(entering) = self.with_room(equation, too_low) else {
                return self.contradiction(equation, too_low).map(Solved::Impossible);
            };
            self.pivot(equation, entering, too_low)?;
        }
    }

    /// Where a variable that is not basic is: at zero if nothing holds it.
    fn place(&self, variable: usize) -> i128 {
        let (low, high) = (self.low[variable], self.high[variable]);
        if self.at_high[variable] { high.or(low) } else { low.or(high) }.unwrap_or(0)
    }

    /// The divisor times the value of the basic variable.
    fn value(&self, equation: &Equation) -> Option<i128> {
        equation
            .parts
            .iter()
            .try_fold(0_i128, |sum, &(variable, factor)| sum.checked_add(factor.checked_mul(self.place(variable))?))
    }

    /// The given variables that have no integer as their value.
    fn fractions(&self) -> Option<Vec<(usize, i128, i128)>> {
        let mut found = Vec::new();
        for equation in self.equations.iter().filter(|equation| equation.basic < self.count) {
            let value = self.value(equation)?;
            if value % equation.divisor != 0 {
                found.push((equation.basic, value, equation.divisor));
            }
        }
        Some(found)
    }

    /// Of the basic variables outside of their range the one with the least number: its equation, and whether it is too
    /// low. Taking the least each time does not go in circles.
    fn violated(&self) -> Option<Option<(usize, bool)>> {
        let mut found: Option<(usize, usize, bool)> = None;
        for (index, equation) in self.equations.iter().enumerate() {
            if found.is_some_and(|(basic, _, _)| basic < equation.basic) {
                continue;
            }
            let value = self.value(equation)?;
            let scaled = |bound: i128| bound.checked_mul(equation.divisor);
            let too_low = match self.low[equation.basic] {
                Some(low) => value < scaled(low)?,
                None => false,
            };
            let too_high = match self.high[equation.basic] {
                Some(high) => value > scaled(high)?,
                None => false,
            };
            if too_low || too_high {
                found = Some((equation.basic, index, too_low));
            }
        }
        Some(found.map(|(_, index, too_low)| (index, too_low)))
    }

    /// A variable of the equation that can move such that the basic one gets where it should.
    fn with_room(&self, equation: usize, too_low: bool) -> Option<usize> {
        let parts = self.equations[equation].parts.iter();
        let can_move = |(variable, factor): &&(usize, i128)| {
            let upwards = (*factor > 0) == too_low;
            let (low, high) = (self.low[*variable], self.high[*variable]);
            (low.is_none() || low != high)
                && if upwards {
                    !self.is_at_high(*variable) || high.is_none()
                } else {
                    self.is_at_high(*variable) || low.is_none()
                }
        };
        parts.filter(can_move).map(|(variable, _)| *variable).min()
    }

    fn is_at_high(&self, variable: usize) -> bool {
        self.high[variable].is_some() && (self.at_high[variable] || self.low[variable].is_none())
    }

    fn pivot(&mut self, leaving: usize, entering: usize, too_low: bool) -> Option<()> {
        let Equation { basic, divisor, parts } = &self.equations[leaving];
        let (basic, factor) = (*basic, parts.iter().find(|part| part.0 == entering)?.1);
        // factor·entering = divisor·basic - the other parts.
        let mut solved: Parts = parts.iter().filter(|part| part.0 != entering).map(|part| (part.0, -part.1)).collect();
        let at = solved.partition_point(|part| part.0 < basic);
        solved.insert(at, (basic, *divisor));
        if factor < 0 {
            solved.iter_mut().for_each(|part| part.1 = -part.1);
        }
        let solved = reduced(Equation { basic: entering, divisor: factor.abs(), parts: solved });
        self.at_high[basic] = !too_low;
        for index in 0..self.equations.len() {
            let equation = &self.equations[index];
            let Some(&(_, own)) = equation.parts.iter().find(|part| part.0 == entering) else { continue };
            if index == leaving {
                continue;
            }
            let mut parts: Parts = Vec::with_capacity(equation.parts.len() + solved.parts.len());
            for &(variable, times) in equation.parts.iter().filter(|part| part.0 != entering) {
                parts.push((variable, times.checked_mul(solved.divisor)?));
            }
            for &(variable, times) in &solved.parts {
                let more = times.checked_mul(own)?;
                match parts.binary_search_by_key(&variable, |part| part.0) {
                    Ok(at) => parts[at].1 = parts[at].1.checked_add(more)?,
                    Err(at) => parts.insert(at, (variable, more)),
                }
            }
            parts.retain(|part| part.1 != 0);
            let divisor = equation.divisor.checked_mul(solved.divisor)?;
            self.equations[index] = reduced(Equation { basic: equation.basic, divisor, parts });
        }
        self.equations[leaving] = solved;
        Some(())
    }

    /// Why the equation contradicts the ranges; nothing unless with what it is about put in for the variables of rows it says `0 = 0`, while
    /// ranges say that its sides differ.
    fn contradiction(&self, equation: usize, too_low: bool) -> Option<Vec<(usize, bool)>> {
        let Equation { basic, divisor, parts } = &self.equations[equation];
        let terms = std::iter::once((*basic, *divisor)).chain(parts.iter().map(|part| (part.0, -part.1)));
        let mut total = vec![0_i128; self.count];
        let mut ends = Vec::with_capacity(parts.len() + 1);
        // divisor·basic - Σ factor·other is zero, and so is its negative. Where the basic variable is too low, ranges make the
        // first at least `reach`, else the second.
        let sign = if too_low { 1 } else { -1 };
        let mut reach = 0_i128;
        for (variable, factor) in terms {
            match variable.checked_sub(self.count) {
                None => total[variable] = total[variable].checked_add(factor)?,
                Some(row) => {
                    for &(of, times) in &self.rows[row] {
                        total[of] = total[of].checked_add(factor.checked_mul(times)?)?;
                    }
                }
            }
            let factor = factor * sign;
            let least = if factor > 0 { self.low[variable]? } else { self.high[variable]? };
            ends.push((variable, factor > 0));
            reach = reach.checked_add(factor.checked_mul(least)?)?;
        }
        (total.iter().all(|factor| *factor == 0) && reach > 0).then_some(ends)
    }
}

/// The same equation in smallest numbers.
fn reduced(mut equation: Equation) -> Equation {
    let divisor = equation.parts.iter().fold(equation.divisor, |a, part| gcd(a, part.1));
    if divisor > 1 {
        equation.divisor /= divisor;
        equation.parts.iter_mut().for_each(|part| part.1 /= divisor);
    }
    equation
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(parts: &[(usize, i128)], low: Option<i128>, high: Option<i128>) -> Row {
        Row { parts: parts.to_vec(), low, high }
    }

    #[test]
    fn sums_that_cannot_be() {
        let ranges = [(0, 1000); 3];
        // x - y <= -1, y - z <= -1, z - x <= 1 has no solution.
        let rows = [
            row(&[(0, 1), (1, -1)], None, Some(-1)),
            row(&[(1, 1), (2, -1)], None, Some(-1)),
            row(&[(0, -1), (2, 1)], None, Some(1)),
        ];
        assert_eq!(is_infeasible(&ranges, &rows, &mut 0), Some(true));
        assert_eq!(is_infeasible(&ranges, &rows[..2], &mut 0), Some(false));
    }

    #[test]
    fn agrees_with_enumeration() {
        let mut seed = 7_u64;
        let mut dice = |n: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % n
        };
        let (mut infeasible, mut missed) = (0, 0);
        for _ in 0..3000 {
            let ranges = [(0, 3 + dice(3) as i128), (0, 4), (1, 4)];
            let rows: Vec<Row> = (0..4)
                .map(|_| {
                    let parts: Vec<(usize, i128)> =
                        (0..3).map(|v| (v, dice(7) as i128 - 3)).filter(|part| part.1 != 0).collect();
                    let at = dice(14) as i128 - 7;
                    match dice(3) {
                        0 => row(&parts, Some(at), None),
                        1 => row(&parts, None, Some(at)),
                        _ => row(&parts, Some(at), Some(at + 1)),
                    }
                })
                .filter(|row| !row.parts.is_empty())
                .collect();
            let holds = |point: [i128; 3]| {
                rows.iter().all(|row| {
                    let sum: i128 = row.parts.iter().map(|(v, f)| f * point[*v]).sum();
                    row.low.is_none_or(|low| sum >= low) && row.high.is_none_or(|high| sum <= high)
                })
            };
            let mut any = false;
            for x in ranges[0].0..=ranges[0].1 {
                for y in 0..=4 {
                    for z in 1..=4 {
                        any |= holds([x, y, z]);
                    }
                }
            }
            let here = is_infeasible(&ranges, &rows, &mut 0).expect("small numbers");
            assert!(!here || !any, "{ranges:?} {rows:?}");
            infeasible += u32::from(here);
            missed += u32::from(!here && !any);
        }
        // Some have rational solutions only.
        assert!(infeasible > 1000 && missed * 4 < infeasible, "{infeasible} infeasible, {missed} missed");
    }
}
