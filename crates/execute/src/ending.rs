//! How a run ended and where, in words.

use cfa::{EndKind, Program};
use interpreter::{Ending, Limit, Outcome};
use report::execution::user_spans;

/// A line, and the source lines that go with it.
pub fn describe(program: &Program, outcome: &Outcome) -> String {
    match &outcome.ending {
        Ending::Error(violation) => {
            let message = format!("{}: {}", violation.property.name(), violation.message);
            format!("{}: error: {message}{}", place(program, outcome), source_line(program, outcome))
        }
        Ending::Unsupported(what) => {
            format!("{}: unknown: not modelled: {what}{}", place(program, outcome), source_line(program, outcome))
        }
        Ending::BoundHit(what) => format!("{}: unknown: bound hit: {what}", place(program, outcome)),
        Ending::End(EndKind::Return | EndKind::Exit) => match status(outcome) {
            Some(code) => format!("the program ended with exit code {code}"),
            None => "the program ended".to_owned(),
        },
        Ending::End(EndKind::Abort) => format!("{}: the program was aborted", place(program, outcome)),
        Ending::End(EndKind::Blocked) => format!("{}: an assumption does not hold", place(program, outcome)),
        Ending::Stuck => format!("{}: unknown: no way on from here", place(program, outcome)),
        Ending::Limit(Limit::Fault) => {
            format!(
                "{}: the program was ended: an access through a null pointer{}",
                place(program, outcome),
                source_line(program, outcome)
            )
        }
        Ending::Limit(limit) => format!("{}: unknown: {}", place(program, outcome), limit_text(*limit)),
    }
}

fn limit_text(limit: Limit) -> &'static str {
    match limit {
        Limit::Steps => "the limit on steps is reached",
        Limit::Time => "the time limit is reached",
        Limit::Cancelled => "cancelled",
        Limit::CallDepth => "calls are nested too deeply",
        Limit::Memory => "the program uses too much memory",
        Limit::Output => "the output cannot be written",
        Limit::Fault => "an access through a null pointer",
        Limit::Watcher => "stopped",
    }
}

/// What the program returned or exited with: a process's exit status has eight bits.
pub fn status(outcome: &Outcome) -> Option<u8> {
    outcome.exit_code.as_ref().map(|code| match code {
        term::Value::Bv(bits) => bits.extract(7, 0).to_u64().unwrap_or(0) as u8,
        _ => 0,
    })
}

/// Where the run ended, in the user's terms: inside a library model, that is the call of it.
fn place(program: &Program, outcome: &Outcome) -> String {
    program.sources.place(user_spans(program, outcome).next().unwrap_or(base::Span::nowhere()))
}

/// The line where the run ended, and the calls that led there, innermost first.
fn source_line(program: &Program, outcome: &Outcome) -> String {
    let mut text = String::new();
    let mut spans = user_spans(program, outcome);
    if let Some(line) = spans.next().and_then(|span| program.sources.line(span)) {
        text += &format!("\n  {}", line.trim());
    }
    for span in spans {
        text += &format!("\n  called from {}", program.sources.place(span));
    }
    text
}

/// Where the run left defined behaviour.
pub fn warnings(program: &Program, outcome: &Outcome) -> Vec<String> {
    let warning = |undefined: &interpreter::Undefined| {
        let span = program.functions[undefined.func].edges[undefined.edge].span;
        format!("{}: warning: {}", program.sources.place(span), undefined.message)
    };
    outcome.undefined.iter().map(warning).collect()
}
