//! The pieces of a program between loop heads, as formulas: one for each place that control comes to next.
//!
//! A piece starts at the entry or at a loop head in an arbitrary state, so its guard and the state after it speak of
//! program variables (before). It ends at the next head, at an end of the program, or where no edge can be taken.

use cfa::{Loc, LocKind, Program};
use encode::post::{Step, step};
use encode::state::{State, evaluate_term};
use engine::{Budget, Stop};
use flow::wto::Wto;
use std::collections::BTreeMap;
use term::{Sort, Store, Term};

/// Who takes the decisions that the program leaves open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Decides {
    /// We do: the first edge that can be taken is.
    We,
    /// Anything can happen.
    Nobody,
}

/// What a piece leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Comes {
    ToHead,
    ToError,
    /// The program ends.
    ToEnd,
    /// To a location that is not modelled, or beyond a bound of the model.
    Beyond,
    /// No edge can be taken.
    Stuck,
}

#[derive(Clone, Debug)]
pub(crate) struct Segment {
    /// `None`: the entry.
    pub from: Option<Loc>,
    pub to: Loc,
    pub comes: Comes,
    pub guard: Term,
    pub after: State,
}

impl Segment {
    /// The value after the piece of a term about the state there.
    pub(crate) fn after(&self, program: &Program, terms: &mut Store, t: Term) -> Term {
        evaluate_term(program, terms, &self.after, t)
    }
}

/// All pieces of the program.
pub(crate) fn segments(
    program: &Program,
    terms: &mut Store,
    wto: &Wto,
    decides: Decides,
    budget: &Budget,
) -> Result<Vec<Segment>, Stop> {
    let mut found = Vec::new();
    let mut walker = Walker { program, terms, wto, decides, budget, found: &mut found };
    walker.from(program.main().entry, None)?;
    for head in wto.heads() {
        walker.from(head, Some(head))?;
    }
    Ok(found)
}

struct Walker<'a> {
    program: &'a Program,
    terms: &'a mut Store,
    wto: &'a Wto,
    decides: Decides,
    budget: &'a Budget,
    found: &'a mut Vec<Segment>,
}

impl Walker<'_> {
    fn from(&mut self, start: Loc, from: Option<Loc>) -> Result<(), Stop> {
        let everything = (self.terms.tt(), State::arbitrary(self.program));
        if from.is_none() && self.wto.is_head(start) {
            self.add(from, start, Comes::ToHead, everything);
            return Ok(());
        }
        let successors = self.program.main().successors();
        let mut pending = BTreeMap::from([(self.wto.position(start), vec![everything])]);
        let mut met: BTreeMap<Loc, Vec<(Term, State)>> = BTreeMap::new();
        while let Some((position, arrivals)) = pending.pop_first() {
            self.budget.check()?;
            let loc = self.wto.loc_at(position);
            let (guard, state) = merge(self.terms, arrivals);
            let comes = match &self.program.main().locs[loc].kind {
                LocKind::Plain if successors[loc].is_empty() => Some(Comes::ToEnd),
                LocKind::Plain => None,
                LocKind::Error(_) => Some(Comes::ToError),
                LocKind::End(_) => Some(Comes::ToEnd),
                LocKind::Unsupported(_) | LocKind::BoundHit(_) => Some(Comes::Beyond),
            };
            if let Some(comes) = comes {
                self.add(from, loc, comes, (guard, state));
                continue;
            }
            let mut steps = Vec::new();
            for &edge in &successors[loc] {
                let info = &self.program.main().edges[edge];
                if let Some(step) = step(self.program, self.terms, &state, &info.op) {
                    steps.push((info.to, step));
                }
            }
            let stuck = self.disjoint(&mut steps);
            let stuck = self.terms.and(guard, stuck);
            self.add(from, loc, Comes::Stuck, (stuck, state));
            for (to, step) in steps {
                let guard = self.terms.and(guard, step.condition);
                if self.terms.as_bool_const(guard) == Some(false) {
                    continue;
                }
                if self.wto.is_head(to) {
                    met.entry(to).or_default().push((guard, step.state));
                } else {
                    pending.entry(self.wto.position(to)).or_default().push((guard, step.state));
                }
            }
        }
        for (to, arrivals) in met {
            let merged = merge(self.terms, arrivals);
            self.add(from, to, Comes::ToHead, merged);
        }
        Ok(())
    }

    /// Makes the conditions exclude one another; returns when none of them holds.
    fn disjoint(&mut self, steps: &mut [(Loc, Step)]) -> Term {
        let terms = &mut *self.terms;
        let mut none = terms.tt();
        let mut not_chosen = terms.tt();
        let exclusive = match steps {
            [(_, a), (_, b)] => terms.are_exclusive(a.condition, b.condition),
            _ => steps.len() < 2,
        };
        let last = steps.len().saturating_sub(1);
        for (i, (_, step)) in steps.iter_mut().enumerate() {
            let enabled = step.condition;
            if self.decides == Decides::We {
                step.condition = terms.and(none, enabled);
            } else if !exclusive {
                let mut chosen = not_chosen;
                if i < last {
                    let choice = terms.fresh("choice", Sort::Bool);
                    chosen = terms.and(not_chosen, choice);
                    let other = terms.not(choice);
                    not_chosen = terms.and(not_chosen, other);
                }
                step.condition = terms.and(enabled, chosen);
            }
            let disabled = terms.not(enabled);
            none = terms.and(none, disabled);
        }
        none
    }

    fn add(&mut self, from: Option<Loc>, to: Loc, comes: Comes, (guard, after): (Term, State)) {
        if self.terms.as_bool_const(guard) != Some(false) {
            self.found.push(Segment { from, to, comes, guard, after });
        }
    }
}

fn merge(terms: &mut Store, arrivals: Vec<(Term, State)>) -> (Term, State) {
    let mut arrivals = arrivals.into_iter();
    let (mut guard, mut merged) = arrivals.next().expect("something arrives");
    for (other, mut state) in arrivals {
        state.merge(terms, other, &merged);
        merged = state;
        guard = terms.or(guard, other);
    }
    (guard, merged)
}
