//! How long things are tried, and how often.

use std::time::Duration;

/// So long at most for the run of a program that asks for nothing.
pub(crate) const ONE_RUN: Duration = Duration::from_secs(2);

/// At most so long for the run with the inputs that a witness names.
pub(crate) const RUN_TIME: Duration = Duration::from_secs(10);

/// For a danger invariant that somebody wrote, where no limit is given: what competitions give a task.
pub(crate) const DEFAULT_TIME: Duration = Duration::from_secs(900);

/// More rounds than two, by which what ends soon is told from what does not.
pub(crate) const MANY_ROUNDS: u32 = 12;
