//! From one cut to the next ones by ranges alone: what a solver need not be asked.
//!
//! Between cuts the automaton has no cycles, so one pass in the weak topological order gives ranges everywhere, edge by
//! edge and joined where edges meet: linear where a formula over all paths is not. What the ranges at the end exclude
//! or imply is settled; the rest is named, with the part of the automaton that leads there.

use crate::bounds::Bounds;
use base::Table;
use cfa::{Edge, Loc, Op, Program};
use flow::wto::Wto;
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};
use term::{Store, Term};

/// What ranges leave to be shown, from one cut.
pub(crate) struct Open {
    pub(crate) targets: BTreeSet<Loc>,
    /// Conjuncts of the invariants at the heads that come next.
    pub(crate) heads: BTreeMap<Loc, Vec<Term>>,
    /// The edges on ways there.
    pub(crate) edges: FxHashSet<Edge>,
}

/// Starts at `start` in any state, or any in which its invariant holds where it is a head.
pub(crate) fn by_ranges(
    program: &Program,
    terms: &Store,
    wto: &Wto,
    successors: &Table<Loc, Vec<Edge>>,
    invariants: &BTreeMap<Loc, Term>,
    start: Loc,
) -> Open {
    let main = program.main();
    let mut open = Open { targets: BTreeSet::new(), heads: BTreeMap::new(), edges: FxHashSet::default() };
    let mut here = Bounds::default();
    if let Some(invariant) = invariants.get(&start)
        && !here.assume(terms, *invariant, true)
    {
        return open;
    }
    let mut at_heads: BTreeMap<Loc, Bounds> = BTreeMap::new();
    let mut pending: BTreeMap<u32, Bounds> = BTreeMap::new();
    let mut taken: Vec<Edge> = Vec::new();
    let mut next = Some((start, here));
    while let Some((loc, here)) = next {
        for &edge in &successors[loc] {
            let info = &main.edges[edge];
            let Some(after) = followed(program, terms, &here, &info.op) else { continue };
            taken.push(edge);
            let joined = if wto.is_head(info.to) {
                at_heads.get_mut(&info.to)
            } else if main.locs[info.to].kind.is_target() {
                open.targets.insert(info.to);
                continue;
            } else {
                pending.get_mut(&wto.position(info.to))
            };
            match joined {
                Some(before) => before.join(&after),
                None if wto.is_head(info.to) => _ = at_heads.insert(info.to, after),
                None => _ = pending.insert(wto.position(info.to), after),
            }
        }
        next = pending.pop_first().map(|(position, bounds)| (wto.loc_at(position), bounds));
    }
    for (head, bounds) in at_heads {
        let claimed = invariants.get(&head).map_or_else(Vec::new, |t| term::normal::conjuncts(terms, *t));
        let rest: Vec<Term> = claimed.into_iter().filter(|conjunct| !bounds.implies(terms, *conjunct)).collect();
        if !rest.is_empty() {
            open.heads.insert(head, rest);
        }
    }
    // Edges were taken in order, so those after an edge come after it.
    let mut useful: FxHashSet<Loc> = FxHashSet::default();
    for edge in taken.into_iter().rev() {
        let info = &main.edges[edge];
        let leads = match wto.is_head(info.to) {
            true => open.heads.contains_key(&info.to),
            false => open.targets.contains(&info.to) || useful.contains(&info.to),
        };
        if leads {
            useful.insert(info.from);
            open.edges.insert(edge);
        }
    }
    open
}

/// The ranges after an edge; none if it cannot be taken.
fn followed(program: &Program, terms: &Store, here: &Bounds, op: &Op) -> Option<Bounds> {
    let mut after = here.clone();
    match op {
        Op::Assume(condition) => {
            if !after.assume(terms, *condition, true) {
                return None;
            }
        }
        Op::Assign(pairs) => {
            let pairs: Vec<(Term, Term)> = pairs.iter().map(|(var, t)| (program.term(*var), *t)).collect();
            after.assign(terms, &pairs);
        }
        op => op.written().into_iter().for_each(|var| after.forget(program.term(var))),
    }
    Some(after)
}
