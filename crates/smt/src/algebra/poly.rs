//! Polynomials modulo 2^w, and reduction of one by others.
//!
//! Machine arithmetic is a ring: sums and products of w-bit numbers are polynomials over the integers modulo 2^w, and a
//! polynomial identity holds for machine numbers however they wrap. Odd coefficients are units; a polynomial is divided by
//! another where the leading coefficient of that one has no more factors of two than what it is to cancel.

use smallvec::SmallVec;
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// A product of powers of unknowns, by number, in order of numbers. The order is graded lexicographic.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Monomial {
    degree: u32,
    powers: SmallVec<[(u32, u32); 3]>,
}

impl Ord for Monomial {
    fn cmp(&self, other: &Monomial) -> Ordering {
        let lexicographic = || {
            for (a, b) in self.powers.iter().zip(&other.powers) {
                let order = b.0.cmp(&a.0).then(a.1.cmp(&b.1));
                if order != Ordering::Equal {
                    return order;
                }
            }
            self.powers.len().cmp(&other.powers.len())
        };
        self.degree.cmp(&other.degree).then_with(lexicographic)
    }
}

impl PartialOrd for Monomial {
    fn partial_cmp(&self, other: &Monomial) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Monomial {
    fn unknown(number: u32) -> Monomial {
        Monomial { degree: 1, powers: SmallVec::from_slice(&[(number, 1)]) }
    }

    fn times(&self, other: &Monomial) -> Monomial {
        let mut powers: SmallVec<[(u32, u32); 3]> = SmallVec::new();
        let (mut i, mut j) = (0, 0);
        while i < self.powers.len() || j < other.powers.len() {
            match (self.powers.get(i), other.powers.get(j)) {
                (Some(a), Some(b)) if a.0 == b.0 => {
                    powers.push((a.0, a.1 + b.1));
                    (i, j) = (i + 1, j + 1);
                }
                (Some(a), Some(b)) if a.0 > b.0 => {
                    powers.push(*b);
                    j += 1;
                }
                (Some(a), _) => {
                    powers.push(*a);
                    i += 1;
                }
                (None, Some(b)) => {
                    powers.push(*b);
                    j += 1;
                }
                (None, None) => break,
            }
        }
        Monomial { degree: self.degree + other.degree, powers }
    }

    /// `self / other`, where it divides.
    fn over(&self, other: &Monomial) -> Option<Monomial> {
        if other.degree > self.degree {
            return None;
        }
        let mut powers: SmallVec<[(u32, u32); 3]> = SmallVec::new();
        let mut theirs = other.powers.iter().peekable();
        for &(number, power) in &self.powers {
            match theirs.peek() {
                Some(&&(n, p)) if n == number => {
                    if power > p {
                        powers.push((number, power - p));
                    }
                    if power < p {
                        return None;
                    }
                    theirs.next();
                }
                _ => powers.push((number, power)),
            }
        }
        theirs.peek().is_none().then_some(Monomial { degree: self.degree - other.degree, powers })
    }

    fn power_of(&self, number: u32) -> u32 {
        self.powers.iter().find(|p| p.0 == number).map_or(0, |p| p.1)
    }

    fn without(&self, number: u32) -> Monomial {
        let powers: SmallVec<[(u32, u32); 3]> = self.powers.iter().copied().filter(|p| p.0 != number).collect();
        Monomial { degree: powers.iter().map(|p| p.1).sum(), powers }
    }
}

/// Coefficients modulo 2^width (at most 128), none zero.
#[derive(Clone, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub struct Poly {
    width: u32,
    parts: BTreeMap<Monomial, u128>,
}

/// Polynomials with more parts, or of a higher degree, are given up.
const MAX_PARTS: usize = 400;
const MAX_DEGREE: u32 = 64;

/// Too large.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLarge;

impl Poly {
    pub fn constant(value: u128, width: u32) -> Poly {
        let mut poly = Poly { width, parts: BTreeMap::new() };
        poly.add_part(Monomial::default(), value);
        poly
    }

    pub fn unknown(number: u32, width: u32) -> Poly {
        let mut poly = Poly { width, parts: BTreeMap::new() };
        poly.add_part(Monomial::unknown(number), 1);
        poly
    }

    pub fn width(&self) -> u32 {
        self.width
    }

    pub fn is_zero(&self) -> bool {
        self.parts.is_empty()
    }

    pub fn as_constant(&self) -> Option<u128> {
        match self.parts.first_key_value() {
            None => Some(0),
            Some((monomial, value)) if self.parts.len() == 1 && monomial.degree == 0 => Some(*value),
            Some(_) => None,
        }
    }

    fn add_part(&mut self, monomial: Monomial, coefficient: u128) {
        let mask = u128::MAX >> (128 - self.width);
        let entry = self.parts.entry(monomial);
        match entry {
            std::collections::btree_map::Entry::Vacant(entry) => {
                if coefficient & mask != 0 {
                    entry.insert(coefficient & mask);
                }
            }
            std::collections::btree_map::Entry::Occupied(mut entry) => {
                let sum = entry.get().wrapping_add(coefficient) & mask;
                if sum == 0 {
                    entry.remove();
                } else {
                    entry.insert(sum);
                }
            }
        }
    }

    pub fn plus(&self, other: &Poly) -> Result<Poly, TooLarge> {
        let mut sum = self.clone();
        sum.add_multiple(other, &Monomial::default(), 1)?;
        Ok(sum)
    }

    pub fn minus(&self, other: &Poly) -> Result<Poly, TooLarge> {
        let mut difference = self.clone();
        difference.add_multiple(other, &Monomial::default(), u128::MAX)?;
        Ok(difference)
    }

    pub fn scaled(&self, factor: u128) -> Poly {
        let mut scaled = Poly { width: self.width, parts: BTreeMap::new() };
        for (monomial, coefficient) in &self.parts {
            scaled.add_part(monomial.clone(), coefficient.wrapping_mul(factor));
        }
        scaled
    }

    pub fn times(&self, other: &Poly) -> Result<Poly, TooLarge> {
        let mut product = Poly { width: self.width, parts: BTreeMap::new() };
        for (monomial, coefficient) in &other.parts {
            product.add_multiple(self, monomial, *coefficient)?;
        }
        Ok(product)
    }

    /// Adds `factor * monomial * other`.
    fn add_multiple(&mut self, other: &Poly, monomial: &Monomial, factor: u128) -> Result<(), TooLarge> {
        for (theirs, coefficient) in &other.parts {
            let product = monomial.times(theirs);
            if product.degree > MAX_DEGREE {
                return Err(TooLarge);
            }
            self.add_part(product, coefficient.wrapping_mul(factor));
        }
        if self.parts.len() > MAX_PARTS { Err(TooLarge) } else { Ok(()) }
    }

    /// An unknown that this equation (`self = 0`) determines: it occurs once, alone, with an odd coefficient.
    fn determined(&self) -> Option<u32> {
        self.parts.iter().rev().find_map(|(monomial, coefficient)| match monomial.powers[..] {
            [(number, 1)] if coefficient % 2 == 1 => {
                let once = self.parts.keys().filter(|m| m.power_of(number) > 0).count() == 1;
                once.then_some(number)
            }
            _ => None,
        })
    }

    /// The value of unknown `number` by the equation `self = 0`, which determines it.
    fn solved_for(&self, number: u32) -> Poly {
        let coefficient = self.parts[&Monomial::unknown(number)];
        let mut rest = self.clone();
        rest.parts.remove(&Monomial::unknown(number));
        rest.scaled(inverse(coefficient).wrapping_neg())
    }

    /// With `value` for unknown `number`.
    fn substituted(&self, number: u32, value: &Poly) -> Result<Poly, TooLarge> {
        if self.width != value.width || self.parts.keys().all(|m| m.power_of(number) == 0) {
            return Ok(self.clone());
        }
        let mut out = Poly { width: self.width, parts: BTreeMap::new() };
        for (monomial, coefficient) in &self.parts {
            let mut part = Poly::constant(*coefficient, self.width);
            for _ in 0..monomial.power_of(number) {
                part = part.times(value)?;
            }
            out.add_multiple(&part, &monomial.without(number), 1)?;
        }
        Ok(out)
    }

    fn leading(&self) -> Option<(&Monomial, u128)> {
        self.parts.last_key_value().map(|(m, c)| (m, *c))
    }

    /// Takes away multiples of `divisor` as far as its leading part allows.
    fn reduce_by(&mut self, divisor: &Poly) -> Result<bool, TooLarge> {
        let Some((leading, unit)) = divisor.leading().map(|(m, c)| (m.clone(), c)) else { return Ok(false) };
        if divisor.width != self.width {
            return Ok(false);
        }
        let twos = unit.trailing_zeros();
        let inverse = inverse(unit >> twos);
        let mut changed = false;
        let mut below: Option<Monomial> = None;
        loop {
            let candidates = match &below {
                None => self.parts.range(..),
                Some(last) => self.parts.range(..last),
            };
            let found = candidates.rev().find_map(|(monomial, coefficient)| {
                (coefficient.trailing_zeros() >= twos).then_some(())?;
                Some((monomial.clone(), monomial.over(&leading)?, *coefficient))
            });
            let Some((monomial, quotient, coefficient)) = found else { return Ok(changed) };
            let factor = (coefficient >> twos).wrapping_mul(inverse);
            self.add_multiple(divisor, &quotient, factor.wrapping_neg())?;
            changed = true;
            below = Some(monomial);
        }
    }
}

/// The inverse of an odd number modulo 2^128, and so modulo any smaller power.
fn inverse(odd: u128) -> u128 {
    // Each round doubles the number of correct bits; three bits are correct to begin with.
    (0..6).fold(odd, |x, _| x.wrapping_mul(2u128.wrapping_sub(odd.wrapping_mul(x))))
}

/// Equations, solved for unknowns where they can be; the rest is divided by.
#[derive(Clone, Debug, Default)]
pub struct Equations {
    solved: Vec<(u32, Poly)>,
    basis: Vec<Poly>,
}

/// Differences of multiples that are tried as further divisors.
const MAX_COMBINATIONS: usize = 12;

impl Equations {
    /// Of polynomials that are zero. `None`: they contradict each other.
    pub fn solve(zeros: Vec<Poly>) -> Result<Option<Equations>, TooLarge> {
        let mut equations = Equations::default();
        let mut open = zeros;
        while let Some(next) = open.pop() {
            let next = equations.reduced(&next)?;
            if let Some(constant) = next.as_constant() {
                if constant != 0 {
                    return Ok(None);
                }
                continue;
            }
            if let Some(number) = next.determined() {
                let value = next.solved_for(number);
                let width = next.width;
                for (_, other) in &mut equations.solved {
                    *other = other.substituted(number, &value)?;
                }
                // What was divided by before may have become solvable, or a contradiction.
                for old in std::mem::take(&mut equations.basis) {
                    open.push(old);
                }
                debug_assert_eq!(width, value.width);
                equations.solved.push((number, value));
            } else {
                equations.basis.push(next);
            }
        }
        equations.combine()?;
        Ok(Some(equations))
    }

    /// A few steps towards a Gröbner basis: leading parts of pairs are cancelled.
    fn combine(&mut self) -> Result<(), TooLarge> {
        let mut made = 0;
        let mut i = 0;
        while i < self.basis.len() {
            for j in 0..i {
                if made >= MAX_COMBINATIONS {
                    return Ok(());
                }
                made += 1;
                let Some(difference) = cancelled(&self.basis[i], &self.basis[j])? else { continue };
                let rest = self.reduced(&difference)?;
                if !rest.is_zero() && !self.basis.contains(&rest) {
                    self.basis.push(rest);
                }
            }
            i += 1;
        }
        Ok(())
    }

    /// The polynomial modulo the equations; zero means that it is zero wherever they hold.
    pub fn reduced(&self, poly: &Poly) -> Result<Poly, TooLarge> {
        let mut out = poly.clone();
        for (number, value) in &self.solved {
            out = out.substituted(*number, value)?;
        }
        for _ in 0..8 {
            let mut changed = false;
            for divisor in &self.basis {
                changed |= out.reduce_by(divisor)?;
            }
            if !changed {
                break;
            }
        }
        Ok(out)
    }
}

/// Multiples of two polynomials with odd leading coefficients, subtracted so that the leading parts cancel.
fn cancelled(a: &Poly, b: &Poly) -> Result<Option<Poly>, TooLarge> {
    let (Some((m, c)), Some((n, d))) = (a.leading(), b.leading()) else { return Ok(None) };
    if a.width != b.width || c % 2 == 0 || d % 2 == 0 {
        return Ok(None);
    }
    let mut common = m.clone();
    for &(number, power) in &n.powers {
        let missing = power.saturating_sub(m.power_of(number));
        for _ in 0..missing {
            common = common.times(&Monomial::unknown(number));
        }
    }
    // Without a common unknown nothing new comes out.
    if common.degree == m.degree + n.degree {
        return Ok(None);
    }
    let (Some(x), Some(y)) = (common.over(m), common.over(n)) else { return Ok(None) };
    let mut difference = Poly { width: a.width, parts: BTreeMap::new() };
    difference.add_multiple(a, &x, inverse(c))?;
    difference.add_multiple(b, &y, inverse(d).wrapping_neg())?;
    Ok(Some(difference))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn x(number: u32) -> Poly {
        Poly::unknown(number, 64)
    }

    fn c(value: u128) -> Poly {
        Poly::constant(value, 64)
    }

    #[test]
    fn powers_of_sums() {
        let sum = x(0).plus(&c(1)).unwrap();
        let square = sum.times(&sum).unwrap();
        let expected = x(0).times(&x(0)).unwrap().plus(&x(0).scaled(2)).unwrap().plus(&c(1)).unwrap();
        assert_eq!(square, expected);
        assert!(square.minus(&expected).unwrap().is_zero());
    }

    /// `p s - r q = 1` stays true when `q` is taken from `p` and `s` from `r`.
    #[test]
    fn an_invariant_of_the_extended_euclidean_algorithm() {
        let (p, q, r, s) = (x(0), x(1), x(2), x(3));
        let invariant =
            |p: &Poly, r: &Poly| p.times(&s).unwrap().minus(&r.times(&q).unwrap()).unwrap().minus(&c(1)).unwrap();
        let known = Equations::solve(vec![invariant(&p, &r)]).unwrap().unwrap();
        let after = invariant(&p.minus(&q).unwrap(), &r.minus(&s).unwrap());
        assert!(known.reduced(&after).unwrap().is_zero());
        assert!(!known.reduced(&invariant(&p.minus(&q).unwrap(), &r)).unwrap().is_zero());
    }

    #[test]
    fn equations_that_contradict_each_other() {
        assert!(Equations::solve(vec![x(0).minus(&c(1)).unwrap(), x(0).minus(&c(2)).unwrap()]).unwrap().is_none());
    }

    /// Whatever reduces to zero is zero in every solution: all equations of a small ring.
    #[test]
    fn reduction_is_sound_at_three_bits() {
        let mut seed = 7u64;
        let mut random = |n: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % n
        };
        let eval = |poly: &Poly, at: &[u128; 3]| {
            let part = |(m, c): (&Monomial, &u128)| {
                m.powers.iter().fold(*c, |product, (n, p)| product.wrapping_mul(at[*n as usize].wrapping_pow(*p)))
            };
            poly.parts.iter().map(part).fold(0u128, u128::wrapping_add) & 7
        };
        let mut zeros = 0;
        for _ in 0..3000 {
            let mut poly = || {
                let mut out = Poly::constant(u128::from(random(8)), 3);
                for _ in 0..1 + random(3) {
                    let mut part = Poly::constant(u128::from(random(8)), 3);
                    for _ in 0..1 + random(2) {
                        part = part.times(&Poly::unknown(random(3) as u32, 3)).unwrap();
                    }
                    out = out.plus(&part).unwrap();
                }
                out
            };
            let (a, b, multiplier) = (poly(), poly(), poly());
            let goal = a.times(&multiplier).unwrap().plus(&b).unwrap();
            let solved = Equations::solve(vec![a.clone(), b.clone()]).unwrap();
            let reduced = solved.as_ref().map(|s| s.reduced(&goal).unwrap());
            for i in 0..512u128 {
                let at = [i & 7, i >> 3 & 7, i >> 6 & 7];
                if eval(&a, &at) == 0 && eval(&b, &at) == 0 {
                    let reduced = reduced.as_ref().expect("there is a solution");
                    assert_eq!(eval(reduced, &at), eval(&goal, &at), "{a:?} {b:?} {goal:?} {reduced:?}");
                }
            }
            zeros += u32::from(reduced.is_some_and(|r| r.is_zero()));
        }
        assert!(zeros > 1000, "{zeros} of 3000 were recognised");
    }
}
