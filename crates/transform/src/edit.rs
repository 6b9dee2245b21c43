//! Small tools that every pass needs: mapping the terms of an operation, and leaving out what is no longer wanted.

use crate::restore::Fate;
use base::Table;
use cfa::{EndKind, Func, Function, Loc, LocKind, Op, Program, Var};
use flow::{Accesses, CallGraph, DomTree, GlobalEffects, Graph, Ssa, TermVars, can_reach, can_run_forever, reachable};
use term::Term;

/// Replaces every term that the operation reads.
pub(crate) fn map_terms(op: &mut Op, mut map: impl FnMut(Term) -> Term) {
    op.for_terms_mut(|t| *t = map(*t));
}

/// Replaces every variable that the operation writes.
pub(crate) fn map_written(op: &mut Op, map: impl Fn(Var) -> Var) {
    op.for_written_mut(|v| *v = map(*v));
}

/// Whether the edge is a plain step: `assume true`, or an assignment of nothing.
pub(crate) fn is_skip(program_true: Term, op: &Op) -> bool {
    match op {
        Op::Assume(c) => *c == program_true,
        Op::Assign(pairs) => pairs.is_empty(),
        Op::Havoc { vars, .. } => vars.is_empty(),
        _ => false,
    }
}

/// What the analyses of one function say; made anew whenever the function has changed.
pub(crate) struct Facts {
    pub graph: Graph,
    pub dom: DomTree,
    pub accesses: Accesses,
    pub ssa: Ssa,
    /// The term of each variable of the function, by its slot.
    pub slot_terms: Vec<Term>,
}

impl Facts {
    pub(crate) fn of(program: &Program, function: Func, effects: &GlobalEffects, vars: &mut TermVars) -> Facts {
        let f = &program.functions[function];
        let graph = Graph::of(f);
        let dom = DomTree::dominators(&graph);
        let accesses = Accesses::of(program, f, effects, vars);
        let ssa = Ssa::of(&graph, &dom, &accesses);
        let slot_terms = accesses.vars().iter().map(|v| program.term(*v)).collect();
        Facts { graph, dom, accesses, ssa, slot_terms }
    }
}

impl Facts {
    /// Calls `visit` with the version of each variable in `t`, a term on the edge.
    pub(crate) fn each_version(
        &self,
        vars: &mut TermVars,
        terms: &term::Store,
        e: cfa::Edge,
        t: Term,
        mut visit: impl FnMut(flow::Def),
    ) {
        let (reads, uses) = (self.accesses.reads(e), self.ssa.uses(e));
        vars.each(terms, &[t], |v| {
            let i = reads.iter().position(|read| *read == v).expect("read by the edge");
            visit(uses[i]);
        });
    }

    /// The term of a variable that occurs in the function.
    pub(crate) fn term(&self, v: Var) -> Term {
        self.slot_terms[self.accesses.slot(v)]
    }
}

/// The effects of calls on globals.
pub(crate) fn effects(program: &Program) -> GlobalEffects {
    GlobalEffects::of(program, &CallGraph::of(program))
}

/// What executions are looked for: it decides which code can be left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Aim {
    /// Everything that can happen: only unreachable code goes.
    All,
    /// Infinite runs, and runs to a target.
    InfiniteRuns,
    /// Runs to a target.
    Targets,
}

/// Takes out the edges marked in `removed`, then everything that the entry does not reach or the aim does not need, and
/// renumbers. Returns what became of each location, given (in old numbers) what the pass has done to it so far.
pub(crate) fn compact(
    function: &mut Function,
    aim: Aim,
    removed: &dyn Fn(cfa::Edge) -> bool,
    fate: impl Fn(Loc) -> Fate,
) -> Table<Loc, Fate> {
    let graph = Graph::with_edges(function, |e| !removed(e));
    let reached = reachable(&graph, [function.entry]);
    let wanted = match aim {
        Aim::All => Table::filled(true, graph.len()),
        Aim::Targets => can_reach(&graph, flow::targets(function)),
        Aim::InfiniteRuns => {
            let mut wanted = can_reach(&graph, flow::targets(function));
            for (l, forever) in can_run_forever(&graph).iter() {
                wanted[l] |= forever;
            }
            wanted
        }
    };
    let keep = |l: Loc| reached[l] && wanted[l] || l == function.entry || l == function.exit;
    let mut number: Table<Loc, Option<Loc>> = Table::filled(None, graph.len());
    let mut locs = Table::new();
    for (l, location) in function.locs.iter() {
        if keep(l) {
            number[l] = Some(locs.push(location.clone()));
        }
    }
    let mut edges = Table::new();
    let mut has_successor = Table::filled(false, locs.len());
    for (e, edge) in std::mem::take(&mut function.edges).iter_mut() {
        if let (false, Some(from), Some(to)) = (removed(e), number[edge.from], number[edge.to])
            && reached[edge.from]
            && wanted[edge.to]
        {
            has_successor[from] = true;
            let op = std::mem::replace(&mut edge.op, Op::Assign(Vec::new()));
            edges.push(cfa::EdgeInfo { from, to, op, span: edge.span, site: edge.site });
        }
    }
    let (entry, exit) = (number[function.entry].expect("kept"), number[function.exit].expect("kept"));
    for (l, location) in locs.iter_mut() {
        // An execution that has nowhere to go is blocked.
        if !has_successor[l] && location.kind == LocKind::Plain && l != exit {
            location.kind = LocKind::End(EndKind::Blocked);
        }
    }
    let fates = number
        .iter()
        .map(|(l, new)| match (fate(l), new) {
            (Fate::Kept(into), _) if !reached[into] => Fate::Unreachable,
            (Fate::Kept(into), _) => match number[into] {
                Some(new) if reached[into] && (wanted[into] || into == function.entry) => Fate::Kept(new),
                _ => Fate::Irrelevant,
            },
            (gone, _) => gone,
        })
        .collect();
    (function.locs, function.edges, function.entry, function.exit) = (locs, edges, entry, exit);
    fates
}
