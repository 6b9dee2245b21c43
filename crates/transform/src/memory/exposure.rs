//! Pointers rebuilt from numbers: the one way around the flow of values through terms.
//!
//! A program may copy a pointer bit by bit with branches, through a table of bytes, or guess it. For that it must look at
//! the pointer's bits: compare a part of it, compare it with a number that is no constant, or use it in an index. Such
//! classes are *exposed*. An access through a number that is no constant may reach every exposed class, so these become one
//! class with it. Programs that do nothing of the kind are unaffected.

use super::congruence::Congruence;
use super::points_to::{PointsTo, node};
use super::values::{Class, Value};
use base::Id;
use cfa::{Op as EdgeOp, Origin};
use term::{Op, Sort, Term};

impl PointsTo<'_> {
    /// Unites what accesses through numbers may reach. Says whether that changed anything.
    pub(super) fn settle_exposed(&mut self) -> bool {
        let bare = self.bare_numbers();
        let mut changed = false;
        for t in self.differences.keys().copied().collect::<Vec<_>>() {
            let args = self.program.terms.args(t).to_vec();
            if args.iter().any(|a| self.value(*a).negated.is_some() && bare[a.index()]) {
                changed |= self.make_generic(t);
            }
        }
        let reached = self.accessed_by_number(&bare);
        if reached.is_empty() {
            return changed;
        }
        let exposed = self.exposed(&bare);
        let Some(&first) = exposed.first() else { return changed };
        for class in exposed {
            if self.find(class) != self.find(first) {
                self.unions.push((first, class));
                changed = true;
            }
        }
        for t in reached {
            match self.pointer(t) {
                Some(p) if self.find(p.class) == self.find(first) => {}
                Some(p) => {
                    self.unions.push((first, p.class));
                    changed = true;
                }
                None => {
                    let pointer = super::values::Pointer::to(first, Congruence::ANY);
                    self.arrive(node(t), Value::pointer(pointer));
                    changed = true;
                }
            }
        }
        changed
    }

    fn accessed_by_number(&self, bare: &[bool]) -> Vec<Term> {
        self.addresses().filter(|t| bare[t.index()]).collect()
    }

    /// Addresses of accesses and of what is copied or filled.
    pub(super) fn addresses(&self) -> impl Iterator<Item = Term> {
        let bulks = self.bulks.iter().flat_map(|bulk| [Some(bulk.dst), bulk.src].into_iter().flatten());
        self.accesses.iter().map(|access| access.addr).chain(bulks)
    }

    /// Which nodes may hold a number that is neither a constant nor computed from an address.
    pub(super) fn bare_numbers(&self) -> Vec<bool> {
        let store = &self.program.terms;
        let mut bare = vec![false; self.node_count()];
        let mut work = Vec::new();
        let mark = |n: usize, bare: &mut Vec<bool>, work: &mut Vec<usize>| {
            if !std::mem::replace(&mut bare[n], true) {
                work.push(n);
            }
        };
        for edge in self.program.main().edges.values() {
            if let EdgeOp::Havoc { vars, origin } = &edge.op {
                for v in vars {
                    let t = self.program.term(*v);
                    let pointer = self.program.vars[*v].source.as_ref().is_some_and(|s| s.pointer);
                    let from_world = pointer && self.comes_from_world(*v, origin);
                    // Choosing by a truth value makes no number that was not there.
                    let is_choice = store.sort(t) == Sort::Bool;
                    if (!pointer || from_world) && !is_choice && !matches!(origin, Origin::Internal) {
                        mark(t.index(), &mut bare, &mut work);
                    }
                }
            }
        }
        for n in self.world_contents() {
            mark(n.index(), &mut bare, &mut work);
        }
        for &t in &self.order {
            let value = self.value(t);
            let computed = value.class().is_none() && value.number.is_some_and(|n| !n.is_exact());
            if computed && !store.is_var(t) && !matches!(store.op(t), Op::Ite | Op::BvConst(_)) {
                mark(t.index(), &mut bare, &mut work);
            }
        }
        while let Some(n) = work.pop() {
            let n_node = super::points_to::Node::new(n);
            for to in self.flows_from(n_node).collect::<Vec<_>>() {
                mark(to.index(), &mut bare, &mut work);
            }
            if n < store.len() {
                for i in 0..self.users_of(n).len() {
                    let user = self.users_of(n)[i];
                    if matches!(store.sort(user), Sort::Bool | Sort::Array(_)) {
                        continue;
                    }
                    if !is_index_only(self, user, n) {
                        mark(user.index(), &mut bare, &mut work);
                    }
                }
            }
        }
        bare
    }

    /// The classes whose pointers the program looks at closely.
    fn exposed(&self, bare: &[bool]) -> Vec<Class> {
        let store = &self.program.terms;
        let machine = &self.program.machine;
        let is_object_number = |t: Term| matches!(store.op(t), Op::Extract { hi, lo } if lo == machine.offset_bits && hi + 1 == machine.pointer_bits());
        let loose = self.loose();
        let mut exposed: Vec<Class> = Vec::new();
        for &t in &self.order {
            let op = store.op(t);
            let args = store.args(t);
            if op == Op::BvAdd && args.iter().all(|a| self.value(*a).pointer.is_some()) {
                exposed.extend(self.value(t).class());
                continue;
            }
            if store.sort(t) != Sort::Bool || matches!(op, Op::Not | Op::And | Op::Or | Op::Xor | Op::Ite | Op::Select)
            {
                continue;
            }
            let is_bare = |b: Term| {
                // Nothing is known of numbers that never become addresses.
                let unknown = !self.relevant[b.index()] && !store.is_const(b) && self.pointees(b, &loose).is_empty();
                unknown || bare[b.index()]
            };
            for (i, a) in args.iter().enumerate() {
                let others_bare = args.iter().enumerate().any(|(j, b)| j != i && is_bare(*b));
                for (class, mangled) in self.pointees(*a, &loose) {
                    if others_bare || (mangled && !is_object_number(*a)) {
                        exposed.push(class);
                    }
                }
            }
        }
        for class in &mut exposed {
            *class = self.find(*class);
        }
        exposed.sort_unstable();
        exposed.dedup();
        exposed
    }
}

/// Whether the node is only an index in the sum `user`: that is not what makes a sum a pointer.
pub(super) fn is_index_only(points: &PointsTo<'_>, user: Term, node: usize) -> bool {
    points.program.terms.op(user) == Op::BvAdd
        && points.value(user).pointer.is_some()
        && points.values[node].pointer.is_none()
}
