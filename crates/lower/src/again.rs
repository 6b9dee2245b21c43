//! Functions without body of which it is known that equal arguments give equal results: uninterpreted ones (`__CPROVER_uninterpreted_f`),
//! and those declared `const` or `pure`.
//!
//! The result is what a table, an array that is arbitrary at first and the same in the whole execution, holds for the arguments. A function
//! declared `pure` may also read memory: where it was called with the same arguments before, it may give another result, if memory changed what
//! it reads. Whether it reads that is not known, so no violation counts that needs another result ([`cfa::AGAIN`]).
//!
//! Pointers, which lead to memory, floats and structs are in no table: the last few different calls are kept in plain variables. A call with
//! other arguments than those, where there were more, is one of which nothing is known: no violation counts that has it either.

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

/// So many different calls of a function are kept.
const KEPT: usize = 4;

/// Longer structs are not kept.
const LONGEST: u64 = 64;

/// The last different calls of each function whose results are in no table, the last one first.
pub(crate) type LastCalls = BTreeMap<FuncId, Rc<Vec<LastCall>>>;

pub(crate) struct LastCall {
    /// There was one.
    known: cfa::Var,
    args: Vec<cfa::Var>,
    results: Vec<cfa::Var>,
}

/// What a function gives, as far as it is kept.
#[derive(Clone, Copy, PartialEq)]
enum Result {
    Pointer,
    Number,
    Struct,
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
        if !self.keeps_promise(id) || self.unit.types.is_void(ty) {
            return None;
        }
        let reads_memory = !self.unit.funcs[id].reads_nothing;
        let kind = if self.unit.types.is_pointer(ty) { Result::Pointer } else { Result::Number };
        let table = if kind == Result::Number { self.tabulated(id, args, ty, reads_memory) } else { None };
        if table.is_some() {
            return table;
        }
        let fresh = self.extern_value(ty, &self.unit.funcs[id].name)?;
        self.given_again(id, args, &[fresh], kind).into_iter().next()
    }

    /// The same for a struct, whose bytes may be anything so far.
    pub(crate) fn promised_struct(&mut self, id: FuncId, args: &[Arg<'_>], ty: Ty, start: Term) {
        if !self.keeps_promise(id) {
            return;
        }
        let size = self.unit.types.size_of(ty).unwrap_or(0);
        let is_kept = size <= LONGEST && !self.has_pointers(ty);
        let mut bytes = Vec::new();
        for at in 0..if is_kept { size } else { 0 } {
            let (offset, dst) = (self.word(at), self.temp(Sort::Bv(8)));
            let addr = self.terms().add(start, offset);
            self.emit(Op::Load { dst, addr, bytes: 1 });
            bytes.push(self.term(dst));
        }
        self.given_again(id, args, &bytes, Result::Struct);
    }

    /// Whether equal arguments give equal results, because it is promised.
    pub(crate) fn keeps_promise(&self, id: FuncId) -> bool {
        self.unit.funcs[id].pure && self.options.places == Places::Any
    }

    /// What a call gives that may give `fresh`: what a call before it gave, if it has the same arguments.
    fn given_again(&mut self, id: FuncId, args: &[Arg<'_>], fresh: &[Term], kind: Result) -> Vec<Term> {
        let args = self.scalar_arguments(id, args);
        // Nothing is kept of a call with a struct, or of one that gives what is not kept.
        let is_kept = args.is_some() && !fresh.is_empty();
        let args = args.filter(|_| is_kept).unwrap_or_default();
        let calls = self.last_calls(id, &args, if is_kept { fresh } else { &[] });
        let mut matches = Vec::new();
        for call in calls.iter() {
            let mut same = vec![self.term(call.known), if is_kept { self.terms().tt() } else { self.terms().ff() }];
            for (&arg, &var) in args.iter().zip(&call.args) {
                let before = self.term(var);
                same.push(self.terms().eq(arg, before));
            }
            let same = self.terms().and_all(&same);
            matches.push(self.snapshot(same));
        }
        let any = self.terms().or_all(&matches);
        let any = self.snapshot(any);
        let same = self.unless_another(id, &args, any);
        let mut values = Vec::new();
        for (at, &fresh) in fresh.iter().enumerate().filter(|_| is_kept) {
            let mut before = self.term(calls[KEPT - 1].results[at]);
            for (call, &matches) in calls.iter().zip(&matches).rev().skip(1) {
                let result = self.term(call.results[at]);
                before = self.terms().ite(matches, result, before);
            }
            values.push(match kind {
                Result::Pointer => {
                    let value = self.terms().ite(same, before, fresh);
                    self.snapshot(value)
                }
                // As an input that is the same once more: what is given to a compiled program is given to each call.
                Result::Number | Result::Struct => {
                    let (equal, other) = (self.terms().eq(before, fresh), self.terms().not(same));
                    let holds = self.terms().or(equal, other);
                    self.emit(Op::Assume(holds));
                    fresh
                }
            });
        }
        self.forgotten(&calls[if is_kept { KEPT - 1 } else { 0 }], any);
        self.keep_call(&calls, (&matches, any), &args, &values);
        if is_kept { values } else { fresh.to_vec() }
    }

    /// Whether a call whose arguments were there before gives the same: it does unless it reads memory. Of a NaN nobody sees whether it is the
    /// same.
    fn unless_another(&mut self, id: FuncId, args: &[Term], any: Term) -> Term {
        let mut may_differ = if self.unit.funcs[id].reads_nothing { self.terms().ff() } else { self.terms().tt() };
        for &arg in args {
            if matches!(self.program.terms.sort(arg), Sort::Float(_)) {
                let is_nan = self.terms().fp_is_nan(arg);
                may_differ = self.terms().or(may_differ, is_nan);
            }
        }
        let another = self.temp(Sort::Bool);
        let no = self.terms().ff();
        self.assign(another, no);
        let asked = self.terms().and(any, may_differ);
        if self.terms().as_bool_const(asked) != Some(false) {
            self.run_if(asked, |low| {
                let choice = low.choice_of(AGAIN);
                low.assign(another, choice);
            });
        }
        let another = self.term(another);
        let no_other = self.terms().not(another);
        let same = self.terms().and(any, no_other);
        self.snapshot(same)
    }

    /// Where all that is kept is of other calls, down to the oldest, there may have been one with these arguments before them.
    fn forgotten(&mut self, oldest: &LastCall, any: Term) {
        let known = self.term(oldest.known);
        let is_new = self.terms().not(any);
        let forgotten = self.terms().and(known, is_new);
        self.run_if(forgotten, |low| {
            let choice = low.choice_of(AGAIN);
            low.emit(Op::Assume(choice));
        });
    }

    /// A call with new arguments is the first of those that are kept; another one changes what is kept of it.
    fn keep_call(&mut self, calls: &[LastCall], (matches, any): (&[Term], Term), args: &[Term], results: &[Term]) {
        let mut pairs = Vec::new();
        let mut newer: Option<&LastCall> = None;
        for (call, &matches) in calls.iter().zip(matches) {
            let yes = self.terms().tt();
            let known = newer.map_or(yes, |newer| self.term(newer.known));
            let mut shifted = vec![(call.known, known)];
            for (at, &var) in call.args.iter().enumerate() {
                shifted.push((var, newer.map_or_else(|| args[at], |newer| self.term(newer.args[at]))));
            }
            for (at, &var) in call.results.iter().enumerate() {
                shifted.push((var, newer.map_or_else(|| results[at], |newer| self.term(newer.results[at]))));
            }
            for (at, (var, value)) in shifted.into_iter().enumerate() {
                let mut old = self.term(var);
                if at > call.args.len() {
                    let again = results[at - call.args.len() - 1];
                    old = self.terms().ite(matches, again, old);
                }
                pairs.push((var, self.terms().ite(any, old, value)));
            }
            newer = Some(call);
        }
        self.emit(Op::Assign(pairs));
    }

    fn last_calls(&mut self, id: FuncId, args: &[Term], results: &[Term]) -> Rc<Vec<LastCall>> {
        if let Some(last) = self.last_calls.get(&id) {
            return Rc::clone(last);
        }
        let name = self.unit.funcs[id].name.clone();
        let mut calls = Vec::new();
        for number in 0..KEPT {
            let global = |low: &mut Self, part: &str, terms: &[Term]| -> Vec<cfa::Var> {
                let sorts: Vec<Sort> = terms.iter().map(|term| low.program.terms.sort(*term)).collect();
                let numbered = sorts.into_iter().enumerate();
                numbered.map(|(i, sort)| low.generated_global(&format!("${name}:{number}:{part}{i}"), sort)).collect()
            };
            let (args, results) = (global(self, "", args), global(self, "result", results));
            let known = self.generated_global(&format!("${name}:{number}:known"), Sort::Bool);
            calls.push(LastCall { known, args, results });
        }
        let calls = Rc::new(calls);
        self.last_calls.insert(id, Rc::clone(&calls));
        calls
    }

    /// The arguments as the function gets them, if all are scalars.
    fn scalar_arguments(&mut self, id: FuncId, args: &[Arg<'_>]) -> Option<Vec<Term>> {
        let signature = self.unit.types.function(self.unit.funcs[id].ty)?;
        let is_known = signature.prototyped && signature.params.len() == args.len();
        let are_scalars = is_known && args.iter().all(|arg| self.sort(arg.ty).is_some());
        let pairs = args.iter().zip(signature.params.clone());
        are_scalars.then(|| pairs.map(|(arg, param)| self.convert(arg.term, arg.ty, param)).collect())
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
        for call in self.last_calls.values().cloned().collect::<Vec<_>>().iter().flat_map(|calls| calls.iter()) {
            let no = self.terms().ff();
            self.emit(Op::Assign(vec![(call.known, no)]));
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
