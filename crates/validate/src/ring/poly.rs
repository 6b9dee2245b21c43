//! Polynomials modulo `2^w` as plain maps, and rewriting with those that are zero.

use crate::limits::ring::{MAX_PAIRS, MAX_PARTS, MAX_REDUCED};
use std::collections::BTreeMap;
use term::bits::inverse_of_odd;
use term::{Store, Term};

/// Atoms with repetition, sorted, after their number: the order of keys is graded, so rewriting to smaller ones ends.
pub(super) type Monomial = (usize, Vec<Term>);

/// Coefficients modulo `2^width`, none zero.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Poly {
    pub(super) width: u32,
    pub(super) parts: BTreeMap<Monomial, u128>,
}

/// `Σ c·name(m)`; the monomial one needs no name.
pub(super) fn to_term(store: &mut Store, p: &Poly, mut name: impl FnMut(&Store, &Monomial) -> Option<Term>) -> Term {
    let mut sum = store.bv(0, p.width);
    for (m, c) in &p.parts {
        let named = name(store, m);
        let mut part = store.bv(*c, p.width);
        if m.0 > 0 {
            part = store.mul(part, named.expect("a monomial with atoms has a name"));
        }
        sum = store.add(sum, part);
    }
    sum
}

pub(super) fn times_atom(store: &Store, p: &Poly, atom: Term) -> Poly {
    let mut product = Poly { width: p.width, parts: BTreeMap::new() };
    match store.as_bv_const(atom).and_then(|c| c.to_u128()) {
        Some(c) => add(&mut product, c, &(0, Vec::new()), p),
        None => add(&mut product, 1, &(1, vec![atom]), p),
    }
    product
}

fn times(a: &Monomial, b: &Monomial) -> Monomial {
    let mut atoms: Vec<Term> = a.1.iter().chain(&b.1).copied().collect();
    atoms.sort_unstable();
    (atoms.len(), atoms)
}

/// `a / b`, where `b` divides it.
fn quotient(a: &Monomial, b: &Monomial) -> Option<Monomial> {
    let mut atoms = a.1.clone();
    for atom in &b.1 {
        atoms.remove(atoms.iter().position(|x| x == atom)?);
    }
    Some((atoms.len(), atoms))
}

pub(super) fn add_part(p: &mut Poly, m: Monomial, c: u128) {
    let mask = u128::MAX >> (128 - p.width);
    let sum = p.parts.remove(&m).unwrap_or(0).wrapping_add(c) & mask;
    if sum != 0 {
        p.parts.insert(m, sum);
    }
}

/// `p + c·m·q`.
pub(super) fn add(p: &mut Poly, c: u128, m: &Monomial, q: &Poly) {
    for (n, d) in &q.parts {
        add_part(p, times(m, n), c.wrapping_mul(*d));
    }
}

/// Subtracts multiples of rules (which are zero) as long as one of them has a leading term that divides a term of `p`.
pub(super) fn reduce(p: &Poly, rules: &[Poly]) -> Poly {
    let mut left = p.clone();
    let mut result = Poly { width: p.width, parts: BTreeMap::new() };
    while let Some((m, c)) = left.parts.iter().next_back().map(|(m, c)| (m.clone(), *c)) {
        let step = rules.iter().find_map(|rule| {
            let (lead, d) = rule.parts.iter().next_back()?;
            let factor = divide(c, *d, p.width)?;
            Some((rule, quotient(&m, lead)?, factor))
        });
        match step {
            Some((rule, by, factor)) if left.parts.len() < MAX_PARTS => {
                add(&mut left, factor.wrapping_neg(), &by, rule)
            }
            _ => {
                left.parts.remove(&m);
                result.parts.insert(m, c);
            }
        }
    }
    result
}

/// `x` with `x·d = c` modulo `2^width`, if `d` has no more factors 2 than `c`; the smallest such for small `c`.
fn divide(c: u128, d: u128, width: u32) -> Option<u128> {
    let twos = d.trailing_zeros();
    if c.trailing_zeros() < twos {
        return None;
    }
    let c = ((c << (128 - width)) as i128) >> (128 - width);
    let odd = d >> twos;
    Some(((c >> twos) as u128).wrapping_mul(inverse_of_odd(odd)))
}

/// Adds a polynomial that is zero; rules whose leading term it removes come back reduced.
pub(super) fn add_rule(rules: &mut Vec<Poly>, zero: &Poly) {
    let mut pending = vec![zero.clone()];
    let mut steps = 0;
    while let Some(p) = pending.pop() {
        let p = reduce(&p, rules);
        steps += 1;
        if p.parts.is_empty() || p.parts.len() > MAX_PARTS || steps > MAX_REDUCED {
            continue;
        }
        let alone = [p];
        let mut i = 0;
        while i < rules.len() {
            let lead = rules[i].parts.iter().next_back().map(|(m, c)| (m.clone(), *c));
            let (m, c) = lead.expect("rules are not zero");
            let only = Poly { width: zero.width, parts: BTreeMap::from([(m.clone(), c)]) };
            if reduce(&only, &alone).parts.contains_key(&m) {
                i += 1;
            } else {
                pending.push(rules.remove(i));
            }
        }
        rules.extend(alone);
    }
}

/// Adds differences of rules that cancel their leading terms.
pub(super) fn combine(rules: &mut Vec<Poly>) {
    let mut tried: Vec<(Monomial, Monomial)> = Vec::new();
    'again: loop {
        for i in 0..rules.len() {
            for j in i + 1..rules.len() {
                let (Some((m, c)), Some((n, d))) =
                    (rules[i].parts.iter().next_back(), rules[j].parts.iter().next_back())
                else {
                    continue;
                };
                let pair = (m.clone(), n.clone());
                let shared: Vec<Term> = m.1.iter().filter(|a| n.1.contains(a)).copied().collect();
                if shared.is_empty() || tried.contains(&pair) || tried.len() >= MAX_PAIRS {
                    continue;
                }
                let mut lcm = m.clone();
                for atom in &n.1 {
                    let count = |m: &Monomial| m.1.iter().filter(|a| *a == atom).count();
                    if count(&lcm) < count(n) {
                        lcm = times(&lcm, &(1, vec![*atom]));
                    }
                }
                let top = 1u128 << c.trailing_zeros().max(d.trailing_zeros());
                let (Some(x), Some(y)) = (divide(top, *c, rules[i].width), divide(top, *d, rules[i].width)) else {
                    continue;
                };
                let (Some(by), Some(other)) = (quotient(&lcm, m), quotient(&lcm, n)) else { continue };
                let mut difference = Poly { width: rules[i].width, parts: BTreeMap::new() };
                add(&mut difference, x, &by, &rules[i]);
                add(&mut difference, y.wrapping_neg(), &other, &rules[j]);
                tried.push(pair);
                if !reduce(&difference, rules).parts.is_empty() {
                    add_rule(rules, &difference);
                    continue 'again;
                }
            }
        }
        return;
    }
}
