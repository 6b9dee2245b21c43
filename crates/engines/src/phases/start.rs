//! The state in which a loop starts, as functions of the variables that it leaves alone.
//!
//! Inputs that are kept in such a variable have its name from then on. What is assumed of the others often determines them:
//! `assume(send == id)`, `assume(round == 0)`, however that is written. So models suggest a constant or a variable for each, and a solver is asked
//! whether it can be otherwise. What still has no name is left out of what is known, which only makes it weaker.

use super::{Round, foreign};
use crate::limits::phases::QUESTION;
use cfa::Program;
use engine::{Cx, Stop};
use smt::{Model, Solver};
use term::eval::OrZero;
use term::subst::Substitution;
use term::{Evaluator, Op, Sort, Term, Value};

pub(super) struct Start {
    /// Of the changed variables.
    pub(super) values: Vec<Term>,
    /// What holds of the others for all time.
    pub(super) facts: Vec<Term>,
    /// Those of them that have one value.
    pub(super) fixed: Vec<(Term, Term)>,
    /// Those that may have several.
    pub(super) free: Vec<Term>,
}

impl Start {
    /// Nothing where the loop is not reached, or where a changed variable has a value of its own.
    pub(super) fn new(round: &Round<'_>, cx: &mut Cx) -> Result<Option<Start>, Stop> {
        let program = round.program;
        let (_, way) = &round.entry.ways[round.way_in];
        let terms = &mut cx.terms;
        let mut constants: Vec<(Term, Term)> =
            round.constants.iter().map(|var| (program.term(*var), way.after.term(terms, *var))).collect();
        let mut changed: Vec<Term> = round.changed.iter().map(|(var, _)| way.after.term(terms, *var)).collect();
        let mut assumed = way.condition;
        // Variables before the first edge are other ones than at the loop's head.
        let all: Vec<Term> =
            constants.iter().map(|(_, value)| value).chain(&changed).chain([&assumed]).copied().collect();
        let (mut apart, mut inputs) = (Substitution::new(), Vec::new());
        for symbol in term::walk::free_vars(terms, &all) {
            let fresh = terms.fresh("start", terms.sort(symbol));
            apart.insert(terms, symbol, fresh);
            inputs.push(fresh);
        }
        constants.iter_mut().for_each(|(_, value)| *value = apart.apply(terms, *value));
        changed.iter_mut().for_each(|value| *value = apart.apply(terms, *value));
        assumed = apart.apply(terms, assumed);

        let mut solver = cx.solver()?;
        solver.assert(&cx.terms, assumed);
        let mut entry = Entry { solver, inputs, models: Vec::new() };
        if entry.is_sat(cx.terms.tt(), cx)? != Some(true) {
            return Ok(None);
        }
        let (mut fixed, mut free, mut names) = (Vec::new(), Vec::new(), Substitution::new());
        let mut kept = Vec::new();
        for &(var, value) in &constants {
            if cx.terms.is_const(value) {
                fixed.push((var, value));
                continue;
            }
            free.push(var);
            if cx.terms.is_var(value) && names.replacements().iter().all(|(input, _)| *input != value) {
                names.insert(&cx.terms, value, var);
            } else {
                kept.push((var, value));
            }
        }
        for input in entry.inputs.clone() {
            if names.replacements().iter().all(|(named, _)| *named != input)
                && let Some(name) = entry.name(input, &constants, cx)?
            {
                names.insert(&cx.terms, input, name);
            }
        }
        let mut values = Vec::new();
        for value in changed {
            let named = names.apply(&mut cx.terms, value);
            if foreign(program, &cx.terms, &[named]).is_empty() {
                values.push(named);
            } else if let Some(name) = entry.name(value, &constants, cx)? {
                values.push(name);
            } else {
                return Ok(None);
            }
        }
        let mut facts = entry.facts(program, assumed, &mut names, cx)?;
        for (var, value) in kept {
            let value = names.apply(&mut cx.terms, value);
            if foreign(program, &cx.terms, &[value]).is_empty() {
                facts.push(cx.terms.eq(var, value));
            }
        }
        for (var, value) in &fixed {
            facts.push(cx.terms.eq(*var, *value));
        }
        facts.retain(|fact| cx.terms.as_bool_const(*fact) != Some(true));
        Ok(Some(Start { values, facts, fixed, free }))
    }
}

/// Ways from the entry to the loop.
struct Entry {
    /// Knows what is assumed on them.
    solver: Box<dyn Solver>,
    inputs: Vec<Term>,
    models: Vec<Evaluator<OrZero<Model>>>,
}

impl Entry {
    /// Whether the fact holds on some way, within the budget; then there is a model of it.
    fn is_sat(&mut self, fact: Term, cx: &Cx) -> Result<Option<bool>, Stop> {
        let answer = cx.try_sat(self.solver.as_mut(), &[fact], QUESTION)?;
        if answer == Some(true) {
            let model = self.solver.model(&cx.terms, &self.inputs)?;
            self.models.push(Evaluator::new(OrZero(model)));
        }
        Ok(answer)
    }

    /// What the term is in every model, if that can be said with one constant or one variable that the loop leaves alone.
    fn name(&mut self, t: Term, constants: &[(Term, Term)], cx: &mut Cx) -> Result<Option<Term>, Stop> {
        if let Ok(value) = self.models[0].eval(&cx.terms, t) {
            let value = cx.terms.value(&value);
            if self.is_always(t, value, cx)? {
                return Ok(Some(value));
            }
        }
        for &(var, value) in constants.iter().filter(|(_, value)| *value != t) {
            if cx.terms.sort(value) == cx.terms.sort(t) && self.is_always(t, value, cx)? {
                return Ok(Some(var));
            }
        }
        Ok(None)
    }

    /// Whether both are equal on all ways.
    fn is_always(&mut self, a: Term, b: Term, cx: &mut Cx) -> Result<bool, Stop> {
        let differ = |model: &mut Evaluator<OrZero<Model>>| model.eval(&cx.terms, a) != model.eval(&cx.terms, b);
        if self.models.iter_mut().any(differ) {
            return Ok(false);
        }
        let different = cx.terms.ne(a, b);
        Ok(self.is_sat(different, cx)? == Some(false))
    }

    /// What is assumed, over the variables that have names: comparisons one by one, as far as they suffice.
    fn facts(
        &mut self,
        program: &Program,
        assumed: Term,
        names: &mut Substitution,
        cx: &mut Cx,
    ) -> Result<Vec<Term>, Stop> {
        let mut facts = Vec::new();
        for t in term::walk::postorder(&cx.terms, &[assumed]) {
            let is_connective = matches!(cx.terms.op(t), Op::And | Op::Or | Op::Not | Op::Ite | Op::Xor);
            let is_equivalence = cx.terms.op(t) == Op::Eq && cx.terms.sort(cx.terms.arg(t, 0)) == Sort::Bool;
            if cx.terms.sort(t) != Sort::Bool || is_connective || is_equivalence || cx.terms.is_const(t) {
                continue;
            }
            let is_true = self.models[0].eval(&cx.terms, t) == Ok(Value::Bool(true));
            let always = cx.terms.bool(is_true);
            if self.is_always(t, always, cx)? {
                let t = if is_true { t } else { cx.terms.not(t) };
                facts.push(names.apply(&mut cx.terms, t));
            }
        }
        let whole = names.apply(&mut cx.terms, assumed);
        let mut asked = facts.clone();
        asked.push(cx.terms.not(whole));
        let mut solver = cx.solver()?;
        if cx.try_sat(solver.as_mut(), &asked, QUESTION)? != Some(false) {
            facts.extend(term::normal::conjuncts(&cx.terms, whole));
        }
        facts.retain(|fact| foreign(program, &cx.terms, &[*fact]).is_empty());
        facts.sort_unstable();
        facts.dedup();
        Ok(facts)
    }
}
