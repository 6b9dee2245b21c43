//! Generalisation of counterexamples: invariants of loops for the engines that prove. They come from intervals, from what the
//! program compares and keeps, from other engines, and from inductive steps that fail.
//!
//! A failed step shows states at loop heads that lead to an error. Either they are reachable (then the base case will
//! find them) or some invariant excludes them. Each comparison that holds in such a state — of a variable with its
//! value, of two variables, of their difference with its value — is a literal; the negation of a literal, or of several,
//! excludes the state. Such candidates are tried all together and those that fail are struck out until the rest is
//! inductive (Houdini); if nothing is left, the negation of the whole state is, and shortened literal by literal, as PDR
//! does with its cubes.
//!
//! Facts of the board go the same way: only what is inductive together with what is known is used, so that a proof with
//! them can be proved again by itself.

use crate::limits::generalise::{MAX_DROPS, MAX_STATES};
use base::Table;
use cfa::{Loc, Op, Program, Var};
use encode::state::evaluate_term;
use encode::trace::Reading;
use encode::unroll::{Loops, Obligation, Unroller, Windows};
use engine::{Cx, FactKind, Stop, Task};
use flow::live_at_heads;
use flow::wto::Wto;
use infer::candidates::program::{conditions, ends};
use infer::candidates::state::literals;
use infer::{AtHeads, Induction, Refuted, houdini};
use smt::Solver;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use term::{Sort, Store, Term, Value};

/// What the variables that a loop changes hold at a visit of its head (scalars only).
#[derive(Clone)]
pub(crate) struct HeadState {
    pub(crate) head: Loc,
    pub(crate) values: BTreeMap<Var, Value>,
}

pub(crate) struct Generaliser<'t> {
    author: &'static str,
    task: &'t Task,
    wto: &'t Wto,
    /// The program without conditions that contain products: what is inductive there is so here, and easier to show.
    relaxed: Program,
    /// What is known so far.
    pub(crate) windows: Windows,
    live: Table<Loc, Vec<Var>>,
    solver: Box<dyn Solver>,
    /// Every candidate is tried once for each set of known invariants.
    tried: BTreeSet<(Loc, Term)>,
    /// Whether someone else has published invariants.
    fed: bool,
}

/// A formula at a loop head that may be an invariant.
type Candidate = (Loc, Term);

/// The formulas one by one.
fn at_heads(facts: AtHeads) -> Vec<Candidate> {
    facts.into_iter().flat_map(|(head, facts)| facts.into_iter().map(move |fact| (head, fact))).collect()
}

impl<'t> Generaliser<'t> {
    pub(crate) fn new(author: &'static str, task: &'t Task, wto: &'t Wto, cx: &Cx) -> Result<Generaliser<'t>, Stop> {
        let live = live_at_heads(&task.program, wto);
        let (windows, relaxed) = (Windows::new(&task.program, wto), relaxed(&task.program));
        Ok(Generaliser {
            author,
            task,
            wto,
            relaxed,
            windows,
            live,
            solver: cx.solver()?,
            tried: BTreeSet::new(),
            fed: false,
        })
    }

    /// The variables live at each head.
    pub(crate) fn live(&self) -> &Table<Loc, Vec<Var>> {
        &self.live
    }

    /// Runs the analyses of crate `domain`, unless their results are on the board, and guesses.
    pub(crate) fn analyse(&mut self, patience: Duration, cx: &mut Cx) -> Result<(), Stop> {
        self.read_board(patience, cx)?;
        let program = &*self.task.program;
        if !self.fed {
            let budget = cx.budget.slice(cx.budget.left() / 5);
            let Some(known) = infer::intervals(program, self.wto, &mut cx.terms, &budget) else {
                return cx.budget.check();
            };
            for (head, fact) in at_heads(known) {
                self.windows.strengthen(&mut cx.terms, head, fact);
            }
            let equations = infer::equations(program, self.wto, &mut cx.terms, &budget);
            self.keep_inductive(at_heads(equations), patience, cx)?;
        }
        let heads: Vec<Loc> = self.wto.heads().collect();
        let conditions = |head: &Loc| (*head, conditions(&self.relaxed, self.wto, &mut cx.terms, &self.live[*head]));
        let candidates = at_heads(heads.iter().map(conditions).collect());
        self.keep_inductive(candidates, patience, cx)?;
        let ends = |head: &Loc| (*head, ends(program, &mut cx.terms, &self.live[*head]));
        let candidates = at_heads(heads.iter().map(ends).collect());
        self.keep_inductive(candidates, patience, cx)?;
        Ok(())
    }

    /// Takes what others have published since the last call, as far as it is inductive.
    pub(crate) fn read_board(&mut self, patience: Duration, cx: &mut Cx) -> Result<(), Stop> {
        let mut candidates = Vec::new();
        for fact in cx.news() {
            let (FactKind::Invariant { at, formula } | FactKind::Candidate { at, formula }) = fact.kind else {
                continue;
            };
            self.fed = true;
            if self.wto.is_head(at)
                && let Ok(formula) = term::smtlib::parse_term(&mut cx.terms, &formula)
            {
                candidates.extend(term::normal::conjuncts(&cx.terms, formula).into_iter().map(|c| (at, c)));
            }
        }
        self.keep_inductive(candidates, patience, cx)?;
        Ok(())
    }

    /// Looks for invariants that exclude a state of the failed step. Says whether there are any.
    pub(crate) fn exclude(&mut self, states: &[HeadState], patience: Duration, cx: &mut Cx) -> Result<bool, Stop> {
        for state in states.iter().rev().take(MAX_STATES) {
            let live = &self.live[state.head];
            let literals = literals(&self.task.program, &mut cx.terms, live, &state.values);
            let mut candidates = Vec::new();
            for &literal in &literals {
                candidates.push((state.head, cx.terms.not(literal)));
            }
            if self.keep_inductive(candidates, patience, cx)? > 0 {
                return Ok(true);
            }
            if let Some(clause) = self.shorten(state.head, literals, patience, cx)? {
                self.add(state.head, clause, cx);
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn add(&mut self, head: Loc, fact: Term, cx: &mut Cx) {
        self.windows.strengthen(&mut cx.terms, head, fact);
        cx.publish_invariant(self.author, head, fact);
        self.tried.clear();
    }

    /// Adds the largest subset of the candidates that is inductive together with what is known. Says how many.
    fn keep_inductive(&mut self, candidates: Vec<Candidate>, patience: Duration, cx: &mut Cx) -> Result<usize, Stop> {
        let alive: Vec<Candidate> = candidates.into_iter().filter(|c| self.tried.insert(*c)).collect();
        if alive.is_empty() {
            return Ok(0);
        }
        let (assumed, obligations) = self.one_iteration(&alive, cx)?;
        let mut violations = Vec::new();
        for (head, fact) in &alive {
            violations.push(violation(&self.task.program, &mut cx.terms, &obligations, *head, *fact));
        }
        let mut candidates = AtHeads::new();
        let mut of = BTreeMap::new();
        for (i, (head, fact)) in alive.iter().enumerate() {
            candidates.entry(*head).or_default().push(*fact);
            of.insert((*head, *fact), (assumed[i], violations[i]));
        }
        let mut iteration = Iteration { of, solver: self.solver.as_mut(), patience, cx };
        let inductive = houdini(&mut iteration, candidates)?;
        let mut added = 0;
        for (head, facts) in inductive {
            added += facts.len();
            facts.into_iter().for_each(|fact| self.add(head, fact, cx));
        }
        Ok(added)
    }

    /// The negation of the conjunction of `literals`, if it is inductive, with as few of them as can be found.
    fn shorten(
        &mut self,
        head: Loc,
        literals: Vec<Term>,
        patience: Duration,
        cx: &mut Cx,
    ) -> Result<Option<Term>, Stop> {
        let Some(mut core) = self.blocked(head, &literals, patience, cx)? else { return Ok(None) };
        let mut position = 0;
        for _ in 0..MAX_DROPS {
            if position >= core.len() || core.len() == 1 {
                break;
            }
            let mut fewer = core.clone();
            fewer.remove(position);
            match self.blocked(head, &fewer, patience, cx)? {
                Some(smaller) => core = smaller,
                None => position += 1,
            }
        }
        let cube = cx.terms.and_all(&core);
        Ok(Some(cx.terms.not(cube)))
    }

    /// Whether no state with all of `literals` is entered or follows one without. If so, those literals that are needed
    /// for it: the negation of their conjunction, a stronger assumption, is then inductive too.
    fn blocked(
        &mut self,
        head: Loc,
        literals: &[Term],
        patience: Duration,
        cx: &mut Cx,
    ) -> Result<Option<Vec<Term>>, Stop> {
        let cube = cx.terms.and_all(literals);
        let clause = cx.terms.not(cube);
        let (assumed, obligations) = self.one_iteration(&[(head, clause)], cx)?;
        let mut needed: BTreeSet<usize> = BTreeSet::new();
        for obligation in obligations.iter().filter(|o| o.head == head) {
            let mut assumptions = vec![assumed[0], obligation.guard];
            let mut there = Vec::new();
            for &literal in literals {
                there.push(evaluate_term(&self.task.program, &mut cx.terms, &obligation.state, literal));
            }
            if there.iter().chain(&[obligation.guard]).any(|t| cx.terms.as_bool_const(*t) == Some(false)) {
                let first = there.iter().position(|t| cx.terms.as_bool_const(*t) == Some(false));
                needed.extend(first);
                continue;
            }
            assumptions.extend(&there);
            if cx.try_sat(self.solver.as_mut(), &assumptions, patience)? != Some(false) {
                return Ok(None);
            }
            let core = self.solver.core()?;
            needed.extend((0..there.len()).filter(|i| core.contains(&there[*i])));
        }
        let mut kept: Vec<Term> = needed.into_iter().map(|i| literals[i]).collect();
        if kept.is_empty() {
            kept.extend(literals.first());
        }
        Ok(Some(kept))
    }

    /// Every loop once, from any state with the known invariants and those candidates whose symbol is assumed; and what
    /// then arrives at loop heads.
    fn one_iteration(&self, candidates: &[Candidate], cx: &mut Cx) -> Result<(Vec<Term>, Vec<Obligation>), Stop> {
        let mut windows = self.windows.clone();
        let mut assumed = Vec::new();
        for (head, fact) in candidates {
            let symbol = cx.terms.fresh("assumed", Sort::Bool);
            let fact = cx.terms.implies(symbol, *fact);
            windows.strengthen(&mut cx.terms, *head, fact);
            assumed.push(symbol);
        }
        let budget = cx.budget.clone();
        let mut unroller = Unroller::new(&self.relaxed, self.wto, &cx.terms, Loops::Forgetful(&windows));
        unroller.advance(&mut cx.terms, 1, &budget)?;
        Ok((assumed, std::mem::take(&mut unroller.obligations)))
    }
}

/// Every loop once, as one step.
struct Iteration<'a> {
    /// The symbol that assumes a candidate, and what violates it afterwards.
    of: BTreeMap<Candidate, (Term, Term)>,
    solver: &'a mut dyn Solver,
    patience: Duration,
    cx: &'a mut Cx,
}

impl Induction for Iteration<'_> {
    type At = Loc;
    type Stop = Stop;

    fn steps(&self) -> usize {
        1
    }

    fn assumes(&self, _: usize, _: Loc) -> bool {
        true
    }

    /// What one model violates; everything, if the solver does not say in time.
    fn refuted(&mut self, _: usize, candidates: &AtHeads) -> Result<Refuted<Loc>, Stop> {
        let cx = &mut *self.cx;
        let open: Vec<Candidate> =
            candidates.iter().flat_map(|(head, facts)| facts.iter().map(|fact| (*head, *fact))).collect();
        let any: Vec<Term> = open.iter().map(|c| self.of[c].1).collect();
        let any = cx.terms.or_all(&any);
        if cx.terms.as_bool_const(any) == Some(false) {
            return Ok(Refuted::all(Vec::new()));
        }
        let mut assumptions: Vec<Term> = open.iter().map(|c| self.of[c].0).collect();
        assumptions.push(any);
        match cx.try_sat(self.solver, &assumptions, self.patience)? {
            Some(false) => Ok(Refuted::all(Vec::new())),
            None => Ok(Refuted::all(open)),
            Some(true) => {
                let mut failing = Vec::new();
                let mut model = Reading::of(&cx.terms, self.solver, &assumptions)?;
                for candidate in open {
                    if model.holds(&cx.terms, self.of[&candidate].1)? {
                        failing.push(candidate);
                    }
                }
                if failing.is_empty() {
                    return Err(Stop::Solver("a satisfiable disjunction with no disjunct that holds".into()));
                }
                Ok(Refuted::some(failing))
            }
        }
    }
}

/// Conditions with products become free choices.
fn relaxed(program: &Program) -> Program {
    let mut out = program.clone();
    for edge in out.functions[out.entry].edges.values_mut() {
        if let Op::Assume(condition) = &mut edge.op
            && smt::algebra::has_products(&out.terms, *condition)
        {
            *condition = out.terms.tt();
        }
    }
    out
}

/// Some arrival at `head` violates `fact`.
fn violation(program: &Program, terms: &mut Store, obligations: &[Obligation], head: Loc, fact: Term) -> Term {
    let mut ways = Vec::new();
    for obligation in obligations.iter().filter(|o| o.head == head) {
        let there = evaluate_term(program, terms, &obligation.state, fact);
        let violated = terms.not(there);
        ways.push(terms.and(obligation.guard, violated));
    }
    terms.or_all(&ways)
}
