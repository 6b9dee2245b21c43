//! The program that follows one cell of each array instead of the arrays.
//!
//! Besides the cell at the chosen index there are *views*: for each place `a[i]` that the program reads, a variable that is
//! what is there, as long as nobody writes to `a` or changes `i`; then it may be anything. (If `i` is the chosen index, the cell
//! tells what is there.)

use base::Id;
use cfa::{Edge, Op, Origin, Program, Var, VarKind};
use indexmap::IndexMap;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use term::{Op as TermOp, Sort, Store, Term, walk};

/// See the module above.
pub(super) struct Followed {
    /// Locations of the original have their numbers; some are added.
    pub(super) program: Program,
    pub(super) index: Var,
    /// Each array with the variable that is its cell.
    pub(super) cells: Vec<(Var, Var)>,
    /// Variables that say nothing about the original.
    auxiliary: BTreeSet<Var>,
}

impl Followed {
    pub(super) fn is_auxiliary(&self, var: Var) -> bool {
        self.auxiliary.contains(&var)
    }
}

/// `None` if no condition of an error reads an array, or something else is done with arrays than reading and writing.
pub(super) fn follow_one_cell(original: &Program, terms: &Store) -> Option<Followed> {
    let mut program = original.clone();
    program.terms = terms.clone();
    let checks = checks(&program);
    let sort = terms.sort(checks.first()?.at);
    let index = program.add_var("$cell", sort, VarKind::Global, None);
    let mut cells = Vec::new();
    for var in original.vars.ids() {
        if let Sort::Array(array) = program.vars[var].sort
            && Sort::from(array.index) == sort
        {
            let name = format!("{}[$cell]", program.name(var));
            let source = program.vars[var].source.clone();
            cells.push((var, program.add_var(&name, Sort::from(array.elem), VarKind::Global, source)));
        }
    }
    let mut follower = Follower {
        index,
        cells: cells.iter().copied().collect(),
        program,
        views: IndexMap::new(),
        kept: FxHashMap::default(),
        known: FxHashMap::default(),
    };
    // First all reads, so that every change of what a view depends on is seen.
    let edges: Vec<Edge> = original.main().edges.ids().collect();
    let mut ops = Vec::new();
    for &edge in &edges {
        ops.push(follower.op(edge)?);
    }
    for check in checks.iter().filter(|check| terms.sort(check.at) == sort) {
        follower.restrict(check, &mut ops)?;
    }
    for (edge, op) in edges.into_iter().zip(ops) {
        follower.replace(edge, op);
    }
    let auxiliary = follower.views.values().chain(follower.kept.values()).copied().collect();
    Some(Followed { index, cells, auxiliary, program: follower.program })
}

/// An error that depends on a cell.
struct Check {
    /// The edge to the error.
    edge: Edge,
    /// The index of the cell, where it is read.
    at: Term,
    /// The edge that reads it, if it is another one.
    read_on: Option<Edge>,
}

/// The errors that depend on a cell, in their own condition or in the value of a variable in it.
fn checks(program: &Program) -> Vec<Check> {
    let main = program.main();
    let read_in = |t: Term| {
        let mut parts = walk::postorder(&program.terms, &[t]).into_iter();
        parts.find(|t| program.terms.op(*t) == TermOp::Select).map(|read| program.terms.arg(read, 1))
    };
    let mut checks = Vec::new();
    for (edge, info) in main.edges.iter() {
        let (Op::Assume(condition), true) = (&info.op, main.locs[info.to].kind.is_target()) else { continue };
        if let Some(at) = read_in(*condition) {
            checks.push(Check { edge, at, read_on: None });
            continue;
        }
        let vars = walk::free_vars(&program.terms, &[*condition]);
        for (before, info) in main.edges.iter() {
            let Op::Assign(pairs) = &info.op else { continue };
            let value = pairs.iter().find(|(var, _)| vars.contains(&program.term(*var)));
            if let Some(at) = value.and_then(|(_, value)| read_in(*value)) {
                checks.push(Check { edge, at, read_on: Some(before) });
            }
        }
    }
    checks
}

struct Follower {
    program: Program,
    index: Var,
    cells: FxHashMap<Var, Var>,
    /// By array and index, as the original writes it.
    views: IndexMap<(Var, Term), Var>,
    /// Where the cell was read that an edge to an error depends on.
    kept: FxHashMap<Edge, Var>,
    /// Scalar terms, rewritten.
    known: FxHashMap<Term, Term>,
}

impl Follower {
    /// Of the executions to an error that depends on a cell, only those matter in which it is the chosen one.
    fn restrict(&mut self, check: &Check, ops: &mut [Op]) -> Option<()> {
        let mut at = self.scalar(check.at)?;
        if let Some(edge) = check.read_on {
            let sort = self.program.terms.sort(at);
            let kept = match self.kept.get(&check.edge) {
                Some(kept) => *kept,
                None => self.program.add_var("$read", sort, VarKind::Global, None),
            };
            self.kept.insert(check.edge, kept);
            let Op::Assign(pairs) = &mut ops[edge.index()] else { return None };
            if pairs.iter().any(|(var, _)| *var == kept) {
                return Some(());
            }
            pairs.push((kept, at));
            at = self.program.term(kept);
        }
        let index = self.program.term(self.index);
        let here = self.program.terms.eq(index, at);
        let Op::Assume(condition) = &mut ops[check.edge.index()] else { return None };
        *condition = self.program.terms.and(*condition, here);
        Some(())
    }

    /// What an edge does to scalars.
    fn op(&mut self, edge: Edge) -> Option<Op> {
        Some(match self.program.main().edges[edge].op.clone() {
            Op::Assume(condition) => Op::Assume(self.scalar(condition)?),
            Op::Assign(pairs) => {
                let mut out = Vec::new();
                for (var, value) in pairs {
                    match (self.cells.get(&var).copied(), self.program.vars[var].sort) {
                        (Some(cell), _) => out.push((cell, self.at(value, None)?)),
                        // Of other arrays there are only views.
                        (None, Sort::Array(_)) => {}
                        (None, _) => out.push((var, self.scalar(value)?)),
                    }
                }
                Op::Assign(out)
            }
            Op::Havoc { vars, origin } => {
                let followed = |var: Var| match (self.cells.get(&var), self.program.vars[var].sort) {
                    (Some(cell), _) => Some(*cell),
                    (None, Sort::Array(_)) => None,
                    (None, _) => Some(var),
                };
                Op::Havoc { vars: vars.into_iter().filter_map(followed).collect(), origin }
            }
            _ => return None,
        })
    }

    /// Puts the operation in place. Views of what it changes may be anything afterwards.
    fn replace(&mut self, edge: Edge, op: Op) {
        let written = self.program.main().edges[edge].op.written();
        let mut stale = Vec::new();
        for ((array, at), view) in &self.views {
            let vars = walk::free_vars(&self.program.terms, &[*at]);
            let moved = vars.iter().any(|v| self.program.var_of(*v).is_some_and(|v| written.contains(&v)));
            if moved || written.contains(array) {
                stale.push(*view);
            }
        }
        let entry = self.program.entry;
        let main = &mut self.program.functions[entry];
        main.edges[edge].op = op;
        if !stale.is_empty() {
            let (to, span) = (main.edges[edge].to, main.edges[edge].span);
            let location =
                cfa::Location { frame: main.locs[main.edges[edge].from].frame, ..cfa::Location::plain(span) };
            let between = main.locs.push(location);
            main.edges[edge].to = between;
            main.add_edge(between, to, Op::Havoc { vars: stale, origin: Origin::Internal }, span);
        }
    }

    /// The term with every read replaced.
    fn scalar(&mut self, t: Term) -> Option<Term> {
        for part in walk::postorder(&self.program.terms, &[t]) {
            if self.known.contains_key(&part) || matches!(self.program.terms.sort(part), Sort::Array(_)) {
                continue;
            }
            let op = self.program.terms.op(part);
            let args: Vec<Term> = self.program.terms.args(part).to_vec();
            let new = match op {
                TermOp::Select => self.at(args[0], Some(args[1]))?,
                TermOp::Forall | TermOp::Exists => return None,
                _ if args.iter().any(|a| matches!(self.program.terms.sort(*a), Sort::Array(_))) => return None,
                _ => {
                    let new: Vec<Term> = args.iter().map(|a| self.known[a]).collect();
                    if new == args { part } else { self.program.terms.mk(op, &new) }
                }
            };
            self.known.insert(part, new);
        }
        self.known.get(&t).copied()
    }

    /// What the array `t` holds at `at`, or at the chosen index.
    fn at(&mut self, t: Term, at: Option<Term>) -> Option<Term> {
        let args: Vec<Term> = self.program.terms.args(t).to_vec();
        match (self.program.terms.op(t), &args[..]) {
            (TermOp::Store, &[below, index, value]) => {
                let (index, value) = (self.scalar(index)?, self.scalar(value)?);
                let below = self.at(below, at)?;
                let at = self.place(at)?;
                let here = self.program.terms.eq(at, index);
                Some(self.program.terms.ite(here, value, below))
            }
            (TermOp::Ite, &[condition, yes, no]) => {
                let condition = self.scalar(condition)?;
                let (yes, no) = (self.at(yes, at)?, self.at(no, at)?);
                Some(self.program.terms.ite(condition, yes, no))
            }
            (TermOp::ConstArray(_), &[value]) => self.scalar(value),
            _ => {
                let array = self.program.var_of(t)?;
                let cell = self.cells.get(&array).map(|cell| self.program.term(*cell));
                let Some(index) = at else { return cell };
                let view = self.view(array, index)?;
                let view = self.program.term(view);
                let Some(cell) = cell else { return Some(view) };
                let (at, chosen) = (self.place(at)?, self.program.term(self.index));
                let here = self.program.terms.eq(at, chosen);
                Some(self.program.terms.ite(here, cell, view))
            }
        }
    }

    fn place(&mut self, at: Option<Term>) -> Option<Term> {
        match at {
            Some(at) => self.scalar(at),
            None => Some(self.program.term(self.index)),
        }
    }

    fn view(&mut self, array: Var, at: Term) -> Option<Var> {
        let Sort::Array(sort) = self.program.vars[array].sort else { return None };
        if let Some(view) = self.views.get(&(array, at)) {
            return Some(*view);
        }
        let name = format!("{}[{}]", self.program.name(array), self.views.len());
        let view = self.program.add_var(&name, Sort::from(sort.elem), VarKind::Global, None);
        self.views.insert((array, at), view);
        Some(view)
    }
}
