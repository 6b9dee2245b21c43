//! Quantifier elimination against enumeration, at small widths.

use encode::eliminate::eliminate;
use rustc_hash::FxHashMap;
use term::eval::eval;
use term::{Bits, Sort, Store, Term, Value, free_vars};

/// Whether some value of `v` makes the formula true, the other variables being given.
fn exists(terms: &Store, formula: Term, v: Term, others: &FxHashMap<Term, Value>) -> bool {
    let values: Vec<Value> = match terms.sort(v) {
        Sort::Bool => vec![Value::Bool(false), Value::Bool(true)],
        _ => (0..1 << terms.width(v)).map(|n| Value::Bv(Bits::new(n, terms.width(v)))).collect(),
    };
    values.into_iter().any(|value| {
        let mut all = others.clone();
        all.insert(v, value);
        eval(terms, formula, &all) == Ok(Value::Bool(true))
    })
}

#[test]
fn what_is_eliminated_is_equivalent() {
    let texts = [
        "(and (= (bvadd v x) y) (bvult v x))",
        "(and (= (bvmul 3:4 v) y) (bvslt x v))",
        "(= (bvadd (bvadd v x) y) (bvmul x y))",
        "(or (bvult v x) (bvslt x y))",
        "(or (bvslt x v) (= x y))",
        "(not (bvule v y))",
        "(and (bvule x v) (bvult v y))",
        "(and (bvslt x v) (bvslt v y))",
        "(and (bvsle x v) (and (bvsle v y) (bvslt v 7:4)))",
        "(and (bvult x v) (bvult v y))",
        "(= (sign_extend 2 w) (concat x y))",
        "(and (= (zero_extend 4 v) (concat x y)) (bvult v y))",
        "(ite (= v x) (bvult x y) (bvult y x))",
    ];
    let mut terms = Store::new();
    let (x, y) = (terms.var("x", Sort::Bv(4)), terms.var("y", Sort::Bv(4)));
    let (narrow, wide) = (terms.var("v", Sort::Bv(4)), terms.var("w", Sort::Bv(6)));
    for text in texts {
        let v = if text.contains('w') { wide } else { narrow };
        let formula = cfa::text::parse_term(&mut terms, text).unwrap_or_else(|e| panic!("{text}: {e}"));
        let without = eliminate(&mut terms, formula, &[v]);
        assert!(!free_vars(&terms, &[without]).contains(&v), "{text}");
        for (a, b) in (0..16u128).flat_map(|a| (0..16u128).map(move |b| (a, b))) {
            let others: FxHashMap<Term, Value> =
                [(x, Value::Bv(Bits::new(a, 4))), (y, Value::Bv(Bits::new(b, 4)))].into_iter().collect();
            let direct = exists(&terms, formula, v, &others);
            assert_eq!(eval(&terms, without, &others), Ok(Value::Bool(direct)), "{text} at {a}, {b}");
        }
    }
}
