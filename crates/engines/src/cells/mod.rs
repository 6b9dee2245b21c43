//! Universal invariants of arrays: what holds of one choice of cells, made beforehand and not known, holds of all.
//!
//! An error that depends on `a[i]` and `b[2 * i + 1]` is reached with some value of `i`. Let `g` be that value, chosen before the
//! program starts and never changed: the *ghost* of `i`. For executions with the right choice it is enough to follow the cells
//! `a[g]` and `b[2 * g + 1]`, which are scalars, and to let reads of other cells give anything: [`follow_cells`] makes that
//! program, which has no arrays and more behaviours. Its invariants `I(g, a[g], b[2 * g + 1])`, found by [`crate::guess`], are
//! `∀g. I(g, a[g], b[2 * g + 1])` of the original.

mod follow;

use crate::guess::Guess;
use engine::{Board, Cx, Engine, Event, Proof, Stop, Task, Verdict, Why};
use follow::{Followed, follow_cells};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use term::normal::conjuncts;
use term::{Term, walk};

#[derive(Default)]
pub struct Cells;

impl Engine for Cells {
    fn name(&self) -> &'static str {
        "cells"
    }

    fn run(&mut self, task: &Task, cx: &mut Cx) -> Verdict {
        search(task, cx).unwrap_or_else(|stop| Verdict::Unknown(stop.into()))
    }
}

fn search(task: &Task, cx: &mut Cx) -> Result<Verdict, Stop> {
    let gave_up = |why: &str| Ok(Verdict::Unknown(Why::GaveUp(why.into())));
    let Some(followed) = follow_cells(&task.program, &cx.terms) else {
        return gave_up("no error depends on a cell of an array");
    };
    let followed_task = Task::new(followed.program.clone());
    let mut inner = Cx::new(&followed_task, cx.budget.clone(), Board::new(), cx.solvers.clone());
    let told = Rc::new(RefCell::new(Vec::new()));
    let notes = Rc::clone(&told);
    inner.listen(move |event| notes.borrow_mut().push(event.clone()));
    let verdict = Guess::about(followed.cell.clone()).run(&followed_task, &mut inner);
    told.take().into_iter().for_each(|event| cx.tell(event));
    match verdict {
        Verdict::Safe(Proof::Invariants { at, k }) => {
            let mut proof = BTreeMap::new();
            for (head, invariant) in at {
                let Some(formula) = for_all_cells(&followed, &mut inner, invariant) else {
                    return gave_up("an invariant speaks of what is not there");
                };
                proof.insert(head, formula);
            }
            cx.tell(Event::Note("proved for one choice of cells, hence for all".into()));
            // Its store extends ours.
            cx.terms = inner.terms;
            Ok(Verdict::Safe(Proof::Invariants { at: proof, k }))
        }
        Verdict::Unknown(why) => Ok(Verdict::Unknown(why)),
        // Reads of other cells gave anything: an error there is none here.
        Verdict::Unsafe(_) | Verdict::Safe(_) => gave_up("following these cells is not enough"),
    }
}

/// The invariant of the program that follows one cell, as one of the original: conjuncts about the cell hold for every index.
fn for_all_cells(followed: &Followed, cx: &mut Cx, invariant: Term) -> Option<Term> {
    let terms = &mut cx.terms;
    let program = &followed.program;
    let mut contents = Vec::new();
    for content in &followed.cell.contents {
        let array = program.term(content.array);
        contents.push((program.term(content.var), terms.select(array, content.at)));
    }
    let ghosts: Vec<Term> = followed.cell.ghosts.iter().map(|ghost| program.term(ghost.var)).collect();
    let (mut plain, mut universal) = (Vec::new(), Vec::new());
    for part in conjuncts(terms, invariant) {
        let free = walk::free_vars(terms, &[part]);
        if free.iter().any(|v| program.var_of(*v).is_some_and(|v| followed.is_auxiliary(v))) {
            return None;
        }
        let part = term::substitute(terms, part, &contents);
        if walk::free_vars(terms, &[part]).iter().any(|v| ghosts.contains(v)) {
            universal.push(part);
        } else {
            plain.push(part);
        }
    }
    if !universal.is_empty() {
        let body = terms.and_all(&universal);
        plain.push(terms.forall(&ghosts, body));
    }
    Some(terms.and_all(&plain))
}
