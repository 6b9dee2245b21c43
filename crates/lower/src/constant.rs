//! Writing to what must not change: string literals, and objects defined `const`. In C that is undefined, and in fact such
//! memory is often protected. Where memory is checked it is an invalid access; elsewhere an execution that does it by name is
//! given up, since the write may trap, or happen, or be overlooked by a compiler that knows the value. Through pointers it is given up
//! there, too, as far as `watch` knows of the object; to literals by `transform::memory`, which knows what may be written where. (Asking about all of them at each write costs most programs more
//! than all of their checks.)
//!
//! A pointer can lead there only if a literal became a pointer to what is not `const`, or the program casts `const` away
//! somewhere, or reads a pointer as one of another type (by a union, a copy of its bytes, a variable argument, a cast of what it
//! is in); else there is nothing to ask. Constants of a function are found where they are written to by name, and by `watch`.

use cfa::{LocKind, Property};
use cfront::hir::{Expr, ExprKind, FuncId, StrId, Symbol, VarId};
use cfront::types::{FunctionType, Ty, Types};
use std::collections::BTreeSet;
use term::Term;

use crate::context::{Home, Lowering};
use crate::names;
use crate::place::Place;
use crate::text::show;
use cfront::walk::{walk_init, walk_stmt};

/// What the object that a place lies in is called, if the place says so.
#[derive(Clone, Copy)]
pub(crate) enum Root {
    Str,
    Var(VarId),
}

/// Functions of the library that are given strings and return others.
const NEW: [&str; 12] = [
    "getenv",
    "secure_getenv",
    "strdup",
    "strndup",
    "wcsdup",
    "realpath",
    "tempnam",
    "textdomain",
    "gettext",
    "nl_langinfo",
    "ttyname",
    "canonicalize_file_name",
];

/// Whether an object of the type, or its elements, are `const`.
fn is_const(types: &Types, ty: Ty) -> bool {
    ty.is_const() || types.element(ty).is_some_and(|element| is_const(types, element))
}

/// What is no longer `const` after a conversion between pointers (or to an integer).
fn dropped(types: &Types, from: Ty, to: Ty) -> Option<Ty> {
    match (types.pointee(from), types.pointee(to)) {
        (Some(from), Some(to)) if is_const(types, from) && !is_const(types, to) => Some(from),
        (Some(from), Some(to)) => dropped(types, from, to),
        (Some(from), None) => Some(from).filter(|from| is_const(types, *from) && types.is_integer(to)),
        _ => None,
    }
}

/// How the program may come by pointers that do not say that what they point to is `const`.
#[derive(Default)]
pub(crate) struct Lost {
    /// Literals that become pointers, and those that become pointers to `const`.
    strings: BTreeSet<StrId>,
    kept: BTreeSet<StrId>,
    /// Types that a conversion drops the `const` of.
    pub(crate) types: Vec<Ty>,
    /// Types of constants that pointers to `const void` or characters may lead to.
    pub(crate) blurred: Vec<Ty>,
    /// In another way, for any type.
    pub(crate) otherwise: bool,
    /// Variables whose address is taken for more than an access to a part of them.
    pub(crate) given_away: BTreeSet<VarId>,
}

impl Lost {
    fn is_any(&self) -> bool {
        self.otherwise || !self.types.is_empty()
    }
}

/// Whether a pointer to something that becomes one to a function of another type lets pointers to something `const` be taken for others.
fn calls_otherwise(types: &Types, from: Option<Ty>, to: Option<Ty>) -> bool {
    let (Some(from), Some(to)) = (from, to) else { return false };
    let passes_const = |signature: &FunctionType| {
        holds_const(types, signature.ret) || signature.params.iter().any(|param| holds_const(types, *param))
    };
    let is_either = |ty: Ty| types.function(ty).is_some_and(passes_const);
    types.function(to).is_some() && from.unqualified() != to.unqualified() && (is_either(from) || is_either(to))
}

/// Whether it lets pointers to something `const`, in what is pointed to, be read as others.
fn hides_const(types: &Types, from: Ty, to: Ty) -> bool {
    match (types.pointee(from), types.pointee(to)) {
        (Some(from), Some(to)) => {
            // `const` below a pointer that is itself pointed to: what is written as one may be read as the other.
            let differs = |(a, b): (Ty, Ty)| a.is_const() != b.is_const();
            let is_other = from.unqualified() != to.unqualified();
            is_other && holds_const(types, from) || types.pointee(from).zip(types.pointee(to)).is_some_and(differs)
        }
        (Some(from), None) => types.is_integer(to) && holds_const(types, from),
        _ => false,
    }
}

/// Whether the type is, or has a member that is, a pointer to something `const`.
fn holds_const(types: &Types, ty: Ty) -> bool {
    if let Some(to) = types.pointee(ty) {
        return is_const(types, to) || types.pointee(to).is_some() && holds_const(types, to);
    }
    match (types.element(ty), types.record(ty)) {
        (Some(element), _) => holds_const(types, element),
        (_, Some(id)) => types.records[id].fields.iter().any(|field| holds_const(types, field.ty)),
        _ => false,
    }
}

/// A pointer as it was before it became one to `void`.
fn uncast<'e>(types: &Types, e: &'e Expr) -> &'e Expr {
    match &e.kind {
        ExprKind::Cast(inner) if types.is_pointer(inner.ty) => uncast(types, inner),
        _ => e,
    }
}

/// Functions that copy bytes, of pointers perhaps.
const COPY: [&str; 6] = ["memcpy", "memmove", "mempcpy", "__memcpy", "bcopy", "memccpy"];

/// Where the object is called that a place lies in, or that a pointer is computed from.
pub(crate) fn root(place: &Expr) -> Option<Root> {
    match &place.kind {
        ExprKind::Str(_) => Some(Root::Str),
        ExprKind::Var(id) => Some(Root::Var(*id)),
        ExprKind::Deref(a)
        | ExprKind::Field(a, _)
        | ExprKind::AddrOf(a)
        | ExprKind::Decay(a)
        | ExprKind::Cast(a)
        | ExprKind::PtrAdd { ptr: a, .. } => root(a),
        _ => None,
    }
}

/// What a pointer is computed from by adding numbers.
fn start(pointer: &Expr) -> *const Expr {
    match &pointer.kind {
        ExprKind::PtrAdd { ptr, .. } => start(ptr),
        _ => pointer,
    }
}

impl Lowering<'_> {
    /// Objects that no write may reach, but that pointers to other than `const` may lead to.
    pub(crate) fn find_constants(&mut self) {
        let lost = self.find_lost();
        let casts = lost.is_any();
        let strings = lost.strings.iter().copied().filter(|id| casts || !lost.kept.contains(id));
        if self.options.checks(Property::ValidDeref) {
            self.find_checked(&strings.collect::<Vec<StrId>>(), casts);
        } else {
            self.guarded = strings.collect();
        }
        self.find_watched(&lost);
    }

    fn find_lost(&self) -> Lost {
        let unit = self.unit;
        let types = &unit.types;
        let mut lost = Lost::default();
        // `strchr` and its like give a part of what they were given as `const`.
        let gives_back = |id: &FuncId| {
            let func = &unit.funcs[*id];
            let Some(signature) = types.function(func.ty).filter(|_| names::kind(&func.name).is_some()) else {
                return false;
            };
            let is_const = |ty: &Ty| types.pointee(*ty).is_some_and(|to| to.is_const());
            let plain = types.pointee(signature.ret).filter(|to| !to.is_const() && types.record(*to).is_none());
            let end = signature.params.get(1).and_then(|ty| types.pointee(*ty)).and_then(|ty| types.pointee(ty));
            signature.params.first().is_some_and(is_const)
                && (plain.is_some() && !NEW.contains(&func.name.as_str()) || end.is_some_and(|to| !to.is_const()))
        };
        for id in self.reach.funcs.iter().filter(|id| gives_back(id)) {
            let signature = types.function(unit.funcs[*id].ty);
            lost.types.extend(signature.and_then(|signature| types.pointee(*signature.params.first()?)));
        }
        // Pointers to `const` among variable arguments, and other pointers taken from there.
        let (mut passes, mut takes) = (false, false);
        // What functions of the library are given as a pointer to `void`, they do not read as pointers.
        let mut given: BTreeSet<*const Expr> = BTreeSet::new();
        let mut read: BTreeSet<*const Expr> = BTreeSet::new();
        // Addresses that are taken for an access.
        let mut accessed: BTreeSet<*const Expr> = BTreeSet::new();
        let mut visit = |e: &Expr| match &e.kind {
            ExprKind::Call { callee, args } => {
                let known = types.called(callee.ty).map_or(args.len(), |signature| signature.params.len());
                passes |= args.iter().skip(known).any(|arg| holds_const(types, arg.ty));
                // What the parameters are is known to the definition only.
                let is_open = types.called(callee.ty).is_none_or(|signature| !signature.prototyped);
                lost.otherwise |= is_open && args.iter().any(|arg| holds_const(types, arg.ty));
                let Some(func) = crate::call::direct(callee).map(|id| &unit.funcs[id]) else { return };
                if names::kind(&func.name).is_none() {
                    return;
                }
                given.extend(args.iter().map(|arg| arg as *const Expr));
                if !crate::call::direct(callee).is_some_and(|id| gives_back(&id)) {
                    let only_read = |arg: &&Expr| types.pointee(arg.ty).is_some_and(|to| to.is_const());
                    for arg in args.iter().filter(only_read) {
                        read.insert(arg as *const Expr);
                        accessed.insert(start(uncast(types, arg)));
                    }
                }
                if let ([a, b, ..], true) = (&args[..], COPY.contains(&func.name.as_str())) {
                    let (a, b) = (uncast(types, a).ty, uncast(types, b).ty);
                    lost.otherwise |= hides_const(types, a, b) || hides_const(types, b, a);
                }
            }
            ExprKind::VaArg(_) => takes |= types.pointee(e.ty).is_some_and(|to| !to.is_const()),
            // A member of a union in which another one is a pointer to something constant.
            ExprKind::Field(base, _) => {
                let union = types.record(base.ty).map(|id| &types.records[id]).filter(|record| record.is_union);
                lost.otherwise |=
                    union.is_some_and(|u| u.fields.len() > 1 && u.fields.iter().any(|f| holds_const(types, f.ty)));
            }
            ExprKind::Cast(inner) => {
                let to_const = types.pointee(e.ty).is_some_and(|to| to.is_const());
                if let (ExprKind::Decay(text), true) = (&inner.kind, to_const)
                    && let ExprKind::Str(id) = text.kind
                {
                    lost.kept.insert(id);
                }
                lost.types.extend(dropped(types, inner.ty, e.ty));
                if let (Some(from), Some(to)) = (types.pointee(inner.ty), types.pointee(e.ty))
                    && (types.is_void(to) || types.size_of(to) == Some(1))
                    && !read.contains(&(e as *const Expr))
                {
                    lost.blurred.push(from);
                }
                lost.otherwise |= calls_otherwise(types, types.pointee(inner.ty), types.pointee(e.ty))
                    || !given.contains(&(e as *const Expr)) && hides_const(types, inner.ty, e.ty);
            }
            ExprKind::Deref(pointer) => {
                accessed.insert(start(pointer));
            }
            ExprKind::Decay(place) | ExprKind::AddrOf(place) => match root(place) {
                Some(Root::Str) => {
                    if let ExprKind::Str(id) = place.kind {
                        lost.strings.insert(id);
                    }
                }
                Some(Root::Var(id)) if !accessed.contains(&(e as *const Expr)) => {
                    lost.given_away.insert(id);
                }
                _ => {}
            },
            ExprKind::Address(Symbol::Str(id), _) => {
                lost.strings.insert(*id);
            }
            // Another file may define as `const` what this one declares without.
            ExprKind::Var(id) if is_const(types, unit.vars[*id].ty) && !is_const(types, e.ty) => {
                lost.types.push(unit.vars[*id].ty);
                lost.given_away.insert(*id);
            }
            // What was cast in a static initialiser is there no more.
            ExprKind::Address(Symbol::Func(id), _) => {
                lost.otherwise |= calls_otherwise(types, Some(unit.funcs[*id].ty), types.pointee(e.ty));
            }
            ExprKind::Address(Symbol::Var(id), _) => {
                let (of, to) = (unit.vars[*id].ty, types.pointee(e.ty));
                lost.given_away.insert(*id);
                lost.otherwise |= match to {
                    Some(to) => {
                        is_const(types, of) && !is_const(types, to) || holds_const(types, of) && !holds_const(types, to)
                    }
                    None => is_const(types, of) || holds_const(types, of),
                };
            }
            _ => {}
        };
        for id in self.reach.funcs.iter().filter(|f| !self.is_library(**f)) {
            if let Some(body) = &unit.funcs[*id].body {
                walk_stmt(body, &mut visit);
            }
        }
        for id in &self.reach.vars {
            if let Some(init) = &unit.vars[*id].init {
                walk_init(init, &mut visit);
            }
        }
        lost.otherwise |= passes && takes;
        lost
    }

    /// What every write is compared with, where memory is checked.
    fn find_checked(&mut self, strings: &[StrId], casts: bool) {
        let unit = self.unit;
        for id in strings {
            let address = self.string_address(*id);
            self.constants.push(address);
        }
        let is_constant = |id: &VarId| self.is_constant(unit.vars[*id].ty) && unit.vars[*id].address_taken;
        let vars: Vec<VarId> = self.reach.vars.iter().copied().filter(|id| casts && is_constant(id)).collect();
        for id in vars {
            if let Home::Object(address) = self.make_home(id) {
                let address = self.term(address);
                self.constants.push(address);
            }
        }
    }

    /// In front of a write to a place.
    pub(crate) fn check_writable(&mut self, place: &Expr, at: &Place) {
        let constant = match root(place) {
            Some(Root::Str) => true,
            Some(Root::Var(id)) => self.is_constant(self.unit.vars[id].ty),
            None => false,
        };
        match at {
            Place::Memory(memory) if memory.known.is_none() => self.check_pointer_writable(memory.base, place),
            // A scalar by its name, too: another file may declare it without the `const`.
            Place::Memory(_) | Place::Scalar(_) if constant => {
                let never = self.terms().ff();
                self.require_writable(place, never);
            }
            _ => {}
        }
    }

    /// In front of a write through a pointer.
    pub(crate) fn check_pointer_writable(&mut self, pointer: Term, e: &Expr) {
        self.check_not_watched(pointer, e);
        if self.constants.is_empty() {
            return;
        }
        let machine = self.program.machine;
        let own = machine.object_of(self.terms(), pointer);
        let mut ok = self.terms().tt();
        for constant in self.constants.clone() {
            let other = machine.object_of(self.terms(), constant);
            let apart = self.terms().ne(own, other);
            ok = self.terms().and(ok, apart);
        }
        self.require_writable(e, ok);
    }

    /// What is wrong with a write.
    pub(crate) fn written_constant(&self, e: &Expr) -> String {
        format!("{} is written, but is part of a string literal or of a constant object", show(self.unit, e))
    }

    fn require_writable(&mut self, e: &Expr, ok: Term) {
        let what = self.written_constant(e);
        let otherwise = match self.options.checks(Property::ValidDeref) {
            true => self.invalid_access(e.span, || what),
            false if self.is_injected(e.span) => None,
            false => Some(LocKind::BoundHit(format!("undefined behaviour: {what}"))),
        };
        if let Some(otherwise) = otherwise {
            self.require_at(e, ok, otherwise);
        }
    }
}
