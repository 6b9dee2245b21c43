//! Directed inputs: values that the solver chooses for paths that no run took. Without them, relations that hold of all runs but fail on such a path
//! would be guessed again and again, and those that hold there too would not be seen.
//!
//! Paths from the entry need one question each. For a path from a loop head that no state seen there can take, executions
//! are unwound a few times to see whether they come to a state that can.

use super::settings::Settings;
use cfa::{Loc, Program};
use encode::trace::initial_values;
use encode::{Bounded, Preimage};
use engine::{Cx, Event, Stop, Task, Trace};
use flow::wto::Wto;
use infer::sample::{DirectedRun, Table};
use infer::segments::Segment;
use std::collections::BTreeMap;
use term::{Store, Term, Value};

/// What the runs missed, as far as it is found in a share of the time.
pub(super) fn directed_inputs(
    task: &Task,
    wto: &Wto,
    segments: &[Segment],
    tables: &BTreeMap<Loc, Table>,
    settings: &Settings,
    cx: &mut Cx,
) -> Result<Vec<DirectedRun>, Stop> {
    let whole = cx.budget.clone();
    cx.budget = whole.slice(whole.left() / 8);
    let mut directed = Vec::new();
    let asked = at_entry(&task.program, segments, settings, &mut directed, cx)
        .and_then(|()| at_heads(task, wto, segments, tables, settings, &mut directed, cx));
    cx.budget = whole;
    cx.tell(Event::Note(format!("{} paths with inputs chosen by the solver", directed.len())));
    match asked {
        Err(Stop::Timeout) => cx.budget.check().map(|()| directed),
        other => other.map(|()| directed),
    }
}

/// Inputs for each path from the entry to a loop, except for those that the path does not ask about.
fn at_entry(
    program: &Program,
    segments: &[Segment],
    settings: &Settings,
    directed: &mut Vec<DirectedRun>,
    cx: &mut Cx,
) -> Result<(), Stop> {
    let mut solver = cx.solver()?;
    let ways = segments.iter().filter(|s| s.from.is_none() && !s.conditions.is_empty());
    for segment in ways.take(settings.directed_paths) {
        if cx.try_sat(solver.as_mut(), &segment.conditions, settings.directed_time)? != Some(true) {
            continue;
        }
        let matter = term::walk::free_vars(&cx.terms, &segment.conditions);
        let mut inputs = Vec::new();
        for symbol in segment.inputs.iter().flat_map(|(_, symbols)| symbols) {
            let value = matter.contains(symbol).then(|| solver.value(&cx.terms, *symbol));
            inputs.push(value.transpose()?);
        }
        let all = cx.terms.and_all(&segment.conditions);
        let initial = initial_values(program, &cx.terms, all, |t| solver.value(&cx.terms, t))?;
        directed.push(DirectedRun { inputs, initial });
    }
    Ok(())
}

/// Executions that come to paths from loop heads that no run took.
fn at_heads(
    task: &Task,
    wto: &Wto,
    segments: &[Segment],
    tables: &BTreeMap<Loc, Table>,
    settings: &Settings,
    directed: &mut Vec<DirectedRun>,
    cx: &mut Cx,
) -> Result<(), Stop> {
    let mut missed: Vec<Preimage> = Vec::new();
    for segment in segments {
        let Some(at) = segment.from else { continue };
        if missed.len() < settings.directed_paths
            && tables.get(&at).is_some_and(|table| !takes(&task.program, &cx.terms, table, segment))
        {
            let condition = cx.terms.and_all(&segment.conditions);
            missed.push(Preimage { at, target: segment.to, condition, inputs: segment.inputs.clone(), visits: None });
        }
    }
    if missed.is_empty() {
        return Ok(());
    }
    let mut base = Bounded::new(task, wto, cx)?;
    base.keep_heads();
    for bound in 1..=settings.directed_visits {
        // An error on the way is found anew by those who look for one.
        if base.advance(bound, cx)?.is_some() {
            return Ok(());
        }
        let mut left = Vec::new();
        for path in missed {
            match base.meet(bound, std::slice::from_ref(&path), settings.directed_time, cx)? {
                Some(trace) => directed.push(all_of(trace)),
                None => left.push(path),
            }
        }
        missed = left;
    }
    Ok(())
}

/// Whether a state seen at the head can take the path, as far as its variables tell.
fn takes(program: &Program, terms: &Store, table: &Table, segment: &Segment) -> bool {
    let columns: Vec<Term> = table.columns.iter().map(|v| program.term(*v)).collect();
    let told = |c: &&Term| term::walk::free_vars(terms, &[**c]).iter().all(|v| columns.contains(v));
    let conditions: Vec<Term> = segment.conditions.iter().filter(told).copied().collect();
    table.rows.iter().any(|row| {
        let values = table.state(program, row);
        conditions.iter().all(|c| term::eval(terms, *c, &values) == Ok(Value::Bool(true)))
    })
}

fn all_of(trace: Trace) -> DirectedRun {
    let inputs = trace.inputs.into_iter().flat_map(|(_, values)| values.into_iter().map(Some)).collect();
    DirectedRun { inputs, initial: trace.initial }
}
