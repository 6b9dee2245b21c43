//! `foldback fuzz`: random programs, all engines, against exhaustive execution.

use crate::flags::FuzzFlags;
use crate::output::{self, BadInput, Exit};
use ::fuzz::hunt::{Bounds, Fault, hunt};
use portfolio::PORTFOLIO;
use std::time::Duration;

pub(crate) fn fuzz(flags: &FuzzFlags) -> Result<Exit, BadInput> {
    let mut names = verifier::engines::chosen(&flags.engine)?;
    if flags.engine.iter().any(|name| name == "all") {
        // What users get: with the quick look, and compiled runs.
        names.push(PORTFOLIO.to_owned());
    }
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    output::line(format!("programs from seed {} on, engines {}", flags.seed, names.join(", ")));
    let bounds = Bounds { programs: flags.programs, faults: flags.faults, time: Duration::from_secs(flags.seconds) };
    let mut told = |fault: &Fault| {
        let Fault { seed, engine, what, program, programs, after } = fault;
        let when = format!("after {programs} programs, {:.0} s", after.as_secs_f64());
        output::line(format!("seed {seed}: {engine}: {what} ({when})\n{program}"));
    };
    let report = hunt(&names, flags.seed, &bounds, &mut told)?;
    output::line(format!(
        "{} programs: {} safe, {} unsafe, {} unclear; {} compiled and run on all inputs; {} faults",
        report.programs,
        report.safe,
        report.unsafe_,
        report.unclear,
        report.compiled,
        report.faults.len()
    ));
    for (engine, right) in &report.right {
        output::line(format!("{engine:10} {right} right answers"));
    }
    Ok(if report.faults.is_empty() { Exit::Fine } else { Exit::Violated })
}
