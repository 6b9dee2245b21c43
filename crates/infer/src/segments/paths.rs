//! All paths from the entry or a head to the next head or target, each by itself.

use super::{Comes, Segment};
use crate::limits::segments::MAX_SEGMENTS;
use cfa::{Edge, Loc, Program};
use encode::State;
use encode::post::step;
use engine::{Budget, Stop};
use flow::wto::Wto;
use term::{Store, Term};

/// All paths to heads and targets; `None` when there are too many.
pub fn paths(program: &Program, wto: &Wto, terms: &mut Store, budget: &Budget) -> Result<Option<Vec<Segment>>, Stop> {
    let main = program.main();
    let successors = main.successors();
    let mut found = Vec::new();
    let entry_is_head = wto.is_head(main.entry);
    let starts = std::iter::once(None).chain(wto.heads().map(Some));
    for from in starts {
        let start = from.unwrap_or(main.entry);
        if from.is_none() && entry_is_head {
            let state = State::arbitrary(program);
            let (conditions, inputs) = (Vec::new(), Vec::new());
            found.push(Segment { from, to: start, comes: Comes::ToHead, conditions, inputs, state });
            continue;
        }
        let mut stack = vec![(start, Vec::new(), Vec::new(), State::arbitrary(program))];
        while let Some((loc, conditions, inputs, state)) = stack.pop() {
            budget.check()?;
            for edge in successors[loc].iter().rev() {
                let info = &main.edges[*edge];
                let Some(after) = step(program, terms, &state, &info.op) else { continue };
                let mut conditions: Vec<Term> = conditions.clone();
                let mut inputs: Vec<(Edge, Vec<Term>)> = inputs.clone();
                if terms.as_bool_const(after.condition).is_none() {
                    conditions.push(after.condition);
                }
                if contradicts(terms, &conditions) {
                    continue;
                }
                if !after.inputs.is_empty() {
                    inputs.push((*edge, after.inputs.to_vec()));
                }
                let comes = if wto.is_head(info.to) { Some(Comes::ToHead) } else { Comes::at(main, info.to) };
                match comes {
                    Some(comes) if comes == Comes::ToHead || comes.is_to_target() => {
                        found.push(Segment { from, to: info.to, comes, conditions, inputs, state: after.state });
                    }
                    _ => stack.push((info.to, conditions, inputs, after.state)),
                }
                if found.len() + stack.len() > MAX_SEGMENTS {
                    return Ok(None);
                }
            }
        }
    }
    Ok(Some(found))
}

/// Whether the last condition is the opposite of an earlier one.
fn contradicts(terms: &mut Store, conditions: &[Term]) -> bool {
    let Some((last, earlier)) = conditions.split_last() else { return false };
    let opposite = terms.not(*last);
    earlier.contains(&opposite)
}

/// Conditions under which a loop is entered: what its paths ask first, in the states that arrive from outside. Only those
/// over variables that the loop does not change, so that they divide executions.
pub fn entry_conditions(program: &Program, segments: &[Segment], head: Loc, terms: &mut Store) -> Vec<Term> {
    let mut found: Vec<Term> = Vec::new();
    let questions: Vec<Term> =
        segments.iter().filter(|s| s.from == Some(head)).flat_map(|s| s.conditions.iter().copied()).collect();
    for entry in segments.iter().filter(|s| s.from.is_none() && s.to == head) {
        // The symbols that variables stand for on entry, as long as the loop leaves the variables alone.
        let mut names: Vec<(Term, Term)> = Vec::new();
        for var in program.vars.ids() {
            let value = entry.state.term(terms, var);
            let own = program.term(var);
            let kept = segments.iter().filter(|s| s.from == Some(head) && s.to == head);
            if terms.is_var(value)
                && kept.into_iter().all(|s| s.state.get(var) == &encode::Value::of(terms, own))
                && !names.iter().any(|(known, _)| *known == value)
            {
                names.push((value, own));
            }
        }
        for question in &questions {
            let asked = entry.after(program, terms, *question);
            let condition = term::substitute(terms, asked, &names);
            let free = term::walk::free_vars(terms, &[condition]);
            let known = |t: &Term| names.iter().any(|(_, own)| own == t);
            let opposite = terms.not(condition);
            if !free.is_empty() && free.iter().all(known) && !found.contains(&condition) && !found.contains(&opposite) {
                found.push(condition);
            }
        }
    }
    found.truncate(4);
    found
}
