//! Normalisation while building.
//!
//! [`build`] folds constants, orders commutative operands (by id, literals last), and applies the first rule of the
//! operator's table that fires; otherwise the term is interned as it stands. A rule is one function with one line of
//! mathematics; it looks at most a few levels down and builds its result through the same door, so results are in normal
//! form again. What the rest may rely on: no `Xor`; no negated `<`, `<=`; no `x <= c` for a literal `c`; no shift by a
//! literal; literals on the right of commutative operators and outermost in sums; `-` only on what is no sum with a
//! literal and no product with one.
//!
//! Beyond this, and only on request, [`mod@crate::simplify`].

mod arith;
mod array;
mod bitwise;
mod boolean;
mod compare;
mod equality;
mod float;
pub mod instances;
mod overflow;
mod quantifier;
mod shape;
mod slice;

use crate::op::Op;
use crate::semantics;
use crate::store::{Known, Store, Term};
use crate::subst::rebuild_with;
use crate::value::Value;

/// A local rewrite: given an operator and arguments in order, perhaps an equal term that is preferred.
#[derive(Clone, Copy)]
pub struct Rule {
    pub name: &'static str,
    pub apply: fn(&mut Store, Op, &[Term]) -> Option<Term>,
}

impl std::fmt::Debug for Rule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// A list of rules from their functions.
macro_rules! rules {
    ($($rule:ident),* $(,)?) => {
        &[$($crate::rewrite::Rule { name: stringify!($rule), apply: $rule }),*]
    };
}
use rules;

/// Rules may build terms that fire further rules. Past this nesting only constants are folded, so that a rule that
/// follows a chain (say, of `ite`s) cannot exhaust the stack.
pub const MAX_DEPTH: u32 = 60;

/// Rewrites nested at least so deeply are remembered. Rules that push an operator into several arguments would otherwise
/// repeat themselves on shared subterms, exponentially; plain building pays nothing for it.
const REMEMBER_FROM: u32 = 2;

/// The rules of an operator, in the order they are tried.
pub fn rules_for(op: Op) -> &'static [Rule] {
    match op {
        Op::Not => boolean::NOT,
        Op::And => boolean::AND,
        Op::Or => boolean::OR,
        Op::Xor => boolean::XOR,
        Op::Ite => boolean::ITE,
        Op::Eq => equality::EQ,
        Op::BvNeg => arith::NEG,
        Op::BvAdd => arith::ADD,
        Op::BvMul => arith::MUL,
        Op::BvUdiv => arith::UDIV,
        Op::BvUrem => arith::UREM,
        Op::BvSdiv => arith::SDIV,
        Op::BvSrem => arith::SREM,
        Op::BvShl => bitwise::SHL,
        Op::BvLshr => bitwise::LSHR,
        Op::BvAshr => bitwise::ASHR,
        Op::BvNot => bitwise::NOT,
        Op::BvAnd => bitwise::AND,
        Op::BvOr => bitwise::OR,
        Op::BvXor => bitwise::XOR,
        Op::Concat => slice::CONCAT,
        Op::Extract { .. } => slice::EXTRACT,
        Op::ZeroExtend(_) => slice::ZERO_EXTEND,
        Op::SignExtend(_) => slice::SIGN_EXTEND,
        Op::BvUlt => compare::ULT,
        Op::BvUle => compare::ULE,
        Op::BvSlt => compare::SLT,
        Op::BvSle => compare::SLE,
        Op::BvSaddo => overflow::SADDO,
        Op::BvSsubo => overflow::SSUBO,
        Op::BvUmulo => overflow::UMULO,
        Op::BvSmulo => overflow::SMULO,
        Op::Select => array::SELECT,
        Op::Store => array::STORE,
        Op::Forall | Op::Exists => quantifier::QUANTIFIER,
        _ => float::rules_for(op),
    }
}

/// Builds `op` applied to `args` in normal form.
pub(crate) fn build(store: &mut Store, op: Op, args: &[Term]) -> Term {
    let mut swapped = [store.ff(); 3];
    let args = if op.facts().commutative && before(store, args[1], args[0]) {
        swapped[..args.len()].copy_from_slice(args);
        swapped.swap(0, 1);
        &swapped[..args.len()]
    } else {
        args
    };
    let key = store.key(op, args);
    let known = store.look_up(&key);
    if let Known::Normal(term) = known {
        return term;
    }
    if cfg!(debug_assertions) {
        store.check(op, args);
    }
    if let Some(folded) = fold(store, op, args) {
        return folded;
    }
    if store.depth < MAX_DEPTH {
        store.depth += 1;
        let rewritten = rules_for(op).iter().find_map(|rule| (rule.apply)(store, op, args));
        store.depth -= 1;
        if let Some(term) = rewritten {
            if store.depth >= REMEMBER_FROM {
                store.remember(&key, term);
            }
            return term;
        }
    }
    store.mk_normal(&key, known)
}

/// The literal that an operator on literals denotes, if its value is determined and no array.
fn fold(store: &mut Store, op: Op, args: &[Term]) -> Option<Term> {
    if args.is_empty() || !args.iter().all(|&arg| store.is_const(arg)) {
        return None;
    }
    let values: Vec<Value> = args.iter().map(|&arg| store.as_value(arg).expect("a literal")).collect();
    let value = semantics::apply(op, &values).filter(|value| value.as_array().is_none())?;
    Some(store.value(&value))
}

/// The order of commutative operands: by id, literals last.
fn before(store: &Store, a: Term, b: Term) -> bool {
    (store.is_const(a), a) < (store.is_const(b), b)
}

/// The term built anew, bottom up, through the normalising door. The identity on terms built that way.
pub fn rebuild(store: &mut Store, root: Term) -> Term {
    rebuild_with(store, root, |store, op, args| store.mk(op, args))
}
