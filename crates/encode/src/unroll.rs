//! Whole-program unwinding with merging at joins: one formula for all paths, not one per path.
//!
//! The automaton is unwound along its weak topological order: an instance of a location is the location together with
//! the iteration numbers of the loops around it. Instances are visited in an order in which all predecessors come
//! first, so each is visited once, with the states of its incoming edges merged by conditional terms.
//!
//! The unwinding grows in rounds. `advance(n)` unwinds every loop up to its n-th iteration; what would start a further
//! iteration is parked, and the next round goes on from there. A round visits exactly the executions in which some
//! loop runs further than before, so that rounds never repeat each other and memory stays linear in the unwinding. An
//! assumption constrains only what follows it, since it is part of the guards of later instances and of nothing else.

use crate::limits::bounded::MIN_SAVED;
use crate::post::{Step, step};
use crate::state::{State, Value, evaluate_term};
use base::Table;
use cfa::{Edge, Loc, LocKind, Program, Var};
use domain::Env;
use engine::{Budget, Stop};
use flow::wto::Wto;
use smallvec::SmallVec;
use std::collections::{BTreeMap, BTreeSet};
use term::normal::{conjuncts, disjuncts};
use term::{Op, Sort, Store, Term};

base::id!(
    /// An instance of a location in the unwinding.
    Node,
    "n"
);

/// An instance of a location, visited.
#[derive(Debug)]
pub struct NodeInfo {
    pub loc: Loc,
    /// Under which it is reached.
    pub guard: Term,
    /// Whether some loop on the way forgot (always, unless loops may forget).
    pub full: Term,
    /// At the first visit of a loop's head: whether the loop forgets now.
    pub forgets: Term,
    /// How it is reached.
    pub incoming: Vec<Arrival>,
    /// Iteration numbers of the loops around it, outermost first.
    pub iterations: SmallVec<[u32; 3]>,
}

/// One way to reach an instance.
#[derive(Clone, Debug)]
pub struct Arrival {
    /// `None` at the start.
    pub from: Option<(Node, Edge)>,
    pub guard: Term,
    pub full: Term,
    /// The symbols that the edge's havoc introduced.
    pub inputs: SmallVec<[Term; 1]>,
}

/// What a round found.
#[derive(Debug, Default)]
pub struct Round {
    /// Instances of error locations.
    pub errors: Vec<Node>,
    /// Instances of unsupported and bound-hit locations.
    pub unknowns: Vec<Node>,
    /// Instances of loop heads, in order of visiting, for engines that constrain the states there.
    pub heads: Vec<Node>,
}

/// How loops are entered.
#[derive(Clone, Copy, Debug)]
pub enum Loops<'p> {
    /// As the program does.
    Exact,
    /// A loop that is entered either runs as it is and visits its head less often than the bound, or forgets what it may
    /// change, except for its invariant, and stays until it visits its head as often as the bound: its window then stands
    /// for the last iterations, however many came before. What would go beyond the bound is dropped, not parked: it is
    /// covered by a later window of the same loop. Every loop must be entered at its head.
    Forgetful(&'p Windows),
}

/// A state in which control comes to a loop's head, where the loop's invariant is to hold.
#[derive(Clone, Debug)]
pub struct Obligation {
    pub head: Loc,
    /// The back edge and where it starts; `None` at the first visit.
    pub from: Option<(Node, Edge)>,
    pub guard: Term,
    pub state: State,
}

/// What loops forget and keep, by head.
#[derive(Clone, Debug, Default)]
pub struct Windows {
    pub changes: BTreeMap<Loc, Vec<Var>>,
    pub invariants: BTreeMap<Loc, Term>,
}

impl Windows {
    /// No invariants yet.
    pub fn new(program: &Program, wto: &Wto) -> Windows {
        let mut changes: BTreeMap<Loc, BTreeSet<Var>> = wto.heads().map(|head| (head, BTreeSet::new())).collect();
        for edge in program.main().edges.values().filter(|e| wto.reaches(e.from)) {
            for head in wto.heads_around(edge.from) {
                changes.get_mut(head).expect("every head has an entry").extend(edge.op.written());
            }
        }
        let changes = changes.into_iter().map(|(head, vars)| (head, vars.into_iter().collect())).collect();
        Windows { changes, invariants: BTreeMap::new() }
    }

    /// Adds a conjunct to the invariant at `head`.
    pub fn strengthen(&mut self, terms: &mut Store, head: Loc, fact: Term) {
        let old = self.invariants.get(&head).copied().unwrap_or(terms.bool(true));
        self.invariants.insert(head, terms.and(old, fact));
    }
}

/// Positions of a location in weak topological order with the iteration numbers of its loops:
/// `[position of loop, iteration, position of inner loop, iteration, …, position]`. Lexicographic order is topological.
type Key = SmallVec<[u32; 8]>;

/// An unwinding in progress.
#[derive(Debug)]
pub struct Unroller<'p> {
    program: &'p Program,
    wto: &'p Wto,
    loops: Loops<'p>,
    successors: Table<Loc, Vec<Edge>>,
    pub nodes: Table<Node, NodeInfo>,
    /// What is to be visited in this round.
    pending: BTreeMap<Key, Vec<(Arrival, State)>>,
    /// What starts an iteration beyond the bound.
    parked: Vec<(Key, Arrival, State)>,
    /// What arrives at heads where loops forget: at the first visit and beyond the bound, before anything is forgotten.
    pub obligations: Vec<Obligation>,
    /// Whether each loop that was entered forgot then, by the key of its head at the first visit.
    forgot: BTreeMap<Key, Term>,
    /// Whether executions go on after an error.
    past_errors: bool,
    /// Whether inputs are written with as few bits as they need.
    narrows: bool,
    /// States at loop heads are kept when asked for.
    head_states: Option<BTreeMap<Node, State>>,
}

impl<'p> Unroller<'p> {
    /// Starts at the entry in an arbitrary state.
    pub fn new(program: &'p Program, wto: &'p Wto, terms: &Store, loops: Loops<'p>) -> Unroller<'p> {
        let mut unroller = Unroller {
            program,
            wto,
            loops,
            successors: program.main().successors(),
            nodes: Table::new(),
            pending: BTreeMap::new(),
            parked: Vec::new(),
            obligations: Vec::new(),
            forgot: BTreeMap::new(),
            past_errors: false,
            narrows: false,
            head_states: None,
        };
        let key = unroller.key(None, program.main().entry);
        let full = terms.bool(matches!(loops, Loops::Exact));
        let start = Arrival { from: None, guard: terms.bool(true), full, inputs: SmallVec::new() };
        unroller.pending.insert(key, vec![(start, State::arbitrary(program))]);
        unroller
    }

    /// Lets executions go on as if checks with products had not failed. For those who ask for errors first: while there
    /// are none it makes no difference, and later guards are without conditions that solvers are slow at.
    pub fn go_past_errors(&mut self) {
        self.past_errors = true;
    }

    /// Writes inputs that a condition bounds with as few bits as they need, in programs with products: multipliers of
    /// bits that are zero cost nothing.
    pub fn narrow_inputs(&mut self) {
        let terms = &self.program.terms;
        let mut roots = self.program.main().edges.values().flat_map(|e| e.op.terms());
        self.narrows = roots.any(|t| smt::algebra::has_products(terms, t));
    }

    /// What must hold to go on along `edge`. Beside an edge to an error this leaves out the products of which the error is
    /// the failing; what else the edge assumes ends executions without an error, and stays.
    fn condition_of(&self, terms: &mut Store, steps: &[(Edge, Step)], edge: Edge) -> Term {
        let main = self.program.main();
        let is_error = |e: Edge| matches!(main.locs[main.edges[e].to].kind, LocKind::Error(_));
        let condition = |e: Edge| steps.iter().find(|s| s.0 == e).expect("one of the steps").1.condition;
        let [(a, _), (b, _)] = steps else { return condition(edge) };
        let other = if *a == edge { *b } else { *a };
        if !self.past_errors || is_error(edge) || !is_error(other) {
            return condition(edge);
        }
        let failing = disjuncts(terms, condition(other));
        let mut kept = conjuncts(terms, condition(edge));
        kept.retain(|&c| {
            let negated = terms.not(c);
            !(smt::algebra::has_products(terms, c) && failing.contains(&negated))
        });
        terms.and_all(&kept)
    }

    /// Keeps the states at loop heads, to be asked for by [`Unroller::head_state`].
    pub fn keep_head_states(&mut self) {
        self.head_states = Some(BTreeMap::new());
    }

    pub fn keeps_head_states(&self) -> bool {
        self.head_states.is_some()
    }

    pub fn head_state(&self, node: Node) -> Option<&State> {
        self.head_states.as_ref()?.get(&node)
    }

    /// Unwinds every loop up to `bound` iterations.
    pub fn advance(&mut self, terms: &mut Store, bound: u32, budget: &Budget) -> Result<Round, Stop> {
        for (key, arrival, state) in std::mem::take(&mut self.parked) {
            self.push(bound, key, arrival, state);
        }
        let mut round = Round::default();
        let mut visited = 0u32;
        while let Some((key, arrivals)) = self.pending.pop_first() {
            visited += 1;
            if visited.is_multiple_of(64) {
                budget.check()?;
            }
            if visited.is_multiple_of(4096) {
                budget.check_memory()?;
            }
            self.visit(terms, bound, key, arrivals, &mut round);
        }
        Ok(round)
    }

    /// Drops what is parked and `keep` refuses.
    pub fn retain_parked<E>(&mut self, mut keep: impl FnMut(&Arrival) -> Result<bool, E>) -> Result<(), E> {
        let mut kept = Vec::new();
        for parked in std::mem::take(&mut self.parked) {
            if keep(&parked.1)? {
                kept.push(parked);
            }
        }
        self.parked = kept;
        Ok(())
    }

    /// The guards under which some loop goes on beyond the bound.
    pub fn parked_guards(&self) -> impl Iterator<Item = Term> + '_ {
        self.parked.iter().map(|(_, arrival, _)| arrival.guard)
    }

    fn visit(&mut self, terms: &mut Store, bound: u32, key: Key, arrivals: Vec<(Arrival, State)>, round: &mut Round) {
        let loc = self.wto.loc_at(key[key.len() - 1]);
        let (incoming, mut state) = merge(terms, arrivals);
        let guards: SmallVec<[Term; 4]> = incoming.iter().map(|a| a.guard).collect();
        let mut guard = join_guards(terms, guards);
        let mut full = incoming[0].full;
        for arrival in &incoming[1..] {
            full = terms.ite(arrival.guard, arrival.full, full);
        }
        let iterations: SmallVec<[u32; 3]> = key.iter().skip(1).step_by(2).copied().take(key.len() / 2).collect();
        let mut forgets = terms.bool(false);
        if let (true, Loops::Forgetful(windows)) = (self.wto.is_head(loc), self.loops) {
            let iteration = iterations[iterations.len() - 1];
            if iteration == 0 {
                self.obligations.push(Obligation { head: loc, from: None, guard, state: state.clone() });
                forgets = self.may_forget(terms, bound, &key);
                self.forget(terms, forgets, &windows.changes[&loc], &mut state);
                full = terms.or(full, forgets);
            }
            if iteration + 1 == bound {
                // Only a loop that forgot comes to its last visit.
                guard = terms.and(guard, self.forgot[&entry_key(&key, iterations.len() - 1)]);
            }
            if let Some(invariant) = windows.invariants.get(&loc) {
                let holds = evaluate_term(self.program, terms, &state, *invariant);
                guard = terms.and(guard, holds);
            }
        }
        let node = self.nodes.push(NodeInfo { loc, guard, full, forgets, incoming, iterations });
        match &self.program.main().locs[loc].kind {
            LocKind::Error(_) => round.errors.push(node),
            LocKind::Unsupported(_) | LocKind::BoundHit(_) => round.unknowns.push(node),
            LocKind::Plain | LocKind::End(_) => {}
        }
        if self.wto.is_head(loc) {
            round.heads.push(node);
            if let Some(states) = &mut self.head_states {
                states.insert(node, state.clone());
            }
        }
        let mut steps = Vec::new();
        for &edge in &self.successors[loc] {
            let op = &self.program.main().edges[edge].op;
            if let Some(mut step) = step(self.program, terms, &state, op) {
                if let (true, cfa::Op::Assume(condition)) = (self.narrows, op) {
                    narrow_inputs(self.program, terms, *condition, &mut step.state);
                }
                steps.push((edge, step));
            }
        }
        make_disjoint(terms, &mut steps);
        let conditions: SmallVec<[Term; 2]> =
            steps.iter().map(|(edge, _)| self.condition_of(terms, &steps, *edge)).collect();
        for ((edge, step), condition) in steps.into_iter().zip(conditions) {
            let info = &self.program.main().edges[edge];
            let guard = terms.and(guard, condition);
            let stayed = self.may_leave(terms, bound, loc, &key, info.to);
            let guard = terms.and(guard, stayed);
            if terms.as_bool_const(guard) == Some(false) {
                continue;
            }
            let key = self.key(Some((loc, &key)), info.to);
            self.push(bound, key, Arrival { from: Some((node, edge)), guard, full, inputs: step.inputs }, step.state);
        }
    }

    /// Whether the loop that is entered at `key` forgets: a free choice, unless only one of them makes sense.
    fn may_forget(&mut self, terms: &mut Store, bound: u32, key: &Key) -> Term {
        // With one visit there is no other way; with one loop the other way is not asked for.
        let must = bound == 1 || self.wto.heads().nth(1).is_none();
        let forgets = if must { terms.bool(true) } else { terms.fresh("forgets", Sort::Bool) };
        self.forgot.insert(key.clone(), forgets);
        forgets
    }

    /// The condition under which loops around `loc` may be left by going to `to`: those that forgot stay to the end of
    /// their window.
    fn may_leave(&self, terms: &mut Store, bound: u32, loc: Loc, key: &Key, to: Loc) -> Term {
        let mut condition = terms.bool(true);
        if let Loops::Forgetful(_) = self.loops {
            let (from, to) = (self.wto.heads_around(loc), self.wto.heads_around(to));
            for (depth, head) in from.iter().enumerate() {
                if to.get(depth) != Some(head) && key[2 * depth + 1] + 1 < bound {
                    let short = terms.not(self.forgot[&entry_key(key, depth)]);
                    condition = terms.and(condition, short);
                }
            }
        }
        condition
    }

    fn forget(&self, terms: &mut Store, forgets: Term, vars: &[Var], state: &mut State) {
        for &var in vars {
            let anything = terms.fresh(self.program.name(var), self.program.vars[var].sort);
            let anything = Value::of(terms, anything);
            let value = match terms.as_bool_const(forgets) {
                Some(true) => anything,
                _ => anything.merge(terms, forgets, state.get(var)),
            };
            state.set(var, value);
        }
    }

    fn push(&mut self, bound: u32, key: Key, arrival: Arrival, state: State) {
        let deepest = key.iter().skip(1).step_by(2).take(key.len() / 2).max();
        if deepest.is_some_and(|&iteration| iteration >= bound) {
            match self.loops {
                Loops::Exact => self.parked.push((key, arrival, state)),
                Loops::Forgetful(_) => {
                    let head = self.wto.loc_at(key[key.len() - 1]);
                    self.obligations.push(Obligation { head, from: arrival.from, guard: arrival.guard, state });
                }
            }
        } else {
            self.pending.entry(key).or_default().push((arrival, state));
        }
    }

    /// The key of `to`, reached from `from` (a location and its key).
    fn key(&self, from: Option<(Loc, &Key)>, to: Loc) -> Key {
        let mut key = Key::new();
        for (depth, &head) in self.wto.heads_around(to).iter().enumerate() {
            let position = self.wto.position(head);
            let iteration = match from {
                Some((loc, old)) if self.wto.heads_around(loc).get(depth) == Some(&head) => {
                    // Going to the head from inside its loop starts the next iteration.
                    old[2 * depth + 1] + u32::from(to == head)
                }
                _ => 0,
            };
            key.push(position);
            key.push(iteration);
        }
        key.push(self.wto.position(to));
        key
    }
}

/// Inputs that `condition` bounds, as the extension of their low bits: the same value where the condition holds.
fn narrow_inputs(program: &Program, terms: &mut Store, condition: Term, state: &mut State) {
    let Some(env) = Env::any([].into()).filtered(program, condition, true) else { return };
    for (var, range) in env.ranges() {
        let bits = (u64::BITS - range.uhi.leading_zeros()).max(1);
        if let Value::Term(input) = *state.get(var)
            && terms.is_var(input)
            && bits + MIN_SAVED <= range.width
        {
            let low = terms.extract(input, bits - 1, 0);
            let narrowed = terms.zext_to(low, range.width);
            state.set(var, Value::Term(narrowed));
        }
    }
}

/// The key of the first visit of the head of the loop at `depth` around an instance.
fn entry_key(key: &Key, depth: usize) -> Key {
    let mut entry: Key = key[..=2 * depth].into();
    entry.extend([0, key[2 * depth]]);
    entry
}

/// Merging needs disjoint guards. Where several edges may be taken at once, the choice between them becomes explicit.
pub(crate) fn make_disjoint(terms: &mut Store, steps: &mut [(Edge, Step)]) {
    let disjoint = match steps {
        [] | [_] => true,
        [(_, a), (_, b)] => terms.are_exclusive(a.condition, b.condition),
        _ => false,
    };
    if disjoint {
        return;
    }
    let last = steps.len() - 1;
    let mut none_so_far = terms.bool(true);
    for (i, (_, step)) in steps.iter_mut().enumerate() {
        let mut chosen = none_so_far;
        if i < last {
            let choice = terms.fresh("choice", Sort::Bool);
            chosen = terms.and(none_so_far, choice);
            let other = terms.not(choice);
            none_so_far = terms.and(none_so_far, other);
        }
        step.condition = terms.and(step.condition, chosen);
    }
}

/// One state for several arrivals.
fn merge(terms: &mut Store, arrivals: Vec<(Arrival, State)>) -> (Vec<Arrival>, State) {
    let mut incoming = Vec::with_capacity(arrivals.len());
    let mut merged: Option<State> = None;
    for (arrival, state) in arrivals {
        merged = Some(match merged {
            None => state,
            Some(others) => {
                let mut state = state;
                state.merge(terms, arrival.guard, &others);
                state
            }
        });
        incoming.push(arrival);
    }
    (incoming, merged.expect("an instance is visited because something arrives"))
}

/// The disjunction of guards, with `(g ∧ c) ∨ (g ∧ ¬c) = g` applied: at the end of an if-then-else the guard of its
/// start comes back, and guards do not grow along straight code.
pub(crate) fn join_guards(terms: &mut Store, mut guards: SmallVec<[Term; 4]>) -> Term {
    let mut changed = guards.len() <= 32;
    while changed {
        changed = false;
        'pairs: for i in 0..guards.len() {
            for j in i + 1..guards.len() {
                if let Some(common) = resolve(terms, guards[i], guards[j]) {
                    guards[i] = common;
                    guards.swap_remove(j);
                    changed = true;
                    break 'pairs;
                }
            }
        }
    }
    terms.or_all(&guards)
}

/// `g` where the two are `g ∧ c` and `g ∧ ¬c` (`g` may be true).
fn resolve(terms: &mut Store, a: Term, b: Term) -> Option<Term> {
    if terms.not(a) == b {
        return Some(terms.bool(true));
    }
    if terms.op(a) != Op::And || terms.op(b) != Op::And {
        return None;
    }
    let (x, y): (SmallVec<[Term; 2]>, SmallVec<[Term; 2]>) = (terms.args(a).into(), terms.args(b).into());
    for i in 0..2 {
        for j in 0..2 {
            if x[i] == y[j] && terms.not(x[1 - i]) == y[1 - j] {
                return Some(x[i]);
            }
        }
    }
    None
}
