//! Exploration from the entry, bound by bound: bounded model checking, and the base case and forward condition of
//! k-induction.
//!
//! Each bound adds to the same unwinding and the same solver only what is new. When no loop can go on beyond the bound,
//! everything is explored.

use crate::trace;
use crate::unroll::{Loops, Node, Round, Unroller};
use cfa::{Loc, LocKind, Program};
use engine::{Cx, Evidence, Proof, Stop, Task, Verdict, Why};
use flow::wto::Wto;
use smt::Solver;
use term::Term;

/// An exploration in progress.
pub struct Bounded<'t> {
    task: &'t Task,
    unroller: Unroller<'t>,
    solver: Box<dyn Solver>,
    /// Unsupported or bound-hit instances that some input reaches.
    unknowns: Vec<Node>,
}

impl<'t> Bounded<'t> {
    pub fn new(task: &'t Task, wto: &'t Wto, cx: &Cx) -> Result<Bounded<'t>, Stop> {
        let unroller = Unroller::new(&task.program, wto, &cx.terms, Loops::Exact);
        Ok(Bounded { task, unroller, solver: cx.solver()?, unknowns: Vec::new() })
    }

    /// Explores up to `bound` visits of each loop head. `None`: no error so far, but some loop goes on.
    pub fn advance(&mut self, bound: u32, cx: &mut Cx) -> Result<Option<Verdict>, Stop> {
        let budget = cx.budget.clone();
        let round = self.unroller.advance(&mut cx.terms, bound, &budget)?;
        let solver = self.solver.as_mut();
        if let Some(error) = first_reached(&round.errors, &self.unroller, cx, solver)? {
            let found = trace::from_model(&self.task.program, &cx.terms, &self.unroller, error, solver)?;
            return Ok(Some(Verdict::Unsafe(Evidence::Trace(found))));
        }
        self.unknowns.extend(first_unknown(&round, &self.unroller, cx, solver)?);
        drop_finished(&mut self.unroller, cx, solver)?;
        if self.unroller.parked_guards().next().is_some() {
            return Ok(None);
        }
        // Everything is explored and no error was found: safe, unless something that is not modelled can be reached.
        Ok(Some(match self.unknown() {
            Some(why) => Verdict::Unknown(why),
            None => {
                Verdict::Safe(Proof::Exhausted { bound: u64::from(bound), explored: self.unroller.nodes.len() as u64 })
            }
        }))
    }

    /// Something that is not modelled and can be reached: as long as there is, nothing can be proved.
    pub fn unknown(&self) -> Option<Why> {
        let node = self.unknowns.first()?;
        Some(why_unknown(&self.task.program, self.unroller.nodes[*node].loc))
    }
}

/// One error instance that some input reaches; the solver then holds the model.
fn first_reached(
    errors: &[Node],
    unroller: &Unroller<'_>,
    cx: &mut Cx,
    solver: &mut dyn Solver,
) -> Result<Option<Node>, Stop> {
    let guards: Vec<Term> = errors.iter().map(|n| unroller.nodes[*n].guard).collect();
    let any = cx.terms.or_all(&guards);
    if !is_sat(cx, solver, any)? {
        return Ok(None);
    }
    for &error in errors {
        if trace::holds(&cx.terms, solver, unroller.nodes[error].guard)? {
            return Ok(Some(error));
        }
    }
    Err(Stop::Solver("a satisfiable disjunction with no disjunct that holds".into()))
}

/// An instance of an unsupported or bound-hit location that some input reaches.
fn first_unknown(
    round: &Round,
    unroller: &Unroller<'_>,
    cx: &mut Cx,
    solver: &mut dyn Solver,
) -> Result<Option<Node>, Stop> {
    for &node in &round.unknowns {
        if is_sat(cx, solver, unroller.nodes[node].guard)? {
            return Ok(Some(node));
        }
    }
    Ok(None)
}

/// Drops what is parked but cannot be reached: loops that are unwound completely.
fn drop_finished(unroller: &mut Unroller<'_>, cx: &mut Cx, solver: &mut dyn Solver) -> Result<(), Stop> {
    let mut known: Option<Vec<Term>> = None;
    let guards: Vec<Term> = unroller.parked_guards().collect();
    unroller.retain_parked(|guard| {
        // A guard that is true in the model just found needs no question of its own.
        if known.as_ref().is_some_and(|sat| sat.contains(&guard)) {
            return Ok(true);
        }
        let sat = is_sat(cx, solver, guard)?;
        if sat && known.is_none() {
            let mut holding = Vec::new();
            for &guard in &guards {
                if trace::holds(&cx.terms, solver, guard)? {
                    holding.push(guard);
                }
            }
            known = Some(holding);
        }
        Ok(sat)
    })
}

fn is_sat(cx: &mut Cx, solver: &mut dyn Solver, t: Term) -> Result<bool, Stop> {
    match cx.terms.as_bool_const(t) {
        Some(known) => Ok(known),
        None => cx.is_sat(solver, &[t]),
    }
}

/// The reason that reaching `loc` gives.
pub fn why_unknown(program: &Program, loc: Loc) -> Why {
    let location = &program.main().locs[loc];
    let place = program.sources.place(location.span);
    match &location.kind {
        LocKind::BoundHit(what) => Why::BoundHit(format!("{what} at {place}")),
        LocKind::Unsupported(what) => Why::Unsupported(format!("{what} at {place}")),
        _ => Why::GaveUp(format!("reached {place}")),
    }
}
