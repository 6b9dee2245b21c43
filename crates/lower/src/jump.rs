//! Scopes and jumps between them.
//!
//! At every point the locals that have come to life form a stack. A jump ends those that are not alive at its target, and
//! begins (arbitrary, as C says) those that are alive there but not here: a jump past a declaration, into a block, or
//! into the middle of a loop (Duff's device) needs nothing else.

use base::{Id, Span};
use cfa::{Loc, Op};
use cfront::hir::{Case, Expr, LabelId, Stmt};
use term::Term;

use crate::context::{Local, Lowering, PendingGoto, SwitchState, Target};

/// The value of `&&label`: small numbers, which no object's address is.
pub(crate) fn label_number(label: LabelId) -> u64 {
    label.index() as u64 + 1
}

impl Lowering<'_> {
    /// Ends the locals beyond the first `mark`, on the current path only.
    fn end_locals(&mut self, mark: usize) {
        for i in (mark..self.fun.live.len()).rev() {
            self.end_local(self.fun.live[i]);
        }
    }

    pub(crate) fn end_local(&mut self, local: Local) {
        match local {
            Local::Object(address, _) => {
                let addr = self.term(address);
                self.emit(Op::Dead { addr });
            }
            Local::Cleanup(id) => {
                if let Some(call) = self.fun.cleanups.get(&id).cloned() {
                    self.full_expression(|low| low.discard(&call));
                }
            }
            Local::Scalar(..) => {}
        }
    }

    /// Does leaving the scope that was entered at `mark` call anything?
    pub(crate) fn calls_at_end(&self, mark: usize) -> bool {
        self.fun.live[mark..].iter().any(|local| matches!(local, Local::Cleanup(_)))
    }

    /// Leaves a scope that was entered when `mark` locals were alive.
    pub(crate) fn end_scope(&mut self, mark: usize) {
        self.end_locals(mark);
        self.fun.live.truncate(mark);
    }

    /// Leaves scopes by `break`, `continue` or `return`.
    pub(crate) fn jump_out(&mut self, to: Loc, mark: usize) {
        self.end_locals(mark);
        self.step_to(to);
    }

    /// The point reached now, as a target of jumps.
    pub(crate) fn target_here(&mut self) -> Target {
        let loc = self.fresh_loc();
        self.continue_at(loc);
        Target { loc, live: self.fun.live.clone() }
    }

    pub(crate) fn label(&mut self, label: LabelId) {
        let target = self.target_here();
        self.fun.labels.insert(label, target);
    }

    pub(crate) fn goto(&mut self, label: LabelId, span: Span) {
        let from = Target { loc: self.fun.at, live: self.fun.live.clone() };
        self.fun.gotos.push(PendingGoto { from, label, span });
        self.unreachable();
    }

    /// All labels are known: connects the jumps.
    pub(crate) fn resolve_gotos(&mut self) {
        for goto in std::mem::take(&mut self.fun.gotos) {
            self.fun.span = goto.span;
            self.resume(goto.from.loc);
            match self.fun.labels.get(&goto.label).cloned() {
                Some(target) => self.jump(&goto.from.live, &target),
                None => self.unsupported("a jump to a label of another function"),
            }
        }
    }

    /// From the current location, where `live` is alive, to the target.
    pub(crate) fn jump(&mut self, live: &[Local], target: &Target) {
        let common = live.iter().zip(&target.live).take_while(|(a, b)| a == b).count();
        for local in live[common..].iter().rev() {
            self.end_local(*local);
        }
        for local in &target.live[common..] {
            match *local {
                Local::Object(address, Some(size)) => self.alloc_stack(address, size),
                Local::Object(_, None) => self.unsupported("a jump into the scope of a variable-length array"),
                Local::Scalar(id, var) => self.uninitialised(id, var),
                Local::Cleanup(_) => {}
            }
        }
        self.step_to(target.loc);
    }

    /// `goto *e`.
    pub(crate) fn computed_goto(&mut self, e: &Expr, span: Span) {
        let value = self.full_value(e);
        let unit = self.unit;
        let function = self.fun.id;
        for (label, info) in unit.labels.iter() {
            if Some(info.func) != function || !info.address_taken {
                continue;
            }
            let number = self.word(label_number(label));
            let here = self.terms().eq(value, number);
            let (yes, no) = (self.fresh_loc(), self.fresh_loc());
            self.split(here, yes, no);
            self.resume(yes);
            self.goto(label, span);
            self.resume(no);
        }
        self.unsupported("a computed goto to no label of the function");
    }

    pub(crate) fn switch(&mut self, cond: &Expr, cases: &[Case], body: &Stmt) {
        let value = self.full_value(cond);
        let head = Target { loc: self.fun.at, live: self.fun.live.clone() };
        let end = self.fresh_loc();
        self.unreachable();
        self.fun.switches.push(SwitchState::default());
        self.fun.breaks.push((end, self.fun.live.len()));
        self.statement(body);
        self.step_to(end);
        self.fun.breaks.pop();
        let state = self.fun.switches.pop().unwrap_or_default();
        self.fun.span = cond.span;
        let signed = self.is_signed(cond.ty);
        let mut others = Vec::new();
        for (i, case) in cases.iter().enumerate() {
            let Some(target) = state.cases.get(&(i as u32)) else { continue };
            let matches = self.case_matches(value, case, signed);
            let not = self.terms().not(matches);
            others.push(not);
            self.dispatch(&head, matches, target);
        }
        let default = state.default.unwrap_or(Target { loc: end, live: head.live.clone() });
        let rest = self.terms().and_all(&others);
        self.dispatch(&head, rest, &default);
        self.resume(end);
    }

    fn case_matches(&mut self, value: Term, case: &Case, signed: bool) -> Term {
        let terms = self.terms();
        let width = terms.width(value);
        let (low, high) = (terms.bv_signed(case.low, width), terms.bv_signed(case.high, width));
        if case.low == case.high {
            return terms.eq(value, low);
        }
        let (above, below) = if signed {
            (terms.sle(low, value), terms.sle(value, high))
        } else {
            (terms.ule(low, value), terms.ule(value, high))
        };
        terms.and(above, below)
    }

    /// One way out of a switch's head.
    fn dispatch(&mut self, head: &Target, cond: Term, target: &Target) {
        if self.terms().as_bool_const(cond) == Some(false) {
            return;
        }
        self.resume(head.loc);
        if head.live == target.live {
            self.edge(target.loc, Op::Assume(cond));
        } else {
            self.emit(Op::Assume(cond));
            self.jump(&head.live, target);
        }
    }
}
