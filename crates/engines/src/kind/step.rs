//! The inductive step (algorithms 1.3 and 1.7), and what is learnt from its failure.
//!
//! How programs with several and nested loops are handled: in an execution to a first error each stay in a loop is either
//! short (at most `k` visits of its head) or long. If all are short it is in the base case. Otherwise a long stay forgets
//! what the loop changes and is followed for its last `k + 1` visits; a short one is followed as it is. So a loop at its
//! bound is cut by forgetting, never by an unwinding assumption, and an inner loop that is entered anew knows what
//! came before it.

use base::Table;
use cfa::{Edge, Loc, Program, Var};
use encode::trace::{self, Reading, Taken};
use encode::unroll::{Loops, Node, Round, Unroller, Windows};
use engine::{Cx, Stop, Task};
use flow::wto::Wto;
use smt::Solver;
use std::collections::BTreeMap;
use std::time::Duration;
use term::{Sort, Term, Value};

pub(super) enum Outcome {
    /// No error after `k` iterations without one.
    Inductive,
    Fails(Box<Failure>),
    /// The solver did not answer in time.
    NoAnswer,
}

/// A partial counterexample: from some states at loop heads, not known to be reachable, to an error.
pub(super) struct Failure {
    /// The edges from the first of the states to the target.
    pub(super) path: Vec<Edge>,
    pub(super) target: Loc,
    /// The values of what the loop changes at each visit of a head on the path (scalars only), first visit first.
    pub(super) states: Vec<HeadState>,
}

pub(super) struct HeadState {
    pub(super) head: Loc,
    pub(super) values: BTreeMap<Var, Value>,
}

pub(super) struct Step {
    solver: Box<dyn Solver>,
}

/// At most so many pairs of states are asked to differ; beyond, only neighbours are.
const MAX_PAIRS: usize = 1000;

impl Step {
    pub(super) fn new(cx: &Cx) -> Result<Step, Stop> {
        Ok(Step { solver: cx.solver()? })
    }

    /// Is the absence of errors `k`-inductive? With `distinct` (variables by head), a counterexample is sought whose
    /// states differ in them pairwise, so that longer ones come from further away.
    #[allow(clippy::too_many_arguments, reason = "all of it is one question")]
    pub(super) fn check(
        &mut self,
        task: &Task,
        wto: &Wto,
        windows: &Windows,
        k: u32,
        distinct: Option<&Table<Loc, Vec<Var>>>,
        patience: Duration,
        cx: &mut Cx,
    ) -> Result<Outcome, Stop> {
        let budget = cx.budget.clone();
        let mut unroller = Unroller::new(&task.program, wto, &cx.terms, Loops::Forgetful(windows));
        unroller.keep_head_states();
        let round = unroller.advance(&mut cx.terms, k + 1, &budget)?;
        let mut bad: Vec<(Node, Term)> = Vec::new();
        for &node in round.errors.iter().chain(&round.unknowns) {
            let info = &unroller.nodes[node];
            bad.push((node, cx.terms.and(info.guard, info.full)));
        }
        let solver = self.solver.as_mut();
        // Questions with products are hard enough one by one.
        let questions: Vec<Vec<Term>> = if bad.iter().any(|b| smt::algebra::has_products(&cx.terms, b.1)) {
            bad.iter().map(|b| vec![b.1]).collect()
        } else {
            vec![bad.iter().map(|b| b.1).collect()]
        };
        let mut failing = None;
        for question in questions {
            let any = cx.terms.or_all(&question);
            if cx.terms.as_bool_const(any) == Some(false) {
                continue;
            }
            match cx.try_sat(solver, &[any], patience)? {
                Some(false) => {}
                Some(true) => {
                    failing = Some(any);
                    break;
                }
                None => return Ok(Outcome::NoAnswer),
            }
        }
        let Some(any) = failing else { return Ok(Outcome::Inductive) };
        let mut asked = vec![any];
        if let Some(vars) = distinct {
            asked.push(differ(&task.program, &unroller, &round, vars, cx));
            if cx.try_sat(solver, &asked, patience)? != Some(true) {
                asked.truncate(1);
                if cx.try_sat(solver, &asked, patience)? != Some(true) {
                    return Ok(Outcome::NoAnswer);
                }
            }
        }
        let mut model = Reading::of(&cx.terms, solver, &asked)?;
        for (node, reached) in bad {
            if model.holds(&cx.terms, reached)? {
                let path = trace::path_to(&cx.terms, &unroller, node, &mut model)?;
                let failure = failure(&task.program, wto, windows, &unroller, node, &path, cx, &mut model)?;
                return Ok(Outcome::Fails(Box::new(failure)));
            }
        }
        Err(Stop::Solver("a satisfiable disjunction with no disjunct that holds".into()))
    }
}

/// The part of the path after the last time that something is forgotten: up to there it is no execution.
#[allow(clippy::too_many_arguments, reason = "reads a model of all of it")]
fn failure(
    program: &Program,
    wto: &Wto,
    windows: &Windows,
    unroller: &Unroller<'_>,
    target: Node,
    path: &[Taken],
    cx: &mut Cx,
    model: &mut Reading<'_>,
) -> Result<Failure, Stop> {
    let is_head = |taken: &Taken| wto.is_head(unroller.nodes[taken.from].loc);
    let mut start = 0;
    for (i, taken) in path.iter().enumerate() {
        if model.holds(&cx.terms, unroller.nodes[taken.from].forgets)? {
            start = i;
        }
    }
    let mut states = Vec::new();
    for taken in path[start..].iter().filter(|t| is_head(t)) {
        let head = unroller.nodes[taken.from].loc;
        let Some(state) = unroller.head_state(taken.from) else { continue };
        let mut values = BTreeMap::new();
        for &var in windows.changes.get(&head).into_iter().flatten() {
            if matches!(program.vars[var].sort, Sort::Bv(_) | Sort::Bool) {
                let term = state.term(&mut cx.terms, var);
                values.insert(var, model.value(&cx.terms, term)?);
            }
        }
        states.push(HeadState { head, values });
    }
    let path = path[start..].iter().map(|t| t.edge).collect();
    Ok(Failure { path, target: unroller.nodes[target].loc, states })
}

/// The visits of a head in one window differ from each other in one of the given variables.
fn differ(program: &Program, unroller: &Unroller<'_>, round: &Round, vars: &Table<Loc, Vec<Var>>, cx: &mut Cx) -> Term {
    // Instances of a head in the same iterations of the loops around it.
    let mut windows: BTreeMap<(Loc, Vec<u32>), Vec<Node>> = BTreeMap::new();
    for &node in &round.heads {
        let info = &unroller.nodes[node];
        let around = info.iterations[..info.iterations.len() - 1].to_vec();
        windows.entry((info.loc, around)).or_default().push(node);
    }
    let mut facts = Vec::new();
    for ((head, _), nodes) in windows {
        let scalars: Vec<Var> =
            vars[head].iter().copied().filter(|v| !matches!(program.vars[*v].sort, Sort::Array(_))).collect();
        for (i, &later) in nodes.iter().enumerate() {
            for &earlier in nodes[..i].iter().rev() {
                if facts.len() >= MAX_PAIRS && earlier != nodes[i - 1] {
                    break;
                }
                let (Some(a), Some(b)) = (unroller.head_state(earlier), unroller.head_state(later)) else { continue };
                let mut different = vec![cx.terms.not(unroller.nodes[later].guard)];
                for &var in &scalars {
                    let (x, y) = (a.term(&mut cx.terms, var), b.term(&mut cx.terms, var));
                    different.push(cx.terms.ne(x, y));
                }
                facts.push(cx.terms.or_all(&different));
            }
        }
    }
    cx.terms.and_all(&facts)
}
