//! Functions of the program that code outside of it may call: whether anybody notices that it did, but for who gets the result.
//!
//! It is noticed if the function writes more than its own variables, or calls something that does or that is not known to do
//! nothing; and if something in it is checked, as code outside calls it with any arguments.

use cfa::Property;
use cfront::hir::{BinaryOp, ExprKind, FuncId, StmtKind, UnaryOp};
use cfront::walk::walk_stmt;
use std::collections::BTreeSet;

use crate::context::Lowering;
use crate::effects::written_place;
use cfront::walk::statements;

/// Functions without a body here that give memory back.
const RELEASE: [&str; 4] = ["free", "cfree", "realloc", "reallocarray"];

impl Lowering<'_> {
    /// Whether a call from outside may be noticed.
    pub(crate) fn is_noticed(&self, id: FuncId) -> bool {
        let func = &self.unit.funcs[id];
        if func.body.is_some() {
            return self.has_effects(id) || self.may_give_address(id);
        }
        let checks_memory = self.options.checks(Property::ValidDeref) || self.options.checks(Property::ValidFree);
        self.violated_by_calling(id).is_some() || checks_memory && RELEASE.contains(&func.name.as_str())
    }

    /// Whether who calls the function may learn an address from it.
    fn may_give_address(&self, id: FuncId) -> bool {
        let result = self.unit.types.function(self.unit.funcs[id].ty).map(|signature| signature.ret);
        result.is_some_and(|ty| self.has_pointers(ty)) || self.holders.gives(id)
    }

    /// The same for a function that has a body.
    fn has_effects(&self, id: FuncId) -> bool {
        let must_end = self.options.checks(Property::Termination);
        let mut seen = BTreeSet::from([id]);
        let mut work = vec![id];
        let mut found = false;
        while let Some(id) = work.pop() {
            let func = &self.unit.funcs[id];
            found |= self.violated_by_calling(id).is_some() || self.is_replaced(id);
            let Some(body) = &func.body else { return true };
            statements(body, &mut |s| {
                found |= match &s.kind {
                    StmtKind::While { .. }
                    | StmtKind::DoWhile { .. }
                    | StmtKind::For { .. }
                    | StmtKind::Goto(_)
                    | StmtKind::GotoComputed(_) => must_end,
                    // The size of an array.
                    StmtKind::Decl { size, .. } => size.is_some(),
                    StmtKind::Asm(_) | StmtKind::LoopContract(_) | StmtKind::Remember(_) | StmtKind::Unsupported(_) => {
                        true
                    }
                    _ => false,
                }
            });
            walk_stmt(body, &mut |e| {
                found |= self.is_checked(&e.kind);
                if let Some(place) = written_place(e) {
                    found |= !matches!(place.kind, ExprKind::Var(v) if !self.unit.vars[v].storage.is_static());
                }
                match &e.kind {
                    ExprKind::Call { callee, .. } => match crate::call::direct(callee) {
                        Some(callee) if seen.insert(callee) => work.push(callee),
                        // Perhaps itself.
                        Some(_) => found |= must_end,
                        None => found = true,
                    },
                    ExprKind::StmtExpr { .. } | ExprKind::Unsupported(_) => found = true,
                    ExprKind::Builtin(builtin, _) => found |= !builtin.written().is_empty(),
                    _ => {}
                }
            });
        }
        found
    }

    /// Whether the expression by itself may violate one of the properties that are asked for.
    fn is_checked(&self, e: &ExprKind) -> bool {
        let any = |properties: &[Property]| properties.iter().any(|p| self.options.checks(*p));
        let arithmetic = || any(&[Property::NoOverflow, Property::UnsignedOverflow, Property::Float]);
        let conversion = || any(&[Property::Conversion, Property::UndefinedConversion, Property::Float]);
        let step = || any(&[Property::ValidDeref, Property::PointerOverflow]);
        match e {
            ExprKind::Unary(UnaryOp::Neg, _) => arithmetic(),
            ExprKind::Binary(BinaryOp::Div | BinaryOp::Rem, ..) => arithmetic() || any(&[Property::DivByZero]),
            ExprKind::Binary(BinaryOp::Shl | BinaryOp::Shr, ..) => arithmetic() || any(&[Property::UndefinedShift]),
            ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, ..) => arithmetic(),
            // They convert, too.
            ExprKind::AssignOp { .. } | ExprKind::IncDec { .. } => {
                arithmetic() || step() || any(&[Property::DivByZero, Property::UndefinedShift]) || conversion()
            }
            ExprKind::Cast(_) => conversion(),
            ExprKind::Deref(_)
            | ExprKind::PtrAdd { .. }
            | ExprKind::PtrDiff { .. }
            | ExprKind::AssignPtrAdd { .. }
            | ExprKind::VaArg(_) => step(),
            _ => false,
        }
    }
}
