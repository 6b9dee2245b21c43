//! The user's files, and places in them.
//!
//! Spans follow line markers, so in a preprocessed file they name another file's lines. A witness must name the lines of
//! the file that was given: the markers are read once more, the other way round.

use base::{Sources, Span};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// A file of the program, as it was named on the command line.
#[derive(Clone, Debug)]
pub struct InputFile {
    pub name: String,
    pub hash: String,
    lines: Vec<String>,
    /// As it is, unless it is no UTF-8.
    text: Option<String>,
    /// Where the lines that markers name stand.
    marked: BTreeMap<(String, u32), u32>,
}

/// A place in one of the user's files.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Place {
    pub(crate) file: String,
    pub(crate) line: u32,
    pub(crate) column: u32,
}

impl InputFile {
    pub fn new(name: impl Into<String>, contents: &[u8]) -> InputFile {
        let name = name.into();
        let lines: Vec<String> = String::from_utf8_lossy(contents).lines().map(str::to_owned).collect();
        let mut marked = BTreeMap::new();
        let mut at = (name.clone(), 1);
        for (text, line) in lines.iter().zip(1..) {
            if let Some(next) = marker(text) {
                at = (next.1.unwrap_or(at.0), next.0);
                continue;
            }
            // The first text of a line stands.
            marked.entry(at.clone()).or_insert(line);
            at.1 = at.1.saturating_add(1);
        }
        let text = String::from_utf8(contents.to_vec()).ok();
        InputFile { name, hash: hex(&Sha256::digest(contents)), lines, text, marked }
    }

    /// Whether the text has the word.
    pub fn mentions(&self, word: &str) -> bool {
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        self.lines.iter().any(|line| line.split(|c| !is_part(c)).any(|part| part == word))
    }

    /// The place of a line by its markers.
    pub(crate) fn marked_at(&self, line: u32) -> Option<(String, u32)> {
        self.marked.iter().find(|(_, at)| **at == line).map(|(marked, _)| marked.clone())
    }

    /// The files that the markers name.
    pub(crate) fn marked_names(&self) -> impl Iterator<Item = String> {
        let names: std::collections::BTreeSet<&String> = self.marked.keys().map(|(name, _)| name).collect();
        names.into_iter().cloned().collect::<Vec<_>>().into_iter()
    }

    pub(crate) fn text(&self) -> Option<&str> {
        self.text.as_deref()
    }

    pub(crate) fn lines(&self) -> &[String] {
        &self.lines
    }

    fn line(&self, line: u32) -> Option<&str> {
        self.lines.get(line.checked_sub(1)? as usize).map(String::as_str)
    }
}

/// `# 12 "file.c"`: the number of the next line, and the file.
fn marker(text: &str) -> Option<(u32, Option<String>)> {
    let rest = text.trim_start().strip_prefix('#')?.trim_start();
    let rest = rest.strip_prefix("line").unwrap_or(rest).trim_start();
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let line = rest[..digits].parse().ok()?;
    let file = rest[digits..].trim_start().strip_prefix('"').and_then(|name| Some(name.split_once('"')?.0.to_owned()));
    Some((line, file))
}

/// The place in the user's files where `line` and `column` of a span's file stand.
pub(crate) fn place(files: &[InputFile], sources: &Sources, span: Span, line: u32, column: u32) -> Option<Place> {
    let source = sources.file(span.file).filter(|_| !span.is_nowhere())?;
    let text = source.lines.get(line.checked_sub(1)? as usize)?.as_str();
    files.iter().find_map(|file| {
        let own = (file.name == source.name).then_some(line).filter(|line| file.line(*line) == Some(text));
        let marked = || file.marked.get(&(source.name.clone(), line)).copied();
        // Lines that were put together from several would have other columns.
        let line = own.or_else(marked).filter(|line| file.line(*line) == Some(text))?;
        Some(Place { file: file.name.clone(), line, column })
    })
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hash_of_nothing() {
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(InputFile::new("empty.c", b"").hash, empty);
    }

    #[test]
    fn markers_are_followed_back() {
        let file = InputFile::new("p.i", b"# 1 \"p.c\"\nint x;\n# 7 \"p.c\"\nint y;\n# 3 \"other.h\" 2\nint z;\n");
        assert_eq!(file.marked.get(&("p.c".into(), 1)), Some(&2));
        assert_eq!(file.marked.get(&("p.c".into(), 7)), Some(&4));
        assert_eq!(file.marked.get(&("other.h".into(), 3)), Some(&6));
        assert_eq!(marker("#include <x.h>"), None);
        assert_eq!(marker("#line 4"), Some((4, None)));
        assert!(file.mentions("y") && !file.mentions("in"));
    }
}
