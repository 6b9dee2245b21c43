//! The distance of a pointer and null (`(char *)p - (char *)0`, or of a variable that is always null): undefined in C, and in fact the address as a
//! number, which is ours and no machine's. It is unsupported unless the other one is null, too, or a member of what null points to.
//!
//! Where one of both may be null or not, the distance is one of two objects (`transform::memory`).

use cfa::LocKind;
use cfront::hir::{Expr, ExprKind, Init, StmtKind, Storage, VarId};
use cfront::walk::walk_stmt;
use std::collections::BTreeSet;
use term::Term;

use crate::context::Lowering;
use crate::effects::written_place;

/// Zero, as a pointer.
fn is_zero(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Cast(inner) => is_zero(inner),
        ExprKind::Int(value) => *value == 0,
        _ => false,
    }
}

impl Lowering<'_> {
    /// Finds the pointers that nothing but null is ever put into.
    pub(crate) fn find_always_null(&mut self) {
        let unit = self.unit;
        let (mut null, mut set): (BTreeSet<VarId>, BTreeSet<VarId>) = Default::default();
        let is_pointer = |id: VarId| unit.types.is_pointer(unit.vars[id].ty) && !unit.vars[id].address_taken;
        let is_null = |init: &Init| matches!(init, Init::Value(value) if is_zero(value));
        for (id, var) in unit.vars.iter() {
            let is_own = matches!(var.storage, Storage::Static | Storage::StaticLocal);
            if is_own && is_pointer(id) && var.init.as_ref().is_none_or(is_null) {
                null.insert(id);
            }
        }
        for body in self.reach.funcs.iter().filter_map(|id| unit.funcs[*id].body.as_ref()) {
            walk_stmt(body, &mut |e| {
                let value = if let ExprKind::Assign(_, value) = &e.kind { Some(value) } else { None };
                if let Some(ExprKind::Var(id)) = written_place(e).map(|place| &place.kind)
                    && !value.is_some_and(|value| is_zero(value))
                {
                    set.insert(*id);
                }
            });
            cfront::walk::statements(body, &mut |s| {
                let StmtKind::Decl { var, init, .. } = &s.kind else { return };
                let known = if init.as_ref().is_some_and(is_null) && is_pointer(*var) { &mut null } else { &mut set };
                known.insert(*var);
            });
        }
        self.always_null = null.difference(&set).copied().collect();
    }

    /// Whether the pointer is null for sure.
    fn is_null(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Cast(inner) | ExprKind::Load(inner) => self.is_null(inner),
            ExprKind::Var(id) => self.always_null.contains(id),
            _ => is_zero(e),
        }
    }

    /// In front of a difference of pointers.
    pub(crate) fn refuse_distance_of_null(&mut self, left: (&Expr, Term), right: (&Expr, Term)) {
        let other = match (self.is_null(left.0), self.is_null(right.0)) {
            (true, false) => right.1,
            (false, true) => left.1,
            _ => return,
        };
        let machine = self.program.machine;
        let null = self.word(0);
        let own = machine.object_of(self.terms(), other);
        let none = machine.object_of(self.terms(), null);
        let is_near = self.terms().eq(own, none);
        self.require(is_near, LocKind::Unsupported("the distance of a pointer and null".into()));
    }
}
