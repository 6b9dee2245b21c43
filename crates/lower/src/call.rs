//! Calls: of functions with a body, of modelled ones, of unknown ones, and through pointers.
//!
//! A struct argument is the address of a copy that the caller makes; a struct result is written where a hidden first
//! parameter points. Variable arguments are passed as the address of a block (see `varargs`). Arguments are evaluated
//! from left to right where none of them changes anything; where one does, from right to left, as gcc does on x86, and in
//! any other order where that is not the same (see `order`).

use cfa::{LocKind, Op};
use cfront::hir::{Expr, ExprKind, FuncId, VarId};
use cfront::types::{FunctionType, Ty, Type};
use term::{Sort, Term};

use crate::context::{FuncKey, Lowering, reserve};
use crate::effects::Effects;
use crate::formats;
use crate::options::Places;
use crate::place::Memory;
use crate::text::show;

/// An evaluated argument. A struct's `term` is the address of a copy.
#[derive(Clone, Copy)]
pub(crate) struct Arg<'a> {
    pub(crate) term: Term,
    pub(crate) ty: Ty,
    pub(crate) expr: &'a Expr,
}

/// A call of a known function: the value has type `ty`, and a struct goes to `result`.
#[derive(Clone, Copy)]
pub(crate) struct Call<'c, 'a> {
    pub(crate) id: FuncId,
    pub(crate) args: &'c [Arg<'a>],
    pub(crate) ty: Ty,
    pub(crate) result: Option<&'c Memory>,
    /// Where it is written.
    pub(crate) e: &'c Expr,
}

/// The name of a function that is called directly.
pub(crate) fn direct(callee: &Expr) -> Option<FuncId> {
    match &callee.kind {
        ExprKind::FuncDecay(f) => match f.kind {
            ExprKind::Func(id) => Some(id),
            _ => None,
        },
        ExprKind::Cast(inner) => direct(inner),
        _ => None,
    }
}

/// Whether the expression points into a member of a struct, by its text.
fn is_member(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Cast(inner) | ExprKind::Decay(inner) | ExprKind::AddrOf(inner) => is_member(inner),
        ExprKind::PtrAdd { ptr, .. } => is_member(ptr),
        ExprKind::Deref(pointer) => matches!(pointer.kind, ExprKind::PtrAdd { .. }) && is_member(pointer),
        ExprKind::Field(..) => true,
        _ => false,
    }
}

/// Functions that look characters up in a table: glibc has one for -128 to 255.
const CHARACTERS: [&str; 12] = [
    "isalnum", "isalpha", "isblank", "iscntrl", "isdigit", "isgraph", "islower", "isprint", "ispunct", "isspace",
    "isupper", "isxdigit",
];

/// Functions that put numbers on a stream.
const PRINT: [&str; 4] = ["printf", "fprintf", "dprintf", "syslog"];

impl Lowering<'_> {
    /// Calls; gives the value, or for a struct the address of the temporary object that holds it.
    pub(crate) fn call(&mut self, e: &Expr, callee: &Expr, args: &[Expr]) -> Option<Term> {
        let outer = self.fun.span;
        if !e.span.is_nowhere() {
            self.fun.span = e.span;
        }
        let result = match direct(callee) {
            Some(id) => self.call_direct(id, e, args),
            None => self.call_pointer(e, callee, args),
        };
        self.fun.span = outer;
        result
    }

    /// A pointer to a member that a function is given leads to the whole object there.
    fn note_whole_objects(&mut self, id: FuncId, args: &[Expr], e: &Expr) {
        if !self.options.subobject_bounds || !self.checks_memory(e.span) || self.fun.library_checked.is_some() {
            return;
        }
        let (unit, name) = (self.unit, &self.unit.funcs[id].name);
        if args.iter().any(|arg| is_member(arg) && unit.types.pointee(arg.ty).is_some()) {
            let message = format!(
                "--subobject-bounds: {name} is given a pointer into a struct, and what functions do with such pointers is \
                 checked against the whole object"
            );
            self.note_once("members given to functions", e.span, message);
        }
    }

    fn call_direct(&mut self, id: FuncId, e: &Expr, args: &[Expr]) -> Option<Term> {
        let id = if self.is_replaced(id) { id } else { crate::alias::target(self.unit, id) };
        if self.dialect_condition(id, e, args) {
            return self.sort(e.ty).is_some().then(|| self.dummy(e.ty));
        }
        let result = self.result_object(e.ty);
        let mark = self.fun.live.len();
        self.note_whole_objects(id, args, e);
        let args = self.arguments(args);
        let value = self.apply(Call { id, args: &args, ty: e.ty, result: result.as_ref(), e });
        self.spend_lists(&args);
        self.end_part(mark);
        match result {
            Some(object) => Some(object.base),
            None => value,
        }
    }

    /// The function for the literal format of a call, with what it is given; nothing where arguments are not what it asks for.
    fn by_its_format<'e>(&self, id: FuncId, args: &[Arg<'e>]) -> Option<(FuncId, Vec<Arg<'e>>)> {
        let (unit, types) = (self.unit, &self.unit.types);
        let (made, at) = formats::function_for(unit, id, |at| args.get(at).map(|arg| arg.expr))?;
        let mut given = args.to_vec();
        given.remove(at);
        let parameters = &unit.funcs[made].params;
        let is_asked_for = |(arg, parameter): (&Arg<'_>, &VarId)| {
            let (from, to) = (arg.ty, unit.vars[*parameter].ty);
            let are_integers = types.is_integer(from) && types.is_integer(to);
            types.is_pointer(from) && types.is_pointer(to)
                || are_integers && self.sort(from) == self.sort(to)
                || from == to
        };
        // More arguments than the format asks for are evaluated, and that is all.
        let is_enough = given.len() >= parameters.len();
        given.truncate(parameters.len());
        (is_enough && given[at..].iter().zip(&parameters[at..]).all(is_asked_for)).then_some((made, given))
    }

    /// Where the struct that a call returns goes.
    fn result_object(&mut self, ty: Ty) -> Option<Memory> {
        let is_object = self.sort(ty).is_none() && !self.unit.types.is_void(ty);
        is_object.then(|| self.record_temp(ty))
    }

    /// Evaluates the arguments; copies of structs end when the call does.
    pub(crate) fn arguments<'a>(&mut self, args: &'a [Expr]) -> Vec<Arg<'a>> {
        let effects: Vec<Effects> =
            args.iter().map(|e| if self.is_term(e) { Effects::default() } else { Effects::of(e) }).collect();
        let from_right = effects.iter().any(|e| !e.none());
        let mut turns: Vec<(Option<Term>, usize)> = (0..args.len()).map(|i| (None, i)).collect();
        if from_right {
            turns.reverse();
            if self.fun.library_checked.is_none() {
                self.refuse_unsequenced_arguments(args);
                if let Some(orders) = self.orders(&args.iter().collect::<Vec<_>>(), "arguments") {
                    turns.retain(|(_, i)| orders.iter().all(|(_, j)| i != j));
                    turns.extend(orders.into_iter().map(|(cond, i)| (Some(cond), i)));
                }
            }
        }
        let mut out: Vec<Option<Arg<'a>>> = vec![None; args.len()];
        for (done, &(cond, i)) in turns.iter().enumerate() {
            let e = &args[i];
            // What the arguments evaluated after this one may change.
            let mut later = Effects::default();
            turns[done + 1..].iter().for_each(|&(_, j)| later.merge(&effects[j]));
            let term = match (self.sort(e.ty).is_some(), cond) {
                (true, None) => {
                    let value = self.value(e);
                    self.stable(value, &later)
                }
                (true, Some(cond)) => {
                    let value = self.value_if(cond, e);
                    match out[i] {
                        Some(before) => self.terms().ite(cond, value, before.term),
                        None => value,
                    }
                }
                (false, None) => {
                    let copy = self.record_temp(e.ty);
                    self.copy_record(&copy, e, e);
                    copy.base
                }
                (false, Some(cond)) => {
                    let size = self.unit.types.size_of(e.ty);
                    let copy = match out[i] {
                        Some(before) => Memory::object(before.term, size),
                        None => self.record_temp(e.ty),
                    };
                    self.run_if(cond, |low| low.copy_record(&copy, e, e));
                    copy.base
                }
            };
            out[i] = Some(Arg { term, ty: e.ty, expr: e });
        }
        out.into_iter().flatten().collect()
    }

    fn refuse_unsequenced_arguments(&mut self, args: &[Expr]) {
        for (i, a) in args.iter().enumerate() {
            args[i + 1..].iter().for_each(|b| self.refuse_unsequenced(a, b));
        }
    }

    /// Models do not overflow, but some functions do so in C as well; others are not defined for every number.
    fn check_arguments(&mut self, name: &str, args: &[Arg<'_>], e: &Expr) {
        // What is printed has no consequences.
        if !PRINT.contains(&name) {
            args.iter().for_each(|arg| self.require_number_of(arg.expr, arg.term));
        }
        let Some(first) = args.first() else { return };
        let Some(width) = self.terms().sort(first.term).bv_width() else { return };
        let smallest = self.terms().bv(1 << (width - 1), width);
        let is_smallest = self.terms().eq(first.term, smallest);
        match (name, args) {
            ("abs" | "labs" | "llabs" | "imaxabs", [_]) => self.check_overflow(is_smallest, first.ty, e),
            ("div" | "ldiv" | "lldiv" | "imaxdiv", [_, divisor]) => {
                let minus_one = self.terms().bv_signed(-1, width);
                let is_minus_one = self.terms().eq(divisor.term, minus_one);
                let overflow = self.terms().and(is_smallest, is_minus_one);
                self.check_overflow(overflow, first.ty, e);
            }
            (_, [_]) if CHARACTERS.contains(&name) && self.options.places != Places::Fixed => {
                let (least, most) = (self.terms().bv_signed(-128, width), self.terms().bv(255, width));
                let (above, below) = (self.terms().sle(least, first.term), self.terms().sle(first.term, most));
                let ok = self.terms().and(above, below);
                self.require_at(e, ok, LocKind::Unsupported(format!("{name} of a number that is no character").into()));
            }
            _ => {}
        }
    }

    /// Calls a known function with evaluated arguments.
    pub(crate) fn apply(&mut self, call: Call<'_, '_>) -> Option<Term> {
        let Call { id, args, ty, result, e } = call;
        let unit = self.unit;
        let func = &unit.funcs[id];
        if self.end_at_error(id) {
            return None;
        }
        if self.is_library(id) {
            self.check_arguments(&func.name, args, e);
        }
        self.refuse_counted(id, args);
        if self.is_replaced(id) {
            return self.call_by_contract(call);
        }
        if func.name == "fprintf"
            && self.is_library(id)
            && let Some(printed) = self.print_to(args, ty, e)
        {
            return printed;
        }
        if func.body.is_none() {
            return self.modelled(call);
        }
        if self.is_library(id)
            && let Some((made, args)) = self.by_its_format(id, args)
        {
            return self.apply(Call { id: made, args: &args, ty, result, e });
        }
        let signature = unit.types.function(func.ty)?;
        let mut terms = Vec::new();
        let returns_record = self.sort(signature.ret).is_none() && !unit.types.is_void(signature.ret);
        // The caller makes room for what it knows, and looks for a small struct in the registers of its members.
        if returns_record && !unit.types.laid_out_alike(signature.ret, ty) {
            let (result, seen) = (unit.types.show(signature.ret), unit.types.show(ty));
            let what = format!("a call of {} as if it returned {seen}, and it returns another {result}", func.name);
            self.unsupported(what);
            return None;
        }
        if returns_record {
            let object = match result {
                Some(object) => object.clone(),
                None => self.record_temp(signature.ret),
            };
            terms.push(object.base);
        } else if result.is_some() {
            self.unsupported(format!("a call of {} as if it returned a struct", func.name));
            return None;
        }
        for (i, param) in func.params.iter().enumerate() {
            let to = unit.vars[*param].ty;
            let term = match args.get(i) {
                Some(arg) if !self.is_library(id) && self.is_passed_otherwise(arg.ty, to, signature.prototyped) => {
                    let (name, types) = (&func.name, &unit.types);
                    let to = if signature.prototyped { types.show(to) } else { "no prototype".to_owned() };
                    let from = types.show(arg.ty);
                    self.unsupported(format!("a call of {name} with an argument of type {from} where it has {to}"));
                    return None;
                }
                Some(arg) => self.pass(*arg, to, &func.name)?,
                // Called with too few: C leaves it undefined, registers hold anything.
                None => match self.sort(to) {
                    Some(sort) => self.havoc(sort, cfa::Origin::Uninitialised(unit.vars[*param].name.clone())),
                    None => {
                        self.unsupported(format!("a call of {} without its struct argument", func.name));
                        return None;
                    }
                },
            };
            terms.push(term);
        }
        if signature.variadic {
            let extra = args.get(func.params.len()..).unwrap_or(&[]);
            let block = self.block_of_kinds(extra);
            terms.push(block);
        }
        let library =
            self.is_library(id).then(|| self.fun.library_checked.unwrap_or_else(|| self.is_checked_line(e.span)));
        let callee = self.function_for((id, library));
        let wanted = self.sort(ty);
        if wanted.is_some() && !self.is_library(id) && self.is_less(signature.ret, ty) {
            let (result, seen) = (unit.types.show(signature.ret), unit.types.show(ty));
            self.unsupported(format!("a call of {} as if it returned {seen}, and it returns {result}", func.name));
            return None;
        }
        let dst = match (self.sort(signature.ret), wanted) {
            (Some(sort), Some(_)) => Some(self.temp(sort)),
            _ => None,
        };
        self.emit(Op::Call { callee, args: terms, dst });
        self.look_for_jump(id);
        self.refuse_overlap(id, args);
        match dst {
            Some(dst) => {
                let value = self.term(dst);
                self.coerce(value, signature.ret, ty, &func.name)
            }
            // Used as if it returned a value: any.
            None if wanted.is_some() => self.extern_value(ty, &func.name),
            None => None,
        }
    }

    /// Whether a caller that does not know the type of a parameter passes something else, or less than all of it. A function
    /// without a prototype gets promoted arguments: no `float`.
    fn is_passed_otherwise(&self, from: Ty, to: Ty, prototyped: bool) -> bool {
        if prototyped { self.is_less(from, to) } else { self.sort(from) == Some(Sort::Float(term::Format::F32)) }
    }

    /// Whether what one type leaves in a register is something else than the other type reads there, or less.
    fn is_less(&self, from: Ty, to: Ty) -> bool {
        let is_truth = |ty: Ty| matches!(self.unit.types[ty], Type::Bool);
        if is_truth(from) != is_truth(to) {
            return true;
        }
        match (self.sort(from), self.sort(to)) {
            (Some(Sort::Bv(from)), Some(Sort::Bv(to))) => from < to,
            (from, to) => from != to,
        }
    }

    /// An argument as a parameter of type `to`.
    pub(crate) fn pass(&mut self, arg: Arg<'_>, to: Ty, name: &str) -> Option<Term> {
        match (self.sort(arg.ty), self.sort(to)) {
            (Some(_), Some(_)) => self.coerce(arg.term, arg.ty, to, name),
            (None, None) if self.unit.types.laid_out_alike(arg.ty, to) => Some(arg.term),
            _ => {
                self.unsupported(format!("an argument of {name} whose type is not that of the parameter"));
                None
            }
        }
    }

    /// A value of one type where another was declared: integers and pointers by value, nothing else.
    pub(crate) fn coerce(&mut self, value: Term, from: Ty, to: Ty, name: &str) -> Option<Term> {
        let types = &self.unit.types;
        if from.unqualified() == to.unqualified() {
            return Some(value);
        }
        match (self.sort(from), self.sort(to)) {
            (Some(Sort::Bv(_)), Some(Sort::Bv(_))) => Some(self.convert(value, from, to)),
            (Some(Sort::Float(_)), Some(Sort::Float(_))) => Some(self.convert(value, from, to)),
            _ => {
                self.unsupported(format!("{name} used with type {} where it has {}", types.show(to), types.show(from)));
                None
            }
        }
    }

    /// The automaton of a function, to be built later if it was not yet.
    pub(crate) fn function_for(&mut self, key: FuncKey) -> cfa::Func {
        if let Some(func) = self.funcs.get(&key) {
            return *func;
        }
        let info = &self.unit.funcs[key.0];
        let mut name = info.name.clone();
        let mut n = 1;
        while self.program.function_named(&name).is_some() {
            n += 1;
            name = format!("{}#{n}", info.name);
        }
        let func = reserve(&mut self.program.functions, &name, info.span);
        self.funcs.insert(key, func);
        self.queue.push(key);
        func
    }

    /// A call through a pointer: one branch for each function it could point at.
    fn call_pointer(&mut self, e: &Expr, callee: &Expr, args: &[Expr]) -> Option<Term> {
        let unit = self.unit;
        let Some(signature) = unit.types.called(callee.ty) else {
            self.unsupported("a call of something that is not a function");
            return None;
        };
        let result = self.result_object(e.ty);
        let mark = self.fun.live.len();
        let mut effects = Effects::default();
        args.iter().for_each(|a| effects.merge(&Effects::of(a)));
        let pointer = self.value(callee);
        let pointer = self.stable(pointer, &effects);
        self.refuse_other_order(callee, args.iter(), "a function that is called and its arguments");
        let args = self.arguments(args);
        let value = self.sort(e.ty).map(|sort| self.temp(sort));
        let join = self.fresh_loc();
        let candidates: Vec<FuncId> = self.reach.address_taken.iter().copied().collect();
        // Known functions that cannot be called in this way.
        let mut others: Vec<&str> = Vec::new();
        for id in candidates {
            let is_candidate =
                unit.types.function(unit.funcs[id].ty).is_some_and(|f| self.can_be_called_as(f, signature, &args));
            if !is_candidate {
                others.push(unit.funcs[id].name.as_str());
                continue;
            }
            let address = self.function_address(id);
            let here = self.terms().eq(pointer, address);
            let (yes, no) = (self.fresh_loc(), self.fresh_loc());
            self.split(here, yes, no);
            self.resume(yes);
            let inner = self.fun.live.len();
            let returned = self.apply(Call { id, args: &args, ty: e.ty, result: result.as_ref(), e });
            if let (Some(var), Some(term)) = (value, returned) {
                self.assign(var, term);
            }
            self.end_scope(inner);
            self.step_to(join);
            self.resume(no);
        }
        let message = || format!("{} does not point to a function", show(unit, callee));
        if let Some(otherwise) = self.invalid_access(e.span, message) {
            let memory = Memory::at(pointer);
            let live = self.is_live(&memory);
            self.require_at(callee, live, otherwise);
        }
        self.unsupported(match others[..] {
            [] => "a call through a pointer to no known function".to_owned(),
            [name, ..] => format!(
                "a call through a pointer to no known function, or to one of another type ('{name}', say), which C leaves undefined"
            ),
        });
        self.resume(join);
        self.spend_lists(&args);
        self.end_part(mark);
        match result {
            Some(object) => Some(object.base),
            None => value.map(|v| self.term(v)),
        }
    }

    /// Whether a call with this type can be a call of a function of type `f`: same values in the same places.
    fn can_be_called_as(&self, f: &FunctionType, call: &FunctionType, args: &[Arg<'_>]) -> bool {
        let same = |a: Ty, b: Ty| match (self.sort(a), self.sort(b)) {
            (Some(a), Some(b)) => a == b,
            (None, None) => self.unit.types.laid_out_alike(a, b),
            _ => false,
        };
        let returns = self.unit.types.is_void(call.ret) && self.sort(f.ret).is_some() || same(f.ret, call.ret);
        let fits = if f.prototyped {
            (f.variadic && f.params.len() <= args.len() || f.params.len() == args.len())
                && f.params.iter().zip(args).all(|(p, a)| same(*p, a.ty))
        } else {
            true
        };
        returns && fits
    }
}
