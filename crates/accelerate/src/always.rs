//! Conditions without quantifier for "P holds in every iteration" (Kroening et al. 2015, section 4.1).
//!
//! [`Range::always`] gives a condition that *implies* `∀ j ≤ last. P(j)`; it may be stronger. The steps are:
//!
//! - An equation `f(j) = k` with a step of ±1 singles out one iteration. That one is looked at by itself, and for
//!   all others the equation is false: `∀j. P ⟸ (j_k ≤ last ⟹ P(j_k)) ∧ ∀j. P[equation := false]`. So `≠` needs no splitting.
//! - A disjunction is split (figure 4): one side holds throughout, or the other does.
//! - A comparison of values that move linearly, and do not wrap around on the way, holds throughout if it holds in the first
//!   and in the last iteration (proposition 1, for both directions at once). Not wrapping around is asked for exactly,
//!   in wider vectors (section 3.4). A value that moves quadratically may be compared with one that rests, if its
//!   increments keep their sign.
//! - A remainder by a divisor of the step rests.
//!
//! The caller has scalar conditions proved by the solver once more; what is read from arrays is proved by the replay.

use crate::limits::always::{MAX_DEPTH, MAX_POINTS, MIN_POINT_WIDTH};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::collections::BTreeMap;
use term::{Op, Sort, Store, Term};

/// The width of iteration counts.
pub const COUNT: u32 = 32;

/// The iterations `0 ..= last`.
#[derive(Clone, Copy, Debug)]
pub struct Range {
    /// The variable that counts them.
    pub j: Term,
    pub last: Term,
}

/// `base + step·j + curve·j(j-1)/2`, modulo the width.
#[derive(Clone, Copy, Debug)]
struct Motion {
    base: Term,
    step: Term,
    /// `None` is zero.
    curve: Option<Term>,
}

/// An equation that holds in one iteration at most.
struct Point {
    equation: Term,
    /// That iteration.
    at: Term,
    /// Whether it is in the range.
    inside: Term,
    /// Under which all this is so.
    conditions: Vec<Term>,
    /// If a value that moves by one is compared with a constant: where it starts, whether it rises, and the constant.
    through: Option<(Term, bool, u128)>,
}

/// `j(j-1)/2`, exact, in so many bits.
pub(crate) const TRIANGLE: u32 = 2 * COUNT + 1;

/// The sum `0 + 1 + … + (j-1)`, exact.
pub(crate) fn triangle(terms: &mut Store, j: Term) -> Term {
    let wide = terms.zext_to(j, TRIANGLE);
    let minus_one = terms.bv_signed(-1, TRIANGLE);
    let before = terms.add(wide, minus_one);
    let product = terms.mul(wide, before);
    let one = terms.bv(1, TRIANGLE);
    terms.lshr(product, one)
}

/// An unsigned number cut or widened to `width`.
pub(crate) fn to_width(terms: &mut Store, t: Term, width: u32) -> Term {
    terms.resize(t, width, false)
}

impl Range {
    /// A condition that implies `p` for every `j` in the range.
    pub fn always(&self, terms: &mut Store, p: Term) -> Term {
        Work { j: self.j, last: self.last, moving: RefCell::default() }.always(terms, p)
    }
}

/// A range, with what is known about the terms met so far.
struct Work {
    j: Term,
    last: Term,
    /// Whether a term depends on the iteration.
    moving: RefCell<FxHashMap<Term, bool>>,
}

impl Work {
    fn always(&self, terms: &mut Store, p: Term) -> Term {
        let p = term::normal::nnf(terms, p);
        let points = self.points(terms, p);
        let mut parts = Vec::new();
        let mut rest = term::Substitution::new();
        for Point { equation, at, inside, conditions, .. } in &points {
            parts.extend(conditions);
            let here = term::substitute(terms, p, &[(self.j, *at)]);
            parts.push(terms.implies(*inside, here));
            let never = terms.bool(false);
            rest.insert(terms, *equation, never);
        }
        let p = rest.apply(terms, p);
        let p = term::normal::nnf(terms, p);
        let mut ways = self.covered(terms, &points);
        ways.push(self.throughout(terms, p));
        parts.push(terms.or_all(&ways));
        terms.and_all(&parts)
    }

    /// Conditions under which every iteration is one of those singled out: a value that runs through consecutive constants
    /// and is compared with each of them, as the index of a literal is.
    fn covered(&self, terms: &mut Store, points: &[Point]) -> Vec<Term> {
        let mut runs: BTreeMap<(Term, bool), Vec<u128>> = BTreeMap::new();
        for point in points {
            if let Some((base, rises, constant)) = point.through {
                runs.entry((base, rises)).or_default().push(constant);
            }
        }
        let mut ways = Vec::new();
        for ((base, rises), mut constants) in runs {
            constants.sort_unstable();
            constants.dedup();
            let width = terms.width(base);
            for run in constants.chunk_by(|a, b| a + 1 == *b).filter(|run| run.len() > 1) {
                let (low, high) = (terms.bv(run[0], width), terms.bv(run[run.len() - 1], width));
                let room = if rises { terms.sub(high, base) } else { terms.sub(base, low) };
                let wide = width.max(COUNT);
                let (room, last) = (to_width(terms, room, wide), to_width(terms, self.last, wide));
                let parts = [terms.ule(low, base), terms.ule(base, high), terms.ule(last, room)];
                ways.push(terms.and_all(&parts));
            }
        }
        ways
    }

    fn moves(&self, terms: &Store, t: Term) -> bool {
        let mut moving = self.moving.borrow_mut();
        let mut stack = vec![t];
        while let Some(&top) = stack.last() {
            if moving.contains_key(&top) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            stack.extend(terms.args(top).iter().filter(|a| !moving.contains_key(a)));
            if stack.len() == before {
                let moves = top == self.j || terms.args(top).iter().any(|a| moving[a]);
                moving.insert(top, moves);
                stack.pop();
            }
        }
        moving[&t]
    }

    /// The equations in `p` that hold in one iteration at most.
    fn points(&self, terms: &mut Store, p: Term) -> Vec<Point> {
        let mut found = Vec::new();
        for t in term::postorder(terms, &[p]) {
            if terms.op(t) != Op::Eq || found.len() >= MAX_POINTS {
                continue;
            }
            let (a, b) = (terms.arg(t, 0), terms.arg(t, 1));
            let Sort::Bv(width) = terms.sort(a) else { continue };
            let difference = terms.sub(a, b);
            let mut conditions = Vec::new();
            let Some(motion) = self.motion(terms, difference, &mut conditions) else { continue };
            if motion.curve.is_some() || width < MIN_POINT_WIDTH {
                continue;
            }
            let one = terms.bv(1, width);
            let minus_one = terms.bv_signed(-1, width);
            // base + j = 0  or  base - j = 0
            let at = match motion.step {
                step if step == one => terms.neg(motion.base),
                step if step == minus_one => motion.base,
                _ => continue,
            };
            let wide = width.max(COUNT);
            let (at_wide, last_wide) = (to_width(terms, at, wide), to_width(terms, self.last, wide));
            let inside = terms.ule(at_wide, last_wide);
            if width < COUNT {
                // Narrow values come back to where they were; only ranges without that are looked at.
                let around = terms.bv(1 << width, COUNT);
                conditions.push(terms.ult(self.last, around));
            }
            let at = to_width(terms, at, COUNT);
            let rises = motion.step == one;
            let through = self.through(terms, a, b, rises).or_else(|| self.through(terms, b, a, !rises));
            found.push(Point { equation: t, at, inside, conditions, through });
        }
        found
    }

    fn through(&self, terms: &mut Store, value: Term, constant: Term, rises: bool) -> Option<(Term, bool, u128)> {
        let constant = terms.as_bv_const(constant)?.to_u128()?;
        let base = self.motion(terms, value, &mut Vec::new())?.base;
        Some((base, rises, constant))
    }

    /// `p` (in negation normal form) holds throughout, each disjunct by itself.
    fn throughout(&self, terms: &mut Store, p: Term) -> Term {
        let mut memo = FxHashMap::default();
        self.split(terms, p, &mut memo, 0)
    }

    fn split(&self, terms: &mut Store, p: Term, memo: &mut FxHashMap<Term, Term>, depth: u32) -> Term {
        if !self.moves(terms, p) {
            return p;
        }
        if let Some(known) = memo.get(&p) {
            return *known;
        }
        let args: Vec<Term> = terms.args(p).to_vec();
        let result = match terms.op(p) {
            op @ (Op::And | Op::Or) => {
                let parts: Vec<Term> = args.iter().map(|a| self.split(terms, *a, memo, depth)).collect();
                terms.mk(op, &parts)
            }
            _ => match self.conditional(terms, p) {
                Some((condition, then, otherwise)) if depth < MAX_DEPTH => {
                    let condition = term::normal::nnf(terms, condition);
                    let opposite = term::normal::negate(terms, condition);
                    let mut sides = Vec::new();
                    for (when, atom) in [(condition, then), (opposite, otherwise)] {
                        let replaced = term::normal::nnf(terms, atom);
                        let when = self.split(terms, when, memo, depth + 1);
                        let holds = self.split(terms, replaced, memo, depth + 1);
                        sides.push(terms.and(when, holds));
                    }
                    terms.or_all(&sides)
                }
                Some(_) => terms.bool(false),
                None => self.atom(terms, p),
            },
        };
        memo.insert(p, result);
        result
    }

    /// An `ite` in an atom whose condition changes: the condition, and the atom in either case.
    fn conditional(&self, terms: &mut Store, atom: Term) -> Option<(Term, Term, Term)> {
        let choice = term::postorder(terms, &[atom]).into_iter().find(|t| {
            terms.op(*t) == Op::Ite && self.moves(terms, terms.arg(*t, 0)) && terms.sort(*t).as_array().is_none()
        })?;
        let (condition, then, otherwise) = (terms.arg(choice, 0), terms.arg(choice, 1), terms.arg(choice, 2));
        let with_then = term::substitute(terms, atom, &[(choice, then)]);
        let with_otherwise = term::substitute(terms, atom, &[(choice, otherwise)]);
        Some((condition, with_then, with_otherwise))
    }

    fn atom(&self, terms: &mut Store, p: Term) -> Term {
        let never = terms.bool(false);
        match terms.op(p) {
            op @ (Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle) => {
                let signed = matches!(op, Op::BvSlt | Op::BvSle);
                self.comparison(terms, p, signed).unwrap_or(never)
            }
            Op::Eq => self.equation(terms, p).unwrap_or(never),
            Op::Not if terms.op(terms.arg(p, 0)) == Op::Eq => {
                let equal = terms.arg(p, 0);
                let (a, b) = (terms.arg(equal, 0), terms.arg(equal, 1));
                if terms.sort(a).bv_width().is_none() {
                    return never;
                }
                if let Some(rests) = self.equation(terms, p) {
                    return rests;
                }
                // a ≠ b throughout if it is less, or greater, throughout.
                let mut ways = Vec::new();
                for (lesser, greater) in [(a, b), (b, a)] {
                    let unsigned = terms.ult(lesser, greater);
                    ways.push(self.side(terms, unsigned, false));
                    let signed = terms.slt(lesser, greater);
                    ways.push(self.side(terms, signed, true));
                }
                terms.or_all(&ways)
            }
            _ => never,
        }
    }

    /// An equation, or the negation of one, whose sides keep their distance holds throughout if it holds first.
    fn equation(&self, terms: &mut Store, p: Term) -> Option<Term> {
        let equal = if terms.op(p) == Op::Not { terms.arg(p, 0) } else { p };
        let (a, b) = (terms.arg(equal, 0), terms.arg(equal, 1));
        let width = terms.sort(a).bv_width()?;
        let mut conditions = Vec::new();
        let (ma, mb) = (self.motion(terms, a, &mut conditions)?, self.motion(terms, b, &mut conditions)?);
        let zero = terms.bv(0, width);
        let apart = terms.sub(ma.step, mb.step);
        if apart != zero || ma.curve != mb.curve {
            return None;
        }
        let first = terms.bv(0, COUNT);
        conditions.push(term::substitute(terms, p, &[(self.j, first)]));
        Some(terms.and_all(&conditions))
    }

    fn side(&self, terms: &mut Store, less: Term, signed: bool) -> Term {
        match terms.op(less) {
            Op::BvUlt | Op::BvSlt | Op::BvUle | Op::BvSle => {
                self.comparison(terms, less, signed).unwrap_or_else(|| terms.bool(false))
            }
            _ if !self.moves(terms, less) => less,
            _ => terms.bool(false),
        }
    }

    /// A comparison of two values that move evenly holds throughout if it holds first and last.
    fn comparison(&self, terms: &mut Store, p: Term, signed: bool) -> Option<Term> {
        let (a, b) = (terms.arg(p, 0), terms.arg(p, 1));
        let mut conditions = Vec::new();
        let (ma, mb) = (self.motion(terms, a, &mut conditions)?, self.motion(terms, b, &mut conditions)?);
        let zero = terms.bv(0, terms.width(a));
        let rests = |m: &Motion| m.step == zero && m.curve.is_none();
        if ma.curve.is_some() && !rests(&mb) || mb.curve.is_some() && !rests(&ma) {
            return None;
        }
        for m in [ma, mb].iter().filter(|m| !rests(m)) {
            conditions.push(self.stays_in_range(terms, m, signed));
        }
        let start = terms.bv(0, COUNT);
        conditions.push(term::substitute(terms, p, &[(self.j, start)]));
        conditions.push(term::substitute(terms, p, &[(self.j, self.last)]));
        Some(terms.and_all(&conditions))
    }

    /// The value does not wrap around in the range: computed in a wider vector it is the same at the end.
    fn stays_in_range(&self, terms: &mut Store, m: &Motion, signed: bool) -> Term {
        let width = terms.width(m.base);
        let wide = width + if m.curve.is_some() { TRIANGLE } else { COUNT } + 3;
        let extend = |terms: &mut Store, t: Term| terms.resize(t, wide, signed);
        let base = extend(terms, m.base);
        let step = terms.sext_to(m.step, wide);
        let last = terms.zext_to(self.last, wide);
        let way = terms.mul(step, last);
        let mut end = terms.add(base, way);
        let mut conditions = Vec::new();
        if let Some(curve) = m.curve {
            let curve = terms.sext_to(curve, wide);
            let sum = triangle(terms, self.last);
            let sum = terms.zext_to(sum, wide);
            let bent = terms.mul(curve, sum);
            end = terms.add(end, bent);
            // Increments `step + curve·j` keep their sign.
            let zero = terms.bv(0, wide);
            let added = terms.mul(curve, last);
            let last_step = terms.add(step, added);
            let (up, still_up) = (terms.sle(zero, step), terms.sle(zero, last_step));
            let (down, still_down) = (terms.sle(step, zero), terms.sle(last_step, zero));
            let rises = terms.and(up, still_up);
            let falls = terms.and(down, still_down);
            conditions.push(terms.or(rises, falls));
        }
        let cut = terms.extract(end, width - 1, 0);
        let back = extend(terms, cut);
        conditions.push(terms.eq(end, back));
        terms.and_all(&conditions)
    }

    /// How a value moves, under conditions that are added.
    fn motion(&self, terms: &mut Store, t: Term, conditions: &mut Vec<Term>) -> Option<Motion> {
        let width = terms.sort(t).bv_width()?;
        if !self.moves(terms, t) {
            return Some(Motion { base: t, step: terms.bv(0, width), curve: None });
        }
        if t == self.j {
            return Some(Motion { base: terms.bv(0, width), step: terms.bv(1, width), curve: None });
        }
        let args: Vec<Term> = terms.args(t).to_vec();
        match terms.op(t) {
            Op::BvAdd => {
                let (a, b) = (self.motion(terms, args[0], conditions)?, self.motion(terms, args[1], conditions)?);
                let curve = match (a.curve, b.curve) {
                    (Some(x), Some(y)) => Some(terms.add(x, y)),
                    (x, y) => x.or(y),
                };
                Some(Motion { base: terms.add(a.base, b.base), step: terms.add(a.step, b.step), curve })
            }
            Op::BvMul => {
                let (factor, moving) = if self.moves(terms, args[0]) { (args[1], args[0]) } else { (args[0], args[1]) };
                if self.moves(terms, factor) {
                    return None;
                }
                let m = self.motion(terms, moving, conditions)?;
                let curve = m.curve.map(|c| terms.mul(c, factor));
                Some(Motion { base: terms.mul(m.base, factor), step: terms.mul(m.step, factor), curve })
            }
            Op::BvNeg => {
                let m = self.motion(terms, args[0], conditions)?;
                let curve = m.curve.map(|c| terms.neg(c));
                Some(Motion { base: terms.neg(m.base), step: terms.neg(m.step), curve })
            }
            Op::BvNot => {
                let m = self.motion(terms, args[0], conditions)?;
                let curve = m.curve.map(|c| terms.neg(c));
                Some(Motion { base: terms.bvnot(m.base), step: terms.neg(m.step), curve })
            }
            Op::ZeroExtend(_) | Op::SignExtend(_) => {
                let signed = matches!(terms.op(t), Op::SignExtend(_));
                let m = self.motion(terms, args[0], conditions)?;
                conditions.push(self.stays_in_range(terms, &m, signed));
                let base = terms.resize(m.base, width, signed);
                let curve = m.curve.map(|c| terms.sext_to(c, width));
                Some(Motion { base, step: terms.sext_to(m.step, width), curve })
            }
            Op::Extract { hi, lo: 0 } => {
                if let Some(curve) = self.triangle_cut(terms, args[0], hi) {
                    return Some(curve);
                }
                let m = self.motion(terms, args[0], conditions)?;
                let curve = m.curve.map(|c| terms.extract(c, hi, 0));
                Some(Motion { base: terms.extract(m.base, hi, 0), step: terms.extract(m.step, hi, 0), curve })
            }
            Op::Extract { hi, lo } => self.upper_bits(terms, args[0], hi, lo, conditions),
            op @ (Op::BvUrem | Op::BvUdiv | Op::BvSrem | Op::BvSdiv) => self.parted(terms, op, &args, conditions),
            Op::Concat if terms.as_bv_const(args[1]).is_some_and(term::Bits::is_zero) => {
                // A product with a power of two.
                let m = self.motion(terms, args[0], conditions)?;
                let curve = m.curve.map(|c| terms.concat(c, args[1]));
                Some(Motion { base: terms.concat(m.base, args[1]), step: terms.concat(m.step, args[1]), curve })
            }
            _ => None,
        }
    }

    /// Quotient and remainder by a constant that divides the step, where nothing wraps around or is negative: the remainder rests.
    fn parted(&self, terms: &mut Store, op: Op, args: &[Term], conditions: &mut Vec<Term>) -> Option<Motion> {
        let width = terms.width(args[0]);
        let divisor = terms.as_bv_const(args[1])?.to_i128().filter(|d| *d > 0)?;
        let m = self.motion(terms, args[0], conditions)?;
        let step = terms.as_bv_const(m.step)?.to_i128()?;
        if m.curve.is_some() || step % divisor != 0 {
            return None;
        }
        let is_signed = matches!(op, Op::BvSrem | Op::BvSdiv);
        conditions.push(self.stays_in_range(terms, &m, is_signed));
        if is_signed {
            let zero = terms.bv(0, width);
            let end = term::substitute(terms, args[0], &[(self.j, self.last)]);
            for value in [m.base, end] {
                conditions.push(terms.sle(zero, value));
            }
        }
        let is_quotient = matches!(op, Op::BvUdiv | Op::BvSdiv);
        let step = terms.bv_signed(if is_quotient { step / divisor } else { 0 }, width);
        Some(Motion { base: terms.mk(op, &[m.base, args[1]]), step, curve: None })
    }

    /// The low bits of `j(j-1)/2`.
    fn triangle_cut(&self, terms: &mut Store, t: Term, hi: u32) -> Option<Motion> {
        let sum = triangle(terms, self.j);
        let cut = terms.extract(sum, hi, 0);
        let same = terms.extract(t, hi, 0);
        let (zero, one) = (terms.bv(0, hi + 1), terms.bv(1, hi + 1));
        (cut == same).then_some(Motion { base: zero, step: zero, curve: Some(one) })
    }

    /// The bits above an offset rest as long as the offset below them does not wrap around: a pointer keeps its object.
    /// Where nothing is added to the bits below, those above move by themselves: an element's number.
    fn upper_bits(&self, terms: &mut Store, t: Term, hi: u32, lo: u32, conditions: &mut Vec<Term>) -> Option<Motion> {
        let m = self.motion(terms, t, conditions)?;
        if m.curve.is_some() {
            return None;
        }
        let below = terms.extract(m.step, lo - 1, 0);
        if terms.as_bv_const(below).is_some_and(term::Bits::is_zero) {
            let (base, step) = (terms.extract(m.base, hi, lo), terms.extract(m.step, hi, lo));
            return Some(Motion { base, step, curve: None });
        }
        let low =
            Motion { base: terms.extract(m.base, lo - 1, 0), step: terms.extract(m.step, lo - 1, 0), curve: None };
        let whole = terms.width(t);
        let extended = terms.sext_to(low.step, whole);
        conditions.push(terms.eq(extended, m.step));
        conditions.push(self.stays_in_range(terms, &low, false));
        let base = terms.extract(m.base, hi, lo);
        Some(Motion { base, step: terms.bv(0, hi - lo + 1), curve: None })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use term::{Bits, Value};

    /// What proofs about closed forms rely on.
    #[test]
    fn the_sum_below_j_plus_one_is_the_sum_below_j_and_j() {
        let mut terms = Store::new();
        for j in [0, 1, 2, 3, 1000, 65_535, 65_536, 3_000_000_000, u128::from(u32::MAX - 1)] {
            let number = terms.bv(j, COUNT);
            let sum = triangle(&mut terms, number);
            let expected = j * j.saturating_sub(1) / 2;
            assert_eq!(terms.as_value(sum), Some(Value::Bv(Bits::new(expected, TRIANGLE))), "{j}");
        }
    }

    /// A condition that holds always is implied by what `always` says, for every iteration: at small widths, by the solver.
    #[test]
    fn what_always_holds_holds_in_every_iteration() {
        let mut solver = smt::open(&smt::SolverSettings::default()).expect("a solver");
        let mut terms = Store::new();
        let j = terms.var("j", Sort::Bv(COUNT));
        let last = terms.var("last", Sort::Bv(COUNT));
        let range = Range { j, last };
        let (x, y) = (terms.var("x", Sort::Bv(8)), terms.var("y", Sort::Bv(8)));
        let low = to_width(&mut terms, j, 8);
        for step in [1i128, -1, 3, 4, 127] {
            let step = terms.bv_signed(step, 8);
            let way = terms.mul(step, low);
            let moved = terms.add(x, way);
            let wide = terms.sext_to(moved, 12);
            let (zero, bound) = (terms.bv(0, 12), terms.bv(100, 12));
            let (less, signed_less) = (terms.ult(moved, y), terms.slt(moved, y));
            let (unequal, inside) = (terms.ne(moved, y), terms.slt(wide, bound));
            let either = terms.slt(wide, zero);
            let either = terms.or(either, less);
            // An object's number above an offset, and an element's number.
            let (object, other) = (terms.extract(moved, 7, 5), terms.extract(y, 7, 5));
            let (element, last_element) = (terms.extract(moved, 7, 2), terms.extract(y, 7, 2));
            let (same, different) = (terms.eq(object, other), terms.ne(object, other));
            let before = terms.ult(element, last_element);
            let (three, four) = (terms.bv(3, 8), terms.bv(4, 8));
            let (third, fourth) = (terms.mk(Op::BvSrem, &[moved, three]), terms.mk(Op::BvUrem, &[moved, four]));
            let (rest, other_rest) = (terms.eq(third, y), terms.ne(fourth, y));
            let share = terms.mk(Op::BvSdiv, &[moved, three]);
            let shares = terms.slt(share, y);
            let mut among = terms.bool(false);
            for constant in 3..6 {
                let constant = terms.bv(constant, 8);
                let here = terms.eq(constant, moved);
                among = terms.or(among, here);
            }
            for claim in
                [less, signed_less, unequal, inside, either, same, different, before, among, rest, other_rest, shares]
            {
                let always = range.always(&mut terms, claim);
                let in_range = terms.ule(j, last);
                let broken = terms.not(claim);
                let answer = solver.check(&terms, &[always, in_range, broken]);
                assert_eq!(answer, Ok(smt::Answer::Unsat), "{}", term::smtlib::print_term(&terms, claim));
            }
            if terms.as_bv_const(step).and_then(term::Bits::to_i128) == Some(3) {
                let (always, two) = (range.always(&mut terms, rest), terms.bv(2, COUNT));
                let thrice = terms.eq(last, two);
                assert_eq!(solver.check(&terms, &[always, thrice]), Ok(smt::Answer::Sat));
            }
            if terms.as_bv_const(step).is_some_and(|s| s.to_i128().is_some_and(|s| s.abs() == 1)) {
                let (always, two) = (range.always(&mut terms, among), terms.bv(2, COUNT));
                let thrice = terms.eq(last, two);
                assert_eq!(solver.check(&terms, &[always, thrice]), Ok(smt::Answer::Sat));
            }
        }
    }
}
