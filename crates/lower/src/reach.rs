//! What the program can use: functions, static variables and strings that are mentioned, directly or not, by the code
//! that starts at the entry function. Nothing else is lowered.

use base::Span;
use cfront::hir::{Expr, ExprKind, Func, FuncId, Init, Storage, StrId, Symbol, Unit, VarId};
use std::collections::BTreeSet;

use crate::call::direct;
use crate::options::Contracts;
use crate::{formats, names};
use cfront::walk::{walk_contract, walk_init, walk_stmt};

/// The used parts of a unit, each in the order of its ids.
#[derive(Debug, Default)]
pub(crate) struct Reach {
    pub(crate) funcs: BTreeSet<FuncId>,
    /// With static storage only.
    pub(crate) vars: BTreeSet<VarId>,
    pub(crate) strings: BTreeSet<StrId>,
    /// Functions whose address is used other than to call them.
    pub(crate) address_taken: BTreeSet<FuncId>,
    /// Bytes of the largest object of constant size.
    pub(crate) largest: u64,
    todo: Vec<Item>,
}

#[derive(Clone, Copy, Debug)]
enum Item {
    Func(FuncId),
    Var(VarId),
}

/// The functions that run without being called: the entry function, and with `main` what is declared `constructor` or
/// `destructor`.
pub(crate) fn roots(unit: &Unit, entry: FuncId) -> Vec<FuncId> {
    let mut roots = vec![entry];
    roots.extend(before_main(unit, entry));
    roots.extend(after_main(unit, entry));
    roots
}

/// The constructors in the order in which they are called.
pub(crate) fn before_main(unit: &Unit, entry: FuncId) -> Vec<FuncId> {
    by_priority(unit, entry, |f| f.constructor)
}

/// The destructors in the order in which they are called.
pub(crate) fn after_main(unit: &Unit, entry: FuncId) -> Vec<FuncId> {
    let mut found = by_priority(unit, entry, |f| f.destructor);
    found.reverse();
    found
}

fn by_priority(unit: &Unit, entry: FuncId, priority: impl Fn(&Func) -> Option<u16>) -> Vec<FuncId> {
    if unit.funcs[entry].name != "main" {
        return Vec::new();
    }
    let mut found: Vec<(u16, Span, FuncId)> = unit
        .funcs
        .iter()
        .filter(|(_, f)| f.body.is_some())
        .filter_map(|(id, f)| Some((priority(f)?, f.span, id)))
        .collect();
    // Files in the order in which they were given, functions as they are defined there.
    found.sort_by_key(|(priority, span, id)| (*priority, span.file, span.line, span.col, *id));
    found.into_iter().map(|(.., id)| id).collect()
}

impl Reach {
    /// Everything reachable from the given functions, if contracts are used like that; without, if they may be used in any
    /// way. Where code `outside` of the program looks at memory, also what it finds through global pointers.
    pub(crate) fn from(unit: &Unit, roots: &[FuncId], contracts: Option<&Contracts>, outside: bool) -> Reach {
        let mut reach = Reach::default();
        for &root in roots {
            reach.func(root);
        }
        reach.close(unit, roots, contracts);
        let is_outside = |id: &FuncId| {
            let func = &unit.funcs[*id];
            func.body.is_none() && names::kind(&func.name).is_none() && !func.name.starts_with("__VERIFIER_")
        };
        if outside && reach.funcs.iter().any(is_outside) {
            for (id, var) in unit.vars.iter().filter(|(_, var)| var.storage == Storage::Extern && var.defined) {
                let mut points = false;
                var.init.iter().for_each(|init| {
                    walk_init(init, &mut |e| {
                        points |= matches!(e.kind, ExprKind::Address(Symbol::Var(_) | Symbol::Func(_), _));
                    });
                });
                if points {
                    reach.var(unit, id);
                }
            }
            reach.close(unit, roots, contracts);
        }
        for &s in &reach.strings {
            reach.largest = reach.largest.max(4 * unit.strings[s].units.len() as u64);
        }
        reach
    }

    /// Goes on until nothing new is mentioned.
    fn close(&mut self, unit: &Unit, roots: &[FuncId], contracts: Option<&Contracts>) {
        let reach = self;
        while let Some(item) = reach.todo.pop() {
            match item {
                Item::Func(id) => {
                    let func = &unit.funcs[id];
                    for &local in func.params.iter().chain(&func.locals) {
                        reach.size(unit, local);
                    }
                    let is_root = roots.contains(&id);
                    let replaced = contracts.is_some_and(|contracts| contracts.replaces(unit, id)) && !is_root;
                    if let Some(body) = func.body.as_ref().filter(|_| !replaced) {
                        walk_stmt(body, &mut |e| reach.expr(unit, e));
                    }
                    for (_, claim) in &func.claims {
                        claim.params.iter().chain(&claim.locals).for_each(|&var| reach.size(unit, var));
                        walk_contract(claim, &mut |e| reach.expr(unit, e));
                    }
                    let speaks = contracts.is_none_or(|contracts| replaced || contracts.check && is_root);
                    if let Some(contract) = func.contract.as_ref().filter(|_| speaks) {
                        contract.params.iter().chain(&contract.locals).for_each(|&var| reach.size(unit, var));
                        walk_contract(contract, &mut |e| reach.expr(unit, e));
                    }
                }
                Item::Var(id) => {
                    reach.size(unit, id);
                    if let Some(init) = &unit.vars[id].init {
                        reach.init(unit, init);
                    }
                }
            }
        }
    }

    fn size(&mut self, unit: &Unit, id: VarId) {
        self.largest = self.largest.max(unit.types.size_of(unit.vars[id].ty).unwrap_or(0));
    }

    fn init(&mut self, unit: &Unit, init: &Init) {
        walk_init(init, &mut |e| self.expr(unit, e));
    }

    fn func(&mut self, id: FuncId) {
        if self.funcs.insert(id) {
            self.todo.push(Item::Func(id));
        }
    }

    fn var(&mut self, unit: &Unit, id: VarId) {
        if unit.vars[id].storage.is_static() && self.vars.insert(id) {
            self.todo.push(Item::Var(id));
        }
    }

    fn expr(&mut self, unit: &Unit, e: &Expr) {
        match &e.kind {
            ExprKind::Var(id) => self.var(unit, *id),
            ExprKind::Str(id) => {
                self.strings.insert(*id);
            }
            ExprKind::Func(id) => {
                for id in std::iter::successors(Some(*id), |id| unit.funcs[*id].alias_of) {
                    self.func(id);
                    if unit.funcs[id].address_taken {
                        self.address_taken.insert(id);
                    }
                }
            }
            ExprKind::Address(symbol, _) => match *symbol {
                Symbol::Var(id) => self.var(unit, id),
                Symbol::Str(id) => {
                    self.strings.insert(id);
                }
                Symbol::Func(id) => {
                    for id in std::iter::successors(Some(id), |id| unit.funcs[*id].alias_of) {
                        self.func(id);
                        self.address_taken.insert(id);
                    }
                }
                Symbol::Label(_) => {}
            },
            ExprKind::CompoundLiteral(id, _) => self.size(unit, *id),
            ExprKind::Call { callee, args } => {
                let made = direct(callee).and_then(|id| formats::function_for(unit, id, |at| args.get(at)));
                if let Some((id, _)) = made {
                    self.func(id);
                }
            }
            _ => {}
        }
    }

    /// Names of used functions that have no body.
    pub(crate) fn undefined<'u>(&self, unit: &'u Unit) -> Vec<&'u str> {
        self.funcs.iter().map(|f| &unit.funcs[*f]).filter(|f| f.body.is_none()).map(|f| f.name.as_str()).collect()
    }

    /// Names of used variables that no file defines.
    pub(crate) fn undefined_vars<'u>(&self, unit: &'u Unit) -> Vec<&'u str> {
        self.vars.iter().map(|v| &unit.vars[*v]).filter(|v| !v.defined).map(|v| v.name.as_str()).collect()
    }
}
