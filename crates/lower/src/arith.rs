//! Arithmetic: C operators and conversions as terms, with the checks that C's undefined cases ask for.
//!
//! Choices where C leaves the result open, so that running agrees with gcc on x86:
//! * Signed arithmetic wraps around (under `no-overflow` it is an error first).
//! * A shift by a negative number or by the width or more gives anything, and so does the number of zeros before or after
//!   the bits of 0; who just runs the program has the shift by the low bits of the distance (5 of 32, 6 of 64). `>>` of a
//!   negative number is arithmetic. Under `no-overflow`, `<<` of a signed number is an error when the distance is not in range or bits are lost. A one that
//!   gets into the sign bit is not lost: C11 says otherwise, but gcc defines it and the labels of competition
//!   tasks follow gcc.
//! * Integer division by zero is an error under `div-by-zero`; otherwise it ends the program, as the trap does. So does
//!   the least number divided by -1 (an error under `no-overflow`).
//! * A float that does not fit the integer it is converted to gives what the conversion instruction gives: the least
//!   number of 32 (64) bits. Narrower types take the low bits of that.
//! * Under `unsigned-overflow`, `conversion` and `float`, what C defines but programmers seldom mean is an error, too:
//!   unsigned arithmetic that wraps around, numbers that do not fit the type they are converted to, and infinities and NaNs
//!   that come out of ordinary numbers.
//! * Floats have exactly the precision of their type, and round to nearest, ties to even.

use cfa::{EndKind, LocKind, Op, Origin, Property, Violation};
use cfront::hir::{BinaryOp, Expr, UnaryOp};
use cfront::types::{Ty, Type};
use term::{Bits, FloatValue, Format, Op as TermOp, RoundingMode, Sort, Store, Term};

use crate::UNDEFINED;
use crate::context::{Lowering, format_of};
use crate::options::Places;
use crate::place::{Memory, Place};
use crate::text::show;

/// What asks whether a float fits the integer type that it is converted to.
const CONVERSION: [Property; 2] = [Property::UndefinedConversion, Property::Conversion];
/// How far into a distance it is looked for what it is at most.
const DEEPEST: u32 = 6;
const NEAREST: RoundingMode = RoundingMode::NearestEven;
/// What `fesetround` takes on x86, but for the nearest.
const ROUNDINGS: [(u128, RoundingMode); 3] =
    [(0x400, RoundingMode::Down), (0x800, RoundingMode::Up), (0xc00, RoundingMode::Zero)];

impl Lowering<'_> {
    /// The value of type `from`, converted to scalar type `to`.
    pub(crate) fn convert(&mut self, value: Term, from: Ty, to: Ty) -> Term {
        let types = &self.unit.types;
        match (types[from].clone(), types[to].clone()) {
            (_, Type::Bool) if !matches!(types[from], Type::Bool) => {
                let truth = self.truth(value);
                self.terms().bool_to_bv(truth, 8)
            }
            (Type::Float(_), Type::Float(kind)) => {
                let format = format_of(kind);
                if self.terms().format(value) == format {
                    return value;
                }
                let is_wider = format.sig >= self.terms().format(value).sig;
                self.rounded(is_wider, |terms, mode| terms.fp_to_fp(mode, format, value))
            }
            (Type::Float(_), _) => {
                let signed = self.is_signed(to);
                let width = self.sort(to).and_then(Sort::bv_width).unwrap_or(32);
                self.float_to_int(value, width, signed)
            }
            (_, Type::Float(kind)) => {
                let format = format_of(kind);
                let signed = self.is_signed(from);
                let is_exact = self.terms().width(value) <= format.sig;
                self.rounded(is_exact, |terms, mode| match signed {
                    true => terms.fp_from_sbv(mode, format, value),
                    false => terms.fp_from_ubv(mode, format, value),
                })
            }
            _ => {
                let Some(Sort::Bv(width)) = self.sort(to) else { return value };
                let crosses = self.unit.types.is_pointer(from) != self.unit.types.is_pointer(to);
                let is_null = self.terms().as_bv_const(value).is_some_and(|bits| bits.to_u64() == Some(0));
                if self.program.machine.is_wide() && crosses && !is_null {
                    return self.refuse_wide_pointer(to);
                }
                // gcc sign-extends pointers, too, when they become wider integers.
                let signed = self.is_signed(from) || self.unit.types.is_pointer(from);
                self.terms().resize(value, width, signed)
            }
        }
    }

    /// C's truth of a scalar: not equal to zero.
    pub(crate) fn truth(&mut self, value: Term) -> Term {
        let terms = self.terms();
        match terms.sort(value) {
            Sort::Float(_) => {
                let zero = terms.fp_is_zero(value);
                terms.not(zero)
            }
            _ => terms.nonzero(value),
        }
    }

    fn power_of_two(&mut self, format: Format, exponent: u32, negative: bool) -> Term {
        let two = FloatValue::one(format).add(FloatValue::one(format), NEAREST);
        let mut value = FloatValue::one(format);
        for _ in 0..exponent {
            value = value.mul(two, NEAREST);
        }
        self.terms().float(if negative { value.neg() } else { value })
    }

    fn float_to_int(&mut self, x: Term, width: u32, signed: bool) -> Term {
        // The instruction used: 32 bits for what fits in an int, 64 bits up to `unsigned int` and `long`.
        let instruction = match (width, signed) {
            (..32, _) | (32, true) => 32,
            (..=64, _) => 64,
            _ => 128,
        };
        let format = self.terms().format(x);
        let limit = self.power_of_two(format, instruction - 1, false);
        let least = self.power_of_two(format, instruction - 1, true);
        let terms = self.terms();
        let below = terms.fp_lt(x, limit);
        let above = terms.fp_le(least, x);
        let fits = terms.and(below, above);
        let exact = terms.fp_to_sbv(RoundingMode::Zero, instruction, x);
        let indefinite = terms.bv_bits(Bits::min_signed(instruction));
        let mut result = terms.ite(fits, exact, indefinite);
        if !signed && width == instruction {
            // Large values are converted less 2^(n-1); what is too large even for that wraps to 0.
            let upper = self.power_of_two(format, width, false);
            let terms = self.terms();
            let large = terms.fp_le(limit, x);
            let in_range = terms.fp_lt(x, upper);
            let wide = terms.fp_to_ubv(RoundingMode::Zero, width, x);
            let zero = terms.bv(0, width);
            let high = terms.ite(in_range, wide, zero);
            result = terms.ite(large, high, result);
        }
        let result = self.terms().resize(result, width, signed);
        // Where it is checked, nothing comes after it.
        if CONVERSION.into_iter().any(|property| self.checks_arithmetic(property)) {
            return result;
        }
        let defined = self.converts(x, width, signed);
        self.defined_or_any(defined, result)
    }

    /// Whether a number without its fraction is one of the integer type: compilers fold what is not to other values than the
    /// machine gives.
    fn converts(&mut self, x: Term, width: u32, signed: bool) -> Term {
        let format = self.terms().format(x);
        let limit = self.power_of_two(format, if signed { width - 1 } else { width }, false);
        let least = match signed {
            true => self.power_of_two(format, width - 1, true),
            false => self.terms().float(FloatValue::zero(format, false)),
        };
        let terms = self.terms();
        let one = terms.float(FloatValue::one(format));
        let beyond = terms.fp_sub(NEAREST, least, one);
        // The next number below the least may be more than one away: then there is none between them.
        let above = if beyond == least { terms.fp_le(least, x) } else { terms.fp_lt(beyond, x) };
        let below = terms.fp_lt(x, limit);
        terms.and(above, below)
    }

    /// `op value` on the promoted type `ty`. Negation of the least number is checked.
    pub(crate) fn unary(&mut self, op: UnaryOp, value: Term, ty: Ty, source: &Expr) -> Term {
        match op {
            UnaryOp::BitNot => self.terms().bvnot(value),
            UnaryOp::Neg if self.unit.types.is_float(ty) => self.terms().fp_neg(value),
            UnaryOp::Neg => {
                let overflow = match self.is_signed(ty) {
                    true => self.terms().nego(value),
                    false => self.terms().nonzero(value),
                };
                self.check_overflow(overflow, ty, source);
                self.terms().neg(value)
            }
            UnaryOp::Not => {
                let truth = self.truth(value);
                let not = self.terms().not(truth);
                self.terms().bool_to_bv(not, 32)
            }
        }
    }

    /// A comparison of two values of type `ty`, as a condition.
    pub(crate) fn compare(&mut self, op: BinaryOp, a: Term, b: Term, ty: Ty) -> Term {
        let signed = self.is_signed(ty);
        let terms = self.terms();
        if matches!(terms.sort(a), Sort::Float(_)) {
            return match op {
                BinaryOp::Eq => terms.fp_eq(a, b),
                BinaryOp::Ne => {
                    let equal = terms.fp_eq(a, b);
                    terms.not(equal)
                }
                BinaryOp::Lt => terms.fp_lt(a, b),
                BinaryOp::Le => terms.fp_le(a, b),
                BinaryOp::Gt => terms.fp_lt(b, a),
                _ => terms.fp_le(b, a),
            };
        }
        match (op, signed) {
            (BinaryOp::Eq, _) => terms.eq(a, b),
            (BinaryOp::Ne, _) => terms.ne(a, b),
            (BinaryOp::Lt, true) => terms.slt(a, b),
            (BinaryOp::Lt, false) => terms.ult(a, b),
            (BinaryOp::Le, true) => terms.sle(a, b),
            (BinaryOp::Le, false) => terms.ule(a, b),
            (BinaryOp::Gt, true) => terms.sgt(a, b),
            (BinaryOp::Gt, false) => terms.ugt(a, b),
            (_, true) => terms.sge(a, b),
            (_, false) => terms.uge(a, b),
        }
    }

    /// An operation on floats in the rounding mode that is set, which is to nearest in programs that never set one. One that
    /// is exact needs none.
    pub(crate) fn rounded(&mut self, is_exact: bool, op: impl Fn(&mut Store, RoundingMode) -> Term) -> Term {
        let nearest = op(self.terms(), NEAREST);
        let Some(mode) = self.rounding.filter(|_| !is_exact && !self.program.terms.is_const(nearest)) else {
            return nearest;
        };
        let crate::context::Home::Scalar(mode) = self.make_home(mode) else { return nearest };
        let mode = self.term(mode);
        let mut value = nearest;
        for (number, rounding) in ROUNDINGS {
            let other = op(self.terms(), rounding);
            let number = self.terms().bv(number, 32);
            let is_set = self.terms().eq(mode, number);
            value = self.terms().ite(is_set, other, value);
        }
        // What is evaluated later may set another one.
        self.snapshot(value)
    }

    /// `a op b` of type `ty`; both operands have it, except that a shift's distance has a width of its own.
    pub(crate) fn binary(&mut self, op: BinaryOp, a: Term, b: Term, ty: Ty, source: &Expr) -> Term {
        if self.unit.types.is_float(ty) {
            let result = self.rounded(false, |terms, mode| match op {
                BinaryOp::Add => terms.fp_add(mode, a, b),
                BinaryOp::Sub => terms.fp_sub(mode, a, b),
                BinaryOp::Mul => terms.fp_mul(mode, a, b),
                _ => terms.fp_div(mode, a, b),
            });
            self.check_float(result, &[a, b], source);
            return result;
        }
        let signed = self.is_signed(ty);
        match op {
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => {
                if self.checks_overflow(ty) {
                    let overflow = match (op, signed) {
                        (BinaryOp::Add, true) => self.terms().saddo(a, b),
                        (BinaryOp::Add, false) => self.terms().uaddo(a, b),
                        (BinaryOp::Sub, true) => self.terms().ssubo(a, b),
                        (BinaryOp::Sub, false) => self.terms().usubo(a, b),
                        (_, true) => self.terms().smulo(a, b),
                        (_, false) => self.terms().umulo(a, b),
                    };
                    self.check_overflow(overflow, ty, source);
                }
                match op {
                    BinaryOp::Add => self.terms().add(a, b),
                    BinaryOp::Sub => self.terms().sub(a, b),
                    _ => self.terms().mul(a, b),
                }
            }
            BinaryOp::Div | BinaryOp::Rem => {
                self.check_division(a, b, ty, source);
                match (op, signed) {
                    (BinaryOp::Div, true) => self.terms().sdiv(a, b),
                    (BinaryOp::Div, false) => self.terms().udiv(a, b),
                    (_, true) => self.terms().srem(a, b),
                    (_, false) => self.terms().urem(a, b),
                }
            }
            BinaryOp::BitAnd => self.terms().bvand(a, b),
            BinaryOp::BitOr => self.terms().bvor(a, b),
            BinaryOp::BitXor => self.terms().bvxor(a, b),
            BinaryOp::Shl | BinaryOp::Shr => self.shift(op, a, b, ty, source),
            _ => {
                let cond = self.compare(op, a, b, ty);
                self.terms().bool_to_bv(cond, 32)
            }
        }
    }

    fn shift(&mut self, op: BinaryOp, a: Term, b: Term, ty: Ty, source: &Expr) -> Term {
        let signed = self.is_signed(ty);
        let width = self.terms().width(a);
        if self.checks_shifts() && !self.is_injected(source.span) {
            let terms = self.terms();
            // A negative distance is a large one without sign; where it is narrower than the width, none is too large.
            let wide = terms.width(b).max(width);
            let distance = terms.resize(b, wide, true);
            let limit = terms.bv(width.into(), wide);
            let defined = terms.ult(distance, limit);
            let message = format!("shift by a negative number or by the width or more in {}", show(self.unit, source));
            self.require(defined, LocKind::Error(Violation { property: Property::UndefinedShift, message }));
            if signed && op == BinaryOp::Shl && self.options.strict_shifts {
                let terms = self.terms();
                let near = terms.resize(b, width, false);
                let shifted = terms.shl(a, near);
                let back = terms.ashr(shifted, near);
                let zero = terms.bv(0, width);
                let (is_kept, is_positive) = (terms.eq(back, a), terms.sle(zero, a));
                let defined = terms.and(is_kept, is_positive);
                let what = "left shift of a negative number, or one into the sign bit or beyond,";
                let message = format!("{what} in {}", show(self.unit, source));
                self.require(defined, LocKind::Error(Violation { property: Property::UndefinedShift, message }));
            }
        }
        if signed && op == BinaryOp::Shl && self.checks_overflow(ty) {
            let terms = self.terms();
            let wide = terms.width(b).max(width);
            let distance = terms.zext_to(b, wide);
            let limit = terms.bv(width.into(), wide);
            let far = terms.uge(distance, limit);
            let near = terms.resize(b, width, false);
            let shifted = terms.shl(a, near);
            let zero = terms.bv(0, width);
            let negative = terms.slt(a, zero);
            let (logical, arithmetic) = (terms.lshr(shifted, near), terms.ashr(shifted, near));
            let back = terms.ite(negative, arithmetic, logical);
            let lost = terms.ne(back, a);
            let overflow = terms.or(far, lost);
            self.check_overflow(overflow, ty, source);
        }
        let terms = self.terms();
        let mut distance = terms.resize(b, width, false);
        if width.is_power_of_two() {
            let mask = terms.bv(u128::from(width - 1), width);
            distance = terms.bvand(distance, mask);
        }
        let exact = match (op, signed) {
            (BinaryOp::Shl, _) => terms.shl(a, distance),
            (_, true) => terms.ashr(a, distance),
            (_, false) => terms.lshr(a, distance),
        };
        let in_range = greatest(self.terms(), b, DEEPEST).is_some_and(|most| most < width.into());
        if in_range || self.checks_shifts() || self.is_injected(source.span) {
            return exact;
        }
        let terms = self.terms();
        let wide = terms.width(b).max(width);
        let (given, limit) = (terms.resize(b, wide, true), terms.bv(width.into(), wide));
        let defined = terms.ult(given, limit);
        self.defined_or_any(defined, exact)
    }

    /// The result of an operation if it is defined. Else it is anything; who runs the program has what the machine gives.
    pub(crate) fn defined_or_any(&mut self, defined: Term, exact: Term) -> Term {
        let is_defined = self.terms().as_bool_const(defined) == Some(true);
        if is_defined || self.fun.library_checked.is_some() || self.options.places == Places::Fixed {
            return exact;
        }
        let result = self.temp(self.program.terms.sort(exact));
        let (known, open, done) = (self.fresh_loc(), self.fresh_loc(), self.fresh_loc());
        self.split(defined, known, open);
        self.resume(known);
        self.assign(result, exact);
        self.step_to(done);
        self.resume(open);
        self.emit(Op::Havoc { vars: vec![result], origin: Origin::Extern(UNDEFINED.to_owned()) });
        self.continue_at(done);
        self.term(result)
    }

    /// The library's models rely on wrapping nowhere: there is nothing to check in them.
    pub(crate) fn checks_arithmetic(&self, property: Property) -> bool {
        self.options.checks(property) && self.fun.library_checked.is_none()
    }

    /// Is arithmetic of the integer type checked?
    pub(crate) fn checks_overflow(&self, ty: Ty) -> bool {
        self.checks_arithmetic(self.overflow_of(ty).0)
    }

    /// The property that asks for it, and its name.
    fn overflow_of(&self, ty: Ty) -> (Property, &'static str) {
        match self.is_signed(ty) {
            true => (Property::NoOverflow, "signed"),
            false => (Property::UnsignedOverflow, "unsigned"),
        }
    }

    pub(crate) fn checks_shifts(&self) -> bool {
        self.checks_arithmetic(Property::UndefinedShift)
    }

    pub(crate) fn check_overflow(&mut self, overflow: Term, ty: Ty, source: &Expr) {
        let (property, name) = self.overflow_of(ty);
        if self.checks_arithmetic(property) && !self.is_injected(source.span) {
            let fits = self.terms().not(overflow);
            let message = format!("{name} integer overflow in {}", show(self.unit, source));
            self.require(fits, LocKind::Error(Violation { property, message }));
        }
    }

    /// A value of type `from` became `converted` of type `to`: is it the same number?
    pub(crate) fn check_conversion(&mut self, value: Term, from: Ty, converted: Term, to: Ty, source: &Expr) {
        if self.unit.types.is_float(from) && self.unit.types.is_float(to) {
            return self.check_float(converted, &[value], source);
        }
        if self.unit.types.is_float(to) && matches!(self.terms().sort(converted), Sort::Float(_)) {
            return self.check_float(converted, &[], source);
        }
        let types = &self.unit.types;
        let is_truth = matches!(types[to], Type::Bool);
        if is_truth || types.int_shape(to).is_none() {
            return;
        }
        let asked = CONVERSION.into_iter().filter(|property| self.checks_arithmetic(*property));
        let asked: Vec<Property> = asked.filter(|p| *p == Property::Conversion || types.is_float(from)).collect();
        if asked.is_empty() {
            return;
        }
        let (from_signed, to_signed) = (self.is_signed(from), self.is_signed(to));
        let same = if types.is_float(from) {
            let width = self.terms().width(converted);
            self.converts(value, width, to_signed)
        } else if types.int_shape(from).is_some() {
            let terms = self.terms();
            let wide = terms.width(value).max(terms.width(converted)) + 1;
            let (before, after) = (terms.resize(value, wide, from_signed), terms.resize(converted, wide, to_signed));
            terms.eq(before, after)
        } else {
            return;
        };
        for property in asked {
            self.require_fit(same, to, source, property);
        }
    }

    pub(crate) fn require_fit(&mut self, fits: Term, to: Ty, source: &Expr, property: Property) {
        if !self.is_injected(source.span) {
            let message = format!("{} does not fit the type {}", show(self.unit, source), self.unit.types.show(to));
            self.require_at(source, fits, LocKind::Error(Violation { property, message }));
        }
    }

    /// Under `conversion`: what is stored in a bit-field fits its bits. `e` names the place, or the value.
    pub(crate) fn check_bits(&mut self, place: &Place, value: Term, ty: Ty, e: &Expr) {
        let Place::Memory(Memory { bits: Some(bits), .. }) = place else { return };
        let is_truth = matches!(self.unit.types[ty], Type::Bool);
        if !self.checks_arithmetic(Property::Conversion) || is_truth || self.is_injected(e.span) {
            return;
        }
        let terms = self.terms();
        let width = terms.width(value);
        let low = terms.extract(value, bits.width - 1, 0);
        let stored = terms.resize(low, width, bits.signed);
        let fits = terms.eq(stored, value);
        let message =
            format!("what is stored does not fit the {} bits of the field: {}", bits.width, show(self.unit, e));
        self.require_at(e, fits, LocKind::Error(Violation { property: Property::Conversion, message }));
    }

    /// Ordinary numbers give an ordinary number.
    pub(crate) fn check_float(&mut self, result: Term, operands: &[Term], source: &Expr) {
        if !self.checks_arithmetic(Property::Float) || self.is_injected(source.span) {
            return;
        }
        let text = show(self.unit, source);
        for (is_nan, what) in [(true, "is not a number (NaN)"), (false, "is too large: infinity")] {
            let is_bad = |terms: &mut Store, t: Term| if is_nan { terms.fp_is_nan(t) } else { terms.fp_is_inf(t) };
            let terms = self.terms();
            let mut ok = is_bad(terms, result);
            ok = terms.not(ok);
            for operand in operands {
                let was = is_bad(terms, *operand);
                ok = terms.or(ok, was);
            }
            let message = format!("{text} {what}");
            self.require_at(source, ok, LocKind::Error(Violation { property: Property::Float, message }));
        }
    }

    fn check_division(&mut self, a: Term, b: Term, ty: Ty, source: &Expr) {
        let nonzero = self.terms().nonzero(b);
        let by_zero = if self.is_injected(source.span) {
            LocKind::Unsupported("a division by zero in an expression of the witness".into())
        } else if self.options.checks(Property::DivByZero) {
            let message = format!("division by zero in {}", show(self.unit, source));
            LocKind::Error(Violation { property: Property::DivByZero, message })
        } else {
            self.trap(format!("undefined behaviour: division by zero in {}", show(self.unit, source)))
        };
        self.require(nonzero, by_zero);
        if self.is_signed(ty) {
            let overflow = self.terms().sdivo(a, b);
            self.check_overflow(overflow, ty, source);
            if !self.checks_overflow(ty) {
                let fits = self.terms().not(overflow);
                let trap = self.trap(format!("undefined behaviour: {} does not fit its type", show(self.unit, source)));
                self.require(fits, trap);
            }
        }
    }

    /// Where the machine traps: but a compiler may leave out a division whose result is not used, so nothing follows from it.
    fn trap(&self, what: String) -> LocKind {
        match self.options.places {
            Places::Any if !self.options.asks_divisions_apart => LocKind::BoundHit(what),
            _ => LocKind::End(EndKind::Abort),
        }
    }
}

/// What a number without sign is at most, by the way it is computed.
fn greatest(terms: &Store, t: Term, depth: u32) -> Option<i128> {
    let depth = depth.checked_sub(1)?;
    let args = terms.args(t);
    match terms.op(t) {
        TermOp::BvConst(_) => terms.as_bv_const(t)?.to_i128().filter(|n| *n >= 0),
        TermOp::BvAnd => args.iter().filter_map(|a| greatest(terms, *a, depth)).min(),
        TermOp::BvUrem => greatest(terms, args[1], depth).filter(|n| *n > 0).map(|n| n - 1),
        TermOp::ZeroExtend(_) => match greatest(terms, args[0], depth) {
            Some(most) => Some(most),
            None => Some((1 << terms.width(args[0]).min(64)) - 1),
        },
        TermOp::SignExtend(_) => {
            greatest(terms, args[0], depth).filter(|most| most >> (terms.width(args[0]).min(64) - 1) == 0)
        }
        TermOp::Ite => Some(greatest(terms, args[1], depth)?.max(greatest(terms, args[2], depth)?)),
        _ => None,
    }
}
