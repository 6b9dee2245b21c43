//! Solvers behind one small trait: Bitwuzla in this process, Z3 as a child process, and layers over both.
//!
//! [`Solver`] is the contract, [`open`] stacks back end and layers from typed [`SolverSettings`]. Terms are ours (crate
//! `term`); back ends translate them. A check that ends without an answer is an `Err`, never a guess.

pub mod algebra;
mod backend;
mod cases;
pub mod choices;
pub mod differences;
pub mod float;
mod frames;
pub mod layer;
mod limits;
pub mod linear;
mod model;
pub mod numbering;
pub mod object_numbers;
pub mod quantifier_instances;
mod settings;
pub mod small_factors;
mod solver;

pub use backend::{BitwuzlaSettings, BitwuzlaSolver, FloatFormats, Z3Process, Z3Scripts, Z3Settings, start_ahead};
pub use float::{FloatBits, float_bits};
pub use model::Model;
pub use settings::{Backend, SolverSettings, Versions, open, versions};
pub use solver::{Answer, Limits, Quantified, Renewable, Solver, Stats, Why};
