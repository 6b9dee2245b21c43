//! What goes on around one request: who watches, what may stop it, how much time is used.

use crate::limits::decide::NO_TIME_LIMIT;
use crate::request::{Limits, Request};
pub use base::cpu::time as cpu_time;
use cfa::Program;
use engine::{Budget, Why};
use portfolio::{News, Plan};
use report::Part;
use std::cell::{Cell, RefCell};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use transform::pipeline::Prepared;

/// Told what happens while a request is worked on.
pub trait Observer {
    /// What is done now, between and around engines.
    fn phase(&self, _phase: &str) {}

    /// What engines do.
    fn news(&self, _news: News<'_>) {}

    /// One of several properties is decided, while others are not.
    fn decided(&self, _part: &Part) {}

    /// Something that somebody should read, whatever the answer.
    fn warn(&self, _message: &str) {}
}

/// Nobody watches.
#[derive(Clone, Copy, Debug)]
pub struct Unobserved;

impl Observer for Unobserved {}

/// A way to stop a request from another thread. Clones stop the same.
#[derive(Clone, Default)]
pub struct Cancellation(Arc<Shared>);

#[derive(Default)]
struct Shared {
    cancelled: AtomicBool,
    /// The flag that stops what runs now.
    running: Mutex<Option<Arc<AtomicBool>>>,
}

impl Cancellation {
    pub fn new() -> Cancellation {
        Cancellation::default()
    }

    /// Stops the request that was given this, now or as soon as it starts.
    pub fn cancel(&self) {
        self.0.cancelled.store(true, Ordering::SeqCst);
        if let Some(flag) = &*self.0.running.lock().unwrap_or_else(PoisonError::into_inner) {
            flag.store(true, Ordering::SeqCst);
        }
    }

    pub fn is_cancelled(&self) -> bool {
        self.0.cancelled.load(Ordering::SeqCst)
    }

    /// From now on this budget is what is cancelled, and no longer the one before.
    pub fn covers(&self, budget: &Budget) {
        *self.0.running.lock().unwrap_or_else(PoisonError::into_inner) = Some(budget.cancel_flag());
        if self.is_cancelled() {
            budget.cancel_flag().store(true, Ordering::SeqCst);
        }
    }
}

/// One request being worked on.
pub(crate) struct Session<'a> {
    pub(crate) observer: &'a dyn Observer,
    pub(crate) cancellation: &'a Cancellation,
    limits: Limits,
    /// CPU time of this process and of its solvers when the request came.
    started: Duration,
    /// CPU time of engines' processes so far.
    engines: Cell<Duration>,
    /// CPU time that it took to prepare a program, the last time.
    preparing: Cell<Duration>,
    /// What engines did, for people.
    runs: RefCell<Vec<report::Run>>,
    notes: RefCell<Vec<String>>,
}

impl<'a> Session<'a> {
    pub(crate) fn new(request: &Request, observer: &'a dyn Observer, cancellation: &'a Cancellation) -> Session<'a> {
        Session {
            observer,
            cancellation,
            limits: request.limits,
            started: cpu_time(),
            engines: Cell::new(Duration::ZERO),
            preparing: Cell::new(Duration::ZERO),
            runs: RefCell::default(),
            notes: RefCell::default(),
        }
    }

    /// What is left up to `time` of CPU, counted from the start; cancelling the request cancels it.
    pub(crate) fn budget(&self, time: Option<Duration>) -> Budget {
        let time = time.unwrap_or(NO_TIME_LIMIT).saturating_sub(self.used());
        let budget = Budget::new(time, self.limits.memory_bytes.unwrap_or(u64::MAX));
        self.cancellation.covers(&budget);
        budget
    }

    /// What is left of `time`.
    pub(crate) fn left(&self, time: Option<Duration>) -> Duration {
        time.unwrap_or(NO_TIME_LIMIT).saturating_sub(self.used())
    }

    /// Whether there is time to prepare another program, which looks at no clock and takes about as long as the one before, and to ask about it.
    pub(crate) fn may_prepare(&self, time: Option<Duration>) -> bool {
        let needed = self.preparing.get();
        needed.is_zero() || self.left(time) > needed * 2
    }

    /// What it took to prepare a program.
    pub(crate) fn prepared_in(&self, time: Duration) {
        self.preparing.set(time);
    }

    /// The time at which the given part of what is left is over.
    pub(crate) fn until(&self, time: Option<Duration>, part: u32) -> Option<Duration> {
        Some(self.used() + self.left(time) / part)
    }

    /// CPU time of this process, of its solvers and of the engines that ran.
    pub(crate) fn used(&self) -> Duration {
        cpu_time().saturating_sub(self.started) + self.engines.get()
    }

    /// Asks the engines. `whose` tells the runs apart where engines run several times.
    pub(crate) fn ask(
        &self,
        program: &Program,
        prepared: &Prepared,
        plan: &Plan,
        budget: &Budget,
        whose: &str,
    ) -> portfolio::Report {
        self.observer.phase("verifying");
        let answered = portfolio::run(program, prepared, plan, budget, &mut |news| self.observer.news(news));
        self.engines.set(self.engines.get() + answered.runs.iter().map(|run| run.time).sum::<Duration>());
        self.runs.borrow_mut().extend(answered.runs.iter().map(|run| report::Run {
            engine: format!("{}{whose}", run.engine),
            cpu_seconds: run.time.as_secs_f64(),
            check_seconds: run.check.as_secs_f64(),
            said: run.said.clone(),
        }));
        answered
    }

    /// Counts what the engines of another session used; the rest is this process's anyway.
    pub(crate) fn spent(&self, other: &Session<'_>) {
        self.engines.set(self.engines.get() + other.engines.get());
    }

    /// Notes that hold for several properties are told once.
    pub(crate) fn note(&self, note: String) {
        let mut notes = self.notes.borrow_mut();
        if !notes.contains(&note) {
            notes.push(note);
        }
    }

    /// What is to be told of the request besides its verdict.
    pub(crate) fn finish(self) -> (Vec<String>, Vec<report::Run>) {
        (self.notes.into_inner(), self.runs.into_inner())
    }

    /// A failed check is a bug of ours, and loud.
    pub(crate) fn check_failed(&self, why: &Why) {
        self.observer.warn(&format!("foldback: an engine's answer failed its check, please report this: {why}"));
    }
}
