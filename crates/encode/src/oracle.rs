//! A solver that may shrug: questions with a limit of effort, for engines that can go on without an answer.
//!
//! `None` is "not known", and callers must treat it as the answer that proves nothing.

use engine::{Cx, Stop};
use smt::{Limits, Model, Solver, SolverSettings};
use std::time::Duration;
use term::{Term, Value};

/// A solver for questions about conjunctions.
pub struct Oracle {
    solver: Box<dyn Solver>,
    /// The effort for one question.
    pub patience: Duration,
    /// Questions that were not decided by a look.
    pub asked: u64,
}

impl Oracle {
    pub fn new(cx: &Cx, patience: Duration) -> Result<Oracle, Stop> {
        let settings = SolverSettings { differences: true, ..cx.solvers.clone() };
        Ok(Oracle { solver: smt::open(&settings)?, patience, asked: 0 })
    }

    /// Whether the conjunction is satisfiable.
    pub fn sat(&mut self, cx: &Cx, conjunction: &[Term]) -> Result<Option<bool>, Stop> {
        if conjunction.iter().any(|t| cx.terms.as_bool_const(*t) == Some(false)) {
            return Ok(Some(false));
        }
        cx.budget.check()?;
        self.asked += 1;
        let time = self.patience.min(cx.budget.left());
        self.solver.limit(&Limits { time: Some(time), cancel: Some(cx.budget.cancel_flag()) });
        match self.solver.check(&cx.terms, conjunction) {
            Ok(answer) => Ok(Some(answer == smt::Answer::Sat)),
            Err(why @ smt::Why::Contradicted(_)) => Err(why.into()),
            Err(smt::Why::Cancelled) => Err(Stop::Cancelled),
            Err(_) => {
                cx.budget.check()?;
                Ok(None)
            }
        }
    }

    /// Whether the conjunction is known to be unsatisfiable.
    pub fn refuted(&mut self, cx: &Cx, conjunction: &[Term]) -> Result<bool, Stop> {
        Ok(self.sat(cx, conjunction)? == Some(false))
    }

    /// Values of everything in `terms`, after a question that was answered by `Some(true)`.
    pub fn model(&mut self, cx: &Cx, terms: &[Term]) -> Result<Model, Stop> {
        Ok(self.solver.model(&cx.terms, terms)?)
    }

    /// Whether the model of the last question, answered by `Some(true)`, is known to satisfy the formula.
    pub fn holds(&mut self, cx: &Cx, formula: Term) -> bool {
        self.solver.value(&cx.terms, formula) == Ok(Value::Bool(true))
    }

    /// Those conjuncts of the last question, answered by `Some(false)`, that contradict each other, if that is known.
    pub fn core(&mut self) -> Option<Vec<Term>> {
        self.solver.core().ok()
    }
}
