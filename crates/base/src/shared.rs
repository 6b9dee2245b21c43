//! Ordered maps that share what copies of them have in common: a copy takes constant time, a change logarithmic time.
//!
//! The trees are those of `imbl`. Its `diff` passes over the first entry behind nodes that two maps share (6.1.0), and its `==` rests on that:
//! maps of more than one leaf that differ there are called equal. So both are made here, entry by entry, and nobody else uses
//! `imbl`.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::{Deref, DerefMut};

/// See the module.
#[derive(Clone)]
pub struct SharedMap<K, V>(imbl::OrdMap<K, V>);

/// A key for which two maps differ.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Difference<'a, K, V> {
    pub key: &'a K,
    /// In the first map.
    pub old: Option<&'a V>,
    /// In the second one.
    pub new: Option<&'a V>,
}

impl<K: Ord, V: PartialEq> SharedMap<K, V> {
    /// Where the maps differ, in order of keys.
    pub fn differences<'a>(&'a self, other: &'a SharedMap<K, V>) -> impl Iterator<Item = Difference<'a, K, V>> {
        let is_one = self.0.ptr_eq(&other.0);
        let (mut old, mut new) = (self.0.iter().peekable(), other.0.iter().peekable());
        let all = std::iter::from_fn(move || {
            let order = match (old.peek(), new.peek()) {
                (Some((a, _)), Some((b, _))) => a.cmp(b),
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (None, None) => return None,
            };
            let old = if order.is_le() { old.next() } else { None };
            let new = if order.is_ge() { new.next() } else { None };
            let key = old.or(new)?.0;
            Some(Difference { key, old: old.map(|(_, value)| value), new: new.map(|(_, value)| value) })
        });
        all.take_while(move |_| !is_one).filter(|difference| difference.old != difference.new)
    }
}

impl<K: Ord + fmt::Debug, V: fmt::Debug> fmt::Debug for SharedMap<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<K: Ord, V> Default for SharedMap<K, V> {
    fn default() -> SharedMap<K, V> {
        SharedMap(imbl::OrdMap::new())
    }
}

impl<K, V> Deref for SharedMap<K, V> {
    type Target = imbl::OrdMap<K, V>;

    fn deref(&self) -> &imbl::OrdMap<K, V> {
        &self.0
    }
}

impl<K, V> DerefMut for SharedMap<K, V> {
    fn deref_mut(&mut self) -> &mut imbl::OrdMap<K, V> {
        &mut self.0
    }
}

impl<K: Ord + Clone, V: Clone> FromIterator<(K, V)> for SharedMap<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> SharedMap<K, V> {
        SharedMap(entries.into_iter().collect())
    }
}

impl<'a, K: Ord, V> IntoIterator for &'a SharedMap<K, V> {
    type Item = (&'a K, &'a V);
    type IntoIter = <&'a imbl::OrdMap<K, V> as IntoIterator>::IntoIter;

    fn into_iter(self) -> Self::IntoIter {
        (&self.0).into_iter()
    }
}

impl<K: Ord, V: PartialEq> PartialEq for SharedMap<K, V> {
    fn eq(&self, other: &SharedMap<K, V>) -> bool {
        self.0.ptr_eq(&other.0) || self.0.len() == other.0.len() && self.0.iter().eq(other.0.iter())
    }
}

impl<K: Ord, V: Eq> Eq for SharedMap<K, V> {}

impl<K: Ord, V: Ord> PartialOrd for SharedMap<K, V> {
    fn partial_cmp(&self, other: &SharedMap<K, V>) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<K: Ord, V: Ord> Ord for SharedMap<K, V> {
    fn cmp(&self, other: &SharedMap<K, V>) -> Ordering {
        self.0.iter().cmp(other.0.iter())
    }
}

impl<K: Ord + Hash, V: Hash> Hash for SharedMap<K, V> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        for entry in &self.0 {
            entry.hash(state);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One entry is changed, added or removed, at each place of maps of several levels.
    #[test]
    fn each_difference_is_seen() {
        for size in [1, 16, 33, 100, 1_000] {
            let all: SharedMap<u32, u32> = (0..size).map(|key| (2 * key, 0)).collect();
            assert_eq!(all, all.clone());
            assert_eq!(all.differences(&all.clone()).count(), 0);
            for key in 0..2 * size {
                let mut other = all.clone();
                other.insert(key, 1);
                assert_ne!(all, other, "{key} of {size}");
                let seen: Vec<_> = all.differences(&other).collect();
                assert_eq!(seen, [Difference { key: &key, old: all.get(&key), new: Some(&1) }]);
                let mut fewer = all.clone();
                if fewer.remove(&key).is_some() {
                    assert_ne!(all, fewer, "{key} of {size}");
                    let seen: Vec<_> = all.differences(&fewer).collect();
                    assert_eq!(seen, [Difference { key: &key, old: Some(&0), new: None }]);
                }
            }
        }
    }
}
