//! From automaton edges to formulas and back: what several engines need moves down here.
//!
//! [`State`] is a symbolic state, [`post`] runs one edge on it, [`Unroller`] unwinds whole automata with merging at
//! joins, [`Bounded`] asks for errors in it, [`trace`] turns a solver's model into an execution. Backwards: [`pre`] is one
//! edge, [`preimage`] one path, [`backward`] the search.

pub mod backward;
pub mod bounded;
pub mod eliminate;
pub mod iteration;
mod limits;
pub mod oracle;
pub mod post;
pub mod pre;
pub mod preimage;
pub mod segment;
pub mod state;
pub mod trace;
pub mod unroll;

pub use bounded::{Bounded, why_unknown};
pub use oracle::Oracle;
pub use preimage::Preimage;
pub use segment::Segment;
pub use state::{State, Value};
pub use unroll::{Node, Unroller};
