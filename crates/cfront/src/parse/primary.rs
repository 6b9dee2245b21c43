//! Primary expressions: names, constants, strings, parentheses, `_Generic`.

use base::Span;

use crate::hir::{Expr, ExprKind, Init, InitPart, Storage, StringLit, VarId};
use crate::literal::{self, Encoding, Number};
use crate::token::{Name, P, Tok, kw};
use crate::types::{IntKind, Len, Qualifiers, Ty, Type};

use super::scope::Entity;
use super::typed::expr;
use super::{Parser, Res};

impl Parser {
    pub(super) fn primary(&mut self) -> Res<Expr> {
        let start = self.span();
        match self.peek() {
            Tok::Number => {
                let text = crate::token::decode(self.stream.bytes(self.token()));
                self.advance();
                match literal::number(&text, self.model, self.stream.is_c90) {
                    Ok(Number::Int { value, kind }) => {
                        let ty = self.types.int_kind(kind);
                        Ok(expr(ExprKind::Int(value), ty, start))
                    }
                    Ok(Number::Float { bits, kind }) => {
                        let text = text.to_ascii_lowercase();
                        self.names_like_floats |= ["f32", "f64", "f32x", "f64x"].iter().any(|end| text.ends_with(end));
                        let ty = self.types.float(kind);
                        Ok(expr(ExprKind::Float(bits), ty, start))
                    }
                    Ok(Number::Imaginary { bits, kind }) => {
                        let of = match kind {
                            Ok(kind) => self.types.int_kind(kind),
                            Err(kind) => self.types.float(kind),
                        };
                        let (zero, imaginary) = match kind {
                            Ok(_) => (ExprKind::Int(0), ExprKind::Int(bits)),
                            Err(kind) => (ExprKind::Float(crate::float::from_int(kind, 0)), ExprKind::Float(bits)),
                        };
                        let ty = self.types.intern(Type::Complex(of));
                        let lanes = vec![expr(zero, of, start), expr(imaginary, of, start)];
                        Ok(self.of_lanes(ty, lanes, start))
                    }
                    Err(message) => self.fail(start, message),
                }
            }
            Tok::Char => {
                let value = literal::character(self.stream.bytes(self.token()), self.model);
                self.advance();
                match value {
                    Ok((value, kind)) => {
                        let ty = self.types.int_kind(kind);
                        Ok(self.int_node(value.into(), ty, start))
                    }
                    Err(message) => self.fail(start, message),
                }
            }
            Tok::Str => self.string(),
            Tok::Punct(P::LParen) => {
                self.advance();
                if self.at(P::LBrace) {
                    return self.nested(|p| p.statement_expression(start));
                }
                let inner = self.nested(Parser::expression)?;
                self.expect(P::RParen)?;
                Ok(Expr { span: self.since(start), ..inner })
            }
            Tok::Name(kw::GENERIC) => {
                self.advance();
                self.nested(Parser::generic_selection)
            }
            Tok::Name(
                name @ (kw::VA_ARG | kw::OFFSETOF | kw::CHOOSE_EXPR | kw::TYPES_COMPATIBLE | kw::CONVERT_VECTOR),
            ) => {
                self.advance();
                self.nested(|p| p.special_form(name, start))
            }
            Tok::Name(name) if !name.is_keyword() => {
                self.advance();
                self.name(name, start)
            }
            _ => {
                let found = self.describe_token();
                self.fail(start, format!("expected an expression, found {found}"))
            }
        }
    }

    /// A use of a variable, or of the one that it is a second name of.
    fn variable(&self, id: VarId, ty: Ty, span: Span) -> Expr {
        let Some(&target) = self.second_names.get(&id) else { return expr(ExprKind::Var(id), ty, span) };
        match self.scopes.lookup(target) {
            Some(Entity::Var(first, known))
                if matches!(self.var(first).storage, Storage::Extern | Storage::Static)
                    && !self.second_names.contains_key(&first)
                    && known.unqualified() == ty.unqualified() =>
            {
                expr(ExprKind::Var(first), ty, span)
            }
            _ => self.unsupported("alias attribute with an unknown or different target", ty, span),
        }
    }

    fn name(&mut self, name: Name, span: Span) -> Res<Expr> {
        match self.scopes.lookup(name) {
            Some(Entity::Var(id, ty)) => {
                return Ok(match self.captured(id, ty, span) {
                    Some(place) => place,
                    None => self.variable(id, ty, span),
                });
            }
            // A declaration of `__builtin_x` in the text does not make it a function of the program; a definition does.
            Some(Entity::Func(id, _))
                if self.funcs[id].body.is_none() && super::builtin::is_builtin_name(self.names.text(name)) => {}
            // Nor one of `__CPROVER_r_ok`.
            Some(Entity::Func(id, _))
                if self.funcs[id].body.is_none() && self.is_dialect_form(self.names.text(name)) => {}
            Some(Entity::Func(id, ty)) => return Ok(expr(ExprKind::Func(id), ty, span)),
            Some(Entity::Constant(value, ty)) => return Ok(self.int_node(value, ty, span)),
            Some(Entity::Typedef(..)) => {
                let text = self.text_of(name);
                return self.fail(span, format!("expected an expression, found type name '{text}'"));
            }
            None => {}
        }
        let text = self.text_of(name);
        if matches!(text.as_str(), "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__") {
            return Ok(self.function_name(span));
        }
        // C23, where the program has no such names of its own.
        match text.as_str() {
            "true" | "false" => {
                let bool = self.types.bool();
                return Ok(self.int_node((text == "true").into(), bool, span));
            }
            "nullptr" => {
                let void = self.types.void();
                let ty = self.types.pointer(void);
                return Ok(self.int_node(0, ty, span));
            }
            _ => {}
        }
        if super::builtin::is_builtin_name(&text) {
            return self.nested(|p| p.builtin(&text, span));
        }
        if super::contract::is_contract_name(&text) {
            return self.nested(|p| p.contract_name(&text, span));
        }
        if self.is_dialect_form(&text) {
            return self.dialect_form(&text, span);
        }
        if self.at(P::LParen) {
            return Ok(self.implicit_function(name, span));
        }
        self.fail(span, format!("'{text}' undeclared"))
    }

    /// `__func__`: a static const array with the function's name.
    fn function_name(&mut self, span: Span) -> Expr {
        if let Some(var) = self.func.as_ref().and_then(|f| f.func_name) {
            return self.var_node(var, span);
        }
        let text = self.func.as_ref().map_or(String::new(), |f| f.name.clone());
        let units: Vec<u32> = text.bytes().map(u32::from).chain([0]).collect();
        let elem = self.types.char();
        let len = units.len() as u64;
        let string = self.new_string(StringLit { elem, units });
        let ty = self.types.array(elem.with(Qualifiers::CONST), Len::Const(len));
        let var = self.new_generated("__func__", ty, Storage::StaticLocal, span);
        let value = expr(ExprKind::Str(string), ty.unqualified(), span);
        self.var_mut(var).init = Some(Init::Parts(vec![InitPart { offset: 0, bits: None, ty, value }], Vec::new()));
        if let Some(f) = &mut self.func {
            f.func_name = Some(var);
        }
        self.var_node(var, span)
    }

    /// Adjacent string literals, joined; the encoding of a prefixed one wins.
    pub(super) fn string(&mut self) -> Res<Expr> {
        let start = self.span();
        let first = self.pos;
        while self.peek() == Tok::Str {
            self.advance();
        }
        let mut encoding = Encoding::Plain;
        for token in &self.stream.tokens[first..self.pos] {
            let (found, _) = literal::split(self.stream.bytes(token));
            if found != Encoding::Plain {
                encoding = found;
            }
        }
        let mut units = Vec::new();
        for index in first..self.pos {
            let token = self.stream.tokens[index];
            let (_, body) = literal::split(self.stream.bytes(&token));
            match literal::units(body, encoding) {
                Ok(more) => units.extend(more),
                Err(message) => return self.fail(token.span, message),
            }
        }
        units.push(0);
        let elem = self.types.int_kind(encoding.elem(self.model));
        let ty = self.types.array(elem, Len::Const(units.len() as u64));
        let id = self.new_string(StringLit { elem, units });
        Ok(expr(ExprKind::Str(id), ty, self.since(start)))
    }

    /// `_Generic(control, type: expression, ..., default: expression)`.
    fn generic_selection(&mut self) -> Res<Expr> {
        let start = self.last_span();
        self.expect(P::LParen)?;
        let control = self.assignment()?;
        let control_type = self.selecting_type(&control);
        let control = self.rvalue(control);
        let control_type = control_type.unwrap_or(Some(control.ty));
        if self.names_like_floats && self.types.is_float(control.ty) {
            self.unsupported
                .push(("_Generic where a floating type is named like _Float64".to_owned(), self.since(start)));
        }
        let mut chosen = None;
        let mut default = None;
        while self.accept(P::Comma) {
            if self.accept_keyword(kw::DEFAULT) {
                self.expect(P::Colon)?;
                default = Some(self.assignment()?);
            } else {
                let (ty, _) = self.type_name()?;
                self.expect(P::Colon)?;
                let candidate = self.assignment()?;
                let matches =
                    ty == ty.unqualified() && control_type.is_some_and(|control| self.types.compatible(ty, control));
                if matches && chosen.is_none() {
                    chosen = Some(candidate);
                }
            }
        }
        self.expect(P::RParen)?;
        match chosen.or(default) {
            Some(e) => Ok(e),
            None => {
                let shown = self.types.show(control.ty);
                self.fail(self.since(start), format!("no '_Generic' association is compatible with '{shown}'"))
            }
        }
    }

    /// What `_Generic` sees of a bit-field narrower than its declared type: for gcc that is the standard type of just its
    /// width and sign (`Some(Some(_))`), or a type that no association names (`Some(None)`). None: no such bit-field.
    fn selecting_type(&mut self, control: &Expr) -> Option<Option<Ty>> {
        let (bits, signed) = self.bit_field_of(control)?;
        let declared = match self.types[control.ty] {
            Type::Bool => 1,
            _ => self.types.int_shape(control.ty)?.0,
        };
        if bits == declared {
            return None;
        }
        let standard = [IntKind::SChar, IntKind::Short, IntKind::Int, IntKind::Long, IntKind::LongLong];
        let kind = standard.into_iter().find(|kind| kind.width(self.model) == bits);
        Some(kind.map(|kind| self.types.int_kind(if signed { kind } else { kind.to_unsigned() })))
    }
}
