//! Our terms as Bitwuzla terms: each once, without recursion.

use bitwuzla::{Kind, Terms};
use rustc_hash::FxHashMap;
use term::{Bits, FloatValue, Format, Func, Op, RoundingMode, Scalar, Sort, Store, Term};

use super::bitwuzla::FloatFormats;
use crate::solver::Why;

/// Not refused: see [`FloatFormats::Tested`].
const TESTED_FORMATS: [Format; 5] = [Format::F16, Format::F32, Format::F64, Format::F128, Format::X87];

impl From<bitwuzla::Error> for Why {
    fn from(error: bitwuzla::Error) -> Why {
        Why::Failed(error.to_string())
    }
}

/// A term manager and what has been translated into it.
pub(crate) struct Translation {
    pub(crate) terms: Terms,
    done: FxHashMap<Term, bitwuzla::Term>,
    sorts: FxHashMap<Sort, bitwuzla::Sort>,
    functions: FxHashMap<Func, bitwuzla::Term>,
    formats: FloatFormats,
}

impl Translation {
    pub(crate) fn new(formats: FloatFormats) -> Result<Translation, Why> {
        Ok(Translation {
            terms: Terms::new()?,
            done: FxHashMap::default(),
            sorts: FxHashMap::default(),
            functions: FxHashMap::default(),
            formats,
        })
    }

    /// The translation, if it was made before.
    pub(crate) fn known(&self, term: Term) -> Option<bitwuzla::Term> {
        self.done.get(&term).copied()
    }

    pub(crate) fn term(&mut self, store: &Store, root: Term) -> Result<bitwuzla::Term, Why> {
        if let Some(&done) = self.done.get(&root) {
            return Ok(done);
        }
        let mut stack = vec![root];
        let mut args = Vec::new();
        while let Some(&term) = stack.last() {
            if self.done.contains_key(&term) {
                stack.pop();
                continue;
            }
            let waiting = stack.len();
            stack.extend(store.args(term).iter().filter(|arg| !self.done.contains_key(arg)));
            if stack.len() > waiting {
                continue;
            }
            args.clear();
            args.extend(store.args(term).iter().map(|arg| self.done[arg]));
            let translated = self.node(store, term, &mut args)?;
            self.done.insert(term, translated);
            stack.pop();
        }
        Ok(self.done[&root])
    }

    /// One node, its arguments being translated.
    fn node(&mut self, store: &Store, term: Term, args: &mut Vec<bitwuzla::Term>) -> Result<bitwuzla::Term, Why> {
        let op = store.op(term);
        let plain = |kind: Kind| (kind, Indices::NONE);
        let (kind, indices) = match op {
            Op::True => return Ok(self.terms.bool_value(true)?),
            Op::False => return Ok(self.terms.bool_value(false)?),
            Op::BvConst(_) => {
                let bits = store.as_bv_const(term).expect("a bit-vector constant");
                return self.bits(bits);
            }
            Op::FloatConst(_) => {
                let float = store.as_float_const(term).expect("a float constant");
                return self.float(float);
            }
            Op::Var(_) => return self.variable(store, term),
            Op::Apply(func) => {
                args.insert(0, self.function(store, func)?);
                if args.len() == 1 {
                    return Ok(args[0]);
                }
                plain(Kind::Apply)
            }
            Op::Forall | Op::Exists => {
                self.bind(store, term, args)?;
                plain(if op == Op::Forall { Kind::Forall } else { Kind::Exists })
            }
            Op::ConstArray(_) => {
                let sort = self.sort(store.sort(term))?;
                return Ok(self.terms.const_array(sort, args[0])?);
            }

            Op::Not => plain(Kind::Not),
            Op::And => plain(Kind::And),
            Op::Or => plain(Kind::Or),
            Op::Xor => plain(Kind::Xor),
            Op::Ite => plain(Kind::Ite),
            Op::Eq => plain(Kind::Equal),

            Op::BvNot => plain(Kind::BvNot),
            Op::BvNeg => plain(Kind::BvNeg),
            Op::BvAdd => plain(Kind::BvAdd),
            Op::BvMul => plain(Kind::BvMul),
            Op::BvUdiv => plain(Kind::BvUdiv),
            Op::BvUrem => plain(Kind::BvUrem),
            Op::BvSdiv => plain(Kind::BvSdiv),
            Op::BvSrem => plain(Kind::BvSrem),
            Op::BvShl => plain(Kind::BvShl),
            Op::BvLshr => plain(Kind::BvShr),
            Op::BvAshr => plain(Kind::BvAshr),
            Op::BvAnd => plain(Kind::BvAnd),
            Op::BvOr => plain(Kind::BvOr),
            Op::BvXor => plain(Kind::BvXor),
            Op::Concat => plain(Kind::BvConcat),
            Op::Extract { hi, lo } => (Kind::BvExtract, Indices::two(hi, lo)),
            Op::ZeroExtend(by) => (Kind::BvZeroExtend, Indices::one(by)),
            Op::SignExtend(by) => (Kind::BvSignExtend, Indices::one(by)),
            Op::BvUlt => plain(Kind::BvUlt),
            Op::BvUle => plain(Kind::BvUle),
            Op::BvSlt => plain(Kind::BvSlt),
            Op::BvSle => plain(Kind::BvSle),
            Op::BvSaddo => plain(Kind::BvSaddOverflow),
            Op::BvSsubo => plain(Kind::BvSsubOverflow),
            Op::BvUmulo => plain(Kind::BvUmulOverflow),
            Op::BvSmulo => plain(Kind::BvSmulOverflow),

            Op::FpNeg => plain(Kind::FpNeg),
            Op::FpAbs => plain(Kind::FpAbs),
            Op::FpAdd(_) => plain(Kind::FpAdd),
            Op::FpMul(_) => plain(Kind::FpMul),
            Op::FpDiv(_) => plain(Kind::FpDiv),
            Op::FpFma(_) => plain(Kind::FpFma),
            Op::FpSqrt(_) => plain(Kind::FpSqrt),
            Op::FpRem => plain(Kind::FpRem),
            Op::FpRoundToIntegral(_) => plain(Kind::FpRti),
            Op::FpMin => plain(Kind::FpMin),
            Op::FpMax => plain(Kind::FpMax),
            Op::FpEq => plain(Kind::FpEqual),
            Op::FpLt => plain(Kind::FpLt),
            Op::FpLe => plain(Kind::FpLeq),
            Op::FpIsNan => plain(Kind::FpIsNan),
            Op::FpIsInf => plain(Kind::FpIsInf),
            Op::FpIsZero => plain(Kind::FpIsZero),
            Op::FpIsNormal => plain(Kind::FpIsNormal),
            Op::FpIsSubnormal => plain(Kind::FpIsSubnormal),
            Op::FpIsNegative => plain(Kind::FpIsNeg),
            Op::FpIsPositive => plain(Kind::FpIsPos),
            Op::FpToFp(_, format) => (Kind::FpToFpFromFp, self.format(format)?),
            Op::FpFromSbv(_, format) => (Kind::FpToFpFromSbv, self.format(format)?),
            Op::FpFromUbv(_, format) => (Kind::FpToFpFromUbv, self.format(format)?),
            Op::FpToUbv(_, width) => (Kind::FpToUbv, Indices::one(width)),
            Op::FpToSbv(_, width) => (Kind::FpToSbv, Indices::one(width)),
            Op::FpFromBits(format) => (Kind::FpToFpFromBv, self.format(format)?),

            Op::Select => plain(Kind::Select),
            Op::Store => plain(Kind::Store),
        };
        if let Some(mode) = op.rounding_mode() {
            args.insert(0, self.terms.rm_value(rounding_mode(mode))?);
        }
        Ok(self.terms.apply(kind, args, indices.as_slice())?)
    }

    fn variable(&mut self, store: &Store, term: Term) -> Result<bitwuzla::Term, Why> {
        let sort = self.sort(store.sort(term))?;
        let name = store.symbol_name(term).unwrap_or_default().replace('\0', "");
        Ok(self.terms.constant(sort, &name)?)
    }

    fn function(&mut self, store: &Store, func: Func) -> Result<bitwuzla::Term, Why> {
        if let Some(&function) = self.functions.get(&func) {
            return Ok(function);
        }
        let info = store.func_info(func);
        let result = self.sort(info.result)?;
        let sort = if info.params.is_empty() {
            result
        } else {
            let params = info.params.iter().map(|&param| self.sort(param)).collect::<Result<Vec<_>, _>>()?;
            self.terms.fun_sort(&params, result)?
        };
        let function = self.terms.constant(sort, &info.name.replace('\0', ""))?;
        self.functions.insert(func, function);
        Ok(function)
    }

    /// Replaces the bound names: they were translated as constants, and Bitwuzla binds variables of another kind.
    fn bind(&mut self, store: &Store, term: Term, args: &mut [bitwuzla::Term]) -> Result<(), Why> {
        let (bound, _) = store.quantifier(term).expect("a quantifier");
        let bound = bound.to_vec();
        let (body, names) = args.split_last_mut().expect("a quantifier has a body");
        for (name, var) in names.iter_mut().zip(bound) {
            let sort = self.sort(store.sort(var))?;
            let variable = self.terms.variable(sort, store.symbol_name(var).unwrap_or_default())?;
            *body = self.terms.substitute(*body, *name, variable)?;
            *name = variable;
        }
        Ok(())
    }

    pub(crate) fn sort(&mut self, sort: Sort) -> Result<bitwuzla::Sort, Why> {
        if let Some(&done) = self.sorts.get(&sort) {
            return Ok(done);
        }
        let scalar = |scalar: Scalar| Sort::from(scalar);
        let made = match sort {
            Sort::Bool => self.terms.bool_sort()?,
            Sort::Bv(width) => self.terms.bv_sort(width)?,
            Sort::Float(format) => {
                self.format(format)?;
                self.terms.fp_sort(format.exp, format.sig)?
            }
            Sort::Array(array) => {
                let (index, element) = (self.sort(scalar(array.index))?, self.sort(scalar(array.elem))?);
                self.terms.array_sort(index, element)?
            }
        };
        self.sorts.insert(sort, made);
        Ok(made)
    }

    /// The indices that name a format, unless it is refused.
    fn format(&self, format: Format) -> Result<Indices, Why> {
        if self.formats == FloatFormats::Any || TESTED_FORMATS.contains(&format) {
            Ok(Indices::two(format.exp, format.sig))
        } else {
            let Format { exp, sig } = format;
            Err(Why::Unsupported(format!("float format with {exp} exponent and {sig} significand bits")))
        }
    }

    fn bits(&mut self, bits: &Bits) -> Result<bitwuzla::Term, Why> {
        let sort = self.sort(Sort::Bv(bits.width()))?;
        match bits.to_u64() {
            Some(value) => Ok(self.terms.bv_value_u64(sort, value)?),
            None => Ok(self.terms.bv_value(sort, &binary(bits))?),
        }
    }

    fn float(&mut self, float: FloatValue) -> Result<bitwuzla::Term, Why> {
        let format = float.format();
        self.format(format)?;
        let bits = float.to_bits();
        let fraction = format.sig - 1;
        let width = format.width();
        let sign = self.bits(&bits.extract(width - 1, width - 1))?;
        let exponent = self.bits(&bits.extract(width - 2, fraction))?;
        let fraction = self.bits(&bits.extract(fraction - 1, 0))?;
        Ok(self.terms.fp_value(sign, exponent, fraction)?)
    }
}

/// The indices of an operator, at most two.
struct Indices {
    values: [u64; 2],
    count: usize,
}

impl Indices {
    const NONE: Indices = Indices { values: [0; 2], count: 0 };

    fn one(index: u32) -> Indices {
        Indices { values: [u64::from(index), 0], count: 1 }
    }

    fn two(first: u32, second: u32) -> Indices {
        Indices { values: [u64::from(first), u64::from(second)], count: 2 }
    }

    fn as_slice(&self) -> &[u64] {
        &self.values[..self.count]
    }
}

/// All bits, the highest first.
fn binary(bits: &Bits) -> String {
    (0..bits.width()).rev().map(|index| if bits.bit(index) { '1' } else { '0' }).collect()
}

fn rounding_mode(mode: RoundingMode) -> bitwuzla::RoundingMode {
    match mode {
        RoundingMode::NearestEven => bitwuzla::RoundingMode::NearestEven,
        RoundingMode::NearestAway => bitwuzla::RoundingMode::NearestAway,
        RoundingMode::Up => bitwuzla::RoundingMode::TowardPositive,
        RoundingMode::Down => bitwuzla::RoundingMode::TowardNegative,
        RoundingMode::Zero => bitwuzla::RoundingMode::TowardZero,
    }
}
