//! Counterexamples that rest on where objects lie.
//!
//! Where a program looks at parts of addresses in memory, the flat program has a choice of anything
//! (`transform::memory::SeenParts`), which the program as it was written does not have: there the interpreter sees the parts of our own
//! addresses, which no machine has. So a trace with such choices may lead elsewhere when it is run, and a run that passes a place
//! where it looks shows nothing by itself, unless it takes no part of any address (`taken`): the compiled program has to show the violation.
//!
//! Where it compares the addresses of different objects, our own, which are never used again, lie as objects may lie: such a run
//! may be, but the compiled program need not show it.

use crate::limits::places::FOLLOWED_STEPS;
use crate::taken::Taken;
use cfa::{Edge, EdgeInfo, Func, Lacks, Loc, LocKind, Program};
use interpreter::{InOrder, Limits, Machine, Outcome, Site, State, Watch, Watcher};
use std::collections::BTreeSet;

/// The edges of the program as it was written that look at parts of addresses: what is seen there is open, or executions end.
fn looks(lowered: &Program, flat: &Program) -> BTreeSet<Site> {
    sites(lowered, flat, |edge| edge.op.depends_on_places() || ends_for_lack_of(flat, edge.to, Lacks::AddressParts))
}

fn ends_for_lack_of(flat: &Program, to: Loc, knowledge: Lacks) -> bool {
    matches!(&flat.main().locs[to].kind, LocKind::Unsupported(what) if what.lacks == knowledge)
}

/// The edges of the program as it was written, and those beside them, that some edges of the flat program stand for.
fn sites(lowered: &Program, flat: &Program, is_one: impl Fn(&EdgeInfo) -> bool) -> BTreeSet<Site> {
    let edges = flat.main().edges.values().filter(|edge| is_one(edge));
    let sites = edges.filter_map(|edge| edge.site);
    let sites = sites.filter(|(func, edge)| !lowered.functions[*func].edges[*edge].op.depends_on_places());
    // A condition is chosen for all edges that ask it: a run passes by one of them.
    let beside = |(func, edge): Site| {
        let edges = &lowered.functions[func].edges;
        let from = edges[edge].from;
        edges.iter().filter(move |(_, other)| other.from == from).map(move |(id, _)| (func, id))
    };
    sites.collect::<BTreeSet<Site>>().into_iter().flat_map(beside).collect()
}

/// Whether executions of the flat program may see anything there.
pub fn are_open(lowered: &Program, flat: &Program) -> bool {
    !looks(lowered, flat).is_empty()
}

/// Whether the run passes a place where the program looks at a part of an address.
pub fn are_seen(lowered: &Program, flat: &Program, outcome: &Outcome) -> bool {
    passes(lowered, outcome, looks(lowered, flat)) && takes_parts(lowered, outcome)
}

/// Whether the run takes parts of addresses out of memory, or may do so.
fn takes_parts(lowered: &Program, outcome: &Outcome) -> bool {
    let is_followed = outcome.steps <= FOLLOWED_STEPS && outcome.environment.is_empty();
    let mut taken = Taken::of(lowered);
    if !is_followed || taken.any {
        return true;
    }
    !watch(lowered, outcome, &mut taken) || taken.any
}

/// How a counterexample rests on where objects lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rests {
    /// The program looks at a part of an address: the compiled program has to show the violation.
    OnParts,
    /// It compares the addresses of different objects: the compiled program need not show it.
    OnOrder,
}

/// How a counterexample rests on where objects lie: by what its run passes; where nobody has made the run, by what any run may pass.
pub fn rests(lowered: &Program, flat: &Program, run: Option<&Outcome>) -> Option<Rests> {
    let is_met = |places: BTreeSet<Site>| match run {
        Some(outcome) => passes(lowered, outcome, places),
        None => !places.is_empty(),
    };
    let is_seen = match run {
        Some(outcome) => are_seen(lowered, flat, outcome),
        None => are_open(lowered, flat),
    };
    if is_seen {
        return Some(Rests::OnParts);
    }
    let compares = sites(lowered, flat, |edge| ends_for_lack_of(flat, edge.to, Lacks::AddressOrder));
    is_met(compares).then_some(Rests::OnOrder)
}

fn passes(lowered: &Program, outcome: &Outcome, looks: BTreeSet<Site>) -> bool {
    if looks.is_empty() {
        return false;
    }
    let mut passed = Passed { looks, seen: false };
    !watch(lowered, outcome, &mut passed) || passed.seen
}

/// Whether the run goes the same way when it is watched: else it tells nothing.
fn watch(lowered: &Program, outcome: &Outcome, watcher: &mut dyn Watcher) -> bool {
    let Ok(machine) = Machine::watching(lowered, &Watch { edges: true, locations: Vec::new() }) else { return false };
    let limits = Limits { record: false, ..Limits::steps(outcome.steps.saturating_add(1)) }.repeating(outcome);
    let again = machine.run_with(&mut InOrder::replay(outcome), &limits, &mut std::io::sink(), Some(watcher));
    again.ending == outcome.ending
}

struct Passed {
    looks: BTreeSet<Site>,
    seen: bool,
}

impl Watcher for Passed {
    fn edge(&mut self, _: &State<'_>, func: Func, edge: Edge) {
        self.seen |= self.looks.contains(&(func, edge));
    }
}
