//! Formulas for states: what holds of one, and the state itself.

use crate::limits::candidates::MAX_PAIRED;
use cfa::{Program, Var};
use std::collections::BTreeMap;
use term::{Sort, Store, Term, Value};

/// The state, as far as these values tell it.
pub fn state<'v>(program: &Program, terms: &mut Store, values: impl IntoIterator<Item = &'v (Var, Value)>) -> Term {
    let mut parts = Vec::new();
    for (var, value) in values {
        let value = terms.value(value);
        parts.push(terms.eq(program.term(*var), value));
    }
    terms.and_all(&parts)
}

/// What is true of a state: each variable against its value, live variables against each other.
pub fn literals(program: &Program, terms: &mut Store, live: &[Var], values: &BTreeMap<Var, Value>) -> Vec<Term> {
    let mut literals = Vec::new();
    for (var, value) in values.iter().filter(|(v, _)| live.contains(v)) {
        let (x, constant) = (program.term(*var), terms.value(value));
        match value {
            Value::Bool(true) => literals.push(x),
            Value::Bool(false) => literals.push(terms.not(x)),
            _ => {
                literals.extend([terms.sle(x, constant), terms.sle(constant, x)]);
                literals.extend([terms.ule(x, constant), terms.ule(constant, x)]);
            }
        }
    }
    let is_known = |v: &Var| matches!(program.vars[*v].sort, Sort::Bv(_)) && values.contains_key(v);
    let numbers: Vec<Var> = live.iter().copied().filter(is_known).take(MAX_PAIRED).collect();
    for (i, a) in numbers.iter().enumerate() {
        for b in &numbers[..i] {
            if program.vars[*a].sort == program.vars[*b].sort {
                compare(program, terms, (*a, &values[a]), (*b, &values[b]), &mut literals);
            }
        }
    }
    literals.retain(|l| terms.as_bool_const(*l).is_none());
    literals
}

/// The order of two variables, and the bounds of their difference, in a state.
fn compare(program: &Program, terms: &mut Store, a: (Var, &Value), b: (Var, &Value), literals: &mut Vec<Term>) {
    let (x, y) = (program.term(a.0), program.term(b.0));
    let (m, n) = (terms.value(a.1), terms.value(b.1));
    for (atom, there) in [
        (terms.eq(x, y), terms.eq(m, n)),
        (terms.slt(x, y), terms.slt(m, n)),
        (terms.slt(y, x), terms.slt(n, m)),
        (terms.ult(x, y), terms.ult(m, n)),
        (terms.ult(y, x), terms.ult(n, m)),
    ] {
        literals.push(if terms.as_bool_const(there) == Some(true) { atom } else { terms.not(atom) });
    }
    let (difference, value) = (terms.sub(x, y), terms.sub(m, n));
    literals.extend([terms.sle(difference, value), terms.sle(value, difference)]);
}
