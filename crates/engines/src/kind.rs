//! k-induction (paper 003): base case, forward condition, inductive step; and the bidirectional form, `bkind`.
//!
//! The base case and the forward condition are bounded model checking: no error within `k` visits of each loop head,
//! and does any loop go on? The inductive step ([`step`]) enters loops in an arbitrary state (of what they change, within
//! proven invariants), lets them run `k` iterations without error and asks whether the next one errs, or what follows the
//! loop. A step that fails has a counterexample, and it is not thrown away: [`learn`] tries to exclude its states by new
//! invariants, and `bkind` (algorithms 1.5 and 1.6) makes it a target of the next base case, so that the search from the
//! entry and the search from the error meet half-way.

mod learn;
mod step;

use encode::unroll::Windows;
use encode::{Bounded, preimage};
use engine::budget::cpu_time;
use engine::{Cx, Engine, Event, Proof, Stop, Task, Verdict, Why};
use flow::wto::Wto;
use learn::Learner;
use std::time::Duration;
use step::{Outcome, Step};

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

/// A question that helps but need not be answered may take this long, or as long as everything so far, whichever is more.
const PATIENCE: Duration = Duration::from_millis(500);

impl KInduction {
    fn search(&self, task: &Task, cx: &mut Cx) -> Result<Verdict, Stop> {
        let program = &task.program;
        let wto = Wto::new(program.main());
        let started = cpu_time();
        let patience = move || (cpu_time() - started).max(PATIENCE);
        let mut base = Bounded::new(task, &wto, cx)?;
        if self.settings.bidirectional {
            base.keep_heads();
        }
        let mut learner = Learner::new(self.name(), task, &wto, Windows::new(program, &wto), cx)?;
        let mut step = Step::new(cx)?;
        let mut targets = Vec::new();
        let mut k = 1;
        loop {
            if let Some(verdict) = base.advance_towards(k, &targets, patience(), cx)? {
                cx.tell(Event::Note(format!("decided in iteration {k} by the base case or forward condition")));
                return Ok(verdict);
            }
            if self.settings.invariants {
                if k == 1 {
                    learner.analyse(patience(), cx)?;
                }
                learner.read_board(patience(), cx)?;
            }
            while base.unknown().is_none() {
                let distinct = self.settings.bidirectional.then(|| learner.live());
                match step.check(task, &wto, &learner.windows, k, distinct, patience(), cx)? {
                    Outcome::Inductive => {
                        cx.tell(Event::Note(format!("decided in iteration {k} by the inductive step")));
                        return Ok(Verdict::Safe(Proof::Invariants { at: learner.windows.invariants.clone(), k }));
                    }
                    Outcome::NoAnswer => break,
                    Outcome::Fails(failure) => {
                        if self.settings.bidirectional {
                            targets = preimage::along(program, &wto, &mut cx.terms, &failure.path, failure.target);
                        }
                        // If something was learnt, the step is tried again with it.
                        if !self.settings.invariants || !learner.exclude(&failure, patience(), cx)? {
                            break;
                        }
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
