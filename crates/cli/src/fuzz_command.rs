//! `foldback fuzz`: random programs, all engines, against exhaustive execution.

use crate::flags::FuzzFlags;
use crate::output::{self, BadInput, Exit};
use std::time::Duration;

pub(crate) fn fuzz(flags: &FuzzFlags) -> Result<Exit, BadInput> {
    let names = verifier::engines::chosen(&flags.engine)?;
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    output::line(format!("programs from seed {} on, engines {}", flags.seed, names.join(", ")));
    let report = ::fuzz::hunt::hunt(&names, flags.seed, flags.programs, Duration::from_secs(flags.seconds));
    for fault in &report.faults {
        output::line(format!("seed {}: {}: {}\n{}", fault.seed, fault.engine, fault.what, fault.program));
    }
    output::line(format!(
        "{} programs: {} safe, {} unsafe, {} unclear; {} faults",
        report.programs,
        report.safe,
        report.unsafe_,
        report.unclear,
        report.faults.len()
    ));
    for (engine, right) in &report.right {
        output::line(format!("{engine:10} {right} right answers"));
    }
    Ok(if report.faults.is_empty() { Exit::Fine } else { Exit::Violated })
}
