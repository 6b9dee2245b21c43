//! `foldback man`: the manual's pages, made from the help texts.

use crate::flags::Flags;
use clap::CommandFactory;
use std::path::Path;

/// A page for each command, into a folder that exists.
pub(crate) fn write(folder: &Path) -> Result<(), String> {
    let failed = |error| format!("cannot write manual pages into {}: {error}", folder.display());
    clap_mangen::generate_to(Flags::command(), folder).map_err(failed)
}
