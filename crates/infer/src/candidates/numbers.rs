//! The numbers of a state: its variables, and the cells of arrays that are read and written at few places.
//!
//! A loop that counts in a struct behind a pointer, in an element of an array or in turns in some of them changes as few numbers as
//! one that counts in variables. Which cells these are is seen in the states of a run: where an index takes few values there, the
//! cells at these places are numbers like any other. That it takes no others is for a proof to show.

use crate::limits::candidates::{FEW_PLACES, MAX_CELLS, SAMPLED};
use crate::sample::states::{Row, is_number};
use crate::segments::Segment;
use cfa::{Loc, Program, Var};
use std::collections::{BTreeMap, BTreeSet};
use term::{Evaluator, Op, Sort, Store, Term, Value};

/// A cell of an array at a fixed place.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Cell {
    pub array: Var,
    pub place: Value,
}

/// A number of the state, with its value in each of some states.
#[derive(Clone, Debug)]
pub struct Number {
    pub term: Term,
    pub width: u32,
    pub is_cell: bool,
    pub values: Vec<term::Bits>,
}

/// The cells that the segments access, where these are few in the states of the run.
pub fn cells(
    program: &Program,
    terms: &mut Store,
    segments: &[Segment],
    rows: &BTreeMap<Loc, Vec<Row>>,
) -> BTreeSet<Cell> {
    let mut found = BTreeSet::new();
    for segment in segments {
        let roots = changes(program, terms, segment);
        let none = Vec::new();
        let rows = segment.from.map_or(&none, |head| rows.get(&head).unwrap_or(&none));
        let step = rows.len().div_ceil(SAMPLED * 2).max(1);
        let states: Vec<BTreeMap<Term, Value>> = rows.iter().step_by(step).map(|row| state(program, row)).collect();
        for t in term::walk::postorder(terms, &roots) {
            let (Op::Select | Op::Store) = terms.op(t) else { continue };
            let (accessed, index) = (terms.arg(t, 0), terms.arg(t, 1));
            let arrays: Vec<Var> = arrays_below(program, terms, accessed).into_iter().collect();
            if arrays.iter().all(|array| !has_cells(program, *array)) {
                continue;
            }
            let places: BTreeSet<Value> = match terms.as_value(index) {
                Some(place) => BTreeSet::from([place]),
                None => states.iter().filter_map(|s| Evaluator::new(s).eval(terms, index).ok()).collect(),
            };
            if places.len() > FEW_PLACES || found.len() + places.len() > MAX_CELLS {
                continue;
            }
            for &array in arrays.iter().filter(|array| has_cells(program, **array)) {
                found.extend(places.iter().map(|place| Cell { array, place: place.clone() }));
            }
        }
    }
    found
}

/// What happens in a segment: its conditions, and what variables hold after it that it changes.
pub(super) fn changes(program: &Program, terms: &mut Store, segment: &Segment) -> Vec<Term> {
    let mut roots = segment.conditions.clone();
    for (var, info) in program.vars.iter() {
        let after = segment.state.term(terms, var);
        if after != info.term {
            roots.push(after);
        }
    }
    roots
}

/// The variables that an array is made of by writes and choices.
fn arrays_below(program: &Program, terms: &Store, array: Term) -> BTreeSet<Var> {
    let mut found = BTreeSet::new();
    let (mut open, mut seen) = (vec![array], BTreeSet::new());
    while let Some(t) = open.pop() {
        if !seen.insert(t) {
            continue;
        }
        match terms.op(t) {
            Op::Store => open.push(terms.arg(t, 0)),
            Op::Ite => open.extend([terms.arg(t, 1), terms.arg(t, 2)]),
            _ => found.extend(program.var_of(t)),
        }
    }
    found
}

fn has_cells(program: &Program, array: Var) -> bool {
    let is_told = |sort: Sort| is_number(sort) || sort == Sort::Bool;
    matches!(program.vars[array].sort, Sort::Array(sort) if is_told(sort.elem.into()))
}

fn state(program: &Program, row: &Row) -> BTreeMap<Term, Value> {
    row.iter().map(|(v, value)| (program.term(*v), value.clone())).collect()
}

/// The numbers that all of these states have: live variables, then cells of live arrays.
pub fn numbers(
    program: &Program,
    terms: &mut Store,
    live: &[Var],
    cells: &BTreeSet<Cell>,
    rows: &[Row],
) -> Vec<Number> {
    let mut found = Vec::new();
    for &var in live.iter().filter(|v| is_number(program.vars[**v].sort)) {
        let values = rows.iter().map(|row| bits(held(row, var)?.clone())).collect::<Option<Vec<_>>>();
        let term = program.term(var);
        found.extend(values.map(|values| Number { term, width: terms.width(term), is_cell: false, values }));
    }
    for cell in cells.iter().filter(|cell| live.contains(&cell.array)) {
        let term = cell.term(program, terms);
        let values = rows.iter().map(|row| bits(cell.value(row)?)).collect::<Option<Vec<_>>>();
        // Where there are no states, cells with truth values have as many of these as cells with numbers.
        let Some(values) = values.filter(|_| is_number(terms.sort(term))) else { continue };
        found.push(Number { term, width: terms.width(term), is_cell: true, values });
    }
    found
}

/// What cells of live arrays say that are true in all of these states, or false in all.
pub fn flags(program: &Program, terms: &mut Store, live: &[Var], cells: &BTreeSet<Cell>, rows: &[Row]) -> Vec<Term> {
    let mut found = Vec::new();
    for cell in cells.iter().filter(|cell| live.contains(&cell.array)) {
        for flag in [true, false] {
            if !rows.is_empty() && rows.iter().all(|row| cell.value(row) == Some(Value::Bool(flag))) {
                let holds = cell.term(program, terms);
                found.push(if flag { holds } else { terms.not(holds) });
            }
        }
    }
    found
}

impl Cell {
    pub fn term(&self, program: &Program, terms: &mut Store) -> Term {
        let index = terms.value(&self.place);
        terms.select(program.term(self.array), index)
    }

    /// What it holds in a state, if its array is part of it.
    pub fn value(&self, row: &Row) -> Option<Value> {
        match held(row, self.array)? {
            Value::Array(array) => Some(array.get(&self.place).clone()),
            _ => None,
        }
    }
}

fn held(row: &Row, var: Var) -> Option<&Value> {
    row.iter().find(|(v, _)| *v == var).map(|(_, value)| value)
}

fn bits(value: Value) -> Option<term::Bits> {
    if let Value::Bv(bits) = value { Some(bits) } else { None }
}
