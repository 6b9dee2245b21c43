//! `foldback verify`: asks the verifier, shows its answer.

use crate::cfa_command;
use crate::danger_invariant;
use crate::deliver;
use crate::explain;
use crate::interrupt;
use crate::limits;
use crate::output::{self, BadInput, Exit};
use crate::progress::Progress;
use crate::settings::VerifySettings;
use crate::store::Kept;
use engine::{Event, Why};
use portfolio::News;
use report::Verdict;
use report::html::Picture;
use verifier::{Cancellation, Observer, Outcome};

pub(crate) fn verify(settings: &VerifySettings) -> Result<Exit, BadInput> {
    settings.files.check()?;
    let kept = Kept::of(settings);
    if let Some(mut report) = kept.as_ref().and_then(Kept::found) {
        report.notes.push(project::check::STORED.to_owned());
        let picture = Picture::Missing("a result that was stored has none; --no-store makes one".into());
        deliver::deliver(&report, &settings.files, &picture, &verifier::Evidence::none(), settings.detail);
        return Ok(explain::exit(&report.result));
    }
    let progress = Progress::start(settings.progress, settings.request.limits.cpu_time);
    let cancellation = watched(settings, &progress);
    let shown = Shown { progress: &progress, trace_folding: settings.trace_folding };
    let outcome = match &settings.danger_invariant {
        Some(file) => danger_invariant::decide(file, &settings.request, &cancellation),
        None => verifier::verify(&settings.request, &shown, &cancellation),
    };
    progress.end();
    let outcome = outcome?;
    if let Some(kept) = &kept {
        kept.keep(&outcome.report(&settings.request.subject));
    }
    Ok(finish(settings, &progress, &outcome))
}

/// Limits hold and signals are heard from now on: they end the run, with what is known by then.
fn watched(settings: &VerifySettings, progress: &Progress) -> Cancellation {
    let end = |shown: Progress, settings: VerifySettings| {
        move |why: Why| {
            let exit = finish(&settings, &shown, &Outcome::bare(Verdict::unknown(&why)));
            sandbox::clean_up();
            std::process::exit(i32::from(exit.code()));
        }
    };
    limits::enforce(settings.request.limits, end(progress.clone(), settings.clone()));
    let cancelled = end(progress.clone(), settings.clone());
    interrupt::watch(move || cancelled(Why::Cancelled))
}

/// Shows and keeps the outcome: the end of a verification, from wherever it comes first.
fn finish(settings: &VerifySettings, progress: &Progress, outcome: &Outcome) -> Exit {
    output::claim_end();
    progress.end();
    let picture = match &outcome.evidence.automaton {
        Some(program) => cfa_command::picture(program),
        None => Picture::Missing("there is no proof".into()),
    };
    let mut report = outcome.report(&settings.request.subject);
    report.options = std::env::args().skip(1).collect();
    report.wall_seconds = (progress.elapsed().as_secs_f64() * 1000.0).round() / 1000.0;
    deliver::deliver(&report, &settings.files, &picture, &outcome.evidence, settings.detail);
    explain::exit(&report.result)
}

/// What is told while the verifier works.
struct Shown<'a> {
    progress: &'a Progress,
    trace_folding: bool,
}

impl Observer for Shown<'_> {
    fn phase(&self, phase: &str) {
        self.progress.phase(phase);
    }

    fn news(&self, news: News<'_>) {
        if let (true, News::Event { engine, event: Event::Folding(lines) }) = (self.trace_folding, news) {
            lines.lines().for_each(|line| output::note(format!("{engine}: {line}")));
        }
        self.progress.hear(news);
    }

    fn warn(&self, message: &str) {
        output::note(message);
    }
}
