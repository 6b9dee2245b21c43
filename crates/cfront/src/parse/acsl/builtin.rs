//! What begins with a backslash: constants, functions and predicates of ACSL, and values of earlier states.

use base::Span;

use crate::hir::{BinaryOp, Builtin, Expr, ExprKind, Storage};
use crate::token::P;
use crate::walk::walk_expr;

use super::super::{Parser, Res};
use super::value::{Integer, Truth, Value};
use super::{Clause, Context};

/// Which state a value is from.
enum Past {
    /// The one before the call.
    Before,
    /// The one in which the loop was entered.
    Loop,
    /// The one in which the function began.
    Start,
}

impl Parser {
    /// What begins with a backslash, taken.
    pub(super) fn builtin_name(&mut self, word: &str, start: Span) -> Res<Value> {
        match word {
            "\\true" | "\\false" => Ok(Value::Truth(Truth::plain(self.int_of((word == "\\true").into(), start)))),
            "\\null" => {
                let void = self.types.void();
                let ty = self.types.pointer(void);
                Ok(Value::C(self.int_node(0, ty, start)))
            }
            "\\nothing" => Ok(Value::Nothing),
            "\\result" => match self.clause.as_ref().and_then(Clause::result) {
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
}
