//! The board: what engines tell each other while they run.
//!
//! Facts are text, because they cross stores and processes: a formula is SMT-LIB over the variables of the named
//! automaton. Proven facts may be assumed; a candidate must be proved by whoever uses it.

use cfa::Loc;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FactKind {
    /// Holds whenever control is at the location. Proven.
    Invariant { at: Loc, formula: String },
    /// May hold there: prove it before use.
    Candidate { at: Loc, formula: String },
    /// No error location is reachable with at most `bound` iterations of every loop.
    NoErrorWithin { bound: u64 },
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fact {
    /// The engine that says so.
    pub author: String,
    /// The automaton it speaks of, as [`fingerprint`] names it.
    pub automaton: u64,
    pub kind: FactKind,
}

/// Connects a board to those of other processes.
pub trait Link: Send + Sync {
    fn send(&self, fact: &Fact);

    /// What has come in since the last call, without waiting.
    fn receive(&self) -> Vec<Fact>;
}

/// Shared by all engines of a run; clones are the same board.
#[derive(Clone, Default)]
pub struct Board {
    facts: Arc<Mutex<Vec<Fact>>>,
    link: Option<Arc<dyn Link>>,
}

impl Board {
    pub fn new() -> Board {
        Board::default()
    }

    /// Adds a fact, unless it is known. Says whether it is new.
    pub fn publish(&self, fact: Fact) -> bool {
        // Bounds come by the thousand: beyond the first few, every doubling tells enough.
        if let FactKind::NoErrorWithin { bound } = fact.kind
            && bound > 16
            && !bound.is_power_of_two()
        {
            return false;
        }
        let new = self.add(fact.clone());
        if new && let Some(link) = &self.link {
            link.send(&fact);
        }
        new
    }

    /// A copy of what is known, that from now on exchanges news over `link`.
    pub fn linked(&self, link: Arc<dyn Link>) -> Board {
        Board { facts: Arc::new(Mutex::new(self.lock().clone())), link: Some(link) }
    }

    fn add(&self, fact: Fact) -> bool {
        let mut facts = self.lock();
        if facts.contains(&fact) {
            return false;
        }
        facts.push(fact);
        true
    }

    /// How many facts there are.
    pub fn len(&self) -> usize {
        self.lock().len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The facts published since a reader had seen `seen` of them; a reader keeps count.
    pub fn since(&self, seen: usize) -> Vec<Fact> {
        if let Some(link) = &self.link {
            for fact in link.receive() {
                self.add(fact);
            }
        }
        self.lock().get(seen..).map(<[Fact]>::to_vec).unwrap_or_default()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Fact>> {
        self.facts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A number that names an automaton: facts about one are not facts about another.
pub fn fingerprint(program: &cfa::Program) -> u64 {
    use std::hash::{Hash, Hasher};
    let mut hasher = std::collections::hash_map::DefaultHasher::new();
    let main = program.main();
    main.locs.len().hash(&mut hasher);
    for edge in main.edges.values() {
        edge.from.hash(&mut hasher);
        edge.to.hash(&mut hasher);
        edge.op.written().hash(&mut hasher);
        edge.op.terms().hash(&mut hasher);
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fact_is_news_once() {
        let board = Board::new();
        let fact = |kind| Fact { author: "test".into(), automaton: 1, kind };
        assert!(board.publish(fact(FactKind::NoErrorWithin { bound: 3 })));
        assert!(!board.publish(fact(FactKind::NoErrorWithin { bound: 3 })), "known already");
        assert!(!board.publish(fact(FactKind::NoErrorWithin { bound: 100 })), "no power of two");
        assert_eq!(board.since(0).len(), 1);
        assert_eq!(board.since(1), []);
        assert_eq!(board.since(7), []);
    }
}
