//! Witnesses of executions that never end: the inputs on the way to a loop, then what is gone round for ever.
//!
//! The walk of a recurrence set is what is written down: of the places that it comes back to, the one that it comes to least
//! often stands for the round, so that loops inside are parts of it.

use crate::Task;
use crate::correctness::keyword;
use crate::files::{Place, place};
use crate::metadata::{entry, location};
use crate::violation::Returns;
use base::Span;
use cfa::{Edge, Loc, Op, Program};
use interpreter::Given;
use std::collections::BTreeMap;
use term::Value;

/// Inputs that are written down of a run of which something else says how it goes on
pub const MOST_INPUTS: usize = 1_000;

/// and how many of the first ones, where there are more.
pub const FIRST_INPUTS: usize = 20;

/// A witness from the first edges of an infinite walk through a flat program, with the values of inputs. The error says why
/// there is none.
pub fn endless(task: &Task, flat: &Program, walked: &[(Edge, Vec<Value>)]) -> Result<String, String> {
    let (anchor, waypoint) =
        anchor(task, flat, walked).ok_or("what is gone round for ever is at no place of the text")?;
    let edges = &flat.main().edges;
    let comes_to = |(edge, _): &(Edge, Vec<Value>)| edges[*edge].to == anchor;
    let first = walked.iter().position(comes_to).map_or(walked.len(), |i| i + 1);
    let (stem, rest) = walked.split_at(first);
    let mut rounds: Vec<&[(Edge, Vec<Value>)]> = rest.split_inclusive(comes_to).collect();
    // The last one is not complete.
    rounds.pop();
    let mut stem = returns(task, flat, stem);
    let mut description = None;
    if stem.waypoints.len() > MOST_INPUTS {
        stem.waypoints.truncate(FIRST_INPUTS);
        description = Some("of the inputs on the way to the loop the first ones are given");
    }
    let each: Vec<Returns> = rounds.iter().map(|round| returns(task, flat, round)).collect();
    let same = each.windows(2).all(|pair| pair[0] == pair[1]);
    let round = each.into_iter().next().filter(|round| same && round.silent.is_empty());
    let mut content = String::from("  content:\n");
    content += &stem.segments("follow");
    content += &format!("    - segment:\n        - waypoint:\n{waypoint}            action: cycle\n");
    content += &round.map(|round| round.segments("cycle")).unwrap_or_default();
    Ok(entry(task, "violation_sequence", description, &content))
}

fn returns(task: &Task, flat: &Program, walked: &[(Edge, Vec<Value>)]) -> Returns {
    let mut returns = Returns::default();
    for (edge, values) in walked {
        let info = &flat.main().edges[*edge];
        if let (Op::Havoc { .. }, [value]) = (&info.op, &values[..]) {
            let function = &flat.frames[flat.main().locs[info.from].frame].function;
            returns.add(task, flat, info, &Given::Value(value.clone()), function);
        }
    }
    returns
}

/// The place that stands for the round, and its waypoint without the action.
fn anchor(task: &Task, flat: &Program, walked: &[(Edge, Vec<Value>)]) -> Option<(Loc, String)> {
    let main = flat.main();
    let mut visits: BTreeMap<Loc, (usize, usize)> = BTreeMap::new();
    for (i, (edge, _)) in walked.iter().enumerate().skip(walked.len() / 2) {
        visits.entry(main.edges[*edge].to).or_insert((0, i)).0 += 1;
    }
    let mut places: Vec<(usize, usize, Loc)> =
        visits.into_iter().filter(|(_, (count, _))| *count > 1).map(|(loc, (count, i))| (count, i, loc)).collect();
    places.sort_unstable();
    let decision = |loc: Loc| {
        let (span, at) = keyword(&task.files, flat, loc)?;
        let text = "            type: branching\n            constraint:\n              value: \"true\"\n";
        has_condition(flat, span).then(|| text.to_owned() + &place_of(flat, loc, &at))
    };
    let statement = |loc: Loc| {
        let edge = walked.iter().map(|(edge, _)| &main.edges[*edge]).find(|edge| edge.from == loc)?;
        let at = statement_at(task, flat, edge.span)?;
        let text = "            type: assumption\n            constraint:\n              value: \"1\"\n              format: c_expression\n";
        Some(text.to_owned() + &place_of(flat, loc, &at))
    };
    let first = |how: &dyn Fn(Loc) -> Option<String>| places.iter().find_map(|(.., loc)| Some((*loc, how(*loc)?)));
    first(&decision).or_else(|| first(&statement))
}

fn place_of(flat: &Program, loc: Loc, at: &Place) -> String {
    location(at, true, &flat.frames[flat.main().locs[loc].frame].function, 12)
}

/// Whether the loop has a controlling expression: not `for (;;)`.
fn has_condition(flat: &Program, keyword: Span) -> bool {
    let Some(file) = flat.sources.file(keyword.file) else { return false };
    let lines = file.lines.iter().skip(keyword.line as usize - 1).take(50);
    let text: String = lines.flat_map(|line| line.chars().chain(['\n'])).skip(keyword.col as usize - 1).collect();
    let Some(header) = text.strip_prefix("for") else { return true };
    let mut parts = header.split(';');
    parts.next();
    parts.next().is_some_and(|condition| !condition.trim().is_empty() && !condition.contains("/*"))
}

/// The start of a span, if a statement starts there as far as the line shows it.
fn statement_at(task: &Task, flat: &Program, span: Span) -> Option<Place> {
    let at = place(&task.files, &flat.sources, span, span.line, span.col)?;
    let before: String = flat.sources.line(span)?.chars().take(span.col as usize - 1).collect();
    before.trim_end().ends_with(['{', '}', ';']).then_some(at)
}
