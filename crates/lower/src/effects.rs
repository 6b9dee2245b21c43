//! What evaluating an expression may change, and whether it is just a term.
//!
//! Evaluation goes from left to right. A value computed earlier is a term over variables, so it must be copied when a
//! later operand changes one of those variables. And an operand that is just a term (no access to memory, no check, no
//! effect) can be evaluated whether or not C would: `a && b` is then a term, too.

use base::Id;
use cfa::Property;
use cfront::hir::{Asm, BinaryOp, ElemSize, Expr, ExprKind, Stmt, StmtKind, Symbol, UnaryOp, VarId};
use std::collections::BTreeSet;
use term::Term;

use crate::address::Asked;
use crate::context::{Home, Lowering};
use cfront::walk::statements;
use cfront::walk::{walk_expr, walk_parts};

/// Variables that an evaluation may assign.
#[derive(Clone, Debug, Default)]
pub(crate) struct Effects {
    assigned: BTreeSet<VarId>,
    /// Calls change any static variable.
    calls: bool,
    /// Memory is changed by a step of its own: a built-in function, or a statement of a block. (Where one operand assigns
    /// through a pointer what the other one reads, C does not define what happens.)
    memory: bool,
}

impl Effects {
    pub(crate) fn of(e: &Expr) -> Effects {
        let mut effects = Effects::default();
        walk_expr(e, &mut |e| effects.add(e));
        effects
    }

    pub(crate) fn none(&self) -> bool {
        !self.calls && !self.memory && self.assigned.is_empty()
    }

    pub(crate) fn merge(&mut self, other: &Effects) {
        self.calls |= other.calls;
        self.memory |= other.memory;
        self.assigned.extend(&other.assigned);
    }

    fn add(&mut self, e: &Expr) {
        if let Some(ExprKind::Var(id)) = written_place(e).map(|place| &place.kind) {
            self.assigned.insert(*id);
        }
        match &e.kind {
            ExprKind::Call { .. } => self.calls = true,
            ExprKind::StmtExpr { body, .. } => {
                body.iter().for_each(|s| statements(s, &mut |s| self.add_statement(s)));
                walk_parts(e, &mut |e| self.memory |= written_place(e).is_some_and(|place| !is_variable(place)));
            }
            ExprKind::Builtin(builtin, _) => self.memory |= !builtin.written().is_empty(),
            _ => {}
        }
    }

    /// Declarations and assembler inside a statement expression assign, too.
    fn add_statement(&mut self, s: &Stmt) {
        match &s.kind {
            StmtKind::Decl { var, .. } => {
                self.assigned.insert(*var);
            }
            StmtKind::Asm(asm) => {
                self.memory |= changes_memory(asm);
                for output in &asm.outputs {
                    match output.expr.kind {
                        ExprKind::Var(id) => {
                            self.assigned.insert(id);
                        }
                        _ => self.memory = true,
                    }
                }
            }
            _ => {}
        }
    }
}

fn is_variable(place: &Expr) -> bool {
    matches!(place.kind, ExprKind::Var(_))
}

/// The place that the expression itself writes to.
pub(crate) fn written_place(e: &Expr) -> Option<&Expr> {
    match &e.kind {
        ExprKind::Assign(place, _)
        | ExprKind::AssignOp { place, .. }
        | ExprKind::AssignPtrAdd { place, .. }
        | ExprKind::IncDec { place, .. }
        | ExprKind::VaStart(place)
        | ExprKind::VaArg(place)
        | ExprKind::VaCopy(place, _) => Some(place),
        _ => None,
    }
}

/// Whether assembler says that it changes more than its outputs. (What is empty just tells the compiler so.)
pub(crate) fn changes_memory(asm: &Asm) -> bool {
    !asm.template.trim().is_empty() && asm.clobbers.iter().any(|c| c == "memory")
}

impl Lowering<'_> {
    /// `value`, copied if an evaluation with these effects could change it.
    pub(crate) fn stable(&mut self, value: Term, effects: &Effects) -> Term {
        if effects.none() {
            return value;
        }
        let changes = term::free_vars(&self.program.terms, &[value]).into_iter().any(|t| {
            let home = self.program.var_of(t).and_then(|v| self.home_of.get(&v));
            home.is_some_and(|id| {
                effects.assigned.contains(id) || (effects.calls && self.unit.vars[*id].storage.is_static())
            })
        });
        if changes { self.snapshot(value) } else { value }
    }

    /// Is the value of `e` a term over variables, with nothing to do on the way?
    pub(crate) fn is_term(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::LabelAddr(_) => self.sort(e.ty).is_some(),
            ExprKind::Load(place) => match place.kind {
                ExprKind::Var(id) => {
                    !self.fun.unmodelled_params.contains(&id)
                        && self.fun.argv != Some(id)
                        && !self.is_unmodelled_variable(id)
                        && matches!(self.homes[id.index()], Some(Home::Scalar(_)))
                }
                _ => false,
            },
            ExprKind::AddrOf(place) | ExprKind::Decay(place) => {
                matches!(place.kind, ExprKind::Var(id) if !self.may_be_absent(Symbol::Var(id)) && !self.is_unmodelled_variable(id))
                    || matches!(place.kind, ExprKind::Str(_))
            }
            ExprKind::FuncDecay(f) => matches!(f.kind, ExprKind::Func(id) if !self.may_be_absent(Symbol::Func(id))),
            ExprKind::Unary(op, a) => {
                let may_overflow = *op == UnaryOp::Neg && self.may_overflow(e);
                !may_overflow && !self.turns_address(*op, a) && self.is_term(a)
            }
            ExprKind::Cast(a) => {
                let checked = [Property::Conversion, Property::UndefinedConversion, Property::Float];
                let is_checked = checked.into_iter().any(|property| self.options.checks(property));
                let has_sorts = self.sort(e.ty).is_some() && self.sort(a.ty).is_some();
                has_sorts && !is_checked && !self.cuts_address(a, e) && !self.widens_address(a, e) && self.is_term(a)
            }
            ExprKind::Binary(op, a, b) => {
                let free = match op {
                    BinaryOp::Div | BinaryOp::Rem => {
                        self.unit.types.is_float(e.ty) && !self.may_overflow(e)
                            || matches!(b.kind, ExprKind::Int(n) if n != 0)
                                && !(self.is_signed(b.ty) && self.is_minus_one(b))
                    }
                    BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => !self.may_overflow(e),
                    BinaryOp::Shl => !self.may_overflow(e) && self.is_plain_shift(b, e),
                    BinaryOp::Shr => self.is_plain_shift(b, e),
                    _ => true,
                };
                let is_settled =
                    || self.place_asked(*op, a, b) == Asked::Nothing && self.shared_literals(*op, a, b).is_none();
                free && is_settled() && self.is_term(a) && self.is_term(b)
            }
            ExprKind::PtrDiff { left, right, size } => {
                matches!(size, ElemSize::Const(n) if *n != 0) && self.is_term(left) && self.is_term(right)
            }
            ExprKind::PtrAdd { ptr, index, size, .. } => {
                matches!(size, ElemSize::Const(_))
                    && !self.options.checks(Property::ValidDeref)
                    && !self.options.checks(Property::PointerOverflow)
                    && self.is_term(ptr)
                    && self.is_term(index)
            }
            ExprKind::LogAnd(a, b) | ExprKind::LogOr(a, b) => self.is_term(a) && self.is_term(b),
            ExprKind::Cond(c, a, b) => {
                self.sort(e.ty).is_some() && self.is_term(c) && self.is_term(a) && self.is_term(b)
            }
            ExprKind::Elvis { value, other } => self.is_term(value) && self.is_term(other),
            _ => false,
        }
    }

    /// Whether the distance of the shift is in range by the way it is written, so that there is nothing to ask.
    fn is_plain_shift(&self, distance: &Expr, shift: &Expr) -> bool {
        let width = self.unit.types.int_shape(shift.ty).map_or(0, |(width, _)| u128::from(width));
        let below = |e: &Expr, limit: u128| matches!(e.kind, ExprKind::Int(n) if n < limit);
        let in_range = match &distance.kind {
            ExprKind::Binary(BinaryOp::BitAnd, a, b) => below(a, width) || below(b, width),
            ExprKind::Binary(BinaryOp::Rem, a, b) => !self.is_signed(a.ty) && below(b, width + 1),
            ExprKind::Cast(inner) => return self.is_plain_shift(inner, shift),
            _ => below(distance, width),
        };
        in_range && !self.checks_shifts() || self.fun.library_checked.is_some()
    }

    fn may_overflow(&self, e: &Expr) -> bool {
        match self.unit.types.is_float(e.ty) {
            true => self.checks_arithmetic(Property::Float),
            false => self.checks_overflow(e.ty),
        }
    }

    pub(crate) fn is_minus_one(&self, e: &Expr) -> bool {
        let width = self.unit.types.int_shape(e.ty).map_or(0, |(width, _)| width);
        matches!(e.kind, ExprKind::Int(n) if width > 0 && n == u128::MAX >> (128 - width))
    }
}
