//! Random terms: as built, normalised, simplified, printed and read again, they have the same values.

use crate::common;
use term::random::{Config, Generator, Rng};
use term::rewrite::rebuild;
use term::{Sort, Store, simplify, smtlib};

/// Compares `count` random terms of any sort with their normal forms.
fn normal_forms_agree(seed: u64, config: Config, count: usize, points: usize) {
    let mut generator = Generator::new(seed, config);
    let mut rng = Rng::new(seed);
    let mut store = Store::new();
    for round in 0..count {
        if round % 500 == 0 {
            store = Store::new();
        }
        let sort = generator.sort();
        let raw = generator.term(&mut store, sort);
        let normal = rebuild(&mut store, raw);
        if let Some(text) = common::difference(&store, raw, normal, points, &mut rng) {
            panic!("normalised, round {round}:\n{text}");
        }
        assert_eq!(rebuild(&mut store, normal), normal, "normal form is stable: {}", smtlib::print_term(&store, raw));
        let simplified = simplify(&mut store, normal);
        if let Some(text) = common::difference(&store, raw, simplified, points, &mut rng) {
            panic!("simplified, round {round}:\n{text}");
        }
    }
}

#[test]
fn small_bit_vectors() {
    normal_forms_agree(1, Config::bit_vectors(4), 3000, 64);
}

#[test]
fn wide_bit_vectors() {
    let config = Config { widths: vec![1, 8, 16, 32, 63, 64, 65, 128, 130], ..Config::bit_vectors(8) };
    normal_forms_agree(2, config, 3000, 16);
}

#[test]
fn all_theories() {
    normal_forms_agree(3, Config { unspecified: true, ..Config::all_theories() }, 4000, 24);
}

#[test]
fn smtlib_round_trip() {
    let config = Config { functions: true, quantifiers: true, unspecified: true, ..Config::all_theories() };
    let mut generator = Generator::new(4, config);
    let mut store = Store::new();
    for _ in 0..2000 {
        let raw = generator.formula(&mut store);
        let normal = rebuild(&mut store, raw);
        let text = smtlib::print_term(&store, raw);
        assert_eq!(smtlib::parse_term(&mut store, &text), Ok(normal), "{text}");
        let script = smtlib::print_script(&store, &[raw], smtlib::Dialect::V27);
        let commands = smtlib::parse_script(&mut store, &script).expect(&script);
        assert!(commands.contains(&smtlib::Command::Assert(normal)), "{script}");
    }
}

#[test]
fn smtlib_26_has_the_same_values() {
    let mut generator = Generator::new(5, Config::bit_vectors(5));
    let mut store = Store::new();
    let mut rng = Rng::new(5);
    for _ in 0..1000 {
        let raw = generator.term(&mut store, Sort::Bool);
        let script = smtlib::print_script(&store, &[raw], smtlib::Dialect::V26);
        let commands = smtlib::parse_script(&mut store, &script).expect(&script);
        let read = commands.into_iter().find_map(|command| match command {
            smtlib::Command::Assert(read) => Some(read),
            _ => None,
        });
        if let Some(text) = common::difference(&store, raw, read.expect("one assertion"), 64, &mut rng) {
            panic!("{script}\n{text}");
        }
    }
}
