//! From one automaton to a simpler one, with a way back for evidence.
//!
//! Each pass takes a program and returns the new one with a [`Restore`]. No pass drops a target (error, unsupported, bound
//! hit) that can be reached. `pipeline` strings the passes together.

mod addresses;
mod bounded;
mod constants;
pub mod contract;
mod dead;
pub mod dispatch;
mod edit;
pub mod inline;
mod limits;
pub mod memory;
mod merge;
mod offsets;
pub mod pipeline;
mod propagate;
pub mod restore;
pub mod simplify;
pub mod slice;
mod stale;
mod tail;
mod value_sets;

pub use dispatch::{flatten, reducible};
pub use edit::Aim;
pub use propagate::Limits;
pub use restore::{Case, Fate, Restore};
pub use tail::fold_tail_calls;
