//! `foldback explain`: shows a result that was kept.

use crate::output::{self, BadInput, Exit};
use report::{Report, Verdict};
use std::path::Path;

pub(crate) fn explain(file: &Path) -> Result<Exit, BadInput> {
    let shown = file.display();
    let text = std::fs::read_to_string(file).map_err(|e| format!("cannot read {shown}: {e}"))?;
    let report = Report::from_json(&text).map_err(|why| format!("{shown}: {why}"))?;
    show(&report);
    Ok(Exit::Fine)
}

/// The whole result, on standard output.
pub(crate) fn show(report: &Report) {
    output::bytes(report::text::render(report).as_bytes());
}

/// The exit code of a verification with this verdict.
pub(crate) fn exit(verdict: &Verdict) -> Exit {
    match verdict {
        Verdict::True { .. } => Exit::Fine,
        Verdict::False { .. } => Exit::Violated,
        Verdict::Unknown { .. } => Exit::Unknown,
    }
}
