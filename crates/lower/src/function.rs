//! One function: parameters, body, and what happens on the way in and out.

use base::Id;
use cfa::{Op, VarKind};
use cfront::hir::{FuncId, VarId};

use crate::compact::compact;
use crate::context::{FuncKey, FunctionState, Home, Local, Lowering};
use crate::options::MainArguments;
use crate::place::Memory;

impl Lowering<'_> {
    /// Builds the functions that calls have asked for, and those that these ask for.
    pub(crate) fn build_queue(&mut self) {
        while let Some(key) = self.queue.pop() {
            self.build(key);
        }
    }

    fn build(&mut self, key: FuncKey) {
        let (id, library_checked) = key;
        let unit = self.unit;
        let info = &unit.funcs[id];
        let func = self.funcs[&key];
        let Some(signature) = unit.types.function(info.ty) else { return };
        let name = self.program.functions[func].name.clone();
        let mut state = FunctionState::new(Some(id), func, &name, signature.ret, info.span);
        state.library_checked = library_checked;
        let is_entry = unit.func(&self.options.entry) == Some(id);
        if is_entry && info.name == "main" && self.options.main_arguments == MainArguments::Arbitrary {
            state.unmodelled_params = info.params.iter().skip(2).copied().collect();
            state.argv = self.looked_at_argv(id);
        }
        let outer = self.swap_function(state);
        // A library function may be built twice: its variables are apart.
        for &var in info.params.iter().chain(&info.locals) {
            self.homes[var.index()] = None;
        }
        let start = self.fresh_loc();
        let leave = self.fresh_loc();
        self.fun.leave = leave;
        self.resume(start);
        self.result(signature.ret);
        for &param in &info.params {
            self.parameter(param);
        }
        self.check_promises(id);
        for &local in &info.locals {
            self.make_home(local);
        }
        if signature.variadic {
            let varargs = self.local("$varargs", self.program.machine.pointer_sort());
            self.fun.varargs = Some(varargs);
            self.fun.graph.params.push(varargs);
        }
        self.note_contract(id);
        self.claims_before(id);
        if let Some(body) = &info.body {
            self.statement(body);
        }
        self.fun.span = end_of(info.body.as_ref().map_or(info.span, |b| b.span));
        self.fall_off(id, is_entry);
        self.resolve_gotos();
        self.resolve_flights();
        self.prologue(start);
        self.epilogue(id, leave);
        let finished = self.swap_function(outer);
        self.program.functions[func] = compact(finished.graph, &self.program.terms);
    }

    fn result(&mut self, ret: cfront::types::Ty) {
        match self.sort(ret) {
            Some(sort) => self.fun.graph.result = Some(self.local("$result", sort)),
            None if self.unit.types.is_void(ret) => {}
            None => {
                let address = self.local("$result_address", self.program.machine.pointer_sort());
                self.fun.result_address = Some(address);
                self.fun.graph.params.push(address);
            }
        }
    }

    fn parameter(&mut self, id: VarId) {
        let unit = self.unit;
        let var = &unit.vars[id];
        match (self.sort(var.ty), var.address_taken) {
            (Some(_), false) => {
                if let Home::Scalar(v) = self.make_home(id) {
                    self.fun.graph.params.push(v);
                }
            }
            // Copied into an object at the start.
            (Some(sort), true) => {
                let name = format!("{}::{}", self.fun.graph.name, var.name);
                let incoming = self.program.add_var(&name, sort, VarKind::Local(self.fun.func), self.source_var(id));
                self.fun.graph.params.push(incoming);
                let Home::Object(address) = self.make_home(id) else { return };
                let bytes = self.storage(var.ty);
                let size = unit.types.size_of(var.ty).unwrap_or(bytes.into());
                self.alloc_stack(address, size);
                self.fun.live.push(Local::Object(address, Some(size)));
                let addr = self.address(&Memory::at(self.term(address)));
                let value = self.term(incoming);
                self.emit(Op::Store { addr, value, bytes });
                self.set_captured(id, address);
            }
            // The caller's copy.
            (None, _) => {
                if let Home::Object(address) = self.make_home(id) {
                    self.fun.graph.params.push(address);
                    self.set_captured(id, address);
                }
            }
        }
    }

    /// Control reaches the closing brace.
    fn fall_off(&mut self, id: FuncId, is_entry: bool) {
        match self.fun.graph.result {
            Some(result) if is_entry && self.unit.funcs[id].name == "main" => {
                let zero = self.dummy(self.fun.ret);
                self.assign(result, zero);
            }
            Some(_) => self.arbitrary_result(),
            None => {}
        }
        self.leave_function();
    }

    fn prologue(&mut self, start: cfa::Loc) {
        let entry = self.fun.graph.entry;
        self.resume(entry);
        self.no_landings();
        if !self.fun.allocas.is_empty() {
            let null = self.word(0);
            let pairs = self.fun.allocas.iter().map(|v| (*v, null)).collect();
            self.emit(Op::Assign(pairs));
        }
        self.step_to(start);
    }

    fn epilogue(&mut self, id: FuncId, leave: cfa::Loc) {
        self.resume(leave);
        if self.unit.funcs[id].noreturn {
            let flight = self.unless_jumping(id);
            self.unsupported(format!("{}, declared not to return, which does", self.unit.funcs[id].name));
            if let Some(flight) = flight {
                self.resume(flight);
            }
        }
        self.check_result_promise(id);
        self.claims_after(id);
        for site in self.fun.allocas.clone() {
            let (addr, null) = (self.term(site), self.word(0));
            let unused = self.terms().eq(addr, null);
            let (end, next) = (self.fresh_loc(), self.fresh_loc());
            self.split(unused, next, end);
            self.resume(end);
            self.emit(Op::Dead { addr });
            self.continue_at(next);
        }
        let exit = self.fun.graph.exit;
        self.fun.graph.locs[exit].span = self.fun.span;
        self.step_to(exit);
    }
}

/// The last character of a span: where control falls off a function.
pub(crate) fn end_of(span: base::Span) -> base::Span {
    if span.is_nowhere() || span.end_col < 2 {
        return span;
    }
    base::Span { line: span.end_line, col: span.end_col - 1, ..span }
}
