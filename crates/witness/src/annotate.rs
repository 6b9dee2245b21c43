//! The user's files with the invariants of their loops written in, as CBMC reads them: `__CPROVER_loop_invariant(...)` behind
//! the head of a `for` or `while` loop, and behind `do`.
//!
//! Everything else of a file stays as it is.

use crate::correctness::{keyword, loop_facts, sayable_at};
use crate::files::InputFile;
use crate::scope::{code, is_nameable};
use cfa::{Loc, Program, Var};
use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;
use term::{Store, Term};

/// Copies of files.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Annotated {
    /// Names and texts, all files of the program.
    pub files: Vec<(String, String)>,
    /// How many loops got how many invariants.
    pub loops: usize,
    pub invariants: usize,
    /// Whether some of what is known has no place or no words in C.
    pub left_out: bool,
}

impl Annotated {
    /// Writes the copy: a file, or a folder of several. Neither is there yet.
    pub fn write(&self, to: &Path) -> std::io::Result<()> {
        let new = |path: &Path, text: &str| std::fs::File::create_new(path)?.write_all(text.as_bytes());
        match &self.files[..] {
            [(_, text)] => new(to, text),
            several => std::fs::create_dir(to).and_then(|()| {
                several.iter().try_for_each(|(name, text)| {
                    // Two files of one name: nothing is written over the first.
                    new(&to.join(Path::new(name).file_name().unwrap_or_default()), text)
                })
            }),
        }
    }
}

/// The files with what is `given` at loop heads of the flat program, whose terms live in `terms`.
pub fn annotated(
    files: &[InputFile],
    flat: &Program,
    terms: &Store,
    given: &BTreeMap<Loc, Term>,
) -> Result<Annotated, String> {
    let (loops, left_out) = loop_facts(files, flat, terms, given);
    let mut copies = Annotated { left_out, ..Annotated::default() };
    for file in files {
        let text = file.text().ok_or_else(|| format!("{} is no UTF-8 text", file.name))?;
        let mut copy = String::new();
        let mut done = 0;
        // In the order of their places.
        for (at, known) in loops.iter().filter(|(at, _)| at.file == file.name) {
            let Some(conjuncts) = known.conjuncts() else { continue };
            let start = line_start(text, at.line);
            let head = start.and_then(|start| behind_head(text, start + byte_of(&text[start..], at.column)?));
            let (Some(start), Some(head)) = (start, head.filter(|head| *head >= done)) else {
                copies.left_out = true;
                continue;
            };
            let indent: String = text[start..].chars().take_while(|c| matches!(c, ' ' | '\t')).collect();
            copy += &text[done..head];
            for conjunct in &conjuncts {
                copy += &format!("\n{indent}    __CPROVER_loop_invariant({conjunct})");
            }
            done = head;
            // What follows on the line comes below.
            let rest = text[head..].trim_start_matches([' ', '\t']);
            if !rest.starts_with(['\n', '\r']) {
                copy += &format!("\n{indent}");
                done = text.len() - rest.len();
            }
            copies.loops += 1;
            copies.invariants += conjuncts.len();
        }
        copy += &text[done..];
        copies.files.push((file.name.clone(), copy));
    }
    Ok(copies)
}

/// Whether C can say the conjunct of an invariant where it stands, in one of the files.
pub fn is_sayable(files: &[InputFile], flat: &Program, terms: &Store, at: Loc, conjunct: Term) -> bool {
    keyword(files, flat, at).is_some_and(|(span, _)| sayable_at(flat, terms, at, span, conjunct))
}

/// Whether the variable's name means it at the loop with that head, in one of the files.
pub fn is_named(files: &[InputFile], flat: &Program, at: Loc, var: Var) -> bool {
    let location = &flat.main().locs[at];
    !location.stale.contains(&var)
        && keyword(files, flat, at).is_some_and(|(span, _)| is_nameable(flat, var, location.frame, span))
}

/// Where the line starts, unless it belongs to a directive of the preprocessor: a macro stays one line.
fn line_start(text: &str, line: u32) -> Option<usize> {
    let before = usize::try_from(line.checked_sub(1)?).ok()?;
    let ends = text.match_indices('\n').map(|(end, _)| end + 1);
    let start = std::iter::once(0).chain(ends).nth(before)?;
    let goes_on = text[..start].trim_end_matches(['\n', '\r']).ends_with('\\');
    (!goes_on && !text[start..].trim_start().starts_with('#')).then_some(start)
}

/// Where the column of a line is.
fn byte_of(line: &str, column: u32) -> Option<usize> {
    line.char_indices().nth(usize::try_from(column.checked_sub(1)?).ok()?).map(|(at, _)| at)
}

/// Where the clauses of a loop go whose keyword is there. Not where directives of the preprocessor are in between: which
/// bracket closes the head is not known then.
fn behind_head(text: &str, keyword: usize) -> Option<usize> {
    let rest = &text[keyword..];
    if rest.starts_with("do") {
        return Some(keyword + "do".len());
    }
    let mut depth = 0u32;
    for (at, c) in code(rest) {
        match c {
            '(' => depth += 1,
            ')' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(keyword + at + 1);
                }
            }
            '#' | '{' | '}' => return None,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clauses_stand_behind_the_head() {
        let head = |text: &str| behind_head(text, 0).map(|at| text[at..].to_owned());
        assert_eq!(head("while (f(x) /* ) */ && c != ')') x++;").as_deref(), Some(" x++;"));
        assert_eq!(head("for (;;) {}").as_deref(), Some(" {}"));
        assert_eq!(head("do x++; while (x < 3);").as_deref(), Some(" x++; while (x < 3);"));
        assert_eq!(head("while (x\n#ifdef A\n)\n#endif\n)"), None);
    }

    #[test]
    fn places_are_lines_and_columns() {
        let text = "a\n\u{e9}for\r\nb";
        assert_eq!(line_start(text, 2), Some(2));
        assert_eq!(byte_of(&text[2..], 2), Some(2));
        assert_eq!(line_start(text, 4), None);
        let macros = "#define F \\\n for (;;) ;\nfor (;;) ;";
        assert_eq!((line_start(macros, 1), line_start(macros, 2), line_start(macros, 3)), (None, None, Some(24)));
    }
}
