//! The tests of engines, linked once: a new file is a line here.

mod accel;
mod cells;
mod common;
mod figures;
mod guess;
mod kind;
mod pdr;
mod phases;
mod published;
mod random;
mod se;
mod theorem1;
