//! Interpolants: implied by the one side, contradicting the other, over common variables.

use std::time::Duration;

use smt::{HornInterpolator, Interpolate, Limits, Z3Process, Z3Settings};
use term::{Sort, Store, free_vars};

#[test]
fn interpolants_separate() {
    if Z3Process::new(&Z3Settings::default()).is_err() {
        return;
    }
    let limits = Limits { time: Some(Duration::from_secs(60)), cancel: None };
    let mut interpolator = HornInterpolator::new(&Z3Settings::default(), &limits);
    let mut store = Store::new();
    let [x, y, z] = ["x", "y", "z"].map(|name| store.var(name, Sort::Bv(8)));
    let (two, ten, fifty) = (store.bv(2, 8), store.bv(10, 8), store.bv(50, 8));
    // y = x + 2 and x < 10, against z = y and z > 50.
    let sum = store.add(x, two);
    let (first, second) = (store.eq(y, sum), store.ult(x, ten));
    let a = store.and(first, second);
    let (third, fourth) = (store.eq(z, y), store.ugt(z, fifty));
    let b = store.and(third, fourth);
    // That it separates was proved before it was returned.
    let interpolant = interpolator.interpolant(&mut store, a, b).unwrap().unwrap();
    assert!(free_vars(&store, &[interpolant]).iter().all(|var| *var == y));

    assert_eq!(interpolator.interpolant(&mut store, a, third), Ok(None), "they do not contradict");
    let falsity = store.ff();
    assert_eq!(interpolator.interpolant(&mut store, falsity, b), Ok(Some(falsity)));
    assert_eq!(interpolator.interpolant(&mut store, a, falsity), Ok(Some(store.tt())));
}
