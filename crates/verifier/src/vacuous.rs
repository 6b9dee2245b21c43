//! Whether a proof says anything: where no execution gets to the end of the program, assumptions may exclude them all.

use crate::engines::ask;
use crate::limits::evidence::{RUNS, STEPS};
use crate::load;
use crate::request::Subject;
use cfa::{EndKind, LocKind, Program, Property, Violation};
use engine::Budget;
use interpreter::{Ending, Inputs, Limits, Machine, Random, Zero};
use std::collections::BTreeMap;
use transform::Aim;
use transform::pipeline::{Settings, prepare};
use validate::Answer;

/// Whether no execution of a safe program ends by itself, in a program that makes assumptions; nothing where that is not
/// known.
pub(crate) fn is_vacuous(program: &Program, budget: &Budget) -> Option<bool> {
    let assumes = |kind: &LocKind| matches!(kind, LocKind::End(EndKind::Blocked | EndKind::Abort));
    if !program.functions.values().flat_map(|f| f.locs.values()).any(|location| assumes(&location.kind)) {
        return Some(false);
    }
    let machine = Machine::new(program).ok()?;
    for seed in 0..RUNS {
        let mut inputs: Box<dyn Inputs> = if seed == 0 { Box::new(Zero) } else { Box::new(Random::new(seed)) };
        let limits = Limits { record: false, ..Limits::steps(STEPS) };
        // A run that goes on was not excluded.
        if matches!(
            machine.run(inputs.as_mut(), &limits).ending,
            Ending::End(EndKind::Return | EndKind::Exit) | Ending::Limit(_)
        ) {
            return Some(false);
        }
    }
    is_reached(program, &|kind| matches!(kind, LocKind::End(EndKind::Return | EndKind::Exit)), budget)
        .map(|reached| !reached)
}

/// Whether an execution gets to a location of the kind that is looked for; nothing where that is not known.
fn is_reached(program: &Program, is_sought: &dyn Fn(&LocKind) -> bool, budget: &Budget) -> Option<bool> {
    let mut asked = program.clone();
    for location in asked.functions.values_mut().flat_map(|f| f.locs.values_mut()) {
        if is_sought(&location.kind) {
            let message = "a location is reached".into();
            location.kind = LocKind::Error(Violation { property: Property::UnreachCall, message });
        } else if matches!(location.kind, LocKind::Error(_)) {
            location.kind = LocKind::End(EndKind::Abort);
        }
    }
    let prepared = prepare(&asked, &Settings::new(Aim::Targets));
    if !prepared.program.main().locs.values().any(|location| location.kind.is_target()) {
        return Some(false);
    }
    match ask(&asked, &prepared, budget) {
        Answer::True(_) => Some(false),
        Answer::False(_) => Some(true),
        Answer::Pending(_) | Answer::Unknown(_) => None,
    }
}

/// What contracts exclude, in words: calls that are come to and from which none returns, as the contract that stands in their
/// place cannot be kept there; and a function that is checked and returns only from calls of itself, or not at all, so that
/// its postcondition, which it keeps then, says nothing.
pub(crate) fn by_contracts(subject: &Subject, budget: &Budget) -> Vec<String> {
    let contracts = &subject.lowering.contracts;
    if !contracts.any() {
        return Vec::new();
    }
    let mut probed = subject.clone();
    probed.lowering.contracts.probes = true;
    let Ok(program) = load::lowered(&probed) else { return Vec::new() };
    let mut calls = BTreeMap::new();
    for location in program.functions.values().flat_map(|f| f.locs.values()) {
        if let LocKind::Error(Violation { property: Property::Invariant(number), message }) = &location.kind {
            calls.insert(*number, (message.clone(), location.span));
        }
    }
    let reaches = |number: u32| {
        let is_sought = |kind: &LocKind| matches!(kind, LocKind::Error(v) if v.property == Property::Invariant(number));
        is_reached(&program, &is_sought, budget)
    };
    let mut found = Vec::new();
    for (number, (name, span)) in calls.iter().filter(|(number, _)| *number % 2 == 0) {
        if reaches(number + 1) == Some(false) && reaches(*number) == Some(true) {
            found.push(format!(
                "{}: warning: the postcondition of {name} can never hold here: nothing behind this call is checked",
                program.sources.place(*span)
            ));
        }
    }
    let returns = |kind: &LocKind| matches!(kind, LocKind::End(EndKind::Return));
    if contracts.check && is_reached(&program, &returns, budget) == Some(false) {
        let name = &subject.lowering.entry;
        found.push(format!(
            "warning: {name} never returns, or from calls of itself only: its postcondition says nothing"
        ));
    }
    found
}
