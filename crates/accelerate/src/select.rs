//! Which paths to accelerate (Kroening et al. 2015, section 3.5): those that can be taken twice in a row.
//!
//! The loop body is executed twice, merged at joins, with a truth value for each edge that says whether it was taken
//! (the *distinguishers*). One query asks for an execution that takes the same edges both times; its model names a path. That
//! path is then excluded and the query asked again. Inner loops are crossed by their accelerators, at most one each; their
//! own iterations are left out, so that the body has no cycle.

use crate::prove::Prover;
use cfa::{Edge, Loc, Op, Program};
use encode::State;
use encode::post::step;
use engine::Stop;
use flow::{Graph, LoopId, Loops};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::Answer;
use std::collections::BTreeMap;
use term::{Sort, Store, Term};

/// A place in the body; the second time a loop head is met it has been accelerated.
type Place = (Loc, bool);

/// The body of a loop as an acyclic graph.
struct Dag {
    head: Loc,
    /// Places in an order in which predecessors come first; the head is first.
    order: Vec<Place>,
    /// The edges from each place that lead back to the head.
    edges: BTreeMap<Place, Vec<Edge>>,
    /// Where accelerators of inner loops end.
    last: FxHashSet<Edge>,
}

impl Dag {
    fn new(graph: &Graph, loops: &Loops, id: LoopId, first: &FxHashMap<Edge, bool>, last: &FxHashSet<Edge>) -> Dag {
        let head = loops.loops[id].header;
        let mut dag = Dag { head, order: Vec::new(), edges: BTreeMap::new(), last: last.clone() };
        let mut seen: FxHashSet<Place> = FxHashSet::default();
        let mut useful: FxHashSet<Place> = FxHashSet::default();
        let mut stack = vec![((head, false), 0usize)];
        seen.insert((head, false));
        while let Some((place, next)) = stack.last_mut() {
            let place = *place;
            let edges: Vec<Edge> = graph
                .succs(place.0)
                .iter()
                .copied()
                .filter(|e| dag.may_take(graph, loops, id, place, *e, first))
                .collect();
            if let Some(edge) = edges.get(*next) {
                *next += 1;
                let to = dag.target(graph, *edge);
                if to.0 != head && seen.insert(to) {
                    stack.push((to, 0));
                }
                continue;
            }
            stack.pop();
            // All successors are done: keep what leads back.
            let leading: Vec<Edge> =
                edges.into_iter().filter(|e| graph.to(*e) == head || useful.contains(&dag.target(graph, *e))).collect();
            if !leading.is_empty() {
                useful.insert(place);
                dag.order.push(place);
                dag.edges.insert(place, leading);
            }
        }
        dag.order.reverse();
        dag
    }

    fn target(&self, graph: &Graph, edge: Edge) -> Place {
        (graph.to(edge), self.last.contains(&edge))
    }

    fn may_take(
        &self,
        graph: &Graph,
        loops: &Loops,
        id: LoopId,
        (from, accelerated): Place,
        edge: Edge,
        first: &FxHashMap<Edge, bool>,
    ) -> bool {
        let to = graph.to(edge);
        if !loops.contains(id, to) {
            return false;
        }
        if let Some(is_usable) = first.get(&edge) {
            // The accelerator of an inner loop, once; those of this loop are not part of its body.
            return *is_usable && from != self.head && !accelerated;
        }
        match loops.headed_by(to) {
            // Back to the head of an inner loop, other than by its accelerator.
            Some(inner) if inner != id && loops.contains(inner, from) => self.last.contains(&edge),
            _ => true,
        }
    }
}

/// What one execution of the body looked like.
struct Pass {
    /// Under which each edge was taken, from each place.
    taken: BTreeMap<(Place, Edge), Term>,
    /// Under which the head was reached again.
    guard: Term,
    state: State,
}

/// Up to `most` paths around the loop that can be taken twice in a row, as edges from the head to the head.
///
/// `first` and `last` are the first and last edges of all accelerators so far; a body may only use some of them.
#[allow(clippy::too_many_arguments, reason = "the loop, what is known of inner ones, and whom to ask")]
pub(crate) fn paths(
    program: &Program,
    terms: &mut Store,
    graph: &Graph,
    loops: &Loops,
    id: LoopId,
    first: &FxHashMap<Edge, bool>,
    last: &FxHashSet<Edge>,
    most: usize,
    prover: &mut Prover<'_>,
) -> Result<Vec<Vec<Edge>>, Stop> {
    let dag = Dag::new(graph, loops, id, first, last);
    if !dag.edges.contains_key(&(dag.head, false)) {
        return Ok(Vec::new());
    }
    let everything = terms.bool(true);
    let Some(first) = pass(program, terms, graph, &dag, State::arbitrary(program), everything, prover)? else {
        return Ok(Vec::new());
    };
    let Some(second) = pass(program, terms, graph, &dag, first.state.clone(), first.guard, prover)? else {
        return Ok(Vec::new());
    };
    let mut same = vec![second.guard];
    for (key, taken) in &first.taken {
        let again = second.taken.get(key).copied().unwrap_or_else(|| terms.bool(false));
        same.push(terms.eq(*taken, again));
    }
    let mut found = Vec::new();
    while found.len() < most {
        if prover.ask(terms, &same)? != Some(Answer::Sat) {
            break;
        }
        let mut path = Vec::new();
        let mut choices = Vec::new();
        let mut place = (dag.head, false);
        loop {
            let mut next = None;
            for edge in &dag.edges[&place] {
                if let Some(taken) = first.taken.get(&(place, *edge))
                    && prover.holds(terms, *taken)?
                {
                    next = Some((*edge, *taken));
                    break;
                }
            }
            let Some((edge, taken)) = next else { return Ok(found) };
            path.push(edge);
            choices.push(taken);
            place = dag.target(graph, edge);
            if place.0 == dag.head {
                break;
            }
        }
        let this = terms.and_all(&choices);
        let other = terms.not(this);
        same.push(other);
        found.push(path);
    }
    Ok(found)
}

/// Executes the body once from `state`, merged at joins.
fn pass(
    program: &Program,
    terms: &mut Store,
    graph: &Graph,
    dag: &Dag,
    state: State,
    guard: Term,
    prover: &Prover<'_>,
) -> Result<Option<Pass>, Stop> {
    let mut arrived: FxHashMap<Place, (Term, State)> = FxHashMap::default();
    arrived.insert((dag.head, false), (guard, state));
    let mut taken = BTreeMap::new();
    let mut back: Option<(Term, State)> = None;
    for place in &dag.order {
        prover.budget().check()?;
        let Some((guard, state)) = arrived.remove(place) else { continue };
        let edges = &dag.edges[place];
        let mut none_so_far = guard;
        for (i, edge) in edges.iter().enumerate() {
            let op = &program.main().edges[*edge].op;
            let Some(step) = step(program, terms, &state, op) else { continue };
            let mut here = terms.and(none_so_far, step.condition);
            // Conditions may overlap: then which edge is taken is a choice.
            if i + 1 < edges.len() && (!matches!(op, Op::Assume(_)) || edges.len() > 2) {
                let choice = terms.fresh("choice", Sort::Bool);
                here = terms.and(here, choice);
                let other = terms.not(choice);
                none_so_far = terms.and(none_so_far, other);
            } else if i + 1 < edges.len() {
                let other = terms.not(step.condition);
                none_so_far = terms.and(none_so_far, other);
            }
            taken.insert((*place, *edge), here);
            let target = dag.target(graph, *edge);
            let previous = if target.0 == dag.head { back.take() } else { arrived.remove(&target) };
            let merged = match previous {
                None => (here, step.state),
                Some((other, others)) => {
                    let mut state = step.state;
                    state.merge(terms, here, &others);
                    (terms.or(here, other), state)
                }
            };
            if target.0 == dag.head {
                back = Some(merged);
            } else {
                arrived.insert(target, merged);
            }
        }
    }
    Ok(back.map(|(guard, state)| Pass { taken, guard, state }))
}
