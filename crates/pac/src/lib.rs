//! A checker for proofs in algebra: that a polynomial modulo `2^w` is zero wherever some others are.
//!
//! The practical algebraic calculus (Ritirc, Biere and Kauers, SC² 2018), in the form with linear combinations (Kaufmann,
//! Fleury, Biere and Kauers, FMSD 2022): each step multiplies polynomials that are known to be zero and adds them up, and the last one
//! must be the polynomial that is asked about. We differ in the ring, which is that of machine integers, so that there are no extension
//! variables and no rule for Booleans. Sums and products of what is zero are zero: that is all that has to be believed.
//!
//! What is read may be written by an enemy. Everything is bounded, nothing recurses, and whatever is not a proof is an [`Error`].
//! No dependencies and no unsafe code, as in crate `lrat`, the checker for clauses.

#![forbid(unsafe_code)]

mod check;
mod polynomial;

pub use check::{Checked, Error, MAX_WORK, check};
pub use polynomial::{MAX_DEGREE, MAX_PARTS, MAX_WIDTH, Polynomial, TooLarge};
