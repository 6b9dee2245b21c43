//! Substitution, normal forms, simplification and models, on small examples.

use term::normal::{cnf, conjuncts, dnf, factored, from_clauses, negate, nnf};
use term::smtlib::{Command, parse_model, parse_script, parse_term, parse_values};
use term::{Bits, Evaluator, FloatValue, Format, Sort, Store, Term, Value, eval, free_vars, simplify, substitute};

const INT: Sort = Sort::Bv(8);

fn vars<const N: usize>(t: &mut Store, names: [&str; N], sort: Sort) -> [Term; N] {
    names.map(|name| t.var(name, sort))
}

#[test]
fn substitution_is_parallel() {
    let mut t = Store::new();
    let [x, y] = vars(&mut t, ["x", "y"], INT);
    let (less, greater) = (t.ult(x, y), t.ult(y, x));
    assert_eq!(substitute(&mut t, less, &[(x, y), (y, x)]), greater);
}

#[test]
fn substitution_normalises() {
    let mut t = Store::new();
    let [x, y] = vars(&mut t, ["x", "y"], INT);
    let difference = t.sub(x, y);
    let zero = t.bv(0, 8);
    assert_eq!(substitute(&mut t, difference, &[(x, y)]), zero);
}

#[test]
fn substitution_does_not_capture() {
    let mut t = Store::new();
    let [x, y] = vars(&mut t, ["x", "y"], Sort::Bv(2));
    let equal = t.eq(x, y);
    let exists = t.exists(&[x], equal); // true for every y
    assert_eq!(free_vars(&t, &[exists]), [y]);
    let one = t.bv(1, 2);
    let next = t.add(x, one);
    let moved = substitute(&mut t, exists, &[(y, next)]); // exists x'. x' = x + 1
    assert_eq!(free_vars(&t, &[moved]), [x]);
    let values = std::collections::BTreeMap::from([(x, Value::Bv(Bits::new(3, 2)))]);
    assert_eq!(eval(&t, moved, &values), Ok(Value::Bool(true)));
    assert_eq!(substitute(&mut t, exists, &[(x, one)]), exists, "bound variables stay");
}

#[test]
fn quantifiers_are_evaluated_by_trying() {
    let mut t = Store::new();
    let [x, y] = vars(&mut t, ["x", "y"], Sort::Bv(3));
    let (low, sum) = (t.ule(x, y), t.add(x, y));
    let all = t.forall(&[x], low);
    for n in 0..8 {
        let values = std::collections::BTreeMap::from([(y, Value::Bv(Bits::new(n, 3)))]);
        assert_eq!(eval(&t, all, &values), Ok(Value::Bool(n == 7)));
    }
    let zero = t.bv(0, 3);
    let inverse = t.eq(sum, zero);
    let some = t.exists(&[y], inverse);
    let always = t.forall(&[x], some);
    assert_eq!(eval(&t, always, &()), Ok(Value::Bool(true)));
}

#[test]
fn evaluation_needs_only_what_matters() {
    let mut t = Store::new();
    let [p, q] = vars(&mut t, ["p", "q"], Sort::Bool);
    let (both, either) = (t.and(p, q), t.or(p, q));
    let values = std::collections::BTreeMap::from([(p, Value::Bool(false))]);
    let mut evaluator = Evaluator::new(&values);
    assert_eq!(evaluator.eval(&t, both), Ok(Value::Bool(false)));
    assert!(evaluator.eval(&t, either).is_err());
}

#[test]
fn negation_normal_form() {
    let mut t = Store::new();
    let [p, q] = vars(&mut t, ["p", "q"], Sort::Bool);
    let [x, y] = vars(&mut t, ["x", "y"], INT);
    let less = t.slt(x, y);
    let inner = t.and(q, less);
    let formula = t.or(p, inner);
    let (not_p, not_q, at_least) = (t.not(p), t.not(q), t.sle(y, x));
    let either = t.or(not_q, at_least);
    let expected = t.and(not_p, either);
    assert_eq!(negate(&mut t, formula), expected);
    let negated = t.not(formula);
    assert_eq!(nnf(&mut t, negated), expected);
    assert_eq!(conjuncts(&t, expected), [not_p, either]);
}

#[test]
fn clauses_within_a_limit() {
    let mut t = Store::new();
    let [p, q, r, s] = vars(&mut t, ["p", "q", "r", "s"], Sort::Bool);
    let (left, right) = (t.and(p, q), t.and(r, s));
    let formula = t.or(left, right);
    let clauses = cnf(&mut t, formula, 10).unwrap();
    assert_eq!(clauses, [[p, r], [p, s], [q, r], [q, s]]);
    assert_eq!(cnf(&mut t, formula, 3), None);
    assert_eq!(dnf(&mut t, formula, 2).unwrap(), [[p, q], [r, s]]);
    let again = from_clauses(&mut t, &clauses);
    for n in 0..16u32 {
        let values: std::collections::BTreeMap<Term, Value> =
            [p, q, r, s].iter().enumerate().map(|(i, &v)| (v, Value::Bool(n >> i & 1 == 1))).collect();
        assert_eq!(eval(&t, formula, &values), eval(&t, again, &values));
    }
    let (tt, ff) = (t.tt(), t.ff());
    assert_eq!(cnf(&mut t, tt, 1), Some(vec![]));
    assert_eq!(cnf(&mut t, ff, 1), Some(vec![vec![]]));
}

#[test]
fn simplification_is_stronger_than_building() {
    let mut t = Store::new();
    let [x, y, z] = vars(&mut t, ["x", "y", "z"], INT);
    // x - (y + z) + y + z = x
    let (sum, outer) = (t.add(y, z), t.add(x, y));
    let negated = t.neg(sum);
    let left = t.add(negated, z);
    let whole = t.add(left, outer);
    let test = t.eq(whole, x);
    assert_eq!(simplify(&mut t, test), t.tt());
    // x = 3 & x < y  becomes  x = 3 & 3 < y
    let three = t.bv(3, 8);
    let (is_three, less, constant_less) = (t.eq(x, three), t.ult(x, y), t.ult(three, y));
    let (both, expected) = (t.and(is_three, less), t.and_all(&[is_three, constant_less]));
    assert_eq!(simplify(&mut t, both), expected);
    // 4 < x & x < 9 & x < 6  becomes  x = 5
    let (four, five, six, nine) = (t.bv(4, 8), t.bv(5, 8), t.bv(6, 8), t.bv(9, 8));
    let parts = [t.ult(four, x), t.ult(x, nine), t.ult(x, six)];
    let (bounds, expected) = (t.and_all(&parts), t.eq(x, five));
    assert_eq!(simplify(&mut t, bounds), expected);
}

#[test]
fn common_terms_have_one_spelling() {
    let mut t = Store::new();
    let [x, y] = vars(&mut t, ["x", "y"], Sort::Bv(32));
    let (one, two, ten) = (t.bv(1, 32), t.bv(2, 32), t.bv(10, 32));
    let (a, b) = (t.shl(x, one), t.add(x, x));
    assert_eq!(a, b);
    let c = t.mul(two, x);
    assert_eq!(b, c);
    // i < 10, !(i >= 10), i <= 9
    let (nine, less) = (t.bv(9, 32), t.slt(x, ten));
    let not_less = t.sge(x, ten);
    assert_eq!(t.not(not_less), less);
    assert_eq!(t.sle(x, nine), less);
    // (char)((int)a + (int)b) is a + b in a char
    let [c, d] = vars(&mut t, ["c", "d"], INT);
    let (wide_c, wide_d) = (t.sext_to(c, 32), t.sext_to(d, 32));
    let wide = t.add(wide_c, wide_d);
    let (narrow, direct) = (t.extract(wide, 7, 0), t.add(c, d));
    assert_eq!(narrow, direct);
    // x written to memory byte by byte and read again is x
    let sort = Sort::array(Sort::Bv(32), Sort::Bv(8));
    let mut memory = t.var("m", sort);
    for i in 0..4 {
        let offset = t.bv(i, 32);
        let (at, byte) = (t.add(y, offset), t.extract(x, 8 * i as u32 + 7, 8 * i as u32));
        memory = t.store(memory, at, byte);
    }
    let mut read = t.select(memory, y);
    for i in 1..4 {
        let offset = t.bv(i, 32);
        let at = t.add(y, offset);
        let byte = t.select(memory, at);
        read = t.concat(byte, read);
    }
    assert_eq!(read, x);
    // … and assembled with shifts and ors as well
    let mut word = t.bv(0, 32);
    for i in 0..4 {
        let (byte, by) = (t.extract(x, 8 * i as u32 + 7, 8 * i as u32), t.bv(8 * i, 32));
        let wide = t.zext_to(byte, 32);
        let shifted = t.shl(wide, by);
        word = t.bvor(word, shifted);
    }
    assert_eq!(word, x);
}

#[test]
fn models_of_z3() {
    let mut t = Store::new();
    let x = t.var("x", Sort::Bv(8));
    let p = t.var("select", Sort::Bool);
    let f = t.var("f", Sort::Float(Format::F32));
    let m = t.var("m", Sort::array(Sort::Bv(4), Sort::Bv(8)));
    let n = t.var("n", Sort::array(Sort::Bv(4), Sort::Bv(8)));
    let g = t.func("g", &[Sort::Bv(8)], Sort::Bool);
    let text = "(model
      (define-fun x () (_ BitVec 8) #x2a)
      (define-fun select~ () Bool true)
      (define-fun m () (Array (_ BitVec 4) (_ BitVec 8)) (store ((as const (Array (_ BitVec 4) (_ BitVec 8))) #x01) #x3 #xff))
      (define-fun n () (Array (_ BitVec 4) (_ BitVec 8)) (_ as-array k!7))
      (define-fun f () (_ FloatingPoint 8 24) (fp #b1 #x7f #b00000000000000000000000))
      (define-fun g ((x!0 (_ BitVec 8))) Bool (ite (= x!0 #x05) true false))
      (define-fun k!7 ((x!0 (_ BitVec 4))) (_ BitVec 8) (ite (= x!0 #x2) #x10 (ite (= x!0 #x4) #x20 #x00)))
    )";
    let model = parse_model(&mut t, text).unwrap();
    let mut evaluator = Evaluator::new(&model);
    assert_eq!(evaluator.eval(&t, x), Ok(Value::Bv(Bits::new(42, 8))));
    assert_eq!(evaluator.eval(&t, p), Ok(Value::Bool(true)));
    assert_eq!(evaluator.eval(&t, f), Ok(Value::Float(FloatValue::from_f32(-1.0))));
    let (three, four, five) = (t.bv(3, 4), t.bv(4, 4), t.bv(5, 8));
    let (from_m, from_n, holds) = (t.select(m, three), t.select(n, four), t.apply(g, &[five]));
    assert_eq!(evaluator.eval(&t, from_m), Ok(Value::Bv(Bits::new(255, 8))));
    assert_eq!(evaluator.eval(&t, from_n), Ok(Value::Bv(Bits::new(32, 8))));
    assert_eq!(evaluator.eval(&t, holds), Ok(Value::Bool(true)));
    let values = parse_values(&mut t, "((x #x2a) ((bvadd x #x01) (_ bv43 8)) (f (_ NaN 8 24)))").unwrap();
    assert_eq!(values[1], Value::Bv(Bits::new(43, 8)));
    assert_eq!(values[2], Value::Float(FloatValue::nan(Format::F32)));
}

#[test]
fn benchmark_files() {
    let mut t = Store::new();
    let text = r#"
      (set-info :source |a benchmark; with (odd) text|)
      (set-logic QF_ABVFP)
      (define-sort Byte () (_ BitVec 8))
      (declare-const a Byte)
      (declare-fun |b c| () Byte)
      (declare-fun x () Float32)
      (define-fun twice ((n Byte)) Byte (bvadd n n))
      (assert (let ((s (bvsub a |b c|)) (u (bvmul a #x03))) (=> (bvsge s u) (distinct a |b c| #x00))))
      (assert (! (fp.leq ((_ to_fp 8 24) RNE 0.1) x (fp.sub roundTowardZero x ((_ to_fp 8 24) RNE (/ 1 3)))) :named first))
      (assert (= (twice a) ((_ rotate_left 1) a) ((_ repeat 2) ((_ extract 3 0) a))))
      (push 1)
      (check-sat)
      (pop 1)
      (get-value (a))
      (exit)"#;
    let commands = parse_script(&mut t, text).unwrap();
    let asserted = commands.iter().filter(|command| matches!(command, Command::Assert(_))).count();
    assert_eq!(asserted, 3);
    assert!(commands.contains(&Command::CheckSat));
    for (wrong, why) in [
        ("(bvadd a x)", "cannot apply"),
        ("(bvadd a nothing)", "unknown symbol"),
        ("(bvadd a", "unclosed"),
        ("#xzz", "malformed"),
    ] {
        let error = parse_term(&mut t, wrong).unwrap_err();
        assert!(error.message.contains(why), "{wrong}: {error}");
    }
}

/// What a quantifier's body shares mentions the bound variable: it must be named inside.
#[test]
fn a_quantifier_with_shared_parts_is_read_as_it_was_printed() {
    let mut store = Store::new();
    let (x, y) = (store.var("x", Sort::Bv(8)), store.var("y", Sort::Bv(8)));
    let sum = store.add(x, y);
    let product = store.mul(sum, sum);
    let parts = [store.ult(y, sum), store.ult(product, sum), store.ult(x, product)];
    let body = store.or_all(&parts);
    let inner = store.forall(&[x], body);
    let outer = store.exists(&[y], inner);
    for t in [inner, outer] {
        let text = term::smtlib::print_term(&store, t);
        assert_eq!(term::smtlib::parse_term(&mut store, &text), Ok(t), "{text}");
    }
}

#[test]
fn what_two_conjunctions_share_is_said_once() {
    let mut terms = Store::new();
    let [a, b, c, d] = ["a", "b", "c", "d"].map(|name| terms.var(name, Sort::Bool));
    let not_c = terms.not(c);
    let left = terms.and_all(&[a, b, c]);
    let right = terms.and_all(&[a, b, not_c, d]);
    let (common, rests) = factored(&mut terms, left, right);
    assert_eq!(common, terms.and(a, b));
    assert_eq!(rests, [c, terms.and(not_c, d)]);
    // One that says no more than the other leaves nothing.
    let both = terms.and(a, b);
    assert_eq!(factored(&mut terms, both, left), (both, [terms.tt(), c]));
    assert_eq!(factored(&mut terms, c, d), (terms.tt(), [c, d]));
}
