//! Visiting every expression of a tree, or every statement, in source order, parents first.

use crate::hir::{Assigned, AssignedTarget, Contract, ElemSize, Expr, ExprKind, Init, Stmt, StmtKind};

/// What is done at each expression.
pub type Visit<'a, 'f> = &'f mut dyn FnMut(&'a Expr);

/// `e` and everything inside it.
pub fn walk_expr<'a>(e: &'a Expr, visit: Visit<'a, '_>) {
    visit(e);
    walk_parts(e, visit);
}

/// What stands directly inside an expression, borrowed as `$kind` is: each piece goes to the function for its sort, with `$visit`.
macro_rules! parts {
    ($kind:expr, $visit:ident: $expr:path, $size:path, $init:path, $stmts:path) => {
        match $kind {
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Address(..)
            | ExprKind::Var(_)
            | ExprKind::Str(_)
            | ExprKind::Func(_)
            | ExprKind::LabelAddr(_)
            | ExprKind::Unsupported(_) => {}
            ExprKind::Deref(a)
            | ExprKind::Field(a, _)
            | ExprKind::Load(a)
            | ExprKind::AddrOf(a)
            | ExprKind::Decay(a)
            | ExprKind::FuncDecay(a)
            | ExprKind::Unary(_, a)
            | ExprKind::Cast(a)
            | ExprKind::ToUnion(a, _)
            | ExprKind::VaStart(a)
            | ExprKind::VaEnd(a)
            | ExprKind::VaArg(a) => $expr(a, $visit),
            ExprKind::Binary(_, a, b)
            | ExprKind::LogAnd(a, b)
            | ExprKind::LogOr(a, b)
            | ExprKind::Comma(a, b)
            | ExprKind::Assign(a, b)
            | ExprKind::VaCopy(a, b)
            | ExprKind::AssignOp { place: a, value: b, .. }
            | ExprKind::Elvis { value: a, other: b } => {
                $expr(a, $visit);
                $expr(b, $visit);
            }
            ExprKind::Cond(a, b, c) => {
                $expr(a, $visit);
                $expr(b, $visit);
                $expr(c, $visit);
            }
            ExprKind::PtrAdd { ptr: a, index: b, size, .. }
            | ExprKind::PtrDiff { left: a, right: b, size }
            | ExprKind::AssignPtrAdd { place: a, index: b, size, .. } => {
                $expr(a, $visit);
                $expr(b, $visit);
                $size(size, $visit);
            }
            ExprKind::IncDec { place, size, .. } => {
                $expr(place, $visit);
                if let Some(size) = size {
                    $size(size, $visit);
                }
            }
            ExprKind::CompoundLiteral(_, init) => $init(init, $visit),
            ExprKind::Call { callee, args } => {
                $expr(callee, $visit);
                for argument in args {
                    $expr(argument, $visit);
                }
            }
            ExprKind::StmtExpr { body, result } => {
                $stmts(body, $visit);
                if let Some(result) = result {
                    $expr(result, $visit);
                }
            }
            ExprKind::Builtin(_, args) => {
                for argument in args {
                    $expr(argument, $visit);
                }
            }
        }
    };
}

/// The expressions directly and indirectly inside `e`, without `e` itself.
pub fn walk_parts<'a>(e: &'a Expr, visit: Visit<'a, '_>) {
    parts!(&e.kind, visit: walk_expr, walk_size, walk_init, walk_stmts);
}

fn walk_size<'a>(size: &'a ElemSize, visit: Visit<'a, '_>) {
    if let ElemSize::Dynamic(e) = size {
        walk_expr(e, visit);
    }
}

fn walk_stmts<'a>(body: &'a [Stmt], visit: Visit<'a, '_>) {
    body.iter().for_each(|s| walk_stmt(s, visit));
}

/// What is done to each expression.
type Change<'f> = &'f mut dyn FnMut(&mut Expr);

/// Changes the expressions directly inside `e`; the statements of a statement expression stay as they are.
pub fn change_parts(e: &mut Expr, change: Change<'_>) {
    parts!(&mut e.kind, change: change_one, change_size, change_init, leave);
}

fn change_one(e: &mut Expr, change: Change<'_>) {
    change(e);
}

fn change_size(size: &mut ElemSize, change: Change<'_>) {
    if let ElemSize::Dynamic(e) = size {
        change(e);
    }
}

fn change_init(init: &mut Init, change: Change<'_>) {
    match init {
        Init::Value(e) => change(e),
        Init::Parts(parts, _) => parts.iter_mut().for_each(|p| change(&mut p.value)),
    }
}

fn leave(_: &mut [Stmt], _: Change<'_>) {}

/// The expressions of an initialiser.
pub fn walk_init<'a>(init: &'a Init, visit: Visit<'a, '_>) {
    match init {
        Init::Value(e) => walk_expr(e, visit),
        Init::Parts(parts, _) => parts.iter().for_each(|p| walk_expr(&p.value, visit)),
    }
}

/// The expressions of a statement and of those inside it.
pub fn walk_stmt<'a>(s: &'a Stmt, visit: Visit<'a, '_>) {
    match &s.kind {
        StmtKind::Block(body) => walk_stmts(body, visit),
        StmtKind::If { then, other, .. } => {
            walk_own(s, visit);
            walk_stmt(then, visit);
            if let Some(other) = other {
                walk_stmt(other, visit);
            }
        }
        StmtKind::While { body, .. }
        | StmtKind::DoWhile { body, .. }
        | StmtKind::Switch { body, .. }
        | StmtKind::For { body, .. } => {
            walk_own(s, visit);
            walk_stmt(body, visit);
        }
        _ => walk_own(s, visit),
    }
}

/// The expressions of a contract.
pub fn walk_contract<'a>(contract: &'a Contract, visit: Visit<'a, '_>) {
    let Contract { requires, ensures, assigns, frees, history, .. } = contract;
    requires.iter().chain(ensures).chain(frees).for_each(|e| walk_expr(e, visit));
    history.iter().for_each(|(_, e)| walk_expr(e, visit));
    for Assigned { condition, target, .. } in assigns {
        condition.iter().for_each(|e| walk_expr(e, visit));
        match target {
            AssignedTarget::Place(e) | AssignedTarget::Whole(e) | AssignedTarget::From(e) => walk_expr(e, visit),
            AssignedTarget::Upto(pointer, size) => {
                walk_expr(pointer, visit);
                walk_expr(size, visit);
            }
        }
    }
}

/// Whether there is assembler among the statements.
pub fn contains_asm(s: &Stmt) -> bool {
    match &s.kind {
        StmtKind::Asm(_) => true,
        StmtKind::Block(body) => body.iter().any(contains_asm),
        StmtKind::If { then, other, .. } => contains_asm(then) || other.as_deref().is_some_and(contains_asm),
        StmtKind::While { body, .. }
        | StmtKind::DoWhile { body, .. }
        | StmtKind::Switch { body, .. }
        | StmtKind::For { body, .. } => contains_asm(body),
        _ => false,
    }
}

/// The expressions of the statement itself: not those of the statements inside it, but those of a `for`'s head.
pub fn walk_own<'a>(s: &'a Stmt, visit: Visit<'a, '_>) {
    match &s.kind {
        StmtKind::Expr(e)
        | StmtKind::Return(Some(e))
        | StmtKind::GotoComputed(e)
        | StmtKind::If { cond: e, .. }
        | StmtKind::While { cond: e, .. }
        | StmtKind::DoWhile { cond: e, .. }
        | StmtKind::Switch { cond: e, .. } => walk_expr(e, visit),
        StmtKind::Decl { init, size, cleanup, .. } => {
            size.iter().chain(cleanup).for_each(|e| walk_expr(e, visit));
            if let Some(init) = init {
                walk_init(init, visit);
            }
        }
        StmtKind::For { init, cond, step, .. } => {
            init.iter().for_each(|s| walk_stmt(s, visit));
            cond.iter().chain(step).for_each(|e| walk_expr(e, visit));
        }
        StmtKind::LoopContract(contract) => {
            contract.invariants.iter().chain(&contract.decreases).for_each(|e| walk_expr(e, visit));
            contract.history.iter().for_each(|(_, e)| walk_expr(e, visit));
        }
        StmtKind::Remember(values) => values.iter().for_each(|(_, e)| walk_expr(e, visit)),
        StmtKind::Asm(asm) => asm.outputs.iter().chain(&asm.inputs).for_each(|o| walk_expr(&o.expr, visit)),
        StmtKind::Empty
        | StmtKind::Block(_)
        | StmtKind::Case(_)
        | StmtKind::Default
        | StmtKind::Label(_)
        | StmtKind::Goto(_)
        | StmtKind::Break
        | StmtKind::Continue
        | StmtKind::Return(None)
        | StmtKind::Unsupported(_) => {}
    }
}

/// May evaluating `e` change anything, or end otherwise than by giving a value?
pub fn has_effects(e: &Expr) -> bool {
    let mut found = false;
    walk_expr(e, &mut |e| {
        found |= matches!(
            e.kind,
            ExprKind::Assign(..)
                | ExprKind::AssignOp { .. }
                | ExprKind::AssignPtrAdd { .. }
                | ExprKind::IncDec { .. }
                | ExprKind::Call { .. }
                | ExprKind::StmtExpr { .. }
                | ExprKind::VaStart(_)
                | ExprKind::VaEnd(_)
                | ExprKind::VaArg(_)
                | ExprKind::VaCopy(..)
                | ExprKind::Builtin(..)
                | ExprKind::Unsupported(_)
        )
    });
    found
}

/// The statement and every one inside it, but for those of statement expressions.
pub fn statements<'a>(s: &'a Stmt, visit: &mut dyn FnMut(&'a Stmt)) {
    visit(s);
    match &s.kind {
        StmtKind::Block(body) => body.iter().for_each(|s| statements(s, visit)),
        StmtKind::If { then, other, .. } => {
            statements(then, visit);
            if let Some(other) = other {
                statements(other, visit);
            }
        }
        StmtKind::For { init, body, .. } => {
            init.iter().for_each(|s| statements(s, visit));
            statements(body, visit);
        }
        StmtKind::While { body, .. } | StmtKind::DoWhile { body, .. } | StmtKind::Switch { body, .. } => {
            statements(body, visit);
        }
        _ => {}
    }
}
