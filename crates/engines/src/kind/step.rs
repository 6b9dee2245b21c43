//! The inductive step (algorithms 1.3 and 1.7), and what is learnt from its failure.
//!
//! How programs with several and nested loops are handled: in an execution to a first error each stay in a loop is either
//! short (at most `k` visits of its head) or long. If all are short it is in the base case. Otherwise a long stay forgets
//! what the loop changes and is followed for its last `k + 1` visits; a short one is followed as it is. So a loop at its
//! bound is cut by forgetting, never by an unwinding assumption, and an inner loop that is entered anew knows what
//! came before it.
//!
//! The step for `k` asks about `k + 1` iterations at once. But once one has failed, a predecessor of its counterexample makes
//! one for the next `k`, and that is a question about a single iteration: it is asked first.

use crate::generalise::HeadState;
use crate::limits::kind::MAX_PAIRS;
use base::Table;
use cfa::{Edge, Loc, Program, Var};
use encode::preimage::{self, Preimage};
use encode::state::evaluate_term;
use encode::trace::{self, Reading, Taken};
use encode::unroll::{Loops, Node, Round, Unroller, Windows};
use engine::{Cx, Stop, Task};
use flow::wto::Wto;
use smt::Solver;
use std::collections::BTreeMap;
use std::time::Duration;
use term::{Sort, Term};

pub(super) enum Outcome {
    /// No error after `k` iterations without one.
    Inductive,
    Fails(Box<Failure>),
    /// The solver did not answer in time.
    NoAnswer,
}

/// A partial counterexample: from some states at loop heads, not known to be reachable, to an error.
#[derive(Clone)]
pub(super) struct Failure {
    /// The edges from the first of the states to the target.
    path: Vec<Edge>,
    target: Loc,
    /// From where the same edges lead to the target, one for each visit of a loop head, last visit first.
    pub(super) preimages: Vec<Preimage>,
    /// The values of what the loop changes at each visit of a head on the path (scalars only), first visit first.
    pub(super) states: Vec<HeadState>,
}

/// What the step is asked about.
#[derive(Clone, Copy)]
pub(super) struct Asked<'a> {
    pub(super) task: &'a Task,
    pub(super) wto: &'a Wto,
    pub(super) windows: &'a Windows,
    /// Variables by head: a counterexample is sought whose states differ in them pairwise, so that longer ones come from
    /// further away.
    pub(super) distinct: Option<&'a Table<Loc, Vec<Var>>>,
    /// The effort for each question to the solver.
    pub(super) patience: Duration,
}

pub(super) struct Step {
    solver: Box<dyn Solver>,
    last: Option<Last>,
}

/// The last failure, and what it was a failure of.
struct Last {
    failure: Failure,
    k: u32,
    invariants: BTreeMap<Loc, Term>,
}

impl Step {
    pub(super) fn new(cx: &Cx) -> Result<Step, Stop> {
        Ok(Step { solver: cx.solver()?, last: None })
    }

    /// Is the absence of errors `k`-inductive?
    pub(super) fn check(&mut self, asked: Asked<'_>, k: u32, cx: &mut Cx) -> Result<Outcome, Stop> {
        let invariants = &asked.windows.invariants;
        let known = self.last.take().filter(|last| last.invariants == *invariants && last.k <= k);
        let mut lengthened = None;
        if let Some(last) = known {
            let mut failure = Some(last.failure);
            for _ in last.k..k {
                let Some(shorter) = failure else { break };
                failure = self.lengthen(asked, shorter, cx)?;
            }
            lengthened = failure;
        }
        let outcome = match lengthened {
            Some(failure) => Outcome::Fails(Box::new(failure)),
            None => self.ask(asked, k, cx)?,
        };
        if let Outcome::Fails(failure) = &outcome {
            let (failure, invariants) = (Failure::clone(failure), invariants.clone());
            self.last = Some(Last { failure, k, invariants });
        }
        Ok(outcome)
    }

    /// The failure with one more iteration before it, if there is one: from a state that differs from those on the path if
    /// asked for.
    fn lengthen(&mut self, asked: Asked<'_>, shorter: Failure, cx: &mut Cx) -> Result<Option<Failure>, Stop> {
        let Asked { task, wto, windows, distinct, patience } = asked;
        let program = &task.program;
        let Some(first) = shorter.preimages.last() else { return Ok(None) };
        if shorter.path.first().is_none_or(|edge| program.main().edges[*edge].from != first.at) {
            return Ok(None);
        }
        let budget = cx.budget.clone();
        let mut unroller = Unroller::new(program, wto, &cx.terms, Loops::Forgetful(windows));
        unroller.keep_head_states();
        let round = unroller.advance(&mut cx.terms, 1, &budget)?;
        let mut ways = Vec::new();
        for (i, obligation) in unroller.obligations.iter().enumerate() {
            if obligation.head == first.at && obligation.from.is_some() {
                let inside = evaluate_term(program, &mut cx.terms, &obligation.state, first.condition);
                ways.push((i, cx.terms.and(obligation.guard, inside)));
            }
        }
        let mut asked = Vec::new();
        let any: Vec<Term> = ways.iter().map(|way| way.1).collect();
        asked.push(cx.terms.or_all(&any));
        if let Some(vars) = distinct {
            let scalars = scalars(program, &vars[first.at]);
            for &node in round.heads.iter().filter(|n| unroller.nodes[**n].loc == first.at) {
                let Some(before) = unroller.head_state(node) else { continue };
                for (i, way) in &ways {
                    let different = before.differs(&mut cx.terms, &unroller.obligations[*i].state, &scalars);
                    asked.push(cx.terms.implies(*way, different));
                }
                for state in shorter.states.iter().filter(|s| s.head == first.at) {
                    let mut different = vec![cx.terms.not(unroller.nodes[node].guard)];
                    for (var, value) in state.values.iter().filter(|(v, _)| scalars.contains(v)) {
                        let (x, value) = (before.term(&mut cx.terms, *var), cx.terms.value(value));
                        different.push(cx.terms.ne(x, value));
                    }
                    asked.push(cx.terms.or_all(&different));
                }
            }
        }
        let solver = self.solver.as_mut();
        if asked.iter().any(|t| cx.terms.as_bool_const(*t) == Some(false))
            || cx.try_sat(solver, &asked, patience)? != Some(true)
        {
            return Ok(None);
        }
        let mut model = Reading::of(&cx.terms, solver, &asked)?;
        for (i, way) in ways {
            let Some((from, edge)) = unroller.obligations[i].from else { continue };
            if model.holds(&cx.terms, way)? {
                let mut path = trace::path_to(&cx.terms, &unroller, from, &mut model)?;
                path.push(Taken { from, edge, inputs: Default::default() });
                let (mut path, mut states) = executed(program, wto, windows, &unroller, &path, cx, &mut model)?;
                path.extend(shorter.path);
                states.extend(shorter.states);
                return Ok(Some(Failure::new(program, wto, windows, path, shorter.target, states, cx)));
            }
        }
        Err(Stop::Solver("a satisfiable disjunction with no disjunct that holds".into()))
    }

    fn ask(&mut self, asked: Asked<'_>, k: u32, cx: &mut Cx) -> Result<Outcome, Stop> {
        let Asked { task, wto, windows, distinct, patience } = asked;
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
                let (path, states) = executed(&task.program, wto, windows, &unroller, &path, cx, &mut model)?;
                let target = unroller.nodes[node].loc;
                let failure = Failure::new(&task.program, wto, windows, path, target, states, cx);
                return Ok(Outcome::Fails(Box::new(failure)));
            }
        }
        Err(Stop::Solver("a satisfiable disjunction with no disjunct that holds".into()))
    }
}

impl Failure {
    fn new(
        program: &Program,
        wto: &Wto,
        windows: &Windows,
        path: Vec<Edge>,
        target: Loc,
        states: Vec<HeadState>,
        cx: &mut Cx,
    ) -> Failure {
        let preimages = preimage::along(program, wto, &mut cx.terms, &windows.invariants, &path, target);
        Failure { path, target, preimages, states }
    }
}

/// The part of the path after the last time that something is forgotten (up to there it is no execution): its edges, and the
/// states at the loop heads on it.
fn executed(
    program: &Program,
    wto: &Wto,
    windows: &Windows,
    unroller: &Unroller<'_>,
    path: &[Taken],
    cx: &mut Cx,
    model: &mut Reading<'_>,
) -> Result<(Vec<Edge>, Vec<HeadState>), Stop> {
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
    Ok((path[start..].iter().map(|t| t.edge).collect(), states))
}

/// Those of the variables that are not arrays.
fn scalars(program: &Program, vars: &[Var]) -> Vec<Var> {
    vars.iter().copied().filter(|v| !matches!(program.vars[*v].sort, Sort::Array(_))).collect()
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
        let scalars = scalars(program, &vars[head]);
        for (i, &later) in nodes.iter().enumerate() {
            for &earlier in nodes[..i].iter().rev() {
                if facts.len() >= MAX_PAIRS && earlier != nodes[i - 1] {
                    break;
                }
                let (Some(a), Some(b)) = (unroller.head_state(earlier), unroller.head_state(later)) else { continue };
                let different = a.differs(&mut cx.terms, b, &scalars);
                facts.push(cx.terms.implies(unroller.nodes[later].guard, different));
            }
        }
    }
    cx.terms.and_all(&facts)
}
