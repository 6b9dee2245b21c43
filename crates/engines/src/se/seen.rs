//! The states seen at loop heads, compared up to the names of inputs.
//!
//! Renaming walks all terms of a state, and states of large programs have large terms. So each state is first put down by
//! its *shape*, a number that does not depend on names and that every term has once and for all; only states of the same
//! shape at the same head are renamed and compared.

use super::condition::Conjunction;
use super::shape::Shapes;
use crate::limits::se::{MOST_ARITHMETIC, MOST_DISJUNCTS};
use base::Table;
use cfa::{Loc, Program, Var};
use encode::State;
use flow::live_at_heads;
use flow::wto::Wto;
use indexmap::{IndexMap, IndexSet};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::rc::Rc;
use term::subst::Substitution;
use term::{Sort, Store, Term};

/// For every loop head: the live variables and the states seen.
pub(super) struct Seen {
    live: Table<Loc, Vec<Var>>,
    shapes: Shapes,
    states: IndexMap<(Loc, u64), Alike>,
    /// How many states those are.
    count: usize,
    /// Whether paths also went by heads without being compared.
    gaps: bool,
    names: Names,
}

/// States of one shape at one head.
#[derive(Default)]
struct Alike {
    /// The first one, until there is another.
    first: Option<Arrival>,
    /// Values of the live variables, then what the path condition says about them, with canonical names.
    keys: IndexSet<Vec<Term>>,
}

struct Arrival {
    values: Vec<encode::Value>,
    condition: Rc<Conjunction>,
}

impl Arrival {
    fn key(&self, terms: &mut Store, names: &mut Names) -> Vec<Term> {
        let mut key: Vec<Term> = self.values.iter().map(|v| v.term(terms)).collect();
        let mut conjuncts = self.condition.about(&term::walk::free_vars(terms, &key));
        // Order and repetition of conjuncts do not matter.
        conjuncts.sort_unstable();
        conjuncts.dedup();
        key.extend(conjuncts);
        names.rename(terms, key)
    }
}

/// The n-th canonical input of each sort.
#[derive(Default)]
struct Names(FxHashMap<Sort, Vec<Term>>);

impl Seen {
    pub(super) fn new(program: &Program, wto: &Wto) -> Seen {
        Seen {
            live: live_at_heads(program, wto),
            shapes: Shapes::default(),
            states: IndexMap::default(),
            count: 0,
            gaps: false,
            names: Names::default(),
        }
    }

    /// Whether an equal state was seen at `loc`; remembers this one.
    pub(super) fn before(&mut self, terms: &mut Store, loc: Loc, state: &State, condition: &Rc<Conjunction>) -> bool {
        let values: Vec<encode::Value> = self.live[loc].iter().map(|v| state.get(*v).clone()).collect();
        let shape = self.shapes.of_values(terms, &values);
        let arrival = Arrival { values, condition: condition.clone() };
        let alike = self.states.entry((loc, shape)).or_default();
        let new = if alike.first.is_none() && alike.keys.is_empty() {
            alike.first = Some(arrival);
            true
        } else {
            if let Some(first) = alike.first.take() {
                alike.keys.insert(first.key(terms, &mut self.names));
            }
            alike.keys.insert(arrival.key(terms, &mut self.names))
        };
        self.count += usize::from(new);
        !new
    }

    /// A path went on beyond a head where it was not compared.
    pub(super) fn skipped(&mut self) {
        self.gaps = true;
    }

    /// When all paths were explored, the states seen at a head are an invariant there: one of them holds. Only for few
    /// states, and without quantifiers: an input must be the value of some variable.
    pub(super) fn invariants(&mut self, program: &Program, terms: &mut Store) -> Option<BTreeMap<Loc, Term>> {
        if self.gaps || self.count > MOST_DISJUNCTS {
            return None;
        }
        for alike in self.states.values_mut() {
            if let Some(first) = alike.first.take() {
                alike.keys.insert(first.key(terms, &mut self.names));
            }
        }
        let inputs: FxHashSet<Term> = self.names.0.values().flatten().copied().collect();
        let mut at: BTreeMap<Loc, Vec<Term>> = BTreeMap::new();
        for ((loc, _), alike) in &self.states {
            for key in &alike.keys {
                at.entry(*loc).or_default().push(self.formula(program, terms, &inputs, *loc, key)?);
            }
        }
        let at: BTreeMap<Loc, Term> = at.into_iter().map(|(loc, states)| (loc, terms.or_all(&states))).collect();
        let mut formulas: Vec<Term> = at.values().copied().collect();
        if formulas.is_empty() {
            // Without loops all of the program is one question.
            formulas.extend(program.main().edges.values().flat_map(|edge| edge.op.terms()));
        }
        let is_arithmetic = |t: &&Term| {
            terms.sort(**t).bv_width().is_some() && !terms.args(**t).is_empty() && terms.as_value(**t).is_none()
        };
        let arithmetic = term::walk::postorder(terms, &formulas).iter().filter(is_arithmetic).count();
        (arithmetic <= MOST_ARITHMETIC).then_some(at)
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
}

impl Names {
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
            let names = self.0.entry(sort).or_default();
            if names.len() == *n {
                names.push(terms.fresh("in", sort));
            }
            renaming.insert(terms, var, names[*n]);
            *n += 1;
        }
        key.into_iter().map(|t| renaming.apply(terms, t)).collect()
    }
}
