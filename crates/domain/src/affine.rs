//! Affine equations between variables: `a1 x1 + … + an xn + a0 = 0` modulo 2^w, for any number of variables.
//!
//! After Müller-Olm and Seidl (Analysis of modular arithmetic, 2005): at each location the reachable states, as vectors
//! `(1, x1, …, xn)`, are over-approximated by the module that they generate. An assignment of sums is a linear map on it,
//! anything else makes the variable arbitrary, and joins are unions of generators. Chains of modules are short, so there
//! is no widening, and nothing is lost to wrap-around. The equations are the vectors orthogonal to the generators.
//!
//! Conditions are not used; an assigned conditional counts as both of its values.

use crate::limits::affine::{MAX_CONDITIONS, MAX_DEPTH, MAX_VARS};
use base::Table;
use cfa::{Loc, Op as EdgeOp, Program, Var};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use term::bits::inverse_of_odd;
use term::{Op, Store, Term};

/// A state, or a sum of states: the coefficient of 1, then of each variable.
type Vector = Vec<u64>;

/// The equations that hold at each of the given locations, as formulas. `go_on` is asked now and then; what is not
/// finished when it says no is left out.
pub fn equations(
    program: &Program,
    terms: &mut Store,
    locs: &[Loc],
    go_on: &mut dyn FnMut() -> bool,
) -> BTreeMap<Loc, Vec<Term>> {
    let mut out: BTreeMap<Loc, Vec<Term>> = BTreeMap::new();
    for width in [8, 16, 32, 64] {
        let vars: Vec<Var> = assigned(program, width);
        if vars.len() < 2 || vars.len() > MAX_VARS {
            continue;
        }
        let mut analysis = Affine {
            program,
            width,
            numbers: vars.iter().enumerate().map(|(i, v)| (*v, i + 1)).collect(),
            at: Table::filled(Module::new(vars.len() + 1, width), program.main().locs.len()),
        };
        if analysis.run(go_on).is_none() {
            return out;
        }
        for &loc in locs {
            let module = &analysis.at[loc];
            if module.rows.iter().all(Option::is_none) {
                continue;
            }
            for vector in module.orthogonal() {
                let fact = equation(program, terms, &vars, &vector, width);
                if terms.as_bool_const(fact) != Some(true) {
                    out.entry(loc).or_default().push(fact);
                }
            }
        }
    }
    out
}

/// The variables of the width that some edge writes.
fn assigned(program: &Program, width: u32) -> Vec<Var> {
    let mut vars: Vec<Var> = program.main().edges.values().flat_map(|e| e.op.written()).collect();
    vars.sort_unstable();
    vars.dedup();
    vars.retain(|v| program.vars[*v].sort.bv_width() == Some(width));
    vars
}

/// `a1 x1 + … = -a0` as a term.
fn equation(program: &Program, terms: &mut Store, vars: &[Var], vector: &[u64], width: u32) -> Term {
    let mut left = terms.bv(0, width);
    let mut right = terms.bv(u128::from(vector[0].wrapping_neg() & mask(width)), width);
    for (var, &factor) in vars.iter().zip(&vector[1..]) {
        // Small negative coefficients stand on the other side.
        let negative = factor >> (width - 1) & 1 == 1;
        let factor = if negative { factor.wrapping_neg() & mask(width) } else { factor };
        let factor = terms.bv(u128::from(factor), width);
        let part = terms.mul(factor, program.term(*var));
        let side = if negative { &mut right } else { &mut left };
        *side = terms.add(*side, part);
    }
    terms.eq(left, right)
}

fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}

/// The inverse of an odd number modulo 2^64.
fn inverse(odd: u64) -> u64 {
    inverse_of_odd(u128::from(odd)) as u64
}

struct Affine<'a> {
    program: &'a Program,
    width: u32,
    /// The coordinate of each variable.
    numbers: FxHashMap<Var, usize>,
    at: Table<Loc, Module>,
}

impl Affine<'_> {
    fn run(&mut self, go_on: &mut dyn FnMut() -> bool) -> Option<()> {
        let main = self.program.main();
        let successors = main.successors();
        let size = self.numbers.len() + 1;
        // Anything can be at the entry.
        let mut work: Vec<(Loc, Vector)> = (0..size).map(|i| (main.entry, unit(i, size))).collect();
        let mut steps = 0u32;
        while let Some((loc, vector)) = work.pop() {
            if !self.at[loc].insert(vector.clone()) {
                continue;
            }
            for &edge in &successors[loc] {
                steps += 1;
                if steps.is_multiple_of(256) && !go_on() {
                    return None;
                }
                let info = &main.edges[edge];
                let after = self.after(&info.op, &vector);
                work.extend(after.into_iter().map(|v| (info.to, v)));
            }
        }
        Some(())
    }

    /// What a generator becomes, and the generators of what becomes arbitrary.
    fn after(&self, op: &EdgeOp, vector: &[u64]) -> Vec<Vector> {
        match op {
            EdgeOp::Assign(pairs) => {
                let mut conditions = Vec::new();
                for (var, t) in pairs {
                    if self.numbers.contains_key(var) {
                        self.conditions(*t, &mut conditions, 0);
                    }
                }
                conditions.truncate(MAX_CONDITIONS);
                let mut out = Vec::new();
                for case in 0..1usize << conditions.len() {
                    let truth = |c: Term| conditions.iter().position(|known| *known == c).map(|i| case >> i & 1 == 1);
                    let mut next = vector.to_vec();
                    for (var, t) in pairs {
                        let Some(&number) = self.numbers.get(var) else { continue };
                        match self.linear(*t, vector, &truth, 0) {
                            Some(value) => next[number] = value & mask(self.width),
                            None => {
                                next[number] = 0;
                                out.push(unit(number, vector.len()));
                            }
                        }
                    }
                    out.push(next);
                }
                out
            }
            EdgeOp::Havoc { vars, .. } => {
                let mut next = vector.to_vec();
                let mut out = Vec::new();
                for number in vars.iter().filter_map(|v| self.numbers.get(v)) {
                    next[*number] = 0;
                    out.push(unit(*number, vector.len()));
                }
                out.push(next);
                out
            }
            _ => vec![vector.to_vec()],
        }
    }

    /// The conditions on which the value of a sum depends.
    fn conditions(&self, t: Term, out: &mut Vec<Term>, depth: u32) {
        let terms = &self.program.terms;
        let args = terms.args(t);
        match terms.op(t) {
            _ if depth > 20 => {}
            Op::Ite => {
                if !out.contains(&args[0]) {
                    out.push(args[0]);
                }
                args[1..].iter().for_each(|a| self.conditions(*a, out, depth + 1));
            }
            Op::BvAdd | Op::BvNeg | Op::BvMul | Op::BvNot => {
                args.iter().for_each(|a| self.conditions(*a, out, depth + 1));
            }
            _ => {}
        }
    }

    /// The value of a term at a generator, if it is a sum of variables and constants; `truth` decides conditionals.
    fn linear(&self, t: Term, vector: &[u64], truth: &dyn Fn(Term) -> Option<bool>, depth: u32) -> Option<u64> {
        let terms = &self.program.terms;
        let args = terms.args(t);
        if depth > MAX_DEPTH {
            return None;
        }
        let value = |t: Term| self.linear(t, vector, truth, depth + 1);
        let constant = |t: Term| terms.as_bv_const(t).and_then(term::Bits::to_u64);
        match terms.op(t) {
            Op::BvConst(_) => Some(constant(t)?.wrapping_mul(vector[0])),
            Op::Var(_) => Some(vector[*self.numbers.get(&self.program.var_of(t)?)?]),
            Op::BvAdd => Some(value(args[0])?.wrapping_add(value(args[1])?)),
            Op::BvNeg => Some(value(args[0])?.wrapping_neg()),
            Op::BvNot => Some(value(args[0])?.wrapping_add(vector[0]).wrapping_neg()),
            Op::BvMul => match (constant(args[0]), constant(args[1])) {
                (Some(c), _) => Some(c.wrapping_mul(value(args[1])?)),
                (_, Some(c)) => Some(c.wrapping_mul(value(args[0])?)),
                _ => None,
            },
            Op::Ite => {
                if truth(args[0])? {
                    value(args[1])
                } else {
                    value(args[2])
                }
            }
            _ => None,
        }
    }
}

fn unit(number: usize, size: usize) -> Vector {
    let mut vector = vec![0; size];
    vector[number] = 1;
    vector
}

/// A submodule by generators in echelon form. With a row of pivot 2^e, its multiple by 2^(w-e) is generated by later rows,
/// so that membership is decided by reduction (Howell form).
#[derive(Clone, PartialEq, Debug)]
struct Module {
    width: u32,
    /// The generator whose first coordinate that is not zero is the index.
    rows: Vec<Option<Vector>>,
}

impl Module {
    fn new(size: usize, width: u32) -> Module {
        Module { width, rows: vec![None; size] }
    }

    /// Adds a generator. Says whether the module has grown.
    fn insert(&mut self, vector: Vector) -> bool {
        let mask = mask(self.width);
        let mut grown = false;
        let mut open = vec![vector];
        while let Some(mut vector) = open.pop() {
            for pivot in 0..vector.len() {
                let own = vector[pivot] & mask;
                if own == 0 {
                    continue;
                }
                let Some(row) = &mut self.rows[pivot] else {
                    open.push(annihilated(&vector, pivot, self.width));
                    self.rows[pivot] = Some(vector);
                    grown = true;
                    break;
                };
                if own.trailing_zeros() < row[pivot].trailing_zeros() {
                    open.push(annihilated(&vector, pivot, self.width));
                    std::mem::swap(row, &mut vector);
                    grown = true;
                }
                let (unit, own) = (row[pivot], vector[pivot]);
                let twos = unit.trailing_zeros();
                let factor = (own >> twos).wrapping_mul(inverse(unit >> twos));
                for (a, b) in vector.iter_mut().zip(row.iter()) {
                    *a = a.wrapping_sub(factor.wrapping_mul(*b)) & mask;
                }
            }
        }
        grown
    }

    /// Generators of the vectors whose product with every generator is zero, short ones first.
    fn orthogonal(&self) -> Vec<Vector> {
        let (size, mask) = (self.rows.len(), mask(self.width));
        let mut found: Vec<Vector> = (0..size).map(|i| unit(i, size)).collect();
        for row in self.rows.iter().flatten() {
            let product =
                |v: &Vector| v.iter().zip(row).fold(0u64, |sum, (a, b)| sum.wrapping_add(a.wrapping_mul(*b))) & mask;
            let products: Vec<u64> = found.iter().map(product).collect();
            let Some(least) =
                (0..found.len()).filter(|i| products[*i] != 0).min_by_key(|i| products[*i].trailing_zeros())
            else {
                continue;
            };
            let twos = products[least].trailing_zeros();
            let inverse = inverse(products[least] >> twos);
            let chosen = found[least].clone();
            for (i, vector) in found.iter_mut().enumerate() {
                let factor = if i == least {
                    // Itself times what makes its product zero.
                    1u64.wrapping_sub(1u64.checked_shl(self.width - twos).unwrap_or(0))
                } else {
                    (products[i] >> twos).wrapping_mul(inverse)
                };
                for (a, b) in vector.iter_mut().zip(&chosen) {
                    *a = a.wrapping_sub(factor.wrapping_mul(*b)) & mask;
                }
            }
            found.retain(|v| v.iter().any(|a| *a != 0));
        }
        found
    }
}

/// The multiple of a vector that has no pivot any more.
fn annihilated(vector: &[u64], pivot: usize, width: u32) -> Vector {
    let factor = 1u64.checked_shl(width - vector[pivot].trailing_zeros()).unwrap_or(0);
    vector.iter().map(|a| a.wrapping_mul(factor) & mask(width)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dot(a: &[u64], b: &[u64], width: u32) -> u64 {
        a.iter().zip(b).fold(0u64, |sum, (x, y)| sum.wrapping_add(x.wrapping_mul(*y))) & mask(width)
    }

    /// All vectors of a small ring: what is generated is what reduces to nothing, and what is orthogonal is what the
    /// generators of the complement generate.
    #[test]
    fn modules_are_exact_at_three_bits() {
        let mut seed = 3u64;
        let mut random = |n: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % n
        };
        let all: Vec<Vector> = (0..512u64).map(|i| vec![i & 7, i >> 3 & 7, i >> 6 & 7]).collect();
        for _ in 0..200 {
            let generators: Vec<Vector> = (0..1 + random(3)).map(|_| all[random(512) as usize].clone()).collect();
            let mut module = Module::new(3, 3);
            generators.iter().for_each(|g| {
                module.insert(g.clone());
            });
            let mut members: Vec<Vector> = vec![vec![0; 3]];
            for generator in &generators {
                let multiples: Vec<Vector> = members
                    .iter()
                    .flat_map(|m| {
                        (0..8u64).map(move |f| m.iter().zip(generator).map(|(a, b)| (a + f * b) & 7).collect())
                    })
                    .collect();
                members = multiples;
                members.sort();
                members.dedup();
            }
            let mut complement = Module::new(3, 3);
            module.orthogonal().into_iter().for_each(|v| {
                complement.insert(v);
            });
            for vector in &all {
                assert_eq!(
                    !module.clone().insert(vector.clone()),
                    members.contains(vector),
                    "{generators:?} {vector:?}"
                );
                let orthogonal = generators.iter().all(|g| dot(g, vector, 3) == 0);
                assert_eq!(!complement.clone().insert(vector.clone()), orthogonal, "{generators:?} {vector:?}");
            }
        }
    }
}
