//! The C front end: preprocessed or plain C in, one typed tree ([`hir::Unit`]) out, with every conversion explicit.
//!
//! The way of a file: [`input`] reads it, `preprocess` makes tokens whose spans speak of the user's file (with bundled
//! headers where it asks for them), `parse` parses and type-checks in one pass and links several files into one program.

mod compat;
mod float;
pub mod hir;
pub mod inject;
pub mod input;
mod layout;
mod literal;
mod parse;
mod preprocess;
mod show;
mod token;
pub mod types;
pub mod verify;
pub mod walk;
pub mod written;

use std::path::PathBuf;

use base::{Diagnostic, Sources};

use crate::hir::Unit;
use crate::inject::Injections;
use crate::parse::Parser;
use crate::types::DataModel;

/// What to know besides the files.
#[derive(Clone, Debug)]
pub struct Options {
    pub model: DataModel,
    /// `-I`, in order.
    pub include_dirs: Vec<PathBuf>,
    /// `-D`: `NAME` or `NAME=VALUE`, for files (not for texts).
    pub defines: Vec<String>,
    /// Not the program's own: what a witness says about it.
    pub injections: Injections,
}

impl Options {
    pub fn new(model: DataModel) -> Options {
        Options { model, include_dirs: Vec::new(), defines: Vec::new(), injections: Injections::default() }
    }
}

/// One file of the program.
#[derive(Clone, Debug)]
pub enum Input {
    /// `.i` is taken as preprocessed, everything else is preprocessed.
    Path(PathBuf),
    /// The same, with another text than the file's.
    Changed { path: PathBuf, text: String },
    /// Text of our own (library models, tests).
    Text { name: String, text: String },
}

/// Why there is no program: at least one diagnostic, and the sources they speak of.
#[derive(Debug)]
pub struct Failure {
    pub diagnostics: Vec<Diagnostic>,
    pub sources: Sources,
}

impl Failure {
    /// All messages as the terminal shows them.
    pub fn render(&self) -> String {
        let shown: Vec<String> = self.diagnostics.iter().map(|d| d.render(&self.sources)).collect();
        shown.join("\n")
    }
}

/// Stack for parsing: nesting is limited, but the limit is generous.
const STACK_BYTES: usize = 256 << 20;

/// Runs `f` on a thread with a stack that fits the deepest tree the parser builds. Walk [`Unit`]s inside it.
pub fn with_big_stack<T: Send>(f: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, f);
        match thread.map(|handle| handle.join()) {
            Ok(Ok(value)) => value,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            Err(e) => panic!("cannot start a thread: {e}"),
        }
    })
}

/// Reads, checks and links the files of a program.
pub fn load(inputs: &[Input], options: &Options) -> Result<Unit, Failure> {
    load_with(inputs, options, |_| Vec::new())
}

/// [`load`], with the files that the program, once read, turns out to need besides.
pub fn load_with(
    inputs: &[Input],
    options: &Options,
    needed: impl FnOnce(&Unit) -> Vec<Input> + Send,
) -> Result<Unit, Failure> {
    with_big_stack(|| {
        let unit = load_here(inputs, options)?;
        let more = needed(&unit);
        if more.is_empty() {
            return Ok(unit);
        }
        let all: Vec<Input> = inputs.iter().cloned().chain(more).collect();
        load_here(&all, options)
    })
}

fn load_here(inputs: &[Input], options: &Options) -> Result<Unit, Failure> {
    let mut sources = Sources::new();
    let mut parser = Parser::new(options.model);
    if inputs.is_empty() {
        parser.errors.push(Diagnostic::global("no input file").with_help("give a .c or .i file"));
    }
    if let Err(diagnostics) = parser.prepare_injections(&options.injections, &mut sources) {
        parser.errors.extend(diagnostics);
    }
    let mut predefined = None;
    for input in inputs {
        match input::tokens(input, options, &mut predefined, &mut parser.names, &mut sources) {
            Ok(stream) => parser.file(stream, &sources),
            Err(diagnostics) => parser.errors.extend(diagnostics),
        }
    }
    parser.finish(sources).map_err(|(diagnostics, sources)| Failure { diagnostics, sources })
}

/// [`load`] for one text, named `input.c`.
pub fn load_text(text: &str, options: &Options) -> Result<Unit, Failure> {
    load(&[Input::Text { name: "input.c".to_owned(), text: text.to_owned() }], options)
}
