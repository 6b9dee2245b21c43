//! Source files as the user wrote them, and places in them.
//!
//! A [`Span`] always speaks of the user's file: line markers of the preprocessor are followed before spans are made.

use crate::table::Table;
use std::borrow::Cow;

crate::id!(
    /// A source file (after following line markers: the file the user wrote).
    FileId,
    "F"
);

/// The name of a file as it is shown: a file may be called so that its name ends the line and begins another one, that of an
/// answer say.
pub fn one_line(name: &str) -> Cow<'_, str> {
    match name.contains(['\n', '\r']) {
        true => name.replace('\n', "\\n").replace('\r', "\\r").into(),
        false => name.into(),
    }
}

/// A stretch of source text; lines and columns count from 1. `line == 0` means "nowhere" (generated code).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Span {
    pub file: FileId,
    pub line: u32,
    pub col: u32,
    pub end_line: u32,
    pub end_col: u32,
}

impl Span {
    /// The span of generated code that no line of the user's stands for.
    pub fn nowhere() -> Span {
        Span { file: crate::table::Id::new(0), line: 0, col: 0, end_line: 0, end_col: 0 }
    }

    pub fn is_nowhere(&self) -> bool {
        self.line == 0
    }

    /// From the start of `self` to the end of `other` (where both are in one file).
    pub fn to(self, other: Span) -> Span {
        if self.is_nowhere() {
            return other;
        }
        if other.is_nowhere()
            || other.file != self.file
            || (other.end_line, other.end_col) < (self.end_line, self.end_col)
        {
            return self;
        }
        Span { end_line: other.end_line, end_col: other.end_col, ..self }
    }
}

/// One file: its name as the user (or a line marker) spelled it, and its text where we could read it.
#[derive(Clone, Debug)]
pub struct SourceFile {
    pub name: String,
    pub lines: Vec<String>,
}

/// All files of a program.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Table<FileId, SourceFile>,
}

impl Sources {
    pub fn new() -> Self {
        Sources::default()
    }

    /// The id of the file called `name`, adding it (with the text that `read` gives) when it is new.
    pub fn intern(&mut self, name: &str, read: impl FnOnce() -> Option<String>) -> FileId {
        if let Some((id, _)) = self.files.iter().find(|(_, f)| f.name == name) {
            return id;
        }
        let lines = read().map(|t| t.lines().map(str::to_owned).collect()).unwrap_or_default();
        self.files.push(SourceFile { name: name.to_owned(), lines })
    }

    pub fn file(&self, id: FileId) -> Option<&SourceFile> {
        self.files.get(id)
    }

    pub fn files(&self) -> &Table<FileId, SourceFile> {
        &self.files
    }

    /// The source line at the start of `span`, without its newline.
    pub fn line(&self, span: Span) -> Option<&str> {
        let file = self.files.get(span.file)?;
        file.lines.get((span.line as usize).checked_sub(1)?).map(String::as_str)
    }

    /// The text of a span that lies in one line.
    pub fn text(&self, span: Span) -> Option<String> {
        if span.line != span.end_line || span.end_col <= span.col {
            return None;
        }
        let line = self.line(span)?.chars().skip(span.col as usize - 1);
        Some(line.take((span.end_col - span.col) as usize).collect())
    }

    /// `file:line:column`, or `<generated>`.
    pub fn place(&self, span: Span) -> String {
        match self.files.get(span.file) {
            Some(f) if !span.is_nowhere() => format!("{}:{}:{}", one_line(&f.name), span.line, span.col),
            _ => "<generated>".to_owned(),
        }
    }
}
