//! How large interpolants and what they are made of may become: they are asked about at every state that may be covered.

/// Questions.
pub(crate) mod ask {
    use std::time::Duration;

    /// The effort for one question whose answer is not vital: it saves work, no more.
    pub(crate) const PATIENCE: Duration = Duration::from_secs(3);
}

/// Facts about states.
pub(crate) mod facts {
    /// Subterms of a fact: smaller ones cover more states.
    pub(crate) const MAX_FACT: usize = 100;

    /// Elements of one array that get facts of their own.
    pub(crate) const MAX_ELEMENTS: usize = 64;
}

/// Interpolants.
pub(crate) mod parts {
    /// Parts with more subterms are replaced by constants of the state.
    pub(crate) const MAX_PART: usize = 150;

    /// Interpolants with more parts are given up: they cover little.
    pub(crate) const MAX_PARTS: usize = 1000;

    /// What is excluded at a head is not kept with more subterms: it is asked in every iteration from then on.
    pub(crate) const MAX_EXCLUDED: usize = 150;
}

/// What is known at heads.
pub(crate) mod shape {
    /// More equations at one head cost more than they tell.
    pub(crate) const MAX_EQUATIONS: usize = 16;
}

/// The tree, for people.
pub(crate) mod tree {
    /// Larger trees are not recorded: nobody could read them.
    pub(crate) const MOST_NODES: usize = 400;
}
