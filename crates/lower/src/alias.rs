//! Functions with several names: aliases, and those that the linker knows by another name than the program (`asm("name")`).
//!
//! A call by any of them is a call of the function. Where an error function is called by a name that only the linker knows to be
//! its own, or is itself another name of something, the call is unsupported: who only sees the text misses it.

//!
//! Whether a function of the C library is the other name of one is the library's business: glibc has one address for `getc` and
//! `fgetc`. Where a program compares the addresses of two that may be one, the result is open.

use cfa::{LocKind, Op, Origin, PLACES, Property, Violation};
use cfront::hir::{BinaryOp, FuncId, Unit};
use std::collections::BTreeSet;
use term::{Sort, Term};

use crate::context::Lowering;
use crate::library;
use crate::names;
use crate::options::{Options, Places};

/// Functions of the library that do the same, or differ in types that are represented in the same way, and that have models of
/// their own. (What one model serves is one anyway; so is `open64` with `open`.)
const ALIKE: &[&[&str]] = &[
    &["strtol", "strtoll", "strtoimax", "strtoq"],
    &["strtoul", "strtoull", "strtoumax", "strtouq"],
    &["wcstol", "wcstoll", "wcstoimax", "wcstoq"],
    &["wcstoul", "wcstoull", "wcstoumax", "wcstouq"],
    &["atol", "atoll"],
    &["labs", "llabs", "imaxabs"],
    &["ldiv", "lldiv", "imaxdiv"],
    &["lrint", "llrint"],
    &["lrintf", "llrintf"],
    &["lrintl", "llrintl"],
    &["lround", "llround"],
    &["lroundf", "llroundf"],
    &["lroundl", "llroundl"],
    &["scalbn", "scalbln", "ldexp"],
    &["scalbnf", "scalblnf", "ldexpf"],
    &["scalbnl", "scalblnl", "ldexpl"],
    &["nextafterl", "nexttowardl"],
    &["remainder", "drem"],
    &["gamma", "lgamma"],
    &["index", "strchr"],
    &["rindex", "strrchr"],
    &["strcmp", "strcoll"],
    &["wcscmp", "wcscoll"],
    &["wcsstr", "wcswcs"],
    &["memcmp", "bcmp", "__memcmpeq"],
    &["memcpy", "memmove"],
    &["free", "cfree"],
    &["_exit", "_Exit"],
    &["srand", "srandom"],
    &["rand", "random"],
    &["htons", "ntohs"],
    &["htonl", "ntohl"],
    &["mktime", "timelocal"],
    &["fileno", "fileno_unlocked"],
    &["setjmp", "_setjmp"],
    &["longjmp", "_longjmp", "siglongjmp"],
];

/// Whether two functions of the library may be one.
fn may_be_one(one: &str, other: &str) -> bool {
    let base = |name| library::model_of(name);
    let is_wide = |short: &str, long: &str| long.strip_suffix("64") == Some(short);
    base(one) == base(other)
        || is_wide(one, other)
        || is_wide(other, one)
        || ALIKE.iter().any(|alike| alike.contains(&base(one)) && alike.contains(&base(other)))
}

/// What a function is the other name of; itself, if it is none. (The target of an alias may be one, too.)
pub(crate) fn target(unit: &Unit, id: FuncId) -> FuncId {
    std::iter::successors(Some(id), |id| unit.funcs[*id].alias_of).last().unwrap_or(id)
}

/// Functions that an error function is only another name of.
pub(crate) fn under_errors(unit: &Unit, options: &Options) -> BTreeSet<FuncId> {
    let is_error = |id: &FuncId| options.violated_by_calling(&unit.funcs[*id].name).is_some();
    unit.funcs.ids().filter(is_error).map(|id| target(unit, id)).filter(|id| !is_error(id)).collect()
}

impl Lowering<'_> {
    /// Finds the functions of the library that the program takes the addresses of and that may be one.
    pub(crate) fn find_alike(&mut self) {
        let unit = self.unit;
        let is_of_library = |id: &FuncId| {
            (self.is_library(*id) || unit.funcs[*id].body.is_none()) && names::kind(&unit.funcs[*id].name).is_some()
        };
        let taken: Vec<FuncId> = self.reach.address_taken.iter().copied().filter(is_of_library).collect();
        let pairs = taken.iter().enumerate().flat_map(|(i, a)| taken[..i].iter().map(move |b| (*a, *b)));
        let alike = pairs.filter(|(a, b)| may_be_one(&unit.funcs[*a].name, &unit.funcs[*b].name));
        self.alike = alike.collect();
    }

    /// The result of a comparison, or any where it depends on which functions of the library are one.
    pub(crate) fn function_equality(&mut self, op: BinaryOp, a: Term, b: Term, exact: Term) -> Term {
        let is_asked = matches!(op, BinaryOp::Eq | BinaryOp::Ne)
            && self.fun.library_checked.is_none()
            && self.options.places != Places::Fixed
            && self.program.terms.sort(a) == self.program.machine.pointer_sort();
        if self.alike.is_empty() || !is_asked {
            return exact;
        }
        let mut open = self.terms().ff();
        for (one, other) in self.alike.clone() {
            let (one, other) = (self.function_address(one), self.function_address(other));
            for (left, right) in [(one, other), (other, one)] {
                let terms = self.terms();
                let (is_left, is_right) = (terms.eq(a, left), terms.eq(b, right));
                let both = terms.and(is_left, is_right);
                open = terms.or(open, both);
            }
        }
        let result = self.temp(Sort::Bool);
        self.assign(result, exact);
        self.run_if(open, |low| {
            low.emit(Op::Havoc { vars: vec![result], origin: Origin::Extern(PLACES.to_owned()) });
        });
        self.term(result)
    }

    /// What a call of the function violates by itself.
    pub(crate) fn violated_by_calling(&self, id: FuncId) -> Option<Property> {
        let func = &self.unit.funcs[id];
        let names = std::iter::once(&func.name).chain(&func.written);
        let by_name = names.filter_map(|name| self.options.violated_by_calling(name)).next();
        by_name.or_else(|| self.under_errors.contains(&target(self.unit, id)).then_some(Property::UnreachCall))
    }

    /// Ends the execution where an error function is called.
    pub(crate) fn end_at_error(&mut self, id: FuncId) -> bool {
        let Some(property) = self.violated_by_calling(id) else { return false };
        let func = &self.unit.funcs[id];
        let is_plain = self.options.violated_by_calling(&func.name).is_some()
            && func.alias_of.is_none()
            && (func.body.is_none() || func.written.is_empty() || func.written.contains(&func.name));
        if is_plain {
            let message = format!("{} is called", func.name);
            self.end(LocKind::Error(Violation { property, message }));
        } else {
            let name = func.written.iter().find(|name| **name != func.name).unwrap_or(&func.name);
            self.unsupported(format!("a call of {name}, which is another name of an error function"));
        }
        true
    }
}
