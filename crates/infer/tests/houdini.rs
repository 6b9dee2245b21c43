//! Houdini on a ring of places: the greatest set that all steps keep.

use infer::{Induction, Refuted, houdini};
use std::collections::BTreeMap;
use term::{Sort, Store, Term};

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
