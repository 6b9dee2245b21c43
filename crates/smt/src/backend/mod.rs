//! The solvers themselves.

mod bitwuzla;
mod pipe;
mod translate;
mod z3;

pub use bitwuzla::{BitwuzlaSettings, BitwuzlaSolver, FloatFormats};
pub use z3::{Z3Process, Z3Scripts, Z3Settings, start_ahead};
