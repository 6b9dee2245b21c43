//! How much of each kind the search for danger invariants tries. Times that a caller may choose are in `Settings`.

/// Strategies.
pub(crate) mod search {
    /// Edges in a run of a strategy: large constants are made small before.
    pub(crate) const STEPS: u64 = 4_000;

    /// The same where a strategy is known to come back to a state, however far that is.
    pub(crate) const MANY_STEPS: u64 = 100_000;

    /// Combinations of choices that are run at most.
    pub(crate) const MOST_COMBINATIONS: usize = 20_000;

    /// Of those that neither fail nor end, so many are tried to be proved before more are run.
    pub(crate) const OPEN_AT_ONCE: usize = 6;

    /// And so many are run before that: a run is far cheaper than a proof.
    pub(crate) const RUNS_AT_ONCE: usize = 150;

    /// Choices for one slot without conditions: combinations are their product.
    pub(crate) const MOST_PLAIN: usize = 14;

    /// And with conditions, which are tried for one slot at a time.
    pub(crate) const MOST_CONDITIONAL: usize = 240;

    /// Conditions that conditional choices ask.
    pub(crate) const MOST_CONDITIONS: usize = 20;

    /// Constants up to this stay as they are: a loop of so many iterations is soon run.
    pub(crate) const SMALL: i128 = 40;

    /// A constant that is at most so many times another one stays so many times as large: two counters, of which one goes in steps.
    pub(crate) const LARGEST_MULTIPLE: i128 = 8;

    /// Paths to the error that pass no loop, tried one after the other: other engines are better at many.
    pub(crate) const MOST_PATHS: u32 = 200;
}

/// Numbers that the program does not mention.
pub(crate) mod unknowns {
    /// More unknowns are not asked for at once: the equations are about all of them together.
    pub(crate) const MOST_UNKNOWNS: usize = 3;

    /// In place of the unknowns, in the runs that equations are learned from: small, and in no order.
    pub(crate) const SAMPLES: [i128; 12] = [1, 2, 3, 5, 7, 4, 9, 6, 10, 8, 0, 12];

    /// States of each such run: more of them add nothing to what equations are learned from.
    pub(crate) const ROWS_OF_A_RUN: usize = 24;

    /// Variables that equations are about, besides the unknowns.
    pub(crate) const MOST_VARIABLES: usize = 6;

    /// Numbers that are tried: each answer of the solver is run.
    pub(crate) const MOST_ANSWERS: usize = 8;
}

/// Invariants of the one execution.
pub(crate) mod facts {
    /// Candidates at a head: each is a question.
    pub(crate) const MOST_CANDIDATES: usize = 1200;

    /// Longer lists are not pruned: it takes a question for each, and predicates get shorter, no more.
    pub(crate) const MOST_PRUNED: usize = 80;

    /// Facts that may depend on a condition: candidates are their product with the conditions.
    pub(crate) const MOST_FACTS: usize = 100;

    /// So many values are few: as many as a small machine has states. Questions are asked for each.
    pub(crate) const FEW_VALUES: i128 = 12;

    /// Conditions that they may depend on.
    pub(crate) const MOST_ATOMS: usize = 24;

    /// Families of ranking functions that are tried, simple ones first.
    pub(crate) const MOST_FAMILIES: usize = 240;

    /// The same of those that count only where a condition holds: nearly all are refuted by what others were refuted by.
    pub(crate) const MOST_PIECES: usize = 1500;

    /// Conditions by which an iteration is divided into ways: there are up to two to this power.
    pub(crate) const MOST_CONDITIONS_OF_A_STEP: u32 = 5;

    /// Factors of sums of two variables are below this power of two.
    pub(crate) const LARGEST_FACTOR: u32 = 1 << 12;

    /// Variables that rankings are made of: families are about pairs of them.
    pub(crate) const MOST_NUMBERS: usize = 12;

    /// Floats are multiplied by two to this power at most, where they are counted as integers.
    pub(crate) const LARGEST_SCALE: u32 = 24;

    /// Constants that a variable is set to, if nothing else: it tells phases of a loop apart.
    pub(crate) const MOST_PHASES: usize = 5;
}

/// Rankings with unknown coefficients.
pub(crate) mod template {
    /// Conditions with coefficients of their own.
    pub(crate) const MOST_CONDITIONS: usize = 8;

    /// Steps that are considered before the search for coefficients is given up.
    pub(crate) const MOST_STEPS: usize = 60;

    /// Numbers with coefficients.
    pub(crate) const MOST_NUMBERS: usize = 8;

    /// Coefficients are at most this far from zero: small ones are found soon, and are easy to check.
    pub(crate) const COEFFICIENTS: [i128; 3] = [1, 7, 63];

    /// More bits than numbers have, so that no sum of so many numbers and conditions with such coefficients wraps around.
    pub(crate) const SUM_BITS: u32 = 14;
}

/// Loops that are unwound until nothing is left.
pub(crate) mod unwinding {
    /// Iterations of a loop: more of them are not checked in time either.
    pub(crate) const MOST_ITERATIONS: u32 = 20_000;
}

/// Executions that come back to a state.
pub(crate) mod lasso {
    /// States at loop heads in one run, one round after the other: short cycles are found among few runs.
    pub(crate) const DEPTHS: [usize; 6] = [4, 10, 25, 60, 150, 2_000];

    /// Edges in one run, in case that few of them come to heads.
    pub(crate) const STEPS: u64 = 100_000;

    /// Runs in a round.
    pub(crate) const MOST_RUNS: usize = 20_000;

    /// Those among them that neither end nor come back: the next round goes deeper.
    pub(crate) const MOST_LONG: usize = 2_000;

    /// Choices for one value: runs are their product.
    pub(crate) const MOST_CHOICES: usize = 14;
}
