//! Where to look for an id by what it stands for: a hash table that only grows.
//!
//! As nothing is ever removed, linear probing is all it takes. What is built together is looked up together, so an id has
//! a place that says near which others it belongs, and is hashed only within a small window there: building a large term then
//! walks through the table instead of jumping about in it, and memory keeps up. Where a window is full (many terms over one
//! argument) the search goes on at a place that the whole hash determines.

use crate::table::Id;
use std::marker::PhantomData;

/// What an id is found by.
#[derive(Clone, Copy, Debug)]
pub struct Address {
    hash: u32,
    near: u32,
}

impl Address {
    /// Of all ids with this hash that are looked up together with others that are `near`.
    #[inline]
    pub fn new(hash: u64, near: u32) -> Address {
        Address { hash: (hash >> 32) as u32 ^ hash as u32, near }
    }
}

#[derive(Clone, Copy)]
struct Slot {
    hash: u32,
    /// The id's number, or [`NOTHING`].
    id: u32,
}

const NOTHING: u32 = u32::MAX;

const EMPTY: Slot = Slot { hash: 0, id: NOTHING };

/// Logarithm of the number of slots at a place.
const WINDOW_BITS: u32 = 8;

/// Slots tried there.
const TRIES: usize = 32;

#[derive(Clone)]
pub struct Index<I> {
    /// A power of two of them, at most half of them in use.
    slots: Vec<Slot>,
    used: usize,
    ids: PhantomData<fn(I) -> I>,
}

impl<I> Default for Index<I> {
    fn default() -> Index<I> {
        Index { slots: vec![EMPTY; 64], used: 0, ids: PhantomData }
    }
}

impl<I: Id> Index<I> {
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

    /// The id at this address that is the `same`.
    #[inline]
    pub fn find(&self, address: Address, same: impl Fn(I) -> bool) -> Option<I> {
        for tried in 0.. {
            let slot = self.slots[self.slot(address, tried)];
            if slot.id == NOTHING {
                return None;
            }
            if slot.hash == address.hash && same(I::new(slot.id as usize)) {
                return Some(I::new(slot.id as usize));
            }
        }
        None
    }

    /// Adds an id that is not there; `address_of` tells where those are that are there.
    #[inline]
    pub fn insert(&mut self, address: Address, id: I, address_of: impl Fn(I) -> Address) {
        if 2 * self.used >= self.slots.len() {
            self.grow(address_of);
        }
        self.used += 1;
        self.put(address, id);
    }

    #[inline]
    fn put(&mut self, address: Address, id: I) {
        let free = (0..).map(|tried| self.slot(address, tried)).find(|&at| self.slots[at].id == NOTHING);
        self.slots[free.expect("half of the slots are free")] = Slot { hash: address.hash, id: id.index() as u32 };
    }

    #[cold]
    fn grow(&mut self, address_of: impl Fn(I) -> Address) {
        let larger = vec![EMPTY; 2 * self.slots.len()];
        for slot in std::mem::replace(&mut self.slots, larger) {
            if slot.id != NOTHING {
                let id = I::new(slot.id as usize);
                self.put(address_of(id), id);
            }
        }
    }
}
