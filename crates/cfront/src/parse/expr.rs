//! The grammar of expressions.

use base::Span;

use crate::hir::{BinaryOp, Expr, ExprKind, Storage, UnaryOp};
use crate::inject::Moment;
use crate::token::{Name, P, Tok, kw};
use crate::types::{FunctionType, Len, RecordId, Ty, Type, Types};
use crate::walk::has_effects;

use super::typed::{expr, is_lvalue};
use super::{Parser, Res};

/// Binary operators by token, with their precedence (higher binds tighter). `&&` and `||` have no [`BinaryOp`].
fn binary_operator(p: P) -> Option<(u8, Option<BinaryOp>)> {
    Some(match p {
        P::OrOr => (1, None),
        P::AndAnd => (2, None),
        P::Or => (3, Some(BinaryOp::BitOr)),
        P::Caret => (4, Some(BinaryOp::BitXor)),
        P::And => (5, Some(BinaryOp::BitAnd)),
        P::EqEq => (6, Some(BinaryOp::Eq)),
        P::Ne => (6, Some(BinaryOp::Ne)),
        P::Lt => (7, Some(BinaryOp::Lt)),
        P::Gt => (7, Some(BinaryOp::Gt)),
        P::Le => (7, Some(BinaryOp::Le)),
        P::Ge => (7, Some(BinaryOp::Ge)),
        P::Shl => (8, Some(BinaryOp::Shl)),
        P::Shr => (8, Some(BinaryOp::Shr)),
        P::Plus => (9, Some(BinaryOp::Add)),
        P::Minus => (9, Some(BinaryOp::Sub)),
        P::Star => (10, Some(BinaryOp::Mul)),
        P::Slash => (10, Some(BinaryOp::Div)),
        P::Percent => (10, Some(BinaryOp::Rem)),
        _ => return None,
    })
}

fn assignment_operator(p: P) -> Option<Option<BinaryOp>> {
    Some(match p {
        P::Assign => None,
        P::AddAssign => Some(BinaryOp::Add),
        P::SubAssign => Some(BinaryOp::Sub),
        P::MulAssign => Some(BinaryOp::Mul),
        P::DivAssign => Some(BinaryOp::Div),
        P::RemAssign => Some(BinaryOp::Rem),
        P::AndAssign => Some(BinaryOp::BitAnd),
        P::OrAssign => Some(BinaryOp::BitOr),
        P::XorAssign => Some(BinaryOp::BitXor),
        P::ShlAssign => Some(BinaryOp::Shl),
        P::ShrAssign => Some(BinaryOp::Shr),
        _ => return None,
    })
}

impl Parser {
    /// Expression, comma operator included. The result may be a place.
    pub(super) fn expression(&mut self) -> Res<Expr> {
        let start = self.span();
        let mut left = self.assignment()?;
        while self.accept(P::Comma) {
            self.chained()?;
            let right = self.assignment()?;
            let (left_value, right) = (self.rvalue(left), self.rvalue(right));
            let ty = right.ty;
            left = expr(ExprKind::Comma(Box::new(left_value), Box::new(right)), ty, self.since(start));
        }
        Ok(left)
    }

    pub(super) fn assignment(&mut self) -> Res<Expr> {
        self.nested(|p| {
            let start = p.span();
            let left = p.conditional()?;
            let Tok::Punct(token) = p.peek() else { return Ok(left) };
            let Some(op) = assignment_operator(token) else { return Ok(left) };
            p.advance();
            let right = p.assignment()?;
            let span = p.since(start);
            match op {
                None => p.assign(left, right, span),
                Some(op) => p.assign_op(op, left, right, span),
            }
        })
    }

    pub(super) fn conditional(&mut self) -> Res<Expr> {
        let start = self.span();
        let mut cond = self.binary_expression(0)?;
        if self.at_implication() {
            cond = self.implication(cond, start)?;
        }
        let question = self.span();
        if !self.accept(P::Question) {
            return Ok(cond);
        }
        let cond = self.condition(cond)?;
        let cond = self.inject_after(Moment::Decision, question, cond)?;
        if self.accept(P::Colon) {
            let other = self.nested(Parser::conditional)?;
            let span = self.since(start);
            // The tested value is kept unconverted; a copy shows what it is converted to.
            let (value, other) = self.branches(cond.clone(), other, span)?;
            let ty = other.ty;
            return Ok(match self.fold_choice(&cond, &value, &other) {
                Some(kind) => expr(kind, ty, span),
                None => expr(ExprKind::Elvis { value: Box::new(cond), other: Box::new(other) }, ty, span),
            });
        }
        let then = self.nested(Parser::expression)?;
        self.expect(P::Colon)?;
        let other = self.nested(Parser::conditional)?;
        let span = self.since(start);
        let (then, other) = self.branches(then, other, span)?;
        let ty = then.ty;
        Ok(match self.fold_choice(&cond, &then, &other) {
            Some(kind) => expr(kind, ty, span),
            None => expr(ExprKind::Cond(Box::new(cond), Box::new(then), Box::new(other)), ty, span),
        })
    }

    /// `c ? a : b` of three literals.
    fn fold_choice(&self, cond: &Expr, a: &Expr, b: &Expr) -> Option<ExprKind> {
        let literal = |e: &Expr| matches!(e.kind, ExprKind::Int(_) | ExprKind::Float(_));
        if !(literal(cond) && literal(a) && literal(b)) {
            return None;
        }
        Some(if self.truth(cond)? { a.kind.clone() } else { b.kind.clone() })
    }

    pub(super) fn binary_expression(&mut self, min: u8) -> Res<Expr> {
        let start = self.span();
        let mut left = self.cast_expression()?;
        while let Tok::Punct(token) = self.peek()
            && let Some((precedence, op)) = binary_operator(token)
            && precedence > min
            && !(token == P::EqEq && self.at_implication())
        {
            self.chained()?;
            self.advance();
            let right = self.binary_expression(precedence)?;
            let span = self.since(start);
            left = match op {
                Some(op) => self.binary(op, left, right, span)?,
                None => self.logical(token == P::AndAnd, left, right, span)?,
            };
        }
        Ok(left)
    }

    pub(super) fn logical(&mut self, and: bool, left: Expr, right: Expr, span: Span) -> Res<Expr> {
        let (left, right) = (self.condition(left)?, self.condition(right)?);
        if let (ExprKind::Int(a), ExprKind::Int(b)) = (&left.kind, &right.kind) {
            let truth = if and { *a != 0 && *b != 0 } else { *a != 0 || *b != 0 };
            return Ok(self.int_of(truth.into(), span));
        }
        let int = self.types.int();
        let (left, right) = (Box::new(left), Box::new(right));
        Ok(expr(if and { ExprKind::LogAnd(left, right) } else { ExprKind::LogOr(left, right) }, int, span))
    }

    /// Does a type name start `ahead` tokens from here?
    pub(super) fn type_starts_at(&self, ahead: usize) -> bool {
        match self.peek_at(ahead) {
            Tok::Name(kw::ATTRIBUTE) => true,
            Tok::Name(name) if name.is_keyword() => super::spec::starts_type(name),
            Tok::Name(name) => self.names_type(name),
            _ => false,
        }
    }

    pub(super) fn cast_expression(&mut self) -> Res<Expr> {
        if !(self.at(P::LParen) && self.type_starts_at(1)) {
            return self.unary_expression();
        }
        self.nested(|p| {
            let start = p.span();
            p.advance();
            let (ty, bounds) = p.type_name()?;
            p.expect(P::RParen)?;
            if p.at(P::LBrace) {
                let literal = p.compound_literal(ty, start)?;
                let literal = p.after_bounds(bounds, literal);
                return p.postfix(literal, start);
            }
            let operand = p.cast_expression()?;
            let span = p.since(start);
            let result = p.explicit_cast(operand, ty, span)?;
            Ok(p.after_bounds(bounds, result))
        })
    }

    /// `e`, with the bounds of the variable arrays in its type evaluated first.
    pub(super) fn after_bounds(&mut self, bounds: Vec<Expr>, e: Expr) -> Expr {
        if bounds.is_empty() {
            return e;
        }
        let mut result = self.rvalue(e);
        for bound in bounds.into_iter().rev() {
            let (ty, span) = (result.ty, result.span);
            result = expr(ExprKind::Comma(Box::new(bound), Box::new(result)), ty, span);
        }
        result
    }

    fn compound_literal(&mut self, ty: Ty, start: Span) -> Res<Expr> {
        let is_static = self.func.is_none();
        let storage = if is_static { Storage::Static } else { Storage::Local };
        let (ty, init, extra) = self.initializer(ty, is_static, start)?;
        let span = self.since(start);
        let var = self.new_generated(crate::hir::COMPOUND_LITERAL, ty, storage, start);
        self.compound_literals += u32::from(!is_static);
        self.var_mut(var).extra_size = extra;
        if is_static {
            self.var_mut(var).init = Some(init);
            return Ok(self.var_node(var, span));
        }
        Ok(expr(ExprKind::CompoundLiteral(var, Box::new(init)), ty, span))
    }

    fn unary_expression(&mut self) -> Res<Expr> {
        let start = self.span();
        match self.peek() {
            Tok::Punct(p @ (P::Inc | P::Dec)) => {
                self.advance();
                let place = self.nested(Parser::unary_expression)?;
                let span = self.since(start);
                self.inc_dec(place, p == P::Dec, false, span)
            }
            Tok::Punct(P::And) => {
                self.advance();
                let operand = self.nested(Parser::cast_expression)?;
                let span = self.since(start);
                self.address_of(operand, span)
            }
            Tok::Punct(P::AndAnd) => {
                self.advance();
                let (name, at) = self.identifier("a label")?;
                let span = self.since(start);
                let label = self.outer_label(name).or_else(|| self.use_label(name, at));
                let Some(label) = label else {
                    return self.fail(span, "label address outside of a function");
                };
                self.labels[label].address_taken = true;
                let void = self.types.void();
                let ty = self.types.pointer(void);
                Ok(expr(ExprKind::LabelAddr(label), ty, span))
            }
            Tok::Punct(P::Star) => {
                self.advance();
                let operand = self.nested(Parser::cast_expression)?;
                let span = self.since(start);
                if self.types.is_function(operand.ty) {
                    return Ok(Expr { span, ..operand });
                }
                let pointer = self.decay_to_access(operand);
                self.deref(pointer, span)
            }
            Tok::Punct(P::Plus) => {
                self.advance();
                let operand = self.nested(Parser::cast_expression)?;
                let value = self.rvalue(operand);
                if !self.types.is_arithmetic(value.ty) {
                    return self.fail(start, "wrong type argument to unary plus");
                }
                let is_bit_field = self.bit_field_of(&value).is_some();
                let value = self.promote(value);
                let span = self.since(start);
                if is_bit_field && self.bit_field_of(&value).is_some() {
                    // Promoted to its declared type, it is no bit-field any more.
                    let ty = value.ty;
                    return Ok(expr(ExprKind::Cast(Box::new(value)), ty, span));
                }
                Ok(Expr { span, ..value })
            }
            Tok::Punct(p @ (P::Minus | P::Tilde | P::Not)) => {
                self.advance();
                let operand = self.nested(Parser::cast_expression)?;
                let op = match p {
                    P::Minus => UnaryOp::Neg,
                    P::Tilde => UnaryOp::BitNot,
                    _ => UnaryOp::Not,
                };
                let span = self.since(start);
                self.unary(op, operand, span)
            }
            Tok::Name(kw::SIZEOF) => {
                self.advance();
                self.nested(|p| p.sizeof(start))
            }
            Tok::Name(keyword @ (kw::ALIGNOF | kw::GNU_ALIGNOF)) => {
                self.advance();
                self.nested(|p| p.alignof(keyword, start))
            }
            Tok::Name(kw::EXTENSION) => {
                self.advance();
                self.nested(Parser::cast_expression)
            }
            Tok::Name(keyword @ (kw::REAL | kw::IMAG)) => {
                self.advance();
                let operand = self.nested(Parser::cast_expression)?;
                let span = self.since(start);
                self.part(operand, keyword == kw::IMAG, span)
            }
            _ => {
                let primary = self.primary()?;
                self.postfix(primary, start)
            }
        }
    }

    pub(super) fn sizeof(&mut self, start: Span) -> Res<Expr> {
        let ty = if self.at(P::LParen) && self.type_starts_at(1) {
            let open = self.span();
            self.advance();
            let (ty, bounds) = self.type_name()?;
            self.expect(P::RParen)?;
            if self.at(P::LBrace) {
                let literal = self.compound_literal(ty, open)?;
                self.postfix(literal, open)?.ty
            } else {
                let span = self.since(start);
                let size = self.sizeof_value(ty, span)?;
                let has_more = |bound: &Expr| !matches!(&bound.kind, ExprKind::Assign(_, value) if !has_effects(value));
                if !self.types.is_vla(ty) && bounds.iter().any(has_more) {
                    // The size does not depend on them: C leaves open whether they are evaluated (C11 6.7.6.2p5).
                    let what =
                        "effects in a bound of a variable-length array that its size does not depend on".to_owned();
                    return Ok(expr(ExprKind::Unsupported(what), size.ty, span));
                }
                return Ok(self.after_bounds(bounds, size));
            }
        } else {
            let operand = self.unary_expression()?;
            if self.is_bit_field(&operand) {
                return self.fail(self.since(start), "'sizeof' applied to a bit-field");
            }
            let ty = self.type_as_written(&operand);
            if self.types.is_vla(ty) && has_effects(&operand) {
                // It is evaluated (C11 6.5.3.4p2).
                let span = self.since(start);
                let (operand, size) = (self.rvalue(operand), self.sizeof_value(ty, span)?);
                return Ok(self.after_bounds(vec![operand], size));
            }
            ty
        };
        let span = self.since(start);
        self.sizeof_value(ty, span)
    }

    fn sizeof_value(&mut self, ty: Ty, span: Span) -> Res<Expr> {
        if matches!(self.types[ty], Type::Record(_) | Type::Enum(_)) && !self.types.is_complete(ty) {
            let shown = self.types.show(ty);
            return self.fail(span, format!("'sizeof' of incomplete type '{shown}'"));
        }
        if let Type::Array(of, Len::Unknown) = self.types[ty]
            && self.func.is_some()
        {
            // gcc rejects this; a tentative array that nobody completes has one element.
            self.notes
                .push(base::Diagnostic::note(Some(span), "size of an array of unknown length: taken as one element"));
            return self.size_expr(of, span);
        }
        self.size_expr(ty, span)
    }

    /// `_Alignof` gives what members get; `__alignof__` what objects of their own get (on i386 more, for some).
    fn alignof(&mut self, keyword: Name, start: Span) -> Res<Expr> {
        let align_of = if keyword == kw::ALIGNOF { Types::member_align } else { Types::align_of };
        let align = if self.at(P::LParen) && self.type_starts_at(1) {
            self.advance();
            let (ty, _) = self.type_name()?;
            self.expect(P::RParen)?;
            align_of(&self.types, ty)
        } else {
            let operand = self.unary_expression()?;
            let asked = match operand.kind {
                ExprKind::Var(id) => self.var(id).align,
                ExprKind::Func(id) => self.funcs[id].align,
                _ => None,
            };
            asked.unwrap_or_else(|| align_of(&self.types, operand.ty))
        };
        Ok(self.size_node(align, self.since(start)))
    }

    pub(super) fn postfix(&mut self, mut e: Expr, start: Span) -> Res<Expr> {
        loop {
            let Tok::Punct(token) = self.peek() else { return Ok(e) };
            if !matches!(token, P::LBracket | P::LParen | P::Dot | P::Arrow | P::Inc | P::Dec) {
                return Ok(e);
            }
            self.chained()?;
            self.advance();
            e = match token {
                P::LBracket => {
                    let index = self.nested(Parser::expression)?;
                    self.expect(P::RBracket)?;
                    let span = self.since(start);
                    self.subscript(e, index, span)?
                }
                P::LParen => self.nested(|p| p.call(e, start))?,
                P::Dot => self.member(e, start)?,
                P::Arrow => {
                    let pointer = self.decay_to_access(e);
                    let span = pointer.span;
                    let place = self.deref(pointer, span)?;
                    self.member(place, start)?
                }
                _ => {
                    let span = self.since(start);
                    self.inc_dec(e, token == P::Dec, true, span)?
                }
            };
        }
    }

    fn subscript(&mut self, base: Expr, index: Expr, span: Span) -> Res<Expr> {
        let is_base = |p: &Parser, e: &Expr| p.types.is_array(e.ty) || p.types.is_pointer(e.ty);
        let (base, index) = if is_base(self, &base) || !is_base(self, &index) { (base, index) } else { (index, base) };
        let index = self.rvalue(index);
        if matches!(base.kind, ExprKind::Unsupported(_)) && !is_base(self, &base) {
            return Ok(base);
        }
        if self.is_vector(base.ty) {
            return if is_lvalue(&base) {
                self.lane_place(base, index, span)
            } else {
                self.lane_value(base, index, span)
            };
        }
        if !is_base(self, &base) || !(self.types.is_integer(index.ty) || matches!(index.kind, ExprKind::Unsupported(_)))
        {
            return self.fail(span, "subscripted value is neither array nor pointer, or the index is not an integer");
        }
        let pointer = self.decay_to_access(base);
        let sum = self.pointer_add(pointer, index, false, span)?;
        self.deref(sum, span)
    }

    pub(super) fn member(&mut self, e: Expr, start: Span) -> Res<Expr> {
        let (name, at) = match self.peek() {
            // Keywords of ours that are plain names in other dialects may be member names.
            Tok::Name(name) => {
                self.advance();
                (name, self.last_span())
            }
            _ => self.identifier("a member name")?,
        };
        if matches!(e.kind, ExprKind::Unsupported(_)) {
            return Ok(e);
        }
        let Some(record) = self.types.record(e.ty) else {
            let (found, member) = (self.types.show(e.ty), self.text_of(name));
            return self.fail(at, format!("request for member '{member}' in something of type '{found}'"));
        };
        if !self.types.records[record].complete {
            let shown = self.types.show(e.ty);
            return self.fail(at, format!("'{shown}' is incomplete here: its members are not known"));
        }
        let text = self.text_of(name);
        let Some(path) = self.find_member(record, &text) else {
            let shown = self.types.show(e.ty);
            return self.fail(at, format!("'{shown}' has no member named '{text}'"));
        };
        let span = self.since(start);
        Ok(path.into_iter().fold(e, |e, index| self.field(e, index, span)))
    }

    /// Member number `index` of a record expression.
    pub(super) fn field(&self, e: Expr, index: u32, span: Span) -> Expr {
        let ty = match self.types[e.ty] {
            Type::Record(id) => self.types.records[id].fields[index as usize].ty,
            _ => e.ty,
        };
        let ty = if is_lvalue(&e) { ty.with(e.ty.qualifiers()) } else { ty };
        expr(ExprKind::Field(Box::new(e), index), ty, span)
    }

    /// The way to a member through anonymous structs and unions, as field indices.
    pub(super) fn find_member(&self, record: RecordId, name: &str) -> Option<Vec<u32>> {
        let fields = &self.types.records[record].fields;
        if let Some(index) = fields.iter().position(|f| f.name.as_deref() == Some(name)) {
            return Some(vec![index as u32]);
        }
        fields.iter().enumerate().filter(|(_, f)| f.name.is_none()).find_map(|(index, field)| {
            let mut path = self.find_member(self.types.record(field.ty)?, name)?;
            path.insert(0, index as u32);
            Some(path)
        })
    }

    /// Arguments of a call, the opening parenthesis taken; `)` is taken too.
    pub(super) fn arguments(&mut self) -> Res<Vec<Expr>> {
        let mut args = Vec::new();
        if self.accept(P::RParen) {
            return Ok(args);
        }
        loop {
            args.push(self.assignment()?);
            if !self.accept(P::Comma) {
                break;
            }
        }
        self.expect(P::RParen)?;
        Ok(args)
    }

    fn call(&mut self, callee: Expr, start: Span) -> Res<Expr> {
        let callee =
            if matches!(callee.kind, ExprKind::Func(_)) { self.function_value(callee) } else { self.rvalue(callee) };
        let args = self.arguments()?;
        let (span, end) = (self.since(start), self.last_span());
        let call = self.call_with(callee, args, span)?;
        let call = self.inject_after(Moment::Return, end, call)?;
        self.inject_before(Moment::Call, end, call)
    }

    /// A call of a function value with these arguments, converted here.
    pub(super) fn call_with(&mut self, callee: Expr, args: Vec<Expr>, span: Span) -> Res<Expr> {
        let Some(f) = self.types.called(callee.ty).cloned() else {
            if matches!(callee.kind, ExprKind::Unsupported(_)) {
                return Ok(callee);
            }
            let found = self.types.show(callee.ty);
            return self.fail(span, format!("called object of type '{found}' is not a function"));
        };
        self.check_argument_count(&f, args.len(), span)?;
        let mut converted = Vec::with_capacity(args.len());
        for (index, arg) in args.into_iter().enumerate() {
            converted.push(match f.params.get(index) {
                Some(&param) if f.prototyped => self.convert_for(arg, param, "in argument")?,
                _ => {
                    let value = self.rvalue(arg);
                    if self.types.is_void(value.ty) {
                        return self.fail(value.span, "void value used as an argument");
                    }
                    self.promote_argument(value)
                }
            });
        }
        let ty = f.ret.unqualified();
        if self.types.is_record(ty) && !self.types.is_complete(ty) {
            let shown = self.types.show(ty);
            return self.fail(span, format!("call of a function that returns incomplete type '{shown}'"));
        }
        Ok(expr(ExprKind::Call { callee: Box::new(callee), args: converted }, ty, span))
    }

    fn check_argument_count(&mut self, f: &FunctionType, given: usize, span: Span) -> Res<()> {
        let wanted = f.params.len();
        if f.prototyped && (given < wanted || (given > wanted && !f.variadic)) {
            let few = if given < wanted { "few" } else { "many" };
            return self.fail(span, format!("too {few} arguments to function: {given} given, {wanted} declared"));
        }
        Ok(())
    }
}
