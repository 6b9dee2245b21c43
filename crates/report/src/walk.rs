//! The steps of a counterexample: its run once more, watched.
//!
//! Assignments to the user's variables are steps. Inside a loop only those of the current iteration are kept; a loop that
//! is left becomes one step, so that what is shown stays short however long the run is.

use crate::execution::is_users;
use crate::model::{Change, Place, Step};
use crate::value;
use base::{Span, Table};
use cfa::interp::{InOrder, Limit, Limits, Machine, Outcome, State, Watch, Watcher};
use cfa::{Edge, Func, Loc, Program, Var};
use flow::{Graph, LoopId, Loops};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};
use term::{Sort, Value};

/// At most so long for walking.
const WALK_TIME: Duration = Duration::from_millis(1500);
/// At most so many steps are kept of each iteration: the last ones.
const MOST_STEPS: usize = 1000;

/// The steps of a run, and why some are missing.
pub(crate) fn steps(program: &Program, outcome: &Outcome) -> (Vec<Step>, Option<String>) {
    let watch = Watch { edges: true, locations: vec![outcome.location] };
    let machine = match Machine::watching(program, &watch) {
        Ok(machine) => machine,
        Err(unsupported) => return (Vec::new(), Some(format!("the steps are not known: {unsupported}"))),
    };
    let mut inputs = InOrder::replay(outcome);
    let mut walk = Walk::new(program);
    let deadline = Instant::now() + WALK_TIME;
    let limits = Limits { deadline: Some(deadline), record: false, ..Limits::default() };
    let again = machine.run_with(&mut inputs, &limits, &mut std::io::sink(), Some(&mut walk));
    if again.ending == cfa::interp::Ending::Limit(Limit::Time) {
        return (Vec::new(), Some(format!("the steps are not shown: there are {}", outcome.steps)));
    }
    if again.ending != outcome.ending || again.location != outcome.location {
        return (Vec::new(), Some("the steps are not known: the run could not be repeated".into()));
    }
    let dropped = walk.dropped;
    (walk.finish(), (dropped > 0).then(|| format!("{dropped} earlier steps were dropped")))
}

/// The loops of one function, and what is known of each.
struct FunctionLoops {
    loops: Loops,
    facts: Table<LoopId, LoopFacts>,
}

struct LoopFacts {
    /// Where its keyword stands.
    span: Span,
    /// The body comes before the test.
    is_do: bool,
    /// The user's variables that it writes and that live longer than an iteration.
    writes: Vec<Var>,
}

/// The run so far, or an iteration of a loop.
struct Scope {
    depth: usize,
    /// Nothing for the whole run.
    of: Option<(Func, LoopId)>,
    iterations: u64,
    at_entry: Vec<Option<Value>>,
    at_head: Vec<Option<Value>>,
    steps: VecDeque<Step>,
}

/// An assignment whose value is known at the next edge of the same activation.
struct Pending {
    depth: usize,
    func: Func,
    span: Span,
    vars: Vec<Var>,
}

struct Walk<'p> {
    program: &'p Program,
    functions: BTreeMap<Func, FunctionLoops>,
    scopes: Vec<Scope>,
    pending: Vec<Pending>,
    dropped: usize,
}

impl<'p> Walk<'p> {
    fn new(program: &'p Program) -> Walk<'p> {
        let run = Scope {
            depth: 0,
            of: None,
            iterations: 0,
            at_entry: Vec::new(),
            at_head: Vec::new(),
            steps: VecDeque::new(),
        };
        Walk { program, functions: BTreeMap::new(), scopes: vec![run], pending: Vec::new(), dropped: 0 }
    }

    fn add(&mut self, step: Step) {
        let steps = &mut self.scopes.last_mut().expect("the whole run is a scope").steps;
        if steps.len() == MOST_STEPS {
            steps.pop_front();
            self.dropped += 1;
        }
        steps.push_back(step);
    }

    /// What was assigned in the activation at `depth`; activations inside it have ended.
    fn settle(&mut self, state: &State<'_>, depth: usize) {
        while let Some(last) = self.pending.pop_if(|pending| pending.depth >= depth) {
            if last.depth > depth {
                continue;
            }
            for var in last.vars {
                let (Some(source), Some(now)) = (&self.program.vars[var].source, state.value(var)) else { continue };
                self.add(Step::Assign {
                    place: Place::of(&self.program.sources, last.span),
                    function: self.program.functions[last.func].name.clone(),
                    depth: shown_depth(depth),
                    name: source.name.clone(),
                    value: value::show(&now, source.signed),
                });
            }
        }
    }

    /// Ends the innermost loop. `state` is that of its activation, if that is still there.
    fn leave(&mut self, state: Option<&State<'_>>) {
        let Some(scope) = self.scopes.pop() else { return };
        let Some((func, id)) = scope.of else { return };
        let facts = &self.functions[&func].facts[id];
        let iterations = scope.iterations + u64::from(facts.is_do);
        if iterations == 0 || !is_users(self.program, facts.span) {
            scope.steps.into_iter().for_each(|step| self.add(step));
            return;
        }
        let after = state.map_or(scope.at_head, |state| values(state, &facts.writes));
        let step = self.summary(func, id, scope.depth, iterations, &scope.at_entry, &after);
        self.add(step);
    }

    fn summary(
        &self,
        func: Func,
        id: LoopId,
        depth: usize,
        iterations: u64,
        before: &[Option<Value>],
        after: &[Option<Value>],
    ) -> Step {
        let facts = &self.functions[&func].facts[id];
        let mut changes = Vec::new();
        for (var, pair) in facts.writes.iter().zip(before.iter().zip(after)) {
            let (Some(source), (Some(from), Some(to))) = (&self.program.vars[*var].source, pair) else { continue };
            if from != to {
                let show = |value| value::show(value, source.signed);
                changes.push(Change { name: source.name.clone(), from: show(from), to: show(to) });
            }
        }
        Step::Loop {
            place: Place::of(&self.program.sources, facts.span),
            function: self.program.functions[func].name.clone(),
            depth: shown_depth(depth),
            iterations,
            changes,
        }
    }

    /// The steps from first to last; a loop that is not left is told by its whole iterations and the steps of the last.
    fn finish(mut self) -> Vec<Step> {
        let mut steps = Vec::new();
        for scope in std::mem::take(&mut self.scopes) {
            if let Some((func, id)) = scope.of
                && scope.iterations > 0
                && is_users(self.program, self.functions[&func].facts[id].span)
            {
                steps.push(self.summary(func, id, scope.depth, scope.iterations, &scope.at_entry, &scope.at_head));
            }
            steps.extend(scope.steps);
        }
        steps
    }
}

impl Watcher for Walk<'_> {
    fn edge(&mut self, state: &State<'_>, func: Func, edge: Edge) {
        let program = self.program;
        let depth = state.call_path().len();
        self.functions.entry(func).or_insert_with(|| FunctionLoops::of(program, func));
        let info = &program.functions[func].edges[edge];
        while self.scopes.last().is_some_and(|scope| scope.depth > depth) {
            self.leave(None);
        }
        self.settle(state, depth);
        while let Some(&Scope { depth: at, of: Some((owner, id)), .. }) = self.scopes.last()
            && at == depth
            && (owner != func || !self.functions[&func].loops.contains(id, info.from))
        {
            self.leave(Some(state));
        }
        let known = &self.functions[&func];
        if let Some(id) = known.loops.headed_by(info.from) {
            let now = values(state, &known.facts[id].writes);
            match self.scopes.last_mut() {
                Some(scope) if scope.depth == depth && scope.of == Some((func, id)) => {
                    scope.iterations += 1;
                    scope.at_head = now;
                    scope.steps.clear();
                }
                _ => self.scopes.push(Scope {
                    depth,
                    of: Some((func, id)),
                    iterations: 0,
                    at_entry: now.clone(),
                    at_head: now,
                    steps: VecDeque::new(),
                }),
            }
        }
        if is_users(program, info.span) {
            let vars: Vec<Var> = info.op.written().into_iter().filter(|v| is_shown(program, *v)).collect();
            if !vars.is_empty() {
                self.pending.push(Pending { depth, func, span: info.span, vars });
            }
        }
    }

    fn location(&mut self, state: &State<'_>, _: Func, _: Loc) -> ControlFlow<()> {
        self.settle(state, state.call_path().len());
        ControlFlow::Continue(())
    }
}

impl FunctionLoops {
    fn of(program: &Program, func: Func) -> FunctionLoops {
        let function = &program.functions[func];
        let loops = Loops::of(&Graph::of(function));
        let mut facts = Table::new();
        for (id, body) in loops.loops.iter() {
            let own = |l: &&Loc| loops.innermost(**l) == Some(id);
            let keyword = body.body.iter().filter(own).find_map(|l| function.locs[*l].loop_span);
            let span = keyword.unwrap_or(function.locs[body.header].span);
            let inside: BTreeSet<Loc> = body.body.iter().copied().collect();
            let mut writes = Vec::new();
            for edge in function.edges.values().filter(|e| inside.contains(&e.from) && inside.contains(&e.to)) {
                for var in edge.op.written() {
                    if !writes.contains(&var) && is_shown(program, var) && outlives(program, var, span) {
                        writes.push(var);
                    }
                }
            }
            facts.push(LoopFacts { span, is_do: keyword.is_some_and(|span| is_do(program, span)), writes });
        }
        FunctionLoops { loops, facts }
    }
}

/// Numbers that the user named.
fn is_shown(program: &Program, var: Var) -> bool {
    let info = &program.vars[var];
    !matches!(info.sort, Sort::Array(_)) && info.source.as_ref().is_some_and(|source| !source.pointer)
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

fn values(state: &State<'_>, vars: &[Var]) -> Vec<Option<Value>> {
    vars.iter().map(|v| state.value(*v)).collect()
}

/// The generated start function is no call of the user's.
fn shown_depth(depth: usize) -> usize {
    depth.saturating_sub(1)
}
