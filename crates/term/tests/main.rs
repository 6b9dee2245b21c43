//! The tests of terms, linked once: a new file is a line here.

mod c_printing;
mod common;
mod deep;
mod floats;
mod fuzz;
mod last_bits;
mod rules;
mod store;
mod structure;
mod variable_names;
mod z3;
