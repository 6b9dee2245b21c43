//! `foldback engines`: the engines that `--engine` can name.

use crate::output;
use portfolio::PORTFOLIO;

pub(crate) fn list() {
    let what = "all engines in turn, cheap ones first, after a moment of random executions (the default)";
    output::line(format!("{PORTFOLIO:23} {what}"));
    engines::ENGINES.iter().for_each(|engine| output::line(engine.to_string()));
}
