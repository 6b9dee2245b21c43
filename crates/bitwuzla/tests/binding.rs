//! The binding by itself: answers, models, failed assumptions, errors as values, stopping a hard check.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use bitwuzla::{Error, Kind, Options, Outcome, Reason, Solver, Term, Terms};

/// Far less than the questions would take, far more than a loaded machine needs: how fast it really is, docs/solvers.md says.
const PROMPT: Duration = Duration::from_secs(5);

fn setup() -> (Terms, Solver) {
    let terms = Terms::new().unwrap();
    let solver = Solver::new(&terms, &Options::default()).unwrap();
    (terms, solver)
}

/// x * y = n with both factors of half the width and above 1: hard when n is a product of two primes.
fn factoring(terms: &mut Terms, n: u64) -> Vec<Term> {
    let half = terms.bv_sort(32).unwrap();
    let full = terms.bv_sort(64).unwrap();
    let one = terms.bv_value_u64(half, 1).unwrap();
    let product = terms.bv_value_u64(full, n).unwrap();
    let mut wide = Vec::new();
    let mut facts = Vec::new();
    for name in ["x", "y"] {
        let factor = terms.constant(half, name).unwrap();
        facts.push(terms.apply(Kind::BvUgt, &[factor, one], &[]).unwrap());
        wide.push(terms.apply(Kind::BvZeroExtend, &[factor], &[32]).unwrap());
    }
    let multiplied = terms.apply(Kind::BvMul, &wide, &[]).unwrap();
    facts.push(terms.apply(Kind::Equal, &[multiplied, product], &[]).unwrap());
    facts
}

/// The product of two unremarkable 32-bit primes.
const HARD: u64 = 2_654_435_761 * 3_266_489_917;

#[test]
fn answers_and_values() {
    let (mut terms, mut solver) = setup();
    let facts = factoring(&mut terms, 35);
    for fact in &facts {
        solver.assert(&terms, *fact).unwrap();
    }
    assert_eq!(solver.check(&terms, &[]).unwrap(), Outcome::Sat);
    let byte = terms.bv_sort(8).unwrap();
    let a = terms.bv_value(byte, "00000101").unwrap();
    let b = terms.constant(byte, "b").unwrap();
    let same = terms.apply(Kind::Equal, &[a, b], &[]).unwrap();
    solver.push().unwrap();
    solver.assert(&terms, same).unwrap();
    assert_eq!(solver.check(&terms, &[]).unwrap(), Outcome::Sat);
    let value = solver.value(&mut terms, b).unwrap();
    assert_eq!(terms.read_bv(value).unwrap(), "00000101");
    solver.pop(1).unwrap();
}

#[test]
fn failed_assumptions_name_the_contradiction() {
    let (mut terms, mut solver) = setup();
    let truth = terms.bool_sort().unwrap();
    let p = terms.constant(truth, "p").unwrap();
    let q = terms.constant(truth, "q").unwrap();
    let not_p = terms.apply(Kind::Not, &[p], &[]).unwrap();
    assert_eq!(solver.check(&terms, &[q, p, not_p]).unwrap(), Outcome::Unsat);
    let failed: Vec<bool> = [q, p, not_p].iter().map(|t| solver.is_failed_assumption(&terms, *t).unwrap()).collect();
    assert_eq!(failed, [false, true, true]);
    assert_eq!(solver.check(&terms, &[q, p]).unwrap(), Outcome::Sat);
}

#[test]
fn misuse_is_an_error_value() {
    let (mut terms, mut solver) = setup();
    let (narrow, wide) = (terms.bv_sort(8).unwrap(), terms.bv_sort(9).unwrap());
    let a = terms.constant(narrow, "a").unwrap();
    let b = terms.constant(wide, "b").unwrap();
    let error = terms.apply(Kind::BvAdd, &[a, b], &[]).unwrap_err();
    assert!(matches!(&error, Error::Misuse(message) if !message.is_empty()), "{error}");
    assert!(matches!(terms.bv_sort(0), Err(Error::Misuse(_))));
    assert!(matches!(solver.assert(&terms, a), Err(Error::Misuse(_))));
    assert!(matches!(solver.pop(1), Err(Error::Misuse(_))));
    assert!(matches!(solver.value(&mut terms, a), Err(Error::Misuse(_))), "no model before a check");
    // A refused call leaves the solver usable.
    assert_eq!(solver.check(&terms, &[]).unwrap(), Outcome::Sat);

    let mut other = Terms::new().unwrap();
    let truth = other.bool_value(true).unwrap();
    assert!(matches!(solver.assert(&other, truth), Err(Error::Misuse(_))), "a term of another manager");
}

#[test]
fn an_error_inside_a_check_ends_the_solver_but_not_the_program() {
    let (mut terms, mut solver) = setup();
    let byte = terms.bv_sort(8).unwrap();
    let a = terms.constant(byte, "a").unwrap();
    let truth = terms.bool_value(true).unwrap();
    let mut other = Terms::new().unwrap();
    let foreign = other.bool_value(true).unwrap();
    assert!(solver.check(&other, &[foreign]).is_err());
    assert!(matches!(solver.assert(&terms, truth), Err(Error::Broken(_))));
    let mut fresh = Solver::new(&terms, &Options::default()).unwrap();
    assert_eq!(fresh.check(&terms, &[]).unwrap(), Outcome::Sat);
    assert!(fresh.value(&mut terms, a).is_ok());
}

#[test]
fn a_hard_check_can_be_cancelled() {
    let (mut terms, mut solver) = setup();
    for fact in factoring(&mut terms, HARD) {
        solver.assert(&terms, fact).unwrap();
    }
    let cancel = Arc::new(AtomicBool::new(false));
    solver.limit(Some(Arc::clone(&cancel)), None);
    let canceller = thread::spawn(move || {
        thread::sleep(Duration::from_millis(500));
        cancel.store(true, Ordering::Relaxed);
        Instant::now()
    });
    let outcome = solver.check(&terms, &[]).unwrap();
    let returned = Instant::now();
    assert_eq!(outcome, Outcome::Unknown(Reason::Cancelled));
    let delay = returned.saturating_duration_since(canceller.join().unwrap());
    assert!(delay < PROMPT, "cancellation took {delay:?}");
}

#[test]
fn a_deadline_ends_a_hard_check() {
    let (mut terms, mut solver) = setup();
    for fact in factoring(&mut terms, HARD) {
        solver.assert(&terms, fact).unwrap();
    }
    let start = Instant::now();
    solver.limit(None, Some(Duration::from_millis(200)));
    assert_eq!(solver.check(&terms, &[]).unwrap(), Outcome::Unknown(Reason::DeadlinePassed));
    assert!(start.elapsed() < PROMPT, "{:?}", start.elapsed());
    // The next check, without a limit, works again.
    solver.limit(None, None);
    let falsity = terms.bool_value(false).unwrap();
    assert_eq!(solver.check(&terms, &[falsity]).unwrap(), Outcome::Unsat);
}

/// Bitwuzla prints its reason on standard output; the binding must have taken it instead.
#[test]
fn giving_up_has_a_reason() {
    let (mut terms, mut solver) = setup();
    let bits = terms.bv_sort(4).unwrap();
    let sort = terms.array_sort(bits, bits).unwrap();
    let (x, y) = (terms.constant(bits, "x").unwrap(), terms.constant(bits, "y").unwrap());
    let (a, b) = (terms.const_array(sort, x).unwrap(), terms.const_array(sort, y).unwrap());
    let (i, array) = (terms.constant(bits, "i").unwrap(), terms.constant(sort, "c").unwrap());
    let stored = terms.apply(Kind::Store, &[array, i, x], &[]).unwrap();
    let same = terms.apply(Kind::Equal, &[a, b], &[]).unwrap();
    let other = terms.apply(Kind::Equal, &[stored, b], &[]).unwrap();
    let either = terms.apply(Kind::Xor, &[same, other], &[]).unwrap();
    match solver.check(&terms, &[either]).unwrap() {
        Outcome::Unknown(Reason::GaveUp(reason)) => assert!(reason.contains("constant arrays"), "{reason}"),
        outcome => panic!("equality of constant arrays is supported now: {outcome:?}"),
    }
}

#[test]
fn names_its_version() {
    assert_eq!(bitwuzla::version(), "0.8.0");
}
