//! What back ends and the arguments beside them may spend. An argument that gives up leaves the question to the solver, so these decide about time only.

/// Equalities of polynomials, by cases.
pub(crate) mod algebra {
    /// Cases that are looked at before giving up: the solver takes over.
    pub(crate) const MAX_CASES: u32 = 128;

    /// Splits inside of one another, and the depth of terms that are looked into: both are by recursion.
    pub(crate) const MAX_DEPTH: u32 = 60;

    /// Steps of all kinds.
    pub(crate) const MAX_STEPS: u32 = 200_000;
}

/// Comparisons of choices, taken apart.
pub(crate) mod choices {
    /// Comparisons taken apart inside of one another, by recursion: choices of choices that programs make are not nearly as deep.
    pub(crate) const MAX_DEPTH: u32 = 200;
}

/// Differences of two variables, by cases.
pub(crate) mod differences {
    /// More variables than this are not tried: a constraint costs their square.
    pub(crate) const MAX_VARIABLES: usize = 24;

    /// Cases looked into before giving up.
    pub(crate) const MAX_CASES: u32 = 400;

    /// And goals looked at, in all of them together.
    pub(crate) const MAX_GOALS: u32 = 20_000;
}

/// Linear arithmetic over the integers, for sums that may wrap around.
pub(crate) mod linear {
    /// Only numbers with more bits: smaller ones are quickly added bit by bit.
    pub(crate) const NARROW: u32 = 32;

    /// More variables are too many for a tableau.
    pub(crate) const MAX_VARIABLES: usize = 160;

    /// Cases before giving up.
    pub(crate) const MAX_CASES: u32 = 120;

    /// Goals before giving up, in all cases together.
    pub(crate) const MAX_GOALS: u32 = 4000;

    /// Pivots before giving up, in all cases together.
    pub(crate) const MAX_PIVOTS: u32 = 1500;

    /// Deeper terms are not looked into: it is done by recursion.
    pub(crate) const MAX_DEPTH: u32 = 200;

    /// A sum with more ways to wrap around is not looked into: each is a case.
    pub(crate) const MAX_TURNS: i128 = 6;

    /// Passes over all inequations after a new one: ranges may shrink by one for ever.
    pub(crate) const PASSES: usize = 6;

    /// More inequations are too many for passes over all of them.
    pub(crate) const MAX_ROWS: usize = 300;

    /// Pivots for one question.
    pub(crate) const PIVOTS: u32 = 300;
}

/// The same where a SAT solver makes the choices.
pub(crate) mod lazy {
    use std::time::Duration;

    /// What a solver gets first: most questions are decided in that time, and many have a model.
    pub(crate) const FIRST_MOMENT: Duration = Duration::from_millis(150);

    /// Of what is left then, the solver gets the rest.
    pub(crate) const PART: u32 = 2;

    /// And no more than this.
    pub(crate) const LONGEST: Duration = Duration::from_secs(20);

    /// More variables make a tableau with ten thousands of numbers, each step of which takes milliseconds.
    pub(crate) const MAX_VARIABLES: usize = 600;

    /// Larger formulas are left to a solver: all of it is evaluated in each round.
    pub(crate) const MAX_NODES: usize = 20_000;

    /// Rounds before giving up; proofs of contracts take some hundred.
    pub(crate) const MAX_ROUNDS: usize = 3_000;

    /// Contradictions that are looked for in one round: later ones are about what is left of the choice.
    pub(crate) const REASONS: usize = 8;

    /// Pivots in all rounds together.
    pub(crate) const MAX_PIVOTS: u32 = 100_000;

    /// Fractions that are excluded: where one does not help, the next hardly ever does.
    pub(crate) const MAX_BRANCHES: usize = 40;

    /// Reads of arrays, each compared with each.
    pub(crate) const MAX_READS: usize = 24;
}

/// Instances of quantifiers, object numbers, factors.
pub(crate) mod instances {
    /// More instances than this are no help: solvers take long to read them.
    pub(crate) const MAX_INSTANCES: usize = 4_000;

    /// Combinations of what single indices say are tried as far as their instances have so many parts altogether: with several bound
    /// variables there are thousands of them, and solvers take seconds just to read those.
    pub(crate) const MOST_COMBINED: usize = 100_000;

    /// A number is moved by at most so many at once: numbers need room for that on both sides.
    pub(crate) const MAX_STEP: u128 = 8;

    /// A factor with more values is not looked at value by value: more cases cost more than they gain.
    pub(crate) const MOST_VALUES: u128 = 17;
}

/// Value numbering.
pub(crate) mod numbering {
    /// Sums and the like of more operands are taken as they are: each partial sum is kept with all of its summands.
    pub(crate) const MOST_OPERANDS: usize = 2_000;

    /// Operands that are kept, all in all: some sixteen bytes each, and beyond that numbers only know operators.
    pub(crate) const MOST_ROOM: usize = 2_000_000;
}

/// The layer that tries arguments before the solver.
pub(crate) mod refute {
    use std::time::Duration;

    /// Cores of more assumptions are left as they are: each is tried without each of them.
    pub(crate) const MOST_SHRUNK: usize = 24;

    /// After so many questions in vain only every eighth is tried: questions of one engine are alike.
    pub(crate) const PATIENCE: u32 = 64;

    /// What a solver gets for one value of a factor: without the product most cases take it a few milliseconds.
    pub(crate) const CASE_TIME: Duration = Duration::from_millis(200);
}

/// Answers that are kept.
pub(crate) mod cache {
    /// Larger sets are hardly ever asked twice and take long to compare.
    pub(crate) const MAX_SET: usize = 200;

    /// Forgets everything when there are more sets than this: they fill memory.
    pub(crate) const MAX_SETS: usize = 100_000;

    /// More sets with the same last term are not kept, the oldest go: all of them are compared.
    pub(crate) const MOST_ALIKE: usize = 64;

    /// A model that has evaluated this many terms makes room: its memo has become large.
    pub(crate) const MAX_EVALUATED: usize = 1 << 18;
}

/// Solvers in this process and beside it.
pub(crate) mod backend {
    use std::time::Duration;

    /// A renewal also forgets the translated terms once there are this many: they fill memory.
    pub(crate) const MAX_TRANSLATED: usize = 2_000_000;

    /// How often a waiting owner looks at its limits.
    pub(crate) const POLL: Duration = Duration::from_millis(10);

    /// A child that gets no CPU time is given up after so many times its limit by the clock, and at least [`STUCK_AFTER`]: the machine may be busy.
    pub(crate) const STUCK_TIMES: u32 = 10;

    /// See [`STUCK_TIMES`].
    pub(crate) const STUCK_AFTER: Duration = Duration::from_secs(10);

    /// Values and cores come from memory; an answer that takes longer than this will not come.
    pub(crate) const READ_TIME: Duration = Duration::from_secs(30);
}
