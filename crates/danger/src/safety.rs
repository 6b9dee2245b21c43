//! The other half of the generalised safety formula (definition 7): a program has either a safety invariant or a danger
//! invariant, and the same candidates serve both. What is inductive among them may exclude the error; if it does not, that
//! attempt is discarded.

use crate::facts::{Effort, Inference, proved};
use crate::settings::Settings;
use cfa::Program;
use engine::{Cx, Proof, Stop};
use flow::wto::Wto;
use infer::candidates::program::atoms;
use infer::segments::{Decides, merged};
use std::collections::{BTreeMap, BTreeSet};

/// Invariants that exclude all targets, if the candidates suffice. At most a quarter of the time is spent.
pub(crate) fn proof(program: &Program, settings: &Settings, cx: &mut Cx) -> Result<Option<Proof>, Stop> {
    let whole = cx.budget.clone();
    cx.budget = whole.slice(settings.safety_time.min(whole.left() / 4));
    let found = attempt(program, settings, cx);
    cx.budget = whole;
    match found {
        Err(Stop::Timeout) => cx.budget.check().map(|()| None),
        found => found,
    }
}

fn attempt(program: &Program, settings: &Settings, cx: &mut Cx) -> Result<Option<Proof>, Stop> {
    let wto = Wto::new(program.main());
    let known = proved(program, &wto, cx)?;
    let budget = cx.budget.clone();
    let pieces = merged(program, &mut cx.terms, &wto, Decides::Nobody, &budget)?;
    let (atoms, live, rows) = (atoms(program, &cx.terms), flow::live_at_heads(program, &wto), BTreeMap::new());
    let cells = BTreeSet::new();
    let (segments, proved, rows) = (&pieces, &known, &rows);
    let inference = Inference { program, segments, proved, rows, cells: &cells, atoms: &atoms, live: &live, settings };
    let mut solver = cx.solver()?;
    'efforts: for implications in [false, true] {
        let predicates = inference.run(cx, Effort { implications, ..Effort::LEAST })?;
        for piece in pieces.iter().filter(|p| p.comes.is_to_target()) {
            let before = piece.from.map_or(cx.terms.tt(), |head| predicates[&head]);
            let guard = piece.guard(&mut cx.terms);
            if cx.try_sat(solver.as_mut(), &[before, guard], settings.candidate_time)? != Some(false) {
                continue 'efforts;
            }
        }
        return Ok(Some(Proof::Invariants { at: predicates, k: 1 }));
    }
    Ok(None)
}
