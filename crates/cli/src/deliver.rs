//! A result and the files that were asked for beside it.

use crate::output::{self, BadInput};
use base::source::SourceFile;
use certificate::Certificate;
use cfront::input::Project;
use report::Report;
use report::text::Detail;
use std::path::{Path, PathBuf};
use verifier::Evidence;
use witness::Annotated;

/// Where to keep the result, in which forms.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Files {
    pub(crate) json: Option<PathBuf>,
    pub(crate) html: Option<PathBuf>,
    pub(crate) sarif: Option<PathBuf>,
    pub(crate) witness: Option<PathBuf>,
    /// A folder.
    pub(crate) certificate: Option<PathBuf>,
    /// A copy of the program with invariants: a file, or a folder for several.
    pub(crate) annotated: Option<PathBuf>,
    /// The C file that reproduces a counterexample.
    pub(crate) harness: Option<PathBuf>,
}

impl Files {
    /// Whether all can be written, in an answer about `inputs`.
    pub(crate) fn check(&self, inputs: &[PathBuf]) -> Result<(), BadInput> {
        let all = [&self.json, &self.html, &self.sarif, &self.witness, &self.harness, &self.annotated];
        if let Some(copy) = &self.annotated {
            // It looks like the user's own files, and must not take the place of one.
            if copy.symlink_metadata().is_ok() {
                let text = format!("{} exists: give the copy with invariants a new name", copy.display());
                return Err(BadInput::Message(text));
            }
        }
        let all: Vec<&Path> = all.into_iter().flatten().map(PathBuf::as_path).collect();
        base::files::check_outputs(&all, inputs, &output::MARKS)?;
        Ok(self.certificate.as_deref().map_or(Ok(()), certificate::folder::check_new)?)
    }
}

fn keep_certificate(folder: &Path, certificate: &Certificate) {
    match certificate::folder::write(folder, certificate) {
        Ok(()) => output::note(format!(
            "certificate: {} conditions, {} kB in {}",
            certificate.conditions,
            certificate.bytes().div_ceil(1000),
            folder.display()
        )),
        Err(error) => output::note(format!("cannot write the certificate: {}: {error}", folder.display())),
    }
}

fn keep_annotated(to: &Path, annotated: &Annotated) {
    let rest = if annotated.left_out { "; facts that C cannot say at a loop are left out" } else { "" };
    match annotated.write(to) {
        Ok(()) => output::note(format!(
            "{}: {} invariants at {} loops{rest}",
            to.display(),
            annotated.invariants,
            annotated.loops
        )),
        Err(error) => output::note(format!("cannot write {}: {error}", to.display())),
    }
}

/// How a result is printed.
#[derive(Clone, Debug)]
pub(crate) struct Printed {
    pub(crate) detail: Detail,
    /// Parts that were printed when they were decided.
    pub(crate) before: Vec<String>,
}

impl Printed {
    pub(crate) fn all(detail: Detail) -> Printed {
        Printed { detail, before: Vec::new() }
    }
}

/// Files first, so that they are there when the verdict is read. `own`: the folders whose files may be shown.
pub(crate) fn deliver(report: &Report, files: &Files, evidence: &Evidence, printed: &Printed, own: &Project) {
    for (file, text) in [(&files.witness, &evidence.witness), (&files.harness, &evidence.harness)] {
        match (file, text) {
            (Some(file), Ok(text)) => output::keep(file, text),
            (Some(file), Err(why)) => output::keep_none(file, why),
            (None, _) => {}
        }
    }
    match (&files.certificate, &evidence.certificate) {
        (Some(folder), Ok(certificate)) => keep_certificate(folder, certificate),
        (Some(folder), Err(why)) => output::note(format!("{} is not written: {why}", folder.display())),
        (None, _) => {}
    }
    match (&files.annotated, &evidence.annotated) {
        (Some(to), Ok(annotated)) => keep_annotated(to, annotated),
        (Some(to), Err(why)) => output::note(format!("{} is not written: {why}", to.display())),
        (None, _) => {}
    }
    if let Some(file) = &files.json {
        output::keep(file, &report.to_json());
    }
    if let Some(file) = &files.sarif {
        output::keep(file, &report::sarif::render(report));
    }
    if let Some(file) = &files.html {
        let picture = evidence.automaton.as_deref().and_then(report::picture::of);
        output::keep(file, &report::html::page(report, &sources(report, own), picture.as_deref()));
    }
    output::text(&report::text::render_rest(report, printed.detail, &printed.before));
}

/// The files that the result speaks of, as they are now. A `#line` may name any file: those that are none of the program's
/// are not shown.
fn sources(report: &Report, own: &Project) -> Vec<SourceFile> {
    let read = |name: &str| {
        let bytes =
            if own.allows(Path::new(name)) { base::files::read_source(name).unwrap_or_default() } else { Vec::new() };
        let lines = String::from_utf8_lossy(&bytes).lines().map(str::to_owned).collect();
        SourceFile { name: name.to_owned(), lines }
    };
    report.mentioned_files().into_iter().map(read).collect()
}
