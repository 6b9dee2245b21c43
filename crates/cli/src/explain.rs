//! `foldback explain`: shows a result that was kept.

use crate::deliver::{self, Files, Printed};
use crate::output::{BadInput, Exit};
use cfront::input::Project;
use report::text::Detail;
use report::{Report, Verdict};
use std::path::Path;
use verifier::Evidence;

pub(crate) fn explain(file: &Path, files: &Files, detail: Detail) -> Result<Exit, BadInput> {
    files.check(&[])?;
    let shown = file.display();
    let text = base::files::read_text(file).map_err(|e| format!("cannot read {shown}: {e}"))?;
    let report = Report::from_json(&text).map_err(|why| format!("{shown}: {why}"))?;
    // Which files a result names is up to whoever wrote it.
    let own = Project::default();
    deliver::deliver(&report, files, &Evidence::none(), &Printed::all(detail), &own);
    Ok(Exit::Fine)
}

/// The exit code of a verification with this verdict.
pub(crate) fn exit(verdict: &Verdict) -> Exit {
    match verdict {
        Verdict::True { .. } => Exit::Fine,
        Verdict::False { .. } => Exit::Violated,
        Verdict::Unknown { .. } => Exit::Unknown,
    }
}
