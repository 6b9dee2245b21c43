//! How a run was started, kept beside its results so that `--resume` can start it again.

use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

#[derive(Serialize, Deserialize, Debug)]
pub struct Start {
    pub directory: PathBuf,
    /// The command line.
    pub arguments: Vec<String>,
}

impl Start {
    const FILE: &str = "start.json";

    pub const RESULTS: &str = "results.csv";
    pub const SUMMARY: &str = "summary.md";
    pub const PAGE: &str = "index.html";

    /// This process.
    pub fn now() -> Result<Start, String> {
        let directory = std::env::current_dir().map_err(|e| format!("no current directory: {e}"))?;
        Ok(Start {
            directory,
            arguments: std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect(),
        })
    }

    pub fn write(&self, folder: &Path) -> Result<(), String> {
        let text = serde_json::to_string_pretty(self).map_err(|e| e.to_string())?;
        let file = folder.join(Start::FILE);
        base::files::write_own(&file, (text + "\n").as_bytes())
    }

    pub fn read(folder: &Path) -> Result<Start, String> {
        let bad = |e: &dyn std::fmt::Display| format!("no bench was started in {}: {e}", folder.display());
        let text = base::files::read_text(folder.join(Start::FILE)).map_err(|e| bad(&e))?;
        serde_json::from_str(&text).map_err(|e| bad(&e))
    }

    /// Whether a bench may write into the folder: what is there by the names that it gives its files is a bench's.
    pub fn refuse_others(folder: &Path) -> Result<(), String> {
        if Start::read(folder).is_ok() {
            return Ok(());
        }
        let names = [Start::FILE, Start::RESULTS, Start::SUMMARY, Start::PAGE].map(|name| folder.join(name));
        match names.iter().find(|file| file.symlink_metadata().is_ok()) {
            None => Ok(()),
            Some(file) => Err(format!(
                "{} exists, and no bench was started in this folder: nothing is written over it, name another --out",
                file.display()
            )),
        }
    }
}
