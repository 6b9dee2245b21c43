//! Objects defined `const` that are written through pointers, as far as `constant` does not ask about all of them: variables of
//! functions, and those of files where memory is not checked.
//!
//! One such object is *watched*: whether it is this one is chosen when it has got its contents. In front of each write through a
//! pointer the watched object must be another one. Since any may be chosen, a write to any is found. Objects count whose
//! address is taken for more than an access by name, if the program drops the `const` of something that they are, are made of or
//! are part of; programs without such objects pay nothing. Those of files are left out where functions that nobody knows give the program
//! pointers: any of these may lead anywhere, so that every write through one would be given up.

use cfa::{LocKind, Op, Origin, Property};
use cfront::hir::{Expr, FuncId, Storage, VarId};
use cfront::types::{Ty, Types};
use term::{Sort, Term};

use crate::constant::Lost;
use crate::context::{Home, Lowering};

/// Whether an object of the first type has a part of the second.
fn contains(types: &Types, whole: Ty, part: Ty) -> bool {
    let are_integers = types.is_integer(whole) && types.is_integer(part);
    whole.unqualified() == part.unqualified()
        || are_integers && types.size_of(whole) == types.size_of(part)
        || types.element(whole).is_some_and(|element| contains(types, element, part))
        || types
            .record(whole)
            .is_some_and(|id| types.records[id].fields.iter().any(|field| contains(types, field.ty, part)))
}

fn are_related(types: &Types, a: Ty, b: Ty) -> bool {
    contains(types, a, b) || contains(types, b, a)
}

impl Lost {
    /// Whether a pointer that does not say `const` may lead to a constant of the type.
    fn may_lead_to(&self, types: &Types, ty: Ty) -> bool {
        let is_blurred = |ty: &Ty| types.is_void(*ty) || types.size_of(*ty) == Some(1);
        let mut blurred = self.blurred.iter();
        self.otherwise
            || self.types.iter().any(|lost| !types.is_void(*lost) && are_related(types, *lost, ty))
            || self.types.iter().any(is_blurred) && blurred.any(|of| !types.is_void(*of) && are_related(types, *of, ty))
    }
}

impl Lowering<'_> {
    /// Finds the objects that may be watched.
    pub(crate) fn find_watched(&mut self, lost: &Lost) {
        let unit = self.unit;
        let is_checked = self.options.checks(Property::ValidDeref);
        let gives_pointers = |id: &FuncId| {
            let func = &unit.funcs[*id];
            let result = unit.types.function(func.ty).map(|signature| signature.ret);
            func.body.is_none()
                && crate::names::kind(&func.name).is_none()
                && result.is_some_and(|result| unit.types.pointee(result).is_some())
        };
        let is_open = self.reach.funcs.iter().any(gives_pointers);
        for id in &lost.given_away {
            let var = &unit.vars[*id];
            let is_own = var.storage == Storage::Local || var.storage.is_static() && !is_checked && !is_open;
            if is_own && var.address_taken && self.is_constant(var.ty) && lost.may_lead_to(&unit.types, var.ty) {
                self.watchable.insert(*id);
            }
        }
        if !self.watchable.is_empty() {
            self.watched_constant = Some(self.generated_global("$constant", self.program.machine.pointer_sort()));
        }
    }

    /// A variable begins to live: if it was watched before, it is not any more.
    pub(crate) fn unwatch_constant(&mut self, id: VarId, address: Term) {
        let Some(watched) = self.watched_constant.filter(|_| self.watchable.contains(&id)) else { return };
        let machine = self.program.machine;
        let (current, null) = (self.term(watched), self.word(0));
        let own = machine.object_of(self.terms(), address);
        let other = machine.object_of(self.terms(), current);
        let is_it = self.terms().eq(own, other);
        let next = self.terms().ite(is_it, null, current);
        self.emit(Op::Assign(vec![(watched, next)]));
    }

    /// A variable has got its contents: it is watched from now on, or not.
    pub(crate) fn watch_constant(&mut self, id: VarId) {
        let Some(watched) = self.watched_constant.filter(|_| self.watchable.contains(&id)) else { return };
        let Home::Object(address) = self.make_home(id) else { return };
        let chosen = self.havoc(Sort::Bool, Origin::Internal);
        let (current, address) = (self.term(watched), self.term(address));
        let next = self.terms().ite(chosen, address, current);
        self.emit(Op::Assign(vec![(watched, next)]));
    }

    /// In front of a write through a pointer. Executions that write to the watched object are given up: the compiler may know its value.
    pub(crate) fn check_not_watched(&mut self, pointer: Term, e: &Expr) {
        let Some(watched) = self.watched_constant.filter(|_| !self.is_injected(e.span)) else { return };
        let machine = self.program.machine;
        let (current, null) = (self.term(watched), self.word(0));
        let own = machine.object_of(self.terms(), pointer);
        let other = machine.object_of(self.terms(), current);
        let none = machine.object_of(self.terms(), null);
        let (is_other, is_none) = (self.terms().ne(own, other), self.terms().eq(other, none));
        let ok = self.terms().or(is_other, is_none);
        let what = format!("undefined behaviour: {}", self.written_constant(e));
        self.require_at(e, ok, LocKind::BoundHit(what));
    }
}
