//! `foldback import` writes down the proofs of a project, `foldback check` runs them.

use crate::flags::{CheckFlags, ImportFrom};
use crate::output::{self, BadInput, Exit};
use project::check::{Kind, News, Runner};
use project::{Project, Proof, file, import, summary};
use report::live::Live;
use std::path::PathBuf;
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
    if out.exists() {
        return Err(format!("{} exists: remove it, or give another name with --out", out.display()).into());
    }
    let imported = match from {
        ImportFrom::Cbmc { dir, .. } => import::cbmc(dir, file::folder_of(&out))?,
        ImportFrom::CompileCommands { file, .. } => {
            import::compile_commands(file, file::folder_of(&out), &lower::start_problem)?
        }
    };
    let text = imported.project.render()?;
    std::fs::write(&out, text).map_err(|e| format!("cannot write {}: {e}", out.display()))?;
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
    let binary = std::env::current_exe().map_err(|e| format!("cannot find my own binary: {e}"))?;
    let cores = std::thread::available_parallelism();
    let jobs = flags.jobs.or(cores.ok()).map_or(1, std::num::NonZeroUsize::get);
    let made = |folder: &PathBuf| std::fs::create_dir_all(folder).and_then(|()| folder.canonicalize());
    let pages = flags.html.as_ref().map(made).transpose().map_err(|e| format!("--html: {e}"))?;
    let folder = file::folder_of(&path);
    let absolute = folder.canonicalize().map_err(|e| format!("{}: {e}", folder.display()))?;
    let store = (!flags.no_store).then(|| absolute.join(verifier::store::FOLDER));
    let runner = Runner {
        binary: &binary,
        folder,
        unnamed: tempfile::tempfile,
        pages: pages.as_deref(),
        store: store.as_deref(),
        jobs,
    };
    let progress = Progress::start(&proofs);
    let outcomes = runner.run(&project, &proofs, |news| progress.hear(news));
    progress.end();
    let write = |path: &Option<PathBuf>, text: Option<String>| match (path, text) {
        (Some(path), Some(text)) => {
            std::fs::write(path, text).map_err(|e| format!("cannot write {}: {e}", path.display()))
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
    done: usize,
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
            let lines = summary::so_far(state.done, self.count, &state.running);
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
                state.done += 1;
                state.live.wipe();
                output::line(summary::line(outcome, self.width));
            }
        }
    }

    fn end(&self) {
        let mut state = self.lock();
        state.is_over = true;
        state.live.wipe();
        self.ended.notify_all();
    }
}
