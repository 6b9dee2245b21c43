//! Building, substituting, simplifying, evaluating, printing: figures for `docs/`.

use std::collections::BTreeMap;

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use term::{Bits, Evaluator, Sort, Store, Substitution, Term, Value, simplify, smtlib};

fn main() {
    divan::main();
}

const N: u32 = 100_000;

/// A loop-like chain: x' = ite(x < y, x + y * 3, x ^ c), new nodes at every step.
fn chain(store: &mut Store, steps: u32) -> Term {
    let sort = Sort::Bv(32);
    let (mut x, y) = (store.var("x", sort), store.var("y", sort));
    let three = store.bv(3, 32);
    let scaled = store.mul(y, three);
    for i in 0..steps {
        let c = store.bv(u128::from(i), 32);
        let less = store.slt(x, y);
        let sum = store.add(x, scaled);
        let flipped = store.bvxor(x, c);
        x = store.ite(less, sum, flipped);
    }
    x
}

/// Five constructions per step (one of them a constant).
#[divan::bench]
fn build_new(bencher: Bencher<'_, '_>) {
    bencher.counter(ItemsCount::new(5 * N as usize)).with_inputs(Store::new).bench_refs(|store| chain(store, N));
}

/// The same terms again: every construction finds what is there.
#[divan::bench]
fn build_known(bencher: Bencher<'_, '_>) {
    let mut store = Store::new();
    chain(&mut store, N);
    bencher.counter(ItemsCount::new(5 * N as usize)).bench_local(|| chain(&mut store, N));
}

#[divan::bench]
fn substitute(bencher: Bencher<'_, '_>) {
    let mut store = Store::new();
    let root = chain(&mut store, N);
    let (x, y) = (store.var("x", Sort::Bv(32)), store.var("y", Sort::Bv(32)));
    let size = term::dag_size(&store, &[root]);
    bencher.counter(ItemsCount::new(size)).with_inputs(|| store.clone()).bench_refs(|store| {
        let mut substitution = Substitution::new();
        substitution.insert(store, x, y);
        let z = store.var("z", Sort::Bv(32));
        substitution.insert(store, y, z);
        substitution.apply(store, root)
    });
}

#[divan::bench]
fn simplify_chain(bencher: Bencher<'_, '_>) {
    let mut store = Store::new();
    let root = chain(&mut store, N / 10);
    let size = term::dag_size(&store, &[root]);
    bencher.counter(ItemsCount::new(size)).with_inputs(|| store.clone()).bench_refs(|store| simplify(store, root));
}

#[divan::bench]
fn evaluate(bencher: Bencher<'_, '_>) {
    let mut store = Store::new();
    let root = chain(&mut store, N);
    let (x, y) = (store.var("x", Sort::Bv(32)), store.var("y", Sort::Bv(32)));
    let values: BTreeMap<Term, Value> =
        [(x, Value::Bv(Bits::new(1, 32))), (y, Value::Bv(Bits::new(77, 32)))].into_iter().collect();
    let size = term::dag_size(&store, &[root]);
    bencher.counter(ItemsCount::new(size)).bench(|| Evaluator::new(&values).eval(black_box(&store), root));
}

#[divan::bench]
fn print_smtlib(bencher: Bencher<'_, '_>) {
    let mut store = Store::new();
    let root = chain(&mut store, N);
    let size = term::dag_size(&store, &[root]);
    bencher.counter(ItemsCount::new(size)).bench(|| {
        let mut out = String::new();
        smtlib::Printer::new(smtlib::Dialect::V26).declare(&store, &[root], &mut out);
        out
    });
}

#[divan::bench]
fn clone_store(bencher: Bencher<'_, '_>) {
    let mut store = Store::new();
    chain(&mut store, N);
    let size = store.len();
    bencher.counter(ItemsCount::new(size)).bench(|| store.clone());
}
