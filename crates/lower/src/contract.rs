//! Functions of the library that have a contract instead of a body: any result that it allows.

use cfa::{Op, Origin};
use cfront::hir::Expr;
use cfront::types::Ty;
use term::{Sort, Term};

use crate::call::Arg;
use crate::context::Lowering;
use crate::names::{Contract, Range};

impl Lowering<'_> {
    /// A function of the library without body: any result that its contract allows.
    pub(crate) fn within(
        &mut self,
        contract: &Contract,
        name: &str,
        args: &[Arg<'_>],
        ty: Ty,
        e: &Expr,
    ) -> Option<Term> {
        let origin = if contract.fixed { Origin::Extern(name.to_owned()) } else { Origin::Input(name.to_owned()) };
        for position in &contract.strings {
            if let Some(arg) = args.get(*position)
                && self.checks_memory(e.span)
            {
                self.check_string(arg, None, e);
            }
        }
        for arg in contract.writes.iter().filter_map(|position| args.get(*position)) {
            let size =
                self.unit.types.pointee(arg.ty).and_then(|to| self.unit.types.size_of(to)).filter(|size| *size > 0);
            let Some(size) =
                size.filter(|_| !self.unit.types.pointee(arg.ty).is_some_and(|to| self.unit.types.is_void(to)))
            else {
                self.unsupported(format!("{name}, which fills something of unknown size"));
                return self.zero(ty);
            };
            let (null, len) = (self.word(0), self.word(size));
            let is_null = self.terms().eq(arg.term, null);
            let (fill, join) = (self.fresh_loc(), self.fresh_loc());
            self.split(is_null, join, fill);
            self.resume(fill);
            self.check_range(arg.term, len, name, arg.expr);
            self.havoc_bytes(arg.term, len, &origin);
            self.bound_size(arg);
            self.continue_at(join);
        }
        let Some(Sort::Bv(width)) = self.sort(ty) else {
            return self.sort(ty).map(|sort| self.havoc(sort, origin));
        };
        let given = self.havoc(Sort::Bv(width), origin);
        if contract.results.is_empty() {
            return Some(given);
        }
        let signed = self.is_signed(ty);
        let (mut fails, mut fine) = (self.terms().ff(), self.terms().ff());
        for range in &contract.results {
            let inside = self.in_range(given, range, width, signed);
            let result = if range.fails { &mut fails } else { &mut fine };
            *result = self.program.terms.or(*result, inside);
        }
        // No file has a negative number.
        let mut is_bad = self.terms().ff();
        for arg in contract.descriptors.iter().filter_map(|position| args.get(*position)) {
            let terms = self.terms();
            let zero = terms.bv(0, terms.width(arg.term));
            let negative = terms.slt(arg.term, zero);
            is_bad = terms.or(is_bad, negative);
        }
        let is_open = self.terms().not(is_bad);
        fine = self.terms().and(fine, is_open);
        let allowed = self.terms().or(fails, fine);
        // Whatever the environment gives becomes one of the allowed results.
        let usual = contract.results.iter().find(|range| !range.fails).or(contract.results.first());
        let usual = usual.and_then(|range| range.least.or(range.most)).unwrap_or(0);
        let failed = contract.results.iter().find(|range| range.fails).and_then(|range| range.least).unwrap_or(usual);
        let usual = self.terms().bv(usual as i128 as u128 & mask(width), width);
        let failed = self.terms().bv(failed as i128 as u128 & mask(width), width);
        let usual = self.terms().ite(is_bad, failed, usual);
        let value = self.terms().ite(allowed, given, usual);
        if self.errno_function().is_some() {
            // What may be a failure or not.
            let choice = self.havoc(Sort::Bool, Origin::Extern("errno".to_owned()));
            let terms = self.terms();
            let doubtful = terms.and(fine, choice);
            let certain = terms.not(doubtful);
            let fails = terms.and(fails, certain);
            self.errno_any(fails, e);
        }
        Some(value)
    }

    /// No file has a negative size: `st_size` of what `stat` fills loses its sign.
    fn bound_size(&mut self, arg: &Arg<'_>) {
        let types = &self.unit.types;
        let record = types.pointee(arg.ty).and_then(|to| types.record(to));
        let fields = record.map(|id| types.records[id].fields.as_slice()).unwrap_or_default();
        let Some(field) = fields.iter().find(|field| field.name.as_deref() == Some("st_size")) else { return };
        let Some(Sort::Bv(width)) = self.sort(field.ty).filter(|_| self.is_signed(field.ty)) else { return };
        let (offset, bytes) = (self.word(field.offset), width / 8);
        let addr = self.terms().add(arg.term, offset);
        let given = self.temp(Sort::Bv(width));
        self.emit(Op::Load { dst: given, addr, bytes });
        let given = self.term(given);
        let most = self.terms().bv(mask(width) >> 1, width);
        let value = self.terms().bvand(given, most);
        self.emit(Op::Store { addr, value, bytes });
    }

    fn in_range(&mut self, value: Term, range: &Range, width: u32, signed: bool) -> Term {
        let terms = self.terms();
        let number = |terms: &mut term::Store, n: i64| terms.bv(n as i128 as u128 & mask(width), width);
        let mut inside = terms.tt();
        for (bound, is_least) in [(range.least, true), (range.most, false)] {
            let Some(bound) = bound else { continue };
            let bound = number(terms, bound);
            let (low, high) = if is_least { (bound, value) } else { (value, bound) };
            let holds = if signed { terms.sle(low, high) } else { terms.ule(low, high) };
            inside = terms.and(inside, holds);
        }
        inside
    }
}

fn mask(width: u32) -> u128 {
    if width >= 128 { u128::MAX } else { (1 << width) - 1 }
}
