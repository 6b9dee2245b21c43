//! Rules for overflow predicates: against a literal, overflow is a comparison.

use super::{Rule, rules};
use crate::bits::Bits;
use crate::op::Op;
use crate::store::{Store, Term};

pub(super) const SADDO: &[Rule] = rules![saddo_narrow, saddo_literal];
pub(super) const SSUBO: &[Rule] = rules![ssubo_same, ssubo_narrow, ssubo_literal_right, ssubo_literal_left];
pub(super) const UMULO: &[Rule] = rules![umulo_narrow, umulo_literal];
pub(super) const SMULO: &[Rule] = rules![smulo_narrow, smulo_literal];

/// x + y does not overflow      both fit in one bit less
fn saddo_narrow(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    fits_with_one_bit_to_spare(t, args).then(|| t.ff())
}

fn fits_with_one_bit_to_spare(t: &Store, args: &[Term]) -> bool {
    args.iter().all(|&arg| t.signed_bits(arg) < t.width(arg))
}

/// x + c overflows  ==>  max - c < x      c >= 0;  x < min - c      c < 0
fn saddo_literal(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    let c = t.as_bv_const(args[1])?;
    let width = c.width();
    if c.is_negative() {
        let bound = t.bv_bits(Bits::min_signed(width).sub(&c.clone()));
        Some(t.slt(args[0], bound))
    } else {
        let bound = t.bv_bits(Bits::max_signed(width).sub(&c.clone()));
        Some(t.slt(bound, args[0]))
    }
}

/// x - x does not overflow
fn ssubo_same(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    (args[0] == args[1]).then(|| t.ff())
}

/// x - y does not overflow      both fit in one bit less
fn ssubo_narrow(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    fits_with_one_bit_to_spare(t, args).then(|| t.ff())
}

/// x - c overflows  ==>  x < min + c      c >= 0;  max + c < x      c < 0
fn ssubo_literal_right(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    let c = t.as_bv_const(args[1])?;
    let width = c.width();
    if c.is_negative() {
        let bound = t.bv_bits(Bits::max_signed(width).add(&c.clone()));
        Some(t.slt(bound, args[0]))
    } else {
        let bound = t.bv_bits(Bits::min_signed(width).add(&c.clone()));
        Some(t.slt(args[0], bound))
    }
}

/// c - x overflows  ==>  x < c - max      c >= 0;  c - min < x      c < 0
fn ssubo_literal_left(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    let c = t.as_bv_const(args[0])?;
    let width = c.width();
    if c.is_negative() {
        let bound = t.bv_bits(c.sub(&Bits::min_signed(width)));
        Some(t.slt(bound, args[1]))
    } else {
        let bound = t.bv_bits(c.sub(&Bits::max_signed(width)));
        Some(t.slt(args[1], bound))
    }
}

/// x * y does not overflow      their bits together fit
fn umulo_narrow(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    (t.unsigned_bits(args[0]) + t.unsigned_bits(args[1]) <= t.width(args[0])).then(|| t.ff())
}

/// x * c overflows  ==>  max / c < x      unsigned, c > 0; never for c = 0
fn umulo_literal(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    let c = t.as_bv_const(args[1])?;
    if c.is_zero() {
        return Some(t.ff());
    }
    let bound = Bits::ones(c.width()).udiv(c);
    let bound = t.bv_bits(bound);
    Some(t.ult(bound, args[0]))
}

/// x * y does not overflow      their bits together fit
fn smulo_narrow(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    (t.signed_bits(args[0]) + t.signed_bits(args[1]) <= t.width(args[0])).then(|| t.ff())
}

/// x * c overflows  ==>  max / c < x | x < min / c      c > 0;  x < max / c | min / c < x      c < -1;  x = min      c = -1
fn smulo_literal(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    let c = t.as_bv_const(args[1])?.clone();
    let x = args[0];
    let width = c.width();
    let (min, max) = (Bits::min_signed(width), Bits::max_signed(width));
    if c.is_zero() {
        return Some(t.ff());
    }
    if c.is_ones() {
        return Some(t.nego(x));
    }
    let (from_max, from_min) = (t.bv_bits(max.sdiv(&c)), t.bv_bits(min.sdiv(&c)));
    let (above, below) = if c.is_negative() { (from_min, from_max) } else { (from_max, from_min) };
    let (above, below) = (t.slt(above, x), t.slt(x, below));
    Some(t.or(above, below))
}
