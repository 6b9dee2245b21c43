//! How much a check may cost. A check that is not finished within these is no check: the claim stays pending.

use std::time::Duration;

/// At most so long for proving a claim again, per program.
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

/// The same where the proof stands without the run: in some hundredths of a second.
pub(crate) const SHOWN_STEPS: u64 = 500_000;

/// At most so long for walking all paths without a tree: there may be far too many.
pub(crate) const WALK_TIME: Duration = Duration::from_secs(2);
