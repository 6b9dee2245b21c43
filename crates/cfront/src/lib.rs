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

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::PathBuf;

use base::{Diagnostic, Sources};

use crate::hir::Unit;
use crate::inject::Injections;
use crate::parse::Parser;
use crate::types::DataModel;

/// What is checked, so that constant expressions that violate it are not folded. (Signed overflow inside of functions never is.)
#[derive(Clone, Copy, Debug, Default)]
pub struct Kept {
    /// Signed overflow, in static initialisers.
    pub overflow: bool,
    /// Unsigned arithmetic that wraps around.
    pub wraparound: bool,
    /// Shifts by a negative number or by the width of the type or more, in static initialisers.
    pub shift: bool,
    /// Conversions to another number.
    pub conversion: bool,
    /// Arithmetic on floats.
    pub float: bool,
    /// Addresses outside of their objects, in static initialisers.
    pub pointer: bool,
}

/// What to know besides the files.
#[derive(Clone, Debug)]
pub struct Options {
    pub model: DataModel,
    /// `-I`, in order.
    pub include_dirs: Vec<PathBuf>,
    /// `-D`: `NAME` or `NAME=VALUE`, for files (not for texts).
    pub defines: Vec<String>,
    /// `-U`: names that are not defined, even where they are predefined.
    pub undefines: Vec<String>,
    /// `-include`: read before each file, as if it began by including them.
    pub forced: Vec<PathBuf>,
    /// Files that are read in their own way.
    pub own: BTreeMap<PathBuf, Reading>,
    pub linking: Linking,
    /// Annotations in comments (ACSL) are read.
    pub acsl: bool,
    /// Not the program's own: what a witness says about it.
    pub injections: Injections,
    pub kept: Kept,
}

impl Options {
    pub fn new(model: DataModel) -> Options {
        Options {
            model,
            include_dirs: Vec::new(),
            defines: Vec::new(),
            undefines: Vec::new(),
            forced: Vec::new(),
            own: BTreeMap::new(),
            linking: Linking::default(),
            acsl: false,
            injections: Injections::default(),
            kept: Kept::default(),
        }
    }

    /// The options for one of the files.
    pub(crate) fn for_input(&self, input: &Input) -> Cow<'_, Options> {
        let own = match input {
            Input::Path(path) | Input::Changed { path, .. } => self.own.get(path),
            Input::Text { .. } => None,
        };
        let Some(own) = own else { return Cow::Borrowed(self) };
        let both = |ours: &[PathBuf], all: &[PathBuf]| ours.iter().chain(all).cloned().collect();
        Cow::Owned(Options {
            include_dirs: both(&own.include_dirs, &self.include_dirs),
            defines: own.defines.iter().chain(&self.defines).cloned().collect(),
            undefines: own.undefines.iter().chain(&self.undefines).cloned().collect(),
            forced: both(&own.forced, &self.forced),
            ..self.clone()
        })
    }
}

/// A definition that says that the text is C90.
pub const C90: &str = "__FOLDBACK_C90__=1";

impl Options {
    /// How one of the files is linked: texts of our own and stubs keep what they define.
    pub(crate) fn linking_of(&self, input: &Input) -> Option<&Linking> {
        match input {
            Input::Path(path) | Input::Changed { path, .. } if !self.linking.stubs.contains(path) => {
                Some(&self.linking)
            }
            _ => None,
        }
    }
}

/// How one file is read, in front of what holds for all of them.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Reading {
    pub include_dirs: Vec<PathBuf>,
    pub defines: Vec<String>,
    pub undefines: Vec<String>,
    pub forced: Vec<PathBuf>,
}

/// How files are linked, where the user knows better: a harness puts other functions in the place of the program's.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Linking {
    /// Functions that lose their body, in all files but the stubs.
    pub remove_bodies: Vec<String>,
    /// Where not empty: functions that keep it.
    pub only_bodies: Vec<String>,
    /// Files (among the inputs) whose functions keep their bodies in any case.
    pub stubs: Vec<PathBuf>,
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
    parser.kept = options.kept;
    if inputs.is_empty() {
        parser.errors.push(Diagnostic::global("no input file").with_help("give a .c or .i file"));
    }
    if let Err(diagnostics) = parser.prepare_injections(&options.injections, &mut sources) {
        parser.errors.extend(diagnostics);
    }
    let mut predefined = None;
    // An empty file is a file, but no program.
    let mut nothing = None;
    let mut is_program = false;
    for input in inputs {
        let own = options.for_input(input);
        let is_stub = match input {
            Input::Path(path) | Input::Changed { path, .. } => options.linking.stubs.contains(path),
            Input::Text { .. } => false,
        };
        match input::tokens(input, &own, &mut predefined, &mut parser.names, &mut sources) {
            Ok(stream) if stream.tokens.len() <= 1 => nothing = nothing.or(Some(input::nothing_in(input))),
            Ok(stream) => {
                is_program = true;
                parser.linking = options.linking_of(input).cloned().unwrap_or_default();
                parser.is_stub = is_stub;
                parser.file(stream, &sources);
            }
            Err(diagnostics) => parser.errors.extend(diagnostics),
        }
    }
    if !is_program {
        parser.errors.extend(nothing);
    }
    parser.check_removed(&options.linking);
    parser.finish(sources).map_err(|(diagnostics, sources)| Failure { diagnostics, sources })
}

/// [`load`] for one text, named `input.c`.
pub fn load_text(text: &str, options: &Options) -> Result<Unit, Failure> {
    load(&[Input::Text { name: "input.c".to_owned(), text: text.to_owned() }], options)
}
