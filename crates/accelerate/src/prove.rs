//! Questions to the solver with a time limit each. No answer is never taken for one: it only means that something is not used.

use engine::{Budget, Stop};
use smt::{Answer, Limits, Solver, SolverSettings, Why};
use std::time::Duration;
use term::{Store, Term};

/// Proves side conditions of accelerators.
pub(crate) struct Prover<'b> {
    budget: &'b Budget,
    solver: Box<dyn Solver>,
    time: Duration,
}

impl<'b> Prover<'b> {
    pub(crate) fn new(budget: &'b Budget, settings: &SolverSettings, time: Duration) -> Result<Prover<'b>, Stop> {
        Ok(Prover { budget, solver: smt::open(settings)?, time })
    }

    /// Whether the formula is known to have no model. `Err` only when everything has to stop.
    pub(crate) fn is_unsat(&mut self, terms: &Store, formula: Term) -> Result<bool, Stop> {
        Ok(self.ask(terms, &[formula])? == Some(Answer::Unsat))
    }

    /// The answer, if there is one in time.
    pub(crate) fn ask(&mut self, terms: &Store, formulas: &[Term]) -> Result<Option<Answer>, Stop> {
        self.budget.check()?;
        let time = self.time.min(self.budget.left());
        self.solver.limit(&Limits { time: Some(time), cancel: Some(self.budget.cancel_flag()) });
        match self.solver.check(terms, formulas) {
            Ok(answer) => Ok(Some(answer)),
            Err(why @ (Why::Cancelled | Why::Contradicted(_))) => Err(why.into()),
            Err(_) => Ok(None),
        }
    }

    /// Whether a formula is true in the model of the last answer.
    pub(crate) fn holds(&mut self, terms: &Store, formula: Term) -> Result<bool, Stop> {
        Ok(encode::trace::holds(terms, self.solver.as_mut(), formula)?)
    }

    pub(crate) fn budget(&self) -> &Budget {
        self.budget
    }
}
