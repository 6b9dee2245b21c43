//! Printing terms as C expressions, with the program's names.
//!
//! A bit-vector of `w` bits has three faces as a mathematical integer: its unsigned value, its signed value, and any
//! integer congruent to it modulo `2^w`. Each C expression made here is known to have one of them as its value in its C
//! type, without overflow; comparisons and divisions ask for the face they need, wrapping arithmetic is done on congruent
//! values in unsigned types. Casts appear only where C's own conversions would go wrong. What has no C form gives `None`.
//!
//! Assumed of the compiler, as GCC and Clang document: two's complement, conversion to a signed type wraps, right shift
//! of negative values keeps the sign, `int` has 32 bits, `long long` 64.

mod expr;
mod float;
mod int;

use crate::normal;
use crate::op::Op;
use crate::sort::Sort;
use crate::store::{Store, Term};
use crate::walk;
use expr::{Expr, Level};

/// How a term is called in C.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CName {
    /// A primary expression: an identifier, or something parenthesised, or a postfix expression like `a[i]`.
    pub text: String,
    /// Whether the C type is signed; of no meaning for booleans and floats.
    pub signed: bool,
    /// Bits of the C type; must be the term's width. Of no meaning for booleans and floats.
    pub width: u32,
}

/// Gives C names to terms: to variables, and to whatever else the program can say directly (a memory read, say).
pub trait NameOf {
    fn name_of(&self, store: &Store, t: Term) -> Option<CName>;
}

impl<F: Fn(&Store, Term) -> Option<CName>> NameOf for F {
    fn name_of(&self, store: &Store, t: Term) -> Option<CName> {
        self(store, t)
    }
}

/// Larger terms have no useful C text.
const MAX_TREE: u64 = 4000;
const MAX_DEPTH: usize = 200;
const MAX_TEXT: usize = 100_000;

/// The term as a C expression. A formula gives 0 or 1; a bit-vector gives its value by the signedness of the names in it.
pub fn print_c(store: &Store, t: Term, names: &dyn NameOf) -> Option<String> {
    if walk::tree_size(store, t) > MAX_TREE || walk::depth(store, t) > MAX_DEPTH {
        return None;
    }
    let printer = Printer { store, names };
    let expr = match store.sort(t) {
        Sort::Bool => printer.formula(t)?,
        Sort::Bv(_) => printer.natural(t)?,
        Sort::Float(_) => printer.float(t)?,
        Sort::Array(_) => return None,
    };
    Some(expr.text)
}

struct Printer<'a> {
    store: &'a Store,
    names: &'a dyn NameOf,
}

impl Printer<'_> {
    fn formula(&self, t: Term) -> Option<Expr> {
        let store = self.store;
        if let Some(name) = self.names.name_of(store, t) {
            return Some(Expr::truth(name.text, Level::PRIMARY));
        }
        let args = store.args(t);
        match (store.op(t), args) {
            (Op::True, _) => Some(Expr::truth("1", Level::PRIMARY)),
            (Op::False, _) => Some(Expr::truth("0", Level::PRIMARY)),
            (Op::Not, &[a]) => self.negated(a),
            (Op::And, _) => self.connective(normal::conjuncts(store, t), " && ", Level::AND),
            (Op::Or, _) => self.connective(normal::disjuncts(store, t), " || ", Level::OR),
            (Op::Xor, &[a, b]) => self.compare_formulas(a, "!=", b),
            (Op::Ite, &[c, a, b]) => Expr::choice(self.formula(c)?, self.formula(a)?, self.formula(b)?),
            (Op::Eq, &[a, b]) => self.equality(a, "==", b),
            (Op::BvUlt, &[a, b]) => self.order(a, "<", b, false),
            (Op::BvUle, &[a, b]) => self.order(a, "<=", b, false),
            (Op::BvSlt, &[a, b]) => self.order(a, "<", b, true),
            (Op::BvSle, &[a, b]) => self.order(a, "<=", b, true),
            (Op::BvSaddo | Op::BvSsubo | Op::BvUmulo | Op::BvSmulo, _) => self.overflow(t),
            _ => self.float_test(t),
        }
        .filter(|expr| expr.text.len() <= MAX_TEXT)
    }

    fn negated(&self, a: Term) -> Option<Expr> {
        if let (Op::Eq, &[x, y]) = (self.store.op(a), self.store.args(a))
            && self.names.name_of(self.store, a).is_none()
        {
            return self.equality(x, "!=", y);
        }
        let inner = self.formula(a)?;
        Some(Expr::truth(format!("!{}", inner.at_least(Level::UNARY)), Level::UNARY))
    }

    /// Mixed connectives are parenthesised: readers, and compilers' warnings, ask for it.
    fn connective(&self, parts: Vec<Term>, op: &str, level: Level) -> Option<Expr> {
        let parts = parts
            .into_iter()
            .map(|part| Some(self.formula(part)?.at_least(Level::BIT_OR)))
            .collect::<Option<Vec<_>>>()?;
        Some(Expr::truth(parts.join(op), level))
    }

    fn compare_formulas(&self, a: Term, op: &str, b: Term) -> Option<Expr> {
        let (a, b) = (self.formula(a)?, self.formula(b)?);
        let text = format!("{} {op} {}", a.at_least(Level::UNARY), b.at_least(Level::UNARY));
        Some(Expr::truth(text, Level::EQ))
    }

    fn equality(&self, a: Term, op: &str, b: Term) -> Option<Expr> {
        match self.store.sort(a) {
            Sort::Bool => self.compare_formulas(a, op, b),
            Sort::Bv(_) => self.equal_bits(a, op, b),
            Sort::Float(_) => self.identical_floats(a, op, b),
            Sort::Array(_) => None,
        }
    }
}
