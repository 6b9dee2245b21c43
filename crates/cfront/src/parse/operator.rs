//! Operators on typed expressions: what they take, what they give, how their operands are converted.

use base::Span;

use crate::hir::{BinaryOp, Expr, ExprKind, UnaryOp};
use crate::types::{RecordId, Ty, Type};

use super::typed::{expr, is_lvalue};
use super::{Parser, Res};

impl Parser {
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
        if matches!(op, BinaryOp::Eq | BinaryOp::Ne) && self.types.is_record(l.ty) && self.types.compatible(l.ty, r.ty)
        {
            return self.compare_records(op, l, r, span);
        }
        let (l, r) = (self.rvalue(l), self.rvalue(r));
        if let Some(opaque) = self.opaque_operand(op, &l, &r, span) {
            return Ok(opaque);
        }
        if self.lanes_of(l.ty).is_some() || self.lanes_of(r.ty).is_some() {
            return self.binary_lanes(op, l, r, span);
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
            return self.invalid_operands(op.symbol(), &l, &r, span);
        }
        let (l, r) = if op.is_shift() { (self.promote(l), self.promote(r)) } else { self.usual_conversions(l, r) };
        let ty = l.ty;
        let kind = self.fold_binary(op, &l, &r);
        Ok(expr(kind.unwrap_or_else(|| ExprKind::Binary(op, Box::new(l), Box::new(r))), ty, span))
    }

    /// Unsupported operands make the whole operation unsupported.
    fn opaque_operand(&mut self, op: BinaryOp, l: &Expr, r: &Expr, span: Span) -> Option<Expr> {
        let what = match (&l.kind, &r.kind) {
            (ExprKind::Unsupported(what), _) | (_, ExprKind::Unsupported(what)) => what.clone(),
            _ => return None,
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
            return self.invalid_operands(op.symbol(), &l, &r, span);
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

    /// `==` or `!=` of structs: an error in C that other verifiers let pass. All members are compared.
    fn compare_records(&mut self, op: BinaryOp, l: Expr, r: Expr, span: Span) -> Res<Expr> {
        let int = self.types.int();
        let all_members = match self.types.record(l.ty) {
            Some(record) if is_plain(&l) && is_plain(&r) => self.is_compared_by_members(record),
            _ => false,
        };
        if !all_members {
            // Padding, bits that no member has, unions: what they hold is not settled.
            return Ok(self.unsupported("a comparison of structs that are more than their members", int, span));
        }
        let message = "structs cannot be compared in C: all their members are, here";
        self.notes.push(base::Diagnostic::note(Some(span), message));
        let equal = self.equal_members(l, r, span)?;
        if op == BinaryOp::Eq { Ok(equal) } else { self.unary(UnaryOp::Not, equal, span) }
    }

    fn equal_members(&mut self, l: Expr, r: Expr, span: Span) -> Res<Expr> {
        let Some(record) = self.types.record(l.ty) else { return self.binary(BinaryOp::Eq, l, r, span) };
        let count = self.types.records[record].fields.len() as u32;
        let mut all = self.int_of(1, span);
        for index in 0..count {
            let (a, b) = (self.field(l.clone(), index, span), self.field(r.clone(), index, span));
            let equal = self.equal_members(a, b, span)?;
            all = if index == 0 { equal } else { self.logical(true, all, equal, span)? };
        }
        Ok(all)
    }

    /// Whether a struct is its members and nothing else: integers and pointers, or structs of such.
    fn is_compared_by_members(&self, record: RecordId) -> bool {
        let record = &self.types.records[record];
        let mut end = 0;
        let is_member = |ty: Ty| match self.types.record(ty) {
            Some(inner) => self.is_compared_by_members(inner),
            None => self.types.is_integer(ty) || self.types.is_pointer(ty),
        };
        let packed = record.fields.iter().all(|field| {
            let follows = field.offset == end && field.bits.is_none() && is_member(field.ty);
            end += self.types.size_of(field.ty).unwrap_or(0);
            follows
        });
        packed && !record.is_union && end == record.size
    }

    fn pointer_difference(&mut self, l: Expr, r: Expr, span: Span) -> Res<Expr> {
        let targets = self.types.pointee(l.ty).zip(self.types.pointee(r.ty));
        if !targets.is_some_and(|(x, y)| self.types.compatible(x, y)) {
            return self.invalid_operands("-", &l, &r, span);
        }
        if matches!((&l.kind, &r.kind), (ExprKind::LabelAddr(_), ExprKind::LabelAddr(_))) {
            let message = "the addresses of labels are taken to be consecutive numbers";
            self.notes.push(base::Diagnostic::note(Some(span), message));
        }
        let size = self.elem_size(l.ty, span)?;
        let ty = self.types.ptrdiff_t();
        Ok(expr(ExprKind::PtrDiff { left: Box::new(l), right: Box::new(r), size }, ty, span))
    }

    pub(super) fn unary(&mut self, op: UnaryOp, e: Expr, span: Span) -> Res<Expr> {
        if op == UnaryOp::Not && !self.is_vector(e.ty) {
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
        if self.lanes_of(e.ty).is_some() {
            return self.unary_lanes(op, e, span);
        }
        let valid = if op == UnaryOp::BitNot { self.types.is_integer(e.ty) } else { self.types.is_arithmetic(e.ty) };
        if !valid {
            let found = self.types.show(e.ty);
            return self.fail(span, format!("wrong type '{found}' for unary operator"));
        }
        let e = self.promote(e);
        let ty = e.ty;
        let folded = match e.kind {
            // A negation that overflows stays for the overflow check to see.
            ExprKind::Int(bits) if op == UnaryOp::Neg => {
                let (width, signed) = self.shape(ty).unwrap_or((32, true));
                match signed {
                    true => bits != 1 << (width - 1),
                    false => bits == 0 || !self.kept.wraparound,
                }
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
        if self.is_vector(a.ty) && a.ty == b.ty {
            return Ok((a, b));
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
            Type::Record(id) if self.has_const_member(id) => {
                // An error in C that other verifiers let pass.
                let message = "an object with a read-only member is assigned, which C does not allow";
                self.notes.push(base::Diagnostic::note(Some(span), message));
                return Ok(());
            }
            _ => return Ok(()),
        };
        self.error(span, complaint);
        Ok(())
    }

    fn has_const_member(&self, record: RecordId) -> bool {
        self.types.records[record].fields.iter().any(|field| {
            let mut ty = field.ty;
            while let Some(of) = self.types.element(ty) {
                ty = of;
            }
            ty.is_const() || self.types.record(ty).is_some_and(|inner| self.has_const_member(inner))
        })
    }

    /// The variable a place is part of, if it is declared `register`.
    fn in_register(&self, place: &Expr) -> bool {
        match &place.kind {
            ExprKind::Var(id) => self.registers.contains(id),
            ExprKind::Field(base, _) => self.in_register(base),
            _ => false,
        }
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
                return self.invalid_operands(op.symbol(), &place, &value, span);
            }
            let size = self.elem_size(ty, span)?;
            let index = Box::new(self.index_value(value));
            let negative = op == BinaryOp::Sub;
            return Ok(expr(ExprKind::AssignPtrAdd { place: Box::new(place), index, size, negative }, ty, span));
        }
        if self.lanes_of(ty).is_some() || self.lanes_of(value.ty).is_some() {
            return self.assign_op_lanes(op, place, value, span);
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
                let op = if decrement { BinaryOp::Sub } else { BinaryOp::Add };
                return self.inc_dec_lanes(place, op, postfix, span);
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
        if self.in_register(&e) {
            self.error(span, "address of a register variable requested");
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
            (Type::Vector(..), _) | (_, Type::Vector(..)) if self.types.size_of(to) != self.types.size_of(e.ty) => {
                Some("cast between a vector and something of another size")
            }
            _ => None,
        };
        if let Some(complaint) = complaint {
            return self.fail(span, complaint);
        }
        let converted = self.cast(e, to);
        Ok(Expr { span, ..converted })
    }
}

/// A place that can be named twice: naming it does nothing.
fn is_plain(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Var(_) => true,
        ExprKind::Field(of, _) => is_plain(of),
        ExprKind::Deref(pointer) => matches!(&pointer.kind, ExprKind::Load(place) if is_plain(place)),
        _ => false,
    }
}
