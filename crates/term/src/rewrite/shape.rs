//! Recognising shapes of terms: the vocabulary in which rules are written.

use crate::bits::Bits;
use crate::op::Op;
use crate::store::{Store, Term};

impl Store {
    /// The argument of a unary operator.
    #[inline]
    pub(crate) fn unary(&self, t: Term, op: Op) -> Option<Term> {
        if self.op(t) == op { Some(self.arg(t, 0)) } else { None }
    }

    /// The arguments of a binary operator.
    #[inline]
    pub(crate) fn binary(&self, t: Term, op: Op) -> Option<(Term, Term)> {
        if self.op(t) == op { Some((self.arg(t, 0), self.arg(t, 1))) } else { None }
    }

    /// A binary operator whose right argument is a literal.
    #[inline]
    pub(crate) fn with_literal(&self, t: Term, op: Op) -> Option<(Term, &Bits)> {
        let (x, c) = self.binary(t, op)?;
        Some((x, self.as_bv_const(c)?))
    }

    /// The three arguments of an `ite`.
    #[inline]
    pub(crate) fn as_ite(&self, t: Term) -> Option<(Term, Term, Term)> {
        if self.op(t) == Op::Ite { Some((self.arg(t, 0), self.arg(t, 1), self.arg(t, 2))) } else { None }
    }

    #[inline]
    pub(crate) fn is_zero(&self, t: Term) -> bool {
        self.as_bv_const(t).is_some_and(Bits::is_zero)
    }

    #[inline]
    pub(crate) fn is_one(&self, t: Term) -> bool {
        self.as_bv_const(t).is_some_and(Bits::is_one)
    }

    #[inline]
    pub(crate) fn is_ones(&self, t: Term) -> bool {
        self.as_bv_const(t).is_some_and(Bits::is_ones)
    }

    /// The term and by how many bits it is zero-extended.
    #[inline]
    pub(crate) fn as_zext(&self, t: Term) -> Option<(Term, u32)> {
        if let Op::ZeroExtend(n) = self.op(t) { Some((self.arg(t, 0), n)) } else { None }
    }

    #[inline]
    pub(crate) fn as_sext(&self, t: Term) -> Option<(Term, u32)> {
        if let Op::SignExtend(n) = self.op(t) { Some((self.arg(t, 0), n)) } else { None }
    }

    /// The term and the bits taken of it, high and low.
    #[inline]
    pub(crate) fn as_extract(&self, t: Term) -> Option<(Term, u32, u32)> {
        if let Op::Extract { hi, lo } = self.op(t) { Some((self.arg(t, 0), hi, lo)) } else { None }
    }

    /// Is one formula visibly the negation of the other? Negated orders are orders with sides exchanged.
    pub(crate) fn are_opposite(&self, a: Term, b: Term) -> bool {
        let swapped = |strict: Op, weak: Op| {
            (self.op(a) == strict && self.op(b) == weak || self.op(a) == weak && self.op(b) == strict)
                && self.arg(a, 0) == self.arg(b, 1)
                && self.arg(a, 1) == self.arg(b, 0)
        };
        self.unary(a, Op::Not) == Some(b)
            || self.unary(b, Op::Not) == Some(a)
            || swapped(Op::BvUlt, Op::BvUle)
            || swapped(Op::BvSlt, Op::BvSle)
    }

    /// A sum's literal part apart from the rest: `x + c` gives `(x, c)`, a literal gives no term.
    pub(crate) fn split_offset(&self, t: Term) -> (Option<Term>, Bits) {
        if let Some(c) = self.as_bv_const(t) {
            return (None, c.clone());
        }
        match self.with_literal(t, Op::BvAdd) {
            Some((x, c)) => (Some(x), c.clone()),
            None => (Some(t), Bits::zero(self.width(t))),
        }
    }

    /// Do the terms visibly denote different values?
    pub(crate) fn are_distinct(&self, a: Term, b: Term) -> bool {
        if a == b {
            return false;
        }
        if self.is_const(a) && self.is_const(b) {
            return true;
        }
        if self.sort(a).bv_width().is_none() {
            return false;
        }
        if !matches!(self.op(a), Op::BvAdd | Op::BvConst(_)) && !matches!(self.op(b), Op::BvAdd | Op::BvConst(_)) {
            return false;
        }
        let ((x, c), (y, d)) = (self.split_offset(a), self.split_offset(b));
        x == y && c != d
    }

    /// So many low bits hold every possible value of the term as an unsigned number.
    pub(crate) fn unsigned_bits(&self, t: Term) -> u32 {
        let width = self.width(t);
        match self.op(t) {
            Op::ZeroExtend(n) => width - n,
            Op::BvConst(_) => (width - self.as_bv_const(t).expect("a literal").leading_zeros()).max(1),
            _ => width,
        }
    }

    /// So many low bits hold every possible value of the term as a signed number.
    pub(crate) fn signed_bits(&self, t: Term) -> u32 {
        let width = self.width(t);
        match self.op(t) {
            Op::SignExtend(n) => width - n,
            Op::ZeroExtend(n) if n > 0 => width - n + 1,
            Op::BvConst(_) => {
                let c = self.as_bv_const(t).expect("a literal");
                let magnitude = if c.is_negative() { c.not() } else { c.clone() };
                width - magnitude.leading_zeros() + 1
            }
            _ => width,
        }
    }

    /// Is the sign bit visibly zero?
    pub(crate) fn is_nonnegative(&self, t: Term) -> bool {
        self.unsigned_bits(t) < self.width(t)
    }
}
