//! A private folder with a name that nobody can guess, gone at the end: when it is dropped, when the process ends by
//! [`clean_up`], and when the process is killed while a job runs in it (its supervisor sees to that).

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The folders of this process.
static OPEN: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

pub struct Folder {
    inner: tempfile::TempDir,
}

impl Folder {
    pub fn new() -> std::io::Result<Folder> {
        use std::os::unix::fs::PermissionsExt;
        let private = std::fs::Permissions::from_mode(0o700);
        let inner = tempfile::Builder::new().prefix("foldback-").rand_bytes(16).permissions(private).tempdir()?;
        open().push(inner.path().to_owned());
        Ok(Folder { inner })
    }

    pub fn path(&self) -> &Path {
        self.inner.path()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        remove(self.inner.path());
        open().retain(|path| path != self.inner.path());
    }
}

/// Removes the folders that are open. For whoever ends the process without unwinding.
pub fn clean_up() {
    for path in std::mem::take(&mut *open()) {
        remove(&path);
    }
}

fn open() -> std::sync::MutexGuard<'static, Vec<PathBuf>> {
    OPEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes a folder. What was run in it may have taken rights away from folders of its own.
pub(crate) fn remove(path: &Path) {
    if std::fs::remove_dir_all(path).is_err() {
        give_rights(path);
        // A folder left behind in the temporary directory is no reason to fail.
        let _ = std::fs::remove_dir_all(path);
    }
}

fn give_rights(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    let is_folder = path.symlink_metadata().is_ok_and(|found| found.is_dir());
    if is_folder && std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o700)).is_ok() {
        let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
        entries.for_each(|entry| give_rights(&entry.path()));
    }
}
