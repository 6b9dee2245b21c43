//! The vocabulary below everything: typed ids with tables and indices, places in source files, messages about them,
//! child processes, CPU time, files by names of others, maps that share what they have in common.
//! This crate knows nothing of C and nothing of logic.

pub mod cpu;
pub mod diag;
pub mod files;
pub mod index;
pub mod process;
pub mod quantity;
pub mod shared;
pub mod source;
pub mod table;

pub use diag::{Diagnostic, Severity};
pub use shared::SharedMap;
pub use source::{FileId, Sources, Span};
pub use table::{Id, Table};
