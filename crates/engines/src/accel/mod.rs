//! Deep counterexamples by loop acceleration (Kroening et al. 2015, section 5).
//!
//! `accelerate` adds edges that stand for any number of iterations; what they lead to is searched with few visits of each
//! loop head. A bug behind a million iterations is then as near as one behind two. Between the bounds, lazy abstraction looks
//! for a proof on the program as it is; what it finds is an invariant of the original loops.

mod hunt;
mod lazy;
pub mod on_accelerated;

use crate::limits::accel::SHORTEST_SLICE;
use accelerate::{Accelerated, accelerate};
use engine::budget::cpu_time;
use engine::{Board, Cx, Engine, Event, Stop, Task, Verdict, Why};
use flow::wto::Wto;
use hunt::Hunt;
use lazy::{Lazy, Outcome};

#[derive(Clone, Debug)]
pub struct Settings {
    pub accelerate: accelerate::Settings,
    /// The largest number of visits of each loop head.
    pub max_bound: u32,
    /// At how many places an arbitrary array may differ from a constant, where a loop reads it in one step: tried in turn.
    pub places: Vec<usize>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { accelerate: accelerate::Settings::default(), max_bound: 8, places: vec![3, 8] }
    }
}

#[derive(Default)]
pub struct Accel {
    pub settings: Settings,
}

impl Engine for Accel {
    fn name(&self) -> &'static str {
        "accel"
    }

    fn run(&mut self, task: &Task, cx: &mut Cx) -> Verdict {
        self.search(task, cx).unwrap_or_else(|stop| Verdict::Unknown(stop.into()))
    }
}

impl Accel {
    fn search(&self, task: &Task, cx: &mut Cx) -> Result<Verdict, Stop> {
        let accelerated = accelerate(&task.program, &self.settings.accelerate, &cx.solvers, &cx.budget)?;
        cx.tell(Event::Note(summary(&accelerated)));
        let fast = Task::new(accelerated.program.clone());
        let mut inner = Cx::new(&fast, cx.budget.clone(), Board::new(), cx.solvers.clone());
        let wto = Wto::new(fast.program.main());
        let mut hunt = Hunt::new(&fast, &wto, &accelerated, &self.settings.places, &inner)?;
        let own_wto = Wto::new(task.program.main());
        let mut lazy = Some(Lazy::new(task, &own_wto, cx)?);
        for bound in 2.. {
            let started = cpu_time();
            if bound <= self.settings.max_bound {
                if let Some(evidence) = hunt.advance(bound, &mut inner)? {
                    return Ok(Verdict::Unsafe(evidence));
                }
                cx.tell(Event::Bound(u64::from(bound)));
            } else if lazy.is_none() {
                break;
            }
            // As long for a proof as for the search.
            let slice = cx.budget.slice((cpu_time() - started).max(SHORTEST_SLICE));
            if let Some(proof) = &mut lazy {
                match proof.advance(&slice, cx) {
                    Ok(Outcome::Done(verdict)) => return Ok(verdict),
                    Ok(Outcome::Paused) => {}
                    Ok(Outcome::Stuck) | Err(Stop::Solver(_)) => lazy = None,
                    Err(stop) => return Err(stop),
                }
            }
        }
        Ok(Verdict::Unknown(Why::GaveUp(format!("no error within {} accelerated steps", self.settings.max_bound))))
    }
}

/// For people who watch.
fn summary(accelerated: &Accelerated) -> String {
    format!(
        "{} of {} loops accelerated, {} paths",
        accelerated.accelerated_loops(),
        accelerated.loops,
        accelerated.accelerators.len()
    )
}
