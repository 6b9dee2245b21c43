//! Which paths to accelerate (Kroening et al. 2015, section 3.5): those that can be taken twice in a row.
//!
//! The loop body is executed twice, merged at joins, with a truth value for each edge that says whether it was taken
//! (the *distinguishers*). One query asks for an execution that takes the same edges both times; its model names a path. That
//! path is then excluded and the query asked again. Inner loops are crossed by their accelerators, at most one each; their
//! own iterations are left out, so that the body has no cycle.
//!
//! Beyond the paper: paths that cannot be taken twice in a row may follow each other in turn, as `i % 2` makes them. Such a
//! *word* of paths, repeated, is one path through several iterations: the body is executed twice as often as the word has paths.

use crate::limits::select::LONGEST_WORD;
use crate::prove::Prover;
use cfa::{Edge, Loc, Op, Program};
use encode::State;
use encode::post::step;
use engine::Stop;
use flow::{Graph, LoopId, Loops};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::Answer;
use std::collections::{BTreeMap, BTreeSet};
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

/// What inner loops offer: the first and last edges of all accelerators so far; a body may only use some of them.
pub(crate) struct Inner {
    pub first: FxHashMap<Edge, bool>,
    pub last: FxHashSet<Edge>,
}

/// Up to `most` paths around the loop, or words of paths that are not among these, that can be taken twice in a row, as edges
/// from the head to the head.
pub(crate) fn paths(
    program: &Program,
    terms: &mut Store,
    (graph, loops, id): (&Graph, &Loops, LoopId),
    inner: &Inner,
    most: usize,
    prover: &mut Prover<'_>,
) -> Result<Vec<Vec<Edge>>, Stop> {
    let dag = Dag::new(graph, loops, id, &inner.first, &inner.last);
    if !dag.edges.contains_key(&(dag.head, false)) {
        return Ok(Vec::new());
    }
    let mut search = Search { program, terms, graph, dag: &dag, prover };
    let (mut found, is_complete) = search.words(1, &[], most)?;
    if is_complete && dag.edges.values().any(|edges| edges.len() > 1) {
        for period in search.periods() {
            let (words, _) = search.words(period, &found, most)?;
            if !words.is_empty() {
                found.extend(words);
                break;
            }
        }
    }
    found.truncate(most);
    Ok(found)
}

struct Search<'a, 'p> {
    program: &'a Program,
    terms: &'a mut Store,
    graph: &'a Graph,
    dag: &'a Dag,
    prover: &'a mut Prover<'p>,
}

impl Search<'_, '_> {
    /// After how many iterations paths may come again: two, and what remainders are taken by in the loop.
    fn periods(&self) -> BTreeSet<usize> {
        let edges = self.dag.edges.values().flatten();
        let roots: Vec<Term> = edges.flat_map(|edge| self.program.main().edges[*edge].op.terms()).collect();
        let terms = &*self.terms;
        let divisors = term::postorder(terms, &roots).into_iter().filter_map(|t| match terms.op(t) {
            term::Op::BvUrem | term::Op::BvSrem => {
                terms.as_bv_const(terms.arg(t, 1))?.to_u128().and_then(|divisor| usize::try_from(divisor).ok())
            }
            term::Op::Extract { hi, lo: 0 } => 1usize.checked_shl(hi + 1),
            _ => None,
        });
        divisors.filter(|period| (2..=LONGEST_WORD).contains(period)).chain([2]).collect()
    }

    /// Words of `period` paths that can be taken twice in a row, none of whose paths is among `alone`; whether these are all
    /// there are.
    fn words(&mut self, period: usize, alone: &[Vec<Edge>], most: usize) -> Result<(Vec<Vec<Edge>>, bool), Stop> {
        let mut guard = self.terms.bool(true);
        let mut state = State::arbitrary(self.program);
        let mut passes = Vec::new();
        for _ in 0..2 * period {
            let next = pass(self.program, self.terms, self.graph, self.dag, state, guard, self.prover)?;
            let Some(next) = next else { return Ok((Vec::new(), true)) };
            (guard, state) = (next.guard, next.state.clone());
            passes.push(next);
        }
        let mut same = vec![guard];
        for (one, again) in passes.iter().zip(&passes[period..]) {
            for (key, taken) in &one.taken {
                let again = again.taken.get(key).copied().unwrap_or_else(|| self.terms.bool(false));
                same.push(self.terms.eq(*taken, again));
            }
            for path in alone {
                let this = self.along(one, path);
                same.push(self.terms.not(this));
            }
        }
        let mut found = Vec::new();
        while found.len() < most {
            match self.prover.ask(self.terms, &same)? {
                Some(Answer::Sat) => {}
                Some(Answer::Unsat) => return Ok((found, true)),
                _ => break,
            }
            let mut word = Vec::new();
            let mut choices = Vec::new();
            for one in &passes[..period] {
                let Some(path) = self.taken(one)? else { return Ok((found, false)) };
                choices.push(self.along(one, &path));
                word.extend(path);
            }
            let this = self.terms.and_all(&choices);
            same.push(self.terms.not(this));
            found.push(word);
        }
        Ok((found, false))
    }

    /// The path of a pass in the model of the last answer.
    fn taken(&mut self, one: &Pass) -> Result<Option<Vec<Edge>>, Stop> {
        let mut path = Vec::new();
        let mut place = (self.dag.head, false);
        loop {
            let mut next = None;
            for edge in &self.dag.edges[&place] {
                if let Some(taken) = one.taken.get(&(place, *edge))
                    && self.prover.holds(self.terms, *taken)?
                {
                    next = Some(*edge);
                    break;
                }
            }
            let Some(edge) = next else { return Ok(None) };
            path.push(edge);
            place = self.dag.target(self.graph, edge);
            if place.0 == self.dag.head {
                return Ok(Some(path));
            }
        }
    }

    /// Under which a pass goes along a path.
    fn along(&mut self, one: &Pass, path: &[Edge]) -> Term {
        let mut place = (self.dag.head, false);
        let mut choices = Vec::new();
        for edge in path {
            choices.push(one.taken.get(&(place, *edge)).copied().unwrap_or_else(|| self.terms.bool(false)));
            place = self.dag.target(self.graph, *edge);
        }
        self.terms.and_all(&choices)
    }
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
