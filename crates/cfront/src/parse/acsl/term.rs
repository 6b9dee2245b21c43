//! Formulas and terms: one grammar, since a term of C may stand for a truth value (not zero, not null).
//!
//! Precedences are those of ACSL, which are C's, with `==>`, `<==>` and quantifiers below. Comparisons of one direction may be chained. What C
//! computes in some type, ACSL computes exactly: see `interval`.

use base::Span;

use crate::hir::{BinaryOp, Builtin, Expr, ExprKind, Storage, UnaryOp, VarId};
use crate::token::{P, Tok, kw};
use crate::types::{IntKind, Ty, Type};
use crate::walk::walk_expr;

use super::super::scope::Entity;
use super::super::typed::{expr, is_lvalue};
use super::super::{Parser, Res};
use super::interval::Interval;
use super::{Context, Reading};

/// So many quantifiers inside of one another: each is read several times.
const MOST_QUANTIFIERS: u32 = 4;
/// So often the bounds of variables are computed from those of others.
const MOST_ROUNDS: usize = 3;
/// A quantified integer while its bounds are looked for, and what is computed of it then.
const REHEARSED: Interval = Interval { low: -(1 << 100), high: 1 << 100 };
const ANYTHING: Interval = Interval { low: -(1 << 126), high: 1 << 126 };

/// What has been read.
#[derive(Clone)]
pub(super) enum Value {
    Integer(Integer),
    Truth(Truth),
    /// A place, a pointer or another value of C.
    C(Expr),
    /// Places in a row.
    Cells(Cells),
    /// Their addresses.
    Addresses(Cells),
    /// `(low .. high)`.
    Range(Integer, Integer),
    Nothing,
}

/// A mathematical integer: its value in a type with room for it, and where it lies.
#[derive(Clone)]
pub(super) struct Integer {
    pub(super) e: Expr,
    pub(super) range: Interval,
    /// It is this number plus a constant.
    sum: Option<(Box<Integer>, i128)>,
}

/// A truth value, and where quantified variables lie if it holds, or fails.
#[derive(Clone)]
pub(super) struct Truth {
    pub(super) e: Expr,
    holds: Vec<(VarId, Interval)>,
    fails: Vec<(VarId, Interval)>,
}

/// The elements `low` to `high` from a pointer on.
#[derive(Clone)]
pub(super) struct Cells {
    pub(super) pointer: Expr,
    pub(super) low: Integer,
    pub(super) high: Integer,
}

impl Parser {
    fn reading(&mut self) -> Option<&mut Reading> {
        self.acsl.as_mut()
    }

    fn context(&self) -> Option<Context> {
        self.acsl.as_ref().map(|reading| reading.context)
    }

    // Of a term inside of another's past: what speaks of the present state has its own, which the past would take away.

    fn presents(&self) -> usize {
        self.acsl.as_ref().map_or(0, |reading| reading.presents)
    }

    fn note_present(&mut self) {
        self.acsl.iter_mut().for_each(|reading| reading.presents += 1);
    }

    fn refuse_presents(&mut self, before: usize, start: Span) -> Res<()> {
        match self.presents() == before {
            true => Ok(()),
            false => self.fail(start, "the present state or '\\result' inside of an earlier state is not known here"),
        }
    }

    // Formulas.

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

    fn choice(&mut self, condition: Expr, then: Value, other: Value, span: Span) -> Res<Value> {
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
    fn knowing<T>(&mut self, facts: &[(VarId, Interval)], read: impl FnOnce(&mut Parser) -> Res<T>) -> Res<T> {
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

    fn compare(&mut self, op: BinaryOp, left: Value, right: Value, span: Span) -> Res<Truth> {
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

    /// The quantified variable that the number is.
    fn quantified_in(&self, e: &Expr) -> Option<VarId> {
        let ExprKind::Load(place) = &e.kind else { return None };
        match place.kind {
            ExprKind::Var(id) if self.quantified.contains(&id) => Some(id),
            _ => None,
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

    // Numbers.

    /// Shifts, sums and products.
    fn sum(&mut self, level: usize) -> Res<Value> {
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

    fn arithmetic(&mut self, op: BinaryOp, left: Value, right: Value, span: Span) -> Res<Value> {
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

    pub(super) fn constant(&mut self, value: i128, span: Span) -> Integer {
        let range = Interval::only(value);
        let ty = self.types.int_kind(range.kind());
        Integer { e: self.int_node(value, ty, span), range, sum: None }
    }

    /// The number in a type that has room for it.
    pub(super) fn in_kind(&mut self, e: Expr, kind: IntKind) -> Expr {
        let ty = self.types.int_kind(kind);
        self.cast(e, ty)
    }

    pub(super) fn is_rehearsal(&self) -> bool {
        self.acsl.as_ref().is_some_and(|reading| reading.is_rehearsal)
    }

    fn is_number(&self, value: &Value) -> bool {
        match value {
            Value::Integer(_) => true,
            Value::C(e) => self.types.is_integer(e.ty),
            _ => false,
        }
    }

    fn is_pointer_value(&self, value: &Value) -> bool {
        matches!(value, Value::C(e) if self.types.is_pointer(e.ty) || self.types.is_array(e.ty))
    }

    pub(super) fn as_integer(&mut self, value: Value) -> Res<Integer> {
        match value {
            Value::Integer(found) => Ok(found),
            Value::C(e) if self.types.is_integer(e.ty) => {
                let e = self.rvalue(e);
                let shape = self.types.int_shape(e.ty);
                let of_type = match self.types[e.ty] {
                    Type::Bool => Some(Interval { low: 0, high: 1 }),
                    _ => shape.and_then(|(width, signed)| Interval::of_type(width, signed)),
                };
                let Some(mut range) = of_type else {
                    return self.fail(e.span, "numbers of this type may need more than 128 bits with a sign");
                };
                if let (Some(var), Some(reading)) = (self.quantified_in(&e), &self.acsl) {
                    let known = reading.known.iter().filter(|(known, _)| *known == var);
                    range = known.fold(range, |range, (_, fact)| range.meet(*fact));
                }
                Ok(Integer { e, range, sum: None })
            }
            Value::C(e) if self.types.is_float(e.ty) => self.fail(e.span, "real numbers in ACSL are not known here"),
            Value::C(e) => {
                let found = self.types.show(e.ty);
                self.fail(e.span, format!("an integer is expected, this is '{found}'"))
            }
            Value::Truth(truth) => self.fail(truth.e.span, "an integer is expected, this is a truth value"),
            _ => self.fail(self.last_span(), "an integer is expected"),
        }
    }

    pub(super) fn as_truth(&mut self, value: Value) -> Res<Truth> {
        match value {
            Value::Truth(truth) => Ok(truth),
            Value::Integer(Integer { e, .. }) => Ok(Truth::plain(e)),
            Value::C(e) => {
                let e = self.rvalue(e);
                if !self.types.is_integer(e.ty) && !self.types.is_pointer(e.ty) {
                    let found = self.types.show(e.ty);
                    return self.fail(e.span, format!("a truth value is expected, this is '{found}'"));
                }
                Ok(Truth::plain(self.condition(e)?))
            }
            _ => self.fail(self.last_span(), "a truth value is expected"),
        }
    }

    // Prefixes, places, names.

    fn prefixed(&mut self) -> Res<Value> {
        let start = self.span();
        match self.peek() {
            Tok::Punct(P::Minus) => {
                self.advance();
                let operand = self.nested(Parser::prefixed)?;
                let (zero, operand) = (self.constant(0, start), self.as_integer(operand)?);
                Ok(Value::Integer(self.exactly_computed(BinaryOp::Sub, zero, operand, self.since(start))?))
            }
            Tok::Punct(P::Plus) => {
                self.advance();
                let operand = self.nested(Parser::prefixed)?;
                Ok(Value::Integer(self.as_integer(operand)?))
            }
            // -x - 1, with endlessly many digits.
            Tok::Punct(P::Tilde) => {
                self.advance();
                let operand = self.nested(Parser::prefixed)?;
                let (minus, operand) = (self.constant(-1, start), self.as_integer(operand)?);
                Ok(Value::Integer(self.exactly_computed(BinaryOp::Sub, minus, operand, self.since(start))?))
            }
            Tok::Punct(P::Not) => {
                self.advance();
                let operand = self.nested(Parser::prefixed)?;
                let operand = self.as_truth(operand)?;
                let e = self.unary(UnaryOp::Not, operand.e, self.since(start))?;
                Ok(Value::Truth(Truth { e, holds: operand.fails, fails: operand.holds }))
            }
            Tok::Punct(P::Star) => {
                self.advance();
                let operand = self.nested(Parser::prefixed)?;
                self.pointed_to(operand, self.since(start))
            }
            Tok::Punct(P::And) => {
                self.advance();
                match self.nested(Parser::prefixed)? {
                    Value::Cells(cells) => Ok(Value::Addresses(cells)),
                    Value::C(place) if is_lvalue(&place) => Ok(Value::C(self.address_of(place, self.since(start))?)),
                    _ => self.fail(self.since(start), "'&' needs a place"),
                }
            }
            Tok::Name(kw::SIZEOF) => {
                self.advance();
                let size = self.nested(|p| p.sizeof(start))?;
                match size.kind {
                    ExprKind::Int(bytes) => Ok(Value::Integer(self.constant(bytes as i128, size.span))),
                    _ => self.fail(size.span, "the size is not constant"),
                }
            }
            Tok::Punct(P::LParen) if self.is_integer_cast() => {
                (0..3).for_each(|_| self.advance());
                let operand = self.nested(Parser::prefixed)?;
                Ok(Value::Integer(self.as_integer(operand)?))
            }
            Tok::Punct(P::LParen) if self.type_starts_at(1) => {
                self.advance();
                let (ty, bounds) = self.type_name()?;
                self.expect(P::RParen)?;
                let operand = self.nested(Parser::prefixed)?;
                let span = self.since(start);
                if !bounds.is_empty() {
                    return self.fail(span, "a cast to an array of variable length");
                }
                self.acsl_cast(operand, ty, span)
            }
            _ => {
                let first = self.acsl_primary()?;
                self.suffixed(first, start)
            }
        }
    }

    /// `(integer)`.
    fn is_integer_cast(&self) -> bool {
        let Tok::Name(name) = self.peek_at(1) else { return false };
        self.names.text(name) == INTEGER && !self.names_type(name) && self.peek_at(2) == Tok::Punct(P::RParen)
    }

    /// To a type of C: the one of its numbers that differs by a multiple of two to the number of its bits.
    fn acsl_cast(&mut self, operand: Value, ty: Ty, span: Span) -> Res<Value> {
        if self.types.is_integer(ty) && self.is_number(&operand) {
            let operand = self.as_integer(operand)?;
            let e = self.cast(operand.e, ty);
            return Ok(match (self.types.int_shape(ty).and_then(|(w, s)| Interval::of_type(w, s)), &self.types[ty]) {
                (Some(room), Type::Int(_) | Type::Enum(_)) if room.has(operand.range) => {
                    Value::Integer(Integer { e, range: operand.range, sum: None })
                }
                _ => Value::C(e),
            });
        }
        match operand {
            Value::Integer(Integer { e, range, .. }) if range.constant() == Some(0) => {
                Ok(Value::C(self.explicit_cast(e, ty, span)?))
            }
            Value::C(e) => Ok(Value::C(self.explicit_cast(e, ty, span)?)),
            _ => self.fail(span, "such a cast is not known here"),
        }
    }

    fn suffixed(&mut self, first: Value, start: Span) -> Res<Value> {
        let mut value = first;
        loop {
            let Tok::Punct(token) = self.peek() else { return Ok(value) };
            value = match token {
                P::LBracket => {
                    self.chained()?;
                    self.advance();
                    let index = self.range_or_index()?;
                    self.expect(P::RBracket)?;
                    let span = self.since(start);
                    let sum = self.pointer_sum(value, index, false, span)?;
                    self.pointed_to(sum, span)?
                }
                // `a..b` is no member.
                P::Dot if self.peek_at(1) != Tok::Punct(P::Dot) => {
                    self.advance();
                    let Value::C(record) = value else { return self.fail(self.span(), "a struct is expected") };
                    Value::C(self.member(record, start)?)
                }
                P::Arrow => {
                    self.advance();
                    let Value::C(pointer) = value else { return self.fail(self.span(), "a pointer is expected") };
                    let pointer = self.decay_to_access(pointer);
                    let place = self.deref(pointer, self.since(start))?;
                    Value::C(self.member(place, start)?)
                }
                P::LParen => return self.fail(self.span(), "functions are not called in ACSL"),
                _ => return Ok(value),
            };
        }
    }

    /// `low .. high`, or one term.
    fn range_or_index(&mut self) -> Res<Value> {
        let low = self.formula()?;
        if !(self.at(P::Dot) && self.peek_at(1) == Tok::Punct(P::Dot)) {
            return Ok(low);
        }
        self.advance();
        self.advance();
        let high = self.formula()?;
        Ok(Value::Range(self.as_integer(low)?, self.as_integer(high)?))
    }

    fn acsl_primary(&mut self) -> Res<Value> {
        let start = self.span();
        match self.peek() {
            Tok::Punct(P::LParen) => {
                self.advance();
                let inner = self.nested(Parser::range_or_index)?;
                self.expect(P::RParen)?;
                Ok(inner)
            }
            Tok::Number | Tok::Char => {
                let number = self.primary()?;
                match (&number.kind, self.types.int_shape(number.ty)) {
                    (ExprKind::Int(bits), Some((width, signed))) => {
                        let value = super::super::fold::extend(*bits, width, signed);
                        Ok(Value::Integer(self.constant(value, start)))
                    }
                    _ => Ok(Value::C(number)),
                }
            }
            Tok::Name(name) if self.names.text(name).starts_with('\\') => {
                self.advance();
                let word = self.text_of(name);
                self.builtin_name(&word, start)
            }
            Tok::Name(name) => match self.scopes.lookup(name) {
                Some(Entity::Var(..)) => Ok(Value::C(self.primary()?)),
                Some(Entity::Constant(value, _)) => {
                    self.advance();
                    Ok(Value::Integer(self.constant(value, start)))
                }
                _ => {
                    let text = self.text_of(name);
                    self.fail(start, format!("'{text}' is no variable and nothing that ACSL knows here"))
                }
            },
            _ => {
                let found = self.describe_token();
                self.fail(start, format!("expected a term of ACSL, found {found}"))
            }
        }
    }

    /// What begins with a backslash, taken.
    fn builtin_name(&mut self, word: &str, start: Span) -> Res<Value> {
        match word {
            "\\true" | "\\false" => Ok(Value::Truth(Truth::plain(self.int_of((word == "\\true").into(), start)))),
            "\\null" => {
                let void = self.types.void();
                let ty = self.types.pointer(void);
                Ok(Value::C(self.int_node(0, ty, start)))
            }
            "\\nothing" => Ok(Value::Nothing),
            "\\result" => match self.clause.as_ref().and_then(super::Clause::result) {
                Some(var) if self.context() == Some(Context::Ensures) => {
                    self.note_present();
                    Ok(Value::C(self.var_node(var, start)))
                }
                _ => self.fail(start, "'\\result' where there is no result"),
            },
            "\\forall" => self.acsl_quantifier(Builtin::Forall, start),
            "\\exists" => self.acsl_quantifier(Builtin::Exists, start),
            "\\old" => {
                self.expect(P::LParen)?;
                let before = self.presents();
                let value = self.nested(Parser::formula)?;
                self.expect(P::RParen)?;
                self.refuse_presents(before, start)?;
                if self.context() != Some(Context::Ensures) {
                    return self.fail(start, "'\\old' outside of a postcondition: \\at(e, Pre) is meant");
                }
                self.past(value, Past::Before, start)
            }
            "\\at" => {
                self.expect(P::LParen)?;
                let before = self.presents();
                let value = self.nested(Parser::formula)?;
                self.expect(P::Comma)?;
                let (label, at) = self.keyword()?;
                self.expect(P::RParen)?;
                if let ("Here", _) | ("Pre", Some(Context::Requires)) | ("Post", Some(Context::Ensures)) =
                    (label.as_str(), self.context())
                {
                    self.note_present();
                    return Ok(value);
                }
                self.refuse_presents(before, start)?;
                match (label.as_str(), self.context()) {
                    ("Pre" | "Old", Some(Context::Ensures)) => self.past(value, Past::Before, start),
                    ("Pre", Some(Context::Statement | Context::Loop)) => self.past(value, Past::Start, start),
                    ("LoopEntry", Some(Context::Loop)) => self.past(value, Past::Loop, start),
                    _ => self.fail(at, format!("the label '{label}' is not known here")),
                }
            }
            "\\valid" => self.validity(Builtin::IsValid, start),
            "\\valid_read" => self.validity(Builtin::IsReadable, start),
            "\\separated" => self.separation(start),
            "\\abs" | "\\min" | "\\max" => self.numeric_function(word, start),
            _ => self.fail(start, format!("'{word}' of ACSL is not known here")),
        }
    }

    fn numeric_function(&mut self, word: &str, start: Span) -> Res<Value> {
        self.expect(P::LParen)?;
        let first = self.nested(Parser::formula)?;
        let first = self.as_integer(first)?;
        let second = if word == "\\abs" {
            let zero = self.constant(0, start);
            self.exactly_computed(BinaryOp::Sub, zero, first.clone(), start)?
        } else {
            self.expect(P::Comma)?;
            let second = self.nested(Parser::formula)?;
            self.as_integer(second)?
        };
        self.expect(P::RParen)?;
        let span = self.since(start);
        let op = if word == "\\min" { BinaryOp::Le } else { BinaryOp::Ge };
        let (a, b) = (Value::Integer(first), Value::Integer(second));
        let condition = self.compare(op, a.clone(), b.clone(), span)?;
        self.choice(condition.e, a, b, span)
    }

    /// A value of an earlier state.
    fn past(&mut self, value: Value, of: Past, start: Span) -> Res<Value> {
        let (e, number) = match value {
            Value::Integer(number) => (number.e.clone(), Some(number)),
            value if self.is_number(&value) => {
                let number = self.as_integer(value)?;
                (number.e.clone(), Some(number))
            }
            Value::C(e) => (e, None),
            _ => return self.fail(start, "the past is asked for numbers, pointers and places"),
        };
        let remembered = match of {
            Past::Before | Past::Loop => self.remembered(e, "old", start)?,
            Past::Start => self.remembered_from_start(e, start)?,
        };
        Ok(match number {
            Some(number) => {
                let e = self.rvalue(remembered);
                Value::Integer(Integer { e, range: number.range, sum: None })
            }
            None => Value::C(remembered),
        })
    }

    /// A value that is kept from where the function begins.
    fn remembered_from_start(&mut self, e: Expr, start: Span) -> Res<Expr> {
        let mut is_there = true;
        walk_expr(&e, &mut |part| {
            if let ExprKind::Var(id) = part.kind {
                is_there &= !matches!(self.var(id).storage, Storage::Local);
            }
        });
        if !is_there {
            return self.fail(e.span, "\\at(..., Pre) of what is not there yet where the function begins");
        }
        if !self.types.is_scalar(e.ty) {
            return self.fail(e.span, "\\at(..., Pre) is asked for numbers and pointers here");
        }
        let e = self.rvalue(e);
        let var = self.new_generated("<pre>", e.ty.unqualified(), Storage::Local, start);
        if let Some(func) = &mut self.func {
            func.from_start.push((var, e));
        }
        Ok(self.var_node(var, start))
    }

    // Quantifiers.

    /// `\forall integer i, j; formula`, the first word taken.
    fn acsl_quantifier(&mut self, which: Builtin, start: Span) -> Res<Value> {
        let around = self.acsl.as_ref().map_or(0, |reading| reading.quantifiers);
        if around == MOST_QUANTIFIERS {
            return self.fail(start, format!("more than {MOST_QUANTIFIERS} quantifiers inside of one another"));
        }
        if let Some(reading) = self.reading() {
            reading.quantifiers += 1;
        }
        let result = self.nested(|p| p.quantified_formula(which, start));
        if let Some(reading) = self.reading() {
            reading.quantifiers = around;
        }
        result
    }

    fn quantified_formula(&mut self, which: Builtin, start: Span) -> Res<Value> {
        let mut names = Vec::new();
        loop {
            let ty = self.binder_type()?;
            loop {
                let (name, span) = self.identifier("a variable")?;
                names.push((name, span, ty));
                if !self.at(P::Comma)
                    || self.peek_at(2) != Tok::Punct(P::Comma) && self.peek_at(2) != Tok::Punct(P::Semi)
                {
                    break;
                }
                self.advance();
            }
            if !self.accept(P::Comma) {
                break;
            }
        }
        self.expect(P::Semi)?;
        let body = self.pos;
        let mut kinds: Vec<Ty> = Vec::new();
        if names.iter().any(|(_, _, ty)| ty.is_none()) {
            // Read to learn the bounds of integers, which may be other ones, and then with types that have room for them. What is not
            // settled lies inside of all bounds at once, so those of one may be computed with those of another.
            let mut domains = vec![REHEARSED; names.len()];
            for _ in 0..names.len().min(MOST_ROUNDS) {
                domains = self.rehearsed(which, &names, &domains)?;
                self.pos = body;
            }
            for ((name, span, ty), domain) in names.iter().zip(domains) {
                kinds.push(match ty {
                    Some(ty) => *ty,
                    None if domain.low == REHEARSED.low || domain.high == REHEARSED.high => {
                        let (text, link) = (self.text_of(*name), if which == Builtin::Forall { "==>" } else { "&&" });
                        let message = format!("the integer '{text}' needs bounds: low <= {text} < high {link} ...");
                        return self.fail(*span, message);
                    }
                    None => self.types.int_kind(domain.kind()),
                });
            }
        } else {
            kinds.extend(names.iter().filter_map(|(_, _, ty)| *ty));
        }
        let (vars, truth) = self.with_variables(&names, &kinds, &[])?;
        let (span, int) = (self.since(start), self.types.int());
        let mut e = truth.e;
        for (var, (_, at, _)) in vars.into_iter().zip(&names).rev() {
            let place = self.var_node(var, *at);
            let value = self.rvalue(place);
            e = expr(ExprKind::Builtin(which, vec![value, e]), int, span);
        }
        Ok(Value::Truth(Truth::plain(e)))
    }

    /// Where the variables lie if the formula is not settled by them, given where they lie anyway.
    fn rehearsed(
        &mut self,
        which: Builtin,
        names: &[(crate::token::Name, Span, Option<Ty>)],
        domains: &[Interval],
    ) -> Res<Vec<Interval>> {
        let widest = self.types.int_kind(IntKind::Int128);
        let types: Vec<Ty> = names.iter().map(|(_, _, ty)| ty.unwrap_or(widest)).collect();
        let errors = self.errors.len();
        let was = self.acsl.as_mut().map(|reading| std::mem::replace(&mut reading.is_rehearsal, true));
        let read = self.with_variables(names, &types, domains);
        if let Some(reading) = self.reading() {
            reading.is_rehearsal = was.unwrap_or(false);
        }
        let (vars, truth) = read?;
        self.errors.truncate(errors);
        let facts = if which == Builtin::Forall { &truth.fails } else { &truth.holds };
        let domain = |(&var, &domain): (&VarId, &Interval)| {
            facts.iter().filter(|(known, _)| *known == var).fold(domain, |all, (_, fact)| all.meet(*fact))
        };
        Ok(vars.iter().zip(domains).map(domain).collect())
    }

    /// A type of C, or none for `integer`.
    fn binder_type(&mut self) -> Res<Option<Ty>> {
        if let Some(name) = self.peek_identifier()
            && self.names.text(name) == INTEGER
            && !self.names_type(name)
        {
            self.advance();
            return Ok(None);
        }
        let span = self.span();
        if !self.type_starts_at(0) {
            return self.fail(span, "a quantifier starts with 'integer' or a type of C, and its variables");
        }
        let ty = self.specifiers()?.ty;
        if !self.types.is_integer(ty) {
            return self.fail(span, "quantified variables are integers");
        }
        Ok(Some(ty.unqualified()))
    }

    /// Reads the formula with its variables in these types; while it is rehearsed, integers lie in these domains.
    fn with_variables(
        &mut self,
        names: &[(crate::token::Name, Span, Option<Ty>)],
        types: &[Ty],
        domains: &[Interval],
    ) -> Res<(Vec<VarId>, Truth)> {
        self.scopes.open();
        let outer = self.quantified.len();
        let mut facts = Vec::new();
        for (index, (&(name, span, given), &ty)) in names.iter().zip(types).enumerate() {
            let text = self.text_of(name);
            let var = self.new_var(text, ty, Storage::Local, span);
            self.scopes.declare(name, Entity::Var(var, ty), span);
            self.quantified.push(var);
            if given.is_none() {
                facts.extend(domains.get(index).map(|domain| (var, *domain)));
            }
        }
        let read = self.knowing(&facts, |p| {
            let formula = p.formula()?;
            p.as_truth(formula)
        });
        let vars = self.quantified.split_off(outer);
        self.scopes.close();
        Ok((vars, read?))
    }
}

const INTEGER: &str = "integer";

/// Which state a value is from.
enum Past {
    /// The one before the call.
    Before,
    /// The one in which the loop was entered.
    Loop,
    /// The one in which the function began.
    Start,
}

impl Truth {
    fn plain(e: Expr) -> Truth {
        Truth { e, holds: Vec::new(), fails: Vec::new() }
    }
}

impl Value {
    pub(super) fn truth(e: Expr) -> Value {
        Value::Truth(Truth::plain(e))
    }
}

impl Integer {
    /// The number without the constant that was added to it last, and that constant.
    pub(super) fn as_sum(&self) -> Option<(&Integer, i128)> {
        self.sum.as_ref().map(|(of, constant)| (&**of, *constant))
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
