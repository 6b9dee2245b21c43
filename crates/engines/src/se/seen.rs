//! The states seen at loop heads, compared up to the names of inputs.

use base::Table;
use cfa::{Loc, Program, Var};
use encode::State;
use flow::wto::Wto;
use flow::{Accesses, CallGraph, GlobalEffects, Graph, Liveness, TermVars};
use rustc_hash::{FxHashMap, FxHashSet};
use term::subst::Substitution;
use term::{Sort, Store, Term};

/// For every loop head: the live variables and the states seen.
pub(super) struct Seen {
    live: Table<Loc, Vec<Var>>,
    states: FxHashSet<(Loc, Vec<Term>)>,
    /// The n-th canonical input of each sort.
    canonical: FxHashMap<Sort, Vec<Term>>,
}

impl Seen {
    pub(super) fn new(program: &Program, wto: &Wto) -> Seen {
        Seen { live: live_at_heads(program, wto), states: FxHashSet::default(), canonical: FxHashMap::default() }
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
        !self.states.insert((loc, key))
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

/// The variables that are live at each loop head, in a fixed order; nothing for other locations.
fn live_at_heads(program: &Program, wto: &Wto) -> Table<Loc, Vec<Var>> {
    let effects = GlobalEffects::of(program, &CallGraph::of(program));
    let accesses = Accesses::of(program, program.main(), &effects, &mut TermVars::of(program));
    let graph = Graph::of(program.main());
    let mut liveness = Liveness::new(&graph, &accesses);
    let mut live = Table::filled(Vec::new(), program.main().locs.len());
    for &var in accesses.vars() {
        for loc in liveness.range(var) {
            if wto.reaches(loc) && wto.is_head(loc) {
                live[loc].push(var);
            }
        }
    }
    live
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
