//! One execution of a program, for people: [`run`] executes it with inputs that somebody wrote, that are random or that the
//! machine's own C library gives; [`replay`] executes it with those of evidence that was kept. [`ending`] says how it ended.
//!
//! Nothing is decided here that a verdict rests on: verification runs counterexamples itself (`validate::replay`).

mod choices;
pub mod ending;
mod json_inputs;
mod machine_library;
pub mod replay;
mod run;

pub use json_inputs::JsonInputs;
pub use machine_library::MachineLibrary;
pub use run::{Ran, Source, run};
