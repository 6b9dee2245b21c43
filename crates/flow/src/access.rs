//! Which variables each edge reads and writes, memory contents aside.
//!
//! In function form a call also reads and writes the globals that its callee may (directly or through further calls),
//! and allocation changes the object tables.

use crate::callgraph::CallGraph;
use crate::graph::Lists;
use base::{Id, Table};
use cfa::{Edge, Func, Function, Op, Program, Var, VarKind};
use rustc_hash::FxHashMap;
use term::{Store, Term};

/// Finds the program variables of terms; remembers what it saw.
#[derive(Clone, Debug)]
pub struct TermVars {
    /// Program variable of each term that is one, by term id.
    var: Vec<u32>,
    /// Number of the last walk that saw the term.
    seen: Vec<u32>,
    walk: u32,
    stack: Vec<Term>,
}

const NONE: u32 = u32::MAX;

impl TermVars {
    pub fn of(program: &Program) -> TermVars {
        let mut var = vec![NONE; program.terms.len()];
        for (v, info) in program.vars.iter() {
            var[info.term.index()] = v.index() as u32;
        }
        TermVars { seen: vec![0; var.len()], var, walk: 0, stack: Vec::new() }
    }

    /// Calls `visit` once for each variable that occurs in `terms`, in a fixed order.
    pub fn each(&mut self, store: &Store, terms: &[Term], mut visit: impl FnMut(Var)) {
        self.seen.resize(store.len().max(self.seen.len()), 0);
        self.var.resize(self.seen.len(), NONE);
        self.walk += 1;
        self.stack.extend(terms.iter().rev());
        while let Some(t) = self.stack.pop() {
            if std::mem::replace(&mut self.seen[t.index()], self.walk) == self.walk {
                continue;
            }
            if self.var[t.index()] != NONE {
                visit(Var::new(self.var[t.index()] as usize));
            } else {
                self.stack.extend(store.args(t).iter().rev());
            }
        }
    }

    pub fn list(&mut self, store: &Store, terms: &[Term]) -> Vec<Var> {
        let mut vars = Vec::new();
        self.each(store, terms, |v| vars.push(v));
        vars
    }

    /// Number of distinct subterms, counted up to `limit`.
    pub fn size(&mut self, store: &Store, root: Term, limit: usize) -> usize {
        self.seen.resize(store.len().max(self.seen.len()), 0);
        self.var.resize(self.seen.len(), NONE);
        self.walk += 1;
        self.stack.push(root);
        let mut size = 0;
        while let Some(t) = self.stack.pop() {
            if std::mem::replace(&mut self.seen[t.index()], self.walk) == self.walk {
                continue;
            }
            size += 1;
            if size >= limit {
                self.stack.clear();
                break;
            }
            self.stack.extend(store.args(t));
        }
        size
    }
}

/// The globals (and object tables) that each function may read and write, calls included.
#[derive(Clone, Debug)]
pub struct GlobalEffects {
    reads: Table<Func, Vec<Var>>,
    writes: Table<Func, Vec<Var>>,
}

impl GlobalEffects {
    pub fn of(program: &Program, calls: &CallGraph) -> GlobalEffects {
        let mut vars = TermVars::of(program);
        let count = program.functions.len();
        let mut effects =
            GlobalEffects { reads: Table::filled(Vec::new(), count), writes: Table::filled(Vec::new(), count) };
        if program.functions.ids().all(|f| calls.callees(f).is_empty()) {
            return effects;
        }
        for component in calls.bottom_up() {
            let (mut reads, mut writes) = (Vec::new(), Vec::new());
            for f in component {
                for e in program.functions[*f].edges.values() {
                    vars.each(&program.terms, &e.op.terms(), |v| reads.push(v));
                    writes.extend(e.op.written());
                    if touches_tables(&e.op) {
                        writes.extend([program.size, program.live]);
                        reads.extend([program.size, program.live]);
                    }
                }
                for callee in calls.callees(*f) {
                    reads.extend(&effects.reads[*callee]);
                    writes.extend(&effects.writes[*callee]);
                }
            }
            for set in [&mut reads, &mut writes] {
                set.retain(|v| !matches!(program.vars[*v].kind, VarKind::Local(_)));
                set.sort_unstable();
                set.dedup();
            }
            for f in component {
                effects.reads[*f] = reads.clone();
                effects.writes[*f] = writes.clone();
            }
        }
        effects
    }

    pub fn reads(&self, f: Func) -> &[Var] {
        &self.reads[f]
    }

    pub fn writes(&self, f: Func) -> &[Var] {
        &self.writes[f]
    }
}

/// Whether the operation changes the object tables.
pub fn touches_tables(op: &Op) -> bool {
    matches!(op, Op::Alloc { .. } | Op::Free { .. } | Op::Dead { .. })
}

/// What the edges of one function read and write.
#[derive(Clone, Debug)]
pub struct Accesses {
    reads: Lists<Var>,
    writes: Lists<Var>,
    /// The variables that occur, by first occurrence, and their place in this list: side tables need no room for
    /// the variables of other functions.
    vars: Vec<Var>,
    slots: Slots,
}

/// The slot of each variable: a table where most variables occur. A small function of a large program takes no room for
/// the variables of the others.
#[derive(Clone, Debug)]
enum Slots {
    Dense(Vec<u32>),
    Sparse(FxHashMap<Var, u32>),
}

impl Slots {
    fn new(variables: usize, edges: usize) -> Slots {
        if variables / 8 > edges { Slots::Sparse(FxHashMap::default()) } else { Slots::Dense(vec![NONE; variables]) }
    }

    #[inline]
    fn get(&self, v: Var) -> Option<u32> {
        match self {
            Slots::Dense(slots) => slots.get(v.index()).copied().filter(|slot| *slot != NONE),
            Slots::Sparse(slots) => slots.get(&v).copied(),
        }
    }

    fn set(&mut self, v: Var, slot: u32) {
        match self {
            Slots::Dense(slots) => slots[v.index()] = slot,
            Slots::Sparse(slots) => {
                slots.insert(v, slot);
            }
        }
    }
}

impl Accesses {
    pub fn of(program: &Program, function: &Function, effects: &GlobalEffects, vars: &mut TermVars) -> Accesses {
        let (mut reads, mut writes) = (Lists::growing(), Lists::growing());
        for e in function.edges.values() {
            match &e.op {
                Op::Assume(c) => vars.each(&program.terms, &[*c], |v| reads.push(v)),
                Op::Assign(pairs) => {
                    let terms: Vec<Term> = pairs.iter().map(|p| p.1).collect();
                    vars.each(&program.terms, &terms, |v| reads.push(v));
                    pairs.iter().for_each(|p| writes.push(p.0));
                }
                op => {
                    vars.each(&program.terms, &op.terms(), |v| reads.push(v));
                    op.written().into_iter().for_each(|v| writes.push(v));
                    if touches_tables(op) {
                        [program.size, program.live].into_iter().for_each(|v| writes.push(v));
                    }
                    if let Op::Call { callee, dst, .. } = op {
                        let already = |v: &&Var| Some(**v) != *dst;
                        effects.writes(*callee).iter().filter(already).for_each(|v| writes.push(*v));
                    }
                }
            }
            reads.close();
            writes.close();
        }
        let mut slots = Slots::new(program.vars.len(), function.edges.len());
        let mut vars: Vec<Var> = Vec::new();
        for e in function.edges.ids() {
            for v in reads.at(e.index()).iter().chain(writes.at(e.index())) {
                if slots.get(*v).is_none() {
                    slots.set(*v, vars.len() as u32);
                    vars.push(*v);
                }
            }
        }
        Accesses { reads, writes, vars, slots }
    }

    /// The variables that occur on the function's edges.
    pub fn vars(&self) -> &[Var] {
        &self.vars
    }

    /// The place of a variable in [`Accesses::vars`]. Panics when it does not occur.
    #[inline]
    pub fn slot(&self, v: Var) -> usize {
        self.slots.get(v).expect("it occurs") as usize
    }

    pub fn mentions(&self, v: Var) -> bool {
        self.slots.get(v).is_some()
    }

    /// Variables that the terms on the edge mention, each once. The globals that a callee reads are not among them: ask
    /// [`GlobalEffects::reads`].
    #[inline]
    pub fn reads(&self, e: Edge) -> &[Var] {
        self.reads.at(e.index())
    }

    /// Variables that the edge may change, each once.
    #[inline]
    pub fn writes(&self, e: Edge) -> &[Var] {
        self.writes.at(e.index())
    }
}
