//! The preprocessor: C11 6.10 with GNU's extensions, files to the tokens of the parser.
//!
//! Nothing but the user's files and our bundled headers is ever seen, so that a program means the same on any machine. All
//! files are loaded into one text; a token is a stretch of it and the place where the user wrote it. Tokens out of a macro
//! have the place of the macro's use, those of its arguments their own.
//!
//! `scan` makes preprocessing tokens, `directive` obeys directives (`condition` evaluates `#if`, `include` finds headers,
//! `define` reads macros), `expand` replaces macros, exactly as gcc's cpplib does: differential tests compare the two.
//! A preprocessed file (`.i`) goes the same way, but only line markers and pragmas mean anything in it.

mod annotation;
mod builtin;
mod condition;
mod define;
mod directive;
mod expand;
mod headers;
mod include;
mod places;
mod pragma;
mod scan;

#[cfg(test)]
mod differential;

use std::path::{Path, PathBuf};
use std::rc::Rc;

use base::{Diagnostic, Sources, Span};
use rustc_hash::FxHashMap;

use crate::Options;
use crate::input::Project;
use crate::token::{Name, Names, P, Tok, Token, TokenStream, decode};
use crate::types::DataModel;

use annotation::Annotations;
use builtin::Known;
use define::Macro;
use expand::Context;
use include::{Include, Loaded, Origin, Role};
use places::{Places, Stretch};
use pragma::{Packing, Unchecked};
use scan::{At, Kind, Mode, PpToken, Scanner, Unterminated};

/// What all files of a program together may grow to by inclusion.
const MAX_TEXT_BYTES: usize = 512 << 20;
/// The most tokens that macros may make of a file: one that doubles itself needs few lines to fill any memory.
const MAX_EXPANDED: usize = 1 << 24;

type Res<T> = Result<T, Vec<Diagnostic>>;

/// What a text is written in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Language {
    C,
    /// The output of a preprocessor.
    Preprocessed,
}

/// One file or text to read.
pub(crate) struct Source<'a> {
    pub(crate) name: &'a str,
    /// Where it lies, if in a file.
    pub(crate) path: Option<&'a Path>,
    pub(crate) text: Vec<u8>,
    pub(crate) language: Language,
}

/// The state after `predefined.h`, where every C file starts. It holds for one data model and one table of names.
#[derive(Clone, Default)]
pub(crate) struct Predefined {
    text: Vec<u8>,
    macros: Vec<Option<Rc<Macro>>>,
    loaded: Vec<Loaded>,
    places: Places,
}

impl Predefined {
    pub(crate) fn new(options: &Options, names: &mut Names) -> Res<Predefined> {
        let mut preprocessor = Preprocessor::new(Predefined::default(), Language::C, options, names);
        preprocessor.define_builtins();
        let model = match options.model {
            DataModel::Ilp32 => "ILP32",
            DataModel::Lp64 => "LP64",
        };
        let standard = format!("{}#define __FOLDBACK_{model}__ 1\n", builtin::STANDARD);
        let text = headers::bundled(headers::PREDEFINED).unwrap_or_default();
        for (name, text) in [("<built-in>", standard.as_str()), ("<predefined.h>", text)] {
            let loaded = preprocessor.load(name, text.as_bytes().to_vec())?;
            preprocessor.enter_file(loaded, Role::main(name, None), None);
            preprocessor.run()?;
        }
        let Preprocessor { text, macros, loaded, places, .. } = preprocessor;
        Ok(Predefined { text, macros, loaded, places })
    }
}

/// The tokens of a source.
pub(crate) fn tokens(
    source: Source<'_>,
    predefined: &Predefined,
    options: &Options,
    names: &mut Names,
    sources: &mut Sources,
) -> Result<TokenStream, Vec<Diagnostic>> {
    let start = match source.language {
        Language::C => predefined.clone(),
        Language::Preprocessed => Predefined::default(),
    };
    let mut preprocessor = Preprocessor::new(start, source.language, options, names);
    let main = preprocessor.places.file(source.name);
    let outcome = preprocessor.whole(source);
    // After a mistake inside an expansion: the predefined macros are shared with the next file.
    preprocessor.leave_expansions();
    preprocessor.leave_open_files();
    let has_moments = preprocessor.has_moments;
    let Preprocessor { text, tokens: mut out, packing, weak, unchecked, annotations, loaded, places, notes, .. } =
        preprocessor;
    let mut diagnostics = outcome.err().unwrap_or_default();
    let mistakes = diagnostics.len();
    diagnostics.extend(notes);
    let text_of = |index: usize| loaded[index].original(&text);
    let program = out.len();
    out.extend(annotations.tokens());
    places.settle(main, &mut out, &mut diagnostics, sources, text_of);
    let annotations = annotations.settled(out.split_off(program));
    let notes = diagnostics.split_off(mistakes);
    let lines = |&(first, end): &(usize, usize)| {
        let inside = out.get(first..end.min(out.len()))?;
        let (first, last) = (inside.first()?.span, inside.last()?.span);
        (first.file == last.file).then_some(Span { end_line: last.end_line, end_col: last.end_col, ..first })
    };
    let unchecked = unchecked.ranges.iter().filter_map(lines).collect();
    match diagnostics.is_empty() {
        true => {
            let packs = packing.limits;
            Ok(TokenStream {
                text,
                tokens: out,
                packs,
                weak,
                unchecked,
                notes,
                has_moments,
                annotations,
                is_c90: false,
            })
        }
        false => Err(diagnostics),
    }
}

/// The tokens of a text without directives and macros.
pub(crate) fn plain_tokens(
    name: &str,
    text: &str,
    names: &mut Names,
    sources: &mut Sources,
) -> Result<TokenStream, Vec<Diagnostic>> {
    let source = Source { name, path: None, text: text.as_bytes().to_vec(), language: Language::Preprocessed };
    // Nothing in such a text depends on the data model.
    tokens(source, &Predefined::default(), &Options::new(DataModel::Lp64), names, sources)
}

struct Preprocessor<'a> {
    language: Language,
    options: &'a Options,
    names: &'a mut Names,
    known: Known,
    /// All files, and behind them what was made of their tokens by `#` and `##`.
    text: Vec<u8>,
    loaded: Vec<Loaded>,
    by_path: FxHashMap<Origin, usize>,
    places: Places,
    /// The files being read, the innermost last.
    files: Vec<Include>,
    /// Bytes of the files read so far, a file read twice counted twice.
    scanned: usize,
    /// What may be read.
    project: Project,
    /// Worth saying, without being a mistake.
    notes: Vec<Diagnostic>,
    /// Whether a macro was replaced that says when the file is compiled.
    has_moments: bool,
    /// By the number of the name's spelling.
    macros: Vec<Option<Rc<Macro>>>,
    /// What `#pragma push_macro` keeps.
    pushed: FxHashMap<Name, Vec<Option<Rc<Macro>>>>,
    /// Expansions being read, the innermost last; below them is the file.
    contexts: Vec<Context>,
    /// The token of the file that was looked at and given back.
    ahead: Option<PpToken>,
    in_directive: bool,
    angled: bool,
    /// Names are only looked at.
    no_expansion: bool,
    collecting: Collecting,
    /// How many arguments inside arguments are being expanded, and tokens made by expansion so far.
    depth: usize,
    expansions: usize,
    counter: u32,
    tokens: Vec<Token>,
    packing: Packing,
    weak: Vec<(String, Option<String>)>,
    unchecked: Unchecked,
    annotations: Annotations,
}

/// Are we looking for the `(` of a macro call, or for its arguments?
#[derive(Clone, Copy, PartialEq, Eq)]
enum Collecting {
    Nothing,
    Bracket,
    Arguments,
}

impl<'a> Preprocessor<'a> {
    fn new(start: Predefined, language: Language, options: &'a Options, names: &'a mut Names) -> Preprocessor<'a> {
        let known = Known::new(names);
        let Predefined { text, macros, loaded, places } = start;
        Preprocessor {
            language,
            options,
            names,
            known,
            text,
            loaded,
            by_path: FxHashMap::default(),
            places,
            files: Vec::new(),
            scanned: 0,
            project: Project::default(),
            notes: Vec::new(),
            has_moments: false,
            macros,
            pushed: FxHashMap::default(),
            contexts: Vec::new(),
            ahead: None,
            in_directive: false,
            angled: false,
            no_expansion: false,
            collecting: Collecting::Nothing,
            depth: 0,
            expansions: 0,
            counter: 0,
            tokens: Vec::new(),
            packing: Packing::default(),
            weak: Vec::new(),
            unchecked: Unchecked::default(),
            annotations: Annotations::default(),
        }
    }

    fn whole(&mut self, source: Source<'_>) -> Res<()> {
        let file: Vec<PathBuf> = source.path.map(Path::to_owned).into_iter().collect();
        self.project = Project::of(&file);
        if source.language == Language::C && source.path.is_some() {
            self.command_line()?;
        }
        self.tokens.reserve(source.text.len() / 5);
        let loaded = self.load(source.name, source.text)?;
        self.enter_file(loaded, Role::main(source.name, source.path), None);
        self.run()
    }

    /// `-D`, `-U`, `-include`.
    fn command_line(&mut self) -> Res<()> {
        let line = |define: &String| match define.split_once('=') {
            Some((name, value)) => format!("#define {name} {value}\n"),
            None => format!("#define {define} 1\n"),
        };
        let mut text: String = self.options.defines.iter().map(line).collect();
        text.extend(self.options.undefines.iter().map(|name| format!("#undef {name}\n")));
        text.extend(self.options.forced.iter().map(|file| format!("#include \"{}\"\n", file.display())));
        if text.is_empty() {
            return Ok(());
        }
        let loaded = self.load("<command-line>", text.into_bytes())?;
        self.enter_file(loaded, Role::main("<command-line>", None), None);
        self.run()?;
        // Its end is not the file's.
        self.tokens.pop();
        Ok(())
    }

    /// Reads the file that was entered to its end.
    fn run(&mut self) -> Res<()> {
        loop {
            let token = self.next()?;
            self.read_annotations()?;
            match token.kind {
                Kind::Padding(_) => {}
                Kind::Tok(Tok::Name(name)) => self.output(token, Tok::Name(self.names.meaning(name))),
                Kind::Tok(tok) => {
                    self.output(token, tok);
                    if tok == Tok::Eof {
                        return Ok(());
                    }
                }
                Kind::Pragma => self.pragma_text(token)?,
                Kind::Hash | Kind::Paste | Kind::Other | Kind::Param(_) | Kind::Header => return self.stray(token),
            }
        }
    }

    fn output(&mut self, token: PpToken, tok: Tok) {
        self.tokens.push(Token { tok, start: token.start, len: token.len, span: token.at.span() });
    }

    /// What cannot stand in a program.
    fn stray<T>(&self, token: PpToken) -> Res<T> {
        let bytes = &self.text[token.range()];
        let (first, quote) = (bytes.first().copied().unwrap_or(0), bytes.iter().find(|b| matches!(b, b'"' | b'\'')));
        if let (Kind::Other, Some(quote)) = (token.kind, quote) {
            let what = if *quote == b'"' { "string literal" } else { "character constant" };
            let help = format!("close it with {} on the same line", char::from(*quote));
            let at = At { width: 1, ..token.at };
            return self.fail(at, format!("unterminated {what}"), help);
        }
        let shown = match first {
            0 => "a NUL byte".to_owned(),
            0x20..0x7f => format!("'{}'", decode(bytes)),
            _ => format!("byte 0x{first:02x}"),
        };
        let help = if first == b'#' { "directives must start their line" } else { "is this a C source file?" };
        self.fail(token.at, format!("unexpected {shown} in program text"), help)
    }

    /// The next token of the innermost file.
    fn scan(&mut self) -> Res<PpToken> {
        let mode = Mode { in_directive: self.in_directive, angled: self.angled };
        let Some(file) = self.files.last_mut() else { return Ok(end_of_everything()) };
        match file.scanner.token(&self.text, self.names, mode) {
            Ok(mut token) => {
                // What is in directives, and in groups that are skipped, is not read.
                let found = std::mem::take(&mut file.scanner.annotations);
                match self.in_directive {
                    true => self.annotations.pass_in_directive(found),
                    false => self.annotations.pass(found, self.collecting != Collecting::Nothing),
                }
                if self.collecting == Collecting::Arguments && token.has(scan::flag::FIRST) {
                    token.flags |= scan::flag::SPACE;
                }
                Ok(token)
            }
            Err(comment) => self.unterminated(&comment),
        }
    }

    fn unterminated<T>(&self, comment: &Unterminated) -> Res<T> {
        self.fail(comment.0, "unterminated comment", "close it with */")
    }

    /// The next token of the files, directives obeyed.
    fn file_token(&mut self) -> Res<PpToken> {
        loop {
            let token = match self.ahead.take() {
                Some(token) => token,
                None => self.scan()?,
            };
            if self.in_directive {
                return Ok(token);
            }
            let starts_directive = token.kind == Kind::Hash && token.has(scan::flag::FIRST);
            if starts_directive && self.collecting != Collecting::Bracket {
                self.directive()?;
                continue;
            }
            if token.is_end() && self.collecting == Collecting::Nothing {
                // The last file stays: it answers with its end as often as it is asked.
                if self.leave_file()? {
                    continue;
                }
                return Ok(token);
            }
            if let Some(file) = self.files.last_mut() {
                file.guard.saw_token();
            }
            return Ok(token);
        }
    }

    /// Adds a text of our own making, and gives the token that it spells.
    fn made(&mut self, kind: Kind, text: &[u8], like: PpToken) -> Res<PpToken> {
        if self.text.len() + text.len() > MAX_TEXT_BYTES {
            return self.too_large(like.at);
        }
        let start = self.text.len() as u32;
        self.text.extend_from_slice(text);
        Ok(PpToken { kind, start, len: text.len() as u32, ..like })
    }

    fn too_large<T>(&self, at: At) -> Res<T> {
        let limit = MAX_TEXT_BYTES >> 20;
        self.fail(at, format!("preprocessing gives more than {limit} MB of text"), "does a file include itself?")
    }

    fn spelled(&self, token: &PpToken) -> &[u8] {
        &self.text[token.range()]
    }

    fn shown(&self, token: &PpToken) -> String {
        if token.is_end() { "the end of the line".to_owned() } else { format!("'{}'", decode(self.spelled(token))) }
    }

    /// A message, and by which chain of inclusions we came there.
    fn fail<T>(&self, at: At, message: impl Into<String>, help: impl Into<String>) -> Res<T> {
        Err(self.chained(Diagnostic::error(at.span(), message).with_help(help)))
    }

    fn chained(&self, diagnostic: Diagnostic) -> Vec<Diagnostic> {
        let from = self.files.iter().rev().filter_map(|file| file.from);
        let notes = from.map(|at| Diagnostic::note(Some(at.span()), "included from here"));
        std::iter::once(diagnostic).chain(notes).collect()
    }

    fn macro_named(&self, name: Name) -> Option<&Rc<Macro>> {
        self.macros.get(name.0 as usize)?.as_ref()
    }

    fn is_macro(&mut self, name: &[u8]) -> bool {
        let name = self.names.intern(name);
        self.macro_named(name).is_some()
    }

    fn set_macro(&mut self, name: Name, value: Option<Rc<Macro>>) {
        let index = name.0 as usize;
        if self.macros.len() <= index {
            self.macros.resize(index + 1, None);
        }
        self.macros[index] = value;
    }
}

fn end_of_everything() -> PpToken {
    let at = At { file: 0, line: 0, col: 0, width: 0 };
    PpToken { kind: Kind::Tok(Tok::Eof), flags: 0, start: 0, len: 0, at, line: 0 }
}
