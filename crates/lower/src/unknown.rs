//! Functions without body and without model: any result, and arbitrary memory, as far as `ExternEffects` says.

use base::Id;
use cfa::{Op, Origin, Property};
use cfront::hir::{Expr, ExprKind, StmtKind, Storage, VarId};
use cfront::types::{Ty, Type};
use std::collections::BTreeSet;
use term::{Sort, Term};

use crate::call::{Arg, Call};
use crate::context::{Home, Lowering};
use crate::options::ExternEffects;
use crate::place::Memory;
use cfront::walk::{contains_asm, walk_stmt};

/// A struct with more pointers in it is not given to functions without body.
const MOST_POINTERS: usize = 1024;

impl Lowering<'_> {
    pub(crate) fn unknown_function(&mut self, call: Call<'_, '_>) -> Option<Term> {
        let Call { id, args, ty, result, e } = call;
        let unit = self.unit;
        let name = &unit.funcs[id].name;
        let is_pure = unit.funcs[id].pure;
        let havocs = self.options.extern_effects == ExternEffects::Arguments && !is_pure;
        let targets: Vec<&Arg<'_>> = args.iter().filter(|arg| havocs && self.may_be_written(arg)).collect();
        let effect = match self.options.extern_effects {
            ExternEffects::Any if !is_pure => {
                "to change what it can reach: globals, what its arguments lead to, but for what is const; \
                 to free nothing, and to call no function that it was not given"
            }
            _ if targets.is_empty() => "to change nothing",
            _ => "to change what its arguments point to",
        };
        let may_write = unit.types.pointee(ty).is_some_and(|to| !to.is_const());
        let value = match self.options.extern_effects {
            _ if unit.types.is_void(ty) => "",
            // `watch` asks about none of them.
            ExternEffects::Any if may_write => "to return any value but a pointer to a constant and ",
            _ if self.keeps_promise(id) => "to return any value, the same for the same arguments, and ",
            _ => "to return any value and ",
        };
        self.note_once(name, e.span, format!("no body for '{name}': assumed {value}{effect}"));
        for arg in targets {
            self.havoc_target(arg, name);
        }
        if self.options.extern_effects == ExternEffects::Any && !is_pure {
            self.disturb(args, name);
            self.errno_from_outside(name, e);
        } else if self.options.extern_effects == ExternEffects::Any && self.has_pointers(ty) {
            self.may_return(args);
        }
        if unit.funcs[id].noreturn {
            self.end(cfa::LocKind::End(cfa::EndKind::Exit));
            return None;
        }
        if let Some(object) = result {
            let size = unit.types.size_of(ty).unwrap_or(0);
            let len = self.word(size);
            self.havoc_bytes(object.base, len, &Origin::Extern(name.clone()));
            self.promised_struct(id, args, ty, object.base);
            return None;
        }
        self.promised(id, args, ty).or_else(|| self.extern_value(ty, name))
    }

    /// What the function returns may point to what its arguments point at. It changes nothing.
    fn may_return(&mut self, args: &[Arg<'_>]) {
        let pointers = args.iter().filter(|arg| self.unit.types.is_pointer(arg.ty) && !is_string(arg.expr));
        let mut addrs: Vec<Term> = pointers.map(|arg| arg.term).collect();
        addrs.retain(|address| !self.terms().is_const(*address));
        if !addrs.is_empty() {
            self.emit(Op::Escape { addrs, writable: false });
        }
    }

    /// The function gets to know what its arguments point at, and changes what it knows of.
    fn disturb(&mut self, args: &[Arg<'_>], name: &str) {
        self.meets_outside = true;
        if self.options.contracts.check {
            self.unsupported(format!(
                "a call of {name}, which has no body and may change anything, where a contract is checked"
            ));
        }
        let width = self.pointer_width();
        let (mut writable, mut constant) = (Vec::new(), Vec::new());
        for arg in args.iter().filter(|arg| !is_string(arg.expr)) {
            // A struct is the address of a copy; an integer may hold an address.
            let is_address = self.terms().sort(arg.term) == Sort::Bv(width) && !self.terms().is_const(arg.term);
            match self.unit.types.pointee(arg.ty) {
                Some(to) if to.is_const() => constant.extend(is_address.then_some(arg.term)),
                _ => writable.extend(is_address.then_some(arg.term)),
            }
        }
        // What a global points at is known, too, where the global is no memory that others could look through.
        for id in self.globals_known_outside() {
            let ty = self.unit.vars[id].ty;
            let Home::Scalar(var) = self.make_home(id) else { continue };
            if self.program.vars[var].sort != Sort::Bv(width) {
                continue;
            }
            let value = self.term(var);
            match self.unit.types.pointee(ty) {
                Some(to) if to.is_const() => constant.push(value),
                _ => writable.push(value),
            }
        }
        for (addrs, writable) in [(writable, true), (constant, false)] {
            if !addrs.is_empty() {
                self.emit(Op::Escape { addrs, writable });
            }
        }
        self.emit(Op::Disturb { by: name.to_owned() });
        for id in self.globals_known_outside() {
            let ty = self.unit.vars[id].ty;
            let is_bool = matches!(self.unit.types[ty], Type::Bool);
            if ty.is_const() {
                continue;
            }
            // A truth value is 0 or 1, whoever writes it.
            match self.make_home(id) {
                Home::Scalar(var) => {
                    self.emit(Op::Havoc { vars: vec![var], origin: Origin::Extern(name.to_owned()) });
                    if is_bool {
                        let value = self.as_truth_value(self.term(var));
                        self.emit(Op::Assign(vec![(var, value)]));
                    }
                }
                Home::Object(address) if is_bool => {
                    let (addr, byte) = (self.term(address), self.temp(Sort::Bv(8)));
                    self.emit(Op::Load { dst: byte, addr, bytes: 1 });
                    let value = self.as_truth_value(self.term(byte));
                    self.emit(Op::Store { addr, value, bytes: 1 });
                }
                Home::Object(_) => {}
            }
        }
    }

    pub(crate) fn as_truth_value(&mut self, value: Term) -> Term {
        let truth = self.truth(value);
        self.terms().bool_to_bv(truth, 8)
    }

    /// Variables that other files may name. (Those of the library's models they know by functions only.)
    fn globals_known_outside(&self) -> Vec<VarId> {
        self.reach.vars.iter().copied().filter(|id| self.is_known_outside(*id)).collect()
    }

    pub(crate) fn is_known_outside(&self, id: VarId) -> bool {
        self.unit.vars[id].storage == Storage::Extern && !self.is_library_var(id) && !self.is_injected_var(id)
    }

    /// Whether a variable is no part of the program, but counts what a witness says about it.
    fn is_injected_var(&self, id: VarId) -> bool {
        let var = &self.unit.vars[id];
        let file = self.unit.sources.file(var.span.file);
        var.name.starts_with(cfront::inject::OWN) && file.is_some_and(|file| file.name == cfront::inject::PRELUDE)
    }

    /// Whether a variable that other files may name was taken for one that nobody can point at.
    pub(crate) fn hides_from_outside(&self) -> bool {
        let is_hidden = |id: VarId| matches!(self.homes[id.index()], Some(Home::Scalar(_)));
        self.follows_pointers() && self.globals_known_outside().into_iter().any(is_hidden)
    }

    /// Whether anything is accessed through a pointer, by the program or by what it hands one to: else it does not matter where
    /// pointers from outside lead.
    fn follows_pointers(&self) -> bool {
        let types = &self.unit.types;
        let mut found = false;
        for body in self.reach.funcs.iter().filter_map(|id| self.unit.funcs[*id].body.as_ref()) {
            walk_stmt(body, &mut |e| match &e.kind {
                ExprKind::Deref(_) => found = true,
                ExprKind::Call { args, .. } | ExprKind::Builtin(_, args) => {
                    found |= args.iter().any(|arg| types.is_pointer(arg.ty) && !is_string(arg));
                }
                _ => {}
            });
        }
        found
    }

    /// At the start: the global objects that code outside of the program knows by name.
    pub(crate) fn globals_escape(&mut self) {
        if self.options.extern_effects != ExternEffects::Any {
            return;
        }
        let (mut defined, mut elsewhere, mut constant) = (Vec::new(), Vec::new(), Vec::new());
        for id in self.globals_known_outside() {
            let var = &self.unit.vars[id];
            let (ty, is_defined) = (var.ty, var.defined);
            self.meets_outside |= !is_defined;
            let Home::Object(address) = self.make_home(id) else { continue };
            let address = self.term(address);
            match (self.is_constant(ty), is_defined) {
                (true, true) => constant.push(address),
                (false, true) => defined.push(address),
                (_, false) => elsewhere.push(address),
            }
        }
        if !self.meets_outside {
            return;
        }
        if !elsewhere.is_empty() {
            self.emit(Op::Escape { addrs: elsewhere, writable: true });
            self.emit(Op::Disturb { by: "another file".to_owned() });
        }
        for (addrs, writable) in [(defined, true), (constant, false)] {
            if !addrs.is_empty() {
                self.emit(Op::Escape { addrs, writable });
            }
        }
    }

    /// Pointers that nothing ever sets lead anywhere: to what the program has, too.
    pub(crate) fn find_unset(&mut self) {
        let unit = self.unit;
        if self.options.extern_effects != ExternEffects::Any || self.options.checks(Property::ValidDeref) {
            return;
        }
        let mut unset = BTreeSet::new();
        for id in self.reach.funcs.iter().filter(|f| !self.is_library(**f)) {
            let func = &unit.funcs[*id];
            let Some(body) = func.body.as_ref().filter(|body| !contains_asm(body)) else { continue };
            let mut set = BTreeSet::new();
            walk_stmt(body, &mut |e| match &e.kind {
                ExprKind::Assign(place, _) | ExprKind::AssignPtrAdd { place, .. } | ExprKind::IncDec { place, .. } => {
                    set.extend(if let ExprKind::Var(id) = place.kind { Some(id) } else { None });
                }
                _ => {}
            });
            cfront::walk::statements(body, &mut |s| {
                if let StmtKind::Decl { var, init: None, .. } = &s.kind {
                    let info = &unit.vars[*var];
                    let is_local = !info.storage.is_static() && unit.types.is_pointer(info.ty);
                    if is_local && !info.address_taken && !set.contains(var) {
                        unset.insert(*var);
                    }
                }
            });
        }
        self.unset = unset;
    }

    /// In front of an access through a pointer.
    pub(crate) fn require_set(&mut self, pointer: &Expr) {
        match &pointer.kind {
            ExprKind::Cast(inner) | ExprKind::PtrAdd { ptr: inner, .. } => self.require_set(inner),
            ExprKind::Load(place) => {
                if let ExprKind::Var(id) = place.kind
                    && self.unset.contains(&id)
                {
                    let name = &self.unit.vars[id].name;
                    self.unsupported(format!("an access through '{name}', which is never set"));
                }
            }
            _ => {}
        }
    }

    /// An object of the type is never changed.
    pub(crate) fn is_constant(&self, ty: Ty) -> bool {
        let element = self.unit.types.element(ty);
        ty.is_const() || element.is_some_and(|element| self.is_constant(element))
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
            let value = self.outside_bytes(Some(element), sort, &origin);
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
        self.havoc_elements(base, size, stride, Some(element), &origin);
        // All of a variable, as it is declared; of other objects what the pointer is to.
        match self.variable_within(arg.expr).map(|id| self.unit.vars[id].ty) {
            Some(ty) if self.unit.types.is_complete(ty) => self.havoc_pointer_members(base, ty, size, &origin),
            _ => self.havoc_pointer_members(arg.term, element, size, &origin),
        }
        self.continue_at(join);
    }

    /// Pointers from outside for the pointers in structs from `start` on, whose bytes are arbitrary already: what is read there leads to memory
    /// of its own then, also where the program has put addresses of its own there before.
    fn havoc_pointer_members(&mut self, start: Term, ty: Ty, size: Term, origin: &Origin) {
        /// Of larger structs the first ones get pointers of their own. The others keep their bytes, or get one that they share.
        const MOST: usize = 64;
        let mut innermost = ty;
        while let Some(element) = self.unit.types.element(innermost) {
            innermost = element;
        }
        // Pointers that are no members are there already.
        if self.unit.types.record(innermost).is_none() || !self.has_pointers(innermost) {
            return;
        }
        let mut members = Vec::new();
        self.pointers_in(ty, 0, &mut members);
        let Some(&(_, first)) = members.first() else { return };
        if members.len() > MOST_POINTERS {
            let name = self.unit.types.show(ty);
            return self.unsupported(format!(
                "a function without body that is given a '{name}' with more than {MOST_POINTERS} pointers in it"
            ));
        }
        let end = self.word(self.unit.types.size_of(ty).unwrap_or(0));
        let machine = self.program.machine;
        let offset = machine.offset_of(self.terms(), start);
        let end = self.terms().add(offset, end);
        let fits = self.terms().ule(end, size);
        let (own, shared) = members.split_at(members.len().min(MOST));
        self.run_if(fits, |low| {
            for (distance, member) in own {
                let Some(sort) = low.sort(*member) else { continue };
                let value = low.havoc_scalar(*member, sort, origin.clone());
                low.store_pointer(start, (*distance, *member), value);
            }
            let Some(sort) = low.sort(first).filter(|_| !shared.is_empty()) else { return };
            let choice = low.havoc(Sort::Bool, Origin::Internal);
            low.run_if(choice, |low| {
                let value = low.havoc_scalar(first, sort, origin.clone());
                for member in shared {
                    low.store_pointer(start, *member, value);
                }
            });
        });
    }

    fn store_pointer(&mut self, start: Term, (distance, member): (u64, Ty), value: Term) {
        let distance = self.word(distance);
        let addr = self.terms().add(start, distance);
        let bytes = self.storage(member);
        self.emit(Op::Store { addr, value, bytes });
    }

    /// Where pointers are in the type, those of members of members and of arrays included: so many bytes behind `start`.
    fn pointer_members(&self, ty: Ty, start: u64, out: &mut Vec<(u64, Ty)>) {
        let types = &self.unit.types;
        let Some(record) = types.record(ty) else { return };
        for field in types.records[record].fields.iter().filter(|field| field.bits.is_none()) {
            self.pointers_in(field.ty, start + field.offset, out);
        }
    }

    fn pointers_in(&self, ty: Ty, at: u64, out: &mut Vec<(u64, Ty)>) {
        let types = &self.unit.types;
        if out.len() > MOST_POINTERS {
            return;
        }
        if types.is_pointer(ty) {
            return out.push((at, ty));
        }
        let Some(of) = types.element(ty).filter(|of| self.has_pointers(*of)) else {
            return self.pointer_members(ty, at, out);
        };
        let step = types.size_of(of).unwrap_or(0);
        for number in 0..types.size_of(ty).unwrap_or(0).checked_div(step).unwrap_or(0) {
            self.pointers_in(of, at + number * step, out);
        }
    }

    /// The variable in whose object the expression points.
    fn variable_within(&self, e: &Expr) -> Option<VarId> {
        match &e.kind {
            ExprKind::Var(id) if self.object_size(*id).is_some() => Some(*id),
            ExprKind::AddrOf(place) | ExprKind::Decay(place) | ExprKind::Field(place, ..) => match &place.kind {
                ExprKind::Deref(pointer) => self.variable_within(pointer),
                _ => self.variable_within(place),
            },
            ExprKind::PtrAdd { ptr, .. } => self.variable_within(ptr),
            ExprKind::Cast(inner) if self.unit.types.is_pointer(inner.ty) => self.variable_within(inner),
            _ => None,
        }
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

    /// What code outside leaves in memory: a pointer, if that is known, else bytes, which may be those of a pointer.
    fn outside_bytes(&mut self, ty: Option<Ty>, sort: Sort, origin: &Origin) -> Term {
        let value = match ty {
            Some(ty) => self.havoc_scalar(ty, sort, origin.clone()),
            None => self.havoc(sort, origin.clone()),
        };
        if let Some(var) = self.program.var_of(value).filter(|var| !self.program.vars[*var].pointer) {
            self.program.vars[var].raw = true;
        }
        value
    }

    /// `len` arbitrary bytes from `start` on.
    pub(crate) fn havoc_bytes(&mut self, start: Term, len: Term, origin: &Origin) {
        self.havoc_elements(start, len, (Sort::Bv(8), 1), None, origin);
    }

    /// A loop (straight code when short) that stores arbitrary elements into `len` bytes from `start` on: pointers from outside, if they are
    /// pointers.
    pub(crate) fn havoc_elements(
        &mut self,
        start: Term,
        len: Term,
        (sort, bytes): (Sort, u32),
        ty: Option<Ty>,
        origin: &Origin,
    ) {
        const SHORT: u64 = 64;
        let constant = self.terms().as_bv_const(len).and_then(|n| n.to_u64());
        if let Some(len) = constant.filter(|n| n / u64::from(bytes) <= SHORT) {
            for i in 0..len / u64::from(bytes) {
                let offset = self.word(i * u64::from(bytes));
                let addr = self.terms().add(start, offset);
                let value = self.outside_bytes(ty, sort, origin);
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
        let value = self.outside_bytes(ty, sort, origin);
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
