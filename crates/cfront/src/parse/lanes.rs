//! Complex and vector values: several numbers of one type side by side, here called lanes. They live in memory as structs
//! do, so an operation on them is written out: operands that are not places are kept in variables of a statement
//! expression, and the result is a compound literal whose parts are the operations on the lanes.
//!
//! As gcc does: a real operand of a complex operation is not made complex first (`r * z` is two products); a product of
//! complex floats is computed again by `__muldc3` where both parts are no numbers; a comparison of vectors gives 0 or -1
//! in each lane.

use base::Span;

use crate::float;
use crate::hir::{BinaryOp, Expr, ExprKind, FuncId, Init, InitPart, Stmt, StmtKind, Storage, Symbol, UnaryOp};
use crate::token::P;
use crate::types::{FloatKind, FunctionType, IntKind, Ty, Type};
use crate::walk::has_effects;

use super::typed::{expr, is_lvalue};
use super::{Parser, Res};

/// An operand whose lanes can be named as often as needed.
enum Operand {
    Place(Expr),
    Lanes(Vec<Expr>),
    /// One number for all lanes.
    Number(Expr),
}

impl Parser {
    /// The type and number of the lanes.
    pub(super) fn lanes_of(&self, ty: Ty) -> Option<(Ty, u64)> {
        match self.types[ty] {
            Type::Complex(of) => Some((of, 2)),
            Type::Vector(of, bytes) => Some((of, bytes.checked_div(self.types.size_of(of)?)?)),
            _ => None,
        }
    }

    pub(super) fn is_vector(&self, ty: Ty) -> bool {
        matches!(self.types[ty], Type::Vector(..))
    }

    fn zero(&self, ty: Ty) -> ExprKind {
        match self.types.float_kind_of(ty) {
            Some(kind) => ExprKind::Float(float::from_int(kind, 0)),
            None => ExprKind::Int(0),
        }
    }

    /// The value whose lanes have these values.
    pub(super) fn of_lanes(&mut self, ty: Ty, lanes: Vec<Expr>, span: Span) -> Expr {
        let ty = ty.unqualified();
        let Some((of, _)) = self.lanes_of(ty) else { return self.unsupported("lanes of a number", ty, span) };
        let step = self.types.size_of(of).unwrap_or(0);
        let part = |(i, value)| InitPart { offset: i as u64 * step, bits: None, ty: of, value };
        let init = Init::Parts(lanes.into_iter().enumerate().map(part).collect(), Vec::new());
        let is_static = self.func.is_none();
        let storage = if is_static { Storage::Static } else { Storage::Local };
        let var = self.new_generated(crate::hir::COMPOUND_LITERAL, ty, storage, span);
        let place = if is_static {
            self.var_mut(var).init = Some(init);
            self.var_node(var, span)
        } else {
            expr(ExprKind::CompoundLiteral(var, Box::new(init)), ty, span)
        };
        expr(ExprKind::Load(Box::new(place)), ty, span)
    }

    /// The lanes of a value that is known while parsing.
    fn known_lanes(&self, e: &Expr) -> Option<Vec<Expr>> {
        let ExprKind::Load(place) = &e.kind else { return None };
        let init = match &place.kind {
            ExprKind::CompoundLiteral(_, init) => init,
            ExprKind::Var(id) if self.var(*id).generated => self.var(*id).init.as_ref()?,
            _ => return None,
        };
        let Init::Parts(parts, _) = init else { return None };
        let (_, count) = self.lanes_of(e.ty)?;
        let known = |p: &InitPart| matches!(p.value.kind, ExprKind::Int(_) | ExprKind::Float(_));
        (parts.len() as u64 == count && parts.iter().all(known))
            .then(|| parts.iter().map(|p| p.value.clone()).collect())
    }

    /// Lane number `index` of a place.
    pub(super) fn lane_place(&mut self, place: Expr, index: Expr, span: Span) -> Res<Expr> {
        let Some((of, _)) = self.lanes_of(place.ty) else { return Ok(place) };
        self.mark_address(&place);
        let (whole, to) = (self.types.pointer(place.ty), self.types.pointer(of.with(place.ty.qualifiers())));
        let address = expr(ExprKind::AddrOf(Box::new(place)), whole, span);
        let base = self.cast(address, to);
        let sum = self.pointer_add(base, index, false, span)?;
        self.deref(sum, span)
    }

    /// Keeps a value in a variable of its own, declared in `body`.
    fn kept(&mut self, e: Expr, body: &mut Vec<Stmt>) -> Res<Expr> {
        let span = e.span;
        if self.func.is_none() {
            return self.fail(span, "the initialiser is not constant");
        }
        let var = self.new_generated("<lanes>", e.ty, Storage::Local, span);
        let kind = StmtKind::Decl { var, init: Some(Init::Value(e)), size: None, cleanup: None };
        body.push(Stmt { kind, span });
        Ok(self.var_node(var, span))
    }

    fn operand(&mut self, e: Expr, body: &mut Vec<Stmt>) -> Res<Operand> {
        if let Some(lanes) = self.known_lanes(&e) {
            return Ok(Operand::Lanes(lanes));
        }
        if self.lanes_of(e.ty).is_none() {
            if !has_effects(&e) {
                return Ok(Operand::Number(e));
            }
            let place = self.kept(e, body)?;
            return Ok(Operand::Number(self.rvalue(place)));
        }
        match e.kind {
            ExprKind::Load(place) if !has_effects(&place) && !matches!(place.kind, ExprKind::CompoundLiteral(..)) => {
                Ok(Operand::Place(*place))
            }
            kind => Ok(Operand::Place(self.kept(Expr { kind, ..e }, body)?)),
        }
    }

    fn lane(&mut self, operand: &Operand, index: u64, span: Span) -> Res<Expr> {
        match operand {
            Operand::Place(place) => {
                let index = self.size_node(index, span);
                let lane = self.lane_place(place.clone(), index, span)?;
                Ok(self.rvalue(lane))
            }
            Operand::Lanes(lanes) => Ok(lanes[index as usize].clone()),
            Operand::Number(e) => Ok(e.clone()),
        }
    }

    /// `value`, after the declarations of what it is made of.
    fn with_kept(&self, body: Vec<Stmt>, value: Expr) -> Expr {
        if body.is_empty() {
            return value;
        }
        let (ty, span) = (value.ty, value.span);
        expr(ExprKind::StmtExpr { body, result: Some(Box::new(value)) }, ty, span)
    }

    /// One lane of a value.
    pub(super) fn lane_value(&mut self, e: Expr, index: Expr, span: Span) -> Res<Expr> {
        let mut body = Vec::new();
        let place = self.kept(e, &mut body)?;
        let lane = self.lane_place(place, index, span)?;
        let lane = self.rvalue(lane);
        Ok(self.with_kept(body, lane))
    }

    /// `__real__ e`, `__imag__ e`.
    pub(super) fn part(&mut self, e: Expr, imaginary: bool, span: Span) -> Res<Expr> {
        if matches!(e.kind, ExprKind::Unsupported(_)) {
            return Ok(e);
        }
        if self.types.is_complex(e.ty) {
            if let Some(lanes) = self.known_lanes(&e) {
                return Ok(lanes[usize::from(imaginary)].clone());
            }
            let index = self.size_node(imaginary.into(), span);
            return if is_lvalue(&e) { self.lane_place(e, index, span) } else { self.lane_value(e, index, span) };
        }
        if !imaginary {
            return Ok(e);
        }
        let value = self.rvalue(e);
        let ty = value.ty;
        let zero = expr(self.zero(ty), ty, span);
        if !has_effects(&value) {
            return Ok(zero);
        }
        Ok(expr(ExprKind::Comma(Box::new(value), Box::new(zero)), ty, span))
    }

    /// The conversion to or from a type with lanes.
    pub(super) fn cast_lanes(&mut self, e: Expr, to: Ty) -> Expr {
        let span = e.span;
        match self.try_cast_lanes(e, to) {
            Ok(value) => value,
            // The message is recorded.
            Err(_) => self.unsupported("a conversion of complex or vector values", to, span),
        }
    }

    fn try_cast_lanes(&mut self, e: Expr, to: Ty) -> Res<Expr> {
        let span = e.span;
        let mut body = Vec::new();
        let (from_complex, to_complex) = (self.types.is_complex(e.ty), self.types.is_complex(to));
        if !from_complex && !to_complex {
            return self.same_bytes(e, to);
        }
        if self.is_vector(e.ty) || self.is_vector(to) {
            return self.fail(span, "a vector and a complex value cannot be converted to each other");
        }
        let value = match self.lanes_of(to) {
            Some((of, _)) if from_complex => {
                let operand = self.operand(e, &mut body)?;
                let mut lanes = Vec::new();
                for i in 0..2 {
                    let lane = self.lane(&operand, i, span)?;
                    lanes.push(self.cast(lane, of));
                }
                self.of_lanes(to, lanes, span)
            }
            Some((of, _)) => {
                let real = self.cast(e, of);
                let zero = expr(self.zero(of), of, span);
                self.of_lanes(to, vec![real, zero], span)
            }
            None if matches!(self.types[to], Type::Bool) => {
                let zero = self.int_of(0, span);
                let truth = self.binary(BinaryOp::Ne, e, zero, span)?;
                self.cast(truth, to)
            }
            None => {
                let operand = self.operand(e, &mut body)?;
                let real = self.lane(&operand, 0, span)?;
                self.cast(real, to)
            }
        };
        Ok(self.with_kept(body, value))
    }

    /// A vector as another vector or number of the same size, and the other way round: the same bytes.
    fn same_bytes(&mut self, e: Expr, to: Ty) -> Res<Expr> {
        let span = e.span;
        if self.types.size_of(e.ty) != self.types.size_of(to) {
            let (from, into) = (self.types.show(e.ty), self.types.show(to));
            return self.fail(span, format!("'{from}' cannot be converted to '{into}', which has another size"));
        }
        let mut body = Vec::new();
        let place = match e.kind {
            ExprKind::Load(place)
                if !matches!(place.kind, ExprKind::CompoundLiteral(..)) && !self.is_bit_field(&place) =>
            {
                *place
            }
            kind => self.kept(Expr { kind, ..e }, &mut body)?,
        };
        self.mark_address(&place);
        let (from, into) = (self.types.pointer(place.ty), self.types.pointer(to));
        let address = expr(ExprKind::AddrOf(Box::new(place)), from, span);
        let address = self.cast(address, into);
        let same = self.deref(address, span)?;
        let same = self.rvalue(same);
        Ok(self.with_kept(body, same))
    }

    /// `l op r` where at least one has lanes.
    pub(super) fn binary_lanes(&mut self, op: BinaryOp, l: Expr, r: Expr, span: Span) -> Res<Expr> {
        let mut body = Vec::new();
        let value = if self.is_vector(l.ty) || self.is_vector(r.ty) {
            self.vector_operation(op, l, r, &mut body, span)?
        } else {
            self.complex_operation(op, l, r, &mut body, span)?
        };
        Ok(self.with_kept(body, value))
    }

    fn vector_operation(&mut self, op: BinaryOp, l: Expr, r: Expr, body: &mut Vec<Stmt>, span: Span) -> Res<Expr> {
        let whole = if self.is_vector(l.ty) { l.ty } else { r.ty };
        let Some((of, count)) = self.lanes_of(whole) else { return self.fail(span, "vector expected") };
        for e in [&l, &r] {
            let fits = match self.lanes_of(e.ty) {
                Some((other, n)) => n == count && self.types.size_of(other) == self.types.size_of(of),
                None => self.types.is_arithmetic(e.ty),
            };
            if !fits {
                return self.fail(span, "operands of a vector operation do not fit together");
            }
        }
        let (l, r) = (self.as_lane(l, of), self.as_lane(r, of));
        let (l, r) = (self.operand(l, body)?, self.operand(r, body)?);
        let result = if op.is_comparison() { self.signed_like(of) } else { of };
        let mut lanes = Vec::new();
        for i in 0..count {
            let (a, b) = (self.lane(&l, i, span)?, self.lane(&r, i, span)?);
            let mut lane = self.binary(op, a, b, span)?;
            if op.is_comparison() {
                lane = self.unary(UnaryOp::Neg, lane, span)?;
            }
            lanes.push(self.cast(lane, result));
        }
        let bytes = self.types.size_of(whole).unwrap_or(0);
        let ty = self.types.intern(Type::Vector(result, bytes));
        Ok(self.of_lanes(ty, lanes, span))
    }

    /// A number beside a vector has the type of the lanes.
    fn as_lane(&mut self, e: Expr, of: Ty) -> Expr {
        if self.lanes_of(e.ty).is_some() { e } else { self.cast(e, of) }
    }

    /// The signed integer type of the same size.
    fn signed_like(&mut self, of: Ty) -> Ty {
        let bytes = self.types.size_of(of);
        let kinds = [IntKind::SChar, IntKind::Short, IntKind::Int, IntKind::Long, IntKind::LongLong, IntKind::Int128];
        let kind = kinds.into_iter().find(|k| Some(u64::from(k.width(self.model) / 8)) == bytes);
        self.types.int_kind(kind.unwrap_or(IntKind::Int))
    }

    fn complex_operation(&mut self, op: BinaryOp, l: Expr, r: Expr, body: &mut Vec<Stmt>, span: Span) -> Res<Expr> {
        let part_type = |p: &mut Parser, e: &Expr| match p.types[e.ty] {
            Type::Complex(of) => Some(of),
            _ if p.types.is_integer(e.ty) => Some(p.promote(e.clone()).ty),
            _ => p.types.is_float(e.ty).then_some(e.ty),
        };
        let (Some(a), Some(b)) = (part_type(self, &l), part_type(self, &r)) else {
            return self.fail(span, "invalid operands of a complex operation");
        };
        let of = self.common_type(a, b);
        let (l_complex, r_complex) = (self.types.is_complex(l.ty), self.types.is_complex(r.ty));
        let (l, r) = (self.operand(l, body)?, self.operand(r, body)?);
        let parts = |p: &mut Parser, operand: &Operand, complex: bool| -> Res<(Expr, Option<Expr>)> {
            let real = p.lane(operand, 0, span)?;
            let real = p.cast(real, of);
            if !complex {
                return Ok((real, None));
            }
            let imaginary = p.lane(operand, 1, span)?;
            Ok((real, Some(p.cast(imaginary, of))))
        };
        let ((a, b), (c, d)) = (parts(self, &l, l_complex)?, parts(self, &r, r_complex)?);
        let ty = self.types.intern(Type::Complex(of));
        let (real, imaginary) = match (op, b, d) {
            (BinaryOp::Eq | BinaryOp::Ne, b, d) => {
                let zero = || expr(self.zero(of), of, span);
                let (b, d) = (b.unwrap_or_else(zero), d.unwrap_or_else(zero));
                let (first, second) = (self.binary(op, a, c, span)?, self.binary(op, b, d, span)?);
                return self.logical(op == BinaryOp::Eq, first, second, span);
            }
            (BinaryOp::Add | BinaryOp::Sub, b, d) => {
                let real = self.binary(op, a, c, span)?;
                let imaginary = match (b, d) {
                    (Some(b), Some(d)) => self.binary(op, b, d, span)?,
                    (Some(b), None) => b,
                    (None, Some(d)) if op == BinaryOp::Sub => self.unary(UnaryOp::Neg, d, span)?,
                    (None, Some(d)) => d,
                    (None, None) => return self.fail(span, "complex operand expected"),
                };
                (real, imaginary)
            }
            (BinaryOp::Mul, Some(b), None) => (self.times(a, c.clone(), span)?, self.times(b, c, span)?),
            (BinaryOp::Mul, None, Some(d)) => (self.times(a.clone(), c, span)?, self.times(a, d, span)?),
            (BinaryOp::Mul, Some(b), Some(d)) => return self.complex_product(ty, of, [a, b, c, d], body, span),
            (BinaryOp::Div, Some(b), None) => (self.binary(op, a, c.clone(), span)?, self.binary(op, b, c, span)?),
            (BinaryOp::Div, b, Some(d)) if self.types.is_integer(of) => {
                let b = b.unwrap_or_else(|| expr(self.zero(of), of, span));
                let (cc, dd) = (self.times(c.clone(), c.clone(), span)?, self.times(d.clone(), d.clone(), span)?);
                let norm = self.binary(BinaryOp::Add, cc, dd, span)?;
                let (ac, bd) = (self.times(a.clone(), c.clone(), span)?, self.times(b.clone(), d.clone(), span)?);
                let (bc, ad) = (self.times(b, c, span)?, self.times(a, d, span)?);
                let (x, y) = (self.binary(BinaryOp::Add, ac, bd, span)?, self.binary(BinaryOp::Sub, bc, ad, span)?);
                (self.binary(op, x, norm.clone(), span)?, self.binary(op, y, norm, span)?)
            }
            (BinaryOp::Div, b, Some(d)) => {
                let b = b.unwrap_or_else(|| expr(ExprKind::Float(0), of, span));
                return Ok(self.complex_quotient(ty, of, [a, b, c, d], span));
            }
            _ => return self.fail(span, "invalid operator for complex values"),
        };
        let (real, imaginary) = (self.cast(real, of), self.cast(imaginary, of));
        Ok(self.of_lanes(ty, vec![real, imaginary], span))
    }

    fn times(&mut self, a: Expr, b: Expr, span: Span) -> Res<Expr> {
        self.binary(BinaryOp::Mul, a, b, span)
    }

    /// A quotient of complex floats is what libgcc's function computes, but for constants: those the compiler divides, exactly.
    fn complex_quotient(&mut self, ty: Ty, of: Ty, parts: [Expr; 4], span: Span) -> Expr {
        let args: Vec<Expr> = parts.into_iter().map(|e| self.cast(e, of)).collect();
        if args.iter().all(|e| matches!(e.kind, ExprKind::Float(_))) {
            return self.unsupported("a division of complex constants", ty, span);
        }
        let name = match self.types.float_kind_of(of) {
            Some(FloatKind::Float) => "__divsc3",
            Some(FloatKind::Double) => "__divdc3",
            Some(FloatKind::LongDouble) => "__divxc3",
            _ => return self.unsupported("a division by a complex value of this type", ty, span),
        };
        self.call_runtime(name, ty, of, args, span)
    }

    /// Calls a function of four numbers that the compiler calls by itself.
    fn call_runtime(&mut self, name: &str, ty: Ty, of: Ty, args: Vec<Expr>, span: Span) -> Expr {
        let f = FunctionType { ret: ty, params: vec![of; 4], variadic: false, prototyped: true };
        let f = self.types.intern(Type::Function(f));
        let callee = expr(ExprKind::Func(self.runtime_function(name, f, span)), f, span);
        let callee = Box::new(self.function_value(callee));
        expr(ExprKind::Call { callee, args }, ty, span)
    }

    fn complex_product(
        &mut self,
        ty: Ty,
        of: Ty,
        [a, b, c, d]: [Expr; 4],
        body: &mut Vec<Stmt>,
        span: Span,
    ) -> Res<Expr> {
        let (ac, bd) = (self.times(a.clone(), c.clone(), span)?, self.times(b.clone(), d.clone(), span)?);
        let (ad, bc) = (self.times(a.clone(), d.clone(), span)?, self.times(b.clone(), c.clone(), span)?);
        let (x, y) = (self.binary(BinaryOp::Sub, ac, bd, span)?, self.binary(BinaryOp::Add, ad, bc, span)?);
        let (x, y) = (self.cast(x, of), self.cast(y, of));
        let name = match self.types.float_kind_of(of) {
            None => return Ok(self.of_lanes(ty, vec![x, y], span)),
            Some(FloatKind::Float) => "__mulsc3",
            Some(FloatKind::Double) => "__muldc3",
            Some(FloatKind::LongDouble) => "__mulxc3",
            Some(FloatKind::Float128) => return Ok(self.unsupported("a product of complex __float128", ty, span)),
        };
        let is_number = |p: &Parser, e: &Expr| match (&e.kind, p.types.float_kind_of(of)) {
            (ExprKind::Float(bits), Some(kind)) => float::compare(kind, *bits, *bits).is_some(),
            _ => false,
        };
        if is_number(self, &x) || is_number(self, &y) {
            return Ok(self.of_lanes(ty, vec![x, y], span));
        }
        let mut keep = |p: &mut Parser, e: Expr| -> Res<Expr> {
            let place = p.kept(e, body)?;
            Ok(p.rvalue(place))
        };
        let (x, y) = (keep(self, x)?, keep(self, y)?);
        let no_number = |p: &mut Parser, e: &Expr| p.binary(BinaryOp::Ne, e.clone(), e.clone(), span);
        let (x_nan, y_nan) = (no_number(self, &x)?, no_number(self, &y)?);
        let both = self.logical(true, x_nan, y_nan, span)?;
        let again = self.call_runtime(name, ty, of, vec![a, b, c, d], span);
        let plain = self.of_lanes(ty, vec![x, y], span);
        Ok(expr(ExprKind::Cond(Box::new(both), Box::new(again), Box::new(plain)), ty, span))
    }

    /// A function that the compiler calls by itself.
    fn runtime_function(&mut self, name: &str, ty: Ty, span: Span) -> FuncId {
        let interned = self.names.intern(name.as_bytes());
        if let Some(Symbol::Func(id)) = self.externals.get(&interned) {
            return *id;
        }
        let id = self.new_func(name.to_owned(), ty, false, span);
        self.externals.insert(interned, Symbol::Func(id));
        id
    }

    /// `-`, `~` (the conjugate of a complex value) and `!` of a vector.
    pub(super) fn unary_lanes(&mut self, op: UnaryOp, e: Expr, span: Span) -> Res<Expr> {
        let Some((of, count)) = self.lanes_of(e.ty) else { return self.fail(span, "lanes expected") };
        let (ty, is_complex) = (e.ty, self.types.is_complex(e.ty));
        if op == UnaryOp::Not {
            let zero = self.int_of(0, span);
            return self.binary(BinaryOp::Eq, e, zero, span);
        }
        let mut body = Vec::new();
        let operand = self.operand(e, &mut body)?;
        let mut lanes = Vec::new();
        for i in 0..count {
            let lane = self.lane(&operand, i, span)?;
            let lane = match (op, is_complex) {
                (UnaryOp::BitNot, true) if i == 0 => lane,
                (UnaryOp::BitNot, true) => self.unary(UnaryOp::Neg, lane, span)?,
                _ => self.unary(op, lane, span)?,
            };
            lanes.push(self.cast(lane, of));
        }
        let value = self.of_lanes(ty, lanes, span);
        Ok(self.with_kept(body, value))
    }

    /// `place op= value` where at least one has lanes.
    pub(super) fn assign_op_lanes(&mut self, op: BinaryOp, place: Expr, value: Expr, span: Span) -> Res<Expr> {
        let mut body = Vec::new();
        let place = if has_effects(&place) {
            let pointer = self.address_of(place, span)?;
            let pointer = self.kept(pointer, &mut body)?;
            let pointer = self.rvalue(pointer);
            self.deref(pointer, span)?
        } else {
            place
        };
        let new = self.binary(op, place.clone(), value, span)?;
        let assigned = self.assign(place, new, span)?;
        Ok(self.with_kept(body, assigned))
    }

    /// `++` and `--`.
    pub(super) fn inc_dec_lanes(&mut self, place: Expr, op: BinaryOp, postfix: bool, span: Span) -> Res<Expr> {
        let one = self.int_of(1, span);
        if !postfix {
            return self.assign_op_lanes(op, place, one, span);
        }
        if has_effects(&place) {
            let ty = place.ty;
            return Ok(self.unsupported("a vector or complex place with effects that is incremented", ty, span));
        }
        let mut body = Vec::new();
        let old = self.rvalue(place.clone());
        let old = self.kept(old, &mut body)?;
        let step = self.assign_op_lanes(op, place, one, span)?;
        body.push(Stmt { kind: StmtKind::Expr(step), span });
        let old = self.rvalue(old);
        Ok(self.with_kept(body, old))
    }

    /// `__builtin_shuffle(a, mask)`, `__builtin_shuffle(a, b, mask)`: lane i is the one that lane i of the mask names, counted
    /// over both.
    pub(super) fn shuffle(&mut self, mut args: Vec<Expr>, span: Span) -> Res<Expr> {
        let mask = args.pop();
        let vectors: Vec<Expr> = args.into_iter().map(|e| self.rvalue(e)).collect();
        let mask = mask.map(|e| self.rvalue(e));
        let (Some(mask), true) = (mask, matches!(vectors.len(), 1 | 2)) else {
            return self.fail(span, "this builtin takes one or two vectors and a mask");
        };
        let ty = vectors[0].ty;
        let (Some((of, count)), Some((index, masks))) = (self.lanes_of(ty), self.lanes_of(mask.ty)) else {
            return self.fail(span, "vectors expected");
        };
        if count != masks || !count.is_power_of_two() || !self.types.is_integer(index) {
            return self.fail(span, "the mask does not fit the vector");
        }
        // One array of all lanes, from which they are taken.
        let total = count * vectors.len() as u64;
        let mut body = Vec::new();
        let mut all = Vec::new();
        for vector in vectors {
            let vector = self.operand(vector, &mut body)?;
            for i in 0..count {
                all.push(self.lane(&vector, i, span)?);
            }
        }
        let mask = self.operand(mask, &mut body)?;
        let bytes = self.types.size_of(of).unwrap_or(0) * total;
        let wide = self.types.intern(Type::Vector(of, bytes));
        let all = self.of_lanes(wide, all, span);
        let all = self.kept(all, &mut body)?;
        let mut lanes = Vec::new();
        for i in 0..count {
            let index = self.lane(&mask, i, span)?;
            let low = self.int_of(i128::from(total - 1), span);
            let index = self.binary(BinaryOp::BitAnd, index, low, span)?;
            let lane = self.lane_place(all.clone(), index, span)?;
            lanes.push(self.rvalue(lane));
        }
        let value = self.of_lanes(ty, lanes, span);
        Ok(self.with_kept(body, value))
    }

    /// `__builtin_shufflevector(a, b, i...)` with constant indices; -1 is any lane.
    pub(super) fn shuffle_constant(&mut self, args: Vec<Expr>, span: Span) -> Res<Expr> {
        let mut args = args.into_iter();
        let (Some(a), Some(b)) = (args.next(), args.next()) else { return self.fail(span, "too few arguments") };
        let (a, b) = (self.rvalue(a), self.rvalue(b));
        let (Some((of, n)), Some((_, m))) = (self.lanes_of(a.ty), self.lanes_of(b.ty)) else {
            return self.fail(span, "vectors expected");
        };
        let mut body = Vec::new();
        let (a, b) = (self.operand(a, &mut body)?, self.operand(b, &mut body)?);
        let mut lanes = Vec::new();
        for index in args {
            let index = self.rvalue(index);
            let lane = match self.eval_int(&index) {
                Some(-1) => return Ok(self.unsupported("a shuffle that leaves a lane open", of, span)),
                Some(i) if i >= 0 && i < i128::from(n) => self.lane(&a, i as u64, span)?,
                Some(i) if i >= i128::from(n) && i < i128::from(n + m) => self.lane(&b, i as u64 - n, span)?,
                _ => return self.fail(index.span, "a constant index into both vectors is expected"),
            };
            lanes.push(lane);
        }
        let bytes = self.types.size_of(of).unwrap_or(0) * lanes.len() as u64;
        let ty = self.types.intern(Type::Vector(of, bytes));
        let value = self.of_lanes(ty, lanes, span);
        Ok(self.with_kept(body, value))
    }

    /// `__builtin_convertvector(v, type)`, the parenthesis taken.
    pub(super) fn convert_vector(&mut self, start: Span) -> Res<Expr> {
        let e = self.assignment()?;
        let e = self.rvalue(e);
        self.expect(P::Comma)?;
        let (ty, _) = self.type_name()?;
        self.expect(P::RParen)?;
        let span = self.since(start);
        let (Some((_, n)), Some((of, m))) = (self.lanes_of(e.ty), self.lanes_of(ty)) else {
            return self.fail(span, "vectors expected");
        };
        if n != m {
            return self.fail(span, "the vectors have different numbers of lanes");
        }
        let mut body = Vec::new();
        let operand = self.operand(e, &mut body)?;
        let mut lanes = Vec::new();
        for i in 0..n {
            let lane = self.lane(&operand, i, span)?;
            lanes.push(self.cast(lane, of));
        }
        let value = self.of_lanes(ty, lanes, span);
        Ok(self.with_kept(body, value))
    }
}
