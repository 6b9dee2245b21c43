//! Witnesses in the YAML formats 2.0 to 2.2: what other tools need to confirm an answer, and ours to confirm theirs.
//!
//! A correctness witness gives loop invariants as C expressions, and transition invariants where termination is claimed; a
//! violation witness the results of the input functions on the way and where it ends, or what goes round for ever. Both speak of the files as the user gave them ([`files`] finds the places there). What cannot
//! be said in C at its place is left out, and the producer's description says so.
//!
//! The other way, [`read`] reads a witness (2.0, 2.1, 2.2) and [`inject`] turns it into expressions to put into the program.

mod annotate;
mod contract;
mod correctness;
pub mod danger;
mod danger_write;
mod endless;
pub mod extension;
mod files;
pub mod ghost;
pub mod inject;
mod metadata;
mod ranking;
pub mod read;
mod scope;
pub mod transition;
mod violation;
mod yaml;

pub use annotate::{Annotated, annotated, is_named, is_sayable};
pub use contract::WrittenContract;
pub use correctness::{Facts, Proof, Rankings, correctness, head_of};
pub use danger_write::{danger_invariant, with_inputs};
pub use endless::{FIRST_INPUTS, MOST_INPUTS, endless};
pub use files::InputFile;
pub use metadata::iso8601;
pub use ranking::sayable;
pub use violation::{beginning, violation};

/// A version of the format. Each knows what the ones before it know.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Version {
    /// Loop and location invariants; finite executions.
    #[default]
    V2_0,
    /// Transition invariants, function contracts, ghost variables; infinite executions.
    V2_1,
    /// Threads.
    V2_2,
}

impl Version {
    pub const ALL: [Version; 3] = [Version::V2_0, Version::V2_1, Version::V2_2];

    pub fn name(self) -> &'static str {
        match self {
            Version::V2_0 => "2.0",
            Version::V2_1 => "2.1",
            Version::V2_2 => "2.2",
        }
    }
}

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
    pub version: Version,
}
