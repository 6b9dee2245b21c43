//! From one cut to the next ones by ranges alone: what a solver need not be asked.
//!
//! Between cuts the automaton has no cycles, so one pass in the weak topological order gives ranges everywhere, edge by
//! edge and joined where edges meet: linear where a formula over all paths is not. What the ranges at the end exclude
//! or imply is settled; the rest is named, with the part of the automaton that leads there.
//!
//! An invariant that is a disjunction (of the states of a state machine, say) is taken case by case: then ranges that differ are
//! kept apart where edges meet, up to a number of them.

use crate::bounds::Bounds;
use base::Table;
use base::cpu::Deadline;
use cfa::{Edge, Loc, Op, Program};
use flow::wto::Wto;
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};
use term::normal::{conjuncts, disjuncts};
use term::{Store, Term};

/// What ranges leave to be shown, from one cut.
pub(crate) struct Open {
    pub(crate) targets: BTreeSet<Loc>,
    /// Conjuncts of the invariants at the heads that come next.
    pub(crate) heads: BTreeMap<Loc, Vec<Term>>,
    /// The edges on ways there.
    pub(crate) edges: FxHashSet<Edge>,
}

/// So many disjuncts make an invariant one by cases, and so many are looked at.
const FEWEST_CASES: usize = 3;
const MOST_CASES: usize = 512;
/// Where there are cases: ranges that are kept apart at a location.
const MOST_APART: usize = 512;

/// Ranges of which some hold: one where there are no cases.
type Ranges = Vec<Bounds>;

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
        let mut pending: BTreeMap<u32, Ranges> = BTreeMap::from([(wto.position(start), start_ranges)]);
        let mut taken: Vec<Edge> = Vec::new();
        while let Some((position, here)) = pending.pop_first() {
            if deadline.is_over() {
                return None;
            }
            for &edge in &successors[wto.loc_at(position)] {
                let info = &main.edges[edge];
                let after: Ranges = here.iter().filter_map(|here| followed(program, terms, here, &info.op)).collect();
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
                after.into_iter().for_each(|ranges| add(joined, ranges, by_cases));
            }
        }
        for (head, ranges) in at_heads {
            let claimed = invariants.get(&head).map_or_else(Vec::new, |t| conjuncts(terms, *t));
            let implied = |conjunct: &Term| ranges.iter().all(|ranges| implies(terms, ranges, *conjunct));
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
fn started(terms: &Store, invariant: Term) -> Ranges {
    let Some((disjuncts, rest)) = cases(terms, invariant) else {
        let mut ranges = Bounds::default();
        return if ranges.assume(terms, invariant, true) { vec![ranges] } else { Vec::new() };
    };
    let case = |disjunct: Term| {
        let mut ranges = Bounds::default();
        let holds = std::iter::once(&disjunct).chain(&rest).all(|fact| ranges.assume(terms, *fact, true));
        holds.then_some(ranges)
    };
    disjuncts.into_iter().filter_map(case).collect()
}

/// The disjuncts of the conjunct that has most of them, and the other conjuncts; nothing where there are few or too many.
fn cases(terms: &Store, invariant: Term) -> Option<(Vec<Term>, Vec<Term>)> {
    let mut rest = conjuncts(terms, invariant);
    let all: Vec<Vec<Term>> = rest.iter().map(|t| disjuncts(terms, *t)).collect();
    let (most, split) = all.into_iter().enumerate().max_by_key(|(_, split)| split.len())?;
    rest.remove(most);
    (FEWEST_CASES..=MOST_CASES).contains(&split.len()).then_some((split, rest))
}

/// One of the disjuncts is enough, where there are many.
fn implies(terms: &Store, ranges: &Bounds, conjunct: Term) -> bool {
    let split = disjuncts(terms, conjunct);
    let any = || split.iter().any(|t| conjuncts(terms, *t).iter().all(|t| ranges.implies(terms, *t)));
    if split.len() >= FEWEST_CASES { any() } else { ranges.implies(terms, conjunct) }
}

/// Takes in more ranges: joined with those that are there, or beside them where there are cases.
fn add(all: &mut Ranges, ranges: Bounds, by_cases: bool) {
    if by_cases && all.len() < MOST_APART {
        if !all.contains(&ranges) {
            all.push(ranges);
        }
        return;
    }
    match all.first_mut() {
        Some(first) => first.join(&ranges),
        None => all.push(ranges),
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
