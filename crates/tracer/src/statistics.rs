//! What is counted while exploring, as in table 1 of the paper.

/// Counters of one exploration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Nodes of the tree, leaves included.
    pub nodes: u64,
    /// Leaves whose path condition is unsatisfiable.
    pub infeasible: u64,
    /// Leaves subsumed by the interpolant of a finished node.
    pub by_sibling: u64,
    /// Leaves subsumed by a loop head above them.
    pub by_ancestor: u64,
    /// Facts that loop heads gave up.
    pub given_up: u64,
    /// Nodes at loop heads.
    pub heads: u64,
    /// Explorations of a head beyond the first because it had given up facts.
    pub repeated: u64,
    /// Refinements: a head was explored anew from a stronger state.
    pub restarts: u64,
    /// Questions that reached the solver.
    pub asked: u64,
}

impl Statistics {
    pub(crate) fn plus(&self, other: &Statistics) -> Statistics {
        Statistics {
            nodes: self.nodes + other.nodes,
            infeasible: self.infeasible + other.infeasible,
            by_sibling: self.by_sibling + other.by_sibling,
            by_ancestor: self.by_ancestor + other.by_ancestor,
            given_up: self.given_up + other.given_up,
            heads: self.heads + other.heads,
            repeated: self.repeated + other.repeated,
            restarts: self.restarts + other.restarts,
            asked: self.asked + other.asked,
        }
    }
}

impl std::fmt::Display for Statistics {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{} nodes ({} infeasible, {} subsumed by siblings, {} by ancestors), {} loop heads explored {} times more after \
             giving up {} facts, {} restarts, {} questions",
            self.nodes,
            self.infeasible,
            self.by_sibling,
            self.by_ancestor,
            self.heads,
            self.repeated,
            self.given_up,
            self.restarts,
            self.asked
        )
    }
}
