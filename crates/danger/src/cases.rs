//! Models of questions by cases: for each value of the last bits of a number, of a truth value, or of a number that has few values.
//!
//! What happens every so many iterations, or in the states of a machine, is a choice between values that nothing else decides: in each
//! case by itself terms fold, and solvers have sums to look at instead of bits.

use crate::limits::facts::FEW_VALUES;
use engine::{Cx, Stop};
use infer::limits::candidates::MAX_DIVISOR;
use poly::Bounds;
use smt::{Model, Solver};
use std::time::Duration;
use term::eval::OrZero;
use term::normal::conjuncts;
use term::subst::Substitution;
use term::{Evaluator, Op, Sort, Store, Term, last_bits};

/// What a case says: which variable is what, and the facts with that in its place.
struct Case {
    var: Term,
    put: Term,
    facts: Vec<Term>,
}

/// A model of the facts, or none if there is none; nothing if that is too hard to tell.
pub(crate) fn model(
    cx: &mut Cx,
    solver: &mut dyn Solver,
    facts: &[Term],
    time: Duration,
) -> Result<Option<Option<Model>>, Stop> {
    let Some(cases) = cases(&mut cx.terms, facts) else {
        return Ok(match cx.try_sat(solver, facts, time)? {
            Some(true) => Some(Some(Model::read(solver, &cx.terms, facts)?)),
            answer => answer.map(|_| None),
        });
    };
    for Case { var, put, facts } in cases {
        if facts.iter().any(|fact| cx.terms.as_bool_const(*fact) == Some(false)) {
            continue;
        }
        match cx.try_sat(solver, &facts, time)? {
            Some(false) => {}
            None => return Ok(None),
            Some(true) => {
                let mut model = Model::read(solver, &cx.terms, &facts)?;
                let value = Evaluator::new(OrZero(&model)).eval(&cx.terms, put);
                value.into_iter().for_each(|value| model.set(var, value));
                return Ok(Some(Some(model)));
            }
        }
    }
    Ok(Some(None))
}

fn cases(terms: &mut Store, facts: &[Term]) -> Option<Vec<Case>> {
    if let Some(last) = last_bits::taken(terms, facts, MAX_DIVISOR.trailing_zeros()) {
        let cases = last.cases(terms, false).into_iter();
        return Some(cases.map(|c| Case { var: last.number, put: c.put, facts: c.of(terms, facts) }).collect());
    }
    let (var, values) = few_values(terms, facts)?;
    let case = |put: Term| {
        let mut substitution = Substitution::new();
        substitution.insert(terms, var, put);
        Case { var, put, facts: facts.iter().map(|fact| substitution.apply(terms, *fact)).collect() }
    };
    Some(values.into_iter().map(case).collect())
}

/// A truth value, or a number that is compared with constants and lies between few; with all its values.
fn few_values(terms: &mut Store, facts: &[Term]) -> Option<(Term, Vec<Term>)> {
    let literals: Vec<Term> = facts.iter().flat_map(|fact| conjuncts(terms, *fact)).collect();
    let bounds = Bounds::from_literals(terms, &literals);
    for t in term::walk::postorder(terms, facts) {
        if terms.is_var(t) && terms.sort(t) == Sort::Bool {
            return Some((t, vec![terms.ff(), terms.tt()]));
        }
        if terms.op(t) != Op::Eq {
            continue;
        }
        let (a, b) = (terms.arg(t, 0), terms.arg(t, 1));
        let (var, other) = if terms.is_const(b) { (a, b) } else { (b, a) };
        if !terms.is_var(var) || !terms.is_const(other) || !matches!(terms.sort(var), Sort::Bv(1..=64)) {
            continue;
        }
        let range = bounds.signed(terms, var);
        if range.hi - range.lo < FEW_VALUES {
            let width = terms.width(var);
            return Some((var, (range.lo..=range.hi).map(|value| terms.bv_signed(value, width)).collect()));
        }
    }
    None
}
