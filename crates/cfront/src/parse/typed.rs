//! Typed expressions are built here: lvalue to value, promotions, conversions, operators and the checks they need.

use base::Span;

use crate::hir::{BinaryOp, ElemSize, Expr, ExprKind, UnaryOp, VarId};
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
        let opaque = |ty: Ty| matches!(self.types[ty], Type::Complex(_) | Type::Vector(..));
        if (opaque(e.ty) || opaque(to)) && !self.types.is_void(to) {
            return self.unsupported("conversion of complex or vector values", to, e.span);
        }
        let span = e.span;
        expr(ExprKind::Cast(Box::new(e)), to, span)
    }

    /// Width and signedness of the bit-field whose value this is.
    fn bit_field_of(&self, e: &Expr) -> Option<(u32, bool)> {
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
            ExprKind::Comma(_, last) => self.bit_field_of(last),
            _ => None,
        }
    }

    pub(super) fn is_bit_field(&self, place: &Expr) -> bool {
        matches!(place.kind, ExprKind::Field(..)) && self.bit_field_of(place).is_some()
    }

    /// Integer promotions; leaves other types alone.
    pub(super) fn promote(&mut self, e: Expr) -> Expr {
        let Some((width, _)) = self.types.int_shape(e.ty) else { return e };
        let to = match self.bit_field_of(&e) {
            Some((bits, signed)) if bits < 32 || (bits == 32 && signed) => IntKind::Int,
            Some((32, false)) => IntKind::UInt,
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
    fn common_type(&mut self, a: Ty, b: Ty) -> Ty {
        let float_rank = |p: &Parser, ty: Ty| match p.types[ty] {
            Type::Float(kind) | Type::Complex(kind) => Some(kind),
            _ => None,
        };
        let complex = self.types.is_complex(a) || self.types.is_complex(b);
        let kind = match (float_rank(self, a), float_rank(self, b)) {
            (Some(x), Some(y)) => Some(x.max(y)),
            (x, y) => x.or(y),
        };
        if let Some(kind) = kind {
            return self.types.intern(if complex { Type::Complex(kind) } else { Type::Float(kind) });
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
            let int = self.types.int();
            return Ok(self.unsupported("complex arithmetic", int, e.span));
        }
        if !self.types.is_scalar(e.ty) && !matches!(e.kind, ExprKind::Unsupported(_)) {
            let found = self.types.show(e.ty);
            return self.fail(e.span, format!("used type '{found}' where a scalar is required"));
        }
        Ok(e)
    }

    /// `*p` of a `void *`, used as if void were a byte: gcc computes with such pointers that way but rejects the access;
    /// some verification programs have it all the same.
    fn void_as_byte(&mut self, e: Expr) -> Expr {
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
            (Type::Record(_), Type::Record(_)) | (Type::Vector(..), Type::Vector(..)) => {
                self.types.compatible(to, e.ty)
            }
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

    // Operators.

    fn invalid_operands(&mut self, op: &str, l: &Expr, r: &Expr, span: Span) -> Res<Expr> {
        let (left, right) = (self.types.show(l.ty), self.types.show(r.ty));
        self.fail(span, format!("invalid operands to binary {op} ('{left}' and '{right}')"))
    }

    /// Index of pointer arithmetic, widened with its own signedness.
    pub(super) fn index_value(&mut self, index: Expr) -> Expr {
        let index = self.promote(index);
        let signed = self.types.int_shape(index.ty).is_none_or(|s| s.1);
        let ty = if signed { self.types.ptrdiff_t() } else { self.types.size_t() };
        self.cast(index, ty)
    }

    pub(super) fn pointer_add(&mut self, ptr: Expr, index: Expr, negative: bool, span: Span) -> Res<Expr> {
        let size = self.elem_size(ptr.ty, span)?;
        let index = self.index_value(index);
        let ty = ptr.ty;
        Ok(expr(ExprKind::PtrAdd { ptr: Box::new(ptr), index: Box::new(index), size, negative }, ty, span))
    }

    /// `*pointer` as a place.
    pub(super) fn deref(&mut self, pointer: Expr, span: Span) -> Res<Expr> {
        let Some(to) = self.types.pointee(pointer.ty) else {
            if matches!(pointer.kind, ExprKind::Unsupported(_)) {
                return Ok(pointer);
            }
            let found = self.types.show(pointer.ty);
            return self.fail(span, format!("'*' needs a pointer, this is '{found}'"));
        };
        // `*&x` is x, and `*f` of a function is the function.
        Ok(match pointer.kind {
            ExprKind::AddrOf(place) | ExprKind::FuncDecay(place) if place.ty == to => Expr { span, ..*place },
            _ => expr(ExprKind::Deref(Box::new(pointer)), to, span),
        })
    }

    /// `l op r` on values.
    pub(super) fn binary(&mut self, op: BinaryOp, l: Expr, r: Expr, span: Span) -> Res<Expr> {
        let (l, r) = (self.rvalue(l), self.rvalue(r));
        if let Some(opaque) = self.opaque_operand(op, &l, &r, span) {
            return Ok(opaque);
        }
        if op.is_comparison() {
            return self.comparison(op, l, r, span);
        }
        let (left_pointer, right_pointer) = (self.types.is_pointer(l.ty), self.types.is_pointer(r.ty));
        let (left_int, right_int) = (self.types.is_integer(l.ty), self.types.is_integer(r.ty));
        match op {
            BinaryOp::Add if left_pointer && right_int => return self.pointer_add(l, r, false, span),
            BinaryOp::Add if left_int && right_pointer => return self.pointer_add(r, l, false, span),
            BinaryOp::Sub if left_pointer && right_int => return self.pointer_add(l, r, true, span),
            BinaryOp::Sub if left_pointer && right_pointer => return self.pointer_difference(l, r, span),
            _ => {}
        }
        let integers_only =
            op.is_shift() || matches!(op, BinaryOp::Rem | BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor);
        let valid = if integers_only {
            left_int && right_int
        } else {
            self.types.is_arithmetic(l.ty) && self.types.is_arithmetic(r.ty)
        };
        if !valid {
            return self.invalid_operands(symbol(op), &l, &r, span);
        }
        let (l, r) = if op.is_shift() { (self.promote(l), self.promote(r)) } else { self.usual_conversions(l, r) };
        let ty = l.ty;
        let kind = self.fold_binary(op, &l, &r);
        Ok(expr(kind.unwrap_or_else(|| ExprKind::Binary(op, Box::new(l), Box::new(r))), ty, span))
    }

    /// Complex, vector and unsupported operands make the whole operation unsupported.
    fn opaque_operand(&mut self, op: BinaryOp, l: &Expr, r: &Expr, span: Span) -> Option<Expr> {
        let is_opaque = |e: &Expr| {
            matches!(self.types[e.ty], Type::Complex(_) | Type::Vector(..))
                || matches!(e.kind, ExprKind::Unsupported(_))
        };
        if !is_opaque(l) && !is_opaque(r) {
            return None;
        }
        let what = match (&l.kind, &r.kind) {
            (ExprKind::Unsupported(what), _) | (_, ExprKind::Unsupported(what)) => what.clone(),
            _ => "arithmetic on complex or vector values".to_owned(),
        };
        let ty = if op.is_comparison() {
            self.types.int()
        } else if self.types.is_arithmetic(l.ty) && self.types.is_arithmetic(r.ty) {
            self.common_type(l.ty, r.ty)
        } else {
            l.ty
        };
        Some(self.unsupported(what, ty, span))
    }

    fn comparison(&mut self, op: BinaryOp, l: Expr, r: Expr, span: Span) -> Res<Expr> {
        let (left_pointer, right_pointer) = (self.types.is_pointer(l.ty), self.types.is_pointer(r.ty));
        let both_scalar = self.types.is_scalar(l.ty) && self.types.is_scalar(r.ty);
        let float_and_pointer =
            (left_pointer && self.types.is_float(r.ty)) || (right_pointer && self.types.is_float(l.ty));
        if !both_scalar || float_and_pointer {
            return self.invalid_operands(symbol(op), &l, &r, span);
        }
        let (l, r) = match (left_pointer, right_pointer) {
            (false, false) => self.usual_conversions(l, r),
            (true, _) => {
                let ty = l.ty;
                (l, self.cast(r, ty))
            }
            (false, true) => {
                let ty = r.ty;
                (self.cast(l, ty), r)
            }
        };
        let int = self.types.int();
        let kind = self.fold_binary(op, &l, &r);
        Ok(expr(kind.unwrap_or_else(|| ExprKind::Binary(op, Box::new(l), Box::new(r))), int, span))
    }

    fn pointer_difference(&mut self, l: Expr, r: Expr, span: Span) -> Res<Expr> {
        let targets = self.types.pointee(l.ty).zip(self.types.pointee(r.ty));
        if !targets.is_some_and(|(x, y)| self.types.compatible(x, y)) {
            return self.invalid_operands("-", &l, &r, span);
        }
        let size = self.elem_size(l.ty, span)?;
        let ty = self.types.ptrdiff_t();
        Ok(expr(ExprKind::PtrDiff { left: Box::new(l), right: Box::new(r), size }, ty, span))
    }

    pub(super) fn unary(&mut self, op: UnaryOp, e: Expr, span: Span) -> Res<Expr> {
        if op == UnaryOp::Not {
            let e = self.condition(e)?;
            let int = self.types.int();
            let known = match e.kind {
                ExprKind::Int(_) | ExprKind::Float(_) => self.truth(&e),
                _ => None,
            };
            return Ok(match known {
                Some(truth) => self.int_of((!truth).into(), span),
                None => expr(ExprKind::Unary(op, Box::new(e)), int, span),
            });
        }
        let e = self.rvalue(e);
        if matches!(e.kind, ExprKind::Unsupported(_)) {
            return Ok(e);
        }
        if matches!(self.types[e.ty], Type::Complex(_) | Type::Vector(..)) {
            return Ok(self.unsupported("arithmetic on complex or vector values", e.ty, span));
        }
        let valid = if op == UnaryOp::BitNot { self.types.is_integer(e.ty) } else { self.types.is_arithmetic(e.ty) };
        if !valid {
            let found = self.types.show(e.ty);
            return self.fail(span, format!("wrong type '{found}' for unary operator"));
        }
        let e = self.promote(e);
        let ty = e.ty;
        let folded = match e.kind {
            // The one negation that overflows stays for the overflow check to see.
            ExprKind::Int(bits) if op == UnaryOp::Neg => {
                let (width, signed) = self.shape(ty).unwrap_or((32, true));
                !(signed && bits == 1 << (width - 1))
            }
            ExprKind::Int(_) | ExprKind::Float(_) => true,
            _ => false,
        };
        let node = expr(ExprKind::Unary(op, Box::new(e)), ty, span);
        let value = if folded { self.eval(&node) } else { None };
        Ok(match value.and_then(Self::node) {
            Some(kind) => expr(kind, ty, span),
            None => node,
        })
    }

    /// The common type of the two branches of `?:`, and the branches converted to it.
    pub(super) fn branches(&mut self, a: Expr, b: Expr, span: Span) -> Res<(Expr, Expr)> {
        let (a, b) = (self.rvalue(a), self.rvalue(b));
        if matches!(a.kind, ExprKind::Unsupported(_)) {
            let ty = b.ty;
            return Ok((Expr { ty, ..a }, b));
        }
        if matches!(b.kind, ExprKind::Unsupported(_)) {
            let ty = a.ty;
            return Ok((a, Expr { ty, ..b }));
        }
        if self.types.is_arithmetic(a.ty) && self.types.is_arithmetic(b.ty) {
            return Ok(self.usual_conversions(a, b));
        }
        if self.types.is_void(a.ty) || self.types.is_void(b.ty) {
            let void = self.types.void();
            return Ok((self.cast(a, void), self.cast(b, void)));
        }
        let ty = match (self.types.pointee(a.ty), self.types.pointee(b.ty)) {
            (Some(x), Some(y)) => self.merged_pointer(&a, x, &b, y),
            (Some(_), None) if self.types.is_integer(b.ty) => a.ty,
            (None, Some(_)) if self.types.is_integer(a.ty) => b.ty,
            (None, None) if self.types.compatible(a.ty, b.ty) => return Ok((a, b)),
            _ => {
                let (left, right) = (self.types.show(a.ty), self.types.show(b.ty));
                return self.fail(span, format!("type mismatch in conditional expression ('{left}' and '{right}')"));
            }
        };
        Ok((self.cast(a, ty), self.cast(b, ty)))
    }

    fn merged_pointer(&mut self, a: &Expr, x: Ty, b: &Expr, y: Ty) -> Ty {
        if self.is_null_constant(a) {
            return b.ty;
        }
        if self.is_null_constant(b) {
            return a.ty;
        }
        let quals = x.qualifiers().and(y.qualifiers());
        let to = if self.types.compatible(x, y) { self.types.composite(x, y) } else { self.types.void() };
        self.types.pointer(to.with(quals))
    }

    /// `place = value`.
    pub(super) fn assign(&mut self, place: Expr, value: Expr, span: Span) -> Res<Expr> {
        if matches!(place.kind, ExprKind::Unsupported(_)) {
            return Ok(place);
        }
        let place = self.void_as_byte(place);
        self.check_modifiable(&place, span)?;
        let ty = place.ty.unqualified();
        let value = self.convert_for(value, ty, "in assignment")?;
        Ok(expr(ExprKind::Assign(Box::new(place), Box::new(value)), ty, span))
    }

    pub(super) fn check_modifiable(&mut self, place: &Expr, span: Span) -> Res<()> {
        if !is_lvalue(place) {
            return self.fail(span, "lvalue required as the place that is assigned");
        }
        let complaint = match self.types[place.ty] {
            Type::Array(..) => "assignment to expression with array type",
            Type::Function(_) => "assignment to a function",
            Type::Void => "assignment to a void expression",
            Type::Record(_) if !self.types.is_complete(place.ty) => "assignment to an object of incomplete type",
            _ if place.ty.is_const() => "assignment of read-only object",
            _ => return Ok(()),
        };
        self.error(span, complaint);
        Ok(())
    }

    /// `place op= value`.
    pub(super) fn assign_op(&mut self, op: BinaryOp, place: Expr, value: Expr, span: Span) -> Res<Expr> {
        self.check_modifiable(&place, span)?;
        let value = self.rvalue(value);
        let ty = place.ty.unqualified();
        if matches!(place.kind, ExprKind::Unsupported(_)) || matches!(value.kind, ExprKind::Unsupported(_)) {
            return Ok(self.unsupported("assignment with an operand that is not modelled", ty, span));
        }
        if self.types.is_pointer(ty) {
            if !matches!(op, BinaryOp::Add | BinaryOp::Sub) || !self.types.is_integer(value.ty) {
                return self.invalid_operands(symbol(op), &place, &value, span);
            }
            let size = self.elem_size(ty, span)?;
            let index = Box::new(self.index_value(value));
            let negative = op == BinaryOp::Sub;
            return Ok(expr(ExprKind::AssignPtrAdd { place: Box::new(place), index, size, negative }, ty, span));
        }
        // Type the operation as if written out; a stand-in for the loaded place shows the type it is computed in.
        let loaded = expr(ExprKind::Load(Box::new(place.clone())), ty, span);
        let typed = self.binary(op, loaded, value, span)?;
        match typed.kind {
            ExprKind::Binary(_, left, right) => {
                let compute = left.ty;
                Ok(expr(ExprKind::AssignOp { op, place: Box::new(place), value: right, compute }, ty, span))
            }
            ExprKind::Unsupported(what) => Ok(self.unsupported(what, ty, span)),
            _ => self.fail(span, "invalid compound assignment"),
        }
    }

    pub(super) fn inc_dec(&mut self, place: Expr, decrement: bool, postfix: bool, span: Span) -> Res<Expr> {
        self.check_modifiable(&place, span)?;
        if matches!(place.kind, ExprKind::Unsupported(_)) {
            return Ok(place);
        }
        let ty = place.ty.unqualified();
        let size = match self.types[ty] {
            Type::Pointer(_) => Some(self.elem_size(ty, span)?),
            Type::Complex(_) | Type::Vector(..) => {
                return Ok(self.unsupported("arithmetic on complex or vector values", ty, span));
            }
            _ if self.types.is_arithmetic(ty) => None,
            _ => {
                let found = self.types.show(ty);
                return self.fail(span, format!("wrong type '{found}' for increment or decrement"));
            }
        };
        Ok(expr(ExprKind::IncDec { place: Box::new(place), decrement, postfix, size }, ty, span))
    }

    /// `&place`.
    pub(super) fn address_of(&mut self, e: Expr, span: Span) -> Res<Expr> {
        if matches!(e.kind, ExprKind::Unsupported(_)) {
            let ty = self.types.pointer(e.ty);
            return Ok(Expr { ty, ..e });
        }
        if self.types.is_function(e.ty) {
            self.mark_address(&e);
            let pointer = self.function_value(e);
            return Ok(Expr { span, ..pointer });
        }
        if !is_lvalue(&e) {
            return self.fail(span, "lvalue required as operand of unary '&'");
        }
        if self.is_bit_field(&e) {
            return self.fail(span, "cannot take the address of a bit-field");
        }
        self.mark_address(&e);
        let ty = self.types.pointer(e.ty);
        Ok(match e.kind {
            // `&*p` is p.
            ExprKind::Deref(pointer) if pointer.ty == ty => Expr { span, ..*pointer },
            _ => expr(ExprKind::AddrOf(Box::new(e)), ty, span),
        })
    }

    /// An explicit cast.
    pub(super) fn explicit_cast(&mut self, e: Expr, to: Ty, span: Span) -> Res<Expr> {
        let e = self.rvalue(e);
        let to = to.unqualified();
        if e.ty == to && self.bit_field_of(&e).is_some() {
            // A cast to the declared type ends the special treatment of bit-fields in promotions.
            return Ok(expr(ExprKind::Cast(Box::new(e)), to, span));
        }
        if self.types.is_void(to) || e.ty == to || matches!(e.kind, ExprKind::Unsupported(_)) {
            let converted = self.cast(e, to);
            return Ok(Expr { span, ..converted });
        }
        let complaint = match (&self.types[to], &self.types[e.ty]) {
            (Type::Array(..) | Type::Function(_), _) => Some("cast to array or function type"),
            (_, Type::Void) => Some("void value not ignored as it ought to be"),
            (Type::Record(id), _) if self.types.records[*id].is_union => {
                let fields = &self.types.records[*id].fields;
                match fields.iter().position(|f| self.types.compatible(f.ty, e.ty)) {
                    Some(index) => {
                        return Ok(expr(ExprKind::ToUnion(Box::new(e), index as u32), to, span));
                    }
                    None => Some("cast to union type from type not present in union"),
                }
            }
            (Type::Record(_), _) => Some("conversion to non-scalar type requested"),
            (_, Type::Record(_)) => Some("a struct or union cannot be cast to a scalar"),
            (Type::Pointer(_), Type::Float(_)) | (Type::Float(_), Type::Pointer(_)) => {
                Some("pointers and floating values cannot be cast to each other")
            }
            (Type::VaList, _) | (_, Type::VaList) => Some("cast of a va_list"),
            _ => None,
        };
        if let Some(complaint) = complaint {
            return self.fail(span, complaint);
        }
        let converted = self.cast(e, to);
        Ok(Expr { span, ..converted })
    }
}

fn symbol(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Rem => "%",
        BinaryOp::BitAnd => "&",
        BinaryOp::BitOr => "|",
        BinaryOp::BitXor => "^",
        BinaryOp::Shl => "<<",
        BinaryOp::Shr => ">>",
        BinaryOp::Eq => "==",
        BinaryOp::Ne => "!=",
        BinaryOp::Lt => "<",
        BinaryOp::Le => "<=",
        BinaryOp::Gt => ">",
        BinaryOp::Ge => ">=",
    }
}
