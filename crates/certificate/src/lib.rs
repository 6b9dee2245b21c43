//! Certificates: why a property holds, down to clauses, so that no solver has to be trusted.
//!
//! A proof by invariants comes to conditions (`validate::conditions`), formulas that must have no model. A certificate has
//! each of them three times: as SMT-LIB, as clauses made by `bitblast`, and as a proof in LRAT that the clauses cannot all be
//! true; and a manifest that says which condition is about which places of the program, what each file's hash is, and what has to be
//! trusted. The clauses are plain DIMACS, so that verified checkers take them as they are.
//!
//! [`make`] writes one, [`check`] checks one: it makes the conditions and their clauses again from the program, by the
//! same code but nothing of the certificate except the invariants, compares them with the files, and checks the proofs with `lrat`.
//!
//! Where products of variables would take too many clauses, a condition may be shown with [`algebra`](self): lemmas of the ring
//! of machine integers, in a file of their own, whose proofs `pac` checks.
//!
//! A certificate may come from an enemy: names of files are not taken from it, what is read is bounded, and an invariant that is
//! wrong leads to conditions that have no proof.

mod algebra;
mod check;
mod conditions;
pub mod folder;
mod formula;
mod lemmas;
mod limits;
mod make;
mod manifest;
mod pack;
mod skeleton;

pub use check::{Checked, Flaw, check};
pub use formula::{read_quantified, read_term};
pub use make::{Certificate, Way, make};
pub use manifest::{About, Algebra, FORMAT, Manifest, SourceFile, VERSION};
pub use validate::conditions::Scheme;

/// The file that says what the others are.
pub const MANIFEST: &str = "manifest.json";

/// The name of one of a condition's files; conditions are numbered from 1 on.
pub fn file_name(number: usize, ending: &str) -> String {
    format!("condition-{number:04}.{ending}.gz")
}
