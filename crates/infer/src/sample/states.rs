//! Whole states at loop heads, from one run of a program in which nothing is left open.

use crate::limits::sample::MOST_ROWS;
use cfa::{Loc, Program, Var};
use flow::wto::Wto;
use interpreter::{Ending, Limits, Machine, Outcome, State, Watch, Watcher, Zero};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use term::{Sort, Value};

/// The state at a head: a value for each variable that matters there.
pub type Row = Vec<(Var, Value)>;

/// How a run went.
#[derive(Debug)]
pub struct Run {
    pub ending: Ending,
    /// The first states at each head, in order.
    pub rows: BTreeMap<Loc, Vec<Row>>,
    /// The run came back to a state in which it had been before, and the rows are all states in which it was.
    pub cycle: bool,
}

/// Runs the program, in which nothing is left open, for so many steps.
pub fn run(program: &Program, wto: &Wto, live: &base::Table<Loc, Vec<Var>>, steps: u64) -> Option<Run> {
    let watch = Watch { edges: false, locations: wto.heads().map(|head| (program.entry, head)).collect::<Vec<_>>() };
    let machine = Machine::watching(program, &watch).ok()?;
    let mut visitor = Visitor { live, rows: BTreeMap::new(), seen: BTreeSet::new(), cycle: false, cut: false };
    let limits = Limits { record: false, ..Limits::steps(steps) };
    let Outcome { ending, .. } = machine.run_with(&mut Zero, &limits, &mut std::io::sink(), Some(&mut visitor));
    Some(Run { ending, rows: visitor.rows, cycle: visitor.cycle && !visitor.cut })
}

struct Visitor<'a> {
    live: &'a base::Table<Loc, Vec<Var>>,
    rows: BTreeMap<Loc, Vec<Row>>,
    /// Whole states, arrays included.
    seen: BTreeSet<(Loc, Vec<Option<Value>>)>,
    cycle: bool,
    /// Some head had more states than are kept.
    cut: bool,
}

impl Watcher for Visitor<'_> {
    fn location(&mut self, state: &State<'_>, _: cfa::Func, loc: Loc) -> ControlFlow<()> {
        let live = &self.live[loc];
        let rows = self.rows.entry(loc).or_default();
        if rows.len() < MOST_ROWS {
            let all: Vec<Option<Value>> = live.iter().map(|v| state.value(*v)).collect();
            let known = |(var, value): (&Var, &Option<Value>)| Some((*var, value.clone()?));
            rows.push(live.iter().zip(&all).filter_map(known).collect());
            if !self.seen.insert((loc, all)) {
                self.cycle = true;
                return ControlFlow::Break(());
            }
        } else {
            self.cut = true;
        }
        ControlFlow::Continue(())
    }
}

/// Whether states of this sort are kept as data.
pub fn is_number(sort: Sort) -> bool {
    matches!(sort, Sort::Bv(1..=64))
}
