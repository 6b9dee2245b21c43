//! Backwards along one path: the states at a loop head from which a given sequence of edges leads to an error.
//!
//! Gadelha et al. 2018 keep a partial counterexample as a list of states and ask whether one of them is reachable. A pre-image
//! is more than a state: all states from which the same edges, on inputs still to be chosen, lead to the same
//! error. It mentions exactly what the rest of the path reads, arrays included, so nothing is compared that does not
//! matter, and nothing that does is left out.

use crate::post::step;
use crate::state::{State, evaluate_term};
use cfa::{Edge, Loc, Program};
use flow::wto::Wto;
use std::collections::BTreeMap;
use term::{Store, Term};

/// From the states at `at` in which `condition` holds, the path leads to `target`.
#[derive(Clone, Debug)]
pub struct Preimage {
    pub at: Loc,
    pub target: Loc,
    /// Over the program's variables at `at`, and the symbols in `inputs`.
    pub condition: Term,
    /// The havoc edges on the path, in order, each with symbols for its values.
    pub inputs: Vec<(Edge, Vec<Term>)>,
    /// How often the path visits `at`, where it visits no other loop head.
    pub visits: Option<u32>,
}

/// The pre-images of `target` along `path`, one for each visit of a loop head on it, last visit first, all within the
/// invariants known there. The path ends at `target`.
pub fn along(
    program: &Program,
    wto: &Wto,
    terms: &mut Store,
    invariants: &BTreeMap<Loc, Term>,
    path: &[Edge],
    target: Loc,
) -> Vec<Preimage> {
    let edges = &program.main().edges;
    let mut found: Vec<Preimage> = Vec::new();
    let mut condition = terms.bool(true);
    let mut inputs: Vec<(Edge, Vec<Term>)> = Vec::new();
    let mut end = path.len();
    for start in (0..path.len()).rev().filter(|i| wto.is_head(edges[path[*i]].from)) {
        let mut state = State::arbitrary(program);
        let (mut conditions, mut fresh) = (Vec::new(), Vec::new());
        for &edge in &path[start..end] {
            let Some(taken) = step(program, terms, &state, &edges[edge].op) else { return found };
            conditions.push(taken.condition);
            if !taken.inputs.is_empty() {
                fresh.push((edge, taken.inputs.to_vec()));
            }
            state = taken.state;
        }
        conditions.push(evaluate_term(program, terms, &state, condition));
        conditions.extend(invariants.get(&edges[path[start]].from));
        condition = terms.and_all(&conditions);
        fresh.append(&mut inputs);
        inputs = fresh;
        end = start;
        let at = edges[path[start]].from;
        let visits = match found.last() {
            None => Some(1),
            Some(later) if later.at == at => later.visits.map(|n| n + 1),
            Some(_) => None,
        };
        found.push(Preimage { at, target, condition, inputs: inputs.clone(), visits });
    }
    found
}
