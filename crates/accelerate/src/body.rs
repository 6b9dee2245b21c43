//! One iteration as a formula: what a path through the loop asks for and what it does, over the values at the loop head.

use cfa::{Edge, Op, Program, Var};
use encode::State;
use encode::post::step;
use std::collections::BTreeMap;
use term::{Store, Term};

/// A path executed symbolically from an arbitrary state.
#[derive(Clone, Debug)]
pub(crate) struct Body {
    /// Under which the path is taken, as conjuncts.
    pub conditions: Vec<Term>,
    /// What the variables that change become.
    pub updates: BTreeMap<Var, Term>,
    /// The havoc edges on the path with the symbols they made, in order.
    pub inputs: Vec<(Edge, Vec<(Var, Term)>)>,
}

impl Body {
    /// `None` if the path cannot be taken at all.
    pub(crate) fn of(program: &Program, terms: &mut Store, path: &[Edge]) -> Option<Body> {
        let main = program.main();
        let mut state = State::arbitrary(program);
        let mut conditions = Vec::new();
        let mut inputs = Vec::new();
        let mut written: Vec<Var> = Vec::new();
        for &edge in path {
            let op = &main.edges[edge].op;
            let step = step(program, terms, &state, op)?;
            conditions.extend(term::normal::conjuncts(terms, step.condition));
            if let Op::Havoc { vars, .. } = op {
                inputs.push((edge, vars.iter().copied().zip(step.inputs.iter().copied()).collect()));
            }
            written.extend(op.written());
            state = step.state;
        }
        conditions.sort_unstable();
        conditions.dedup();
        conditions.retain(|c| terms.as_bool_const(*c) != Some(true));
        let mut updates = BTreeMap::new();
        for var in written {
            let value = state.term(terms, var);
            if value != program.term(var) {
                updates.insert(var, value);
            }
        }
        Some(Body { conditions, updates, inputs })
    }
}
