//! Results for people and for machines.
//!
//! [`Report`] is what there is to say about one verification: it is written as JSON (`docs/result-schema.md`), read back,
//! and shown as text, always by the same code ([`text::render`]), so that a kept result reads as the first showing did.

pub mod execution;
mod facts;
mod matter;
mod model;
pub mod proof;
pub mod text;
pub mod value;
mod walk;

pub use model::{
    Change, Counterexample, Input, InputKind, LoopInvariant, Method, Native, Place, Proof, Report, Run, SCHEMA, Step,
    Verdict, Violation,
};
