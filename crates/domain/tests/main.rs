//! The tests of abstract interpretation, linked once: a new file is a line here.

mod cases;
mod states;
