//! Ctrl-C and SIGTERM: the run is told to stop, and says what it knows. If it has not stopped soon, it is ended.
//!
//! Both signals are blocked in all threads, and one thread waits for them. Engines' processes inherit that: a Ctrl-C, which
//! a terminal sends to all of them, leaves it to this process to end them. They die with it in any case.

#![allow(unsafe_code)]

use engine::Budget;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// So long a run may take to stop by itself.
const GRACE: Duration = Duration::from_millis(120);

/// Clones are told of the same signals.
#[derive(Clone, Default)]
pub(crate) struct Interrupt {
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    signalled: AtomicBool,
    /// The flag that stops what runs now.
    running: Mutex<Option<Arc<AtomicBool>>>,
}

/// Blocks the signals in this thread and those that it starts. To be called before there are others.
pub(crate) fn block() {
    // SAFETY: the set is initialised by the call before its use.
    unsafe {
        let set = signals();
        libc::pthread_sigmask(libc::SIG_BLOCK, &set, std::ptr::null_mut());
    }
}

fn signals() -> libc::sigset_t {
    // SAFETY: `sigemptyset` initialises the set that it is given.
    unsafe {
        let mut set = std::mem::zeroed();
        libc::sigemptyset(&mut set);
        libc::sigaddset(&mut set, libc::SIGINT);
        libc::sigaddset(&mut set, libc::SIGTERM);
        set
    }
}

fn wait() {
    let set = signals();
    let mut signal = 0;
    // SAFETY: both arguments live until the call returns.
    unsafe {
        libc::sigwait(&set, &mut signal);
    }
}

impl Interrupt {
    /// Waits for signals from now on. `end` ends the process, and is called when stopping takes too long.
    pub(crate) fn watch(end: impl FnOnce() + Send + 'static) -> Interrupt {
        let interrupt = Interrupt::default();
        let watched = interrupt.clone();
        std::thread::spawn(move || {
            wait();
            watched.raise();
            std::thread::sleep(GRACE);
            end();
        });
        interrupt
    }

    fn raise(&self) {
        self.shared.signalled.store(true, Ordering::SeqCst);
        if let Some(flag) = &*self.shared.running.lock().unwrap_or_else(PoisonError::into_inner) {
            flag.store(true, Ordering::SeqCst);
        }
    }

    /// Whether a signal has come.
    pub(crate) fn is_raised(&self) -> bool {
        self.shared.signalled.load(Ordering::SeqCst)
    }

    /// A signal cancels this budget, and no longer the one before.
    pub(crate) fn cancels(&self, budget: &Budget) {
        *self.shared.running.lock().unwrap_or_else(PoisonError::into_inner) = Some(budget.cancel_flag());
        if self.is_raised() {
            budget.cancel_flag().store(true, Ordering::SeqCst);
        }
    }
}
