//! Rules for connectives and `ite`.

use super::{Rule, rules};
use crate::op::Op;
use crate::store::{Store, Term};

pub(super) const NOT: &[Rule] = rules![not_not, not_order];
pub(super) const AND: &[Rule] = rules![and_literal, and_same, and_opposite, and_nested_and, and_nested_or, and_bounds];
pub(super) const OR: &[Rule] = rules![or_literal, or_same, or_opposite, or_nested_or, or_nested_and, or_bounds];
pub(super) const XOR: &[Rule] = rules![xor_to_eq];
pub(super) const ITE: &[Rule] = rules![
    ite_literal,
    ite_same,
    ite_not,
    ite_to_or,
    ite_to_and,
    ite_to_eq,
    ite_nested,
    ite_one_bit_test,
    ite_of_equality
];

/// !!a  ==>  a
fn not_not(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    t.unary(args[0], Op::Not)
}

/// !(x < y)  ==>  y <= x,  !(x <= y)  ==>  y < x      unsigned and signed
fn not_order(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    let op = match t.op(args[0]) {
        Op::BvUlt => Op::BvUle,
        Op::BvUle => Op::BvUlt,
        Op::BvSlt => Op::BvSle,
        Op::BvSle => Op::BvSlt,
        _ => return None,
    };
    let (x, y) = (t.arg(args[0], 0), t.arg(args[0], 1));
    Some(t.mk(op, &[y, x]))
}

/// a & true  ==>  a,  a & false  ==>  false
fn and_literal(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    t.as_bool_const(args[1]).map(|b| if b { args[0] } else { args[1] })
}

/// a & a  ==>  a
fn and_same(_: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    (args[0] == args[1]).then(|| args[0])
}

/// a & !a  ==>  false
fn and_opposite(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    t.are_opposite(args[0], args[1]).then(|| t.ff())
}

/// a & (a & b)  ==>  a & b,  a & (!a & b)  ==>  false,  the same of !(!a | b) and !(a | b)
fn and_nested_and(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    nested_same(t, Op::And, args)
}

/// a & (a | b)  ==>  a,  a & (!a | b)  ==>  a & b
fn and_nested_or(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    nested_dual(t, Op::And, args)
}

/// a | true  ==>  true,  a | false  ==>  a
fn or_literal(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    t.as_bool_const(args[1]).map(|b| if b { args[1] } else { args[0] })
}

/// a | a  ==>  a
fn or_same(_: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    (args[0] == args[1]).then(|| args[0])
}

/// a | !a  ==>  true
fn or_opposite(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    t.are_opposite(args[0], args[1]).then(|| t.tt())
}

/// a | (a | b)  ==>  a | b,  a | (!a | b)  ==>  true,  the same of !(!a & b) and !(a & b)
fn or_nested_or(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    nested_same(t, Op::Or, args)
}

/// a | (a & b)  ==>  a,  a | (!a & b)  ==>  a | b
fn or_nested_and(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    nested_dual(t, Op::Or, args)
}

fn dual(op: Op) -> Op {
    if op == Op::And { Op::Or } else { Op::And }
}

/// An operand found again, or found negated, one level inside an operand with the same connective.
fn nested_same(t: &mut Store, op: Op, args: &[Term]) -> Option<Term> {
    let dual = dual(op);
    for (a, nested) in [(args[0], args[1]), (args[1], args[0])] {
        // Under a negation the connective is the other one, and so are its operands.
        let (inner, negated) = match t.unary(nested, Op::Not) {
            Some(inner) => (t.binary(inner, dual), true),
            None => (t.binary(nested, op), false),
        };
        let Some((b, c)) = inner else { continue };
        let (same, opposite) = (a == b || a == c, t.are_opposite(a, b) || t.are_opposite(a, c));
        if if negated { opposite } else { same } {
            return Some(nested);
        }
        if if negated { same } else { opposite } {
            return Some(t.bool(op == Op::Or));
        }
    }
    None
}

/// An operand found again, or found negated, one level inside an operand with the dual connective.
fn nested_dual(t: &mut Store, op: Op, args: &[Term]) -> Option<Term> {
    let dual = dual(op);
    for (a, nested) in [(args[0], args[1]), (args[1], args[0])] {
        // Under a negation the connective is the other one: a & !(a & b)  ==>  a & !b
        let (inner, negated) = match t.unary(nested, Op::Not) {
            Some(inner) => (t.binary(inner, op), true),
            None => (t.binary(nested, dual), false),
        };
        let Some((b, c)) = inner else { continue };
        for (b, c) in [(b, c), (c, b)] {
            let (same, opposite) = (a == b, t.are_opposite(a, b));
            if if negated { opposite } else { same } {
                return Some(a);
            }
            if if negated { same } else { opposite } {
                let c = if negated { t.not(c) } else { c };
                return Some(t.mk(op, &[a, c]));
            }
        }
    }
    None
}

/// x < c & x < d  ==>  x < min(c, d),  c < x & d < x  ==>  max(c, d) < x,  c < x & x < d  ==>  false if d <= c + 1
fn and_bounds(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    bounds(t, args, true)
}

/// x < c | x < d  ==>  x < max(c, d),  c < x | d < x  ==>  min(c, d) < x,  c < x | x < d  ==>  true if c < d
fn or_bounds(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    bounds(t, args, false)
}

/// Two strict comparisons of one term with literals (normal form has no weak ones), both signed or both unsigned.
fn bounds(t: &mut Store, args: &[Term], conjunction: bool) -> Option<Term> {
    let op = t.op(args[0]);
    if !matches!(op, Op::BvUlt | Op::BvSlt) || t.op(args[1]) != op {
        return None;
    }
    let less = |c: &crate::Bits, d: &crate::Bits| if op == Op::BvUlt { c.ult(d) } else { c.slt(d) };
    let upper = |t: &Store, a: Term| t.as_bv_const(t.arg(a, 1)).cloned().map(|c| (t.arg(a, 0), c));
    let lower = |t: &Store, a: Term| t.as_bv_const(t.arg(a, 0)).cloned().map(|c| (t.arg(a, 1), c));
    if let (Some((x, c)), Some((y, d))) = (upper(t, args[0]), upper(t, args[1])) {
        return (x == y).then(|| if less(&c, &d) == conjunction { args[0] } else { args[1] });
    }
    if let (Some((x, c)), Some((y, d))) = (lower(t, args[0]), lower(t, args[1])) {
        return (x == y).then(|| if less(&c, &d) == conjunction { args[1] } else { args[0] });
    }
    let ((x, above), (y, below)) = match (lower(t, args[0]), upper(t, args[1])) {
        (Some(low), Some(high)) => (low, high),
        _ => (lower(t, args[1])?, upper(t, args[0])?),
    };
    if x != y {
        return None;
    }
    if conjunction {
        // Nothing lies strictly between `above` and `below`.
        let next = above.add(&crate::Bits::one(above.width()));
        return (!less(&above, &below) || next == below).then(|| t.ff());
    }
    less(&above, &below).then(|| t.tt())
}

/// a ^ b  ==>  !(a = b)
fn xor_to_eq(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    Some(t.ne(args[0], args[1]))
}

/// ite(true, a, b)  ==>  a,  ite(false, a, b)  ==>  b
fn ite_literal(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    t.as_bool_const(args[0]).map(|c| if c { args[1] } else { args[2] })
}

/// ite(c, a, a)  ==>  a
fn ite_same(_: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    (args[1] == args[2]).then(|| args[1])
}

/// ite(!c, a, b)  ==>  ite(c, b, a)
fn ite_not(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    t.unary(args[0], Op::Not).map(|c| t.ite(c, args[2], args[1]))
}

/// ite(c, true, b)  ==>  c | b,  ite(c, a, true)  ==>  !c | a,  ite(c, c, b)  ==>  c | b
fn ite_to_or(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    let (c, a, b) = (args[0], args[1], args[2]);
    if a == t.tt() || a == c {
        return Some(t.or(c, b));
    }
    if b == t.tt() {
        return Some(t.implies(c, a));
    }
    None
}

/// ite(c, a, false)  ==>  c & a,  ite(c, false, b)  ==>  !c & b,  ite(c, a, c)  ==>  c & a
fn ite_to_and(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    let (c, a, b) = (args[0], args[1], args[2]);
    if b == t.ff() || b == c {
        return Some(t.and(c, a));
    }
    if a == t.ff() {
        let not_c = t.not(c);
        return Some(t.and(not_c, b));
    }
    None
}

/// ite(c, a, !a)  ==>  c = a
fn ite_to_eq(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    (t.sort(args[1]).is_bool() && t.are_opposite(args[1], args[2])).then(|| t.eq(args[0], args[1]))
}

/// ite(c, ite(c, a, _), b)  ==>  ite(c, a, b),  ite(c, a, ite(c, _, b))  ==>  ite(c, a, b)
fn ite_nested(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    let c = args[0];
    let inner = |t: &Store, branch: Term, then: bool| {
        t.as_ite(branch).filter(|&(d, _, _)| d == c).map(|(_, a, b)| if then { a } else { b })
    };
    let (a, b) = (inner(t, args[1], true), inner(t, args[2], false));
    (a.is_some() || b.is_some()).then(|| t.ite(c, a.unwrap_or(args[1]), b.unwrap_or(args[2])))
}

/// ite(x = 1, 1, 0)  ==>  x,  ite(x = 1, 0, 1)  ==>  ~x      one bit wide
fn ite_one_bit_test(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    if t.sort(args[1]).bv_width() != Some(1) || !t.is_const(args[1]) || !t.is_const(args[2]) {
        return None;
    }
    let (x, one) = t.binary(args[0], Op::Eq)?;
    if !t.is_one(one) || t.width(x) != 1 {
        return None;
    }
    Some(if t.is_one(args[1]) { x } else { t.bvnot(x) })
}

/// ite(x = y, x, y)  ==>  y,  ite(x = y, y, x)  ==>  x
fn ite_of_equality(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    let (x, y) = t.binary(args[0], Op::Eq)?;
    (args[1] == x && args[2] == y || args[1] == y && args[2] == x).then(|| args[2])
}
