//! `foldback run`: executes a program. Its output goes to standard output and standard error, everything about the run to
//! standard error after it. The exit code tells how the program ended: its own where it ended by itself, as a shell would
//! have it for an abort or a null pointer, and like `timeout` where the run did not get to an end.

use crate::flags::RunFlags;
use crate::output::{self, BadInput, Exit};
use crate::settings;
use cfa::{EndKind, Stream};
use execute::{JsonInputs, Source, ending};
use interpreter::{Ending, Limit, Limits, Output};
use report::execution::input;
use report::text::render_input;
use std::io::{BufWriter, Write};

pub(crate) fn run(flags: &RunFlags) -> Result<Exit, BadInput> {
    let source = match (&flags.inputs, flags.seed) {
        (Some(path), _) => Source::Json(JsonInputs::read(path)?),
        (None, Some(seed)) => Source::Random(seed),
        (None, None) => Source::Zero,
    };
    let subject = settings::subject(&flags.program)?;
    let steps = flags.max_steps.unwrap_or(u64::MAX);
    let limits = Limits { steps, record: flags.show_inputs, faults: true, ..Limits::default() };
    let mut out = Streams { out: BufWriter::new(std::io::stdout().lock()) };
    let ran = execute::run(&subject, source, &limits, &mut out)?;
    // A reader that went away is no concern of the program's.
    let _ = out.out.flush();
    drop(out);
    let ran = match ran {
        Ok(ran) => ran,
        Err(unsupported) => {
            output::note(format!("unknown: the program cannot be executed: {unsupported}"));
            return Ok(Exit::Program(NO_ANSWER));
        }
    };
    if !ran.called.is_empty() {
        let names: Vec<&str> = ran.called.iter().map(String::as_str).collect();
        output::note(format!("note: computed by this machine's C library: {}", names.join(", ")));
    }
    ran.outcome.inputs.iter().filter_map(|r| input(&ran.program, r)).for_each(|i| output::note(render_input(&i)));
    ending::warnings(&ran.program, &ran.outcome).iter().for_each(output::note);
    output::note(ending::describe(&ran.program, &ran.outcome));
    Ok(Exit::Program(match ran.outcome.ending {
        Ending::End(EndKind::Return | EndKind::Exit) => ending::status(&ran.outcome).unwrap_or(0),
        Ending::End(EndKind::Abort) | Ending::Error(_) => ABORTED,
        Ending::Limit(Limit::Fault) => FAULTED,
        Ending::Limit(_) => STOPPED,
        _ => NO_ANSWER,
    }))
}

/// 128 and the number of the signal, as shells say it.
const ABORTED: u8 = 134;
const FAULTED: u8 = 139;
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
