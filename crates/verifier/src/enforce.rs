//! Limits on CPU time, memory and the time on the clock, held by a thread that looks at what the process has used. When one
//! is reached the answer is `unknown`, said at once, whatever all others are doing or waiting for; they die with us.

use crate::cpu_time;
use crate::limits::process::LOOK_EVERY;
use crate::request::Limits;
use engine::Why;
use std::time::Instant;

impl Limits {
    /// Holds the process to the limits from now on; `end` ends it, and is told why.
    pub fn enforce(self, end: impl FnOnce(Why) + Send + 'static) {
        if self == Limits::default() {
            return;
        }
        let started = Instant::now();
        std::thread::spawn(move || {
            loop {
                std::thread::sleep(LOOK_EVERY);
                if let Some(why) = self.reached(started) {
                    return end(why);
                }
            }
        });
    }

    fn reached(&self, started: Instant) -> Option<Why> {
        let is_late = self.wall_time.is_some_and(|most| started.elapsed() >= most);
        if is_late || self.cpu_time.is_some_and(|most| cpu_time() >= most) {
            return Some(Why::Timeout);
        }
        let is_large = self.memory_bytes.is_some_and(|most| resident_bytes().is_some_and(|used| used >= most));
        is_large.then_some(Why::OutOfMemory)
    }
}

/// Memory of this process; `None` where the system does not tell.
fn resident_bytes() -> Option<u64> {
    let pages = std::fs::read_to_string("/proc/self/statm").ok()?.split_whitespace().nth(1)?.parse::<u64>().ok()?;
    Some(pages * rustix::param::page_size() as u64)
}
