//! Witnesses in the YAML format 2.0: what other tools need to confirm an answer, and ours to confirm theirs.
//!
//! A correctness witness gives loop invariants as C expressions, a violation witness the results of the input functions on
//! the way and where it ends. Both speak of the files as the user gave them ([`files`] finds the places there). What cannot
//! be said in C at its place is left out, and the producer's description says so.
//!
//! The other way, [`read`] reads a witness (2.0, 2.1) and [`inject`] turns it into expressions to put into the program.

mod correctness;
pub mod danger;
mod danger_write;
mod files;
pub mod inject;
mod metadata;
pub mod read;
mod scope;
mod violation;
mod yaml;

pub use correctness::correctness;
pub use danger_write::{danger_invariant, with_inputs};
pub use files::InputFile;
pub use metadata::iso8601;
pub use violation::{beginning, violation};

/// What a witness is about.
#[derive(Clone, Debug)]
pub struct Task {
    pub files: Vec<InputFile>,
    /// The property file's text.
    pub specification: String,
    /// `ILP32` or `LP64`.
    pub data_model: String,
    /// ISO 8601 with zone.
    pub creation_time: String,
}
