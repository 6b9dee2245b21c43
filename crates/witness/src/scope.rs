//! Which names mean the same in a C expression at a loop as in the invariant.
//!
//! The automaton does not keep blocks, so the source text decides: a declaration is visible until the block it stands in is
//! closed, or, in the head of a `for` or of a function, until the statement that follows the head ends. Where two variables
//! could be meant, none is.

use base::{Sources, Span};
use cfa::{Frame, Program, Var, VarKind};

/// Whether the variable's own name, written at the keyword of a loop in an activation, means the variable.
pub(crate) fn is_nameable(program: &Program, var: Var, frame: Frame, keyword: Span) -> bool {
    let Some(source) = program.source_of(var) else { return false };
    // Globals whose address is taken are memory of the root.
    let is_global = match program.vars[var].kind {
        VarKind::Global => true,
        VarKind::Memory => source.frame == Frame::ROOT,
        VarKind::Local(_) => false,
    };
    let is_own = (is_global || source.frame == frame) && !source.pointer;
    // Also variables that simplification removed: they still hide others in the source.
    let rival = |v: Var| {
        let other = program.source_of(v).map(|other| other.span);
        v != var
            && plain_name(program, v) == root(&source.name)
            && other.is_none_or(|other| other != source.span && is_visible(&program.sources, other, keyword))
    };
    is_own && !program.vars.ids().any(rival) && is_visible(&program.sources, source.span, keyword)
}

/// `x` for `main::x#2` and for the address `main::&x`.
fn plain_name(program: &Program, v: Var) -> &str {
    if let Some(source) = program.source_of(v) {
        return root(&source.name);
    }
    let name = program.name(v);
    let name = name.rsplit_once("::").map_or(name, |(_, last)| last);
    name.split_once('#').map_or(name, |(first, _)| first).trim_start_matches('&')
}

/// `s` for `s.x` and `s[3].y`.
fn root(name: &str) -> &str {
    name.split(['.', '[']).next().unwrap_or(name)
}

/// Whether what is declared at `declared` is visible at the loop whose keyword stands at `keyword`.
fn is_visible(sources: &Sources, declared: Span, keyword: Span) -> bool {
    if declared.is_nowhere() || declared.file != keyword.file {
        return false;
    }
    let (declaration, test) = ((declared.line, declared.col), (keyword.line, keyword.col));
    let Some(file) = sources.file(declared.file) else { return false };
    if declaration < test {
        return reaches(&code_between(&file.lines, declaration, test));
    }
    // The loop's own variable: `for (int i = ...`.
    let head = code_between(&file.lines, test, declaration);
    let head = head.strip_prefix("for").map(str::trim_start).and_then(|rest| rest.strip_prefix('('));
    head.is_some_and(|rest| !rest.contains(['(', ')', ';', '{', '}']))
}

/// Whether a scope that is open at the start of the code is still open at its end.
fn reaches(code: &str) -> bool {
    let (mut braces, mut brackets) = (0i32, 0i32);
    // Behind the bracket that closes the head of a `for` or of a function.
    let mut in_statement = false;
    for c in code.chars() {
        match c {
            '{' => braces += 1,
            '}' => {
                braces -= 1;
                if braces < 0 || (in_statement && braces == 0) {
                    return false;
                }
            }
            '(' => brackets += 1,
            ')' => {
                brackets -= 1;
                if brackets < 0 {
                    if in_statement {
                        return false;
                    }
                    in_statement = true;
                    brackets = 0;
                }
            }
            ';' if in_statement && braces == 0 && brackets == 0 => return false,
            _ => {}
        }
    }
    true
}

/// The text between two places (line, column; from 1), comments and literals blanked out.
fn code_between(lines: &[String], from: (u32, u32), to: (u32, u32)) -> String {
    let mut text = String::new();
    for (line, number) in lines.iter().zip(1u32..).skip(from.0 as usize - 1) {
        if number > to.0 {
            break;
        }
        let first = if number == from.0 { from.1 as usize - 1 } else { 0 };
        let last = if number == to.0 { to.1 as usize - 1 } else { usize::MAX };
        text.extend(line.chars().take(last).skip(first));
        text.push('\n');
    }
    without_comments(&text)
}

fn without_comments(text: &str) -> String {
    code(text).map(|(_, c)| c).collect()
}

/// The characters of C text and where they stand; comments and literals are one space each.
pub(crate) fn code(text: &str) -> impl Iterator<Item = (usize, char)> + '_ {
    let mut chars = text.char_indices().peekable();
    std::iter::from_fn(move || {
        let (at, c) = chars.next()?;
        match (c, chars.peek().map(|(_, next)| *next)) {
            ('/', Some('/')) => {
                chars.by_ref().find(|(_, c)| *c == '\n');
            }
            ('/', Some('*')) => {
                chars.next();
                let mut last = ' ';
                chars.by_ref().find(|(_, c)| std::mem::replace(&mut last, *c) == '*' && *c == '/');
            }
            ('"' | '\'', _) => {
                while let Some((_, inner)) = chars.next() {
                    if inner == '\\' {
                        chars.next();
                    } else if inner == c || inner == '\n' {
                        break;
                    }
                }
            }
            _ => return Some((at, c)),
        }
        Some((at, ' '))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_end_scopes() {
        assert!(reaches("x = 0; { y(); } "));
        assert!(!reaches("x = 0; } "));
        assert!(reaches("n) { int y; "));
        assert!(!reaches("n) { int y; } int f() { "));
        assert!(!reaches("i = 0; i < 3; i++) f(i); "));
        assert!(reaches("i = 0; i < 3; i++) { f(i); "));
        assert!(reaches("i = 0; i < 3; i++) for (j = 0; j < 3; j++) "));
    }

    #[test]
    fn comments_and_literals_are_no_code() {
        assert_eq!(without_comments("a /* } */ b // }\nc \"}\\\"}\" '}' d"), "a   b  c     d");
    }
}
