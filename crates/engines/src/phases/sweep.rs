//! Terms that are one function of the samples are proved to be one function, and then are one term: sweeping, as equivalence checkers of
//! circuits do it (Kuehlmann and Krohm 1997), on words.
//!
//! Terms are rebuilt from the leaves on. Samples put them into classes: those that may be equal to an earlier one, or to a constant. A
//! solver is asked, for a moment; a model that tells them apart is one more sample. So each question is about two terms
//! whose parts have been made one before.
//!
//! Comparisons of choices are choices between comparisons ([`smt::choices`]).

use super::Settings;
use super::start::Start;
use crate::limits::phases::CHANGES;
use engine::{Cx, Stop};
use rustc_hash::FxHashMap;
use smt::choices::{is_comparison, taken_apart};
use smt::{Model, Solver};
use std::time::Duration;
use term::eval::OrZero;
use term::random::Rng;
use term::{Bits, Evaluator, Op, Sort, Store, Term, Value};

pub(super) struct Sweeper {
    /// Knows what holds of all states.
    solver: Box<dyn Solver>,
    patience: Duration,
    /// The variables that samples have values for.
    free: Vec<Term>,
    samples: Vec<Sample>,
    /// What each term has become.
    swept: FxHashMap<Term, Term>,
    /// Whether there are other variables, too: of terms with those nothing is asked.
    has_others: bool,
    /// Equalities that were taken apart.
    equalities: FxHashMap<Term, Term>,
    /// Choices inside of one another that comparisons are taken apart along.
    max_depth: u32,
    /// The first term of each class, by its values.
    classes: FxHashMap<Vec<Value>, Term>,
}

struct Sample {
    model: Model,
    values: Evaluator<OrZero<Model>>,
}

impl Sample {
    fn new(model: Model) -> Sample {
        Sample { values: Evaluator::new(OrZero(model.clone())), model }
    }
}

impl Sweeper {
    /// With samples of the start; nothing if there are none. The solver has its facts.
    pub(super) fn new(
        start: &Start,
        solver: Box<dyn Solver>,
        settings: &Settings,
        cx: &mut Cx,
    ) -> Result<Option<Sweeper>, Stop> {
        let mut sweeper = Sweeper {
            solver,
            patience: settings.sweep_time,
            free: start.free.clone(),
            samples: Vec::new(),
            swept: FxHashMap::default(),
            has_others: false,
            equalities: FxHashMap::default(),
            max_depth: settings.max_depth,
            classes: FxHashMap::default(),
        };
        let always = cx.terms.tt();
        let Some(first) = sweeper.model(&[always], cx)? else { return Ok(None) };
        // One is changed into the next, as long as it stays a start: so they spread without further questions.
        let mut rng = Rng::new(1);
        let mut now = first.clone();
        let mut models = vec![first];
        for change in 0..settings.samples * CHANGES {
            cx.budget.check()?;
            let mut changed = now.clone();
            sweeper.change(&mut changed, &cx.terms, &mut rng);
            let mut values = Evaluator::new(OrZero(changed.clone()));
            if start.facts.iter().all(|fact| values.eval(&cx.terms, *fact) == Ok(Value::Bool(true))) {
                now = changed;
            }
            if change % CHANGES == CHANGES - 1 && !models.contains(&now) {
                models.push(now.clone());
            }
        }
        sweeper.samples = models.into_iter().map(Sample::new).collect();
        Ok(Some(sweeper))
    }

    /// Another value for one variable: any, a small one, or that of another variable, which then gets its.
    fn change(&self, model: &mut Model, terms: &Store, rng: &mut Rng) {
        if self.free.is_empty() {
            return;
        }
        let var = *rng.pick(&self.free);
        let sort = terms.sort(var);
        let value = match (rng.below(3), sort) {
            (0, Sort::Bv(width)) => Value::Bv(Bits::new(rng.below(8) as u128, width)),
            (1, _) => {
                let other = *rng.pick(&self.free);
                if terms.sort(other) != sort {
                    return;
                }
                let own = model.get(var).cloned().unwrap_or_else(|| Value::zero(sort));
                let value = model.get(other).cloned().unwrap_or_else(|| Value::zero(sort));
                model.set(other, own);
                value
            }
            _ => rng.value(sort),
        };
        model.set(var, value);
    }

    /// The first sample.
    pub(super) fn sample(&self) -> &Model {
        &self.samples[0].model
    }

    /// A state of the start in which the facts hold.
    pub(super) fn model(&mut self, facts: &[Term], cx: &Cx) -> Result<Option<Model>, Stop> {
        let any = facts.iter().find(|fact| cx.terms.as_bool_const(**fact) == Some(false));
        if any.is_some() || !cx.is_sat(self.solver.as_mut(), facts)? {
            return Ok(None);
        }
        Ok(Some(Model::read(self.solver.as_mut(), &cx.terms, &self.free)?))
    }

    /// Whether no state of the start, with any values of other variables, has the facts; within the time.
    pub(super) fn refutes(&mut self, facts: &[Term], time: Duration, cx: &Cx) -> Result<bool, Stop> {
        Ok(cx.try_sat(self.solver.as_mut(), facts, time)? == Some(false))
    }

    /// A term that is the same function in all states of the start.
    pub(super) fn sweep(&mut self, root: Term, cx: &mut Cx) -> Result<Term, Stop> {
        for t in term::walk::postorder(&cx.terms, &[root]) {
            if self.swept.contains_key(&t) {
                continue;
            }
            let args: Vec<Term> = cx.terms.args(t).iter().map(|arg| self.swept[arg]).collect();
            let op = cx.terms.op(t);
            let one = match args[..] {
                [a, b] if is_comparison(&cx.terms, t) => self.compare(op, a, b, self.max_depth, cx)?,
                _ => {
                    let rebuilt = if args == cx.terms.args(t) { t } else { cx.terms.mk(op, &args) };
                    self.one(rebuilt, cx)?
                }
            };
            self.swept.insert(t, one);
        }
        Ok(self.swept[&root])
    }

    /// That two terms that have been swept are equal, by choices between comparisons that are not swept themselves: they are asked once.
    pub(super) fn equal(&mut self, a: Term, b: Term, cx: &mut Cx) -> Term {
        match cx.terms.sort(a) {
            Sort::Bv(_) => self.apart(a, b, self.max_depth, &mut cx.terms),
            _ => cx.terms.eq(a, b),
        }
    }

    fn apart(&mut self, a: Term, b: Term, depth: u32, terms: &mut Store) -> Term {
        let plain = terms.eq(a, b);
        if let Some(known) = self.swept.get(&plain).or_else(|| self.equalities.get(&plain)) {
            return *known;
        }
        let Some((condition, [left, right])) = taken_apart(terms, a, b).filter(|_| depth > 0) else { return plain };
        let left = self.apart(left.0, left.1, depth - 1, terms);
        let right = self.apart(right.0, right.1, depth - 1, terms);
        let apart = terms.ite(condition, left, right);
        self.equalities.insert(plain, apart);
        apart
    }

    /// A comparison of terms that have been swept.
    fn compare(&mut self, op: Op, a: Term, b: Term, depth: u32, cx: &mut Cx) -> Result<Term, Stop> {
        let plain = cx.terms.mk(op, &[a, b]);
        if let Some(known) = self.swept.get(&plain) {
            return Ok(*known);
        }
        let parts = taken_apart(&cx.terms, a, b).filter(|_| depth > 0 && !cx.terms.is_const(plain));
        let Some((condition, [left, right])) = parts else { return self.one(plain, cx) };
        let left = self.compare(op, left.0, left.1, depth - 1, cx)?;
        let right = self.compare(op, right.0, right.1, depth - 1, cx)?;
        let apart = cx.terms.ite(condition, left, right);
        let one = self.one(apart, cx)?;
        self.swept.insert(plain, one);
        Ok(one)
    }

    /// What the term is, whose parts have been swept.
    fn one(&mut self, t: Term, cx: &mut Cx) -> Result<Term, Stop> {
        if let Some(known) = self.swept.get(&t) {
            return Ok(*known);
        }
        let one = self.represent(t, cx)?;
        self.swept.insert(t, one);
        self.swept.insert(one, one);
        Ok(one)
    }

    /// The first term of the class of `t`.
    fn represent(&mut self, t: Term, cx: &mut Cx) -> Result<Term, Stop> {
        let is_other = |var: &Term| !self.free.contains(var);
        self.has_others |= cx.terms.is_var(t) && is_other(&t);
        let is_open = self.has_others && term::walk::free_vars(&cx.terms, &[t]).iter().any(is_other);
        if is_open || cx.terms.is_const(t) || !matches!(cx.terms.sort(t), Sort::Bool | Sort::Bv(_)) {
            return Ok(t);
        }
        loop {
            cx.budget.check()?;
            let mut values = Vec::new();
            for sample in &mut self.samples {
                let Ok(value) = sample.values.eval(&cx.terms, t) else { return Ok(t) };
                values.push(value);
            }
            let is_one = values.iter().all(|value| *value == values[0]);
            let other = if is_one {
                Some(cx.terms.value(&values[0]))
            } else {
                self.classes.get(&values).copied().filter(|other| cx.terms.sort(*other) == cx.terms.sort(t))
            };
            let Some(other) = other else {
                self.classes.entry(values).or_insert(t);
                return Ok(t);
            };
            if other == t {
                return Ok(t);
            }
            let equal = self.equal(t, other, cx);
            let different = cx.terms.not(equal);
            match cx.try_sat(self.solver.as_mut(), &[different], self.patience)? {
                Some(false) => return Ok(other),
                None => return Ok(t),
                Some(true) => {
                    let model = Model::read(self.solver.as_mut(), &cx.terms, &self.free)?;
                    self.tell_apart(model, &cx.terms);
                }
            }
        }
    }

    /// One more sample.
    fn tell_apart(&mut self, model: Model, terms: &Store) {
        let mut sample = Sample::new(model);
        let mut classes: Vec<(Vec<Value>, Term)> = self.classes.drain().collect();
        classes.sort_unstable_by_key(|(_, t)| *t);
        for (mut values, t) in classes {
            if let Ok(value) = sample.values.eval(terms, t) {
                values.push(value);
                self.classes.insert(values, t);
            }
        }
        self.samples.push(sample);
    }
}
