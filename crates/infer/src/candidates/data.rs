//! Candidates: what holds in all states seen at a loop head, and looks like something that holds always.
//!
//! Equalities are polynomial relations among the variables (and their extensions to wider types, as the program writes
//! them); order relations, bounds, congruences and bit patterns come from templates; conditions of the program and their
//! weaker neighbours are tried as they stand.

use super::program::{all_terms, neighbours};
use super::scaled::{self, Scaled};
use crate::limits::candidates::{
    CONDITION_ROWS, FEW_MONOMIALS, LIMITS_OF_SIZES, MAX_ATOMS, MAX_DEGREE, MAX_EQUALITIES, MAX_MONOMIALS, SPARE_POINTS,
};
use crate::sample::Table;
use cfa::{Program, Var};
use poly::relations::{Relation, relations};
use poly::{Monomial, Poly};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use term::{Bits, Op, Sort, Store, Term, Value};

/// A term that can be a factor of monomials, with its values in the sample.
struct Atom {
    term: Term,
    width: u32,
    signed: bool,
    /// As an integer, one for each row.
    values: Vec<i128>,
}

/// What the states in the table suggest.
pub struct Guesser<'a> {
    program: &'a Program,
    table: &'a Table,
    atoms: Vec<Atom>,
    /// Constants of the program and their neighbours, as signed numbers.
    thresholds: BTreeSet<i128>,
    /// What the program divides by, and small powers of two: other moduli are hard on the solver.
    moduli: BTreeSet<u128>,
    /// Multiples that are compared with sizes.
    scaled: Vec<Scaled>,
}

impl<'a> Guesser<'a> {
    pub fn new(program: &'a Program, store: &Store, table: &'a Table) -> Guesser<'a> {
        let mut guesser = Guesser {
            program,
            table,
            atoms: Vec::new(),
            thresholds: BTreeSet::from([-1, 0, 1]),
            moduli: BTreeSet::from([2, 4, 8]),
            scaled: scaled::compared(program, store),
        };
        let roots = all_terms(program);
        let mentioned = term::walk::postorder(store, &roots);
        for (index, var) in table.columns.iter().enumerate() {
            guesser.add_atom(store, index, *var, program.term(*var));
        }
        for t in &mentioned {
            if let Op::SignExtend(_) | Op::ZeroExtend(_) = store.op(*t)
                && let Some(index) = guesser.column(store.arg(*t, 0))
            {
                guesser.add_atom(store, index, table.columns[index], *t);
            }
            if let Op::BvUrem | Op::BvSrem | Op::BvUdiv | Op::BvSdiv = store.op(*t) {
                let divisor = store.as_bv_const(store.arg(*t, 1)).and_then(Bits::to_u128);
                guesser.moduli.extend(divisor.filter(|d| (2..1 << 16).contains(d)));
                if let (Some(_), Some(index)) = (divisor, guesser.column(store.arg(*t, 0))) {
                    guesser.add_quotient(store, index, *t);
                }
            }
            if let Some(c) = store.as_bv_const(*t).and_then(Bits::to_i128) {
                guesser.thresholds.extend([c - 1, c, c + 1, -c]);
            }
        }
        guesser
    }

    fn column(&self, t: Term) -> Option<usize> {
        let var = self.program.var_of(t)?;
        self.table.columns.iter().position(|v| *v == var)
    }

    fn add_atom(&mut self, store: &Store, index: usize, var: Var, t: Term) {
        let (Sort::Bv(width), Sort::Bv(narrow)) = (store.sort(t), self.program.vars[var].sort) else { return };
        if width > 64 {
            return;
        }
        let signed = match store.op(t) {
            Op::SignExtend(_) => true,
            Op::ZeroExtend(_) => false,
            _ => self.program.vars[var].source.as_ref().is_none_or(|s| s.signed),
        };
        let value = |word: u64| {
            if signed { i128::from(((word << (64 - narrow)) as i64) >> (64 - narrow)) } else { i128::from(word) }
        };
        let values = self.table.rows.iter().map(|row| value(row[index])).collect();
        self.atoms.push(Atom { term: t, width, signed, values });
    }

    /// A quotient or remainder of a variable and a constant, as the program writes it.
    fn add_quotient(&mut self, store: &Store, index: usize, t: Term) {
        let (var, Sort::Bv(width)) = (self.table.columns[index], store.sort(t)) else { return };
        let signed = matches!(store.op(t), Op::BvSrem | Op::BvSdiv);
        let mut values = Vec::new();
        for row in &self.table.rows {
            let at = FxHashMap::from_iter([(self.program.term(var), Value::Bv(Bits::new(row[index].into(), width)))]);
            let Ok(Value::Bv(bits)) = term::eval::eval(store, t, &at) else { return };
            let Some(value) = (if signed { bits.to_i128() } else { bits.to_u128().map(|v| v as i128) }) else { return };
            values.push(value);
        }
        self.atoms.push(Atom { term: t, width, signed, values });
    }

    /// Polynomial equalities, those of low degree first.
    pub fn equalities(&self, store: &mut Store) -> Vec<Term> {
        let mut found = Vec::new();
        let widths: BTreeSet<u32> = self.atoms.iter().map(|a| a.width).collect();
        for width in widths {
            let atoms: Vec<&Atom> = self.atoms.iter().filter(|a| a.width == width).take(MAX_ATOMS).collect();
            found.extend(self.equalities_of(&atoms, width).into_iter().map(|p| p.equation(store)));
        }
        found
    }

    fn equalities_of(&self, atoms: &[&Atom], width: u32) -> Vec<Poly> {
        // Small numbers, so that integers and machine integers agree.
        let limit = 1i128 << (width / 2).min(30);
        let rows = self.table.rows.len();
        let small: Vec<usize> = (0..rows).filter(|r| atoms.iter().all(|a| a.values[*r].abs() < limit)).collect();
        let wanted = MAX_MONOMIALS + SPARE_POINTS;
        let points: Vec<Vec<i128>> = (0..wanted.min(small.len()))
            .map(|i| small[i * small.len() / wanted.min(small.len())])
            .map(|r| atoms.iter().map(|a| a.values[r]).collect())
            .collect();
        if points.is_empty() {
            return Vec::new();
        }
        // With as many monomials as points everything is related.
        let most = MAX_MONOMIALS.min(points.len() * 3 / 4);
        let terms: Vec<Term> = atoms.iter().map(|a| a.term).collect();
        let mut found = Vec::new();
        for relation in self.simple_relations(&points, atoms.len(), most) {
            let p = polynomial(&relation, &terms, width);
            if !p.is_zero() && (0..rows).all(|r| vanishes(&relation, atoms, r, width)) {
                found.push(p);
            }
        }
        found.truncate(MAX_EQUALITIES);
        found
    }

    /// Relations that give one column as a polynomial in another come first: they are the ones that people write. Then all
    /// that do not follow from relations before them.
    fn simple_relations(&self, points: &[Vec<i128>], columns: usize, most: usize) -> Vec<Relation> {
        let mut found: Vec<Relation> = Vec::new();
        let mut given: BTreeSet<usize> = BTreeSet::new();
        for base in 0..columns {
            for column in (0..columns).filter(|c| *c != base) {
                if given.contains(&column) || given.contains(&base) {
                    continue;
                }
                let pair: Vec<Vec<i128>> = points.iter().map(|p| vec![p[base], p[column]]).collect();
                if let Some(relation) = poly::relations::function(&pair, MAX_DEGREE) {
                    let place = |(e, c): (Vec<u32>, i128)| {
                        let mut exponents = vec![0; columns];
                        (exponents[base], exponents[column]) = (e[0], e[1]);
                        (exponents, c)
                    };
                    found.push(relation.into_iter().map(place).collect());
                    given.insert(column);
                }
            }
        }
        // What is given by others is left out of the search for relations among the rest.
        let rest: Vec<usize> = (0..columns).filter(|c| !given.contains(c)).collect();
        let fewer: Vec<Vec<i128>> = points.iter().map(|p| rest.iter().map(|c| p[*c]).collect()).collect();
        for relation in relations(&fewer, rest.len(), MAX_DEGREE, most) {
            let place = |(e, c): (Vec<u32>, i128)| {
                let mut exponents = vec![0; columns];
                rest.iter().zip(e).for_each(|(column, e)| exponents[*column] = e);
                (exponents, c)
            };
            found.push(relation.into_iter().map(place).collect());
        }
        found
    }

    /// Bounds, order relations, congruences and bit patterns.
    pub fn inequalities(&self, store: &mut Store) -> Vec<Term> {
        let mut found = Vec::new();
        for (i, a) in self.atoms.iter().enumerate() {
            let (Some(&min), Some(&max)) = (a.values.iter().min(), a.values.iter().max()) else { continue };
            if min == max {
                continue; // an equality
            }
            if !is_extension(store, a.term) {
                self.bounds(store, a, min, max, &mut found);
                self.bit_patterns(store, a, &mut found);
            }
            for b in self.atoms[i + 1..].iter().filter(|b| b.width == a.width) {
                if is_extension(store, a.term) && is_extension(store, b.term) {
                    continue;
                }
                order(store, a, b, &mut found);
                order(store, b, a, &mut found);
            }
        }
        self.multiples_within(store, &mut found);
        found
    }

    /// `k * a <= size`, of all numbers `a` and of multiples that the program compares with sizes; or `k * a + k <= size`.
    fn multiples_within(&self, store: &mut Store, found: &mut Vec<Term>) {
        for &Scaled { factor, size } in &self.scaled {
            let Some(size) = self.atoms.iter().find(|a| a.term == self.program.term(size)) else { continue };
            // The runs made small ones: any larger limit may be the one that it is known to keep.
            let largest = size.values.iter().copied().max().unwrap_or_default();
            for limit in self.thresholds.range(largest + 1..).take(LIMITS_OF_SIZES) {
                let limit = store.bv_signed(*limit, size.width);
                found.push(store.ult(size.term, limit));
            }
            for a in self.atoms.iter().filter(|a| a.width == size.width && a.term != size.term) {
                let rows = || a.values.iter().zip(&size.values);
                let k = i128::from(factor);
                if rows().all(|(a, _)| *a == 0)
                    || rows().any(|(a, size)| *a < 0 || *size < 0 || a.saturating_mul(k) > *size)
                {
                    continue;
                }
                let is_strict = rows().all(|(a, size)| (a + 1).saturating_mul(k) <= *size);
                found.push(scaled::within(store, a.term, factor, size.term, is_strict));
            }
        }
    }

    fn bounds(&self, store: &mut Store, a: &Atom, min: i128, max: i128, found: &mut Vec<Term>) {
        let range = if a.signed { poly::Interval::signed(a.width) } else { poly::Interval::unsigned(a.width) };
        if let Some(lo) = self.thresholds.range(..=min).next_back().filter(|lo| **lo > range.lo) {
            let lo = store.bv_signed(*lo, a.width);
            found.push(if a.signed { store.sle(lo, a.term) } else { store.ule(lo, a.term) });
        }
        if let Some(hi) = self.thresholds.range(max..).next().filter(|hi| **hi < range.hi) {
            let hi = store.bv_signed(*hi, a.width);
            found.push(if a.signed { store.sle(a.term, hi) } else { store.ule(a.term, hi) });
        }
    }

    /// Powers of two, multiples of powers of two, congruences.
    fn bit_patterns(&self, store: &mut Store, a: &Atom, found: &mut Vec<Term>) {
        let mask = u128::MAX >> (128 - a.width);
        let words = || a.values.iter().map(|v| *v as u128 & mask);
        let is_power = |x: u128| x & x.wrapping_sub(1) & mask == 0;
        let distinct: BTreeSet<i128> = a.values.iter().copied().collect();
        if distinct.len() < 3 {
            return;
        }
        let (zero, ones) = (store.bv(0, a.width), store.bv(mask, a.width));
        if words().all(is_power) {
            let below = store.add(a.term, ones);
            let common = store.bvand(a.term, below);
            found.push(store.eq(common, zero));
            // Powers of four have even exponents.
            let odd = 0xaaaa_aaaa_aaaa_aaaa_aaaa_aaaa_aaaa_aaaa & mask;
            if words().all(|x| x & odd == 0) {
                let odd = store.bv(odd, a.width);
                let common = store.bvand(a.term, odd);
                found.push(store.eq(common, zero));
            }
            // What else is a multiple of it?
            for b in self.atoms.iter().filter(|b| b.width == a.width && b.term != a.term) {
                let multiple = |(x, y): (&i128, &i128)| (*x as u128).wrapping_sub(1) & (*y as u128) & mask == 0;
                if a.values.iter().zip(&b.values).all(multiple) && b.values.iter().any(|v| *v != 0) {
                    let common = store.bvand(b.term, below);
                    found.push(store.eq(common, zero));
                }
            }
            return;
        }
        for modulus in self.moduli.iter().copied() {
            let Some(rest) = words().next().map(|x| x % modulus) else { return };
            if words().all(|x| x % modulus == rest) {
                let modulus = store.bv(modulus, a.width);
                let rest = store.bv(rest, a.width);
                let remainder = store.urem(a.term, modulus);
                found.push(store.eq(remainder, rest));
            }
        }
    }

    /// Conditions of the program that always hold here, or never, or nearly.
    pub fn conditions(&self, store: &mut Store, conditions: &[Term]) -> Vec<Term> {
        let mut found = Vec::new();
        let columns: BTreeSet<Term> = self.table.columns.iter().map(|v| self.program.term(*v)).collect();
        let mut variants: Vec<Term> = Vec::new();
        for condition in conditions {
            let free = term::walk::free_vars(store, &[*condition]);
            if free.is_empty() || free.iter().any(|v| !columns.contains(v)) {
                continue;
            }
            variants.push(*condition);
            variants.push(store.not(*condition));
            variants.extend(neighbours(store, *condition));
        }
        variants.sort_unstable();
        variants.dedup();
        let rows = self.table.rows.len();
        let mut holds = vec![true; variants.len()];
        for i in 0..rows.min(CONDITION_ROWS) {
            let row = &self.table.rows[i * rows / rows.min(CONDITION_ROWS)];
            let mut evaluator = term::Evaluator::new(self.table.state(self.program, row));
            for (variant, holds) in variants.iter().zip(&mut holds) {
                *holds = *holds && evaluator.eval(store, *variant) == Ok(Value::Bool(true));
            }
        }
        found.extend(variants.iter().zip(holds).filter(|(_, holds)| *holds).map(|(v, _)| *v));
        found
    }

    /// The rows in which the condition holds, and the others, as far as they are enough to learn from.
    pub fn split(&self, store: &mut Store, condition: Term) -> Vec<(Term, Table)> {
        let (mut yes, mut no) = (Table::like(self.table), Table::like(self.table));
        for row in &self.table.rows {
            match term::eval(store, condition, &self.table.state(self.program, row)) {
                Ok(Value::Bool(true)) => yes.rows.push(row.clone()),
                Ok(Value::Bool(false)) => no.rows.push(row.clone()),
                _ => return Vec::new(),
            }
        }
        let mut sides = vec![(condition, yes), (store.not(condition), no)];
        sides.retain(|(_, table)| table.rows.len() >= 3);
        sides
    }
}

/// Whether the relation holds in a row, in machine arithmetic.
fn vanishes(relation: &[(Vec<u32>, i128)], atoms: &[&Atom], row: usize, width: u32) -> bool {
    let mut sum = 0u128;
    for (exponents, c) in relation {
        let mut product = *c as u128;
        for (e, a) in exponents.iter().zip(atoms) {
            for _ in 0..*e {
                product = product.wrapping_mul(a.values[row] as u128);
            }
        }
        sum = sum.wrapping_add(product);
    }
    sum & (u128::MAX >> (128 - width)) == 0
}

fn is_extension(store: &Store, t: Term) -> bool {
    matches!(store.op(t), Op::SignExtend(_) | Op::ZeroExtend(_))
}

/// `a <= b`, `a < b` or `a <= b + 1`, whichever is the strongest seen.
fn order(store: &mut Store, a: &Atom, b: &Atom, found: &mut Vec<Term>) {
    let signed = a.signed || b.signed;
    let Some(gap) = a.values.iter().zip(&b.values).map(|(x, y)| x - y).max() else { return };
    let one = store.bv(1, a.width);
    let (left, right, strict) = match gap {
        i128::MIN..0 => (a.term, b.term, true),
        0 => (a.term, b.term, false),
        1 => (a.term, store.add(b.term, one), false),
        _ => return,
    };
    found.push(match (signed, strict) {
        (true, true) => store.slt(left, right),
        (true, false) => store.sle(left, right),
        (false, true) => store.ult(left, right),
        (false, false) => store.ule(left, right),
    });
}

/// The relation as a polynomial that is zero.
fn polynomial(relation: &[(Vec<u32>, i128)], columns: &[Term], width: u32) -> Poly {
    let parts = relation.iter().map(|(exponents, c)| {
        let factors = exponents.iter().zip(columns).flat_map(|(e, t)| std::iter::repeat_n(*t, *e as usize));
        (factors.fold(Monomial::one(), |m, t| m.mul(&Monomial::atom(t))), *c)
    });
    Poly::from_parts(width, parts)
}

/// Equations up to a degree between numbers of one width that hold in all the points, a column for each number.
pub fn equations_in(terms: &mut Store, width: u32, numbers: &[Term], points: &[Vec<i128>], degree: u32) -> Vec<Term> {
    if numbers.is_empty() {
        return Vec::new();
    }
    let points: Vec<Vec<i128>> = points.iter().filter(|p| p.iter().all(|x| x.abs() < 1 << 40)).cloned().collect();
    let most = (points.len() * 3 / 4).min(FEW_MONOMIALS);
    let found = relations(&points, numbers.len(), degree, most);
    let found = found.iter().map(|relation| polynomial(relation, numbers, width)).filter(|p| !p.is_zero());
    found.map(|p| p.equation(terms)).collect()
}
