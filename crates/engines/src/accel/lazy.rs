//! Lazy abstraction with interpolants (McMillan 2006), the interpolants by weakest preconditions (Kroening et al. 2015, section 5).
//!
//! The program is unwound into a tree whose nodes carry a label that holds whenever the node is reached. An infeasible path to
//! an error strengthens the labels along it: the weakest precondition of `false`, taken over those conditions only that the
//! contradiction needs, from the last loop head from which there is one. A node whose label implies that of an earlier node at
//! the same location is covered, and not expanded; so is one that can be given such a label (*forced covering*). When nothing
//! is left to expand, the labels at each loop head together are an invariant. What is known of loops from the beginning
//! (`generalise`) holds beside the labels.

use crate::generalise::Generaliser;
use crate::limits::accel::{LEARNING, MAX_CLAUSES, MAX_FORCED, MAX_LABEL};
use base::Table;
use cfa::{Edge, Loc, LocKind, Op, Program, Var};
use encode::State;
use encode::post::step;
use encode::state::evaluate_term;
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
    /// Whether it waits to be looked at.
    open: bool,
}

/// Where something is assumed on a path: by the label and what is known at a node, or by the edge after it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Source {
    Node(usize),
    Edge(usize),
}

impl Source {
    fn position(self) -> usize {
        match self {
            Source::Node(at) | Source::Edge(at) => at,
        }
    }
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
    learner: Generaliser<'t>,
    has_learnt: bool,
    /// Locations where nodes are covered: where paths meet.
    meets: Table<Loc, bool>,
}

impl<'t> Lazy<'t> {
    pub(super) fn new(task: &'t Task, wto: &'t Wto, cx: &Cx) -> Result<Lazy<'t>, Stop> {
        let main = task.program.main();
        let mut lazy = Lazy {
            task,
            wto,
            successors: main.successors(),
            nodes: Table::new(),
            at: BTreeMap::new(),
            open: Vec::new(),
            solver: cx.solver()?,
            learner: Generaliser::new("accel", task, wto, cx)?,
            has_learnt: !wto.is_reducible(main),
            meets: main.predecessors().values().map(|edges| edges.len() > 1).collect(),
        };
        let label = cx.terms.bool(true);
        lazy.add(main.entry, None, label);
        Ok(lazy)
    }

    fn add(&mut self, loc: Loc, parent: Option<(Vertex, Edge)>, label: Term) {
        let vertex = self.nodes.push(Node { loc, parent, label, covered_by: None, expanded: false, open: true });
        self.at.entry(loc).or_default().push(vertex);
        self.open.push(vertex);
    }

    /// Goes on until the budget is used up.
    pub(super) fn advance(&mut self, budget: &Budget, cx: &mut Cx) -> Result<Outcome, Stop> {
        if !self.has_learnt {
            self.has_learnt = true;
            self.learner.analyse(LEARNING, cx)?;
        }
        while let Some(vertex) = self.open.pop() {
            if budget.check().is_err() {
                self.open.push(vertex);
                cx.budget.check()?;
                return Ok(Outcome::Paused);
            }
            cx.budget.check_memory()?;
            self.nodes[vertex].open = false;
            if self.nodes[vertex].expanded || self.is_covered(vertex) {
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
            if self.meets[loc] && (self.close(vertex, cx)? || self.force(vertex, cx)?) {
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

    /// The nodes that may cover this one, last first.
    fn earlier(&self, vertex: Vertex) -> Vec<Vertex> {
        let all = self.at[&self.nodes[vertex].loc].iter().rev().copied();
        all.filter(|v| *v < vertex && self.nodes[*v].expanded && !self.is_covered(*v)).collect()
    }

    /// Covers the node by an earlier one, if some label allows it.
    fn close(&mut self, vertex: Vertex, cx: &mut Cx) -> Result<bool, Stop> {
        for other in self.earlier(vertex) {
            let assumed = self.assumed(vertex, cx);
            if self.implies(assumed, self.nodes[other].label, cx)? {
                self.cover(vertex, other);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Covers the node by an earlier one whose label can be shown to hold here too.
    fn force(&mut self, vertex: Vertex, cx: &mut Cx) -> Result<bool, Stop> {
        for other in self.earlier(vertex).into_iter().take(MAX_FORCED) {
            let path = self.path(vertex);
            let common = path.iter().rposition(|(v, _)| self.is_below(other, *v)).unwrap_or(0);
            let goal = self.nodes[other].label;
            if self.show(&path[common..], vertex, goal, cx)? && !self.is_covered(other) {
                self.cover(vertex, other);
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn cover(&mut self, vertex: Vertex, by: Vertex) {
        self.nodes[vertex].covered_by = Some(by);
        self.release(vertex);
    }

    /// The label of a node and what is known at its location.
    fn assumed(&self, vertex: Vertex, cx: &mut Cx) -> Term {
        let Node { loc, label, .. } = self.nodes[vertex];
        let known = self.learner.windows.invariants.get(&loc).copied();
        known.map_or(label, |known| cx.terms.and(known, label))
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
        let goal = cx.terms.bool(false);
        for start in (0..path.len()).rev() {
            let is_start = start == 0 || self.wto.is_head(self.nodes[path[start].0].loc);
            if is_start && self.show(&path[start..], target, goal, cx)? {
                // A stronger label may be covered by an earlier one now; then all below it is.
                for (vertex, _) in &path {
                    let Node { loc, covered_by, .. } = self.nodes[*vertex];
                    if self.meets[loc] && covered_by.is_none() && self.close(*vertex, cx)? {
                        break;
                    }
                }
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Shows that a formula holds at the end of a path, given what is assumed at the nodes on it, and adds what is needed for
    /// that to the labels after the first.
    fn show(&mut self, path: &[(Vertex, Edge)], end: Vertex, goal: Term, cx: &mut Cx) -> Result<bool, Stop> {
        let program = &self.task.program;
        let Some(needed) = self.reasons(path, goal, cx)? else { return Ok(false) };
        let first = needed.iter().map(|source| source.position()).min().unwrap_or(path.len());
        let mut labels: Vec<(Vertex, Term)> = vec![(end, goal)];
        let mut is_shown = false;
        for (i, &(vertex, edge)) in path.iter().enumerate().rev() {
            let (_, below) = *labels.last().expect("not empty");
            let op = &program.main().edges[edge].op;
            let is_needed = needed.contains(&Source::Edge(i));
            let Some(mut label) = before(program, &mut cx.terms, op, is_needed, below) else { return Ok(false) };
            if term::walk::dag_size_within(&cx.terms, label, MAX_LABEL).is_none() {
                return Ok(false);
            }
            // All conditions are met: it may follow from what is assumed here, whatever came before.
            if i == 0 || i <= first && self.meets[self.nodes[vertex].loc] {
                let assumed = self.assumed(vertex, cx);
                is_shown = self.implies(assumed, label, cx)?;
                if is_shown {
                    break;
                }
            }
            if needed.contains(&Source::Node(i)) {
                let assumed = self.assumed(vertex, cx);
                label = cx.terms.implies(assumed, label);
            }
            labels.push((vertex, label));
        }
        if !is_shown {
            return Ok(false);
        }
        for (vertex, label) in labels {
            let old = self.nodes[vertex].label;
            let new = cx.terms.and(old, label);
            if new != old {
                self.nodes[vertex].label = new;
                self.uncover(vertex, cx)?;
            }
        }
        Ok(true)
    }

    /// Nodes that were covered by one whose label has become stronger have to be looked at again.
    fn uncover(&mut self, coverer: Vertex, cx: &mut Cx) -> Result<(), Stop> {
        let covered: Vec<Vertex> =
            self.nodes.iter().filter(|(_, n)| n.covered_by == Some(coverer)).map(|(v, _)| v).collect();
        for vertex in covered {
            let assumed = self.assumed(vertex, cx);
            if !self.implies(assumed, self.nodes[coverer].label, cx)? {
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
            .filter(|(v, n)| !n.expanded && !n.open && self.is_below(*v, from))
            .map(|(v, _)| v)
            .collect();
        for &leaf in &leaves {
            self.nodes[leaf].open = true;
        }
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

    /// Which of the assumptions on the path make the goal true at its end; `None` if all together do not.
    fn reasons(&mut self, path: &[(Vertex, Edge)], goal: Term, cx: &mut Cx) -> Result<Option<BTreeSet<Source>>, Stop> {
        let program = &self.task.program;
        let mut state = State::arbitrary(program);
        let mut conditions: Vec<(Source, Term)> = Vec::new();
        for (i, (vertex, edge)) in path.iter().enumerate() {
            let assumed = self.assumed(*vertex, cx);
            conditions.push((Source::Node(i), evaluate_term(program, &mut cx.terms, &state, assumed)));
            let op = &program.main().edges[*edge].op;
            let Some(step) = step(program, &mut cx.terms, &state, op) else {
                return Ok(Some(BTreeSet::from([Source::Edge(i)])));
            };
            conditions.push((Source::Edge(i), step.condition));
            state = step.state;
        }
        if let Some((source, _)) = conditions.iter().find(|(_, t)| cx.terms.as_bool_const(*t) == Some(false)) {
            return Ok(Some(BTreeSet::from([*source])));
        }
        conditions.retain(|(_, t)| cx.terms.as_bool_const(*t).is_none());
        let reached = evaluate_term(program, &mut cx.terms, &state, goal);
        let wrong = cx.terms.not(reached);
        match cx.terms.as_bool_const(wrong) {
            Some(false) => return Ok(Some(BTreeSet::new())),
            Some(true) => {}
            None => conditions.push((Source::Node(path.len()), wrong)),
        }
        let assumptions: Vec<Term> = conditions.iter().map(|(_, t)| *t).collect();
        if cx.is_sat(self.solver.as_mut(), &assumptions)? {
            return Ok(None);
        }
        let core = self.solver.core()?;
        Ok(Some(conditions.into_iter().filter(|(_, t)| core.contains(t)).map(|(source, _)| source).collect()))
    }

    /// At each loop head: one of the labels there, and what is known.
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
            let label = cx.terms.or_all(&labels);
            let known = self.learner.windows.invariants.get(&head).copied();
            at.insert(head, known.map_or(label, |known| cx.terms.and(known, label)));
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
