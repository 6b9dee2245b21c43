//! The task with nests of loops flattened, and the ways there and back.
//!
//! Flattening keeps the numbers of locations and edges and adds a variable that says which head of the nest is meant; the
//! invariant of an original head is that of the common head with the variable replaced by its number.

use cfa::{Edge, Loc, Program};
use engine::{Cx, FactKind, Proof, Task};
use flow::{Graph, Loops};
use std::sync::Arc;
use term::Term;
use transform::{Case, Restore, flatten};

pub(super) struct Flat {
    pub task: Task,
    /// How to come back; `None` where nothing was flattened.
    restore: Option<Restore>,
}

impl Flat {
    /// Extends the store of `cx` by the variables that flattening adds.
    pub(super) fn of(task: &Task, cx: &mut Cx) -> Flat {
        let loops = Loops::of(&Graph::of(task.program.main()));
        let simple = loops.loops.values().all(|l| l.parent.is_none() && l.is_reducible());
        if simple {
            return Flat { task: task.clone(), restore: None };
        }
        let mut program: Program = (*task.program).clone();
        program.terms = cx.terms.clone();
        let (program, restore) = flatten(program);
        cx.terms = program.terms.clone();
        Flat { task: Task { program: Arc::new(program), ..task.clone() }, restore: Some(restore) }
    }

    fn cases(&self) -> &[Case] {
        self.restore.as_ref().map_or(&[], |r| &r.cases)
    }

    /// The edges that the original has, too.
    pub(super) fn original_edges(&self, original: &Task, edges: &[Edge]) -> Vec<Edge> {
        let count = original.program.main().edges.next_id();
        edges.iter().copied().filter(|e| *e < count).collect()
    }

    /// A proof about the flattened program as one about the original.
    pub(super) fn lift(&self, proof: Proof, cx: &mut Cx) -> Proof {
        let (Proof::Invariants { at, k }, Some(restore)) = (&proof, &self.restore) else { return proof };
        let mut program: Program = (*self.task.program).clone();
        program.terms = std::mem::take(&mut cx.terms);
        let at = restore.lift(&mut program, at);
        cx.terms = program.terms;
        Proof::Invariants { at, k: *k }
    }

    /// Invariants on the board, as ones of the flattened program.
    pub(super) fn news(&self, cx: &mut Cx) -> Vec<(Loc, Term)> {
        let mut found = Vec::new();
        for fact in cx.news() {
            let FactKind::Invariant { at, formula } = fact.kind else { continue };
            let Ok(formula) = term::smtlib::parse_term(&mut cx.terms, &formula) else { continue };
            match self.cases().iter().find(|case| case.old == at) {
                None => found.push((at, formula)),
                Some(case) => {
                    let mut implied = formula;
                    for (var, value) in &case.when {
                        let meant = cx.terms.eq(self.task.program.term(*var), *value);
                        implied = cx.terms.implies(meant, implied);
                    }
                    found.push((case.new, implied));
                }
            }
        }
        found
    }
}
