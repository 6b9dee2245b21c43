//! How much a check may cost. A check that is not finished within these is no check: the claim stays pending.

/// The parts of judging an answer.
pub(crate) mod judge {
    use std::time::Duration;

    /// At most so long for proving a claim again, per program: the claim is pending then, and other engines go on.
    pub(crate) const RECHECK_TIME: Duration = Duration::from_secs(20);

    /// Edges that the interpreter executes in about two seconds; the compiled program is some ten times as fast, but does not see
    /// whether every access on the way is defined.
    pub(crate) const INTERPRETED_STEPS: u64 = 100_000_000;

    /// The same where there is no access that could be undefined.
    pub(crate) const INTERPRETED_STEPS_WITHOUT_MEMORY: u64 = 20_000_000;

    /// One run of a counterexample takes at most this part of the time that is left: one that goes elsewhere than the trace may never end,
    /// and another engine may have a better one.
    pub(crate) const REPLAY_PART: u32 = 8;

    /// Edges of a danger invariant's run that are followed, in about two seconds: choices are evaluated as terms. So far where
    /// the run has to be seen, since an access on the way may be undefined.
    pub(crate) const FOLLOWED_STEPS: u64 = 30_000_000;

    /// The same where the proof stands without the run: in a hundredth of a second.
    pub(crate) const SHOWN_STEPS: u64 = 150_000;

    /// At most so long for walking all paths without a tree: there may be far too many.
    pub(crate) const WALK_TIME: Duration = Duration::from_secs(2);

    /// At most so long for finding out which checks hold where not all do: the answer is unknown anyway.
    pub(crate) const CHECKS_TIME: Duration = Duration::from_secs(2);

    /// So many inputs in a row are given to the compiled program in about a second.
    pub(crate) const MANY_INPUTS: u64 = 100_000_000;

    /// So many edges the compiled program executes in one to three seconds, whatever it is asked for: a proof may be found sooner.
    pub(crate) const MANY_STEPS: u64 = 2_000_000_000;
}

/// Runs of counterexamples.
pub(crate) mod replay {
    /// Runs that repair invalid pointers from outside, one pointer after the other: each run finds one more.
    pub(crate) const MOST_RUNS: usize = 200;

    /// Inputs that are written down at most, repetitions counted once: more of them help nobody.
    pub(crate) const MOST_INPUTS: usize = 1 << 20;

    /// Edges that are followed for the first inputs, which are shown to people.
    pub(crate) const BEGINNING_STEPS: u64 = 10_000;

    /// Contents of objects that are given in a loop are written out up to so often: each is a copy of its own.
    pub(crate) const MOST_CONTENTS: u64 = 1 << 12;
}

/// Counterexamples in programs that look at parts of addresses.
pub(crate) mod places {
    /// Runs of more edges are not followed byte by byte: that takes some tenths of a second.
    pub(crate) const FOLLOWED_STEPS: u64 = 1_000_000;
}

/// Proving again.
pub(crate) mod recheck {
    /// Unwindings of more locations than this are not proved again: all of it is in memory at once.
    pub(crate) const MAX_VISITS: usize = 200_000;

    /// Claimed facts times terms of what is known: up to here ranges look at each fact with all that is known, in about a tenth of a second.
    pub(crate) const MOST_FOLLOWED: usize = 20_000;

    /// So many ways to arrive at a location from a cut are kept apart at first: all are merged, which makes the fewest questions.
    pub(crate) const TOGETHER: usize = 1;

    /// And then: as many as make no long terms. Where ways meet, a merged pointer is a choice between addresses, and what is read through it a choice
    /// again; along one path all of it is a sum.
    pub(crate) const APART: usize = 64;

    /// Predicates that list no more states than this are walked from state by state.
    pub(crate) const MOST_CASES: usize = 64;

    /// Equations of a predicate that are put in the place of what they define: each is substituted in the others.
    pub(crate) const MOST_DEFINITIONS: usize = 64;

    /// Walks from head to head of more locations than this are not made, in the check of a danger invariant.
    pub(crate) const MAX_WALKED: usize = 200_000;

    /// More bits than this are not kept of which variables matter where: then nothing is forgotten.
    pub(crate) const MOST_BITS: usize = 1 << 28;
}

/// What ranges settle from cut to cut.
pub(crate) mod segments {
    /// So many cases make an invariant one by cases: fewer are one question to the solver.
    pub(crate) const FEWEST_CASES: u64 = 3;

    /// More cases are not looked at one by one.
    pub(crate) const MOST_CASES: u64 = 4096;

    /// Where there are cases: ranges that are kept apart at a location.
    pub(crate) const MOST_APART: usize = 4096;

    /// Looks at the parts of an invariant, to see that ranges imply it: a disjunction splits them again and again.
    pub(crate) const MOST_LOOKS: u32 = 20_000;

    /// Facts of a case that are kept beyond ranges: each is compared at every join.
    pub(crate) const MOST_FACTS: usize = 32;
}

/// Questions by cases.
pub(crate) mod value_cases {
    /// Values of so many last bits of a number: twice as many with each bit more.
    pub(crate) const MOST_LAST_BITS: u32 = 6;

    /// So many values are few: as many as a small machine has states.
    pub(crate) const FEW_VALUES: i128 = 12;

    /// Cases are divided once more: a state and a remainder, say.
    pub(crate) const MOST_SPLITS: usize = 2;

    /// More cases that ranges leave open are one question.
    pub(crate) const MOST_CASES: usize = 64;
}

/// Ranges and differences.
pub(crate) mod bounds {
    /// Terms of more steps are not looked at further: ranges are to be quick, and a solver decides the rest.
    pub(crate) const STEPS: u32 = 2_000;

    /// For all comparisons of one condition together: some milliseconds.
    pub(crate) const EVALUATIONS: u32 = 100_000;

    /// Nor are deeper ones: evaluation is by recursion.
    pub(crate) const DEPTH: u32 = 200;

    /// So many differences are followed: each costs something on every edge.
    pub(crate) const MOST_PAIRS: usize = 32;

    /// Larger sets of facts are left to a solver: finding a negative cycle takes their number times that of variables.
    pub(crate) const MOST_BOUNDS: usize = 400;
}

/// Questions to solvers.
pub(crate) mod questions {
    use std::time::Duration;

    /// What the ring and the solver get for a question about products, each in turn; the next time twice as much.
    pub(crate) const FIRST_MOMENT: Duration = Duration::from_millis(250);

    /// A group that was not answered in its time gives each of its halves this part of it.
    pub(crate) const IN_HALVES: u32 = 4;

    /// A question whether one of so many demands fails is asked in two halves where it is not answered soon.
    pub(crate) const MANY_DEMANDS: usize = 16;

    /// Comparisons of choices that are taken apart in one question: there are as many as both sides have choices, one times the other.
    pub(crate) const MOST_APART: usize = 20_000;

    /// Questions with more terms than this are not asked together: one hard one would keep all from being answered.
    pub(crate) const LARGE: usize = 5_000;

    /// Whether a witness is a number of the program is asked of so many numbers, one after the other: each adds cases.
    pub(crate) const MOST_EQUALITIES: u32 = 3;

    /// So many reads may be looked up: each goes through a chain of writes.
    pub(crate) const MAX_ADDED: usize = 2_000;

    /// A sum of more parts is a variable of its own in the sums that it is part of, so that they do not grow with each other.
    pub(crate) const MOST_PARTS: usize = 24;

    /// Larger questions are not translated: they are left to the other solvers.
    pub(crate) const MOST_TERMS: usize = 60_000;
}

/// Solvers in turns.
pub(crate) mod opinions {
    use std::time::Duration;

    /// What each gets for a question in the first turn: so that the right one for the question is found soon.
    pub(crate) const FIRST_MOMENT: Duration = Duration::from_millis(150);

    /// How much more in the next.
    pub(crate) const LONGER: u32 = 4;

    /// In later turns Bitwuzla gets so much more than each of the others: they are two.
    pub(crate) const BOTH: u32 = 2;

    /// Of what is left, Z3 gets at most this part: the others get the rest.
    pub(crate) const PART: u32 = 4;

    /// And of the whole time this part, for questions about bits.
    pub(crate) const PART_IN_ALL: u32 = 3;

    /// At most so many questions are left out between two that are not, after it has failed often: what is asked next may be of another kind.
    pub(crate) const MOST_SKIPPED: u32 = 31;
}

/// Polynomials, by cases.
pub(crate) mod ring {
    /// More cases are not looked at.
    pub(crate) const MAX_CASES: usize = 3000;

    /// Monomials of a polynomial: completion makes exponentially many.
    pub(crate) const MAX_PARTS: usize = 1500;

    /// Pairs of equalities that are combined: each may make further ones.
    pub(crate) const MAX_PAIRS: usize = 80;

    /// Rules that come back reduced, and reduce others, for one that is added.
    pub(crate) const MAX_REDUCED: u32 = 400;
}

/// Walking an exploration again.
pub(crate) mod explore {
    use std::time::Duration;

    /// So long at most for a question about products by cases, before the solver is asked.
    pub(crate) const RING_TIME: Duration = Duration::from_millis(300);

    /// After so many in a row that it did not decide it is tried no more: the paths of one program are alike.
    pub(crate) const RING_PATIENCE: u32 = 8;

    /// So long at most for one value of a factor that has few.
    pub(crate) const FACTOR_TIME: Duration = Duration::from_millis(500);

    /// Without a tree, stretches are looked for at a head when paths have come there so often: short loops need none.
    pub(crate) const WORTHWHILE: u32 = 16;

    /// Larger sets of facts that contradict each other are not remembered: they are hardly ever met twice.
    pub(crate) const MOST_FACTS: usize = 200;

    /// States of more variables and elements are not compared with those that were seen.
    pub(crate) const MOST_PLACES: usize = 4096;
}
