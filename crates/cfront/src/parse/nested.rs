//! Nested functions (gcc). A local of the function around that a nested one uses gets a static pointer to it, set where the
//! local comes to life; the nested function goes through that pointer. This is exact as long as the function around is
//! active at most once at a time; where it may be recursive the program is unsupported.

use base::Span;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::hir::{Expr, ExprKind, FuncId, LabelId, Stmt, StmtKind, Storage, Symbol, VarId};
use crate::token::{Name, P};
use crate::types::{Ty, Type};
use crate::walk::{walk_init, walk_stmt};

use super::declarator::Declarator;
use super::function::Signature;
use super::scope::Entity;
use super::spec::Specifiers;
use super::typed::expr;
use super::{FunctionState, Parser, Res};

impl Parser {
    /// A function defined in a block; its declarator was read, `{` stands here.
    pub(super) fn nested_function(&mut self, specifiers: &Specifiers, declarator: Declarator) -> Res<()> {
        let Some((name, span)) = declarator.name else {
            return self.fail(specifiers.span, "a function definition needs a name");
        };
        let mut attributes = specifiers.attributes.clone();
        attributes.merge(declarator.attributes.clone());
        let (Some(list), Some(mut f)) = (declarator.params, self.types.function(declarator.ty).cloned()) else {
            return self.fail(span, "a function definition needs a parameter list of its own");
        };
        if !list.bounds.is_empty() {
            let ty = declarator.ty;
            self.expect(P::LBrace)?;
            self.skip_balanced(P::LBrace, P::RBrace)?;
            let id = self.declare_nested(name, ty, span);
            let kind = StmtKind::Unsupported("a nested function with a variable array as parameter".to_owned());
            let stmt = Stmt { kind, span };
            let params: Vec<VarId> = list.params.iter().map(|p| p.var).collect();
            for &param in &params {
                self.var_mut(param).func = Some(id);
            }
            self.funcs[id].params = params;
            self.funcs[id].body = Some(Stmt { kind: StmtKind::Block(vec![stmt]), span });
            return Ok(());
        }
        let kr = !list.names.is_empty();
        let params = if kr { self.kr_parameters(&list, &mut f)? } else { self.named_parameters(&list)? };
        let ty = self.types.intern(Type::Function(f.clone()));
        let id = self.declare_nested(name, ty, span);
        self.apply_function_attributes(id, &attributes);
        self.outer.extend(self.func.take());
        let body = self.function_body(id, Signature { name, f, params, list });
        self.func = self.outer.pop();
        let (all, locals, body) = body?;
        let func = &mut self.funcs[id];
        func.params = all;
        func.kr = kr;
        func.locals = locals;
        func.body = Some(body);
        func.span = span;
        func.ty = ty;
        Ok(())
    }

    /// A nested function's name, declared with `auto` or defined.
    pub(super) fn declare_nested(&mut self, name: Name, ty: Ty, span: Span) -> FuncId {
        if let Some((Entity::Func(id, _), _)) = self.scopes.lookup_here(name)
            && self.funcs[id].internal
            && self.funcs[id].body.is_none()
        {
            return id;
        }
        let text = self.text_of(name);
        let id = self.new_func(text, ty, true, span);
        self.scopes.declare(name, Entity::Func(id, ty), span);
        id
    }

    /// A use of a variable of a function around the current one, through its pointer.
    pub(super) fn captured(&mut self, id: VarId, ty: Ty, span: Span) -> Option<Expr> {
        let (owner, storage) = (self.var(id).func?, self.var(id).storage);
        let current = self.func.as_ref()?.id;
        if owner == current || !matches!(storage, Storage::Local | Storage::Param) {
            return None;
        }
        if self.types.is_variably_modified(ty) {
            return Some(self.unsupported("a variable array of the function around a nested one", ty, span));
        }
        let pointer_type = self.types.pointer(ty);
        let pointer = match self.var(id).captured {
            Some(pointer) => pointer,
            None => {
                let text = format!("<address of {}>", self.var(id).name);
                let pointer = self.new_generated(&text, pointer_type, Storage::Static, span);
                self.var_mut(pointer).func = None;
                let var = self.var_mut(id);
                var.captured = Some(pointer);
                var.address_taken = true;
                self.captured_from.push((owner, span));
                pointer
            }
        };
        let place = expr(ExprKind::Var(pointer), pointer_type, span);
        let pointer = self.rvalue(place);
        Some(expr(ExprKind::Deref(Box::new(pointer)), ty, span))
    }

    /// The label that a function around the current one declared for its nested ones.
    pub(super) fn outer_label(&self, name: Name) -> Option<LabelId> {
        let label = |f: &FunctionState| f.labels.get(&name).and_then(|uses| uses.last()).map(|label| label.id);
        match self.func.as_ref().and_then(label) {
            Some(_) => None,
            None => self.outer.iter().rev().find_map(label),
        }
    }

    /// Functions whose locals nested ones use must not be active twice.
    pub(super) fn check_captures(&mut self) {
        if self.captured_from.is_empty() {
            return;
        }
        let mut mentions: FxHashMap<FuncId, FxHashSet<FuncId>> = FxHashMap::default();
        for (id, func) in self.funcs.iter() {
            let found = mentions.entry(id).or_default();
            if let Some(body) = &func.body {
                mentioned(body, found);
            }
        }
        // Whatever a table of functions holds may be called from anywhere.
        let mut listed = FxHashSet::default();
        for var in &self.vars {
            if let Some(init) = &var.init {
                walk_init(init, &mut |e| note(e, &mut listed));
            }
        }
        let reaches = |from: FuncId, to: FuncId| {
            let mut seen: FxHashSet<FuncId> = FxHashSet::default();
            let mut todo: Vec<FuncId> = mentions[&from].iter().copied().collect();
            while let Some(next) = todo.pop() {
                if next == to {
                    return true;
                }
                if seen.insert(next) {
                    todo.extend(&mentions[&next]);
                }
            }
            false
        };
        let mut refused = Vec::new();
        for &(owner, span) in &self.captured_from {
            let by_pointer = self
                .funcs
                .iter()
                .any(|(id, f)| (f.address_taken || listed.contains(&id)) && (id == owner || reaches(id, owner)));
            if by_pointer || reaches(owner, owner) {
                let what = format!("a nested function in '{}', which may be recursive", self.funcs[owner].name);
                refused.push((what, span));
            }
        }
        refused.dedup_by(|a, b| a.0 == b.0);
        self.unsupported.extend(refused);
    }
}

fn mentioned(body: &Stmt, out: &mut FxHashSet<FuncId>) {
    debug_assert!(matches!(body.kind, StmtKind::Block(_)));
    walk_stmt(body, &mut |e| note(e, out));
}

fn note(e: &Expr, out: &mut FxHashSet<FuncId>) {
    match &e.kind {
        ExprKind::Func(id) | ExprKind::Address(Symbol::Func(id), _) => {
            out.insert(*id);
        }
        _ => {}
    }
}
