//! Instances of the rewrite rules, so that tests (by evaluation here, by solver elsewhere) can check every rule.
//!
//! Arguments are drawn at random, with a bias towards the shapes that rules look for; every rule of the operator is tried
//! on them, whether or not an earlier one would have fired.

use std::collections::BTreeMap;

use super::{before, rules_for};
use crate::op::Op;
use crate::random::{Config, Generator};
use crate::sort::{Format, RoundingMode, Sort};
use crate::store::{Store, Term};

/// A rule that fired: `before` (raw, as the rule saw it) equals `after`.
#[derive(Clone, Debug)]
pub struct Instance {
    pub rule: &'static str,
    pub before: Term,
    pub after: Term,
}

/// The names of all rules.
pub fn rule_names() -> Vec<&'static str> {
    let mut names: Vec<_> =
        operators(3).into_iter().flat_map(|op| rules_for(op).iter().map(|rule| rule.name)).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// One operator of each kind, with indices that fit terms of `width` bits.
fn operators(width: u32) -> Vec<Op> {
    let mode = RoundingMode::NearestEven;
    let indexed = [
        Op::Extract { hi: 0, lo: 0 },
        Op::ZeroExtend(1),
        Op::SignExtend(1),
        Op::FpToFp(mode, FORMAT),
        Op::FpToSbv(mode, width),
        Op::FpToUbv(mode, width),
        Op::ConstArray(crate::sort::Scalar::Bv(width)),
        Op::Forall,
        Op::Exists,
    ];
    Op::PLAIN.iter().copied().chain(Op::rounded(mode)).chain(indexed).filter(|op| !rules_for(*op).is_empty()).collect()
}

const FORMAT: Format = Format { exp: 3, sig: 4 };
const WIDER: Format = Format { exp: 4, sig: 5 };

/// Up to `per_rule` instances of each rule over bit-vectors of about `width` bits (and tiny floats, small arrays).
pub fn instances(store: &mut Store, seed: u64, width: u32, per_rule: usize) -> Vec<Instance> {
    let config = Config {
        widths: (1..=2 * width).filter(|w| *w == width || *w <= 4 || *w == 2 * width).collect(),
        formats: vec![FORMAT, WIDER],
        arrays: vec![(Sort::Bv(width.min(4)), Sort::Bv(2))],
        vars: 2,
        height: 1,
        unspecified: true,
        functions: false,
        quantifiers: false,
    };
    let mut source = Source { generator: Generator::new(seed, config), width };
    let mut found: BTreeMap<&'static str, Vec<Instance>> = BTreeMap::new();
    for op in operators(width) {
        for _ in 0..per_rule * 60 {
            let (op, mut args) = source.application(store, op);
            if op.facts().commutative && before(store, args[1], args[0]) {
                args.swap(0, 1);
            }
            for rule in rules_for(op) {
                let known = found.entry(rule.name).or_default();
                if known.len() >= per_rule {
                    continue;
                }
                if let Some(after) = (rule.apply)(store, op, &args) {
                    known.push(Instance { rule: rule.name, before: store.mk_raw(op, &args), after });
                }
            }
        }
    }
    found.into_values().flatten().collect()
}

struct Source {
    generator: Generator,
    width: u32,
}

impl Source {
    fn below(&mut self, n: u32) -> u32 {
        self.generator.rng.below(n as usize) as u32
    }

    fn mode(&mut self) -> RoundingMode {
        *self.generator.rng.pick(&RoundingMode::ALL)
    }

    /// The operator with random indices, and arguments for it.
    fn application(&mut self, store: &mut Store, op: Op) -> (Op, Vec<Term>) {
        self.generator.config.height = self.below(4).min(2);
        let bv = Sort::Bv(self.width);
        let float = Sort::Float(*self.generator.rng.pick(&[FORMAT, WIDER]));
        let (op, sorts) = match op {
            Op::Not => (op, vec![Sort::Bool]),
            Op::And | Op::Or | Op::Xor => (op, vec![Sort::Bool; 2]),
            Op::Ite => {
                let sort = self.generator.sort();
                (op, vec![Sort::Bool, sort, sort])
            }
            Op::Eq => (op, vec![self.generator.sort(); 2]),
            Op::Extract { .. } => {
                let from = self.below(2 * self.width) + 1;
                let lo = self.below(from);
                let hi = lo + self.below(from - lo);
                let (hi, lo) = if self.below(4) == 0 { (hi - lo, 0) } else { (hi, lo) };
                (Op::Extract { hi, lo }, vec![Sort::Bv(from)])
            }
            Op::ZeroExtend(_) => (Op::ZeroExtend(self.below(3)), vec![bv]),
            Op::SignExtend(_) => (Op::SignExtend(self.below(3)), vec![bv]),
            Op::Concat => (op, vec![Sort::Bv(self.below(self.width) + 1), Sort::Bv(self.below(self.width) + 1)]),
            Op::Select | Op::Store => {
                let (index, elem) = self.generator.config.arrays[0];
                let sorts = [Sort::array(index, elem), index, elem];
                (op, sorts[..op.facts().arity.expect("fixed")].to_vec())
            }
            Op::FpAdd(_) => (Op::FpAdd(self.mode()), vec![float; 2]),
            Op::FpMul(_) => (Op::FpMul(self.mode()), vec![float; 2]),
            Op::FpDiv(_) => (Op::FpDiv(self.mode()), vec![float; 2]),
            Op::FpRoundToIntegral(_) => (Op::FpRoundToIntegral(self.mode()), vec![float]),
            Op::FpToFp(..) => (Op::FpToFp(self.mode(), FORMAT), vec![float]),
            Op::FpToSbv(..) => (Op::FpToSbv(self.mode(), self.width), vec![float]),
            Op::FpToUbv(..) => (Op::FpToUbv(self.mode(), self.width), vec![float]),
            Op::Forall | Op::Exists => return (op, self.quantified(store)),
            _ => {
                use crate::op::SortRule;
                let sort = match op.facts().rule {
                    SortRule::Fp | SortRule::FpTest => float,
                    _ => bv,
                };
                (op, vec![sort; op.facts().arity.expect("fixed")])
            }
        };
        let mut args: Vec<Term> = sorts.iter().map(|&sort| self.generator.term(store, sort)).collect();
        if op == Op::Select && self.below(3) == 0 {
            args[0] = self.table(store, args[0]);
        }
        if self.below(2) == 0 {
            self.relate(store, op, &mut args);
        }
        (op, args)
    }

    /// An array of the same sort that is written all over, in any order: runs of numbers.
    fn table(&mut self, store: &mut Store, like: Term) -> Term {
        let Sort::Array(sort) = store.sort(like) else { return like };
        let (Sort::Bv(bits), Sort::Bv(width)) = (Sort::from(sort.index), Sort::from(sort.elem)) else { return like };
        let default = store.bv(0, width);
        let mut table = store.mk_raw(Op::ConstArray(sort.index), &[default]);
        let (mut value, mut step) = (0, 0);
        let (first, backwards) = (self.below(4), self.below(2) == 0);
        for i in 0..1u32 << bits {
            let index = if backwards { (1 << bits) - 1 - i } else { i };
            if self.below(6) == 0 {
                (value, step) = (self.below(1 << width), self.below(2));
            }
            if index >= first || self.below(3) == 0 {
                let (index, value) = (store.bv(index.into(), bits), store.bv(u128::from(value % (1 << width)), width));
                table = store.mk_raw(Op::Store, &[table, index, value]);
            }
            value += step;
        }
        table
    }

    fn quantified(&mut self, store: &mut Store) -> Vec<Term> {
        let (x, y) = (store.var("q0", Sort::Bv(2)), store.var("q1", Sort::Bv(1)));
        let body = self.generator.formula(store);
        let x_is_zero = {
            let zero = store.bv(0, 2);
            store.mk_raw(Op::Eq, &[x, zero])
        };
        let body = store.mk_raw(Op::Or, &[body, x_is_zero]);
        let nested = store.mk_raw(*self.generator.rng.pick(&[Op::Forall, Op::Exists]), &[x, body]);
        vec![x, y, *self.generator.rng.pick(&[body, nested])]
    }

    /// Makes the arguments share structure, in the ways rules look for.
    fn relate(&mut self, store: &mut Store, op: Op, args: &mut [Term]) {
        if args.len() == 2 && self.below(3) == 0 {
            return self.against_literal(store, args);
        }
        if op == Op::Ite && self.below(6) == 0 {
            let (x, one, zero) = (self.generator.term(store, Sort::Bv(1)), store.bv(1, 1), store.bv(0, 1));
            let test = store.mk_raw(Op::Eq, &[x, one]);
            args.copy_from_slice(&if self.below(2) == 0 { [test, one, zero] } else { [test, zero, one] });
            return;
        }
        let [.., a, b] = args else { return self.relate_one(store, op, args) };
        match store.sort(*a) {
            sort if sort == store.sort(*b) => match self.below(3) {
                0 => *b = *a,
                1 => *b = self.around(store, *a),
                _ => *a = self.around(store, *b),
            },
            _ => {}
        }
        if op == Op::Concat || op == Op::BvOr {
            self.relate_slices(store, op, args);
        } else if matches!(op, Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle | Op::Eq | Op::BvAnd | Op::BvSaddo)
            && self.below(3) == 0
        {
            self.extend_both(store, args);
        } else if matches!(op, Op::FpEq | Op::FpLt | Op::FpLe) && self.below(3) == 0 {
            let mode = self.mode();
            let (x, y) =
                (self.generator.term(store, Sort::Float(FORMAT)), self.generator.term(store, Sort::Float(FORMAT)));
            args[0] = store.mk_raw(Op::FpToFp(mode, WIDER), &[x]);
            args[1] = store.mk_raw(Op::FpToFp(mode, WIDER), &[y]);
        } else if op == Op::Store && self.below(2) == 0 {
            args[2] = store.mk_raw(Op::Select, &[args[0], args[1]]);
        } else if matches!(op, Op::And | Op::Or) && self.below(3) == 0 {
            self.relate_bounds(store, args);
        } else if op == Op::Ite && self.below(3) == 0 && store.sort(args[1]) == store.sort(args[2]) {
            args[0] = store.mk_raw(Op::Eq, &[args[1], args[2]]);
        }
    }

    /// A compound term on the left and a literal, often a corner value, on the right.
    fn against_literal(&mut self, store: &mut Store, args: &mut [Term]) {
        let sort = store.sort(args[0]);
        match sort {
            Sort::Bv(width) if store.sort(args[1]) == sort => {
                let c = self.generator.rng.bits(width);
                args[1] = store.bv_bits(c);
                let (x, y) = (self.generator.term(store, sort), self.generator.term(store, sort));
                let (c, d) = (self.generator.rng.bits(width), self.generator.rng.bits(width));
                let (c, d) = (store.bv_bits(c), store.bv_bits(d));
                args[0] = match self.below(8) {
                    0 => {
                        let p = self.generator.formula(store);
                        store.mk_raw(Op::Ite, &[p, c, d])
                    }
                    1 => store.mk_raw(Op::BvNot, &[x]),
                    2 => store.mk_raw(Op::BvXor, &[x, c]),
                    3 => store.mk_raw(Op::BvMul, &[x, c]),
                    5 | 6 => {
                        let small = self.below(1 << width.min(3));
                        match self.below(3) {
                            0 => args[1] = store.bv(0, width),
                            1 => args[1] = store.bv(self.below(1 << width.min(3)).into(), width),
                            _ => {}
                        }
                        let divisor = if self.below(2) == 0 { c } else { store.bv(small.into(), width) };
                        store.mk_raw(*self.generator.rng.pick(&[Op::BvUdiv, Op::BvSdiv]), &[x, divisor])
                    }
                    4 if width > 1 => {
                        let low = 1 + self.below(width - 1);
                        let high = self.generator.term(store, Sort::Bv(width - low));
                        let low = self.generator.term(store, Sort::Bv(low));
                        store.mk_raw(Op::Concat, &[high, low])
                    }
                    _ => {
                        let negated = store.mk_raw(Op::BvNeg, &[y]);
                        args[1] = store.bv(0, width);
                        store.mk_raw(Op::BvAdd, &if self.below(2) == 0 { [x, negated] } else { [negated, x] })
                    }
                };
            }
            Sort::Float(format) if store.sort(args[1]) == sort => {
                let one = crate::FloatValue::one(format);
                args[1] = store.float(if self.below(2) == 0 { one } else { one.neg() });
            }
            _ => {}
        }
    }

    /// A term that contains `a` directly, of the same sort.
    fn around(&mut self, store: &mut Store, a: Term) -> Term {
        let sort = store.sort(a);
        let other = self.generator.term(store, sort);
        let unary = |store: &mut Store, op: Op| store.mk_raw(op, &[a]);
        let (n, flip) = (self.below(9), self.below(2) == 0);
        let pair = if flip { [a, other] } else { [other, a] };
        match sort {
            Sort::Bool => match n {
                0 | 1 => unary(store, Op::Not),
                2 | 3 => store.mk_raw(Op::And, &pair),
                4 | 5 => store.mk_raw(Op::Or, &pair),
                6 => {
                    let p = self.generator.formula(store);
                    store.mk_raw(Op::Ite, &[p, pair[0], pair[1]])
                }
                _ => {
                    let inner = store.mk_raw(if flip { Op::And } else { Op::Or }, &pair);
                    store.mk_raw(Op::Not, &[inner])
                }
            },
            Sort::Bv(width) => {
                let literal = self.generator.rng.bits(width);
                let literal = store.bv_bits(literal);
                match n {
                    0 => unary(store, Op::BvNeg),
                    1 => unary(store, Op::BvNot),
                    2 => store.mk_raw(Op::BvAdd, &pair),
                    3 => store.mk_raw(Op::BvAdd, &[a, literal]),
                    4 => store.mk_raw(Op::BvMul, &[a, literal]),
                    5 => store.mk_raw(if flip { Op::BvAnd } else { Op::BvOr }, &pair),
                    6 => {
                        let negated = store.mk_raw(Op::BvNeg, &[a]);
                        store.mk_raw(Op::BvAdd, &[other, negated])
                    }
                    7 => store.mk_raw(Op::BvUrem, &[other, a]),
                    _ => {
                        let p = self.generator.formula(store);
                        store.mk_raw(Op::Ite, &[p, pair[0], pair[1]])
                    }
                }
            }
            Sort::Float(_) => unary(store, if flip { Op::FpNeg } else { Op::FpAbs }),
            Sort::Array(_) => a,
        }
    }

    fn relate_one(&mut self, store: &mut Store, op: Op, args: &mut [Term]) {
        let a = &mut args[0];
        match (op, store.sort(*a)) {
            (Op::FpToSbv(..) | Op::FpToUbv(..), Sort::Float(format)) => {
                let (mode, n) = (self.mode(), self.below(4) + 1);
                let i = self.generator.term(store, Sort::Bv(n));
                let op = if self.below(2) == 0 { Op::FpFromSbv(mode, format) } else { Op::FpFromUbv(mode, format) };
                *a = store.mk_raw(op, &[i]);
            }
            (_, Sort::Bv(_) | Sort::Bool) if self.below(2) == 0 => {
                // A choice between literals.
                let p = self.generator.formula(store);
                let (c, d) = (self.generator.rng.value(store.sort(*a)), self.generator.rng.value(store.sort(*a)));
                let (c, d) = (store.value(&c), store.value(&d));
                *a = store.mk_raw(Op::Ite, &[p, c, d]);
            }
            _ => *a = self.around(store, *a),
        }
    }

    /// Neighbouring slices of one term for a concatenation; a term above zeros and one within them for an or.
    fn relate_slices(&mut self, store: &mut Store, op: Op, args: &mut [Term]) {
        if op == Op::Concat {
            let (high, low) = (store.width(args[0]), store.width(args[1]));
            let x = self.generator.term(store, Sort::Bv(high + low));
            let slices = [
                store.mk_raw(Op::Extract { hi: high + low - 1, lo: low }, &[x]),
                store.mk_raw(Op::Extract { hi: low - 1, lo: 0 }, &[x]),
            ];
            let c = self.generator.rng.bits(2);
            let c = store.bv_bits(c);
            match self.below(4) {
                0 => args.copy_from_slice(&slices),
                1 => {
                    args[0] = slices[0];
                    args[1] = store.mk_raw(Op::Concat, &[slices[1], c]);
                }
                2 => {
                    args[0] = c;
                    args[1] = store.mk_raw(Op::Concat, &[c, slices[1]]);
                }
                _ => {}
            }
        } else if store.width(args[0]) > 1 && self.below(2) == 0 {
            let width = store.width(args[0]);
            let split = 1 + self.below(width - 1);
            let zeros = store.bv(0, split);
            let (high, low) =
                (self.generator.term(store, Sort::Bv(width - split)), self.generator.term(store, Sort::Bv(split)));
            args[0] = store.mk_raw(Op::Concat, &[high, zeros]);
            args[1] = store.mk_raw(Op::ZeroExtend(width - split), &[low]);
        }
    }

    /// Both arguments extended in one way, or one of them a literal.
    fn extend_both(&mut self, store: &mut Store, args: &mut [Term]) {
        let Sort::Bv(width @ 2..) = store.sort(args[0]) else { return };
        let (n, m) = (1 + self.below(width - 1), 1 + self.below(width - 1));
        let m = if self.below(2) == 0 { n } else { m };
        let (x, y) = (self.generator.term(store, Sort::Bv(width - n)), self.generator.term(store, Sort::Bv(width - m)));
        let signed = self.below(2) == 0;
        let extend = |n: u32| if signed { Op::SignExtend(n) } else { Op::ZeroExtend(n) };
        args[0] = store.mk_raw(extend(n), &[x]);
        args[1] = store.mk_raw(extend(m), &[y]);
        if self.below(2) == 0 {
            let c = self.generator.rng.bits(width);
            let side = self.below(2) as usize;
            args[side] = store.bv_bits(c);
        }
    }

    /// Two strict comparisons of one term with literals.
    fn relate_bounds(&mut self, store: &mut Store, args: &mut [Term]) {
        let x = self.generator.term(store, Sort::Bv(self.width));
        let op = *self.generator.rng.pick(&[Op::BvUlt, Op::BvSlt]);
        for arg in args.iter_mut() {
            let c = self.generator.rng.bits(self.width);
            let c = store.bv_bits(c);
            *arg = store.mk_raw(op, &if self.below(2) == 0 { [x, c] } else { [c, x] });
        }
    }
}
