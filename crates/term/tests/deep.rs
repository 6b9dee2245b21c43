//! Chains a million terms deep: built, printed, read, substituted, evaluated, simplified, normalised, dropped, all on an
//! ordinary stack.

use std::collections::BTreeMap;

use term::{Bits, Sort, Store, Term, Value, eval, free_vars, normal, print_c, simplify, smtlib, substitute, tree_size};

const DEEP: u32 = 1_000_000;

/// Alternating sums and exclusive ors with new literals, which no rule merges.
fn chain(store: &mut Store, depth: u32) -> (Term, Term) {
    let x = store.var("x", Sort::Bv(32));
    let y = store.var("y", Sort::Bv(32));
    let mut t = x;
    for i in 0..depth / 2 {
        t = store.add(t, y);
        let c = store.bv(u128::from(i) | 1 << 20, 32);
        t = store.bvxor(t, c);
    }
    (x, t)
}

#[test]
fn bit_vector_chains() {
    let mut store = Store::new();
    let (x, root) = chain(&mut store, DEEP);
    assert!(term::walk::depth(&store, root) >= DEEP as usize - 2);
    assert_eq!(free_vars(&store, &[root]).len(), 2);
    assert!(tree_size(&store, root) >= u64::from(DEEP));
    let y = store.var("y", Sort::Bv(32));
    let values: BTreeMap<Term, Value> = [x, y].map(|v| (v, Value::Bv(Bits::new(12345, 32)))).into();
    let before = eval(&store, root, &values).unwrap();
    let z = store.var("z", Sort::Bv(32));
    let moved = substitute(&mut store, root, &[(x, z), (y, z)]);
    assert_eq!(free_vars(&store, &[moved]), [z]);
    let values: BTreeMap<Term, Value> = [(z, Value::Bv(Bits::new(12345, 32)))].into();
    assert_eq!(eval(&store, moved, &values), Ok(before));
    let simplified = simplify(&mut store, root);
    assert_eq!(store.sort(simplified), Sort::Bv(32));
    assert_eq!(print_c(&store, root, &|_: &Store, _: Term| None), None);
}

#[test]
fn smtlib_text_of_a_chain() {
    let mut store = Store::new();
    let (_, root) = chain(&mut store, DEEP);
    let zero = store.bv(0, 32);
    let formula = store.eq(root, zero);
    let text = smtlib::print_script(&store, &[formula], smtlib::Dialect::V26);
    let commands = smtlib::parse_script(&mut store, &text).unwrap();
    assert!(commands.contains(&smtlib::Command::Assert(formula)));
    let text = smtlib::print_term(&store, formula);
    assert_eq!(smtlib::parse_term(&mut store, &text), Ok(formula));
    // No sharing and no cuts: parentheses nest a million deep.
    let mut nested = "(bvnot (bvneg ".repeat(DEEP as usize / 2);
    nested.push('x');
    nested.push_str(&"))".repeat(DEEP as usize / 2));
    assert!(smtlib::parse_term(&mut store, &nested).is_ok());
}

#[test]
fn formula_chains() {
    let mut store = Store::new();
    let mut t = store.tt();
    for i in 0..DEEP / 4 {
        let p = store.var(&format!("p{i}"), Sort::Bool);
        t = if i % 2 == 0 { store.and(p, t) } else { store.or(p, t) };
        t = store.not(t);
    }
    let negated = normal::negate(&mut store, t);
    let back = normal::negate(&mut store, negated);
    assert_eq!(store.sort(back), Sort::Bool);
    assert_eq!(normal::cnf(&mut store, t, 100), None);
    simplify(&mut store, t);
}

#[test]
fn choices_and_stores() {
    let mut store = Store::new();
    let sort = Sort::array(Sort::Bv(32), Sort::Bv(8));
    let (mut memory, mut choice) = (store.var("m", sort), store.bv(0, 32));
    let (base, flag) = (store.var("base", Sort::Bv(32)), store.var("i", Sort::Bv(32)));
    for i in 0..DEEP / 10 {
        let c = store.bv(u128::from(i), 32);
        let address = store.add(base, c);
        let byte = store.bv(u128::from(i), 8);
        memory = store.store(memory, address, byte);
        let here = store.eq(flag, c);
        choice = store.ite(here, address, choice);
    }
    // Follows the chain of choices without following it on the stack.
    let zero = store.bv(7, 32);
    store.eq(choice, zero);
    let read = store.select(memory, flag);
    let values: BTreeMap<Term, Value> = [
        (base, Value::Bv(Bits::new(1000, 32))),
        (flag, Value::Bv(Bits::new(1077, 32))),
        (store.var("m", sort), Value::zero(sort)),
    ]
    .into();
    assert_eq!(eval(&store, read, &values), Ok(Value::Bv(Bits::new(77, 8))));
}
