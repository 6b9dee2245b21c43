//! Names in a failing condition that stand for numbers: macros without parameters.

use crate::model::{Value, Violation};
use cfa::Program;

/// Adds what the message names and the program's files define as a number.
pub(crate) fn add(program: &Program, violation: &mut Violation) {
    let mut found = Vec::new();
    for name in words(&violation.message) {
        if violation.values.iter().chain(&found).any(|known: &Value| known.name == name) {
            continue;
        }
        let lines = program.sources.files().values().flat_map(|file| &file.lines);
        let mut defined: Vec<&str> = lines.filter_map(|line| definition(line, name)).collect();
        defined.dedup();
        // Where a name means several things, it is not known here which.
        if let [value] = defined[..] {
            found.push(Value { name: name.to_owned(), value: value.to_owned() });
        }
    }
    violation.values.extend(found);
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

/// The number in `#define NAME 8`.
fn definition<'l>(line: &'l str, name: &str) -> Option<&'l str> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("define")?;
    let rest = rest.trim_start().strip_prefix(name)?;
    let value = rest.strip_prefix([' ', '\t'])?.split("/*").next()?.split("//").next()?.trim();
    let value = value.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')).unwrap_or(value);
    let digits = value.strip_prefix('-').unwrap_or(value);
    let is_number =
        digits.starts_with(|c: char| c.is_ascii_digit()) && digits.chars().all(|c| c.is_ascii_alphanumeric());
    is_number.then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_found() {
        assert_eq!(definition("#define CAP 8", "CAP"), Some("8"));
        assert_eq!(definition("  # define CAP (0x10u) /* room */", "CAP"), Some("0x10u"));
        assert_eq!(definition("#define CAPACITY 8", "CAP"), None);
        assert_eq!(definition("#define CAP(x) 8", "CAP"), None);
        assert_eq!(definition("#define CAP OTHER", "CAP"), None);
        assert_eq!(definition("#define CAP 2 + 3", "CAP"), None);
    }
}
