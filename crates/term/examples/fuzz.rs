//! Compares random terms as built, normalised and simplified, by evaluation: `fuzz [count] [seed]`.
//!
//! The tests do a few thousand; this does as many as asked. It stops at the first difference.

#![allow(clippy::print_stdout)]

#[path = "../tests/common/mod.rs"]
mod common;

use term::random::{Config, Generator, Rng};
use term::rewrite::rebuild;
use term::{Format, Sort, Store, simplify};

fn main() {
    let mut args = std::env::args().skip(1).map(|arg| arg.parse::<u64>().expect("a number"));
    let count = args.next().unwrap_or(100_000);
    let seed = args.next().unwrap_or(1);
    let wide = Config { widths: vec![1, 7, 8, 16, 32, 64, 128, 200], ..Config::bit_vectors(8) };
    let floats = Config { formats: vec![Format::F16, Format::F32, Format::F64], ..Config::all_theories() };
    let configs = [Config::bit_vectors(4), wide, Config { unspecified: true, ..Config::all_theories() }, floats];
    for (which, config) in configs.into_iter().enumerate() {
        let mut generator = Generator::new(seed + which as u64, config);
        let mut rng = Rng::new(seed);
        let mut store = Store::new();
        let mut smaller = 0;
        for round in 0..count / 4 {
            if round % 1000 == 0 {
                store = Store::new();
            }
            let sort = if round % 3 == 0 { generator.sort() } else { Sort::Bool };
            let raw = generator.term(&mut store, sort);
            let normal = rebuild(&mut store, raw);
            let simple = simplify(&mut store, raw);
            for (what, term) in [("normalised", normal), ("simplified", simple)] {
                if let Some(text) = common::difference(&store, raw, term, 10, &mut rng) {
                    println!("{what}, configuration {which}, round {round}:\n{text}");
                    std::process::exit(1);
                }
            }
            smaller += u64::from(term::dag_size(&store, &[normal]) < term::dag_size(&store, &[raw]));
        }
        println!("configuration {which}: {} terms agree, {smaller} became smaller", count / 4);
    }
}
