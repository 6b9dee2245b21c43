//! Runs: what the interpreter sees when a strategy is followed for a while.
//!
//! A run that ends elsewhere than it should refutes the strategy before any solver is asked; the states at loop heads are
//! the data that invariants are learned from. Since a deep error is out of reach, the same strategy is also run on the
//! program with its large constants made small: what leads to the error there probably does so in the program itself.

use cfa::{Loc, Op, Program, Var};
use flow::wto::Wto;
use interpreter::{Ask, Ending, Inputs, Limits, Machine, Outcome, State, Watch, Watcher};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use term::subst::Substitution;
use term::{Bits, Sort, Store, Term, Value};

/// The state at a head: a value for each variable that matters there.
pub(crate) type Row = Vec<(Var, Value)>;

/// How a run went.
#[derive(Debug)]
pub(crate) struct Run {
    pub ending: Ending,
    /// The first states at each head, in order.
    pub rows: BTreeMap<Loc, Vec<Row>>,
    /// The run came back to a state in which it had been before, and the rows are all states in which it was.
    pub cycle: bool,
}

/// Edges in a run, and states that are kept of each head.
pub(crate) const STEPS: u64 = 4_000;
/// In the run of a strategy that is known to come back to a state.
pub(crate) const MANY_STEPS: u64 = 100_000;
pub(crate) const MOST_ROWS: usize = 160;

/// Runs the program, in which nothing is left open, for so many steps.
pub(crate) fn run(program: &Program, wto: &Wto, live: &base::Table<Loc, Vec<Var>>, steps: u64) -> Option<Run> {
    let watch = Watch { edges: false, locations: wto.heads().map(|head| (program.entry, head)).collect::<Vec<_>>() };
    let machine = Machine::watching(program, &watch).ok()?;
    let mut visitor = Visitor { live, rows: BTreeMap::new(), seen: BTreeSet::new(), cycle: false, cut: false };
    let limits = Limits { record: false, ..Limits::steps(steps) };
    let Outcome { ending, .. } = machine.run_with(&mut Anything, &limits, &mut std::io::sink(), Some(&mut visitor));
    Some(Run { ending, rows: visitor.rows, cycle: visitor.cycle && !visitor.cut })
}

/// Nothing is asked that matters.
struct Anything;

impl Inputs for Anything {
    fn value(&mut self, ask: &Ask<'_>) -> Value {
        Value::zero(ask.sort)
    }
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

/// Constants up to this stay as they are.
const SMALL: i128 = 40;

/// The program with its large constants made small: their order and their last two bits stay, and small distances too.
/// `None` if it has none.
pub(crate) fn scaled_down(program: &Program, terms: &mut Store) -> Option<Substitution> {
    let roots: Vec<Term> = program.main().edges.values().flat_map(|e| e.op.terms()).collect();
    let mut large: BTreeMap<i128, Vec<Term>> = BTreeMap::new();
    for t in term::walk::postorder(terms, &roots) {
        if let Some(value) = terms.as_bv_const(t).and_then(signed)
            && value.abs() > SMALL
        {
            large.entry(value.abs()).or_default().push(t);
        }
    }
    if large.is_empty() {
        return None;
    }
    let mut map = Substitution::new();
    let (mut before, mut small) = (0, SMALL);
    for (size, constants) in large {
        let distance = size - before;
        let gap = if before > 0 && distance <= 8 { distance } else { 12 + (distance % 4 + 4) % 4 };
        // The last two bits: added to what is a multiple of four.
        small = if gap == distance { small + gap } else { (small + 12) / 4 * 4 + size % 4 };
        before = size;
        for t in constants {
            let width = terms.width(t);
            let negative = terms.as_bv_const(t).and_then(signed).is_some_and(|v| v < 0);
            let to = terms.bv_signed(if negative { -small } else { small }, width);
            map.insert(terms, t, to);
        }
    }
    Some(map)
}

fn signed(bits: &Bits) -> Option<i128> {
    bits.to_i128()
}

/// The program with terms replaced.
pub(crate) fn replaced(program: &Program, terms: &mut Store, map: &mut Substitution) -> Program {
    let mut changed = program.clone();
    let entry = changed.entry;
    for edge in changed.functions[entry].edges.values_mut() {
        match &mut edge.op {
            Op::Assume(c) => *c = map.apply(terms, *c),
            Op::Assign(pairs) => pairs.iter_mut().for_each(|(_, t)| *t = map.apply(terms, *t)),
            _ => {}
        }
    }
    changed.terms = terms.clone();
    changed
}

/// Whether states of this sort are kept as data.
pub(crate) fn is_number(sort: Sort) -> bool {
    matches!(sort, Sort::Bv(1..=64))
}
