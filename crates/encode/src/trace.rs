//! From a solver's model back to an execution of the automaton.

use crate::unroll::{Node, Unroller};
use cfa::{Edge, Op, Program};
use engine::Trace;
use smallvec::SmallVec;
use smt::{Solver, Why};
use std::collections::BTreeMap;
use term::{Store, Term, Value};

/// One step of an execution in the unwinding.
#[derive(Clone, Debug)]
pub struct Taken {
    /// The instance that is left.
    pub from: Node,
    pub edge: Edge,
    /// The symbols that the edge's havoc introduced.
    pub inputs: SmallVec<[Term; 1]>,
}

/// The way from the start to `target` in the model that `solver` has just found.
pub fn path_to(
    terms: &Store,
    unroller: &Unroller<'_>,
    target: Node,
    solver: &mut dyn Solver,
) -> Result<Vec<Taken>, Why> {
    let mut path = Vec::new();
    let mut node = target;
    loop {
        let arrivals = &unroller.nodes[node].incoming;
        let taken = arrivals.get(first_true(terms, solver, arrivals.iter().map(|a| a.guard))?).unwrap_or(&arrivals[0]);
        let Some((from, edge)) = taken.from else { break };
        path.push(Taken { from, edge, inputs: taken.inputs.clone() });
        node = from;
    }
    path.reverse();
    Ok(path)
}

/// The execution that leads to `target` in the model that `solver` has just found.
pub fn from_model(
    program: &Program,
    terms: &Store,
    unroller: &Unroller<'_>,
    target: Node,
    solver: &mut dyn Solver,
) -> Result<Trace, Why> {
    let mut inputs = Vec::new();
    for taken in path_to(terms, unroller, target, solver)? {
        if matches!(program.main().edges[taken.edge].op, Op::Havoc { .. }) {
            inputs.push((taken.edge, values(terms, &taken.inputs, solver)?));
        }
    }
    let guard = unroller.nodes[target].guard;
    let initial = initial_values(program, terms, guard, |var| solver.value(terms, var))?;
    Ok(Trace { target: unroller.nodes[target].loc, inputs, initial })
}

/// The values of symbols in the model.
pub fn values(terms: &Store, symbols: &[Term], solver: &mut dyn Solver) -> Result<Vec<Value>, Why> {
    symbols.iter().map(|symbol| solver.value(terms, *symbol)).collect()
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

/// The position of the first guard that is true in the model; the number of guards if none is.
fn first_true(terms: &Store, solver: &mut dyn Solver, guards: impl Iterator<Item = Term>) -> Result<usize, Why> {
    let mut count = 0;
    for guard in guards {
        if holds(terms, solver, guard)? {
            break;
        }
        count += 1;
    }
    Ok(count)
}

/// Whether a guard is true in the model.
pub fn holds(terms: &Store, solver: &mut dyn Solver, guard: Term) -> Result<bool, Why> {
    match terms.as_bool_const(guard) {
        Some(known) => Ok(known),
        None => Ok(solver.value(terms, guard)? == Value::Bool(true)),
    }
}
