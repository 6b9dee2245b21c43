//! Built-in functions with a meaning of their own.

use cfa::{OPEN, Origin, PLACES};
use cfront::hir::{BinaryOp, Builtin, Expr, ExprKind};
use cfront::types::Ty;
use term::{Sort, Term};

use crate::context::Lowering;
use crate::effects::Effects;
use crate::place::Place;

impl Lowering<'_> {
    /// Evaluates the built-in; a void one gives a meaningless term.
    pub(crate) fn builtin(&mut self, builtin: Builtin, args: &[Expr], e: &Expr) -> Term {
        use Builtin as B;
        match builtin {
            B::AddOverflow | B::SubOverflow | B::MulOverflow => self.overflow(builtin, args, e, true),
            B::AddOverflowP | B::SubOverflowP | B::MulOverflowP => self.overflow(builtin, args, e, false),
            B::Trap => {
                self.abort();
                self.dummy(e.ty)
            }
            // A promise of the programmer's: compiled, anything happens where it is broken.
            B::Unreachable => {
                self.unsupported("__builtin_unreachable() that is reached");
                self.dummy(e.ty)
            }
            B::Fence => self.dummy(e.ty),
            B::Bswap | B::Clz | B::Ctz | B::Clrsb | B::Popcount | B::Parity | B::Ffs => {
                let value = self.value(&args[0]);
                self.require_number_of(&args[0], value);
                let bits = self.bit_builtin(builtin, value);
                let exact = match self.sort(e.ty) {
                    Some(Sort::Bv(width)) => self.terms().resize(bits, width, false),
                    _ => bits,
                };
                if !matches!(builtin, B::Clz | B::Ctz) {
                    return exact;
                }
                let has_bits = self.terms().nonzero(value);
                self.defined_or_any(has_bits, exact)
            }
            B::Alloca => {
                let size = self.value(&args[0]);
                let (width, signed) = (self.pointer_width(), self.is_signed(args[0].ty));
                let size = self.terms().resize(size, width, signed);
                self.alloca(size, e)
            }
            B::ArrayLength => self.array_length(&args[0]),
            B::IsNan | B::IsInf | B::IsInfSign | B::IsFinite | B::IsNormal | B::SignBit | B::FpClassify => {
                self.classify(builtin, args)
            }
            B::IsGreater | B::IsGreaterEqual | B::IsLess | B::IsLessEqual | B::IsLessGreater | B::IsUnordered => {
                let (x, y) = self.operands(&args[0], &args[1], false);
                let terms = self.terms();
                let cond = match builtin {
                    B::IsGreater => terms.fp_gt(x, y),
                    B::IsGreaterEqual => terms.fp_ge(x, y),
                    B::IsLess => terms.fp_lt(x, y),
                    B::IsLessEqual => terms.fp_le(x, y),
                    B::IsLessGreater => {
                        let (less, greater) = (terms.fp_lt(x, y), terms.fp_gt(x, y));
                        terms.or(less, greater)
                    }
                    _ => {
                        let (a, b) = (terms.fp_is_nan(x), terms.fp_is_nan(y));
                        terms.or(a, b)
                    }
                };
                terms.bool_to_bv(cond, 32)
            }
            B::Fabs => {
                let x = self.value(&args[0]);
                self.terms().fp_abs(x)
            }
            B::CopySign => {
                let (x, y) = self.operands(&args[0], &args[1], false);
                let negative = self.is_negative(y);
                let terms = self.terms();
                let plus = terms.fp_abs(x);
                let minus = terms.fp_neg(plus);
                terms.ite(negative, minus, plus)
            }
            B::ObjectSize => {
                // The arguments are not evaluated.
                let kind = args.get(1).map(|a| &a.kind);
                let known_nothing = if matches!(kind, Some(ExprKind::Int(2 | 3))) { 0 } else { u64::MAX };
                self.word(known_nothing)
            }
            B::FrameAddress | B::ReturnAddress => {
                self.discard(&args[0]);
                let sort = self.program.machine.pointer_sort();
                // The same call has the same address again, which the compiled program knows.
                let address = self.havoc(sort, Origin::Extern(PLACES.to_owned()));
                // Of the current function it is no null pointer.
                if matches!(args[0].kind, ExprKind::Int(0)) {
                    let (null, one) = (self.word(0), self.word(1));
                    let is_null = self.terms().eq(address, null);
                    return self.terms().ite(is_null, one, address);
                }
                address
            }
            B::Forall | B::Exists => self.by_control_flow(e),
            B::IsFresh | B::PointerEquals | B::PointerInRange | B::IsValid | B::IsReadable | B::Separated => {
                self.pointer_predicate(builtin, args, e.ty)
            }
            _ => self.atomic(builtin, args, e),
        }
    }

    fn overflow(&mut self, builtin: Builtin, args: &[Expr], e: &Expr, store: bool) -> Term {
        use Builtin as B;
        let types = &self.unit.types;
        let target = if store { types.pointee(args[2].ty) } else { Some(args[2].ty) };
        let Some((ty, Some(Sort::Bv(width)))) = target.map(|ty| (ty, self.sort(ty))) else {
            self.unsupported("an overflow test of another type than integers");
            return self.dummy(e.ty);
        };
        let (a, b) = self.operands(&args[0], &args[1], false);
        let effects = Effects::of(&args[2]);
        let (a, b) = (self.stable(a, &effects), self.stable(b, &effects));
        // A test looks at the type of its last argument only, and evaluates it all the same.
        if !store {
            self.discard(&args[2]);
        }
        let place = store.then(|| Place::Memory(self.memory_at(&args[2])));
        // A part of an address, or a multiple.
        if width < self.pointer_width() || matches!(builtin, B::MulOverflow | B::MulOverflowP) {
            self.require_number_of(&args[0], a);
            self.require_number_of(&args[1], b);
        }
        let (a_signed, b_signed) = (self.is_signed(args[0].ty), self.is_signed(args[1].ty));
        let signed = self.is_signed(ty);
        let terms = self.terms();
        let (wa, wb) = (terms.width(a), terms.width(b));
        let (wrapped, lost) = if wa == width && wb == width && a_signed == signed && b_signed == signed {
            // Solvers know overflow of one type by name; a product of twice the bits takes them long.
            match (builtin, signed) {
                (B::AddOverflow | B::AddOverflowP, true) => (terms.add(a, b), terms.saddo(a, b)),
                (B::AddOverflow | B::AddOverflowP, false) => (terms.add(a, b), terms.uaddo(a, b)),
                (B::SubOverflow | B::SubOverflowP, true) => (terms.sub(a, b), terms.ssubo(a, b)),
                (B::SubOverflow | B::SubOverflowP, false) => (terms.sub(a, b), terms.usubo(a, b)),
                (_, true) => (terms.mul(a, b), terms.smulo(a, b)),
                (_, false) => (terms.mul(a, b), terms.umulo(a, b)),
            }
        } else {
            // Wide enough for the exact result, and for every value of the target.
            let is_product = matches!(builtin, B::MulOverflow | B::MulOverflowP);
            let exact_bits = if is_product { wa + wb + 2 } else { wa.max(wb) + 2 };
            let wide = exact_bits.max(width + 1);
            let (a, b) = (terms.resize(a, wide, a_signed), terms.resize(b, wide, b_signed));
            let exact = match builtin {
                B::AddOverflow | B::AddOverflowP => terms.add(a, b),
                B::SubOverflow | B::SubOverflowP => terms.sub(a, b),
                _ => terms.mul(a, b),
            };
            let wrapped = terms.extract(exact, width - 1, 0);
            let back = terms.resize(wrapped, wide, signed);
            (wrapped, terms.ne(exact, back))
        };
        if let Some(place) = place {
            self.check_writable(&args[2], &place);
            self.write(&place, wrapped, ty, &args[2]);
        }
        let result = self.sort(e.ty).and_then(Sort::bv_width).unwrap_or(8);
        self.terms().bool_to_bv(lost, result)
    }

    fn bit_builtin(&mut self, builtin: Builtin, value: Term) -> Term {
        use Builtin as B;
        let terms = self.terms();
        let width = terms.width(value);
        let bit = |terms: &mut term::Store, x: Term, i: u32| {
            let bit = terms.extract(x, i, i);
            terms.nonzero(bit)
        };
        // The number at the first (or last) set bit, counted as `number` says.
        let scan = |terms: &mut term::Store, x: Term, from_low: bool, none: u32, number: &dyn Fn(u32) -> u32| {
            let mut result = terms.bv(none.into(), width);
            for i in 0..width {
                let i = if from_low { width - 1 - i } else { i };
                let here = bit(terms, x, i);
                let value = terms.bv(number(i).into(), width);
                result = terms.ite(here, value, result);
            }
            result
        };
        match builtin {
            B::Bswap => {
                let mut swapped = terms.extract(value, 7, 0);
                for i in 1..width / 8 {
                    let byte = terms.extract(value, 8 * i + 7, 8 * i);
                    swapped = terms.concat(swapped, byte);
                }
                swapped
            }
            B::Clz => scan(terms, value, false, width, &|i| width - 1 - i),
            B::Ctz => scan(terms, value, true, width, &|i| i),
            B::Ffs => scan(terms, value, true, 0, &|i| i + 1),
            B::Clrsb => {
                let distance = terms.bv((width - 1).into(), width);
                let sign = terms.ashr(value, distance);
                let changes = terms.bvxor(value, sign);
                let leading = scan(terms, changes, false, width, &|i| width - 1 - i);
                let one = terms.bv(1, width);
                terms.sub(leading, one)
            }
            _ => {
                let mut sum = terms.bv(0, width);
                for i in 0..width {
                    let bit = terms.extract(value, i, i);
                    let bit = terms.zext_to(bit, width);
                    sum = terms.add(sum, bit);
                }
                if builtin == B::Parity {
                    let one = terms.bv(1, width);
                    sum = terms.bvand(sum, one);
                }
                sum
            }
        }
    }

    /// The sign bit. That of a NaN is not part of the value here, though the machine has one: any, and who assumes something
    /// of it has to show that it is so.
    fn is_negative(&mut self, x: Term) -> Term {
        let (nan, negative) = (self.terms().fp_is_nan(x), self.terms().fp_is_negative(x));
        if self.terms().as_bool_const(nan) == Some(false) {
            return negative;
        }
        let sign = self.temp(Sort::Bv(8));
        let (open, known, join) = (self.fresh_loc(), self.fresh_loc(), self.fresh_loc());
        self.split(nan, open, known);
        self.resume(open);
        self.emit(cfa::Op::Havoc { vars: vec![sign], origin: Origin::Extern("__signbit".to_owned()) });
        self.step_to(join);
        self.resume(known);
        let value = self.terms().bool_to_bv(negative, 8);
        self.emit(cfa::Op::Assign(vec![(sign, value)]));
        self.continue_at(join);
        self.truth(self.term(sign))
    }

    fn classify(&mut self, builtin: Builtin, args: &[Expr]) -> Term {
        use Builtin as B;
        if builtin == B::FpClassify {
            let classes: Vec<Term> = args[..5].iter().map(|a| self.value(a)).collect();
            let x = self.value(&args[5]);
            let terms = self.terms();
            let (nan, infinite) = (terms.fp_is_nan(x), terms.fp_is_inf(x));
            let (normal, subnormal) = (terms.fp_is_normal(x), terms.fp_is_subnormal(x));
            let mut result = classes[4];
            for (test, class) in [(subnormal, 3), (normal, 2), (infinite, 1), (nan, 0)] {
                result = terms.ite(test, classes[class], result);
            }
            return result;
        }
        let x = self.value(&args[0]);
        if builtin == B::SignBit {
            let negative = self.is_negative(x);
            return self.terms().bool_to_bv(negative, 32);
        }
        let terms = self.terms();
        let (nan, infinite) = (terms.fp_is_nan(x), terms.fp_is_inf(x));
        let cond = match builtin {
            B::IsNan => nan,
            B::IsNormal => terms.fp_is_normal(x),
            B::IsFinite => {
                let not_finite = terms.or(nan, infinite);
                terms.not(not_finite)
            }
            B::IsInfSign => {
                let negative = terms.fp_is_negative(x);
                let (plus, minus, zero) = (terms.bv(1, 32), terms.bv_signed(-1, 32), terms.bv(0, 32));
                let sign = terms.ite(negative, minus, plus);
                return terms.ite(infinite, sign, zero);
            }
            _ => infinite,
        };
        terms.bool_to_bv(cond, 32)
    }

    /// `__sync_*` and `__atomic_*`: plain reads and writes, as there is one thread.
    fn atomic(&mut self, builtin: Builtin, args: &[Expr], e: &Expr) -> Term {
        use Builtin as B;
        let Some(ty) = self.unit.types.pointee(args[0].ty) else {
            self.unsupported("an atomic operation on no pointer");
            return self.dummy(e.ty);
        };
        let mut effects = Effects::default();
        args[1..].iter().for_each(|a| effects.merge(&Effects::of(a)));
        let memory = self.memory_at(&args[0]);
        let memory = self.stable_memory(memory, &effects);
        let place = Place::Memory(memory);
        let byte_type = matches!(builtin, B::AtomicClear | B::AtomicTestAndSet);
        if !byte_type && self.sort(ty).is_none() {
            self.unsupported("an atomic operation on a struct");
            return self.dummy(e.ty);
        }
        if builtin != B::AtomicLoad {
            self.check_writable(&args[0], &place);
        }
        match builtin {
            B::AtomicLoad => self.read(&place, ty, e),
            B::AtomicStore => {
                let value = self.value(&args[1]);
                self.write(&place, value, ty, e)
            }
            B::AtomicExchange => {
                let value = self.value(&args[1]);
                let old = self.read(&place, ty, e);
                self.write_back(&place, value, ty);
                old
            }
            B::SyncBoolCompareSwap | B::SyncValCompareSwap => {
                let (expected, new) = self.operands(&args[1], &args[2], false);
                let old = self.read(&place, ty, e);
                let equal = self.terms().eq(old, expected);
                let value = self.terms().ite(equal, new, old);
                self.write_back(&place, value, ty);
                if builtin == B::SyncBoolCompareSwap { self.as_bool(equal, e.ty) } else { old }
            }
            B::AtomicCompareExchange => {
                let expected_at = Place::Memory(self.memory_at(&args[1]));
                let mut effects = Effects::of(&args[2]);
                effects.merge(&Effects::of(&args[3]));
                let expected_at = self.stable_place(expected_at, &effects);
                let new = self.value(&args[2]);
                let new = self.stable(new, &Effects::of(&args[3]));
                let weak = self.value(&args[3]);
                let weak = self.truth(weak);
                self.check_writable(&args[1], &expected_at);
                let expected = self.read(&expected_at, ty, &args[1]);
                let old = self.read(&place, ty, e);
                let mut equal = self.terms().eq(old, expected);
                // A weak one may fail for no reason.
                if self.terms().as_bool_const(weak) != Some(false) {
                    let failed = self.choice_of(OPEN);
                    let failed = self.terms().and(failed, weak);
                    let works = self.terms().not(failed);
                    equal = self.terms().and(equal, works);
                }
                let value = self.terms().ite(equal, new, old);
                let seen = self.terms().ite(equal, expected, old);
                self.write_back(&place, value, ty);
                self.write_back(&expected_at, seen, ty);
                self.as_bool(equal, e.ty)
            }
            B::AtomicClear | B::AtomicTestAndSet => {
                let Place::Memory(memory) = &place else { return self.dummy(e.ty) };
                self.check_access(memory, 1, e);
                let addr = self.address(memory);
                let old = self.temp(Sort::Bv(8));
                self.emit(cfa::Op::Load { dst: old, addr, bytes: 1 });
                let value = self.terms().bv(u128::from(builtin == B::AtomicTestAndSet), 8);
                self.emit(cfa::Op::Store { addr, value, bytes: 1 });
                let old = self.term(old);
                let was_set = self.truth(old);
                self.as_bool(was_set, e.ty)
            }
            _ => self.fetch(builtin, &place, ty, &args[1], e),
        }
    }

    fn as_bool(&mut self, cond: Term, ty: Ty) -> Term {
        let width = self.sort(ty).and_then(Sort::bv_width).unwrap_or(8);
        self.terms().bool_to_bv(cond, width)
    }

    /// `old op value`, giving the old value or the new one. It wraps around: no overflow to check.
    fn fetch(&mut self, builtin: Builtin, place: &Place, ty: Ty, value: &Expr, e: &Expr) -> Term {
        use Builtin as B;
        let value = self.value(value);
        let old = self.read(place, ty, e);
        let op = match builtin {
            B::FetchAdd | B::AddFetch => BinaryOp::Add,
            B::FetchSub | B::SubFetch => BinaryOp::Sub,
            B::FetchOr | B::OrFetch => BinaryOp::BitOr,
            B::FetchXor | B::XorFetch => BinaryOp::BitXor,
            _ => BinaryOp::BitAnd,
        };
        let nand = matches!(builtin, B::FetchNand | B::NandFetch);
        let terms = self.terms();
        let width = terms.width(old);
        let value = terms.resize(value, width, true);
        let mut new = match op {
            BinaryOp::Add => terms.add(old, value),
            BinaryOp::Sub => terms.sub(old, value),
            BinaryOp::BitOr => terms.bvor(old, value),
            BinaryOp::BitXor => terms.bvxor(old, value),
            _ => terms.bvand(old, value),
        };
        if nand {
            new = terms.bvnot(new);
        }
        self.write_back(place, new, ty);
        let gives_old =
            matches!(builtin, B::FetchAdd | B::FetchSub | B::FetchAnd | B::FetchOr | B::FetchXor | B::FetchNand);
        if gives_old { old } else { new }
    }
}
