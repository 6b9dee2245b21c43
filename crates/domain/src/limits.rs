//! How much of a program abstract states follow. With other numbers they say less or take longer; what they say is true with any.

/// Ranges of one number.
pub(crate) mod range {
    /// Congruences beyond this are not worth keeping.
    pub(crate) const MAX_STEP: u64 = 1 << 32;

    /// Terms of automata are small, and evaluation is by recursion: what is deeper is anything.
    pub(crate) const MAX_DEPTH: u32 = 200;
}

/// Differences of two variables.
pub(crate) mod relation {
    /// The most pairs that are followed at a location: each costs something on every edge.
    pub(crate) const MAX_PAIRS: usize = 40;
}

/// Equations between any number of variables.
pub(crate) mod affine {
    /// Programs with more variables of a width are not followed at that width: a state is a matrix over them.
    pub(crate) const MAX_VARS: usize = 40;

    /// Conditionals in one assignment whose cases are told apart: each doubles them.
    pub(crate) const MAX_CONDITIONS: usize = 3;

    /// Sums that are assigned are looked into so deep, by recursion.
    pub(crate) const MAX_DEPTH: u32 = 40;
}

/// Loops.
pub(crate) mod fixpoint {
    /// Rounds before widening: many loops are at their end by then.
    pub(crate) const PATIENCE: u32 = 3;

    /// Passes of narrowing: more hardly ever gain anything.
    pub(crate) const NARROWING: u32 = 2;
}

/// A state for each combination of classes of the variables.
pub(crate) mod cases {
    /// Variables with more constants are left out.
    pub(crate) const MAX_CUTS: usize = 400;

    /// What may be noted in all cases together: ranges of variables, which fill memory.
    pub(crate) const MAX_NOTES: usize = 2_000_000;

    /// What is assigned is split into so many classes.
    pub(crate) const MAX_CLASSES: usize = 8;

    /// Attempts to do with fewer variables may take so many times the steps of the first run, and that many more.
    pub(crate) const MORE_STEPS: (u64, u64) = (6, 30_000);

    /// The same where bounds suffice: the checker needs no solver then.
    pub(crate) const MORE_STEPS_OF_BOUNDS: (u64, u64) = (2, 30_000);

    /// Conditional values of one assignment that are followed case by case: each doubles the cases.
    pub(crate) const MAX_SPLITS: u32 = 4;
}
