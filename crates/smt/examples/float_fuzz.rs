//! The big run: `float_fuzz COUNT [NTH] [SEED]` compares so many float operations with this processor, every NTH also on
//! variables instead of literals.

#![allow(clippy::print_stdout)]

#[path = "../tests/common/native.rs"]
mod native;

use std::time::Instant;

fn main() {
    let numbers: Vec<u64> = std::env::args().skip(1).filter_map(|arg| arg.parse().ok()).collect();
    let number = |at: usize, default: u64| numbers.get(at).copied().unwrap_or(default);
    let start = Instant::now();
    let tally = native::run(number(2, 1), number(0, 20_000) as usize, number(1, 20) as usize);
    println!("{:?} {tally:?}", start.elapsed());
    std::process::exit(i32::from(!tally.wrong.is_empty()));
}
