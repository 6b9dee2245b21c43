//! Float arithmetic against the processor (single and double, nearest even) and against `rustc_apfloat` (all formats and
//! modes); square roots, which the latter lacks, against their definition.

use num_bigint::BigInt;
use rustc_apfloat::ieee::{Double, Half, Quad, Single, X87DoubleExtended};
use rustc_apfloat::{Float, FloatConvert, Round, Status};
use term::random::Rng;
use term::{Bits, FloatValue, Format, RoundingMode};

const CASES: usize = 20_000;
const NEAREST: RoundingMode = RoundingMode::NearestEven;

fn same_f32(ours: FloatValue, native: f32, what: &str) {
    assert_eq!(ours, FloatValue::from_f32(native), "{what}: native {native:e}");
}

fn same_f64(ours: FloatValue, native: f64, what: &str) {
    assert_eq!(ours, FloatValue::from_f64(native), "{what}: native {native:e}");
}

#[test]
fn double_matches_the_processor() {
    let mut rng = Rng::new(1);
    for _ in 0..CASES {
        let (x, y, z) = (rng.float(Format::F64), rng.float(Format::F64), rng.float(Format::F64));
        let (a, b, c) = (x.to_f64().unwrap(), y.to_f64().unwrap(), z.to_f64().unwrap());
        let at = |op: &str| format!("{op} {x:?} {y:?} {z:?}");
        same_f64(x.add(y, NEAREST), a + b, &at("add"));
        same_f64(x.sub(y, NEAREST), a - b, &at("sub"));
        same_f64(x.mul(y, NEAREST), a * b, &at("mul"));
        same_f64(x.div(y, NEAREST), a / b, &at("div"));
        same_f64(x.fma(y, z, NEAREST), a.mul_add(b, c), &at("fma"));
        same_f64(x.abs().sqrt(NEAREST), a.abs().sqrt(), &at("sqrt"));
        same_f64(x.sqrt(NEAREST), a.sqrt(), &at("sqrt"));
        same_f64(x.round_to_integral(RoundingMode::NearestEven), a.round_ties_even(), &at("rint"));
        same_f64(x.round_to_integral(RoundingMode::NearestAway), a.round(), &at("round"));
        same_f64(x.round_to_integral(RoundingMode::Up), a.ceil(), &at("ceil"));
        same_f64(x.round_to_integral(RoundingMode::Down), a.floor(), &at("floor"));
        same_f64(x.round_to_integral(RoundingMode::Zero), a.trunc(), &at("trunc"));
        same_f32(x.convert(Format::F32, NEAREST), a as f32, &at("narrow"));
        assert_eq!(x.lt(y), a < b);
        assert_eq!(x.le(y), a <= b);
        assert_eq!(x.ieee_eq(y), a == b);
        match x.to_sbv(RoundingMode::Zero, 32) {
            Some(bits) => assert_eq!(bits.to_i128(), Some(a as i32 as i128), "{}", at("to int")),
            None => assert!(!(a > -2147483649.0 && a < 2147483648.0), "{}", at("to int")),
        }
        match x.to_ubv(RoundingMode::Zero, 64) {
            Some(bits) => assert_eq!(bits.to_u128(), Some(a as u64 as u128), "{}", at("to unsigned")),
            None => assert!(!(a > -1.0 && a < 18446744073709551616.0), "{}", at("to unsigned")),
        }
        let n = rng.next_u64() >> rng.below(64);
        same_f64(FloatValue::from_integer(Format::F64, NEAREST, &BigInt::from(n)), n as f64, "from unsigned");
        same_f64(
            FloatValue::from_integer(Format::F64, NEAREST, &BigInt::from(n as i64)),
            n as i64 as f64,
            "from signed",
        );
        same_f32(FloatValue::from_integer(Format::F32, NEAREST, &BigInt::from(n)), n as f32, "from unsigned");
        if a.is_finite() {
            let text = format!("{a:e}");
            assert_eq!(FloatValue::parse(Format::F64, NEAREST, &text), Some(x), "{text}");
            assert_eq!(FloatValue::parse(Format::F64, NEAREST, &format!("{x}")), Some(x), "{x}");
        }
    }
}

#[test]
fn single_matches_the_processor() {
    let mut rng = Rng::new(2);
    for _ in 0..CASES {
        let (x, y, z) = (rng.float(Format::F32), rng.float(Format::F32), rng.float(Format::F32));
        let (a, b, c) = (x.to_f32().unwrap(), y.to_f32().unwrap(), z.to_f32().unwrap());
        let at = |op: &str| format!("{op} {x:?} {y:?} {z:?}");
        same_f32(x.add(y, NEAREST), a + b, &at("add"));
        same_f32(x.sub(y, NEAREST), a - b, &at("sub"));
        same_f32(x.mul(y, NEAREST), a * b, &at("mul"));
        same_f32(x.div(y, NEAREST), a / b, &at("div"));
        same_f32(x.fma(y, z, NEAREST), a.mul_add(b, c), &at("fma"));
        same_f32(x.sqrt(NEAREST), a.sqrt(), &at("sqrt"));
        same_f32(x.round_to_integral(NEAREST), a.round_ties_even(), &at("rint"));
        same_f64(x.convert(Format::F64, NEAREST), a as f64, &at("widen"));
    }
}

fn round(mode: RoundingMode) -> Round {
    match mode {
        RoundingMode::NearestEven => Round::NearestTiesToEven,
        RoundingMode::NearestAway => Round::NearestTiesToAway,
        RoundingMode::Up => Round::TowardPositive,
        RoundingMode::Down => Round::TowardNegative,
        RoundingMode::Zero => Round::TowardZero,
    }
}

/// Between our packed values and theirs; the x87 format has an explicit integer bit in memory.
trait Packed: Float + FloatConvert<Single> + FloatConvert<Double> {
    const FORMAT: Format;

    fn theirs(x: FloatValue) -> Self {
        let bits = x.to_bits().to_u128().unwrap();
        if Self::FORMAT != Format::X87 {
            return Self::from_bits(bits);
        }
        let (head, fraction) = (bits >> 63, bits & ((1 << 63) - 1));
        let integer = u128::from(head & 0x7fff != 0);
        Self::from_bits(head << 64 | integer << 63 | fraction)
    }

    fn ours(self) -> FloatValue {
        let bits = self.to_bits();
        let bits = if Self::FORMAT == Format::X87 { bits >> 64 << 63 | bits & ((1 << 63) - 1) } else { bits };
        FloatValue::from_bits(Self::FORMAT, &Bits::new(bits, Self::FORMAT.width()))
    }
}

impl Packed for Half {
    const FORMAT: Format = Format::F16;
}
impl Packed for Single {
    const FORMAT: Format = Format::F32;
}
impl Packed for Double {
    const FORMAT: Format = Format::F64;
}
impl Packed for X87DoubleExtended {
    const FORMAT: Format = Format::X87;
}
impl Packed for Quad {
    const FORMAT: Format = Format::F128;
}

fn matches_apfloat<F: Packed>(seed: u64, cases: usize) {
    let format = F::FORMAT;
    let mut rng = Rng::new(seed);
    for _ in 0..cases {
        let (x, y, z) = (rng.float(format), rng.float(format), rng.float(format));
        let (a, b, c) = (F::theirs(x), F::theirs(y), F::theirs(z));
        assert_eq!(a.ours(), x);
        let at = |op: &str, mode: RoundingMode| format!("{op} {mode:?} {x:?} {y:?} {z:?}");
        for mode in RoundingMode::ALL {
            let r = round(mode);
            assert_eq!(x.add(y, mode), a.add_r(b, r).value.ours(), "{}", at("add", mode));
            assert_eq!(x.sub(y, mode), a.sub_r(b, r).value.ours(), "{}", at("sub", mode));
            assert_eq!(x.mul(y, mode), a.mul_r(b, r).value.ours(), "{}", at("mul", mode));
            assert_eq!(x.div(y, mode), a.div_r(b, r).value.ours(), "{}", at("div", mode));
            assert_eq!(x.fma(y, z, mode), a.mul_add_r(b, c, r).value.ours(), "{}", at("fma", mode));
            assert_eq!(x.round_to_integral(mode), a.round_to_integral(r).value.ours(), "{}", at("round", mode));
            let mut lost = false;
            let single: Single = a.convert_r(r, &mut lost).value;
            assert_eq!(x.convert(Format::F32, mode), single.ours(), "{}", at("to single", mode));
            let double: Double = a.convert_r(r, &mut lost).value;
            assert_eq!(x.convert(Format::F64, mode), double.ours(), "{}", at("to double", mode));
            let n = (u128::from(rng.next_u64()) << 64 | u128::from(rng.next_u64())) >> rng.below(128);
            assert_eq!(FloatValue::from_integer(format, mode, &BigInt::from(n)), F::from_u128_r(n, r).value.ours());
            for width in [8, 32, 64] {
                let mut exact = false;
                let theirs = a.to_i128_r(width, r, &mut exact);
                let valid = !theirs.status.contains(Status::INVALID_OP);
                let ours = x.to_sbv(mode, width as u32).and_then(|bits| bits.to_i128());
                assert_eq!(ours, valid.then_some(theirs.value), "{}", at("to signed", mode));
                let theirs = a.to_u128_r(width, r, &mut exact);
                let valid = !theirs.status.contains(Status::INVALID_OP);
                let ours = x.to_ubv(mode, width as u32).and_then(|bits| bits.to_u128());
                assert_eq!(ours, valid.then_some(theirs.value), "{}", at("to unsigned", mode));
            }
        }
        assert_eq!(x.rem(y), a.ieee_rem(b).value.ours(), "{}", at("rem", NEAREST));
        assert_eq!(x.compare(y), a.partial_cmp(&b));
        assert_eq!(x.is_normal(), a.is_normal());
        assert_eq!(x.is_subnormal(), a.is_denormal());
        assert_eq!(x.is_negative(), a.is_negative() && !a.is_nan());
        square_root_is_nearest::<F>(x.abs());
    }
}

/// Rounded down, the root's square does not exceed x, and the next float's does; the other modes pick among the two.
fn square_root_is_nearest<F: Packed>(x: FloatValue) {
    if x.is_nan() || x.is_infinite() || x.is_zero() {
        return;
    }
    let down = x.sqrt(RoundingMode::Down);
    let up = x.sqrt(RoundingMode::Up);
    let sign = |r: FloatValue| {
        // The sign of r * r - x, exactly: rounding away from zero on both sides keeps it.
        let low = r.fma(r, x.neg(), RoundingMode::Down);
        let high = r.fma(r, x.neg(), RoundingMode::Up);
        if low.is_zero() && high.is_zero() {
            0
        } else if low.is_negative() {
            -1
        } else {
            1
        }
    };
    if down == up {
        assert_eq!(sign(down), 0, "sqrt {x:?}");
    } else {
        assert_eq!(F::theirs(down).next_up().value.ours(), up, "sqrt {x:?}");
        assert_eq!((sign(down), sign(up)), (-1, 1), "sqrt {x:?}");
    }
    assert_eq!(x.sqrt(RoundingMode::Zero), down);
    for mode in [RoundingMode::NearestEven, RoundingMode::NearestAway] {
        let nearest = x.sqrt(mode);
        assert!(nearest == down || nearest == up, "sqrt {x:?}");
    }
}

#[test]
fn half_matches_apfloat() {
    matches_apfloat::<Half>(3, 3000);
}

#[test]
fn single_matches_apfloat() {
    matches_apfloat::<Single>(4, 3000);
}

#[test]
fn double_matches_apfloat() {
    matches_apfloat::<Double>(5, 2000);
}

#[test]
fn x87_matches_apfloat() {
    matches_apfloat::<X87DoubleExtended>(6, 1000);
}

#[test]
fn quad_matches_apfloat() {
    matches_apfloat::<Quad>(7, 700);
}

/// Nearest square roots in the formats that no processor here has: compare with the root in a much wider format, rounded
/// once more (innocuous: a root cannot lie that close to a midpoint).
#[test]
fn nearest_square_roots_of_tiny_formats() {
    let tiny = Format { exp: 4, sig: 5 };
    for n in 0..1u128 << tiny.width() {
        let x = FloatValue::from_bits(tiny, &Bits::new(n, tiny.width()));
        for mode in RoundingMode::ALL {
            let wide = x.convert(Format::F64, NEAREST).sqrt(NEAREST);
            let exact = wide.mul(wide, NEAREST) == x.convert(Format::F64, NEAREST) || x.is_nan();
            if exact || matches!(mode, RoundingMode::NearestEven | RoundingMode::NearestAway) {
                assert_eq!(x.sqrt(mode), wide.convert(tiny, mode), "{x:?} {mode:?}");
            }
        }
    }
}
