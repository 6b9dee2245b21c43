//! Arrays after `n` iterations (Kroening et al. 2015, sections 3.2 and 4.2).
//!
//! A path writes an array at an index that moves by a constant step. So the iteration that wrote an element can be computed
//! from the element's index (lemma 3), and the array after `n` iterations is given element by element, without
//! quantifiers: what that iteration wrote, or what was there before. Where several writes meet, the latest wins; nothing has
//! to be excluded.
//!
//! Reads inside the loop of an array that the loop writes are allowed where the solver proves that no earlier iteration has
//! written what is read; conditions may also read what earlier iterations have written.

use crate::always::{COUNT, to_width};
use crate::body::Body;
use crate::closed::Forms;
use crate::prove::Prover;
use cfa::{Program, Var};
use engine::Stop;
use std::collections::{BTreeMap, BTreeSet};
use term::{Op, Sort, Store, Substitution, Term, Value};

/// One write per iteration: at `start + step·j` the value, both over the values at the head.
#[derive(Clone, Debug)]
struct Write {
    start: Term,
    step: i128,
    value: Term,
}

/// The arrays that a path writes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Arrays {
    writes: BTreeMap<Var, Vec<Write>>,
    /// Arrays that change in a way that is not understood.
    pub without: BTreeSet<Var>,
    /// On the number of iterations, for all this to be so; over the count.
    conditions: Vec<(u32, i128)>,
}

impl Arrays {
    /// Understands the writes of a path.
    pub(crate) fn find(
        program: &Program,
        terms: &mut Store,
        body: &Body,
        forms: &Forms,
        prover: &mut Prover<'_>,
    ) -> Result<Arrays, Stop> {
        let mut arrays = Arrays::default();
        let updated: Vec<(Var, Term)> = body
            .updates
            .iter()
            .filter(|(v, _)| program.vars[**v].sort.as_array().is_some())
            .map(|(v, t)| (*v, *t))
            .collect();
        // Indices first: reads are compared with them.
        for (var, update) in &updated {
            match chain(terms, program.term(*var), *update) {
                Some(stores) => {
                    let mut writes = Vec::new();
                    for (index, value) in stores {
                        let moving = index_step(program, terms, forms, index, prover)?;
                        writes.extend(moving.map(|step| Write { start: index, step, value }));
                        if moving.is_none() {
                            arrays.without.insert(*var);
                        }
                    }
                    arrays.writes.insert(*var, writes);
                }
                None => {
                    arrays.without.insert(*var);
                }
            }
        }
        for (var, _) in &updated {
            let values: Vec<Term> =
                arrays.writes.get(var).into_iter().flatten().flat_map(|w| [w.value, w.start]).collect();
            for value in values {
                if !arrays.is_understood(program, terms, forms, value, prover)? {
                    arrays.without.insert(*var);
                }
            }
        }
        // A value that is read from an array that is not understood is not understood.
        while let Some(var) = arrays.writes.keys().copied().find(|v| {
            !arrays.without.contains(v)
                && arrays.writes[v].iter().any(|w| {
                    term::free_vars(terms, &[w.value, w.start])
                        .iter()
                        .filter_map(|t| program.var_of(*t))
                        .any(|read| arrays.without.contains(&read) || forms.without.contains(&read))
                })
        }) {
            arrays.without.insert(var);
        }
        let Arrays { writes, without, conditions } = &mut arrays;
        writes.retain(|v, _| !without.contains(v));
        for write in writes.values().flatten() {
            conditions.push((terms.width(write.start), write.step));
        }
        Ok(arrays)
    }

    pub(crate) fn written(&self) -> impl Iterator<Item = Var> + '_ {
        self.writes.keys().copied()
    }

    /// What `n` must satisfy so that no write comes around to where it began.
    pub(crate) fn condition(&self, terms: &mut Store, n: Term) -> Term {
        let mut parts = Vec::new();
        for &(width, step) in &self.conditions {
            if step == 0 {
                continue;
            }
            let wide = width + COUNT + 2;
            let n = terms.zext_to(n, wide);
            let step = terms.bv(step.unsigned_abs(), wide);
            let way = terms.mul(n, step);
            let end = terms.bv(1, wide);
            let shift = terms.bv(u128::from(width), wide);
            let around = terms.shl(end, shift);
            parts.push(terms.ule(way, around));
        }
        terms.and_all(&parts)
    }

    /// The element at `index` of `array` after `done` iterations.
    pub(crate) fn element(
        &self,
        program: &Program,
        terms: &mut Store,
        forms: &Forms,
        array: Var,
        index: Term,
        done: Term,
    ) -> Term {
        let old = program.term(array);
        let mut element = terms.select(old, index);
        // The iteration that wrote it last so far, and whether any did.
        let mut latest = terms.bv(0, COUNT);
        let mut any = terms.bool(false);
        for write in &self.writes[&array] {
            let (member, by) = write.iteration(terms, index, done);
            let value = forms.at(program, terms, write.value, by);
            let earlier = terms.ult(by, latest);
            let loses = terms.and(any, earlier);
            let wins = terms.not(loses);
            let wins = terms.and(member, wins);
            element = terms.ite(wins, value, element);
            latest = terms.ite(wins, by, latest);
            any = terms.or(any, member);
        }
        element
    }

    /// A term over the values at the head, in iteration `j`. `None` if it reads what is not understood.
    pub(crate) fn at(&self, program: &Program, terms: &mut Store, forms: &Forms, t: Term, j: Term) -> Option<Term> {
        let moved = forms.at(program, terms, t, j);
        let reads: Vec<Term> = term::free_vars(terms, &[moved]);
        let written: Vec<Var> = reads.iter().filter_map(|t| program.var_of(*t)).collect();
        if written.iter().any(|v| self.without.contains(v) || forms.without.contains(v)) {
            return None;
        }
        if !written.iter().any(|v| self.writes.contains_key(v)) {
            return Some(moved);
        }
        let mut substitution = Substitution::new();
        let mut seen = 0;
        for t in term::postorder(terms, &[moved]) {
            let Some(var) = self.read_of(program, terms, t) else { continue };
            let index = terms.arg(t, 1);
            // Reads inside the index of a read: rare, and not understood.
            if term::postorder(terms, &[index]).into_iter().any(|u| self.read_of(program, terms, u).is_some()) {
                return None;
            }
            let element = self.element(program, terms, forms, var, index, j);
            substitution.insert(terms, t, element);
            seen += 1;
        }
        // Whole arrays (stores that are read back, say) are not understood.
        let reads = term::postorder(terms, &[moved]);
        let direct = reads.iter().filter(|t| self.read_of(program, terms, **t).is_some()).count();
        let mentions = reads.iter().filter(|t| terms.args(**t).iter().any(|a| self.is_written(program, *a))).count();
        (direct == seen && mentions == seen).then(|| substitution.apply(terms, moved))
    }

    /// The array, if `t` is a read of one that the path writes.
    fn read_of(&self, program: &Program, terms: &Store, t: Term) -> Option<Var> {
        if terms.op(t) != Op::Select {
            return None;
        }
        program.var_of(terms.arg(t, 0)).filter(|v| self.writes.contains_key(v))
    }

    fn is_written(&self, program: &Program, t: Term) -> bool {
        program.var_of(t).is_some_and(|v| self.writes.contains_key(&v))
    }

    /// Whether every read in `t` of an array that the path writes finds what was there before the loop.
    fn is_understood(
        &self,
        program: &Program,
        terms: &mut Store,
        forms: &Forms,
        t: Term,
        prover: &mut Prover<'_>,
    ) -> Result<bool, Stop> {
        for read in term::postorder(terms, &[t]) {
            if !terms.args(read).iter().any(|a| self.is_written(program, *a)) {
                continue;
            }
            let Some(array) = self.read_of(program, terms, read) else { return Ok(false) };
            let index = terms.arg(read, 1);
            let (j, earlier) = (terms.fresh("j", Sort::Bv(COUNT)), terms.fresh("j", Sort::Bv(COUNT)));
            let index = forms.at(program, terms, index, j);
            for write in self.writes[&array].clone() {
                let there = write.place(terms, earlier);
                let before = terms.ult(earlier, j);
                let meet = terms.eq(there, index);
                let width = terms.width(write.start);
                let mut wrong = terms.and(before, meet);
                if width < COUNT {
                    let around = terms.bv(1 << width, COUNT);
                    let short = terms.ult(j, around);
                    wrong = terms.and(wrong, short);
                }
                if !prover.is_unsat(terms, wrong)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }
}

impl Write {
    fn place(&self, terms: &mut Store, j: Term) -> Term {
        let width = terms.width(self.start);
        let step = terms.bv_signed(self.step, width);
        let j = to_width(terms, j, width);
        let way = terms.mul(step, j);
        terms.add(self.start, way)
    }

    /// Whether one of the first `done` iterations wrote the element at `index`, and which one was the last to.
    fn iteration(&self, terms: &mut Store, index: Term, done: Term) -> (Term, Term) {
        let width = terms.width(index);
        if self.step == 0 {
            let (zero, minus_one) = (terms.bv(0, COUNT), terms.bv_signed(-1, COUNT));
            let some = terms.ult(zero, done);
            let here = terms.eq(index, self.start);
            return (terms.and(some, here), terms.add(done, minus_one));
        }
        let (from, to) = if self.step > 0 { (self.start, index) } else { (index, self.start) };
        let way = terms.sub(to, from);
        let stride = terms.bv(self.step.unsigned_abs(), width);
        let number = terms.udiv(way, stride);
        let left = terms.urem(way, stride);
        let zero = terms.bv(0, width);
        let on_stride = terms.eq(left, zero);
        let wide = width.max(COUNT);
        let (number_wide, done_wide) = (to_width(terms, number, wide), to_width(terms, done, wide));
        let early = terms.ult(number_wide, done_wide);
        (terms.and(on_stride, early), to_width(terms, number, COUNT))
    }
}

/// The writes that make `update` from `array`, first one first.
fn chain(terms: &Store, array: Term, mut update: Term) -> Option<Vec<(Term, Term)>> {
    let mut writes = Vec::new();
    while update != array {
        if terms.op(update) != Op::Store {
            return None;
        }
        writes.push((terms.arg(update, 1), terms.arg(update, 2)));
        update = terms.arg(update, 0);
    }
    writes.reverse();
    Some(writes)
}

/// By how much an index moves in each iteration, if always by the same constant.
fn index_step(
    program: &Program,
    terms: &mut Store,
    forms: &Forms,
    index: Term,
    prover: &mut Prover<'_>,
) -> Result<Option<i128>, Stop> {
    if terms.sort(index).bv_width().is_none() {
        return Ok(None);
    }
    if term::free_vars(terms, &[index]).iter().filter_map(|t| program.var_of(*t)).any(|v| forms.without.contains(&v)) {
        return Ok(None);
    }
    let one = terms.bv(1, COUNT);
    let next = forms.at(program, terms, index, one);
    let difference = terms.sub(next, index);
    // What it is for one state it is for all, or there is no step: that is proved below.
    let mut somewhere = Substitution::new();
    for symbol in term::free_vars(terms, &[difference]) {
        let zero = terms.value(&Value::zero(terms.sort(symbol)));
        somewhere.insert(terms, symbol, zero);
    }
    let difference = somewhere.apply(terms, difference);
    let difference = term::simplify(terms, difference);
    let Some(step) = terms.as_bv_const(difference).and_then(term::Bits::to_i128) else { return Ok(None) };
    let j = terms.fresh("j", Sort::Bv(COUNT));
    let moved = forms.at(program, terms, index, j);
    let write = Write { start: index, step, value: index };
    let claimed = write.place(terms, j);
    let wrong = terms.ne(moved, claimed);

    Ok(prover.is_unsat(terms, wrong)?.then_some(step))
}
