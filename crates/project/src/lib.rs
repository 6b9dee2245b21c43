//! A project and its proofs: what `foldback.toml` says ([`mod@file`]), how it is made from the Makefiles of other tools
//! ([`import`]), how proofs are run side by side and summed up ([`check`], [`summary`]), and answers that are kept ([`store`]).
//!
//! A proof is one run of the binary: it has its own limits, and one that crashes is one that has no answer.

pub mod check;
pub mod file;
pub mod import;
pub mod store;
pub mod summary;
pub mod words;

pub use file::{Project, Proof};
