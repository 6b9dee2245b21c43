//! Memory flattening: the chosen representations, and equivalence with the byte-level interpreter on random programs.

mod build;
mod compare;
mod forms;
mod random;
