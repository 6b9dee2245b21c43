//! Names with linkage: declarations of variables and functions are merged, within a file and across files.
//!
//! A name is looked up among the file's internal symbols, then among the program's external ones. Each file keeps its own
//! view of the type (in its scopes); the tables hold that of the definition.

use base::{Diagnostic, Id, Span};
use std::path::{Component, Path, PathBuf};

use crate::Linking;
use crate::hir::{ExprKind, Func, FuncId, Stmt, StmtKind, Storage, Symbol, VarId};
use crate::token::Name;
use crate::types::{FunctionType, Len, Ty, Type};

use super::scope::Entity;
use super::spec::StorageClass;
use super::typed::expr;
use super::{Parser, Res};

/// How names that goto-cc exports begin.
pub(crate) const FILE_LOCAL: &str = "__CPROVER_file_local_";

/// By which name other files can reach what is `static` in this one.
pub(crate) fn exported_name(file: &str, name: &str) -> Option<String> {
    let file = std::path::Path::new(file).file_name()?.to_string_lossy();
    let word: String = file.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    Some(format!("{FILE_LOCAL}{word}_{name}"))
}

/// Whether a function of this name, in this file, loses its body: by which name it was called then.
pub(crate) fn removal(linking: &Linking, file: Option<&str>, name: &str) -> Option<Removal> {
    let exported = file.and_then(|file| exported_name(file, name));
    let listed =
        |list: &[String]| list.iter().find(|known| *known == name || exported.as_ref() == Some(known)).cloned();
    match listed(&linking.remove_bodies) {
        Some(removed) => Some(Removal::Named(removed)),
        None => (!linking.only_bodies.is_empty() && listed(&linking.only_bodies).is_none()).then_some(Removal::Other),
    }
}

/// Why a body is left out.
pub(crate) enum Removal {
    /// The user says so, by this name.
    Named(String),
    /// It is not among those that are kept.
    Other,
}

/// What the code around a program (crt1.o, crti.o, crtbegin.o, the loader) calls where the program defines it. Names like `_start` are not
/// here: they are there already, and a program that defines them is not linked that way.
const CALLED_AT_THE_START: [&str; 8] = [
    "__gmon_start__",
    "__libc_start_main",
    "__libc_csu_init",
    "__libc_csu_fini",
    "__cxa_finalize",
    "_ITM_registerTMCloneTable",
    "_ITM_deregisterTMCloneTable",
    "__register_frame_info",
];

impl Parser {
    /// What the linker calls it: another name where `asm("name")` or `weakref` says so.
    fn symbol_name(&self, name: Name) -> Name {
        self.symbol_names.get(&name).copied().unwrap_or(name)
    }

    fn symbol(&self, name: Name, internal: bool) -> Option<Symbol> {
        let name = self.symbol_name(name);
        let inside = self.internals.get(&name).copied();
        if internal { inside } else { inside.or_else(|| self.externals.get(&name).copied()) }
    }

    fn conflict<T>(&mut self, name: Name, span: Span, what: &str) -> Res<T> {
        let text = self.text_of(name);
        let other = match self.symbol(name, false) {
            Some(Symbol::Func(id)) => Some(self.funcs[id].span),
            Some(Symbol::Var(id)) => Some(self.var(id).span),
            _ => None,
        };
        self.clash(span, format!("{what} '{text}'"), other);
        Err(super::Fatal)
    }

    /// An error about two places.
    pub(super) fn clash(&mut self, span: Span, message: String, other: Option<Span>) {
        let mut error = Diagnostic::error(span, message);
        if let Some(other) = other
            && let Some(file) = self.file_names.get(other.file.index())
        {
            error = error.with_help(format!("the other one is at {file}:{}:{}", other.line, other.col));
        }
        if self.errors.len() < super::MAX_ERRORS {
            self.errors.push(error);
        }
    }

    /// A second definition is an error, but for that of a header that several files include: as goto-cc links, the first counts.
    pub(super) fn redefinition(&mut self, symbol: Symbol, name: Name, span: Span, other: Span) {
        let text = self.text_of(name);
        if self.defined_here.contains(&symbol) {
            self.clash(span, format!("redefinition of '{text}'"), Some(other));
        } else if self.is_same_place(span, other) {
            let message = format!("'{text}' is defined here for several files, of which the first one counts");
            self.notes.push(Diagnostic::note(Some(span), message));
        } else {
            self.second_here.push((symbol, name, span, other));
        }
    }

    /// At the end of a file: what it defined although another file had, and did not declare weak.
    pub(super) fn refuse_second_definitions(&mut self) {
        for (symbol, name, span, other) in std::mem::take(&mut self.second_here) {
            if !self.weak_here.contains(&symbol) {
                let text = self.text_of(name);
                self.clash(span, format!("redefinition of '{text}'"), Some(other));
            }
        }
    }

    /// This file declares the symbol weak, before it defines it or behind that: as compilers, which say it in the object file
    /// once. Says whether a definition that was read already is weak.
    pub(super) fn declared_weak(&mut self, symbol: Symbol, span: Span) -> bool {
        if !self.weak_here.insert(symbol) {
            return false;
        }
        let counts = self.counts_here.get(&symbol).copied();
        if counts == Some(true) {
            // The first of two weak ones counts, which is gone.
            self.error(span, "declared weak behind its definition, of which another file has a weak one: not modelled");
        }
        counts.is_some()
    }

    /// Whether it is the same text, read for two files.
    pub(super) fn is_same_place(&self, a: Span, b: Span) -> bool {
        let place = |span: Span| {
            let name = self.file_names.get(span.file.index()).map(|name| without_detours(name));
            (name, span.line, span.col)
        };
        place(a) == place(b)
    }

    /// By which name other files can reach what is `static` here: as goto-cc exports it.
    fn exported_name(&mut self, name: Name, span: Span) -> Option<Name> {
        let text = exported_name(self.file_names.get(span.file.index())?, self.names.text(name))?;
        Some(self.names.intern(text.as_bytes()))
    }

    /// What another file has declared by the name under which this file exports its `name`.
    fn wanted_elsewhere(&mut self, name: Name, span: Span) -> Option<Symbol> {
        let exported = self.exported_name(name, span)?;
        let symbol = *self.externals.get(&exported)?;
        let text = self.text_of(name);
        match symbol {
            // Of two files with the same name the first one is meant.
            Symbol::Func(id) if !self.funcs[id].internal => {
                self.funcs[id].internal = true;
                self.funcs[id].name = text;
            }
            Symbol::Var(id) if self.var(id).storage == Storage::Extern => {
                let var = self.var_mut(id);
                var.storage = Storage::Static;
                var.name = text;
            }
            _ => return None,
        }
        self.internals.insert(self.symbol_name(name), symbol);
        Some(symbol)
    }

    fn export(&mut self, name: Name, symbol: Symbol, span: Span) {
        if let Some(exported) = self.exported_name(name, span) {
            self.externals.entry(exported).or_insert(symbol);
        }
    }

    /// Whether a function's body is to be left out, and another's (or none) taken.
    pub(super) fn is_removed(&mut self, name: Name, span: Span) -> bool {
        if self.linking == Linking::default() {
            return false;
        }
        let file = self.file_names.get(span.file.index()).map(String::as_str);
        match removal(&self.linking, file, self.names.text(name)) {
            Some(Removal::Named(removed)) => {
                self.removed.insert(removed);
                true
            }
            Some(Removal::Other) => true,
            None => false,
        }
    }

    /// Says which functions have no body that could be removed.
    pub(crate) fn check_removed(&mut self, linking: &Linking) {
        for name in linking.remove_bodies.iter().filter(|name| !self.removed.contains(*name)) {
            self.notes.push(Diagnostic::note(None, format!("no file defines '{name}', whose body is to be removed")));
        }
    }

    /// The type this file has given the symbol so far.
    fn view(&self, name: Name, symbol: Symbol) -> Option<Ty> {
        match (self.scopes.lookup(name)?, symbol) {
            (Entity::Var(id, ty), Symbol::Var(known)) if id == known => Some(ty),
            (Entity::Func(id, ty), Symbol::Func(known)) if id == known => Some(ty),
            _ => None,
        }
    }

    /// A variable with linkage is declared; `defines` when this declaration is a definition (tentative or not).
    pub(super) fn declare_linked_var(
        &mut self,
        name: Name,
        ty: Ty,
        storage: Option<StorageClass>,
        defines: bool,
        span: Span,
    ) -> Res<VarId> {
        let internal = storage == Some(StorageClass::Static);
        if internal && !self.internals.contains_key(&self.symbol_name(name)) && self.view_is_external(name) {
            return self.conflict(name, span, "static declaration follows non-static declaration of");
        }
        let known = self.symbol(name, internal).or_else(|| internal.then(|| self.wanted_elsewhere(name, span))?);
        let (id, view) = match known {
            Some(Symbol::Var(id)) => {
                if storage.is_none() && self.var(id).storage == Storage::Static {
                    return self.conflict(name, span, "non-static declaration follows static declaration of");
                }
                let view = match self.view(name, Symbol::Var(id)) {
                    Some(view) if view.qualifiers() == ty.qualifiers() && self.types.compatible(view, ty) => {
                        self.types.composite(view, ty)
                    }
                    Some(_) => return self.conflict(name, span, "conflicting types for"),
                    None => {
                        self.check_across_files(name, self.var(id).ty, ty, span)?;
                        ty
                    }
                };
                (id, view)
            }
            Some(_) => return self.conflict(name, span, "redeclared as a different kind of symbol:"),
            None => {
                let kind = if internal { Storage::Static } else { Storage::Extern };
                let linked = self.symbol_name(name);
                let text = self.text_of(linked);
                let id = self.new_var(text, ty, kind, span);
                let var = self.var_mut(id);
                var.defined = false;
                var.func = None;
                let table = if internal { &mut self.internals } else { &mut self.externals };
                table.insert(linked, Symbol::Var(id));
                if internal {
                    self.export(name, Symbol::Var(id), span);
                }
                (id, ty)
            }
        };
        let incomplete = !self.types.is_complete(self.var(id).ty);
        let var = self.var_mut(id);
        if (defines && !var.defined) || incomplete {
            var.ty = view;
        }
        if defines && !var.defined {
            var.span = span;
        }
        var.defined |= defines;
        self.scopes.declare(name, Entity::Var(id, view), span);
        Ok(id)
    }

    fn view_is_external(&self, name: Name) -> bool {
        match self.scopes.lookup(name) {
            Some(Entity::Var(id, _)) => self.var(id).storage == Storage::Extern,
            Some(Entity::Func(id, _)) => !self.funcs[id].internal && !self.funcs[id].implicit,
            _ => false,
        }
    }

    /// Files may disagree about details, but not about how large an object is, nor about whether it is a number with a point.
    fn check_across_files(&mut self, name: Name, known: Ty, ty: Ty, span: Span) -> Res<()> {
        if self.types.is_float(known) != self.types.is_float(ty) {
            return self.conflict(name, span, "another file declares a variable of another type:");
        }
        if let (Some(a), Some(b)) = (self.types.size_of(known), self.types.size_of(ty))
            && a != b
        {
            return self.conflict(name, span, "another file declares a variable of a different size:");
        }
        Ok(())
    }

    /// A function is declared (not necessarily defined).
    pub(super) fn declare_function(
        &mut self,
        name: Name,
        ty: Ty,
        storage: Option<StorageClass>,
        span: Span,
    ) -> Res<FuncId> {
        let mut internal = storage == Some(StorageClass::Static);
        if internal && !self.internals.contains_key(&self.symbol_name(name)) && self.view_is_external(name) {
            // An error in C, which other verifiers let pass.
            let text = self.text_of(name);
            let message = format!("'{text}' is declared static here and was not before: taken as not static");
            self.notes.push(Diagnostic::note(Some(span), message));
            internal = false;
        }
        let ty = ty.unqualified();
        let known = self.symbol(name, internal).or_else(|| internal.then(|| self.wanted_elsewhere(name, span))?);
        let (id, view) = match known {
            Some(Symbol::Func(id)) => {
                let implicit = self.called_only.contains(&name);
                let view = match self.view(name, Symbol::Func(id)) {
                    Some(view) if self.types.compatible(view, ty) => self.types.composite(view, ty),
                    // An error in C, too, that goto-cc lets pass: callers see no difference.
                    Some(view) if self.types.alike(view, ty) => {
                        let text = self.text_of(name);
                        let message =
                            format!("'{text}' was declared before with other qualifiers of what is pointed to");
                        self.notes.push(Diagnostic::note(Some(span), message));
                        ty
                    }
                    Some(_) if !implicit => return self.conflict(name, span, "conflicting types for"),
                    _ => ty,
                };
                (id, view)
            }
            Some(_) => return self.conflict(name, span, "redeclared as a different kind of symbol:"),
            None => {
                let linked = self.symbol_name(name);
                let text = self.text_of(linked);
                let id = self.new_func(text, ty, internal, span);
                let table = if internal { &mut self.internals } else { &mut self.externals };
                table.insert(linked, Symbol::Func(id));
                if internal {
                    self.export(name, Symbol::Func(id), span);
                }
                (id, ty)
            }
        };
        let text = self.text_of(name);
        let func = &mut self.funcs[id];
        if !func.written.contains(&text) {
            func.written.push(text);
        }
        if func.body.is_none() {
            func.ty = view;
            func.span = span;
        }
        func.implicit = false;
        self.called_only.remove(&name);
        self.scopes.declare(name, Entity::Func(id, view), span);
        Ok(id)
    }

    pub(super) fn new_func(&mut self, name: String, ty: Ty, internal: bool, span: Span) -> FuncId {
        self.funcs.push(Func::declared(name, ty, internal, span))
    }

    /// A function used without declaration: the library's prototype where we know one, else `int f()`.
    pub(super) fn implicit_function(&mut self, name: Name, span: Span) -> crate::hir::Expr {
        let text = self.text_of(name);
        let ty = match self.library_type(&text) {
            Some(ty) => {
                if text.starts_with("__VERIFIER_nondet_") {
                    let shown = self.types.declare(ty, &text);
                    let message = format!("'{text}' is not declared: taken for {shown}, as its name says");
                    self.notes.push(base::Diagnostic::note(Some(span), message));
                }
                ty
            }
            None => {
                let ret = self.types.int();
                self.types.intern(Type::Function(FunctionType {
                    ret,
                    params: Vec::new(),
                    variadic: false,
                    prototyped: false,
                }))
            }
        };
        let id = match self.externals.get(&name) {
            Some(Symbol::Func(id)) => *id,
            _ => {
                let id = self.new_func(text, ty, false, span);
                self.funcs[id].implicit = true;
                self.externals.insert(name, Symbol::Func(id));
                id
            }
        };
        self.called_only.insert(name);
        self.scopes.declare_at_file_scope(name, Entity::Func(id, ty), span);
        expr(ExprKind::Func(id), ty, span)
    }

    /// `int a[];` that no file ever completed has one element.
    pub(super) fn complete_tentative_arrays(&mut self) {
        for index in 0..self.vars.len() {
            let ty = self.vars[index].ty;
            if self.vars[index].storage.is_static()
                && self.vars[index].defined
                && let Type::Array(of, Len::Unknown) = self.types[ty]
            {
                self.vars[index].ty = self.types.array(of, Len::Const(1));
            }
            let var = &self.vars[index];
            if var.storage.is_static() && var.defined && self.types.is_record(var.ty) && !self.types.is_complete(var.ty)
            {
                let (span, message) = (var.span, format!("the size of '{}' is not known", var.name));
                self.error(span, message);
            }
        }
    }

    /// What runs without being called from the program (`main` and constructors do, and that is modelled): who defines one of
    /// these gets it called, or called instead of `main`.
    pub(super) fn refuse_functions_of_the_start(&mut self) {
        let is_defined = |func: &&Func| (func.body.is_some() || func.alias_of.is_some()) && !func.internal;
        let found = self.funcs.values().filter(is_defined).filter(|func| CALLED_AT_THE_START.contains(&&*func.name));
        let found = found
            .map(|func| (format!("a function called '{}', which the start of programs calls", func.name), func.span));
        self.unsupported.extend(found);
    }

    /// A function declared as an alias gets a body that calls its target.
    pub(super) fn resolve_aliases(&mut self) {
        for (alias, target, span) in std::mem::take(&mut self.aliases) {
            if self.funcs[alias].body.is_some() {
                continue;
            }
            let target_id = match self.externals.get(&target) {
                Some(Symbol::Func(id)) => Some(*id),
                _ => {
                    let text = self.text_of(target);
                    self.funcs.iter().find(|(_, f)| f.name == text).map(|(id, _)| id)
                }
            };
            let ty = self.funcs[alias].ty;
            let forwards = target_id.filter(|&t| self.types.compatible(self.funcs[t].ty, ty));
            let (Some(target), Some(f)) = (forwards, self.types.function(ty).cloned()) else {
                self.unsupported.push(("alias attribute with an unknown or different target".to_owned(), span));
                continue;
            };
            if f.variadic {
                self.unsupported.push(("alias of a variadic function".to_owned(), span));
                continue;
            }
            let params: Vec<VarId> = f
                .params
                .iter()
                .enumerate()
                .map(|(i, &param)| {
                    let var = self.new_var(format!("p{i}"), param, Storage::Param, span);
                    self.var_mut(var).func = Some(alias);
                    var
                })
                .collect();
            let args = params
                .iter()
                .map(|&p| {
                    let place = self.var_node(p, span);
                    self.rvalue(place)
                })
                .collect();
            let callee = expr(ExprKind::Func(target), self.funcs[target].ty, span);
            let callee = Box::new(self.function_value(callee));
            let call = expr(ExprKind::Call { callee, args }, f.ret.unqualified(), span);
            let stmt = |kind| Stmt { kind, span };
            let body = if self.types.is_void(f.ret) {
                vec![stmt(StmtKind::Expr(call)), stmt(StmtKind::Return(None))]
            } else {
                vec![stmt(StmtKind::Return(Some(call)))]
            };
            self.funcs[alias].params = params;
            self.funcs[alias].alias_of = Some(target);
            self.funcs[target].address_taken |= self.funcs[alias].address_taken;
            self.funcs[alias].body = Some(stmt(StmtKind::Block(body)));
        }
    }
}

/// The path without `folder/..`.
fn without_detours(path: &str) -> PathBuf {
    let mut short = PathBuf::new();
    for part in Path::new(path).components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if matches!(short.components().next_back(), Some(Component::Normal(_))) => {
                short.pop();
            }
            _ => short.push(part),
        }
    }
    short
}
