//! Abstract interpretation of flat automata.
//!
//! [`range::Range`] over-approximates sets of machine integers; [`env::Env`] a set of states, by a range for each
//! variable; [`fixpoint::analyse`] computes one for each location. What it says holds for every execution.

pub mod env;
pub mod fixpoint;
pub mod range;

pub use env::Env;
pub use fixpoint::{Analysis, analyse};
pub use range::Range;
