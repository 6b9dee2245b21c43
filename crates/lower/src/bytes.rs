//! Loads that may read an address, or parts of one, as a number: of characters, of members of a union that has an address or of a
//! struct that is a member of one, of integers and floats that the program makes of addresses by casts, by way of `void *` or by
//! `memcpy`, and of integers as wide as an address that `holders.rs` does not know to hold one. Where the program copies memory
//! without saying what is in it, every number is such a load. It is marked (`raw`): whether there are addresses where it reads is
//! known later (`transform::memory`).
//!
//! Addresses are pointers, and integers as wide as one in programs that make integers of addresses.

use cfa::LocKind;
use cfront::hir::{Expr, ExprKind};
use cfront::types::{RecordId, Ty, Type};
use cfront::walk::walk_stmt;

use std::collections::BTreeSet;
use term::Term;

use crate::call::direct;
use crate::context::Lowering;

impl Lowering<'_> {
    /// Finds the sizes of numbers that the program makes of pointers in memory.
    pub(crate) fn find_punned(&mut self) {
        let unit = self.unit;
        let mut found = Vec::new();
        let mut blind = false;
        let mut given: BTreeSet<*const Expr> = BTreeSet::new();
        // Pointers read byte by byte, and numbers that are written so.
        let (mut takes_apart, mut puts_together) = (false, Vec::new());
        // Pointers to addresses that are given as pointers to `void`, and numbers that such pointers are taken to point to.
        let (mut hides, mut shows) = (false, Vec::new());
        // Members of unions by way of the whole array only, not cell by cell.
        let mut by_cell: BTreeSet<*const Expr> = BTreeSet::new();
        let mut records = BTreeSet::new();
        // Memory of `_Bool`s that is written as something else: at once, or by way of a pointer to `void`.
        let (mut puns, mut blurs, mut sharpens) = (false, false, false);
        let mut tells_pointers = false;
        let types = &unit.types;
        for id in self.reach.funcs.iter().filter(|f| !self.is_library(**f)) {
            let Some(body) = &unit.funcs[*id].body else { continue };
            walk_stmt(body, &mut |e| match &e.kind {
                ExprKind::Cast(inner) => {
                    // Addresses are read as numbers, or written where numbers are.
                    for (addresses, numbers) in [(inner.ty, e.ty), (e.ty, inner.ty)] {
                        found.extend(self.punned(addresses, numbers));
                        records.extend(self.punned_record(addresses, numbers));
                    }
                    hides |= self.hides_addresses(inner.ty, e.ty) && !given.contains(&(e as *const Expr));
                    shows.extend(self.shown_number(inner, e.ty));
                    if let (Some(from), Some(to)) = (types.pointee(inner.ty), types.pointee(e.ty)) {
                        let (has, other) = (self.has_truth(from), self.has_truth(to));
                        puns |= has != other && !types.is_void(from) && !types.is_void(to);
                        blurs |= has && types.is_void(to) && !given.contains(&(e as *const Expr));
                        sharpens |= types.is_void(from) && types.is_integer(to) && !other;
                    }
                    let of = types.pointee(inner.ty).map(|to| self.element(to));
                    if let Some(of) = of.filter(|_| self.is_bytes(e.ty)) {
                        takes_apart |= self.has_addresses(of);
                        puts_together.extend(types.size_of(of).filter(|_| types.is_integer(of) || types.is_float(of)));
                    }
                }
                ExprKind::Call { callee, args } => {
                    let name = direct(callee).map(|callee| unit.funcs[callee].name.as_str());
                    let is_copy = |name: &str| {
                        matches!(name.trim_start_matches("__builtin_"), "memcpy" | "memmove" | "mempcpy" | "bcopy")
                    };
                    if name.is_some_and(|name| crate::names::kind(name).is_some()) {
                        given.extend(args.iter().map(|arg| arg as *const Expr));
                    }
                    if let (Some("memset" | "__builtin_memset"), [a, ..]) = (name, &args[..]) {
                        puns |= types.pointee(uncast(a).ty).is_some_and(|to| self.has_truth(to));
                    }
                    if let (true, [a, b, _]) = (name.is_some_and(is_copy), &args[..]) {
                        let (a, b) = (uncast(a).ty, uncast(b).ty);
                        found.extend(self.punned(b, a));
                        let copied = types.pointee(a).map(|to| self.element(to)).filter(|_| self.is_bytes(b));
                        puts_together
                            .extend(copied.filter(|to| self.is_scalar_number(*to)).and_then(|to| types.size_of(to)));
                        let has_truth = |ty: Ty| types.pointee(ty).is_some_and(|to| self.has_truth(to));
                        puns |= has_truth(a) != has_truth(b);
                        blind |= self.loses_pointers(a, b);
                    }
                }
                ExprKind::VaArg(_) => tells_pointers |= types.is_pointer(e.ty),
                ExprKind::Deref(pointer) => by_cell.extend(array_of(pointer).map(|array| array as *const Expr)),
                ExprKind::AddrOf(place) if self.is_in_union(place) => found.extend(self.number_size(place.ty)),
                ExprKind::Field(base, _) => {
                    if self.is_union_with_addresses(base.ty) && !by_cell.contains(&(e as *const Expr)) {
                        self.add_records(e.ty, &mut records);
                        found.extend(types.element(e.ty).and_then(|of| self.number_size(self.element(of))));
                    }
                    let union = types.record(base.ty).map(|id| &types.records[id]).filter(|record| record.is_union);
                    puns |= union.is_some_and(|u| u.fields.len() > 1 && self.has_truth(base.ty));
                }
                _ => {}
            });
        }
        self.puns_truth = puns || blurs && sharpens;
        self.punned_sizes.extend(found);
        self.punned_sizes.extend(puts_together.into_iter().filter(|_| takes_apart));
        self.punned_sizes.extend(shows.into_iter().filter(|_| hides));
        self.punned_records = records;
        self.copies_blindly = blind;
        self.lists_tell_pointers = tells_pointers;
    }

    /// Whether the type is `_Bool`, or has a part that is.
    fn has_truth(&self, ty: Ty) -> bool {
        let types = &self.unit.types;
        match types[ty] {
            Type::Bool => true,
            Type::Array(of, _) => self.has_truth(of),
            Type::Record(id) => types.records[id].fields.iter().any(|field| self.has_truth(field.ty)),
            _ => false,
        }
    }

    /// A `_Bool` that is neither 0 nor 1, where the program writes to such memory as to other types. Of which memory that is
    /// true is known later (`transform::memory`).
    pub(crate) fn refuse_other_truth(&mut self, value: Term, e: &Expr) {
        if self.puns_truth {
            let one = self.terms().bv(1, 8);
            let is_truth = self.terms().ule(value, one);
            self.require_at(e, is_truth, LocKind::BoundHit(cfa::OTHER_TRUTH.to_owned()));
        }
    }

    fn is_bytes(&self, pointer: Ty) -> bool {
        let types = &self.unit.types;
        types.pointee(pointer).is_some_and(|to| types.is_integer(to) && types.size_of(to) == Some(1))
    }

    /// Whether a copy between the two may take pointers along to where other types are: one is not said to be of the type
    /// of the other, and there may be pointers.
    fn loses_pointers(&self, a: Ty, b: Ty) -> bool {
        let types = &self.unit.types;
        let (Some(a), Some(b)) = (types.pointee(a), types.pointee(b)) else { return false };
        let (a, b) = (self.element(a), self.element(b));
        let may_hold = |ty: Ty| types.is_void(ty) || self.has_addresses(ty);
        (types.is_void(a) || a.unqualified() != b.unqualified()) && (may_hold(a) || may_hold(b))
    }

    /// The size of the numbers, if a pointer to addresses becomes one to numbers.
    fn punned(&self, from: Ty, to: Ty) -> Option<u64> {
        let types = &self.unit.types;
        let (from, to) = (self.element(types.pointee(from)?), self.element(types.pointee(to)?));
        let is_part = |size: u64| self.has_addresses(from) && Some(size) < types.size_of(from);
        let is_record = types.record(from).is_some();
        self.number_size(to).filter(|size| types.is_pointer(from) || !is_record && is_part(*size))
    }

    /// The struct, if a pointer to addresses becomes one to a struct.
    fn punned_record(&self, from: Ty, to: Ty) -> Option<RecordId> {
        let types = &self.unit.types;
        let (from, to) = (self.element(types.pointee(from)?), self.element(types.pointee(to)?));
        types.record(to).filter(|_| types.record(from).is_none() && self.has_addresses(from))
    }

    /// Whether a pointer to addresses, which are no part of anything else, becomes one to `void`.
    fn hides_addresses(&self, from: Ty, to: Ty) -> bool {
        let types = &self.unit.types;
        let (Some(from), Some(to)) = (types.pointee(from), types.pointee(to)) else { return false };
        types.is_void(to) && self.has_addresses(from)
    }

    /// The size of the numbers, if a pointer to `void` that is not just made becomes one to numbers.
    fn shown_number(&self, pointer: &Expr, to: Ty) -> Option<u64> {
        let types = &self.unit.types;
        let is_void = types.pointee(pointer.ty).is_some_and(|from| types.is_void(from));
        let is_new = matches!(pointer.kind, ExprKind::Call { .. });
        self.number_size(self.element(types.pointee(to)?)).filter(|size| is_void && !is_new && *size > 1)
    }

    fn is_scalar_number(&self, ty: Ty) -> bool {
        self.unit.types.is_integer(ty) || self.unit.types.is_float(ty)
    }

    fn number_size(&self, ty: Ty) -> Option<u64> {
        self.unit.types.size_of(ty).filter(|_| self.is_scalar_number(ty))
    }

    /// The records of the type.
    fn add_records(&self, ty: Ty, out: &mut BTreeSet<RecordId>) {
        let types = &self.unit.types;
        if let Some(id) = types.record(self.element(ty))
            && out.insert(id)
        {
            types.records[id].fields.iter().for_each(|field| self.add_records(field.ty, out));
        }
    }

    fn is_union_with_addresses(&self, ty: Ty) -> bool {
        let record = self.unit.types.record(ty).filter(|record| self.unit.types.records[*record].is_union);
        record.is_some() && self.has_addresses(ty)
    }

    fn element(&self, ty: Ty) -> Ty {
        match self.unit.types[ty] {
            Type::Array(of, _) => self.element(of),
            _ => ty,
        }
    }

    /// Whether the value of the place may be a part of an address.
    pub(crate) fn reads_bytes(&self, place: &Expr) -> bool {
        let types = &self.unit.types;
        let Some(size) = types.size_of(place.ty).filter(|_| !types.is_pointer(place.ty)) else { return false };
        let is_users = self.fun.library_checked.is_none();
        let is_character = size == 1 && types.is_integer(place.ty);
        match &place.kind {
            // Of the library's functions, those that look at memory: the others move it.
            ExprKind::Deref(_) if is_character => is_users || place.ty.is_const(),
            _ if !is_users => false,
            _ if types.is_integer(place.ty) && 8 * size == u64::from(self.pointer_width()) => {
                let is_number =
                    matches!(place.kind, ExprKind::VaArg(_)) && self.lists_tell_pointers && !self.holders.any;
                self.is_unknown_word(place) && !is_number
            }
            ExprKind::Deref(pointer) if self.is_cast_from_bytes(pointer) => true,
            _ if self.copies_blindly => true,
            _ => self.punned_sizes.contains(&size) || self.is_in_union(place),
        }
    }

    fn is_cast_from_bytes(&self, pointer: &Expr) -> bool {
        let types = &self.unit.types;
        match &pointer.kind {
            ExprKind::PtrAdd { ptr, .. } => self.is_cast_from_bytes(ptr),
            ExprKind::Cast(inner) => types.pointee(inner.ty).is_some_and(|to| {
                let to = self.element(to);
                types.is_pointer(to) || types.is_integer(to) && types.size_of(to) == Some(1)
            }),
            _ => false,
        }
    }

    /// Whether the place is in a union that has addresses, too, or in a struct that is a member of one somewhere.
    fn is_in_union(&self, place: &Expr) -> bool {
        match &place.kind {
            ExprKind::Field(base, _) => {
                let is_punned = |id: RecordId| self.punned_records.contains(&id);
                self.is_union_with_addresses(base.ty)
                    || self.unit.types.record(base.ty).is_some_and(is_punned)
                    || self.is_in_union(base)
            }
            ExprKind::Deref(pointer) => array_of(pointer).is_some_and(|array| self.is_in_union(array)),
            _ => false,
        }
    }
}

/// The array that the pointer points into, as it is written.
pub(crate) fn array_of(pointer: &Expr) -> Option<&Expr> {
    match &pointer.kind {
        ExprKind::Decay(array) => Some(array),
        ExprKind::PtrAdd { ptr, .. } => match &ptr.kind {
            ExprKind::Decay(array) => Some(array),
            _ => None,
        },
        _ => None,
    }
}

/// Without the conversions that a call makes of a pointer.
fn uncast(e: &Expr) -> &Expr {
    match &e.kind {
        ExprKind::Cast(inner) => uncast(inner),
        _ => e,
    }
}
