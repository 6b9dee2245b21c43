//! The checker's solver: Z3, by which no engine decides, then Bitwuzla for what Z3 leaves open.
//!
//! Both answer most questions in milliseconds and some never, and which ones nobody can tell. So they take turns: Z3 first, then Z3 about
//! integers ([`integers`]), where it can only refute, then Bitwuzla, for a moment each, then for a longer one. Who gave no answer in the first
//! turn is left out of it for some questions. Every turn starts from nothing, so later ones begin with the one who answered the last question of
//! its kind that the first turn left open: at first with Bitwuzla, which decides most long questions about bits, and gets as much as the others
//! together; where sums of wide numbers are compared, with Z3 about integers.
//! Whose answers a check rests on is counted, and told to the user.

use crate::integers;
use crate::limits::opinions::{BOTH, FIRST_MOMENT, LONGER, MOST_SKIPPED, PART, PART_IN_ALL};
use base::cpu::Deadline;
use smt::{Answer, Backend, Limits, Solver, SolverSettings, Stats, Why, Z3Scripts, Z3Settings};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use term::{Store, Term, Value};

/// See the module.
pub struct Opinions {
    z3: Option<Box<dyn Solver>>,
    bitwuzla: Box<dyn Solver>,
    /// For questions over the integers.
    scripts: Option<Z3Scripts>,
    /// The facts that hold on each level: a script says them all.
    levels: Vec<Vec<Term>>,
    deadline: Deadline,
    /// For one question.
    longest: Option<Duration>,
    cancel: Arc<AtomicBool>,
    /// What Z3 may still use for questions about bits.
    z3_left: Duration,
    bits: Patience,
    integers: Patience,
    /// Whether Bitwuzla answered the last question that was open after the first turn: of those that do not compare sums of wide numbers, and
    /// of those that do.
    bitwuzla_first: [bool; 2],
    /// Answers that the check got from each.
    by_z3: u64,
    by_bitwuzla: u64,
    last: Last,
}

/// Whose answer the last one was.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    Bits,
    Bitwuzla,
    /// Integers say no more than that there is no model.
    Integers,
}

/// Whether somebody who may not answer is asked in the first turn.
#[derive(Default)]
struct Patience {
    /// How often there was no answer in the first turn lately.
    failures: u32,
    /// Questions until the next one that is asked.
    skipped: u32,
}

impl Patience {
    fn asks(&mut self, is_first: bool) -> bool {
        let skips = is_first && self.skipped > 0;
        self.skipped -= u32::from(skips);
        !skips
    }

    /// What came of a moment in the first turn. An answer that comes at once says nothing about the hard questions.
    fn note(&mut self, answered: bool, took: Duration) {
        if !answered {
            self.failures += 1;
            self.skipped = ((1 << self.failures.min(8)) - 2).min(MOST_SKIPPED);
        } else if took > FIRST_MOMENT / 2 {
            self.failures = self.failures.saturating_sub(1);
        }
    }
}

/// The engines' solver as the checker uses it: without the layers that refute by polynomial identities, by sums and by the values of
/// factors, since the checker has a ring, integers and cases of its own.
pub(crate) fn own() -> SolverSettings {
    SolverSettings {
        algebra: false,
        linear: false,
        small_factors: false,
        numbering: false,
        ..SolverSettings::default()
    }
    .normalising()
}

impl Opinions {
    /// Answers until the deadline.
    pub fn until(deadline: Deadline, cancel: Arc<AtomicBool>) -> Result<Opinions, Why> {
        let settings = Z3Settings::default();
        let other = SolverSettings { backend: Backend::Z3(settings.clone()), ..own() };
        let z3 = smt::open(&other).ok();
        Ok(Opinions {
            scripts: z3.is_some().then(|| Z3Scripts::new(&settings)),
            z3,
            bitwuzla: smt::open(&own())?,
            levels: vec![Vec::new()],
            deadline,
            longest: None,
            cancel,
            z3_left: deadline.left() / PART_IN_ALL,
            bits: Patience::default(),
            integers: Patience::default(),
            bitwuzla_first: [true, false],
            by_z3: 0,
            by_bitwuzla: 0,
            last: Last::Integers,
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

    fn within(&self, time: Duration) -> Limits {
        Limits { time: Some(time), cancel: Some(self.cancel.clone()) }
    }

    /// Z3's answer, if it is asked and has one.
    fn with_bits(&mut self, store: &Store, assumptions: &[Term], turn: &Turn) -> Option<Answer> {
        if self.z3_left.is_zero() || !self.bits.asks(turn.is_first) {
            return None;
        }
        let limits = self.within(turn.moment.min(turn.deadline.left() / PART).min(self.z3_left));
        let z3 = self.z3.as_mut()?;
        z3.limit(&limits);
        let before = base::cpu::time();
        let answer = z3.check(store, assumptions).ok();
        let took = base::cpu::time().saturating_sub(before);
        self.z3_left = self.z3_left.saturating_sub(took);
        if turn.is_first {
            self.bits.note(answer.is_some(), took);
        }
        answer
    }

    /// Z3's answer, about bits or about integers.
    fn with_z3(&mut self, store: &Store, assumptions: &[Term], turn: &mut Turn) -> Option<Answer> {
        let integers_first = turn.compares_sums && !turn.is_first;
        for about_integers in [integers_first, !integers_first] {
            let answer = if !about_integers {
                self.last = Last::Bits;
                self.with_bits(store, assumptions, turn)
            } else if turn.may_refute {
                self.last = Last::Integers;
                let answer = self.with_integers(store, assumptions, turn);
                // What integers do not refute may still have no model.
                turn.may_refute = answer != Some(Answer::Sat);
                answer.filter(|answer| *answer == Answer::Unsat)
            } else {
                None
            };
            if answer.is_some() {
                return answer;
            }
        }
        None
    }

    /// Bitwuzla's answer; nothing if there is time for another turn.
    fn with_bitwuzla(&mut self, store: &Store, assumptions: &[Term], turn: &Turn) -> Result<Option<Answer>, Why> {
        let left = turn.deadline.left();
        if left.is_zero() {
            return Err(Why::Timeout);
        }
        let moment = if turn.is_first { turn.moment } else { turn.moment * BOTH };
        // Who comes after it gets its turn, too.
        let moment = if self.is_bitwuzla_first(turn) && turn.may_refute { moment.min(left / BOTH) } else { moment };
        self.bitwuzla.limit(&self.within(left.min(moment)));
        match self.bitwuzla.check(store, assumptions) {
            Err(Why::Timeout) if left > moment => Ok(None),
            answer => answer.map(Some),
        }
    }

    fn is_bitwuzla_first(&self, turn: &Turn) -> bool {
        !turn.is_first && self.bitwuzla_first[usize::from(turn.compares_sums)]
    }

    /// What Z3 says about the question over the integers: that it is refuted, or that it is not and never will be.
    fn with_integers(&mut self, store: &Store, assumptions: &[Term], turn: &Turn) -> Option<Answer> {
        if !self.integers.asks(turn.is_first) {
            return None;
        }
        let limits = self.within(turn.moment.min(turn.deadline.left() / PART));
        let z3 = self.scripts.as_mut()?;
        let facts: Vec<Term> = self.levels.iter().flatten().chain(assumptions).copied().collect();
        let before = base::cpu::time();
        let script = integers::script(store, &facts);
        let answer = script.map_or(Some(Answer::Sat), |script| z3.check(&script, &limits).ok());
        if turn.is_first {
            self.integers.note(answer == Some(Answer::Unsat), base::cpu::time().saturating_sub(before));
        }
        answer
    }
}

/// One round of all.
struct Turn {
    is_first: bool,
    moment: Duration,
    deadline: Deadline,
    /// Whether integers may still refute the question.
    may_refute: bool,
    /// Whether sums of wide numbers are compared.
    compares_sums: bool,
}

impl Solver for Opinions {
    fn push(&mut self) {
        self.z3.iter_mut().for_each(|solver| solver.push());
        self.bitwuzla.push();
        self.levels.push(Vec::new());
    }

    fn pop(&mut self) {
        self.z3.iter_mut().for_each(|solver| solver.pop());
        self.bitwuzla.pop();
        self.levels.pop();
    }

    fn assert(&mut self, store: &Store, fact: Term) {
        self.z3.iter_mut().for_each(|solver| solver.assert(store, fact));
        self.bitwuzla.assert(store, fact);
        self.levels.last_mut().expect("the lowest level stays").push(fact);
    }

    fn check(&mut self, store: &Store, assumptions: &[Term]) -> Result<Answer, Why> {
        if self.deadline.is_over() {
            return Err(Why::Timeout);
        }
        let left = self.deadline.left();
        let deadline = Deadline::after(self.longest.map_or(left, |longest| longest.min(left)));
        let compares_sums = self.scripts.is_some() && {
            let facts: Vec<Term> = self.levels.iter().flatten().chain(assumptions).copied().collect();
            smt::linear::concerns(store, &facts)
        };
        let mut turn = Turn { is_first: true, moment: FIRST_MOMENT, deadline, may_refute: true, compares_sums };
        loop {
            let order = if self.is_bitwuzla_first(&turn) { [true, false] } else { [false, true] };
            for is_bitwuzla in order {
                let answer = if is_bitwuzla {
                    self.last = Last::Bitwuzla;
                    self.with_bitwuzla(store, assumptions, &turn)?
                } else {
                    self.with_z3(store, assumptions, &mut turn)
                };
                if let Some(answer) = answer {
                    self.by_bitwuzla += u64::from(is_bitwuzla);
                    self.by_z3 += u64::from(!is_bitwuzla);
                    if !turn.is_first {
                        self.bitwuzla_first[usize::from(turn.compares_sums)] = is_bitwuzla;
                    }
                    return Ok(answer);
                }
            }
            turn = Turn { is_first: false, moment: turn.moment * LONGER, ..turn };
        }
    }

    fn value(&mut self, store: &Store, term: Term) -> Result<Value, Why> {
        match (self.last, &mut self.z3) {
            (Last::Bits, Some(z3)) => z3.value(store, term),
            (Last::Bitwuzla, _) => self.bitwuzla.value(store, term),
            _ => Err(Why::NotAvailable),
        }
    }

    fn core(&mut self) -> Result<Vec<Term>, Why> {
        match (self.last, &mut self.z3) {
            (Last::Bits, Some(z3)) => z3.core(),
            (Last::Bitwuzla, _) => self.bitwuzla.core(),
            _ => Err(Why::NotAvailable),
        }
    }

    /// Of one question; the deadline is that of all.
    fn limit(&mut self, limits: &Limits) {
        self.longest = limits.time;
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
        opinions.scripts = None;
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
    fn sums_of_wide_numbers_are_for_integers_until_bits_decide_one() {
        let mut terms = Store::new();
        let [p, x, y] =
            [("p", Sort::Bool), ("x", Sort::Bv(64)), ("y", Sort::Bv(64))].map(|(n, sort)| terms.var(n, sort));
        let sum = terms.add(x, y);
        let less = terms.ult(sum, x);
        let (mut opinions, _) = with_first(Err(Why::Timeout), Duration::from_secs(60));
        for (fact, is_bitwuzla_first) in [(p, true), (less, false)] {
            let compares_sums = smt::linear::concerns(&terms, &[fact]);
            let deadline = Deadline::after(Duration::from_secs(1));
            let turn = Turn { is_first: false, moment: FIRST_MOMENT, deadline, may_refute: true, compares_sums };
            assert_eq!(opinions.is_bitwuzla_first(&turn), is_bitwuzla_first);
            opinions.bitwuzla_first[usize::from(compares_sums)] = true;
            assert!(opinions.is_bitwuzla_first(&turn));
        }
    }

    #[test]
    fn after_the_deadline_nobody_is_asked() {
        let terms = Store::new();
        let (mut opinions, asked) = with_first(Ok(Answer::Unsat), Duration::ZERO);
        assert_eq!(opinions.check(&terms, &[]), Err(Why::Timeout));
        assert_eq!(asked.get(), 0);
    }
}
