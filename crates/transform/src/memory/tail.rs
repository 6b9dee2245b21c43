//! Head and tail: a struct that ends in an array (`struct string { struct allocator *by; size_t len; char bytes[]; }`) is taken
//! apart where the array begins, so that a byte of the array is never a byte of the pointer before it.
//!
//! Without this, an access at an index that is not known gives the whole class its stride. With it, the class has the stride
//! from its *tail* on, and what comes before is the *head*: a class of its own as far as contents go, in which all offsets are
//! exact. Pointers, liveness and sizes know the one class only. Where the array begins is a guess, the least offset to
//! which an index was added ([`super::values::Pointer::from`]). An access through an index that gets before it is unsupported, and
//! engines have to show that there is none. So a class is taken apart only where that saves something: where it is not, bytes
//! that may be parts of an address are looked at (`parts.rs`).

use super::congruence::Congruence;
use super::encode::{Encoder, Origins};
use super::points_to::{Object, ObjectSource, PointsTo};
use super::values::{Class, Pointer};
use crate::limits::memory::MOST_ANALYSES;
use cfa::{Edge, LocKind, Op, Unmodelled};
use std::collections::BTreeMap;
use term::Term;

const BEFORE: &str = "an index that leads out of its array, to what lies before it in the same object";

/// Where the objects of allocations are taken apart, by the edges that allocate. 0: they are not, and should not be.
pub(super) type Tails = BTreeMap<Edge, i64>;

impl PointsTo<'_> {
    /// The allocation that makes the object.
    fn made_by(&self, object: Object) -> Option<Edge> {
        match self.objects[object].source {
            ObjectSource::Alloc { edge, .. } => Some(edge),
            ObjectSource::Unknown { .. } => None,
        }
    }

    /// The class should be taken apart elsewhere, or not at all (0).
    pub(super) fn refuse_tail(&mut self, class: Class, instead: i64) {
        let class = self.owner_of(self.find(class));
        let edges: Vec<Edge> = self.classes[class].objects.iter().filter_map(|o| self.made_by(*o)).collect();
        for edge in edges {
            let wanted = self.wanted_tails.entry(edge).or_insert(instead);
            *wanted = instead.min(*wanted);
        }
    }

    /// An index is added for the first time to an address in the class: an array begins there.
    fn suggest_tail(&mut self, p: Pointer) {
        let info = &self.classes[p.class];
        if p.offset.is_exact() || info.stride > 0 || info.tail > 0 {
            return;
        }
        let edges: Option<Vec<Edge>> = info.objects.iter().map(|o| self.made_by(*o)).collect();
        for edge in edges.into_iter().flatten() {
            if !self.tails.contains_key(&edge) {
                self.wanted_tails.entry(edge).or_insert(p.from());
            }
        }
    }

    /// Two classes become one: both are taken apart at the same place, or none is.
    pub(super) fn settle_tails(&mut self, a: Class, b: Class) {
        let (at_a, at_b) = (self.classes[a].tail, self.classes[b].tail);
        if at_a == at_b {
            return;
        }
        let is_refused = |class: Class| {
            let mut edges = self.classes[class].objects.iter().map(|o| self.made_by(*o));
            edges.any(|edge| edge.is_none_or(|edge| self.tails.get(&edge) == Some(&0)))
        };
        let instead = match at_a.min(at_b) {
            0 if is_refused(a) || is_refused(b) => 0,
            0 => at_a.max(at_b),
            least => least,
        };
        self.refuse_tail(a, instead);
        self.refuse_tail(b, instead);
    }

    /// The class of the contents that an access touches.
    pub(super) fn touched_part(&mut self, p: Pointer, width: u32) -> Class {
        self.suggest_tail(p);
        let tail = self.classes[p.class].tail;
        match p.offset.as_exact() {
            _ if tail == 0 => p.class,
            Some(lo) if lo.saturating_add(width.into()) <= tail => self.head(p.class),
            Some(lo) if lo >= tail => p.class,
            None if p.from() >= tail => p.class,
            _ => {
                self.refuse_tail(p.class, p.from());
                p.class
            }
        }
    }

    /// The class of the contents in a range, and that of the head before them where it lies in both (a fill).
    pub(super) fn range_parts(&mut self, p: Pointer, len: Congruence, is_fill: bool) -> (Class, Option<Class>) {
        self.suggest_tail(p);
        let tail = self.classes[p.class].tail;
        match p.offset.as_exact() {
            _ if tail == 0 => (p.class, None),
            Some(lo) if lo >= tail => (p.class, None),
            Some(lo) if len.as_exact().is_some_and(|len| lo.saturating_add(len) <= tail) => (self.head(p.class), None),
            Some(lo) if is_fill && lo >= 0 => (p.class, Some(self.head(p.class))),
            None if p.from() >= tail => (p.class, None),
            None => {
                self.refuse_tail(p.class, p.from());
                (p.class, None)
            }
            Some(_) => {
                self.refuse_tail(p.class, 0);
                (p.class, None)
            }
        }
    }

    fn head(&mut self, class: Class) -> Class {
        if let Some(head) = self.classes[class].head {
            return self.find(head);
        }
        let head = self.new_head(class);
        self.classes[class].head = Some(head);
        head
    }

    /// The class of contents before the tail, if anything there is accessed.
    pub(super) fn head_of(&self, class: Class) -> Option<Class> {
        self.classes[self.find(class)].head.map(|head| self.find(head))
    }

    /// The class that contents of the class belong to: itself, or the one that it is the head of.
    pub(super) fn owner_of(&self, class: Class) -> Class {
        self.classes[class].whole.map_or(class, |whole| self.find(whole))
    }

    /// The class of the contents at an address that was moved by a constant, and perhaps by a counter.
    pub(super) fn part_at(&self, p: Pointer, constant: i64, is_counted: bool) -> Class {
        let tail = self.classes[p.class].tail;
        let exact = p.offset.as_exact().filter(|_| !is_counted).map(|at| at.wrapping_add(constant));
        match exact {
            Some(at) if at < tail => self.head_of(p.class).unwrap_or(p.class),
            _ => p.class,
        }
    }
}

/// Takes classes apart where the analysis allows it; `None` if there are none.
pub(super) fn with_tails<'a>(program: &'a cfa::Program, whole: &PointsTo<'a>) -> Option<PointsTo<'a>> {
    let mut tails = whole.wanted_tails.clone();
    for _ in 0..MOST_ANALYSES {
        if tails.values().all(|tail| *tail == 0) {
            return None;
        }
        let points = PointsTo::analyse(program, &tails, &[]);
        if points.wanted_tails.is_empty() {
            return Some(points);
        }
        tails.extend(points.wanted_tails);
    }
    None
}

impl Encoder<'_> {
    /// Only where the address is in the tail that it is taken to be in: what has come so far goes on from there.
    pub(super) fn in_tail(&mut self, address: Term, at: Origins) -> Origins {
        let Some(p) = self.points.pointer(address).filter(|p| !p.offset.is_exact()) else { return at };
        let tail = self.points.classes[p.class].tail;
        if tail == 0 {
            return at;
        }
        let machine = self.program.machine;
        let address = self.rewrite(address);
        let terms = &mut self.program.terms;
        let offset = terms.extract(address, machine.offset_bits - 1, 0);
        let begin = terms.bv_signed(tail.into(), machine.offset_bits);
        let is_inside = terms.ule(begin, offset);
        self.only_where(is_inside, BEFORE, at)
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
