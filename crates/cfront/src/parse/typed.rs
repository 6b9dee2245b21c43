//! Typed expressions are built here: lvalue to value, promotions, conversions, operators and the checks they need.

use base::Span;

use crate::hir::{BinaryOp, ElemSize, Expr, ExprKind, VarId};
use crate::types::{FloatKind, IntKind, Len, Ty, Type};

use super::fold::truncate;
use super::{Parser, Res};

pub(super) fn is_lvalue(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Var(_)
        | ExprKind::Str(_)
        | ExprKind::Func(_)
        | ExprKind::Deref(_)
        | ExprKind::CompoundLiteral(..)
        | ExprKind::Unsupported(_) => true,
        ExprKind::Field(base, _) => is_lvalue(base),
        _ => false,
    }
}

pub(super) fn expr(kind: ExprKind, ty: Ty, span: Span) -> Expr {
    Expr { kind, ty, span }
}

impl Parser {
    pub(super) fn int_node(&self, value: i128, ty: Ty, span: Span) -> Expr {
        let width = self.shape(ty).map_or(32, |s| s.0);
        expr(ExprKind::Int(truncate(value as u128, width)), ty.unqualified(), span)
    }

    pub(super) fn int_of(&mut self, value: i128, span: Span) -> Expr {
        let int = self.types.int();
        self.int_node(value, int, span)
    }

    pub(super) fn size_node(&mut self, value: u64, span: Span) -> Expr {
        let size_t = self.types.size_t();
        self.int_node(value.into(), size_t, span)
    }

    pub(super) fn var_node(&self, id: VarId, span: Span) -> Expr {
        expr(ExprKind::Var(id), self.var(id).ty, span)
    }

    pub(super) fn unsupported(&self, what: impl Into<String>, ty: Ty, span: Span) -> Expr {
        expr(ExprKind::Unsupported(what.into()), ty.unqualified(), span)
    }

    /// Marks the variable or function behind a place as having its address used.
    pub(super) fn mark_address(&mut self, place: &Expr) {
        match &place.kind {
            ExprKind::Var(id) | ExprKind::CompoundLiteral(id, _) => self.var_mut(*id).address_taken = true,
            ExprKind::Func(id) => self.funcs[*id].address_taken = true,
            ExprKind::Field(base, _) => self.mark_address(base),
            ExprKind::Deref(pointer) => {
                let mut pointer = &**pointer;
                while let ExprKind::PtrAdd { ptr, .. } | ExprKind::Cast(ptr) = &pointer.kind {
                    pointer = ptr;
                }
                if let ExprKind::Decay(array) = &pointer.kind {
                    self.mark_address(array);
                }
            }
            _ => {}
        }
    }

    /// Array to pointer without marking the array's address as taken: for an access that follows at once.
    pub(super) fn decay_to_access(&mut self, e: Expr) -> Expr {
        match self.types.element(e.ty) {
            Some(of) => {
                // Qualifiers of an array belong to its elements.
                let ty = self.types.pointer(of.with(e.ty.qualifiers()));
                let span = e.span;
                expr(ExprKind::Decay(Box::new(e)), ty, span)
            }
            None => self.rvalue(e),
        }
    }

    /// The value of an expression: places are read, arrays and functions become pointers.
    pub(super) fn rvalue(&mut self, e: Expr) -> Expr {
        let span = e.span;
        if matches!(e.kind, ExprKind::Unsupported(_)) {
            let ty = match self.types.element(e.ty) {
                Some(of) => self.types.pointer(of),
                None => e.ty.unqualified(),
            };
            return expr(e.kind, ty, span);
        }
        match &self.types[e.ty] {
            Type::Function(_) => {
                self.mark_address(&e);
                self.function_value(e)
            }
            Type::Array(..) => {
                self.mark_address(&e);
                self.decay_to_access(e)
            }
            // `*p` of a `void *` reads nothing; only the pointer is evaluated.
            Type::Void if is_lvalue(&e) => {
                let void = self.types.void();
                match e.kind {
                    ExprKind::Deref(pointer) => self.cast(*pointer, void),
                    kind => expr(kind, void, span),
                }
            }
            _ if is_lvalue(&e) => {
                if matches!(self.types[e.ty], Type::Record(_)) && !self.types.is_complete(e.ty) {
                    let shown = self.types.show(e.ty);
                    self.error(span, format!("use of an object of incomplete type '{shown}'"));
                }
                let ty = e.ty.unqualified();
                expr(ExprKind::Load(Box::new(e)), ty, span)
            }
            _ => {
                let ty = e.ty.unqualified();
                Expr { ty, ..e }
            }
        }
    }

    pub(super) fn function_value(&mut self, e: Expr) -> Expr {
        let ty = self.types.pointer(e.ty.unqualified());
        let span = e.span;
        expr(ExprKind::FuncDecay(Box::new(e)), ty, span)
    }

    /// The value converted to `to`, whatever both are (both scalars, or `to` void); checks are the caller's.
    pub(super) fn cast(&mut self, e: Expr, to: Ty) -> Expr {
        let to = to.unqualified();
        if e.ty == to {
            return e;
        }
        if let Some(kind) = self.fold_cast(&e, to) {
            return expr(kind, to, e.span);
        }
        if matches!(e.kind, ExprKind::Unsupported(_)) {
            return Expr { ty: to, ..e };
        }
        if (self.lanes_of(e.ty).is_some() || self.lanes_of(to).is_some()) && !self.types.is_void(to) {
            return self.cast_lanes(e, to);
        }
        let span = e.span;
        expr(ExprKind::Cast(Box::new(e)), to, span)
    }

    /// Width and signedness of the bit-field whose value this is.
    pub(super) fn bit_field_of(&self, e: &Expr) -> Option<(u32, bool)> {
        match &e.kind {
            ExprKind::Field(base, index) => {
                let record = self.types.record(base.ty)?;
                let field = &self.types.records[record].fields[*index as usize];
                let signed = self.types.int_shape(field.ty)?.1;
                Some((field.bits?.width, signed))
            }
            ExprKind::Load(place)
            | ExprKind::Assign(place, _)
            | ExprKind::AssignOp { place, .. }
            | ExprKind::IncDec { place, .. } => self.bit_field_of(place),
            ExprKind::Comma(_, last) | ExprKind::StmtExpr { result: Some(last), .. } => self.bit_field_of(last),
            _ => None,
        }
    }

    /// The type of an expression as `typeof` and the like see it. That of a bit-field's value has just its bits for gcc.
    pub(super) fn type_as_written(&mut self, e: &Expr) -> Ty {
        if self.bit_field_of(e).is_some() {
            self.unsupported.push(("the type of a bit-field's value".to_owned(), e.span));
        }
        e.ty
    }

    pub(super) fn is_bit_field(&self, place: &Expr) -> bool {
        matches!(place.kind, ExprKind::Field(..)) && self.bit_field_of(place).is_some()
    }

    /// Integer promotions; leaves other types alone.
    pub(super) fn promote(&mut self, e: Expr) -> Expr {
        let Some((width, _)) = self.types.int_shape(e.ty) else { return e };
        let to = match self.bit_field_of(&e) {
            Some((bits, signed)) if bits < 32 || (bits == 32 && signed && width > 32) => IntKind::Int,
            Some((32, false)) if width > 32 => IntKind::UInt,
            // gcc reads a bit-field wider than int as an integer of just its width.
            Some((bits, signed)) if bits < width => IntKind::Bits { width: bits as u8, signed },
            _ if width < 32 => IntKind::Int,
            _ => match self.types.int_kind_of(e.ty) {
                Some(kind) => kind,
                None => return e,
            },
        };
        let ty = self.types.int_kind(to);
        self.cast(e, ty)
    }

    /// Promotions for arguments without a parameter type: also `float` to `double`.
    pub(super) fn promote_argument(&mut self, e: Expr) -> Expr {
        if self.types.float_kind_of(e.ty) == Some(FloatKind::Float) {
            let double = self.types.float(FloatKind::Double);
            return self.cast(e, double);
        }
        self.promote(e)
    }

    /// The common type of two arithmetic operands (already promoted where integers).
    pub(super) fn common_type(&mut self, a: Ty, b: Ty) -> Ty {
        let part = |p: &Parser, ty: Ty| match p.types[ty] {
            Type::Complex(of) => of,
            _ => ty,
        };
        if self.types.is_complex(a) || self.types.is_complex(b) {
            let of = self.common_type(part(self, a), part(self, b));
            return self.types.intern(Type::Complex(of));
        }
        let kind = match (self.types.float_kind_of(a), self.types.float_kind_of(b)) {
            (Some(x), Some(y)) => Some(x.max(y)),
            (x, y) => x.or(y),
        };
        if let Some(kind) = kind {
            return self.types.float(kind);
        }
        let (Some(x), Some(y)) = (self.types.int_kind_of(a), self.types.int_kind_of(b)) else { return a };
        let model = self.model;
        let common = if x.signed() == y.signed() {
            if x.rank(model) >= y.rank(model) { x } else { y }
        } else {
            let (unsigned, signed) = if x.signed() { (y, x) } else { (x, y) };
            if unsigned.rank(model) >= signed.rank(model) {
                unsigned
            } else if signed.width(model) > unsigned.width(model) {
                signed
            } else {
                signed.to_unsigned()
            }
        };
        self.types.int_kind(common)
    }

    /// Usual arithmetic conversions.
    pub(super) fn usual_conversions(&mut self, l: Expr, r: Expr) -> (Expr, Expr) {
        let (l, r) = (self.promote(l), self.promote(r));
        let common = self.common_type(l.ty, r.ty);
        (self.cast(l, common), self.cast(r, common))
    }

    pub(super) fn is_null_constant(&self, e: &Expr) -> bool {
        match e.kind {
            ExprKind::Int(0) => match self.types[e.ty] {
                Type::Pointer(to) => self.types.is_void(to) && to == to.unqualified(),
                _ => true,
            },
            _ => false,
        }
    }

    /// An expression used as a condition: a scalar value.
    pub(super) fn condition(&mut self, e: Expr) -> Res<Expr> {
        let e = self.rvalue(e);
        if self.types.is_complex(e.ty) {
            let (zero, span) = (self.int_of(0, e.span), e.span);
            return self.binary(BinaryOp::Ne, e, zero, span);
        }
        if !self.types.is_scalar(e.ty) && !matches!(e.kind, ExprKind::Unsupported(_)) {
            let found = self.types.show(e.ty);
            return self.fail(e.span, format!("used type '{found}' where a scalar is required"));
        }
        Ok(e)
    }

    /// `*p` of a `void *`, used as if void were a byte: gcc computes with such pointers that way but rejects the access;
    /// some verification programs have it all the same.
    pub(super) fn void_as_byte(&mut self, e: Expr) -> Expr {
        match e.kind {
            ExprKind::Deref(pointer) if self.types.is_void(e.ty) => {
                self.notes.push(base::Diagnostic::note(Some(e.span), "void object accessed as a byte"));
                let byte = self.types.int_kind(IntKind::UChar).with(e.ty.qualifiers());
                let to_byte = self.types.pointer(byte);
                let pointer = self.cast(*pointer, to_byte);
                expr(ExprKind::Deref(Box::new(pointer)), byte, e.span)
            }
            _ => e,
        }
    }

    /// Converts a value as if by assignment to type `to`. `what` names the destination in messages.
    pub(super) fn convert_for(&mut self, e: Expr, to: Ty, what: &str) -> Res<Expr> {
        let e = self.void_as_byte(e);
        let e = self.rvalue(e);
        let to = to.unqualified();
        if e.ty == to || matches!(e.kind, ExprKind::Unsupported(_)) {
            return Ok(Expr { ty: to, ..e });
        }
        let allowed = match (&self.types[to], &self.types[e.ty]) {
            (_, Type::Void) => {
                return self.fail(e.span, format!("void value used {what}"));
            }
            (Type::Bool, _) => self.types.is_scalar(e.ty),
            (Type::Float(_) | Type::Complex(_), _) => self.types.is_arithmetic(e.ty),
            (Type::Int(_) | Type::Enum(_), _) => self.types.is_scalar(e.ty),
            (Type::Vector(..), Type::Vector(..)) => self.types.size_of(to) == self.types.size_of(e.ty),
            (Type::Pointer(_), Type::Pointer(_)) => true,
            (Type::Pointer(_), _) => self.types.is_integer(e.ty),
            (Type::Record(id), _) if self.types.records[*id].transparent => {
                let id = *id;
                if let Some(index) = self.transparent_member(to, &e) {
                    let ty = self.types.records[id].fields[index].ty;
                    let e = self.convert_for(e, ty, what)?;
                    let span = e.span;
                    return Ok(expr(ExprKind::ToUnion(Box::new(e), index as u32), to, span));
                }
                false
            }
            (Type::Record(_), Type::Record(_)) => self.types.compatible(to, e.ty),
            _ => false,
        };
        if !allowed {
            let (from, into) = (self.types.show(e.ty), self.types.show(to));
            return self.fail(e.span, format!("incompatible types {what}: '{into}' from '{from}'"));
        }
        Ok(self.cast(e, to))
    }

    /// The member of a transparent union that an argument of this type initialises.
    fn transparent_member(&self, union: Ty, e: &Expr) -> Option<usize> {
        let fields = &self.types.records[self.types.record(union)?].fields;
        let exact = fields.iter().position(|f| self.types.compatible(f.ty, e.ty));
        exact.or_else(|| {
            let pointer_like = self.types.is_pointer(e.ty) || self.is_null_constant(e);
            fields.iter().position(|f| pointer_like && self.types.is_pointer(f.ty))
        })
    }

    // Sizes.

    /// Bytes of a type as a `size_t` value; variable arrays multiply the generated variables that hold their bounds.
    pub(super) fn size_expr(&mut self, ty: Ty, span: Span) -> Res<Expr> {
        if let Some(size) = self.types.size_of(ty) {
            return Ok(self.size_node(size, span));
        }
        match self.types[ty] {
            Type::Array(of, Len::Vla(bound)) => {
                let bound = self.var_node(bound, span);
                let bound = self.rvalue(bound);
                let size = self.size_expr(of, span)?;
                self.binary(BinaryOp::Mul, bound, size, span)
            }
            Type::Array(of, Len::Const(n)) if self.types.is_vla(of) => {
                let count = self.size_node(n, span);
                let size = self.size_expr(of, span)?;
                self.binary(BinaryOp::Mul, count, size, span)
            }
            _ => {
                let shown = self.types.show(ty);
                self.fail(span, format!("the size of incomplete type '{shown}' is needed here"))
            }
        }
    }

    /// The step of arithmetic on a pointer type.
    pub(super) fn elem_size(&mut self, pointer: Ty, span: Span) -> Res<ElemSize> {
        let Some(to) = self.types.pointee(pointer) else {
            return self.fail(span, "pointer expected");
        };
        match self.types.size_of(to) {
            Some(size) => Ok(ElemSize::Const(size)),
            None => Ok(ElemSize::Dynamic(Box::new(self.size_expr(to, span)?))),
        }
    }
}
