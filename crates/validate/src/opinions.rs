//! The checker's solver: Z3, by which no engine decides, then Bitwuzla for what Z3 leaves open.
//!
//! Z3 answers most questions in milliseconds and some never. So it gets a moment for each question: a shorter one after it
//! gave no answer, and after several such moments only every few questions, and never more than a part of the time in all.
//! Whose answers a check rests on is counted, and told to the user.

use base::cpu::Deadline;
use smt::{Answer, Backend, Limits, Solver, SolverSettings, Stats, Why, Z3Settings};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use term::{Store, Term, Value};

/// What Z3 gets for a question at first, and at least.
const LONGEST_MOMENT: Duration = Duration::from_secs(1);
const SHORTEST_MOMENT: Duration = Duration::from_millis(50);
/// Of what is left, at most this part.
const PART: u32 = 4;
/// Of the whole time, at most this part.
const PART_IN_ALL: u32 = 3;
/// At most so many questions are not shown to Z3 between two that are.
const MOST_SKIPPED: u32 = 31;

pub(crate) struct Opinions {
    z3: Option<Box<dyn Solver>>,
    bitwuzla: Box<dyn Solver>,
    deadline: Deadline,
    /// At most so long for a question.
    most: Option<Duration>,
    cancel: Arc<AtomicBool>,
    /// What Z3 may still use.
    z3_left: Duration,
    /// How often Z3 gave no answer lately.
    failures: u32,
    /// Questions until the next one for Z3.
    skipped: u32,
    /// Answers that the check got from each.
    by_z3: u64,
    by_bitwuzla: u64,
    /// Whose answer the last one was.
    last_is_z3: bool,
}

/// The engines' solver as the checker uses it: without the layer that refutes by polynomial identities, since the checker
/// has a ring of its own.
pub(crate) fn own() -> SolverSettings {
    SolverSettings { algebra: false, linear: false, ..SolverSettings::default() }
}

impl Opinions {
    /// Answers until the deadline.
    pub(crate) fn until(deadline: Deadline, cancel: Arc<AtomicBool>) -> Result<Opinions, Why> {
        let other = SolverSettings { backend: Backend::Z3(Z3Settings::default()), ..own() };
        Ok(Opinions {
            z3: smt::open(&other).ok(),
            bitwuzla: smt::open(&own())?,
            deadline,
            most: None,
            cancel,
            z3_left: deadline.left() / PART_IN_ALL,
            failures: 0,
            skipped: 0,
            by_z3: 0,
            by_bitwuzla: 0,
            last_is_z3: false,
        })
    }

    /// The solvers that the check rests on.
    pub(crate) fn names(&self) -> &'static str {
        match (&self.z3, self.by_z3, self.by_bitwuzla) {
            (Some(_), _, 0) => "z3",
            (Some(_), 1.., _) => "z3 and bitwuzla",
            _ => "bitwuzla",
        }
    }

    /// For the next question.
    fn left(&self) -> Duration {
        let left = self.deadline.left();
        self.most.map_or(left, |most| most.min(left))
    }

    fn within(&self, time: Duration) -> Limits {
        Limits { time: Some(time), cancel: Some(self.cancel.clone()) }
    }

    /// Z3's answer, if it is asked and has one.
    fn first(&mut self, store: &Store, assumptions: &[Term]) -> Option<Answer> {
        if self.skipped > 0 {
            self.skipped -= 1;
            return None;
        }
        if self.z3_left.is_zero() {
            return None;
        }
        let moment = (LONGEST_MOMENT / (1 << self.failures.min(8))).max(SHORTEST_MOMENT);
        let moment = moment.min(self.left() / PART).min(self.z3_left);
        let limits = self.within(moment);
        let z3 = self.z3.as_mut()?;
        z3.limit(&limits);
        let before = base::cpu::time();
        let answer = z3.check(store, assumptions);
        let used = base::cpu::time().saturating_sub(before);
        self.z3_left = self.z3_left.saturating_sub(used);
        match answer {
            Ok(answer) => {
                // An answer that comes at once says nothing about the hard questions.
                if used > moment / 2 {
                    self.failures = self.failures.saturating_sub(1);
                }
                self.by_z3 += 1;
                Some(answer)
            }
            Err(_) => {
                self.failures += 1;
                self.skipped = ((1 << self.failures.min(8)) - 2).min(MOST_SKIPPED);
                None
            }
        }
    }
}

impl Solver for Opinions {
    fn push(&mut self) {
        self.z3.iter_mut().for_each(|solver| solver.push());
        self.bitwuzla.push();
    }

    fn pop(&mut self) {
        self.z3.iter_mut().for_each(|solver| solver.pop());
        self.bitwuzla.pop();
    }

    fn assert(&mut self, store: &Store, fact: Term) {
        self.z3.iter_mut().for_each(|solver| solver.assert(store, fact));
        self.bitwuzla.assert(store, fact);
    }

    fn check(&mut self, store: &Store, assumptions: &[Term]) -> Result<Answer, Why> {
        if self.deadline.is_over() {
            return Err(Why::Timeout);
        }
        let first = self.first(store, assumptions);
        self.last_is_z3 = first.is_some();
        if let Some(answer) = first {
            return Ok(answer);
        }
        let left = self.left();
        if left.is_zero() {
            return Err(Why::Timeout);
        }
        self.bitwuzla.limit(&self.within(left));
        let answer = self.bitwuzla.check(store, assumptions)?;
        self.by_bitwuzla += 1;
        Ok(answer)
    }

    fn value(&mut self, store: &Store, term: Term) -> Result<Value, Why> {
        match &mut self.z3 {
            Some(z3) if self.last_is_z3 => z3.value(store, term),
            _ => self.bitwuzla.value(store, term),
        }
    }

    fn core(&mut self) -> Result<Vec<Term>, Why> {
        match &mut self.z3 {
            Some(z3) if self.last_is_z3 => z3.core(),
            _ => self.bitwuzla.core(),
        }
    }

    /// Within the deadline, which holds for all questions together.
    fn limit(&mut self, limits: &Limits) {
        self.most = limits.time;
    }

    fn stats(&self, into: &mut Stats) {
        self.z3.iter().for_each(|solver| solver.stats(into));
        self.bitwuzla.stats(into);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;
    use std::rc::Rc;
    use term::Sort;

    /// Always says the same.
    struct Fixed {
        says: Result<Answer, Why>,
        asked: Rc<Cell<u64>>,
    }

    impl Solver for Fixed {
        fn push(&mut self) {}

        fn pop(&mut self) {}

        fn assert(&mut self, _: &Store, _: Term) {}

        fn check(&mut self, _: &Store, _: &[Term]) -> Result<Answer, Why> {
            self.asked.set(self.asked.get() + 1);
            self.says.clone()
        }

        fn value(&mut self, _: &Store, _: Term) -> Result<Value, Why> {
            Err(Why::NotAvailable)
        }

        fn core(&mut self) -> Result<Vec<Term>, Why> {
            Err(Why::NotAvailable)
        }

        fn limit(&mut self, _: &Limits) {}

        fn stats(&self, _: &mut Stats) {}
    }

    fn with_first(says: Result<Answer, Why>, time: Duration) -> (Opinions, Rc<Cell<u64>>) {
        let asked = Rc::new(Cell::new(0));
        let mut opinions = Opinions::until(Deadline::after(time), Arc::default()).expect("Bitwuzla");
        opinions.z3 = Some(Box::new(Fixed { says, asked: asked.clone() }));
        (opinions, asked)
    }

    #[test]
    fn what_the_first_leaves_open_the_second_decides() {
        let mut terms = Store::new();
        let p = terms.var("p", Sort::Bool);
        let not_p = terms.not(p);
        let (mut opinions, asked) = with_first(Err(Why::Timeout), Duration::from_secs(60));
        for _ in 0..200 {
            assert_eq!(opinions.check(&terms, &[p]), Ok(Answer::Sat));
            assert_eq!(opinions.value(&terms, p), Ok(Value::Bool(true)));
            opinions.push();
            opinions.assert(&terms, not_p);
            assert_eq!(opinions.check(&terms, &[p]), Ok(Answer::Unsat));
            opinions.pop();
        }
        assert_eq!(opinions.names(), "bitwuzla");
        // It is not asked in vain each time, and never given up for good.
        assert!((10..40).contains(&asked.get()), "{}", asked.get());
    }

    #[test]
    fn it_is_told_whose_answers_a_check_rests_on() {
        let mut terms = Store::new();
        let p = terms.var("p", Sort::Bool);
        let (mut opinions, _) = with_first(Ok(Answer::Unsat), Duration::from_secs(60));
        assert_eq!(opinions.check(&terms, &[p]), Ok(Answer::Unsat));
        assert_eq!(opinions.names(), "z3");
        opinions.z3 = Some(Box::new(Fixed { says: Err(Why::Timeout), asked: Rc::default() }));
        assert_eq!(opinions.check(&terms, &[p]), Ok(Answer::Sat));
        assert_eq!(opinions.names(), "z3 and bitwuzla");
    }

    #[test]
    fn after_the_deadline_nobody_is_asked() {
        let terms = Store::new();
        let (mut opinions, asked) = with_first(Ok(Answer::Unsat), Duration::ZERO);
        assert_eq!(opinions.check(&terms, &[]), Err(Why::Timeout));
        assert_eq!(asked.get(), 0);
    }
}
