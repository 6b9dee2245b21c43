//! Where injected expressions enter the tree.

use base::Span;

use crate::hir::{Expr, ExprKind, Stmt, StmtKind, Storage};
use crate::inject::{Moment, RESULT, Ready};
use crate::token::Tok;

use super::scope::Entity;
use super::typed::expr;
use super::{Parser, Res};

impl Parser {
    /// Whether something is injected at a place.
    pub(super) fn is_injected(&self, moment: Moment, at: Span) -> bool {
        let function = self.func.as_ref().map(|func| func.name.as_str());
        let is_here =
            |ready: &Ready| ready.moment == moment && ready.is_at(&self.file_names, function, at.file, at.line, at.col);
        self.injections.iter().any(is_here)
    }

    /// The injected expressions for a place, parsed in the scope we are in.
    fn injected(&mut self, moment: Moment, at: Span) -> Res<Vec<Expr>> {
        let mut found = Vec::new();
        for index in 0..self.injections.len() {
            let function = self.func.as_ref().map(|func| func.name.as_str());
            let ready = &mut self.injections[index];
            if ready.moment != moment || !ready.is_at(&self.file_names, function, at.file, at.line, at.col) {
                continue;
            }
            let Some(own) = ready.stream.take() else { continue };
            ready.used = true;
            if moment == Moment::Statement {
                let open = Span { end_line: u32::MAX, end_col: u32::MAX, ..at };
                ready.before = Some((open, self.statement_expressions));
                ready.is_open = true;
            }
            let outer = (std::mem::replace(&mut self.stream, own), std::mem::take(&mut self.pos), self.operators);
            let parsed = self.whole_expression();
            let own = std::mem::replace(&mut self.stream, outer.0);
            (self.pos, self.operators) = (outer.1, outer.2);
            self.injections[index].stream = Some(own);
            found.push(parsed?);
        }
        Ok(found)
    }

    fn whole_expression(&mut self) -> Res<Expr> {
        let e = self.nested(Parser::expression)?;
        if self.peek() != Tok::Eof {
            let found = self.describe_token();
            return self.fail(self.span(), format!("expected the end of the expression, found {found}"));
        }
        Ok(self.rvalue(e))
    }

    /// A statement starts here: what was put before others is behind, unless this one is inside of an expression of theirs.
    pub(super) fn next_statement(&mut self, at: Span) {
        let depth = self.statement_expressions;
        for ready in self.injections.iter_mut().filter(|ready| ready.is_open) {
            if let Some((span, own)) = &mut ready.before
                && depth <= *own
            {
                ready.is_open = false;
                if span.file == at.file {
                    (span.end_line, span.end_col) = (at.line, at.col);
                }
            }
        }
    }

    /// What is injected before the statement that starts here.
    pub(super) fn inject_statements(&mut self, at: Span, out: &mut Vec<Stmt>) -> Res<()> {
        for e in self.injected(Moment::Statement, at)? {
            out.push(Stmt { kind: StmtKind::Expr(e), span: at });
        }
        Ok(())
    }

    /// What is injected at a place, then `e`.
    pub(super) fn inject_before(&mut self, moment: Moment, at: Span, mut e: Expr) -> Res<Expr> {
        for first in self.injected(moment, at)?.into_iter().rev() {
            e = comma(first, e);
        }
        Ok(e)
    }

    /// `e`, then what is injected at a place, which may use its value; the value stays that of `e`.
    pub(super) fn inject_after(&mut self, moment: Moment, at: Span, e: Expr) -> Res<Expr> {
        if self.func.is_none() || !self.is_injected(moment, at) {
            return Ok(e);
        }
        let e = self.rvalue(e);
        let (ty, span) = (e.ty, e.span);
        if !self.types.is_scalar(ty) {
            return Ok(self.injected(moment, at)?.into_iter().fold(e, comma));
        }
        let var = self.new_generated(RESULT, ty, Storage::Local, span);
        let name = self.names.intern(RESULT.as_bytes());
        self.scopes.open();
        self.scopes.declare(name, Entity::Var(var, ty), span);
        let injected = self.injected(moment, at);
        self.scopes.close();
        let place = |p: &Parser| Box::new(p.var_node(var, span));
        let kept = expr(ExprKind::Assign(place(self), Box::new(e)), ty, span);
        let value = expr(ExprKind::Load(place(self)), ty, span);
        let first = injected?.into_iter().fold(kept, comma);
        Ok(comma(first, value))
    }
}

fn comma(first: Expr, second: Expr) -> Expr {
    let (ty, span) = (second.ty, second.span);
    expr(ExprKind::Comma(Box::new(first), Box::new(second)), ty, span)
}
