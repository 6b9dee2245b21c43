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

/// Terms whose values may become addresses. Indexed by term.
pub(super) fn relevant(program: &Program) -> Vec<bool> {
    let store = &program.terms;
    let mut sources: Vec<(u32, Term)> = Vec::new();
    let mut work: Vec<Term> = Vec::new();
    for edge in program.main().edges.values() {
        match &edge.op {
            EdgeOp::Assign(pairs) => {
                sources.extend(pairs.iter().map(|(v, t)| (program.term(*v).index() as u32, *t)));
            }
            EdgeOp::Load { addr, .. } | EdgeOp::Free { addr } | EdgeOp::Dead { addr } => work.push(*addr),
            EdgeOp::Store { addr, value, .. } => work.extend([*addr, *value]),
            EdgeOp::Copy { dst, src, len } => work.extend([*dst, *src, *len]),
            EdgeOp::Fill { dst, len, .. } => work.extend([*dst, *len]),
            EdgeOp::Escape { addrs, .. } => work.extend(addrs),
            _ => {}
        }
    }
    let sources = Lists::new(store.len(), &sources);
    let mut relevant = vec![false; store.len()];
    while let Some(t) = work.pop() {
        if !carries(store, t) || std::mem::replace(&mut relevant[t.index()], true) {
            continue;
        }
        work.extend(store.args(t));
        work.extend(sources.at(t.index()));
    }
    relevant
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
        let mut work: Vec<Term> = Vec::new();
        for edge in program.main().edges.values() {
            if let EdgeOp::Assign(pairs) = &edge.op {
                targets.extend(pairs.iter().map(|(v, t)| (t.index() as u32, program.term(*v))));
            }
        }
        let targets = Lists::new(store.len(), &targets);
        for (t, class) in self.sources() {
            if !self.relevant[t.index()] && sets[t.index()].insert((self.find(class), false)) {
                work.push(t);
            }
        }
        // Arguments first, so that one pass does most of it.
        for &t in &self.order {
            let more = self.loose_value(t, &sets);
            if !self.relevant[t.index()] && !more.is_subset(&sets[t.index()]) {
                sets[t.index()].extend(more);
                work.push(t);
            }
            if self.relevant[t.index()] && self.value(t).class().is_some() {
                work.push(t);
            }
        }
        while let Some(t) = work.pop() {
            let from = self.pointees(t, &sets);
            for &v in targets.at(t.index()) {
                if !self.relevant[v.index()] && !from.is_subset(&sets[v.index()]) {
                    sets[v.index()].extend(from.iter().copied());
                    work.push(v);
                }
            }
            for &user in self.users_of(t.index()) {
                let more = self.loose_value(user, &sets);
                if !self.relevant[user.index()] && !more.is_subset(&sets[user.index()]) {
                    sets[user.index()].extend(more);
                    work.push(user);
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

    fn loose_value(&self, t: Term, sets: &[Loose]) -> Loose {
        let store = &self.program.terms;
        if self.relevant[t.index()] || !carries(store, t) {
            return Loose::new();
        }
        let args = store.args(t);
        let all = |mangle: bool| -> Loose {
            let of = |a: &Term| self.pointees(*a, sets).into_iter().map(move |(c, m)| (c, m || mangle));
            args.iter().flat_map(of).collect()
        };
        match store.op(t) {
            Op::Var(_) | Op::Select => Loose::new(),
            Op::Ite | Op::BvAdd => all(false),
            Op::Extract { hi, .. }
                if hi < self.transfer.offset_bits && store.sort(args[0]) == Sort::Bv(self.transfer.pointer_bits) =>
            {
                all(false).into_iter().filter(|(_, mangled)| *mangled).collect()
            }
            _ => all(true),
        }
    }
}
