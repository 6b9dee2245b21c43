//! Multiples and sizes: an array of `n` structs of 24 bytes has `24 * n` bytes, and what its indices are compared with is that number of bytes, where `n`
//! is not read any more.
//!
//! Which number is compared with multiples of what is read off the program: `24 * i + 8 <= size`. An index `a` is within if `24 * a <= size`, or before the
//! end if `24 * a + 24 <= size`. Of powers of two this is said of the quotient, `a <= size / 8`, which is a matter of bits and wraps nowhere.

use super::program::program_conditions;
use crate::limits::scaled::{LARGEST_FACTOR, MOST};
use cfa::{Program, Var};
use std::collections::BTreeSet;
use term::{Bits, Op, Sort, Store, Term, walk};

/// A variable that multiples are compared with.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Scaled {
    pub factor: u64,
    pub size: Var,
}

/// What the conditions of the program compare with multiples.
pub fn compared(program: &Program, terms: &Store) -> Vec<Scaled> {
    let mut found = BTreeSet::new();
    for condition in program_conditions(program, terms) {
        if !matches!(terms.op(condition), Op::BvUle | Op::BvUlt) {
            continue;
        }
        for (multiple, size) in [(0, 1), (1, 0)].map(|(a, b)| (terms.arg(condition, a), terms.arg(condition, b))) {
            let factors = factors(terms, multiple);
            for var in walk::free_vars(terms, &[size]).into_iter().filter_map(|t| program.var_of(t)) {
                let is_size =
                    program.vars[var].sort == terms.sort(size) && !walk::mentions(terms, multiple, program.term(var));
                found.extend(factors.iter().filter(|_| is_size).map(|factor| Scaled { factor: *factor, size: var }));
            }
        }
    }
    found.into_iter().take(MOST).collect()
}

/// The constants that parts of a sum are multiplied by.
fn factors(terms: &Store, sum: Term) -> BTreeSet<u64> {
    let mut found = BTreeSet::new();
    let mut work = vec![sum];
    while let Some(t) = work.pop() {
        match terms.op(t) {
            Op::BvAdd => work.extend(terms.args(t)),
            Op::BvMul => {
                let constants = terms.args(t).iter().filter_map(|arg| terms.as_bv_const(*arg).and_then(Bits::to_u64));
                found.extend(constants.filter(|factor| (2..=LARGEST_FACTOR).contains(factor)));
            }
            _ => {}
        }
    }
    found
}

/// `factor * number <= size` of integers; with `is_strict`, of the next number.
pub fn within(terms: &mut Store, number: Term, factor: u64, size: Term, is_strict: bool) -> Term {
    let Sort::Bv(width) = terms.sort(size) else { return terms.tt() };
    let factor_term = terms.bv(factor.into(), width);
    if factor.is_power_of_two() {
        let most = terms.udiv(size, factor_term);
        return if is_strict { terms.ult(number, most) } else { terms.ule(number, most) };
    }
    let multiple = terms.mul(number, factor_term);
    let end = if is_strict { terms.add(multiple, factor_term) } else { multiple };
    terms.ule(end, size)
}
