//! Statements. Labels and cases are markers in the sequence, so a labelled statement yields several.
//!
//! Selections and loops are blocks, and so is each statement in them, braces or not (C11 6.8.4p3, 6.8.5p5): what is declared in
//! a condition is known no longer, and compound literals live no longer. Where there are such literals, the tree has the block.

use std::collections::BTreeMap;

use base::Span;

use crate::hir::{Case, Expr, ExprKind, Stmt, StmtKind};
use crate::inject::Moment;
use crate::token::{P, Tok, kw};
use crate::types::Ty;

use super::fold::{Value, extend};
use super::recover::Within;
use super::typed::expr;
use super::{Fatal, Parser, Res};

pub(super) struct SwitchState {
    ty: Ty,
    cases: Vec<Case>,
    /// Low to high of the cases so far, to find overlaps.
    ranges: BTreeMap<i128, i128>,
    has_default: bool,
}

fn stmt(kind: StmtKind, span: Span) -> Stmt {
    Stmt { kind, span }
}

impl Parser {
    /// The items of a block, `{` taken; `}` is taken too. The caller manages the scope.
    pub(super) fn block_items(&mut self, out: &mut Vec<Stmt>) -> Res<()> {
        let start = self.last_span();
        let mut local_labels = Vec::new();
        loop {
            self.statement_annotations(out)?;
            if self.accept(P::RBrace) {
                break;
            }
            if self.peek() == Tok::Eof {
                return self.fail(start, "this '{' is never closed");
            }
            if self.accept_keyword(kw::LABEL) {
                loop {
                    let (name, span) = self.identifier("a label")?;
                    self.declare_local_label(name, span);
                    local_labels.push(name);
                    if !self.accept(P::Comma) {
                        break;
                    }
                }
                self.expect(P::Semi)?;
            } else {
                let begin = self.begin();
                if self.block_item(out).is_err() && !self.recovered(&begin, Within::Braces) {
                    return Err(Fatal);
                }
            }
        }
        for name in local_labels {
            self.close_local_label(name);
        }
        Ok(())
    }

    fn block_item(&mut self, out: &mut Vec<Stmt>) -> Res<()> {
        if self.statement_expressions == 0 {
            self.operators = 0;
        }
        if self.declaration_starts() {
            self.no_loop_follows()?;
            self.next_statement(self.span());
            self.inject_statements(self.span(), out)?;
            return self.local_declaration(out);
        }
        self.statement_into(out)
    }

    fn block(&mut self) -> Res<Stmt> {
        let start = self.expect(P::LBrace)?;
        self.scopes.open();
        let mut items = Vec::new();
        self.block_items(&mut items)?;
        self.scopes.close();
        Ok(stmt(StmtKind::Block(items), self.since(start)))
    }

    /// One statement as one node, in a scope of its own (the body of a loop or branch).
    fn body(&mut self) -> Res<Stmt> {
        let mut parts = Vec::new();
        let literals = self.compound_literals;
        self.scopes.open();
        self.statement_into(&mut parts)?;
        self.scopes.close();
        if let [only] = &parts[..]
            && (self.compound_literals == literals || matches!(only.kind, StmtKind::Block(_)))
            && let Some(only) = parts.pop()
        {
            return Ok(only);
        }
        let span = parts.first().map_or_else(|| self.last_span(), |s| s.span);
        Ok(stmt(StmtKind::Block(parts), self.since(span)))
    }

    fn statement_into(&mut self, out: &mut Vec<Stmt>) -> Res<()> {
        self.nested(|p| {
            let labelled = p.span();
            p.next_statement(labelled);
            p.statement_annotations(out)?;
            while p.label_into(out)? {
                p.statement_annotations(out)?;
                // After a label, a declaration or the end of the block may follow (as in C2x).
                if p.at(P::RBrace) {
                    return Ok(());
                }
                if p.declaration_starts() {
                    p.no_loop_follows()?;
                    p.inject_statements(p.span(), out)?;
                    return p.local_declaration(out);
                }
            }
            p.inject_statements(labelled, out)?;
            if p.span() != labelled {
                p.inject_statements(p.span(), out)?;
            }
            p.unlabelled(out)
        })
    }

    /// `name:`, `case e:`, `case a ... b:`, `default:`, if one stands here.
    fn label_into(&mut self, out: &mut Vec<Stmt>) -> Res<bool> {
        let start = self.span();
        match self.peek() {
            Tok::Name(kw::CASE) => {
                self.advance();
                self.case(start, out)?;
            }
            Tok::Name(kw::DEFAULT) => {
                self.advance();
                self.expect(P::Colon)?;
                let span = self.since(start);
                let again = match self.func.as_mut().and_then(|f| f.switches.last_mut()) {
                    Some(switch) => std::mem::replace(&mut switch.has_default, true),
                    None => return self.fail(span, "'default' outside of a switch"),
                };
                if again {
                    self.error(span, "multiple default labels in one switch");
                }
                out.push(stmt(StmtKind::Default, span));
            }
            Tok::Name(name) if !name.is_keyword() && self.peek_at(1) == Tok::Punct(P::Colon) => {
                self.advance();
                self.advance();
                let id = self.define_label(name, start)?;
                out.push(stmt(StmtKind::Label(id), self.since(start)));
                if self.names.text(name).starts_with(super::dialect::ASYNC) {
                    out.push(stmt(StmtKind::Unsupported("a thread started by a label".to_owned()), start));
                }
                self.attributes()?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn case(&mut self, start: Span, out: &mut Vec<Stmt>) -> Res<()> {
        let Some(ty) = self.func.as_ref().and_then(|f| f.switches.last()).map(|s| s.ty) else {
            return self.fail(start, "'case' outside of a switch");
        };
        let low = self.case_value(ty)?;
        let high = if self.accept(P::Ellipsis) { self.case_value(ty)? } else { low };
        self.expect(P::Colon)?;
        let span = self.since(start);
        let Some(switch) = self.func.as_mut().and_then(|f| f.switches.last_mut()) else { return Ok(()) };
        // An empty range (low > high) is allowed and never taken.
        let mut overlaps = false;
        if low <= high {
            let before = switch.ranges.range(..=high).next_back();
            overlaps = before.is_some_and(|(_, &end)| end >= low);
            switch.ranges.insert(low, high);
        }
        let index = switch.cases.len() as u32;
        switch.cases.push(Case { low, high, span });
        if overlaps {
            self.error(span, "duplicate case value");
        }
        out.push(stmt(StmtKind::Case(index), span));
        Ok(())
    }

    fn case_value(&mut self, ty: Ty) -> Res<i128> {
        let e = self.nested(Parser::conditional)?;
        let e = self.rvalue(e);
        let value = if self.types.is_integer(e.ty) { self.eval(&e) } else { None };
        match (value.and_then(|v| self.convert(v, e.ty, ty)), self.types.int_shape(ty)) {
            (Some(Value::Int(bits)), Some((width, signed))) => Ok(extend(bits, width, signed)),
            _ => self.fail(e.span, "a case label must be an integer constant"),
        }
    }

    /// Annotations of a loop stand in front of one.
    fn no_loop_follows(&mut self) -> Res<()> {
        let waiting = std::mem::take(&mut self.of_next_loop);
        self.refuse_annotations(&waiting, "loop")
    }

    fn unlabelled(&mut self, out: &mut Vec<Stmt>) -> Res<()> {
        if !matches!(self.peek(), Tok::Name(kw::IF | kw::SWITCH | kw::WHILE | kw::DO | kw::FOR)) {
            return self.statement_as_written(out);
        }
        let (start, mark, literals) = (self.span(), out.len(), self.compound_literals);
        self.scopes.open();
        self.statement_as_written(out)?;
        self.scopes.close();
        if self.compound_literals != literals {
            let parts = out.split_off(mark);
            out.push(stmt(StmtKind::Block(parts), self.since(start)));
        }
        Ok(())
    }

    /// A statement as it is written, whatever scope it opens.
    fn statement_as_written(&mut self, out: &mut Vec<Stmt>) -> Res<()> {
        let start = self.span();
        if !matches!(self.peek(), Tok::Name(kw::WHILE | kw::DO | kw::FOR)) {
            self.no_loop_follows()?;
        }
        let annotations = std::mem::take(&mut self.of_next_loop);
        let found = match self.peek() {
            Tok::Punct(P::LBrace) => self.block()?,
            Tok::Punct(P::Semi) => {
                self.advance();
                stmt(StmtKind::Empty, start)
            }
            Tok::Name(kw::IF) => self.if_statement()?,
            Tok::Name(kw::SWITCH) => self.switch_statement()?,
            Tok::Name(kw::WHILE) => {
                self.advance();
                let cond = self.parenthesized_condition(start)?;
                let cond = self.inject_before(Moment::LoopTest, start, cond)?;
                self.loop_contract(&annotations, out)?;
                let body = Box::new(self.loop_body()?);
                stmt(StmtKind::While { cond, body }, self.since(start))
            }
            Tok::Name(kw::DO) => {
                self.advance();
                self.loop_contract(&annotations, out)?;
                let body = Box::new(self.loop_body()?);
                self.expect_keyword(kw::WHILE)?;
                let cond = self.parenthesized_condition(start)?;
                let cond = self.inject_before(Moment::LoopTest, start, cond)?;
                self.loop_contract(&[], out)?;
                self.expect(P::Semi)?;
                stmt(StmtKind::DoWhile { body, cond }, self.since(start))
            }
            Tok::Name(kw::FOR) => self.for_statement(&annotations, out)?,
            Tok::Name(kw::GOTO) => self.goto_statement()?,
            Tok::Name(kw::BREAK) => {
                self.advance();
                if self.func.as_ref().is_none_or(|f| f.breakables == 0) {
                    self.error(start, "'break' outside of a loop or switch");
                }
                self.expect(P::Semi)?;
                stmt(StmtKind::Break, self.since(start))
            }
            Tok::Name(kw::CONTINUE) => {
                self.advance();
                if self.func.as_ref().is_none_or(|f| f.loops == 0) {
                    self.error(start, "'continue' outside of a loop");
                }
                self.expect(P::Semi)?;
                stmt(StmtKind::Continue, self.since(start))
            }
            Tok::Name(kw::RETURN) => return self.return_statement(out),
            Tok::Name(kw::ASM) => self.asm_statement()?,
            // `__attribute__((fallthrough));` as the body of a branch.
            Tok::Name(kw::ATTRIBUTE) => {
                self.attributes()?;
                self.expect(P::Semi)?;
                stmt(StmtKind::Empty, self.since(start))
            }
            _ => {
                let value = self.expression()?;
                // `*` needs a valid pointer even where nobody looks at the value (C11 6.5.3.2).
                let value = self.void_as_byte(value);
                let value = self.rvalue(value);
                self.expect(P::Semi)?;
                stmt(StmtKind::Expr(value), self.since(start))
            }
        };
        out.push(found);
        Ok(())
    }

    /// The condition of the statement whose keyword stands at `keyword`.
    fn parenthesized_condition(&mut self, keyword: Span) -> Res<Expr> {
        self.expect(P::LParen)?;
        let e = self.nested(Parser::expression)?;
        let cond = self.condition(e)?;
        self.expect(P::RParen)?;
        self.inject_after(Moment::Decision, keyword, cond)
    }

    /// A loop's body, in which `break` and `continue` make sense.
    fn loop_body(&mut self) -> Res<Stmt> {
        self.count_loop(1, 1);
        let body = self.body();
        self.count_loop(-1, -1);
        body
    }

    fn count_loop(&mut self, loops: i32, breakables: i32) {
        if let Some(func) = &mut self.func {
            func.loops = func.loops.saturating_add_signed(loops);
            func.breakables = func.breakables.saturating_add_signed(breakables);
        }
    }

    /// `if`, with its whole chain of `else if` read in a loop: generated code has thousands in a row.
    fn if_statement(&mut self) -> Res<Stmt> {
        let mut chain = Vec::new();
        let mut other = None;
        let enclosing = self.branches;
        loop {
            let start = self.span();
            self.expect_keyword(kw::IF)?;
            if !chain.is_empty() {
                self.next_statement(start);
            }
            let mut cond = self.parenthesized_condition(start)?;
            if !chain.is_empty() {
                cond = self.inject_before(Moment::Statement, start, cond)?;
            }
            let then = self.body()?;
            chain.push((start, cond, then));
            if !self.accept_keyword(kw::ELSE) {
                break;
            }
            if self.at_keyword(kw::IF) {
                self.scopes.open();
                self.branches += 1;
                if self.branches > super::MAX_CHAIN {
                    return self.fail(self.span(), format!("more than {} nested 'else if'", super::MAX_CHAIN));
                }
                continue;
            }
            other = Some(Box::new(self.body()?));
            break;
        }
        self.branches = enclosing;
        (1..chain.len()).for_each(|_| self.scopes.close());
        let end = self.last_span();
        for (start, cond, then) in chain.into_iter().rev() {
            let kind = StmtKind::If { cond, then: Box::new(then), other: other.take() };
            other = Some(Box::new(stmt(kind, start.to(end))));
        }
        match other {
            Some(whole) => Ok(*whole),
            None => self.fail(end, "empty if"),
        }
    }

    fn switch_statement(&mut self) -> Res<Stmt> {
        let start = self.span();
        self.advance();
        self.expect(P::LParen)?;
        let cond = self.nested(Parser::expression)?;
        let cond = self.rvalue(cond);
        self.expect(P::RParen)?;
        let cond = self.promote(cond);
        let mut cond = self.inject_after(Moment::Decision, start, cond)?;
        if !self.types.is_integer(cond.ty) {
            if !matches!(cond.kind, ExprKind::Unsupported(_)) {
                return self.fail(cond.span, "the controlling expression of a switch must be an integer");
            }
            cond.ty = self.types.int();
        }
        let ty = cond.ty;
        let Some(func) = &mut self.func else { return self.fail(start, "switch outside of a function") };
        func.switches.push(SwitchState { ty, cases: Vec::new(), ranges: BTreeMap::new(), has_default: false });
        self.count_loop(0, 1);
        let body = self.body()?;
        self.count_loop(0, -1);
        let Some(state) = self.func.as_mut().and_then(|f| f.switches.pop()) else {
            return self.fail(start, "switch outside of a function");
        };
        let kind = StmtKind::Switch { cond, cases: state.cases, has_default: state.has_default, body: Box::new(body) };
        Ok(stmt(kind, self.since(start)))
    }

    fn for_statement(&mut self, annotations: &[usize], out: &mut Vec<Stmt>) -> Res<Stmt> {
        let start = self.span();
        self.advance();
        self.expect(P::LParen)?;
        let mut init = Vec::new();
        let at = self.span();
        if self.declaration_starts() {
            self.local_declaration(&mut init)?;
        } else if !self.accept(P::Semi) {
            let e = self.nested(Parser::expression)?;
            let e = self.rvalue(e);
            init.push(stmt(StmtKind::Expr(e), self.since(at)));
            self.expect(P::Semi)?;
        }
        let mut cond = None;
        if !self.at(P::Semi) {
            let e = self.nested(Parser::expression)?;
            let e = self.condition(e)?;
            cond = Some(self.inject_after(Moment::Decision, start, e)?);
        }
        if self.is_injected(Moment::LoopTest, start) {
            let test = cond.unwrap_or_else(|| self.int_of(1, start));
            cond = Some(self.inject_before(Moment::LoopTest, start, test)?);
        }
        self.expect(P::Semi)?;
        let mut step = None;
        if !self.at(P::RParen) {
            let e = self.nested(Parser::expression)?;
            step = Some(self.rvalue(e));
        }
        self.expect(P::RParen)?;
        self.loop_contract(annotations, out)?;
        let body = Box::new(self.loop_body()?);
        Ok(stmt(StmtKind::For { init, cond, step, body }, self.since(start)))
    }

    fn goto_statement(&mut self) -> Res<Stmt> {
        let start = self.span();
        self.advance();
        let kind = if self.accept(P::Star) {
            let target = self.nested(Parser::expression)?;
            let void = self.types.void();
            let pointer = self.types.pointer(void);
            StmtKind::GotoComputed(self.convert_for(target, pointer, "in computed goto")?)
        } else {
            let (name, span) = self.identifier("a label")?;
            if self.outer_label(name).is_some() {
                StmtKind::Unsupported("a jump out of a nested function".to_owned())
            } else {
                match self.use_label(name, span) {
                    Some(label) => StmtKind::Goto(label),
                    None => return self.fail(span, "goto outside of a function"),
                }
            }
        };
        self.expect(P::Semi)?;
        Ok(stmt(kind, self.since(start)))
    }

    fn return_statement(&mut self, out: &mut Vec<Stmt>) -> Res<()> {
        let start = self.span();
        self.advance();
        if self.accept(P::Semi) {
            out.push(stmt(StmtKind::Return(None), self.since(start)));
            return Ok(());
        }
        let value = self.expression()?;
        self.expect(P::Semi)?;
        let span = self.since(start);
        let Some(ret) = self.func.as_ref().map(|f| f.ret) else {
            return self.fail(span, "return outside of a function");
        };
        if self.types.is_void(ret) {
            // gcc evaluates the value of a void function and drops it.
            let value = self.rvalue(value);
            let void = self.types.void();
            let value = self.cast(value, void);
            let parts = vec![stmt(StmtKind::Expr(value), span), stmt(StmtKind::Return(None), span)];
            out.push(stmt(StmtKind::Block(parts), span));
            return Ok(());
        }
        let value = if self.types.is_void(value.ty) {
            self.error(span, "a value must be returned, this is void");
            value
        } else {
            self.convert_for(value, ret, "in return")?
        };
        out.push(stmt(StmtKind::Return(Some(value)), span));
        Ok(())
    }

    /// `({ ... })`, the parenthesis taken.
    pub(super) fn statement_expression(&mut self, start: Span) -> Res<Expr> {
        if self.func.is_none() {
            return self.fail(start, "a statement expression is allowed only inside a function");
        }
        self.expect(P::LBrace)?;
        self.scopes.open();
        self.statement_expressions += 1;
        let mut body = Vec::new();
        // `break` here leaves the enclosing loop, as in gcc.
        self.block_items(&mut body)?;
        self.scopes.close();
        self.statement_expressions -= 1;
        self.expect(P::RParen)?;
        let span = self.since(start);
        let mut result = None;
        if matches!(body.last(), Some(Stmt { kind: StmtKind::Expr(_), .. }))
            && let Some(Stmt { kind: StmtKind::Expr(e), .. }) = body.pop()
        {
            result = Some(Box::new(e));
        }
        let ty = match &result {
            Some(e) => e.ty,
            None => self.types.void(),
        };
        Ok(expr(ExprKind::StmtExpr { body, result }, ty, span))
    }
}
