//! Float operations on random operands, with the result that this processor computes. Shared by a test and an example.

use smt::{Answer, BitwuzlaSettings, BitwuzlaSolver, Limits, Solver, Why};
use std::time::Duration;
use term::random::Rng;
use term::{Bits, FloatValue, Format, Op, RoundingMode, Sort, Store, Term, Value};

use RoundingMode::{Down, NearestAway, NearestEven, Up, Zero};

// The IEEE remainder is in the C library only.
#[allow(unsafe_code)]
mod libm {
    unsafe extern "C" {
        pub(super) safe fn remainder(x: f64, y: f64) -> f64;
        pub(super) safe fn remainderf(x: f32, y: f32) -> f32;
    }
}

/// An operator on values, and what it must give.
pub(crate) struct Case {
    op: Op,
    args: Vec<Value>,
    expected: Value,
}

fn single(x: f32) -> Value {
    Value::Float(FloatValue::from_f32(x))
}

fn double(x: f64) -> Value {
    Value::Float(FloatValue::from_f64(x))
}

macro_rules! arithmetic {
    ($name:ident, $float:ty, $value:ident, $remainder:path) => {
        /// An operation within one format.
        fn $name(rng: &mut Rng, x: $float, y: $float, z: $float) -> Case {
            let (op, args, result) = match rng.below(14) {
                0 => (Op::FpAdd(NearestEven), vec![x, y], x + y),
                1 => (Op::FpAdd(NearestEven), vec![x, -y], x - y),
                2 => (Op::FpMul(NearestEven), vec![x, y], x * y),
                3 => (Op::FpDiv(NearestEven), vec![x, y], x / y),
                4 => (Op::FpSqrt(NearestEven), vec![x], x.sqrt()),
                5 => (Op::FpFma(NearestEven), vec![x, y, z], x.mul_add(y, z)),
                6 => (Op::FpRem, vec![x, y], $remainder(x, y)),
                7 => (Op::FpRoundToIntegral(NearestEven), vec![x], x.round_ties_even()),
                8 => (Op::FpRoundToIntegral(NearestAway), vec![x], x.round()),
                9 => (Op::FpRoundToIntegral(Up), vec![x], x.ceil()),
                10 => (Op::FpRoundToIntegral(Down), vec![x], x.floor()),
                11 => (Op::FpRoundToIntegral(Zero), vec![x], x.trunc()),
                12 => (Op::FpNeg, vec![x], -x),
                _ => (Op::FpAbs, vec![x], x.abs()),
            };
            Case { op, args: args.into_iter().map($value).collect(), expected: $value(result) }
        }
    };
}

arithmetic!(single_arithmetic, f32, single, libm::remainderf);
arithmetic!(double_arithmetic, f64, double, libm::remainder);

/// Comparisons, classes, conversions.
fn conversion(rng: &mut Rng, x: f32, d: f64, i: i64) -> Case {
    let bits = |value: i128, width: u32| Value::Bv(Bits::from_i128(value, width));
    let (s, e) = (single(x), double(d));
    let (op, args, expected) = match rng.below(18) {
        0 => (Op::FpToFp(NearestEven, Format::F64), vec![s], double(f64::from(x))),
        1 => (Op::FpToFp(NearestEven, Format::F32), vec![e], single(d as f32)),
        2 => (Op::FpFromSbv(NearestEven, Format::F64), vec![bits(i.into(), 64)], double(i as f64)),
        3 => (Op::FpFromUbv(NearestEven, Format::F64), vec![bits(i.into(), 64)], double(i as u64 as f64)),
        4 => (Op::FpFromSbv(NearestEven, Format::F32), vec![bits(i.into(), 64)], single(i as f32)),
        5 => (Op::FpFromUbv(NearestEven, Format::F32), vec![bits(i.into(), 32)], single(i as u32 as f32)),
        // In range: the value of others is left open.
        6 => {
            let d = d.clamp(-2e18, 2e18);
            let d = if d.is_nan() { 1.5 } else { d };
            (Op::FpToSbv(Zero, 64), vec![double(d)], bits((d as i64).into(), 64))
        }
        7 => {
            let d = if d.is_nan() { 2.5 } else { d.abs().clamp(0.0, 1e19) };
            (Op::FpToUbv(Zero, 64), vec![double(d)], bits((d as u64).into(), 64))
        }
        8 => {
            let x = if x.is_nan() { -3.5 } else { x.clamp(-2e9, 2e9) };
            (Op::FpToSbv(Zero, 32), vec![single(x)], bits((x as i32).into(), 32))
        }
        9 => (Op::FpLt, vec![s, single(d as f32)], (x < d as f32).into()),
        10 => (Op::FpLe, vec![s, single(d as f32)], (x <= d as f32).into()),
        11 => (Op::FpEq, vec![e.clone(), double(f64::from(x))], (d == f64::from(x)).into()),
        12 => (Op::FpIsNan, vec![s], x.is_nan().into()),
        13 => (Op::FpIsInf, vec![e], d.is_infinite().into()),
        14 => (Op::FpIsSubnormal, vec![e], d.is_subnormal().into()),
        15 => (Op::FpIsNormal, vec![s], x.is_normal().into()),
        16 => (Op::FpIsNegative, vec![s], (x.is_sign_negative() && !x.is_nan()).into()),
        _ => (Op::FpFromBits(Format::F64), vec![bits(i.into(), 64)], double(f64::from_bits(i as u64))),
    };
    Case { op, args, expected }
}

/// A number of interesting size about half of the time.
fn operand(rng: &mut Rng) -> f64 {
    match rng.below(4) {
        0 => rng.float(Format::F64).to_f64().unwrap_or(f64::NAN),
        1 => f64::from(rng.float(Format::F32).to_f32().unwrap_or(f32::NAN)),
        2 => (rng.next_u64() as i16) as f64 / 8.0,
        _ => (rng.next_u64() as i64) as f64 * (2f64).powi(rng.below(140) as i32 - 110),
    }
}

pub(crate) fn random_case(rng: &mut Rng) -> Case {
    let (x, y, z) = (operand(rng), operand(rng), operand(rng));
    let i = (rng.next_u64() as i64) >> rng.below(64);
    match rng.below(3) {
        0 => single_arithmetic(rng, x as f32, y as f32, z as f32),
        1 => double_arithmetic(rng, x, y, z),
        _ => conversion(rng, x as f32, x, i),
    }
}

impl Case {
    /// The remainder's circuit has a stage for every exponent: as variables only floats of few exponents will do.
    fn suits_variables(&self) -> bool {
        self.op != Op::FpRem
    }

    /// The result with literal operands differs from what the processor computes.
    pub(crate) fn wrong_for_constants(&self, store: &mut Store) -> Term {
        let args: Vec<Term> = self.args.iter().map(|arg| store.value(arg)).collect();
        self.wrong(store, &args)
    }

    /// The same with variables that can only have these values, in a way that is not found by substitution.
    pub(crate) fn wrong_for_variables(&self, store: &mut Store, name: &str) -> Option<Term> {
        if !self.suits_variables() {
            return None;
        }
        let mut all = store.tt();
        let mut args = Vec::new();
        for (arg, n) in self.args.iter().zip(0..) {
            let (bits, decode) = match arg {
                Value::Float(float) => (float.to_bits(), Some(float.format())),
                Value::Bv(bits) => (bits.clone(), None),
                _ => return None,
            };
            let var = store.var(&format!("{name}_{n}"), Sort::Bv(bits.width()));
            let literal = store.bv_bits(bits);
            for (a, b) in [(var, literal), (literal, var)] {
                let at_most = store.mk_raw(Op::BvUle, &[a, b]);
                all = store.mk_raw(Op::And, &[all, at_most]);
            }
            args.push(decode.map_or(var, |format| store.mk_raw(Op::FpFromBits(format), &[var])));
        }
        let wrong = self.wrong(store, &args);
        Some(store.mk_raw(Op::And, &[all, wrong]))
    }

    fn wrong(&self, store: &mut Store, args: &[Term]) -> Term {
        let result = store.mk_raw(self.op, args);
        let expected = store.value(&self.expected);
        let same = store.mk_raw(Op::Eq, &[result, expected]);
        store.mk_raw(Op::Not, &[same])
    }

    pub(crate) fn describe(&self) -> String {
        format!("{:?} {:?} should be {:?}", self.op, self.args, self.expected)
    }
}

/// What a run has seen.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) constants: usize,
    pub(crate) variables: usize,
    pub(crate) open: usize,
    pub(crate) wrong: Vec<String>,
}

/// So many cases with literal operands, and every `nth` also with variables.
pub(crate) fn run(seed: u64, cases: usize, nth: usize) -> Tally {
    let mut rng = Rng::new(seed);
    let mut tally = Tally::default();
    let settings = BitwuzlaSettings { preprocessing: false, ..BitwuzlaSettings::default() };
    for chunk in 0..cases.div_ceil(100) {
        // A store and a solver for each hundred: bit-blasted floats take room.
        let mut store = Store::new();
        let mut solver = BitwuzlaSolver::new(&settings);
        solver.limit(&Limits { time: Some(Duration::from_secs(20)), cancel: None });
        for n in (chunk * 100)..cases.min(chunk * 100 + 100) {
            let case = random_case(&mut rng);
            let constants = case.wrong_for_constants(&mut store);
            let variables = case.wrong_for_variables(&mut store, &format!("v{n}")).filter(|_| n % nth == 0);
            for (question, count) in [(Some(constants), &mut tally.constants), (variables, &mut tally.variables)] {
                let Some(question) = question else { continue };
                match solver.check(&store, &[question]) {
                    Ok(Answer::Unsat) => *count += 1,
                    Err(Why::Timeout) => tally.open += 1,
                    other => tally.wrong.push(format!("{}: {other:?}", case.describe())),
                }
            }
        }
    }
    tally
}
