//! The tests of solvers, linked once: a new file is a line here.

mod backends;
mod choices;
mod floats;
mod layers;
mod numbering;
mod random_terms;
mod rules;
