//! Where objects lie is ours: far apart, at multiples of large powers of two, in the order of their birth. Elsewhere it is
//! otherwise, so no result may depend on it. What is written as an address made an integer can be compared and subtracted
//! within one object, keeps the bits that the alignment of the pointer's type settles, and can become a pointer again; other
//! uses are unsupported.

use cfa::LocKind;
use cfront::hir::{BinaryOp, Expr, ExprKind, UnaryOp};
use cfront::types::Type;
use term::Term;

use crate::context::Lowering;

const WHAT: &str = "arithmetic on the bits of an address, which depend on where an object lies";
/// Nothing lies below this address, or so near to the last one: null pointers, and errors as pointers.
const PAGE: u64 = 4096;

/// What `a op b` takes from the place of an object.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Asked {
    Nothing,
    /// Something, unless both are addresses in one object or one is no address.
    Distance,
    Bits,
}

impl Lowering<'_> {
    pub(crate) fn place_asked(&self, op: BinaryOp, a: &Expr, b: &Expr) -> Asked {
        use BinaryOp::{Add, BitAnd, BitOr, BitXor, Div, Eq, Ge, Gt, Le, Lt, Mul, Ne, Rem, Shl, Shr, Sub};
        let types = &self.unit.types;
        let is_fine = matches!(op, Add | BitOr | BitXor | Eq | Ne) || types.is_pointer(a.ty) || types.is_pointer(b.ty);
        if is_fine || self.fun.library_checked.is_some() {
            return Asked::Nothing;
        }
        let (left, right) = (self.aligned_address(a), self.aligned_address(b));
        let settled = |aligned: u128, mask: u128| mask < aligned || !mask & low_bits(self.pointer_width()) < aligned;
        let (asked, holds) = match op {
            BitAnd => (
                Asked::Bits,
                [(left, b), (right, a)].into_iter().any(|(address, mask)| {
                    address.is_some_and(|aligned| !constant(mask).is_some_and(|mask| settled(aligned, mask)))
                }),
            ),
            Rem => {
                let divides = |aligned: u128| constant(b).is_some_and(|c| c > 0 && aligned.is_multiple_of(c));
                (Asked::Bits, left.is_some_and(|aligned| !divides(aligned)))
            }
            Shl | Shr => (Asked::Bits, left.is_some()),
            Mul | Div => (Asked::Bits, left.is_some() || right.is_some()),
            Sub => (Asked::Distance, left.is_some() && right.is_some()),
            Lt | Le | Gt | Ge => (Asked::Distance, left.is_some() || right.is_some()),
            Add | BitOr | BitXor | Eq | Ne => (Asked::Nothing, true),
        };
        if holds { asked } else { Asked::Nothing }
    }

    /// Goes on only where `a op b` does not depend on where objects lie.
    pub(crate) fn require_placeless(&mut self, asked: Asked, a: Term, b: Term) {
        let ok = match asked {
            Asked::Nothing => return,
            Asked::Distance if self.terms().width(a) == self.pointer_width() => {
                let (same, left, right) = (self.same_origin(a, b), self.is_far_out(a), self.is_far_out(b));
                let either = self.terms().or(left, right);
                self.terms().or(same, either)
            }
            _ => self.terms().ff(),
        };
        self.require(ok, LocKind::Unsupported(WHAT.to_owned()));
    }

    fn is_far_out(&mut self, address: Term) -> Term {
        let (page, two) = (self.word(PAGE), self.word(2 * PAGE));
        let moved = self.terms().add(address, page);
        self.terms().ult(moved, two)
    }

    /// Whether the conversion leaves a part of an address.
    pub(crate) fn cuts_address(&self, inner: &Expr, whole: &Expr) -> bool {
        let types = &self.unit.types;
        let is_address =
            if types.is_pointer(inner.ty) { constant(inner).is_none() } else { self.aligned_address(inner).is_some() };
        let width = |e: &Expr| self.sort(e.ty).and_then(term::Sort::bv_width);
        let cuts = width(inner) == Some(self.pointer_width()) && width(whole) < Some(self.pointer_width());
        is_address && cuts && !matches!(types[whole.ty], Type::Bool) && self.fun.library_checked.is_none()
    }

    /// Goes on only where the value is no address but a number that was made one.
    pub(crate) fn require_number(&mut self, value: Term) {
        let machine = self.program.machine;
        let object = machine.object_of(self.terms(), value);
        let terms = self.terms();
        let (one, two) = (terms.bv(1, machine.object_bits), terms.bv(2, machine.object_bits));
        let next = terms.add(object, one);
        let is_number = terms.ult(next, two);
        self.require(is_number, LocKind::Unsupported(WHAT.to_owned()));
    }

    /// If the integer is a pointer's address (or one plus something): the alignment of what the pointer is for.
    fn aligned_address(&self, e: &Expr) -> Option<u128> {
        let types = &self.unit.types;
        match &e.kind {
            ExprKind::Cast(inner) => match types.pointee(inner.ty) {
                // An integer that was made a pointer is an integer.
                Some(_) if matches!(&inner.kind, ExprKind::Int(_)) => None,
                Some(to) => Some(u128::from(types.align_of(to))),
                None => self.aligned_address(inner),
            },
            // A difference of two is none.
            ExprKind::Binary(BinaryOp::Sub, a, b) => match (self.aligned_address(a), self.aligned_address(b)) {
                (Some(_), None) => Some(1),
                _ => None,
            },
            ExprKind::Binary(BinaryOp::Add | BinaryOp::BitOr | BinaryOp::BitXor, a, b) => {
                self.aligned_address(a).or_else(|| self.aligned_address(b)).map(|_| 1)
            }
            _ => None,
        }
    }
}

/// The number, where it is written as one.
fn constant(e: &Expr) -> Option<u128> {
    match &e.kind {
        ExprKind::Int(value) => Some(*value),
        ExprKind::Cast(inner) => constant(inner),
        ExprKind::Unary(UnaryOp::BitNot, inner) => constant(inner).map(|value| !value),
        _ => None,
    }
}

fn low_bits(width: u32) -> u128 {
    (1 << width) - 1
}
