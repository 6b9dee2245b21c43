//! Colours of a result's text, for terminals.

use std::borrow::Cow;

const RED: &str = "\x1b[1;31m";
const GREEN: &str = "\x1b[1;32m";
const YELLOW: &str = "\x1b[1;33m";
const CYAN: &str = "\x1b[1;36m";
const DIM: &str = "\x1b[2m";
const BOLD: &str = "\x1b[1m";
const PLAIN: &str = "\x1b[0m";

/// A text as compilers colour theirs: by the words that start its lines.
pub fn paint(text: &str) -> String {
    text.split_inclusive('\n').map(paint_line).collect()
}

fn paint_line(line: &str) -> String {
    let (line, end) = line.strip_suffix('\n').map_or((line, ""), |line| (line, "\n"));
    let verdicts = [("true", GREEN), ("false", RED), ("unknown", YELLOW)];
    let painted = if let Some(verdict) = line.strip_prefix("RESULT: ") {
        let colour = verdicts.iter().find(|(word, _)| verdict.starts_with(word)).map_or(BOLD, |(_, colour)| colour);
        format!("{BOLD}RESULT:{PLAIN} {colour}{verdict}{PLAIN}")
    } else if let Some((place, rest)) = line.split_once(": error: ") {
        format!("{BOLD}{place}: {RED}error:{PLAIN} {BOLD}{rest}{PLAIN}")
    } else if let Some((place, rest)) = line.split_once(": note: ") {
        format!("{BOLD}{place}: {CYAN}note:{PLAIN} {rest}")
    } else if let Some(rest) = line.strip_prefix("error: ") {
        format!("{RED}error:{PLAIN} {BOLD}{rest}{PLAIN}")
    } else if let Some(rest) = line.strip_prefix("note: ") {
        format!("{CYAN}note:{PLAIN} {rest}")
    } else if let Some(rest) = line.strip_prefix("warning: ") {
        format!("{YELLOW}warning:{PLAIN} {rest}")
    } else if let Some((step, source)) = line.split_once("    | ") {
        format!("{step}{DIM}    | {source}{PLAIN}")
    } else {
        line.to_owned()
    };
    painted + end
}

/// The text with control characters spelled out, and those that nobody sees or that change the direction of writing: names of
/// files and lines of programs may be made to rule the terminal (colours, titles, the clipboard), or to hide what they say.
pub fn harmless(text: &str) -> Cow<'_, str> {
    let is_harmful = |c: char| (c.is_control() && c != '\n' && c != '\t') || is_unseen(c);
    if !text.contains(is_harmful) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\r' if chars.peek().is_none_or(|next| *next == '\n') => {}
            c if is_harmful(c) => out.extend(c.escape_default()),
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// Whether a character takes no room, or only says in which direction others are written.
fn is_unseen(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_unseen() {
        assert_eq!(harmless("a\u{200b}b \u{202e}c\r\n\u{e0041}ä → ∀"), "a\\u{200b}b \\u{202e}c\n\\u{e0041}ä → ∀");
        assert!(matches!(harmless("int grün; // → 3\n\tx"), Cow::Borrowed(_)));
    }

    #[test]
    fn the_text_stays_the_same() {
        let text =
            "note: x\na.c:1:2: error: assert: y\n  a.c:1:1: main: i = 0    | int i;\nplain\nRESULT: false(assert)\n";
        let mut bare = paint(text);
        assert!(bare.contains(&format!("{RED}error:{PLAIN}")) && bare.contains(&format!("{RED}false(assert){PLAIN}")));
        for code in [RED, GREEN, YELLOW, CYAN, DIM, BOLD, PLAIN] {
            bare = bare.replace(code, "");
        }
        assert_eq!(bare, text);
    }
}
