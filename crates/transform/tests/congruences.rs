//! Congruences over-approximate: every operation, on all members of small ones.

#[path = "../src/memory/congruence.rs"]
#[allow(dead_code)] // What only the memory pass uses.
mod congruence;

use congruence::{Congruence, sign_extended};

fn members(c: Congruence, width: u32) -> Vec<i64> {
    let (lo, hi) = (-(1i64 << (width - 1)), 1i64 << (width - 1));
    (lo..hi).filter(|x| if c.m == 0 { *x == c.r } else { (x - c.r).rem_euclid(c.m as i64) == 0 }).collect()
}

/// Every operation on all congruences of small moduli contains every result on their members.
#[test]
fn operations_over_approximate() {
    let width = 5;
    let all: Vec<Congruence> = (-3..3)
        .map(Congruence::exact)
        .chain((1..9u128).flat_map(|m| (0..m as i128).map(move |r| Congruence::new(r, m))))
        .collect();
    let has = |c: Congruence, x: i64| if c.m == 0 { c.r == x } else { (x - c.r).rem_euclid(c.m as i64) == 0 };
    for &a in &all {
        for &b in &all {
            for x in members(a, width) {
                assert!(has(a.join(b), x) && has(b.join(a), x));
                assert!(has(a.neg(), -x));
                assert!(has(a.wrapped(3), sign_extended(x, 3)));
                for y in members(b, width) {
                    assert!(has(a.add(b), x + y));
                    assert!(has(a.mul(b), x * y), "{a:?} * {b:?}: {x} * {y}");
                }
            }
        }
    }
}
