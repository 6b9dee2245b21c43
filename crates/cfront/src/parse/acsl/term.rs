//! Terms: prefixes, casts, places, names. One grammar with formulas, since a term of C may stand for a truth value (not zero, not null).
//!
//! Precedences are those of ACSL, which are C's, with `==>`, `<==>` and quantifiers below.

use base::Span;

use crate::hir::{BinaryOp, ExprKind, UnaryOp};
use crate::token::{P, Tok, kw};
use crate::types::{Ty, Type};

use super::super::scope::Entity;
use super::super::typed::is_lvalue;
use super::super::{Parser, Res};
use super::INTEGER;
use super::interval::Interval;
use super::value::{Integer, Truth, Value};

impl Parser {
    pub(super) fn prefixed(&mut self) -> Res<Value> {
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
}
