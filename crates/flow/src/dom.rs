//! Dominator and postdominator trees, by Lengauer and Tarjan (TOPLAS 1979; the simple O(m log n) variant).
//!
//! The popular iterative scheme of Cooper, Harvey and Kennedy is quadratic on the commonest shape of all here: a long
//! chain of checks that share one error location.

use crate::graph::{Graph, Lists, reverse_postorder};
use base::Id;
use cfa::Loc;

const NONE: u32 = u32::MAX;

/// A tree over the locations (and, for postdominators, one virtual root above all ends).
#[derive(Clone, Debug)]
pub struct DomTree {
    parent: Vec<u32>,
    /// Nodes in preorder, children of a node by ascending id.
    order: Vec<u32>,
    /// Position in `order`, and one past the last position of the subtree. `NONE` when not in the tree.
    first: Vec<u32>,
    last: Vec<u32>,
    depth: Vec<u32>,
    locs: usize,
}

impl DomTree {
    /// Dominators from the entry. Unreachable locations are not in the tree.
    pub fn dominators(graph: &Graph) -> DomTree {
        let n = graph.len();
        let arcs: Vec<(u32, u32)> = graph
            .locs()
            .flat_map(|l| graph.succs(l).iter().map(move |e| (l.index() as u32, graph.to(*e).index() as u32)))
            .collect();
        DomTree::new(n, n, graph.entry().index(), &arcs)
    }

    /// Postdominators of the locations reachable from the entry. The virtual root stands behind every location without
    /// successor, behind those for which `may_stop`, and behind one location of every part that cannot reach any of these.
    pub fn postdominators(graph: &Graph, may_stop: impl Fn(Loc) -> bool) -> DomTree {
        let n = graph.len();
        let rpo = reverse_postorder(graph);
        let mut stops: Vec<Loc> = rpo.iter().copied().filter(|l| graph.succs(*l).is_empty() || may_stop(*l)).collect();
        let mut covered = crate::graph::can_reach(graph, stops.iter().copied());
        // From the end of the order, so that a stop is found deep in an endless part and covers much of what leads there.
        for l in rpo.iter().rev() {
            if covered[*l] {
                continue;
            }
            stops.push(*l);
            let mut stack = vec![*l];
            covered[*l] = true;
            while let Some(x) = stack.pop() {
                for e in graph.preds(x) {
                    let p = graph.from(*e);
                    if !std::mem::replace(&mut covered[p], true) {
                        stack.push(p);
                    }
                }
            }
        }
        let mut in_rpo = vec![false; n];
        rpo.iter().for_each(|l| in_rpo[l.index()] = true);
        let mut arcs: Vec<(u32, u32)> = stops.iter().map(|l| (n as u32, l.index() as u32)).collect();
        for l in graph.locs().filter(|l| in_rpo[l.index()]) {
            arcs.extend(graph.succs(l).iter().map(|e| (graph.to(*e).index() as u32, l.index() as u32)));
        }
        DomTree::new(n + 1, n, n, &arcs)
    }

    fn new(nodes: usize, locs: usize, root: usize, arcs: &[(u32, u32)]) -> DomTree {
        let succs = Lists::new(nodes, arcs);
        let reversed: Vec<(u32, u32)> = arcs.iter().map(|(a, b)| (*b, *a)).collect();
        let preds = Lists::new(nodes, &reversed);
        let parent = immediate_dominators(nodes, root as u32, &succs, &preds);
        let edges: Vec<(u32, u32)> =
            (0..nodes as u32).filter(|v| parent[*v as usize] != NONE).map(|v| (parent[v as usize], v)).collect();
        let children = Lists::new(nodes, &edges);
        let mut tree = DomTree {
            parent,
            order: Vec::with_capacity(nodes),
            first: vec![NONE; nodes],
            last: vec![NONE; nodes],
            depth: vec![0; nodes],
            locs,
        };
        let mut stack = vec![(root as u32, 0usize)];
        tree.enter(root as u32, 0);
        while let Some((v, next)) = stack.last_mut() {
            let v = *v;
            match children.at(v as usize).get(*next) {
                Some(c) => {
                    *next += 1;
                    tree.enter(*c, tree.depth[v as usize] + 1);
                    stack.push((*c, 0));
                }
                None => {
                    tree.last[v as usize] = tree.order.len() as u32;
                    stack.pop();
                }
            }
        }
        tree
    }

    fn enter(&mut self, v: u32, depth: u32) {
        self.first[v as usize] = self.order.len() as u32;
        self.depth[v as usize] = depth;
        self.order.push(v);
    }

    /// Whether the location is in the tree at all (reachable from its root).
    pub fn contains(&self, l: Loc) -> bool {
        self.first[l.index()] != NONE
    }

    /// The immediate dominator; `None` for the root, below the virtual root, and outside the tree.
    pub fn parent(&self, l: Loc) -> Option<Loc> {
        let p = self.parent[l.index()];
        (p != NONE && (p as usize) < self.locs).then(|| Loc::new(p as usize))
    }

    /// Whether `a` dominates `b` (every location dominates itself).
    pub fn dominates(&self, a: Loc, b: Loc) -> bool {
        let (a, b) = (a.index(), b.index());
        self.first[a] != NONE && self.first[b] != NONE && self.first[a] <= self.first[b] && self.first[b] < self.last[a]
    }

    /// Locations in preorder: each after its dominator.
    pub fn preorder(&self) -> impl Iterator<Item = Loc> + '_ {
        self.order.iter().filter(|v| (**v as usize) < self.locs).map(|v| Loc::new(*v as usize))
    }

    /// Steps from the root.
    pub fn depth(&self, l: Loc) -> u32 {
        self.depth[l.index()]
    }

    /// Positions in preorder of the subtree of `l`.
    pub(crate) fn subtree(&self, l: Loc) -> std::ops::Range<usize> {
        self.first[l.index()] as usize..self.last[l.index()] as usize
    }

    pub(crate) fn node_count(&self) -> usize {
        self.order.len()
    }
}

/// Numbers below are depth-first numbers; `NONE` marks what the root does not reach.
fn immediate_dominators(nodes: usize, root: u32, succs: &Lists<u32>, preds: &Lists<u32>) -> Vec<u32> {
    let mut number = vec![NONE; nodes];
    let mut vertex: Vec<u32> = Vec::with_capacity(nodes);
    let mut up: Vec<u32> = Vec::with_capacity(nodes);
    let mut stack = vec![(root, 0usize)];
    number[root as usize] = 0;
    vertex.push(root);
    up.push(0);
    while let Some((v, next)) = stack.last_mut() {
        let v = *v;
        match succs.at(v as usize).get(*next) {
            Some(w) => {
                *next += 1;
                if number[*w as usize] == NONE {
                    number[*w as usize] = vertex.len() as u32;
                    vertex.push(*w);
                    up.push(number[v as usize]);
                    stack.push((*w, 0));
                }
            }
            None => {
                stack.pop();
            }
        }
    }
    let n = vertex.len();
    let mut semi: Vec<u32> = (0..n as u32).collect();
    let mut label = semi.clone();
    let mut ancestor = vec![NONE; n];
    let mut idom = vec![0u32; n];
    let mut bucket: Vec<Vec<u32>> = vec![Vec::new(); n];
    let mut path = Vec::new();
    for w in (1..n).rev() {
        for p in preds.at(vertex[w] as usize) {
            let v = number[*p as usize];
            if v != NONE {
                let u = best(v, &mut ancestor, &mut label, &semi, &mut path);
                semi[w] = semi[w].min(semi[u as usize]);
            }
        }
        bucket[semi[w] as usize].push(w as u32);
        ancestor[w] = up[w];
        for v in std::mem::take(&mut bucket[up[w] as usize]) {
            let u = best(v, &mut ancestor, &mut label, &semi, &mut path);
            idom[v as usize] = if semi[u as usize] < semi[v as usize] { u } else { up[w] };
        }
    }
    let mut parent = vec![NONE; nodes];
    for w in 1..n {
        if idom[w] != semi[w] {
            idom[w] = idom[idom[w] as usize];
        }
        parent[vertex[w] as usize] = vertex[idom[w] as usize];
    }
    parent
}

/// The node of least semidominator on the forest path above `v`, compressing the path.
fn best(v: u32, ancestor: &mut [u32], label: &mut [u32], semi: &[u32], path: &mut Vec<u32>) -> u32 {
    if ancestor[v as usize] == NONE {
        return label[v as usize];
    }
    path.clear();
    let mut x = v;
    while ancestor[ancestor[x as usize] as usize] != NONE {
        path.push(x);
        x = ancestor[x as usize];
    }
    while let Some(y) = path.pop() {
        let above = ancestor[y as usize];
        if semi[label[above as usize] as usize] < semi[label[y as usize] as usize] {
            label[y as usize] = label[above as usize];
        }
        ancestor[y as usize] = ancestor[above as usize];
    }
    label[v as usize]
}
