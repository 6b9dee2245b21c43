//! Houdini (Flanagan and Leino 2001): the largest set of candidates that is inductive.
//!
//! All candidates are assumed, and asked for again after each step; what fails is dropped, and the steps that assumed it are
//! asked again. A pass without failure is the induction proof for all that are left, at once.

use std::collections::BTreeMap;
use term::Term;

/// What is to be inductive: steps from cut points to cut points, and a way to prove them.
pub trait Induction {
    /// Where a candidate is claimed: a loop head, one half of a contract.
    type At: Ord + Copy;
    /// Why there is no answer.
    type Stop;

    /// How many steps there are.
    fn steps(&self) -> usize;

    /// Whether the step starts from states in which what is claimed there holds.
    fn assumes(&self, step: usize, at: Self::At) -> bool;

    /// Which of the candidates are not proved to hold after the step, if all of them hold before it.
    fn refuted(
        &mut self,
        step: usize,
        candidates: &BTreeMap<Self::At, Vec<Term>>,
    ) -> Result<Refuted<Self::At>, Self::Stop>;
}

/// Candidates that a step does not keep.
#[derive(Clone, Debug)]
pub struct Refuted<At> {
    pub candidates: Vec<(At, Term)>,
    /// The step may refute others too: it is to be asked again.
    pub more: bool,
}

impl<At> Refuted<At> {
    /// These, and no others.
    pub fn all(candidates: Vec<(At, Term)>) -> Refuted<At> {
        Refuted { candidates, more: false }
    }

    /// These, and perhaps others.
    pub fn some(candidates: Vec<(At, Term)>) -> Refuted<At> {
        Refuted { more: !candidates.is_empty(), candidates }
    }
}

/// The candidates that are inductive together.
pub fn houdini<I: Induction>(
    induction: &mut I,
    mut candidates: BTreeMap<I::At, Vec<Term>>,
) -> Result<BTreeMap<I::At, Vec<Term>>, I::Stop> {
    let mut open = vec![true; induction.steps()];
    while let Some(step) = open.iter().position(|open| *open) {
        let refuted = induction.refuted(step, &candidates)?;
        open[step] = refuted.more;
        for (at, candidate) in refuted.candidates {
            candidates.entry(at).or_default().retain(|c| *c != candidate);
            for (step, open) in open.iter_mut().enumerate() {
                *open |= induction.assumes(step, at);
            }
        }
    }
    Ok(candidates)
}
