//! From automaton edges to formulas and back: what several engines need moves down here.
//!
//! [`State`] is a symbolic state, [`post`] runs one edge on it, [`Unroller`] unwinds whole automata with merging at
//! joins, [`Bounded`] asks
//! for errors in it, [`preimage`] goes backwards along one path, [`trace`] turns a solver's model into an execution.

pub mod bounded;
pub mod post;
pub mod preimage;
pub mod state;
pub mod trace;
pub mod unroll;

pub use bounded::{Bounded, why_unknown};
pub use preimage::Preimage;
pub use state::{State, Value};
pub use unroll::{Node, Unroller};
