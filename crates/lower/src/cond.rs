//! Conditions: control flow where evaluation needs it, boolean terms otherwise; never an integer 0 or 1 in between.

use cfa::Loc;
use cfront::hir::{BinaryOp, Expr, ExprKind, UnaryOp};
use term::{Sort, Term};

use crate::context::Lowering;
use crate::quantifier::quantified;

/// What a condition asks of an integer expression with known truth.
fn is_zero(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Int(0))
}

impl Lowering<'_> {
    /// Goes to `on_true` or `on_false`, by the truth of `e`.
    pub(crate) fn branch(&mut self, e: &Expr, on_true: Loc, on_false: Loc) {
        match &e.kind {
            _ if self.makes_temporaries(e) => {
                let mark = self.fun.live.len();
                let cond = self.condition(e);
                let cond = self.snapshot(cond);
                self.end_scope(mark);
                self.split(cond, on_true, on_false);
            }
            ExprKind::Unary(UnaryOp::Not, a) => self.branch(a, on_false, on_true),
            ExprKind::LogAnd(a, b) => {
                let second = self.fresh_loc();
                self.branch(a, second, on_false);
                self.resume(second);
                self.branch(b, on_true, on_false);
            }
            ExprKind::LogOr(a, b) => {
                let second = self.fresh_loc();
                self.branch(a, on_true, second);
                self.resume(second);
                self.branch(b, on_true, on_false);
            }
            ExprKind::Binary(BinaryOp::Ne, a, zero) if is_zero(zero) => self.branch(a, on_true, on_false),
            ExprKind::Binary(BinaryOp::Eq, a, zero) if is_zero(zero) => self.branch(a, on_false, on_true),
            ExprKind::Cast(a) if self.keeps_truth(a, e) => self.branch(a, on_true, on_false),
            ExprKind::Comma(a, b) => {
                self.discard(a);
                self.branch(b, on_true, on_false);
            }
            ExprKind::Cond(cond, a, b) if !self.is_term(e) => {
                let (yes, no) = (self.fresh_loc(), self.fresh_loc());
                self.branch(cond, yes, no);
                self.resume(yes);
                self.branch(a, on_true, on_false);
                self.resume(no);
                self.branch(b, on_true, on_false);
            }
            _ if quantified(e).is_some() => {
                if let Some(q) = quantified(e) {
                    self.branch_quantified(q, on_true, on_false);
                }
            }
            _ => {
                let mark = self.fun.live.len();
                let cond = self.condition(e);
                self.end_scope(mark);
                self.split(cond, on_true, on_false);
            }
        }
    }

    /// Is the conversion `whole` of `inner` zero exactly when `inner` is?
    fn keeps_truth(&self, inner: &Expr, whole: &Expr) -> bool {
        let types = &self.unit.types;
        if self.is_truth_value(inner) || matches!(types[whole.ty], cfront::types::Type::Bool) {
            return self.sort(inner.ty).is_some();
        }
        match (self.sort(inner.ty), self.sort(whole.ty)) {
            (Some(Sort::Bv(from)), Some(Sort::Bv(to))) => from <= to,
            _ => false,
        }
    }

    /// Does `e` give 0 or 1 by its operator?
    fn is_truth_value(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Unary(UnaryOp::Not, _) | ExprKind::LogAnd(..) | ExprKind::LogOr(..) => true,
            ExprKind::Binary(op, ..) => op.is_comparison(),
            ExprKind::Cast(inner) => self.is_truth_value(inner),
            _ => false,
        }
    }

    /// The truth of `e` as a boolean term. Emits control flow where parts of `e` may not be evaluated.
    pub(crate) fn condition(&mut self, e: &Expr) -> Term {
        match &e.kind {
            ExprKind::Unary(UnaryOp::Not, a) => {
                let truth = self.condition(a);
                self.terms().not(truth)
            }
            ExprKind::LogAnd(a, b) if self.is_term(b) => {
                let (a, b) = (self.condition(a), self.condition(b));
                self.terms().and(a, b)
            }
            ExprKind::LogOr(a, b) if self.is_term(b) => {
                let (a, b) = (self.condition(a), self.condition(b));
                self.terms().or(a, b)
            }
            ExprKind::LogAnd(..) | ExprKind::LogOr(..) => {
                let result = self.by_control_flow(e);
                self.truth(result)
            }
            ExprKind::Binary(BinaryOp::Ne, a, zero) if is_zero(zero) && self.is_truth_value(a) => self.condition(a),
            ExprKind::Binary(BinaryOp::Eq, a, zero) if is_zero(zero) && self.is_truth_value(a) => {
                let truth = self.condition(a);
                self.terms().not(truth)
            }
            ExprKind::Binary(op, a, b) if op.is_comparison() && (is_zero(a) || is_zero(b)) => {
                let asked = self.place_asked(*op, a, b);
                let (left, right) = (self.value_with_sign(a), self.value_with_sign(b));
                let exact = self.compare(*op, left, right, a.ty);
                let any = self.any_result(*op, a, b, e.ty);
                self.placeless(asked, any, left, right, exact)
            }
            ExprKind::Binary(op, a, b) if op.is_comparison() => {
                let asked = self.place_asked(*op, a, b);
                let (left, right) = self.operands(a, b, true);
                let exact = self.compare(*op, left, right, a.ty);
                let sharing = self.shared_literals(*op, a, b);
                let exact = self.literal_equality(&sharing, left, right, exact);
                let exact = self.function_equality(*op, left, right, exact);
                let any = self.any_result(*op, a, b, e.ty);
                self.placeless(asked, any, left, right, exact)
            }
            ExprKind::Cast(a) if self.keeps_truth(a, e) => self.condition(a),
            ExprKind::Comma(a, b) => {
                self.discard(a);
                self.condition(b)
            }
            _ => {
                let value = self.value_with_sign(e);
                self.truth(value)
            }
        }
    }

    /// The truth of `e` as 0 or 1.
    pub(crate) fn truth_value(&mut self, e: &Expr) -> Term {
        if let ExprKind::LogAnd(_, b) | ExprKind::LogOr(_, b) = &e.kind
            && !self.is_term(b)
        {
            return self.by_control_flow(e);
        }
        let truth = self.condition(e);
        let width = self.truth_width(e);
        self.terms().bool_to_bv(truth, width)
    }

    fn truth_width(&self, e: &Expr) -> u32 {
        self.sort(e.ty).and_then(Sort::bv_width).unwrap_or(32)
    }

    /// 0 or 1, assigned where evaluation ends.
    pub(crate) fn by_control_flow(&mut self, e: &Expr) -> Term {
        let width = self.truth_width(e);
        let result = self.temp(Sort::Bv(width));
        let set = |value: u128| {
            move |low: &mut Self| {
                let value = low.terms().bv(value, width);
                low.assign(result, value);
            }
        };
        match &e.kind {
            // The objects that its parts make are kept.
            ExprKind::LogAnd(a, b) | ExprKind::LogOr(a, b) if self.makes_temporaries(e) => {
                let second = |low: &mut Self| {
                    let truth = low.condition(b);
                    let value = low.terms().bool_to_bv(truth, width);
                    low.assign(result, value);
                };
                match e.kind {
                    ExprKind::LogAnd(..) => self.diamond(a, second, set(0)),
                    _ => self.diamond(a, set(1), second),
                }
            }
            _ => self.diamond(e, set(1), set(0)),
        }
        self.term(result)
    }
}
