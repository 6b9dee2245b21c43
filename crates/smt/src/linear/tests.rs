//! What is refuted is contradictory; and of what needs sums only, most is refuted.

use super::*;
use crate::{Answer, Limits, Solver, SolverSettings};

struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }

    /// A number of `width` bits, with every operation that is looked into.
    fn number(&mut self, terms: &mut Store, vars: &[Term], width: u32, depth: u32) -> Term {
        let of = |dice: &mut Dice, terms: &mut Store, width: u32| dice.number(terms, vars, width, depth - 1);
        let constant = |dice: &mut Dice, terms: &mut Store| terms.bv(u128::from(dice.below(1 << width)), width);
        match self.below(if depth == 0 { 3 } else { 16 }) {
            0 => constant(self, terms),
            1 | 2 => {
                let var = vars[self.below(vars.len() as u64) as usize];
                terms.resize(var, width, false)
            }
            3..=5 => {
                let (a, b) = (of(self, terms, width), of(self, terms, width));
                terms.add(a, b)
            }
            6 => {
                let a = of(self, terms, width);
                terms.neg(a)
            }
            7 => {
                let (a, by) = (of(self, terms, width), constant(self, terms));
                terms.mul(a, by)
            }
            8 if width > 1 => {
                let (a, b) = (of(self, terms, 1), of(self, terms, width - 1));
                terms.concat(a, b)
            }
            9 => {
                let a = of(self, terms, width + 1);
                let lo = self.below(2) as u32;
                terms.extract(a, lo + width - 1, lo)
            }
            10 if width > 1 => {
                let a = of(self, terms, width - 1);
                terms.resize(a, width, true)
            }
            11 => {
                let (a, by) = (of(self, terms, width), constant(self, terms));
                match self.below(4) {
                    0 => terms.urem(a, by),
                    1 => terms.udiv(a, by),
                    2 => terms.lshr(a, by),
                    _ => terms.shl(a, by),
                }
            }
            12 => {
                let (a, mask) = (of(self, terms, width), terms.bv((1 << self.below(u64::from(width))) - 1, width));
                terms.bvand(a, mask)
            }
            13 => {
                let a = of(self, terms, width);
                terms.bvnot(a)
            }
            14 if width == 1 => {
                let (a, b) = (of(self, terms, width), of(self, terms, width));
                if self.below(2) == 0 { terms.bvand(a, b) } else { terms.bvor(a, b) }
            }
            _ => {
                let condition = self.formula(terms, vars, depth - 1);
                let (a, b) = (of(self, terms, width), of(self, terms, width));
                terms.ite(condition, a, b)
            }
        }
    }

    fn formula(&mut self, terms: &mut Store, vars: &[Term], depth: u32) -> Term {
        let choice = self.below(if depth == 0 { 6 } else { 10 });
        if choice < 6 {
            let width = 1 + self.below(5) as u32;
            let (a, b) = (self.number(terms, vars, width, depth), self.number(terms, vars, width, depth));
            return match choice {
                0 => terms.slt(a, b),
                1 => terms.sle(a, b),
                2 | 3 => terms.ult(a, b),
                4 => terms.ule(a, b),
                _ => terms.eq(a, b),
            };
        }
        let (a, b) = (self.formula(terms, vars, depth - 1), self.formula(terms, vars, depth - 1));
        match choice {
            6 => terms.not(a),
            7 => terms.or(a, b),
            _ => terms.and(a, b),
        }
    }
}

#[test]
fn agrees_with_the_solver() {
    let (mut refutations, mut missed) = (0, 0);
    let (mut refuted_without, mut by_learning) = (0, 0);
    for seed in 0..6000_u64 {
        let mut dice = Dice(seed);
        let mut terms = Store::new();
        let width = 2 + (seed % 4) as u32;
        let vars: Vec<Term> = (0..3).map(|i| terms.var(&format!("v{i}"), Sort::Bv(width))).collect();
        let formulas: Vec<Term> = (0..4).map(|_| dice.formula(&mut terms, &vars, 1 + (seed % 3) as u32)).collect();
        let mut solver =
            crate::open(&SolverSettings { linear: false, ..SolverSettings::default() }).expect("compiled in");
        let unsat = solver.check(&terms, &formulas).expect("an answer") == Answer::Unsat;
        let here = refuted(&terms, &formulas);
        // Each of these builds a solver.
        let learns = seed % 20 == 0;
        refuted_without += u32::from(learns && here);
        if learns && let Some(core) = contradiction(&terms, &formulas, &Limits::default()) {
            by_learning += 1;
            assert_eq!(solver.check(&terms, &core), Ok(Answer::Unsat), "seed {seed}");
            assert!(unsat, "seed {seed}");
        }
        let shown = || formulas.iter().map(|f| term::smtlib::print_term(&terms, *f)).collect::<Vec<_>>().join("\n");
        assert!(!here || unsat, "seed {seed}:\n{}", shown());
        refutations += u32::from(here);
        missed += u32::from(unsat && !here);
    }
    assert!(refutations > 1000 && missed * 4 < refutations, "{refutations} refuted, {missed} missed");
    assert!(by_learning >= refuted_without && by_learning > 50, "{by_learning} by learning, {refuted_without} without");
}

/// A question about sizes as they come up in C, for 64 bits.
#[test]
fn sizes_and_offsets() {
    let mut terms = Store::new();
    let [size, offset, length, index] = ["size", "offset", "length", "index"].map(|name| terms.var(name, Sort::Bv(64)));
    let most = terms.bv(1 << 47, 64);
    let room = {
        let taken = terms.neg(offset);
        terms.add(size, taken)
    };
    let end = terms.add(offset, index);
    let facts = [terms.ule(size, most), terms.ule(offset, size), terms.ule(length, room), terms.ult(index, length)];
    let outside = terms.ule(size, end);
    assert!(contradictory(&terms, &[&facts[..], &[outside]].concat()));
    // Without the third nothing keeps it inside.
    assert!(!contradictory(&terms, &[facts[0], facts[1], facts[3], outside]));
    // A pointer's parts: the object stays the same.
    let base = terms.bv(5 << 48, 64);
    let pointer = terms.add(base, end);
    let (object, five) = (terms.extract(pointer, 63, 48), terms.bv(5, 16));
    let same = terms.eq(object, five);
    let other = terms.not(same);
    assert!(contradictory(&terms, &[&facts[..], &[other]].concat()));
    let (low, wide) = (terms.extract(pointer, 47, 0), 64);
    let low = terms.zext_to(low, wide);
    let beyond = terms.ule(size, low);
    assert!(contradictory(&terms, &[&facts[..], &[beyond]].concat()));
}

/// Offsets that go up step by step, each after a choice: every choice alone is easy, and there are too many together to try them all.
#[test]
fn many_choices_are_refuted_by_few_reasons() {
    let mut terms = Store::new();
    let end = terms.var("end", Sort::Bv(64));
    let text =
        terms.var("text", Sort::Array(term::ArraySort { index: term::Scalar::Bv(64), elem: term::Scalar::Bv(8) }));
    let (zero, one, most) = (terms.bv(0, 64), terms.bv(1, 64), terms.bv(1 << 47, 64));
    let mut facts = vec![terms.ule(end, most)];
    let mut at = zero;
    for step in 0..14 {
        // A step of at least one character, if there is one, or none.
        let next = terms.var(&format!("next{step}"), Sort::Bv(64));
        let after = terms.add(at, one);
        let (in_text, further, within) = (terms.ult(at, end), terms.ule(after, next), terms.ule(next, end));
        let found = terms.and(further, within);
        let stays = terms.eq(next, at);
        facts.push(terms.ite(in_text, found, stays));
        let quote = terms.bv(34, 8);
        let read = terms.select(text, at);
        let is_quote = terms.eq(read, quote);
        at = terms.ite(is_quote, next, at);
    }
    let beyond = terms.ult(end, at);
    facts.push(beyond);
    assert!(!refuted(&terms, &facts));
    let core = contradiction(&terms, &facts, &Limits::default()).expect("sums are enough");
    assert!(core.contains(&beyond));
    // What every step has to say is needed.
    facts.remove(7);
    assert_eq!(contradiction(&terms, &facts, &Limits::default()), None);
}

/// The same place in an array, written as two sums.
#[test]
fn one_place_holds_one_value() {
    let mut terms = Store::new();
    let text =
        terms.var("text", Sort::Array(term::ArraySort { index: term::Scalar::Bv(64), elem: term::Scalar::Bv(8) }));
    let [x, y, z] = ["x", "y", "z"].map(|name| terms.var(name, Sort::Bv(64)));
    let (sum, quote) = (terms.add(x, y), terms.bv(34, 8));
    let (a, b) = (terms.select(text, sum), terms.select(text, z));
    let (is_quote, other) = (terms.eq(a, quote), terms.eq(b, quote));
    let other = terms.not(other);
    let (there, least) = (terms.ule(sum, z), terms.ule(z, sum));
    assert!(contradiction(&terms, &[is_quote, other, there, least], &Limits::default()).is_some());
    assert_eq!(contradiction(&terms, &[is_quote, other, there], &Limits::default()), None);
}
