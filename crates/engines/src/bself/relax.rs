//! Relaxing inequalities (paper 000, section 4.3, fourth step): the constant in each is moved as far as the formula stays
//! a valid extension.

use super::Folder;
use super::extension::{Goal, Validity};
use base::Id;
use engine::Stop;
use term::eval::{OrZero, eval};
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
        let mut clauses = self.split_equalities(clauses);
        for i in 0..clauses.len() {
            for literal in term::normal::disjuncts(&self.cx.terms, clauses[i]) {
                if let Some(inequality) = Inequality::of(&self.cx.terms, literal) {
                    let relaxed = self.relax_one(&clauses, i, literal, inequality, new, goal)?;
                    clauses[i] = relaxed;
                }
            }
        }
        Ok(clauses)
    }

    /// `a = b` as `a ≤ b` and `b ≤ a`, wherever it is a clause by itself.
    fn split_equalities(&mut self, clauses: Vec<Term>) -> Vec<Term> {
        let mut out = Vec::new();
        for clause in clauses {
            let terms = &mut self.cx.terms;
            let args = terms.args(clause).to_vec();
            if terms.op(clause) == Op::Eq && terms.sort(args[0]).bv_width().is_some_and(|w| w > 1) {
                out.push(terms.sle(args[0], args[1]));
                out.push(terms.sle(args[1], args[0]));
            } else {
                out.push(clause);
            }
        }
        out.retain(|c| self.cx.terms.as_bool_const(*c) != Some(true));
        out
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
        let mut first = true;
        while low.ult(&high) {
            // All the way at first: that is where unimportant bounds go. Then in the middle.
            let middle = if first { high.clone() } else { low.add(&high.sub(&low).lshr_by(1)).add(&high.sub(&low).and(&one)) };
            first = false;
            let literals = term::normal::disjuncts(&self.cx.terms, clauses[at]);
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

/// A fixed order: long clauses first, then inequalities, then equalities, which say most and are to go last.
pub(super) fn by_importance(terms: &Store, clauses: &mut [Term]) {
    let rank = |t: &Term| match terms.op(*t) {
        Op::Or => (0, t.index()),
        Op::Eq => (2, t.index()),
        _ => (1, t.index()),
    };
    clauses.sort_by_key(rank);
}
