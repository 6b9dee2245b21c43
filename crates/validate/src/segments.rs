//! From one cut to the next ones by ranges alone: what a solver need not be asked.
//!
//! Between cuts the automaton has no cycles, so one pass in the weak topological order gives ranges everywhere, edge by
//! edge and joined where edges meet: linear where a formula over all paths is not. What the ranges at the end exclude
//! or imply is settled; the rest is named, with the part of the automaton that leads there.
//!
//! An invariant that has cases (the states of a state machine, say, as a disjunction or as a tree of decisions) is taken case by
//! case: then ranges that differ are kept apart where edges meet, up to a number of them.

use crate::bounds::Bounds;
use base::Table;
use base::cpu::Deadline;
use cfa::{Edge, Loc, Op, Program};
use flow::wto::Wto;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use std::hash::BuildHasher;
use term::normal::conjuncts;
use term::{Store, Term};

/// What ranges leave to be shown, from one cut.
pub(crate) struct Open {
    pub(crate) targets: BTreeSet<Loc>,
    /// Conjuncts of the invariants at the heads that come next.
    pub(crate) heads: BTreeMap<Loc, Vec<Term>>,
    /// The edges on ways there.
    pub(crate) edges: FxHashSet<Edge>,
}

/// So many cases make an invariant one by cases, and so many are looked at.
const FEWEST_CASES: u64 = 3;
const MOST_CASES: u64 = 512;
/// Where there are cases: ranges that are kept apart at a location.
const MOST_APART: usize = 512;

/// Ranges of which some hold: one where there are no cases.
#[derive(Default)]
struct Ranges {
    all: Vec<Bounds>,
    /// Of all that are kept apart, to see quickly that one is new.
    hashes: FxHashSet<u64>,
}

/// Where a proof is proved again.
pub(crate) struct Segments<'a> {
    pub(crate) program: &'a Program,
    pub(crate) wto: &'a Wto,
    pub(crate) successors: &'a Table<Loc, Vec<Edge>>,
    pub(crate) invariants: &'a BTreeMap<Loc, Term>,
    /// Whether some invariant has cases.
    pub(crate) by_cases: bool,
    pub(crate) deadline: Deadline,
}

/// Whether some invariant has cases.
pub(crate) fn have_cases(terms: &Store, invariants: &BTreeMap<Loc, Term>) -> bool {
    invariants.values().any(|invariant| cases(terms, *invariant).is_some())
}

impl Segments<'_> {
    /// All of it, as if ranges settled nothing.
    pub(crate) fn everything(&self, terms: &Store) -> Open {
        let main = self.program.main();
        let claimed = |head: Loc| self.invariants.get(&head).map_or_else(Vec::new, |t| conjuncts(terms, *t));
        Open {
            targets: main.locs.iter().filter(|(_, info)| info.kind.is_target()).map(|(loc, _)| loc).collect(),
            heads: self.wto.heads().map(|head| (head, claimed(head))).collect(),
            edges: main.edges.ids().collect(),
        }
    }

    /// Starts at `start` in any state, or any in which its invariant holds where it is a head. Nothing at the deadline.
    pub(crate) fn open_from(&self, terms: &Store, start: Loc) -> Option<Open> {
        let Segments { program, wto, successors, invariants, by_cases, deadline } = *self;
        let main = program.main();
        let mut open = Open { targets: BTreeSet::new(), heads: BTreeMap::new(), edges: FxHashSet::default() };
        let start_ranges = match invariants.get(&start) {
            Some(invariant) => started(terms, *invariant),
            None => vec![Bounds::default()],
        };
        let mut at_heads: BTreeMap<Loc, Ranges> = BTreeMap::new();
        let start_ranges = Ranges { all: start_ranges, hashes: FxHashSet::default() };
        let mut pending: BTreeMap<u32, Ranges> = BTreeMap::from([(wto.position(start), start_ranges)]);
        let mut taken: Vec<Edge> = Vec::new();
        while let Some((position, here)) = pending.pop_first() {
            if deadline.is_over() {
                return None;
            }
            for &edge in &successors[wto.loc_at(position)] {
                let info = &main.edges[edge];
                let after: Vec<Bounds> =
                    here.all.iter().filter_map(|here| followed(program, terms, here, &info.op)).collect();
                if after.is_empty() {
                    continue;
                }
                taken.push(edge);
                let joined = if wto.is_head(info.to) {
                    at_heads.entry(info.to).or_default()
                } else if main.locs[info.to].kind.is_target() {
                    open.targets.insert(info.to);
                    continue;
                } else {
                    pending.entry(wto.position(info.to)).or_default()
                };
                after.into_iter().for_each(|ranges| joined.add(ranges, by_cases));
            }
        }
        for (head, ranges) in at_heads {
            let claimed = invariants.get(&head).map_or_else(Vec::new, |t| conjuncts(terms, *t));
            let implied = |conjunct: &Term| ranges.all.iter().all(|ranges| implies(terms, ranges, *conjunct));
            let rest: Vec<Term> = claimed.into_iter().filter(|conjunct| !implied(conjunct)).collect();
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
        Some(open)
    }
}

/// The ranges of an invariant, case by case where it has cases.
fn started(terms: &Store, invariant: Term) -> Vec<Bounds> {
    let holds = |facts: Vec<Term>| {
        let mut ranges = Bounds::default();
        facts.iter().all(|fact| ranges.assume(terms, *fact, true)).then_some(ranges)
    };
    split(terms, invariant).into_iter().filter_map(holds).collect()
}

/// The cases of an invariant, each as the facts that hold in it; just one where there are few or too many.
pub(crate) fn split(terms: &Store, invariant: Term) -> Vec<Vec<Term>> {
    let mut rest = conjuncts(terms, invariant);
    let Some(tree) = cases(terms, invariant) else { return vec![rest] };
    rest.retain(|conjunct| *conjunct != tree);
    ways(terms, vec![rest], tree)
}

/// Each of the lists of facts, continued in each way through a tree of decisions.
fn ways(terms: &Store, lists: Vec<Vec<Term>>, tree: Term) -> Vec<Vec<Term>> {
    let args = terms.args(tree).iter();
    match terms.op(tree) {
        term::Op::And => args.fold(lists, |lists, arg| ways(terms, lists, *arg)),
        term::Op::Or => args.flat_map(|arg| ways(terms, lists.clone(), *arg)).collect(),
        _ => lists.into_iter().map(|facts| [facts, vec![tree]].concat()).collect(),
    }
}

/// The conjunct that has most cases; nothing where there are few or too many.
fn cases(terms: &Store, invariant: Term) -> Option<Term> {
    let mut counts = FxHashMap::default();
    let counted = conjuncts(terms, invariant).into_iter().map(|t| (count(terms, t, &mut counts), t));
    let (most, split) = counted.max_by_key(|(n, _)| *n)?;
    (FEWEST_CASES..=MOST_CASES).contains(&most).then_some(split)
}

/// Of conjunctions and disjunctions, the number of ways to go through them.
fn count(terms: &Store, tree: Term, counts: &mut FxHashMap<Term, u64>) -> u64 {
    if let Some(known) = counts.get(&tree) {
        return *known;
    }
    let args = terms.args(tree).iter();
    let number = match terms.op(tree) {
        term::Op::And => args.fold(1, |n: u64, arg| n.saturating_mul(count(terms, *arg, counts))),
        term::Op::Or => args.fold(0, |n: u64, arg| n.saturating_add(count(terms, *arg, counts))),
        _ => 1,
    };
    counts.insert(tree, number);
    number
}

/// One of the cases is enough, where there are some.
fn implies(terms: &Store, ranges: &Bounds, conjunct: Term) -> bool {
    let args = terms.args(conjunct).iter();
    let by_cases = match terms.op(conjunct) {
        term::Op::And => return args.clone().all(|arg| implies(terms, ranges, *arg)),
        term::Op::Or => args.clone().any(|arg| implies(terms, ranges, *arg)),
        _ => false,
    };
    let is_small = || count(terms, conjunct, &mut FxHashMap::default()) < FEWEST_CASES;
    by_cases || (is_small() && ranges.implies(terms, conjunct))
}

impl Ranges {
    /// Takes in more: joined with those that are there, or beside them where there are cases.
    fn add(&mut self, ranges: Bounds, by_cases: bool) {
        if by_cases && self.all.len() < MOST_APART {
            if self.hashes.insert(FxBuildHasher.hash_one(&ranges)) || !self.all.contains(&ranges) {
                self.all.push(ranges);
            }
            return;
        }
        match self.all.first_mut() {
            Some(first) => first.join(&ranges),
            None => self.all.push(ranges),
        }
    }
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
