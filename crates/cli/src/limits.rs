//! Limits on CPU time, memory and the time on the clock, held by a thread that looks at what the process has used. When one
//! is reached the answer is `unknown`, said at once, whatever all others are doing or waiting for; they die with us.

use crate::settings::Limits;
use engine::Why;
use std::time::{Duration, Instant};
use verifier::cpu_time;

const LOOK_EVERY: Duration = Duration::from_millis(20);

/// Holds the process to the limits from now on; `end` ends it, and is told why.
pub(crate) fn enforce(limits: Limits, end: impl FnOnce(Why) + Send + 'static) {
    if limits == Limits::default() {
        return;
    }
    let started = Instant::now();
    std::thread::spawn(move || {
        loop {
            std::thread::sleep(LOOK_EVERY);
            let is_late = limits.wall_time.is_some_and(|most| started.elapsed() >= most);
            let reached = if is_late || limits.cpu_time.is_some_and(|most| cpu_time() >= most) {
                Why::Timeout
            } else if limits.memory_bytes.is_some_and(|most| memory_bytes().is_some_and(|used| used >= most)) {
                Why::OutOfMemory
            } else {
                continue;
            };
            return end(reached);
        }
    });
}

/// Resident memory; `None` where the system does not tell.
pub(crate) fn memory_bytes() -> Option<u64> {
    let pages = std::fs::read_to_string("/proc/self/statm").ok()?.split_whitespace().nth(1)?.parse::<u64>().ok()?;
    Some(pages * rustix::param::page_size() as u64)
}
