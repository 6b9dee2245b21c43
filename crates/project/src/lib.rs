//! A project and its proofs: what `foldback.toml` says ([`mod@file`]), how it is made from the Makefiles of other tools
//! and from compile databases ([`import`]), how proofs are run side by side and summed up ([`check`], [`summary`]).
//!
//! How a project's files are compiled is read from the flags of compilers ([`compiler_flags`]) and from compile databases
//! ([`compile_database`]).
//!
//! A proof is one run of the binary: it has its own limits, and one that crashes is one that has no answer.

pub mod check;
pub mod compile_database;
pub mod compiler_flags;
pub mod file;
pub mod import;
pub mod summary;
mod words;

pub use compile_database::Build;
pub use compiler_flags::CompilerFlags;
pub use file::{Project, Proof};
