//! What there is to verify in a file: the proofs of `foldback.toml` that read it; otherwise `main` and harnesses, which are
//! functions called `harness` or `…_harness`.

use crate::functions::definitions;
use crate::job::Target;
use crate::uri;
use project::file::{NAME, Project};
use std::path::{Path, PathBuf};

/// The targets of a file that is saved, or why they cannot be told.
pub(crate) fn on_save(document: &str, text: &str, flags: &[String]) -> Result<Vec<Target>, String> {
    let Some(path) = uri::path(document) else { return Ok(Vec::new()) };
    if let Some((folder, project)) = project_of(&path)? {
        let own = proofs(document, &path, &folder, &project);
        if !own.is_empty() {
            return Ok(own);
        }
    }
    let is_entry = |name: &str| name == "main" || name == "harness" || name.ends_with("_harness");
    let found = definitions(text).into_iter().map(|found| found.name).filter(|name| is_entry(name));
    Ok(found.map(|function| alone(document, &path, function, flags)).collect())
}

/// One function: by the proof that starts at it, or with any arguments.
pub(crate) fn of_function(document: &str, function: &str, flags: &[String]) -> Result<Vec<Target>, String> {
    let Some(path) = uri::path(document) else { return Ok(Vec::new()) };
    if let Some((folder, project)) = project_of(&path)? {
        let mut own = proofs(document, &path, &folder, &project);
        own.retain(|target| target.function == function);
        if !own.is_empty() {
            return Ok(own);
        }
    }
    Ok(vec![alone(document, &path, function.to_owned(), flags)])
}

fn alone(document: &str, path: &Path, function: String, flags: &[String]) -> Target {
    let mut words = Vec::new();
    if function != "main" {
        words.extend(["--entry".to_owned(), function.clone()]);
    }
    words.extend(flags.iter().cloned());
    words.push(path.display().to_string());
    let folder = path.parent().unwrap_or(Path::new("/")).to_owned();
    Target { document: document.to_owned(), name: function.clone(), function, folder, words }
}

/// Those that read the file.
fn proofs(document: &str, path: &Path, folder: &Path, project: &Project) -> Vec<Target> {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let path = real(path);
    let reads = |proof: &&project::file::Proof| {
        proof.sources.iter().chain(&proof.stubs).any(|file| real(&folder.join(file)) == path)
    };
    let target = |proof: &project::file::Proof| Target {
        document: document.to_owned(),
        function: proof.entry.clone().unwrap_or_else(|| "main".to_owned()),
        name: proof.name.clone(),
        folder: folder.to_owned(),
        words: project.arguments(proof),
    };
    project.proofs.iter().filter(reads).map(target).collect()
}

/// The nearest `foldback.toml` above the file, with its folder.
fn project_of(path: &Path) -> Result<Option<(PathBuf, Project)>, String> {
    let mut folders = path.ancestors().skip(1);
    match folders.find(|folder| folder.join(NAME).is_file()) {
        Some(folder) => {
            Ok(Some((folder.to_owned(), Project::read(&folder.join(NAME), |name| std::env::var(name).ok())?)))
        }
        None => Ok(None),
    }
}
