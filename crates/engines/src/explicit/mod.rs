//! Explicit-state search (Holzmann's SPIN and its kin): from every state that was seen at a loop head, with every input that
//! the program tells apart, breadth first.
//!
//! A reactive program reads an input, goes through a long list of cases, changes some variables and starts again. Its bugs lie
//! ten or twenty inputs deep, where paths are too many to be walked one by one; but most of them meet in the same states. So
//! states are kept, each once, with the inputs that led there, and the interpreter goes on from them. Inputs are those that
//! the program compares with something ([`alternatives`]) and one other. It proves nothing: other inputs were not tried.

mod alternatives;

use crate::limits::explicit::TOLD_EVERY;
use alternatives::Alternatives;
use base::Table;
use cfa::{Func, Loc, Program, Var};
use engine::{Cx, Engine, Event, Evidence, Stop, Task, Verdict, Why};
use flow::liveness::live_at_heads;
use flow::wto::Wto;
use indexmap::IndexSet;
use infer::sample::trace_of;
use interpreter::{Ask, Ending, Inputs, Limits, Machine, Start, State, Watch, Watcher};
use rustc_hash::FxBuildHasher;
use std::cell::Cell;
use std::ops::ControlFlow;
use term::{Bits, Sort, Value};

#[derive(Default)]
pub struct ExplicitStates {
    pub settings: Settings,
}

/// How far the search goes.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Words of all states together: 256 MB by default.
    pub words: usize,
    /// Executions from one state: where many inputs are read between two loop heads, their combinations are without end.
    pub executions: usize,
    /// Steps between two loop heads at which inputs were read.
    pub steps: u64,
    /// Values that are tried of one input: more would hide those of the others.
    pub alternatives: usize,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { words: 1 << 25, executions: 4096, steps: 1 << 18, alternatives: 24 }
    }
}

impl Engine for ExplicitStates {
    fn name(&self) -> &'static str {
        "explicit"
    }

    fn run(&mut self, task: &Task, cx: &mut Cx) -> Verdict {
        search(&task.program, self.settings, cx).unwrap_or_else(|stop| Verdict::Unknown(stop.into()))
    }
}

fn gave_up(why: &str) -> Verdict {
    Verdict::Unknown(Why::GaveUp(why.into()))
}

fn is_word(sort: Sort) -> bool {
    match sort {
        Sort::Bool => true,
        Sort::Bv(width) => width <= 64,
        _ => false,
    }
}

fn search(program: &Program, settings: Settings, cx: &mut Cx) -> Result<Verdict, Stop> {
    let wto = Wto::new(program.main());
    let live = live_at_heads(program, &wto);
    if wto.heads().any(|head| live[head].iter().any(|v| !is_word(program.vars[*v].sort))) {
        return Ok(gave_up("loops go over arrays or floats"));
    }
    let watch = Watch { edges: false, locations: wto.heads().map(|head| (program.entry, head)).collect() };
    let Ok(machine) = Machine::watching(program, &watch) else {
        return Ok(gave_up("the program cannot be executed"));
    };
    let alternatives = Alternatives::of(program, settings.alternatives);
    let search = Search { program, settings, machine, live, alternatives };
    let mut seen = Seen::default();
    if let Some(verdict) = search.expand(None, &mut seen, cx)? {
        return Ok(verdict);
    }
    let mut next = 0;
    while next < seen.states.len() {
        if let Some(verdict) = search.expand(Some(next), &mut seen, cx)? {
            return Ok(verdict);
        }
        if seen.words > settings.words {
            return Ok(gave_up("too many states"));
        }
        next += 1;
        if next.is_multiple_of(TOLD_EVERY) {
            cx.tell(Event::Note(format!("executions from {next} of {} states", seen.states.len())));
        }
    }
    Ok(gave_up("no error with the inputs that the program compares with something"))
}

/// The states so far, in the order in which they were seen, and how each was reached.
#[derive(Default)]
struct Seen {
    states: IndexSet<(Loc, Box<[u64]>), FxBuildHasher>,
    /// The state from which the execution started, and the inputs that it was given.
    ways: Vec<(Option<usize>, Box<[u64]>)>,
    words: usize,
}

impl Seen {
    fn add(&mut self, state: (Loc, Box<[u64]>), from: Option<usize>, given: &[u64]) {
        let words = state.1.len() + given.len();
        if self.states.insert(state) {
            self.ways.push((from, given.into()));
            self.words += words;
        }
    }

    /// All inputs from the start of the program.
    fn inputs(&self, from: Option<usize>, given: &[u64]) -> Vec<u64> {
        let mut parts = vec![given];
        let mut at = from;
        while let Some((before, given)) = at.map(|state| &self.ways[state]) {
            parts.push(given);
            at = *before;
        }
        parts.into_iter().rev().flatten().copied().collect()
    }
}

struct Search<'p> {
    program: &'p Program,
    settings: Settings,
    machine: Machine<'p>,
    live: Table<Loc, Vec<Var>>,
    alternatives: Alternatives,
}

impl Search<'_> {
    /// All executions from a state (`None`: from the start) to the next loop heads after an input. They are told apart by
    /// which alternative was picked at each input; the next one differs from the last in the last input that has one more.
    fn expand(&self, from: Option<usize>, seen: &mut Seen, cx: &mut Cx) -> Result<Option<Verdict>, Stop> {
        let limits =
            Limits { cancel: Some(cx.budget.cancel_flag()), record: false, ..Limits::steps(self.settings.steps) };
        let mut picks: Vec<usize> = Vec::new();
        for _ in 0..self.settings.executions {
            cx.budget.check()?;
            let asked = Cell::new(0);
            let mut inputs =
                Picked { picks: &picks, counts: Vec::new(), given: Vec::new(), search: self, asked: &asked };
            let mut arrival = Arrival { live: &self.live, asked: &asked, state: None };
            let outcome = match from.and_then(|state| seen.states.get_index(state)) {
                Some((head, words)) => {
                    let start = Start { location: *head, variables: &self.live[*head], words };
                    self.machine.run_from(&start, &mut inputs, &limits, Some(&mut arrival))
                }
                None => self.machine.run_with(&mut inputs, &limits, &mut std::io::sink(), Some(&mut arrival)),
            };
            if let Ending::Error(_) = outcome.ending
                && let Some(found) = self.counterexample(seen.inputs(from, &inputs.given))
            {
                return Ok(Some(found));
            }
            let Picked { counts, given, .. } = inputs;
            if let Some(state) = arrival.state {
                seen.add(state, from, &given);
            }
            // On to the next combination.
            picks.resize(counts.len(), 0);
            while let Some(last) = picks.last_mut() {
                *last += 1;
                if *last < counts[picks.len() - 1] {
                    break;
                }
                picks.pop();
            }
            if picks.is_empty() {
                break;
            }
        }
        Ok(None)
    }

    /// The execution with these inputs, recorded from the start.
    fn counterexample(&self, inputs: Vec<u64>) -> Option<Verdict> {
        let steps = self.settings.steps * (inputs.len() as u64 + 1);
        let outcome = self.machine.run(&mut Tape(inputs.into_iter()), &Limits::steps(steps));
        if !matches!(outcome.ending, Ending::Error(_)) {
            return None;
        }
        trace_of(self.program, &outcome).map(|trace| Verdict::Unsafe(Evidence::Trace(trace)))
    }
}

fn value(word: u64, sort: Sort) -> Value {
    match sort {
        Sort::Bool => Value::Bool(word != 0),
        Sort::Bv(width) if width <= 64 => Value::Bv(Bits::new(u128::from(word), width)),
        other => Value::zero(other),
    }
}

/// Inputs by the number of the alternative.
struct Picked<'a> {
    picks: &'a [usize],
    /// Of how many.
    counts: Vec<usize>,
    given: Vec<u64>,
    search: &'a Search<'a>,
    asked: &'a Cell<usize>,
}

impl Inputs for Picked<'_> {
    fn value(&mut self, ask: &Ask<'_>) -> Value {
        let alternatives = match ask.var {
            Some(var) if is_word(ask.sort) => self.search.alternatives.at(var),
            _ => &[0],
        };
        let pick = self.picks.get(self.counts.len()).copied().unwrap_or(0);
        self.counts.push(alternatives.len());
        self.given.push(alternatives[pick]);
        self.asked.set(self.given.len());
        value(alternatives[pick], ask.sort)
    }
}

/// Inputs one after the other.
struct Tape(std::vec::IntoIter<u64>);

impl Inputs for Tape {
    fn value(&mut self, ask: &Ask<'_>) -> Value {
        value(self.0.next().unwrap_or(0), ask.sort)
    }
}

/// Ends the execution at the first loop head after an input, and keeps the state.
struct Arrival<'a> {
    live: &'a Table<Loc, Vec<Var>>,
    asked: &'a Cell<usize>,
    state: Option<(Loc, Box<[u64]>)>,
}

impl Watcher for Arrival<'_> {
    fn location(&mut self, state: &State<'_>, _: Func, head: Loc) -> ControlFlow<()> {
        if self.asked.get() == 0 {
            return ControlFlow::Continue(());
        }
        let words = self.live[head].iter().map(|v| state.word(*v).unwrap_or(0)).collect();
        self.state = Some((head, words));
        ControlFlow::Break(())
    }
}
