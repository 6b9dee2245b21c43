//! `foldback run`: executes a program. Its output goes to standard output and standard error, everything about the run to
//! standard error after it. The exit code tells how the program ended: its own where it ended by itself, as a shell would
//! have it for an abort, and like `timeout` where the run did not get to an end.

use crate::flags::RunFlags;
use crate::machine_library::MachineLibrary;
use crate::output::{self, BadInput, Exit};
use crate::settings::Subject;
use crate::values::FromFile;
use cfa::{EndKind, Program, Stream};
use interpreter::{Ending, Inputs, Limit, Limits, Machine, Outcome, Output, Random, Zero};
use report::execution::{input, user_spans};
use report::text::render_input;
use std::io::{BufWriter, Write};
use verifier::load;

/// Where the inputs come from, and what to tell about them.
#[derive(Debug)]
pub(crate) struct Source {
    inputs: InputSource,
    max_steps: Option<u64>,
    show_inputs: bool,
}

#[derive(Debug)]
enum InputSource {
    Zero,
    Random(u64),
    FromFile(FromFile),
}

impl Source {
    pub(crate) fn from_flags(flags: &RunFlags) -> Result<Source, String> {
        let inputs = match (&flags.inputs, flags.seed) {
            (Some(path), _) => InputSource::FromFile(FromFile::read(path)?),
            (None, Some(seed)) => InputSource::Random(seed),
            (None, None) => InputSource::Zero,
        };
        Ok(Source { inputs, max_steps: flags.max_steps, show_inputs: flags.show_inputs })
    }
}

pub(crate) fn run(settings: &Subject, source: Source) -> Result<Exit, BadInput> {
    let mut settings = settings.clone();
    settings.lowering.main_arguments = lower::MainArguments::None;
    settings.lowering.places = lower::Places::Fixed;
    let program = load::lowered(&settings)?;
    let machine = match Machine::new(&program) {
        Ok(machine) => machine,
        Err(unsupported) => {
            output::note(format!("unknown: the program cannot be executed: {unsupported}"));
            return Ok(Exit::Program(NO_ANSWER));
        }
    };
    let (inputs, is_free): (Box<dyn Inputs>, bool) = match source.inputs {
        InputSource::Zero => (Box::new(Zero), true),
        InputSource::Random(seed) => (Box::new(Random::new(seed)), false),
        InputSource::FromFile(values) => (Box::new(values), false),
    };
    let mut inputs = MachineLibrary::new(inputs, is_free);
    let steps = source.max_steps.unwrap_or(u64::MAX);
    let limits = Limits { steps, record: source.show_inputs, ..Limits::default() };
    let mut out = Streams { out: BufWriter::new(std::io::stdout().lock()) };
    let outcome = machine.run_with(&mut inputs, &limits, &mut out, None);
    // A reader that went away is no concern of the program's.
    let _ = out.out.flush();
    drop(out);
    if !inputs.called.is_empty() {
        let names: Vec<&str> = inputs.called.iter().map(String::as_str).collect();
        output::note(format!("note: computed by this machine's C library: {}", names.join(", ")));
    }
    report(&program, &outcome);
    Ok(match outcome.ending {
        Ending::End(EndKind::Return | EndKind::Exit) => Exit::Program(outcome.exit_code.as_ref().map_or(0, low_byte)),
        Ending::End(EndKind::Abort) | Ending::Error(_) => Exit::Program(ABORTED),
        Ending::Limit(_) => Exit::Program(STOPPED),
        _ => Exit::Program(NO_ANSWER),
    })
}

/// 128 and the number of the signal, as shells say it.
const ABORTED: u8 = 134;
/// A limit was reached.
const STOPPED: u8 = 124;
/// Something that is not modelled, or an assumption that does not hold.
const NO_ANSWER: u8 = 125;

/// What the program prints, in the order in which it prints it.
struct Streams<'s> {
    out: BufWriter<std::io::StdoutLock<'s>>,
}

impl Output for Streams<'_> {
    fn print(&mut self, stream: Stream, bytes: &[u8]) -> std::io::Result<()> {
        match stream {
            Stream::Output => self.out.write_all(bytes),
            Stream::Error => {
                self.out.flush()?;
                std::io::stderr().write_all(bytes)
            }
        }
    }
}

fn report(program: &Program, outcome: &Outcome) {
    outcome.inputs.iter().filter_map(|r| input(program, r)).for_each(|i| output::note(render_input(&i)));
    for undefined in &outcome.undefined {
        let span = program.functions[undefined.func].edges[undefined.edge].span;
        output::note(format!("{}: warning: {}", program.sources.place(span), undefined.message));
    }
    output::note(describe(program, outcome));
}

/// How the run ended and where.
pub(crate) fn describe(program: &Program, outcome: &Outcome) -> String {
    match &outcome.ending {
        Ending::Error(violation) => {
            let message = format!("{}: {}", violation.property.name(), violation.message);
            format!("{}: error: {message}{}", place(program, outcome), source_line(program, outcome))
        }
        Ending::Unsupported(what) => {
            format!("{}: unknown: not modelled: {what}{}", place(program, outcome), source_line(program, outcome))
        }
        Ending::BoundHit(what) => format!("{}: unknown: bound hit: {what}", place(program, outcome)),
        Ending::End(EndKind::Return | EndKind::Exit) => match outcome.exit_code.as_ref() {
            Some(code) => format!("the program ended with exit code {}", low_byte(code)),
            None => "the program ended".to_owned(),
        },
        Ending::End(EndKind::Abort) => format!("{}: the program was aborted", place(program, outcome)),
        Ending::End(EndKind::Blocked) => format!("{}: an assumption does not hold", place(program, outcome)),
        Ending::Stuck => format!("{}: unknown: no way on from here", place(program, outcome)),
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
        Limit::Watcher => "stopped",
    }
}

/// A process's exit status has eight bits.
fn low_byte(code: &term::Value) -> u8 {
    match code {
        term::Value::Bv(bits) => bits.extract(7, 0).to_u64().unwrap_or(0) as u8,
        _ => 0,
    }
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
