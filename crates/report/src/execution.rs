//! An execution that the interpreter has made, as a counterexample: its inputs, its steps, where it ends.

use crate::model::{Counterexample, Input, InputKind, Native, Place, Violation};
use crate::value;
use crate::walk;
use base::Span;
use cfa::{Op, Origin, Program};
use interpreter::{Ending, Given, Outcome, Recorded};
use term::Value;

/// The counterexample that a violating run of the lowered program is.
pub fn counterexample(program: &Program, outcome: &Outcome, native: Native) -> Counterexample {
    let (steps, steps_missing) = walk::steps(program, outcome);
    let inputs = outcome.inputs.iter().filter_map(|recorded| input(program, recorded)).collect();
    Counterexample { inputs, steps, steps_missing, danger: Vec::new(), violation: violation(program, outcome), native }
}

fn violation(program: &Program, outcome: &Outcome) -> Violation {
    let spans: Vec<Span> = user_spans(program, outcome).collect();
    let message = match &outcome.ending {
        Ending::Error(violation) => format!("{}: {}", violation.property.name(), violation.message),
        other => format!("{other:?}"),
    };
    Violation {
        place: spans.first().and_then(|span| Place::of(&program.sources, *span)),
        message,
        line: spans.first().and_then(|span| program.sources.line(*span)).map(|line| line.trim().to_owned()),
        called_from: spans.iter().skip(1).filter_map(|span| Place::of(&program.sources, *span)).collect(),
    }
}

/// What a run was given; nothing for what is no input of the program's.
pub fn input(program: &Program, recorded: &Recorded) -> Option<Input> {
    let edge = &program.functions[recorded.func].edges[recorded.edge];
    let (kind, name) = match &edge.op {
        Op::Havoc { origin: Origin::Input(name), .. } if recorded.func == program.entry => (InputKind::Argument, name),
        Op::Havoc { origin: Origin::Input(name), .. } => (InputKind::Input, name),
        Op::Havoc { origin: Origin::Uninitialised(name), .. } => (InputKind::Uninitialised, name),
        Op::Havoc { origin: Origin::Extern(name), .. } if name == cfa::PLACES || lower::library::is_model(name) => {
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
    Some(Input { place, kind, name: name.clone(), value })
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
