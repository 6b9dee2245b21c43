//! Comparisons of choices taken apart mean the same.

use smt::choices::{Choices, is_comparison};
use std::collections::BTreeMap;
use term::{Bits, Evaluator, Op, Sort, Store, Value};

/// Comparisons of two choices, with all values of what they choose between: the same truth, and nothing chosen inside.
#[test]
fn comparisons_keep_their_meaning() {
    const WIDTH: u32 = 3;
    let mut terms = Store::new();
    let [p, q] = ["p", "q"].map(|name| terms.var(name, Sort::Bool));
    let [x, y] = ["x", "y"].map(|name| terms.var(name, Sort::Bv(WIDTH)));
    for by in 1..8 {
        let by = terms.bv(by, WIDTH);
        let sum = terms.add(x, by);
        for bound in 0..8 {
            let bound = terms.bv(bound, WIDTH);
            let inner = terms.ite(q, y, bound);
            let (counted, copied) = (terms.ite(p, sum, inner), terms.ite(p, x, inner));
            let promoted = terms.mk(Op::SignExtend(2), &[copied]);
            let extended = terms.mk(Op::SignExtend(2), &[y]);
            for op in [Op::Eq, Op::BvUlt, Op::BvUle, Op::BvSlt, Op::BvSle] {
                for (a, b) in [(counted, bound), (bound, counted), (copied, y), (promoted, extended)] {
                    let t = terms.mk_raw(op, &[a, b]);
                    let apart = Choices::new(1_000).apart(&mut terms, t);
                    for part in term::walk::postorder(&terms, &[apart]) {
                        let is_plain = |arg: &term::Term| terms.op(*arg) != Op::Ite;
                        assert!(!is_comparison(&terms, part) || terms.args(part).iter().all(is_plain));
                    }
                    for values in 0..256u128 {
                        let bits = |shift: u32| Value::Bv(Bits::new(values >> shift & 7, WIDTH));
                        let state = BTreeMap::from([
                            (p, Value::Bool(values & 1 == 1)),
                            (q, Value::Bool(values & 2 == 2)),
                            (x, bits(2)),
                            (y, bits(5)),
                        ]);
                        let mut evaluator = Evaluator::new(&state);
                        assert_eq!(evaluator.eval(&terms, t), evaluator.eval(&terms, apart));
                    }
                }
            }
        }
    }
}
