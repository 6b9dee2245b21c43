//! The integer constant expressions of `#if` and `#elif` (C11 6.10.1): all arithmetic in intmax_t and uintmax_t. Names that are
//! no macros are 0. What is not evaluated (`0 && 1 / 0`) must be well formed, but may divide by zero.

use crate::literal::{self, Number};
use crate::token::P;
use crate::types::IntKind;

use super::*;

/// Nesting of brackets and operators: each level is a level of the stack.
const MAX_DEPTH: usize = 2_000;

#[derive(Clone, Copy)]
struct Value {
    bits: u64,
    unsigned: bool,
}

impl Value {
    fn truth(value: bool) -> Value {
        Value { bits: value.into(), unsigned: false }
    }

    fn signed(self) -> i64 {
        self.bits as i64
    }
}

/// How tight a binary operator binds; `?` and `,` are the loosest.
fn precedence(p: P) -> Option<u8> {
    Some(match p {
        P::Comma => 1,
        P::Question => 2,
        P::OrOr => 3,
        P::AndAnd => 4,
        P::Or => 5,
        P::Caret => 6,
        P::And => 7,
        P::EqEq | P::Ne => 8,
        P::Lt | P::Gt | P::Le | P::Ge => 9,
        P::Shl | P::Shr => 10,
        P::Plus | P::Minus => 11,
        P::Star | P::Slash | P::Percent => 12,
        _ => return None,
    })
}

struct Evaluation<'e, 'p> {
    pp: &'e mut Preprocessor<'p>,
    token: PpToken,
    /// Inside an operand whose value does not matter.
    idle: usize,
    depth: usize,
}

impl Preprocessor<'_> {
    /// The condition that follows `word`.
    pub(super) fn condition(&mut self, word: PpToken) -> Res<bool> {
        let token = self.next_real()?;
        if token.is_end() {
            return self.fail(word.at, format!("{} without a condition", self.shown(&word)), "write #if EXPRESSION");
        }
        let mut evaluation = Evaluation { pp: self, token, idle: 0, depth: 0 };
        let value = evaluation.expression(1)?;
        let rest = evaluation.token;
        if !rest.is_end() {
            let message = format!("expected an operator in the condition, found {}", self.shown(&rest));
            return self.fail(rest.at, message, MISSING);
        }
        Ok(value.bits != 0)
    }
}

const MISSING: &str = "only integers, operators, 'defined' and macros can stand here; is a macro not defined?";

impl Evaluation<'_, '_> {
    fn advance(&mut self) -> Res<()> {
        self.token = self.pp.next_real()?;
        Ok(())
    }

    fn fail<T>(&self, at: At, message: impl Into<String>, help: &str) -> Res<T> {
        self.pp.fail(at, message, help)
    }

    fn deeper(&mut self) -> Res<()> {
        self.depth += 1;
        if self.depth <= MAX_DEPTH {
            return Ok(());
        }
        self.fail(self.token.at, format!("condition nested more than {MAX_DEPTH} deep"), "take it apart")
    }

    /// An expression of operators that bind at least as tight as `least`.
    fn expression(&mut self, least: u8) -> Res<Value> {
        self.deeper()?;
        let mut left = self.unary()?;
        while let Kind::Tok(Tok::Punct(p)) = self.token.kind
            && let Some(binds) = precedence(p).filter(|&binds| binds >= least)
        {
            let at = self.token.at;
            self.advance()?;
            left = match p {
                P::Question => self.choice(left)?,
                P::AndAnd | P::OrOr => {
                    let decided = (left.bits != 0) == (p == P::OrOr);
                    let right = self.idly(decided, |e| e.expression(binds + 1))?;
                    Value::truth(if decided { p == P::OrOr } else { right.bits != 0 })
                }
                _ => {
                    let right = self.expression(binds + 1)?;
                    self.binary(p, left, right, at)?
                }
            };
        }
        self.depth -= 1;
        Ok(left)
    }

    fn idly<T>(&mut self, idle: bool, f: impl FnOnce(&mut Self) -> Res<T>) -> Res<T> {
        self.idle += usize::from(idle);
        let result = f(self);
        self.idle -= usize::from(idle);
        result
    }

    /// `? a : b`, after the question mark.
    fn choice(&mut self, condition: Value) -> Res<Value> {
        let truth = condition.bits != 0;
        let yes = self.idly(!truth, |e| e.expression(1))?;
        if !self.token.is(P::Colon) {
            return self.fail(self.token.at, "expected ':' in the condition", "write A ? B : C");
        }
        self.advance()?;
        let no = self.idly(truth, |e| e.expression(2))?;
        let chosen = if truth { yes } else { no };
        Ok(Value { unsigned: yes.unsigned || no.unsigned, ..chosen })
    }

    fn unary(&mut self) -> Res<Value> {
        let token = self.token;
        match token.kind {
            Kind::Tok(Tok::Punct(p @ (P::Plus | P::Minus | P::Not | P::Tilde))) => {
                self.advance()?;
                self.deeper()?;
                let value = self.unary()?;
                self.depth -= 1;
                Ok(match p {
                    P::Minus => Value { bits: value.bits.wrapping_neg(), ..value },
                    P::Tilde => Value { bits: !value.bits, ..value },
                    P::Not => Value::truth(value.bits == 0),
                    _ => value,
                })
            }
            Kind::Tok(Tok::Punct(P::LParen)) => {
                self.advance()?;
                let value = self.expression(1)?;
                if !self.token.is(P::RParen) {
                    return self.fail(token.at, "missing ')' in the condition", "close the bracket");
                }
                self.advance()?;
                Ok(value)
            }
            Kind::Tok(Tok::Number) => {
                let value = self.number(token)?;
                self.advance()?;
                Ok(value)
            }
            Kind::Tok(Tok::Char) => {
                let read = literal::character(self.pp.spelled(&token), self.pp.options.model);
                let (value, kind) = read.or_else(|message| self.fail(token.at, message, "give one character"))?;
                self.advance()?;
                Ok(Value {
                    bits: value as u64,
                    unsigned: matches!(kind, IntKind::UChar | IntKind::UShort | IntKind::UInt),
                })
            }
            Kind::Tok(Tok::Name(name)) if name == self.pp.known.defined => self.defined(token),
            Kind::Tok(Tok::Name(name)) => {
                self.advance()?;
                let is_true = name == self.pp.names.intern(b"true") && self.pp.is_macro(b"__FOLDBACK_C23__");
                Ok(Value::truth(is_true))
            }
            _ => {
                let found = self.pp.shown(&token);
                self.fail(token.at, format!("expected a value in the condition, found {found}"), MISSING)
            }
        }
    }

    /// `defined X` or `defined(X)`.
    fn defined(&mut self, of: PpToken) -> Res<Value> {
        self.pp.no_expansion = true;
        let found = self.defined_name(of);
        self.pp.no_expansion = false;
        let value = Value::truth(self.pp.macro_named(found?).is_some());
        self.advance()?;
        Ok(value)
    }

    fn defined_name(&mut self, of: PpToken) -> Res<Name> {
        let mut token = self.pp.next_real()?;
        let bracketed = token.is(P::LParen);
        if bracketed {
            token = self.pp.next_real()?;
        }
        let Some(name) = token.name() else {
            let found = self.pp.shown(&token);
            return self.fail(
                of.at,
                format!("'defined' needs the name of a macro, found {found}"),
                "write defined(NAME)",
            );
        };
        if bracketed && !self.pp.next_real()?.is(P::RParen) {
            return self.fail(of.at, "missing ')' after 'defined'", "write defined(NAME)");
        }
        Ok(name)
    }

    fn number(&self, token: PpToken) -> Res<Value> {
        let text = decode(self.pp.spelled(&token));
        match literal::number(&text, DataModel::Lp64, false) {
            Ok(Number::Int { value, .. }) => {
                // Wider than any type: gcc takes the low bits.
                let bits = value as u64;
                Ok(Value { bits, unsigned: text.contains(['u', 'U']) || bits > i64::MAX as u64 })
            }
            Ok(_) => {
                self.fail(token.at, format!("'{text}' in a condition is no integer"), "conditions know only integers")
            }
            Err(message) => self.fail(token.at, message, "give an integer"),
        }
    }

    fn binary(&self, p: P, left: Value, right: Value, at: At) -> Res<Value> {
        let unsigned = left.unsigned || right.unsigned;
        let of = |bits: u64| Value { bits, unsigned };
        let (a, b) = (left.bits, right.bits);
        Ok(match p {
            P::Comma => right,
            P::Or => of(a | b),
            P::Caret => of(a ^ b),
            P::And => of(a & b),
            P::EqEq => Value::truth(a == b),
            P::Ne => Value::truth(a != b),
            P::Lt => Value::truth(if unsigned { a < b } else { left.signed() < right.signed() }),
            P::Gt => Value::truth(if unsigned { a > b } else { left.signed() > right.signed() }),
            P::Le => Value::truth(if unsigned { a <= b } else { left.signed() <= right.signed() }),
            P::Ge => Value::truth(if unsigned { a >= b } else { left.signed() >= right.signed() }),
            P::Shl | P::Shr => {
                // A negative distance goes the other way, as gcc has it.
                let backwards = !right.unsigned && right.signed() < 0;
                let distance = if backwards { b.wrapping_neg() } else { b };
                shift(left, distance, (p == P::Shl) != backwards)
            }
            P::Plus => of(a.wrapping_add(b)),
            P::Minus => of(a.wrapping_sub(b)),
            P::Star => of(a.wrapping_mul(b)),
            _ if b == 0 && self.idle > 0 => of(0),
            _ if b == 0 => return self.fail(at, "division by zero in a condition", "test the divisor first"),
            P::Slash if unsigned => of(a / b),
            P::Slash => of(left.signed().wrapping_div(right.signed()) as u64),
            _ if unsigned => of(a % b),
            _ => of(left.signed().wrapping_rem(right.signed()) as u64),
        })
    }
}

fn shift(value: Value, distance: u64, to_left: bool) -> Value {
    let distance = u32::try_from(distance).unwrap_or(u32::MAX);
    let bits = match (to_left, value.unsigned) {
        (true, _) => value.bits.checked_shl(distance).unwrap_or(0),
        (false, true) => value.bits.checked_shr(distance).unwrap_or(0),
        (false, false) => (value.signed() >> distance.min(63)) as u64,
    };
    Value { bits, ..value }
}
