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

#[cfg(test)]
mod tests {
    use super::*;
    use term::{Sort, Store};

    /// A ring of places, each step of which keeps a candidate if the place before still has it; the first place loses one.
    struct Ring {
        places: usize,
        lost: Term,
        asked: usize,
    }

    impl Induction for Ring {
        type At = usize;
        type Stop = ();

        fn steps(&self) -> usize {
            self.places
        }

        fn assumes(&self, step: usize, at: usize) -> bool {
            at == step
        }

        fn refuted(&mut self, step: usize, candidates: &BTreeMap<usize, Vec<Term>>) -> Result<Refuted<usize>, ()> {
            self.asked += 1;
            let to = (step + 1) % self.places;
            let kept = |c: &Term| candidates[&step].contains(c) && !(step == 0 && *c == self.lost);
            Ok(Refuted::some(candidates[&to].iter().filter(|c| !kept(c)).map(|c| (to, *c)).collect()))
        }
    }

    #[test]
    fn what_one_step_breaks_is_dropped_all_around() {
        let mut terms = Store::new();
        let (x, y) = (terms.var("x", Sort::Bool), terms.var("y", Sort::Bool));
        let mut ring = Ring { places: 3, lost: x, asked: 0 };
        let found = houdini(&mut ring, (0..3).map(|at| (at, vec![x, y])).collect());
        assert_eq!(found, Ok((0..3).map(|at| (at, vec![y])).collect()));
        assert!(ring.asked >= 6, "steps that assumed what is gone are asked again");
    }

    #[test]
    fn what_all_steps_keep_stays() {
        let mut terms = Store::new();
        let (x, other) = (terms.var("x", Sort::Bool), terms.var("y", Sort::Bool));
        let mut ring = Ring { places: 2, lost: other, asked: 0 };
        let found = houdini(&mut ring, (0..2).map(|at| (at, vec![x])).collect());
        assert_eq!(found, Ok((0..2).map(|at| (at, vec![x])).collect()));
        assert_eq!(ring.asked, 2);
    }
}
