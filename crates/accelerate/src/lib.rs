//! Loop acceleration (Kroening et al. 2015): edges beside loops that stand for any number of iterations along one path.
//!
//! [`accelerate`] takes a flat program and adds such edges. Each is an under-approximation that is exact at the level of bits,
//! so the new program reaches the same states at the old locations, in fewer steps; [`Accelerated::expand`] turns an
//! execution of the new program back into one of the old. Nothing is cut: the loops stay as they are.
//!
//! `select` finds the paths, `closed` and `arrays` say what `n` iterations do, `always` when they are possible,
//! `build` adds the edges, `narrow` asks the solver about formulas in which they occur.

mod always;
mod arrays;
mod body;
mod build;
mod closed;
mod expand;
mod fit;
mod limits;
pub mod narrow;
mod prove;
mod select;

use cfa::{Edge, Loc, Program, Var};
use engine::{Budget, Stop};
use flow::{Accesses, CallGraph, GlobalEffects, Graph, Liveness, Loops, TermVars};
use prove::Prover;
use smt::SolverSettings;
use std::collections::BTreeSet;
use std::time::Duration;

pub use always::{COUNT, Range};
pub use narrow::Narrow;

#[derive(Clone, Debug)]
pub struct Settings {
    /// At most so many paths of each loop.
    pub paths_per_loop: usize,
    /// For each question to the solver.
    pub question: Duration,
    /// For all loops together.
    pub time: Duration,
    /// Only accelerators without quantifiers and without undefined results: edges as any others.
    pub only_plain: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            paths_per_loop: 6,
            question: Duration::from_millis(500),
            time: Duration::from_secs(4),
            only_plain: false,
        }
    }
}

/// Why a path has no accelerator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Skipped {
    /// It cannot be taken twice in a row.
    Infeasible,
    /// A condition reads something without closed form.
    NoClosedForm,
    /// The solver did not confirm that the conditions hold in every iteration.
    NotProved,
}

/// The edges that stand for iterations along one path.
#[derive(Clone, Debug)]
pub struct Accelerator {
    /// The head of the loop.
    pub head: Loc,
    /// One iteration, or several in turn, from the head to the head. May contain the edges of accelerators of inner loops.
    pub path: Vec<Edge>,
    /// The first edge: it chooses `n`, then the inputs.
    pub first: Edge,
    /// The edge that makes variables undefined (⊥), if there are any: an execution that depends on their values is none.
    pub undefined: Option<Edge>,
    /// The edge that leads back to the head.
    pub last: Edge,
    /// The havoc edges on the path, each with the variables that hold its values: the same in all iterations.
    pub inputs: Vec<(Edge, Vec<Var>)>,
    /// Whether formulas with it have quantifiers.
    pub quantified: bool,
}

/// A program with accelerators.
#[derive(Clone, Debug)]
pub struct Accelerated {
    /// The locations, edges and variables of the old program keep their numbers; new ones come after them.
    pub program: Program,
    pub accelerators: Vec<Accelerator>,
    /// Loops of the program.
    pub loops: usize,
    /// Paths without accelerator, with their loop heads.
    pub skipped: Vec<(Loc, Skipped)>,
}

impl Accelerated {
    /// Loops with an accelerator.
    pub fn accelerated_loops(&self) -> usize {
        self.accelerators.iter().map(|a| a.head).collect::<BTreeSet<_>>().len()
    }
}

/// Adds accelerators to the loops of a flat program, inner loops first.
pub fn accelerate(
    program: &Program,
    settings: &Settings,
    solvers: &SolverSettings,
    budget: &Budget,
) -> Result<Accelerated, Stop> {
    let budget = budget.slice(settings.time);
    let mut prover = Prover::new(&budget, solvers, settings.question)?;
    let mut result = Accelerated { program: program.clone(), accelerators: Vec::new(), loops: 0, skipped: Vec::new() };
    let mut heads: Vec<(u32, Loc)> = {
        let loops = Loops::of(&Graph::of(program.main()));
        result.loops = loops.len();
        loops.loops.values().filter(|l| l.is_reducible()).map(|l| (l.depth, l.header)).collect()
    };
    heads.sort_by_key(|(depth, head)| (std::cmp::Reverse(*depth), *head));
    for (_, head) in heads {
        match one_loop(&mut result, head, settings, &mut prover) {
            // What was built so far is good; only the time for building is over.
            Err(Stop::Timeout) => break,
            other => other?,
        }
    }
    Ok(result)
}

fn one_loop(result: &mut Accelerated, head: Loc, settings: &Settings, prover: &mut Prover<'_>) -> Result<(), Stop> {
    let graph = Graph::of(result.program.main());
    let loops = Loops::of(&graph);
    let Some(id) = loops.headed_by(head) else { return Ok(()) };
    let live = live_at(&result.program, &graph, head);
    let mut terms = result.program.terms.clone();
    // What an inner accelerator leaves undefined or says of all elements has no closed form in an outer loop.
    let is_usable = |a: &Accelerator| !a.quantified && a.undefined.is_none();
    let inner = select::Inner {
        first: result.accelerators.iter().map(|a| (a.first, is_usable(a))).collect(),
        last: result.accelerators.iter().map(|a| a.last).collect(),
    };
    let most = settings.paths_per_loop;
    let paths = select::paths(&result.program, &mut terms, (&graph, &loops, id), &inner, most, prover)?;
    for path in paths {
        match build::plan(&result.program, &mut terms, &path, &live, prover)? {
            Ok(plan) if settings.only_plain && !plan.is_plain() => {}
            Ok(plan) => {
                result.program.terms = terms;
                let accelerator = build::add(&mut result.program, head, path, &plan);
                result.accelerators.push(accelerator);
                terms = result.program.terms.clone();
            }
            Err(why) => result.skipped.push((head, why)),
        }
    }
    // The prover remembers terms: its store only ever grows.
    result.program.terms = terms;
    Ok(())
}

/// The variables that are live at a location.
fn live_at(program: &Program, graph: &Graph, at: Loc) -> BTreeSet<Var> {
    let calls = CallGraph::of(program);
    let effects = GlobalEffects::of(program, &calls);
    let mut vars = TermVars::of(program);
    let accesses = Accesses::of(program, program.main(), &effects, &mut vars);
    let mut liveness = Liveness::new(graph, &accesses);
    program.vars.ids().filter(|v| liveness.range(*v).contains(&at)).collect()
}
