//! Walking where a danger invariant leads: the interpreter runs the flat program with the inputs that its choices give.
//!
//! The inputs become a trace, which is then run like any other; equal inputs in a row are written once.

use crate::limits::replay::{BEGINNING_STEPS, MOST_INPUTS};
use cfa::evidence::Repeat;
use cfa::evidence::{Danger, DeepTrace, Trace};
use cfa::{Edge, Func, Op, Program, Var};
use interpreter::{Ask, Ending, Inputs, Limits, Machine, Outcome, State, Unsupported, Watch, Watcher};
use std::collections::BTreeMap;
use term::{Evaluator, Store, Term, Value};

/// What became of the walk.
#[derive(Clone, Debug)]
pub enum Followed {
    /// The error is reached.
    Error(Box<DeepTrace>),
    /// Not within the limits.
    TooLong,
    /// The run goes elsewhere, or cannot be made: how.
    Elsewhere(String),
}

/// Follows the choices from the initial state, for at most so many edges. Inputs without a choice are zero.
pub fn follow(program: &Program, terms: &Store, danger: &Danger, limits: &Limits) -> Followed {
    let Walk { outcome, inputs, full } = match walk(program, terms, danger, limits) {
        Ok(walk) => walk,
        Err(unsupported) => return Followed::Elsewhere(format!("the interpreter does not know {}", unsupported.0)),
    };
    match outcome.ending {
        Ending::Error(_) if !full => {
            let (inputs, repeats) = written(inputs);
            let trace = Trace { target: outcome.location.1, inputs, initial: danger.initial.clone() };
            Followed::Error(Box::new(DeepTrace { trace, repeats, steps: outcome.steps }))
        }
        Ending::Error(_) | Ending::Limit(_) => Followed::TooLong,
        other => Followed::Elsewhere(format!("{other:?} at {}", outcome.location.1)),
    }
}

/// The first inputs on the way, at most so many.
pub fn beginning(program: &Program, terms: &Store, danger: &Danger, count: usize) -> Vec<(Edge, Vec<Value>)> {
    let Ok(Walk { inputs, .. }) = walk(program, terms, danger, &Limits::steps(BEGINNING_STEPS)) else {
        return Vec::new();
    };
    let each = inputs.into_iter().flat_map(|(input, times)| (0..times).map(move |_| input.clone()));
    each.take(count).collect()
}

/// The first edges of a walk that never ends, at most so many, with the values of inputs.
pub fn first_edges(program: &Program, terms: &Store, danger: &Danger, count: u64) -> Vec<(Edge, Vec<Value>)> {
    let mut passed = Passed { noted: Noted::new(program, terms, danger), edges: Vec::new() };
    match walk_watched(program, terms, danger, &Limits::steps(count), &mut passed) {
        Ok(_) => passed.edges,
        Err(_) => Vec::new(),
    }
}

struct Walk {
    outcome: Outcome,
    inputs: Vec<Given>,
    /// There were more inputs than are written down.
    full: bool,
}

fn walk(program: &Program, terms: &Store, danger: &Danger, limits: &Limits) -> Result<Walk, Unsupported> {
    let mut noted = Noted::new(program, terms, danger);
    let outcome = walk_watched(program, terms, danger, limits, &mut noted)?;
    Ok(Walk { outcome, inputs: noted.inputs, full: noted.full })
}

fn walk_watched(
    program: &Program,
    terms: &Store,
    danger: &Danger,
    limits: &Limits,
    watcher: &mut dyn Watcher,
) -> Result<Outcome, Unsupported> {
    let mut fixed = program.clone();
    fixed.terms = terms.clone();
    let entry = fixed.entry;
    for (edge, chosen) in &danger.choice {
        let info = &mut fixed.functions[entry].edges[*edge];
        if let Op::Havoc { vars, .. } = &info.op {
            info.op = Op::Assign(vars.iter().copied().zip(chosen.iter().copied()).collect());
        }
    }
    let machine = Machine::watching(&fixed, &Watch { edges: true, locations: Vec::new() })?;
    let mut initial = Initial { values: &danger.initial };
    let limits = Limits { record: false, ..limits.clone() };
    Ok(machine.run_with(&mut initial, &limits, &mut std::io::sink(), Some(watcher)))
}

/// The inputs of an edge, and how often they are given in a row.
type Given = ((Edge, Vec<Value>), u64);

fn written(given: Vec<Given>) -> (Vec<(Edge, Vec<Value>)>, Vec<Repeat>) {
    let many = |(i, (_, times)): (usize, &Given)| (*times > 1).then_some(Repeat { from: i, len: 1, times: *times });
    let repeats = given.iter().enumerate().filter_map(many).collect();
    (given.into_iter().map(|(input, _)| input).collect(), repeats)
}

struct Initial<'a> {
    values: &'a BTreeMap<Var, Value>,
}

impl Inputs for Initial<'_> {
    fn value(&mut self, ask: &Ask<'_>) -> Value {
        Value::zero(ask.sort)
    }

    fn initial(&mut self, var: Var, sort: term::Sort) -> Value {
        self.values.get(&var).cloned().unwrap_or_else(|| Value::zero(sort))
    }
}

/// Writes down what is chosen.
struct Noted<'a> {
    program: &'a Program,
    terms: &'a Store,
    danger: &'a Danger,
    inputs: Vec<Given>,
    full: bool,
}

impl Watcher for Noted<'_> {
    fn edge(&mut self, state: &State<'_>, _: Func, edge: Edge) {
        let Some(values) = self.given(state, edge) else { return };
        let input = (edge, values);
        let written = self.inputs.len();
        match self.inputs.last_mut() {
            Some((last, times)) if *last == input => *times += 1,
            _ if written < MOST_INPUTS => self.inputs.push((input, 1)),
            _ => self.full = true,
        }
    }
}

/// Writes down every edge.
struct Passed<'a> {
    noted: Noted<'a>,
    edges: Vec<(Edge, Vec<Value>)>,
}

impl Watcher for Passed<'_> {
    fn edge(&mut self, state: &State<'_>, _: Func, edge: Edge) {
        let values = self.noted.given(state, edge).unwrap_or_default();
        self.edges.push((edge, values));
    }
}

impl<'a> Noted<'a> {
    fn new(program: &'a Program, terms: &'a Store, danger: &'a Danger) -> Noted<'a> {
        Noted { program, terms, danger, inputs: Vec::new(), full: false }
    }

    /// What the edge gives to its variables, if it takes inputs.
    fn given(&self, state: &State<'_>, edge: Edge) -> Option<Vec<Value>> {
        let Some(Op::Havoc { vars, .. }) = self.program.main().edges.get(edge).map(|e| &e.op) else { return None };
        Some(match self.danger.choice.get(&edge) {
            Some(chosen) => chosen.iter().map(|t| self.value(state, *t)).collect(),
            None => vars.iter().map(|v| Value::zero(self.program.vars[*v].sort)).collect(),
        })
    }

    fn value(&self, state: &State<'_>, t: Term) -> Value {
        if let Some(value) = self.terms.as_value(t) {
            return value;
        }
        let mut values: BTreeMap<Term, Value> = BTreeMap::new();
        for symbol in term::walk::free_vars(self.terms, &[t]) {
            if let Some(value) = self.program.var_of(symbol).and_then(|v| state.value(v)) {
                values.insert(symbol, value);
            }
        }
        let value = Evaluator::new(&values).eval(self.terms, t);
        value.unwrap_or_else(|_| Value::zero(self.terms.sort(t)))
    }
}
