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

mod claim;
mod cuts;
mod failure;
mod unwind;

use self::claim::check_claim;
use self::unwind::{Key, Mode};
use crate::conditions::{Collected, Condition, Scheme, Start};
use crate::limits::recheck::{APART, TOGETHER};
use crate::questions::Questions;
use crate::shown::Shown;
use base::cpu::Deadline;
use base::{SharedMap, Table};
use cfa::{Edge, Loc, Op, Program, Var};
use flow::wto::Wto;
use smt::Solver;
use std::collections::{BTreeMap, BTreeSet};
use term::normal::factored;
use term::subst::Substitution;
use term::{Store, Term};

pub use self::failure::Failure;

/// What is claimed.
#[derive(Clone, Copy, Debug)]
pub enum Claim<'a> {
    /// The invariants (at loop heads, or wherever) are `k`-inductive together with the absence of targets.
    Inductive { invariants: &'a BTreeMap<Loc, Term>, k: u32 },
    /// Every loop ends within `bound` visits of its head, and no target is reached.
    Exhausted { bound: u32 },
}

/// Proves the claim about the flat `program`. The terms of invariants belong to `terms`, an extension of the program's
/// store. Given up at the deadline.
pub fn recheck(
    program: &Program,
    terms: &mut Store,
    claim: Claim<'_>,
    solver: &mut dyn Solver,
    deadline: Deadline,
) -> Result<(), Failure> {
    recheck_again(program, terms, &mut Shown::default(), claim, solver, deadline)
}

/// The same where some of it may have been shown in an earlier try, in the same store.
pub(crate) fn recheck_again(
    program: &Program,
    terms: &mut Store,
    shown: &mut Shown,
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
            let mut checker = Checker::new(program, terms, shown, &wto, invariants, asked, until);
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
    let mut checker = Checker::new(program, terms, shown, &wto, invariants, asked, deadline);
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
        Checker::new(program, terms, &mut Shown::default(), &wto, invariants, asked, deadline).cuts().is_ok()
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
    let mut shown = Shown::default();
    let mut checker = Checker::new(program, terms, &mut shown, &wto, invariants, asked, deadline);
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
    let (mut shown, asked) = (Shown::default(), Asked::Nobody(&mut collected));
    let mut checker = Checker::new(program, terms, &mut shown, &wto, invariants, asked, deadline);
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

/// A state: a term for each variable that was assigned; the others are themselves. States share what they have in common.
pub(crate) type Values = SharedMap<Var, Term>;

/// A way to arrive somewhere.
struct Arrival {
    guard: Term,
    /// Whether some loop on the way forgot.
    full: Term,
    values: Values,
}

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
    shown: &'a mut Shown,
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
        shown: &'a mut Shown,
        wto: &'a Wto,
        invariants: &'a BTreeMap<Loc, Term>,
        asked: Asked<'a>,
        deadline: Deadline,
    ) -> Checker<'a> {
        shown.begin();
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
            shown,
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
                let choice = self.shown.fresh(self.terms, "choice", term::Sort::Bool);
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
                    let anything = self.shown.fresh(self.terms, "any", program.vars[*var].sort);
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

    /// One arrival for all. What all guards say is said once, and tells them not apart. Ways that meet last parted last: merged first, they
    /// leave the condition under which they parted.
    fn merge(&mut self, arrivals: Vec<Arrival>) -> Arrival {
        let mut arrivals = arrivals.into_iter().rev();
        let mut merged = arrivals.next().expect("something arrives");
        for other in arrivals {
            let (common, [ours, theirs]) = factored(self.terms, merged.guard, other.guard);
            merge_values(self.terms, self.program, &mut merged.values, &other.values, theirs);
            merged.full = self.terms.ite(theirs, other.full, merged.full);
            let either = self.terms.or(ours, theirs);
            merged.guard = self.terms.and(common, either);
        }
        merged
    }

    /// Whatever is still to be refuted is.
    fn settle(&mut self) -> Result<(), Failure> {
        match &mut self.asked {
            Asked::Nobody(_) => Ok(()),
            Asked::Solver(questions) | Asked::Checks(questions, _) => questions.settle(self.terms, self.shown),
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
            Asked::Solver(questions) | Asked::Checks(questions, _) => {
                questions.refute(self.terms, self.shown, bad, failure)
            }
        }
    }
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

/// Makes the values those of the other state where the condition holds.
pub(crate) fn merge_values(terms: &mut Store, program: &Program, values: &mut Values, other: &Values, condition: Term) {
    let vars: Vec<Var> = values.differences(other).map(|difference| *difference.key).collect();
    for var in vars {
        let own = program.term(var);
        let mine = values.get(&var).copied().unwrap_or(own);
        let theirs = other.get(&var).copied().unwrap_or(own);
        values.insert(var, terms.ite(condition, theirs, mine));
    }
}
