//! Clauses of contracts, assumed or asserted.
//!
//! Predicates on pointers mean different things by the side from which a contract is seen. Where a precondition is *assumed*,
//! `is_fresh(p, n)` makes `p` point to a new object of `n` bytes; where it is *asserted* of a call, `p` must point to so many
//! bytes, none of them among those of the other fresh pointers of the contract (as CBMC has it since 6.5; before, they had to be
//! in other objects). A predicate function that uses one (`return ...;`,
//! nothing else) is written out, so that it speaks of the caller's pointers.
//!
//! A pointer of which the precondition says nothing is null or points nowhere. It must not be compared with other pointers, then:
//! it could be equal to them. `p == q` makes them equal; other comparisons in a precondition are unsupported, and so is a pointer
//! to nowhere where the program compares pointers.

use cfa::{EndKind, LocKind, ObjectKind, Op, Origin, Property, Violation};
use cfront::hir::{BinaryOp, Builtin, Expr, ExprKind, FuncId, Stmt, StmtKind, UnaryOp, VarId};
use cfront::types::{Ty, Type};
use cfront::walk::{walk_expr, walk_stmt};
use term::{Sort, Term};

use crate::call::direct;
use crate::context::Lowering;
use crate::place::Memory;
use crate::text::show;
use crate::valid::{Range, Side, is_validity};

/// So deep predicates may call one another.
const DEEPEST: u32 = 16;

/// How the predicates of the clause being lowered are meant.
pub(crate) enum Sense {
    /// They hold: objects are made as they say. For each one met, whether under a condition or not, what it made (or null).
    Assumed {
        fresh: Vec<Fresh>,
        met: usize,
        frees: bool,
        set: Vec<VarId>,
        copied: Vec<Copied>,
        /// What ACSL says that pointers point to, how often only for reading, and what it says to be apart.
        ranges: Vec<Range>,
        readable: usize,
        apart: Vec<(Side, Side)>,
        /// What it says may be written.
        writable: Vec<Option<Side>>,
    },
    /// They are to hold. For each one met, the pointer (or null) and how many bytes belong to it.
    Asserted { ranges: Vec<(cfa::Var, cfa::Var)>, met: usize },
    /// They are to hold after a call: nothing is fresh then.
    AssertedAfter,
}

/// A pointer that another was made equal to: it stays as it is.
#[derive(Clone, Copy)]
pub(crate) enum Copied {
    Parameter(VarId),
    /// What was in memory.
    Value(Term),
}

/// A pointer that points nowhere at first.
#[derive(Clone, Copy)]
pub(crate) enum Unsettled {
    Parameter(VarId),
    /// In memory.
    At(Term),
}

/// An object that a precondition asks for.
#[derive(Clone, Copy)]
pub(crate) struct Fresh {
    /// Its address, or null while there is none.
    pub(crate) address: cfa::Var,
    pub(crate) size: cfa::Var,
    /// What the pointer is for.
    pub(crate) element: Option<Ty>,
    /// The parameter that points to it, and its size in terms of parameters.
    pub(crate) of: Option<VarId>,
    pub(crate) exact: Option<Term>,
}

impl Lowering<'_> {
    /// How many predicates of freshness there are in the conditions.
    pub(crate) fn count_fresh(&self, conditions: &[Expr]) -> usize {
        let mut count = 0;
        for e in conditions {
            walk_expr(e, &mut |part| {
                let is_fresh = matches!(part.kind, ExprKind::Builtin(Builtin::IsFresh, _));
                count += usize::from(is_fresh || is_validity(part));
            });
        }
        count
    }

    /// A variable of the lowering's own that starts as zero.
    pub(crate) fn zeroed(&mut self, sort: Sort) -> cfa::Var {
        let var = self.temp(sort);
        let zero = self.terms().value(&term::Value::zero(sort));
        self.emit(Op::Assign(vec![(var, zero)]));
        var
    }

    /// The conditions with the calls of predicates written out.
    pub(crate) fn written_out(&self, conditions: &[Expr]) -> Vec<Expr> {
        conditions.iter().map(|e| self.write_out(e, 0)).collect()
    }

    fn write_out(&self, e: &Expr, depth: u32) -> Expr {
        let mut e = e.clone();
        if let ExprKind::Call { callee, args } = &e.kind
            && depth < DEEPEST
            && let Some(id) = direct(callee)
            && let Some(body) = self.predicate(id)
            && self.unit.funcs[id].params.len() == args.len()
        {
            let pairs: Vec<(VarId, &Expr)> = self.unit.funcs[id].params.iter().copied().zip(args).collect();
            let mut body = body.clone();
            replace_params(&mut body, &pairs);
            body.span = e.span;
            return self.write_out(&body, depth + 1);
        }
        for part in parts_mut(&mut e) {
            *part = self.write_out(part, depth);
        }
        e
    }

    /// The value of a function that just returns it, if it speaks of pointers as contracts do and changes no parameter.
    fn predicate(&self, id: FuncId) -> Option<&Expr> {
        let func = &self.unit.funcs[id];
        let body = func.body.as_ref()?;
        let value = only_return(body)?;
        let mut plain = true;
        walk_stmt(body, &mut |e| match &e.kind {
            ExprKind::StmtExpr { .. }
            | ExprKind::CompoundLiteral(..)
            | ExprKind::Assign(..)
            | ExprKind::AssignOp { .. }
            | ExprKind::AssignPtrAdd { .. }
            | ExprKind::IncDec { .. } => plain = false,
            _ => {}
        });
        // What is said of a parameter is said of the argument: a scalar that nobody points at.
        let is_scalar = |p: &VarId| !self.unit.vars[*p].address_taken && self.sort(self.unit.vars[*p].ty).is_some();
        (plain && func.params.iter().all(is_scalar) && self.speaks_of_pointers(id, 0)).then_some(value)
    }

    fn speaks_of_pointers(&self, id: FuncId, depth: u32) -> bool {
        let Some(body) = &self.unit.funcs[id].body else { return false };
        let mut found = false;
        walk_stmt(body, &mut |e| match &e.kind {
            ExprKind::Builtin(Builtin::IsFresh | Builtin::PointerEquals | Builtin::PointerInRange, _) => found = true,
            ExprKind::Call { callee, .. } if depth < DEEPEST => {
                found |= direct(callee).is_some_and(|callee| self.speaks_of_pointers(callee, depth + 1));
            }
            _ => {}
        });
        found
    }

    // Assuming.

    /// Only executions where the clause of a precondition holds go on; pointers are made to be what it says.
    pub(crate) fn assume_clause(&mut self, e: &Expr) {
        self.fun.span = if e.span.is_nowhere() { self.fun.span } else { e.span };
        match &e.kind {
            ExprKind::LogAnd(a, b) => {
                self.assume_clause(a);
                self.assume_clause(b);
            }
            ExprKind::Binary(BinaryOp::BitAnd, a, b) if self.is_truth_valued(a) && self.is_truth_valued(b) => {
                self.assume_clause(a);
                self.assume_clause(b);
            }
            ExprKind::Cast(inner) if self.is_truth_valued(inner) => self.assume_clause(inner),
            ExprKind::Binary(BinaryOp::Ne, a, zero)
                if matches!(zero.kind, ExprKind::Int(0)) && self.is_truth_valued(a) =>
            {
                self.assume_clause(a);
            }
            ExprKind::LogOr(a, b) if makes_pointers(b) && !makes_pointers(a) && !self.looks_at_addresses(a) => {
                let (holds, rest) = (self.fresh_loc(), self.fresh_loc());
                self.refuse_comparisons(a);
                self.branch(a, holds, rest);
                self.resume(rest);
                self.assume_clause(b);
                self.continue_at(holds);
            }
            ExprKind::LogOr(a, b) if makes_pointers(e) => self.assume_either(a, b),
            ExprKind::Cond(c, a, b) if !makes_pointers(c) && (makes_pointers(a) || makes_pointers(b)) => {
                let (yes, no, join) = (self.fresh_loc(), self.fresh_loc(), self.fresh_loc());
                self.refuse_comparisons(c);
                self.branch(c, yes, no);
                self.resume(yes);
                self.assume_clause(a);
                self.step_to(join);
                self.resume(no);
                self.assume_clause(b);
                self.continue_at(join);
            }
            ExprKind::Builtin(Builtin::IsFresh, args) => self.make_fresh(&args[0], &args[1]),
            ExprKind::Builtin(Builtin::PointerEquals, args) => self.make_equal(&args[0], &args[1]),
            ExprKind::Builtin(which @ (Builtin::IsValid | Builtin::IsReadable), args) => {
                self.make_valid(&args[0], &args[1], *which == Builtin::IsValid);
            }
            ExprKind::Binary(BinaryOp::Eq, a, b) if compares_pointers(&self.unit.types, e) => self.make_equal(a, b),
            _ if makes_pointers(e) => self.unsupported("such a use of pointer predicates in a contract"),
            _ => {
                self.refuse_comparisons(e);
                self.assume_condition(e);
            }
        }
    }

    /// The states where one clause holds, and those where the other does. Pointers are made on each way as that one says; on the ways
    /// together, what may be made is made, and what may have been copied is copied.
    fn assume_either(&mut self, a: &Expr, b: &Expr) {
        let first = self.havoc(Sort::Bool, Origin::Internal);
        let (left, right, join) = (self.fresh_loc(), self.fresh_loc(), self.fresh_loc());
        let before = self.made();
        self.split(first, left, right);
        self.resume(left);
        self.assume_clause(a);
        self.step_to(join);
        let by_left = self.made();
        if let (Some(Sense::Assumed { set, copied, .. }), Some(before)) = (&mut self.sense, before) {
            (*set, *copied) = before;
        }
        self.resume(right);
        self.assume_clause(b);
        self.continue_at(join);
        if let (Some(Sense::Assumed { set, copied, .. }), Some(by_left)) = (&mut self.sense, by_left) {
            set.extend(by_left.0);
            copied.extend(by_left.1);
        }
    }

    /// Which pointers were made so far, and which were copied.
    fn made(&self) -> Option<(Vec<VarId>, Vec<Copied>)> {
        match &self.sense {
            Some(Sense::Assumed { set, copied, .. }) => Some((set.clone(), copied.clone())),
            _ => None,
        }
    }

    /// Whether some part of the condition looks at more of a pointer than whether it is null.
    fn looks_at_addresses(&self, e: &Expr) -> bool {
        let mut found = false;
        walk_expr(e, &mut |part| found |= self.depends_on_addresses(part, 0));
        found
    }

    /// Where a condition compares pointers other than with null, what it means depends on pointers that are not made yet.
    fn refuse_comparisons(&mut self, e: &Expr) {
        let found = self.looks_at_addresses(e);
        if found && matches!(self.sense, Some(Sense::Assumed { .. })) {
            self.unsupported("a comparison of pointers in a precondition");
        }
    }

    /// Does the expression itself, or a function that it calls, look at more of a pointer than whether it is null?
    fn depends_on_addresses(&self, e: &Expr, depth: u32) -> bool {
        let types = &self.unit.types;
        match &e.kind {
            ExprKind::Cast(inner) => {
                types.is_pointer(inner.ty) && types.is_integer(e.ty) && !matches!(types[e.ty], Type::Bool)
            }
            ExprKind::Call { callee, .. } => {
                let Some(id) = direct(callee) else { return true };
                let func = &self.unit.funcs[id];
                let Some(body) = &func.body else { return func.name != "__CPROVER_OBJECT_SIZE" };
                if depth > DEEPEST {
                    return true;
                }
                let mut found = false;
                walk_stmt(body, &mut |part| found |= self.depends_on_addresses(part, depth + 1));
                found
            }
            _ => compares_pointers(types, e),
        }
    }

    fn make_fresh(&mut self, pointer: &Expr, size: &Expr) {
        let size = self.value(size);
        let exact = self.in_parameters(size);
        let size = self.settled(size);
        let place = pointer_place(pointer);
        let (Some(Sense::Assumed { fresh, met, frees, .. }), Some(place)) = (&mut self.sense, place) else {
            return self.unsupported("__CPROVER_is_fresh in this place");
        };
        let Some(mut own) = fresh.get(*met).copied() else { return };
        let kind = if *frees { ObjectKind::Heap } else { ObjectKind::Stack };
        own.element = self.unit.types.pointee(pointer_type(pointer));
        (own.of, own.exact) = (crate::replace::parameter(self.unit, pointer), exact);
        fresh[*met] = own;
        *met += 1;
        if let ExprKind::Var(id) = place.kind
            && let Some(Sense::Assumed { set, .. }) = &mut self.sense
        {
            if set.contains(&id) {
                return self.unsupported("a pointer that is fresh twice");
            }
            set.push(id);
        }
        self.refuse_copied(place);
        // What no machine has room for there is not.
        let impossible = self.is_impossible(size);
        let possible = self.terms().not(impossible);
        self.require(possible, LocKind::End(EndKind::Blocked));
        self.check_allocation(size);
        let name = format!("*{}", show(self.unit, place));
        self.emit(Op::Alloc { dst: own.address, size, kind, name });
        if kind == ObjectKind::Heap {
            self.mark_as_heap(own.address);
        }
        self.emit(Op::Assign(vec![(own.size, size)]));
        let address = self.term(own.address);
        if let Some(element) = own.element {
            self.point_nowhere_inside(address, size, element);
        }
        let at = self.place(place);
        self.write(&at, address, place.ty, place);
    }

    /// Pointers in a new object point nowhere until the precondition says more.
    pub(crate) fn point_nowhere_inside(&mut self, base: Term, size: Term, element: Ty) {
        if !self.has_pointers(element) {
            return;
        }
        let one = self.unit.types.size_of(element).unwrap_or(0);
        let bytes = self.terms().as_bv_const(size).and_then(|n| n.to_u64());
        let (Some(bytes), Some(leaves)) = (bytes.filter(|n| one > 0 && *n == one), self.scalars_of(element)) else {
            return self.unsupported("a fresh array of pointers, or of what has pointers");
        };
        let memory = Memory::object(base, Some(bytes));
        for leaf in leaves.iter().filter(|leaf| leaf.pointer) {
            for i in 0..leaf.count {
                let (value, nowhere) = self.pointer_to_nowhere();
                let at = memory.clone().plus((leaf.offset + i * leaf.stride).into());
                let addr = self.address(&at);
                self.emit(Op::Store { addr, value, bytes: leaf.bytes });
                self.unsettled.push((Unsettled::At(addr), nowhere));
            }
        }
    }

    /// The pointer is about to be set: no other one may have been made equal to it before.
    pub(crate) fn refuse_copied(&mut self, place: &Expr) {
        let Some(Sense::Assumed { copied, .. }) = &self.sense else { return };
        let copied = copied.clone();
        let what = "a pointer that is fresh, or equal to another, where one was made equal to it before";
        for copied in copied {
            match (copied, &place.kind) {
                (Copied::Parameter(id), ExprKind::Var(own)) if id == *own => self.unsupported(what),
                (Copied::Value(value), kind) if !matches!(kind, ExprKind::Var(_)) => {
                    let at = self.place(place);
                    let now = self.read(&at, place.ty, place);
                    let differs = self.terms().ne(now, value);
                    self.require(differs, LocKind::Unsupported(what.to_owned()));
                }
                _ => {}
            }
        }
    }

    /// `p == q`: the one that is a parameter of which nothing is known yet becomes the other.
    fn make_equal(&mut self, a: &Expr, b: &Expr) {
        let parameter = |e: &Expr| match pointer_place(e).map(|place| &place.kind) {
            Some(ExprKind::Var(id)) if self.unit.vars[*id].storage == cfront::hir::Storage::Param => Some(*id),
            _ => None,
        };
        let unset = |e: &Expr| {
            let Some(Sense::Assumed { set, copied, .. }) = &self.sense else { return None };
            let is_copied = |id: VarId| copied.iter().any(|c| matches!(c, Copied::Parameter(own) if *own == id));
            parameter(e).filter(|id| !set.contains(id) && !is_copied(*id))
        };
        let (id, place, other) = match (unset(a), unset(b)) {
            (Some(id), _) => (id, pointer_place(a), b),
            (None, Some(id)) => (id, pointer_place(b), a),
            (None, None) => return self.unsupported("a comparison of pointers in a precondition"),
        };
        let Some(place) = place else { return };
        let from = parameter(other);
        let value = self.value(other);
        let value = self.snapshot(value);
        let at = self.place(place);
        self.write(&at, value, place.ty, place);
        if let Some(Sense::Assumed { set, copied, .. }) = &mut self.sense {
            set.push(id);
            copied.push(from.map_or(Copied::Value(value), Copied::Parameter));
        }
    }

    /// Null, or a pointer that no access may use.
    pub(crate) fn pointer_to_nowhere(&mut self) -> (Term, Term) {
        let dst = self.temp(self.program.machine.pointer_sort());
        let size = self.word(0);
        self.emit(Op::Alloc { dst, size, kind: ObjectKind::Stack, name: "nowhere".to_owned() });
        let is_null = self.havoc(Sort::Bool, Origin::Internal);
        let (null, nowhere) = (self.word(0), self.term(dst));
        (self.terms().ite(is_null, null, nowhere), nowhere)
    }

    /// The precondition is assumed. If the program compares pointers, those that still point nowhere could be any.
    pub(crate) fn settle_pointers(&mut self) {
        let unsettled = std::mem::take(&mut self.unsettled);
        let mut compares = false;
        for id in self.reach.funcs.iter().filter(|id| !self.is_library(**id)) {
            if let Some(body) = &self.unit.funcs[*id].body {
                walk_stmt(body, &mut |e| {
                    let is_call = matches!(e.kind, ExprKind::Call { .. });
                    compares |= !is_call && self.depends_on_addresses(e, 0);
                });
            }
        }
        if !compares {
            return;
        }
        for (at, nowhere) in unsettled {
            let (value, guard) = match at {
                Unsettled::Parameter(id) => {
                    let place =
                        Expr { kind: ExprKind::Var(id), ty: self.unit.vars[id].ty, span: self.unit.vars[id].span };
                    let at = self.place(&place);
                    (self.read(&at, place.ty, &place), None)
                }
                // Of an object that may not be there.
                Unsettled::At(addr) => (addr, Some(addr)),
            };
            let (ask, join) = (self.fresh_loc(), self.fresh_loc());
            let there = match guard {
                Some(addr) => self.live(addr),
                None => self.terms().tt(),
            };
            self.split(there, ask, join);
            self.resume(ask);
            let value = match guard {
                Some(addr) => {
                    let (dst, bytes) =
                        (self.temp(self.program.machine.pointer_sort()), self.program.machine.pointer_bytes());
                    self.emit(Op::Load { dst, addr, bytes });
                    self.term(dst)
                }
                None => value,
            };
            let settled = self.terms().ne(value, nowhere);
            let what = "a pointer of which the precondition says nothing, where pointers are compared";
            self.require(settled, LocKind::Unsupported(what.to_owned()));
            self.continue_at(join);
        }
    }

    /// The parameters that the conditions make fresh in any case.
    pub(crate) fn surely_fresh(&self, conditions: &[Expr]) -> Vec<VarId> {
        let mut found = Vec::new();
        let mut work: Vec<&Expr> = conditions.iter().collect();
        while let Some(e) = work.pop() {
            match &e.kind {
                ExprKind::LogAnd(a, b) => work.extend([&**a, &**b]),
                ExprKind::Binary(BinaryOp::BitAnd, a, b) if self.is_truth_valued(a) && self.is_truth_valued(b) => {
                    work.extend([&**a, &**b]);
                }
                ExprKind::Cast(inner) if self.is_truth_valued(inner) => work.push(inner),
                ExprKind::Builtin(Builtin::IsFresh, args) => {
                    found.extend(crate::replace::parameter(self.unit, &args[0]));
                }
                ExprKind::Builtin(Builtin::IsValid | Builtin::IsReadable, args)
                    if matches!(args[1].kind, ExprKind::Int(1..)) =>
                {
                    found.extend(crate::replace::parameter(self.unit, &args[0]));
                }
                _ => {}
            }
        }
        found
    }

    // Asserting.

    /// What is said of the clause does not hold in some executions: they end as `otherwise` says.
    pub(crate) fn assert_clause(&mut self, e: &Expr, otherwise: &LocKind) {
        self.fun.span = if e.span.is_nowhere() { self.fun.span } else { e.span };
        match &e.kind {
            ExprKind::LogAnd(a, b) => {
                self.assert_clause(a, otherwise);
                self.assert_clause(b, otherwise);
            }
            ExprKind::Binary(BinaryOp::BitAnd, a, b) if self.is_truth_valued(a) && self.is_truth_valued(b) => {
                self.assert_clause(a, otherwise);
                self.assert_clause(b, otherwise);
            }
            ExprKind::Cast(inner) if self.is_truth_valued(inner) => self.assert_clause(inner, otherwise),
            ExprKind::Binary(BinaryOp::Ne, a, zero)
                if matches!(zero.kind, ExprKind::Int(0)) && self.is_truth_valued(a) =>
            {
                self.assert_clause(a, otherwise);
            }
            _ => self.assert_condition(e, &|low: &mut Self| low.end(otherwise.clone())),
        }
    }

    /// Where a clause fails that is to hold: an error where assertions are checked; else nothing is known from there on.
    pub(crate) fn clause_failure(&self, message: String) -> LocKind {
        if self.options.checks(Property::Assert) {
            LocKind::Error(Violation { property: Property::Assert, message })
        } else {
            LocKind::Unsupported(format!("{message} (the property assert is not checked)"))
        }
    }

    /// A predicate on pointers as a value: where it is asserted.
    pub(crate) fn pointer_predicate(&mut self, which: Builtin, args: &[Expr], ty: Ty) -> Term {
        let values: Vec<Term> = args.iter().map(|arg| self.value(arg)).collect();
        let holds = match (which, &values[..]) {
            (Builtin::PointerEquals, &[p, q]) if !matches!(self.sense, Some(Sense::Assumed { .. })) => {
                self.terms().eq(p, q)
            }
            (Builtin::PointerInRange, &[low, p, high]) if !matches!(self.sense, Some(Sense::Assumed { .. })) => {
                let (first, second) = (self.same_origin(low, p), self.same_origin(p, high));
                let terms = self.terms();
                let (above, below) = (terms.ule(low, p), terms.ule(p, high));
                terms.and_all(&[first, second, above, below])
            }
            (Builtin::IsFresh, &[p, size]) => self.is_fresh(p, size),
            (Builtin::IsValid | Builtin::IsReadable, &[p, size])
                if !matches!(self.sense, Some(Sense::Assumed { .. })) =>
            {
                let holds = self.is_valid(p, size, which == Builtin::IsValid);
                // Objects that a precondition makes are as small as it allows: more may be valid, never less.
                if self.options.contracts.check {
                    let null = self.word(0);
                    let is_null = self.terms().eq(p, null);
                    let known = self.terms().or(holds, is_null);
                    let what = "whether memory is valid that nothing says to be";
                    self.require(known, LocKind::Unsupported(what.to_owned()));
                }
                holds
            }
            // Objects that a precondition makes are apart wherever they may be: to find them apart says nothing.
            (Builtin::Separated, &[p, n, q, m])
                if !self.options.contracts.check || matches!(self.sense, Some(Sense::Assumed { .. })) =>
            {
                self.are_separate(p, n, q, m)
            }
            _ => {
                self.unsupported("a pointer predicate of contracts in this place");
                self.terms().tt()
            }
        };
        let width = self.sort(ty).and_then(Sort::bv_width).unwrap_or(8);
        self.terms().bool_to_bv(holds, width)
    }

    fn is_fresh(&mut self, pointer: Term, size: Term) -> Term {
        let Some(Sense::Asserted { ranges, met }) = &mut self.sense else {
            self.unsupported("__CPROVER_is_fresh in this place");
            return self.terms().tt();
        };
        let (others, own) = (ranges[..*met].to_vec(), ranges.get(*met).copied());
        *met += 1;
        let Some((own, own_size)) = own else { return self.terms().tt() };
        let machine = self.program.machine;
        let object = machine.object_of(self.terms(), pointer);
        let mut holds = self.range_is_valid(pointer, size);
        for (other, other_size) in others {
            let (other, other_size) = (self.term(other), self.term(other_size));
            let its_object = machine.object_of(self.terms(), other);
            let (start, its_start) = (self.offset_in_object(pointer), self.offset_in_object(other));
            let terms = self.terms();
            // Both ranges are inside of their objects, so nothing wraps around.
            let (end, its_end) = (terms.add(start, size), terms.add(its_start, other_size));
            let (before, after) = (terms.ule(end, its_start), terms.ule(its_end, start));
            let elsewhere = terms.ne(object, its_object);
            let apart = terms.or_all(&[elsewhere, before, after]);
            holds = terms.and(holds, apart);
        }
        let holds = self.snapshot(holds);
        self.emit(Op::Assign(vec![(own, pointer), (own_size, size)]));
        holds
    }

    /// Does it give 0 or 1?
    fn is_truth_valued(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Unary(UnaryOp::Not, _) | ExprKind::LogAnd(..) | ExprKind::LogOr(..) => true,
            ExprKind::Binary(BinaryOp::BitAnd | BinaryOp::BitOr, a, b) => {
                self.is_truth_valued(a) && self.is_truth_valued(b)
            }
            ExprKind::Binary(op, ..) => op.is_comparison(),
            ExprKind::Builtin(
                Builtin::Forall
                | Builtin::Exists
                | Builtin::IsFresh
                | Builtin::PointerEquals
                | Builtin::PointerInRange
                | Builtin::IsValid
                | Builtin::IsReadable
                | Builtin::Separated,
                _,
            ) => true,
            ExprKind::Cond(_, a, b) => self.is_truth_valued(a) && self.is_truth_valued(b),
            ExprKind::Int(n) => *n <= 1,
            ExprKind::Cast(inner) => matches!(self.unit.types[e.ty], Type::Bool) || self.is_truth_valued(inner),
            _ => matches!(self.unit.types[e.ty], Type::Bool),
        }
    }

    // Types.

    pub(crate) fn has_pointers(&self, ty: Ty) -> bool {
        let types = &self.unit.types;
        match (types.record(ty), types.element(ty)) {
            (Some(id), _) => types.records[id].fields.iter().any(|field| self.has_pointers(field.ty)),
            (None, Some(of)) => self.has_pointers(of),
            (None, None) => types.is_pointer(ty) || matches!(types[ty], Type::VaList),
        }
    }

    /// The scalars that a value of the type is made of; none where it is not made of scalars that do not overlap.
    pub(crate) fn scalars_of(&self, ty: Ty) -> Option<Vec<Leaf>> {
        let types = &self.unit.types;
        if let Some(id) = types.record(ty) {
            let record = &types.records[id];
            let mut found = Vec::new();
            for field in &record.fields {
                if record.is_union || field.bits.is_some() {
                    return None;
                }
                found.extend(
                    self.scalars_of(field.ty)?
                        .into_iter()
                        .map(|leaf| Leaf { offset: leaf.offset + field.offset, ..leaf }),
                );
            }
            return Some(found);
        }
        if let Some(of) = types.element(ty) {
            let (all, one) = (types.size_of(ty)?, types.size_of(of)?);
            let count = all.checked_div(one)?;
            let inner = self.scalars_of(of)?;
            return match &inner[..] {
                // Rows of rows are one row.
                [leaf] if leaf.count == 1 || leaf.stride * leaf.count == one => {
                    let stride = if leaf.count == 1 { one } else { leaf.stride };
                    Some(vec![Leaf { count: leaf.count * count, stride, ..*leaf }])
                }
                _ if count <= 16 => {
                    let at = |i: u64| inner.iter().map(move |leaf| Leaf { offset: leaf.offset + i * one, ..*leaf });
                    Some((0..count).flat_map(at).collect())
                }
                _ => None,
            };
        }
        let (bytes, pointer) = (self.storage(ty), types.is_pointer(ty));
        self.sort(ty).map(|sort| vec![Leaf { sort, bytes, pointer, offset: 0, count: 1, stride: bytes.into() }])
    }
}

/// Scalars of one type in a row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Leaf {
    pub(crate) sort: Sort,
    pub(crate) bytes: u32,
    pub(crate) pointer: bool,
    pub(crate) offset: u64,
    pub(crate) count: u64,
    pub(crate) stride: u64,
}

fn only_return(s: &Stmt) -> Option<&Expr> {
    match &s.kind {
        StmtKind::Return(value) => value.as_ref(),
        StmtKind::Block(body) => {
            match &body.iter().filter(|s| !matches!(s.kind, StmtKind::Empty)).collect::<Vec<_>>()[..] {
                [only] => only_return(only),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Is there a predicate in it that makes pointers?
pub(crate) fn makes_pointers(e: &Expr) -> bool {
    let mut found = false;
    walk_expr(e, &mut |part| {
        found |= is_validity(part);
        found |= matches!(
            part.kind,
            ExprKind::Builtin(Builtin::IsFresh | Builtin::PointerEquals | Builtin::PointerInRange, _)
        );
    });
    found
}

/// Is it a comparison of pointers, none of them null?
fn compares_pointers(types: &cfront::types::Types, e: &Expr) -> bool {
    let is_null = |e: &Expr| {
        let mut e = e;
        while let ExprKind::Cast(inner) = &e.kind {
            e = inner;
        }
        matches!(e.kind, ExprKind::Int(0))
    };
    match &e.kind {
        ExprKind::Binary(op, a, b) => {
            op.is_comparison() && types.is_pointer(a.ty) && types.is_pointer(b.ty) && !is_null(a) && !is_null(b)
        }
        ExprKind::PtrDiff { .. } => true,
        _ => false,
    }
}

/// The place that a pointer is read from.
pub(crate) fn pointer_place(e: &Expr) -> Option<&Expr> {
    match &e.kind {
        ExprKind::Cast(inner) => pointer_place(inner),
        ExprKind::Load(place) => Some(place),
        _ => None,
    }
}

/// The type of the pointer before conversions.
pub(crate) fn pointer_type(e: &Expr) -> Ty {
    match &e.kind {
        ExprKind::Cast(inner) => pointer_type(inner),
        _ => e.ty,
    }
}

fn replace_params(e: &mut Expr, pairs: &[(VarId, &Expr)]) {
    if let ExprKind::Load(place) = &e.kind
        && let ExprKind::Var(id) = place.kind
        && let Some((_, value)) = pairs.iter().find(|(param, _)| *param == id)
    {
        *e = (*value).clone();
        return;
    }
    for part in parts_mut(e) {
        replace_params(part, pairs);
    }
}

/// The expressions directly inside.
fn parts_mut(e: &mut Expr) -> Vec<&mut Expr> {
    use cfront::hir::ElemSize;
    match &mut e.kind {
        ExprKind::Deref(a)
        | ExprKind::Field(a, _)
        | ExprKind::Load(a)
        | ExprKind::AddrOf(a)
        | ExprKind::Decay(a)
        | ExprKind::FuncDecay(a)
        | ExprKind::Unary(_, a)
        | ExprKind::Cast(a)
        | ExprKind::ToUnion(a, _) => vec![a],
        ExprKind::Binary(_, a, b)
        | ExprKind::LogAnd(a, b)
        | ExprKind::LogOr(a, b)
        | ExprKind::Comma(a, b)
        | ExprKind::Elvis { value: a, other: b } => vec![a, b],
        ExprKind::Cond(a, b, c) => vec![a, b, c],
        ExprKind::PtrAdd { ptr: a, index: b, size, .. } | ExprKind::PtrDiff { left: a, right: b, size } => {
            let mut found: Vec<&mut Expr> = vec![a, b];
            if let ElemSize::Dynamic(size) = size {
                found.push(size);
            }
            found
        }
        ExprKind::Call { callee, args } => std::iter::once(&mut **callee).chain(args).collect(),
        ExprKind::Builtin(_, args) => args.iter_mut().collect(),
        _ => Vec::new(),
    }
}
