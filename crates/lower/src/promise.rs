//! What attributes promise of a function that has a body, and compilers build on: `nonnull`, `returns_nonnull`, `pure`, `const`; and
//! `[static N]` of a parameter, which says that there are elements, so that it is not null.
//!
//! A null pointer where none may be is undefined: such executions are given up. A function declared `pure` that may change something, or
//! one declared `const` that may also read what can change, is unsupported where it is called: a compiler may leave out calls,
//! or keep what an earlier one gave. What a body does is read off its text: writes to other than its own variables, and
//! calls of functions that are not known to keep the promise.

use cfa::LocKind;
use cfront::hir::{ExprKind, FuncId, Stmt, StmtKind, VarId};
use cfront::walk::walk_stmt;

use crate::call::direct;
use crate::constant::{Root, root};
use crate::context::Lowering;
use crate::effects::written_place;

/// Functions of the library that change nothing and read only what they are given.
const QUIET: [&str; 22] = [
    "strlen", "strnlen", "strcmp", "strncmp", "strchr", "strrchr", "strstr", "memcmp", "memchr", "abs", "labs",
    "llabs", "toupper", "tolower", "isalpha", "isdigit", "isalnum", "isspace", "isupper", "islower", "isxdigit",
    "ispunct",
];

/// Calls are followed so deep.
const DEEPEST: u32 = 4;

impl Lowering<'_> {
    /// At the start of a function.
    pub(crate) fn check_promises(&mut self, id: FuncId) {
        let unit = self.unit;
        let func = &unit.funcs[id];
        if self.is_library(id) {
            return;
        }
        if func.pure
            && let Some(body) = &func.body
            && !self.keeps_quiet(body, func.reads_nothing, 0)
        {
            let promise = if func.reads_nothing { "const" } else { "pure" };
            self.unsupported(format!("{}, declared {promise}, which may do more than that allows", func.name));
        }
        // The address of a result may come first.
        let incoming: Vec<cfa::Var> =
            self.fun.graph.params.iter().rev().take(func.params.len()).rev().copied().collect();
        for (i, (&param, value)) in func.params.iter().zip(incoming).enumerate() {
            let is_meant =
                func.nonnull.as_ref().is_some_and(|numbers| numbers.is_empty() || numbers.contains(&(i as u32 + 1)));
            let elements = unit.vars[param].at_least;
            if (is_meant || elements.is_some()) && unit.types.is_pointer(unit.vars[param].ty) {
                let name = &unit.vars[param].name;
                let what = match elements {
                    Some(n) if !is_meant => format!("null for {name}, declared [static {n}]"),
                    _ => format!("null for {name}, declared nonnull"),
                };
                self.require_nonnull(value, &what);
            }
        }
    }

    /// At the end of a function.
    pub(crate) fn check_result_promise(&mut self, id: FuncId) {
        let func = &self.unit.funcs[id];
        if let Some(result) = self.fun.graph.result.filter(|_| func.returns_nonnull && !self.is_library(id)) {
            let what = format!("{}, declared not to return null, which does", func.name);
            self.require_nonnull(result, &what);
        }
    }

    fn require_nonnull(&mut self, pointer: cfa::Var, otherwise: &str) {
        let value = self.term(pointer);
        let set = self.terms().nonzero(value);
        self.require(set, LocKind::BoundHit(format!("undefined behaviour: {otherwise}")));
    }

    /// Whether the statement surely changes nothing but variables of its function, and reads nothing else if that is asked.
    fn keeps_quiet(&self, body: &Stmt, reads_nothing: bool, depth: u32) -> bool {
        let unit = self.unit;
        let mut quiet = true;
        let is_own = |id: VarId| !unit.vars[id].storage.is_static();
        walk_stmt(body, &mut |e| {
            quiet &= match &e.kind {
                ExprKind::Call { callee, .. } => {
                    direct(callee).is_some_and(|id| self.is_quiet_call(id, reads_nothing, depth))
                }
                ExprKind::Builtin(which, _) => which.written().is_empty(),
                ExprKind::Load(place) if reads_nothing => match root(place) {
                    Some(Root::Var(id)) => is_own(id) || self.is_constant(unit.vars[id].ty),
                    Some(Root::Str) => true,
                    None => false,
                },
                ExprKind::Unsupported(_) => false,
                _ => written_place(e).is_none_or(|place| matches!(root(place), Some(Root::Var(id)) if is_own(id))),
            };
        });
        cfront::walk::statements(body, &mut |s| {
            if let StmtKind::Asm(asm) = &s.kind {
                // Without `volatile` and "memory" it computes its outputs from its inputs, as the compiler is told.
                let is_plain = !asm.volatile && asm.labels.is_empty() && !asm.clobbers.iter().any(|c| c == "memory");
                let mut outputs = asm.outputs.iter();
                quiet &= is_plain && outputs.all(|o| matches!(root(&o.expr), Some(Root::Var(id)) if is_own(id)));
            }
        });
        quiet
    }

    fn is_quiet_call(&self, id: FuncId, reads_nothing: bool, depth: u32) -> bool {
        let func = &self.unit.funcs[id];
        let promises = func.pure && (func.reads_nothing || !reads_nothing);
        promises
            || func.noreturn
            || QUIET.contains(&func.name.as_str())
            || depth < DEEPEST
                && func.body.as_ref().is_some_and(|body| self.keeps_quiet(body, reads_nothing, depth + 1))
    }
}
