//! Functions of the library whose arguments must not overlap: what they leave where they do is not defined. Copies of bytes
//! and strings are looked at when they run, wherever the pointers come from; formatted output and wide strings are refused where both
//! arguments are written from the same variable (`sprintf(s, "%s!", s)`).

use cfa::LocKind;
use cfront::hir::{Expr, ExprKind, FuncId, VarId};
use term::Term;

use crate::call::Arg;
use crate::constant::{Root, root};
use crate::context::Lowering;
use crate::options::Places;

/// They write to the first argument what the others point at, and their models do not look whether they may.
const APART: [&str; 7] = ["sprintf", "snprintf", "swprintf", "wcscpy", "wcsncpy", "wcscat", "wcsncat"];

impl Lowering<'_> {
    /// Strings in one variable, one of which is written.
    pub(crate) fn refuse_overlap(&mut self, id: FuncId, args: &[Arg<'_>]) {
        let name = self.unit.funcs[id].name.as_str();
        if !APART.contains(&name) || !self.is_library(id) || !self.sees_overlap() {
            return;
        }
        let [to, from @ ..] = args else { return };
        let is_pointer = |arg: &&Arg<'_>| self.unit.types.pointee(arg.ty).is_some();
        let written = base(to.expr);
        if written.is_some() && from.iter().filter(is_pointer).any(|from| base(from.expr) == written) {
            self.unsupported(format!("{name} with strings that may overlap"));
        }
    }

    /// `memcpy` of so many bytes.
    pub(crate) fn refuse_overlapping(
        &mut self,
        (to, to_expr): (Term, &Expr),
        (from, from_expr): (Term, &Expr),
        len: Term,
    ) {
        let are_others = match (root(to_expr), root(from_expr)) {
            (Some(Root::Var(to)), Some(Root::Var(from))) => to != from,
            _ => false,
        };
        if self.sees_overlap() && !are_others {
            let apart = self.are_apart(to, from, len);
            self.require(apart, LocKind::Unsupported("memcpy between places that overlap".into()));
        }
    }

    /// Whether no byte belongs to the first `len` bytes of both places, or the places are one (compilers copy structs so).
    fn are_apart(&mut self, one: Term, other: Term, len: Term) -> Term {
        let in_one = self.same_origin(one, other);
        // Within an object the distance is that of the offsets: addresses of two objects are not looked at.
        let (one, other) = (self.offset_in_object(one), self.offset_in_object(other));
        let terms = self.terms();
        let equal = terms.eq(one, other);
        let (up, down) = (terms.sub(one, other), terms.sub(other, one));
        let (above, below) = (terms.ule(len, up), terms.ule(len, down));
        let apart = terms.and(above, below);
        let elsewhere = terms.not(in_one);
        let fine = terms.or(equal, apart);
        terms.or(elsewhere, fine)
    }

    fn sees_overlap(&self) -> bool {
        self.fun.library_checked.is_none() && self.options.places != Places::Fixed
    }
}

/// The array or the pointer that a pointer is computed from, as it is written.
fn base(pointer: &Expr) -> Option<VarId> {
    match &pointer.kind {
        ExprKind::Cast(inner) | ExprKind::PtrAdd { ptr: inner, .. } => base(inner),
        ExprKind::Decay(place) | ExprKind::Load(place) => match place.kind {
            ExprKind::Var(id) => Some(id),
            _ => None,
        },
        ExprKind::AddrOf(place) => match &place.kind {
            ExprKind::Deref(inner) => base(inner),
            _ => None,
        },
        _ => None,
    }
}
