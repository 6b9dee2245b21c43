//! The source files of a page, with remarks at their lines.

use super::invariants;
use crate::highlight::{Highlighter, escape};
use crate::model::{Counterexample, Place, Report, Verdict};
use base::source::SourceFile;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// Of files that are longer, only what is near the lines of interest is shown.
const LONG: usize = 3000;
/// So many lines around them.
const NEAR: usize = 30;

pub(super) struct Listing<'r> {
    files: Vec<File<'r>>,
    /// Files that could not be read.
    missing: Vec<&'r str>,
}

struct File<'r> {
    source: &'r SourceFile,
    remarks: BTreeMap<u32, Vec<Remark>>,
    /// Lines that the report speaks of.
    mentioned: BTreeSet<u32>,
    /// Lines where something is violated.
    wrong: BTreeSet<u32>,
}

struct Remark {
    class: &'static str,
    head: String,
    text: String,
}

impl<'r> Listing<'r> {
    pub(super) fn new(
        report: &'r Report,
        sources: &'r [SourceFile],
        violations: &[(&'r str, &'r Counterexample)],
    ) -> Listing<'r> {
        let readable = sources.iter().filter(|source| !source.lines.is_empty());
        let file =
            |source| File { source, remarks: BTreeMap::new(), mentioned: BTreeSet::new(), wrong: BTreeSet::new() };
        let missing = sources.iter().filter(|source| source.lines.is_empty()).map(|source| source.name.as_str());
        let mut listing = Listing { files: readable.map(file).collect(), missing: missing.collect() };
        listing.remark_invariants(report);
        listing.mention_checks(report);
        for (_, run) in violations {
            listing.remark_violation(run);
        }
        listing
    }

    /// Which of the files shown it is.
    pub(super) fn number(&self, name: &str) -> Option<usize> {
        self.files.iter().position(|file| file.source.name == name)
    }

    /// The name of a line on the page, if it is shown.
    pub(super) fn anchor(&self, place: &Place) -> Option<String> {
        let number = self.number(&place.file)?;
        let file = &self.files[number];
        let exists = (place.line as usize) <= file.source.lines.len() && file.is_shown(place.line);
        exists.then(|| format!("f{number}-{}", place.line))
    }

    fn mention(&mut self, place: Option<&Place>) -> Option<(&mut File<'r>, u32)> {
        let place = place?;
        let number = self.number(&place.file)?;
        let file = &mut self.files[number];
        file.mentioned.insert(place.line);
        Some((file, place.line))
    }

    fn remark_invariants(&mut self, report: &Report) {
        let verdicts = std::iter::once(&report.result).chain(report.parts.iter().map(|part| &part.result));
        let mut seen = BTreeSet::new();
        for verdict in verdicts {
            let head = match verdict {
                Verdict::Unknown { .. } => "holds here (proved on the way)",
                _ => "invariant",
            };
            for found in invariants(verdict) {
                let text = found.text();
                let Some((file, line)) = self.mention(found.place.as_ref()) else { continue };
                if seen.insert((found.place.clone(), text.clone())) {
                    let remark = Remark { class: "true", head: head.to_owned(), text };
                    file.remarks.entry(line).or_default().push(remark);
                }
            }
        }
    }

    fn mention_checks(&mut self, report: &Report) {
        for verdict in std::iter::once(&report.result).chain(report.parts.iter().map(|part| &part.result)) {
            let Verdict::Unknown { known, .. } = verdict else { continue };
            for check in known.checks.iter().filter(|check| !check.proved) {
                self.mention(check.place.as_ref());
            }
        }
    }

    fn remark_violation(&mut self, run: &Counterexample) {
        let violation = &run.violation;
        if let Some((file, line)) = self.mention(violation.place.as_ref()) {
            file.wrong.insert(line);
            let values: Vec<String> =
                violation.values.iter().map(|known| format!("{} = {}", known.name, known.value)).collect();
            let values = if values.is_empty() { String::new() } else { format!(", where {}", values.join(", ")) };
            let text = format!("{}{values}", violation.message);
            let remark = Remark { class: "false", head: "violated".into(), text };
            file.remarks.entry(line).or_default().push(remark);
        }
        for related in &violation.related {
            if let Some((file, line)) = self.mention(Some(&related.place)) {
                let remark = Remark { class: "false", head: related.text.clone(), text: String::new() };
                file.remarks.entry(line).or_default().push(remark);
            }
        }
        for place in &violation.called_from {
            self.mention(Some(place));
        }
        for input in run.inputs.iter().filter(|input| input.matters) {
            self.mention(input.place.as_ref());
        }
        for step in &run.steps {
            self.mention(step.place());
        }
    }

    pub(super) fn render(&self) -> String {
        let mut text =
            "<section class=\"code\" id=\"source\" aria-labelledby=\"h-source\">\n<h2 id=\"h-source\">Source</h2>\n"
                .to_owned();
        for name in &self.missing {
            let _ = writeln!(text, "<p class=\"quiet\"><code>{}</code> could not be read.</p>", escape(name));
        }
        for (number, file) in self.files.iter().enumerate() {
            let open = if self.files.len() == 1 || !file.mentioned.is_empty() { " open" } else { "" };
            let name = escape(&file.source.name);
            let _ = write!(
                text,
                "<details{open}><summary><code>{name}</code></summary>\n<div class=\"source\" tabindex=\"0\" "
            );
            let _ = writeln!(text, "role=\"region\" aria-label=\"{name}\">");
            file.render(number, &mut text);
            text += "</div>\n</details>\n";
        }
        text + "</section>\n"
    }
}

impl File<'_> {
    fn render(&self, number: usize, text: &mut String) {
        let mut highlighter = Highlighter::default();
        let mut skipped = 0;
        for (line, content) in (1..).zip(&self.source.lines) {
            let marked = highlighter.line(content);
            if !self.is_shown(line) {
                skipped += 1;
                continue;
            }
            gap(&mut skipped, text);
            let wrong = if self.wrong.contains(&line) { " wrong" } else { "" };
            let _ = writeln!(
                text,
                "<div class=\"line{wrong}\" id=\"f{number}-{line}\"><span class=\"n\">{line}</span>\
                 <span class=\"t\">{marked}</span></div>"
            );
            for remark in self.remarks.get(&line).into_iter().flatten() {
                let Remark { class, head, text: what } = remark;
                let _ = writeln!(
                    text,
                    "<div class=\"remark {class}\"><b>{head}{}</b> {}</div>",
                    if what.is_empty() { "" } else { ":" },
                    escape(what)
                );
            }
        }
        gap(&mut skipped, text);
    }

    fn is_shown(&self, line: u32) -> bool {
        let near = line.saturating_sub(NEAR as u32)..=line.saturating_add(NEAR as u32);
        self.source.lines.len() <= LONG || self.mentioned.range(near).next().is_some()
    }
}

fn gap(skipped: &mut usize, text: &mut String) {
    if *skipped > 0 {
        let _ = writeln!(text, "<div class=\"gap\">… {skipped} lines …</div>");
        *skipped = 0;
    }
}
