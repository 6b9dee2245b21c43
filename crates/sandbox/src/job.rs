//! One command, run to its end inside the walls.

use crate::calls::Filter;
use crate::folder::Folder;
use crate::limits::Limits;
use crate::{files, supervise};
use rustix::fs::MemfdFlags;
use rustix::process::Signal;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read, Seek};
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// What kind of thing runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Profile {
    /// A tool that we trust, on a text that we do not.
    Compiler,
    /// A program that we do not trust; `leaks`: the leak checker is part of it.
    Program { leaks: bool },
}

/// Whether the walls stand. Limits and supervision hold in any case.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Wall {
    #[default]
    Confined,
    /// The user insists.
    Open,
}

/// A command and what it may do. Its working directory is `folder`.
#[derive(Clone, Debug)]
pub struct Job {
    /// With its path.
    pub program: PathBuf,
    pub arguments: Vec<OsString>,
    /// All of it.
    pub environment: Vec<(OsString, OsString)>,
    pub folder: PathBuf,
    /// Besides the system's libraries.
    pub readable: Vec<PathBuf>,
    pub writable: Vec<PathBuf>,
    pub profile: Profile,
    pub wall: Wall,
    pub limits: Limits,
}

/// How a job ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    Exit(i32),
    Signal(i32),
    /// It was ended: the time, the memory, the disk that it may use.
    Time,
    Memory,
    Disk,
}

/// What is left of a job.
#[derive(Clone, Debug)]
pub struct Finished {
    pub ended: Ended,
    /// What was written to [`Job::CHANNEL`].
    pub report: Vec<u8>,
    /// The beginning of what a compiler wrote to standard error. A program's output goes nowhere.
    pub messages: String,
}

/// More of a report or of messages is not read.
const MOST_READ: u64 = 1 << 20;

impl Job {
    /// The open file by which a program can report.
    pub const CHANNEL: RawFd = 200;

    /// Runs it. `root` is the private folder, which the supervisor removes should this process be gone.
    pub fn run(&self, root: &Folder) -> io::Result<Finished> {
        let mut report = memory_file()?;
        let mut messages = memory_file()?;
        let status = memory_file()?;
        let (gone, alive) = io::pipe()?;
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).env_clear().envs(self.environment.iter().map(|(name, value)| (name, value)));
        command.current_dir(&self.folder).stdin(Stdio::null()).stdout(Stdio::null());
        match self.profile {
            Profile::Compiler => command.stderr(messages.try_clone()?),
            Profile::Program { .. } => command.stderr(Stdio::null()),
        };
        let mut filter = match (self.profile, self.wall) {
            (Profile::Program { leaks }, Wall::Confined) => {
                Some(Filter::new(leaks).ok_or_else(|| io::Error::from(io::ErrorKind::Unsupported))?)
            }
            _ => None,
        };
        let job = self.clone();
        let order = supervise::Order {
            limits: self.limits,
            folder: self.folder.clone(),
            root: root.path().to_owned(),
            gone: gone.as_raw_fd(),
            status: status.as_raw_fd(),
        };
        let channel = report.as_raw_fd();
        // SAFETY: what runs between fork and exec is our own code on the only thread of the new process; it takes no locks
        // but the allocator's, which is safe across `fork`, as engines' processes rely on too.
        unsafe {
            command.pre_exec(move || {
                supervise::split(&order)?;
                job.enter(channel, filter.as_mut())
            });
        }
        let mut supervisor = command.spawn()?;
        drop(gone);
        supervisor.wait()?;
        drop(alive);
        Ok(Finished {
            ended: supervise::read(&status)?,
            report: beginning(&mut report)?,
            messages: String::from_utf8_lossy(&beginning(&mut messages)?).into_owned(),
        })
    }

    /// Puts the calling process inside the walls, just before it becomes the job's.
    fn enter(&self, channel: RawFd, filter: Option<&mut Filter>) -> io::Result<()> {
        if matches!(self.profile, Profile::Program { .. }) && self.wall == Wall::Confined {
            let spaces = libc::CLONE_NEWUSER | libc::CLONE_NEWNET | libc::CLONE_NEWIPC;
            // SAFETY: the process has one thread. Where it is not allowed the other walls stand.
            unsafe { libc::unshare(spaces) };
        }
        rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
        rustix::process::setpgid(None, None)?;
        keep_nothing_open();
        self.limits.impose()?;
        if matches!(self.profile, Profile::Program { .. }) {
            give(channel)?;
        }
        if self.wall == Wall::Confined {
            files::confine(self).map_err(|_| io::Error::from_raw_os_error(libc::EOPNOTSUPP))?;
        }
        match filter {
            Some(filter) => filter.apply(),
            None => Ok(()),
        }
    }
}

/// What we hold open, and whoever started us, is not the job's.
fn keep_nothing_open() {
    const FIRST: libc::c_long = 3;
    let last = libc::c_long::from(u32::MAX);
    // SAFETY: only numbers of files are passed, and nothing is closed before the job's program starts.
    unsafe {
        let on_exec = libc::c_long::from(libc::CLOSE_RANGE_CLOEXEC);
        if libc::syscall(libc::SYS_close_range, FIRST, last, on_exec) == -1 {
            (3..1024).for_each(|fd| {
                libc::fcntl(fd, libc::F_SETFD, libc::FD_CLOEXEC);
            });
        }
    }
}

/// Leaves the report open for the program.
fn give(channel: RawFd) -> io::Result<()> {
    // SAFETY: only numbers of files are passed; an open file of that number belongs to someone else.
    let given = unsafe {
        if libc::fcntl(Job::CHANNEL, libc::F_GETFD) != -1 {
            return Err(io::Error::from_raw_os_error(libc::EMFILE));
        }
        libc::dup2(channel, Job::CHANNEL)
    };
    if given == -1 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// A file that has no name, in memory.
fn memory_file() -> io::Result<File> {
    let fd: OwnedFd = rustix::fs::memfd_create("foldback", MemfdFlags::CLOEXEC)?;
    Ok(File::from(fd))
}

fn beginning(file: &mut File) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.rewind()?;
    file.take(MOST_READ).read_to_end(&mut bytes)?;
    Ok(bytes)
}
