//! Which values must point into one class: those that are used as addresses, or stored where such a value may be read.
//!
//! Other pointers are only compared, or asked whether their object is alive. A variable that holds any heap block in turn
//! (as the check for leaks does) must not make one class of the whole heap: such *loose* values have a set of classes.

use super::points_to::PointsTo;
use super::values::Class;
use base::Id;
use cfa::{Op as EdgeOp, Program};
use flow::graph::Lists;
use std::collections::BTreeSet;
use term::{Op, Sort, Store, Term};

/// A class that a value may point into; whether the value is only computed from the pointer.
pub(super) type Loose = BTreeSet<(Class, bool)>;

/// Terms whose values may become addresses, and what the program looks at as if they did. Indexed by term.
pub(super) fn relevant(program: &Program, looks: &[Term]) -> Vec<bool> {
    let mut targets: Vec<Term> = looks.to_vec();
    for edge in program.main().edges.values() {
        targets.extend(addresses(&edge.op));
        match &edge.op {
            EdgeOp::Store { value, .. } => targets.push(*value),
            EdgeOp::Copy { len, .. } | EdgeOp::Fill { len, .. } => targets.push(*len),
            _ => {}
        }
    }
    flowing_into(program, targets)
}

/// What an edge takes for an address.
pub(super) fn addresses(op: &EdgeOp) -> Vec<Term> {
    match op {
        EdgeOp::Load { addr, .. } | EdgeOp::Free { addr } | EdgeOp::Dead { addr } => vec![*addr],
        EdgeOp::Store { addr, .. } => vec![*addr],
        EdgeOp::Copy { dst, src, .. } => vec![*dst, *src],
        EdgeOp::Fill { dst, .. } => vec![*dst],
        EdgeOp::Escape { addrs, .. } => addrs.clone(),
        _ => Vec::new(),
    }
}

/// Terms whose values get into one of these by terms and assignments. Indexed by term.
pub(super) fn flowing_into(program: &Program, targets: Vec<Term>) -> Vec<bool> {
    let store = &program.terms;
    let mut sources: Vec<(u32, Term)> = Vec::new();
    for edge in program.main().edges.values() {
        if let EdgeOp::Assign(pairs) = &edge.op {
            sources.extend(pairs.iter().map(|(v, t)| (program.term(*v).index() as u32, *t)));
        }
    }
    let sources = Lists::new(store.len(), &sources);
    let mut found = vec![false; store.len()];
    let mut work = targets;
    while let Some(t) = work.pop() {
        if !carries(store, t) || std::mem::replace(&mut found[t.index()], true) {
            continue;
        }
        work.extend(store.args(t));
        work.extend(sources.at(t.index()));
    }
    found
}

fn carries(store: &Store, t: Term) -> bool {
    !matches!(store.sort(t), Sort::Bool | Sort::Array(_))
}

impl PointsTo<'_> {
    /// The classes that each loose term may point into. Indexed by term; empty for the others.
    pub(super) fn loose(&self) -> Vec<Loose> {
        let program = self.program;
        let store = &program.terms;
        let mut sets: Vec<Loose> = vec![Loose::new(); store.len()];
        let mut targets: Vec<(u32, Term)> = Vec::new();
        for edge in program.main().edges.values() {
            if let EdgeOp::Assign(pairs) = &edge.op {
                targets.extend(pairs.iter().map(|(v, t)| (t.index() as u32, program.term(*v))));
            }
        }
        let targets = Lists::new(store.len(), &targets);
        // What is new of a term is passed on by itself: where all blocks meet in one variable, sets are as large as the heap.
        let mut work: Vec<(Term, (Class, bool))> = Vec::new();
        let mut add = |t: Term, pointee, work: &mut Vec<_>| {
            if !self.relevant[t.index()] && sets[t.index()].insert(pointee) {
                work.push((t, pointee));
            }
        };
        for (t, class) in self.sources() {
            add(t, (self.find(class), false), &mut work);
        }
        for &t in self.order.iter().filter(|t| self.relevant[t.index()]) {
            work.extend(self.pointees(t, &[]).into_iter().map(|pointee| (t, pointee)));
        }
        while let Some((t, pointee)) = work.pop() {
            for &v in targets.at(t.index()) {
                add(v, pointee, &mut work);
            }
            for &user in self.users_of(t.index()) {
                if let Some(pointee) = self.passed_on(user, pointee) {
                    add(user, pointee, &mut work);
                }
            }
        }
        sets
    }

    /// The classes that `t` may point into, loose or not.
    pub(super) fn pointees(&self, t: Term, loose: &[Loose]) -> Loose {
        if t.index() >= self.relevant.len() {
            return Loose::new();
        }
        if !self.relevant[t.index()] {
            return loose[t.index()].clone();
        }
        let value = self.value(t);
        let pointer = value.pointer.map(|p| (self.find(p.class), p.mangled));
        let negated = value.negated.map(|p| (self.find(p.class), true));
        pointer.into_iter().chain(negated).collect()
    }

    /// What a loose term has of something that one of its arguments may point into.
    fn passed_on(&self, t: Term, (class, mangled): (Class, bool)) -> Option<(Class, bool)> {
        let store = &self.program.terms;
        if !carries(store, t) {
            return None;
        }
        match store.op(t) {
            Op::Var(_) | Op::Select => None,
            Op::Ite | Op::BvAdd => Some((class, mangled)),
            Op::Extract { hi, .. }
                if hi < self.transfer.offset_bits
                    && store.sort(store.args(t)[0]) == Sort::Bv(self.transfer.pointer_bits) =>
            {
                mangled.then_some((class, true))
            }
            _ => Some((class, true)),
        }
    }
}
