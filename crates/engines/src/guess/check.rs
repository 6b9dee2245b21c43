//! Proof: which candidates are inductive together, and do they exclude every target?

use super::case::{Case, split};
use super::settings::Settings;
use cfa::{Loc, Program};
use engine::{Cx, Event, Stop};
use infer::segments::Segment;
use infer::{AtHeads, Induction, Refuted, houdini};
use smt::{Answer, Limits, Solver};
use std::time::Duration;
use term::{Op, Store, Term, Value};

pub(super) struct Checker<'a> {
    program: &'a Program,
    segments: &'a [Segment],
    /// Proven elsewhere: may be assumed.
    given: &'a AtHeads,
    settings: &'a Settings,
    solver: Box<dyn Solver>,
}

impl<'a> Checker<'a> {
    pub(super) fn new(
        program: &'a Program,
        segments: &'a [Segment],
        given: &'a AtHeads,
        settings: &'a Settings,
        cx: &Cx,
    ) -> Result<Self, Stop> {
        Ok(Checker { program, segments, given, settings, solver: cx.normalising_solver()? })
    }

    /// The candidates that are inductive together.
    pub(super) fn inductive(&mut self, candidates: AtHeads, cx: &mut Cx) -> Result<AtHeads, Stop> {
        houdini(&mut Steps { checker: self, cx }, candidates)
    }

    /// How many ways to targets the invariants do not exclude. Counting ends at the first that takes long.
    pub(super) fn open_targets(&mut self, invariants: &AtHeads, cx: &mut Cx) -> Result<usize, Stop> {
        let mut open = 0;
        for segment in self.segments.iter().filter(|s| s.comes.is_to_target()) {
            let facts = self.facts(segment, invariants);
            if !self.is_refuted(&facts, cx)? {
                cx.tell(Event::Detail(format!("{} leads to {}", start(segment), segment.to)));
                open += 1;
                break;
            }
        }
        Ok(open)
    }

    /// Those of the invariants, which are inductive and exclude the targets, that do so by themselves: what the targets need, and what
    /// that needs in turn, each as the solver says. None where it does not answer a question at once, or not by itself.
    pub(super) fn needed(&mut self, invariants: &AtHeads, cx: &mut Cx) -> Result<Option<AtHeads>, Stop> {
        let mut needed = AtHeads::new();
        let mut asked: Vec<(Loc, Term)> = Vec::new();
        let segments = self.segments;
        let known =
            |segment: &Segment| segment.from.and_then(|from| invariants.get(&from)).cloned().unwrap_or_default();
        for segment in segments.iter().filter(|s| s.comes.is_to_target()) {
            let Some(core) = self.core(segment, known(segment), None, cx)? else { return Ok(None) };
            asked.extend(core);
        }
        while let Some((head, part)) = asked.pop() {
            let here = needed.entry(head).or_default();
            if here.contains(&part) {
                continue;
            }
            here.push(part);
            for segment in segments.iter().filter(|s| s.to == head) {
                let after = segment.after(self.program, &mut cx.terms, part);
                let denied = cx.terms.not(after);
                // Most keep themselves, or with what is needed anyway: there is nothing more to show for it then.
                let all = known(segment);
                let so_far = segment.from.and_then(|from| needed.get(&from));
                let is_cheap = |c: &&Term| **c == part || so_far.is_some_and(|so_far| so_far.contains(c));
                let cheap: Vec<Term> = all.iter().filter(is_cheap).copied().collect();
                let core = match self.core(segment, cheap, Some(denied), cx)? {
                    Some(core) => Some(core),
                    None => self.core(segment, all, Some(denied), cx)?,
                };
                let Some(core) = core else { return Ok(None) };
                asked.extend(core);
            }
        }
        Ok(Some(needed))
    }

    /// Of what is known before the segment, what contradicts it together with what is denied; the largest are left out first. None where
    /// it does not, as far as the solver says.
    fn core(
        &mut self,
        segment: &Segment,
        mut known: Vec<Term>,
        denied: Option<Term>,
        cx: &mut Cx,
    ) -> Result<Option<Vec<(Loc, Term)>>, Stop> {
        known.sort_by_key(|part| std::cmp::Reverse(term::walk::dag_size(&cx.terms, &[*part])));
        self.solver.push();
        segment.conditions.iter().chain(&denied).for_each(|fact| self.solver.assert(&cx.terms, *fact));
        let core = self.minimal(known, cx);
        self.solver.pop();
        // From the start nothing is known, and nothing is needed.
        let from = segment.from.unwrap_or(segment.to);
        Ok(core?.map(|core| core.into_iter().map(|part| (from, part)).collect()))
    }

    /// A part of the assumptions that what is asserted contradicts, of which none can be left out; those that come first are, where there is
    /// a choice.
    fn minimal(&mut self, mut assumed: Vec<Term>, cx: &mut Cx) -> Result<Option<Vec<Term>>, Stop> {
        let mut tried = 0;
        loop {
            let fewer = match tried {
                0 => assumed.clone(),
                _ => assumed.iter().enumerate().filter(|(i, _)| i + 1 != tried).map(|(_, part)| *part).collect(),
            };
            match self.ask(&fewer, self.settings.linear_time, cx)? {
                Some(false) => {
                    let Ok(core) = self.solver.core() else { return Ok(None) };
                    // What stands before the one that was left out is needed, and stays; the next is in its place.
                    assumed = fewer.into_iter().filter(|part| core.contains(part)).collect();
                    tried = tried.max(1);
                }
                _ if tried == 0 => return Ok(None),
                _ => tried += 1,
            }
            if tried > assumed.len() {
                return Ok(Some(assumed));
            }
        }
    }

    fn facts(&self, segment: &Segment, invariants: &AtHeads) -> Vec<Term> {
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
        Ok(self.ask(&raw, self.settings.full_time, cx)? == Some(false))
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
        match self.ask(&facts, self.settings.linear_time, cx)? {
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
            if self.ask(&question, self.settings.linear_time, cx)? == Some(false) {
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
            match self.ask(&question, self.settings.linear_time, cx)? {
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

/// The segments as steps of an induction.
struct Steps<'a, 'p> {
    checker: &'a mut Checker<'p>,
    cx: &'a mut Cx,
}

impl Induction for Steps<'_, '_> {
    type At = Loc;
    type Stop = Stop;

    fn steps(&self) -> usize {
        self.checker.segments.len()
    }

    fn assumes(&self, step: usize, at: Loc) -> bool {
        self.checker.segments[step].from == Some(at)
    }

    fn refuted(&mut self, step: usize, candidates: &AtHeads) -> Result<Refuted<Loc>, Stop> {
        let segment = &self.checker.segments[step];
        let Some(wanted) = candidates.get(&segment.to).filter(|c| !c.is_empty()) else {
            return Ok(Refuted::all(Vec::new()));
        };
        let facts = self.checker.facts(segment, candidates);
        let program = self.checker.program;
        let goals: Vec<Term> = wanted.iter().map(|c| segment.after(program, &mut self.cx.terms, *c)).collect();
        let failing = self.checker.failing(&facts, &goals, self.cx)?;
        let failing: Vec<(Loc, Term)> = failing.into_iter().map(|i| (segment.to, wanted[i])).collect();
        for (to, candidate) in &failing {
            let text = term::smtlib::print_term(&self.cx.terms, *candidate);
            self.cx.tell(Event::Detail(format!("not kept from {} to {to}: {text}", start(segment))));
        }
        Ok(Refuted::all(failing))
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

/// Where a segment comes from, for people.
fn start(segment: &Segment) -> String {
    segment.from.map_or_else(|| "the start".to_owned(), |head| head.to_string())
}
