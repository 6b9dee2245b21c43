//! How much work engines put into one thing before they go on to the next. What a caller may choose is in the `Settings` of the engine; everything else
//! that steers is here, by engine. None of it decides what an answer means: with other numbers there are other answers that are not found.

/// Lazy abstraction and the hunt on accelerated programs.
pub(crate) mod accel {
    use std::time::Duration;

    /// Lazy abstraction gets at least so long at a time: as long as the hunt took, and its first bounds take hardly any time.
    pub(crate) const SHORTEST_SLICE: Duration = Duration::from_millis(100);

    /// So many counterexamples that depend on undefined values are passed over at each bound: there may be no end of them.
    pub(crate) const PASSED_OVER: usize = 12;

    /// Weakest preconditions of more subterms are of no use: every question about them takes long.
    pub(crate) const MAX_LABEL: usize = 4000;

    /// For each question about what holds at loop heads from the beginning: lazy abstraction finds the rest itself.
    pub(crate) const LEARNING: Duration = Duration::from_millis(500);

    /// Earlier nodes by which covering is forced, for each node: each is a question.
    pub(crate) const MAX_FORCED: usize = 3;

    /// Clauses of a formula under a quantifier: each is asked by itself, and distribution makes exponentially many.
    pub(crate) const MAX_CLAUSES: usize = 64;
}

/// Loop folding.
pub(crate) mod bself {
    /// So often a loop is folded whenever it is met; then only at powers of two, since every attempt that fails is paid for.
    pub(crate) const PATIENT_VISITS: u32 = 12;

    /// Candidates looked at in one attempt: the search meets the loop again, with others.
    pub(crate) const MAX_CANDIDATES: usize = 48;

    /// Formulas with more clauses are taken as they are: each clause is tried to be dropped.
    pub(crate) const MAX_CLAUSES: usize = 64;

    /// Overapproximations tried for one set of states, where the paper's method is kept.
    pub(crate) const MAX_RELATIONS: usize = 16;

    /// The same with what goes beyond the paper: all of them are tried together, too.
    pub(crate) const FEW_RELATIONS: usize = 7;

    /// So many different ones are enough, where the paper would look at all: each takes a question for every clause.
    pub(crate) const ENOUGH: usize = 6;

    /// At most so many terms are related with each other: guesses are about all pairs and triples of them.
    pub(crate) const MAX_CELLS: usize = 12;

    /// Models that are looked at before giving up on what is left: each removes the guesses that fail in it.
    pub(crate) const MAX_MODELS: usize = 24;

    /// Factors of relations `x ± y = a·z` are at most this: larger ones are taken for accidents of the models seen.
    pub(crate) const MAX_FACTOR: i128 = 1 << 16;

    /// Relations of type 4 are at most so many: each is an attempt of its own.
    pub(crate) const MAX_SUBSTITUTED: usize = 6;

    /// Distances between variables are sought up to this power of two: loops count in small steps.
    pub(crate) const NEAR: u32 = 6;

    /// Clauses with more equalities are not split: each doubles the cases.
    pub(crate) const MAX_EQUALITIES: usize = 3;

    /// Longer formulas are not printed: nobody reads them.
    pub(crate) const MAX_SHOWN: u64 = 300;
}

/// One cell that stands for all.
pub(crate) mod cells {
    /// More cells than this are not followed: each is a variable in every question.
    pub(crate) const MOST_CELLS: usize = 40;
}

/// Explicit-state search.
pub(crate) mod explicit {
    /// States between two lines of progress, so that telling costs nothing.
    pub(crate) const TOLD_EVERY: usize = 1 << 16;
}

/// Lemmas from failed steps.
pub(crate) mod generalise {
    /// States of a failed step that are looked at, from the last backwards: all literals of each are tried.
    pub(crate) const MAX_STATES: usize = 3;

    /// Attempts to shorten a clause: each is a question about a whole step.
    pub(crate) const MAX_DROPS: usize = 16;
}

/// Guessed invariants.
pub(crate) mod guess {
    /// Disjunctions are split into at most so many cases; what is left is for the solver.
    pub(crate) const MAX_CASES: usize = 48;

    /// Pairs that completion of an ideal may look at: each may make further ones.
    pub(crate) const MAX_PAIRS: usize = 60;

    /// The degree up to which it does: polynomials grow with it.
    pub(crate) const MAX_DEGREE: u32 = 10;

    /// Clauses that are drawn back from the error: each becomes several candidates. A chain of `n` copies has `n` over two of them.
    pub(crate) const MOST_CLAUSES: usize = 120;

    /// Literals in each of them: longer clauses are about single paths.
    pub(crate) const MOST_LITERALS: usize = 8;

    /// Candidates at one head: each is asked of every path from head to head.
    pub(crate) const MOST_CANDIDATES: usize = 250;

    /// Places at which arrays are read or written that cells are compared with: each makes a candidate of every clause.
    pub(crate) const MOST_PLACES: usize = 8;

    /// Remainders and sides of comparisons of which the solver is asked whether they are fixed: a question each.
    pub(crate) const MAX_FIXED: usize = 24;
}

/// Invariants that the program itself states.
pub(crate) mod houdini {
    use std::time::Duration;

    /// The part of the time that is left in which a proof is made smaller: the check of what remains is quicker, but there has to be one.
    pub(crate) const FEWER_PART: u32 = 4;

    /// For one question whether fewer facts do: one that is hard without a fact is hard for the checker, too.
    pub(crate) const FEWER_TIME: Duration = Duration::from_millis(300);

    /// For one question which of the candidates fail, where nothing is to be proved: a model of what the program does between two heads is mostly found
    /// in some hundredths of a second.
    pub(crate) const SIFT_TIME: Duration = Duration::from_millis(1200);

    /// After so many questions without an answer nobody looks on for candidates that fail, since those that are needed are asked about one by one later,
    /// nor for facts that are superfluous.
    pub(crate) const IN_VAIN: u32 = 3;

    /// Several candidates together get this part of the time for one: where they are too much, each is asked about by itself.
    pub(crate) const TOGETHER_PART: u32 = 4;

    /// Candidates of at most so many terms are tried before the others: a comparison has three, one about all cells of an array some fifteen.
    pub(crate) const SMALL: usize = 30;

    /// Numbers and pointers at a head that sizes of objects are compared with: their pairs are candidates.
    pub(crate) const SIZED: usize = 12;
}

/// k-induction.
pub(crate) mod kind {
    use std::time::Duration;

    /// Failed steps from which nothing is learnt, before learning is tried at powers of two only: it is questions, too.
    pub(crate) const PATIENCE: u32 = 4;

    /// At most so many pairs of states are asked to differ: they grow with the square of `k`. Beyond, only neighbours are.
    pub(crate) const MAX_PAIRS: usize = 1000;

    /// A question that gets less is not asked: it would hardly begin.
    pub(crate) const SHORTEST: Duration = Duration::from_millis(20);
}

/// Property-directed reachability.
pub(crate) mod pdr {
    /// Comparisons times ways: more circuits for comparisons are not made. Each is one for every way from a cut to the next.
    pub(crate) const MAX_COMPARISONS: usize = 4096;

    /// With so many constants a variable may be compared for equality; where there are more, they are states of a machine, whose bits mean something.
    pub(crate) const MAX_CONSTANTS: usize = 2;

    /// Bounds of one variable: a counter has one for each value that it may have come from.
    pub(crate) const MAX_BOUNDS: usize = 32;

    /// Comparisons of choices that are taken apart: there are as many as both sides have choices, one times the other.
    pub(crate) const MAX_APART: usize = 100_000;

    /// Decisions of the solver from one look at the clock to the next, which costs as much as some hundred of them.
    pub(crate) const BETWEEN_CHECKS: u32 = 4096;
}

/// Exact phases.
pub(crate) mod phases {
    use std::time::Duration;

    /// For one question about what is assumed before a loop: mostly a list of comparisons.
    pub(crate) const QUESTION: Duration = Duration::from_millis(200);

    /// Changes from one sample to the next that is kept: after a single one they are too alike.
    pub(crate) const CHANGES: usize = 8;
}

/// Symbolic execution.
pub(crate) mod se {
    use std::time::Duration;

    /// Inputs of a counterexample below the first of these powers of two need no smaller ones: a kilobyte is quickly allocated. Where there are none
    /// the others are tried: objects of a megabyte can still be made.
    pub(crate) const SMALL: [u32; 3] = [10, 16, 20];

    /// For at most so many inputs smaller ones are asked for: what is found is a counterexample already.
    pub(crate) const MOST_SHRUNK: usize = 32;

    /// For each of them.
    pub(crate) const SHRINK_TIME: Duration = Duration::from_millis(50);

    /// Visits of the head in one run of the interpreter, so that the budget is looked at in between.
    pub(crate) const MAX_VISITS: u64 = 1 << 22;

    /// A head is tried when paths have come to it so often: a few iterations do not repay handing a state over and back.
    pub(crate) const WORTHWHILE: u32 = 64;

    /// Arrays with more elements are not carried back and forth.
    pub(crate) const LARGE_ARRAY: usize = 1 << 16;

    /// Decisions of a path in one turn, so that no path keeps the others from going on.
    pub(crate) const DECISIONS: u32 = 32;

    /// Steps of a path in one turn: a path may never decide anything.
    pub(crate) const STEPS: u32 = 1 << 14;

    /// More letters than this are not kept: whoever has to walk along them would not come to their end.
    pub(crate) const MOST_LETTERS: usize = 1 << 28;

    /// More states do not make a readable invariant.
    pub(crate) const MOST_DISJUNCTS: usize = 256;

    /// Nor does more arithmetic, which is also slower to prove again at once than path by path.
    pub(crate) const MOST_ARITHMETIC: usize = 32;
}
