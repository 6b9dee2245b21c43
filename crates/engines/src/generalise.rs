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

use base::Table;
use cfa::{Loc, Op, Program, Var};
use domain::{affine, analyse};
use encode::state::evaluate_term;
use encode::trace::Reading;
use encode::unroll::{Loops, Obligation, Unroller, Windows};
use engine::{Cx, FactKind, Stop, Task};
use flow::live_at_heads;
use flow::wto::Wto;
use smt::Solver;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use term::{Op as TermOp, Sort, Store, Term, Value};

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

/// States of a failed step that are looked at, from the last backwards; variables whose pairs are compared; attempts to
/// shorten a clause.
const MAX_STATES: usize = 3;
const MAX_PAIRED: usize = 10;
const MAX_DROPS: usize = 16;
/// Guesses from conditions at each head.
const MAX_CONDITIONS: usize = 120;

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
        let heads: Vec<Loc> = self.wto.heads().collect();
        if !self.fed {
            let budget = cx.budget.slice(cx.budget.left() / 5);
            let Some(analysis) = analyse(&self.task.program, self.wto, &mut || budget.check().is_ok()) else {
                return cx.budget.check();
            };
            for &head in &heads {
                let known = analysis.formula(&self.task.program, &mut cx.terms, head);
                self.windows.strengthen(&mut cx.terms, head, known);
            }
            let mut equations = Vec::new();
            for (head, facts) in
                affine::equations(&self.task.program, &mut cx.terms, &heads, &mut || budget.check().is_ok())
            {
                equations.extend(facts.into_iter().map(|fact| (head, fact)));
            }
            self.keep_inductive(equations, patience, cx)?;
        }
        for guess in [Generaliser::conditions, Generaliser::ends] {
            let mut candidates = Vec::new();
            for &head in &heads {
                candidates.extend(guess(self, head, &mut cx.terms).into_iter().map(|fact| (head, fact)));
            }
            self.keep_inductive(candidates, patience, cx)?;
        }
        Ok(())
    }

    /// Guesses from constants that are written at constant indices, as the ends of strings are: that the element stays what
    /// it is, that the array is read no further, and that what counts up, from zero or the constant it is set to, comes no
    /// further.
    fn ends(&self, head: Loc, terms: &mut Store) -> Vec<Term> {
        let program = &self.task.program;
        let live: BTreeSet<Var> = self.live[head].iter().copied().collect();
        let cells: Vec<_> = constant_cells(program).into_iter().filter(|(array, ..)| live.contains(array)).collect();
        let mut facts = Vec::new();
        for (array, index, element) in &cells {
            let cell = terms.select(program.term(*array), *index);
            facts.push(terms.eq(cell, *element));
            for read in reads(program, *array) {
                let vars = term::walk::free_vars(terms, &[read]);
                if vars.iter().all(|v| program.var_of(*v).is_some_and(|v| live.contains(&v))) {
                    let Some(width) = terms.sort(read).bv_width() else { continue };
                    let Some(last) = terms.as_bv_const(*index).and_then(|last| last.to_u128()) else { continue };
                    let last = terms.bv(last, width);
                    facts.push(terms.ule(read, last));
                }
            }
        }
        let starts = starts(program);
        let lasts: BTreeSet<u128> =
            cells.iter().filter_map(|(_, index, _)| terms.as_bv_const(*index)?.to_u128()).collect();
        for &var in &live {
            let Some(width) = program.vars[var].sort.bv_width().filter(|width| *width > 8) else { continue };
            let mut firsts: BTreeSet<Term> = starts.get(&var).cloned().unwrap_or_default();
            firsts.insert(terms.bv(0, width));
            for first in firsts {
                let steps = terms.sub(program.term(var), first);
                for &last in &lasts {
                    let (last, after) = (terms.bv(last, width), terms.bv(last + 1, width));
                    facts.extend([terms.ule(steps, last), terms.ule(steps, after)]);
                }
            }
        }
        facts.retain(|fact| terms.as_bool_const(*fact).is_none());
        facts.truncate(MAX_CONDITIONS);
        facts
    }

    /// Guesses from the comparisons that the program makes: that they hold at the head, or hold but for one step.
    fn conditions(&self, head: Loc, terms: &mut Store) -> Vec<Term> {
        let program = &self.task.program;
        let live: BTreeSet<Term> = self.live[head].iter().map(|v| program.term(*v)).collect();
        let conditions: Vec<Term> = self
            .relaxed
            .main()
            .edges
            .values()
            .filter(|e| matches!(e.op, Op::Assume(_)) && self.wto.reaches(e.from))
            .flat_map(|e| e.op.terms())
            .collect();
        let mut facts = Vec::new();
        for t in term::walk::postorder(&program.terms, &conditions) {
            let op = terms.op(t);
            if !matches!(op, TermOp::Eq | TermOp::BvUlt | TermOp::BvUle | TermOp::BvSlt | TermOp::BvSle) {
                continue;
            }
            let (a, b) = (terms.arg(t, 0), terms.arg(t, 1));
            let Some(width) = terms.sort(a).bv_width() else { continue };
            let vars = term::walk::free_vars(terms, &[t]);
            if vars.len() < 2 || !vars.iter().all(|v| live.contains(v)) || facts.len() >= MAX_CONDITIONS {
                continue;
            }
            let one = terms.bv(1, width);
            let (after_a, after_b) = (terms.add(a, one), terms.add(b, one));
            facts.push(terms.eq(a, b));
            for (x, y) in [(a, b), (b, a), (a, after_b), (b, after_a)] {
                facts.push(if matches!(op, TermOp::BvUlt | TermOp::BvUle) { terms.ule(x, y) } else { terms.sle(x, y) });
            }
        }
        facts.retain(|fact| terms.as_bool_const(*fact).is_none());
        facts
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
            let literals = self.literals(state, &mut cx.terms);
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

    /// What is true of a state: each variable against its value, live variables against each other.
    fn literals(&self, state: &HeadState, terms: &mut Store) -> Vec<Term> {
        let program = &self.task.program;
        let live: BTreeSet<Var> = self.live[state.head].iter().copied().collect();
        let known: Vec<(Var, &Value)> =
            state.values.iter().filter(|(v, _)| live.contains(v)).map(|(v, value)| (*v, value)).collect();
        let mut literals = Vec::new();
        for (var, value) in &known {
            let (x, constant) = (program.term(*var), terms.value(value));
            match value {
                Value::Bool(true) => literals.push(x),
                Value::Bool(false) => literals.push(terms.not(x)),
                _ => {
                    literals.extend([terms.sle(x, constant), terms.sle(constant, x)]);
                    literals.extend([terms.ule(x, constant), terms.ule(constant, x)]);
                }
            }
        }
        let numbers: Vec<Var> = self.live[state.head]
            .iter()
            .copied()
            .filter(|v| matches!(program.vars[*v].sort, Sort::Bv(_)))
            .filter(|v| state.values.contains_key(v))
            .take(MAX_PAIRED)
            .collect();
        for (i, a) in numbers.iter().enumerate() {
            for b in &numbers[..i] {
                if program.vars[*a].sort == program.vars[*b].sort {
                    compare(program, terms, (*a, &state.values[a]), (*b, &state.values[b]), &mut literals);
                }
            }
        }
        literals.retain(|l| terms.as_bool_const(*l).is_none());
        literals
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
        let mut open: Vec<usize> = (0..alive.len()).collect();
        loop {
            let any: Vec<Term> = open.iter().map(|i| violations[*i]).collect();
            let any = cx.terms.or_all(&any);
            if cx.terms.as_bool_const(any) == Some(false) {
                break;
            }
            let mut assumptions: Vec<Term> = open.iter().map(|i| assumed[*i]).collect();
            assumptions.push(any);
            match cx.try_sat(self.solver.as_mut(), &assumptions, patience)? {
                Some(false) => break,
                None => return Ok(0),
                Some(true) => {
                    let before = open.len();
                    let mut kept = Vec::new();
                    let mut model = Reading::of(&cx.terms, self.solver.as_mut(), &assumptions)?;
                    for i in open {
                        if !model.holds(&cx.terms, violations[i])? {
                            kept.push(i);
                        }
                    }
                    open = kept;
                    if open.len() == before {
                        return Err(Stop::Solver("a satisfiable disjunction with no disjunct that holds".into()));
                    }
                }
            }
        }
        for &i in &open {
            self.add(alive[i].0, alive[i].1, cx);
        }
        Ok(open.len())
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

/// Array elements with constant indices that the program sets to constants.
fn constant_cells(program: &Program) -> BTreeSet<(Var, Term, Term)> {
    let terms = &program.terms;
    let mut cells = BTreeSet::new();
    for edge in program.main().edges.values() {
        let Op::Assign(pairs) = &edge.op else { continue };
        for (var, value) in pairs {
            let mut at = *value;
            while terms.op(at) == TermOp::Store {
                let (index, element) = (terms.arg(at, 1), terms.arg(at, 2));
                if terms.as_bv_const(index).is_some() && terms.as_bv_const(element).is_some() {
                    cells.insert((*var, index, element));
                }
                at = terms.arg(at, 0);
            }
        }
    }
    cells
}

/// The indices at which the program reads an array; where only a part of a number is the index, the whole number.
fn reads(program: &Program, array: Var) -> BTreeSet<Term> {
    let terms = &program.terms;
    let roots: Vec<Term> = program.main().edges.values().flat_map(|e| e.op.terms()).collect();
    let mut indices = BTreeSet::new();
    for t in term::walk::postorder(terms, &roots) {
        if terms.op(t) == TermOp::Select && terms.arg(t, 0) == program.term(array) {
            let index = terms.arg(t, 1);
            let is_part = matches!(terms.op(index), TermOp::Extract { lo: 0, .. });
            indices.insert(if is_part { terms.arg(index, 0) } else { index });
        }
    }
    indices
}

/// The constants that scalars are set to.
fn starts(program: &Program) -> BTreeMap<Var, BTreeSet<Term>> {
    let mut starts: BTreeMap<Var, BTreeSet<Term>> = BTreeMap::new();
    for edge in program.main().edges.values() {
        let Op::Assign(pairs) = &edge.op else { continue };
        for (var, value) in pairs.iter().filter(|(_, t)| program.terms.as_bv_const(*t).is_some()) {
            starts.entry(*var).or_default().insert(*value);
        }
    }
    starts
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

/// The order of two variables, and the bounds of their difference, in a state.
fn compare(program: &Program, terms: &mut Store, a: (Var, &Value), b: (Var, &Value), literals: &mut Vec<Term>) {
    let (x, y) = (program.term(a.0), program.term(b.0));
    let (m, n) = (terms.value(a.1), terms.value(b.1));
    for (atom, there) in [
        (terms.eq(x, y), terms.eq(m, n)),
        (terms.slt(x, y), terms.slt(m, n)),
        (terms.slt(y, x), terms.slt(n, m)),
        (terms.ult(x, y), terms.ult(m, n)),
        (terms.ult(y, x), terms.ult(n, m)),
    ] {
        literals.push(if terms.as_bool_const(there) == Some(true) { atom } else { terms.not(atom) });
    }
    let (difference, value) = (terms.sub(x, y), terms.sub(m, n));
    literals.extend([terms.sle(difference, value), terms.sle(value, difference)]);
}
