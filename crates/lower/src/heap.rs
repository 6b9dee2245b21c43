//! Memory functions: allocation, release, copying and filling.

use cfa::{EndKind, LocKind, ObjectKind, Op, Origin, Property};
use cfront::hir::{BinaryOp, Expr, ExprKind};
use term::{Sort, Term};

use crate::call::Arg;
use crate::context::Lowering;
use crate::options::Allocation;
use crate::text::show;

/// ENOMEM.
const NO_MEMORY: u128 = 12;

impl Lowering<'_> {
    /// A call of a memory function; `None` when `name` is none. The inner value is the call's.
    pub(crate) fn memory_function(&mut self, name: &str, args: &[Arg<'_>], e: &Expr) -> Option<Option<Term>> {
        let word = |low: &mut Self, i: usize| -> Option<Term> {
            let arg: &Arg<'_> = args.get(i)?;
            let width = low.pointer_width();
            let signed = low.is_signed(arg.ty);
            match low.terms().sort(arg.term) {
                Sort::Bv(_) => Some(low.terms().resize(arg.term, width, signed)),
                _ => None,
            }
        };
        let expr = |i: usize| args.get(i).map_or(e, |a| a.expr);
        match name {
            "malloc" | "__kmalloc" => {
                let size = word(self, 0)?;
                Some(Some(self.allocate(size, false, name, e)))
            }
            "valloc" => {
                let size = word(self, 0)?;
                let block = self.allocate(size, false, name, e);
                self.align_to_page(block);
                Some(Some(block))
            }
            "aligned_alloc" | "memalign" => {
                let (align, size) = (word(self, 0)?, word(self, 1)?);
                let block = self.allocate(size, false, name, e);
                self.align_block(block, align);
                Some(Some(block))
            }
            "calloc" => {
                let (count, size) = (word(self, 0)?, word(self, 1)?);
                let overflow = self.terms().umulo(count, size);
                let (bytes, most) = (self.terms().mul(count, size), self.word(u64::MAX));
                // What no number counts is more than there is.
                let bytes = self.terms().ite(overflow, most, bytes);
                Some(Some(self.allocate(bytes, true, name, e)))
            }
            "realloc" => {
                let (pointer, size) = (word(self, 0)?, word(self, 1)?);
                Some(Some(self.reallocate(pointer, size, expr(0))))
            }
            "alloca" | "__builtin_alloca" => {
                let size = word(self, 0)?;
                Some(Some(self.alloca(size, e)))
            }
            "free" | "cfree" => {
                let pointer = word(self, 0)?;
                let null = self.word(0);
                let is_null = self.terms().eq(pointer, null);
                let (release, join) = (self.fresh_loc(), self.fresh_loc());
                self.split(is_null, join, release);
                self.resume(release);
                self.check_free(pointer, expr(0));
                self.emit(Op::Free { addr: pointer });
                self.continue_at(join);
                Some(None)
            }
            "memcpy" | "memmove" | "mempcpy" | "__memcpy" => {
                let (dst, src, len) = (word(self, 0)?, word(self, 1)?, word(self, 2)?);
                self.copy_bytes(dst, src, len, expr(0), expr(1), name);
                let end = self.terms().add(dst, len);
                Some(Some(if name == "mempcpy" { end } else { dst }))
            }
            "bcopy" => {
                let (src, dst, len) = (word(self, 0)?, word(self, 1)?, word(self, 2)?);
                self.copy_bytes(dst, src, len, expr(1), expr(0), name);
                Some(None)
            }
            "memset" | "__memset" => {
                let (dst, len) = (word(self, 0)?, word(self, 2)?);
                let value = word(self, 1)?;
                let byte = self.terms().extract(value, 7, 0);
                self.check_range(dst, len, name, expr(0));
                self.check_pointer_writable(dst, expr(0));
                self.emit(Op::Fill { dst, value: byte, len });
                Some(Some(dst))
            }
            "bzero" => {
                let (dst, len) = (word(self, 0)?, word(self, 1)?);
                let byte = self.terms().bv(0, 8);
                self.check_range(dst, len, name, expr(0));
                self.check_pointer_writable(dst, expr(0));
                self.emit(Op::Fill { dst, value: byte, len });
                Some(None)
            }
            _ => None,
        }
    }

    fn copy_bytes(&mut self, dst: Term, src: Term, len: Term, dst_expr: &Expr, src_expr: &Expr, name: &str) {
        self.check_range(src, len, name, src_expr);
        self.check_range(dst, len, name, dst_expr);
        self.check_pointer_writable(dst, dst_expr);
        self.refuse_arguments(src);
        if matches!(name, "memcpy" | "mempcpy" | "__memcpy") {
            self.refuse_overlapping((dst, dst_expr), (src, src_expr), len);
        }
        self.emit(Op::Copy { dst, src, len });
    }

    /// Whether an object is larger than any machine of the data model has room for.
    pub(crate) fn is_impossible(&mut self, size: Term) -> Term {
        let most = self.word(largest(self.program.machine.data_model));
        self.terms().ult(most, size)
    }

    /// An object on the stack must be smaller than the offsets that a pointer has room for. For one that is larger than any
    /// stack the program does not get on.
    pub(crate) fn check_stack_allocation(&mut self, size: Term) {
        let impossible = self.is_impossible(size);
        let possible = self.terms().not(impossible);
        self.require(possible, LocKind::End(EndKind::Abort));
        self.check_allocation(size);
    }

    pub(crate) fn check_allocation(&mut self, size: Term) {
        // Where pointers reach into everything that is possible, there is nothing to ask.
        if self.program.machine.object_limit() > largest(self.program.machine.data_model) {
            return;
        }
        let limit = self.word(self.program.machine.object_limit());
        let fits = self.terms().ult(size, limit);
        self.require(fits, too_large());
    }

    /// `malloc` and `calloc`.
    fn allocate(&mut self, size: Term, zeroed: bool, name: &str, e: &Expr) -> Term {
        let dst = self.temp(self.program.machine.pointer_sort());
        let done = self.fresh_loc();
        let null = self.word(0);
        let impossible = self.is_impossible(size);
        let mut succeeds = self.terms().not(impossible);
        if self.options.allocation == Allocation::MayFail {
            let choice = self.havoc(Sort::Bv(8), Origin::Extern(name.to_owned()));
            let luck = self.truth(choice);
            succeeds = self.terms().and(succeeds, luck);
        }
        if self.terms().as_bool_const(succeeds) != Some(true) {
            let (yes, no) = (self.fresh_loc(), self.fresh_loc());
            self.split(succeeds, yes, no);
            self.resume(no);
            let always = self.terms().tt();
            self.assign(dst, null);
            self.errno_if(always, NO_MEMORY, e);
            self.step_to(done);
            self.resume(yes);
        }
        self.allocate_into(dst, size, name);
        let address = self.term(dst);
        if zeroed {
            let value = self.terms().bv(0, 8);
            self.emit(Op::Fill { dst: address, value, len: size });
        }
        self.continue_at(done);
        address
    }

    fn allocate_into(&mut self, dst: cfa::Var, size: Term, name: &str) {
        self.check_allocation(size);
        self.emit(Op::Alloc { dst, size, kind: ObjectKind::Heap, name: name.to_owned() });
        self.mark_as_heap(dst);
        let address = self.term(dst);
        self.watch(address);
    }

    /// Keeps account of a new heap object, where that is asked for.
    pub(crate) fn mark_as_heap(&mut self, dst: cfa::Var) {
        let address = self.term(dst);
        if let Some(heap) = self.heap {
            let machine = self.program.machine;
            let object = machine.object_of(self.terms(), address);
            let (table, yes) = (self.term(heap), self.terms().tt());
            let updated = self.terms().store(table, object, yes);
            self.emit(Op::Assign(vec![(heap, updated)]));
        }
    }

    /// `realloc`: a new block with the old contents. As glibc does, size zero releases and gives NULL.
    fn reallocate(&mut self, pointer: Term, size: Term, e: &Expr) -> Term {
        let result = self.temp(self.program.machine.pointer_sort());
        let null = self.word(0);
        let done = self.fresh_loc();
        let (fresh, old) = (self.fresh_loc(), self.fresh_loc());
        let is_null = self.terms().eq(pointer, null);
        self.split(is_null, fresh, old);

        self.resume(fresh);
        let block = self.allocate(size, false, "realloc", e);
        self.assign(result, block);
        self.step_to(done);

        self.resume(old);
        self.check_free(pointer, e);
        let (release, resize) = (self.fresh_loc(), self.fresh_loc());
        let is_zero = self.terms().eq(size, null);
        self.split(is_zero, release, resize);

        self.resume(release);
        self.emit(Op::Free { addr: pointer });
        self.assign(result, null);
        self.step_to(done);

        self.resume(resize);
        let block = self.allocate(size, false, "realloc", e);
        self.assign(result, block);
        let moved = self.fresh_loc();
        let impossible = self.is_impossible(size);
        let always = self.terms().as_bool_const(impossible) == Some(false);
        if self.options.allocation == Allocation::MayFail || !always {
            // On failure the old block stays.
            let go_on = self.fresh_loc();
            let failed = self.terms().eq(block, null);
            self.split(failed, done, go_on);
            self.resume(go_on);
        }
        let old_size = self.size_of_object(pointer);
        let terms = self.terms();
        let shrinks = terms.ult(size, old_size);
        let len = terms.ite(shrinks, size, old_size);
        self.emit(Op::Copy { dst: block, src: pointer, len });
        self.emit(Op::Free { addr: pointer });
        self.continue_at(moved);
        self.continue_at(done);
        self.term(result)
    }

    /// The length of a variable array, as a `size_t`. Of length zero it is an object without bytes, as arrays of GNU C are that are
    /// declared so; what a machine does for a negative length is to move the stack the wrong way.
    pub(crate) fn array_length(&mut self, length: &Expr) -> Term {
        let value = self.value(length);
        let signed = self.is_signed(length.ty);
        if signed {
            self.refuse_negative_size(value, length);
        }
        let width = self.size_width();
        self.terms().resize(value, width, signed)
    }

    /// The bytes of a variable array: no machine has room for more than a `size_t` counts, so that a product that wraps around
    /// counts as the greatest.
    pub(crate) fn array_bytes(&mut self, size: &Expr) -> Term {
        let ExprKind::Binary(BinaryOp::Mul, a, b) = &size.kind else { return self.value(size) };
        let (a, b) = (self.array_bytes(a), self.array_bytes(b));
        let terms = self.terms();
        let most = terms.bv_signed(-1, terms.width(a));
        let (wraps, product) = (terms.umulo(a, b), terms.mul(a, b));
        terms.ite(wraps, most, product)
    }

    /// A negative number of bytes or elements on the stack is no lack of memory, but an object that overlaps others.
    fn refuse_negative_size(&mut self, value: Term, size: &Expr) {
        let message = || format!("memory on the stack of a negative size: {}", show(self.unit, size));
        let otherwise = self
            .invalid_access(size.span, message)
            .unwrap_or_else(|| LocKind::BoundHit(format!("undefined behaviour: {}", message())));
        let terms = self.terms();
        let width = terms.width(value);
        let zero = terms.bv(0, width);
        let ok = terms.sle(zero, value);
        self.require_at(size, ok, otherwise);
    }

    /// Stack memory that ends when the function returns. A size that would be negative as a signed number was one before it
    /// was converted.
    ///
    /// Of the blocks that one call of `alloca` makes in a loop, one ends with the function, any of them. That is all of them: where some
    /// access to a block that has ended is wrong, it is in the execution in which that one ends, and no other access is wrong for it.
    pub(crate) fn alloca(&mut self, size: Term, e: &Expr) -> Term {
        self.refuse_negative_size(size, e);
        self.check_stack_allocation(size);
        let site = self.fun.allocas.len();
        let pointer = self.program.machine.pointer_sort();
        let ends = self.local(&format!("$alloca{site}"), pointer);
        self.fun.allocas.push(ends);
        let dst = self.temp(pointer);
        self.emit(Op::Alloc { dst, size, kind: ObjectKind::Stack, name: "alloca".to_owned() });
        let (before, null, block) = (self.term(ends), self.word(0), self.term(dst));
        let is_first = self.terms().eq(before, null);
        let taken = match self.options.checks(Property::ValidDeref) {
            true => self.havoc(Sort::Bool, Origin::Internal),
            false => self.terms().ff(),
        };
        let taken = self.terms().or(is_first, taken);
        let next = self.terms().ite(taken, block, before);
        self.assign(ends, next);
        block
    }
}

/// No object of a program has more bytes. Addresses of LP64 have 47 bits.
pub fn largest(model: cfa::DataModel) -> u64 {
    match model {
        cfa::DataModel::Lp64 => 1 << 47,
        cfa::DataModel::Ilp32 => i32::MAX as u64,
    }
}

pub(crate) fn too_large() -> LocKind {
    LocKind::BoundHit("an object larger than offsets reach".to_owned())
}

/// Whether executions end here because an object is too large for the offsets that pointers have.
pub fn is_too_large(kind: &LocKind) -> bool {
    *kind == too_large()
}
