//! Proving again that every execution of a kind comes to something: a danger invariant, a recurrence set, termination.
//!
//! All three are predicates and rankings at *cut points* (at least one on every cycle), and one walk checks them: from
//! the entry, and from each cut point in an arbitrary state of its predicate, control is followed to the next cut points
//! and ends, merged along joins. What may be met there depends on the [`Goal`]; wherever a cut point is met its predicate
//! must hold and, unless executions are to go on forever, the ranking must be smaller. Rankings are tuples of unsigned
//! numbers in lexicographic order, missing ones zero, so they cannot decrease forever.
//!
//! Who decides where the program leaves something open? For danger and recurrence we do, in one fixed way: inputs are what
//! the choices say (without one: anything, so that it must work with every value), and of several edges that can be taken
//! the first one is. For termination nobody does, and everything has to be considered.
//!
//! Like `recheck` this is slow and simple on purpose, and uses none of the engines' encoding.

use crate::limits::recheck::{MAX_WALKED, MOST_CASES};
use crate::recheck::{Values, in_state, merge_values};
use crate::{definitions, value_cases};
use base::Table;
use base::cpu::Deadline;
use cfa::evidence::Danger;
use cfa::{Edge, Loc, LocKind, Op, Program, Var};
use flow::wto::Wto;
use smt::{Answer, Solver};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use term::{Op as TermOp, Sort, Store, Term, Value};

/// What executions are claimed to come to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// With the given inputs the execution reaches an error location.
    Error,
    /// With the given inputs the execution never ends.
    Forever,
    /// Every execution ends.
    End,
}

/// Which condition is violated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Broken {
    /// The cut point is reached from the entry, outside its predicate.
    Initial,
    /// The predicate does not hold at the next cut point.
    Left,
    /// The ranking is not smaller at the next cut point.
    NotDecreasing,
    /// Control ends where it must not.
    WrongEnd,
    /// No edge can be taken: an assumption does not hold, say.
    Stuck,
    /// A cut point is reached that has no predicate.
    NoPredicate,
}

/// What went wrong.
#[derive(Clone, PartialEq, Debug)]
pub enum Failure {
    /// From the location `from` (the entry or a cut point) in the state, control comes to `to`, and a condition is
    /// violated there. The state gives the variables that matter.
    Violated { broken: Broken, from: Loc, to: Loc, state: Vec<(Var, Value)> },
    /// Something that is not a program variable is mentioned, or something has the wrong sort: what.
    IllFormed(String),
    /// The solver did not answer: neither proved nor refuted.
    NoAnswer(String),
    /// Too large to prove again.
    TooLarge,
}

impl Failure {
    /// Whether the claim is wrong, not just hard to check.
    pub fn refutes(&self) -> bool {
        matches!(self, Failure::Violated { .. } | Failure::IllFormed(_))
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Violated { broken: Broken::Initial, to, .. } => {
                write!(f, "{to} is reached from the initial state outside its invariant")
            }
            Failure::Violated { broken: Broken::Left, from, to, .. } => {
                write!(f, "from {from}, {to} is reached outside its invariant")
            }
            Failure::Violated { broken: Broken::NotDecreasing, from, to, .. } => {
                write!(f, "from {from} to {to} the ranking does not decrease")
            }
            Failure::Violated { broken: Broken::WrongEnd, from, to, .. } => {
                write!(f, "from {from} the execution ends at {to}")
            }
            Failure::Violated { broken: Broken::Stuck, from, to, .. } => {
                write!(f, "from {from} the execution is stuck at {to}")
            }
            Failure::Violated { broken: Broken::NoPredicate, from, to, .. } => {
                write!(f, "from {from}, {to} is reached, which has no invariant")
            }
            Failure::IllFormed(what) => f.write_str(what),
            Failure::NoAnswer(why) => write!(f, "{why}"),
            Failure::TooLarge => f.write_str("too large to prove again"),
        }
    }
}

/// Proves the claim about the flat `program`. The terms belong to `terms`, an extension of the program's store. Given up at
/// the deadline.
pub fn check(
    program: &Program,
    terms: &mut Store,
    claim: &Danger,
    goal: Goal,
    solver: &mut dyn Solver,
    deadline: Deadline,
) -> Result<(), Failure> {
    let wto = Wto::new(program.main());
    well_formed(program, terms, claim, goal)?;
    let mut cuts: BTreeSet<Loc> = claim.invariant.keys().copied().collect();
    // Wherever an edge does not go forward, there is a cut.
    for edge in program.main().edges.values().filter(|e| wto.reaches(e.from)) {
        if wto.position(edge.to) <= wto.position(edge.from) {
            cuts.insert(edge.to);
        }
    }
    let successors = program.main().successors();
    let mut checker = Checker { program, terms, claim, goal, wto: &wto, cuts, successors, solver, deadline, visits: 0 };
    let mut values = Values::default();
    if goal != Goal::End {
        for (var, value) in &claim.initial {
            values.insert(*var, checker.terms.value(value));
        }
    }
    let everything = checker.terms.bool(true);
    checker.walk(program.main().entry, None, Arrival { guard: everything, values })?;
    for (&cut, &predicate) in claim.invariant.iter().filter(|(cut, _)| wto.reaches(**cut)) {
        for case in checker.cases(predicate) {
            checker.walk(cut, Some(cut), case)?;
        }
    }
    Ok(())
}

fn well_formed(program: &Program, terms: &Store, claim: &Danger, goal: Goal) -> Result<(), Failure> {
    let bad = |what: String| Err(Failure::IllFormed(what));
    let all = claim.invariant.values().chain(claim.ranking.values().flatten()).chain(claim.choice.values().flatten());
    for t in all {
        let foreign = term::walk::free_vars(terms, &[*t]).into_iter().find(|s| program.var_of(*s).is_none());
        if let Some(symbol) = foreign {
            let name = terms.symbol_name(symbol).unwrap_or_default();
            return bad(format!("{name} is no variable of the program"));
        }
    }
    if let Some((at, _)) = claim.invariant.iter().find(|(_, t)| terms.sort(**t) != Sort::Bool) {
        return bad(format!("the invariant at {at} is not a condition"));
    }
    for (at, tuple) in &claim.ranking {
        if tuple.iter().any(|t| !matches!(terms.sort(*t), Sort::Bv(_))) {
            return bad(format!("the ranking at {at} is not a tuple of numbers"));
        }
    }
    for (var, value) in &claim.initial {
        if program.vars[*var].sort != value.sort() {
            return bad(format!("the initial value of {} has the wrong sort", program.name(*var)));
        }
    }
    for (edge, chosen) in &claim.choice {
        let Op::Havoc { vars, .. } = &program.main().edges[*edge].op else {
            return bad(format!("nothing is chosen at {edge}"));
        };
        if !vars.iter().map(|v| program.vars[*v].sort).eq(chosen.iter().map(|t| terms.sort(*t))) {
            return bad(format!("the choice at {edge} has the wrong sort"));
        }
    }
    if goal == Goal::End && !(claim.choice.is_empty() && claim.initial.is_empty()) {
        return bad("a proof of termination cannot choose".into());
    }
    Ok(())
}

/// A state: a term for each variable that was assigned; the others are themselves.
struct Arrival {
    guard: Term,
    values: Values,
}

struct Checker<'a> {
    program: &'a Program,
    terms: &'a mut Store,
    claim: &'a Danger,
    goal: Goal,
    wto: &'a Wto,
    cuts: BTreeSet<Loc>,
    successors: Table<Loc, Vec<Edge>>,
    solver: &'a mut dyn Solver,
    deadline: Deadline,
    visits: usize,
}

impl Checker<'_> {
    /// The states of the predicate. Where it lists states, each is walked from by itself; what is said to hold a value holds it from the
    /// start. Then hardly anything is left to ask.
    fn cases(&mut self, predicate: Term) -> Vec<Arrival> {
        let facts = term::normal::conjuncts(self.terms, predicate);
        let listed = facts.iter().position(|fact| self.goal != Goal::End && self.lists_states(*fact));
        let Some(listed) = listed else { return vec![self.case(predicate, &facts)] };
        let mut found = Vec::new();
        for case in term::normal::disjuncts(self.terms, facts[listed]) {
            let mut facts = facts.clone();
            facts.splice(listed..=listed, term::normal::conjuncts(self.terms, case));
            let predicate = self.terms.and_all(&facts);
            found.push(self.case(predicate, &facts));
        }
        found
    }

    fn case(&mut self, predicate: Term, facts: &[Term]) -> Arrival {
        let values = definitions::of(self.terms, self.program, facts);
        Arrival { guard: self.read(predicate, &values), values }
    }

    /// Whether it is a choice between states, with one other condition at most.
    fn lists_states(&self, fact: Term) -> bool {
        let cases = term::normal::disjuncts(self.terms, fact);
        let names_state = |case: &Term| term::normal::conjuncts(self.terms, *case).iter().any(|fact| self.names(*fact));
        let others = cases.iter().filter(|case| !names_state(case)).count();
        (2..=MOST_CASES).contains(&cases.len()) && others <= 1
    }

    /// Whether it says of a variable which value it has.
    fn names(&self, fact: Term) -> bool {
        let is_var = |t: Term| self.program.var_of(t).is_some();
        match self.terms.op(fact) {
            TermOp::Not => is_var(self.terms.arg(fact, 0)),
            TermOp::Eq => {
                let (a, b) = (self.terms.arg(fact, 0), self.terms.arg(fact, 1));
                is_var(a) && self.terms.is_const(b) || is_var(b) && self.terms.is_const(a)
            }
            _ => is_var(fact),
        }
    }

    /// Follows control from `start` to the next cut points and ends. `cut`: the cut point whose ranking must decrease.
    fn walk(&mut self, start: Loc, cut: Option<Loc>, arrival: Arrival) -> Result<(), Failure> {
        if cut.is_none() && self.cuts.contains(&start) {
            return self.at_cut(start, None, start, &arrival);
        }
        let at_start = arrival.values.clone();
        let cut = cut.map(|cut| (cut, &at_start));
        let mut pending: BTreeMap<u32, Vec<Arrival>> = BTreeMap::from([(self.wto.position(start), vec![arrival])]);
        let mut met: BTreeMap<Loc, Vec<Arrival>> = BTreeMap::new();
        while let Some((position, arrivals)) = pending.pop_first() {
            self.visits += 1;
            if self.visits > MAX_WALKED || self.deadline.is_over() {
                return Err(Failure::TooLarge);
            }
            let loc = self.wto.loc_at(position);
            let here = self.merge(arrivals);
            if !self.goes_on(start, loc, &here)? {
                continue;
            }
            for (to, after) in self.leave(start, loc, here)? {
                if self.terms.as_bool_const(after.guard) == Some(false) {
                    continue;
                }
                if self.cuts.contains(&to) {
                    met.entry(to).or_default().push(after);
                } else {
                    pending.entry(self.wto.position(to)).or_default().push(after);
                }
            }
        }
        for (to, arrivals) in met {
            let here = self.merge(arrivals);
            self.at_cut(start, cut, to, &here)?;
        }
        Ok(())
    }

    /// Whether the location is not an end; asks whether it may be one.
    fn goes_on(&mut self, start: Loc, loc: Loc, here: &Arrival) -> Result<bool, Failure> {
        let kind = &self.program.main().locs[loc].kind;
        let allowed = match (self.goal, kind) {
            (_, LocKind::Plain) => {
                if !self.successors[loc].is_empty() {
                    return Ok(true);
                }
                self.goal == Goal::End
            }
            (Goal::Error, LocKind::Error(_)) => true,
            (Goal::End, LocKind::Error(_) | LocKind::End(_)) => true,
            _ => false,
        };
        if !allowed {
            self.refute(here.guard, Broken::WrongEnd, start, loc)?;
        }
        Ok(false)
    }

    /// `cut`: where the walk began, and what the variables held there.
    fn at_cut(&mut self, start: Loc, cut: Option<(Loc, &Values)>, to: Loc, here: &Arrival) -> Result<(), Failure> {
        let Some(&predicate) = self.claim.invariant.get(&to) else {
            return self.refute(here.guard, Broken::NoPredicate, start, to);
        };
        let holds = self.read(predicate, &here.values);
        let violated = self.terms.not(holds);
        let outside = self.terms.and(here.guard, violated);
        self.refute(outside, if cut.is_none() { Broken::Initial } else { Broken::Left }, start, to)?;
        let Some((cut, at_start)) = cut.filter(|_| self.goal != Goal::Forever) else { return Ok(()) };
        let mut tuple = |at: Loc, values: &Values| {
            let tuple = self.claim.ranking.get(&at).cloned().unwrap_or_default();
            tuple.into_iter().map(|t| self.read(t, values)).collect::<Vec<Term>>()
        };
        let (before, after) = (tuple(cut, at_start), tuple(to, &here.values));
        let smaller = self.smaller(&after, &before);
        let not_smaller = self.terms.not(smaller);
        let stays = self.terms.and(here.guard, not_smaller);
        self.refute(stays, Broken::NotDecreasing, start, to)
    }

    /// `a < b` in lexicographic order, missing components zero.
    fn smaller(&mut self, a: &[Term], b: &[Term]) -> Term {
        let mut smaller = self.terms.bool(false);
        for i in (0..a.len().max(b.len())).rev() {
            let width = |t: Option<&Term>| t.map_or(1, |t| self.terms.width(*t));
            let width = width(a.get(i)).max(width(b.get(i)));
            let mut number = |t: Option<&Term>| match t {
                Some(t) => self.terms.zext_to(*t, width),
                None => self.terms.bv(0, width),
            };
            let (x, y) = (number(a.get(i)), number(b.get(i)));
            let (less, same) = (self.less(x, y), self.terms.eq(x, y));
            let later = self.terms.and(same, smaller);
            smaller = self.terms.or(less, later);
        }
        smaller
    }

    /// `x < y`. What is `c` less than `y`, as machine numbers, is smaller just where `y` is at least `c`, and `c` is not zero.
    fn less(&mut self, x: Term, y: Term) -> Term {
        let c = self.terms.sub(y, x);
        match self.terms.as_bv_const(c).map(|c| c.is_zero()) {
            Some(false) => self.terms.ule(c, y),
            _ => self.terms.ult(x, y),
        }
    }

    /// All edges out of `loc`, with guards that exclude one another: merging needs that. Where we decide, the first edge is
    /// taken that can be, and one must be; otherwise a free choice between them is made explicit.
    fn leave(&mut self, start: Loc, loc: Loc, here: Arrival) -> Result<Vec<(Loc, Arrival)>, Failure> {
        let edges = self.successors[loc].clone();
        let branch = self.is_branch(&edges);
        let mut out = Vec::with_capacity(edges.len());
        let mut not_yet = here.guard;
        for edge in &edges {
            let (enabled, values) = self.follow(*edge, &here.values);
            let taken = match self.goal {
                Goal::End if branch => enabled,
                Goal::End => {
                    let chosen = self.terms.fresh("chosen", Sort::Bool);
                    let other = self.terms.not(chosen);
                    let guard = self.terms.and(not_yet, chosen);
                    not_yet = self.terms.and(not_yet, other);
                    self.terms.and(guard, enabled)
                }
                Goal::Error | Goal::Forever => {
                    let first = self.terms.and(not_yet, enabled);
                    let disabled = self.terms.not(enabled);
                    not_yet = self.terms.and(not_yet, disabled);
                    first
                }
            };
            let guard = self.terms.and(here.guard, taken);
            out.push((self.program.main().edges[*edge].to, Arrival { guard, values }));
        }
        if self.goal != Goal::End {
            self.refute(not_yet, Broken::Stuck, start, loc)?;
        }
        Ok(out)
    }

    /// Whether the edges are at most one, or a condition and its negation.
    fn is_branch(&mut self, edges: &[Edge]) -> bool {
        let ops = &self.program.main().edges;
        match edges {
            [] | [_] => true,
            [a, b] => match (&ops[*a].op, &ops[*b].op) {
                (Op::Assume(c), Op::Assume(d)) => self.terms.not(*c) == *d,
                _ => false,
            },
            _ => false,
        }
    }

    /// One edge: when it can be taken, and the state after it.
    fn follow(&mut self, edge: Edge, before: &Values) -> (Term, Values) {
        let mut after = before.clone();
        let mut enabled = self.terms.bool(true);
        let program = self.program;
        match &program.main().edges[edge].op {
            Op::Assume(condition) => enabled = self.read(*condition, before),
            Op::Assign(pairs) => {
                for (var, t) in pairs {
                    let value = self.read(*t, before);
                    after.insert(*var, value);
                }
            }
            Op::Havoc { vars, .. } => {
                for (i, var) in vars.iter().enumerate() {
                    let value = match self.claim.choice.get(&edge) {
                        Some(chosen) => self.read(chosen[i], before),
                        None => self.terms.fresh("any", program.vars[*var].sort),
                    };
                    after.insert(*var, value);
                }
            }
            op => unreachable!("proofs are about flat programs: {op:?}"),
        }
        (enabled, after)
    }

    fn read(&mut self, t: Term, values: &Values) -> Term {
        in_state(self.terms, self.program, t, |var| values.get(&var).copied())
    }

    /// One arrival for all.
    fn merge(&mut self, arrivals: Vec<Arrival>) -> Arrival {
        let merge = |mut merged: Arrival, other: Arrival| {
            merge_values(self.terms, self.program, &mut merged.values, &other.values, other.guard);
            merged.guard = self.terms.or(merged.guard, other.guard);
            merged
        };
        arrivals.into_iter().reduce(merge).expect("something arrives")
    }

    /// Asks the solver to refute `bad`.
    fn refute(&mut self, bad: Term, broken: Broken, from: Loc, to: Loc) -> Result<(), Failure> {
        if self.terms.as_bool_const(bad) == Some(false) {
            return Ok(());
        }
        if self.deadline.is_over() {
            return Err(Failure::TooLarge);
        }
        if self.is_refuted(bad) {
            return Ok(());
        }
        match self.solver.check(self.terms, &[bad]) {
            Ok(Answer::Unsat) => Ok(()),
            Ok(Answer::Sat) => {
                let mut state = Vec::new();
                for symbol in term::walk::free_vars(self.terms, &[bad]) {
                    if let Some(var) = self.program.var_of(symbol)
                        && let Ok(value) = self.solver.value(self.terms, symbol)
                    {
                        state.push((var, value));
                    }
                }
                Err(Failure::Violated { broken, from, to, state })
            }
            Err(why) => Err(Failure::NoAnswer(why.to_string())),
        }
    }

    /// Whether it is refuted, by ranges, or case by case.
    fn is_refuted(&mut self, bad: Term) -> bool {
        if value_cases::is_contradictory(self.terms, bad) {
            return true;
        }
        let Some(open) = value_cases::open(self.terms, bad) else { return false };
        open.into_iter().all(|case| self.solver.check(self.terms, &[case]) == Ok(Answer::Unsat))
    }
}
