//! Shapes of terms: numbers that stay the same when variables are renamed.
//!
//! Sums, products, conjunctions and their like are taken without order and brackets, because the store orders them by the
//! age of their parts. Terms that become equal by renaming have the same shape; the reverse is likely, not certain.

use base::Id;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};
use term::{Op, Store, Term};

/// The shapes found so far.
#[derive(Default)]
pub(super) struct Shapes {
    /// By term: what its arguments come to; 0 where nobody asked yet.
    inner: Vec<u64>,
}

impl Shapes {
    /// Of several values together, in this order.
    pub(super) fn of_values(&mut self, terms: &Store, values: &[encode::Value]) -> u64 {
        let mut hasher = FxHasher::default();
        for value in values {
            match value {
                encode::Value::Term(t) => self.of(terms, *t).hash(&mut hasher),
                encode::Value::Array(array) => {
                    self.of(terms, array.base()).hash(&mut hasher);
                    let writes =
                        array.writes().map(|(index, value)| mix((self.of(terms, index), self.of(terms, value))));
                    writes.fold(0, u64::wrapping_add).hash(&mut hasher);
                }
            }
        }
        hasher.finish()
    }

    fn of(&mut self, terms: &Store, root: Term) -> u64 {
        if self.inner.len() < terms.len() {
            self.inner.resize(terms.len(), 0);
        }
        let mut stack = vec![root];
        while let Some(&t) = stack.last() {
            if self.inner[t.index()] != 0 {
                stack.pop();
                continue;
            }
            let before = stack.len();
            stack.extend(terms.args(t).iter().filter(|a| self.inner[a.index()] == 0));
            if stack.len() == before {
                stack.pop();
                self.inner[t.index()] = self.inner(terms, t);
            }
        }
        self.outer(terms, root)
    }

    /// The shape of a term whose inner number is known.
    fn outer(&self, terms: &Store, t: Term) -> u64 {
        match terms.op(t) {
            Op::Var(_) => mix(terms.sort(t)),
            op => mix((op, self.inner[t.index()])),
        }
    }

    /// Of a term whose arguments' numbers are known; never 0.
    fn inner(&self, terms: &Store, t: Term) -> u64 {
        let op = terms.op(t);
        let args = terms.args(t);
        let sum = if op.facts().commutative && args.len() == 2 {
            let parts = args.iter().map(|a| match terms.op(*a) == op && is_associative(op) {
                true => self.inner[a.index()],
                false => self.outer(terms, *a),
            });
            parts.fold(0, u64::wrapping_add)
        } else {
            args.iter().fold(args.len() as u64, |hash, a| mix((hash, self.outer(terms, *a))))
        };
        sum.max(1)
    }
}

fn is_associative(op: Op) -> bool {
    matches!(op, Op::And | Op::Or | Op::Xor | Op::BvAdd | Op::BvMul | Op::BvAnd | Op::BvOr | Op::BvXor)
}

fn mix(of: impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    of.hash(&mut hasher);
    hasher.finish()
}
