//! Which checks hold where not all of them could be proved: one that is hard does not lose the others.
//!
//! What engines proved on the way is made into invariants of the program before simplification, and those that are
//! inductive by themselves are kept. A check that these exclude is proved, whatever becomes of the others: no execution
//! fails it that has not failed another one before.

use crate::answer::{Check, Checked};
use crate::judge::lifted;
use crate::limits::judge::CHECKS_TIME;
use crate::opinions::Opinions;
use crate::recheck::{Failure, open_targets};
use base::cpu::Deadline;
use cfa::{Loc, LocKind};
use engine::{Budget, Fact, FactKind};
use std::collections::{BTreeMap, BTreeSet};
use term::Term;
use transform::pipeline::Prepared;

/// Error locations of the flat program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Checks {
    pub proved: BTreeSet<Loc>,
    pub open: BTreeSet<Loc>,
}

/// Tells the checks of a program apart, by facts about it. Nothing where the time is too short, or where the model ends
/// before the program does: what follows an unsupported construct or a bound is not seen.
pub fn checks(prepared: &Prepared, facts: &[Fact], budget: &Budget) -> Option<Checked<Checks>> {
    // Lifting takes as long as the program is large: not beyond the end of the time.
    budget.check().ok()?;
    let deadline = Deadline::after(budget.left().min(CHECKS_TIME));
    let (mut invariants, mut terms) = lifted_facts(prepared, facts);
    let mut solver = Opinions::until(deadline, budget.cancel_flag()).ok()?;
    let open = loop {
        match open_targets(&prepared.flat, &mut terms, &invariants, &mut solver, deadline) {
            Ok(open) => break open,
            // What other engines proved in other ways need not be inductive.
            Err(Failure::InvariantViolated(loc)) => invariants.remove(&loc)?,
            Err(_) => return None,
        };
    };
    let main = prepared.flat.main();
    let is_limit = |loc: &Loc| matches!(main.locs[*loc].kind, LocKind::Unsupported(_) | LocKind::BoundHit(_));
    if open.iter().any(is_limit) {
        return None;
    }
    let errors = main.locs.iter().filter(|(_, info)| matches!(info.kind, LocKind::Error(_))).map(|(loc, _)| loc);
    let proved = errors.filter(|loc| !open.contains(loc)).collect();
    Some(Checked::new(Checks { proved, open }, Check::Flat(solver.names())))
}

/// The proven facts about the prepared program as invariants of the flat one.
fn lifted_facts(prepared: &Prepared, facts: &[Fact]) -> (BTreeMap<Loc, Term>, term::Store) {
    let automaton = engine::board::fingerprint(&prepared.program);
    let mut terms = prepared.program.terms.clone();
    let mut known: BTreeMap<Loc, Term> = BTreeMap::new();
    for fact in facts.iter().filter(|fact| fact.automaton == automaton) {
        let FactKind::Invariant { at, formula } = &fact.kind else { continue };
        let Ok(formula) = term::smtlib::parse_term(&mut terms, formula) else { continue };
        let all = known.get(at).map_or(formula, |others| terms.and(*others, formula));
        known.insert(*at, all);
    }
    lifted(prepared, terms, &known)
}
