//! Quantifiers over integers, as CBMC writes them, exactly:
//!
//! * Where one counterexample decides (`forall` in an assertion, `exists` in an assumption), its variable is any value: an
//!   execution for each.
//! * Elsewhere the condition is asked for one value after the other. Only those inside the bounds that the condition itself
//!   writes (`lo <= i && i < n ==> ...`) need asking, as it is settled for all others; without bounds a variable must be
//!   small, and is unsupported otherwise.

use cfa::{Loc, LocKind, Op, Origin, Var};
use cfront::hir::{BinaryOp, Builtin, Expr, ExprKind, UnaryOp, VarId};
use term::{Sort, Term};

use crate::context::{Home, Lowering};
use crate::effects::Effects;
use cfront::walk::walk_expr;

/// All values of a type so wide are tried.
const SMALL: u32 = 16;

/// So many values are asked for one by one without a loop.
pub(crate) const FEW: i128 = 64;

/// `(variable, condition)`, for all its values or for some.
#[derive(Clone, Copy)]
pub(crate) struct Quantified<'e> {
    pub(crate) for_all: bool,
    var: VarId,
    pub(crate) value: &'e Expr,
    pub(crate) condition: &'e Expr,
}

/// The expression as a quantifier. Conversions to a truth value do not matter.
pub(crate) fn quantified(e: &Expr) -> Option<Quantified<'_>> {
    match &e.kind {
        ExprKind::Cast(inner) => quantified(inner),
        ExprKind::Builtin(which @ (Builtin::Forall | Builtin::Exists), args) => match &args[..] {
            [value, condition] => {
                let ExprKind::Load(place) = &value.kind else { return None };
                let ExprKind::Var(var) = place.kind else { return None };
                Some(Quantified { for_all: *which == Builtin::Forall, var, value, condition })
            }
            _ => None,
        },
        _ => None,
    }
}

/// Is there a quantifier in it?
pub(crate) fn mentions_quantifier(e: &Expr) -> bool {
    let mut found = false;
    walk_expr(e, &mut |part| found |= quantified(part).is_some());
    found
}

/// A bound of the variable: the value and whether the variable can have it.
pub(crate) struct Bound<'e> {
    pub(crate) value: &'e Expr,
    pub(crate) is_lower: bool,
    pub(crate) inclusive: bool,
}

impl Lowering<'_> {
    fn quantified_variable(&mut self, q: Quantified<'_>) -> Option<Var> {
        // Arbitrary bits are no truth value.
        if matches!(self.unit.types[self.unit.vars[q.var].ty], cfront::types::Type::Bool) {
            self.unsupported("a quantified variable of type _Bool");
            return None;
        }
        match self.make_home(q.var) {
            Home::Scalar(var) => Some(var),
            Home::Object(_) => {
                self.unsupported("a quantified variable whose address is used");
                None
            }
        }
    }

    /// The condition is left to hold, or not, for any value of the variable.
    pub(crate) fn any_instance(&mut self, q: Quantified<'_>) {
        if let Some(var) = self.quantified_variable(q) {
            self.emit(Op::Havoc { vars: vec![var], origin: Origin::Internal });
        }
    }

    /// Goes to `on_true` or `on_false`, by asking for one value after the other.
    pub(crate) fn branch_quantified(&mut self, q: Quantified<'_>, on_true: Loc, on_false: Loc) {
        if let Some(zeroed) = self.zeroed_object(q) {
            return self.branch_zeroed(&zeroed, on_true, on_false);
        }
        let Some(var) = self.quantified_variable(q) else { return };
        let Some((width, signed)) = self.unit.types.int_shape(q.value.ty) else {
            return self.unsupported("a quantifier over something that is no integer");
        };
        let bounds = self.bounds(q);
        // Usually the bounds have the variable's type, and it counts itself. Else a wider number counts.
        let shapes: Vec<(u32, bool)> =
            bounds.iter().filter_map(|bound| self.unit.types.int_shape(bound.value.ty)).collect();
        let counts = shapes.iter().all(|shape| *shape == (width, signed));
        let widest = shapes.iter().map(|shape| shape.0).fold(width, u32::max);
        let (wide, wide_signed) = if counts { (width, signed) } else { (widest + 1, true) };
        let Some((low, _)) = self.end_of_range(q, &bounds, true, wide) else {
            return self.unsupported("a quantifier whose variable has no lower bound");
        };
        let counter = if counts { var } else { self.temp(Sort::Bv(wide)) };
        self.assign(counter, low);
        let Some((high, inclusive)) = self.end_of_range(q, &bounds, false, wide) else {
            return self.unsupported("a quantifier whose variable has no upper bound");
        };
        if let Some(values) = self.few_values(low, high, inclusive, wide_signed) {
            for value in values {
                let (instance, next) = (self.terms().bv_signed(value, width), self.fresh_loc());
                self.assign(var, instance);
                let (yes, no) = if q.for_all { (next, on_false) } else { (on_true, next) };
                self.branch(q.condition, yes, no);
                self.resume(next);
            }
            return self.step_to(if q.for_all { on_true } else { on_false });
        }
        let last = self.snapshot(high);
        let (head, body, next, exit) = (self.fresh_loc(), self.fresh_loc(), self.fresh_loc(), self.fresh_loc());
        self.continue_at(head);
        let at = self.term(counter);
        let terms = self.terms();
        let more = match (inclusive, wide_signed) {
            (true, true) => terms.sle(at, last),
            (true, false) => terms.ule(at, last),
            (false, true) => terms.slt(at, last),
            (false, false) => terms.ult(at, last),
        };
        self.split(more, body, exit);
        self.resume(body);
        if !counts {
            let value = self.terms().extract(at, width - 1, 0);
            self.assign(var, value);
            // A bound may lie outside of the variable's type.
            let back = self.terms().resize(value, wide, signed);
            let fits = self.terms().eq(back, at);
            let ask = self.fresh_loc();
            self.split(fits, ask, next);
            self.resume(ask);
        }
        if q.for_all {
            self.branch(q.condition, next, on_false);
        } else {
            self.branch(q.condition, on_true, next);
        }
        self.resume(next);
        if inclusive {
            let (step, is_last) = (self.fresh_loc(), self.terms().eq(at, last));
            self.split(is_last, exit, step);
            self.resume(step);
        }
        let one = self.terms().bv(1, wide);
        let after = self.terms().add(at, one);
        self.emit(Op::Assign(vec![(counter, after)]));
        self.step_to(head);
        self.resume(exit);
        self.step_to(if q.for_all { on_true } else { on_false });
    }

    /// The values between two constants, if there are not many: each is asked for by itself, so that what memory is accessed is
    /// known. A value too many does no harm, one that is not of the variable's type stands for another one then.
    fn few_values(&mut self, low: Term, high: Term, inclusive: bool, signed: bool) -> Option<std::ops::Range<i128>> {
        let terms = self.terms();
        let number = |t: Term| {
            let bits = terms.as_bv_const(t)?;
            if signed { bits.to_i128() } else { bits.to_u64().map(i128::from) }
        };
        let (low, high) = (number(low)?, number(high)?.checked_add(i128::from(inclusive))?);
        (high - low <= FEW).then_some(low..high)
    }

    /// The first or last value to ask for, and whether it belongs to them: the bound, or that of the type. (To ask for a
    /// value too many does no harm: the condition says itself which ones count.)
    fn end_of_range(
        &mut self,
        q: Quantified<'_>,
        bounds: &[Bound<'_>],
        lower: bool,
        wide: u32,
    ) -> Option<(Term, bool)> {
        let (width, signed) = self.unit.types.int_shape(q.value.ty)?;
        if let Some(bound) = bounds.iter().find(|bound| bound.is_lower == lower) {
            let value = self.value(bound.value);
            let is_signed = self.is_signed(bound.value.ty);
            return Some((self.terms().resize(value, wide, is_signed), bound.inclusive));
        }
        let is_zero = !signed && lower;
        if !is_zero && width > SMALL {
            return None;
        }
        let value = match (lower, signed) {
            (true, false) => 0,
            (true, true) => -(1i128 << (width - 1)),
            (false, true) => (1i128 << (width - 1)) - 1,
            (false, false) => (1i128 << width) - 1,
        };
        Some((self.terms().bv_signed(value, wide), true))
    }

    /// The bounds outside of which the condition is settled: true for `forall`, false for `exists`.
    pub(crate) fn bounds<'e>(&self, q: Quantified<'e>) -> Vec<Bound<'e>> {
        let mut parts = Vec::new();
        if q.for_all {
            if let ExprKind::LogOr(not, _) = &q.condition.kind
                && let ExprKind::Unary(UnaryOp::Not, guard) = &not.kind
            {
                conjuncts(guard, &mut parts);
            }
        } else {
            conjuncts(q.condition, &mut parts);
        }
        // What is compared unsigned bounds a signed variable once that is known not to be negative.
        let never_negative = !self.is_signed(q.value.ty)
            || parts
                .iter()
                .filter_map(|part| self.bound(q, part, false))
                .any(|bound| bound.is_lower && matches!(bound.value.kind, ExprKind::Int(n) if n < 1 << 31));
        parts.into_iter().filter_map(|part| self.bound(q, part, never_negative)).collect()
    }

    /// The comparison as a bound of the variable.
    fn bound<'e>(&self, q: Quantified<'e>, e: &'e Expr, never_negative: bool) -> Option<Bound<'e>> {
        let ExprKind::Binary(op, a, b) = &e.kind else { return None };
        let (value, on_left) = if self.is_variable(q, a) { (b, true) } else { (a, false) };
        let other = if on_left { a } else { b };
        if !self.is_variable(q, other) {
            return None;
        }
        let (width, signed) = self.unit.types.int_shape(value.ty)?;
        let (own_width, own_signed) = self.unit.types.int_shape(q.value.ty)?;
        // The comparison sees the variable's value: widened, or of the same type, or not negative.
        let keeps = match (own_signed, signed) {
            (true, true) | (false, false) => width >= own_width,
            (false, true) => width > own_width,
            (true, false) => never_negative && width >= own_width,
        };
        let mut is_free = Effects::of(value).none();
        walk_expr(value, &mut |part| is_free &= !matches!(part.kind, ExprKind::Var(id) if id == q.var));
        if !keeps || !is_free || mentions_quantifier(value) {
            return None;
        }
        let (is_lower, inclusive) = match (op, on_left) {
            (BinaryOp::Lt, true) | (BinaryOp::Gt, false) => (false, false),
            (BinaryOp::Le, true) | (BinaryOp::Ge, false) => (false, true),
            (BinaryOp::Gt, true) | (BinaryOp::Lt, false) => (true, false),
            (BinaryOp::Ge, true) | (BinaryOp::Le, false) => (true, true),
            _ => return None,
        };
        Some(Bound { value, is_lower, inclusive })
    }

    /// The quantifier's variable, converted or not: to a type that is not narrower, and before that to such as have its value.
    pub(crate) fn is_variable(&self, q: Quantified<'_>, e: &Expr) -> bool {
        let shape = |e: &Expr| self.unit.types.int_shape(e.ty);
        let has_value = |e: &Expr, inner: &Expr| match (shape(inner), shape(e)) {
            (Some((from, true)), Some((to, true))) | (Some((from, false)), Some((to, false))) => to >= from,
            (Some((from, false)), Some((to, true))) => to > from,
            _ => false,
        };
        let mut inner = e;
        if let ExprKind::Cast(of) = &e.kind {
            if !matches!((shape(of), shape(e)), (Some((from, _)), Some((to, _))) if to >= from) {
                return false;
            }
            inner = of;
        }
        while let ExprKind::Cast(of) = &inner.kind {
            if !has_value(inner, of) {
                return false;
            }
            inner = of;
        }
        matches!(&inner.kind, ExprKind::Load(place) if matches!(place.kind, ExprKind::Var(id) if id == q.var))
    }

    /// Only executions where the condition holds go on.
    pub(crate) fn assume_condition(&mut self, e: &Expr) {
        if let ExprKind::LogAnd(a, b) = &e.kind {
            self.assume_condition(a);
            return self.assume_condition(b);
        }
        if let ExprKind::Cast(inner) = &e.kind
            && self.is_truth(e)
        {
            return self.assume_condition(inner);
        }
        let blocked = LocKind::End(cfa::EndKind::Blocked);
        match quantified(e) {
            Some(q) if !q.for_all => {
                self.any_instance(q);
                self.assume_condition(q.condition);
            }
            _ if mentions_quantifier(e) => {
                let (good, bad) = (self.fresh_loc(), self.marked(blocked));
                self.branch(e, good, bad);
                self.resume(good);
            }
            _ => {
                let mark = self.fun.live.len();
                let ok = self.condition(e);
                self.end_scope(mark);
                self.require(ok, blocked);
            }
        }
    }

    /// Runs `otherwise` where the condition does not hold, and goes on where it holds (and where `otherwise` goes on).
    pub(crate) fn assert_condition(&mut self, e: &Expr, otherwise: &dyn Fn(&mut Self)) {
        match &e.kind {
            ExprKind::Cast(inner) if self.is_truth(e) => return self.assert_condition(inner, otherwise),
            ExprKind::LogAnd(a, b) if mentions_quantifier(e) => {
                let after = self.fresh_loc();
                self.assert_condition(a, &|low: &mut Self| {
                    otherwise(low);
                    low.step_to(after);
                });
                self.assert_condition(b, otherwise);
                return self.continue_at(after);
            }
            ExprKind::LogOr(a, b) if mentions_quantifier(b) && !mentions_quantifier(a) => {
                let (good, rest) = (self.fresh_loc(), self.fresh_loc());
                self.branch(a, good, rest);
                self.resume(rest);
                self.assert_condition(b, otherwise);
                return self.continue_at(good);
            }
            _ => {}
        }
        let (good, bad) = (self.fresh_loc(), self.fresh_loc());
        match quantified(e) {
            Some(q) if q.for_all && self.zeroed_object(q).is_none() => {
                self.any_instance(q);
                return self.assert_condition(q.condition, otherwise);
            }
            _ => self.branch(e, good, bad),
        }
        self.resume(bad);
        otherwise(self);
        self.continue_at(good);
    }

    fn is_truth(&self, e: &Expr) -> bool {
        matches!(self.unit.types[e.ty], cfront::types::Type::Bool)
    }
}

pub(crate) fn conjuncts<'e>(e: &'e Expr, out: &mut Vec<&'e Expr>) {
    match &e.kind {
        ExprKind::LogAnd(a, b) => {
            conjuncts(a, out);
            conjuncts(b, out);
        }
        ExprKind::Binary(BinaryOp::Ne, a, zero) if matches!(zero.kind, ExprKind::Int(0)) => conjuncts(a, out),
        ExprKind::Cast(inner) if matches!(inner.kind, ExprKind::LogAnd(..) | ExprKind::Binary(..)) => {
            conjuncts(inner, out);
        }
        _ => out.push(e),
    }
}
