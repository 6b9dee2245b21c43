//! Solving: assertions, checks, models, failed assumptions, and being stopped.

use rustix::time::{ClockId, clock_gettime};
use std::cell::{Cell, RefCell};
use std::ffi::c_void;
use std::ptr;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::guard::{Error, call, take_log};
use crate::raw;
use crate::terms::{Manager, Term, Terms, owned};

/// What a solver is asked to be able to do; fixed at its creation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    pub models: bool,
    pub failed_assumptions: bool,
    pub unsat_cores: bool,
    pub seed: u32,
    /// Rewriting and substitution of the whole formula before solving.
    pub preprocessing: bool,
    /// Bring sums and products into one form first.
    pub normalisation: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            models: true,
            failed_assumptions: true,
            unsat_cores: false,
            seed: 42,
            preprocessing: true,
            normalisation: true,
        }
    }
}

/// Why a check ended without an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    Cancelled,
    DeadlinePassed,
    /// Bitwuzla gave up by itself; its own words, if it has any.
    GaveUp(String),
}

/// What the termination callback saw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stopped {
    Cancelled,
    DeadlinePassed,
}

impl From<Stopped> for Reason {
    fn from(stopped: Stopped) -> Reason {
        match stopped {
            Stopped::Cancelled => Reason::Cancelled,
            Stopped::DeadlinePassed => Reason::DeadlinePassed,
        }
    }
}

/// The answer to one check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    Sat,
    Unsat,
    Unknown(Reason),
}

/// Read by the termination callback, from inside a running check on the same thread.
#[derive(Default)]
struct StopState {
    cancel: RefCell<Option<Arc<AtomicBool>>>,
    /// In CPU time of this thread: neither a busy machine nor a paused process uses up what a check may take.
    deadline: Cell<Option<Duration>>,
    stopped: Cell<Option<Stopped>>,
}

impl StopState {
    fn due(&self) -> Option<Stopped> {
        let cancelled = self
            .cancel
            .try_borrow()
            .is_ok_and(|cancel| cancel.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)));
        if cancelled {
            return Some(Stopped::Cancelled);
        }
        self.deadline.get().is_some_and(|deadline| cpu_time() >= deadline).then_some(Stopped::DeadlinePassed)
    }
}

/// CPU time of this thread so far.
fn cpu_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(u64::try_from(time.tv_sec).unwrap_or(0), u32::try_from(time.tv_nsec).unwrap_or(0))
}

unsafe extern "C" fn termination_callback(state: *mut c_void) -> i32 {
    // SAFETY: `Solver` passes its `StopState` and keeps it alive longer than the C++ object.
    let state = unsafe { &*state.cast::<StopState>() };
    let due = state.due();
    if due.is_some() {
        state.stopped.set(due);
    }
    i32::from(due.is_some())
}

/// One solver over the terms of one manager. Belongs to the thread that made it.
pub struct Solver {
    raw: *mut raw::Bitwuzla,
    stop: Rc<StopState>,
    /// Set once a call broke off in the middle.
    broken: Option<String>,
    /// Declared last: dropped after the solver proper.
    _manager: Rc<Manager>,
}

impl Drop for Solver {
    fn drop(&mut self) {
        // SAFETY: made by `bitwuzla_new`, deleted once, before its term manager. An error has nowhere to go.
        let _ = call(|| unsafe { raw::bitwuzla_delete(self.raw) });
    }
}

impl Solver {
    pub fn new(terms: &Terms, options: &Options) -> Result<Solver, Error> {
        let manager = Rc::clone(terms.manager());
        let stop = Rc::new(StopState::default());
        let settings = [
            (raw::BITWUZLA_OPT_PRODUCE_MODELS, u64::from(options.models)),
            (raw::BITWUZLA_OPT_PRODUCE_UNSAT_ASSUMPTIONS, u64::from(options.failed_assumptions)),
            (raw::BITWUZLA_OPT_PRODUCE_UNSAT_CORES, u64::from(options.unsat_cores)),
            (raw::BITWUZLA_OPT_SEED, u64::from(options.seed)),
            (raw::BITWUZLA_OPT_PREPROCESS, u64::from(options.preprocessing)),
            (raw::BITWUZLA_OPT_PP_NORMALIZE, u64::from(options.normalisation)),
        ];
        // SAFETY: the options object lives between its new and its delete; the manager is alive.
        let raw_options = call(|| unsafe { raw::bitwuzla_options_new() })?;
        let made = call(|| unsafe {
            for (option, value) in settings {
                raw::bitwuzla_set_option(raw_options, option, value);
            }
            raw::bitwuzla_new(manager.raw, raw_options)
        });
        call(|| unsafe { raw::bitwuzla_options_delete(raw_options) })?;
        let raw = made?;
        if raw.is_null() {
            return Err(Error::Broken("no solver".to_string()));
        }
        let solver = Solver { raw, stop, broken: None, _manager: manager };
        let state = Rc::as_ptr(&solver.stop).cast_mut().cast::<c_void>();
        // SAFETY: `stop` outlives the C++ solver (it is dropped after `Solver::drop` ran).
        call(|| unsafe { raw::bitwuzla_set_termination_callback(raw, Some(termination_callback), state) })?;
        Ok(solver)
    }

    /// A running check ends soon after `cancel` becomes true or this thread has used so much more CPU time.
    pub fn limit(&mut self, cancel: Option<Arc<AtomicBool>>, time: Option<Duration>) {
        *self.stop.cancel.borrow_mut() = cancel;
        self.stop.deadline.set(time.and_then(|time| cpu_time().checked_add(time)));
    }

    /// Calls with the solver, unless it broke before; an error in the middle breaks it for good.
    fn with<R>(&mut self, body: impl FnOnce(*mut raw::Bitwuzla) -> R) -> Result<R, Error> {
        if let Some(message) = &self.broken {
            return Err(Error::Broken(message.clone()));
        }
        let raw = self.raw;
        let result = call(|| body(raw));
        if let Err(Error::Broken(message)) = &result {
            self.broken = Some(message.clone());
        }
        result
    }

    // SAFETY of the calls below: `raw` is alive, and the terms are alive because `terms` is.

    pub fn push(&mut self) -> Result<(), Error> {
        self.with(|raw| unsafe { raw::bitwuzla_push(raw, 1) })
    }

    pub fn pop(&mut self, levels: u32) -> Result<(), Error> {
        self.with(|raw| unsafe { raw::bitwuzla_pop(raw, u64::from(levels)) })
    }

    pub fn assert(&mut self, terms: &Terms, term: Term) -> Result<(), Error> {
        let term = terms.raw(term);
        self.with(|raw| unsafe { raw::bitwuzla_assert(raw, term) })
    }

    pub fn check(&mut self, terms: &Terms, assumptions: &[Term]) -> Result<Outcome, Error> {
        self.stop.stopped.set(None);
        if let Some(stopped) = self.stop.due() {
            return Ok(Outcome::Unknown(stopped.into()));
        }
        let mut assumptions: Vec<_> = assumptions.iter().map(|term| terms.raw(*term)).collect();
        let count = u32::try_from(assumptions.len()).map_err(|_| Error::Misuse("too many assumptions".to_string()))?;
        let pointer = assumptions.as_mut_ptr();
        let outcome = self.with(|raw| unsafe {
            if count == 0 {
                raw::bitwuzla_check_sat(raw)
            } else {
                raw::bitwuzla_check_sat_assuming(raw, count, pointer)
            }
        });
        let log = take_log();
        match outcome {
            Ok(raw::BITWUZLA_SAT) => Ok(Outcome::Sat),
            Ok(raw::BITWUZLA_UNSAT) => Ok(Outcome::Unsat),
            Ok(_) => {
                let gave_up = || Reason::GaveUp(log);
                Ok(Outcome::Unknown(self.stop.stopped.get().map_or_else(gave_up, Reason::from)))
            }
            Err(error) => {
                // Even a polite refusal may leave the assumptions half asserted.
                let (Error::Misuse(message) | Error::Broken(message)) = &error;
                self.broken = Some(message.clone());
                Err(error)
            }
        }
    }

    /// The value of a term after `Sat`, as a value term (an array's is a chain of stores over a constant array).
    pub fn value(&mut self, terms: &mut Terms, term: Term) -> Result<Term, Error> {
        let term = terms.raw(term);
        let value = self.with(|raw| unsafe { raw::bitwuzla_get_value(raw, term) })?;
        terms.adopt(value)
    }

    /// After `Unsat`: is this assumption of the last check among those that contradict?
    pub fn is_failed_assumption(&mut self, terms: &Terms, term: Term) -> Result<bool, Error> {
        let term = terms.raw(term);
        self.with(|raw| unsafe { raw::bitwuzla_is_unsat_assumption(raw, term) })
    }

    /// Bitwuzla's own counters, by name.
    pub fn statistics(&mut self) -> Result<Vec<(String, String)>, Error> {
        let (mut keys, mut values, mut count) = (ptr::null_mut(), ptr::null_mut(), 0usize);
        self.with(|raw| unsafe {
            raw::bitwuzla_get_statistics(raw, &raw mut keys, &raw mut values, &raw mut count);
        })?;
        if count == 0 || keys.is_null() || values.is_null() {
            return Ok(Vec::new());
        }
        // SAFETY: both arrays have `count` elements and stay valid until the next such call.
        let (keys, values) =
            unsafe { (std::slice::from_raw_parts(keys, count), std::slice::from_raw_parts(values, count)) };
        keys.iter().zip(values).map(|(key, value)| Ok((owned(*key)?, owned(*value)?))).collect()
    }
}
