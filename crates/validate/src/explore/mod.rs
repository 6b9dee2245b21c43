//! Walking an exploration again.
//!
//! The walk follows the decisions of an [`Explored`] tree, depth first, with symbolic states of its own. Every edge of every
//! node is accounted for: it was followed, then its node comes next; or it was not, then the path condition and the
//! edge's condition contradict each other, which a solver is asked (so is every edge to a target). A path ends where the
//! program does, or at a loop head where a node with an equal key was expanded (see `seen.rs`): by induction over the
//! length of executions every reachable state belongs to some node, and no node is at a target. Following an edge
//! needs no reason: a tree that follows too much is a longer walk, not a wrong one.
//!
//! A question is about the conjuncts that share inputs with the edge's condition, directly or by way of others; what these exclude is
//! excluded on every path that has them. Inputs are named by their number on the path, so that paths that part and meet
//! again ask the same questions; no name is used twice on a path. Where that part does not exclude the edge, all of the path
//! condition is asked: a tree may follow what no execution does.
//!
//! Without a tree the walk decides by itself ([`Guide::Solver`]): another solver says which edges to follow. What it decides can be
//! kept as a tree ([`explored`]); and what has to be contradictory along a tree can be written down instead of asked
//! ([`conditions()`]).

mod seen;
mod state;
mod stretch;

use crate::conditions::{Collected, Condition, Start};
use crate::limits::explore::{FACTOR_TIME, MOST_FACTS, RING_PATIENCE, RING_TIME, WORTHWHILE};
use crate::recheck::Failure;
use crate::{bounds, factor_cases, ring};
use base::Table;
use base::cpu::Deadline;
use cfa::evidence::explored::{Decision, Explored, asks, is_followed};
use cfa::{Edge, Loc, LocKind, Op, Program};
use flow::wto::Wto;
use rustc_hash::{FxHashMap, FxHashSet};
use seen::{Seen, relevant};
use smt::small_factors::small_factor;
use smt::{Answer, Solver};
use state::{State, Symbolic};
use std::collections::BTreeSet;
use std::rc::Rc;
use stretch::{Ran, Stretches, Until};
use term::eval::{OrZero, eval};
use term::normal::conjuncts;
use term::{Sort, Store, Term, Value};

/// Who says which edges to follow.
pub enum Guide<'a> {
    /// Somebody did it before.
    Tree(&'a Explored),
    /// A solver that need not be right: what it calls infeasible is asked again.
    Solver(&'a mut dyn Solver),
}

/// Walks all paths of the flat `program`: no target is reached. Infeasibility is asked of `solver`.
pub fn walk(
    program: &Program,
    terms: &mut Store,
    guide: Guide<'_>,
    solver: &mut dyn Solver,
    deadline: Deadline,
) -> Result<(), Failure> {
    // For as long as the walk lasts.
    #[allow(clippy::needless_match, reason = "it shortens the lifetime of what is inside")]
    let guide = match guide {
        Guide::Tree(tree) => Guide::Tree(tree),
        Guide::Solver(other) => Guide::Solver(other),
    };
    Walk::new(program, terms, guide, Answers::Solver(solver), deadline)?.all()
}

/// The tree of the walk that `other` guides; nothing is proved.
pub fn explored(
    program: &Program,
    terms: &mut Store,
    other: &mut dyn Solver,
    deadline: Deadline,
) -> Result<Explored, Failure> {
    let mut walk = Walk::new(program, terms, Guide::Solver(other), Answers::Nobody(Collected::default()), deadline)?;
    walk.record = Some(Explored::default());
    walk.all()?;
    walk.record.take().ok_or(Failure::TooLarge)
}

/// What has to be contradictory for the decisions to be right, and no target to be reached.
pub fn conditions(
    program: &Program,
    terms: &mut Store,
    tree: &Explored,
    deadline: Deadline,
) -> Result<Collected, Failure> {
    let mut walk = Walk::new(program, terms, Guide::Tree(tree), Answers::Nobody(Collected::default()), deadline)?;
    walk.all()?;
    match walk.answers {
        Answers::Nobody(collected) => Ok(collected),
        Answers::Solver(_) => Err(Failure::TooLarge),
    }
}

impl<'a> Walk<'a> {
    fn new(
        program: &'a Program,
        terms: &'a mut Store,
        guide: Guide<'a>,
        answers: Answers<'a>,
        deadline: Deadline,
    ) -> Result<Walk<'a>, Failure> {
        let main = program.main();
        // What they share between states is not among the inputs.
        if main.edges.values().any(|edge| !term::walk::functions(&program.terms, &edge.op.terms()).is_empty()) {
            return Err(Failure::NoAnswer("the program has uninterpreted functions".into()));
        }
        let heads: BTreeSet<Loc> = Wto::new(main).heads().collect();
        let compared: BTreeSet<Loc> = match &guide {
            Guide::Tree(tree) => tree.repeats.iter().copied().collect(),
            Guide::Solver(_) => heads.clone(),
        };
        if let Some(loc) = compared.iter().find(|loc| !stretch::exists(program, **loc)) {
            return Err(unfitting(&format!("there is no {loc}")));
        }
        let seen = if compared.is_empty() { None } else { Some(Seen::new(program)?) };
        let guide = match guide {
            Guide::Tree(tree) => Decisions::Told(&tree.decisions),
            Guide::Solver(other) => Decisions::Asked { other, is_sure: true, patience: FxHashMap::default() },
        };
        Ok(Walk {
            program,
            terms,
            successors: main.successors(),
            guide,
            answers,
            record: None,
            deadline,
            heads,
            compared,
            seen,
            stretches: Stretches::new(program),
            variables: FxHashMap::default(),
            inputs: FxHashMap::default(),
            refuted: FxHashSet::default(),
            asserted: Vec::new(),
            fruitless: 0,
        })
    }
}

fn unfitting(how: &str) -> Failure {
    Failure::NoAnswer(format!("the decisions do not fit the program: {how}"))
}

/// The path condition, latest conjunct first, each with its variables. Tails are shared.
#[derive(Default)]
struct Conjunction(Option<(Term, Rc<[Term]>, Rc<Conjunction>)>);

impl Conjunction {
    /// With a conjunct, which is there once: a loop that goes round for long decides the same again and again.
    fn and(self: Rc<Conjunction>, t: Term, vars: Rc<[Term]>) -> Rc<Conjunction> {
        if self.parts().any(|(conjunct, _)| conjunct == t) {
            return self;
        }
        Rc::new(Conjunction(Some((t, vars, self))))
    }

    fn parts(&self) -> impl Iterator<Item = (Term, Rc<[Term]>)> + '_ {
        let mut at = self;
        std::iter::from_fn(move || {
            let (t, vars, rest) = at.0.as_ref()?;
            at = rest;
            Some((*t, vars.clone()))
        })
    }
}

impl Drop for Conjunction {
    /// Without recursion: paths are long.
    fn drop(&mut self) {
        let mut next = self.0.take();
        while let Some((_, _, rest)) = next {
            next = Rc::try_unwrap(rest).ok().and_then(|mut c| c.0.take());
        }
    }
}

/// A place on a path.
#[derive(Clone)]
struct Node {
    loc: Loc,
    state: State,
    condition: Rc<Conjunction>,
    /// Without a tree: values of inputs that satisfy the condition, if the solver is right.
    model: Rc<FxHashMap<Term, Value>>,
    /// How many inputs there are on the path.
    inputs: u32,
}

enum Decisions<'a> {
    /// What is left of the tree.
    Told(&'a str),
    Asked {
        other: &'a mut dyn Solver,
        /// Whether it always answered so far: then every path that is followed is one of some execution.
        is_sure: bool,
        /// By head: visits until a stretch is looked for, and until the next one would be.
        patience: FxHashMap<Loc, (u32, u32)>,
    },
}

/// Who says that something is contradictory.
enum Answers<'a> {
    Solver(&'a mut dyn Solver),
    /// It is written down, to be shown elsewhere.
    Nobody(Collected),
}

struct Walk<'a> {
    program: &'a Program,
    terms: &'a mut Store,
    successors: Table<Loc, Vec<Edge>>,
    guide: Decisions<'a>,
    answers: Answers<'a>,
    /// Where the decisions are kept.
    record: Option<Explored>,
    deadline: Deadline,
    heads: BTreeSet<Loc>,
    /// Those where states are compared.
    compared: BTreeSet<Loc>,
    seen: Option<Seen>,
    stretches: Stretches,
    variables: FxHashMap<Term, Rc<[Term]>>,
    /// The symbols of havocs: by how many havocs came before on the path, the place in the havoc, and the sort.
    inputs: FxHashMap<(u32, usize, Sort), Term>,
    /// Sets of facts that contradict each other, each sorted.
    refuted: FxHashSet<Box<[Term]>>,
    /// The facts that the solver holds, each on a level of its own.
    asserted: Vec<Term>,
    /// Questions in a row that the ring did not decide.
    fruitless: u32,
}

impl Walk<'_> {
    fn all(&mut self) -> Result<(), Failure> {
        let entry = self.program.main().entry;
        let root =
            Node { loc: entry, state: State::default(), condition: Rc::default(), model: Rc::default(), inputs: 0 };
        // Paths that end because an equal state is expanded elsewhere, which may come later.
        let mut promised: Vec<(Loc, seen::Cut)> = Vec::new();
        let mut stack = vec![root];
        while let Some(node) = stack.pop() {
            self.follow(node, &mut stack, &mut promised)?;
        }
        if let Decisions::Told(rest) = self.guide
            && !rest.is_empty()
        {
            return Err(unfitting("there are too many"));
        }
        let seen = &self.seen;
        match promised.iter().find(|(loc, cut)| !seen.as_ref().is_some_and(|seen| seen.contains(*loc, cut))) {
            Some((loc, _)) => Err(unfitting(&format!("no equal state is explored at {loc}"))),
            None => Ok(()),
        }
    }

    /// Follows a path to its end or to its next branches, which are put on the stack, the first one on top.
    fn follow(
        &mut self,
        mut node: Node,
        stack: &mut Vec<Node>,
        promised: &mut Vec<(Loc, seen::Cut)>,
    ) -> Result<(), Failure> {
        loop {
            if self.deadline.is_over() {
                return Err(Failure::NoAnswer("time limit".into()));
            }
            match self.program.main().locs[node.loc].kind {
                LocKind::Plain => {}
                LocKind::End(_) => return Ok(()),
                // Edges to targets are refuted where they start.
                _ => return Err(Failure::TargetReachable(node.loc)),
            }
            match self.at_head(&mut node, promised)? {
                Here::Ends => return Ok(()),
                Here::Moved => continue,
                Here::Stays => {}
            }
            let mut next = self.branches(&node)?;
            if next.len() == 1 {
                node = next.pop().expect("one");
                continue;
            }
            stack.extend(next.into_iter().rev());
            return Ok(());
        }
    }

    /// What only happens at loop heads: stretches that are run, states that are compared.
    fn at_head(&mut self, node: &mut Node, promised: &mut Vec<(Loc, seen::Cut)>) -> Result<Here, Failure> {
        let is_compared = self.compared.contains(&node.loc);
        // A decision that is made at a head waits for one.
        if !is_compared && !self.heads.contains(&node.loc) {
            return Ok(Here::Stays);
        }
        let mut is_seen = false;
        if let Decisions::Told(text) = &mut self.guide {
            let until = match Decision::read(text) {
                Some((Decision::Run { to, visits }, rest)) => {
                    *text = rest;
                    if !stretch::exists(self.program, to) {
                        return Err(unfitting(&format!("there is no {to}")));
                    }
                    let until = if to == node.loc { Until::Visit(visits) } else { Until::Location(to) };
                    Some((Some((to, visits)), until))
                }
                Some((Decision::RunNowhere, rest)) => {
                    *text = rest;
                    Some((None, Until::Border))
                }
                Some((Decision::Seen, rest)) if is_compared => {
                    *text = rest;
                    is_seen = true;
                    None
                }
                _ => None,
            };
            if let Some((expected, until)) = until {
                let ran = self.stretch(node, until)?;
                return match (ran, expected) {
                    (Some(Ran::To(loc, visits)), Some(end)) if (loc, visits) == end => Ok(Here::Moved),
                    (Some(Ran::Nowhere), None) => Ok(Here::Ends),
                    _ => Err(unfitting("a stretch without inputs ends elsewhere")),
                };
            }
        } else if is_compared && self.is_worthwhile(node.loc) {
            match self.stretch(node, Until::Border)? {
                Some(Ran::To(to, visits)) => {
                    self.keep(Decision::Run { to, visits });
                    self.is_worthwhile_again(node.loc);
                    return Ok(Here::Moved);
                }
                Some(Ran::Nowhere) => {
                    self.keep(Decision::RunNowhere);
                    return Ok(Here::Ends);
                }
                None => {}
            }
        }
        if !is_compared {
            return Ok(Here::Stays);
        }
        let seen = self.seen.as_mut().expect("made where states are compared");
        let Some(cut) = seen.cut(self.program, self.terms, node.loc, &node.state, &node.condition) else {
            return if is_seen { Err(Failure::TooLarge) } else { Ok(Here::Stays) };
        };
        if is_seen {
            if !seen.contains(node.loc, &cut) {
                promised.push((node.loc, cut));
            }
            return Ok(Here::Ends);
        }
        if matches!(self.guide, Decisions::Asked { .. }) && seen.contains(node.loc, &cut) {
            self.keep(Decision::Seen);
            if let Some(record) = &mut self.record {
                // Paths are cut at all of them here.
                record.repeats = self.compared.iter().copied().collect();
            }
            return Ok(Here::Ends);
        }
        seen.insert(node.loc, &cut);
        node.condition = cut.condition;
        Ok(Here::Stays)
    }

    fn keep(&mut self, decision: Decision) {
        if let Some(record) = &mut self.record {
            decision.write(&mut record.decisions);
        }
    }

    fn stretch(&mut self, node: &mut Node, until: Until) -> Result<Option<Ran>, Failure> {
        let ran = self.stretches.run(self.program, self.terms, node.loc, &mut node.state, until, self.deadline)?;
        if let Some(Ran::To(loc, _)) = ran {
            node.loc = loc;
        }
        Ok(ran)
    }

    fn is_worthwhile(&mut self, head: Loc) -> bool {
        let Decisions::Asked { patience, .. } = &mut self.guide else { return false };
        let (left, next) = patience.entry(head).or_insert((WORTHWHILE, WORTHWHILE));
        *left -= 1;
        let is_worthwhile = *left == 0;
        if is_worthwhile {
            *next = next.saturating_mul(2);
            *left = *next;
        }
        is_worthwhile
    }

    fn is_worthwhile_again(&mut self, head: Loc) {
        if let Decisions::Asked { patience, .. } = &mut self.guide {
            patience.insert(head, (WORTHWHILE, WORTHWHILE));
        }
    }

    /// The nodes behind the edges that are followed; the others are shown to be infeasible.
    fn branches(&mut self, node: &Node) -> Result<Vec<Node>, Failure> {
        let program = self.program;
        let main = program.main();
        let edges = self.successors[node.loc].clone();
        let infos = || edges.iter().map(|e| &main.edges[*e]);
        let asks = asks(&program.terms, infos());
        let told = match &mut self.guide {
            Decisions::Told(text) if asks => match Decision::read(text) {
                Some((Decision::Follow(set), rest)) => {
                    *text = rest;
                    if edges.len() > 64 || set.checked_shr(edges.len() as u32).is_some_and(|beyond| beyond != 0) {
                        return Err(unfitting("edges are followed that do not exist"));
                    }
                    Some(set)
                }
                _ => return Err(unfitting("one is missing")),
            },
            Decisions::Told(_) => Some(u64::MAX),
            Decisions::Asked { .. } => None,
        };
        let mut next = Vec::new();
        let mut followed = 0u64;
        for (i, info) in infos().enumerate() {
            let is_chosen = told.map(|set| i >= 64 || set >> i & 1 == 1);
            if !is_followed(main, info) {
                if is_chosen == Some(true) && asks {
                    return Err(unfitting("an edge to the end of the program is followed"));
                }
                continue;
            }
            let is_target = main.locs[info.to].kind.is_target();
            let mut after = Node { loc: info.to, ..node.clone() };
            let mut condition = None;
            match &info.op {
                Op::Assume(c) => {
                    let c = node.state.read(program, self.terms, *c).term(self.terms);
                    condition = (self.terms.as_bool_const(c) != Some(true)).then_some(c);
                }
                Op::Assign(pairs) => {
                    for (var, t) in pairs {
                        after.state.set(*var, node.state.read(program, self.terms, *t));
                    }
                }
                Op::Havoc { vars, .. } => {
                    for (i, var) in vars.iter().enumerate() {
                        let sort = program.vars[*var].sort;
                        let named = self.inputs.entry((node.inputs, i, sort));
                        let input = *named.or_insert_with(|| self.terms.fresh("in", sort));
                        after.state.set(*var, Symbolic::of(self.terms, input));
                    }
                    after.inputs = node.inputs.checked_add(1).ok_or(Failure::TooLarge)?;
                }
                op => unreachable!("explorations are about flat programs: {op:?}"),
            }
            let follows = match is_chosen {
                Some(is_chosen) => is_chosen,
                None => self.seems_feasible(node, condition, &mut after)?,
            };
            if is_target || !follows {
                self.refute(node, condition, info.to, is_target)?;
                if follows && told.is_some() {
                    return Err(unfitting("an edge to a target is followed"));
                }
                continue;
            }
            if let Some(c) = condition {
                if self.terms.as_bool_const(c) == Some(false) {
                    return Err(unfitting("an edge that cannot be taken is followed"));
                }
                for conjunct in conjuncts(self.terms, c) {
                    let vars = self.variables(conjunct);
                    after.condition = after.condition.and(conjunct, vars);
                }
            }
            followed |= 1u64.checked_shl(i as u32).ok_or(Failure::TooLarge)?;
            next.push(after);
        }
        if asks {
            self.keep(Decision::Follow(followed));
        }
        Ok(next)
    }

    /// Whether the other solver thinks that the edge can be taken; then `after` gets its model.
    fn seems_feasible(&mut self, node: &Node, condition: Option<Term>, after: &mut Node) -> Result<bool, Failure> {
        let Some(c) = condition else { return Ok(true) };
        if self.terms.as_bool_const(c) == Some(false) {
            return Ok(false);
        }
        if eval(self.terms, c, &OrZero(&*node.model)) == Ok(Value::Bool(true)) {
            return Ok(true);
        }
        let Decisions::Asked { other, is_sure, .. } = &mut self.guide else { return Ok(true) };
        let mut facts: Vec<Term> = relevant(self.terms, &[c], &node.condition).into_iter().map(|(t, _)| t).collect();
        facts.push(c);
        match other.check(self.terms, &facts) {
            Ok(Answer::Unsat) => Ok(false),
            Ok(Answer::Sat) => {
                // What the edge is not about keeps its values.
                let mut model = (*node.model).clone();
                for var in term::walk::free_vars(self.terms, &facts) {
                    if let Ok(value) = other.value(self.terms, var) {
                        model.insert(var, value);
                    }
                }
                after.model = Rc::new(model);
                Ok(true)
            }
            Err(_) => {
                *is_sure = false;
                Ok(true)
            }
        }
    }

    /// The edge cannot be taken. The solver holds what the path says of it, and learns along the tree.
    fn refute(&mut self, node: &Node, condition: Option<Term>, to: Loc, is_target: bool) -> Result<(), Failure> {
        let reached = if is_target { Failure::TargetReachable(to) } else { Failure::Unexplored(to) };
        let c = condition.unwrap_or_else(|| self.terms.bool(true));
        if self.terms.as_bool_const(c) == Some(false) {
            if let Answers::Nobody(collected) = &mut self.answers {
                collected.settled += 1;
            }
            return Ok(());
        }
        let mut facts: Vec<Term> = relevant(self.terms, &[c], &node.condition).into_iter().map(|(t, _)| t).collect();
        facts.push(c);
        if let Answers::Nobody(collected) = &mut self.answers {
            let bad = self.terms.and_all(&facts);
            if self.terms.as_bool_const(bad) == Some(false) {
                collected.settled += 1;
            } else {
                collected.conditions.push(Condition { start: Start::Path, denies: reached, bad });
            }
            return Ok(());
        }
        let mut set = facts.clone();
        set.sort_unstable();
        if self.refuted.contains(&set[..]) || bounds::contradict(self.terms, &facts) {
            return Ok(());
        }
        facts.pop();
        if self.refutes_by_factors(&set) || self.refutes_by_ring(&set) || self.contradict(&facts, c)? {
            if set.len() <= MOST_FACTS {
                self.refuted.insert(set.into_boxed_slice());
            }
            return Ok(());
        }
        // The path may be none of an execution: then what the edge is not about is contradictory. (That is no reason elsewhere.)
        let mut all: Vec<Term> = node.condition.parts().map(|(t, _)| t).collect();
        all.reverse();
        if all.len() > facts.len() && self.contradict(&all, c)? {
            return Ok(());
        }
        match self.guide {
            Decisions::Asked { is_sure: false, .. } => Err(Failure::NoAnswer(reached.to_string())),
            _ => Err(reached),
        }
    }

    /// Whether the facts exclude the condition, by the solver. It learns along the path.
    fn contradict(&mut self, facts: &[Term], c: Term) -> Result<bool, Failure> {
        self.assert(facts);
        let Answers::Solver(solver) = &mut self.answers else { return Ok(false) };
        let answer = solver.check(self.terms, &[c]).map_err(|why| Failure::NoAnswer(why.to_string()))?;
        Ok(answer == Answer::Unsat)
    }

    /// Where a factor of a product has few values: each of them.
    fn refutes_by_factors(&mut self, facts: &[Term]) -> bool {
        let parts: Vec<Term> = facts.iter().flat_map(|fact| conjuncts(self.terms, *fact)).collect();
        if small_factor(self.terms, &parts).is_none() {
            return false;
        }
        // The cases are all there is to say: the solver must not hold the path condition too.
        self.assert(&[]);
        let deadline = Deadline::after(self.deadline.left() / 8);
        let Answers::Solver(solver) = &mut self.answers else { return false };
        let is_refuted = factor_cases::refuted(self.terms, &parts, &mut |terms, case| {
            solver.limit(&smt::Limits { time: Some(deadline.left().min(FACTOR_TIME)), cancel: None });
            solver.check(terms, &[case]) == Ok(Answer::Unsat)
        });
        solver.limit(&smt::Limits::default());
        is_refuted
    }

    /// Where there are products of inputs, solvers need help: by cases, in the ring of machine integers.
    fn refutes_by_ring(&mut self, facts: &[Term]) -> bool {
        let bad = self.terms.and_all(facts);
        if self.fruitless >= RING_PATIENCE || !ring::concerns(self.terms, bad) {
            return false;
        }
        // It asks about less than the path condition, so the solver must not hold that.
        self.assert(&[]);
        let deadline = Deadline::after((self.deadline.left() / 8).min(RING_TIME));
        let Answers::Solver(solver) = &mut self.answers else { return false };
        let mut ask = |terms: &Store, facts: &[Term]| {
            if deadline.is_over() {
                return None;
            }
            solver.check(terms, facts).ok().map(|answer| answer == Answer::Sat)
        };
        let is_refuted = ring::refutes(self.terms, bad, &mut ask, deadline);
        self.fruitless = if is_refuted { 0 } else { self.fruitless + 1 };
        is_refuted
    }

    /// Brings the solver's facts in line with those of the path: what they share with the last ones stays.
    fn assert(&mut self, facts: &[Term]) {
        let Answers::Solver(solver) = &mut self.answers else { return };
        let shared = self.asserted.iter().zip(facts).take_while(|(a, b)| a == b).count();
        self.asserted.drain(shared..).for_each(|_| solver.pop());
        for &fact in &facts[shared..] {
            solver.push();
            solver.assert(self.terms, fact);
            self.asserted.push(fact);
        }
    }

    fn variables(&mut self, t: Term) -> Rc<[Term]> {
        let terms = &*self.terms;
        self.variables.entry(t).or_insert_with(|| term::walk::free_vars(terms, &[t]).into()).clone()
    }
}

/// What became of a path at a location.
enum Here {
    Ends,
    /// It is somewhere else now.
    Moved,
    Stays,
}
