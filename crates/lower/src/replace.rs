//! Calls replaced by the contract of the function: its precondition is asserted, what it may write gets any contents, and its
//! postcondition is assumed. That the function keeps its contract is proved elsewhere (`enforce`).

use base::Id;
use cfa::{LocKind, ObjectKind, Op, Origin, Property};
use cfront::hir::{Assigned, AssignedTarget, BinaryOp, Contract, Expr, ExprKind, FuncId, Storage, Unit, VarId};
use cfront::types::{Ty, Type};
use term::{Sort, Term};

use crate::call::Call;
use crate::clause::Sense;
use crate::context::{Home, Local, Lowering};
use crate::place::{Memory, Place};
use crate::text::show;

/// What a contract allows to be written, as it was before the call.
pub(crate) enum Written {
    /// A variable that nobody points at.
    Variable { condition: Term, var: cfa::Var, ty: Ty },
    /// Bytes of an object.
    Bytes {
        condition: Term,
        start: Term,
        len: Term,
        element: Option<Ty>,
        /// The parameter that they start at, and their number in terms of parameters.
        of: Option<VarId>,
        exact: Option<Term>,
        /// They may be written whenever there are any: the condition is none, or that the parameter is not null.
        if_there: bool,
    },
}

impl Lowering<'_> {
    /// Whether calls of the function are replaced.
    pub(crate) fn is_replaced(&self, id: FuncId) -> bool {
        self.options.contracts.replaces(self.unit, id)
            || self.options.contracts.check
                && !self.options.contracts.unfolds
                && self.unit.func(&self.options.entry) == Some(id)
                && self.unit.funcs[id].contract.as_ref().is_some_and(|contract| !contract.is_precondition)
    }

    pub(crate) fn call_by_contract(&mut self, call: Call<'_, '_>) -> Option<Term> {
        let Call { id, args, ty, result, e } = call;
        let unit = self.unit;
        let func = &unit.funcs[id];
        let name = &func.name;
        let contract = func.contract.as_deref()?;
        if self.options.entry != *name {
            let message = format!("calls of '{name}' are replaced by its contract: --check-contract {name} proves it");
            self.note_once(&format!("contract of {name}"), func.span, message);
        }
        if self.options.checks(Property::Termination) {
            self.unsupported(format!("a call of {name} by its contract, which does not say whether it ends"));
        }
        let outer = (self.fun.span, self.sense.take());
        let mark = self.fun.live.len();
        self.forget_homes(contract);
        if args.len() != contract.params.len() {
            self.unsupported(format!("a call of {name} with another number of arguments than its contract has"));
            return self.sort(ty).map(|_| self.dummy(ty));
        }
        for (&param, arg) in contract.params.iter().zip(args) {
            let to = unit.vars[param].ty;
            let value = self.pass(*arg, to, name)?;
            self.bind(param, value);
        }
        let requires = self.written_out(&contract.requires);
        let pointer = self.program.machine.pointer_sort();
        let ranges = (0..self.count_fresh(&requires)).map(|_| (self.zeroed(pointer), self.zeroed(pointer))).collect();
        self.sense = Some(Sense::Asserted { ranges, met: 0 });
        for condition in &requires {
            self.fun.span = e.span;
            let what = show(unit, condition);
            let failure = self.clause_failure(format!("the precondition of {name} fails: {what}"));
            self.assert_clause_at(condition, &failure, e);
        }
        self.fun.span = e.span;
        if self.options.contracts.probes {
            if self.options.contracts.check && self.options.entry == *name {
                self.end(LocKind::End(cfa::EndKind::Blocked));
            }
            self.probe(name);
        }
        self.remember(&contract.history);
        let written = self.written(&contract.assigns);
        for part in &written {
            self.havoc_written(part, name);
        }
        if contract.may_write_anything {
            self.unsupported(format!("the contract of {name}, which does not say what is written"));
        }
        if !contract.frees.is_empty() {
            self.unsupported(format!("the contract of {name}, which frees memory"));
        }
        let value = self.result_of_contract(contract, name, result);
        self.sense = Some(Sense::AssertedAfter);
        for condition in &self.written_out(&contract.ensures) {
            self.fun.span = e.span;
            self.assume_condition(condition);
        }
        if self.options.contracts.probes {
            self.fun.span = e.span;
            self.probe(name);
        }
        (self.fun.span, self.sense) = outer;
        let value = value.map(|value| self.snapshot(value));
        self.end_scope(mark);
        let from = unit.types.function(func.ty)?.ret;
        match (value, self.sort(ty)) {
            (Some(value), Some(_)) => self.coerce(value, from, ty, name),
            (None, Some(_)) => self.extern_value(ty, name),
            _ => None,
        }
    }

    /// Executions may end here, in an error that says so.
    fn probe(&mut self, name: &str) {
        let goes_on = self.havoc(Sort::Bool, Origin::Internal);
        let property = Property::Invariant(self.probes);
        self.probes += 1;
        self.require(goes_on, LocKind::Error(cfa::Violation { property, message: name.to_owned() }));
    }

    /// Asserts a clause of a contract, seen from where the function is called.
    fn assert_clause_at(&mut self, condition: &Expr, failure: &LocKind, call: &Expr) {
        let mut condition = condition.clone();
        condition.span = call.span;
        self.assert_clause(&condition, failure);
    }

    pub(crate) fn forget_homes(&mut self, contract: &Contract) {
        for var in contract.params.iter().chain(&contract.locals) {
            self.homes[var.index()] = None;
        }
    }

    /// A parameter of a contract gets its value; a struct's is the address of the copy.
    pub(crate) fn bind(&mut self, param: VarId, value: Term) {
        let ty = self.unit.vars[param].ty;
        match (self.make_home(param), self.sort(ty)) {
            (Home::Scalar(var), _) => {
                let value = self.snapshot(value);
                self.emit(Op::Assign(vec![(var, value)]));
            }
            (Home::Object(address), Some(_)) => {
                let size = self.object_size(param).unwrap_or(0);
                self.alloc_stack(address, size);
                self.fun.live.push(Local::Object(address, Some(size)));
                let memory = Memory::object(self.term(address), Some(size));
                self.write_back(&Place::Memory(memory), value, ty);
            }
            (Home::Object(address), None) => self.emit(Op::Assign(vec![(address, value)])),
        }
    }

    /// Any result. The contract's variable for it is the caller's object where it is a struct.
    fn result_of_contract(&mut self, contract: &Contract, name: &str, result: Option<&Memory>) -> Option<Term> {
        let var = contract.result?;
        let ty = self.unit.vars[var].ty;
        if self.has_pointers(ty) {
            self.unsupported(format!("the contract of {name}, which returns pointers"));
        }
        let origin = Origin::Extern(name.to_owned());
        match (self.make_home(var), self.sort(ty), result) {
            (Home::Scalar(home), Some(sort), _) => {
                let value = self.any_of(ty, sort, origin);
                self.emit(Op::Assign(vec![(home, value)]));
                Some(self.term(home))
            }
            (Home::Object(address), Some(sort), _) => {
                let size = self.object_size(var).unwrap_or(0);
                self.alloc_stack(address, size);
                self.fun.live.push(Local::Object(address, Some(size)));
                let value = self.any_of(ty, sort, origin);
                let memory = Memory::object(self.term(address), Some(size));
                self.write_back(&Place::Memory(memory), value, ty);
                Some(value)
            }
            (Home::Object(address), None, Some(object)) => {
                self.emit(Op::Assign(vec![(address, object.base)]));
                let len = self.word(self.unit.types.size_of(ty).unwrap_or(0));
                self.havoc_all(object.base, len);
                None
            }
            _ => {
                self.unsupported(format!("the result of {name}"));
                None
            }
        }
    }

    /// Any value of the type: a `_Bool` is 0 or 1.
    pub(crate) fn any_of(&mut self, ty: Ty, sort: Sort, origin: Origin) -> Term {
        let value = self.havoc(sort, origin);
        if matches!(self.unit.types[ty], Type::Bool) {
            let truth = self.truth(value);
            return self.terms().bool_to_bv(truth, 8);
        }
        value
    }

    /// Evaluates what may be written.
    pub(crate) fn written(&mut self, assigns: &[Assigned]) -> Vec<Written> {
        let mut found = Vec::new();
        for Assigned { condition, target, span } in assigns {
            self.fun.span = *span;
            let holds = match condition {
                Some(condition) => {
                    let holds = self.condition(condition);
                    self.snapshot(holds)
                }
                None => self.terms().tt(),
            };
            // What is under a condition is evaluated under it.
            let (yes, join) = (self.fresh_loc(), self.fresh_loc());
            let pointer = self.program.machine.pointer_sort();
            let kept = condition.is_some().then(|| (self.zeroed(pointer), self.zeroed(pointer)));
            self.split(holds, yes, join);
            self.resume(yes);
            let (element, start, len);
            let (mut of, mut exact) = (None, None);
            match target {
                AssignedTarget::Place(place) => match self.place(place) {
                    Place::Scalar(var) => {
                        self.continue_at(join);
                        found.push(Written::Variable { condition: holds, var, ty: place.ty });
                        continue;
                    }
                    Place::Memory(memory) => {
                        if memory.bits.is_some() {
                            self.unsupported("a bit-field in assigns");
                        }
                        let size = self.unit.types.size_of(place.ty).unwrap_or(0);
                        let (address, size) = (self.address(&memory), self.word(size));
                        element = Some(place.ty);
                        if let ExprKind::Deref(pointer) = &place.kind {
                            (of, exact) = (parameter(self.unit, pointer), Some(size));
                        }
                        (start, len) = self.kept_range(kept, address, size);
                    }
                },
                AssignedTarget::Whole(pointer) | AssignedTarget::From(pointer) => {
                    element = self.unit.types.pointee(of_pointer(pointer).ty);
                    let at = self.value(pointer);
                    let machine = self.program.machine;
                    let live = self.live(at);
                    let (size, offset) = (self.size_of_object(at), machine.offset_of(self.terms(), at));
                    let (address, bytes) = match target {
                        AssignedTarget::Whole(_) => (self.terms().sub(at, offset), size),
                        _ => (at, self.terms().sub(size, offset)),
                    };
                    let zero = self.word(0);
                    let bytes = self.terms().ite(live, bytes, zero);
                    (start, len) = self.kept_range(kept, address, bytes);
                }
                AssignedTarget::Upto(pointer, size) => {
                    element = self.unit.types.pointee(of_pointer(pointer).ty);
                    let at = self.value(pointer);
                    let bytes = self.value(size);
                    (of, exact) = (parameter(self.unit, pointer), self.in_parameters(bytes));
                    (start, len) = self.kept_range(kept, at, bytes);
                }
            }
            self.continue_at(join);
            let if_there = condition.as_ref().is_none_or(|c| of.is_some() && not_null(self.unit, c) == of);
            found.push(Written::Bytes { condition: holds, start, len, element, of, exact, if_there });
        }
        found
    }

    /// An address and a number of bytes that nothing changes any more: in these variables, where it is under a condition.
    fn kept_range(&mut self, vars: Option<(cfa::Var, cfa::Var)>, start: Term, len: Term) -> (Term, Term) {
        match vars {
            Some((first, second)) => {
                self.emit(Op::Assign(vec![(first, start), (second, len)]));
                (self.term(first), self.term(second))
            }
            None => (self.settled(start), self.settled(len)),
        }
    }

    /// The value, copied unless it is constant.
    pub(crate) fn settled(&mut self, value: Term) -> Term {
        if self.terms().is_const(value) { value } else { self.snapshot(value) }
    }

    /// The number, if it is made of nothing but parameters of a contract.
    pub(crate) fn in_parameters(&self, number: Term) -> Option<Term> {
        let free = term::free_vars(&self.program.terms, &[number]);
        let is_parameter = |t: &Term| {
            let home = self.program.var_of(*t).and_then(|var| self.home_of.get(&var));
            home.is_some_and(|id| self.unit.vars[*id].storage == Storage::Param)
        };
        free.iter().all(is_parameter).then_some(number)
    }

    /// What may be written gets any contents. It must be there.
    fn havoc_written(&mut self, part: &Written, name: &str) {
        let origin = Origin::Extern(name.to_owned());
        let (condition, ty) = match part {
            Written::Variable { condition, ty, .. } => (*condition, Some(*ty)),
            Written::Bytes { condition, element, .. } => (*condition, *element),
        };
        let (yes, join) = (self.fresh_loc(), self.fresh_loc());
        self.split(condition, yes, join);
        self.resume(yes);
        if ty.is_some_and(|ty| self.has_pointers(ty)) {
            self.unsupported(format!("the contract of {name}, which writes pointers"));
        }
        match *part {
            Written::Variable { var, ty, .. } => {
                if let Some(sort) = self.sort(ty) {
                    let value = self.any_of(ty, sort, origin);
                    self.emit(Op::Assign(vec![(var, value)]));
                }
            }
            Written::Bytes { start, len, .. } => {
                let zero = self.word(0);
                let none = self.terms().eq(len, zero);
                let valid = self.range_is_valid(start, len);
                let ok = self.terms().or(none, valid);
                let failure = self.clause_failure(format!("what {name} may write is not there"));
                self.require(ok, failure);
                self.havoc_all(start, len);
            }
        }
        self.continue_at(join);
    }

    /// `len` bytes from `start` on get any contents: those of an object that nobody has written.
    pub(crate) fn havoc_all(&mut self, start: Term, len: Term) {
        let dst = self.temp(self.program.machine.pointer_sort());
        self.emit(Op::Alloc { dst, size: len, kind: ObjectKind::Stack, name: "anything".to_owned() });
        let src = self.term(dst);
        self.emit(Op::Copy { dst: start, src, len });
        self.emit(Op::Dead { addr: src });
    }
}

/// The parameter of a contract that the pointer is.
pub(crate) fn parameter(unit: &Unit, pointer: &Expr) -> Option<VarId> {
    match &of_pointer(pointer).kind {
        ExprKind::Load(place) => match place.kind {
            ExprKind::Var(id) if unit.vars[id].storage == Storage::Param && !unit.vars[id].address_taken => Some(id),
            _ => None,
        },
        _ => None,
    }
}

/// The parameter of which the condition says that it is not null, and nothing else.
fn not_null(unit: &Unit, condition: &Expr) -> Option<VarId> {
    let is_null = |e: &Expr| matches!(without_casts(e).kind, ExprKind::Int(0));
    match &condition.kind {
        ExprKind::Cast(inner) => not_null(unit, inner),
        ExprKind::Binary(BinaryOp::Ne, a, b) if is_null(b) && unit.types.is_pointer(a.ty) => parameter(unit, a),
        ExprKind::Binary(BinaryOp::Ne, a, b) if is_null(a) && unit.types.is_pointer(b.ty) => parameter(unit, b),
        ExprKind::Binary(BinaryOp::Ne, a, b) if is_null(b) => not_null(unit, a),
        ExprKind::Load(_) if unit.types.is_pointer(condition.ty) => parameter(unit, condition),
        _ => None,
    }
}

fn without_casts(e: &Expr) -> &Expr {
    match &e.kind {
        ExprKind::Cast(inner) => without_casts(inner),
        _ => e,
    }
}

/// The pointer before conversions.
pub(crate) fn of_pointer(e: &Expr) -> &Expr {
    match &e.kind {
        ExprKind::Cast(inner) if !matches!(inner.kind, ExprKind::Int(_)) => of_pointer(inner),
        _ => e,
    }
}
