//! `foldback verify`: asks the verifier, shows its answer.

use crate::deliver::{self, Printed};
use crate::explain;
use crate::output::{self, BadInput, Exit};
use crate::progress::Progress;
use crate::settings::VerifySettings;
use cfront::input::Project;
use engine::{Event, Why};
use portfolio::News;
use report::text::Detail;
use report::{Part, Verdict};
use std::sync::{Arc, Mutex, PoisonError};
use verifier::{Cancellation, Kept, Observer, Outcome, signals};

pub(crate) fn verify(settings: &VerifySettings) -> Result<Exit, BadInput> {
    let subject = &settings.request.subject;
    settings.files.check(&[&subject.files[..], &subject.front.forced].concat())?;
    // A danger invariant that somebody wrote is checked again each time.
    let store = settings.store.as_ref().filter(|_| settings.danger_invariant.is_none());
    let kept = store.and_then(|folder| Kept::of(&settings.request, folder));
    if let Some(mut report) = kept.as_ref().and_then(Kept::found) {
        report.notes.push(project::check::STORED.to_owned());
        let printed = Printed::all(settings.detail);
        deliver::deliver(&report, &settings.files, &verifier::Evidence::none(), &printed, &own(settings));
        return Ok(explain::exit(&report.result));
    }
    let progress = Progress::start(settings.progress, settings.request.limits.cpu_time);
    let decided = Decided::default();
    let cancellation = watched(settings, &progress, &decided);
    let shown = Shown { progress: &progress, settings, decided: &decided };
    let outcome = match &settings.danger_invariant {
        Some(file) => confirm::decide(file, &settings.request, &cancellation),
        None => verifier::verify(&settings.request, &shown, &cancellation),
    };
    progress.end();
    let outcome = outcome?;
    if let Some(Err(error)) = kept.map(|kept| kept.keep(&outcome.report(&settings.request.subject))) {
        output::note(format!("the answer is not stored: {error}"));
    }
    Ok(finish(settings, &progress, &outcome, &decided.printed(settings)))
}

/// The parts of the answer that are known while others are not.
#[derive(Clone, Default)]
struct Decided(Arc<Mutex<Vec<Part>>>);

impl Decided {
    fn parts(&self) -> Vec<Part> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Violations are printed at once.
    fn is_printed(part: &Part, settings: &VerifySettings) -> bool {
        settings.detail != Detail::Quiet && matches!(part.result, Verdict::False { .. })
    }

    fn printed(&self, settings: &VerifySettings) -> Printed {
        let parts = self.parts().into_iter().filter(|part| Decided::is_printed(part, settings));
        Printed { detail: settings.detail, before: parts.map(|part| part.name).collect() }
    }
}

/// Limits hold and signals are heard from now on: they end the run, with what is known by then.
fn watched(settings: &VerifySettings, progress: &Progress, decided: &Decided) -> Cancellation {
    let end = |shown: Progress, settings: VerifySettings| {
        let decided = decided.clone();
        move |why: Why| {
            let outcome = Outcome::ended(&settings.request.subject, &decided.parts(), &why);
            let exit = finish(&settings, &shown, &outcome, &decided.printed(&settings));
            sandbox::clean_up();
            std::process::exit(i32::from(exit.code()));
        }
    };
    settings.request.limits.enforce(end(progress.clone(), settings.clone()));
    let cancelled = end(progress.clone(), settings.clone());
    signals::watch(move || {
        output::leave_soon();
        cancelled(Why::Cancelled);
    })
}

/// Shows and keeps the outcome: the end of a verification, from wherever it comes first.
fn finish(settings: &VerifySettings, progress: &Progress, outcome: &Outcome, printed: &Printed) -> Exit {
    output::claim_end();
    progress.end();
    let mut report = outcome.report(&settings.request.subject);
    report.options = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    report.wall_seconds = (progress.elapsed().as_secs_f64() * 1000.0).round() / 1000.0;
    deliver::deliver(&report, &settings.files, &outcome.evidence, printed, &own(settings));
    explain::exit(&report.result)
}

/// The folders of the program.
fn own(settings: &VerifySettings) -> Project {
    Project::of(&settings.request.subject.files)
}

/// What is told while the verifier works.
struct Shown<'a> {
    progress: &'a Progress,
    settings: &'a VerifySettings,
    decided: &'a Decided,
}

impl Observer for Shown<'_> {
    fn phase(&self, phase: &str) {
        self.progress.phase(phase);
    }

    fn news(&self, news: News<'_>) {
        if let (true, News::Event { engine, event: Event::Folding(lines) }) = (self.settings.trace_folding, news) {
            lines.lines().for_each(|line| output::note(format!("{engine}: {line}")));
        }
        self.progress.hear(news);
    }

    fn decided(&self, part: &Part) {
        // Whoever ends the run meanwhile has both the part and its text, or neither.
        let mut parts = self.decided.0.lock().unwrap_or_else(PoisonError::into_inner);
        parts.push(part.clone());
        self.progress.decided(part, Decided::is_printed(part, self.settings));
    }

    fn warn(&self, message: &str) {
        output::note(message);
    }
}
