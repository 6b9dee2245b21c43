//! Standard output and exit codes. Writing to a closed pipe (`foldback cfa x.c | head`) ends the program quietly.

use std::io::Write;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

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
        }
    }
}

/// Why a command could not do its work: the user's input or the machine. Ends with exit code 2.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct BadInput(pub(crate) String);

impl From<String> for BadInput {
    fn from(message: String) -> BadInput {
        BadInput(message)
    }
}

/// The right to say how a verification ended belongs to whoever asks first; all others wait here for the end.
pub(crate) fn last_word() {
    static TAKEN: AtomicBool = AtomicBool::new(false);
    if TAKEN.swap(true, Ordering::SeqCst) {
        loop {
            std::thread::park();
        }
    }
}

pub(crate) fn line(text: impl AsRef<str>) {
    bytes(format!("{}\n", text.as_ref()).as_bytes());
}

pub(crate) fn bytes(bytes: &[u8]) {
    let mut out = std::io::stdout().lock();
    if out.write_all(bytes).and_then(|()| out.flush()).is_err() {
        std::process::exit(i32::from(Exit::Fine.code()));
    }
}

/// Messages beside the result.
pub(crate) fn note(text: impl AsRef<str>) {
    // Nobody is left to tell when standard error is closed.
    let _ = writeln!(std::io::stderr().lock(), "{}", text.as_ref());
}

/// Writes a file that was asked for beside the answer, which stands without it.
pub(crate) fn keep(file: &std::path::Path, text: &str) {
    if let Err(error) = std::fs::write(file, text) {
        note(format!("cannot write {}: {error}", file.display()));
    }
}
