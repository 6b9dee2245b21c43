//! Invariants that the program itself states: what assertions near a loop head demand there, and what loops that only look
//! have found out. Those that are inductive together are kept (Houdini; Flanagan & Leino, FME 2001).
//!
//! Invariants of the user are asserted at loop heads (`lower::loops`), quantifiers of preconditions are loops that ask for one
//! value after the other (`lower::quantifier`): both come back as candidates here, `∀` included. A candidate is proved from loop
//! head to loop head, paths merged, quantifiers instance by instance, so that branches do not multiply.

mod candidates;
mod cuts;
mod filled;
mod objects;

use candidates::Candidates;
use cfa::Loc;
use cuts::{Cut, cut_from};
use encode::Oracle;
use encode::state::evaluate_term;
use engine::{Cx, Engine, Event, Proof, Stop, Task, Verdict, Why};
use flow::wto::Wto;
use objects::Objects;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use term::normal::conjuncts;
use term::{Op, Sort, Store, Term};

#[derive(Default)]
pub struct Houdini {
    pub settings: Settings,
}

/// Effort, and how many candidates there are.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// For one question about a candidate: there are others.
    pub candidate_time: Duration,
    /// For one question about a target: each has to be answered.
    pub target_time: Duration,
    /// Candidates of a head: more are no help.
    pub at_head: usize,
    /// So many candidates of a head are drawn back over the paths to it.
    pub drawn: usize,
    /// So much of what was stated before a head is tried at it.
    pub stated: usize,
    /// So many comparisons on some way to a head, of what its loop reads, are tried at it.
    pub limits: usize,
    /// Clauses that a candidate is taken apart into: demands are long, and each says little.
    pub clauses: usize,
    /// Candidates about objects, at a head: a few for each pair of a field and a pointer.
    pub about_objects: usize,
    /// Places at which facts about all objects are instantiated.
    pub places: usize,
    /// Of these, those for which facts about two objects are: every pair.
    pub pairs: usize,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            candidate_time: Duration::from_millis(1500),
            target_time: Duration::from_secs(10),
            at_head: 120,
            drawn: 24,
            stated: 60,
            limits: 30,
            clauses: 64,
            about_objects: 300,
            places: 60,
            pairs: 10,
        }
    }
}

impl Engine for Houdini {
    fn name(&self) -> &'static str {
        "houdini"
    }

    fn run(&mut self, task: &Task, cx: &mut Cx) -> Verdict {
        search(task, self.settings, cx).unwrap_or_else(|stop| Verdict::Unknown(stop.into()))
    }
}

/// Formulas by loop head.
type Formulas = BTreeMap<Loc, Vec<Term>>;

fn search(task: &Task, settings: Settings, cx: &mut Cx) -> Result<Verdict, Stop> {
    let program = &*task.program;
    let wto = Wto::new(program.main());
    let known = crate::guess::intervals(program, &wto, cx)?;
    let mut candidates = Candidates::new(program, &wto, settings, &mut cx.terms, &cx.budget)?;
    let entry = program.main().entry;
    let starts = std::iter::once(entry).chain(wto.heads().filter(|head| *head != entry));
    let cuts: Vec<Cut> =
        starts.map(|start| cut_from(program, &wto, start, &mut cx.terms, &cx.budget)).collect::<Result<_, _>>()?;
    let oracle = Oracle::new(cx, settings.candidate_time)?;
    let mut prover = Prover { task, settings, cuts, known, entry, oracle };
    let mut proven = prover.keep(&candidates, cx)?;
    let mut open = prover.open_target(&proven, cx)?;
    if open.is_some() {
        candidates.stated(&mut cx.terms);
        candidates.draw_back(&mut cx.terms, &cx.budget)?;
        proven = prover.keep(&candidates, cx)?;
        open = prover.open_target(&proven, cx)?;
    }
    if open.is_some()
        && let Some(proof) = prover.about_objects(&candidates, &proven, &wto, cx)?
    {
        return Ok(Verdict::Safe(proof));
    }
    if let Some(open) = open {
        let place = program.sources.place(program.main().locs[open].span);
        let why = format!("the invariants do not exclude that {place} is reached");
        return Ok(Verdict::Unknown(Why::GaveUp(why)));
    }
    let needed = prover.needed(&proven, cx)?;
    let mut at = BTreeMap::new();
    for head in wto.heads() {
        let facts: Vec<Term> = needed.get(&head).into_iter().flatten().copied().collect();
        at.insert(head, cx.terms.and_all(&facts));
    }
    Ok(Verdict::Safe(Proof::Invariants { at, k: 1 }))
}

struct Prover<'a> {
    task: &'a Task,
    settings: Settings,
    cuts: Vec<Cut>,
    known: Formulas,
    entry: Loc,
    oracle: Oracle,
}

impl Prover<'_> {
    /// A proof by what holds of every object, where objects have no bound.
    fn about_objects(
        &mut self,
        candidates: &Candidates<'_>,
        proven: &Formulas,
        wto: &Wto,
        cx: &mut Cx,
    ) -> Result<Option<Proof>, Stop> {
        let mut known = self.known.clone();
        for (head, facts) in proven {
            let plain = facts.iter().copied().filter(|fact| !has_quantifier(&cx.terms, *fact));
            known.entry(*head).or_default().extend(plain.collect::<Vec<_>>());
        }
        let Some(objects) = Objects::new(&self.task.program, known, self.settings, &mut cx.terms) else {
            return Ok(None);
        };
        let about = objects.candidates(wto, candidates.demands(), &mut cx.terms);
        let found = objects::prove(objects, &self.cuts, about, &mut self.oracle, cx)?;
        Ok(found.map(|at| Proof::Invariants { at, k: 1 }))
    }

    /// The candidates that are inductive together; others are told of them.
    fn keep(&mut self, candidates: &Candidates<'_>, cx: &mut Cx) -> Result<Formulas, Stop> {
        let count = |formulas: &Formulas| formulas.values().map(Vec::len).sum::<usize>();
        let all = candidates.all(&mut cx.terms);
        cx.tell(Event::Note(format!("{} candidates at {} loop heads", count(&all), all.len())));
        self.oracle.patience = self.settings.candidate_time;
        let proven = self.inductive(all, cx)?;
        cx.tell(Event::Note(format!("{} of them are inductive", count(&proven))));
        for (head, formulas) in &proven {
            for formula in formulas {
                cx.publish_invariant("houdini", *head, *formula);
            }
        }
        Ok(proven)
    }

    /// The candidates that are inductive together: those that do not follow are dropped until nothing changes.
    fn inductive(&mut self, mut candidates: Formulas, cx: &mut Cx) -> Result<Formulas, Stop> {
        let mut todo = vec![true; self.cuts.len()];
        while let Some(next) = todo.iter().position(|t| *t) {
            todo[next] = false;
            let heads: Vec<Loc> = self.cuts[next].heads.keys().copied().collect();
            for head in heads {
                let Some(wanted) = candidates.get(&head).filter(|c| !c.is_empty()).cloned() else { continue };
                let failing = self.failing(next, head, &wanted, &candidates, cx)?;
                if failing.is_empty() {
                    continue;
                }
                for lost in &failing {
                    let text = term::smtlib::print_term(&cx.terms, *lost);
                    cx.tell(Event::Detail(format!("not kept from {} to {head}: {text}", self.cuts[next].start)));
                }
                candidates.entry(head).or_default().retain(|c| !failing.contains(c));
                // What starts there assumed them.
                for (i, cut) in self.cuts.iter().enumerate() {
                    todo[i] |= cut.start == head;
                }
            }
        }
        Ok(candidates)
    }

    /// What is assumed where a cut starts.
    fn assumed(&self, cut: &Cut, formulas: &Formulas) -> Vec<Term> {
        if cut.start == self.entry && !self.known.contains_key(&cut.start) {
            return Vec::new();
        }
        [&self.known, formulas].iter().filter_map(|f| f.get(&cut.start)).flatten().copied().collect()
    }

    /// The candidates that do not follow at the head where a cut ends.
    fn failing(
        &mut self,
        cut: usize,
        head: Loc,
        wanted: &[Term],
        candidates: &Formulas,
        cx: &mut Cx,
    ) -> Result<Vec<Term>, Stop> {
        let cut = &self.cuts[cut];
        let mut facts = self.assumed(cut, candidates);
        let arrival = &cut.heads[&head];
        facts.push(arrival.guard);
        let program = &*self.task.program;
        let goals: Vec<Term> =
            wanted.iter().map(|c| evaluate_term(program, &mut cx.terms, &arrival.state, *c)).collect();
        let all = cx.terms.and_all(&goals);
        let violated = cx.terms.not(all);
        if goals.len() < 8 && self.is_refuted(&facts, violated, cx)? {
            return Ok(Vec::new());
        }
        let mut failing = Vec::new();
        for (candidate, goal) in wanted.iter().zip(goals) {
            let violated = cx.terms.not(goal);
            if !self.is_refuted(&facts, violated, cx)? {
                failing.push(*candidate);
            }
        }
        Ok(failing)
    }

    /// A target that the invariants do not exclude.
    fn open_target(&mut self, proven: &Formulas, cx: &mut Cx) -> Result<Option<Loc>, Stop> {
        self.oracle.patience = self.settings.target_time;
        for i in 0..self.cuts.len() {
            let facts = self.assumed(&self.cuts[i], proven);
            for (target, guard) in self.cuts[i].targets.clone() {
                if !self.is_refuted(&facts, guard, cx)? {
                    return Ok(Some(target));
                }
            }
        }
        Ok(None)
    }

    /// What the proof uses of what is known and proved: the checker has less to prove then. Starting with what excludes the targets,
    /// and on with what that follows from.
    fn needed(&mut self, proven: &Formulas, cx: &mut Cx) -> Result<BTreeMap<Loc, BTreeSet<Term>>, Stop> {
        let program = &*self.task.program;
        let mut needed: BTreeMap<Loc, BTreeSet<Term>> = BTreeMap::new();
        let mut todo: Vec<(Loc, Term)> = Vec::new();
        let mut add = |at: Loc, used: Vec<Term>, todo: &mut Vec<(Loc, Term)>| {
            let here = needed.entry(at).or_default();
            todo.extend(used.into_iter().filter(|fact| here.insert(*fact)).map(|fact| (at, fact)));
        };
        for i in 0..self.cuts.len() {
            let facts = self.assumed(&self.cuts[i], proven);
            for (_, guard) in self.cuts[i].targets.clone() {
                let used = self.refutation(&facts, guard, cx)?;
                add(self.cuts[i].start, used.unwrap_or_else(|| facts.clone()), &mut todo);
            }
        }
        while let Some((head, fact)) = todo.pop() {
            for i in 0..self.cuts.len() {
                let Some(arrival) = self.cuts[i].heads.get(&head) else { continue };
                let goal = evaluate_term(program, &mut cx.terms, &arrival.state, fact);
                let not = cx.terms.not(goal);
                let bad = cx.terms.and(arrival.guard, not);
                let facts = self.assumed(&self.cuts[i], proven);
                let used = self.refutation(&facts, bad, cx)?;
                add(self.cuts[i].start, used.unwrap_or(facts), &mut todo);
            }
        }
        Ok(needed)
    }

    fn is_refuted(&mut self, facts: &[Term], bad: Term, cx: &mut Cx) -> Result<bool, Stop> {
        Ok(self.refutation(facts, bad, cx)?.is_some())
    }

    /// The facts that exclude it, if they do: by their equations, or by instances of what is quantified.
    fn refutation(&mut self, facts: &[Term], bad: Term, cx: &mut Cx) -> Result<Option<Vec<Term>>, Stop> {
        match cx.terms.as_bool_const(bad) {
            Some(false) => return Ok(Some(Vec::new())),
            Some(true) if facts.is_empty() => return Ok(None),
            _ => {}
        }
        if let Some(used) = equations_refute(&cx.terms, facts, bad) {
            return Ok(Some(used));
        }
        let mut all = facts.to_vec();
        all.push(bad);
        let asked = match smt::quantifier_instances::instantiated_each(&mut cx.terms, &all) {
            Some((mut plain, said)) => {
                plain.push(said);
                plain
            }
            None => all,
        };
        if !self.oracle.refuted(cx, &asked)? {
            return Ok(None);
        }
        let Some(core) = self.oracle.core() else { return Ok(Some(facts.to_vec())) };
        Ok(Some(facts.iter().zip(&asked).filter(|(_, asked)| core.contains(asked)).map(|(fact, _)| *fact).collect()))
    }
}

fn has_quantifier(terms: &Store, t: Term) -> bool {
    term::walk::postorder(terms, &[t]).into_iter().any(|t| terms.op(t).is_quantifier())
}

/// The facts whose equations alone exclude it, if they do: bit-blasting does not see through sums of 64 bits.
fn equations_refute(terms: &Store, facts: &[Term], bad: Term) -> Option<Vec<Term>> {
    let plain = |t: &Term| terms.op(*t) == Op::Eq && matches!(terms.sort(terms.arg(*t, 0)), Sort::Bv(_));
    let is_equation = |t: &Term| plain(t) || terms.op(*t) == Op::Not && plain(&terms.arg(*t, 0));
    let equations = |t: Term| -> Vec<Term> { conjuncts(terms, t).into_iter().filter(is_equation).collect() };
    let goal = equations(bad);
    if goal.iter().all(plain) {
        return None;
    }
    let refutes = |facts: &[Term]| {
        let parts: Vec<Term> = facts.iter().flat_map(|fact| equations(*fact)).chain(goal.iter().copied()).collect();
        smt::algebra::refutes(terms, &parts)
    };
    let mut used: Vec<Term> = facts.iter().copied().filter(|fact| !equations(*fact).is_empty()).collect();
    if !refutes(&used) {
        return None;
    }
    let mut at = 0;
    while at < used.len() {
        let without = used.remove(at);
        if !refutes(&used) {
            used.insert(at, without);
            at += 1;
        }
    }
    Some(used)
}
