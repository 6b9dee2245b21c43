//! Lassos: executions that come back to a state in which they were, found by trying inputs state by state.
//!
//! A strategy is a function of the state, so it can be a table: what is chosen in each state in which something is read.
//! The search is depth first, by runs of the interpreter. A state that is new gets the first choice; when a run ends, the
//! last decision is taken back; a state whose choices all lead to an end is dead, whatever led to it. Runs that get longer
//! than a round allows count as ended in it. A run that comes back to a state at a loop head goes on forever. In the strategy
//! that is handed out, the table asks only for those variables that tell its states apart.

use crate::limits::lasso::{DEPTHS, MOST_CHOICES, MOST_LONG, MOST_RUNS, STEPS};
use crate::strategy::{Problem, Slot, Strategy};
use cfa::{Edge, Loc, Op, Program, Var};
use engine::{Budget, Cx};
use interpreter::{Ask, Ending, Inputs, Limit, Limits, Machine, State, Watch, Watcher};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use term::{Evaluator, Sort, Store, Term, Value};

/// A place where something is read.
struct Place {
    edge: Edge,
    vars: Vec<Var>,
    /// For each variable, what may be chosen.
    choices: Vec<Vec<Term>>,
}

impl Place {
    /// How many combinations of choices there are.
    fn count(&self) -> usize {
        self.choices.iter().map(Vec::len).product()
    }

    /// The choices of a combination.
    fn combination(&self, mut number: usize) -> Vec<Term> {
        let mut chosen = Vec::with_capacity(self.choices.len());
        for choices in &self.choices {
            chosen.push(choices[number % choices.len()]);
            number /= choices.len();
        }
        chosen
    }
}

/// The values of the variables that matter.
type Values = Vec<Option<Value>>;

/// What was decided in a state.
type Table = BTreeMap<(Loc, Values), usize>;

/// A strategy that leads back to a state, if one is found.
pub(crate) fn lasso(problem: &Problem<'_>, cx: &mut Cx) -> Option<Strategy> {
    let (terms, budget) = (&cx.terms, &cx.budget);
    let program = problem.program;
    let places = places(problem)?;
    let watched: BTreeSet<Loc> = places.keys().copied().chain(problem.wto.heads()).collect();
    let live = flow::live(program, |loc| watched.contains(&loc));
    let locations = watched.into_iter().map(|loc| (program.entry, loc)).collect();
    let machine = Machine::watching(program, &Watch { edges: false, locations }).ok()?;
    let initial = initial(problem, terms);
    for depth in DEPTHS {
        let (mut table, mut order, mut dead) = (Table::new(), Vec::new(), BTreeSet::new());
        let mut long = 0;
        for _ in 0..MOST_RUNS {
            budget.check().ok()?;
            let given = RefCell::new(Vec::new());
            let mut run = Run {
                program,
                terms,
                problem,
                places: &places,
                live: &live,
                given: &given,
                table: &mut table,
                order: &mut order,
                dead: &dead,
                budget,
                depth,
                seen: BTreeSet::new(),
                came_back: false,
            };
            let limits = Limits { record: false, ..Limits::steps(STEPS) };
            let mut inputs = Decided { given: &given, initial: &initial };
            let outcome = machine.run_with(&mut inputs, &limits, &mut std::io::sink(), Some(&mut run));
            if run.came_back {
                return Some(as_strategy(problem, &mut cx.terms, &places, &live, &table));
            }
            long += usize::from(outcome.ending == Ending::Limit(Limit::Steps) || run.seen.len() > depth);
            if long > MOST_LONG || !take_back(&places, &mut table, &mut order, &mut dead) {
                break;
            }
        }
        // Nothing was cut off: longer runs are no others.
        if long == 0 {
            return None;
        }
    }
    None
}

/// The next choice in the last state that has one left; those without are dead.
fn take_back(
    places: &BTreeMap<Loc, Place>,
    table: &mut Table,
    order: &mut Vec<(Loc, Values)>,
    dead: &mut BTreeSet<(Loc, Values)>,
) -> bool {
    while let Some(last) = order.pop() {
        let number = table[&last] + 1;
        if number < places[&last.0].count() {
            table.insert(last.clone(), number);
            order.push(last);
            return true;
        }
        table.remove(&last);
        dead.insert(last);
    }
    false
}

/// Where values are read, by location; `None` where control could also go another way.
fn places(problem: &Problem<'_>) -> Option<BTreeMap<Loc, Place>> {
    let main = problem.program.main();
    let mut places: BTreeMap<Loc, Place> = BTreeMap::new();
    for (slot, values) in &problem.choices.slots {
        let Slot::Input(edge, _) = *slot else { continue };
        let info = &main.edges[edge];
        let Op::Havoc { vars, .. } = &info.op else { continue };
        let place = places.entry(info.from).or_insert(Place { edge, vars: vars.clone(), choices: Vec::new() });
        if place.edge != edge {
            return None;
        }
        place.choices.push(values.iter().copied().take(MOST_CHOICES).collect());
    }
    Some(places)
}

/// The first choices.
fn initial(problem: &Problem<'_>, terms: &Store) -> BTreeMap<Var, Value> {
    let first = |(slot, values): &(Slot, Vec<Term>)| match slot {
        Slot::Initial(var) => Some((*var, terms.as_value(*values.first()?)?)),
        Slot::Input(..) => None,
    };
    problem.choices.slots.iter().filter_map(first).collect()
}

struct Run<'a> {
    program: &'a Program,
    terms: &'a Store,
    problem: &'a Problem<'a>,
    places: &'a BTreeMap<Loc, Place>,
    live: &'a base::Table<Loc, Vec<Var>>,
    /// For the next edge.
    given: &'a RefCell<Vec<(Var, Value)>>,
    table: &'a mut Table,
    /// The states of the table, in the order in which the run came to them.
    order: &'a mut Vec<(Loc, Values)>,
    dead: &'a BTreeSet<(Loc, Values)>,
    budget: &'a Budget,
    depth: usize,
    /// The states at heads.
    seen: BTreeSet<(Loc, Values)>,
    came_back: bool,
}

impl Watcher for Run<'_> {
    fn location(&mut self, state: &State<'_>, _: cfa::Func, loc: Loc) -> ControlFlow<()> {
        let values: Values = self.live[loc].iter().map(|v| state.value(*v)).collect();
        if self.problem.wto.is_head(loc) {
            self.came_back = !self.seen.insert((loc, values.clone()));
            if self.came_back || self.seen.len() > self.depth || self.budget.check().is_err() {
                return ControlFlow::Break(());
            }
        }
        if let Some(place) = self.places.get(&loc) {
            let here = (loc, values);
            if self.dead.contains(&here) {
                return ControlFlow::Break(());
            }
            let number = match self.table.get(&here) {
                Some(number) => *number,
                None => {
                    self.table.insert(here.clone(), 0);
                    self.order.push(here);
                    0
                }
            };
            let chosen = place.combination(number).into_iter().map(|t| self.value(state, t));
            *self.given.borrow_mut() = place.vars.iter().copied().zip(chosen).collect();
        }
        ControlFlow::Continue(())
    }
}

impl Run<'_> {
    fn value(&self, state: &State<'_>, t: Term) -> Value {
        value_in(self.terms, t, |symbol| state.value(self.program.var_of(symbol)?))
    }
}

/// The value of a term; of what is not known, zero.
fn value_in(terms: &Store, t: Term, known: impl Fn(Term) -> Option<Value>) -> Value {
    if let Some(value) = terms.as_value(t) {
        return value;
    }
    let symbols = term::walk::free_vars(terms, &[t]);
    let values: BTreeMap<Term, Value> = symbols.into_iter().filter_map(|s| Some((s, known(s)?))).collect();
    Evaluator::new(&values).eval(terms, t).unwrap_or_else(|_| Value::zero(terms.sort(t)))
}

struct Decided<'a> {
    given: &'a RefCell<Vec<(Var, Value)>>,
    initial: &'a BTreeMap<Var, Value>,
}

impl Inputs for Decided<'_> {
    fn value(&mut self, ask: &Ask<'_>) -> Value {
        let given = self.given.borrow();
        let found = given.iter().find(|(v, _)| Some(*v) == ask.var);
        found.map_or_else(|| Value::zero(ask.sort), |(_, value)| value.clone())
    }

    fn initial(&mut self, var: Var, sort: Sort) -> Value {
        self.initial.get(&var).cloned().unwrap_or_else(|| Value::zero(sort))
    }
}

/// The table as choices.
fn as_strategy(
    problem: &Problem<'_>,
    terms: &mut Store,
    places: &BTreeMap<Loc, Place>,
    live: &base::Table<Loc, Vec<Var>>,
    table: &Table,
) -> Strategy {
    let program = problem.program;
    let mut strategy = Strategy::default();
    for (slot, values) in &problem.choices.slots {
        strategy.chosen.insert(*slot, values[0]);
    }
    for (loc, place) in places {
        let vars = &live[*loc];
        let mut decided: Vec<(&Values, Vec<Value>)> = Vec::new();
        for ((_, values), number) in table.iter().filter(|((at, _), _)| at == loc) {
            let known = |symbol| values[vars.iter().position(|v| program.term(*v) == symbol)?].clone();
            let chosen = place.combination(*number).into_iter().map(|t| value_in(terms, t, known)).collect();
            decided.push((values, chosen));
        }
        for i in 0..place.vars.len() {
            let rows: Vec<(&Values, &Value)> = decided.iter().map(|(state, chosen)| (*state, &chosen[i])).collect();
            if let Some(choice) = function(program, terms, vars, &rows) {
                strategy.chosen.insert(Slot::Input(place.edge, i), choice);
            }
        }
    }
    strategy
}

/// A term that has the given value in each of the states: the most frequent one where nothing else is said.
fn function(program: &Program, terms: &mut Store, vars: &[Var], rows: &[(&Values, &Value)]) -> Option<Term> {
    let mut frequency: BTreeMap<&Value, usize> = BTreeMap::new();
    for (_, value) in rows {
        *frequency.entry(value).or_default() += 1;
    }
    let (usual, _) = frequency.into_iter().max_by_key(|(_, times)| *times)?;
    let mut asked: Vec<usize> = (0..vars.len()).collect();
    let mut to_drop = asked.clone();
    to_drop.sort_by_key(|i| !matches!(program.vars[vars[*i]].sort, Sort::Array(_)));
    for i in to_drop {
        let fewer: Vec<usize> = asked.iter().copied().filter(|j| *j != i).collect();
        if answers(rows, &fewer).is_some() {
            asked = fewer;
        }
    }
    let mut function = terms.value(usual);
    for (state, value) in answers(rows, &asked)?.into_iter().filter(|(_, value)| *value != usual) {
        let mut parts = Vec::with_capacity(asked.len());
        for (i, known) in asked.iter().zip(state) {
            let known = terms.value(known.as_ref()?);
            parts.push(terms.eq(program.term(vars[*i]), known));
        }
        let (here, value) = (terms.and_all(&parts), terms.value(value));
        function = terms.ite(here, value, function);
    }
    Some(function)
}

/// The value by those of the variables asked; `None` if they do not determine it.
fn answers<'r>(
    rows: &[(&'r Values, &'r Value)],
    asked: &[usize],
) -> Option<BTreeMap<Vec<&'r Option<Value>>, &'r Value>> {
    let mut found = BTreeMap::new();
    for (state, value) in rows {
        let key = asked.iter().map(|i| &state[*i]).collect();
        if *found.entry(key).or_insert(*value) != *value {
            return None;
        }
    }
    Some(found)
}
