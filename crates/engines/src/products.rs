//! Arithmetic that solvers of bit-vectors get lost in.

use term::{Op, Store, Term};

/// Whether a term contains a product, quotient or remainder of variables.
pub(crate) fn has_products(store: &Store, t: Term) -> bool {
    term::walk::postorder(store, &[t]).into_iter().any(|t| {
        let args = store.args(t);
        match store.op(t) {
            Op::BvMul | Op::BvSmulo | Op::BvUmulo => args.iter().all(|a| !store.is_const(*a)),
            Op::BvUdiv | Op::BvUrem | Op::BvSdiv | Op::BvSrem => !store.is_const(args[1]),
            _ => false,
        }
    })
}
