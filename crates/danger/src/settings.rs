//! What steers the engine.

use std::time::Duration;

/// Times are of CPU, for one question each unless said otherwise.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Strategies made of what the program mentions wait after this much time until other numbers were tried, which get as
    /// much: each finds what the other never does.
    pub turn: Duration,
    /// In the inference of invariants and rankings. A candidate that takes longer is not worth it: there are hundreds.
    pub candidate_time: Duration,
    /// For leaving out a fact that follows from the others, which only makes predicates shorter.
    pub pruning_time: Duration,
    /// For what decides about a whole attempt.
    pub attempt_time: Duration,
    /// Whether rankings may count something only where a condition of the program holds. There are many of these, which is too many
    /// where rankings are looked for again and again.
    pub ranking_by_conditions: bool,
    /// For numbers that lead to the error: one answer replaces many strategies.
    pub unknowns_time: Duration,
    /// The most for the attempt at a proof of safety, all in all; and at most a quarter of what is left. Other engines do it better.
    pub safety_time: Duration,
    /// The part of the time that is left for unwinding all loops, where no ranking was found.
    pub unwinding_part: u32,
    /// The most for the search for an execution that comes back to a state, all in all, and the part of the time that is
    /// left: what it finds it mostly finds early.
    pub lasso_time: Duration,
    pub lasso_part: u32,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            turn: Duration::from_secs(2),
            candidate_time: Duration::from_millis(600),
            pruning_time: Duration::from_millis(60),
            attempt_time: Duration::from_secs(1),
            ranking_by_conditions: false,
            unknowns_time: Duration::from_secs(2),
            safety_time: Duration::from_secs(2),
            unwinding_part: 12,
            lasso_time: Duration::from_secs(20),
            lasso_part: 3,
        }
    }
}
