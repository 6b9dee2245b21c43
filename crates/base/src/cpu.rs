//! CPU time: of this process, and of the solvers' processes that work for it.
//!
//! Limits are CPU time, so that a busy machine changes no answer. A process that works for this one is a [`Helper`], and its
//! time counts as ours from its start on. The counts are atomic numbers, no lock: engines are forks of this process, and a
//! lock that another thread holds at that moment would stay held in the fork. A fork has no helpers of its parent's.

#![allow(unsafe_code)]

use std::sync::atomic::{AtomicI32, AtomicU32, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// The process that the numbers below are about.
static OWNER: AtomicU32 = AtomicU32::new(0);
/// Helpers that run: process numbers, zero where a place is free. More than these are counted when they end.
static RUNNING: [AtomicI32; 16] = [const { AtomicI32::new(0) }; 16];
/// Nanoseconds of helpers that ended.
static ENDED: AtomicU64 = AtomicU64::new(0);

/// CPU time that this process and its helpers have used.
pub fn time() -> Duration {
    let own = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    let own = Duration::new(own.tv_sec as u64, own.tv_nsec as u32);
    if OWNER.load(Relaxed) != std::process::id() {
        return own;
    }
    let running = RUNNING.iter().map(|place| place.load(Relaxed)).filter(|pid| *pid != 0).filter_map(time_of);
    own + Duration::from_nanos(ENDED.load(Relaxed)) + running.sum::<Duration>()
}

/// CPU time of another process, while it exists.
pub fn time_of(pid: i32) -> Option<Duration> {
    let mut clock = 0;
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: both are given room for their results.
    let known =
        unsafe { libc::clock_getcpuclockid(pid, &mut clock) == 0 && libc::clock_gettime(clock, &mut time) == 0 };
    known.then(|| Duration::new(time.tv_sec as u64, time.tv_nsec as u32))
}

/// A process that works for this one.
#[derive(Debug)]
pub struct Helper {
    pid: i32,
    place: Option<usize>,
    owner: u32,
}

impl Helper {
    /// Counts the process from now on.
    pub fn new(pid: u32) -> Helper {
        let owner = std::process::id();
        if OWNER.swap(owner, Relaxed) != owner {
            RUNNING.iter().for_each(|place| place.store(0, Relaxed));
            ENDED.store(0, Relaxed);
        }
        let pid = i32::try_from(pid).unwrap_or(0);
        let free = |place: &AtomicI32| place.compare_exchange(0, pid, Relaxed, Relaxed).is_ok();
        Helper { pid, place: RUNNING.iter().position(free), owner }
    }

    /// What it has used so far.
    pub fn time(&self) -> Duration {
        time_of(self.pid).unwrap_or_default()
    }

    /// Its time is final. To be called while the process still exists.
    pub fn end(&mut self) {
        if self.owner != std::process::id() || self.pid == 0 {
            return;
        }
        ENDED.fetch_add(u64::try_from(self.time().as_nanos()).unwrap_or(u64::MAX), Relaxed);
        if let Some(place) = self.place {
            RUNNING[place].store(0, Relaxed);
        }
        self.pid = 0;
    }
}

/// A moment on the clock of [`time`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Deadline(Duration);

impl Deadline {
    /// So much CPU time from now on.
    pub fn after(time: Duration) -> Deadline {
        Deadline(self::time().saturating_add(time))
    }

    /// What is left until then.
    pub fn left(self) -> Duration {
        self.0.saturating_sub(time())
    }

    pub fn is_over(self) -> bool {
        time() >= self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::{Command, Stdio};

    #[test]
    fn a_helper_counts_while_it_runs_and_after_it_ended() {
        let mut child = Command::new("sh")
            .args(["-c", "i=0; while [ $i -lt 100000000 ]; do i=$((i+1)); done"])
            .stdout(Stdio::null())
            .spawn()
            .expect("a shell");
        let mut helper = Helper::new(child.id());
        while helper.time() < Duration::from_millis(50) {
            std::thread::sleep(Duration::from_millis(5));
        }
        let own = || {
            let own = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
            Duration::new(own.tv_sec as u64, own.tv_nsec as u32)
        };
        assert!(time() >= own() + Duration::from_millis(50));
        helper.end();
        child.kill().and_then(|()| child.wait()).expect("its end");
        assert!(time() >= own() + Duration::from_millis(50));
    }

    #[test]
    fn a_deadline_passes_by_work() {
        let deadline = Deadline::after(Duration::from_millis(5));
        let mut n = 0u64;
        while !deadline.is_over() {
            n += 1;
        }
        assert!(n > 0 && deadline.left().is_zero());
        assert!(!Deadline::after(Duration::MAX).is_over());
    }
}
