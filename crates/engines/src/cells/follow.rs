//! The program that follows a few cells instead of the arrays.
//!
//! Besides the chosen cells there are *views*: for each place `a[i]` that the program reads, a variable that is what is there,
//! as long as nobody writes to `a` or changes `i`; then it may be anything. (If `i` is the index of a chosen cell, the cell tells
//! what is there.)

use crate::limits::cells::MOST_CELLS;
use base::Id;
use cfa::{Edge, Op, Origin, Program, Var, VarKind};
use indexmap::IndexMap;
use infer::sample::{Cell, Content, Ghost};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::sync::Arc;
use term::{Op as TermOp, Sort, Store, Term, walk};

/// See the module above.
pub(super) struct Followed {
    /// Locations of the original have their numbers; some are added.
    pub(super) program: Program,
    pub(super) cell: Cell,
    /// Variables that say nothing about the original.
    auxiliary: BTreeSet<Var>,
}

impl Followed {
    pub(super) fn is_auxiliary(&self, var: Var) -> bool {
        self.auxiliary.contains(&var)
    }
}

/// `None` if no condition of an error reads an array, or something else is done with arrays than reading and writing.
pub(super) fn follow_cells(original: &Arc<Program>, terms: &Store) -> Option<Followed> {
    let mut program = Program::clone(original);
    program.terms = terms.clone();
    let checks = checks(&program);
    let mut ghosts: Vec<Ghost> = Vec::new();
    let mut reads: Vec<Read> = Vec::new();
    for &Read { array, at } in checks.iter().flat_map(|check| &check.reads) {
        for v in walk::free_vars(&program.terms, &[at]) {
            let of = program.var_of(v)?;
            if !ghosts.iter().any(|ghost| ghost.of == of) {
                let name = format!("${}", program.name(of).rsplit("::").next().unwrap_or_default());
                let var = program.add_var(&name, program.vars[of].sort, VarKind::Global, None);
                ghosts.push(Ghost { of, var });
            }
        }
        let chosen: Vec<(Term, Term)> = ghosts.iter().map(|g| (program.term(g.of), program.term(g.var))).collect();
        let read = Read { array, at: term::substitute(&mut program.terms, at, &chosen) };
        if !reads.contains(&read) {
            reads.push(read);
        }
    }
    let mut contents: Vec<Content> = Vec::new();
    for array in original.vars.ids() {
        let Sort::Array(sort) = program.vars[array].sort else { continue };
        // Of arrays that errors do not read, the cells that they may have been copied from.
        let is_read = reads.iter().any(|read| read.array == Some(array));
        let mut places: Vec<Term> =
            reads.iter().filter(|read| !is_read || read.array == Some(array)).map(|read| read.at).collect();
        places.dedup();
        for at in places {
            if program.terms.sort(at) == Sort::from(sort.index) {
                let name = format!("{}[${}]", program.name(array), contents.len());
                let source = program.vars[array].source.clone();
                let var = program.add_var(&name, Sort::from(sort.elem), VarKind::Global, source);
                contents.push(Content { array, at, var });
            }
        }
    }
    if contents.is_empty() || contents.len() > MOST_CELLS {
        return None;
    }
    let cell = Cell { original: original.clone(), ghosts, contents };
    let mut follower =
        Follower { cell, program, views: IndexMap::new(), kept: FxHashMap::default(), known: FxHashMap::default() };
    // First all reads, so that every change of what a view depends on is seen.
    let edges: Vec<Edge> = original.main().edges.ids().collect();
    let mut ops = Vec::new();
    for &edge in &edges {
        ops.push(follower.op(edge)?);
    }
    for check in &checks {
        follower.restrict(check, &mut ops)?;
    }
    for (edge, op) in edges.into_iter().zip(ops) {
        follower.replace(edge, op);
    }
    let auxiliary = follower.views.values().chain(follower.kept.values()).copied().collect();
    Some(Followed { cell: follower.cell, auxiliary, program: follower.program })
}

/// An error that depends on cells.
struct Check {
    /// The edge to the error.
    edge: Edge,
    reads: Vec<Read>,
    /// The edge that reads them, if it is another one.
    read_on: Option<Edge>,
}

/// A cell that is read: of an array (if it is as it stands), at an index.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Read {
    array: Option<Var>,
    at: Term,
}

/// The errors that depend on cells, in their own condition or in the value of a variable in it.
fn checks(program: &Program) -> Vec<Check> {
    let main = program.main();
    let read_in = |t: Term| -> Vec<Read> {
        let terms = &program.terms;
        let is_read = |t: &Term| terms.op(*t) == TermOp::Select;
        let mut reads: Vec<Read> = Vec::new();
        for read in walk::postorder(terms, &[t]).into_iter().filter(is_read) {
            let read = Read { array: program.var_of(terms.arg(read, 0)), at: terms.arg(read, 1) };
            // The index is to be told by variables.
            if !walk::postorder(terms, &[read.at]).iter().any(is_read) && !reads.contains(&read) {
                reads.push(read);
            }
        }
        reads
    };
    let mut checks = Vec::new();
    for (edge, info) in main.edges.iter() {
        let (Op::Assume(condition), true) = (&info.op, main.locs[info.to].kind.is_target()) else { continue };
        let reads = read_in(*condition);
        if !reads.is_empty() {
            checks.push(Check { edge, reads, read_on: None });
            continue;
        }
        let vars = walk::free_vars(&program.terms, &[*condition]);
        for (before, info) in main.edges.iter() {
            let Op::Assign(pairs) = &info.op else { continue };
            let value = pairs.iter().find(|(var, _)| vars.contains(&program.term(*var)));
            let reads = value.map(|(_, value)| read_in(*value)).unwrap_or_default();
            if !reads.is_empty() {
                checks.push(Check { edge, reads, read_on: Some(before) });
            }
        }
    }
    checks
}

struct Follower {
    program: Program,
    cell: Cell,
    /// By array and index, as the original writes it.
    views: IndexMap<(Var, Term), Var>,
    /// What a variable was where the cells were read that an edge to an error depends on.
    kept: FxHashMap<(Edge, Var), Var>,
    /// Scalar terms, rewritten.
    known: FxHashMap<Term, Term>,
}

/// Where an array is looked at.
#[derive(Clone, Copy)]
enum Place {
    /// An index, as the original writes it.
    Written(Term),
    /// The index of a cell that is followed.
    Chosen(Term),
}

impl Follower {
    /// Of the executions to an error that depends on cells, only those matter in which they are the chosen ones.
    fn restrict(&mut self, check: &Check, ops: &mut [Op]) -> Option<()> {
        let mut here = Vec::new();
        for Ghost { of, var } in self.cell.ghosts.clone() {
            let own = self.program.term(of);
            if !check.reads.iter().any(|read| walk::mentions(&self.program.terms, read.at, own)) {
                continue;
            }
            let mut read_at = own;
            if let Some(edge) = check.read_on {
                let sort = self.program.vars[of].sort;
                let kept = match self.kept.get(&(check.edge, of)) {
                    Some(kept) => *kept,
                    None => self.program.add_var("$read", sort, VarKind::Global, None),
                };
                self.kept.insert((check.edge, of), kept);
                let Op::Assign(pairs) = &mut ops[edge.index()] else { return None };
                if !pairs.iter().any(|(var, _)| *var == kept) {
                    pairs.push((kept, own));
                }
                read_at = self.program.term(kept);
            }
            let chosen = self.program.term(var);
            here.push(self.program.terms.eq(chosen, read_at));
        }
        let Op::Assume(condition) = &mut ops[check.edge.index()] else { return None };
        here.push(*condition);
        *condition = self.program.terms.and_all(&here);
        Some(())
    }

    /// What an edge does to scalars.
    fn op(&mut self, edge: Edge) -> Option<Op> {
        Some(match self.program.main().edges[edge].op.clone() {
            Op::Assume(condition) => Op::Assume(self.scalar(condition)?),
            Op::Assign(pairs) => {
                let mut out = Vec::new();
                for (var, value) in pairs {
                    if let Sort::Array(_) = self.program.vars[var].sort {
                        // Of arrays without cells there are only views.
                        for content in self.contents(var) {
                            out.push((content.var, self.at(value, Place::Chosen(content.at))?));
                        }
                    } else {
                        out.push((var, self.scalar(value)?));
                    }
                }
                Op::Assign(out)
            }
            Op::Havoc { vars, origin } => {
                let followed = |var: Var| match self.program.vars[var].sort {
                    Sort::Array(_) => self.contents(var).into_iter().map(|content| content.var).collect(),
                    _ => vec![var],
                };
                Op::Havoc { vars: vars.into_iter().flat_map(followed).collect(), origin }
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
                TermOp::Select => self.at(args[0], Place::Written(args[1]))?,
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

    /// What the array `t` holds at a place.
    fn at(&mut self, t: Term, place: Place) -> Option<Term> {
        let args: Vec<Term> = self.program.terms.args(t).to_vec();
        match (self.program.terms.op(t), &args[..]) {
            (TermOp::Store, &[below, index, value]) => {
                let (index, value) = (self.scalar(index)?, self.scalar(value)?);
                let below = self.at(below, place)?;
                let at = self.index(place)?;
                let here = self.program.terms.eq(at, index);
                Some(self.program.terms.ite(here, value, below))
            }
            (TermOp::Ite, &[condition, yes, no]) => {
                let condition = self.scalar(condition)?;
                let (yes, no) = (self.at(yes, place)?, self.at(no, place)?);
                Some(self.program.terms.ite(condition, yes, no))
            }
            (TermOp::ConstArray(_), &[value]) => self.scalar(value),
            _ => {
                let array = self.program.var_of(t)?;
                let contents = self.contents(array);
                let mut found = match place {
                    Place::Chosen(at) => {
                        return contents.iter().find(|c| c.at == at).map(|c| self.program.term(c.var));
                    }
                    Place::Written(at) => {
                        let view = self.view(array, at)?;
                        self.program.term(view)
                    }
                };
                let at = self.index(place)?;
                for content in contents.into_iter().rev() {
                    let here = self.program.terms.eq(at, content.at);
                    found = self.program.terms.ite(here, self.program.term(content.var), found);
                }
                Some(found)
            }
        }
    }

    fn contents(&self, array: Var) -> Vec<Content> {
        self.cell.contents.iter().filter(|content| content.array == array).copied().collect()
    }

    fn index(&mut self, place: Place) -> Option<Term> {
        match place {
            Place::Written(at) => self.scalar(at),
            Place::Chosen(at) => Some(at),
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
