//! Numbers by their last bits: what depends on a remainder by a power of two, remainder by remainder.
//!
//! A number is `u · 2ⁿ + r` with `r < 2ⁿ`. With each `r` in turn as a constant, remainders and quotients by powers of two up to `2ⁿ` are
//! constants and sums of `u`, and sums, multiples and comparisons of such numbers are those of their upper parts: what happens every so
//! many iterations is arithmetic without any bits to look at.

use crate::bits::Bits;
use crate::op::Op;
use crate::sort::Sort;
use crate::store::{Store, Term};
use crate::walk;
use rustc_hash::FxHashMap;

/// A variable whose last bits matter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LastBits {
    pub number: Term,
    /// So many of them.
    pub count: u32,
}

/// The variable of which the terms take the most last bits, or quotients by powers of two, up to `most`. Quantified formulas are left alone.
pub fn taken(store: &Store, roots: &[Term], most: u32) -> Option<LastBits> {
    let mut found: Option<LastBits> = None;
    for t in walk::postorder(store, roots) {
        if store.op(t).is_quantifier() {
            return None;
        }
        let Some(&arg) = store.args(t).first() else { continue };
        let divisor = || store.as_bv_const(store.arg(t, 1)).and_then(Bits::to_u128).filter(|d| d.is_power_of_two());
        let count = match store.op(t) {
            Op::Extract { hi, lo: 0 } => hi + 1,
            Op::Extract { hi, lo } if hi + 1 == store.width(arg) => lo,
            Op::BvUrem | Op::BvSrem | Op::BvUdiv | Op::BvSdiv => match divisor() {
                Some(divisor) => divisor.trailing_zeros(),
                None => continue,
            },
            _ => continue,
        };
        let number = match walk::free_vars(store, &[arg])[..] {
            [number] if matches!(store.sort(number), Sort::Bv(width) if width > count + 1) => number,
            _ => continue,
        };
        if (1..=most).contains(&count) && found.is_none_or(|old| old.count < count) {
            found = Some(LastBits { number, count });
        }
    }
    found
}

/// What a case is about: the number, in terms of its upper part.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    last: LastBits,
    value: u128,
    /// What stands for the number.
    pub put: Term,
}

impl LastBits {
    /// The cases, one of which holds. With a number that is not negative as a signed one, its upper part is not either.
    pub fn cases(self, store: &mut Store, is_natural: bool) -> Vec<Case> {
        let width = store.width(self.number) - self.count;
        let upper = match is_natural {
            true => {
                let upper = store.fresh("upper", Sort::Bv(width - 1));
                store.zext_to(upper, width)
            }
            false => store.fresh("upper", Sort::Bv(width)),
        };
        let case = |value: u128| {
            let low = store.bv(value, self.count);
            Case { last: self, value, put: store.mk(Op::Concat, &[upper, low]) }
        };
        (0..1u128 << self.count).map(case).collect()
    }
}

impl Case {
    /// The value of the last bits.
    pub fn value(&self) -> u128 {
        self.value
    }

    /// The terms in this case.
    pub fn of(&self, store: &mut Store, roots: &[Term]) -> Vec<Term> {
        let mut done: FxHashMap<Term, Term> = FxHashMap::default();
        done.insert(self.last.number, self.put);
        for t in walk::postorder(store, roots) {
            if done.contains_key(&t) {
                continue;
            }
            let args: Vec<Term> = store.args(t).iter().map(|arg| done[arg]).collect();
            let result = if args == store.args(t) {
                t
            } else {
                let op = store.op(t);
                self.simpler(store, op, &args).unwrap_or_else(|| store.mk(op, &args))
            };
            done.insert(t, result);
        }
        roots.iter().map(|root| done[root]).collect()
    }

    /// The upper part and the last bits of a number of which these are known.
    fn split(&self, store: &mut Store, t: Term) -> Option<(Term, u128)> {
        let (count, width) = (self.last.count, store.sort(t).bv_width()?);
        if width <= count {
            return None;
        }
        if store.as_bv_const(t).is_some() {
            let (upper, low) = (store.extract(t, width - 1, count), store.extract(t, count - 1, 0));
            return Some((upper, store.as_bv_const(low)?.to_u128()?));
        }
        if let Op::ZeroExtend(_) = store.op(t) {
            let (upper, low) = self.split(store, store.arg(t, 0))?;
            return Some((store.zext_to(upper, width - count), low));
        }
        if store.op(t) != Op::Concat || !store.is_const(store.arg(t, 1)) || store.width(store.arg(t, 1)) < count {
            return None;
        }
        // Literals that meet are one.
        let (upper, low) = (store.extract(t, width - 1, count), store.extract(t, count - 1, 0));
        Some((upper, store.as_bv_const(low)?.to_u128()?))
    }

    fn joined(&self, store: &mut Store, upper: Term, low: u128) -> Term {
        let mask = (1u128 << self.last.count) - 1;
        let carry = store.bv(low >> self.last.count, store.width(upper));
        let upper = store.add(upper, carry);
        let low = store.bv(low & mask, self.last.count);
        store.mk(Op::Concat, &[upper, low])
    }

    /// An operation on numbers of which the last bits are known, by their upper parts.
    fn simpler(&self, store: &mut Store, op: Op, args: &[Term]) -> Option<Term> {
        let count = self.last.count;
        let (x, a) = self.split(store, *args.first()?)?;
        if let Op::BvNeg = op {
            let upper = store.bvnot(x);
            // All bits turned around, and one more.
            let low = ((1u128 << count) - 1) ^ a;
            return Some(self.joined(store, upper, low + 1));
        }
        let (y, b) = self.split(store, *args.get(1)?)?;
        let constant = |store: &Store, t: Term| store.as_bv_const(t).and_then(Bits::to_u64).map(u128::from);
        let (least, more) = (a < b, a <= b);
        Some(match op {
            Op::BvAdd => {
                let upper = store.add(x, y);
                self.joined(store, upper, a + b)
            }
            Op::BvMul => {
                let (factor, (upper, low)) = match (constant(store, args[0]), constant(store, args[1])) {
                    (_, Some(factor)) if factor < 1 << 32 => (factor, (x, a)),
                    (Some(factor), _) if factor < 1 << 32 => (factor, (y, b)),
                    _ => return None,
                };
                let by = store.bv(factor, store.width(upper));
                let upper = store.mul(upper, by);
                self.joined(store, upper, low * factor)
            }
            Op::BvUlt => {
                if least {
                    store.ule(x, y)
                } else {
                    store.ult(x, y)
                }
            }
            Op::BvUle => {
                if more {
                    store.ule(x, y)
                } else {
                    store.ult(x, y)
                }
            }
            Op::BvSlt => {
                if least {
                    store.sle(x, y)
                } else {
                    store.slt(x, y)
                }
            }
            Op::BvSle => {
                if more {
                    store.sle(x, y)
                } else {
                    store.slt(x, y)
                }
            }
            Op::Eq if a == b => store.eq(x, y),
            Op::Eq => store.ff(),
            Op::BvSrem | Op::BvSdiv => {
                let divisor = constant(store, args[1]).filter(|d| d.is_power_of_two() && *d <= 1 << count)?;
                let (width, rest) = (count + store.width(x), a % divisor);
                let zero = store.bv(0, store.width(x));
                let is_negative = store.slt(x, zero);
                if op == Op::BvSrem {
                    let below = if rest == 0 { 0 } else { rest as i128 - divisor as i128 };
                    let (above, below) = (store.bv(rest, width), store.bv_signed(below, width));
                    store.ite(is_negative, below, above)
                } else {
                    let by = store.bv(divisor.trailing_zeros().into(), width);
                    let down = store.mk(Op::BvAshr, &[args[0], by]);
                    let (none, one) = (store.bv(0, width), store.bv(1, width));
                    // Towards zero.
                    let more = if rest == 0 { none } else { store.ite(is_negative, one, none) };
                    store.add(down, more)
                }
            }
            _ => return None,
        })
    }
}
