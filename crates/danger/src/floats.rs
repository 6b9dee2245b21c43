//! Measures of floats: how large a float is, as an integer.
//!
//! Between two bounds the floor of `x` times a power of two grows with `x`, and each step of a loop that adds or divides comes to
//! another integer if the power is large enough: it is chosen so that the constants of the program are one at least. What is beyond
//! the bounds has one number on each side, and NaN the least: a loop that stays there has no such ranking.

use crate::limits::facts::LARGEST_SCALE;
use cfa::{Program, Var};
use std::collections::BTreeSet;
use term::{RoundingMode, Sort, Store, Term};

/// Bits of the integers.
const BITS: u32 = 44;

/// The floats among the variables, upwards and downwards.
pub(crate) fn measures(program: &Program, terms: &mut Store, vars: &[Var]) -> Vec<Term> {
    let mut found = Vec::new();
    let scales = scales(program);
    for var in vars.iter().filter(|v| matches!(program.vars[**v].sort, Sort::Float(_))) {
        for &scale in &scales {
            let x = program.term(*var);
            let number = integer(terms, x, scale);
            let (other, nan, lowest) = (terms.bvnot(number), terms.fp_is_nan(x), terms.bv(0, BITS));
            found.extend([number, terms.ite(nan, lowest, other)]);
        }
    }
    found
}

/// That floats are not negative stays true in most loops; NaN is not.
pub(crate) fn not_negative(program: &Program, terms: &mut Store, var: Var) -> Option<Term> {
    let Sort::Float(format) = program.vars[var].sort else { return None };
    let zero = terms.float(term::FloatValue::zero(format, false));
    Some(terms.fp_le(zero, program.term(var)))
}

/// One, and the power of two by which the smallest constant of the program is one at least.
fn scales(program: &Program) -> BTreeSet<u32> {
    let terms = &program.terms;
    let roots: Vec<Term> = program.main().edges.values().flat_map(|e| e.op.terms()).collect();
    let constants = term::walk::postorder(terms, &roots).into_iter().filter_map(|t| terms.as_value(t));
    let sizes = constants.filter_map(|value| match value {
        term::Value::Float(float) => float.to_f64().map(f64::abs).filter(|size| *size > 0.0 && *size < 1.0),
        _ => None,
    });
    let scale = sizes.map(|size| (-size.log2()).ceil() as u32).filter(|scale| *scale <= LARGEST_SCALE).max();
    [0].into_iter().chain(scale).collect()
}

fn integer(terms: &mut Store, x: Term, scale: u32) -> Term {
    let format = terms.format(x);
    let mut constant = |exponent: u32, sign: f64| {
        let number = terms.float_from_f64(sign * f64::from(exponent).exp2());
        terms.fp_to_fp(RoundingMode::NearestEven, format, number)
    };
    let (factor, most, least) = (constant(scale, 1.0), constant(BITS - 2, 1.0), constant(BITS - 2, -1.0));
    let scaled = if scale == 0 { x } else { terms.fp_mul(RoundingMode::NearestEven, x, factor) };
    let (above, below, nan) = (terms.fp_lt(most, scaled), terms.fp_lt(scaled, least), terms.fp_is_nan(scaled));
    let floor = terms.fp_to_sbv(RoundingMode::Down, BITS, scaled);
    let sign = terms.bv(1 << (BITS - 1), BITS);
    let inside = terms.bvxor(floor, sign);
    let (largest, low, lowest) = (terms.bv((1 << BITS) - 1, BITS), terms.bv(1, BITS), terms.bv(0, BITS));
    let up_to = terms.ite(below, low, inside);
    let number = terms.ite(above, largest, up_to);
    terms.ite(nan, lowest, number)
}

#[cfg(test)]
mod tests {
    use super::{BITS, integer};
    use term::{Format, Store};

    #[test]
    fn larger_floats_have_larger_integers() {
        let mut terms = Store::new();
        let mut numbers = Vec::new();
        for x in [f64::NAN, f64::NEG_INFINITY, -1e30, -1e6, -3.25, -3.0, 0.0, 0.25, 0.5, 7.0, 1e12, 1e13, f64::INFINITY]
        {
            let x = terms.float_from_f64(x);
            let x = terms.fp_to_fp(term::RoundingMode::NearestEven, Format::F64, x);
            let number = integer(&mut terms, x, 2);
            assert_eq!(terms.width(number), BITS);
            numbers.push(terms.as_bv_const(number).and_then(|n| n.to_u128()).expect("a number"));
        }
        assert!(numbers.is_sorted(), "{numbers:?}");
        numbers.dedup();
        assert_eq!(numbers.len(), 11);
    }
}
