//! How much a check may cost. A check that is not finished within these is no check: the claim stays pending.

use std::time::Duration;

/// At most so long for proving a claim again, per program and solver: the other solver, then the engines' own. Z3 answers
/// most questions in milliseconds or never; Bitwuzla is slower to start with and better at what is left.
pub(crate) const RECHECK_TIMES: [Duration; 2] = [Duration::from_secs(2), Duration::from_secs(8)];

/// Edges that the interpreter executes in about two seconds; the compiled program is some ten times as fast.
pub(crate) const INTERPRETED_STEPS: u64 = 100_000_000;

/// Edges of a danger invariant's run that are followed, in about two seconds: choices are evaluated as terms.
pub(crate) const FOLLOWED_STEPS: u64 = 30_000_000;

/// At most so long for walking along the tree of an exploration, per solver: it takes about as long as finding the tree did.
pub(crate) const EXPLORE_TIMES: [Duration; 2] = [Duration::from_secs(60); 2];

/// At most so long for walking all paths without a tree, per solver: there may be far too many.
pub(crate) const WALK_TIMES: [Duration; 2] = [Duration::from_secs(1); 2];
