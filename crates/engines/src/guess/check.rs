//! Proof: which candidates are inductive together (Houdini), and do they exclude every target?
//!
//! All candidates are assumed at all loop heads and asked for again at the end of each path; what fails is dropped, until
//! nothing fails any more. A pass without failure is the induction proof for all that are left, at once.

use super::case::{Case, split};
use super::segments::Segment;
use cfa::{Loc, Program};
use encode::state::evaluate_term;
use engine::{Cx, Event, Stop};
use smt::{Answer, Limits, Solver};
use std::collections::BTreeMap;
use std::time::Duration;
use term::{Op, Store, Term, Value};

/// Formulas by loop head.
pub(super) type Formulas = BTreeMap<Loc, Vec<Term>>;

/// A linear question that takes longer is left open.
const LINEAR_TIME: Duration = Duration::from_millis(400);
/// The same for questions with products.
const FULL_TIME: Duration = Duration::from_millis(800);

pub(super) struct Checker<'a> {
    program: &'a Program,
    segments: &'a [Segment],
    /// Proven elsewhere: may be assumed.
    given: &'a Formulas,
    solver: Box<dyn Solver>,
}

impl<'a> Checker<'a> {
    pub(super) fn new(
        program: &'a Program,
        segments: &'a [Segment],
        given: &'a Formulas,
        cx: &Cx,
    ) -> Result<Self, Stop> {
        Ok(Checker { program, segments, given, solver: cx.solver()? })
    }

    /// The candidates that are inductive together.
    pub(super) fn inductive(&mut self, mut candidates: Formulas, cx: &mut Cx) -> Result<Formulas, Stop> {
        let mut todo = vec![true; self.segments.len()];
        while let Some(next) = todo.iter().position(|t| *t) {
            todo[next] = false;
            let segment = &self.segments[next];
            let Some(wanted) = candidates.get(&segment.to).filter(|c| !c.is_empty()) else { continue };
            let wanted = wanted.clone();
            let facts = self.facts(segment, &candidates);
            let goals: Vec<Term> =
                wanted.iter().map(|c| evaluate_term(self.program, &mut cx.terms, &segment.state, *c)).collect();
            let failing = self.failing(&facts, &goals, cx)?;
            if failing.is_empty() {
                continue;
            }
            for i in &failing {
                let text = term::smtlib::print_term(&cx.terms, wanted[*i]);
                cx.tell(Event::Note(format!("not kept from {:?} to {}: {text}", segment.from, segment.to)));
            }
            let mut position = 0;
            candidates.get_mut(&segment.to).expect("it has candidates").retain(|_| {
                position += 1;
                !failing.contains(&(position - 1))
            });
            // What starts there assumed them.
            for (i, other) in self.segments.iter().enumerate() {
                todo[i] |= other.from == Some(segment.to);
            }
        }
        Ok(candidates)
    }

    /// How many ways to targets the invariants do not exclude. Counting ends at the first that takes long.
    pub(super) fn open_targets(&mut self, invariants: &Formulas, cx: &mut Cx) -> Result<usize, Stop> {
        let main = self.program.main();
        let mut open = 0;
        for segment in self.segments.iter().filter(|s| main.locs[s.to].kind.is_target()) {
            let facts = self.facts(segment, invariants);
            if !self.is_refuted(&facts, cx)? {
                cx.tell(Event::Note(format!("{:?} leads to {}", segment.from, segment.to)));
                open += 1;
                break;
            }
        }
        Ok(open)
    }

    fn facts(&self, segment: &Segment, invariants: &Formulas) -> Vec<Term> {
        let mut facts = segment.conditions.clone();
        if let Some(from) = segment.from {
            facts.extend(self.given.get(&from).into_iter().flatten());
            facts.extend(invariants.get(&from).into_iter().flatten());
        }
        facts
    }

    fn is_refuted(&mut self, facts: &[Term], cx: &mut Cx) -> Result<bool, Stop> {
        for literals in split(&mut cx.terms, facts) {
            let mut case = Case::new(&mut cx.terms, literals);
            if !self.refutes(&mut case, cx)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn refutes(&mut self, case: &mut Case, cx: &mut Cx) -> Result<bool, Stop> {
        if case.is_refuted(&mut cx.terms) {
            return Ok(true);
        }
        let facts = self.sharpened(case, &[], cx)?;
        if facts.is_none() || case.is_refuted(&mut cx.terms) {
            return Ok(true);
        }
        let raw = case.literals().to_vec();
        Ok(self.ask(&raw, FULL_TIME, cx)? == Some(false))
    }

    /// Which goals do not follow from the facts, by position.
    fn failing(&mut self, facts: &[Term], goals: &[Term], cx: &mut Cx) -> Result<Vec<usize>, Stop> {
        let mut failing: Vec<usize> = Vec::new();
        for literals in split(&mut cx.terms, facts) {
            let mut case = Case::new(&mut cx.terms, literals);
            let mut open: Vec<usize> = (0..goals.len()).filter(|i| !failing.contains(i)).collect();
            open.retain(|i| !follows(&mut case, &mut cx.terms, goals[*i]));
            if open.is_empty() {
                continue;
            }
            let wanted: Vec<Term> = open.iter().map(|i| goals[*i]).collect();
            let Some(mut facts) = self.sharpened(&mut case, &wanted, cx)? else { continue };
            open.retain(|i| !follows(&mut case, &mut cx.terms, goals[*i]));
            let mut asked: Vec<(usize, Term)> = Vec::new();
            for i in open {
                match case.linear(&mut cx.terms, goals[i]) {
                    Some(goal) => asked.push((i, goal)),
                    None => failing.push(i),
                }
            }
            facts.extend(case.product_ranges());
            failing.extend(self.refuted_goals(&facts, asked, cx)?);
        }
        failing.sort_unstable();
        failing.dedup();
        Ok(failing)
    }

    /// Lets the solver find equalities among the linear facts of the case, for the ring to use. `None`: the facts contradict
    /// each other.
    fn sharpened(&mut self, case: &mut Case, goals: &[Term], cx: &mut Cx) -> Result<Option<Vec<Term>>, Stop> {
        let mut facts = case.linear_facts(&mut cx.terms, goals);
        facts.extend(case.product_ranges());
        match self.ask(&facts, LINEAR_TIME, cx)? {
            Some(false) => return Ok(None),
            None => return Ok(Some(facts)),
            Some(true) => {}
        }
        let questions = case.questions(&mut cx.terms, goals);
        let mut plausible = Vec::new();
        for (a, b) in questions {
            let equal = cx.terms.eq(a, b);
            if let Some(linear) = case.linear(&mut cx.terms, equal)
                && cx.terms.as_bool_const(linear).is_none()
                && matches!(self.solver.value(&cx.terms, linear), Ok(Value::Bool(true)))
            {
                plausible.push((a, b, linear));
            }
        }
        let mut learned = false;
        for (a, b, linear) in plausible {
            let mut question = facts.clone();
            question.push(cx.terms.not(linear));
            if self.ask(&question, LINEAR_TIME, cx)? == Some(false) {
                case.learn(a, b);
                learned = true;
            }
        }
        if learned {
            facts = case.linear_facts(&mut cx.terms, goals);
            facts.extend(case.product_ranges());
        }
        Ok(Some(facts))
    }

    /// The goals that the facts do not imply, asked together: each model refutes some.
    fn refuted_goals(
        &mut self,
        facts: &[Term],
        mut asked: Vec<(usize, Term)>,
        cx: &mut Cx,
    ) -> Result<Vec<usize>, Stop> {
        let mut refuted = Vec::new();
        while !asked.is_empty() {
            let all: Vec<Term> = asked.iter().map(|(_, g)| *g).collect();
            let all = cx.terms.and_all(&all);
            let mut question = facts.to_vec();
            question.push(cx.terms.not(all));
            match self.ask(&question, LINEAR_TIME, cx)? {
                Some(false) => return Ok(refuted),
                Some(true) => {
                    let before = asked.len();
                    let (solver, terms) = (&mut self.solver, &cx.terms);
                    asked.retain(|(i, goal)| {
                        let holds = matches!(solver.value(terms, *goal), Ok(Value::Bool(true)));
                        if !holds {
                            refuted.push(*i);
                        }
                        holds
                    });
                    if asked.len() == before {
                        return Err(Stop::Solver("a model of a negated conjunction satisfies all conjuncts".into()));
                    }
                }
                None if asked.len() == 1 => {
                    refuted.push(asked[0].0);
                    return Ok(refuted);
                }
                None => {
                    // Too hard together: halves.
                    let half = asked.split_off(asked.len() / 2);
                    refuted.extend(self.refuted_goals(facts, half, cx)?);
                }
            }
        }
        Ok(refuted)
    }

    /// Whether the conjunction is satisfiable; `None` when the solver does not say in time.
    fn ask(&mut self, conjunction: &[Term], time: Duration, cx: &mut Cx) -> Result<Option<bool>, Stop> {
        cx.budget.check()?;
        let time = time.min(cx.budget.left());
        self.solver.limit(&Limits { time: Some(time), cancel: Some(cx.budget.cancel_flag()) });
        let answer = self.solver.check(&cx.terms, conjunction);
        cx.budget.check()?;
        Ok(match answer {
            Ok(Answer::Sat) => Some(true),
            Ok(Answer::Unsat) => Some(false),
            Err(_) => None,
        })
    }
}

/// Whether the goal follows without the solver.
fn follows(case: &mut Case, store: &mut Store, goal: Term) -> bool {
    if store.as_bool_const(goal) == Some(true) || case.literals().contains(&goal) {
        return true;
    }
    match (store.op(goal), store.args(goal).to_vec().as_slice()) {
        (Op::And, &[a, b]) => follows(case, store, a) && follows(case, store, b),
        (Op::Or, &[a, b]) => follows(case, store, a) || follows(case, store, b),
        (Op::Eq, &[a, b]) if store.sort(a).bv_width().is_some() => case.proves_equal(store, a, b),
        _ => false,
    }
}
