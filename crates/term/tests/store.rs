//! The store: equal terms are one, ids outlive clones, ill-sorted terms are refused; and numbers modulo powers of two.

use term::{Bits, Op, Sort, Store};

#[test]
fn equal_terms_have_equal_ids() {
    let mut t = Store::new();
    let (x, y) = (t.var("x", Sort::Bv(8)), t.var("y", Sort::Bv(8)));
    assert_eq!(t.add(x, y), t.add(y, x));
    assert_eq!(t.var("x", Sort::Bv(8)), x);
    assert_ne!(t.fresh("x", Sort::Bv(8)), x);
    let (one, two) = (t.bv(1, 8), t.bv(2, 8));
    assert_eq!(t.add(one, one), two);
}

#[test]
fn ids_stay_valid_in_a_clone() {
    let mut t = Store::new();
    let x = t.var("x", Sort::Bv(8));
    let mut u = t.clone();
    assert_eq!(u.var("x", Sort::Bv(8)), x);
    let y = u.var("y", Sort::Bv(8));
    assert_eq!(u.op(u.bool(true)), Op::True);
    assert_eq!(u.symbol_name(y), Some("y"));
    assert!(t.find_var("y").is_none());
}

#[test]
#[should_panic(expected = "ill-sorted")]
fn sort_errors_panic() {
    let mut t = Store::new();
    let (x, y) = (t.var("x", Sort::Bv(8)), t.var("y", Sort::Bv(9)));
    t.add(x, y);
}

#[test]
fn inverses_of_odd_numbers() {
    for width in [1, 3, 8, 64, 128] {
        for odd in [1u128, 3, 5, 7, 0x9e37_79b9_7f4a_7c15, u128::MAX] {
            let bits = Bits::new(odd, width);
            assert!(bits.inverse().expect("odd").mul(&bits).is_one(), "{odd} at {width}");
        }
    }
    assert_eq!(Bits::new(6, 8).inverse(), None);
}
