//! Operators and the one table of facts about them: name in SMT-LIB, arity, commutativity, sort rule.
//!
//! Builder, printer, parser and evaluator all read this table. There is one operator per meaning: what can be said with
//! another operator at no cost is a builder method instead (`a > b` is `b < a`, `a - b` is `a + -b`, `a => b` is
//! `!a | b`, `distinct` is a conjunction of disequalities, unsigned addition overflows when the sum is below a summand).

use crate::sort::{ArraySort, Format, RoundingMode, Scalar, Sort};

base::id!(
    /// A variable's name and sort, kept by the store.
    Symbol,
    "s"
);
base::id!(
    /// An uninterpreted function, kept by the store.
    Func,
    "f"
);
base::id!(
    /// A bit-vector constant's value, kept by the store.
    BitsId,
    "b"
);
base::id!(
    /// A float constant's value, kept by the store.
    FloatId,
    "c"
);

/// What a term does with its arguments. Indices of an operator live in it; arguments are terms.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Op {
    // Leaves
    True,
    False,
    BvConst(BitsId),
    FloatConst(FloatId),
    Var(Symbol),

    // Booleans, and the two operators of every sort
    Not,
    And,
    Or,
    Xor,
    Ite,
    Eq,

    // Bit-vectors
    BvNot,
    BvNeg,
    BvAdd,
    BvMul,
    BvUdiv,
    BvUrem,
    BvSdiv,
    BvSrem,
    BvShl,
    BvLshr,
    BvAshr,
    BvAnd,
    BvOr,
    BvXor,
    Concat,
    Extract {
        hi: u32,
        lo: u32,
    },
    /// By so many bits.
    ZeroExtend(u32),
    SignExtend(u32),
    BvUlt,
    BvUle,
    BvSlt,
    BvSle,
    /// Signed addition overflows.
    BvSaddo,
    BvSsubo,
    BvUmulo,
    BvSmulo,

    // Floats
    FpNeg,
    FpAbs,
    FpAdd(RoundingMode),
    FpMul(RoundingMode),
    FpDiv(RoundingMode),
    /// `x * y + z` with one rounding.
    FpFma(RoundingMode),
    FpSqrt(RoundingMode),
    /// The IEEE remainder `x - y * n`, `n` the integer nearest to `x / y`, ties to even. Not C's `fmod`.
    FpRem,
    FpRoundToIntegral(RoundingMode),
    FpMin,
    FpMax,
    /// IEEE equality: NaN differs from itself, the zeros are equal. `Eq` is identity.
    FpEq,
    FpLt,
    FpLe,
    FpIsNan,
    FpIsInf,
    FpIsZero,
    FpIsNormal,
    FpIsSubnormal,
    /// Sign bit set and not NaN.
    FpIsNegative,
    FpIsPositive,
    /// Float of another format.
    FpToFp(RoundingMode, Format),
    FpFromSbv(RoundingMode, Format),
    FpFromUbv(RoundingMode, Format),
    /// To unsigned bits of that width; unspecified when the rounded value does not fit.
    FpToUbv(RoundingMode, u32),
    FpToSbv(RoundingMode, u32),
    /// Reinterprets packed bits. The inverse is no function (NaN has many encodings): where bits of a float are needed,
    /// take a fresh bit-vector `b` and require `from_bits(b) = x`.
    FpFromBits(Format),

    // Arrays
    Select,
    Store,
    /// The array from that index sort that holds its argument everywhere.
    ConstArray(Scalar),

    // Uninterpreted functions, quantifiers
    Apply(Func),
    /// Arguments are the bound variables, then the body.
    Forall,
    Exists,
}

/// How argument sorts determine the result sort.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SortRule {
    /// Constants, variables and applications: the store knows.
    Declared,
    /// Booleans to a boolean.
    Bool,
    /// A condition and two of the same sort.
    Ite,
    /// Two of the same sort to a boolean.
    Eq,
    /// Bit-vectors of one width to that width.
    Bv,
    /// Bit-vectors of one width to a boolean.
    BvTest,
    Concat,
    Extract,
    Extend,
    /// Floats of one format to that format.
    Fp,
    /// Floats of one format to a boolean.
    FpTest,
    /// A float to the format in the operator.
    FpToFp,
    /// A bit-vector to the format in the operator.
    BvToFp,
    /// A float to the width in the operator.
    FpToBv,
    FpFromBits,
    Select,
    Store,
    ConstArray,
    Quantifier,
}

/// Everything the rest of the crate needs to know about an operator in general.
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    /// Name in SMT-LIB; of indexed operators the name after `_`.
    pub name: &'static str,
    /// Number of arguments; `None` when it varies (applications and quantifiers).
    pub arity: Option<usize>,
    pub commutative: bool,
    pub rule: SortRule,
}

impl Op {
    /// The table.
    #[inline]
    pub fn facts(self) -> &'static Facts {
        use SortRule::*;
        const fn f(name: &'static str, arity: usize, rule: SortRule) -> Facts {
            Facts { name, arity: Some(arity), commutative: false, rule }
        }
        /// Commutative in its first two arguments.
        const fn comm(name: &'static str, arity: usize, rule: SortRule) -> Facts {
            Facts { name, arity: Some(arity), commutative: true, rule }
        }
        const fn many(name: &'static str, rule: SortRule) -> Facts {
            Facts { name, arity: None, commutative: false, rule }
        }
        match self {
            Op::True => const { &f("true", 0, Bool) },
            Op::False => const { &f("false", 0, Bool) },
            Op::BvConst(_) => const { &f("bv", 0, Declared) },
            Op::FloatConst(_) => const { &f("fp", 0, Declared) },
            Op::Var(_) => const { &f("var", 0, Declared) },

            Op::Not => const { &f("not", 1, Bool) },
            Op::And => const { &comm("and", 2, Bool) },
            Op::Or => const { &comm("or", 2, Bool) },
            Op::Xor => const { &comm("xor", 2, Bool) },
            Op::Ite => const { &f("ite", 3, Ite) },
            Op::Eq => const { &comm("=", 2, Eq) },

            Op::BvNot => const { &f("bvnot", 1, Bv) },
            Op::BvNeg => const { &f("bvneg", 1, Bv) },
            Op::BvAdd => const { &comm("bvadd", 2, Bv) },
            Op::BvMul => const { &comm("bvmul", 2, Bv) },
            Op::BvUdiv => const { &f("bvudiv", 2, Bv) },
            Op::BvUrem => const { &f("bvurem", 2, Bv) },
            Op::BvSdiv => const { &f("bvsdiv", 2, Bv) },
            Op::BvSrem => const { &f("bvsrem", 2, Bv) },
            Op::BvShl => const { &f("bvshl", 2, Bv) },
            Op::BvLshr => const { &f("bvlshr", 2, Bv) },
            Op::BvAshr => const { &f("bvashr", 2, Bv) },
            Op::BvAnd => const { &comm("bvand", 2, Bv) },
            Op::BvOr => const { &comm("bvor", 2, Bv) },
            Op::BvXor => const { &comm("bvxor", 2, Bv) },
            Op::Concat => const { &f("concat", 2, Concat) },
            Op::Extract { .. } => const { &f("extract", 1, Extract) },
            Op::ZeroExtend(_) => const { &f("zero_extend", 1, Extend) },
            Op::SignExtend(_) => const { &f("sign_extend", 1, Extend) },
            Op::BvUlt => const { &f("bvult", 2, BvTest) },
            Op::BvUle => const { &f("bvule", 2, BvTest) },
            Op::BvSlt => const { &f("bvslt", 2, BvTest) },
            Op::BvSle => const { &f("bvsle", 2, BvTest) },
            Op::BvSaddo => const { &comm("bvsaddo", 2, BvTest) },
            Op::BvSsubo => const { &f("bvssubo", 2, BvTest) },
            Op::BvUmulo => const { &comm("bvumulo", 2, BvTest) },
            Op::BvSmulo => const { &comm("bvsmulo", 2, BvTest) },

            Op::FpNeg => const { &f("fp.neg", 1, Fp) },
            Op::FpAbs => const { &f("fp.abs", 1, Fp) },
            Op::FpAdd(_) => const { &comm("fp.add", 2, Fp) },
            Op::FpMul(_) => const { &comm("fp.mul", 2, Fp) },
            Op::FpDiv(_) => const { &f("fp.div", 2, Fp) },
            Op::FpFma(_) => const { &comm("fp.fma", 3, Fp) },
            Op::FpSqrt(_) => const { &f("fp.sqrt", 1, Fp) },
            Op::FpRem => const { &f("fp.rem", 2, Fp) },
            Op::FpRoundToIntegral(_) => const { &f("fp.roundToIntegral", 1, Fp) },
            // Not commutative: min(+0, -0) may differ from min(-0, +0).
            Op::FpMin => const { &f("fp.min", 2, Fp) },
            Op::FpMax => const { &f("fp.max", 2, Fp) },
            Op::FpEq => const { &comm("fp.eq", 2, FpTest) },
            Op::FpLt => const { &f("fp.lt", 2, FpTest) },
            Op::FpLe => const { &f("fp.leq", 2, FpTest) },
            Op::FpIsNan => const { &f("fp.isNaN", 1, FpTest) },
            Op::FpIsInf => const { &f("fp.isInfinite", 1, FpTest) },
            Op::FpIsZero => const { &f("fp.isZero", 1, FpTest) },
            Op::FpIsNormal => const { &f("fp.isNormal", 1, FpTest) },
            Op::FpIsSubnormal => const { &f("fp.isSubnormal", 1, FpTest) },
            Op::FpIsNegative => const { &f("fp.isNegative", 1, FpTest) },
            Op::FpIsPositive => const { &f("fp.isPositive", 1, FpTest) },
            Op::FpToFp(..) => const { &f("to_fp", 1, FpToFp) },
            Op::FpFromSbv(..) => const { &f("to_fp", 1, BvToFp) },
            Op::FpFromUbv(..) => const { &f("to_fp_unsigned", 1, BvToFp) },
            Op::FpToUbv(..) => const { &f("fp.to_ubv", 1, FpToBv) },
            Op::FpToSbv(..) => const { &f("fp.to_sbv", 1, FpToBv) },
            Op::FpFromBits(_) => const { &f("to_fp", 1, FpFromBits) },

            Op::Select => const { &f("select", 2, Select) },
            Op::Store => const { &f("store", 3, Store) },
            Op::ConstArray(_) => const { &f("const", 1, ConstArray) },

            Op::Apply(_) => const { &many("apply", Declared) },
            Op::Forall => const { &many("forall", Quantifier) },
            Op::Exists => const { &many("exists", Quantifier) },
        }
    }

    /// The operators that have no index at all, not even a rounding mode: their name alone identifies them.
    pub const PLAIN: &'static [Op] = &[
        Op::True,
        Op::False,
        Op::Not,
        Op::And,
        Op::Or,
        Op::Xor,
        Op::Ite,
        Op::Eq,
        Op::BvNot,
        Op::BvNeg,
        Op::BvAdd,
        Op::BvMul,
        Op::BvUdiv,
        Op::BvUrem,
        Op::BvSdiv,
        Op::BvSrem,
        Op::BvShl,
        Op::BvLshr,
        Op::BvAshr,
        Op::BvAnd,
        Op::BvOr,
        Op::BvXor,
        Op::Concat,
        Op::BvUlt,
        Op::BvUle,
        Op::BvSlt,
        Op::BvSle,
        Op::BvSaddo,
        Op::BvSsubo,
        Op::BvUmulo,
        Op::BvSmulo,
        Op::FpNeg,
        Op::FpAbs,
        Op::FpRem,
        Op::FpMin,
        Op::FpMax,
        Op::FpEq,
        Op::FpLt,
        Op::FpLe,
        Op::FpIsNan,
        Op::FpIsInf,
        Op::FpIsZero,
        Op::FpIsNormal,
        Op::FpIsSubnormal,
        Op::FpIsNegative,
        Op::FpIsPositive,
        Op::Select,
        Op::Store,
    ];

    /// The operators that take only a rounding mode, for a given one.
    pub const fn rounded(mode: RoundingMode) -> [Op; 6] {
        [
            Op::FpAdd(mode),
            Op::FpMul(mode),
            Op::FpDiv(mode),
            Op::FpFma(mode),
            Op::FpSqrt(mode),
            Op::FpRoundToIntegral(mode),
        ]
    }

    /// The rounding mode among the indices.
    pub fn rounding_mode(self) -> Option<RoundingMode> {
        match self {
            Op::FpAdd(mode)
            | Op::FpMul(mode)
            | Op::FpDiv(mode)
            | Op::FpFma(mode)
            | Op::FpSqrt(mode)
            | Op::FpRoundToIntegral(mode)
            | Op::FpToFp(mode, _)
            | Op::FpFromSbv(mode, _)
            | Op::FpFromUbv(mode, _)
            | Op::FpToUbv(mode, _)
            | Op::FpToSbv(mode, _) => Some(mode),
            _ => None,
        }
    }

    /// A literal value of its sort.
    #[inline]
    pub fn is_const(self) -> bool {
        matches!(self, Op::True | Op::False | Op::BvConst(_) | Op::FloatConst(_))
    }

    #[inline]
    pub fn is_quantifier(self) -> bool {
        matches!(self, Op::Forall | Op::Exists)
    }

    /// The result sort, or `None` when the arguments do not fit (or the store must be asked).
    #[inline]
    pub fn result_sort(self, args: &[Sort]) -> Option<Sort> {
        let facts = self.facts();
        if facts.arity.is_some_and(|arity| arity != args.len()) {
            return None;
        }
        let same = || args.iter().all(|&sort| sort == args[0]).then(|| args[0]);
        match facts.rule {
            SortRule::Declared => None,
            SortRule::Bool => args.iter().all(|sort| sort.is_bool()).then_some(Sort::Bool),
            SortRule::Ite => (args[0].is_bool() && args[1] == args[2]).then(|| args[1]),
            SortRule::Eq => (args[0] == args[1]).then_some(Sort::Bool),
            SortRule::Bv => same().filter(|sort| sort.bv_width().is_some()),
            SortRule::BvTest => same()?.bv_width().map(|_| Sort::Bool),
            SortRule::Concat => Some(Sort::Bv(args[0].bv_width()? + args[1].bv_width()?)),
            SortRule::Extract => match self {
                Op::Extract { hi, lo } => (lo <= hi && hi < args[0].bv_width()?).then(|| Sort::Bv(hi - lo + 1)),
                _ => None,
            },
            SortRule::Extend => match self {
                Op::ZeroExtend(n) | Op::SignExtend(n) => Some(Sort::Bv(args[0].bv_width()? + n)),
                _ => None,
            },
            SortRule::Fp => same().filter(|sort| sort.float_format().is_some()),
            SortRule::FpTest => same()?.float_format().map(|_| Sort::Bool),
            SortRule::FpToFp | SortRule::BvToFp | SortRule::FpFromBits => match (self, args[0]) {
                (Op::FpToFp(_, format), Sort::Float(_)) => Some(Sort::Float(format)),
                (Op::FpFromSbv(_, format) | Op::FpFromUbv(_, format), Sort::Bv(_)) => Some(Sort::Float(format)),
                (Op::FpFromBits(format), Sort::Bv(width)) if width == format.width() => Some(Sort::Float(format)),
                _ => None,
            },
            SortRule::FpToBv => match (self, args[0]) {
                (Op::FpToUbv(_, width) | Op::FpToSbv(_, width), Sort::Float(_)) if width > 0 => Some(Sort::Bv(width)),
                _ => None,
            },
            SortRule::Select => {
                let array = args[0].as_array()?;
                (args[1] == array.index.into()).then(|| array.elem.into())
            }
            SortRule::Store => {
                let array = args[0].as_array()?;
                (args[1] == array.index.into() && args[2] == array.elem.into()).then(|| args[0])
            }
            SortRule::ConstArray => match self {
                Op::ConstArray(index) => Some(Sort::Array(ArraySort { index, elem: args[0].scalar()? })),
                _ => None,
            },
            SortRule::Quantifier => (args.len() >= 2 && args.last()?.is_bool()).then_some(Sort::Bool),
        }
    }
}
