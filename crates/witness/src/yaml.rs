//! The little YAML that witnesses need: strings in double quotes, which can hold anything.

use std::fmt::Write as _;
use yaml_rust2::parser::{Event, EventReceiver, Parser};
use yaml_rust2::{Yaml, YamlLoader};

/// The documents of a file. One that names its parts and uses them again is refused: a few lines of such could be made to
/// stand for more than there is memory, and no witness needs them.
pub(crate) fn load(text: &str) -> Result<Vec<Yaml>, String> {
    if text.lines().any(|line| begun(line) > MOST_BEGUN) {
        return Err(format!(
            "a line begins more than {MOST_BEGUN} lists and maps, one in the other, which witnesses do not need"
        ));
    }
    let mut aliases = Aliases(false);
    let told = |e: yaml_rust2::ScanError| format!("not YAML: {e}");
    Parser::new_from_str(text).load(&mut aliases, true).map_err(told)?;
    match aliases {
        Aliases(true) => Err("it has aliases (*name), which witnesses do not need".into()),
        Aliases(false) => YamlLoader::load_from_str(text).map_err(told),
    }
}

/// The reader looks at all that are open for each that is begun: a line of 200,000 `?` would take it minutes.
const MOST_BEGUN: usize = 100;

/// How many lists and maps a line begins, one in the other.
fn begun(line: &str) -> usize {
    line.split(' ').filter(|word| !word.is_empty()).take_while(|word| matches!(*word, "-" | "?" | ":")).count()
}

/// Whether there are any.
struct Aliases(bool);

impl EventReceiver for Aliases {
    fn on_event(&mut self, event: Event) {
        self.0 |= matches!(event, Event::Alias(_));
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_nested_deep_is_refused_at_once() {
        for sign in ["? ", "- ", ": "] {
            assert!(load(&sign.repeat(200_000)).is_err_and(|why| why.contains("one in the other")), "{sign}");
        }
        assert!(load("- - ? a\n    : b\n").is_ok());
    }

    #[test]
    fn parts_that_are_used_again_are_refused() {
        let lines = (1..40).map(|i| format!("a{i}: &a{i} [*a{0}, *a{0}]\n", i - 1));
        let bomb = "a0: &a0 [x]\n".to_owned() + &lines.collect::<String>();
        assert!(load(&bomb).is_err_and(|why| why.contains("aliases")));
        assert!(load("a: &name [x]\nb: \"*name\"\n").is_ok());
    }
}
