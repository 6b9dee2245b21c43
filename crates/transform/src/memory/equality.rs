//! Comparisons of addresses where C leaves them open: order and distance of different objects; equality with the address of an object that has ended, which a new object may have
//! got; and of one past the end of an object with the start of another, which may lie just there. Here addresses are not
//! used again and objects lie apart, so a comparison that could tell is unsupported. What can be excluded by the classes of
//! the two pointers, by their offsets, because they were computed from one pointer (`provenance`) or because nothing has ended
//! yet costs nothing.

use super::address::Sum;
use super::encode::{Encoder, Origins};
use super::objects::{Lifetime, Objects};
use super::points_to::PointsTo;
use super::provenance::Provenance;
use super::relevance::Loose;
use super::values::Class;
use crate::limits::memory::{DEEPEST, MOST_TERMS};
use base::Id;
use cfa::{Edge, Lacks, LocKind, ObjectKind, Op as EdgeOp, Unmodelled};
use flow::graph::Graph;
use rustc_hash::FxHashSet;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use term::{Op, Sort, Term};

/// The reason where a comparison depends on it.
const WHAT: Unmodelled = Unmodelled {
    what: Cow::Borrowed("how two addresses compare, which depends on where objects lie"),
    lacks: Lacks::AddressOrder,
};

/// A comparison of pointers that may tell more than C says.
#[derive(Clone, Debug)]
struct Comparison {
    left: Term,
    right: Term,
    /// Classes whose objects may have ended.
    mortal: BTreeSet<Class>,
    kind: Kind,
    /// Where they may meet: the classes that the left and the right one may be at the end of an object of.
    ends: [BTreeSet<Class>; 2],
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Kind {
    Equality,
    /// Equality, and one of them may be at the end of its object, the other one at the start of another.
    Meeting,
    Order,
    Distance,
}

impl Comparison {
    fn is_open(&self) -> bool {
        self.kind != Kind::Equality || !self.mortal.is_empty()
    }
}

/// A function has no bytes here, and nothing lies at its address but itself.
fn is_function(kind: Option<ObjectKind>) -> bool {
    matches!(kind, Some(ObjectKind::Function | ObjectKind::Callback))
}

/// What a sum subtracts pointers from, and these pointers. A summand that is a number, such as the distance in `p + (q - r)`, is
/// looked at by itself.
fn distances(points: &PointsTo<'_>, loose: &[Loose], t: Term) -> Vec<(Term, Term)> {
    let is_sum = |t: Term| points.program.terms.op(t) == Op::BvAdd;
    let is_number = |t: Term| is_sum(t) && points.pointees(t, loose).is_empty();
    let Some(sum) = Sum::down_to(&points.program.terms, t, is_number) else { return Vec::new() };
    let mut pointers: Vec<(i64, Term)> = sum.atoms;
    pointers.retain(|(_, atom)| !points.pointees(*atom, loose).is_empty());
    let (Some(first), true) = (pointers.iter().position(|(k, _)| *k > 0), pointers.iter().any(|(k, _)| *k < 0)) else {
        return Vec::new();
    };
    let (_, base) = pointers.swap_remove(first);
    pointers.into_iter().map(|(_, other)| (base, other)).filter(|(a, b)| a != b).collect()
}

/// The comparisons on each edge that have them.
#[derive(Clone, Debug, Default)]
pub(super) struct Comparisons(BTreeMap<Edge, Vec<Comparison>>);

impl Comparisons {
    pub(super) fn of(points: &PointsTo<'_>, objects: &Objects, loose: &[Loose]) -> Comparisons {
        let program = points.program;
        let function = program.main();
        let store = &program.terms;
        let pointer = Sort::Bv(program.machine.pointer_bits());
        let equal = |t: &Term| store.op(*t) == Op::Eq && store.sort(store.arg(*t, 0)) == pointer;
        let offsets = Offsets::new(points, objects);
        let with_bytes = |classes: &Loose| -> BTreeSet<Class> {
            let has_bytes = |c: &Class| points.classes[*c].objects.iter().any(|o| !is_function(objects.plans[*o].kind));
            classes.iter().map(|(class, _)| *class).filter(has_bytes).collect()
        };
        // The terms that can tell, each looked at once.
        let mut telling: BTreeMap<Term, Vec<Comparison>> = BTreeMap::new();
        for &t in points.order.iter().filter(|t| equal(t)) {
            let (left, right) = (store.arg(t, 0), store.arg(t, 1));
            let classes = |t: Term| points.pointees(t, loose);
            let (a, b) = (classes(left), classes(right));
            if a.is_empty() || b.is_empty() {
                continue;
            }
            let both: BTreeSet<Class> = a.iter().chain(&b).map(|(class, _)| *class).collect();
            let plans = || both.iter().flat_map(|c| &points.classes[*c].objects).map(|o| &objects.plans[*o]);
            // One object in all: nothing else to be equal to.
            if plans().count() == 1 && plans().all(|plan| plan.lifetime == Lifetime::Once) {
                continue;
            }
            let mortal =
                both.iter().copied().filter(|c| points.classes[*c].objects.iter().any(|o| objects.plans[*o].mortal));
            let offset = |t: Term| offsets.of(t, 0);
            let may_end = |t: Term, classes: &Loose| {
                let mut plans =
                    classes.iter().flat_map(|(c, _)| &points.classes[*c].objects).map(|o| &objects.plans[*o]);
                let at = offset(t);
                let is_end = |size: Option<u64>| at.is_none_or(|at| size.map_or(at > 0, |size| size as i64 == at));
                plans.any(|plan| !is_function(plan.kind) && is_end(plan.size))
            };
            let may_start = |t: Term| offset(t).is_none_or(|at| at == 0);
            let meets = may_end(left, &a) && may_start(right) || may_end(right, &b) && may_start(left);
            let kind = if meets { Kind::Meeting } else { Kind::Equality };
            let ends = match kind {
                Kind::Meeting => [with_bytes(&a), with_bytes(&b)],
                _ => Default::default(),
            };
            let comparison = Comparison { left, right, mortal: mortal.collect(), kind, ends };
            if comparison.is_open() {
                telling.insert(t, vec![comparison]);
            }
        }
        // Order and distance of pointers that may be into two objects.
        let is_pointer = |t: Term| store.sort(t) == pointer;
        for &t in &points.order {
            let (kind, pairs) = match store.op(t) {
                Op::BvUlt | Op::BvUle if is_pointer(store.arg(t, 0)) => {
                    (Kind::Order, vec![(store.arg(t, 0), store.arg(t, 1))])
                }
                Op::BvAdd if is_pointer(t) => (Kind::Distance, distances(points, loose, t)),
                _ => continue,
            };
            for (left, right) in pairs {
                let (a, b) = (points.pointees(left, loose), points.pointees(right, loose));
                let both: BTreeSet<Class> = a.iter().chain(&b).map(|(class, _)| *class).collect();
                let mut plans = both.iter().flat_map(|c| &points.classes[*c].objects).map(|o| &objects.plans[*o]);
                // Of an object that is used again there is one at a time, and nobody has the address of an old one.
                let is_one = matches!((plans.next(), plans.next()), (Some(o), None) if o.lifetime != Lifetime::Many);
                if !a.is_empty() && !b.is_empty() && !is_one {
                    let comparison =
                        Comparison { left, right, mortal: BTreeSet::new(), kind, ends: Default::default() };
                    telling.entry(t).or_default().push(comparison);
                }
            }
        }
        if telling.is_empty() {
            return Comparisons::default();
        }
        let graph = Graph::of(function);
        let ended = after_deaths(points, &graph);
        let compared = telling.values().flatten().flat_map(|c| [c.left, c.right]);
        let provenance = Provenance::of(points, loose, &graph, compared);
        let mut found = BTreeMap::new();
        for (id, edge) in function.edges.iter() {
            if matches!(edge.op, EdgeOp::Escape { .. }) {
                continue;
            }
            let mut own = Vec::new();
            for t in term::postorder(store, &edge.op.terms()) {
                for comparison in telling.get(&t).into_iter().flatten() {
                    let mut comparison = comparison.clone();
                    comparison.mortal.retain(|class| ended.get(class).is_some_and(|locs| locs.contains(&edge.from)));
                    let is_shared = || provenance.is_shared(edge.from, comparison.left, comparison.right);
                    if comparison.is_open() && !is_shared() {
                        own.push(comparison);
                    }
                }
            }
            if !own.is_empty() {
                found.insert(id, own);
            }
        }
        Comparisons(found)
    }

    /// Liveness must be known for these classes.
    pub(super) fn mortal(&self) -> impl Iterator<Item = Class> + '_ {
        self.0.values().flatten().flat_map(|comparison| comparison.mortal.iter().copied())
    }

    /// Sizes must be known for these classes.
    pub(super) fn sized(&self) -> impl Iterator<Item = Class> + '_ {
        let sides = self.0.values().flatten().flat_map(|comparison| &comparison.ends);
        sides.flat_map(|classes| classes.iter().copied())
    }
}

/// Offsets of pointers in their objects, also of those that are only compared.
struct Offsets<'a> {
    points: &'a PointsTo<'a>,
    objects: &'a Objects,
    /// What is assigned to each variable; `None` where something else writes it.
    assigned: Vec<Option<Vec<Term>>>,
}

impl<'a> Offsets<'a> {
    fn new(points: &'a PointsTo<'a>, objects: &'a Objects) -> Offsets<'a> {
        let mut assigned = vec![Some(Vec::new()); points.program.vars.len()];
        for edge in points.program.main().edges.values() {
            match &edge.op {
                EdgeOp::Assign(pairs) => {
                    for (v, t) in pairs {
                        assigned[v.index()].iter_mut().for_each(|terms: &mut Vec<Term>| terms.push(*t));
                    }
                }
                op => op.written().into_iter().for_each(|v| assigned[v.index()] = None),
            }
        }
        Offsets { points, objects, assigned }
    }

    fn of(&self, t: Term, depth: u32) -> Option<i64> {
        let program = self.points.program;
        if let Some(p) = self.points.pointer(t) {
            return p.offset.as_exact().filter(|_| !p.mangled);
        }
        if depth == DEEPEST {
            return None;
        }
        if let Some(v) = program.var_of(t) {
            if self.objects.of_var[v.index()].is_some() {
                return Some(0);
            }
            let terms = self.assigned[v.index()].as_ref().filter(|terms| terms.len() <= MOST_TERMS)?;
            let mut offsets = terms.iter().map(|t| self.of(*t, depth + 1));
            let first = offsets.next()??;
            return offsets.all(|other| other == Some(first)).then_some(first);
        }
        let sum = Sum::of(&program.terms, t)?;
        match sum.atoms[..] {
            [(1, base)] if base != t => Some(self.of(base, depth + 1)?.wrapping_add(sum.constant)),
            _ => None,
        }
    }
}

/// The locations that come after some object of a class has ended.
fn after_deaths(points: &PointsTo<'_>, graph: &Graph) -> BTreeMap<Class, FxHashSet<cfa::Loc>> {
    let mut ended: BTreeMap<Class, FxHashSet<cfa::Loc>> = BTreeMap::new();
    for (id, edge) in points.program.main().edges.iter() {
        let (EdgeOp::Free { addr } | EdgeOp::Dead { addr }) = &edge.op else { continue };
        let Some(p) = points.pointer(*addr) else { continue };
        let seen = ended.entry(p.class).or_default();
        let mut work = vec![graph.to(id)];
        while let Some(l) = work.pop() {
            if seen.insert(l) {
                work.extend(graph.succs(l).iter().map(|e| graph.to(*e)));
            }
        }
    }
    ended
}

impl Encoder<'_> {
    /// Where the edge compares addresses: the condition under which the result is what C says.
    pub(super) fn safe_comparisons(&mut self, id: Edge) -> Option<Term> {
        let comparisons = self.comparisons.0.get(&id)?.clone();
        let mut safe = self.program.terms.tt();
        for comparison in comparisons {
            let own = self.is_safe(&comparison);
            safe = self.program.terms.and(safe, own);
        }
        (self.program.terms.as_bool_const(safe) != Some(true)).then_some(safe)
    }

    fn is_safe(&mut self, comparison: &Comparison) -> Term {
        let machine = self.program.machine;
        let Comparison { left, right, mortal, kind, ends } = comparison;
        let (left, right) = (*left, *right);
        let terms = &mut self.program.terms;
        let (a, b) = (machine.origin_of(terms, left), machine.origin_of(terms, right));
        let null = terms.bv(0, machine.object_bits);
        // Within an object there is nothing to tell, nor with null, of which only the distance is an address.
        let mut safe = terms.eq(a, b);
        if *kind != Kind::Distance {
            for number in [a, b] {
                let is_null = terms.eq(number, null);
                safe = terms.or(safe, is_null);
            }
        }
        let mut open = terms.bool(matches!(kind, Kind::Order | Kind::Distance));
        let zero = terms.bv(0, machine.pointer_bits());
        let starts = [left, right].map(|p| {
            let offset = machine.offset_of(terms, p);
            terms.eq(offset, zero)
        });
        for (side, p, number) in [(0, left, a), (1, right, b)] {
            for class in &ends[side] {
                let offset = machine.offset_of(&mut self.program.terms, p);
                let member = self.is_member(*class, number);
                let size = self.size(*class, number);
                let terms = &mut self.program.terms;
                let ends = terms.eq(offset, size);
                let meets = terms.and_all(&[member, ends, starts[1 - side]]);
                open = terms.or(open, meets);
            }
        }
        for class in mortal {
            for number in [a, b] {
                let member = self.is_member(*class, number);
                let live = self.live(*class, number);
                let dead = self.program.terms.not(live);
                let dead = self.program.terms.and(member, dead);
                open = self.program.terms.or(open, dead);
            }
        }
        let closed = self.program.terms.not(open);
        self.program.terms.or(safe, closed)
    }

    /// An edge that compares addresses: only where that is safe. Gives what is left to do, and from where.
    pub(super) fn guarded_edge(&mut self, op: &EdgeOp, safe: Term, at: Origins) -> (EdgeOp, Origins) {
        let end = self.new_end(at.from, LocKind::Unsupported(WHAT));
        let open = self.program.terms.not(safe);
        if let EdgeOp::Assume(condition) = op {
            // Guards of different edges must stay disjoint.
            let condition = self.rewrite(*condition);
            let (go, stop) = (self.program.terms.and(condition, safe), self.program.terms.and(condition, open));
            self.add_edge(at.from, end, EdgeOp::Assume(stop), &at);
            return (EdgeOp::Assume(go), at);
        }
        self.add_edge(at.from, end, EdgeOp::Assume(open), &at);
        let next = self.new_loc(at.from);
        self.add_edge(at.from, next, EdgeOp::Assume(safe), &at);
        (op.clone(), Origins { from: next, ..at })
    }
}
