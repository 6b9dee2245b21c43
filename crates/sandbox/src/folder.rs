//! A private folder with a name that nobody can guess, gone at the end, whatever end that is: when it is dropped, when the
//! process ends by [`clean_up`], and when the process is killed.
//!
//! For the last of these a keeper waits, a process that is there before the folder is. It reads from a pipe whose other end
//! we hold: a byte says that the folder is gone, the end of the pipe that we are. What a job still writes then is ended by
//! the job's supervisor; until then the keeper tries again.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::{self, PipeReader, PipeWriter, Read, Write as _};
use std::os::fd::{AsRawFd, RawFd};
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The folders of this process.
static OPEN: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

pub struct Folder {
    path: PathBuf,
    keeper: Keeper,
}

impl Folder {
    pub fn new() -> io::Result<Folder> {
        let path = std::env::temp_dir().join(name()?);
        let path = std::path::absolute(path)?;
        let keeper = Keeper::start(&path)?;
        let folder = Folder { path, keeper };
        std::fs::DirBuilder::new().mode(0o700).create(&folder.path)?;
        open().push(folder.path.clone());
        Ok(folder)
    }

    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        remove(&self.path);
        open().retain(|path| *path != self.path);
        self.keeper.end();
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

/// `foldback-` and 128 random bits.
fn name() -> io::Result<OsString> {
    let mut bytes = [0; 16];
    std::fs::File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    let mut name = "foldback-".to_owned();
    bytes.iter().for_each(|byte| {
        let _ = write!(name, "{byte:02x}");
    });
    Ok(name.into())
}

/// The process that removes a folder when we cannot.
struct Keeper {
    process: libc::pid_t,
    pipe: PipeWriter,
}

/// The keeper tries so often, with so much time in between: as long as a supervisor needs to end a job that still writes, and more.
const LOOKS: u32 = 300;
const BETWEEN: Duration = Duration::from_millis(10);

impl Keeper {
    fn start(folder: &Path) -> io::Result<Keeper> {
        let (reader, pipe) = io::pipe()?;
        // SAFETY: the new process runs our own code on its only thread, takes no locks but the allocator's, which is safe across
        // `fork`, and leaves by `_exit`.
        match unsafe { libc::fork() } {
            -1 => Err(io::Error::last_os_error()),
            0 => keep(folder, reader),
            process => Ok(Keeper { process, pipe }),
        }
    }

    /// It has nothing left to do.
    fn end(&mut self) {
        // Others that were started meanwhile may hold the pipe too, so that closing it says nothing yet.
        let _ = self.pipe.write_all(&[0]);
        let mut status = 0;
        // SAFETY: the process is our child, which nobody else waits for.
        unsafe { libc::waitpid(self.process, &mut status, 0) };
    }
}

/// What the keeper does.
fn keep(folder: &Path, reader: PipeReader) -> ! {
    // Not among those whom a terminal or a shell ends with us.
    let _ = rustix::process::setsid();
    let _ = std::env::set_current_dir("/");
    let mut pipe = keep_only(reader.as_raw_fd());
    std::mem::forget(reader);
    let is_told = loop {
        match pipe.read(&mut [0]) {
            Ok(count) => break count > 0,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => break false,
        }
    };
    if !is_told {
        remove(folder);
        for _ in 0..LOOKS {
            if folder.symlink_metadata().is_err() {
                break;
            }
            std::thread::sleep(BETWEEN);
            remove(folder);
        }
    }
    // SAFETY: ends the process at once.
    unsafe { libc::_exit(0) }
}

/// Closes all files but this one, which becomes standard input: whoever waits for the end of what we write waits for us only.
fn keep_only(pipe: RawFd) -> std::fs::File {
    use std::os::fd::FromRawFd;
    // SAFETY: these are calls on numbers of files, in a process that uses no others.
    unsafe {
        libc::dup2(pipe, 0);
        if libc::syscall(libc::SYS_close_range, 1 as libc::c_long, libc::c_long::from(u32::MAX), 0) == -1 {
            (1..1024).for_each(|fd| {
                libc::close(fd);
            });
        }
        std::fs::File::from_raw_fd(0)
    }
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
    let is_folder = path.symlink_metadata().is_ok_and(|found| found.is_dir());
    if is_folder && std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o700)).is_ok() {
        let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
        entries.for_each(|entry| give_rights(&entry.path()));
    }
}
