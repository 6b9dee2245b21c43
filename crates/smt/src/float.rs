//! The bits of a float, which SMT-LIB has no function for.
//!
//! NaN has many encodings, so a float does not determine its bits. Where a program looks at them (a union, `memcpy`,
//! storing to byte-addressed memory), take fresh bits and say what they encode.

use term::{FloatValue, Op, Sort, Store, Term};

/// Bits for a float, and the condition that makes them its bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FloatBits {
    /// A bit-vector as wide as the format.
    pub bits: Term,
    /// To be assumed wherever `bits` is used. Satisfiable whatever the float is, so assuming it excludes nothing.
    pub condition: Term,
}

/// Fresh bits that encode `float`, a NaN as the one canonical quiet NaN.
///
/// Native code may produce other NaN encodings; a program that looks at the payload of a NaN is outside this model. A
/// float literal and a float that was made from bits (`from_bits(b)`, unless that is a NaN) give no fresh variable
/// cheaper than this one: callers that care keep the bits instead of the float.
pub fn float_bits(store: &mut Store, float: Term) -> FloatBits {
    let format = store.format(float);
    let bits = match store.as_float_const(float) {
        Some(value) => store.bv_bits(value.to_bits()),
        None => store.fresh("bits", Sort::Bv(format.width())),
    };
    let decoded = store.mk(Op::FpFromBits(format), &[bits]);
    let same = store.mk(Op::Eq, &[decoded, float]);
    let canonical = store.bv_bits(FloatValue::nan(format).to_bits());
    let is_canonical = store.mk(Op::Eq, &[bits, canonical]);
    let is_nan = store.mk(Op::FpIsNan, &[float]);
    let not_nan = store.mk(Op::Not, &[is_nan]);
    let nan_is_canonical = store.mk(Op::Or, &[not_nan, is_canonical]);
    FloatBits { bits, condition: store.mk(Op::And, &[same, nan_is_canonical]) }
}
