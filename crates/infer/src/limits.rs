//! How many states, candidates and paths inference looks at. Candidates cost a question each, and those that are likely come first.

/// States from runs.
pub mod sample {
    /// Different states that are kept at a head: relations are computed over all of them.
    pub(crate) const MAX_ROWS: usize = 3000;

    /// Enough at every head to look for relations among hundreds of monomials: then no more runs are made.
    pub(crate) const WANTED_ROWS: usize = 1200;

    /// Runs at most, where some head stays short of states.
    pub(crate) const MAX_RUNS: u64 = 600;

    /// Edges of a run: enough for many iterations of most loops, and a loop that does not end costs no more.
    pub(crate) const STEPS_PER_RUN: u64 = 4000;

    /// The same for loops that come after others with large bounds.
    pub(crate) const STEPS_PER_LONG_RUN: u64 = 3_000_000;

    /// Runs of that length: together they take longer than all others.
    pub(crate) const LONG_RUNS: u64 = 24;

    /// A head with fewer states was hardly seen: long runs are made for it.
    pub(crate) const FEW_ROWS: usize = 60;

    /// Variables near whose values cells are looked at: three cells for each.
    pub(crate) const MAX_NEAR: usize = 3;

    /// Cells that are looked at in a state: a row for each.
    pub(crate) const MAX_CHOICES: usize = 30;

    /// Visits of a head in one run that become rows; of later ones only those at powers of two, since neighbours are alike.
    pub(crate) const VISITS_PER_RUN: u32 = 60;

    /// How large inputs are in a run: below the number, or anything (0). Small ones end loops soon; each order of magnitude shows other paths.
    pub(crate) const SCALES: [u64; 12] = [3, 8, 20, 50, 8, 120, 0, 20, 1000, 50, 70_000, 120];

    /// Values that the program compares with stand at less than so many first places of an array.
    pub(crate) const LONGEST_TEXT: u64 = 40;

    /// States that are kept of each head: a proof that lists the states of a run has no more cases.
    pub const MOST_ROWS: usize = 160;
}

/// Paths between loop heads.
pub(crate) mod segments {
    /// Programs with more paths are not cut: each is a question for each candidate.
    pub(crate) const MAX_SEGMENTS: usize = 1500;
}

/// What may hold.
pub mod candidates {
    /// Monomials of a relation: linear algebra takes their cube.
    pub(crate) const MAX_MONOMIALS: usize = 140;

    /// Of a polynomial relation: sums of powers up to the sixth have this degree.
    pub(crate) const MAX_DEGREE: u32 = 7;

    /// Equalities at a head, the simplest ones.
    pub(crate) const MAX_EQUALITIES: usize = 30;

    /// Terms that are related with each other: monomials of a degree grow with its power.
    pub(crate) const MAX_ATOMS: usize = 14;

    /// Conditions of the program are evaluated on so many rows only; proof sorts out the rest.
    pub(crate) const CONDITION_ROWS: usize = 150;

    /// Combinations with larger factors take solvers too long (`n - 11*c`: 20 s).
    pub(crate) const LARGEST_FACTOR: i128 = 4;

    /// Counters that are combined, each with each.
    pub(crate) const MAX_COUNTERS: usize = 8;

    /// Limits of loops that are looked at: each is compared with every variable.
    pub(crate) const MAX_LIMITS: usize = 12;

    /// Candidates from the conditions, or from the ends of arrays, at each head.
    pub(crate) const MAX_CONDITIONS: usize = 120;

    /// Constants whose sums are taken.
    pub(crate) const MAX_CONSTANTS: usize = 6;

    /// Variables that are combined, each with each and with the constants.
    pub(crate) const MAX_COMBINED: usize = 5;

    /// Variables of one width that are related with each other.
    pub(crate) const MAX_RELATED: usize = 10;

    /// Candidates are evaluated in about so many of the states: proof sorts out the rest.
    pub(crate) const SAMPLED: usize = 24;

    /// An array that is accessed at more places than this in one run is one whose index moves: its cells are no numbers like others.
    pub(crate) const FEW_PLACES: usize = 16;

    /// Cells that are looked at as variables are.
    pub(crate) const MAX_CELLS: usize = 24;

    /// Larger divisors are not looked for in what a run counts: it has few states, and a multiple is to be passed some times.
    pub const MAX_DIVISOR: u32 = 64;

    /// A number that takes no more values than this in a run is looked at value by value.
    pub(crate) const FEW_STATES: usize = 8;

    /// Each of them so often at least: relations are not seen in fewer states.
    pub(crate) const FEWEST_VISITS: usize = 4;

    /// Numbers of this kind at one head: each has equations for each value.
    pub(crate) const MAX_SWITCHES: usize = 4;

    /// Variables whose pairs are compared.
    pub(crate) const MAX_PAIRED: usize = 10;

    /// Points beyond the number of monomials: relations that hold by chance fail in one of them.
    pub(crate) const SPARE_POINTS: usize = 60;

    /// Truth values at a head: a few blocks that live, and what the program remembers.
    pub(crate) const MAX_FLAGS: usize = 24;

    /// Constants above the sizes seen that sizes are compared with: some belong to other numbers, the largest to what an object may have.
    pub(crate) const LIMITS_OF_SIZES: usize = 16;

    /// Monomials of equations between numbers of one run, of which there are few points.
    pub(crate) const FEW_MONOMIALS: usize = 40;
}

/// Multiples that are compared with sizes.
pub(crate) mod scaled {
    /// Sizes of the elements of arrays: larger ones are those of matrices of fixed size, whose rows are counted.
    pub(crate) const LARGEST_FACTOR: u64 = 1 << 12;

    /// Pairs of a factor and a size: each makes a guess about every number.
    pub(crate) const MOST: usize = 12;
}

/// Guesses about texts: all of them are asked together at each head.
pub(crate) mod texts {
    /// Characters are of at most so many bits; wider numbers count.
    pub(crate) const NARROW: u32 = 16;

    /// Cells that are read or written at places of their own.
    pub(crate) const PLACES: usize = 40;

    /// Characters that cells are compared with: each makes two guesses about every place.
    pub(crate) const CHARACTERS: usize = 6;

    /// Numbers that are put in order, each with each of those that are live at the same head.
    pub(crate) const NUMBERS: usize = 20;

    /// Constants up to which numbers may come: a few guesses for each number.
    pub(crate) const LIMITS: usize = 8;

    /// How often numbers are followed from one variable to another: a result, and the variable that it is kept in.
    pub(crate) const COPIED: usize = 2;

    /// Words that are looked for are at most so long: so much less is a limit, too.
    pub(crate) const SHORT: u128 = 8;

    /// Guesses at a head.
    pub(crate) const MOST: usize = 500;

    /// Runs on texts, which refute guesses before a solver is asked.
    pub(crate) const RUNS: u64 = 60;

    /// Edges of each.
    pub(crate) const STEPS: u64 = 3000;

    /// Visits of a head in one run that are looked at; of later ones only those at powers of two.
    pub(crate) const VISITS: u32 = 12;
}

/// Contracts of recursive functions.
pub(crate) mod contracts {
    /// Runs of the program from which calls are learnt: each order of magnitude of inputs has several turns.
    pub(crate) const RUNS: u64 = 10 * super::sample::SCALES.len() as u64;

    /// Edges of each: recursion may be deep.
    pub(crate) const STEPS_PER_RUN: u64 = 20_000;

    /// Candidates for each half of a contract.
    pub(crate) const MAX_CANDIDATES: usize = 100;

    /// Conditions of a function that divide its calls into cases: each may stand before every candidate.
    pub(crate) const MAX_CASES: usize = 6;
}

/// What programs state and demand at loop heads.
pub(crate) mod demands {
    /// So many parts of a formula are looked at for each clause that it may have: formulas share parts, as trees they are huge.
    pub(crate) const LOOKS: usize = 16;

    /// Locations before a loop in which the first value of a counter is looked for: a counter is set near its loop.
    pub(crate) const MAX_BEFORE: usize = 200;

    /// Edges before a target whose conditions say what it is about: an assertion with its function is a handful.
    pub(crate) const ON_THE_WAY: usize = 12;

    /// Candidates of order at a head: a few for each pair of a number that a target asks about and one that is counted.
    pub(crate) const ORDERED: usize = 80;
}
