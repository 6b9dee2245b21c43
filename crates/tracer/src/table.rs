//! The subsumption table: interpolants of finished nodes by location, and what they rely on.
//!
//! An interpolant below a loop head relies on the head: its leaves return there. While the head is explored that is an
//! assumption; it is discharged when the head is complete, and wrong if the head is explored anew from a stronger state.
//! So every entry names the *heads* (nodes at loop heads) that executions from it come to next, and a head that is
//! abandoned takes everything that relies on it along.

use crate::parts::{Parts, Tagged};
use crate::tree::Node;
use base::Table;
use cfa::Loc;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use term::{Store, Term};

base::id!(
    /// A node at a loop head, in one exploration of it.
    Head,
    "h"
);

#[derive(Clone, Debug)]
pub(crate) enum Status {
    Open,
    /// Explored: from its states executions come to these heads next, if they do not end. Without parts, its interpolant
    /// could not be expressed.
    Complete {
        next: BTreeSet<Head>,
        parts: Option<Rc<Parts>>,
    },
    Abandoned,
}

#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) node: Node,
    pub(crate) parts: Rc<Parts>,
    /// The heads that come next, or the head that this is.
    pub(crate) next: BTreeSet<Head>,
    /// How often the heads around were visited on the way, if exploration below was cut by a bound on that.
    pub(crate) visits: Option<Rc<[u32]>>,
    /// The part that failed last: it fails again more often than others.
    pub(crate) suspect: usize,
}

#[derive(Default)]
pub(crate) struct Subsumption {
    pub(crate) heads: Table<Head, (Loc, Status)>,
    pub(crate) entries: BTreeMap<Loc, Vec<Entry>>,
}

impl Subsumption {
    pub(crate) fn open(&mut self, loc: Loc) -> Head {
        self.heads.push((loc, Status::Open))
    }

    pub(crate) fn add(&mut self, loc: Loc, entry: Entry) {
        self.entries.entry(loc).or_default().push(entry);
    }

    /// Forgets the heads and what relies on them.
    pub(crate) fn abandon(&mut self, heads: &BTreeSet<Head>) {
        let mut gone = heads.clone();
        // A complete head that comes to one that is gone is gone too. Those were opened after it or before it: repeat.
        loop {
            let before = gone.len();
            for (head, (_, status)) in self.heads.iter() {
                if let Status::Complete { next, .. } = status
                    && !gone.contains(&head)
                    && !next.is_disjoint(&gone)
                {
                    gone.insert(head);
                }
            }
            if gone.len() == before {
                break;
            }
        }
        for head in &gone {
            self.heads[*head].1 = Status::Abandoned;
        }
        for entries in self.entries.values_mut() {
            entries.retain(|entry| entry.next.is_disjoint(&gone));
        }
    }

    /// At each loop head that executions come to from `start` on: one of the interpolants there. `None` if one of them
    /// could not be expressed.
    pub(crate) fn invariants(
        &self,
        terms: &mut Store,
        tagged: &Tagged,
        start: &BTreeSet<Head>,
    ) -> Option<BTreeMap<Loc, Term>> {
        let mut reached: BTreeSet<Head> = start.clone();
        let mut work: Vec<Head> = start.iter().copied().collect();
        let mut at: BTreeMap<Loc, Vec<Term>> = BTreeMap::new();
        while let Some(head) = work.pop() {
            let (loc, Status::Complete { next, parts }) = &self.heads[head] else { return None };
            at.entry(*loc).or_default().push(parts.as_ref()?.formula(terms, tagged));
            work.extend(next.iter().filter(|h| reached.insert(**h)));
        }
        Some(at.into_iter().map(|(loc, cases)| (loc, terms.or_all(&cases))).collect())
    }
}
