//! `foldback import` writes down the proofs of a project, `foldback check` runs them.

use crate::flags::{CheckFlags, ImportFrom};
use crate::output::{self, BadInput, Exit};
use project::check::{Kind, Runner};
use project::{Project, file, import, summary};
use std::path::{Path, PathBuf};

pub(crate) fn import(from: &ImportFrom) -> Result<Exit, BadInput> {
    let ImportFrom::Cbmc { dir, out } = from;
    let out = out.clone().unwrap_or_else(|| dir.join(file::NAME));
    if out.exists() {
        return Err(format!("{} exists: remove it, or give another name with --out", out.display()).into());
    }
    let imported = import::cbmc(dir, folder_of(&out))?;
    let text = imported.project.render()?;
    std::fs::write(&out, text).map_err(|e| format!("cannot write {}: {e}", out.display()))?;
    imported.notes.iter().for_each(|note| output::note(format!("note: {note}")));
    let count = imported.project.proofs.len();
    output::line(format!("{}: {count} proofs; run them with `foldback check --file {0}`", out.display()));
    Ok(Exit::Fine)
}

pub(crate) fn check(flags: &CheckFlags) -> Result<Exit, BadInput> {
    let path = flags.file.clone().unwrap_or_else(|| PathBuf::from(file::NAME));
    let mut project = Project::read(&path)?;
    if let Some(time) = &flags.time_limit {
        crate::settings::duration(time, "--time-limit")?;
        project.time_limit = Some(time.clone());
        project.proofs.iter_mut().for_each(|proof| proof.time_limit = None);
    }
    let proofs = project.named(&flags.names)?;
    let binary = std::env::current_exe().map_err(|e| format!("cannot find my own binary: {e}"))?;
    let scratch = std::env::temp_dir().join(format!("foldback-check-{}", std::process::id()));
    std::fs::create_dir_all(&scratch).map_err(|e| format!("{}: {e}", scratch.display()))?;
    let cores = std::thread::available_parallelism();
    let jobs = flags.jobs.or(cores.ok()).map_or(1, std::num::NonZeroUsize::get);
    let runner = Runner { binary: &binary, folder: folder_of(&path), scratch: &scratch, jobs };
    let width = proofs.iter().map(|proof| proof.name.len()).max().unwrap_or(0);
    let outcomes = runner.run(&project, &proofs, |outcome| output::line(summary::line(outcome, width)));
    // A folder left behind in the temporary directory is no reason to fail.
    let _ = std::fs::remove_dir_all(&scratch);
    let write = |path: &Option<PathBuf>, text: Option<String>| match (path, text) {
        (Some(path), Some(text)) => {
            std::fs::write(path, text).map_err(|e| format!("cannot write {}: {e}", path.display()))
        }
        _ => Ok(()),
    };
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

/// The folder that a file is in.
fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}
