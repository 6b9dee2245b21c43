//! The statements with which the program ends, other than by `exit`: the last ones of `main`. That memory is never freed is
//! checked behind them, where the user wrote nothing, so that witnesses name them.

use base::Span;
use cfa::{Edge, EdgeInfo, Func, Function, Loc, Op, Program};
use interpreter::{InOrder, Limits, Machine, Outcome, State, Watch, Watcher};
use std::collections::BTreeSet;

/// The functions with whose end the program ends: those that nobody but the generated start calls from there.
pub fn functions(program: &Program) -> impl Iterator<Item = Func> {
    program.functions[program.entry].edges.values().filter_map(|edge| match edge.op {
        Op::Call { callee, .. } => Some(callee),
        _ => None,
    })
}

/// The edges behind which only the closing brace does something.
pub fn edges(function: &Function) -> Vec<&EdgeInfo> {
    let predecessors = function.predecessors();
    let mut seen: BTreeSet<Loc> = BTreeSet::from([function.exit]);
    let (mut open, mut last) = (vec![function.exit], Vec::new());
    while let Some(loc) = open.pop() {
        for edge in predecessors[loc].iter().map(|edge| &function.edges[*edge]) {
            if !is_brace(function, edge) {
                last.push(edge);
            } else if seen.insert(edge.from) {
                open.push(edge.from);
            }
        }
    }
    last
}

fn is_brace(function: &Function, edge: &EdgeInfo) -> bool {
    let brace = function.locs[function.exit].span;
    matches!(edge.op, Op::Dead { .. }) || (edge.span.line, edge.span.col) == (brace.line, brace.col)
}

/// The last statement of a run that is repeated, with its function: none where the run is too long to be watched.
pub fn last_statement<'p>(program: &'p Program, outcome: &Outcome, steps: u64) -> Option<(Span, &'p str)> {
    if outcome.steps > steps {
        return None;
    }
    let watch = Watch { edges: true, ..Watch::default() };
    let machine = Machine::watching(program, &watch).ok()?;
    let mut last = Last { program, ends: functions(program).collect(), found: None };
    let limits = Limits::steps(steps).repeating(outcome);
    machine.run_with(&mut InOrder::replay(outcome), &limits, &mut std::io::sink(), Some(&mut last));
    let (func, edge) = last.found?;
    let function = &program.functions[func];
    Some((function.edges[edge].span, function.name.as_str()))
}

struct Last<'p> {
    program: &'p Program,
    ends: BTreeSet<Func>,
    found: Option<(Func, Edge)>,
}

impl Watcher for Last<'_> {
    fn edge(&mut self, _state: &State<'_>, func: Func, edge: Edge) {
        let function = &self.program.functions[func];
        if self.ends.contains(&func) && !is_brace(function, &function.edges[edge]) {
            self.found = Some((func, edge));
        }
    }
}
