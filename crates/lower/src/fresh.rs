//! CBMC's predicates on pointers, `is_fresh` and `pointer_equals`, by the side from which a contract is seen.
//!
//! Where a precondition is *assumed*, `is_fresh(p, n)` makes `p` point to a new object of `n` bytes, and `p == q` makes the pointers equal. Where it is
//! *asserted* of a call, `p` must point to so many bytes, none of them among those of the other fresh pointers of the contract (as CBMC has it
//! since 6.5; before, they had to be in other objects).

use cfa::{EndKind, LocKind, ObjectKind, Op};
use cfront::hir::{BinaryOp, Builtin, Expr, ExprKind, VarId};
use cfront::types::Ty;
use cfront::walk::walk_expr;
use term::Term;

use crate::clause::Sense;
use crate::context::Lowering;
use crate::text::show;
use crate::valid::is_validity;

/// An object that a precondition asks for.
#[derive(Clone, Copy)]
pub(crate) struct Fresh {
    /// Its address, or null while there is none.
    pub(crate) address: cfa::Var,
    pub(crate) size: cfa::Var,
    /// What the pointer is for.
    pub(crate) element: Option<Ty>,
    /// The parameter that points to it, and its size in terms of parameters.
    pub(crate) of: Option<VarId>,
    pub(crate) exact: Option<Term>,
}

/// A pointer that another was made equal to: it stays as it is.
#[derive(Clone, Copy)]
pub(crate) enum Copied {
    Parameter(VarId),
    /// What was in memory.
    Value(Term),
}

impl Lowering<'_> {
    /// How many predicates of freshness there are in the conditions.
    pub(crate) fn count_fresh(&self, conditions: &[Expr]) -> usize {
        let mut count = 0;
        for e in conditions {
            walk_expr(e, &mut |part| {
                let is_fresh = matches!(part.kind, ExprKind::Builtin(Builtin::IsFresh, _));
                count += usize::from(is_fresh || is_validity(part));
            });
        }
        count
    }

    pub(crate) fn make_fresh(&mut self, pointer: &Expr, size: &Expr) {
        let size = self.value(size);
        let exact = self.in_parameters(size);
        let size = self.settled(size);
        let place = pointer_place(pointer);
        let (Some(Sense::Assumed { fresh, met, frees, .. }), Some(place)) = (&mut self.sense, place) else {
            return self.unsupported("__CPROVER_is_fresh in this place");
        };
        let Some(mut own) = fresh.get(*met).copied() else { return };
        let kind = if *frees { ObjectKind::Heap } else { ObjectKind::Stack };
        own.element = self.unit.types.pointee(pointer_type(pointer));
        (own.of, own.exact) = (crate::replace::parameter(self.unit, pointer), exact);
        fresh[*met] = own;
        *met += 1;
        if let ExprKind::Var(id) = place.kind
            && let Some(Sense::Assumed { set, .. }) = &mut self.sense
        {
            if set.contains(&id) {
                return self.unsupported("a pointer that is fresh twice");
            }
            set.push(id);
        }
        self.refuse_copied(place);
        // What no machine has room for there is not.
        let impossible = self.is_impossible(size);
        let possible = self.terms().not(impossible);
        self.require(possible, LocKind::End(EndKind::Blocked));
        self.check_allocation(size);
        let name = format!("*{}", show(self.unit, place));
        self.emit(Op::Alloc { dst: own.address, size, kind, name });
        if kind == ObjectKind::Heap {
            self.mark_as_heap(own.address);
        }
        self.emit(Op::Assign(vec![(own.size, size)]));
        let address = self.term(own.address);
        if let Some(element) = own.element {
            self.point_nowhere_inside(address, size, element);
        }
        let at = self.place(place);
        self.write(&at, address, place.ty, place);
    }

    /// The pointer is about to be set: no other one may have been made equal to it before.
    pub(crate) fn refuse_copied(&mut self, place: &Expr) {
        let Some(Sense::Assumed { copied, .. }) = &self.sense else { return };
        let copied = copied.clone();
        let what = "a pointer that is fresh, or equal to another, where one was made equal to it before";
        for copied in copied {
            match (copied, &place.kind) {
                (Copied::Parameter(id), ExprKind::Var(own)) if id == *own => self.unsupported(what),
                (Copied::Value(value), kind) if !matches!(kind, ExprKind::Var(_)) => {
                    let at = self.place(place);
                    let now = self.read(&at, place.ty, place);
                    let differs = self.terms().ne(now, value);
                    self.require(differs, LocKind::Unsupported(what.into()));
                }
                _ => {}
            }
        }
    }

    /// `p == q`: the one that is a parameter of which nothing is known yet becomes the other.
    pub(crate) fn make_equal(&mut self, a: &Expr, b: &Expr) {
        let parameter = |e: &Expr| match pointer_place(e).map(|place| &place.kind) {
            Some(ExprKind::Var(id)) if self.unit.vars[*id].storage == cfront::hir::Storage::Param => Some(*id),
            _ => None,
        };
        let unset = |e: &Expr| {
            let Some(Sense::Assumed { set, copied, .. }) = &self.sense else { return None };
            let is_copied = |id: VarId| copied.iter().any(|c| matches!(c, Copied::Parameter(own) if *own == id));
            parameter(e).filter(|id| !set.contains(id) && !is_copied(*id))
        };
        let (id, place, other) = match (unset(a), unset(b)) {
            (Some(id), _) => (id, pointer_place(a), b),
            (None, Some(id)) => (id, pointer_place(b), a),
            (None, None) => return self.unsupported("a comparison of pointers in a precondition"),
        };
        let Some(place) = place else { return };
        let from = parameter(other);
        let value = self.value(other);
        let value = self.snapshot(value);
        let at = self.place(place);
        self.write(&at, value, place.ty, place);
        if let Some(Sense::Assumed { set, copied, .. }) = &mut self.sense {
            set.push(id);
            copied.push(from.map_or(Copied::Value(value), Copied::Parameter));
        }
    }

    /// The parameters that the conditions make fresh in any case.
    pub(crate) fn surely_fresh(&self, conditions: &[Expr]) -> Vec<VarId> {
        let mut found = Vec::new();
        let mut work: Vec<&Expr> = conditions.iter().collect();
        while let Some(e) = work.pop() {
            match &e.kind {
                ExprKind::LogAnd(a, b) => work.extend([&**a, &**b]),
                ExprKind::Binary(BinaryOp::BitAnd, a, b) if self.is_truth_valued(a) && self.is_truth_valued(b) => {
                    work.extend([&**a, &**b]);
                }
                ExprKind::Cast(inner) if self.is_truth_valued(inner) => work.push(inner),
                ExprKind::Builtin(Builtin::IsFresh, args) => {
                    found.extend(crate::replace::parameter(self.unit, &args[0]));
                }
                ExprKind::Builtin(Builtin::IsValid | Builtin::IsReadable, args)
                    if matches!(args[1].kind, ExprKind::Int(1..)) =>
                {
                    found.extend(crate::replace::parameter(self.unit, &args[0]));
                }
                _ => {}
            }
        }
        found
    }

    pub(crate) fn is_fresh(&mut self, pointer: Term, size: Term) -> Term {
        let Some(Sense::Asserted { ranges, met }) = &mut self.sense else {
            self.unsupported("__CPROVER_is_fresh in this place");
            return self.terms().tt();
        };
        let (others, own) = (ranges[..*met].to_vec(), ranges.get(*met).copied());
        *met += 1;
        let Some((own, own_size)) = own else { return self.terms().tt() };
        let machine = self.program.machine;
        let object = machine.object_of(self.terms(), pointer);
        let mut holds = self.range_is_valid(pointer, size);
        for (other, other_size) in others {
            let (other, other_size) = (self.term(other), self.term(other_size));
            let its_object = machine.object_of(self.terms(), other);
            let (start, its_start) = (self.offset_in_object(pointer), self.offset_in_object(other));
            let terms = self.terms();
            // Both ranges are inside of their objects, so nothing wraps around.
            let (end, its_end) = (terms.add(start, size), terms.add(its_start, other_size));
            let (before, after) = (terms.ule(end, its_start), terms.ule(its_end, start));
            let elsewhere = terms.ne(object, its_object);
            let apart = terms.or_all(&[elsewhere, before, after]);
            holds = terms.and(holds, apart);
        }
        let holds = self.snapshot(holds);
        self.emit(Op::Assign(vec![(own, pointer), (own_size, size)]));
        holds
    }
}

/// The place that a pointer is read from.
pub(crate) fn pointer_place(e: &Expr) -> Option<&Expr> {
    match &e.kind {
        ExprKind::Cast(inner) => pointer_place(inner),
        ExprKind::Load(place) => Some(place),
        _ => None,
    }
}

/// The type of the pointer before conversions.
pub(crate) fn pointer_type(e: &Expr) -> Ty {
    match &e.kind {
        ExprKind::Cast(inner) => pointer_type(inner),
        _ => e.ty,
    }
}
