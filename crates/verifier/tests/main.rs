//! The tests of the door, linked once: a new file is a line here.

mod liars;
mod matrix;
mod objects;
mod places;
mod tasks;
