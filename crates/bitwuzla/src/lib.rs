//! The SMT solver Bitwuzla, linked in, behind a safe interface.
//!
//! [`Terms`] makes sorts and terms, [`Solver`] solves over them. This crate knows nothing of our own terms; crate `smt`
//! translates. Every failure is an [`Error`] value: Bitwuzla's abort callback and C++ exceptions are caught (see
//! `guard.rs`). A crash inside C++ is not: whoever must survive that runs the solver in a process of its own.
//!
//! The C++ library is compiled by `build.rs` from the sources in crate `bitwuzla-sys`, together with the SAT solver CaDiCaL
//! from those in crate `cadical`.

#![allow(unsafe_code)]

mod guard;
mod kind;
mod raw;
mod solver;
mod terms;

pub use guard::Error;
pub use kind::{Kind, RoundingMode};
pub use solver::{Options, Outcome, Reason, Solver};
pub use terms::{Sort, Term, Terms};

/// Version of the library.
pub fn version() -> String {
    // SAFETY: returns a static string.
    let text = guard::call(|| unsafe { raw::bitwuzla_version() });
    text.and_then(terms::owned).unwrap_or_else(|error| error.to_string())
}
