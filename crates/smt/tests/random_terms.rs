//! Random terms: plain = simplified = evaluated = both solvers. The big run is `examples/term_fuzz.rs`.

#[path = "common/fuzz.rs"]
mod fuzz;

use smt::{Z3Process, Z3Settings};

#[test]
fn random_terms_agree_four_ways() {
    let with_z3 = Z3Process::new(&Z3Settings::default()).is_ok();
    let mut fuzzer = fuzz::Fuzzer::new(2026, with_z3);
    for _ in 0..2 {
        fuzzer.round();
    }
    assert!(fuzzer.tally.failures.is_empty(), "{}", fuzzer.tally.failures.join("\n\n"));
    assert!(fuzzer.tally.terms >= 500 && fuzzer.tally.values["bitwuzla"] >= 500, "{:?}", fuzzer.tally);
}
