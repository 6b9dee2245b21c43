//! How time is shared where a strategy does not say it, and how often the scheduler looks at clocks and memory.

/// What a program is like.
pub(crate) mod features {
    /// Edges from which on a program is large: strategies begin otherwise with those.
    pub(crate) const LARGE: usize = 10_000;
}

/// Turns.
pub(crate) mod schedule {
    use std::time::Duration;

    /// The first turn of engines that are named together: simple programs are decided within it, and it doubles from round to round.
    pub(crate) const FIRST_TURN: Duration = Duration::from_millis(500);

    /// The longest time between two looks at clocks and memory: a limit is overrun by no more.
    pub(crate) const LOOK_EVERY: Duration = Duration::from_millis(20);

    /// The longest time between two looks at memory, which means reading a file for each process.
    pub(crate) const MEMORY_EVERY: Duration = Duration::from_millis(200);

    /// For engines that would never end when all others have given up: this part of the time that is left.
    pub(crate) const LAST_PART: u32 = 10;

    /// And so much at most: they had their turns.
    pub(crate) const LAST_TIME: Duration = Duration::from_secs(1);

    /// Counterexamples of one engine that do not stand: the next ones are likely to fail for the same reason.
    pub(crate) const MOST_REFUSED: u32 = 64;

    /// Between two lines about the bounds of one engine: nobody reads faster.
    pub(crate) const BOUNDS_EVERY: Duration = Duration::from_millis(100);

    /// A turn that is over in less is waited for so long.
    pub(crate) const SHORTEST_WAIT: Duration = Duration::from_millis(1);
}
