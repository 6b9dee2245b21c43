//! Unsigned terms that may decrease from loop head to loop head: distances in the program's comparisons, its variables, and what
//! follows from how loops change them, such as `x := x + 3` or `x := 2 x`.

use super::limits::facts::{LARGEST_FACTOR, MOST_CONDITIONS_OF_A_STEP, MOST_NUMBERS};
use cfa::{Program, Var};
use flow::wto::Wto;
use infer::segments::{Comes, Segment};
use std::collections::BTreeSet;
use term::bits::inverse_of_odd;
use term::{Op, Sort, Store, Term};

/// Unsigned terms that may decrease.
pub(crate) fn of(program: &Program, terms: &mut Store, wto: &Wto, atoms: &[Term], segments: &[Segment]) -> Vec<Term> {
    let mut found = Vec::new();
    for atom in atoms {
        let [a, b] = *terms.args(*atom) else { continue };
        if !matches!(terms.sort(a), Sort::Bv(1..=128)) {
            continue;
        }
        // Where it holds, no more than this is needed, and it is the easiest to check.
        if let Op::BvSlt | Op::BvUlt = terms.op(*atom) {
            found.push(terms.sub(b, a));
        }
        match terms.op(*atom) {
            Op::BvSlt | Op::BvSle => {
                found.push(distance(terms, a, b, true));
                found.push(distance(terms, b, a, true));
            }
            Op::BvUlt | Op::BvUle => {
                found.push(distance(terms, a, b, false));
                found.push(distance(terms, b, a, false));
            }
            Op::Eq => {
                found.extend([terms.sub(a, b), terms.sub(b, a)]);
                found.push(distance(terms, a, b, true));
                found.push(distance(terms, b, a, true));
            }
            _ => {}
        }
    }
    // While the condition holds: the number itself, or how far it is from the largest one.
    for atom in atoms {
        let [a, b] = *terms.args(*atom) else { continue };
        if !matches!(terms.op(*atom), Op::BvSlt | Op::BvSle | Op::BvUlt | Op::BvUle | Op::Eq) {
            continue;
        }
        for t in [a, b]
            .into_iter()
            .filter(|t| program.var_of(*t).is_some() && matches!(terms.sort(*t), Sort::Bv(_)))
            .collect::<Vec<_>>()
        {
            let not = terms.not(*atom);
            let complement = terms.bvnot(t);
            for condition in [*atom, not] {
                for number in [t, complement] {
                    let width = terms.width(t) + 1;
                    let (number, one, zero) = (terms.zext_to(number, width), terms.bv(1, width), terms.bv(0, width));
                    let more = terms.add(number, one);
                    found.push(terms.ite(condition, more, zero));
                }
            }
        }
    }
    // Variables that loops change, upwards and downwards, as signed and as unsigned numbers.
    let changed = changed_in_loops(program, wto);
    let numbers: Vec<Term> = changed
        .iter()
        .filter(|v| matches!(program.vars[**v].sort, Sort::Bv(_)))
        .map(|v| program.term(*v))
        .take(MOST_NUMBERS)
        .collect();
    for v in changed.iter().filter(|v| program.vars[**v].sort == Sort::Bool) {
        let t = program.term(*v);
        let number = terms.bool_to_bv(t, 1);
        found.extend([number, terms.bvnot(number)]);
    }
    for &t in &numbers {
        let width = terms.width(t);
        let zero = terms.bv(0, width);
        found.push(distance(terms, zero, t, true));
        found.push(distance(terms, t, zero, true));
        let sign = terms.bv(1 << (width - 1).min(127), width);
        let biased = terms.bvxor(t, sign);
        found.extend([t, terms.bvnot(t), biased, terms.bvnot(biased)]);
    }
    let steps = Steps::of(program, terms, segments, &numbers);
    steps.odd(terms, atoms, &mut found);
    steps.doubling(terms, &mut found);
    steps.in_proportion(terms, &mut found);
    for &t in &numbers {
        // Numbers that are divided, or change their sign.
        let zero = terms.bv(0, terms.width(t));
        let (is_negative, other) = (terms.slt(t, zero), terms.neg(t));
        found.push(terms.ite(is_negative, other, t));
    }
    for (i, &a) in numbers.iter().enumerate() {
        for &b in &numbers[i + 1..] {
            if terms.width(a) == terms.width(b) {
                found.push(distance(terms, a, b, true));
                found.push(distance(terms, b, a, true));
                let width = terms.width(a) + 1;
                let (x, y) = (terms.sext_to(a, width), terms.sext_to(b, width));
                let sum = terms.add(x, y);
                let zero = terms.bv(0, width);
                found.push(distance(terms, zero, sum, true));
                found.push(distance(terms, sum, zero, true));
            }
        }
    }
    // All numbers together.
    for width in [8, 16, 32, 64] {
        let alike: Vec<Term> = numbers.iter().copied().filter(|t| terms.width(*t) == width).collect();
        if (3..=6).contains(&alike.len()) {
            let mut sum = terms.bv(0, width + 3);
            for t in alike {
                let wide = terms.sext_to(t, width + 3);
                sum = terms.add(sum, wide);
            }
            let zero = terms.bv(0, width + 3);
            found.push(distance(terms, zero, sum, true));
        }
    }
    let mut seen = BTreeSet::new();
    found.retain(|t| seen.insert(*t));
    found
}

/// The variables that loops change and that matter at a head.
pub(crate) fn changed_in_loops(program: &Program, wto: &Wto) -> Vec<Var> {
    let live_at = flow::live_at_heads(program, wto);
    let inside = program.main().edges.values().filter(|e| wto.reaches(e.from) && !wto.heads_around(e.from).is_empty());
    let changed: BTreeSet<Var> = inside.flat_map(|e| e.op.written()).collect();
    changed.into_iter().filter(|v| wto.heads().any(|head| live_at[head].contains(v))).collect()
}

/// How far `a` is below `b`, plus one; zero if it is above.
fn distance(terms: &mut Store, a: Term, b: Term, signed: bool) -> Term {
    let width = terms.width(a) + 2;
    let (a, b) = (terms.resize(a, width, signed), terms.resize(b, width, signed));
    let below = terms.sle(a, b);
    let (difference, one) = (terms.sub(b, a), terms.bv(1, width));
    let (more, zero) = (terms.add(difference, one), terms.bv(0, width));
    terms.ite(below, more, zero)
}

/// Each measure where a condition holds, and zero elsewhere.
pub(crate) fn where_conditions_hold(terms: &mut Store, measures: &[Term], atoms: &[Term]) -> Vec<Term> {
    let mut found = Vec::new();
    for &measure in measures {
        for &atom in atoms {
            let zero = terms.bv(0, terms.width(measure));
            found.extend([terms.ite(atom, measure, zero), terms.ite(atom, zero, measure)]);
        }
    }
    found
}

/// How iterations change numbers.
struct Steps {
    numbers: Vec<Term>,
    /// What each way through an iteration adds to each number; nothing is said of numbers that change otherwise.
    sums: BTreeSet<Vec<Option<i128>>>,
    /// Numbers that are shifted to the left.
    doubled: BTreeSet<Term>,
}

impl Steps {
    fn of(program: &Program, terms: &mut Store, segments: &[Segment], numbers: &[Term]) -> Steps {
        let mut steps = Steps { numbers: numbers.to_vec(), sums: BTreeSet::new(), doubled: BTreeSet::new() };
        for segment in segments.iter().filter(|s| s.comes == Comes::ToHead && s.from == Some(s.to)) {
            let after: Vec<Term> = numbers.iter().map(|t| segment.after(program, terms, *t)).collect();
            steps.ways(terms, after, MOST_CONDITIONS_OF_A_STEP);
        }
        steps
    }

    /// Divides by the conditions that the values depend on.
    fn ways(&mut self, terms: &mut Store, after: Vec<Term>, most: u32) {
        let choice = after.iter().find(|t| terms.op(**t) == Op::Ite).map(|t| terms.arg(*t, 0));
        if let (Some(condition), true) = (choice, most > 0) {
            for holds in [true, false] {
                let chosen = after.iter().map(|t| decided(terms, *t, condition, holds)).collect();
                self.ways(terms, chosen, most - 1);
            }
            return;
        }
        let sums = self.numbers.iter().zip(&after).map(|(before, after)| {
            let factor = |t: Term| terms.as_bv_const(t).and_then(|c| c.to_u128());
            match (terms.op(*after), terms.args(*after)) {
                _ if after == before => Some(0),
                (Op::BvAdd, &[a, b]) if a == *before || b == *before => {
                    let by = if a == *before { b } else { a };
                    factor(by).map(|sum| signed(sum, terms.width(by)))
                }
                (Op::BvShl, &[a, by]) if a == *before && factor(by).is_some_and(|by| by > 0) => {
                    self.doubled.insert(*before);
                    None
                }
                (Op::BvMul, &[a, b]) if a == *before || b == *before => {
                    let by = factor(if a == *before { b } else { a });
                    if by.is_some_and(|by| by % 2 == 0) {
                        self.doubled.insert(*before);
                    }
                    None
                }
                (Op::Concat, &[high, low]) => {
                    let is_low = matches!(terms.op(high), Op::Extract { lo: 0, .. }) && terms.arg(high, 0) == *before;
                    if is_low && factor(low) == Some(0) {
                        self.doubled.insert(*before);
                    }
                    None
                }
                _ => None,
            }
        });
        let sums = sums.collect();
        self.sums.insert(sums);
    }

    /// A number that odd numbers are added to takes every value: how many steps it is away from one that it is compared with, or
    /// from the largest or smallest one.
    fn odd(&self, terms: &mut Store, atoms: &[Term], found: &mut Vec<Term>) {
        for (i, &number) in self.numbers.iter().enumerate() {
            let width = terms.width(number);
            if width > 64 {
                continue;
            }
            let steps: BTreeSet<i128> = self.sums.iter().filter_map(|sums| sums[i]).collect();
            for by in steps.into_iter().filter(|by| by % 2 != 0 && by.abs() > 1) {
                let inverse = inverse_of_odd(by as u128);
                let largest = 1u128 << (width - 1);
                let mut ends = vec![terms.bv(0, width), terms.bv(u128::MAX >> (128 - width), width)];
                ends.extend([terms.bv(largest, width), terms.bv(largest - 1, width)]);
                for atom in atoms {
                    match *terms.args(*atom) {
                        [a, b] if a == number => ends.push(b),
                        [a, b] if b == number => ends.push(a),
                        _ => {}
                    }
                }
                for end in ends {
                    let inverse = terms.bv(inverse & (u128::MAX >> (128 - width)), width);
                    let distance = terms.sub(end, number);
                    found.push(terms.mul(inverse, distance));
                }
            }
        }
    }

    /// The lowest bit of a number that is shifted to the left goes up until nothing is left.
    fn doubling(&self, terms: &mut Store, found: &mut Vec<Term>) {
        for &number in &self.doubled {
            let zero = terms.bv(0, terms.width(number));
            let negative = terms.neg(number);
            let lowest = terms.bvand(number, negative);
            let (is_zero, above) = (terms.eq(number, zero), terms.bvnot(lowest));
            found.push(terms.ite(is_zero, zero, above));
        }
    }

    /// `a x + b y`, of which every way through an iteration takes something: two ways determine the factors. As whole numbers,
    /// above all that may be below zero.
    fn in_proportion(&self, terms: &mut Store, found: &mut Vec<Term>) {
        for (i, &x) in self.numbers.iter().enumerate() {
            for (j, &y) in self.numbers.iter().enumerate().skip(i + 1) {
                let steps: Option<BTreeSet<(i128, i128)>> = self.sums.iter().map(|s| Some((s[i]?, s[j]?))).collect();
                let Some(steps) = steps else { continue };
                let mut factors = BTreeSet::new();
                for (k, s) in steps.iter().enumerate() {
                    for t in steps.iter().skip(k + 1) {
                        factors.extend(decreasing(*s, *t));
                    }
                }
                let takes = |(a, b): (i128, i128)| steps.iter().all(|(x, y)| a * x + b * y <= 0);
                for (a, b) in factors.into_iter().filter(|f| takes(*f)) {
                    let width = terms.width(x).max(terms.width(y)) + 2 * LARGEST_FACTOR.ilog2();
                    let (x, y) = (terms.sext_to(x, width), terms.sext_to(y, width));
                    let mask = u128::MAX >> (128 - width);
                    let (a, b) = (terms.bv(a as u128 & mask, width), terms.bv(b as u128 & mask, width));
                    let (x, y) = (terms.mul(a, x), terms.mul(b, y));
                    let (sum, base) = (terms.add(x, y), terms.bv(1 << (width - 1), width));
                    found.push(terms.add(sum, base));
                }
            }
        }
    }
}

/// Small factors with which both steps take the same, something.
pub(crate) fn decreasing((x, y): (i128, i128), (z, w): (i128, i128)) -> Option<(i128, i128)> {
    if [x, y, z, w].iter().any(|by| by.abs() >= 1 << 60) {
        return None;
    }
    let determinant = x * w - y * z;
    let (a, b) = ((y - w) * determinant.signum(), (z - x) * determinant.signum());
    let common =
        (1..=a.abs().min(b.abs())).take(LARGEST_FACTOR as usize).filter(|d| a % d == 0 && b % d == 0).last()?;
    let (a, b) = (a / common, b / common);
    (determinant != 0 && a.abs().max(b.abs()) < LARGEST_FACTOR as i128).then_some((a, b))
}

/// What it is where a condition is known.
fn decided(terms: &Store, mut t: Term, condition: Term, holds: bool) -> Term {
    while terms.op(t) == Op::Ite && terms.arg(t, 0) == condition {
        t = terms.arg(t, if holds { 1 } else { 2 });
    }
    t
}

fn signed(number: u128, width: u32) -> i128 {
    ((number << (128 - width)) as i128) >> (128 - width)
}
