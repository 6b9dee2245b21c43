//! Exact phases of a loop that takes no input: what each of its iterations makes of the state, as functions of what the loop leaves
//! alone.
//!
//! Protocols in rounds (leader election on a ring, flooding of a maximum) choose identifiers and a topology once, and then compute. After
//! `j` iterations every variable `x` that the loop changes is a term `F_j,x` over those that it does not, so
//!
//! ```text
//! start(c)  ∧  ( x = F_0,x(c)  ∨  x = F_1,x(c)  ∨  …  ∨  x = F_n,x(c) )          for all x at once in each case
//! ```
//!
//! is the strongest invariant of the first `n` iterations. Three things make it short and complete:
//!
//! - *Sweeping* ([`sweep`], from equivalence checking of circuits): what two terms have in common on samples of `c` is proved to be one
//!   function, and then is one term. Messages that always arrive, and comparisons that were decided rounds ago, go away.
//! - *Closing* ([`steady`]): when the protocol has come to its end the same functions come back, but for counters of rounds. These
//!   are known by their ranges from there on, and the cases of one period stand for all iterations to come.
//! - The same run of the counters shows an error behind any number of rounds, by evaluation.
//!
//! Nothing here has to be believed: the disjunction is an inductive invariant that the checker proves case by case, from one phase to
//! the next; it need not find out what sweeping found out. What is left out of `start` makes it weaker, never wrong.

mod start;
mod steady;
mod sweep;

use crate::products::has_products;
use base::Table;
use cfa::evidence::{Evidence, Proof, Trace};
use cfa::{Edge, Loc, LocKind, Program, Var};
use encode::{Segment, why_unknown};
use engine::{Cx, Engine, Event, Stop, Task, Verdict, Why};
use flow::wto::Wto;
use smt::{Model, Solver};
use start::Start;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use sweep::Sweeper;
use term::eval::OrZero;
use term::subst::Substitution;
use term::{Evaluator, Sort, Store, Term, Value};

#[derive(Clone, Debug)]
pub struct Settings {
    /// Iterations that are looked at. The checker takes each as a case of its own.
    pub max_phases: usize,
    /// Where the terms of a phase are more than this, composing them does not pay.
    pub max_terms: usize,
    /// States that sweeping tells terms apart by. Each costs an evaluation of every term; few leave much to the solver.
    pub samples: usize,
    /// For one question of sweeping. Those that are of use are about the step from one phase to the next, and easy.
    pub sweep_time: Duration,
    /// Choices inside of one another that comparisons are taken apart along: a message passes one in each phase and node.
    pub max_depth: u32,
    /// Phases after which the same functions may come back.
    pub max_period: usize,
    /// Iterations that counters are followed to see their ranges, by evaluation: some turns of a counter of 8 bits.
    pub max_followed: usize,
    /// For the question whether a period is closed.
    pub steady_time: Duration,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            max_phases: 256,
            max_terms: 50_000,
            samples: 256,
            sweep_time: Duration::from_millis(60),
            max_depth: 200,
            max_period: 4,
            max_followed: 3_000,
            steady_time: Duration::from_millis(1_500),
        }
    }
}

#[derive(Default)]
pub struct Phases {
    pub settings: Settings,
}

impl Engine for Phases {
    fn name(&self) -> &'static str {
        "phases"
    }

    fn run(&mut self, task: &Task, cx: &mut Cx) -> Verdict {
        self.search(task, cx).unwrap_or_else(|stop| Verdict::Unknown(stop.into()))
    }
}

fn gave_up(why: &str) -> Verdict {
    Verdict::Unknown(Why::GaveUp(why.into()))
}

impl Phases {
    fn search(&self, task: &Task, cx: &mut Cx) -> Result<Verdict, Stop> {
        let program = &*task.program;
        let wto = Wto::new(program.main());
        let Some(round) = Round::new(program, &wto, cx)? else {
            return Ok(gave_up("not one loop without inputs"));
        };
        let Some(start) = Start::new(&round, cx)? else {
            return Ok(gave_up("what the loop starts with is no function of what it leaves alone"));
        };
        let mut solver = cx.solver()?;
        for (target, condition) in &round.before {
            if cx.is_sat(solver.as_mut(), &[*condition])? {
                let why =
                    format!("{} is reached before the loop", program.sources.place(program.main().locs[*target].span));
                return Ok(gave_up(&why));
            }
        }
        for fact in &start.facts {
            solver.assert(&cx.terms, *fact);
        }
        let Some(sweeper) = Sweeper::new(&start, solver, &self.settings, cx)? else {
            return Ok(gave_up("the loop is not reached"));
        };
        let mut search = Search { settings: &self.settings, round: &round, start, sweeper, phases: Vec::new() };
        search.run(cx)
    }
}

/// The one loop of a program, as it goes from its head to its head.
struct Round<'t> {
    program: &'t Program,
    successors: Table<Loc, Vec<Edge>>,
    head: Loc,
    entry: Segment,
    /// Of `entry`: the way to the head.
    way_in: usize,
    /// Targets that may be reached without the loop, and when.
    before: Vec<(Loc, Term)>,
    /// When an iteration comes back to the head.
    goes_on: Term,
    /// Targets, and when they are reached.
    targets: Vec<(Loc, Term)>,
    /// What targets depend on: variables that the loop leaves alone.
    constants: Vec<Var>,
    /// And those that it changes, with their values after an iteration.
    changed: Vec<(Var, Term)>,
}

impl<'t> Round<'t> {
    /// Nothing where there is not exactly one loop, where it takes inputs or chooses, or where it is not about numbers that are
    /// compared and added.
    fn new(program: &'t Program, wto: &Wto, cx: &mut Cx) -> Result<Option<Round<'t>>, Stop> {
        let main = program.main();
        let heads: Vec<Loc> = wto.heads().collect();
        let [head] = heads[..] else { return Ok(None) };
        if head == main.entry || !wto.is_reducible(main) {
            return Ok(None);
        }
        let successors = main.successors();
        let body = Segment::new(program, &mut cx.terms, wto, &successors, head, &cx.budget)?;
        let mut targets = Vec::new();
        let mut back = None;
        for (to, way) in &body.ways {
            if *to == head {
                back = Some(way);
            } else {
                targets.push((*to, way.condition));
            }
        }
        let Some(back) = back else { return Ok(None) };
        // What matters, from the targets backwards.
        let mut about: Vec<Term> = targets.iter().map(|(_, condition)| *condition).chain([back.condition]).collect();
        let mut after: BTreeMap<Var, Term> = BTreeMap::new();
        while let Some(t) = about.pop() {
            for symbol in term::walk::free_vars(&cx.terms, &[t]) {
                let Some(var) = program.var_of(symbol) else { return Ok(None) };
                if !matches!(program.vars[var].sort, Sort::Bool | Sort::Bv(_)) {
                    return Ok(None);
                }
                let std::collections::btree_map::Entry::Vacant(entry) = after.entry(var) else { continue };
                let value = *entry.insert(back.after.term(&mut cx.terms, var));
                // Composed over phases, products are more than any check could bear.
                if has_products(&cx.terms, value) {
                    return Ok(None);
                }
                about.push(value);
            }
        }
        let is_constant = |(var, value): &(Var, Term)| program.term(*var) == *value;
        let constants =
            after.iter().map(|(var, value)| (*var, *value)).filter(is_constant).map(|(var, _)| var).collect();
        let changed = after.into_iter().filter(|of| !is_constant(of)).collect();
        let entry = Segment::new(program, &mut cx.terms, wto, &successors, main.entry, &cx.budget)?;
        let Some(way_in) = entry.ways.iter().position(|(to, _)| *to == head) else { return Ok(None) };
        let before = entry.ways.iter().filter(|(to, _)| *to != head);
        let before = before.map(|(to, way)| (*to, way.condition)).collect();
        let goes_on = back.condition;
        Ok(Some(Round { program, successors, head, entry, way_in, before, goes_on, targets, constants, changed }))
    }

    /// The iteration in a state: each changed variable replaced by its value there.
    fn from(&self, terms: &Store, values: &[Term], fixed: &[(Term, Term)]) -> Substitution {
        let mut state = Substitution::new();
        for ((var, _), value) in self.changed.iter().zip(values) {
            state.insert(terms, self.program.term(*var), *value);
        }
        for (constant, value) in fixed {
            state.insert(terms, *constant, *value);
        }
        state
    }
}

/// The state at the head after so many iterations.
#[derive(Clone)]
struct Phase {
    /// Of the changed variables, over the others.
    values: Vec<Term>,
    /// For which of the others it is reached.
    reached: Term,
}

struct Search<'r, 't> {
    settings: &'r Settings,
    round: &'r Round<'t>,
    start: Start,
    sweeper: Sweeper,
    phases: Vec<Phase>,
}

/// How the phases after the first ones go on for ever.
struct Closed {
    /// Of each phase of the period, as facts about changed variables.
    cases: Vec<Vec<Term>>,
    /// The phase where the period begins.
    first: usize,
}

impl Search<'_, '_> {
    fn run(&mut self, cx: &mut Cx) -> Result<Verdict, Stop> {
        let mut values = Vec::new();
        for value in self.start.values.clone() {
            values.push(self.sweeper.sweep(value, cx)?);
        }
        let mut next = Some(Phase { values, reached: cx.terms.tt() });
        // Closing is tried again after half as many phases more.
        let mut next_attempt = 0;
        while let Some(phase) = next {
            cx.budget.check_memory()?;
            if self.phases.len() >= self.settings.max_phases {
                return Ok(gave_up("too many phases"));
            }
            let size = term::walk::postorder(&cx.terms, &phase.values).len();
            if size > self.settings.max_terms {
                return Ok(gave_up("the terms of a phase are too many"));
            }
            self.phases.push(phase);
            let last = self.phases.len() - 1;
            if last >= next_attempt {
                for period in 1..=self.settings.max_period.min(last) {
                    match self.close(period, cx)? {
                        steady::Outcome::Other => {}
                        steady::Outcome::Open => next_attempt = last + 1 + last / 2,
                        steady::Outcome::Closed(closed) => {
                            cx.tell(Event::Note(format!("closed after {last} phases, with period {period}")));
                            return Ok(Verdict::Safe(self.proof(Some(closed), cx)));
                        }
                        steady::Outcome::Error(verdict) => return Ok(verdict),
                    }
                }
            }
            let phase = self.phases[last].clone();
            cx.tell(Event::Detail(format!("phase {last}: {size} terms")));
            let mut state = self.round.from(&cx.terms, &phase.values, &self.start.fixed);
            for (target, condition) in &self.round.targets {
                let condition = state.apply(&mut cx.terms, *condition);
                let condition = self.sweeper.sweep(condition, cx)?;
                if let Some(model) = self.sweeper.model(&[phase.reached, condition], cx)? {
                    return self.violated(&model, *target, cx);
                }
            }
            cx.tell(Event::Bound(self.phases.len() as u64));
            let goes_on = state.apply(&mut cx.terms, self.round.goes_on);
            let goes_on = self.sweeper.sweep(goes_on, cx)?;
            let reached = cx.terms.and(phase.reached, goes_on);
            let is_reached = match cx.terms.as_bool_const(reached) {
                Some(known) => known,
                None => self.sweeper.model(&[reached], cx)?.is_some(),
            };
            next = None;
            if is_reached {
                let mut values = Vec::new();
                for (_, after) in &self.round.changed {
                    let value = state.apply(&mut cx.terms, *after);
                    values.push(self.sweeper.sweep(value, cx)?);
                }
                next = Some(Phase { values, reached });
            }
        }
        Ok(Verdict::Safe(self.proof(None, cx)))
    }

    /// What the phases say at the loop's head.
    fn proof(&self, closed: Option<Closed>, cx: &mut Cx) -> Proof {
        let terms = &mut cx.terms;
        let exact = closed.as_ref().map_or(self.phases.len(), |closed| closed.first);
        let mut cases: Vec<Vec<Term>> = Vec::new();
        for phase in &self.phases[..exact] {
            let mut facts: Vec<Term> = term::normal::conjuncts(terms, phase.reached);
            for ((var, _), value) in self.round.changed.iter().zip(&phase.values) {
                facts.push(terms.eq(self.round.program.term(*var), *value));
            }
            cases.push(facts);
        }
        cases.extend(closed.into_iter().flat_map(|closed| closed.cases));
        let cases: Vec<Term> = cases.into_iter().map(|facts| terms.and_all(&facts)).collect();
        let mut facts = self.start.facts.clone();
        facts.push(terms.or_all(&cases));
        Proof::Invariants { at: BTreeMap::from([(self.round.head, terms.and_all(&facts))]), k: 1 }
    }

    /// The execution that the values of the constants give, if it comes to a target.
    fn violated(&self, constants: &Model, target: Loc, cx: &mut Cx) -> Result<Verdict, Stop> {
        let round = self.round;
        let Some(trace) = self.execution(constants, target, cx)? else {
            return Ok(gave_up("what leads to an error has no inputs"));
        };
        let LocKind::Error(_) = round.program.main().locs[target].kind else {
            return Ok(Verdict::Unknown(why_unknown(round.program, target)));
        };
        Ok(Verdict::Unsafe(Evidence::Trace(trace)))
    }

    /// Inputs with which the loop starts with these constants, and then comes to the target.
    fn execution(&self, constants: &Model, target: Loc, cx: &mut Cx) -> Result<Option<Trace>, Stop> {
        let round = self.round;
        let program = round.program;
        let (_, way) = &round.entry.ways[round.way_in];
        let mut asked = vec![way.condition];
        let mut at_head: BTreeMap<Term, Term> = BTreeMap::new();
        for var in round.constants.iter().chain(round.changed.iter().map(|(var, _)| var)) {
            let value = way.after.term(&mut cx.terms, *var);
            at_head.insert(program.term(*var), value);
            if let Some(wanted) = constants.get(program.term(*var)).filter(|_| round.constants.contains(var)) {
                let wanted = cx.terms.value(wanted);
                asked.push(cx.terms.eq(value, wanted));
            }
        }
        let mut solver = cx.solver()?;
        if !cx.is_sat(solver.as_mut(), &asked)? {
            return Ok(None);
        }
        asked.extend(at_head.values());
        let model = Model::read(solver.as_mut(), &cx.terms, &asked)?;
        let initial = model.iter().filter_map(|(t, value)| Some((program.var_of(t)?, value.clone()))).collect();
        let mut values = Evaluator::new(OrZero(model));
        let path = round.entry.path(program, &round.successors, round.head, |guard| {
            Ok::<_, Stop>(values.eval(&cx.terms, guard) == Ok(Value::Bool(true)))
        })?;
        let Some(path) = path else { return Ok(None) };
        let mut inputs = Vec::new();
        for (edge, symbols) in path.into_iter().filter(|(_, symbols)| !symbols.is_empty()) {
            let given: Result<Vec<Value>, _> = symbols.iter().map(|s| values.eval(&cx.terms, *s)).collect();
            let Ok(given) = given else { return Ok(None) };
            inputs.push((edge, given));
        }
        let mut state: BTreeMap<Term, Value> = BTreeMap::new();
        for (var, value) in at_head {
            let Ok(value) = values.eval(&cx.terms, value) else { return Ok(None) };
            state.insert(var, value);
        }
        let mut walk = Walk { round, state };
        for _ in 0..=self.settings.max_phases + self.settings.max_followed {
            cx.budget.check()?;
            match walk.step(&cx.terms) {
                Some(Step::Target(reached)) if reached == target => return Ok(Some(Trace { target, inputs, initial })),
                Some(Step::On) => {}
                _ => return Ok(None),
            }
        }
        Ok(None)
    }
}

/// The loop on values.
struct Walk<'r, 't> {
    round: &'r Round<'t>,
    /// Of what matters, constants among it.
    state: BTreeMap<Term, Value>,
}

enum Step {
    On,
    /// The loop is left.
    End,
    Target(Loc),
}

impl Walk<'_, '_> {
    /// One iteration; nothing where something has no value.
    fn step(&mut self, terms: &Store) -> Option<Step> {
        let mut values = Evaluator::new(&self.state);
        for (target, condition) in &self.round.targets {
            if values.eval(terms, *condition).ok()? == Value::Bool(true) {
                return Some(Step::Target(*target));
            }
        }
        if values.eval(terms, self.round.goes_on).ok()? != Value::Bool(true) {
            return Some(Step::End);
        }
        let mut after = Vec::new();
        for (var, value) in &self.round.changed {
            after.push((self.round.program.term(*var), values.eval(terms, *value).ok()?));
        }
        self.state.extend(after);
        Some(Step::On)
    }
}

/// The variables of the terms that are none of the program's.
fn foreign(program: &Program, terms: &Store, roots: &[Term]) -> BTreeSet<Term> {
    term::walk::free_vars(terms, roots).into_iter().filter(|symbol| program.var_of(*symbol).is_none()).collect()
}
