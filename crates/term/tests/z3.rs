//! Rewrite rules and random terms against Z3: a raw term and its normal form never differ. Skipped without Z3.
//!
//! (The `smt` crate asks more, and both solvers; this is the check that needs nothing but this crate's printer.)

#![allow(clippy::print_stdout)] // a test that cannot run says so

use std::io::Write;
use std::process::{Command, Stdio};

use term::random::{Config, Generator};
use term::rewrite::instances::instances;
use term::rewrite::rebuild;
use term::smtlib::{Dialect, Printer};
use term::{Store, Term, simplify};

/// Z3's answers to "do the two differ?", one per pair; `None` without Z3.
fn differ(store: &mut Store, pairs: &[(Term, Term)]) -> Option<Vec<String>> {
    let mut script = String::from("(set-logic ALL)\n(set-option :timeout 5000)\n");
    for &(a, b) in pairs {
        let equal = store.mk_raw(term::Op::Eq, &[a, b]);
        script.push_str("(push 1)\n");
        let mut printer = Printer::new(Dialect::V26);
        printer.declare(store, &[equal], &mut script);
        script.push_str("(assert (not ");
        printer.write(store, equal, &mut script);
        script.push_str("))\n(check-sat)\n(pop 1)\n");
    }
    let z3 = Command::new("z3").arg("-in").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let Ok(mut z3) = z3 else {
        println!("skipped: no z3");
        return None;
    };
    let mut input = z3.stdin.take().unwrap();
    let writer = std::thread::spawn(move || input.write_all(script.as_bytes()));
    let output = z3.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    Some(String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect())
}

fn never_differ(store: &mut Store, pairs: &[(Term, Term, String)]) {
    let plain: Vec<(Term, Term)> = pairs.iter().map(|&(a, b, _)| (a, b)).collect();
    let Some(answers) = differ(store, &plain) else { return };
    assert_eq!(answers.len(), pairs.len(), "{answers:?}");
    let mut proved = 0;
    for ((a, b, what), answer) in pairs.iter().zip(&answers) {
        let print = |t: Term| term::smtlib::print_term(store, t);
        assert!(answer == "unsat" || answer == "unknown", "{what}: {answer}\n{}\n{}", print(*a), print(*b));
        proved += usize::from(answer == "unsat");
    }
    assert!(proved * 10 >= pairs.len() * 9, "only {proved} of {} proved", pairs.len());
}

#[test]
fn rules() {
    for width in [1, 2, 3, 5, 8] {
        let mut store = Store::new();
        let found = instances(&mut store, 100 + u64::from(width), width, 2);
        let pairs: Vec<_> = found.into_iter().map(|i| (i.before, i.after, format!("{} at {width}", i.rule))).collect();
        never_differ(&mut store, &pairs);
    }
}

fn random_terms(seed: u64, config: Config, count: usize) {
    let mut generator = Generator::new(seed, config);
    let mut store = Store::new();
    let mut pairs = Vec::new();
    for round in 0..count {
        let raw = generator.formula(&mut store);
        let normal = rebuild(&mut store, raw);
        pairs.push((raw, normal, format!("normal form of term {round}")));
        let simple = simplify(&mut store, raw);
        pairs.push((raw, simple, format!("simplified term {round}")));
    }
    never_differ(&mut store, &pairs);
}

#[test]
fn bit_vector_terms() {
    random_terms(21, Config::bit_vectors(4), 80);
}

#[test]
fn terms_of_all_theories() {
    random_terms(22, Config { height: 3, ..Config::all_theories() }, 50);
}
