//! Statements: structured control flow as locations and edges.
//!
//! The head of a loop is the location where its controlling expression is about to be evaluated, and carries the span of
//! the loop's keyword: that is where witnesses place loop invariants. (In a `do` loop this is not where it is entered.)

use base::Span;
use cfa::{Op, Origin};
use cfront::hir::{Expr, ExprKind, Init, LoopContract, Stmt, StmtKind, Storage, VarId};
use cfront::types::Type;

use crate::constant::{self, Root};
use crate::context::{Home, Local, Lowering};
use crate::place::Memory;
use cfront::walk::{statements, walk_expr, walk_init, walk_own, walk_stmt};
use std::collections::BTreeSet;
use term::Term;

impl Lowering<'_> {
    pub(crate) fn statements(&mut self, body: &[Stmt]) {
        for (i, s) in body.iter().enumerate() {
            // It stands in front of its loop.
            let contract = i.checked_sub(1).and_then(|before| match &body[before].kind {
                StmtKind::LoopContract(contract) => Some(&**contract),
                _ => None,
            });
            self.statement_with(s, contract);
        }
    }

    /// Runs the statements of a block; its locals are alive until `end_scope` of the mark that this gives. The block of a
    /// statement expression has a result.
    pub(crate) fn enter_block(&mut self, body: &[Stmt], result: Option<&Expr>) -> usize {
        let (mark, span) = (self.fun.live.len(), self.fun.span);
        self.block_literals(body, result);
        self.block_objects(body);
        self.statements(body);
        self.fun.span = span;
        mark
    }

    pub(crate) fn statement(&mut self, s: &Stmt) {
        self.statement_with(s, None);
    }

    fn statement_with(&mut self, s: &Stmt, contract: Option<&LoopContract>) {
        self.fun.span = s.span;
        if !matches!(s.kind, StmtKind::Block(_) | StmtKind::Empty) {
            let at = self.fun.at;
            self.fun.graph.locs[at].span = s.span;
        }
        match &s.kind {
            StmtKind::Empty => {}
            StmtKind::Expr(e) => self.full_expression(|low| low.discard(e)),
            StmtKind::Block(body) => {
                let mark = self.enter_block(body, None);
                self.end_scope(mark);
            }
            StmtKind::Decl { var, init, size, cleanup } => {
                self.declare(*var, init.as_ref(), size.as_deref());
                if let Some(cleanup) = cleanup {
                    self.fun.cleanups.insert(*var, cleanup.clone());
                    self.fun.live.push(Local::Cleanup(*var));
                }
            }
            StmtKind::If { cond, then, other } => {
                let (yes, no) = (self.fresh_loc(), self.fresh_loc());
                self.branch(cond, yes, no);
                self.resume(yes);
                self.statement(then);
                match other {
                    None => self.continue_at(no),
                    Some(other) => {
                        let join = self.fresh_loc();
                        self.step_to(join);
                        self.resume(no);
                        self.statement(other);
                        self.continue_at(join);
                    }
                }
            }
            StmtKind::While { cond, body } => self.while_loop(Some(cond), None, body, s.span, "while", contract),
            StmtKind::For { init, cond, step, body } => {
                let mark = self.fun.live.len();
                self.statements(init);
                self.while_loop(cond.as_ref(), step.as_ref(), body, s.span, "for", contract);
                self.end_scope(mark);
            }
            StmtKind::DoWhile { body, cond } => {
                let start = self.fresh_loc();
                let (test, exit) = (self.fresh_loc(), self.fresh_loc());
                self.enter_loop(contract);
                self.continue_at(start);
                self.at_loop_head(contract);
                let measure = self.loop_measure(contract);
                self.loop_body(body, test, exit);
                self.step_to(test);
                if !matches!(cond.kind, ExprKind::Int(0)) {
                    self.fun.graph.locs[test].loop_span = Some(keyword(s.span, "do"));
                }
                self.resume(test);
                self.fun.span = cond.span;
                let again = self.fresh_loc();
                self.branch(cond, again, exit);
                self.resume(again);
                self.assert_decreases(contract, &measure);
                self.step_to(start);
                self.resume(exit);
            }
            StmtKind::Switch { cond, cases, body, .. } => self.switch(cond, cases, body),
            StmtKind::Case(i) => {
                let target = self.target_here();
                if let Some(switch) = self.fun.switches.last_mut() {
                    switch.cases.insert(*i, target);
                }
            }
            StmtKind::Default => {
                let target = self.target_here();
                if let Some(switch) = self.fun.switches.last_mut() {
                    switch.default = Some(target);
                }
            }
            StmtKind::Label(label) => self.label(*label),
            StmtKind::Goto(label) => self.goto(*label, s.span),
            StmtKind::GotoComputed(e) => self.computed_goto(e, s.span),
            StmtKind::Break => {
                if let Some((to, mark)) = self.fun.breaks.last().copied() {
                    self.jump_out(to, mark);
                }
            }
            StmtKind::Continue => {
                if let Some((to, mark)) = self.fun.continues.last().copied() {
                    self.jump_out(to, mark);
                }
            }
            StmtKind::Return(value) => self.return_statement(value.as_ref()),
            StmtKind::Asm(asm) => self.asm(asm),
            StmtKind::LoopContract(_) => {}
            StmtKind::Remember(values) => self.remember(values),
            StmtKind::Unsupported(what) => self.unsupported(what.clone()),
        }
    }

    /// Temporary objects end with the full expression that made them.
    pub(crate) fn full_expression(&mut self, evaluate: impl FnOnce(&mut Self)) {
        let mark = self.fun.live.len();
        evaluate(self);
        self.end_scope(mark);
    }

    /// The value of a full expression.
    pub(crate) fn full_value(&mut self, e: &Expr) -> Term {
        let mark = self.fun.live.len();
        let mut value = self.value(e);
        if self.fun.live.len() > mark {
            value = self.snapshot(value);
        }
        self.end_scope(mark);
        value
    }

    fn while_loop(
        &mut self,
        cond: Option<&Expr>,
        step: Option<&Expr>,
        body: &Stmt,
        span: Span,
        word: &str,
        contract: Option<&LoopContract>,
    ) {
        self.enter_loop(contract);
        self.fun.span = span;
        let head = self.fresh_loc();
        self.continue_at(head);
        let never = matches!(cond, Some(Expr { kind: ExprKind::Int(0), .. }));
        if !never {
            self.fun.graph.locs[head].loop_span = Some(keyword(span, word));
        }
        self.at_loop_head(contract);
        let (start, exit) = (self.fresh_loc(), self.fresh_loc());
        match cond {
            Some(cond) => {
                self.fun.span = cond.span;
                self.branch(cond, start, exit);
            }
            None => self.step_to(start),
        }
        self.resume(start);
        let measure = self.loop_measure(contract);
        let begin = (self.fun.graph.locs.len(), self.fun.graph.edges.len());
        let always = cond.is_none_or(|cond| matches!(cond.kind, ExprKind::Int(n) if n != 0));
        let is_kept = always && self.asks_for_loss();
        match step {
            None => {
                let next = if measure.is_empty() && !is_kept { head } else { self.fresh_loc() };
                self.loop_body(body, next, exit);
                if next != head {
                    self.continue_at(next);
                    self.assert_decreases(contract, &measure);
                }
            }
            Some(step) => {
                let next = self.fresh_loc();
                self.loop_body(body, next, exit);
                self.continue_at(next);
                self.fun.span = step.span;
                self.fun.graph.locs[next].span = step.span;
                self.full_expression(|low| low.discard(step));
                self.assert_decreases(contract, &measure);
            }
        }
        if is_kept && !self.is_left(begin, exit, body) {
            self.fun.span = span;
            self.check_kept();
        }
        self.step_to(head);
        self.resume(exit);
    }

    fn loop_body(&mut self, body: &Stmt, next: cfa::Loc, exit: cfa::Loc) {
        let mark = self.fun.live.len();
        self.fun.breaks.push((exit, mark));
        self.fun.continues.push((next, mark));
        self.statement(body);
        self.fun.breaks.pop();
        self.fun.continues.pop();
    }

    pub(crate) fn declare(&mut self, id: VarId, init: Option<&Init>, size: Option<&Expr>) {
        match self.make_home(id) {
            Home::Scalar(var) => {
                self.fun.live.push(Local::Scalar(id, var));
                // `int x = x;` reads the new variable.
                if init.is_none_or(|init| mentions(init, id)) {
                    self.uninitialised(id, var);
                }
            }
            Home::Object(address) if size.is_none() && self.is_alive(address) => {
                let start = self.term(address);
                self.unwatch_constant(id, start);
                if init.is_none_or(|init| mentions(init, id)) {
                    let len = self.word(self.object_size(id).unwrap_or(0));
                    let origin = Origin::Uninitialised(self.unit.vars[id].name.clone());
                    self.havoc_bytes(start, len, &origin);
                }
            }
            Home::Object(address) => {
                let constant = if size.is_some() { None } else { self.object_size(id) };
                match (size, constant) {
                    (Some(size), _) => {
                        let bytes = self.array_bytes(size);
                        let width = self.pointer_width();
                        let bytes = self.terms().resize(bytes, width, false);
                        self.check_stack_allocation(bytes);
                        let name = self.unit.vars[id].name.clone();
                        self.emit(Op::Alloc { dst: address, size: bytes, kind: cfa::ObjectKind::Stack, name });
                    }
                    (None, Some(bytes)) => self.alloc_stack(address, bytes),
                    (None, None) => self.unsupported("a variable of incomplete type"),
                }
                self.align_variable(id);
                self.fun.live.push(Local::Object(address, constant));
                self.set_captured(id, address);
                let address = self.term(address);
                self.unwatch_constant(id, address);
            }
        }
        if let Some(init) = init {
            self.full_expression(|low| low.initialise(id, init));
        }
        self.watch_constant(id);
    }

    /// A nested function finds the variable by this pointer.
    pub(crate) fn set_captured(&mut self, id: VarId, address: cfa::Var) {
        if let Some(pointer) = self.unit.vars[id].captured
            && let Home::Scalar(pointer) = self.make_home(pointer)
        {
            let address = self.term(address);
            self.emit(Op::Assign(vec![(pointer, address)]));
        }
    }

    /// An arbitrary value of the variable's type: a `_Bool` is still 0 or 1.
    pub(crate) fn uninitialised(&mut self, id: VarId, var: cfa::Var) {
        let origin = Origin::Uninitialised(self.unit.vars[id].name.clone());
        self.emit(Op::Havoc { vars: vec![var], origin });
        if matches!(self.unit.types[self.unit.vars[id].ty], Type::Bool) {
            let truth = self.truth(self.term(var));
            let value = self.terms().bool_to_bv(truth, 8);
            self.emit(Op::Assign(vec![(var, value)]));
        }
    }

    fn return_statement(&mut self, value: Option<&Expr>) {
        let result = self.fun.graph.result;
        match (value, result, self.fun.result_address) {
            (Some(e), Some(result), _) => {
                let value = self.value(e);
                let mut value = self.convert(value, e.ty, self.fun.ret);
                if self.is_own_address(e) {
                    // Nothing is known of it once the function has ended: gcc returns null.
                    let (other, null) = (self.choice(), self.word(0));
                    value = self.terms().ite(other, null, value);
                }
                self.assign(result, value);
            }
            (Some(e), None, Some(address)) => {
                let dst = Memory::object(self.term(address), self.unit.types.size_of(e.ty));
                self.copy_record(&dst, e, e);
            }
            (Some(e), None, None) => self.discard(e),
            (None, Some(_), _) => self.arbitrary_result(),
            (None, None, _) => {}
        }
        self.leave_function();
    }

    /// Whether it is, as it is written, the address of a variable that ends with the function.
    fn is_own_address(&self, e: &Expr) -> bool {
        let is_own = |id: VarId| matches!(self.unit.vars[id].storage, Storage::Local | Storage::Param);
        self.unit.types.is_pointer(e.ty)
            && self.unit.types.is_pointer(self.fun.ret)
            && matches!(constant::root(e), Some(Root::Var(id)) if is_own(id))
    }

    /// The result of a function that ends without giving one.
    pub(crate) fn arbitrary_result(&mut self) {
        if let Some(result) = self.fun.graph.result {
            let origin = Origin::Uninitialised(format!("the result of {}", self.fun.graph.name));
            self.emit(Op::Havoc { vars: vec![result], origin });
        }
    }

    /// Ends every local and goes to the function's exit.
    pub(crate) fn leave_function(&mut self) {
        let leave = self.fun.leave;
        self.jump_out(leave, 0);
    }

    /// Compound literals directly in a block live as long as the block.
    fn block_literals(&mut self, body: &[Stmt], result: Option<&Expr>) {
        let unit = self.unit;
        let function = self.fun.id;
        let has_literals = function
            .is_some_and(|f| unit.funcs[f].locals.iter().any(|v| unit.vars[*v].name == cfront::hir::COMPOUND_LITERAL));
        if !has_literals {
            return;
        }
        let mut literals = Literals::default();
        body.iter().for_each(|s| literals_of(s, &mut literals));
        result.into_iter().for_each(|e| walk_expr(e, &mut |part| literals.note(part)));
        for id in literals.own() {
            match self.make_home(id) {
                Home::Scalar(var) => self.fun.live.push(Local::Scalar(id, var)),
                Home::Object(address) if self.is_alive(address) => {}
                Home::Object(address) => match self.object_size(id) {
                    Some(size) => {
                        self.alloc_stack(address, size);
                        self.fun.live.push(Local::Object(address, Some(size)));
                    }
                    None => self.unsupported("a compound literal of variable size"),
                },
            }
        }
    }

    /// An object lives from the start of its block to its end (C11 6.2.4p6). That shows only where a jump goes back behind its
    /// declaration, so such objects are made at the start; the others at their declarations. Their values are lost at
    /// each declaration.
    fn block_objects(&mut self, body: &[Stmt]) {
        let mut objects = Vec::new();
        let mut labelled = None;
        for (i, s) in body.iter().enumerate() {
            let StmtKind::Decl { var, size: None, .. } = &s.kind else { continue };
            if self.unit.vars[*var].address_taken && *labelled.get_or_insert_with(|| first_label(body)) < i {
                objects.push(*var);
            }
        }
        for id in objects {
            if let (Home::Object(address), Some(size)) = (self.make_home(id), self.object_size(id)) {
                self.alloc_stack(address, size);
                self.align_variable(id);
                self.fun.live.push(Local::Object(address, Some(size)));
                self.set_captured(id, address);
            }
        }
    }

    fn is_alive(&self, object: cfa::Var) -> bool {
        self.fun.live.iter().any(|local| matches!(local, Local::Object(address, _) if *address == object))
    }
}

fn mentions(init: &Init, id: VarId) -> bool {
    let mut found = false;
    walk_init(init, &mut |e| found |= matches!(e.kind, ExprKind::Var(other) if other == id));
    found
}

/// The first statement with a label, in it or in front of it.
fn first_label(body: &[Stmt]) -> usize {
    let has_label = |s: &Stmt| {
        let mut found = false;
        statements(s, &mut |part| found |= matches!(part.kind, StmtKind::Label(_)));
        found
    };
    body.iter().position(has_label).unwrap_or(body.len())
}

/// The compound literals in a block.
#[derive(Default)]
struct Literals {
    all: Vec<VarId>,
    /// Those of statement expressions, which are blocks of their own.
    inner: BTreeSet<VarId>,
}

impl Literals {
    fn note(&mut self, e: &Expr) {
        let literal = |e: &Expr| if let ExprKind::CompoundLiteral(id, _) = e.kind { Some(id) } else { None };
        self.all.extend(literal(e).filter(|id| !self.all.contains(id)));
        if let ExprKind::StmtExpr { body, result } = &e.kind {
            body.iter().for_each(|s| walk_stmt(s, &mut |part| self.inner.extend(literal(part))));
            result.iter().for_each(|e| walk_expr(e, &mut |part| self.inner.extend(literal(part))));
        }
    }

    fn own(self) -> impl Iterator<Item = VarId> {
        self.all.into_iter().filter(move |id| !self.inner.contains(id))
    }
}

/// The literals of a statement that belong to the block around it: not those of inner blocks.
fn literals_of(s: &Stmt, out: &mut Literals) {
    walk_own(s, &mut |e| out.note(e));
    match &s.kind {
        StmtKind::If { then, other, .. } => {
            literals_of(then, out);
            if let Some(other) = other {
                literals_of(other, out);
            }
        }
        StmtKind::While { body, .. }
        | StmtKind::DoWhile { body, .. }
        | StmtKind::For { body, .. }
        | StmtKind::Switch { body, .. } => literals_of(body, out),
        _ => {}
    }
}

fn keyword(span: Span, word: &str) -> Span {
    Span { end_line: span.line, end_col: span.col + word.len() as u32, ..span }
}
