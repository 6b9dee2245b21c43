//! What CBMC, ESBMC and KLEE programs call without defining it: one table of names and one meaning each. A definition in
//! the program takes precedence, as it does for any function. docs/dialects.md lists what is known.
//!
//! The other tools' assertions do not end the execution when they fail: where assertions are not what is checked, it goes on.

use base::Diagnostic;
use cfa::{EndKind, LocKind, ObjectKind, Op, Origin, Property, Violation};
use cfront::hir::{Expr, ExprKind, FuncId, Unit};
use cfront::types::Ty;
use term::{Sort, Term};

use crate::call::Arg;
use crate::clause::Sense;
use crate::context::Lowering;
use crate::reach::Reach;
use crate::text::show;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Meaning {
    Assume,
    /// `(condition, text)`.
    Assert,
    /// An assertion that ends the execution.
    AssertOrAbort,
    /// `(file, line, message, kind)`.
    Fail,
    /// Arguments are evaluated, that is all.
    Nothing,
    Print,
    /// `(pointer, bytes)`: may so much be read and written?
    Accessible,
    ObjectSize,
    PointerOffset,
    PointerObject,
    SameObject,
    LiveObject,
    HeapObject,
    HavocObject,
    /// `(pointer, bytes)`.
    HavocBytes,
    Allocate,
    Deallocate,
    /// `(from, below, name)`.
    Range,
    Input,
    /// The execution is none that counts.
    Stop,
}

const NAMES: &[(&str, Meaning)] = &[
    ("__CPROVER_assume", Meaning::Assume),
    ("__CPROVER_assert", Meaning::Assert),
    ("__CPROVER_precondition", Meaning::Assert),
    ("__CPROVER_postcondition", Meaning::Assert),
    ("__CPROVER_cover", Meaning::Nothing),
    ("__CPROVER_r_ok", Meaning::Accessible),
    ("__CPROVER_w_ok", Meaning::Accessible),
    ("__CPROVER_rw_ok", Meaning::Accessible),
    ("__CPROVER_havoc_object", Meaning::HavocObject),
    ("__CPROVER_havoc_slice", Meaning::HavocBytes),
    ("__CPROVER_OBJECT_SIZE", Meaning::ObjectSize),
    ("__CPROVER_POINTER_OFFSET", Meaning::PointerOffset),
    ("__CPROVER_POINTER_OBJECT", Meaning::PointerObject),
    ("__CPROVER_same_object", Meaning::SameObject),
    ("__CPROVER_LIVE_OBJECT", Meaning::LiveObject),
    (DYNAMIC_OBJECT, Meaning::HeapObject),
    ("__CPROVER_allocate", Meaning::Allocate),
    ("__CPROVER_deallocate", Meaning::Deallocate),
    ("__CPROVER_atomic_begin", Meaning::Nothing),
    ("__CPROVER_atomic_end", Meaning::Nothing),
    ("__CPROVER_fence", Meaning::Nothing),
    ("__CPROVER_input", Meaning::Nothing),
    ("__CPROVER_output", Meaning::Nothing),
    ("__CPROVER_printf", Meaning::Print),
    ("__ESBMC_assume", Meaning::Assume),
    ("__ESBMC_assert", Meaning::Assert),
    ("__ESBMC_atomic_begin", Meaning::Nothing),
    ("__ESBMC_atomic_end", Meaning::Nothing),
    ("__ESBMC_POINTER_OBJECT", Meaning::PointerObject),
    ("__ESBMC_POINTER_OFFSET", Meaning::PointerOffset),
    ("__ESBMC_same_object", Meaning::SameObject),
    ("klee_make_symbolic", Meaning::HavocBytes),
    ("klee_assume", Meaning::Assume),
    ("klee_assert", Meaning::AssertOrAbort),
    ("klee_report_error", Meaning::Fail),
    ("klee_range", Meaning::Range),
    ("klee_int", Meaning::Input),
    ("klee_silent_exit", Meaning::Stop),
    ("klee_prefer_cex", Meaning::Nothing),
    ("klee_warning", Meaning::Nothing),
    ("klee_warning_once", Meaning::Nothing),
    ("klee_print_expr", Meaning::Nothing),
    ("klee_open_merge", Meaning::Nothing),
    ("klee_close_merge", Meaning::Nothing),
    ("klee_stack_trace", Meaning::Nothing),
];

const DYNAMIC_OBJECT: &str = "__CPROVER_DYNAMIC_OBJECT";
/// Functions of which nothing is known but that they are functions: equal arguments, equal results.
const UNINTERPRETED: &str = "__CPROVER_uninterpreted_";

/// The tool to which names that start so belong.
const FAMILIES: [(&str, &str); 3] = [("__CPROVER_", "CBMC"), ("__ESBMC_", "ESBMC"), ("klee_", "KLEE")];

fn meaning(name: &str) -> Option<Meaning> {
    NAMES.iter().find(|(known, _)| *known == name).map(|(_, meaning)| *meaning)
}

/// The names that are known.
pub fn names() -> impl Iterator<Item = &'static str> {
    NAMES.iter().map(|(name, _)| *name)
}

/// Whose name it is.
pub fn family(name: &str) -> Option<&'static str> {
    FAMILIES.iter().find(|(start, _)| name.starts_with(start)).map(|(_, tool)| *tool)
}

/// Names of other verifiers that the program uses, does not define, and that have no meaning here: to take them for
/// functions of which nothing is known would answer another question.
pub(crate) fn check(unit: &Unit, reach: &Reach) -> Result<(), Vec<Diagnostic>> {
    let unknown = |name: &str, span| {
        let tool = family(name).filter(|_| meaning(name).is_none() && !name.starts_with(UNINTERPRETED))?;
        let message = format!("'{name}' is a name of {tool} that is not known here");
        Some(Diagnostic::error(span, message).with_help("docs/dialects.md lists those that are; or define it"))
    };
    let funcs = reach.funcs.iter().map(|f| &unit.funcs[*f]).filter(|f| f.body.is_none());
    let vars = reach.vars.iter().map(|v| &unit.vars[*v]).filter(|v| !v.defined);
    let wrong: Vec<Diagnostic> =
        funcs.filter_map(|f| unknown(&f.name, f.span)).chain(vars.filter_map(|v| unknown(&v.name, v.span))).collect();
    if wrong.is_empty() { Ok(()) } else { Err(wrong) }
}

/// Does the program ask which objects are on the heap?
pub(crate) fn asks_for_heap(unit: &Unit, reach: &Reach) -> bool {
    reach.undefined(unit).contains(&DYNAMIC_OBJECT)
}

impl Lowering<'_> {
    /// A call that assumes or asserts, if it is one: its condition is not evaluated as an argument is, since it may be
    /// quantified.
    pub(crate) fn dialect_condition(&mut self, id: FuncId, e: &Expr, args: &[Expr]) -> bool {
        let func = &self.unit.funcs[id];
        let Some(kind) = meaning(&func.name).filter(|_| func.body.is_none()) else { return false };
        let Some((condition, rest)) = args.split_first() else { return false };
        if !matches!(kind, Meaning::Assume | Meaning::Assert | Meaning::AssertOrAbort)
            || self.sort(condition.ty).is_none()
        {
            return false;
        }
        rest.iter().for_each(|arg| self.discard(arg));
        if kind == Meaning::Assume {
            self.assume_condition(condition);
            return true;
        }
        let text = rest.first().map(|arg| self.asserted(arg)).filter(|text| !text.is_empty());
        let text = text.unwrap_or_else(|| show(self.unit, condition));
        let is_checked = self.options.checks(Property::Assert) && self.is_checked_line(e.span);
        self.assert_condition(condition, &|low: &mut Self| {
            if is_checked {
                let message = format!("assertion fails: {text}");
                low.end(LocKind::Error(Violation { property: Property::Assert, message }));
            } else if kind == Meaning::AssertOrAbort {
                low.abort();
            }
        });
        true
    }

    /// A call of a function without body, with evaluated arguments; `None` when the name means nothing. The inner value
    /// is the call's.
    pub(crate) fn dialect(&mut self, id: FuncId, args: &[Arg<'_>], ty: Ty, e: &Expr) -> Option<Option<Term>> {
        let unit = self.unit;
        let name = unit.funcs[id].name.as_str();
        if name.starts_with(UNINTERPRETED) {
            return Some(self.uninterpreted(id, args, ty));
        }
        // The inputs of CBMC and ESBMC: any value of the declared type.
        if name.starts_with("nondet_") && args.is_empty() && self.sort(ty).is_some() {
            return Some(self.any_value(id, ty));
        }
        let kind = meaning(name)?;
        let wanted = match kind {
            Meaning::SameObject | Meaning::Accessible | Meaning::HavocBytes | Meaning::Allocate | Meaning::Range => 2,
            Meaning::Nothing | Meaning::Input | Meaning::Stop | Meaning::Fail => 0,
            _ => 1,
        };
        let is_number = |arg: &Arg<'_>| matches!(self.sort(arg.ty), Some(Sort::Bv(_)));
        if args.len() < wanted || !args[..wanted].iter().all(is_number) {
            self.unsupported(format!("{name} with other arguments than it takes"));
            return Some(self.sort(ty).is_some().then(|| self.dummy(ty)));
        }
        let pointer_width = self.pointer_width();
        let words: Vec<Term> = args[..wanted]
            .iter()
            .map(|arg| {
                let signed = unit.types.int_shape(arg.ty).is_some_and(|(_, signed)| signed);
                self.terms().resize(arg.term, pointer_width, signed)
            })
            .collect();
        let value = match (kind, &words[..]) {
            (Meaning::Nothing, _) => None,
            (Meaning::Print, _) => {
                self.print(args, Some(cfa::Stream::Output), ty, e);
                None
            }
            (Meaning::Fail, _) => {
                let text = args.get(2).map(|arg| self.asserted(arg.expr)).unwrap_or_default();
                self.assertion_fails(Some(text), e);
                None
            }
            (Meaning::Stop, _) => {
                self.end(LocKind::End(EndKind::Blocked));
                None
            }
            (Meaning::Input, _) => return Some(self.any_value(id, ty)),
            (Meaning::Range, &[from, below]) => {
                let value = self.any_value(id, ty)?;
                let wide = self.terms().resize(value, pointer_width, true);
                let (above, under) = (self.terms().sle(from, wide), self.terms().slt(wide, below));
                let inside = self.terms().and(above, under);
                self.require(inside, LocKind::End(EndKind::Blocked));
                return Some(Some(value));
            }
            (Meaning::Accessible, &[pointer, bytes]) => {
                let ok = self.range_is_valid(pointer, bytes);
                Some(self.truth_word(ok))
            }
            (Meaning::ObjectSize, &[pointer]) => {
                // The null pointer points to no object whose size could be told.
                let machine = self.program.machine;
                let object = machine.object_of(self.terms(), pointer);
                let null = self.terms().bv(0, machine.object_bits);
                let is_null = self.terms().eq(object, null);
                let (size, any) = (self.size_of_object(pointer), self.havoc(machine.pointer_sort(), Origin::Internal));
                // What a precondition says of an object that it has not made yet says what there is to be.
                if matches!(self.sense, Some(Sense::Assumed { .. })) {
                    let zero = self.word(0);
                    let is_some = self.terms().ne(size, zero);
                    let is_made = self.terms().or(is_null, is_some);
                    let what = "the size of an object in a precondition that does not say which";
                    self.require(is_made, LocKind::Unsupported(what.into()));
                }
                Some(self.terms().ite(is_null, any, size))
            }
            (Meaning::PointerOffset, &[pointer]) => {
                let machine = self.program.machine;
                let before = machine.is_before_object(self.terms(), pointer);
                let (_, negative) = machine.from_before(self.terms(), pointer);
                let offset = machine.offset_of(self.terms(), pointer);
                Some(self.terms().ite(before, negative, offset))
            }
            (Meaning::PointerObject, &[pointer]) => {
                let machine = self.program.machine;
                let object = machine.origin_of(self.terms(), pointer);
                Some(self.terms().zext_to(object, pointer_width))
            }
            (Meaning::SameObject, &[a, b]) => {
                let same = self.same_origin(a, b);
                Some(self.truth_word(same))
            }
            (Meaning::LiveObject, &[pointer]) => {
                let live = self.live(pointer);
                Some(self.truth_word(live))
            }
            (Meaning::HeapObject, &[pointer]) => {
                let Some(heap) = self.heap else { return Some(None) };
                let machine = self.program.machine;
                let (table, object) = (self.term(heap), machine.object_of(self.terms(), pointer));
                let on_heap = self.terms().select(table, object);
                Some(self.truth_word(on_heap))
            }
            (Meaning::HavocObject, _) => {
                self.havoc_whole(&args[0], name);
                None
            }
            (Meaning::HavocBytes, &[pointer, bytes]) => {
                self.check_range(pointer, bytes, name, e);
                self.havoc_part(&args[0], bytes, name);
                None
            }
            (Meaning::Allocate, &[size, zero]) => {
                let zeroed = self.truth(zero);
                Some(self.allocate_always(size, zeroed, name))
            }
            (Meaning::Deallocate, &[pointer]) => {
                self.check_free(pointer, args[0].expr);
                self.emit(Op::Free { addr: pointer });
                None
            }
            _ => {
                self.unsupported(format!("{name} as a value"));
                None
            }
        };
        // The declared type may be another than ours.
        Some(match (self.sort(ty), value) {
            (Some(Sort::Bv(width)), Some(value)) => {
                Some(self.terms().resize(value, width, kind == Meaning::PointerOffset))
            }
            (Some(_), _) => Some(self.dummy(ty)),
            (None, _) => None,
        })
    }

    /// Any value of the type. A compiler takes an undeclared function for one that returns `int`: its other values cannot be
    /// handed to the compiled program.
    fn any_value(&mut self, id: FuncId, ty: Ty) -> Option<Term> {
        let (sort, func) = (self.sort(ty)?, &self.unit.funcs[id]);
        let is_out_of_reach = func.implicit && sort != Sort::Bv(32);
        let origin = if is_out_of_reach { Origin::Extern } else { Origin::Input };
        let origin = origin(func.name.clone());
        Some(self.outside_value(ty, sort, origin))
    }

    fn truth_word(&mut self, truth: Term) -> Term {
        let width = self.pointer_width();
        self.terms().bool_to_bv(truth, width)
    }

    /// Memory that the other tools never fail to give, and do not call a leak.
    fn allocate_always(&mut self, size: Term, zeroed: Term, name: &str) -> Term {
        self.check_stack_allocation(size);
        let dst = self.temp(self.program.machine.pointer_sort());
        self.emit(Op::Alloc { dst, size, kind: ObjectKind::Heap, name: name.to_owned() });
        self.mark_as_heap(dst);
        let address = self.term(dst);
        let (fill, done) = (self.fresh_loc(), self.fresh_loc());
        self.split(zeroed, fill, done);
        self.resume(fill);
        let value = self.terms().bv(0, 8);
        self.emit(Op::Fill { dst: address, value, len: size });
        self.continue_at(done);
        address
    }

    /// What the elements of the memory behind an argument are: their sort and size. Bytes where that is not known.
    fn elements_behind(&self, e: &Expr) -> (Sort, u32) {
        match &e.kind {
            ExprKind::Cast(inner) if self.unit.types.is_pointer(inner.ty) => self.elements_behind(inner),
            _ => {
                let types = &self.unit.types;
                let mut target = types.pointee(e.ty);
                while let Some(element) = target.and_then(|ty| types.element(ty)) {
                    target = Some(element);
                }
                match target.and_then(|ty| self.sort(ty).map(|sort| (sort, self.storage(ty)))) {
                    Some(element) if element.1 > 0 => element,
                    _ => (Sort::Bv(8), 1),
                }
            }
        }
    }

    /// `bytes` bytes from a pointer on become arbitrary.
    fn havoc_part(&mut self, pointer: &Arg<'_>, bytes: Term, name: &str) {
        let (sort, size) = self.elements_behind(pointer.expr);
        let known = self.terms().as_bv_const(bytes).and_then(|n| n.to_u64());
        let fits = known.is_some_and(|bytes| bytes % u64::from(size) == 0);
        let element = if fits { (sort, size) } else { (Sort::Bv(8), 1) };
        self.havoc_elements(pointer.term, bytes, element, None, &Origin::Extern(name.to_owned()));
    }

    /// The object that a pointer points into becomes arbitrary; without an object nothing happens.
    fn havoc_whole(&mut self, pointer: &Arg<'_>, name: &str) {
        let live = self.live(pointer.term);
        let (yes, join) = (self.fresh_loc(), self.fresh_loc());
        self.split(live, yes, join);
        self.resume(yes);
        let machine = self.program.machine;
        let offset = machine.offset_of(self.terms(), pointer.term);
        let base = self.terms().sub(pointer.term, offset);
        let bytes = self.size_of_object(pointer.term);
        let (sort, size) = self.elements_behind(pointer.expr);
        if size > 1 {
            let size = self.word(size.into());
            let rest = self.terms().urem(bytes, size);
            let zero = self.word(0);
            let fits = self.terms().eq(rest, zero);
            let what = format!("{name} of an object that is not made of such elements");
            self.require(fits, LocKind::Unsupported(what.into()));
        }
        self.havoc_elements(base, bytes, (sort, size), None, &Origin::Extern(name.to_owned()));
        self.continue_at(join);
    }
}
