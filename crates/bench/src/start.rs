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
        std::fs::write(&file, text + "\n").map_err(|e| format!("{}: {e}", file.display()))
    }

    pub fn read(folder: &Path) -> Result<Start, String> {
        let bad = |e: &dyn std::fmt::Display| format!("no bench was started in {}: {e}", folder.display());
        let text = std::fs::read_to_string(folder.join(Start::FILE)).map_err(|e| bad(&e))?;
        serde_json::from_str(&text).map_err(|e| bad(&e))
    }
}
