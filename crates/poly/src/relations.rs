//! Polynomial relations in data: which polynomials vanish on all given points?
//!
//! Buchberger and Möller (1982): monomials are taken in increasing order; one whose values on the points depend linearly
//! on those of smaller ones gives a relation with that monomial leading, and none of its multiples needs to be looked at.
//! What comes out is small: a reduced basis of all relations up to the degree, each the shortest with its leading
//! monomial. Computed modulo a large prime, with coefficients carried back to small fractions.

use crate::limits::relations::MAX_COEFFICIENT;
use rustc_hash::FxHashMap;

/// `2^61 - 1`.
const PRIME: u64 = (1 << 61) - 1;

/// Exponents by column, in the order of the columns.
pub type Exponents = Vec<u32>;

/// A relation: exponents with integer coefficients, the leading one last.
pub type Relation = Vec<(Exponents, i128)>;

/// All relations up to `degree` on the points (rows of column values), as long as at most `max_monomials` are needed.
pub fn relations(points: &[Vec<i128>], columns: usize, degree: u32, max_monomials: usize) -> Vec<Relation> {
    let points: Vec<Vec<u64>> = points.iter().map(|p| p.iter().map(|v| residue(*v)).collect()).collect();
    let mut search = Search { rows: Vec::new(), independent: Vec::new(), leads: Vec::new(), found: Vec::new() };
    let mut values: FxHashMap<Exponents, Vec<u64>> = FxHashMap::default();
    let one = vec![0; columns];
    values.insert(one.clone(), vec![1; points.len()]);
    search.take(one.clone(), &values[&one]);
    let mut level = vec![one];
    for _ in 0..degree {
        let mut next: Vec<Exponents> = Vec::new();
        for m in &level {
            // Each monomial once: multiply by columns not before the last one used.
            let last = m.iter().rposition(|e| *e > 0).unwrap_or(0);
            for column in last..columns {
                let mut product = m.clone();
                product[column] += 1;
                if search.leads.iter().any(|lead| divides(lead, &product)) {
                    continue;
                }
                if search.independent.len() >= max_monomials {
                    return search.found;
                }
                let column_values: Vec<u64> = values[m].iter().zip(&points).map(|(v, p)| mul(*v, p[column])).collect();
                if search.take(product.clone(), &column_values) {
                    values.insert(product.clone(), column_values);
                    next.push(product);
                }
            }
        }
        level = next;
    }
    search.found
}

/// The relation that gives the second of two columns as a polynomial in the first: `c·y = p(x)`.
pub fn function(points: &[Vec<i128>], degree: u32) -> Option<Relation> {
    let distinct: std::collections::BTreeSet<i128> = points.iter().map(|p| p[0]).collect();
    let mut search = Search { rows: Vec::new(), independent: Vec::new(), leads: Vec::new(), found: Vec::new() };
    let mut power: Vec<u64> = vec![1; points.len()];
    let wanted: Vec<u64> = points.iter().map(|p| residue(p[1])).collect();
    for exponent in 0..=degree {
        // Through few points goes a polynomial always.
        if distinct.len() < exponent as usize + 4 || !search.take(vec![exponent, 0], &power) {
            return None;
        }
        if !search.clone().take(vec![0, 1], &wanted) {
            search.take(vec![0, 1], &wanted);
            return search.found.pop();
        }
        power.iter_mut().zip(points).for_each(|(v, p)| *v = mul(*v, residue(p[0])));
    }
    None
}

#[derive(Clone)]
struct Search {
    /// Echelon rows: position of the leading one, the row, and it as a combination of the independent monomials.
    rows: Vec<(usize, Vec<u64>, Vec<u64>)>,
    independent: Vec<Exponents>,
    leads: Vec<Exponents>,
    found: Vec<Relation>,
}

impl Search {
    /// Whether the monomial is independent of those before; if it is not, its relation is noted.
    fn take(&mut self, m: Exponents, values: &[u64]) -> bool {
        let mut row = values.to_vec();
        let mut combination = vec![0; self.independent.len()];
        for (pivot, other, used) in &self.rows {
            let factor = row[*pivot];
            if factor != 0 {
                for (x, y) in row.iter_mut().zip(other) {
                    *x = sub(*x, mul(factor, *y));
                }
                for (x, y) in combination.iter_mut().zip(used) {
                    *x = sub(*x, mul(factor, *y));
                }
            }
        }
        if let Some(pivot) = row.iter().position(|v| *v != 0) {
            let inverse = power(row[pivot], PRIME - 2);
            row.iter_mut().for_each(|v| *v = mul(*v, inverse));
            combination.push(1);
            combination.iter_mut().for_each(|v| *v = mul(*v, inverse));
            self.rows.push((pivot, row, combination));
            self.independent.push(m);
            return true;
        }
        // values(m) + Σ combination_i · values(m_i) = 0
        if let Some(relation) = integers(&combination) {
            let (lead, coefficients) = relation.split_last().expect("at least the leading one");
            let mut parts: Relation = self
                .independent
                .iter()
                .zip(coefficients)
                .filter(|(_, c)| **c != 0)
                .map(|(m, c)| (m.clone(), *c))
                .collect();
            parts.push((m.clone(), *lead));
            self.found.push(parts);
        }
        self.leads.push(m);
        false
    }
}

fn divides(a: &Exponents, b: &Exponents) -> bool {
    a.iter().zip(b).all(|(x, y)| x <= y)
}

/// The combination and a final one as integers without common factor, if they are small fractions.
fn integers(combination: &[u64]) -> Option<Vec<i128>> {
    let mut fractions: Vec<(i128, i128)> = combination.iter().map(|c| fraction(*c)).collect::<Option<_>>()?;
    fractions.push((1, 1));
    let mut denominator = 1;
    for (_, d) in &fractions {
        denominator = denominator / gcd(denominator, *d) * d;
        if denominator > MAX_COEFFICIENT {
            return None;
        }
    }
    let integers: Vec<i128> = fractions.iter().map(|(n, d)| n * (denominator / d)).collect();
    integers.iter().all(|c| c.abs() <= MAX_COEFFICIENT).then_some(integers)
}

/// The fraction with small numerator and denominator that is `c` modulo the prime (half of Euclid's algorithm).
fn fraction(c: u64) -> Option<(i128, i128)> {
    let (mut r0, mut r1) = (i128::from(PRIME), i128::from(c));
    let (mut t0, mut t1) = (0i128, 1i128);
    while r1 > 1 << 29 {
        let q = r0 / r1;
        (r0, r1) = (r1, r0 - q * r1);
        (t0, t1) = (t1, t0 - q * t1);
    }
    let (n, d) = if t1 < 0 { (-r1, -t1) } else { (r1, t1) };
    (d > 0 && d <= MAX_COEFFICIENT).then_some((n, d))
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

fn residue(v: i128) -> u64 {
    v.rem_euclid(i128::from(PRIME)) as u64
}

fn mul(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    let folded = (product & u128::from(PRIME)) as u64 + (product >> 61) as u64;
    if folded >= PRIME { folded - PRIME } else { folded }
}

fn sub(a: u64, b: u64) -> u64 {
    if a >= b { a - b } else { a + PRIME - b }
}

fn power(mut base: u64, mut exponent: u64) -> u64 {
    let mut result = 1;
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = mul(result, base);
        }
        base = mul(base, base);
        exponent >>= 1;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sum_of_cubes_is_found() {
        // n, s = 1 + 8 + … + n³
        let points: Vec<Vec<i128>> = (0..20).map(|n: i128| vec![n, (1..=n).map(|i| i * i * i).sum()]).collect();
        let found = relations(&points, 2, 4, 100);
        // n⁴ + 2n³ + n² = 4s
        assert!(found.iter().any(|r| {
            let coefficient = |e: &[u32]| r.iter().find(|(m, _)| m == e).map_or(0, |(_, c)| *c);
            coefficient(&[4, 0]) == 1
                && coefficient(&[3, 0]) == 2
                && coefficient(&[2, 0]) == 1
                && coefficient(&[0, 1]) == -4
        }));
    }

    #[test]
    fn relations_hold_on_their_points() {
        let points: Vec<Vec<i128>> = (1..30).map(|i: i128| vec![i, i * i % 7, 3 * i + (i * i % 7)]).collect();
        for relation in relations(&points, 3, 3, 60) {
            for p in &points {
                let value: i128 =
                    relation.iter().map(|(m, c)| c * m.iter().zip(p).map(|(e, v)| v.pow(*e)).product::<i128>()).sum();
                assert_eq!(value, 0, "{relation:?}");
            }
        }
    }
}
