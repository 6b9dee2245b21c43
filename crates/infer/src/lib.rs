//! Inference of invariants, for all engines and for contracts of recursive functions.
//!
//! The program is cut at its loop heads ([`segments`]). What may hold there comes from what the program says, from states that
//! runs have shown ([`sample`]) or from a state to be excluded ([`candidates`]); what of it is inductive is what [`houdini`]
//! leaves. How a step is proved is the engine's own matter.

pub mod candidates;
pub mod contracts;
mod houdini;
pub mod limits;
pub mod sample;
pub mod segments;

pub use houdini::{Induction, Refuted, houdini};

use cfa::{Loc, Program};
use engine::Budget;
use flow::wto::Wto;
use std::collections::BTreeMap;
use term::{Store, Term};

/// Formulas by loop head.
pub type AtHeads = BTreeMap<Loc, Vec<Term>>;

/// What abstract interpretation proves at each head (intervals, congruences, differences); a head that it finds unreachable has
/// `false`. Nothing if the time is up before.
pub fn intervals(program: &Program, wto: &Wto, terms: &mut Store, budget: &Budget) -> Option<AtHeads> {
    let analysis = domain::analyse(program, wto, &mut || budget.check().is_ok())?;
    let formula = |head: Loc| (head, vec![analysis.formula(program, terms, head)]);
    Some(wto.heads().map(formula).collect())
}

/// Linear equations at each head, by abstract interpretation too.
pub fn equations(program: &Program, wto: &Wto, terms: &mut Store, budget: &Budget) -> AtHeads {
    let heads: Vec<Loc> = wto.heads().collect();
    domain::affine::equations(program, terms, &heads, &mut || budget.check().is_ok()).into_iter().collect()
}
