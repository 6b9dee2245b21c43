//! Declarations, at file scope and in blocks.

use base::{Id, Span};

use crate::hir::{BinaryOp, Expr, ExprKind, Init, Stmt, StmtKind, Storage, Symbol};
use crate::token::{Name, P, Tok, kw};
use crate::types::{Ty, Type};

use super::attribute::Attributes;
use super::declarator::{Declarator, Naming};
use super::scope::Entity;
use super::spec::{Specifiers, StorageClass};
use super::typed::expr;
use super::{Parser, Res};

/// A declarator with all that was said about it.
struct Declared {
    name: Name,
    span: Span,
    ty: Ty,
    attributes: Attributes,
    align: Option<u64>,
    storage: Option<StorageClass>,
    in_register: bool,
    /// The assembler knows it by a name of its own.
    labelled: bool,
}

impl Parser {
    pub(super) fn external_declaration(&mut self) -> Res<()> {
        self.operators = 0;
        if self.accept(P::Semi) {
            return Ok(());
        }
        if self.at_keyword(kw::ASM) {
            let start = self.span();
            self.advance();
            self.expect(P::LParen)?;
            self.skip_balanced(P::LParen, P::RParen)?;
            self.expect(P::Semi)?;
            self.unsupported.push(("assembly outside of functions".to_owned(), self.since(start)));
            return Ok(());
        }
        if self.accept_keyword(kw::STATIC_ASSERT) {
            return self.static_assertion();
        }
        let start = self.span();
        let first = self.pos;
        let specifiers = self.specifiers()?;
        if self.accept(P::Semi) {
            return Ok(());
        }
        let named = self.peek_identifier().is_some() || self.at(P::Star) || self.at(P::LParen);
        if self.pos == first && !named {
            let found = self.describe_token();
            return self.fail(start, format!("expected a declaration, found {found}"));
        }
        let mut is_first = true;
        loop {
            let declarator = self.declarator(specifiers.ty, Naming::Required)?;
            if is_first && self.types.is_function(declarator.ty) && self.definition_follows(&declarator) {
                return self.function_definition(specifiers, declarator);
            }
            is_first = false;
            self.forget_parameters(&declarator);
            self.file_scope_declarator(&specifiers, declarator)?;
            if !self.accept(P::Comma) {
                break;
            }
            self.attributes()?;
        }
        if !specifiers.explicit && !self.at(P::Semi) {
            // `foo bar` in text that is no C: name what was not understood rather than a missing semicolon.
            let found = self.describe_token();
            self.errors.push(
                base::Diagnostic::error(start, format!("this is no declaration (stopped at {found})"))
                    .with_help("an unknown type name, or not C?"),
            );
            return Err(super::Fatal);
        }
        self.expect(P::Semi)?;
        Ok(())
    }

    fn definition_follows(&self, declarator: &Declarator) -> bool {
        let kr = declarator.params.as_ref().is_some_and(|p| !p.names.is_empty());
        self.at(P::LBrace) || (kr && self.declaration_starts())
    }

    fn declared(&mut self, specifiers: &Specifiers, declarator: &Declarator) -> Res<Declared> {
        let Some((name, span)) = declarator.name else {
            return self.fail(specifiers.span, "a declaration needs a name");
        };
        let mut attributes = specifiers.attributes.clone();
        attributes.merge(declarator.attributes.clone());
        if self.scopes.is_file_scope()
            || specifiers.storage == Some(StorageClass::Extern)
            || self.types.is_function(declarator.ty)
        {
            self.weak_by_pragma(name, span, &mut attributes);
        }
        let align = specifiers.align.max(attributes.align);
        let in_register = declarator.asm_label.is_some() && specifiers.storage == Some(StorageClass::Register);
        let label = declarator.asm_label.filter(|_| !in_register);
        if let Some(label) = label {
            self.symbol_names.insert(name, label);
        }
        let mut storage = specifiers.storage;
        if let (true, Some((target, _))) = (attributes.weakref, attributes.alias) {
            // Another name for a symbol that need not exist.
            self.symbol_names.insert(name, target);
            storage = Some(StorageClass::Extern);
            attributes.weak = true;
            attributes.alias = None;
        }
        Ok(Declared {
            name,
            span,
            ty: declarator.ty,
            attributes,
            align,
            storage,
            in_register,
            labelled: label.is_some(),
        })
    }

    /// What `#pragma weak` says of a name.
    pub(super) fn weak_by_pragma(&mut self, name: Name, span: Span, attributes: &mut Attributes) {
        let found = self.stream.weak.iter().find(|(weak, _)| weak == self.names.text(name));
        let Some((_, target)) = found.cloned() else { return };
        attributes.weak = true;
        if let Some(target) = target {
            attributes.alias = Some((self.names.intern(target.as_bytes()), span));
        }
    }

    fn file_scope_declarator(&mut self, specifiers: &Specifiers, declarator: Declarator) -> Res<()> {
        let declared = self.declared(specifiers, &declarator)?;
        if specifiers.storage == Some(StorageClass::Typedef) {
            return self.declare_typedef(&declared);
        }
        if self.types.is_function(declared.ty) {
            return self.declare_function_with(&declared, &declarator);
        }
        let has_init = self.at(P::Assign);
        let mut declared = declared;
        if specifiers.auto_type {
            self.expect(P::Assign)?;
            let value = self.assignment()?;
            let value = self.rvalue(value);
            declared.ty = self.type_as_written(&value);
            return self.define_global(specifiers, &declared, Some(value));
        }
        let no_place = match specifiers.storage {
            Some(StorageClass::Auto) => true,
            Some(StorageClass::Register) => !declared.in_register,
            _ => false,
        };
        if no_place {
            self.error(declared.span, "file-scope declaration says 'auto' or 'register'");
        }
        if has_init {
            self.advance();
            return self.define_global(specifiers, &declared, None);
        }
        let defines = declared.storage != Some(StorageClass::Extern) && !declared.in_register;
        let id = self.declare_linked_var(declared.name, declared.ty, declared.storage, defines, declared.span)?;
        self.finish_var(id, specifiers, &declared);
        // Without a value it is a definition, too: a weak one of another file does not count beside it.
        let is_weak = self.weak_here.contains(&Symbol::Var(id));
        if defines && self.vars_here.insert(id) && !is_weak && self.weak_variables.remove(&id) {
            self.var_mut(id).init = None;
        }
        Ok(())
    }

    fn define_global(&mut self, specifiers: &Specifiers, declared: &Declared, value: Option<Expr>) -> Res<()> {
        let Declared { name, span, ty, .. } = *declared;
        let storage = specifiers.storage.filter(|&s| s == StorageClass::Static);
        let id = self.declare_linked_var(name, ty, storage, true, span)?;
        let was_defined = self.vars_elsewhere.contains(&id);
        let is_weak = declared.attributes.weak || self.weak_here.contains(&Symbol::Var(id));
        let weaker = !is_weak && was_defined && self.weak_variables.remove(&id);
        let has_value = self.var(id).init.is_some() && !weaker;
        let keeps_old = was_defined && (is_weak || has_value);
        self.vars_here.insert(id);
        if has_value && !(is_weak && was_defined) {
            self.redefinition(Symbol::Var(id), name, span, self.var(id).span);
        }
        self.defined_here.insert(Symbol::Var(id));
        let (ty, init, extra) = match value {
            Some(value) => {
                let constant = self.constant_initializer(value)?;
                (ty, Init::Value(constant), 0)
            }
            None => self.initializer(ty, true, span)?,
        };
        if !keeps_old {
            let var = self.var_mut(id);
            var.ty = ty;
            var.span = span;
            var.init = Some(init);
            var.extra_size = extra;
            self.counts_here.insert(Symbol::Var(id), weaker);
            if is_weak {
                self.weak_variables.insert(id);
            }
        }
        self.scopes.declare(name, Entity::Var(id, ty), span);
        self.finish_var(id, specifiers, declared);
        Ok(())
    }

    fn finish_var(&mut self, id: crate::hir::VarId, specifiers: &Specifiers, declared: &Declared) {
        let var = self.var_mut(id);
        var.thread_local |= specifiers.thread_local;
        var.align = var.align.max(declared.align);
        var.weak |= declared.attributes.weak;
        if declared.attributes.weak && self.declared_weak(Symbol::Var(id), declared.span) {
            self.weak_variables.insert(id);
        }
        let Some((target, span)) = declared.attributes.alias else { return };
        // One that was declared before may have been used under a name of its own.
        if id.index() + 1 == self.vars.len() {
            self.second_names.insert(id, target);
        } else {
            self.unsupported.push(("alias attribute on a variable that was declared before".to_owned(), span));
        }
    }

    fn check_object_type(&mut self, declared: &Declared) -> Res<()> {
        if self.types.is_void(declared.ty) {
            let text = self.text_of(declared.name);
            return self.fail(declared.span, format!("variable '{text}' declared void"));
        }
        Ok(())
    }

    fn declare_typedef(&mut self, declared: &Declared) -> Res<()> {
        let Declared { name, span, ty, align, .. } = *declared;
        if declared.attributes.transparent_union
            && let Type::Record(id) = self.types[ty]
            && self.types.records[id].is_union
        {
            self.types.records[id].transparent = true;
        }
        let ty = align.map_or(ty, |align| ty.aligned(align));
        match self.scopes.lookup_here(name) {
            Some((Entity::Typedef(known), _)) if known != ty && !self.types.compatible(known, ty) => {
                let text = self.text_of(name);
                return self.fail(span, format!("conflicting types for typedef '{text}'"));
            }
            Some((Entity::Typedef(..), _)) | None => {}
            Some(_) => {
                let text = self.text_of(name);
                return self.fail(span, format!("'{text}' redeclared as a different kind of symbol"));
            }
        }
        self.scopes.declare(name, Entity::Typedef(ty), span);
        Ok(())
    }

    fn declare_function_with(&mut self, declared: &Declared, declarator: &Declarator) -> Res<()> {
        if self.at(P::Assign) {
            return self.fail(declared.span, "a function cannot be initialised like a variable");
        }
        let id = self.declare_function(declared.name, declared.ty, declared.storage, declared.span)?;
        self.apply_function_attributes(id, &declared.attributes);
        let names = declarator.params.iter().flat_map(|list| &list.params).map(|param| param.name).collect::<Vec<_>>();
        // Those in front of the function around are its own.
        let annotations = if self.func.is_none() { std::mem::take(&mut self.of_next_function) } else { Vec::new() };
        self.function_contract(id, &names, declarator.contract, &annotations)
    }

    pub(super) fn apply_function_attributes(&mut self, id: crate::hir::FuncId, attributes: &Attributes) {
        self.funcs[id].noreturn |= attributes.noreturn;
        self.funcs[id].pure |= attributes.pure;
        self.funcs[id].reads_nothing |= attributes.reads_nothing;
        super::attribute::merge_nonnull(&mut self.funcs[id].nonnull, attributes.nonnull.as_deref());
        self.funcs[id].returns_nonnull |= attributes.returns_nonnull;
        self.funcs[id].weak |= attributes.weak;
        if attributes.weak && self.declared_weak(Symbol::Func(id), self.last_span()) {
            self.weak_definitions.push(id);
        }
        if let Some((target, span)) = attributes.alias {
            self.aliases.push((id, target, span));
        }
        let func = &mut self.funcs[id];
        func.align = func.align.max(attributes.align);
        func.constructor = attributes.constructor.or(func.constructor);
        func.destructor = attributes.destructor.or(func.destructor);
    }

    /// `_Static_assert(e, "message")`, the keyword taken.
    pub(super) fn static_assertion(&mut self) -> Res<()> {
        let start = self.last_span();
        self.expect(P::LParen)?;
        let holds = self.constant_expression("the asserted expression")?;
        let mut message = String::new();
        if self.accept(P::Comma) {
            let token = *self.token();
            if token.tok != Tok::Str {
                return self.fail(token.span, "expected a string");
            }
            message = format!(": {}", crate::token::decode(self.stream.bytes(&token)));
            self.string()?;
        }
        self.expect(P::RParen)?;
        self.expect(P::Semi)?;
        if holds == 0 {
            self.error(self.since(start), format!("static assertion failed{message}"));
        }
        Ok(())
    }

    /// A declaration in a block: the statements it means.
    pub(super) fn local_declaration(&mut self, out: &mut Vec<Stmt>) -> Res<()> {
        let start = self.span();
        if self.accept_keyword(kw::STATIC_ASSERT) {
            return self.static_assertion();
        }
        let mark = self.vla_bounds.len();
        let specifiers = self.specifiers()?;
        if self.accept(P::Semi) {
            // `struct s { ... };`, or a lone attribute such as `fallthrough`.
            self.flush_bounds(mark, start, out);
            return Ok(());
        }
        let first = out.len();
        loop {
            let declarator_start = self.span();
            let declarator = self.declarator(specifiers.ty, Naming::Required)?;
            let begin = if out.len() == first { start } else { declarator_start };
            self.flush_bounds(mark, begin, out);
            if self.types.is_function(declarator.ty) && self.at(P::LBrace) {
                return self.nested_function(&specifiers, declarator);
            }
            self.forget_parameters(&declarator);
            self.local_declarator(&specifiers, declarator, begin, out)?;
            if !self.accept(P::Comma) {
                break;
            }
            self.attributes()?;
        }
        self.expect(P::Semi)?;
        let end = self.last_span();
        if let Some(stmt) = out[first..].iter_mut().find(|s| matches!(s.kind, StmtKind::Decl { .. })) {
            stmt.span = start.to(end);
        }
        Ok(())
    }

    /// The pending bound assignments become a statement: operands of one expression, as nothing is said of their order.
    fn flush_bounds(&mut self, mark: usize, start: Span, out: &mut Vec<Stmt>) {
        let together = |a: Expr, b: Expr| {
            let (ty, span) = (a.ty, a.span.to(b.span));
            expr(ExprKind::Binary(BinaryOp::BitOr, Box::new(a), Box::new(b)), ty, span)
        };
        if let Some(bounds) = self.vla_bounds.split_off(mark).into_iter().reduce(together) {
            let span = start.to(bounds.span);
            out.push(Stmt { kind: StmtKind::Expr(bounds), span });
        }
    }

    fn local_declarator(
        &mut self,
        specifiers: &Specifiers,
        declarator: Declarator,
        start: Span,
        out: &mut Vec<Stmt>,
    ) -> Res<()> {
        let mut declared = self.declared(specifiers, &declarator)?;
        if specifiers.storage == Some(StorageClass::Typedef) {
            return self.declare_typedef(&declared);
        }
        if self.types.is_function(declared.ty) && specifiers.storage == Some(StorageClass::Auto) {
            self.declare_nested(declared.name, declared.ty, declared.span);
            return Ok(());
        }
        if self.types.is_function(declared.ty) {
            return self.declare_function_with(&declared, &declarator);
        }
        let Declared { name, span, .. } = declared;
        if specifiers.storage == Some(StorageClass::Extern) {
            let id = self.declare_linked_var(name, declared.ty, specifiers.storage, false, span)?;
            self.finish_var(id, specifiers, &declared);
            return Ok(());
        }
        if self.scopes.lookup_here(name).is_some() {
            let text = self.text_of(name);
            self.error(span, format!("redeclaration of '{text}'"));
        }
        self.check_object_type(&declared)?;
        let mut value = None;
        if specifiers.auto_type {
            self.expect(P::Assign)?;
            let e = self.assignment()?;
            let e = self.rvalue(e);
            declared.ty = self.type_as_written(&e);
            value = Some(e);
        }
        let is_static = specifiers.storage == Some(StorageClass::Static) || specifiers.thread_local;
        if declared.labelled {
            let what = "assembler name of a variable in a function".to_owned();
            self.unsupported.push((what, span));
        }
        let storage = if is_static { Storage::StaticLocal } else { Storage::Local };
        let text = self.text_of(name);
        let id = self.new_var(text, declared.ty, storage, span);
        if specifiers.storage == Some(StorageClass::Register) {
            self.registers.insert(id);
        }
        self.scopes.declare(name, Entity::Var(id, declared.ty), span);
        let init = match value {
            Some(value) => Some(Init::Value(value)),
            None if self.accept(P::Assign) => {
                if self.types.is_vla(declared.ty) {
                    return self.fail(span, "a variable-length array cannot be initialised");
                }
                let (ty, init, extra) = self.initializer(declared.ty, is_static, span)?;
                declared.ty = ty;
                let var = self.var_mut(id);
                var.ty = ty;
                var.extra_size = extra;
                self.scopes.declare(name, Entity::Var(id, ty), span);
                Some(init)
            }
            None => None,
        };
        if !self.types.is_complete(declared.ty) {
            let text = self.text_of(name);
            return self.fail(span, format!("the size of '{text}' is not known"));
        }
        self.finish_var(id, specifiers, &declared);
        let whole = self.since(start);
        if is_static {
            self.var_mut(id).init = init;
        } else {
            let size =
                if self.types.is_vla(declared.ty) { Some(Box::new(self.size_expr(declared.ty, span)?)) } else { None };
            let unset_register = declared.in_register && init.is_none();
            let cleanup = match declared.attributes.cleanup {
                Some((function, at)) => Some(Box::new(self.cleanup_call(function, id, at)?)),
                None => None,
            };
            out.push(Stmt { kind: StmtKind::Decl { var: id, init, size, cleanup }, span: whole });
            if unset_register {
                let what = "variable bound to a machine register".to_owned();
                out.push(Stmt { kind: StmtKind::Unsupported(what), span: whole });
            }
        }
        Ok(())
    }

    /// `cleanup(f)` on a variable: the call of `f` with its address.
    fn cleanup_call(&mut self, function: Name, var: crate::hir::VarId, span: Span) -> Res<Expr> {
        let Some(Entity::Func(id, ty)) = self.scopes.lookup(function) else {
            return self.fail(span, "'cleanup' needs the name of a function");
        };
        let callee = self.function_value(expr(ExprKind::Func(id), ty, span));
        let place = self.var_node(var, span);
        let address = self.address_of(place, span)?;
        self.call_with(callee, vec![address], span)
    }
}
