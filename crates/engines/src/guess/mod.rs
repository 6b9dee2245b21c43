//! Invariants from data: guess what holds at loop heads from states seen there, prove it, use it.
//!
//! Guess and check in the line of Daikon, DIG and Houdini. We differ in the proof: polynomial equalities are proved in the
//! ring of machine integers (crate `poly`), by substitution along paths and reduction modulo `2^w`, overflow included, and
//! never bit-blasted; everything else is asked of the solver with products forgotten. A candidate that is true of the
//! integers but not of the machine fails, as it must.
//!
//! Counterexamples come from the same runs: an execution that reaches an error is one.

mod case;
mod check;
mod directed_inputs;
mod error_preconditions;
mod settings;

use case::Case;
use cfa::{Loc, Program, Var};
use check::Checker;
use encode::Bounded;
use engine::{Cx, Engine, Event, Evidence, FactKind, Proof, Stop, Task, Verdict, Why};
use flow::wto::Wto;
use infer::AtHeads;
use infer::candidates::program::{flags, limits, neighbours, program_conditions};
use infer::candidates::{Guesser, monotone};
use infer::sample::{Cell, Samples, live_words, sample};
use infer::segments::{Segment, entry_conditions, paths};
pub use settings::Settings;
use std::collections::BTreeMap;
use term::{Op, Store, Term};

pub struct Guess {
    pub settings: Settings,
    /// A test says no, to see that nothing else keeps lies off the board.
    proves: bool,
    cell: Option<Cell>,
}

impl Default for Guess {
    fn default() -> Guess {
        Guess { settings: Settings::default(), proves: true, cell: None }
    }
}

impl Guess {
    /// For a program that follows a cell. Says nothing where it finds no proof.
    pub(crate) fn about(cell: Cell) -> Guess {
        Guess { cell: Some(cell), ..Guess::default() }
    }

    /// One that publishes what it guessed: what tests of the published have to find out.
    #[doc(hidden)]
    pub fn lying() -> Guess {
        Guess { proves: false, ..Guess::default() }
    }
}

impl Engine for Guess {
    fn name(&self) -> &'static str {
        "guess"
    }

    fn run(&mut self, task: &Task, cx: &mut Cx) -> Verdict {
        search(task, self, cx).unwrap_or_else(|stop| Verdict::Unknown(stop.into()))
    }
}

fn search(task: &Task, engine: &Guess, cx: &mut Cx) -> Result<Verdict, Stop> {
    let program = &*task.program;
    let wto = Wto::new(program.main());
    let live = live_words(program, &wto);
    let budget = cx.budget.clone();
    let segments = paths(program, &wto, &mut cx.terms, &budget)?;
    if let (Some(_), Some(segments)) = (&engine.cell, &segments) {
        let mut nothing = Samples::default();
        let (samples, candidates) = (&mut nothing, AtHeads::new());
        let mut hunt = Hunt { engine, task, wto: &wto, segments, live: &live, samples, candidates };
        let given = intervals(program, &wto, cx)?;
        hunt.guess_error_preconditions(cx);
        if let Some(proof) = hunt.prove(&given, cx)? {
            return Ok(Verdict::Safe(proof));
        }
    }
    let mut samples = sample(program, live.clone(), engine.cell.as_ref(), &cx.budget)?;
    if let Some(trace) = samples.error {
        return Ok(Verdict::Unsafe(Evidence::Trace(trace)));
    }
    if let Some(segments) = &segments {
        cx.tell(Event::Note(format!("{} paths", segments.len())));
        let samples = &mut samples;
        let candidates = AtHeads::new();
        let mut hunt = Hunt { engine, task, wto: &wto, segments, live: &live, samples, candidates };
        if let Some(proof) = hunt.run(cx)? {
            return Ok(Verdict::Safe(proof));
        }
        if let Some(trace) = samples.error.take() {
            return Ok(Verdict::Unsafe(Evidence::Trace(trace)));
        }
    }
    if engine.cell.is_some() {
        return Ok(Verdict::Unknown(Why::GaveUp("the invariants found do not suffice".into())));
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
    engine: &'a Guess,
    task: &'a Task,
    wto: &'a Wto,
    segments: &'a [Segment],
    /// What may be of use at each head.
    live: &'a BTreeMap<Loc, Vec<Var>>,
    samples: &'a mut Samples,
    candidates: AtHeads,
}

impl<'a> Hunt<'a> {
    /// Finds a proof, or nothing. An execution that it makes on the way may end in an error: see the samples.
    fn run(&mut self, cx: &mut Cx) -> Result<Option<Proof>, Stop> {
        let program = &*self.task.program;
        // Equalities need nothing but the ring.
        self.guess(cx, |guesser, terms| guesser.equalities(terms));
        if let Some(proof) = self.prove(&AtHeads::new(), cx)? {
            return Ok(Some(proof));
        }
        let given = intervals(program, self.wto, cx)?;
        self.guess_error_preconditions(cx);
        if let Some(proof) = self.prove(&given, cx)? {
            return Ok(Some(proof));
        }
        if self.engine.cell.is_none() && self.see_more(cx)? {
            if self.samples.error.is_some() {
                return Ok(None);
            }
            self.candidates.clear();
            self.guess(cx, |guesser, terms| guesser.equalities(terms));
            if let Some(proof) = self.prove(&given, cx)? {
                return Ok(Some(proof));
            }
        }
        let conditions = program_conditions(program, &cx.terms);
        self.guess(cx, |guesser, terms| guesser.conditions(terms, &conditions));
        self.guess_flags(cx);
        if let Some(proof) = self.prove(&given, cx)? {
            return Ok(Some(proof));
        }
        self.guess(cx, |guesser, terms| guesser.inequalities(terms));
        self.guess_monotone_combinations(cx);
        if let Some(proof) = self.prove(&given, cx)? {
            return Ok(Some(proof));
        }
        if let Some(cell) = &self.engine.cell {
            self.guess_of_cell(cell, cx, |guesser, terms| guesser.equalities(terms));
            if let Some(proof) = self.prove(&given, cx)? {
                return Ok(Some(proof));
            }
            self.guess_of_cell(cell, cx, |guesser, terms| guesser.inequalities(terms));
        } else {
            self.guess_by_cases(&conditions, cx);
        }
        self.prove(&given, cx)
    }

    /// Runs the program with inputs for what no run has done. Whether that showed anything new.
    fn see_more(&mut self, cx: &mut Cx) -> Result<bool, Stop> {
        let settings = &self.engine.settings;
        let (task, tables) = (self.task, &self.samples.tables);
        let directed = directed_inputs::directed_inputs(task, self.wto, self.segments, tables, settings, cx)?;
        let before = self.samples.rows();
        self.samples.add_chosen(&self.task.program, &directed, &cx.budget)?;
        Ok(self.samples.error.is_some() || self.samples.rows() > before)
    }

    /// What errors demand of the cells, if any are followed.
    fn guess_error_preconditions(&mut self, cx: &mut Cx) {
        let Some(cell) = &self.engine.cell else { return };
        let (program, known) = (&self.task.program, &self.candidates);
        let found = error_preconditions::error_preconditions(
            program,
            self.wto,
            self.segments,
            cell,
            self.live,
            known,
            &mut cx.terms,
        );
        for (head, found) in found {
            note(cx, "error precondition", head, &found);
            add(&mut self.candidates, &cx.terms, head, found);
        }
    }

    /// What is in the cells when a ghost is below a variable or a constant of the program: where loops have been.
    fn guess_of_cell(&mut self, cell: &Cell, cx: &mut Cx, ask: impl Fn(&Guesser<'_>, &mut Store) -> Vec<Term>) {
        let program = &*self.task.program;
        for (head, table) in &self.samples.tables {
            let ghosts = cell.ghosts.iter().filter(|ghost| table.columns.contains(&ghost.var));
            let mut cases: Vec<Term> = Vec::new();
            for ghost in ghosts.map(|ghost| program.term(ghost.var)) {
                let Some(width) = cx.terms.sort(ghost).bv_width().filter(|w| *w <= 64) else { continue };
                let mut ends: Vec<Term> = Vec::new();
                for &var in table.columns.iter().filter(|v| !cell.is_ghost(**v) && !cell.is_content(**v)) {
                    if program.vars[var].sort.bv_width() == Some(width) {
                        ends.push(program.term(var));
                    }
                }
                ends.extend(limits(program, &cx.terms, width));
                for end in ends.into_iter().filter(|end| cx.terms.width(*end) == width).collect::<Vec<_>>() {
                    cases.push(cx.terms.ult(ghost, end));
                }
            }
            for below in cases {
                let guesser = Guesser::new(program, &cx.terms, table);
                for (case, table) in guesser.split(&mut cx.terms, below) {
                    let guesser = Guesser::new(program, &cx.terms, &table);
                    let mut found = ask(&guesser, &mut cx.terms);
                    found.retain(|c| {
                        let free = term::walk::free_vars(&cx.terms, &[*c]);
                        !smt::algebra::has_products(&cx.terms, *c)
                            && free.iter().any(|v| program.var_of(*v).is_some_and(|v| cell.is_content(v)))
                    });
                    // Cells seen are few: what is strict among them need not be.
                    let also: Vec<Term> = found.iter().flat_map(|c| neighbours(&mut cx.terms, *c)).collect();
                    found.extend(also);
                    let found: Vec<Term> = found.into_iter().map(|c| cx.terms.implies(case, c)).collect();
                    note(cx, "candidate", *head, &found);
                    add(&mut self.candidates, &cx.terms, *head, found);
                }
            }
        }
    }

    /// Adds candidates at every head.
    fn guess(&mut self, cx: &mut Cx, ask: impl Fn(&Guesser<'_>, &mut Store) -> Vec<Term>) {
        for (head, table) in &self.samples.tables {
            let guesser = Guesser::new(&self.task.program, &cx.terms, table);
            let mut found = ask(&guesser, &mut cx.terms);
            // What is said of all cells is to be proved again with a quantifier: products are too much for that.
            found.retain(|c| self.engine.cell.is_none() || !smt::algebra::has_products(&cx.terms, *c));
            self.drop_implied(*head, &mut found, &mut cx.terms);
            note(cx, "candidate", *head, &found);
            add(&mut self.candidates, &cx.terms, *head, found);
        }
    }

    /// Adds what is true or false: which of it fails is soon seen.
    fn guess_flags(&mut self, cx: &mut Cx) {
        let program = &*self.task.program;
        let live = flow::live_at_heads(program, self.wto);
        for head in self.wto.heads() {
            let found = flags(program, &mut cx.terms, &live[head]);
            note(cx, "candidate", head, &found);
            add(&mut self.candidates, &cx.terms, head, found);
        }
    }

    /// Adds what follows from how paths change the variables, whatever was seen.
    fn guess_monotone_combinations(&mut self, cx: &mut Cx) {
        for head in self.wto.heads() {
            let found =
                monotone::monotone_combinations(&self.task.program, self.wto, self.segments, head, &mut cx.terms);
            note(cx, "candidate", head, &found);
            add(&mut self.candidates, &cx.terms, head, found);
        }
    }

    /// Equalities that follow from those already there say nothing new.
    fn drop_implied(&self, head: Loc, found: &mut Vec<Term>, terms: &mut Store) {
        let known = self.candidates.get(&head).into_iter().flatten().copied();
        let known: Vec<Term> = known.filter(|c| terms.op(*c) == Op::Eq).collect();
        let mut case = Case::new(terms, known);
        found.retain(|c| {
            let args = terms.args(*c).to_vec();
            let (Op::Eq, &[a, b]) = (terms.op(*c), &args[..]) else { return true };
            terms.sort(a).bv_width().is_none() || !case.proves_equal(terms, a, b)
        });
    }

    /// Candidates for the executions that enter a loop under a condition, and for those that do not.
    fn guess_by_cases(&mut self, conditions: &[Term], cx: &mut Cx) {
        for (head, table) in &self.samples.tables {
            for condition in entry_conditions(&self.task.program, self.segments, *head, &mut cx.terms) {
                let guesser = Guesser::new(&self.task.program, &cx.terms, table);
                let sides = guesser.split(&mut cx.terms, condition);
                // One side alone says what holds anyway.
                for (case, table) in if sides.len() == 2 { sides } else { Vec::new() } {
                    let guesser = Guesser::new(&self.task.program, &cx.terms, &table);
                    let mut found = guesser.equalities(&mut cx.terms);
                    found.extend(guesser.inequalities(&mut cx.terms));
                    found.extend(guesser.conditions(&mut cx.terms, conditions));
                    found.retain(|c| !self.candidates[head].contains(c));
                    let found: Vec<Term> = found.into_iter().map(|c| cx.terms.implies(case, c)).collect();
                    note(cx, "candidate", *head, &found);
                    add(&mut self.candidates, &cx.terms, *head, found);
                }
            }
        }
    }

    /// The proof that the candidates give, beside what is given; within a share of the time.
    fn prove(&mut self, given: &AtHeads, cx: &mut Cx) -> Result<Option<Proof>, Stop> {
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

    fn attempt(&mut self, given: &AtHeads, cx: &mut Cx) -> Result<Option<Proof>, Stop> {
        let mut checker = Checker::new(&self.task.program, self.segments, given, &self.engine.settings, cx)?;
        let candidates = self.candidates.clone();
        let proven = if self.engine.proves { checker.inductive(candidates, cx)? } else { candidates };
        publish(cx, &self.candidates, &proven);
        let open = checker.open_targets(&proven, cx)?;
        let count = |formulas: &AtHeads| formulas.values().map(Vec::len).sum::<usize>();
        cx.tell(Event::Note(format!(
            "{} of {} candidates are inductive, {} ways to targets are open",
            count(&proven),
            count(&self.candidates),
            open
        )));
        Ok((open == 0).then(|| self.proof(&[given, &proven], &mut cx.terms)))
    }

    fn proof(&self, parts: &[&AtHeads], terms: &mut Store) -> Proof {
        let mut at = BTreeMap::new();
        for head in self.wto.heads() {
            let facts: Vec<Term> = parts.iter().filter_map(|f| f.get(&head)).flatten().copied().collect();
            at.insert(head, terms.and_all(&facts));
        }
        Proof::Invariants { at, k: 1 }
    }

    /// The proof without inequalities and products that it does not need: fewer are easier to read and to prove again. First what
    /// targets do not lead to, all at once, then by halves.
    fn smaller(&self, proof: Proof, cx: &mut Cx) -> Result<Proof, Stop> {
        let Proof::Invariants { at, .. } = &proof else { return Ok(proof) };
        let mut all = AtHeads::new();
        for (head, formula) in at {
            all.insert(*head, term::normal::conjuncts(&cx.terms, *formula));
        }
        let end = cx.budget.left().saturating_sub(self.engine.settings.shrink_time);
        let nothing = AtHeads::new();
        let mut checker = Checker::new(&self.task.program, self.segments, &nothing, &self.engine.settings, cx)?;
        let all = checker.needed(&all, cx)?.unwrap_or(all);
        let mut kept: Vec<(Loc, Term)> =
            all.into_iter().flat_map(|(head, parts)| parts.into_iter().map(move |c| (head, c))).collect();
        kept.sort_by_key(|(_, c)| worth(&cx.terms, *c));
        let mut chunk = kept.len();
        while chunk > 0 {
            let mut start = 0;
            // Linear equalities come last, and stay.
            while cx.budget.left() > end && kept.get(start).is_some_and(|(_, c)| worth(&cx.terms, *c) < Worth::Kept) {
                let mut fewer = AtHeads::new();
                for (i, (head, c)) in kept.iter().enumerate() {
                    if worth(&cx.terms, *c) == Worth::Kept || !(start..start + chunk).contains(&i) {
                        fewer.entry(*head).or_default().push(*c);
                    }
                }
                let proven = checker.inductive(fewer, cx)?;
                if checker.open_targets(&proven, cx)? == 0 {
                    kept = proven.iter().flat_map(|(head, all)| all.iter().map(|c| (*head, *c))).collect();
                    kept.sort_by_key(|(_, c)| worth(&cx.terms, *c));
                } else {
                    start += chunk;
                }
            }
            chunk /= 2;
        }
        let mut fewer = AtHeads::new();
        kept.into_iter().for_each(|(head, c)| fewer.entry(head).or_default().push(c));
        Ok(self.proof(&[&fewer], &mut cx.terms))
    }
}

fn add(candidates: &mut AtHeads, terms: &Store, head: Loc, found: Vec<Term>) {
    let here = candidates.entry(head).or_default();
    for candidate in found {
        if terms.as_bool_const(candidate).is_none() && !here.contains(&candidate) {
            here.push(candidate);
        }
    }
}

/// In which order a proof tries to do without its parts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Worth {
    Nonlinear,
    Inequality,
    Kept,
}

fn worth(terms: &Store, part: Term) -> Worth {
    match terms.op(part) {
        Op::Eq if smt::algebra::has_products(terms, part) => Worth::Nonlinear,
        Op::Eq => Worth::Kept,
        _ => Worth::Inequality,
    }
}

fn note(cx: &mut Cx, what: &str, head: Loc, formulas: &[Term]) {
    for formula in formulas {
        let text = term::smtlib::print_term(&cx.terms, *formula);
        cx.tell(Event::Detail(format!("{what} at {head}: {text}")));
    }
}

/// Proven invariants may be assumed by others; the rest is worth a try.
fn publish(cx: &Cx, candidates: &AtHeads, proven: &AtHeads) {
    for (head, formulas) in candidates {
        for formula in formulas {
            if proven.get(head).is_some_and(|proven| proven.contains(formula)) {
                cx.publish_invariant("guess", *head, *formula);
            } else {
                let formula = term::smtlib::print_term(&cx.terms, *formula);
                cx.publish("guess", FactKind::Candidate { at: *head, formula });
            }
        }
    }
}

/// Interval facts at loop heads, as conjuncts.
pub(crate) fn intervals(program: &Program, wto: &Wto, cx: &mut Cx) -> Result<AtHeads, Stop> {
    let budget = cx.budget.clone();
    let mut facts = infer::intervals(program, wto, &mut cx.terms, &budget).unwrap_or_default();
    budget.check()?;
    for formulas in facts.values_mut() {
        *formulas = formulas.iter().flat_map(|f| term::normal::conjuncts(&cx.terms, *f)).collect();
    }
    Ok(facts)
}
