//! Predicate functions of contracts: one that uses a predicate on pointers (`return ...;`, nothing else) is written out, so that it speaks of
//! the caller's pointers.

use cfront::hir::{Builtin, Expr, ExprKind, FuncId, Stmt, StmtKind, VarId};
use cfront::walk::{change_parts, walk_stmt};

use crate::call::direct;
use crate::context::Lowering;

/// So deep predicates may call one another.
pub(crate) const DEEPEST: u32 = 16;

impl Lowering<'_> {
    /// The conditions with the calls of predicates written out.
    pub(crate) fn written_out(&self, conditions: &[Expr]) -> Vec<Expr> {
        conditions.iter().map(|e| self.write_out(e, 0)).collect()
    }

    fn write_out(&self, e: &Expr, depth: u32) -> Expr {
        let mut e = e.clone();
        if let ExprKind::Call { callee, args } = &e.kind
            && depth < DEEPEST
            && let Some(id) = direct(callee)
            && let Some(body) = self.predicate(id)
            && self.unit.funcs[id].params.len() == args.len()
        {
            let pairs: Vec<(VarId, &Expr)> = self.unit.funcs[id].params.iter().copied().zip(args).collect();
            let mut body = body.clone();
            replace_params(&mut body, &pairs);
            body.span = e.span;
            return self.write_out(&body, depth + 1);
        }
        change_parts(&mut e, &mut |part| *part = self.write_out(part, depth));
        e
    }

    /// The value of a function that just returns it, if it speaks of pointers as contracts do and changes no parameter.
    fn predicate(&self, id: FuncId) -> Option<&Expr> {
        let func = &self.unit.funcs[id];
        let body = func.body.as_ref()?;
        let value = only_return(body)?;
        let mut plain = true;
        walk_stmt(body, &mut |e| match &e.kind {
            ExprKind::StmtExpr { .. }
            | ExprKind::CompoundLiteral(..)
            | ExprKind::Assign(..)
            | ExprKind::AssignOp { .. }
            | ExprKind::AssignPtrAdd { .. }
            | ExprKind::IncDec { .. } => plain = false,
            _ => {}
        });
        // What is said of a parameter is said of the argument: a scalar that nobody points at.
        let is_scalar = |p: &VarId| !self.unit.vars[*p].address_taken && self.sort(self.unit.vars[*p].ty).is_some();
        (plain && func.params.iter().all(is_scalar) && self.speaks_of_pointers(id, 0)).then_some(value)
    }

    fn speaks_of_pointers(&self, id: FuncId, depth: u32) -> bool {
        let Some(body) = &self.unit.funcs[id].body else { return false };
        let mut found = false;
        walk_stmt(body, &mut |e| match &e.kind {
            ExprKind::Builtin(Builtin::IsFresh | Builtin::PointerEquals | Builtin::PointerInRange, _) => found = true,
            ExprKind::Call { callee, .. } if depth < DEEPEST => {
                found |= direct(callee).is_some_and(|callee| self.speaks_of_pointers(callee, depth + 1));
            }
            _ => {}
        });
        found
    }
}

fn only_return(s: &Stmt) -> Option<&Expr> {
    match &s.kind {
        StmtKind::Return(value) => value.as_ref(),
        StmtKind::Block(body) => {
            match &body.iter().filter(|s| !matches!(s.kind, StmtKind::Empty)).collect::<Vec<_>>()[..] {
                [only] => only_return(only),
                _ => None,
            }
        }
        _ => None,
    }
}

fn replace_params(e: &mut Expr, pairs: &[(VarId, &Expr)]) {
    if let ExprKind::Load(place) = &e.kind
        && let ExprKind::Var(id) = place.kind
        && let Some((_, value)) = pairs.iter().find(|(param, _)| *param == id)
    {
        *e = (*value).clone();
        return;
    }
    change_parts(e, &mut |part| replace_params(part, pairs));
}
