//! Comparing two terms by evaluation: on all assignments when there are few, on random ones otherwise.

use std::collections::BTreeMap;

use term::random::Rng;
use term::{Bits, EvalError, Evaluator, FloatValue, Sort, Store, Term, Value, free_vars};

/// All values of a small scalar sort.
fn domain(sort: Sort) -> Option<Vec<Value>> {
    match sort {
        Sort::Bool => Some(vec![Value::Bool(false), Value::Bool(true)]),
        Sort::Bv(width) if width <= 8 => Some((0..1u128 << width).map(|n| Value::Bv(Bits::new(n, width))).collect()),
        Sort::Float(format) if format.width() <= 8 => {
            let all =
                (0..1u128 << format.width()).map(|n| FloatValue::from_bits(format, &Bits::new(n, format.width())));
            let mut values: Vec<Value> = all.map(Value::Float).collect();
            values.sort();
            values.dedup();
            Some(values)
        }
        _ => None,
    }
}

/// Every assignment of the variables if there are at most `limit`, otherwise `limit` random ones.
pub(crate) fn assignments(store: &Store, vars: &[Term], limit: usize, rng: &mut Rng) -> Vec<BTreeMap<Term, Value>> {
    let domains: Option<Vec<Vec<Value>>> = vars.iter().map(|&var| domain(store.sort(var))).collect();
    let count = domains.as_ref().and_then(|d| d.iter().try_fold(1usize, |n, d| n.checked_mul(d.len())));
    match (domains, count) {
        (Some(domains), Some(count)) if count <= limit => (0..count)
            .map(|mut n| {
                vars.iter()
                    .zip(&domains)
                    .map(|(&var, domain)| {
                        let value = domain[n % domain.len()].clone();
                        n /= domain.len();
                        (var, value)
                    })
                    .collect()
            })
            .collect(),
        _ => (0..limit).map(|_| vars.iter().map(|&var| (var, rng.value(store.sort(var)))).collect()).collect(),
    }
}

/// Where the two terms differ, if anywhere tried. An unspecified value of the first allows any value of the second.
pub(crate) fn difference(store: &Store, a: Term, b: Term, limit: usize, rng: &mut Rng) -> Option<String> {
    let vars = free_vars(store, &[a, b]);
    for assignment in assignments(store, &vars, limit, rng) {
        let mut evaluator = Evaluator::new(&assignment);
        let (x, y) = (evaluator.eval(store, a), evaluator.eval(store, b));
        let same = match (&x, &y) {
            (Err(EvalError::Unspecified(_) | EvalError::Quantifier(_)), _) => true,
            (Ok(x), Ok(y)) => x.same(y),
            _ => false,
        };
        if !same {
            let print = |t| term::smtlib::print_term(store, t);
            let values: Vec<String> = assignment
                .iter()
                .map(|(&var, value)| format!("{} = {value:?}", store.symbol_name(var).unwrap()))
                .collect();
            return Some(format!("{}\n  is {x:?}, but\n{}\n  is {y:?} at {}", print(a), print(b), values.join(", ")));
        }
    }
    None
}
