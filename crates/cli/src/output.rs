//! Standard output and exit codes. That nobody reads (`foldback cfa x.c | head`) changes nothing: the exit code is the
//! answer's.

use base::files;
use report::colour::{harmless, paint};
use std::io::{ErrorKind, IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How a command ended, as exit codes say it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Exit {
    /// The property holds; or the command did what it should.
    Fine,
    /// The property is violated.
    Violated,
    /// Bad usage or input.
    BadInput,
    Unknown,
    /// As the program that was run.
    Program(u8),
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.code())
    }
}

impl Exit {
    pub(crate) fn code(self) -> u8 {
        match self {
            Exit::Fine => 0,
            Exit::Violated => 1,
            Exit::BadInput => 2,
            Exit::Unknown => 3,
            Exit::Program(code) => code,
        }
    }
}

/// Why a command could not do its work. Ends with exit code 2.
pub(crate) use verifier::BadInput;

/// The right to say how a verification ended belongs to whoever asks first; all others wait here for the end.
pub(crate) fn claim_end() {
    static TAKEN: AtomicBool = AtomicBool::new(false);
    if TAKEN.swap(true, Ordering::SeqCst) {
        loop {
            std::thread::park();
        }
    }
}

/// For whoever is told to end the process by a signal: it ends also where the end of the run is stuck, at a reader of the output
/// who does not read, say.
pub(crate) fn leave_soon() {
    std::thread::spawn(|| {
        std::thread::sleep(LAST_WORDS);
        sandbox::clean_up();
        std::process::exit(i32::from(Exit::Unknown.code()));
    });
}

/// So long results may be written after a signal.
const LAST_WORDS: Duration = Duration::from_secs(10);

pub(crate) fn line(text: impl AsRef<str>) {
    bytes(format!("{}\n", harmless(text.as_ref())).as_bytes());
}

/// Whether what goes to `stream` is coloured: a terminal shows it, and nobody says no (`NO_COLOR`).
fn is_coloured(stream: &impl IsTerminal) -> bool {
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    stream.is_terminal() && !is_set("NO_COLOR") && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

/// A text for people: coloured where that is wanted.
pub(crate) fn text(text: &str) {
    let text = &harmless(text);
    if is_coloured(&std::io::stdout()) {
        bytes(paint(text).as_bytes());
    } else {
        bytes(text.as_bytes());
    }
}

pub(crate) fn bytes(bytes: &[u8]) {
    let mut out = std::io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            note(format!("error: cannot write to standard output: {error}"));
            std::process::exit(i32::from(Exit::BadInput.code()));
        }
        _ => {}
    }
}

/// Messages beside the result.
pub(crate) fn note(text: impl AsRef<str>) {
    let text = harmless(text.as_ref());
    let text = if is_coloured(&std::io::stderr()) { paint(&text) } else { text.into_owned() };
    // Nobody is left to tell when standard error is closed.
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

/// Writes a file that was asked for beside the answer, which stands without it.
pub(crate) fn keep(file: &Path, text: &str) {
    if let Err(error) = files::write(file, text.as_bytes()) {
        note(format!("cannot write {}: {error}", file.display()));
    }
}

/// What files that are written say of where they are from: witnesses, harnesses.
pub(crate) const MARKS: [&str; 2] =
    ["  producer:\n      name: \"foldback\"", "/* Reproduces a violation that foldback found."];

/// Says that a file which was asked for is not written. An older one of ours goes: it would be taken for this answer's.
pub(crate) fn keep_none(file: &Path, why: &str) {
    note(format!("{} is not written: {why}", file.display()));
    if files::is_marked(file, &MARKS)
        && let Err(error) = std::fs::remove_file(file)
    {
        note(format!("cannot remove {}, which is older: {error}", file.display()));
    }
}
