//! Comparisons that contradict each other around a cycle: the checker's own small evaluation of differences.
//!
//! A comparison of two numbers bounds their difference: `x - y <= k`. Sums `x + c` that do not wrap, by the ranges, are numbers
//! apart from `x` by `c`; every other term stands for itself, and its range bounds its difference from zero. A cycle of such
//! bounds whose sum is negative is a contradiction (Bellman and Ford). Signed and unsigned readings are looked at apart.

use crate::bounds::Bounds;
use crate::limits::bounds::MOST_BOUNDS;
use rustc_hash::FxHashMap;
use term::{Op, Sort, Store, Term};

/// Whether the facts cannot hold together. The ranges hold wherever the facts do.
pub(crate) fn contradict(terms: &Store, ranges: &Bounds, facts: &[Term]) -> bool {
    [true, false].into_iter().any(|signed| {
        let mut graph = Graph { terms, ranges, signed, nodes: FxHashMap::default(), bounds: Vec::new() };
        facts.iter().for_each(|fact| graph.take(*fact));
        graph.bounds.len() <= MOST_BOUNDS && graph.has_negative_cycle()
    })
}

struct Graph<'a> {
    terms: &'a Store,
    ranges: &'a Bounds,
    signed: bool,
    /// Zero is node 0.
    nodes: FxHashMap<Term, usize>,
    /// `(x, y, k)`: the number of node `x` is at most `k` more than that of node `y`.
    bounds: Vec<(usize, usize, i128)>,
}

impl Graph<'_> {
    /// What a fact says about differences, if it is a comparison.
    fn take(&mut self, fact: Term) {
        let (holds, literal) = match self.terms.op(fact) {
            Op::Not => (false, self.terms.arg(fact, 0)),
            _ => (true, fact),
        };
        let (strict, equal) = match (self.terms.op(literal), self.signed) {
            (Op::BvSlt, true) | (Op::BvUlt, false) => (1, false),
            (Op::BvSle, true) | (Op::BvUle, false) => (0, false),
            (Op::Eq, _) if holds => (0, true),
            _ => return,
        };
        let (Some((x, m)), Some((y, n))) =
            (self.number(self.terms.arg(literal, 0)), self.number(self.terms.arg(literal, 1)))
        else {
            return;
        };
        // `x + m <= y + n - strict`, or the opposite.
        if holds {
            self.bounds.push((x, y, n - m - strict));
        } else {
            self.bounds.push((y, x, m - n - (1 - strict)));
        }
        if equal {
            self.bounds.push((y, x, m - n));
        }
    }

    /// A term as a node and how much it is more than that.
    fn number(&mut self, t: Term) -> Option<(usize, i128)> {
        let Sort::Bv(1..=64) = self.terms.sort(t) else { return None };
        let args = self.terms.args(t);
        match (self.terms.op(t), self.signed) {
            (Op::SignExtend(_), true) | (Op::ZeroExtend(_), false) => return self.number(args[0]),
            (Op::BvAdd, _) if args.len() == 2 => {
                let constant = |t: Term| self.ranges.numbers(self.terms, t, self.signed).filter(|(lo, hi)| lo == hi);
                let found = match (constant(args[0]), constant(args[1])) {
                    (Some((c, _)), None) => Some((args[1], c)),
                    (None, Some((c, _))) => Some((args[0], c)),
                    _ => None,
                };
                if let Some((inner, c)) = found
                    && let Some(by) = self.moves_by(inner, c)
                {
                    let (node, more) = self.number(inner)?;
                    return Some((node, more + by));
                }
            }
            _ => {}
        }
        let (lo, hi) = self.ranges.numbers(self.terms, t, self.signed)?;
        if lo == hi {
            return Some((0, lo));
        }
        if let Some(&node) = self.nodes.get(&t) {
            return Some((node, 0));
        }
        let node = self.nodes.len() + 1;
        self.nodes.insert(t, node);
        self.bounds.extend([(node, 0, hi), (0, node, -lo)]);
        Some((node, 0))
    }

    /// By how much adding the constant moves every number that the term can be; none where some wrap.
    fn moves_by(&self, t: Term, c: i128) -> Option<i128> {
        let width = self.terms.sort(t).bv_width()?;
        let (lo, hi) = self.ranges.numbers(self.terms, t, self.signed)?;
        let size = 1i128 << width;
        let (least, most) = if self.signed { (-size / 2, size / 2 - 1) } else { (0, size - 1) };
        [c, c - size].into_iter().find(|by| lo + by >= least && hi + by <= most)
    }

    fn has_negative_cycle(&self) -> bool {
        let mut distance = vec![0i128; self.nodes.len() + 1];
        for _ in 0..=distance.len() {
            let mut changed = false;
            for &(x, y, k) in &self.bounds {
                if distance[y] + k < distance[x] {
                    distance[x] = distance[y] + k;
                    changed = true;
                }
            }
            if !changed {
                return false;
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use term::eval::eval;
    use term::random::Rng;
    use term::{Bits, Value};

    const WIDTH: u32 = 3;

    #[test]
    fn contradictions_hold_for_all_values() {
        let mut rng = Rng::new(26);
        let mut refuted = 0;
        for _ in 0..6_000 {
            let mut terms = Store::new();
            let vars =
                [terms.var("x", Sort::Bv(WIDTH)), terms.var("y", Sort::Bv(WIDTH)), terms.var("z", Sort::Bv(WIDTH))];
            let mut facts = Vec::new();
            for _ in 0..2 + rng.below(5) {
                let mut side = |terms: &mut Store| {
                    let by = terms.bv(rng.below(8) as u128, WIDTH);
                    match rng.below(6) {
                        0 => by,
                        1 => terms.mk(Op::BvAdd, &[vars[rng.below(3)], by]),
                        2 => terms.mk(Op::BvMul, &[vars[rng.below(3)], by]),
                        _ => vars[rng.below(3)],
                    }
                };
                let (mut a, mut b) = (side(&mut terms), side(&mut terms));
                if rng.chance(4) {
                    let extend = if rng.chance(2) { Op::SignExtend(2) } else { Op::ZeroExtend(2) };
                    (a, b) = (terms.mk(extend, &[a]), terms.mk(extend, &[b]));
                }
                let op = *rng.pick(&[Op::Eq, Op::BvUlt, Op::BvUle, Op::BvSlt, Op::BvSle, Op::BvSlt, Op::BvSle]);
                let fact = terms.mk(op, &[a, b]);
                facts.push(if rng.chance(3) { terms.not(fact) } else { fact });
            }
            let mut ranges = Bounds::default();
            if !facts.iter().chain(&facts).all(|fact| ranges.assume(&terms, *fact, true)) {
                continue;
            }
            let contradiction = contradict(&terms, &ranges, &facts);
            refuted += u32::from(contradiction);
            let holds = |n: u128| {
                let value = |i: usize| Value::Bv(Bits::new(n >> (3 * i) & 7, WIDTH));
                let values: FxHashMap<Term, Value> = (0..3).map(|i| (vars[i], value(i))).collect();
                facts.iter().all(|fact| eval(&terms, *fact, &values) == Ok(Value::Bool(true)))
            };
            assert!(!contradiction || !(0..512).any(holds), "{facts:?}");
        }
        // Beyond what ranges decide: a test that refutes nothing passes too.
        assert!(refuted > 50, "{refuted}");
    }
}
