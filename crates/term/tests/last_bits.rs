//! Numbers by their last bits: every case says of every number what was said before.

use std::collections::BTreeMap;
use term::last_bits::{LastBits, taken};
use term::{Bits, Sort, Store, Value, walk};

/// In each case a term has the value that it has with the number put in its place: all numbers of six bits.
#[test]
fn cases_change_no_value() {
    let texts = [
        "(bvadd i #b000101)",
        "(bvneg i)",
        "(bvmul i #b000101)",
        "(bvmul (bvadd i #b111111) #b111110)",
        "((_ extract 5 2) (bvadd i #b000011))",
        "((_ extract 1 0) (bvadd i #b000001))",
        "(bvsrem i #b000100)",
        "(bvsrem (bvadd i #b000001) #b000010)",
        "(bvsdiv i #b000100)",
        "(bvsdiv (bvneg i) #b000010)",
        "(bvurem i #b000100)",
        "(bvudiv (bvadd i #b000010) #b000100)",
        "(bvult i #b010110)",
        "(bvule #b010110 i)",
        "(bvslt i (bvadd i #b000001))",
        "(bvsle (bvneg i) (bvadd i #b000110))",
        "(= (bvadd i #b000011) (bvmul i #b000011))",
        "(= (bvneg i) i)",
        "((_ extract 7 2) (bvadd ((_ zero_extend 2) i) #x05))",
        "(bvult (bvmul ((_ zero_extend 2) i) #x03) ((_ zero_extend 2) (bvadd i #b000001)))",
    ];
    let mut store = Store::new();
    let i = store.var("i", Sort::Bv(6));
    for text in texts {
        let root = term::smtlib::parse_term(&mut store, text).expect("a term");
        let last = LastBits { number: i, count: 2 };
        for is_natural in [false, true] {
            let mut met = 0;
            for case in last.cases(&mut store, is_natural) {
                let [t] = case.of(&mut store, &[root])[..] else { panic!("one term") };
                let upper = walk::free_vars(&store, &[case.put])[0];
                let width = store.width(upper);
                for value in 0..1u128 << width {
                    let given = BTreeMap::from([(upper, Value::Bv(Bits::new(value, width)))]);
                    let number = term::eval(&store, case.put, &given).expect("a number");
                    let is = term::eval(&store, t, &given).expect("a value");
                    let was = term::eval(&store, root, &BTreeMap::from([(i, number)])).expect("a value");
                    assert_eq!(is, was, "{text} with {} at the end, above it {value}", case.value());
                    met += 1;
                }
            }
            assert_eq!(met, if is_natural { 32 } else { 64 });
        }
    }
}

#[test]
fn the_most_bits_decide() {
    let mut store = Store::new();
    let [i, j] = ["i", "j"].map(|name| store.var(name, Sort::Bv(8)));
    let mut parse = |text: &str| term::smtlib::parse_term(&mut store, text).expect("a term");
    let (odd, quarter) = (parse("(= ((_ extract 0 0) i) #b1)"), parse("(= ((_ extract 7 2) (bvadd j #x01)) #b000001)"));
    let (rest, many) = (parse("(= (bvsrem i #x08) #x03)"), parse("(= (bvudiv i #x40) j)"));
    assert_eq!(taken(&store, &[odd], 4), Some(LastBits { number: i, count: 1 }));
    assert_eq!(taken(&store, &[odd, quarter], 4), Some(LastBits { number: j, count: 2 }));
    assert_eq!(taken(&store, &[odd, rest, quarter], 4), Some(LastBits { number: i, count: 3 }));
    assert_eq!(taken(&store, &[many], 4), None);
}
