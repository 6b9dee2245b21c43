//! Scaled indices: `a[i].member` with an index as wide as a pointer.
//!
//! `24·i` may wrap around, and of what has wrapped only the power of two is known: all members of a struct of 24 bytes then share the
//! cells of a stride of 8. Where that costs something (an address and a number in the same cells), the program is analysed
//! again as if such products did not wrap. That is a guess: before each edge with such a product, executions in which the index
//! reaches too far are unsupported, and engines have to show that there are none. What a program checks of its indices (in bounds,
//! below a count) is far stronger.

use super::encode::{Encoder, Origins};
use super::points_to::PointsTo;
use super::values::constant;
use crate::limits::memory::MOST_SCALED;
use cfa::{Edge, Op, Program};
use std::collections::{BTreeMap, BTreeSet};
use term::{Op as TermOp, Store, Term};

const TOO_FAR: &str = "an index so large that the address wraps around";
/// Bits of an address above what products take: sums of a few of them do not wrap either.
const SPARE_BITS: u32 = 3;

/// A number that fits into so many bits, as a signed one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Index {
    pub(super) term: Term,
    pub(super) bits: u32,
}

/// Products that are taken not to wrap, with the index in each.
#[derive(Clone, Debug, Default)]
pub(super) struct Scaled {
    products: BTreeMap<Term, Index>,
}

impl Scaled {
    pub(super) fn is_empty(&self) -> bool {
        self.products.is_empty()
    }

    /// The bits of a product, if it is one of these.
    pub(super) fn bits(&self, store: &Store, t: Term) -> Option<u32> {
        let index = self.products.get(&t)?;
        let (_, scale) = scaled(store, t)?;
        Some(index.bits + bits_of(scale))
    }

    /// The indices in products of the terms.
    pub(super) fn indices(&self, store: &Store, terms: &[Term]) -> BTreeSet<Index> {
        if self.is_empty() {
            return BTreeSet::new();
        }
        let inside = term::postorder(store, terms);
        inside.into_iter().filter_map(|t| self.products.get(&t).copied()).collect()
    }

    /// Those that edges rely on. What an assumption compares says nothing of where addresses lead.
    pub(super) fn of_edges(&self, program: &Program) -> BTreeMap<Edge, BTreeSet<Index>> {
        if self.is_empty() {
            return BTreeMap::new();
        }
        let edges = program.main().edges.iter().filter(|(_, edge)| !matches!(edge.op, Op::Assume(_)));
        let found = edges.map(|(id, edge)| (id, self.indices(&program.terms, &edge.op.terms())));
        found.filter(|(_, indices)| !indices.is_empty()).collect()
    }
}

/// `index · scale`.
fn scaled(store: &Store, t: Term) -> Option<(Term, i64)> {
    match store.op(t) {
        TermOp::BvMul => Some((store.arg(t, 0), constant(store, store.arg(t, 1))?)),
        _ => None,
    }
}

/// Bits for products with a scale.
fn bits_of(scale: i64) -> u32 {
    64 - (scale.unsigned_abs() - 1).leading_zeros()
}

impl PointsTo<'_> {
    /// Products in addresses that may wrap, and of which more is known where they do not.
    pub(super) fn may_wrap(&self) -> Scaled {
        let store = &self.program.terms;
        let mut found = Scaled::default();
        let pointers = self.order.iter().filter(|t| self.pointer(**t).is_some_and(|p| !p.mangled));
        let mut work: Vec<Term> = pointers.copied().collect();
        let mut seen: BTreeSet<Term> = BTreeSet::new();
        while let Some(t) = work.pop() {
            if !seen.insert(t) {
                continue;
            }
            match store.op(t) {
                TermOp::BvAdd | TermOp::BvNeg => work.extend(store.args(t)),
                TermOp::BvMul if let Some(index) = self.index_in(t) => {
                    found.products.insert(t, index);
                }
                _ => {}
            }
        }
        if found.products.len() > MOST_SCALED { Scaled::default() } else { found }
    }

    fn index_in(&self, product: Term) -> Option<Index> {
        let store = &self.program.terms;
        let (term, scale) = scaled(store, product)?;
        let width = self.program.machine.pointer_bits();
        let may_wrap = store.width(product) == width && !self.transfer.is_without_wrapping(product);
        // A scale that is a power of two stays as it is; a variable that a quantifier binds has no value on an edge.
        let is_worth_it = !scale.unsigned_abs().is_power_of_two() && scale != 0;
        let is_free = || term::free_vars(store, &[term]).iter().all(|t| self.program.var_of(*t).is_some());
        let bits =
            width.checked_sub(SPARE_BITS + bits_of(scale)).filter(|bits| *bits > self.transfer.offset_bits / 2)?;
        (may_wrap && is_worth_it && is_free()).then_some(Index { term, bits })
    }
}

impl Encoder<'_> {
    /// Only where the indices on the edge do not reach too far: what has come so far goes on from there.
    pub(super) fn in_reach(&mut self, id: Edge, mut at: Origins) -> Origins {
        for Index { term, bits } in self.scaled.get(&id).cloned().unwrap_or_default() {
            let index = self.rewrite(term);
            let terms = &mut self.program.terms;
            let width = terms.width(index);
            let most = terms.bv(1 << (bits - 1), width);
            let least = terms.neg(most);
            let (from, to) = (terms.sle(least, index), terms.slt(index, most));
            let is_near = terms.and(from, to);
            at = self.only_where(is_near, TOO_FAR, at);
        }
        at
    }
}
