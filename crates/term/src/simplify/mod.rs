//! The explicit, stronger simplification: what costs too much to try at every construction.
//!
//! Two passes, repeated while they help: sums become canonical linear forms and equalities cancel what both sides share
//! ([`linear`]); parts of a conjunction (dually a disjunction) are used as facts in the others, and bounds on one term are
//! merged ([`context`]). Both work on the DAG without recursion and within a budget.

mod context;
mod linear;

use crate::store::{Store, Term};
use crate::walk;

const MAX_ROUNDS: usize = 4;

/// An equal term, usually smaller. If the passes make it larger, the original is kept.
pub fn simplify(store: &mut Store, root: Term) -> Term {
    let start = crate::rewrite::rebuild(store, root);
    let mut current = start;
    for _ in 0..MAX_ROUNDS {
        let next = linear::normalise(store, current);
        let next = context::propagate(store, next);
        if next == current {
            break;
        }
        current = next;
    }
    if walk::dag_size(store, &[current]) <= walk::dag_size(store, &[start]) { current } else { start }
}
