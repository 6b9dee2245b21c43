//! Files by names that others may have had a hand in: where something is written, something else may lie by now, and what is
//! read may be no file at all. Nothing here waits for whoever is at the other end of a pipe.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

/// So long a pipe may be full before nobody is taken to read it.
const FULL: Timespec = Timespec { tv_sec: 1, tv_nsec: 0 };

/// Which file a name stands for, whatever the name: links are followed, and a file that is not there yet is known by its folder.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Identity {
    /// Device and number.
    There(u64, u64),
    New(PathBuf),
}

impl Identity {
    /// `None`: there can be no such file.
    pub fn of(path: &Path) -> Option<Identity> {
        if let Ok(found) = path.metadata() {
            return Some(Identity::There(found.dev(), found.ino()));
        }
        let name = path.file_name()?;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Some(Identity::New(folder.canonicalize().ok()?.join(name)))
    }
}

/// Names of files of C: what is called so is somebody's program, unless it says that we have written it.
const SOURCES: [&str; 6] = ["c", "h", "i", "inc", "C", "H"];

/// Why these must not all be written: one is among the files that are read, or is a source that is none of ours, or two are
/// the same. `words`: the command line, where each of them is named once.
fn outputs_problem(outputs: &[&Path], inputs: &[PathBuf], words: &[String], marks: &[&str]) -> Option<String> {
    let values = words.iter().flat_map(|word| [Some(word.as_str()), word.split_once('=').map(|(_, value)| value)]);
    let named: Vec<Identity> = values.flatten().filter_map(|value| Identity::of(Path::new(value))).collect();
    let read: Vec<Identity> = inputs.iter().filter_map(|input| Identity::of(input)).collect();
    for output in outputs.iter().filter(|output| !is_stream(output)) {
        let (Some(identity), shown) = (Identity::of(output), output.display()) else { continue };
        if read.contains(&identity) {
            return Some(format!("{shown} is one of the files that are read: nothing is written over it"));
        }
        if named.iter().filter(|named| **named == identity).count() > 1 {
            return Some(format!("{shown} is named twice: nothing is written over a file that has another use"));
        }
        if output.extension().is_some_and(|ending| SOURCES.iter().any(|known| ending == *known))
            && output.metadata().is_ok_and(|found| found.len() > 0)
            && !is_marked(output, marks)
        {
            return Some(format!("{shown} is there and is named like a source: give another name, or remove it"));
        }
    }
    None
}

/// A device or a pipe: several outputs may go to one.
fn is_stream(path: &Path) -> bool {
    path.metadata().is_ok_and(|found| !found.is_file() && !found.is_dir())
}

/// Whether the file begins with something that says where it is from.
pub fn is_marked(path: &Path, marks: &[&str]) -> bool {
    const HEAD: u64 = 4096;
    let head = plain(path, u64::MAX).and_then(|file| {
        let mut head = Vec::new();
        file.take(HEAD).read_to_end(&mut head)?;
        Ok(String::from_utf8_lossy(&head).into_owned())
    });
    head.is_ok_and(|head| marks.iter().any(|mark| head.contains(mark)))
}

/// Opens a plain file of at most so many bytes. Links to others are followed by those who made them, not here.
pub fn plain(path: &Path, most: u64) -> io::Result<File> {
    let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK;
    let file = OpenOptions::new().read(true).custom_flags(flags).open(path)?;
    let found = file.metadata()?;
    match found.is_file() && found.len() <= most {
        true => Ok(file),
        false => Err(io::Error::new(ErrorKind::InvalidInput, "not a plain file")),
    }
}

/// What a user has named to be read is not believed to be larger.
const MOST_READ: u64 = 1 << 30;

/// Source files are not larger; the largest ones of SV-COMP have some 10 MB.
pub const LARGEST_SOURCE: u64 = 64 << 20;

/// Reads a file that a user has named: links are followed, but nobody waits for a pipe, and a device is no text.
pub fn read(path: impl AsRef<Path>) -> io::Result<Vec<u8>> {
    read_at_most(path, MOST_READ)
}

/// The same of a source, which a program may have named (`#line`): whatever lies there, it costs no more than a source does.
pub fn read_source(path: impl AsRef<Path>) -> io::Result<Vec<u8>> {
    read_at_most(path, LARGEST_SOURCE)
}

fn read_at_most(path: impl AsRef<Path>, most: u64) -> io::Result<Vec<u8>> {
    let file = OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY).open(path)?;
    let found = file.metadata()?;
    if found.is_dir() {
        return Err(ErrorKind::IsADirectory.into());
    }
    if !found.is_file() {
        let what = "it is a pipe or a device: give a plain file";
        return Err(io::Error::new(ErrorKind::InvalidInput, what));
    }
    if found.len() > most {
        return Err(io::Error::new(ErrorKind::InvalidInput, format!("it has more than {} MB", most >> 20)));
    }
    let mut bytes = Vec::new();
    // It may grow while it is read.
    file.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The same as text.
pub fn read_text(path: impl AsRef<Path>) -> io::Result<String> {
    String::from_utf8(read(path)?).map_err(|_| io::Error::new(ErrorKind::InvalidData, "it is no text (UTF-8)"))
}

/// Opens what a user has named to be written: a file, or a device or pipe that somebody reads.
fn open(path: &Path, truncate: bool) -> io::Result<File> {
    OpenOptions::new().write(true).create(true).truncate(truncate).custom_flags(libc::O_NONBLOCK).open(path)
}

/// Whether files can be written, found out before the work that they are to keep: they are none of `inputs`, and the command line
/// names each once. `marks`: what is in files that may be written over although they are named like sources.
pub fn check_outputs(outputs: &[&Path], inputs: &[PathBuf], marks: &[&str]) -> Result<(), String> {
    if outputs.contains(&Path::new("-")) {
        return Err("'-' is no file to write to; /dev/stdout is".into());
    }
    let words: Vec<String> = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    if let Some(problem) = outputs_problem(outputs, inputs, &words, marks) {
        return Err(problem);
    }
    let check =
        |file: &&Path| check_writable(file).map_err(|error| format!("cannot write {}: {error}", file.display()));
    outputs.iter().try_for_each(check)
}

/// Whether it can be written.
fn check_writable(path: &Path) -> io::Result<()> {
    let is_new = !path.exists();
    open(path, false)?;
    if is_new {
        // What is left of it is empty, and will be written or said not to be.
        let _ = std::fs::remove_file(path);
    }
    Ok(())
}

/// Writes a file that a user has named.
pub fn write(path: &Path, text: &[u8]) -> io::Result<()> {
    let mut file = open(path, true)?;
    let mut rest = text;
    while !rest.is_empty() {
        match file.write(rest) {
            Ok(0) => return Err(ErrorKind::WriteZero.into()),
            Ok(written) => rest = &rest[written..],
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                if poll(&mut [PollFd::new(&file, PollFlags::OUT)], Some(&FULL))? == 0 {
                    return Err(io::Error::new(ErrorKind::TimedOut, "nobody reads it"));
                }
            }
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Why a page must not be written here: pages lie in folders that a project may have brought with links in them.
pub fn page_problem(path: &Path) -> Option<String> {
    let found = path.symlink_metadata().ok()?;
    let is_ours = found.is_file() && found.nlink() == 1;
    (!is_ours).then(|| format!("{} is a link, or no file: nothing is written through it", path.display()))
}

/// Opens a file of ours in a folder that others may have put links into: a plain file with one name, made if there is none.
pub fn open_own(path: &Path) -> io::Result<File> {
    if let Some(problem) = page_problem(path) {
        return Err(io::Error::new(ErrorKind::InvalidInput, problem));
    }
    let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK;
    OpenOptions::new().read(true).write(true).create(true).truncate(false).custom_flags(flags).open(path)
}

/// Writes a file of ours there.
pub fn write_own(path: &Path, text: &[u8]) -> Result<(), String> {
    let written = open_own(path).and_then(|mut file| {
        file.set_len(0)?;
        file.write_all(text)
    });
    written.map_err(|error| format!("cannot write {}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("foldback-files-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        folder
    }

    #[test]
    fn inputs_are_no_outputs() {
        let folder = folder("outputs");
        let (source, link, new) = (folder.join("s.txt"), folder.join("link"), folder.join("new.json"));
        std::fs::write(&source, "text").expect("written");
        std::os::unix::fs::symlink(&source, &link).expect("a link");
        let problem = |output: &Path, words: &[&Path]| {
            let words: Vec<String> = words.iter().map(|word| word.display().to_string()).collect();
            outputs_problem(&[output], std::slice::from_ref(&source), &words, &["ours"])
        };
        assert!(problem(&link, &[]).is_some_and(|why| why.contains("read")));
        assert_eq!(problem(&new, &[&new]), None);
        assert!(problem(&new, &[&new, &folder.join("./new.json")]).is_some_and(|why| why.contains("twice")));
        let header = folder.join("h.h");
        std::fs::write(&header, "int x;").expect("written");
        assert!(problem(&header, &[]).is_some_and(|why| why.contains("source")));
        std::fs::write(&header, "/* ours */").expect("written");
        assert_eq!(problem(&header, &[]), None);
        assert!(page_problem(&link).is_some() && page_problem(&source).is_none() && page_problem(&new).is_none());
        assert!(read(&link).is_ok() && read(&folder).is_err() && read(Path::new("/dev/zero")).is_err());
        assert!(write_own(&link, b"x").is_err() && write_own(&new, b"x").is_ok());
        assert!(plain(&link, 100).is_err() && plain(&source, 2).is_err() && plain(&source, 4).is_ok());
        let _ = std::fs::remove_dir_all(folder);
    }

    #[test]
    fn nobody_is_waited_for() {
        let folder = folder("pipes");
        let pipe = folder.join("pipe");
        rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, 0o600.into(), 0).expect("a pipe");
        assert!(read(&pipe).is_err() && write_own(&pipe, b"text").is_err());
        assert!(check_writable(&pipe).is_err() && write(&pipe, b"text").is_err() && plain(&pipe, 100).is_err());
        let _ = std::fs::remove_dir_all(folder);
    }
}
