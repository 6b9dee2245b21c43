//! A result and the files that were asked for beside it.

use crate::output::{self, BadInput};
use base::source::SourceFile;
use report::Report;
use report::html::Picture;
use std::path::{Path, PathBuf};
use verifier::Evidence;

/// Where to keep the result, in which forms.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Files {
    pub(crate) json: Option<PathBuf>,
    pub(crate) html: Option<PathBuf>,
    pub(crate) sarif: Option<PathBuf>,
    pub(crate) witness: Option<PathBuf>,
    /// The C file that reproduces a counterexample.
    pub(crate) harness: Option<PathBuf>,
}

impl Files {
    /// Whether all can be written.
    pub(crate) fn check(&self) -> Result<(), BadInput> {
        let all = [&self.json, &self.html, &self.sarif, &self.witness, &self.harness];
        all.into_iter().flatten().try_for_each(|file| output::check_writable(file))
    }
}

/// Files first, so that they are there when the verdict is read.
pub(crate) fn deliver(report: &Report, files: &Files, picture: &Picture, evidence: &Evidence) {
    for (file, text) in [(&files.witness, &evidence.witness), (&files.harness, &evidence.harness)] {
        match (file, text) {
            (Some(file), Ok(text)) => output::keep(file, text),
            (Some(file), Err(why)) => output::keep_none(file, why),
            (None, _) => {}
        }
    }
    if let Some(file) = &files.json {
        output::keep(file, &report.to_json());
    }
    if let Some(file) = &files.sarif {
        output::keep(file, &report::sarif::render(report));
    }
    if let Some(file) = &files.html {
        output::keep(file, &report::html::page(report, &sources(report), picture));
    }
    output::bytes(report::text::render(report).as_bytes());
}

/// The files that the result speaks of, as they are now. A `#line` may name any file: those that are none of the program's
/// are not shown.
fn sources(report: &Report) -> Vec<SourceFile> {
    let files: Vec<PathBuf> = report.files.iter().map(PathBuf::from).collect();
    let project = cfront::input::Project::of(&files, &[]);
    let read = |name: &str| {
        let bytes = if project.allows(Path::new(name)) { std::fs::read(name).unwrap_or_default() } else { Vec::new() };
        let lines = String::from_utf8_lossy(&bytes).lines().map(str::to_owned).collect();
        SourceFile { name: name.to_owned(), lines }
    };
    report.mentioned_files().into_iter().map(read).collect()
}
