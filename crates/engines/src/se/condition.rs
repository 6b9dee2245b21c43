//! Path conditions, and the part of one that a question is about.
//!
//! Conjuncts that share no input with a question, directly or by way of other conjuncts, say nothing about it: the path
//! condition has a model, so they hold whatever the answer is, with the values that they have in it (independence of
//! constraints; Cadar, Dunbar & Engler, OSDI 2008). So questions are short, and paths that differ in something else ask the
//! same one, which the solver's memory answers.

use rustc_hash::FxHashSet;
use std::rc::Rc;
use term::Term;

/// The path condition, latest conjunct first, each with its variables. Tails are shared between paths.
#[derive(Default)]
pub(super) struct Conjunction {
    last: Option<(Part, Rc<Conjunction>)>,
}

/// A conjunct and its variables.
pub(super) type Part = (Term, Rc<[Term]>);

impl Conjunction {
    /// A conjunct that is there already is not there twice: a loop that goes round for long decides the same again and again.
    pub(super) fn and(self: &Rc<Conjunction>, part: Part) -> Rc<Conjunction> {
        if self.has(part.0) {
            return self.clone();
        }
        Rc::new(Conjunction { last: Some((part, self.clone())) })
    }

    pub(super) fn has(&self, conjunct: Term) -> bool {
        self.parts().any(|(t, _)| *t == conjunct)
    }

    /// Latest first.
    fn parts(&self) -> impl Iterator<Item = &Part> {
        let mut at = self;
        std::iter::from_fn(move || {
            let (part, rest) = at.last.as_ref()?;
            at = rest;
            Some(part)
        })
    }

    /// Earliest first.
    pub(super) fn terms(&self) -> Vec<Term> {
        let mut out: Vec<Term> = self.parts().map(|(t, _)| *t).collect();
        out.reverse();
        out
    }

    /// The conjuncts that share variables with `vars`, directly or by way of other conjuncts, earliest first.
    pub(super) fn about(&self, vars: &[Term]) -> Vec<Term> {
        let mut reached: FxHashSet<Term> = vars.iter().copied().collect();
        let mut rest: Vec<(usize, &Part)> = self.parts().enumerate().collect();
        let mut kept: Vec<(usize, Term)> = Vec::new();
        loop {
            let before = rest.len();
            rest.retain(|(at, (conjunct, vars))| {
                let touches = vars.iter().any(|v| reached.contains(v));
                if touches {
                    reached.extend(vars.iter().copied());
                    kept.push((*at, *conjunct));
                }
                !touches
            });
            if rest.len() == before {
                break;
            }
        }
        kept.sort_unstable_by_key(|(at, _)| std::cmp::Reverse(*at));
        kept.into_iter().map(|(_, conjunct)| conjunct).collect()
    }
}

impl Drop for Conjunction {
    /// Without recursion: paths are long.
    fn drop(&mut self) {
        let mut next = self.last.take();
        while let Some((_, rest)) = next {
            next = Rc::try_unwrap(rest).ok().and_then(|mut c| c.last.take());
        }
    }
}
