//! The states seen at loop heads, compared up to the names of inputs.

use base::Table;
use cfa::{Loc, Program, Var};
use encode::State;
use flow::live_at_heads;
use flow::wto::Wto;
use indexmap::IndexSet;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use term::subst::Substitution;
use term::{Sort, Store, Term};

/// More states do not make a readable invariant.
const MOST_DISJUNCTS: usize = 256;

/// For every loop head: the live variables and the states seen.
pub(super) struct Seen {
    live: Table<Loc, Vec<Var>>,
    /// Values of the live variables, then what the path condition says about them.
    states: IndexSet<(Loc, Vec<Term>)>,
    /// How often a state was equal to an earlier one.
    repeated: u64,
    /// Whether paths also went by heads without being compared.
    gaps: bool,
    /// The n-th canonical input of each sort.
    canonical: FxHashMap<Sort, Vec<Term>>,
}

impl Seen {
    pub(super) fn new(program: &Program, wto: &Wto) -> Seen {
        Seen {
            live: live_at_heads(program, wto),
            states: IndexSet::default(),
            repeated: 0,
            gaps: false,
            canonical: FxHashMap::default(),
        }
    }

    /// Whether an equal state was seen at `loc`; remembers this one.
    pub(super) fn before(
        &mut self,
        terms: &mut Store,
        loc: Loc,
        state: &State,
        condition: impl FnOnce() -> Vec<Term>,
    ) -> bool {
        let values: Vec<Term> = self.live[loc].iter().map(|v| state.term(terms, *v)).collect();
        let mut key = values.clone();
        key.extend(relevant(terms, &values, condition()));
        let key = self.rename(terms, key);
        let new = self.states.insert((loc, key));
        self.repeated += !new as u64;
        !new
    }

    /// A path went on beyond a head where it was not compared.
    pub(super) fn skipped(&mut self) {
        self.gaps = true;
    }

    /// Whether every path was followed by itself: none ended at a state seen before, none was hurried along.
    pub(super) fn is_tree(&self) -> bool {
        self.repeated == 0 && !self.gaps
    }

    /// When all paths were explored, the states seen at a head are an invariant there: one of them holds. Only for few
    /// states, and without quantifiers: an input must be the value of some variable.
    pub(super) fn invariants(&self, program: &Program, terms: &mut Store) -> Option<BTreeMap<Loc, Term>> {
        if self.gaps || self.states.len() > MOST_DISJUNCTS {
            return None;
        }
        let inputs: FxHashSet<Term> = self.canonical.values().flatten().copied().collect();
        let mut at: BTreeMap<Loc, Vec<Term>> = BTreeMap::new();
        for (loc, key) in &self.states {
            at.entry(*loc).or_default().push(self.formula(program, terms, &inputs, *loc, key)?);
        }
        Some(at.into_iter().map(|(loc, states)| (loc, terms.or_all(&states))).collect())
    }

    /// A state as a formula over program variables.
    fn formula(
        &self,
        program: &Program,
        terms: &mut Store,
        inputs: &FxHashSet<Term>,
        loc: Loc,
        key: &[Term],
    ) -> Option<Term> {
        let live = &self.live[loc];
        let (values, conditions) = key.split_at(live.len());
        let mut renaming = Substitution::new();
        let mut named: FxHashSet<Term> = FxHashSet::default();
        for (var, value) in live.iter().zip(values) {
            if inputs.contains(value) && named.insert(*value) {
                renaming.insert(terms, *value, program.vars[*var].term);
            }
        }
        let mut conjuncts = Vec::new();
        for (var, value) in live.iter().zip(values) {
            let var = program.vars[*var].term;
            let value = renaming.apply(terms, *value);
            // Solvers are bad at equalities between arrays.
            if value != var && matches!(terms.sort(var), Sort::Array(_)) {
                return None;
            }
            conjuncts.push(terms.eq(var, value));
        }
        conjuncts.extend(conditions.iter().map(|c| renaming.apply(terms, *c)));
        let rest = term::walk::free_vars(terms, &conjuncts);
        rest.iter().all(|v| !inputs.contains(v)).then(|| terms.and_all(&conjuncts))
    }

    /// The terms with their variables replaced by canonical ones, in order of first occurrence.
    fn rename(&mut self, terms: &mut Store, key: Vec<Term>) -> Vec<Term> {
        let free = term::walk::free_vars(terms, &key);
        if free.is_empty() {
            return key;
        }
        let mut used: FxHashMap<Sort, usize> = FxHashMap::default();
        let mut renaming = Substitution::new();
        for var in free {
            let sort = terms.sort(var);
            let n = used.entry(sort).or_default();
            let names = self.canonical.entry(sort).or_default();
            if names.len() == *n {
                names.push(terms.fresh("in", sort));
            }
            renaming.insert(terms, var, names[*n]);
            *n += 1;
        }
        key.into_iter().map(|t| renaming.apply(terms, t)).collect()
    }
}

/// The conjuncts that share inputs with `values`, directly or by way of other conjuncts.
fn relevant(terms: &Store, values: &[Term], conjuncts: Vec<Term>) -> Vec<Term> {
    let mut reached: FxHashSet<Term> = term::walk::free_vars(terms, values).into_iter().collect();
    if reached.is_empty() {
        return Vec::new();
    }
    let mut rest: Vec<(Term, Vec<Term>)> =
        conjuncts.into_iter().map(|c| (c, term::walk::free_vars(terms, &[c]))).collect();
    let mut out = Vec::new();
    loop {
        let before = out.len();
        rest.retain(|(conjunct, vars)| {
            let touches = vars.iter().any(|v| reached.contains(v));
            if touches {
                reached.extend(vars.iter().copied());
                out.push(*conjunct);
            }
            !touches
        });
        if out.len() == before {
            // Order and repetition of conjuncts do not matter.
            out.sort_unstable();
            out.dedup();
            return out;
        }
    }
}
