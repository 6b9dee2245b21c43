//! Arguments for an entry function that is not `main`: any number for a number; for a pointer, NULL or the address of one
//! object of its own, whose contents are any in the same way; for a parameter declared as an array, `[static N]`, the address of N of them.
//!
//! What this leaves out is said as a note: pointers to the middle or the beginning of an array, arguments that point to the
//! same object, strings. A pointer to a function is NULL or points at a function without body, one for each type. A parameter
//! that is a pointer to `void`, or to a type that is declared and not defined, points at one byte. Where an object has further
//! pointers they are followed a little; what lies deeper, and what pointers to `void` hold there, is arbitrary memory that
//! nobody initialised.

use crate::context::{Lowering, sort_of};
use crate::place::{Memory, Place};
use base::Diagnostic;
use cfa::{EndKind, LocKind, ObjectKind, Op, Origin, SourceVar, VarKind};
use cfront::hir::{Func, FuncId, Unit, VarId};
use cfront::types::{Ty, Type};
use std::collections::BTreeSet;
use term::{Sort, Term};

/// So many pointers one behind the other get objects.
const DEEPEST: u32 = 3;
/// So many parts of an object are inputs with names; the others are arbitrary too.
const MOST_PARTS: u64 = 64;

/// Whether arguments can be made up for the function: the size of the largest object among them.
pub(crate) fn check(unit: &Unit, entry: FuncId) -> Result<u64, Vec<Diagnostic>> {
    let info = &unit.funcs[entry];
    if info.name == "main" {
        return Ok(0);
    }
    let refused = |span, what: String| {
        let message = format!("the program cannot start at '{}': {what}", info.name);
        let help = "write a function that calls it with the arguments to check, and start there";
        vec![Diagnostic::error(span, message).with_help(help)]
    };
    if unit.types.function(info.ty).is_some_and(|signature| signature.variadic) {
        return Err(refused(info.span, "it takes any number of arguments".into()));
    }
    for param in &info.params {
        let var = &unit.vars[*param];
        let shown = unit.types.show(var.ty);
        let what = match unit.types.pointee(var.ty) {
            None if sort_of(unit, var.ty).is_none() && !unit.types.is_record(var.ty) => {
                "has a type that is not modelled"
            }
            None if matches!(unit.types[var.ty], Type::VaList) => "is a list of arguments",
            _ => continue,
        };
        return Err(refused(var.span, format!("its parameter '{}' ({shown}) {what}", var.name)));
    }
    let params = info.params.iter().map(|param| {
        let var = &unit.vars[*param];
        largest(unit, var.ty, 0).max(row(unit, *param).map_or(0, |(_, bytes)| bytes))
    });
    Ok(params.max().unwrap_or(0))
}

/// The elements that the parameter is promised to point to: their type, and how many bytes they have together.
fn row(unit: &Unit, param: VarId) -> Option<(Ty, u64)> {
    let var = &unit.vars[param];
    let of = unit.types.pointee(var.ty)?;
    Some((of, var.at_least?.checked_mul(unit.types.size_of(of)?)?))
}

/// What the names of functions that only the caller of an entry function has begin with: no names in C.
const OUTSIDE: &str = "a function of type ";

/// Functions that arguments of the entry function may point at, one for each type: they have no body.
pub(crate) fn add_functions(unit: &mut Unit, entry: &str) {
    let Some(entry) = unit.func(entry).filter(|id| unit.funcs[*id].name != "main") else { return };
    let mut seen = BTreeSet::new();
    for param in &unit.funcs[entry].params {
        functions_behind(unit, unit.vars[*param].ty, 0, &mut seen);
    }
    let span = unit.funcs[entry].span;
    for ty in seen.into_iter().map(|(ty, _)| ty).filter(|ty| unit.types.is_function(*ty)).collect::<BTreeSet<Ty>>() {
        let name = outside_name(unit, ty);
        if unit.func(&name).is_none() {
            unit.funcs.push(Func { address_taken: true, ..Func::declared(name, ty, false, span) });
        }
    }
}

/// The functions that `add_functions` added.
pub(crate) fn added_functions(unit: &Unit) -> impl Iterator<Item = FuncId> {
    unit.funcs.iter().filter(|(_, func)| func.name.starts_with(OUTSIDE)).map(|(id, _)| id)
}

fn outside_name(unit: &Unit, ty: Ty) -> String {
    format!("{OUTSIDE}{}", unit.types.show(ty))
}

/// The types of what something of this type may be or lead to, with how many pointers lead there.
fn functions_behind(unit: &Unit, ty: Ty, depth: u32, seen: &mut BTreeSet<(Ty, u32)>) {
    if !seen.insert((ty, depth)) {
        return;
    }
    let types = &unit.types;
    match (types.pointee(ty), types.element(ty), types.record(ty)) {
        (Some(to), _, _) if types.is_function(to) || depth < DEEPEST => functions_behind(unit, to, depth + 1, seen),
        (_, Some(element), _) => functions_behind(unit, element, depth, seen),
        (_, _, Some(id)) if !types.records[id].is_union => {
            types.records[id].fields.iter().for_each(|field| functions_behind(unit, field.ty, depth, seen));
        }
        _ => {}
    }
}

/// The size of the largest object that something of this type may be or lead to.
fn largest(unit: &Unit, ty: Ty, depth: u32) -> u64 {
    let types = &unit.types;
    let inside = match (types.pointee(ty), types.element(ty), types.record(ty)) {
        (Some(to), _, _) if depth < DEEPEST => largest(unit, to, depth + 1),
        (_, Some(element), _) => largest(unit, element, depth),
        (_, _, Some(id)) => {
            types.records[id].fields.iter().map(|field| largest(unit, field.ty, depth)).max().unwrap_or(0)
        }
        _ => 0,
    };
    inside.max(types.size_of(ty).unwrap_or(0))
}

/// A type of which the program says nothing: it can hand the address on, and look at it as something else.
fn is_opaque(unit: &Unit, ty: Ty) -> bool {
    unit.types.is_void(ty) || !unit.types.is_complete(ty) && !unit.types.is_function(ty)
}

impl Lowering<'_> {
    /// Any value for a parameter.
    pub(crate) fn entry_argument(&mut self, param: VarId) -> Term {
        let unit = self.unit;
        let var = &unit.vars[param];
        self.fun.span = var.span;
        match self.sort(var.ty) {
            Some(sort) => match row(unit, param) {
                Some((of, bytes)) => self.entry_row(&var.name, of, bytes),
                None => self.entry_value(&var.name, var.ty, sort, 0),
            },
            None => {
                let object = self.entry_object(&var.name, var.ty);
                self.fill(&object, &var.name, var.ty, 0, &mut { MOST_PARTS });
                object.base
            }
        }
    }

    pub(crate) fn entry_value(&mut self, name: &str, ty: Ty, sort: Sort, depth: u32) -> Term {
        match self.unit.types.pointee(ty) {
            Some(to) if self.unit.types.is_function(to) => self.entry_function(name, to),
            Some(to) => self.entry_pointer(name, to, depth),
            None => {
                let value = self.entry_number(name, ty, sort);
                match (&self.unit.types[ty], sort) {
                    (Type::Bool, Sort::Bv(width)) => {
                        let truth = self.truth(value);
                        self.terms().bool_to_bv(truth, width)
                    }
                    _ => value,
                }
            }
        }
    }

    /// An input that is shown as what it is: signed or not, by the name of what gets it.
    fn entry_number(&mut self, name: &str, ty: Ty, sort: Sort) -> Term {
        let source = SourceVar {
            name: name.to_owned(),
            ctype: self.unit.types.show(ty.unqualified()),
            signed: self.is_signed(ty) || self.unit.types.is_float(ty),
            pointer: false,
            span: self.fun.span,
            frame: base::Id::new(0),
        };
        let kind = VarKind::Local(self.fun.func);
        let var = self.program.add_var(&format!("$start::{name}"), sort, kind, Some(source));
        self.emit(Op::Havoc { vars: vec![var], origin: Origin::Input(name.to_owned()) });
        self.term(var)
    }

    /// NULL or an object of its own.
    fn entry_pointer(&mut self, name: &str, to: Ty, depth: u32) -> Term {
        let object = self.entry_object(&format!("*{name}"), to);
        let inside = if self.unit.types.is_record(to) { format!("{name}->") } else { format!("*{name}") };
        self.fill(&object, &inside, to, depth + 1, &mut { MOST_PARTS });
        let valid = self.havoc(Sort::Bool, Origin::Input(format!("{name} != NULL")));
        let null = self.word(0);
        self.terms().ite(valid, object.base, null)
    }

    /// So many elements of their own. More are allowed, but a function that needs them is wrong.
    fn entry_row(&mut self, name: &str, of: Ty, bytes: u64) -> Term {
        let object = self.entry_memory(&format!("*{name}"), bytes);
        let one = self.unit.types.size_of(of).unwrap_or(0);
        let mut parts = MOST_PARTS;
        for i in 0..bytes.checked_div(one).unwrap_or(0).min(MOST_PARTS) {
            let at = object.clone().plus((i * one).into());
            self.fill(&at, &format!("{name}[{i}]"), of, 1, &mut parts);
        }
        let there = self.havoc(Sort::Bool, Origin::Input(format!("{name} != NULL")));
        self.require(there, LocKind::End(EndKind::Blocked));
        object.base
    }

    /// NULL or a function that is no part of the program.
    fn entry_function(&mut self, name: &str, to: Ty) -> Term {
        let Some(function) = self.unit.func(&outside_name(self.unit, to)) else {
            self.unsupported(format!("'{name}', which points at a function"));
            return self.word(0);
        };
        let address = self.function_address(function);
        let valid = self.havoc(Sort::Bool, Origin::Input(format!("{name} != NULL")));
        let null = self.word(0);
        self.terms().ite(valid, address, null)
    }

    pub(crate) fn entry_object(&mut self, name: &str, ty: Ty) -> Memory {
        let types = &self.unit.types;
        let bytes = if is_opaque(self.unit, ty) { 1 } else { types.size_of(ty).unwrap_or(0) };
        self.entry_memory(name, bytes)
    }

    fn entry_memory(&mut self, name: &str, bytes: u64) -> Memory {
        let dst = self.temp(self.program.machine.pointer_sort());
        let size = self.word(bytes);
        // As memory on the stack it is arbitrary at first and not to be freed; nothing ends it.
        self.emit(Op::Alloc { dst, size, kind: ObjectKind::Stack, name: name.to_owned() });
        Memory::object(self.term(dst), Some(bytes))
    }

    /// Any contents. What it passes over is arbitrary already.
    fn fill(&mut self, memory: &Memory, name: &str, ty: Ty, depth: u32, parts: &mut u64) {
        let unit = self.unit;
        if let Some(sort) = self.sort(ty) {
            let target = unit.types.pointee(ty);
            let followed =
                target.is_none_or(|to| unit.types.is_function(to) || depth < DEEPEST && !is_opaque(unit, to));
            if *parts == 0 || !followed || matches!(unit.types[ty], Type::VaList) {
                self.pass_over(memory, ty);
                return;
            }
            *parts -= 1;
            let value = self.entry_value(name, ty, sort, depth);
            self.write_back(&Place::Memory(memory.clone()), value, ty);
        } else if let Some(element) = unit.types.element(ty) {
            let (Some(all), Some(one)) = (unit.types.size_of(ty), unit.types.size_of(element)) else { return };
            for i in 0..all.checked_div(one).unwrap_or(0) {
                if *parts == 0 {
                    self.pass_over(memory, element);
                    return;
                }
                let at = memory.clone().plus((i * one).into());
                self.fill(&at, &format!("{}[{i}]", name.trim_end_matches("->")), element, depth, parts);
            }
        } else if let Some(id) = unit.types.record(ty).filter(|id| !unit.types.records[*id].is_union) {
            for field in unit.types.records[id].fields.iter().filter(|field| field.bits.is_none()) {
                let at = memory.clone().plus(field.offset.into());
                let dot = if name.ends_with("->") { "" } else { "." };
                let name = field.name.as_ref().map_or_else(|| name.to_owned(), |own| format!("{name}{dot}{own}"));
                self.fill(&at, &name, field.ty, depth, parts);
            }
        } else {
            self.pass_over(memory, ty);
        }
    }

    /// Pointers that the caller has put there are its own.
    fn pass_over(&mut self, memory: &Memory, ty: Ty) {
        if let Some(object) = self.program.var_of(memory.base).filter(|_| self.has_pointers(ty)) {
            self.program.vars[object].raw = true;
        }
    }

    /// What an answer about the function says nothing of.
    pub(crate) fn note_environment(&mut self, entry: FuncId) {
        let unit = self.unit;
        let info = &unit.funcs[entry];
        let pointees = || info.params.iter().filter_map(|param| unit.types.pointee(unit.vars[*param].ty));
        let pointers = |param: &VarId| {
            let ty = unit.vars[*param].ty;
            unit.types.is_pointer(ty) || unit.types.is_record(ty)
        };
        if info.params.iter().any(pointers) {
            let bytes = match pointees().any(|to| is_opaque(unit, to)) {
                true => " (those to void and to what is not defined here at one byte)",
                false => "",
            };
            let rows = match info.params.iter().any(|param| row(unit, *param).is_some()) {
                true => " (those declared [static N] at N)",
                false => "",
            };
            let functions = match pointees().any(|to| unit.types.is_function(to)) {
                true => "; those to functions at one without body",
                false => "",
            };
            let message = format!(
                "the program starts at '{}' with any arguments; pointers are NULL or point at one object each{bytes}{rows}, never \
                 at arrays or at the same object{functions}",
                info.name,
            );
            self.program.notes.push(Diagnostic::note(Some(info.span), message));
        }
    }
}
