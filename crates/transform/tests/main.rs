//! The tests of transformations, linked once: a new file is a line here.

mod common;
mod congruences;
mod memory;
mod offsets;
mod random;
mod tail;
mod text;
mod value_sets;
