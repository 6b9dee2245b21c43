//! The comparisons that are literals: those that a step makes, and those that these rest on a step before where they are
//! about numbers that are copied.
//!
//! Protocols pass numbers on and compare them: identifiers, tickets, time stamps. What matters of such a number is how it
//! compares with some others, and what mattered a step before is again how one variable compares with another: the
//! weakest precondition of `received == id` is a choice between `sent == id` and `other == id`. There are
//! finitely many of these comparisons, so they can be closed under steps: then they say all that bits would say of these
//! variables, and a lemma speaks of no bit of them.

use super::justify::is_predicate;
use crate::limits::pdr::{MAX_BOUNDS, MAX_CONSTANTS};
use cfa::{Loc, Program};
use encode::Segment;
use encode::iteration::Way;
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use smt::choices::{Choices, is_comparison};
use std::collections::{BTreeMap, BTreeSet};
use term::subst::Substitution;
use term::{Op, Store, Term};

pub(super) struct Comparisons {
    pub(super) literals: Vec<Term>,
    /// What is true where a literal is false, with the literal's place: the same to us, not to a circuit.
    pub(super) complements: Vec<(usize, Term)>,
}

impl Comparisons {
    /// At most so many. `choices` are those of the steps.
    pub(super) fn new(
        program: &Program,
        segments: &BTreeMap<Loc, Segment>,
        most: usize,
        choices: &mut Choices,
        terms: &mut Store,
    ) -> Comparisons {
        let ways: Vec<(Loc, &Way)> =
            segments.iter().flat_map(|(at, segment)| segment.ways.iter().map(|(_, way)| (*at, way))).collect();
        let mut compared = Vec::new();
        for (_, way) in &ways {
            compared.push(choices.apart(terms, way.condition));
            for var in program.vars.ids() {
                let after = way.after.term(terms, var);
                compared.push(choices.apart(terms, after));
            }
        }
        let mut search = Search::new(program, terms, &compared);
        search.collect(terms, &compared, &Search::is_one);
        // What inputs are kept in at the start has their names.
        let mut names: Vec<Substitution> = Vec::new();
        for (at, way) in &ways {
            let mut named = Substitution::new();
            for (var, info) in program.vars.iter().filter(|_| *at == program.main().entry) {
                let value = way.after.term(terms, var);
                let is_input = terms.is_var(value) && program.var_of(value).is_none();
                if is_input && named.replacements().iter().all(|(input, _)| *input != value) {
                    named.insert(terms, value, info.term);
                }
            }
            let condition = choices.apart(terms, way.condition);
            let condition = named.apply(terms, condition);
            search.collect(terms, &[condition], &Search::is_plain);
            names.push(named);
        }
        let mut next = 0;
        while next < search.found.len() && search.found.len() < most {
            let t = search.found[next];
            next += 1;
            if !search.is_plain(terms, t) {
                continue;
            }
            for ((_, way), names) in ways.iter().zip(&mut names) {
                let before = way.after(program, terms, t);
                let before = choices.apart(terms, before);
                let before = names.apply(terms, before);
                search.collect(terms, &[before], &Search::is_plain);
            }
        }
        let literals: Vec<Term> = search.found.into_iter().take(most).collect();
        let mut complements = Vec::new();
        for (place, t) in literals.iter().enumerate() {
            let complement = terms.not(*t);
            if terms.op(complement) != Op::Not {
                complements.push((place, complement));
            }
        }
        Comparisons { literals, complements }
    }
}

struct Search<'p> {
    program: &'p Program,
    found: IndexSet<Term, FxBuildHasher>,
    /// Variables whose equality with a constant is better said by bits, of which a lemma may need a part.
    with_many: BTreeSet<Term>,
    /// The constants that others are equal to.
    constants: BTreeSet<Term>,
    /// How many comparisons by order there are of a variable with constants.
    bounds: BTreeMap<Term, usize>,
}

impl<'p> Search<'p> {
    fn new(program: &'p Program, terms: &Store, compared: &[Term]) -> Search<'p> {
        let mut equal: BTreeMap<Term, BTreeSet<Term>> = BTreeMap::new();
        for t in term::walk::postorder(terms, compared).into_iter().filter(|t| terms.op(*t) == Op::Eq) {
            if let Some((var, constant)) = with_constant(program, terms, t) {
                equal.entry(var).or_default().insert(constant);
            }
        }
        let (many, few): (BTreeMap<_, _>, BTreeMap<_, _>) =
            equal.into_iter().partition(|(_, constants)| constants.len() > MAX_CONSTANTS);
        Search {
            program,
            found: IndexSet::default(),
            with_many: many.into_keys().collect(),
            constants: few.into_values().flatten().collect(),
            bounds: BTreeMap::new(),
        }
    }

    /// Takes the comparisons that are wanted, each in one of the ways to say it.
    fn collect(&mut self, terms: &mut Store, formulas: &[Term], is_wanted: &dyn Fn(&Self, &Store, Term) -> bool) {
        for t in term::walk::postorder(terms, formulas) {
            if !is_wanted(self, terms, t) {
                continue;
            }
            let is_strict = match terms.op(t) {
                Op::BvUlt | Op::BvSlt => terms.as_bv_const(terms.arg(t, 0)).is_none(),
                op => op == Op::Eq,
            };
            let t = if is_strict { t } else { terms.not(t) };
            if terms.op(t) != Op::Eq
                && let Some((var, _)) = with_constant(self.program, terms, t)
                && !self.found.contains(&t)
            {
                let bounds = self.bounds.entry(var).or_default();
                *bounds += 1;
                if *bounds > MAX_BOUNDS {
                    continue;
                }
            }
            if is_comparison(terms, t) {
                self.found.insert(t);
            }
        }
    }

    /// Whether a step that makes it makes it a literal.
    fn is_one(&self, terms: &Store, t: Term) -> bool {
        let has_constant = terms.args(t).iter().any(|side| terms.as_bv_const(*side).is_some());
        is_comparison(terms, t)
            && (terms.op(t) != Op::Eq || self.is_plain(terms, t) || !has_constant)
            && is_predicate(self.program, terms, t)
    }

    /// Whether two variables are compared, or one with a constant.
    fn is_plain(&self, terms: &Store, t: Term) -> bool {
        is_comparison(terms, t)
            && match with_constant(self.program, terms, t) {
                Some((var, constant)) if terms.op(t) == Op::Eq => {
                    !self.with_many.contains(&var) && self.constants.contains(&constant)
                }
                Some(_) => true,
                None => terms.args(t).iter().all(|side| self.program.var_of(*side).is_some()),
            }
    }
}

/// The variable of the program and the constant that are compared.
fn with_constant(program: &Program, terms: &Store, t: Term) -> Option<(Term, Term)> {
    let &[a, b] = terms.args(t) else { return None };
    let is_one = |var: Term, constant: Term| program.var_of(var).is_some() && terms.as_bv_const(constant).is_some();
    [(a, b), (b, a)].into_iter().find(|(var, constant)| is_one(*var, *constant))
}
