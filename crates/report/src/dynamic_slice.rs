//! Which events of a run matter for its error: dynamic slicing (Korel and Laski, 1988), backwards along what was watched.
//!
//! An event matters if it writes what is needed later, or decides whether something that matters is reached. A loop that
//! was left is one event: it writes and reads what its edges do. Memory is one thing: whoever needs a byte needs all.

use crate::facts::{Effects, is_store, reads};
use crate::model::{Change, Place, Step};
use crate::value;
use crate::walk::{AllFacts, Event, What};
use base::{Id, Span};
use cfa::{Edge, Func, Loc, Op, Program, Var, VarKind};
use flow::LoopId;
use interpreter::Outcome;
use std::collections::BTreeSet;
use term::Value;

/// The steps that matter, from first to last.
pub(crate) fn steps(program: &Program, outcome: &Outcome, events: &[Event], facts: &AllFacts) -> Vec<Step> {
    let mut slice = Slice {
        program,
        facts,
        needed: BTreeSet::new(),
        memory: false,
        branches: BTreeSet::new(),
        entered: Vec::new(),
    };
    let depth = outcome.call_path.len();
    slice.entered = vec![true; depth + 1];
    slice.reached(depth, outcome.location.0, outcome.location.1);
    let mut steps: Vec<Step> = Vec::new();
    for event in events.iter().rev() {
        slice.event(event, &mut steps);
    }
    steps.reverse();
    steps
}

struct Slice<'a> {
    program: &'a Program,
    facts: &'a AllFacts,
    /// Variables whose values are needed, with the activation they belong to (0 for those of the whole program).
    needed: BTreeSet<(usize, Var)>,
    memory: bool,
    /// Branches that decide about what matters.
    branches: BTreeSet<(usize, Func, Loc)>,
    /// Whether something matters in the activation at each depth.
    entered: Vec<bool>,
}

impl Slice<'_> {
    fn key(&self, depth: usize, var: Var) -> (usize, Var) {
        match self.program.vars[var].kind {
            VarKind::Local(_) => (depth + 1, var),
            VarKind::Global | VarKind::Memory => (0, var),
        }
    }

    fn is_needed(&self, depth: usize, var: Var) -> bool {
        self.needed.contains(&self.key(depth, var))
    }

    fn need(&mut self, depth: usize, vars: impl IntoIterator<Item = Var>) {
        for var in vars {
            let key = self.key(depth, var);
            self.needed.insert(key);
        }
    }

    /// It matters that control came to the location.
    fn reached(&mut self, depth: usize, func: Func, loc: Loc) {
        if let Some(facts) = &self.facts[func.index()] {
            self.branches.extend(facts.controllers[loc.index()].iter().map(|branch| (depth, func, *branch)));
        }
        if self.entered.len() <= depth {
            self.entered.resize(depth + 1, false);
        }
        self.entered[depth] = true;
    }

    fn event(&mut self, event: &Event, steps: &mut Vec<Step>) {
        let (depth, func) = (event.depth, event.func);
        match &event.what {
            What::Loop { id, iterations, before, after } => {
                self.a_loop(depth, func, *id, *iterations, before.iter().zip(after), steps);
            }
            What::Return(edge, values) => self.came_back(depth, func, *edge, values, steps),
            What::Edge(edge, values) => {
                let info = &self.program.functions[func].edges[*edge];
                match &info.op {
                    Op::Call { callee, args, .. } => self.called(depth, func, info.from, *callee, args),
                    Op::Assume(_) => {
                        if self.branches.remove(&(depth, func, info.from)) {
                            self.need(depth, reads(self.program, &info.op));
                            self.reached(depth, func, info.from);
                        }
                    }
                    op => {
                        let written: Vec<Var> =
                            op.written().into_iter().filter(|v| self.is_needed(depth, *v)).collect();
                        if written.is_empty() && !(self.memory && is_store(op)) {
                            return;
                        }
                        self.show(depth, func, info.span, values, &written, steps);
                        for var in &written {
                            self.needed.remove(&self.key(depth, *var));
                        }
                        self.memory |= matches!(op, Op::Load { .. } | Op::Copy { .. });
                        match op {
                            Op::Assign(pairs) => {
                                let used: Vec<term::Term> =
                                    pairs.iter().filter(|(v, _)| written.contains(v)).map(|(_, t)| *t).collect();
                                let symbols = term::walk::free_vars(&self.program.terms, &used);
                                let vars: Vec<Var> =
                                    symbols.into_iter().filter_map(|s| self.program.var_of(s)).collect();
                                self.need(depth, vars);
                            }
                            _ => self.need(depth, reads(self.program, op)),
                        }
                        self.reached(depth, func, info.from);
                    }
                }
            }
        }
    }

    /// A call came back: its result is what the callee's result variable held.
    fn came_back(&mut self, depth: usize, func: Func, edge: Edge, values: &[(Var, Value)], steps: &mut Vec<Step>) {
        self.entered.truncate(depth + 1);
        let info = &self.program.functions[func].edges[edge];
        let Op::Call { callee, dst: Some(dst), .. } = &info.op else { return };
        if !self.is_needed(depth, *dst) {
            return;
        }
        self.show(depth, func, info.span, values, &[*dst], steps);
        self.needed.remove(&self.key(depth, *dst));
        self.need(depth + 1, self.program.functions[*callee].result);
        // That the call was made matters, whether or not anything in it is seen to.
        self.reached(depth + 1, *callee, self.program.functions[*callee].exit);
    }

    /// The beginning of an activation: what is needed of its parameters is needed of the arguments.
    fn called(&mut self, depth: usize, func: Func, from: Loc, callee: Func, args: &[term::Term]) {
        let inner = depth + 1;
        let matters = self.entered.get(inner).copied().unwrap_or(false);
        for (param, arg) in self.program.functions[callee].params.iter().zip(args) {
            if self.is_needed(inner, *param) {
                let symbols = term::walk::free_vars(&self.program.terms, &[*arg]);
                let vars: Vec<Var> = symbols.into_iter().filter_map(|s| self.program.var_of(s)).collect();
                self.need(depth, vars);
            }
        }
        self.needed.retain(|(at, _)| *at <= depth + 1);
        self.branches.retain(|(at, ..)| *at <= depth);
        if matters {
            self.entered.truncate(inner);
            self.reached(depth, func, from);
        }
    }

    fn a_loop<'v>(
        &mut self,
        depth: usize,
        func: Func,
        id: LoopId,
        iterations: u64,
        values: impl Iterator<Item = (&'v Option<Value>, &'v Option<Value>)>,
        steps: &mut Vec<Step>,
    ) {
        let Some(all) = &self.facts[func.index()] else { return };
        let facts = &all.of_loop[id];
        let effects = Effects::of(self.program, func, facts.edges.iter().copied());
        let written: BTreeSet<Var> = effects.writes.into_iter().filter(|v| self.is_needed(depth, *v)).collect();
        if written.is_empty() && !(self.memory && effects.stores) {
            return;
        }
        let header = all.loops.loops[id].header;
        let used = self.inside(func, &facts.edges, written);
        self.need(depth, used);
        self.reached(depth, func, header);
        let mut changes = Vec::new();
        for (var, pair) in facts.writes.iter().zip(values) {
            let (Some(source), (Some(from), Some(to))) = (&self.program.vars[*var].source, pair) else { continue };
            if from != to && self.is_needed(depth, *var) {
                let show = |value| value::show(value, source.signed);
                changes.push(Change { name: source.name.clone(), from: show(from), to: show(to) });
            }
        }
        steps.push(Step::Loop {
            place: Place::of(&self.program.sources, facts.span),
            function: self.program.functions[func].name.clone(),
            depth: shown_depth(depth),
            iterations,
            changes,
        });
    }

    /// What matters in a loop that matters: what its branches read, and what goes into variables that matter.
    fn inside(&mut self, func: Func, edges: &[Edge], mut matter: BTreeSet<Var>) -> BTreeSet<Var> {
        let program = self.program;
        loop {
            let before = (matter.len(), self.memory);
            for edge in edges {
                let op = &program.functions[func].edges[*edge].op;
                let of_call = match op {
                    Op::Call { callee, .. } => Effects::of(program, *callee, program.functions[*callee].edges.ids()),
                    _ => Effects::default(),
                };
                let writes = op.written().iter().chain(&of_call.writes).any(|v| matter.contains(v));
                let stores = self.memory && (is_store(op) || of_call.stores);
                if writes || stores || matches!(op, Op::Assume(_)) {
                    matter.extend(reads(program, op));
                    matter.extend(of_call.reads);
                    self.memory |= of_call.loads || matches!(op, Op::Load { .. } | Op::Copy { .. });
                }
            }
            if (matter.len(), self.memory) == before {
                return matter;
            }
        }
    }

    fn show(&self, depth: usize, func: Func, span: Span, values: &[(Var, Value)], of: &[Var], steps: &mut Vec<Step>) {
        for (var, now) in values.iter().filter(|(var, _)| of.contains(var)) {
            let Some(source) = &self.program.vars[*var].source else { continue };
            steps.push(Step::Assign {
                place: Place::of(&self.program.sources, span),
                function: self.program.functions[func].name.clone(),
                depth: shown_depth(depth),
                name: source.name.clone(),
                value: value::show(now, source.signed),
                line: self.program.sources.line(span).map(|line| line.trim().to_owned()),
            });
        }
    }
}

/// The generated start function is no call of the user's.
fn shown_depth(depth: usize) -> usize {
    depth.saturating_sub(1)
}
