//! `_Bool`s in memory that only `_Bool`s are written to. Where a program writes to some memory of `_Bool`s as to another type,
//! lowering has every `_Bool` that is read checked to be 0 or 1. Where no other write can touch the byte there is nothing to check: what
//! was there at first, or comes from outside, is taken as it is, as in programs without such writes.
//!
//! Bytes and variables are believed to hold only 0 and 1 until something else gets into them: a wider store, another
//! number, a copy. What is not believed to stays checked. Two accesses to a class touch the same byte unless their offsets
//! say otherwise: cells would be too coarse where arrays give the class a stride.

use super::address::Sum;
use super::congruence::{Congruence, gcd};
use super::points_to::{ObjectInfo, ObjectSource, PointsTo};
use super::values::Class;
use cfa::{Edge, LocKind, OTHER_TRUTH, Op as EdgeOp, Origin};
use std::collections::{BTreeMap, BTreeSet};
use term::{Op, Term};

/// Edges of checks that hold, with what becomes of their conditions.
pub(super) fn settled(points: &PointsTo<'_>) -> BTreeMap<Edge, bool> {
    let checks = Check::all(points);
    if checks.is_empty() {
        return BTreeMap::new();
    }
    let truths = Truths::of(points);
    let holds = |check: &&Check| !truths.others.contains(&check.value) && truths.is_loaded(check.value);
    checks.iter().filter(holds).flat_map(|check| [(check.passes, true), (check.fails, false)]).collect()
}

/// The two ways on after a load.
struct Check {
    value: Term,
    passes: Edge,
    fails: Edge,
}

impl Check {
    fn all(points: &PointsTo<'_>) -> Vec<Check> {
        let function = points.program.main();
        let store = &points.program.terms;
        let refuses = |edge: Edge| {
            let to = function.edges[edge].to;
            matches!(&function.locs[to].kind, LocKind::BoundHit(what) if what == OTHER_TRUTH)
        };
        let guard = |edge: Edge| match function.edges[edge].op {
            EdgeOp::Assume(t) => Some(t),
            _ => None,
        };
        let mut found = Vec::new();
        for leaving in function.successors().values() {
            let (passes, fails) = match leaving[..] {
                [a, b] if refuses(b) && !refuses(a) => (a, b),
                [a, b] if refuses(a) && !refuses(b) => (b, a),
                _ => continue,
            };
            let (Some(passed), Some(failed)) = (guard(passes), guard(fails)) else { continue };
            if let [value] = term::free_vars(store, &[passed, failed])[..] {
                found.push(Check { value, passes, fails });
            }
        }
        found
    }
}

/// Where bytes are accessed, from the start of an object of the class.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    /// None: memory of its own behind a pointer of which nothing is known.
    class: Option<Class>,
    r: i64,
    m: u64,
}

struct Truths<'a> {
    points: &'a PointsTo<'a>,
    /// Variables that hold what was given from outside, and nothing computed or loaded.
    starts: BTreeSet<Term>,
    /// Variables that may hold something else.
    others: BTreeSet<Term>,
    /// Classes whose bytes may all be something else.
    classes: BTreeSet<Option<Class>>,
    /// Writes of so many bytes of something else.
    writes: BTreeMap<Option<Class>, BTreeSet<(Place, u32)>>,
}

impl<'a> Truths<'a> {
    fn of(points: &'a PointsTo<'a>) -> Truths<'a> {
        let (starts, classes) = (given(points), written_outside(points));
        let mut this = Truths { points, starts, others: BTreeSet::new(), classes, writes: BTreeMap::new() };
        while this.spread() {}
        this
    }

    fn place(&self, addr: Term) -> Place {
        let (class, offset) = match self.points.pointer(addr) {
            Some(pointer) => {
                let class = self.points.owner_of(pointer.class);
                // Offsets into what was taken apart count from two places.
                let is_whole = self.points.rest_of(class).is_none();
                (Some(class), if is_whole { pointer.offset } else { Congruence::ANY })
            }
            None => (None, self.offset_from_start(addr).map_or(Congruence::ANY, Congruence::exact)),
        };
        Place { class, r: offset.r, m: offset.m }
    }

    /// How far the address is from a pointer that was given from outside, and so points to the start of its memory.
    fn offset_from_start(&self, addr: Term) -> Option<i64> {
        let sum = Sum::of(&self.points.program.terms, addr)?;
        let [(1, base)] = sum.atoms[..] else { return None };
        self.starts.contains(&base).then_some(sum.constant)
    }

    /// May something else be read there?
    fn is_doubtful(&self, place: Place) -> bool {
        let touches = |(write, bytes): &(Place, u32)| {
            let distance = i128::from(place.r) - i128::from(write.r);
            match gcd(place.m, write.m) {
                0 => (0..i128::from(*bytes)).contains(&distance),
                m => distance.rem_euclid(m.into()) < i128::from(*bytes),
            }
        };
        self.classes.contains(&place.class)
            || self.writes.get(&place.class).is_some_and(|writes| writes.iter().any(touches))
    }

    /// Is the variable set by loads of bytes, and by nothing else?
    fn is_loaded(&self, value: Term) -> bool {
        let program = self.points.program;
        let sets = |op: &EdgeOp| op.written().into_iter().any(|v| program.term(v) == value);
        let mut setters = program.main().edges.values().map(|edge| &edge.op).filter(|op| sets(op)).peekable();
        setters.peek().is_some() && setters.all(|op| matches!(op, EdgeOp::Load { bytes: 1, .. }))
    }

    /// Whether something more is not believed.
    fn spread(&mut self) -> bool {
        let program = self.points.program;
        let mut more = false;
        for edge in program.main().edges.values() {
            match &edge.op {
                EdgeOp::Assign(pairs) => {
                    for (v, t) in pairs {
                        let v = program.term(*v);
                        more |= !self.others.contains(&v) && !self.is_truth(*t) && self.others.insert(v);
                    }
                }
                EdgeOp::Load { dst, addr, bytes } => {
                    let v = program.term(*dst);
                    if !self.others.contains(&v) && (*bytes != 1 || self.is_doubtful(self.place(*addr))) {
                        more |= self.others.insert(v);
                    }
                }
                EdgeOp::Store { addr, value, bytes } => {
                    if *bytes != 1 || !self.is_truth(*value) {
                        let place = self.place(*addr);
                        more |= self.writes.entry(place.class).or_default().insert((place, *bytes));
                    }
                }
                EdgeOp::Fill { value, .. } if self.is_truth(*value) => {}
                EdgeOp::Fill { dst, .. } | EdgeOp::Copy { dst, .. } => {
                    more |= self.classes.insert(self.place(*dst).class);
                }
                op => {
                    for v in op.written() {
                        more |= self.others.insert(program.term(v));
                    }
                }
            }
        }
        more
    }

    /// Is the value 0 or 1, as far as what it is made of is believed?
    fn is_truth(&self, t: Term) -> bool {
        let store = &self.points.program.terms;
        let mut seen = BTreeSet::new();
        let mut work = vec![t];
        while let Some(t) = work.pop() {
            if !seen.insert(t) {
                continue;
            }
            match (store.op(t), store.args(t)) {
                (Op::Ite, &[_, a, b]) => work.extend([a, b]),
                (Op::ZeroExtend(_), &[a]) => work.push(a),
                _ if store.is_var(t) && !self.others.contains(&t) => {}
                _ if store.as_bv_const(t).and_then(|bits| bits.to_u64()).is_some_and(|n| n <= 1) => {}
                _ => return false,
            }
        }
        true
    }
}

/// Classes with objects of the program's own that code outside may write to, by a pointer to another type perhaps.
fn written_outside(points: &PointsTo<'_>) -> BTreeSet<Option<Class>> {
    if !points.program.main().edges.values().any(|edge| matches!(edge.op, EdgeOp::Disturb { .. })) {
        return BTreeSet::new();
    }
    let is_own = |object: &&ObjectInfo| matches!(object.source, ObjectSource::Alloc { .. });
    let own: BTreeSet<Class> = points.objects.values().filter(is_own).map(|object| points.find(object.class)).collect();
    points.known_to_change().filter(|class| own.contains(class)).map(|class| Some(points.owner_of(class))).collect()
}

/// Variables that are only given values from outside, or those of such variables.
fn given(points: &PointsTo<'_>) -> BTreeSet<Term> {
    let program = points.program;
    let (mut found, mut copies, mut others) = (BTreeSet::new(), Vec::new(), Vec::new());
    for edge in program.main().edges.values() {
        match &edge.op {
            EdgeOp::Havoc { vars, origin } if *origin != Origin::Internal => {
                found.extend(vars.iter().map(|v| program.term(*v)));
            }
            EdgeOp::Assign(pairs) => copies.extend(pairs.iter().map(|(v, t)| (program.term(*v), *t))),
            op => others.extend(op.written().into_iter().map(|v| program.term(v))),
        }
    }
    found.extend(copies.iter().map(|(v, _)| *v));
    others.iter().for_each(|v| _ = found.remove(v));
    loop {
        let before = found.len();
        for (v, from) in &copies {
            if !found.contains(from) {
                found.remove(v);
            }
        }
        if found.len() == before {
            return found;
        }
    }
}
