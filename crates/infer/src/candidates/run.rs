//! Candidates from the states of one run.

use super::data::equations_in;
use crate::limits::candidates::{MAX_RELATED, SAMPLED};
use crate::sample::states::{Row, is_number};
use cfa::{Program, Var};
use std::collections::BTreeMap;
use term::{Evaluator, Sort, Store, Term, Value};

/// Equations of low degree between the numbers of each width.
pub fn equations(program: &Program, terms: &mut Store, live: &[Var], rows: &[Row], degree: u32) -> Vec<Term> {
    let mut found = Vec::new();
    if rows.len() < 3 {
        return found;
    }
    for width in [8, 16, 32, 64] {
        let has_width = |v: &Var| program.vars[*v].sort == Sort::Bv(width);
        let vars: Vec<Var> = live.iter().copied().filter(has_width).take(MAX_RELATED).collect();
        let value = |row: &Row, var: Var| {
            let (_, value) = row.iter().find(|(v, _)| *v == var)?;
            let Value::Bv(bits) = value else { return None };
            bits.to_i128()
        };
        let points: Option<Vec<Vec<i128>>> =
            rows.iter().map(|row| vars.iter().map(|v| value(row, *v)).collect()).collect();
        let Some(points) = points else { continue };
        let columns: Vec<Term> = vars.iter().map(|v| program.term(*v)).collect();
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
