//! Concrete evaluation under an assignment of values to variables.
//!
//! Evaluation is three-valued: a subterm whose value is not determined (an unassigned variable, a conversion out of range)
//! spoils only what depends on it, so `false & f(x)` is false for any `f(x)`, and `ite` needs only the branch it takes.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use crate::bits::Bits;
use crate::op::{Func, Op};
use crate::semantics;
use crate::sort::Sort;
use crate::store::{Store, Term};
use crate::value::Value;

/// Where the values of variables and functions come from.
pub trait Assignment {
    fn value(&self, store: &Store, var: Term) -> Option<Value>;

    /// The function's value at a point; `None` when it has no interpretation here.
    fn apply(&self, _store: &Store, _func: Func, _args: &[Value]) -> Option<Value> {
        None
    }
}

impl Assignment for BTreeMap<Term, Value> {
    fn value(&self, _: &Store, var: Term) -> Option<Value> {
        self.get(&var).cloned()
    }
}

impl Assignment for FxHashMap<Term, Value> {
    fn value(&self, _: &Store, var: Term) -> Option<Value> {
        self.get(&var).cloned()
    }
}

/// No variable has a value.
impl Assignment for () {
    fn value(&self, _: &Store, _: Term) -> Option<Value> {
        None
    }
}

/// Completes an assignment: whatever it leaves open is zero.
#[derive(Clone, Debug)]
pub struct OrZero<A>(pub A);

impl<A: Assignment> Assignment for OrZero<A> {
    fn value(&self, store: &Store, var: Term) -> Option<Value> {
        Some(self.0.value(store, var).unwrap_or_else(|| Value::zero(store.sort(var))))
    }

    fn apply(&self, store: &Store, func: Func, args: &[Value]) -> Option<Value> {
        let value = self.0.apply(store, func, args);
        Some(value.unwrap_or_else(|| Value::zero(store.func_info(func).result)))
    }
}

impl<A: Assignment + ?Sized> Assignment for &A {
    fn value(&self, store: &Store, var: Term) -> Option<Value> {
        (**self).value(store, var)
    }

    fn apply(&self, store: &Store, func: Func, args: &[Value]) -> Option<Value> {
        (**self).apply(store, func, args)
    }
}

/// Why a term has no value; the term named is the first cause found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EvalError {
    /// The assignment gives this variable no value.
    Unassigned(Term),
    /// SMT-LIB leaves the value of this term open (conversion out of range, minimum of differently signed zeros).
    Unspecified(Term),
    /// The assignment does not interpret this application's function.
    Uninterpreted(Term),
    /// A quantifier over too large a domain to try.
    Quantifier(Term),
}

impl std::fmt::Display for EvalError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            EvalError::Unassigned(t) => write!(f, "variable {t} has no value"),
            EvalError::Unspecified(t) => write!(f, "the value of {t} is unspecified"),
            EvalError::Uninterpreted(t) => write!(f, "the function applied in {t} has no interpretation"),
            EvalError::Quantifier(t) => write!(f, "the quantifier {t} ranges over too many values"),
        }
    }
}

impl std::error::Error for EvalError {}

type Outcome = Result<Value, EvalError>;

/// Evaluates terms of one store under one assignment, remembering every subterm's value.
#[derive(Debug)]
pub struct Evaluator<A> {
    assignment: A,
    memo: FxHashMap<Term, Outcome>,
}

impl<A: Assignment> Evaluator<A> {
    pub fn new(assignment: A) -> Evaluator<A> {
        Evaluator { assignment, memo: FxHashMap::default() }
    }

    /// How many terms' values are remembered.
    pub fn evaluated(&self) -> usize {
        self.memo.len()
    }

    pub fn eval(&mut self, store: &Store, root: Term) -> Outcome {
        let mut stack = vec![(root, false)];
        while let Some((term, expanded)) = stack.pop() {
            if self.memo.contains_key(&term) {
                continue;
            }
            let quantifier = store.op(term).is_quantifier();
            if !expanded && !quantifier && !store.args(term).is_empty() {
                stack.push((term, true));
                stack.extend(store.args(term).iter().map(|&arg| (arg, false)));
                continue;
            }
            let outcome = if quantifier { self.quantified(store, term) } else { self.step(store, term) };
            self.memo.insert(term, outcome);
        }
        self.memo[&root].clone()
    }

    /// The value of a term whose arguments are in the memo.
    fn step(&self, store: &Store, term: Term) -> Outcome {
        let op = store.op(term);
        let args = store.args(term);
        let of = |index: usize| &self.memo[&args[index]];
        match op {
            Op::Var(_) => return self.assignment.value(store, term).ok_or(EvalError::Unassigned(term)),
            Op::And | Op::Or => {
                let absorbing = Ok(Value::Bool(op == Op::Or));
                if *of(0) == absorbing || *of(1) == absorbing {
                    return absorbing;
                }
            }
            Op::Ite => {
                return match of(0) {
                    Ok(Value::Bool(true)) => of(1).clone(),
                    Ok(_) => of(2).clone(),
                    Err(_) if of(1).is_ok() && of(1) == of(2) => of(1).clone(),
                    Err(error) => Err(*error),
                };
            }
            _ => {}
        }
        if let Some(value) = store.as_value(term) {
            return Ok(value);
        }
        let values = args.iter().map(|arg| self.memo[arg].clone()).collect::<Result<Vec<_>, _>>()?;
        if let Op::Apply(func) = op {
            return self.assignment.apply(store, func, &values).ok_or(EvalError::Uninterpreted(term));
        }
        semantics::apply(op, &values).ok_or(EvalError::Unspecified(term))
    }

    /// Tries all values of the bound variables, if there are few.
    fn quantified(&self, store: &Store, term: Term) -> Outcome {
        let (bound, body) = store.quantifier(term).expect("a quantifier");
        let widths = bound.iter().map(|&var| match store.sort(var) {
            Sort::Bool => Some(1),
            Sort::Bv(width) => Some(width),
            Sort::Float(_) | Sort::Array(_) => None,
        });
        let bits = widths.clone().try_fold(0u32, |sum, width| sum.checked_add(width?));
        let Some(bits) = bits.filter(|&bits| bits <= MAX_QUANTIFIED_BITS) else {
            return Err(EvalError::Quantifier(term));
        };
        // The value that decides the quantifier at once: a false instance of `forall`, a true one of `exists`.
        let decisive = store.op(term) == Op::Exists;
        let mut undetermined = None;
        for point in 0..1u128 << bits {
            let mut rest = point;
            let point = bound.iter().zip(widths.clone()).map(|(&var, width)| {
                let value = Bits::new(rest, width.expect("counted above"));
                rest >>= value.width();
                let value = if store.sort(var).is_bool() { Value::Bool(value.is_one()) } else { Value::Bv(value) };
                (var, value)
            });
            let instance = Instance { outer: &self.assignment as &dyn Assignment, bound: point.collect() };
            match Evaluator::new(instance).eval(store, body) {
                Ok(Value::Bool(value)) if value == decisive => return Ok(Value::Bool(decisive)),
                Ok(_) => {}
                Err(error) => undetermined = Some(error),
            }
        }
        undetermined.map_or(Ok(Value::Bool(!decisive)), Err)
    }
}

/// Quantifiers over more bits are not tried.
const MAX_QUANTIFIED_BITS: u32 = 10;

/// An assignment with values for bound variables on top.
struct Instance<'a> {
    outer: &'a dyn Assignment,
    bound: BTreeMap<Term, Value>,
}

impl Assignment for Instance<'_> {
    fn value(&self, store: &Store, var: Term) -> Option<Value> {
        self.bound.get(&var).cloned().or_else(|| self.outer.value(store, var))
    }

    fn apply(&self, store: &Store, func: Func, args: &[Value]) -> Option<Value> {
        self.outer.apply(store, func, args)
    }
}

/// The value of `root` under the assignment.
pub fn eval(store: &Store, root: Term, assignment: &dyn Assignment) -> Result<Value, EvalError> {
    Evaluator::new(assignment).eval(store, root)
}
