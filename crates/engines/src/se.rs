//! Forward symbolic execution: paths one by one, each with its own symbolic state and path condition.
//!
//! Every state carries a *model*: values for its inputs that satisfy its path condition. A branch whose condition holds
//! in the model needs no solver; the other branch is asked for. So a state is always feasible, and one that arrives at
//! an error brings its inputs along.
//!
//! At loop heads a state is compared with those seen there: values of the live variables and what the path condition
//! says about them, with inputs renamed by order of occurrence. An equal one was or will be explored, so the path ends.
//! This makes loops over finitely many abstract states finite (state machines fed by inputs, for example). It is sound
//! because what was dropped from the comparison cannot influence the future: dead variables are not read, and
//! conjuncts of the path condition that share no input with a live value stay satisfiable whatever follows.
//!
//! Inputs are named by how many came before them on the path: names are never used twice on a path, they come in the path's order (by
//! which states are renamed), and paths that part and meet again have the same terms, and ask the same questions ([`condition`]).

mod concrete;
mod condition;
mod frontier;
mod record;
mod seen;
mod shape;

use crate::limits::se::{MOST_SHRUNK, SHRINK_TIME, SMALL};
use base::Table;
use cfa::evidence::explored::{Decision, asks, is_followed};
use cfa::{Edge, Loc, LocKind, Op, Program};
use concrete::{Concrete, Ran};
use condition::Conjunction;
use encode::post::{Step, step};
use encode::trace::initial_values;
use encode::{State, why_unknown};
use engine::{Cx, Engine, Event, Evidence, Proof, Stop, Task, Trace, Verdict, Why};
use flow::wto::Wto;
use frontier::{Frontier, Turn};
use record::{Node, Record};
use rustc_hash::FxHashMap;
use seen::Seen;
use smallvec::SmallVec;
use smt::Solver;
use std::rc::Rc;
use term::eval::{OrZero, eval};
use term::normal::conjuncts;
use term::{Sort, Term, Value};

#[derive(Default)]
pub struct SymbolicExecution {
    /// What was explored so far: the next run goes on there.
    exploration: Option<Exploration>,
}

impl Engine for SymbolicExecution {
    fn name(&self) -> &'static str {
        "se"
    }

    fn run(&mut self, task: &Task, cx: &mut Cx) -> Verdict {
        let exploration = match self.exploration.take() {
            Some(exploration) => Ok(exploration),
            None => Exploration::new(&task.program, cx),
        };
        let explored = exploration.and_then(|e| self.exploration.insert(e).explore(&task.program, cx));
        explored.unwrap_or_else(|stop| Verdict::Unknown(stop.into()))
    }
}

/// One path.
#[derive(Clone)]
struct Path {
    loc: Loc,
    state: State,
    condition: Rc<Conjunction>,
    /// Satisfies `condition`; inputs that are missing are zero.
    model: Rc<FxHashMap<Term, Value>>,
    inputs: Option<Rc<Input>>,
    decisions: u32,
    /// Whether this very arrival at `loc` is among the states seen: the path had to stop after that.
    is_seen: bool,
    node: Node,
}

/// A havoc on the way and the symbols that it made.
struct Input {
    edge: Edge,
    symbols: SmallVec<[Term; 1]>,
    /// How many came before it.
    number: u32,
    before: Option<Rc<Input>>,
}

impl Drop for Input {
    fn drop(&mut self) {
        let mut next = self.before.take();
        while let Some(input) = next {
            next = Rc::try_unwrap(input).ok().and_then(|mut i| i.before.take());
        }
    }
}

impl Path {
    /// The number of the next input.
    fn next_input(&self) -> u32 {
        self.inputs.as_ref().map_or(0, |last| last.number + 1)
    }
}

/// How following a path ended.
enum Walked {
    ToError,
    ToEnd,
    /// Not yet: others are to be followed before.
    Away,
}

struct Exploration {
    solver: Box<dyn Solver>,
    wto: Wto,
    successors: Table<Loc, Vec<Edge>>,
    seen: Seen,
    concrete: Concrete,
    frontier: Frontier,
    record: Record,
    paths: u64,
    steps: u64,
    unknown: Option<Why>,
    /// The symbols of havocs: by the number of the havoc on its path, the place in it, and the sort.
    inputs: FxHashMap<(u32, usize, Sort), Term>,
    /// Of conditions.
    variables: FxHashMap<Term, Rc<[Term]>>,
}

impl Exploration {
    fn new(program: &Program, cx: &mut Cx) -> Result<Exploration, Stop> {
        let wto = Wto::new(program.main());
        let mut frontier = Frontier::new(program);
        frontier.push(Path {
            loc: program.main().entry,
            state: State::arbitrary(program),
            condition: Rc::default(),
            model: Rc::default(),
            inputs: None,
            decisions: 0,
            is_seen: false,
            node: Record::ROOT,
        });
        Ok(Exploration {
            solver: cx.solver()?,
            successors: program.main().successors(),
            seen: Seen::new(program, &wto),
            concrete: Concrete::new(program, &mut cx.terms),
            wto,
            frontier,
            record: Record::new(),
            paths: 0,
            steps: 0,
            unknown: None,
            inputs: FxHashMap::default(),
            variables: FxHashMap::default(),
        })
    }

    fn explore(&mut self, program: &Program, cx: &mut Cx) -> Result<Verdict, Stop> {
        while let Some((mut path, mut turn)) = self.frontier.pop() {
            let error = match self.walk(program, cx, &mut path, &mut turn) {
                Ok(Walked::Away) => {
                    self.frontier.push_back(path, &turn);
                    continue;
                }
                Ok(Walked::ToError) => true,
                Ok(Walked::ToEnd) => false,
                Err(stop) => {
                    self.frontier.push_back(path, &turn);
                    return Err(stop);
                }
            };
            self.paths += 1;
            if self.paths.is_power_of_two() {
                cx.tell(Event::Note(format!("{} paths", self.paths)));
            }
            if error {
                // Out of time for that, it is a counterexample all the same.
                _ = self.shrink(cx, &mut path);
                return Ok(Verdict::Unsafe(Evidence::Trace(trace(program, cx, &path)?)));
            }
        }
        Ok(match &self.unknown {
            Some(why) => Verdict::Unknown(why.clone()),
            None => Verdict::Safe(self.proof(program, cx)),
        })
    }

    /// All paths were followed to their end.
    fn proof(&mut self, program: &Program, cx: &mut Cx) -> Proof {
        if let Some(at) = self.seen.invariants(program, &mut cx.terms) {
            return Proof::Invariants { at, k: 1 };
        }
        match self.record.explored(self.paths) {
            Some(explored) => Proof::Explored(explored),
            None => Proof::Exhausted { bound: 0, explored: self.paths },
        }
    }

    /// Follows one path until it ends or its turn does, leaving its branches to the frontier. When it must stop, the path
    /// can be followed further later.
    fn walk(&mut self, program: &Program, cx: &mut Cx, path: &mut Path, turn: &mut Turn) -> Result<Walked, Stop> {
        loop {
            self.steps += 1;
            if self.steps.is_multiple_of(256) {
                cx.budget.check()?;
            }
            if self.steps.is_multiple_of(65_536) {
                cx.budget.check_memory()?;
            }
            match &program.main().locs[path.loc].kind {
                LocKind::Error(_) => return Ok(Walked::ToError),
                LocKind::Unsupported(_) | LocKind::BoundHit(_) => {
                    if self.unknown.is_none() {
                        let why = why_unknown(program, path.loc);
                        cx.tell(Event::Limit(why.clone()));
                        self.unknown = Some(why);
                    }
                    return Ok(Walked::ToEnd);
                }
                LocKind::End(_) => return Ok(Walked::ToEnd),
                LocKind::Plain => {}
            }
            if self.wto.is_head(path.loc) && !path.is_seen {
                if let Some(ran) = self.concrete.run(program, cx, path.loc, &mut path.state) {
                    self.seen.skipped();
                    match ran {
                        Ran::To { loc, visits } => {
                            self.record.put(path.node, Decision::Run { to: loc, visits });
                            path.loc = loc;
                        }
                        Ran::Nowhere => {
                            self.record.put(path.node, Decision::RunNowhere);
                            return Ok(Walked::ToEnd);
                        }
                    }
                    cx.budget.check()?;
                    continue;
                }
                if self.seen.before(&mut cx.terms, path.loc, &path.state, &path.condition) {
                    self.record.put_seen(path.node, path.loc);
                    return Ok(Walked::ToEnd);
                }
                path.is_seen = true;
            }
            let mut next = self.successors(program, cx, path)?;
            if next.len() > 1 {
                self.frontier.put_first(&mut next, turn);
            }
            let Some(first) = next.pop() else { return Ok(Walked::ToEnd) };
            for other in next {
                self.frontier.push(other);
            }
            *path = first;
            if self.frontier.ends(turn, path) {
                return Ok(Walked::Away);
            }
        }
    }

    /// The feasible successors of a path.
    fn successors(&mut self, program: &Program, cx: &mut Cx, path: &Path) -> Result<Vec<Path>, Stop> {
        let main = program.main();
        let mut out = Vec::new();
        let mut followed = 0u64;
        for i in 0..self.successors[path.loc].len() {
            let edge = self.successors[path.loc][i];
            let info = &main.edges[edge];
            if !is_followed(main, info) || self.is_settled(&main.locs[info.to].kind) {
                continue;
            }
            let Some(step) = self.step(program, cx, path, edge) else { continue };
            let mut next = Path { loc: info.to, state: step.state, is_seen: false, ..path.clone() };
            if matches!(info.op, Op::Havoc { .. }) {
                let (symbols, number) = (step.inputs, path.next_input());
                next.inputs = Some(Rc::new(Input { edge, symbols, number, before: path.inputs.clone() }));
            }
            if cx.terms.as_bool_const(step.condition) != Some(true) {
                if !holds(cx, &path.model, step.condition) {
                    let Some(model) = self.model(cx, path, step.condition)? else { continue };
                    next.model = Rc::new(model);
                }
                for conjunct in conjuncts(&cx.terms, step.condition) {
                    let vars = self.variables(cx, conjunct);
                    next.condition = next.condition.and((conjunct, vars));
                }
                next.decisions += 1;
            }
            followed |= 1u64.checked_shl(i as u32).unwrap_or_default();
            out.push(next);
        }
        let edges = &self.successors[path.loc];
        if edges.len() > 64 {
            self.record.give_up();
        }
        if asks(&program.terms, edges.iter().map(|e| &main.edges[*e])) {
            self.record.put(path.node, Decision::Follow(followed));
        }
        if out.len() > 1 {
            let nodes = self.record.branch(path.node, out.len());
            out.iter_mut().zip(nodes).for_each(|(path, node)| path.node = node);
        }
        Ok(out)
    }

    /// Whether nothing is learned from a path to such a location: all that it could say is that there is no proof, which is
    /// known.
    fn is_settled(&self, kind: &LocKind) -> bool {
        matches!(kind, LocKind::Unsupported(_) | LocKind::BoundHit(_)) && self.unknown.is_some()
    }

    /// What an edge does after the path; nothing if that cannot be.
    fn step(&mut self, program: &Program, cx: &mut Cx, path: &Path, edge: Edge) -> Option<Step> {
        let op = &program.main().edges[edge].op;
        let Op::Havoc { vars, .. } = op else { return step(program, &mut cx.terms, &path.state, op) };
        let terms = &mut cx.terms;
        let number = path.next_input();
        let symbols: SmallVec<[Term; 1]> = vars
            .iter()
            .enumerate()
            .map(|(i, var)| {
                let sort = program.vars[*var].sort;
                *self.inputs.entry((number, i, sort)).or_insert_with(|| terms.fresh("in", sort))
            })
            .collect();
        let mut state = path.state.clone();
        for (var, symbol) in vars.iter().zip(symbols.iter()) {
            state.set(*var, encode::Value::of(&cx.terms, *symbol));
        }
        Some(Step { condition: cx.terms.bool(true), state, inputs: symbols })
    }

    fn variables(&mut self, cx: &Cx, t: Term) -> Rc<[Term]> {
        self.variables.entry(t).or_insert_with(|| term::walk::free_vars(&cx.terms, &[t]).into()).clone()
    }

    /// Inputs that satisfy the path condition and `condition`, if there are any.
    fn model(&mut self, cx: &mut Cx, path: &Path, condition: Term) -> Result<Option<FxHashMap<Term, Value>>, Stop> {
        if path.condition.has(cx.terms.not(condition)) {
            return Ok(None);
        }
        let vars = self.variables(cx, condition);
        let mut facts = path.condition.about(&vars);
        facts.push(condition);
        if !cx.is_sat(self.solver.as_mut(), &facts)? {
            return Ok(None);
        }
        // What the facts are not about keeps its value, and what holds of it holds still.
        let mut model = (*path.model).clone();
        model.extend(self.values(cx, &facts)?);
        Ok(Some(model))
    }

    /// What the model that was just found gives the variables of `facts`.
    fn values(&mut self, cx: &Cx, facts: &[Term]) -> Result<FxHashMap<Term, Value>, Stop> {
        let vars = term::walk::free_vars(&cx.terms, facts);
        vars.into_iter().map(|var| Ok((var, self.solver.value(&cx.terms, var)?))).collect()
    }

    /// Small numbers as the inputs of the same path, where there are such: sizes of objects among them are those of a run that
    /// can be made.
    fn shrink(&mut self, cx: &mut Cx, path: &mut Path) -> Result<(), Stop> {
        let mut facts = path.condition.terms();
        let vars = term::walk::free_vars(&cx.terms, &facts);
        for bits in SMALL {
            self.shrink_below(1 << bits, &vars, &mut facts, cx, path)?;
        }
        Ok(())
    }

    /// Inputs below `limit`, as many as can be: all at once, else one after the other. Those that are found are among the facts.
    fn shrink_below(
        &mut self,
        limit: u128,
        vars: &[Term],
        facts: &mut Vec<Term>,
        cx: &mut Cx,
        path: &mut Path,
    ) -> Result<(), Stop> {
        let mut large = Vec::new();
        for var in vars {
            let Some(width) = cx.terms.sort(*var).bv_width().filter(|width| *width > limit.ilog2()) else { continue };
            let bound = cx.terms.bv(limit, width);
            let is_small = cx.terms.ult(*var, bound);
            if !holds(cx, &path.model, is_small) {
                large.push(is_small);
            }
        }
        large.truncate(MOST_SHRUNK);
        let together = cx.terms.and_all(&large);
        let mut asked = if large.len() > 1 { vec![together] } else { Vec::new() };
        asked.append(&mut large);
        for is_small in asked {
            facts.push(is_small);
            if holds(cx, &path.model, is_small) {
                continue;
            }
            match cx.try_sat(self.solver.as_mut(), facts, SHRINK_TIME)? {
                Some(true) => path.model = Rc::new(self.values(cx, facts)?),
                _ => _ = facts.pop(),
            }
        }
        Ok(())
    }
}

fn holds(cx: &Cx, model: &FxHashMap<Term, Value>, condition: Term) -> bool {
    eval(&cx.terms, condition, &OrZero(model)) == Ok(Value::Bool(true))
}

fn trace(program: &Program, cx: &Cx, path: &Path) -> Result<Trace, Stop> {
    let value = |t: Term| path.model.get(&t).cloned().unwrap_or_else(|| Value::zero(cx.terms.sort(t)));
    let mut inputs = Vec::new();
    let mut at = &path.inputs;
    while let Some(input) = at {
        inputs.push((input.edge, input.symbols.iter().map(|s| value(*s)).collect()));
        at = &input.before;
    }
    inputs.reverse();
    let mut initial = std::collections::BTreeMap::new();
    for conjunct in path.condition.terms() {
        initial.extend(initial_values(program, &cx.terms, conjunct, |t| Ok(value(t)))?);
    }
    Ok(Trace { target: path.loc, inputs, initial })
}
