//! The circuits against evaluation, and the clauses against the solvers, on random terms as they were written.
//!
//! The seeds are fixed and printed with what fails. `BITBLAST_TERMS=1000000` makes it a million terms of each test, and
//! `BITBLAST_AFTER=200000` leaves out the first of them, so that many terms can be tried in parts.

use bitblast::{Blasted, Refused, blast};
use lrat::Cnf;
use sat::Outcome;
use smt::{Answer, Backend, Limits, SolverSettings, Why, Z3Settings};
use std::collections::BTreeMap;
use std::time::Duration;
use term::random::{Config, Generator, Rng};
use term::{ArraySort, Format, Op, Scalar, Sort, Store, Term, Value, eval};

/// The numbers of the terms to try.
fn terms_to_try(usually: u64) -> std::ops::Range<u64> {
    let given = |name: &str| std::env::var(name).ok().and_then(|n| n.parse::<u64>().ok());
    let after = given("BITBLAST_AFTER").unwrap_or(0);
    after..after + given("BITBLAST_TERMS").unwrap_or(usually)
}

/// Propagates units through the clauses, once and in order: gates come after what they depend on. Whether all are true.
fn holds(blasted: &Blasted, values: &BTreeMap<Term, Value>) -> bool {
    let mut known: Vec<Option<bool>> = vec![None; blasted.cnf.variables() as usize + 1];
    for (t, bits) in &blasted.inputs {
        for (i, bit) in bits.iter().enumerate() {
            let value = match &values[t] {
                Value::Bool(value) => *value,
                Value::Bv(value) => value.bit(i as u32),
                other => panic!("{other:?}"),
            };
            let number = bit.number().expect("inputs are variables");
            assert!(number > 0);
            // Inputs that no clause mentions are beyond the largest variable.
            if let Some(place) = known.get_mut(number as usize) {
                *place = Some(value);
            }
        }
    }
    for clause in blasted.cnf.clauses() {
        let value = |l: &i32| known[l.unsigned_abs() as usize].map(|value| value == (*l > 0));
        if clause.iter().any(|l| value(l) == Some(true)) {
            continue;
        }
        let open: Vec<i32> = clause.iter().copied().filter(|l| value(l).is_none()).collect();
        match open[..] {
            [] => return false,
            [one] => known[one.unsigned_abs() as usize] = Some(one > 0),
            _ => panic!("a gate that its inputs do not determine"),
        }
    }
    true
}

fn random_values(rng: &mut Rng, store: &Store, t: Term) -> BTreeMap<Term, Value> {
    term::free_vars(store, &[t]).into_iter().map(|var| (var, rng.value(store.sort(var)))).collect()
}

#[test]
fn circuits_compute_what_evaluation_does() {
    const SEED: u64 = 2_900;
    let configs = [
        Config { height: 3, ..Config::bit_vectors(9) },
        Config { height: 2, widths: vec![16, 32, 33, 64], ..Config::bit_vectors(1) },
        Config { height: 5, ..Config::bit_vectors(4) },
    ];
    for round in terms_to_try(3_000) {
        let seed = SEED + round;
        let mut generator = Generator::new(seed, configs[round as usize % configs.len()].clone());
        let mut store = Store::new();
        let sort = generator.sort();
        let t = generator.term(&mut store, sort);
        let values = random_values(&mut generator.rng, &store, t);
        let value = eval(&store, t, &values).expect("bit-vectors have values");
        let constant = store.value(&value);
        let equal = store.mk_raw(Op::Eq, &[t, constant]);
        let differ = store.mk_raw(Op::Not, &[equal]);
        let shown = || term::smtlib::print_term(&store, t);
        let blasted = blast(&store, equal).expect("no floats");
        assert!(holds(&blasted, &values), "seed {seed}: {} is not {value:?} for {values:?}", shown());
        let blasted = blast(&store, differ).expect("no floats");
        assert!(!holds(&blasted, &values), "seed {seed}: {} is not only {value:?} for {values:?}", shown());
    }
}

/// Every operator on every pair of values, at small widths.
#[test]
fn every_operator_on_all_values() {
    use Op::*;
    for width in 1..=4u32 {
        let mut store = term::Store::new();
        let (x, y) = (store.var("x", Sort::Bv(width)), store.var("y", Sort::Bv(width)));
        let binary = [
            BvAdd, BvMul, BvUdiv, BvUrem, BvSdiv, BvSrem, BvShl, BvLshr, BvAshr, BvAnd, BvOr, BvXor, Concat, Eq, BvUlt,
            BvUle, BvSlt, BvSle, BvSaddo, BvSsubo, BvUmulo, BvSmulo,
        ];
        let unary = [BvNot, BvNeg, ZeroExtend(3), SignExtend(3), Extract { hi: width - 1, lo: width / 2 }];
        let mut all: Vec<Term> = binary.iter().map(|op| store.mk_raw(*op, &[x, y])).collect();
        all.extend(unary.iter().map(|op| store.mk_raw(*op, &[x])));
        for t in all {
            for point in 0..1u128 << (2 * width) {
                let value = |n: u128| Value::Bv(term::Bits::new(n, width));
                let values = BTreeMap::from([(x, value(point)), (y, value(point >> width))]);
                let result = eval(&store, t, &values).expect("a value");
                let constant = store.value(&result);
                let equal = store.mk_raw(Eq, &[t, constant]);
                let blasted = blast(&store, equal).expect("no floats");
                assert!(holds(&blasted, &values), "{:?} {values:?}", store.op(t));
                let differ = store.mk_raw(Not, &[equal]);
                let blasted = blast(&store, differ).expect("no floats");
                assert!(!holds(&blasted, &values), "{:?} {values:?}", store.op(t));
            }
        }
    }
}

fn is_satisfiable(cnf: &Cnf) -> bool {
    match sat::solve(cnf, &mut || false, 1 << 30).expect("solved") {
        Outcome::Sat(_) => true,
        Outcome::Unsat(proof) => {
            lrat::check(cnf, &proof).expect("a proof");
            false
        }
        Outcome::Stopped => panic!("nobody stopped it"),
    }
}

fn with_arrays() -> Config {
    let arrays = vec![(Sort::Bv(2), Sort::Bv(4)), (Sort::Bv(8), Sort::Bv(3)), (Sort::Bv(3), Sort::Bool)];
    Config { widths: vec![1, 2, 3, 4, 8], arrays, height: 4, ..Config::bit_vectors(8) }
}

/// The variables have these values.
fn fixed(store: &mut Store, values: &BTreeMap<Term, Value>) -> Term {
    let mut all = store.tt();
    for (var, value) in values {
        let constant = store.value(value);
        let equal = store.mk_raw(Op::Eq, &[*var, constant]);
        all = store.mk_raw(Op::And, &[all, equal]);
    }
    all
}

#[test]
fn what_is_true_of_arrays_has_clauses_that_can_be_true() {
    const SEED: u64 = 29_000;
    for round in terms_to_try(400) {
        let seed = SEED + round;
        let mut generator = Generator::new(seed, with_arrays());
        let mut store = Store::new();
        let t = generator.formula(&mut store);
        let values = random_values(&mut generator.rng, &store, t);
        let Ok(Value::Bool(truth)) = eval(&store, t, &values) else { panic!("seed {seed}: no value") };
        let known = fixed(&mut store, &values);
        let negated = store.mk_raw(Op::Not, &[t]);
        let (right, wrong) = if truth { (t, negated) } else { (negated, t) };
        let right = store.mk_raw(Op::And, &[known, right]);
        let wrong = store.mk_raw(Op::And, &[known, wrong]);
        let shown = || term::smtlib::print_term(&store, t);
        let right = blast(&store, right).expect("no floats");
        assert!(is_satisfiable(&right.cnf), "seed {seed}: {} is {truth} for {values:?}", shown());
        let wrong = blast(&store, wrong).expect("no floats");
        assert!(!is_satisfiable(&wrong.cnf), "seed {seed}: {} is only {truth} for {values:?}", shown());
    }
}

/// One value everywhere but at some indices is another everywhere only if these are all indices.
#[test]
fn constant_arrays_differ_where_nobody_looks() {
    for width in [1, 2, 3, 32] {
        let mut store = Store::new();
        let everywhere = Op::ConstArray(Scalar::Bv(width));
        let (x, y) = (store.var("x", Sort::Bv(4)), store.var("y", Sort::Bv(4)));
        let mut changed = store.mk_raw(everywhere, &[x]);
        let other = store.mk_raw(everywhere, &[y]);
        let same = store.mk_raw(Op::Eq, &[x, y]);
        let differ = store.mk_raw(Op::Not, &[same]);
        for indices in 0..=4 {
            let equal = store.mk_raw(Op::Eq, &[changed, other]);
            let formula = store.mk_raw(Op::And, &[equal, differ]);
            let blasted = blast(&store, formula).expect("no floats");
            assert_eq!(is_satisfiable(&blasted.cnf), indices >= 1u64 << width, "{indices} indices of {width} bits");
            let index = store.var(&format!("i{indices}"), Sort::Bv(width));
            changed = store.mk_raw(Op::Store, &[changed, index, y]);
        }
    }
}

#[test]
fn clauses_and_solvers_agree() {
    const SEED: u64 = 290_000;
    // Models are evaluated: one in which the formula is not true is no answer.
    let plain = SolverSettings { algebra: false, linear: false, model_check: true, ..SolverSettings::default() };
    let z3 = SolverSettings { backend: Backend::Z3(Z3Settings::default()), ..plain.clone() };
    let moment = Limits { time: Some(Duration::from_secs(2)), cancel: None };
    let mut solvers = vec![smt::open(&plain).expect("Bitwuzla")];
    solvers.extend(smt::open(&z3).ok());
    solvers.iter_mut().for_each(|solver| solver.limit(&moment));
    let mut store = Store::new();
    let mut counts = [0; 4];
    for round in terms_to_try(300) {
        let seed = SEED + round;
        let config = if round % 2 == 0 { with_arrays() } else { Config::bit_vectors(6) };
        let t = Generator::new(seed, config).formula(&mut store);
        let blasted = blast(&store, t).expect("no floats");
        let possible = is_satisfiable(&blasted.cnf);
        for solver in &mut solvers {
            let answer = solver.check(&store, &[t]);
            let shown = || term::smtlib::print_term(&store, t);
            let refuted = matches!(answer, Err(Why::Contradicted(_)));
            let said = answer.ok().map(|answer| answer == Answer::Sat);
            assert!(said != Some(!possible), "seed {seed}: clauses say {possible}, a solver {said:?}: {}", shown());
            counts[said.map_or(if refuted { 3 } else { 2 }, usize::from)] += 1;
        }
    }
    // Z3 has models of constant arrays over few indices that are none.
    let [unsat, sat, open, refuted] = counts;
    assert!(sat > 100 && unsat > 20, "{sat} can be true, {unsat} cannot, {open} are open");
    assert!(refuted * 100 < sat + unsat, "{refuted} models are none");
}

#[test]
fn what_has_no_circuit_is_refused_by_name() {
    let mut store = Store::new();
    let float = Sort::Float(Format { exp: 8, sig: 24 });
    let (x, y) = (store.var("x", float), store.var("y", float));
    let less = store.mk_raw(Op::FpLt, &[x, y]);
    assert!(matches!(blast(&store, less), Err(Refused::Operator(_))));
    let index = store.var("i", Sort::Bv(8));
    let p = store.var("p", Sort::Bool);
    let all = store.mk_raw(Op::Forall, &[index, p]);
    assert_eq!(blast(&store, all).unwrap_err(), Refused::Operator("forall"));
    let func = store.func("f", &[Sort::Bv(8)], Sort::Bool);
    let applied = store.mk_raw(Op::Apply(func), &[index]);
    assert_eq!(blast(&store, applied).unwrap_err(), Refused::Operator("apply"));
    let floats = Sort::Array(ArraySort { index: Scalar::Bv(8), elem: Scalar::Float(Format { exp: 8, sig: 24 }) });
    let (a, b) = (store.var("a", floats), store.var("b", floats));
    let equal = store.mk_raw(Op::Eq, &[a, b]);
    assert!(matches!(blast(&store, equal), Err(Refused::Operator(_))));
    let (wide, other) = (store.var("w", Sort::Bv(4_000)), store.var("v", Sort::Bv(4_000)));
    let product = store.mk_raw(Op::BvMul, &[wide, other]);
    let formula = store.mk_raw(Op::Eq, &[product, wide]);
    assert_eq!(blast(&store, formula).unwrap_err(), Refused::TooLarge);
}
