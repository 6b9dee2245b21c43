//! The invariants of the tree, checked: what [`crate::hir`] promises to those who walk it. Used by tests.

use crate::hir::{BinaryOp, Expr, ExprKind, FuncId, Init, InitPart, Stmt, StmtKind, Storage, UnaryOp, Unit, VarId};
use crate::types::{Ty, Type};

/// Everything about the unit that breaks a promise; empty for a sound one.
pub fn verify(unit: &Unit) -> Vec<String> {
    let mut verifier = Verifier { unit, func: None, problems: Vec::new() };
    for (id, var) in unit.vars.iter() {
        if let Some(init) = &var.init {
            verifier.require(var.storage.is_static(), || format!("{id}: initialiser on a variable that is not static"));
            verifier.static_init(id, init);
        }
        let sized = unit.types.size_of(var.ty).is_some() || unit.types.is_vla(var.ty);
        let live = var.defined && !(var.storage == Storage::Param && var.func.is_none());
        verifier.require(sized || !live, || format!("{id} ('{}'): defined but without size", var.name));
    }
    for (id, func) in unit.funcs.iter() {
        verifier.require(unit.types.is_function(func.ty), || format!("{id}: not of function type"));
        if let Some(body) = &func.body {
            verifier.func = Some(id);
            verifier.require(matches!(body.kind, StmtKind::Block(_)), || format!("{id}: body is no block"));
            verifier.stmt(body);
        }
        for contract in func.contract.iter().map(|contract| &**contract).chain(func.claims.iter().map(|(_, c)| c)) {
            verifier.func = Some(id);
            contract.requires.iter().chain(&contract.ensures).for_each(|e| verifier.condition(e));
        }
    }
    verifier.problems
}

struct Verifier<'a> {
    unit: &'a Unit,
    func: Option<FuncId>,
    problems: Vec<String>,
}

impl Verifier<'_> {
    fn require(&mut self, holds: bool, message: impl FnOnce() -> String) {
        if !holds {
            self.problems.push(message());
        }
    }

    fn expect(&mut self, holds: bool, e: &Expr, what: &str) {
        if !holds {
            let place = self.unit.sources.place(e.span);
            let ty = self.unit.types.show(e.ty);
            let kind: String = format!("{:?}", e.kind).chars().take(60).collect();
            self.problems.push(format!("{place}: {what} (type '{ty}', {kind})"));
        }
    }

    fn same(&self, a: Ty, b: Ty) -> bool {
        a.unqualified() == b.unqualified() || self.unit.types.compatible(a, b)
    }

    fn stmts(&mut self, stmts: &[Stmt]) {
        for stmt in stmts {
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Expr(e) => self.value(e),
            StmtKind::Block(stmts) => self.stmts(stmts),
            StmtKind::Decl { var, init, size, cleanup } => {
                let info = &self.unit.vars[*var];
                let (ty, func) = (info.ty, self.func);
                let owned = info.storage == Storage::Local && info.func == func;
                self.require(owned, || format!("{var}: declared as a local of another function"));
                self.require(size.is_some() == self.unit.types.is_vla(ty), || format!("{var}: size without need"));
                if let Some(cleanup) = cleanup {
                    self.value(cleanup);
                }
                if let Some(size) = size {
                    self.value(size);
                }
                if let Some(init) = init {
                    self.init(ty, init);
                }
            }
            StmtKind::If { cond, then, other } => {
                self.condition(cond);
                self.stmt(then);
                if let Some(other) = other {
                    self.stmt(other);
                }
            }
            StmtKind::While { cond, body } | StmtKind::DoWhile { body, cond } => {
                self.condition(cond);
                self.stmt(body);
            }
            StmtKind::For { init, cond, step, body } => {
                self.stmts(init);
                if let Some(cond) = cond {
                    self.condition(cond);
                }
                if let Some(step) = step {
                    self.value(step);
                }
                self.stmt(body);
            }
            StmtKind::Switch { cond, body, .. } => {
                self.value(cond);
                let promoted = self.unit.types.int_shape(cond.ty).is_some_and(|(width, _)| width >= 32);
                self.expect(promoted, cond, "switch on a type that is not promoted");
                self.stmt(body);
            }
            StmtKind::GotoComputed(e) => self.value(e),
            StmtKind::Return(Some(e)) => {
                self.value(e);
                let ret = self.func.and_then(|f| self.unit.types.function(self.unit.funcs[f].ty)).map(|f| f.ret);
                self.expect(ret.is_some_and(|ret| self.same(ret, e.ty)), e, "returned value has another type");
            }
            StmtKind::Asm(asm) => {
                for output in &asm.outputs {
                    self.place(&output.expr);
                }
                for input in &asm.inputs {
                    self.any(&input.expr);
                }
            }
            StmtKind::LoopContract(contract) => {
                contract.invariants.iter().for_each(|e| self.condition(e));
                contract.decreases.iter().for_each(|e| self.value(e));
            }
            StmtKind::Remember(values) => values.iter().for_each(|(_, e)| self.value(e)),
            StmtKind::Empty
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

    fn condition(&mut self, e: &Expr) {
        self.value(e);
        self.expect(self.unit.types.is_scalar(e.ty), e, "condition is no scalar");
    }

    fn init(&mut self, ty: Ty, init: &Init) {
        match init {
            Init::Value(value) => {
                self.value(value);
                self.expect(self.same(ty, value.ty), value, "initialiser of another type");
            }
            Init::Parts(parts, _) => {
                for part in parts {
                    self.part(part);
                    if !matches!(part.value.kind, ExprKind::Str(_)) {
                        self.value(&part.value);
                    }
                }
            }
        }
    }

    fn part(&mut self, part: &InitPart) {
        let types = &self.unit.types;
        match part.value.kind {
            ExprKind::Str(_) => {
                self.expect(types.is_array(part.ty), &part.value, "string for something that is no array")
            }
            _ => {
                let flat = types.is_scalar(part.ty) || types.is_record(part.ty) || !types.is_array(part.ty);
                self.expect(flat && self.same(part.ty, part.value.ty), &part.value, "part of another type");
            }
        }
    }

    fn static_init(&mut self, var: VarId, init: &Init) {
        let constant = |e: &Expr| match &e.kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Address(..) | ExprKind::Unsupported(_) => true,
            ExprKind::Cast(inner) => matches!(inner.kind, ExprKind::Address(..)),
            _ => false,
        };
        match init {
            Init::Value(value) => {
                let ty = self.unit.vars[var].ty;
                self.expect(constant(value), value, "static initialiser is not constant");
                self.expect(self.same(ty, value.ty), value, "static initialiser of another type");
            }
            Init::Parts(parts, _) => {
                for part in parts {
                    let is_constant = constant(&part.value) || matches!(part.value.kind, ExprKind::Str(_));
                    self.expect(is_constant, &part.value, "static initialiser is not constant");
                    self.part(part);
                }
            }
        }
    }

    fn any(&mut self, e: &Expr) {
        if self.is_place(e) { self.place(e) } else { self.value(e) }
    }

    fn is_place(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Var(_)
            | ExprKind::Str(_)
            | ExprKind::Func(_)
            | ExprKind::Deref(_)
            | ExprKind::CompoundLiteral(..) => true,
            ExprKind::Field(base, _) => self.is_place(base),
            _ => false,
        }
    }

    fn place(&mut self, e: &Expr) {
        let types = &self.unit.types;
        match &e.kind {
            ExprKind::Deref(pointer) => {
                self.expect(types.is_pointer(pointer.ty), e, "dereference of something that is no pointer");
                self.value(pointer);
            }
            ExprKind::Field(base, index) => {
                let known = types.record(base.ty).is_some_and(|r| types.records[r].fields.len() > *index as usize);
                self.expect(known, e, "no such member");
                self.any(base);
            }
            ExprKind::CompoundLiteral(var, init) => self.init(self.unit.vars[*var].ty, init),
            ExprKind::Var(_) | ExprKind::Str(_) | ExprKind::Func(_) | ExprKind::Unsupported(_) => {}
            _ => self.expect(false, e, "a place is expected here"),
        }
    }

    fn value(&mut self, e: &Expr) {
        let types = &self.unit.types;
        self.expect(e.ty == e.ty.unqualified(), e, "value of a qualified type");
        let holds = !matches!(types[e.ty], Type::Array(..) | Type::Function(_));
        self.expect(holds, e, "value of array or function type");
        match &e.kind {
            ExprKind::Int(bits) => {
                let width = match types[e.ty] {
                    Type::Pointer(_) => Some(types.model().word() as u32 * 8),
                    _ => types.int_shape(e.ty).map(|s| s.0),
                };
                let fits = width.is_some_and(|w| w >= 128 || bits >> w == 0);
                self.expect(fits, e, "integer constant does not fit its type");
            }
            ExprKind::Float(_) => self.expect(types.is_float(e.ty), e, "floating constant of another type"),
            ExprKind::Address(..) => self.expect(types.is_pointer(e.ty), e, "address that is no pointer"),
            ExprKind::Load(place) => {
                self.place(place);
                self.expect(e.ty == place.ty.unqualified(), e, "load of another type");
            }
            ExprKind::AddrOf(place) => {
                self.place(place);
                self.expect(types.pointee(e.ty) == Some(place.ty), e, "address of another type");
            }
            ExprKind::Decay(place) => {
                match &place.kind {
                    // An array inside a struct value, whose storage is temporary.
                    ExprKind::Field(base, _) if !self.is_place(base) => self.value(base),
                    _ => self.place(place),
                }
                self.expect(types.is_array(place.ty), e, "decay of something that is no array");
            }
            ExprKind::FuncDecay(place) => {
                self.place(place);
                self.expect(types.pointee(e.ty) == Some(place.ty.unqualified()), e, "function of another type");
            }
            ExprKind::Field(base, _) => {
                self.expect(!self.is_place(e), e, "member place used as a value");
                self.value(base);
            }
            ExprKind::Unary(op, inner) => {
                self.value(inner);
                let typed = *op == UnaryOp::Not || inner.ty == e.ty;
                self.expect(typed, e, "unary operand of another type");
            }
            ExprKind::Binary(op, l, r) => self.binary(*op, l, r, e),
            ExprKind::PtrAdd { ptr, index, .. } => {
                self.value(ptr);
                self.value(index);
                self.expect(ptr.ty == e.ty && types.is_pointer(e.ty), e, "pointer arithmetic of another type");
                let word = types.int_shape(index.ty).map(|s| u64::from(s.0)) == Some(types.model().word() * 8);
                self.expect(word, index, "index is not of pointer width");
            }
            ExprKind::PtrDiff { left, right, .. } => {
                self.value(left);
                self.value(right);
            }
            ExprKind::Cast(inner) => {
                self.value(inner);
                let scalar = types.is_scalar(inner.ty) && types.is_scalar(e.ty);
                self.expect(scalar || types.is_void(e.ty) || self.same(inner.ty, e.ty), e, "cast between these types");
            }
            ExprKind::ToUnion(inner, _) => self.value(inner),
            ExprKind::LogAnd(l, r) | ExprKind::LogOr(l, r) => {
                self.condition(l);
                self.condition(r);
            }
            ExprKind::Cond(c, a, b) => {
                self.condition(c);
                self.value(a);
                self.value(b);
                self.expect(self.same(a.ty, e.ty) && self.same(b.ty, e.ty), e, "branches of different types");
            }
            ExprKind::Elvis { value, other } => {
                self.condition(value);
                self.value(other);
                self.expect(self.same(other.ty, e.ty), e, "branches of different types");
            }
            ExprKind::Comma(l, r) => {
                self.value(l);
                self.value(r);
                self.expect(l.ty == l.ty.unqualified() && r.ty == e.ty, e, "comma of another type");
            }
            ExprKind::Assign(place, value) => {
                self.place(place);
                self.value(value);
                self.expect(self.same(place.ty, value.ty), e, "assigned value of another type");
            }
            ExprKind::AssignOp { op, place, value, compute } => {
                self.place(place);
                self.value(value);
                self.expect(op.is_shift() || value.ty == *compute, e, "compound assignment computes in another type");
            }
            ExprKind::AssignPtrAdd { place, index, .. } => {
                self.place(place);
                self.value(index);
            }
            ExprKind::IncDec { place, size, .. } => {
                self.place(place);
                self.expect(size.is_some() == types.is_pointer(place.ty), e, "step without need");
            }
            ExprKind::Call { callee, args } => self.call(callee, args, e),
            ExprKind::StmtExpr { body, result } => {
                self.stmts(body);
                if let Some(result) = result {
                    self.value(result);
                    self.expect(result.ty == e.ty, e, "statement expression of another type");
                }
            }
            ExprKind::VaStart(list) | ExprKind::VaEnd(list) | ExprKind::VaArg(list) => self.place(list),
            ExprKind::VaCopy(to, from) => {
                self.place(to);
                self.place(from);
            }
            ExprKind::Builtin(_, args) => args.iter().for_each(|a| self.value(a)),
            ExprKind::LabelAddr(_) | ExprKind::Unsupported(_) => {}
            ExprKind::Var(_)
            | ExprKind::Str(_)
            | ExprKind::Func(_)
            | ExprKind::Deref(_)
            | ExprKind::CompoundLiteral(..) => self.expect(false, e, "a place is used as a value"),
        }
    }

    fn binary(&mut self, op: BinaryOp, l: &Expr, r: &Expr, e: &Expr) {
        self.value(l);
        self.value(r);
        let types = &self.unit.types;
        self.expect(op.is_shift() || l.ty == r.ty, e, "operands of different types");
        let result =
            if op.is_comparison() { types.int_kind_of(e.ty) == Some(crate::types::IntKind::Int) } else { e.ty == l.ty };
        self.expect(result, e, "result of another type");
        let operand = types.is_float(l.ty)
            || types.int_shape(l.ty).is_some_and(|(width, _)| width >= 32)
            || (op.is_comparison() && types.is_pointer(l.ty));
        self.expect(operand, l, "operand is not promoted");
    }

    fn call(&mut self, callee: &Expr, args: &[Expr], e: &Expr) {
        self.value(callee);
        args.iter().for_each(|a| self.value(a));
        let Some(f) = self.unit.types.called(callee.ty) else {
            return self.expect(false, callee, "call of something that is no function");
        };
        self.expect(self.same(f.ret, e.ty), e, "call of another type");
        if f.prototyped {
            self.expect(args.len() >= f.params.len(), e, "too few arguments");
            for (arg, &param) in args.iter().zip(&f.params) {
                self.expect(self.same(arg.ty, param), arg, "argument of another type");
            }
        }
    }
}
