//! Invariants from data: guess what holds at loop heads from states seen there, prove it, use it.
//!
//! Guess and check in the line of Daikon, DIG and Houdini. We differ in the proof: polynomial equalities are proved in the
//! ring of machine integers (crate `poly`), by substitution along paths and reduction modulo `2^w`, overflow included, and
//! never bit-blasted; everything else is asked of the solver with products forgotten. A candidate that is true of the
//! integers but not of the machine fails, as it must.
//!
//! Counterexamples come from the same runs: an execution that reaches an error is one.

mod candidates;
mod case;
mod check;
mod data;
mod segments;

use candidates::{Guesser, program_conditions};
use cfa::{Loc, Program, Var};
use check::{Checker, Formulas};
use encode::Bounded;
use engine::{Cx, Engine, Event, Evidence, FactKind, Proof, Stop, Task, Verdict, Why};
use flow::wto::Wto;
use segments::{Segment, entry_conditions};
use std::collections::BTreeMap;
use std::time::Duration;
use term::{Sort, Store, Term};

#[derive(Default)]
pub struct Guess;

impl Engine for Guess {
    fn name(&self) -> &'static str {
        "guess"
    }

    fn run(&mut self, task: &Task, cx: &mut Cx) -> Verdict {
        search(task, cx).unwrap_or_else(|stop| Verdict::Unknown(stop.into()))
    }
}

fn search(task: &Task, cx: &mut Cx) -> Result<Verdict, Stop> {
    let program = &*task.program;
    let wto = Wto::new(program.main());
    let samples = data::sample(program, live_words(program, &wto), &cx.budget)?;
    if let Some(trace) = samples.error {
        return Ok(Verdict::Unsafe(Evidence::Trace(trace)));
    }
    let budget = cx.budget.clone();
    if let Some(segments) = segments::segments(program, &wto, &mut cx.terms, &budget)? {
        cx.tell(Event::Note(format!("{} paths", segments.len())));
        let mut hunt =
            Hunt { task, wto: &wto, segments: &segments, tables: &samples.tables, candidates: Formulas::new() };
        if let Some(proof) = hunt.run(cx)? {
            return Ok(Verdict::Safe(proof));
        }
    }
    let mut base = Bounded::new(task, &wto, cx)?;
    for bound in 1.. {
        if let Some(verdict) = base.advance(bound, cx)? {
            return Ok(verdict);
        }
        cx.tell(Event::Bound(u64::from(bound)));
    }
    Ok(Verdict::Unknown(Why::GaveUp("the invariants found do not suffice".into())))
}

/// The search for invariants that suffice, with more and more kinds of candidates.
struct Hunt<'a> {
    task: &'a Task,
    wto: &'a Wto,
    segments: &'a [Segment],
    tables: &'a BTreeMap<Loc, data::Table>,
    candidates: Formulas,
}

impl Hunt<'_> {
    fn run(&mut self, cx: &mut Cx) -> Result<Option<Proof>, Stop> {
        let program = &*self.task.program;
        // Equalities need nothing but the ring.
        self.guess(cx, |guesser, terms| guesser.equalities(terms));
        if let Some(proof) = self.prove(&Formulas::new(), cx)? {
            return Ok(Some(proof));
        }
        let given = intervals(program, self.wto, cx)?;
        if let Some(proof) = self.prove(&given, cx)? {
            return Ok(Some(proof));
        }
        let conditions = program_conditions(program, &cx.terms);
        self.guess(cx, |guesser, terms| {
            let mut found = guesser.inequalities(terms);
            found.extend(guesser.conditions(terms, &conditions));
            found
        });
        if let Some(proof) = self.prove(&given, cx)? {
            return Ok(Some(proof));
        }
        self.guess_by_cases(&conditions, cx);
        self.prove(&given, cx)
    }

    /// Adds candidates at every head.
    fn guess(&mut self, cx: &mut Cx, ask: impl Fn(&Guesser<'_>, &mut Store) -> Vec<Term>) {
        for (head, table) in self.tables {
            let guesser = Guesser::new(&self.task.program, &cx.terms, table);
            let found = ask(&guesser, &mut cx.terms);
            note(cx, "candidate", *head, &found);
            self.add(&cx.terms, *head, found);
        }
    }

    fn add(&mut self, terms: &Store, head: Loc, found: Vec<Term>) {
        let here = self.candidates.entry(head).or_default();
        for candidate in found {
            if terms.as_bool_const(candidate).is_none() && !here.contains(&candidate) {
                here.push(candidate);
            }
        }
    }

    /// Candidates for the executions that enter a loop under a condition, and for those that do not.
    fn guess_by_cases(&mut self, conditions: &[Term], cx: &mut Cx) {
        for (head, table) in self.tables {
            for condition in entry_conditions(&self.task.program, self.segments, *head, &mut cx.terms) {
                let guesser = Guesser::new(&self.task.program, &cx.terms, table);
                for (case, table) in guesser.split(&mut cx.terms, condition) {
                    let guesser = Guesser::new(&self.task.program, &cx.terms, &table);
                    let mut found = guesser.equalities(&mut cx.terms);
                    found.extend(guesser.inequalities(&mut cx.terms));
                    found.extend(guesser.conditions(&mut cx.terms, conditions));
                    found.retain(|c| !self.candidates[head].contains(c));
                    let found: Vec<Term> = found.into_iter().map(|c| cx.terms.implies(case, c)).collect();
                    note(cx, "candidate", *head, &found);
                    self.add(&cx.terms, *head, found);
                }
            }
        }
    }

    /// The proof that the candidates give, beside what is given; within a share of the time.
    fn prove(&mut self, given: &Formulas, cx: &mut Cx) -> Result<Option<Proof>, Stop> {
        let whole = cx.budget.clone();
        cx.budget = whole.slice(whole.left() / 3);
        let result = self.attempt(given, cx);
        cx.budget = whole;
        match result {
            Err(Stop::Timeout) => cx.budget.check().map(|()| None),
            Ok(Some(proof)) if !given.is_empty() => Ok(Some(self.smaller(proof, cx)?)),
            other => other,
        }
    }

    fn attempt(&mut self, given: &Formulas, cx: &mut Cx) -> Result<Option<Proof>, Stop> {
        let mut checker = Checker::new(&self.task.program, self.segments, given, cx)?;
        let proven = checker.inductive(self.candidates.clone(), cx)?;
        publish(self.task, cx, &self.candidates, &proven);
        let open = checker.open_targets(&proven, cx)?;
        let count = |formulas: &Formulas| formulas.values().map(Vec::len).sum::<usize>();
        cx.tell(Event::Note(format!(
            "{} of {} candidates are inductive, {} ways to targets are open",
            count(&proven),
            count(&self.candidates),
            open
        )));
        Ok((open == 0).then(|| self.proof(&[given, &proven], &mut cx.terms)))
    }

    fn proof(&self, parts: &[&Formulas], terms: &mut Store) -> Proof {
        let mut at = BTreeMap::new();
        for head in self.wto.heads() {
            let facts: Vec<Term> = parts.iter().filter_map(|f| f.get(&head)).flatten().copied().collect();
            at.insert(head, terms.and_all(&facts));
        }
        Proof::Invariants { at, k: 1 }
    }

    /// The proof without conjuncts that it does not need: fewer are easier to read and to prove again.
    fn smaller(&self, proof: Proof, cx: &mut Cx) -> Result<Proof, Stop> {
        let Proof::Invariants { at, .. } = &proof else { return Ok(proof) };
        let mut kept: Vec<(Loc, Term)> = Vec::new();
        for (head, formula) in at {
            kept.extend(term::normal::conjuncts(&cx.terms, *formula).into_iter().map(|c| (*head, c)));
        }
        let end = cx.budget.left().saturating_sub(SMALLER_TIME);
        let mut chunk = kept.len().div_ceil(2);
        while chunk > 0 {
            let mut start = 0;
            while start < kept.len() && cx.budget.left() > end {
                let mut fewer = Formulas::new();
                for (i, (head, c)) in kept.iter().enumerate() {
                    if !(start..start + chunk).contains(&i) {
                        fewer.entry(*head).or_default().push(*c);
                    }
                }
                let nothing = Formulas::new();
                let mut checker = Checker::new(&self.task.program, self.segments, &nothing, cx)?;
                let proven = checker.inductive(fewer.clone(), cx)?;
                if proven == fewer && checker.open_targets(&proven, cx)? == 0 {
                    kept.drain(start..(start + chunk).min(kept.len()));
                } else {
                    start += chunk;
                }
            }
            chunk /= 2;
        }
        let mut fewer = Formulas::new();
        kept.into_iter().for_each(|(head, c)| fewer.entry(head).or_default().push(c));
        Ok(self.proof(&[&fewer], &mut cx.terms))
    }
}

/// Making a proof smaller may take this long.
const SMALLER_TIME: Duration = Duration::from_millis(1000);

fn note(cx: &mut Cx, what: &str, head: Loc, formulas: &[Term]) {
    for formula in formulas {
        let text = term::smtlib::print_term(&cx.terms, *formula);
        cx.tell(Event::Note(format!("{what} at {head}: {text}")));
    }
}

/// Proven invariants may be assumed by others; the rest is worth a try.
fn publish(task: &Task, cx: &Cx, candidates: &Formulas, proven: &Formulas) {
    for (head, formulas) in candidates {
        for formula in formulas {
            if proven[head].contains(formula) {
                cx.publish_invariant(task, "guess", *head, *formula);
            } else {
                let formula = term::smtlib::print_term(&cx.terms, *formula);
                cx.publish(task, "guess", FactKind::Candidate { at: *head, formula });
            }
        }
    }
}

/// Interval facts at loop heads, as conjuncts.
fn intervals(program: &Program, wto: &Wto, cx: &mut Cx) -> Result<Formulas, Stop> {
    let budget = cx.budget.clone();
    let analysis = domain::analyse(program, wto, &mut || budget.check().is_ok());
    budget.check()?;
    let mut facts = Formulas::new();
    if let Some(analysis) = analysis {
        for head in wto.heads() {
            let formula = analysis.formula(program, &mut cx.terms, head);
            facts.insert(head, term::normal::conjuncts(&cx.terms, formula));
        }
    }
    Ok(facts)
}

/// The variables that are live at each loop head and fit a word.
fn live_words(program: &Program, wto: &Wto) -> BTreeMap<Loc, Vec<Var>> {
    let main = program.main();
    let graph = flow::Graph::of(main);
    let effects = flow::GlobalEffects::of(program, &flow::CallGraph::of(program));
    let accesses = flow::Accesses::of(program, main, &effects, &mut flow::TermVars::of(program));
    let mut liveness = flow::Liveness::new(&graph, &accesses);
    let mut columns: BTreeMap<Loc, Vec<Var>> = wto.heads().map(|head| (head, Vec::new())).collect();
    for var in program.vars.ids() {
        let fits = match program.vars[var].sort {
            Sort::Bool => true,
            Sort::Bv(width) => width <= 64,
            _ => false,
        };
        if fits {
            for loc in liveness.range(var) {
                columns.entry(loc).and_modify(|vars| vars.push(var));
            }
        }
    }
    columns
}
