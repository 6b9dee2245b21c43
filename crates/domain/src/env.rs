//! Abstract states: a range for each integer variable, differences of some, conditions as filters.
//!
//! A variable without entry may have any value: floats, arrays, wide integers. Nothing is ever assumed about memory but
//! that a cell is one of the values the solver's theory allows, so variables changed through pointers are tracked like
//! all others: in flat form they are assigned on edges.

use crate::limits::range::MAX_DEPTH;
use crate::range::{Range, fits_signed};
use crate::relation::{Differences, Pair, offset};
use cfa::{Op as EdgeOp, Program, Var};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use term::{Op, Sort, Store, Term};

/// The states in which every variable is in its range, and every difference that is followed.
#[derive(Clone, PartialEq, Debug)]
pub struct Env {
    ranges: BTreeMap<Var, Range>,
    /// Booleans that are known.
    bools: BTreeMap<Var, bool>,
    differences: Differences,
    /// Whether ranges have congruences.
    congruences: bool,
}

/// The width, where ranges can follow it.
fn width_of(sort: Sort) -> Option<u32> {
    sort.bv_width().filter(|w| *w <= 64)
}

impl Env {
    /// Any state. Of `pairs` (sorted) the differences are followed.
    pub fn any(pairs: Rc<[Pair]>) -> Env {
        let differences = Differences::none(pairs);
        Env { ranges: BTreeMap::new(), bools: BTreeMap::new(), differences, congruences: true }
    }

    /// Any state; neither differences nor congruences are followed.
    pub fn only_bounds() -> Env {
        Env { congruences: false, ..Env::any(Rc::default()) }
    }

    pub fn range(&self, var: Var) -> Option<&Range> {
        self.ranges.get(&var)
    }

    pub fn ranges(&self) -> impl Iterator<Item = (Var, &Range)> {
        self.ranges.iter().map(|(v, r)| (*v, r))
    }

    /// A Boolean, if it is known.
    pub fn bool(&self, var: Var) -> Option<bool> {
        self.bools.get(&var).copied()
    }

    pub fn bools(&self) -> impl Iterator<Item = (Var, bool)> {
        self.bools.iter().map(|(v, b)| (*v, *b))
    }

    pub fn differences(&self) -> impl Iterator<Item = (Pair, &Range)> {
        self.differences.known()
    }

    /// The difference `x - y`; `None` if nothing is known.
    fn difference(&self, x: Var, y: Var) -> Option<Range> {
        let by_ranges = match (self.ranges.get(&x), self.ranges.get(&y)) {
            (Some(a), Some(b)) => Some(a.sub(b)),
            _ => None,
        };
        match (self.differences.get(x, y), by_ranges) {
            (Some(a), Some(b)) => Some(a.meet(&b).unwrap_or(a)),
            (one, other) => one.or(other),
        }
    }

    fn followed(&self, range: Range) -> Range {
        if self.congruences || range.step == 0 { range } else { Range { step: 1, rest: 0, ..range } }
    }

    fn set(&mut self, var: Var, range: Range) {
        let range = self.followed(range);
        if range.is_full() {
            self.ranges.remove(&var);
        } else {
            self.ranges.insert(var, range);
        }
    }

    fn forget(&mut self, var: Var) {
        self.ranges.remove(&var);
        self.bools.remove(&var);
        self.differences.forget(var);
    }

    /// The states in which the variable is in the range, too.
    pub(crate) fn restricted(&self, var: Var, range: &Range) -> Option<Env> {
        let mut out = self.clone();
        let both = self.ranges.get(&var).map_or(Some(*range), |known| known.meet(range))?;
        out.set(var, both);
        Some(out)
    }

    pub(crate) fn forget_all(&mut self, vars: &BTreeSet<Var>) {
        self.ranges.retain(|var, _| !vars.contains(var));
        self.bools.retain(|var, _| !vars.contains(var));
        self.differences.forget_all(vars);
    }

    /// What is known about the given variables; of `pairs`, the differences are followed from now on.
    pub(crate) fn about(mut self, vars: &BTreeSet<Var>, pairs: &Rc<[Pair]>) -> Env {
        self.ranges.retain(|var, _| vars.contains(var));
        self.bools.retain(|var, _| vars.contains(var));
        self.differences.keep(vars);
        self.differences.follow(pairs);
        self
    }

    /// Follows the differences of `pairs`, too.
    pub(crate) fn following(&self, pairs: &Rc<[Pair]>) -> Env {
        let mut out = self.clone();
        let own = self.differences.pairs();
        if !Rc::ptr_eq(&own, pairs) && own != *pairs {
            let all: BTreeSet<Pair> = own.iter().chain(pairs.iter()).copied().collect();
            out.differences.follow(&all.into_iter().collect());
        }
        out
    }

    /// The variables that something is known about.
    pub(crate) fn variables(&self) -> impl Iterator<Item = Var> {
        let pairs = self.differences.known().flat_map(|((x, y), _)| [x, y]);
        self.ranges.keys().chain(self.bools.keys()).copied().chain(pairs)
    }

    /// The union, over-approximated.
    pub fn join(&self, other: &Env) -> Env {
        self.combine(other, |a, b| a.join(b))
    }

    /// The union with `other`, unstable bounds pushed out so that chains of widenings are short.
    pub fn widen(&self, other: &Env, thresholds: &dyn Fn(u32) -> Vec<u64>) -> Env {
        self.combine(other, |a, b| {
            let joined = a.join(b);
            if joined == *a { joined } else { joined.widen(a, &thresholds(a.width)) }
        })
    }

    fn combine(&self, other: &Env, both: impl Fn(&Range, &Range) -> Range) -> Env {
        let pairs = self.differences.pairs();
        let mut out = Env { congruences: self.congruences, ..Env::any(pairs.clone()) };
        for (var, mine) in &self.ranges {
            if let Some(theirs) = other.ranges.get(var) {
                out.set(*var, both(mine, theirs));
            }
        }
        for &(x, y) in pairs.iter() {
            if let (Some(mine), Some(theirs)) = (self.difference(x, y), other.difference(x, y)) {
                let joined = both(&mine, &theirs);
                // What the joined ranges say anyway is not written down.
                if out.difference(x, y).is_none_or(|by_ranges| joined.join(&by_ranges) != joined) {
                    out.differences.set(x, y, joined);
                }
            }
        }
        out.bools = self.bools.iter().filter(|(v, b)| other.bools.get(v) == Some(b)).map(|(v, b)| (*v, *b)).collect();
        out
    }

    /// Whether every state of `other` is one of `self`.
    pub fn includes(&self, other: &Env) -> bool {
        let within = |mine: &Range, theirs: Option<Range>| theirs.is_some_and(|theirs| mine.join(&theirs) == *mine);
        self.ranges.iter().all(|(var, mine)| within(mine, other.ranges.get(var).copied()))
            && self.bools.iter().all(|(var, mine)| other.bools.get(var) == Some(mine))
            && self.differences.known().all(|((x, y), mine)| within(mine, other.difference(x, y)))
    }

    /// The states after an edge; `None` if no state passes it.
    pub fn after(&self, program: &Program, op: &EdgeOp) -> Option<Env> {
        let terms = &program.terms;
        match op {
            EdgeOp::Assume(condition) => self.filtered(program, *condition, true),
            EdgeOp::Assign(pairs) => {
                let mut out = self.clone();
                let differences = self.assigned_differences(program, pairs);
                pairs.iter().for_each(|(var, _)| out.forget(*var));
                differences.into_iter().for_each(|((x, y), range)| out.differences.set(x, y, range));
                for (var, t) in pairs {
                    match terms.sort(*t) {
                        Sort::Bool => {
                            if let Some(known) = self.truth(program, *t) {
                                out.bools.insert(*var, known);
                            }
                        }
                        sort if width_of(sort).is_some() => {
                            if let Some(range) = self.eval(program, *t) {
                                out.set(*var, range);
                            }
                        }
                        _ => {}
                    }
                }
                Some(out)
            }
            EdgeOp::Havoc { vars, .. } => {
                let mut out = self.clone();
                vars.iter().for_each(|v| out.forget(*v));
                Some(out)
            }
            _ => unreachable!("abstract interpretation works on flat programs"),
        }
    }

    /// The differences after parallel assignments, where they follow from those before.
    fn assigned_differences(&self, program: &Program, assigned: &[(Var, Term)]) -> Vec<(Pair, Range)> {
        let form = |var: Var| match assigned.iter().find(|(v, _)| *v == var) {
            Some((_, t)) => offset(program, *t),
            None => Some((var, 0)),
        };
        let mut out = Vec::new();
        for &(x, y) in self.differences.pairs().iter() {
            if !assigned.iter().any(|(v, _)| *v == x || *v == y) {
                continue;
            }
            let (Some((a, m)), Some((b, n))) = (form(x), form(y)) else { continue };
            let Some(width) = width_of(program.vars[x].sort) else { continue };
            let shift = Range::constant(m.wrapping_sub(n), width);
            if a == b {
                out.push(((x, y), shift));
            } else if let Some(before) = self.difference(a, b) {
                out.push(((x, y), before.add(&shift)));
            }
        }
        out
    }

    /// The range of a bit-vector term; `None` where ranges cannot follow it.
    pub fn eval(&self, program: &Program, t: Term) -> Option<Range> {
        Evaluation { env: self, program, memo: rustc_hash::FxHashMap::default() }.range(t, 0)
    }

    /// The truth of a condition, where it is the same in all states.
    pub fn truth(&self, program: &Program, t: Term) -> Option<bool> {
        Evaluation { env: self, program, memo: rustc_hash::FxHashMap::default() }.truth(t, 0)
    }

    /// The states in which `condition` is `wanted`, over-approximated; `None` if there are none.
    pub fn filtered(&self, program: &Program, condition: Term, wanted: bool) -> Option<Env> {
        // Twice: what the last conjunct says may sharpen the first.
        let once = self.filter(program, condition, wanted, 0)?;
        if once == *self { Some(once) } else { once.filter(program, condition, wanted, 0)?.related() }
    }

    /// Ranges sharpened by differences.
    fn related(mut self) -> Option<Env> {
        let known: Vec<(Pair, Range)> = self.differences.known().map(|(pair, range)| (pair, *range)).collect();
        for ((x, y), difference) in known {
            let full = Range::full(difference.width);
            let (a, b) = (*self.ranges.get(&x).unwrap_or(&full), *self.ranges.get(&y).unwrap_or(&full));
            let a = a.meet(&b.add(&difference))?;
            let b = b.meet(&a.sub(&difference))?;
            self.set(x, a);
            self.set(y, b);
        }
        Some(self)
    }

    /// The states in which `a - b` is in `range`, for sums of a variable and a constant whose difference is followed.
    fn relate(mut self, program: &Program, a: Term, b: Term, range: Option<Range>) -> Option<Env> {
        let (Some((x, m)), Some((y, n)), Some(range)) = (offset(program, a), offset(program, b), range) else {
            return Some(self);
        };
        if x != y && self.differences.follows(x, y) {
            let wanted = range.add(&Range::constant(n.wrapping_sub(m), range.width));
            let both = match self.difference(x, y) {
                Some(known) => known.meet(&wanted)?,
                None => wanted,
            };
            self.differences.set(x, y, both);
        }
        Some(self)
    }

    fn filter(&self, program: &Program, condition: Term, wanted: bool, depth: u32) -> Option<Env> {
        let terms = &program.terms;
        match self.truth(program, condition) {
            Some(known) if known != wanted => return None,
            Some(_) => return Some(self.clone()),
            None => {}
        }
        if depth > 64 {
            return Some(self.clone());
        }
        let args = terms.args(condition);
        match (terms.op(condition), wanted) {
            (Op::Not, _) => self.filter(program, args[0], !wanted, depth + 1),
            (Op::And, true) | (Op::Or, false) => {
                self.filter(program, args[0], wanted, depth + 1)?.filter(program, args[1], wanted, depth + 1)
            }
            (Op::And, false) | (Op::Or, true) => {
                let left = self.filter(program, args[0], wanted, depth + 1);
                let right = self.filter(program, args[1], wanted, depth + 1);
                match (left, right) {
                    (Some(a), Some(b)) => Some(a.join(&b)),
                    (one, other) => one.or(other),
                }
            }
            (Op::Var(_), _) => {
                let mut out = self.clone();
                if let Some(var) = program.var_of(condition) {
                    out.bools.insert(var, wanted);
                }
                Some(out)
            }
            (Op::Eq, _) if width_of(terms.sort(args[0])).is_some() => self.filter_eq(program, args[0], args[1], wanted),
            (Op::BvUlt, true) => self.filter_unsigned(program, args[0], args[1], true),
            (Op::BvUlt, false) => self.filter_unsigned(program, args[1], args[0], false),
            (Op::BvUle, true) => self.filter_unsigned(program, args[0], args[1], false),
            (Op::BvUle, false) => self.filter_unsigned(program, args[1], args[0], true),
            (Op::BvSlt, true) => self.filter_signed(program, args[0], args[1], true),
            (Op::BvSlt, false) => self.filter_signed(program, args[1], args[0], false),
            (Op::BvSle, true) => self.filter_signed(program, args[0], args[1], false),
            (Op::BvSle, false) => self.filter_signed(program, args[1], args[0], true),
            _ => Some(self.clone()),
        }
    }

    fn filter_eq(&self, program: &Program, a: Term, b: Term, equal: bool) -> Option<Env> {
        let (Some(x), Some(y)) = (self.eval(program, a), self.eval(program, b)) else { return Some(self.clone()) };
        if equal {
            let both = x.meet(&y)?;
            let narrowed = self.narrow(program, a, both, 0)?.narrow(program, b, both, 0)?;
            return narrowed.relate(program, a, b, Some(Range::constant(0, x.width)));
        }
        let mut out = self.clone();
        if let Some(difference) = self.term_difference(program, a, b) {
            out = out.relate(program, a, b, Some(without(&difference, 0)?))?;
        }
        for (t, range, other) in [(a, x, y), (b, y, x)] {
            if let Some(value) = other.as_constant() {
                out = out.narrow(program, t, without(&range, value)?, 0)?;
            }
        }
        Some(out)
    }

    /// `a < b` (strict) or `a <= b`, unsigned.
    fn filter_unsigned(&self, program: &Program, a: Term, b: Term, strict: bool) -> Option<Env> {
        let (Some(x), Some(y)) = (self.eval(program, a), self.eval(program, b)) else { return Some(self.clone()) };
        let less = u64::from(strict);
        let low = x.meet(&Range::unsigned(0, y.uhi.checked_sub(less)?, x.width)?)?;
        let high = y.meet(&Range::unsigned(x.ulo.checked_add(less)?, u64::MAX, y.width)?)?;
        let below = below(x.width, i128::from(low.ulo) - i128::from(high.uhi), strict);
        self.narrow(program, a, low, 0)?.narrow(program, b, high, 0)?.relate(program, a, b, below)
    }

    fn filter_signed(&self, program: &Program, a: Term, b: Term, strict: bool) -> Option<Env> {
        let (Some(x), Some(y)) = (self.eval(program, a), self.eval(program, b)) else { return Some(self.clone()) };
        let less = i64::from(strict);
        let low = x.meet(&Range::signed(i64::MIN, y.shi.checked_sub(less)?, x.width)?)?;
        let high = y.meet(&Range::signed(x.slo.checked_add(less)?, i64::MAX, y.width)?)?;
        let below = below(x.width, i128::from(low.slo) - i128::from(high.shi), strict);
        self.narrow(program, a, low, 0)?.narrow(program, b, high, 0)?.relate(program, a, b, below)
    }

    /// What is known of `a - b` by the difference of their variables.
    fn term_difference(&self, program: &Program, a: Term, b: Term) -> Option<Range> {
        let ((x, m), (y, n)) = (offset(program, a)?, offset(program, b)?);
        let difference = self.differences.get(x, y)?;
        Some(difference.add(&Range::constant(m.wrapping_sub(n), difference.width)))
    }

    /// The states in which term `t` is in `range`, over-approximated: goes down to variables where it can.
    fn narrow(&self, program: &Program, t: Term, range: Range, depth: u32) -> Option<Env> {
        let terms = &program.terms;
        let args = terms.args(t);
        if depth > 16 {
            return Some(self.clone());
        }
        match terms.op(t) {
            Op::Var(_) => {
                let mut out = self.clone();
                if let Some(var) = program.var_of(t) {
                    let old = self.ranges.get(&var).copied().unwrap_or(Range::full(range.width));
                    out.set(var, old.meet(&range)?);
                }
                Some(out)
            }
            Op::BvAdd => {
                let (x, y) = (self.eval(program, args[0]), self.eval(program, args[1]));
                let (Some(x), Some(y)) = (x, y) else { return Some(self.clone()) };
                let (left, right) = (x.meet(&range.sub(&y))?, y.meet(&range.sub(&x))?);
                self.narrow(program, args[0], left, depth + 1)?.narrow(program, args[1], right, depth + 1)
            }
            Op::BvNeg => {
                let Some(x) = self.eval(program, args[0]) else { return Some(self.clone()) };
                self.narrow(program, args[0], x.meet(&range.neg())?, depth + 1)
            }
            Op::ZeroExtend(_) => {
                let Some(x) = self.eval(program, args[0]) else { return Some(self.clone()) };
                let inner = Range::unsigned(range.ulo, range.uhi, x.width)?;
                self.narrow(program, args[0], x.meet(&inner)?, depth + 1)
            }
            Op::SignExtend(_) => {
                let Some(x) = self.eval(program, args[0]) else { return Some(self.clone()) };
                let inner = Range::signed(range.slo, range.shi, x.width)?;
                self.narrow(program, args[0], x.meet(&inner)?, depth + 1)
            }
            Op::Ite => match self.truth(program, args[0]) {
                Some(true) => self.narrow(program, args[1], range, depth + 1),
                Some(false) => self.narrow(program, args[2], range, depth + 1),
                None => {
                    // A branch whose value cannot be in the range was not taken.
                    let possible = |branch: Term| match self.eval(program, branch) {
                        Some(value) => value.meet(&range).is_some(),
                        None => true,
                    };
                    match (possible(args[1]), possible(args[2])) {
                        (true, true) => Some(self.clone()),
                        (true, false) => self.filter(program, args[0], true, depth + 1),
                        (false, true) => self.filter(program, args[0], false, depth + 1),
                        (false, false) => None,
                    }
                }
            },
            _ => Some(self.clone()),
        }
    }
}

/// The differences `a - b` as machine numbers where `a <= b` (`a < b` if strict) and no difference is below `least`;
/// `None` where they may wrap.
fn below(width: u32, least: i128, strict: bool) -> Option<Range> {
    let most = -i64::from(strict);
    fits_signed(least, width).then(|| Range::signed(least as i64, most, width)).flatten()
}

/// The range without one value at an end.
fn without(range: &Range, value: u64) -> Option<Range> {
    let mut out = *range;
    if range.as_constant() == Some(value) {
        return None;
    }
    let signed = crate::range::to_signed(value, range.width);
    if range.ulo == value {
        out = out.meet(&Range::unsigned(value + 1, u64::MAX, range.width)?)?;
    } else if range.uhi == value {
        out = out.meet(&Range::unsigned(0, value - 1, range.width)?)?;
    }
    if range.slo == signed {
        out = out.meet(&Range::signed(signed + 1, i64::MAX, range.width)?)?;
    } else if range.shi == signed {
        out = out.meet(&Range::signed(i64::MIN, signed - 1, range.width)?)?;
    }
    Some(out)
}

/// Evaluation of terms in one abstract state.
struct Evaluation<'a> {
    env: &'a Env,
    program: &'a Program,
    memo: rustc_hash::FxHashMap<Term, Option<Range>>,
}

impl Evaluation<'_> {
    fn terms(&self) -> &Store {
        &self.program.terms
    }

    fn range(&mut self, t: Term, depth: u32) -> Option<Range> {
        let width = width_of(self.terms().sort(t))?;
        if let Some(known) = self.memo.get(&t) {
            return *known;
        }
        let range = if depth > MAX_DEPTH {
            Range::full(width)
        } else {
            self.compute(t, width, depth + 1).unwrap_or(Range::full(width))
        };
        let range = self.env.followed(range);
        self.memo.insert(t, Some(range));
        Some(range)
    }

    /// `None`: anything of the width.
    fn compute(&mut self, t: Term, width: u32, depth: u32) -> Option<Range> {
        let op = self.terms().op(t);
        let args: Vec<Term> = self.terms().args(t).to_vec();
        let mut arg = |i: usize| self.range(args[i], depth);
        Some(match op {
            Op::BvConst(_) => {
                let bits = self.terms().as_bv_const(t)?;
                Range::constant(bits.to_u128()? as u64, width)
            }
            Op::Var(_) => *self.env.ranges.get(&self.program.var_of(t)?)?,
            Op::BvAdd => {
                // `a + -b` is a subtraction: its unsigned view is sharper.
                if self.terms().op(args[1]) == Op::BvNeg {
                    let negated = self.terms().arg(args[1], 0);
                    let (a, b) = (self.range(args[0], depth)?, self.range(negated, depth)?);
                    return Some(a.sub(&b));
                }
                if self.terms().op(args[0]) == Op::BvNeg {
                    let negated = self.terms().arg(args[0], 0);
                    let (a, b) = (self.range(args[1], depth)?, self.range(negated, depth)?);
                    return Some(a.sub(&b));
                }
                let (a, b) = (self.range(args[0], depth)?, self.range(args[1], depth)?);
                let sum = a.add(&b);
                // Adding a large constant is subtracting a small one.
                match (a.as_constant(), b.as_constant()) {
                    (Some(c), _) => sum.meet(&b.sub(&Range::constant(c.wrapping_neg(), width))).unwrap_or(sum),
                    (_, Some(c)) => sum.meet(&a.sub(&Range::constant(c.wrapping_neg(), width))).unwrap_or(sum),
                    _ => sum,
                }
            }
            Op::BvNot => arg(0)?.bvnot(),
            Op::BvNeg => arg(0)?.neg(),
            Op::BvMul => arg(0)?.mul(&arg(1)?),
            Op::BvUdiv => arg(0)?.udiv(&arg(1)?),
            Op::BvUrem => arg(0)?.urem(&arg(1)?),
            Op::BvSdiv => arg(0)?.sdiv(&arg(1)?),
            Op::BvSrem => arg(0)?.srem(&arg(1)?),
            Op::BvShl => arg(0)?.shl(&arg(1)?),
            Op::BvLshr => arg(0)?.lshr(&arg(1)?),
            Op::BvAshr => arg(0)?.ashr(&arg(1)?),
            Op::BvAnd => arg(0)?.bvand(&arg(1)?),
            Op::BvOr => arg(0)?.bvor(&arg(1)?),
            Op::BvXor => arg(0)?.bvxor(&arg(1)?),
            Op::ZeroExtend(_) => arg(0)?.zero_extend(width),
            Op::SignExtend(_) => arg(0)?.sign_extend(width),
            Op::Extract { hi, lo } => arg(0)?.extract(hi, lo),
            Op::Concat => arg(0)?.concat(&arg(1)?)?,
            Op::Ite => match self.truth(args[0], depth) {
                Some(true) => self.range(args[1], depth)?,
                Some(false) => self.range(args[2], depth)?,
                None => self.range(args[1], depth)?.join(&self.range(args[2], depth)?),
            },
            _ => return None,
        })
    }

    fn truth(&mut self, t: Term, depth: u32) -> Option<bool> {
        if depth > MAX_DEPTH {
            return None;
        }
        let depth = depth + 1;
        let op = self.terms().op(t);
        let args: Vec<Term> = self.terms().args(t).to_vec();
        match op {
            Op::True => Some(true),
            Op::False => Some(false),
            Op::Var(_) => self.env.bools.get(&self.program.var_of(t)?).copied(),
            Op::Not => Some(!self.truth(args[0], depth)?),
            Op::And | Op::Or => {
                let decisive = op == Op::Or;
                let (a, b) = (self.truth(args[0], depth), self.truth(args[1], depth));
                match (a, b) {
                    _ if a == Some(decisive) || b == Some(decisive) => Some(decisive),
                    (Some(_), Some(_)) => Some(!decisive),
                    _ => None,
                }
            }
            Op::Xor => Some(self.truth(args[0], depth)? != self.truth(args[1], depth)?),
            Op::Ite => match self.truth(args[0], depth) {
                Some(true) => self.truth(args[1], depth),
                Some(false) => self.truth(args[2], depth),
                None => {
                    let (a, b) = (self.truth(args[1], depth)?, self.truth(args[2], depth)?);
                    (a == b).then_some(a)
                }
            },
            Op::Eq => match self.terms().sort(args[0]) {
                Sort::Bool => Some(self.truth(args[0], depth)? == self.truth(args[1], depth)?),
                _ => {
                    let (a, b) = (self.range(args[0], depth)?, self.range(args[1], depth)?);
                    match (a.as_constant(), b.as_constant()) {
                        (Some(x), Some(y)) => return Some(x == y),
                        _ if a.meet(&b).is_none() => return Some(false),
                        _ => {}
                    }
                    let difference = self.env.term_difference(self.program, args[0], args[1])?;
                    match difference.as_constant() {
                        Some(value) => Some(value == 0),
                        None => (!difference.contains(0)).then_some(false),
                    }
                }
            },
            Op::BvUlt | Op::BvUle => {
                let (a, b) = (self.range(args[0], depth)?, self.range(args[1], depth)?);
                let bounds = ((a.ulo.into(), a.uhi.into()), (b.ulo.into(), b.uhi.into()));
                self.compare(op == Op::BvUlt, args[0], args[1], bounds)
            }
            Op::BvSlt | Op::BvSle => {
                let (a, b) = (self.range(args[0], depth)?, self.range(args[1], depth)?);
                let bounds = ((a.slo.into(), a.shi.into()), (b.slo.into(), b.shi.into()));
                self.compare(op == Op::BvSlt, args[0], args[1], bounds)
            }
            _ => None,
        }
    }

    /// `a < b` or `a <= b` where all members agree, or all differences do and none wraps.
    fn compare(&self, strict: bool, a: Term, b: Term, (x, y): (Bounds, Bounds)) -> Option<bool> {
        compare(strict, x, y).or_else(|| {
            let difference = self.env.term_difference(self.program, a, b)?;
            let exact = fits_signed(x.0 - y.1, difference.width) && fits_signed(x.1 - y.0, difference.width);
            let bounds = (difference.slo.into(), difference.shi.into());
            if exact { compare(strict, bounds, (0, 0)) } else { None }
        })
    }
}

/// The least and the greatest member.
type Bounds = (i128, i128);

/// `a < b` or `a <= b` where all members agree.
fn compare(strict: bool, a: Bounds, b: Bounds) -> Option<bool> {
    let (always, never) = if strict { (a.1 < b.0, a.0 >= b.1) } else { (a.1 <= b.0, a.0 > b.1) };
    if always {
        Some(true)
    } else if never {
        Some(false)
    } else {
        None
    }
}
