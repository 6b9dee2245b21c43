//! Clauses of contracts, assumed or asserted.
//!
//! Predicates on pointers mean different things by the side from which a contract is seen: where a precondition is assumed they make
//! pointers (`fresh`, `valid`), where a clause is asserted they are conditions. `p == q` in a precondition makes the pointers equal; other comparisons of
//! pointers there are unsupported, since pointers that are not made yet could be any.

use cfa::{LocKind, Origin, Property, Violation};
use cfront::hir::{BinaryOp, Builtin, Expr, ExprKind, UnaryOp, VarId};
use cfront::types::Type;
use cfront::walk::{walk_expr, walk_stmt};
use term::Sort;

use crate::call::direct;
use crate::context::Lowering;
use crate::fresh::{Copied, Fresh};
use crate::predicate::DEEPEST;
use crate::valid::{Range, Side, is_validity};

/// How the predicates of the clause being lowered are meant.
pub(crate) enum Sense {
    /// They hold: objects are made as they say. For each one met, whether under a condition or not, what it made (or null).
    Assumed {
        fresh: Vec<Fresh>,
        met: usize,
        frees: bool,
        set: Vec<VarId>,
        copied: Vec<Copied>,
        /// What ACSL says that pointers point to, how often only for reading, and what it says to be apart.
        ranges: Vec<Range>,
        readable: usize,
        apart: Vec<(Side, Side)>,
        /// What it says may be written.
        writable: Vec<Option<Side>>,
    },
    /// They are to hold. For each one met, the pointer (or null) and how many bytes belong to it.
    Asserted { ranges: Vec<(cfa::Var, cfa::Var)>, met: usize },
    /// They are to hold after a call: nothing is fresh then.
    AssertedAfter,
}

impl Lowering<'_> {
    // Assuming.

    /// Only executions where the clause of a precondition holds go on; pointers are made to be what it says.
    pub(crate) fn assume_clause(&mut self, e: &Expr) {
        self.fun.span = if e.span.is_nowhere() { self.fun.span } else { e.span };
        match &e.kind {
            ExprKind::LogAnd(a, b) => {
                self.assume_clause(a);
                self.assume_clause(b);
            }
            ExprKind::Binary(BinaryOp::BitAnd, a, b) if self.is_truth_valued(a) && self.is_truth_valued(b) => {
                self.assume_clause(a);
                self.assume_clause(b);
            }
            ExprKind::Cast(inner) if self.is_truth_valued(inner) => self.assume_clause(inner),
            ExprKind::Binary(BinaryOp::Ne, a, zero)
                if matches!(zero.kind, ExprKind::Int(0)) && self.is_truth_valued(a) =>
            {
                self.assume_clause(a);
            }
            ExprKind::LogOr(a, b) if makes_pointers(b) && !makes_pointers(a) && !self.looks_at_addresses(a) => {
                let (holds, rest) = (self.fresh_loc(), self.fresh_loc());
                self.refuse_comparisons(a);
                self.branch(a, holds, rest);
                self.resume(rest);
                self.assume_clause(b);
                self.continue_at(holds);
            }
            ExprKind::LogOr(a, b) if makes_pointers(e) => self.assume_either(a, b),
            ExprKind::Cond(c, a, b) if !makes_pointers(c) && (makes_pointers(a) || makes_pointers(b)) => {
                let (yes, no, join) = (self.fresh_loc(), self.fresh_loc(), self.fresh_loc());
                self.refuse_comparisons(c);
                self.branch(c, yes, no);
                self.resume(yes);
                self.assume_clause(a);
                self.step_to(join);
                self.resume(no);
                self.assume_clause(b);
                self.continue_at(join);
            }
            ExprKind::Builtin(Builtin::IsFresh, args) => self.make_fresh(&args[0], &args[1]),
            ExprKind::Builtin(Builtin::PointerEquals, args) => self.make_equal(&args[0], &args[1]),
            ExprKind::Builtin(which @ (Builtin::IsValid | Builtin::IsReadable), args) => {
                self.make_valid(&args[0], &args[1], *which == Builtin::IsValid);
            }
            ExprKind::Binary(BinaryOp::Eq, a, b) if compares_pointers(&self.unit.types, e) => self.make_equal(a, b),
            _ if makes_pointers(e) => self.unsupported("such a use of pointer predicates in a contract"),
            _ => {
                self.refuse_comparisons(e);
                self.assume_condition(e);
            }
        }
    }

    /// The states where one clause holds, and those where the other does. Pointers are made on each way as that one says; on the ways
    /// together, what may be made is made, and what may have been copied is copied.
    fn assume_either(&mut self, a: &Expr, b: &Expr) {
        let first = self.havoc(Sort::Bool, Origin::Internal);
        let (left, right, join) = (self.fresh_loc(), self.fresh_loc(), self.fresh_loc());
        let before = self.made();
        self.split(first, left, right);
        self.resume(left);
        self.assume_clause(a);
        self.step_to(join);
        let by_left = self.made();
        if let (Some(Sense::Assumed { set, copied, .. }), Some(before)) = (&mut self.sense, before) {
            (*set, *copied) = before;
        }
        self.resume(right);
        self.assume_clause(b);
        self.continue_at(join);
        if let (Some(Sense::Assumed { set, copied, .. }), Some(by_left)) = (&mut self.sense, by_left) {
            set.extend(by_left.0);
            copied.extend(by_left.1);
        }
    }

    /// Which pointers were made so far, and which were copied.
    fn made(&self) -> Option<(Vec<VarId>, Vec<Copied>)> {
        match &self.sense {
            Some(Sense::Assumed { set, copied, .. }) => Some((set.clone(), copied.clone())),
            _ => None,
        }
    }

    /// Whether some part of the condition looks at more of a pointer than whether it is null.
    fn looks_at_addresses(&self, e: &Expr) -> bool {
        let mut found = false;
        walk_expr(e, &mut |part| found |= self.depends_on_addresses(part, 0));
        found
    }

    /// Where a condition compares pointers other than with null, what it means depends on pointers that are not made yet.
    fn refuse_comparisons(&mut self, e: &Expr) {
        let found = self.looks_at_addresses(e);
        if found && matches!(self.sense, Some(Sense::Assumed { .. })) {
            self.unsupported("a comparison of pointers in a precondition");
        }
    }

    /// Does the expression itself, or a function that it calls, look at more of a pointer than whether it is null?
    pub(crate) fn depends_on_addresses(&self, e: &Expr, depth: u32) -> bool {
        let types = &self.unit.types;
        match &e.kind {
            ExprKind::Cast(inner) => {
                types.is_pointer(inner.ty) && types.is_integer(e.ty) && !matches!(types[e.ty], Type::Bool)
            }
            ExprKind::Call { callee, .. } => {
                let Some(id) = direct(callee) else { return true };
                let func = &self.unit.funcs[id];
                let Some(body) = &func.body else { return func.name != "__CPROVER_OBJECT_SIZE" };
                if depth > DEEPEST {
                    return true;
                }
                let mut found = false;
                walk_stmt(body, &mut |part| found |= self.depends_on_addresses(part, depth + 1));
                found
            }
            _ => compares_pointers(types, e),
        }
    }

    // Asserting.

    /// What is said of the clause does not hold in some executions: they end as `otherwise` says.
    pub(crate) fn assert_clause(&mut self, e: &Expr, otherwise: &LocKind) {
        self.fun.span = if e.span.is_nowhere() { self.fun.span } else { e.span };
        match &e.kind {
            ExprKind::LogAnd(a, b) => {
                self.assert_clause(a, otherwise);
                self.assert_clause(b, otherwise);
            }
            ExprKind::Binary(BinaryOp::BitAnd, a, b) if self.is_truth_valued(a) && self.is_truth_valued(b) => {
                self.assert_clause(a, otherwise);
                self.assert_clause(b, otherwise);
            }
            ExprKind::Cast(inner) if self.is_truth_valued(inner) => self.assert_clause(inner, otherwise),
            ExprKind::Binary(BinaryOp::Ne, a, zero)
                if matches!(zero.kind, ExprKind::Int(0)) && self.is_truth_valued(a) =>
            {
                self.assert_clause(a, otherwise);
            }
            _ => self.assert_condition(e, &|low: &mut Self| low.end(otherwise.clone())),
        }
    }

    /// Where a clause fails that is to hold: an error where assertions are checked; else nothing is known from there on.
    pub(crate) fn clause_failure(&self, message: String) -> LocKind {
        if self.options.checks(Property::Assert) {
            LocKind::Error(Violation { property: Property::Assert, message })
        } else {
            LocKind::Unsupported(format!("{message} (the property assert is not checked)").into())
        }
    }

    /// Does it give 0 or 1?
    pub(crate) fn is_truth_valued(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Unary(UnaryOp::Not, _) | ExprKind::LogAnd(..) | ExprKind::LogOr(..) => true,
            ExprKind::Binary(BinaryOp::BitAnd | BinaryOp::BitOr, a, b) => {
                self.is_truth_valued(a) && self.is_truth_valued(b)
            }
            ExprKind::Binary(op, ..) => op.is_comparison(),
            ExprKind::Builtin(
                Builtin::Forall
                | Builtin::Exists
                | Builtin::IsFresh
                | Builtin::PointerEquals
                | Builtin::PointerInRange
                | Builtin::IsValid
                | Builtin::IsReadable
                | Builtin::Separated,
                _,
            ) => true,
            ExprKind::Cond(_, a, b) => self.is_truth_valued(a) && self.is_truth_valued(b),
            ExprKind::Int(n) => *n <= 1,
            ExprKind::Cast(inner) => matches!(self.unit.types[e.ty], Type::Bool) || self.is_truth_valued(inner),
            _ => matches!(self.unit.types[e.ty], Type::Bool),
        }
    }
}

/// Is there a predicate in it that makes pointers?
pub(crate) fn makes_pointers(e: &Expr) -> bool {
    let mut found = false;
    walk_expr(e, &mut |part| {
        found |= is_validity(part);
        found |= matches!(
            part.kind,
            ExprKind::Builtin(Builtin::IsFresh | Builtin::PointerEquals | Builtin::PointerInRange, _)
        );
    });
    found
}

/// Is it a comparison of pointers, none of them null?
fn compares_pointers(types: &cfront::types::Types, e: &Expr) -> bool {
    let is_null = |e: &Expr| {
        let mut e = e;
        while let ExprKind::Cast(inner) = &e.kind {
            e = inner;
        }
        matches!(e.kind, ExprKind::Int(0))
    };
    match &e.kind {
        ExprKind::Binary(op, a, b) => {
            op.is_comparison() && types.is_pointer(a.ty) && types.is_pointer(b.ty) && !is_null(a) && !is_null(b)
        }
        ExprKind::PtrDiff { .. } => true,
        _ => false,
    }
}
