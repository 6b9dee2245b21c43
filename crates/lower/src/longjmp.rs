//! `setjmp` and `longjmp`.
//!
//! Each `setjmp` takes a number, which it leaves in the buffer and in a variable of its activation. `longjmp` announces the
//! number in its buffer and leaves the function; whoever called looks, after each call that may do so, whether a jump is under
//! way, goes on behind the `setjmp` of that number if it is one of its own, and leaves otherwise. A jump that arrives nowhere
//! was to a function that has returned, or to a `setjmp` that its activation has done again since: unsupported.
//!
//! Scalar variables of the function that were changed since the `setjmp` have any value then, unless they are `volatile`: they may
//! have been in registers. Arrays and structs keep what they have. No `cleanup` is called on the way.

use base::{Id, Span};
use cfa::{Loc, LocKind, Op, Origin, Var, VarKind};
use cfront::hir::{Expr, ExprKind, FuncId, VarId};
use cfront::walk::walk_stmt;
use std::collections::BTreeSet;
use term::{Sort, Term};

use crate::call::{Arg, direct};
use crate::context::{Home, Local, Lowering, Target};
use crate::options::Places;
use crate::reach::Reach;

const JUMPS: [&str; 5] = ["longjmp", "_longjmp", "siglongjmp", "__longjmp_chk", "__builtin_longjmp"];
const LANDINGS: [&str; 7] =
    ["setjmp", "_setjmp", "__setjmp", "sigsetjmp", "__sigsetjmp", "__builtin_setjmp", "__sigsetjmp_cancel"];

/// What a program that jumps needs.
#[derive(Debug)]
pub(crate) struct Jumping {
    /// The number of the `setjmp` that a jump under way is to; zero while there is none.
    under_way: Var,
    /// What that `setjmp` is to return.
    value: Var,
    /// How many `setjmp` there were.
    count: Var,
    /// The functions that a jump may leave.
    leavable: BTreeSet<FuncId>,
}

/// A call of `setjmp` in the function under construction.
#[derive(Clone, Debug)]
pub(crate) struct Landing {
    number: Var,
    result: Var,
    target: Target,
    /// Variables that may have been in registers, with what they had.
    kept: Vec<Kept>,
}

/// A variable and its value at a `setjmp`.
#[derive(Clone, Copy, Debug)]
struct Kept {
    id: VarId,
    home: Home,
    before: Var,
}

/// A jump that is under way in the function under construction.
#[derive(Clone, Debug)]
pub(crate) struct Flight {
    from: Target,
    span: Span,
}

impl Lowering<'_> {
    /// Makes what the program needs if it jumps.
    pub(crate) fn find_jumps(&mut self) {
        let leavable = self.leavable();
        if leavable.is_empty() {
            return;
        }
        let mut global = |name: &str| self.program.add_var(name, Sort::Bv(32), VarKind::Global, None);
        let (under_way, value, count) = (global("$jump"), global("$jump_value"), global("$setjmps"));
        self.jumping = Some(Jumping { under_way, value, count, leavable });
    }

    /// Functions from which a `longjmp` may be called, directly or by others.
    fn leavable(&self) -> BTreeSet<FuncId> {
        let (unit, reach): (_, &Reach) = (self.unit, &self.reach);
        let is_jump = |f: &FuncId| unit.funcs[*f].body.is_none() && JUMPS.contains(&unit.funcs[*f].name.as_str());
        let mut found: BTreeSet<FuncId> = reach.funcs.iter().copied().filter(is_jump).collect();
        if found.is_empty() {
            return found;
        }
        loop {
            let by_pointer = reach.address_taken.iter().any(|f| found.contains(f));
            let mut more = Vec::new();
            for id in reach.funcs.iter().filter(|f| !found.contains(f)) {
                let Some(body) = &unit.funcs[*id].body else { continue };
                let mut jumps = false;
                walk_stmt(body, &mut |e| {
                    if let ExprKind::Call { callee, .. } = &e.kind {
                        jumps |= direct(callee).map_or(by_pointer, |callee| found.contains(&callee));
                    }
                });
                more.extend(jumps.then_some(*id));
            }
            if more.is_empty() {
                return found;
            }
            found.extend(more);
        }
    }

    /// At the start of the program no jump is under way.
    pub(crate) fn start_jumps(&mut self) {
        let Some(jumping) = &self.jumping else { return };
        let vars = [jumping.under_way, jumping.value, jumping.count];
        let zero = self.terms().bv(0, 32);
        self.emit(Op::Assign(vars.into_iter().map(|v| (v, zero)).collect()));
    }

    /// A call of one of these functions; `None` where it is none of them. The inner value is the call's.
    pub(crate) fn jump_function(&mut self, name: &str, args: &[Arg<'_>], e: &Expr) -> Option<Option<Term>> {
        let buffer = args.first()?;
        if LANDINGS.contains(&name) {
            return Some(Some(self.setjmp(buffer, e)));
        }
        JUMPS.contains(&name).then(|| {
            self.longjmp(buffer, args.get(1), name, e);
            None
        })
    }

    fn setjmp(&mut self, buffer: &Arg<'_>, e: &Expr) -> Term {
        let zero = self.terms().bv(0, 32);
        let len = self.word(4);
        self.check_range(buffer.term, len, "setjmp", buffer.expr);
        let Some(count) = self.jumping.as_ref().map(|jumping| jumping.count) else {
            // Nobody ever jumps.
            self.emit(Op::Store { addr: buffer.term, value: zero, bytes: 4 });
            return zero;
        };
        let message = "arrays and structs that are changed after setjmp keep their values when longjmp comes back";
        self.note_once("setjmp", e.span, message);
        let sort = Sort::Bv(32);
        let site = self.fun.landings.len();
        let number = self.local(&format!("$setjmp{site}"), sort);
        let result = self.local(&format!("$setjmp{site}.result"), sort);
        let one = self.terms().bv(1, 32);
        let before = self.term(count);
        let next = self.terms().add(before, one);
        self.emit(Op::Assign(vec![(count, next), (number, next)]));
        let value = self.term(number);
        self.emit(Op::Store { addr: buffer.term, value, bytes: 4 });
        self.emit(Op::Assign(vec![(result, zero)]));
        let kept = self.keep_values(site);
        let target = self.target_here();
        self.fun.landings.push(Landing { number, result, target, kept });
        self.term(result)
    }

    /// Keeps the values of the variables that C says nothing of after a jump, if they have changed by then.
    fn keep_values(&mut self, site: usize) -> Vec<Kept> {
        let unit = self.unit;
        let Some(function) = self.fun.id.filter(|_| self.options.places != Places::Fixed) else { return Vec::new() };
        let homes: Vec<(usize, Home)> =
            self.homes.iter().copied().enumerate().filter_map(|(i, h)| Some((i, h?))).collect();
        let mut kept = Vec::new();
        for (index, home) in homes {
            let id = VarId::new(index);
            let var = &unit.vars[id];
            let is_live = match home {
                Home::Scalar(v) => self.fun.live.contains(&Local::Scalar(id, v)),
                Home::Object(v) => self.fun.live.iter().any(|local| matches!(local, Local::Object(w, _) if *w == v)),
            } || unit.funcs[function].params.contains(&id);
            let is_own = var.func == Some(function) && !var.storage.is_static() && !var.generated;
            let Some(sort) = self.sort(var.ty).filter(|_| is_own && is_live && !var.ty.is_volatile()) else { continue };
            let before = self.local(&format!("$setjmp{site}.{}", var.name), sort);
            let value = self.now(id, home, sort);
            self.assign(before, value);
            kept.push(Kept { id, home, before });
        }
        kept
    }

    fn now(&mut self, id: VarId, home: Home, sort: Sort) -> Term {
        match home {
            Home::Scalar(v) => self.term(v),
            Home::Object(address) => {
                let (dst, bytes) = (self.temp(sort), self.storage(self.unit.vars[id].ty));
                self.emit(Op::Load { dst, addr: self.term(address), bytes });
                self.term(dst)
            }
        }
    }

    /// At a landing: what has changed may be anything.
    fn forget_changed(&mut self, kept: &[Kept]) {
        for Kept { id, home, before } in kept.iter().copied() {
            let sort = self.program.vars[before].sort;
            let (now, before) = (self.now(id, home, sort), self.term(before));
            let same = self.terms().eq(now, before);
            let changed = self.terms().not(same);
            self.run_if(changed, |low| {
                let any = low.havoc(sort, Origin::Extern(crate::UNDEFINED.to_owned()));
                match home {
                    Home::Scalar(v) => low.assign(v, any),
                    Home::Object(address) => {
                        let bytes = low.storage(low.unit.vars[id].ty);
                        low.emit(Op::Store { addr: low.term(address), value: any, bytes });
                    }
                }
            });
        }
    }

    fn longjmp(&mut self, buffer: &Arg<'_>, value: Option<&Arg<'_>>, name: &str, e: &Expr) {
        let len = self.word(4);
        self.check_range(buffer.term, len, name, buffer.expr);
        let Some(jumping) = &self.jumping else { return };
        let (under_way, result) = (jumping.under_way, jumping.value);
        let to = self.temp(Sort::Bv(32));
        self.emit(Op::Load { dst: to, addr: buffer.term, bytes: 4 });
        let (zero, one) = (self.terms().bv(0, 32), self.terms().bv(1, 32));
        let to = self.term(to);
        let is_unset = self.terms().eq(to, zero);
        let is_set = self.terms().not(is_unset);
        self.require(is_set, LocKind::Unsupported(format!("{name} with a buffer that no setjmp has filled").into()));
        let value = match value.map(|arg| (arg.term, self.terms().sort(arg.term))) {
            Some((term, Sort::Bv(_))) => self.terms().resize(term, 32, true),
            _ => one,
        };
        let is_zero = self.terms().eq(value, zero);
        let value = self.terms().ite(is_zero, one, value);
        self.emit(Op::Assign(vec![(under_way, to), (result, value)]));
        let from = Target { loc: self.fun.at, live: self.fun.live.clone() };
        self.fun.flights.push(Flight { from, span: e.span });
        self.unreachable();
    }

    /// After a call of the function: a jump may be under way.
    pub(crate) fn look_for_jump(&mut self, id: FuncId) {
        let Some(flight) = self.unless_jumping(id) else { return };
        let from = Target { loc: flight, live: self.fun.live.clone() };
        self.fun.flights.push(Flight { from, span: self.fun.span });
    }

    /// At the end of a function, or behind a call of it: goes on where no jump leaves it. Gives the place where one does, if that
    /// may be.
    pub(crate) fn unless_jumping(&mut self, id: FuncId) -> Option<Loc> {
        let jumping = self.jumping.as_ref().filter(|jumping| jumping.leavable.contains(&id))?;
        let under_way = self.term(jumping.under_way);
        let none = self.terms().bv(0, 32);
        let calm = self.terms().eq(under_way, none);
        let (flight, next) = (self.fresh_loc(), self.fresh_loc());
        self.split(calm, next, flight);
        self.resume(next);
        Some(flight)
    }

    /// All calls of `setjmp` are known: jumps go there, or leave the function.
    pub(crate) fn resolve_flights(&mut self) {
        let Some(jumping) = &self.jumping else { return };
        let (under_way, value) = (jumping.under_way, jumping.value);
        let landings = self.fun.landings.clone();
        for Flight { from, span } in std::mem::take(&mut self.fun.flights) {
            self.fun.span = span;
            self.resume(from.loc);
            for landing in &landings {
                let (to, number) = (self.term(under_way), self.term(landing.number));
                let here = self.terms().eq(to, number);
                let (yes, no) = (self.fresh_loc(), self.fresh_loc());
                self.split(here, yes, no);
                self.resume(yes);
                let (none, given) = (self.terms().bv(0, 32), self.term(value));
                self.emit(Op::Assign(vec![(under_way, none), (landing.result, given)]));
                self.forget_changed(&landing.kept);
                // Cleanups are not called.
                let plain: Vec<Local> = without_cleanups(&from.live);
                let target = Target { loc: landing.target.loc, live: without_cleanups(&landing.target.live) };
                self.jump(&plain, &target);
                self.resume(no);
            }
            if self.fun.id.is_none() {
                self.unsupported("longjmp to a function that is no longer active");
                continue;
            }
            self.fun.live = without_cleanups(&from.live);
            self.leave_function();
        }
        self.fun.live.clear();
    }

    /// The numbers of an activation that has done no `setjmp` yet.
    pub(crate) fn no_landings(&mut self) {
        if self.fun.landings.is_empty() {
            return;
        }
        let zero = self.terms().bv(0, 32);
        let pairs = self.fun.landings.iter().map(|landing| (landing.number, zero)).collect();
        self.emit(Op::Assign(pairs));
    }
}

fn without_cleanups(live: &[Local]) -> Vec<Local> {
    live.iter().copied().filter(|local| !matches!(local, Local::Cleanup(_))).collect()
}
