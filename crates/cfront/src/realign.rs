//! Columns after preprocessing. `cc -E` keeps lines but moves columns where macros expand or blanks collapse, so the
//! tokens of each line are aligned with those of the original line: tokens that stand there get their place, tokens that
//! came out of a macro get the place of the macro's name.

use base::{FileId, Id, Sources};

use crate::lex::Macros;
use crate::token::{PUNCTUATORS, TokenStream};

/// A token of an original line.
#[derive(Clone, Copy)]
struct Raw {
    start: usize,
    len: usize,
    /// Columns count characters, from 1.
    col: u32,
    /// The name of a macro that is expanded here.
    is_macro: bool,
    /// Can the token stand in the output? (Names of macros and the brackets of their calls cannot.)
    survives: bool,
}

/// Beyond this many pairs, a line is aligned greedily instead of optimally.
const MAX_PAIRS: usize = 400_000;

/// Moves every token of a file whose text is known to the column where the user wrote it.
pub(crate) fn realign(stream: &mut TokenStream, sources: &Sources, macros: &Macros) {
    let mut originals: Vec<Option<Vec<Vec<Raw>>>> = Vec::new();
    originals.resize_with(sources.files().len(), || None);
    let mut from = 0;
    while from < stream.tokens.len() {
        let (file, line) = (stream.tokens[from].span.file, stream.tokens[from].span.line);
        let run = stream.tokens[from..].iter().take_while(|t| t.span.file == file && t.span.line == line).count();
        if let Some(source) = sources.file(file)
            && let Some(text) = source.lines.get((line as usize).wrapping_sub(1))
        {
            let lines = originals[FileId::index(file)].get_or_insert_with(|| raw_lines(&source.lines, macros));
            align(stream, from, run, text.as_bytes(), &lines[line as usize - 1]);
        }
        from += run;
    }
}

/// Gives the tokens `from..from + run`, all of one line, the columns of that line's original tokens.
fn align(stream: &mut TokenStream, from: usize, run: usize, text: &[u8], raws: &[Raw]) {
    if raws.is_empty() {
        return;
    }
    let same = |token: usize, raw: usize| {
        let raw = &raws[raw];
        raw.survives && stream.bytes(&stream.tokens[from + token]) == &text[raw.start..raw.start + raw.len]
    };
    let matches = common_subsequence(run, raws.len(), same);
    let mut next_raw = 0; // first original token after the last match
    let mut columns = Vec::with_capacity(run);
    for (token, &found) in matches.iter().enumerate() {
        let raw = match found {
            Some(raw) => {
                next_raw = raw + 1;
                raws[raw]
            }
            None => {
                let until = matches[token..].iter().flatten().next().copied().unwrap_or(raws.len());
                let here = raws[next_raw..until.max(next_raw)].iter().find(|r| r.is_macro);
                let before = raws[..next_raw].iter().rev().find(|r| r.is_macro);
                *here.or(before).unwrap_or(&raws[next_raw.min(raws.len() - 1)])
            }
        };
        columns.push((raw.col, raw.col + raw.len as u32));
    }
    for (token, (col, end)) in stream.tokens[from..from + run].iter_mut().zip(columns) {
        token.span.col = col;
        token.span.end_col = end;
    }
}

/// For each of `n` tokens the one of `m` it corresponds to, by a longest common subsequence.
fn common_subsequence(n: usize, m: usize, same: impl Fn(usize, usize) -> bool) -> Vec<Option<usize>> {
    let mut matches = vec![None; n];
    let mut start = 0;
    while start < n.min(m) && same(start, start) {
        matches[start] = Some(start);
        start += 1;
    }
    let mut tail = 0;
    while tail < (n - start).min(m - start) && same(n - 1 - tail, m - 1 - tail) {
        matches[n - 1 - tail] = Some(m - 1 - tail);
        tail += 1;
    }
    let (rows, cols) = (n - start - tail, m - start - tail);
    if rows == 0 || cols == 0 {
        return matches;
    }
    if rows.saturating_mul(cols) > MAX_PAIRS {
        let mut next = start;
        for (token, slot) in matches.iter_mut().enumerate().skip(start).take(rows) {
            if let Some(raw) = (next..start + cols).take(64).find(|&raw| same(token, raw)) {
                *slot = Some(raw);
                next = raw + 1;
            }
        }
        return matches;
    }
    // length[i][j]: of the longest common subsequence of the suffixes from i and j.
    let width = cols + 1;
    let mut length = vec![0u32; (rows + 1) * width];
    for i in (0..rows).rev() {
        for j in (0..cols).rev() {
            length[i * width + j] = if same(start + i, start + j) {
                length[(i + 1) * width + j + 1] + 1
            } else {
                length[(i + 1) * width + j].max(length[i * width + j + 1])
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    while i < rows && j < cols {
        if same(start + i, start + j) {
            matches[start + i] = Some(start + j);
            i += 1;
            j += 1;
        } else if length[(i + 1) * width + j] >= length[i * width + j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    matches
}

/// The tokens of an original file, line by line; comments are skipped, directives too (nothing of them is left).
fn raw_lines(lines: &[String], macros: &Macros) -> Vec<Vec<Raw>> {
    let mut in_comment = false;
    lines
        .iter()
        .map(|line| {
            let mut raws = raw_tokens(line.as_bytes(), &mut in_comment);
            mark_macros(line.as_bytes(), &mut raws, macros);
            raws
        })
        .collect()
}

fn raw_tokens(line: &[u8], in_comment: &mut bool) -> Vec<Raw> {
    let mut raws = Vec::new();
    let mut at = 0;
    let mut col = 1;
    while at < line.len() {
        let rest = &line[at..];
        let mut is_token = false;
        let len = if *in_comment {
            match rest.windows(2).position(|w| w == b"*/") {
                Some(end) => {
                    *in_comment = false;
                    end + 2
                }
                None => rest.len(),
            }
        } else if rest.starts_with(b"//") {
            rest.len()
        } else if rest.starts_with(b"/*") {
            *in_comment = true;
            2
        } else if rest[0].is_ascii_whitespace() {
            1
        } else {
            is_token = true;
            token_len(rest)
        };
        if is_token {
            raws.push(Raw { start: at, len, col, is_macro: false, survives: true });
        }
        col += rest[..len].iter().filter(|&&b| b & 0xc0 != 0x80).count() as u32;
        at += len;
    }
    raws
}

fn token_len(rest: &[u8]) -> usize {
    let is_name = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'$' || b >= 0x80;
    let prefix = rest.iter().take(2).take_while(|b| matches!(b, b'L' | b'u' | b'U' | b'8')).count();
    if let Some(&quote @ (b'"' | b'\'')) = rest.get(prefix) {
        let mut len = prefix + 1;
        while len < rest.len() && rest[len] != quote {
            len += if rest[len] == b'\\' { 2 } else { 1 };
        }
        return (len + 1).min(rest.len());
    }
    if rest[0].is_ascii_digit() || (rest[0] == b'.' && rest.get(1).is_some_and(u8::is_ascii_digit)) {
        let mut len = 1;
        while len < rest.len() {
            let sign = matches!(rest[len], b'+' | b'-') && matches!(rest[len - 1], b'e' | b'E' | b'p' | b'P');
            if !(is_name(rest[len]) || rest[len] == b'.' || sign) {
                break;
            }
            len += 1;
        }
        return len;
    }
    if is_name(rest[0]) {
        return rest.iter().take_while(|&&b| is_name(b)).count();
    }
    PUNCTUATORS.iter().find(|(p, _)| rest.starts_with(p.as_bytes())).map_or(1, |(p, _)| p.len())
}

fn mark_macros(line: &[u8], raws: &mut [Raw], macros: &Macros) {
    for index in 0..raws.len() {
        let raw = raws[index];
        let Some(&function_like) = macros.get(&line[raw.start..raw.start + raw.len]) else { continue };
        let called = raws.get(index + 1).is_some_and(|next| line[next.start] == b'(');
        if function_like && !called {
            continue;
        }
        raws[index].is_macro = true;
        raws[index].survives = false;
        if !function_like {
            continue;
        }
        // The brackets of the call and the commas between its arguments vanish.
        let mut level = 0;
        for inner in raws[index + 1..].iter_mut() {
            match line[inner.start] {
                b'(' => {
                    level += 1;
                    inner.survives &= level != 1;
                }
                b')' => {
                    inner.survives &= level != 1;
                    level -= 1;
                    if level == 0 {
                        break;
                    }
                }
                b',' => inner.survives &= level != 1,
                _ => {}
            }
        }
    }
}
