//! How much work passes put into one thing. None of it decides what a program means: with other numbers less is simplified.

/// Recursion whose calls share copies of their callees.
pub(crate) mod shared {
    /// So many mutually recursive functions may be active. Copies that several calls share are loops within each other, and
    /// what analyses of loops cost grows faster than their depth.
    pub(crate) const DEPTH: usize = 32;
    /// Copies of one function at one depth, by what is known of the arguments: beyond that nothing is.
    pub(crate) const VARIANTS: usize = 4;
    /// A function without recursion that has so many edges is shared, too.
    pub(crate) const MIN_EDGES: usize = 100;
}

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

/// Pointers that stay where they were put in their object.
pub(crate) mod offsets {
    /// Looks at all assignments: one more for each copy that comes before what it copies is set. Chains of such are short.
    pub(crate) const ROUNDS: usize = 16;
}

/// Paths that are made one edge.
pub(crate) mod merge {
    /// Assignments that one edge makes at most.
    pub(crate) const MOST_PAIRS: usize = 48;
}

/// Variables that keep older values.
pub(crate) mod stale {
    /// Looks at locations for all variables together. Variables that are left then lose their names: nobody is told anything about
    /// them at all. So the cost stays in proportion where thousands of variables go through thousands of loops.
    pub(crate) const MAX_STEPS: u64 = 10_000_000;
}

/// Contracts in place of calls.
pub(crate) mod contract {
    /// What has fewer edges, with all that it calls, is better inlined: a contract says less. A loop has about so many.
    pub(crate) const MIN_EDGES: usize = 4;
    /// Copies that a value of a claim went through.
    pub(crate) const MAX_STEPS: usize = 8;
}

/// Memory as variables.
pub(crate) mod memory {
    /// Summands of an address: indices into nested arrays, with their constants taken together, are far fewer.
    pub(crate) const MAX_ATOMS: usize = 24;
    /// Pointers of which it is known that they are equal are sums of a few terms,
    pub(crate) const MOST_TERMS: usize = 4;
    /// each of which goes through so many choices and sums.
    pub(crate) const DEEPEST: u32 = 4;
    /// Entries of all partitions together: beyond that nothing is known, which only costs guards.
    pub(crate) const MOST_ENTRIES: usize = 1 << 25;
    /// More shapes than this at exact offsets, and the class is taken to be an array.
    pub(crate) const MAX_SHAPES: usize = 2048;
    /// Arrays of a static object that shares its region are zeroed by so many stores at most; a loop does it beyond.
    pub(crate) const MAX_ZEROS: u64 = 64;
    /// Of objects that are taken apart: what is found out in one analysis about one class may concern others in the next.
    pub(crate) const MOST_ANALYSES: usize = 6;
    /// Indices that are looked at before each use; programs with more are large anyway.
    pub(crate) const MOST_SCALED: usize = 256;
}
