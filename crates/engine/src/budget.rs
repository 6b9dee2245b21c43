//! How long an engine may run: CPU time of the process and of the solvers beside it, memory, and a flag that anyone may raise.

use crate::verdict::Why;
use base::cpu::Deadline;
pub use base::cpu::time as cpu_time;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Why an engine must stop now. Inner functions return `Result<T, Stop>`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stop {
    Timeout,
    OutOfMemory,
    Cancelled,
    /// The solver gave no answer.
    Solver(String),
}

impl From<Stop> for Why {
    fn from(stop: Stop) -> Why {
        match stop {
            Stop::Timeout => Why::Timeout,
            Stop::OutOfMemory => Why::OutOfMemory,
            Stop::Cancelled => Why::Cancelled,
            Stop::Solver(what) => Why::Solver(what),
        }
    }
}

impl From<smt::Why> for Stop {
    fn from(why: smt::Why) -> Stop {
        match why {
            smt::Why::Cancelled => Stop::Cancelled,
            smt::Why::Timeout => Stop::Timeout,
            other => Stop::Solver(other.to_string()),
        }
    }
}

/// Limits of one run. Cheap to clone; clones share the cancel flag.
#[derive(Clone, Debug)]
pub struct Budget {
    /// When to stop.
    deadline: Deadline,
    memory: u64,
    cancel: Arc<AtomicBool>,
}

impl Budget {
    /// `time` of CPU from now on, at most `memory` bytes resident.
    pub fn new(time: Duration, memory: u64) -> Budget {
        Budget { deadline: Deadline::after(time), memory, cancel: Arc::new(AtomicBool::new(false)) }
    }

    /// A part of this budget: `time` of CPU from now on, but not beyond this budget's end.
    pub fn slice(&self, time: Duration) -> Budget {
        Budget { deadline: self.deadline.min(Deadline::after(time)), memory: self.memory, cancel: self.cancel.clone() }
    }

    /// The same but for the time, of which there is so much from now on, also beyond this budget's end.
    pub fn with_time(&self, time: Duration) -> Budget {
        Budget { deadline: Deadline::after(time), ..self.clone() }
    }

    /// CPU time left.
    pub fn left(&self) -> Duration {
        self.deadline.left()
    }

    /// When it ends.
    pub fn deadline(&self) -> Deadline {
        self.deadline
    }

    /// The most bytes that may be resident.
    pub fn memory(&self) -> u64 {
        self.memory
    }

    /// The flag that cancels; hand it to solvers.
    pub fn cancel_flag(&self) -> Arc<AtomicBool> {
        self.cancel.clone()
    }

    /// Costs about a microsecond: call it at loop heads, not in inner loops.
    pub fn check(&self) -> Result<(), Stop> {
        if self.cancel.load(Ordering::Relaxed) {
            return Err(Stop::Cancelled);
        }
        if self.deadline.is_over() {
            return Err(Stop::Timeout);
        }
        Ok(())
    }

    /// Reads the resident size of the process (some ten microseconds).
    pub fn check_memory(&self) -> Result<(), Stop> {
        if resident_bytes().is_some_and(|bytes| bytes > self.memory) { Err(Stop::OutOfMemory) } else { Ok(()) }
    }
}

/// Bytes of memory that are resident, where the system tells.
pub fn resident_bytes() -> Option<u64> {
    let statm = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = statm.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * rustix::param::page_size() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_raised_flag_and_a_passed_deadline_stop() {
        let budget = Budget::new(Duration::from_secs(3600), u64::MAX);
        assert_eq!(budget.check(), Ok(()));
        assert_eq!(budget.slice(Duration::ZERO).check(), Err(Stop::Timeout));
        budget.slice(Duration::from_secs(1)).cancel_flag().store(true, Ordering::Relaxed);
        assert_eq!(budget.check(), Err(Stop::Cancelled));
    }

    #[test]
    fn memory_is_measured() {
        assert_eq!(Budget::new(Duration::ZERO, 1).check_memory(), Err(Stop::OutOfMemory));
        assert_eq!(Budget::new(Duration::ZERO, u64::MAX).check_memory(), Ok(()));
    }
}
