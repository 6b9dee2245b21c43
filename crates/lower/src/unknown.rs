//! Functions without body and without model: any result, and (if so chosen) arbitrary memory behind their arguments.

use cfa::{Op, Origin};
use cfront::hir::{Expr, ExprKind, FuncId};
use cfront::types::{Ty, Type};
use term::{Sort, Term};

use crate::call::Arg;
use crate::context::Lowering;
use crate::options::ExternEffects;
use crate::place::Memory;

impl Lowering<'_> {
    pub(crate) fn unknown_function(
        &mut self,
        id: FuncId,
        args: &[Arg<'_>],
        ty: Ty,
        result: Option<&Memory>,
        e: &Expr,
    ) -> Option<Term> {
        let unit = self.unit;
        let name = &unit.funcs[id].name;
        let havocs = self.options.extern_effects == ExternEffects::HavocArguments;
        let targets: Vec<&Arg<'_>> = args.iter().filter(|arg| havocs && self.may_be_written(arg)).collect();
        let effect = if targets.is_empty() { "to change nothing" } else { "to change what its arguments point to" };
        let value = if unit.types.is_void(ty) { "" } else { "to return any value and " };
        self.note_once(name, e.span, format!("no body for '{name}': assumed {value}{effect}"));
        for arg in targets {
            self.havoc_target(arg, name);
        }
        if unit.funcs[id].noreturn {
            self.end(cfa::LocKind::End(cfa::EndKind::Exit));
            return None;
        }
        if let Some(object) = result {
            let size = unit.types.size_of(ty).unwrap_or(0);
            let len = self.word(size);
            self.havoc_bytes(object.base, len, &Origin::Extern(name.clone()));
            return None;
        }
        self.extern_value(ty, name)
    }

    /// Can the function write through this argument? Not through `const`, not to code, not to a string literal.
    fn may_be_written(&self, arg: &Arg<'_>) -> bool {
        let types = &self.unit.types;
        match types.pointee(arg.ty) {
            Some(to) => !to.is_const() && !types.is_function(to) && !is_string(arg.expr),
            None => false,
        }
    }

    /// Makes the object that the argument points at arbitrary, element by element.
    pub(crate) fn havoc_target(&mut self, arg: &Arg<'_>, name: &str) {
        let Some(element) = self.unit.types.pointee(arg.ty) else { return };
        let origin = Origin::Extern(name.to_owned());
        let elem_size = self.unit.types.size_of(element).unwrap_or(1).max(1);
        if let (Some(size), Some(sort)) = (self.known_target(arg.expr), self.sort(element))
            && size == elem_size
        {
            let value = self.havoc(sort, origin);
            let bytes = self.storage(element);
            self.emit(Op::Store { addr: arg.term, value, bytes });
            return;
        }
        let stride = match self.sort(element) {
            Some(sort) => (sort, self.storage(element)),
            None => (Sort::Bv(8), 1),
        };
        let memory = Memory::at(arg.term);
        let live = self.is_live(&memory);
        let (yes, join) = (self.fresh_loc(), self.fresh_loc());
        self.split(live, yes, join);
        self.resume(yes);
        let machine = self.program.machine;
        let offset = machine.offset_of(self.terms(), arg.term);
        let base = self.terms().sub(arg.term, offset);
        let size = self.size_of_object(arg.term);
        self.havoc_elements(base, size, stride, &origin);
        self.continue_at(join);
    }

    /// Bytes of the variable that the expression is the address of.
    fn known_target(&self, e: &Expr) -> Option<u64> {
        match &e.kind {
            ExprKind::AddrOf(place) | ExprKind::Decay(place) => match place.kind {
                ExprKind::Var(id) => self.object_size(id),
                _ => None,
            },
            ExprKind::Cast(inner) if matches!(self.unit.types[inner.ty], Type::Pointer(_)) => self.known_target(inner),
            _ => None,
        }
    }

    /// `len` arbitrary bytes from `start` on.
    pub(crate) fn havoc_bytes(&mut self, start: Term, len: Term, origin: &Origin) {
        self.havoc_elements(start, len, (Sort::Bv(8), 1), origin);
    }

    /// A loop (straight code when short) that stores arbitrary elements into `len` bytes from `start` on.
    pub(crate) fn havoc_elements(&mut self, start: Term, len: Term, (sort, bytes): (Sort, u32), origin: &Origin) {
        const SHORT: u64 = 64;
        let constant = self.terms().as_bv_const(len).and_then(|n| n.to_u64());
        if let Some(len) = constant.filter(|n| n / u64::from(bytes) <= SHORT) {
            for i in 0..len / u64::from(bytes) {
                let offset = self.word(i * u64::from(bytes));
                let addr = self.terms().add(start, offset);
                let value = self.havoc(sort, origin.clone());
                self.emit(Op::Store { addr, value, bytes });
            }
            return;
        }
        let pointer = self.program.machine.pointer_sort();
        let (offset, zero, step) = (self.temp(pointer), self.word(0), self.word(bytes.into()));
        self.assign(offset, zero);
        let (head, body, exit) = (self.fresh_loc(), self.fresh_loc(), self.fresh_loc());
        self.continue_at(head);
        let at = self.term(offset);
        let end = self.terms().add(at, step);
        let more = self.terms().ule(end, len);
        self.split(more, body, exit);
        self.resume(body);
        let value = self.havoc(sort, origin.clone());
        let addr = self.terms().add(start, at);
        self.emit(Op::Store { addr, value, bytes });
        self.emit(Op::Assign(vec![(offset, end)]));
        self.step_to(head);
        self.resume(exit);
    }
}

fn is_string(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Decay(s) | ExprKind::Cast(s) => is_string(s),
        ExprKind::Str(_) => true,
        _ => false,
    }
}
