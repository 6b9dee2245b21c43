//! Deep counterexamples by loop acceleration (paper 002, section 5).
//!
//! `accelerate` adds edges that stand for any number of iterations; what they lead to is searched with few visits of each
//! loop head. A bug behind a million iterations is then as near as one behind two.

mod hunt;

use accelerate::{Accelerated, accelerate};
use engine::{Board, Cx, Engine, Event, Stop, Task, Verdict, Why};
use flow::wto::Wto;
use hunt::Hunt;

#[derive(Clone, Debug)]
pub struct Settings {
    pub accelerate: accelerate::Settings,
    /// The largest number of visits of each loop head.
    pub max_bound: u32,
    /// At how many places an arbitrary array may differ from a constant, where a loop reads it in one step.
    pub places: usize,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { accelerate: accelerate::Settings::default(), max_bound: 8, places: 3 }
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
        let fast = Task::new(accelerated.program.clone(), task.approx);
        let mut inner = Cx::new(&fast, cx.budget.clone(), Board::new(), cx.solvers.clone());
        let wto = Wto::new(fast.program.main());
        let mut hunt = Hunt::new(&fast, &wto, &accelerated, self.settings.places, &inner)?;
        for bound in 2..=self.settings.max_bound {
            if let Some(evidence) = hunt.advance(bound, &mut inner)? {
                return Ok(Verdict::Unsafe(evidence));
            }
            cx.tell(Event::Bound(u64::from(bound)));
        }
        Ok(Verdict::Unknown(Why::GaveUp(format!("no error within {} accelerated steps", self.settings.max_bound))))
    }
}

/// For people who watch.
fn summary(accelerated: &Accelerated) -> String {
    format!(
        "{} of {} loops accelerated, {} paths; skipped {:?}",
        accelerated.accelerated_loops(),
        accelerated.loops,
        accelerated.accelerators.len(),
        accelerated.skipped
    )
}
