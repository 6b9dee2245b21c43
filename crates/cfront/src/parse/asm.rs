//! `asm` statements: operands are typed like expressions, the text is kept as it is.

use crate::hir::{Asm, AsmOperand, LabelId, Stmt, StmtKind};
use crate::literal;
use crate::token::{P, Tok, kw};

use super::typed::is_lvalue;
use super::{Parser, Res};

impl Parser {
    pub(super) fn asm_statement(&mut self) -> Res<Stmt> {
        let start = self.span();
        self.advance();
        let mut volatile = false;
        let mut jumps = false;
        loop {
            match self.peek() {
                Tok::Name(kw::VOLATILE) => volatile = true,
                Tok::Name(kw::GOTO) => jumps = true,
                Tok::Name(kw::INLINE | kw::CONST) => {}
                _ => break,
            }
            self.advance();
        }
        self.expect(P::LParen)?;
        let template = self.asm_string()?;
        let mut asm = Asm {
            template,
            volatile,
            outputs: Vec::new(),
            inputs: Vec::new(),
            clobbers: Vec::new(),
            labels: Vec::new(),
        };
        if self.accept_colon() {
            asm.outputs = self.asm_operands(true)?;
        }
        if self.accept_colon() {
            asm.inputs = self.asm_operands(false)?;
        }
        if self.accept_colon() {
            while self.peek() == Tok::Str {
                let clobber = self.asm_string()?;
                asm.clobbers.push(clobber);
                if !self.accept(P::Comma) {
                    break;
                }
            }
        }
        if jumps && self.accept_colon() {
            asm.labels = self.asm_labels()?;
        }
        self.expect(P::RParen)?;
        self.expect(P::Semi)?;
        Ok(Stmt { kind: StmtKind::Asm(Box::new(asm)), span: self.since(start) })
    }

    fn accept_colon(&mut self) -> bool {
        self.accept(P::Colon)
    }

    /// Adjacent string literals as text.
    pub(super) fn asm_string(&mut self) -> Res<String> {
        if self.peek() != Tok::Str {
            let found = self.describe_token();
            return self.fail(self.span(), format!("expected a string, found {found}"));
        }
        let mut text = Vec::new();
        while self.peek() == Tok::Str {
            let token = *self.token();
            self.advance();
            let (encoding, body) = literal::split(self.stream.bytes(&token));
            match literal::units(body, encoding) {
                Ok(units) => text.extend(units.into_iter().map(|u| u as u8)),
                Err(message) => return self.fail(token.span, message),
            }
        }
        Ok(crate::token::decode(&text))
    }

    fn asm_operands(&mut self, outputs: bool) -> Res<Vec<AsmOperand>> {
        let mut operands = Vec::new();
        loop {
            let mut name = None;
            if self.accept(P::LBracket) {
                let (found, _) = self.identifier("an operand name")?;
                name = Some(self.text_of(found));
                self.expect(P::RBracket)?;
            } else if self.peek() != Tok::Str {
                break;
            }
            let constraint = self.asm_string()?;
            self.expect(P::LParen)?;
            let operand = self.nested(Parser::expression)?;
            self.expect(P::RParen)?;
            let memory_only = constraint.trim_matches(['=', '+', '&', '%']) == "m";
            if outputs && !is_lvalue(&operand) {
                return self.fail(operand.span, "lvalue required in asm statement");
            }
            let expr = if outputs || (memory_only && is_lvalue(&operand)) { operand } else { self.rvalue(operand) };
            operands.push(AsmOperand { name, constraint, expr });
            if !self.accept(P::Comma) {
                break;
            }
        }
        Ok(operands)
    }

    fn asm_labels(&mut self) -> Res<Vec<LabelId>> {
        let mut labels = Vec::new();
        loop {
            let (name, span) = self.identifier("a label")?;
            match self.use_label(name, span) {
                Some(label) => labels.push(label),
                None => return self.fail(span, "asm goto outside of a function"),
            }
            if !self.accept(P::Comma) {
                return Ok(labels);
            }
        }
    }
}
