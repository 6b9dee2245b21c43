//! From bit-vector terms to polynomials and back.
//!
//! Sums, products, negation, complement and shifts by constants are ring operations, and taking the low bits is a ring
//! homomorphism. Extension is none; it passes through a polynomial where the integer value of the polynomial provably
//! fits the narrow type, so that `(long long)(2*y)` is `2*(long long)y`. Everything else is an atom. Quotients and
//! remainders are atoms tied by `a = b*(a/b) + a%b`, which holds for all operands, zero divisors included.

use crate::bounds::{Bounds, Interval};
use crate::limits::normal::{MAX_DEGREE, MAX_PARTS};
use crate::{Monomial, Poly, WIDEST};
use rustc_hash::FxHashMap;
use term::{Op, Store, Term};

/// Terms as polynomials, under bounds that must hold.
#[derive(Clone, Debug, Default)]
pub struct Normaliser {
    bounds: Bounds,
    memo: FxHashMap<Term, Poly>,
}

impl Normaliser {
    pub fn new(bounds: Bounds) -> Normaliser {
        Normaliser { bounds, memo: FxHashMap::default() }
    }

    pub fn bounds(&self) -> &Bounds {
        &self.bounds
    }

    /// The polynomial of a bit-vector term; `None` for terms that are none or too wide.
    pub fn poly(&mut self, store: &mut Store, t: Term) -> Option<Poly> {
        if store.sort(t).bv_width().is_none_or(|w| w > WIDEST) {
            return None;
        }
        let mut stack = vec![t];
        while let Some(&top) = stack.last() {
            if self.memo.contains_key(&top) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            if is_transparent(store, top) {
                stack.extend(store.args(top).iter().filter(|a| !self.memo.contains_key(a)));
            }
            if stack.len() > before {
                continue;
            }
            stack.pop();
            let p = self.step(store, top);
            self.memo.insert(top, p);
        }
        self.memo.get(&t).cloned()
    }

    /// `a - b`.
    pub fn difference(&mut self, store: &mut Store, a: Term, b: Term) -> Option<Poly> {
        Some(self.poly(store, a)?.sub(&self.poly(store, b)?))
    }

    fn step(&mut self, store: &mut Store, t: Term) -> Poly {
        let width = store.width(t);
        let args: Vec<Term> = store.args(t).to_vec();
        let known = |i: usize| &self.memo[&args[i]];
        let result = match store.op(t) {
            Op::BvConst(_) => return leaf(store, t),
            Op::BvAdd => Some(known(0).add(known(1))),
            Op::BvMul if known(0).len() * known(1).len() <= MAX_PARTS => Some(known(0).mul(known(1))),
            Op::BvNeg => Some(known(0).scale(u128::MAX)),
            Op::BvNot => Some(known(0).scale(u128::MAX).sub(&Poly::constant(1, width))),
            Op::BvShl => store
                .as_bv_const(args[1])
                .and_then(|c| c.to_u64())
                .map(|c| if c >= u64::from(width) { Poly::zero(width) } else { known(0).scale(1 << c) }),
            Op::Extract { hi, lo: 0 } => {
                let wide = known(0).clone();
                Some(wide.map_atoms(width, |a| {
                    let low = store.extract(a, hi, 0);
                    leaf(store, low)
                }))
            }
            Op::SignExtend(_) => {
                let inner = known(0).clone();
                self.extended(store, &inner, width, true)
            }
            Op::ZeroExtend(_) => {
                let inner = known(0).clone();
                self.extended(store, &inner, width, false)
            }
            _ => None,
        };
        result.filter(|p| p.len() <= MAX_PARTS && p.degree() <= MAX_DEGREE).unwrap_or_else(|| leaf(store, t))
    }

    /// The extension of a polynomial that does not overflow.
    fn extended(&self, store: &mut Store, inner: &Poly, width: u32, signed: bool) -> Option<Poly> {
        let narrow = inner.width();
        if narrow > Bounds::WIDEST {
            return None;
        }
        let fits = if signed { Interval::signed(narrow) } else { Interval::unsigned(narrow) };
        let within = |signed| self.value(store, inner, signed).is_some_and(|value| value.within(fits));
        // A polynomial in signed values that is not negative is its own unsigned value.
        let signed = if within(signed) {
            signed
        } else if !signed && within(true) {
            true
        } else {
            return None;
        };
        Some(inner.map_atoms(width, |a| {
            // One form for both extensions of what is not negative.
            let non_negative = self.bounds.signed(store, a).lo >= 0;
            let wide = if signed && !non_negative { store.sext_to(a, width) } else { store.zext_to(a, width) };
            leaf(store, wide)
        }))
    }

    /// The integers that the polynomial takes when atoms stand for their signed (or unsigned) values.
    pub fn value(&self, store: &Store, p: &Poly, signed: bool) -> Option<Interval> {
        let mut sum = Interval::new(0, 0);
        for (m, c) in p.signed_parts() {
            let mut product = Interval::new(c, c);
            for (a, e) in m.factors() {
                if store.width(*a) > Bounds::WIDEST {
                    return None;
                }
                let range = if signed { self.bounds.signed(store, *a) } else { self.bounds.unsigned(store, *a) };
                for _ in 0..*e {
                    product = product.mul(range)?;
                }
                // Even powers are not negative, whatever the corners say.
                if e % 2 == 0 && m.factors().len() == 1 {
                    product = if c >= 0 {
                        Interval::new(product.lo.max(0), product.hi)
                    } else {
                        Interval::new(product.lo, product.hi.min(0))
                    };
                }
            }
            sum = sum.add(product)?;
        }
        Some(sum)
    }

    /// Divides by the powers of two that all coefficients share, where the integer value is too small for the lost bits to
    /// matter: `2^k·X = 0 (mod 2^w)` and `|X| < 2^(w-k)` give `X = 0`. For polynomials that are zero only.
    pub fn primitive(&self, store: &Store, p: &Poly) -> Poly {
        let shared = p.parts().map(|(_, c)| c.trailing_zeros()).min().unwrap_or(0);
        if shared == 0 || shared >= p.width() {
            return p.clone();
        }
        let divided = Poly::from_parts(p.width(), p.signed_parts().map(|(m, c)| (m.clone(), c >> shared)));
        let room = 1i128 << (p.width() - shared).min(126);
        let small = |signed| self.value(store, &divided, signed).is_some_and(|v| v.lo > -room && v.hi < room);
        if small(true) || small(false) { divided } else { p.clone() }
    }

    /// For every quotient and remainder among the atoms of `p`: its defining equation, as a polynomial that is zero.
    pub fn defining_equations(&mut self, store: &mut Store, p: &Poly) -> Vec<Poly> {
        let mut out = Vec::new();
        for atom in p.atoms() {
            let (quotient, remainder) = match (store.op(atom), store.args(atom)) {
                (Op::BvUdiv, &[a, b]) => (atom, store.urem(a, b)),
                (Op::BvUrem, &[a, b]) => (store.udiv(a, b), atom),
                (Op::BvSdiv, &[a, b]) => (atom, store.srem(a, b)),
                (Op::BvSrem, &[a, b]) => (store.sdiv(a, b), atom),
                _ => continue,
            };
            let (a, b) = (store.arg(atom, 0), store.arg(atom, 1));
            let parts =
                (self.poly(store, a), self.poly(store, b), self.poly(store, quotient), self.poly(store, remainder));
            if let (Some(a), Some(b), Some(q), Some(r)) = parts {
                out.push(b.mul(&q).add(&r).sub(&a));
            }
        }
        out
    }
}

fn is_transparent(store: &Store, t: Term) -> bool {
    match store.op(t) {
        Op::BvAdd | Op::BvMul | Op::BvNeg | Op::BvNot | Op::Extract { lo: 0, .. } => true,
        Op::BvShl => store.is_const(store.arg(t, 1)),
        Op::SignExtend(_) | Op::ZeroExtend(_) => true,
        _ => false,
    }
}

fn leaf(store: &Store, t: Term) -> Poly {
    let width = store.width(t);
    match store.as_bv_const(t) {
        Some(c) => Poly::constant(c.to_u128().unwrap_or(0), width),
        None => Poly::atom(t, width),
    }
}

impl Poly {
    /// The polynomial as a term.
    pub fn to_term(&self, store: &mut Store) -> Term {
        let mut sum = store.bv(0, self.width());
        for (m, c) in self.parts().rev() {
            let product = scaled(store, m, c, self.width());
            sum = store.add(sum, product);
        }
        sum
    }

    /// The term `self == 0` with positive parts to the left and negative ones to the right.
    pub fn equation(&self, store: &mut Store) -> Term {
        let zero = store.bv(0, self.width());
        let (mut left, mut right) = (zero, zero);
        for (m, c) in self.signed_parts().rev() {
            let product = scaled(store, m, c.unsigned_abs(), self.width());
            let side = if c > 0 { &mut left } else { &mut right };
            *side = store.add(*side, product);
        }
        store.eq(left, right)
    }
}

fn scaled(store: &mut Store, m: &Monomial, c: u128, width: u32) -> Term {
    let mut product = store.bv(c, width);
    for (a, e) in m.factors() {
        for _ in 0..*e {
            product = store.mul(product, *a);
        }
    }
    product
}
