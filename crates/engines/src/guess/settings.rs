//! What steers the engine.

use std::time::Duration;

/// Times are of CPU, for one question each unless said otherwise.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// For questions without products. Most take milliseconds, and those that take longer are seldom answered at all.
    pub linear_time: Duration,
    /// For questions with products, which are asked where the ring and the linear question have failed.
    pub full_time: Duration,
    /// For making a proof smaller, all in all: people and the checker gain by it, the answer is known.
    pub shrink_time: Duration,
    /// Paths that no run took and for which inputs are asked; each becomes some runs.
    pub directed_paths: usize,
    /// How often loops are unwound to come to such a path: later visits of a path rarely show more than early ones.
    pub directed_visits: u32,
    /// For such a question. Runs are cheap, so those that are not answered at once are not worth it.
    pub directed_time: Duration,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            linear_time: Duration::from_millis(400),
            full_time: Duration::from_millis(800),
            shrink_time: Duration::from_millis(1000),
            directed_paths: 16,
            directed_visits: 4,
            directed_time: Duration::from_millis(100),
        }
    }
}
