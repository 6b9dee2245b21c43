//! The symbolic execution tree, depth first (Jaffar et al. 2011, Fig. 2 and 3).
//!
//! The stack holds the nodes from the root to the current one. A node below a loop head starts from the head's *abstract
//! state*: the conjunction of its facts ([`crate::facts`]), with the program's variables as symbols. A path that comes back to a
//! head is subsumed by it after the head has given up the facts that do not hold there; the head is explored again when its
//! tree is done, until no fact is given up. Edges that leave a loop whose head has to be explored again are left
//! for then. Finished nodes leave their interpolants in the table ([`crate::table`]); a target that is reached only because of
//! what a head gave up makes the head keep it ([`crate::refine`]).

use crate::ask::{Ask, Found, Model, holds};
use crate::facts::Fact;
use crate::parts::{Arrival, Before, Parts, SAFETY, Tagged};
use crate::shape::Shape;
use crate::statistics::Statistics;
use crate::table::{Entry, Head, Status, Subsumption};
use crate::tree::{Leaf, Node, Tree};
use base::Table;
use cfa::{Edge, Loc, LocKind, Program};
use encode::post::step;
use encode::trace::along;
use encode::{State, why_unknown};
use engine::{Cx, Stop, Task, Trace, Why};
use flow::wto::Wto;
use indexmap::IndexSet;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;
use term::Term;

/// How loops are treated.
#[derive(Clone, Debug)]
pub(crate) enum Mode {
    /// Abstraction at loop heads, refined where needed.
    Unbounded,
    /// No abstraction; a path visits a loop head at most this often.
    Bounded(u32),
    /// Abstraction at loop heads to these facts, as far as they hold. Not refined.
    Candidates(BTreeMap<Loc, IndexSet<Term>>),
}

pub(crate) enum Outcome {
    /// The tree is complete. `limited`: up to a bound.
    Complete {
        limited: bool,
    },
    Unsafe(Trace),
    /// A target can be reached in the abstraction, and it is not refined.
    NotProved,
    GaveUp(String),
}

pub(crate) struct Frame {
    pub(crate) loc: Loc,
    pub(crate) node: Node,
    pub(crate) state: State,
    pub(crate) model: Option<Rc<Model>>,
    /// Where the path condition begins (at the last head that was cut) and ends.
    pub(crate) path: (usize, usize),
    /// The number of edges from the root.
    pub(crate) edges: usize,
    pub(crate) next_edge: usize,
    /// The interpolant so far; `None` if it cannot be expressed.
    pub(crate) parts: Option<Parts>,
    /// The heads that executions come to next.
    pub(crate) next: BTreeSet<Head>,
    /// Something below was left out.
    pub(crate) incomplete: bool,
    /// Something below was cut by the bound.
    pub(crate) limited: bool,
    pub(crate) head: Option<Box<HeadFrame>>,
}

/// What a node at a loop head has beyond other nodes.
pub(crate) struct HeadFrame {
    pub(crate) id: Head,
    /// The state that arrived, with its model and its path condition.
    pub(crate) exact: State,
    pub(crate) exact_model: Option<Rc<Model>>,
    pub(crate) exact_path: (usize, usize),
    /// The abstract state. `None`: the exact state is used.
    pub(crate) facts: Option<Vec<Fact>>,
    /// What refinement asks to keep.
    pub(crate) kept: Vec<Term>,
    pub(crate) gave_up: bool,
}

/// What came out of a child.
pub(crate) struct Below {
    pub(crate) parts: Option<Rc<Parts>>,
    pub(crate) next: BTreeSet<Head>,
    pub(crate) incomplete: bool,
    pub(crate) limited: bool,
}

impl Below {
    pub(crate) fn leaf(parts: Rc<Parts>, next: BTreeSet<Head>) -> Below {
        Below { parts: Some(parts), next, incomplete: false, limited: false }
    }
}

pub(crate) struct Explorer {
    pub(crate) program: Arc<Program>,
    pub(crate) mode: Mode,
    wto: Rc<Wto>,
    pub(crate) shape: Rc<Shape>,
    pub(crate) ask: Ask,
    pub(crate) tagged: Tagged,
    pub(crate) table: Subsumption,
    /// What refinement asked to keep, by location.
    pub(crate) pool: BTreeMap<Loc, IndexSet<Term>>,
    pub(crate) stack: Vec<Frame>,
    pub(crate) path: Vec<Term>,
    pub(crate) edges: Vec<Edge>,
    pub(crate) visits: Table<Loc, u32>,
    /// How many heads on the stack have to be explored again.
    pub(crate) repeats: usize,
    /// The parts of interpolants at loop heads: what iterative deepening tries as invariants.
    pub(crate) learnt: BTreeMap<Loc, IndexSet<Term>>,
    root: Option<(BTreeSet<Head>, bool)>,
    started: bool,
    pub(crate) unknown: Option<Why>,
    pub(crate) statistics: Statistics,
    pub(crate) tree: Tree,
}

impl Explorer {
    pub(crate) fn new(task: &Task, mode: Mode, wto: Rc<Wto>, shape: Rc<Shape>, cx: &mut Cx) -> Result<Explorer, Stop> {
        Ok(Explorer {
            program: task.program.clone(),
            mode,
            shape,
            wto,
            ask: Ask::new(cx)?,
            tagged: Tagged::default(),
            table: Subsumption::default(),
            pool: BTreeMap::new(),
            stack: Vec::new(),
            path: Vec::new(),
            edges: Vec::new(),
            visits: Table::filled(0, task.program.main().locs.len()),
            repeats: 0,
            learnt: BTreeMap::new(),
            root: None,
            started: false,
            unknown: None,
            statistics: Statistics::default(),
            tree: Tree::default(),
        })
    }

    /// Explores until the tree is complete or a target is reached.
    pub(crate) fn run(&mut self, cx: &mut Cx) -> Result<Outcome, Stop> {
        if !self.started {
            let state = State::arbitrary(&self.program);
            self.push(cx, self.program.main().entry, state, Some(Rc::default()))?;
            self.started = true;
        }
        while let Some(top) = self.stack.last() {
            cx.budget.check()?;
            if self.statistics.nodes.is_multiple_of(4096) {
                cx.budget.check_memory()?;
            }
            if top.next_edge < self.shape.successors[top.loc].len() {
                if let Some(outcome) = self.advance(cx)? {
                    return Ok(outcome);
                }
            } else {
                self.retreat(cx)?;
            }
        }
        Ok(Outcome::Complete { limited: self.root.as_ref().is_some_and(|(_, limited)| *limited) })
    }

    /// The invariants at loop heads, once the tree is complete.
    pub(crate) fn invariants(&self, cx: &mut Cx) -> Option<BTreeMap<Loc, Term>> {
        let (start, _) = self.root.as_ref()?;
        let mut at = self.table.invariants(&mut cx.terms, &self.tagged, start)?;
        for head in &self.shape.heads {
            let reached = at.get(head).copied().unwrap_or_else(|| cx.terms.ff());
            let background = self.shape.background.get(head).map_or(&[][..], Vec::as_slice);
            let background = cx.terms.and_all(background);
            at.insert(*head, cx.terms.and(background, reached));
        }
        Some(at)
    }

    /// Takes the next edge of the topmost node.
    fn advance(&mut self, cx: &mut Cx) -> Result<Option<Outcome>, Stop> {
        let program = self.program.clone();
        let top = self.stack.last().expect("not empty");
        let edge = self.shape.successors[top.loc][top.next_edge];
        let info = &program.main().edges[edge];
        if self.leaves_for_later(info.to) {
            let top = self.stack.last_mut().expect("not empty");
            top.incomplete = true;
            top.next_edge += 1;
            return Ok(None);
        }
        let mut child = None;
        if let Some(step) = step(&program, &mut cx.terms, &top.state, &info.op) {
            if cx.terms.as_bool_const(step.condition) == Some(true) {
                child = Some((step.state, None, top.model.clone()));
            } else if top.model.as_ref().is_some_and(|m| holds(&cx.terms, m, step.condition) == Some(true)) {
                child = Some((step.state, Some(step.condition), top.model.clone()));
            } else {
                let path = &self.path[top.path.0..top.path.1];
                child = match self.ask.find(cx, path, top.model.as_deref(), step.condition)? {
                    Found::Values(model) => Some((step.state, Some(step.condition), Some(model))),
                    Found::Unclear => Some((step.state, Some(step.condition), None)),
                    Found::Nothing => None,
                };
            }
        }
        self.statistics.nodes += 1;
        let Some((state, condition, model)) = child else {
            self.statistics.infeasible += 1;
            self.draw_leaf(edge, Leaf::Infeasible);
            let mut nothing = Parts::default();
            let never = cx.terms.ff();
            nothing.add(&cx.terms, never, &smallvec::smallvec![SAFETY]);
            self.merge(cx, edge, Below::leaf(Rc::new(nothing), BTreeSet::new()))?;
            return Ok(None);
        };
        self.path.extend(condition);
        self.edges.push(edge);
        let entered = self.enter(cx, info.to, state, model);
        match entered {
            Ok(Entered::Pushed) => Ok(None),
            Ok(Entered::Leaf(below, leaf)) => {
                self.draw_leaf(edge, leaf);
                self.unwind();
                self.merge(cx, edge, below)?;
                Ok(None)
            }
            Ok(Entered::Target) => {
                self.draw_leaf(edge, Leaf::Target);
                let outcome = self.target(cx, info.to);
                if outcome.is_err() {
                    self.unwind();
                }
                outcome
            }
            Err(stop) => {
                // The step is done again when exploration goes on.
                self.unwind();
                Err(stop)
            }
        }
    }

    /// The topmost node has a leaf along `edge`.
    fn draw_leaf(&mut self, edge: Edge, leaf: Leaf) {
        let from = self.stack.last().map(|top| (top.node, edge));
        self.tree.add(self.program.main().edges[edge].to, from, Some(leaf));
    }

    /// Path condition and edges are again those of the topmost node.
    fn unwind(&mut self) {
        if let Some(top) = self.stack.last() {
            self.path.truncate(top.path.1);
            self.edges.truncate(top.edges);
        }
    }

    /// Whether a head that has to be explored again is the head of a loop that does not contain `to`.
    fn leaves_for_later(&self, to: Loc) -> bool {
        if self.repeats == 0 {
            return false;
        }
        let around = self.wto.heads_around(to);
        self.stack.iter().any(|f| f.head.as_ref().is_some_and(|h| h.gave_up) && !around.contains(&f.loc))
    }

    fn enter(&mut self, cx: &mut Cx, loc: Loc, state: State, model: Option<Rc<Model>>) -> Result<Entered, Stop> {
        let program = self.program.clone();
        match &program.main().locs[loc].kind {
            LocKind::End(_) => return Ok(Entered::Leaf(Below::leaf(Rc::default(), BTreeSet::new()), Leaf::End)),
            kind if kind.is_target() => return Ok(Entered::Target),
            _ => {}
        }
        let is_head = self.wto.is_head(loc);
        let start = self.stack.last().map_or(0, |f| f.path.0);
        let arrival = Arrival { loc, state: &state, start, model: model.as_deref() };
        if (is_head || self.shape.joins[loc])
            && let Some((below, by)) = self.subsumed(cx, &arrival)?
        {
            self.statistics.by_sibling += 1;
            return Ok(Entered::Leaf(below, Leaf::Sibling(by)));
        }
        if is_head {
            if let Mode::Bounded(depth) = self.mode {
                if self.visits[loc] >= depth {
                    let mut below = Below::leaf(Rc::default(), BTreeSet::new());
                    below.limited = true;
                    return Ok(Entered::Leaf(below, Leaf::Cut));
                }
            } else if let Some((below, by)) = self.return_to_ancestor(cx, &arrival)? {
                self.statistics.by_ancestor += 1;
                return Ok(Entered::Leaf(below, Leaf::Ancestor(by)));
            }
        }
        self.push(cx, loc, state, model)?;
        Ok(Entered::Pushed)
    }

    /// An entry of the table that the state satisfies.
    fn subsumed(&mut self, cx: &mut Cx, at: &Arrival<'_>) -> Result<Option<(Below, Node)>, Stop> {
        let Some(entries) = self.table.entries.get_mut(&at.loc) else { return Ok(None) };
        let before = at.before(&self.program, &self.path);
        let visits = &self.visits;
        let heads = &self.shape.heads;
        for entry in entries.iter_mut().rev() {
            if let Some(then) = &entry.visits
                && heads.iter().zip(then.iter()).any(|(head, then)| *then > visits[*head])
            {
                continue;
            }
            let needed: Vec<Term> =
                entry.parts.iter().filter(|(_, tags)| self.tagged.is_needed(tags)).map(|(part, _)| part).collect();
            if let Some(suspect) = needed.get(entry.suspect)
                && !before.entails(&mut self.ask, cx, *suspect)?
            {
                continue;
            }
            match before.entails_all(&mut self.ask, cx, &needed)? {
                Ok(()) => {
                    let mut below = Below::leaf(entry.parts.clone(), entry.next.clone());
                    below.limited = entry.visits.is_some();
                    return Ok(Some((below, entry.node)));
                }
                Err(failed) => entry.suspect = failed,
            }
        }
        Ok(None)
    }

    fn push(&mut self, cx: &mut Cx, loc: Loc, state: State, model: Option<Rc<Model>>) -> Result<(), Stop> {
        let start = self.stack.last().map_or(0, |f| f.path.0);
        let path = (start, self.path.len());
        let from = self.stack.last().map(|top| top.node).zip(self.edges.last().copied());
        let mut frame = Frame {
            loc,
            node: self.tree.add(loc, from, None),
            state,
            model,
            path,
            edges: self.edges.len(),
            next_edge: 0,
            parts: Some(Parts::default()),
            next: BTreeSet::new(),
            incomplete: false,
            limited: false,
            head: None,
        };
        if self.wto.is_head(loc) {
            let facts = match &self.mode {
                Mode::Bounded(_) => None,
                _ => Some(self.facts_at(cx, loc, &frame.state, path, frame.model.as_deref(), &[])?),
            };
            self.statistics.heads += 1;
            self.visits[loc] += 1;
            frame.head = Some(Box::new(HeadFrame {
                id: self.table.open(loc),
                exact: frame.state.clone(),
                exact_model: frame.model.clone(),
                exact_path: frame.path,
                facts,
                kept: Vec::new(),
                gave_up: false,
            }));
        }
        self.stack.push(frame);
        if self.wto.is_head(loc) {
            self.begin(cx);
        }
        Ok(())
    }

    /// Leaves the topmost node, whose edges are all done; or explores it again.
    fn retreat(&mut self, cx: &mut Cx) -> Result<(), Stop> {
        let top = self.stack.last().expect("not empty");
        if top.head.as_ref().is_some_and(|h| h.gave_up) {
            self.statistics.repeated += 1;
            self.statistics.nodes += 1;
            self.begin(cx);
            return Ok(());
        }
        let parts = if top.head.is_some() && !top.incomplete { self.close(cx)? } else { top.parts.clone() };
        let top = self.stack.last().expect("not empty");
        let parts = parts.map(Rc::new);
        let mut next = top.next.clone();
        let visits: Option<Rc<[u32]>> = top.limited.then(|| self.shape.heads.iter().map(|h| self.visits[*h]).collect());
        if let Some(head) = &top.head {
            let id = head.id;
            let needed =
                parts.iter().flat_map(|parts| parts.needed(&self.tagged).iter().map(|p| p.0).collect::<Vec<_>>());
            self.tree.learn(top.node, needed.collect());
            if top.incomplete {
                self.table.abandon(&BTreeSet::from([id]));
            } else {
                self.table.heads[id].1 = Status::Complete { next, parts: parts.clone() };
                next = BTreeSet::from([id]);
                if let Some(parts) = &parts {
                    let learnt = self.learnt.entry(top.loc).or_default();
                    learnt.extend(parts.iter().map(|(part, _)| part));
                }
            }
        }
        if !top.incomplete
            && (top.head.is_some() || self.shape.joins[top.loc])
            && let Some(parts) = &parts
        {
            self.table
                .add(top.loc, Entry { node: top.node, parts: parts.clone(), next: next.clone(), visits, suspect: 0 });
        }
        let below = Below { parts, next, incomplete: top.incomplete, limited: top.limited };
        let done = self.stack.pop().expect("not empty");
        if done.head.is_some() {
            self.visits[done.loc] -= 1;
        }
        let Some(edge) = self.edges.last().copied() else {
            self.root = Some((below.next, below.limited));
            return Ok(());
        };
        self.unwind();
        self.merge(cx, edge, below)
    }

    /// What came out of the child along `edge` joins the topmost node, whose next edge is the one after it.
    fn merge(&mut self, cx: &mut Cx, edge: Edge, below: Below) -> Result<(), Stop> {
        let top = self.stack.last_mut().expect("not empty");
        let path = &self.path[top.path.0..top.path.1];
        let mut pulled = None;
        if let (Some(_), Some(parts)) = (&top.parts, &below.parts) {
            let before = Before { program: &self.program, state: &top.state, path, model: top.model.as_deref() };
            let parts = parts.needed(&self.tagged);
            pulled = before.pull(&mut self.ask, cx, &self.program.main().edges[edge].op, &parts)?;
        }
        match (&mut top.parts, pulled) {
            (Some(parts), Some(pulled)) => parts.add_all(&cx.terms, &pulled),
            (parts, _) => *parts = None,
        }
        if top.parts.as_ref().is_some_and(Parts::is_too_large) {
            top.parts = None;
        }
        top.next.extend(below.next);
        top.incomplete |= below.incomplete;
        top.limited |= below.limited;
        top.next_edge += 1;
        Ok(())
    }

    /// A target is reached by the current path: in the program, or only in the abstraction.
    fn target(&mut self, cx: &mut Cx, loc: Loc) -> Result<Option<Outcome>, Stop> {
        let program = self.program.clone();
        let edge = *self.edges.last().expect("targets are entered by an edge");
        if let Some(trace) = along(&program, cx, &self.edges, self.ask.solver())? {
            if matches!(program.main().locs[loc].kind, LocKind::Error(_)) {
                return Ok(Some(Outcome::Unsafe(trace)));
            }
            self.unknown.get_or_insert_with(|| why_unknown(&program, loc));
            self.unwind();
            self.merge(cx, edge, Below::leaf(Rc::default(), BTreeSet::new()))?;
            return Ok(None);
        }
        if matches!(self.mode, Mode::Candidates(_)) {
            return Ok(Some(Outcome::NotProved));
        }
        Ok(if self.refine(cx)? { None } else { Some(Outcome::GaveUp("no loop head can be refined".to_owned())) })
    }
}

enum Entered {
    Pushed,
    Leaf(Below, Leaf),
    Target,
}
