//! Closed forms by fitting (Kroening et al. 2015, section 3.1.2): a polynomial that is linear in the variables and quadratic in `n` is
//! determined by `2k + 2` runs of the path with `n ≤ 2` (theorem 1). The equations are solved exactly over the rationals; what
//! comes out is a guess that the caller proves.

use crate::body::Body;
use crate::closed::{Form, Forms};
use crate::limits::fit::MAX_VARIABLES;
use cfa::{Program, Var};
use num_bigint::BigInt;
use rustc_hash::FxHashMap;
use term::eval::OrZero;
use term::{Bits, Sort, Store, Term, Value};

/// A fraction with a positive denominator.
#[derive(Clone, PartialEq, Debug)]
struct Rational {
    over: BigInt,
    under: BigInt,
}

impl Rational {
    fn whole(n: i64) -> Rational {
        Rational { over: n.into(), under: 1.into() }
    }

    fn new(over: BigInt, under: BigInt) -> Rational {
        let mut a = over.magnitude().clone();
        let mut b = under.magnitude().clone();
        while b != 0u32.into() {
            (a, b) = (b.clone(), a % b);
        }
        let divisor = BigInt::from(a);
        let sign = if under < 0.into() { -1 } else { 1 };
        Rational { over: over * sign / &divisor, under: under * sign / divisor }
    }

    fn minus(&self, other: &Rational) -> Rational {
        Rational::new(&self.over * &other.under - &other.over * &self.under, &self.under * &other.under)
    }

    fn times(&self, other: &Rational) -> Rational {
        Rational::new(&self.over * &other.over, &self.under * &other.under)
    }

    fn by(&self, other: &Rational) -> Rational {
        Rational::new(&self.over * &other.under, &self.under * &other.over)
    }

    fn is_zero(&self) -> bool {
        self.over == 0.into()
    }
}

/// Guesses for the variables that have no form yet.
pub(crate) fn polynomials(program: &Program, terms: &mut Store, body: &Body, forms: &Forms) -> Vec<(Var, Form)> {
    let mut guesses = Vec::new();
    for &var in &forms.without {
        let Sort::Bv(width) = program.vars[var].sort else { continue };
        let Some(cone) = cone(program, terms, body, var, width) else { continue };
        if let Some(form) = fit(program, terms, body, var, width, &cone) {
            guesses.push((var, form));
        }
    }
    guesses
}

/// The variables that the value of `var` after some iterations depends on, itself first; all as wide as it is.
fn cone(program: &Program, terms: &Store, body: &Body, var: Var, width: u32) -> Option<Vec<Var>> {
    let mut cone = vec![var];
    let mut next = 0;
    while next < cone.len() {
        let Some(update) = body.updates.get(&cone[next]) else {
            next += 1;
            continue;
        };
        for symbol in term::free_vars(terms, &[*update]) {
            let other = program.var_of(symbol)?;
            if program.vars[other].sort != Sort::Bv(width) || cone.len() > MAX_VARIABLES {
                return None;
            }
            if !cone.contains(&other) {
                cone.push(other);
            }
        }
        next += 1;
    }
    Some(cone)
}

fn fit(program: &Program, terms: &mut Store, body: &Body, var: Var, width: u32, cone: &[Var]) -> Option<Form> {
    let k = cone.len();
    let rows: Vec<(Vec<i64>, u32)> = points(k);
    // Unknowns: α₁ … α_k for x_i, α_{k+1} … α_{2k} for x_i·n, then n, then n².
    let mut system: Vec<Vec<Rational>> = Vec::new();
    for (values, n) in &rows {
        let n_wide = i64::from(*n);
        let mut row: Vec<Rational> = values.iter().map(|x| Rational::whole(*x)).collect();
        row.extend(values.iter().map(|x| Rational::whole(x * n_wide)));
        row.extend([Rational::whole(n_wide), Rational::whole(n_wide * n_wide)]);
        row.push(run(program, terms, body, var, width, cone, values, *n)?);
        system.push(row);
    }
    let solution = solve(system)?;
    // x·1 + … : the form has to be `x` itself for n = 0.
    let identity = |i: usize| Rational::whole(i64::from(i == 0));
    if (0..k).any(|i| solution[i] != identity(i)) {
        return None;
    }
    // β·n + γ·n²  =  (β + γ)·n + 2γ·n(n-1)/2
    let two = Rational::whole(2);
    let curve = solution[2 * k + 1].times(&two);
    let linear = solution[2 * k].minus(&Rational::whole(0).minus(&solution[2 * k + 1]));
    let mut step = constant(terms, &linear, width)?;
    for (i, other) in cone.iter().enumerate() {
        let factor = constant(terms, &solution[k + i], width)?;
        let part = terms.mul(factor, program.term(*other));
        step = terms.add(step, part);
    }
    let curve = constant(terms, &curve, width)?;
    Some(Form::Polynomial { step, curve })
}

fn constant(terms: &mut Store, number: &Rational, width: u32) -> Option<Term> {
    (number.under == 1.into()).then(|| terms.bv_bits(Bits::from_bigint(&number.over, width)))
}

/// The points of theorem 1: values of the variables, and `n`.
fn points(k: usize) -> Vec<(Vec<i64>, u32)> {
    let mut points: Vec<(Vec<i64>, u32)> = vec![(vec![1], 0), (vec![0], 1), (vec![1], 1), (vec![1], 2)];
    for variable in 1..k {
        for (values, n) in &mut points {
            values.push(i64::from(*n == 2));
        }
        for n in [0, 1] {
            let mut values = vec![0; variable + 1];
            values[variable] = 1;
            points.push((values, n));
        }
    }
    points
}

/// The value of `var` after the path was run `n` times from these values.
#[allow(clippy::too_many_arguments, reason = "one run of the path")]
fn run(
    program: &Program,
    terms: &Store,
    body: &Body,
    var: Var,
    width: u32,
    cone: &[Var],
    values: &[i64],
    n: u32,
) -> Option<Rational> {
    let mut state: FxHashMap<Term, Value> = FxHashMap::default();
    for (other, value) in cone.iter().zip(values) {
        state.insert(program.term(*other), Value::Bv(Bits::from_i128(i128::from(*value), width)));
    }
    for _ in 0..n {
        let mut next = state.clone();
        for other in cone {
            if let Some(update) = body.updates.get(other) {
                next.insert(program.term(*other), term::eval(terms, *update, &OrZero(&state)).ok()?);
            }
        }
        state = next;
    }
    let bits = state[&program.term(var)].as_bits()?.clone();
    Some(Rational::new(if bits.is_negative() { bits.to_bigint() } else { bits.to_biguint().into() }, 1.into()))
}

/// Gauss's elimination. `None` if the solution is not unique.
fn solve(mut rows: Vec<Vec<Rational>>) -> Option<Vec<Rational>> {
    let unknowns = rows.first()?.len() - 1;
    for column in 0..unknowns {
        let pivot = (column..rows.len()).find(|r| !rows[*r][column].is_zero())?;
        rows.swap(column, pivot);
        let divisor = rows[column][column].clone();
        let normal: Vec<Rational> = rows[column].iter().map(|x| x.by(&divisor)).collect();
        for (r, row) in rows.iter_mut().enumerate() {
            if r != column && !row[column].is_zero() {
                let factor = row[column].clone();
                *row = row.iter().zip(&normal).map(|(x, p)| x.minus(&p.times(&factor))).collect();
            }
        }
        rows[column] = normal;
    }
    Some(rows[..unknowns].iter().map(|row| row[unknowns].clone()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_points_determine_the_polynomial() {
        for k in 1..=4 {
            let rows: Vec<Vec<Rational>> = points(k)
                .into_iter()
                .map(|(values, n)| {
                    let n = i64::from(n);
                    let mut row: Vec<Rational> = values.iter().map(|x| Rational::whole(*x)).collect();
                    row.extend(values.iter().map(|x| Rational::whole(x * n)));
                    row.extend([Rational::whole(n), Rational::whole(n * n)]);
                    // 3·x₁ + 2·x_k·n + 5·n - n²
                    let value = 3 * values[0] + 2 * values[k - 1] * n + 5 * n - n * n;
                    row.push(Rational::whole(value));
                    row
                })
                .collect();
            assert_eq!(rows.len(), 2 * k + 2);
            let solution = solve(rows).expect("theorem 1");
            assert_eq!(solution[0], Rational::whole(3));
            assert_eq!(solution[2 * k - 1], Rational::whole(2));
            assert_eq!(solution[2 * k], Rational::whole(5));
            assert_eq!(solution[2 * k + 1], Rational::whole(-1));
        }
    }
}
