//! Functions that compare: C says of their results whether they are negative, zero or positive, and no more. So the result is
//! any number of that sign, unless it is compared with zero at once, as it mostly is.

use cfa::Origin;
use cfront::hir::{Expr, ExprKind};
use term::{Sort, Term};

use crate::call::direct;
use crate::context::Lowering;
use crate::options::Places;

const COMPARING: [&str; 13] = [
    "memcmp",
    "bcmp",
    "strcmp",
    "strncmp",
    "strcasecmp",
    "strncasecmp",
    "strcoll",
    "wcscmp",
    "wcsncmp",
    "wcscoll",
    "wmemcmp",
    "wcscasecmp",
    "wcsncasecmp",
];

impl Lowering<'_> {
    /// The name of the function of the library that is called here to compare something.
    fn comparing(&self, e: &Expr) -> Option<&'static str> {
        let ExprKind::Call { callee, .. } = &e.kind else { return None };
        let id = direct(callee).filter(|id| self.is_library(*id))?;
        let name = self.unit.funcs[id].name.as_str();
        let is_users = self.fun.library_checked.is_none();
        COMPARING.into_iter().find(|known| *known == name && is_users)
    }

    /// The value of an expression that is only asked for its sign.
    pub(crate) fn value_with_sign(&mut self, e: &Expr) -> Term {
        match (&e.kind, self.comparing(e)) {
            (ExprKind::Call { callee, args }, Some(_)) => match self.call(e, callee, args) {
                Some(value) => value,
                None => self.dummy(e.ty),
            },
            _ => self.value(e),
        }
    }

    /// The value that a call gave, as the caller may see it.
    pub(crate) fn called(&mut self, e: &Expr, value: Term) -> Term {
        match self.comparing(e) {
            Some(name) if self.options.places != Places::Fixed => self.any_of_sign(value, name),
            _ => value,
        }
    }

    fn any_of_sign(&mut self, value: Term, name: &str) -> Term {
        let Sort::Bv(width) = self.terms().sort(value) else { return value };
        let any = self.havoc(Sort::Bv(width), Origin::Extern(name.to_owned()));
        let terms = self.terms();
        let (zero, one, top) = (terms.bv(0, width), terms.bv(1, width), terms.bv(1 << (width - 1), width));
        let negative = terms.bvor(any, top);
        let rest = terms.bvnot(top);
        let positive = terms.bvand(any, rest);
        let is_none = terms.eq(positive, zero);
        let positive = terms.ite(is_none, one, positive);
        let (is_zero, is_negative) = (terms.eq(value, zero), terms.slt(value, zero));
        let other = terms.ite(is_negative, negative, positive);
        terms.ite(is_zero, zero, other)
    }
}
