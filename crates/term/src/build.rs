//! One builder method per operator, and the notions that are spelled with other operators.

use crate::op::{Func, Op};
use crate::sort::{Format, RoundingMode, Sort};
use crate::store::{Store, Term};

impl Store {
    // Booleans

    pub fn not(&mut self, a: Term) -> Term {
        self.mk(Op::Not, &[a])
    }

    pub fn and(&mut self, a: Term, b: Term) -> Term {
        self.mk(Op::And, &[a, b])
    }

    pub fn or(&mut self, a: Term, b: Term) -> Term {
        self.mk(Op::Or, &[a, b])
    }

    pub fn xor(&mut self, a: Term, b: Term) -> Term {
        self.mk(Op::Xor, &[a, b])
    }

    pub fn implies(&mut self, a: Term, b: Term) -> Term {
        let not_a = self.not(a);
        self.or(not_a, b)
    }

    /// Whether two conditions exclude each other on their face: one is the negation of the other, or a conjunct of one is the
    /// negation of a conjunct of the other.
    pub fn are_exclusive(&mut self, a: Term, b: Term) -> bool {
        let conjuncts = |store: &Store, t: Term| match store.op(t) {
            Op::And => store.args(t).to_vec(),
            _ => vec![t],
        };
        let (of_a, of_b) = (conjuncts(self, a), conjuncts(self, b));
        let not_a = self.not(a);
        not_a == b
            || of_b.contains(&not_a)
            || of_a.iter().any(|c| {
                let not_c = self.not(*c);
                not_c == b || of_b.contains(&not_c)
            })
    }

    /// The conjunction of all; true when there are none. The order of the terms does not matter.
    pub fn and_all(&mut self, terms: &[Term]) -> Term {
        self.fold_sorted(Op::And, terms, true)
    }

    /// The disjunction of all; false when there are none. The order of the terms does not matter.
    pub fn or_all(&mut self, terms: &[Term]) -> Term {
        self.fold_sorted(Op::Or, terms, false)
    }

    fn fold_sorted(&mut self, op: Op, terms: &[Term], unit: bool) -> Term {
        let mut sorted = terms.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        let unit = self.bool(unit);
        sorted.into_iter().fold(unit, |whole, term| self.mk(op, &[whole, term]))
    }

    pub fn ite(&mut self, cond: Term, then: Term, otherwise: Term) -> Term {
        self.mk(Op::Ite, &[cond, then, otherwise])
    }

    /// Identity of values, of any sort. On floats NaN equals itself and the zeros differ; C's `==` is [`Store::fp_eq`].
    pub fn eq(&mut self, a: Term, b: Term) -> Term {
        self.mk(Op::Eq, &[a, b])
    }

    pub fn ne(&mut self, a: Term, b: Term) -> Term {
        let equal = self.eq(a, b);
        self.not(equal)
    }

    /// Pairwise different.
    pub fn distinct(&mut self, terms: &[Term]) -> Term {
        let mut parts = Vec::new();
        for (i, &a) in terms.iter().enumerate() {
            for &b in &terms[i + 1..] {
                parts.push(self.ne(a, b));
            }
        }
        self.and_all(&parts)
    }

    // Bit-vectors

    pub fn bvnot(&mut self, a: Term) -> Term {
        self.mk(Op::BvNot, &[a])
    }

    pub fn neg(&mut self, a: Term) -> Term {
        self.mk(Op::BvNeg, &[a])
    }

    pub fn add(&mut self, a: Term, b: Term) -> Term {
        self.mk(Op::BvAdd, &[a, b])
    }

    /// `a + -b`.
    pub fn sub(&mut self, a: Term, b: Term) -> Term {
        let negated = self.neg(b);
        self.add(a, negated)
    }

    pub fn mul(&mut self, a: Term, b: Term) -> Term {
        self.mk(Op::BvMul, &[a, b])
    }

    /// All ones when `b` is zero.
    pub fn udiv(&mut self, a: Term, b: Term) -> Term {
        self.mk(Op::BvUdiv, &[a, b])
    }

    /// `a` when `b` is zero.
    pub fn urem(&mut self, a: Term, b: Term) -> Term {
        self.mk(Op::BvUrem, &[a, b])
    }

    /// Truncating; see [`crate::Bits::sdiv`] for division by zero.
    pub fn sdiv(&mut self, a: Term, b: Term) -> Term {
        self.mk(Op::BvSdiv, &[a, b])
    }

    /// With the sign of the dividend, as C's `%`; `a` when `b` is zero.
    pub fn srem(&mut self, a: Term, b: Term) -> Term {
        self.mk(Op::BvSrem, &[a, b])
    }

    /// Remainder with the sign of the divisor: `bvsmod`, spelled with `bvsrem`.
    pub fn smod(&mut self, a: Term, b: Term) -> Term {
        let zero = self.bv(0, self.width(a));
        let rem = self.srem(a, b);
        let rem_negative = self.slt(rem, zero);
        let b_negative = self.slt(b, zero);
        let differ = self.xor(rem_negative, b_negative);
        let nonzero = self.ne(rem, zero);
        let adjust = self.and(differ, nonzero);
        let adjusted = self.add(rem, b);
        self.ite(adjust, adjusted, rem)
    }

    /// Distances of the width or more give zero.
    pub fn shl(&mut self, a: Term, b: Term) -> Term {
        self.mk(Op::BvShl, &[a, b])
    }

    pub fn lshr(&mut self, a: Term, b: Term) -> Term {
        self.mk(Op::BvLshr, &[a, b])
    }

    pub fn ashr(&mut self, a: Term, b: Term) -> Term {
        self.mk(Op::BvAshr, &[a, b])
    }

    pub fn bvand(&mut self, a: Term, b: Term) -> Term {
        self.mk(Op::BvAnd, &[a, b])
    }

    pub fn bvor(&mut self, a: Term, b: Term) -> Term {
        self.mk(Op::BvOr, &[a, b])
    }

    pub fn bvxor(&mut self, a: Term, b: Term) -> Term {
        self.mk(Op::BvXor, &[a, b])
    }

    /// `high` above `low`.
    pub fn concat(&mut self, high: Term, low: Term) -> Term {
        self.mk(Op::Concat, &[high, low])
    }

    /// Bits `hi` down to `lo`, both included.
    pub fn extract(&mut self, a: Term, hi: u32, lo: u32) -> Term {
        self.mk(Op::Extract { hi, lo }, &[a])
    }

    /// Zero-extends to `width`, which must not be smaller.
    pub fn zext_to(&mut self, a: Term, width: u32) -> Term {
        let from = self.width(a);
        assert!(from <= width, "zero-extending {from} bits to {width}");
        self.mk(Op::ZeroExtend(width - from), &[a])
    }

    /// Sign-extends to `width`, which must not be smaller.
    pub fn sext_to(&mut self, a: Term, width: u32) -> Term {
        let from = self.width(a);
        assert!(from <= width, "sign-extending {from} bits to {width}");
        self.mk(Op::SignExtend(width - from), &[a])
    }

    /// Truncates, or extends by the sign when `signed`, by zeros otherwise: a C integer conversion.
    pub fn resize(&mut self, a: Term, width: u32, signed: bool) -> Term {
        match (self.width(a) >= width, signed) {
            (true, _) => self.extract(a, width - 1, 0),
            (false, true) => self.sext_to(a, width),
            (false, false) => self.zext_to(a, width),
        }
    }

    pub fn ult(&mut self, a: Term, b: Term) -> Term {
        self.mk(Op::BvUlt, &[a, b])
    }

    pub fn ule(&mut self, a: Term, b: Term) -> Term {
        self.mk(Op::BvUle, &[a, b])
    }

    pub fn ugt(&mut self, a: Term, b: Term) -> Term {
        self.ult(b, a)
    }

    pub fn uge(&mut self, a: Term, b: Term) -> Term {
        self.ule(b, a)
    }

    pub fn slt(&mut self, a: Term, b: Term) -> Term {
        self.mk(Op::BvSlt, &[a, b])
    }

    pub fn sle(&mut self, a: Term, b: Term) -> Term {
        self.mk(Op::BvSle, &[a, b])
    }

    pub fn sgt(&mut self, a: Term, b: Term) -> Term {
        self.slt(b, a)
    }

    pub fn sge(&mut self, a: Term, b: Term) -> Term {
        self.sle(b, a)
    }

    /// `a + b` leaves the unsigned range: the sum is below a summand.
    pub fn uaddo(&mut self, a: Term, b: Term) -> Term {
        let sum = self.add(a, b);
        self.ult(sum, a)
    }

    pub fn saddo(&mut self, a: Term, b: Term) -> Term {
        self.mk(Op::BvSaddo, &[a, b])
    }

    /// `a - b` leaves the unsigned range.
    pub fn usubo(&mut self, a: Term, b: Term) -> Term {
        self.ult(a, b)
    }

    pub fn ssubo(&mut self, a: Term, b: Term) -> Term {
        self.mk(Op::BvSsubo, &[a, b])
    }

    pub fn umulo(&mut self, a: Term, b: Term) -> Term {
        self.mk(Op::BvUmulo, &[a, b])
    }

    pub fn smulo(&mut self, a: Term, b: Term) -> Term {
        self.mk(Op::BvSmulo, &[a, b])
    }

    /// `-a` leaves the signed range: `a` is the least value.
    pub fn nego(&mut self, a: Term) -> Term {
        let min = self.bv_bits(crate::Bits::min_signed(self.width(a)));
        self.eq(a, min)
    }

    /// `a / b` leaves the signed range: the least value by -1 (division by zero is another matter).
    pub fn sdivo(&mut self, a: Term, b: Term) -> Term {
        let minus_one = self.bv_bits(crate::Bits::ones(self.width(b)));
        let least = self.nego(a);
        let by_minus_one = self.eq(b, minus_one);
        self.and(least, by_minus_one)
    }

    /// The one-bit vector of a truth value.
    pub fn bool_to_bv(&mut self, a: Term, width: u32) -> Term {
        let (one, zero) = (self.bv(1, width), self.bv(0, width));
        self.ite(a, one, zero)
    }

    /// C's truth of an integer: `a != 0`.
    pub fn nonzero(&mut self, a: Term) -> Term {
        let zero = self.bv(0, self.width(a));
        self.ne(a, zero)
    }

    // Floats

    pub fn float_from_f32(&mut self, x: f32) -> Term {
        self.float(crate::FloatValue::from_f32(x))
    }

    pub fn float_from_f64(&mut self, x: f64) -> Term {
        self.float(crate::FloatValue::from_f64(x))
    }

    pub fn fp_neg(&mut self, a: Term) -> Term {
        self.mk(Op::FpNeg, &[a])
    }

    pub fn fp_abs(&mut self, a: Term) -> Term {
        self.mk(Op::FpAbs, &[a])
    }

    pub fn fp_add(&mut self, mode: RoundingMode, a: Term, b: Term) -> Term {
        self.mk(Op::FpAdd(mode), &[a, b])
    }

    /// `a + -b`, which is the same in every case.
    pub fn fp_sub(&mut self, mode: RoundingMode, a: Term, b: Term) -> Term {
        let negated = self.fp_neg(b);
        self.fp_add(mode, a, negated)
    }

    pub fn fp_mul(&mut self, mode: RoundingMode, a: Term, b: Term) -> Term {
        self.mk(Op::FpMul(mode), &[a, b])
    }

    pub fn fp_div(&mut self, mode: RoundingMode, a: Term, b: Term) -> Term {
        self.mk(Op::FpDiv(mode), &[a, b])
    }

    /// `a * b + c` with one rounding.
    pub fn fp_fma(&mut self, mode: RoundingMode, a: Term, b: Term, c: Term) -> Term {
        self.mk(Op::FpFma(mode), &[a, b, c])
    }

    pub fn fp_sqrt(&mut self, mode: RoundingMode, a: Term) -> Term {
        self.mk(Op::FpSqrt(mode), &[a])
    }

    /// The IEEE remainder, C's `remainder` (not `fmod`).
    pub fn fp_rem(&mut self, a: Term, b: Term) -> Term {
        self.mk(Op::FpRem, &[a, b])
    }

    pub fn fp_round_to_integral(&mut self, mode: RoundingMode, a: Term) -> Term {
        self.mk(Op::FpRoundToIntegral(mode), &[a])
    }

    /// IEEE equality, C's `==`.
    pub fn fp_eq(&mut self, a: Term, b: Term) -> Term {
        self.mk(Op::FpEq, &[a, b])
    }

    pub fn fp_lt(&mut self, a: Term, b: Term) -> Term {
        self.mk(Op::FpLt, &[a, b])
    }

    pub fn fp_le(&mut self, a: Term, b: Term) -> Term {
        self.mk(Op::FpLe, &[a, b])
    }

    pub fn fp_gt(&mut self, a: Term, b: Term) -> Term {
        self.fp_lt(b, a)
    }

    pub fn fp_ge(&mut self, a: Term, b: Term) -> Term {
        self.fp_le(b, a)
    }

    pub fn fp_is_nan(&mut self, a: Term) -> Term {
        self.mk(Op::FpIsNan, &[a])
    }

    pub fn fp_is_inf(&mut self, a: Term) -> Term {
        self.mk(Op::FpIsInf, &[a])
    }

    pub fn fp_is_zero(&mut self, a: Term) -> Term {
        self.mk(Op::FpIsZero, &[a])
    }

    pub fn fp_is_normal(&mut self, a: Term) -> Term {
        self.mk(Op::FpIsNormal, &[a])
    }

    pub fn fp_is_subnormal(&mut self, a: Term) -> Term {
        self.mk(Op::FpIsSubnormal, &[a])
    }

    pub fn fp_is_negative(&mut self, a: Term) -> Term {
        self.mk(Op::FpIsNegative, &[a])
    }

    pub fn fp_to_fp(&mut self, mode: RoundingMode, format: Format, a: Term) -> Term {
        self.mk(Op::FpToFp(mode, format), &[a])
    }

    /// From a signed integer.
    pub fn fp_from_sbv(&mut self, mode: RoundingMode, format: Format, a: Term) -> Term {
        self.mk(Op::FpFromSbv(mode, format), &[a])
    }

    /// From an unsigned integer.
    pub fn fp_from_ubv(&mut self, mode: RoundingMode, format: Format, a: Term) -> Term {
        self.mk(Op::FpFromUbv(mode, format), &[a])
    }

    /// To an unsigned integer; unspecified when the rounded value does not fit.
    pub fn fp_to_ubv(&mut self, mode: RoundingMode, width: u32, a: Term) -> Term {
        self.mk(Op::FpToUbv(mode, width), &[a])
    }

    /// To a signed integer; unspecified when the rounded value does not fit.
    pub fn fp_to_sbv(&mut self, mode: RoundingMode, width: u32, a: Term) -> Term {
        self.mk(Op::FpToSbv(mode, width), &[a])
    }

    /// Reinterprets packed IEEE bits.
    pub fn fp_from_bits(&mut self, format: Format, a: Term) -> Term {
        self.mk(Op::FpFromBits(format), &[a])
    }

    // Arrays

    pub fn select(&mut self, array: Term, index: Term) -> Term {
        self.mk(Op::Select, &[array, index])
    }

    /// The array with `elem` at `index`.
    pub fn store(&mut self, array: Term, index: Term, elem: Term) -> Term {
        self.mk(Op::Store, &[array, index, elem])
    }

    /// The array that holds `elem` everywhere.
    pub fn const_array(&mut self, index: Sort, elem: Term) -> Term {
        let index = index.scalar().unwrap_or_else(|| panic!("arrays do not nest: {index:?}"));
        self.mk(Op::ConstArray(index), &[elem])
    }

    // Functions and quantifiers

    pub fn apply(&mut self, func: Func, args: &[Term]) -> Term {
        self.mk(Op::Apply(func), args)
    }

    /// `bound` are variable terms; with none of them the body itself.
    pub fn forall(&mut self, bound: &[Term], body: Term) -> Term {
        self.quantify(Op::Forall, bound, body)
    }

    pub fn exists(&mut self, bound: &[Term], body: Term) -> Term {
        self.quantify(Op::Exists, bound, body)
    }

    fn quantify(&mut self, op: Op, bound: &[Term], body: Term) -> Term {
        if bound.is_empty() {
            return body;
        }
        let mut args = bound.to_vec();
        args.push(body);
        self.mk(op, &args)
    }
}
