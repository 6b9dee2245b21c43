//! How the time of a run is shared among what is tried, and how much is looked at before and after engines. What a caller may choose is in `Request`.

/// A moment of executions before any engine.
pub(crate) mod quick {
    use std::time::Duration;

    /// So many executions at most: a moment, and always the same ones.
    pub(crate) const EXECUTIONS: u64 = 150;

    /// Of so many edges together.
    pub(crate) const STEPS: u64 = 150_000;

    /// One execution is short, so that a loop that never ends does not use up all of it.
    pub(crate) const STEPS_OF_ONE: u64 = 20_000;

    /// In case that edges are slow.
    pub(crate) const EXECUTE_FOR: Duration = Duration::from_millis(20);

    /// So long a program that asks for nothing may run: it has one execution, and that is the answer.
    pub(crate) const ONLY_EXECUTION: Duration = Duration::from_secs(2);

    /// So long it may before it is looked at in other ways: longer only where nothing else decides.
    pub(crate) const ONLY_AT_FIRST: Duration = Duration::from_millis(30);

    /// So long, on the clock, it is compiled and run in between: some thousand million iterations of a short loop.
    pub(crate) const COMPILED: Duration = Duration::from_secs(3);

    /// So long a proof of an error is looked for, and checked, in the program that ends at what is undefined, before the program itself is asked about.
    pub(crate) const DEFINED: Duration = Duration::from_millis(600);

    /// So long each engine that needs not go through loops is asked in between.
    pub(crate) const JUMPING: Duration = Duration::from_millis(500);

    /// And so long the check of what it says may take beyond that.
    pub(crate) const CHECKING: Duration = Duration::from_secs(1);
}

/// Several programs for one question.
pub(crate) mod decide {
    use std::time::Duration;
    use transform::inline;

    /// So long, at most, recursive programs are unrolled before their recursion is folded: bugs need few calls.
    pub(crate) const FIRST_UNROLLED: Duration = Duration::from_millis(300);

    /// Programs that make any number of objects are looked at for so long before their proof is tried: bugs need few objects.
    pub(crate) const FIRST_BOUNDED: Duration = Duration::from_millis(1500);

    /// The part of the time that is left for a program that sees our own addresses, once there is no proof of the usual one.
    pub(crate) const OWN_ADDRESSES_PART: u32 = 3;

    /// Of the time, at most so much is kept from engines to tell checks apart.
    pub(crate) const TELLING_APART: Duration = Duration::from_secs(1);

    /// For objects that pointers of ILP32 do not reach with the usual share of their bits, in bytes.
    pub(crate) const MORE_ROOM: u64 = 60_000_000;

    /// What recursion may add to the program, in edges. A program that cuts it short is asked about for a part of the time only.
    pub(crate) const ROOMS: [usize; 3] = [inline::ROOM, 4 * inline::ROOM, 16 * inline::ROOM];

    /// So many times what it took to prepare a program must be left for one that is four times as large.
    pub(crate) const WORTH_PREPARING: u32 = 30;

    /// The first share of each property where there is no limit; it doubles from round to round, so that no property keeps the others waiting.
    pub(crate) const FIRST_SHARE: Duration = Duration::from_secs(10);

    /// Where no limit is given: far away.
    pub(crate) const NO_TIME_LIMIT: Duration = Duration::from_secs(1_000_000_000);

    /// The part of the time that is left for the first attempt at a ranking: a simple one is found soon.
    pub(crate) const FIRST_PART: u32 = 4;

    /// The part for the search for an infinite execution, after which a ranking is looked for again.
    pub(crate) const SECOND_PART: u32 = 2;
}

/// What a function relies on, guessed where nobody said it.
pub(crate) mod precondition {
    use std::time::Duration;

    /// All guesses have this part of the time limit at most, and half of what is left of it: the answer is known, they explain it.
    pub(crate) const SHARE: u32 = 7;

    /// And one of them this part of that.
    pub(crate) const GUESS_PART: u32 = 6;

    /// The time limit where none is set.
    pub(crate) const USUAL_LIMIT: Duration = Duration::from_secs(60);

    /// Numbers up to this are not huge.
    pub(crate) const LARGE: u64 = 1 << 20;

    /// Bytes of a short string.
    pub(crate) const STRING_BYTES: u64 = 16;

    /// More ways to combine the shapes of pointers are not tried: they are a product over the parameters.
    pub(crate) const MOST_SHAPES: usize = 64;
}

/// Witnesses, certificates and annotations, once there is an answer.
pub(crate) mod evidence {
    use std::time::Duration;

    /// At most so long, for a better witness: there is one.
    pub(crate) const SAYING_TIME: Duration = Duration::from_secs(5);

    /// Edges of a run that is watched once more for where it ends.
    pub(crate) const WATCHED_EDGES: u64 = 100_000_000;

    /// Edges of an infinite execution that are looked at for its witness: a cycle of more is not readable.
    pub(crate) const WALKED_EDGES: u64 = 20_000;

    /// Where there are no invariants: so often loops are unwound, until they are at their ends.
    pub(crate) const BOUNDS: [u32; 7] = [1, 2, 4, 16, 64, 256, 1024];

    /// An invariant of so many cases is taken to list the states of paths.
    pub(crate) const MANY_CASES: usize = 4;

    /// Between two looks whether the certificate is made.
    pub(crate) const DONE_EVERY: Duration = Duration::from_millis(10);

    /// Terms are walked without recursion, but not everything that is made of them is.
    pub(crate) const STACK_BYTES: usize = 256 << 20;

    /// At most so long for deletion tests, all together: shorter annotations are read more easily, no more.
    pub(crate) const DELETING: Duration = Duration::from_secs(5);

    /// At most so long for a proof in few words, before all engines are asked for any.
    pub(crate) const FINDING: Duration = Duration::from_secs(20);

    /// At most so long for finding out whether a proof is vacuous.
    pub(crate) const VACUITY_TIME: Duration = Duration::from_secs(2);

    /// So many executions are tried first for that.
    pub(crate) const RUNS: u64 = 40;

    /// Each of at most so many edges.
    pub(crate) const STEPS: u64 = 20_000;
}

/// Compiled programs.
pub(crate) mod replay {
    use std::time::Duration;

    /// At most so long for compiling and running a counterexample.
    pub(crate) const NATIVE_TIME: Duration = Duration::from_secs(30);

    /// The same for one that only the compiled program is fast enough to walk.
    pub(crate) const DEEP_NATIVE_TIME: Duration = Duration::from_secs(120);

    /// Whatever is left of the time limit: so long a compiler may need.
    pub(crate) const SHORTEST_NATIVE_TIME: Duration = Duration::from_secs(2);

    /// Walking where a danger invariant leads takes at most so long. The proof stands without it.
    pub(crate) const WALK_TIME: Duration = Duration::from_secs(2);
}

/// Clocks and signals.
pub(crate) mod process {
    use std::time::Duration;

    /// Between two looks at what the process has used: a limit is overrun by no more.
    pub(crate) const LOOK_EVERY: Duration = Duration::from_millis(20);

    /// So long a run may take to stop by itself after a signal.
    pub(crate) const GRACE: Duration = Duration::from_millis(120);

    /// Where only CPU time is limited, a run may take so many times as long on the clock,
    pub(crate) const WALL_SHARE: u32 = 4;

    /// and so much longer.
    pub(crate) const WALL_MORE: Duration = Duration::from_secs(30);
}

/// Contracts that are found and shown.
pub(crate) mod found {
    use std::time::Duration;

    /// The time for all functions where there is no limit; else they have half of what is left.
    pub(crate) const NO_LIMIT: Duration = Duration::from_secs(60);

    /// One function has at most so much, so that one that is hard leaves time for others: most take less than a second.
    pub(crate) const FUNCTION: Duration = Duration::from_secs(20);

    /// And one question about it this part of that.
    pub(crate) const QUESTION: u32 = 4;

    /// Counterexamples to what a function is thought to ensure: a bound goes from one constant of the program to the next with each.
    pub(crate) const MOST_ROUNDS: usize = 16;

    /// Parts of a postcondition that are shown: people read them.
    pub(crate) const MOST_SHOWN: usize = 8;

    /// At most so long to find out which candidates follow from others.
    pub(crate) const COMPARING: Duration = Duration::from_secs(2);
}

/// The tree that is drawn.
pub(crate) mod tree {
    use std::time::Duration;

    /// For so long it is explored: one that takes longer is too large to be looked at.
    pub(crate) const EXPLORING: Duration = Duration::from_secs(10);
}
