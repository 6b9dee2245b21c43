//! Contradictions that a short argument shows need not be bit-blasted.
//!
//! What is the same but for the order of its operands is seen by its number ([`Numbering`]). Questions with products are tried by [`algebra`], comparisons of variables, where that is asked for, by
//! [`differences`], comparisons of sums by [`linear`], and where a factor has few values, case by case ([`small_factors`]). All only
//! ever refute; what they leave open goes to the solver.

use crate::limits::lazy::{self, FIRST_MOMENT};
use crate::limits::refute::{CASE_TIME, MOST_SHRUNK, PATIENCE};
use rustc_hash::FxHashMap;
use term::normal::conjuncts;
use term::subst::Substitution;
use term::{Store, Term, Value};

use crate::backend::{BitwuzlaSettings, BitwuzlaSolver};
use crate::frames::Frames;
use crate::layer::Layer;
use crate::numbering::Numbering;
use crate::solver::{Answer, Limits, Solver, Stats, Why};
use crate::{algebra, differences, linear, small_factors};

/// Which arguments are tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Arguments {
    pub algebra: bool,
    pub numbering: bool,
    pub differences: bool,
    pub linear: bool,
    pub small_factors: bool,
}

/// See the module.
pub struct Refute<S> {
    below: S,
    frames: Frames,
    arguments: Arguments,
    limits: Limits,
    numbering: Numbering,
    /// How often sums were looked at in vain since that helped.
    in_vain: u32,
    /// How often the values of a factor were tried in vain since that helped.
    cases_in_vain: u32,
    /// Whether a term contains a product of two unknowns.
    nonlinear: FxHashMap<Term, bool>,
    /// The assumptions of the last check, if it was refuted here.
    refuted: Option<Vec<Term>>,
    asked: u64,
    settled: u64,
}

impl<S: Solver> Refute<S> {
    pub fn over(below: S, arguments: Arguments) -> Refute<S> {
        let (frames, nonlinear) = (Frames::default(), FxHashMap::default());
        Refute {
            below,
            frames,
            arguments,
            limits: Limits::default(),
            numbering: Numbering::default(),
            in_vain: 0,
            cases_in_vain: 0,
            nonlinear,
            refuted: None,
            asked: 0,
            settled: 0,
        }
    }

    /// Whether one of the arguments shows that the facts contradict each other.
    fn is_refuted(&mut self, store: &Store, facts: &[Term]) -> bool {
        let Arguments { algebra, differences, linear, small_factors, .. } = self.arguments;
        let has_products = (algebra || small_factors) && facts.iter().any(|&fact| self.is_nonlinear(store, fact));
        self.asked += u64::from(has_products || differences || linear);
        differences && differences::contradictory(store, facts)
            || linear && self.adds_up(store, facts)
            || algebra && has_products && algebra::refutes(store, facts)
            || small_factors && has_products && self.is_refuted_by_cases(store, facts)
    }

    /// Whether each value of a factor that has few contradicts the facts.
    fn is_refuted_by_cases(&mut self, store: &Store, facts: &[Term]) -> bool {
        let parts: Vec<Term> = facts.iter().flat_map(|fact| conjuncts(store, *fact)).collect();
        let Some(small) = small_factors::small_factor(store, &parts) else { return false };
        self.cases_in_vain = self.cases_in_vain.saturating_add(1);
        if self.cases_in_vain > PATIENCE && !self.cases_in_vain.is_multiple_of(8) {
            return false;
        }
        let mut store = store.clone();
        let width = store.width(small.factor);
        let refuted = (small.least..=small.most).all(|value| {
            let value = store.bv(value, width);
            let mut substitution = Substitution::new();
            substitution.insert(&store, small.factor, value);
            let mut case: Vec<Term> = parts.iter().map(|part| substitution.apply(&mut store, *part)).collect();
            case.push(store.eq(small.factor, value));
            if case.iter().any(|part| store.as_bool_const(*part) == Some(false)) || linear::contradictory(&store, &case)
            {
                return true;
            }
            let mut solver = BitwuzlaSolver::new(&BitwuzlaSettings::default());
            solver.limit(&Limits { time: Some(CASE_TIME), cancel: None });
            solver.check(&store, &case) == Ok(Answer::Unsat)
        });
        if refuted {
            self.cases_in_vain = 0;
        }
        refuted
    }

    fn adds_up(&mut self, store: &Store, facts: &[Term]) -> bool {
        self.in_vain = self.in_vain.saturating_add(1);
        let found = (self.in_vain <= PATIENCE || self.in_vain.is_multiple_of(8)) && linear::contradictory(store, facts);
        if found {
            self.in_vain = 0;
        }
        found
    }

    /// The solver first, for a moment; then sums with learning; and the solver again. Each of the two decides at once what takes the other minutes.
    fn check_in_turns(&mut self, store: &Store, facts: &[Term], assumptions: &[Term]) -> Result<Answer, Why> {
        let before = base::cpu::time();
        let all = self.limits.time;
        if all.is_some_and(|all| all <= FIRST_MOMENT) || !linear::concerns(store, facts) {
            return self.below.check(store, assumptions);
        }
        self.below.limit(&Limits { time: Some(FIRST_MOMENT), ..self.limits.clone() });
        let answer = self.below.check(store, assumptions);
        self.below.limit(&self.limits);
        if answer != Err(Why::Timeout) {
            return answer;
        }
        let left = |part: u32| all.map(|all| all.saturating_sub(base::cpu::time().saturating_sub(before)) / part);
        let time = left(lazy::PART).map_or(lazy::LONGEST, |time| time.min(lazy::LONGEST));
        let limits = Limits { time: Some(time), ..self.limits.clone() };
        if let Some(core) = linear::contradiction(store, facts, &limits) {
            self.settled += 1;
            self.refuted = Some(assumptions.iter().filter(|a| core.contains(a)).copied().collect());
            return Ok(Answer::Unsat);
        }
        self.below.limit(&Limits { time: left(1), ..self.limits.clone() });
        let answer = self.below.check(store, assumptions);
        self.below.limit(&self.limits);
        answer
    }

    /// The assumptions without those that a contradiction of sums does not need.
    fn needed(&self, store: &Store, assumptions: &[Term]) -> Vec<Term> {
        let mut kept = assumptions.to_vec();
        let mut at = 0;
        while at < kept.len() && kept.len() <= MOST_SHRUNK {
            let removed = kept.remove(at);
            let facts: Vec<Term> = self.frames.facts().iter().chain(&kept).copied().collect();
            if !linear::contradictory(store, &facts) {
                kept.insert(at, removed);
                at += 1;
            }
        }
        kept
    }

    fn is_nonlinear(&mut self, store: &Store, root: Term) -> bool {
        let mut stack = vec![root];
        while let Some(&t) = stack.last() {
            if self.nonlinear.contains_key(&t) {
                stack.pop();
                continue;
            }
            let args = store.args(t);
            let open = stack.len();
            stack.extend(args.iter().filter(|a| !self.nonlinear.contains_key(a)));
            if stack.len() > open {
                continue;
            }
            let found = algebra::is_product(store, t) || args.iter().any(|a| self.nonlinear[a]);
            self.nonlinear.insert(t, found);
            stack.pop();
        }
        self.nonlinear[&root]
    }
}

impl<S: Solver> Layer for Refute<S> {
    over!(S);

    fn push(&mut self) {
        self.refuted = None;
        self.frames.push();
        self.below.push();
    }

    fn pop(&mut self) {
        self.refuted = None;
        self.frames.pop();
        self.below.pop();
    }

    fn assert(&mut self, store: &Store, fact: Term) {
        self.refuted = None;
        self.frames.assert(fact);
        self.below.assert(store, fact);
    }

    fn check(&mut self, store: &Store, assumptions: &[Term]) -> Result<Answer, Why> {
        self.refuted = None;
        let facts: Vec<Term> = self.frames.facts().iter().chain(assumptions).copied().collect();
        if self.arguments.numbering {
            self.asked += 1;
            if let Some(core) = self.numbering.contradiction(store, &facts) {
                self.settled += 1;
                self.refuted = Some(assumptions.iter().filter(|a| core.contains(a)).copied().collect());
                return Ok(Answer::Unsat);
            }
        }
        if self.is_refuted(store, &facts) {
            self.settled += 1;
            let by_sums = self.arguments.linear && self.in_vain == 0;
            self.refuted = Some(if by_sums { self.needed(store, assumptions) } else { assumptions.to_vec() });
            return Ok(Answer::Unsat);
        }
        if !self.arguments.linear {
            return self.below.check(store, assumptions);
        }
        self.check_in_turns(store, &facts, assumptions)
    }

    fn limit(&mut self, limits: &Limits) {
        self.limits = limits.clone();
        self.below.limit(limits);
    }

    fn value(&mut self, store: &Store, term: Term) -> Result<Value, Why> {
        if self.refuted.is_some() { Err(Why::NotAvailable) } else { self.below.value(store, term) }
    }

    fn core(&mut self) -> Result<Vec<Term>, Why> {
        match &self.refuted {
            Some(assumptions) => Ok(assumptions.clone()),
            None => self.below.core(),
        }
    }

    fn count(&self, into: &mut Stats) {
        into.add("refute.asked", self.asked);
        into.add("refute.settled", self.settled);
    }
}
