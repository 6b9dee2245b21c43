//! Normalisation while building: constants are folded, commutative operands ordered, cheap local rules applied.

use crate::op::Op;
use crate::semantics;
use crate::store::{Store, Term};
use crate::value::Value;

/// Rules may build terms that fire further rules. Past this nesting only constants are folded, so that a rule that
/// follows a chain (say, of `ite`s) cannot exhaust the stack.
pub const MAX_DEPTH: u32 = 100;

/// Builds `op` applied to `args` in normal form.
pub(crate) fn build(store: &mut Store, op: Op, args: &[Term]) -> Term {
    if !args.is_empty() && args.iter().all(|&arg| store.is_const(arg)) {
        let values: Vec<Value> = args.iter().map(|&arg| store.as_value(arg).expect("a literal")).collect();
        if let Some(value) = semantics::apply(op, &values).filter(|value| value.as_array().is_none()) {
            return store.value(&value);
        }
    }
    if op.facts().commutative && before(store, args[1], args[0]) {
        let mut swapped = [args[1], args[0], args[0]];
        if args.len() == 3 {
            swapped[2] = args[2];
        }
        return rewrite(store, op, &swapped[..args.len()]);
    }
    rewrite(store, op, args)
}

/// The order of commutative operands: by id, literals last.
fn before(store: &Store, a: Term, b: Term) -> bool {
    (store.is_const(a), a) < (store.is_const(b), b)
}

fn rewrite(store: &mut Store, op: Op, args: &[Term]) -> Term {
    match (op, args) {
        (Op::Not, &[a]) if store.op(a) == Op::Not => store.arg(a, 0),
        (Op::And, &[a, b]) if b == store.tt() || a == b => a,
        (Op::And, &[_, b]) if b == store.ff() => b,
        (Op::Or, &[a, b]) if b == store.ff() || a == b => a,
        (Op::Or, &[_, b]) if b == store.tt() => b,
        (Op::Eq, &[a, b]) if a == b => store.tt(),
        (Op::Eq, &[a, b]) if b == store.tt() => a,
        (Op::Eq, &[a, b]) if b == store.ff() => store.not(a),
        (Op::Ite, &[c, a, b]) if c == store.tt() || a == b => a,
        (Op::Ite, &[c, _, b]) if c == store.ff() => b,
        (Op::ZeroExtend(0) | Op::SignExtend(0), &[a]) => a,
        (Op::Extract { hi, lo: 0 }, &[a]) if hi + 1 == store.width(a) => a,
        _ => store.mk_raw(op, args),
    }
}
