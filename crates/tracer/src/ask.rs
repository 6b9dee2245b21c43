//! Questions to the solver about the state of a node.
//!
//! The path condition of a node is satisfiable: that is why the node exists. So conjuncts that share no symbol with a
//! question, directly or through others, cannot change its answer and are left out. Questions become small, and the same
//! ones come again on other paths: they are remembered.

use crate::limits::ask::PATIENCE;
use engine::{Cx, Stop};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Solver, differences};
use std::rc::Rc;
use term::eval::OrZero;
use term::{Evaluator, Store, Term, Value};

/// Values of symbols; those that are missing are zero.
pub(crate) type Model = FxHashMap<Term, Value>;

pub(crate) struct Ask {
    solver: Box<dyn Solver>,
    refuted: FxHashMap<Vec<Term>, bool>,
    found: FxHashMap<Vec<Term>, Found>,
    free: FxHashMap<Term, Rc<[Term]>>,
    pub(crate) asked: u64,
}

/// The answer to a search for values.
#[derive(Clone)]
pub(crate) enum Found {
    Values(Rc<Model>),
    Nothing,
    /// No answer in time.
    Unclear,
}

impl Ask {
    pub(crate) fn new(cx: &Cx) -> Result<Ask, Stop> {
        Ok(Ask {
            solver: cx.solver()?,
            refuted: FxHashMap::default(),
            found: FxHashMap::default(),
            free: FxHashMap::default(),
            asked: 0,
        })
    }

    pub(crate) fn solver(&mut self) -> &mut dyn Solver {
        self.solver.as_mut()
    }

    /// The symbols in a term, by ascending id.
    pub(crate) fn symbols(&mut self, terms: &Store, t: Term) -> Rc<[Term]> {
        self.free.entry(t).or_insert_with(|| term::free_vars(terms, &[t]).into()).clone()
    }

    /// Whether the satisfiable conjunction `path` contradicts the question. `false`: no, or not known.
    pub(crate) fn refuted(&mut self, cx: &Cx, path: &[Term], question: &[Term]) -> Result<bool, Stop> {
        let Some(key) = self.relevant(&cx.terms, path, question) else { return Ok(true) };
        if key.is_empty() {
            return Ok(false);
        }
        if let Some(known) = self.refuted.get(&key) {
            return Ok(*known);
        }
        self.asked += 1;
        let answer = differences::contradictory(&cx.terms, &key)
            || cx.try_sat(self.solver.as_mut(), &key, PATIENCE)? == Some(false);
        self.refuted.insert(key, answer);
        Ok(answer)
    }

    /// Values under which `path`, known to be satisfied by `model` where one is given, and the question hold.
    pub(crate) fn find(
        &mut self,
        cx: &Cx,
        path: &[Term],
        model: Option<&Model>,
        question: Term,
    ) -> Result<Found, Stop> {
        let Some(key) = self.relevant(&cx.terms, path, &[question]) else { return Ok(Found::Nothing) };
        let found = match self.found.get(&key) {
            Some(known) => known.clone(),
            None => {
                self.asked += 1;
                let found = match cx.try_sat(self.solver.as_mut(), &key, PATIENCE)? {
                    Some(true) => {
                        let mut values = Model::default();
                        for symbol in term::free_vars(&cx.terms, &key) {
                            values.insert(symbol, self.solver.value(&cx.terms, symbol)?);
                        }
                        Found::Values(Rc::new(values))
                    }
                    Some(false) => Found::Nothing,
                    None => Found::Unclear,
                };
                self.found.insert(key, found.clone());
                found
            }
        };
        let (Found::Values(new), Some(old)) = (&found, model) else { return Ok(found) };
        // What was left out keeps the values that it had.
        let mut all = old.clone();
        all.extend(new.iter().map(|(symbol, value)| (*symbol, value.clone())));
        Ok(Found::Values(Rc::new(all)))
    }

    /// Those conjuncts of the satisfiable `path` and the question that contradict each other; `None` if that is not known.
    pub(crate) fn core(&mut self, cx: &Cx, path: &[Term], question: &[Term]) -> Result<Option<Vec<Term>>, Stop> {
        let Some(conjunction) = self.relevant(&cx.terms, path, question) else {
            return Ok(Some(question.iter().copied().filter(|t| cx.terms.as_bool_const(*t) == Some(false)).collect()));
        };
        self.asked += 1;
        if cx.try_sat(self.solver.as_mut(), &conjunction, PATIENCE)? != Some(false) {
            return Ok(None);
        }
        Ok(Some(self.solver.core()?))
    }

    /// The question with the conjuncts of `path` that are connected to it, sorted; `None` if it is false by itself.
    fn relevant(&mut self, terms: &Store, path: &[Term], question: &[Term]) -> Option<Vec<Term>> {
        let mut key: Vec<Term> = Vec::new();
        for &t in question {
            match terms.as_bool_const(t) {
                Some(false) => return None,
                Some(true) => {}
                None => key.push(t),
            }
        }
        let mut reached: FxHashSet<Term> = FxHashSet::default();
        for &t in &key {
            reached.extend(self.symbols(terms, t).iter());
        }
        let mut rest: Vec<(Term, Rc<[Term]>)> = path.iter().map(|t| (*t, self.symbols(terms, *t))).collect();
        loop {
            let before = rest.len();
            rest.retain(|(t, symbols)| {
                let connected = symbols.iter().any(|s| reached.contains(s));
                if connected {
                    reached.extend(symbols.iter());
                    key.push(*t);
                }
                !connected
            });
            if rest.len() == before {
                break;
            }
        }
        key.sort_unstable();
        key.dedup();
        Some(key)
    }
}

/// Whether the condition holds under the values; `None` where they do not determine it.
pub(crate) fn holds(terms: &Store, model: &Model, condition: Term) -> Option<bool> {
    match Evaluator::new(OrZero(model)).eval(terms, condition) {
        Ok(Value::Bool(known)) => Some(known),
        _ => None,
    }
}
