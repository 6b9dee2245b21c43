//! Pointers of which a precondition says nothing: each is null or points nowhere.
//!
//! It must not be compared with other pointers, then: it could be equal to them. So a pointer to nowhere is unsupported where the program compares
//! pointers.

use cfa::{LocKind, ObjectKind, Op, Origin};
use cfront::hir::{Expr, ExprKind, VarId};
use cfront::types::Ty;
use cfront::walk::walk_stmt;
use term::{Sort, Term};

use crate::context::Lowering;
use crate::place::Memory;

/// A pointer that points nowhere at first.
#[derive(Clone, Copy)]
pub(crate) enum Unsettled {
    Parameter(VarId),
    /// In memory.
    At(Term),
}

impl Lowering<'_> {
    /// Pointers in a new object point nowhere until the precondition says more.
    pub(crate) fn point_nowhere_inside(&mut self, base: Term, size: Term, element: Ty) {
        if !self.has_pointers(element) {
            return;
        }
        let one = self.unit.types.size_of(element).unwrap_or(0);
        let bytes = self.terms().as_bv_const(size).and_then(|n| n.to_u64());
        let (Some(bytes), Some(leaves)) = (bytes.filter(|n| one > 0 && *n == one), self.pointers_of(element)) else {
            return self.unsupported("a fresh array of pointers, or of what has pointers");
        };
        let memory = Memory::object(base, Some(bytes));
        for leaf in &leaves {
            for i in 0..leaf.count {
                let (value, nowhere) = self.pointer_to_nowhere();
                let at = memory.clone().plus((leaf.offset + i * leaf.stride).into());
                let addr = self.address(&at);
                self.emit(Op::Store { addr, value, bytes: leaf.bytes });
                self.unsettled.push((Unsettled::At(addr), nowhere));
            }
        }
    }

    /// Null, or a pointer that no access may use.
    pub(crate) fn pointer_to_nowhere(&mut self) -> (Term, Term) {
        let dst = self.temp(self.program.machine.pointer_sort());
        let size = self.word(0);
        self.emit(Op::Alloc { dst, size, kind: ObjectKind::Stack, name: "nowhere".to_owned() });
        let is_null = self.havoc(Sort::Bool, Origin::Internal);
        let (null, nowhere) = (self.word(0), self.term(dst));
        (self.terms().ite(is_null, null, nowhere), nowhere)
    }

    /// The precondition is assumed. If the program compares pointers, those that still point nowhere could be any.
    pub(crate) fn settle_pointers(&mut self) {
        let unsettled = std::mem::take(&mut self.unsettled);
        let mut compares = false;
        for id in self.reach.funcs.iter().filter(|id| !self.is_library(**id)) {
            if let Some(body) = &self.unit.funcs[*id].body {
                walk_stmt(body, &mut |e| {
                    let is_call = matches!(e.kind, ExprKind::Call { .. });
                    compares |= !is_call && self.depends_on_addresses(e, 0);
                });
            }
        }
        if !compares {
            return;
        }
        for (at, nowhere) in unsettled {
            let (value, guard) = match at {
                Unsettled::Parameter(id) => {
                    let place =
                        Expr { kind: ExprKind::Var(id), ty: self.unit.vars[id].ty, span: self.unit.vars[id].span };
                    let at = self.place(&place);
                    (self.read(&at, place.ty, &place), None)
                }
                // Of an object that may not be there.
                Unsettled::At(addr) => (addr, Some(addr)),
            };
            let (ask, join) = (self.fresh_loc(), self.fresh_loc());
            let there = match guard {
                Some(addr) => self.live(addr),
                None => self.terms().tt(),
            };
            self.split(there, ask, join);
            self.resume(ask);
            let value = match guard {
                Some(addr) => {
                    let (dst, bytes) =
                        (self.temp(self.program.machine.pointer_sort()), self.program.machine.word_bytes());
                    self.emit(Op::Load { dst, addr, bytes });
                    self.term(dst)
                }
                None => value,
            };
            // By objects: how the addresses compare is nobody's question here.
            let machine = self.program.machine;
            let (object, nowhere) = (machine.object_of(self.terms(), value), machine.object_of(self.terms(), nowhere));
            let settled = self.terms().ne(object, nowhere);
            let what = "a pointer of which the precondition says nothing, where pointers are compared";
            self.require(settled, LocKind::Unsupported(what.into()));
            self.continue_at(join);
        }
    }
}
