//! Models: what the variables are, and what the functions are at the points that matter.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;
use term::eval::OrZero;
use term::{Assignment, Evaluator, Func, Op, Store, Term, Value};

use crate::solver::{Solver, Why};

/// Values for the variables of some formulas, and for uninterpreted functions at the arguments that occur in them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Model {
    vars: BTreeMap<Term, Value>,
    points: BTreeMap<(Func, Vec<Value>), Value>,
}

impl Model {
    /// Reads from the solver, whose last answer was `Sat`, what evaluating the given terms takes.
    pub fn read(solver: &mut (impl Solver + ?Sized), store: &Store, terms: &[Term]) -> Result<Model, Why> {
        let mut vocabulary = Vocabulary::default();
        terms.iter().for_each(|&term| vocabulary.add(store, term));
        vocabulary.read(solver, store)
    }

    pub fn get(&self, var: Term) -> Option<&Value> {
        self.vars.get(&var)
    }

    pub fn set(&mut self, var: Term, value: Value) {
        self.vars.insert(var, value);
    }

    /// The variables with their values, by ascending id.
    pub fn iter(&self) -> impl Iterator<Item = (Term, &Value)> {
        self.vars.iter().map(|(var, value)| (*var, value))
    }
}

impl Assignment for Model {
    fn value(&self, _: &Store, var: Term) -> Option<Value> {
        self.vars.get(&var).cloned()
    }

    fn apply(&self, _: &Store, func: Func, args: &[Value]) -> Option<Value> {
        self.points.get(&(func, args.to_vec())).cloned()
    }
}

/// Evaluates under a model, taking everything it leaves open as zero: a total interpretation.
pub(crate) type ModelEvaluator = Evaluator<OrZero<Model>>;

/// The value of any term in that interpretation.
pub(crate) fn evaluate(evaluator: &mut ModelEvaluator, store: &Store, term: Term) -> Result<Value, Why> {
    evaluator.eval(store, term).map_err(|error| Why::Unsupported(error.to_string()))
}

/// The variables and function applications of a stack of formulas, kept up to date as it grows and shrinks.
///
/// Bound variables are included. That does no harm: a solver gives a name it does not know any value, and evaluation
/// under a binder does not look them up.
#[derive(Clone, Debug, Default)]
pub(crate) struct Vocabulary {
    seen: FxHashSet<Term>,
    /// `seen` in order of arrival.
    trail: Vec<Term>,
    /// Those of the trail that a model must interpret.
    atoms: Vec<Term>,
    /// Lengths of `trail` and `atoms` at each push.
    marks: Vec<(usize, usize)>,
}

impl Vocabulary {
    pub(crate) fn push(&mut self) {
        self.marks.push((self.trail.len(), self.atoms.len()));
    }

    pub(crate) fn pop(&mut self) {
        let (trail, atoms) = self.marks.pop().expect("pop without push");
        self.trail.drain(trail..).for_each(|term| {
            self.seen.remove(&term);
        });
        self.atoms.truncate(atoms);
    }

    pub(crate) fn add(&mut self, store: &Store, root: Term) {
        let mut stack = vec![root];
        while let Some(term) = stack.pop() {
            if !self.seen.insert(term) {
                continue;
            }
            self.trail.push(term);
            if matches!(store.op(term), Op::Var(_) | Op::Apply(_)) {
                self.atoms.push(term);
            }
            stack.extend(store.args(term).iter().filter(|arg| !self.seen.contains(arg)));
        }
    }

    /// Reads from the solver, whose last answer was `Sat`, what these atoms are.
    pub(crate) fn read(&self, solver: &mut (impl Solver + ?Sized), store: &Store) -> Result<Model, Why> {
        let mut model = Model::default();
        for &atom in &self.atoms {
            let value = solver.value(store, atom)?;
            let Op::Apply(func) = store.op(atom) else {
                model.vars.insert(atom, value);
                continue;
            };
            let args = store.args(atom).iter().map(|&arg| solver.value(store, arg)).collect::<Result<Vec<_>, _>>()?;
            let known = model.points.entry((func, args)).or_insert_with(|| value.clone());
            if !known.same(&value) {
                let name = &store.func_info(func).name;
                return Err(Why::Contradicted(format!("function {name} has two values at one point")));
            }
        }
        Ok(model)
    }
}
