//! The order in which operands are evaluated. C leaves it open: where the right one may change what the left one reads, the
//! left one has the value from before or from after, and nobody knows which. A violation that rests on one of them counts
//! only if the compiled program shows it.

use cfa::{ORDER, Origin};
use cfront::hir::{Expr, ExprKind, FuncId, Storage, VarId};
use std::collections::BTreeSet;
use std::rc::Rc;
use term::{Sort, Term};

use crate::call::direct;
use crate::context::Lowering;
use crate::effects::Effects;
use crate::names;
use crate::options::ExternEffects;
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
    /// Both operands, evaluated from left to right; the left one as it is afterwards, too, where C leaves that open. Of
    /// operators that `commute`, gcc reads a variable last.
    pub(crate) fn operands(&mut self, a: &Expr, b: &Expr, commute: bool) -> (Term, Term) {
        let mut left = self.value(a);
        if self.is_term(b) {
            return (left, self.value(b));
        }
        let open = self.fun.library_checked.is_none() && self.changes(b, a);
        if open && Effects::of(a).none() {
            let before = self.snapshot(left);
            let right = self.value(b);
            let after = self.value(a);
            // Who runs the program without choosing has what gcc does.
            let other = self.havoc(Sort::Bool, Origin::Extern(ORDER.to_owned()));
            let (usual, unusual) = if commute && is_variable(a) { (after, before) } else { (before, after) };
            return (self.terms().ite(other, unusual, usual), right);
        }
        if open {
            let message = "operands whose order matters are evaluated from left to right, as gcc mostly does";
            self.note_once("order of operands", a.span, message);
        }
        left = self.stable(left, &Effects::of(b));
        (left, self.value(b))
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
