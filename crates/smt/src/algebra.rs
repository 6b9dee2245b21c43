//! Refutation by polynomial identities: a small search over cases, each a system of equations modulo 2^w.
//!
//! Multipliers are what bit-blasting is worst at, and loop invariants with products are what programs assert. Most of
//! these questions need no bits: on each path the asserted equations, taken as polynomials, already contradict each other,
//! or make two sides of a comparison the same. The search here splits on disjunctions and on conditions of `ite`, solves
//! the equations of each case, and says "unsatisfiable" only if every case is contradictory. It never says more.

use crate::limits::algebra::{MAX_CASES, MAX_DEPTH, MAX_STEPS};
use poly::TooLarge;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use term::{Op, Store, Term};

/// An unknown by its number. What was met first is rewritten first, so it is the greatest.
type Unknown = Reverse<u32>;
type Poly = poly::Poly<Unknown>;
type Equations = poly::Equations<Unknown>;

/// Whether the facts contradict each other, by this argument alone. `false` says nothing.
pub fn refutes(store: &Store, facts: &[Term]) -> bool {
    let mut search = Search { store, truth: FxHashMap::default(), trail: Vec::new(), cases: 0, steps: 0 };
    for &fact in facts {
        if search.assign(fact, true).is_err() {
            return !search.exhausted();
        }
    }
    search.is_contradictory(0)
}

/// Whether a product of two unknowns occurs in the term: what makes a question hard for a solver and worth trying here.
pub fn has_products(store: &Store, t: Term) -> bool {
    let product = |t: &Term| is_product(store, *t);
    term::walk::postorder(store, &[t]).iter().any(product)
}

pub(crate) fn is_product(store: &Store, t: Term) -> bool {
    let division = matches!(store.op(t), Op::BvUdiv | Op::BvUrem | Op::BvSdiv | Op::BvSrem);
    let args = store.args(t);
    (store.op(t) == Op::BvMul && !args.iter().any(|a| store.is_const(*a))) || (division && !store.is_const(args[1]))
}

/// Two truth values for one formula.
struct Conflict;

struct Search<'a> {
    store: &'a Store,
    /// What each formula is assumed to be; negations are stripped.
    truth: FxHashMap<Term, bool>,
    trail: Vec<Term>,
    cases: u32,
    steps: u32,
}

/// What a case says when its equations are solved.
enum Case {
    Contradictory,
    /// The condition decides which value a term has.
    Depends(Term),
    Open,
}

impl Search<'_> {
    fn exhausted(&self) -> bool {
        self.steps > MAX_STEPS || self.cases > MAX_CASES
    }

    fn value(&mut self, t: Term, depth: u32) -> Option<bool> {
        self.steps += 1;
        if let Some(&known) = self.truth.get(&t) {
            return Some(known);
        }
        if depth == 0 || self.steps > MAX_STEPS {
            return None;
        }
        let args = self.store.args(t);
        match self.store.op(t) {
            Op::True => Some(true),
            Op::False => Some(false),
            Op::Not => self.value(args[0], depth).map(|v| !v),
            op @ (Op::And | Op::Or) => {
                let decisive = op == Op::Or;
                let (a, b) = (args[0], args[1]);
                match (self.value(a, depth - 1), self.value(b, depth - 1)) {
                    (Some(x), _) | (_, Some(x)) if x == decisive => Some(decisive),
                    (Some(_), Some(_)) => Some(!decisive),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Assumes `t` to be `value`, and what follows from its structure.
    fn assign(&mut self, t: Term, value: bool) -> Result<(), Conflict> {
        let mut todo = vec![(t, value)];
        while let Some((t, value)) = todo.pop() {
            self.steps += 1;
            if self.exhausted() {
                return Ok(());
            }
            match (self.store.op(t), value) {
                (Op::Not, _) => {
                    todo.push((self.store.arg(t, 0), !value));
                    continue;
                }
                (Op::True, _) | (Op::False, _) => {
                    if (self.store.op(t) == Op::True) != value {
                        return Err(Conflict);
                    }
                    continue;
                }
                _ => {}
            }
            match self.truth.get(&t) {
                Some(known) if *known != value => return Err(Conflict),
                Some(_) => continue,
                None => {}
            }
            self.truth.insert(t, value);
            self.trail.push(t);
            if let (Op::And, true) | (Op::Or, false) = (self.store.op(t), value) {
                todo.extend(self.store.args(t).iter().map(|a| (*a, value)));
            }
        }
        Ok(())
    }

    fn undo(&mut self, mark: usize) {
        for t in self.trail.drain(mark..) {
            self.truth.remove(&t);
        }
    }

    /// Whether every case that the assumptions so far leave is contradictory.
    fn is_contradictory(&mut self, depth: u32) -> bool {
        if depth > MAX_DEPTH || self.exhausted() {
            return false;
        }
        let split = match self.propagate() {
            Err(Conflict) => return !self.exhausted(),
            Ok(Some(part)) => part,
            Ok(None) => {
                self.cases += 1;
                match self.solve() {
                    Ok(Case::Contradictory) => return !self.exhausted(),
                    Ok(Case::Depends(condition)) => condition,
                    Ok(Case::Open) | Err(TooLarge) => return false,
                }
            }
        };
        for value in [true, false] {
            let mark = self.trail.len();
            let refuted = self.assign(split, value).is_err() || self.is_contradictory(depth + 1);
            self.undo(mark);
            if !refuted || self.exhausted() {
                return false;
            }
        }
        true
    }

    /// Draws what conclusions disjunctions allow; returns a part of one that is still open.
    fn propagate(&mut self) -> Result<Option<Term>, Conflict> {
        let mut open = None;
        let mut next = 0;
        while next < self.trail.len() {
            let t = self.trail[next];
            next += 1;
            let value = self.truth[&t];
            let args = self.store.args(t);
            match (self.store.op(t), value) {
                (Op::Or, true) | (Op::And, false) => {
                    let (a, b) = (args[0], args[1]);
                    match (self.value(a, 8), self.value(b, 8)) {
                        (Some(x), _) | (_, Some(x)) if x == value => {}
                        (Some(_), Some(_)) => return Err(Conflict),
                        (Some(_), None) => self.assign(b, value)?,
                        (None, Some(_)) => self.assign(a, value)?,
                        (None, None) => open = open.or(Some(a)),
                    }
                }
                (Op::Eq | Op::Xor, _) if self.store.sort(args[0]).is_bool() => {
                    let same = value == (self.store.op(t) == Op::Eq);
                    let (a, b) = (args[0], args[1]);
                    match (self.value(a, 8), self.value(b, 8)) {
                        (Some(x), Some(y)) if (x == y) != same => return Err(Conflict),
                        (Some(_), Some(_)) => {}
                        (Some(x), None) => self.assign(b, x == same)?,
                        (None, Some(x)) => self.assign(a, x == same)?,
                        (None, None) => open = open.or(Some(a)),
                    }
                }
                (Op::Ite, _) => {
                    let (condition, then, otherwise) = (args[0], args[1], args[2]);
                    match self.value(condition, 8) {
                        Some(true) => self.assign(then, value)?,
                        Some(false) => self.assign(otherwise, value)?,
                        None => open = open.or(Some(condition)),
                    }
                }
                _ => {}
            }
            if self.exhausted() {
                return Ok(open);
            }
        }
        Ok(open)
    }

    /// Solves the equations among the assumptions and compares the rest with them.
    fn solve(&mut self) -> Result<Case, TooLarge> {
        let mut reader = Reader { numbers: FxHashMap::default(), depends: None };
        let (mut zeros, mut nonzeros, mut orders) = (Vec::new(), Vec::new(), Vec::new());
        for i in 0..self.trail.len() {
            let t = self.trail[i];
            let value = self.truth[&t];
            let op = self.store.op(t);
            if !matches!(op, Op::Eq | Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle) {
                continue;
            }
            let (a, b) = (self.store.arg(t, 0), self.store.arg(t, 1));
            let Some(width) = self.store.sort(a).bv_width().filter(|w| *w <= 128) else { continue };
            let (p, q) = (reader.poly(self, a, width, 40)?, reader.poly(self, b, width, 40)?);
            match (op, value) {
                (Op::Eq, true) => zeros.push(p.try_sub(&q)?),
                (Op::Eq, false) => nonzeros.push(p.try_sub(&q)?),
                // Everything as "a <= b" or "a < b", signed or not.
                (Op::BvUlt | Op::BvUle, true) => orders.push((false, op == Op::BvUlt, p, q)),
                (Op::BvUlt | Op::BvUle, false) => orders.push((false, op == Op::BvUle, q, p)),
                (_, true) => orders.push((true, op == Op::BvSlt, p, q)),
                (_, false) => orders.push((true, op == Op::BvSle, q, p)),
            }
        }
        let Some(mut equations) = Equations::solve(zeros.clone())? else { return Ok(Case::Contradictory) };
        // `a <= b` and `b <= a` are an equation; `a < b` is also `a + 1 <= b`, since `a` is not the greatest number.
        let reduced = |equations: &Equations, orders: &[(bool, bool, Poly, Poly)]| {
            let mut out = Vec::new();
            for (signed, strict, p, q) in orders {
                let (p, q) = (equations.reduced(p)?, equations.reduced(q)?);
                if *strict {
                    let next = p.try_add(&Poly::constant(1, p.width()))?;
                    out.push((*signed, false, next, q.clone()));
                }
                out.push((*signed, *strict, p, q));
            }
            Ok::<_, TooLarge>(out)
        };
        let mut known = reduced(&equations, &orders)?;
        let before = zeros.len();
        for (signed, strict, p, q) in &known {
            if !strict && p != q && known.iter().any(|(s, t, a, b)| s == signed && !t && a == q && b == p) {
                zeros.push(p.try_sub(q)?);
            }
        }
        if zeros.len() > before {
            match Equations::solve(zeros)? {
                None => return Ok(Case::Contradictory),
                Some(more) => equations = more,
            }
            known = reduced(&equations, &orders)?;
        }
        for poly in &nonzeros {
            if equations.reduced(poly)?.is_zero() {
                return Ok(Case::Contradictory);
            }
        }
        for (signed, strict, p, q) in &known {
            let reversed = |other: &(bool, bool, Poly, Poly)| {
                other.0 == *signed && (other.1 || *strict) && other.2 == *q && other.3 == *p
            };
            let false_constant = match (p.as_constant(), q.as_constant()) {
                (Some(x), Some(y)) => {
                    let (x, y) = (order_key(x, p.width(), *signed), order_key(y, p.width(), *signed));
                    if *strict { x >= y } else { x > y }
                }
                _ => false,
            };
            if (*strict && p == q) || false_constant || known.iter().any(reversed) {
                return Ok(Case::Contradictory);
            }
        }
        Ok(reader.depends.map_or(Case::Open, Case::Depends))
    }
}

/// A number whose order as unsigned is the wanted order.
fn order_key(value: u128, width: u32, signed: bool) -> u128 {
    if signed { value ^ 1 << (width - 1) } else { value }
}

/// How a term gives an unknown of some width: its low bits, or all of it as a signed or unsigned number.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum View {
    Low,
    Signed,
    Unsigned,
}

/// Reads terms as polynomials; what is no sum or product is an unknown.
struct Reader {
    numbers: FxHashMap<(Term, View, u32), u32>,
    /// A condition that is not decided, on which some value depends.
    depends: Option<Term>,
}

impl Reader {
    fn unknown(&mut self, t: Term, view: View, width: u32) -> Poly {
        let count = self.numbers.len() as u32;
        Poly::atom(Reverse(*self.numbers.entry((t, view, width)).or_insert(count)), width)
    }

    /// The value of `t` modulo 2^width, where `width` is at most its own: truncation is a homomorphism.
    fn poly(&mut self, search: &mut Search<'_>, t: Term, width: u32, depth: u32) -> Result<Poly, TooLarge> {
        search.steps += 1;
        if depth == 0 || search.exhausted() {
            return Err(TooLarge);
        }
        let store = search.store;
        let args = store.args(t);
        let mut part = |search: &mut Search<'_>, i: usize| self.poly(search, args[i], width, depth - 1);
        match store.op(t) {
            Op::BvConst(_) => {
                if let Some(value) = store.as_bv_const(t).and_then(term::Bits::to_u128) {
                    return Ok(Poly::constant(value, width));
                }
            }
            Op::BvAdd => return part(search, 0)?.try_add(&part(search, 1)?),
            Op::BvMul => return part(search, 0)?.try_mul(&part(search, 1)?),
            Op::BvNeg => return Ok(part(search, 0)?.scale(u128::MAX)),
            Op::BvNot => return part(search, 0)?.scale(u128::MAX).try_sub(&Poly::constant(1, width)),
            Op::BvShl => {
                if let Some(by) = store.as_bv_const(args[1]).and_then(term::Bits::to_u128)
                    && by < 128
                {
                    return Ok(part(search, 0)?.scale(1 << by));
                }
            }
            Op::Extract { lo: 0, .. } => return part(search, 0),
            Op::ZeroExtend(_) | Op::SignExtend(_) if store.width(args[0]) >= width => return part(search, 0),
            Op::ZeroExtend(_) => return self.extended(search, args[0], View::Unsigned, width, depth - 1),
            Op::SignExtend(_) => return self.extended(search, args[0], View::Signed, width, depth - 1),
            Op::Ite => match search.value(args[0], 12) {
                Some(true) => return part(search, 1),
                Some(false) => return part(search, 2),
                None => self.depends = self.depends.or(Some(args[0])),
            },
            _ => {}
        }
        Ok(self.unknown(t, View::Low, width))
    }

    /// The number that `t` stands for, signed or unsigned, modulo 2^width, where `width` is more than its own. Sums and
    /// products are taken apart if they cannot overflow.
    fn extended(
        &mut self,
        search: &mut Search<'_>,
        t: Term,
        view: View,
        width: u32,
        depth: u32,
    ) -> Result<Poly, TooLarge> {
        search.steps += 1;
        if depth == 0 || search.exhausted() {
            return Err(TooLarge);
        }
        let store = search.store;
        let args = store.args(t);
        let mut part = |search: &mut Search<'_>, i: usize| self.extended(search, args[i], view, width, depth - 1);
        match store.op(t) {
            Op::BvConst(_) => {
                let bits = store.as_bv_const(t);
                let value = if view == View::Signed {
                    bits.and_then(term::Bits::to_i128).map(|v| v as u128)
                } else {
                    bits.and_then(term::Bits::to_u128)
                };
                if let Some(value) = value {
                    return Ok(Poly::constant(value, width));
                }
            }
            Op::BvAdd | Op::BvMul | Op::BvNeg if exact(store, t, view, 8).is_some() => match store.op(t) {
                Op::BvAdd => return part(search, 0)?.try_add(&part(search, 1)?),
                Op::BvMul => return part(search, 0)?.try_mul(&part(search, 1)?),
                _ => return Ok(part(search, 0)?.scale(u128::MAX)),
            },
            Op::SignExtend(_) if view == View::Signed => return part(search, 0),
            Op::ZeroExtend(_) => return self.extended(search, args[0], View::Unsigned, width, depth - 1),
            Op::Ite => match search.value(args[0], 12) {
                Some(true) => return part(search, 1),
                Some(false) => return part(search, 2),
                None => self.depends = self.depends.or(Some(args[0])),
            },
            _ => {}
        }
        Ok(self.unknown(t, view, width))
    }
}

/// Bounds of the number that `t` stands for; `None` if it is a sum or product that may overflow (or is wide).
fn exact(store: &Store, t: Term, view: View, depth: u32) -> Option<(i128, i128)> {
    let width = store.width(t);
    if width > 64 {
        return None;
    }
    let full = match view {
        View::Signed => (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1),
        _ => (0, (1i128 << width) - 1),
    };
    if depth == 0 {
        return matches!(store.op(t), Op::Var(_)).then_some(full);
    }
    let args = store.args(t);
    let part = |i: usize| exact(store, args[i], view, depth - 1);
    let bounds = match store.op(t) {
        Op::BvConst(_) => {
            let bits = store.as_bv_const(t)?;
            let value = if view == View::Signed { bits.to_i128()? } else { bits.to_u128()? as i128 };
            (value, value)
        }
        Op::BvAdd => {
            let (a, b) = (part(0)?, part(1)?);
            (a.0 + b.0, a.1 + b.1)
        }
        Op::BvNeg => {
            let a = part(0)?;
            (-a.1, -a.0)
        }
        Op::BvMul => {
            let (a, b) = (part(0)?, part(1)?);
            let corners = [a.0.checked_mul(b.0)?, a.0.checked_mul(b.1)?, a.1.checked_mul(b.0)?, a.1.checked_mul(b.1)?];
            (*corners.iter().min()?, *corners.iter().max()?)
        }
        Op::SignExtend(_) if view == View::Signed => part(0)?,
        Op::ZeroExtend(_) => exact(store, args[0], View::Unsigned, depth - 1)?,
        _ => full,
    };
    (bounds.0 >= full.0 && bounds.1 <= full.1).then_some(bounds)
}

#[cfg(test)]
mod tests {
    use super::*;
    use term::Sort;

    struct Names(Store);

    impl Names {
        fn var(&mut self, name: &str) -> Term {
            self.0.var(name, Sort::Bv(64))
        }

        fn product(&mut self, factors: &[Term]) -> Term {
            let one = self.0.bv(1, 64);
            factors.iter().fold(one, |product, f| self.0.mul(product, *f))
        }
    }

    /// `x = n³`, `y = 3n² + 3n + 1` one step further: the sum of cubes by differences.
    #[test]
    fn a_loop_of_differences() {
        let mut names = Names(Store::new());
        let (x, y, n) = (names.var("x"), names.var("y"), names.var("n"));
        let cube = names.product(&[n, n, n]);
        let first = names.0.eq(x, cube);
        let (one, three) = (names.0.bv(1, 64), names.0.bv(3, 64));
        let (square, linear) = (names.product(&[three, n, n]), names.product(&[three, n]));
        let sum = names.0.add(square, linear);
        let sum = names.0.add(sum, one);
        let second = names.0.eq(y, sum);
        let (next_x, next_n) = (names.0.add(x, y), names.0.add(n, one));
        let next_cube = names.product(&[next_n, next_n, next_n]);
        let violated = names.0.ne(next_x, next_cube);
        assert!(refutes(&names.0, &[first, second, violated]));
        assert!(!refutes(&names.0, &[first, violated]));
        assert!(!refutes(&names.0, &[first, second]));
    }

    #[test]
    fn cases_of_a_conditional() {
        let mut names = Names(Store::new());
        let (x, y, z) = (names.var("x"), names.var("y"), names.var("z"));
        let p = names.0.var("p", Sort::Bool);
        // z = p ? x : -x contradicts z * z != x * x; with y in place of -x it does not.
        let minus = names.0.neg(x);
        let value = names.0.ite(p, x, minus);
        let other = names.0.ite(p, x, y);
        let (z2, x2) = (names.product(&[z, z]), names.product(&[x, x]));
        let differ = names.0.ne(z2, x2);
        let (holds, open) = (names.0.eq(z, value), names.0.eq(z, other));
        assert!(refutes(&names.0, &[holds, differ]));
        assert!(!refutes(&names.0, &[open, differ]));
        let either = names.0.eq(z, x);
        let both = names.0.or(holds, either);
        assert!(refutes(&names.0, &[both, differ]));
    }

    /// `6 * a` of a short, computed as an int and converted, is six times the converted short.
    #[test]
    fn conversions_of_what_cannot_overflow() {
        let mut names = Names(Store::new());
        let a = names.0.var("a", Sort::Bv(16));
        let x = names.var("x");
        let int = names.0.sext_to(a, 32);
        let (six, small) = (names.0.bv(6, 32), names.0.sext_to(a, 64));
        let product = names.0.mul(int, six);
        let (outer, wide) = (names.0.sext_to(product, 64), names.0.bv(6, 64));
        let (left, inner) = (names.0.mul(outer, x), names.0.mul(small, wide));
        let right = names.0.mul(inner, x);
        let differ = names.0.ne(left, right);
        assert!(refutes(&names.0, &[differ]));
        // At 131072 times an int can overflow.
        let large = names.0.bv(1 << 17, 32);
        let (product, wide) = (names.0.mul(int, large), names.0.bv(1 << 17, 64));
        let outer = names.0.sext_to(product, 64);
        let (left, inner) = (names.0.mul(outer, x), names.0.mul(small, wide));
        let right = names.0.mul(inner, x);
        let differ = names.0.ne(left, right);
        assert!(!refutes(&names.0, &[differ]));
    }

    #[test]
    fn orders_meet_equations() {
        let mut names = Names(Store::new());
        let (c, k, y) = (names.var("c"), names.var("k"), names.var("y"));
        let (le, ge, eq) = (names.0.sle(c, k), names.0.sle(k, c), names.0.eq(y, c));
        let (ky, yy) = (names.product(&[k, y]), names.product(&[y, y]));
        let differ = names.0.ne(ky, yy);
        assert!(refutes(&names.0, &[le, ge, eq, differ]));
        assert!(!refutes(&names.0, &[le, eq, differ]));
        let less = names.0.slt(y, c);
        assert!(refutes(&names.0, &[eq, less]));
        // k < c and c <= k + 1.
        let one = names.0.bv(1, 64);
        let next = names.0.add(k, one);
        let (more, within, other) = (names.0.slt(k, c), names.0.sle(c, next), names.0.ne(c, next));
        assert!(refutes(&names.0, &[more, within, other]));
        assert!(!refutes(&names.0, &[within, other]));
    }
}
