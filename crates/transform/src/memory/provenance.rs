//! Which pointers are into the same object wherever they are compared: each location has a partition of pointer variables by
//! where they came from (Kildall, 1973, in papers.md). `q = p + i` puts `q` to `p`; any other assignment gives the variable a
//! part of its own; where ways meet, what both keep together stays together. So `p < end` costs nothing where both were
//! computed from one pointer, also if the place that allocates it does so again and again.

use super::address::Sum;
use super::points_to::PointsTo;
use super::relevance::Loose;
use crate::limits::memory::MOST_ENTRIES;
use base::Table;
use cfa::{Edge, Loc, Op as EdgeOp, Var};
use flow::graph::{Graph, reverse_postorder};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use term::{Op, Term};

/// A part is named by the first of its variables.
type Partition = Box<[u32]>;

pub(super) struct Provenance<'a> {
    points: &'a PointsTo<'a>,
    loose: &'a [Loose],
    index: FxHashMap<Var, u32>,
    at: Table<Loc, Option<Partition>>,
}

impl<'a> Provenance<'a> {
    /// For the pointers that `compared` is computed from.
    pub(super) fn of(
        points: &'a PointsTo<'a>,
        loose: &'a [Loose],
        graph: &Graph,
        compared: impl Iterator<Item = Term>,
    ) -> Provenance<'a> {
        let mut known = Provenance { points, loose, index: FxHashMap::default(), at: Table::filled(None, graph.len()) };
        let writes = known.collect(compared);
        let count = known.index.len();
        if count.saturating_mul(graph.len()) <= MOST_ENTRIES {
            known.spread(graph, count, &writes);
        }
        known
    }

    /// The variables that the compared pointers come from, and the edges that write them.
    fn collect(&mut self, compared: impl Iterator<Item = Term>) -> BTreeMap<Edge, Vec<(Var, Option<Term>)>> {
        let program = self.points.program;
        let mut assigned: BTreeMap<Var, Vec<(Edge, Option<Term>)>> = BTreeMap::new();
        for (id, edge) in program.main().edges.iter() {
            match &edge.op {
                EdgeOp::Assign(pairs) => {
                    pairs.iter().for_each(|(v, t)| assigned.entry(*v).or_default().push((id, Some(*t))));
                }
                op => op.written().into_iter().for_each(|v| assigned.entry(v).or_default().push((id, None))),
            }
        }
        let mut writes: BTreeMap<Edge, Vec<(Var, Option<Term>)>> = BTreeMap::new();
        let mut work: Vec<Term> = compared.collect();
        while let Some(t) = work.pop() {
            let Some(v) = program.var_of(t) else {
                work.extend(self.bases(t));
                continue;
            };
            let next = self.index.len() as u32;
            if *self.index.entry(v).or_insert(next) != next {
                continue;
            }
            for &(edge, value) in assigned.get(&v).into_iter().flatten() {
                writes.entry(edge).or_default().push((v, value));
                work.extend(value);
            }
        }
        writes
    }

    /// The pointers that `t` is into the object of, where it is of one of them.
    fn bases(&self, t: Term) -> Vec<Term> {
        let store = &self.points.program.terms;
        if store.op(t) == Op::Ite {
            return store.args(t)[1..].to_vec();
        }
        let Some(sum) = Sum::of(store, t) else { return Vec::new() };
        let mut pointers = sum.atoms.iter().filter(|(_, atom)| !self.points.pointees(*atom, self.loose).is_empty());
        match (pointers.next(), pointers.next()) {
            (Some((1, base)), None) if *base != t => vec![*base],
            _ => Vec::new(),
        }
    }

    fn spread(&mut self, graph: &Graph, count: usize, writes: &BTreeMap<Edge, Vec<(Var, Option<Term>)>>) {
        let order = reverse_postorder(graph);
        self.at[graph.entry()] = Some((0..count as u32).collect());
        let mut changed = true;
        while changed {
            changed = false;
            for &l in &order {
                for &e in graph.succs(l) {
                    let Some(before) = &self.at[l] else { continue };
                    let after = match writes.get(&e) {
                        Some(pairs) => self.written(before, pairs),
                        None => before.clone(),
                    };
                    let to = graph.to(e);
                    let met = match &self.at[to] {
                        Some(old) => meet(old, &after),
                        None => after,
                    };
                    if self.at[to].as_ref() != Some(&met) {
                        self.at[to] = Some(met);
                        changed = true;
                    }
                }
            }
        }
    }

    fn written(&self, before: &Partition, pairs: &[(Var, Option<Term>)]) -> Partition {
        let count = before.len() as u32;
        // Old parts keep their names; a new one is called by a number beyond them.
        let mut after: Vec<u32> = before.to_vec();
        for (v, value) in pairs {
            let v = self.index[v];
            after[v as usize] = value.and_then(|t| self.part(before, t)).unwrap_or(count + v);
        }
        named(after.into_iter())
    }

    fn part(&self, at: &Partition, t: Term) -> Option<u32> {
        if let Some(v) = self.points.program.var_of(t) {
            return self.index.get(&v).map(|i| at[*i as usize]);
        }
        let mut parts = self.bases(t).into_iter().map(|base| self.part(at, base));
        let first = parts.next()??;
        parts.all(|other| other == Some(first)).then_some(first)
    }

    /// Whether both are into one object at `l`, if they are pointers there at all.
    pub(super) fn is_shared(&self, l: Loc, left: Term, right: Term) -> bool {
        let Some(at) = &self.at[l] else { return false };
        self.part(at, left).is_some_and(|part| self.part(at, right) == Some(part))
    }
}

fn meet(a: &Partition, b: &Partition) -> Partition {
    if a == b {
        return a.clone();
    }
    let mut names: FxHashMap<(u32, u32), u32> = FxHashMap::default();
    let parts = a.iter().zip(b).enumerate();
    parts.map(|(i, (a, b))| *names.entry((*a, *b)).or_insert(i as u32)).collect()
}

/// Each part by its first variable.
fn named(parts: impl Iterator<Item = u32>) -> Partition {
    let mut names: FxHashMap<u32, u32> = FxHashMap::default();
    parts.enumerate().map(|(i, part)| *names.entry(part).or_insert(i as u32)).collect()
}
