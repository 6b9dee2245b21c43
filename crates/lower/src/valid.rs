//! ACSL's predicates on memory, and the value of every predicate on pointers where it is asserted.
//!
//! `\valid(p + (0 .. n-1))` says that so much can be read and written from `p` on, and nothing about what else there is: not that the object is new, as
//! `is_fresh` does. Where a precondition with it is assumed, `p` may point
//!
//! * into an object that nobody else points into. An object of just these bytes stands for all of them: with more of it, the function could do no more harm;
//! * to what another pointer of the precondition points to, unless `\separated` says otherwise. If each is for one element of the same type, they are
//!   equal or apart (C's effective types, 6.5p7), and both are looked at. Other overlaps are unsupported;
//! * into a variable of the program. That is unsupported where the variable counts and `\separated` does not say otherwise. A `static` variable whose address
//!   nobody takes is out of reach; so is a constant one, for what may be written;
//! * nowhere, if there are no such bytes. Where nobody could tell that from a pointer to an object of no bytes, it is one: a null pointer would have to be
//!   compared, turned into a number or given to a function that is not the program's.
//!
//! Behind `\valid_read` there may be a constant: writing there is an invalid access, as it is to constants by name. So two pointers that may only be read
//! through can overlap as they like, nobody sees it, unless something that may be written overlaps both, or accesses are not checked: then they are
//! like others.
//! What is asked of addresses that lead into different objects, valid or not, is answered by objects: they are apart.

use cfa::{EndKind, LocKind, ObjectKind, Op, Origin, Property};
use cfront::hir::{Builtin, Expr, ExprKind, FuncId, StmtKind, Storage, VarId};
use cfront::types::Ty;
use cfront::walk::{walk_contract, walk_expr, walk_stmt};
use term::{Sort, Term};

use crate::clause::{Sense, makes_pointers};
use crate::constant::{Root, root};
use crate::context::{Home, Lowering};
use crate::fresh::{Fresh, pointer_place, pointer_type};
use crate::text::show;

/// What a precondition says that a pointer points to.
#[derive(Clone)]
pub(crate) struct Range {
    fresh: Fresh,
    is_one: bool,
    /// Where it may only be read: the variable that names it as a constant, if accesses are checked.
    constant: Option<cfa::Var>,
    is_writable: bool,
    /// The place of the pointer, for the user.
    name: String,
}

/// One of what `\separated` names.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    /// So many bytes from a parameter on.
    Bytes(VarId, Term),
    Variable(VarId),
}

impl Lowering<'_> {
    /// The variables that stand for the constants behind `\valid_read` in the contract that is checked: functions ask for them in front of writes.
    pub(crate) fn find_readable(&mut self, entry: FuncId) {
        if !self.options.checks(Property::ValidDeref) || !self.options.contracts.check {
            return;
        }
        let Some(contract) = &self.unit.funcs[entry].contract else { return };
        let mut count = 0;
        for e in &contract.requires {
            walk_expr(e, &mut |part| {
                count += usize::from(matches!(part.kind, ExprKind::Builtin(Builtin::IsReadable, _)))
            });
        }
        for i in 0..count {
            let var = self.generated_global(&format!("&$readable{i}"), self.program.machine.pointer_sort());
            self.readable.push(var);
            let address = self.term(var);
            self.constants.push(address);
        }
    }

    /// The conditions of a precondition, those first that say where pointers point, if they say it in ACSL: there, order means nothing.
    pub(crate) fn pointers_first(&self, conditions: Vec<Expr>) -> Vec<Expr> {
        let mut is_acsl = false;
        for e in &conditions {
            walk_expr(e, &mut |part| is_acsl |= is_validity(part));
        }
        if !is_acsl {
            return conditions;
        }
        let mut all = Vec::new();
        for e in conditions {
            conjuncts(e, &mut all);
        }
        let (mut first, rest): (Vec<Expr>, Vec<Expr>) = all.into_iter().partition(makes_pointers);
        // What is read behind a pointer comes after what says that it can be.
        if first.iter().all(|e| is_validity(e) || matches!(e.kind, ExprKind::LogOr(..) | ExprKind::Cond(..))) {
            first.sort_by_key(|e| (!is_validity(e), accesses(e)));
        }
        first.into_iter().chain(rest).collect()
    }

    /// What is assumed to be apart is so by the way objects are made; that something overlaps nobody can assume.
    pub(crate) fn refuse_inner_separation(&mut self, conditions: &[Expr]) {
        let mut all = Vec::new();
        for e in conditions {
            conjuncts(e.clone(), &mut all);
        }
        let mut found = false;
        for e in all.iter().filter(|e| !is_separation(e)) {
            walk_expr(e, &mut |part| found |= is_separation(part));
        }
        if found {
            self.unsupported("\\separated inside of another formula, in a precondition");
        }
    }

    /// What the conditions say to be apart.
    pub(crate) fn said_apart(&mut self, conditions: &[Expr]) -> Vec<(Side, Side)> {
        let mut found = Vec::new();
        for e in conditions {
            if let ExprKind::Builtin(Builtin::Separated, args) = &e.kind
                && let [p, n, q, m] = &args[..]
                && let (Some(one), Some(other)) = (self.side(p, n), self.side(q, m))
            {
                found.push((one, other));
            }
        }
        found
    }

    /// All that the conditions say may be written; none for what is no row of a parameter.
    pub(crate) fn said_writable(&mut self, conditions: &[Expr]) -> Vec<Option<Side>> {
        let mut found = Vec::new();
        for e in conditions {
            walk_expr(e, &mut |part| {
                if let ExprKind::Builtin(Builtin::IsValid, args) = &part.kind {
                    found.push((args[0].clone(), args[1].clone()));
                }
            });
        }
        found.iter().map(|(pointer, size)| self.side(pointer, size)).collect()
    }

    fn side(&mut self, pointer: &Expr, size: &Expr) -> Option<Side> {
        if let Some(param) = crate::replace::parameter(self.unit, pointer) {
            // Nothing in memory is made yet.
            let mut in_memory = false;
            walk_expr(size, &mut |part| in_memory |= matches!(part.kind, ExprKind::Deref(_) | ExprKind::Builtin(..)));
            if in_memory {
                return None;
            }
            let size = self.value(size);
            return Some(Side::Bytes(param, self.in_parameters(size)?));
        }
        let ExprKind::Int(bytes) = size.kind else { return None };
        let (ExprKind::AddrOf(place) | ExprKind::Decay(place)) = &pointer.kind else { return None };
        let ExprKind::Var(id) = place.kind else { return None };
        (self.object_size(id)? as u128 <= bytes).then_some(Side::Variable(id))
    }

    /// The pointer is made to point to so many bytes.
    pub(crate) fn make_valid(&mut self, pointer: &Expr, size: &Expr, is_writable: bool) {
        let bytes = self.value(size);
        let exact = self.in_parameters(bytes);
        let bytes = self.settled(bytes);
        let Some(Sense::Assumed { fresh, met, set, ranges, readable, .. }) = &mut self.sense else {
            return self.unsupported("\\valid in this place");
        };
        let Some(mut own) = fresh.get(*met).copied() else { return };
        let constant = if is_writable { None } else { self.readable.get(*readable).copied() };
        *readable += usize::from(!is_writable);
        let number = *met;
        *met += 1;
        let Some(place) = pointer_place(pointer) else {
            if matches!(root(pointer), Some(Root::Var(id)) if self.unit.vars[id].storage.is_static()) {
                // A variable has what it has.
                let at = self.value(pointer);
                let holds = self.is_valid(at, bytes, is_writable);
                return self.require(holds, LocKind::End(EndKind::Blocked));
            }
            return self.unsupported(
                "\\valid of what is no pointer by its name, from its first element on, in a precondition",
            );
        };
        let name = show(self.unit, place);
        if ranges.iter().any(|range| range.name == name) {
            return self.unsupported(format!("{name}, which is valid twice in a precondition"));
        }
        if let ExprKind::Var(id) = place.kind {
            if set.contains(&id) {
                return self.unsupported("a pointer that is set and then valid, in a precondition");
            }
            set.push(id);
        }
        let ranges = ranges.clone();
        own.element = self.unit.types.pointee(pointer_type(pointer));
        (own.of, own.exact) = (crate::replace::parameter(self.unit, pointer), exact);
        let one = own.element.and_then(|ty| self.unit.types.size_of(ty)).unwrap_or(0);
        let is_one = self.terms().as_bv_const(bytes).and_then(|n| n.to_u64()).is_some_and(|n| n == one);
        let range = Range { fresh: own, is_one, constant, is_writable, name };
        if let Some(Sense::Assumed { fresh, ranges, .. }) = &mut self.sense {
            fresh[number] = own;
            ranges.push(range.clone());
        }
        self.refuse_copied(place);
        let (make, made) = (self.fresh_loc(), self.fresh_loc());
        if self.tells_pointers_apart() {
            let zero = self.word(0);
            let some = self.terms().ne(bytes, zero);
            self.split(some, make, made);
        } else {
            self.step_to(make);
        }
        self.resume(make);
        let impossible = self.is_impossible(bytes);
        let possible = self.terms().not(impossible);
        self.require(possible, LocKind::End(EndKind::Blocked));
        self.refuse_variables(&range);
        for other in &ranges {
            if !self.is_apart(&range, other) {
                self.maybe_equal(&range, other, place, made);
            }
        }
        self.check_allocation(bytes);
        let kind = ObjectKind::Stack;
        self.emit(Op::Alloc { dst: own.address, size: bytes, kind, name: format!("*{}", range.name) });
        self.emit(Op::Assign(vec![(own.size, bytes)]));
        let address = self.term(own.address);
        if let Some(element) = own.element {
            self.point_nowhere_inside(address, bytes, element);
        }
        if let Some(constant) = constant {
            self.emit(Op::Assign(vec![(constant, address)]));
        }
        let at = self.place(place);
        self.write(&at, address, place.ty, place);
        self.continue_at(made);
    }

    /// The executions in which the pointer is equal to another one, if that can be, go on at `made`.
    fn maybe_equal(&mut self, own: &Range, other: &Range, place: &Expr, made: cfa::Loc) {
        let (address, null) = (self.term(other.fresh.address), self.word(0));
        let there = self.terms().ne(address, null);
        if !self.are_equal_or_apart(own, other) {
            let absent = self.terms().not(there);
            let what = format!("{} and {}, which may overlap unless \\separated says otherwise", other.name, own.name);
            return self.require(absent, LocKind::Unsupported(what.into()));
        }
        let chosen = self.havoc(Sort::Bool, Origin::Internal);
        let is_equal = self.terms().and(chosen, there);
        let (equal, next) = (self.fresh_loc(), self.fresh_loc());
        self.split(is_equal, equal, next);
        self.resume(equal);
        if let Some(constant) = other.constant.filter(|_| own.is_writable) {
            // What can be written is no constant.
            self.emit(Op::Assign(vec![(constant, null)]));
        }
        let at = self.place(place);
        self.write(&at, address, place.ty, place);
        self.step_to(made);
        self.resume(next);
    }

    /// Whether two pointers are for one element each, of the same type.
    fn are_equal_or_apart(&self, one: &Range, other: &Range) -> bool {
        let element = |range: &Range| range.fresh.element.map(Ty::unqualified);
        // Of rows as elements, parts may overlap: what is accessed are their own elements.
        let is_row = |ty: Ty| self.unit.types.element(ty).is_some();
        one.is_one && other.is_one && element(one) == element(other) && element(one).is_some_and(|ty| !is_row(ty))
    }

    /// Whether it does not matter if both overlap, or they do not. Of what may only be read nobody can tell who does not compare
    /// pointers, as long as nothing that may be written overlaps both.
    fn is_apart(&self, one: &Range, other: &Range) -> bool {
        let is_read = |range: &Range| !range.is_writable && range.constant.is_some();
        let side = |range: &Range| Some(Side::Bytes(range.fresh.of?, range.fresh.exact?));
        let (one, other, are_read) = (side(one), side(other), is_read(one) && is_read(other));
        let apart = |a: Option<Side>, b: Option<Side>| a.zip(b).is_some_and(|(a, b)| self.are_said_apart(a, b));
        let Some(Sense::Assumed { writable, .. }) = &self.sense else { return false };
        let are_read = are_read && !self.tells_pointers_apart();
        are_read && writable.iter().all(|&w| apart(w, one) || apart(w, other)) || apart(one, other)
    }

    fn are_said_apart(&self, a: Side, b: Side) -> bool {
        let Some(Sense::Assumed { apart, .. }) = &self.sense else { return false };
        apart.iter().any(|&(p, q)| (p, q) == (a, b) || (p, q) == (b, a))
    }

    /// Variables that the pointer may point into, and where that would be seen.
    fn refuse_variables(&mut self, range: &Range) {
        let own = range.fresh.of.zip(range.fresh.exact).map(|(param, size)| Side::Bytes(param, size));
        for id in self.reach.vars.clone() {
            let var = &self.unit.vars[id];
            let is_hidden = var.storage != Storage::Extern && !var.address_taken;
            let is_seen = if range.constant.is_some() { self.may_change(id) } else { !self.is_constant(var.ty) };
            let is_apart = own.is_some_and(|own| self.are_said_apart(own, Side::Variable(id)));
            if !var.storage.is_static() || self.is_library_var(id) || is_hidden || !is_seen || is_apart {
                continue;
            }
            let what = format!("{}, which may point into '{}' unless \\separated says otherwise", range.name, var.name);
            return self.unsupported(what);
        }
    }

    /// Whether the program may see a difference between pointers through which nothing is accessed.
    fn tells_pointers_apart(&self) -> bool {
        let unit = self.unit;
        let types = &unit.types;
        let mut found = false;
        let is_pointer = |e: &Expr| types.is_pointer(e.ty);
        let mut look = |e: &Expr| {
            found |= match &e.kind {
                ExprKind::Binary(op, a, b) => op.is_comparison() && (is_pointer(a) || is_pointer(b)),
                ExprKind::PtrDiff { .. } | ExprKind::VaArg(_) | ExprKind::Unsupported(_) => true,
                ExprKind::Unary(_, a) => is_pointer(a),
                ExprKind::LogAnd(a, b) | ExprKind::LogOr(a, b) => is_pointer(a) || is_pointer(b),
                ExprKind::Cond(c, ..) | ExprKind::Elvis { value: c, .. } => is_pointer(c),
                // To a number, or to where its bytes can be seen as another type.
                ExprKind::Cast(inner) => match (types.pointee(inner.ty), types.pointee(e.ty)) {
                    (Some(from), Some(to)) => self.has_pointers(from) && from.unqualified() != to.unqualified(),
                    (Some(_), None) => !types.is_void(e.ty),
                    _ => false,
                },
                ExprKind::Field(record, _) => {
                    types.record(record.ty).is_some_and(|id| types.records[id].is_union && self.has_pointers(record.ty))
                }
                ExprKind::Call { callee, args } => {
                    let is_own = |id: FuncId| unit.funcs[id].body.is_some() && !self.is_library(id);
                    args.iter().any(|arg| self.has_pointers(arg.ty)) && !crate::call::direct(callee).is_some_and(is_own)
                }
                ExprKind::Builtin(which, args) => {
                    use Builtin as B;
                    !matches!(which, B::IsValid | B::IsReadable | B::Separated) && args.iter().any(is_pointer)
                }
                _ => false,
            };
        };
        for id in self.reach.funcs.iter().filter(|id| !self.is_library(**id)) {
            if let Some(body) = &unit.funcs[*id].body {
                walk_stmt(body, &mut look);
            }
            if let Some(contract) = &unit.funcs[*id].contract {
                walk_contract(contract, &mut look);
            }
        }
        for id in self.reach.funcs.iter().filter(|id| !self.is_library(**id)) {
            let Some(body) = &unit.funcs[*id].body else { continue };
            cfront::walk::statements(body, &mut |s| {
                found |= match &s.kind {
                    StmtKind::If { cond, .. } | StmtKind::While { cond, .. } | StmtKind::DoWhile { cond, .. } => {
                        is_pointer(cond)
                    }
                    StmtKind::For { cond: Some(cond), .. } => is_pointer(cond),
                    StmtKind::Asm(_) | StmtKind::Unsupported(_) => true,
                    _ => false,
                };
            });
        }
        found
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
                    self.require(known, LocKind::Unsupported(what.into()));
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

    /// Whether so many bytes are there from the pointer on, if they are any; to be written as well as read.
    pub(crate) fn is_valid(&mut self, pointer: Term, bytes: Term, is_writable: bool) -> Term {
        let zero = self.word(0);
        let mut holds = self.range_is_valid(pointer, bytes);
        if is_writable {
            for constant in self.read_only_objects() {
                let machine = self.program.machine;
                let (own, other) =
                    (machine.object_of(self.terms(), pointer), machine.object_of(self.terms(), constant));
                let differs = self.terms().ne(own, other);
                holds = self.terms().and(holds, differs);
            }
        }
        let none = self.terms().eq(bytes, zero);
        self.terms().or(none, holds)
    }

    /// The addresses of all literals, of all constants that have one, and of those of the precondition.
    fn read_only_objects(&mut self) -> Vec<Term> {
        let mut found: Vec<Term> = self.readable.clone().into_iter().map(|var| self.term(var)).collect();
        for id in self.reach.strings.clone() {
            found.push(self.string_address(id));
        }
        for id in self.reach.vars.clone() {
            if self.is_constant(self.unit.vars[id].ty)
                && let Home::Object(address) = self.make_home(id)
            {
                found.push(self.term(address));
            }
        }
        found
    }

    /// Whether no byte is in both ranges.
    pub(crate) fn are_separate(&mut self, p: Term, n: Term, q: Term, m: Term) -> Term {
        let same = self.same_origin(p, q);
        let (start, its_start) = (self.offset_in_object(p), self.offset_in_object(q));
        let zero = self.word(0);
        let width = self.pointer_width() + 1;
        let terms = self.terms();
        let wide = [start, n, its_start, m].map(|t| terms.zext_to(t, width));
        let [start, n_wide, its_start, m_wide] = wide;
        let (end, its_end) = (terms.add(start, n_wide), terms.add(its_start, m_wide));
        let (before, after) = (terms.ule(end, its_start), terms.ule(its_end, start));
        let (nothing, nor_there) = (terms.eq(n, zero), terms.eq(m, zero));
        let elsewhere = terms.not(same);
        terms.or_all(&[nothing, nor_there, elsewhere, before, after])
    }
}

/// Is it one of the predicates that say where a pointer points?
pub(crate) fn is_validity(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Builtin(Builtin::IsValid | Builtin::IsReadable, _))
}

fn is_separation(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Builtin(Builtin::Separated, _))
}

/// How many accesses to memory there are in it.
fn accesses(e: &Expr) -> usize {
    let mut count = 0;
    walk_expr(e, &mut |part| count += usize::from(matches!(part.kind, ExprKind::Deref(_))));
    count
}

fn conjuncts(e: Expr, out: &mut Vec<Expr>) {
    match e.kind {
        ExprKind::LogAnd(a, b) => {
            conjuncts(*a, out);
            conjuncts(*b, out);
        }
        _ => out.push(e),
    }
}
