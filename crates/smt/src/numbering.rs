//! Value numbering: terms that are the same up to the laws of sums and of what may be folded in any order.
//!
//! Each term gets a number; equal numbers mean equal values, whatever the variables are. Sums are linear combinations modulo
//! `2^w`; `&`, `|`, `^`, minima and maxima are sets of operands; choices are differences to their second value, so that `c ? s + 1 : s` is
//! `s` and a summand. Everything else is known by its operator and the numbers of its operands (Alpern, Wegman and Zadeck 1988).
//! So what is added up in another order is seen to be the same, where bit-blasting makes adders of it that no SAT solver compares.
//!
//! Numbers are kept from question to question: each term is looked at once.

use crate::limits::numbering::{MOST_OPERANDS, MOST_ROOM};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use term::{Op, Store, Term};

/// Of a value. Two terms with one number are equal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct Number(u32);

/// What a number stands for.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Node {
    /// Known by itself only.
    Quantified(Term),
    Applied(Op, Rc<[Number]>),
    /// `constant + Σ factor · part` modulo `2^width`, by part, no factor zero; never a part alone.
    Sum {
        width: u32,
        constant: u64,
        parts: Rc<[(Number, u64)]>,
    },
    /// By number; at least two.
    Folded(Fold, Rc<[Number]>),
}

/// What may be folded in any order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Fold {
    And,
    Or,
    Xor,
    /// The least or the greatest.
    Extreme {
        signed: bool,
        greatest: bool,
    },
}

/// `constant + Σ factor · part`.
struct Linear {
    constant: u64,
    parts: Vec<(Number, u64)>,
}

/// See the module.
#[derive(Default)]
pub struct Numbering {
    of: FxHashMap<Term, Number>,
    numbers: FxHashMap<Node, Number>,
    nodes: Vec<Node>,
    /// Of bit-vectors; 0 for others.
    widths: Vec<u32>,
    /// Lowest bits of a number, so many of them.
    lows: FxHashMap<(Number, u32), Number>,
    /// Operands that are kept, all in all.
    room: usize,
}

impl Numbering {
    /// Facts, one or two, that contradict themselves or each other by their numbers alone.
    pub fn contradiction(&mut self, store: &Store, facts: &[Term]) -> Option<Vec<Term>> {
        let no = self.truth(false);
        let mut before: FxHashMap<Number, Term> = FxHashMap::default();
        for &fact in facts {
            let number = self.number(store, fact);
            if number == no {
                return Some(vec![fact]);
            }
            let opposite = self.not(number);
            if let Some(&other) = before.get(&opposite) {
                return Some(vec![other, fact]);
            }
            before.insert(number, fact);
        }
        None
    }

    fn number(&mut self, store: &Store, root: Term) -> Number {
        let mut stack = vec![root];
        while let Some(&t) = stack.last() {
            if self.of.contains_key(&t) {
                stack.pop();
                continue;
            }
            let is_bound = matches!(store.op(t), Op::Forall | Op::Exists);
            let open = stack.len();
            if !is_bound {
                stack.extend(store.args(t).iter().filter(|a| !self.of.contains_key(a)));
            }
            if stack.len() > open {
                continue;
            }
            stack.pop();
            let number = if is_bound { self.intern(Node::Quantified(t), 0) } else { self.compute(store, t) };
            self.of.insert(t, number);
        }
        self.of[&root]
    }

    /// The number of a term whose operands have theirs.
    fn compute(&mut self, store: &Store, t: Term) -> Number {
        let op = store.op(t);
        let width = store.sort(t).bv_width().unwrap_or(0);
        let args: Vec<Number> = store.args(t).iter().map(|a| self.of[a]).collect();
        let is_narrow = |width: u32| (1..=64).contains(&width);
        if self.room > MOST_ROOM {
            return self.applied(op, args, width);
        }
        let known = match (op, &args[..]) {
            (Op::True, _) => Some(self.truth(true)),
            (Op::False, _) => Some(self.truth(false)),
            (Op::Not, &[a]) => Some(self.not(a)),
            (Op::And, _) => Some(self.connective(true, &args)),
            (Op::Or, _) => Some(self.connective(false, &args)),
            (Op::Eq, &[a, b]) => Some(self.equal(a, b)),
            (Op::BvUlt | Op::BvSlt, &[a, b]) if a == b => Some(self.truth(false)),
            (Op::BvUle | Op::BvSle, &[a, b]) if a == b => Some(self.truth(true)),
            (Op::Ite, &[condition, yes, no]) => self.choice(condition, yes, no, width),
            _ if !is_narrow(width) => None,
            (Op::BvConst(_), _) => {
                let constant = store.as_bv_const(t).and_then(|bits| bits.to_u64());
                constant.map(|constant| self.sum(width, Linear { constant, parts: Vec::new() }))
            }
            (Op::BvAdd, &[a, b]) => self.add(a, 1, b, 1, width),
            (Op::BvNeg, &[a]) => self.add(a, u64::MAX, a, 0, width),
            // All ones, less the number.
            (Op::BvNot, &[a]) => {
                let ones = self.sum(width, Linear { constant: u64::MAX, parts: Vec::new() });
                self.add(ones, 1, a, u64::MAX, width)
            }
            (Op::BvMul, &[a, b]) => match (self.constant(a), self.constant(b)) {
                (Some(factor), _) => self.add(b, factor, b, 0, width),
                (_, Some(factor)) => self.add(a, factor, a, 0, width),
                _ => Some(self.applied(op, vec![a.min(b), a.max(b)], width)),
            },
            (Op::BvShl, &[a, by]) => {
                let by = self.constant(by);
                // Further than the width: nothing is left.
                by.and_then(|by| self.add(a, if by < 64 { 1 << by } else { 0 }, a, 0, width))
            }
            (Op::BvAnd, _) => self.fold(Fold::And, &args, width),
            (Op::BvOr, _) => self.fold(Fold::Or, &args, width),
            (Op::BvXor, _) => self.fold(Fold::Xor, &args, width),
            (Op::Extract { lo: 0, .. }, &[a]) => self.low(a, width),
            _ => None,
        };
        known.unwrap_or_else(|| self.applied(op, args, width))
    }

    fn intern(&mut self, node: Node, width: u32) -> Number {
        if let Some(number) = self.numbers.get(&node) {
            return *number;
        }
        let number = Number(self.nodes.len() as u32);
        self.room += match &node {
            Node::Quantified(_) | Node::Applied(..) => 0,
            Node::Sum { parts, .. } => parts.len(),
            Node::Folded(_, of) => of.len(),
        };
        self.nodes.push(node.clone());
        self.widths.push(width);
        self.numbers.insert(node, number);
        number
    }

    fn applied(&mut self, op: Op, args: Vec<Number>, width: u32) -> Number {
        self.intern(Node::Applied(op, args.into()), width)
    }

    fn truth(&mut self, holds: bool) -> Number {
        self.applied(if holds { Op::True } else { Op::False }, Vec::new(), 0)
    }

    fn as_truth(&self, number: Number) -> Option<bool> {
        match &self.nodes[number.0 as usize] {
            Node::Applied(Op::True, _) => Some(true),
            Node::Applied(Op::False, _) => Some(false),
            _ => None,
        }
    }

    /// The operand, where this is a negation.
    fn negated(&self, number: Number) -> Option<Number> {
        match &self.nodes[number.0 as usize] {
            Node::Applied(Op::Not, args) => Some(args[0]),
            _ => None,
        }
    }

    fn not(&mut self, a: Number) -> Number {
        match (self.as_truth(a), self.negated(a)) {
            (Some(holds), _) => self.truth(!holds),
            (_, Some(below)) => below,
            _ => self.applied(Op::Not, vec![a], 0),
        }
    }

    /// The conjunction (`all`) or the disjunction.
    fn connective(&mut self, all: bool, args: &[Number]) -> Number {
        let mut kept: Vec<Number> = Vec::new();
        for &arg in args {
            match self.as_truth(arg) {
                Some(holds) if holds == all => {}
                Some(_) => return arg,
                None => kept.push(arg),
            }
        }
        kept.sort_unstable();
        kept.dedup();
        if kept.iter().any(|a| self.negated(*a).is_some_and(|below| kept.contains(&below))) {
            return self.truth(!all);
        }
        match kept[..] {
            [] => self.truth(all),
            [one] => one,
            _ => self.applied(if all { Op::And } else { Op::Or }, kept, 0),
        }
    }

    fn equal(&mut self, a: Number, b: Number) -> Number {
        if a == b {
            return self.truth(true);
        }
        let width = self.widths[a.0 as usize];
        if (1..=64).contains(&width)
            && let Some(difference) = self.add(a, 1, b, u64::MAX, width)
        {
            if self.constant(difference).is_some() {
                // Zero would be one number for both.
                return self.truth(false);
            }
            let opposite = self.add(difference, u64::MAX, difference, 0, width).unwrap_or(difference);
            let zero = self.sum(width, Linear { constant: 0, parts: Vec::new() });
            return self.applied(Op::Eq, vec![difference.min(opposite), zero], 0);
        }
        self.applied(Op::Eq, vec![a.min(b), a.max(b)], 0)
    }

    fn choice(&mut self, condition: Number, yes: Number, no: Number, width: u32) -> Option<Number> {
        if let Some(holds) = self.as_truth(condition) {
            return Some(if holds { yes } else { no });
        }
        if yes == no {
            return Some(yes);
        }
        if let Some(below) = self.negated(condition) {
            return self
                .choice(below, no, yes, width)
                .or_else(|| Some(self.applied(Op::Ite, vec![below, no, yes], width)));
        }
        if !(1..=64).contains(&width) {
            return None;
        }
        if let Some((fold, operands)) = self.extreme(condition, yes, no) {
            return self.fold(fold, &operands, width);
        }
        let difference = self.add(yes, 1, no, u64::MAX, width)?;
        let zero = self.sum(width, Linear { constant: 0, parts: Vec::new() });
        let chosen = self.applied(Op::Ite, vec![condition, difference, zero], width);
        self.add(no, 1, chosen, 1, width)
    }

    /// `a < b ? a : b` and its like.
    fn extreme(&self, condition: Number, yes: Number, no: Number) -> Option<(Fold, [Number; 2])> {
        let Node::Applied(op, args) = &self.nodes[condition.0 as usize] else { return None };
        let signed = match op {
            Op::BvUlt | Op::BvUle => false,
            Op::BvSlt | Op::BvSle => true,
            _ => return None,
        };
        let greatest = match args[..] {
            [a, b] if (a, b) == (yes, no) => false,
            [a, b] if (a, b) == (no, yes) => true,
            _ => return None,
        };
        Some((Fold::Extreme { signed, greatest }, [yes, no]))
    }

    /// With operands that are folded the same way taken apart. `None` where there are too many.
    fn fold(&mut self, fold: Fold, args: &[Number], width: u32) -> Option<Number> {
        let mut all: Vec<Number> = Vec::new();
        for &arg in args {
            match &self.nodes[arg.0 as usize] {
                Node::Folded(own, operands) if *own == fold => all.extend(operands.iter()),
                _ => all.push(arg),
            }
        }
        all.sort_unstable();
        if fold == Fold::Xor {
            // Twice is not at all.
            let mut odd: Vec<Number> = Vec::new();
            for operand in all {
                if odd.last() == Some(&operand) {
                    odd.pop();
                } else {
                    odd.push(operand);
                }
            }
            all = odd;
        } else {
            all.dedup();
        }
        match all[..] {
            [] => Some(self.sum(width, Linear { constant: 0, parts: Vec::new() })),
            [one] => Some(one),
            _ if all.len() > MOST_OPERANDS => None,
            _ => Some(self.intern(Node::Folded(fold, all.into()), width)),
        }
    }

    /// `a * p + b * q` modulo `2^width`. `None` where it has too many summands.
    fn add(&mut self, a: Number, p: u64, b: Number, q: u64, width: u32) -> Option<Number> {
        let (x, y) = (self.linear(a), self.linear(b));
        let constant = x.constant.wrapping_mul(p).wrapping_add(y.constant.wrapping_mul(q));
        let mut parts = Vec::with_capacity(x.parts.len() + y.parts.len());
        let (mut x, mut y) = (x.parts.into_iter().peekable(), y.parts.into_iter().peekable());
        while let Some(part) = x.peek().into_iter().chain(y.peek()).map(|(part, _)| *part).min() {
            let f = x.next_if(|(own, _)| *own == part).map_or(0, |(_, f)| f);
            let g = y.next_if(|(own, _)| *own == part).map_or(0, |(_, g)| g);
            let factor = f.wrapping_mul(p).wrapping_add(g.wrapping_mul(q)) & mask(width);
            if factor != 0 {
                parts.push((part, factor));
            }
        }
        (parts.len() <= MOST_OPERANDS).then(|| self.sum(width, Linear { constant, parts }))
    }

    fn linear(&self, number: Number) -> Linear {
        match &self.nodes[number.0 as usize] {
            Node::Sum { constant, parts, .. } => Linear { constant: *constant, parts: parts.to_vec() },
            _ => Linear { constant: 0, parts: vec![(number, 1)] },
        }
    }

    fn sum(&mut self, width: u32, Linear { constant, parts }: Linear) -> Number {
        let constant = constant & mask(width);
        match parts[..] {
            [(part, 1)] if constant == 0 => part,
            _ => self.intern(Node::Sum { width, constant, parts: parts.into() }, width),
        }
    }

    fn constant(&self, number: Number) -> Option<u64> {
        match &self.nodes[number.0 as usize] {
            Node::Sum { constant, parts, .. } if parts.is_empty() => Some(*constant),
            _ => None,
        }
    }

    /// The lowest bits: of a sum, those of the sum of the lowest bits. `None` where it has too many summands.
    fn low(&mut self, number: Number, width: u32) -> Option<Number> {
        if let Some(low) = self.lows.get(&(number, width)) {
            return Some(*low);
        }
        let found = match self.nodes[number.0 as usize].clone() {
            _ if self.widths[number.0 as usize] == width => number,
            Node::Sum { constant, parts, .. } => {
                let mut sum = self.sum(width, Linear { constant, parts: Vec::new() });
                for (part, factor) in parts.iter() {
                    let low = self.low(*part, width)?;
                    sum = self.add(sum, 1, low, *factor, width)?;
                }
                sum
            }
            Node::Applied(op @ (Op::SignExtend(_) | Op::ZeroExtend(_)), args) => {
                let below = self.widths[args[0].0 as usize];
                match op {
                    _ if width <= below => self.low(args[0], width)?,
                    Op::SignExtend(_) => self.applied(Op::SignExtend(width - below), args.to_vec(), width),
                    _ => self.applied(Op::ZeroExtend(width - below), args.to_vec(), width),
                }
            }
            _ => self.applied(Op::Extract { hi: width - 1, lo: 0 }, vec![number], width),
        };
        self.lows.insert((number, width), found);
        Some(found)
    }
}

/// The lowest `width` bits, of 64 at most.
fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}
