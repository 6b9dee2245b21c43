//! Rules for arrays.

use super::{Rule, rules};
use crate::op::Op;
use crate::store::{Store, Term};

pub(super) const SELECT: &[Rule] = rules![select_through_stores, select_const_array];
pub(super) const STORE: &[Rule] = rules![store_over_store, store_of_select, store_same_as_const];

/// Reading looks through at most so many stores.
const MAX_STORES: usize = 512;

/// store(a, i, x)[i]  ==>  x,  store(a, i, x)[j]  ==>  a[j]      i, j visibly distinct
fn select_through_stores(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    let (mut array, index) = (args[0], args[1]);
    for _ in 0..MAX_STORES {
        if t.op(array) != Op::Store {
            break;
        }
        let stored = t.arg(array, 1);
        if stored == index {
            return Some(t.arg(array, 2));
        }
        if !t.are_distinct(stored, index) {
            break;
        }
        array = t.arg(array, 0);
    }
    (array != args[0]).then(|| t.select(array, index))
}

/// const(x)[i]  ==>  x
fn select_const_array(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    matches!(t.op(args[0]), Op::ConstArray(_)).then(|| t.arg(args[0], 0))
}

/// store(store(a, i, x), i, y)  ==>  store(a, i, y)
fn store_over_store(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    if t.op(args[0]) != Op::Store || t.arg(args[0], 1) != args[1] {
        return None;
    }
    Some(t.store(t.arg(args[0], 0), args[1], args[2]))
}

/// store(a, i, a[i])  ==>  a
fn store_of_select(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    (t.binary(args[2], Op::Select) == Some((args[0], args[1]))).then(|| args[0])
}

/// store(const(x), i, x)  ==>  const(x)
fn store_same_as_const(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    (matches!(t.op(args[0]), Op::ConstArray(_)) && t.arg(args[0], 0) == args[2]).then(|| args[0])
}
