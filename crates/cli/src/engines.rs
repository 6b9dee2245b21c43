//! `foldback engines`: the engines that `--engine` can name.

use crate::output;
use engines::EngineInfo;
use portfolio::PORTFOLIO;

pub(crate) fn list() {
    let what = "all engines in turn, cheap ones first, after a moment of random executions (the default)";
    output::line(format!("{PORTFOLIO:23} {what}"));
    for engine in engines::ENGINES {
        let special = match engine {
            EngineInfo { short: Some(short), .. } => format!(" ({short}, for comparison)"),
            EngineInfo { for_comparison: true, .. } => " (for comparison)".to_owned(),
            EngineInfo { endless: true, .. } => " (never ends without a find)".to_owned(),
            _ => String::new(),
        };
        output::line(format!("{:23} {}{special}", engine.name, engine.summary));
    }
}
