//! `∀i. 0 ≤ i < sizeof x ⇒ ((unsigned char *)&x)[i] == 0`, asked of the members of `x` instead of its bytes. That is the same, as
//! every byte belongs to a member or is padding, but it reads memory as the rest of the program does: a null pointer is a
//! pointer then, not eight bytes of an address, which depend on where objects lie.

use cfa::Loc;
use cfront::hir::{BinaryOp, ElemSize, Expr, ExprKind, UnaryOp};
use cfront::types::Ty;
use cfront::walk::walk_expr;
use term::Sort;

use crate::context::Lowering;
use crate::effects::Effects;
use crate::place::Memory;
use crate::quantifier::{FEW, Quantified, conjuncts};
use crate::scalars::Leaf;

/// The object of which all bytes are asked.
pub(crate) struct Zeroed<'e> {
    /// Its address, and one of its bytes.
    pointer: &'e Expr,
    byte: &'e Expr,
    size: u64,
    parts: Vec<Part>,
}

/// A member, or a byte of padding.
struct Part {
    offset: u64,
    bytes: u32,
    is_pointer: bool,
}

impl Lowering<'_> {
    /// The quantifier as a question about a whole object, if it is one and the members of the object are known.
    pub(crate) fn zeroed_object<'e>(&self, q: Quantified<'e>) -> Option<Zeroed<'e>> {
        let ExprKind::LogOr(not, claim) = &q.condition.kind else { return None };
        let ExprKind::Unary(UnaryOp::Not, guard) = &not.kind else { return None };
        let byte = zero_byte(claim)?;
        let ExprKind::Deref(at) = &byte.kind else { return None };
        let ExprKind::PtrAdd { ptr, index, size: ElemSize::Const(1), negative: false } = &at.kind else { return None };
        let mut is_free = Effects::of(ptr).none();
        walk_expr(ptr, &mut |part| is_free &= !self.is_variable(q, part));
        if !q.for_all || !is_free || !self.is_variable(q, index) {
            return None;
        }
        let mut limits = Vec::new();
        conjuncts(guard, &mut limits);
        let bounds = self.bounds(q);
        let is_zero = |e: &Expr| matches!(e.kind, ExprKind::Int(0));
        let starts = match bounds.iter().filter(|b| b.is_lower).count() {
            0 => !self.is_signed(q.value.ty),
            _ => bounds.iter().all(|b| !b.is_lower || b.inclusive && is_zero(b.value)),
        };
        let [end] = bounds.iter().filter(|b| !b.is_lower).collect::<Vec<_>>()[..] else { return None };
        let ExprKind::Int(size) = end.value.kind else { return None };
        let size = u64::try_from(size).ok()?;
        if !starts || end.inclusive || limits.len() != bounds.len() {
            return None;
        }
        let parts = self.parts_of(self.whole_type(ptr, size)?, size)?;
        Some(Zeroed { pointer: ptr, byte, size, parts })
    }

    /// Goes to `on_true` if all of it is zero.
    pub(crate) fn branch_zeroed(&mut self, zeroed: &Zeroed<'_>, on_true: Loc, on_false: Loc) {
        let pointer = self.value(zeroed.pointer);
        let memory = Memory::at(self.snapshot(pointer));
        self.check_access(&memory, zeroed.size, zeroed.byte);
        let mut all = self.terms().tt();
        for part in &zeroed.parts {
            let width = 8 * part.bytes;
            let value = self.load_unchecked(&memory.clone().plus(part.offset.into()), Sort::Bv(width), part.bytes);
            if let Some(dst) = self.program.var_of(value).filter(|_| !part.is_pointer) {
                self.program.vars[dst].raw = true;
            }
            let terms = self.terms();
            let zero = terms.bv(0, width);
            let is_zero = terms.eq(value, zero);
            all = terms.and(all, is_zero);
        }
        self.split(all, on_true, on_false);
    }

    /// The type of what the pointer points to before it is made one to bytes, if it has that size.
    fn whole_type(&self, pointer: &Expr, size: u64) -> Option<Ty> {
        let types = &self.unit.types;
        let mut pointer = pointer;
        loop {
            let ty = match &pointer.kind {
                ExprKind::AddrOf(place) => Some(place.ty),
                _ => types.pointee(pointer.ty),
            };
            if let Some(ty) = ty.filter(|ty| types.size_of(*ty) == Some(size) && size > 1) {
                return Some(ty);
            }
            let ExprKind::Cast(inner) = &pointer.kind else { return None };
            pointer = inner;
        }
    }

    fn parts_of(&self, ty: Ty, size: u64) -> Option<Vec<Part>> {
        let leaves = self.scalars_of(ty)?;
        let count: u64 = leaves.iter().map(|leaf| leaf.count).sum();
        if count > FEW as u64 || !leaves.iter().all(|leaf| leaf.sort == Sort::Bv(8 * leaf.bytes)) {
            return None;
        }
        let at = |leaf: Leaf| {
            (0..leaf.count).map(move |i| Part {
                offset: leaf.offset + i * leaf.stride,
                bytes: leaf.bytes,
                is_pointer: leaf.pointer,
            })
        };
        let mut parts: Vec<Part> = leaves.into_iter().flat_map(at).collect();
        let is_covered = |byte: u64| parts.iter().any(|p| (p.offset..p.offset + u64::from(p.bytes)).contains(&byte));
        let padding: Vec<u64> = (0..size).filter(|byte| !is_covered(*byte)).collect();
        parts.extend(padding.into_iter().map(|offset| Part { offset, bytes: 1, is_pointer: false }));
        Some(parts)
    }
}

/// The byte that is compared with zero.
fn zero_byte(claim: &Expr) -> Option<&Expr> {
    match &claim.kind {
        ExprKind::Cast(inner) => zero_byte(inner),
        ExprKind::Binary(BinaryOp::Ne, a, zero) if matches!(zero.kind, ExprKind::Int(0)) => zero_byte(a),
        ExprKind::Binary(BinaryOp::Eq, a, b) => match (&a.kind, &b.kind) {
            (_, ExprKind::Int(0)) => loaded(a),
            (ExprKind::Int(0), _) => loaded(b),
            _ => None,
        },
        _ => None,
    }
}

fn loaded(e: &Expr) -> Option<&Expr> {
    match &e.kind {
        ExprKind::Cast(inner) => loaded(inner),
        ExprKind::Load(place) => Some(place),
        _ => None,
    }
}
