//! Monotone combinations: sums `a*x + b*y` that no path around a loop makes smaller stay above what they were when the
//! loop was entered.
//!
//! A loop that counts `x` up and `z` down keeps `x + z`, so `x` stays below what `z` was, however large, and does not
//! overflow. No data shows such a bound: it comes from the ends of the types. Combinations are computed in 64 bits, where nothing
//! wraps around.

use crate::limits::candidates::{LARGEST_FACTOR, MAX_COUNTERS};
use crate::segments::Segment;
use cfa::{Loc, Program, Var};
use encode::Value;
use flow::wto::Wto;
use poly::{Bounds, Interval};
use std::collections::{BTreeMap, BTreeSet};
use term::{Bits, Store, Term};
/// Combinations of variables up to one width fit the other.
const WIDEST: u32 = 32;
const WIDE: u32 = 64;

/// Bounds of combinations of two variables at the head.
pub fn monotone_combinations(
    program: &Program,
    wto: &Wto,
    segments: &[Segment],
    head: Loc,
    terms: &mut Store,
) -> Vec<Term> {
    let inside = |loc: Loc| wto.heads_around(loc).contains(&head);
    let starts_inside = |s: &Segment| s.from.is_some_and(inside);
    let around: Vec<&Segment> =
        segments.iter().filter(|s| starts_inside(s) && wto.is_head(s.to) && inside(s.to)).collect();
    let entries: Vec<&Segment> = segments.iter().filter(|s| s.to == head && !starts_inside(s)).collect();
    let counters = counters(program, &around, terms);
    let mut found = Vec::new();
    for (i, (x, xs)) in counters.iter().enumerate() {
        for (y, ys) in &counters[i + 1..] {
            for (a, b) in directions(xs, ys) {
                found.extend(bound(program, &entries, [(a, *x), (b, *y)], terms));
            }
        }
    }
    found
}

/// The variables that every path changes by a constant, and some path does change, with the changes.
fn counters(program: &Program, around: &[&Segment], terms: &mut Store) -> Vec<(Var, Vec<i128>)> {
    let mut found = Vec::new();
    for (var, info) in program.vars.iter() {
        if info.sort.bv_width().is_none_or(|width| width > WIDEST) {
            continue;
        }
        let changes: Option<Vec<i128>> = around.iter().map(|s| change(terms, info.term, s.state.get(var))).collect();
        found.extend(changes.filter(|all| all.iter().any(|c| *c != 0)).map(|all| (var, all)));
    }
    found.truncate(MAX_COUNTERS);
    found
}

/// By how much the value is larger than the variable.
fn change(terms: &mut Store, var: Term, value: &Value) -> Option<i128> {
    let value = value.term(terms);
    let difference = terms.sub(value, var);
    terms.as_bv_const(difference).and_then(Bits::to_i128)
}

/// The factors of `x` and `y` whose combination one path keeps, and none makes smaller.
fn directions(xs: &[i128], ys: &[i128]) -> BTreeSet<(i128, i128)> {
    let mut found = BTreeSet::new();
    for (dx, dy) in xs.iter().zip(ys) {
        let divisor = gcd(dx.unsigned_abs(), dy.unsigned_abs()) as i128;
        if *dx == 0 || *dy == 0 || dx.abs() / divisor > LARGEST_FACTOR || dy.abs() / divisor > LARGEST_FACTOR {
            continue;
        }
        for (a, b) in [(dy / divisor, -dx / divisor), (-dy / divisor, dx / divisor)] {
            if xs.iter().zip(ys).all(|(x, y)| a * x + b * y >= 0) {
                found.insert((a, b));
            }
        }
    }
    found
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// That the combination is at least what it is on entry; `None` if that says nothing.
fn bound(program: &Program, entries: &[&Segment], parts: [(i128, Var); 2], terms: &mut Store) -> Option<Term> {
    let range = |signed: bool, width: u32| if signed { Interval::signed(width) } else { Interval::unsigned(width) };
    let signed = |var: Var| program.vars[var].source.as_ref().is_none_or(|s| s.signed);
    let width = |var: Var| program.vars[var].sort.bv_width().unwrap_or_default();
    let mut least: Option<i128> = None;
    for entry in entries {
        let bounds = Bounds::from_literals(terms, &entry.conditions);
        // Variables that are entered with the same value move together.
        let mut factors: BTreeMap<(Term, bool), i128> = BTreeMap::new();
        for (factor, var) in parts {
            *factors.entry((entry.state.term(terms, var), signed(var))).or_default() += factor;
        }
        let mut sum = 0;
        for ((value, signed), factor) in factors {
            let known = if signed { bounds.signed(terms, value) } else { bounds.unsigned(terms, value) };
            sum += if factor >= 0 { factor * known.lo } else { factor * known.hi };
        }
        least = Some(least.map_or(sum, |least| least.min(sum)));
    }
    let least = least?;
    let lowest: i128 = parts
        .iter()
        .map(|(factor, var)| {
            let all = range(signed(*var), width(*var));
            if *factor >= 0 { factor * all.lo } else { factor * all.hi }
        })
        .sum();
    if least <= lowest {
        return None;
    }
    let mut sum = terms.bv(0, WIDE);
    for (factor, var) in parts {
        let value = terms.resize(program.term(var), WIDE, signed(var));
        let factor = terms.bv_signed(factor, WIDE);
        let part = terms.mul(value, factor);
        sum = terms.add(sum, part);
    }
    let least = terms.bv_signed(least, WIDE);
    Some(terms.sle(least, sum))
}
