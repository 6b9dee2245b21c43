//! Contradictions between sums, before any solver is asked: `offset < size`, `length <= size - offset`, and then
//! `offset + length > size`.
//!
//! A solver adds such numbers bit by bit, and needs seconds for what is a line of arithmetic. Here every bit-vector is the
//! integer that its bits count. A sum that may wrap around is one of a few sums over the integers, one for each number of
//! turns that the ranges of its parts allow; so is a comparison of signed numbers, and an `ite`. Such choices are made as a
//! SAT solver makes them: those with one way left first, and each way adds inequations over integers. They contradict each
//! other where ranges, rounded to integers, become empty ([`ranges`]), or where multiples of them add up to `0 < 0`, which
//! a simplex finds and which is then added up once more ([`simplex`]).
//!
//! Anything else in a formula is a variable that can have any value, and what takes too long is left open. So what is
//! refuted here is contradictory; [`crate::differences`] is the same idea for two variables at a time.

mod lazy;
mod ranges;
mod simplex;

pub use lazy::contradiction;

use crate::cases::connective_cases;
use crate::limits::linear::{MAX_CASES, MAX_DEPTH, MAX_GOALS, MAX_TURNS, MAX_VARIABLES, NARROW};
use ranges::{Row, System};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use term::{Op, Sort, Store, Term};

/// Sums of wider numbers do not fit the integers used here.
const WIDEST: u32 = 64;

/// Whether the conjunction is contradictory for a reason that is seen here. `false` says nothing.
pub fn contradictory(terms: &Store, conjunction: &[Term]) -> bool {
    concerns(terms, conjunction) && refuted(terms, conjunction)
}

/// Whether there are comparisons of sums that solvers take long for.
pub fn concerns(terms: &Store, conjunction: &[Term]) -> bool {
    let mut seen = FxHashSet::default();
    conjunction.iter().any(|t| compares_sums(terms, *t, &mut seen))
}

fn refuted(terms: &Store, conjunction: &[Term]) -> bool {
    let mut search = Search::new(terms);
    let mut state = State::default();
    let start = conjunction.iter().map(|t| Step::Goal(Goal::Formula(*t, true))).collect();
    match state.take(start) {
        Some(true) => search.refutes(state).unwrap_or(false),
        Some(false) => true,
        None => false,
    }
}

/// Whether wide numbers are compared, one of which is no constant and no plain variable.
fn compares_sums(terms: &Store, root: Term, seen: &mut FxHashSet<Term>) -> bool {
    let mut stack = vec![root];
    while let Some(t) = stack.pop() {
        if terms.sort(t) != Sort::Bool || !seen.insert(t) {
            continue;
        }
        if is_comparison(terms, t) {
            let is_sum = |t: Term| matches!(terms.op(t), Op::BvAdd | Op::BvNeg | Op::BvMul | Op::Ite);
            if terms.width(terms.arg(t, 0)) > NARROW && terms.args(t).iter().any(|side| is_sum(*side)) {
                return true;
            }
        } else {
            stack.extend(terms.args(t));
        }
    }
    false
}

fn is_comparison(terms: &Store, term: Term) -> bool {
    matches!(terms.op(term), Op::Eq | Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle)
        && terms.sort(terms.arg(term, 0)).bv_width().is_some_and(|width| width <= WIDEST)
}

/// A sum of multiples of variables, by ascending number and none of them zero, and a constant.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
struct Sum {
    parts: Vec<(usize, i128)>,
    constant: i128,
}

impl Sum {
    fn constant(constant: i128) -> Sum {
        Sum { parts: Vec::new(), constant }
    }

    fn variable(number: usize) -> Sum {
        Sum { parts: vec![(number, 1)], constant: 0 }
    }

    /// `self + factor * other`; `None` where numbers become too large.
    fn plus(&self, other: &Sum, factor: i128) -> Option<Sum> {
        let mut parts = self.parts.clone();
        for &(number, times) in &other.parts {
            let more = times.checked_mul(factor)?;
            match parts.binary_search_by_key(&number, |part| part.0) {
                Ok(at) => parts[at].1 = parts[at].1.checked_add(more)?,
                Err(at) => parts.insert(at, (number, more)),
            }
        }
        parts.retain(|part| part.1 != 0);
        Some(Sum { parts, constant: self.constant.checked_add(other.constant.checked_mul(factor)?)? })
    }

    fn minus(&self, other: &Sum) -> Option<Sum> {
        self.plus(other, -1)
    }

    fn add(&self, constant: i128) -> Option<Sum> {
        Some(Sum { parts: self.parts.clone(), constant: self.constant.checked_add(constant)? })
    }
}

/// What is to hold.
#[derive(Clone, Debug)]
enum Goal {
    Formula(Term, bool),
    /// The sum is not zero.
    NotZero(Rc<Sum>),
    /// The variable is the sum less some multiple of `size`.
    Turned {
        variable: usize,
        sum: Rc<Sum>,
        size: i128,
    },
    /// The variable is the first sum if the condition holds, else the second.
    Chosen {
        variable: usize,
        condition: Term,
        yes: Rc<Sum>,
        no: Rc<Sum>,
    },
    /// `less <= more` (or `<`) of numbers of so many bits, taken as signed.
    SignedLess {
        less: Rc<Sum>,
        more: Rc<Sum>,
        strict: bool,
        half: i128,
    },
    /// The variable is one if both sums, which are bits, are that; or if one of them is.
    Bit {
        variable: usize,
        bits: [Rc<Sum>; 2],
        both: bool,
    },
    /// The variable is the sum, plus `add` if that is at least `half`.
    Extended {
        variable: usize,
        sum: Rc<Sum>,
        half: i128,
        add: i128,
    },
}

#[derive(Clone, Debug)]
enum Step {
    Goal(Goal),
    /// The sum is at most zero.
    AtMostZero(Sum),
    Zero(Sum),
}

type Case = Vec<Step>;

/// A variable's range, and what it is.
#[derive(Clone, Debug)]
struct Variable {
    last: i128,
    goal: Option<Goal>,
    /// Sums with it that are zero.
    zero: Option<Sum>,
}

/// What holds so far.
#[derive(Clone, Default)]
struct State {
    system: System,
    /// Formulas that were goals.
    truths: FxHashMap<Term, bool>,
    pending: Vec<Goal>,
}

impl State {
    /// Takes the steps; `false` if they contradict what holds, `None` if that takes too long.
    fn take(&mut self, case: Case) -> Option<bool> {
        for step in case {
            match step {
                Step::Goal(Goal::Formula(term, truth)) => match self.truths.insert(term, truth) {
                    Some(known) if known != truth => return Some(false),
                    Some(_) => {}
                    None => self.pending.push(Goal::Formula(term, truth)),
                },
                Step::Goal(goal) => self.pending.push(goal),
                Step::AtMostZero(sum) => {
                    if !self.system.add(Row::at_most_zero(&sum)?)? {
                        return Some(false);
                    }
                }
                Step::Zero(sum) => {
                    if !self.system.add(Row::zero(&sum)?)? {
                        return Some(false);
                    }
                }
            }
        }
        Some(true)
    }
}

struct Search<'a> {
    terms: &'a Store,
    /// What the bits of a term count.
    values: FxHashMap<Term, Sum>,
    /// Quotients and remainders, by what is divided by what.
    quotients: FxHashMap<(Sum, i128), (Sum, Sum)>,
    variables: Vec<Variable>,
    most_variables: usize,
    depth: u32,
    cases: u32,
    goals: u32,
    pivots: u32,
}

impl<'a> Search<'a> {
    fn new(terms: &'a Store) -> Search<'a> {
        Search {
            terms,
            values: FxHashMap::default(),
            quotients: FxHashMap::default(),
            variables: Vec::new(),
            most_variables: MAX_VARIABLES,
            depth: 0,
            cases: 0,
            goals: 0,
            pivots: 0,
        }
    }

    /// Variables that were named since get their ranges and what is known of them.
    fn introduce(&self, state: &mut State) {
        for number in state.system.count()..self.variables.len() {
            let Variable { last, goal, zero } = self.variables[number].clone();
            state.system.introduce(last);
            state.pending.extend(goal);
            // Its other variables may be younger.
            if let Some(zero) = zero {
                state.pending.push(Goal::Turned { variable: number, sum: Rc::new(zero), size: 0 });
            }
        }
    }

    /// Whether the pending goals cannot all be met.
    fn refutes(&mut self, mut state: State) -> Option<bool> {
        loop {
            let mut open: Vec<(Goal, usize)> = Vec::new();
            let mut unequal: Vec<Goal> = Vec::new();
            let mut learned = false;
            while let Some(goal) = state.pending.pop() {
                self.goals += 1;
                if self.goals > MAX_GOALS {
                    return None;
                }
                let mut cases = self.ways(&mut state, &goal)?;
                match cases.len() {
                    0 => return Some(true),
                    1 => {
                        learned |= !cases[0].is_empty();
                        if !state.take(cases.remove(0))? {
                            return Some(true);
                        }
                    }
                    _ if matches!(goal, Goal::NotZero(_)) => unequal.push(goal),
                    count => open.push((goal, count)),
                }
            }
            if learned && !(open.is_empty() && unequal.is_empty()) {
                state.pending = open.into_iter().map(|(goal, _)| goal).chain(unequal).collect();
                continue;
            }
            if state.system.is_infeasible(&mut self.pivots)? {
                return Some(true);
            }
            let Some(fewest) = (0..open.len()).min_by_key(|i| open[*i].1) else {
                return self.excludes_one(&mut state, &unequal);
            };
            let (goal, _) = open.swap_remove(fewest);
            state.pending = open.into_iter().map(|(goal, _)| goal).chain(unequal).collect();
            for case in self.ways(&mut state, &goal)? {
                self.cases += 1;
                if self.cases > MAX_CASES {
                    return None;
                }
                let mut next = state.clone();
                if next.take(case)? && !self.refutes(next)? {
                    return Some(false);
                }
            }
            return Some(true);
        }
    }

    /// Whether one of these sums must be zero. What inequations allow is convex: if each sum can be something else, all can be
    /// at once.
    fn excludes_one(&mut self, state: &mut State, unequal: &[Goal]) -> Option<bool> {
        for goal in unequal {
            let mut excluded = true;
            for case in self.ways(state, goal)? {
                let mut next = state.clone();
                excluded &= !next.take(case)? || next.system.is_infeasible(&mut self.pivots)?;
                if !excluded {
                    break;
                }
            }
            if excluded {
                return Some(true);
            }
        }
        Some(false)
    }

    /// The ways to meet a goal that what holds does not exclude at once.
    fn ways(&mut self, state: &mut State, goal: &Goal) -> Option<Vec<Case>> {
        let cases = self.cases(state, goal)?;
        self.introduce(state);
        let mut kept = Vec::with_capacity(cases.len());
        for case in cases {
            let mut possible = true;
            for step in &case {
                possible &= match step {
                    Step::Goal(Goal::Formula(term, truth)) => state.truths.get(term).is_none_or(|known| known == truth),
                    Step::Goal(_) => true,
                    Step::AtMostZero(sum) => state.system.extent(sum)?.0 <= 0,
                    Step::Zero(sum) => {
                        let (low, high) = state.system.extent(sum)?;
                        low <= 0 && high >= 0
                    }
                };
            }
            if possible {
                kept.push(case);
            }
        }
        Some(kept)
    }

    fn cases(&mut self, state: &mut State, goal: &Goal) -> Option<Vec<Case>> {
        Some(match goal {
            Goal::Formula(term, truth) => self.formula(state, *term, *truth)?,
            Goal::NotZero(sum) => {
                let negative = Step::AtMostZero(sum.add(1)?);
                let positive = Step::AtMostZero(Sum::constant(1).minus(sum)?);
                vec![vec![negative], vec![positive]]
            }
            // The variable is what the sum says already.
            Goal::Turned { sum, size: 0, .. } => vec![vec![Step::Zero((**sum).clone())]],
            Goal::Turned { variable, sum, size } => {
                let (low, high) = state.system.extent(sum)?;
                let (first, last) = (low.div_euclid(*size), high.div_euclid(*size));
                if last - first >= MAX_TURNS {
                    return Some(vec![Vec::new()]);
                }
                let difference = sum.minus(&Sum::variable(*variable))?;
                let turned = |turns: i128| Some(vec![Step::Zero(difference.add(turns.checked_mul(-*size)?)?)]);
                (first..=last).map(turned).collect::<Option<_>>()?
            }
            Goal::Chosen { variable, condition, yes, no } => {
                let way = |truth: bool, sum: &Sum| {
                    let equal = Step::Zero(sum.minus(&Sum::variable(*variable))?);
                    Some(vec![Step::Goal(Goal::Formula(*condition, truth)), equal])
                };
                vec![way(true, yes)?, way(false, no)?]
            }
            Goal::SignedLess { less, more, strict, half } => {
                let below = |sum: &Sum| Some(Step::AtMostZero(sum.add(1 - *half)?));
                let above = |sum: &Sum| Some(Step::AtMostZero(Sum::constant(*half).minus(sum)?));
                let order = Step::AtMostZero(less.minus(more)?.add(i128::from(*strict))?);
                vec![
                    vec![below(less)?, below(more)?, order.clone()],
                    vec![above(less)?, above(more)?, order],
                    vec![above(less)?, below(more)?],
                ]
            }
            Goal::Bit { variable, bits, both } => {
                // A bit that decides alone, and what it makes of the variable; or none does.
                let is = |sum: &Sum, value: bool| Some(Step::Zero(sum.add(-i128::from(value))?));
                let result = |value: bool| is(&Sum::variable(*variable), value);
                vec![
                    vec![is(&bits[0], !both)?, result(!both)?],
                    vec![is(&bits[1], !both)?, result(!both)?],
                    vec![is(&bits[0], *both)?, is(&bits[1], *both)?, result(*both)?],
                ]
            }
            Goal::Extended { variable, sum, half, add } => {
                let difference = sum.minus(&Sum::variable(*variable))?;
                let low = vec![Step::AtMostZero(sum.add(1 - *half)?), Step::Zero(difference.clone())];
                let high = vec![Step::AtMostZero(Sum::constant(*half).minus(sum)?), Step::Zero(difference.add(*add)?)];
                vec![low, high]
            }
        })
    }

    fn formula(&mut self, state: &mut State, term: Term, truth: bool) -> Option<Vec<Case>> {
        let terms = self.terms;
        let args = terms.args(term);
        if let Some(cases) = connective_cases(terms, term, truth) {
            let goals =
                |case: Vec<(Term, bool)>| case.into_iter().map(|(t, b)| Step::Goal(Goal::Formula(t, b))).collect();
            return Some(cases.into_iter().map(goals).collect());
        }
        Some(match (self.terms.op(term), args) {
            (op, &[a, b]) if is_comparison(self.terms, term) => {
                let half = 1_i128 << (self.terms.width(a) - 1);
                let (a, b) = (self.value(a)?, self.value(b)?);
                self.introduce(state);
                let (signed, strict) = (matches!(op, Op::BvSlt | Op::BvSle), matches!(op, Op::BvSlt | Op::BvUlt));
                match (op, truth) {
                    (Op::Eq, true) => vec![vec![Step::Zero(a.minus(&b)?)]],
                    (Op::Eq, false) => vec![vec![Step::Goal(Goal::NotZero(Rc::new(a.minus(&b)?)))]],
                    _ => {
                        let (less, more, strict) = if truth { (a, b, strict) } else { (b, a, !strict) };
                        if signed {
                            let (less, more) = (Rc::new(less), Rc::new(more));
                            vec![vec![Step::Goal(Goal::SignedLess { less, more, strict, half })]]
                        } else {
                            vec![vec![Step::AtMostZero(less.minus(&more)?.add(i128::from(strict))?)]]
                        }
                    }
                }
            }
            // Nothing but true or false.
            _ => vec![Vec::new()],
        })
    }

    fn variable(&mut self, last: i128, goal: impl FnOnce(usize) -> Option<Goal>) -> Option<Sum> {
        let number = self.variables.len();
        if number >= self.most_variables {
            return None;
        }
        let goal = goal(number);
        self.variables.push(Variable { last, goal, zero: None });
        Some(Sum::variable(number))
    }

    /// What the bits of a term, of at most [`WIDEST`], count.
    fn value(&mut self, term: Term) -> Option<Sum> {
        if let Some(known) = self.values.get(&term) {
            return Some(known.clone());
        }
        self.depth += 1;
        let value = if self.depth > MAX_DEPTH { None } else { self.computed(term) };
        self.depth -= 1;
        let value = value?;
        self.values.insert(term, value.clone());
        Some(value)
    }

    fn computed(&mut self, term: Term) -> Option<Sum> {
        let width = self.terms.width(term);
        let size = 1_i128 << width;
        let args = self.terms.args(term).to_vec();
        let terms = self.terms;
        let constant = |t: Term| terms.as_bv_const(t).and_then(|bits| bits.to_u64()).map(i128::from);
        Some(match (self.terms.op(term), &args[..]) {
            (Op::BvConst(_), _) => Sum::constant(constant(term)?),
            (Op::BvAdd | Op::BvNeg | Op::BvNot, _) => self.turned(term, size)?,
            (Op::BvMul, &[a, b]) if constant(a).is_some() || constant(b).is_some() => self.turned(term, size)?,
            (Op::BvShl, &[_, b]) if constant(b).is_some() => self.turned(term, size)?,
            (Op::ZeroExtend(_), &[a]) => self.value(a)?,
            (Op::Concat, &[a, b]) => {
                let shift = 1_i128 << self.terms.width(b);
                let (high, low) = (self.value(a)?, self.value(b)?);
                low.plus(&high, shift)?
            }
            (Op::Extract { hi, lo }, &[a]) if self.terms.width(a) <= WIDEST => {
                let all = 1_i128 << self.terms.width(a);
                let sum = self.value(a)?;
                let (above, _) = self.divided(sum, all, 1 << lo)?;
                self.divided(above, all >> lo, 1 << (hi - lo + 1))?.1
            }
            (Op::BvUdiv | Op::BvUrem | Op::BvLshr, &[a, b]) if constant(b).is_some() => {
                let by = constant(b)?;
                let is_shift = self.terms.op(term) == Op::BvLshr;
                let divisor = match is_shift {
                    true if by < i128::from(width) => 1 << by,
                    true => size,
                    false => by,
                };
                let sum = self.value(a)?;
                // What division by zero gives is not looked into.
                if divisor == 0 {
                    self.variable(size - 1, |_| None)?
                } else {
                    let (quotient, rest) = self.divided(sum, size, divisor)?;
                    if self.terms.op(term) == Op::BvUrem { rest } else { quotient }
                }
            }
            (Op::BvAnd, &[a, b]) if constant(a).or(constant(b)).is_some_and(|mask| (mask + 1) & mask == 0) => {
                let (mask, of) = if let Some(mask) = constant(a) { (mask, b) } else { (constant(b)?, a) };
                let sum = self.value(of)?;
                self.divided(sum, size, mask + 1)?.1
            }
            (Op::SignExtend(_), &[a]) => {
                let own = 1_i128 << self.terms.width(a);
                let sum = Rc::new(self.value(a)?);
                self.variable(size - 1, |variable| {
                    Some(Goal::Extended { variable, sum, half: own / 2, add: size - own })
                })?
            }
            (Op::Ite, &[condition, a, b]) => {
                let (yes, no) = (Rc::new(self.value(a)?), Rc::new(self.value(b)?));
                let last = self.most(&yes)?.max(self.most(&no)?).min(size - 1);
                self.variable(last, |variable| Some(Goal::Chosen { variable, condition, yes, no }))?
            }
            (op @ (Op::BvAnd | Op::BvOr), &[a, b]) => {
                let bits = [Rc::new(self.value(a)?), Rc::new(self.value(b)?)];
                if self.most(&bits[0])? <= 1 && self.most(&bits[1])? <= 1 {
                    self.variable(1, |variable| Some(Goal::Bit { variable, bits, both: op == Op::BvAnd }))?
                } else {
                    self.variable(size - 1, |_| None)?
                }
            }
            _ => self.variable(size - 1, |_| None)?,
        })
    }

    /// What a sum is at most, by what its variables are.
    fn most(&self, sum: &Sum) -> Option<i128> {
        sum.parts.iter().try_fold(sum.constant, |most, &(number, factor)| {
            most.checked_add(factor.max(0).checked_mul(self.variables[number].last)?)
        })
    }

    /// Quotient and remainder of what counts less than `size`.
    fn divided(&mut self, sum: Sum, size: i128, divisor: i128) -> Option<(Sum, Sum)> {
        if divisor == 1 {
            return Some((sum, Sum::constant(0)));
        }
        if divisor >= size {
            return Some((Sum::constant(0), sum));
        }
        if let Some(known) = self.quotients.get(&(sum.clone(), divisor)) {
            return Some(known.clone());
        }
        let quotient = self.variable((size - 1) / divisor, |_| None)?;
        let rest = self.variable(divisor - 1, |_| None)?;
        let number = self.variables.len() - 1;
        self.variables[number].zero = Some(sum.minus(&rest)?.plus(&quotient, -divisor)?);
        self.quotients.insert((sum, divisor), (quotient.clone(), rest.clone()));
        Some((quotient, rest))
    }

    /// The value of a sum that may wrap around.
    fn turned(&mut self, term: Term, size: i128) -> Option<Sum> {
        let mut sum = Sum::default();
        self.add_parts(term, 1, size, &mut sum)?;
        if sum.parts.is_empty() {
            return Some(Sum::constant(sum.constant.rem_euclid(size)));
        }
        let sum = Rc::new(sum);
        self.variable(size - 1, |variable| Some(Goal::Turned { variable, sum, size }))
    }

    /// Adds `factor` times the term; factors count modulo `size`.
    fn add_parts(&mut self, term: Term, factor: i128, size: i128, sum: &mut Sum) -> Option<()> {
        // As small as can be, so that a difference is one.
        let small = |factor: i128| {
            let factor = factor.rem_euclid(size);
            if factor > size / 2 { factor - size } else { factor }
        };
        let terms = self.terms;
        let constant = |t: Term| terms.as_bv_const(t).and_then(|bits| bits.to_u64()).map(i128::from);
        let args = self.terms.args(term).to_vec();
        match (self.terms.op(term), &args[..]) {
            // Sums may be long; what is too deep is a variable of its own, and then too deep for that.
            (Op::BvAdd, &[a, b]) => {
                self.depth += 1;
                let within = self.depth <= MAX_DEPTH;
                let added = within.then(|| self.add_parts(a, factor, size, sum)).flatten();
                let added = added.and_then(|()| self.add_parts(b, factor, size, sum));
                self.depth -= 1;
                added
            }
            (Op::BvNeg, &[a]) => self.add_parts(a, small(-factor), size, sum),
            (Op::BvNot, &[a]) => {
                *sum = sum.add(-factor)?;
                self.add_parts(a, small(-factor), size, sum)
            }
            (Op::BvMul, &[a, b]) if constant(a).is_some() || constant(b).is_some() => {
                let (by, of) = if let Some(by) = constant(a) { (by, b) } else { (constant(b)?, a) };
                self.add_parts(of, small(factor.checked_mul(small(by))?), size, sum)
            }
            (Op::BvShl, &[a, b]) if constant(b).is_some() => {
                let by = constant(b)?;
                let shift = if by < 64 { 1_i128 << by } else { 0 };
                self.add_parts(a, small(factor.checked_mul(small(shift))?), size, sum)
            }
            _ => {
                let value = self.value(term)?;
                *sum = sum.plus(&value, factor)?;
                Some(())
            }
        }
    }
}

#[cfg(test)]
mod tests;
