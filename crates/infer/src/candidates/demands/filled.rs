//! What a counting loop has written: if each iteration writes `a[b + i] = v(i)`, and neither `b` nor what `v` reads changes in
//! the loop, then `∀x. first ≤ x - b < i ⇒ a[x] = v(x - b)` at its head, and the other cells are those of a copy that was made
//! of `a` before. Loops that memory makes of `memcpy` and `memset` of unknown length are of this kind. (Written with the
//! index bound, not the counter, so that every place that is read later is an instance.)

use super::Candidates;
use crate::AtHeads;
use cfa::{Loc, Op, Var};
use std::collections::BTreeSet;
use term::{Op as TermOp, Sort, Store, Term, walk};

/// One write: `array[index] = value` if the condition holds.
struct Write {
    array: Var,
    condition: Term,
    index: Term,
    value: Term,
}

impl Candidates<'_> {
    pub(super) fn filled(&mut self, head: Loc, terms: &mut Store) {
        let changed = self.changed(head);
        let writes = self.array_writes(head, terms);
        if writes.is_empty() {
            return;
        }
        for counter in changed.iter().copied() {
            if !self.counts_by_one(head, counter, terms) {
                continue;
            }
            let Some(first) = self.first_value(head, counter, &changed, terms) else { continue };
            let at = self.program.term(counter);
            let mut is_used = false;
            for write in &writes {
                let reads = walk::free_vars(terms, &[write.condition, write.index, write.value]);
                let mut others = reads.iter().filter_map(|t| self.program.var_of(*t)).filter(|v| *v != counter);
                if others.any(|v| changed.contains(&v)) || !walk::mentions(terms, write.index, at) {
                    continue;
                }
                is_used |= self.filled_by(head, write, at, first, terms);
            }
            if is_used {
                let ordered = terms.ule(first, at);
                Self::add(&mut self.found, self.settings.at_head, terms, head, ordered);
            }
        }
    }

    /// The candidates of one write, if its index can be solved for the counter.
    fn filled_by(&mut self, head: Loc, write: &Write, at: Term, first: Term, terms: &mut Store) -> bool {
        let x = terms.fresh("x", terms.sort(write.index));
        let mut guard = Vec::new();
        let Some(when) = solved(terms, write.index, at, x, &mut guard) else { return false };
        guard.push(terms.ule(first, when));
        guard.push(terms.ult(when, at));
        let then = [(at, when)];
        guard.push(term::substitute(terms, write.condition, &then));
        let is_written = terms.and_all(&guard);
        let value = term::substitute(terms, write.value, &then);
        let array = self.program.term(write.array);
        let cell = terms.select(array, x);
        let equal = terms.eq(cell, value);
        let body = terms.implies(is_written, equal);
        let written = terms.forall(&[x], body);
        Self::add(&mut self.found, self.settings.at_head, terms, head, written);
        for (to, from) in self.copies() {
            let other = match () {
                () if from == write.array => to,
                () if to == write.array => from,
                () => continue,
            };
            let before = terms.select(self.program.term(other), x);
            let same = terms.eq(cell, before);
            let body = terms.or(is_written, same);
            let kept = terms.forall(&[x], body);
            Self::add(&mut self.found, self.settings.at_head, terms, head, kept);
        }
        true
    }

    /// What is said of an array, said of its copies.
    pub(super) fn of_copies(&self, found: &mut AtHeads, terms: &mut Store) {
        let copies: Vec<(Term, Term)> = self
            .copies()
            .into_iter()
            .map(|(to, from)| (self.program.term(to), self.program.term(from)))
            .filter(|(to, _)| matches!(terms.sort(*to), Sort::Array(_)))
            .collect();
        for head in self.wto.heads() {
            for fact in found.get(&head).cloned().unwrap_or_default() {
                for &(to, from) in &copies {
                    if walk::mentions(terms, fact, from) && !walk::mentions(terms, fact, to) {
                        let said = term::substitute(terms, fact, &[(from, to)]);
                        Self::add(found, self.settings.at_head, terms, head, said);
                    }
                }
            }
        }
    }

    /// Variables of which some edge assigns the second to the first.
    pub(super) fn copies(&self) -> BTreeSet<(Var, Var)> {
        let assigned = self.program.main().edges.values().filter_map(|info| match &info.op {
            Op::Assign(pairs) => Some(pairs),
            _ => None,
        });
        assigned
            .flatten()
            .filter_map(|(to, value)| Some((*to, self.program.var_of(*value)?)))
            .filter(|(to, from)| to != from)
            .collect()
    }

    /// The writes to arrays in the loop.
    fn array_writes(&self, head: Loc, terms: &mut Store) -> Vec<Write> {
        let mut found = Vec::new();
        for info in self.program.main().edges.values().filter(|info| self.is_inside(head, info.from)) {
            let Op::Assign(pairs) = &info.op else { continue };
            for (array, value) in pairs.iter().filter(|(var, _)| matches!(self.program.vars[*var].sort, Sort::Array(_)))
            {
                let mut work = vec![(terms.tt(), *value)];
                while let Some((condition, value)) = work.pop() {
                    let args = terms.args(value).to_vec();
                    match (terms.op(value), &args[..]) {
                        (TermOp::Store, &[old, index, value]) if self.program.var_of(old) == Some(*array) => {
                            found.push(Write { array: *array, condition, index, value });
                        }
                        (TermOp::Ite, &[test, yes, no]) => {
                            let not = terms.not(test);
                            work.push((terms.and(condition, test), yes));
                            work.push((terms.and(condition, not), no));
                        }
                        _ => {}
                    }
                }
            }
        }
        found
    }
}

/// The value of `v` for which the index is `x`; what must be so for there to be one is added to the guard.
fn solved(terms: &mut Store, index: Term, v: Term, x: Term, guard: &mut Vec<Term>) -> Option<Term> {
    if index == v {
        return Some(x);
    }
    let args = terms.args(index).to_vec();
    match (terms.op(index), &args[..]) {
        (TermOp::BvAdd, &[a, b]) => match (walk::mentions(terms, a, v), walk::mentions(terms, b, v)) {
            (true, false) => {
                let rest = terms.sub(x, b);
                solved(terms, a, v, rest, guard)
            }
            (false, true) => {
                let rest = terms.sub(x, a);
                solved(terms, b, v, rest, guard)
            }
            _ => None,
        },
        (TermOp::Extract { lo: 0, .. }, &[of]) => {
            let wide = terms.zext_to(x, terms.width(of));
            solved(terms, of, v, wide, guard)
        }
        (TermOp::ZeroExtend(_), &[of]) => {
            let narrow = terms.extract(x, terms.width(of) - 1, 0);
            let back = terms.zext_to(narrow, terms.width(x));
            guard.push(terms.eq(back, x));
            solved(terms, of, v, narrow, guard)
        }
        _ => None,
    }
}
