//! Objects and their numbers.
//!
//! An allocation that runs at most once, or whose earlier object is always dead when it runs again, has one object with a
//! number fixed here. The others take the next number of their class at run time. Numbers of one class are
//! consecutive, so that being an object of the class is a range check. Number 0 is the null object.

use super::points_to::{Object, ObjectSource, PointsTo};
use super::values::{Class, constant};
use base::{Id, Table};
use cfa::{Edge, Loc, ObjectKind, Op, Var};
use flow::graph::Graph;
use flow::wto::Wto;
use std::ops::Range;

/// One allocation (or one pointer from outside) as the encoding treats it.
#[derive(Clone, Debug)]
pub(super) struct ObjectPlan {
    pub(super) class: Class,
    pub(super) kind: Option<ObjectKind>,
    pub(super) lifetime: Lifetime,
    /// Present when the lifetime is not `Many` (and numbers sufficed).
    pub(super) number: Option<u64>,
    /// `None` when it differs between allocations or is not known.
    pub(super) size: Option<u64>,
    /// Some `Free` or `Dead` may end it.
    pub(super) mortal: bool,
    pub(super) name: String,
    pub(super) edge: Edge,
    /// A variable that holds the address of this object and never anything else.
    pub(super) pinned: Option<Var>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Lifetime {
    /// Allocated at most once.
    Once,
    /// Allocated again only after its death, and nobody keeps the old address.
    Reused,
    /// Any number of them may be live.
    Many,
}

/// What a class of objects needs at run time.
#[derive(Clone, Debug, Default)]
pub(super) struct ClassPlan {
    /// Numbers of the objects that have a fixed one.
    pub(super) fixed: Range<u64>,
    /// Numbers handed out at run time.
    pub(super) dynamic: Range<u64>,
}

pub(super) struct Objects {
    pub(super) plans: Table<Object, ObjectPlan>,
    /// Indexed by class; of interest for classes that are their own representative.
    pub(super) classes: Vec<ClassPlan>,
    /// The object of each `Alloc` edge.
    pub(super) of_edge: Vec<Option<Object>>,
    /// The object that a pinned variable holds the address of.
    pub(super) of_var: Vec<Option<Object>>,
    /// No number was left for some object.
    pub(super) exhausted: bool,
}

impl Objects {
    pub(super) fn plan(points: &PointsTo<'_>) -> Objects {
        let program = points.program;
        let function = program.main();
        let mut writes = vec![0u32; program.vars.len()];
        for edge in function.edges.values() {
            for v in edge.op.written() {
                writes[v.index()] += 1;
            }
        }
        let scopes = Scopes::of(points);
        let deaths = deaths(points);
        let mut plans: Table<Object, ObjectPlan> = Table::new();
        let mut of_edge = vec![None; function.edges.len()];
        let mut of_var = vec![None; program.vars.len()];
        for (object, info) in points.objects.iter() {
            let class = points.find(info.class);
            let plan = match &info.source {
                ObjectSource::Unknown { edge } => ObjectPlan {
                    class,
                    kind: None,
                    lifetime: Lifetime::Many,
                    number: None,
                    size: None,
                    mortal: true,
                    name: "unknown".to_owned(),
                    edge: *edge,
                    pinned: None,
                },
                ObjectSource::Alloc { edge, kind } => {
                    let Op::Alloc { dst, size, name, .. } = &function.edges[*edge].op else {
                        unreachable!("objects come from allocations")
                    };
                    let lifetime = scopes.lifetime(*edge, *dst, *kind);
                    let pinned = (writes[dst.index()] == 1 && lifetime != Lifetime::Many).then_some(*dst);
                    if pinned.is_some() {
                        of_var[dst.index()] = Some(object);
                    }
                    of_edge[edge.index()] = Some(object);
                    ObjectPlan {
                        class,
                        kind: Some(*kind),
                        lifetime,
                        number: None,
                        size: constant(&program.terms, *size).and_then(|s| u64::try_from(s).ok()),
                        mortal: matches!(kind, ObjectKind::Stack | ObjectKind::Heap) && deaths[class.index()],
                        name: symbol(name),
                        edge: *edge,
                        pinned,
                    }
                }
            };
            plans.push(plan);
        }
        let classes = vec![ClassPlan::default(); points.classes.len()];
        Objects { plans, classes, of_edge, of_var, exhausted: false }
    }

    /// Fixes the numbers. `Many` objects (and those that the layout made so) get a share of what is left.
    pub(super) fn number(&mut self, points: &PointsTo<'_>) {
        let count = points.program.machine.object_count();
        let representatives: Vec<Class> = points.classes.ids().filter(|c| points.find(*c) == *c).collect();
        let many = |this: &Objects, c: Class| {
            points.classes[c].objects.iter().any(|o| {
                let plan = &this.plans[*o];
                plan.lifetime == Lifetime::Many && plan.kind.is_some()
            })
        };
        let dynamic_classes = representatives.iter().filter(|c| many(self, **c)).count() as u64;
        // The last number stays free, so that a counter can pass the end of its range; each dynamic class gets one or more.
        let last = (count - 1).saturating_sub(dynamic_classes);
        let mut next = 1;
        for &class in &representatives {
            let first = next;
            for &o in &points.classes[class].objects {
                let plan = &mut self.plans[o];
                if plan.lifetime != Lifetime::Many {
                    if next >= last {
                        self.exhausted = true;
                        continue;
                    }
                    plan.number = Some(next);
                    next += 1;
                }
            }
            self.classes[class.index()].fixed = first..next;
        }
        let share = (count - 1 - next).checked_div(dynamic_classes).unwrap_or(0);
        for &class in &representatives {
            if many(self, class) {
                self.classes[class.index()].dynamic = next..next + share;
                next += share;
            }
        }
    }
}

/// An object's name as part of a symbol: string literals are named by their text.
fn symbol(name: &str) -> String {
    let clean =
        name.trim_start_matches('?').chars().map(|c| if matches!(c, '|' | '\\') || c.is_control() { '_' } else { c });
    clean.take(40).collect()
}

/// Classes that some edge ends objects of.
fn deaths(points: &PointsTo<'_>) -> Vec<bool> {
    let mut deaths = vec![false; points.classes.len()];
    for edge in points.program.main().edges.values() {
        if let Op::Free { addr } | Op::Dead { addr } = &edge.op
            && let Some(p) = points.pointer(*addr)
        {
            deaths[p.class.index()] = true;
        }
    }
    deaths
}

/// How often allocations run.
struct Scopes<'a> {
    points: &'a PointsTo<'a>,
    graph: Graph,
    wto: Wto,
}

impl<'a> Scopes<'a> {
    fn of(points: &'a PointsTo<'a>) -> Scopes<'a> {
        let function = points.program.main();
        Scopes { points, graph: Graph::of(function), wto: Wto::new(function) }
    }

    fn lifetime(&self, edge: Edge, dst: Var, kind: ObjectKind) -> Lifetime {
        let (from, to) = (self.graph.from(edge), self.graph.to(edge));
        let around = |l: Loc| self.wto.heads_around(l).first();
        let cyclic = around(from).is_some() && around(from) == around(to);
        if !cyclic {
            return Lifetime::Once;
        }
        if kind == ObjectKind::Stack && self.dies_between(edge, dst) { Lifetime::Reused } else { Lifetime::Many }
    }

    /// Does every way from the allocation back to itself pass the object's death?
    fn dies_between(&self, edge: Edge, dst: Var) -> bool {
        let function = self.points.program.main();
        let address = self.points.program.term(dst);
        let start = self.graph.to(edge);
        let goal = self.graph.from(edge);
        let mut seen = rustc_hash::FxHashSet::default();
        let mut work = vec![start];
        while let Some(l) = work.pop() {
            if l == goal {
                return false;
            }
            for &e in self.graph.succs(l) {
                let dies = matches!(&function.edges[e].op, Op::Dead { addr } if *addr == address);
                if !dies && seen.insert(self.graph.to(e)) {
                    work.push(self.graph.to(e));
                }
            }
        }
        true
    }
}
