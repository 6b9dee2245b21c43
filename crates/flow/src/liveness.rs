//! Where variables are live: some path from there reads the variable before writing it.
//!
//! Computed one variable at a time, backward from its uses: the cost is the size of the live ranges, and nobody
//! has to keep a matrix of locations and variables.

use crate::access::{Accesses, GlobalEffects, TermVars};
use crate::callgraph::CallGraph;
use crate::graph::{Graph, Lists};
use crate::wto::Wto;
use base::{Id, Table};
use cfa::{Edge, Loc, Program, Var};

/// Finds live ranges.
#[derive(Clone, Debug)]
pub struct Liveness<'a> {
    graph: &'a Graph,
    accesses: &'a Accesses,
    /// Edges that read each variable.
    readers: Lists<Edge>,
    seen: Vec<u32>,
    walk: u32,
}

impl<'a> Liveness<'a> {
    pub fn new(graph: &'a Graph, accesses: &'a Accesses) -> Liveness<'a> {
        let mut readers: Vec<(u32, Edge)> = Vec::new();
        for l in graph.locs() {
            for e in graph.succs(l) {
                readers.extend(accesses.reads(*e).iter().map(|v| (accesses.slot(*v) as u32, *e)));
            }
        }
        Liveness {
            graph,
            accesses,
            readers: Lists::new(accesses.vars().len(), &readers),
            seen: vec![0; graph.len()],
            walk: 0,
        }
    }

    /// For [`Liveness::range_of_uses`] only.
    pub fn walker(graph: &'a Graph, accesses: &'a Accesses) -> Liveness<'a> {
        Liveness { graph, accesses, readers: Lists::growing(), seen: vec![0; graph.len()], walk: 0 }
    }

    /// The locations where `v` is live, in no particular but a fixed order.
    pub fn range(&mut self, v: Var) -> Vec<Loc> {
        if !self.accesses.mentions(v) {
            return Vec::new();
        }
        let readers: Vec<Edge> = self.readers.at(self.accesses.slot(v)).to_vec();
        self.range_of_uses(v, readers, None)
    }

    /// The locations from which one of these uses of `v` is reached before `v` is written. What comes before `start` is not
    /// looked at.
    pub fn range_of_uses(&mut self, v: Var, uses: impl IntoIterator<Item = Edge>, start: Option<Loc>) -> Vec<Loc> {
        self.walk += 1;
        let mut range = Vec::new();
        for e in uses {
            self.add(self.graph.from(e), &mut range);
        }
        let mut next = 0;
        while next < range.len() {
            let preds = if Some(range[next]) == start { &[] } else { self.graph.preds(range[next]) };
            for e in preds {
                if !self.accesses.writes(*e).contains(&v) {
                    self.add(self.graph.from(*e), &mut range);
                }
            }
            next += 1;
        }
        range
    }

    fn add(&mut self, l: Loc, range: &mut Vec<Loc>) {
        if std::mem::replace(&mut self.seen[l.index()], self.walk) != self.walk {
            range.push(l);
        }
    }
}

/// The variables written in a set of locations' outgoing edges that stay inside the set: what a loop changes.
pub fn written_in(graph: &Graph, accesses: &Accesses, body: &[Loc]) -> Vec<Var> {
    let mut inside = vec![false; graph.len()];
    body.iter().for_each(|l| inside[l.index()] = true);
    let mut vars: Vec<Var> = body
        .iter()
        .flat_map(|l| graph.succs(*l))
        .filter(|e| inside[graph.to(**e).index()])
        .flat_map(|e| accesses.writes(*e).iter().copied())
        .collect();
    vars.sort_unstable();
    vars.dedup();
    vars
}

/// The variables that are live at each loop head of a flat program, in a fixed order; nothing for other locations.
pub fn live_at_heads(program: &Program, wto: &Wto) -> Table<Loc, Vec<Var>> {
    live(program, |loc| wto.reaches(loc) && wto.is_head(loc))
}

/// The variables that are live at the locations asked for, in a fixed order; nothing for other locations.
pub fn live(program: &Program, asked: impl Fn(Loc) -> bool) -> Table<Loc, Vec<Var>> {
    let effects = GlobalEffects::of(program, &CallGraph::of(program));
    let accesses = Accesses::of(program, program.main(), &effects, &mut TermVars::of(program));
    let graph = Graph::of(program.main());
    let mut liveness = Liveness::new(&graph, &accesses);
    let mut live = Table::filled(Vec::new(), program.main().locs.len());
    for &var in accesses.vars() {
        for loc in liveness.range(var) {
            if asked(loc) {
                live[loc].push(var);
            }
        }
    }
    live
}
