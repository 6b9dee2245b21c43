//! Guesses about texts: arrays of characters that loops walk along until they meet one that they know.
//!
//! What keeps such a walk inside of its array is mostly said by single cells: the last one is zero and stays so, the one at `i` is
//! a comma, where another walk was stopped, so that the one that skips blanks from `start` does not come past it. So the guesses are,
//! at every head,
//!
//! - *cells*: a place at which the program reads or writes holds one of the characters that it compares with, or not;
//! - *copies*: a variable holds what was read at a place;
//! - *order*: of what indexes the arrays and of what that is compared with, each with each, with equality, with one more, and as steps from
//!   where they start (two pointers that move along two arrays);
//! - *limits*: so many steps from where it starts are no more than a constant that it is compared with, or than the place of a constant cell;
//!   the same of a sum at which a cell is read.
//!
//! No quantifier is among them: where a text ends is known by its last cell.

use super::program::constant_cells;
use crate::AtHeads;
use crate::limits::texts::{CHARACTERS, COPIED, LIMITS, MOST, NARROW, NUMBERS, PLACES, SHORT};
use cfa::{Op, Program, Var};
use flow::wto::Wto;
use std::collections::{BTreeMap, BTreeSet};
use term::{Bits, Op as TermOp, Sort, Store, Term, walk};

/// The guesses at each head. Nothing where the program walks along no text.
pub fn texts(program: &Program, wto: &Wto, terms: &mut Store) -> AtHeads {
    let Some(texts) = Texts::of(program, terms) else { return AtHeads::new() };
    let all = texts.guesses(terms);
    let live = flow::live_at_heads(program, wto);
    let mut found = AtHeads::new();
    for head in wto.heads() {
        let live: BTreeSet<Term> = live[head].iter().map(|var| program.term(*var)).collect();
        let is_live = |fact: &&Term| walk::free_vars(terms, &[**fact]).iter().all(|var| live.contains(var));
        found.insert(head, all.iter().filter(is_live).copied().take(MOST).collect());
    }
    found
}

/// Whether the program compares cells of arrays of characters with constants.
pub fn walks_along_texts(program: &Program) -> bool {
    let asked = program.main().edges.values().filter(|edge| matches!(edge.op, Op::Assume(_)));
    let roots: Vec<Term> = asked.flat_map(|edge| edge.op.terms()).collect();
    !places(program, &program.terms, &roots).is_empty()
}

/// Reads of characters, of the program's arrays and of literals, among the terms.
fn places(program: &Program, terms: &Store, roots: &[Term]) -> Vec<Term> {
    let is_text = |array: Term| program.var_of(array).is_some() || walk::free_vars(terms, &[array]).is_empty();
    let is_place = |t: &Term| {
        terms.op(*t) == TermOp::Select
            && matches!(terms.sort(*t), Sort::Bv(width) if width <= NARROW)
            && is_text(terms.arg(*t, 0))
            && !terms.is_const(terms.arg(*t, 1))
    };
    walk::postorder(terms, roots).into_iter().filter(is_place).collect()
}

struct Texts<'a> {
    program: &'a Program,
    /// Cells that are read or written.
    places: Vec<Term>,
    /// What cells are compared with, by width.
    characters: BTreeMap<u32, Vec<Term>>,
    /// What places are made of, and what that is compared with and assigned from.
    numbers: Vec<Var>,
    /// Constants where numbers start.
    starts: BTreeMap<Var, BTreeSet<Term>>,
    /// How far numbers may come.
    limits: BTreeSet<u128>,
    /// Assignments from sums and from cells.
    assigned: Vec<(Var, Term)>,
}

impl<'a> Texts<'a> {
    fn of(program: &'a Program, terms: &mut Store) -> Option<Texts<'a>> {
        if !walks_along_texts(program) {
            return None;
        }
        let main = program.main();
        let roots: Vec<Term> = main.edges.values().flat_map(|edge| edge.op.terms()).collect();
        let mut found = places(program, terms, &roots);
        let mut assigned: Vec<(Var, Term)> = Vec::new();
        for edge in main.edges.values() {
            let Op::Assign(pairs) = &edge.op else { continue };
            for (var, value) in pairs {
                if matches!(program.vars[*var].sort, Sort::Bv(_)) {
                    assigned.push((*var, *value));
                }
                for index in written(terms, *value) {
                    let place = terms.select(program.term(*var), index);
                    if terms.sort(place).bv_width().is_some_and(|width| width <= NARROW) && !terms.is_const(index) {
                        found.push(place);
                    }
                }
            }
        }
        let mut seen = BTreeSet::new();
        found.retain(|place| seen.insert(*place));
        found.truncate(PLACES);
        let comparisons = super::program::program_conditions(program, &program.terms);
        let mut texts = Texts {
            program,
            characters: characters(terms, &comparisons),
            numbers: Vec::new(),
            starts: starts(program, terms, &assigned),
            limits: BTreeSet::new(),
            places: found,
            assigned,
        };
        texts.find_numbers(terms, &comparisons);
        texts.find_limits(terms, &comparisons);
        Some(texts)
    }

    /// What indexes the arrays, then what is compared with that or assigned to it.
    fn find_numbers(&mut self, terms: &Store, comparisons: &[Term]) {
        let program = self.program;
        let numbers_in = |t: Term| -> Vec<Var> {
            let free = walk::free_vars(terms, &[t]).into_iter().filter_map(|t| program.var_of(t));
            free.filter(|var| matches!(program.vars[*var].sort, Sort::Bv(width) if width > NARROW)).collect()
        };
        let mut groups: Vec<Vec<Var>> = comparisons.iter().map(|t| numbers_in(*t)).collect();
        groups.extend(self.assigned.iter().map(|(var, value)| [&[*var][..], &numbers_in(*value)].concat()));
        for place in &self.places {
            for var in numbers_in(terms.arg(*place, 1)) {
                if !self.numbers.contains(&var) {
                    self.numbers.push(var);
                }
            }
        }
        let mut at = 0;
        while at < self.numbers.len() && self.numbers.len() < NUMBERS {
            let number = self.numbers[at];
            let sort = program.vars[number].sort;
            for var in groups.iter().filter(|group| group.contains(&number)).flatten() {
                let fits = program.vars[*var].sort == sort && matches!(sort, Sort::Bv(width) if width > NARROW);
                if fits && !self.numbers.contains(var) {
                    self.numbers.push(*var);
                }
            }
            at += 1;
        }
        self.numbers.truncate(NUMBERS);
    }

    /// Constants in comparisons of numbers, and the places of cells that are set to constants.
    fn find_limits(&mut self, terms: &Store, comparisons: &[Term]) {
        let numbers: BTreeSet<Term> = self.numbers.iter().map(|var| self.program.term(*var)).collect();
        let value = |t: Term| terms.as_bv_const(t).and_then(Bits::to_u128);
        for (_, index, _) in constant_cells(self.program) {
            self.limits.extend(value(index).filter(|limit| *limit > 0));
        }
        for comparison in comparisons {
            if !walk::free_vars(terms, &[*comparison]).iter().any(|var| numbers.contains(var)) {
                continue;
            }
            let mut work = terms.args(*comparison).to_vec();
            while let Some(t) = work.pop() {
                // What is compared of the upper part of an address is no limit.
                if !matches!(terms.op(t), TermOp::Extract { lo: 1.., .. }) {
                    work.extend(terms.args(t));
                }
                let counts = matches!(terms.sort(t), Sort::Bv(width) if width > NARROW);
                // An address of an object or a negative number is none.
                self.limits.extend(value(t).filter(|limit| counts && (2..1 << 31).contains(limit)));
            }
        }
    }

    fn guesses(&self, terms: &mut Store) -> Vec<Term> {
        let mut found = Vec::new();
        self.constant_cells(terms, &mut found);
        self.steps(terms, &mut found);
        self.sums(terms, &mut found);
        self.copies(terms, &mut found);
        self.order(terms, &mut found);
        self.cells(terms, &mut found);
        let mut seen = BTreeSet::new();
        found.retain(|fact| terms.as_bool_const(*fact).is_none() && seen.insert(*fact));
        found
    }

    fn constant_cells(&self, terms: &mut Store, found: &mut Vec<Term>) {
        for (array, index, element) in constant_cells(self.program) {
            let cell = terms.select(self.program.term(array), index);
            found.push(terms.eq(cell, element));
        }
    }

    fn cells(&self, terms: &mut Store, found: &mut Vec<Term>) {
        for place in &self.places {
            let width = terms.width(*place);
            let mut one_of = Vec::new();
            for character in self.characters.get(&width).into_iter().flatten() {
                let equal = terms.eq(*place, *character);
                one_of.push(equal);
                let other = terms.not(equal);
                found.extend([equal, other]);
            }
            // Where a walk is stopped by one of two.
            for (i, a) in one_of.iter().enumerate() {
                for b in &one_of[i + 1..] {
                    found.push(terms.or(*a, *b));
                }
            }
        }
    }

    fn copies(&self, terms: &mut Store, found: &mut Vec<Term>) {
        for (var, value) in &self.assigned {
            let own = self.program.term(*var);
            let is_sum = matches!(terms.op(*value), TermOp::BvAdd) && self.numbers.contains(var);
            if (is_sum || terms.op(*value) == TermOp::Select) && !walk::mentions(terms, *value, own) {
                found.push(terms.eq(own, *value));
            }
        }
    }

    fn steps(&self, terms: &mut Store, found: &mut Vec<Term>) {
        for var in &self.numbers {
            let (number, width) = (self.program.term(*var), self.width(*var));
            let mut firsts = self.starts.get(var).cloned().unwrap_or_default();
            firsts.insert(terms.bv(0, width));
            for first in firsts {
                found.push(if self.is_signed(*var) { terms.sle(first, number) } else { terms.ule(first, number) });
                let steps = terms.sub(number, first);
                for limit in self.nearly() {
                    let limit = terms.bv(limit, width);
                    found.push(terms.ule(steps, limit));
                }
            }
        }
    }

    /// The limits with one more or less, and without what may come before them: a word that was found ends before the end.
    fn nearly(&self) -> BTreeSet<u128> {
        let limits: Vec<u128> = self.limits.iter().copied().take(LIMITS).collect();
        let mut found: BTreeSet<u128> = limits.iter().flat_map(|limit| [limit - 1, *limit, limit + 1]).collect();
        for part in limits.iter().filter(|part| **part <= SHORT) {
            found.extend(limits.iter().filter_map(|limit| limit.checked_sub(*part)).filter(|limit| *limit > 0));
        }
        found
    }

    /// Places that are sums: where a walk is that starts where another one was stopped.
    fn sums(&self, terms: &mut Store, found: &mut Vec<Term>) {
        for place in &self.places {
            let index = terms.arg(*place, 1);
            let Some(width) = terms.sort(index).bv_width() else { continue };
            if walk::free_vars(terms, &[index]).len() < 2 {
                continue;
            }
            for limit in self.limits.iter().take(LIMITS) {
                for limit in [limit - 1, *limit] {
                    let limit = terms.bv(limit, width);
                    found.push(terms.ule(index, limit));
                }
            }
        }
    }

    fn order(&self, terms: &mut Store, found: &mut Vec<Term>) {
        for small in &self.numbers {
            for large in
                self.numbers.iter().filter(|large| *large != small && self.width(**large) == self.width(*small))
            {
                let (x, y) = (self.program.term(*small), self.program.term(*large));
                let one = terms.bv(1, self.width(*small));
                let after = terms.add(y, one);
                found.extend(if self.is_signed(*small) || self.is_signed(*large) {
                    [terms.sle(x, y), terms.slt(x, y), terms.sle(x, after)]
                } else {
                    [terms.ule(x, y), terms.ult(x, y), terms.ule(x, after)]
                });
                let first = |var: &Var| self.starts.get(var).and_then(BTreeSet::first).copied();
                if let (Some(first_x), Some(first_y)) = (first(small), first(large))
                    && first_x != first_y
                {
                    let (x, y) = (terms.sub(x, first_x), terms.sub(y, first_y));
                    found.push(terms.ule(x, y));
                }
            }
        }
    }

    fn width(&self, var: Var) -> u32 {
        self.program.vars[var].sort.bv_width().unwrap_or(0)
    }

    /// Numbers without a name are compared as pointers are.
    fn is_signed(&self, var: Var) -> bool {
        self.program.vars[var].source.as_ref().is_some_and(|source| source.signed && !source.pointer)
    }
}

/// The constants that numbers are set to, or that something is added to and they are set to that: an object's address, where a place in
/// it was found.
fn starts(program: &Program, terms: &Store, assigned: &[(Var, Term)]) -> BTreeMap<Var, BTreeSet<Term>> {
    let mut starts: BTreeMap<Var, BTreeSet<Term>> = BTreeMap::new();
    for (var, value) in assigned {
        let parts = if terms.op(*value) == TermOp::BvAdd { terms.args(*value) } else { std::slice::from_ref(value) };
        let own = program.term(*var);
        if !parts.contains(&own) {
            starts.entry(*var).or_default().extend(parts.iter().filter(|part| terms.is_const(**part)));
        }
    }
    for _ in 0..COPIED {
        for (var, value) in assigned {
            if let Some(from) = program.var_of(*value).and_then(|from| starts.get(&from)).cloned() {
                starts.entry(*var).or_default().extend(from);
            }
        }
    }
    starts
}

/// Where the value writes an array.
fn written(terms: &Store, value: Term) -> Vec<Term> {
    let (mut at, mut indices) = (value, Vec::new());
    while terms.op(at) == TermOp::Store {
        indices.push(terms.arg(at, 1));
        at = terms.arg(at, 0);
    }
    indices
}

/// The constants that the program compares narrow numbers with, the most frequent ones first.
fn characters(terms: &mut Store, comparisons: &[Term]) -> BTreeMap<u32, Vec<Term>> {
    let mut count: BTreeMap<u32, BTreeMap<Term, usize>> = BTreeMap::new();
    for comparison in comparisons {
        for side in terms.args(*comparison) {
            if let Some(width) = terms.as_bv_const(*side).map(Bits::width).filter(|width| *width <= NARROW) {
                *count.entry(width).or_default().entry(*side).or_default() += 1;
            }
        }
    }
    let most_frequent = |(width, count): (u32, BTreeMap<Term, usize>)| {
        let mut all: Vec<(Term, usize)> = count.into_iter().collect();
        all.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        (width, all.into_iter().map(|(constant, _)| constant).take(CHARACTERS).collect())
    };
    count.into_iter().map(most_frequent).collect()
}
