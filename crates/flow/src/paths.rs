//! The paths through a loop: from its header once around to the header, inner loops excluded.
//!
//! Chalupa and Strejček 2021 fold along `LoopPaths(l)`; their number explodes after inlining, so it is counted before any is built.

use crate::graph::Graph;
use crate::loops::{Loop, LoopId, Loops};
use cfa::{Edge, Loc};
use rustc_hash::FxHashMap;

/// Why there is no list of paths.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoPaths {
    /// A loop inside (flatten first): there are infinitely many paths.
    Nested,
    /// More than the cap; how many (saturating).
    TooMany(u64),
}

/// How many paths lead once around the loop.
pub fn count_loop_paths(graph: &Graph, loops: &Loops, id: LoopId) -> Result<u64, NoPaths> {
    Ok(suffixes(graph, loops, id)?[&loops.loops[id].header])
}

/// The paths once around the loop, as edges from the header to the header, in the order of the edges.
pub fn loop_paths(graph: &Graph, loops: &Loops, id: LoopId, cap: u64) -> Result<Vec<Vec<Edge>>, NoPaths> {
    let header = loops.loops[id].header;
    let ways = suffixes(graph, loops, id)?;
    let count = ways[&header];
    if count > cap {
        return Err(NoPaths::TooMany(count));
    }
    let leads_back = |e: &Edge| ways.get(&graph.to(*e)).is_some_and(|n| *n > 0);
    let mut found = Vec::new();
    let mut path: Vec<Edge> = Vec::new();
    // (location, which of its edges comes next)
    let mut stack = vec![(header, 0usize)];
    while let Some((l, next)) = stack.last_mut() {
        let l = *l;
        let Some(e) = graph.succs(l).get(*next).copied() else {
            stack.pop();
            path.pop();
            continue;
        };
        *next += 1;
        if !leads_back(&e) {
            continue;
        }
        path.push(e);
        if graph.to(e) == header {
            found.push(path.clone());
            path.pop();
        } else {
            stack.push((graph.to(e), 0));
        }
    }
    Ok(found)
}

/// For each location of the loop, the number of paths from it to the header (for the header: around once).
fn suffixes(graph: &Graph, loops: &Loops, id: LoopId) -> Result<FxHashMap<Loc, u64>, NoPaths> {
    if loops.children(Some(id)).next().is_some() {
        return Err(NoPaths::Nested);
    }
    let Loop { body, header, .. } = &loops.loops[id];
    let mut ways: FxHashMap<Loc, u64> = FxHashMap::default();
    // Without inner loops, reverse postorder of the body is a topological order once edges to the header are left out.
    for l in body.iter().rev() {
        let sum = graph.succs(*l).iter().fold(0u64, |sum, e| {
            let to = graph.to(*e);
            sum.saturating_add(if to == *header { 1 } else { ways.get(&to).copied().unwrap_or(0) })
        });
        ways.insert(*l, sum);
    }
    Ok(ways)
}
