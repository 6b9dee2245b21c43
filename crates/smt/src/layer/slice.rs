//! Splits a question into independent ones.
//!
//! Terms that share no variable and no function, not even through others, can be checked apart: all groups satisfiable
//! means the whole is, and their models join into one; one group unsatisfiable settles the matter. Over a
//! [`Cache`](crate::layer::Cache) each group is asked once, whatever else is asserted besides it.
//!
//! The solver below sees one group at a time. That helps with many small unrelated facts (symbolic execution) and costs
//! incrementality elsewhere.

use rustc_hash::FxHashMap;
use std::rc::Rc;

use term::eval::OrZero;
use term::{Evaluator, Func, Op, Store, Term, Value, walk};

use crate::frames::Frames;
use crate::model::{Model, ModelEvaluator, evaluate};
use crate::solver::{Answer, Limits, Solver, Stats, Why};

/// What ties two terms together.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Name {
    Var(Term),
    Func(Func),
}

enum Last {
    Nothing,
    Sat(Box<ModelEvaluator>),
    Unsat(Vec<Term>),
}

/// Facts and assumptions that hang together.
#[derive(Default)]
struct Group {
    facts: Vec<Term>,
    assumptions: Vec<Term>,
}

/// See the module.
pub struct Slice<S> {
    inner: S,
    frames: Frames,
    names: FxHashMap<Term, Rc<[Name]>>,
    last: Last,
    checks: u64,
    groups: u64,
}

impl<S: Solver> Slice<S> {
    pub fn over(inner: S) -> Slice<S> {
        let (names, last) = (FxHashMap::default(), Last::Nothing);
        Slice { inner, frames: Frames::default(), names, last, checks: 0, groups: 0 }
    }

    fn names_of(&mut self, store: &Store, term: Term) -> Rc<[Name]> {
        if let Some(names) = self.names.get(&term) {
            return Rc::clone(names);
        }
        let names: Rc<[Name]> = walk::postorder(store, &[term])
            .into_iter()
            .filter_map(|t| match store.op(t) {
                Op::Var(_) => Some(Name::Var(t)),
                Op::Apply(func) => Some(Name::Func(func)),
                _ => None,
            })
            .collect();
        self.names.insert(term, Rc::clone(&names));
        names
    }

    /// The independent groups, in order of their first term.
    fn split(&mut self, store: &Store, assumptions: &[Term]) -> Vec<Group> {
        let facts = self.frames.facts().len();
        let terms: Vec<Term> = self.frames.facts().iter().chain(assumptions).copied().collect();
        let mut sets = Partition::new(terms.len());
        let mut owner: FxHashMap<Name, usize> = FxHashMap::default();
        for (position, &term) in terms.iter().enumerate() {
            for &name in self.names_of(store, term).iter() {
                let first = *owner.entry(name).or_insert(position);
                sets.join(first, position);
            }
        }
        let mut groups: Vec<Group> = Vec::new();
        let mut group_of: FxHashMap<usize, usize> = FxHashMap::default();
        for (position, &term) in terms.iter().enumerate() {
            let group = *group_of.entry(sets.find(position)).or_insert(groups.len());
            if group == groups.len() {
                groups.push(Group::default());
            }
            let list = if position < facts { &mut groups[group].facts } else { &mut groups[group].assumptions };
            list.push(term);
        }
        groups
    }

    /// Checks one group by itself; its model or its core.
    fn check_group(&mut self, store: &Store, group: &Group) -> Result<Result<Model, Vec<Term>>, Why> {
        self.inner.push();
        group.facts.iter().for_each(|&fact| self.inner.assert(store, fact));
        let result = match self.inner.check(store, &group.assumptions) {
            Ok(Answer::Sat) => {
                let terms: Vec<Term> = group.facts.iter().chain(&group.assumptions).copied().collect();
                Model::read(&mut self.inner, store, &terms).map(Ok)
            }
            Ok(Answer::Unsat) => self.inner.core().map(Err),
            Err(why) => Err(why),
        };
        self.inner.pop();
        result
    }
}

impl<S: Solver> Solver for Slice<S> {
    fn push(&mut self) {
        self.last = Last::Nothing;
        self.frames.push();
    }

    fn pop(&mut self) {
        self.last = Last::Nothing;
        self.frames.pop();
    }

    fn assert(&mut self, _: &Store, fact: Term) {
        self.last = Last::Nothing;
        self.frames.assert(fact);
    }

    fn check(&mut self, store: &Store, assumptions: &[Term]) -> Result<Answer, Why> {
        self.last = Last::Nothing;
        let groups = self.split(store, assumptions);
        self.checks += 1;
        self.groups += groups.len() as u64;
        let mut model = Model::default();
        let mut unanswered = None;
        for group in &groups {
            match self.check_group(store, group) {
                Ok(Ok(found)) => model.extend(found),
                Ok(Err(core)) => {
                    self.last = Last::Unsat(core);
                    return Ok(Answer::Unsat);
                }
                Err(why @ (Why::Cancelled | Why::Contradicted(_))) => return Err(why),
                // Another group may still be contradictory by itself.
                Err(why) => unanswered = unanswered.or(Some(why)),
            }
        }
        match unanswered {
            Some(why) => Err(why),
            None => {
                self.last = Last::Sat(Box::new(Evaluator::new(OrZero(model))));
                Ok(Answer::Sat)
            }
        }
    }

    fn value(&mut self, store: &Store, term: Term) -> Result<Value, Why> {
        match &mut self.last {
            Last::Sat(evaluator) => evaluate(evaluator, store, term),
            Last::Nothing | Last::Unsat(_) => Err(Why::NotAvailable),
        }
    }

    fn core(&mut self) -> Result<Vec<Term>, Why> {
        match &self.last {
            Last::Unsat(core) => Ok(core.clone()),
            Last::Nothing | Last::Sat(_) => Err(Why::NotAvailable),
        }
    }

    fn limit(&mut self, limits: &Limits) {
        self.inner.limit(limits);
    }

    fn stats(&self, into: &mut Stats) {
        into.add("slice.checks", self.checks);
        into.add("slice.groups", self.groups);
        self.inner.stats(into);
    }
}

/// Disjoint sets of positions.
struct Partition {
    parent: Vec<usize>,
}

impl Partition {
    fn new(count: usize) -> Partition {
        Partition { parent: (0..count).collect() }
    }

    fn find(&mut self, mut position: usize) -> usize {
        while self.parent[position] != position {
            self.parent[position] = self.parent[self.parent[position]];
            position = self.parent[position];
        }
        position
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        self.parent[a.max(b)] = a.min(b);
    }
}
