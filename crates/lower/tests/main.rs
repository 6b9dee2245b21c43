//! The tests of lowering, linked once: a new file is a line here.

mod byte_loops;
mod common;
mod dialect;
mod language;
mod library;
mod names;
mod properties;
mod run;
mod shape;
mod trust;
mod wide;
