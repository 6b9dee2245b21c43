//! Control dependence: which branches decide whether a location is reached (Ferrante, Ottenstein, Warren, TOPLAS 1987).
//!
//! `x` depends on the branch at `u` when `x` lies on the postdominator path from a successor of `u` up to, not
//! including, the immediate postdominator of `u`. The relation has quadratic size on a mere chain of checks, and
//! slicing only ever wants its closure. So it is kept implicitly: each branch edge is an interval on a path of the
//! postdominator tree, and a location drains the branches it depends on that nobody drained before, by a segment tree
//! over the tree's preorder that holds the least depth of a path's upper end.

use crate::dom::DomTree;
use crate::graph::Graph;
use base::Id;
use cfa::Loc;

/// The branches not yet drained.
#[derive(Clone, Debug)]
pub struct Controllers<'a> {
    post: &'a DomTree,
    /// Least depth of an upper end among the branches at a preorder position; leaves at `width..`.
    least: Vec<u32>,
    width: usize,
    /// Branches at each preorder position: (depth of the upper end, branch), shallowest last.
    branches: Vec<Vec<(u32, Loc)>>,
    drained: Vec<bool>,
}

impl<'a> Controllers<'a> {
    /// `post` must be the postdominators of `graph`; `may_stop` as it was given to them: such a location decides by
    /// itself whether anything behind it is reached.
    pub fn new(graph: &Graph, post: &'a DomTree, may_stop: impl Fn(Loc) -> bool) -> Controllers<'a> {
        let n = post.node_count().max(1);
        let width = n.next_power_of_two();
        let mut branches: Vec<Vec<(u32, Loc)>> = vec![Vec::new(); n];
        for u in graph.locs().filter(|l| post.contains(*l)) {
            if graph.succs(u).len() < 2 && !may_stop(u) {
                continue;
            }
            // Depth of the first location that is not on the path: the immediate postdominator of `u`.
            let end = post.depth(u) - 1;
            for e in graph.succs(u) {
                let v = graph.to(*e);
                if post.depth(v) > end {
                    branches[post.subtree(v).start].push((end, u));
                }
            }
        }
        let mut least = vec![u32::MAX; 2 * width];
        for (i, list) in branches.iter_mut().enumerate() {
            list.sort_unstable_by_key(|(depth, l)| (std::cmp::Reverse(*depth), std::cmp::Reverse(*l)));
            list.dedup();
            least[width + i] = list.last().map_or(u32::MAX, |b| b.0);
        }
        for i in (1..width).rev() {
            least[i] = least[2 * i].min(least[2 * i + 1]);
        }
        Controllers { post, least, width, branches, drained: vec![false; graph.len()] }
    }

    /// The branches that `x` directly depends on and that no earlier call returned.
    pub fn drain(&mut self, x: Loc) -> Vec<Loc> {
        let mut found = Vec::new();
        if !self.post.contains(x) {
            return found;
        }
        let depth = self.post.depth(x);
        let range = self.post.subtree(x);
        while let Some(i) = self.first_below(1, 0..self.width, &range, depth) {
            let (_, u) = self.branches[i].pop().expect("the tree says there is one");
            let mut node = self.width + i;
            self.least[node] = self.branches[i].last().map_or(u32::MAX, |b| b.0);
            while node > 1 {
                node /= 2;
                self.least[node] = self.least[2 * node].min(self.least[2 * node + 1]);
            }
            if !std::mem::replace(&mut self.drained[u.index()], true) {
                found.push(u);
            }
        }
        found
    }

    /// A position in `range` with a branch whose upper end is above `depth`.
    fn first_below(
        &self,
        node: usize,
        span: std::ops::Range<usize>,
        range: &std::ops::Range<usize>,
        depth: u32,
    ) -> Option<usize> {
        if span.end <= range.start || range.end <= span.start || self.least[node] >= depth {
            return None;
        }
        if node >= self.width {
            return Some(node - self.width);
        }
        let middle = span.start + (span.end - span.start) / 2;
        self.first_below(2 * node, span.start..middle, range, depth)
            .or_else(|| self.first_below(2 * node + 1, middle..span.end, range, depth))
    }
}

/// The whole relation as a list, for small automata: the branches that each location directly depends on.
pub fn control_dependence(graph: &Graph, post: &DomTree, may_stop: impl Fn(Loc) -> bool) -> Vec<(Loc, Loc)> {
    let mut pairs = Vec::new();
    for u in graph.locs().filter(|l| post.contains(*l)) {
        if graph.succs(u).len() < 2 && !may_stop(u) {
            continue;
        }
        let stop = post.parent(u);
        for e in graph.succs(u) {
            let mut at = Some(graph.to(*e));
            while let Some(x) = at.filter(|x| Some(*x) != stop) {
                pairs.push((x, u));
                at = post.parent(x);
            }
        }
    }
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}
