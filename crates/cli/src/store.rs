//! `foldback store`: the answers that are kept.

use crate::output;
use std::path::Path;
use verifier::store::Store;

pub(crate) fn show(folder: &Path, clear: bool) -> Result<(), String> {
    let store = Store::at(folder);
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    if clear {
        let answers = store.clear().map_err(failed)?;
        output::line(format!("{}: {answers} answers removed", folder.display()));
    } else {
        let (answers, bytes) = store.size().map_err(failed)?;
        output::line(format!("{}: {answers} answers, {:.1} MB", folder.display(), bytes as f64 / 1e6));
    }
    Ok(())
}
