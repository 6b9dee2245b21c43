//! Functions without body of which it is known that equal arguments give equal results: uninterpreted ones (`__CPROVER_uninterpreted_f`),
//! and those declared `const` or `pure`.
//!
//! The result is what a table, an array that is arbitrary at first and the same in the whole execution, holds for the arguments. A function
//! declared `pure` may also read memory: where it was called with the same arguments before, it may give another result, if memory changed what
//! it reads. Whether it reads that is not known, so no violation counts that needs another result ([`cfa::AGAIN`]).
//!
//! Results that are pointers lead to memory, and are kept in plain variables: what the last call gave. Structs and floats are not kept: calls
//! may differ, as do calls that give pointers with calls before the last one.

use std::collections::BTreeMap;
use std::rc::Rc;

use cfa::{AGAIN, Op, Origin};
use cfront::hir::FuncId;
use cfront::types::{Ty, Type};
use term::{Sort, Term};

use crate::call::Arg;
use crate::context::Lowering;
use crate::options::Places;

/// Tables by the name of the function and by the widths of arguments and result.
pub(crate) type Tables = BTreeMap<(String, u32, u32), Table>;

/// Longer arguments are in no table.
const WIDEST: u32 = 256;

/// The last call of each function that gives pointers.
pub(crate) type LastCalls = BTreeMap<FuncId, Rc<LastCall>>;

pub(crate) struct LastCall {
    /// There was one.
    known: cfa::Var,
    args: Vec<cfa::Var>,
    result: cfa::Var,
}

#[derive(Clone, Copy)]
pub(crate) struct Table {
    results: cfa::Var,
    /// For which arguments it was asked, where that matters: no arguments at first.
    asked: Option<cfa::Var>,
}

impl Lowering<'_> {
    /// The result of an uninterpreted function. It is the declared types that count: a call may have seen no declaration.
    pub(crate) fn uninterpreted(&mut self, id: FuncId, args: &[Arg<'_>], ty: Ty) -> Option<Term> {
        match self.tabulated(id, args, ty, false) {
            Some(value) => Some(value),
            None => {
                let name = &self.unit.funcs[id].name;
                self.unsupported(format!("{name} of or as something that is neither integer nor pointer"));
                self.sort(ty).map(|_| self.dummy(ty))
            }
        }
    }

    /// The result of a function without body that promises to depend on its arguments alone, or on memory beside them.
    pub(crate) fn promised(&mut self, id: FuncId, args: &[Arg<'_>], ty: Ty) -> Option<Term> {
        if !self.keeps_promise(id, args, ty) {
            return None;
        }
        match self.unit.types.pointee(ty) {
            Some(_) => self.pointer_again(id, args, ty),
            None => self.tabulated(id, args, ty, !self.unit.funcs[id].reads_nothing),
        }
    }

    /// Whether equal arguments give equal results, because it is promised.
    pub(crate) fn keeps_promise(&self, id: FuncId, args: &[Arg<'_>], ty: Ty) -> bool {
        let may = self.unit.funcs[id].pure && self.options.places == Places::Any;
        may && self.numbers(id, args, ty).is_some()
    }

    /// What arguments are converted to, if they and the result are numbers.
    fn numbers(&self, id: FuncId, args: &[Arg<'_>], ty: Ty) -> Option<Vec<Ty>> {
        let signature = self.unit.types.function(self.unit.funcs[id].ty)?;
        let params = signature.params.iter().copied().filter(|_| signature.prototyped);
        let params: Vec<Ty> = params.chain(args.iter().skip(signature.params.len()).map(|arg| arg.ty)).collect();
        let widths = params.iter().map(|ty| self.sort(*ty).and_then(Sort::bv_width)).sum::<Option<u32>>()?;
        let mut others = args.iter().map(|arg| arg.ty).chain([signature.ret, ty]);
        let numbers = others.all(|ty| matches!(self.sort(ty), Some(Sort::Bv(_))));
        (params.len() == args.len() && numbers && widths <= WIDEST).then_some(params)
    }

    /// The pointer that the last call gave, where the arguments are the same.
    fn pointer_again(&mut self, id: FuncId, args: &[Arg<'_>], ty: Ty) -> Option<Term> {
        let params = self.numbers(id, args, ty)?;
        let func = &self.unit.funcs[id];
        let args: Vec<Term> =
            args.iter().zip(params).map(|(arg, param)| self.convert(arg.term, arg.ty, param)).collect();
        let last = self.last_call(id, &args, ty)?;
        let mut same = vec![self.term(last.known)];
        for (&arg, &var) in args.iter().zip(&last.args) {
            let before = self.term(var);
            same.push(self.terms().eq(arg, before));
        }
        let same = self.terms().and_all(&same);
        let mut same = self.snapshot(same);
        if !func.reads_nothing {
            let another = self.temp(Sort::Bool);
            let no = self.terms().ff();
            self.assign(another, no);
            self.run_if(same, |low| {
                let choice = low.choice_of(AGAIN);
                low.assign(another, choice);
            });
            let another = self.term(another);
            let no_other = self.terms().not(another);
            same = self.terms().and(same, no_other);
        }
        let fresh = self.extern_value(ty, &func.name)?;
        let before = self.term(last.result);
        let value = self.terms().ite(same, before, fresh);
        let value = self.snapshot(value);
        let yes = self.terms().tt();
        let mut pairs = vec![(last.known, yes), (last.result, value)];
        pairs.extend(last.args.iter().copied().zip(args));
        self.emit(Op::Assign(pairs));
        Some(value)
    }

    fn last_call(&mut self, id: FuncId, args: &[Term], ty: Ty) -> Option<Rc<LastCall>> {
        if let Some(last) = self.last_calls.get(&id) {
            return (last.args.len() == args.len()).then(|| Rc::clone(last));
        }
        let sort = self.sort(ty)?;
        let name = format!("${}", self.unit.funcs[id].name);
        let known = self.generated_global(&format!("{name}:known"), Sort::Bool);
        let sorts: Vec<Sort> = args.iter().map(|arg| self.program.terms.sort(*arg)).collect();
        let numbered = sorts.into_iter().enumerate();
        let args = numbered.map(|(i, sort)| self.generated_global(&format!("{name}:{i}"), sort)).collect();
        let result = self.generated_global(&format!("{name}:result"), sort);
        let last = Rc::new(LastCall { known, args, result });
        self.last_calls.insert(id, Rc::clone(&last));
        Some(last)
    }

    fn tabulated(&mut self, id: FuncId, args: &[Arg<'_>], ty: Ty, reads_memory: bool) -> Option<Term> {
        let params = self.numbers(id, args, ty)?;
        let unit = self.unit;
        let (name, types) = (unit.funcs[id].name.as_str(), &unit.types);
        let ret = types.function(unit.funcs[id].ty)?.ret;
        let width = self.sort(ret).and_then(Sort::bv_width)?;
        let mut index = self.terms().bv(0, 1);
        for (arg, param) in args.iter().zip(params) {
            let term = self.convert(arg.term, arg.ty, param);
            index = self.terms().concat(index, term);
        }
        let index_width = self.terms().width(index);
        let table = self.table((name.to_owned(), index_width, width), reads_memory);
        if let Some(asked) = table.asked {
            self.may_give_another(table.results, asked, index, name);
        }
        let results = self.term(table.results);
        let value = self.terms().select(results, index);
        let mut value = self.snapshot(value);
        if matches!(types[ret], Type::Bool) {
            let truth = self.truth(value);
            value = self.terms().bool_to_bv(truth, 8);
        }
        Some(self.convert(value, ret, ty))
    }

    /// Where it was asked before, what it reads may have changed.
    fn may_give_another(&mut self, results: cfa::Var, asked: cfa::Var, index: Term, name: &str) {
        let index = self.snapshot(index);
        let before = self.term(asked);
        let was_asked = self.terms().select(before, index);
        self.run_if(was_asked, |low| {
            let another = low.choice_of(AGAIN);
            low.run_if(another, |low| {
                let old = low.term(results);
                let Sort::Array(sort) = low.terms().sort(old) else { return };
                let value = low.havoc(sort.elem.into(), Origin::Extern(name.to_owned()));
                let new = low.terms().store(old, index, value);
                low.emit(Op::Assign(vec![(results, new)]));
            });
        });
        let yes = self.terms().tt();
        let after = self.terms().store(before, index, yes);
        self.emit(Op::Assign(vec![(asked, after)]));
    }

    fn table(&mut self, key: (String, u32, u32), reads_memory: bool) -> Table {
        if let Some(table) = self.tables.get(&key) {
            return *table;
        }
        let (name, index, width) = &key;
        let results = format!("${name}:{index}:{width}");
        let asked = reads_memory
            .then(|| self.generated_global(&format!("{results}?"), Sort::array(Sort::Bv(*index), Sort::Bool)));
        let results = self.generated_global(&results, Sort::array(Sort::Bv(*index), Sort::Bv(*width)));
        let table = Table { results, asked };
        self.tables.insert(key, table);
        table
    }

    /// When the program starts.
    pub(crate) fn start_tables(&mut self) {
        let tables: Vec<Table> = self.tables.values().copied().collect();
        for last in self.last_calls.values().cloned().collect::<Vec<_>>() {
            let no = self.terms().ff();
            self.emit(Op::Assign(vec![(last.known, no)]));
        }
        if tables.is_empty() {
            return;
        }
        self.emit(Op::Havoc { vars: tables.iter().map(|table| table.results).collect(), origin: Origin::Internal });
        for asked in tables.iter().filter_map(|table| table.asked) {
            let Sort::Array(sort) = self.program.vars[asked].sort else { continue };
            let no = self.terms().ff();
            let none = self.terms().const_array(sort.index.into(), no);
            self.emit(Op::Assign(vec![(asked, none)]));
        }
    }
}
