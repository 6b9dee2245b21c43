//! One segment for each place that control comes to next: the next head, an end of the program, or where no edge can be
//! taken.

use super::{Comes, Segment};
use cfa::{Loc, Program};
use encode::State;
use encode::post::{Step, step};
use engine::{Budget, Stop};
use flow::wto::Wto;
use std::collections::BTreeMap;
use term::{Sort, Store, Term};

/// Who takes the decisions that the program leaves open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decides {
    /// We do: the first edge that can be taken is.
    We,
    /// Anything can happen.
    Nobody,
}

/// All segments of the program.
pub fn merged(
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
            let nowhere = successors[loc].is_empty().then_some(Comes::ToEnd);
            if let Some(comes) = Comes::at(self.program.main(), loc).or(nowhere) {
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

    fn add(&mut self, from: Option<Loc>, to: Loc, comes: Comes, (guard, state): (Term, State)) {
        if self.terms.as_bool_const(guard) != Some(false) {
            self.found.push(Segment { from, to, comes, conditions: vec![guard], inputs: Vec::new(), state });
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
