//! Symbolic states: a value for every program variable.
//!
//! A scalar's value is a term. An array's value is a base term with the writes at constant indices kept beside it in a
//! map, so that programs that fill an array by constant indices never build long chains of stores. States share what
//! they have in common: copying one is cheap, and merging two looks only at what differs.

use base::{Id, SharedMap};
use cfa::{Program, Var};
use std::rc::Rc;
use term::{Op, Store, Term};

/// The value of a variable, or of a subterm of array sort.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    Term(Term),
    Array(ArrayValue),
}

/// `base` overwritten at the constant indices in `writes`.
#[derive(Clone, PartialEq, Debug)]
pub struct ArrayValue {
    base: Term,
    /// Keys are constant terms: different keys are different indices.
    writes: SharedMap<Term, Term>,
}

const CHUNK: usize = 16;

/// One value for each variable of a program.
#[derive(Clone, Debug)]
pub struct State {
    chunks: Vec<Rc<[Value; CHUNK]>>,
}

impl State {
    /// Every variable is itself: an arbitrary state.
    pub fn arbitrary(program: &Program) -> State {
        let mut values: Vec<Value> = program.vars.values().map(|v| Value::of(&program.terms, v.term)).collect();
        let filler = Value::Term(program.vars.values().next().map_or_else(|| Term::new(0), |v| v.term));
        while !values.len().is_multiple_of(CHUNK) {
            values.push(filler.clone());
        }
        let mut values = values.into_iter();
        let mut chunks = Vec::new();
        while values.len() > 0 {
            chunks.push(Rc::new(std::array::from_fn(|_| values.next().expect("a whole chunk"))));
        }
        State { chunks }
    }

    pub fn get(&self, v: Var) -> &Value {
        &self.chunks[v.index() / CHUNK][v.index() % CHUNK]
    }

    pub fn set(&mut self, v: Var, value: Value) {
        Rc::make_mut(&mut self.chunks[v.index() / CHUNK])[v.index() % CHUNK] = value;
    }

    /// The value as one term.
    pub fn term(&self, terms: &mut Store, v: Var) -> Term {
        self.get(v).term(terms)
    }

    /// That the states differ in one of the variables.
    pub fn differs(&self, terms: &mut Store, other: &State, vars: &[Var]) -> Term {
        let mut different = Vec::new();
        for &var in vars {
            let (x, y) = (self.term(terms, var), other.term(terms, var));
            different.push(terms.ne(x, y));
        }
        terms.or_all(&different)
    }

    /// `condition ? self : other`.
    pub fn merge(&mut self, terms: &mut Store, condition: Term, other: &State) {
        for (chunk, theirs) in self.chunks.iter_mut().zip(&other.chunks) {
            if Rc::ptr_eq(chunk, theirs) {
                continue;
            }
            for i in 0..CHUNK {
                if chunk[i] != theirs[i] {
                    let merged = chunk[i].merge(terms, condition, &theirs[i]);
                    Rc::make_mut(chunk)[i] = merged;
                }
            }
        }
    }
}

impl Value {
    /// A term as a value: arrays get an empty map of writes.
    pub fn of(terms: &Store, t: Term) -> Value {
        match terms.sort(t) {
            term::Sort::Array(_) => Value::Array(ArrayValue { base: t, writes: SharedMap::default() }),
            _ => Value::Term(t),
        }
    }

    pub fn term(&self, terms: &mut Store) -> Term {
        match self {
            Value::Term(t) => *t,
            Value::Array(array) => array.term(terms),
        }
    }

    /// The value as a constant, if it is one: arrays with at most `entries` places that differ.
    pub fn constant(&self, terms: &Store, entries: usize) -> Option<term::Value> {
        match self {
            Value::Term(t) => terms.as_value(*t),
            Value::Array(array) => array.constant(terms, entries),
        }
    }

    pub fn constant_of(terms: &mut Store, value: &term::Value) -> Value {
        let term::Value::Array(array) = value else { return Value::Term(terms.value(value)) };
        let default = terms.value(array.default_value());
        let base = terms.mk(Op::ConstArray(array.sort.index), &[default]);
        let writes = array.entries().iter().map(|(i, e)| (terms.value(i), terms.value(e))).collect();
        Value::Array(ArrayValue { base, writes })
    }

    /// `condition ? self : other`.
    pub fn merge(&self, terms: &mut Store, condition: Term, other: &Value) -> Value {
        match (self, other) {
            _ if self == other => self.clone(),
            (Value::Array(a), Value::Array(b)) if a.base == b.base => Value::Array(a.merge(terms, condition, b)),
            _ => {
                let (a, b) = (self.term(terms), other.term(terms));
                let merged = terms.ite(condition, a, b);
                Value::of(terms, merged)
            }
        }
    }
}

impl ArrayValue {
    pub fn base(&self) -> Term {
        self.base
    }

    /// Constant indices and what was written there.
    pub fn writes(&self) -> impl Iterator<Item = (Term, Term)> {
        self.writes.iter().map(|(index, value)| (*index, *value))
    }

    pub fn select(&self, terms: &mut Store, index: Term) -> Term {
        if terms.is_const(index) {
            return match self.writes.get(&index) {
                Some(value) => *value,
                None => terms.select(self.base, index),
            };
        }
        let array = self.term(terms);
        terms.select(array, index)
    }

    pub fn store(&self, terms: &mut Store, index: Term, value: Term) -> ArrayValue {
        if terms.is_const(index) {
            let mut writes = self.writes.clone();
            writes.insert(index, value);
            return ArrayValue { base: self.base, writes };
        }
        let array = self.term(terms);
        ArrayValue { base: terms.store(array, index, value), writes: SharedMap::default() }
    }

    pub fn term(&self, terms: &mut Store) -> Term {
        self.writes.iter().fold(self.base, |array, (index, value)| terms.store(array, *index, *value))
    }

    fn constant(&self, terms: &Store, entries: usize) -> Option<term::Value> {
        // The base is a constant array, perhaps with stores upon it.
        let mut stores = Vec::new();
        let mut base = self.base;
        while terms.op(base) == Op::Store {
            let [array, index, element] = *terms.args(base) else { unreachable!("a store has three arguments") };
            stores.push((index, element));
            base = array;
            if stores.len() > entries {
                return None;
            }
        }
        if !matches!(terms.op(base), Op::ConstArray(_)) || self.writes.len() > entries {
            return None;
        }
        let term::Sort::Array(sort) = terms.sort(base) else { unreachable!("an array") };
        let mut value = term::ArrayValue::new(sort, terms.as_value(terms.arg(base, 0))?);
        for (index, element) in stores.iter().rev().map(|(i, e)| (i, e)).chain(&self.writes) {
            value.set(terms.as_value(*index)?, terms.as_value(*element)?);
        }
        Some(term::Value::Array(value.into()))
    }

    /// Of two arrays over one base: only the indices where they differ are touched.
    fn merge(&self, terms: &mut Store, condition: Term, other: &ArrayValue) -> ArrayValue {
        let mut writes = self.writes.clone();
        let differing: Vec<Term> = self.writes.differences(&other.writes).map(|difference| *difference.key).collect();
        for index in differing {
            let (a, b) = (self.select(terms, index), other.select(terms, index));
            writes.insert(index, terms.ite(condition, a, b));
        }
        ArrayValue { base: self.base, writes }
    }
}

/// The value of term `t` in `state`: program variables replaced by their values, arrays kept apart as [`ArrayValue`]s.
pub fn evaluate(program: &Program, terms: &mut Store, state: &State, t: Term) -> Value {
    // Most terms are leaves or small; a map by term is needed only to not walk shared subterms twice.
    if let Some(value) = leaf(program, terms, state, t) {
        return value;
    }
    let mut done: rustc_hash::FxHashMap<Term, Value> = rustc_hash::FxHashMap::default();
    let mut stack = vec![t];
    while let Some(&top) = stack.last() {
        if done.contains_key(&top) {
            stack.pop();
            continue;
        }
        if let Some(value) = leaf(program, terms, state, top) {
            done.insert(top, value);
            stack.pop();
            continue;
        }
        let before = stack.len();
        stack.extend(terms.args(top).iter().filter(|a| !done.contains_key(a)));
        if stack.len() > before {
            continue;
        }
        stack.pop();
        let value = apply(terms, top, &done);
        done.insert(top, value);
    }
    done.remove(&t).expect("the root was evaluated")
}

/// [`evaluate`] where the result is wanted as a term.
pub fn evaluate_term(program: &Program, terms: &mut Store, state: &State, t: Term) -> Term {
    evaluate(program, terms, state, t).term(terms)
}

fn leaf(program: &Program, terms: &Store, state: &State, t: Term) -> Option<Value> {
    match terms.op(t) {
        Op::Var(_) => Some(match program.var_of(t) {
            Some(v) => state.get(v).clone(),
            None => Value::of(terms, t),
        }),
        _ if terms.args(t).is_empty() => Some(Value::Term(t)),
        _ => None,
    }
}

fn apply(terms: &mut Store, t: Term, done: &rustc_hash::FxHashMap<Term, Value>) -> Value {
    let op = terms.op(t);
    let args: smallvec::SmallVec<[Term; 4]> = terms.args(t).into();
    match (op, &done[&args[0]]) {
        (Op::Select, Value::Array(array)) => {
            let index = done[&args[1]].term(terms);
            Value::Term(array.select(terms, index))
        }
        (Op::Store, Value::Array(array)) => {
            let (index, value) = (done[&args[1]].term(terms), done[&args[2]].term(terms));
            Value::Array(array.store(terms, index, value))
        }
        (Op::Ite, condition) => {
            let condition = condition.term(terms);
            match terms.as_bool_const(condition) {
                Some(true) => done[&args[1]].clone(),
                Some(false) => done[&args[2]].clone(),
                None => done[&args[1]].merge(terms, condition, &done[&args[2]]),
            }
        }
        _ => {
            let args: smallvec::SmallVec<[Term; 4]> = args.iter().map(|a| done[a].term(terms)).collect();
            let t = terms.mk(op, &args);
            Value::of(terms, t)
        }
    }
}
