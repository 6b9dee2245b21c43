//! Inner arrays: a struct with an array in it (`struct command { const char *words[8]; int count; }`, or one that ends in an array) is
//! taken apart into the array and the rest, so that a cell of the array is never a part of another member.
//!
//! Without this, an access at an index that is not known gives the whole class its stride. With it, the class has the stride in the
//! *inner array* only, and what is before and behind it is the *rest*: a class of its own as far as contents go, in which
//! all offsets are exact. Pointers, liveness and sizes know the one class only. Where the array is is a guess: it begins at the
//! least offset to which an index was added ([`super::values::Pointer::from`]), and ends where the type says that some pointer there is
//! declared with, or with the object. An access through an index that leads out of it is unsupported, and
//! engines have to show that there is none. So a class is taken apart only where that saves something: where it is not, bytes
//! that may be parts of an address are looked at (`parts.rs`), or watched (`held.rs`, `damage.rs`).

use super::congruence::Congruence;
use super::encode::{Encoder, Origins};
use super::guesses::Guesses;
use super::points_to::{Object, ObjectSource, PointsTo};
use super::values::{Class, Pointer, constant};
use crate::limits::memory::MOST_ANALYSES;
use cfa::{Edge, EdgeInfo, Lacks, LocKind, Location, Op, Program, Shape, Unmodelled};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use term::Term;

const OUTSIDE: Unmodelled = Unmodelled {
    what: Cow::Borrowed("an index that leads out of its array, to what else lies in the same object"),
    lacks: Lacks::OtherMembers,
};

/// Whether executions end here because an index leads out of its array.
pub fn is_outside_array(kind: &LocKind) -> bool {
    *kind == LocKind::Unsupported(OUTSIDE)
}

/// The bytes `[lo, hi)` of each object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Inner {
    pub(super) lo: i64,
    pub(super) hi: i64,
}

impl Inner {
    /// The object is not taken apart.
    pub(super) const ALL: Inner = Inner { lo: 0, hi: i64::MAX };

    pub(super) fn is_all(self) -> bool {
        self == Inner::ALL
    }

    /// An array that objects end in has no end of its own.
    fn is_last(self) -> bool {
        self.hi == i64::MAX
    }

    pub(super) fn has(self, at: i64) -> bool {
        (self.lo..self.hi).contains(&at)
    }

    fn covers(self, lo: i64, hi: i64) -> bool {
        self.lo <= lo && hi <= self.hi
    }

    fn misses(self, lo: i64, hi: i64) -> bool {
        hi <= self.lo || self.hi <= lo
    }

    pub(super) fn hull(self, other: Inner) -> Inner {
        Inner { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi) }
    }
}

impl PointsTo<'_> {
    /// The allocation that makes the object.
    fn made_by(&self, object: Object) -> Option<Edge> {
        match self.objects[object].source {
            ObjectSource::Alloc { edge, .. } => Some(edge),
            ObjectSource::Unknown { .. } => None,
        }
    }

    /// The allocations that make its objects.
    fn makers(&self, class: Class) -> Vec<Edge> {
        self.classes[class].objects.iter().filter_map(|o| self.made_by(*o)).collect()
    }

    /// The class should be taken apart elsewhere, or not at all.
    pub(super) fn refuse_inner(&mut self, class: Class, instead: Inner) {
        let class = self.owner_of(self.find(class));
        for edge in self.makers(class) {
            let wanted = self.wanted_inner.entry(edge).or_insert(instead);
            *wanted = wanted.hull(instead);
        }
    }

    /// An index is added for the first time to an address in the class: an array begins there.
    fn suggest_inner(&mut self, p: Pointer) {
        let info = &self.classes[p.class];
        if p.offset.is_exact() || info.stride > 0 || !info.inner.is_all() {
            return;
        }
        let edges: Option<Vec<Edge>> = info.objects.iter().map(|o| self.made_by(*o)).collect();
        let edges = edges.unwrap_or_default();
        let array = self.guesses.array_at(&edges, p.from());
        for edge in edges {
            if !self.guesses.is_known(edge) {
                self.wanted_inner.entry(edge).or_insert(array);
            }
        }
    }

    /// Two classes become one: both are taken apart at the same place, or none is.
    pub(super) fn settle_inner(&mut self, a: Class, b: Class) {
        let (in_a, in_b) = (self.classes[a].inner, self.classes[b].inner);
        if in_a == in_b {
            return;
        }
        let is_refused = |class: Class| {
            let mut edges = self.classes[class].objects.iter().map(|o| self.made_by(*o));
            edges.any(|edge| edge.is_none_or(|edge| self.guesses.is_known(edge) && self.guesses.at(edge).is_all()))
        };
        let instead = match () {
            () if is_refused(a) || is_refused(b) => Inner::ALL,
            () if in_a.is_all() => in_b,
            () if in_b.is_all() => in_a,
            () => in_a.hull(in_b),
        };
        self.refuse_inner(a, instead);
        self.refuse_inner(b, instead);
    }

    /// The class of the contents that an access touches.
    pub(super) fn touched_part(&mut self, p: Pointer, width: u32) -> Class {
        self.suggest_inner(p);
        let inner = self.classes[p.class].inner;
        match p.offset.as_exact().map(|lo| (lo, lo.saturating_add(width.into()))) {
            _ if inner.is_all() => p.class,
            Some((lo, hi)) if inner.misses(lo, hi) => self.rest(p.class),
            Some((lo, hi)) if inner.covers(lo, hi) => p.class,
            Some((lo, hi)) => self.refused(p.class, inner.hull(Inner { lo, hi })),
            None => self.at_index(p),
        }
    }

    /// The class of what an address leads to that an index was added to.
    fn at_index(&mut self, p: Pointer) -> Class {
        let inner = self.classes[p.class].inner;
        if inner.has(p.from()) {
            return p.class;
        }
        let array = self.guesses.array_at(&self.makers(p.class), p.from());
        self.refused(p.class, inner.hull(array))
    }

    fn refused(&mut self, class: Class, instead: Inner) -> Class {
        self.refuse_inner(class, instead);
        class
    }

    /// The class of the contents in a range, and that of the rest before them where it lies in both (a fill).
    pub(super) fn range_parts(&mut self, p: Pointer, len: Congruence, is_fill: bool) -> (Class, Option<Class>) {
        self.suggest_inner(p);
        let inner = self.classes[p.class].inner;
        if inner.is_all() {
            return (p.class, None);
        }
        let Some(lo) = p.offset.as_exact() else { return (self.at_index(p), None) };
        match len.as_exact().map(|len| lo.saturating_add(len)) {
            Some(hi) if inner.misses(lo, hi) => (self.rest(p.class), None),
            Some(hi) if inner.covers(lo, hi) => (p.class, None),
            None if inner.has(lo) => (p.class, None),
            _ if is_fill && inner.is_last() && (0..inner.lo).contains(&lo) => (p.class, Some(self.rest(p.class))),
            _ => (self.refused(p.class, Inner::ALL), None),
        }
    }

    fn rest(&mut self, class: Class) -> Class {
        if let Some(rest) = self.classes[class].rest {
            return self.find(rest);
        }
        let inner = self.classes[class].inner;
        let rest = self.new_rest(class, inner.is_last().then_some(inner.lo));
        self.classes[class].rest = Some(rest);
        rest
    }

    /// The class of contents before and behind the inner array, if anything there is accessed.
    pub(super) fn rest_of(&self, class: Class) -> Option<Class> {
        self.classes[self.find(class)].rest.map(|rest| self.find(rest))
    }

    /// Whether something is accessed beside an array, so that both are apart.
    pub(super) fn has_rest(&self) -> bool {
        self.classes.values().any(|class| class.rest.is_some())
    }

    /// The class that contents of the class belong to: itself, or the one that it is the rest of.
    pub(super) fn owner_of(&self, class: Class) -> Class {
        self.classes[class].whole.map_or(class, |whole| self.find(whole))
    }

    /// The class of the contents at an address that was moved by a constant.
    pub(super) fn part_at(&self, p: Pointer, constant: i64) -> Class {
        let inner = self.classes[p.class].inner;
        match p.offset.as_exact() {
            Some(at) if !inner.has(at.wrapping_add(constant)) => self.rest_of(p.class).unwrap_or(p.class),
            _ => p.class,
        }
    }

    /// Where arrays are in objects that are one struct, by the types of the variables that point there.
    fn inner_arrays(&self) -> BTreeMap<Edge, Vec<Inner>> {
        let mut found: BTreeMap<Edge, BTreeSet<(i64, i64)>> = BTreeMap::new();
        for info in self.program.vars.values() {
            let Some(p) = self.pointer(info.term).filter(|p| p.offset.as_exact() == Some(0)) else { continue };
            let shape_of = |name: String, span| Some(&**self.program.shapes.get(&(span, name))?);
            let Some(source) = &info.source else { continue };
            let own = shape_of(source.name.clone(), source.span);
            let target = shape_of(format!("*{}", source.name), source.span);
            for edge in self.makers(p.class) {
                let Op::Alloc { size, .. } = self.program.main().edges[edge].op else { continue };
                let Some(size) = self.transfer.constant(size) else { continue };
                let record = match (own, target) {
                    (Some(shape @ Shape::Record(_)), _) => shape,
                    (_, Some(Shape::Array { stride, of, .. })) if i64::try_from(*stride) == Ok(size) => of,
                    _ => continue,
                };
                let arrays = found.entry(edge).or_default();
                add_arrays(record, 0, arrays);
                arrays.retain(|(_, hi)| *hi <= size);
            }
        }
        let inner = |arrays: BTreeSet<(i64, i64)>| arrays.into_iter().map(|(lo, hi)| Inner { lo, hi }).collect();
        found.into_iter().map(|(edge, arrays)| (edge, inner(arrays))).collect()
    }

    /// Where a range that begins at the address is cut by how its objects are taken apart, counted from the address.
    fn cuts(&self, address: Term, guesses: &Guesses) -> Vec<i64> {
        let Some(p) = self.pointer(address) else { return Vec::new() };
        let Some(at) = p.offset.as_exact() else { return Vec::new() };
        let inner = self.makers(p.class).into_iter().map(|edge| guesses.at(edge)).find(|inner| !inner.is_all());
        let ends = inner.map(|inner| [inner.lo, inner.hi]).into_iter().flatten();
        ends.filter(|end| *end != i64::MAX).map(|end| end - at).collect()
    }

    /// Whether a copy may read what it wrote.
    fn may_overlap(&self, dst: Term, src: Term, len: i64) -> bool {
        let (Some(dst), Some(src)) = (self.pointer(dst), self.pointer(src)) else { return true };
        let apart = || Some((dst.offset.as_exact()? - src.offset.as_exact()?).abs());
        dst.class == src.class && apart().is_none_or(|apart| 0 < apart && apart < len)
    }

    /// The program with copies and fills of known length in several steps, where they begin or end in the middle of what is taken apart.
    fn with_cuts(&self, guesses: &Guesses) -> Program {
        let mut program = self.program.clone();
        for (id, edge) in self.program.main().edges.iter() {
            let (Op::Copy { dst, len, .. } | Op::Fill { dst, len, .. }) = edge.op else { continue };
            let Some(end) = constant(&self.program.terms, len) else { continue };
            let mut cuts = self.cuts(dst, guesses);
            if let Op::Copy { src, .. } = edge.op {
                if self.may_overlap(dst, src, end) {
                    continue;
                }
                cuts.extend(self.cuts(src, guesses));
            }
            let mut cuts: BTreeSet<i64> = cuts.into_iter().filter(|cut| (1..end).contains(cut)).collect();
            if !cuts.is_empty() {
                cuts.extend([0, end]);
                in_steps(&mut program, id, &cuts.into_iter().collect::<Vec<_>>());
            }
        }
        program
    }
}

/// Arrays in what has the shape; of arrays in arrays the outer one.
fn add_arrays(shape: &Shape, at: i64, found: &mut BTreeSet<(i64, i64)>) {
    match shape {
        Shape::Scalar(_) => {}
        Shape::Record(members) => {
            for (_, offset, member) in members {
                add_arrays(member, at.saturating_add_unsigned(*offset), found);
            }
        }
        Shape::Array { stride, count, .. } => {
            found.insert((at, at.saturating_add_unsigned(stride.saturating_mul(*count))));
        }
    }
}

/// Moves the bytes from each cut to the next by an edge of its own.
fn in_steps(program: &mut Program, id: Edge, cuts: &[i64]) {
    let EdgeInfo { to, op, span, site, .. } = program.main().edges[id].clone();
    let width = program.machine.pointer_bits();
    let mut steps = Vec::new();
    for range in cuts.windows(2) {
        let terms = &mut program.terms;
        let by = terms.bv_signed(range[0].into(), width);
        let bytes = terms.bv_signed((range[1] - range[0]).into(), width);
        steps.push(match op {
            Op::Copy { dst, src, .. } => Op::Copy { dst: terms.add(dst, by), src: terms.add(src, by), len: bytes },
            Op::Fill { dst, value, .. } => Op::Fill { dst: terms.add(dst, by), value, len: bytes },
            _ => unreachable!("only copies and fills are cut"),
        });
    }
    let entry = program.entry;
    let function = &mut program.functions[entry];
    let frame = function.locs[function.edges[id].from].frame;
    let last = steps.len() - 1;
    let mut edge = id;
    for (n, op) in steps.into_iter().enumerate() {
        let next = if n == last { to } else { function.locs.push(Location { frame, ..Location::plain(span) }) };
        if n == 0 {
            function.edges[id].op = op;
            function.edges[id].to = next;
        } else {
            let from = function.edges[edge].to;
            edge = function.edges.push(EdgeInfo { from, to: next, op, span, site });
        }
    }
}

/// The program to be analysed with objects taken apart as guessed, where the analysis allows it; `None` if there is nothing to take apart.
/// Where types say nothing, an array may begin anywhere and be the last: that is not guessed where `only_typed`.
pub(super) fn taken_apart(whole: &PointsTo<'_>, only_typed: bool) -> Option<(Program, Guesses)> {
    let mut guesses = Guesses::of_arrays(whole.inner_arrays(), only_typed, whole.guesses.scaled.clone());
    guesses.guess(whole.wanted_inner.iter().map(|(edge, last)| (*edge, guesses.array_at(&[*edge], last.lo))).collect());
    for _ in 0..MOST_ANALYSES {
        if guesses.takes_nothing_apart() {
            return None;
        }
        let program = whole.with_cuts(&guesses);
        let wanted = PointsTo::analyse(&program, &guesses, &[]).wanted_inner;
        if wanted.is_empty() {
            return Some((program, guesses));
        }
        guesses.guess(wanted);
    }
    None
}

impl Encoder<'_> {
    /// Only where `len` bytes from the address on are in the inner array that they are taken to be in: what has come so far goes on
    /// from there.
    pub(super) fn in_array(&mut self, address: Term, len: Term, at: Origins) -> Origins {
        let Some(p) = self.points.pointer(address) else { return at };
        let inner = self.points.classes[p.class].inner;
        let known = constant(&self.program.terms, len);
        let is_settled = match p.offset.as_exact() {
            Some(lo) => !inner.has(lo) || inner.is_last() || known.is_some_and(|len| inner.covers(lo, lo + len)),
            None => inner.is_all(),
        };
        if is_settled {
            return at;
        }
        let machine = self.program.machine;
        let (address, len) = (self.rewrite(address), self.rewrite(len));
        let terms = &mut self.program.terms;
        let width = machine.pointer_bits();
        let offset = terms.extract(address, machine.offset_bits - 1, 0);
        let offset = terms.zext_to(offset, width);
        let lo = terms.bv_signed(inner.lo.into(), width);
        let is_inside = if inner.is_last() {
            terms.ule(lo, offset)
        } else {
            let bytes = terms.bv_signed((inner.hi - inner.lo).into(), width);
            let index = terms.sub(offset, lo);
            let fits = terms.ule(len, bytes);
            let most = terms.sub(bytes, len);
            let is_before = terms.ule(index, most);
            terms.and(fits, is_before)
        };
        let some = terms.nonzero(len);
        let none = terms.not(some);
        let is_inside = terms.or(none, is_inside);
        self.only_where(is_inside, OUTSIDE, at)
    }

    /// Executions in which the condition does not hold end here, unsupported.
    pub(super) fn only_where(&mut self, condition: Term, otherwise: impl Into<Unmodelled>, at: Origins) -> Origins {
        self.only_where_else(condition, LocKind::Unsupported(otherwise.into()), at)
    }

    /// Executions in which the condition does not hold end otherwise.
    pub(super) fn only_where_else(&mut self, condition: Term, otherwise: LocKind, at: Origins) -> Origins {
        let not = self.program.terms.not(condition);
        if self.program.terms.as_bool_const(not) == Some(false) {
            return at;
        }
        let end = self.new_end(at.from, otherwise);
        let next = self.new_loc(at.from);
        self.add_edge(at.from, end, Op::Assume(not), &at);
        self.add_edge(at.from, next, Op::Assume(condition), &at);
        Origins { from: next, ..at }
    }
}
