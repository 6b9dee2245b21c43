//! What literals say about the size of terms: intervals of their signed and their unsigned value.
//!
//! Arithmetic on machine integers is arithmetic on integers as long as nothing overflows; intervals tell where that is.

use crate::limits::bounds::MAX_DEPTH;
use rustc_hash::FxHashMap;
use term::{Bits, Op, Store, Term};

/// The integers from `lo` to `hi`; empty when `lo > hi`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Interval {
    pub lo: i128,
    pub hi: i128,
}

impl Interval {
    pub fn new(lo: i128, hi: i128) -> Interval {
        Interval { lo, hi }
    }

    pub fn is_empty(&self) -> bool {
        self.lo > self.hi
    }

    pub fn within(&self, other: Interval) -> bool {
        other.lo <= self.lo && self.hi <= other.hi
    }

    pub fn meet(&self, other: Interval) -> Interval {
        Interval::new(self.lo.max(other.lo), self.hi.min(other.hi))
    }

    pub fn add(&self, other: Interval) -> Option<Interval> {
        Some(Interval::new(self.lo.checked_add(other.lo)?, self.hi.checked_add(other.hi)?))
    }

    pub fn mul(&self, other: Interval) -> Option<Interval> {
        let corners = [
            self.lo.checked_mul(other.lo)?,
            self.lo.checked_mul(other.hi)?,
            self.hi.checked_mul(other.lo)?,
            self.hi.checked_mul(other.hi)?,
        ];
        Some(Interval::new(corners.into_iter().min()?, corners.into_iter().max()?))
    }

    /// All signed numbers of a width.
    pub fn signed(width: u32) -> Interval {
        let half = 1i128 << (width.min(127) - 1);
        Interval::new(-half, half - 1)
    }

    /// All unsigned numbers of a width.
    pub fn unsigned(width: u32) -> Interval {
        Interval::new(0, (1i128 << width.min(126)) - 1)
    }
}

/// Both views of one term.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Views {
    signed: Interval,
    unsigned: Interval,
}

impl Views {
    fn full(width: u32) -> Views {
        Views { signed: Interval::signed(width), unsigned: Interval::unsigned(width) }
    }

    fn meet(&self, other: &Views) -> Views {
        Views { signed: self.signed.meet(other.signed), unsigned: self.unsigned.meet(other.unsigned) }
    }

    /// Where the sign is known, the views inform each other.
    fn reduce(mut self, width: u32) -> Views {
        let half = Interval::signed(width).hi;
        if self.signed.lo >= 0 || self.unsigned.hi <= half {
            let both = self.signed.meet(self.unsigned);
            self = Views { signed: both, unsigned: both };
        } else if self.signed.hi < 0 || self.unsigned.lo > half {
            let wrap = 1i128 << width;
            let signed = self.signed.meet(Interval::new(self.unsigned.lo - wrap, self.unsigned.hi - wrap));
            self = Views { signed, unsigned: Interval::new(signed.lo + wrap, signed.hi + wrap) };
        }
        self
    }
}

/// Intervals of terms, learned from literals.
#[derive(Clone, Debug, Default)]
pub struct Bounds {
    known: FxHashMap<Term, Views>,
}

impl Bounds {
    /// Wider terms are not followed: their intervals do not fit the integers used here.
    pub const WIDEST: u32 = 120;

    pub fn new() -> Bounds {
        Bounds::default()
    }

    /// What the literals together say, iterated a few times.
    pub fn from_literals(store: &Store, literals: &[Term]) -> Bounds {
        let mut bounds = Bounds::new();
        for _ in 0..4 {
            let before = bounds.known.clone();
            for literal in literals {
                bounds.learn(store, *literal);
            }
            if bounds.known == before {
                break;
            }
        }
        bounds
    }

    /// The signed value of a bit-vector term lies in it.
    pub fn signed(&self, store: &Store, t: Term) -> Interval {
        self.views(store, t, 0).signed
    }

    pub fn unsigned(&self, store: &Store, t: Term) -> Interval {
        self.views(store, t, 0).unsigned
    }

    /// Uses that `literal` holds.
    pub fn learn(&mut self, store: &Store, literal: Term) {
        let args = store.args(literal);
        match (store.op(literal), args) {
            (Op::And, &[a, b]) => {
                self.learn(store, a);
                self.learn(store, b);
            }
            (Op::Not, &[a]) => match (store.op(a), store.args(a)) {
                (Op::BvUlt, &[x, y]) => self.order(store, y, x, 0, false),
                (Op::BvUle, &[x, y]) => self.order(store, y, x, 1, false),
                (Op::BvSlt, &[x, y]) => self.order(store, y, x, 0, true),
                (Op::BvSle, &[x, y]) => self.order(store, y, x, 1, true),
                (Op::Eq, &[x, y]) => self.differ(store, x, y),
                _ => {}
            },
            (Op::BvUlt, &[x, y]) => self.order(store, x, y, 1, false),
            (Op::BvUle, &[x, y]) => self.order(store, x, y, 0, false),
            (Op::BvSlt, &[x, y]) => self.order(store, x, y, 1, true),
            (Op::BvSle, &[x, y]) => self.order(store, x, y, 0, true),
            (Op::Eq, &[x, y]) if followed(store, x) => {
                let both = self.views(store, x, 0).meet(&self.views(store, y, 0));
                self.set(store, x, both);
                self.set(store, y, both);
            }
            _ => {}
        }
    }

    /// `x + gap <= y`.
    fn order(&mut self, store: &Store, x: Term, y: Term, gap: i128, signed: bool) {
        if !followed(store, x) {
            return;
        }
        let (mut a, mut b) = (self.views(store, x, 0), self.views(store, y, 0));
        if signed {
            a.signed.hi = a.signed.hi.min(b.signed.hi - gap);
            b.signed.lo = b.signed.lo.max(a.signed.lo + gap);
        } else {
            a.unsigned.hi = a.unsigned.hi.min(b.unsigned.hi - gap);
            b.unsigned.lo = b.unsigned.lo.max(a.unsigned.lo + gap);
        }
        self.set(store, x, a);
        self.set(store, y, b);
    }

    fn differ(&mut self, store: &Store, x: Term, y: Term) {
        if !followed(store, x) {
            return;
        }
        for (t, other) in [(x, y), (y, x)] {
            let Some(c) = store.as_bv_const(other) else { continue };
            let (Some(s), Some(u)) = (c.to_i128(), unsigned_value(c)) else { continue };
            let mut views = self.views(store, t, 0);
            for (interval, c) in [(&mut views.signed, s), (&mut views.unsigned, u)] {
                interval.lo += i128::from(interval.lo == c);
                interval.hi -= i128::from(interval.hi == c);
            }
            self.set(store, t, views);
        }
    }

    fn set(&mut self, store: &Store, t: Term, views: Views) {
        let views = views.reduce(store.width(t));
        // Extensions speak of what they extend.
        match (store.op(t), store.args(t)) {
            (Op::BvConst(_), _) => return,
            (Op::SignExtend(_), &[x]) => {
                let mut inner = self.views(store, x, 0);
                inner.signed = inner.signed.meet(views.signed);
                self.set(store, x, inner);
            }
            (Op::ZeroExtend(_), &[x]) => {
                let mut inner = self.views(store, x, 0);
                inner.unsigned = inner.unsigned.meet(views.unsigned);
                self.set(store, x, inner);
            }
            _ => {}
        }
        self.known.insert(t, views);
    }

    fn views(&self, store: &Store, t: Term, depth: u32) -> Views {
        let width = store.width(t);
        let mut views = Views::full(width);
        if width > Bounds::WIDEST {
            return views;
        }
        if let Some(known) = self.known.get(&t) {
            views = views.meet(known);
        }
        if depth < MAX_DEPTH {
            views = views.meet(&self.structural(store, t, depth + 1));
        }
        views.reduce(width)
    }

    /// What the operator says.
    fn structural(&self, store: &Store, t: Term, depth: u32) -> Views {
        let width = store.width(t);
        let full = Views::full(width);
        let args = store.args(t);
        let constant = |t: Term| store.as_bv_const(t).and_then(|c| c.to_i128()).filter(|c| *c > 0);
        match (store.op(t), args) {
            (Op::BvConst(_), _) => {
                let c = store.as_bv_const(t).expect("a constant");
                match (c.to_i128(), unsigned_value(c)) {
                    (Some(s), Some(u)) => Views { signed: Interval::new(s, s), unsigned: Interval::new(u, u) },
                    _ => full,
                }
            }
            (Op::SignExtend(_), &[x]) => Views { signed: self.views(store, x, depth).signed, ..full },
            (Op::ZeroExtend(_), &[x]) => {
                let inner = self.views(store, x, depth).unsigned;
                Views { signed: inner, unsigned: inner }
            }
            (Op::BvAdd, &[x, y]) => self.combine(store, x, y, depth, width, |a, b| a.add(b)),
            (Op::BvMul, &[x, y]) => self.combine(store, x, y, depth, width, |a, b| a.mul(b)),
            (Op::BvUrem, &[x, y]) if constant(y).is_some() => {
                let top = self.views(store, x, depth).unsigned.hi.min(constant(y).unwrap_or(1) - 1);
                Views { unsigned: Interval::new(0, top), ..full }
            }
            (Op::BvUdiv, &[x, y]) if constant(y).is_some() => {
                let (a, c) = (self.views(store, x, depth).unsigned, constant(y).unwrap_or(1));
                Views { unsigned: Interval::new(a.lo / c, a.hi / c), ..full }
            }
            (Op::BvSrem, &[x, y]) if constant(y).is_some() => {
                let (a, c) = (self.views(store, x, depth).signed, constant(y).unwrap_or(1) - 1);
                let lo = if a.lo >= 0 { 0 } else { -c };
                let hi = if a.hi <= 0 { 0 } else { c };
                Views { signed: Interval::new(lo, hi), ..full }
            }
            (Op::BvSdiv, &[x, y]) if constant(y).is_some() => {
                let (a, c) = (self.views(store, x, depth).signed, constant(y).unwrap_or(1));
                Views { signed: Interval::new(a.lo / c, a.hi / c), ..full }
            }
            (Op::BvAnd, &[x, y]) => {
                let top = self.views(store, x, depth).unsigned.hi.min(self.views(store, y, depth).unsigned.hi);
                Views { unsigned: Interval::new(0, top), ..full }
            }
            _ => full,
        }
    }

    fn combine(
        &self,
        store: &Store,
        x: Term,
        y: Term,
        depth: u32,
        width: u32,
        op: impl Fn(&Interval, Interval) -> Option<Interval>,
    ) -> Views {
        let (a, b, mut views) = (self.views(store, x, depth), self.views(store, y, depth), Views::full(width));
        if let Some(exact) = op(&a.signed, b.signed).filter(|r| r.within(views.signed)) {
            views.signed = exact;
        }
        if let Some(exact) = op(&a.unsigned, b.unsigned).filter(|r| r.within(views.unsigned)) {
            views.unsigned = exact;
        }
        views
    }
}

fn followed(store: &Store, t: Term) -> bool {
    store.sort(t).bv_width().is_some_and(|w| w <= Bounds::WIDEST)
}

fn unsigned_value(c: &Bits) -> Option<i128> {
    i128::try_from(c.to_u128()?).ok()
}
