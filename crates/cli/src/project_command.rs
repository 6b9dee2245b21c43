//! `foldback import` writes down the proofs of a project, `foldback check` runs them.

use crate::flags::{CheckFlags, ImportFrom};
use crate::output::{self, BadInput, Exit};
use project::check::{Kind, News, Outcome, Runner};
use project::{Project, Proof, file, import, summary};
use report::live::Live;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Between two drawings.
const REDRAW: Duration = Duration::from_millis(250);

pub(crate) fn import(from: &ImportFrom) -> Result<Exit, BadInput> {
    let (folder, out) = match from {
        ImportFrom::Cbmc { dir, out } => (dir.as_path(), out),
        ImportFrom::CompileCommands { file, out } => (file::folder_of(file), out),
    };
    let out = out.clone().unwrap_or_else(|| folder.join(file::NAME));
    if out.symlink_metadata().is_ok() {
        return Err(format!("{} exists: remove it, or give another name with --out", out.display()).into());
    }
    let imported = match from {
        ImportFrom::Cbmc { dir, .. } => import::cbmc(dir, file::folder_of(&out))?,
        ImportFrom::CompileCommands { file, .. } => {
            import::compile_commands(file, file::folder_of(&out), &lower::start_problem)?
        }
    };
    let text = imported.project.render()?;
    let written = std::fs::File::create_new(&out).and_then(|mut file| file.write_all(text.as_bytes()));
    written.map_err(|e| format!("cannot write {}: {e}", out.display()))?;
    imported.notes.iter().for_each(|note| output::note(format!("note: {note}")));
    let count = imported.project.proofs.len();
    output::line(format!("{}: {count} proofs; run them with `foldback check --file {0}`", out.display()));
    Ok(Exit::Fine)
}

pub(crate) fn check(flags: &CheckFlags) -> Result<Exit, BadInput> {
    let path = flags.file.clone().unwrap_or_else(|| PathBuf::from(file::NAME));
    let mut project = Project::read(&path, |name| std::env::var(name).ok())?;
    if let Some(time) = &flags.time_limit {
        base::quantity::duration(time, "--time-limit")?;
        project.time_limit = Some(time.clone());
        project.proofs.iter_mut().for_each(|proof| proof.time_limit = None);
    }
    let proofs = project.named(&flags.names)?;
    if proofs.is_empty() {
        return Err(format!("{} has no proofs: each is a [[proof]] with a name and sources", path.display()).into());
    }
    let binary = std::env::current_exe().map_err(|e| format!("cannot find my own binary: {e}"))?;
    let cores = std::thread::available_parallelism();
    let jobs = flags.jobs.or(cores.ok()).map_or(1, std::num::NonZeroUsize::get);
    let made = |folder: &PathBuf| std::fs::create_dir_all(folder).and_then(|()| folder.canonicalize());
    let folder = file::folder_of(&path);
    let outputs: Vec<&Path> = [&flags.junit, &flags.sarif].into_iter().flatten().map(PathBuf::as_path).collect();
    base::files::check_outputs(&outputs, &project::check::inputs(&path, &project), &[])?;
    if let Some(problem) = flags.html.as_ref().and_then(|pages| project::check::pages_problem(pages, &proofs)) {
        return Err(problem.into());
    }
    let pages = flags.html.as_ref().map(made).transpose().map_err(|e| format!("--html: {e}"))?;
    let absolute = folder.canonicalize().map_err(|e| format!("{}: {e}", folder.display()))?;
    let store = (!flags.no_store).then(|| absolute.join(verifier::store::FOLDER));
    let runner = Runner {
        binary: &binary,
        folder,
        unnamed: tempfile::tempfile,
        pages: pages.as_deref(),
        store: store.as_deref(),
        jobs,
        unchecked: report::text::UNCHECKED,
    };
    let progress = Progress::start(&proofs);
    let interrupted = Arc::clone(&progress);
    verifier::signals::watch(move || {
        output::leave_soon();
        interrupted.interrupt();
    });
    let outcomes = runner.run(&project, &proofs, |news| progress.hear(news));
    output::claim_end();
    progress.end();
    let write = |path: &Option<PathBuf>, text: Option<String>| match (path, text) {
        (Some(path), Some(text)) => {
            base::files::write(path, text.as_bytes()).map_err(|e| format!("cannot write {}: {e}", path.display()))
        }
        _ => Ok(()),
    };
    if let Some(folder) = &pages {
        let title = path.canonicalize().ok().and_then(|path| Some(path.parent()?.file_name()?.display().to_string()));
        let title = format!("Proofs of {}", title.as_deref().unwrap_or("the project"));
        write(&Some(folder.join("index.html")), Some(summary::index(&title, &outcomes)))?;
    }
    write(&flags.junit, Some(summary::junit(&outcomes)))?;
    write(&flags.sarif, summary::sarif(&outcomes))?;
    summary::several_ways(&outcomes).into_iter().for_each(output::note);
    output::line(summary::total(&outcomes));
    Ok(match outcomes.iter().map(|outcome| outcome.kind).max() {
        None | Some(Kind::AsExpected) => Exit::Fine,
        Some(Kind::Unknown) => Exit::Unknown,
        Some(Kind::Different) => Exit::Violated,
        Some(Kind::BadInput) => Exit::BadInput,
    })
}

/// A line for each proof that ended; on a terminal also which are running.
struct Progress {
    width: usize,
    count: usize,
    state: Mutex<State>,
    ended: Condvar,
}

#[derive(Default)]
struct State {
    live: Live,
    running: Vec<(String, Instant)>,
    done: Vec<Outcome>,
    is_over: bool,
}

impl Progress {
    fn start(proofs: &[&Proof]) -> Arc<Progress> {
        let width = proofs.iter().map(|proof| proof.name.len()).max().unwrap_or(0);
        let (state, ended) = (Mutex::default(), Condvar::new());
        let progress = Arc::new(Progress { width, count: proofs.len(), state, ended });
        if Live::is_visible() {
            let drawn = Arc::clone(&progress);
            std::thread::spawn(move || drawn.draw());
        }
        progress
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn draw(&self) {
        let mut state = self.lock();
        while !state.is_over {
            let lines = summary::so_far(state.done.len(), self.count, &state.running);
            state.live.draw(&lines);
            state = self.ended.wait_timeout(state, REDRAW).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn hear(&self, news: News<'_>) {
        let mut state = self.lock();
        match news {
            News::Started(proof) => state.running.push((proof.name.clone(), Instant::now())),
            News::Ended(outcome) => {
                state.running.retain(|(name, _)| *name != outcome.name);
                state.done.push(outcome.clone());
                state.live.wipe();
                output::line(summary::line(outcome, self.width));
            }
        }
    }

    /// A signal ends the run: what was done stands, and runs that are under way end with us.
    fn interrupt(&self) {
        output::claim_end();
        let mut state = self.lock();
        state.live.wipe();
        output::line(summary::interrupted(&state.done, self.count));
        std::process::exit(i32::from(Exit::Unknown.code()));
    }

    fn end(&self) {
        let mut state = self.lock();
        state.is_over = true;
        state.live.wipe();
        self.ended.notify_all();
    }
}
