//! How large the object is that a variable points to. A block that was allocated with `8 * n + 1` bytes has `8 * n + 1` bytes as long as some
//! number of the program says what `n` was then: the capacity of a vector that grows, the length of a text that was copied. So for each
//! stride and rest of a size that is stored somewhere, each pointer, and each number of the program:
//!
//! - the pointer is null, or its object has that many bytes, or at least that many;
//! - where the pointer is null, the number is zero;
//! - the number is not larger than what is compared with sizes (none wraps around), nor than another number (a length, than a capacity).

use super::objects::Objects;
use crate::limits::houdini::SIZED;
use cfa::{Op, Var};
use std::collections::{BTreeMap, BTreeSet};
use term::{Op as TermOp, Sort, Store, Term, walk};

/// How sizes come from numbers: `stride * number + rest`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Scale {
    stride: u64,
    rest: u64,
}

impl Scale {
    fn of(terms: &Store, size: Term) -> Option<Scale> {
        let constant = |t: Term| terms.as_bv_const(t).and_then(term::Bits::to_u64);
        let whole = Scale { stride: 1, rest: 0 };
        if terms.is_const(size) {
            return None;
        }
        // Constants come last.
        let (other, last) = match terms.args(size) {
            [other, last] => (*other, constant(*last)),
            _ => return Some(whole),
        };
        match (terms.op(size), last) {
            (TermOp::BvAdd, Some(rest)) => Some(Scale { rest, ..Scale::of(terms, other)? }),
            (TermOp::BvMul, Some(stride)) => Some(Scale { stride, ..whole }),
            _ => Some(whole),
        }
    }

    fn applied(self, number: Term, terms: &mut Store) -> Term {
        let width = terms.width(number);
        let (stride, rest) = (terms.bv(self.stride.into(), width), terms.bv(self.rest.into(), width));
        let scaled = terms.mul(number, stride);
        terms.add(scaled, rest)
    }
}

/// A table of sizes.
struct Sizes {
    table: Var,
    width: u32,
    scales: BTreeSet<Scale>,
    /// What is stored, which may be in terms of what is live for a while.
    stored: BTreeSet<Term>,
    /// Constants that stored sizes are compared with.
    bounds: BTreeSet<Term>,
}

impl Objects<'_> {
    /// Candidates about the sizes of objects, of what is live at a head.
    pub(super) fn about_sizes(&self, counters: &[Var], pointers: &[Var], live: &[Var], terms: &mut Store) -> Vec<Term> {
        let mut found = Vec::new();
        for sizes in self.sizes(counters, terms) {
            let is_number = |var: &&Var| self.program.vars[**var].sort == Sort::Bv(sizes.width);
            let numbers: Vec<Term> =
                live.iter().filter(is_number).map(|var| self.program.term(*var)).take(SIZED).collect();
            for &pointer in pointers.iter().take(SIZED) {
                let (pointer, null) = (self.program.term(pointer), self.null(terms));
                let (is_null, object) = (terms.eq(pointer, null), self.object_of(pointer, terms));
                let size = terms.select(self.program.term(sizes.table), object);
                for &wanted in &sizes.stored {
                    let is_live = |t: &Term| self.program.var_of(*t).is_some_and(|var| live.contains(&var));
                    if walk::free_vars(terms, &[wanted]).iter().all(is_live) {
                        let claim = terms.eq(size, wanted);
                        found.push(terms.or(is_null, claim));
                    }
                }
                for &number in &numbers {
                    for scale in &sizes.scales {
                        let wanted = scale.applied(number, terms);
                        for claim in [terms.eq(size, wanted), terms.ule(wanted, size)] {
                            found.push(terms.or(is_null, claim));
                        }
                    }
                    let zero = terms.bv(0, sizes.width);
                    let (is_zero, points) = (terms.eq(number, zero), terms.not(is_null));
                    found.push(terms.or(points, is_zero));
                }
            }
            for &number in &numbers {
                found.extend(sizes.bounds.iter().map(|bound| terms.ule(number, *bound)).collect::<Vec<_>>());
                let others = numbers.iter().filter(|other| **other != number);
                found.extend(others.map(|other| terms.ule(number, *other)).collect::<Vec<_>>());
            }
        }
        found
    }

    /// Tables in which a number is stored for each object as it is made.
    fn sizes(&self, counters: &[Var], terms: &Store) -> Vec<Sizes> {
        let edges = self.program.main().edges.values();
        let assignments =
            || edges.clone().filter_map(|e| if let Op::Assign(pairs) = &e.op { Some(pairs) } else { None });
        let makes = |counter: Var| assignments().filter(move |pairs| pairs.iter().any(|(var, _)| *var == counter));
        let mut stored: BTreeMap<Var, BTreeSet<Term>> = BTreeMap::new();
        for &counter in counters {
            let own = self.program.term(counter);
            for &(table, value) in makes(counter).flatten() {
                if terms.op(value) == TermOp::Store && terms.arg(value, 1) == own {
                    stored.entry(table).or_default().insert(terms.arg(value, 2));
                }
            }
        }
        let roots: Vec<Term> = edges.clone().flat_map(|e| e.op.terms()).collect();
        let parts = walk::postorder(terms, &roots);
        let table = |(table, stored): (Var, BTreeSet<Term>)| {
            let Sort::Bv(width) = terms.sort(*stored.first()?) else { return None };
            let scales: BTreeSet<Scale> = stored.iter().filter_map(|size| Scale::of(terms, *size)).collect();
            let compares = |t: &&Term| terms.op(**t) == TermOp::BvUlt && terms.is_const(terms.arg(**t, 1));
            let compared = parts.iter().filter(compares).filter(|t| stored.contains(&terms.arg(**t, 0)));
            let bounds = compared.map(|t| terms.arg(*t, 1)).collect();
            (!scales.is_empty()).then_some(Sizes { table, width, scales, stored, bounds })
        };
        stored.into_iter().filter_map(table).collect()
    }
}
