//! Numbers that grow every so many iterations; multiples that stay within sizes, and truth values.

use cfa::parse;
use infer::candidates::numbers::Number;
use infer::candidates::program::flags;
use infer::candidates::quotients::{Division, quotients};
use infer::candidates::scaled::{Scaled, compared, within};
use std::collections::BTreeSet;
use term::{Bits, Sort, Store, Term};

/// Numbers of 32 bits, `i` first, with what `n` holds where `i` is 0, 1, 2, …
fn found(divisor: u32, n: impl Fn(u128) -> u128) -> (Store, Vec<Term>, Term, Term) {
    let mut terms = Store::new();
    let (i, held) = (terms.var("i", Sort::Bv(32)), terms.var("n", Sort::Bv(32)));
    let number = |term: Term, value: &dyn Fn(u128) -> u128| Number {
        term,
        width: 32,
        is_cell: false,
        values: (0..100).map(|x| Bits::new(value(x), 32)).collect(),
    };
    let numbers = [number(i, &|x| x), number(held, &n)];
    let divisions = BTreeSet::from([Division { counter: i, divisor }]);
    let candidates = quotients(&mut terms, &divisions, &numbers);
    (terms, candidates, i, held)
}

#[test]
fn what_grows_every_so_often_is_a_quotient() {
    for (divisor, shift, factor, start) in [(4, 3, 1, 0), (2, 1, 2, 5), (8, 0, u128::from(u32::MAX), 7)] {
        let value = |x: u128| (start + factor * ((x + shift) / u128::from(divisor))) & u128::from(u32::MAX);
        let (mut terms, candidates, i, held) = found(divisor, value);
        let [candidate] = candidates[..] else { panic!("{} candidates", candidates.len()) };
        // Far from the states that were seen, and only there.
        for (x, is_right) in [(1_000_003, true), (1_000_003, false)] {
            let n = value(x) ^ u128::from(!is_right);
            let (x, n) = (terms.bv(x, 32), terms.bv(n, 32));
            let holds = term::substitute(&mut terms, candidate, &[(i, x), (held, n)]);
            assert_eq!(terms.as_bool_const(holds), Some(is_right), "{divisor} {shift}");
        }
    }
}

#[test]
fn what_grows_otherwise_is_none() {
    assert!(found(4, |x| x / 5).1.is_empty());
    assert!(found(4, |x| x * x / 4).1.is_empty());
    assert!(found(4, |_| 3).1.is_empty());
}

#[test]
fn factors_are_those_of_what_is_compared_with_a_size() {
    let program = parse(
        r#"machine lp64 32 32
        file F0 "a.c"
        var size bv64 global
        var i bv64 local f0
        var k bv64 local f0
        var lives bool global
        var live [bv32 -> bool] global
        entry f0
        function f0 "main" params () entry L0 exit L2
          L0
            e0 -> L1 assume (bvule (bvadd (bvmul i 24:64) 8:64) size)
          L1
            e1 -> L2 assume (and lives (and (select live 7:32) (bvult (bvmul k 16:64) (bvadd k 3:64))))
          L2 end return
        "#,
    )
    .expect("a program");
    let named = |name: &str| {
        program
            .vars
            .ids()
            .find(|var| cfa::text::print_term(&program.terms, program.term(*var)) == name)
            .expect("a variable")
    };
    let mut terms = program.terms.clone();
    assert_eq!(compared(&program, &terms), [Scaled { factor: 24, size: named("size") }], "k is compared with itself");
    let found = flags(&program, &mut terms, &[named("size"), named("lives"), named("live")]);
    let texts: Vec<String> = found.iter().map(|t| cfa::text::print_term(&terms, *t)).collect();
    assert_eq!(texts, ["lives", "(select live 7:32)", "(not lives)", "(not (select live 7:32))"]);
    assert_eq!(flags(&program, &mut terms, &[named("size")]), [], "what is not live");
}

#[test]
fn what_is_within_a_size_has_room_for_its_multiple() {
    let mut terms = Store::new();
    let (number, size) = (terms.var("number", Sort::Bv(8)), terms.var("size", Sort::Bv(8)));
    for (factor, is_strict) in [(8, false), (8, true), (6, false), (6, true)] {
        let claim = within(&mut terms, number, factor, size, is_strict);
        for n in 0..=30u64 {
            for s in 0..=255u64 {
                let (at, room) = (terms.bv(n.into(), 8), terms.bv(s.into(), 8));
                let holds = term::substitute(&mut terms, claim, &[(number, at), (size, room)]);
                let wanted = factor * (n + u64::from(is_strict)) <= s;
                assert_eq!(terms.as_bool_const(holds), Some(wanted), "{factor} * {n} in {s}, strict: {is_strict}");
            }
        }
    }
}
