//! Concrete stretches of a path are run by the interpreter: compiled code instead of terms.
//!
//! At a loop head some variables have constant values. The *region* of that head is the part of the automaton that can be
//! run from there knowing only those: its edges read known variables, take no input and leave no choice. If the region
//! holds a way back to the head, the interpreter runs it until it leaves the region; the path goes on there with the new
//! constants. A run that comes back to a state it was in before never ends, and with it the path.

use crate::limits::se::{LARGE_ARRAY, MAX_VISITS, WORTHWHILE};
use base::Table;
use cfa::{Edge, Func, Loc, Op, Program, Var};
use encode::State;
use engine::{Budget, Cx};
use flow::{Accesses, CallGraph, GlobalEffects, TermVars};
use interpreter::{Ending, Inputs, Limit, Limits, Machine, Watch, Watcher};
use rustc_hash::FxHashMap;
use std::ops::ControlFlow;
use std::rc::Rc;
use term::{Sort, Store, Value};

/// How a concrete stretch ended.
pub(super) enum Ran {
    /// The path goes on there: at the head after so many visits, or elsewhere.
    To { loc: Loc, visits: u64 },
    /// No execution goes on.
    Nowhere,
}

/// The regions found so far.
pub(super) struct Concrete {
    accesses: Accesses,
    /// Locations where execution goes on in at most one way, and takes no input there.
    one_way: Table<Loc, bool>,
    /// By head and known variables; `None`: nothing to gain.
    regions: FxHashMap<(Loc, Vec<bool>), Option<Rc<Region>>>,
    /// How often paths must come to a head before the next try there, and how often they have since the last one.
    patience: Table<Loc, u32>,
    visits: Table<Loc, u32>,
}

struct Region {
    /// The automaton cut down to the region: it starts at the head and ends where the region does.
    program: Program,
    /// Where the region ends.
    borders: Vec<Loc>,
    /// Read or written in the region: known at the head, and wherever it is left.
    vars: Vec<Var>,
}

impl Concrete {
    pub(super) fn new(program: &Program, terms: &mut Store) -> Concrete {
        let effects = GlobalEffects::of(program, &CallGraph::of(program));
        let accesses = Accesses::of(program, program.main(), &effects, &mut TermVars::of(program));
        let locs = program.main().locs.len();
        let (patience, visits) = (Table::filled(WORTHWHILE, locs), Table::filled(0, locs));
        let one_way = program.main().successors().values().map(|edges| is_one_way(program, terms, edges)).collect();
        Concrete { accesses, one_way, regions: FxHashMap::default(), patience, visits }
    }

    /// Runs the concrete stretch that starts at `head`, if there is one, and brings `state` to its end.
    pub(super) fn run(&mut self, program: &Program, cx: &mut Cx, head: Loc, state: &mut State) -> Option<Ran> {
        self.visits[head] += 1;
        if self.visits[head] < self.patience[head] {
            return None;
        }
        self.visits[head] = 0;
        self.patience[head] = self.patience[head].saturating_mul(2);
        let known: Vec<bool> =
            self.accesses.vars().iter().map(|v| state.get(*v).constant(&cx.terms, LARGE_ARRAY).is_some()).collect();
        let region = match self.regions.get(&(head, known.clone())) {
            Some(region) => region.clone(),
            None => {
                let region = self.find(program, head, &known).map(Rc::new);
                self.regions.insert((head, known), region.clone());
                region
            }
        };
        let ran = region?.run(&mut cx.terms, &cx.budget, head, state)?;
        self.patience[head] = WORTHWHILE;
        Some(ran)
    }

    /// The region of `head`, if it has a way back there.
    fn find(&self, program: &Program, head: Loc, known: &[bool]) -> Option<Region> {
        let accesses = &self.accesses;
        let main = program.main();
        let successors = main.successors();
        // What is known at each location that is reached so far: on every way there.
        let mut known_at: Table<Loc, Option<Vec<bool>>> = Table::filled(None, main.locs.len());
        known_at[head] = Some(known.to_vec());
        let mut work = vec![head];
        while let Some(loc) = work.pop() {
            let Some(known) = known_at[loc].clone() else { continue };
            if !self.is_inside(loc, &successors[loc], &known) {
                continue;
            }
            for &edge in &successors[loc] {
                let mut after = known.clone();
                accesses.writes(edge).iter().for_each(|v| after[accesses.slot(*v)] = true);
                let to = main.edges[edge].to;
                let met = match &known_at[to] {
                    None => after,
                    Some(before) => before.iter().zip(&after).map(|(a, b)| *a && *b).collect(),
                };
                if known_at[to].as_ref() != Some(&met) {
                    known_at[to] = Some(met);
                    work.push(to);
                }
            }
        }
        let reached = |loc: Loc| known_at[loc].as_ref();
        let inside = |loc: Loc| reached(loc).is_some_and(|k| self.is_inside(loc, &successors[loc], k));
        let edges: Vec<Edge> = main.edges.ids().filter(|e| inside(main.edges[*e].from)).collect();
        if !edges.iter().any(|e| main.edges[*e].to == head) {
            return None;
        }
        let borders: Vec<Loc> = main.locs.ids().filter(|l| reached(*l).is_some() && !inside(*l)).collect();
        let mut vars: Vec<Var> =
            edges.iter().flat_map(|e| accesses.reads(*e).iter().chain(accesses.writes(*e))).copied().collect();
        vars.sort_unstable();
        vars.dedup();
        // Where a variable is set on some ways only, its value there would be one of two.
        let definite = |loc: Loc| reached(loc).is_none_or(|k| vars.iter().all(|v| k[accesses.slot(*v)]));
        if !definite(head) || !borders.iter().all(|l| definite(*l)) {
            return None;
        }
        let mut program = program.clone();
        let main = &mut program.functions[program.entry];
        main.entry = head;
        main.edges = edges.iter().map(|e| main.edges[*e].clone()).collect();
        Some(Region { program, borders, vars })
    }

    /// Whether execution goes on from a location in exactly one way, knowing these variables.
    fn is_inside(&self, loc: Loc, edges: &[Edge], known: &[bool]) -> bool {
        let runs = |e: &Edge| self.accesses.reads(*e).iter().all(|v| known[self.accesses.slot(*v)]);
        self.one_way[loc] && edges.iter().all(runs)
    }
}

impl Region {
    /// `None`: the result cannot be carried back.
    fn run(&self, terms: &mut Store, budget: &Budget, head: Loc, state: &mut State) -> Option<Ran> {
        let entry = self.program.entry;
        let mut locations: Vec<(Func, Loc)> = self.borders.iter().map(|l| (entry, *l)).collect();
        locations.push((entry, head));
        let watch = Watch { locations, ..Watch::default() };
        let machine = Machine::watching(&self.program, &watch).ok()?;
        let values = |v: Var| state.get(v).constant(terms, LARGE_ARRAY);
        let start: FxHashMap<Var, Value> = self.vars.iter().map(|v| Some((*v, values(*v)?))).collect::<Option<_>>()?;
        let words: Vec<Var> = self.vars.iter().copied().filter(|v| is_word(self.program.vars[*v].sort)).collect();
        let mut watcher =
            Observer { head, vars: &self.vars, words: &words, visits: 0, mark: None, end: None, endless: false };
        let limits = Limits { record: false, cancel: Some(budget.cancel_flag()), ..Limits::default() };
        let outcome = machine.run_with(&mut Start(start), &limits, &mut std::io::sink(), Some(&mut watcher));
        match outcome.ending {
            Ending::Limit(Limit::Watcher) if watcher.endless => return Some(Ran::Nowhere),
            Ending::Limit(Limit::Watcher) => {}
            // An assumption does not hold.
            Ending::Stuck => return Some(Ran::Nowhere),
            // Stopped from outside, or by a limit of the interpreter: nothing is known.
            _ => return None,
        }
        let (loc, values) = watcher.end?;
        // All or nothing: a state that is half of before and half of after is of no execution.
        if values.iter().any(|value| value.as_array().is_some_and(|a| a.entries().len() > LARGE_ARRAY)) {
            return None;
        }
        for (var, value) in self.vars.iter().zip(values) {
            state.set(*var, encode::Value::constant_of(terms, &value));
        }
        Some(Ran::To { loc, visits: watcher.visits })
    }
}

/// Whether at most one of the edges out of a location can be taken, and none takes input.
fn is_one_way(program: &Program, terms: &mut Store, edges: &[Edge]) -> bool {
    let op = |e: &Edge| &program.main().edges[*e].op;
    let exclusive = |terms: &mut Store, a: &Edge, b: &Edge| match (op(a), op(b)) {
        (Op::Assume(a), Op::Assume(b)) => terms.are_exclusive(*a, *b),
        _ => false,
    };
    let all_exclusive = edges.iter().enumerate().all(|(i, a)| edges[i + 1..].iter().all(|b| exclusive(terms, a, b)));
    !edges.is_empty() && all_exclusive && !edges.iter().any(|e| matches!(op(e), Op::Havoc { .. }))
}

fn is_word(sort: Sort) -> bool {
    matches!(sort, Sort::Bool | Sort::Bv(1..=64))
}

/// The values that a region starts with.
struct Start(FxHashMap<Var, Value>);

impl Inputs for Start {
    fn value(&mut self, ask: &interpreter::Ask<'_>) -> Value {
        // A region takes no input.
        Value::zero(ask.sort)
    }

    fn initial(&mut self, var: Var, sort: Sort) -> Value {
        self.0.get(&var).cloned().unwrap_or_else(|| Value::zero(sort))
    }
}

/// The words and all values of the region's variables at some visit.
type Mark = (Vec<Option<u64>>, Vec<Option<Value>>);

/// Watches the head and the borders of a region.
struct Observer<'a> {
    head: Loc,
    vars: &'a [Var],
    /// Those of them that fit a word: compared first.
    words: &'a [Var],
    visits: u64,
    /// The state at the last visit whose number was a power of two: an endless run comes back to one of them.
    mark: Option<Mark>,
    end: Option<(Loc, Vec<Value>)>,
    endless: bool,
}

impl Observer<'_> {
    fn words<'s>(&'s self, state: &'s interpreter::State<'_>) -> impl Iterator<Item = Option<u64>> + 's {
        self.words.iter().map(|v| state.word(*v))
    }

    fn values<'s>(&'s self, state: &'s interpreter::State<'_>) -> impl Iterator<Item = Option<Value>> + 's {
        self.vars.iter().map(|v| state.value(*v))
    }
}

impl Watcher for Observer<'_> {
    fn location(&mut self, state: &interpreter::State<'_>, _func: Func, loc: Loc) -> ControlFlow<()> {
        if loc == self.head {
            self.visits += 1;
            if let Some((words, values)) = &self.mark
                && self.words(state).eq(words.iter().copied())
                && self.values(state).eq(values.iter().cloned())
            {
                self.endless = true;
                return ControlFlow::Break(());
            }
            if self.visits.is_power_of_two() {
                self.mark = Some((self.words(state).collect(), self.values(state).collect()));
            }
            if self.visits <= MAX_VISITS {
                return ControlFlow::Continue(());
            }
        }
        self.end = self.values(state).collect::<Option<Vec<Value>>>().map(|values| (loc, values));
        ControlFlow::Break(())
    }
}
