//! States at loop heads, up to the names of inputs.
//!
//! A *key* is what the live variables hold and what the path condition says about the inputs in it, with inputs renamed by
//! their order of occurrence, in the values and then in the conjuncts as they came on the path: an order that does not depend on when
//! terms were made. A node whose condition is cut down to that stands for every state with the same values and with at least its
//! conjuncts, whatever else held on the way there: so the walk goes on from such a node with the cut-down condition, and a path
//! that comes with such a key has nothing new to show. Nothing rests on a path being feasible.

use super::Conjunction;
use super::state::State;
use crate::limits::explore::MOST_PLACES;
use crate::recheck::Failure;
use base::Table;
use cfa::{Loc, Program, Var};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::rc::Rc;
use term::subst::Substitution;
use term::{Sort, Store, Term};

pub(super) struct Seen {
    live: Table<Loc, Vec<Var>>,
    /// By location and values: the conjuncts of each node.
    expanded: FxHashMap<(Loc, Vec<Term>), Vec<BTreeSet<Term>>>,
    names: FxHashMap<Sort, Vec<Term>>,
}

/// A key, and the conjuncts that it was made of.
pub(super) struct Cut {
    values: Vec<Term>,
    conjuncts: BTreeSet<Term>,
    pub(super) condition: Rc<Conjunction>,
}

impl Seen {
    pub(super) fn new(program: &Program) -> Result<Seen, Failure> {
        let live = flow::live(program, |_| true);
        check_live(program, &live)?;
        Ok(Seen { live, expanded: FxHashMap::default(), names: FxHashMap::default() })
    }

    /// The key of a state at `loc`; none where it is too large.
    pub(super) fn cut(
        &mut self,
        program: &Program,
        terms: &mut Store,
        loc: Loc,
        state: &State,
        condition: &Conjunction,
    ) -> Option<Cut> {
        let values: Vec<_> = self.live[loc].iter().map(|v| state.get(program, terms, *v)).collect();
        if values.iter().map(|v| v.places()).sum::<usize>() > MOST_PLACES {
            return None;
        }
        let mut key: Vec<Term> = values.iter().map(|v| v.term(terms)).collect();
        let kept = relevant(terms, &key, condition);
        key.extend(kept.iter().map(|(t, _)| *t));
        let condition =
            kept.into_iter().fold(Rc::default(), |rest, (t, vars)| Rc::new(Conjunction(Some((t, vars, rest)))));
        let mut values = self.renamed(terms, key);
        let conjuncts = values.split_off(self.live[loc].len()).into_iter().collect();
        Some(Cut { values, conjuncts, condition })
    }

    /// Whether a node is expanded that stands for the state: it has the same values, and assumes no more.
    pub(super) fn contains(&self, loc: Loc, cut: &Cut) -> bool {
        let nodes = self.expanded.get(&(loc, cut.values.clone()));
        nodes.is_some_and(|nodes| nodes.iter().any(|conjuncts| conjuncts.is_subset(&cut.conjuncts)))
    }

    pub(super) fn insert(&mut self, loc: Loc, cut: &Cut) {
        self.expanded.entry((loc, cut.values.clone())).or_default().push(cut.conjuncts.clone());
    }

    fn renamed(&mut self, terms: &mut Store, key: Vec<Term>) -> Vec<Term> {
        let mut used: FxHashMap<Sort, usize> = FxHashMap::default();
        let mut renaming = Substitution::new();
        let mut named = FxHashSet::default();
        let mut free: Vec<Term> = Vec::new();
        for t in &key {
            free.extend(term::walk::free_vars(terms, &[*t]).into_iter().filter(|v| named.insert(*v)));
        }
        for var in free {
            let sort = terms.sort(var);
            let n = used.entry(sort).or_default();
            let names = self.names.entry(sort).or_default();
            if names.len() == *n {
                names.push(terms.fresh("key", sort));
            }
            renaming.insert(terms, var, names[*n]);
            *n += 1;
        }
        key.into_iter().map(|t| renaming.apply(terms, t)).collect()
    }
}

/// The conjuncts that share inputs with `values`, directly or by way of others, each once with its variables, as they came on the path.
pub(super) fn relevant(terms: &Store, values: &[Term], condition: &Conjunction) -> Vec<(Term, Rc<[Term]>)> {
    let mut reached: FxHashSet<Term> = term::walk::free_vars(terms, values).into_iter().collect();
    let mut rest: Vec<(Term, Rc<[Term]>)> = condition.parts().collect();
    let mut kept: FxHashSet<Term> = FxHashSet::default();
    loop {
        let before = rest.len();
        rest.retain(|(conjunct, vars)| {
            let touches = vars.iter().any(|v| reached.contains(v));
            if touches {
                reached.extend(vars.iter().copied());
                kept.insert(*conjunct);
            }
            !touches
        });
        if rest.len() == before {
            break;
        }
    }
    let mut parts: Vec<(Term, Rc<[Term]>)> = condition.parts().collect();
    parts.reverse();
    parts.retain(|(conjunct, _)| kept.remove(conjunct));
    parts
}

/// What is live before an edge: what it reads, and what is live after it but for what it writes.
fn check_live(program: &Program, live: &Table<Loc, Vec<Var>>) -> Result<(), Failure> {
    let live: Table<Loc, FxHashSet<Var>> = live.values().map(|vars| vars.iter().copied().collect()).collect();
    for edge in program.main().edges.values() {
        let written = edge.op.written();
        let read = term::walk::free_vars(&program.terms, &edge.op.terms());
        let read = read.into_iter().filter_map(|t| program.var_of(t));
        let after = live[edge.to].iter().copied().filter(|v| !written.contains(v));
        if read.chain(after).any(|v| !live[edge.from].contains(&v)) {
            return Err(Failure::BadOrder(edge.from));
        }
    }
    Ok(())
}
