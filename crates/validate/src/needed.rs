//! Which variables still matter on the way from one cut to the next: those that are read there, or that the invariant at its end is about.
//!
//! A state by cases that remembers a choice which nobody asks about any more is kept apart from its like for nothing, and there are
//! twice as many after each such choice. To forget a variable is to allow any value for it, so nothing rests on this: a variable that
//! is forgotten too early makes a proof fail, never succeed.

use crate::limits::recheck::MOST_BITS;
use base::{Id, Table};
use cfa::{Edge, Loc, Program, Var};
use flow::wto::Wto;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use term::{Store, Term};

/// Sets of variables, a bit for each.
type Sets = Table<Loc, Vec<u64>>;

/// See the module.
pub(crate) struct Needed {
    /// What matters on ways that begin at the location.
    at: Sets,
    /// What does not matter after the edge any more, of what mattered before it and what it writes.
    ended: Table<Edge, Vec<Term>>,
}

impl Needed {
    /// For ways that end at loop heads, where the invariants are asked, and at targets.
    pub(crate) fn of(program: &Program, terms: &Store, wto: &Wto, invariants: &BTreeMap<Loc, Term>) -> Option<Needed> {
        let main = program.main();
        let words = program.vars.len().div_ceil(64);
        if main.locs.len().saturating_mul(words * 64) > MOST_BITS {
            return None;
        }
        let mut vars_of: FxHashMap<Term, Vec<Var>> = FxHashMap::default();
        let mut vars = |t: Term| -> Vec<Var> {
            let found = || term::walk::free_vars(terms, &[t]).into_iter().filter_map(|t| program.var_of(t)).collect();
            vars_of.entry(t).or_insert_with(found).clone()
        };
        let claimed: Sets = main
            .locs
            .ids()
            .map(|loc| {
                let mut set = vec![0; words];
                let here = invariants.get(&loc).filter(|_| wto.reaches(loc) && wto.is_head(loc));
                here.into_iter().flat_map(|t| vars(*t)).for_each(|var| insert(&mut set, var));
                set
            })
            .collect();
        let mut at = Table::filled(vec![0; words], main.locs.len());
        let successors = main.successors();
        let mut order: Vec<Loc> = main.locs.ids().filter(|loc| wto.reaches(*loc)).collect();
        order.sort_by_key(|loc| std::cmp::Reverse(wto.position(*loc)));
        for loc in order {
            let mut here = vec![0; words];
            for &edge in &successors[loc] {
                let info = &main.edges[edge];
                let mut before = after(&at, &claimed, wto, info.to).to_vec();
                info.op.written().into_iter().for_each(|var| remove(&mut before, var));
                info.op.terms().into_iter().flat_map(&mut vars).for_each(|var| insert(&mut before, var));
                here.iter_mut().zip(&before).for_each(|(here, before)| *here |= before);
            }
            at[loc] = here;
        }
        let mut ended = Table::filled(Vec::new(), main.edges.len());
        for (edge, info) in main.edges.iter().filter(|(_, info)| wto.reaches(info.from)) {
            let mut gone = at[info.from].clone();
            info.op.written().into_iter().for_each(|var| insert(&mut gone, var));
            let kept = after(&at, &claimed, wto, info.to);
            gone.iter_mut().zip(kept).for_each(|(gone, kept)| *gone &= !kept);
            let is_gone = |var: &Var| contains(&gone, *var);
            ended[edge] = program.vars.ids().filter(is_gone).map(|var| program.term(var)).collect();
        }
        Some(Needed { at, ended })
    }

    /// Whether the variable matters on ways from the location.
    pub(crate) fn at(&self, loc: Loc, var: Var) -> bool {
        contains(&self.at[loc], var)
    }

    /// The variables that do not matter after the edge any more.
    pub(crate) fn ended(&self, edge: Edge) -> &[Term] {
        &self.ended[edge]
    }
}

/// What matters where a way goes on from `to`, or ends there.
fn after<'a>(at: &'a Sets, claimed: &'a Sets, wto: &Wto, to: Loc) -> &'a [u64] {
    if wto.is_head(to) { &claimed[to] } else { &at[to] }
}

fn insert(set: &mut [u64], var: Var) {
    set[var.index() / 64] |= 1 << (var.index() % 64);
}

fn remove(set: &mut [u64], var: Var) {
    set[var.index() / 64] &= !(1 << (var.index() % 64));
}

fn contains(set: &[u64], var: Var) -> bool {
    set[var.index() / 64] & 1 << (var.index() % 64) != 0
}
