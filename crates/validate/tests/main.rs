//! The tests of checks of evidence, linked once: a new file is a line here.

mod checks;
mod explorations;
mod proofs;
