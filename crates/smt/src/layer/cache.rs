//! Answers from memory.
//!
//! Two kinds of memory, after KLEE's counterexample cache. The last models: if one of them makes all facts and
//! assumptions true, the answer is `Sat`, by evaluation alone. And sets of terms known to contradict each other, as small
//! as the solver's cores are: whatever contains such a set, however split into facts and assumptions, is `Unsat`.
//!
//! Evaluating is incremental. A model remembers how much of the stack it satisfies, or which fact refutes it, so that
//! a check looks only at what is new.

use crate::limits::cache::{MAX_EVALUATED, MAX_SET, MAX_SETS, MOST_ALIKE};
use std::collections::VecDeque;

use rustc_hash::FxHashMap;
use term::eval::OrZero;
use term::{Evaluator, Store, Term, Value};

use crate::frames::Frames;
use crate::layer::Layer;
use crate::model::{Model, ModelEvaluator, Vocabulary, evaluate};
use crate::solver::{Answer, Solver, Stats, Why};

/// A model and what is known about the current stack under it.
struct Remembered {
    evaluator: ModelEvaluator,
    /// This many facts, from the bottom, are true in it.
    satisfied: usize,
    /// The fact after those is not.
    refuted: bool,
}

impl Remembered {
    fn new(model: Model) -> Remembered {
        Remembered { evaluator: Evaluator::new(OrZero(model)), satisfied: 0, refuted: false }
    }

    fn shrink(&mut self, facts: usize) {
        if facts < self.satisfied || facts == self.satisfied && self.refuted {
            self.refuted = false;
            self.satisfied = facts.min(self.satisfied);
        }
    }

    fn holds(&mut self, store: &Store, term: Term) -> bool {
        // No definite value counts as false: then this model proves nothing.
        self.evaluator.eval(store, term) == Ok(Value::Bool(true))
    }

    fn satisfies(&mut self, store: &Store, facts: &[Term], assumptions: &[Term]) -> bool {
        while !self.refuted && self.satisfied < facts.len() {
            self.refuted = !self.holds(store, facts[self.satisfied]);
            self.satisfied += usize::from(!self.refuted);
        }
        !self.refuted && assumptions.iter().all(|&assumption| self.holds(store, assumption))
    }
}

/// Which answer stands, and where its evidence is.
enum Last {
    Nothing,
    /// The inner solver has it.
    Inner,
    /// The most recent of the remembered models.
    Model,
    /// Unsat from memory.
    Core(Vec<Term>),
}

/// See the module.
pub struct Cache<S> {
    below: S,
    frames: Frames,
    vocabulary: Vocabulary,
    /// Most recent first.
    models: VecDeque<Remembered>,
    max_models: usize,
    /// Contradicting sets, each sorted, by their last terms; the latest sets of a term last.
    unsat: FxHashMap<Term, Vec<Box<[Term]>>>,
    /// How many sets those are.
    sets: usize,
    last: Last,
    hits_sat: u64,
    hits_unsat: u64,
    misses: u64,
}

impl<S: Solver> Cache<S> {
    /// Remembers so many models.
    pub fn over(below: S, max_models: usize) -> Cache<S> {
        Cache {
            below,
            frames: Frames::default(),
            vocabulary: Vocabulary::default(),
            models: VecDeque::new(),
            max_models,
            unsat: FxHashMap::default(),
            sets: 0,
            last: Last::Nothing,
            hits_sat: 0,
            hits_unsat: 0,
            misses: 0,
        }
    }

    /// Facts and assumptions as a sorted set, unless that is too large.
    fn set(&self, assumptions: &[Term]) -> Option<Vec<Term>> {
        if self.frames.facts().len() + assumptions.len() > MAX_SET {
            return None;
        }
        let mut terms: Vec<Term> = self.frames.facts().iter().chain(assumptions).copied().collect();
        terms.sort_unstable();
        terms.dedup();
        Some(terms)
    }

    /// A part of the sorted `set` that is known to be contradicting.
    fn find_core(&self, set: &[Term]) -> Option<&[Term]> {
        let of_last = set.iter().filter_map(|last| self.unsat.get(last)).flatten();
        of_last.map(|core| &**core).find(|core| core.iter().all(|term| set.binary_search(term).is_ok()))
    }

    /// Moves a fitting model to the front.
    fn find_model(&mut self, store: &Store, assumptions: &[Term]) -> bool {
        let facts = self.frames.facts();
        let Some(found) = self.models.iter_mut().position(|model| model.satisfies(store, facts, assumptions)) else {
            return false;
        };
        let model = self.models.remove(found).expect("just found");
        self.models.push_front(model);
        true
    }

    /// Keeps the inner solver's model.
    fn remember_model(&mut self, store: &Store, assumptions: &[Term]) {
        if self.max_models == 0 {
            return;
        }
        self.vocabulary.push();
        assumptions.iter().for_each(|&assumption| self.vocabulary.add(store, assumption));
        let model = self.vocabulary.read(&mut self.below, store);
        self.vocabulary.pop();
        // A model that cannot be read is merely not remembered.
        if let Ok(model) = model {
            self.models.retain(|model| model.evaluator.evaluated() < MAX_EVALUATED);
            self.models.truncate(self.max_models - 1);
            self.models.push_front(Remembered::new(model));
        }
    }

    /// Keeps of a set that the inner solver found contradicting the facts and the core: what is in neither does not matter.
    fn remember_set(&mut self, mut set: Vec<Term>, assumptions: &[Term]) {
        if self.sets >= MAX_SETS {
            self.unsat.clear();
            self.sets = 0;
        }
        // Without a core everything may matter.
        if !assumptions.is_empty()
            && let Ok(core) = self.below.core()
        {
            let facts = self.frames.facts();
            set.retain(|term| !assumptions.contains(term) || core.contains(term) || facts.contains(term));
        }
        let Some(last) = set.last() else { return };
        let alike = self.unsat.entry(*last).or_default();
        if alike.len() == MOST_ALIKE {
            alike.remove(0);
            self.sets -= 1;
        }
        alike.push(set.into_boxed_slice());
        self.sets += 1;
    }
}

impl<S: Solver> Layer for Cache<S> {
    over!(S);

    fn push(&mut self) {
        self.last = Last::Nothing;
        self.frames.push();
        self.vocabulary.push();
        self.below.push();
    }

    fn pop(&mut self) {
        self.last = Last::Nothing;
        self.frames.pop();
        self.vocabulary.pop();
        let facts = self.frames.facts().len();
        self.models.iter_mut().for_each(|model| model.shrink(facts));
        self.below.pop();
    }

    fn assert(&mut self, store: &Store, fact: Term) {
        self.last = Last::Nothing;
        self.frames.assert(fact);
        self.vocabulary.add(store, fact);
        self.below.assert(store, fact);
    }

    fn check(&mut self, store: &Store, assumptions: &[Term]) -> Result<Answer, Why> {
        self.last = Last::Nothing;
        let set = self.set(assumptions);
        if let Some(core) = set.as_ref().and_then(|set| self.find_core(set)) {
            self.last = Last::Core(assumptions.iter().copied().filter(|term| core.contains(term)).collect());
            self.hits_unsat += 1;
            return Ok(Answer::Unsat);
        }
        if self.find_model(store, assumptions) {
            self.hits_sat += 1;
            self.last = Last::Model;
            return Ok(Answer::Sat);
        }
        self.misses += 1;
        let answer = self.below.check(store, assumptions)?;
        self.last = Last::Inner;
        match answer {
            Answer::Sat => self.remember_model(store, assumptions),
            Answer::Unsat => {
                if let Some(set) = set {
                    self.remember_set(set, assumptions);
                }
            }
        }
        Ok(answer)
    }

    fn value(&mut self, store: &Store, term: Term) -> Result<Value, Why> {
        match (&self.last, self.models.front_mut()) {
            (Last::Inner, _) => self.below.value(store, term),
            (Last::Model, Some(model)) => evaluate(&mut model.evaluator, store, term),
            _ => Err(Why::NotAvailable),
        }
    }

    fn core(&mut self) -> Result<Vec<Term>, Why> {
        match &self.last {
            Last::Inner => self.below.core(),
            Last::Core(core) => Ok(core.clone()),
            Last::Nothing | Last::Model => Err(Why::NotAvailable),
        }
    }

    fn count(&self, into: &mut Stats) {
        into.add("cache.sat_hits", self.hits_sat);
        into.add("cache.unsat_hits", self.hits_unsat);
        into.add("cache.misses", self.misses);
    }
}
