//! Ranges and differences hold for all values: against evaluation, at small widths.

use super::*;
use std::collections::BTreeSet;
use term::Bits;
use term::eval::eval;
use term::random::Rng;

const WIDTH: u32 = 3;

/// A random bit-vector term of 3 bits over the variables, of any operator that is looked at and some that are not.
fn word(terms: &mut Store, rng: &mut Rng, vars: &[Term], depth: u32) -> Term {
    if depth == 0 || rng.chance(6) {
        return match rng.chance(3) {
            true => terms.bv(rng.below(8) as u128, WIDTH),
            false => *rng.pick(&vars[..2]),
        };
    }
    let a = word(terms, rng, vars, depth - 1);
    let b = word(terms, rng, vars, depth - 1);
    match rng.below(20) {
        0 => terms.mk(Op::BvNot, &[a]),
        1 => terms.mk(Op::BvNeg, &[a]),
        2 | 3 => terms.mk(Op::BvAdd, &[a, b]),
        4 => terms.mk(Op::BvMul, &[a, b]),
        5 => terms.mk(Op::BvUdiv, &[a, b]),
        6 => terms.mk(Op::BvUrem, &[a, b]),
        7 => terms.mk(Op::BvSdiv, &[a, b]),
        8 => terms.mk(Op::BvSrem, &[a, b]),
        9 => terms.mk(Op::BvAnd, &[a, b]),
        10 => terms.mk(Op::BvOr, &[a, b]),
        11 => terms.mk(Op::BvXor, &[a, b]),
        12 => terms.mk(Op::BvLshr, &[a, b]),
        13 => terms.mk(Op::BvAshr, &[a, b]),
        14 => terms.mk(Op::BvShl, &[a, b]),
        15 => {
            let c = condition(terms, rng, vars, depth - 1);
            terms.ite(c, a, b)
        }
        16 => {
            let extended = terms.mk(Op::SignExtend(2), &[a]);
            let other = terms.mk(Op::ZeroExtend(2), &[b]);
            let sum = terms.mk(Op::BvAdd, &[extended, other]);
            terms.mk(Op::Extract { hi: 2, lo: 0 }, &[sum])
        }
        17 => {
            let both = terms.mk(Op::Concat, &[a, b]);
            let third = terms.bv(3, 6);
            let part = terms.mk(Op::BvUdiv, &[both, third]);
            terms.mk(Op::Extract { hi: 2, lo: 0 }, &[part])
        }
        18 => {
            let both = terms.mk(Op::Concat, &[a, b]);
            terms.mk(Op::Extract { hi: 3, lo: 1 }, &[both])
        }
        _ => {
            let five = terms.bv(5, WIDTH);
            terms.mk(Op::BvAdd, &[a, five])
        }
    }
}

fn condition(terms: &mut Store, rng: &mut Rng, vars: &[Term], depth: u32) -> Term {
    if depth > 0 && rng.chance(2) {
        let a = condition(terms, rng, vars, depth - 1);
        let b = condition(terms, rng, vars, depth - 1);
        return match rng.below(4) {
            0 => terms.not(a),
            1 => terms.mk(Op::And, &[a, b]),
            2 => terms.mk(Op::Or, &[a, b]),
            _ => terms.ite(a, b, vars[2]),
        };
    }
    let (a, b) = (word(terms, rng, vars, depth), word(terms, rng, vars, depth));
    let ops = [Op::Eq, Op::BvUlt, Op::BvUle, Op::BvSlt, Op::BvSle, Op::BvSaddo, Op::BvSsubo, Op::BvSmulo, Op::BvUmulo];
    match rng.below(12) {
        0..9 => terms.mk(*rng.pick(&ops), &[a, b]),
        9 => vars[2],
        10 => {
            let (a, b) = (terms.mk(Op::SignExtend(3), &[a]), terms.mk(Op::ZeroExtend(3), &[b]));
            terms.mk(Op::BvSlt, &[a, b])
        }
        _ => {
            let c = terms.bv(rng.below(8) as u128, WIDTH);
            terms.mk(*rng.pick(&ops[..5]), &[a, c])
        }
    }
}

fn within(range: Range, n: i128) -> bool {
    let half = 1i128 << (range.width - 1);
    let signed = if n >= half { n - 2 * half } else { n };
    (range.lo..=range.hi).contains(&n) && (range.signed_lo..=range.signed_hi).contains(&signed)
}

/// All values of the variables, with those of the condition and of the term.
type Row = (FxHashMap<Term, Value>, Value, Value);

fn rows(terms: &Store, vars: &[Term], condition: Term, t: Term) -> Vec<Row> {
    let mut rows = Vec::new();
    for n in 0..128u128 {
        let mut values: FxHashMap<Term, Value> = FxHashMap::default();
        values.insert(vars[0], Value::Bv(Bits::new(n & 7, WIDTH)));
        values.insert(vars[1], Value::Bv(Bits::new(n >> 3 & 7, WIDTH)));
        values.insert(vars[2], Value::Bool(n >> 6 == 1));
        let of = |t| eval(terms, t, &values).expect("a value");
        let (c, v) = (of(condition), of(t));
        rows.push((values, c, v));
    }
    rows
}

fn as_number(value: &Value) -> i128 {
    match value {
        Value::Bool(truth) => i128::from(*truth),
        Value::Bv(bits) => bits.to_u128().expect("small") as i128,
        other => panic!("{other:?}"),
    }
}

#[test]
fn ranges_hold_for_all_values() {
    let mut rng = Rng::new(22);
    let (mut settled, mut refuted, mut narrowed, mut related) = (0, 0, 0, 0);
    for _ in 0..4_000 {
        let mut terms = Store::new();
        let (x, y) = (terms.var("x", Sort::Bv(WIDTH)), terms.var("y", Sort::Bv(WIDTH)));
        let vars = [x, y, terms.var("p", Sort::Bool)];
        let depth = 1 + rng.below(3) as u32;
        let known = condition(&mut terms, &mut rng, &vars, depth);
        let t = word(&mut terms, &mut rng, &vars, depth);
        let asked = condition(&mut terms, &mut rng, &vars, depth);
        let mut bounds = Bounds::default();
        if rng.chance(2) {
            bounds.follow(&terms, &[(x, y)]);
        }
        let possible = bounds.assume(&terms, known, true);
        let text = || term::smtlib::print_term(&terms, known);
        refuted += u32::from(!possible);
        let kept: Vec<Row> = rows(&terms, &vars, known, t).into_iter().filter(|r| r.1 == Value::Bool(true)).collect();
        assert!(possible || kept.is_empty(), "{}", text());
        if !possible {
            continue;
        }
        let minus = |a: &Value, b: &Value| (as_number(a) - as_number(b)).rem_euclid(8);
        for (values, _, _) in &kept {
            for (var, range) in bounds.ranges.iter() {
                assert!(within(*range, as_number(&values[var])), "{} {var} {range:?}", text());
            }
            for (a, b) in [(x, y), (y, x)] {
                let apart = minus(&values[&a], &values[&b]);
                assert!(bounds.difference(a, b).is_none_or(|range| within(range, apart)), "{}", text());
            }
        }
        related += u32::from(bounds.differences.values().any(|range| *range != Range::full(WIDTH)));
        let range = Evaluation { bounds: &bounds, done: FxHashMap::default(), steps: STEPS };
        let range = { range }.range(&terms, t, DEPTH).expect("three bits");
        narrowed += u32::from(range != Range::full(WIDTH));
        for (_, _, value) in &kept {
            assert!(within(range, as_number(value)), "{}: {range:?}", term::smtlib::print_term(&terms, t));
        }
        let (truth, implied) = (bounds.truth(&terms, asked), bounds.implies(&terms, asked));
        settled += u32::from(implied);
        for (values, _, _) in &kept {
            let value = eval(&terms, asked, values).expect("a value");
            assert!(truth.is_none_or(|truth| value == Value::Bool(truth)), "{}", text());
            assert!(!implied || value == Value::Bool(true), "{}", text());
        }
        let mut after = bounds.clone();
        after.assign(&terms, &[(x, t), (y, x), (vars[2], asked)]);
        for (values, _, value) in &kept {
            let p = eval(&terms, asked, values).expect("a value");
            for (var, new) in [(x, value), (y, &values[&x]), (vars[2], &p)] {
                assert!(after.ranges.get(&var).is_none_or(|range| within(*range, as_number(new))));
            }
            let apart = minus(value, &values[&x]);
            assert!(after.difference(x, y).is_none_or(|range| within(range, apart)), "{}", text());
        }
        let mut joined = bounds.clone();
        joined.join(&after);
        for both in [&bounds, &after] {
            for (var, range) in joined.ranges.iter() {
                let part = both.ranges.get(var).copied().unwrap_or(Range::full(range.width));
                assert_eq!(range.join(part), *range);
            }
            for ((a, b), range) in joined.differences.iter() {
                let part = both.difference(*a, *b).expect("followed");
                assert_eq!(range.join(part), *range);
            }
        }
    }
    // The evaluation decides something: a test that learns nothing passes too.
    assert!(settled > 100 && refuted > 40 && narrowed > 200, "{settled} {refuted} {narrowed}");
    assert!(related > 5, "{related}");
}

/// `x` or `y` plus a constant, or one less the other.
fn sum(terms: &mut Store, rng: &mut Rng, vars: &[Term; 2]) -> Term {
    let (a, b) = (vars[rng.below(2)], vars[rng.below(2)]);
    let by = terms.bv(rng.below(8) as u128, WIDTH);
    match rng.below(3) {
        0 => a,
        1 => terms.mk(Op::BvAdd, &[a, by]),
        _ => {
            let minus = terms.mk(Op::BvNeg, &[b]);
            terms.mk(Op::BvAdd, &[a, minus])
        }
    }
}

#[test]
fn differences_hold_for_all_values_along_edges() {
    let mut rng = Rng::new(31);
    let (mut settled, mut refuted) = (0, 0);
    for _ in 0..4_000 {
        let mut terms = Store::new();
        let vars = [terms.var("x", Sort::Bv(WIDTH)), terms.var("y", Sort::Bv(WIDTH))];
        let mut bounds = Bounds::default();
        bounds.follow(&terms, &[(vars[0], vars[1])]);
        // Where the 64 states are after some edges.
        let mut states: BTreeSet<(u128, u128)> = (0..64).map(|n| (n % 8, n / 8)).collect();
        let values = |(a, b): (u128, u128)| -> FxHashMap<Term, Value> {
            let value = |n| Value::Bv(Bits::new(n, WIDTH));
            FxHashMap::from_iter([(vars[0], value(a)), (vars[1], value(b))])
        };
        let mut possible = true;
        for _ in 0..1 + rng.below(5) {
            let (a, b) = (sum(&mut terms, &mut rng, &vars), sum(&mut terms, &mut rng, &vars));
            if rng.chance(2) {
                let constant = terms.bv(rng.below(8) as u128, WIDTH);
                let op = *rng.pick(&[Op::Eq, Op::Eq, Op::BvUlt, Op::BvSle]);
                let condition = terms.mk(op, &[a, if rng.chance(2) { b } else { constant }]);
                let wanted = rng.chance(2);
                states.retain(|state| eval(&terms, condition, &values(*state)) == Ok(Value::Bool(wanted)));
                possible = bounds.assume(&terms, condition, wanted);
            } else {
                let pairs = [(vars[0], a), (vars[1], b)];
                let pairs = if rng.chance(2) { &pairs[..] } else { &pairs[..1] };
                let number = |t, state| as_number(&eval(&terms, t, &values(state)).expect("a value")) as u128;
                let is_second = pairs.len() == 2;
                states = states.iter().map(|s| (number(a, *s), if is_second { number(b, *s) } else { s.1 })).collect();
                bounds.assign(&terms, pairs);
            }
            if !possible {
                break;
            }
        }
        assert!(possible || states.is_empty());
        refuted += u32::from(!possible);
        let asked = (sum(&mut terms, &mut rng, &vars), sum(&mut terms, &mut rng, &vars));
        let asked = terms.mk(Op::Eq, &[asked.0, asked.1]);
        let truth = possible.then(|| bounds.truth(&terms, asked)).flatten();
        settled += u32::from(truth.is_some() && terms.as_bool_const(asked).is_none());
        for state in &states {
            let value = eval(&terms, asked, &values(*state)).expect("a value");
            assert!(truth.is_none_or(|truth| value == Value::Bool(truth)));
            let apart = (state.0 as i128 - state.1 as i128).rem_euclid(8);
            assert!(bounds.difference(vars[0], vars[1]).is_some_and(|range| within(range, apart)));
        }
    }
    assert!(settled > 500 && refuted > 100, "{settled} {refuted}");
}

#[test]
fn large_numbers_do_not_overflow() {
    let mut terms = Store::new();
    let (x, y) = (terms.var("x", Sort::Bv(64)), terms.var("y", Sort::Bv(64)));
    let product = terms.mk(Op::BvMul, &[x, y]);
    let (sum, negated) = (terms.mk(Op::BvAdd, &[product, x]), terms.mk(Op::BvNeg, &[product]));
    let less = terms.mk(Op::BvUlt, &[sum, negated]);
    let over = terms.mk(Op::BvUmulo, &[x, y]);
    let wide = terms.mk(Op::BvSmulo, &[x, y]);
    let mut bounds = Bounds::default();
    assert!(bounds.assume(&terms, less, true) && bounds.assume(&terms, over, true));
    assert!(bounds.assume(&terms, wide, true) && bounds.truth(&terms, less).is_none());
}
