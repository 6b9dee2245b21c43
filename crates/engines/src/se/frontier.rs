//! The paths still to be followed, and which one next.
//!
//! Two orders take turns. In *deep* turns the path with the fewest decisions is followed to its end, however long that takes:
//! fair, and it finds what lies behind long loops. In *wide* turns a path goes on from the location where paths went on least
//! often so far, nearest to an error among those, and is left again once it has come across nothing new for a while: large
//! programs that serve requests for ever are seen all over instead of one service again and again.

use super::Path;
use crate::limits::se::{DECISIONS, STEPS};
use base::Table;
use cfa::{Loc, LocKind, Program};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// A path's turn.
pub(super) struct Turn {
    kind: Kind,
    /// The path's decisions when it came across something new, or when the turn began.
    since: u32,
    steps: u32,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Deep,
    Wide,
}

pub(super) struct Frontier {
    paths: FxHashMap<u64, Path>,
    next_id: u64,
    /// By decisions; ids of paths that are gone are skipped.
    shallowest: BTreeMap<u32, VecDeque<u64>>,
    /// By location; the same.
    at: FxHashMap<Loc, VecDeque<u64>>,
    /// Locations with paths: how often paths went on there, how far it is to an error.
    rarest: BTreeSet<(u32, u32, Loc)>,
    picked: Table<Loc, u32>,
    /// Steps to the nearest error, per location.
    distance: Table<Loc, u32>,
    covered: Table<Loc, bool>,
    /// The path of the deep turns, when it is not its turn.
    deep: Option<Path>,
    last: Kind,
}

impl Frontier {
    pub(super) fn new(program: &Program) -> Frontier {
        let locs = program.main().locs.len();
        Frontier {
            paths: FxHashMap::default(),
            next_id: 0,
            shallowest: BTreeMap::new(),
            at: FxHashMap::default(),
            rarest: BTreeSet::new(),
            picked: Table::filled(0, locs),
            distance: distances(program),
            covered: Table::filled(false, locs),
            deep: None,
            last: Kind::Wide,
        }
    }

    pub(super) fn push(&mut self, path: Path) {
        let (id, loc) = (self.next_id, path.loc);
        self.next_id += 1;
        self.shallowest.entry(path.decisions).or_default().push_back(id);
        self.at.entry(loc).or_default().push_back(id);
        self.rarest.insert((self.picked[loc], self.distance[loc], loc));
        self.paths.insert(id, path);
    }

    /// A path whose turn is over, or that had to stop within it.
    pub(super) fn push_back(&mut self, path: Path, turn: &Turn) {
        match turn.kind {
            Kind::Deep => self.deep = Some(path),
            Kind::Wide => self.push(path),
        }
    }

    /// The next path, and its turn.
    pub(super) fn pop(&mut self) -> Option<(Path, Turn)> {
        self.last = if self.last == Kind::Deep { Kind::Wide } else { Kind::Deep };
        let path = match self.last {
            Kind::Deep => self.deep.take().or_else(|| self.pop_shallowest()),
            Kind::Wide => self.pop_rarest().or_else(|| self.deep.take()),
        }?;
        let turn = Turn { kind: self.last, since: path.decisions, steps: 0 };
        Some((path, turn))
    }

    fn pop_shallowest(&mut self) -> Option<Path> {
        loop {
            let mut entry = self.shallowest.first_entry()?;
            match entry.get_mut().pop_front() {
                Some(id) => {
                    if let Some(path) = self.paths.remove(&id) {
                        return Some(path);
                    }
                }
                None => drop(entry.remove()),
            }
        }
    }

    fn pop_rarest(&mut self) -> Option<Path> {
        loop {
            let rarest = self.rarest.pop_first()?;
            let loc = rarest.2;
            let Some(waiting) = self.at.get_mut(&loc) else { continue };
            let found = std::iter::from_fn(|| waiting.pop_front()).find_map(|id| self.paths.remove(&id));
            let is_empty = waiting.is_empty();
            if is_empty {
                self.at.remove(&loc);
            }
            self.picked[loc] += u32::from(found.is_some());
            if !is_empty {
                self.rarest.insert((self.picked[loc], self.distance[loc], loc));
            }
            if found.is_some() {
                return found;
            }
        }
    }

    /// Puts the branch to be followed at once last: in a wide turn one to where no path was, nearest to an error.
    pub(super) fn put_first(&self, branches: &mut Vec<Path>, turn: &Turn) {
        if turn.kind == Kind::Deep {
            return;
        }
        let new = (0..branches.len()).filter(|i| !self.covered[branches[*i].loc]);
        if let Some(best) = new.min_by_key(|i| self.distance[branches[*i].loc]) {
            let best = branches.remove(best);
            branches.push(best);
        }
    }

    /// Whether the turn of the path ends where it is now.
    pub(super) fn ends(&mut self, turn: &mut Turn, path: &Path) -> bool {
        if !std::mem::replace(&mut self.covered[path.loc], true) {
            turn.since = path.decisions;
            turn.steps = 0;
        }
        turn.steps += 1;
        path.decisions - turn.since >= DECISIONS || turn.steps >= STEPS
    }
}

/// Edges from each location to the nearest error location.
fn distances(program: &Program) -> Table<Loc, u32> {
    let main = program.main();
    let predecessors = main.predecessors();
    let mut distance = Table::filled(u32::MAX, main.locs.len());
    let mut queue: VecDeque<Loc> =
        main.locs.iter().filter(|(_, l)| matches!(l.kind, LocKind::Error(_))).map(|(id, _)| id).collect();
    for &loc in &queue {
        distance[loc] = 0;
    }
    while let Some(loc) = queue.pop_front() {
        for &edge in &predecessors[loc] {
            let from = main.edges[edge].from;
            if distance[from] == u32::MAX {
                distance[from] = distance[loc] + 1;
                queue.push_back(from);
            }
        }
    }
    distance
}
