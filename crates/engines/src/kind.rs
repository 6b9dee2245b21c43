//! k-induction (paper 003, algorithms 1.1–1.4 and 1.7): base case, forward condition, inductive step.
//!
//! The base case and the forward condition are bounded model checking: no error within `k` visits of each loop head,
//! and does any loop go on? The inductive step enters loops in an arbitrary state (of what they change, within proven
//! invariants), lets them run `k` iterations without error and asks whether the next one errs, or what follows the loop.
//!
//! How programs with several and nested loops are handled: every loop forgets what it changes when it is entered, and
//! only executions on which some loop fills its window are asked for. An execution to a first error either visits every
//! head at most `k` times (base case), or has its last `k + 1` visits of each longer loop inside the windows (step).
//! So a loop at its bound is cut by forgetting, never by an unwinding assumption.

use encode::Bounded;
use encode::unroll::{Loops, Unroller, Windows};
use engine::{Cx, Engine, Event, FactKind, Proof, Stop, Task, Verdict, Why};
use flow::wto::Wto;
use smt::Solver;
use term::Term;

#[derive(Clone, Debug)]
pub struct Settings {
    /// The largest `k`.
    pub max_k: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { max_k: u32::MAX }
    }
}

#[derive(Default)]
pub struct KInduction {
    pub settings: Settings,
}

impl Engine for KInduction {
    fn name(&self) -> &'static str {
        "kind"
    }

    fn run(&mut self, task: &Task, cx: &mut Cx) -> Verdict {
        self.search(task, cx).unwrap_or_else(|stop| Verdict::Unknown(stop.into()))
    }
}

impl KInduction {
    fn search(&self, task: &Task, cx: &mut Cx) -> Result<Verdict, Stop> {
        let program = &task.program;
        let wto = Wto::new(program.main());
        let mut windows = Windows::new(program, &wto);
        let mut base = Bounded::new(task, &wto, cx)?;
        let mut step = cx.solver()?;
        let mut k = 1;
        loop {
            if let Some(verdict) = base.advance(k, cx)? {
                return Ok(verdict);
            }
            read_board(cx, &wto, &mut windows)?;
            if base.unknown().is_none() && is_inductive(task, &wto, &windows, k, cx, step.as_mut())? {
                let at = windows.invariants.clone();
                return Ok(Verdict::Safe(Proof::Invariants { at, k }));
            }
            cx.tell(Event::Bound(u64::from(k)));
            if k >= self.settings.max_k {
                return Ok(Verdict::Unknown(Why::GaveUp(format!("not {k}-inductive"))));
            }
            k += 1;
        }
    }
}

/// The inductive step.
fn is_inductive(
    task: &Task,
    wto: &Wto,
    windows: &Windows,
    k: u32,
    cx: &mut Cx,
    solver: &mut dyn Solver,
) -> Result<bool, Stop> {
    let budget = cx.budget.clone();
    let mut unroller = Unroller::new(&task.program, wto, &cx.terms, Loops::Forgetful(windows));
    let round = unroller.advance(&mut cx.terms, k + 1, &budget)?;
    let mut bad: Vec<Term> = Vec::new();
    for node in round.errors.iter().chain(&round.unknowns) {
        let node = &unroller.nodes[*node];
        bad.push(cx.terms.and(node.guard, node.full));
    }
    let bad = cx.terms.or_all(&bad);
    match cx.terms.as_bool_const(bad) {
        Some(reachable) => Ok(!reachable),
        None => Ok(!cx.is_sat(solver, &[bad])?),
    }
}

/// Takes proven invariants of others.
fn read_board(cx: &mut Cx, wto: &Wto, windows: &mut Windows) -> Result<(), Stop> {
    for fact in cx.news() {
        if let FactKind::Invariant { at, formula } = fact.kind
            && wto.is_head(at)
            && let Ok(formula) = term::smtlib::parse_term(&mut cx.terms, &formula)
        {
            windows.strengthen(&mut cx.terms, at, formula);
        }
    }
    Ok(())
}
