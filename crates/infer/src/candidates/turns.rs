//! Candidates from numbers that take few values in the states of a run: the state of a machine, a flag, a place in a short list, an index
//! into a small table.
//!
//! Such a number stays between its values, and what the others have in common depends on it: in each of its states by itself they are
//! related as counters are. A flag that is toggled keeps `on => i = 2 c - 1`, and `not on => i = 2 c`.

use super::numbers::Number;
use super::run::equations;
use crate::limits::candidates::{FEW_STATES, FEWEST_VISITS, MAX_COUNTERS, MAX_SWITCHES};
use crate::sample::states::Row;
use cfa::{Program, Var};
use std::collections::{BTreeMap, BTreeSet};
use term::{Sort, Store, Term, Value};

/// A number or truth value with few values: for each of them the states in which it has it.
struct Switch {
    term: Term,
    states: BTreeMap<Value, Vec<usize>>,
}

/// That numbers with few values have no others, and what the other numbers are for each of them.
pub fn turns(program: &Program, terms: &mut Store, live: &[Var], numbers: &[Number], rows: &[Row]) -> Vec<Term> {
    let mut found = Vec::new();
    let moving: Vec<&Number> = numbers.iter().filter(|n| n.values.iter().any(|value| *value != n.values[0])).collect();
    let switches = switches(program, live, numbers, rows);
    for switch in &switches {
        let others: Vec<Number> = moving.iter().filter(|n| n.term != switch.term).map(|n| (*n).clone()).collect();
        let mut has_it = Vec::new();
        for (value, at) in &switch.states {
            let value = terms.value(value);
            let here = terms.eq(switch.term, value);
            has_it.push(here);
            let those = |n: &Number| Number { values: at.iter().map(|i| n.values[*i].clone()).collect(), ..n.clone() };
            let there: Vec<Number> = others.iter().map(those).collect();
            for equation in equations(terms, &there, 1) {
                found.push(terms.implies(here, equation));
            }
        }
        found.push(terms.or_all(&has_it));
    }
    if !switches.is_empty() {
        found.extend(orders(terms, &moving));
    }
    found
}

fn switches(program: &Program, live: &[Var], numbers: &[Number], rows: &[Row]) -> Vec<Switch> {
    let mut found = Vec::new();
    let flags = live.iter().filter(|v| program.vars[**v].sort == Sort::Bool);
    for &flag in flags {
        let held = |row: &Row| row.iter().find(|(var, _)| *var == flag).map(|(_, value)| value.clone());
        let Some(values) = rows.iter().map(held).collect::<Option<Vec<Value>>>() else { continue };
        found.extend(switch(program.term(flag), values.into_iter()));
    }
    for number in numbers {
        found.extend(switch(number.term, number.values.iter().cloned().map(Value::Bv)));
    }
    found.truncate(MAX_SWITCHES);
    found
}

fn switch(term: Term, values: impl Iterator<Item = Value>) -> Option<Switch> {
    let mut states: BTreeMap<Value, Vec<usize>> = BTreeMap::new();
    for (i, value) in values.enumerate() {
        states.entry(value).or_default().push(i);
        if states.len() > FEW_STATES {
            return None;
        }
    }
    let is_switched = states.len() > 1 && states.values().all(|at| at.len() >= FEWEST_VISITS);
    is_switched.then_some(Switch { term, states })
}

/// Which of the numbers is never above which other one: an equation between multiples leaves the upper bits open.
fn orders(terms: &mut Store, moving: &[&Number]) -> Vec<Term> {
    let mut found = BTreeSet::new();
    let moving: Vec<&&Number> = moving.iter().take(MAX_COUNTERS).collect();
    for x in &moving {
        for y in moving.iter().filter(|y| y.width == x.width && y.term != x.term) {
            if x.values.iter().zip(&y.values).all(|(x, y)| x.to_u64() <= y.to_u64()) {
                found.insert(terms.ule(x.term, y.term));
            }
        }
    }
    found.into_iter().collect()
}
