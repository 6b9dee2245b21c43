//! Tail calls are jumps: recursion whose calls come last is a loop, and is folded like one.
//!
//! A call is the last thing that its function does if control goes from it straight to the exit, with the callee's result
//! as the function's own. Then nothing of the activation is needed any more (stack objects would still have to die), and
//! the call is an assignment to the parameters and a jump to the entry. Where functions call each other like this, each
//! absorbs a copy of the others first. Functions that recur in other ways, too, are left alone: contracts know no loops.

use crate::edit::{is_skip, map_terms, map_written};
use base::Table;
use cfa::{Edge, EdgeInfo, Func, Function, Loc, Op, Program, Var, VarKind};
use flow::CallGraph;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use term::{Substitution, Term};

/// Turns the tail calls among recursive functions of a program in function form into jumps.
pub fn fold_tail_calls(mut program: Program) -> Program {
    let calls = CallGraph::of(&program);
    let mut tails: BTreeMap<Func, Vec<Edge>> = BTreeMap::new();
    for component in calls.bottom_up().iter().filter(|c| calls.is_recursive(c[0])) {
        let found: Option<Vec<_>> = component.iter().map(|f| Some((*f, tail_calls(&program, &calls, *f)?))).collect();
        tails.extend(found.into_iter().flatten());
    }
    let functions: Vec<Func> = tails.keys().copied().collect();
    let originals: BTreeMap<Func, Function> = functions.iter().map(|f| (*f, program.functions[*f].clone())).collect();
    let locals = locals(&program, &functions);
    for into in functions {
        Fold { program: &mut program, into, originals: &originals, locals: &locals, tails: &tails }.run();
    }
    program
}

/// The recursive calls in `f`, if all of them are the last thing it does.
fn tail_calls(program: &Program, calls: &CallGraph, f: Func) -> Option<Vec<Edge>> {
    let function = &program.functions[f];
    let successors = function.successors();
    let is_tail = |info: &EdgeInfo| {
        let Op::Call { dst, .. } = &info.op else { return false };
        let mut result = *dst;
        let mut at = info.to;
        // As many steps as there are locations lead to the exit or around in circles.
        for _ in 0..function.locs.len() {
            if at == function.exit {
                return result == function.result;
            }
            let [next] = successors[at][..] else { return false };
            match (&function.edges[next].op, result) {
                (Op::Assign(pairs), Some(v))
                    if function.result.is_some_and(|r| pairs[..] == [(r, program.term(v))]) =>
                {
                    result = function.result;
                }
                (op, _) if is_skip(program.terms.tt(), op) => {}
                _ => return false,
            }
            at = function.edges[next].to;
        }
        false
    };
    let is_recursive =
        |info: &EdgeInfo| matches!(info.op, Op::Call { callee, .. } if calls.mutually_recursive(f, callee));
    let recursive = function.edges.iter().filter(|(_, info)| is_recursive(info));
    recursive.map(|(edge, info)| is_tail(info).then_some(edge)).collect()
}

/// The local variables of each of the functions.
fn locals(program: &Program, functions: &[Func]) -> BTreeMap<Func, Vec<Var>> {
    let mut locals: BTreeMap<Func, Vec<Var>> = functions.iter().map(|f| (*f, Vec::new())).collect();
    for (var, info) in program.vars.iter() {
        if let VarKind::Local(f) = info.kind
            && let Some(list) = locals.get_mut(&f)
        {
            list.push(var);
        }
    }
    locals
}

/// One function at work.
struct Fold<'a> {
    program: &'a mut Program,
    into: Func,
    originals: &'a BTreeMap<Func, Function>,
    locals: &'a BTreeMap<Func, Vec<Var>>,
    tails: &'a BTreeMap<Func, Vec<Edge>>,
}

/// Where a function can be jumped to.
struct Body {
    entry: Loc,
    params: Vec<Var>,
}

impl Fold<'_> {
    fn run(&mut self) {
        let own = &self.originals[&self.into];
        let mut bodies = BTreeMap::from([(self.into, Body { entry: own.entry, params: own.params.clone() })]);
        let mut open: Vec<Edge> = self.tails[&self.into].clone();
        while let Some(edge) = open.pop() {
            let Op::Call { callee, args, .. } = self.program.functions[self.into].edges[edge].op.clone() else {
                unreachable!("a tail call is a call")
            };
            let body = bodies.entry(callee).or_insert_with(|| {
                let (body, tails) = self.absorb(callee);
                open.extend(tails);
                body
            });
            let (to, op) = (body.entry, Op::Assign(body.params.iter().copied().zip(args).collect()));
            let jump = &mut self.program.functions[self.into].edges[edge];
            (jump.to, jump.op) = (to, op);
        }
    }

    /// Copies the body of `callee`, which returns where this function does; its tail calls are still to be folded.
    fn absorb(&mut self, callee: Func) -> (Body, Vec<Edge>) {
        let original = &self.originals[&callee];
        let mut vars: FxHashMap<Var, Var> = FxHashMap::default();
        let mut terms = Substitution::new();
        for &v in &self.locals[&callee] {
            let info = self.program.vars[v].clone();
            let name = format!("{}::{}", self.originals[&self.into].name, self.program.name(v));
            let copy = self.program.add_var(&name, info.sort, VarKind::Local(self.into), info.source);
            (self.program.vars[copy].raw, self.program.vars[copy].pointer) = (info.raw, info.pointer);
            let (from, to) = (self.program.term(v), self.program.term(copy));
            terms.insert(&self.program.terms, from, to);
            vars.insert(v, copy);
        }
        let var = |v: Var| vars.get(&v).copied().unwrap_or(v);
        let mut locs: Table<Loc, Loc> = Table::new();
        for location in original.locs.values() {
            locs.push(self.program.functions[self.into].locs.push(location.clone()));
        }
        let mut tails = Vec::new();
        for (edge, info) in original.edges.iter() {
            let mut op = info.op.clone();
            map_terms(&mut op, |t: Term| terms.apply(&mut self.program.terms, t));
            map_written(&mut op, var);
            let copy = EdgeInfo { from: locs[info.from], to: locs[info.to], op, ..info.clone() };
            let copy = self.program.functions[self.into].edges.push(copy);
            if self.tails[&callee].contains(&edge) {
                tails.push(copy);
            }
        }
        let own = self.program.functions[self.into].clone();
        let returned = own.result.zip(original.result).map(|(mine, theirs)| (mine, self.program.term(var(theirs))));
        self.program.functions[self.into].edges.push(EdgeInfo {
            from: locs[original.exit],
            to: own.exit,
            op: Op::Assign(returned.into_iter().collect()),
            span: original.span,
            site: None,
        });
        let params = original.params.iter().map(|v| var(*v)).collect();
        (Body { entry: locs[original.entry], params }, tails)
    }
}
