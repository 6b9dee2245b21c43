//! From a solver's model back to an execution of the automaton.

use crate::post::step;
use crate::state::State;
use crate::unroll::{Node, Unroller};
use cfa::evidence::Trace;
use cfa::{Edge, Op, Program};
use engine::{Cx, Stop};
use smallvec::SmallVec;
use smt::{Model, Solver, Why};
use std::collections::BTreeMap;
use term::eval::OrZero;
use term::{Evaluator, Store, Term, Value};

/// The model that a solver has just found, read once: evaluating terms in it is far cheaper than asking for each.
pub struct Reading<'s> {
    evaluator: Evaluator<OrZero<Model>>,
    solver: &'s mut dyn Solver,
}

impl<'s> Reading<'s> {
    /// Reads what `asked`, the facts and assumptions of the check, mention. What they do not is zero.
    pub fn of(terms: &Store, solver: &'s mut dyn Solver, asked: &[Term]) -> Result<Reading<'s>, Why> {
        let evaluator = Evaluator::new(OrZero(Model::read(solver, terms, asked)?));
        Ok(Reading { evaluator, solver })
    }

    pub fn value(&mut self, terms: &Store, t: Term) -> Result<Value, Why> {
        match self.evaluator.eval(terms, t) {
            Ok(value) => Ok(value),
            // What SMT-LIB leaves open is as the solver chose.
            Err(_) => self.solver.value(terms, t),
        }
    }

    pub fn holds(&mut self, terms: &Store, t: Term) -> Result<bool, Why> {
        Ok(self.value(terms, t)? == Value::Bool(true))
    }

    pub fn values(&mut self, terms: &Store, symbols: &[Term]) -> Result<Vec<Value>, Why> {
        symbols.iter().map(|symbol| self.value(terms, *symbol)).collect()
    }
}

/// One step of an execution in the unwinding.
#[derive(Clone, Debug)]
pub struct Taken {
    /// The instance that is left.
    pub from: Node,
    pub edge: Edge,
    /// The symbols that the edge's havoc introduced.
    pub inputs: SmallVec<[Term; 1]>,
}

/// The way from the start to `target` in a model.
pub fn path_to(
    terms: &Store,
    unroller: &Unroller<'_>,
    target: Node,
    model: &mut Reading<'_>,
) -> Result<Vec<Taken>, Why> {
    let mut path = Vec::new();
    let mut node = target;
    loop {
        let arrivals = &unroller.nodes[node].incoming;
        let mut taken = &arrivals[0];
        for arrival in arrivals {
            if model.holds(terms, arrival.guard)? {
                taken = arrival;
                break;
            }
        }
        let Some((from, edge)) = taken.from else { break };
        path.push(Taken { from, edge, inputs: taken.inputs.clone() });
        node = from;
    }
    path.reverse();
    Ok(path)
}

/// The execution that leads to `target` in a model.
pub fn from_model(
    program: &Program,
    terms: &Store,
    unroller: &Unroller<'_>,
    target: Node,
    model: &mut Reading<'_>,
) -> Result<Trace, Why> {
    let mut inputs = Vec::new();
    for taken in path_to(terms, unroller, target, model)? {
        if matches!(program.main().edges[taken.edge].op, Op::Havoc { .. }) {
            inputs.push((taken.edge, model.values(terms, &taken.inputs)?));
        }
    }
    let guard = unroller.nodes[target].guard;
    let initial = initial_values(program, terms, guard, |var| model.value(terms, var))?;
    Ok(Trace { target: unroller.nodes[target].loc, inputs, initial })
}

/// Whether a condition holds in the model that `solver` has just found.
pub fn holds(terms: &Store, solver: &mut dyn Solver, condition: Term) -> Result<bool, Why> {
    Ok(solver.value(terms, condition)? == Value::Bool(true))
}

/// An execution along the given edges from the entry, if there is one.
pub fn along(program: &Program, cx: &mut Cx, edges: &[Edge], solver: &mut dyn Solver) -> Result<Option<Trace>, Stop> {
    let mut state = State::arbitrary(program);
    let mut conditions = Vec::new();
    let mut symbols = Vec::new();
    let mut loc = program.main().entry;
    for &edge in edges {
        let info = &program.main().edges[edge];
        let Some(step) = step(program, &mut cx.terms, &state, &info.op) else { return Ok(None) };
        conditions.push(step.condition);
        if matches!(info.op, Op::Havoc { .. }) {
            symbols.push((edge, step.inputs));
        }
        state = step.state;
        loc = info.to;
    }
    let condition = cx.terms.and_all(&conditions);
    match cx.terms.as_bool_const(condition) {
        Some(false) => return Ok(None),
        Some(true) => {}
        None if !cx.is_sat(solver, &[condition])? => return Ok(None),
        None => {}
    }
    let free = term::walk::free_vars(&cx.terms, &[condition]);
    let mut value = |t: Term| match free.binary_search(&t) {
        Ok(_) => solver.value(&cx.terms, t),
        Err(_) => Ok(Value::zero(cx.terms.sort(t))),
    };
    let initial = initial_values(program, &cx.terms, condition, &mut value)?;
    let mut inputs = Vec::new();
    for (edge, symbols) in symbols {
        inputs.push((edge, symbols.iter().map(|t| value(*t)).collect::<Result<Vec<Value>, Why>>()?));
    }
    Ok(Some(Trace { target: loc, inputs, initial }))
}

/// The values of the program variables that `condition` still mentions: those that are read before they are assigned.
pub fn initial_values(
    program: &Program,
    terms: &Store,
    condition: Term,
    mut value: impl FnMut(Term) -> Result<Value, Why>,
) -> Result<BTreeMap<cfa::Var, Value>, Why> {
    let free = term::walk::free_vars(terms, &[condition]);
    free.into_iter().filter_map(|t| Some((program.var_of(t)?, t))).map(|(var, t)| Ok((var, value(t)?))).collect()
}
