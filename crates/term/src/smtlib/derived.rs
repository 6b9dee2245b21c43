//! What SMT-LIB spells and our operators do not: derived functions, rounding modes as arguments, real literals.

use num_bigint::BigUint;
use num_traits::{One, Zero};

use super::sexpr::{Node, Tree};
use crate::bits::Bits;
use crate::op::Op;
use crate::semantics;
use crate::sort::{RoundingMode, Sort};
use crate::store::{Store, Term};
use crate::value::Value;

/// Functions of two bit-vectors of one width that are spelled with others.
pub(super) fn derived_bv(store: &mut Store, name: &str, a: Term, b: Term) -> Option<Term> {
    let term = match name {
        "bvsub" => store.sub(a, b),
        "bvsmod" => store.smod(a, b),
        "bvugt" => store.ugt(a, b),
        "bvuge" => store.uge(a, b),
        "bvsgt" => store.sgt(a, b),
        "bvsge" => store.sge(a, b),
        "bvuaddo" => store.uaddo(a, b),
        "bvusubo" => store.usubo(a, b),
        "bvsdivo" => store.sdivo(a, b),
        "bvnand" => {
            let and = store.bvand(a, b);
            store.bvnot(and)
        }
        "bvnor" => {
            let or = store.bvor(a, b);
            store.bvnot(or)
        }
        "bvxnor" => {
            let xor = store.bvxor(a, b);
            store.bvnot(xor)
        }
        _ => return None,
    };
    Some(term)
}

pub(super) fn rounding_mode(word: &str) -> Option<RoundingMode> {
    Some(match word {
        "RNE" | "roundNearestTiesToEven" => RoundingMode::NearestEven,
        "RNA" | "roundNearestTiesToAway" => RoundingMode::NearestAway,
        "RTP" | "roundTowardPositive" => RoundingMode::Up,
        "RTN" | "roundTowardNegative" => RoundingMode::Down,
        "RTZ" | "roundTowardZero" => RoundingMode::Zero,
        _ => return None,
    })
}

/// A real literal: sign, numerator, denominator. `1.5`, `(- 2.0)`, `(/ 1 3)`.
pub(super) fn rational(tree: &Tree<'_>, node: Node) -> Option<(bool, BigUint, BigUint)> {
    if let Some(word) = tree.word(node) {
        let (whole, fraction) = word.split_once('.').unwrap_or((word, ""));
        let digits = format!("{whole}{fraction}");
        if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let number = BigUint::parse_bytes(digits.as_bytes(), 10)?;
        return Some((false, number, BigUint::from(10u32).pow(fraction.len() as u32)));
    }
    let items = tree.list(node)?;
    match (tree.word(*items.first()?)?, &items[1..]) {
        ("-", &[a]) => rational(tree, a).map(|(neg, n, d)| (!neg, n, d)),
        ("/", &[a, b]) => {
            let ((neg_a, n, d), (neg_b, m, e)) = (rational(tree, a)?, rational(tree, b)?);
            (!m.is_zero() && !d.is_zero()).then(|| (neg_a != neg_b, n * e, d * m.max(BigUint::one())))
        }
        _ => None,
    }
}

/// The `n`-th value of a scalar sort, in some order.
pub(super) fn nth_value(sort: Sort, n: u128) -> Option<Value> {
    match sort {
        Sort::Bool => (n < 2).then_some(Value::Bool(n == 1)),
        Sort::Bv(width) => (width >= 128 || n >> width == 0).then(|| Value::Bv(Bits::new(n, width))),
        Sort::Float(format) => {
            let bits = Value::Bv(Bits::new(n, format.width()));
            semantics::apply(Op::FpFromBits(format), &[bits])
        }
        Sort::Array(_) => None,
    }
}
