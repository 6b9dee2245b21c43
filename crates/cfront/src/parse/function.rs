//! Function definitions, prototyped and K&R.

use base::Span;

use crate::hir::{FuncId, LabelId, Stmt, StmtKind, Storage, Symbol, VarId};
use crate::token::{Name, P, Tok, Token};
use crate::types::{FunctionType, Type};

use super::declarator::{Declarator, Naming, ParamList};
use super::scope::Entity;
use super::spec::{Specifiers, StorageClass};
use super::{FunctionState, LabelUse, Parser, Res};

/// A function about to be defined.
pub(super) struct Signature {
    pub(super) name: Name,
    pub(super) f: FunctionType,
    pub(super) params: Vec<(Option<Name>, VarId)>,
    pub(super) list: ParamList,
}

impl Parser {
    pub(super) fn function_definition(&mut self, specifiers: Specifiers, declarator: Declarator) -> Res<()> {
        let annotations = std::mem::take(&mut self.of_next_function);
        let Some((name, span)) = declarator.name else {
            return self.fail(specifiers.span, "a function definition needs a name");
        };
        if matches!(specifiers.storage, Some(StorageClass::Typedef | StorageClass::Auto | StorageClass::Register)) {
            return self.fail(span, "this storage class makes no sense on a function definition");
        }
        let mut attributes = specifiers.attributes.clone();
        attributes.merge(declarator.attributes.clone());
        self.weak_by_pragma(name, span, &mut attributes);
        if let Some(label) = declarator.asm_label {
            self.symbol_names.insert(name, label);
        }
        let Some(list) = declarator.params else {
            return self.fail(span, "a function definition needs a parameter list of its own");
        };
        let Some(mut f) = self.types.function(declarator.ty).cloned() else {
            return self.fail(span, "not a function");
        };
        if !self.types.is_void(f.ret) && !self.types.is_complete(f.ret) {
            return self.fail(span, "the return type is incomplete");
        }
        let kr = !list.names.is_empty();
        let params = if kr { self.kr_parameters(&list, &mut f)? } else { self.named_parameters(&list)? };
        let ty = self.types.intern(Type::Function(f.clone()));
        let id = self.declare_function(name, ty, specifiers.storage, span)?;
        self.apply_function_attributes(id, &attributes);
        let inline_only = specifiers.inline && !self.funcs[id].internal;
        let symbol = Symbol::Func(id);
        let is_weak = self.weak_here.contains(&symbol);
        let (mut keep_old, mut is_weaker) = (false, false);
        if self.is_removed(name, span) {
            keep_old = true;
        } else if self.funcs[id].body.is_some() {
            let of_stub = self.of_stubs.contains(&id);
            is_weaker = self.weak_definitions.contains(&id) && !is_weak && !self.defined_here.contains(&symbol);
            let old_replaceable = self.replaceable.contains(&id) || self.is_stub && !of_stub || is_weaker;
            if !old_replaceable && of_stub && !inline_only {
                // As goto-cc links: the first definition counts, and stubs come first.
                let text = self.text_of(name);
                let message = format!("'{text}' is defined by a stub, which counts instead of this one");
                self.notes.push(base::Diagnostic::note(Some(span), message));
            } else if !old_replaceable && !inline_only && (!is_weak || self.defined_here.contains(&symbol)) {
                self.redefinition(symbol, name, span, self.funcs[id].span);
            }
            keep_old = !old_replaceable;
        }
        self.defined_here.insert(symbol);
        if self.is_stub && !keep_old {
            self.of_stubs.insert(id);
        }
        if !keep_old {
            self.replaceable.retain(|&f| f != id);
            self.weak_definitions.retain(|&f| f != id);
            self.counts_here.insert(symbol, is_weaker);
        }
        if is_weak && !keep_old {
            self.weak_definitions.push(id);
        }
        if inline_only && !keep_old {
            self.replaceable.push(id);
        }
        self.funcs[id].inline |= inline_only;
        let begin = self.definition_start();

        let names: Vec<Option<Name>> = params.iter().map(|(name, _)| *name).collect();
        let (all, locals, mut body) = self.function_body(id, Signature { name, f, params, list })?;
        let is_other = inline_only && self.is_another_inline(id, begin);
        self.function_contract(id, &names, declarator.contract, &annotations)?;
        self.injected_contract(id, &names)?;
        self.injected_claims(id, &names)?;
        if is_other {
            // C11 6.7.4p7: each file may call its own, or an external one.
            let what = format!("a call of '{}', of which there are several inline definitions", self.text_of(name));
            body.kind = StmtKind::Block(vec![Stmt { kind: StmtKind::Unsupported(what), span }]);
        }
        if !keep_old {
            let func = &mut self.funcs[id];
            func.params = all;
            func.kr = kr;
            func.locals = locals;
            func.body = Some(body);
            if !func.kr {
                func.ty = ty;
            }
        }
        Ok(())
    }

    /// The first token of the definition whose body comes next.
    fn definition_start(&self) -> usize {
        let ends = |token: &Token| matches!(token.tok, Tok::Punct(P::Semi | P::RBrace));
        self.stream.tokens[..self.pos].iter().rposition(ends).map_or(0, |before| before + 1)
    }

    /// Whether the definition from token `begin` to here says something else than another inline one of that function.
    fn is_another_inline(&mut self, id: FuncId, begin: usize) -> bool {
        let tokens = self.stream.tokens[begin..self.pos].iter();
        let text: Vec<Box<[u8]>> = tokens.map(|token| self.stream.bytes(token).into()).collect();
        let known = self.inline_texts.entry(id).or_insert_with(|| text.clone());
        let is_other = *known != text;
        if is_other {
            // Whatever comes, there are two.
            known.clear();
        }
        is_other
    }

    /// The body, `{` not yet taken: the parameters, the locals and the block.
    pub(super) fn function_body(&mut self, id: FuncId, signature: Signature) -> Res<(Vec<VarId>, Vec<VarId>, Stmt)> {
        let Signature { name, f, params, mut list } = signature;
        self.scopes.open();
        self.scopes.declare_kept(&list.kept);
        let all: Vec<VarId> = params.iter().map(|&(_, var)| var).collect();
        let mut locals = Vec::new();
        for index in list.first_var..self.vars.len() {
            // Bounds of variable arrays in parameter types were made before there was a function to own them.
            if self.vars[index].generated && self.vars[index].storage == Storage::Local {
                locals.push(base::Id::new(index));
            }
        }
        for &var in all.iter().chain(&locals) {
            self.var_mut(var).func = Some(id);
        }
        for &(name, var) in &params {
            let (ty, span) = (self.var(var).ty, self.var(var).span);
            if !self.types.is_complete(ty) {
                return self.fail(span, "the type of a parameter is incomplete");
            }
            if let Some(name) = name {
                self.scopes.declare(name, Entity::Var(var, ty), span);
            }
        }
        let text = self.text_of(name);
        self.func = Some(FunctionState::new(id, text, &f, locals));
        let start = self.expect(P::LBrace)?;
        let recoveries = self.recoveries;
        let mut body = Vec::new();
        for bound in list.bounds.drain(..) {
            let span = bound.span;
            body.push(Stmt { kind: StmtKind::Expr(bound), span });
        }
        self.block_items(&mut body)?;
        self.scopes.close();
        // What was skipped may have had the labels.
        if self.recoveries == recoveries {
            self.check_labels();
        }
        let span = self.since(start);
        let mut state = self.func.take();
        let from_start = state.as_mut().map(|state| std::mem::take(&mut state.from_start)).unwrap_or_default();
        if !from_start.is_empty() {
            body.insert(0, Stmt { kind: StmtKind::Remember(from_start), span: start });
        }
        Ok((all, state.map(|s| s.locals).unwrap_or_default(), Stmt { kind: StmtKind::Block(body), span }))
    }

    pub(super) fn named_parameters(&mut self, list: &ParamList) -> Res<Vec<(Option<Name>, VarId)>> {
        // C11 wants names; gcc accepts their absence (as C2x does).
        Ok(list.params.iter().map(|p| (p.name, p.var)).collect())
    }

    /// `f(a, b) int a; char b; {`: the declarations between the list and the body; undeclared ones are int.
    pub(super) fn kr_parameters(&mut self, list: &ParamList, f: &mut FunctionType) -> Res<Vec<(Option<Name>, VarId)>> {
        let int = self.types.int();
        let mut params: Vec<(Name, Span, VarId, bool)> = Vec::new();
        for &(name, span) in &list.names {
            let text = self.text_of(name);
            let var = self.new_var(text, int, Storage::Param, span);
            params.push((name, span, var, false));
        }
        while !self.at(P::LBrace) {
            if !self.declaration_starts() {
                let found = self.describe_token();
                return self.fail(self.span(), format!("expected a parameter declaration or '{{', found {found}"));
            }
            let specifiers = self.specifiers()?;
            while !self.at(P::Semi) {
                let declarator = self.declarator(specifiers.ty, Naming::Required)?;
                self.forget_parameters(&declarator);
                let Some((name, span)) = declarator.name else { break };
                let ty = self.adjusted_parameter(declarator.ty);
                match params.iter_mut().find(|p| p.0 == name) {
                    Some(param) if !param.3 => {
                        param.3 = true;
                        let var = param.2;
                        self.var_mut(var).ty = ty;
                    }
                    _ => {
                        let text = self.text_of(name);
                        return self.fail(span, format!("declaration for '{text}', which is not a parameter"));
                    }
                }
                if !self.accept(P::Comma) {
                    break;
                }
            }
            self.expect(P::Semi)?;
        }
        f.params = params.iter().map(|p| self.var(p.2).ty.unqualified()).collect();
        Ok(params.into_iter().map(|p| (Some(p.0), p.2)).collect())
    }

    // Labels.

    fn label(&mut self, name: Name, span: Span) -> Option<&mut LabelUse> {
        let func = self.func.as_ref()?;
        if func.labels.get(&name).is_none_or(Vec::is_empty) {
            let label =
                crate::hir::Label { name: self.names.text(name).to_owned(), func: func.id, span, address_taken: false };
            let id = self.labels.push(label);
            self.func.as_mut()?.labels.entry(name).or_default().push(LabelUse { id, defined: false });
        }
        self.func.as_mut()?.labels.get_mut(&name)?.last_mut()
    }

    /// The label a `goto` or `&&` names; it may be defined later.
    pub(super) fn use_label(&mut self, name: Name, span: Span) -> Option<LabelId> {
        self.label(name, span).map(|l| l.id)
    }

    pub(super) fn define_label(&mut self, name: Name, span: Span) -> Res<LabelId> {
        let Some(label) = self.label(name, span) else {
            return self.fail(span, "label outside of a function");
        };
        let (id, again) = (label.id, label.defined);
        label.defined = true;
        if again {
            let text = self.text_of(name);
            self.error(span, format!("duplicate label '{text}'"));
        }
        self.labels[id].span = span;
        Ok(id)
    }

    /// `__label__ a, b;`: labels of the block being read.
    pub(super) fn declare_local_label(&mut self, name: Name, span: Span) {
        let Some(func) = &self.func else { return };
        let label =
            crate::hir::Label { name: self.names.text(name).to_owned(), func: func.id, span, address_taken: false };
        let id = self.labels.push(label);
        if let Some(func) = &mut self.func {
            func.labels.entry(name).or_default().push(LabelUse { id, defined: false });
        }
    }

    pub(super) fn close_local_label(&mut self, name: Name) {
        let closed = self.func.as_mut().and_then(|f| f.labels.get_mut(&name)).and_then(Vec::pop);
        if let Some(label) = closed {
            self.check_label(name, label);
        }
    }

    fn check_label(&mut self, name: Name, label: LabelUse) {
        if !label.defined {
            let (text, span) = (self.text_of(name), self.labels[label.id].span);
            self.error(span, format!("label '{text}' used but not defined"));
        }
    }

    fn check_labels(&mut self) {
        let Some(func) = &self.func else { return };
        let mut open: Vec<(Name, LabelUse)> =
            func.labels.iter().flat_map(|(&name, uses)| uses.iter().map(move |&u| (name, u))).collect();
        open.sort_by_key(|(_, label)| label.id);
        for (name, label) in open {
            self.check_label(name, label);
        }
    }
}
