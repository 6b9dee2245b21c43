//! k-induction on control-flow paths: Chalupa and Strejček 2021, algorithm 2, as it stands there. Exponential, and here only to be
//! compared with backward symbolic execution, of which the paper shows that it decides the same programs (section 3.3).

use cfa::{Edge, Loc, LocKind, Program};
use encode::post::step;
use encode::{State, trace};
use engine::{Cx, Stop, Trace};
use term::Term;

/// What algorithm 2 says, if it says something within the bound.
#[derive(Clone, PartialEq, Debug)]
pub enum PathInduction {
    Correct {
        k: u32,
    },
    Witness(Trace),
    /// Not decided up to the bound.
    Open,
}

/// Runs the algorithm for `k = 1, …, max_k`. Every target location counts as the error location.
pub fn kind_path(program: &Program, cx: &mut Cx, max_k: u32) -> Result<PathInduction, Stop> {
    let main = program.main();
    let (successors, predecessors) = (main.successors(), main.predecessors());
    let is_error = |loc: Loc| main.locs[loc].kind.is_target();
    let mut solver = cx.solver()?;
    // All initial paths of length k, and all error paths of length k + 1.
    let mut initial: Vec<Vec<Edge>> = vec![Vec::new()];
    let mut erring: Vec<Vec<Edge>> =
        main.locs.ids().filter(|l| is_error(*l)).flat_map(|l| predecessors[l].iter().map(|e| vec![*e])).collect();
    for k in 1..=max_k {
        let mut longer = Vec::new();
        for path in &initial {
            let end = path.last().map_or(main.entry, |e| main.edges[*e].to);
            for &edge in successors[end].iter().filter(|_| main.locs[end].kind == LocKind::Plain) {
                let mut path = path.clone();
                path.push(edge);
                if feasible(program, cx, &path, solver.as_mut())? {
                    if is_error(main.edges[edge].to) {
                        let found = trace::along(program, cx, &path, solver.as_mut())?;
                        return Ok(PathInduction::Witness(found.expect("a feasible initial path is an execution")));
                    }
                    longer.push(path);
                }
            }
        }
        initial = longer;
        let mut failed = Vec::new();
        for path in &erring {
            for &edge in &predecessors[main.edges[path[0]].from] {
                let mut longer = vec![edge];
                longer.extend(path);
                if feasible(program, cx, &longer, solver.as_mut())? {
                    failed.push(longer);
                }
            }
        }
        if failed.is_empty() {
            return Ok(PathInduction::Correct { k });
        }
        erring = failed;
    }
    Ok(PathInduction::Open)
}

/// Whether the path is feasible from some state at its start.
fn feasible(program: &Program, cx: &mut Cx, path: &[Edge], solver: &mut dyn smt::Solver) -> Result<bool, Stop> {
    let mut state = State::arbitrary(program);
    let mut conditions: Vec<Term> = Vec::new();
    for edge in path {
        let Some(step) = step(program, &mut cx.terms, &state, &program.main().edges[*edge].op) else {
            return Ok(false);
        };
        conditions.push(step.condition);
        state = step.state;
    }
    let condition = cx.terms.and_all(&conditions);
    match cx.terms.as_bool_const(condition) {
        Some(known) => Ok(known),
        None => cx.is_sat(solver, &[condition]),
    }
}
