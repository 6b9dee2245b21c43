//! Breadth-first search backwards from chosen states: Chalupa and Strejček 2021, algorithm 3 without folding.
//!
//! An item is a set of states at a location from which a path leads to the states that the search started from. The
//! items that were extended over all incoming edges are *kept*: when the queue runs dry without the entry having been
//! reached, no state of a kept item is reachable, so their negations are an inductive invariant. The same argument
//! allows to drop an item whose states all belong to a kept item at the same location, or are excluded by an invariant.

use crate::oracle::Oracle;
use crate::pre::existential_pre;
use base::Table;
use cfa::{Edge, Loc, Program};
use engine::{Cx, Stop, Task};
use flow::wto::Wto;
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;
use term::{Store, Term};

/// The automaton, and what is known to hold at its locations.
pub struct Terrain {
    pub wto: Wto,
    predecessors: Table<Loc, Vec<Edge>>,
    /// Locations that control can come to, as far as is known.
    reachable: Table<Loc, bool>,
    /// Proven invariants.
    known: BTreeMap<Loc, Term>,
}

impl Terrain {
    /// Nothing is known.
    pub fn new(program: &Program) -> Terrain {
        let wto = Wto::new(program.main());
        let reachable = program.main().locs.ids().map(|loc| wto.reaches(loc)).collect();
        Terrain { wto, predecessors: program.main().predecessors(), reachable, known: BTreeMap::new() }
    }

    /// Adds a proven invariant.
    pub fn learn(&mut self, terms: &mut Store, at: Loc, invariant: Term) {
        if terms.as_bool_const(invariant) == Some(false) {
            self.reachable[at] = false;
        }
        let all = terms.and(self.at(terms, at), invariant);
        self.known.insert(at, all);
    }

    /// What is known at the location.
    pub fn at(&self, terms: &Store, loc: Loc) -> Term {
        self.known.get(&loc).copied().unwrap_or(terms.tt())
    }

    pub fn known(&self) -> &BTreeMap<Loc, Term> {
        &self.known
    }

    pub fn predecessors(&self, loc: Loc) -> &[Edge] {
        &self.predecessors[loc]
    }
}

/// States at a location, and how they lead to where the search started.
#[derive(Clone, Debug)]
pub struct Item {
    pub loc: Loc,
    pub states: Term,
    /// The way on from here.
    pub path: Option<Rc<Link>>,
    /// Number of edges on it.
    pub length: u32,
}

/// The first edge of a path and the rest.
#[derive(Debug)]
pub struct Link {
    pub edge: Edge,
    pub next: Option<Rc<Link>>,
}

impl Drop for Link {
    /// Without recursion: paths are long.
    fn drop(&mut self) {
        let mut next = self.next.take();
        while let Some(link) = next {
            next = Rc::try_unwrap(link).ok().and_then(|mut l| l.next.take());
        }
    }
}

impl Item {
    pub fn start(loc: Loc, states: Term) -> Item {
        Item { loc, states, path: None, length: 0 }
    }

    /// The edges from here on.
    pub fn edges(&self) -> Vec<Edge> {
        let mut edges = Vec::with_capacity(self.length as usize);
        let mut at = &self.path;
        while let Some(link) = at {
            edges.push(link.edge);
            at = &link.next;
        }
        edges
    }
}

/// A search in progress.
pub struct Backward {
    queue: VecDeque<Item>,
    seen: FxHashSet<(Loc, Term)>,
    kept: Vec<(Loc, Term)>,
    /// Whether items are dropped because their states are kept already.
    subsume: bool,
}

impl Backward {
    pub fn new(subsume: bool, starts: impl IntoIterator<Item = Item>) -> Backward {
        Backward { queue: starts.into_iter().collect(), seen: FxHashSet::default(), kept: Vec::new(), subsume }
    }

    /// The next item that may be feasible, shortest path first; its states are within what is known at its location.
    pub fn next(&mut self, terrain: &Terrain, cx: &mut Cx, oracle: &mut Oracle) -> Result<Option<Item>, Stop> {
        while let Some(mut item) = self.queue.pop_front() {
            cx.budget.check()?;
            if !terrain.reachable[item.loc] {
                continue;
            }
            let known = terrain.at(&cx.terms, item.loc);
            item.states = within(&mut cx.terms, item.states, known);
            if self.subsume && !self.seen.insert((item.loc, item.states)) {
                continue;
            }
            if oracle.refuted(cx, &[item.states])? {
                continue;
            }
            if self.subsume && terrain.wto.is_head(item.loc) && self.is_kept(&item, cx, oracle)? {
                continue;
            }
            return Ok(Some(item));
        }
        Ok(None)
    }

    /// Whether all states of the item belong to kept items. (An input left in a kept item makes this harder to show than it
    /// need be: the answer is right for every value of it.)
    fn is_kept(&self, item: &Item, cx: &mut Cx, oracle: &mut Oracle) -> Result<bool, Stop> {
        let mut question = vec![item.states];
        for &(_, states) in self.kept.iter().filter(|(loc, _)| *loc == item.loc) {
            question.push(cx.terms.not(states));
        }
        Ok(question.len() > 1 && oracle.refuted(cx, &question)?)
    }

    /// Goes one step back from the item, over those incoming edges that `over` allows.
    pub fn extend(
        &mut self,
        program: &Program,
        terrain: &Terrain,
        terms: &mut Store,
        item: &Item,
        over: impl Fn(Edge) -> bool,
    ) {
        if terrain.wto.is_head(item.loc) {
            self.kept.push((item.loc, item.states));
        }
        for &edge in terrain.predecessors(item.loc) {
            let info = &program.main().edges[edge];
            if !terrain.reachable[info.from] || !over(edge) {
                continue;
            }
            let states = existential_pre(program, terms, &info.op, item.states);
            if terms.as_bool_const(states) != Some(false) {
                let path = Some(Rc::new(Link { edge, next: item.path.clone() }));
                self.queue.push_back(Item { loc: info.from, states, path, length: item.length + 1 });
            }
        }
    }

    /// The extended items at loop heads. Once the search has ended without reaching the entry, they are unreachable.
    pub fn kept(&self) -> &[(Loc, Term)] {
        &self.kept
    }
}

/// `states` with those known facts that speak of their variables.
fn within(terms: &mut Store, states: Term, known: Term) -> Term {
    let mentioned = term::walk::free_vars(terms, &[states]);
    let mut all = states;
    for fact in term::normal::conjuncts(terms, known) {
        if term::walk::free_vars(terms, &[fact]).iter().any(|v| mentioned.binary_search(v).is_ok()) {
            all = terms.and(all, fact);
        }
    }
    all
}

/// Items for all targets of the task.
pub fn at_targets(task: &Task, terms: &Store) -> Vec<Item> {
    flow::targets(task.program.main()).map(|loc| Item::start(loc, terms.tt())).collect()
}
