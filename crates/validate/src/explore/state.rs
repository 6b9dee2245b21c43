//! Symbolic states of the walk: what variables hold, in terms of inputs.
//!
//! Arrays keep what was written at constant indices apart, so that a long loop that fills one makes no long term.

use base::SharedMap;
use cfa::{Program, Var};
use rustc_hash::FxHashMap;
use term::{ArrayValue, Op, Sort, Store, Term, Value};

/// Variables that were never assigned hold what they hold at the start: anything, which their own term stands for.
#[derive(Clone, Default)]
pub(super) struct State(SharedMap<Var, Symbolic>);

/// What a variable holds, or a term comes to.
#[derive(Clone)]
pub(super) enum Symbolic {
    Term(Term),
    /// The base, overwritten at constant indices.
    Array(Term, SharedMap<Term, Term>),
}

impl State {
    pub(super) fn get(&self, program: &Program, terms: &Store, var: Var) -> Symbolic {
        self.0.get(&var).cloned().unwrap_or_else(|| Symbolic::of(terms, program.term(var)))
    }

    pub(super) fn set(&mut self, var: Var, value: Symbolic) {
        self.0.insert(var, value);
    }

    /// The value of a term over program variables.
    pub(super) fn read(&self, program: &Program, terms: &mut Store, t: Term) -> Symbolic {
        if let Some(value) = self.leaf(program, terms, t) {
            return value;
        }
        let mut done: FxHashMap<Term, Symbolic> = FxHashMap::default();
        for part in term::walk::postorder(terms, &[t]) {
            let value = match self.leaf(program, terms, part) {
                Some(value) => value,
                None => composed(terms, part, &done),
            };
            done.insert(part, value);
        }
        done.remove(&t).expect("a term comes last in its own order")
    }

    fn leaf(&self, program: &Program, terms: &Store, t: Term) -> Option<Symbolic> {
        match terms.op(t) {
            Op::Var(_) => Some(match program.var_of(t) {
                Some(var) => self.get(program, terms, var),
                // Bound by a quantifier.
                None => Symbolic::of(terms, t),
            }),
            _ => terms.args(t).is_empty().then_some(Symbolic::Term(t)),
        }
    }
}

/// The value of a term from those of its arguments.
fn composed(terms: &mut Store, t: Term, done: &FxHashMap<Term, Symbolic>) -> Symbolic {
    let args = terms.args(t).to_vec();
    let first = &done[&args[0]];
    match (terms.op(t), first) {
        (Op::Select, Symbolic::Array(base, writes)) => {
            let index = done[&args[1]].term(terms);
            if !terms.is_const(index) {
                let array = first.term(terms);
                return Symbolic::of_new(terms, |terms| terms.select(array, index));
            }
            match writes.get(&index) {
                Some(written) => Symbolic::of(terms, *written),
                None => Symbolic::of_new(terms, |terms| terms.select(*base, index)),
            }
        }
        (Op::Store, Symbolic::Array(base, writes)) => {
            let (index, value) = (done[&args[1]].term(terms), done[&args[2]].term(terms));
            if terms.is_const(index) {
                let mut writes = writes.clone();
                writes.insert(index, value);
                return Symbolic::Array(*base, writes);
            }
            let array = first.term(terms);
            Symbolic::of_new(terms, |terms| terms.store(array, index, value))
        }
        (Op::Ite, condition) => match condition.term(terms) {
            c if terms.as_bool_const(c) == Some(true) => done[&args[1]].clone(),
            c if terms.as_bool_const(c) == Some(false) => done[&args[2]].clone(),
            c => {
                let (a, b) = (done[&args[1]].term(terms), done[&args[2]].term(terms));
                Symbolic::of_new(terms, |terms| terms.ite(c, a, b))
            }
        },
        (op, _) => {
            let args: Vec<Term> = args.iter().map(|a| done[a].term(terms)).collect();
            Symbolic::of_new(terms, |terms| terms.mk(op, &args))
        }
    }
}

impl Symbolic {
    pub(super) fn of(terms: &Store, t: Term) -> Symbolic {
        match terms.sort(t) {
            Sort::Array(_) => Symbolic::Array(t, SharedMap::default()),
            _ => Symbolic::Term(t),
        }
    }

    fn of_new(terms: &mut Store, make: impl FnOnce(&mut Store) -> Term) -> Symbolic {
        let t = make(terms);
        Symbolic::of(terms, t)
    }

    pub(super) fn term(&self, terms: &mut Store) -> Term {
        match self {
            Symbolic::Term(t) => *t,
            Symbolic::Array(base, writes) => writes.iter().fold(*base, |array, (i, e)| terms.store(array, *i, *e)),
        }
    }

    /// How many places of an array are written apart.
    pub(super) fn places(&self) -> usize {
        match self {
            Symbolic::Term(_) => 0,
            Symbolic::Array(_, writes) => writes.len(),
        }
    }

    /// The value, where it does not depend on any input.
    pub(super) fn constant(&self, terms: &Store) -> Option<Value> {
        let (mut base, writes) = match self {
            Symbolic::Term(t) => return terms.as_value(*t),
            Symbolic::Array(base, writes) => (*base, writes),
        };
        let mut stores = Vec::new();
        while terms.op(base) == Op::Store {
            stores.push((terms.arg(base, 1), terms.arg(base, 2)));
            base = terms.arg(base, 0);
        }
        let (Op::ConstArray(_), Sort::Array(sort)) = (terms.op(base), terms.sort(base)) else { return None };
        let mut array = ArrayValue::new(sort, terms.as_value(terms.arg(base, 0))?);
        for (index, element) in stores.into_iter().rev().chain(writes.iter().map(|(i, e)| (*i, *e))) {
            array.set(terms.as_value(index)?, terms.as_value(element)?);
        }
        Some(Value::Array(array.into()))
    }

    pub(super) fn of_value(terms: &mut Store, value: &Value) -> Symbolic {
        let Value::Array(array) = value else { return Symbolic::Term(terms.value(value)) };
        let default = terms.value(array.default_value());
        let base = terms.mk(Op::ConstArray(array.sort.index), &[default]);
        let writes = array.entries().iter().map(|(i, e)| (terms.value(i), terms.value(e))).collect();
        Symbolic::Array(base, writes)
    }
}
