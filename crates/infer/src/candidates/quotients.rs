//! Candidates for what happens every so many iterations: `c = k * ((i + b) / d) + c₀` for a counter `i` that the program divides by `d`.
//!
//! `if (i % 4 == 0) c++` keeps `c = (i + 3) / 4`, and `a[i % 8]++` keeps `a[3] = (i + 4) / 8`. The number grows by `k` where `i + b`
//! passes a multiple of `d`; the states of one run say where that is, and by how much.
//!
//! Powers of two only: that such an equation is inductive is a matter of bits. Of 32 bits divided by three solvers do not say it in ten seconds.

use super::numbers::{Number, changes};
use crate::limits::candidates::{MAX_COUNTERS, MAX_DIVISOR};
use crate::segments::Segment;
use cfa::{Loc, Program};
use std::collections::BTreeSet;
use term::{Bits, Op, Store, Term};

/// What a program divides by what.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Division {
    /// A variable.
    pub counter: Term,
    /// A power of two.
    pub divisor: u32,
}

/// The remainders of variables that the segments from a head take, last bits among them.
pub fn divisions(program: &Program, terms: &mut Store, segments: &[Segment], head: Loc) -> BTreeSet<Division> {
    let mut found = BTreeSet::new();
    for segment in segments.iter().filter(|s| s.from == Some(head)) {
        let roots = changes(program, terms, segment);
        for t in term::walk::postorder(terms, &roots) {
            let divisor = match terms.op(t) {
                Op::BvUrem | Op::BvSrem => terms.as_bv_const(terms.arg(t, 1)).and_then(Bits::to_u128),
                Op::Extract { hi, lo: 0 } => 1u128.checked_shl(hi + 1),
                _ => None,
            };
            let is_known = |d: &u32| d.is_power_of_two() && (2..=MAX_DIVISOR).contains(d);
            let Some(divisor) = divisor.and_then(|d| u32::try_from(d).ok()).filter(is_known) else { continue };
            let mut counters = term::walk::free_vars(terms, &[terms.arg(t, 0)]);
            counters.retain(|c| program.var_of(*c).is_some() && terms.sort(*c).bv_width().is_some());
            found.extend(counters.into_iter().map(|counter| Division { counter, divisor }));
        }
    }
    found
}

/// What the numbers are in terms of quotients.
pub fn quotients(terms: &mut Store, divisions: &BTreeSet<Division>, numbers: &[Number]) -> Vec<Term> {
    let mut found = Vec::new();
    for division in divisions.iter().take(MAX_COUNTERS) {
        let Some(counter) = numbers.iter().find(|n| n.term == division.counter) else { continue };
        let Some(counts) = counter.values.iter().map(natural).collect::<Option<Vec<u64>>>() else { continue };
        for number in numbers.iter().filter(|n| n.term != counter.term) {
            found.extend(in_quotients(terms, *division, (counter, &counts), number));
        }
    }
    found
}

fn in_quotients(
    terms: &mut Store,
    Division { divisor, .. }: Division,
    (counter, counts): (&Number, &[u64]),
    number: &Number,
) -> Option<Term> {
    let held: Vec<u64> = number.values.iter().map(Bits::to_u64).collect::<Option<_>>()?;
    let mask = u64::MAX >> (64 - number.width);
    for shift in 0..divisor {
        let quotient = |count: &u64| (count + u64::from(shift)) / u64::from(divisor);
        // One state before a multiple is passed, and one after it.
        let step = |(i, pair): (usize, &[u64])| (quotient(&pair[1]) == quotient(&pair[0]) + 1).then_some(i);
        let at = counts.windows(2).enumerate().find_map(step)?;
        let factor = held[at + 1].wrapping_sub(held[at]) & mask;
        let start = held[at].wrapping_sub(factor.wrapping_mul(quotient(&counts[at])));
        let is_it =
            |(count, held): (&u64, &u64)| factor.wrapping_mul(quotient(count)).wrapping_add(start) & mask == *held;
        if factor == 0 || !counts.iter().zip(&held).all(is_it) {
            continue;
        }
        let width = counter.width;
        let (shift, by) = (terms.bv(shift.into(), width), terms.bv(divisor.into(), width));
        let shifted = terms.add(counter.term, shift);
        let quotient = terms.udiv(shifted, by);
        let quotient = terms.resize(quotient, number.width, false);
        let (factor, start) = (terms.bv(factor.into(), number.width), terms.bv((start & mask).into(), number.width));
        let part = terms.mul(factor, quotient);
        let value = terms.add(part, start);
        return Some(terms.eq(number.term, value));
    }
    None
}

/// A number that is not negative, whatever its sign means.
fn natural(bits: &Bits) -> Option<u64> {
    if bits.is_negative() { None } else { bits.to_u64() }
}
