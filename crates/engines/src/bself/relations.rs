//! Relations between variables that a set of states implies (Chalupa and Strejček 2021, section 4.3, types 1 to 4).
//!
//! They are guessed from models and confirmed together: all guesses that hold in the models seen so far are asked for at
//! once, and a model in which some of them fails removes those. So a question confirms everything that is left or
//! removes something, and few are needed.

use super::Folder;
use crate::limits::bself::{MAX_CELLS, MAX_FACTOR, MAX_MODELS, MAX_SUBSTITUTED};
use base::Id;
use cfa::Loc;
use engine::Stop;
use smt::Model;
use term::eval::{OrZero, eval};
use term::normal::nnf;
use term::{Bits, Op, Sort, Store, Term, Value, substitute, walk};

/// What was found.
#[derive(Debug, Default)]
pub(super) struct Relations {
    /// Type 1: variable and constant.
    pub constants: Vec<(Term, Term)>,
    /// Types 2 to 4.
    pub others: Vec<Term>,
}

impl Relations {
    pub(super) fn constant_facts(&self, terms: &mut Store) -> Vec<Term> {
        self.constants.iter().map(|(x, c)| terms.eq(*x, *c)).collect()
    }
}

impl Folder<'_> {
    /// The relations that `new` implies; `last` is what was added to the candidate before it.
    pub(super) fn relations(
        &mut self,
        head: Loc,
        new: Term,
        last: Option<Term>,
        error: Term,
    ) -> Result<Relations, Stop> {
        let mut found = Relations::default();
        let cells = self.cells(head, &[error, new]);
        let Some(mut samples) = self.samples(new, &cells)? else { return Ok(found) };
        let constants = self.guess_constants(&cells, &samples);
        let mut guesses: Vec<Term> = constants.iter().map(|(_, _, guess)| *guess).collect();
        self.confirm(new, &cells, &mut samples, &mut guesses)?;
        found.constants =
            constants.into_iter().filter(|(_, _, guess)| guesses.contains(guess)).map(|(x, c, _)| (x, c)).collect();
        let open: Vec<usize> =
            (0..cells.len()).filter(|i| found.constants.iter().all(|(x, _)| *x != cells[*i])).collect();
        let mut linear = self.guess_pairs(&cells, &samples);
        self.confirm(new, &cells, &mut samples, &mut linear)?;
        let mut scaled = self.guess_triples(&cells, &open, &samples);
        self.confirm(new, &cells, &mut samples, &mut scaled)?;
        let equal = self.equal_pairs(&cells, &found.constants, &linear);
        found.others = linear;
        for relation in scaled {
            if !self.implied_by(relation, &found.others)? {
                found.others.push(relation);
            }
        }
        if let Some(last) = last {
            found.others.extend(self.ranges(last, &found.constants)?);
        }
        found.others.extend(self.substituted(new, &equal));
        let mut seen = Vec::new();
        found.others.retain(|r| {
            let new = !seen.contains(r);
            seen.push(*r);
            new
        });
        Ok(found)
    }

    /// What relations are looked for between: variables of the given formulas, cells of arrays that they read, and
    /// variables of the loop.
    fn cells(&mut self, head: Loc, formulas: &[Term]) -> Vec<Term> {
        let terms = &self.cx.terms;
        let mut cells: Vec<Term> = Vec::new();
        let mut add = |t: Term| {
            if matches!(terms.sort(t), Sort::Bv(_)) && cells.len() < MAX_CELLS && !cells.contains(&t) {
                cells.push(t);
            }
        };
        for formula in formulas {
            for t in walk::free_vars(terms, &[*formula]) {
                if self.program.var_of(t).is_some() {
                    add(t);
                }
            }
        }
        if self.settings.extras {
            for t in walk::postorder(terms, &formulas[..1]) {
                let of_program = || walk::free_vars(terms, &[t]).iter().all(|v| self.program.var_of(*v).is_some());
                if terms.op(t) == Op::Select && of_program() {
                    add(t);
                }
            }
        }
        for t in &self.loops[&head].variables {
            add(*t);
        }
        cells
    }

    /// Values of the cells in a few states of `states`; `None` if there is no state, or none is known.
    fn samples(&mut self, states: Term, cells: &[Term]) -> Result<Option<Vec<Vec<Bits>>>, Stop> {
        if self.oracle.sat(self.cx, &[states])? != Some(true) {
            return Ok(None);
        }
        let model = self.oracle.model(self.cx, &[states])?;
        Ok(Some(vec![self.values(&model, cells)]))
    }

    fn values(&self, model: &Model, cells: &[Term]) -> Vec<Bits> {
        let value = |t: &Term| match eval(&self.cx.terms, *t, &OrZero(model)) {
            Ok(Value::Bv(bits)) => bits,
            _ => Bits::zero(self.cx.terms.width(*t)),
        };
        cells.iter().map(value).collect()
    }

    /// Keeps the guesses that `states` implies.
    fn confirm(
        &mut self,
        states: Term,
        cells: &[Term],
        samples: &mut Vec<Vec<Bits>>,
        guesses: &mut Vec<Term>,
    ) -> Result<(), Stop> {
        for _ in 0..MAX_MODELS {
            if guesses.is_empty() {
                return Ok(());
            }
            let all = self.cx.terms.and_all(guesses);
            let not_all = self.cx.terms.not(all);
            match self.oracle.sat(self.cx, &[states, not_all])? {
                Some(false) => return Ok(()),
                None => break,
                Some(true) => {}
            }
            let model = self.oracle.model(self.cx, &[states, not_all])?;
            let terms = &self.cx.terms;
            guesses.retain(|g| eval(terms, *g, &OrZero(&model)) == Ok(Value::Bool(true)));
            samples.push(self.values(&model, cells));
        }
        guesses.clear();
        Ok(())
    }

    /// Type 1 in the samples: variable, constant, and that they are equal.
    fn guess_constants(&mut self, cells: &[Term], samples: &[Vec<Bits>]) -> Vec<(Term, Term, Term)> {
        let mut guesses = Vec::new();
        for (i, &x) in cells.iter().enumerate() {
            if samples.iter().all(|s| s[i] == samples[0][i]) {
                let c = self.cx.terms.bv_bits(samples[0][i].clone());
                guesses.push((x, c, self.cx.terms.eq(x, c)));
            }
        }
        guesses
    }

    /// Type 2 in the samples: `x - y = a` and `x + y = a`, the former first.
    fn guess_pairs(&mut self, cells: &[Term], samples: &[Vec<Bits>]) -> Vec<Term> {
        let (mut differences, mut sums) = (Vec::new(), Vec::new());
        for i in 0..cells.len() {
            for j in (i + 1..cells.len()).filter(|j| samples[0][*j].width() == samples[0][i].width()) {
                let (difference, sum) = (samples[0][i].sub(&samples[0][j]), samples[0][i].add(&samples[0][j]));
                let terms = &mut self.cx.terms;
                if samples.iter().all(|s| s[i].sub(&s[j]) == difference) {
                    let a = terms.bv_bits(difference);
                    let y = terms.add(cells[j], a);
                    differences.push(terms.eq(cells[i], y));
                }
                if samples.iter().all(|s| s[i].add(&s[j]) == sum) {
                    let a = terms.bv_bits(sum);
                    let both = terms.add(cells[i], cells[j]);
                    sums.push(terms.eq(both, a));
                }
            }
        }
        differences.extend(sums);
        differences
    }

    /// Type 2 in the samples: `x ± y = a·z`.
    fn guess_triples(&mut self, cells: &[Term], open: &[usize], samples: &[Vec<Bits>]) -> Vec<Term> {
        let mut guesses = Vec::new();
        if samples.len() < 2 {
            return guesses;
        }
        for (n, &i) in open.iter().enumerate() {
            for &j in &open[n + 1..] {
                for &k in open.iter().filter(|k| **k != i && **k != j) {
                    let width = samples[0][i].width();
                    if samples[0][j].width() != width || samples[0][k].width() != width {
                        continue;
                    }
                    for minus in [true, false] {
                        let left = |s: &[Bits]| if minus { s[i].sub(&s[j]) } else { s[i].add(&s[j]) };
                        let Some(a) = factor(samples.iter().map(|s| (left(s), s[k].clone()))) else { continue };
                        let terms = &mut self.cx.terms;
                        let a = terms.bv_bits(a);
                        let product = terms.mul(a, cells[k]);
                        let side = if minus { terms.sub(cells[i], cells[j]) } else { terms.add(cells[i], cells[j]) };
                        guesses.push(terms.eq(side, product));
                    }
                }
            }
        }
        guesses
    }

    /// Type 3: `a ≤ x ≤ b` and `x ≡ a (mod b - a)` where `x` is `a` in one of the two last sets and `b` in the other.
    fn ranges(&mut self, last: Term, constants: &[(Term, Term)]) -> Result<Vec<Term>, Stop> {
        let mut found = Vec::new();
        for &(x, now) in constants {
            if self.oracle.sat(self.cx, &[last])? != Some(true) {
                break;
            }
            let model = self.oracle.model(self.cx, &[last, x])?;
            let Ok(Value::Bv(before)) = eval(&self.cx.terms, x, &OrZero(&model)) else { continue };
            let terms = &mut self.cx.terms;
            let before_term = terms.bv_bits(before.clone());
            let differs = terms.ne(x, before_term);
            let Some(now) = terms.as_bv_const(now).cloned() else { continue };
            if before == now || !self.oracle.refuted(self.cx, &[last, differs])? {
                continue;
            }
            let (low, high) = if now.slt(&before) { (now, before) } else { (before, now) };
            let step = high.sub(&low);
            let terms = &mut self.cx.terms;
            let (low, high, step) = (terms.bv_bits(low), terms.bv_bits(high), terms.bv_bits(step));
            let (above, below) = (terms.sle(low, x), terms.sle(x, high));
            let distance = terms.sub(x, low);
            let rest = terms.urem(distance, step);
            let zero = terms.bv(0, terms.width(x));
            let congruent = terms.eq(rest, zero);
            found.push(terms.and_all(&[above, below, congruent]));
        }
        Ok(found)
    }

    /// Variables and constants that are equal.
    fn equal_pairs(&self, cells: &[Term], constants: &[(Term, Term)], linear: &[Term]) -> Vec<(Term, Term)> {
        let mut equal = constants.to_vec();
        for (i, &x) in cells.iter().enumerate() {
            for &y in &cells[i + 1..] {
                let stated = linear.iter().any(|r| {
                    self.cx.terms.op(*r) == Op::Eq && {
                        let args = self.cx.terms.args(*r);
                        args == [x, y] || args == [y, x]
                    }
                });
                if stated {
                    equal.push((x, y));
                }
            }
        }
        equal
    }

    /// Type 4: a part of the formula in which a variable is replaced by what it is equal to, or the other way round.
    fn substituted(&mut self, states: Term, equal: &[(Term, Term)]) -> Vec<Term> {
        let terms = &mut self.cx.terms;
        let form = nnf(terms, states);
        let mut parts: Vec<Term> = Vec::new();
        for t in walk::postorder(terms, &[form]) {
            let literal = terms.sort(t).is_bool() && !matches!(terms.op(t), Op::And | Op::Or | Op::True | Op::False);
            if literal && !parts.contains(&t) {
                parts.push(t);
            }
        }
        // `not p` makes `p` a part of the formula in the wrong polarity.
        let negated: Vec<Term> = parts.iter().filter(|t| terms.op(**t) == Op::Not).map(|t| terms.arg(*t, 0)).collect();
        parts.retain(|t| !negated.contains(t));
        let mut found = Vec::new();
        for part in parts {
            for &(x, y) in equal {
                for (from, to) in [(x, y), (y, x)] {
                    let other = substitute(terms, part, &[(from, to)]);
                    if other != part && terms.as_bool_const(other).is_none() && found.len() < MAX_SUBSTITUTED {
                        found.push(other);
                    }
                }
            }
        }
        found.sort_unstable_by_key(|t| t.index());
        found.dedup();
        found
    }

    fn implied_by(&mut self, relation: Term, others: &[Term]) -> Result<bool, Stop> {
        let mut question = others.to_vec();
        question.push(self.cx.terms.not(relation));
        Ok(!others.is_empty() && self.oracle.refuted(self.cx, &question)?)
    }
}

/// The small number `a` other than zero with `left = a·z` for all pairs, if the pairs tell it.
fn factor(pairs: impl Iterator<Item = (Bits, Bits)> + Clone) -> Option<Bits> {
    let (left, z) = pairs.clone().find(|(left, z)| !z.is_zero() && !left.is_zero())?;
    let (l, n) = (left.to_i128()?, z.to_i128()?);
    if l % n != 0 || (l / n).abs() > MAX_FACTOR {
        return None;
    }
    let a = Bits::from_i128(l / n, left.width());
    pairs.clone().all(|(left, z)| a.mul(&z) == left).then_some(a)
}
