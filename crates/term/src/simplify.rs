//! The explicit, stronger simplification.

use crate::store::{Store, Term};

/// An equal term, perhaps simpler.
pub fn simplify(store: &mut Store, root: Term) -> Term {
    crate::rewrite::rebuild(store, root)
}
