//! What is known at a loop head, as small facts over the program's variables.
//!
//! The symbolic state that arrives at a head speaks of symbols: inputs and the values of variables at the head before. It
//! is projected onto the live variables: a symbol that some variable holds (or holds up to a constant) is called by that
//! variable's name, and values and conditions that speak only of such symbols become facts. The rest is lost here, and comes
//! back by refinement where it matters.
//!
//! Equations are kept in solved form, so that the state after the cut has constants where the variables have: most
//! conditions fold away.

use crate::limits::facts::{MAX_ELEMENTS, MAX_FACT};
use crate::parts::Tag;
use cfa::{Program, Var};
use encode::{State, Value};
use rustc_hash::FxHashMap;
use term::{Op, Sort, Store, Term, substitute, walk};

#[derive(Clone, Debug)]
pub(crate) struct Fact {
    /// Over the program's variables.
    pub(crate) formula: Term,
    pub(crate) solved: Solved,
    /// Refinement has shown that it is needed: the head is not abstracted beyond it.
    pub(crate) kept: bool,
    pub(crate) tag: Tag,
}

/// How a fact shows in the state.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Solved {
    /// As a conjunct of the path condition.
    No,
    /// The variable has this value.
    Variable(Var, Term),
    /// The array has this element at this constant index.
    Element(Var, Term, Term),
}

/// A formula and the way it shows.
pub(crate) type Known = (Term, Solved);

/// The facts about `live` variables in a state with this path condition; equations first.
pub(crate) fn project(program: &Program, terms: &mut Store, live: &[Var], state: &State, path: &[Term]) -> Vec<Known> {
    let values: Vec<(Var, Term, Term)> = live.iter().map(|v| (*v, program.term(*v), state.term(terms, *v))).collect();
    let names = names(terms, &values);
    let mut facts: Vec<Known> = Vec::new();
    let mut elements: Vec<Known> = Vec::new();
    for &(var, name, value) in &values {
        if names.get(&value) == Some(&name) {
            continue;
        }
        if let Some(value) = renamed(terms, &names, value) {
            let equal = terms.eq(name, value);
            if terms.as_bool_const(equal).is_none() {
                facts.push((equal, Solved::Variable(var, value)));
            }
        }
        elements.extend(elements_of(terms, &names, var, name, value));
    }
    facts.append(&mut elements);
    for &condition in path {
        if let Some(condition) = renamed(terms, &names, condition)
            && terms.as_bool_const(condition).is_none()
            && facts.iter().all(|(known, _)| *known != condition)
        {
            facts.push((condition, Solved::No));
        }
    }
    facts
}

/// Symbols expressed by variables.
fn names(terms: &mut Store, values: &[(Var, Term, Term)]) -> FxHashMap<Term, Term> {
    let mut names: FxHashMap<Term, Term> = FxHashMap::default();
    // A variable that was not changed since the last head names its own value.
    for &(_, name, value) in values {
        if name == value {
            names.insert(value, name);
        }
    }
    for &(_, name, value) in values {
        if terms.is_var(value) {
            names.entry(value).or_insert(name);
        }
    }
    for &(_, name, value) in values {
        if terms.op(value) == Op::BvAdd {
            let (a, b) = (terms.arg(value, 0), terms.arg(value, 1));
            for (symbol, constant) in [(a, b), (b, a)] {
                if terms.is_var(symbol) && terms.is_const(constant) && !names.contains_key(&symbol) {
                    let before = terms.sub(name, constant);
                    names.insert(symbol, before);
                }
            }
        }
    }
    names
}

/// The term with all symbols named, if they have names and it is small.
fn renamed(terms: &mut Store, names: &FxHashMap<Term, Term>, t: Term) -> Option<Term> {
    walk::dag_size_within(terms, t, MAX_FACT)?;
    let mut map = Vec::new();
    for symbol in term::free_vars(terms, &[t]) {
        map.push((symbol, *names.get(&symbol)?));
    }
    Some(substitute(terms, t, &map))
}

/// Elements of an array at constant indices.
fn elements_of(terms: &mut Store, names: &FxHashMap<Term, Term>, var: Var, name: Term, value: Term) -> Vec<Known> {
    let mut known: Vec<Known> = Vec::new();
    let mut seen: Vec<Term> = Vec::new();
    let mut array = value;
    // Latest writes come first, and what lies below a write at an unknown index may be overwritten by it.
    while terms.op(array) == Op::Store && known.len() < MAX_ELEMENTS {
        let (index, element) = (terms.arg(array, 1), terms.arg(array, 2));
        if !terms.is_const(index) {
            break;
        }
        if !seen.contains(&index) {
            seen.push(index);
            if let Some(element) = renamed(terms, names, element) {
                let place = terms.select(name, index);
                let equal = terms.eq(place, element);
                if terms.as_bool_const(equal).is_none() {
                    known.push((equal, Solved::Element(var, index, element)));
                }
            }
        }
        array = terms.arg(array, 0);
    }
    known
}

/// Weaker facts to try when an equation is given up: the bounds.
pub(crate) fn weaker(program: &Program, terms: &mut Store, fact: &Fact) -> Vec<Term> {
    let Solved::Variable(var, value) = fact.solved else { return Vec::new() };
    let name = program.term(var);
    match terms.sort(name) {
        Sort::Bv(width) if width > 1 => vec![terms.sle(value, name), terms.sle(name, value)],
        _ => Vec::new(),
    }
}

/// An arbitrary state restricted by the facts: values where facts are solved, and the remaining conditions.
pub(crate) fn cut(program: &Program, terms: &mut Store, facts: &[Fact], background: &[Term]) -> (State, Vec<Term>) {
    let mut state = State::arbitrary(program);
    for fact in facts {
        if let Solved::Variable(var, value) = fact.solved {
            state.set(var, Value::of(terms, value));
        }
    }
    for fact in facts {
        if let Solved::Element(var, index, element) = fact.solved
            && let Value::Array(array) = state.get(var).clone()
        {
            let written = array.store(terms, index, element);
            state.set(var, Value::Array(written));
        }
    }
    let mut path = Vec::new();
    let unsolved = facts.iter().filter(|f| matches!(f.solved, Solved::No)).map(|f| f.formula);
    for condition in unsolved.chain(background.iter().copied()) {
        let condition = encode::state::evaluate_term(program, terms, &state, condition);
        if terms.as_bool_const(condition) != Some(true) && !path.contains(&condition) {
            path.push(condition);
        }
    }
    (state, path)
}
