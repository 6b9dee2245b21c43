//! Memory flattening: the chosen representations, and equivalence with the byte-level interpreter on random programs.

mod build;
mod c_programs;
mod compare;
mod forms;
mod random;
mod shared;
