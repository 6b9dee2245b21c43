//! Operators and rounding modes, named as in Rust.

use crate::raw;

macro_rules! kinds {
    ($($name:ident = $raw:ident),* $(,)?) => {
        /// Operator of a term.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Kind { $($name),* }

        impl Kind {
            pub(crate) fn to_raw(self) -> raw::BitwuzlaKind {
                match self { $(Kind::$name => raw::$raw),* }
            }

            /// `None` for a kind that this binding has no name for.
            pub(crate) fn from_raw(kind: raw::BitwuzlaKind) -> Option<Kind> {
                match kind { $(raw::$raw => Some(Kind::$name),)* _ => None }
            }
        }
    };
}

kinds! {
    Constant = BITWUZLA_KIND_CONSTANT, ConstArray = BITWUZLA_KIND_CONST_ARRAY, Value = BITWUZLA_KIND_VALUE,
    Variable = BITWUZLA_KIND_VARIABLE, And = BITWUZLA_KIND_AND, Distinct = BITWUZLA_KIND_DISTINCT,
    Equal = BITWUZLA_KIND_EQUAL, Implies = BITWUZLA_KIND_IMPLIES, Not = BITWUZLA_KIND_NOT, Or = BITWUZLA_KIND_OR,
    Xor = BITWUZLA_KIND_XOR, Ite = BITWUZLA_KIND_ITE, Exists = BITWUZLA_KIND_EXISTS, Forall = BITWUZLA_KIND_FORALL,
    Apply = BITWUZLA_KIND_APPLY, Lambda = BITWUZLA_KIND_LAMBDA, Select = BITWUZLA_KIND_ARRAY_SELECT,
    Store = BITWUZLA_KIND_ARRAY_STORE,
    BvAdd = BITWUZLA_KIND_BV_ADD, BvAnd = BITWUZLA_KIND_BV_AND, BvAshr = BITWUZLA_KIND_BV_ASHR,
    BvComp = BITWUZLA_KIND_BV_COMP, BvConcat = BITWUZLA_KIND_BV_CONCAT, BvMul = BITWUZLA_KIND_BV_MUL,
    BvNeg = BITWUZLA_KIND_BV_NEG, BvNegOverflow = BITWUZLA_KIND_BV_NEG_OVERFLOW, BvNot = BITWUZLA_KIND_BV_NOT,
    BvNand = BITWUZLA_KIND_BV_NAND, BvNor = BITWUZLA_KIND_BV_NOR, BvXnor = BITWUZLA_KIND_BV_XNOR,
    BvOr = BITWUZLA_KIND_BV_OR, BvXor = BITWUZLA_KIND_BV_XOR, BvRedAnd = BITWUZLA_KIND_BV_REDAND,
    BvRedOr = BITWUZLA_KIND_BV_REDOR, BvRedXor = BITWUZLA_KIND_BV_REDXOR,
    BvSaddOverflow = BITWUZLA_KIND_BV_SADD_OVERFLOW, BvSdivOverflow = BITWUZLA_KIND_BV_SDIV_OVERFLOW,
    BvSmulOverflow = BITWUZLA_KIND_BV_SMUL_OVERFLOW, BvSsubOverflow = BITWUZLA_KIND_BV_SSUB_OVERFLOW,
    BvUaddOverflow = BITWUZLA_KIND_BV_UADD_OVERFLOW, BvUmulOverflow = BITWUZLA_KIND_BV_UMUL_OVERFLOW,
    BvUsubOverflow = BITWUZLA_KIND_BV_USUB_OVERFLOW,
    BvSdiv = BITWUZLA_KIND_BV_SDIV, BvSge = BITWUZLA_KIND_BV_SGE, BvSgt = BITWUZLA_KIND_BV_SGT,
    BvShl = BITWUZLA_KIND_BV_SHL, BvShr = BITWUZLA_KIND_BV_SHR, BvSle = BITWUZLA_KIND_BV_SLE,
    BvSlt = BITWUZLA_KIND_BV_SLT, BvSmod = BITWUZLA_KIND_BV_SMOD, BvSrem = BITWUZLA_KIND_BV_SREM,
    BvSub = BITWUZLA_KIND_BV_SUB, BvUdiv = BITWUZLA_KIND_BV_UDIV, BvUge = BITWUZLA_KIND_BV_UGE,
    BvUgt = BITWUZLA_KIND_BV_UGT, BvUle = BITWUZLA_KIND_BV_ULE, BvUlt = BITWUZLA_KIND_BV_ULT,
    BvUrem = BITWUZLA_KIND_BV_UREM, BvRol = BITWUZLA_KIND_BV_ROL, BvRor = BITWUZLA_KIND_BV_ROR,
    BvExtract = BITWUZLA_KIND_BV_EXTRACT, BvRepeat = BITWUZLA_KIND_BV_REPEAT, BvRoli = BITWUZLA_KIND_BV_ROLI,
    BvRori = BITWUZLA_KIND_BV_RORI, BvSignExtend = BITWUZLA_KIND_BV_SIGN_EXTEND,
    BvZeroExtend = BITWUZLA_KIND_BV_ZERO_EXTEND,
    FpAbs = BITWUZLA_KIND_FP_ABS, FpAdd = BITWUZLA_KIND_FP_ADD, FpDiv = BITWUZLA_KIND_FP_DIV,
    FpEqual = BITWUZLA_KIND_FP_EQUAL, FpFma = BITWUZLA_KIND_FP_FMA, FpFp = BITWUZLA_KIND_FP_FP,
    FpGeq = BITWUZLA_KIND_FP_GEQ, FpGt = BITWUZLA_KIND_FP_GT, FpIsInf = BITWUZLA_KIND_FP_IS_INF,
    FpIsNan = BITWUZLA_KIND_FP_IS_NAN, FpIsNeg = BITWUZLA_KIND_FP_IS_NEG,
    FpIsNormal = BITWUZLA_KIND_FP_IS_NORMAL, FpIsPos = BITWUZLA_KIND_FP_IS_POS,
    FpIsSubnormal = BITWUZLA_KIND_FP_IS_SUBNORMAL, FpIsZero = BITWUZLA_KIND_FP_IS_ZERO,
    FpLeq = BITWUZLA_KIND_FP_LEQ, FpLt = BITWUZLA_KIND_FP_LT, FpMax = BITWUZLA_KIND_FP_MAX,
    FpMin = BITWUZLA_KIND_FP_MIN, FpMul = BITWUZLA_KIND_FP_MUL, FpNeg = BITWUZLA_KIND_FP_NEG,
    FpRem = BITWUZLA_KIND_FP_REM, FpRti = BITWUZLA_KIND_FP_RTI, FpSqrt = BITWUZLA_KIND_FP_SQRT,
    FpSub = BITWUZLA_KIND_FP_SUB, FpToFpFromBv = BITWUZLA_KIND_FP_TO_FP_FROM_BV,
    FpToFpFromFp = BITWUZLA_KIND_FP_TO_FP_FROM_FP, FpToFpFromSbv = BITWUZLA_KIND_FP_TO_FP_FROM_SBV,
    FpToFpFromUbv = BITWUZLA_KIND_FP_TO_FP_FROM_UBV, FpToSbv = BITWUZLA_KIND_FP_TO_SBV,
    FpToUbv = BITWUZLA_KIND_FP_TO_UBV,
}

/// IEEE 754 rounding mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RoundingMode {
    NearestEven,
    NearestAway,
    TowardNegative,
    TowardPositive,
    TowardZero,
}

impl RoundingMode {
    pub(crate) fn to_raw(self) -> raw::BitwuzlaRoundingMode {
        match self {
            RoundingMode::NearestEven => raw::BITWUZLA_RM_RNE,
            RoundingMode::NearestAway => raw::BITWUZLA_RM_RNA,
            RoundingMode::TowardNegative => raw::BITWUZLA_RM_RTN,
            RoundingMode::TowardPositive => raw::BITWUZLA_RM_RTP,
            RoundingMode::TowardZero => raw::BITWUZLA_RM_RTZ,
        }
    }
}
