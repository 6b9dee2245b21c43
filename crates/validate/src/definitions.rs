//! Facts that say what a variable holds, or a cell at a fixed place: put in its place, they need not be reasoned about.
//!
//! In every state of `x = t ∧ φ`, where `t` does not mention `x`, putting `t` in the place of `x` changes no value; so a condition holds
//! there just where it holds with `t` for `x`. Likewise `a[c] = t` says that `a` is `a` with `t` written at `c`. Once equations are
//! put in place, most of what a loop keeps is the same term before and after an iteration.

use crate::limits::recheck::MOST_DEFINITIONS;
use crate::limits::value_cases::MOST_LAST_BITS;
use crate::recheck::{Values, in_state};
use cfa::{Program, Var};
use term::subst::Substitution;
use term::{Op, Store, Term, last_bits};

/// What the variables hold by these facts, in terms of those that are left open: every state in which the facts hold is left as it is.
pub(crate) fn of(terms: &mut Store, program: &Program, facts: &[Term]) -> Values {
    let mut values = Values::default();
    let mut open = facts.to_vec();
    open.truncate(MOST_DEFINITIONS);
    // What others are told by the last bits of is not told itself: remainder by remainder, they are sums of its upper part.
    let last = last_bits::taken(terms, &open, MOST_LAST_BITS).map(|last| last.number);
    // An index may be known by a later fact only.
    loop {
        let before = open.len();
        open.retain(|fact| {
            let fact = in_state(terms, program, *fact, |var| values.get(&var).copied());
            match definition(terms, program, fact, last) {
                Some((var, value)) => {
                    put(terms, program, &mut values, var, value);
                    false
                }
                None => true,
            }
        });
        if open.len() == before {
            return values;
        }
    }
}

/// The variable that a fact defines, and what it holds: not the one that is left as it is.
fn definition(terms: &mut Store, program: &Program, fact: Term, left: Option<Term>) -> Option<(Var, Term)> {
    if let Some(var) = program.var_of(fact) {
        return Some((var, terms.tt()));
    }
    if terms.op(fact) == Op::Not {
        return Some((program.var_of(terms.arg(fact, 0))?, terms.ff()));
    }
    if terms.op(fact) != Op::Eq {
        return None;
    }
    let (a, b) = (terms.arg(fact, 0), terms.arg(fact, 1));
    let mut sides = vec![(a, b), (b, a)];
    for (side, other) in [(a, b), (b, a)] {
        let parts = summands(terms, side);
        for &part in parts.iter().filter(|_| parts.len() > 1) {
            let rest = terms.sub(side, part);
            sides.push((part, terms.sub(other, rest)));
        }
    }
    sides.retain(|(place, _)| Some(*place) != left);
    let cell = sides.iter().find_map(|(place, value)| cell(terms, program, *place, *value));
    cell.or_else(|| {
        let is_apart = |x: Term, t: Term| !term::walk::mentions(terms, t, x);
        sides.iter().find_map(|(x, t)| Some((program.var_of(*x)?, *t)).filter(|_| is_apart(*x, *t)))
    })
}

/// The parts of a sum.
fn summands(terms: &Store, sum: Term) -> Vec<Term> {
    let (mut open, mut found) = (vec![sum], Vec::new());
    while let Some(t) = open.pop() {
        match terms.op(t) {
            Op::BvAdd => open.extend(terms.args(t)),
            _ => found.push(t),
        }
    }
    found
}

/// The array of which the place is a cell, with the value there.
fn cell(terms: &mut Store, program: &Program, place: Term, value: Term) -> Option<(Var, Term)> {
    if terms.op(place) != Op::Select {
        return None;
    }
    let (array, index) = (terms.arg(place, 0), terms.arg(place, 1));
    let var = program.var_of(array)?;
    let is_definition = terms.is_const(index) && !term::walk::mentions(terms, value, array);
    is_definition.then(|| (var, terms.store(array, index, value)))
}

fn put(terms: &mut Store, program: &Program, values: &mut Values, var: Var, value: Term) {
    let mut substitution = Substitution::new();
    substitution.insert(terms, program.term(var), value);
    let known: Vec<(Var, Term)> = values.iter().map(|(var, value)| (*var, *value)).collect();
    for (var, value) in known {
        values.insert(var, substitution.apply(terms, value));
    }
    // An array is known cell by cell.
    if !values.contains_key(&var) {
        values.insert(var, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use term::{Evaluator, Value};

    fn program() -> Program {
        let text = "machine lp64 32 32
var $size [bv32 -> bv64] memory
var $live [bv32 -> bool] memory
var x bv4 global
var y bv4 global
var z bv4 global
var flag bool global
var a [bv4 -> bv4] global
entry f0

function f0 \"main\" params () entry L0 exit L0
  L0 end return
";
        cfa::text::parse(text).expect("a program")
    }

    /// States in which the facts hold stay as they are, and no variable that is defined is left.
    #[test]
    fn states_of_the_facts_stay_as_they_are() {
        for (facts, defined) in [
            (vec!["(= x #x3)"], 1),
            (vec!["(= x (bvadd y #x1))", "(= y z)"], 2),
            (vec!["(= x (bvadd y #x1))", "(= y (bvadd x #xf))"], 1),
            (vec!["(= x (bvadd x #x1))"], 0),
            (vec!["(= (select a x) y)", "(= x #x2)"], 2),
            (vec!["(= (select a #x1) (select a #x2))", "(= (select a #x1) y)"], 1),
            (vec!["(= x (select a #x1))", "(= y (bvmul x #x2))", "(= z (select a y))"], 3),
            (vec!["(= x (bvadd y z))", "(= y ((_ zero_extend 1) ((_ extract 3 1) x)))"], 2),
            (vec!["(= #x3 (bvadd x (select a #x1)))", "(= x y)"], 2),
            (vec!["flag", "(= z (ite flag x y))"], 2),
            (vec!["(not flag)", "(= z (ite flag x y))", "(= x z)"], 3),
        ] {
            let program = program();
            let mut terms = program.terms.clone();
            let facts: Vec<Term> =
                facts.iter().map(|text| term::smtlib::parse_term(&mut terms, text).expect("a term")).collect();
            let values = of(&mut terms, &program, &facts);
            assert_eq!(values.len(), defined, "{facts:?}: {values:?}");
            let mut random = 1u64;
            let mut met = 0;
            for _ in 0..60_000 {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let mut bits = random >> 20;
                let mut number = || {
                    bits >>= 4;
                    Value::Bv(term::Bits::new(u128::from(bits % 4), 4))
                };
                let mut state = std::collections::BTreeMap::new();
                for (_, info) in program.vars.iter() {
                    let value = match info.sort {
                        term::Sort::Bool => Value::Bool(random >> 63 == 1),
                        term::Sort::Bv(4) => number(),
                        term::Sort::Array(sort) if term::Sort::from(sort.elem) == term::Sort::Bv(4) => {
                            let mut array = term::ArrayValue::new(sort, number());
                            array.set(Value::Bv(term::Bits::new(1, 4)), number());
                            array.set(Value::Bv(term::Bits::new(2, 4)), number());
                            Value::Array(std::sync::Arc::new(array))
                        }
                        _ => continue,
                    };
                    state.insert(info.term, value);
                }
                let mut evaluator = Evaluator::new(&state);
                if !facts.iter().all(|fact| evaluator.eval(&terms, *fact) == Ok(Value::Bool(true))) {
                    continue;
                }
                met += 1;
                for (var, value) in &values {
                    assert_eq!(evaluator.eval(&terms, *value).as_ref(), Ok(&state[&program.term(*var)]));
                }
            }
            assert!(met > 0 || defined == 0, "no state in which {facts:?} hold");
        }
    }
}
