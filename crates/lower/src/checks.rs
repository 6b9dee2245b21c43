//! Memory safety as branches to error locations, in front of the accesses.
//!
//! An access through a pointer is valid iff the pointer's object is live and the bytes lie inside it. The null object is
//! never live, and a function's object has no bytes. Bounds are compared as numbers counted from the object's start, so that
//! an address that carries into another object's is invalid; so are indices so large that their product with the element
//! size would wrap around.

use base::Span;
use cfa::{LocKind, Property, Violation};
use cfront::hir::Expr;
use term::{Op, Term};

use crate::context::Lowering;
use crate::options::{Options, Unchecked};
use crate::place::{Index, Memory};
use crate::text::show;

impl Lowering<'_> {
    /// Are the memory accesses of the code at `span` checked?
    pub(crate) fn checks_memory(&self, span: Span) -> bool {
        self.options.checks(Property::ValidDeref)
            && !self.is_injected(span)
            && match self.fun.library_checked {
                Some(checked) => checked,
                None => self.is_checked_line(span),
            }
            && !self.is_off(span)
    }

    /// Does the program say that accesses here are not to be checked? What happens there if one is invalid nobody knows.
    fn is_off(&self, span: Span) -> bool {
        let lines = |off: &Span| off.file == span.file && (off.line..=off.end_line).contains(&span.line);
        self.unit.unchecked.iter().any(lines)
    }

    /// Where an invalid access at `span` leads; nowhere if it just goes on.
    pub(crate) fn invalid_access(&self, span: Span, message: impl FnOnce() -> String) -> Option<LocKind> {
        if self.checks_memory(span) {
            return Some(LocKind::Error(Violation { property: Property::ValidDeref, message: message() }));
        }
        // What a clause means that reads there, nobody knows.
        if self.sense.is_some() && !self.options.checks(Property::ValidDeref) && !self.is_injected(span) {
            return Some(LocKind::BoundHit(format!("undefined behaviour in a contract: {}", message())));
        }
        let ends = (self.options.unchecked == Unchecked::Ends || self.is_off(span))
            && self.options.checks(Property::ValidDeref)
            && !self.is_injected(span);
        ends.then(|| LocKind::BoundHit(format!("undefined behaviour on a line that is not checked: {}", message())))
    }

    /// Is it a witness that says this? What it says is not checked, as it is not the program that does it.
    pub(crate) fn is_injected(&self, span: Span) -> bool {
        let file = self.unit.sources.file(span.file).filter(|_| !self.unit.injected.is_empty());
        file.is_some_and(|file| file.name.starts_with(cfront::inject::TITLE))
    }

    /// Does `span` touch a line that is to be checked?
    pub(crate) fn is_checked_line(&self, span: Span) -> bool {
        if self.options.only_lines.is_empty() {
            return true;
        }
        let span = if span.is_nowhere() { self.fun.span } else { span };
        let Some(file) = self.unit.sources.file(span.file) else { return false };
        self.options.only_lines.iter().any(|(name, line)| {
            (span.line..=span.end_line.max(span.line)).contains(line) && Options::is_file(name, &file.name)
        })
    }

    pub(crate) fn live(&mut self, pointer: Term) -> Term {
        let machine = self.program.machine;
        let table = self.term(self.program.live);
        let object = machine.object_of(self.terms(), pointer);
        self.terms().select(table, object)
    }

    /// Does the place's base point at a live object (with or without bytes)?
    pub(crate) fn is_live(&mut self, memory: &Memory) -> Term {
        self.live(memory.base)
    }

    pub(crate) fn size_of_object(&mut self, pointer: Term) -> Term {
        let machine = self.program.machine;
        let table = self.term(self.program.size);
        let object = machine.object_of(self.terms(), pointer);
        self.terms().select(table, object)
    }

    pub(crate) fn offset_in_object(&mut self, pointer: Term) -> Term {
        let machine = self.program.machine;
        machine.offset_of(self.terms(), pointer)
    }

    pub(crate) fn same_origin(&mut self, a: Term, b: Term) -> Term {
        let machine = self.program.machine;
        let a = machine.origin_of(self.terms(), a);
        let b = machine.origin_of(self.terms(), b);
        self.terms().eq(a, b)
    }

    /// `-limit <= index <= limit`, so that `index * scale` cannot wrap around; true when the index cannot be that large.
    fn index_is_sane(&mut self, index: Index) -> Term {
        let width = self.pointer_width();
        let narrow = match self.terms().op(index.term) {
            Op::SignExtend(n) | Op::ZeroExtend(n) => width - n,
            _ => width,
        };
        let scale_bits = 64 - index.scale.max(1).leading_zeros();
        if narrow + scale_bits <= width - 2 {
            return self.terms().tt();
        }
        let limit = ((1i128 << (width - 2)) / i128::from(index.scale.max(1))).max(1);
        let terms = self.terms();
        let (low, high) = (terms.bv_signed(-limit, width), terms.bv_signed(limit, width));
        let above = terms.sle(low, index.term);
        let below = terms.sle(index.term, high);
        terms.and(above, below)
    }

    /// Is an access to `bytes` bytes at the place valid? (`bytes > 0`)
    pub(crate) fn access_is_valid(&mut self, memory: &Memory, bytes: u64) -> Term {
        match memory.known {
            Some(size) => self.is_inside(memory, size, bytes),
            None => self.is_valid_pointer(memory, bytes),
        }
    }

    /// Inside an object of constant size.
    fn is_inside(&mut self, memory: &Memory, size: u64, bytes: u64) -> Term {
        let width = self.pointer_width();
        let last = i128::from(size) - i128::from(bytes) - memory.offset;
        match memory.indices[..] {
            [] => {
                let ok = memory.offset >= 0 && last >= 0;
                self.terms().bool(ok)
            }
            [Index { term, scale }] => {
                let scale = i128::from(scale);
                let (low, high) = ((-memory.offset).div_euclid(scale), last.div_euclid(scale));
                // The least index must reach offset 0 or more: round up.
                let low = if low * scale < -memory.offset { low + 1 } else { low };
                if high < low {
                    return self.terms().ff();
                }
                let terms = self.terms();
                let least = terms.bv_signed(low, width);
                let greatest = terms.bv_signed(high, width);
                if low == 0 {
                    return terms.ule(term, greatest);
                }
                let above = terms.sle(least, term);
                let below = terms.sle(term, greatest);
                terms.and(above, below)
            }
            _ => {
                let Some(room) = size.checked_sub(bytes) else { return self.terms().ff() };
                let offset = self.offset(memory);
                let room = self.word(room);
                let mut ok = self.terms().ule(offset, room);
                for index in &memory.indices {
                    let sane = self.index_is_sane(*index);
                    ok = self.terms().and(ok, sane);
                }
                ok
            }
        }
    }

    /// In bounds of the live object that the base points into. The sum of the base's offset, the constant and the sane
    /// indices cannot wrap around, so it is compared as a number.
    fn is_valid_pointer(&mut self, memory: &Memory, bytes: u64) -> Term {
        let start = self.offset_in_object(memory.base);
        let never_before = memory.offset >= 0 && memory.indices.is_empty();
        self.is_inside_object_of(memory.base, start, memory, bytes, never_before)
    }

    /// The same for a base that points to somewhat before an object: the way may lead into it (`container_of`).
    fn is_valid_from_before(&mut self, memory: &Memory, bytes: u64) -> Term {
        let machine = self.program.machine;
        let before = machine.is_before_object(self.terms(), memory.base);
        let (inside, start) = machine.from_before(self.terms(), memory.base);
        let valid = self.is_inside_object_of(inside, start, memory, bytes, false);
        self.terms().and(before, valid)
    }

    /// Whether the place is in the live object that `pointer` points into, if its base is at `start` there.
    fn is_inside_object_of(
        &mut self,
        pointer: Term,
        start: Term,
        memory: &Memory,
        bytes: u64,
        never_before: bool,
    ) -> Term {
        let width = self.pointer_width();
        let live = self.live(pointer);
        let size = self.size_of_object(pointer);
        let distance = self.offset(memory);
        let bytes = self.word(bytes);
        let terms = self.terms();
        let from = terms.add(start, distance);
        let to = terms.add(from, bytes);
        let inside = terms.ule(to, size);
        let mut ok = terms.and(live, inside);
        if !never_before {
            let zero = terms.bv(0, width);
            let not_before = terms.sle(zero, from);
            ok = terms.and(ok, not_before);
        }
        for index in &memory.indices {
            let sane = self.index_is_sane(*index);
            ok = self.terms().and(ok, sane);
        }
        ok
    }

    /// In front of an access through a pointer where memory is not checked: executions that use a null pointer are given up.
    fn give_up_null(&mut self, memory: &Memory, e: &Expr) {
        let gives_up = self.options.unchecked == Unchecked::Ends && !self.options.checks(Property::ValidDeref);
        if !gives_up || memory.known.is_some() || self.is_injected(e.span) {
            return;
        }
        let null = self.word(0);
        let ok = self.terms().ne(memory.base, null);
        let what = format!("undefined behaviour: {} goes through a null pointer", show(self.unit, e));
        self.require_at(e, ok, LocKind::BoundHit(what));
    }

    /// In front of an access to `bytes` bytes at the place that `e` names.
    pub(crate) fn check_access(&mut self, memory: &Memory, bytes: u64, e: &Expr) {
        if bytes == 0 {
            return;
        }
        self.give_up_null(memory, e);
        let message = || {
            let text = show(self.unit, e);
            match memory.known {
                Some(size) => format!("{text} is out of bounds of an object of {size} bytes"),
                None => format!("{text} is not valid: null, out of bounds, or an object that has ended"),
            }
        };
        let Some(otherwise) = self.invalid_access(e.span, message) else { return };
        self.check_member(memory, bytes, e);
        let ok = self.access_is_valid(memory, bytes);
        if memory.known.is_some() || memory.indices.is_empty() && memory.offset == 0 {
            return self.require_at(e, ok, otherwise);
        }
        let (good, bad) = (self.fresh_loc(), self.fresh_loc());
        self.split(ok, good, bad);
        self.resume(bad);
        let valid = self.is_valid_from_before(memory, bytes);
        self.require_at(e, valid, otherwise);
        self.step_to(good);
        self.resume(good);
    }

    /// In front of an access by way of arrays inside of others, where it is to stay inside of them.
    fn check_member(&mut self, memory: &Memory, bytes: u64, e: &Expr) {
        for member in &memory.members {
            let message = || format!("{} leaves the array member of {} bytes", show(self.unit, e), member.size);
            let Some(otherwise) = self.invalid_access(e.span, message) else { return };
            let inside = Memory {
                offset: memory.offset - member.offset,
                indices: memory.indices[member.indices..].to_vec(),
                ..Memory::at(memory.base)
            };
            let ok = self.is_inside(&inside, member.size, bytes);
            self.require_at(e, ok, otherwise);
        }
    }

    /// In front of an access to `len` bytes, which may be none, from a pointer on.
    pub(crate) fn check_range(&mut self, pointer: Term, len: Term, what: &str, e: &Expr) {
        let message = || format!("{what} leaves the object that {} points to, or there is none", show(self.unit, e));
        let Some(otherwise) = self.invalid_access(e.span, message) else { return };
        let none = {
            let zero = self.word(0);
            self.terms().eq(len, zero)
        };
        let valid = self.range_is_valid(pointer, len);
        let ok = self.terms().or(none, valid);
        self.require_at(e, ok, otherwise);
    }

    /// Are the `len` bytes (perhaps none) from the pointer on in one live object?
    pub(crate) fn range_is_valid(&mut self, pointer: Term, len: Term) -> Term {
        let live = self.live(pointer);
        let size = self.size_of_object(pointer);
        let offset = self.offset_in_object(pointer);
        let terms = self.terms();
        let starts = terms.ule(offset, size);
        let room = terms.sub(size, offset);
        let fits = terms.ule(len, room);
        let inside = terms.and(starts, fits);
        terms.and(live, inside)
    }

    /// Under `pointer-overflow`: pointer arithmetic stays in its object, or one past the end; adding nothing is always allowed.
    pub(crate) fn check_pointer_arithmetic(&mut self, memory: &Memory, e: &Expr) {
        let is_checked = self.checks_arithmetic(Property::PointerOverflow) && !self.is_injected(e.span);
        if !is_checked || memory.indices.is_empty() && memory.offset == 0 {
            return;
        }
        let inside = self.access_is_valid(memory, 0);
        let address = self.address(memory);
        let unchanged = self.terms().eq(address, memory.base);
        let ok = self.terms().or(inside, unchanged);
        let message = format!("{} points outside of its object, beyond one past the end", show(self.unit, e));
        self.require_at(e, ok, LocKind::Error(Violation { property: Property::PointerOverflow, message }));
    }

    /// A pointer that is kept, not used at once, must not carry into another object's addresses.
    pub(crate) fn check_pointer(&mut self, memory: &Memory) {
        if !self.options.checks(Property::ValidDeref) || memory.indices.is_empty() && memory.offset == 0 {
            return;
        }
        if let (Some(size), true) = (memory.known, memory.indices.is_empty())
            && (0..=i128::from(size)).contains(&memory.offset)
        {
            return;
        }
        let address = self.address(memory);
        let mut ok = self.same_origin(address, memory.base);
        for index in &memory.indices {
            let sane = self.index_is_sane(*index);
            ok = self.terms().and(ok, sane);
        }
        self.require(ok, far_away());
    }

    /// `free(pointer)` of a pointer that is not null: the start of a live heap object.
    pub(crate) fn check_free(&mut self, pointer: Term, e: &Expr) {
        let Some(heap) = self.heap.filter(|_| self.options.checks(Property::ValidFree)) else { return };
        let machine = self.program.machine;
        let object = machine.object_of(self.terms(), pointer);
        let table = self.term(heap);
        let heap = self.terms().select(table, object);
        let live = self.live(pointer);
        let offset = self.offset_in_object(pointer);
        let zero = self.word(0);
        let terms = self.terms();
        let start = terms.eq(offset, zero);
        let mut ok = terms.and(live, start);
        ok = terms.and(ok, heap);
        let message = format!("free({}) is not valid: not the start of a live heap block", show(self.unit, e));
        self.require_at(e, ok, LocKind::Error(Violation { property: Property::ValidFree, message }));
    }

    /// As [`Lowering::require`], at the place of `e`.
    pub(crate) fn require_at(&mut self, e: &Expr, ok: Term, otherwise: LocKind) {
        let outer = self.fun.span;
        if !e.span.is_nowhere() {
            self.fun.span = e.span;
        }
        self.require(ok, otherwise);
        self.fun.span = outer;
    }
}

fn far_away() -> LocKind {
    LocKind::BoundHit("a pointer further from its object than offsets reach".to_owned())
}
