//! How much work passes put into one thing. None of it decides what a program means: with other numbers less is simplified.

/// Variables that hold one of a few constants.
pub(crate) mod value_sets {
    /// Pointers lead to one of two or three objects, or are null; codes of results are as few.
    pub(crate) const VALUES: usize = 4;
    /// A term of several variables is evaluated with so many combinations of their values.
    pub(crate) const COMBINATIONS: usize = 16;
    /// A check of an access has some 50 subterms; what is larger is not about a few variables.
    pub(crate) const EVALUATED_SIZE: usize = 300;
    /// Variables that are followed, counted at each location where they are live: beyond it, analysis takes more than it gains.
    pub(crate) const MOST_NOTES: usize = 400_000;
    /// What is left out of one kind lets the other see more; it is rarely more than twice.
    pub(crate) const ROUNDS: usize = 3;
}
