//! An execution that the interpreter has made, as a counterexample: its inputs, its steps, where it ends.

use crate::constants;
use crate::dynamic_slice::{self, Matters};
use crate::fault::Fault;
use crate::model::{Counterexample, Input, InputKind, Native, Place, Related, Step, Value as Named, Violation};
use crate::objects::users_span;
use crate::value;
use crate::walk::{self, Watched};
use base::Span;
use cfa::{Edge, Func, Op, Origin, Program, Var};
use interpreter::{Ending, Given, Outcome, Recorded};
use term::Value;

/// The counterexample that a violating run of the lowered program is.
pub fn counterexample(program: &Program, outcome: &Outcome, native: Native) -> Counterexample {
    let watched = walk::watch(program, outcome);
    let matters = watched.as_ref().ok().map(|watched| dynamic_slice::slice(program, outcome, watched));
    let steps_missing = match &watched {
        Ok(Watched { dropped: 0, .. }) => None,
        Ok(watched) => Some(format!("what happened {} events and more before the end was dropped", watched.dropped)),
        Err(why) => Some(why.clone()),
    };
    let inputs = inputs(program, outcome, watched.as_ref().ok().zip(matters.as_ref()));
    let (steps, values, returned) =
        matters.map_or_else(Default::default, |matters| (matters.steps, matters.values, matters.null));
    let (fault, memory) = watched.map_or((None, None), |watched| (watched.fault, watched.memory));
    let is_through_null = fault.as_ref().is_some_and(|fault| fault.is_through_null);
    let mut violation = violation(program, outcome, fault);
    violation.memory = memory.map(Box::new);
    violation.values = values;
    let since = is_through_null.then(|| null_since(&steps, &violation)).flatten();
    let is_told = |since: &Related| returned.as_ref().is_some_and(|returned| returned.place == since.place);
    violation.related.extend(since.filter(|since| !is_told(since)));
    violation.related.extend(returned);
    let results = results(program, outcome, &inputs, violation.place.as_ref());
    violation.values.extend(results);
    constants::add(program, &mut violation);
    Counterexample { inputs, steps, steps_missing, danger: Vec::new(), violation, native }
}

/// Where a pointer got its null, of a violation that goes through one.
fn null_since(steps: &[Step], violation: &Violation) -> Option<Related> {
    let null = violation.values.iter().find(|known| known.value == "NULL")?;
    let mut steps = steps.iter().rev();
    let place = steps.find_map(|step| match step {
        Step::Assign { place, name, value, .. } if *name == null.name => {
            (*value == null.value).then_some(place.clone())
        }
        _ => None,
    })??;
    let text = format!("{} is NULL since here", null.name);
    (Some(&place) != violation.place.as_ref()).then_some(Related { place, text })
}

/// What the functions without body that the failing line calls returned.
fn results(program: &Program, outcome: &Outcome, inputs: &[Input], failing: Option<&Place>) -> Vec<Named> {
    let is_there = |input: &&Input| {
        let (Some(at), Some(failing)) = (&input.place, failing) else { return false };
        let is_result = input.matters && input.kind == InputKind::Extern && input.receiver.is_none();
        is_result && (&at.file, at.line) == (&failing.file, failing.line)
    };
    let text = |input: &Input| {
        let edges = outcome.inputs.iter().map(|recorded| &program.functions[recorded.func].edges[recorded.edge]);
        let mut spans = edges.map(|edge| edge.span);
        let span = spans.find(|span| Place::of(&program.sources, *span) == input.place)?;
        program.sources.text(span).filter(|text| text.starts_with(input.name.as_str()))
    };
    let mut found: Vec<Named> = Vec::new();
    for input in inputs.iter().filter(is_there) {
        let Some(name) = text(input) else { continue };
        // Of several, the last one.
        found.retain(|known| known.name != name);
        found.push(Named { name, value: input.value.clone() });
    }
    found
}

/// What the run was given, with what is known of it.
fn inputs(program: &Program, outcome: &Outcome, known: Option<(&Watched<'_>, &Matters)>) -> Vec<Input> {
    let mut inputs: Vec<Input> = Vec::new();
    let mut before: Option<&Recorded> = None;
    for (index, recorded) in outcome.inputs.iter().enumerate() {
        let repeated = outcome.repeats.iter().find(|part| (part.from, part.len) == (index, 1));
        let times = repeated.map_or(1, |part| part.times);
        // Of a run that nobody watched, equal ones in a row are one.
        if known.is_none() && before == Some(recorded) {
            inputs.last_mut().into_iter().for_each(|last| last.times += times);
            continue;
        }
        before = None;
        let Some(mut input) = input(program, recorded) else { continue };
        let site = (recorded.func, recorded.edge);
        let span = program.functions[recorded.func].edges[recorded.edge].span;
        if !is_users(program, span) {
            // The library's own inputs are told by what they make it do.
            input.matters = false;
            let path = known.and_then(|(watched, _)| watched.asked[index].as_ref());
            let span = path.and_then(|path| users_span(program, path, site));
            input.place = span.and_then(|span| Place::of(&program.sources, span));
        } else if let Some((_, matters)) = known {
            input.matters &= matters.input(index, site);
        }
        input.times = times;
        inputs.push(input);
        before = Some(recorded);
    }
    inputs
}

fn violation(program: &Program, outcome: &Outcome, fault: Option<Fault>) -> Violation {
    let spans: Vec<Span> = user_spans(program, outcome).collect();
    let place_of = |span: &Span| Place::of(&program.sources, *span);
    let mut found = Violation {
        place: spans.first().and_then(place_of),
        message: match &outcome.ending {
            Ending::Error(violation) => format!("{}: {}", violation.property.name(), violation.message),
            other => format!("{other:?}"),
        },
        line: spans.first().and_then(|span| program.sources.line(*span)).map(|line| line.trim().to_owned()),
        values: Vec::new(),
        called_from: spans.iter().skip(1).filter_map(place_of).collect(),
        related: Vec::new(),
        memory: None,
    };
    let (Ending::Error(violation), Some(fault)) = (&outcome.ending, fault) else { return found };
    let property = violation.property.name();
    if let Some((place, line, called_from)) = fault.place {
        found = Violation { place: Some(place), line, called_from, ..found };
        found.message = format!("{property}: {}", fault.what);
        return found;
    }
    found.message = format!("{property}: {} {}", accessed(program, outcome, &violation.message), fault.what);
    found.related = fault.related;
    found
}

/// What the user wrote that accesses memory: the place that the check names, or the call of the library that it is in.
fn accessed(program: &Program, outcome: &Outcome, message: &str) -> String {
    let (func, loc) = outcome.location;
    let own = message.split(" is ").next().and_then(|text| text.split(" leaves ").next()).unwrap_or(message);
    if is_users(program, program.functions[func].locs[loc].span) {
        return own.to_owned();
    }
    let call = outcome.call_path.iter().rev().find_map(|(caller, edge)| {
        let info = &program.functions[*caller].edges[*edge];
        let Op::Call { callee, .. } = &info.op else { return None };
        let name = &program.functions[*callee].name;
        is_users(program, info.span).then(|| program.sources.text(info.span).unwrap_or_else(|| format!("{name}()")))
    });
    call.unwrap_or_else(|| own.to_owned())
}

/// What a run was given; nothing for what is no input of the program's.
pub fn input(program: &Program, recorded: &Recorded) -> Option<Input> {
    let edge = &program.functions[recorded.func].edges[recorded.edge];
    if recorded.func == program.entry
        && let (Op::Alloc { name, .. }, Given::Contents(bytes)) = (&edge.op, &recorded.given)
    {
        return name.starts_with("argv[").then(|| argument(program, edge.span, name, bytes));
    }
    let (kind, name) = match &edge.op {
        // The room for an argument says nothing; what is in it is another input.
        Op::Havoc { origin: Origin::Input(name), .. }
            if recorded.func == program.entry && name.starts_with("argv[") =>
        {
            return None;
        }
        Op::Havoc { origin: Origin::Input(name), .. } if recorded.func == program.entry => (InputKind::Argument, name),
        Op::Havoc { origin: Origin::Input(name), .. } => (InputKind::Input, name),
        Op::Havoc { origin: Origin::Uninitialised(name), .. } => (InputKind::Uninitialised, name),
        Op::Havoc { origin: Origin::Extern(name), .. }
            if [cfa::PLACES, cfa::ORDER, cfa::OPEN, cfa::AGAIN, lower::UNDEFINED].contains(&name.as_str())
                || lower::library::is_model(name) =>
        {
            (InputKind::Approximated, name)
        }
        Op::Havoc { origin: Origin::Extern(name), .. } if recorded.func == program.entry => {
            (InputKind::Undefined, name)
        }
        Op::Havoc { origin: Origin::Extern(name), .. } => (InputKind::Extern, name),
        _ => return None,
    };
    let Given::Value(given) = &recorded.given else { return None };
    let signed = is_signed(program, recorded, name);
    let place = Place::of(&program.sources, edge.span);
    let value = match given {
        // C sees a truth value, whatever the bits.
        Value::Bv(bits) if name == "__VERIFIER_nondet_bool" && bits.width() == 8 => {
            value::show(&Value::Bool(!bits.is_zero()), signed)
        }
        given => value::show(given, signed),
    };
    let matters = kind != InputKind::Approximated && is_users(program, edge.span) && name != cfa::PLACES;
    let receiver = recorded.var.and_then(|var| receiver(program, (recorded.func, recorded.edge), var));
    Some(Input { place, kind, name: name.clone(), value, receiver, matters, times: 1 })
}

/// A string that the program was given: up to the first zero, which the last byte is for sure.
fn argument(program: &Program, span: base::Span, name: &str, bytes: &[u8]) -> Input {
    let most = bytes.len().saturating_sub(1);
    let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(most);
    let value = format!("\"{}\"", bytes[..end].escape_ascii());
    let place = Place::of(&program.sources, span);
    Input { place, kind: InputKind::Argument, name: name.to_owned(), value, receiver: None, matters: true, times: 1 }
}

/// What the user calls that which gets a value at an edge.
fn receiver(program: &Program, (func, edge): (Func, Edge), var: Var) -> Option<String> {
    let named = |var: Var| program.vars[var].source.as_ref().map(|source| source.name.clone());
    if let Some(name) = named(var) {
        return Some(name);
    }
    let function = &program.functions[func];
    let value = program.term(var);
    // Checks may stand before the value is used.
    let mut at = vec![function.edges[edge].to];
    for step in 0..6 {
        let from = *at.get(step)?;
        for next in function.edges.values().filter(|next| next.from == from) {
            let found = match &next.op {
                Op::Assign(pairs) => pairs.iter().find(|(_, t)| *t == value).and_then(|(v, _)| named(*v)),
                Op::Store { value: stored, .. } if *stored == value => {
                    let text = program.sources.text(next.span)?;
                    let (place, rest) = text.split_once('=')?;
                    let is_plain = !rest.starts_with('=') && !place.ends_with(['<', '>', '!', '+', '-', '|', '&', '*']);
                    is_plain.then(|| place.trim().to_owned())
                }
                Op::Call { callee, args, .. } => {
                    let params = &program.functions[*callee].params;
                    params.iter().zip(args).find(|(_, arg)| **arg == value).and_then(|(param, _)| named(*param))
                }
                Op::Assume(_) => {
                    at.push(next.to);
                    continue;
                }
                _ => None,
            };
            if found.is_some() {
                return found;
            }
        }
    }
    None
}

/// Whether the value that was given is a number of a signed type.
fn is_signed(program: &Program, recorded: &Recorded, name: &str) -> bool {
    let by_name = name.strip_prefix("__VERIFIER_nondet_").map(|kind| {
        !(kind.starts_with('u') || matches!(kind, "bool" | "size_t" | "sector_t" | "pointer" | "pchar" | "pthread_t"))
    });
    let source = recorded.var.and_then(|v| program.vars[v].source.as_ref());
    by_name.or(source.map(|source| source.signed)).unwrap_or(true)
}

/// The place where the run ended and the calls that led there, innermost first, outside of the library and of generated
/// code.
pub fn user_spans<'o>(program: &'o Program, outcome: &'o Outcome) -> impl Iterator<Item = Span> + 'o {
    let (func, loc) = outcome.location;
    let calls = outcome.call_path.iter().rev().filter(|(caller, _)| *caller != program.entry);
    let calls = calls.map(|(caller, edge)| program.functions[*caller].edges[*edge].span);
    std::iter::once(program.functions[func].locs[loc].span).chain(calls).filter(|span| is_users(program, *span))
}

/// The statement in the user's code where the run ended, and its function.
pub fn user_place<'p>(program: &'p Program, outcome: &Outcome) -> Option<(Span, &'p str)> {
    let (func, loc) = outcome.location;
    let calls =
        outcome.call_path.iter().rev().map(|(caller, edge)| (*caller, program.functions[*caller].edges[*edge].span));
    std::iter::once((func, program.functions[func].locs[loc].span))
        .chain(calls)
        .find(|(_, span)| is_users(program, *span))
        .map(|(func, span)| (span, program.functions[func].name.as_str()))
}

/// Whether the user wrote it, rather than the library's models or nobody.
pub fn is_users(program: &Program, span: Span) -> bool {
    let file = program.sources.file(span.file);
    !span.is_nowhere() && file.is_some_and(|file| !file.name.starts_with(lower::library::FOLDER))
}
