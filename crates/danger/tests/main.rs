//! The tests of danger invariants, linked once: a new file is a line here.

mod common;
mod deep;
mod factors;
mod mutants;
mod paper;
