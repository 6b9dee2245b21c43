//! Running a counterexample: the interpreter executes the program as the user wrote it (function form, not simplified) on
//! the inputs of the trace, and must end at an error location.
//!
//! Inputs are found by their place in the source program and the chain of calls that led there, so that it does not
//! matter what simplification and slicing removed: inputs that were sliced away cannot influence the error, and are zero.

use crate::environment::{Outside, run_with_memory};
use crate::limits::replay::MOST_CONTENTS;
use cfa::evidence::repeat;
use cfa::evidence::{DeepTrace, Trace};
use cfa::layout::{MAX_BYTES, REACH};
use cfa::{Birth, Edge, EndKind, Func, Loc, LocKind, Op, Origin, Program, Var, Violation, has_usual_way};
use interpreter::{BySite, Change, Ending, Given, Limits, Machine, Outcome, Owner, Recorded, Site, frame_path};
use std::collections::{BTreeMap, BTreeSet};
use term::Value;

/// What became of a counterexample.
#[derive(Clone, Debug)]
pub enum Replayed {
    /// The error was reached.
    Confirmed { violation: Violation, outcome: Box<Outcome> },
    /// It was not: where the run went instead.
    Missed(String),
    /// It was not, but code outside of the program takes part, and not all that the trace lets it do can be done in a run:
    /// objects of a class are not told apart there. Where the run went instead.
    Astray(String),
    /// It was not, but the program looks at parts of addresses, and the trace lets it see there what suits it. Where the run
    /// went instead.
    Displaced(String),
    /// The run does something undefined on the way: whatever follows proves nothing. What and where.
    Undefined(String),
    /// The run was too long to finish here.
    TooLong,
}

/// Runs `lowered` on the inputs of a trace of `flat`, which was made from it.
pub fn replay(lowered: &Program, flat: &Program, trace: &Trace, limits: &Limits) -> Replayed {
    let deep = DeepTrace { trace: trace.clone(), repeats: Vec::new(), steps: 0 };
    replay_deep(lowered, flat, &deep, limits)
}

/// The same for a trace with repetitions.
pub fn replay_deep(lowered: &Program, flat: &Program, trace: &DeepTrace, limits: &Limits) -> Replayed {
    let machine = match Machine::new(lowered) {
        Ok(machine) => machine,
        Err(unsupported) => return Replayed::Missed(format!("the interpreter does not know {}", unsupported.0)),
    };
    let inputs = by_site(lowered, flat, trace, Ways::Given);
    let mut outcome = machine.run(&mut inputs.clone(), limits);
    let first = first_values(flat, &trace.trace);
    let known = |(var, part)| Some((part, *first.get(var)?));
    let outside = Outside(flat.outside.iter().filter_map(known).collect());
    if !outcome.undefined.is_empty()
        && let Some(defined) = run_with_memory(lowered, &machine, &inputs, &outside, limits)
        && matches!(defined.ending, Ending::Error(_))
    {
        outcome = defined;
    }
    if let Some(first) = outcome.undefined.first() {
        let place = lowered.sources.place(lowered.functions[first.func].edges[first.edge].span);
        return Replayed::Undefined(format!("{} at {place}", first.message));
    }
    // An error that does not depend on what the library does where C leaves that open is shown with what it usually does.
    if matches!(outcome.ending, Ending::Error(_)) && outcome.inputs.iter().any(|input| is_unusual(lowered, input)) {
        let again = machine.run(&mut by_site(lowered, flat, trace, Ways::Usual), limits);
        if again.location == outcome.location && again.ending == outcome.ending && again.undefined.is_empty() {
            outcome = again;
        }
    }
    match &outcome.ending {
        Ending::Error(violation) => Replayed::Confirmed { violation: violation.clone(), outcome: Box::new(outcome) },
        Ending::Limit(_) => Replayed::TooLong,
        Ending::Unsupported(what) | Ending::BoundHit(what) => missed(lowered, flat, &outcome, &format!("with {what}")),
        Ending::End(EndKind::Return) => missed(lowered, flat, &outcome, "by returning from main"),
        Ending::End(EndKind::Exit) => missed(lowered, flat, &outcome, "by exit"),
        Ending::End(EndKind::Abort) => missed(lowered, flat, &outcome, "by abort"),
        Ending::End(EndKind::Blocked) => missed(lowered, flat, &outcome, "at an assumption that does not hold"),
        Ending::Stuck => missed(lowered, flat, &outcome, "with no way on"),
    }
}

/// The error was not reached: how the run ended instead, and where.
fn missed(lowered: &Program, flat: &Program, outcome: &Outcome, how: &str) -> Replayed {
    let (func, loc) = outcome.location;
    let place = lowered.sources.place(lowered.functions[func].locs[loc].span);
    let how = format!("the run ended {how} at {place}");
    if crate::places::are_open(lowered, flat) {
        return Replayed::Displaced(how);
    }
    let mut edges = lowered.functions.values().flat_map(|f| f.edges.values());
    let asks = |op: &Op| matches!(op, Op::Escape { .. } | Op::Disturb { .. });
    let meets_outside = transform::memory::asks_outside(flat) || edges.any(|e| asks(&e.op));
    if meets_outside { Replayed::Astray(how) } else { Replayed::Missed(how) }
}

/// What functions of the library do where C leaves it open.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ways {
    /// What the trace says.
    Given,
    /// What our model does when it just runs: what nobody says is false.
    Usual,
}

fn is_open(op: &Op) -> bool {
    matches!(op, Op::Havoc { origin: Origin::Extern(name), .. } if has_usual_way(name))
}

/// Whether the library does there what is not usual.
fn is_unusual(lowered: &Program, input: &Recorded) -> bool {
    is_open(&lowered.functions[input.func].edges[input.edge].op)
        && !matches!(input.given, Given::Value(Value::Bool(false)))
}

/// The trace's inputs by place.
fn by_site(lowered: &Program, flat: &Program, deep: &DeepTrace, ways: Ways) -> BySite {
    let mut inputs = BySite::new();
    inputs.set_frames(flat);
    for (var, value) in &deep.trace.initial {
        let name = flat.name(*var);
        if let Some((var, _)) = lowered.vars.iter().find(|(var, _)| lowered.name(*var) == name) {
            inputs.set_initial(var, value.clone());
        }
    }
    for ((path, site), contents) in shared_contents(flat, &deep.trace) {
        inputs.push_contents(path, site, contents);
    }
    inputs.set_births(flat.births.clone());
    let main = flat.main();
    let entry = |(edge, values): &(Edge, Vec<Value>)| {
        let info = &main.edges[*edge];
        let (Some(site), Op::Havoc { .. }) = (info.site, &info.op) else { return None };
        if ways == Ways::Usual && is_open(&info.op) {
            return None;
        }
        let path = frame_path(flat, main.locs[info.from].frame);
        Some(((path, site), (*edge, values.clone())))
    };
    for ((path, site), runs) in repeat::runs(&deep.trace.inputs, &deep.repeats, &entry) {
        for ((edge, values), times) in runs {
            if let Some(changes) = changes(lowered, flat, site, edge, &values) {
                for _ in 0..times.min(MOST_CONTENTS) {
                    inputs.push_changes(path.clone(), site, changes.clone());
                }
            } else if let Some(contents) = contents(flat, edge, &values) {
                for _ in 0..times.min(MOST_CONTENTS) {
                    inputs.push_contents(path.clone(), site, contents.clone());
                }
            } else if let [value] = &values[..] {
                inputs.push_run(path.clone(), site, value.clone(), times);
            } else {
                for value in (0..times).flat_map(|_| &values) {
                    inputs.push(path.clone(), site, value.clone());
                }
            }
        }
    }
    inputs
}

/// What variables hold at first: from the start, or as soon as they are arbitrary.
fn first_values<'t>(flat: &Program, trace: &'t Trace) -> BTreeMap<Var, &'t Value> {
    let mut first: BTreeMap<Var, &Value> = trace.initial.iter().map(|(var, value)| (*var, value)).collect();
    for (edge, values) in &trace.inputs {
        let Op::Havoc { vars, origin: Origin::Internal } = &flat.main().edges[*edge].op else { continue };
        for (var, value) in vars.iter().zip(values) {
            first.entry(*var).or_insert(value);
        }
    }
    first
}

/// What objects hold at first that share arrays with others, by where they are made.
fn shared_contents(flat: &Program, trace: &Trace) -> BTreeMap<Birth, Vec<u8>> {
    let mut found: BTreeMap<Birth, Vec<u8>> = BTreeMap::new();
    for (var, value) in first_values(flat, trace) {
        let (Some(part), Value::Array(_)) = (flat.layout.get(&var), value) else { continue };
        if flat.owners.contains_key(&var) {
            continue;
        }
        let mut parts = part.parts(value).into_iter();
        let Some((offset, stride, default)) = parts.next() else { continue };
        let mut entries: BTreeMap<u64, Vec<(u64, Vec<u8>)>> = BTreeMap::new();
        for (at, _, bytes) in parts {
            let (number, at) = if stride == 0 { (at, offset) } else { flat.machine.parts_of(at) };
            entries.entry(number).or_default().push((at, bytes));
        }
        for (number, birth) in &flat.births {
            let contents = found.entry(birth.clone()).or_default();
            let count = REACH.checked_div(stride).unwrap_or(1);
            let everywhere = (0..count).map(|i| (offset + i * stride, default.clone()));
            let own = entries.remove(number).unwrap_or_default().into_iter().filter(|(at, _)| *at < MAX_BYTES);
            for (at, bytes) in everywhere.chain(own) {
                let end = at as usize + bytes.len();
                contents.resize(contents.len().max(end), 0);
                contents[at as usize..end].copy_from_slice(&bytes);
            }
        }
    }
    found
}

/// What code outside of the program changes, where the edge stands for its running.
fn changes(lowered: &Program, flat: &Program, (func, at): Site, edge: Edge, values: &[Value]) -> Option<Vec<Change>> {
    let Op::Havoc { vars, origin: Origin::Extern(_) } = &flat.main().edges[edge].op else { return None };
    if !matches!(lowered.functions[func].edges[at].op, Op::Disturb { .. }) {
        return None;
    }
    let birth = |number: u64| flat.births.get(&number).map(|birth| Owner::Birth(birth.clone()));
    let mut changes = Vec::new();
    for (v, value) in vars.iter().zip(values) {
        if let (Some(part), Some(owner)) = (flat.layout.get(v), flat.owners.get(v).and_then(|n| birth(*n))) {
            let change = |(offset, stride, bytes)| Change { owner: owner.clone(), offset, stride, bytes };
            changes.extend(part.parts(value).into_iter().map(change));
        } else if let Some(part) = flat.outside.get(v) {
            for (address, _, bytes) in part.parts(value).into_iter().filter(|(_, stride, _)| *stride == 0) {
                let (number, offset) = flat.machine.parts_of(address);
                changes.extend(birth(number).map(|owner| Change { owner, offset, stride: 0, bytes }));
            }
        }
    }
    Some(changes)
}

/// What an object holds at first, where the edge stands for its allocation.
fn contents(flat: &Program, edge: Edge, values: &[Value]) -> Option<Vec<u8>> {
    let Op::Havoc { vars, origin: Origin::Uninitialised(_) } = &flat.main().edges[edge].op else { return None };
    if !vars.iter().any(|v| flat.layout.contains_key(v)) {
        return None;
    }
    let mut contents = Vec::new();
    for (part, value) in vars.iter().map(|v| flat.layout.get(v)).zip(values) {
        if let Some(part) = part {
            part.write(value, &mut contents);
        }
    }
    Some(contents)
}

/// What a run on the trace's inputs should come to, without running it: for runs that only the compiled program is fast
/// enough to make. `None` where some input function that the trace has values for may be called at places that it does not know of, so that a
/// harness, which counts calls, could not tell which value goes where.
pub fn expected(lowered: &Program, flat: &Program, deep: &DeepTrace) -> Option<(Violation, Outcome)> {
    let main = flat.main();
    // Where calls share copies, a frame is not one chain of calls.
    if !flat.joined.is_empty() {
        return None;
    }
    let LocKind::Error(violation) = &main.locs[deep.trace.target].kind else { return None };
    let known: Vec<Site> =
        main.edges.values().filter(|e| matches!(e.op, Op::Havoc { .. })).filter_map(|e| e.site).collect();
    let name_of = |op: &Op| match op {
        Op::Havoc { origin: Origin::Input(name) | Origin::Extern(name), .. } => Some(name.clone()),
        _ => None,
    };
    let given: BTreeSet<_> = deep.trace.inputs.iter().filter_map(|(edge, _)| name_of(&main.edges[*edge].op)).collect();
    for (func, function) in lowered.functions.iter() {
        for (edge, info) in function.edges.iter() {
            let is_given = name_of(&info.op).is_some_and(|name| given.contains(&name));
            if is_given && !known.contains(&(func, edge)) {
                return None;
            }
        }
    }
    let mut inputs = Vec::new();
    for (edge, values) in &deep.trace.inputs {
        let (func, edge) = main.edges[*edge].site?;
        let [value] = &values[..] else { return None };
        inputs.push(Recorded { func, edge, var: None, given: Given::Value(value.clone()) });
    }
    let outcome = Outcome {
        ending: Ending::Error(violation.clone()),
        location: error_location(lowered, flat, deep.trace.target)?,
        call_path: frame_path(flat, main.locs[deep.trace.target].frame),
        steps: deep.steps,
        exit_code: None,
        inputs,
        repeats: deep.repeats.clone(),
        initial: Vec::new(),
        environment: Vec::new(),
        undefined: Vec::new(),
        reused_object_numbers: false,
    };
    Some((violation.clone(), outcome))
}

/// The error location of the lowered program that became the given one.
fn error_location(lowered: &Program, flat: &Program, target: Loc) -> Option<(Func, Loc)> {
    let wanted = &flat.main().locs[target];
    lowered.functions.iter().find_map(|(func, function)| {
        let same = |l: &cfa::Location| l.kind == wanted.kind && l.span == wanted.span;
        function.locs.iter().find(|(_, l)| same(l)).map(|(loc, _)| (func, loc))
    })
}
