//! The order in which operands are evaluated, and the place and the value of an assignment. C leaves it open: where one may
//! change what the other one reads by calling a function, that one has the value from before or from after, and nobody knows
//! which. A violation that rests on the order counts only if the compiled program shows it. Where there is not even a call in
//! between, C does not define what happens.

use cfa::{ORDER, Origin};
use cfront::hir::{Expr, ExprKind, FuncId, Storage, VarId};
use std::collections::BTreeSet;
use std::rc::Rc;
use term::{Sort, Term};

use crate::call::direct;
use crate::context::Lowering;
use crate::effects::Effects;
use crate::names;
use crate::options::{ExternEffects, Places};
use crate::place::Place;
use cfront::walk::{walk_expr, walk_stmt};

/// What an evaluation writes, or reads: variables by name, and memory through pointers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Touched {
    vars: BTreeSet<VarId>,
    memory: bool,
    /// All variables that other files may name.
    globals: bool,
}

/// The variable that a place is a part of, unless a pointer leads there.
fn root(place: &Expr) -> Option<VarId> {
    match &place.kind {
        ExprKind::Var(id) => Some(*id),
        ExprKind::Field(base, _) => root(base),
        ExprKind::Deref(pointer) => match &pointer.kind {
            ExprKind::Decay(array) | ExprKind::AddrOf(array) => root(array),
            ExprKind::PtrAdd { ptr, .. } => match &ptr.kind {
                ExprKind::Decay(array) => root(array),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}

fn is_variable(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Cast(inner) => is_variable(inner),
        ExprKind::Load(place) => matches!(place.kind, ExprKind::Var(_)),
        _ => false,
    }
}

const UNSEQUENCED: &str = "a variable that is changed and used in one expression, in no order";

/// Variables that an evaluation itself reads and writes by name: not in blocks, and not in the functions that it calls.
#[derive(Debug, Default)]
struct Direct {
    read: BTreeSet<VarId>,
    written: BTreeSet<VarId>,
}

impl Direct {
    fn of(e: &Expr) -> Direct {
        let mut found = Direct::default();
        let mut steps = false;
        walk_expr(e, &mut |e| match &e.kind {
            ExprKind::StmtExpr { .. } => steps = true,
            ExprKind::Load(place) => found.read.extend(variable(place)),
            ExprKind::Assign(place, _) => found.written.extend(variable(place)),
            ExprKind::AssignOp { place, .. }
            | ExprKind::AssignPtrAdd { place, .. }
            | ExprKind::IncDec { place, .. } => found.written.extend(variable(place)),
            _ => {}
        });
        if steps { Direct::default() } else { found }
    }
}

fn variable(place: &Expr) -> Option<VarId> {
    match place.kind {
        ExprKind::Var(id) => Some(id),
        _ => None,
    }
}

/// Variables that may still get their new value after that of the expression is known.
fn unfinished(e: &Expr) -> BTreeSet<VarId> {
    match &e.kind {
        ExprKind::Assign(place, value) | ExprKind::AssignOp { place, value, .. } => {
            let mut found = unfinished(value);
            found.extend(variable(place));
            found
        }
        ExprKind::AssignPtrAdd { place, .. } | ExprKind::IncDec { place, .. } => variable(place).into_iter().collect(),
        ExprKind::Comma(_, a) | ExprKind::LogAnd(_, a) | ExprKind::LogOr(_, a) => unfinished(a),
        ExprKind::Cast(a) | ExprKind::Unary(_, a) | ExprKind::Load(a) | ExprKind::Deref(a) | ExprKind::Field(a, _) => {
            unfinished(a)
        }
        ExprKind::Binary(_, a, b) | ExprKind::Cond(_, a, b) => {
            let mut found = unfinished(a);
            found.extend(unfinished(b));
            found
        }
        ExprKind::PtrAdd { ptr, index, .. } => {
            let mut found = unfinished(ptr);
            found.extend(unfinished(index));
            found
        }
        _ => BTreeSet::new(),
    }
}

impl Touched {
    fn place(&mut self, place: &Expr) {
        match root(place) {
            Some(id) => {
                self.vars.insert(id);
            }
            None => self.memory = true,
        }
    }
}

impl Lowering<'_> {
    /// Both operands, evaluated from left to right; one of them as it is at another time, too, where C leaves that open. Of
    /// operators that `commute`, gcc reads a variable last.
    pub(crate) fn operands(&mut self, a: &Expr, b: &Expr, commute: bool) -> (Term, Term) {
        let (in_a, in_b) = (Effects::of(a), Effects::of(b));
        let is_users = self.fun.library_checked.is_none();
        if !is_users || in_a.none() && in_b.none() {
            let left = self.value(a);
            let left = self.stable(left, &in_b);
            return (left, self.value(b));
        }
        self.refuse_unsequenced(a, b);
        if in_a.none() && self.changes(b, a) {
            let is_last = commute && is_variable(a);
            let other = self.choice();
            let late = if is_last { self.terms().not(other) } else { other };
            let early = self.terms().not(late);
            let before = self.value_if(early, a);
            let right = self.value(b);
            let after = self.value_if(late, a);
            return (self.terms().ite(late, after, before), right);
        }
        if in_b.none() && self.changes(a, b) {
            let early = self.choice();
            let late = self.terms().not(early);
            let before = self.value_if(early, b);
            let left = self.value(a);
            let after = self.value_if(late, b);
            return (left, self.terms().ite(early, before, after));
        }
        if self.changes(a, b) || self.changes(b, a) {
            let message = "operands whose order matters are evaluated from left to right, as gcc mostly does";
            self.note_once("order of operands", a.span, message);
        }
        let left = self.value(a);
        let left = self.stable(left, &in_b);
        (left, self.value(b))
    }

    /// The place of an assignment and the value for it. The place comes first; or last, where that is not the same.
    pub(crate) fn place_and_value(&mut self, place: &Expr, value: &Expr) -> (Place, Term) {
        let effects = Effects::of(value);
        if self.fun.library_checked.is_none() && !(effects.none() && Effects::of(place).none()) {
            self.refuse_unsequenced(place, value);
            if let ExprKind::Var(id) = place.kind
                && unfinished(value).contains(&id)
            {
                self.unsupported(format!("{UNSEQUENCED} ('{}')", self.unit.vars[id].name));
            }
            if self.changes(value, place) {
                return self.place_or_value_first(place, value);
            }
        }
        let at = self.place(place);
        let at = self.stable_place(at, &effects);
        (at, self.value(value))
    }

    fn place_or_value_first(&mut self, place: &Expr, value: &Expr) -> (Place, Term) {
        let Place::Memory(mut before) = self.place(place) else {
            let at = self.place(place);
            return (at, self.value(value));
        };
        before.base = self.snapshot(before.base);
        for index in &mut before.indices {
            index.term = self.snapshot(index.term);
        }
        let value = self.value(value);
        let late = self.choice();
        let after = match self.place(place) {
            Place::Memory(after) if Effects::of(place).none() && after.indices.len() == before.indices.len() => after,
            _ => {
                self.unsupported("an assignment whose place and value change each other");
                return (Place::Memory(before), value);
            }
        };
        before.base = self.terms().ite(late, after.base, before.base);
        for (index, later) in before.indices.iter_mut().zip(after.indices) {
            index.term = self.terms().ite(late, later.term, index.term);
        }
        before.known = before.known.filter(|_| before.known == after.known);
        (Place::Memory(before), value)
    }

    /// Which of two orders the compiler takes: not the usual one? Who just runs the program has that.
    fn choice(&mut self) -> Term {
        if self.options.places == Places::Fixed {
            return self.terms().ff();
        }
        self.havoc(Sort::Bool, Origin::Extern(ORDER.to_owned()))
    }

    /// The value, evaluated where the condition holds.
    fn value_if(&mut self, cond: Term, e: &Expr) -> Term {
        let none = self.dummy(e.ty);
        let result = self.temp(self.program.terms.sort(none));
        let (yes, no, join) = (self.fresh_loc(), self.fresh_loc(), self.fresh_loc());
        self.split(cond, yes, no);
        self.resume(yes);
        let value = self.value(e);
        self.assign(result, value);
        self.step_to(join);
        self.resume(no);
        self.assign(result, none);
        self.continue_at(join);
        self.term(result)
    }

    /// A variable that one of them changes while the other one reads or changes it, nothing said of what comes first: C does
    /// not define that.
    pub(crate) fn refuse_unsequenced(&mut self, a: &Expr, b: &Expr) {
        let (a, b) = (Direct::of(a), Direct::of(b));
        let unit = self.unit;
        let is_users = |id: &&VarId| !unit.vars[**id].generated;
        let met = a.written.iter().filter(is_users).find(|id| b.read.contains(id) || b.written.contains(id));
        if let Some(id) = met.or_else(|| b.written.iter().filter(is_users).find(|id| a.read.contains(id))) {
            self.unsupported(format!("{UNSEQUENCED} ('{}')", self.unit.vars[*id].name));
        }
    }

    /// May the evaluation of one expression change what the other one reads?
    fn changes(&mut self, writer: &Expr, reader: &Expr) -> bool {
        let mut written = Touched::default();
        let mut called = Vec::new();
        let mut steps = false;
        walk_expr(writer, &mut |e| {
            steps |= matches!(e.kind, ExprKind::StmtExpr { .. });
            self.writes(e, &mut written, &mut called);
        });
        // Blocks inside of expressions are the macros of real programs: as they are written, from left to right.
        if steps {
            return false;
        }
        for id in called {
            let by_call = self.written_by(id);
            written.vars.extend(&by_call.vars);
            written.memory |= by_call.memory;
            written.globals |= by_call.globals;
        }
        if written.vars.is_empty() && !written.memory && !written.globals {
            return false;
        }
        let mut read = Touched::default();
        walk_expr(reader, &mut |e| match &e.kind {
            ExprKind::Load(place) => read.place(place),
            ExprKind::Call { callee, .. } if direct(callee).is_some_and(|f| self.unit.funcs[f].body.is_some()) => {
                read.memory = true;
            }
            _ => {}
        });
        let vars = &self.unit.vars;
        let exposed = |touched: &Touched| touched.memory || touched.vars.iter().any(|id| vars[*id].address_taken);
        !written.vars.is_disjoint(&read.vars)
            || written.memory && exposed(&read)
            || exposed(&written) && read.memory
            || written.globals && read.vars.iter().any(|id| vars[*id].storage == Storage::Extern)
    }

    /// What an expression writes by itself, and the functions that it calls.
    fn writes(&self, e: &Expr, written: &mut Touched, called: &mut Vec<FuncId>) {
        match &e.kind {
            ExprKind::Assign(place, _)
            | ExprKind::AssignOp { place, .. }
            | ExprKind::AssignPtrAdd { place, .. }
            | ExprKind::IncDec { place, .. } => written.place(place),
            ExprKind::Call { callee, args } => match direct(callee) {
                Some(id) if self.unit.funcs[id].body.is_some() => called.push(id),
                Some(id) => {
                    let func = &self.unit.funcs[id];
                    if func.pure {
                        return;
                    }
                    let is_known = names::kind(&func.name).is_some() || func.name.starts_with("__VERIFIER_");
                    let effects = self.options.extern_effects;
                    written.globals |= !is_known && effects == ExternEffects::Any;
                    let to = |arg: &Expr| self.unit.types.pointee(arg.ty);
                    let writes = args.iter().any(|arg| to(arg).is_some_and(|to| !to.is_const()));
                    let may = is_known || effects != ExternEffects::Pure;
                    written.memory |= writes && may && !matches!(func.name.as_str(), "free");
                }
                None => {
                    written.globals = true;
                    written.memory = true;
                }
            },
            _ => {}
        }
    }

    /// What a call of the function may write but for its own variables.
    fn written_by(&mut self, id: FuncId) -> Rc<Touched> {
        if let Some(known) = self.written_by.get(&id) {
            return known.clone();
        }
        let unit = self.unit;
        let mut written = Touched::default();
        let mut seen = BTreeSet::from([id]);
        let mut work = vec![id];
        while let Some(id) = work.pop() {
            let Some(body) = &unit.funcs[id].body else { continue };
            let mut called = Vec::new();
            walk_stmt(body, &mut |e| self.writes(e, &mut written, &mut called));
            work.extend(called.into_iter().filter(|f| seen.insert(*f)));
        }
        written.vars.retain(|id| unit.vars[*id].storage.is_static());
        let written = Rc::new(written);
        self.written_by.insert(id, written.clone());
        written
    }
}
