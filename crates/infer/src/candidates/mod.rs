//! Candidates: formulas that may hold at a loop head.
//!
//! What the program says ([`program`]), how its paths change variables ([`monotone`]), what the states seen have in common ([`data`]
//! for words from many runs ([`scaled`]: for what sizes are multiples of), [`run`], [`quotients`] and [`turns`] for the [`numbers`] in the states of one), what excludes a state
//! ([`state`]), what loops along texts need ([`texts`]), what programs state and demand at heads, and that drawn back to those before ([`demands`]). None of it is believed before it is proved.

pub mod data;
pub mod demands;
pub mod monotone;
pub mod numbers;
pub mod program;
pub mod quotients;
pub mod run;
pub mod scaled;
pub mod state;
pub mod texts;
pub mod turns;

pub use data::Guesser;
