//! Versions of variables: which definition each use sees, with joins where several meet (static single assignment,
//! Cytron et al., TOPLAS 1991).
//!
//! Operations sit on edges, so a definition takes effect at the head of its edge: at a location with one incoming
//! edge directly, elsewhere through a join there. Joins are placed only for variables that some location
//! with several incoming edges may still read (semi-pruned form), and never at the ends of the program.

use crate::access::Accesses;
use crate::dom::DomTree;
use crate::graph::{Graph, Lists};
use base::{Id, Table};
use cfa::{Edge, Loc, Var};

base::id!(
    /// One version of one variable.
    Def,
    "d"
);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Site {
    /// The value that the variable has at the entry.
    Entry,
    Edge(Edge),
    /// Whatever version comes in; the number is the join's place among all joins.
    Join(Loc, u32),
}

#[derive(Clone, Copy, Debug)]
pub struct DefInfo {
    pub var: Var,
    pub site: Site,
}

#[derive(Clone, Debug)]
pub struct Ssa {
    /// First the entry versions of the function's variables, in the order of `Accesses::vars`.
    pub defs: Table<Def, DefInfo>,
    /// First definition made by each edge, in the order of `Accesses::writes`.
    made: Vec<u32>,
    uses: Lists<Def>,
    joins: Lists<Def>,
    join_args: Lists<(Edge, Def)>,
}

impl Ssa {
    pub fn of(graph: &Graph, dom: &DomTree, accesses: &Accesses) -> Ssa {
        let mut defs: Table<Def, DefInfo> =
            accesses.vars().iter().map(|v| DefInfo { var: *v, site: Site::Entry }).collect();
        let mut made = vec![0u32; graph.edge_count()];
        for u in dom.preorder() {
            for e in graph.succs(u) {
                made[e.index()] = defs.len() as u32;
                for v in accesses.writes(*e) {
                    defs.push(DefInfo { var: *v, site: Site::Edge(*e) });
                }
            }
        }
        let placed = place_joins(graph, dom, accesses);
        let pairs: Vec<(u32, Def)> = placed
            .iter()
            .enumerate()
            .map(|(n, (l, v))| (l.index() as u32, defs.push(DefInfo { var: *v, site: Site::Join(*l, n as u32) })))
            .collect();
        let joins = Lists::new(graph.len(), &pairs);
        let mut ssa = Ssa { defs, made, uses: Lists::growing(), joins, join_args: Lists::growing() };
        ssa.connect(graph, dom, accesses, placed.len());
        ssa
    }

    /// Finds the version that each use and each join argument sees.
    fn connect(&mut self, graph: &Graph, dom: &DomTree, accesses: &Accesses, joins: usize) {
        let mut uses: Vec<(u32, Def)> = Vec::new();
        let mut args: Vec<(u32, (Edge, Def))> = Vec::new();
        self.walk(graph, dom, accesses, |u, now| {
            for e in graph.succs(u) {
                uses.extend(accesses.reads(*e).iter().map(|v| (e.index() as u32, now.of(*v))));
                for j in self.joins.at(graph.to(*e).index()) {
                    let DefInfo { var, site: Site::Join(_, n) } = self.defs[*j] else {
                        unreachable!("joins are joins")
                    };
                    let written = accesses.writes(*e).iter().position(|v| *v == var);
                    let def = written.map_or_else(|| now.of(var), |i| self.made(*e, i));
                    args.push((n, (*e, def)));
                }
            }
        });
        self.uses = Lists::new(graph.edge_count(), &uses);
        self.join_args = Lists::new(joins, &args);
    }

    /// Versions read by the edge, in the order of `Accesses::reads`. Empty for edges that cannot be reached.
    pub fn uses(&self, e: Edge) -> &[Def] {
        self.uses.at(e.index())
    }

    /// The version made by the `i`-th write of the edge.
    pub fn made(&self, e: Edge, i: usize) -> Def {
        Def::new(self.made[e.index()] as usize + i)
    }

    /// The version at the entry of the variable with that place in `Accesses::vars`.
    pub fn entry(&self, slot: usize) -> Def {
        Def::new(slot)
    }

    /// Joins at the location.
    pub fn joins(&self, l: Loc) -> &[Def] {
        self.joins.at(l.index())
    }

    /// The versions that come into a join (its number is in its site), with the edges that bring them. A join at the
    /// function's entry also sees the entry version, which no edge brings.
    pub fn join_args(&self, number: u32) -> &[(Edge, Def)] {
        self.join_args.at(number as usize)
    }

    pub fn join_count(&self) -> usize {
        self.join_args.len()
    }

    /// Visits the reachable locations, each after its dominator, with the versions that hold there.
    pub fn walk(&self, graph: &Graph, dom: &DomTree, accesses: &Accesses, mut visit: impl FnMut(Loc, &Versions<'_>)) {
        let current = (0..accesses.vars().len()).map(Def::new).collect();
        let mut now = Versions { accesses, current, undo: Vec::new() };
        let mut open: Vec<(Loc, usize)> = Vec::new();
        for l in dom.preorder() {
            while open.last().is_some_and(|(above, _)| !dom.dominates(*above, l)) {
                let (_, mark) = open.pop().expect("not empty");
                now.back_to(mark);
            }
            open.push((l, now.undo.len()));
            if let Some(e) = single_entry(graph, dom, l) {
                for (i, v) in accesses.writes(e).iter().enumerate() {
                    now.set(*v, self.made(e, i));
                }
            }
            for j in self.joins(l) {
                now.set(self.defs[*j].var, *j);
            }
            visit(l, &now);
        }
    }
}

/// The current version of each variable, at one location of a walk.
#[derive(Clone, Debug)]
pub struct Versions<'a> {
    accesses: &'a Accesses,
    current: Vec<Def>,
    undo: Vec<(usize, Def)>,
}

impl Versions<'_> {
    /// The version of a variable that occurs in the function.
    #[inline]
    pub fn of(&self, v: Var) -> Def {
        self.current[self.accesses.slot(v)]
    }

    fn set(&mut self, v: Var, d: Def) {
        let slot = self.accesses.slot(v);
        self.undo.push((slot, std::mem::replace(&mut self.current[slot], d)));
    }

    fn back_to(&mut self, mark: usize) {
        while self.undo.len() > mark {
            let (slot, d) = self.undo.pop().expect("longer than the mark");
            self.current[slot] = d;
        }
    }
}

/// The only edge into the location, when there is just one and control does not start there.
fn single_entry(graph: &Graph, dom: &DomTree, l: Loc) -> Option<Edge> {
    let mut preds = graph.preds(l).iter().filter(|e| dom.contains(graph.from(**e)));
    match (preds.next(), preds.next()) {
        (Some(e), None) if l != graph.entry() => Some(*e),
        _ => None,
    }
}

fn place_joins(graph: &Graph, dom: &DomTree, accesses: &Accesses) -> Vec<(Loc, Var)> {
    let frontier = dominance_frontiers(graph, dom);
    let var_count = accesses.vars().len();
    let crossing = crossing_vars(graph, dom, accesses);
    let mut sites: Vec<(u32, Edge)> = Vec::new();
    for u in dom.preorder() {
        for e in graph.succs(u) {
            let slots = accesses.writes(*e).iter().map(|v| accesses.slot(*v));
            sites.extend(slots.filter(|slot| crossing[*slot]).map(|slot| (slot as u32, *e)));
        }
    }
    let sites = Lists::new(var_count, &sites);
    let mut placed = Vec::new();
    // Last variable that was seen at a location: as a definition, as a join.
    let mut queued = vec![0u32; graph.len()];
    let mut joined = vec![0u32; graph.len()];
    for v in (0..var_count).filter(|v| crossing[*v]) {
        let stamp = v as u32 + 1;
        let mut work: Vec<Loc> = Vec::new();
        let mut join = |l: Loc, work: &mut Vec<Loc>, queued: &mut [u32]| {
            if graph.succs(l).is_empty() || std::mem::replace(&mut joined[l.index()], stamp) == stamp {
                return;
            }
            placed.push((l, accesses.vars()[v]));
            if std::mem::replace(&mut queued[l.index()], stamp) != stamp {
                work.push(l);
            }
        };
        for e in sites.at(v) {
            let l = graph.to(*e);
            if single_entry(graph, dom, l).is_none() {
                join(l, &mut work, &mut queued);
            } else if std::mem::replace(&mut queued[l.index()], stamp) != stamp {
                work.push(l);
            }
        }
        while let Some(l) = work.pop() {
            for j in frontier.at(l.index()) {
                join(*j, &mut work, &mut queued);
            }
        }
    }
    placed
}

/// For each location, where its dominance ends: the joins just beyond what it dominates.
fn dominance_frontiers(graph: &Graph, dom: &DomTree) -> Lists<Loc> {
    let mut pairs: Vec<(u32, Loc)> = Vec::new();
    let mut last = vec![u32::MAX; graph.len()];
    for l in dom.preorder().filter(|l| single_entry(graph, dom, *l).is_none() && !graph.succs(*l).is_empty()) {
        let stop = dom.parent(l);
        for e in graph.preds(l).iter().filter(|e| dom.contains(graph.from(**e))) {
            let mut at = Some(graph.from(*e));
            while let Some(runner) = at.filter(|r| Some(*r) != stop) {
                if std::mem::replace(&mut last[runner.index()], l.index() as u32) == l.index() as u32 {
                    break;
                }
                pairs.push((runner.index() as u32, l));
                at = dom.parent(runner);
            }
        }
    }
    Lists::new(graph.len(), &pairs)
}

/// Variables (by slot) that are read somewhere before being written since the last location with several incoming edges.
fn crossing_vars(graph: &Graph, dom: &DomTree, accesses: &Accesses) -> Vec<bool> {
    let var_count = accesses.vars().len();
    let mut crossing = vec![false; var_count];
    // The tree of single-entry locations that a variable was last written in, valid on the current branch of that tree.
    let mut written: Vec<u32> = vec![u32::MAX; var_count];
    let mut undo: Vec<(usize, u32)> = Vec::new();
    let mut open: Vec<(Loc, usize, u32)> = Vec::new();
    for l in dom.preorder() {
        while open.last().is_some_and(|(above, _, _)| !dom.dominates(*above, l)) {
            let (_, mark, _) = open.pop().expect("not empty");
            while undo.len() > mark {
                let (slot, old) = undo.pop().expect("longer than the mark");
                written[slot] = old;
            }
        }
        let mark = undo.len();
        let root = match single_entry(graph, dom, l) {
            Some(e) => {
                let root = open.last().expect("the source of the edge dominates").2;
                for v in accesses.writes(e) {
                    let slot = accesses.slot(*v);
                    undo.push((slot, std::mem::replace(&mut written[slot], root)));
                }
                root
            }
            None => l.index() as u32,
        };
        open.push((l, mark, root));
        for e in graph.succs(l) {
            for v in accesses.reads(*e) {
                let slot = accesses.slot(*v);
                crossing[slot] |= written[slot] != root;
            }
        }
    }
    crossing
}

/// Where each version is used: by which edges, in which joins.
#[derive(Clone, Debug)]
pub struct Users {
    edges: Lists<Edge>,
    joins: Lists<(u32, Edge)>,
    brought: Lists<(u32, Def)>,
}

impl Users {
    pub fn of(ssa: &Ssa) -> Users {
        let mut edges: Vec<(u32, Edge)> = Vec::new();
        for e in 0..ssa.uses.len() {
            edges.extend(ssa.uses.at(e).iter().map(|d| (d.index() as u32, Edge::new(e))));
        }
        let mut joins: Vec<(u32, (u32, Edge))> = Vec::new();
        let mut brought: Vec<(u32, (u32, Def))> = Vec::new();
        for n in 0..ssa.join_count() as u32 {
            for (e, d) in ssa.join_args(n) {
                joins.push((d.index() as u32, (n, *e)));
                brought.push((e.index() as u32, (n, *d)));
            }
        }
        Users {
            edges: Lists::new(ssa.defs.len(), &edges),
            joins: Lists::new(ssa.defs.len(), &joins),
            brought: Lists::new(ssa.uses.len(), &brought),
        }
    }

    /// Edges that read the version, each once.
    pub fn edges(&self, d: Def) -> &[Edge] {
        self.edges.at(d.index())
    }

    /// Joins (by number) that the version comes into, and the edges that bring it.
    pub fn joins(&self, d: Def) -> &[(u32, Edge)] {
        self.joins.at(d.index())
    }

    /// The joins at the end of an edge, and the versions that the edge brings there.
    pub fn brought(&self, e: Edge) -> &[(u32, Def)] {
        self.brought.at(e.index())
    }
}
