//! Checking a proof, step by step.
//!
//! The polynomials that are zero to begin with have the numbers 1, 2, 3 …; each line of a proof is a step, and has the next number:
//! `NUMBER POLYNOMIAL ; NUMBER POLYNOMIAL …` is the sum of the products of the polynomials so numbered, all before this one, with those
//! written. The last step must be the polynomial that is asked about.

use crate::polynomial::{Polynomial, TooLarge};
use std::fmt;

/// Parts of polynomials that are multiplied in all steps together, at most.
pub const MAX_WORK: usize = 50_000_000;

/// What was checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Checked {
    pub steps: u64,
}

/// What is wrong with a proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Error {
    /// The line cannot be read: what is wrong there.
    Format { line: usize, what: &'static str },
    /// The line speaks of a polynomial that is not before it.
    NoSuchPolynomial { line: usize, number: usize },
    /// Polynomials become too large, or the steps are too much work.
    TooLarge { line: usize },
    /// The last step is another polynomial than the one that is asked about.
    NotShown,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Format { line, what } => write!(f, "step {line} of the proof: {what}"),
            Error::NoSuchPolynomial { line, number } => {
                write!(f, "step {line} of the proof: there is no polynomial {number} before it")
            }
            Error::TooLarge { line } => write!(f, "step {line} of the proof: it is too large"),
            Error::NotShown => f.write_str("the proof does not come to the polynomial that it is for"),
        }
    }
}

impl std::error::Error for Error {}

/// Checks that `shown` is zero wherever all `given` are. All have the width of `shown`.
pub fn check(given: &[Polynomial], shown: &Polynomial, proof: &str) -> Result<Checked, Error> {
    let mut known: Vec<Polynomial> = given.to_vec();
    let mut work = 0usize;
    let mut checked = Checked::default();
    for (i, text) in proof.lines().enumerate() {
        let line = i + 1;
        let mut sum = Polynomial::zero(shown.width());
        for summand in text.split(';').map(str::trim).filter(|summand| !summand.is_empty()) {
            let (number, factor) =
                summand.split_once(' ').ok_or(Error::Format { line, what: "a factor is missing" })?;
            let number: usize = number.parse().map_err(|_| Error::Format { line, what: "a number is missing" })?;
            let zero = number.checked_sub(1).and_then(|i| known.get(i));
            let zero = zero.ok_or(Error::NoSuchPolynomial { line, number })?;
            let factor = Polynomial::read(shown.width(), factor).map_err(|what| Error::Format { line, what })?;
            work = work.saturating_add(zero.parts().len().saturating_mul(factor.parts().len()));
            if work > MAX_WORK {
                return Err(Error::TooLarge { line });
            }
            sum.add_product(&factor, zero).map_err(|TooLarge| Error::TooLarge { line })?;
        }
        known.push(sum);
        checked.steps += 1;
    }
    match known.last() {
        Some(last) if checked.steps > 0 && last == shown => Ok(checked),
        _ => Err(Error::NotShown),
    }
}
