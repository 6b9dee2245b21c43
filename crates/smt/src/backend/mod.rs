//! The solvers themselves.

mod bitwuzla;
mod horn;
mod pipe;
mod translate;
mod z3;

pub use bitwuzla::{BitwuzlaSettings, BitwuzlaSolver, FloatFormats};
pub use horn::HornInterpolator;
pub use pipe::{die_with_us, unlimited_stack};
pub use z3::{Z3Process, Z3Settings};
