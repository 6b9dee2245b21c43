//! How far acceleration looks for words and closed forms. Times and paths that a caller may choose are in `Settings`.

/// Paths.
pub(crate) mod select {
    /// Words of more paths are not looked for: each is as many bodies in a formula, twice.
    pub(crate) const LONGEST_WORD: usize = 8;
}

/// When iterations are possible.
pub(crate) mod always {
    /// Narrower values wrap around too soon to single out an iteration.
    pub(crate) const MIN_POINT_WIDTH: u32 = 8;

    /// Equations that single out an iteration: more of them than this in one condition are not split off, as each is a case of its own.
    pub(crate) const MAX_POINTS: usize = 24;

    /// Choices inside of one another that are taken apart: each doubles the formula.
    pub(crate) const MAX_DEPTH: u32 = 12;
}

/// Closed forms.
pub(crate) mod fit {
    /// More variables than this are not fitted together: the system of equations has the square of their number.
    pub(crate) const MAX_VARIABLES: usize = 8;
}

/// Traces.
pub(crate) mod expand {
    /// Traces with at most so many inputs are written out; of longer ones it is said how they repeat.
    pub(crate) const WRITTEN_OUT: u64 = 10_000;
}
