//! What clauses say of the past: `old(e)` and `loop_entry(e)` are variables, set where the call or the loop begins.

use base::Id;
use cfa::Op;
use cfront::hir::{Expr, ExprKind, VarId};

use crate::context::{Home, Lowering};
use crate::place::{Memory, Place};

impl Lowering<'_> {
    /// Remembers what clauses say of the state at this point.
    pub(crate) fn remember(&mut self, history: &[(VarId, Expr)]) {
        for (var, e) in history {
            self.homes[var.index()] = None;
            self.declare(*var, None, None);
            match self.make_home(*var) {
                Home::Scalar(home) => self.remember_value(home, e),
                Home::Object(address) => {
                    let size = self.object_size(*var);
                    let memory = Memory::object(self.term(address), size);
                    if self.sort(e.ty).is_some() {
                        let value = self.value(e);
                        self.write_back(&Place::Memory(memory), value, e.ty);
                    } else {
                        let source = self.memory(e);
                        self.copy(&memory, &source, size.unwrap_or(0), e, e);
                    }
                }
            }
        }
    }

    /// A value of the past. What is behind a pointer is there only where the pointer is valid; elsewhere it is any value, and
    /// no access is made.
    fn remember_value(&mut self, home: cfa::Var, e: &Expr) {
        let join = self.fresh_loc();
        let value = match &e.kind {
            ExprKind::Load(place) if self.checks_memory(e.span) => {
                let at = self.place(place);
                if let Place::Memory(memory) = &at
                    && memory.known.is_none()
                    && let Some(bytes) = self.unit.types.size_of(place.ty)
                {
                    let (valid, there) = (self.access_is_valid(memory, bytes), self.fresh_loc());
                    self.split(valid, there, join);
                    self.resume(there);
                }
                self.read(&at, place.ty, place)
            }
            _ => self.value(e),
        };
        let value = self.snapshot(value);
        self.emit(Op::Assign(vec![(home, value)]));
        self.continue_at(join);
    }
}
