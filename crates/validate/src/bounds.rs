//! The checker's own small evaluation: what bit-vectors lie between, unsigned and signed.
//!
//! Enough for the bulk of what proofs by intervals claim, at no solver's cost. Everything here is a statement that holds
//! for all states that the known ranges allow; what is not understood is anything. Terms are looked at within a depth and
//! a number of steps, so that no term is too large.

mod range;

use crate::differences;
use crate::limits::bounds::{DEPTH, EVALUATIONS, MOST_PAIRS, STEPS};
use base::SharedMap;
pub(crate) use range::Range;
use rustc_hash::FxHashMap;
use term::{Op, Sort, Store, Term, Value};

/// What is known of variables; of those that are missing, nothing. Booleans are numbers of one bit.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub(crate) struct Bounds {
    ranges: SharedMap<Term, Range>,
    /// For pairs of variables that are followed: the first less the second, as a machine number. All of them have an entry.
    differences: SharedMap<Pair, Range>,
}

/// Two variables of one width, the first with the smaller id.
pub(crate) type Pair = (Term, Term);

/// Whether the facts contradict each other already by their ranges, or by differences of numbers in them.
pub(crate) fn contradict(terms: &Store, facts: &[Term]) -> bool {
    known(terms, facts).is_none_or(|bounds| differences::contradict(terms, &bounds, facts))
}

/// What ranges say of states in which the facts hold; nothing where they contradict each other.
pub(crate) fn known(terms: &Store, facts: &[Term]) -> Option<Bounds> {
    let mut bounds = Bounds::default();
    // Twice: what a later fact says about a variable may settle an earlier one.
    facts.iter().chain(facts).all(|fact| bounds.assume(terms, *fact, true)).then_some(bounds)
}

/// What is left for one condition: large ones have thousands of comparisons, each of large terms.
struct Effort {
    /// Parts of it that are looked at.
    conditions: u32,
    /// Steps of evaluating terms that they compare.
    evaluations: u32,
}

impl Bounds {
    /// Keeps the states where the condition holds (or does not). False: there are none.
    pub(crate) fn assume(&mut self, terms: &Store, condition: Term, holds: bool) -> bool {
        let mut effort = Effort { conditions: STEPS, evaluations: EVALUATIONS };
        self.assume_within(terms, condition, holds, DEPTH, &mut effort)
    }

    /// The least and the greatest number that a bit-vector of up to 64 bits can be.
    pub(crate) fn numbers(&self, terms: &Store, t: Term, signed: bool) -> Option<(i128, i128)> {
        let range = Evaluation { bounds: self, done: FxHashMap::default(), steps: STEPS }.range(terms, t, DEPTH)?;
        Some(if signed { (range.signed_lo, range.signed_hi) } else { (range.lo, range.hi) })
    }

    /// Whether the condition holds in all states, or in none.
    pub(crate) fn truth(&self, terms: &Store, condition: Term) -> Option<bool> {
        Evaluation { bounds: self, done: FxHashMap::default(), steps: STEPS }.truth(terms, condition, DEPTH)
    }

    /// Whether the condition holds in all states: without those where it does not, by cases.
    pub(crate) fn implies(&self, terms: &Store, condition: Term) -> bool {
        self.truth(terms, condition) == Some(true) || !self.clone().assume(terms, condition, false)
    }

    /// Of several assignments at once.
    pub(crate) fn assign(&mut self, terms: &Store, pairs: &[(Term, Term)]) {
        let mut evaluation = Evaluation { bounds: self, done: FxHashMap::default(), steps: STEPS };
        let values: Vec<Option<Range>> =
            pairs.iter().map(|(_, value)| evaluation.of_any_sort(terms, *value, DEPTH)).collect();
        let differences = self.differences_after(terms, pairs);
        for ((var, _), value) in pairs.iter().zip(values) {
            match value {
                Some(range) if range != Range::full(range.width) => _ = self.ranges.insert(*var, range),
                _ if self.ranges.contains_key(var) => _ = self.ranges.remove(var),
                _ => {}
            }
        }
        differences.into_iter().for_each(|(pair, range)| _ = self.differences.insert(pair, range));
    }

    /// Nothing is known of the variable any more.
    pub(crate) fn forget(&mut self, var: Term) {
        // To remove what is not there copies a part of the map, too.
        if self.ranges.contains_key(&var) {
            self.ranges.remove(&var);
        }
        if self.differences.is_empty() {
            return;
        }
        let about: Vec<(Pair, u32)> =
            self.differences.iter().filter(|((x, y), _)| *x == var || *y == var).map(|(p, r)| (*p, r.width)).collect();
        about.into_iter().for_each(|(pair, width)| _ = self.differences.insert(pair, Range::full(width)));
    }

    /// The variables that something is known about, some of them twice.
    pub(crate) fn variables(&self) -> impl Iterator<Item = Term> {
        self.ranges.keys().copied().chain(self.differences.keys().flat_map(|(x, y)| [*x, *y]))
    }

    /// From now on the differences of these variables are known as far as conditions and assignments say them.
    pub(crate) fn follow(&mut self, terms: &Store, pairs: &[Pair]) {
        for pair in pairs {
            if let Sort::Bv(width @ 1..=64) = terms.sort(pair.0) {
                self.differences.insert(*pair, Range::full(width));
            }
        }
    }

    /// What is known of `x - y` if it is followed: by itself, and by the ranges of both.
    fn difference(&self, x: Term, y: Term) -> Option<Range> {
        let range = match x < y {
            true => *self.differences.get(&(x, y))?,
            false => self.differences.get(&(y, x))?.negated(),
        };
        let full = Range::full(range.width);
        let of = |var: Term| self.ranges.get(&var).copied().unwrap_or(full);
        Some(range.and(of(x).plus(of(y).negated())))
    }

    /// The states in which `x - y` is in the range, if it is followed. False: there are none.
    fn set_difference(&mut self, x: Term, y: Term, range: Range) -> bool {
        let Some(known) = self.difference(x, y) else { return true };
        let Some(both) = known.meet(range) else { return false };
        let (pair, both) = if x < y { ((x, y), both) } else { ((y, x), both.negated()) };
        self.differences.insert(pair, both);
        true
    }

    /// The differences that are followed, after several assignments at once: where a variable becomes another one plus a constant, they
    /// follow from those before, exactly in machine arithmetic.
    fn differences_after(&self, terms: &Store, pairs: &[(Term, Term)]) -> Vec<(Pair, Range)> {
        let mut changed = Vec::new();
        for (&(x, y), range) in &self.differences {
            let value = |var: Term| pairs.iter().find(|(assigned, _)| *assigned == var).map(|(_, value)| *value);
            if value(x).is_none() && value(y).is_none() {
                continue;
            }
            let full = Range::full(range.width);
            let (before, after) = (offset(terms, value(x).unwrap_or(x)), offset(terms, value(y).unwrap_or(y)));
            let new = match (before, after) {
                (Some((v, m)), Some((w, n))) if v == w => Range::unsigned(range.width, m - n, m - n),
                (Some((v, m)), Some((w, n))) => {
                    let by = Range::unsigned(range.width, m - n, m - n);
                    self.difference(v, w).map_or(full, |before| before.plus(by))
                }
                _ => full,
            };
            changed.push(((x, y), new));
        }
        changed
    }

    /// The states of both, which follow the same differences.
    pub(crate) fn join(&mut self, other: &Bounds) {
        let mut apart = Vec::new();
        for &(x, y) in self.differences.keys() {
            if let (Some(mine), Some(theirs)) = (self.difference(x, y), other.difference(x, y)) {
                apart.push(((x, y), mine.join(theirs)));
            }
        }
        apart.into_iter().for_each(|(pair, range)| _ = self.differences.insert(pair, range));
        let mut changes: Vec<(Term, Option<Range>)> = Vec::new();
        for difference in self.ranges.differences(&other.ranges) {
            let both = difference.old.zip(difference.new);
            changes.push((*difference.key, both.map(|(a, b)| a.join(*b))));
        }
        for (var, range) in changes {
            match range {
                Some(range) if range != Range::full(range.width) => _ = self.ranges.insert(var, range),
                _ => _ = self.ranges.remove(&var),
            }
        }
    }

    fn assume_within(&mut self, terms: &Store, condition: Term, holds: bool, depth: u32, effort: &mut Effort) -> bool {
        if effort.conditions == 0 || depth == 0 {
            return true;
        }
        effort.conditions -= 1;
        let args = terms.args(condition);
        match (terms.op(condition), holds) {
            (Op::True, _) => holds,
            (Op::False, _) => !holds,
            (Op::Not, _) => self.assume_within(terms, args[0], !holds, depth - 1, effort),
            (Op::And, true) | (Op::Or, false) => {
                args.iter().all(|arg| self.assume_within(terms, *arg, holds, depth - 1, effort))
            }
            (Op::And, false) | (Op::Or, true) => {
                let mut any: Option<Bounds> = None;
                for arg in args {
                    let mut case = self.clone();
                    if case.assume_within(terms, *arg, holds, depth - 1, effort) {
                        match &mut any {
                            Some(all) => all.join(&case),
                            None => any = Some(case),
                        }
                    }
                }
                match any {
                    Some(all) => {
                        *self = all;
                        true
                    }
                    None => false,
                }
            }
            (Op::Var(_), _) => {
                let bit = i128::from(holds);
                self.narrow(terms, condition, Range { lo: bit, hi: bit, ..Range::full(1) }, effort)
            }
            (op @ (Op::Eq | Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle), _)
                if matches!(terms.sort(args[0]), Sort::Bv(1..=64)) =>
            {
                self.compare(terms, op, [args[0], args[1]], holds, effort)
            }
            _ => self.truth(terms, condition) != Some(!holds),
        }
    }

    /// What an evaluation says, as far as there is effort left for it.
    fn evaluated<T>(&self, effort: &mut Effort, ask: impl FnOnce(&mut Evaluation) -> T) -> T {
        let steps = STEPS.min(effort.evaluations);
        let mut evaluation = Evaluation { bounds: self, done: FxHashMap::default(), steps };
        let answer = ask(&mut evaluation);
        effort.evaluations -= steps - evaluation.steps;
        answer
    }

    fn compare(&mut self, terms: &Store, op: Op, [a, b]: [Term; 2], holds: bool, effort: &mut Effort) -> bool {
        let (x, y) = self.evaluated(effort, |e| (e.range(terms, a, DEPTH), e.range(terms, b, DEPTH)));
        let (Some(x), Some(y)) = (x, y) else { return true };
        let full = Range::full(x.width);
        // `a op b` or its negation as `first <= second` (or `<`, by one).
        let (swapped, by) = match (op, holds) {
            (Op::BvUlt | Op::BvSlt, true) => (false, 1),
            (Op::BvUle | Op::BvSle, true) => (false, 0),
            (Op::BvUlt | Op::BvSlt, false) => (true, 0),
            (Op::BvUle | Op::BvSle, false) => (true, 1),
            (_, true) => {
                if let Some((v, w, apart)) = self.followed(terms, a, b)
                    && !self.set_difference(v, w, apart)
                {
                    return false;
                }
                return match x.meet(y) {
                    Some(both) => self.narrow(terms, a, both, effort) && self.narrow(terms, b, both, effort),
                    None => false,
                };
            }
            (_, false) => {
                if x.is_one() && y.is_one() && x.lo == y.lo {
                    return false;
                }
                if let Some((v, w, apart)) = self.followed(terms, a, b)
                    && let Some(known) = self.difference(v, w)
                    && !self.set_difference(v, w, known.without(apart))
                {
                    return false;
                }
                let cut_a = if y.is_one() { self.narrow(terms, a, x.without(y), effort) } else { true };
                return cut_a && if x.is_one() { self.narrow(terms, b, y.without(x), effort) } else { true };
            }
        };
        let (first, second, below, above) = if swapped { (b, a, y, x) } else { (a, b, x, y) };
        let (upper, lower) = match op {
            Op::BvUlt | Op::BvUle => (Range { hi: above.hi - by, ..full }, Range { lo: below.lo + by, ..full }),
            _ => (Range { signed_hi: above.signed_hi - by, ..full }, Range { signed_lo: below.signed_lo + by, ..full }),
        };
        self.narrow(terms, first, upper, effort) && self.narrow(terms, second, lower, effort)
    }

    /// Where `a = b` is about two variables whose difference is followed: the variables, and what their difference is then.
    fn followed(&self, terms: &Store, a: Term, b: Term) -> Option<(Term, Term, Range)> {
        if self.differences.is_empty() {
            return None;
        }
        let ((x, m), (y, n)) = (offset(terms, a)?, offset(terms, b)?);
        let range = self.difference(x, y)?;
        Some((x, y, Range::unsigned(range.width, n - m, n - m)))
    }

    /// The term is in the range, which may be empty. False: that cannot be.
    fn narrow(&mut self, terms: &Store, t: Term, range: Range, effort: &mut Effort) -> bool {
        let Some(known) = self.evaluated(effort, |e| e.of_any_sort(terms, t, DEPTH)) else {
            return range.tight().is_some();
        };
        let Some(range) = known.meet(range) else { return false };
        let args = terms.args(t);
        match terms.op(t) {
            Op::Var(_) => {
                if range != Range::full(range.width) {
                    self.ranges.insert(t, range);
                }
                true
            }
            Op::ZeroExtend(by) => {
                let width = range.width - by;
                let inner = Range { lo: range.lo, hi: range.hi, ..Range::full(width) };
                self.narrow(terms, args[0], inner, effort)
            }
            Op::SignExtend(by) => {
                let width = range.width - by;
                let inner = Range { signed_lo: range.signed_lo, signed_hi: range.signed_hi, ..Range::full(width) };
                self.narrow(terms, args[0], inner, effort)
            }
            Op::BvAdd if args.len() == 2 => {
                if let Some((x, y)) = subtraction(terms, t) {
                    return self.set_difference(x, y, range);
                }
                let constant = |t: Term| number(terms, t);
                let (inner, c) = match (constant(args[0]), constant(args[1])) {
                    (Some(c), None) => (args[1], c),
                    (None, Some(c)) => (args[0], c),
                    _ => return true,
                };
                self.narrow(terms, inner, Range::unsigned(range.width, range.lo - c, range.hi - c), effort)
            }
            _ => true,
        }
    }
}

/// The value of a constant of up to 64 bits.
fn number(terms: &Store, t: Term) -> Option<i128> {
    match terms.as_value(t)? {
        Value::Bv(bits) if bits.width() <= 64 => bits.to_u128().and_then(|n| i128::try_from(n).ok()),
        _ => None,
    }
}

/// `t` as a variable of up to 64 bits plus a constant.
fn offset(terms: &Store, t: Term) -> Option<(Term, i128)> {
    let Sort::Bv(1..=64) = terms.sort(t) else { return None };
    match (terms.op(t), terms.args(t)) {
        (Op::Var(_), _) => Some((t, 0)),
        (Op::BvAdd, &[a, b]) => match (number(terms, a), number(terms, b)) {
            (Some(c), None) if matches!(terms.op(b), Op::Var(_)) => Some((b, c)),
            (None, Some(c)) if matches!(terms.op(a), Op::Var(_)) => Some((a, c)),
            _ => None,
        },
        _ => None,
    }
}

/// `t` as a variable less another one.
fn subtraction(terms: &Store, t: Term) -> Option<(Term, Term)> {
    let (Op::BvAdd, &[a, b]) = (terms.op(t), terms.args(t)) else { return None };
    let is_var = |t: Term| matches!(terms.op(t), Op::Var(_));
    let minus = |t: Term| (terms.op(t) == Op::BvNeg).then(|| terms.arg(t, 0)).filter(|t| is_var(*t));
    match (minus(a), minus(b)) {
        (None, Some(y)) if is_var(a) => Some((a, y)),
        (Some(y), None) if is_var(b) => Some((b, y)),
        _ => None,
    }
}

/// The pairs of variables that the terms are about as a difference: they say that one is the other plus a constant, or something about
/// one less the other.
pub(crate) fn pairs(terms: &Store, roots: &[Term]) -> Vec<Pair> {
    let mut pairs = std::collections::BTreeSet::new();
    for t in term::walk::postorder(terms, roots) {
        let found = match terms.op(t) {
            Op::Eq => match (offset(terms, terms.arg(t, 0)), offset(terms, terms.arg(t, 1))) {
                (Some((x, _)), Some((y, _))) => Some((x, y)),
                _ => None,
            },
            _ => subtraction(terms, t),
        };
        pairs.extend(found.filter(|(x, y)| x != y).map(|(x, y)| (x.min(y), x.max(y))));
    }
    pairs.into_iter().take(MOST_PAIRS).collect()
}

/// One look at terms, each part once.
struct Evaluation<'a> {
    bounds: &'a Bounds,
    done: FxHashMap<Term, Option<Range>>,
    steps: u32,
}

impl Evaluation<'_> {
    /// A boolean as a bit.
    fn of_any_sort(&mut self, terms: &Store, t: Term, depth: u32) -> Option<Range> {
        match terms.sort(t) {
            Sort::Bool => Some(match self.truth(terms, t, depth) {
                Some(truth) => Range { lo: i128::from(truth), hi: i128::from(truth), ..Range::full(1) }.tight()?,
                None => Range::full(1),
            }),
            _ => self.range(terms, t, depth),
        }
    }

    fn truth(&mut self, terms: &Store, t: Term, depth: u32) -> Option<bool> {
        if self.steps == 0 || depth == 0 {
            return None;
        }
        self.steps -= 1;
        let args = terms.args(t);
        let mut parts = |one: bool| {
            let mut unknown = false;
            for arg in args {
                match self.truth(terms, *arg, depth - 1) {
                    Some(truth) if truth == one => return Some(one),
                    Some(_) => {}
                    None => unknown = true,
                }
            }
            (!unknown).then_some(!one)
        };
        match terms.op(t) {
            Op::True => Some(true),
            Op::False => Some(false),
            Op::Not => self.truth(terms, args[0], depth - 1).map(|truth| !truth),
            Op::And => parts(false),
            Op::Or => parts(true),
            Op::Var(_) => self.bounds.ranges.get(&t).filter(|range| range.is_one()).map(|range| range.lo == 1),
            Op::Ite => match self.truth(terms, args[0], depth - 1) {
                Some(truth) => self.truth(terms, args[if truth { 1 } else { 2 }], depth - 1),
                None => {
                    let first = self.truth(terms, args[1], depth - 1)?;
                    (self.truth(terms, args[2], depth - 1)? == first).then_some(first)
                }
            },
            op @ (Op::Eq | Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle) => {
                if op == Op::Eq
                    && let Some((x, y, wanted)) = self.bounds.followed(terms, args[0], args[1])
                    && let Some(known) = self.bounds.difference(x, y)
                    && let Some(truth) = known.equals(wanted)
                {
                    return Some(truth);
                }
                let (x, y) = (self.range(terms, args[0], depth - 1)?, self.range(terms, args[1], depth - 1)?);
                match op {
                    Op::Eq => x.equals(y),
                    Op::BvUlt => order((x.lo, x.hi), (y.lo, y.hi), 1),
                    Op::BvUle => order((x.lo, x.hi), (y.lo, y.hi), 0),
                    Op::BvSlt => order((x.signed_lo, x.signed_hi), (y.signed_lo, y.signed_hi), 1),
                    _ => order((x.signed_lo, x.signed_hi), (y.signed_lo, y.signed_hi), 0),
                }
            }
            op @ (Op::BvSaddo | Op::BvSsubo | Op::BvSmulo | Op::BvUmulo) => {
                let (x, y) = (self.range(terms, args[0], depth - 1)?, self.range(terms, args[1], depth - 1)?);
                let full = Range::full(x.width);
                let fits = match op {
                    Op::BvSaddo => (x.signed_lo + y.signed_lo, x.signed_hi + y.signed_hi),
                    Op::BvSsubo => (x.signed_lo - y.signed_hi, x.signed_hi - y.signed_lo),
                    Op::BvSmulo => products((x.signed_lo, x.signed_hi), (y.signed_lo, y.signed_hi)),
                    // Compared with the unsigned bounds.
                    _ => return x.hi.checked_mul(y.hi).is_some_and(|most| most <= full.hi).then_some(false),
                };
                (fits.0 >= full.signed_lo && fits.1 <= full.signed_hi).then_some(false)
            }
            _ => None,
        }
    }

    /// The range of a bit-vector of up to 64 bits.
    fn range(&mut self, terms: &Store, t: Term, depth: u32) -> Option<Range> {
        let Sort::Bv(width @ 1..=64) = terms.sort(t) else { return None };
        if let Some(range) = self.done.get(&t) {
            return *range;
        }
        if self.steps == 0 || depth == 0 {
            return Some(Range::full(width));
        }
        self.steps -= 1;
        let range = self.compute(terms, t, width, depth - 1).unwrap_or(Range::full(width));
        self.done.insert(t, Some(range));
        Some(range)
    }

    fn compute(&mut self, terms: &Store, t: Term, width: u32, depth: u32) -> Option<Range> {
        let full = Range::full(width);
        let args = terms.args(t);
        if let Some(n) = number(terms, t) {
            return Some(Range::unsigned(width, n, n));
        }
        let two = |this: &mut Self| {
            let [a, b] = *args else { return None };
            Some((this.range(terms, a, depth)?, this.range(terms, b, depth)?))
        };
        Some(match terms.op(t) {
            Op::Var(_) => self.bounds.ranges.get(&t).copied().unwrap_or(full),
            Op::Ite => match self.truth(terms, args[0], depth) {
                Some(truth) => self.range(terms, args[if truth { 1 } else { 2 }], depth)?,
                None => self.range(terms, args[1], depth)?.join(self.range(terms, args[2], depth)?),
            },
            Op::BvNot => {
                let x = self.range(terms, args[0], depth)?;
                Range::unsigned(width, full.hi - x.hi, full.hi - x.lo)
            }
            Op::BvNeg => self.range(terms, args[0], depth)?.negated(),
            Op::BvAdd => {
                let (x, y) = two(self)?;
                let sum = x.plus(y);
                let difference = subtraction(terms, t).and_then(|(x, y)| self.bounds.difference(x, y));
                difference.map_or(sum, |difference| sum.and(difference))
            }
            Op::BvMul => {
                let (x, y) = two(self)?;
                let signed = products((x.signed_lo, x.signed_hi), (y.signed_lo, y.signed_hi));
                let unsigned = match x.hi.checked_mul(y.hi) {
                    Some(hi) if hi <= full.hi => Range::unsigned(width, x.lo * y.lo, hi),
                    _ => full,
                };
                unsigned.and(Range::signed(width, signed.0, signed.1))
            }
            Op::BvUdiv => {
                let (x, y) = two(self)?;
                if y.lo == 0 { full } else { Range::unsigned(width, x.lo / y.hi, x.hi / y.lo) }
            }
            Op::BvUrem => {
                let (x, y) = two(self)?;
                let (lo, hi) = if y.lo == 0 { (0, x.hi) } else { remainders((x.lo, x.hi), (y.lo, y.hi)) };
                Range::unsigned(width, lo, hi)
            }
            Op::BvAnd => {
                let (x, y) = two(self)?;
                Range::unsigned(width, 0, x.hi.min(y.hi))
            }
            Op::BvOr => {
                let (x, y) = two(self)?;
                // No more bits than the longer of the two.
                let bits = 128 - (x.hi | y.hi).leading_zeros();
                Range::unsigned(width, x.lo.max(y.lo), (1i128 << bits) - 1)
            }
            Op::BvLshr => {
                let (x, y) = two(self)?;
                if y.is_one() && y.lo < i128::from(width) {
                    Range::unsigned(width, x.lo >> y.lo, x.hi >> y.lo)
                } else {
                    Range::unsigned(width, 0, x.hi)
                }
            }
            Op::BvAshr => {
                let (x, y) = two(self)?;
                if y.is_one() && y.lo < i128::from(width) {
                    Range::signed(width, x.signed_lo >> y.lo, x.signed_hi >> y.lo)
                } else {
                    full
                }
            }
            Op::BvSdiv => {
                let (x, y) = two(self)?;
                if y.signed_lo > 0 || y.signed_hi < 0 {
                    let (lo, hi) = quotients((x.signed_lo, x.signed_hi), (y.signed_lo, y.signed_hi));
                    Range::signed(width, lo, hi)
                } else {
                    full
                }
            }
            Op::BvSrem => {
                let (x, y) = two(self)?;
                if y.signed_lo > 0 || y.signed_hi < 0 {
                    let (lo, hi) = remainders((x.signed_lo, x.signed_hi), (y.signed_lo, y.signed_hi));
                    Range::signed(width, lo, hi)
                } else {
                    full
                }
            }
            Op::ZeroExtend(_) => {
                let x = self.range(terms, args[0], depth)?;
                Range::unsigned(width, x.lo, x.hi)
            }
            Op::SignExtend(_) => {
                let x = self.range(terms, args[0], depth)?;
                Range::signed(width, x.signed_lo, x.signed_hi)
            }
            Op::Extract { hi, lo: 0 } => {
                let x = self.range(terms, args[0], depth)?;
                let size = 1i128 << (hi + 1);
                let low = if x.lo.div_euclid(size) == x.hi.div_euclid(size) {
                    Range::unsigned(width, x.lo.rem_euclid(size), x.hi.rem_euclid(size))
                } else {
                    full
                };
                low.and(Range::signed(width, x.signed_lo, x.signed_hi))
            }
            Op::Concat => {
                let (x, y) = two(self)?;
                Range::unsigned(width, (x.lo << y.width) + y.lo, (x.hi << y.width) + y.hi)
            }
            _ => full,
        })
    }
}

/// Whether `x + by <= y` always or never.
fn order(x: (i128, i128), y: (i128, i128), by: i128) -> Option<bool> {
    if x.1 + by <= y.0 {
        Some(true)
    } else if x.0 + by > y.1 {
        Some(false)
    } else {
        None
    }
}

/// The least and the greatest product.
fn products(x: (i128, i128), y: (i128, i128)) -> (i128, i128) {
    let all = [x.0 * y.0, x.0 * y.1, x.1 * y.0, x.1 * y.1];
    (all.into_iter().min().unwrap_or(0), all.into_iter().max().unwrap_or(0))
}

/// The least and the greatest quotient, rounded towards zero; no divisor is zero.
fn quotients(x: (i128, i128), y: (i128, i128)) -> (i128, i128) {
    let all = [x.0 / y.0, x.0 / y.1, x.1 / y.0, x.1 / y.1];
    (all.into_iter().min().unwrap_or(0), all.into_iter().max().unwrap_or(0))
}

/// Bounds of the remainder, which has the sign of the dividend; no divisor is zero.
fn remainders(x: (i128, i128), y: (i128, i128)) -> (i128, i128) {
    if y.0 == y.1 && (x.0 >= 0 || x.1 <= 0) && x.0 / y.0 == x.1 / y.0 {
        return (x.0 % y.0, x.1 % y.0);
    }
    let most = y.0.abs().max(y.1.abs()) - 1;
    (x.0.clamp(-most, 0), x.1.clamp(0, most))
}

#[cfg(test)]
mod tests;
