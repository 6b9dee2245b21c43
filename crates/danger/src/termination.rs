//! Whether every execution ends: a ranking of all executions, or a strategy that never comes to an end.

use crate::facts::{AtHeads, Effort, Inference, proved};
use crate::prove::Wanted;
use crate::rank::ranking;
use crate::search::Search;
use crate::segments::{Comes, Decides, Segment, segments};
use crate::strategy::{Setting, atoms};
use cfa::Program;
use engine::{Cx, Evidence, Proof, Stop, Task, Verdict, Why};
use flow::wto::Wto;
use std::collections::BTreeMap;
use std::time::Duration;

/// For the proof of termination before a recurrence set is looked for; then for the rest of that search.
const FIRST_TIME: Duration = Duration::from_secs(4);

pub(crate) fn decide(task: &Task, cx: &mut Cx) -> Result<Verdict, Stop> {
    let whole = cx.budget.clone();
    cx.budget = whole.slice(FIRST_TIME.min(whole.left() / 3));
    let first = ends(&task.program, cx);
    cx.budget = whole;
    match first {
        Ok(Some(proof)) => return Ok(Verdict::Safe(proof)),
        Ok(None) | Err(Stop::Timeout) => {}
        Err(stop) => {
            cx.budget.check()?;
            cx.tell(engine::Event::Note(format!("ranking: {stop:?}")));
        }
    }
    let setting = Setting::new(&task.program, &mut cx.terms);
    match Search::new(&setting, cx, Wanted::Forever).run(cx)? {
        Some(danger) => Ok(Verdict::Unsafe(Evidence::Endless(danger))),
        None => Ok(Verdict::Unknown(Why::GaveUp("neither a ranking nor a recurrence set among those tried".into()))),
    }
}

/// A proof that every execution ends.
fn ends(program: &Program, cx: &mut Cx) -> Result<Option<Proof>, Stop> {
    let wto = Wto::new(program.main());
    if !wto.is_reducible(program.main()) {
        return Ok(None);
    }
    let known = proved(program, &wto, cx)?;
    let budget = cx.budget.clone();
    let pieces = segments(program, &mut cx.terms, &wto, Decides::Nobody, &budget)?;
    let atoms = atoms(program, &cx.terms);
    let live = flow::live_at_heads(program, &wto);
    let rows = BTreeMap::new();
    let inference = Inference { program, segments: &pieces, proved: &known, rows: &rows, atoms: &atoms, live: &live };
    for implications in [false, true] {
        let predicates = inference.run(cx, Effort { implications, ..Effort::LEAST })?;
        if !stays_inside(cx, &pieces, &known, &predicates)? {
            continue;
        }
        if let Some(ranking) = ranking(program, &wto, &pieces, &predicates, &atoms, cx)? {
            let ff = cx.terms.ff();
            let at = predicates.into_iter().filter(|(_, t)| *t != ff).collect();
            return Ok(Some(Proof::Ranking { at, ranking }));
        }
    }
    Ok(None)
}

/// Whether no execution leaves what is modelled.
fn stays_inside(
    cx: &mut Cx,
    pieces: &[Segment],
    known: &AtHeads,
    predicates: &BTreeMap<cfa::Loc, term::Term>,
) -> Result<bool, Stop> {
    let mut solver = cx.solver()?;
    for piece in pieces.iter().filter(|p| p.comes == Comes::Beyond) {
        let mut asked = vec![piece.guard];
        if let Some(head) = piece.from {
            asked.push(predicates[&head]);
            asked.extend(&known[&head]);
        }
        if cx.try_sat(solver.as_mut(), &asked, Duration::from_secs(1))? != Some(false) {
            return Ok(false);
        }
    }
    Ok(true)
}
