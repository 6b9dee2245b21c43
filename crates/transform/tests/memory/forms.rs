//! Which variables memory becomes.

use super::build::Build;
use super::compare::{compare, flatten};
use cfa::{DataModel, ObjectKind, Op, Program, VarKind};
use term::{Format, Sort};

/// The variables that the flattening made, apart from its counters and temporaries: `name: sort`.
fn memory(original: &Program, flat: &Program) -> Vec<String> {
    flat.vars
        .iter()
        .skip(original.vars.len())
        .filter(|(v, info)| info.kind == VarKind::Memory && !flat.name(*v).starts_with('$'))
        .map(|(v, info)| format!("{}: {:?}", flat.name(v), info.sort))
        .collect()
}

/// Flattens, checks a few runs, and compares the variables of memory with the expected ones.
fn check(build: Build, expected: &[&str]) -> Program {
    let original = build.finish();
    let flat = flatten(&original);
    assert_eq!(memory(&original, &flat), expected, "{}", cfa::print(&flat));
    let vars: Vec<_> = original.vars.ids().skip(2).filter(|v| !original.name(*v).starts_with('&')).collect();
    for seed in 0..20 {
        compare(&original, &flat, seed, &vars, 10_000).unwrap();
    }
    flat
}

#[test]
fn an_address_taken_int_is_a_scalar() {
    let mut b = Build::new(DataModel::Lp64);
    let x = b.alloc("x", 4, ObjectKind::Stack);
    let (p, y) = (b.pointer("p"), b.int("y"));
    let t = b.p.term(x);
    b.set(p, t);
    let seven = b.p.terms.bv(7, 32);
    let t = b.p.term(p);
    b.store(t, seven);
    let t = b.p.term(x);
    b.load(y, t);
    check(b, &["x: bv32"]);
}

#[test]
fn an_array_is_indexed_by_element() {
    for (model, index) in [(DataModel::Lp64, "bv32"), (DataModel::Ilp32, "bv32")] {
        let mut b = Build::new(model);
        let a = b.alloc("a", 40, ObjectKind::Static);
        let (i, y) = (b.int("i"), b.int("y"));
        b.input(i);
        let (base, i) = (b.p.term(a), b.p.term(i));
        let mask = b.p.terms.bv(7, 32);
        let index_term = b.p.terms.bvand(i, mask);
        let at = b.indexed(base, index_term, 4, 4);
        b.store(at, i);
        b.load(y, at);
        let fixed = b.at_offset(a, 8);
        b.load(y, fixed);
        check(b, &[&format!("a: [{index} -> bv32]")]);
    }
}

#[test]
fn fields_of_list_nodes_are_arrays_of_their_own() {
    let mut b = Build::new(DataModel::Lp64);
    let (n, head, p, i, sum) = (b.pointer("n"), b.pointer("head"), b.pointer("p"), b.int("i"), b.int("sum"));
    let (null, zero, three) = (b.word(0), b.p.terms.bv(0, 32), b.p.terms.bv(3, 32));
    b.set(head, null);
    b.set(i, zero);
    b.set(sum, zero);
    // Build a list of three nodes {int data; node *next; char *name}.
    let (test, body, after) = (b.loc(), b.loc(), b.loc());
    let go = b.p.terms.tt();
    b.edge_to(test, Op::Assume(go));
    b.at = test;
    let index = b.p.term(i);
    let less = b.p.terms.slt(index, three);
    let not_less = b.p.terms.not(less);
    b.edge_to(body, Op::Assume(less));
    b.edge_to(after, Op::Assume(not_less));
    b.at = body;
    b.alloc_to(n, "node", 24, ObjectKind::Heap);
    let (data, next, name) = (b.at_offset(n, 0), b.at_offset(n, 8), b.at_offset(n, 16));
    b.store(data, index);
    let old = b.p.term(head);
    b.store(next, old);
    b.store(name, null);
    let new = b.p.term(n);
    b.set(head, new);
    let one = b.p.terms.bv(1, 32);
    let more = b.p.terms.add(index, one);
    b.edge_to(test, Op::Assign(vec![(i, more)]));
    // Walk it.
    b.at = after;
    let start = b.p.term(head);
    b.set(p, start);
    for _ in 0..3 {
        let (data, next) = (b.at_offset(p, 0), b.at_offset(p, 8));
        let d = b.int("d");
        b.load(d, data);
        let (s, d) = (b.p.term(sum), b.p.term(d));
        let total = b.p.terms.add(s, d);
        b.set(sum, total);
        b.load(p, next);
    }
    check(b, &["node..: [bv32 -> bv32]", "node..+8: [bv32 -> bv64]", "node..+16: [bv32 -> bv64]"]);
}

#[test]
fn a_union_of_int_and_float_holds_bits() {
    let mut b = Build::new(DataModel::Lp64);
    let u = b.alloc("u", 4, ObjectKind::Stack);
    let (i, f) = (b.int("i"), b.var("f", Sort::Float(Format::F32)));
    let one = b.p.terms.float_from_f32(1.5);
    let t = b.p.term(u);
    b.store(t, one);
    b.load(i, t);
    b.load(f, t);
    let ft = b.p.term(f);
    let neg = b.p.terms.fp_neg(ft);
    b.store(t, neg);
    b.load(i, t);
    check(b, &["u: bv32"]);
}

#[test]
fn floats_alone_stay_floats() {
    let mut b = Build::new(DataModel::Lp64);
    let a = b.alloc("a", 32, ObjectKind::Stack);
    let (i, f) = (b.int("i"), b.var("f", Sort::Float(Format::F64)));
    b.input(i);
    let (base, i) = (b.p.term(a), b.p.term(i));
    let mask = b.p.terms.bv(3, 32);
    let index = b.p.terms.bvand(i, mask);
    let at = b.indexed(base, index, 8, 0);
    let x = b.p.terms.float_from_f64(2.25);
    b.store(at, x);
    b.load(f, at);
    check(b, &["a: [bv32 -> f11_53]"]);
}

#[test]
fn bytes_and_words_of_one_place_split_it() {
    let mut b = Build::new(DataModel::Lp64);
    let x = b.alloc("x", 4, ObjectKind::Static);
    let (c, y) = (b.var("c", Sort::Bv(8)), b.int("y"));
    let word = b.p.terms.bv(0x0102_0304, 32);
    let t = b.p.term(x);
    b.store(t, word);
    let second = b.at_offset(x, 1);
    b.load(c, second);
    let nine = b.p.terms.bv(9, 8);
    b.store(second, nine);
    b.load(y, t);
    check(b, &["x: bv8", "x+1: bv8", "x+2: bv16"]);
}

#[test]
fn a_pointer_to_two_objects_leaves_them_apart() {
    let mut b = Build::new(DataModel::Lp64);
    let (x, y) = (b.alloc("x", 4, ObjectKind::Stack), b.alloc("y", 4, ObjectKind::Stack));
    let (i, p, r) = (b.int("i"), b.pointer("p"), b.int("r"));
    b.input(i);
    let (i, tx, ty) = (b.p.term(i), b.p.term(x), b.p.term(y));
    let bit = b.p.terms.extract(i, 0, 0);
    let cond = b.p.terms.nonzero(bit);
    let either = b.p.terms.ite(cond, tx, ty);
    b.set(p, either);
    let (one, two) = (b.p.terms.bv(1, 32), b.p.terms.bv(2, 32));
    b.store(tx, one);
    let t = b.p.term(p);
    b.store(t, two);
    b.load(r, tx);
    check(b, &["x: bv32", "y: bv32"]);
}

#[test]
fn an_index_does_not_join_arrays() {
    let mut b = Build::new(DataModel::Lp64);
    let (x, y) = (b.alloc("x", 32, ObjectKind::Static), b.alloc("y", 32, ObjectKind::Static));
    let (i, d) = (b.int("i"), b.pointer("d"));
    b.input(i);
    // A difference of pointers is a number, too.
    let i = b.p.term(i);
    let mask = b.p.terms.bv(7, 32);
    let index = b.p.terms.bvand(i, mask);
    let (tx, ty) = (b.p.term(x), b.p.term(y));
    let at = b.indexed(tx, index, 4, 0);
    b.store(at, i);
    let difference = b.p.terms.sub(at, tx);
    b.set(d, difference);
    let td = b.p.term(d);
    let other = b.p.terms.add(ty, td);
    b.store(other, i);
    check(b, &["x: [bv32 -> bv32]", "y: [bv30 -> bv32]"]);
}
