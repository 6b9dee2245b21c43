//! The cheapest ways through recursive functions: which recursive calls have to return so that their caller does.
//!
//! Code behind a call that is cut off is lost. In a recursive descent every function calls the next one before it can return, so a
//! copy is worth nothing without copies of those down to one that returns by itself. They belong together; all other recursive
//! calls are *detours*, and copies are made with fewest detours first. In a function that calls itself all such calls are detours,
//! and their number is the depth of the recursion.

use base::{Id, Table};
use cfa::{Edge, Func, Function, Loc, Op, Program};
use flow::CallGraph;
use rustc_hash::FxHashSet;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// For each recursive function the edges of a way from its entry to its exit with as few nested recursive calls as possible.
pub(super) fn cheapest_ways(program: &Program, calls: &CallGraph) -> Table<Func, FxHashSet<Edge>> {
    let mut ways = Table::filled(FxHashSet::default(), program.functions.len());
    for component in calls.bottom_up() {
        // Of those that are known to return, how many calls that takes.
        let mut costs: BTreeMap<Func, usize> = BTreeMap::new();
        let is_recursive = component.iter().any(|f| calls.is_recursive(*f));
        let mut is_changed = is_recursive;
        while is_changed {
            is_changed = false;
            for f in component {
                let cost_of = |op: &Op| match op {
                    Op::Call { callee, .. } if calls.mutually_recursive(*f, *callee) => {
                        costs.get(callee).map(|c| c + 1)
                    }
                    _ => Some(0),
                };
                if let Some((cost, way)) = cheapest_way(&program.functions[*f], cost_of)
                    && costs.get(f).is_none_or(|known| cost < *known)
                {
                    costs.insert(*f, cost);
                    ways[*f] = way;
                    is_changed = true;
                }
            }
        }
    }
    ways
}

/// What it costs to get from entry to exit, and the edges of a way that costs no more. Edges without cost are not taken.
fn cheapest_way(f: &Function, cost_of: impl Fn(&Op) -> Option<usize>) -> Option<(usize, FxHashSet<Edge>)> {
    let mut successors: Table<Loc, Vec<Edge>> = Table::filled(Vec::new(), f.locs.len());
    f.edges.iter().for_each(|(e, info)| successors[info.from].push(e));
    let mut reached: Table<Loc, Option<(usize, Option<Edge>)>> = Table::filled(None, f.locs.len());
    let mut queue = BinaryHeap::from([Reverse((0, f.entry.index()))]);
    reached[f.entry] = Some((0, None));
    while let Some(Reverse((cost, at))) = queue.pop() {
        let at = Loc::new(at);
        if reached[at].is_some_and(|(least, _)| least < cost) {
            continue;
        }
        for e in &successors[at] {
            let to = f.edges[*e].to;
            let Some(cost) = cost_of(&f.edges[*e].op).map(|more| cost + more) else { continue };
            if reached[to].is_none_or(|(known, _)| cost < known) {
                reached[to] = Some((cost, Some(*e)));
                queue.push(Reverse((cost, to.index())));
            }
        }
    }
    let (cost, mut last) = reached[f.exit]?;
    let mut way = FxHashSet::default();
    while let Some(e) = last {
        way.insert(e);
        last = reached[f.edges[e].from].and_then(|(_, before)| before);
    }
    Some((cost, way))
}
