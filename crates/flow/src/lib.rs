//! Facts computed from one automaton, without changing it.

pub mod wto;
