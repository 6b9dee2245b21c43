//! The engines that `--engine` can name.

use crate::output;
use portfolio::{PORTFOLIO, Strategy};

fn all() -> impl Iterator<Item = (&'static str, &'static str)> {
    let portfolio =
        (PORTFOLIO, "all engines in turn, cheap ones first, after a moment of random executions (the default)");
    std::iter::once(portfolio).chain(engines::ENGINES.iter().map(|engine| (engine.name, engine.summary)))
}

/// The engines that are named, where `all` names every one. The error says which there is not.
pub(crate) fn chosen(names: &[String]) -> Result<Vec<String>, String> {
    if names.iter().any(|name| name == "all") {
        return Ok(engines::ENGINES.iter().map(|engine| engine.name.to_owned()).collect());
    }
    names.iter().try_for_each(|name| Strategy::named(name).map(drop))?;
    Ok(names.to_vec())
}

pub(crate) fn list() {
    for (name, what) in all() {
        output::line(format!("{name:10} {what}"));
    }
}
