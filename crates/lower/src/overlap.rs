//! Functions of the library whose arguments must not overlap: what they leave where they do is not defined. It is seen where
//! both arguments are written from the same variable (`strcpy(s, s + 1)`).

use cfa::LocKind;
use cfront::hir::{Expr, ExprKind, FuncId, VarId};
use term::Term;

use crate::call::Arg;
use crate::context::Lowering;
use crate::options::Places;

/// They write to the first argument what the others point at.
const APART: [&str; 14] = [
    "strcpy", "strncpy", "stpcpy", "stpncpy", "strcat", "strncat", "strxfrm", "sprintf", "snprintf", "wcscpy",
    "wcsncpy", "wcscat", "wcsncat", "swprintf",
];

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
        let written = base(to_expr);
        if written.is_none() || base(from_expr) != written || !self.sees_overlap() {
            return;
        }
        let terms = self.terms();
        let same = terms.eq(to, from);
        let (up, down) = (terms.sub(to, from), terms.sub(from, to));
        let (above, below) = (terms.ule(len, up), terms.ule(len, down));
        let apart = terms.and(above, below);
        let fine = terms.or(same, apart);
        self.require(fine, LocKind::Unsupported("memcpy between places that overlap".to_owned()));
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
