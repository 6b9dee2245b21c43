//! Invariants that the program itself states: what assertions near a loop head demand there, and what loops that only look
//! have found out. Those that are inductive together are kept (Houdini; Flanagan & Leino, FME 2001).
//!
//! Invariants of the user are asserted at loop heads (`lower::loops`), quantifiers of preconditions are loops that ask for one
//! value after the other (`lower::quantifier`): both come back as candidates here, `∀` included. A candidate is proved from loop
//! head to loop head, paths merged, quantifiers instance by instance, so that branches do not multiply.

mod backwards;
mod cuts;
mod objects;
mod sizes;

use crate::limits::houdini::{IN_VAIN, SMALL, TOGETHER_PART};
use cfa::Loc;
use cuts::{Check, Cut, Steps, cut_from};
use encode::Oracle;
use encode::state::evaluate_term;
use engine::{Cx, Engine, Event, Proof, Stop, Task, Verdict, Why};
use flow::wto::Wto;
use infer::candidates::demands::{self, Candidates};
use objects::Objects;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use term::normal::conjuncts;
use term::{Op, Sort, Store, Term, walk};

#[derive(Default)]
pub struct Houdini {
    pub settings: Settings,
}

/// Effort, and how many candidates there are.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// For one question about a candidate: there are others.
    pub candidate_time: Duration,
    /// The same, of those that nobody decided in that time and without which there is no proof.
    pub hard_time: Duration,
    /// So many of these are tried, small ones first.
    pub hard: usize,
    /// For one question about a target: each has to be answered.
    pub target_time: Duration,
    /// Candidates are asked about together as far as they have so many parts: solvers take their time to read, too.
    pub together: usize,
    /// How many candidates there are at heads.
    pub candidates: demands::Settings,
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
            hard_time: Duration::from_secs(15),
            hard: 8,
            target_time: Duration::from_secs(10),
            together: 20_000,
            candidates: demands::Settings::default(),
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
type Formulas = infer::AtHeads;

fn search(task: &Task, settings: Settings, cx: &mut Cx) -> Result<Verdict, Stop> {
    let program = &*task.program;
    let wto = Wto::new(program.main());
    let known = crate::guess::intervals(program, &wto, cx)?;
    let mut candidates = Candidates::new(program, &wto, settings.candidates, &mut cx.terms, &cx.budget)?;
    let entry = program.main().entry;
    let starts = std::iter::once(entry).chain(wto.heads().filter(|head| *head != entry));
    let cuts: Vec<Cut> =
        starts.map(|start| cut_from(program, &wto, start, &mut cx.terms, &cx.budget)).collect::<Result<_, _>>()?;
    let oracle = Oracle::new(cx, settings.candidate_time)?;
    let mut prover = Prover {
        task,
        settings,
        cuts,
        known,
        entry,
        oracle,
        reasons: BTreeMap::new(),
        targets: BTreeMap::new(),
        open: Formulas::new(),
        sifts: false,
        sifted: BTreeSet::new(),
    };
    let found = prover.stages(&mut candidates, &wto, cx)?;
    let (proven, reasons) = match found {
        Ok(found) => found,
        // For other engines, and for what is said of objects: all that is inductive.
        Err((open, left)) => {
            let proven = prover.keep(left, cx)?;
            if let Some(proof) = prover.about_objects(&candidates, &proven, &wto, cx)? {
                return Ok(Verdict::Safe(proof));
            }
            let place = program.sources.place(program.main().locs[open].span);
            let why = format!("the invariants do not exclude that {place} is reached");
            return Ok(Verdict::Unknown(Why::GaveUp(why)));
        }
    };
    let needed = prover.needed(reasons, &proven, cx)?;
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
    /// What candidates followed from: at the end of a cut, from facts where it starts.
    reasons: BTreeMap<(usize, Loc, Term), Vec<Term>>,
    /// What excluded the targets of a cut.
    targets: BTreeMap<usize, Vec<Term>>,
    /// Candidates that were dropped because nobody could tell in time.
    open: Formulas,
    /// Whether only those are dropped that fail in a model.
    sifts: bool,
    /// Cuts and the heads where they end at which models are hard to find.
    sifted: BTreeSet<(usize, Loc)>,
}

/// For each cut the facts that exclude its targets; or a target that is not excluded.
type Excluded = Result<Vec<Vec<Term>>, Loc>;

impl Check for Prover<'_> {
    fn cuts(&self) -> &[Cut] {
        &self.cuts
    }

    fn failing(
        &mut self,
        cut: usize,
        head: Loc,
        wanted: &[Term],
        candidates: &Formulas,
        cx: &mut Cx,
    ) -> Result<Vec<Term>, Stop> {
        let mut facts = self.assumed(&self.cuts[cut], candidates);
        facts.push(self.cuts[cut].heads[&head].guard);
        let known: BTreeSet<Term> = facts.iter().copied().collect();
        // What followed from facts that are still there follows still.
        let stands = |reason: &Vec<Term>| reason.iter().all(|fact| known.contains(fact));
        let asked: Vec<Term> =
            wanted.iter().copied().filter(|c| !self.reasons.get(&(cut, head, *c)).is_some_and(stands)).collect();
        let mut failing = Vec::new();
        for group in self.violations(cut, head, &asked, cx) {
            let mut open: Vec<(Term, Term)> = Vec::new();
            for (candidate, violated) in group.members {
                match equations_refute(&cx.terms, &facts, violated) {
                    Some(used) => drop(self.reasons.insert((cut, head, candidate), used)),
                    None => open.push((candidate, violated)),
                }
            }
            let patience = self.oracle.patience;
            let mut parts = vec![open];
            // Where several parts have no model soon, the rest has none either, mostly, and then not the next time, with less to fail.
            let mut in_vain = if self.sifted.contains(&(cut, head)) { IN_VAIN } else { 0 };
            while let Some(mut open) = parts.pop() {
                if open.is_empty() {
                    continue;
                }
                parts.push(self.split_off(&mut open, cx));
                let bad: Vec<Term> = open.iter().map(|(_, violated)| *violated).collect();
                self.oracle.patience = if open.len() > 1 { patience / TOGETHER_PART } else { patience };
                let told = self.ask(&facts, &bad, &group.chosen, cx)?;
                self.oracle.patience = patience;
                match told {
                    Told::Excluded(used) => {
                        let held = open.into_iter().map(|(candidate, _)| ((cut, head, candidate), used.clone()));
                        self.reasons.extend(held);
                    }
                    Told::Possible(which) => {
                        failing.extend(which.iter().map(|i| open[*i].0));
                        failing.extend(self.also_failing(cut, head, candidates, cx));
                        let mut at = 0..;
                        open.retain(|_| at.next().is_some_and(|i| !which.contains(&i)));
                        parts.push(open);
                    }
                    // What fails is looked for in parts, as long as there are many.
                    Told::Open if self.sifts => {
                        in_vain += 1;
                        if in_vain >= IN_VAIN {
                            self.sifted.insert((cut, head));
                            parts.clear();
                        } else if open.len() > 1 {
                            let rest = open.split_off(open.len() / 2);
                            parts.extend([rest, open]);
                        }
                    }
                    // Too much at once: those that are hard by themselves are dropped.
                    Told::Open if open.len() > 1 => parts.extend(open.into_iter().map(|one| vec![one])),
                    Told::Open => {
                        let undecided = open.into_iter().map(|(candidate, _)| candidate);
                        let known = failing.len();
                        failing.extend(undecided);
                        self.open.entry(head).or_default().extend(&failing[known..]);
                    }
                }
            }
        }
        Ok(failing)
    }
}

impl Prover<'_> {
    /// Where something fails that is needed: all candidates about numbers that fail in the same model. They were not refuted when that was
    /// looked for, and whatever a core names next would fail one by one.
    fn also_failing(&mut self, cut: usize, head: Loc, candidates: &Formulas, cx: &mut Cx) -> Vec<Term> {
        if self.sifts {
            return Vec::new();
        }
        let of_cells = |t: Term| walk::postorder(&cx.terms, &[t]).iter().any(|t| cx.terms.op(*t) == Op::Select);
        let numbers: Vec<Term> =
            candidates.get(&head).into_iter().flatten().copied().filter(|t| !of_cells(*t)).collect();
        let mut failing = Vec::new();
        for group in self.violations(cut, head, &numbers, cx).into_iter().filter(|group| group.sorts.is_empty()) {
            for (candidate, violated) in group.members {
                if self.oracle.holds(cx, violated) {
                    failing.push(candidate);
                }
            }
        }
        failing
    }

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
        let about = objects.candidates(wto, candidates.error_preconditions(), &mut cx.terms);
        let found = objects::prove(objects, &self.cuts, about, &mut self.oracle, cx)?;
        Ok(found.map(|at| Proof::Invariants { at, k: 1 }))
    }

    /// The candidates that are inductive together; others are told of them.
    fn keep(&mut self, all: Formulas, cx: &mut Cx) -> Result<Formulas, Stop> {
        let count = |formulas: &Formulas| formulas.values().map(Vec::len).sum::<usize>();
        cx.tell(Event::Note(format!("{} candidates at {} loop heads", count(&all), all.len())));
        self.oracle.patience = self.settings.candidate_time;
        let proven = infer::houdini(&mut Steps { check: self, cx }, all)?;
        cx.tell(Event::Note(format!("{} of them are inductive", count(&proven))));
        for (head, formulas) in &proven {
            for formula in formulas {
                cx.publish_invariant("houdini", *head, *formula);
            }
        }
        Ok(proven)
    }

    fn assumed(&self, cut: &Cut, formulas: &Formulas) -> Vec<Term> {
        assumed(self.entry, cut, &self.known, formulas)
    }

    /// Those that are too much for one question.
    fn split_off(&self, open: &mut Vec<(Term, Term)>, cx: &Cx) -> Vec<(Term, Term)> {
        let is_much = |some: &[(Term, Term)]| {
            let violated: Vec<Term> = some.iter().map(|(_, violated)| *violated).collect();
            walk::dag_size(&cx.terms, &violated) > self.settings.together
        };
        let mut most = open.len();
        while most > 1 && is_much(&open[..most]) {
            most = most.div_ceil(2);
        }
        open.split_off(most)
    }

    /// How candidates fail where a cut ends, in groups of which each is one question: those that speak of cells fail at one that
    /// is chosen, the same for all of a group, so that facts are needed of that one only.
    fn violations(&mut self, cut: usize, head: Loc, wanted: &[Term], cx: &mut Cx) -> Vec<Group> {
        let program = &*self.task.program;
        let arrival = &self.cuts[cut].heads[&head];
        let mut groups: Vec<Group> = Vec::new();
        for candidate in wanted.iter().copied() {
            let goal = evaluate_term(program, &mut cx.terms, &arrival.state, candidate);
            let (bound, body) = match cx.terms.quantifier(goal) {
                Some((bound, body)) if cx.terms.op(goal) == Op::Forall => (bound.to_vec(), body),
                _ => (Vec::new(), goal),
            };
            let sorts: Vec<Sort> = bound.iter().map(|b| cx.terms.sort(*b)).collect();
            let at = groups.iter().position(|group| group.sorts == sorts).unwrap_or_else(|| {
                let chosen = sorts.iter().map(|sort| cx.terms.fresh("chosen", *sort)).collect();
                groups.push(Group { sorts, chosen, members: Vec::new() });
                groups.len() - 1
            });
            let pairs: Vec<(Term, Term)> = bound.into_iter().zip(groups[at].chosen.iter().copied()).collect();
            let instance = term::substitute(&mut cx.terms, body, &pairs);
            let violated = cx.terms.not(instance);
            if cx.terms.as_bool_const(violated) != Some(false) {
                groups[at].members.push((candidate, violated));
            }
        }
        groups
    }

    /// The facts that exclude all of these, or the first that they do not: together, and one by one where that is too much.
    fn all_excluded(
        &mut self,
        facts: &[Term],
        bad: &[Term],
        chosen: &[Term],
        cx: &mut Cx,
    ) -> Result<Result<Vec<Term>, usize>, Stop> {
        let mut all_used: BTreeSet<Term> = BTreeSet::new();
        let mut open: Vec<usize> = Vec::new();
        for (i, bad) in bad.iter().enumerate() {
            match (cx.terms.as_bool_const(*bad), equations_refute(&cx.terms, facts, *bad)) {
                (Some(false), _) => {}
                (_, Some(used)) => all_used.extend(used),
                (_, None) => open.push(i),
            }
        }
        let together: Vec<Term> = open.iter().map(|i| bad[*i]).collect();
        match self.ask(facts, &together, chosen, cx)? {
            Told::Excluded(used) => all_used.extend(used),
            Told::Possible(which) => return Ok(Err(open[which[0]])),
            Told::Open => {
                for i in open {
                    let Told::Excluded(used) = self.ask(facts, &[bad[i]], chosen, cx)? else { return Ok(Err(i)) };
                    all_used.extend(used);
                }
            }
        }
        Ok(Ok(facts.iter().copied().filter(|fact| all_used.contains(fact)).collect()))
    }

    /// Whether one of several bad things may be so, by instances of what is quantified.
    fn ask(&mut self, facts: &[Term], bad: &[Term], chosen: &[Term], cx: &mut Cx) -> Result<Told, Stop> {
        let all: Vec<Term> = facts.iter().chain(bad).copied().collect();
        let (mut plain, said) =
            smt::quantifier_instances::instantiated_each(&mut cx.terms, &all, chosen).unwrap_or((all, cx.terms.tt()));
        let bad = plain.split_off(facts.len());
        let mut asked = plain;
        asked.extend([said, cx.terms.or_all(&bad)]);
        match self.oracle.sat(cx, &asked)? {
            Some(false) => {
                let core = self.oracle.core();
                let is_used = |asked: &Term| core.as_ref().is_none_or(|core| core.contains(asked));
                let used = facts.iter().zip(&asked).filter(|(_, asked)| is_used(asked));
                Ok(Told::Excluded(used.map(|(fact, _)| *fact).collect()))
            }
            Some(true) => {
                let so: Vec<usize> = (0..bad.len()).filter(|i| self.oracle.holds(cx, bad[*i])).collect();
                Ok(if so.is_empty() { Told::Open } else { Told::Possible(so) })
            }
            None => Ok(Told::Open),
        }
    }
}

/// What is known of several bad things.
enum Told {
    /// None of them is so, because of these facts.
    Excluded(Vec<Term>),
    /// These may be so together.
    Possible(Vec<usize>),
    Open,
}

/// Candidates with how they fail, of one choice of cells.
struct Group {
    sorts: Vec<Sort>,
    chosen: Vec<Term>,
    members: Vec<(Term, Term)>,
}

/// All of both.
fn with(mut formulas: Formulas, others: Formulas) -> Formulas {
    for (head, others) in others {
        let here = formulas.entry(head).or_default();
        let new: Vec<Term> = others.into_iter().filter(|other| !here.contains(other)).collect();
        here.extend(new);
    }
    formulas
}

/// Those of few terms.
fn smaller(terms: &Store, formulas: &Formulas) -> Formulas {
    let is_small = |formula: &Term| walk::dag_size(terms, &[*formula]) <= SMALL;
    formulas.iter().map(|(head, all)| (*head, all.iter().copied().filter(is_small).collect())).collect()
}

fn has_quantifier(terms: &Store, t: Term) -> bool {
    walk::postorder(terms, &[t]).into_iter().any(|t| terms.op(t).is_quantifier())
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

/// What is assumed where a cut starts: what is known there, and the formulas. Nothing at the entry, where any state may be, unless something is known.
fn assumed(entry: Loc, cut: &Cut, known: &Formulas, formulas: &Formulas) -> Vec<Term> {
    if cut.start == entry && !known.contains_key(&cut.start) {
        return Vec::new();
    }
    [known, formulas].iter().filter_map(|f| f.get(&cut.start)).flatten().copied().collect()
}
