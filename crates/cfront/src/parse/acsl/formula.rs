//! Formulas: connectives and comparisons. Comparisons of one direction may be chained.
//!
//! What a formula says of quantified variables where it holds, or fails, goes along with it: it narrows the intervals of what is evaluated only then.

use base::Span;

use crate::hir::{BinaryOp, Expr, ExprKind, UnaryOp, VarId};
use crate::token::{P, Tok};

use super::super::typed::expr;
use super::super::{Parser, Res};
use super::interval::Interval;
use super::value::{Integer, Truth, Value};

impl Parser {
    /// `c ? a : b` and all that binds tighter.
    pub(super) fn formula(&mut self) -> Res<Value> {
        self.nested(|p| {
            let start = p.span();
            let condition = p.equivalence()?;
            if !p.accept(P::Question) {
                return Ok(condition);
            }
            let condition = p.as_truth(condition)?;
            let then = p.knowing(&condition.holds, Parser::formula)?;
            p.expect(P::Colon)?;
            let other = p.knowing(&condition.fails, Parser::formula)?;
            let span = p.since(start);
            p.choice(condition.e, then, other, span)
        })
    }

    pub(super) fn choice(&mut self, condition: Expr, then: Value, other: Value, span: Span) -> Res<Value> {
        if self.is_number(&then) && self.is_number(&other) {
            let (a, b) = (self.as_integer(then)?, self.as_integer(other)?);
            let range = a.range.hull(b.range);
            let (a, b) = (self.in_kind(a.e, range.kind()), self.in_kind(b.e, range.kind()));
            let ty = a.ty;
            let e = expr(ExprKind::Cond(Box::new(condition), Box::new(a), Box::new(b)), ty, span);
            return Ok(Value::Integer(Integer { e, range, sum: None }));
        }
        let (a, b) = (self.as_truth(then)?, self.as_truth(other)?);
        let not = self.unary(UnaryOp::Not, condition.clone(), span)?;
        let (first, second) = (self.logical(false, not, a.e, span)?, self.logical(false, condition, b.e, span)?);
        Ok(Value::Truth(Truth::plain(self.logical(true, first, second, span)?)))
    }

    fn at_equivalence(&self) -> bool {
        let wanted = [P::Le, P::Assign, P::Gt];
        wanted.iter().enumerate().all(|(ahead, p)| self.peek_at(ahead) == Tok::Punct(*p))
    }

    fn equivalence(&mut self) -> Res<Value> {
        let start = self.span();
        let mut left = self.acsl_implication()?;
        while self.at_equivalence() {
            (0..3).for_each(|_| self.advance());
            let right = self.acsl_implication()?;
            let (a, b) = (self.as_truth(left)?.e, self.as_truth(right)?.e);
            let span = self.since(start);
            let (not_a, not_b) =
                (self.unary(UnaryOp::Not, a.clone(), span)?, self.unary(UnaryOp::Not, b.clone(), span)?);
            let (first, second) = (self.logical(false, not_a, b, span)?, self.logical(false, not_b, a, span)?);
            left = Value::Truth(Truth::plain(self.logical(true, first, second, span)?));
        }
        Ok(left)
    }

    fn acsl_implication(&mut self) -> Res<Value> {
        let start = self.span();
        let left = self.disjunction()?;
        if !self.at_implication() {
            return Ok(left);
        }
        self.advance();
        self.advance();
        let left = self.as_truth(left)?;
        let right = self.knowing(&left.holds, |p| p.nested(Parser::acsl_implication))?;
        let right = self.as_truth(right)?;
        let span = self.since(start);
        let not = self.unary(UnaryOp::Not, left.e, span)?;
        let e = self.logical(false, not, right.e, span)?;
        Ok(Value::Truth(Truth { e, holds: Vec::new(), fails: [left.holds, right.fails].concat() }))
    }

    fn disjunction(&mut self) -> Res<Value> {
        let start = self.span();
        let mut left = self.conjunction()?;
        while self.accept(P::OrOr) {
            let a = self.as_truth(left)?;
            let b = self.knowing(&a.fails, Parser::conjunction)?;
            let b = self.as_truth(b)?;
            let e = self.logical(false, a.e, b.e, self.since(start))?;
            left = Value::Truth(Truth { e, holds: Vec::new(), fails: [a.fails, b.fails].concat() });
        }
        Ok(left)
    }

    fn conjunction(&mut self) -> Res<Value> {
        let start = self.span();
        let mut left = self.bitwise(0)?;
        while self.accept(P::AndAnd) {
            let a = self.as_truth(left)?;
            let b = self.knowing(&a.holds, |p| p.bitwise(0))?;
            let b = self.as_truth(b)?;
            let e = self.logical(true, a.e, b.e, self.since(start))?;
            left = Value::Truth(Truth { e, holds: [a.holds, b.holds].concat(), fails: Vec::new() });
        }
        Ok(left)
    }

    /// Reads on where this is known of quantified variables.
    pub(super) fn knowing<T>(
        &mut self,
        facts: &[(VarId, Interval)],
        read: impl FnOnce(&mut Parser) -> Res<T>,
    ) -> Res<T> {
        let mark = self.acsl.as_ref().map_or(0, |reading| reading.known.len());
        if let Some(reading) = self.reading() {
            reading.known.extend(facts);
        }
        let result = read(self);
        if let Some(reading) = self.reading() {
            reading.known.truncate(mark);
        }
        result
    }

    /// `|`, `^` and `&`, which bind weaker than comparisons.
    fn bitwise(&mut self, level: usize) -> Res<Value> {
        let operators = [(P::Or, BinaryOp::BitOr), (P::Caret, BinaryOp::BitXor), (P::And, BinaryOp::BitAnd)];
        let Some(&(token, op)) = operators.get(level) else { return self.chain() };
        let start = self.span();
        let mut left = self.bitwise(level + 1)?;
        while self.accept(token) {
            let right = self.bitwise(level + 1)?;
            left = self.arithmetic(op, left, right, self.since(start))?;
        }
        Ok(left)
    }

    fn comparison_operator(&self) -> Option<BinaryOp> {
        match self.peek() {
            Tok::Punct(P::EqEq) if !self.at_implication() => Some(BinaryOp::Eq),
            Tok::Punct(P::Ne) => Some(BinaryOp::Ne),
            Tok::Punct(P::Lt) => Some(BinaryOp::Lt),
            Tok::Punct(P::Le) if !self.at_equivalence() => Some(BinaryOp::Le),
            Tok::Punct(P::Gt) => Some(BinaryOp::Gt),
            Tok::Punct(P::Ge) => Some(BinaryOp::Ge),
            _ => None,
        }
    }

    /// `a <= b < c`.
    fn chain(&mut self) -> Res<Value> {
        let mut start = self.span();
        let mut left = self.sum(0)?;
        let mut all: Option<Truth> = None;
        let mut ops = Vec::new();
        while let Some(op) = self.comparison_operator() {
            self.advance();
            ops.push(op);
            let upward = ops.iter().any(|op| matches!(op, BinaryOp::Lt | BinaryOp::Le));
            let downward = ops.iter().any(|op| matches!(op, BinaryOp::Gt | BinaryOp::Ge));
            let next = self.span();
            if upward && downward || ops.len() > 1 && ops.contains(&BinaryOp::Ne) {
                return self.fail(self.last_span(), "comparisons in a chain have one direction");
            }
            let right = self.sum(0)?;
            let span = self.since(start);
            let one = self.compare(op, left, right.clone(), span)?;
            all = Some(match all {
                None => one,
                Some(before) => Truth {
                    e: self.logical(true, before.e, one.e, span)?,
                    holds: [before.holds, one.holds].concat(),
                    fails: Vec::new(),
                },
            });
            (left, start) = (right, next);
        }
        Ok(all.map_or(left, Value::Truth))
    }

    pub(super) fn compare(&mut self, op: BinaryOp, left: Value, right: Value, span: Span) -> Res<Truth> {
        if matches!(left, Value::Truth(_)) || matches!(right, Value::Truth(_)) {
            return self.fail(span, "a comparison of truth values: <==> is meant, or brackets are missing");
        }
        if !self.is_number(&left) || !self.is_number(&right) {
            let (left, right) = (self.pointer_or_null(left)?, self.pointer_or_null(right)?);
            let e = self.binary(op, left, right, span)?;
            return Ok(Truth::plain(e));
        }
        let (a, b) = (self.as_integer(left)?, self.as_integer(right)?);
        // Lowering wants to see quantified variables in full.
        let both = self.whole_range(&a).hull(self.whole_range(&b)).kind();
        let mut truth = Truth::plain(a.e.clone());
        if let Some(var) = self.quantified_in(&a.e) {
            truth.holds.push((var, where_holds(op, b.range)));
            truth.fails.push((var, where_holds(negated(op), b.range)));
        }
        if let Some(var) = self.quantified_in(&b.e) {
            truth.holds.push((var, where_holds(mirrored(op), a.range)));
            truth.fails.push((var, where_holds(negated(mirrored(op)), a.range)));
        }
        let (l, r) = (self.in_kind(a.e, both), self.in_kind(b.e, both));
        truth.e = self.binary(op, l, r, span)?;
        Ok(truth)
    }

    /// Where the number lies; of a quantified variable, where those of its type do.
    fn whole_range(&self, number: &Integer) -> Interval {
        let of_type = self.types.int_shape(number.e.ty).and_then(|(width, signed)| Interval::of_type(width, signed));
        match self.quantified_in(&number.e) {
            Some(_) => of_type.unwrap_or(number.range),
            None => number.range,
        }
    }

    fn pointer_or_null(&mut self, value: Value) -> Res<Expr> {
        match value {
            Value::Integer(Integer { e, range, .. }) if range.constant() == Some(0) => Ok(e),
            Value::C(e) => {
                let e = self.rvalue(e);
                if self.types.is_pointer(e.ty) || self.is_null_constant(&e) {
                    return Ok(e);
                }
                let found = self.types.show(e.ty);
                self.fail(e.span, format!("integers and pointers are compared, this is '{found}'"))
            }
            _ => self.fail(self.last_span(), "integers are compared with integers, pointers with pointers"),
        }
    }
}

/// Where `x` lies if `x op y` holds and `y` is in the interval.
fn where_holds(op: BinaryOp, y: Interval) -> Interval {
    let all = Interval::ALL;
    match op {
        BinaryOp::Lt => Interval { high: y.high.saturating_sub(1), ..all },
        BinaryOp::Le => Interval { high: y.high, ..all },
        BinaryOp::Gt => Interval { low: y.low.saturating_add(1), ..all },
        BinaryOp::Ge => Interval { low: y.low, ..all },
        BinaryOp::Eq => y,
        _ => all,
    }
}

fn negated(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Lt => BinaryOp::Ge,
        BinaryOp::Le => BinaryOp::Gt,
        BinaryOp::Gt => BinaryOp::Le,
        BinaryOp::Ge => BinaryOp::Lt,
        BinaryOp::Eq => BinaryOp::Ne,
        _ => BinaryOp::Eq,
    }
}

/// `y op x` for `x op y`.
fn mirrored(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Lt => BinaryOp::Gt,
        BinaryOp::Le => BinaryOp::Ge,
        BinaryOp::Gt => BinaryOp::Lt,
        BinaryOp::Ge => BinaryOp::Le,
        other => other,
    }
}
