//! Answers by content: a folder with a file for each, named by what the answer depends on.
//!
//! A file is written beside its place and then moved there, so that whoever reads sees all of it or nothing: two runs at a
//! time do no harm, and what a killed run leaves behind is cleared with the rest.

use sha2::{Digest, Sha256};
use std::ffi::OsStr;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// The folder of a project's answers, beside its file.
pub const FOLDER: &str = ".foldback/store";

const ENDING: &str = "json";

pub struct Store {
    folder: PathBuf,
}

impl Store {
    /// The folder is made when something is put into it.
    pub fn at(folder: &Path) -> Store {
        Store { folder: folder.to_owned() }
    }

    /// The name of what depends on these texts, in this order.
    pub fn key(parts: &[&str]) -> String {
        let mut digest = Sha256::new();
        for part in parts {
            // Their lengths, so that no two lists are the same text.
            digest.update((part.len() as u64).to_le_bytes());
            digest.update(part.as_bytes());
        }
        digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }

    fn path(&self, key: &str) -> PathBuf {
        self.folder.join(key).with_extension(ENDING)
    }

    pub fn get(&self, key: &str) -> Option<String> {
        // Whoever can put a pipe there must not be waited for.
        let file = base::files::plain(&self.path(key), u64::MAX).ok()?;
        io::read_to_string(file).ok()
    }

    pub fn put(&self, key: &str, text: &str) -> io::Result<()> {
        std::fs::create_dir_all(&self.folder)?;
        let unfinished = self.folder.join(format!("{key}.{}", std::process::id()));
        let written = new_file(&unfinished, text).and_then(|()| std::fs::rename(&unfinished, self.path(key)));
        if written.is_err() {
            // It is of no use, and the error that counts is the other one.
            let _ = std::fs::remove_file(&unfinished);
        }
        written
    }

    /// How many answers there are, and how many bytes all files have.
    pub fn size(&self) -> io::Result<(usize, u64)> {
        let (mut answers, mut bytes) = (0, 0);
        for path in self.files()? {
            answers += usize::from(path.extension().is_some_and(|ending| ending == ENDING));
            // Another run may have cleared it.
            bytes += path.metadata().map_or(0, |known| known.len());
        }
        Ok((answers, bytes))
    }

    /// Removes all files of the store, and no others: the folder may be a wrong one. How many answers there were.
    pub fn clear(&self) -> io::Result<usize> {
        let answers = self.size()?.0;
        for path in self.files()? {
            match std::fs::remove_file(path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        Ok(answers)
    }

    fn files(&self) -> io::Result<Vec<PathBuf>> {
        let entries = match std::fs::read_dir(&self.folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries?,
        };
        entries
            .map(|entry| Ok(entry?.path()))
            .filter(|path| {
                path.as_ref()
                    .map_or(true, |path| path.symlink_metadata().is_ok_and(|found| !found.is_dir()) && is_ours(path))
            })
            .collect()
    }
}

/// Whether a file is called as an answer is, or as one that is not finished.
fn is_ours(path: &Path) -> bool {
    let (Some(key), Some(ending)) = (path.file_stem().and_then(OsStr::to_str), path.extension()) else { return false };
    let is_key = key.len() == 64 && key.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_key && (ending == ENDING || ending.as_encoded_bytes().iter().all(u8::is_ascii_digit))
}

/// A file that was not there. What a killed run left goes, and so does a link that somebody put in its place.
fn new_file(path: &Path, text: &str) -> io::Result<()> {
    if let Err(error) = std::fs::remove_file(path)
        && error.kind() != io::ErrorKind::NotFound
    {
        return Err(error);
    }
    std::fs::OpenOptions::new().write(true).create_new(true).open(path)?.write_all(text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_is_got() {
        let folder = std::env::temp_dir().join(format!("foldback-store-{}", std::process::id()));
        let store = Store::at(&folder);
        let (one, two) = (Store::key(&["a", "b"]), Store::key(&["ab", ""]));
        assert_ne!(one, two);
        assert_eq!(store.get(&one), None);
        assert_eq!(store.size().expect("no folder is empty"), (0, 0));
        store.put(&one, "text").expect("written");
        store.put(&one, "other").expect("written again");
        assert_eq!((store.get(&one).as_deref(), store.get(&two)), (Some("other"), None));
        // What a killed run leaves behind is no answer, and goes with the rest.
        std::fs::write(folder.join(format!("{two}.1")), "unfini").expect("written");
        assert_eq!(store.size().expect("readable"), (1, 11));
        // Other files are not the store's.
        let other = folder.join("notes.json");
        std::fs::write(&other, "mine").expect("written");
        assert_eq!(store.clear().expect("cleared"), 1);
        assert_eq!(store.size().expect("readable"), (0, 0));
        assert_eq!(std::fs::read_to_string(&other).expect("it is still there"), "mine");
        // A link that waits where an answer is written is not followed.
        let waiting = folder.join(format!("{two}.{}", std::process::id()));
        std::os::unix::fs::symlink(&other, waiting).expect("a link");
        store.put(&two, "answer").expect("written");
        assert_eq!(store.get(&two).as_deref(), Some("answer"));
        assert_eq!(std::fs::read_to_string(&other).expect("it is still there"), "mine");
        let _ = std::fs::remove_dir_all(folder);
    }

    #[test]
    fn two_at_once_do_no_harm() {
        let folder = std::env::temp_dir().join(format!("foldback-store-two-{}", std::process::id()));
        let key = Store::key(&["same"]);
        let text = "x".repeat(100_000);
        Store::at(&folder).put(&key, &text).expect("written");
        std::thread::scope(|scope| {
            scope.spawn(|| (0..50).for_each(|_| Store::at(&folder).put(&key, &text).expect("written")));
            scope.spawn(|| {
                (0..200).for_each(|_| assert_eq!(Store::at(&folder).get(&key).as_deref(), Some(text.as_str())))
            });
        });
        let _ = std::fs::remove_dir_all(folder);
    }
}
