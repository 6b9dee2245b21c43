//! Abstract interpretation of flat automata.
//!
//! [`range::Range`] over-approximates sets of machine integers; [`env::Env`] a set of states, by a range for each
//! variable and, for pairs that the program compares, of their difference ([`relation`]); [`fixpoint::analyse`] computes one for each location. What it says holds for every execution.
//! [`cases`] keeps apart what state machines keep apart. [`affine`] finds equations between any number of variables.

pub mod affine;
pub mod cases;
pub mod env;
pub mod fixpoint;
mod limits;
pub mod range;
pub mod relation;

pub use env::Env;
pub use fixpoint::{Analysis, analyse};
pub use range::Range;
