//! Expressions: their values as terms, with loads, effects and checks emitted on the way, from left to right.

use cfa::Origin;
use cfront::hir::{BinaryOp, ElemSize, Expr, ExprKind, Symbol, UnaryOp};
use cfront::types::{Ty, Type};
use term::{Sort, Term};

use crate::context::{Lowering, float_value};
use crate::effects::Effects;
use crate::options::ExternEffects;
use crate::place::{Memory, Place};

impl Lowering<'_> {
    /// The value of a scalar expression.
    pub(crate) fn value(&mut self, e: &Expr) -> Term {
        match &e.kind {
            ExprKind::Int(bits) if *bits != 0 && self.unit.types.is_pointer(e.ty) && self.program.machine.is_wide() => {
                self.refuse_wide_pointer(e.ty)
            }
            ExprKind::Int(bits) => match self.sort(e.ty) {
                Some(Sort::Bv(width)) => self.terms().bv(*bits, width),
                _ => self.dummy(e.ty),
            },
            ExprKind::Float(bits) => self.float_constant(*bits, e.ty),
            ExprKind::Address(symbol, offset) => {
                let base = self.symbol_address(*symbol);
                let width = self.pointer_width();
                let offset = self.terms().bv_signed((*offset).into(), width);
                self.terms().add(base, offset)
            }
            ExprKind::Load(place) => {
                let at = self.place(place);
                self.read(&at, e.ty, place)
            }
            ExprKind::AddrOf(place) | ExprKind::Decay(place) => {
                let memory = self.memory(place);
                self.pointer_value(&memory, e)
            }
            ExprKind::FuncDecay(f) => match &f.kind {
                ExprKind::Func(id) => self.symbol_address(Symbol::Func(*id)),
                ExprKind::Deref(pointer) => self.value(pointer),
                _ => {
                    self.discard(f);
                    self.unsupported("a function that is neither named nor pointed to");
                    self.dummy(e.ty)
                }
            },
            ExprKind::Unary(UnaryOp::Not, _) | ExprKind::LogAnd(..) | ExprKind::LogOr(..) => self.truth_value(e),
            ExprKind::Unary(op, a) => {
                let value = self.value(a);
                if self.turns_address(*op, a) {
                    self.require_number(value);
                }
                self.unary(*op, value, e.ty, e)
            }
            ExprKind::Binary(op, a, b) => {
                if op.is_comparison() {
                    return self.truth_value(e);
                }
                let asked = self.place_asked(*op, a, b);
                use BinaryOp::{Add, BitAnd, BitOr, BitXor, Mul};
                let commute = matches!(op, Add | Mul | BitAnd | BitOr | BitXor);
                let (a_value, b_value) = self.operands(a, b, commute);
                let exact = self.binary(*op, a_value, b_value, e.ty, e);
                let any = self.any_result(*op, a, b, e.ty);
                self.placeless(asked, any, a_value, b_value, exact)
            }
            ExprKind::PtrAdd { .. } => {
                let memory = self.memory_at(e);
                self.pointer_value(&memory, e)
            }
            ExprKind::PtrDiff { left, right, size } => self.pointer_difference(left, right, size, e),
            ExprKind::Cast(inner) => match (self.sort(e.ty), self.sort(inner.ty)) {
                (Some(_), Some(_)) => {
                    let value = self.value(inner);
                    let converted = self.convert(value, inner.ty, e.ty);
                    self.check_conversion(value, inner.ty, converted, e.ty, inner);
                    if self.widens_address(inner, e) {
                        self.require_number(value);
                    }
                    if self.cuts_address(inner, e) { self.part_of_address(value, converted) } else { converted }
                }
                _ => {
                    self.discard(inner);
                    self.unsupported(format!("a conversion to {}", self.unit.types.show(e.ty)));
                    self.dummy(e.ty)
                }
            },
            ExprKind::Cond(cond, a, b) => self.conditional(cond, a, b, e),
            ExprKind::Elvis { value, other } => self.elvis(value, other, e.ty),
            ExprKind::Comma(a, b) => {
                self.discard(a);
                self.value(b)
            }
            ExprKind::Assign(..)
            | ExprKind::AssignOp { .. }
            | ExprKind::AssignPtrAdd { .. }
            | ExprKind::IncDec { .. } => self.assignment(e),
            ExprKind::Call { callee, args } => match self.call(e, callee, args) {
                Some(value) => {
                    let value = self.as_wide_as(e.ty, value);
                    self.called(e, value)
                }
                None => self.dummy(e.ty),
            },
            ExprKind::StmtExpr { body, result } => {
                let mark = self.enter_block(body, result.as_deref());
                let mut value = match result {
                    Some(result) => self.value(result),
                    None => self.dummy(e.ty),
                };
                if self.calls_at_end(mark) {
                    value = self.snapshot(value);
                }
                self.end_scope(mark);
                value
            }
            ExprKind::VaArg(list) => self.va_arg(list, e.ty, e),
            ExprKind::LabelAddr(label) => {
                let number = crate::jump::label_number(*label);
                self.word(number)
            }
            ExprKind::Builtin(builtin, args) => {
                let value = self.builtin(*builtin, args, e);
                self.as_wide_as(e.ty, value)
            }
            ExprKind::Unsupported(what) => {
                self.unsupported(what.clone());
                self.dummy(e.ty)
            }
            ExprKind::VaStart(_) | ExprKind::VaEnd(_) | ExprKind::VaCopy(..) => {
                self.discard(e);
                self.dummy(e.ty)
            }
            ExprKind::Var(_)
            | ExprKind::Str(_)
            | ExprKind::Func(_)
            | ExprKind::Deref(_)
            | ExprKind::Field(..)
            | ExprKind::CompoundLiteral(..)
            | ExprKind::ToUnion(..) => {
                // A member of a struct value is a value.
                let at = self.place(e);
                self.read(&at, e.ty, e)
            }
        }
    }

    pub(crate) fn float_constant(&mut self, bits: u128, ty: Ty) -> Term {
        let Type::Float(kind) = self.unit.types[ty] else { return self.dummy(ty) };
        let value = float_value(kind, bits);
        self.terms().float(value)
    }

    fn pointer_difference(&mut self, left: &Expr, right: &Expr, size: &ElemSize, e: &Expr) -> Term {
        let (a, b) = self.operands(left, right, false);
        self.refuse_distance_of_null((left, a), (right, b));
        let width = self.pointer_width();
        let bytes = self.terms().sub(a, b);
        let result = self.sort(e.ty).and_then(Sort::bv_width).unwrap_or(width);
        let elements = match size {
            ElemSize::Const(0) => {
                self.unsupported("a difference of pointers to objects of size zero");
                return self.dummy(e.ty);
            }
            // Exact in every defined case; gcc shifts, too.
            ElemSize::Const(n) if n.is_power_of_two() => {
                let distance = self.terms().bv(n.trailing_zeros().into(), width);
                self.terms().ashr(bytes, distance)
            }
            ElemSize::Const(n) => {
                let size = self.word(*n);
                self.terms().sdiv(bytes, size)
            }
            ElemSize::Dynamic(size) => {
                let size = self.value(size);
                let bytes = self.terms().resize(bytes, result, true);
                self.binary(BinaryOp::Div, bytes, size, e.ty, e)
            }
        };
        self.terms().resize(elements, result, true)
    }

    fn conditional(&mut self, cond: &Expr, a: &Expr, b: &Expr, e: &Expr) -> Term {
        if self.is_term(e) {
            let cond = self.condition(cond);
            let (a, b) = (self.value(a), self.value(b));
            return self.terms().ite(cond, a, b);
        }
        let Some(sort) = self.sort(e.ty) else {
            self.discard(e);
            return self.dummy(e.ty);
        };
        let result = self.temp(sort);
        self.diamond(
            cond,
            |low| {
                let value = low.value(a);
                low.assign(result, value);
            },
            |low| {
                let value = low.value(b);
                low.assign(result, value);
            },
        );
        self.term(result)
    }

    fn elvis(&mut self, value: &Expr, other: &Expr, ty: Ty) -> Term {
        let tested = self.value(value);
        let cond = self.truth(tested);
        if self.is_term(other) {
            let same = self.convert(tested, value.ty, ty);
            let other = self.value(other);
            return self.terms().ite(cond, same, other);
        }
        let Some(sort) = self.sort(ty) else {
            self.unsupported("?: on values that are not scalar");
            return self.dummy(ty);
        };
        let result = self.temp(sort);
        let (yes, no, join) = (self.fresh_loc(), self.fresh_loc(), self.fresh_loc());
        self.split(cond, yes, no);
        self.either(
            (yes, no, join),
            |low| {
                let same = low.convert(tested, value.ty, ty);
                low.assign(result, same);
            },
            |low| {
                let other = low.value(other);
                low.assign(result, other);
            },
        );
        self.term(result)
    }

    /// Runs one of two pieces of code.
    pub(crate) fn diamond(&mut self, cond: &Expr, then: impl FnOnce(&mut Self), other: impl FnOnce(&mut Self)) {
        let (yes, no, join) = (self.fresh_loc(), self.fresh_loc(), self.fresh_loc());
        if self.makes_temporaries(cond) {
            let cond = self.condition(cond);
            self.split(cond, yes, no);
        } else {
            self.branch(cond, yes, no);
        }
        self.either((yes, no, join), then, other);
    }

    /// Evaluates for the effects only.
    pub(crate) fn discard(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Assign(place, value) if self.sort(place.ty).is_none() => {
                self.assign_record(place, value);
            }
            ExprKind::IncDec { place, decrement, size, .. } => {
                // The old value is not asked for.
                self.increment(place, *decrement, false, size.as_ref(), e);
            }
            ExprKind::Cast(inner) if self.sort(e.ty).is_none() || self.sort(inner.ty).is_none() => self.discard(inner),
            ExprKind::Comma(a, b) => {
                self.discard(a);
                self.discard(b);
            }
            ExprKind::Cond(cond, a, b) if !self.is_term(e) => {
                self.diamond(cond, |low| low.discard(a), |low| low.discard(b))
            }
            ExprKind::LogAnd(a, b) if !self.is_term(e) => self.diamond(a, |low| low.discard(b), |_| {}),
            ExprKind::LogOr(a, b) if !self.is_term(e) => self.diamond(a, |_| {}, |low| low.discard(b)),
            ExprKind::Call { callee, args } => {
                self.fun.unused = Some(e.span);
                self.call(e, callee, args);
            }
            ExprKind::StmtExpr { body, result } => {
                let mark = self.enter_block(body, result.as_deref());
                if let Some(result) = result {
                    self.discard(result);
                }
                self.end_scope(mark);
            }
            ExprKind::VaStart(list) => self.va_start(list),
            ExprKind::VaEnd(list) => {
                self.place(list);
            }
            ExprKind::VaCopy(to, from) => {
                let place = self.place(to);
                let source = self.place(from);
                let value = self.read(&source, from.ty, from);
                self.write(&place, value, to.ty, to);
            }
            _ if self.is_term(e) => {}
            _ if self.sort(e.ty).is_some() => {
                self.value(e);
            }
            ExprKind::Builtin(builtin, args) => {
                self.builtin(*builtin, args, e);
            }
            ExprKind::Unsupported(what) => self.unsupported(what.clone()),
            ExprKind::Load(place) => self.discard_place(place),
            _ => self.discard_place(e),
        }
    }

    /// A struct or union that is read for nothing must be there all the same.
    fn discard_place(&mut self, e: &Expr) {
        let place = self.place(e);
        if let (Place::Memory(memory), Some(_)) = (&place, self.unit.types.record(e.ty)) {
            let size = self.unit.types.size_of(e.ty).unwrap_or(0);
            self.check_access(memory, size, e);
        }
    }

    /// The memory that holds the value of a struct or union expression.
    pub(crate) fn record(&mut self, e: &Expr) -> Memory {
        match &e.kind {
            ExprKind::Var(_)
            | ExprKind::Str(_)
            | ExprKind::Func(_)
            | ExprKind::Deref(_)
            | ExprKind::Field(..)
            | ExprKind::CompoundLiteral(..) => self.memory(e),
            ExprKind::Load(place) => self.memory(place),
            ExprKind::Assign(place, value) => self.assign_record(place, value),
            ExprKind::Comma(a, b) => {
                self.discard(a);
                self.record(b)
            }
            ExprKind::Cast(inner) => self.record(inner),
            ExprKind::Call { callee, args } => match self.call(e, callee, args) {
                Some(address) => {
                    let size = self.unit.types.size_of(e.ty);
                    Memory::object(address, size)
                }
                None => self.nowhere(),
            },
            ExprKind::Cond(cond, a, b) => {
                let result = self.record_temp(e.ty);
                let (yes, no) = (result.clone(), result.clone());
                self.diamond(cond, |low| low.copy_record(&yes, a, e), |low| low.copy_record(&no, b, e));
                result
            }
            ExprKind::StmtExpr { body, result: Some(value) } => {
                let result = self.record_temp(e.ty);
                let mark = self.enter_block(body, Some(value));
                self.copy_record(&result, value, e);
                self.end_scope(mark);
                result
            }
            ExprKind::ToUnion(value, index) => {
                let result = self.record_temp(e.ty);
                let field =
                    self.unit.types.record(e.ty).map(|r| self.unit.types.records[r].fields[*index as usize].clone());
                match field {
                    Some(field) if self.sort(field.ty).is_some() => {
                        let term = self.value(value);
                        let place = Place::Memory(result.clone().plus(field.offset.into()));
                        self.write(&place, term, field.ty, e);
                    }
                    _ => self.copy_record(&result, value, e),
                }
                result
            }
            ExprKind::VaArg(list) => {
                // The slot holds the address of the caller's copy.
                let address = self.va_slot(list, e);
                Memory::object(address, self.unit.types.size_of(e.ty))
            }
            ExprKind::Unsupported(what) => {
                self.unsupported(what.clone());
                self.nowhere()
            }
            _ => {
                self.unsupported(format!("a value of type {} made here", self.unit.types.show(e.ty)));
                self.nowhere()
            }
        }
    }

    fn nowhere(&mut self) -> Memory {
        let null = self.word(0);
        Memory::at(null)
    }

    pub(crate) fn record_temp(&mut self, ty: Ty) -> Memory {
        let size = self.unit.types.size_of(ty).unwrap_or(0);
        self.temp_object(size, "$r")
    }

    /// Copies the struct value of `e` to `dst`. `place` names the destination in messages.
    pub(crate) fn copy_record(&mut self, dst: &Memory, e: &Expr, place: &Expr) {
        let Some(size) = self.unit.types.size_of(e.ty) else {
            self.unsupported(format!("copying an object of type {}", self.unit.types.show(e.ty)));
            return;
        };
        let dst = self.stable_memory(dst.clone(), &Effects::of(e));
        let src = self.record(e);
        self.copy(&dst, &src, size, place, e);
    }

    pub(crate) fn copy(&mut self, dst: &Memory, src: &Memory, size: u64, dst_expr: &Expr, src_expr: &Expr) {
        if size == 0 {
            return;
        }
        self.check_access(src, size, src_expr);
        self.check_access(dst, size, dst_expr);
        let (dst, src, len) = (self.address(dst), self.address(src), self.word(size));
        if dst != src {
            self.emit(cfa::Op::Copy { dst, src, len });
        }
    }

    fn assign_record(&mut self, place: &Expr, value: &Expr) -> Memory {
        self.refuse_unsequenced(place, value);
        self.refuse_entangled(place, value);
        let memory = self.memory(place);
        let memory = self.stable_memory(memory, &Effects::of(value));
        self.check_writable(place, &Place::Memory(memory.clone()));
        self.copy_record(&memory, value, place);
        memory
    }

    /// An arbitrary value because a function has no body.
    pub(crate) fn extern_value(&mut self, ty: Ty, name: &str) -> Option<Term> {
        let sort = self.sort(ty)?;
        Some(self.outside_value(ty, sort, Origin::Extern(name.to_owned())))
    }

    /// Anything of the type. It is known to be a pointer also where it goes to memory at once: what lies there may be one from outside then.
    pub(crate) fn havoc_scalar(&mut self, ty: Ty, sort: Sort, origin: Origin) -> Term {
        let value = self.havoc(sort, origin);
        if let (Some(var), true) = (self.program.var_of(value), self.unit.types.is_pointer(ty)) {
            self.program.vars[var].pointer = true;
        }
        value
    }

    /// Any value of a scalar type: a `_Bool` is 0 or 1, a pointer that may point into the program is aligned for its type.
    pub(crate) fn outside_value(&mut self, ty: Ty, sort: Sort, origin: Origin) -> Term {
        let value = self.havoc_scalar(ty, sort, origin);
        let types = &self.unit.types;
        if matches!(types[ty], Type::Bool) {
            let truth = self.truth(value);
            return self.terms().bool_to_bv(truth, 8);
        }
        match types.pointee(ty) {
            Some(to) if self.options.extern_effects == ExternEffects::Any && self.fun.library_checked.is_none() => {
                self.meets_outside = true;
                // The same as others that come from outside, maybe.
                if let Some(var) = self.program.var_of(value) {
                    self.program.vars[var].raw = true;
                }
                let align = if types.is_complete(to) && !types.is_function(to) { types.align_of(to) } else { 1 };
                let mask = self.word(align.wrapping_neg());
                self.terms().bvand(value, mask)
            }
            _ => value,
        }
    }
}
