//! Backward symbolic execution (Chalupa and Strejček 2021, algorithms 1 and 3 without folding): breadth-first from the targets, by
//! existential pre-images, until the entry is reached or nothing is left.
//!
//! The first error path that reaches the entry is one of minimal length. When the queue runs dry the sets of states that
//! were extended are unreachable: their negations at the loop heads are the invariant that is the proof. Theorem 1 of the
//! paper says when this ends; dropping what is subsumed or outside proven invariants makes it end more often.

pub mod kind_path;

use cfa::{Edge, LocKind, Program};
use encode::backward::{Backward, Terrain, at_targets};
use encode::pre::inputs_in;
use encode::{Oracle, trace, why_unknown};
use engine::{Cx, Engine, Event, Evidence, FactKind, Proof, Stop, Task, Verdict, Why};
use std::collections::BTreeMap;
use std::time::Duration;
use term::{Store, Term};

#[derive(Clone, Debug)]
pub struct Settings {
    /// Drop states that were met before at the same location.
    pub subsume: bool,
    /// Confine the search to proven invariants: intervals, and those of the board.
    pub invariants: bool,
    /// Effort for one question; what is not decided by then counts as feasible.
    pub patience: Duration,
    /// The longest path.
    pub max_length: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { subsume: true, invariants: true, patience: Duration::from_millis(1000), max_length: u32::MAX }
    }
}

#[derive(Default)]
pub struct BackwardExecution {
    pub settings: Settings,
}

impl Engine for BackwardExecution {
    fn name(&self) -> &'static str {
        "bse"
    }

    fn run(&mut self, task: &Task, cx: &mut Cx) -> Verdict {
        self.search(task, cx).unwrap_or_else(|stop| Verdict::Unknown(stop.into()))
    }
}

impl BackwardExecution {
    fn search(&self, task: &Task, cx: &mut Cx) -> Result<Verdict, Stop> {
        let program = &task.program;
        let mut terrain = Terrain::new(program);
        if self.settings.invariants {
            learn_intervals(program, &mut terrain, cx)?;
        }
        let mut oracle = Oracle::new(cx, self.settings.patience)?;
        let mut search = Backward::new(self.settings.subsume, at_targets(task, &cx.terms));
        let mut unknown: Option<Why> = None;
        let (mut length, mut items) = (0, 0u64);
        while let Some(item) = search.next(&terrain, cx, &mut oracle)? {
            items += 1;
            if items.is_multiple_of(64) {
                cx.budget.check_memory()?;
            }
            if item.length > length {
                length = item.length;
                cx.tell(Event::Bound(u64::from(length)));
                if self.settings.invariants {
                    read_board(&mut terrain, cx);
                }
            }
            if length > self.settings.max_length {
                return Ok(Verdict::Unknown(Why::GaveUp(format!("not decided by paths of {length} edges"))));
            }
            if item.loc == program.main().entry {
                match execution(program, cx, &item.edges())? {
                    Some(Verdict::Unknown(why)) => {
                        unknown.get_or_insert(why);
                    }
                    Some(found) => return Ok(found),
                    None => {}
                }
            }
            search.extend(program, &terrain, &mut cx.terms, &item, |_| true);
        }
        Ok(match unknown {
            Some(why) => Verdict::Unknown(why),
            None => Verdict::Safe(proof(program, &mut cx.terms, &terrain, search.kept(), items)),
        })
    }
}

/// What reaching the entry means: an execution to an error, to something that is not modelled, or a path that the solver
/// could not refute before and can now.
pub fn execution(program: &Program, cx: &mut Cx, edges: &[Edge]) -> Result<Option<Verdict>, Stop> {
    let mut solver = cx.solver()?;
    let Some(found) = trace::along(program, cx, edges, solver.as_mut())? else { return Ok(None) };
    Ok(Some(match program.main().locs[found.target].kind {
        LocKind::Error(_) => Verdict::Unsafe(Evidence::Trace(found)),
        _ => Verdict::Unknown(why_unknown(program, found.target)),
    }))
}

/// The proof that a finished search is: what is known at the heads, and that nothing kept is reachable.
pub fn proof(
    program: &Program,
    terms: &mut Store,
    terrain: &Terrain,
    kept: &[(cfa::Loc, Term)],
    explored: u64,
) -> Proof {
    let mut at: BTreeMap<cfa::Loc, Term> = terrain.known().clone();
    at.retain(|loc, _| terrain.wto.is_head(*loc));
    for &(loc, states) in kept {
        // That no value of an input leads to the error cannot be said without a quantifier.
        if !inputs_in(program, terms, states).is_empty() {
            return Proof::Exhausted { bound: 0, explored };
        }
        let never = terms.not(states);
        let before = at.get(&loc).copied().unwrap_or(terms.tt());
        at.insert(loc, terms.and(before, never));
    }
    Proof::Invariants { at, k: 1 }
}

/// Intervals and congruences at loop heads, and which locations they exclude.
pub fn learn_intervals(program: &Program, terrain: &mut Terrain, cx: &mut Cx) -> Result<(), Stop> {
    let budget = cx.budget.slice(cx.budget.left() / 10);
    let found = domain::analyse(program, &terrain.wto, &mut || budget.check().is_ok());
    cx.budget.check()?;
    let Some(analysis) = found else { return Ok(()) };
    for loc in program.main().locs.ids() {
        if terrain.wto.reaches(loc) && (terrain.wto.is_head(loc) || analysis.at[loc].is_none()) {
            let known = analysis.formula(program, &mut cx.terms, loc);
            terrain.learn(&mut cx.terms, loc, known);
        }
    }
    Ok(())
}

/// Takes proven invariants of others.
fn read_board(terrain: &mut Terrain, cx: &mut Cx) {
    for fact in cx.news() {
        if let FactKind::Invariant { at, formula } = fact.kind
            && terrain.wto.is_head(at)
            && let Ok(formula) = term::smtlib::parse_term(&mut cx.terms, &formula)
        {
            terrain.learn(&mut cx.terms, at, formula);
        }
    }
}
