//! Slicing: the cone of influence of the targets.
//!
//! Kept is what decides whether a target is reached: the branches that targets depend on, the assignments that those
//! conditions rest on, the branches that *these* depend on, and so on (control dependence by postdominators, data
//! dependence by versions). A branch that decides nothing becomes a step to where its sides meet again.
//!
//! A loop that computes nothing of interest may still run forever and so hide a target behind it. It is kept for
//! its exits' sake, unless it certainly ends (see `bounded`) or the caller asks for [`LoopPolicy::AssumeEnd`], which is
//! an over-approximation: `false` answers must then be replayed.

use crate::bounded::certainly_ends;
use crate::edit::{Aim, Facts, compact, effects};
use crate::restore::{Fate, Restore};
use crate::simplify::mentioned;
use crate::stale;
use base::{Id, Table};
use cfa::{Edge, EdgeInfo, Function, Loc, Op, Program, Var};
use flow::{Controllers, Def, DomTree, Graph, LocSet, Loops, Site, TermVars};
use term::Term;

/// Which loops without influence may go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LoopPolicy {
    /// None.
    Keep,
    /// Those that certainly end. Exact.
    DropBounded,
    /// All. Reports errors that an endless loop hides.
    AssumeEnd,
}

/// Slices a flat program toward its targets; other programs come back as they are.
pub fn slice(mut program: Program, policy: LoopPolicy) -> (Program, Restore) {
    let mut restore = Restore::identity(&program);
    if !program.is_flat() {
        return (program, restore);
    }
    let before = mentioned(&program);
    let entry = program.entry;
    let fates = compact(&mut program.functions[entry], Aim::Targets, &|_| false, Fate::Kept);
    restore.extend(&program, entry, &fates, |_| &[]);

    let effects = effects(&program);
    let mut vars = TermVars::of(&program);
    let facts = Facts::of(&program, entry, &effects, &mut vars);
    let loops = Loops::of(&facts.graph);
    let kept_loops = kept_loops(&mut program, &facts, &loops, policy);
    let tt = program.terms.tt();
    let stops = stops(&mut program, &facts.graph);
    let post = DomTree::postdominators(&facts.graph, |l| stops[l]);
    let mut slicer = Slicer::new(&program, &facts, &mut vars, &post, &stops);
    slicer.run(&loops, &kept_loops);
    let Slicer { branch, needed, .. } = slicer;

    for (id, l) in loops.loops.iter() {
        if !kept_loops[id.index()] && !l.exits.iter().any(|e| branch[facts.graph.from(*e)]) {
            restore.leave_out_loop(entry, &fates, l.header);
        }
    }
    let (removed, gone) = cut(&mut program, &facts, &post, &branch, &needed, tt);
    restore.extend_stale(entry, &stale::mark(&mut program, entry, &gone));
    let graph = Graph::with_edges(&program.functions[entry], |e| !removed[e.index()]);
    let reached = flow::reachable(&graph, [graph.entry()]);
    let fate = |l: Loc| if reached[l] { Fate::Kept(l) } else { Fate::Merged };
    let fates = compact(&mut program.functions[entry], Aim::Targets, &|e| removed[e.index()], fate);
    restore.extend(&program, entry, &fates, |_| &[]);
    let now = mentioned(&program);
    restore.dropped = program.vars.ids().filter(|v| before[v.index()] && !now[v.index()]).collect();
    (program, restore)
}

/// For each loop, whether it must stay even if it computes nothing of interest.
fn kept_loops(program: &mut Program, facts: &Facts, loops: &Loops, policy: LoopPolicy) -> Vec<bool> {
    let Program { terms, functions, entry, .. } = program;
    let keep = |id| match policy {
        LoopPolicy::Keep => true,
        LoopPolicy::AssumeEnd => false,
        LoopPolicy::DropBounded => !certainly_ends(terms, &functions[*entry], facts, loops, id),
    };
    loops.loops.ids().map(keep).collect()
}

/// Locations where an execution may be stuck: none of the conditions there has to hold.
fn stops(program: &mut Program, graph: &Graph) -> LocSet {
    let Program { terms, functions, entry, .. } = program;
    let edges = &functions[*entry].edges;
    let may_stop = |l: Loc| {
        let conditions = graph.succs(l).iter().map(|e| if let Op::Assume(c) = edges[*e].op { Some(c) } else { None });
        match conditions.collect::<Option<Vec<Term>>>() {
            Some(conditions) if !conditions.is_empty() => terms.or_all(&conditions) != terms.tt(),
            _ => false,
        }
    };
    graph.locs().map(may_stop).collect()
}

struct Slicer<'a> {
    program: &'a Program,
    vars: &'a mut TermVars,
    f: &'a Function,
    facts: &'a Facts,
    stops: &'a LocSet,
    controllers: Controllers<'a>,
    /// Locations whose choice of edge matters.
    branch: Table<Loc, bool>,
    /// Versions whose value matters.
    needed: Vec<bool>,
    controlled: Table<Loc, bool>,
    work: Vec<Work>,
}

enum Work {
    Def(Def),
    /// Whether control gets here matters.
    Loc(Loc),
    Branch(Loc),
}

impl<'a> Slicer<'a> {
    fn new(
        program: &'a Program,
        facts: &'a Facts,
        vars: &'a mut TermVars,
        post: &'a DomTree,
        stops: &'a LocSet,
    ) -> Slicer<'a> {
        let f = program.main();
        let controllers = Controllers::new(&facts.graph, post, |l| stops[l]);
        let n = facts.graph.len();
        Slicer {
            program,
            vars,
            f,
            facts,
            stops,
            controllers,
            branch: Table::filled(false, n),
            needed: vec![false; facts.ssa.defs.len()],
            controlled: Table::filled(false, n),
            work: Vec::new(),
        }
    }

    fn run(&mut self, loops: &Loops, kept: &[bool]) {
        self.work.extend(flow::targets(self.f).map(Work::Loc));
        for (id, l) in loops.loops.iter().filter(|(id, _)| kept[id.index()]) {
            debug_assert!(id.index() < kept.len());
            self.work.push(Work::Loc(l.header));
            self.work.extend(l.exits.iter().map(|e| Work::Branch(self.facts.graph.from(*e))));
            // Being stuck is another way to leave a loop.
            let stuck = l.body.iter().filter(|l| self.stops[**l]);
            self.work.extend(stuck.map(|l| Work::Branch(*l)));
        }
        while let Some(item) = self.work.pop() {
            match item {
                Work::Loc(l) => {
                    if !std::mem::replace(&mut self.controlled[l], true) {
                        let branches = self.controllers.drain(l);
                        self.work.extend(branches.into_iter().map(Work::Branch));
                    }
                }
                Work::Branch(l) => {
                    if !std::mem::replace(&mut self.branch[l], true) {
                        self.work.push(Work::Loc(l));
                        for e in self.facts.graph.succs(l) {
                            if matches!(self.f.edges[*e].op, Op::Assume(_)) {
                                self.work.extend(self.facts.ssa.uses(*e).iter().map(|d| Work::Def(*d)));
                            }
                        }
                    }
                }
                Work::Def(d) => {
                    if !std::mem::replace(&mut self.needed[d.index()], true) {
                        self.define(d);
                    }
                }
            }
        }
    }

    fn define(&mut self, d: Def) {
        let info = self.facts.ssa.defs[d];
        match info.site {
            Site::Entry => {}
            Site::Edge(e) => {
                self.passing(e);
                if let Op::Assign(pairs) = &self.f.edges[e].op {
                    let t = pairs.iter().find(|(v, _)| *v == info.var).expect("written here").1;
                    let (facts, work) = (self.facts, &mut self.work);
                    facts.each_version(self.vars, &self.program.terms, e, t, |d| work.push(Work::Def(d)));
                }
            }
            Site::Join(_, n) => {
                for (e, d) in self.facts.ssa.join_args(n) {
                    self.passing(*e);
                    self.work.push(Work::Def(*d));
                }
            }
        }
    }

    /// Whether control takes this edge matters.
    fn passing(&mut self, e: Edge) {
        let from = self.facts.graph.from(e);
        let chosen = self.facts.graph.succs(from).len() > 1;
        self.work.push(if chosen { Work::Branch(from) } else { Work::Loc(from) });
    }
}

/// Makes the edges of the slice; returns which ones to leave out, and which writes are gone from others.
fn cut(
    program: &mut Program,
    facts: &Facts,
    post: &DomTree,
    branch: &Table<Loc, bool>,
    needed: &[bool],
    tt: Term,
) -> (Vec<bool>, Vec<(Edge, Var)>) {
    let entry = program.entry;
    let f = &mut program.functions[entry];
    let mut removed = vec![false; f.edges.len()];
    for l in facts.graph.locs() {
        let edges = facts.graph.succs(l);
        if branch[l] {
            continue;
        }
        if let ([first, ..], Some(meeting)) = (edges, post.parent(l))
            && (edges.len() > 1 || matches!(f.edges[*first].op, Op::Assume(c) if c != tt))
        {
            edges.iter().for_each(|e| removed[e.index()] = true);
            let EdgeInfo { span, site, .. } = f.edges[*first];
            f.edges.push(EdgeInfo { from: l, to: meeting, op: Op::Assume(tt), span, site });
        }
    }
    removed.resize(f.edges.len(), false);
    let mut gone = Vec::new();
    for (e, edge) in f.edges.iter_mut().take(facts.graph.edge_count()) {
        let mut i = 0;
        let mut keep = |v: &Var| {
            i += 1;
            let stays = needed[facts.ssa.made(e, i - 1).index()];
            if !stays {
                gone.push((e, *v));
            }
            stays
        };
        match &mut edge.op {
            Op::Assign(pairs) => pairs.retain(|(v, _)| keep(v)),
            Op::Havoc { vars, .. } => vars.retain(|v| keep(v)),
            _ => {}
        }
    }
    (removed, gone)
}
