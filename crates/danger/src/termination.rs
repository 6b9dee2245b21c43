//! Whether every execution ends: a ranking of all executions, or a strategy that never comes to an end.

use crate::facts::{Effort, Inference, proved};
use crate::lasso::lasso;
use crate::prove::Wanted;
use crate::rank::ranking;
use crate::search::Search;
use crate::settings::Settings;
use crate::strategy::Problem;
use cfa::{Program, Var};
use engine::{Cx, Evidence, Proof, Stop, Task, Verdict, Why};
use flow::wto::Wto;
use infer::AtHeads;
use infer::candidates::program;
use infer::segments::{Comes, Decides, Segment, merged};
use std::collections::{BTreeMap, BTreeSet};
use term::Sort;

pub(crate) fn always_ends(task: &Task, settings: &Settings, cx: &mut Cx) -> Result<Verdict, Stop> {
    Ok(match ends(&task.program, settings, cx)? {
        Some(proof) => Verdict::Safe(proof),
        None => Verdict::Unknown(Why::GaveUp("no ranking among those tried".into())),
    })
}

pub(crate) fn never_ends(task: &Task, settings: &Settings, cx: &mut Cx) -> Result<Verdict, Stop> {
    let problem = Problem::new(&task.program, settings, &mut cx.terms);
    let mut search = Search::new(&problem, cx, Wanted::Forever);
    let whole = cx.budget.clone();
    cx.budget = whole.slice(settings.lasso_time.min(whole.left() / settings.lasso_part));
    let back = lasso(&problem, cx);
    cx.budget = whole;
    let found = match back {
        Some(strategy) => search.consider(cx, strategy)?,
        None => None,
    };
    let found = if found.is_some() { found } else { search.run(cx)? };
    Ok(match found {
        Some(danger) => Verdict::Unsafe(Evidence::Endless(danger)),
        None => Verdict::Unknown(Why::GaveUp("no recurrence set among those tried".into())),
    })
}

/// A proof that every execution ends.
fn ends(program: &Program, settings: &Settings, cx: &mut Cx) -> Result<Option<Proof>, Stop> {
    let settings = &Settings { ranking_by_conditions: true, ..settings.clone() };
    let wto = Wto::new(program.main());
    if !wto.is_reducible(program.main()) {
        return Ok(None);
    }
    let known = proved(program, &wto, cx)?;
    let budget = cx.budget.clone();
    let pieces = merged(program, &mut cx.terms, &wto, Decides::Nobody, &budget)?;
    let mut atoms = asked_at_heads(program, &cx.terms, &pieces);
    for atom in program::atoms(program, &cx.terms) {
        if !atoms.contains(&atom) {
            atoms.push(atom);
        }
    }
    let live = flow::live_at_heads(program, &wto);
    // What is not negative stays so in most loops, and much follows from it.
    let mut conditions = atoms.clone();
    for v in wto.heads().flat_map(|head| live[head].clone()).collect::<BTreeSet<Var>>() {
        if let Sort::Bv(2..) = program.vars[v].sort {
            let number = program.term(v);
            let zero = cx.terms.bv(0, cx.terms.width(number));
            let is_positive = cx.terms.sle(zero, number);
            if !conditions.contains(&is_positive) {
                conditions.push(is_positive);
            }
        }
    }
    let (rows, cells) = (BTreeMap::new(), BTreeSet::new());
    let inference = Inference {
        program,
        segments: &pieces,
        proved: &known,
        rows: &rows,
        cells: &cells,
        atoms: &conditions,
        live: &live,
        settings,
    };
    for implications in [false, true] {
        let predicates = inference.run(cx, Effort { implications, ..Effort::LEAST })?;
        if !stays_inside(cx, settings, &pieces, &known, &predicates)? {
            continue;
        }
        if let Some(ranking) = ranking(program, &wto, &pieces, &predicates, &atoms, settings, cx)? {
            let ff = cx.terms.ff();
            let at = predicates.into_iter().filter(|(_, t)| *t != ff).collect();
            return Ok(Some(Proof::Ranking { at, ranking }));
        }
    }
    Ok(None)
}

/// The conditions that decide what happens next, in terms of the state at the head.
fn asked_at_heads(program: &Program, terms: &term::Store, pieces: &[Segment]) -> Vec<term::Term> {
    let of_state = |t: &term::Term| term::walk::free_vars(terms, &[*t]).iter().all(|v| program.var_of(*v).is_some());
    let guards: Vec<term::Term> =
        pieces.iter().filter(|p| p.from.is_some()).flat_map(|p| p.conditions.clone()).collect();
    program::atomic_conditions(terms, &guards).into_iter().filter(of_state).collect()
}

/// Whether no execution leaves what is modelled.
fn stays_inside(
    cx: &mut Cx,
    settings: &Settings,
    pieces: &[Segment],
    known: &AtHeads,
    predicates: &BTreeMap<cfa::Loc, term::Term>,
) -> Result<bool, Stop> {
    let mut solver = cx.solver()?;
    for piece in pieces.iter().filter(|p| p.comes == Comes::Beyond) {
        let mut asked = piece.conditions.clone();
        if let Some(head) = piece.from {
            asked.push(predicates[&head]);
            asked.extend(&known[&head]);
        }
        if cx.try_sat(solver.as_mut(), &asked, settings.attempt_time)? != Some(false) {
            return Ok(false);
        }
    }
    Ok(true)
}
