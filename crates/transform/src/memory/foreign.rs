//! Pointers that code outside has left in memory, where the program mixes them with its own.
//!
//! What is read from memory behind a pointer from outside, from a variable of another file, from what the caller of the entry function gives, or where a function without body has left bytes,
//! may be a pointer to memory of the outside. As long as the program has no pointer of its own for the same variable, points-to analysis
//! finds nothing there to point to, and accesses give anything. Where it has one (`p = nondet() ? &x : e->p`), the access would be
//! to that object for sure: so such a cell holds a pointer to memory of its own, too.

use super::exposure::is_index_only;
use super::points_to::{AccessKind, Node, ObjectSource, PointsTo, node};
use super::values::Class;
use base::Id;
use cfa::{Edge, Op, Origin, Program};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use term::{Sort, Term};

impl PointsTo<'_> {
    /// Gives what foreign pointers may be taken for something of their own to point to. Says whether that changed anything.
    pub(super) fn settle_foreign(&mut self) -> bool {
        let cells: BTreeMap<Node, Edge> =
            self.foreign_cells().into_iter().filter(|(cell, _)| !self.foreign.contains(cell)).collect();
        let mistaken = self.mistaken(cells.keys().copied());
        if mistaken.is_empty() {
            return false;
        }
        let mut changed = false;
        for (cell, edge) in cells {
            if self.mistaken([cell]).is_empty() {
                continue;
            }
            self.foreign.insert(cell);
            let value = self.new_object(ObjectSource::Unknown { edge });
            self.arrive(cell, value);
            changed = true;
        }
        changed
    }

    /// Cells that code outside may have filled with pointers, and an edge that says where these come from.
    fn foreign_cells(&self) -> BTreeMap<Node, Edge> {
        let mut cells = BTreeMap::new();
        for info in self.objects.values() {
            let edge = match info.source {
                ObjectSource::Unknown { edge } => edge,
                ObjectSource::Alloc { edge, .. } if is_from_outside(self.program, edge) => edge,
                ObjectSource::Alloc { .. } => continue,
            };
            cells.extend(self.contents_of(self.find(info.class)).map(|cell| (self.find_node(cell), edge)));
        }
        let bytes = bytes_from_outside(self.program);
        for (access, cell) in self.accesses.iter().zip(&self.contents) {
            if let (AccessKind::Store { value }, Some(cell)) = (access.kind, cell)
                && let Some(edge) = bytes.get(&value)
            {
                cells.insert(self.find_node(*cell), *edge);
            }
        }
        cells
    }

    /// Addresses of accesses that come from these cells, and are taken for those of objects of the program.
    fn mistaken(&self, cells: impl IntoIterator<Item = Node>) -> Vec<Term> {
        let store = &self.program.terms;
        let mut reached = vec![false; self.node_count()];
        let mut work: Vec<usize> = cells.into_iter().map(Id::index).collect();
        if work.is_empty() {
            return Vec::new();
        }
        work.iter().for_each(|n| reached[*n] = true);
        while let Some(n) = work.pop() {
            let mut next: Vec<usize> = self.flows_from(Node::new(n)).map(Id::index).collect();
            if n < store.len() {
                let users = self.users_of(n).iter().copied();
                let values = users.filter(|user| !matches!(store.sort(*user), Sort::Bool | Sort::Array(_)));
                next.extend(values.filter(|user| !is_index_only(self, *user, n)).map(Id::index));
                next.extend(self.read_behind(n).into_iter().map(Id::index));
            }
            work.extend(next.into_iter().filter(|n| !std::mem::replace(&mut reached[*n], true)));
        }
        self.addresses()
            .filter(|t| reached[t.index()] && self.value(*t).class().is_some_and(|c| self.is_own(c)))
            .collect()
    }

    /// What is read through an address that leads to no memory of the model: more of the same.
    fn read_behind(&self, address: usize) -> Vec<Node> {
        if self.values[address].class().is_some() {
            return Vec::new();
        }
        let loads = self.accesses_at(address).filter_map(|access| match access.kind {
            AccessKind::Load { dst } => Some(node(dst)),
            AccessKind::Store { .. } => None,
        });
        let copies = self.bulks_at(address).filter(|bulk| bulk.src.is_some_and(|src| src.index() == address));
        let copied = copies.filter_map(|bulk| self.pointer(bulk.dst)).flat_map(|to| self.contents_of(to.class));
        loads.chain(copied).collect()
    }

    /// Whether all objects of the class are the program's.
    fn is_own(&self, class: Class) -> bool {
        let mut objects = self.classes[self.find(class)].objects.iter();
        objects.all(|object| matches!(self.objects[*object].source, ObjectSource::Alloc { .. }))
    }
}

/// Whether the object is a variable of another file, or what the caller of the entry function gives.
fn is_from_outside(program: &Program, edge: Edge) -> bool {
    matches!(&program.main().edges[edge].op, Op::Alloc { dst, .. } if program.vars[*dst].raw)
}

/// What code outside leaves in memory as bytes, and where.
fn bytes_from_outside(program: &Program) -> FxHashMap<Term, Edge> {
    let mut bytes = FxHashMap::default();
    for (id, edge) in program.main().edges.iter() {
        if let Op::Havoc { vars, origin: Origin::Extern(_) } = &edge.op {
            bytes.extend(vars.iter().filter(|v| program.vars[**v].raw).map(|v| (program.term(*v), id)));
        }
    }
    bytes
}
