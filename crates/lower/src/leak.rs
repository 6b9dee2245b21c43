//! Memory that is never freed.
//!
//! One heap object, chosen arbitrarily when it is allocated, is *watched*. If it is live when the program ends, some
//! execution leaks. For `valid-memcleanup` that is all. For `valid-memtrack` the object must also be out of reach: after
//! `main` has returned only static memory can hold pointers. If no global pointer points to anything live, and no other
//! static memory could hold one, the object is lost for sure; if a global points at it, it is not; anything between would
//! need a walk through memory and is not modelled. Where the types say which parts of static memory are pointers, these are asked as
//! globals are, and what points to static memory itself leads nowhere else. Where the program writes pointers to its variables only, nothing
//! leads anywhere else. Another function than `main` has a caller, who gets what it returns and
//! has what its arguments lead to: these count as static memory does. An integer wide enough for a pointer counts as one: where no address ever gets
//! into it, points-to analysis knows. Other memory may hold pointers by its type, or because the program keeps them in disguise.
//!
//! `abort`, a failed assertion that is not asked for and a call of `__VERIFIER_error` end the program as `exit` does, so what is allocated then was not
//! cleaned up (the rules of SV-COMP: all memory is deallocated before the program terminates); it is not lost, though: the
//! stack is still there. An execution that never ends does not get there: in a loop that nothing leaves it is asked after each round whether
//! the watched block is freed, or a variable points to it; anything else is not modelled. Other executions without end are not seen, though they may lose memory.

use cfa::{Loc, LocKind, Op, Origin, Property, Var, Violation};
use cfront::hir::{Expr, ExprKind, Stmt, StmtKind, VarId};
use cfront::types::{Len, Ty, Type};
use term::{Sort, Term};

use crate::bytes::array_of;
use crate::call::direct;
use crate::context::{Home, Lowering};
use crate::place::Memory;
use cfront::walk::{statements, walk_stmt};

/// So many pointers in static memory are looked at,
const MOST_HOLDERS: usize = 64;
/// and compared with the addresses of static objects so often.
const MOST_COMPARED: usize = 1 << 12;

impl Lowering<'_> {
    /// A heap object comes to life: watch it, or not.
    pub(crate) fn watch(&mut self, address: Term) {
        let Some(watched) = self.watched else { return };
        self.checked.extend([Property::ValidMemtrack, Property::ValidMemcleanup]);
        let choice = self.havoc(Sort::Bv(8), Origin::Internal);
        let chosen = self.truth(choice);
        let (current, null) = (self.term(watched), self.word(0));
        let terms = self.terms();
        let free = terms.eq(current, null);
        let take = terms.and(free, chosen);
        let next = terms.ite(take, address, current);
        self.emit(Op::Assign(vec![(watched, next)]));
    }

    /// The program ends, in whatever way: no heap block is allocated. Says whether the watched one is gone.
    pub(crate) fn check_cleanup(&mut self) -> Option<Term> {
        let watched = self.watched?;
        let watched = self.term(watched);
        // The null object is never live, so an unset watch is no leak.
        let live = self.is_live(&Memory::at(watched));
        let gone = self.terms().not(live);
        if self.options.checks(Property::ValidMemcleanup) {
            let message = "the program ends while a heap block is still allocated".to_owned();
            self.require(gone, LocKind::Error(Violation { property: Property::ValidMemcleanup, message }));
        }
        Some(gone)
    }

    /// The program ends, by `exit` (callers' variables still exist) or by returning from `main`.
    pub(crate) fn check_leaks(&mut self, by_exit: bool) {
        let (Some(watched), Some(gone)) = (self.watched, self.check_cleanup()) else { return };
        if !self.options.checks(Property::ValidMemtrack) {
            return;
        }
        let watched = self.term(watched);
        let (leaked, clean) = (self.fresh_loc(), self.fresh_loc());
        self.split(gone, clean, leaked);
        self.resume(leaked);
        if by_exit {
            self.unsupported("exit while a heap block is allocated that the stack may point to (valid-memtrack)");
        } else {
            self.check_reach(watched, clean);
        }
        self.resume(clean);
    }

    fn check_reach(&mut self, watched: Term, clean: cfa::Loc) {
        let unit = self.unit;
        let machine = self.program.machine;
        let object = machine.object_of(self.terms(), watched);
        let hides = self.hides_pointers();
        let (may_lie, mut holders) = self.kept_by_caller(hides);
        let mut nothing_else = self.terms().bool(!may_lie);
        let mut direct = self.terms().ff();
        // The addresses of static objects, whose pointers are all looked at.
        let mut statics: Vec<Var> = Vec::new();
        for id in self.reach.vars.clone() {
            let ty = unit.vars[id].ty;
            match self.make_home(id) {
                Home::Scalar(var) if self.is_address_wide(ty) => holders.push(self.term(var)),
                Home::Scalar(_) => {}
                Home::Object(address) => {
                    statics.push(address);
                    let is_wide = self.object_size(id).is_none_or(|size| size >= machine.word_bytes().into());
                    if self.is_constant(ty) || !(self.holds_pointers(ty) || hides && is_wide) {
                        continue;
                    }
                    let mut found = Vec::new();
                    if hides || !self.add_pointers(ty, 0, &mut found) || holders.len() + found.len() > MOST_HOLDERS {
                        nothing_else = self.terms().ff();
                        continue;
                    }
                    for offset in found {
                        let place = Memory::at(self.term(address)).plus(offset.into());
                        holders.push(self.load_unchecked(&place, machine.pointer_sort(), machine.word_bytes()));
                    }
                }
            }
        }
        statics.extend(self.strings.values().chain(self.generated_strings.values()).copied());
        statics.extend(self.function_objects.values());
        let is_flat = !hides && !self.writes_pointers_through_pointers();
        if statics.len() * holders.len() > MOST_COMPARED {
            statics.clear();
        }
        for value in holders {
            let width = self.pointer_width();
            let pointer = self.terms().resize(value, width, false);
            let other = machine.object_of(self.terms(), pointer);
            let same = self.terms().eq(object, other);
            let live = self.is_live(&Memory::at(pointer));
            let found = self.terms().and(live, same);
            direct = self.terms().or(direct, found);
            if is_flat {
                continue;
            }
            let mut leads_nowhere = self.terms().not(live);
            for address in &statics {
                let address = self.term(*address);
                let own = machine.object_of(self.terms(), address);
                let is_static = self.terms().eq(other, own);
                leads_nowhere = self.terms().or(leads_nowhere, is_static);
            }
            nothing_else = self.terms().and(nothing_else, leads_nowhere);
        }
        let (apart, lost) = (self.fresh_loc(), self.fresh_loc());
        self.split(direct, clean, apart);
        self.resume(apart);
        self.require(
            nothing_else,
            LocKind::Unsupported("whether a heap block is reachable through other memory (valid-memtrack)".into()),
        );
        self.continue_at(lost);
        let message = "a heap block is lost: nothing points to it when the program ends".to_owned();
        self.end(LocKind::Error(Violation { property: Property::ValidMemtrack, message }));
    }

    /// What whoever called the entry function has when it returns, unless that is `main`, which nobody called: whether
    /// pointers may lie in what its arguments lead to or in a struct that it returns, and the number that it returns, which
    /// may be one.
    fn kept_by_caller(&self, hides: bool) -> (bool, Vec<Term>) {
        let unit = self.unit;
        let Some(entry) = unit.func(&self.options.entry).map(|id| &unit.funcs[id]).filter(|f| f.name != "main") else {
            return (false, Vec::new());
        };
        let types = &unit.types;
        let is_wide = |ty: Ty| types.size_of(ty).is_some_and(|size| size >= self.program.machine.word_bytes().into());
        // A contract may say that there are more bytes than those of one object.
        let holds = |to: Ty| self.holds_pointers(to) || hides && (self.options.contracts.check || is_wide(to));
        let leads_to_holder = |param: &VarId| match types.pointee(unit.vars[*param].ty) {
            Some(to) => holds(to),
            None => self.holds_pointers(unit.vars[*param].ty),
        };
        let ret = types.function(entry.ty).map(|signature| signature.ret);
        let in_record = ret.is_some_and(|ty| types.is_record(ty) && (self.holds_pointers(ty) || hides && is_wide(ty)));
        let number = self.returned.filter(|_| ret.is_some_and(|ty| self.is_address_wide(ty)));
        (in_record || entry.params.iter().any(leads_to_holder), number.into_iter().collect())
    }

    pub(crate) fn asks_for_loss(&self) -> bool {
        self.watched.is_some() && self.options.checks(Property::ValidMemtrack)
    }

    /// Whether something in a loop that began with these locations and edges may leave it, or end the program.
    pub(crate) fn is_left(&self, (locs, edges): (usize, usize), exit: Loc, body: &Stmt) -> bool {
        let graph = &self.fun.graph;
        let mut jumps = false;
        statements(body, &mut |s| jumps |= matches!(s.kind, StmtKind::Goto(_) | StmtKind::GotoComputed(_)));
        jumps
            || graph.edges.values().skip(edges).any(|edge| edge.to == exit || edge.to == self.fun.leave)
            || graph.locs.values().skip(locs).any(|loc| matches!(loc.kind, LocKind::End(_)))
    }

    /// After a round of a loop that never ends: the watched block is freed, or a variable points to it.
    pub(crate) fn check_kept(&mut self) {
        let Some(watched) = self.watched else { return };
        let unit = self.unit;
        let machine = self.program.machine;
        let watched = self.term(watched);
        let object = machine.object_of(self.terms(), watched);
        let live = self.is_live(&Memory::at(watched));
        let mut kept = self.terms().not(live);
        let own =
            self.fun.id.into_iter().flat_map(|id| unit.funcs[id].params.iter().chain(&unit.funcs[id].locals).copied());
        for id in self.reach.vars.iter().copied().chain(own).collect::<Vec<VarId>>() {
            if let Home::Scalar(var) = self.make_home(id)
                && self.is_address_wide(unit.vars[id].ty)
            {
                let (value, width) = (self.term(var), self.pointer_width());
                let pointer = self.terms().resize(value, width, false);
                let other = machine.object_of(self.terms(), pointer);
                let same = self.terms().eq(object, other);
                kept = self.terms().or(kept, same);
            }
        }
        let what = "whether a heap block is lost in a loop that never ends (valid-memtrack)".to_owned();
        self.require(kept, LocKind::Unsupported(what.into()));
    }

    fn is_address_wide(&self, ty: Ty) -> bool {
        self.sort(ty).and_then(Sort::bv_width).is_some_and(|width| width >= self.pointer_width())
    }

    /// Whether the program may put pointers where no type says so.
    fn hides_pointers(&self) -> bool {
        let unit = self.unit;
        let bodies =
            self.reach.funcs.iter().filter(|f| !self.is_library(**f)).filter_map(|f| unit.funcs[*f].body.as_ref());
        let mut found = false;
        bodies.for_each(|body| walk_stmt(body, &mut |e| found |= self.disguises(e)));
        found
    }

    /// Whether pointers may get into memory that is no variable: the program writes them there, or somebody else may.
    fn writes_pointers_through_pointers(&self) -> bool {
        let unit = self.unit;
        let asks_others = |op: &Op| matches!(op, Op::Escape { .. } | Op::Disturb { .. });
        if self.program.functions.values().any(|f| f.edges.values().any(|edge| asks_others(&edge.op))) {
            return true;
        }
        let mut found = false;
        for body in self.reach.funcs.iter().filter_map(|f| unit.funcs[*f].body.as_ref()) {
            walk_stmt(body, &mut |e| found |= self.writes_pointer_through_pointer(e));
        }
        found
    }

    fn writes_pointer_through_pointer(&self, e: &Expr) -> bool {
        let types = &self.unit.types;
        let may_be_written = |arg: &Expr| types.pointee(arg.ty).is_some_and(|to| self.holds_pointers(to));
        match &e.kind {
            ExprKind::Assign(place, _)
            | ExprKind::AssignOp { place, .. }
            | ExprKind::AssignPtrAdd { place, .. }
            | ExprKind::IncDec { place, .. } => self.holds_pointers(place.ty) && !is_in_variable(place),
            ExprKind::Builtin(_, args) => args.iter().any(may_be_written),
            ExprKind::Call { callee, args } => {
                let has_body = direct(callee).is_some_and(|callee| self.unit.funcs[callee].body.is_some());
                !has_body && args.iter().any(may_be_written)
            }
            _ => false,
        }
    }

    /// An address becomes an integer, memory is taken to hold pointers that was not said to (but not what a function like
    /// `malloc` gives), or pointers are copied as bytes.
    fn disguises(&self, e: &Expr) -> bool {
        let types = &self.unit.types;
        let ExprKind::Cast(inner) = &e.kind else { return false };
        let Some(from) = types.pointee(inner.ty) else { return false };
        match types.pointee(e.ty) {
            _ if matches!(inner.kind, ExprKind::Int(_)) => false,
            None => self.is_address_wide(e.ty),
            Some(to) if self.holds_pointers(to) => {
                let is_new = types.is_void(from) && matches!(inner.kind, ExprKind::Call { .. });
                !self.holds_pointers(from) && !is_new
            }
            Some(to) => types.is_void(to) && to.is_const() && self.holds_pointers(from),
        }
    }

    /// Adds where pointers are in what is of the type and lies there; `false` if that cannot be told, or they are many.
    fn add_pointers(&self, ty: Ty, at: u64, found: &mut Vec<u64>) -> bool {
        let types = &self.unit.types;
        match types[ty] {
            Type::Pointer(_) => {
                found.push(at);
                found.len() <= MOST_HOLDERS
            }
            Type::VaList => false,
            _ if !self.holds_pointers(ty) => true,
            Type::Array(of, Len::Const(count)) => {
                let Some(size) = types.size_of(of) else { return false };
                (0..count).all(|i| self.add_pointers(of, at + i * size, found))
            }
            Type::Record(id) => {
                let record = &types.records[id];
                record.fields.iter().all(|field| self.add_pointers(field.ty, at + field.offset, found))
            }
            _ => false,
        }
    }

    fn holds_pointers(&self, ty: Ty) -> bool {
        let types = &self.unit.types;
        match types[ty] {
            Type::Pointer(_) | Type::VaList => true,
            Type::Array(of, _) => self.holds_pointers(of),
            Type::Record(id) => types.records[id].fields.iter().any(|f| self.holds_pointers(f.ty)),
            _ => false,
        }
    }
}

/// Whether the place is a variable or a part of one, as it is written.
fn is_in_variable(place: &Expr) -> bool {
    match &place.kind {
        ExprKind::Var(_) | ExprKind::CompoundLiteral(..) => true,
        ExprKind::Field(of, _) => is_in_variable(of),
        ExprKind::Deref(pointer) => array_of(pointer).is_some_and(is_in_variable),
        _ => false,
    }
}
