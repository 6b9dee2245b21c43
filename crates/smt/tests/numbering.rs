//! Value numbering: what is the same in another order has one number, and nothing else has.

use smt::numbering::Numbering;
use smt::{Answer, BitwuzlaSettings, BitwuzlaSolver, Solver};
use term::random::{Config, Generator};
use term::{Sort, Store, Term};

/// Whether numbers alone show that the two are equal.
fn are_same(store: &mut Store, a: Term, b: Term) -> bool {
    let equal = store.eq(a, b);
    let differ = store.not(equal);
    Numbering::default().contradiction(store, &[differ]).is_some()
}

fn inputs(store: &mut Store, count: usize, width: u32) -> Vec<Term> {
    (0..count).map(|i| store.var(&format!("x{i}"), Sort::Bv(width))).collect()
}

fn folded(store: &mut Store, all: &[Term], mut f: impl FnMut(&mut Store, Term, Term) -> Term) -> Term {
    all[1..].iter().fold(all[0], |sum, x| f(store, sum, *x))
}

#[test]
fn what_is_folded_in_another_order_is_the_same() {
    let store = &mut Store::new();
    let all = inputs(store, 40, 32);
    let mut other = all.clone();
    other.rotate_left(1);
    other.swap(3, 17);
    let wide = |store: &mut Store, all: &[Term]| -> Vec<Term> { all.iter().map(|x| store.sext_to(*x, 64)).collect() };
    let (wide, wide_other) = (wide(store, &all), wide(store, &other));
    let (sum, again) = (folded(store, &wide, Store::add), folded(store, &wide_other, Store::add));
    assert!(are_same(store, sum, again));
    let forty = store.bv(40, 64);
    let (average, again_average) = (store.sdiv(sum, forty), store.sdiv(again, forty));
    let (low, again_low) = (store.extract(average, 31, 0), store.extract(again_average, 31, 0));
    assert!(are_same(store, low, again_low));
    let narrow = folded(store, &other, Store::add);
    let low = store.extract(sum, 31, 0);
    assert!(are_same(store, low, narrow), "the lowest bits of a sum are the sum of the lowest bits");
    for f in [Store::bvand, Store::bvor, Store::bvxor] {
        let (one, two) = (folded(store, &all, f), folded(store, &other, f));
        assert!(are_same(store, one, two));
    }
    let greatest = |store: &mut Store, a: Term, b: Term| {
        let below = store.slt(a, b);
        store.ite(below, b, a)
    };
    let also_greatest = |store: &mut Store, a: Term, b: Term| {
        let below = store.sle(a, b);
        let above = store.not(below);
        store.ite(above, a, b)
    };
    let (one, two) = (folded(store, &all, greatest), folded(store, &other, also_greatest));
    assert!(are_same(store, one, two));
}

#[test]
fn counts_are_sums() {
    let store = &mut Store::new();
    let all = inputs(store, 20, 32);
    let mut other = all.clone();
    other.reverse();
    let count = |store: &mut Store, all: &[Term]| {
        let (mut count, one, zero) = (store.bv(0, 32), store.bv(1, 32), store.bv(0, 32));
        for x in all {
            let (more, fewer) = (store.add(count, one), store.sub(count, one));
            let is_negative = store.slt(*x, zero);
            count = store.ite(is_negative, fewer, more);
        }
        count
    };
    let (one, two) = (count(store, &all), count(store, &other));
    assert!(are_same(store, one, two));
    let three = count(store, &all[1..]);
    assert!(!are_same(store, one, three));
}

#[test]
fn what_differs_does_not_become_the_same() {
    let store = &mut Store::new();
    let all = inputs(store, 6, 32);
    let wide: Vec<Term> = all.iter().map(|x| store.sext_to(*x, 64)).collect();
    let sum = folded(store, &wide, Store::add);
    let narrow = folded(store, &all, Store::add);
    let back = store.sext_to(narrow, 64);
    assert!(!are_same(store, sum, back), "the narrow sum may wrap around");
    let unsigned: Vec<Term> = all.iter().map(|x| store.zext_to(*x, 64)).collect();
    let other = folded(store, &unsigned, Store::add);
    assert!(!are_same(store, sum, other));
    let mut twice = all.clone();
    twice[2] = twice[3];
    let one = folded(store, &twice, Store::bvand);
    let two = folded(store, &all, Store::bvand);
    assert!(!are_same(store, one, two));
    let (x, y) = (all[0], all[1]);
    let (signed, unsigned) = (store.slt(x, y), store.ult(x, y));
    let (one, two) = (store.ite(signed, x, y), store.ite(unsigned, x, y));
    assert!(!are_same(store, one, two));
    let two = store.ite(signed, y, x);
    assert!(!are_same(store, one, two), "the least is not the greatest");
}

#[test]
fn contradictions_of_random_terms_are_contradictions() {
    let mut found = 0;
    for seed in 0..150 {
        let mut store = Store::new();
        let config = Config { vars: 2, height: 3, ..Config::bit_vectors(4) };
        let mut generator = Generator::new(seed, config);
        let mut numbering = Numbering::default();
        let mut solver = BitwuzlaSolver::new(&BitwuzlaSettings::default());
        for _ in 0..40 {
            let facts = [generator.formula(&mut store), generator.formula(&mut store)];
            let settled = facts.iter().any(|fact| store.as_bool_const(*fact).is_some());
            let Some(core) = numbering.contradiction(&store, &facts) else { continue };
            assert!(core.iter().all(|fact| facts.contains(fact)));
            assert_eq!(solver.check(&store, &core), Ok(Answer::Unsat), "{seed}");
            found += usize::from(!settled);
        }
    }
    assert!(found >= 40, "only {found} contradictions to look at");
}
