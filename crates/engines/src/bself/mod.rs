//! Backward symbolic execution with loop folding (Chalupa and Strejček 2021, algorithms 3 and 4).
//!
//! The search goes backwards from the targets as `bse` does. Where it comes to a loop head, it first tries to *fold* the
//! loop: to find an inductive invariant that excludes the states it came with ([`fold`], [`extension`], [`relations`],
//! [`relax`]). If that works this path ends, and only this path: others are still in the queue. If not, the loop is unwound.
//!
//! Nests of loops are flattened first, as in the paper; invariants are given for the heads of the original.

mod extension;
mod flat;
mod fold;
mod relations;
mod relax;
mod show;

use crate::bse;
use crate::limits::bself::PATIENT_VISITS;
use cfa::{Loc, Program};
use encode::Oracle;
use encode::backward::{Backward, Item, Terrain, at_targets};
use encode::iteration::Iteration;
use engine::{Cx, Engine, Event, Proof, Stop, Task, Verdict, Why};
use flat::Flat;
use flow::{Graph, Loops};
use fold::Folded;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::time::Duration;
use term::{Term, Value};

#[derive(Clone, Debug)]
pub struct Settings {
    /// Extensions of a candidate in one attempt; by default `2·|LoopPaths| − 1`.
    pub kappa: Option<u32>,
    /// What goes beyond the paper: cores, weakening by counterexamples to induction, cells of arrays, intervals,
    /// subsumption.
    pub extras: bool,
    /// Paths of a loop that are treated one by one; of more, the merged formula is.
    pub max_paths: u64,
    /// Effort for one question.
    pub patience: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { kappa: None, extras: true, max_paths: 16, patience: Duration::from_millis(1500) }
    }
}

#[derive(Default)]
pub struct LoopFolding {
    pub settings: Settings,
}

impl Engine for LoopFolding {
    fn name(&self) -> &'static str {
        "bself"
    }

    fn run(&mut self, task: &Task, cx: &mut Cx) -> Verdict {
        self.decide(task, cx).unwrap_or_else(|stop| Verdict::Unknown(stop.into()))
    }
}

impl LoopFolding {
    fn decide(&self, task: &Task, cx: &mut Cx) -> Result<Verdict, Stop> {
        let flat = Flat::of(task, cx);
        let mut folder = Folder::new(task, &flat, cx, &self.settings)?;
        let starts = at_targets(&flat.task, &folder.cx.terms);
        let outcome = folder.search(starts, false);
        let (asked, items) = (folder.oracle.asked, folder.items);
        folder.cx.tell(Event::Note(format!("{items} sets of states, {asked} questions")));
        match outcome? {
            Outcome::Found(found) => Ok(*found),
            Outcome::Reached(_) => unreachable!("the search from the targets says what it found"),
            Outcome::Unknown => Ok(Verdict::Unknown(Why::GaveUp("nothing more to try".into()))),
            Outcome::Correct => match folder.unmodelled.take() {
                Some(why) => Ok(Verdict::Unknown(why)),
                None => {
                    let proof = folder.proof();
                    Ok(Verdict::Safe(flat.lift(proof, cx)))
                }
            },
        }
    }
}

/// How a search ended.
enum Outcome {
    /// None of the states it started from is reachable.
    Correct,
    /// Some are, or may be: this item came to the entry.
    Reached(Item),
    /// At top level: this verdict.
    Found(Box<Verdict>),
    /// A loop did not fold.
    Unknown,
}

/// A loop and the candidates that were made for it (O_l in the paper).
struct Loop {
    iteration: Iteration,
    candidates: Vec<Term>,
    /// Variables that the loop changes or tests.
    variables: Vec<Term>,
    /// States in which the loop is entered: a candidate without one of them is no invariant.
    entered: Vec<FxHashMap<Term, Value>>,
    /// How often the search from the targets came here.
    visits: u32,
}

/// Everything that folding works with.
struct Folder<'a> {
    task: &'a Task,
    flat: &'a Flat,
    program: &'a Program,
    cx: &'a mut Cx,
    settings: &'a Settings,
    oracle: Oracle,
    terrain: Terrain,
    loops: BTreeMap<Loc, Loop>,
    /// States at loop heads that finished searches have shown to be unreachable.
    unreachable: Vec<(Loc, Term)>,
    /// Something that is not modelled and can be reached.
    unmodelled: Option<Why>,
    items: u64,
    /// Why the last set of clauses was no valid extension.
    why_not: &'static str,
    /// Nesting of searches.
    depth: u32,
}

impl<'a> Folder<'a> {
    fn new(task: &'a Task, flat: &'a Flat, cx: &'a mut Cx, settings: &'a Settings) -> Result<Folder<'a>, Stop> {
        let program: &Program = &flat.task.program;
        let mut terrain = Terrain::new(program);
        if settings.extras {
            bse::learn_intervals(program, &mut terrain, cx)?;
        }
        let graph = Graph::of(program.main());
        let nest = Loops::of(&graph);
        let mut loops = BTreeMap::new();
        for (id, found) in nest.loops.iter() {
            cx.budget.check()?;
            if let Some(iteration) = Iteration::new(program, &mut cx.terms, &graph, &nest, id, settings.max_paths) {
                let variables = variables_of(program, &cx.terms, &iteration);
                loops.insert(
                    found.header,
                    Loop { iteration, candidates: Vec::new(), variables, entered: Vec::new(), visits: 0 },
                );
            }
        }
        let oracle = Oracle::new(cx, settings.patience)?;
        Ok(Folder {
            task,
            flat,
            program,
            cx,
            settings,
            oracle,
            terrain,
            loops,
            unreachable: Vec::new(),
            unmodelled: None,
            items: 0,
            why_not: "",
            depth: 0,
        })
    }

    /// Algorithm 3. `in_fold`: it decides whether a candidate holds on entry, and ends where a loop does not fold.
    fn search(&mut self, starts: Vec<Item>, in_fold: bool) -> Result<Outcome, Stop> {
        let mut search = Backward::new(self.settings.extras, starts);
        let entry = self.program.main().entry;
        let mut length = 0;
        while let Some(item) = search.next(&self.terrain, self.cx, &mut self.oracle)? {
            self.items += 1;
            if self.items.is_multiple_of(64) {
                self.cx.budget.check_memory()?;
            }
            if item.loc == entry {
                if in_fold {
                    return Ok(Outcome::Reached(item));
                }
                match self.at_entry(&item)? {
                    Some(Verdict::Unknown(why)) => {
                        self.unmodelled.get_or_insert(why);
                    }
                    Some(found) => return Ok(Outcome::Found(Box::new(found))),
                    None => {}
                }
            }
            if !in_fold && item.length > length {
                length = item.length;
                self.cx.tell(Event::Bound(u64::from(length)));
                self.read_board();
            }
            let mut over_back_edges = true;
            if self.loops.contains_key(&item.loc) {
                let head = item.loc;
                // The first edge leaves the head now.
                let again = item.edges().iter().skip(1).any(|e| self.program.main().edges[*e].from == head);
                match self.try_to_fold(&item, again)? {
                    Folded::Yes => continue,
                    Folded::OnlyEntered => over_back_edges = false,
                    Folded::SoonOver => {}
                    Folded::No if in_fold => return Ok(Outcome::Unknown),
                    Folded::No => {}
                }
            }
            let entries: &[cfa::Edge] = self.loops.get(&item.loc).map_or(&[], |l| &l.iteration.entries);
            let over = |edge| over_back_edges || entries.contains(&edge);
            search.extend(self.program, &self.terrain, &mut self.cx.terms, &item, over);
        }
        self.unreachable.extend(search.kept());
        Ok(Outcome::Correct)
    }

    /// An attempt to fold may take a part of what time is left. Where a loop has failed to fold again and again, it is
    /// tried at every second, fourth, eighth visit.
    fn try_to_fold(&mut self, item: &Item, again: bool) -> Result<Folded, Stop> {
        let this = self.loops.get_mut(&item.loc).expect("a loop");
        this.visits += u32::from(self.depth == 0);
        let patient = !self.settings.extras || self.depth > 0;
        if !patient && this.visits > PATIENT_VISITS && !this.visits.is_power_of_two() {
            return Ok(Folded::No);
        }
        let whole = self.cx.budget.clone();
        self.cx.budget = whole.slice(whole.left() / if again { 8 } else { 3 });
        let depth = self.depth;
        let folded = self.fold(item, again);
        self.cx.budget = whole;
        match folded {
            Err(Stop::Timeout) if self.cx.budget.check().is_ok() => {
                self.depth = depth;
                Ok(Folded::No)
            }
            other => other,
        }
    }

    /// The item has come to the entry: an execution?
    fn at_entry(&mut self, item: &Item) -> Result<Option<Verdict>, Stop> {
        let edges = self.flat.original_edges(self.task, &item.edges());
        bse::execution(&self.task.program, self.cx, &edges)
    }

    /// Notes a proven invariant, and tells others.
    fn learn(&mut self, head: Loc, invariant: Term) {
        self.terrain.learn(&mut self.cx.terms, head, invariant);
        if let Proof::Invariants { at, .. } = self.proof() {
            let Proof::Invariants { at, .. } = self.flat.lift(Proof::Invariants { at, k: 1 }, self.cx) else { return };
            for (loc, fact) in at {
                self.cx.publish_invariant("bself", loc, fact);
            }
        }
    }

    /// Takes proven invariants of others.
    fn read_board(&mut self) {
        if !self.settings.extras {
            return;
        }
        for (loc, fact) in self.flat.news(self.cx) {
            if self.terrain.wto.is_head(loc) {
                self.terrain.learn(&mut self.cx.terms, loc, fact);
            }
        }
    }

    /// What is known at the heads, as a proof.
    fn proof(&mut self) -> Proof {
        bse::proof(self.program, &mut self.cx.terms, &self.terrain, &self.unreachable, self.items)
    }
}

/// The variables that a loop changes or tests.
fn variables_of(program: &Program, terms: &term::Store, iteration: &Iteration) -> Vec<Term> {
    let main = program.main();
    let mut vars = Vec::new();
    for edge in main.edges.values().filter(|e| iteration.body.contains(&e.from)) {
        vars.extend(edge.op.written().into_iter().map(|v| program.term(v)));
        vars.extend(term::walk::free_vars(terms, &edge.op.terms()));
    }
    vars.sort_unstable();
    vars.dedup();
    vars
}
