//! The engines that `--engine` can name.

use crate::output;
use portfolio::{PORTFOLIO, Strategy};

fn all() -> impl Iterator<Item = (&'static str, &'static str)> {
    let portfolio =
        (PORTFOLIO, "all engines in turn, cheap ones first, after a moment of random executions (the default)");
    std::iter::once(portfolio).chain(engines::ENGINES.iter().map(|engine| (engine.name, engine.summary)))
}

pub(crate) fn check_name(name: &str) -> Result<(), String> {
    Strategy::named(name).map(drop)
}

pub(crate) fn list() {
    for (name, what) in all() {
        output::line(format!("{name:10} {what}"));
    }
}
