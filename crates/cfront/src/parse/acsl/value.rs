//! What a formula or a term of ACSL is once it is read: a truth value, a mathematical integer, a place or several of C; and one as another.

use base::Span;

use crate::hir::{Expr, ExprKind, VarId};
use crate::types::{IntKind, Type};

use super::super::{Parser, Res};
use super::interval::Interval;

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
    pub(super) sum: Option<(Box<Integer>, i128)>,
}

/// A truth value, and where quantified variables lie if it holds, or fails.
#[derive(Clone)]
pub(super) struct Truth {
    pub(super) e: Expr,
    pub(super) holds: Vec<(VarId, Interval)>,
    pub(super) fails: Vec<(VarId, Interval)>,
}

/// The elements `low` to `high` from a pointer on.
#[derive(Clone)]
pub(super) struct Cells {
    pub(super) pointer: Expr,
    pub(super) low: Integer,
    pub(super) high: Integer,
}

impl Truth {
    pub(super) fn plain(e: Expr) -> Truth {
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

impl Parser {
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

    pub(super) fn is_number(&self, value: &Value) -> bool {
        match value {
            Value::Integer(_) => true,
            Value::C(e) => self.types.is_integer(e.ty),
            _ => false,
        }
    }

    pub(super) fn is_pointer_value(&self, value: &Value) -> bool {
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

    /// The quantified variable that the number is.
    pub(super) fn quantified_in(&self, e: &Expr) -> Option<VarId> {
        let ExprKind::Load(place) = &e.kind else { return None };
        match place.kind {
            ExprKind::Var(id) if self.quantified.contains(&id) => Some(id),
            _ => None,
        }
    }
}
