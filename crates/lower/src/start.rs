//! The generated function `$start`: brings static memory to life, calls the entry function, ends the program.

use cfa::{EndKind, LocKind, ObjectKind, Op, Origin, Property, VarKind};
use cfront::hir::{Expr, ExprKind, FuncId, Init, StrId, Symbol, VarId};
use cfront::types::Type;
use term::{Sort, Term};

use crate::compact::compact;
use crate::context::{FuncKey, Home, Lowering};
use crate::function::end_of;
use crate::library;
use crate::names;
use crate::options::{ExternEffects, UninitGlobals};
use crate::place::{Memory, Place};
use crate::reach;

/// So many bytes has an object of unknown size, where that does not matter.
const UNKNOWN_SIZE: u64 = 1 << 16;

impl Lowering<'_> {
    /// A global variable of the lowering's own.
    pub(crate) fn generated_global(&mut self, name: &str, sort: Sort) -> cfa::Var {
        self.program.add_var(name, sort, VarKind::Global, None)
    }

    pub(crate) fn string_address(&mut self, id: StrId) -> Term {
        let var = match self.strings.get(&id) {
            Some(var) => *var,
            None => {
                let var = self
                    .generated_global(&format!("&$string{}", self.strings.len()), self.program.machine.pointer_sort());
                self.strings.insert(id, var);
                var
            }
        };
        self.term(var)
    }

    /// A zero-terminated string that the lowering itself needs.
    pub(crate) fn generated_string(&mut self, text: &[u8]) -> Term {
        let mut bytes = text.to_vec();
        bytes.push(0);
        let var = match self.generated_strings.get(&bytes) {
            Some(var) => *var,
            None => {
                let name = format!("&$text{}", self.generated_strings.len());
                let var = self.generated_global(&name, self.program.machine.pointer_sort());
                self.generated_strings.insert(bytes, var);
                var
            }
        };
        self.term(var)
    }

    pub(crate) fn function_address(&mut self, id: FuncId) -> Term {
        let id = crate::alias::target(self.unit, id);
        let var = match self.function_objects.get(&id) {
            Some(var) => *var,
            None => {
                let name = format!("&{}", self.unit.funcs[id].name);
                let var = self.generated_global(&name, self.program.machine.pointer_sort());
                self.function_objects.insert(id, var);
                var
            }
        };
        self.term(var)
    }

    /// Weak, and defined nowhere: its address may be null.
    pub(crate) fn may_be_absent(&self, symbol: Symbol) -> bool {
        match symbol {
            Symbol::Func(id) => self.unit.funcs[id].weak && self.unit.funcs[id].body.is_none(),
            Symbol::Var(id) => self.unit.vars[id].weak && !self.unit.vars[id].defined,
            Symbol::Str(_) | Symbol::Label(_) => false,
        }
    }

    /// A variable that the C library defines, and that has no model: its value is not any value.
    pub(crate) fn is_unmodelled_variable(&self, id: VarId) -> bool {
        let var = &self.unit.vars[id];
        !var.defined && var.func.is_none() && names::kind(&var.name).is_some()
    }

    pub(crate) fn require_present(&mut self, symbol: Symbol) {
        if self.may_be_absent(symbol) {
            let name = match symbol {
                Symbol::Func(id) => &self.unit.funcs[id].name,
                Symbol::Var(id) => &self.unit.vars[id].name,
                Symbol::Str(_) | Symbol::Label(_) => return,
            };
            self.unsupported(format!("the address of '{name}', which is weak and defined nowhere"));
        }
    }

    pub(crate) fn symbol_address(&mut self, symbol: Symbol) -> Term {
        self.require_present(symbol);
        match symbol {
            Symbol::Func(id) => self.function_address(id),
            Symbol::Str(id) => self.string_address(id),
            Symbol::Label(id) => self.word(crate::jump::label_number(id)),
            Symbol::Var(id) => match self.make_home(id) {
                Home::Object(address) => self.term(address),
                Home::Scalar(_) => {
                    self.unsupported("the address of a variable that the front end calls not addressable");
                    self.word(0)
                }
            },
        }
    }

    pub(crate) fn is_library(&self, id: FuncId) -> bool {
        let file = self.unit.sources.file(self.unit.funcs[id].span.file);
        file.is_some_and(|f| f.name.starts_with(library::FOLDER))
    }

    /// Variables that checks need from the start on.
    pub(crate) fn make_check_variables(&mut self) {
        let machine = self.program.machine;
        if self.options.checks(Property::ValidFree) || crate::dialect::asks_for_heap(self.unit, &self.reach) {
            self.heap = Some(self.generated_global("$heap", Sort::array(machine.object_sort(), Sort::Bool)));
        }
        if self.options.checks(Property::ValidMemtrack) || self.options.checks(Property::ValidMemcleanup) {
            self.watched = Some(self.generated_global(crate::WATCHED, machine.pointer_sort()));
        }
    }

    /// Everything else is built: the set-up code for all that it mentions.
    pub(crate) fn build_start(&mut self, entry: FuncId) {
        for (what, span) in &self.unit.unsupported {
            self.fun.span = *span;
            self.unsupported(what.clone());
        }
        self.refuse_interposed();
        self.fun.span = self.unit.funcs[entry].span;
        self.start_checks();
        self.start_moments();
        self.start_jumps();
        self.start_objects();
        self.globals_escape();
        self.start_scalars();
        for id in self.reach.vars.clone() {
            self.start_contents(id);
            self.watch_constant(id);
        }
        for id in reach::before_main(self.unit, entry) {
            self.call_alone((id, None));
        }
        let made = self.made_so_far();
        self.call_entry(entry);
        // Clauses of contracts may have asked for functions; what those mention must be there already.
        self.build_queue();
        if self.made_so_far() != made {
            self.unsupported("a clause of a contract that needs objects of its own");
        }
        self.call_at_exit();
        if self.options.checks(Property::ValidMemtrack) && self.checked.contains(&Property::ValidMemtrack) {
            let message =
                "valid-memtrack is checked where the program ends: an endless execution that loses memory is not seen";
            self.program.notes.push(base::Diagnostic::note(None, message));
        }
        self.check_leaks(false);
        let exit = self.fun.graph.exit;
        self.fun.graph.locs[exit].kind = LocKind::End(EndKind::Return);
        let info = &self.unit.funcs[entry];
        self.fun.graph.locs[exit].span = end_of(info.body.as_ref().map_or(info.span, |body| body.span));
        self.note_initial_values();
        self.step_to(exit);
        self.resolve_flights();
        self.fun.graph.result = Some(self.exit_code);
        let graph = std::mem::replace(&mut self.fun.graph, cfa::Function::new("", base::Span::nowhere()));
        self.program.functions[self.fun.func] = compact(graph, &self.program.terms);
    }

    /// Callers of an entry other than `main` may have changed what globals start with.
    fn note_initial_values(&mut self) {
        let unit = self.unit;
        if self.options.entry == "main" {
            return;
        }
        let starts_definite = |id: &&VarId| {
            let var = &unit.vars[**id];
            !var.generated && !var.ty.is_const() && !self.starts_arbitrary(**id) && !self.is_library_var(**id)
        };
        let names: Vec<&str> =
            self.reach.vars.iter().filter(starts_definite).map(|id| unit.vars[*id].name.as_str()).collect();
        if let Some(first) = names.first() {
            let more = if names.len() > 1 { " and others" } else { "" };
            let message = format!(
                "'{first}'{more} has its initial value where {} is entered (--uninit-globals nondet: any, where there is no \
                 initialiser)",
                self.options.entry
            );
            self.program.notes.push(base::Diagnostic::note(None, message));
        }
    }

    fn start_checks(&mut self) {
        self.start_bases();
        let mut pairs = Vec::new();
        if let Some(heap) = self.heap {
            let sort = self.program.machine.object_sort();
            let no = self.terms().ff();
            pairs.push((heap, self.terms().const_array(sort, no)));
        }
        for var in self.readable.clone() {
            pairs.push((var, self.word(0)));
        }
        for var in self.watched.into_iter().chain(self.watched_constant) {
            pairs.push((var, self.word(0)));
        }
        if !pairs.is_empty() {
            self.emit(Op::Assign(pairs));
        }
        self.start_tables();
    }

    /// Gives every static object its address.
    fn start_objects(&mut self) {
        for (id, dst) in self.function_objects.clone() {
            let (size, name) = (self.word(0), self.unit.funcs[id].name.clone());
            let kind = if self.is_noticed(id) { ObjectKind::Callback } else { ObjectKind::Function };
            self.emit(Op::Alloc { dst, size, kind, name });
        }
        for (id, dst) in self.strings.clone() {
            let size = self.string_size(id);
            let text: String = self.string_text(id).chars().take(20).collect();
            let kind = if self.guarded.contains(&id) { ObjectKind::Literal } else { ObjectKind::Static };
            self.static_object(dst, size, kind, format!("{text:?}"));
            let memory = Memory::object(self.term(dst), Some(size));
            let bytes = self.unit.types.size_of(self.unit.strings[id].elem).unwrap_or(1);
            let units = &self.unit.strings[id].units;
            let characters = self.characters(units, 8 * bytes as u32);
            for (i, value) in characters.into_iter().enumerate().filter(|(i, _)| units[*i] != 0) {
                self.store_value(&memory, i as u64 * bytes, value, bytes as u32);
            }
        }
        for (bytes, dst) in self.generated_strings.clone() {
            let text = String::from_utf8_lossy(&bytes[..bytes.len() - 1]).into_owned();
            self.static_object(dst, bytes.len() as u64, ObjectKind::Static, format!("{text:?}"));
            let memory = Memory::object(self.term(dst), Some(bytes.len() as u64));
            for (i, byte) in bytes.iter().enumerate().filter(|(_, byte)| **byte != 0) {
                self.store_number(&memory, i as u64, u128::from(*byte), 1);
            }
        }
        for id in self.reach.vars.clone() {
            let Home::Object(dst) = self.make_home(id) else { continue };
            // Arbitrary contents are those of a stack object that never ends; what another file has put there may be pointers.
            let is_arbitrary = self.starts_arbitrary(id);
            let kind = if is_arbitrary { ObjectKind::Stack } else { ObjectKind::Static };
            self.program.vars[dst].raw |= is_arbitrary;
            let name = self.unit.vars[id].name.clone();
            match self.object_size(id) {
                Some(size) => self.static_object(dst, size, kind, name),
                // Another file knows the size. What is defined with fewer bytes is defined with more.
                None => self.static_object(dst, UNKNOWN_SIZE, kind, name),
            }
            self.align_variable(id);
        }
    }

    pub(crate) fn static_object(&mut self, dst: cfa::Var, size: u64, kind: ObjectKind, name: String) {
        let size = self.word(size);
        self.emit(Op::Alloc { dst, size, kind, name });
    }

    /// Has it no known initial value?
    fn starts_arbitrary(&self, id: VarId) -> bool {
        let var = &self.unit.vars[id];
        !var.defined
            || self.is_any_at_start(id)
            || var.init.is_none() && self.options.uninit_globals == UninitGlobals::Nondet && !self.is_library_var(id)
    }

    pub(crate) fn is_library_var(&self, id: VarId) -> bool {
        let file = self.unit.sources.file(self.unit.vars[id].span.file);
        file.is_some_and(|f| f.name.starts_with(library::FOLDER))
    }

    /// All static scalars at once, then the arbitrary ones.
    fn start_scalars(&mut self) {
        let unit = self.unit;
        let mut pairs = Vec::new();
        let mut arbitrary = Vec::new();
        for id in self.reach.vars.clone() {
            let Home::Scalar(var) = self.make_home(id) else { continue };
            if self.starts_arbitrary(id) {
                arbitrary.push((var, id));
                continue;
            }
            let value = match &unit.vars[id].init {
                Some(Init::Value(e)) => self.value(e),
                Some(Init::Parts(parts, _)) if !parts.is_empty() => self.value(&parts[0].value),
                _ => self.dummy(unit.vars[id].ty),
            };
            pairs.push((var, value));
        }
        if !pairs.is_empty() {
            self.emit(Op::Assign(pairs));
        }
        for (var, id) in arbitrary {
            let info = &unit.vars[id];
            let origin = if self.points_anywhere(id) {
                self.meets_outside = true;
                Origin::Extern(info.name.clone())
            } else if info.defined || self.is_unmodelled_variable(id) {
                Origin::Uninitialised(info.name.clone())
            } else {
                let message = format!("no definition of '{}': assumed to have any value", info.name);
                self.program.notes.push(base::Diagnostic::note(Some(info.span), message));
                Origin::Extern(info.name.clone())
            };
            self.emit(Op::Havoc { vars: vec![var], origin });
            if matches!(unit.types[info.ty], Type::Bool) {
                let value = self.as_truth_value(self.term(var));
                self.emit(Op::Assign(vec![(var, value)]));
            }
        }
    }

    /// Whether the variable starts with pointers to whatever there is.
    fn points_anywhere(&self, id: VarId) -> bool {
        let var = &self.unit.vars[id];
        var.defined
            && !self.is_any_at_start(id)
            && self.starts_arbitrary(id)
            && self.options.extern_effects == ExternEffects::Any
            && self.has_pointers(var.ty)
    }

    /// The initialiser of a static object; it is zero already.
    fn start_contents(&mut self, id: VarId) {
        let unit = self.unit;
        let Home::Object(address) = self.make_home(id) else { return };
        let size = self.object_size(id);
        let memory = Memory::object(self.term(address), size);
        let is_zero = |e: &Expr| matches!(e.kind, ExprKind::Int(0));
        if self.points_anywhere(id) {
            self.unsupported(format!("any value of '{}', which holds pointers", unit.vars[id].name));
        }
        match &unit.vars[id].init {
            _ if self.is_any_at_start(id) => {}
            None => {}
            Some(Init::Value(e)) if is_zero(e) => {}
            Some(Init::Value(e)) if self.sort(unit.vars[id].ty).is_some() => {
                let value = self.value(e);
                self.write(&Place::Memory(memory), value, unit.vars[id].ty, e);
            }
            Some(init @ Init::Value(_)) => self.initialise(id, init),
            Some(Init::Parts(parts, _)) => {
                for part in parts.iter().filter(|p| !is_zero(&p.value)) {
                    self.store_part(&memory, part, size.unwrap_or(0));
                }
            }
        }
    }

    /// How many static objects have been thought of.
    fn made_so_far(&self) -> [usize; 5] {
        [
            self.strings.len(),
            self.generated_strings.len(),
            self.function_objects.len(),
            self.tables.len(),
            self.last_calls.len(),
        ]
    }

    fn call_entry(&mut self, entry: FuncId) {
        if self.options.contracts.check {
            self.refuse_global_pointers();
            return self.call_checked(entry);
        }
        let unit = self.unit;
        let info = &unit.funcs[entry];
        let Some(signature) = unit.types.function(info.ty) else { return };
        let mut args = Vec::new();
        if self.sort(signature.ret).is_none() && !unit.types.is_void(signature.ret) {
            let object = self.record_temp(signature.ret);
            args.push(object.base);
        }
        for (i, param) in info.params.iter().enumerate() {
            let arg = match (i, self.sort(unit.vars[*param].ty)) {
                (0, Some(Sort::Bv(width))) if info.name == "main" => self.argc(width),
                (1.., _) if info.name == "main" => self.argv(i),
                _ => self.entry_argument(*param),
            };
            args.push(arg);
        }
        self.fun.span = info.span;
        if info.name != "main" {
            self.note_environment(entry);
        }
        if signature.variadic {
            args.push(self.word(0));
        }
        let callee = self.function_for((entry, None));
        let value = self.sort(signature.ret).map(|sort| self.temp(sort));
        self.emit(Op::Call { callee, args, dst: value });
        self.returned = value.map(|value| self.term(value));
        self.look_for_jump(entry);
        if let (Some(value), true) = (value, unit.types.is_integer(signature.ret)) {
            let value = self.term(value);
            self.set_exit_code(value, self.is_signed(signature.ret));
        }
    }

    /// Calls a function that nobody calls by name: a constructor, a destructor, what `atexit` asked for.
    fn call_alone(&mut self, key: FuncKey) {
        let info = &self.unit.funcs[key.0];
        if !info.params.is_empty() {
            self.unsupported(format!("the constructor or destructor '{}' with parameters", info.name));
            return;
        }
        let result = self.unit.types.function(info.ty).and_then(|f| self.sort(f.ret));
        let dst = result.map(|sort| self.temp(sort));
        let callee = self.function_for(key);
        self.emit(Op::Call { callee, args: Vec::new(), dst });
        self.look_for_jump(key.0);
    }

    /// The model's function that calls what `atexit` was given, where the program uses it.
    pub(crate) fn exit_handlers(&self) -> Option<FuncKey> {
        let id = self.unit.func("__foldback_run_exit_handlers")?;
        (self.reach.funcs.contains(&id) && self.unit.funcs[id].body.is_some()).then_some((id, Some(false)))
    }

    /// What a normal end of the program, by a return from `main` or by `exit`, calls.
    pub(crate) fn call_at_exit(&mut self) {
        if let Some(handlers) = self.exit_handlers() {
            self.call_alone(handlers);
        }
        let Some(entry) = self.unit.func(&self.options.entry) else { return };
        for id in reach::after_main(self.unit, entry) {
            self.call_alone((id, None));
        }
    }

    /// What the program gives back to its environment.
    pub(crate) fn set_exit_code(&mut self, value: Term, signed: bool) {
        let code = self.terms().resize(value, 32, signed);
        self.assign(self.exit_code, code);
    }
}
