//! Proving a proof again.
//!
//! The automaton is unwound along its loops in two ways, and every question that a proof raises is asked again:
//!
//! - *Cuts* (for `k = 1`): from the entry, and from every loop head in any state in which its invariant holds, to the next
//!   heads and targets: there the invariants hold, and no target is reached. Most proofs are of this kind, and the questions
//!   are small; those that ranges decide (`segments.rs`) are not even asked. Where it fails, the proof may need what is known from before a loop:
//! - *Base*: from the entry, each loop head visited at most `k` times. No target (error, unsupported, bound hit) may be
//!   reached, and invariants hold whenever control is at their location. For a proof by exhaustion it is also asked that
//!   no loop goes on beyond.
//! - *Step* (not for exhaustion): from the entry, but a loop that is entered may forget everything it may change; then
//!   its invariant is assumed, and it visits its head exactly `k + 1` times from there on. A loop that does not forget
//!   visits its head at most `k` times. On executions where some loop forgot, no target may be reached and the invariants
//!   must hold, at the end of the windows of all loops that forgot and have not been left.
//!
//! Base and step together cover every execution to a first violation: if each stay in a loop visits its head at most `k` times it
//! is in the base; otherwise take, for each stay that visits more often, the last `k + 1` visits as the window, and it is
//! in the step. Before the first violation all invariants hold, so assuming them is sound. Windows begin at heads: where a
//! loop is entered elsewhere nothing is proved.
//!
//! This code is slow and simple on purpose, and uses none of the engines' encoding. The weak topological order comes
//! from `flow`, and the property that the argument needs (an edge goes forward or to a head around it) is checked here.

use crate::bounds;
use crate::conditions::{Collected, Condition, Scheme, Start};
use crate::needed::Needed;
use crate::questions::Questions;
use crate::segments::{Open, Segments, have_cases};
use base::Table;
use base::cpu::Deadline;
use cfa::{Edge, Function, Loc, Op, Program, Var};
use flow::wto::Wto;
use imbl::OrdMap;
use imbl::ordmap::DiffItem;
use smt::Solver;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use term::subst::Substitution;
use term::{Store, Term};

/// What went wrong with a proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Failure {
    /// The invariant at the location is violated by an execution that the proof says cannot be.
    InvariantViolated(Loc),
    /// The location (error, unsupported, bound hit) is reached by an execution that the proof says cannot be.
    TargetReachable(Loc),
    /// A proof by exhaustion, but the loop with this head goes on.
    NotExhausted(Loc),
    /// An execution goes to the location, which an exploration left out.
    Unexplored(Loc),
    /// The invariant mentions something that is not a program variable.
    ForeignSymbol { at: Loc, name: String },
    /// Loops could not be found reliably: a bug in `flow`.
    BadOrder(Loc),
    /// The solver did not answer: neither proved nor refuted.
    NoAnswer(String),
    /// Too large to prove again.
    TooLarge,
}

impl Failure {
    /// Whether the proof is wrong, not just hard to check.
    pub fn refutes(&self) -> bool {
        !matches!(self, Failure::NoAnswer(_) | Failure::TooLarge)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::InvariantViolated(loc) => write!(f, "the invariant at {loc} is not kept"),
            Failure::TargetReachable(loc) => write!(f, "{loc} can still be reached"),
            Failure::NotExhausted(loc) => write!(f, "the loop at {loc} goes on beyond the explored part"),
            Failure::Unexplored(loc) => write!(f, "an execution goes to {loc}, which was not explored"),
            Failure::ForeignSymbol { at, name } => write!(f, "the invariant at {at} mentions {name}"),
            Failure::BadOrder(loc) => write!(f, "an edge to {loc} goes backwards but not to a loop head"),
            Failure::NoAnswer(why) => write!(f, "{why}"),
            Failure::TooLarge => f.write_str("too large to prove again"),
        }
    }
}

/// What is claimed.
#[derive(Clone, Copy, Debug)]
pub enum Claim<'a> {
    /// The invariants (at loop heads, or wherever) are `k`-inductive together with the absence of targets.
    Inductive { invariants: &'a BTreeMap<Loc, Term>, k: u32 },
    /// Every loop ends within `bound` visits of its head, and no target is reached.
    Exhausted { bound: u32 },
}

/// Unwindings of more locations than this are not proved again.
const MAX_VISITS: usize = 200_000;

/// So many ways to arrive at a location from a cut are kept apart: all are merged, or as many as make no long terms. Where they meet, a
/// merged pointer is a choice between addresses, and what is read through it a choice again; along one path all of it is a sum.
const TOGETHER: usize = 1;
const APART: usize = 64;

/// Proves the claim about the flat `program`. The terms of invariants belong to `terms`, an extension of the program's
/// store. Given up at the deadline.
pub fn recheck(
    program: &Program,
    terms: &mut Store,
    claim: Claim<'_>,
    solver: &mut dyn Solver,
    deadline: Deadline,
) -> Result<(), Failure> {
    let (wto, none) = (Wto::new(program.main()), BTreeMap::new());
    let (invariants, bound) = match claim {
        Claim::Inductive { invariants, k } => (invariants, k.max(1)),
        Claim::Exhausted { bound } => (&none, bound.max(1)),
    };
    let is_inductive = matches!(claim, Claim::Inductive { .. });
    check_claim(program, terms, &wto, invariants, is_inductive)?;
    if is_inductive && bound == 1 {
        for apart in [TOGETHER, APART] {
            let until = Deadline::after(deadline.left() / 2);
            let asked = Asked::Solver(Questions::new(&mut *solver, until).about(program));
            let mut checker = Checker::new(program, terms, &wto, invariants, asked, until);
            checker.apart = apart;
            // What ranges settle is the same both times: they may take all of it, and mostly nothing is left to ask then.
            checker.ranges_until = deadline;
            match checker.cuts() {
                Ok(()) => return Ok(()),
                Err(failure) if failure.refutes() => break,
                Err(_) => {}
            }
        }
    }
    let asked = Asked::Solver(Questions::new(solver, deadline).about(program));
    let mut checker = Checker::new(program, terms, &wto, invariants, asked, deadline);
    if !is_inductive {
        return checker.run(Mode::Exhaustive, bound);
    }
    checker.run(Mode::Base, bound)?;
    checker.run(Mode::Step, bound + 1)
}

/// Whether the invariants lead from cut to cut, each step from what they say alone, and exclude every target.
pub fn is_inductive(
    program: &Program,
    terms: &mut Store,
    invariants: &BTreeMap<Loc, Term>,
    solver: &mut dyn Solver,
    deadline: Deadline,
) -> bool {
    let wto = Wto::new(program.main());
    check_claim(program, terms, &wto, invariants, true).is_ok() && {
        let asked = Asked::Solver(Questions::new(solver, deadline).about(program));
        Checker::new(program, terms, &wto, invariants, asked, deadline).cuts().is_ok()
    }
}

/// The targets that the invariants, inductive by themselves, do not exclude. Targets end executions, so what excludes
/// the others does not rest on these.
pub(crate) fn open_targets(
    program: &Program,
    terms: &mut Store,
    invariants: &BTreeMap<Loc, Term>,
    solver: &mut dyn Solver,
    deadline: Deadline,
) -> Result<BTreeSet<Loc>, Failure> {
    let wto = Wto::new(program.main());
    check_claim(program, terms, &wto, invariants, true)?;
    let asked = Asked::Checks(Questions::new(solver, deadline).about(program), Vec::new());
    let mut checker = Checker::new(program, terms, &wto, invariants, asked, deadline);
    checker.cuts()?;
    match checker.asked {
        Asked::Checks(mut questions, aside) => Ok(questions.open_among(checker.terms, aside)),
        Asked::Solver(_) | Asked::Nobody(_) => unreachable!("asked as said above"),
    }
}

/// The questions that [`recheck`] asks, all of them: what ranges settle there is among them. `invariants` are those of the
/// claim, or none where executions are exhausted.
pub fn conditions(
    program: &Program,
    terms: &mut Store,
    invariants: &BTreeMap<Loc, Term>,
    scheme: &Scheme,
    deadline: Deadline,
) -> Result<Collected, Failure> {
    if let Scheme::Paths(tree) = scheme {
        return crate::explore::conditions(program, terms, tree, deadline);
    }
    let wto = Wto::new(program.main());
    check_claim(program, terms, &wto, invariants, !matches!(scheme, Scheme::Exhausted { .. }))?;
    let mut collected = Collected::default();
    let mut checker = Checker::new(program, terms, &wto, invariants, Asked::Nobody(&mut collected), deadline);
    match scheme {
        Scheme::Cuts => checker.cuts()?,
        Scheme::Induction { k } => {
            checker.run(Mode::Base, (*k).max(1))?;
            checker.run(Mode::Step, (*k).max(1).saturating_add(1))?;
        }
        Scheme::Exhausted { bound } => checker.run(Mode::Exhaustive, (*bound).max(1))?,
        Scheme::Paths(_) => {}
    }
    Ok(collected)
}

/// Whether the claim is one that the argument above is about.
fn check_claim(
    program: &Program,
    terms: &Store,
    wto: &Wto,
    invariants: &BTreeMap<Loc, Term>,
    is_inductive: bool,
) -> Result<(), Failure> {
    check_entry(program.main())?;
    check_assignments(program)?;
    check_order(program.main(), wto)?;
    check_invariants(program, terms, invariants)?;
    if is_inductive && !wto.is_reducible(program.main()) {
        return Err(Failure::NoAnswer("a loop is entered beside its head".into()));
    }
    Ok(())
}

/// No edge leads to where executions begin: nobody would be asked whether it is reached.
fn check_entry(function: &Function) -> Result<(), Failure> {
    match function.locs[function.entry].kind.is_target() {
        true => Err(Failure::TargetReachable(function.entry)),
        false => Ok(()),
    }
}

/// An edge assigns a variable once: what two values of one mean is nowhere said.
fn check_assignments(program: &Program) -> Result<(), Failure> {
    let is_twice = |op: &Op| {
        let mut written = op.written();
        written.sort_unstable();
        written.windows(2).any(|two| two[0] == two[1])
    };
    match program.main().edges.values().any(|edge| is_twice(&edge.op)) {
        true => Err(Failure::NoAnswer("an edge assigns a variable twice".into())),
        false => Ok(()),
    }
}

/// Every edge goes forward in the order, or to the head of a component around its source.
fn check_order(function: &Function, wto: &Wto) -> Result<(), Failure> {
    let backwards = |edge: &&cfa::EdgeInfo| {
        wto.reaches(edge.from)
            && wto.position(edge.to) <= wto.position(edge.from)
            && !(wto.is_head(edge.to) && wto.heads_around(edge.from).contains(&edge.to))
    };
    function.edges.values().find(backwards).map_or(Ok(()), |edge| Err(Failure::BadOrder(edge.to)))
}

fn check_invariants(program: &Program, terms: &Store, invariants: &BTreeMap<Loc, Term>) -> Result<(), Failure> {
    for (&at, invariant) in invariants {
        if let Some(symbol) =
            term::walk::free_vars(terms, &[*invariant]).into_iter().find(|s| program.var_of(*s).is_none())
        {
            return Err(Failure::ForeignSymbol { at, name: terms.symbol_name(symbol).unwrap_or_default().to_owned() });
        }
    }
    Ok(())
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// Nothing is forgotten, everything is asked; what goes beyond the bound is left out.
    Base,
    /// As `Base`, and nothing may go beyond the bound.
    Exhaustive,
    /// Loops may forget what they change when they are entered; asked on executions on which one did.
    Step,
}

/// A state: a term for each variable that was assigned; the others are themselves. States share what they have in common.
type Values = OrdMap<Var, Term>;

/// A way to arrive somewhere.
struct Arrival {
    guard: Term,
    /// Whether some loop on the way forgot.
    full: Term,
    values: Values,
}

/// Visits of heads around a location, then the location's position: ordered so that predecessors come first.
type Key = Vec<u32>;

/// Who answers questions.
enum Asked<'a> {
    Solver(Questions<'a>),
    /// The solver whether the invariants are kept; what leads to targets is put aside, to be asked afterwards.
    Checks(Questions<'a>, Vec<(Term, Loc)>),
    /// They are written down, to be answered elsewhere.
    Nobody(&'a mut Collected),
}

struct Checker<'a> {
    program: &'a Program,
    terms: &'a mut Store,
    wto: &'a Wto,
    invariants: &'a BTreeMap<Loc, Term>,
    asked: Asked<'a>,
    /// Where the executions that are asked about begin.
    start: Start,
    deadline: Deadline,
    /// What is settled without a solver may take until then.
    ranges_until: Deadline,
    successors: Table<Loc, Vec<Edge>>,
    /// What each loop may change.
    changes: BTreeMap<Loc, BTreeSet<Var>>,
    /// So many arrivals at a location are followed each by itself, from cut to cut.
    apart: usize,
    /// In the step: whether each loop that was entered forgot, by the key of its head at the first visit.
    forgot: BTreeMap<Key, Term>,
}

impl<'a> Checker<'a> {
    fn new(
        program: &'a Program,
        terms: &'a mut Store,
        wto: &'a Wto,
        invariants: &'a BTreeMap<Loc, Term>,
        asked: Asked<'a>,
        deadline: Deadline,
    ) -> Checker<'a> {
        let mut changes: BTreeMap<Loc, BTreeSet<Var>> = wto.heads().map(|h| (h, BTreeSet::new())).collect();
        for edge in program.main().edges.values().filter(|e| wto.reaches(e.from)) {
            for head in wto.heads_around(edge.from) {
                changes.get_mut(head).expect("every head has an entry").extend(edge.op.written());
            }
        }
        let (successors, forgot) = (program.main().successors(), BTreeMap::new());
        let start = Start::Entry;
        let apart = TOGETHER;
        let ranges_until = deadline;
        Checker {
            program,
            terms,
            wto,
            invariants,
            asked,
            start,
            deadline,
            ranges_until,
            successors,
            changes,
            apart,
            forgot,
        }
    }

    /// Whether the invariants lead from cut to cut. Every cycle has a head: edges go forward or to one.
    fn cuts(&mut self) -> Result<(), Failure> {
        let entry = self.program.main().entry;
        let heads: Vec<Loc> = self.wto.heads().collect();
        let by_cases = have_cases(self.terms, self.invariants);
        let needed = by_cases.then(|| Needed::of(self.program, self.terms, self.wto, self.invariants)).flatten();
        let claimed: Vec<Term> = self.invariants.values().copied().collect();
        let pairs = bounds::pairs(self.terms, &claimed);
        let starts = std::iter::once(entry).chain(heads.into_iter().filter(|head| *head != entry));
        for start in starts {
            let everything = self.terms.bool(true);
            self.start = if start == entry { Start::Entry } else { Start::Head(start) };
            // Whatever is assumed at the entry has to hold in any state.
            if start == entry {
                let assumed = self.invariant(entry, &Values::new());
                let violated = self.terms.not(assumed);
                self.refute(violated, Failure::InvariantViolated(entry))?;
            }
            let segments = Segments {
                program: self.program,
                wto: self.wto,
                successors: &self.successors,
                invariants: self.invariants,
                by_cases,
                needed: needed.as_ref(),
                pairs: &pairs,
                deadline: self.ranges_until,
            };
            let open = match self.asked {
                Asked::Solver(_) | Asked::Checks(..) => segments.open_cases(self.terms, start),
                Asked::Nobody(_) => (!self.deadline.is_over()).then(|| {
                    let invariant = self.invariants.get(&start).copied().unwrap_or(everything);
                    vec![(vec![invariant], segments.everything(self.terms))]
                }),
            };
            let Some(open) = open else {
                return Err(Failure::NoAnswer("time limit".into()));
            };
            for (case, open) in open {
                if self.deadline.is_over() {
                    return Err(Failure::NoAnswer("time limit".into()));
                }
                let here = self.in_case(&case);
                self.cut(start, here, &open)?;
            }
        }
        self.settle()
    }

    /// Any state in which the facts hold. A variable that equals a constant is one, and one that equals a term over others is that
    /// term.
    fn in_case(&mut self, facts: &[Term]) -> Arrival {
        let mut values = Values::new();
        let mut used: BTreeSet<Term> = BTreeSet::new();
        for is_const in [true, false] {
            for fact in facts.iter().filter(|fact| self.terms.op(**fact) == term::Op::Eq) {
                let sides = [self.terms.args(*fact)[0], self.terms.args(*fact)[1]];
                for (side, value) in [(sides[0], sides[1]), (sides[1], sides[0])] {
                    let Some(var) = self.program.var_of(side) else { continue };
                    let parts = term::walk::free_vars(self.terms, &[value]);
                    let is_known =
                        |t: &Term| self.program.var_of(*t).is_none_or(|v| v == var || values.contains_key(&v));
                    if self.terms.is_const(value) != is_const
                        || values.contains_key(&var)
                        || used.contains(&side)
                        || parts.iter().any(is_known)
                    {
                        continue;
                    }
                    used.extend(parts);
                    values.insert(var, value);
                }
            }
        }
        let facts: Vec<Term> = facts.iter().map(|fact| self.read(*fact, &values)).collect();
        Arrival { guard: self.terms.and_all(&facts), full: self.terms.bool(true), values }
    }

    /// Goes along the open edges from a cut to the next ones, and asks what is open there.
    fn cut(&mut self, start: Loc, mut here: Arrival, open: &Open) -> Result<(), Failure> {
        let mut pending: BTreeMap<u32, Vec<Arrival>> = BTreeMap::new();
        let mut at_heads: BTreeMap<Loc, Vec<Arrival>> = BTreeMap::new();
        if self.terms.as_bool_const(here.guard) == Some(false) {
            return Ok(());
        }
        // Where paths meet, guards become conditions of values, and what is quantified would be there many times, to be shown and to be
        // used. It holds on all of them, so it is said once, beside the guards, which begin with nothing.
        let mut assumed = self.terms.tt();
        if self.is_quantified(here.guard) {
            std::mem::swap(&mut assumed, &mut here.guard);
        }
        let mut next = vec![(start, here)];
        while let Some((loc, here)) = next.pop() {
            for (edge, arrival) in self.leave(loc, &here, |edge| open.edges.contains(&edge)) {
                let to = self.program.main().edges[edge].to;
                if self.terms.as_bool_const(arrival.guard) == Some(false) {
                    continue;
                }
                if self.wto.is_head(to) {
                    at_heads.entry(to).or_default().push(arrival);
                } else if self.program.main().locs[to].kind.is_target() {
                    let asked = self.terms.and(assumed, arrival.guard);
                    self.refute(asked, Failure::TargetReachable(to))?;
                } else {
                    pending.entry(self.wto.position(to)).or_default().push(arrival);
                }
            }
            // All that arrives at a location is there before any of it goes on: what it comes from is before it in the order.
            while next.is_empty()
                && let Some((position, arrivals)) = pending.pop_first()
            {
                let loc = self.wto.loc_at(position);
                next.extend(self.ways(assumed, arrivals)?.into_iter().map(|arrival| (loc, arrival)));
            }
        }
        for (head, arrivals) in at_heads {
            for here in self.ways(assumed, arrivals)? {
                self.arrive(head, &here, assumed, &open.heads[&head])?;
            }
        }
        Ok(())
    }

    /// What is claimed at the head holds there.
    fn arrive(&mut self, head: Loc, here: &Arrival, assumed: Term, claimed: &[Term]) -> Result<(), Failure> {
        let mut claimed: Vec<Term> = claimed.iter().map(|t| self.read(*t, &here.values)).collect();
        if !matches!(self.asked, Asked::Nobody(_)) {
            let known = self.terms.and(assumed, here.guard);
            claimed.retain(|conjunct| !self.follows(known, *conjunct));
        }
        // What is quantified, one by one: instances of all together are many.
        let (mut questions, plain): (Vec<Term>, Vec<Term>) = claimed.into_iter().partition(|t| self.is_quantified(*t));
        questions.push(self.terms.and_all(&plain));
        for claimed in questions {
            let violated = self.terms.not(claimed);
            let asked = self.terms.and_all(&[assumed, here.guard, violated]);
            self.refute(asked, Failure::InvariantViolated(head))?;
        }
        Ok(())
    }

    /// The ways to arrive somewhere that are followed further: each by itself where they are few, but for those that ranges exclude,
    /// with what is assumed; else one for all.
    fn ways(&mut self, assumed: Term, arrivals: Vec<Arrival>) -> Result<Vec<Arrival>, Failure> {
        if arrivals.len() > self.apart || self.apart == TOGETHER {
            return Ok(vec![self.merge(arrivals)]);
        }
        if self.deadline.is_over() {
            return Err(Failure::NoAnswer("time limit".into()));
        }
        let known = term::normal::conjuncts(self.terms, assumed);
        let is_possible = |here: &Arrival| {
            let facts = [&known[..], &term::normal::conjuncts(self.terms, here.guard)].concat();
            !bounds::contradict(self.terms, &facts)
        };
        Ok(arrivals.into_iter().filter(is_possible).collect())
    }

    fn is_quantified(&self, t: Term) -> bool {
        term::walk::postorder(self.terms, &[t]).into_iter().any(|t| self.terms.op(t).is_quantifier())
    }

    /// Unwinds with at most `visits` visits of each head (per entry of its loop) and asks what `mode` says.
    fn run(&mut self, mode: Mode, visits: u32) -> Result<(), Failure> {
        self.start = if mode == Mode::Step { Start::Anywhere } else { Start::Entry };
        if let Asked::Solver(questions) = &mut self.asked {
            questions.forget();
        }
        let everything = self.terms.bool(true);
        let full = self.terms.bool(mode != Mode::Step);
        let start = Arrival { guard: everything, full, values: Values::new() };
        let entry = self.program.main().entry;
        let mut pending: BTreeMap<Key, Vec<Arrival>> = BTreeMap::from([(self.key(None, entry), vec![start])]);
        let mut count = 0;
        while let Some((key, arrivals)) = pending.pop_first() {
            count += 1;
            if count > MAX_VISITS {
                return Err(Failure::TooLarge);
            }
            if self.deadline.is_over() {
                return Err(Failure::NoAnswer("time limit".into()));
            }
            let loc = self.wto.loc_at(*key.last().expect("a key is not empty"));
            let mut here = self.merge(arrivals);
            if self.program.main().locs[loc].kind.is_target() {
                let reached = self.terms.and(here.guard, here.full);
                self.refute(reached, Failure::TargetReachable(loc))?;
                continue;
            }
            self.at_invariant(mode, visits, loc, &key, &mut here)?;
            for (edge, mut arrival) in self.leave(loc, &here, |_| true) {
                let info = &self.program.main().edges[edge];
                let next = self.key(Some((loc, &key)), info.to);
                if mode == Mode::Step {
                    let left = |depth: usize| {
                        self.wto.heads_around(info.to).get(depth) != Some(&self.wto.heads_around(loc)[depth])
                    };
                    let depths: Vec<usize> = (0..key.len() / 2).filter(|d| left(*d)).collect();
                    let ended = self.windows_ended(visits, &key, &depths);
                    arrival.guard = self.terms.and(arrival.guard, ended);
                }
                if self.terms.as_bool_const(arrival.guard) == Some(false) {
                    continue;
                }
                let beyond = next.iter().skip(1).step_by(2).take(next.len() / 2).any(|n| *n >= visits);
                match (beyond, mode) {
                    (false, _) => pending.entry(next).or_default().push(arrival),
                    (true, Mode::Exhaustive) => self.refute(arrival.guard, Failure::NotExhausted(info.to))?,
                    // The windows of the base and the step end here.
                    (true, Mode::Base | Mode::Step) => {}
                }
            }
        }
        self.settle()
    }

    /// The invariant is asked, then assumed; in the step, a loop that is entered forgets what it changes in between.
    fn at_invariant(
        &mut self,
        mode: Mode,
        visits: u32,
        loc: Loc,
        key: &Key,
        here: &mut Arrival,
    ) -> Result<(), Failure> {
        let visit = self.wto.is_head(loc).then(|| key[key.len() - 2]);
        let invariant = self.invariant(loc, &here.values);
        let violated = self.terms.not(invariant);
        // A loop that is just entered has no window yet.
        let around: Vec<usize> = (0..key.len() / 2 - usize::from(visit == Some(0))).collect();
        let ended = if mode == Mode::Step { self.windows_ended(visits, key, &around) } else { self.terms.bool(true) };
        if mode == Mode::Step && visit.is_some_and(|visit| visit > 0 && visit + 1 == visits) {
            let forgot = self.forgot[&entry_key(key, key.len() / 2 - 1)];
            here.guard = self.terms.and(here.guard, forgot);
        }
        let asked = self.terms.and_all(&[here.guard, here.full, ended, violated]);
        self.refute(asked, Failure::InvariantViolated(loc))?;
        if mode == Mode::Step && visit == Some(0) {
            let forgets = self.terms.fresh("forgets", term::Sort::Bool);
            self.forgot.insert(key.clone(), forgets);
            for var in self.changes[&loc].clone() {
                let anything = self.terms.fresh("any", self.program.vars[var].sort);
                let old = here.values.get(&var).copied().unwrap_or(self.program.term(var));
                let value = self.terms.ite(forgets, anything, old);
                here.values.insert(var, value);
            }
            here.full = self.terms.or(here.full, forgets);
        }
        let invariant = self.invariant(loc, &here.values);
        here.guard = self.terms.and(here.guard, invariant);
        Ok(())
    }

    /// Whether the loops at `depths` around the instance are at their last visits, as far as they forgot.
    fn windows_ended(&mut self, visits: u32, key: &Key, depths: &[usize]) -> Term {
        let mut condition = self.terms.bool(true);
        for &depth in depths {
            if key[2 * depth + 1] + 1 < visits {
                let short = self.terms.not(self.forgot[&entry_key(key, depth)]);
                condition = self.terms.and(condition, short);
            }
        }
        condition
    }

    fn key(&self, from: Option<(Loc, &Key)>, to: Loc) -> Key {
        let mut key = Key::new();
        for (depth, head) in self.wto.heads_around(to).iter().enumerate() {
            let visit = match from {
                Some((loc, old)) if self.wto.heads_around(loc).get(depth) == Some(head) => {
                    old[2 * depth + 1] + u32::from(to == *head)
                }
                _ => 0,
            };
            key.extend([self.wto.position(*head), visit]);
        }
        key.push(self.wto.position(to));
        key
    }

    /// The edges out of `loc` that are asked for. Merging needs disjoint guards: where several edges may be taken at once, a
    /// free choice between them is made explicit.
    fn leave(&mut self, loc: Loc, here: &Arrival, asked: impl Fn(Edge) -> bool) -> Vec<(Edge, Arrival)> {
        let mut out: Vec<(Edge, Arrival)> = Vec::new();
        for edge in self.successors[loc].clone() {
            if asked(edge) {
                out.push((edge, self.follow(edge, here)));
            }
        }
        if self.is_branch(loc) {
            return out;
        }
        let last = out.len().saturating_sub(1);
        let mut none_so_far = self.terms.bool(true);
        for (i, (_, arrival)) in out.iter_mut().enumerate() {
            let mut chosen = none_so_far;
            if i < last {
                let choice = self.terms.fresh("choice", term::Sort::Bool);
                chosen = self.terms.and(none_so_far, choice);
                let other = self.terms.not(choice);
                none_so_far = self.terms.and(none_so_far, other);
            }
            arrival.guard = self.terms.and(arrival.guard, chosen);
        }
        out
    }

    /// Whether the edges out of `loc` are at most one, or a condition and its negation.
    fn is_branch(&mut self, loc: Loc) -> bool {
        let edges = &self.program.main().edges;
        match self.successors[loc][..] {
            [] | [_] => true,
            [a, b] => match (&edges[a].op, &edges[b].op) {
                (Op::Assume(c), Op::Assume(d)) => self.terms.not(*c) == *d,
                _ => false,
            },
            _ => false,
        }
    }

    /// One edge.
    fn follow(&mut self, edge: Edge, here: &Arrival) -> Arrival {
        let mut after = Arrival { guard: here.guard, full: here.full, values: here.values.clone() };
        let program = self.program;
        match &program.main().edges[edge].op {
            Op::Assume(condition) => {
                let condition = self.read(*condition, &here.values);
                after.guard = self.terms.and(here.guard, condition);
            }
            Op::Assign(pairs) => {
                for (var, t) in pairs {
                    let value = self.read(*t, &here.values);
                    after.values.insert(*var, value);
                }
            }
            Op::Havoc { vars, .. } => {
                for var in vars {
                    let anything = self.terms.fresh("any", program.vars[*var].sort);
                    after.values.insert(*var, anything);
                }
            }
            op => unreachable!("proofs are about flat programs: {op:?}"),
        }
        after
    }

    /// The invariant at `loc` in the given state.
    fn invariant(&mut self, loc: Loc, values: &Values) -> Term {
        match self.invariants.get(&loc) {
            Some(&invariant) => self.read(invariant, values),
            None => self.terms.bool(true),
        }
    }

    fn read(&mut self, t: Term, values: &Values) -> Term {
        in_state(self.terms, self.program, t, |var| values.get(&var).copied())
    }

    /// One arrival for all.
    fn merge(&mut self, arrivals: Vec<Arrival>) -> Arrival {
        let mut arrivals = arrivals.into_iter();
        let mut merged = arrivals.next().expect("something arrives");
        for other in arrivals {
            let differ = |item: DiffItem<'_, '_, Var, Term>| match item {
                DiffItem::Add(var, _) | DiffItem::Remove(var, _) | DiffItem::Update { old: (var, _), .. } => *var,
            };
            let vars: Vec<Var> = merged.values.diff(&other.values).map(differ).collect();
            for var in vars {
                let own = self.program.term(var);
                let mine = merged.values.get(&var).copied().unwrap_or(own);
                let theirs = other.values.get(&var).copied().unwrap_or(own);
                merged.values.insert(var, self.terms.ite(other.guard, theirs, mine));
            }
            merged.full = self.terms.ite(other.guard, other.full, merged.full);
            merged.guard = self.terms.or(merged.guard, other.guard);
        }
        merged
    }

    /// Whether the conjunct follows from the guard without a solver.
    fn follows(&mut self, guard: Term, conjunct: Term) -> bool {
        let violated = self.terms.not(conjunct);
        let asked = self.terms.and(guard, violated);
        bounds::contradict(self.terms, &term::normal::conjuncts(self.terms, asked))
    }

    /// Whatever is still to be refuted is.
    fn settle(&mut self) -> Result<(), Failure> {
        match &mut self.asked {
            Asked::Nobody(_) => Ok(()),
            Asked::Solver(questions) | Asked::Checks(questions, _) => questions.settle(self.terms),
        }
    }

    /// Asks to refute `bad`, by [`Checker::settle`] at the latest; `failure` if it is satisfiable.
    fn refute(&mut self, bad: Term, failure: Failure) -> Result<(), Failure> {
        let settled = self.terms.as_bool_const(bad);
        if let (Asked::Checks(_, aside), Failure::TargetReachable(target)) = (&mut self.asked, &failure) {
            aside.push((bad, *target));
            return Ok(());
        }
        match &mut self.asked {
            _ if settled == Some(true) => Err(failure),
            Asked::Nobody(collected) if settled == Some(false) => {
                collected.settled += 1;
                Ok(())
            }
            Asked::Nobody(collected) => {
                collected.conditions.push(Condition { start: self.start, denies: failure, bad });
                Ok(())
            }
            _ if settled == Some(false) => Ok(()),
            Asked::Solver(questions) | Asked::Checks(questions, _) => questions.refute(self.terms, bad, failure),
        }
    }
}

/// The key of the first visit of the head of the loop at `depth` around an instance.
fn entry_key(key: &Key, depth: usize) -> Key {
    let mut entry: Key = key[..=2 * depth].to_vec();
    entry.extend([0, key[2 * depth]]);
    entry
}

/// The term in a state: variables that have a value there are replaced by it.
pub(crate) fn in_state(terms: &mut Store, program: &Program, term: Term, value: impl Fn(Var) -> Option<Term>) -> Term {
    let mut substitution = Substitution::new();
    for symbol in term::walk::free_vars(terms, &[term]) {
        if let Some(value) = program.var_of(symbol).and_then(&value) {
            substitution.insert(terms, symbol, value);
        }
    }
    substitution.apply(terms, term)
}
