//! Machine arithmetic is a ring: bit-vector terms as polynomials with coefficients modulo `2^w`.
//!
//! Bit-blasting `x*x*x == n` at 64 bits is hopeless, but addition, multiplication and negation of machine integers obey
//! the laws of commutative rings exactly, overflow included. [`Normaliser`] turns terms into [`Poly`]s over *atoms* (terms
//! that are no ring operations), [`Ideal`] decides many consequences of equalities by reduction, [`Equations`] solves
//! systems of them, [`relations`] finds the equalities that all states of a sample satisfy.
//!
//! The engines and the solvers' layer `Refute` compute here. The checker of proofs has a ring of its own
//! (`validate::ring`), so that a mistake in one is not repeated by the other.

mod bounds;
mod equations;
mod ideal;
mod limits;
mod normal;
pub mod relations;

pub use bounds::{Bounds, Interval};
pub use equations::{Equations, TooLarge};
pub use ideal::Ideal;
pub use normal::Normaliser;

use smallvec::SmallVec;
use std::collections::BTreeMap;
use term::Term;

/// Widths up to this are followed.
pub const WIDEST: u32 = 128;

/// What polynomials are over: terms, as a rule, or whatever else is small and has an order.
pub trait Atom: Copy + Ord {}

impl<A: Copy + Ord> Atom for A {}

/// A product of powers of atoms, sorted by atom, exponents positive. The empty product is one.
///
/// Ordered by degree first: equalities then rewrite high monomials into lower ones, and rewriting ends.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Monomial<A: Atom = Term>(SmallVec<[(A, u32); 3]>);

impl<A: Atom> Monomial<A> {
    pub fn one() -> Monomial<A> {
        Monomial(SmallVec::new())
    }

    pub fn atom(a: A) -> Monomial<A> {
        Monomial(SmallVec::from_slice(&[(a, 1)]))
    }

    pub fn factors(&self) -> &[(A, u32)] {
        &self.0
    }

    pub fn degree(&self) -> u32 {
        self.0.iter().map(|(_, e)| e).sum()
    }

    /// How often the atom occurs.
    pub fn power_of(&self, atom: A) -> u32 {
        self.0.iter().find(|(a, _)| *a == atom).map_or(0, |(_, e)| *e)
    }

    /// With the atom left out.
    pub fn without(&self, atom: A) -> Monomial<A> {
        Monomial(self.0.iter().copied().filter(|(a, _)| *a != atom).collect())
    }

    pub fn mul(&self, other: &Monomial<A>) -> Monomial<A> {
        let mut out: SmallVec<[(A, u32); 3]> = SmallVec::new();
        let (mut a, mut b) = (self.0.iter().peekable(), other.0.iter().peekable());
        loop {
            match (a.peek(), b.peek()) {
                (Some(x), Some(y)) if x.0 == y.0 => {
                    out.push((x.0, x.1 + y.1));
                    a.next();
                    b.next();
                }
                (Some(x), Some(y)) if x.0 < y.0 => out.extend(a.next().copied()),
                (Some(_), None) => out.extend(a.next().copied()),
                (_, Some(_)) => out.extend(b.next().copied()),
                (None, None) => return Monomial(out),
            }
        }
    }

    /// `self / other`, where `other` divides it.
    pub fn divide(&self, other: &Monomial<A>) -> Option<Monomial<A>> {
        let mut out = self.0.clone();
        for (t, e) in &other.0 {
            let place = out.iter().position(|(x, _)| x == t)?;
            out[place].1 = out[place].1.checked_sub(*e)?;
        }
        out.retain(|(_, e)| *e > 0);
        Some(Monomial(out))
    }

    /// The least common multiple.
    pub fn lcm(&self, other: &Monomial<A>) -> Monomial<A> {
        let mut powers: BTreeMap<A, u32> = self.0.iter().copied().collect();
        for (t, e) in &other.0 {
            let old = powers.entry(*t).or_default();
            *old = (*old).max(*e);
        }
        Monomial(powers.into_iter().collect())
    }
}

impl<A: Atom> Ord for Monomial<A> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        // Within a degree: reverse lexicographic by atom, so that old atoms (inputs) are rewritten last.
        self.degree().cmp(&other.degree()).then_with(|| {
            for (a, b) in self.0.iter().rev().zip(other.0.iter().rev()) {
                let order = a.0.cmp(&b.0).then(a.1.cmp(&b.1));
                if order.is_ne() {
                    return order;
                }
            }
            self.0.len().cmp(&other.0.len())
        })
    }
}

impl<A: Atom> PartialOrd for Monomial<A> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// A polynomial modulo `2^width`; no coefficient is zero.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Poly<A: Atom = Term> {
    width: u32,
    parts: BTreeMap<Monomial<A>, u128>,
}

impl<A: Atom> Poly<A> {
    pub fn zero(width: u32) -> Poly<A> {
        debug_assert!((1..=WIDEST).contains(&width));
        Poly { width, parts: BTreeMap::new() }
    }

    pub fn constant(value: u128, width: u32) -> Poly<A> {
        let mut p = Poly::zero(width);
        p.add_part(Monomial::one(), value);
        p
    }

    pub fn atom(t: A, width: u32) -> Poly<A> {
        let mut p = Poly::zero(width);
        p.add_part(Monomial::atom(t), 1);
        p
    }

    /// From monomials and (signed) integer coefficients.
    pub fn from_parts(width: u32, parts: impl IntoIterator<Item = (Monomial<A>, i128)>) -> Poly<A> {
        let mut p = Poly::zero(width);
        for (m, c) in parts {
            p.add_part(m, c as u128);
        }
        p
    }

    pub fn width(&self) -> u32 {
        self.width
    }

    fn mask(&self) -> u128 {
        u128::MAX >> (128 - self.width)
    }

    pub fn is_zero(&self) -> bool {
        self.parts.is_empty()
    }

    pub fn len(&self) -> usize {
        self.parts.len()
    }

    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    pub fn degree(&self) -> u32 {
        self.parts.keys().next_back().map_or(0, Monomial::degree)
    }

    /// The value, if no atom occurs.
    pub fn as_constant(&self) -> Option<u128> {
        match self.parts.len() {
            0 => Some(0),
            1 => self.parts.get(&Monomial::one()).copied(),
            _ => None,
        }
    }

    /// Monomials in increasing order with their coefficients below `2^width`.
    pub fn parts(&self) -> impl DoubleEndedIterator<Item = (&Monomial<A>, u128)> {
        self.parts.iter().map(|(m, c)| (m, *c))
    }

    /// Monomials with the coefficients as the signed numbers they stand for.
    pub fn signed_parts(&self) -> impl DoubleEndedIterator<Item = (&Monomial<A>, i128)> {
        let shift = 128 - self.width;
        self.parts.iter().map(move |(m, c)| (m, ((c << shift) as i128) >> shift))
    }

    pub fn leading(&self) -> Option<(&Monomial<A>, u128)> {
        self.parts.iter().next_back().map(|(m, c)| (m, *c))
    }

    pub fn coefficient(&self, m: &Monomial<A>) -> u128 {
        self.parts.get(m).copied().unwrap_or(0)
    }

    /// The atoms, each once, sorted.
    pub fn atoms(&self) -> Vec<A> {
        let mut atoms: Vec<A> = self.parts.keys().flat_map(|m| m.factors().iter().map(|(t, _)| *t)).collect();
        atoms.sort_unstable();
        atoms.dedup();
        atoms
    }

    pub fn add_part(&mut self, m: Monomial<A>, c: u128) {
        use std::collections::btree_map::Entry;
        let mask = self.mask();
        match self.parts.entry(m) {
            Entry::Vacant(place) => {
                if c & mask != 0 {
                    place.insert(c & mask);
                }
            }
            Entry::Occupied(mut place) => {
                let sum = place.get().wrapping_add(c) & mask;
                if sum == 0 {
                    place.remove();
                } else {
                    *place.get_mut() = sum;
                }
            }
        }
    }

    /// `self + factor * m * other`.
    pub fn add_multiple(&mut self, factor: u128, m: &Monomial<A>, other: &Poly<A>) {
        debug_assert_eq!(self.width, other.width);
        for (n, c) in &other.parts {
            self.add_part(n.mul(m), c.wrapping_mul(factor));
        }
    }

    pub fn add(&self, other: &Poly<A>) -> Poly<A> {
        let mut sum = self.clone();
        sum.add_multiple(1, &Monomial::one(), other);
        sum
    }

    pub fn sub(&self, other: &Poly<A>) -> Poly<A> {
        let mut difference = self.clone();
        difference.add_multiple(u128::MAX, &Monomial::one(), other);
        difference
    }

    pub fn scale(&self, factor: u128) -> Poly<A> {
        let mut out = Poly::zero(self.width);
        out.add_multiple(factor, &Monomial::one(), self);
        out
    }

    pub fn mul(&self, other: &Poly<A>) -> Poly<A> {
        let mut product = Poly::zero(self.width);
        for (m, c) in &self.parts {
            product.add_multiple(*c, m, other);
        }
        product
    }

    /// The polynomial with every atom replaced.
    pub fn map_atoms(&self, width: u32, mut replace: impl FnMut(A) -> Poly<A>) -> Poly<A> {
        let mut sum = Poly::zero(width);
        let shift = 128 - self.width;
        for (m, c) in &self.parts {
            // Sign extension of coefficients: the polynomial over the integers with the smallest coefficients.
            let c = ((c << shift) as i128) >> shift;
            let mut product = Poly::constant(c as u128, width);
            for (t, e) in m.factors() {
                let value = replace(*t);
                for _ in 0..*e {
                    product = product.mul(&value);
                }
            }
            sum = sum.add(&product);
        }
        sum
    }
}
