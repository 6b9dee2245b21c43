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
use std::collections::BTreeMap;
use term::{Sort, Term};

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
    for (head, table) in &samples.tables {
        cx.tell(Event::Note(format!("{} states at {head}", table.rows.len())));
    }
    let given = intervals(program, &wto, cx)?;
    let budget = cx.budget.clone();
    if let Some(segments) = segments::segments(program, &wto, &mut cx.terms, &budget)? {
        cx.tell(Event::Note(format!("{} paths", segments.len())));
        let mut checker = Checker::new(program, &segments, &given, cx)?;
        let conditions = program_conditions(program, &cx.terms);
        let mut candidates = Formulas::new();
        for (head, table) in &samples.tables {
            let guesser = Guesser::new(program, &cx.terms, table);
            let mut here = guesser.equalities(&mut cx.terms);
            note(cx, "equality", *head, &here);
            here.extend(guesser.inequalities(&mut cx.terms));
            here.extend(guesser.conditions(&mut cx.terms, &conditions));
            here.retain(|c| cx.terms.as_bool_const(*c).is_none());
            let mut seen = rustc_hash::FxHashSet::default();
            here.retain(|c| seen.insert(*c));
            candidates.insert(*head, here);
        }
        let guessed: usize = candidates.values().map(Vec::len).sum();
        let proven = checker.inductive(candidates.clone(), cx)?;
        let kept: usize = proven.values().map(Vec::len).sum();
        cx.tell(Event::Note(format!("{kept} of {guessed} candidates are inductive")));
        publish(task, cx, &candidates, &proven);
        for (head, formulas) in &proven {
            note(cx, "proven", *head, formulas);
        }
        let open = checker.open_targets(&proven, cx)?;
        if open.is_empty() {
            let mut at = BTreeMap::new();
            for head in wto.heads() {
                let facts: Vec<Term> =
                    [&given, &proven].iter().filter_map(|f| f.get(&head)).flatten().copied().collect();
                at.insert(head, cx.terms.and_all(&facts));
            }
            return Ok(Verdict::Safe(Proof::Invariants { at, k: 1 }));
        }
        for segment in open {
            cx.tell(Event::Note(format!("open: {:?} to {}", segment.from, segment.to)));
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
