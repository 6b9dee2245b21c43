//! Runs on texts: guesses that fail in a state that is seen need not be asked of a solver.
//!
//! Arrays that nobody filled hold texts of characters that the program compares with ([`super::inputs`]). What is left is not believed:
//! it is what a solver is asked about.

use super::inputs::{Guesses, constants};
use crate::AtHeads;
use crate::limits::texts::{RUNS, STEPS, VISITS};
use cfa::{Loc, Program, Var};
use engine::{Budget, Stop};
use interpreter::{Limits, Machine, State, Watch, Watcher};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use term::{Bits, Op, Sort, Store, Term, Value};

/// Those of the guesses that hold whenever a run comes by.
pub fn not_refuted(program: &Program, guesses: AtHeads, terms: &mut Store, budget: &Budget) -> Result<AtHeads, Stop> {
    let locations = guesses.keys().map(|head| (program.entry, *head)).collect();
    let Ok(machine) = Machine::watching(program, &Watch { edges: false, locations }) else { return Ok(guesses) };
    let mut seen = Guessed::new(program, guesses, terms);
    let constants = constants(program);
    for run in 0..RUNS {
        budget.check()?;
        let mut inputs = Guesses::new(run, &constants);
        let limits = Limits { cancel: Some(budget.cancel_flag()), record: false, ..Limits::steps(STEPS) };
        let mut visitor = Visitor { seen: &mut seen, terms, visits: BTreeMap::new() };
        machine.run_with(&mut inputs, &limits, &mut std::io::sink(), Some(&mut visitor));
    }
    let whole = |(head, all): (Loc, Vec<Guess>)| (head, all.into_iter().map(|guess| guess.whole).collect());
    Ok(seen.guesses.into_iter().map(whole).collect())
}

/// A guess, and the same with a symbol for each cell that it speaks of.
struct Guess {
    whole: Term,
    about_cells: Term,
}

/// A symbol for the cell of an array at an index.
struct Cell {
    symbol: Term,
    array: Var,
    index: Term,
}

struct Guessed<'a> {
    program: &'a Program,
    guesses: BTreeMap<Loc, Vec<Guess>>,
    cells: Vec<Cell>,
    /// Variables that guesses speak of.
    vars: Vec<Var>,
}

impl<'a> Guessed<'a> {
    fn new(program: &'a Program, guesses: AtHeads, terms: &mut Store) -> Guessed<'a> {
        let all: Vec<Term> = guesses.values().flatten().copied().collect();
        let mut cells: Vec<Cell> = Vec::new();
        let mut symbols: Vec<(Term, Term)> = Vec::new();
        for read in term::walk::postorder(terms, &all) {
            if terms.op(read) == Op::Select
                && let Some(array) = program.var_of(terms.arg(read, 0))
            {
                let symbol = terms.fresh("cell", terms.sort(read));
                // What is read at a place that was read itself.
                let index = term::substitute(terms, terms.arg(read, 1), &symbols);
                cells.push(Cell { symbol, array, index });
                symbols.push((read, symbol));
            }
        }
        let vars = term::walk::free_vars(terms, &all).into_iter().filter_map(|t| program.var_of(t));
        let vars = vars.filter(|var| matches!(program.vars[*var].sort, Sort::Bool | Sort::Bv(_))).collect();
        let mut about_cells = |whole: Term| Guess { whole, about_cells: term::substitute(terms, whole, &symbols) };
        let guesses = guesses.into_iter().map(|(head, all)| (head, all.into_iter().map(&mut about_cells).collect()));
        Guessed { program, guesses: guesses.collect(), cells, vars }
    }

    /// Drops what does not hold in the state.
    fn look(&mut self, head: Loc, state: &State<'_>, terms: &Store) {
        let mut values: FxHashMap<Term, Value> = FxHashMap::default();
        for var in &self.vars {
            if let Some(value) = state.value(*var) {
                values.insert(self.program.term(*var), value);
            }
        }
        for cell in &self.cells {
            let Some(width) = terms.sort(cell.symbol).bv_width() else { continue };
            if let Ok(Value::Bv(index)) = term::eval(terms, cell.index, &values)
                && let Some(word) = index.to_u64().and_then(|index| state.element(cell.array, index))
            {
                values.insert(cell.symbol, Value::Bv(Bits::new(u128::from(word), width)));
            }
        }
        let mut evaluator = term::eval::Evaluator::new(&values);
        if let Some(here) = self.guesses.get_mut(&head) {
            here.retain(|guess| evaluator.eval(terms, guess.about_cells) != Ok(Value::Bool(false)));
        }
    }
}

struct Visitor<'a, 'p> {
    seen: &'a mut Guessed<'p>,
    terms: &'a Store,
    visits: BTreeMap<Loc, u32>,
}

impl Watcher for Visitor<'_, '_> {
    fn location(&mut self, state: &State<'_>, _: cfa::Func, loc: Loc) -> ControlFlow<()> {
        let visits = self.visits.entry(loc).or_default();
        *visits += 1;
        // Neighbours are alike.
        if *visits <= VISITS || visits.is_power_of_two() {
            self.seen.look(loc, state, self.terms);
        }
        ControlFlow::Continue(())
    }
}
