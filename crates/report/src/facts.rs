//! What is known of each function before a run is watched: its loops, which branches decide whether a place is reached, and
//! what calls and loops read and write.

use crate::objects::pointer_in;
use base::{Id, Span, Table};
use cfa::{Edge, Func, Function, Loc, LocKind, Op, Program, Var};
use flow::{DomTree, Graph, LoopId, Loops, can_reach, control_dependence};
use std::collections::BTreeSet;
use term::Sort;

/// One function.
pub(crate) struct FunctionFacts {
    pub(crate) loops: Loops,
    pub(crate) of_loop: Table<LoopId, LoopFacts>,
    /// The branches that each location directly depends on.
    pub(crate) controllers: Vec<Vec<Loc>>,
    /// By edge: how a walk treats it.
    pub(crate) edges: Vec<EdgeFacts>,
    /// The user's pointer variables that it reads or writes.
    pub(crate) pointers: Vec<Var>,
}

pub(crate) struct EdgeFacts {
    /// Nothing follows from it: a plain step.
    pub(crate) is_plain: bool,
    pub(crate) is_call: bool,
    /// The user's variables that it writes, in the user's code; of a call, the result in any case.
    pub(crate) shown: Vec<Var>,
    /// The user's variables that it reads, in the user's code.
    pub(crate) read: Vec<Var>,
    /// The user's pointers that the addresses it reads and writes are made of.
    pub(crate) read_by: Option<Var>,
    pub(crate) written_by: Option<Var>,
    /// The loop whose head it leaves.
    pub(crate) head: Option<LoopId>,
}

pub(crate) struct LoopFacts {
    /// Where its keyword stands.
    pub(crate) span: Span,
    /// The body comes before the test.
    pub(crate) is_do: bool,
    /// The user's variables that it writes and that live longer than an iteration.
    pub(crate) writes: Vec<Var>,
    /// Its edges.
    pub(crate) edges: Vec<Edge>,
}

impl FunctionFacts {
    pub(crate) fn of(program: &Program, func: Func) -> FunctionFacts {
        let function = &program.functions[func];
        let graph = Graph::of(function);
        let loops = Loops::of(&graph);
        let mut of_loop = Table::new();
        for (id, body) in loops.loops.iter() {
            let own = |l: &&Loc| loops.innermost(**l) == Some(id);
            let keyword = body.body.iter().filter(own).find_map(|l| function.locs[*l].loop_span);
            let span = keyword.unwrap_or(function.locs[body.header].span);
            let inside: BTreeSet<Loc> = body.body.iter().copied().collect();
            let within = |e: &cfa::EdgeInfo| inside.contains(&e.from) && inside.contains(&e.to);
            let edges: Vec<Edge> = function.edges.iter().filter(|(_, e)| within(e)).map(|(id, _)| id).collect();
            let mut writes = Vec::new();
            for var in edges.iter().flat_map(|e| function.edges[*e].op.written()) {
                if !writes.contains(&var) && is_shown(program, var) && outlives(program, var, span) {
                    writes.push(var);
                }
            }
            of_loop.push(LoopFacts { span, is_do: keyword.is_some_and(|span| is_do(program, span)), writes, edges });
        }
        let edges = function.edges.values().map(|edge| {
            // What the generated start does is told as inputs.
            let told = func != program.entry && crate::execution::is_users(program, edge.span);
            let is_call = matches!(edge.op, Op::Call { .. });
            let (written, read) =
                if told { (edge.op.written(), reads(program, &edge.op)) } else { (Vec::new(), Vec::new()) };
            let (from, to) = match edge.op {
                Op::Load { addr, .. } => (Some(addr), None),
                Op::Store { addr, .. } => (None, Some(addr)),
                Op::Copy { dst, src, .. } => (Some(src), Some(dst)),
                Op::Fill { dst, .. } => (None, Some(dst)),
                _ => (None, None),
            };
            EdgeFacts {
                read_by: from.and_then(|address| pointer_in(program, address)),
                written_by: to.and_then(|address| pointer_in(program, address)),
                is_plain: matches!(edge.op, Op::Assume(_)) && graph.succs(edge.from).len() < 2,
                is_call,
                shown: written.into_iter().filter(|v| is_call || is_shown(program, *v)).collect(),
                read: read.into_iter().filter(|v| is_shown(program, *v)).collect(),
                head: loops.headed_by(edge.from),
            }
        });
        let edges: Vec<EdgeFacts> = edges.collect();
        let is_pointer = |v: &&Var| {
            let source = program.vars[**v].source.as_ref();
            source.is_some_and(|source| source.pointer && crate::execution::is_users(program, source.span))
        };
        let used = edges.iter().flat_map(|edge| edge.shown.iter().chain(&edge.read));
        let pointers: BTreeSet<Var> = used.chain(&function.params).filter(is_pointer).copied().collect();
        let pointers = pointers.into_iter().filter(|v| is_shown(program, *v)).collect();
        FunctionFacts { controllers: controllers(function, &graph, &loops), loops, of_loop, edges, pointers }
    }
}

/// A loop that only errors leave may go on for ever: else these would come to be without any branch deciding it.
fn controllers(function: &Function, graph: &Graph, loops: &Loops) -> Vec<Vec<Loc>> {
    let is_regular_end = |l: &Loc| graph.succs(*l).is_empty() && !matches!(function.locs[*l].kind, LocKind::Error(_));
    let regular = can_reach(graph, graph.locs().filter(is_regular_end));
    let may_stop = |l: Loc| loops.is_header(l) && !regular[l];
    let post = DomTree::postdominators(graph, may_stop);
    let mut out = vec![Vec::new(); graph.len()];
    for (dependent, branch) in control_dependence(graph, &post, |_| false) {
        out[dependent.index()].push(branch);
    }
    out
}

/// What a function and all it calls may do to what outlives them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Effects {
    pub(crate) reads: BTreeSet<Var>,
    pub(crate) writes: BTreeSet<Var>,
    pub(crate) loads: bool,
    pub(crate) stores: bool,
    /// Edges that get values from outside.
    pub(crate) inputs: BTreeSet<(Func, Edge)>,
}

impl Effects {
    /// Of some edges of a function, and of what they call.
    pub(crate) fn of(program: &Program, func: Func, edges: impl Iterator<Item = Edge>) -> Effects {
        let mut effects = Effects::default();
        let mut seen = BTreeSet::new();
        let mut calls = Vec::new();
        for edge in edges {
            effects.add(program, (func, edge), &mut calls);
        }
        while let Some(callee) = calls.pop() {
            if seen.insert(callee) {
                for edge in program.functions[callee].edges.ids() {
                    effects.add(program, (callee, edge), &mut calls);
                }
            }
        }
        effects
    }

    fn add(&mut self, program: &Program, site: (Func, Edge), calls: &mut Vec<Func>) {
        let op = &program.functions[site.0].edges[site.1].op;
        self.reads.extend(reads(program, op));
        self.writes.extend(op.written());
        self.loads |= matches!(op, Op::Load { .. } | Op::Copy { .. } | Op::Print { .. });
        self.stores |= is_store(op);
        if matches!(op, Op::Havoc { .. }) {
            self.inputs.insert(site);
        }
        if let Op::Call { callee, .. } = op {
            calls.push(*callee);
            self.writes.extend(&program.functions[*callee].params);
        }
    }
}

pub(crate) fn is_store(op: &Op) -> bool {
    matches!(op, Op::Store { .. } | Op::Copy { .. } | Op::Fill { .. } | Op::Disturb { .. })
}

/// The variables in the terms of an operation.
pub(crate) fn reads(program: &Program, op: &Op) -> Vec<Var> {
    let symbols = term::walk::free_vars(&program.terms, &op.terms());
    symbols.into_iter().filter_map(|symbol| program.var_of(symbol)).collect()
}

/// Numbers and pointers that the user named.
pub(crate) fn is_shown(program: &Program, var: Var) -> bool {
    let info = &program.vars[var];
    !matches!(info.sort, Sort::Array(_)) && info.source.as_ref().is_some_and(|source| !source.name.starts_with('&'))
}

/// Whether the variable was declared before the loop, or with it.
fn outlives(program: &Program, var: Var, keyword: Span) -> bool {
    let declared = program.vars[var].source.as_ref().map_or(Span::nowhere(), |source| source.span);
    declared.file != keyword.file || (declared.line, 0) <= (keyword.line, keyword.col)
}

fn is_do(program: &Program, keyword: Span) -> bool {
    let rest = program.sources.line(keyword).map(|line| line.chars().skip(keyword.col as usize - 1).take(2));
    rest.is_some_and(|word| word.eq("do".chars()))
}
