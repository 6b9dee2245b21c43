//! Systems of equations: solved for atoms where they determine one, the rest kept as an [`Ideal`].
//!
//! An atom that occurs once, alone and with an odd coefficient (a unit modulo `2^w`) is determined by the others and is
//! replaced everywhere. That goes where the order of monomials would not: `x = n³` rewrites `x`, not `n³`.

use crate::limits::equations::{MAX_COMBINATIONS, MAX_DEGREE, MAX_PARTS};
use crate::{Atom, Ideal, Monomial, Poly};
use std::collections::BTreeMap;
use term::Term;
use term::bits::inverse_of_odd;

/// A polynomial became too large.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLarge;

/// Arithmetic that gives up on what is too large.
impl<A: Atom> Poly<A> {
    pub fn try_add(&self, other: &Poly<A>) -> Result<Poly<A>, TooLarge> {
        self.add(other).within_limits()
    }

    pub fn try_sub(&self, other: &Poly<A>) -> Result<Poly<A>, TooLarge> {
        self.sub(other).within_limits()
    }

    pub fn try_mul(&self, other: &Poly<A>) -> Result<Poly<A>, TooLarge> {
        let mut product = Poly::zero(self.width());
        for (monomial, coefficient) in other.parts() {
            product.add_multiple(coefficient, monomial, self);
            product = product.within_limits()?;
        }
        Ok(product)
    }

    fn within_limits(self) -> Result<Poly<A>, TooLarge> {
        if self.len() > MAX_PARTS || self.degree() > MAX_DEGREE { Err(TooLarge) } else { Ok(self) }
    }

    /// An atom that this equation (`self = 0`) determines, the highest first, with its value.
    fn determined(&self) -> Option<(A, Poly<A>)> {
        let (atom, coefficient) = self.parts().rev().find_map(|(monomial, coefficient)| match monomial.factors() {
            &[(atom, 1)] if coefficient % 2 == 1 => {
                let once = self.parts().filter(|(m, _)| m.power_of(atom) > 0).count() == 1;
                once.then_some((atom, coefficient))
            }
            _ => None,
        })?;
        let mut rest = self.clone();
        rest.add_part(Monomial::atom(atom), coefficient.wrapping_neg());
        Some((atom, rest.scale(inverse_of_odd(coefficient).wrapping_neg())))
    }

    /// With `value` for the atom.
    fn substituted(&self, atom: A, value: &Poly<A>) -> Result<Poly<A>, TooLarge> {
        if self.width() != value.width() || self.parts().all(|(m, _)| m.power_of(atom) == 0) {
            return Ok(self.clone());
        }
        let mut out = Poly::zero(self.width());
        for (monomial, coefficient) in self.parts() {
            let mut part = Poly::constant(coefficient, self.width());
            for _ in 0..monomial.power_of(atom) {
                part = part.try_mul(value)?;
            }
            out.add_multiple(1, &monomial.without(atom), &part);
            out = out.within_limits()?;
        }
        Ok(out)
    }
}

/// Equations of any widths.
#[derive(Clone, Debug)]
pub struct Equations<A: Atom = Term> {
    solved: Vec<(A, Poly<A>)>,
    /// The others, by width.
    rest: BTreeMap<u32, Ideal<A>>,
}

impl<A: Atom> Equations<A> {
    /// Of polynomials that are zero. `None`: they contradict each other.
    pub fn solve(zeros: Vec<Poly<A>>) -> Result<Option<Equations<A>>, TooLarge> {
        let mut equations = Equations { solved: Vec::new(), rest: BTreeMap::new() };
        let mut open = zeros;
        while let Some(next) = open.pop() {
            let next = equations.reduced(&next)?;
            match (next.as_constant(), next.determined()) {
                (Some(0), _) => {}
                (Some(_), _) => return Ok(None),
                (None, Some((atom, value))) => {
                    for (_, other) in &mut equations.solved {
                        *other = other.substituted(atom, &value)?;
                    }
                    equations.solved.push((atom, value));
                    // What could not be solved before may be now, or contradict.
                    for ideal in std::mem::take(&mut equations.rest).into_values() {
                        open.extend(ideal.rules().iter().cloned());
                    }
                }
                (None, None) => {
                    let width = next.width();
                    equations.rest.entry(width).or_insert_with(|| Ideal::new(width)).add(&next);
                }
            }
        }
        for ideal in equations.rest.values_mut() {
            ideal.complete(MAX_COMBINATIONS, MAX_DEGREE);
        }
        Ok((!equations.rest.values().any(Ideal::is_contradictory)).then_some(equations))
    }

    /// The polynomial modulo the equations; zero means that it is zero wherever they hold.
    pub fn reduced(&self, poly: &Poly<A>) -> Result<Poly<A>, TooLarge> {
        let mut out = poly.clone();
        for (atom, value) in &self.solved {
            out = out.substituted(*atom, value)?;
        }
        let rest = self.rest.get(&out.width());
        rest.map_or(Ok(out.clone()), |ideal| ideal.reduce(&out).within_limits())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn x(number: u32) -> Poly<u32> {
        Poly::atom(number, 64)
    }

    fn c(value: u128) -> Poly<u32> {
        Poly::constant(value, 64)
    }

    #[test]
    fn powers_of_sums() {
        let sum = x(0).add(&c(1));
        let expected = x(0).mul(&x(0)).add(&x(0).scale(2)).add(&c(1));
        assert_eq!(sum.try_mul(&sum), Ok(expected));
    }

    /// `p s - r q = 1` stays true when `q` is taken from `p` and `s` from `r`.
    #[test]
    fn an_invariant_of_the_extended_euclidean_algorithm() {
        let (p, q, r, s) = (x(0), x(1), x(2), x(3));
        let invariant = |p: &Poly<u32>, r: &Poly<u32>| p.mul(&s).sub(&r.mul(&q)).sub(&c(1));
        let known = Equations::solve(vec![invariant(&p, &r)]).unwrap().unwrap();
        let after = invariant(&p.sub(&q), &r.sub(&s));
        assert!(known.reduced(&after).unwrap().is_zero());
        assert!(!known.reduced(&invariant(&p.sub(&q), &r)).unwrap().is_zero());
    }

    #[test]
    fn equations_that_contradict_each_other() {
        assert!(Equations::solve(vec![x(0).sub(&c(1)), x(0).sub(&c(2))]).unwrap().is_none());
    }

    /// Whatever reduces to zero is zero in every solution: all equations of a small ring.
    #[test]
    fn reduction_is_sound_at_three_bits() {
        let mut seed = 7u64;
        let mut random = |n: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % n
        };
        let eval = |poly: &Poly<u32>, at: &[u128; 3]| {
            let part = |(m, c): (&Monomial<u32>, u128)| {
                m.factors().iter().fold(c, |product, (n, p)| product.wrapping_mul(at[*n as usize].wrapping_pow(*p)))
            };
            poly.parts().map(part).fold(0u128, u128::wrapping_add) & 7
        };
        let mut zeros = 0;
        for _ in 0..3000 {
            let mut poly = || {
                let mut out = Poly::constant(u128::from(random(8)), 3);
                for _ in 0..1 + random(3) {
                    let mut part = Poly::constant(u128::from(random(8)), 3);
                    for _ in 0..1 + random(2) {
                        part = part.mul(&Poly::atom(random(3) as u32, 3));
                    }
                    out = out.add(&part);
                }
                out
            };
            let (a, b, multiplier) = (poly(), poly(), poly());
            let goal = a.mul(&multiplier).add(&b);
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
