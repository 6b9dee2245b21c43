//! Reads of arrays, looked up in the writes before them.
//!
//! `store(a, i, x)[j]` is `j = i ? x : a[j]`, and a read of `c ? a : b` is a choice between two reads. Solvers know this too,
//! but instance by instance; an unwound program without loops usually loses its arrays altogether here, and what is
//! left is arithmetic. Given up where it grows.

use crate::limits::questions::MAX_ADDED;
use rustc_hash::FxHashMap;
use term::{Op, Store, Term};

/// The formula with its reads looked up; itself where that would be too large.
pub(crate) fn looked_up(terms: &mut Store, formula: Term) -> Term {
    let order = term::walk::postorder(terms, &[formula]);
    if !order.iter().any(|&t| terms.op(t) == Op::Select) || order.iter().any(|&t| terms.op(t).is_quantifier()) {
        return formula;
    }
    let mut reads = Reads { found: FxHashMap::default() };
    let mut new: FxHashMap<Term, Term> = FxHashMap::default();
    for t in order {
        let args: Vec<Term> = terms.args(t).iter().map(|a| new[a]).collect();
        let built = match terms.op(t) {
            Op::Select => reads.read(terms, args[0], args[1]),
            _ if args.is_empty() => t,
            op => terms.mk(op, &args),
        };
        if reads.found.len() > MAX_ADDED {
            return formula;
        }
        new.insert(t, built);
    }
    new[&formula]
}

struct Reads {
    found: FxHashMap<(Term, Term), Term>,
}

impl Reads {
    /// Without recursion: the writes that a read depends on come first.
    fn read(&mut self, terms: &mut Store, array: Term, index: Term) -> Term {
        let mut stack = vec![array];
        while let Some(&top) = stack.last() {
            if self.found.contains_key(&(top, index)) {
                stack.pop();
                continue;
            }
            let inner: Vec<Term> = match terms.op(top) {
                Op::Store => vec![terms.arg(top, 0)],
                Op::Ite => vec![terms.arg(top, 1), terms.arg(top, 2)],
                _ => Vec::new(),
            };
            let open = inner.iter().copied().find(|a| !self.found.contains_key(&(*a, index)));
            if let Some(open) = open {
                if self.found.len() + stack.len() > MAX_ADDED {
                    return terms.select(array, index);
                }
                stack.push(open);
                continue;
            }
            let value = match (terms.op(top), &inner[..]) {
                (Op::Store, [before]) => {
                    let (at, written) = (terms.arg(top, 1), terms.arg(top, 2));
                    let same = terms.eq(at, index);
                    terms.ite(same, written, self.found[&(*before, index)])
                }
                (Op::Ite, [then, otherwise]) => {
                    let condition = terms.arg(top, 0);
                    terms.ite(condition, self.found[&(*then, index)], self.found[&(*otherwise, index)])
                }
                _ => terms.select(top, index),
            };
            self.found.insert((top, index), value);
            stack.pop();
        }
        self.found[&(array, index)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use term::Sort;

    #[test]
    fn arrays_that_are_only_read_at_known_places_vanish() {
        let mut s = Store::new();
        let (array, c) = (s.var("a", Sort::array(Sort::Bv(8), Sort::Bv(8))), s.var("c", Sort::Bool));
        let [zero, one, x, y] = [s.bv(0, 8), s.bv(1, 8), s.var("x", Sort::Bv(8)), s.var("y", Sort::Bv(8))];
        let first = s.store(array, zero, x);
        let both = s.store(first, one, y);
        let merged = s.ite(c, both, first);
        let place = s.ite(c, zero, one);
        let last = s.store(merged, place, y);
        let read = s.select(last, zero);
        let formula = s.eq(read, x);
        let plain = looked_up(&mut s, formula);
        let expected = {
            let value = s.ite(c, y, x);
            s.eq(value, x)
        };
        assert!(!term::walk::postorder(&s, &[plain]).iter().any(|&t| s.op(t) == Op::Select));
        assert_eq!(plain, expected);
    }
}
