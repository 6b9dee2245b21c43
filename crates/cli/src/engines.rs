//! `foldback engines`: the engines that `--engine` can name.

use crate::output;
use engines::EngineInfo;
use portfolio::PORTFOLIO;

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
