//! Data: states at loop heads, from many short runs of the interpreter on the flat program.
//!
//! Inputs are drawn from several orders of magnitude: small ones pass the usual assumptions and keep arithmetic free of
//! overflow, so that relations show; large ones and values at the edges of types refute what holds for small numbers only.
//! A run that ends at an error location is a counterexample, and the search is over.

use cfa::interp::{Ask, Ending, Given, Inputs, Limits, Machine, Outcome, Random, State, Watch, Watcher};
use cfa::{Loc, Op, Program, Var};
use engine::{Budget, Stop, Trace};
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use term::{Bits, Sort, Value};

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
        let mut inputs =
            Guesses { random: Random::new(run), scale: SCALES[run as usize % SCALES.len()], constants: &constants };
        let limits = Limits { cancel: Some(budget.cancel_flag()), ..Limits::steps(STEPS_PER_RUN) };
        let mut visitor = Visitor { tables: &mut samples.tables, visits: BTreeMap::new() };
        let outcome = machine.run_with(&mut inputs, &limits, &mut std::io::sink(), Some(&mut visitor));
        if let Ending::Error(_) = outcome.ending
            && let Some(trace) = trace_of(program, &outcome)
        {
            samples.error = Some(trace);
            break;
        }
        if run >= 3 * SCALES.len() as u64 && samples.tables.values().all(|t| t.rows.len() >= WANTED_ROWS) {
            break;
        }
        // A program without inputs has one execution only.
        if outcome.inputs.is_empty() && run >= 2 {
            break;
        }
    }
    Ok(samples)
}

/// The inputs of a run as a trace. `None` where a choice between enabled edges was made: traces cannot say which.
fn trace_of(program: &Program, outcome: &Outcome) -> Option<Trace> {
    let mut inputs: Vec<(cfa::Edge, Vec<Value>)> = Vec::new();
    for recorded in &outcome.inputs {
        let Given::Value(value) = &recorded.given else { return None };
        let Op::Havoc { vars, .. } = &program.main().edges[recorded.edge].op else { return None };
        match inputs.last_mut() {
            Some((edge, values)) if *edge == recorded.edge && values.len() < vars.len() => values.push(value.clone()),
            _ => inputs.push((recorded.edge, vec![value.clone()])),
        }
    }
    Some(Trace { target: outcome.location.1, inputs, initial: outcome.initial.iter().cloned().collect() })
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

/// How large inputs are in a run: below the number, or anything.
const SCALES: [u64; 12] = [3, 8, 20, 50, 8, 120, 0, 20, 1000, 50, 70_000, 120];

struct Guesses<'a> {
    random: Random,
    scale: u64,
    constants: &'a [u64],
}

impl Guesses<'_> {
    fn bits(&mut self, width: u32) -> u128 {
        let dice = self.random.next_u64();
        if self.scale == 0 {
            return self.random.bits(width);
        }
        let mask = u128::MAX >> (128 - width.min(128));
        let small = u128::from((dice >> 8) % (self.scale + 1));
        let value = match dice % 16 {
            0 => small.wrapping_neg(),
            1 if !self.constants.is_empty() => {
                let constant = self.constants[(dice >> 8) as usize % self.constants.len()];
                u128::from(constant).wrapping_add(u128::from((dice >> 40) % 3)).wrapping_sub(1)
            }
            2 if self.scale > 200 => return self.random.bits(width),
            _ => small,
        };
        value & mask
    }

    fn of_sort(&mut self, sort: Sort) -> Value {
        match sort {
            Sort::Bv(width) => Value::Bv(Bits::new(self.bits(width), width)),
            other => self.random.of_sort(other),
        }
    }
}

impl Inputs for Guesses<'_> {
    fn value(&mut self, ask: &Ask<'_>) -> Value {
        self.of_sort(ask.sort)
    }

    fn initial(&mut self, _: Var, sort: Sort) -> Value {
        self.of_sort(sort)
    }

    fn choose(&mut self, count: usize) -> usize {
        (self.random.next_u64() % count as u64) as usize
    }
}

/// The constants of the program: inputs near them take other branches.
fn constants(program: &Program) -> Vec<u64> {
    let roots: Vec<term::Term> = program.main().edges.values().flat_map(|e| e.op.terms()).collect();
    let found: BTreeSet<u64> = term::walk::postorder(&program.terms, &roots)
        .into_iter()
        .filter_map(|t| program.terms.as_bv_const(t)?.to_u64())
        .collect();
    found.into_iter().collect()
}
