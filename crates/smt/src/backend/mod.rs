//! The solvers themselves.

mod bitwuzla;
mod horn;
mod pipe;
mod translate;
mod z3;

pub use bitwuzla::{BitwuzlaSettings, BitwuzlaSolver, FloatFormats};
pub use horn::HornInterpolator;
pub use z3::{Z3Process, Z3Settings, start_ahead};
