//! `foldback fuzz`: random programs, all engines, against exhaustive execution.

use crate::flags::FuzzFlags;
use crate::output::{self, BadInput, Exit};
use ::fuzz::hunt::{Bounds, Fault, hunt};
use portfolio::PORTFOLIO;
use std::time::Duration;
use verifier::signals;

/// After Ctrl-C, what the last program may take: its compiled runs are seen to their end.
const LAST_PROGRAM: Duration = Duration::from_secs(20);

pub(crate) fn fuzz(flags: &FuzzFlags) -> Result<Exit, BadInput> {
    let mut names = verifier::engines::chosen(&flags.engine)?;
    if flags.engine.iter().any(|name| name == "all") {
        // What users get: with the quick look, and compiled runs.
        names.push(PORTFOLIO.to_owned());
    }
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    output::line(format!("programs from seed {} on, engines {}", flags.seed, names.join(", ")));
    let bounds = Bounds { programs: flags.programs, faults: flags.faults, time: Duration::from_secs(flags.seconds) };
    let mut told = |fault: &Fault| output::line(fault.to_string());
    let cancellation = signals::watch(|| {
        std::thread::sleep(LAST_PROGRAM);
        sandbox::clean_up();
        std::process::exit(i32::from(Exit::Unknown.code()));
    });
    let report = hunt(&names, flags.seed, &bounds, &cancellation, &mut told)?;
    output::line(report.to_string());
    Ok(if report.faults.is_empty() { Exit::Fine } else { Exit::Violated })
}
