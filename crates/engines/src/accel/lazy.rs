//! Lazy abstraction with interpolants (McMillan 2006), the interpolants by weakest preconditions (paper 002, section 5).
//!
//! The program is unwound into a tree whose nodes carry a label that holds whenever the node is reached. An infeasible path to
//! an error strengthens the labels along it: the weakest precondition of `false`, taken over those conditions only that the
//! contradiction needs. A node whose label implies that of an earlier node at the same location is covered, and not
//! expanded. When nothing is left to expand, the labels at each loop head together are an invariant.

use base::Table;
use cfa::{Edge, Loc, LocKind, Op, Program, Var};
use encode::State;
use encode::post::step;
use engine::{Budget, Cx, Proof, Stop, Task, Verdict};
use flow::wto::Wto;
use smt::Solver;
use std::collections::{BTreeMap, BTreeSet};
use term::{Store, Term};

base::id!(
    /// A node of the tree.
    Vertex,
    "v"
);

#[derive(Debug)]
struct Node {
    loc: Loc,
    parent: Option<(Vertex, Edge)>,
    label: Term,
    covered_by: Option<Vertex>,
    expanded: bool,
}

/// How a part of the work ended.
pub(super) enum Outcome {
    Done(Verdict),
    /// There is more to do.
    Paused,
    /// The method cannot go on.
    Stuck,
}

/// An unwinding in progress.
pub(super) struct Lazy<'t> {
    task: &'t Task,
    wto: &'t Wto,
    successors: Table<Loc, Vec<Edge>>,
    nodes: Table<Vertex, Node>,
    at: BTreeMap<Loc, Vec<Vertex>>,
    open: Vec<Vertex>,
    solver: Box<dyn Solver>,
}

/// Weakest preconditions beyond this size are of no use.
const MAX_SIZE: usize = 4000;
/// Clauses of a formula under a quantifier.
const MAX_CLAUSES: usize = 64;

impl<'t> Lazy<'t> {
    pub(super) fn new(task: &'t Task, wto: &'t Wto, cx: &Cx) -> Result<Lazy<'t>, Stop> {
        let mut lazy = Lazy {
            task,
            wto,
            successors: task.program.main().successors(),
            nodes: Table::new(),
            at: BTreeMap::new(),
            open: Vec::new(),
            solver: cx.solver()?,
        };
        let label = cx.terms.bool(true);
        lazy.add(task.program.main().entry, None, label);
        Ok(lazy)
    }

    fn add(&mut self, loc: Loc, parent: Option<(Vertex, Edge)>, label: Term) {
        let vertex = self.nodes.push(Node { loc, parent, label, covered_by: None, expanded: false });
        self.at.entry(loc).or_default().push(vertex);
        self.open.push(vertex);
    }

    /// Goes on until the budget is used up.
    pub(super) fn advance(&mut self, budget: &Budget, cx: &mut Cx) -> Result<Outcome, Stop> {
        while let Some(vertex) = self.open.pop() {
            if budget.check().is_err() {
                self.open.push(vertex);
                cx.budget.check()?;
                return Ok(Outcome::Paused);
            }
            cx.budget.check_memory()?;
            if self.is_covered(vertex) {
                continue;
            }
            let loc = self.nodes[vertex].loc;
            match &self.task.program.main().locs[loc].kind {
                LocKind::End(_) => continue,
                kind if kind.is_target() => {
                    if !self.refine(vertex, cx)? {
                        return Ok(Outcome::Stuck);
                    }
                    continue;
                }
                _ => {}
            }
            if self.wto.is_head(loc) && self.close(vertex, cx)? {
                continue;
            }
            self.nodes[vertex].expanded = true;
            for i in (0..self.successors[loc].len()).rev() {
                let edge = self.successors[loc][i];
                let label = cx.terms.bool(true);
                self.add(self.task.program.main().edges[edge].to, Some((vertex, edge)), label);
            }
        }
        Ok(Outcome::Done(Verdict::Safe(Proof::Invariants { at: self.invariants(cx), k: 1 })))
    }

    /// Whether the node or one above it is covered.
    fn is_covered(&self, vertex: Vertex) -> bool {
        let mut at = Some(vertex);
        while let Some(v) = at {
            if self.nodes[v].covered_by.is_some() {
                return true;
            }
            at = self.nodes[v].parent.map(|(parent, _)| parent);
        }
        false
    }

    /// Covers the node by an earlier one, if some label allows it.
    fn close(&mut self, vertex: Vertex, cx: &mut Cx) -> Result<bool, Stop> {
        let loc = self.nodes[vertex].loc;
        for other in self.at[&loc].clone() {
            if other >= vertex || !self.nodes[other].expanded || self.is_covered(other) {
                continue;
            }
            if self.implies(self.nodes[vertex].label, self.nodes[other].label, cx)? {
                self.nodes[vertex].covered_by = Some(other);
                self.release(vertex);
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn implies(&mut self, a: Term, b: Term, cx: &mut Cx) -> Result<bool, Stop> {
        let not_b = cx.terms.not(b);
        let wrong = cx.terms.and(a, not_b);
        match cx.terms.as_bool_const(wrong) {
            Some(known) => Ok(!known),
            None => Ok(!cx.is_sat(self.solver.as_mut(), &[wrong])?),
        }
    }

    /// Shows that the path to a target is infeasible and strengthens the labels along it. `false`: it is feasible (the search in
    /// the accelerated program is there to find that), or its reason cannot be expressed.
    fn refine(&mut self, target: Vertex, cx: &mut Cx) -> Result<bool, Stop> {
        let path = self.path(target);
        let program = self.task.program.clone();
        let Some(needed) = self.contradiction(&program, &path, cx)? else { return Ok(false) };
        // Backwards from the target: what excludes the rest of the path.
        let mut labels: Vec<Term> = vec![cx.terms.bool(false)];
        for (i, (_, edge)) in path.iter().enumerate().rev() {
            let below = *labels.last().expect("not empty");
            let op = &program.main().edges[*edge].op;
            let Some(label) = before(&program, &mut cx.terms, op, needed.contains(&i), below) else { return Ok(false) };
            if term::walk::dag_size_within(&cx.terms, label, MAX_SIZE).is_none() {
                return Ok(false);
            }
            labels.push(label);
        }
        labels.reverse();
        let start = labels[0];
        let always = cx.terms.bool(true);
        if !self.implies(always, start, cx)? {
            return Ok(false);
        }
        let vertices: Vec<Vertex> = path.iter().map(|(v, _)| *v).chain([target]).collect();
        for (vertex, label) in vertices.iter().zip(labels) {
            let old = self.nodes[*vertex].label;
            let new = cx.terms.and(old, label);
            if new != old {
                self.nodes[*vertex].label = new;
                self.uncover(*vertex, cx)?;
            }
        }
        // A stronger label may be covered by an earlier one now; then all below it is.
        for vertex in vertices {
            if self.wto.is_head(self.nodes[vertex].loc)
                && self.nodes[vertex].covered_by.is_none()
                && self.close(vertex, cx)?
            {
                break;
            }
        }
        Ok(true)
    }

    /// Nodes that were covered by one whose label has become stronger have to be looked at again.
    fn uncover(&mut self, coverer: Vertex, cx: &mut Cx) -> Result<(), Stop> {
        let covered: Vec<Vertex> =
            self.nodes.iter().filter(|(_, n)| n.covered_by == Some(coverer)).map(|(v, _)| v).collect();
        for vertex in covered {
            if !self.implies(self.nodes[vertex].label, self.nodes[coverer].label, cx)? {
                self.nodes[vertex].covered_by = None;
                self.reopen(vertex);
            }
        }
        Ok(())
    }

    /// What lies below a covered node counts no more, so it covers nothing.
    fn release(&mut self, covered: Vertex) {
        let released: Vec<Vertex> = self
            .nodes
            .iter()
            .filter(|(_, n)| n.covered_by.is_some_and(|by| by != covered && self.is_below(by, covered)))
            .map(|(v, _)| v)
            .collect();
        for vertex in released {
            self.nodes[vertex].covered_by = None;
            self.reopen(vertex);
        }
    }

    /// Leaves at and below a node are open again.
    fn reopen(&mut self, from: Vertex) {
        let leaves: Vec<Vertex> = self
            .nodes
            .iter()
            .filter(|(v, n)| !n.expanded && !self.open.contains(v) && self.is_below(*v, from))
            .map(|(v, _)| v)
            .collect();
        self.open.extend(leaves);
    }

    fn is_below(&self, vertex: Vertex, above: Vertex) -> bool {
        let mut at = Some(vertex);
        while let Some(v) = at {
            if v == above {
                return true;
            }
            at = self.nodes[v].parent.map(|(parent, _)| parent);
        }
        false
    }

    /// The nodes and edges from the root to a node.
    fn path(&self, to: Vertex) -> Vec<(Vertex, Edge)> {
        let mut path = Vec::new();
        let mut at = to;
        while let Some((parent, edge)) = self.nodes[at].parent {
            path.push((parent, edge));
            at = parent;
        }
        path.reverse();
        path
    }

    /// The positions of the conditions on the path that contradict each other; `None` if the path is feasible.
    fn contradiction(
        &mut self,
        program: &Program,
        path: &[(Vertex, Edge)],
        cx: &mut Cx,
    ) -> Result<Option<BTreeSet<usize>>, Stop> {
        let mut state = State::arbitrary(program);
        let mut conditions: Vec<(usize, Term)> = Vec::new();
        for (i, (_, edge)) in path.iter().enumerate() {
            let op = &program.main().edges[*edge].op;
            let Some(step) = step(program, &mut cx.terms, &state, op) else { return Ok(Some(BTreeSet::from([i]))) };
            if cx.terms.as_bool_const(step.condition) != Some(true) {
                conditions.push((i, step.condition));
            }
            state = step.state;
        }
        let assumptions: Vec<Term> = conditions.iter().map(|(_, t)| *t).collect();
        if cx.is_sat(self.solver.as_mut(), &assumptions)? {
            return Ok(None);
        }
        let core = self.solver.core()?;
        Ok(Some(conditions.into_iter().filter(|(_, t)| core.contains(t)).map(|(i, _)| i).collect()))
    }

    /// At each loop head: one of the labels there.
    fn invariants(&self, cx: &mut Cx) -> BTreeMap<Loc, Term> {
        let mut at = BTreeMap::new();
        for head in self.wto.heads() {
            let labels: Vec<Term> = self
                .at
                .get(&head)
                .into_iter()
                .flatten()
                .filter(|v| !self.is_covered(**v))
                .map(|v| self.nodes[*v].label)
                .collect();
            at.insert(head, cx.terms.or_all(&labels));
        }
        at
    }
}

/// The weakest precondition; conditions that are not needed count as true.
fn before(program: &Program, terms: &mut Store, op: &Op, needed: bool, after: Term) -> Option<Term> {
    match op {
        Op::Assume(condition) if needed => Some(terms.implies(*condition, after)),
        Op::Assume(_) => Some(after),
        Op::Assign(pairs) => {
            let map: Vec<(Term, Term)> = pairs.iter().map(|(v, t)| (program.term(*v), *t)).collect();
            Some(term::substitute(terms, after, &map))
        }
        Op::Havoc { vars, .. } => for_all(program, terms, vars, after),
        _ => None,
    }
}

/// Something without the variables that implies the formula: clauses lose the literals that mention them.
fn for_all(program: &Program, terms: &mut Store, vars: &[Var], formula: Term) -> Option<Term> {
    let symbols: BTreeSet<Term> = vars.iter().map(|v| program.term(*v)).collect();
    let mentions = |terms: &Store, t: Term| term::free_vars(terms, &[t]).iter().any(|s| symbols.contains(s));
    if !mentions(terms, formula) {
        return Some(formula);
    }
    let mut clauses = term::normal::cnf(terms, formula, MAX_CLAUSES)?;
    for clause in &mut clauses {
        clause.retain(|literal| !mentions(terms, *literal));
    }
    Some(term::normal::from_clauses(terms, &clauses))
}
