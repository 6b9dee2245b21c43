//! Random terms over all operators, for fuzzing the rewriter, the evaluator, printers and solvers against each other.
//!
//! Terms are built raw (as written, not normalised), so that a test can compare them with [`crate::rewrite::rebuild`].
//! The same seed gives the same terms.

use crate::bits::Bits;
use crate::float::FloatValue;
use crate::op::Op;
use crate::sort::{Format, RoundingMode, Sort};
use crate::store::{Store, Term};
use crate::value::{ArrayValue, Value};

/// A small deterministic generator of numbers (splitmix64).
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Rng {
        Rng(seed)
    }

    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// Below `n`, which must not be zero.
    pub fn below(&mut self, n: usize) -> usize {
        (self.next_u64() % n as u64) as usize
    }

    pub fn chance(&mut self, one_in: usize) -> bool {
        self.below(one_in) == 0
    }

    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// Corner values about half of the time.
    pub fn bits(&mut self, width: u32) -> Bits {
        match self.below(8) {
            0 => Bits::zero(width),
            1 => Bits::ones(width),
            2 => Bits::min_signed(width),
            3 => Bits::new(self.below(4) as u128, width),
            _ => {
                let mut bits = Bits::zero(width);
                for _ in 0..width.div_ceil(64) {
                    bits = bits.shl_by(64).or(&Bits::new(self.next_u64() as u128, width));
                }
                bits
            }
        }
    }

    pub fn float(&mut self, format: Format) -> FloatValue {
        match self.below(10) {
            0 => FloatValue::zero(format, self.chance(2)),
            1 => FloatValue::infinity(format, self.chance(2)),
            2 => FloatValue::nan(format),
            3 => FloatValue::one(format),
            4 => FloatValue::largest(format, self.chance(2)),
            // Subnormal, or exponents close together.
            5 => FloatValue::from_bits(format, &Bits::new(self.below(16) as u128, format.width())),
            6 => {
                let near_one =
                    FloatValue::one(format).to_bits().sub(&Bits::new(self.below(64) as u128, format.width()));
                FloatValue::from_bits(format, &near_one)
            }
            _ => FloatValue::from_bits(format, &self.bits(format.width())),
        }
    }

    pub fn value(&mut self, sort: Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(self.chance(2)),
            Sort::Bv(width) => Value::Bv(self.bits(width)),
            Sort::Float(format) => Value::Float(self.float(format)),
            Sort::Array(array) => {
                let mut value = ArrayValue::new(array, self.value(array.elem.into()));
                for _ in 0..self.below(4) {
                    let index = self.value(array.index.into());
                    let elem = self.value(array.elem.into());
                    value.set(index, elem);
                }
                Value::Array(value.into())
            }
        }
    }

    fn mode(&mut self) -> RoundingMode {
        *self.pick(&RoundingMode::ALL)
    }
}

/// What the terms may contain. Empty lists leave a theory out.
#[derive(Clone, Debug)]
pub struct Config {
    /// Bit-vector widths of variables and intermediate results (concatenation and extension may use others below them).
    pub widths: Vec<u32>,
    pub formats: Vec<Format>,
    /// Index and element sorts.
    pub arrays: Vec<(Sort, Sort)>,
    /// Variables per sort.
    pub vars: usize,
    /// Height of the operator tree.
    pub height: u32,
    /// Operators whose value SMT-LIB leaves open somewhere (`fp.min`, `fp.max`, `fp.to_ubv`, `fp.to_sbv`).
    pub unspecified: bool,
    pub functions: bool,
    pub quantifiers: bool,
}

impl Config {
    /// Booleans and bit-vectors of up to `width` bits.
    pub fn bit_vectors(width: u32) -> Config {
        Config {
            widths: (1..=width).collect(),
            formats: Vec::new(),
            arrays: Vec::new(),
            vars: 3,
            height: 5,
            unspecified: false,
            functions: false,
            quantifiers: false,
        }
    }

    /// Small bit-vectors, tiny float formats and small arrays.
    pub fn all_theories() -> Config {
        Config {
            widths: vec![1, 2, 3, 4, 8],
            formats: vec![Format { exp: 3, sig: 4 }, Format { exp: 4, sig: 5 }],
            arrays: vec![(Sort::Bv(2), Sort::Bv(4)), (Sort::Bv(3), Sort::Bool)],
            ..Config::bit_vectors(8)
        }
    }
}

/// Makes random raw terms in a store.
#[derive(Clone, Debug)]
pub struct Generator {
    pub rng: Rng,
    pub config: Config,
    made: Vec<Term>,
}

impl Generator {
    pub fn new(seed: u64, config: Config) -> Generator {
        Generator { rng: Rng::new(seed), config, made: Vec::new() }
    }

    /// A raw term of that sort.
    pub fn term(&mut self, store: &mut Store, sort: Sort) -> Term {
        self.made.clear();
        self.grow(store, sort, self.config.height)
    }

    /// A raw formula.
    pub fn formula(&mut self, store: &mut Store) -> Term {
        self.term(store, Sort::Bool)
    }

    /// A sort the configuration allows.
    pub fn sort(&mut self) -> Sort {
        match self.rng.below(8) {
            0 => Sort::Bool,
            1 if !self.config.arrays.is_empty() => self.array_sort(),
            2 | 3 if !self.config.formats.is_empty() => Sort::Float(*self.rng.pick(&self.config.formats)),
            _ => self.bv_sort(),
        }
    }

    fn bv_sort(&mut self) -> Sort {
        Sort::Bv(*self.rng.pick(&self.config.widths))
    }

    fn float_sort(&mut self) -> Sort {
        Sort::Float(*self.rng.pick(&self.config.formats))
    }

    fn array_sort(&mut self) -> Sort {
        let (index, elem) = *self.rng.pick(&self.config.arrays);
        Sort::array(index, elem)
    }

    fn leaf(&mut self, store: &mut Store, sort: Sort) -> Term {
        let literal = self.rng.chance(3);
        match sort {
            Sort::Array(array) if literal => {
                let elem = self.leaf(store, array.elem.into());
                store.mk_raw(Op::ConstArray(array.index), &[elem])
            }
            _ if literal => {
                let value = self.rng.value(sort);
                store.value(&value)
            }
            _ => {
                let n = self.rng.below(self.config.vars);
                let name = match sort {
                    Sort::Bool => format!("p{n}"),
                    Sort::Bv(width) => format!("v{width}_{n}"),
                    Sort::Float(format) => format!("{format:?}_{n}"),
                    Sort::Array(array) => format!("a_{:?}_{:?}_{n}", array.index, array.elem),
                };
                store.var(&name, sort)
            }
        }
    }

    fn grow(&mut self, store: &mut Store, sort: Sort, height: u32) -> Term {
        if height == 0 || self.rng.chance(10) {
            return self.leaf(store, sort);
        }
        if self.rng.chance(8) {
            // Share what was made before: DAGs, not trees.
            let same: Vec<Term> = self.made.iter().copied().filter(|&t| store.sort(t) == sort).collect();
            if !same.is_empty() {
                return *self.rng.pick(&same);
            }
        }
        let term = self.compound(store, sort, height - 1);
        self.made.push(term);
        term
    }

    fn apply(&mut self, store: &mut Store, op: Op, sorts: &[Sort], height: u32) -> Term {
        let args: Vec<Term> = sorts.iter().map(|&sort| self.grow(store, sort, height)).collect();
        store.mk_raw(op, &args)
    }

    fn compound(&mut self, store: &mut Store, sort: Sort, height: u32) -> Term {
        if self.rng.chance(8) {
            return self.apply(store, Op::Ite, &[Sort::Bool, sort, sort], height);
        }
        if self.config.functions && self.rng.chance(10) {
            let param = self.bv_sort();
            let func = store.func(&format!("f_{param:?}_{sort:?}"), &[param], sort);
            return self.apply(store, Op::Apply(func), &[param], height);
        }
        if self.rng.chance(8)
            && let Some((index, elem)) = self.config.arrays.iter().copied().find(|(_, elem)| *elem == sort)
        {
            return self.apply(store, Op::Select, &[Sort::array(index, elem), index], height);
        }
        match sort {
            Sort::Bool => self.formula_of(store, height),
            Sort::Bv(width) => self.bits_of(store, width, height),
            Sort::Float(format) => self.float_of(store, format, height),
            Sort::Array(array) => {
                if self.rng.chance(4) {
                    self.apply(store, Op::ConstArray(array.index), &[array.elem.into()], height)
                } else {
                    self.apply(store, Op::Store, &[sort, array.index.into(), array.elem.into()], height)
                }
            }
        }
    }

    fn formula_of(&mut self, store: &mut Store, height: u32) -> Term {
        use Op::*;
        let bool = Sort::Bool;
        match self.rng.below(10) {
            0 => self.apply(store, Not, &[bool], height),
            1 | 2 => {
                let op = *self.rng.pick(&[And, Or, Xor]);
                self.apply(store, op, &[bool, bool], height)
            }
            3 | 4 => {
                let sort = self.sort();
                self.apply(store, Eq, &[sort, sort], height)
            }
            5 if self.config.quantifiers => {
                let sort = self.bv_sort();
                let bound = store.var(&format!("q_{sort:?}"), sort);
                self.made.push(bound);
                let body = self.grow(store, bool, height);
                let op = *self.rng.pick(&[Forall, Exists]);
                store.mk_raw(op, &[bound, body])
            }
            6 | 7 if !self.config.formats.is_empty() => {
                let sort = self.float_sort();
                if self.rng.chance(2) {
                    let op = *self.rng.pick(&[FpEq, FpLt, FpLe]);
                    self.apply(store, op, &[sort, sort], height)
                } else {
                    let tests = [FpIsNan, FpIsInf, FpIsZero, FpIsNormal, FpIsSubnormal, FpIsNegative, FpIsPositive];
                    let op = *self.rng.pick(&tests);
                    self.apply(store, op, &[sort], height)
                }
            }
            _ => {
                let sort = self.bv_sort();
                let op = *self.rng.pick(&[BvUlt, BvUle, BvSlt, BvSle, BvSaddo, BvSsubo, BvUmulo, BvSmulo]);
                self.apply(store, op, &[sort, sort], height)
            }
        }
    }

    fn bits_of(&mut self, store: &mut Store, width: u32, height: u32) -> Term {
        use Op::*;
        let sort = Sort::Bv(width);
        match self.rng.below(10) {
            0 => {
                let op = *self.rng.pick(&[BvNot, BvNeg]);
                self.apply(store, op, &[sort], height)
            }
            1 if width > 1 => {
                let low = 1 + self.rng.below(width as usize - 1) as u32;
                self.apply(store, Concat, &[Sort::Bv(width - low), Sort::Bv(low)], height)
            }
            2 => {
                let wider = self.config.widths.iter().copied().filter(|&w| w >= width).max().unwrap_or(width);
                let lo = self.rng.below((wider - width) as usize + 1) as u32;
                self.apply(store, Extract { hi: lo + width - 1, lo }, &[Sort::Bv(wider)], height)
            }
            3 if width > 1 => {
                let by = 1 + self.rng.below(width as usize - 1) as u32;
                let op = *self.rng.pick(&[ZeroExtend(by), SignExtend(by)]);
                self.apply(store, op, &[Sort::Bv(width - by)], height)
            }
            4 if self.config.unspecified && !self.config.formats.is_empty() => {
                let (mode, float) = (self.rng.mode(), self.float_sort());
                let op = *self.rng.pick(&[FpToUbv(mode, width), FpToSbv(mode, width)]);
                self.apply(store, op, &[float], height)
            }
            _ => {
                let ops =
                    [BvAdd, BvAdd, BvMul, BvUdiv, BvUrem, BvSdiv, BvSrem, BvShl, BvLshr, BvAshr, BvAnd, BvOr, BvXor];
                let op = *self.rng.pick(&ops);
                self.apply(store, op, &[sort, sort], height)
            }
        }
    }

    fn float_of(&mut self, store: &mut Store, format: Format, height: u32) -> Term {
        use Op::*;
        let sort = Sort::Float(format);
        let mode = self.rng.mode();
        match self.rng.below(12) {
            0 => {
                let op = *self.rng.pick(&[FpNeg, FpAbs]);
                self.apply(store, op, &[sort], height)
            }
            1 => self.apply(store, FpFma(mode), &[sort, sort, sort], height),
            2 => {
                let op = *self.rng.pick(&[FpSqrt(mode), FpRoundToIntegral(mode)]);
                self.apply(store, op, &[sort], height)
            }
            3 => {
                let from = self.float_sort();
                self.apply(store, FpToFp(mode, format), &[from], height)
            }
            4 | 5 => {
                let from = self.bv_sort();
                let op = *self.rng.pick(&[FpFromSbv(mode, format), FpFromUbv(mode, format)]);
                self.apply(store, op, &[from], height)
            }
            6 => self.apply(store, FpFromBits(format), &[Sort::Bv(format.width())], height),
            7 if self.config.unspecified => {
                let op = *self.rng.pick(&[FpMin, FpMax]);
                self.apply(store, op, &[sort, sort], height)
            }
            _ => {
                let op = *self.rng.pick(&[FpAdd(mode), FpAdd(mode), FpMul(mode), FpDiv(mode), FpRem]);
                self.apply(store, op, &[sort, sort], height)
            }
        }
    }
}
