//! Contradictions that arithmetic in a ring shows, before any solver is asked.
//!
//! Bit-vectors of `w` bits are the integers modulo `2^w`, so sums and products of them are polynomials, and a polynomial
//! that has the normal form zero is zero. A conjunction is contradictory if one of its disequalities `p ≠ q` has `p - q` in the
//! span of its equalities: first equalities that determine a variable are substituted, then the others, also multiplied by
//! single variables, are used up by elimination over monomials. Solvers translate products to circuits and do not see this.

use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use term::normal::conjuncts;
use term::{Op, Sort, Store, Term, walk};

/// A product of terms that are not sums or products themselves, in order; the empty one is 1.
type Monomial = Vec<Term>;

/// Limits beyond which nothing is tried.
const MAX_MONOMIALS: usize = 300;
const MAX_DEGREE: usize = 12;
const MAX_ROWS: usize = 150;
const MAX_SUBSTITUTIONS: usize = 40;

/// Whether the conjunction is contradictory for a reason that is seen here. `false` says nothing.
pub fn contradictory(terms: &Store, conjunction: &[Term]) -> bool {
    if !walk::postorder(terms, conjunction).iter().any(|t| is_product(terms, *t)) {
        return false;
    }
    let mut parts: Vec<Term> = Vec::new();
    let mut seen = FxHashSet::default();
    for root in conjunction {
        parts.extend(conjuncts(terms, *root).into_iter().filter(|t| seen.insert(*t)));
    }
    // By width: equalities, disequalities.
    let mut systems: BTreeMap<u32, (Vec<Polynomial>, Vec<Polynomial>)> = BTreeMap::new();
    for part in parts {
        let negated = terms.op(part) == Op::Not;
        let atom = if negated { terms.arg(part, 0) } else { part };
        if terms.op(atom) != Op::Eq {
            continue;
        }
        let (a, b) = (terms.arg(atom, 0), terms.arg(atom, 1));
        let Sort::Bv(width @ 1..=128) = terms.sort(a) else { continue };
        let (Some(p), Some(q)) = (Polynomial::of(terms, a), Polynomial::of(terms, b)) else { continue };
        let difference = p.plus(&q.times_number(u128::MAX));
        let system = systems.entry(width).or_default();
        if negated { system.1.push(difference) } else { system.0.push(difference) }
    }
    systems.into_values().any(|(zero, nonzero)| conflicts(zero, nonzero))
}

/// Whether the equalities have no solution with the disequalities, as far as elimination shows.
fn conflicts(mut zero: Vec<Polynomial>, mut nonzero: Vec<Polynomial>) -> bool {
    for _ in 0..MAX_SUBSTITUTIONS {
        let found = zero.iter().enumerate().find_map(|(i, p)| Some((i, p.solved()?)));
        let Some((i, (atom, value))) = found else { break };
        zero.remove(i);
        for p in zero.iter_mut().chain(&mut nonzero) {
            match p.substitute(atom, &value) {
                Some(q) => *p = q,
                None => return false,
            }
        }
    }
    let mut rows = zero.clone();
    let mut atoms: Vec<Term> =
        zero.iter().chain(&nonzero).flat_map(|p| p.coefficients.keys().flatten().copied()).collect();
    atoms.sort_unstable();
    atoms.dedup();
    if zero.len() * (atoms.len() + 1) <= MAX_ROWS {
        for p in &zero {
            rows.extend(atoms.iter().map(|atom| p.times_atom(*atom)));
        }
    }
    let mut basis: Vec<(Monomial, Polynomial)> = Vec::new();
    for row in rows {
        let row = row.reduced(&basis);
        if row.is_nonzero_constant() {
            return true;
        }
        if let Some(pivot) = row.pivot() {
            basis.push((pivot, row));
        }
    }
    nonzero.iter().any(|p| p.reduced(&basis).is_zero())
}

fn is_product(terms: &Store, t: Term) -> bool {
    terms.op(t) == Op::BvMul && !terms.args(t).iter().any(|a| terms.is_const(*a))
}

/// A sum of monomials with coefficients modulo `2^width`; no coefficient is zero.
#[derive(Clone, PartialEq, Debug)]
struct Polynomial {
    width: u32,
    coefficients: BTreeMap<Monomial, u128>,
}

impl Polynomial {
    fn zero(width: u32) -> Polynomial {
        Polynomial { width, coefficients: BTreeMap::new() }
    }

    fn monomial(width: u32, monomial: Monomial, coefficient: u128) -> Polynomial {
        let mut p = Polynomial::zero(width);
        p.add(monomial, coefficient);
        p
    }

    /// The normal form of a bit-vector term; `None` if it is too large.
    fn of(terms: &Store, root: Term) -> Option<Polynomial> {
        let width = terms.width(root);
        let mut done: BTreeMap<Term, Polynomial> = BTreeMap::new();
        let mut stack = vec![(root, false)];
        while let Some((t, ready)) = stack.pop() {
            if done.contains_key(&t) {
                continue;
            }
            let op = terms.op(t);
            let inner = matches!(op, Op::BvAdd | Op::BvMul | Op::BvNeg | Op::BvNot);
            if inner && !ready {
                stack.push((t, true));
                stack.extend(terms.args(t).iter().map(|a| (*a, false)));
                continue;
            }
            let arg = |i: usize| &done[&terms.arg(t, i)];
            let p = match op {
                Op::BvConst(_) => Polynomial::monomial(width, Vec::new(), terms.as_bv_const(t)?.to_u128()?),
                Op::BvAdd => arg(0).plus(arg(1)),
                Op::BvMul => arg(0).times(arg(1))?,
                Op::BvNeg => arg(0).times_number(u128::MAX),
                Op::BvNot => {
                    let minus_one = Polynomial::monomial(width, Vec::new(), u128::MAX);
                    arg(0).times_number(u128::MAX).plus(&minus_one)
                }
                _ => Polynomial::monomial(width, vec![t], 1),
            };
            if p.coefficients.len() > MAX_MONOMIALS {
                return None;
            }
            done.insert(t, p);
        }
        done.remove(&root)
    }

    fn add(&mut self, monomial: Monomial, coefficient: u128) {
        let mask = u128::MAX >> (128 - self.width);
        let sum = self.coefficients.get(&monomial).copied().unwrap_or(0).wrapping_add(coefficient) & mask;
        if sum == 0 {
            self.coefficients.remove(&monomial);
        } else {
            self.coefficients.insert(monomial, sum);
        }
    }

    fn plus(&self, other: &Polynomial) -> Polynomial {
        let mut sum = self.clone();
        for (monomial, c) in &other.coefficients {
            sum.add(monomial.clone(), *c);
        }
        sum
    }

    fn times_number(&self, n: u128) -> Polynomial {
        let mut product = Polynomial::zero(self.width);
        for (monomial, c) in &self.coefficients {
            product.add(monomial.clone(), c.wrapping_mul(n));
        }
        product
    }

    fn times_atom(&self, atom: Term) -> Polynomial {
        let mut product = Polynomial::zero(self.width);
        for (monomial, c) in &self.coefficients {
            product.add(joined(monomial, &[atom]), *c);
        }
        product
    }

    fn times(&self, other: &Polynomial) -> Option<Polynomial> {
        if self.coefficients.len() * other.coefficients.len() > 4 * MAX_MONOMIALS {
            return None;
        }
        let mut product = Polynomial::zero(self.width);
        for (m, c) in &self.coefficients {
            for (n, d) in &other.coefficients {
                if m.len() + n.len() > MAX_DEGREE {
                    return None;
                }
                product.add(joined(m, n), c.wrapping_mul(*d));
            }
        }
        Some(product)
    }

    fn is_zero(&self) -> bool {
        self.coefficients.is_empty()
    }

    fn is_nonzero_constant(&self) -> bool {
        self.coefficients.len() == 1 && self.coefficients.keys().all(Vec::is_empty)
    }

    /// An atom that this polynomial being zero determines, and its value: it occurs once, alone, with an odd factor.
    fn solved(&self) -> Option<(Term, Polynomial)> {
        let (monomial, c) = self.coefficients.iter().find(|(m, c)| {
            **c & 1 == 1 && m.len() == 1 && self.coefficients.keys().filter(|n| n.contains(&m[0])).count() == 1
        })?;
        let mut rest = self.clone();
        rest.coefficients.remove(monomial);
        Some((monomial[0], rest.times_number(inverse(*c).wrapping_neg())))
    }

    /// With the atom replaced.
    fn substitute(&self, atom: Term, value: &Polynomial) -> Option<Polynomial> {
        let mut result = Polynomial::zero(self.width);
        for (monomial, c) in &self.coefficients {
            let rest: Monomial = monomial.iter().copied().filter(|a| *a != atom).collect();
            let power = monomial.len() - rest.len();
            let mut term = Polynomial::monomial(self.width, rest, *c);
            for _ in 0..power {
                term = term.times(value)?;
            }
            result = result.plus(&term);
            if result.coefficients.len() > MAX_MONOMIALS {
                return None;
            }
        }
        Some(result)
    }

    /// The monomial whose coefficient divides most others: fewest factors of two, then the highest degree.
    fn pivot(&self) -> Option<Monomial> {
        let best = self.coefficients.iter().min_by_key(|(m, c)| (c.trailing_zeros(), std::cmp::Reverse(m.len())));
        best.map(|(m, _)| m.clone())
    }

    /// Without the pivots of the basis, where their coefficients divide.
    fn reduced(&self, basis: &[(Monomial, Polynomial)]) -> Polynomial {
        let mut rest = self.clone();
        for (pivot, row) in basis {
            let Some(&c) = rest.coefficients.get(pivot) else { continue };
            let p = row.coefficients[pivot];
            let shift = p.trailing_zeros();
            if c.trailing_zeros() < shift {
                continue;
            }
            // c = factor · p modulo 2^width, dividing both by 2^shift.
            let factor = (c >> shift).wrapping_mul(inverse(p >> shift));
            rest = rest.plus(&row.times_number(factor.wrapping_neg()));
        }
        rest
    }
}

fn joined(m: &[Term], n: &[Term]) -> Monomial {
    let mut all: Monomial = m.iter().chain(n).copied().collect();
    all.sort_unstable();
    all
}

/// Of an odd number, modulo `2^128` and so modulo every smaller power.
fn inverse(odd: u128) -> u128 {
    let mut x = odd;
    for _ in 0..7 {
        x = x.wrapping_mul(2u128.wrapping_sub(odd.wrapping_mul(x)));
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(terms: &mut Store, texts: &[&str]) -> Vec<Term> {
        for name in ["x", "y", "z", "k"] {
            terms.var(name, Sort::Bv(64));
        }
        texts.iter().map(|t| cfa::text::parse_term(terms, t).unwrap_or_else(|e| panic!("{t}: {e}"))).collect()
    }

    #[test]
    fn a_sum_of_squares_is_kept() {
        // k(k+1) = 2x is kept by x += k + 1, k += 1.
        let mut terms = Store::new();
        let question = parse(
            &mut terms,
            &[
                "(= (bvmul k (bvadd k 1:64)) (bvmul 2:64 x))",
                "(not (= (bvmul (bvadd k 1:64) (bvadd k 2:64)) (bvmul 2:64 (bvadd x (bvadd k 1:64)))))",
            ],
        );
        assert!(contradictory(&terms, &question));
        assert!(!contradictory(&terms, &question[1..]), "alone it says nothing");
    }

    #[test]
    fn multiples_and_values_are_used() {
        let mut terms = Store::new();
        let question = parse(
            &mut terms,
            &["(= (bvadd (bvmul x z) y) k)", "(= y 7:64)", "(not (= (bvmul z (bvadd (bvmul x z) 7:64)) (bvmul z k)))"],
        );
        assert!(contradictory(&terms, &question));
        let sound = parse(&mut terms, &["(= (bvmul 2:64 (bvmul x y)) 0:64)", "(not (= (bvmul x y) 0:64))"]);
        assert!(!contradictory(&terms, &sound), "modulo 2^64 the product may be 2^63");
    }
}
