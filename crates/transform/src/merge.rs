//! Fewer, fuller edges: plain steps vanish, neighbouring edges that do the same kind of thing become one.
//!
//! Loop heads that the user wrote keep their location; inputs keep their own edge, since replay finds their values by it.

use crate::edit::is_skip;
use crate::limits::merge::MOST_PAIRS;
use crate::restore::Fate;
use base::{Id, Table};
use cfa::{Edge, Func, Function, Loc, LocKind, Op, Program, Var, VarInfo, VarKind};
use flow::TermVars;
use rustc_hash::FxHashMap;
use term::{Store, Substitution, Term};

/// What a merge did: edges to leave out, and for each location what became of it (in the old numbers).
pub(crate) struct Merged {
    pub removed: Vec<bool>,
    pub fates: Table<Loc, Fate>,
    pub changed: bool,
}

/// Merges what can be merged in one function. Terms grow up to `limit` distinct subterms.
pub(crate) fn merge(program: &mut Program, function: Func, vars: &mut TermVars, limit: usize) -> Merged {
    let inlined = program.functions.len() == 1;
    let uses = count_uses(program, function, vars);
    let Program { terms, functions, vars: infos, .. } = program;
    let f = &mut functions[function];
    let fates = f.locs.ids().map(Fate::Kept).collect();
    let merged = Merged { removed: vec![false; f.edges.len()], fates, changed: false };
    let (out, into) = (f.successors(), f.predecessors());
    let mut merger = Merger { terms, f, function, inlined, vars, infos, limit, uses, merged, out, into };
    merger.coalesce();
    merger.chains();
    merger.forward();
    merger.absorb();
    merger.parallel();
    merger.resolve();
    merger.merged
}

/// On how many edges each variable is read. Of the variables of other functions there is nothing.
fn count_uses(program: &Program, function: Func, vars: &mut TermVars) -> FxHashMap<Var, u32> {
    let mut uses = FxHashMap::default();
    for e in program.functions[function].edges.values() {
        vars.each(&program.terms, &e.op.terms(), |v| *uses.entry(v).or_default() += 1);
    }
    uses
}

struct Merger<'a> {
    terms: &'a mut Store,
    f: &'a mut Function,
    function: Func,
    /// Whether there is no other function.
    inlined: bool,
    vars: &'a mut TermVars,
    infos: &'a Table<Var, VarInfo>,
    limit: usize,
    uses: FxHashMap<Var, u32>,
    merged: Merged,
    out: Table<Loc, Vec<Edge>>,
    into: Table<Loc, Vec<Edge>>,
}

impl Merger<'_> {
    /// Whether the variable was made by us, and is seen by nobody outside this function.
    fn is_temporary(&self, v: Var) -> bool {
        let info = &self.infos[v];
        let is_signature = || self.f.params.iter().chain(&self.f.result).any(|w| *w == v);
        info.source.is_none() && (self.inlined || info.kind == VarKind::Local(self.function) && !is_signature())
    }

    /// Whether a location may disappear: no meaning of its own, and no place where the user's loops begin.
    fn is_inner(&self, l: Loc) -> bool {
        self.f.locs[l].kind == LocKind::Plain
            && self.f.locs[l].loop_span.is_none()
            && l != self.f.entry
            && l != self.f.exit
    }

    /// The edge after `e`, when both stand alone around an inner location.
    fn follower(&self, e: Edge) -> Option<Edge> {
        let l = self.f.edges[e].to;
        match (&self.into[l][..], &self.out[l][..]) {
            ([_], [next]) if self.is_inner(l) && self.f.edges[*next].to != l => Some(*next),
            _ => None,
        }
    }

    fn skip(&mut self, e: Edge) {
        self.f.edges[e].op = Op::Assume(self.terms.tt());
        self.merged.changed = true;
    }

    /// `t := input; x := t` becomes `x := input`, where nothing else reads the temporary `t`.
    fn coalesce(&mut self) {
        for e in self.f.edges.ids() {
            let dst = match &self.f.edges[e].op {
                Op::Havoc { vars, .. } if vars.len() == 1 => vars[0],
                Op::Load { dst, .. } => *dst,
                Op::Call { dst: Some(dst), .. } | Op::Print { dst: Some(dst), .. } => *dst,
                Op::Assign(pairs) if pairs.len() == 1 => pairs[0].0,
                _ => continue,
            };
            if !self.is_temporary(dst) || self.uses.get(&dst) != Some(&1) {
                continue;
            }
            let Some(next) = self.follower(e) else { continue };
            let Op::Assign(pairs) = &self.f.edges[next].op else { continue };
            let [(x, t)] = pairs[..] else { continue };
            if t == self.infos[dst].term && self.infos[x].source.is_some() {
                rename_target(&mut self.f.edges[e].op, x);
                let between = self.f.edges[e].to;
                self.merged.fates[between] = Fate::Merged;
                self.skip(next);
            }
        }
    }

    /// Straight-line assignments, and straight-line conditions, become one.
    fn chains(&mut self) {
        for e in self.f.edges.ids() {
            if self.merged.removed[e.index()] {
                continue;
            }
            while let Some(next) = self.follower(e) {
                let (first, second) = (&self.f.edges[e].op, &self.f.edges[next].op);
                let op = match (first, second) {
                    (Op::Assign(a), Op::Assign(b)) if a.len() + b.len() <= MOST_PAIRS => {
                        compose(self.terms, self.infos, a, b)
                    }
                    (Op::Assume(a), Op::Assume(b)) => Op::Assume(self.terms.and(*a, *b)),
                    _ => break,
                };
                let limit = self.limit;
                let small = |vars: &mut TermVars, op: &Op, terms: &Store| {
                    op.terms().iter().all(|t| vars.size(terms, *t, limit) < limit)
                };
                let trivial = is_skip(self.terms.tt(), first) || is_skip(self.terms.tt(), second);
                if !trivial && !small(self.vars, &op, self.terms) {
                    break;
                }
                self.join_edges(e, next, op);
            }
        }
    }

    /// Makes `e` and the edge after it one edge with that operation.
    fn join_edges(&mut self, e: Edge, next: Edge, op: Op) {
        let between = self.f.edges[e].to;
        let to = self.f.edges[next].to;
        let (span, site) = (self.f.edges[next].span, self.f.edges[next].site);
        let edge = &mut self.f.edges[e];
        if edge.span.is_nowhere() {
            edge.span = span;
        }
        edge.site = edge.site.or(site);
        edge.op = op;
        edge.to = to;
        // In the list of edges into `to`, `next` now stands for `e`: only their number is ever asked for.
        self.into[between].clear();
        self.out[between].clear();
        self.merged.fates[between] = Fate::Merged;
        self.remove(next);
    }

    fn remove(&mut self, e: Edge) {
        self.merged.removed[e.index()] = true;
        self.merged.changed = true;
    }

    /// Locations that only step on become the location they step to.
    fn forward(&mut self) {
        let tt = self.terms.tt();
        let mut to: Table<Loc, Option<Loc>> = Table::filled(None, self.f.locs.len());
        for l in self.f.locs.ids() {
            if let [e] = self.out[l][..]
                && self.is_inner(l)
                && is_skip(tt, &self.f.edges[e].op)
                && self.f.edges[e].to != l
            {
                to[l] = Some(self.f.edges[e].to);
            }
        }
        let mut visited = Table::filled(false, self.f.locs.len());
        for start in self.f.locs.ids() {
            // Follow to the end of the chain, and let everybody on it point there. A cycle of plain steps is cut at one place.
            let mut chain = Vec::new();
            let mut at = start;
            while let Some(next) = to[at] {
                if std::mem::replace(&mut visited[at], true) && chain.contains(&at) {
                    to[at] = None;
                    break;
                }
                chain.push(at);
                at = next;
            }
            for l in chain {
                if l != at {
                    to[l] = Some(at);
                }
            }
        }
        for l in self.f.locs.ids() {
            if let Some(end) = to[l] {
                let e = self.out[l][0];
                self.remove(e);
                self.become_other(l, end);
            }
        }
        for list in self.out.values_mut().chain(self.into.values_mut()) {
            list.clear();
        }
        for (e, edge) in self.f.edges.iter_mut().filter(|(e, _)| !self.merged.removed[e.index()]) {
            edge.to = to[edge.to].unwrap_or(edge.to);
            self.out[edge.from].push(e);
            self.into[edge.to].push(e);
        }
    }

    fn become_other(&mut self, l: Loc, other: Loc) {
        if self.merged.fates[l] == Fate::Kept(l) {
            self.merged.fates[l] = Fate::Kept(other);
        }
    }

    /// Where a location became one that then became another.
    fn resolve(&mut self) {
        for l in self.f.locs.ids() {
            while let Fate::Kept(next) = self.merged.fates[l]
                && self.merged.fates[next] != Fate::Kept(next)
            {
                self.merged.fates[l] = self.merged.fates[next];
            }
        }
    }

    /// A loop head (or the entry) that only steps to an inner location takes over its edges.
    fn absorb(&mut self) {
        let tt = self.terms.tt();
        for l in self.f.locs.ids() {
            while let [e] = self.out[l][..]
                && is_skip(tt, &self.f.edges[e].op)
                && self.f.edges[e].to != l
                && self.is_inner(self.f.edges[e].to)
                && self.into[self.f.edges[e].to].len() == 1
                && self.f.locs[l].kind == LocKind::Plain
                && self.may_take_over(l, self.f.edges[e].to)
            {
                let next = self.f.edges[e].to;
                self.remove(e);
                self.out[l] = std::mem::take(&mut self.out[next]);
                self.into[next].clear();
                for e in &self.out[l] {
                    self.f.edges[*e].from = l;
                }
                self.become_other(next, l);
            }
        }
    }

    /// Inputs are found by the frame of the location they start from, so they stay in it.
    fn may_take_over(&self, l: Loc, next: Loc) -> bool {
        let is_input = |e: &Edge| matches!(self.f.edges[*e].op, Op::Havoc { .. });
        self.f.locs[l].frame == self.f.locs[next].frame || !self.out[next].iter().any(is_input)
    }

    /// Several conditions between the same two locations are one.
    fn parallel(&mut self) {
        let mut first: FxHashMap<Loc, Edge> = FxHashMap::default();
        for l in self.f.locs.ids() {
            if self.out[l].len() < 2 {
                continue;
            }
            first.clear();
            for e in self.out[l].clone() {
                let Op::Assume(c) = self.f.edges[e].op else { continue };
                match first.get(&self.f.edges[e].to) {
                    None => {
                        first.insert(self.f.edges[e].to, e);
                    }
                    Some(other) => {
                        let Op::Assume(d) = self.f.edges[*other].op else { continue };
                        self.f.edges[*other].op = Op::Assume(self.terms.or(d, c));
                        self.remove(e);
                        self.out[l].retain(|x| *x != e);
                    }
                }
            }
        }
    }
}

fn rename_target(op: &mut Op, x: Var) {
    match op {
        Op::Havoc { vars, .. } => vars[0] = x,
        Op::Load { dst, .. } | Op::Alloc { dst, .. } => *dst = x,
        Op::Call { dst, .. } | Op::Print { dst, .. } => *dst = Some(x),
        Op::Assign(pairs) => pairs[0].0 = x,
        _ => {}
    }
}

/// The parallel assignment that does `a`, then `b`.
fn compose(terms: &mut Store, infos: &Table<Var, VarInfo>, a: &[(Var, Term)], b: &[(Var, Term)]) -> Op {
    let mut before = Substitution::new();
    for (v, t) in a {
        before.insert(terms, infos[*v].term, *t);
    }
    let mut pairs: Vec<(Var, Term)> = a.iter().copied().filter(|(v, _)| b.iter().all(|(w, _)| w != v)).collect();
    pairs.extend(b.iter().map(|(v, t)| (*v, before.apply(terms, *t))));
    Op::Assign(pairs)
}
