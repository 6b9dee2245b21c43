//! k-induction (Gadelha et al. 2018): base case, forward condition, inductive step; and the bidirectional form, `bkind`.
//!
//! The base case and the forward condition are bounded model checking: no error within `k` visits of each loop head,
//! and does any loop go on? The inductive step ([`step`]) enters loops in an arbitrary state (of what they change, within
//! proven invariants), lets them run `k` iterations without error and asks whether the next one errs, or what follows the
//! loop. A step that fails has a counterexample, and it is not thrown away: [`crate::generalise`] tries to exclude its states by new
//! invariants, and `bkind` (algorithms 1.5 and 1.6) makes it a target of the next base case, so that the search from the
//! entry and the search from the error meet half-way.

mod step;

use crate::generalise::Generaliser;
use crate::limits::kind::{PATIENCE, SHORTEST};
use encode::Bounded;
use engine::budget::cpu_time;
use engine::{Cx, Engine, Event, FactKind, Proof, Stop, Task, Verdict, Why};
use flow::wto::Wto;
use std::time::Duration;
use step::{Asked, Outcome, Step};

#[derive(Clone, Debug)]
pub struct Settings {
    /// The largest `k`.
    pub max_k: u32,
    /// How `k` grows.
    pub raise: Raise,
    /// Whether counterexamples of the step become targets of the base case.
    pub bidirectional: bool,
    /// Whether invariants are used at all: intervals, those of the board, and those learnt from failed steps.
    pub invariants: bool,
}

/// How `k` grows from one iteration to the next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Raise {
    /// By one, as in the paper.
    ByOne,
    /// By one up to 8, then by a quarter: a deep bug or bound is reached with few solver calls, and a proof needs no more
    /// than a quarter more iterations than the smallest `k`.
    ByQuarter,
}

impl Raise {
    fn after(self, k: u32) -> u32 {
        match self {
            Raise::ByQuarter if k >= 8 => k.saturating_add(k / 4),
            _ => k.saturating_add(1),
        }
    }
}

impl Settings {
    pub fn kind() -> Settings {
        Settings { max_k: u32::MAX, raise: Raise::ByQuarter, bidirectional: false, invariants: true }
    }

    pub fn bkind() -> Settings {
        Settings { bidirectional: true, ..Settings::kind() }
    }
}

pub struct KInduction {
    pub settings: Settings,
}

impl KInduction {
    pub fn new(settings: Settings) -> KInduction {
        KInduction { settings }
    }
}

impl Engine for KInduction {
    fn name(&self) -> &'static str {
        if self.settings.bidirectional { "bkind" } else { "kind" }
    }

    fn run(&mut self, task: &Task, cx: &mut Cx) -> Verdict {
        self.search(task, cx).unwrap_or_else(|stop| Verdict::Unknown(stop.into()))
    }
}

/// The CPU time that questions may take which help but need not be answered: as much as the base case has taken, and a
/// share of the budget besides.
struct Share {
    extra: Duration,
    spent: Duration,
}

impl Share {
    fn new(budget: Duration, percent: u32) -> Share {
        Share { extra: budget * percent / 100, spent: Duration::ZERO }
    }

    /// How long the next question may take; `None` if nothing sensible is left.
    fn left(&self, base: Duration) -> Option<Duration> {
        let left = (base + self.extra).saturating_sub(self.spent);
        (left > SHORTEST).then_some(left)
    }

    fn charge<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let started = cpu_time();
        let result = work();
        self.spent += cpu_time() - started;
        result
    }
}

impl KInduction {
    fn search(&self, task: &Task, cx: &mut Cx) -> Result<Verdict, Stop> {
        let program = &task.program;
        let wto = Wto::new(program.main());
        // The step's windows begin at heads: where a loop is entered elsewhere there are none.
        let reducible = wto.is_reducible(program.main());
        let budget = cx.budget.left();
        let (mut proving, mut learning) = (Share::new(budget, 20), Share::new(budget, 15));
        let mut base = Bounded::new(task, &wto, cx)?;
        if self.settings.bidirectional {
            base.keep_heads();
        }
        let mut learner = Generaliser::new(self.name(), task, &wto, cx)?;
        let mut step = Step::new(cx)?;
        let mut targets = Vec::new();
        let mut exploring = Duration::ZERO;
        let mut barren = 0;
        let mut k: u32 = 1;
        loop {
            let started = cpu_time();
            let verdict = base.advance_towards(k, &targets, exploring / 2 + budget / 20, cx)?;
            exploring += cpu_time() - started;
            if let Some(verdict) = verdict {
                cx.tell(Event::Note(format!("decided in iteration {k} by the base case or forward condition")));
                return Ok(verdict);
            }
            cx.publish(self.name(), FactKind::NoErrorWithin { bound: u64::from(k) });
            if self.settings.invariants && reducible {
                if k == 1 {
                    learning.charge(|| learner.analyse(budget / 10, cx))?;
                }
                if let Some(left) = learning.left(exploring) {
                    learning.charge(|| learner.read_board(left / 2, cx))?;
                }
            }
            while let (true, None, Some(left)) = (reducible, base.unknown(), proving.left(exploring)) {
                let distinct = self.settings.bidirectional.then(|| learner.live());
                let asked = Asked { task, wto: &wto, windows: &learner.windows, distinct, patience: left / 2 };
                let outcome = proving.charge(|| step.check(asked, k, cx))?;
                match outcome {
                    Outcome::Inductive => {
                        cx.tell(Event::Note(format!("decided in iteration {k} by the inductive step")));
                        return Ok(Verdict::Safe(Proof::Invariants { at: learner.windows.invariants.clone(), k }));
                    }
                    Outcome::NoAnswer => break,
                    Outcome::Fails(failure) => {
                        if self.settings.bidirectional {
                            targets = failure.preimages.clone();
                        }
                        // Where nothing was learnt for a while, it is tried ever more seldom.
                        let hopeful = self.settings.invariants && (barren < PATIENCE || k.is_power_of_two());
                        let Some(left) = learning.left(exploring).filter(|_| hopeful) else { break };
                        // If something was learnt, the step is tried again with it.
                        if !learning.charge(|| learner.exclude(&failure.states, left / 4, cx))? {
                            barren += 1;
                            break;
                        }
                        barren = 0;
                    }
                }
            }
            cx.tell(Event::Bound(u64::from(k)));
            if k >= self.settings.max_k {
                return Ok(Verdict::Unknown(Why::GaveUp(format!("not {k}-inductive"))));
            }
            k = self.settings.raise.after(k).min(self.settings.max_k);
        }
    }
}
