//! What happens between two cut points: from the entry or a loop head, in any state, to the next heads and targets. Paths that
//! meet are merged.

use super::Formulas;
use cfa::{Loc, Op, Program};
use encode::post::step;
use encode::state::State;
use engine::{Budget, Cx, Event, Stop};
use flow::wto::Wto;
use infer::{Induction, Refuted};
use std::collections::BTreeMap;
use term::normal::factored;
use term::{Sort, Store, Term};

pub(super) struct Cut {
    pub(super) start: Loc,
    /// The loop heads where it ends.
    pub(super) heads: BTreeMap<Loc, Arrival>,
    /// Targets, and when they are reached.
    pub(super) targets: Vec<(Loc, Term)>,
}

/// The condition of getting somewhere, and the state there.
pub(super) struct Arrival {
    pub(super) guard: Term,
    pub(super) state: State,
}

/// Follows everything from `start`.
pub(super) fn cut_from(
    program: &Program,
    wto: &Wto,
    start: Loc,
    terms: &mut Store,
    budget: &Budget,
) -> Result<Cut, Stop> {
    let main = program.main();
    let mut successors: BTreeMap<Loc, Vec<cfa::Edge>> = BTreeMap::new();
    for (edge, info) in main.edges.iter() {
        successors.entry(info.from).or_default().push(edge);
    }
    let mut cut = Cut { start, heads: BTreeMap::new(), targets: Vec::new() };
    let mut pending: BTreeMap<u32, (Loc, Vec<Arrival>)> = BTreeMap::new();
    let here = Arrival { guard: terms.bool(true), state: State::arbitrary(program) };
    let mut next = Some((start, here));
    let mut at_heads: BTreeMap<Loc, Vec<Arrival>> = BTreeMap::new();
    while let Some((loc, here)) = next {
        budget.check()?;
        let edges = successors.get(&loc).map_or(&[][..], Vec::as_slice);
        let is_branch = match edges {
            [] | [_] => true,
            [a, b] => match (&main.edges[*a].op, &main.edges[*b].op) {
                (Op::Assume(c), Op::Assume(d)) => terms.not(*c) == *d,
                _ => false,
            },
            _ => false,
        };
        let mut others = terms.bool(true);
        for (i, edge) in edges.iter().enumerate() {
            let info = &main.edges[*edge];
            let Some(taken) = step(program, terms, &here.state, &info.op) else { continue };
            let mut guard = terms.and(here.guard, taken.condition);
            if !is_branch && i + 1 < edges.len() {
                // Where several edges can be taken, the choice is free.
                let choice = terms.fresh("choice", Sort::Bool);
                let chosen = terms.and(others, choice);
                guard = terms.and(guard, chosen);
                let not = terms.not(choice);
                others = terms.and(others, not);
            } else if !is_branch {
                guard = terms.and(guard, others);
            }
            if terms.as_bool_const(guard) == Some(false) {
                continue;
            }
            let arrival = Arrival { guard, state: taken.state };
            if main.locs[info.to].kind.is_target() {
                cut.targets.push((info.to, arrival.guard));
            } else if wto.is_head(info.to) {
                at_heads.entry(info.to).or_default().push(arrival);
            } else {
                pending.entry(wto.position(info.to)).or_insert_with(|| (info.to, Vec::new())).1.push(arrival);
            }
        }
        next = pending.pop_first().map(|(_, (loc, arrivals))| (loc, merged(arrivals, terms)));
    }
    for (head, arrivals) in at_heads {
        cut.heads.insert(head, merged(arrivals, terms));
    }
    Ok(cut)
}

/// Paths that meet last parted last: merged first, they leave the condition under which they parted.
fn merged(arrivals: Vec<Arrival>, terms: &mut Store) -> Arrival {
    let mut arrivals = arrivals.into_iter().rev();
    let mut all = arrivals.next().expect("something arrives");
    for other in arrivals {
        // The guards exclude one another.
        let (common, [theirs, ours]) = factored(terms, other.guard, all.guard);
        let mut state = other.state;
        state.merge(terms, theirs, &all.state);
        let either = terms.or(ours, theirs);
        all = Arrival { guard: terms.and(common, either), state };
    }
    all
}

/// Whether candidates follow where cuts end.
pub(super) trait Check {
    fn cuts(&self) -> &[Cut];

    /// The candidates that do not follow at the head where a cut ends, if all hold where it starts.
    fn failing(
        &mut self,
        cut: usize,
        head: Loc,
        wanted: &[Term],
        candidates: &Formulas,
        cx: &mut Cx,
    ) -> Result<Vec<Term>, Stop>;
}

/// The cuts as steps of an induction.
pub(super) struct Steps<'a, C> {
    pub(super) check: &'a mut C,
    pub(super) cx: &'a mut Cx,
}

impl<C: Check> Induction for Steps<'_, C> {
    type At = Loc;
    type Stop = Stop;

    fn steps(&self) -> usize {
        self.check.cuts().len()
    }

    fn assumes(&self, step: usize, at: Loc) -> bool {
        self.check.cuts()[step].start == at
    }

    fn refuted(&mut self, step: usize, candidates: &Formulas) -> Result<Refuted<Loc>, Stop> {
        let cut = &self.check.cuts()[step];
        let (start, heads): (Loc, Vec<Loc>) = (cut.start, cut.heads.keys().copied().collect());
        let (mut left, mut lost) = (candidates.clone(), Vec::new());
        for head in heads {
            let Some(wanted) = left.get(&head).filter(|c| !c.is_empty()).cloned() else { continue };
            let failing = self.check.failing(step, head, &wanted, &left, self.cx)?;
            for candidate in &failing {
                let text = term::smtlib::print_term(&self.cx.terms, *candidate);
                self.cx.tell(Event::Detail(format!("not kept from {start} to {head}: {text}")));
            }
            left.entry(head).or_default().retain(|c| !failing.contains(c));
            lost.extend(failing.into_iter().map(|candidate| (head, candidate)));
        }
        Ok(Refuted::all(lost))
    }
}
