//! Typed ids and the tables they index: graphs without references.
//!
//! `id!(Loc, "L")` makes a `u32` newtype that prints as `L12`; `Table<Loc, T>` is a vector that only a `Loc` can index.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// A dense index into a [`Table`].
pub trait Id: Copy + Eq + Ord + std::hash::Hash + fmt::Debug + 'static {
    fn new(index: usize) -> Self;
    fn index(self) -> usize;
}

/// Declares a typed id: `id!(/// doc, Loc, "L")` prints as `L0`, `L1`, …
#[macro_export]
macro_rules! id {
    ($(#[$meta:meta])* $name:ident, $prefix:literal) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u32);

        impl $crate::table::Id for $name {
            #[inline]
            fn new(index: usize) -> Self {
                debug_assert!(index < u32::MAX as usize);
                $name(index as u32)
            }
            #[inline]
            fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }
    };
}

/// A vector indexed by a typed id.
#[derive(Clone, PartialEq, Eq)]
pub struct Table<I, T> {
    items: Vec<T>,
    ids: PhantomData<fn(I) -> I>,
}

impl<I: Id, T> Table<I, T> {
    pub fn new() -> Self {
        Table { items: Vec::new(), ids: PhantomData }
    }

    /// A table of `len` copies of `item`: the usual start of a side table.
    pub fn filled(item: T, len: usize) -> Self
    where
        T: Clone,
    {
        Table { items: vec![item; len], ids: PhantomData }
    }

    pub fn push(&mut self, item: T) -> I {
        let id = I::new(self.items.len());
        self.items.push(item);
        id
    }

    pub fn next_id(&self) -> I {
        I::new(self.items.len())
    }

    pub fn len(&self) -> usize {
        self.items.len()
    }

    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    pub fn get(&self, id: I) -> Option<&T> {
        self.items.get(id.index())
    }

    pub fn get_mut(&mut self, id: I) -> Option<&mut T> {
        self.items.get_mut(id.index())
    }

    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + ExactSizeIterator + use<I, T> {
        (0..self.items.len()).map(I::new)
    }

    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (I, &T)> + ExactSizeIterator {
        self.items.iter().enumerate().map(|(i, t)| (I::new(i), t))
    }

    pub fn iter_mut(&mut self) -> impl DoubleEndedIterator<Item = (I, &mut T)> + ExactSizeIterator {
        self.items.iter_mut().enumerate().map(|(i, t)| (I::new(i), t))
    }

    pub fn values(&self) -> std::slice::Iter<'_, T> {
        self.items.iter()
    }

    pub fn values_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.items.iter_mut()
    }
}

impl<I: Id, T> Default for Table<I, T> {
    fn default() -> Self {
        Table::new()
    }
}

impl<I: Id, T> FromIterator<T> for Table<I, T> {
    fn from_iter<It: IntoIterator<Item = T>>(iter: It) -> Self {
        Table { items: iter.into_iter().collect(), ids: PhantomData }
    }
}

impl<I: Id, T> Index<I> for Table<I, T> {
    type Output = T;
    #[inline]
    fn index(&self, id: I) -> &T {
        &self.items[id.index()]
    }
}

impl<I: Id, T> IndexMut<I> for Table<I, T> {
    #[inline]
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.items[id.index()]
    }
}

impl<I: Id, T: fmt::Debug> fmt::Debug for Table<I, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    id!(
        /// A test id.
        #[expect(unreachable_pub, reason = "the macro makes public ids")]
        Node,
        "N"
    );

    #[test]
    fn ids_print_with_their_prefix_and_index_their_table() {
        let mut table: Table<Node, &str> = Table::new();
        let a = table.push("a");
        let b = table.push("b");
        assert_eq!(format!("{a} {b:?}"), "N0 N1");
        assert_eq!(table[b], "b");
        assert_eq!(table.ids().collect::<Vec<_>>(), [a, b]);
    }
}
