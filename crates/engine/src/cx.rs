//! What an engine may touch while it runs. No globals.

use crate::board::{Board, Fact, FactKind, fingerprint};
use crate::budget::{Budget, Stop};
use crate::task::Task;
use crate::verdict::Why;
use cfa::Loc;
use smt::{Answer, Limits, Solver, SolverSettings};
use std::time::Duration;
use term::{Store, Term};

/// What an engine tells the one who watches.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// All executions with at most this many loop iterations were looked at.
    Bound(u64),
    /// A line for `--verbose`.
    Note(String),
    /// What is said of one formula or one way through the automaton, for `--progress json`.
    Detail(String),
    /// What loop folding does (lines), for `--trace-folding`.
    Folding(String),
    /// An execution reaches a limit of the model, or what is not modelled: there is no proof, only violations can be found.
    Limit(Why),
}

/// The surroundings of one engine.
pub struct Cx {
    /// A copy of the program's store that the engine extends; the terms of its evidence live here.
    pub terms: Store,
    pub budget: Budget,
    pub board: Board,
    pub solvers: SolverSettings,
    listener: Box<dyn FnMut(&Event)>,
    automaton: u64,
    seen: usize,
}

impl Cx {
    pub fn new(task: &Task, budget: Budget, board: Board, solvers: SolverSettings) -> Cx {
        let automaton = fingerprint(&task.program);
        Cx { terms: task.program.terms.clone(), budget, board, solvers, listener: Box::new(|_| {}), automaton, seen: 0 }
    }

    /// Has `listener` told of every event.
    pub fn listen(&mut self, listener: impl FnMut(&Event) + 'static) {
        self.listener = Box::new(listener);
    }

    pub fn tell(&mut self, event: Event) {
        (self.listener)(&event);
    }

    /// A new solver that honours the budget.
    pub fn solver(&self) -> Result<Box<dyn Solver>, Stop> {
        let mut solver = smt::open(&self.solvers)?;
        solver.limit(&self.limits());
        Ok(solver)
    }

    /// The same, for questions about identities between products.
    pub fn normalising_solver(&self) -> Result<Box<dyn Solver>, Stop> {
        let mut solver = smt::open(&self.solvers.clone().normalising())?;
        solver.limit(&self.limits());
        Ok(solver)
    }

    /// What is left of the budget, as a solver understands it.
    fn limits(&self) -> Limits {
        Limits { time: Some(self.budget.left()), cancel: Some(self.budget.cancel_flag()) }
    }

    /// Asks `solver` within what is left of the budget; `true` is satisfiable. No answer is a [`Stop`], never a guess.
    pub fn is_sat(&self, solver: &mut dyn Solver, assumptions: &[Term]) -> Result<bool, Stop> {
        self.budget.check()?;
        solver.limit(&self.limits());
        Ok(solver.check(&self.terms, assumptions)? == Answer::Sat)
    }

    /// As [`Cx::is_sat`], for at most `time`; `None` if that was not enough. For questions that help but need no answer.
    pub fn try_sat(&self, solver: &mut dyn Solver, assumptions: &[Term], time: Duration) -> Result<Option<bool>, Stop> {
        self.budget.check()?;
        let mut limits = self.limits();
        limits.time = limits.time.map(|left| left.min(time));
        solver.limit(&limits);
        match solver.check(&self.terms, assumptions) {
            Ok(answer) => Ok(Some(answer == Answer::Sat)),
            Err(smt::Why::Timeout | smt::Why::GaveUp(_)) => self.budget.check().map(|()| None),
            Err(why) => Err(why.into()),
        }
    }

    /// Publishes a proven invariant.
    pub fn publish_invariant(&self, author: &str, at: Loc, formula: Term) {
        self.publish(author, FactKind::Invariant { at, formula: term::smtlib::print_term(&self.terms, formula) });
    }

    pub fn publish(&self, author: &str, kind: FactKind) {
        self.board.publish(Fact { author: author.to_owned(), automaton: self.automaton, kind });
    }

    /// The largest bound within which someone has found no error.
    pub fn no_error_within(&self) -> u64 {
        let facts = self.board.since(0);
        let bounds = facts.iter().filter(|f| f.automaton == self.automaton).filter_map(|f| match f.kind {
            FactKind::NoErrorWithin { bound } => Some(bound),
            _ => None,
        });
        bounds.max().unwrap_or(0)
    }

    /// The facts about this automaton that are new since the last call.
    pub fn news(&mut self) -> Vec<Fact> {
        let facts = self.board.since(self.seen);
        self.seen += facts.len();
        facts.into_iter().filter(|f| f.automaton == self.automaton).collect()
    }
}
