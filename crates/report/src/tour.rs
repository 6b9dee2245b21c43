//! A counterexample as a tour: the places that an execution passes, with what changes there, up to the violation. Pages
//! step through it, code scanners show it as a code flow.

use crate::model::{Counterexample, Input, Place, Step};
use serde::Serialize;

#[derive(Clone, PartialEq, Eq, Serialize, Debug)]
pub struct Stop<'r> {
    pub place: Option<&'r Place>,
    pub function: Option<&'r str>,
    /// Calls that are active around it.
    pub depth: usize,
    pub text: String,
    /// Variables with their new values.
    pub sets: Vec<(&'r str, &'r str)>,
    pub kind: Kind,
    /// Of the violation: the calls that led there, outermost first.
    pub callers: Vec<&'r Place>,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize, Debug)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    Input,
    Assign,
    Loop,
    Violation,
}

/// The stops in order; the last one is the violation.
pub fn stops(run: &Counterexample) -> Vec<Stop<'_>> {
    let mut stops: Vec<Stop<'_>> = if run.steps.is_empty() {
        run.inputs.iter().filter(|input| input.matters).map(of_input).collect()
    } else {
        run.steps.iter().map(of_step).collect()
    };
    let depth = run.violation.called_from.len();
    let violation = &run.violation;
    let sets = violation.values.iter().map(|known| (known.name.as_str(), known.value.as_str())).collect();
    let text = violation.message.clone();
    let mut last = stop(violation.place.as_ref(), None, depth, text, sets, Kind::Violation);
    last.callers = violation.called_from.iter().rev().collect();
    stops.push(last);
    stops
}

fn of_input(input: &Input) -> Stop<'_> {
    let Input { place, name, value, receiver, .. } = input;
    let name = receiver.as_ref().unwrap_or(name);
    stop(place.as_ref(), None, 0, format!("{name} = {value}"), vec![(name, value)], Kind::Input)
}

fn of_step(step: &Step) -> Stop<'_> {
    match step {
        Step::Assign { place, function, depth, by, name, value, .. } => {
            let by = by.as_ref().map(|by| format!("{by} stored ")).unwrap_or_default();
            let text = format!("{by}{name} = {value}");
            stop(place.as_ref(), Some(function), *depth, text, vec![(name, value)], Kind::Assign)
        }
        Step::Loop { place, function, depth, iterations, changes } => {
            let mut text = format!("the loop runs {iterations} {}", if *iterations == 1 { "time" } else { "times" });
            for change in changes {
                text += &format!(", {}", change.show("→"));
            }
            let sets = changes.iter().map(|change| (change.name.as_str(), change.to.as_str())).collect();
            stop(place.as_ref(), Some(function), *depth, text, sets, Kind::Loop)
        }
    }
}

fn stop<'r>(
    place: Option<&'r Place>,
    function: Option<&'r String>,
    depth: usize,
    text: String,
    sets: Vec<(&'r str, &'r str)>,
    kind: Kind,
) -> Stop<'r> {
    Stop { place, function: function.map(String::as_str), depth, text, sets, kind, callers: Vec::new() }
}
