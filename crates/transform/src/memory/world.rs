//! The world outside: what code that is no part of the program knows, may change, and may give back.
//!
//! `Escape` says that addresses get out; what can be reached through the memory there gets out with them. `Disturb` makes
//! the contents of all that has got out arbitrary. A pointer from outside may point to what has got out, or to memory that
//! only the outside has: where the program goes through such a pointer, all that becomes one class. Which objects of a
//! class have got out at some moment is not told apart; the interpreter does, when it runs a counterexample.

use super::bulk::region_vars;
use super::encode::{Encoder, Origins};
use super::layout::{Parts, Storage};
use super::points_to::{Node, ObjectSource, PointsTo, is_pointer, node};
use super::values::{Class, Pointer, Value};
use base::Id;
use cfa::{Edge, LocKind, ObjectKind, Op, Origin, Program, Var};
use flow::graph::can_reach;
use std::collections::{BTreeMap, BTreeSet};
use term::Term;

/// The edges by which addresses get out.
pub(super) fn escapes(program: &Program) -> Vec<Edge> {
    let edges = program.main().edges.iter();
    edges
        .filter(|(_, edge)| matches!(&edge.op, Op::Escape { addrs, .. } if !addrs.is_empty()))
        .map(|(e, _)| e)
        .collect()
}

/// At how many places the program gets pointers from outside that may be the same as others.
pub(super) fn shared_pointers(program: &Program) -> usize {
    let is_shared = |v: &Var| is_pointer(program, *v) && program.vars[*v].raw;
    let edges = program.main().edges.values().map(|edge| match &edge.op {
        Op::Havoc { vars, origin: Origin::Extern(_) | Origin::Input(_) } => {
            vars.iter().filter(|v| is_shared(v)).count()
        }
        _ => 0,
    });
    edges.sum()
}

/// Whether code outside may do anything that it can, so that its memory is one, and is no secret: it runs, or pointers from there may be the same.
pub(super) fn has_world(program: &Program) -> bool {
    let runs = program.main().edges.values().any(|edge| matches!(edge.op, Op::Disturb { .. }));
    runs || shared_pointers(program) > 0
}

/// What the outside may do with an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Known {
    /// Know where it is.
    Any,
    /// Change it.
    Writable,
}

impl PointsTo<'_> {
    /// Whether a pointer that the edge makes up may point to what the outside knows.
    pub(super) fn comes_from_world(&self, v: Var, origin: &Origin) -> bool {
        if self.escapes.is_empty() {
            return false;
        }
        match origin {
            Origin::Extern(_) | Origin::Input(_) => true,
            // Left uninitialised, and never assigned an address.
            Origin::Uninitialised(_) => {
                is_pointer(self.program, v) && self.value(self.program.term(v)).pointer.is_none()
            }
            Origin::Internal => false,
        }
    }

    /// Whether no number that may be a pointer comes from outside, and no pointer variable is left uninitialised.
    pub(super) fn is_closed(&self) -> bool {
        let is_own = |source: &ObjectSource| matches!(source, ObjectSource::Alloc { .. });
        let makes_up = |op: &Op| match op {
            Op::Havoc { vars, origin: Origin::Extern(_) | Origin::Input(_) } => {
                vars.iter().any(|v| self.program.vars[*v].sort == self.program.machine.pointer_sort())
            }
            _ => false,
        };
        let mut edges = self.program.main().edges.values();
        self.objects.values().all(|object| is_own(&object.source)) && !edges.any(|edge| makes_up(&edge.op))
    }

    /// The classes that the outside may change.
    pub(super) fn known_to_change(&self) -> impl Iterator<Item = Class> + use<> {
        self.known_through(&self.escapes, Known::Writable).into_iter()
    }

    /// What cells that the outside may change hold.
    pub(super) fn world_contents(&self) -> Vec<Node> {
        if self.escapes.is_empty() {
            return Vec::new();
        }
        self.known_to_change().flat_map(|class| self.contents_of(class).collect::<Vec<_>>()).collect()
    }

    /// The classes that get out by these edges, directly or through memory.
    fn known_through(&self, escapes: &[Edge], how: Known) -> BTreeSet<Class> {
        let mut known = BTreeSet::new();
        // Memory of the outside, and what the program has put there.
        let mut work: Vec<Class> = Vec::new();
        if self.has_world {
            let outside = self.objects.values().filter(|object| matches!(object.source, ObjectSource::Unknown { .. }));
            work.extend(outside.map(|object| object.class));
        }
        let sources = self.copied_from();
        for e in escapes {
            let Op::Escape { addrs, writable } = &self.program.main().edges[*e].op else { continue };
            for class in addrs.iter().filter_map(|t| self.value(*t).class()) {
                // What is not to be changed may lead to what is.
                match *writable || how == Known::Any {
                    true => work.push(class),
                    false => work.extend(self.held_in(self.find(class), &sources)),
                }
            }
        }
        while let Some(class) = work.pop() {
            let class = self.find(class);
            if known.insert(class) {
                work.extend(self.held_in(class, &sources));
            }
        }
        known
    }

    /// What is copied into each class from others.
    fn copied_from(&self) -> BTreeMap<Class, BTreeSet<Class>> {
        let mut sources: BTreeMap<Class, BTreeSet<Class>> = BTreeMap::new();
        for bulk in &self.bulks {
            if let (Some(dst), Some(src)) = (self.pointer(bulk.dst), bulk.src.and_then(|src| self.pointer(src))) {
                sources.entry(dst.class).or_default().insert(src.class);
            }
        }
        sources
    }

    /// The classes whose addresses may lie in objects of a class. What was copied there may hold addresses that nobody reads
    /// there.
    fn held_in(&self, class: Class, sources: &BTreeMap<Class, BTreeSet<Class>>) -> Vec<Class> {
        let mut held = Vec::new();
        let mut holders = BTreeSet::from([class]);
        let mut copied = vec![class];
        while let Some(to) = copied.pop() {
            held.extend(self.contents_of(to).filter_map(|n| self.values[n.index()].class()));
            copied.extend(sources.get(&to).into_iter().flatten().copied().filter(|class| holders.insert(*class)));
        }
        held
    }

    /// No address gets out but by being stored in memory of the outside: then a pointer from there may be that address.
    fn settle_stored_outside(&mut self) -> bool {
        let mut known = self.known_through(&[], Known::Any).into_iter();
        let Some(first) = known.next() else { return false };
        let others: Vec<Class> = known.collect();
        self.unions.extend(others.iter().map(|other| (first, *other)));
        !others.is_empty()
    }

    /// Where the program goes through pointers from outside: one class of all that they may point to.
    pub(super) fn settle_world(&mut self) -> bool {
        if self.escapes.is_empty() {
            return self.settle_stored_outside();
        }
        let bare = self.bare_numbers();
        let used: BTreeSet<Term> = self.addresses().filter(|t| bare[t.index()]).collect();
        if used.is_empty() {
            return false;
        }
        let mut changed = false;
        let outside = match self.outside {
            Some(outside) => outside,
            None => {
                changed = true;
                let outside = self.objects.next_id();
                self.new_object(ObjectSource::Unknown { edge: self.escapes[0] });
                self.outside = Some(outside);
                outside
            }
        };
        let world = self.objects[outside].class;
        for class in self.known_through(&self.escapes, Known::Any) {
            if self.find(class) != self.find(world) {
                self.unions.push((world, class));
                changed = true;
            }
        }
        for t in used {
            // Objects lie at multiples of large powers of two, so what is known of the number is known of the offset.
            let offset = self.value(t).number.unwrap_or(super::congruence::Congruence::ANY);
            let offset = if offset.is_exact() { super::congruence::Congruence::ANY } else { offset };
            let before = self.value(t);
            self.arrive(node(t), Value::pointer(Pointer::to(self.find(world), offset)));
            changed |= self.value(t) != before;
        }
        changed
    }
}

impl Encoder<'_> {
    /// For whoever runs a counterexample in which pointers come from outside, memory is changed from there, or objects that
    /// share arrays are used before they are set.
    pub(super) fn note_births(&mut self) {
        let is_open = !self.points.escapes.is_empty();
        let is_shared = |class: Class| {
            self.regions[class.index()].as_ref().is_some_and(|region| matches!(region.storage, Storage::Shared(_)))
        };
        let function = self.points.program.main();
        let plans = self.objects.plans.values().filter(|plan| plan.kind.is_some());
        for plan in plans.filter(|plan| is_open || is_shared(plan.class)) {
            let Some(number) = plan.number else { continue };
            let edge = &function.edges[plan.edge];
            let site = edge.site.unwrap_or((self.points.program.entry, plan.edge));
            let path = interpreter::frame_path(self.points.program, function.locs[edge.from].frame);
            self.program.births.insert(number, (path, site));
        }
        for region in self.regions.iter().flatten().filter(|_| is_open) {
            let Storage::Split(parts) = &region.storage else { continue };
            for (object, part) in region.objects.iter().zip(parts) {
                let Some(number) = self.objects.plans[*object].number else { continue };
                let vars: Vec<Var> = match part {
                    Parts::Scalars(scalars) => scalars.iter().flatten().copied().collect(),
                    Parts::Arrays(arrays) => arrays.clone(),
                };
                self.program.owners.extend(vars.into_iter().map(|v| (v, number)));
            }
        }
    }

    /// Code outside of the program runs: what it may know of, and change, is arbitrary afterwards.
    pub(super) fn disturb(&mut self, id: Edge, by: &str, at: &Origins) {
        let here = self.graph.from(id);
        let earlier = can_reach(&self.graph, [here]);
        let before: Vec<Edge> = self.points.escapes.iter().copied().filter(|e| earlier[self.graph.to(*e)]).collect();
        let mut vars: Vec<Var> = Vec::new();
        for class in self.points.known_through(&before, Known::Any) {
            let objects = &self.points.classes[class].objects;
            let called = objects.iter().map(|o| &self.objects.plans[*o]).find(|o| o.kind == Some(ObjectKind::Callback));
            if let Some(function) = called {
                let what = format!("'{by}', which has no body, may call '{}'", function.name);
                let end = self.new_end(at.from, LocKind::Unsupported(what.into()));
                let step = Op::Assume(self.program.terms.tt());
                return self.add_edge(at.from, end, step, at);
            }
        }
        for class in self.points.known_through(&before, Known::Writable) {
            for part in std::iter::once(class).chain(self.points.rest_of(class)) {
                let region = self.regions[part.index()].as_ref().expect("every class has a region");
                vars.extend(region_vars(region));
            }
        }
        vars.sort_unstable();
        vars.dedup();
        let op = match vars.is_empty() {
            true => Op::Assume(self.program.terms.tt()),
            false => Op::Havoc { vars, origin: Origin::Extern(by.to_owned()) },
        };
        self.chain(at, vec![op]);
    }
}
