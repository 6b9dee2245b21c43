//! Bounded model checking: unwind all loops `k` times, ask whether an error is reached, and whether anything is left.
//!
//! One formula for all paths (`encode::unroll` merges at joins); each bound adds to the same solver only what is new.
//! When no loop can go on beyond the bound the program is explored completely: the unwinding assertions prove `true`.

use encode::Bounded;
use engine::{Cx, Engine, Event, FactKind, Stop, Task, Verdict, Why};
use flow::wto::Wto;

#[derive(Clone, Debug)]
pub struct Settings {
    /// The largest number of iterations of any loop.
    pub max_bound: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { max_bound: u32::MAX }
    }
}

#[derive(Default)]
pub struct Bmc {
    pub settings: Settings,
}

impl Engine for Bmc {
    fn name(&self) -> &'static str {
        "bmc"
    }

    fn run(&mut self, task: &Task, cx: &mut Cx) -> Verdict {
        self.search(task, cx).unwrap_or_else(|stop| Verdict::Unknown(stop.into()))
    }
}

impl Bmc {
    fn search(&self, task: &Task, cx: &mut Cx) -> Result<Verdict, Stop> {
        let wto = Wto::new(task.program.main());
        let mut base = Bounded::new(task, &wto, cx)?;
        let mut bound = 1;
        loop {
            if let Some(verdict) = base.advance(bound, cx)? {
                return Ok(verdict);
            }
            cx.tell(Event::Bound(u64::from(bound)));
            cx.publish("bmc", FactKind::NoErrorWithin { bound: u64::from(bound) });
            if bound >= self.settings.max_bound {
                return Ok(Verdict::Unknown(Why::GaveUp(format!("no error within {bound} iterations of each loop"))));
            }
            bound = next_bound(bound);
        }
    }
}

/// Small steps while bounds are small: bugs are shallow. Then by quarters, so that the number of solver calls stays low.
fn next_bound(bound: u32) -> u32 {
    bound.saturating_add((bound / 4).max(1))
}
