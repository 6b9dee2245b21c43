//! The bare graph of a function: both directions of its edges in two flat arrays.
//!
//! `Function::successors` allocates a vector for each location; automata have up to a million edges, so analyses use this.

use base::{Id, Table};
use cfa::{Edge, Function, Loc, LocKind};

/// Lists of items for dense indices, back to back in one vector.
#[derive(Clone, Debug)]
pub struct Lists<T> {
    start: Vec<u32>,
    items: Vec<T>,
}

impl<T: Copy> Lists<T> {
    /// `count` lists from (index, item) pairs; items of one index keep their order.
    pub fn new(count: usize, pairs: &[(u32, T)]) -> Lists<T> {
        let mut start = vec![0u32; count + 1];
        for (index, _) in pairs {
            start[*index as usize + 1] += 1;
        }
        for i in 0..count {
            start[i + 1] += start[i];
        }
        let mut next = start.clone();
        let mut order = vec![0u32; pairs.len()];
        for (position, (index, _)) in pairs.iter().enumerate() {
            order[next[*index as usize] as usize] = position as u32;
            next[*index as usize] += 1;
        }
        Lists { start, items: order.into_iter().map(|p| pairs[p as usize].1).collect() }
    }

    /// Starts an empty collection to be filled with [`Lists::push`] and [`Lists::close`].
    pub fn growing() -> Lists<T> {
        Lists { start: vec![0], items: Vec::new() }
    }

    /// Adds to the list that is open.
    pub fn push(&mut self, item: T) {
        self.items.push(item);
    }

    /// Ends the open list; the next one begins.
    pub fn close(&mut self) {
        self.start.push(self.items.len() as u32);
    }

    #[inline]
    pub fn at(&self, index: usize) -> &[T] {
        &self.items[self.start[index] as usize..self.start[index + 1] as usize]
    }

    pub fn len(&self) -> usize {
        self.start.len() - 1
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Locations and edges, without operations.
#[derive(Clone, Debug)]
pub struct Graph {
    entry: Loc,
    ends: Vec<(Loc, Loc)>,
    succs: Lists<Edge>,
    preds: Lists<Edge>,
}

impl Graph {
    pub fn of(function: &Function) -> Graph {
        Graph::with_edges(function, |_| true)
    }

    /// The graph without the edges that `keep` refuses. Edge ids stay those of the function.
    pub fn with_edges(function: &Function, keep: impl Fn(Edge) -> bool) -> Graph {
        let ends: Vec<(Loc, Loc)> = function.edges.values().map(|e| (e.from, e.to)).collect();
        let kept: Vec<Edge> = function.edges.ids().filter(|e| keep(*e)).collect();
        let side = |end: fn(&(Loc, Loc)) -> Loc| {
            let pairs: Vec<(u32, Edge)> = kept.iter().map(|e| (end(&ends[e.index()]).index() as u32, *e)).collect();
            Lists::new(function.locs.len(), &pairs)
        };
        Graph { entry: function.entry, succs: side(|e| e.0), preds: side(|e| e.1), ends }
    }

    /// Number of locations.
    pub fn len(&self) -> usize {
        self.succs.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn entry(&self) -> Loc {
        self.entry
    }

    pub fn locs(&self) -> impl DoubleEndedIterator<Item = Loc> + use<> {
        (0..self.len()).map(Loc::new)
    }

    /// Number of edge ids (refused ones included).
    pub fn edge_count(&self) -> usize {
        self.ends.len()
    }

    #[inline]
    pub fn succs(&self, loc: Loc) -> &[Edge] {
        self.succs.at(loc.index())
    }

    #[inline]
    pub fn preds(&self, loc: Loc) -> &[Edge] {
        self.preds.at(loc.index())
    }

    #[inline]
    pub fn from(&self, edge: Edge) -> Loc {
        self.ends[edge.index()].0
    }

    #[inline]
    pub fn to(&self, edge: Edge) -> Loc {
        self.ends[edge.index()].1
    }
}

/// The locations that slicing and searches aim at: error, unsupported, bound hit.
pub fn targets(function: &Function) -> impl Iterator<Item = Loc> {
    function.locs.iter().filter(|(_, l)| l.kind.is_target()).map(|(id, _)| id)
}

/// A side table that says yes or no for each location.
pub type LocSet = Table<Loc, bool>;

/// Locations that can be reached from `starts`, themselves included.
pub fn reachable(graph: &Graph, starts: impl IntoIterator<Item = Loc>) -> LocSet {
    closure(graph.len(), starts, |l, visit| graph.succs(l).iter().for_each(|e| visit(graph.to(*e))))
}

/// Locations from which one of `goals` can be reached, themselves included.
pub fn can_reach(graph: &Graph, goals: impl IntoIterator<Item = Loc>) -> LocSet {
    closure(graph.len(), goals, |l, visit| graph.preds(l).iter().for_each(|e| visit(graph.from(*e))))
}

/// Locations from which an infinite walk is possible: those that reach a cycle.
pub fn can_run_forever(graph: &Graph) -> LocSet {
    // Peel off, again and again, what has no successor left: what remains is on or before a cycle.
    let mut left: Vec<u32> = graph.locs().map(|l| graph.succs(l).len() as u32).collect();
    let mut forever = Table::filled(true, graph.len());
    let mut stack: Vec<Loc> = graph.locs().filter(|l| left[l.index()] == 0).collect();
    while let Some(l) = stack.pop() {
        forever[l] = false;
        for e in graph.preds(l) {
            let p = graph.from(*e);
            left[p.index()] -= 1;
            if left[p.index()] == 0 {
                stack.push(p);
            }
        }
    }
    forever
}

fn closure(len: usize, starts: impl IntoIterator<Item = Loc>, neighbours: impl Fn(Loc, &mut dyn FnMut(Loc))) -> LocSet {
    let mut seen = Table::filled(false, len);
    let mut stack: Vec<Loc> = Vec::new();
    for l in starts {
        if !std::mem::replace(&mut seen[l], true) {
            stack.push(l);
        }
    }
    while let Some(l) = stack.pop() {
        neighbours(l, &mut |next| {
            if !std::mem::replace(&mut seen[next], true) {
                stack.push(next);
            }
        });
    }
    seen
}

/// The locations reachable from the entry, each before its successors except along back edges of the depth-first walk.
pub fn reverse_postorder(graph: &Graph) -> Vec<Loc> {
    let mut seen = Table::filled(false, graph.len());
    let mut order = Vec::with_capacity(graph.len());
    let mut stack = vec![(graph.entry(), 0usize)];
    seen[graph.entry()] = true;
    while let Some((l, next)) = stack.last_mut() {
        let l = *l;
        match graph.succs(l).get(*next) {
            Some(e) => {
                *next += 1;
                let to = graph.to(*e);
                if !std::mem::replace(&mut seen[to], true) {
                    stack.push((to, 0));
                }
            }
            None => {
                order.push(l);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}

/// Whether the execution ends at a location of this kind.
pub fn is_end(kind: &LocKind) -> bool {
    *kind != LocKind::Plain
}
