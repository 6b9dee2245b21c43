//! Data: states at loop heads, from many short runs of the interpreter on the flat program.
//!
//! Inputs are drawn from several orders of magnitude: small ones pass the usual assumptions and keep arithmetic free of
//! overflow, so that relations show; large ones and values at the edges of types refute what holds for small numbers only.
//! A run that ends at an error location is a counterexample, and the search is over.

use crate::runs::{Guesses, constants, trace_of};
use cfa::interp::{Ending, Limits, Machine, State, Watch, Watcher};
use cfa::{Loc, Program, Var};
use engine::{Budget, Stop, Trace};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// States seen at one loop head: a word for each column.
#[derive(Clone, Debug, Default)]
pub(super) struct Table {
    pub(super) columns: Vec<Var>,
    pub(super) rows: Vec<Vec<u64>>,
    seen: FxHashSet<Vec<u64>>,
}

impl Table {
    /// An empty table with the same columns.
    pub(super) fn like(other: &Table) -> Table {
        Table { columns: other.columns.clone(), ..Table::default() }
    }

    fn add(&mut self, row: Vec<u64>) {
        if self.rows.len() < MAX_ROWS && self.seen.insert(row.clone()) {
            self.rows.push(row);
        }
    }
}

/// What the runs showed.
pub(super) struct Samples {
    pub(super) tables: BTreeMap<Loc, Table>,
    /// A run that reached an error location.
    pub(super) error: Option<Trace>,
}

const MAX_ROWS: usize = 3000;
/// Enough rows at every head to look for relations among hundreds of monomials.
const WANTED_ROWS: usize = 1200;
const MAX_RUNS: u64 = 600;
const STEPS_PER_RUN: u64 = 4000;
const VISITS_PER_RUN: u32 = 60;

/// Runs the program; `columns` says what to note at each head.
pub(super) fn sample(program: &Program, columns: BTreeMap<Loc, Vec<Var>>, budget: &Budget) -> Result<Samples, Stop> {
    let watch = Watch { edges: false, locations: columns.keys().map(|head| (program.entry, *head)).collect() };
    let mut samples = Samples {
        tables: columns.into_iter().map(|(head, columns)| (head, Table { columns, ..Table::default() })).collect(),
        error: None,
    };
    let Ok(machine) = Machine::watching(program, &watch) else { return Ok(samples) };
    let constants = constants(program);
    for run in 0..MAX_RUNS {
        budget.check()?;
        let mut inputs = Guesses::new(run, &constants);
        let limits = Limits { cancel: Some(budget.cancel_flag()), ..Limits::steps(STEPS_PER_RUN) };
        let mut visitor = Visitor { tables: &mut samples.tables, visits: BTreeMap::new() };
        let outcome = machine.run_with(&mut inputs, &limits, &mut std::io::sink(), Some(&mut visitor));
        if let Ending::Error(_) = outcome.ending
            && let Some(trace) = trace_of(program, &outcome)
        {
            samples.error = Some(trace);
            break;
        }
        if run >= 3 * Guesses::KINDS && samples.tables.values().all(|t| t.rows.len() >= WANTED_ROWS) {
            break;
        }
        // A program without inputs has one execution only.
        if outcome.inputs.is_empty() && run >= 2 {
            break;
        }
    }
    Ok(samples)
}

struct Visitor<'a> {
    tables: &'a mut BTreeMap<Loc, Table>,
    visits: BTreeMap<Loc, u32>,
}

impl Watcher for Visitor<'_> {
    fn location(&mut self, state: &State<'_>, _: cfa::Func, loc: Loc) -> ControlFlow<()> {
        let Some(table) = self.tables.get_mut(&loc) else { return ControlFlow::Continue(()) };
        let visits = self.visits.entry(loc).or_default();
        *visits += 1;
        // Early visits one by one, later ones more and more rarely.
        if *visits <= VISITS_PER_RUN || visits.is_power_of_two() {
            let row: Option<Vec<u64>> = table.columns.iter().map(|v| state.word(*v)).collect();
            if let Some(row) = row {
                table.add(row);
            }
        }
        ControlFlow::Continue(())
    }
}
