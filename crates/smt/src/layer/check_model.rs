//! Trusts no `Sat`: evaluates every fact and assumption under the model found.
//!
//! A fact that comes out false is [`Why::Contradicted`]: either the solver or our translation or our evaluator is wrong,
//! and nobody may build on the answer. Facts without a definite value (quantifiers, conversions that SMT-LIB leaves open)
//! are counted as unchecked.

use term::{EvalError, Evaluator, Store, Term, Value};

use crate::frames::Frames;
use crate::layer::Layer;
use crate::model::{Model, Vocabulary};
use crate::solver::{Answer, Solver, Stats, Why};

/// See the module.
pub struct CheckModel<S> {
    below: S,
    frames: Frames,
    vocabulary: Vocabulary,
    checked: u64,
    unchecked: u64,
}

impl<S: Solver> CheckModel<S> {
    pub fn over(below: S) -> CheckModel<S> {
        CheckModel { below, frames: Frames::default(), vocabulary: Vocabulary::default(), checked: 0, unchecked: 0 }
    }

    fn verify(&mut self, store: &Store, assumptions: &[Term], model: &Model) -> Result<(), Why> {
        let mut evaluator = Evaluator::new(model);
        for &fact in self.frames.facts().iter().chain(assumptions) {
            match evaluator.eval(store, fact) {
                Ok(Value::Bool(true)) => self.checked += 1,
                Ok(_) => {
                    let fact = term::smtlib::print_term(store, fact);
                    return Err(Why::Contradicted(format!("the model makes {} false", abridged(&fact))));
                }
                Err(EvalError::Unspecified(_) | EvalError::Quantifier(_)) => self.unchecked += 1,
                Err(error) => return Err(Why::Contradicted(format!("incomplete model: {error}"))),
            }
        }
        Ok(())
    }
}

/// A text of readable length.
fn abridged(text: &str) -> String {
    const LENGTH: usize = 2000;
    match text.char_indices().nth(LENGTH) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_string(),
    }
}

impl<S: Solver> Layer for CheckModel<S> {
    over!(S);

    fn push(&mut self) {
        self.frames.push();
        self.vocabulary.push();
        self.below.push();
    }

    fn pop(&mut self) {
        self.frames.pop();
        self.vocabulary.pop();
        self.below.pop();
    }

    fn assert(&mut self, store: &Store, fact: Term) {
        self.frames.assert(fact);
        self.vocabulary.add(store, fact);
        self.below.assert(store, fact);
    }

    fn check(&mut self, store: &Store, assumptions: &[Term]) -> Result<Answer, Why> {
        let answer = self.below.check(store, assumptions)?;
        if answer == Answer::Sat {
            self.vocabulary.push();
            assumptions.iter().for_each(|&assumption| self.vocabulary.add(store, assumption));
            let model = self.vocabulary.read(&mut self.below, store);
            self.vocabulary.pop();
            self.verify(store, assumptions, &model?)?;
        }
        Ok(answer)
    }

    fn count(&self, into: &mut Stats) {
        into.add("check_model.facts", self.checked);
        into.add("check_model.unchecked", self.unchecked);
    }
}
