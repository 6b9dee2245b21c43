//! Both back ends against the contract of `Solver`.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use smt::{
    Answer, BitwuzlaSettings, BitwuzlaSolver, Limits, Model, Solver, Stats, Why, Z3Process, Z3Settings, float_bits,
    start_ahead, versions,
};
use term::{Format, Op, RoundingMode, Sort, Store, Term, Value, eval};

/// Far less than the questions would take, far more than a loaded machine needs: how fast it really is, docs/solvers.md says.
const PROMPT: Duration = Duration::from_secs(5);

/// Bitwuzla, and Z3 where installed.
fn backends() -> Vec<(&'static str, Box<dyn Solver>)> {
    let mut all: Vec<(&'static str, Box<dyn Solver>)> =
        vec![("Bitwuzla", Box::new(BitwuzlaSolver::new(&BitwuzlaSettings::default())))];
    if let Ok(z3) = Z3Process::new(&Z3Settings::default()) {
        all.push(("Z3", Box::new(z3)));
    }
    all
}

const BYTE: Sort = Sort::Bv(8);

#[test]
fn facts_come_and_go_with_their_level() {
    for (name, mut solver) in backends() {
        let mut store = Store::new();
        let x = store.var("x", BYTE);
        let (five, six) = (store.bv(5, 8), store.bv(6, 8));
        let is_five = store.eq(x, five);
        let is_six = store.eq(x, six);
        solver.assert(&store, is_five);
        assert_eq!(solver.check(&store, &[]), Ok(Answer::Sat), "{name}");
        assert_eq!(solver.value(&store, x), Ok(store.as_value(five).unwrap()), "{name}");
        solver.push();
        solver.assert(&store, is_six);
        assert_eq!(solver.check(&store, &[]), Ok(Answer::Unsat), "{name}");
        assert_eq!(solver.core(), Ok(vec![]), "{name}");
        solver.pop();
        assert_eq!(solver.check(&store, &[]), Ok(Answer::Sat), "{name}");
        assert_eq!(solver.check(&store, &[is_six]), Ok(Answer::Unsat), "{name}");
        assert_eq!(solver.check(&store, &[]), Ok(Answer::Sat), "{name}");
    }
}

#[test]
fn the_core_names_assumptions_that_contradict() {
    for (name, mut solver) in backends() {
        let mut store = Store::new();
        let (x, y) = (store.var("x", BYTE), store.var("y", BYTE));
        let ten = store.bv(10, 8);
        let below = store.ult(x, ten);
        let above = store.ult(ten, x);
        let other = store.ult(y, ten);
        assert_eq!(solver.check(&store, &[other, below, above]), Ok(Answer::Unsat), "{name}");
        assert_eq!(solver.core(), Ok(vec![below, above]), "{name}");
        assert_eq!(solver.value(&store, x), Err(Why::NotAvailable), "{name}");
        assert_eq!(solver.check(&store, &[other, below]), Ok(Answer::Sat), "{name}");
        assert_eq!(solver.core(), Err(Why::NotAvailable), "{name}");
    }
}

#[test]
fn models_satisfy_formulas_of_every_theory() {
    for (name, mut solver) in backends() {
        let mut store = Store::new();
        let array_sort = Sort::array(BYTE, BYTE);
        let (a, b) = (store.var("a", array_sort), store.var("b", array_sort));
        let (i, j) = (store.var("i", BYTE), store.var("j", BYTE));
        let double = store.var("d", Sort::Float(Format::F64));
        let extended = store.var("e", Sort::Float(Format::X87));
        let big = store.var("big", Sort::Bv(200));
        let f = store.func("f", &[BYTE], Sort::Bv(16));
        let (fi, fj) = (store.mk(Op::Apply(f), &[i]), store.mk(Op::Apply(f), &[j]));
        let at_i = store.mk(Op::Select, &[a, i]);
        let stored = store.mk(Op::Store, &[a, j, i]);
        let half = store.float_from_f64(0.5);
        let sum = store.fp_add(RoundingMode::NearestEven, double, half);
        let three = store.float_from_f64(3.25);
        let one = store.bv(1, 200);
        let minus_one = store.neg(one);
        let widened = store.fp_to_fp(RoundingMode::Zero, Format::X87, double);
        let facts = [
            store.ult(i, at_i),
            store.ne(a, b),
            store.eq(stored, b),
            store.ne(fi, fj),
            store.fp_eq(sum, three),
            store.eq(big, minus_one),
            store.fp_lt(widened, extended),
        ];
        for fact in facts {
            solver.assert(&store, fact);
        }
        assert_eq!(solver.check(&store, &[]), Ok(Answer::Sat), "{name}");
        let model: Model = solver.model(&store, &facts).unwrap();
        for fact in facts {
            assert_eq!(eval(&store, fact, &model), Ok(Value::Bool(true)), "{name}: {model:?}");
            assert_eq!(solver.value(&store, fact), Ok(Value::Bool(true)), "{name}");
        }
    }
}

#[test]
fn quantifiers() {
    for (name, mut solver) in backends() {
        let mut store = Store::new();
        let (x, y) = (store.var("x", Sort::Bv(4)), store.var("y", Sort::Bv(4)));
        // Every x has a y above it: false for the greatest. Some y is above or equal to every x: true.
        let above = store.ult(x, y);
        let some = store.mk(Op::Exists, &[y, above]);
        let every = store.mk(Op::Forall, &[x, some]);
        assert_eq!(solver.check(&store, &[every]), Ok(Answer::Unsat), "{name}");
        let at_least = store.ule(x, y);
        let greatest = store.mk(Op::Forall, &[x, at_least]);
        assert_eq!(solver.check(&store, &[greatest]), Ok(Answer::Sat), "{name}");
        assert_eq!(solver.value(&store, y), Ok(Value::Bv(term::Bits::ones(4))), "{name}: y is free");
    }
}

#[test]
fn float_bits_are_determined_by_the_float() {
    for (name, mut solver) in backends() {
        let mut store = Store::new();
        let x = store.var("x", Sort::Float(Format::F32));
        let (first, second) = (float_bits(&mut store, x), float_bits(&mut store, x));
        let differ = store.ne(first.bits, second.bits);
        let both = [first.condition, second.condition];
        assert_eq!(solver.check(&store, &both), Ok(Answer::Sat), "{name}");
        assert_eq!(solver.check(&store, &[both[0], both[1], differ]), Ok(Answer::Unsat), "{name}");
        // Any float has bits, NaN too.
        let is_nan = store.fp_is_nan(x);
        assert_eq!(solver.check(&store, &[both[0], is_nan]), Ok(Answer::Sat), "{name}");
        let pattern = store.bv(0x7fc0_0000, 32);
        assert_eq!(solver.value(&store, first.bits), Ok(store.as_value(pattern).unwrap()), "{name}");
    }
}

/// x * y = n for two unremarkable 32-bit primes: hard for any solver.
fn factoring(store: &mut Store) -> Vec<Term> {
    let (x, y) = (store.var("x", Sort::Bv(32)), store.var("y", Sort::Bv(32)));
    let n = store.bv(2_654_435_761 * 3_266_489_917, 64);
    let (wide_x, wide_y) = (store.zext_to(x, 64), store.zext_to(y, 64));
    let product = store.mul(wide_x, wide_y);
    let one = store.bv(1, 32);
    vec![store.eq(product, n), store.ult(one, x), store.ult(one, y)]
}

/// Cancels a check that would take minutes; how long it still went on.
fn cancelled_after(name: &str, solver: &mut dyn Solver, store: &Store) -> Duration {
    let cancel = Arc::new(AtomicBool::new(false));
    solver.limit(&Limits { time: None, cancel: Some(Arc::clone(&cancel)) });
    let canceller = thread::spawn(move || {
        thread::sleep(Duration::from_millis(300));
        cancel.store(true, Ordering::Relaxed);
        Instant::now()
    });
    let answer = solver.check(store, &[]);
    let returned = Instant::now();
    assert_eq!(answer, Err(Why::Cancelled), "{name}");
    assert_eq!(solver.check(store, &[]), Err(Why::Cancelled), "{name}: later checks too");
    returned.saturating_duration_since(canceller.join().unwrap())
}

#[test]
fn cancelling_takes_effect_within_100_ms() {
    for (name, mut solver) in backends() {
        let mut store = Store::new();
        for fact in factoring(&mut store) {
            solver.assert(&store, fact);
        }
        // The best of some: on a busy machine a thread may have to wait for its turn.
        let in_time = |delay: Duration| delay < Duration::from_millis(100);
        assert!((0..10).any(|_| in_time(cancelled_after(name, solver.as_mut(), &store))), "{name}");
        // With the limit lifted the solver works again, and remembers its facts.
        solver.limit(&Limits::default());
        let absurd = store.ff();
        assert_eq!(solver.check(&store, &[absurd]), Ok(Answer::Unsat), "{name}");
    }
}

#[test]
fn a_time_limit_ends_a_check() {
    for (name, mut solver) in backends() {
        let mut store = Store::new();
        for fact in factoring(&mut store) {
            solver.assert(&store, fact);
        }
        solver.limit(&Limits { time: Some(Duration::from_millis(200)), cancel: None });
        let start = Instant::now();
        assert_eq!(solver.check(&store, &[]), Err(Why::Timeout), "{name}");
        assert!(start.elapsed() < PROMPT, "{name} took {:?}", start.elapsed());
        assert_eq!(solver.value(&store, store.tt()), Err(Why::NotAvailable), "{name}: no model without an answer");
        assert_eq!(solver.core(), Err(Why::NotAvailable), "{name}: no core without an answer");
    }
}

#[test]
fn what_a_solver_cannot_say_is_an_error_value() {
    let mut solver = BitwuzlaSolver::new(&BitwuzlaSettings::default());
    let mut store = Store::new();
    let odd = store.var("odd", Sort::Float(Format { exp: 6, sig: 9 }));
    let is_nan = store.fp_is_nan(odd);
    solver.push();
    solver.assert(&store, is_nan);
    for _ in 0..2 {
        assert!(matches!(solver.check(&store, &[]), Err(Why::Unsupported(_))));
    }
    solver.pop();
    assert_eq!(solver.check(&store, &[]), Ok(Answer::Sat), "the rest goes on");
}

#[test]
fn an_ill_sorted_assertion_is_an_error_value() {
    for (name, mut solver) in backends() {
        let mut store = Store::new();
        let x = store.var("x", BYTE);
        solver.push();
        solver.assert(&store, x);
        assert!(matches!(solver.check(&store, &[]), Err(Why::Failed(_))), "{name}");
        solver.pop();
        assert_eq!(solver.check(&store, &[]), Ok(Answer::Sat), "{name}: and the solver recovers");
    }
}

#[test]
fn missing_z3_is_an_error_value() {
    let settings = Z3Settings { program: "no-such-solver".to_string(), memory: None };
    let why = Z3Process::new(&settings).err().unwrap();
    assert!(why.to_string().contains("apt-get install z3"), "{why}");
    assert!(settings.version().is_err());
    assert_eq!(versions().bitwuzla, "0.8.0");
}

/// A chain of negations and conjunctions, `length` deep, and the claim that it ends elsewhere than it should.
fn chain(store: &mut Store, length: usize) -> Term {
    let (start, mask) = (store.var("x", Sort::Bv(8)), store.var("mask", Sort::Bv(8)));
    let masked = store.mk_raw(Op::BvAnd, &[start, mask]);
    let mut chain = start;
    for _ in 0..length / 4 {
        for (op, args) in [(Op::BvNot, 1), (Op::BvNot, 1), (Op::BvAnd, 2), (Op::BvAnd, 2)] {
            chain = store.mk_raw(op, &[chain, mask][..args]);
        }
    }
    store.mk_raw(Op::Eq, &[chain, masked])
}

#[test]
fn bitwuzla_takes_a_chain_of_a_million_terms() {
    let mut store = Store::new();
    let same = chain(&mut store, 1_000_000);
    let differs = store.not(same);
    let mut solver = BitwuzlaSolver::new(&BitwuzlaSettings::default());
    assert_eq!(solver.check(&store, &[differs]), Ok(Answer::Unsat));
}

#[test]
fn z3_takes_a_deep_chain_or_says_that_it_does_not() {
    let Ok(mut solver) = Z3Process::new(&Z3Settings::default()) else { return };
    let mut store = Store::new();
    let same = chain(&mut store, 2_000);
    let differs = store.not(same);
    solver.limit(&Limits { time: Some(Duration::from_secs(10)), cancel: None });
    let answer = solver.check(&store, &[differs]);
    assert!(matches!(answer, Ok(Answer::Unsat) | Err(Why::Failed(_) | Why::Timeout)), "{answer:?}");
}

#[test]
fn a_process_that_waits_serves_the_first_question_whatever_it_is() {
    for index in [None, Some(BYTE)] {
        start_ahead(&Z3Settings::default());
        let Ok(mut solver) = Z3Process::new(&Z3Settings::default()) else { return };
        let mut store = Store::new();
        let (x, y) = match index {
            None => (store.var("x", BYTE), store.var("y", BYTE)),
            // The logic that it was told has no arrays.
            Some(_) => {
                let array = store.var("a", Sort::array(BYTE, BYTE));
                let (i, j) = (store.var("i", BYTE), store.var("j", BYTE));
                (store.select(array, i), store.select(array, j))
            }
        };
        let (less, more) = (store.ult(x, y), store.ult(y, x));
        assert_eq!(solver.check(&store, &[less]), Ok(Answer::Sat));
        assert_eq!(solver.check(&store, &[less, more]), Ok(Answer::Unsat));
    }
}

#[test]
fn statistics_count() {
    let mut solver = BitwuzlaSolver::new(&BitwuzlaSettings::default());
    let store = Store::new();
    solver.check(&store, &[]).unwrap();
    solver.check(&store, &[store.ff()]).unwrap();
    let mut stats = Stats::default();
    solver.stats(&mut stats);
    assert_eq!((stats.get("bitwuzla.checks"), stats.get("bitwuzla.solvers")), (2, 1));
}
