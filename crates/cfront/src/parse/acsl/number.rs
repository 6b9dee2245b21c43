//! Numbers: what C computes in some type, ACSL computes exactly (see `interval`).

use base::Span;

use crate::hir::BinaryOp;
use crate::token::P;

use super::super::{Parser, Res};
use super::interval::Interval;
use super::value::{Integer, Value};

/// What is computed of a quantified integer while its bounds are looked for.
const ANYTHING: Interval = Interval { low: -(1 << 126), high: 1 << 126 };

impl Parser {
    /// Shifts, sums and products.
    pub(super) fn sum(&mut self, level: usize) -> Res<Value> {
        let levels: [&[(P, BinaryOp)]; 3] = [
            &[(P::Shl, BinaryOp::Shl), (P::Shr, BinaryOp::Shr)],
            &[(P::Plus, BinaryOp::Add), (P::Minus, BinaryOp::Sub)],
            &[(P::Star, BinaryOp::Mul), (P::Slash, BinaryOp::Div), (P::Percent, BinaryOp::Rem)],
        ];
        let Some(operators) = levels.get(level) else { return self.prefixed() };
        let start = self.span();
        let mut left = self.sum(level + 1)?;
        while let Some(&(_, op)) = operators.iter().find(|(token, _)| self.at(*token)) {
            self.chained()?;
            self.advance();
            let right = self.sum(level + 1)?;
            left = self.arithmetic(op, left, right, self.since(start))?;
        }
        Ok(left)
    }

    pub(super) fn arithmetic(&mut self, op: BinaryOp, left: Value, right: Value, span: Span) -> Res<Value> {
        if matches!(op, BinaryOp::Add | BinaryOp::Sub) && self.is_pointer_value(&left) {
            return self.pointer_sum(left, right, op == BinaryOp::Sub, span);
        }
        if op == BinaryOp::Add && self.is_pointer_value(&right) {
            return self.pointer_sum(right, left, false, span);
        }
        let (a, b) = (self.as_integer(left)?, self.as_integer(right)?);
        Ok(Value::Integer(self.exactly_computed(op, a, b, span)?))
    }

    /// The number, in a type in which nothing wraps around.
    pub(super) fn exactly_computed(&mut self, op: BinaryOp, a: Integer, b: Integer, span: Span) -> Res<Integer> {
        let range = match op {
            BinaryOp::Add => a.range.add(b.range),
            BinaryOp::Sub => a.range.sub(b.range),
            BinaryOp::Mul => a.range.mul(b.range),
            BinaryOp::Div | BinaryOp::Rem => {
                if b.range.has(Interval::only(0)) {
                    let message = "a divisor that may be zero: what that gives in ACSL is not modelled";
                    return self.fail(span, message);
                }
                if op == BinaryOp::Div { a.range.div(b.range) } else { a.range.rem(b.range) }
            }
            BinaryOp::Shl | BinaryOp::Shr => return self.shifted(op, a, &b, span),
            _ => Some(a.range.bitwise(b.range)),
        };
        let Some(range) = range.or(self.is_rehearsal().then_some(ANYTHING)) else {
            return self.fail(span, "this number may need more than 128 bits, and is not computed exactly");
        };
        let kind = range.hull(a.range).hull(b.range).signed_kind();
        let constant = match op {
            BinaryOp::Add => b.range.constant(),
            BinaryOp::Sub => b.range.constant().and_then(i128::checked_neg),
            _ => None,
        };
        let sum = constant.map(|constant| match &a.sum {
            Some((of, known)) if known.checked_add(constant).is_some() => (of.clone(), known + constant),
            _ => (Box::new(a.clone()), constant),
        });
        let (l, r) = (self.in_kind(a.e, kind), self.in_kind(b.e, kind));
        Ok(Integer { e: self.binary(op, l, r, span)?, range, sum })
    }

    /// Shifts by constants: times or divided by (downwards) a power of two.
    fn shifted(&mut self, op: BinaryOp, a: Integer, by: &Integer, span: Span) -> Res<Integer> {
        let Some(by @ 0..=63) = by.range.constant() else {
            return self.fail(span, "shifts in ACSL are by constants from 0 to 63 here");
        };
        if op == BinaryOp::Shl {
            let power = self.constant(1 << by, span);
            return self.exactly_computed(BinaryOp::Mul, a, power, span);
        }
        // The kind is signed: the shift is arithmetic. In a type too narrow for it, it would have no meaning.
        let room = Interval { low: -(1 << by), high: 1 << by };
        let (kind, range) = (a.range.hull(room).signed_kind(), a.range.shr(by as u32));
        let (l, amount) = (self.in_kind(a.e, kind), self.int_of(by, span));
        Ok(Integer { e: self.binary(BinaryOp::Shr, l, amount, span)?, range, sum: None })
    }
}
