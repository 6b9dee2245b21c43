//! Temporary objects that an array of a value is in (`f().a`): the array is used by its address, and the object lives until the
//! end of the full expression (C11 6.2.4p8), also where it is made in an operand of `&&`, `||`, `?:` or in an argument of a call.
//! Other temporary objects have no address that a program could know, and end where they are no longer needed.
//!
//! Where two ways meet, the objects that were made on one of them begin on the other one, too: nobody there knows where they are, and
//! so they can end in one place.

use cfa::{Loc, Var};
use cfront::hir::{Expr, ExprKind};
use cfront::walk::{walk_expr, walk_stmt};

use crate::context::{Local, Lowering};
use crate::place::Memory;

impl Lowering<'_> {
    /// Notes whether the program has such objects at all.
    pub(crate) fn find_temporaries(&mut self) {
        let unit = self.unit;
        let mut found = false;
        for id in &self.reach.funcs {
            let Some(body) = &unit.funcs[*id].body else { continue };
            walk_stmt(body, &mut |e| found |= self.is_array_of_value(e));
        }
        self.has_temporaries = found;
    }

    fn is_array_of_value(&self, e: &Expr) -> bool {
        matches!(&e.kind, ExprKind::Field(base, _) if self.unit.types.element(e.ty).is_some() && is_value(base))
    }

    /// Whether the evaluation makes such an object.
    pub(crate) fn makes_temporaries(&self, e: &Expr) -> bool {
        let mut found = false;
        if self.has_temporaries {
            walk_expr(e, &mut |e| found |= self.is_array_of_value(e));
        }
        found
    }

    /// The memory of an array of a value stays until the full expression ends.
    pub(crate) fn keep_temporary(&mut self, e: &Expr, memory: &Memory) {
        if !self.is_array_of_value(e) {
            return;
        }
        let here = |local: &Local| match *local {
            Local::Object(address, Some(_)) => Some(address).filter(|address| self.term(*address) == memory.base),
            _ => None,
        };
        let kept: Option<Var> = self.fun.live.iter().rev().find_map(here);
        self.fun.kept.extend(kept);
    }

    /// A part of a full expression that began when `mark` locals were alive: its objects end, but for those that are kept.
    pub(crate) fn end_part(&mut self, mark: usize) {
        let is_kept = |local: &Local| matches!(local, Local::Object(address, _) if self.fun.kept.contains(address));
        let kept: Vec<Local> = self.fun.live[mark..].iter().copied().filter(is_kept).collect();
        for local in self.fun.live.split_off(mark).into_iter().rev().filter(|local| !kept.contains(local)) {
            self.end_local(local);
        }
        self.fun.live.extend(kept);
    }

    /// Runs one of two parts of a full expression, from where its condition has led to.
    pub(crate) fn either(
        &mut self,
        (yes, no, join): (Loc, Loc, Loc),
        then: impl FnOnce(&mut Self),
        other: impl FnOnce(&mut Self),
    ) {
        let mark = self.fun.live.len();
        self.resume(yes);
        then(self);
        self.end_part(mark);
        let first = self.fun.live.split_off(mark);
        let first_end = self.fun.at;
        if !self.has_temporaries {
            self.step_to(join);
        }
        self.resume(no);
        other(self);
        self.end_part(mark);
        let second = self.fun.live.split_off(mark);
        if self.has_temporaries {
            self.begin_all(&first);
            let second_end = self.fun.at;
            self.resume(first_end);
            self.begin_all(&second);
            self.step_to(join);
            self.resume(second_end);
        }
        self.continue_at(join);
        self.fun.live.extend(first.into_iter().chain(second));
    }

    fn begin_all(&mut self, objects: &[Local]) {
        for object in objects {
            if let Local::Object(address, Some(size)) = *object {
                self.alloc_stack(address, size);
            }
        }
    }
}

/// Whether the struct is no object of the program's.
fn is_value(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Field(base, _) | ExprKind::Cast(base) => is_value(base),
        ExprKind::Call { .. }
        | ExprKind::Cond(..)
        | ExprKind::StmtExpr { .. }
        | ExprKind::Assign(..)
        | ExprKind::Comma(..)
        | ExprKind::ToUnion(..)
        | ExprKind::VaArg(_) => true,
        _ => false,
    }
}
