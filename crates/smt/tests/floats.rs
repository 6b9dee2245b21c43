//! Float semantics: the solver against this processor. The big run is `examples/float_fuzz.rs`.

#[path = "common/native.rs"]
mod native;

use smt::{Answer, BitwuzlaSettings, BitwuzlaSolver, Solver};
use term::random::Rng;
use term::{Format, Op, RoundingMode, Store, Value, semantics};

#[test]
fn floats_agree_with_the_processor() {
    let tally = native::run(2026, 1500, 50);
    assert!(tally.wrong.is_empty(), "{}", tally.wrong.join("\n"));
    assert_eq!(tally.constants, 1500);
    assert!(tally.variables >= 20 && tally.open == 0, "{tally:?}");
}

/// The formats that this processor or language has no type for, and all rounding modes: against our own evaluator,
/// which crate `term` compares with the processor and with `rustc_apfloat`.
#[test]
fn other_formats_and_rounding_modes_agree_with_the_evaluator() {
    let mut rng = Rng::new(11);
    let mut store = Store::new();
    let mut solver = BitwuzlaSolver::new(&BitwuzlaSettings::default());
    for format in [Format::F16, Format::F32, Format::F64, Format::F128, Format::X87] {
        for round in 0..40 {
            let mode = RoundingMode::ALL[round % 5];
            let other = *rng.pick(&[Format::F16, Format::F64, Format::X87]);
            let ops = [
                (Op::FpAdd(mode), 2),
                (Op::FpMul(mode), 2),
                (Op::FpDiv(mode), 2),
                (Op::FpFma(mode), 3),
                (Op::FpSqrt(mode), 1),
                (Op::FpRoundToIntegral(mode), 1),
                (Op::FpToFp(mode, other), 1),
                (Op::FpRem, 2),
            ];
            for (op, arity) in ops {
                let args: Vec<Value> = (0..arity).map(|_| Value::Float(rng.float(format))).collect();
                let expected = semantics::apply(op, &args).expect("determined");
                let terms: Vec<_> = args.iter().map(|arg| store.value(arg)).collect();
                let (result, expected) = (store.mk_raw(op, &terms), store.value(&expected));
                let same = store.mk_raw(Op::Eq, &[result, expected]);
                let differ = store.mk_raw(Op::Not, &[same]);
                assert_eq!(solver.check(&store, &[differ]), Ok(Answer::Unsat), "{op:?} {args:?}");
            }
        }
    }
}
