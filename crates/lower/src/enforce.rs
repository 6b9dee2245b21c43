//! Checking the contract of the entry function: it is called in any state that its precondition allows, and where it returns,
//! its postcondition holds and nothing has changed that it may not write.
//!
//! Any state: parameters have any value; pointers are null or point nowhere unless the precondition says what they point to (see
//! `fresh`, `valid`); variables that the program changes have any value. That nothing else has changed is asked of one cell of each
//! object, chosen beforehand: what holds of any holds of all. (A function may write elsewhere if it restores what was there.)

use base::Diagnostic;
use cfa::{LocKind, Op, Origin, Property};
use cfront::hir::{AssignedTarget, Contract, Expr, ExprKind, FuncId, Init, StmtKind, VarId};
use cfront::types::Ty;
use cfront::walk::{walk_contract, walk_expr, walk_stmt};
use std::collections::BTreeSet;
use term::Term;

use crate::clause::Sense;
use crate::context::{Home, Lowering};
use crate::fresh::Fresh;
use crate::nowhere::Unsettled;
use crate::replace::Written;
use crate::scalars::Leaf;
use crate::text::show;

/// A cell of an object, and what was in it before the call.
struct Cell {
    /// Whether there is such a cell.
    exists: Term,
    address: Term,
    value: Term,
    bytes: u32,
    /// The object, for the user.
    of: String,
}

impl Lowering<'_> {
    /// Why the entry function's contract cannot be checked.
    pub(crate) fn contract_problem(unit: &cfront::hir::Unit, entry: FuncId) -> Option<Diagnostic> {
        let func = &unit.funcs[entry];
        let variadic = unit.types.function(func.ty).is_some_and(|f| f.variadic);
        match &func.contract {
            None => {
                let message = format!("the function '{}' has no contract to check", func.name);
                Some(Diagnostic::error(func.span, message))
            }
            Some(_) if variadic => {
                let message = format!("the contract of '{}' cannot be checked: it takes any arguments", func.name);
                Some(Diagnostic::error(func.span, message))
            }
            Some(_) => None,
        }
    }

    /// Calls the entry function in any state that its precondition allows, and asserts what it is to do.
    pub(crate) fn call_checked(&mut self, entry: FuncId) {
        let unit = self.unit;
        let func = &unit.funcs[entry];
        let Some(contract) = func.contract.as_deref() else { return };
        let Some(signature) = unit.types.function(func.ty) else { return };
        self.forget_homes(contract);
        let requires = self.written_out(&contract.requires);
        let requires = self.pointers_first(requires);
        self.refuse_inner_separation(&requires);
        let fresh = self.surely_fresh(&requires);
        for &param in &contract.params {
            self.any_argument(param, fresh.contains(&param));
        }
        let pointer = self.program.machine.pointer_sort();
        let fresh: Vec<Fresh> = (0..self.count_fresh(&requires))
            .map(|_| {
                let (address, size) = (self.zeroed(pointer), self.zeroed(pointer));
                Fresh { address, size, element: None, of: None, exact: None }
            })
            .collect();
        let frees = !contract.frees.is_empty();
        let (apart, writable) = (self.said_apart(&requires), self.said_writable(&requires));
        self.sense = Some(Sense::Assumed {
            fresh,
            met: 0,
            frees,
            set: Vec::new(),
            copied: Vec::new(),
            ranges: Vec::new(),
            readable: 0,
            apart,
            writable,
        });
        for condition in &requires {
            self.assume_clause(condition);
        }
        let Some(Sense::Assumed { fresh, .. }) = self.sense.take() else { return };
        self.settle_pointers();
        self.fun.span = contract.span;
        self.remember(&contract.history);
        let written = self.written(&contract.assigns);
        let freed: Vec<Term> = contract.frees.iter().map(|pointer| self.value(pointer)).collect();
        let freed: Vec<Term> = freed.into_iter().map(|pointer| self.snapshot(pointer)).collect();
        let (mut variables, mut cells) = (Vec::new(), Vec::new());
        // That it holds matters to assertions, and to calls that it stands for.
        let is_asked = self.options.checks(Property::Assert) || self.is_named_by_itself(entry);
        if !contract.may_write_anything && is_asked {
            variables = self.remember_variables(&written);
            cells = self.remember_cells(&fresh, &written);
        }

        self.fun.span = func.span;
        let result = self.call_with_parameters(entry, contract);
        self.returned = result;

        self.fun.span = contract.span;
        if let (Some(var), Some(value)) = (contract.result, result) {
            self.bind(var, value);
        }
        self.sense = Some(Sense::AssertedAfter);
        for condition in contract.ensures.iter().filter(|_| is_asked) {
            let what = show(unit, condition);
            let failure = self.clause_failure(format!("the postcondition of {} fails: {what}", func.name));
            self.assert_clause(condition, &failure);
        }
        self.sense = None;
        self.fun.span = contract.span;
        for (var, before, allowed, name) in variables {
            let unchanged = {
                let now = self.term(var);
                self.terms().eq(now, before)
            };
            let ok = self.terms().or(unchanged, allowed);
            let failure =
                self.clause_failure(format!("{} changes {name}, which its contract does not allow", func.name));
            self.require(ok, failure);
        }
        for cell in cells {
            self.assert_unchanged(&cell, &written, &func.name);
        }
        if frees && (is_asked || self.options.checks(Property::ValidFree)) {
            self.assert_not_freed(&fresh, &freed, &func.name);
        }
        if self.unit.types.is_integer(signature.ret)
            && let Some(value) = result
        {
            self.set_exit_code(value, self.is_signed(signature.ret));
        }
    }

    /// Has the functions built that the clauses of the contract to be checked call.
    pub(crate) fn request_clause_functions(&mut self, entry: FuncId) {
        let unit = self.unit;
        let contract = unit.funcs[entry].contract.as_deref().filter(|_| self.options.contracts.check);
        let mut called = BTreeSet::new();
        if let Some(contract) = contract {
            walk_contract(contract, &mut |e| {
                if let ExprKind::Func(id) = e.kind {
                    called.insert(id);
                }
            });
        }
        for id in called {
            if unit.funcs[id].body.is_some() && !self.is_replaced(id) && !self.is_library(id) {
                self.function_for((id, None));
            }
        }
    }

    /// Whether a function of the program mentions the entry, so that a call of it may be replaced by its contract.
    fn is_named_by_itself(&self, entry: FuncId) -> bool {
        let unit = self.unit;
        let mut found = false;
        let mut look = |e: &Expr| found |= matches!(e.kind, ExprKind::Func(id) if id == entry);
        for body in self.reach.funcs.iter().filter_map(|id| unit.funcs[*id].body.as_ref()) {
            walk_stmt(body, &mut look);
        }
        for init in self.reach.vars.iter().filter_map(|id| unit.vars[*id].init.as_ref()) {
            match init {
                Init::Value(value) => walk_expr(value, &mut look),
                Init::Parts(parts, _) => parts.iter().for_each(|part| walk_expr(&part.value, &mut look)),
            }
        }
        found
    }

    /// Any value for a parameter of the contract.
    fn any_argument(&mut self, param: VarId, is_fresh: bool) {
        let unit = self.unit;
        let var = &unit.vars[param];
        let value = match self.sort(var.ty) {
            // It is told what to point to.
            Some(_) if is_fresh => self.word(0),
            Some(_) if unit.types.is_pointer(var.ty) => {
                let (value, nowhere) = self.pointer_to_nowhere();
                self.unsettled.push((Unsettled::Parameter(param), nowhere));
                if var.at_least.is_some() { nowhere } else { value }
            }
            Some(sort) => self.entry_value(&var.name, var.ty, sort, 0),
            None => {
                let object = self.entry_object(&var.name, var.ty);
                if self.has_pointers(var.ty) {
                    self.unsupported(format!("the parameter '{}', a struct with pointers", var.name));
                }
                object.base
            }
        };
        self.bind(param, value);
    }

    /// The call itself; its value, or for a struct the address of the object that holds it.
    fn call_with_parameters(&mut self, entry: FuncId, contract: &Contract) -> Option<Term> {
        let unit = self.unit;
        let signature = unit.types.function(unit.funcs[entry].ty)?;
        let mut args = Vec::new();
        let mut object = None;
        if self.sort(signature.ret).is_none() && !unit.types.is_void(signature.ret) {
            let result = self.record_temp(signature.ret);
            args.push(result.base);
            object = Some(result.base);
        }
        for &param in &contract.params {
            let var = &unit.vars[param];
            let place = Expr { kind: ExprKind::Var(param), ty: var.ty, span: var.span };
            let value = match self.sort(var.ty) {
                Some(_) => {
                    let at = self.place(&place);
                    self.read(&at, var.ty, &place)
                }
                None => {
                    let copy = self.record_temp(var.ty);
                    let source = self.memory(&place);
                    let size = unit.types.size_of(var.ty).unwrap_or(0);
                    self.copy(&copy, &source, size, &place, &place);
                    copy.base
                }
            };
            args.push(value);
        }
        let callee = self.function_for((entry, None));
        let dst = self.sort(signature.ret).map(|sort| self.temp(sort));
        self.emit(Op::Call { callee, args, dst });
        object.or(dst.map(|dst| self.term(dst)))
    }

    /// The static variables that nobody points at, as they are now, and when they may change.
    fn remember_variables(&mut self, written: &[Written]) -> Vec<(cfa::Var, Term, Term, String)> {
        let mut found = Vec::new();
        for id in self.reach.vars.clone() {
            let Home::Scalar(var) = self.make_home(id) else { continue };
            if self.is_library_var(id) || !self.may_change(id) {
                continue;
            }
            let mut allowed = self.terms().ff();
            for part in written {
                if let Written::Variable { condition, var: other, .. } = part
                    && *other == var
                {
                    allowed = self.program.terms.or(allowed, *condition);
                }
            }
            let value = self.term(var);
            let before = self.snapshot(value);
            found.push((var, before, allowed, self.unit.vars[id].name.clone()));
        }
        found
    }

    /// One cell of each object that there is.
    fn remember_cells(&mut self, fresh: &[Fresh], written: &[Written]) -> Vec<Cell> {
        let unit = self.unit;
        let mut found = Vec::new();
        for object in fresh {
            let exact = object.exact.filter(|size| self.program.terms.is_const(*size));
            let (base, size) = (self.term(object.address), exact.unwrap_or(self.term(object.size)));
            let null = self.word(0);
            let there = self.terms().ne(base, null);
            if written.iter().any(|part| self.is_covered(part, object)) {
                continue;
            }
            self.remember_cell(base, size, there, object.element, "what a pointer points to", &mut found);
        }
        for id in self.reach.vars.clone() {
            let Home::Object(address) = self.make_home(id) else { continue };
            let ty = unit.vars[id].ty;
            if self.is_library_var(id) || !self.may_change(id) {
                continue;
            }
            let Some(bytes) = self.object_size(id) else {
                self.unsupported(format!("the size of '{}', which another file defines", unit.vars[id].name));
                continue;
            };
            let (base, size, there) = (self.term(address), self.word(bytes), self.terms().tt());
            let name = unit.vars[id].name.clone();
            self.remember_cell(base, size, there, Some(ty), &name, &mut found);
        }
        found
    }

    fn remember_cell(
        &mut self,
        base: Term,
        size: Term,
        there: Term,
        element: Option<Ty>,
        of: &str,
        found: &mut Vec<Cell>,
    ) {
        let one = element.and_then(|ty| self.unit.types.size_of(ty)).filter(|n| *n > 0);
        let leaves = element.filter(|_| one.is_some()).and_then(|ty| self.cells_of(ty));
        let (one, leaves) = match (one, leaves) {
            (Some(one), Some(leaves)) => (one, leaves),
            _ => (1, vec![Leaf::BYTE]),
        };
        let step = self.word(one);
        if one > 1 {
            let rest = self.terms().urem(size, step);
            let zero = self.word(0);
            let fits = self.terms().eq(rest, zero);
            self.require(fits, LocKind::Unsupported("an object that is not made of whole elements".into()));
        }
        for leaf in leaves {
            let pointer = self.program.machine.pointer_sort();
            let limit = self.terms().udiv(size, step);
            let element = self.havoc(pointer, Origin::Internal);
            let mut exists = self.terms().ult(element, limit);
            exists = self.program.terms.and(there, exists);
            let mut offset = self.terms().mul(element, step);
            let start = self.word(leaf.offset);
            offset = self.program.terms.add(offset, start);
            if leaf.count > 1 {
                let index = self.havoc(pointer, Origin::Internal);
                let (count, stride) = (self.word(leaf.count), self.word(leaf.stride));
                let inside = self.terms().ult(index, count);
                exists = self.program.terms.and(exists, inside);
                let more = self.terms().mul(index, stride);
                offset = self.program.terms.add(offset, more);
            }
            let exists = self.snapshot(exists);
            let value = self.zeroed(leaf.sort);
            let address = self.terms().add(base, offset);
            let address = self.snapshot(address);
            let (yes, join) = (self.fresh_loc(), self.fresh_loc());
            self.split(exists, yes, join);
            self.resume(yes);
            self.emit(Op::Load { dst: value, addr: address, bytes: leaf.bytes });
            self.continue_at(join);
            let value = self.term(value);
            found.push(Cell { exists, address, value, bytes: leaf.bytes, of: of.to_owned() });
        }
    }

    /// Whether the contract allows all of an object to be written, whatever the state: both are said of the same parameter,
    /// with the same size. (Parameters of contracts never change.)
    fn is_covered(&self, part: &Written, object: &Fresh) -> bool {
        match part {
            Written::Bytes { if_there, of, exact, .. } => {
                *if_there && of.is_some() && *of == object.of && exact.is_some() && *exact == object.exact
            }
            Written::Variable { .. } => false,
        }
    }

    fn assert_unchanged(&mut self, cell: &Cell, written: &[Written], name: &str) {
        let (bytes, sort) = (cell.bytes, self.terms().sort(cell.value));
        let (ask, join) = (self.fresh_loc(), self.fresh_loc());
        let mut open = cell.exists;
        let mut touched = self.terms().ff();
        for part in written {
            let Written::Bytes { condition, start, len, .. } = part else { continue };
            let size = self.word(bytes.into());
            let same = self.same_origin(cell.address, *start);
            let (at, begin) = (self.offset_in_object(cell.address), self.offset_in_object(*start));
            let terms = self.terms();
            let from = terms.sub(at, begin);
            let room = terms.sub(*len, from);
            let (inside, fits) = (terms.ult(from, *len), terms.ule(size, room));
            let allowed = terms.and_all(&[*condition, same, inside, fits]);
            let forbidden = terms.not(allowed);
            open = terms.and(open, forbidden);
            // The part starts in the cell, or the cell in the part.
            let (before, zero) = (terms.sub(begin, at), terms.bv(0, terms.width(*len)));
            let (starts, is_some) = (terms.ult(before, size), terms.ult(zero, *len));
            let meets = terms.or(inside, starts);
            let meets = terms.and_all(&[*condition, same, is_some, meets]);
            touched = terms.or(touched, meets);
        }
        // What has been freed has no contents.
        let live = self.live(cell.address);
        open = self.program.terms.and(open, live);
        self.split(open, ask, join);
        self.resume(ask);
        let now = self.temp(sort);
        self.emit(Op::Load { dst: now, addr: cell.address, bytes });
        let now = self.term(now);
        let same = self.terms().eq(now, cell.value);
        let changed = self.fresh_loc();
        self.split(same, join, changed);
        self.resume(changed);
        if bytes > 1 {
            let apart = self.terms().not(touched);
            let what = format!("a contract of {name} that allows part of a value to be written, and not all of it");
            self.require(apart, LocKind::Unsupported(what.into()));
        }
        self.end(self.clause_failure(format!("{name} changes {}, which its contract does not allow", cell.of)));
        self.resume(join);
    }

    /// What may not be freed is there still.
    fn assert_not_freed(&mut self, fresh: &[Fresh], freed: &[Term], name: &str) {
        for object in fresh {
            let (address, null) = (self.term(object.address), self.word(0));
            let live = self.live(address);
            let mut ok = self.terms().eq(address, null);
            ok = self.terms().or(ok, live);
            for pointer in freed {
                let allowed = self.same_origin(address, *pointer);
                ok = self.terms().or(ok, allowed);
            }
            let message = format!("{name} frees what a pointer points to, which its contract does not allow");
            let failure = self.clause_failure(message);
            self.require(ok, failure);
        }
    }

    /// Whether some code of the program may change the variable: it is not constant, and somebody writes it or knows its address.
    pub(crate) fn may_change(&self, id: VarId) -> bool {
        let var = &self.unit.vars[id];
        !self.is_constant(var.ty) && (var.address_taken || self.changed.contains(&id))
    }

    /// Static variables that functions of the program write by name, or may write by contracts that stand for them.
    pub(crate) fn changed_variables(&self) -> BTreeSet<VarId> {
        let unit = self.unit;
        let mut found = BTreeSet::new();
        for (id, func) in unit.funcs.iter() {
            let mut changes = |place: &Expr| {
                let mut place = place;
                while let ExprKind::Field(inner, _)
                | ExprKind::Deref(inner)
                | ExprKind::Decay(inner)
                | ExprKind::Cast(inner)
                | ExprKind::PtrAdd { ptr: inner, .. } = &place.kind
                {
                    place = inner;
                }
                if let ExprKind::Var(id) = place.kind
                    && unit.vars[id].storage.is_static()
                {
                    found.insert(id);
                }
            };
            if let Some(contract) = func.contract.as_ref().filter(|_| self.is_replaced(id)) {
                for assigned in &contract.assigns {
                    if let AssignedTarget::Place(place) = &assigned.target {
                        changes(place);
                    }
                }
            }
            let Some(body) = &func.body else { continue };
            walk_stmt(body, &mut |e| match &e.kind {
                ExprKind::Assign(place, _)
                | ExprKind::AssignOp { place, .. }
                | ExprKind::AssignPtrAdd { place, .. }
                | ExprKind::IncDec { place, .. }
                | ExprKind::VaStart(place)
                | ExprKind::VaCopy(place, _) => changes(place),
                _ => {}
            });
            // Assembler writes what it names.
            cfront::walk::statements(body, &mut |s| {
                if let StmtKind::Asm(asm) = &s.kind {
                    asm.outputs.iter().for_each(|output| changes(&output.expr));
                }
            });
        }
        found
    }

    /// Where the entry's contract is checked: does the variable have any value at the start?
    pub(crate) fn is_any_at_start(&self, id: VarId) -> bool {
        let var = &self.unit.vars[id];
        self.options.contracts.check && var.storage.is_static() && !self.is_library_var(id) && self.may_change(id)
    }

    /// Variables with any value that hold pointers could point anywhere.
    pub(crate) fn refuse_global_pointers(&mut self) {
        for id in self.reach.vars.clone() {
            if self.is_any_at_start(id) && self.has_pointers(self.unit.vars[id].ty) {
                let name = self.unit.vars[id].name.clone();
                self.unsupported(format!("any value of '{name}', which holds pointers, where a contract is checked"));
            }
        }
    }
}
