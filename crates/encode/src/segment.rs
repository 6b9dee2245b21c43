//! All paths from one cut point to the next ones, merged: the transitions of engines that reason from cut point to cut point.
//!
//! Cut points are the entry and the heads of the weak topological order, so that nothing between them is a cycle: every
//! location and every edge is passed once, and a havoc has one set of symbols.

use crate::iteration::{Way, merge};
use crate::post::step;
use crate::state::State;
use crate::unroll::make_disjoint;
use base::Table;
use cfa::{Edge, Loc, Program};
use engine::{Budget, Stop};
use flow::wto::Wto;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::collections::BTreeMap;
use term::{Store, Term};

/// Edges in order, with the symbols of those that are havocs.
pub type Path<'s> = Vec<(Edge, &'s [Term])>;

/// What can happen from a cut point on until the next one, or until a target. Formulas speak of the program's variables at
/// the start, of the symbols of inputs, and of choices between edges.
#[derive(Debug)]
pub struct Segment {
    pub from: Loc,
    /// To each cut point and target that can be reached.
    pub ways: Vec<(Loc, Way)>,
    /// Under which each edge is taken; those of edges from one location exclude each other.
    guards: FxHashMap<Edge, Term>,
    inputs: FxHashMap<Edge, SmallVec<[Term; 1]>>,
}

impl Segment {
    pub fn new(
        program: &Program,
        terms: &mut Store,
        wto: &Wto,
        successors: &Table<Loc, Vec<Edge>>,
        from: Loc,
        budget: &Budget,
    ) -> Result<Segment, Stop> {
        let main = program.main();
        let mut segment =
            Segment { from, ways: Vec::new(), guards: FxHashMap::default(), inputs: FxHashMap::default() };
        let mut ends: BTreeMap<Loc, Vec<(Term, State)>> = BTreeMap::new();
        let mut pending: BTreeMap<u32, Vec<(Term, State)>> = BTreeMap::new();
        pending.insert(wto.position(from), vec![(terms.tt(), State::arbitrary(program))]);
        while let Some((position, arrivals)) = pending.pop_first() {
            budget.check()?;
            let (guard, state) = merge(terms, arrivals);
            let mut steps = Vec::new();
            for &edge in &successors[wto.loc_at(position)] {
                if let Some(step) = step(program, terms, &state, &main.edges[edge].op) {
                    steps.push((edge, step));
                }
            }
            make_disjoint(terms, &mut steps);
            for (edge, step) in steps {
                let to = main.edges[edge].to;
                let guard = terms.and(guard, step.condition);
                if terms.as_bool_const(guard) == Some(false) {
                    continue;
                }
                segment.guards.insert(edge, guard);
                if !step.inputs.is_empty() {
                    segment.inputs.insert(edge, step.inputs);
                }
                if wto.is_head(to) || main.locs[to].kind.is_target() {
                    ends.entry(to).or_default().push((guard, step.state));
                } else {
                    pending.entry(wto.position(to)).or_default().push((guard, step.state));
                }
            }
        }
        for (to, arrivals) in ends {
            let (condition, after) = merge(terms, arrivals);
            segment.ways.push((to, Way { condition, after }));
        }
        Ok(segment)
    }

    /// The edges to `to`, and with each havoc its symbols, where `holds` tells which guards are true.
    pub fn path<E>(
        &self,
        program: &Program,
        successors: &Table<Loc, Vec<Edge>>,
        to: Loc,
        mut holds: impl FnMut(Term) -> Result<bool, E>,
    ) -> Result<Option<Path<'_>>, E> {
        let mut path = Vec::new();
        let mut at = self.from;
        loop {
            let mut taken = None;
            for &edge in &successors[at] {
                if let Some(&guard) = self.guards.get(&edge)
                    && holds(guard)?
                {
                    taken = Some(edge);
                    break;
                }
            }
            let Some(edge) = taken else { return Ok(None) };
            path.push((edge, self.inputs.get(&edge).map_or(&[][..], |symbols| symbols)));
            at = program.main().edges[edge].to;
            if at == to {
                return Ok(Some(path));
            }
            if at == self.from || path.len() > self.guards.len() {
                return Ok(None);
            }
        }
    }
}
