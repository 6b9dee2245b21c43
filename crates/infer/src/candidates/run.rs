//! Candidates from the states of one run.

use super::data::equations_in;
use super::numbers::Number;
use crate::limits::candidates::{MAX_CELLS, MAX_RELATED, SAMPLED};
use crate::sample::states::{Row, is_number};
use cfa::{Program, Var};
use std::collections::BTreeMap;
use term::{Evaluator, Store, Term, Value};

/// Numbers of so many bits are related with narrower ones,
const WIDEST: u32 = 64;

/// but not with characters.
const NARROWEST: u32 = 32;

/// Equations of low degree between the numbers of each width. Between many numbers, cells among them, linear ones only.
pub fn equations(terms: &mut Store, numbers: &[Number], degree: u32) -> Vec<Term> {
    let mut found = Vec::new();
    let rows = numbers.first().map_or(0, |number| number.values.len());
    if rows < 3 {
        return found;
    }
    for width in [8, 16, 32, 64] {
        let (same, moving): (Vec<&Number>, Vec<&Number>) =
            numbers.iter().filter(|n| n.width == width).partition(|n| n.values.iter().all(|x| *x == n.values[0]));
        for number in same {
            let value = terms.bv_bits(number.values[0].clone());
            found.push(terms.eq(number.term, value));
        }
        let related = |cells: bool| moving.iter().copied().filter(move |n| n.is_cell == cells);
        let mut columns: Vec<&Number> = related(false).take(MAX_RELATED).collect();
        if degree == 1 {
            columns.extend(related(true).take(MAX_CELLS));
        }
        let row = |i: usize| columns.iter().map(|number| number.values[i].to_i128()).collect::<Option<Vec<i128>>>();
        let Some(mut points) = (0..rows).map(row).collect::<Option<Vec<_>>>() else { continue };
        let mut columns: Vec<Term> = columns.iter().map(|number| number.term).collect();
        if width == WIDEST && degree == 1 && !columns.is_empty() {
            // Bytes are counted in wider numbers than iterations.
            let is_narrower = |n: &&Number| !n.is_cell && (NARROWEST..WIDEST).contains(&n.width);
            for number in numbers.iter().filter(is_narrower).filter(|n| n.values.iter().any(|x| *x != n.values[0])) {
                let Some(values) = number.values.iter().map(|x| x.to_u64().map(i128::from)).collect::<Option<Vec<_>>>()
                else {
                    continue;
                };
                columns.push(terms.zext_to(number.term, WIDEST));
                points.iter_mut().zip(values).for_each(|(point, value)| point.push(value));
            }
        }
        found.extend(equations_in(terms, width, &columns, &points, degree));
    }
    found
}

/// Last bits, and remainders that the program computes.
pub fn residues(program: &Program, terms: &mut Store, live: &[Var], rows: &[Row]) -> Vec<Term> {
    let mut found = Vec::new();
    let Some(last) = rows.last() else { return found };
    for (var, value) in last.iter().filter(|(v, _)| is_number(program.vars[*v].sort)) {
        let Value::Bv(bits) = value else { continue };
        if live.contains(var) {
            let low = terms.extract(program.term(*var), 0, 0);
            for bit in 0..2 {
                let constant = terms.bv(bit, 1);
                found.push(terms.eq(low, constant));
            }
            if bits.width() > 1 {
                let low = terms.extract(program.term(*var), 1, 0);
                let constant = terms.bv_bits(bits.extract(1, 0));
                found.push(terms.eq(low, constant));
            }
        }
    }
    found
}

/// Keeps what is true in a sample of the states.
pub fn retain_true(terms: &Store, program: &Program, rows: &[Row], candidates: &mut Vec<Term>) {
    let step = rows.len().div_ceil(SAMPLED).max(1);
    let last = rows.len().saturating_sub(1);
    for (_, row) in rows.iter().enumerate().filter(|(i, _)| i % step == 0 || *i == last) {
        let state: BTreeMap<Term, Value> = row.iter().map(|(v, value)| (program.term(*v), value.clone())).collect();
        let mut evaluator = Evaluator::new(&state);
        candidates.retain(|t| evaluator.eval(terms, *t) != Ok(Value::Bool(false)));
    }
}
