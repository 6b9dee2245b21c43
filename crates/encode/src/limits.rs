//! How large formulas may become that are made to ask less.

/// Unwinding.
pub(crate) mod bounded {
    /// At most so many combinations of a loop head's instance and a target are asked for at once, the deepest first: the shallow ones were asked
    /// before.
    pub(crate) const MAX_WAYS: usize = 400;

    /// Bits that must be saved for an input to be written anew: fewer make no question easier.
    pub(crate) const MIN_SAVED: u32 = 8;
}

/// Quantifier elimination.
pub(crate) mod eliminate {
    /// `φ[true] ∨ φ[false]` is not built from formulas with more subterms than this: it doubles them.
    pub(crate) const MAX_CASES_SIZE: usize = 300;

    /// Nor are products of lower and upper bounds of more pairs.
    pub(crate) const MAX_BOUND_PAIRS: usize = 16;
}
