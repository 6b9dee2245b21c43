//! One edge forwards: the condition under which it is taken, and the state after it.

use crate::state::{State, Value, evaluate, evaluate_term};
use cfa::{Op, Program};
use smallvec::SmallVec;
use term::{Store, Term};

/// The result of running an edge symbolically.
#[derive(Debug)]
pub struct Step {
    /// Under which the edge can be taken, on the state before.
    pub condition: Term,
    pub state: State,
    /// The fresh symbols of a havoc, in the edge's order.
    pub inputs: SmallVec<[Term; 1]>,
}

/// Runs a flat operation on `state`. `None`: the edge cannot be taken, decided without a solver.
pub fn step(program: &Program, terms: &mut Store, state: &State, op: &Op) -> Option<Step> {
    let mut step = Step { condition: terms.bool(true), state: state.clone(), inputs: SmallVec::new() };
    match op {
        Op::Assume(condition) => {
            step.condition = evaluate_term(program, terms, state, *condition);
            if terms.as_bool_const(step.condition) == Some(false) {
                return None;
            }
        }
        Op::Assign(pairs) => {
            for (var, t) in pairs {
                let value = evaluate(program, terms, state, *t);
                step.state.set(*var, value);
            }
        }
        Op::Havoc { vars, .. } => {
            for var in vars {
                let input = terms.fresh(program.name(*var), program.vars[*var].sort);
                step.state.set(*var, Value::of(terms, input));
                step.inputs.push(input);
            }
        }
        _ => unreachable!("engines work on flat programs: {op:?}"),
    }
    Some(step)
}
