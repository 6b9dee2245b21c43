//! Declarators: `*`, `[...]`, `(...)` around a name. They are read inside out as a list of derivations, which is then
//! applied to the specified type.

use base::Span;

use crate::hir::{Builtin, Expr, ExprKind, Storage, VarId};
use crate::layout::max_object_size;
use crate::token::{Name, P, Tok, kw};
use crate::types::{FunctionType, Len, Qualifiers, Ty, Type};
use crate::walk::has_effects;

use super::attribute::Attributes;
use super::scope::Kept;
use super::spec::StorageClass;
use super::typed::expr;
use super::{Parser, Res};

/// Must the declarator have a name?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Naming {
    Required,
    Abstract,
    /// Parameters: either.
    Optional,
}

#[derive(Debug)]
pub(super) struct Param {
    pub(super) name: Option<Name>,
    pub(super) var: VarId,
}

#[derive(Debug, Default)]
pub(super) struct ParamList {
    pub(super) params: Vec<Param>,
    types: Vec<Ty>,
    variadic: bool,
    prototyped: bool,
    /// `f(a, b)`: K&R identifier list.
    pub(super) names: Vec<(Name, Span)>,
    /// Assignments to bounds of variable arrays in the parameters' types.
    pub(super) bounds: Vec<Expr>,
    /// Structs and enums declared in the list.
    pub(super) kept: Vec<Kept>,
    /// The variables made for the parameters start here.
    pub(super) first_var: usize,
}

#[derive(Debug)]
pub(super) struct Declarator {
    pub(super) name: Option<(Name, Span)>,
    pub(super) ty: Ty,
    /// The parameters, when the declared thing itself is a function.
    pub(super) params: Option<ParamList>,
    pub(super) attributes: Attributes,
    /// `asm("name")`: what the assembler calls it, or the register that holds it.
    pub(super) asm_label: Option<Name>,
    /// Where the clauses of a contract start: they speak of parameters, so they are read once there is a function.
    pub(super) contract: Option<usize>,
}

enum Derivation {
    /// With the alignment of the pointer itself, where an attribute names one.
    Pointer(Qualifiers, Option<u64>),
    Array(Len, Span),
    Function(ParamList, Span),
}

impl Parser {
    pub(super) fn declarator(&mut self, base: Ty, naming: Naming) -> Res<Declarator> {
        let mut derivations = Vec::new();
        let mut attributes = Attributes::default();
        let name = self.derivations(naming, &mut derivations, &mut attributes)?;
        let mut asm_label = None;
        loop {
            if self.at_keyword(kw::ASM) && naming != Naming::Abstract {
                self.advance();
                self.expect(P::LParen)?;
                let label = self.asm_string()?;
                self.expect(P::RParen)?;
                asm_label = Some(self.names.intern(label.as_bytes()));
            } else if self.at_attribute() {
                let more = self.attributes()?;
                attributes.merge(more);
            } else {
                break;
            }
        }
        let contract = if naming == Naming::Required { self.skip_clauses()? } else { None };
        let (ty, params) = self.derive(base, derivations)?;
        let ty = self.attributed(ty, &attributes);
        if let Some(start) = contract.filter(|_| !self.types.is_function(ty)) {
            let span = self.stream.tokens[start].span;
            return self.fail(span, "a contract belongs to a function, and this is none");
        }
        Ok(Declarator { name, ty, params, attributes, asm_label, contract })
    }

    fn derivations(
        &mut self,
        naming: Naming,
        out: &mut Vec<Derivation>,
        attributes: &mut Attributes,
    ) -> Res<Option<(Name, Span)>> {
        self.nested(|p| {
            let more = p.attributes()?;
            attributes.merge(more);
            while p.accept(P::Star) {
                if out.len() > super::MAX_NESTING as usize {
                    return p.fail(p.last_span(), "declarator with too many parts");
                }
                let (quals, align) = p.qualifiers(attributes)?;
                out.push(Derivation::Pointer(quals, align));
            }
            let mut inner = Vec::new();
            let mut name = None;
            match p.peek() {
                Tok::Name(found) if !found.is_keyword() && naming != Naming::Abstract => {
                    p.advance();
                    name = Some((found, p.last_span()));
                }
                Tok::Punct(P::LParen) if naming == Naming::Required || !p.parameters_start_at(1) => {
                    p.advance();
                    name = p.derivations(naming, &mut inner, attributes)?;
                    p.expect(P::RParen)?;
                }
                _ if naming == Naming::Required => {
                    let found = p.describe_token();
                    return p.fail(p.span(), format!("expected a name to declare, found {found}"));
                }
                _ => {}
            }
            let suffix_start = out.len();
            loop {
                let span = p.span();
                if out.len() > super::MAX_NESTING as usize {
                    return p.fail(span, "declarator with too many parts");
                }
                if p.at_attribute() {
                    break;
                }
                if p.accept(P::LBracket) {
                    let len = p.array_bound(span)?;
                    out.push(Derivation::Array(len, span));
                } else if p.accept(P::LParen) {
                    let params = p.parameters()?;
                    out.push(Derivation::Function(params, span));
                } else {
                    break;
                }
            }
            out[suffix_start..].reverse();
            out.append(&mut inner);
            Ok(name)
        })
    }

    /// After `(` in a declarator that may be abstract: is this a parameter list rather than a nested declarator?
    fn parameters_start_at(&self, ahead: usize) -> bool {
        match self.peek_at(ahead) {
            Tok::Punct(P::RParen | P::Ellipsis) => true,
            Tok::Name(kw::ATTRIBUTE) => false,
            Tok::Name(kw::REGISTER) => true,
            _ => self.type_starts_at(ahead),
        }
    }

    fn qualifiers(&mut self, attributes: &mut Attributes) -> Res<(Qualifiers, Option<u64>)> {
        let mut quals = Qualifiers::NONE;
        let mut align = None;
        loop {
            match self.peek() {
                Tok::Name(kw::CONST) => quals = quals.and(Qualifiers::CONST),
                Tok::Name(kw::VOLATILE) => quals = quals.and(Qualifiers::VOLATILE),
                Tok::Name(kw::ATOMIC) => quals = quals.and(Qualifiers::ATOMIC),
                Tok::Name(kw::RESTRICT | kw::EXTENSION) => {}
                Tok::Name(kw::ATTRIBUTE) => {
                    let more = self.attributes()?;
                    // Attributes between `*` and the name speak of the pointer, apart from those of the function.
                    attributes.merge_function(&more);
                    align = align.max(more.align);
                    continue;
                }
                _ => return Ok((quals, align)),
            }
            self.advance();
        }
    }

    /// The bound of an array, `[` taken; `]` is taken too.
    fn array_bound(&mut self, start: Span) -> Res<Len> {
        while let Tok::Name(kw::STATIC | kw::CONST | kw::VOLATILE | kw::RESTRICT | kw::ATOMIC) = self.peek() {
            self.has_static_bound |= self.at_keyword(kw::STATIC);
            self.advance();
        }
        if self.accept(P::RBracket) {
            return Ok(Len::Unknown);
        }
        if self.at(P::Star) && self.peek_at(1) == Tok::Punct(P::RBracket) {
            self.advance();
            self.advance();
            return Ok(Len::Star);
        }
        let bound = self.nested(Parser::assignment)?;
        let bound = self.rvalue(bound);
        self.expect(P::RBracket)?;
        let span = self.since(start);
        if !self.types.is_integer(bound.ty) {
            return self.fail(bound.span, "the size of an array must be an integer");
        }
        match self.eval_int(&bound) {
            Some(n) if n < 0 => self.fail(span, "the size of the array is negative"),
            Some(n) => match u64::try_from(n) {
                Ok(n) => Ok(Len::Const(n)),
                Err(_) => self.fail(span, "the size of the array is too large"),
            },
            None if self.scopes.is_file_scope() => {
                self.fail(bound.span, "the size of an array at file scope must be constant")
            }
            None => {
                let size_t = self.types.size_t();
                let value = expr(ExprKind::Builtin(Builtin::ArrayLength, vec![bound]), size_t, span);
                let var = self.new_generated("<vla>", size_t, Storage::Local, span);
                let place = self.var_node(var, span);
                self.vla_bounds.push(expr(ExprKind::Assign(Box::new(place), Box::new(value)), size_t, span));
                Ok(Len::Vla(var))
            }
        }
    }

    /// A parameter list, `(` taken; `)` is taken too.
    fn parameters(&mut self) -> Res<ParamList> {
        self.nested(|p| {
            let mark = p.vla_bounds.len();
            p.scopes.open();
            let mut list = ParamList { first_var: p.vars.len(), ..ParamList::default() };
            let outcome = p.parameter_list(&mut list);
            list.kept = p.scopes.tags_and_constants();
            p.scopes.close();
            outcome?;
            list.bounds = p.vla_bounds.split_off(mark);
            Ok(list)
        })
    }

    fn parameter_list(&mut self, list: &mut ParamList) -> Res<()> {
        if self.accept(P::RParen) {
            return Ok(());
        }
        if self.peek_identifier().is_some() && !self.type_starts_at(0) {
            loop {
                let name = self.identifier("a parameter name")?;
                list.names.push(name);
                if !self.accept(P::Comma) {
                    break;
                }
            }
            self.expect(P::RParen)?;
            return Ok(());
        }
        list.prototyped = true;
        if self.at_keyword(kw::VOID) && self.peek_at(1) == Tok::Punct(P::RParen) {
            self.advance();
            self.advance();
            return Ok(());
        }
        loop {
            if self.accept(P::Ellipsis) {
                list.variadic = true;
                break;
            }
            self.parameter(list)?;
            if !self.accept(P::Comma) {
                break;
            }
        }
        self.expect(P::RParen)?;
        Ok(())
    }

    fn parameter(&mut self, list: &mut ParamList) -> Res<()> {
        let start = self.span();
        let specifiers = self.specifiers()?;
        if !specifiers.explicit && specifiers.storage.is_none() && specifiers.ty == specifiers.ty.unqualified() {
            let found = self.describe_token();
            return self.fail(start, format!("expected a parameter, found {found}"));
        }
        if !matches!(specifiers.storage, None | Some(StorageClass::Register)) {
            self.error(start, "storage class specified for a parameter");
        }
        let around = std::mem::take(&mut self.has_static_bound);
        let declarator = self.declarator(specifiers.ty, Naming::Optional)?;
        // C has it in the outermost brackets of a parameter only.
        let is_static = std::mem::replace(&mut self.has_static_bound, around);
        self.forget_parameters(&declarator);
        let at_least = match self.types[declarator.ty] {
            Type::Array(_, Len::Const(n)) if is_static => Some(n),
            _ => None,
        };
        let span = declarator.name.map_or_else(|| self.since(start), |(_, span)| span);
        let ty = self.adjusted_parameter(declarator.ty);
        if self.types.is_void(ty) {
            return self.fail(span, "a parameter cannot have type void");
        }
        let text = declarator.name.map_or(String::new(), |(name, _)| self.text_of(name));
        let var = self.new_var(text, ty, Storage::Param, span);
        self.var_mut(var).at_least = at_least;
        if let Some((name, span)) = declarator.name {
            if self.scopes.lookup_here(name).is_some() {
                let text = self.text_of(name);
                self.error(span, format!("redefinition of parameter '{text}'"));
            }
            self.scopes.declare(name, super::scope::Entity::Var(var, ty), span);
        }
        list.types.push(ty.unqualified());
        list.params.push(Param { name: declarator.name.map(|(name, _)| name), var });
        Ok(())
    }

    /// Arrays and functions as parameters are pointers.
    pub(super) fn adjusted_parameter(&mut self, ty: Ty) -> Ty {
        match self.types[ty] {
            Type::Array(of, len) => {
                if let Len::Vla(var) = len {
                    // Nothing needs the outermost bound, but for what evaluating it does.
                    self.vla_bounds.retain(|b| match &b.kind {
                        ExprKind::Assign(place, value) if matches!(place.kind, ExprKind::Var(v) if v == var) => {
                            matches!(&value.kind, ExprKind::Builtin(_, length) if length.iter().any(has_effects))
                        }
                        _ => true,
                    });
                }
                self.types.pointer(of.with(ty.qualifiers()))
            }
            Type::Function(_) => self.types.pointer(ty),
            _ => ty,
        }
    }

    /// Drops the variables made for the parameters of a declarator that turned out not to define a function.
    pub(super) fn forget_parameters(&mut self, declarator: &Declarator) {
        if let Some(list) = &declarator.params
            && list.bounds.is_empty()
            && self.vars[list.first_var..].iter().all(|v| v.storage == Storage::Param)
        {
            self.vars.truncate(list.first_var);
        }
    }

    fn derive(&mut self, base: Ty, derivations: Vec<Derivation>) -> Res<(Ty, Option<ParamList>)> {
        let mut ty = base;
        let mut params = None;
        for derivation in derivations {
            params = None;
            ty = match derivation {
                Derivation::Pointer(quals, align) => {
                    let pointer = self.types.pointer(ty).with(quals);
                    align.map_or(pointer, |align| pointer.aligned(align))
                }
                Derivation::Array(len, span) => {
                    if !self.types.is_complete(ty) {
                        let shown = self.types.show(ty);
                        return self.fail(span, format!("array of elements of incomplete type '{shown}'"));
                    }
                    if let (Some(align), Some(size)) = (ty.asked_align(), self.types.size_of(ty))
                        && size % align != 0
                    {
                        return self.fail(span, "the alignment of array elements is greater than their size");
                    }
                    if let (Len::Const(n), Some(size)) = (len, self.types.size_of(ty))
                        && n.checked_mul(size).is_none_or(|bytes| bytes > max_object_size(&self.types))
                    {
                        return self.fail(span, "the size of the array is too large");
                    }
                    self.types.array(ty, len)
                }
                Derivation::Function(list, span) => {
                    if matches!(self.types[ty], Type::Array(..) | Type::Function(_)) {
                        return self.fail(span, "a function cannot return an array or a function");
                    }
                    let f = FunctionType {
                        ret: ty,
                        params: list.types.clone(),
                        variadic: list.variadic,
                        prototyped: list.prototyped,
                    };
                    params = Some(list);
                    self.types.intern(Type::Function(f))
                }
            };
        }
        Ok((ty, params))
    }
}
