//! Danger invariants (David et al. 2016): proofs that an error is reached, however deep it is; recurrence sets, and termination.
//!
//! A danger invariant says for each loop which states surely lead to the error, with a ranking that makes sure of it and
//! choices for the inputs. The choices come first here: with a strategy for all inputs ([`strategy`]) the program has one
//! execution, and the rest is what proofs of safety and of termination are made of, about that one execution:
//! invariants ([`facts`]) and rankings ([`rank`]) between loop heads (`infer::segments`). Runs of the interpreter refute
//! strategies and supply data (`infer::sample`); those that come back to a state are looked for state by state ([`lasso`]). The
//! search enumerates strategies and infers the rest (`search`), and asks the solver for numbers that the program does not
//! mention ([`unknowns`]). See `docs/engines/danger.md`.

mod cases;
mod facts;
mod floats;
mod lasso;
mod limits;
mod measures;
mod phases;
mod prove;
mod rank;
mod safety;
mod scaled;
mod search;
mod settings;
mod strategy;
mod template;
mod termination;
mod unknowns;

use encode::trace;
use engine::{Cx, Danger, Engine, Evidence, Question, Stop, Task, Verdict, Why};
use infer::segments::{Comes, Decides, merged};
use limits::search::MOST_PATHS;
use prove::Wanted;
use search::Search;
pub use settings::Settings;
use std::time::Duration;
use strategy::Problem;

/// The engine.
#[derive(Debug, Default)]
pub struct DangerInvariants {
    pub settings: Settings,
}

impl Engine for DangerInvariants {
    fn name(&self) -> &'static str {
        "danger"
    }

    fn run(&mut self, task: &Task, cx: &mut Cx) -> Verdict {
        let answer = match task.question {
            Question::Reach => reach(task, &self.settings, cx),
            Question::AlwaysEnds => termination::always_ends(task, &self.settings, cx),
            Question::NeverEnds => termination::never_ends(task, &self.settings, cx),
        };
        answer.unwrap_or_else(|stop| Verdict::Unknown(stop.into()))
    }
}

fn reach(task: &Task, settings: &Settings, cx: &mut Cx) -> Result<Verdict, Stop> {
    if !task.has_errors() {
        return Ok(Verdict::Unknown(Why::GaveUp("there is nothing that could fail".into())));
    }
    if let Some(verdict) = before_loops(task, cx)? {
        return Ok(verdict);
    }
    if let Some(proof) = safety::proof(&task.program, settings, cx)? {
        return Ok(Verdict::Safe(proof));
    }
    Ok(match search(task, settings, cx)? {
        Some(danger) => Verdict::Unsafe(Evidence::Danger(danger)),
        None => Verdict::Unknown(Why::GaveUp("no danger invariant among those that were tried".into())),
    })
}

fn search(task: &Task, settings: &Settings, cx: &mut Cx) -> Result<Option<Danger>, Stop> {
    let problem = Problem::new(&task.program, settings, &mut cx.terms);
    let mut search = Search::new(&problem, cx, Wanted::Error);
    let first = in_turn(cx, settings.turn, |cx| search.run(cx))?;
    if let Some(found @ Some(_)) = first {
        return Ok(found);
    }
    if let Some(found @ Some(_)) = in_turn(cx, settings.turn, |cx| unknowns::solve(&problem, &mut search, cx))? {
        return Ok(found);
    }
    match first {
        Some(_) => Ok(None),
        None => search.run(cx),
    }
}

/// Acts for a turn at most; `None` if that was not enough.
fn in_turn<T>(cx: &mut Cx, turn: Duration, act: impl FnOnce(&mut Cx) -> Result<T, Stop>) -> Result<Option<T>, Stop> {
    let whole = cx.budget.clone();
    cx.budget = whole.slice(turn);
    let done = act(cx);
    cx.budget = whole;
    match done {
        Ok(done) => Ok(Some(done)),
        Err(Stop::Timeout) => cx.budget.check().map(|()| None),
        Err(stop) => Err(stop),
    }
}

/// An error that is reached without passing a loop needs no invariant.
fn before_loops(task: &Task, cx: &mut Cx) -> Result<Option<Verdict>, Stop> {
    let program = &task.program;
    let wto = flow::wto::Wto::new(program.main());
    let budget = cx.budget.clone();
    let pieces = merged(program, &mut cx.terms, &wto, Decides::Nobody, &budget)?;
    let mut solver = cx.solver()?;
    for piece in pieces.iter().filter(|p| p.from.is_none() && p.comes == Comes::ToError) {
        if !cx.is_sat(solver.as_mut(), &piece.conditions)? {
            continue;
        }
        let edges = path_to(program, &wto, piece.to, cx)?;
        if let Some(trace) = edges {
            return Ok(Some(Verdict::Unsafe(Evidence::Trace(trace))));
        }
    }
    Ok(None)
}

/// An execution to the location that passes no loop, by following paths one after the other.
fn path_to(
    program: &cfa::Program,
    wto: &flow::wto::Wto,
    target: cfa::Loc,
    cx: &mut Cx,
) -> Result<Option<engine::Trace>, Stop> {
    let predecessors = program.main().predecessors();
    let mut solver = cx.solver()?;
    let mut paths = vec![(target, Vec::new())];
    let mut tried = 0;
    while let Some((loc, path)) = paths.pop() {
        if loc == program.main().entry {
            tried += 1;
            let forwards: Vec<cfa::Edge> = path.iter().rev().copied().collect();
            if let Some(trace) = trace::along(program, cx, &forwards, solver.as_mut())? {
                return Ok(Some(trace));
            }
            if tried > MOST_PATHS {
                return Ok(None);
            }
            continue;
        }
        for &edge in &predecessors[loc] {
            let from = program.main().edges[edge].from;
            if wto.reaches(from) && !wto.is_head(from) {
                let mut longer = path.clone();
                longer.push(edge);
                paths.push((from, longer));
            }
        }
    }
    Ok(None)
}
