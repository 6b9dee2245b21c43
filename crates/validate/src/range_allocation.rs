//! Numbers that are only compared need few bits.
//!
//! Where `n` unknowns are compared with each other and with constants, merged, and never computed with, nothing but their
//! order matters, and `n` values between two neighbouring constants leave room for every order. So 32 bits become two or
//! three (range allocation, after Pnueli, Rodeh, Strichman and Siegel, "The small model property: how small can it be?").
//! Solvers do not see this: they add up the bits of each comparison, and sorting three numbers takes them longer than
//! all the rest of a small proof.
//!
//! Every state of the given formula has one of the narrow formula (ranks instead of numbers), so that refuting the
//! narrow one refutes both. The reverse is not claimed.

use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use term::{Op, Sort, Store, Term};

/// A formula that has a model if this one does, in which numbers that are only compared are narrow. `None`: there are
/// none of them.
pub(crate) fn narrowed(terms: &mut Store, formula: Term) -> Option<Term> {
    let order = term::walk::postorder(terms, &[formula]);
    if order.iter().any(|&t| terms.op(t).is_quantifier()) {
        return None;
    }
    let mut classes = Classes::default();
    for &t in &order {
        classes.note(terms, t);
    }
    let ranks = classes.ranks(terms);
    if ranks.is_empty() {
        return None;
    }
    let mut new: FxHashMap<Term, Term> = FxHashMap::default();
    for &t in &order {
        let rank = classes.of_use(terms, t).and_then(|class| ranks.get(&class));
        let built = match (terms.op(t), rank) {
            (Op::Var(_), Some(rank)) => terms.fresh("rank", Sort::Bv(rank.width)),
            (op, rank) => {
                let mut args: Vec<Term> = Vec::new();
                for &arg in &terms.args(t).to_vec() {
                    args.push(match (rank, number(terms, arg)) {
                        (Some(rank), Some(number)) => terms.bv(rank.constants[&rank.key(number)], rank.width),
                        _ => new[&arg],
                    });
                }
                match (op, rank) {
                    (Op::BvSlt, Some(_)) => terms.ult(args[0], args[1]),
                    (Op::BvSle, Some(_)) => terms.ule(args[0], args[1]),
                    _ if args.is_empty() => t,
                    _ => terms.mk(op, &args),
                }
            }
        };
        new.insert(t, built);
    }
    Some(new[&formula])
}

/// The value of a constant that is narrow enough to be put into order here.
fn number(terms: &Store, t: Term) -> Option<u64> {
    terms.as_bv_const(t).and_then(|bits| bits.to_u64())
}

/// How numbers of a class are renamed.
struct Rank {
    width: u32,
    /// The bit to flip so that the order of numbers is that of unsigned ones.
    sign: u64,
    constants: BTreeMap<u64, u128>,
}

impl Rank {
    fn key(&self, number: u64) -> u64 {
        number ^ self.sign
    }
}

/// Numbers that meet in comparisons and choices, as sets with a representative each. Constants meet everyone and belong
/// to no class: they are noted with the classes that they meet.
#[derive(Default)]
struct Classes {
    parent: FxHashMap<Term, Term>,
    unknowns: Vec<Term>,
    constants: Vec<(Term, u64)>,
    signed: Vec<Term>,
    unsigned: Vec<Term>,
    /// Computed with, or computed.
    spoiled: Vec<Term>,
}

impl Classes {
    fn find(&mut self, mut t: Term) -> Term {
        while let Some(&up) = self.parent.get(&t) {
            if let Some(&further) = self.parent.get(&up) {
                self.parent.insert(t, further);
            }
            t = up;
        }
        t
    }

    /// All of these are in one class.
    fn meet(&mut self, terms: &Store, all: &[Term]) {
        let Some(&first) = all.iter().find(|t| !terms.is_const(**t)) else { return };
        for &t in all {
            match number(terms, t) {
                Some(number) => self.constants.push((first, number)),
                None if terms.is_const(t) => self.spoiled.push(first),
                None => {
                    let (a, b) = (self.find(first), self.find(t));
                    if a != b {
                        self.parent.insert(b, a);
                    }
                }
            }
        }
    }

    fn note(&mut self, terms: &Store, t: Term) {
        let args = terms.args(t);
        let is_number = matches!(terms.sort(t), Sort::Bv(_));
        let takes_numbers = |i: usize| matches!(terms.sort(args[i]), Sort::Bv(_));
        match terms.op(t) {
            Op::BvConst(_) => {}
            Op::Var(_) if is_number => self.unknowns.push(t),
            Op::Ite if is_number => self.meet(terms, &[t, args[1], args[2]]),
            Op::Eq if takes_numbers(0) => self.meet(terms, args),
            Op::BvUlt | Op::BvUle => {
                self.meet(terms, args);
                self.unsigned.extend(args);
            }
            Op::BvSlt | Op::BvSle => {
                self.meet(terms, args);
                self.signed.extend(args);
            }
            _ => {
                self.spoiled.extend(is_number.then_some(t));
                self.spoiled.extend((0..args.len()).filter(|i| takes_numbers(*i)).map(|i| args[i]));
            }
        }
    }

    /// The class of the numbers that a variable is, a choice chooses from, or a comparison compares.
    fn of_use(&mut self, terms: &Store, t: Term) -> Option<Term> {
        let all = match terms.op(t) {
            Op::Var(_) | Op::Ite => std::slice::from_ref(&t),
            Op::Eq | Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle => terms.args(t),
            _ => return None,
        };
        all.iter().find(|t| !terms.is_const(**t)).map(|t| self.find(*t))
    }

    fn representatives(&mut self, of: Vec<Term>) -> BTreeSet<Term> {
        of.into_iter().map(|t| self.find(t)).collect()
    }

    /// The classes that can be narrowed.
    fn ranks(&mut self, terms: &Store) -> BTreeMap<Term, Rank> {
        let [signed, unsigned, spoiled] = [&mut self.signed, &mut self.unsigned, &mut self.spoiled].map(std::mem::take);
        let [signed, unsigned, spoiled] = [signed, unsigned, spoiled].map(|list| self.representatives(list));
        let mut unknowns: BTreeMap<Term, u128> = BTreeMap::new();
        for t in std::mem::take(&mut self.unknowns) {
            *unknowns.entry(self.find(t)).or_default() += 1;
        }
        let mut constants: BTreeMap<Term, Vec<u64>> = BTreeMap::new();
        for (t, constant) in std::mem::take(&mut self.constants) {
            constants.entry(self.find(t)).or_default().push(constant);
        }
        let mut ranks = BTreeMap::new();
        for (class, unknowns) in unknowns {
            let width = terms.width(class);
            if width > 64 || spoiled.contains(&class) || (signed.contains(&class) && unsigned.contains(&class)) {
                continue;
            }
            let sign = if signed.contains(&class) { 1 << (width - 1) } else { 0 };
            let mut rank = Rank { width, sign, constants: BTreeMap::new() };
            let constants: BTreeSet<u64> = constants.get(&class).into_iter().flatten().map(|c| rank.key(*c)).collect();
            // The first rank that is free, and the first number that has none.
            let (mut free, mut below) = (0u128, 0u128);
            for constant in constants {
                free += unknowns.min(u128::from(constant) - below);
                rank.constants.insert(constant, free);
                free += 1;
                below = u128::from(constant) + 1;
            }
            let largest = free + unknowns.min((1 << width) - below);
            rank.width = (u128::BITS - largest.saturating_sub(1).leading_zeros()).max(1);
            if rank.width < width {
                ranks.insert(class, rank);
            }
        }
        ranks
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smt::{Answer, SolverSettings};
    use term::random::Rng;

    /// Formulas over four numbers and three constants: comparisons, choices, connectives, and now and then a sum.
    fn formula(s: &mut Store, rng: &mut Rng, width: u32) -> Term {
        let mut numbers: Vec<Term> = ["a", "b", "c", "d"].iter().map(|n| s.var(n, Sort::Bv(width))).collect();
        for _ in 0..3 {
            numbers.push(s.bv_bits(rng.bits(width)));
        }
        let signed = rng.chance(2);
        let mut facts: Vec<Term> = vec![s.tt()];
        for _ in 0..12 {
            let (x, y) = (*rng.pick(&numbers), *rng.pick(&numbers));
            let (p, q) = (*rng.pick(&facts), *rng.pick(&facts));
            match rng.below(12) {
                0..=2 if signed => facts.push(s.slt(x, y)),
                0..=2 => facts.push(s.ult(x, y)),
                3..=4 if signed => facts.push(s.sle(x, y)),
                3..=4 => facts.push(s.ule(x, y)),
                5 => facts.push(s.eq(x, y)),
                6 => facts.push(s.not(p)),
                7 => facts.push(s.or(p, q)),
                8 => facts.push(s.and(p, q)),
                9 if rng.chance(8) => numbers.push(s.add(x, y)),
                _ => numbers.push(s.ite(p, x, y)),
            }
        }
        let last = facts[facts.len().saturating_sub(5)..].to_vec();
        s.and_all(&last)
    }

    #[test]
    fn narrow_formulas_have_a_model_where_wide_ones_do() {
        let mut rng = Rng::new(7);
        let (mut narrow, mut refuted, mut differ) = (0, 0, 0);
        for _ in 0..5_000 {
            let mut s = Store::new();
            let width = 2 + rng.below(8) as u32;
            let wide = formula(&mut s, &mut rng, width);
            let Some(small) = narrowed(&mut s, wide) else { continue };
            narrow += 1;
            let ask = |t: Term| smt::open(&SolverSettings::default()).unwrap().check(&s, &[t]).unwrap();
            let (small, wide) = (ask(small), ask(wide));
            assert!(!(small == Answer::Unsat && wide == Answer::Sat), "refuted, but it has a model");
            refuted += usize::from(small == Answer::Unsat);
            differ += usize::from(small != wide);
        }
        assert!(narrow > 1_000 && refuted > 200, "{narrow} narrow, {refuted} refuted");
        assert!(differ * 20 < narrow, "{differ} of {narrow} lost their contradiction");
    }

    #[test]
    fn three_numbers_need_two_bits() {
        let mut s = Store::new();
        let [a, b, c] = ["a", "b", "c"].map(|n| s.var(n, Sort::Bv(32)));
        let cycle = [s.slt(a, b), s.slt(b, c), s.slt(c, a)];
        let formula = s.and_all(&cycle);
        let small = narrowed(&mut s, formula).expect("only compared");
        assert!(term::walk::free_vars(&s, &[small]).iter().all(|v| s.width(*v) == 2));
        let sum = s.add(a, b);
        let compared = s.slt(sum, c);
        assert_eq!(narrowed(&mut s, compared), None, "a sum is not just an order");
    }
}
