//! Certificates as folders.
//!
//! One that is read may come from anybody. Nothing of it is followed or run: files are opened by names that we give them, if they
//! are plain files of a size that can be, and what they say is checked.

use crate::limits::read::{MAX_FILE, MAX_MANIFEST};
use crate::{Certificate, MANIFEST};
use std::io::{ErrorKind, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// The text of the manifest.
pub fn manifest(folder: &Path) -> Result<Vec<u8>, String> {
    plain(folder, MANIFEST, MAX_MANIFEST)
}

/// What another file holds.
pub fn file(folder: &Path, name: &str) -> Result<Vec<u8>, String> {
    plain(folder, name, MAX_FILE)
}

/// A plain file of the folder; links and devices are none.
fn plain(folder: &Path, name: &str, most: u64) -> Result<Vec<u8>, String> {
    let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK;
    let file = std::fs::OpenOptions::new().read(true).custom_flags(flags).open(folder.join(name));
    let file = file.map_err(|error| format!("cannot read {name}: {error}"))?;
    let found = file.metadata().map_err(|error| format!("cannot read {name}: {error}"))?;
    if !found.is_file() || found.len() > most {
        return Err(format!("{name} is not a plain file of at most {most} bytes"));
    }
    let mut bytes = Vec::new();
    file.take(most).read_to_end(&mut bytes).map_err(|error| format!("cannot read {name}: {error}"))?;
    Ok(bytes)
}

/// Whether a new folder can be made; an empty one will do. The error is for the user.
pub fn check_new(folder: &Path) -> Result<(), String> {
    let shown = folder.display();
    match std::fs::read_dir(folder) {
        Ok(mut entries) => match entries.next() {
            None => Ok(()),
            Some(_) => Err(format!("{shown} is not empty: a certificate gets a folder of its own")),
        },
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let made = std::fs::create_dir(folder).and_then(|()| std::fs::remove_dir(folder));
            made.map_err(|error| format!("cannot make the folder {shown}: {error}"))
        }
        Err(error) => Err(format!("cannot read {shown}: {error}")),
    }
}

/// The manifest comes last, so that a folder that has one has everything.
pub fn write(folder: &Path, certificate: &Certificate) -> std::io::Result<()> {
    if !folder.exists() {
        std::fs::create_dir(folder)?;
    }
    certificate.files.iter().try_for_each(|(name, contents)| std::fs::write(folder.join(name), contents))
}
