//! The big run: `term_fuzz COUNT [SEED] [--without-z3]` compares that many random terms four ways and prints the tally.

#![allow(clippy::print_stdout)]

#[path = "../tests/common/fuzz.rs"]
mod fuzz;

use std::time::Instant;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let numbers: Vec<u64> = args.iter().filter_map(|arg| arg.parse().ok()).collect();
    let count = numbers.first().copied().unwrap_or(1_000_000);
    let seed = numbers.get(1).copied().unwrap_or(1);
    let with_z3 = !args.iter().any(|arg| arg == "--without-z3");
    let start = Instant::now();
    let mut fuzzer = fuzz::Fuzzer::new(seed, with_z3);
    let mut next_report = 0;
    while fuzzer.tally.terms < count && fuzzer.tally.failures.len() < 20 {
        fuzzer.round();
        if fuzzer.tally.terms >= next_report {
            next_report += count / 20;
            println!("{:?} {:?}", start.elapsed(), fuzzer.tally);
        }
    }
    println!("{:?} {:?}", start.elapsed(), fuzzer.tally);
    for failure in &fuzzer.tally.failures {
        println!("FAILURE {failure}");
    }
    std::process::exit(i32::from(!fuzzer.tally.failures.is_empty()));
}
