//! Formulas as clauses: every bit-vector operation as the circuit one learns at school, every gate as its clauses (Tseitin).
//!
//! This is what a certificate trusts between a condition in SMT-LIB and its clauses, so it is simple before it is small:
//! ripple-carry adders, multiplication by shifting and adding, long division, shifts in stages. Equal gates are made once,
//! constants are folded.
//!
//! Arrays are eliminated on the way ([`arrays`](self)): a read is looked up in the writes before it, reads of an array variable become
//! variables that are equal where their indices are (Ackermann), and two arrays are equal if they are at all indices that
//! are spoken of, different if they are at some index; where constant arrays are compared, one index is looked at that nothing
//! speaks of. The clauses can all be true if, and only if, the formula can.
//!
//! Floats, quantifiers and uninterpreted functions are refused by name.

mod arrays;
mod circuit;
mod words;

use circuit::Circuit;
pub use circuit::{Gate, Lit};
use lrat::Cnf;
use rustc_hash::FxHashMap;
use std::fmt;
use term::{Op, Sort, Store, Term};

/// Formulas that need more clauses are refused.
pub const MAX_CLAUSES: usize = 8_000_000;

/// Why a formula has no clauses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refused {
    /// It uses what is not blasted: the operator's name.
    Operator(&'static str),
    /// It would take more than [`MAX_CLAUSES`], or than was asked for.
    TooLarge,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refused::Operator(name) => write!(f, "{name} has no circuit here"),
            Refused::TooLarge => write!(f, "it takes more than {MAX_CLAUSES} clauses"),
        }
    }
}

/// A formula as clauses.
#[derive(Clone, Debug)]
pub struct Blasted {
    /// They cannot all be true only if the formula cannot. The last one says that it is true.
    pub cnf: Cnf,
    /// The formula's variables, and their bits from the lowest on.
    pub inputs: Vec<(Term, Vec<Lit>)>,
}

/// The clauses of a formula.
pub fn blast(terms: &Store, formula: Term) -> Result<Blasted, Refused> {
    let mut blaster = Blaster::new(terms);
    let root = blaster.bits(formula)?[0];
    blaster.compare_arrays()?;
    let Blaster { mut circuit, inputs, .. } = blaster;
    circuit.require(&[root]);
    Ok(Blasted { cnf: circuit.cnf, inputs })
}

/// Terms as one circuit.
#[derive(Clone, Debug)]
pub struct Gates {
    /// The bits of each term, from the lowest on.
    pub bits: Vec<Vec<Lit>>,
    /// What all gates are.
    pub cnf: Cnf,
    /// By variable, from variable 1 on.
    pub gates: Vec<Gate>,
    /// The variables of the terms, and their bits from the lowest on.
    pub inputs: Vec<(Term, Vec<Lit>)>,
}

/// The circuit of terms that speak of no array. More than `most` clauses are refused. Of the variables in `narrow` only so
/// many of the lowest bits may be set.
pub fn gates(terms: &Store, roots: &[Term], narrow: &FxHashMap<Term, u32>, most: usize) -> Result<Gates, Refused> {
    let mut blaster = Blaster::new(terms);
    blaster.narrow = Some(narrow);
    let mut bits = Vec::with_capacity(roots.len());
    for &root in roots {
        bits.push(blaster.bits(root)?);
        if !blaster.arrays.is_empty() {
            return Err(Refused::Operator("an array"));
        }
        if blaster.circuit.cnf.len() > most {
            return Err(Refused::TooLarge);
        }
    }
    let Blaster { circuit, inputs, .. } = blaster;
    Ok(Gates { bits, cnf: circuit.cnf, gates: circuit.gates, inputs })
}

pub(crate) struct Blaster<'a> {
    terms: &'a Store,
    circuit: Circuit,
    /// The bits of terms that were met, from the lowest on.
    known: FxHashMap<Term, Vec<Lit>>,
    inputs: Vec<(Term, Vec<Lit>)>,
    /// How many of the lowest bits of variables may be set, where not all.
    narrow: Option<&'a FxHashMap<Term, u32>>,
    arrays: arrays::Arrays,
}

impl<'a> Blaster<'a> {
    fn new(terms: &'a Store) -> Blaster<'a> {
        Blaster {
            terms,
            circuit: Circuit::default(),
            known: FxHashMap::default(),
            inputs: Vec::new(),
            narrow: None,
            arrays: arrays::Arrays::default(),
        }
    }

    /// The bits of a term that is no array.
    fn bits(&mut self, root: Term) -> Result<Vec<Lit>, Refused> {
        let order = term::walk::postorder(self.terms, &[root]);
        let quantifier = order.iter().map(|t| self.terms.op(*t)).find(|op| op.is_quantifier());
        if let Some(op) = quantifier {
            return Err(Refused::Operator(op.facts().name));
        }
        for t in order {
            if !matches!(self.terms.sort(t), Sort::Array(_)) && !self.known.contains_key(&t) {
                let bits = self.step(t)?;
                self.known.insert(t, bits);
            } else if self.terms.op(t) == Op::Store {
                let index = self.known[&self.terms.arg(t, 1)].clone();
                self.arrays.mention(index);
            }
            if self.circuit.cnf.len() > MAX_CLAUSES {
                return Err(Refused::TooLarge);
            }
        }
        Ok(self.known[&root].clone())
    }

    /// The bits of a term whose arguments are known.
    fn step(&mut self, t: Term) -> Result<Vec<Lit>, Refused> {
        let terms = self.terms;
        let op = terms.op(t);
        let width = match terms.sort(t) {
            Sort::Bool => 1,
            Sort::Bv(width) => width as usize,
            _ => return Err(Refused::Operator(op.facts().name)),
        };
        let quadratic = matches!(op, Op::BvMul | Op::BvUdiv | Op::BvUrem | Op::BvSdiv | Op::BvSrem);
        if quadratic && width.saturating_mul(width).saturating_mul(8) > MAX_CLAUSES {
            return Err(Refused::TooLarge);
        }
        match op {
            Op::Var(_) => {
                let free =
                    self.narrow.and_then(|narrow| narrow.get(&t)).map_or(width, |bits| width.min(*bits as usize));
                let mut bits: Vec<Lit> = (0..free).map(|_| self.circuit.fresh()).collect();
                bits.resize(width, Lit::FALSE);
                self.inputs.push((t, bits.clone()));
                return Ok(bits);
            }
            Op::Select => {
                let index = self.known[&terms.arg(t, 1)].clone();
                return self.read(terms.arg(t, 0), &index);
            }
            Op::Eq if matches!(terms.sort(terms.arg(t, 0)), Sort::Array(_)) => {
                return Ok(vec![self.arrays_are_equal(terms.arg(t, 0), terms.arg(t, 1))]);
            }
            _ => {}
        }
        let mut args: Vec<&[Lit]> = Vec::with_capacity(3);
        for arg in terms.args(t) {
            match self.known.get(arg) {
                Some(bits) => args.push(bits),
                None => return Err(Refused::Operator(op.facts().name)),
            }
        }
        let c = &mut self.circuit;
        Ok(match (op, &args[..]) {
            (Op::True, _) => vec![Lit::TRUE],
            (Op::False, _) => vec![Lit::FALSE],
            (Op::BvConst(_), _) => {
                let value = terms.as_bv_const(t).expect("a constant");
                (0..value.width()).map(|i| Lit::constant(value.bit(i))).collect()
            }
            (Op::Not | Op::BvNot, [a]) => words::not(a),
            (Op::And | Op::BvAnd, [a, b]) => words::zip(a, b, |a, b| c.and(a, b)),
            (Op::Or | Op::BvOr, [a, b]) => words::zip(a, b, |a, b| c.or(a, b)),
            (Op::Xor | Op::BvXor, [a, b]) => words::zip(a, b, |a, b| c.xor(a, b)),
            (Op::Ite, [condition, a, b]) => words::ite(c, condition[0], a, b),
            (Op::Eq, [a, b]) => vec![words::eq(c, a, b)],
            (Op::BvNeg, [a]) => words::neg(c, a),
            (Op::BvAdd, [a, b]) => words::add(c, a, b, Lit::FALSE),
            (Op::BvMul, [a, b]) => words::mul(c, a, b),
            (Op::BvUdiv, [a, b]) => words::udivrem(c, a, b).0,
            (Op::BvUrem, [a, b]) => words::udivrem(c, a, b).1,
            (Op::BvSdiv, [a, b]) => words::sdiv(c, a, b),
            (Op::BvSrem, [a, b]) => words::srem(c, a, b),
            (Op::BvShl, [a, b]) => words::shl(c, a, b),
            (Op::BvLshr, [a, b]) => words::shr(c, a, b, Lit::FALSE),
            (Op::BvAshr, [a, b]) => words::shr(c, a, b, words::sign(a)),
            (Op::Concat, [high, low]) => [*low, *high].concat(),
            (Op::Extract { hi, lo }, [a]) => a[lo as usize..=hi as usize].to_vec(),
            (Op::ZeroExtend(_), [a]) => words::extend(a, width, Lit::FALSE),
            (Op::SignExtend(_), [a]) => words::extend(a, width, words::sign(a)),
            (Op::BvUlt, [a, b]) => vec![words::ult(c, a, b)],
            (Op::BvUle, [a, b]) => vec![!words::ult(c, b, a)],
            (Op::BvSlt, [a, b]) => vec![words::slt(c, a, b)],
            (Op::BvSle, [a, b]) => vec![!words::slt(c, b, a)],
            (Op::BvSaddo, [a, b]) => vec![words::saddo(c, a, b)],
            (Op::BvSsubo, [a, b]) => vec![words::ssubo(c, a, b)],
            (Op::BvUmulo, [a, b]) => vec![words::umulo(c, a, b)],
            (Op::BvSmulo, [a, b]) => vec![words::smulo(c, a, b)],
            _ => return Err(Refused::Operator(op.facts().name)),
        })
    }
}
