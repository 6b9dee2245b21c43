//! Nodes at loop heads: their facts, what they give up and what they keep (NonPathInv of Fig. 3, one fact at a time).

use crate::ask::{Ask, Model};
use crate::explore::{Below, Explorer, Mode};
use crate::facts::{self, Fact, Solved};
use crate::parts::{Arrival, Before, Parts, SAFETY};
use crate::tree::Node;
use cfa::{Loc, Var};
use encode::State;
use encode::state::evaluate_term;
use engine::{Cx, Stop};
use indexmap::IndexSet;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use term::{Sort, Term};

impl Explorer {
    /// Whether a head above at the same location covers the state: as it is, or after it has given up facts. The nearest first.
    pub(crate) fn return_to_ancestor(&mut self, cx: &mut Cx, at: &Arrival<'_>) -> Result<Option<(Below, Node)>, Stop> {
        let loc = at.loc;
        let heads: Vec<usize> = (0..self.stack.len())
            .rev()
            .filter(|i| self.stack[*i].loc == loc && self.stack[*i].head.as_ref().is_some_and(|h| h.facts.is_some()))
            .collect();
        for forced in [false, true] {
            for &i in &heads {
                let before = at.before(&self.program, &self.path);
                let head = self.stack[i].head.as_mut().expect("a head");
                let known = head.facts.as_mut().expect("abstract");
                let Some(lost) = lost_facts(&before, &mut self.ask, cx, known, forced)? else { continue };
                let mut weaker: Vec<Option<Term>> = Vec::new();
                for fact in lost.iter().map(|at| &known[*at]) {
                    let mut holding = None;
                    for formula in facts::weaker(&self.program, &mut cx.terms, fact) {
                        if cx.terms.as_bool_const(formula).is_none() && before.entails(&mut self.ask, cx, formula)? {
                            holding = Some(formula);
                            break;
                        }
                    }
                    weaker.push(holding);
                }
                for (at, weaker) in lost.iter().zip(weaker).rev() {
                    match weaker {
                        // Paths that returned before did so with the equation: it goes by the same tag, so that
                        // what they rely on stays alive.
                        Some(formula) => {
                            known[*at].formula = formula;
                            known[*at].solved = Solved::No;
                        }
                        None => self.tagged.kill(known.remove(*at).tag),
                    }
                }
                self.statistics.given_up += lost.len() as u64;
                if !lost.is_empty() && !std::mem::replace(&mut head.gave_up, true) {
                    self.repeats += 1;
                }
                let mut parts = Parts::default();
                for fact in known.iter() {
                    parts.add(&cx.terms, fact.formula, &smallvec::smallvec![fact.tag]);
                }
                let below = Below::leaf(Rc::new(parts), BTreeSet::from([head.id]));
                return Ok(Some((below, self.stack[i].node)));
            }
        }
        Ok(None)
    }

    /// The facts that hold in the exact state of a node at a loop head.
    pub(crate) fn facts_at(
        &mut self,
        cx: &mut Cx,
        loc: Loc,
        state: &State,
        path: (usize, usize),
        model: Option<&Model>,
        kept: &[Term],
    ) -> Result<Vec<Fact>, Stop> {
        let path = &self.path[path.0..path.1];
        let before = Before { program: &self.program, state, path, model };
        let mut known: Vec<facts::Known> = Vec::new();
        let mut wanted: IndexSet<Term> = kept.iter().copied().collect();
        match &self.mode {
            Mode::Candidates(candidates) => {
                for formula in candidates.get(&loc).into_iter().flatten() {
                    if before.entails(&mut self.ask, cx, *formula)? {
                        known.push((*formula, Solved::No));
                    }
                }
            }
            _ => {
                known = facts::project(&self.program, &mut cx.terms, &self.shape.live[loc], state, path);
                for formula in self.pool.get(&loc).into_iter().flatten() {
                    if !wanted.contains(formula) && before.entails(&mut self.ask, cx, *formula)? {
                        wanted.insert(*formula);
                    }
                }
            }
        }
        let mut facts: Vec<Fact> = Vec::new();
        for (formula, solved) in known {
            let kept = wanted.shift_remove(&formula);
            facts.push(Fact { formula, solved, kept, tag: self.tagged.fresh() });
        }
        for formula in wanted {
            facts.push(Fact { formula, solved: Solved::No, kept: true, tag: self.tagged.fresh() });
        }
        Ok(facts)
    }

    /// What the exact state at a head of the stack says about the program's variables.
    pub(crate) fn exact_facts(&self, cx: &mut Cx, index: usize) -> Vec<Term> {
        let frame = &self.stack[index];
        let head = frame.head.as_ref().expect("a loop head");
        let path = &self.path[head.exact_path.0..head.exact_path.1];
        let live = &self.shape.live[frame.loc];
        let known = facts::project(&self.program, &mut cx.terms, live, &head.exact, path);
        known.into_iter().map(|(formula, _)| formula).collect()
    }

    /// The topmost node, at a loop head, is explored from its facts.
    pub(crate) fn begin(&mut self, cx: &mut Cx) {
        let top = self.stack.last_mut().expect("not empty");
        let head = top.head.as_mut().expect("a loop head");
        self.tree.forget_below(top.node);
        self.edges.truncate(top.edges);
        self.path.truncate(head.exact_path.1);
        self.repeats -= usize::from(std::mem::take(&mut head.gave_up));
        top.next_edge = 0;
        top.parts = Some(Parts::default());
        top.next = BTreeSet::new();
        top.incomplete = false;
        top.limited = false;
        let Some(facts) = &head.facts else {
            top.state = head.exact.clone();
            top.model = head.exact_model.clone();
            top.path = head.exact_path;
            return;
        };
        let background = self.shape.background.get(&top.loc).map_or(&[][..], Vec::as_slice);
        let (state, path) = facts::cut(&self.program, &mut cx.terms, facts, background);
        top.state = state;
        top.path = (self.path.len(), self.path.len() + path.len());
        self.path.extend(path);
        top.model = head.exact_model.as_ref().map(|model| {
            let mut values = Model::default();
            let mut evaluator = term::Evaluator::new(term::eval::OrZero(&**model));
            let mut named: BTreeSet<Var> = self.shape.live[top.loc].iter().copied().collect();
            named.extend(term::free_vars(&cx.terms, background).into_iter().filter_map(|t| self.program.var_of(t)));
            for var in named {
                let value = head.exact.term(&mut cx.terms, var);
                if let Ok(value) = evaluator.eval(&cx.terms, value) {
                    values.insert(self.program.term(var), value);
                }
            }
            Rc::new(values)
        });
    }

    /// The interpolant of the topmost node, a loop head, whose tree is complete: the facts that nothing needs are dropped.
    pub(crate) fn close(&mut self, cx: &mut Cx) -> Result<Option<Parts>, Stop> {
        let top = self.stack.last().expect("not empty");
        let head = top.head.as_ref().expect("a loop head");
        let Some(facts) = &head.facts else { return Ok(top.parts.clone()) };
        let own: BTreeMap<u32, usize> = facts.iter().enumerate().map(|(i, f)| (f.tag, i)).collect();
        let Some(parts) = &top.parts else {
            // The abstract state itself.
            let mut parts = Parts::default();
            for fact in facts {
                parts.add(&cx.terms, fact.formula, &smallvec::smallvec![SAFETY]);
            }
            return Ok(Some(parts));
        };
        let background = self.shape.background.get(&top.loc).map_or(&[][..], Vec::as_slice);
        let formulas: Vec<Term> = facts.iter().map(|f| f.formula).collect();
        let state: Vec<Term> = formulas.iter().chain(background).copied().collect();
        let parts = parts.needed(&self.tagged);
        let mut needed: BTreeSet<usize> = BTreeSet::new();
        let mut done: BTreeSet<Term> = BTreeSet::new();
        loop {
            let mut changed = false;
            for (part, tags) in parts.iter() {
                let wanted = |tag: &u32| match own.get(tag) {
                    Some(fact) => needed.contains(fact),
                    None => self.tagged.is_alive(*tag),
                };
                if done.contains(&part) || !tags.iter().any(wanted) {
                    continue;
                }
                done.insert(part);
                changed = true;
                if let Some(at) = formulas.iter().position(|f| *f == part) {
                    needed.insert(at);
                    continue;
                }
                let wrong = cx.terms.not(part);
                match self.ask.core(cx, &state, &[wrong])? {
                    Some(core) => needed.extend((0..formulas.len()).filter(|i| core.contains(&formulas[*i]))),
                    None => needed.extend(0..formulas.len()),
                }
            }
            if !changed {
                break;
            }
        }
        for (i, fact) in facts.iter().enumerate() {
            if !needed.contains(&i) {
                self.tagged.kill(fact.tag);
            }
        }
        Ok(Some(parts.needed(&self.tagged)))
    }

    /// Explores the head at `index` of the stack anew, keeping what it is asked to; without abstraction if `exact`.
    pub(crate) fn restart(&mut self, cx: &mut Cx, index: usize, keep: &[Term], exact: bool) -> Result<(), Stop> {
        let loc = self.stack[index].loc;
        let head = self.stack[index].head.as_ref().expect("a loop head");
        let mut kept = head.kept.clone();
        kept.extend(keep);
        let (state, path, model) = (head.exact.clone(), head.exact_path, head.exact_model.clone());
        let facts = if exact { None } else { Some(self.facts_at(cx, loc, &state, path, model.as_deref(), &kept)?) };
        let mut gone = BTreeSet::new();
        for frame in &self.stack[index..] {
            gone.extend(frame.head.as_ref().map(|h| h.id));
        }
        for frame in self.stack.drain(index + 1..) {
            if let Some(head) = frame.head {
                self.visits[frame.loc] -= 1;
                self.repeats -= usize::from(head.gave_up);
            }
        }
        self.table.abandon(&gone);
        let id = self.table.open(loc);
        let head = self.stack[index].head.as_mut().expect("a loop head");
        head.id = id;
        head.kept = kept;
        head.facts = facts;
        self.statistics.restarts += 1;
        self.statistics.nodes += 1;
        self.begin(cx);
        Ok(())
    }
}

/// The positions of the facts that do not hold in the state; `None` if one of them is to be kept, or if none may be given up.
fn lost_facts(
    before: &Before<'_>,
    ask: &mut Ask,
    cx: &mut Cx,
    facts: &[Fact],
    forced: bool,
) -> Result<Option<Vec<usize>>, Stop> {
    let mut lost = Vec::new();
    for pass in [true, false] {
        for (i, fact) in facts.iter().enumerate().filter(|(_, f)| f.kept == pass) {
            if !fact_holds(before, ask, cx, fact)? {
                if fact.kept || !forced {
                    return Ok(None);
                }
                lost.push(i);
            }
        }
    }
    lost.sort_unstable();
    Ok(Some(lost))
}

fn fact_holds(before: &Before<'_>, ask: &mut Ask, cx: &mut Cx, fact: &Fact) -> Result<bool, Stop> {
    if let Solved::Variable(var, _) = fact.solved
        && matches!(before.program.vars[var].sort, Sort::Array(_))
    {
        // Solvers are bad at equality of arrays.
        let value = evaluate_term(before.program, &mut cx.terms, before.state, fact.formula);
        return Ok(cx.terms.as_bool_const(value) == Some(true));
    }
    before.entails(ask, cx, fact.formula)
}
