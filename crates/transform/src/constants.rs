//! Conditional constant propagation (Wegman and Zadeck, TOPLAS 1991): which versions of variables are constants, and which
//! edges can be passed at all, each assuming the other.
//!
//! A caller may know values at the entry (arguments of a call), and may count some variables as constants in
//! themselves (addresses of functions, which never change and are all different).

use crate::edit::Facts;
use base::{Id, Table};
use cfa::{Edge, Func, Loc, Op, Program, Var};
use flow::{Def, Site, Users};
use rustc_hash::FxHashMap;
use term::{Op as TermOp, Store, Substitution, Term};

/// What is known of one version.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Value {
    /// No execution seen so far makes it.
    None,
    /// Always that: a literal, or a variable that counts as one.
    Known(Term),
    Varies,
}

/// Variables that stand for themselves like constants.
#[derive(Clone, Debug, Default)]
pub(crate) struct Symbols {
    /// Globals that are written once, at the start, and what is known of them.
    pub values: FxHashMap<Var, Term>,
    /// Terms of variables that hold addresses of different functions: never null, never equal to each other.
    pub addresses: rustc_hash::FxHashSet<Term>,
}

#[derive(Debug)]
pub(crate) struct Constants {
    values: Vec<Value>,
    passable: Vec<bool>,
    reached: Table<Loc, bool>,
}

impl Constants {
    pub(crate) fn known(&self, d: Def) -> Option<Term> {
        if let Value::Known(t) = self.values[d.index()] { Some(t) } else { None }
    }

    pub(crate) fn is_passable(&self, e: Edge) -> bool {
        self.passable[e.index()]
    }

    pub(crate) fn is_reached(&self, l: Loc) -> bool {
        self.reached[l]
    }
}

/// Runs the propagation over one function. `entry` gives values that variables have at its entry.
pub(crate) fn constants(
    program: &mut Program,
    function: Func,
    facts: &Facts,
    users: &Users,
    entry: &[(Var, Term)],
    symbols: &Symbols,
) -> Constants {
    let mut values = vec![Value::None; facts.ssa.defs.len()];
    for (d, info) in facts.ssa.defs.iter() {
        if info.site == Site::Entry {
            values[d.index()] = symbols.values.get(&info.var).map_or(Value::Varies, |t| Value::Known(*t));
        }
    }
    for (v, t) in entry {
        if facts.accesses.mentions(*v) {
            values[facts.ssa.entry(facts.accesses.slot(*v)).index()] = Value::Known(*t);
        }
    }
    let result = Constants {
        values,
        passable: vec![false; facts.graph.edge_count()],
        reached: Table::filled(false, facts.graph.len()),
    };
    let Program { terms, functions, .. } = program;
    let mut solver = Solver {
        terms,
        edges: &functions[function].edges,
        facts,
        users,
        symbols,
        result,
        edge_work: Vec::new(),
        waits: vec![false; facts.graph.edge_count()],
        changed: Vec::new(),
    };
    for j in facts.ssa.joins(facts.graph.entry()) {
        // Control also comes from outside, with the values of the entry.
        let flow::DefInfo { var, site } = facts.ssa.defs[*j];
        if let Site::Join(_, n) = site {
            solver.join(n, facts.ssa.entry(facts.accesses.slot(var)));
        }
    }
    solver.reach(facts.graph.entry());
    solver.run();
    solver.result
}

struct Solver<'a> {
    terms: &'a mut Store,
    edges: &'a Table<Edge, cfa::EdgeInfo>,
    facts: &'a Facts,
    users: &'a Users,
    symbols: &'a Symbols,
    result: Constants,
    edge_work: Vec<Edge>,
    /// Whether an edge is in `edge_work`, by number: many versions that it reads may change before its turn comes.
    waits: Vec<bool>,
    changed: Vec<Def>,
}

impl Solver<'_> {
    fn run(&mut self) {
        loop {
            if let Some(e) = self.edge_work.pop() {
                self.waits[e.index()] = false;
                self.edge(e);
            } else if let Some(d) = self.changed.pop() {
                for e in self.users.edges(d) {
                    if self.result.reached[self.facts.graph.from(*e)] {
                        self.plan(*e);
                    }
                }
                for (n, e) in self.users.joins(d) {
                    if self.result.passable[e.index()] {
                        self.join(*n, d);
                    }
                }
            } else {
                return;
            }
        }
    }

    fn reach(&mut self, l: Loc) {
        if !std::mem::replace(&mut self.result.reached[l], true) {
            for e in self.facts.graph.succs(l).iter().rev() {
                self.plan(*e);
            }
        }
    }

    fn plan(&mut self, e: Edge) {
        if !std::mem::replace(&mut self.waits[e.index()], true) {
            self.edge_work.push(e);
        }
    }

    fn set(&mut self, d: Def, value: Value) {
        let old = self.result.values[d.index()];
        let new = meet(old, value);
        if new != old {
            self.result.values[d.index()] = new;
            self.changed.push(d);
        }
    }

    /// Version `d` comes into a join.
    fn join(&mut self, number: u32, d: Def) {
        self.set(self.join_def(number), self.result.values[d.index()]);
    }

    fn join_def(&self, number: u32) -> Def {
        // Joins are the last definitions, in the order of their numbers.
        Def::new(self.facts.ssa.defs.len() - self.facts.ssa.join_count() + number as usize)
    }

    fn edge(&mut self, e: Edge) {
        let uses = self.facts.ssa.uses(e);
        if uses.iter().any(|d| self.result.values[d.index()] == Value::None) {
            return;
        }
        let reads = self.facts.accesses.reads(e);
        // One for all terms of the edge, which share most of what they are made of.
        let mut known = Substitution::new();
        for (v, d) in reads.iter().zip(uses) {
            let v = self.facts.term(*v);
            if let Some(t) = self.result.known(*d).filter(|t| *t != v) {
                known.insert(self.terms, v, t);
            }
        }
        match &self.edges[e].op {
            Op::Assume(c) => {
                let c = self.evaluate(*c, &mut known);
                if self.terms.as_bool_const(c) == Some(false) {
                    return;
                }
            }
            Op::Assign(pairs) => {
                for (i, (_, t)) in pairs.iter().enumerate() {
                    let t = self.evaluate(*t, &mut known);
                    let value = if self.is_value(t) { Value::Known(t) } else { Value::Varies };
                    self.set(self.facts.ssa.made(e, i), value);
                }
            }
            _ => {
                for i in 0..self.facts.accesses.writes(e).len() {
                    self.set(self.facts.ssa.made(e, i), Value::Varies);
                }
            }
        }
        if !std::mem::replace(&mut self.result.passable[e.index()], true) {
            let to = self.facts.graph.to(e);
            for (n, d) in self.users.brought(e) {
                self.join(*n, *d);
            }
            self.reach(to);
        }
    }

    fn is_value(&self, t: Term) -> bool {
        is_value(self.terms, self.symbols, t)
    }

    fn evaluate(&mut self, t: Term, known: &mut Substitution) -> Term {
        let t = known.apply(self.terms, t);
        fold_addresses(self.terms, t, &self.symbols.addresses)
    }
}

fn is_value(terms: &Store, symbols: &Symbols, t: Term) -> bool {
    terms.is_const(t) || symbols.addresses.contains(&t)
}

/// The value of a term when some variables are known, if that makes it a constant.
pub(crate) fn evaluate_with(terms: &mut Store, t: Term, known: &[(Term, Term)], symbols: &Symbols) -> Option<Term> {
    let t = if known.is_empty() { t } else { term::substitute(terms, t, known) };
    is_value(terms, symbols, t).then_some(t)
}

fn meet(a: Value, b: Value) -> Value {
    match (a, b) {
        (Value::None, x) | (x, Value::None) => x,
        (Value::Known(x), Value::Known(y)) if x == y => a,
        _ => Value::Varies,
    }
}

/// Decides equalities between addresses of functions and with null, under `not`, `and` and `or`.
fn fold_addresses(terms: &mut Store, t: Term, addresses: &rustc_hash::FxHashSet<Term>) -> Term {
    if addresses.is_empty() || !terms.sort(t).is_bool() {
        return t;
    }
    let args = terms.args(t).to_vec();
    match terms.op(t) {
        TermOp::Eq => {
            let (a, b) = (args[0], args[1]);
            let differ = |x: Term, y: Term| {
                addresses.contains(&x) && (addresses.contains(&y) || terms.as_bv_const(y).is_some_and(|c| c.is_zero()))
            };
            if a != b && (differ(a, b) || differ(b, a)) { terms.ff() } else { t }
        }
        op @ (TermOp::Not | TermOp::And | TermOp::Or) => {
            let folded: Vec<Term> = args.iter().map(|a| fold_addresses(terms, *a, addresses)).collect();
            if folded == args { t } else { terms.mk(op, &folded) }
        }
        _ => t,
    }
}
