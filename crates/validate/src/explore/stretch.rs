//! Concrete stretches: what depends on no input is run by the interpreter.
//!
//! The *region* of a loop head is what can be run from there knowing the variables that are constant: locations where
//! execution goes on in at most one way, by edges that read known variables and take no input. It ends where that
//! stops being so, or at a location asked for. The interpreter gets the region as a program of its own; that it really
//! asks for nothing on its way is watched. Inside a region there are no targets: they have no way to go on.

use super::state::{State, Symbolic};
use crate::recheck::Failure;
use base::cpu::Deadline;
use base::{Id, Table};
use cfa::{Edge, Func, Loc, Op, Program, Var};
use flow::{Accesses, CallGraph, GlobalEffects, TermVars};
use interpreter::{Ask, Ending, Inputs, Limit, Limits, Machine, Watch, Watcher};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::rc::Rc;
use term::{Sort, Store, Value};

/// How a stretch ended.
pub(super) enum Ran {
    /// There, after so many visits of the head.
    To(Loc, u64),
    Nowhere,
}

/// Where a stretch has to end at the latest.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Until {
    /// Where it does.
    Border,
    /// At the first arrival at this location.
    Location(Loc),
    /// At this visit of the head.
    Visit(u64),
}

/// The head, the variables that are known there, and where the stretch is to stop.
type Question = (Loc, BTreeSet<Var>, Option<Loc>);

/// A state that a run was in: what variables hold, as numbers where they are ones.
type Mark = (Vec<Option<u64>>, Vec<Option<Value>>);

pub(super) struct Stretches {
    accesses: Accesses,
    successors: Table<Loc, Vec<Edge>>,
    /// By head, unknown variables and the location where they end: `None` where the head is not left.
    regions: FxHashMap<Question, Option<Rc<Region>>>,
}

struct Region {
    program: Program,
    head: Loc,
    borders: Vec<Loc>,
    /// Read or written inside: all of them known at the head and at the borders.
    vars: Vec<Var>,
}

impl Stretches {
    pub(super) fn new(program: &Program) -> Stretches {
        let effects = GlobalEffects::of(program, &CallGraph::of(program));
        let accesses = Accesses::of(program, program.main(), &effects, &mut TermVars::of(program));
        Stretches { accesses, successors: program.main().successors(), regions: FxHashMap::default() }
    }

    /// Runs the stretch from `head`, and brings `state` to its end. `None`: there is none.
    pub(super) fn run(
        &mut self,
        program: &Program,
        terms: &mut Store,
        head: Loc,
        state: &mut State,
        until: Until,
        deadline: Deadline,
    ) -> Result<Option<Ran>, Failure> {
        let mut start: FxHashMap<Var, Value> = FxHashMap::default();
        let mut unknown = BTreeSet::new();
        for &var in self.accesses.vars() {
            match state.get(program, terms, var).constant(terms) {
                Some(value) => _ = start.insert(var, value),
                None => _ = unknown.insert(var),
            }
        }
        let end = match until {
            Until::Location(loc) => Some(loc),
            Until::Border | Until::Visit(_) => None,
        };
        let key = (head, unknown, end);
        let region = match self.regions.get(&key) {
            Some(region) => region.clone(),
            None => {
                let region = self.region(program, terms, head, &key.1, end).map(Rc::new);
                self.regions.insert(key, region.clone());
                region
            }
        };
        match region {
            Some(region) => region.run(terms, start, state, until, deadline).map(Some),
            None => Ok(None),
        }
    }

    fn region(
        &self,
        program: &Program,
        terms: &mut Store,
        head: Loc,
        unknown: &BTreeSet<Var>,
        end: Option<Loc>,
    ) -> Option<Region> {
        let main = program.main();
        // By location that is reached: what may be unknown there.
        let mut reached: Table<Loc, Option<BTreeSet<Var>>> = Table::filled(None, main.locs.len());
        reached[head] = Some(unknown.clone());
        let mut work = vec![head];
        while let Some(loc) = work.pop() {
            let unknown = reached[loc].clone().expect("only reached locations are worked on");
            if !self.is_inside(program, terms, loc, &unknown, end) {
                continue;
            }
            for &edge in &self.successors[loc] {
                let mut after = unknown.clone();
                self.accesses.writes(edge).iter().for_each(|v| _ = after.remove(v));
                let to = main.edges[edge].to;
                let before = reached[to].clone();
                let joined = before.iter().flatten().copied().chain(after).collect();
                if before.as_ref() != Some(&joined) {
                    reached[to] = Some(joined);
                    work.push(to);
                }
            }
        }
        let mut inside = Table::filled(false, main.locs.len());
        let mut borders = Vec::new();
        for loc in main.locs.ids() {
            let Some(unknown) = &reached[loc] else { continue };
            inside[loc] = self.is_inside(program, terms, loc, unknown, end);
            if !inside[loc] {
                borders.push(loc);
            }
        }
        let edges: Vec<Edge> = main.edges.ids().filter(|e| inside[main.edges[*e].from]).collect();
        let used = |e: &Edge| self.accesses.reads(*e).iter().chain(self.accesses.writes(*e));
        let vars: BTreeSet<Var> = edges.iter().flat_map(used).copied().collect();
        // What is set on some ways only is known nowhere but there.
        let known = |loc: Loc| reached[loc].as_ref().is_none_or(|unknown| unknown.is_disjoint(&vars));
        if edges.is_empty() || !known(head) || !borders.iter().all(|loc| known(*loc)) {
            return None;
        }
        let mut program = program.clone();
        let main = &mut program.functions[program.entry];
        main.entry = head;
        main.edges = edges.iter().map(|e| main.edges[*e].clone()).collect();
        Some(Region { program, head, borders, vars: vars.into_iter().collect() })
    }

    /// Whether execution goes on from `loc` in at most one way, whatever the unknown variables hold.
    fn is_inside(
        &self,
        program: &Program,
        terms: &mut Store,
        loc: Loc,
        unknown: &BTreeSet<Var>,
        end: Option<Loc>,
    ) -> bool {
        let edges = &self.successors[loc];
        let op = |e: &Edge| &program.main().edges[*e].op;
        let runs = |e: &Edge| {
            matches!(op(e), Op::Assume(_) | Op::Assign(_))
                && self.accesses.reads(*e).iter().all(|v| !unknown.contains(v))
        };
        if edges.is_empty() || end == Some(loc) || !edges.iter().all(runs) {
            return false;
        }
        edges.iter().enumerate().all(|(i, a)| {
            edges[i + 1..].iter().all(|b| match (op(a), op(b)) {
                (Op::Assume(a), Op::Assume(b)) => terms.are_exclusive(*a, *b),
                _ => false,
            })
        })
    }
}

impl Region {
    fn run(
        &self,
        terms: &mut Store,
        start: FxHashMap<Var, Value>,
        state: &mut State,
        until: Until,
        deadline: Deadline,
    ) -> Result<Ran, Failure> {
        let entry = self.program.entry;
        let mut locations: Vec<(Func, Loc)> = self.borders.iter().map(|l| (entry, *l)).collect();
        locations.push((entry, self.head));
        let watch = Watch { locations, ..Watch::default() };
        let no_answer = |why: &str| Failure::NoAnswer(format!("a stretch without inputs {why}"));
        let machine = Machine::watching(&self.program, &watch).map_err(|_| no_answer("cannot be compiled"))?;
        let is_word = |v: &Var| matches!(self.program.vars[*v].sort, Sort::Bool | Sort::Bv(1..=64));
        let words: Vec<Var> = self.vars.iter().copied().filter(is_word).collect();
        let last = if let Until::Visit(visit) = until { visit } else { u64::MAX };
        let mut observer = Observer {
            head: self.head,
            vars: &self.vars,
            words,
            last,
            visits: 0,
            mark: None,
            end: None,
            repeats: false,
        };
        let mut inputs = Start { values: start, asked: false };
        let limits = Limits { record: false, deadline: Some(deadline), ..Limits::default() };
        let outcome = machine.run_with(&mut inputs, &limits, &mut std::io::sink(), Some(&mut observer));
        if inputs.asked {
            return Err(no_answer("asks for one"));
        }
        match outcome.ending {
            Ending::Limit(Limit::Watcher) if observer.repeats => return Ok(Ran::Nowhere),
            Ending::Limit(Limit::Watcher) => {}
            Ending::Stuck => return Ok(Ran::Nowhere),
            _ => return Err(no_answer("takes too long")),
        }
        let (loc, values) = observer.end.ok_or_else(|| no_answer("ends in a state that cannot be read"))?;
        for (var, value) in self.vars.iter().zip(values) {
            state.set(*var, Symbolic::of_value(terms, &value));
        }
        Ok(Ran::To(loc, observer.visits))
    }
}

/// What is known at the start.
struct Start {
    values: FxHashMap<Var, Value>,
    asked: bool,
}

impl Inputs for Start {
    fn value(&mut self, ask: &Ask<'_>) -> Value {
        self.asked = true;
        Value::zero(ask.sort)
    }

    fn initial(&mut self, var: Var, sort: Sort) -> Value {
        // What is not known is not read.
        self.values.get(&var).cloned().unwrap_or_else(|| Value::zero(sort))
    }

    fn choose(&mut self, _count: usize) -> usize {
        self.asked = true;
        0
    }
}

/// Watches the head and the borders.
struct Observer<'a> {
    head: Loc,
    vars: &'a [Var],
    /// Those of them that are quickly read: compared first.
    words: Vec<Var>,
    last: u64,
    visits: u64,
    /// What the variables held at the last visit whose number is a power of two.
    mark: Option<Mark>,
    end: Option<(Loc, Vec<Value>)>,
    repeats: bool,
}

impl Watcher for Observer<'_> {
    fn location(&mut self, state: &interpreter::State<'_>, _func: Func, loc: Loc) -> ControlFlow<()> {
        if loc == self.head {
            self.visits += 1;
            let words = || self.words.iter().map(|v| state.word(*v));
            let values = || self.vars.iter().map(|v| state.value(*v));
            if let Some((marked, all)) = &self.mark
                && words().eq(marked.iter().copied())
                && values().eq(all.iter().cloned())
                && all.iter().all(Option::is_some)
            {
                self.repeats = true;
                return ControlFlow::Break(());
            }
            if self.visits < self.last {
                if self.visits.is_power_of_two() {
                    self.mark = Some((words().collect(), values().collect()));
                }
                return ControlFlow::Continue(());
            }
        }
        let values: Option<Vec<Value>> = self.vars.iter().map(|v| state.value(*v)).collect();
        self.end = values.map(|values| (loc, values));
        ControlFlow::Break(())
    }
}

/// Whether `loc` is one of the function's.
pub(super) fn exists(program: &Program, loc: Loc) -> bool {
    loc.index() < program.main().locs.len()
}
