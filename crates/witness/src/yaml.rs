//! The little YAML that witnesses need: strings in double quotes, which can hold anything.

use std::fmt::Write as _;

/// A string as YAML reads it back.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out += "\\\"",
            '\\' => out += "\\\\",
            '\n' => out += "\\n",
            '\t' => out += "\\t",
            c if c.is_control() || ('\u{2028}'..='\u{2029}').contains(&c) || c == '\u{feff}' => {
                let _ = write!(out, "\\U{:08x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out + "\""
}
