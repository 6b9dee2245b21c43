//! The engines that `--engine` can name.

use crate::output;
use engines::EngineInfo;
use portfolio::{PORTFOLIO, Strategy};

/// The engines that are named, where `all` names every one. The error says which there is not.
pub(crate) fn chosen(names: &[String]) -> Result<Vec<String>, String> {
    if names.iter().any(|name| name == "all") {
        return Ok(engines::ENGINES.iter().map(|engine| engine.name.to_owned()).collect());
    }
    names.iter().try_for_each(|name| named(name).map(drop))?;
    Ok(names.to_vec())
}

/// What a name means. The error says which names there are, and which may be meant.
pub(crate) fn named(name: &str) -> Result<Strategy, String> {
    let known = || engines::ENGINES.iter().map(|engine| engine.name).chain([PORTFOLIO]);
    Strategy::named(name).map_err(|why| why + &verifier::near::hint(name, known()))
}

pub(crate) fn list() {
    let what = "all engines in turn, cheap ones first, after a moment of random executions (the default)";
    output::line(format!("{PORTFOLIO:10} {what}"));
    for engine in engines::ENGINES {
        let special = match engine {
            EngineInfo { for_comparison: true, .. } => " (for comparison)",
            EngineInfo { endless: true, .. } => " (never ends without a find)",
            _ => "",
        };
        output::line(format!("{:10} {}{special}", engine.name, engine.summary));
    }
}
