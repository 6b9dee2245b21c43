//! Constant expressions: integers, floats in their own format, addresses as symbol plus offset.
//!
//! Two uses. While building ([`Parser::fold_binary`]), operations on constants are folded only if nothing about them is
//! undefined: `INT_MAX + 1` stays a tree, because an overflow check must see it; and so does what else is checked ([`Kept`]).
//! Where C demands a constant ([`Parser::eval`]), evaluation goes through whole trees and wraps, as gcc does.
//!
//! [`Kept`]: crate::Kept

use base::Id;
use std::cmp::Ordering;

use crate::float::{self, Class};
use crate::hir::{BinaryOp, Builtin, ElemSize, Expr, ExprKind, Init, Symbol, UnaryOp};
use crate::types::{Ty, Type};
use crate::walk::walk_expr;

use super::Parser;

/// The value of a constant expression; its type is the expression's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Value {
    /// Bits, truncated to the type's width. Pointers too.
    Int(u128),
    Float(u128),
    Address(Symbol, i64),
}

pub(super) fn truncate(bits: u128, width: u32) -> u128 {
    if width >= 128 { bits } else { bits & ((1 << width) - 1) }
}

/// The mathematical value of `bits` as an integer of this shape. (An `unsigned __int128` above `i128::MAX` wraps.)
pub(super) fn extend(bits: u128, width: u32, signed: bool) -> i128 {
    if signed && width < 128 && width > 0 && bits >> (width - 1) & 1 == 1 {
        (bits | (u128::MAX << width)) as i128
    } else {
        bits as i128
    }
}

impl Parser {
    /// Width and signedness of an integer or pointer type.
    pub(super) fn shape(&self, ty: Ty) -> Option<(u32, bool)> {
        match self.types[ty] {
            Type::Pointer(_) => Some((self.model.word() as u32 * 8, false)),
            _ => self.types.int_shape(ty),
        }
    }

    /// The constant as an expression node kind, where it is one already.
    fn literal(e: &Expr) -> Option<Value> {
        match e.kind {
            ExprKind::Int(bits) => Some(Value::Int(bits)),
            ExprKind::Float(bits) => Some(Value::Float(bits)),
            ExprKind::Address(symbol, offset) => Some(Value::Address(symbol, offset)),
            _ => None,
        }
    }

    pub(super) fn fold_binary(&self, op: BinaryOp, l: &Expr, r: &Expr) -> Option<ExprKind> {
        let (a, b) = (Self::literal(l)?, Self::literal(r)?);
        if let (Value::Address(..), _) | (_, Value::Address(..)) = (a, b) {
            return None;
        }
        let (value, clean) = self.apply(op, l.ty, r.ty, a, b)?;
        let is_kept =
            self.kept.wraparound && self.wraps(op, l.ty, a, b) || self.kept.float && matches!(value, Value::Float(_));
        if clean && !is_kept { Self::node(value) } else { None }
    }

    /// Whether it is unsigned arithmetic that wraps around.
    fn wraps(&self, op: BinaryOp, ty: Ty, a: Value, b: Value) -> bool {
        let (Some((width, false)), Value::Int(a), Value::Int(b)) = (self.shape(ty), a, b) else { return false };
        let exact = match op {
            BinaryOp::Add => a.checked_add(b),
            BinaryOp::Sub => a.checked_sub(b),
            BinaryOp::Mul => a.checked_mul(b),
            _ => return false,
        };
        exact.is_none_or(|exact| truncate(exact, width) != exact)
    }

    /// Whether a conversion between integers, or to one, gives another number.
    fn changes_number(&self, value: Value, from: Ty, to: Ty) -> bool {
        let (Some((_, signed)), false) = (self.types.int_shape(to), matches!(self.types[to], Type::Bool)) else {
            return false;
        };
        match (value, self.convert(value, from, to), self.types.int_shape(from)) {
            (Value::Int(bits), Some(Value::Int(after)), Some((width, from_signed))) => {
                let to_width = self.types.int_shape(to).map_or(0, |(width, _)| width);
                let is_negative = |bits, width, signed| signed && extend(bits, width, true) < 0;
                extend(bits, width, from_signed) != extend(after, to_width, signed)
                    || is_negative(bits, width, from_signed) != is_negative(after, to_width, signed)
            }
            (Value::Float(_), after, _) => after.is_none(),
            _ => false,
        }
    }

    /// Whether a constant expression does something that is checked: what was not folded for that reason.
    pub(super) fn is_kept(&self, e: &Expr) -> bool {
        let mut found = false;
        walk_expr(e, &mut |e| {
            found |= match &e.kind {
                ExprKind::Binary(op, l, r) => match (self.eval(l), self.eval(r)) {
                    (Some(a), Some(b)) => {
                        let applied = self.apply(*op, l.ty, r.ty, a, b);
                        let is_clean = applied.is_none_or(|(_, clean)| clean);
                        let is_odd = |(value, _): (Value, bool)| self.is_odd(value, e.ty);
                        self.kept.overflow && !is_clean
                            || self.kept.wraparound && self.wraps(*op, l.ty, a, b)
                            || self.kept.shift && self.shifts_too_far(*op, l.ty, r.ty, b)
                            || self.kept.float && applied.is_some_and(is_odd)
                    }
                    _ => false,
                },
                ExprKind::Unary(UnaryOp::Neg, inner) => match (self.eval(inner), self.shape(e.ty)) {
                    (Some(Value::Int(bits)), Some((width, true))) => self.kept.overflow && bits == 1 << (width - 1),
                    (Some(Value::Int(bits)), Some((_, false))) => self.kept.wraparound && bits != 0,
                    _ => false,
                },
                ExprKind::PtrAdd { .. } => {
                    self.kept.pointer && self.eval(e).is_some_and(|value| self.is_outside(value))
                }
                ExprKind::Cast(inner) => self.eval(inner).is_some_and(|value| {
                    let is_odd = || self.convert(value, inner.ty, e.ty).is_some_and(|value| self.is_odd(value, e.ty));
                    self.kept.conversion && self.changes_number(value, inner.ty, e.ty) || self.kept.float && is_odd()
                }),
                _ => false,
            }
        });
        found
    }

    /// Whether it is a shift by a negative number, or by the width of what is shifted or more.
    fn shifts_too_far(&self, op: BinaryOp, shifted: Ty, by: Ty, distance: Value) -> bool {
        let (Value::Int(bits), Some((width, _)), Some((by_width, signed))) =
            (distance, self.shape(shifted), self.shape(by))
        else {
            return false;
        };
        let distance = extend(bits, by_width, signed);
        matches!(op, BinaryOp::Shl | BinaryOp::Shr) && !(0..i128::from(width)).contains(&distance)
    }

    /// Whether it is a float that is infinite or no number.
    fn is_odd(&self, value: Value, ty: Ty) -> bool {
        let (Value::Float(bits), Some(kind)) = (value, self.types.float_kind_of(ty)) else { return false };
        matches!(float::class(kind, bits), Class::Nan | Class::Infinite)
    }

    /// Whether an address lies outside of the variable or string that it is counted from, beyond its end.
    pub(super) fn is_outside(&self, value: Value) -> bool {
        let (size, offset) = match value {
            Value::Address(Symbol::Var(id), offset) => (self.types.size_of(self.var(id).ty), offset),
            _ => return false,
        };
        size.is_some_and(|size| u64::try_from(offset).map_or(true, |offset| offset > size))
    }

    pub(super) fn fold_cast(&self, e: &Expr, to: Ty) -> Option<ExprKind> {
        let value = Self::literal(e)?;
        let between_floats = self.types.is_float(e.ty) && self.types.is_float(to);
        if self.kept.conversion && self.changes_number(value, e.ty, to) || self.kept.float && between_floats {
            return None;
        }
        Self::node(self.convert(value, e.ty, to).or_else(|| self.saturate(value, e.ty, to))?)
    }

    pub(super) fn node(value: Value) -> Option<ExprKind> {
        Some(match value {
            Value::Int(bits) => ExprKind::Int(bits),
            Value::Float(bits) => ExprKind::Float(bits),
            Value::Address(symbol, offset) => ExprKind::Address(symbol, offset),
        })
    }

    /// `a op b` and whether it is free of overflow and the like. None: no value at all (division by zero).
    fn apply(&self, op: BinaryOp, lt: Ty, rt: Ty, a: Value, b: Value) -> Option<(Value, bool)> {
        match (a, b) {
            (Value::Float(a), Value::Float(b)) => {
                let kind = self.types.float_kind_of(lt)?;
                if op.is_comparison() {
                    let ordering = float::compare(kind, a, b);
                    let holds = match op {
                        BinaryOp::Ne => ordering != Some(Ordering::Equal),
                        _ => ordering.is_some_and(|o| holds(op, o)),
                    };
                    return Some((Value::Int(holds.into()), true));
                }
                float::arithmetic(op, kind, a, b).map(|bits| (Value::Float(bits), true))
            }
            (Value::Int(a), Value::Int(b)) => self.apply_ints(op, lt, rt, a, b),
            (Value::Address(s, x), Value::Address(t, y)) if s == t && op.is_comparison() => {
                Some((Value::Int(holds(op, x.cmp(&y)).into()), true))
            }
            (Value::Address(s, _), Value::Int(0)) | (Value::Int(0), Value::Address(s, _)) if !self.is_weak(s) => {
                match op {
                    BinaryOp::Eq => Some((Value::Int(0), true)),
                    BinaryOp::Ne => Some((Value::Int(1), true)),
                    _ => None,
                }
            }
            (Value::Address(s, x), Value::Int(b)) if matches!(op, BinaryOp::Add | BinaryOp::Sub) => {
                let (width, _) = self.shape(rt)?;
                let b = i64::try_from(extend(b, width, true)).ok()?;
                let offset = if op == BinaryOp::Add { x.checked_add(b) } else { x.checked_sub(b) }?;
                Some((Value::Address(s, offset), true))
            }
            _ => None,
        }
    }

    fn apply_ints(&self, op: BinaryOp, lt: Ty, rt: Ty, a: u128, b: u128) -> Option<(Value, bool)> {
        let (width, signed) = self.shape(lt)?;
        let (x, y) = (extend(a, width, signed), extend(b, width, signed));
        if op.is_comparison() {
            let ordering = if signed { x.cmp(&y) } else { a.cmp(&b) };
            return Some((Value::Int(holds(op, ordering).into()), true));
        }
        if op.is_shift() {
            let (count_width, count_signed) = self.shape(rt)?;
            let count = extend(b, count_width, count_signed);
            if !(0..i128::from(width)).contains(&count) {
                return Some((
                    Value::Int(if op == BinaryOp::Shr && signed && x < 0 { truncate(u128::MAX, width) } else { 0 }),
                    false,
                ));
            }
            let count = count as u32;
            return Some(if op == BinaryOp::Shl {
                let bits = truncate(a << count, width);
                // What gcc's overflow checks say of signed left shifts is decided elsewhere; only plain ones fold.
                let clean = !signed || (x >= 0 && extend(bits, width, true) >> count == x);
                (Value::Int(bits), clean)
            } else {
                let bits = if signed { (x >> count) as u128 } else { a >> count };
                (Value::Int(truncate(bits, width)), true)
            });
        }
        let (bits, exact) = match op {
            BinaryOp::BitAnd => (a & b, true),
            BinaryOp::BitOr => (a | b, true),
            BinaryOp::BitXor => (a ^ b, true),
            BinaryOp::Add => (a.wrapping_add(b), x.checked_add(y).is_some_and(|v| fits(v, width))),
            BinaryOp::Sub => (a.wrapping_sub(b), x.checked_sub(y).is_some_and(|v| fits(v, width))),
            BinaryOp::Mul => (a.wrapping_mul(b), x.checked_mul(y).is_some_and(|v| fits(v, width))),
            BinaryOp::Div | BinaryOp::Rem if b == 0 => return None,
            BinaryOp::Div if signed => (x.wrapping_div(y) as u128, x.checked_div(y).is_some_and(|v| fits(v, width))),
            BinaryOp::Rem if signed => (x.wrapping_rem(y) as u128, x.checked_div(y).is_some_and(|v| fits(v, width))),
            BinaryOp::Div => (a / b, true),
            BinaryOp::Rem => (a % b, true),
            _ => return None,
        };
        Some((Value::Int(truncate(bits, width)), !signed || exact))
    }

    /// A constant of type `from`, converted. None when it is not a constant any more (an address truncated).
    pub(super) fn convert(&self, value: Value, from: Ty, to: Ty) -> Option<Value> {
        if from.unqualified() == to.unqualified() {
            return Some(value);
        }
        match (value, &self.types[to]) {
            (Value::Int(bits), Type::Bool) => Some(Value::Int((bits != 0).into())),
            (Value::Float(bits), Type::Bool) => {
                Some(Value::Int((!float::is_zero(self.types.float_kind_of(from)?, bits)).into()))
            }
            (Value::Address(symbol, _), Type::Bool) => (!self.is_weak(symbol)).then_some(Value::Int(1)),
            (Value::Int(bits), Type::Float(kind)) => {
                let (width, signed) = self.shape(from)?;
                Some(Value::Float(if signed {
                    float::from_int(*kind, extend(bits, width, true))
                } else {
                    float::from_unsigned(*kind, bits)
                }))
            }
            (Value::Float(bits), Type::Float(kind)) => {
                Some(Value::Float(float::convert(self.types.float_kind_of(from)?, *kind, bits)))
            }
            (Value::Float(bits), _) => {
                let (width, signed) = self.types.int_shape(to)?;
                let bits = float::to_int(self.types.float_kind_of(from)?, bits, width, signed)?;
                Some(Value::Int(truncate(bits, width)))
            }
            (Value::Int(bits), _) => {
                let (width, signed) = self.shape(from)?;
                let (to_width, _) = self.shape(to)?;
                // gcc widens the bits of a pointer with their sign.
                let signed = signed || matches!(self.types[from], Type::Pointer(_));
                Some(Value::Int(truncate(extend(bits, width, signed) as u128, to_width)))
            }
            (Value::Address(..), _) => {
                let (width, _) = self.shape(to)?;
                (u64::from(width) == self.model.word() * 8).then_some(value)
            }
        }
    }

    /// The value of a constant expression, undefined operations wrapping. None: not constant.
    pub(super) fn eval(&self, e: &Expr) -> Option<Value> {
        match &e.kind {
            ExprKind::Int(bits) => Some(Value::Int(*bits)),
            ExprKind::Float(bits) => Some(Value::Float(*bits)),
            ExprKind::Address(symbol, offset) => Some(Value::Address(*symbol, *offset)),
            ExprKind::LabelAddr(label) => Some(Value::Address(Symbol::Label(*label), 0)),
            ExprKind::AddrOf(place) | ExprKind::Decay(place) | ExprKind::FuncDecay(place) => self.eval_place(place),
            ExprKind::Cast(inner) => {
                let value = self.eval(inner)?;
                self.convert(value, inner.ty, e.ty).or_else(|| self.saturate(value, inner.ty, e.ty))
            }
            ExprKind::Unary(op, inner) => self.eval_unary(*op, inner, e.ty),
            ExprKind::Binary(op, l, r) => Some(self.apply(*op, l.ty, r.ty, self.eval(l)?, self.eval(r)?)?.0),
            ExprKind::LogAnd(l, r) => match self.truth(l)? {
                false => Some(Value::Int(0)),
                true => Some(Value::Int(self.truth(r)?.into())),
            },
            ExprKind::LogOr(l, r) => match self.truth(l)? {
                true => Some(Value::Int(1)),
                false => Some(Value::Int(self.truth(r)?.into())),
            },
            ExprKind::Cond(c, a, b) => self.eval(if self.truth(c)? { a } else { b }),
            ExprKind::Elvis { value, other } => {
                if self.truth(value)? {
                    self.convert(self.eval(value)?, value.ty, e.ty)
                } else {
                    self.eval(other)
                }
            }
            ExprKind::PtrAdd { ptr, index, size: ElemSize::Const(size), negative } => {
                let (width, signed) = self.shape(index.ty)?;
                let Value::Int(index) = self.eval(index)? else { return None };
                let step = i64::try_from(extend(index, width, signed)).ok()?;
                let step = step.checked_mul(i64::try_from(*size).ok()?)?;
                let step = if *negative { step.checked_neg()? } else { step };
                match self.eval(ptr)? {
                    Value::Address(symbol, offset) => Some(Value::Address(symbol, offset.checked_add(step)?)),
                    Value::Int(bits) => Some(Value::Int(truncate(
                        bits.wrapping_add(step as i128 as u128),
                        self.model.word() as u32 * 8,
                    ))),
                    Value::Float(_) => None,
                }
            }
            ExprKind::PtrDiff { left, right, size: ElemSize::Const(size) } if *size != 0 => {
                let (a, b) = match (self.eval(left)?, self.eval(right)?) {
                    (Value::Address(s, a), Value::Address(t, b)) if s == t => (a, b),
                    // As numbers, labels are counted.
                    (Value::Address(Symbol::Label(s), a), Value::Address(Symbol::Label(t), b)) => {
                        (a.checked_add_unsigned(s.index() as u64)?, b.checked_add_unsigned(t.index() as u64)?)
                    }
                    (Value::Int(a), Value::Int(b)) => (a as i64, b as i64),
                    _ => return None,
                };
                let difference = a.wrapping_sub(b).checked_div(i64::try_from(*size).ok()?)?;
                Some(Value::Int(truncate(difference as i128 as u128, self.model.word() as u32 * 8)))
            }
            // As gcc: a const object with a constant initialiser may stand in another initialiser.
            ExprKind::Load(place) => match &place.kind {
                ExprKind::Var(id) if place.ty.is_const() && !place.ty.is_volatile() => match &self.var(*id).init {
                    Some(Init::Value(value)) => self.convert(Self::literal(value)?, value.ty, e.ty),
                    _ => None,
                },
                _ => None,
            },
            ExprKind::Builtin(builtin, args) => self.eval_builtin(*builtin, args, e.ty),
            _ => None,
        }
    }

    /// A float that does not fit the integer type: undefined, but as an initialiser gcc takes the nearest integer.
    fn saturate(&self, value: Value, from: Ty, to: Ty) -> Option<Value> {
        let (Value::Float(bits), kind) = (value, self.types.float_kind_of(from)?) else { return None };
        let (width, signed) = self.types.int_shape(to)?;
        let zero = float::from_int(kind, 0);
        let largest = if signed { truncate(u128::MAX, width) >> 1 } else { truncate(u128::MAX, width) };
        Some(Value::Int(match float::compare(kind, bits, zero) {
            Some(Ordering::Less) if signed => largest + 1,
            Some(Ordering::Greater) => largest,
            // Not a number, too.
            _ => 0,
        }))
    }

    /// The address of an lvalue.
    fn eval_place(&self, e: &Expr) -> Option<Value> {
        match &e.kind {
            ExprKind::Var(id) if self.var(*id).storage.is_static() => Some(Value::Address(Symbol::Var(*id), 0)),
            ExprKind::Func(id) => Some(Value::Address(Symbol::Func(*id), 0)),
            ExprKind::Str(id) => Some(Value::Address(Symbol::Str(*id), 0)),
            ExprKind::Deref(pointer) => self.eval(pointer),
            ExprKind::Field(base, index) => {
                let record = self.types.record(base.ty)?;
                let offset = self.types.records[record].fields.get(*index as usize)?.offset;
                match self.eval_place(base)? {
                    Value::Address(symbol, at) => {
                        Some(Value::Address(symbol, at.checked_add(i64::try_from(offset).ok()?)?))
                    }
                    Value::Int(bits) => {
                        Some(Value::Int(truncate(bits.wrapping_add(offset.into()), self.model.word() as u32 * 8)))
                    }
                    Value::Float(_) => None,
                }
            }
            _ => None,
        }
    }

    fn eval_unary(&self, op: UnaryOp, inner: &Expr, ty: Ty) -> Option<Value> {
        if op == UnaryOp::Not {
            return Some(Value::Int((!self.truth(inner)?).into()));
        }
        match (op, self.eval(inner)?) {
            (UnaryOp::Neg, Value::Float(bits)) => {
                Some(Value::Float(float::negate(self.types.float_kind_of(ty)?, bits)))
            }
            (UnaryOp::Neg, Value::Int(bits)) => Some(Value::Int(truncate(bits.wrapping_neg(), self.shape(ty)?.0))),
            (UnaryOp::BitNot, Value::Int(bits)) => Some(Value::Int(truncate(!bits, self.shape(ty)?.0))),
            _ => None,
        }
    }

    fn eval_builtin(&self, builtin: Builtin, args: &[Expr], ty: Ty) -> Option<Value> {
        if let Some(value) = self.eval_class(builtin, args) {
            return Some(Value::Int(truncate(value, self.shape(ty)?.0)));
        }
        let arg = args.first()?;
        let Value::Int(bits) = self.eval(arg)? else { return None };
        let (width, _) = self.shape(arg.ty)?;
        let value = match builtin {
            Builtin::Bswap => {
                let bytes = width / 8;
                (0..bytes).fold(0u128, |v, i| v | ((bits >> (8 * i) & 0xff) << (8 * (bytes - 1 - i))))
            }
            Builtin::Clz if bits != 0 => (bits.leading_zeros() - (128 - width)).into(),
            Builtin::Ctz if bits != 0 => bits.trailing_zeros().into(),
            Builtin::Popcount => bits.count_ones().into(),
            Builtin::Parity => (bits.count_ones() % 2).into(),
            Builtin::Ffs if bits == 0 => 0,
            Builtin::Ffs => (bits.trailing_zeros() + 1).into(),
            _ => return None,
        };
        Some(Value::Int(truncate(value, self.shape(ty)?.0)))
    }

    /// What a constant float is: `fpclassify` and its kin. The sign of a NaN is left to those who compute with it.
    fn eval_class(&self, builtin: Builtin, args: &[Expr]) -> Option<u128> {
        let arg = args.last()?;
        let kind = self.types.float_kind_of(arg.ty)?;
        let Value::Float(bits) = self.eval(arg)? else { return None };
        let class = float::class(kind, bits);
        let negative = float::is_negative(kind, bits);
        Some(match builtin {
            Builtin::FpClassify => match self.eval(args.get(class as usize)?)? {
                Value::Int(bits) => bits,
                _ => return None,
            },
            Builtin::IsNan => (class == Class::Nan).into(),
            Builtin::IsInf => (class == Class::Infinite).into(),
            Builtin::IsInfSign if class == Class::Infinite && negative => u128::MAX,
            Builtin::IsInfSign => (class == Class::Infinite).into(),
            Builtin::IsFinite => (!matches!(class, Class::Nan | Class::Infinite)).into(),
            Builtin::IsNormal => (class == Class::Normal).into(),
            Builtin::SignBit if class != Class::Nan => negative.into(),
            _ => return None,
        })
    }

    /// Is the (scalar, constant) expression nonzero?
    pub(super) fn truth(&self, e: &Expr) -> Option<bool> {
        Some(match self.eval(e)? {
            Value::Int(bits) => bits != 0,
            Value::Float(bits) => !float::is_zero(self.types.float_kind_of(e.ty)?, bits),
            Value::Address(symbol, _) if self.is_weak(symbol) => return None,
            Value::Address(..) => true,
        })
    }

    /// May the address be null, because nothing defines the symbol?
    fn is_weak(&self, symbol: Symbol) -> bool {
        match symbol {
            Symbol::Var(id) => self.var(id).weak,
            Symbol::Func(id) => self.funcs[id].weak,
            Symbol::Str(_) | Symbol::Label(_) => false,
        }
    }

    /// The mathematical value of an integer constant expression.
    pub(super) fn eval_int(&self, e: &Expr) -> Option<i128> {
        let (width, signed) = self.types.int_shape(e.ty)?;
        match self.eval(e)? {
            Value::Int(bits) => Some(extend(bits, width, signed)),
            _ => None,
        }
    }
}

fn fits(value: i128, width: u32) -> bool {
    width >= 128 || (value >= -(1 << (width - 1)) && value < 1 << (width - 1))
}

fn holds(op: BinaryOp, ordering: Ordering) -> bool {
    match op {
        BinaryOp::Eq => ordering == Ordering::Equal,
        BinaryOp::Ne => ordering != Ordering::Equal,
        BinaryOp::Lt => ordering == Ordering::Less,
        BinaryOp::Le => ordering != Ordering::Greater,
        BinaryOp::Gt => ordering == Ordering::Greater,
        BinaryOp::Ge => ordering != Ordering::Less,
        _ => false,
    }
}
