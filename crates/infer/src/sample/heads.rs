//! Data: states at loop heads, from many short runs of the interpreter on the flat program.
//!
//! Inputs are drawn from several orders of magnitude: small ones pass the usual assumptions and keep arithmetic free of
//! overflow, so that relations show; large ones and values at the edges of types refute what holds for small numbers only.
//! A run that ends at an error location is a counterexample, and the search is over.

use super::cell::Cell;
use super::inputs::{Guesses, constants, trace_of};
use crate::limits::sample::{
    FEW_ROWS, LONG_RUNS, MAX_CHOICES, MAX_NEAR, MAX_ROWS, MAX_RUNS, STEPS_PER_LONG_RUN, STEPS_PER_RUN, VISITS_PER_RUN,
    WANTED_ROWS,
};
use cfa::evidence::Trace;
use cfa::{Loc, Program, Var};
use engine::{Budget, Stop};
use flow::wto::Wto;
use interpreter::{Ask, Ending, Inputs, Limits, Machine, State, Watch, Watcher};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use term::{Bits, Sort, Term, Value};

/// States seen at one loop head: a word for each column.
#[derive(Clone, Debug, Default)]
pub struct Table {
    pub columns: Vec<Var>,
    pub rows: Vec<Vec<u64>>,
    pub seen: FxHashSet<Vec<u64>>,
}

impl Table {
    /// An empty table with the same columns.
    pub fn like(other: &Table) -> Table {
        Table { columns: other.columns.clone(), ..Table::default() }
    }

    /// The values in a row, by the terms of the variables.
    pub fn state(&self, program: &Program, row: &[u64]) -> BTreeMap<Term, Value> {
        let value = |(var, word): (&Var, &u64)| {
            let info = &program.vars[*var];
            let value = match info.sort {
                Sort::Bool => Value::Bool(*word != 0),
                Sort::Bv(width) => Value::Bv(Bits::new(u128::from(*word), width)),
                _ => return None,
            };
            Some((info.term, value))
        };
        self.columns.iter().zip(row).filter_map(value).collect()
    }

    pub fn add(&mut self, row: Vec<u64>) {
        if self.rows.len() < MAX_ROWS && self.seen.insert(row.clone()) {
            self.rows.push(row);
        }
    }
}

/// What the runs showed.
#[derive(Default)]
pub struct Samples {
    pub tables: BTreeMap<Loc, Table>,
    /// A run that reached an error location.
    pub error: Option<Trace>,
}

impl Samples {
    /// Empty tables; `columns` says what to note at each head.
    fn new(columns: BTreeMap<Loc, Vec<Var>>, cell: Option<&Cell>) -> Samples {
        let table = |(head, mut columns): (Loc, Vec<Var>)| {
            columns.retain(|v| cell.is_none_or(|cell| cell.shows(*v)));
            (head, Table { columns, ..Table::default() })
        };
        Samples { tables: columns.into_iter().map(table).collect(), error: None }
    }

    /// The machine that stops by at the heads.
    fn machine<'p>(&self, program: &'p Program) -> Option<Machine<'p>> {
        let locations = self.tables.keys().map(|head| (program.entry, *head)).collect();
        Machine::watching(program, &Watch { edges: false, locations }).ok()
    }

    /// States seen, at all heads.
    pub fn rows(&self) -> usize {
        self.tables.values().map(|t| t.rows.len()).sum()
    }

    /// Rows, as far as more of them matter where there are few.
    fn worth(&self) -> usize {
        self.tables.values().map(|t| t.rows.len().min(FEW_ROWS)).sum()
    }

    /// Executions with inputs that the solver has chosen, and others where it did not care.
    pub fn add_chosen(&mut self, program: &Program, directed: &[DirectedRun], budget: &Budget) -> Result<(), Stop> {
        let Some(machine) = self.machine(program) else { return Ok(()) };
        let constants = constants(program);
        for run_to in directed {
            for run in 0..Guesses::KINDS {
                budget.check()?;
                let mut inputs = Chosen {
                    values: run_to.inputs.iter(),
                    initial: &run_to.initial,
                    then: Guesses::new(run, &constants),
                };
                let limits =
                    Limits { cancel: Some(budget.cancel_flag()), record: true, ..Limits::steps(STEPS_PER_RUN) };
                let mut visitor =
                    Visitor { tables: &mut self.tables, visits: BTreeMap::new(), cells: None, chosen: run };
                let outcome = machine.run_with(&mut inputs, &limits, &mut std::io::sink(), Some(&mut visitor));
                if let Ending::Error(_) = outcome.ending
                    && let Some(trace) = trace_of(program, &outcome)
                {
                    self.error = Some(trace);
                    return Ok(());
                }
            }
        }
        Ok(())
    }
}

/// Runs the program; `columns` says what to note at each head. If it follows a cell, the program with the arrays is run, and
/// its states are looked at with several choices of the cell.
pub fn sample(
    program: &Program,
    columns: BTreeMap<Loc, Vec<Var>>,
    cell: Option<&Cell>,
    budget: &Budget,
) -> Result<Samples, Stop> {
    let cells = cell.map(|cell| (cell, program));
    let program = cell.map_or(program, |cell| &cell.original);
    let mut samples = Samples::new(columns, cell);
    let Some(machine) = samples.machine(program) else { return Ok(samples) };
    let constants = constants(program);
    let mut long = 0;
    for run in 0..MAX_RUNS {
        budget.check()?;
        let mut inputs = Guesses::new(run, &constants);
        // Where no run has come yet, a few long ones may.
        let unseen = samples.tables.values().any(|t| t.rows.len() < FEW_ROWS);
        // What is in cells is told by many runs only: all states of one have the same array.
        let wanted = if cell.is_some() { LONG_RUNS / 2 } else { 0 };
        let is_long = run >= Guesses::KINDS && (unseen && long < LONG_RUNS || long < wanted);
        let before = samples.worth();
        let steps = if is_long { STEPS_PER_LONG_RUN } else { STEPS_PER_RUN };
        let limits = Limits { cancel: Some(budget.cancel_flag()), record: !is_long, ..Limits::steps(steps) };
        let chosen = run % Guesses::KINDS;
        let mut visitor = Visitor { tables: &mut samples.tables, visits: BTreeMap::new(), cells, chosen };
        let outcome = machine.run_with(&mut inputs, &limits, &mut std::io::sink(), Some(&mut visitor));
        if is_long {
            // One that brings nothing counts for several.
            long += if samples.worth() > before { 1 } else { 4 };
        }
        if let Ending::Error(_) = outcome.ending
            && !is_long
            && let Some(trace) = trace_of(program, &outcome)
        {
            samples.error = Some(trace);
            break;
        }
        if run >= 3 * Guesses::KINDS && samples.tables.values().all(|t| t.rows.len() >= WANTED_ROWS) {
            break;
        }
        // A program without inputs has one execution only.
        if outcome.inputs.is_empty() && run >= 2 && !is_long && !unseen {
            break;
        }
    }
    Ok(samples)
}

/// Inputs that take a certain path: values where they matter.
pub struct DirectedRun {
    pub inputs: Vec<Option<Value>>,
    pub initial: BTreeMap<Var, Value>,
}

/// The inputs of a directed run, then anything.
struct Chosen<'a> {
    values: std::slice::Iter<'a, Option<Value>>,
    initial: &'a BTreeMap<Var, Value>,
    then: Guesses<'a>,
}

impl Inputs for Chosen<'_> {
    fn value(&mut self, ask: &Ask<'_>) -> Value {
        self.values.next().cloned().flatten().unwrap_or_else(|| self.then.of_sort(ask.sort))
    }

    fn initial(&mut self, var: Var, sort: Sort) -> Value {
        self.initial.get(&var).cloned().unwrap_or_else(|| self.then.of_sort(sort))
    }

    fn choose(&mut self, count: usize) -> usize {
        self.then.choose(count)
    }
}

struct Visitor<'a> {
    tables: &'a mut BTreeMap<Loc, Table>,
    visits: BTreeMap<Loc, u32>,
    /// The cells that are looked at, and the program that follows them.
    cells: Option<(&'a Cell, &'a Program)>,
    /// A value for ghosts in this run.
    chosen: u64,
}

impl Visitor<'_> {
    /// The row of a state, with the ghosts as chosen, if there are any.
    fn row(&self, state: &State<'_>, columns: &[Var], ghosts: &[u64]) -> Option<Vec<u64>> {
        let Some((cell, program)) = self.cells else { return columns.iter().map(|var| state.word(*var)).collect() };
        let mut values: BTreeMap<Term, Value> = BTreeMap::new();
        for (ghost, word) in cell.ghosts.iter().zip(ghosts) {
            let width = program.vars[ghost.var].sort.bv_width()?;
            values.insert(program.term(ghost.var), Value::Bv(Bits::new(u128::from(*word), width)));
        }
        let word = |var: &Var| {
            if let Some(at) = cell.ghosts.iter().position(|ghost| ghost.var == *var) {
                return Some(ghosts[at]);
            }
            match cell.contents.iter().find(|content| content.var == *var) {
                Some(content) => match term::eval(&program.terms, content.at, &values) {
                    Ok(Value::Bv(index)) => state.element(content.array, index.to_u64()?),
                    _ => None,
                },
                None => state.word(*var),
            }
        };
        columns.iter().map(word).collect()
    }

    /// Choices of ghosts to look at: one that stays, and those near the variables, where loops are.
    fn choices(&self, state: &State<'_>, columns: &[Var]) -> Vec<Vec<u64>> {
        let mut choices = vec![Vec::new()];
        let Some((cell, program)) = self.cells else { return choices };
        let mut near = vec![self.chosen];
        for var in columns.iter().filter(|v| !cell.is_ghost(**v) && !cell.is_content(**v)).take(MAX_NEAR) {
            if let Some(word) = state.word(*var) {
                near.extend([word, word.wrapping_sub(1), word / 2]);
            }
        }
        for ghost in &cell.ghosts {
            let mask = program.vars[ghost.var].sort.bv_width().map_or(0, |width| u64::MAX >> (64 - width.clamp(1, 64)));
            let mut values: Vec<u64> = near.iter().map(|word| word & mask).collect();
            values.sort_unstable();
            values.dedup();
            let longer = |choice: &Vec<u64>| {
                let choice = choice.clone();
                values.iter().map(move |value| [&choice[..], &[*value]].concat()).collect::<Vec<_>>()
            };
            choices = choices.iter().flat_map(longer).take(MAX_CHOICES).collect();
        }
        choices
    }
}

impl Watcher for Visitor<'_> {
    fn location(&mut self, state: &State<'_>, _: cfa::Func, loc: Loc) -> ControlFlow<()> {
        let Some(table) = self.tables.get(&loc) else { return ControlFlow::Continue(()) };
        let visits = self.visits.entry(loc).or_default();
        *visits += 1;
        // Early visits one by one, later ones more and more rarely.
        if *visits <= VISITS_PER_RUN || visits.is_power_of_two() {
            let columns = table.columns.clone();
            let rows: Vec<_> =
                self.choices(state, &columns).iter().map(|ghosts| self.row(state, &columns, ghosts)).collect();
            if let Some(table) = self.tables.get_mut(&loc) {
                rows.into_iter().flatten().for_each(|row| table.add(row));
            }
        }
        ControlFlow::Continue(())
    }
}

/// The variables that are live at each loop head and fit a word.
pub fn live_words(program: &Program, wto: &Wto) -> BTreeMap<Loc, Vec<Var>> {
    let live = flow::live_at_heads(program, wto);
    let fits = |var: &Var| matches!(program.vars[*var].sort, Sort::Bool | Sort::Bv(..=64));
    let words = |head: Loc| {
        let mut vars: Vec<Var> = live[head].iter().copied().filter(fits).collect();
        vars.sort_unstable();
        (head, vars)
    };
    wto.heads().map(words).collect()
}
