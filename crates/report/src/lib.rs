//! Results for people and for machines.
//!
//! [`Report`] is what there is to say about one verification: it is written as JSON (`docs/result-schema.md`), read back,
//! and shown as text ([`text`]), as a page ([`html`]) and for code scanners ([`sarif`]), always from the same model, so that
//! a kept result reads as the first showing did.

mod advice;
pub mod colour;
mod constants;
mod dynamic_slice;

pub mod danger;
pub mod ends;
pub mod execution;
mod facts;
mod fault;
mod highlight;
pub mod html;
mod known;
pub mod live;
mod memory;
mod model;
mod names;
mod null;
mod objects;
pub mod picture;
pub mod proof;
pub mod sarif;
pub mod text;
pub mod tour;
pub mod value;
mod verdict;
mod walk;

pub use known::{checks, known};
pub use model::{
    Change, CheckStatus, Counterexample, FunctionContract, Input, InputKind, Kind, Known, LoopInvariant, LoopRanking,
    Memory, MemoryCell, MemoryObject, Method, Native, Part, Place, Proof, Related, Report, Run, SCHEMA, Step, Value,
    Verdict, Violation,
};
pub use verdict::in_users_words;
