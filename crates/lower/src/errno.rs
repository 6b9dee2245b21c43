//! `errno`: what sets it, in programs that look at it. In others all of this is nothing.

use cfa::{Op, Origin};
use cfront::hir::{Expr, FuncId};
use term::{Sort, Term};

use crate::call::{Arg, Call};
use crate::context::Lowering;

/// The largest error number of Linux.
const LAST_ERROR: u128 = 133;

impl Lowering<'_> {
    /// Where errno is, if the program looks at it.
    pub(crate) fn errno_function(&self) -> Option<FuncId> {
        self.unit.func("__errno_location").filter(|f| self.unit.funcs[*f].body.is_some())
    }

    /// Sets errno where the condition holds. In a program that never looks at errno this is nothing.
    fn set_errno(&mut self, condition: Term, value: Term, e: &Expr) {
        let Some(id) = self.errno_function() else { return };
        let Some(pointer) = self.unit.types.function(self.unit.funcs[id].ty).map(|f| f.ret) else { return };
        let (set, join) = (self.fresh_loc(), self.fresh_loc());
        self.split(condition, set, join);
        self.resume(set);
        if let Some(addr) = self.apply(Call { id, args: &[], ty: pointer, result: None, e }) {
            self.emit(Op::Store { addr, value, bytes: 4 });
        }
        self.continue_at(join);
    }

    /// Sets errno to some error number where the condition holds.
    pub(crate) fn errno_any(&mut self, condition: Term, e: &Expr) {
        if self.errno_function().is_none() {
            return;
        }
        let any = self.havoc(Sort::Bv(32), Origin::Extern("errno".to_owned()));
        let terms = self.terms();
        let (first, last) = (terms.bv(1, 32), terms.bv(LAST_ERROR, 32));
        let (from, to) = (terms.sle(first, any), terms.sle(any, last));
        let is_error = terms.and(from, to);
        // Whatever the environment gives, it is an error number; ENOENT where it would be none.
        let usual = terms.bv(2, 32);
        let value = terms.ite(is_error, any, usual);
        self.set_errno(condition, value, e);
    }

    /// A function of streams sets it to some error number where it fails, and may do so where it succeeds.
    pub(crate) fn errno_of_stream(&mut self, fails: Term, e: &Expr) {
        if self.errno_function().is_none() {
            return;
        }
        let choice = self.havoc(Sort::Bool, Origin::Extern("errno".to_owned()));
        let condition = self.terms().or(fails, choice);
        self.errno_any(condition, e);
    }

    /// Code outside of the program may set errno to whatever it likes.
    pub(crate) fn errno_from_outside(&mut self, by: &str, e: &Expr) {
        if self.errno_function().is_none() {
            return;
        }
        let any = self.havoc(Sort::Bv(32), Origin::Extern(by.to_owned()));
        let always = self.terms().tt();
        self.set_errno(always, any, e);
    }

    /// Sets errno where the condition holds, as `malloc` does.
    pub(crate) fn errno_if(&mut self, condition: Term, value: u128, e: &Expr) {
        let value = self.terms().bv(value, 32);
        self.set_errno(condition, value, e);
    }

    pub(crate) fn set_errno_where(&mut self, how: &str, args: &[Arg<'_>], e: &Expr) {
        let Some(condition) = args.first().map(|a| self.truth(a.term)) else { return };
        match (how, args.get(1)) {
            ("errno_if", Some(value)) => {
                let value = self.terms().resize(value.term, 32, true);
                self.set_errno(condition, value, e);
            }
            ("errno_stream", _) if self.errno_function().is_some() => self.errno_of_stream(condition, e),
            ("errno_may_if", _) if self.errno_function().is_some() => {
                let choice = self.havoc(Sort::Bool, Origin::Extern("errno".to_owned()));
                let condition = self.terms().and(condition, choice);
                self.errno_any(condition, e);
            }
            _ => self.errno_any(condition, e),
        }
    }
}
