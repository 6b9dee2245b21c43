//! Relaxing inequalities (Chalupa and Strejček 2021, section 4.3, fourth step): the constant in each is moved as far as the formula stays
//! a valid extension.

use super::Folder;
use super::extension::{Goal, Validity};
use crate::limits::bself::{MAX_EQUALITIES, NEAR};
use base::Id;
use engine::Stop;
use term::eval::{OrZero, eval};
use term::normal::disjuncts;
use term::{Bits, Op, Store, Term, Value};

/// `left ≤ right` or `left < right`, signed or not.
#[derive(Clone, Copy, Debug)]
struct Inequality {
    left: Term,
    right: Term,
    signed: bool,
    strict: bool,
}

impl Inequality {
    /// Reads a literal.
    fn of(terms: &Store, literal: Term) -> Option<Inequality> {
        let negated = terms.op(literal) == Op::Not;
        let atom = if negated { terms.arg(literal, 0) } else { literal };
        let (signed, strict) = match terms.op(atom) {
            Op::BvUlt => (false, true),
            Op::BvUle => (false, false),
            Op::BvSlt => (true, true),
            Op::BvSle => (true, false),
            _ => return None,
        };
        let (a, b) = (terms.arg(atom, 0), terms.arg(atom, 1));
        let (left, right) = if negated { (b, a) } else { (a, b) };
        Some(Inequality { left, right, signed, strict: strict != negated })
    }

    /// With `right + r` for `right`; by its constant where there is one, so that nothing wraps.
    fn relaxed(&self, terms: &mut Store, r: &Bits) -> Term {
        let by = terms.bv_bits(r.clone());
        let (left, right) = match terms.as_bv_const(self.left) {
            Some(_) => (terms.sub(self.left, by), self.right),
            None => (self.left, terms.add(self.right, by)),
        };
        match (self.signed, self.strict) {
            (true, true) => terms.slt(left, right),
            (true, false) => terms.sle(left, right),
            (false, true) => terms.ult(left, right),
            (false, false) => terms.ule(left, right),
        }
    }

    fn has_constant(&self, terms: &Store) -> bool {
        [self.left, self.right].into_iter().any(|side| terms.as_bv_const(side).is_some())
    }

    /// The largest `r` that could make sense: up to the end of the range.
    fn limit(&self, terms: &Store) -> Bits {
        let width = terms.width(self.left);
        let least = if self.signed { Bits::min_signed(width) } else { Bits::zero(width) };
        let greatest = if self.signed { Bits::max_signed(width) } else { Bits::ones(width) };
        match (terms.as_bv_const(self.left), terms.as_bv_const(self.right)) {
            (Some(c), _) => c.sub(&least),
            (_, Some(c)) => greatest.sub(c),
            _ => Bits::max_signed(width),
        }
    }

    /// The least `r` that lets a state in which the sides have these values pass.
    fn needed(&self, left: &Bits, right: &Bits) -> Bits {
        let distance = left.sub(right);
        if self.strict { distance.add(&Bits::one(distance.width())) } else { distance }
    }
}

impl Folder<'_> {
    /// Relaxes the inequalities of each clause in turn, equalities as two inequalities. The clauses are a valid
    /// extension before and after, and `new` implies them.
    pub(super) fn relax(&mut self, clauses: Vec<Term>, new: Term, goal: &Goal) -> Result<Vec<Term>, Stop> {
        let split: Vec<(Term, Vec<Term>)> = clauses.iter().map(|clause| (*clause, self.split(*clause))).collect();
        let mut clauses: Vec<Term> = split.iter().flat_map(|(_, parts)| parts.iter().copied()).collect();
        clauses.retain(|c| self.cx.terms.as_bool_const(*c) != Some(true));
        if split.iter().any(|(whole, parts)| self.cx.terms.op(*whole) == Op::Or && parts.len() > 1) {
            match self.drop_clauses(&clauses, &[], goal)? {
                Some(fewer) => clauses = fewer,
                None => return Ok(split.into_iter().map(|(whole, _)| whole).collect()),
            }
        }
        for i in 0..clauses.len() {
            for literal in disjuncts(&self.cx.terms, clauses[i]) {
                if let Some(inequality) = Inequality::of(&self.cx.terms, literal) {
                    clauses[i] = self.relax_one(&clauses, i, literal, inequality, new, goal)?;
                }
            }
        }
        // Parts that did not move are an equality again.
        for (whole, parts) in split {
            if parts.len() > 1 && parts.iter().all(|part| clauses.contains(part)) {
                let place = clauses.iter().position(|c| parts.contains(c)).unwrap_or(0);
                clauses[place] = whole;
                clauses.retain(|c| !parts.contains(c));
            }
        }
        Ok(clauses)
    }

    /// The clause with each equality `a = b` in it taken as `a ≤ b` and `b ≤ a`: several clauses.
    fn split(&mut self, clause: Term) -> Vec<Term> {
        let terms = &mut self.cx.terms;
        let literals = disjuncts(terms, clause);
        let is_equality = |terms: &Store, t: Term| {
            terms.op(t) == Op::Eq && terms.sort(terms.arg(t, 0)).bv_width().is_some_and(|w| w > 1)
        };
        if literals.iter().filter(|l| is_equality(terms, **l)).count() > MAX_EQUALITIES {
            return vec![clause];
        }
        let mut parts: Vec<Vec<Term>> = vec![Vec::new()];
        for literal in literals {
            if is_equality(terms, literal) {
                let (a, b) = (terms.arg(literal, 0), terms.arg(literal, 1));
                let halves = [terms.sle(a, b), terms.sle(b, a)];
                parts = parts.iter().flat_map(|p| halves.map(|half| [p.as_slice(), &[half]].concat())).collect();
            } else {
                parts.iter_mut().for_each(|p| p.push(literal));
            }
        }
        parts.iter().map(|p| terms.or_all(p)).collect()
    }

    /// The clause with one inequality relaxed as far as possible.
    fn relax_one(
        &mut self,
        clauses: &[Term],
        at: usize,
        literal: Term,
        inequality: Inequality,
        new: Term,
        goal: &Goal,
    ) -> Result<Term, Stop> {
        let one = Bits::one(self.cx.terms.width(inequality.left));
        let mut best = clauses[at];
        let mut low = Bits::zero(one.width());
        let mut high = inequality.limit(&self.cx.terms);
        let mut round = 0;
        // Between variables it is small distances that matter; larger ones only exclude wrap-around, and are slow to find.
        let near = (self.settings.extras && !inequality.has_constant(&self.cx.terms)).then(|| one.shl_by(NEAR));
        while low.ult(&high) {
            // One step at first: bounds that matter do not move. Then all the way: that is where unimportant ones go. Then in
            // the middle.
            let half = high.sub(&low).lshr_by(1).add(&high.sub(&low).and(&one));
            let middle = match (round, &near) {
                (0, _) => one.clone(),
                (1, _) => high.clone(),
                (_, Some(near)) if near.ule(&low) => break,
                (_, Some(_)) if low.ult(&half) => low.add(&low),
                _ => low.add(&half),
            };
            round += 1;
            let literals = disjuncts(&self.cx.terms, clauses[at]);
            let weaker = inequality.relaxed(&mut self.cx.terms, &middle);
            let others: Vec<Term> = literals.into_iter().map(|l| if l == literal { weaker } else { l }).collect();
            let clause = self.cx.terms.or_all(&others);
            let mut attempt = clauses.to_vec();
            attempt[at] = clause;
            let whole = self.cx.terms.and_all(&attempt);
            let validity = self.validity(whole, goal)?;
            if validity == Validity::Valid && self.covers(new, clause)? {
                best = clause;
                low = middle;
                continue;
            }
            let mut below = middle.sub(&one);
            if let Validity::Meets(model) | Validity::Leaves(model) = &validity
                && let (Ok(Value::Bv(left)), Ok(Value::Bv(right))) = (
                    eval(&self.cx.terms, inequality.left, &OrZero(model)),
                    eval(&self.cx.terms, inequality.right, &OrZero(model)),
                )
            {
                // The state that spoils it comes in at this point; before it nothing is known.
                let comes_in = inequality.needed(&left, &right);
                if low.ult(&comes_in) && comes_in.ule(&below) {
                    below = comes_in.sub(&one);
                }
            }
            high = below;
        }
        Ok(best)
    }

    fn covers(&mut self, new: Term, clause: Term) -> Result<bool, Stop> {
        let outside = self.cx.terms.not(clause);
        self.oracle.refuted(self.cx, &[new, outside])
    }
}

/// The order in which clauses are tried to be dropped and relaxed: equalities, disjunctions, the rest.
pub(super) fn most_restrictive_first(terms: &Store, clauses: &mut [Term]) {
    let rank = |t: &Term| match terms.op(*t) {
        Op::Eq => (0, t.index()),
        Op::Or => (1, t.index()),
        _ => (2, t.index()),
    };
    clauses.sort_by_key(rank);
}
