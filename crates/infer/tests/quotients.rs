//! Numbers that grow every so many iterations.

use infer::candidates::numbers::Number;
use infer::candidates::quotients::{Division, quotients};
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
