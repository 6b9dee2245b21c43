//! Where objects lie is ours: far apart, at multiples of large powers of two, in the order of their birth. Elsewhere it is
//! otherwise, so no result may depend on it. What is written as an address made an integer can be compared and subtracted
//! within one object, keeps the bits that the alignment of the pointer's type settles, and can become a pointer again; other
//! uses are unsupported.

use cfa::LocKind;
use cfront::hir::{BinaryOp, Expr, ExprKind, FuncId, Init, Stmt, StmtKind, UnaryOp, VarId};
use cfront::types::{RecordId, Type};
use std::collections::BTreeSet;
use term::Term;

use crate::context::Lowering;
use cfront::walk::walk_stmt;

/// Integers that addresses are put into, as far as that is written down: by variable, member and function. Addresses that go
/// into integers through memory of another type are not seen.
#[derive(Debug, Default)]
pub(crate) struct Holders {
    vars: BTreeSet<VarId>,
    fields: BTreeSet<(RecordId, u32)>,
    /// By their results.
    funcs: BTreeSet<FuncId>,
}

const WHAT: &str = "arithmetic on the bits of an address, which depend on where an object lies";
/// Nothing lies so near to the last address: errors as pointers.
const PAGE: u64 = 4096;
/// Nothing lies here or below: null, and what an allocator gives for nothing.
const LOWEST: u64 = 16;

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
            // Integers that may hold addresses hold numbers here.
            _ => {
                let (left, right) = (self.is_number(a), self.is_number(b));
                self.terms().and(left, right)
            }
        };
        self.require(ok, LocKind::Unsupported(WHAT.to_owned()));
    }

    fn is_far_out(&mut self, address: Term) -> Term {
        let (page, low) = (self.word(PAGE), self.word(PAGE + LOWEST));
        let moved = self.terms().add(address, page);
        self.terms().ule(moved, low)
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
        let is_number = self.is_number(value);
        self.require(is_number, LocKind::Unsupported(WHAT.to_owned()));
    }

    fn is_number(&mut self, value: Term) -> Term {
        let machine = self.program.machine;
        if self.terms().sort(value) != machine.pointer_sort() {
            return self.terms().tt();
        }
        let object = machine.object_of(self.terms(), value);
        let terms = self.terms();
        let (one, two) = (terms.bv(1, machine.object_bits), terms.bv(2, machine.object_bits));
        let next = terms.add(object, one);
        terms.ult(next, two)
    }

    /// Finds the integers that addresses are put into.
    pub(crate) fn find_holders(&mut self) {
        let unit = self.unit;
        loop {
            let mut found = Vec::new();
            for id in self.reach.funcs.iter().filter(|f| !self.is_library(**f)) {
                let Some(body) = &unit.funcs[*id].body else { continue };
                walk_stmt(body, &mut |e| match &e.kind {
                    ExprKind::Assign(place, value) => found.extend(self.holder(place).filter(|_| self.is_held(value))),
                    ExprKind::AssignOp { place, value, .. } => {
                        found.extend(self.holder(place).filter(|_| self.is_held(value)));
                    }
                    ExprKind::Call { callee, args } => {
                        if let Some(callee) = crate::call::direct(callee) {
                            let params = unit.funcs[callee].params.iter().zip(args);
                            found.extend(params.filter(|(_, arg)| self.is_held(arg)).map(|(p, _)| Holder::Var(*p)));
                        }
                    }
                    _ => {}
                });
                statements(body, &mut |s| match &s.kind {
                    StmtKind::Decl { var, init: Some(Init::Value(value)), .. } if self.is_held(value) => {
                        found.push(Holder::Var(*var));
                    }
                    StmtKind::Return(Some(value)) if self.is_held(value) => found.push(Holder::Func(*id)),
                    _ => {}
                });
            }
            let mut changed = false;
            for holder in found {
                changed |= match holder {
                    Holder::Var(id) => self.holders.vars.insert(id),
                    Holder::Field(record, index) => self.holders.fields.insert((record, index)),
                    Holder::Func(id) => self.holders.funcs.insert(id),
                };
            }
            if !changed {
                return;
            }
        }
    }

    /// Whether the value is an integer that may be an address.
    fn is_held(&self, value: &Expr) -> bool {
        !self.unit.types.is_pointer(value.ty) && self.aligned_address(value).is_some()
    }

    /// The place, as something that holds integers of the width of addresses.
    fn holder(&self, place: &Expr) -> Option<Holder> {
        let wide = self.sort(place.ty).and_then(term::Sort::bv_width) == Some(self.pointer_width());
        match &place.kind {
            _ if !wide || self.unit.types.is_pointer(place.ty) => None,
            ExprKind::Var(id) => Some(Holder::Var(*id)),
            ExprKind::Field(base, index) => self.unit.types.record(base.ty).map(|id| Holder::Field(id, *index)),
            _ => None,
        }
    }

    fn holds_address(&self, place: &Expr) -> bool {
        match self.holder(place) {
            Some(Holder::Var(id)) => self.holders.vars.contains(&id),
            Some(Holder::Field(record, index)) => self.holders.fields.contains(&(record, index)),
            Some(Holder::Func(_)) | None => false,
        }
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
            ExprKind::Load(place) => self.holds_address(place).then_some(1),
            // The place of a compound assignment.
            ExprKind::Var(_) | ExprKind::Field(..) => self.holds_address(e).then_some(1),
            ExprKind::Call { callee, .. } => {
                crate::call::direct(callee).filter(|f| self.holders.funcs.contains(f)).map(|_| 1)
            }
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

/// Something that holds integers.
enum Holder {
    Var(VarId),
    Field(RecordId, u32),
    Func(FuncId),
}

/// Visits every statement.
pub(crate) fn statements<'a>(s: &'a Stmt, visit: &mut dyn FnMut(&'a Stmt)) {
    visit(s);
    match &s.kind {
        StmtKind::Block(body) => body.iter().for_each(|s| statements(s, visit)),
        StmtKind::If { then, other, .. } => {
            statements(then, visit);
            if let Some(other) = other {
                statements(other, visit);
            }
        }
        StmtKind::For { init, body, .. } => {
            init.iter().for_each(|s| statements(s, visit));
            statements(body, visit);
        }
        StmtKind::While { body, .. } | StmtKind::DoWhile { body, .. } | StmtKind::Switch { body, .. } => {
            statements(body, visit);
        }
        _ => {}
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
