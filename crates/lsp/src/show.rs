//! Answers as editors show them: findings at their lines, with the steps that lead there; invariants beside loops.

use crate::functions::definitions;
use crate::job::Target;
use crate::uri;
use lsp_types::{
    Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, InlayHint, InlayHintKind, InlayHintLabel,
    InlayHintTooltip, Location, NumberOrString, Position, Range,
};
use report::{Counterexample, Kind, LoopInvariant, Method, Place, Proof, Report, Verdict, tour};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// So many steps are shown with a finding: the last ones.
const STEPS: usize = 50;
/// Longer invariants are cut; the whole is shown when pointed at.
const HINT: usize = 70;

/// Findings by the files that they are shown in.
pub(crate) type Findings = BTreeMap<String, Vec<Diagnostic>>;

/// The texts of files as they were verified, read once.
pub(crate) struct Files {
    folder: PathBuf,
    lines: BTreeMap<PathBuf, Vec<String>>,
}

impl Files {
    /// Names of files are relative to the folder.
    pub(crate) fn in_folder(folder: &Path) -> Files {
        Files { folder: folder.to_owned(), lines: BTreeMap::new() }
    }

    fn line(&mut self, file: &Path, line: u32) -> &str {
        let read = || {
            let bytes = base::files::read_source(file).unwrap_or_default();
            String::from_utf8_lossy(&bytes).lines().map(str::to_owned).collect()
        };
        let lines = self.lines.entry(file.to_owned()).or_insert_with(read);
        lines.get(line as usize).map_or("", String::as_str)
    }

    /// From the place to the end of its line.
    fn location(&mut self, place: &Place) -> Option<Location> {
        let file = self.folder.join(&place.file);
        let line = place.line.checked_sub(1)?;
        let text = self.line(&file, line).trim_end();
        // Columns count characters from 1.
        let start = units(text.chars().take(place.column.saturating_sub(1) as usize));
        let end = units(text.chars()).max(start + 1);
        let range = Range::new(Position::new(line, start), Position::new(line, end));
        Some(Location { uri: uri::parsed(&uri::of(&file))?, range })
    }
}

/// In UTF-16, as editors count.
fn units(text: impl Iterator<Item = char>) -> u32 {
    text.map(|c| c.len_utf16() as u32).sum()
}

/// What an answer says of the program's lines.
pub(crate) fn findings(target: &Target, report: &Report) -> Findings {
    let mut files = Files::in_folder(&target.folder);
    let mut found = Findings::new();
    for (property, run) in report.violations() {
        if let Some((at, finding)) = violation(&mut files, target, property, run) {
            found.entry(at).or_default().push(finding);
        }
    }
    if let Verdict::Unknown { kind, reason, .. } = &report.result {
        let severity = match kind {
            Kind::NothingToCheck => DiagnosticSeverity::HINT,
            _ => DiagnosticSeverity::INFORMATION,
        };
        let message = format!("{}: no answer: {reason}", target.name);
        found.entry(target.document.clone()).or_default().push(Diagnostic {
            range: name_of(target),
            severity: Some(severity),
            ..plain(message)
        });
    }
    found
}

/// Where the function stands in the document, as it was saved.
fn name_of(target: &Target) -> Range {
    let text = uri::path(&target.document).and_then(|path| base::files::read_text(path).ok()).unwrap_or_default();
    let found = definitions(&text).into_iter().find(|found| found.name == target.function);
    found.map_or_else(Range::default, |found| {
        Range::new(Position::new(found.line, found.column), Position::new(found.line, found.end()))
    })
}

fn plain(message: String) -> Diagnostic {
    Diagnostic { source: Some("foldback".to_owned()), message, ..Diagnostic::default() }
}

fn violation(files: &mut Files, target: &Target, property: &str, run: &Counterexample) -> Option<(String, Diagnostic)> {
    let violation = &run.violation;
    let place = violation.place.as_ref().and_then(|place| files.location(place));
    let (at, range) = match place {
        Some(Location { uri, range }) => (uri.as_str().to_owned(), range),
        None => (target.document.clone(), name_of(target)),
    };
    let mut message = violation.message.clone();
    if !violation.values.is_empty() {
        let values: Vec<String> = violation.values.iter().map(|v| format!("{} = {}", v.name, v.value)).collect();
        message += &format!(" (where {})", values.join(", "));
    }
    let mut stops = tour::stops(run);
    // The last stop is the finding itself.
    stops.pop();
    let hidden = stops.len().saturating_sub(STEPS);
    let steps = stops[hidden..].iter().enumerate().filter_map(|(i, stop)| {
        let message = format!("step {}: {}", hidden + i + 1, stop.text);
        Some(DiagnosticRelatedInformation { location: files.location(stop.place?)?, message })
    });
    let mut related: Vec<DiagnosticRelatedInformation> = steps.collect();
    related.extend(violation.related.iter().filter_map(|related| {
        let location = files.location(&related.place)?;
        Some(DiagnosticRelatedInformation { location, message: related.text.clone() })
    }));
    let finding = Diagnostic {
        range,
        severity: Some(DiagnosticSeverity::ERROR),
        code: Some(NumberOrString::String(property.to_owned())),
        related_information: Some(related),
        ..plain(message)
    };
    Some((at, finding))
}

/// Messages as compilers print them, `FILE:LINE:COLUMN: error: MESSAGE`; others belong to the first line of the document.
pub(crate) fn refusal(target: &Target, said: &str) -> Findings {
    let mut files = Files::in_folder(&target.folder);
    let mut found = Findings::new();
    for line in said.lines() {
        let Some((before, message)) = line.split_once("error: ") else { continue };
        let severity = Some(DiagnosticSeverity::ERROR);
        let location = place(before.trim_end().trim_end_matches(':')).and_then(|place| files.location(&place));
        let (at, range) = match location {
            Some(Location { uri, range }) => (uri.as_str().to_owned(), range),
            None => (target.document.clone(), Range::default()),
        };
        found.entry(at).or_default().push(Diagnostic { range, severity, ..plain(message.to_owned()) });
    }
    if found.is_empty() {
        let severity = Some(DiagnosticSeverity::ERROR);
        let message = said.lines().next().unwrap_or_default().to_owned();
        found.insert(target.document.clone(), vec![Diagnostic { severity, ..plain(message) }]);
    }
    found
}

fn place(text: &str) -> Option<Place> {
    let (rest, column) = text.rsplit_once(':')?;
    let (file, line) = rest.rsplit_once(':')?;
    Some(Place { file: file.to_owned(), line: line.parse().ok()?, column: column.parse().ok()? })
}

/// What is proved of the loops of a file, at the ends of their lines.
pub(crate) fn hints(target: &Target, report: &Report, document: &str) -> Vec<InlayHint> {
    let mut files = Files::in_folder(&target.folder);
    let verdicts = std::iter::once(&report.result).chain(report.parts.iter().map(|part| &part.result));
    let mut hints: Vec<InlayHint> = Vec::new();
    for (loop_, what) in verdicts.flat_map(known) {
        let Some(location) = loop_.place.as_ref().and_then(|place| files.location(place)) else { continue };
        if location.uri.as_str() != document {
            continue;
        }
        let hint = hint(location.range.end, &what);
        if !hints.iter().any(|other| other.position == hint.position && other.tooltip_text() == hint.tooltip_text()) {
            hints.push(hint);
        }
    }
    hints
}

trait Tooltip {
    fn tooltip_text(&self) -> Option<&str>;
}

impl Tooltip for InlayHint {
    fn tooltip_text(&self) -> Option<&str> {
        match &self.tooltip {
            Some(InlayHintTooltip::String(text)) => Some(text),
            _ => None,
        }
    }
}

fn known(verdict: &Verdict) -> Vec<(&LoopInvariant, String)> {
    let invariant = |found: &LoopInvariant| Some(format!("invariant: {}", found.c.as_ref()?));
    match verdict {
        Verdict::True { proof: Proof { method: Method::Invariants { loops, .. }, .. }, .. } => {
            loops.iter().filter_map(|found| Some((found, invariant(found)?))).collect()
        }
        Verdict::True { proof: Proof { method: Method::Ranking { loops }, .. }, .. } => {
            loops.iter().map(|found| (&found.known, format!("decreases: {}", found.ranking.join(", then ")))).collect()
        }
        Verdict::Unknown { known, .. } => {
            known.invariants.iter().filter_map(|found| Some((found, invariant(found)?))).collect()
        }
        _ => Vec::new(),
    }
}

fn hint(position: Position, what: &str) -> InlayHint {
    let shown =
        if what.chars().count() > HINT { what.chars().take(HINT).chain(['…']).collect() } else { what.to_owned() };
    InlayHint {
        position,
        label: InlayHintLabel::String(shown),
        kind: Some(InlayHintKind::TYPE),
        text_edits: None,
        tooltip: Some(InlayHintTooltip::String(what.to_owned())),
        padding_left: Some(true),
        padding_right: None,
        data: None,
    }
}
