//! A copy of the program with the invariants of its loops written in, as few as a proof needs.
//!
//! Deletion tests: what the checker does without is left out, first of all what C cannot say. What is left is inductive by
//! itself; if C can say all of it, another tool has no more to find.

use crate::decide::Reason;
use crate::evidence::input_files;
use crate::limits::evidence::DELETING;
use crate::request::Request;
use base::cpu::Deadline;
use cfa::evidence::Proof;
use cfa::{Loc, Program};
use portfolio::Strategy;
use smt::Solver;
use std::collections::{BTreeMap, BTreeSet};
use term::{Store, Term};
use transform::pipeline::Prepared;
use transform::restore::without_stale;
use validate::judge::lifted;
use validate::recheck::is_inductive;
use witness::{Annotated, InputFile, annotated, is_sayable};

/// Engines that find invariants in few words; those of others may list what states or paths there are.
pub(crate) fn strategy() -> Strategy {
    Strategy::named("absint+guess+houdini+cells+pdr").expect("names of engines")
}

/// The copy for a proof.
pub(crate) fn of_proof(request: &Request, prepared: &Prepared, reason: Reason<'_>) -> Result<Annotated, String> {
    if !request.keep.annotated {
        return Err("none was asked for".into());
    }
    let none = BTreeMap::new();
    let (given, terms) = match reason {
        Reason::Simplified => (&none, &prepared.program.terms),
        Reason::Executed => return Err("there is one execution, and it was made: there are no invariants".into()),
        Reason::Unbounded => return Err("C has no form for what holds of every object".into()),
        Reason::Contracts(_) => {
            return Err("contracts stand for calls, which are not written down yet".into());
        }
        Reason::Proof(found) => match &found.proof {
            Proof::Invariants { at, .. } => (at, &found.terms),
            Proof::Exhausted { .. } | Proof::Explored(_) => {
                let why = "all executions were explored, so there are no invariants; --engine guess looks for some";
                return Err(why.into());
            }
            Proof::Ranking { .. } => return Err("a proof of termination has no invariants to write down yet".into()),
        },
    };
    let files = input_files(&request.subject)?;
    let flat = &prepared.flat;
    let (mut known, mut terms) = lifted(prepared, terms.clone(), given);
    // A loop that slicing has cut off is never come to in what engines see, but may be in the program.
    known.retain(|_, known| terms.as_bool_const(*known) != Some(false));
    for (at, known) in &mut known {
        *known = without_stale(flat, &mut terms, *at, *known);
    }
    let mut conjuncts: Vec<(Loc, Term)> = Vec::new();
    for (at, known) in &known {
        let known = &by_names(&files, flat, &mut terms, *at, *known);
        conjuncts.extend(term::normal::conjuncts(&terms, *known).into_iter().map(|conjunct| (*at, conjunct)));
    }
    // The last are the first to be tried: what C cannot say, then what is long.
    conjuncts.sort_by_cached_key(|(at, conjunct)| {
        (!is_sayable(&files, flat, &terms, *at, *conjunct), term::walk::tree_size(&terms, *conjunct))
    });
    if let Ok(solver) = smt::open(&smt::SolverSettings::default()) {
        let deadline = Deadline::after(DELETING);
        let mut solver = smt::layer::Deadline::over(solver, deadline);
        let mut deletion = Deletion { flat, terms: &mut terms, solver: &mut solver, deadline };
        conjuncts = deletion.needed(conjuncts);
    }
    let needed = together(&mut terms, &conjuncts);
    annotated(&files, flat, &terms, &needed)
}

/// The invariant with names that mean something at its place, for variables that equal others there: of a parameter, say, that
/// simplification took for the argument.
fn by_names(files: &[InputFile], flat: &Program, terms: &mut Store, at: Loc, known: Term) -> Term {
    let mut names: Vec<(Term, Term)> = Vec::new();
    for fact in term::normal::conjuncts(terms, known) {
        let (term::Op::Eq, &[a, b]) = (terms.op(fact), terms.args(fact)) else { continue };
        let is_named = |t: Term| flat.var_of(t).map(|var| witness::is_named(files, flat, at, var));
        for (own, other) in [(a, b), (b, a)] {
            if is_named(own) == Some(true) && is_named(other) == Some(false) && names.iter().all(|n| n.0 != other) {
                names.push((other, own));
            }
        }
    }
    let facts = term::normal::conjuncts(terms, known).into_iter().map(|fact| {
        // The equations themselves stay.
        let is_one = terms.op(fact) == term::Op::Eq
            && terms.args(fact).iter().any(|side| names.iter().any(|(other, _)| other == side));
        if is_one { fact } else { term::substitute(terms, fact, &names) }
    });
    let facts: Vec<Term> = facts.collect();
    terms.and_all(&facts)
}

/// The conjuncts of each location as one.
fn together(terms: &mut Store, conjuncts: &[(Loc, Term)]) -> BTreeMap<Loc, Term> {
    let mut all: BTreeMap<Loc, Vec<Term>> = BTreeMap::new();
    for (at, conjunct) in conjuncts {
        all.entry(*at).or_default().push(*conjunct);
    }
    all.into_iter().map(|(at, parts)| (at, terms.and_all(&parts))).collect()
}

struct Deletion<'a> {
    flat: &'a Program,
    terms: &'a mut Store,
    solver: &'a mut dyn Solver,
    deadline: Deadline,
}

impl Deletion<'_> {
    /// Those of the conjuncts that the proof needs; all of them where that is not found out in time.
    fn needed(&mut self, mut conjuncts: Vec<(Loc, Term)>) -> Vec<(Loc, Term)> {
        if !self.suffice(&conjuncts) {
            return conjuncts;
        }
        // Ranges, from the end: a whole one at first, then its halves.
        let mut ranges = Vec::from([(0, conjuncts.len())]);
        let mut dropped = BTreeSet::new();
        while let Some((start, end)) = ranges.pop() {
            if self.deadline.is_over() {
                break;
            }
            let is_kept = |i: &usize| !(start..end).contains(i) && !dropped.contains(i);
            let others: Vec<_> = (0..conjuncts.len()).filter(is_kept).map(|i| conjuncts[i]).collect();
            if self.suffice(&others) {
                dropped.extend(start..end);
            } else if end - start > 1 {
                let middle = usize::midpoint(start, end);
                ranges.extend([(start, middle), (middle, end)]);
            }
        }
        let mut index = 0..;
        conjuncts.retain(|_| index.next().is_some_and(|i| !dropped.contains(&i)));
        conjuncts
    }

    fn suffice(&mut self, conjuncts: &[(Loc, Term)]) -> bool {
        let invariants = together(self.terms, conjuncts);
        is_inductive(self.flat, self.terms, &invariants, self.solver, self.deadline)
    }
}
