//! Limits on CPU time and memory, held by a thread that looks at what the process has used. When one is reached the
//! answer is `unknown`, said at once.

use crate::settings::Limits;
use std::time::Duration;

const LOOK_EVERY: Duration = Duration::from_millis(20);

/// Holds the process to the limits from now on; `end` ends it, and is told why.
pub(crate) fn enforce(limits: Limits, end: impl FnOnce(&str) + Send + 'static) {
    if limits == Limits::default() {
        return;
    }
    std::thread::spawn(move || {
        loop {
            std::thread::sleep(LOOK_EVERY);
            let reached = if limits.cpu_time.is_some_and(|most| cpu_time() >= most) {
                "time limit"
            } else if limits.memory_bytes.is_some_and(|most| memory_bytes().is_some_and(|used| used >= most)) {
                "memory limit"
            } else {
                continue;
            };
            return end(reached);
        }
    });
}

/// CPU time of all threads so far.
pub(crate) fn cpu_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(u64::try_from(time.tv_sec).unwrap_or(0), u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// Resident memory; `None` where the system does not tell.
pub(crate) fn memory_bytes() -> Option<u64> {
    let pages = std::fs::read_to_string("/proc/self/statm").ok()?.split_whitespace().nth(1)?.parse::<u64>().ok()?;
    Some(pages * rustix::param::page_size() as u64)
}
