//! Parts of addresses: what a program sees of a pointer in memory that it reads byte by byte, as an integer or as a
//! float, by loads that lowering has marked (`VarInfo::raw`). The bytes are those of our own numbering of objects, which no
//! machine has. So a program may copy whole words: a pointer that was copied is a pointer. What was put together from single bytes
//! is none that we know: bytes of two addresses, or bytes in another order, may look like an address in our numbering. Where a
//! condition, an index or a length depends on a part the program is unsupported. Whether a whole word is zero is known, though: no
//! object lies there.
//!
//! Who proves or looks for errors may take the answer for any instead (`open_parts.rs`).
//!
//! The analysis follows parts from the loads that may read them through terms, assignments and cells of memory.

use super::address::Sum;
use super::points_to::{Node, PointsTo, node};
use super::relevance::{self, Loose};
use super::values::Class;
use base::Id;
use cfa::{Edge, Lacks, Op as EdgeOp, Unmodelled};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use term::{Op, Sort, Term};

/// Why executions end where nothing is known of a part.
pub(super) const WHAT: Unmodelled = Unmodelled {
    what: Cow::Borrowed("a part of an address that is read from memory, which depends on where objects lie"),
    lacks: Lacks::AddressParts,
};

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
    /// Loads of pointers that may have been copied as words that are no pointers, with their classes; with none where they may
    /// have been put together from bytes.
    pub(super) rebuilt: BTreeMap<Edge, Option<Class>>,
    /// Loads of words that are numbers only: no address is made of them but by way of memory, and what is stored there was
    /// computed from them and is no pointer that we know.
    pub(super) numbers: BTreeSet<Edge>,
}

impl Parts {
    pub(super) fn of(points: &PointsTo<'_>, loose: &[Loose]) -> Parts {
        Parts::by(&Looks::of(points, loose))
    }

    pub(super) fn by(looks: &Looks<'_>) -> Parts {
        let points = looks.points;
        let mut parts = Parts::default();
        if looks.is_none() {
            return parts;
        }
        let store = &points.program.terms;
        let kept = looks.kept();
        for (id, edge) in points.program.main().edges.iter() {
            if let EdgeOp::Load { dst, .. } = edge.op
                && points.program.vars[dst].raw
                && !kept[points.program.term(dst).index()]
            {
                parts.numbers.insert(id);
            }
            if matches!(edge.op, EdgeOp::Print { .. } | EdgeOp::Escape { .. }) {
                continue;
            }
            if looks.depends(&edge.op)
                || term::postorder(store, &edge.op.terms()).into_iter().any(|t| looks.compares(t))
            {
                parts.seen.insert(id);
            } else if let EdgeOp::Load { dst, addr, bytes } = edge.op
                && bytes == points.program.machine.pointer_bytes()
                && points.program.vars[dst].sort.bv_width().is_some()
                && let Some((contents, class)) = points.loaded_from(addr, bytes)
                && looks.taken[contents.index()] != Taken::Nothing
                && !parts.numbers.contains(&id)
            {
                let is_whole = looks.taken[contents.index()] == Taken::Whole;
                parts.rebuilt.insert(id, is_whole.then_some(class));
            }
        }
        parts
    }
}

/// How an edge looks at parts of addresses.
pub(super) struct Look {
    /// By these of its terms: with other variables in them, it looks at none.
    pub(super) terms: Vec<Term>,
    /// The variables in them that hold parts.
    pub(super) parts: Vec<Term>,
}

/// What of the program looks at parts of addresses.
pub(super) struct Looks<'a> {
    points: &'a PointsTo<'a>,
    loose: &'a [Loose],
    /// Indexed by node.
    taken: Vec<Taken>,
}

impl<'a> Looks<'a> {
    pub(super) fn of(points: &'a PointsTo<'a>, loose: &'a [Loose]) -> Looks<'a> {
        Looks { points, loose, taken: Flow::run(points) }
    }

    fn is_none(&self) -> bool {
        self.taken.iter().all(|t| *t == Taken::Nothing)
    }

    fn holds(&self, t: Term) -> bool {
        self.taken[t.index()] > Taken::Nothing
    }

    /// Terms whose values may become addresses, or are stored as they are. Indexed by term.
    fn kept(&self) -> Vec<bool> {
        let program = self.points.program;
        let mut targets = Vec::new();
        for edge in program.main().edges.values() {
            targets.extend(relevance::addresses(&edge.op));
            if let EdgeOp::Store { value, .. } = edge.op
                && self.taken[value.index()] != Taken::Computed
            {
                targets.push(value);
            }
        }
        relevance::flowing_into(program, targets)
    }

    fn is_null_test(&self, t: Term) -> bool {
        let store = &self.points.program.terms;
        let is_zero = |t: Term| store.as_bv_const(t).is_some_and(|bits| bits.to_u64() == Some(0));
        let pair = |word: Term, zero: Term| self.taken[word.index()] == Taken::Whole && is_zero(zero);
        matches!((store.op(t), store.args(t)), (Op::Eq, &[a, b]) if pair(a, b) || pair(b, a))
    }

    /// Whether the term asks something of a part.
    fn compares(&self, t: Term) -> bool {
        let store = &self.points.program.terms;
        store.sort(t) == Sort::Bool && store.args(t).iter().any(|a| self.holds(*a)) && !self.is_null_test(t)
    }

    /// The parts that an address is computed with, beside what it is the address of; `None` if that cannot be told. What is
    /// rebuilt as a number may be an address; an index may not.
    fn indices(&self, addr: Term) -> Option<Vec<Term>> {
        if !self.holds(addr) {
            return Some(Vec::new());
        }
        let atoms = Sum::of(&self.points.program.terms, addr)?.atoms;
        let has_base = atoms.iter().any(|(_, a)| !self.holds(*a) && !self.points.pointees(*a, self.loose).is_empty());
        let is_index = |(k, a): &(i64, Term)| self.holds(*a) && (*k != 1 || has_base);
        let (indices, rest): (Vec<_>, Vec<_>) = atoms.into_iter().partition(is_index);
        let is_rebuilt = rest.iter().any(|(_, a)| self.holds(*a));
        match (indices.is_empty(), has_base || is_rebuilt) {
            (true, _) if has_base => None,
            (false, false) => None,
            _ => Some(indices.into_iter().map(|(_, a)| a).collect()),
        }
    }

    /// The addresses of an edge, and the other numbers that it goes by.
    fn operands(op: &EdgeOp) -> (Vec<Term>, Vec<Term>) {
        match op {
            EdgeOp::Load { addr, .. } | EdgeOp::Store { addr, .. } | EdgeOp::Free { addr } | EdgeOp::Dead { addr } => {
                (vec![*addr], Vec::new())
            }
            EdgeOp::Copy { dst, src, len } => (vec![*dst, *src], vec![*len]),
            EdgeOp::Fill { dst, value, len } => (vec![*dst], vec![*value, *len]),
            EdgeOp::Alloc { size, .. } => (Vec::new(), vec![*size]),
            _ => (Vec::new(), Vec::new()),
        }
    }

    fn depends(&self, op: &EdgeOp) -> bool {
        let (addresses, numbers) = Looks::operands(op);
        addresses.into_iter().any(|t| self.indices(t).is_none_or(|found| !found.is_empty()))
            || numbers.into_iter().any(|t| self.holds(t))
    }

    /// How an edge looks at parts; `None` if that cannot be told.
    pub(super) fn looking(&self, op: &EdgeOp) -> Option<Look> {
        let (addresses, numbers) = Looks::operands(op);
        if matches!(op, EdgeOp::Fill { value, .. } if self.holds(*value)) {
            return None;
        }
        let mut found: Vec<Term> = numbers.into_iter().filter(|t| self.holds(*t)).collect();
        for t in addresses {
            found.extend(self.indices(t)?);
        }
        let store = &self.points.program.terms;
        let all = term::postorder(store, &op.terms());
        found.extend(all.into_iter().filter(|t| self.compares(*t)));
        let parts = term::free_vars(store, &found).into_iter().filter(|v| self.holds(*v)).collect();
        Some(Look { terms: found, parts })
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
