//! Where to look for a term: a table that only grows.
//!
//! As nothing is ever removed, linear probing is all it takes. What is built together is looked up together, so a term has
//! a place that says near which others it belongs, and is hashed only within a small window there: building a large term then
//! walks through the table instead of jumping about in it, and memory keeps up. Where a window is full (many terms over one
//! argument) the search goes on at a place that the whole hash determines.

use crate::store::{Term, UNKNOWN};

/// What a term is found by.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Address {
    hash: u32,
    near: u32,
}

impl Address {
    /// Of all terms with this hash that are looked up together with others that are `near`.
    #[inline]
    pub(crate) fn new(hash: u64, near: u32) -> Address {
        Address { hash: (hash >> 32) as u32 ^ hash as u32, near }
    }
}

#[derive(Clone, Copy)]
struct Slot {
    hash: u32,
    term: Term,
}

const EMPTY: Slot = Slot { hash: 0, term: UNKNOWN };

/// Logarithm of the number of slots at a place.
const WINDOW_BITS: u32 = 8;

/// Slots tried there.
const TRIES: usize = 32;

#[derive(Clone)]
pub(crate) struct Index {
    /// A power of two of them, at most half of them in use.
    slots: Vec<Slot>,
    used: usize,
}

impl Index {
    pub(crate) fn new() -> Index {
        Index { slots: vec![EMPTY; 64], used: 0 }
    }

    /// The slot to try after so many others.
    #[inline]
    fn slot(&self, address: Address, tried: usize) -> usize {
        let spread = u64::from(address.hash).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let start = if tried < TRIES {
            2 * address.near as usize + (spread >> (64 - WINDOW_BITS)) as usize
        } else {
            (spread >> 32) as usize
        };
        (start + tried) & (self.slots.len() - 1)
    }

    /// The term at this address that is the `same`.
    #[inline]
    pub(crate) fn find(&self, address: Address, same: impl Fn(Term) -> bool) -> Option<Term> {
        for tried in 0.. {
            let slot = self.slots[self.slot(address, tried)];
            if slot.term == UNKNOWN {
                return None;
            }
            if slot.hash == address.hash && same(slot.term) {
                return Some(slot.term);
            }
        }
        None
    }

    /// Adds a term that is not there; `address_of` tells where those are that are there.
    #[inline]
    pub(crate) fn insert(&mut self, address: Address, term: Term, address_of: impl Fn(Term) -> Address) {
        if 2 * self.used >= self.slots.len() {
            self.grow(address_of);
        }
        self.used += 1;
        self.put(address, term);
    }

    #[inline]
    fn put(&mut self, address: Address, term: Term) {
        let free = (0..).map(|tried| self.slot(address, tried)).find(|&at| self.slots[at].term == UNKNOWN);
        self.slots[free.expect("half of the slots are free")] = Slot { hash: address.hash, term };
    }

    #[cold]
    fn grow(&mut self, address_of: impl Fn(Term) -> Address) {
        let larger = vec![EMPTY; 2 * self.slots.len()];
        for slot in std::mem::replace(&mut self.slots, larger) {
            if slot.term != UNKNOWN {
                self.put(address_of(slot.term), slot.term);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::table::Id;

    #[test]
    fn terms_are_found_again_also_where_they_crowd() {
        let mut index = Index::new();
        let address = |term: Term| {
            let n = term.index() as u32;
            // A third with one hash, a third over one argument.
            let hash = if n.is_multiple_of(3) { 7 } else { n.wrapping_mul(0x01ff_ff01) };
            Address { hash, near: if n % 3 == 1 { 5 } else { n } }
        };
        let terms = || (0..5000).map(Term::new);
        for wanted in terms() {
            assert_eq!(index.find(address(wanted), |term| term == wanted), None);
            index.insert(address(wanted), wanted, address);
        }
        for wanted in terms() {
            assert_eq!(index.find(address(wanted), |term| term == wanted), Some(wanted));
        }
    }
}
