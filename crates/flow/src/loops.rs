//! The loop nest: strongly connected parts, and inside each, without its header, the parts that are left.
//!
//! On reducible graphs these are the natural loops (those that share a header count as one). A part that can be
//! entered elsewhere than at its header is irreducible; its header is then the entry first in reverse postorder.
//! Every cycle of the graph passes through the header of some loop. Cost: edges times nesting depth.

use crate::graph::{Graph, LocSet, reverse_postorder};
use base::{Id, Table};
use cfa::{Edge, Loc};

base::id!(
    /// A loop of one function. Outer loops come before the loops inside them.
    LoopId,
    "loop"
);

#[derive(Clone, Debug)]
pub struct Loop {
    pub header: Loc,
    /// All locations of the loop, those of inner loops included, in reverse postorder; the header first.
    pub body: Vec<Loc>,
    /// Edges from the body to the header.
    pub back_edges: Vec<Edge>,
    /// Edges from outside to the header.
    pub entries: Vec<Edge>,
    /// Edges from outside to the body past the header: none when the loop is reducible.
    pub side_entries: Vec<Edge>,
    /// Edges from the body to the outside.
    pub exits: Vec<Edge>,
    pub parent: Option<LoopId>,
    /// 1 for outermost loops.
    pub depth: u32,
}

impl Loop {
    pub fn is_reducible(&self) -> bool {
        self.side_entries.is_empty()
    }
}

/// All loops that can be reached from the entry.
#[derive(Clone, Debug)]
pub struct Loops {
    pub loops: Table<LoopId, Loop>,
    innermost: Table<Loc, Option<LoopId>>,
}

impl Loops {
    pub fn of(graph: &Graph) -> Loops {
        let order = reverse_postorder(graph);
        let mut reached = Table::filled(false, graph.len());
        order.iter().for_each(|l| reached[*l] = true);
        let mut finder = Finder::new(graph, &order);
        let mut found = Loops { loops: Table::new(), innermost: Table::filled(None, graph.len()) };
        let mut pending: std::collections::VecDeque<(Vec<Loc>, Option<LoopId>)> =
            finder.components(&order, None).into_iter().map(|c| (c, None)).collect();
        while let Some((body, parent)) = pending.pop_front() {
            let id = found.add(graph, &reached, body, parent);
            let header = found.loops[id].header;
            let inside: Vec<Loc> = found.loops[id].body[1..].to_vec();
            pending.extend(finder.components(&inside, Some(header)).into_iter().map(|c| (c, Some(id))));
        }
        found
    }

    /// Registers the loop with these locations (in reverse postorder).
    fn add(&mut self, graph: &Graph, reached: &LocSet, body: Vec<Loc>, parent: Option<LoopId>) -> LoopId {
        let id = self.loops.next_id();
        for l in &body {
            self.innermost[*l] = Some(id);
        }
        // Outside this loop means not yet claimed by it: inner loops are found later, so the test is exact here.
        let inside = |l: Loc| self.innermost[l] == Some(id);
        // The depth-first walk came in by the location that it left last: the first in reverse postorder.
        let header = body[0];
        let mut found = Loop {
            header,
            body: Vec::new(),
            back_edges: Vec::new(),
            entries: Vec::new(),
            side_entries: Vec::new(),
            exits: Vec::new(),
            parent,
            depth: parent.map_or(1, |p| self.loops[p].depth + 1),
        };
        for l in &body {
            for e in graph.preds(*l).iter().filter(|e| reached[graph.from(**e)]) {
                match (*l == header, inside(graph.from(*e))) {
                    (true, true) => found.back_edges.push(*e),
                    (true, false) => found.entries.push(*e),
                    (false, false) => found.side_entries.push(*e),
                    (false, true) => {}
                }
            }
            found.exits.extend(graph.succs(*l).iter().filter(|e| !inside(graph.to(**e))));
        }
        found.body = body;
        self.loops.push(found)
    }

    /// The innermost loop around the location (a header is in its own loop).
    pub fn innermost(&self, l: Loc) -> Option<LoopId> {
        self.innermost[l]
    }

    /// The loop with that header.
    pub fn headed_by(&self, l: Loc) -> Option<LoopId> {
        self.innermost[l].filter(|id| self.loops[*id].header == l)
    }

    pub fn is_header(&self, l: Loc) -> bool {
        self.headed_by(l).is_some()
    }

    /// Whether `l` lies in the loop or in a loop inside it.
    pub fn contains(&self, id: LoopId, l: Loc) -> bool {
        let mut at = self.innermost[l];
        while let Some(inner) = at {
            if inner == id {
                return true;
            }
            at = self.loops[inner].parent;
        }
        false
    }

    pub fn depth(&self, l: Loc) -> u32 {
        self.innermost[l].map_or(0, |id| self.loops[id].depth)
    }

    /// The loops directly inside the given one (`None`: the outermost loops).
    pub fn children(&self, id: Option<LoopId>) -> impl Iterator<Item = LoopId> + '_ {
        self.loops.iter().filter(move |(_, l)| l.parent == id).map(|(id, _)| id)
    }

    pub fn is_reducible(&self) -> bool {
        self.loops.values().all(Loop::is_reducible)
    }

    /// Whether some loop is never left but to the locations told: what serves requests, or goes through rounds, for ever.
    pub fn has_endless(&self, graph: &Graph, is_target: impl Fn(Loc) -> bool) -> bool {
        let stays = |id: LoopId, this: &Loop| {
            this.exits.iter().all(|e| self.contains(id, graph.to(*e)) || is_target(graph.to(*e)))
        };
        self.loops.iter().any(|(id, this)| stays(id, this))
    }

    pub fn len(&self) -> usize {
        self.loops.len()
    }

    pub fn is_empty(&self) -> bool {
        self.loops.is_empty()
    }
}

/// Tarjan's strongly connected components on changing subsets of the locations.
struct Finder<'a> {
    graph: &'a Graph,
    /// Which subset a location is in: the number of the last search that included it.
    subset: Vec<u32>,
    search: u32,
    number: Vec<u32>,
    low: Vec<u32>,
    on_stack: Vec<bool>,
    rank: Vec<u32>,
}

impl Finder<'_> {
    fn new<'a>(graph: &'a Graph, order: &[Loc]) -> Finder<'a> {
        let n = graph.len();
        let mut rank = vec![0; n];
        for (i, l) in order.iter().enumerate() {
            rank[l.index()] = i as u32;
        }
        Finder {
            graph,
            subset: vec![0; n],
            search: 0,
            number: vec![0; n],
            low: vec![0; n],
            on_stack: vec![false; n],
            rank,
        }
    }

    /// The cyclic components among `locs`, ignoring edges to `without`; each in reverse postorder, the list too.
    fn components(&mut self, locs: &[Loc], without: Option<Loc>) -> Vec<Vec<Loc>> {
        self.search += 1;
        for l in locs {
            self.subset[l.index()] = self.search;
            self.number[l.index()] = 0;
        }
        let mut found = Vec::new();
        let mut count = 0;
        let mut open: Vec<Loc> = Vec::new();
        for root in locs {
            if self.number[root.index()] != 0 {
                continue;
            }
            let mut walk = vec![(*root, 0usize)];
            self.visit(*root, &mut count, &mut open);
            while let Some((l, next)) = walk.last_mut() {
                let l = *l;
                if let Some(e) = self.graph.succs(l).get(*next) {
                    *next += 1;
                    let to = self.graph.to(*e);
                    if self.subset[to.index()] != self.search || Some(to) == without {
                        continue;
                    }
                    if self.number[to.index()] == 0 {
                        self.visit(to, &mut count, &mut open);
                        walk.push((to, 0));
                    } else if self.on_stack[to.index()] {
                        self.low[l.index()] = self.low[l.index()].min(self.number[to.index()]);
                    }
                    continue;
                }
                walk.pop();
                if let Some((above, _)) = walk.last() {
                    self.low[above.index()] = self.low[above.index()].min(self.low[l.index()]);
                }
                if self.low[l.index()] == self.number[l.index()] {
                    let start = open.iter().rposition(|x| *x == l).expect("a component's root is open");
                    let mut component = open.split_off(start);
                    component.iter().for_each(|x| self.on_stack[x.index()] = false);
                    let cyclic = component.len() > 1 || self.graph.succs(l).iter().any(|e| self.graph.to(*e) == l);
                    if cyclic {
                        component.sort_unstable_by_key(|x| self.rank[x.index()]);
                        found.push(component);
                    }
                }
            }
        }
        found.sort_unstable_by_key(|c| self.rank[c[0].index()]);
        found
    }

    fn visit(&mut self, l: Loc, count: &mut u32, open: &mut Vec<Loc>) {
        *count += 1;
        self.number[l.index()] = *count;
        self.low[l.index()] = *count;
        self.on_stack[l.index()] = true;
        open.push(l);
    }
}
