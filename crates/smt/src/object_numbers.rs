//! Object numbers in few bits: range allocation for wide numbers that are compared, and hardly computed with.
//!
//! Where objects have no bound (`transform::memory`), a pointer has a wide number above its offset. A formula compares such
//! numbers, indexes arrays by them, takes pointers apart and puts them together, and now and then takes the next one. So only
//! their order matters, and which of them follow each other; of a formula with `n` terms that hold numbers, `n` values matter. If
//! there is room for all of them between any two constants, nothing is lost (small model property of difference logic; Pnueli, Rodeh, Strichman
//! and Siegel 1999, with the constants kept apart).
//!
//! Take a model of the formula, and the values of the numbers in it. Map them in order: those that follow a constant, or
//! precede one, one by one, to what follows or precedes its image; the others, in runs, to the room between. All comparisons stay as they
//! are, `x + 1` of a number is the image of what follows it, and `p + d` of a pointer with a distance below its offsets changes
//! the number by at most one. Array cells at numbers that no term has are not looked at. So the narrow formula has a
//! model too: refuting it refutes the given one. The reverse is not claimed.

use crate::limits::instances::MAX_STEP;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use term::{Op, Scalar, Sort, Store, Term};

/// The formulas with numbers of fewer bits, where all terms of `bits` bits and more hold numbers in their upper `bits` bits.
/// `None`: there are none, or something else is done with them, or there is nothing to gain.
pub fn narrowed(terms: &mut Store, formulas: &[Term], bits: u32) -> Option<Vec<Term>> {
    let order = term::walk::postorder(terms, formulas);
    let mut uses = Uses { bits, values: 2, constants: BTreeSet::from([0, last(bits)]) };
    for &t in &order {
        uses.note(terms, t)?;
    }
    let narrow = Narrow::new(&uses)?;
    let mut new: FxHashMap<Term, Term> = FxHashMap::default();
    for &t in &order {
        let built = narrow.rebuilt(terms, t, &new);
        new.insert(t, built);
    }
    Some(formulas.iter().map(|formula| new[formula]).collect())
}

/// The last number of so many bits.
fn last(bits: u32) -> u128 {
    (1 << bits) - 1
}

/// How a formula uses numbers.
struct Uses {
    bits: u32,
    /// At most so many numbers are the value of something, at any one time.
    values: u128,
    constants: BTreeSet<u128>,
}

impl Uses {
    fn is_wide(&self, sort: Sort) -> bool {
        matches!(sort, Sort::Bv(width) if width >= self.bits)
    }

    /// Whether the sort holds numbers anywhere.
    fn holds_numbers(&self, sort: Sort) -> bool {
        match sort {
            Sort::Array(sort) => self.is_wide(Sort::from(sort.index)) || self.is_wide(Sort::from(sort.elem)),
            sort => self.is_wide(sort),
        }
    }

    /// Bits below the number.
    fn below(&self, terms: &Store, t: Term) -> u32 {
        terms.width(t) - self.bits
    }

    /// The number in a constant.
    fn number(&self, terms: &Store, t: Term) -> Option<u128> {
        Some(terms.as_bv_const(t)?.to_u128()? >> self.below(terms, t))
    }

    /// `None` if numbers are not used as they may be.
    fn note(&mut self, terms: &Store, t: Term) -> Option<()> {
        let args = terms.args(t);
        let holds = |u: &Term| self.holds_numbers(terms.sort(*u));
        if !holds(&t) && !args.iter().any(holds) {
            return Some(());
        }
        let is_wide = |u: Term| self.is_wide(terms.sort(u));
        let is_fine = match terms.op(t) {
            Op::Var(_) | Op::Ite | Op::BvUlt | Op::BvUle | Op::Select | Op::Store => true,
            // Whether arrays are equal depends on all of their cells.
            Op::Eq => is_wide(args[0]),
            Op::BvConst(_) => terms.width(t) <= 128,
            Op::ConstArray(_) => true,
            Op::Extract { hi, lo } => {
                let below = self.below(terms, args[0]);
                hi < below || hi + 1 == terms.width(args[0]) && lo <= below
            }
            Op::Concat => is_wide(args[0]) && !is_wide(args[1]),
            Op::BvAdd => return self.note_sum(terms, t),
            _ => false,
        };
        let (is_wide, is_constant) = (is_wide(t), terms.is_const(t));
        if is_fine && is_wide && is_constant {
            // If it is only added, it is a distance and no number: one more does no harm.
            self.constants.insert(self.number(terms, t)?);
        }
        self.values += u128::from(is_wide);
        is_fine.then_some(())
    }

    /// A number or a pointer, and a distance.
    fn note_sum(&mut self, terms: &Store, t: Term) -> Option<()> {
        let distance = terms.args(t).iter().copied().find(|a| terms.is_const(*a))?;
        self.values += 1 + self.step(terms, distance)?;
        Some(())
    }

    /// By how much at most a constant that is added changes the number.
    fn step(&self, terms: &Store, distance: Term) -> Option<u128> {
        let number = self.number(terms, distance)?;
        let step = if self.below(terms, distance) == 0 { number.min(last(self.bits) - number + 1) } else { 1 };
        let is_small = self.below(terms, distance) == 0 || number == 0 || number == last(self.bits);
        (is_small && step <= MAX_STEP).then_some(step)
    }
}

/// Numbers of few bits.
struct Narrow<'a> {
    uses: &'a Uses,
    bits: u32,
    /// What constants become.
    images: BTreeMap<u128, u128>,
}

impl<'a> Narrow<'a> {
    fn new(uses: &'a Uses) -> Option<Narrow<'a>> {
        let room = 2 * uses.values + 2 * MAX_STEP;
        // Constants that are near to each other stay as near.
        let gaps = || {
            let after = uses.constants.iter().skip(1);
            uses.constants.iter().zip(after).map(|(before, after)| (*after, after - before))
        };
        let least: u128 = gaps().map(|(_, gap)| gap.min(room)).sum();
        let bits = (u128::BITS - least.leading_zeros()).max(1);
        // The last number stays the last, so that what follows it is zero: one of the gaps takes what is over.
        let mut over = last(bits) - least;
        let mut images = BTreeMap::from([(0, 0)]);
        let mut image = 0;
        for (constant, gap) in gaps() {
            image += gap.min(room);
            if gap > room {
                image += std::mem::take(&mut over);
            }
            images.insert(constant, image);
        }
        (bits < uses.bits).then_some(Narrow { uses, bits, images })
    }

    fn width(&self, width: u32) -> u32 {
        if width >= self.uses.bits { width - self.uses.bits + self.bits } else { width }
    }

    fn sort(&self, sort: Sort) -> Sort {
        let scalar = |scalar: Scalar| match Sort::from(scalar) {
            Sort::Bv(width) => Sort::Bv(self.width(width)),
            sort => sort,
        };
        match sort {
            Sort::Bv(width) => Sort::Bv(self.width(width)),
            Sort::Array(sort) => Sort::array(scalar(sort.index), scalar(sort.elem)),
            sort => sort,
        }
    }

    fn rebuilt(&self, terms: &mut Store, t: Term, new: &FxHashMap<Term, Term>) -> Term {
        let args: Vec<Term> = terms.args(t).iter().map(|a| new[a]).collect();
        let (op, sort) = (terms.op(t), terms.sort(t));
        let was_wide = terms.args(t).first().is_some_and(|a| self.uses.is_wide(terms.sort(*a)));
        match op {
            Op::Var(_) if self.uses.holds_numbers(sort) => terms.fresh("narrow", self.sort(sort)),
            Op::BvConst(_) if self.uses.is_wide(sort) => self.constant(terms, t),
            Op::ConstArray(_) if self.uses.holds_numbers(sort) => match self.sort(sort) {
                Sort::Array(sort) => terms.const_array(Sort::from(sort.index), args[0]),
                _ => t,
            },
            Op::Extract { hi, lo } if was_wide && self.uses.is_wide(sort) => {
                terms.extract(args[0], hi - self.uses.bits + self.bits, lo)
            }
            Op::BvAdd if was_wide => {
                let parts: Vec<Term> = terms.args(t).to_vec();
                let mut sum = Vec::new();
                for (part, new) in parts.into_iter().zip(args) {
                    sum.push(if terms.is_const(part) { self.distance(terms, part) } else { new });
                }
                terms.add(sum[0], sum[1])
            }
            _ if args == terms.args(t) => t,
            _ => terms.mk(op, &args),
        }
    }

    fn constant(&self, terms: &mut Store, t: Term) -> Term {
        let (below, width) = (self.uses.below(terms, t), self.width(terms.width(t)));
        let bits = terms.as_bv_const(t).and_then(term::Bits::to_u128).unwrap_or_default();
        let number = self.images.get(&(bits >> below)).copied().unwrap_or_default();
        terms.bv(number << below | bits & ((1 << below) - 1), width)
    }

    /// Signed, and small.
    fn distance(&self, terms: &mut Store, t: Term) -> Term {
        let width = self.width(terms.width(t));
        terms.extract(t, width - 1, 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Answer, SolverSettings};

    const BITS: u32 = 12;

    fn is_refuted(s: &Store, formulas: &[Term]) -> bool {
        crate::open(&SolverSettings::default()).unwrap().check(s, formulas) == Ok(Answer::Unsat)
    }

    /// A small generator of random numbers: the same on every machine.
    struct Rng(u64);

    impl Rng {
        fn below(&mut self, n: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) % n
        }
    }

    /// Random formulas about numbers and pointers of [`BITS`] and 4 bits, and arrays of them.
    struct Example {
        s: Store,
        rng: Rng,
        numbers: Vec<Term>,
        pointers: Vec<Term>,
        atoms: Vec<Term>,
    }

    impl Example {
        fn new(seed: u64) -> Example {
            let (mut s, rng) = (Store::new(), Rng(seed));
            let (number, pointer) = (Sort::Bv(BITS), Sort::Bv(BITS + 4));
            let mut numbers: Vec<Term> = ["c", "d", "e"].iter().map(|name| s.var(name, number)).collect();
            numbers.extend([0, 1, 2, 100, 101, 4094, 4095].map(|n| s.bv(n, BITS)));
            let mut pointers: Vec<Term> = ["p", "q"].iter().map(|name| s.var(name, pointer)).collect();
            pointers.extend([0, 5, 16, 100 << 4, (100 << 4) + 3, 0xfff8].map(|n| s.bv(n, BITS + 4)));
            Example { s, rng, numbers, pointers, atoms: Vec::new() }
        }

        fn pick(&mut self, from: fn(&Example) -> &[Term]) -> Term {
            let i = self.rng.below(from(self).len() as u64) as usize;
            from(self)[i]
        }

        fn grow(&mut self) {
            let number = |e: &mut Example| e.pick(|e| &e.numbers);
            let pointer = |e: &mut Example| e.pick(|e| &e.pointers);
            match self.rng.below(9) {
                0 => {
                    let (n, step) = (number(self), self.rng.below(3).into());
                    let step = self.s.bv(step, BITS);
                    let sum = self.s.add(n, step);
                    self.numbers.push(sum);
                }
                1 => {
                    let (p, step) = (pointer(self), [1, 7, 12, 0xfff9][self.rng.below(4) as usize]);
                    let step = self.s.bv(step, BITS + 4);
                    let sum = self.s.add(p, step);
                    self.pointers.push(sum);
                }
                2 => {
                    let p = pointer(self);
                    let n = self.s.extract(p, BITS + 3, 4);
                    self.numbers.push(n);
                }
                3 => {
                    let (n, low) = (number(self), self.rng.below(16).into());
                    let low = self.s.bv(low, 4);
                    let p = self.s.concat(n, low);
                    self.pointers.push(p);
                }
                4 => {
                    let array = self.s.var("next", Sort::array(Sort::Bv(BITS), Sort::Bv(BITS + 4)));
                    let (at, p, read) = (number(self), pointer(self), number(self));
                    let written = self.s.store(array, at, p);
                    let found = self.s.select(written, read);
                    self.pointers.push(found);
                }
                5 => {
                    let (a, b) = (pointer(self), pointer(self));
                    let atom = self.s.eq(a, b);
                    self.atoms.push(atom);
                }
                6 => {
                    let (a, b) = (number(self), number(self));
                    let atom = self.s.eq(a, b);
                    self.atoms.push(atom);
                }
                _ => {
                    let (a, b) = (number(self), number(self));
                    let atom = self.s.ult(a, b);
                    self.atoms.push(atom);
                }
            }
        }
    }

    #[test]
    fn what_has_a_model_has_a_narrow_one() {
        let (mut compared, mut refuted) = (0, 0);
        for seed in 0..400 {
            let mut e = Example::new(seed);
            for _ in 0..14 {
                e.grow();
            }
            let mut formulas = Vec::new();
            for atom in e.atoms.clone() {
                if e.s.as_bool_const(atom).is_none() {
                    formulas.push(if e.rng.below(3) == 0 { e.s.not(atom) } else { atom });
                }
            }
            let Some(narrow) = narrowed(&mut e.s, &formulas, BITS) else { continue };
            compared += 1;
            if is_refuted(&e.s, &narrow) {
                refuted += 1;
                assert!(is_refuted(&e.s, &formulas), "seed {seed}: only the narrow formula is refuted");
            }
        }
        assert!(compared > 100 && refuted > 10 && refuted < compared, "{refuted} of {compared} refuted");
    }

    #[test]
    fn numbers_that_are_computed_with_stay_as_they_are() {
        let mut s = Store::new();
        let (c, d) = (s.var("c", Sort::Bv(BITS)), s.var("d", Sort::Bv(BITS)));
        let product = s.mul(c, d);
        let formula = s.eq(product, c);
        assert_eq!(narrowed(&mut s, &[formula], BITS), None);
        let sum = s.add(c, d);
        let formula = s.ult(sum, c);
        assert_eq!(narrowed(&mut s, &[formula], BITS), None);
    }

    #[test]
    fn the_next_number_is_no_older_one() {
        let mut s = Store::new();
        let (c, o) = (s.var("c", Sort::Bv(72)), s.var("o", Sort::Bv(72)));
        let (one, end) = (s.bv(1, 72), s.bv(last(72), 72));
        let next = s.add(c, one);
        let (older, is_own, has_next) = (s.ult(o, next), s.eq(o, c), s.ne(c, end));
        let not_own = s.not(is_own);
        let is_before = s.ult(o, c);
        let not_before = s.not(is_before);
        let narrow = narrowed(&mut s, &[older, not_own, not_before, has_next], 72).expect("only compared");
        assert!(s.width(s.arg(narrow[0], 0)) < 10);
        assert!(is_refuted(&s, &narrow));
        let narrow = narrowed(&mut s, &[older, not_own, has_next], 72).expect("only compared");
        assert!(!is_refuted(&s, &narrow));
    }
}
