//! What the analysis takes for granted, and edges of the encoded program guard: executions in which a guess does not hold end there,
//! unsupported, and engines have to show that there are none. One guess is where objects are taken apart ([`super::inner_arrays`]),
//! the other that products in addresses do not wrap around ([`super::scaled`]).

use super::inner_arrays::Inner;
use super::scaled::Scaled;
use cfa::Edge;
use std::collections::BTreeMap;

#[derive(Clone, Debug, Default)]
pub(super) struct Guesses {
    /// How objects are taken apart, by the edges that allocate: those that were thought about.
    inner: BTreeMap<Edge, Inner>,
    /// Where arrays are in objects that are one struct.
    arrays: BTreeMap<Edge, Vec<Inner>>,
    /// Nothing is taken apart but by the types.
    only_typed: bool,
    /// Products in addresses that are taken not to wrap.
    pub(super) scaled: Scaled,
}

impl Guesses {
    /// Addresses are what they are, but nothing is taken apart.
    pub(super) fn of_products(scaled: Scaled) -> Guesses {
        Guesses { scaled, ..Guesses::default() }
    }

    /// Nothing is taken apart yet.
    pub(super) fn of_arrays(arrays: BTreeMap<Edge, Vec<Inner>>, only_typed: bool, scaled: Scaled) -> Guesses {
        Guesses { inner: BTreeMap::new(), arrays, only_typed, scaled }
    }

    /// What these edges allocate is taken apart so, whatever was guessed before.
    pub(super) fn guess(&mut self, inner: BTreeMap<Edge, Inner>) {
        self.inner.extend(inner);
    }

    pub(super) fn is_known(&self, edge: Edge) -> bool {
        self.inner.contains_key(&edge)
    }

    pub(super) fn at(&self, edge: Edge) -> Inner {
        self.inner.get(&edge).copied().unwrap_or(Inner::ALL)
    }

    pub(super) fn takes_nothing_apart(&self) -> bool {
        self.inner.values().all(|inner| inner.is_all())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.takes_nothing_apart() && self.scaled.is_empty()
    }

    /// The array that begins at the offset, or has it inside.
    pub(super) fn array_at(&self, edges: &[Edge], at: i64) -> Inner {
        let known = |edge: &Edge| self.arrays.get(edge)?.iter().find(|array| array.has(at)).copied();
        let found: Option<Vec<Inner>> = edges.iter().map(known).collect();
        let last = if self.only_typed { Inner::ALL } else { Inner { lo: at, hi: i64::MAX } };
        found.and_then(|arrays| arrays.into_iter().reduce(Inner::hull)).unwrap_or(last)
    }
}
