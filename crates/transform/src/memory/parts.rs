//! Parts of addresses: what a program sees of a pointer in memory that it reads byte by byte, as an integer or as a
//! float, by loads that lowering has marked (`VarInfo::raw`). The bytes are those of our own numbering of objects, which no machine has. So a program may copy them, whoever does it:
//! a pointer that was copied is a pointer. Where a condition, an index or a length depends on one of them the program is unsupported.
//! Whether a whole word is zero is known, though: no object lies there.
//!
//! The analysis follows parts from the loads that may read them through terms, assignments and cells of memory.

use super::address::Sum;
use super::points_to::{Node, PointsTo, node};
use super::relevance::Loose;
use super::values::Class;
use base::Id;
use cfa::{Edge, Op as EdgeOp};
use std::collections::{BTreeMap, BTreeSet};
use term::{Op, Sort, Term};

pub(super) const WHAT: &str = "a part of an address that is read from memory, which depends on where objects lie";

/// How much of an address a value or a cell may hold.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Taken {
    Nothing,
    /// All of its bytes, as they are, or none: a word that is a pointer or a number.
    Whole,
    /// Some of its bytes, as they are.
    Bytes,
    /// Something that was computed from such bytes.
    Computed,
}

/// Where parts of addresses matter.
#[derive(Clone, Debug, Default)]
pub(super) struct Parts {
    /// Edges that depend on one.
    pub(super) seen: BTreeSet<Edge>,
    /// Loads of pointers that may have been put together from bytes, with their classes.
    pub(super) rebuilt: BTreeMap<Edge, Class>,
}

impl Parts {
    pub(super) fn of(points: &PointsTo<'_>, loose: &[Loose]) -> Parts {
        let taken = Flow::run(points);
        if taken.iter().all(|t| *t == Taken::Nothing) {
            return Parts::default();
        }
        let store = &points.program.terms;
        let holds = |t: Term| taken[t.index()] > Taken::Nothing;
        let is_zero = |t: Term| store.as_bv_const(t).is_some_and(|bits| bits.to_u64() == Some(0));
        let is_null_test = |t: Term| {
            let pair = |word: Term, zero: Term| taken[word.index()] == Taken::Whole && is_zero(zero);
            matches!((store.op(t), store.args(t)), (Op::Eq, &[a, b]) if pair(a, b) || pair(b, a))
        };
        let compares =
            |t: Term| store.sort(t) == Sort::Bool && store.args(t).iter().any(|a| holds(*a)) && !is_null_test(t);
        // What is rebuilt as a number may be an address; an index may not.
        let indexes = |t: Term| {
            let others = |sum: Sum| {
                sum.atoms.iter().any(|(k, a)| holds(*a) && *k != 1)
                    || sum.atoms.iter().any(|(_, a)| !holds(*a) && !points.pointees(*a, loose).is_empty())
            };
            holds(t) && Sum::of(store, t).is_none_or(others)
        };
        let mut parts = Parts::default();
        for (id, edge) in points.program.main().edges.iter() {
            let depends = match &edge.op {
                EdgeOp::Load { addr, .. }
                | EdgeOp::Store { addr, .. }
                | EdgeOp::Free { addr }
                | EdgeOp::Dead { addr } => indexes(*addr),
                EdgeOp::Copy { dst, src, len } => indexes(*dst) || indexes(*src) || holds(*len),
                EdgeOp::Fill { dst, value, len } => indexes(*dst) || holds(*value) || holds(*len),
                EdgeOp::Alloc { size, .. } => holds(*size),
                EdgeOp::Print { .. } | EdgeOp::Escape { .. } => continue,
                _ => false,
            };
            if depends || term::postorder(store, &edge.op.terms()).into_iter().any(compares) {
                parts.seen.insert(id);
            } else if let EdgeOp::Load { addr, bytes, .. } = edge.op
                && bytes == points.program.machine.pointer_bytes()
                && let Some((contents, class)) = points.loaded_from(addr, bytes)
                && matches!(taken[contents.index()], Taken::Whole | Taken::Bytes)
            {
                parts.rebuilt.insert(id, class);
            }
        }
        parts
    }
}

/// Follows parts until nothing changes.
struct Flow<'a> {
    points: &'a PointsTo<'a>,
    taken: Vec<Taken>,
    /// Cells in which the bytes of several words may be mixed, or that such bytes are copied to.
    mixed: BTreeSet<Node>,
    work: Vec<usize>,
}

impl<'a> Flow<'a> {
    /// Indexed by node.
    fn run(points: &'a PointsTo<'a>) -> Vec<Taken> {
        let taken = vec![Taken::Nothing; points.node_count()];
        let mut this = Flow { points, taken, mixed: mixed(points), work: Vec::new() };
        for contents in points.cells_with_addresses() {
            for (to, part) in points.flows_with_parts(contents) {
                match points.is_term(to) {
                    true if points.is_raw(to) => this.reach(to.index(), this.read(contents, part, Taken::Whole)),
                    false if part => this.reach(to.index(), Taken::Computed),
                    _ => {}
                }
            }
        }
        while let Some(n) = this.work.pop() {
            this.pass_on(n);
        }
        this.taken
    }

    /// What is left of what a cell holds where it is read, or copied.
    fn read(&self, contents: Node, part: bool, taken: Taken) -> Taken {
        if part || self.mixed.contains(&contents) { taken.max(Taken::Bytes) } else { taken }
    }

    fn reach(&mut self, n: usize, taken: Taken) {
        if self.taken[n] < taken {
            self.taken[n] = taken;
            self.work.push(n);
        }
    }

    fn pass_on(&mut self, n: usize) {
        let from = Node::new(n);
        let from_memory = !self.points.is_term(from);
        for (to, part) in self.points.flows_with_parts(from).collect::<Vec<_>>() {
            let taken = self.read(from, part, self.taken[n]);
            // Bytes that were copied are a pointer again, as a whole, unless a number is read.
            let is_whole = from_memory && self.points.is_term(to) && !part && !self.points.is_raw(to);
            if !is_whole || taken == Taken::Computed {
                self.reach(to.index(), taken);
            }
        }
        if from_memory {
            return;
        }
        let (store, taken) = (&self.points.program.terms, self.taken[n]);
        for &user in self.points.users_of(n) {
            if matches!(store.sort(user), Sort::Bool | Sort::Array(_)) {
                continue;
            }
            let is_choice = store.op(user) == Op::Ite;
            self.reach(node(user).index(), if is_choice { taken } else { Taken::Computed });
        }
    }
}

/// The cells of which not every access takes the same whole word, and those that they are copied to.
fn mixed(points: &PointsTo<'_>) -> BTreeSet<Node> {
    let mut found = BTreeSet::new();
    let mut work = points.cells_of_several_words();
    while let Some(n) = work.pop() {
        if found.insert(n) {
            work.extend(points.flows_with_parts(n).map(|(to, _)| to).filter(|to| !points.is_term(*to)));
        }
    }
    found
}
