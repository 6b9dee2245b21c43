//! Overapproximation of an inductive set (Chalupa and Strejček 2021, section 4.3): the five steps.
//!
//! What makes a formula a *valid extension* of a candidate is asked of the solver every time, about one merged formula of
//! the loop body: with input in the loop, neither pre-images nor the states that leave the loop need be inductive.

use super::Folder;
use super::relax::most_restrictive_first;
use crate::limits::bself::{ENOUGH, FEW_RELATIONS, MAX_CLAUSES, MAX_RELATIONS};
use cfa::Loc;
use engine::Stop;
use smt::Model;
use term::eval::{OrZero, eval};
use term::normal::{cnf, conjuncts};
use term::{Term, Value};

/// What an extension is to be valid for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Goal {
    pub head: Loc,
    /// The candidate that is extended: inductive, disjoint with the error states.
    pub candidate: Term,
    /// The error states; symbols that are no variables stand for some value.
    pub error: Term,
}

/// The answer, with a state that shows why not.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Validity {
    Valid,
    /// A state of the extension is an error state.
    Meets(Model),
    /// A state of the extension is followed by one that is in neither the extension nor the candidate.
    Leaves(Model),
    Unknown,
}

impl Folder<'_> {
    /// Whether `extension` is a valid extension: disjoint with the error states, and one iteration from it ends in it or in
    /// the candidate.
    pub(super) fn validity(&mut self, extension: Term, goal: &Goal) -> Result<Validity, Stop> {
        let known = self.terrain.at(&self.cx.terms, goal.head);
        let meets = [extension, goal.error, known];
        match self.oracle.sat(self.cx, &meets)? {
            Some(true) => return Ok(Validity::Meets(self.oracle.model(self.cx, &meets)?)),
            None => return Ok(Validity::Unknown),
            Some(false) => {}
        }
        let Some((condition, outside)) = self.leaving(extension, goal) else { return Ok(Validity::Valid) };
        let leaves = [extension, known, condition, outside];
        Ok(match self.oracle.sat(self.cx, &leaves)? {
            Some(true) => Validity::Leaves(self.oracle.model(self.cx, &leaves)?),
            None => Validity::Unknown,
            Some(false) => Validity::Valid,
        })
    }

    /// When an iteration is finished, and that it ends outside `extension` and the candidate. `None`: it never is.
    fn leaving(&mut self, extension: Term, goal: &Goal) -> Option<(Term, Term)> {
        let way = self.loops[&goal.head].iteration.back.clone()?;
        let inside = self.cx.terms.or(extension, goal.candidate);
        let inside = way.after(self.program, &mut self.cx.terms, inside);
        Some((way.condition, self.cx.terms.not(inside)))
    }

    /// Valid extensions that cover `new`; `last` is what was added before.
    pub(super) fn overapproximate(&mut self, new: Term, last: Option<Term>, goal: &Goal) -> Result<Vec<Term>, Stop> {
        let mut relations = self.relations(goal.head, new, last, goal.error)?;
        relations.others.truncate(if self.settings.extras { FEW_RELATIONS } else { MAX_RELATIONS });
        let constants = relations.constant_facts(&mut self.cx.terms);
        let mut clauses = self.clauses(new);
        clauses.extend(constants);
        clauses.sort_unstable();
        clauses.dedup();
        most_restrictive_first(&self.cx.terms, &mut clauses);
        let mut attempts: Vec<Vec<Term>> = relations.others.iter().map(|r| conjuncts(&self.cx.terms, *r)).collect();
        attempts.push(Vec::new());
        if self.settings.extras && relations.others.len() > 1 {
            attempts.push(relations.others.clone());
        }
        let mut found: Vec<Term> = Vec::new();
        let mut met: Vec<Vec<Term>> = Vec::new();
        for relation in attempts {
            let with = self.cx.terms.and_all(&relation);
            let Some(mut all) = self.drop_clauses(&clauses, &relation, goal)? else {
                let why = self.why_not;
                self.note(|| format!("no valid extension: {why}"), &[], &[("with relation", with)]);
                continue;
            };
            // The relation comes last: what else there is gives way first.
            all.retain(|clause| !relation.contains(clause));
            all.extend(&relation);
            if met.contains(&all) {
                continue;
            }
            met.push(all.clone());
            let relaxed = self.relax(all, new, goal)?;
            let Some(last) = self.drop_clauses(&relaxed, &[], goal)? else { continue };
            let extension = self.cx.terms.and_all(&last);
            self.note(|| "extension".into(), &[], &[("with relation", with), ("psi''", extension)]);
            if !found.contains(&extension) {
                found.push(extension);
                // At once: what is found stays found when time runs out for this attempt.
                let whole = self.cx.terms.or(extension, goal.candidate);
                self.remember(goal.head, whole);
            }
            if self.settings.extras && found.len() >= ENOUGH {
                break;
            }
        }
        self.widest(found)
    }

    /// Those sets that are not part of another one.
    fn widest(&mut self, sets: Vec<Term>) -> Result<Vec<Term>, Stop> {
        let mut kept: Vec<Term> = Vec::new();
        'sets: for (i, &set) in sets.iter().enumerate() {
            for &other in kept.iter().chain(&sets[i + 1..]) {
                let outside = self.cx.terms.not(other);
                if self.oracle.refuted(self.cx, &[set, outside])? {
                    continue 'sets;
                }
            }
            kept.push(set);
        }
        Ok(kept)
    }

    fn clauses(&mut self, formula: Term) -> Vec<Term> {
        let simpler = term::simplify(&mut self.cx.terms, formula);
        match cnf(&mut self.cx.terms, simpler, MAX_CLAUSES) {
            Some(clauses) => clauses.iter().map(|clause| self.cx.terms.or_all(clause)).collect(),
            None => conjuncts(&self.cx.terms, simpler),
        }
    }

    /// Drops clauses for as long as the rest with `fixed` is a valid extension. `None` if it is none to begin with, and
    /// none is found by weakening it.
    pub(super) fn drop_clauses(
        &mut self,
        clauses: &[Term],
        fixed: &[Term],
        goal: &Goal,
    ) -> Result<Option<Vec<Term>>, Stop> {
        let Some(mut kept) = self.settle(clauses.to_vec(), fixed, goal)? else { return Ok(None) };
        if self.settings.extras
            && let Some(needed) = self.needed_for_disjointness(&kept, fixed, goal)?
            && needed.len() < kept.len()
            && let Some(fewer) = self.settle(needed, fixed, goal)?
        {
            kept = fewer;
        }
        let mut i = 0;
        while i < kept.len() {
            let mut fewer = kept.clone();
            fewer.remove(i);
            match self.settle(fewer, fixed, goal)? {
                Some(fewer) => kept = fewer,
                None => i += 1,
            }
        }
        Ok(Some(kept))
    }

    /// The clauses if they are a valid extension with `fixed`. If an iteration leaves them, those that it breaks are left
    /// out, too (an extra: the paper gives up here).
    fn settle(&mut self, clauses: Vec<Term>, fixed: &[Term], goal: &Goal) -> Result<Option<Vec<Term>>, Stop> {
        let mut clauses = clauses;
        loop {
            let mut all = clauses.clone();
            all.extend(fixed);
            let extension = self.cx.terms.and_all(&all);
            let validity = self.validity(extension, goal)?;
            self.why_not = match &validity {
                Validity::Valid => return Ok(Some(clauses)),
                Validity::Meets(_) => "it meets the error states",
                Validity::Leaves(_) => "it is not inductive",
                Validity::Unknown => "the solver does not say",
            };
            let Validity::Leaves(model) = validity else { return Ok(None) };
            if !self.settings.extras {
                return Ok(None);
            }
            let Some(way) = self.loops[&goal.head].iteration.back.clone() else { return Ok(None) };
            let mut holding = Vec::new();
            for &clause in &clauses {
                let after = way.after(self.program, &mut self.cx.terms, clause);
                if eval(&self.cx.terms, after, &OrZero(&model)) == Ok(Value::Bool(true)) {
                    holding.push(clause);
                }
            }
            if holding.len() == clauses.len() {
                return Ok(None);
            }
            clauses = holding;
        }
    }

    /// The clauses that the solver used to tell the extension from the error states.
    fn needed_for_disjointness(
        &mut self,
        clauses: &[Term],
        fixed: &[Term],
        goal: &Goal,
    ) -> Result<Option<Vec<Term>>, Stop> {
        let mut question = vec![goal.error, self.terrain.at(&self.cx.terms, goal.head)];
        question.extend(fixed);
        question.extend(clauses);
        if self.oracle.sat(self.cx, &question)? != Some(false) {
            return Ok(None);
        }
        // Without a core every clause may be needed.
        Ok(self.oracle.core().map(|core| clauses.iter().copied().filter(|c| core.contains(c)).collect()))
    }
}
