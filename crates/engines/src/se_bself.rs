//! Forward symbolic execution and loop folding in turn (Chalupa and Strejček 2021, section 5.2, where each gets half of the time).
//!
//! Executing forwards is what decides easy programs, so it begins, with a small part of the time. Then folding has its
//! turn, and what it leaves goes to the execution again, which goes on where it stopped: no path is walked twice, and the
//! states at loop heads that were seen still count. A method that has nothing more to try leaves its time to the other, and
//! without loops there is nothing to fold.

use crate::bself::LoopFolding;
use crate::se::SymbolicExecution;
use engine::{Cx, Engine, Task, Verdict, Why};
use flow::wto::Wto;

#[derive(Default)]
pub struct ForwardAndFolding {
    pub settings: Settings,
    forward: SymbolicExecution,
    folding: LoopFolding,
}

/// The parts of the time that is left.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// For the first execution: what it decides, it decides soon.
    pub first: u32,
    /// Then for folding; execution gets the rest.
    pub folding: u32,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { first: 8, folding: 2 }
    }
}

impl Engine for ForwardAndFolding {
    fn name(&self) -> &'static str {
        "se+bself"
    }

    fn run(&mut self, task: &Task, cx: &mut Cx) -> Verdict {
        let whole = cx.budget.clone();
        let has_loops = Wto::new(task.program.main()).heads().next().is_some();
        if !has_loops {
            return self.forward.run(task, cx);
        }
        cx.budget = whole.slice(whole.left() / self.settings.first);
        let mut verdict = self.forward.run(task, cx);
        if matches!(verdict, Verdict::Unknown(Why::Timeout)) {
            cx.budget = whole.slice(whole.left() / self.settings.folding);
            let folded = self.folding.run(task, cx);
            cx.budget = whole.clone();
            verdict = match folded {
                Verdict::Unknown(Why::Cancelled | Why::OutOfMemory) => folded,
                Verdict::Unknown(ref why) if why.leaves_model() => folded,
                Verdict::Unknown(_) => self.forward.run(task, cx),
                decided => decided,
            };
        } else if matches!(verdict, Verdict::Unknown(Why::Solver(_) | Why::GaveUp(_))) {
            cx.budget = whole.clone();
            verdict = self.folding.run(task, cx);
        }
        cx.budget = whole;
        verdict
    }
}
