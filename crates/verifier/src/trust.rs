//! What an answer rests on, beyond its evidence: notes that are shown with it and kept with it.

use crate::limits::evidence::VACUITY_TIME;
use crate::request::Subject;
use crate::vacuous::{by_contracts, is_vacuous};
use cfa::{LocKind, Op, Origin, Program, Property};
use engine::Budget;
use lower::library::is_model;
use report::Verdict;
use std::collections::BTreeSet;
use term::Sort;

/// The notes on a verdict about the lowered program.
/// `checked` are the properties that there is something to check for.
pub(crate) fn notes(
    program: &Program,
    checked: &BTreeSet<Property>,
    subject: &Subject,
    verdict: &Verdict,
    budget: &Budget,
) -> Vec<String> {
    let asked = &subject.lowering;
    let mut notes = Vec::new();
    if program.vars.values().any(|var| matches!(var.sort, Sort::Float(_))) {
        notes.push("note: floats are modelled bit by bit as IEEE 754 says, rounding to nearest".to_owned());
    }
    let approximated = approximated(program);
    if !approximated.is_empty() {
        notes.push(format!("note: modelled roughly, with any result that may be: {}", approximated.join(", ")));
    }
    match verdict {
        Verdict::True { .. } => {
            notes.extend(nothing_to_check(checked, asked));
            notes.extend(beyond_the_model(program));
            let budget = budget.slice(budget.left().min(VACUITY_TIME));
            notes.extend(by_contracts(subject, &budget));
            if is_vacuous(program, &budget) == Some(true) {
                notes.push(
                    "warning: no execution gets to the end of the program: assumptions may exclude them all, \
                     and the proof then says nothing"
                        .to_owned(),
                );
            }
        }
        Verdict::Unknown { .. } => notes.extend(beyond_the_model(program)),
        Verdict::False { .. } => {}
    }
    notes
}

/// That a program has nothing to check proves little: perhaps a name is misspelt.
fn nothing_to_check(checked: &BTreeSet<Property>, asked: &lower::Options) -> Option<String> {
    if asked.properties.contains(&Property::Termination) || !checked.is_empty() {
        return None;
    }
    let lines = if asked.only_lines.is_empty() { "" } else { ", on the lines that are checked" };
    let missing = missing(&asked.properties, asked);
    Some(format!("note: nothing to check: {missing} in what {} executes{lines}", asked.entry))
}

/// What a program lacks in which there is nothing to check for these properties.
pub(crate) fn missing(properties: &[Property], asked: &lower::Options) -> String {
    let one = |property: &Property| match property {
        Property::UnreachCall => format!("no call of {}", asked.error_functions.join(" or ")),
        Property::Assert => "no assertion".to_owned(),
        Property::ValidDeref => "no array or pointer".to_owned(),
        Property::ValidFree | Property::ValidMemtrack | Property::ValidMemcleanup => "no heap".to_owned(),
        Property::NoOverflow => "no signed arithmetic".to_owned(),
        Property::DivByZero => "no division".to_owned(),
        other => format!("nothing that could violate {}", other.name()),
    };
    let mut words: Vec<String> = properties.iter().map(one).collect();
    words.dedup();
    words.join(", ")
}

/// Library functions that the program uses and that are modelled by any value.
fn approximated(program: &Program) -> Vec<String> {
    let mut names = BTreeSet::new();
    for edge in program.functions.values().flat_map(|f| f.edges.values()) {
        if let Op::Havoc { origin: Origin::Extern(name), .. } = &edge.op
            && is_model(name)
        {
            names.insert(name.clone());
        }
    }
    names.into_iter().collect()
}

/// What is not modelled, and limits of the model: a proof shows that no execution gets there.
fn beyond_the_model(program: &Program) -> Vec<String> {
    let mut found = BTreeSet::new();
    // What the models of the library lack is rarely met: one line has it all.
    let mut of_library = BTreeSet::new();
    for location in program.functions.values().flat_map(|f| f.locs.values()) {
        let users = report::execution::is_users(program, location.span);
        let what = match &location.kind {
            LocKind::Unsupported(what) if !users && !location.span.is_nowhere() => {
                of_library.insert(report::in_users_words(&what.what));
                continue;
            }
            LocKind::Unsupported(what) => format!("not modelled: {what}"),
            // It is read again with more room: then every object that can be is within reach.
            kind if lower::is_too_large(kind) && program.machine.data_model == cfa::DataModel::Lp64 => continue,
            LocKind::BoundHit(what) => format!("a limit of the model: {what}"),
            _ => continue,
        };
        let place = if users { format!("{}: ", program.sources.place(location.span)) } else { String::new() };
        found.insert(format!("{place}note: {what}"));
    }
    const SHOWN: usize = 10;
    let more = found.len().saturating_sub(SHOWN);
    let mut notes: Vec<String> = found.into_iter().take(SHOWN).collect();
    if more > 0 {
        notes.push(format!("note: and {more} more things that are not modelled"));
    }
    if !of_library.is_empty() {
        let all: Vec<String> = of_library.into_iter().collect();
        notes.push(format!("note: not modelled of the C library: {}", all.join("; ")));
    }
    notes
}
