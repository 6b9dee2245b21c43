//! Folding a loop (Chalupa and Strejček 2021, algorithm 4): a tree of invariant candidates is grown until one of them is an invariant that
//! excludes the error states at hand.
//!
//! Every candidate is inductive and disjoint with the error states when it is made, so it is an invariant as soon as it
//! holds on entry, which a nested search decides. A candidate that does not is extended by the states one iteration
//! earlier, overapproximated.

use super::extension::Goal;
use super::{Folder, Outcome};
use crate::limits::bself::MAX_CANDIDATES;
use cfa::{Edge, Loc};
use encode::backward::Item;
use encode::iteration::over_program_variables;
use encode::post::step;
use encode::pre::{existential_pre, inputs_in};
use encode::state::{State, evaluate_term};
use engine::Stop;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use term::eval::{OrZero, eval};
use term::normal::conjuncts;
use term::{Term, Value, walk};

/// How an attempt ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Folded {
    /// An invariant excludes the error states; it is known at the head now.
    Yes,
    /// No iteration leads to the error states: only the ways into the loop matter.
    OnlyEntered,
    /// At most one iteration does: no invariant is needed.
    SoonOver,
    No,
}

/// A candidate in the work bag.
struct Candidate {
    /// The latest extension.
    last: Term,
    whole: Term,
    /// Extensions still allowed.
    left: u32,
}

impl Folder<'_> {
    /// Looks for an invariant at the loop head that excludes the item's states. `again`: it was tried on this path before.
    pub(super) fn fold(&mut self, item: &Item, again: bool) -> Result<Folded, Stop> {
        let head = item.loc;
        let known = self.terrain.at(&self.cx.terms, head);
        let Some(back) = self.loops[&head].iteration.back.clone() else { return Ok(Folded::OnlyEntered) };
        let before = back.pre(self.program, &mut self.cx.terms, item.states);
        if self.oracle.refuted(self.cx, &[known, before])? {
            return Ok(Folded::OnlyEntered);
        }
        if !again {
            let earlier = back.pre(self.program, &mut self.cx.terms, before);
            if self.oracle.refuted(self.cx, &[known, earlier])? {
                return Ok(Folded::SoonOver);
            }
        }
        let error = self.beyond_known(item.states, known);
        // Where inputs stay, a larger set of error states is excluded, or none.
        let over_variables = over_program_variables(self.program, &mut self.cx.terms, error);
        let not_error = self.cx.terms.not(over_variables);
        if self.cx.terms.as_bool_const(not_error) == Some(false) {
            return Ok(Folded::No);
        }
        let nothing = self.cx.terms.ff();
        let goal = Goal { head, candidate: nothing, error };
        self.note(|| "fold".into(), &[("head", head.to_string().as_str())], &[("error states", error)]);
        let Some(start) = self.initial_candidate(&goal, not_error, again)? else { return Ok(Folded::No) };
        self.grow(&goal, start)
    }

    /// The states without the facts that hold at the head anyway: what an invariant must say is the rest.
    fn beyond_known(&mut self, states: Term, known: Term) -> Term {
        let facts = conjuncts(&self.cx.terms, known);
        let mut rest = conjuncts(&self.cx.terms, states);
        rest.retain(|part| !facts.contains(part));
        self.cx.terms.and_all(&rest)
    }

    /// Section 4.2: ψ_1, or ψ_2 and ψ_3 when the loop was visited before.
    fn initial_candidate(&mut self, goal: &Goal, not_error: Term, again: bool) -> Result<Option<Term>, Stop> {
        let last = self.loops[&goal.head].iteration.last;
        let leaving = self.cx.terms.and(not_error, last);
        let (mut wider, mut any) = (Vec::new(), Vec::new());
        for candidate in self.loops[&goal.head].candidates.clone() {
            if self.oracle.refuted(self.cx, &[candidate, goal.error])? {
                any.push(candidate);
                let outside = self.cx.terms.not(candidate);
                if self.oracle.refuted(self.cx, &[leaving, outside])? {
                    wider.push(candidate);
                }
            }
        }
        let chosen = match (again, wider.is_empty()) {
            (false, _) => {
                wider.push(leaving);
                wider
            }
            (true, false) => wider,
            (true, true) => any,
        };
        let start = self.cx.terms.or_all(&chosen);
        let start = term::simplify(&mut self.cx.terms, start);
        self.note(
            || if again { "initial candidate, from earlier ones".into() } else { "initial candidate".into() },
            &[],
            &[("psi", start)],
        );
        if self.oracle.sat(self.cx, &[start])? == Some(false) {
            return Ok(None);
        }
        Ok(Some(start))
    }

    /// The main cycle of algorithm 4.
    fn grow(&mut self, goal: &Goal, start: Term) -> Result<Folded, Stop> {
        let kappa = self.settings.kappa.unwrap_or_else(|| self.loops[&goal.head].iteration.kappa());
        let mut bag: VecDeque<Candidate> = VecDeque::new();
        for set in self.overapproximate(start, None, goal)? {
            bag.push_back(Candidate { last: set, whole: set, left: kappa });
        }
        if bag.is_empty() {
            self.note(|| "no inductive overapproximation".into(), &[], &[]);
        }
        let mut count = 0;
        let mut seen: Vec<Term> = Vec::new();
        while let Some(candidate) = bag.pop_front() {
            if seen.contains(&candidate.whole) {
                continue;
            }
            seen.push(candidate.whole);
            count += 1;
            if count > MAX_CANDIDATES {
                break;
            }
            self.note(|| "candidate".into(), &[], &[("xi", candidate.whole), ("latest", candidate.last)]);
            if self.is_invariant(goal.head, candidate.whole)? {
                return Ok(Folded::Yes);
            }
            if candidate.left > 0 {
                self.extend(goal, &candidate, &mut bag)?;
            } else {
                self.note(|| "no extensions left".into(), &[], &[]);
            }
        }
        Ok(Folded::No)
    }

    /// Adds the states one iteration before the latest extension, path by path.
    fn extend(&mut self, goal: &Goal, candidate: &Candidate, bag: &mut VecDeque<Candidate>) -> Result<(), Stop> {
        let goal = Goal { candidate: candidate.whole, ..*goal };
        let outside = self.cx.terms.not(candidate.whole);
        let count = self.loops[&goal.head].iteration.ways().len();
        for i in 0..count {
            let way = self.loops[&goal.head].iteration.ways()[i].clone();
            let before = way.pre(self.program, &mut self.cx.terms, candidate.last);
            let Some(before) = self.without_inputs(before)? else { continue };
            // Nothing new, or not to be had.
            if self.oracle.sat(self.cx, &[before, outside])? != Some(true)
                || !self.oracle.refuted(self.cx, &[before, goal.error])?
            {
                continue;
            }
            self.note(|| format!("extend along path {}", i + 1), &[], &[("pre-image", before)]);
            for set in self.overapproximate(before, Some(candidate.last), &goal)? {
                let whole = self.cx.terms.or(set, candidate.whole);
                bag.push_back(Candidate { last: set, whole, left: candidate.left - 1 });
            }
        }
        Ok(())
    }

    /// Inputs left in a pre-image get a value for which it has states: a candidate may be anything that is valid.
    fn without_inputs(&mut self, states: Term) -> Result<Option<Term>, Stop> {
        let inputs = inputs_in(self.program, &self.cx.terms, states);
        if inputs.is_empty() {
            return Ok(Some(states));
        }
        if self.oracle.sat(self.cx, &[states])? != Some(true) {
            return Ok(None);
        }
        let model = self.oracle.model(self.cx, &[states])?;
        let mut values = Vec::new();
        for input in inputs {
            if let Some(value) = model.get(input) {
                values.push((input, self.cx.terms.value(value)));
            }
        }
        let states = term::substitute(&mut self.cx.terms, states, &values);
        Ok(inputs_in(self.program, &self.cx.terms, states).is_empty().then_some(states))
    }

    /// Whether the candidate, which is inductive, is an invariant; if so, it is learnt.
    fn is_invariant(&mut self, head: Loc, candidate: Term) -> Result<bool, Stop> {
        let without =
            |entered: &FxHashMap<Term, Value>| eval(&self.cx.terms, candidate, entered) == Ok(Value::Bool(false));
        if self.loops[&head].entered.iter().any(without) {
            self.note(|| "not an invariant: entered from outside it, as seen before".into(), &[], &[]);
            return Ok(false);
        }
        let holds = self.holds_on_entry(head, candidate)?;
        if holds {
            self.note(|| "invariant".into(), &[], &[("xi", candidate)]);
            self.learn(head, candidate);
        }
        Ok(holds)
    }

    /// Whether the loop is entered within the candidate only, by a nested search.
    fn holds_on_entry(&mut self, head: Loc, candidate: Term) -> Result<bool, Stop> {
        let outside = self.cx.terms.not(candidate);
        if head == self.program.main().entry && self.oracle.sat(self.cx, &[outside])? != Some(false) {
            return Ok(false);
        }
        let entries: Vec<Edge> = self.loops[&head].iteration.entries.clone();
        for edge in entries {
            let info = &self.program.main().edges[edge];
            let states = existential_pre(self.program, &mut self.cx.terms, &info.op, outside);
            self.depth += 1;
            let outcome = self.search(vec![Item::start(info.from, states)], true);
            self.depth -= 1;
            match outcome? {
                Outcome::Correct => {}
                Outcome::Reached(item) => {
                    let mut edges = item.edges();
                    edges.push(edge);
                    self.note_entered(head, &edges, outside)?;
                    self.note(|| "not an invariant: entered from outside it".into(), &[], &[]);
                    return Ok(false);
                }
                Outcome::Unknown | Outcome::Found(_) => {
                    self.note(|| "not shown to be an invariant: a loop before it did not fold".into(), &[], &[]);
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Notes a state outside a candidate in which the loop is entered along the edges.
    fn note_entered(&mut self, head: Loc, edges: &[Edge], outside: Term) -> Result<(), Stop> {
        let mut state = State::arbitrary(self.program);
        let mut question = Vec::new();
        for &edge in edges {
            let op = &self.program.main().edges[edge].op;
            let Some(step) = step(self.program, &mut self.cx.terms, &state, op) else { return Ok(()) };
            question.push(step.condition);
            state = step.state;
        }
        question.push(evaluate_term(self.program, &mut self.cx.terms, &state, outside));
        if self.oracle.sat(self.cx, &question)? != Some(true) {
            return Ok(());
        }
        let mut values: Vec<(Term, Term)> = Vec::new();
        for variable in walk::free_vars(&self.cx.terms, &[outside]) {
            if let Some(var) = self.program.var_of(variable) {
                values.push((variable, state.term(&mut self.cx.terms, var)));
            }
        }
        for variable in self.loops[&head].variables.clone() {
            if let Some(var) = self.program.var_of(variable) {
                values.push((variable, state.term(&mut self.cx.terms, var)));
            }
        }
        question.extend(values.iter().map(|(_, value)| *value));
        let model = self.oracle.model(self.cx, &question)?;
        let mut entered = FxHashMap::default();
        for (variable, value) in values {
            if let Ok(value) = eval(&self.cx.terms, value, &OrZero(&model)) {
                entered.insert(variable, value);
            }
        }
        self.loops.get_mut(&head).expect("a loop").entered.push(entered);
        Ok(())
    }

    pub(super) fn remember(&mut self, head: Loc, candidate: Term) {
        let known = &mut self.loops.get_mut(&head).expect("a loop").candidates;
        if !known.contains(&candidate) {
            known.push(candidate);
        }
    }
}
