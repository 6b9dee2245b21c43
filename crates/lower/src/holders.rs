//! Integers that addresses are put into, found as far as that is written down: what is computed from them may be an address too.

use cfront::hir::{BinaryOp, Expr, ExprKind, FuncId, Init, Stmt, StmtKind, UnaryOp, VarId};
use cfront::types::{RecordId, Ty};
use cfront::walk::{statements, walk_stmt};
use std::collections::BTreeSet;

use crate::address::LOW;
use crate::context::Lowering;
use crate::order::root;

/// Integers that addresses are put into, as far as that is written down: by variable, member and function. Addresses that go
/// into integers through memory of another type are not seen.
#[derive(Debug, Default)]
pub(crate) struct Holders {
    vars: BTreeSet<VarId>,
    fields: BTreeSet<(RecordId, u32)>,
    /// By their results.
    funcs: BTreeSet<FuncId>,
    /// An address went where nobody follows it: every integer that is wide enough may hold it.
    pub(crate) any: bool,
}

impl Holders {
    /// Whether some integer in memory may be an address.
    pub(crate) fn is_empty(&self) -> bool {
        !self.any && self.vars.is_empty() && self.fields.is_empty() && self.funcs.is_empty()
    }

    /// Whether the result of the function may be an address.
    pub(crate) fn gives(&self, id: FuncId) -> bool {
        self.funcs.contains(&id)
    }
}

/// The place that a pointer is the address of, as it is written.
fn named(pointer: &Expr) -> Option<&Expr> {
    match &pointer.kind {
        ExprKind::Cast(inner) => named(inner),
        ExprKind::AddrOf(place) => Some(place),
        _ => None,
    }
}

/// The array that a pointer is the start of, as it is written.
fn array(pointer: &Expr) -> Option<VarId> {
    match &pointer.kind {
        ExprKind::Cast(inner) | ExprKind::PtrAdd { ptr: inner, .. } => array(inner),
        ExprKind::Decay(array) => root(array),
        _ => None,
    }
}

/// Something that holds integers.
enum Holder {
    Var(VarId),
    Field(RecordId, u32),
    Func(FuncId),
    /// All that can.
    Any,
}

impl Lowering<'_> {
    /// Finds the integers that addresses are put into.
    pub(crate) fn find_holders(&mut self) {
        let unit = self.unit;
        // A union of a pointer and an integer makes one of the other.
        for (id, record) in unit.types.records.iter().filter(|(_, record)| record.is_union) {
            let pointers = record.fields.iter().any(|field| unit.types.is_pointer(field.ty));
            let is_wide = |ty: Ty| self.sort(ty).and_then(term::Sort::bv_width) == Some(self.pointer_width());
            let fields = record.fields.iter().enumerate().filter(|(_, f)| unit.types.is_integer(f.ty) && is_wide(f.ty));
            let found: Vec<_> = fields.filter(|_| pointers).map(|(index, _)| (id, index as u32)).collect();
            self.holders.fields.extend(found);
        }
        loop {
            let mut found = Vec::new();
            for id in self.reach.funcs.iter().filter(|f| !self.is_library(**f)) {
                let Some(body) = &unit.funcs[*id].body else { continue };
                walk_stmt(body, &mut |e| match &e.kind {
                    ExprKind::Assign(place, value) | ExprKind::AssignOp { place, value, .. } if self.is_held(value) => {
                        let elsewhere = self.is_whole(value).then_some(Holder::Any);
                        found.extend(self.holder(place).or(elsewhere));
                    }
                    ExprKind::CompoundLiteral(var, init) if self.starts_with_address(init) => {
                        found.push(Holder::Var(*var));
                    }
                    ExprKind::Builtin(_, args) | ExprKind::Call { args, .. }
                        if self.is_followed_nowhere(e)
                            && args.iter().any(|arg| self.is_held(arg) && self.is_whole(arg)) =>
                    {
                        found.push(Holder::Any);
                    }
                    ExprKind::StmtExpr { body, .. } => {
                        body.iter().for_each(|s| statements(s, &mut |s| found.extend(self.held_by(s, *id))));
                    }
                    ExprKind::ToUnion(value, _) if self.is_held(value) && self.is_whole(value) => {
                        found.push(Holder::Any);
                    }
                    ExprKind::Call { callee, args } => {
                        if let Some(callee) = crate::call::direct(callee) {
                            if let ("memcpy" | "memmove", [to, from, _]) = (unit.funcs[callee].name.as_str(), &args[..])
                                && named(from)
                                    .is_some_and(|from| unit.types.is_pointer(from.ty) || self.holds_address(from))
                            {
                                found.extend(named(to).and_then(|to| self.holder(to)));
                                found.extend(array(to).map(Holder::Var));
                            }
                            let params = unit.funcs[callee].params.iter().zip(args);
                            found.extend(params.filter(|(_, arg)| self.is_held(arg)).map(|(p, _)| Holder::Var(*p)));
                        } else {
                            // Any function whose address is known.
                            for id in &self.reach.address_taken {
                                let params = unit.funcs[*id].params.iter().zip(args);
                                found.extend(params.filter(|(_, arg)| self.is_held(arg)).map(|(p, _)| Holder::Var(*p)));
                            }
                        }
                    }
                    ExprKind::Cast(_) => found.extend(self.overlaid(e)),
                    _ => {}
                });
                statements(body, &mut |s| found.extend(self.held_by(s, *id)));
            }
            let is_started =
                |id: &&VarId| unit.vars[**id].init.as_ref().is_some_and(|init| self.starts_with_address(init));
            found.extend(self.reach.vars.iter().filter(is_started).map(|id| Holder::Var(*id)));
            let mut changed = false;
            for holder in found {
                changed |= match holder {
                    Holder::Var(id) => self.holders.vars.insert(id),
                    Holder::Field(record, index) => self.holders.fields.insert((record, index)),
                    Holder::Func(id) => self.holders.funcs.insert(id),
                    Holder::Any => !std::mem::replace(&mut self.holders.any, true),
                };
            }
            if !changed {
                return;
            }
        }
    }

    /// What the statement itself, in the function, puts an address into.
    fn held_by(&self, s: &Stmt, func: FuncId) -> Vec<Holder> {
        match &s.kind {
            StmtKind::Decl { var, init: Some(init), .. } if self.starts_with_address(init) => vec![Holder::Var(*var)],
            StmtKind::Return(Some(value)) if self.is_held(value) => vec![Holder::Func(func)],
            StmtKind::Asm(asm) => {
                let is_address = |e: &Expr| self.unit.types.is_pointer(e.ty) || self.is_held(e);
                let outputs = asm.outputs.iter().map(|output| &output.expr);
                match asm.inputs.iter().any(|input| is_address(&input.expr)) {
                    true => outputs.filter_map(|place| self.holder(place)).collect(),
                    false => Vec::new(),
                }
            }
            _ => Vec::new(),
        }
    }

    /// Whether some integer of the variable is an address at first.
    fn starts_with_address(&self, init: &Init) -> bool {
        match init {
            Init::Value(value) => self.is_held(value),
            Init::Parts(parts, _) => parts.iter().any(|part| self.is_held(&part.value)),
        }
    }

    /// Whether the value is an integer that may be an address.
    pub(crate) fn is_held(&self, value: &Expr) -> bool {
        !self.unit.types.is_pointer(value.ty) && self.aligned_address(value).is_some()
    }

    /// Whether it has as many bits as an address.
    pub(crate) fn is_whole(&self, e: &Expr) -> bool {
        self.sort(e.ty).and_then(term::Sort::bv_width) == Some(self.pointer_width())
    }

    /// The place, as something that holds integers of the width of addresses.
    fn holder(&self, place: &Expr) -> Option<Holder> {
        match &place.kind {
            _ if !self.is_whole(place) || self.unit.types.is_pointer(place.ty) => None,
            ExprKind::Var(id) => Some(Holder::Var(*id)),
            ExprKind::Field(base, index) => self.unit.types.record(base.ty).map(|id| Holder::Field(id, *index)),
            // An array of them.
            ExprKind::Deref(_) => root(place).map(Holder::Var),
            _ => None,
        }
    }

    /// The variable with integers that pointers are written into: `*(int **)a = p`.
    fn overlaid(&self, e: &Expr) -> Option<Holder> {
        let types = &self.unit.types;
        let ExprKind::Cast(inner) = &e.kind else { return None };
        if !types.is_pointer(types.pointee(e.ty)?) || !types.is_integer(types.pointee(inner.ty)?) {
            return None;
        }
        match &inner.kind {
            ExprKind::Decay(array) => root(array).map(Holder::Var),
            ExprKind::AddrOf(place) => self.holder(place),
            _ => None,
        }
    }

    fn holds_address(&self, place: &Expr) -> bool {
        let types = &self.unit.types;
        match self.holder(place) {
            _ if self.holders.any && self.is_whole(place) && types.is_integer(place.ty) => true,
            Some(Holder::Var(id)) => self.holders.vars.contains(&id),
            Some(Holder::Field(record, index)) => self.holders.fields.contains(&(record, index)),
            Some(Holder::Func(_) | Holder::Any) | None => false,
        }
    }

    /// Whether what a call does with its arguments is not looked at: a built-in function, or arguments beyond the parameters.
    fn is_followed_nowhere(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Builtin(..) => true,
            ExprKind::Call { callee, args } => crate::call::direct(callee).is_some_and(|id| {
                let func = &self.unit.funcs[id];
                func.body.is_some() && args.len() > func.params.len() && !self.is_library(id)
            }),
            _ => false,
        }
    }

    /// Whether the place is a pointer that is read as an integer: `*(long *)&p`.
    fn reads_pointer(&self, place: &Expr) -> bool {
        let types = &self.unit.types;
        let ExprKind::Deref(pointer) = &place.kind else { return false };
        let ExprKind::Cast(inner) = &pointer.kind else { return false };
        self.is_whole(place)
            && types.is_integer(place.ty)
            && types.pointee(inner.ty).is_some_and(|to| types.is_pointer(to))
    }

    /// Whether the place is an integer as wide as an address, and nothing that is written down says that it holds one.
    pub(crate) fn is_unknown_word(&self, place: &Expr) -> bool {
        let is_number = self.is_whole(place) && self.unit.types.is_integer(place.ty);
        is_number && !self.holds_address(place) && !self.reads_pointer(place)
    }

    /// If the integer is a pointer's address (or one plus something): the alignment of what the pointer is for.
    pub(crate) fn aligned_address(&self, e: &Expr) -> Option<u128> {
        let types = &self.unit.types;
        match &e.kind {
            // It has become any number there.
            ExprKind::Cast(_) if types.is_float(e.ty) => None,
            ExprKind::Cast(inner) => match types.pointee(inner.ty) {
                // An integer that was made a pointer is an integer.
                Some(_) if matches!(&inner.kind, ExprKind::Int(_)) => None,
                Some(to) => Some(u128::from(types.align_of(to))),
                None => self.aligned_address(inner),
            },
            ExprKind::Load(place) => (self.holds_address(place) || self.reads_pointer(place)).then_some(1),
            // The place of a compound assignment.
            ExprKind::Var(_) | ExprKind::Field(..) => self.holds_address(e).then_some(1),
            ExprKind::Call { callee, .. } => match crate::call::direct(callee) {
                Some(f) => self.holders.funcs.contains(&f).then_some(1),
                None => self.reach.address_taken.iter().any(|f| self.holders.funcs.contains(f)).then_some(1),
            },
            ExprKind::Cond(_, a, b) | ExprKind::Elvis { value: a, other: b } => {
                self.aligned_address(a).or_else(|| self.aligned_address(b)).map(|_| 1)
            }
            ExprKind::Comma(_, value) => self.aligned_address(value),
            ExprKind::Assign(place, value) => {
                self.aligned_address(value).or_else(|| self.holds_address(place).then_some(1))
            }
            ExprKind::AssignOp { place, .. } | ExprKind::IncDec { place, .. } => self.holds_address(place).then_some(1),
            ExprKind::StmtExpr { result: Some(result), .. } => self.aligned_address(result),
            // What is read atomically, or computed.
            ExprKind::Builtin(_, args) => {
                let holds = |arg: &Expr| {
                    self.is_held(arg)
                        || self.unit.types.is_pointer(arg.ty)
                            && (self.holders.any || named(arg).is_some_and(|place| self.holds_address(place)))
                };
                (self.is_whole(e) && types.is_integer(e.ty) && args.iter().any(holds)).then_some(1)
            }
            ExprKind::VaArg(_) => (self.is_whole(e) && self.holders.any && types.is_integer(e.ty)).then_some(1),
            // From a number on, the null pointer above all.
            ExprKind::PtrDiff { right, .. } => constant(right).map(|_| 1),
            // A difference of two is none.
            ExprKind::Binary(BinaryOp::Sub, a, b) => match (self.aligned_address(a), self.aligned_address(b)) {
                (Some(_), None) => Some(1),
                _ => None,
            },
            // Rounded down to a multiple, it is one still.
            ExprKind::Binary(BinaryOp::BitAnd, a, b) => {
                let mask = constant(a).or_else(|| constant(b))?;
                let rounds = self.cuts_off(mask) <= low_bits(LOW);
                self.aligned_address(a).or_else(|| self.aligned_address(b)).filter(|_| rounds).map(|_| 1)
            }
            ExprKind::Binary(BinaryOp::Add | BinaryOp::BitOr | BinaryOp::BitXor, a, b) => {
                self.aligned_address(a).or_else(|| self.aligned_address(b)).map(|_| 1)
            }
            _ => None,
        }
    }
}

/// The number, where it is written as one.
pub(crate) fn constant(e: &Expr) -> Option<u128> {
    match &e.kind {
        ExprKind::Int(value) => Some(*value),
        ExprKind::Cast(inner) => constant(inner),
        ExprKind::Unary(UnaryOp::BitNot, inner) => constant(inner).map(|value| !value),
        _ => None,
    }
}

pub(crate) fn low_bits(width: u32) -> u128 {
    (1 << width) - 1
}
