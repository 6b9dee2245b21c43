//! The engines that `--engine` can name.

use crate::output;

/// Name and what it does, in one line.
const ENGINES: [(&str, &str); 1] =
    [("auto", "simplification and slicing, then executions with boundary and random inputs")];

pub(crate) fn check_name(name: &str) -> Result<(), String> {
    if ENGINES.iter().any(|(known, _)| *known == name) {
        return Ok(());
    }
    let names: Vec<&str> = ENGINES.iter().map(|(name, _)| *name).collect();
    Err(format!("unknown engine '{name}': known are {}", names.join(", ")))
}

pub(crate) fn list() {
    for (name, what) in ENGINES {
        output::line(format!("{name:10} {what}"));
    }
}
