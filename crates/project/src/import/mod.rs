//! `foldback.toml` from what a project has: proofs of another tool ([`cbmc`]), or how its files are compiled
//! ([`compile_commands`]).

mod cbmc;
mod compile_commands;

use crate::Project;
use std::path::{Component, Path, PathBuf};

pub use cbmc::import as cbmc;
pub use compile_commands::import as compile_commands;

/// CPU time for each proof.
const TIME: &str = "60s";

/// A project and what a reader should know about it.
pub struct Imported {
    pub project: Project,
    pub notes: Vec<String>,
}

fn absolute(path: &Path) -> Result<PathBuf, String> {
    path.canonicalize().map_err(|e| format!("{}: {e}", path.display()))
}

/// The way from a folder to a path. Both are absolute; the names of folders on the way may be symbolic links.
fn relative(folder: &Path, path: &Path) -> String {
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let (from, to): (Vec<Component<'_>>, Vec<Component<'_>>) =
        (folder.components().collect(), path.components().collect());
    let same = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let mut way = PathBuf::new();
    from[same..].iter().for_each(|_| way.push(".."));
    to[same..].iter().for_each(|part| way.push(part));
    if way.as_os_str().is_empty() { ".".to_owned() } else { way.display().to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_between_folders() {
        assert_eq!(relative(Path::new("/nowhere/a/b"), Path::new("/nowhere/a/c/d.c")), "../c/d.c");
        assert_eq!(relative(Path::new("/nowhere/a"), Path::new("/nowhere/a")), ".");
    }
}
