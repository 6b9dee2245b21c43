//! A checker for proofs of unsatisfiability: clauses in DIMACS, proofs in LRAT, text or binary.
//!
//! After Cruz-Filipe, Heule, Hunt, Kaufmann and Schneider-Kamp (CADE 2017). A step of a proof adds a clause that follows by
//! *reverse unit propagation*: assume that all its literals are false; then each clause that the step hints at, in order, has
//! one literal left, which becomes true, until one has none left. The checker follows the hints and searches for nothing, so it is
//! simple and takes linear time. We differ in one point: steps that only preserve satisfiability (RAT, negative
//! hints) are refused. CaDiCaL does not write them.
//!
//! What is read may be written by an enemy. Everything is bounded by the length of the input or a constant, nothing
//! recurses, and whatever is not a proof is an [`Error`]. No dependencies and no unsafe code: whoever wants to know what a
//! certificate rests on reads these three files.

#![forbid(unsafe_code)]

mod check;
mod dimacs;
mod error;
mod proof;

pub use check::{Checked, check};
pub use dimacs::{Cnf, MAX_VARIABLE};
pub use error::{Error, Why};
pub use proof::{Format, Reader, Step};
