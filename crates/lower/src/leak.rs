//! Memory that is never freed.
//!
//! One heap object, chosen arbitrarily when it is allocated, is *watched*. If it is live when the program ends, some
//! execution leaks. For `valid-memcleanup` that is all. For `valid-memtrack` the object must also be out of reach: after
//! `main` has returned only static memory can hold pointers. If no global pointer points to anything live, and no other
//! static memory could hold one, the object is lost for sure; if a global points at it, it is not; anything between would
//! need a walk through memory and is not modelled.
//!
//! Limits: `abort` is not counted as an end that must be clean (as is the custom), and an execution that never ends is
//! not seen here, though it may lose memory.

use cfa::{LocKind, Op, Origin, Property, Violation};
use cfront::types::{Ty, Type};
use term::{Sort, Term};

use crate::context::{Home, Lowering};
use crate::place::Memory;

impl Lowering<'_> {
    /// A heap object comes to life: watch it, or not.
    pub(crate) fn watch(&mut self, address: Term) {
        let Some(watched) = self.watched else { return };
        let choice = self.havoc(Sort::Bv(8), Origin::Internal);
        let chosen = self.truth(choice);
        let (current, null) = (self.term(watched), self.word(0));
        let terms = self.terms();
        let free = terms.eq(current, null);
        let take = terms.and(free, chosen);
        let next = terms.ite(take, address, current);
        self.emit(Op::Assign(vec![(watched, next)]));
    }

    /// The program ends, by `exit` (callers' variables still exist) or by returning from `main`.
    pub(crate) fn check_leaks(&mut self, by_exit: bool) {
        let Some(watched) = self.watched else { return };
        let watched = self.term(watched);
        // The null object is never live, so an unset watch is no leak.
        let live = self.is_live(&Memory::at(watched));
        let gone = self.terms().not(live);
        if self.options.checks(Property::ValidMemcleanup) {
            let message = "the program ends while a heap block is still allocated".to_owned();
            self.require(gone, LocKind::Error(Violation { property: Property::ValidMemcleanup, message }));
        }
        if !self.options.checks(Property::ValidMemtrack) {
            return;
        }
        let (leaked, clean) = (self.fresh_loc(), self.fresh_loc());
        self.split(gone, clean, leaked);
        self.resume(leaked);
        if by_exit {
            self.unsupported("exit while a heap block is allocated that the stack may point to (valid-memtrack)");
        } else {
            self.check_reach(watched, clean);
        }
        self.resume(clean);
    }

    fn check_reach(&mut self, watched: Term, clean: cfa::Loc) {
        let unit = self.unit;
        let machine = self.program.machine;
        let object = machine.object_of(self.terms(), watched);
        let mut nothing_else = self.terms().tt();
        let mut direct = self.terms().ff();
        for id in self.reach.vars.clone() {
            match self.make_home(id) {
                Home::Scalar(var) if unit.types.is_pointer(unit.vars[id].ty) => {
                    let pointer = self.term(var);
                    let other = machine.object_of(self.terms(), pointer);
                    let same = self.terms().eq(object, other);
                    direct = self.terms().or(direct, same);
                    let live = self.is_live(&Memory::at(pointer));
                    let dead = self.terms().not(live);
                    nothing_else = self.terms().and(nothing_else, dead);
                }
                Home::Object(_) if self.holds_pointers(unit.vars[id].ty) => nothing_else = self.terms().ff(),
                _ => {}
            }
        }
        let (apart, lost) = (self.fresh_loc(), self.fresh_loc());
        self.split(direct, clean, apart);
        self.resume(apart);
        self.require(
            nothing_else,
            LocKind::Unsupported("whether a heap block is reachable through other memory (valid-memtrack)".to_owned()),
        );
        self.continue_at(lost);
        let message = "a heap block is lost: nothing points to it when the program ends".to_owned();
        self.end(LocKind::Error(Violation { property: Property::ValidMemtrack, message }));
    }

    fn holds_pointers(&self, ty: Ty) -> bool {
        let types = &self.unit.types;
        match types[ty] {
            Type::Pointer(_) | Type::VaList => true,
            Type::Array(of, _) => self.holds_pointers(of),
            Type::Record(id) => types.records[id].fields.iter().any(|f| self.holds_pointers(f.ty)),
            _ => false,
        }
    }
}
