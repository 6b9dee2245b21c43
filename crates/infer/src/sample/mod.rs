//! Data: what runs of the interpreter show.
//!
//! Many short runs with inputs of several orders of magnitude ([`heads`], [`inputs`]) show relations between words; one run of a
//! program without inputs shows whole states ([`states`]). Runs on texts refute guesses ([`texts`]). What calls are given and return is watched by
//! [`crate::contracts`].

pub mod cell;
pub mod heads;
pub mod inputs;
pub mod states;
pub mod texts;

pub use cell::{Cell, Content, Ghost};
pub use heads::{DirectedRun, Samples, Table, live_words, sample};
pub use inputs::{Guesses, constants, trace_of};
